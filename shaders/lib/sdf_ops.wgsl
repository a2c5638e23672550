#define_import_path tarsus::sdf_ops

// Operations on shapes, applied to their distance or to the space around them.
//
// Functions that take a distance return that of the new shape. Functions that take a point
// return the point at which to evaluate the shape:
// `sdf::box(sdf_ops::twist(p, 2.0), size)`. Each states its effect on exactness
// (tarsus::sdf). Points of the plane are passed with z = 0:
// `sdf_ops::mirror(vec3f(p, 0.0), n).xy`. Unions and the like are in tarsus::sdf. Most are
// after Inigo Quilez (https://iquilezles.org/articles/distfunctions/).

// ---------------------------------------------------------------------------
// Operations on a distance

/// Shape grown by `radius` on all sides, with rounded edges. Exact outside if d is.
fn round_edges(d: f32, radius: f32) -> f32 {
    return d - radius;
}

/// Shell on both sides of the surface; `thickness` is half that of the wall. Exact if d is,
/// except inside the shell at sharp edges.
fn onion(d: f32, thickness: f32) -> f32 {
    return abs(d) - thickness;
}

/// Flat shape with the distance d, extruded along the third axis from -`half_height` to
/// `half_height`; `height` is the point's coordinate on that axis. Exact if d is.
fn extrude(d: f32, height: f32, half_height: f32) -> f32 {
    let outside = vec2f(d, abs(height) - half_height);
    return length(max(outside, vec2f(0.0))) + min(max(outside.x, outside.y), 0.0);
}

/// Shape with bumps: `amount` is added to its distance; `slope` is the largest gradient of
/// `amount`. Bound.
fn displace(d: f32, amount: f32, slope: f32) -> f32 {
    return (d + amount) / (1.0 + slope);
}

/// Distance to a shape scaled by `factor`, where d is the distance to the original at p /
/// `factor`. As exact as d.
fn scale_distance(d: f32, factor: f32) -> f32 {
    return d * factor;
}

// ---------------------------------------------------------------------------
// Lossless operations on space: pieces of it are moved without distortion

/// Point of the profile for a solid of revolution about the y axis: x is the distance from
/// a circle of radius `offset` around the axis (outward), y the height. Exact if the flat
/// shape is. With an offset of 0, only the shape's right half is used, and the shape must
/// be symmetric.
fn revolve(p: vec3f, offset: f32) -> vec2f {
    return vec2f(length(p.xz) - offset, p.y);
}

/// Cuts the shape at the origin and pulls its parts apart by 2·`half_length` along each
/// axis. Exact along one axis, and outside along several; otherwise bound.
fn elongate(p: vec3f, half_length: vec3f) -> vec3f {
    return p - clamp(p, -half_length, half_length);
}

/// Keeps the side of the plane through the origin to which the unit vector n points, and
/// mirrors it to the other side. Exact if the shape is on that side.
fn mirror(p: vec3f, n: vec3f) -> vec3f {
    return p - 2.0 * min(dot(p, n), 0.0) * n;
}

/// Keeps positive coordinates and mirrors them to negative ones, along each axis where
/// `axes` is not 0. Exact if the shape is at positive coordinates.
fn mirror_axes(p: vec3f, axes: vec3f) -> vec3f {
    return select(p, abs(p), axes != vec3f(0.0));
}

/// Number of the cell that contains p in a grid with cells of size `spacing`; 0 around the
/// origin, and along an axis where `spacing` is 0.
fn cell(p: vec3f, spacing: vec3f) -> vec3f {
    let is_repeated = spacing > vec3f(0.0);
    return select(vec3f(0.0), round(p / select(vec3f(1.0), spacing, is_repeated)), is_repeated);
}

/// Repeats the shape infinitely, every `spacing` along each axis where that is not 0. Exact
/// if the shape is symmetric and fits into its cell; for other shapes, use
/// `repeat_mirrored`.
fn repeat(p: vec3f, spacing: vec3f) -> vec3f {
    return p - spacing * cell(p, spacing);
}

/// `repeat`, limited to the cells from number `first` to `last` along each axis. Exact
/// where `repeat` is.
fn repeat_limited(p: vec3f, spacing: vec3f, first: vec3f, last: vec3f) -> vec3f {
    return p - spacing * clamp(cell(p, spacing), first, last);
}

/// `repeat` with every second cell mirrored along each axis. Exact if the shape fits into
/// its cell.
fn repeat_mirrored(p: vec3f, spacing: vec3f) -> vec3f {
    let number = cell(p, spacing);
    let q = p - spacing * number;
    return select(q, -q, abs(number - 2.0 * round(0.5 * number)) > vec3f(0.5));
}

/// Repeats the shape `count` times around the y axis, the first at +x. Exact if it is
/// symmetric about the middle of its sector and fits into it.
fn repeat_rotational(p: vec3f, count: u32) -> vec3f {
    let sector = 6.28318531 / f32(count);
    let turn = sector * round(atan2(p.z, p.x) / sector);
    let c = cos(turn);
    let s = sin(turn);
    return vec3f(c * p.x + s * p.z, p.y, c * p.z - s * p.x);
}

// ---------------------------------------------------------------------------
// Lossy operations on space: the distance must be multiplied by the bound

/// Twists the shape about the y axis by `rate` radians per unit of height. The distance
/// times `twist_bound` is a bound.
fn twist(p: vec3f, rate: f32) -> vec3f {
    let c = cos(rate * p.y);
    let s = sin(rate * p.y);
    return vec3f(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
}

/// Factor on the distance to a shape in `twist` that extends to the distance `radius` from
/// the y axis: the reciprocal of the largest stretch of a shear by `rate` · `radius`.
fn twist_bound(rate: f32, radius: f32) -> f32 {
    let shear = abs(rate) * radius;
    return 2.0 / (shear + sqrt(shear * shear + 4.0));
}

/// Bends the x axis of the shape, by a rotation about the z axis of `rate` radians per unit
/// of x. The distance times `bend_bound` is a bound.
fn bend(p: vec3f, rate: f32) -> vec3f {
    let c = cos(rate * p.x);
    let s = sin(rate * p.x);
    return vec3f(c * p.x - s * p.y, s * p.x + c * p.y, p.z);
}

/// Factor on the distance to a shape in `bend` that extends to the distance `radius` from
/// the z axis.
fn bend_bound(rate: f32, radius: f32) -> f32 {
    return 1.0 / (1.0 + abs(rate) * radius);
}
