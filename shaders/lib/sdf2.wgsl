#define_import_path tarsus::sdf2

// Flat shapes with straight edges, and the circle.
//
// Signed distances in the plane, negative inside, in the unit of the argument; y up.
// tarsus::sdf defines "exact" and "bound". Only `segment` has no inside. Shapes with curved
// outlines are in tarsus::sdf2_curves; `plot::fill` and `plot::stroke` draw them. The
// catalogue follows Inigo Quilez (https://iquilezles.org/articles/distfunctions2d/).

// ---------------------------------------------------------------------------
// Helpers

/// Vector to p from the nearest point of the segment a–b.
fn from_segment(p: vec2f, a: vec2f, b: vec2f) -> vec2f {
    let ab = b - a;
    return p - a - ab * clamp(dot(p - a, ab) / max(dot(ab, ab), 1e-20), 0.0, 1.0);
}

/// z of the cross product: positive if b is to the left of a.
fn cross2(a: vec2f, b: vec2f) -> f32 {
    return a.x * b.y - a.y * b.x;
}

/// p, mirrored to the side of the line through the origin to which the unit vector n
/// points.
fn mirrored_to(p: vec2f, n: vec2f) -> vec2f {
    return p - 2.0 * min(dot(p, n), 0.0) * n;
}

/// `size` with the sign of `side`.
fn with_sign(size: f32, side: f32) -> f32 {
    return select(size, -size, side < 0.0);
}

/// Signed distance to the horizontal edge at height `apothem` that ends at x =
/// ±`half_edge`; positive above.
fn edge_above(q: vec2f, apothem: f32, half_edge: f32) -> f32 {
    let above = q.y - apothem;
    return with_sign(length(vec2f(max(abs(q.x) - half_edge, 0.0), above)), above);
}

/// Signed distance to the edge from the tip (0, `outer`) to `notch`, which is clockwise of
/// it; positive outside.
fn edge_of_star(q: vec2f, outer: f32, notch: vec2f) -> f32 {
    let tip = vec2f(0.0, outer);
    return with_sign(length(from_segment(q, tip, notch)), cross2(notch - tip, q - tip));
}

// ---------------------------------------------------------------------------
// Circle, line and boxes

/// Disc of radius `radius` around the origin. Exact.
fn circle(p: vec2f, radius: f32) -> f32 {
    return length(p) - radius;
}

/// Segment a–b, not signed: subtract half a width for a line with round ends. Exact.
fn segment(p: vec2f, a: vec2f, b: vec2f) -> f32 {
    return length(from_segment(p, a, b));
}

/// Rectangle with half edges `half_size`. Exact.
fn box(p: vec2f, half_size: vec2f) -> f32 {
    let q = abs(p) - half_size;
    return length(max(q, vec2f(0.0))) + min(max(q.x, q.y), 0.0);
}

/// Rectangle with half edges `half_size` and rounded corners. `radii` are those of the
/// corners, counterclockwise from the upper right one, each at most the smaller half edge.
/// Exact.
fn rounded_box(p: vec2f, half_size: vec2f, radii: vec4f) -> f32 {
    let upper = select(radii.y, radii.x, p.x > 0.0);
    let lower = select(radii.z, radii.w, p.x > 0.0);
    let radius = select(lower, upper, p.y > 0.0);
    return box(p, half_size - radius) - radius;
}

/// Rectangle with half edges `half_size` and corners cut off at 45°, by `chamfer` (at most
/// the smaller half edge) along each edge. Exact.
fn chamfer_box(p: vec2f, half_size: vec2f, chamfer: f32) -> f32 {
    let from_corner = abs(p) - half_size;
    // Both edges at a corner are alike: x belongs to the nearer one.
    let q = vec2f(max(from_corner.x, from_corner.y), min(from_corner.x, from_corner.y));
    let cut = (q.x + q.y + chamfer) * 0.70710678;
    if q.x <= 0.0 && cut <= 0.0 {
        return max(q.x, cut);
    }
    if q.y <= -chamfer {
        return q.x;
    }
    let end = vec2f(0.0, -chamfer);
    return select(cut, length(q - end), dot(q - end, vec2f(-1.0, 1.0)) < 0.0);
}

/// Rectangle with the axis a–b and the width `width` across it. Exact.
fn oriented_box(p: vec2f, a: vec2f, b: vec2f, width: f32) -> f32 {
    let size = max(distance(a, b), 1e-10);
    let along = (b - a) / size;
    let q = p - 0.5 * (a + b);
    return box(vec2f(dot(q, along), cross2(along, q)), 0.5 * vec2f(size, width));
}

// ---------------------------------------------------------------------------
// Quadrilaterals and triangles

/// Rhombus with corners at (±`half_diagonals.x`, 0) and (0, ±`half_diagonals.y`). Exact.
fn rhombus(p: vec2f, half_diagonals: vec2f) -> f32 {
    let q = abs(p);
    let right = vec2f(half_diagonals.x, 0.0);
    let upper = vec2f(0.0, half_diagonals.y);
    return with_sign(length(from_segment(q, right, upper)), cross2(q - right, upper - right));
}

/// Isosceles trapezoid from y = -`half_height`, where it is 2·`bottom` wide, to y =
/// `half_height`, where it is 2·`top` wide. Exact.
fn trapezoid(p: vec2f, bottom: f32, top: f32, half_height: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let half_width = select(top, bottom, q.y < 0.0);
    let from_cap = vec2f(max(q.x - half_width, 0.0), abs(q.y) - half_height);
    let low = vec2f(bottom, -half_height);
    let high = vec2f(top, half_height);
    let from_side = from_segment(q, low, high);
    let outside = max(from_cap.y, cross2(q - low, high - low));
    return with_sign(sqrt(min(dot(from_cap, from_cap), dot(from_side, from_side))), outside);
}

/// Parallelogram with horizontal edges of length 2·`half_width` at y = ±`half_height`;
/// `skew` shifts the upper edge to the right and the lower edge to the left. Exact.
fn parallelogram(p: vec2f, half_width: f32, half_height: f32, skew: f32) -> f32 {
    // Symmetric about its centre, so p is rotated into the upper half.
    let q = select(p, -p, p.y < 0.0);
    let upper = vec2f(skew, half_height);
    let edge = vec2f(half_width, 0.0);
    let from_top = vec2f(q.x - clamp(q.x, skew - half_width, skew + half_width), q.y - half_height);
    let from_right = from_segment(q, edge - upper, edge + upper);
    let from_left = from_segment(q, -edge - upper, upper - edge);
    let squared = min(dot(from_top, from_top),
        min(dot(from_right, from_right), dot(from_left, from_left)));
    let across = abs(q.x * half_height - q.y * skew) - half_width * half_height;
    return with_sign(sqrt(squared), max(from_top.y, across));
}

/// Equilateral triangle around the origin with a corner at the top; `apothem` is the radius
/// of the inscribed circle, half that of the circumscribed one. Exact.
fn equilateral_triangle(p: vec2f, apothem: f32) -> f32 {
    let q = mirrored_to(vec2f(abs(p.x), -p.y), vec2f(-0.5, 0.8660254));
    return edge_above(q, apothem, 1.7320508 * apothem);
}

/// Isosceles triangle with the base on the x axis, `half_base` to both sides of the origin,
/// and the apex at (0, `height`). Exact.
fn isosceles_triangle(p: vec2f, half_base: f32, height: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let corner = vec2f(half_base, 0.0);
    let apex = vec2f(0.0, height);
    let from_side = from_segment(q, corner, apex);
    let from_base = vec2f(max(q.x - half_base, 0.0), q.y);
    let outside = max(-q.y, cross2(q - corner, apex - corner));
    return with_sign(sqrt(min(dot(from_side, from_side), dot(from_base, from_base))), outside);
}

/// Triangle with the corners a, b and c, in any order. Exact.
fn triangle(p: vec2f, a: vec2f, b: vec2f, c: vec2f) -> f32 {
    var outline = add_edge(no_edges(), p, a, b);
    outline = add_edge(outline, p, b, c);
    return outline_distance(add_edge(outline, p, c, a));
}

// ---------------------------------------------------------------------------
// Polygons, edge by edge

// The last edge closes the polygon; edges may cross. The corners may come from any source:
//
//     var outline = sdf2::no_edges();
//     for (var i = 0u; i < 5u; i++) {
//         outline = sdf2::add_edge(outline, p, corners[i], corners[(i + 1u) % 5u]);
//     }
//     let d = sdf2::outline_distance(outline);

/// State of a polygon's edges so far, relative to one point.
struct Outline {
    /// Squared distance to the nearest edge.
    squared: f32,
    /// True if a ray from the point toward +x crosses an odd number of edges.
    inside: bool,
}

/// Outline without edges.
fn no_edges() -> Outline {
    return Outline(1e30, false);
}

/// Adds the edge from a to b to an outline.
fn add_edge(outline: Outline, p: vec2f, a: vec2f, b: vec2f) -> Outline {
    let away = from_segment(p, a, b);
    let crosses = (a.y > p.y) != (b.y > p.y)
        && (cross2(b - a, p - a) > 0.0) == (b.y > a.y);
    return Outline(min(outline.squared, dot(away, away)), outline.inside != crosses);
}

/// Polygon with the edges of `outline`. Exact.
fn outline_distance(outline: Outline) -> f32 {
    return select(1.0, -1.0, outline.inside) * sqrt(outline.squared);
}

// ---------------------------------------------------------------------------
// Regular polygons and stars, around the origin

// Polygons have an edge at the bottom, and stars a tip at the top. Mirroring folds the
// plane onto one edge.

/// Regular polygon with `sides` ≥ 3; `apothem` is the radius of the inscribed circle. Exact.
fn regular_polygon(p: vec2f, sides: u32, apothem: f32) -> f32 {
    let half_sector = 3.14159265 / f32(sides);
    let angle = abs(atan2(p.x, -p.y)) + half_sector;
    let from_middle = angle - 2.0 * half_sector * floor(angle / (2.0 * half_sector)) - half_sector;
    let q = length(p) * vec2f(sin(from_middle), cos(from_middle));
    return edge_above(q, apothem, apothem * tan(half_sector));
}

/// Regular pentagon; `apothem` is the radius of the inscribed circle. Exact.
fn pentagon(p: vec2f, apothem: f32) -> f32 {
    // Mirrors at three fifths and one fifth of a half turn from the middle of the edge.
    let q = mirrored_to(vec2f(abs(p.x), -p.y), vec2f(0.30901699, 0.95105652));
    return edge_above(mirrored_to(q, vec2f(-0.80901699, 0.58778525)), apothem, 0.72654253 * apothem);
}

/// Regular hexagon; `apothem` is the radius of the inscribed circle. Exact.
fn hexagon(p: vec2f, apothem: f32) -> f32 {
    let q = mirrored_to(abs(p), vec2f(-0.8660254, 0.5));
    return edge_above(q, apothem, 0.57735027 * apothem);
}

/// Regular octagon; `apothem` is the radius of the inscribed circle. Exact.
fn octagon(p: vec2f, apothem: f32) -> f32 {
    let q = vec2f(min(abs(p.x), abs(p.y)), max(abs(p.x), abs(p.y)));
    let folded = mirrored_to(q, vec2f(-0.92387953, 0.38268343));
    return edge_above(folded, apothem, 0.41421356 * apothem);
}

/// Star with `tips` ≥ 2 at the distance `outer` and notches at the distance `inner` ≤
/// `outer`. Exact.
fn star(p: vec2f, tips: u32, outer: f32, inner: f32) -> f32 {
    let half_sector = 3.14159265 / f32(tips);
    let angle = abs(atan2(p.x, p.y)) + half_sector;
    let from_tip = abs(angle - 2.0 * half_sector * floor(angle / (2.0 * half_sector)) - half_sector);
    let q = length(p) * vec2f(sin(from_tip), cos(from_tip));
    return edge_of_star(q, outer, inner * vec2f(sin(half_sector), cos(half_sector)));
}

/// Pentagram: a star of five tips with collinear edges; `radius` is that of the tips.
/// Exact.
fn pentagram(p: vec2f, radius: f32) -> f32 {
    let q = mirrored_to(vec2f(abs(p.x), p.y), vec2f(0.30901699, 0.95105652));
    let folded = mirrored_to(q, vec2f(-0.80901699, 0.58778525));
    let notch = 0.38196601 * radius * vec2f(0.58778525, 0.80901699);
    return edge_of_star(vec2f(abs(folded.x), folded.y), radius, notch);
}

/// Hexagram: a star of two equilateral triangles; `radius` is that of the tips. Exact.
fn hexagram(p: vec2f, radius: f32) -> f32 {
    let q = mirrored_to(abs(p), vec2f(-0.8660254, 0.5));
    return edge_of_star(vec2f(abs(q.x), q.y), radius, radius * vec2f(0.28867513, 0.5));
}

// ---------------------------------------------------------------------------
// Cross and stairs

/// Cross of two bars with arms of length `arm` from the centre and half width `half_width`
/// ≤ `arm`. Exact.
fn cross_bars(p: vec2f, arm: f32, half_width: f32) -> f32 {
    let q = vec2f(max(abs(p.x), abs(p.y)), min(abs(p.x), abs(p.y)));
    let from_corner = q - vec2f(arm, half_width);
    let outside = length(max(from_corner, vec2f(0.0)));
    // Points before the bar's edge are nearest to the notch between two arms.
    let to_edge = length(vec2f(min(q.x - half_width, 0.0), from_corner.y));
    return outside - select(0.0, min(-from_corner.x, to_edge), max(from_corner.x, from_corner.y) < 0.0);
}

/// Solid flight of `count` ≥ 1 stairs that rises to the right from the origin; each stair
/// is `stair.x` deep and `stair.y` high. Exact.
fn stairs(p: vec2f, stair: vec2f, count: u32) -> f32 {
    let size = stair * f32(count);
    let from_floor = vec2f(p.x - clamp(p.x, 0.0, size.x), p.y);
    let from_wall = vec2f(p.x - size.x, p.y - clamp(p.y, 0.0, size.y));
    var squared = min(dot(from_floor, from_floor), dot(from_wall, from_wall));
    // The nearest stair is the one next to p along the slope, or one of its neighbours.
    let beside = floor(dot(p, stair) / dot(stair, stair));
    for (var i = -1.0; i <= 1.0; i += 1.0) {
        let foot = stair * clamp(beside + i, 0.0, f32(count) - 1.0);
        let q = p - foot;
        let from_riser = vec2f(q.x, q.y - clamp(q.y, 0.0, stair.y));
        let from_tread = vec2f(q.x - clamp(q.x, 0.0, stair.x), q.y - stair.y);
        squared = min(squared, min(dot(from_riser, from_riser), dot(from_tread, from_tread)));
    }
    let tread = stair.y * (floor(p.x / stair.x) + 1.0);
    let inside = p.x > 0.0 && p.x < size.x && p.y > 0.0 && p.y < tread;
    return select(1.0, -1.0, inside) * sqrt(squared);
}
