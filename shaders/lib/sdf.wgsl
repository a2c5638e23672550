#define_import_path tarsus::sdf

// Signed distance functions: negative inside, in the unit of the argument. Each is marked as
// exact or as a bound (never more than the true distance, so that sphere tracing does not
// overshoot). Most are after Inigo Quilez (https://iquilezles.org/articles/distfunctions/).

/// Sphere of radius `radius` around the origin. Exact.
fn sphere(p: vec3f, radius: f32) -> f32 {
    return length(p) - radius;
}

/// Ellipsoid with half axes `radii`, first-order estimate: exact on the surface,
/// a good estimate near it. Half axes must be positive.
fn ellipsoid(p: vec3f, radii: vec3f) -> f32 {
    let q = p / radii;
    let k = length(q);
    let gradient = length(q / radii);
    // At the centre the gradient is 0 and the distance is the shortest half axis.
    return select(k * (k - 1.0) / gradient, -min(radii.x, min(radii.y, radii.z)), gradient < 1e-6);
}

/// Parameter of the point of the segment a–b that is nearest to p: 0 at a, 1 at b. 0 for a
/// segment of length 0.
fn along_segment(p: vec3f, a: vec3f, b: vec3f) -> f32 {
    let ab = b - a;
    return clamp(dot(p - a, ab) / max(dot(ab, ab), 1e-12), 0.0, 1.0);
}

/// Capsule: all points within `radius` of the segment a–b. Exact.
fn capsule(p: vec3f, a: vec3f, b: vec3f, radius: f32) -> f32 {
    return length(p - mix(a, b, along_segment(p, a, b))) - radius;
}

/// Capsule whose radius goes linearly from `radius_a` to `radius_b`. The bound
/// holds where the taper is gentle: it is off by a factor 1/sqrt(1 + taper²) at
/// most, taper = |radius_a - radius_b| / |b - a|.
fn tapered_capsule(p: vec3f, a: vec3f, b: vec3f, radius_a: f32, radius_b: f32) -> f32 {
    let h = along_segment(p, a, b);
    return length(p - mix(a, b, h)) - mix(radius_a, radius_b, h);
}

/// Torus around the y axis: circle of radius `major`, tube of radius `minor`. Exact.
fn torus(p: vec3f, major: f32, minor: f32) -> f32 {
    return length(vec2f(length(p.xz) - major, p.y)) - minor;
}

/// Box with half edges `half_size`. Exact.
fn box(p: vec3f, half_size: vec3f) -> f32 {
    let q = abs(p) - half_size;
    return length(max(q, vec3f(0.0))) + min(max(q.x, max(q.y, q.z)), 0.0);
}

/// Half space below the plane y = 0. Exact.
fn ground_plane(p: vec3f) -> f32 {
    return p.y;
}

/// Union of two shapes with a fillet of about the size k > 0: quadratic polynomial smooth
/// minimum (https://iquilezles.org/articles/smin/). A bound where a and b are; equal to
/// min(a, b) where |a - b| >= k.
fn smooth_union(a: f32, b: f32, k: f32) -> f32 {
    let h = max(k - abs(a - b), 0.0) / k;
    return min(a, b) - h * h * k * 0.25;
}

/// Difference of two shapes, a without b, with a rounded edge of about the size k > 0.
fn smooth_difference(a: f32, b: f32, k: f32) -> f32 {
    return -smooth_union(-a, b, k);
}
