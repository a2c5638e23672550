#define_import_path tarsus::sdf_ops

// What changes a shape: of its distance, or of the space that it stands in.
//
// Functions that take a distance give the new shape's. Those that take a point give the point
// at which the shape is to be evaluated: `sdf::box(sdf_ops::twist(p, 2.0), size)`. Each says
// what it does to exactness (tarsus::sdf). Points of the plane go in with z = 0:
// `sdf_ops::mirror(vec3f(p, 0.0), n).xy`. Unions and their like are in tarsus::sdf.
// Most are after Inigo Quilez (https://iquilezles.org/articles/distfunctions/).

// ---------------------------------------------------------------------------
// Of a distance

/// The shape grown by `radius` on all sides, with round edges. Exact outside where d is.
fn rounded(d: f32, radius: f32) -> f32 {
    return d - radius;
}

/// A shell on both sides of the surface; `thickness` is half that of the wall. Exact where d
/// is, but for what the shell's inside loses at sharp edges.
fn onion(d: f32, thickness: f32) -> f32 {
    return abs(d) - thickness;
}

/// A flat shape with the distance d pulled along the third axis, from `height` =
/// -`half_height` to `half_height`, where `height` is the point's coordinate there. Exact where
/// d is.
fn extrude(d: f32, height: f32, half_height: f32) -> f32 {
    let outside = vec2f(d, abs(height) - half_height);
    return length(max(outside, vec2f(0.0))) + min(max(outside.x, outside.y), 0.0);
}

/// The shape with bumps: `amount` is added to its distance; `slope` is the largest gradient of
/// `amount`. Bound.
fn displaced(d: f32, amount: f32, slope: f32) -> f32 {
    return (d + amount) / (1.0 + slope);
}

/// The distance to a shape `factor` times as large, where d is that of the shape at p /
/// `factor`. As exact as d.
fn scaled(d: f32, factor: f32) -> f32 {
    return d * factor;
}

// ---------------------------------------------------------------------------
// Of space, without loss: pieces of it are moved as they are

/// Point of the profile for a solid of revolution about the y axis: x is the distance from a
/// circle of radius `offset` around the axis (outward), y the height. Exact where the flat
/// shape is; with an offset of 0 it is its right half, and has to be symmetric.
fn revolve(p: vec3f, offset: f32) -> vec2f {
    return vec2f(length(p.xz) - offset, p.y);
}

/// Cuts the shape at the origin and pulls its parts apart by 2·`half_length` along each axis.
/// Exact along one axis, and outside along several; else a bound.
fn elongate(p: vec3f, half_length: vec3f) -> vec3f {
    return p - clamp(p, -half_length, half_length);
}

/// Shows what is on the side of the plane through the origin that the unit vector n points to,
/// and its mirror image on the other. Exact where the shape is on that side.
fn mirror(p: vec3f, n: vec3f) -> vec3f {
    return p - 2.0 * min(dot(p, n), 0.0) * n;
}

/// Shows what is at positive coordinates, and its mirror images at negative ones, along each axis
/// where `axes` is not 0. Exact where the shape is at positive coordinates.
fn mirror_axes(p: vec3f, axes: vec3f) -> vec3f {
    return select(p, abs(p), axes != vec3f(0.0));
}

/// Number of the cell of a grid of cells of the size `spacing` that p is in; 0 is around the
/// origin, and along an axis where `spacing` is 0.
fn cell(p: vec3f, spacing: vec3f) -> vec3f {
    let is_repeated = spacing > vec3f(0.0);
    return select(vec3f(0.0), round(p / select(vec3f(1.0), spacing, is_repeated)), is_repeated);
}

/// The shape repeated for ever, every `spacing` along each axis where that is not 0. Exact where
/// the shape is symmetric and fits into its cell; with others `repeat_mirrored` is.
fn repeat(p: vec3f, spacing: vec3f) -> vec3f {
    return p - spacing * cell(p, spacing);
}

/// `repeat` with the cells from number `first` to `last` only, along each axis. Exact where
/// `repeat` is.
fn repeat_limited(p: vec3f, spacing: vec3f, first: vec3f, last: vec3f) -> vec3f {
    return p - spacing * clamp(cell(p, spacing), first, last);
}

/// `repeat` with every second cell mirrored along each axis. Exact where the shape fits into its
/// cell.
fn repeat_mirrored(p: vec3f, spacing: vec3f) -> vec3f {
    let number = cell(p, spacing);
    let q = p - spacing * number;
    return select(q, -q, abs(number - 2.0 * round(0.5 * number)) > vec3f(0.5));
}

/// The shape repeated `count` times around the y axis, first at +x. Exact where it is symmetric
/// about its sector's middle and fits into it.
fn repeat_rotational(p: vec3f, count: u32) -> vec3f {
    let sector = 6.28318531 / f32(count);
    let turn = sector * round(atan2(p.z, p.x) / sector);
    let c = cos(turn);
    let s = sin(turn);
    return vec3f(c * p.x + s * p.z, p.y, c * p.z - s * p.x);
}

// ---------------------------------------------------------------------------
// Of space, with loss: the distance has to be multiplied by the bound

/// Turns the shape about the y axis by `rate` radians per unit of height. The distance times
/// `twist_bound` is a bound.
fn twist(p: vec3f, rate: f32) -> vec3f {
    let c = cos(rate * p.y);
    let s = sin(rate * p.y);
    return vec3f(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
}

/// Factor of the distance to a shape in `twist` that goes to the distance `radius` from the y
/// axis: one over the most that a shear by `rate` · `radius` stretches.
fn twist_bound(rate: f32, radius: f32) -> f32 {
    let shear = abs(rate) * radius;
    return 2.0 / (shear + sqrt(shear * shear + 4.0));
}

/// Turns the shape about the z axis by `rate` radians per unit of x: its x axis bends. The
/// distance times `bend_bound` is a bound.
fn bend(p: vec3f, rate: f32) -> vec3f {
    let c = cos(rate * p.x);
    let s = sin(rate * p.x);
    return vec3f(c * p.x - s * p.y, s * p.x + c * p.y, p.z);
}

/// Factor of the distance to a shape in `bend` that goes to the distance `radius` from the z
/// axis.
fn bend_bound(rate: f32, radius: f32) -> f32 {
    return 1.0 / (1.0 + abs(rate) * radius);
}
