#define_import_path tarsus::graze

// What a ray that widens sees of round things, at one go and without marching:
// the share of its width that they cover, and where it meets them.
//
// The ray is a pixel's and grows with it, or leads from a pixel of the ground to a
// sun and grows with the disc: the share is then what smooths an outline or softens
// a shadow. It is the share of a strip through the ray, so that what is thinner than
// the ray grows faint and does not flicker.

// A ray with a width.
struct Beam {
    origin: vec3f,
    // Unit vector.
    direction: vec3f,
    // Width at the origin, and what it grows by in a unit of distance.
    width: f32,
    spread: f32,
}

struct Graze {
    // Share of the ray's width that is covered, 0 to 1.
    share: f32,
    // Distance along the ray to the surface, or to where it passes closest.
    distance: f32,
    // Unit normal there.
    normal: vec3f,
}

fn width_at(beam: Beam, distance: f32) -> f32 {
    return max(beam.width + beam.spread * distance, 1e-5);
}

// A cone with round ends, from a to b, slender and gently tapered; radii above 0.
fn cone(beam: Beam, a: vec3f, b: vec3f, radius_a: f32, radius_b: f32) -> Graze {
    let direction = beam.direction;
    let ab = b - a;
    let oa = beam.origin - a;
    let lean = dot(ab, direction);
    let size = dot(ab, ab);
    // Of |a + s ab - (origin + t direction)|² the best s for the best t of each s.
    let free = (dot(ab, oa) - lean * dot(direction, oa)) / max(size - lean * lean, 1e-6);
    let s = clamp(free, 0.0, 1.0);
    let gap = s * ab - oa;
    let t = max(dot(gap, direction), 0.0);
    let beside = t * direction - gap;
    let aside = length(beside);
    let radius = mix(radius_a, radius_b, s);
    let wide = width_at(beam, t);
    let share = clamp((radius - aside) / wide + 0.5, 0.0, min(2.0 * radius / wide, 1.0));

    // The normal turns from facing the ray to standing off it, as a ball's does.
    let turn = min(aside / radius, 1.0);
    let depth = sqrt(1.0 - turn * turn);
    let normal = beside / max(aside, radius) - depth * direction;
    return Graze(share, t - depth * radius, normal);
}

// An ellipsoid with half axes `radii`.
fn ellipsoid(beam: Beam, centre: vec3f, radii: vec3f) -> Graze {
    // In units of the half axes it is a ball.
    let o = (beam.origin - centre) / radii;
    let d = beam.direction / radii;
    let stretch = dot(d, d);
    let middle = max(-dot(o, d) / stretch, 0.0);
    let closest = o + middle * d;
    let squared = dot(closest, closest);
    let k = sqrt(squared);
    let gap = k * (k - 1.0) / max(length(closest / radii), 1e-6);
    let share = clamp(0.5 - gap / width_at(beam, middle), 0.0, 1.0);
    let half = sqrt(max(1.0 - squared, 0.0) / stretch);
    let t = middle - half;
    return Graze(share, t, normalize((o + t * d) / radii));
}
