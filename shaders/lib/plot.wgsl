#define_import_path tarsus::plot

// Antialiased drawing in the plane: signed distances, coverage and compositing.
//
// A shape is a signed distance `d` at the point being drawn, negative inside, in the
// scene's length unit; `px` is the size of a pixel in that unit. `fill` and `stroke`
// convert a distance to the fraction of the pixel that is covered, and `over` composites an
// ink with that coverage:
//
//     color = plot::over(color, ink, plot::stroke(plot::segment(p, a, b), width, px));
//
// Colours are linear light (see tarsus::palette): a half-covered pixel gets half the light,
// and supersampling converges to the same value.

// ---------------------------------------------------------------------------
// From distance to coverage

/// Coverage of a pixel by the inside of a shape, 0 to 1. Assumes that the edge is straight
/// within a pixel.
fn fill(d: f32, px: f32) -> f32 {
    // Compilers share the reciprocal among shapes, but not a division.
    return clamp(0.5 - d * (1.0 / px), 0.0, 1.0);
}

/// Coverage of a pixel by a line of `width` along d = 0, 0 to 1: the overlap of two intervals.
/// A line thinner than a pixel fades instead of breaking up.
fn stroke(d: f32, width: f32, px: f32) -> f32 {
    let inverse = 1.0 / px;
    return clamp((0.5 * (width + px) - abs(d)) * inverse, 0.0, min(width * inverse, 1.0));
}

/// Coverage by dashes of `period`, half of it drawn, at the length `along` of a line.
/// Multiply it by the line's `stroke`.
fn dashes(along: f32, period: f32, px: f32) -> f32 {
    let phase = abs(fract(along / period) - 0.5) * period;
    return fill(phase - 0.25 * period, px);
}

/// `ink` composited over `below` with the given coverage; colours in linear light.
fn over(below: vec3f, ink: vec3f, coverage: f32) -> vec3f {
    return mix(below, ink, coverage);
}

// ---------------------------------------------------------------------------
// Lines

/// Parameter of the point of the segment a–b that is nearest to p: 0 at a, 1 at b.
fn along_segment(p: vec2f, a: vec2f, b: vec2f) -> f32 {
    let line = b - a;
    return clamp(dot(p - a, line) * (1.0 / max(dot(line, line), 1e-20)), 0.0, 1.0);
}

/// Unsigned distance to the segment a–b.
fn segment(p: vec2f, a: vec2f, b: vec2f) -> f32 {
    return distance(p, mix(a, b, along_segment(p, a, b)));
}

/// Coverage of a dashed segment a–b.
fn dashed(p: vec2f, a: vec2f, b: vec2f, width: f32, period: f32, px: f32) -> f32 {
    let along = along_segment(p, a, b) * distance(a, b);
    return stroke(segment(p, a, b), width, px) * dashes(along, period, px);
}

/// Unsigned distance to the nearest line of a square grid through the origin.
fn grid(p: vec2f, spacing: f32) -> f32 {
    let from_line = abs(fract(p / spacing + 0.5) - 0.5) * spacing;
    return min(from_line.x, from_line.y);
}

// ---------------------------------------------------------------------------
// Circles

/// Signed distance to a disc; its `stroke` is a circle.
fn disc(p: vec2f, center: vec2f, radius: f32) -> f32 {
    return distance(p, center) - radius;
}

/// Signed distance to the band between two circles around `center`.
fn ring(p: vec2f, center: vec2f, inner: f32, outer: f32) -> f32 {
    let d = distance(p, center);
    return max(inner - d, d - outer);
}

/// Unsigned distance to the arc around `corner` from the direction of a to that of b, the
/// shorter way. Uses the arc's mirror symmetry instead of angles.
fn arc(p: vec2f, corner: vec2f, a: vec2f, b: vec2f, radius: f32) -> f32 {
    let first = direction(a - corner);
    let middle = direction(first + direction(b - corner));
    let q = fold(p - corner, middle);
    let end = fold(first, middle);
    // Inside the arc's sector the circle is nearest, outside it the end point.
    let within = end.x * q.y - end.y * q.x <= 0.0;
    return select(distance(q, end * radius), abs(length(q) - radius), within);
}

/// v in the coordinate system whose x axis is the unit vector `axis`, mirrored to y ≥ 0.
fn fold(v: vec2f, axis: vec2f) -> vec2f {
    return vec2f(dot(v, axis), abs(axis.x * v.y - axis.y * v.x));
}

/// Unit vector along v; +x if v is 0.
fn direction(v: vec2f) -> vec2f {
    return select(vec2f(1.0, 0.0), v * inverseSqrt(max(dot(v, v), 1e-30)), dot(v, v) > 1e-30);
}

// ---------------------------------------------------------------------------
// Limbs and marks

/// Signed distance to a bone: a capsule from a to b whose radius goes from `at_a` to
/// `at_b`. Bound if the taper is gentle.
fn bone(p: vec2f, a: vec2f, b: vec2f, at_a: f32, at_b: f32) -> f32 {
    let along = along_segment(p, a, b);
    return distance(p, mix(a, b, along)) - mix(at_a, at_b, along);
}

/// Signed distance to an arrow from a to b: a line of `width` and a head of length `head`.
fn arrow(p: vec2f, a: vec2f, b: vec2f, width: f32, head: f32) -> f32 {
    let forward = direction(b - a);
    let q = fold(p - b, forward);
    let tip = max(dot(q, vec2f(0.35, 0.937)), -q.x - head);
    return min(segment(p, a, b - forward * head) - 0.5 * width, tip);
}

/// Unsigned distance to a right-angle mark at `corner` between the directions of a and b:
/// two sides of a square with edges of length `side`.
fn right_angle(p: vec2f, corner: vec2f, a: vec2f, b: vec2f, side: f32) -> f32 {
    let first = side * direction(a - corner);
    let second = side * direction(b - corner);
    let far = corner + first + second;
    return min(segment(p, corner + first, far), segment(p, corner + second, far));
}

/// Unsigned distance to a cross of two lines with arms of length `arm`.
fn cross_mark(p: vec2f, center: vec2f, arm: f32) -> f32 {
    let q = abs(p - center);
    return distance(vec2f(max(q.x, q.y), min(q.x, q.y)), vec2f(min(max(q.x, q.y), arm), 0.0));
}
