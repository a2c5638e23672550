#define_import_path tarsus::sdf3_round

#import tarsus::sdf2
#import tarsus::sdf2_curves
#import tarsus::sdf_ops

// Round solids: solids of revolution about the y axis, from flat profiles, and tubes.
//
// Signed distances, negative inside, in the unit of the argument; y up; angles in radians.
// tarsus::sdf defines "exact" and "bound", and has sphere, capsule and torus. Solids whose
// names end in `_between` have their axis from a to b. The catalogue follows Inigo Quilez
// (https://iquilezles.org/articles/distfunctions/).

/// Distance from the y axis, and height.
fn profile(p: vec3f) -> vec2f {
    return vec2f(length(p.xz), p.y);
}

/// Distance from the line a–b, and height along it above the middle of a and b.
fn profile_between(p: vec3f, a: vec3f, b: vec3f) -> vec2f {
    let axis = (b - a) / max(distance(a, b), 1e-10);
    let q = p - 0.5 * (a + b);
    return vec2f(length(cross(axis, q)), dot(q, axis));
}

// ---------------------------------------------------------------------------
// Cylinders and cones

/// Infinite cylinder around the y axis. Exact.
fn infinite_cylinder(p: vec3f, radius: f32) -> f32 {
    return length(p.xz) - radius;
}

/// Cylinder around the y axis from y = -`half_height` to `half_height`. Exact.
fn cylinder(p: vec3f, radius: f32, half_height: f32) -> f32 {
    return sdf2::box(profile(p), vec2f(radius, half_height));
}

/// Cylinder of radius `radius` with flat ends at a and b. Exact.
fn cylinder_between(p: vec3f, a: vec3f, b: vec3f, radius: f32) -> f32 {
    return sdf2::box(profile_between(p, a, b), vec2f(radius, 0.5 * distance(a, b)));
}

/// `cylinder` with its edges rounded by `edge_radius`, at most the smaller of `radius` and
/// `half_height`. Exact.
fn rounded_cylinder(p: vec3f, radius: f32, half_height: f32, edge_radius: f32) -> f32 {
    return sdf2::box(profile(p), vec2f(radius, half_height) - edge_radius) - edge_radius;
}

/// Infinite cone that opens downward from the origin, `half_angle` from the y axis; 0 <
/// `half_angle` < π/2. Exact.
fn infinite_cone(p: vec3f, half_angle: f32) -> f32 {
    let q = profile(p);
    let side = vec2f(sin(half_angle), -cos(half_angle));
    let away = q - side * max(dot(q, side), 0.0);
    return sdf2::with_sign(length(away), sdf2::cross2(side, q));
}

/// Cone with its base of radius `radius` in the plane y = 0 and its apex at (0, `height`, 0).
/// Exact.
fn cone(p: vec3f, radius: f32, height: f32) -> f32 {
    return sdf2::isosceles_triangle(profile(p), radius, height);
}

/// Truncated cone from y = -`half_height`, where its radius is `bottom`, to y =
/// `half_height`, where its radius is `top`. Exact.
fn capped_cone(p: vec3f, bottom: f32, top: f32, half_height: f32) -> f32 {
    return sdf2::trapezoid(profile(p), bottom, top, half_height);
}

/// Truncated cone with flat ends at a, where its radius is `radius_a`, and b, where its
/// radius is `radius_b`. Exact.
fn capped_cone_between(p: vec3f, a: vec3f, b: vec3f, radius_a: f32, radius_b: f32) -> f32 {
    return sdf2::trapezoid(profile_between(p, a, b), radius_a, radius_b, 0.5 * distance(a, b));
}

/// Convex hull of a ball of radius `lower` around the origin and one of radius `upper` around
/// (0, `height`, 0). Exact.
fn round_cone(p: vec3f, lower: f32, upper: f32, height: f32) -> f32 {
    return sdf2_curves::uneven_capsule(profile(p), lower, upper, height);
}

/// Convex hull of a ball of radius `radius_a` around a and one of radius `radius_b` around
/// b: a tapered capsule. Exact.
fn round_cone_between(p: vec3f, a: vec3f, b: vec3f, radius_a: f32, radius_b: f32) -> f32 {
    let size = distance(a, b);
    let q = profile_between(p, a, b) + vec2f(0.0, 0.5 * size);
    return sdf2_curves::uneven_capsule(q, radius_a, radius_b, size);
}

// ---------------------------------------------------------------------------
// Parts of balls

/// Part of a ball of radius `radius` around the origin inside the cone of `half_angle`
/// about +y; 0 < `half_angle` ≤ π. Exact.
fn solid_angle(p: vec3f, radius: f32, half_angle: f32) -> f32 {
    return sdf2_curves::pie(profile(p), radius, half_angle);
}

/// Part of a ball of radius `radius` around the origin above y = `height`; |`height`| <
/// `radius`. Exact.
fn cut_sphere(p: vec3f, radius: f32, height: f32) -> f32 {
    return sdf2_curves::cut_disk(profile(p), radius, height);
}

/// Shell of a ball of radius `radius` around the origin, cut open above y = `height`
/// (|`height`| < `radius`), with a round rim; `thickness` is half that of the wall. Exact.
fn hollow_cut_sphere(p: vec3f, radius: f32, height: f32, thickness: f32) -> f32 {
    let q = profile(p);
    let rim = vec2f(sqrt(max(radius * radius - height * height, 0.0)), height);
    let on_shell = abs(length(q) - radius);
    return select(on_shell, length(q - rim), sdf2::cross2(rim, q) > 0.0) - thickness;
}

/// Ball of radius `radius` around the origin minus a ball of radius `bite` around (0,
/// `offset`, 0); `offset` > 0. Exact.
fn death_star(p: vec3f, radius: f32, bite: f32, offset: f32) -> f32 {
    return sdf2_curves::moon(profile(p).yx, radius, bite, offset);
}

/// `sdf2_curves::vesica_segment` revolved about its axis: a spindle with its tips at a and
/// b and the thickness 2·`half_width`. Exact.
fn vesica_between(p: vec3f, a: vec3f, b: vec3f, half_width: f32) -> f32 {
    let half = 0.5 * distance(a, b);
    let offset = 0.5 * (half * half - half_width * half_width) / half_width;
    return sdf2_curves::vesica(profile_between(p, a, b), offset + half_width, offset);
}

/// Ellipsoid with half axes `radii` > 0, by ten iterations as in `sdf2_curves::ellipse`.
/// Exact to 1e-4 of the largest half axis if the others are at least a tenth of it.
fn ellipsoid(p: vec3f, radii: vec3f) -> f32 {
    let squares = radii * radii;
    let least = min(squares.x, min(squares.y, squares.z));
    let q = max(abs(p), 1e-6 * radii);
    let above = squares - least;
    let start = radii * q - above;
    var s = max(start.x, max(start.y, start.z));
    for (var i = 0; i < 10; i++) {
        let v = radii * q / (s + above);
        let squared = dot(v, v);
        s += squared * (sqrt(squared) - 1.0) / dot(v * v, 1.0 / (s + above));
    }
    let nearest = squares * q / (s + above);
    return sdf2::with_sign(length(nearest - abs(p)), dot(q / radii, q / radii) - 1.0);
}

// ---------------------------------------------------------------------------
// Rings and tubes

/// Arc of a torus in the plane z = 0 around the origin, `half_angle` (up to π) to both
/// sides of +y, with round ends; `major` is the radius of the circle, `minor` that of the
/// tube. Exact while the ends do not meet.
fn capped_torus(p: vec3f, major: f32, minor: f32, half_angle: f32) -> f32 {
    return length(vec2f(sdf2_curves::from_arc(p.xy, major, half_angle), p.z)) - minor;
}

/// Link of a chain in the plane z = 0: a torus pulled apart by 2·`half_length` along y;
/// `major` is the radius of its halves, `minor` that of the wire. Exact.
fn link(p: vec3f, half_length: f32, major: f32, minor: f32) -> f32 {
    let q = vec2f(p.x, max(abs(p.y) - half_length, 0.0));
    return length(vec2f(length(q) - major, p.z)) - minor;
}

/// Tube of radius `radius` along the quadratic Bézier curve with the control points a, b
/// and c. Exact while the tube does not intersect itself.
fn bezier_tube(p: vec3f, a: vec3f, b: vec3f, c: vec3f, radius: f32) -> f32 {
    let start = a - p;
    let rise = b - a;
    let bend = a - 2.0 * b + c;
    let t = sdf2_curves::nearest_on_bezier(start, rise, bend);
    return min(length(start + t.x * (2.0 * rise + t.x * bend)),
        length(start + t.y * (2.0 * rise + t.y * bend))) - radius;
}
