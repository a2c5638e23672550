#define_import_path tarsus::sdf

// Common solids, and unions, differences and intersections of shapes of any kind.
//
// Signed distances are negative inside, in the unit of the argument. Each function states
// the quality of its distance:
//
//     Exact     the distance to the nearest point of the surface
//     Bound     never larger than that, so that sphere tracing does not overshoot
//     Estimate  neither; the comment states where it is accurate
//
// More solids are in tarsus::sdf3 and tarsus::sdf3_round, flat shapes in tarsus::sdf2 and
// tarsus::sdf2_curves, and operations on shapes in tarsus::sdf_ops. docs/sdf.md shows them
// all. The catalogue follows Inigo Quilez (https://iquilezles.org/articles/distfunctions/).

/// Sphere of radius `radius` around the origin. Exact.
fn sphere(p: vec3f, radius: f32) -> f32 {
    return length(p) - radius;
}

/// Ellipsoid with half axes `radii` > 0, to first order. Bound outside; inside, an estimate
/// that is accurate only near the surface. `sdf3_round::ellipsoid` is exact but slower.
fn ellipsoid(p: vec3f, radii: vec3f) -> f32 {
    // With a constant argument, compilers replace the reciprocal, but not a division.
    let scale = 1.0 / radii;
    let q = p * scale;
    let k = length(q);
    let gradient = length(q * scale);
    // At the centre, the gradient is 0 and the distance is the shortest half axis.
    return select(k * (k - 1.0) / gradient, -min(radii.x, min(radii.y, radii.z)), gradient < 1e-6);
}

/// Parameter of the point of the segment a–b nearest to p: 0 at a, 1 at b. 0 for a segment
/// of length 0.
fn along_segment(p: vec3f, a: vec3f, b: vec3f) -> f32 {
    return from_segment(p, a, b).w;
}

/// Position of p relative to the segment a–b: xyz = vector to p from the nearest point of
/// the segment, w = that point's parameter as in `along_segment`.
fn from_segment(p: vec3f, a: vec3f, b: vec3f) -> vec4f {
    let ab = b - a;
    let ap = p - a;
    let h = clamp(dot(ap, ab) * (1.0 / max(dot(ab, ab), 1e-12)), 0.0, 1.0);
    return vec4f(ap - h * ab, h);
}

/// Capsule: all points within `radius` of the segment a–b. Exact.
fn capsule(p: vec3f, a: vec3f, b: vec3f, radius: f32) -> f32 {
    return length(from_segment(p, a, b).xyz) - radius;
}

/// Capsule from a to b with a radius that goes linearly from `radius_a` to `radius_b`.
/// Estimate: at most sqrt(1 + taper²) times the distance, where taper = |radius_a -
/// radius_b| / |b - a|, so accurate for gentle tapers. `sdf3_round::round_cone_between` is
/// exact.
fn tapered_capsule(p: vec3f, a: vec3f, b: vec3f, radius_a: f32, radius_b: f32) -> f32 {
    let seen = from_segment(p, a, b);
    return length(seen.xyz) - (radius_a + (radius_b - radius_a) * seen.w);
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

// ---------------------------------------------------------------------------
// Combinations of two shapes

// Arguments are the distances to the two shapes. The smooth versions differ from the sharp
// ones only where |a - b| < k, by a polynomial in |a - b|: quadratic, with a jump in
// curvature at the ends of the fillet, or cubic, without one. k ≤ 0 gives the sharp
// version. After Inigo Quilez (https://iquilezles.org/articles/smin/).

/// Union: everything in a or b. Exact outside and bound inside if a and b are exact;
/// otherwise bound.
fn sharp_union(a: f32, b: f32) -> f32 {
    return min(a, b);
}

/// Difference: a without b. Bound.
fn sharp_difference(a: f32, b: f32) -> f32 {
    return max(a, -b);
}

/// Intersection: everything in both a and b. Bound; exact inside if a and b are exact.
fn sharp_intersection(a: f32, b: f32) -> f32 {
    return max(a, b);
}

/// Exclusive or: everything in exactly one of a and b. Bound.
fn sharp_xor(a: f32, b: f32) -> f32 {
    return max(min(a, b), -max(a, b));
}

/// Closeness of a to b on a fillet of size k: 1 where they are equal, falling linearly to 0
/// at a difference of k. 0 if k ≤ 0.
fn nearness(a: f32, b: f32, k: f32) -> f32 {
    return max(k - abs(a - b), 0.0) * (1.0 / max(k, 1e-20));
}

/// Union of two shapes with a fillet of about size k: quadratic polynomial. Bound.
fn smooth_union(a: f32, b: f32, k: f32) -> f32 {
    let h = nearness(a, b, k);
    return min(a, b) - h * h * k * 0.25;
}

/// Difference of two shapes, a without b, with a rounded edge of about size k: quadratic
/// polynomial. Bound.
fn smooth_difference(a: f32, b: f32, k: f32) -> f32 {
    return -smooth_union(-a, b, k);
}

/// Intersection of two shapes with a rounded edge of about size k: quadratic polynomial.
/// Bound.
fn smooth_intersection(a: f32, b: f32, k: f32) -> f32 {
    return -smooth_union(-a, -b, k);
}

/// Exclusive or of two shapes with rounded edges of about size k: quadratic polynomial.
/// Bound.
fn smooth_xor(a: f32, b: f32, k: f32) -> f32 {
    return smooth_difference(smooth_union(a, b, k), smooth_intersection(a, b, k), k);
}

/// Union of two shapes with a fillet of about size k: cubic polynomial. Bound.
fn cubic_union(a: f32, b: f32, k: f32) -> f32 {
    let h = nearness(a, b, k);
    return min(a, b) - h * h * h * k / 6.0;
}

/// Difference of two shapes, a without b, with a rounded edge of about size k: cubic
/// polynomial. Bound.
fn cubic_difference(a: f32, b: f32, k: f32) -> f32 {
    return -cubic_union(-a, b, k);
}

/// Intersection of two shapes with a rounded edge of about size k: cubic polynomial. Bound.
fn cubic_intersection(a: f32, b: f32, k: f32) -> f32 {
    return -cubic_union(-a, -b, k);
}

/// Weight of b's material in `smooth_union(a, b, k)`, 0 to 1; a has the rest. It is the
/// derivative of the union with respect to b, so it also blends gradients: mix(∇a, ∇b,
/// weight) is the gradient of the union.
fn smooth_weight(a: f32, b: f32, k: f32) -> f32 {
    let half = 0.5 * nearness(a, b, k);
    return select(half, 1.0 - half, b < a);
}

/// Weight of b's material in `cubic_union(a, b, k)`, 0 to 1; as `smooth_weight`.
fn cubic_weight(a: f32, b: f32, k: f32) -> f32 {
    let h = nearness(a, b, k);
    let half = 0.5 * h * h;
    return select(half, 1.0 - half, b < a);
}
