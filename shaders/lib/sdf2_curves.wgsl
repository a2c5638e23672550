#define_import_path tarsus::sdf2_curves

#import tarsus::sdf2::{cross2, with_sign}

// Flat shapes with curved outlines: circular arcs first, then conics.
//
// Signed distances in the plane, negative inside, in the unit of the argument; y up; angles
// in radians. tarsus::sdf defines "exact" and "bound". Symmetric shapes are symmetric about
// the y axis. `from_arc`, `quadratic_bezier` and `circle_wave` are curves without an
// inside: subtract half a width for a line. The catalogue follows Inigo Quilez
// (https://iquilezles.org/articles/distfunctions2d/).

// ---------------------------------------------------------------------------
// Parts of one circle

/// Sector of a disc of radius `radius` around the origin, `half_angle` to both sides of +y;
/// 0 < `half_angle` ≤ π. Exact.
fn pie(p: vec2f, radius: f32, half_angle: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let edge = vec2f(sin(half_angle), cos(half_angle));
    let to_edge = length(q - edge * clamp(dot(q, edge), 0.0, radius));
    return max(length(q) - radius, with_sign(to_edge, cross2(q, edge)));
}

/// Part of a disc of radius `radius` around the origin above y = `height`; |`height`| <
/// `radius`. Exact.
fn cut_disk(p: vec2f, radius: f32, height: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let corner = vec2f(sqrt(max(radius * radius - height * height, 0.0)), height);
    if q.x <= corner.x {
        return max(length(q) - radius, height - q.y);
    }
    return select(length(q - corner), length(q) - radius, cross2(corner, q) >= 0.0);
}

/// Distance to the arc of a circle of radius `radius` around the origin, `half_angle` (up
/// to π) to both sides of +y; not signed. Exact.
fn from_arc(p: vec2f, radius: f32, half_angle: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let end = vec2f(sin(half_angle), cos(half_angle));
    return select(length(q - radius * end), abs(length(q) - radius), cross2(q, end) <= 0.0);
}

/// Band with round ends along an arc of radius `radius` around the origin, `half_angle` (up
/// to π) to both sides of +y; `thickness` is half its width. Exact while the ends do not
/// meet.
fn arc(p: vec2f, radius: f32, half_angle: f32, thickness: f32) -> f32 {
    return from_arc(p, radius, half_angle) - thickness;
}

/// Band with straight ends along an arc; arguments as in `arc`. Exact.
fn ring(p: vec2f, radius: f32, half_angle: f32, thickness: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let end = vec2f(sin(half_angle), cos(half_angle));
    let beyond = cross2(q, end);
    let aside = max(abs(dot(q, end) - radius) - thickness, 0.0);
    let to_end = with_sign(length(vec2f(beyond, aside)), beyond);
    return max(abs(length(q) - radius) - thickness, to_end);
}

/// Band along an arc, as `ring`, extended straight at both ends by the length `legs` ≥
/// `thickness`. Exact while the legs do not meet.
fn horseshoe(p: vec2f, radius: f32, half_angle: f32, legs: f32, thickness: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let end = vec2f(sin(half_angle), cos(half_angle));
    let along = cross2(q, end);
    if along <= 0.0 {
        return abs(length(q) - radius) - thickness;
    }
    let outside = vec2f(along - legs, abs(dot(q, end) - radius) - thickness);
    return length(max(outside, vec2f(0.0))) + min(max(outside.x, outside.y), 0.0);
}

// ---------------------------------------------------------------------------
// Shapes of several arcs

/// Intersection of two discs of radius `radius` around (±`offset`, 0): a lens with its tips on
/// the y axis; 0 ≤ `offset` < `radius`. Exact.
fn vesica(p: vec2f, radius: f32, offset: f32) -> f32 {
    let q = abs(p);
    let tip = sqrt(max(radius * radius - offset * offset, 0.0));
    let from_tip = q - vec2f(0.0, tip);
    let beyond = cross2(vec2f(offset, tip), from_tip) > 0.0;
    return select(length(q + vec2f(offset, 0.0)) - radius, length(from_tip), beyond);
}

/// `vesica` with its tips at a and b and the width 2·`half_width`; 0 < `half_width` ≤ half
/// the distance between the tips. Exact.
fn vesica_segment(p: vec2f, a: vec2f, b: vec2f, half_width: f32) -> f32 {
    let half = max(0.5 * distance(a, b), 1e-10);
    let along = 0.5 * (b - a) / half;
    let q = p - 0.5 * (a + b);
    let offset = 0.5 * (half * half - half_width * half_width) / half_width;
    return vesica(vec2f(cross2(q, along), dot(q, along)), offset + half_width, offset);
}

/// Disc of radius `radius` around the origin minus a disc of radius `bite` around
/// (`offset`, 0); `offset` > 0. Exact.
fn moon(p: vec2f, radius: f32, bite: f32, offset: f32) -> f32 {
    let q = vec2f(p.x, abs(p.y));
    let tip_x = 0.5 * (radius * radius - bite * bite + offset * offset) / max(offset, 1e-10);
    let tip = vec2f(tip_x, sqrt(max(radius * radius - tip_x * tip_x, 0.0)));
    let centre = vec2f(offset, 0.0);
    // q is beside neither circle's part of the outline, so the tip is nearest.
    if cross2(tip, q) < 0.0 && cross2(tip - centre, q - centre) < 0.0 {
        return length(q - tip);
    }
    return max(length(q) - radius, bite - length(q - centre));
}

/// Cross with tips at (±`tips.x`, 0) and (0, ±`tips.y`), joined by concave arcs that are
/// tangent to the x axis; `tips.y` ≤ `tips.x`. Subtract a radius for round arms. Exact.
fn rounded_cross(p: vec2f, tips: vec2f) -> f32 {
    let q = abs(p);
    let right = vec2f(tips.x, 0.0);
    let upper = vec2f(0.0, tips.y);
    let radius = 0.5 * dot(tips, tips) / tips.y;
    let from_centre = q - vec2f(tips.x, radius);
    let chord_end = vec2f(-tips.x, tips.y - radius);
    if from_centre.x < 0.0 && cross2(from_centre, chord_end) < 0.0 {
        return radius - length(from_centre);
    }
    return min(length(q - right), length(q - upper));
}

/// X of two bars with round ends at (±`reach`, ±`reach`); `radius` ≤ √2·`reach` is half
/// their width. Exact.
fn rounded_x(p: vec2f, reach: f32, radius: f32) -> f32 {
    let q = abs(p);
    // Along and across the nearest bar.
    let along = 0.70710678 * (q.x + q.y);
    let across = 0.70710678 * abs(q.x - q.y);
    let beyond = max(along - 1.41421356 * reach, 0.0);
    // Points before the notch between two bars are nearest to the notch.
    let before = vec2f(min(along - radius, 0.0), across - radius);
    return select(length(vec2f(beyond, across)) - radius, -length(before), before.x < 0.0);
}

/// Egg: half a disc of radius `bottom` below the x axis; above it, arcs of radius
/// 2·`bottom` - `top` and a cap of radius `top` < `bottom`. Exact.
fn egg(p: vec2f, bottom: f32, top: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let offset = bottom - top;
    if q.y < 0.0 {
        return length(q) - bottom;
    }
    let cap = vec2f(0.0, 1.7320508 * offset);
    let from_side = q + vec2f(offset, 0.0);
    return select(length(from_side) - offset - bottom, length(q - cap) - top,
        from_side.y > 1.7320508 * from_side.x);
}

/// Heart: a square standing on its corner at the origin, with half a disc on each upper
/// edge; `height` is that of the notch between them. Exact.
fn heart(p: vec2f, height: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    if q.x + q.y > height {
        return length(q - height * vec2f(0.25, 0.75)) - 0.35355339 * height;
    }
    let from_edge = q - 0.5 * max(q.x + q.y, 0.0);
    let from_notch = q - vec2f(0.0, height);
    return with_sign(
        sqrt(min(dot(from_edge, from_edge), dot(from_notch, from_notch))), q.x - q.y);
}

/// Convex hull of a disc of radius `lower` around the origin and one of radius `upper` around
/// (0, `height`). Exact.
fn uneven_capsule(p: vec2f, lower: f32, upper: f32, height: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let to_lower = length(q) - lower;
    let to_upper = length(q - vec2f(0.0, height)) - upper;
    if height <= abs(lower - upper) {
        return min(to_lower, to_upper);
    }
    let sine = (lower - upper) / height;
    let normal = vec2f(sqrt(1.0 - sine * sine), sine);
    let along = cross2(normal, q);
    if along < 0.0 {
        return to_lower;
    }
    return select(dot(normal, q) - lower, to_upper, along > normal.x * height);
}

/// Arch: a rectangle of width 2·`half_width` from y = -`wall` to 0, under half a disc.
/// Exact.
fn tunnel(p: vec2f, half_width: f32, wall: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let above_floor = -wall - q.y;
    if q.y >= 0.0 {
        return max(length(q) - half_width, above_floor);
    }
    let outside = vec2f(q.x - half_width, above_floor);
    return length(max(outside, vec2f(0.0))) + min(max(outside.x, outside.y), 0.0);
}

/// Wave of arcs of circles of radius `radius` along the x axis, alternately up and down,
/// with a crest at x = 0; each arc extends `half_angle` (below π) to both sides. Not
/// signed. Exact while the wave does not meet itself.
fn circle_wave(p: vec2f, radius: f32, half_angle: f32) -> f32 {
    let half_length = radius * sin(half_angle);
    let sagitta_middle = radius * cos(half_angle);
    var nearest = 1e30;
    // The arc next to p, and its neighbours.
    let beside = round(0.5 * p.x / half_length);
    for (var i = -1.0; i <= 1.0; i += 1.0) {
        let number = beside + i;
        let is_down = abs(number - 2.0 * round(0.5 * number)) > 0.5;
        let q = vec2f(p.x - 2.0 * half_length * number, select(p.y, -p.y, is_down));
        nearest = min(nearest, from_arc(q + vec2f(0.0, sagitta_middle), radius, half_angle));
    }
    return nearest;
}

// ---------------------------------------------------------------------------
// Conics

/// Ellipse with half axes `radii` > 0, by ten iterations that converge from one side. Exact
/// to 1e-4 of the larger half axis if the other is at least a tenth of it.
fn ellipse(p: vec2f, radii: vec2f) -> f32 {
    let squares = radii * radii;
    let least = min(squares.x, squares.y);
    // The nearest point is squares · q / (squares + t), where t is the root of |radii · q /
    // (squares + t)| = 1 that is above -least. The unknown is s = t + least, which keeps
    // its digits near 0. q is kept away from the axes, where the root may be at the pole.
    let q = max(abs(p), 1e-6 * radii);
    let above = squares - least;
    var s = max(radii.x * q.x - above.x, radii.y * q.y - above.y);
    for (var i = 0; i < 10; i++) {
        let v = radii * q / (s + above);
        let squared = dot(v, v);
        s += squared * (sqrt(squared) - 1.0) / dot(v * v, 1.0 / (s + above));
    }
    let nearest = squares * q / (s + above);
    let outside = dot(q / radii, q / radii) - 1.0;
    return with_sign(length(nearest - abs(p)), outside);
}

/// Largest non-negative root of c·x³ + b·x = a, for c > 0 and a ≥ 0.
fn cubic_root(c: f32, b: f32, a: f32) -> f32 {
    // Starts above the root, where the cubic is convex: Newton's iterations converge from
    // above.
    var x = sqrt(max(-b, 0.0) / c) + pow(max(a, 1e-30) / c, 1.0 / 3.0);
    for (var i = 0; i < 6; i++) {
        let slope = 3.0 * c * x * x + b;
        x -= max((c * x * x + b) * x - a, 0.0) / max(slope, 1e-20);
    }
    return x;
}

/// Region above the parabola y = `bend`·x², `bend` > 0. Exact.
fn parabola(p: vec2f, bend: f32) -> f32 {
    let q = vec2f(abs(p.x), p.y);
    let x = cubic_root(2.0 * bend * bend, 1.0 - 2.0 * bend * q.y, q.x);
    return with_sign(length(q - vec2f(x, bend * x * x)), bend * q.x * q.x - q.y);
}

/// Region between the x axis and a parabola with its vertex at (0, `height`) that meets the
/// axis at x = ±`half_width`. Exact.
fn parabola_segment(p: vec2f, half_width: f32, height: f32) -> f32 {
    let bend = height / (half_width * half_width);
    let q = vec2f(abs(p.x), height - p.y);
    let x = min(cubic_root(2.0 * bend * bend, 1.0 - 2.0 * bend * q.y, q.x), half_width);
    let from_curve = q - vec2f(x, bend * x * x);
    let from_base = vec2f(max(q.x - half_width, 0.0), p.y);
    let outside = max(-p.y, bend * q.x * q.x - q.y);
    return with_sign(
        sqrt(min(dot(from_curve, from_curve), dot(from_base, from_base))), outside);
}

/// Parameters, 0 to 1, of the two points of the quadratic curve a + 2·t·`rise` + t²·`bend`
/// that may be nearest to a point: one on each side of the sharpest bend, ends included.
/// `start` = a - point. Also works in space.
fn nearest_on_bezier(start: vec3f, rise: vec3f, bend: vec3f) -> vec2f {
    // Derivative of the squared distance, divided by 4: a cubic in t. It is concave up to
    // the bend and convex beyond it, so Newton's iterations from the outer ends converge to
    // its roots.
    let cubic = vec4f(dot(start, rise), 2.0 * dot(rise, rise) + dot(start, bend),
        3.0 * dot(rise, bend), dot(bend, bend));
    let vertex = clamp(-cubic.z / max(3.0 * cubic.w, 1e-20), 0.0, 1.0);
    var t = vec2f(0.0, 1.0);
    for (var i = 0; i < 10; i++) {
        let value = cubic.x + t * (cubic.y + t * (cubic.z + t * cubic.w));
        let slope = cubic.y + t * (2.0 * cubic.z + t * 3.0 * cubic.w);
        let inward = clamp(value * vec2f(-1.0, 1.0) / max(slope, vec2f(1e-20)), vec2f(0.0), vec2f(1.0));
        t += inward * vec2f(1.0, -1.0);
        t = vec2f(min(t.x, vertex), max(t.y, vertex));
    }
    return t;
}

/// Quadratic Bézier curve with the control points a, b and c; not signed. Exact.
fn quadratic_bezier(p: vec2f, a: vec2f, b: vec2f, c: vec2f) -> f32 {
    let start = a - p;
    let rise = b - a;
    let bend = a - 2.0 * b + c;
    let t = nearest_on_bezier(vec3f(start, 0.0), vec3f(rise, 0.0), vec3f(bend, 0.0));
    return min(length(start + t.x * (2.0 * rise + t.x * bend)),
        length(start + t.y * (2.0 * rise + t.y * bend)));
}

/// Regions beyond the branches of the hyperbola y² - x² = `vertex`², `vertex` > 0: above
/// the upper and below the lower one. Exact.
fn hyperbola(p: vec2f, vertex: f32) -> f32 {
    let q = abs(p);
    // At the nearest point, 2·x - q.y·x / y = q.x. The left side is convex in x, so
    // Newton's iterations from above converge to the root.
    var x = 0.5 * (q.x + q.y);
    for (var i = 0; i < 8; i++) {
        let y = sqrt(vertex * vertex + x * x);
        let value = 2.0 * x - q.y * x / y - q.x;
        let slope = 2.0 - q.y * vertex * vertex / (y * y * y);
        x -= max(value, 0.0) / max(slope, 1e-20);
    }
    let nearest = vec2f(x, sqrt(vertex * vertex + x * x));
    return with_sign(length(q - nearest), vertex * vertex + q.x * q.x - q.y * q.y);
}
