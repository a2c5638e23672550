#define_import_path tarsus::bounds

// What a ray can touch at all. All tests are on the safe side: they may say
// yes to a ray that misses, never no to one that hits.

// A stretch of a ray, from `near` to `far`; empty where near > far.
struct Span {
    near: f32,
    far: f32,
}

const NOTHING: Span = Span(1e9, -1e9);

// Where a ray (unit direction) is inside the ball around `centre`.
fn through_ball(origin: vec3f, direction: vec3f, centre: vec3f, radius: f32) -> Span {
    let to_centre = centre - origin;
    let middle = dot(to_centre, direction);
    let beside = to_centre - middle * direction;
    let half_squared = radius * radius - dot(beside, beside);
    if half_squared < 0.0 {
        return NOTHING;
    }
    let half = sqrt(half_squared);
    return Span(middle - half, middle + half);
}

// True if a ray meets the stretch on its way forward.
fn ahead(span: Span) -> bool {
    return span.near <= span.far && span.far >= 0.0;
}

// Smallest stretch that holds both.
fn joined(a: Span, b: Span) -> Span {
    return Span(min(a.near, b.near), max(a.far, b.far));
}

// Where a ray may be within `radius` of the segment a–b. The line's distance to
// the segment is exact; the stretch is what the ball around the segment and the
// endless cylinder along it have in common.
fn through_capsule(origin: vec3f, direction: vec3f, a: vec3f, b: vec3f, radius: f32) -> Span {
    let ab = b - a;
    let oa = origin - a;
    let along = dot(ab, direction);
    // Of |a + s ab - (origin + t direction)|² the best s for the best t of each s.
    let squared = dot(ab, ab);
    let spread = max(squared - along * along, 1e-8);
    let on_line = (dot(ab, oa) - along * dot(direction, oa)) / spread;
    let gap = clamp(on_line, 0.0, 1.0) * ab - oa;
    let beside = gap - dot(gap, direction) * direction;
    if dot(beside, beside) > radius * radius {
        return NOTHING;
    }
    let to_axis = on_line * ab - oa;
    let middle = dot(to_axis, direction);
    let aside = to_axis - middle * direction;
    let half = sqrt(max(radius * radius - dot(aside, aside), 0.0) * squared / spread);
    let ball = through_ball(origin, direction, 0.5 * (a + b), 0.5 * sqrt(squared) + radius);
    return Span(max(ball.near, middle - half), min(ball.far, middle + half));
}

// True if a ray or its line backward comes within `radius` of the segment a–b;
// cheaper than the stretch.
fn touches_capsule(origin: vec3f, direction: vec3f, a: vec3f, b: vec3f, radius: f32) -> bool {
    // Both ends as seen along the ray.
    let from_a = origin - a;
    let along_a = dot(from_a, direction);
    let along = dot(b - a, direction);
    let pa = from_a - along_a * direction;
    let ba = (b - a) - along * direction;
    let gap = pa - clamp(dot(pa, ba) / max(dot(ba, ba), 1e-8), 0.0, 1.0) * ba;
    return dot(gap, gap) <= radius * radius && along_a <= max(along, 0.0) + radius;
}
