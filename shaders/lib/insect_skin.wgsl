#define_import_path tarsus::insect_skin

#import tarsus::ik
#import tarsus::insect_shape::{
    ANTENNA, EYE, SKULL, abdomen_space, current_leg, head_space, nearest_part, plate,
}
#import tarsus::light
#import tarsus::raymarch
#import tarsus::sdf
#import tarsus::shading

// The surface of the insect (`insect`): dark chitin with a film of colours, amber skin, red
// legs and faceted eyes.

/// A point to be shaded, in body space.
struct SurfacePoint {
    position: vec3f,
    /// Unit normal without fine relief.
    smooth_normal: vec3f,
    material: light::Material,
    /// Reach of the ambient occlusion.
    sky_reach: f32,
}

/// Material of the animal's surface.
struct BodyMaterial {
    albedo: vec3f,
    f0_color: vec3f,
    roughness: f32,
    /// Slope of the fine bumps.
    bumps: f32,
}

/// At the fraction h of a segment: dark at both ends, reddish amber between.
fn leg_material(h: f32) -> BodyMaterial {
    let band = smoothstep(0.0, 0.22, h) * (1.0 - smoothstep(0.74, 1.0, h));
    let albedo = mix(vec3f(0.016, 0.010, 0.009), vec3f(0.19, 0.052, 0.013), band);
    return BodyMaterial(albedo, vec3f(0.06), 0.30, 0.10);
}

/// Fraction along femur or tibia, whichever is nearer, of a point p of a leg.
fn along_nearest_bone(p: vec3f, leg: ik::Leg) -> f32 {
    let upper = sdf::along_segment(p, leg.trochanter, leg.knee);
    let lower = sdf::along_segment(p, leg.knee, leg.ankle);
    let to_upper = distance(p, mix(leg.trochanter, leg.knee, upper));
    let to_lower = distance(p, mix(leg.knee, leg.ankle, lower));
    return select(upper, lower, to_lower < to_upper);
}

/// Offset of the normal for the eyes' hexagonal facets; q in head space.
fn facets(q: vec3f) -> vec3f {
    let across = vec2f(q.x, q.y + 0.3 * abs(q.z)) * 62.0;
    let hex = vec2f(1.0, 1.7320508);
    let a = fract(across / hex) * hex - 0.5 * hex;
    let b = fract(across / hex + 0.5) * hex - 0.5 * hex;
    return 0.30 * vec3f(select(b, a, dot(a, a) < dot(b, b)), 0.0);
}

/// The material of trunk, head or antennae, whichever was nearest, at p of body space and q of
/// head space.
fn trunk_material(p: vec3f, q: vec3f) -> BodyMaterial {
    if nearest_part == EYE {
        return BodyMaterial(vec3f(0.020, 0.004, 0.004), vec3f(0.055, 0.04, 0.04), 0.12, 0.0);
    }
    if nearest_part == ANTENNA {
        return BodyMaterial(vec3f(0.10, 0.035, 0.015), vec3f(0.05), 0.4, 0.05);
    }
    if nearest_part == SKULL {
        let front = smoothstep(0.30, 0.60, q.x);
        let albedo = mix(vec3f(0.030, 0.026, 0.020), vec3f(0.16, 0.035, 0.010), front);
        return BodyMaterial(albedo, vec3f(0.07, 0.075, 0.06), 0.28, 0.16);
    }
    if p.x < -0.40 {
        // Amber skin between the plates.
        let skin = 1.0 - smoothstep(0.02, 0.30, fract(plate(abdomen_space(p))));
        let albedo = mix(vec3f(0.030, 0.022, 0.016), vec3f(0.34, 0.13, 0.03), 0.8 * skin);
        return BodyMaterial(albedo, vec3f(0.07, 0.075, 0.06) * (1.0 - 0.5 * skin), 0.27, 0.14);
    }
    return BodyMaterial(vec3f(0.026, 0.024, 0.020), vec3f(0.08, 0.085, 0.07), 0.25, 0.20);
}

/// The animal's surface at the hit point p of body space, seen along `direction`; `on_leg` if
/// that is on the current part.
fn chitin_at(hit: raymarch::Hit, p: vec3f, direction: vec3f, on_leg: bool) -> SurfacePoint {
    let smooth_normal = hit.normal;
    let q = head_space(p);
    var material = leg_material(along_nearest_bone(p, current_leg.part.bones));
    if !on_leg {
        material = trunk_material(p, q);
    }
    let near = clamp(1.0 - hit.distance / 14.0, 0.0, 1.0);
    let facing = clamp(dot(smooth_normal, -direction), 0.0, 1.0);
    // No bumps at silhouettes, where they alias.
    let fine = select(0.0, material.bumps * smoothstep(0.0, 0.5, facing), hit.coverage > 0.0);
    let is_eye = !on_leg && nearest_part == EYE;
    let tilt = select(light::bumps(p, 38.0, fine), facets(q), is_eye);
    let normal = normalize(smooth_normal + near * tilt);
    let film = shading::thin_film(clamp(dot(normal, -direction), 0.0, 1.0), 2.3);
    let f0_color = material.f0_color * (0.35 + 1.3 * film);
    return SurfacePoint(
        p + 0.012 * smooth_normal,
        smooth_normal,
        light::Material(normal, material.albedo, f0_color, material.roughness, 0.0, 0.20),
        0.35,
    );
}
