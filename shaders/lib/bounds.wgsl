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
// the segment is exact; the stretch is that of the ball around the segment.
fn through_capsule(origin: vec3f, direction: vec3f, a: vec3f, b: vec3f, radius: f32) -> Span {
    let ab = b - a;
    let oa = origin - a;
    let along = dot(ab, direction);
    // Of |a + s ab - (origin + t direction)|² the best s for the best t of each s.
    let spread = max(dot(ab, ab) - along * along, 1e-8);
    let s = clamp((dot(ab, oa) - along * dot(direction, oa)) / spread, 0.0, 1.0);
    let gap = s * ab - oa;
    let t = dot(gap, direction);
    let beside = gap - t * direction;
    if dot(beside, beside) > radius * radius {
        return NOTHING;
    }
    return through_ball(origin, direction, 0.5 * (a + b), 0.5 * length(ab) + radius);
}

// What a ray can touch of a thing made of parts: which of them, one bit each,
// and the stretch of the ray that holds them all.
struct Sight {
    span: Span,
    parts: u32,
}

const UNSEEN: Sight = Sight(NOTHING, 0u);

// Takes one more part into account: its `span`, and its bit in the mask.
fn noted(sight: Sight, span: Span, bit: u32) -> Sight {
    if !ahead(span) {
        return sight;
    }
    let both = joined(sight.span, span);
    return Sight(Span(max(both.near, 0.0), both.far), sight.parts | bit);
}
