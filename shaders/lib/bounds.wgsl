#define_import_path tarsus::bounds

// Conservative ray tests against bounding volumes. Each may report a hit for a ray that
// misses, never a miss for a ray that hits. Ray directions are unit vectors.

/// An interval of ray parameters (distances along the ray); empty where t_near > t_far.
struct Span {
    t_near: f32,
    t_far: f32,
}

const EMPTY: Span = Span(1e9, -1e9);

/// Span where a ray is inside a sphere; `t_near` < 0 if the origin is inside.
fn sphere_span(origin: vec3f, direction: vec3f, centre: vec3f, radius: f32) -> Span {
    let to_centre = centre - origin;
    let t_middle = dot(to_centre, direction);
    let offset = to_centre - t_middle * direction;
    let half_squared = radius * radius - dot(offset, offset);
    if half_squared < 0.0 {
        return EMPTY;
    }
    let half = sqrt(half_squared);
    return Span(t_middle - half, t_middle + half);
}

/// True if the span is not empty and some of it lies at t ≥ 0.
fn is_hit(span: Span) -> bool {
    return span.t_near <= span.t_far && span.t_far >= 0.0;
}

/// Smallest span that contains both spans.
fn hull(a: Span, b: Span) -> Span {
    return Span(min(a.t_near, b.t_near), max(a.t_far, b.t_far));
}

/// Span that contains every point of a ray within `radius` of the segment a–b. The distance
/// between line and segment is exact; the span is the intersection of the spans of the
/// sphere around the capsule and of the infinite cylinder along it.
fn capsule_span(origin: vec3f, direction: vec3f, a: vec3f, b: vec3f, radius: f32) -> Span {
    let ab = b - a;
    let oa = origin - a;
    let ab_along = dot(ab, direction);
    // Minimum of |a + s ab - (origin + t direction)|² over t, then over s.
    let squared = dot(ab, ab);
    let spread = max(squared - ab_along * ab_along, 1e-8);
    let s = (dot(ab, oa) - ab_along * dot(direction, oa)) / spread;
    let gap = clamp(s, 0.0, 1.0) * ab - oa;
    let offset = gap - dot(gap, direction) * direction;
    if dot(offset, offset) > radius * radius {
        return EMPTY;
    }
    let to_axis = s * ab - oa;
    let t_middle = dot(to_axis, direction);
    let axis_offset = to_axis - t_middle * direction;
    let half = sqrt(max(radius * radius - dot(axis_offset, axis_offset), 0.0) * squared / spread);
    let sphere = sphere_span(origin, direction, 0.5 * (a + b), 0.5 * sqrt(squared) + radius);
    return Span(max(sphere.t_near, t_middle - half), min(sphere.t_far, t_middle + half));
}

/// Cheaper, looser version of `capsule_span`: the span reaches along all of the segment, even if
/// that is long and at a slant to the ray.
fn loose_capsule_span(origin: vec3f, direction: vec3f, a: vec3f, b: vec3f, radius: f32) -> Span {
    let segment = along_ray(origin, direction, a, b);
    let half_squared = radius * radius - segment.gap_squared;
    if half_squared < 0.0 {
        return EMPTY;
    }
    let half = sqrt(half_squared);
    return Span(min(segment.t_a, segment.t_b) - half, max(segment.t_a, segment.t_b) + half);
}

/// True if a ray can come within `radius` of the segment a–b at t ≥ 0. Cheaper and looser
/// than `capsule_span`: the distance is measured in the plane perpendicular to the ray.
fn touches_capsule(origin: vec3f, direction: vec3f, a: vec3f, b: vec3f, radius: f32) -> bool {
    let segment = along_ray(origin, direction, a, b);
    return segment.gap_squared <= radius * radius && max(segment.t_a, segment.t_b) >= -radius;
}

/// A segment as seen along a ray.
struct SegmentAlongRay {
    /// Squared distance from the ray in the plane perpendicular to it.
    gap_squared: f32,
    /// Positions of the ends along the ray.
    t_a: f32,
    t_b: f32,
}

fn along_ray(origin: vec3f, direction: vec3f, a: vec3f, b: vec3f) -> SegmentAlongRay {
    let to_a = a - origin;
    let t_a = dot(to_a, direction);
    let along = dot(b - a, direction);
    // Both ends projected onto the plane perpendicular to the ray.
    let pa = t_a * direction - to_a;
    let ba = (b - a) - along * direction;
    let gap = pa - clamp(dot(pa, ba) / max(dot(ba, ba), 1e-8), 0.0, 1.0) * ba;
    return SegmentAlongRay(dot(gap, gap), t_a, t_a + along);
}

/// Span of a ray inside a slab perpendicular to an axis. All arguments are components along
/// that axis: `origin` and `inverse` (1 / direction) of the ray, middle and half thickness
/// of the slab.
fn slab(origin: f32, inverse: f32, middle: f32, half: f32) -> Span {
    let to_middle = (middle - origin) * inverse;
    let to_side = half * abs(inverse);
    return Span(to_middle - to_side, to_middle + to_side);
}

/// True if three spans share a point at t ≥ 0. With one slab per axis: true if a ray meets
/// the box.
fn spans_overlap(a: Span, b: Span, c: Span) -> bool {
    return max(max(a.t_near, b.t_near), max(c.t_near, 0.0)) <= min(a.t_far, min(b.t_far, c.t_far));
}

/// True if a ray meets an ellipsoid with the half axes `radii` at t ≥ 0.
fn touches_ellipsoid(origin: vec3f, direction: vec3f, centre: vec3f, radii: vec3f) -> bool {
    // Scaled by the half axes, the ellipsoid is the unit sphere.
    let scale = 1.0 / radii;
    let start = (origin - centre) * scale;
    let along = direction * scale;
    let closest = start + max(-dot(start, along) / dot(along, along), 0.0) * along;
    return dot(closest, closest) < 1.0;
}
