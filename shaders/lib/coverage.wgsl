#define_import_path tarsus::coverage

// Coverage of a widening ray by round primitives, in closed form, without marching: the
// fraction of the ray's width that a primitive covers, and the point where it is hit.
//
// A camera ray widens with the pixel; a shadow ray starts as wide as the pixel's footprint
// on the ground and widens with the light's disc. Coverage then antialiases silhouettes and
// softens shadows. It is measured in a strip through the ray, so that a primitive thinner
// than the ray fades instead of flickering.

/// A ray with a width, measured perpendicular to the ray.
struct Beam {
    origin: vec3f,
    /// Unit vector.
    direction: vec3f,
    /// Width at the origin, and growth of the width per unit of distance.
    width: f32,
    spread: f32,
}

/// Result of testing one beam against one primitive.
struct BeamHit {
    /// Fraction of the beam's width that is covered, 0 to 1; 0 for a miss.
    coverage: f32,
    /// Distance along the beam's axis to the surface, or to the closest approach.
    distance: f32,
    /// Unit normal at the hit.
    normal: vec3f,
}

/// Width of the beam at a distance from its origin.
fn width_at(beam: Beam, distance: f32) -> f32 {
    return max(beam.width + beam.spread * distance, 1e-5);
}

/// Hit on a tapered capsule from a (radius_a) to b (radius_b); both radii must be above 0.
/// Approximate: accurate for slender capsules with a gentle taper.
fn tapered_capsule(beam: Beam, a: vec3f, b: vec3f, radius_a: f32, radius_b: f32) -> BeamHit {
    return spindle(beam, a, b, vec3f(radius_a, 0.5 * (radius_a + radius_b), radius_b));
}

/// Hit on a tapered capsule with a waist or a belly: `radii` are those at a, in the middle
/// and at b, all above 0, with a parabola through them. Approximate, as `tapered_capsule`.
fn spindle(beam: Beam, a: vec3f, b: vec3f, radii: vec3f) -> BeamHit {
    let direction = beam.direction;
    let ab = b - a;
    let oa = beam.origin - a;
    let ab_along = dot(ab, direction);
    let squared = dot(ab, ab);
    // Minimum of |a + s ab - (origin + t direction)|² over t, then over s.
    let s_line = (dot(ab, oa) - ab_along * dot(direction, oa))
        / max(squared - ab_along * ab_along, 1e-6);
    let s = clamp(s_line, 0.0, 1.0);
    let gap = s * ab - oa;
    let t = max(dot(gap, direction), 0.0);
    let offset = t * direction - gap;
    let axis_distance = length(offset);
    let bulge = 2.0 * radii.y - radii.x - radii.z;
    let radius = mix(radii.x, radii.z, s) + 2.0 * bulge * s * (1.0 - s);
    let width = width_at(beam, t);
    let coverage = clamp((radius - axis_distance) / width + 0.5, 0.0, min(2.0 * radius / width, 1.0));

    // Normal of the sphere of that radius at the closest point of the axis: opposite to the
    // ray in the middle, perpendicular to it at the silhouette. It is taken in the middle of the
    // covered part: around a blurred limb, wide beams would see a silhouette everywhere.
    let beyond = max(axis_distance + 0.5 * width - radius, 0.0);
    let sine = clamp((axis_distance - 0.5 * beyond) / radius, 0.0, 1.0);
    let depth = sqrt(1.0 - sine * sine);
    let normal = sine / max(axis_distance, 1e-6) * offset - depth * direction;
    return BeamHit(coverage, t - depth * radius, normal);
}

/// Hit on an axis-aligned ellipsoid with half axes `radii`.
fn ellipsoid(beam: Beam, centre: vec3f, radii: vec3f) -> BeamHit {
    // Scaled by the half axes, the ellipsoid is the unit sphere.
    let scale = 1.0 / radii;
    let o = (beam.origin - centre) * scale;
    let d = beam.direction * scale;
    let stretch = dot(d, d);
    let t_middle = max(-dot(o, d) / stretch, 0.0);
    let closest = o + t_middle * d;
    let squared = dot(closest, closest);
    let k = sqrt(squared);
    // First-order distance estimate, as in sdf::ellipsoid.
    let gap = k * (k - 1.0) / max(length(closest * scale), 1e-6);
    let width = width_at(beam, t_middle);
    let coverage = clamp(0.5 - gap / width, 0.0, 1.0);
    // The middle of the covered part, as for a capsule.
    let beyond = max(gap + 0.5 * width, 0.0);
    let seen = max(1.0 - 0.5 * beyond * length(closest * scale) / max(squared, 1e-6), 0.0);
    let half = sqrt(max(1.0 - squared * seen * seen, 0.0) / stretch);
    return BeamHit(coverage, t_middle - half, normalize((seen * closest - half * d) * scale));
}
