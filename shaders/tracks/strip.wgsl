#define_import_path tarsus::tracks::strip

#import tarsus::frame
#import tarsus::terrain
#import tarsus::walk

// Map of the ground on both sides of the path (`walk`), stored in a buffer (`buffers`) in
// cells of equal size. The map follows the path's bends and, like the path, repeats after
// its period.
//
// The period is divided into four quarters. A texel holds four numbers: the map at the same
// position in each quarter. A small image thus has room for a fine map, and a scene
// computes four cells at once. The buffer's lowest row is not part of the map; the scene
// may store data there.

/// Length of a quarter along x.
const QUARTER: f32 = 0.25 * terrain::PERIOD;
/// Largest distance of a mapped point from the path, measured along z.
const HALF_WIDTH: f32 = 2.5;
/// Side of a cell if the image is large enough.
const FINEST: f32 = 0.0125;

/// Number of cells along a quarter (x) and across the map (y).
fn size() -> vec2i {
    let room = frame::frame.resolution - vec2f(0.0, 1.0);
    let least = max(QUARTER / room.x, 2.0 * HALF_WIDTH / max(room.y, 1.0));
    let along = max(floor(QUARTER / max(least, FINEST)), 1.0);
    return vec2i(i32(along), i32(2.0 * HALF_WIDTH * along / QUARTER));
}

/// Side of a cell in world units.
fn cell_size() -> f32 {
    return QUARTER / f32(size().x);
}

/// Points of the ground, one per quarter, that one texel holds.
struct CellPoints {
    x: vec4f,
    z: vec4f,
    /// Offset from the path along z.
    offset: f32,
    /// False for texels outside the map.
    is_mapped: bool,
}

/// Centres of the cells of a texel.
fn cell_points(texel: vec2i) -> CellPoints {
    let cells = size();
    let cell = vec2f(texel - vec2i(0, 1)) + 0.5;
    let x = QUARTER * (cell.x / f32(cells.x) + vec4f(0.0, 1.0, 2.0, 3.0));
    let angle = frame::TAU / terrain::PERIOD * x.x;
    let sway = walk::SWAY * vec2f(sin(angle), cos(angle));
    let offset = cell.y * cell_size() - HALF_WIDTH;
    let is_mapped = texel.x < cells.x && texel.y > 0 && texel.y <= cells.y;
    return CellPoints(x, vec4f(sway, -sway) + offset, offset, is_mapped);
}

/// Signed distance along x from `x` to the spots, the short way around the period.
fn along_from(x: f32, cell_points: CellPoints) -> vec4f {
    let way = cell_points.x - x;
    return way - terrain::PERIOD * round(way / terrain::PERIOD);
}

/// Cells of a texel, in the buffer's coordinates. Columns beyond either end continue in the
/// next quarter; rows beyond the edges are clamped.
fn cells(buffer: texture_2d<f32>, texel: vec2i) -> vec4f {
    let last = size();
    let is_before = texel.x < 0;
    let is_after = texel.x >= last.x;
    let x = texel.x + select(select(0, -last.x, is_after), last.x, is_before);
    let found = textureLoad(buffer, vec2i(x, clamp(texel.y, 1, last.y)), 0);
    return select(select(found, found.yzwx, is_after), found.wxyz, is_before);
}

/// Position of a ground point (world xz) on the map.
struct Place {
    /// Texel of the nearest cell, in the buffer's coordinates.
    texel: vec2i,
    /// Offset of the point from the cell's centre, in cells, -0.5 to 0.5.
    part: vec2f,
    /// 1 in the component of the quarter, 0 in the others.
    quarter: vec4f,
    /// 1 on the map, falling to 0 toward its edges and beyond.
    inside: f32,
}

/// Position of a ground point on the map.
fn place(p: vec2f) -> Place {
    let along = 4.0 * fract(p.x / terrain::PERIOD);
    let quarter = min(floor(along), 3.0);
    let offset = p.y - walk::point_at(p.x).y;
    let cells = size();
    let across = (clamp(offset, -HALF_WIDTH, HALF_WIDTH) + HALF_WIDTH) / cell_size();
    let at = vec2f((along - quarter) * f32(cells.x), across);
    let cell = min(vec2i(at), cells - 1);
    return Place(
        cell + vec2i(0, 1),
        at - vec2f(cell) - 0.5,
        vec4f(vec4f(quarter) == vec4f(0.0, 1.0, 2.0, 3.0)),
        1.0 - smoothstep(0.88 * HALF_WIDTH, 0.98 * HALF_WIDTH, abs(offset)),
    );
}

/// A step along the ground (world x and z) near the coordinate `x`, in cells along and
/// across the map, which is sheared by the path's bends.
fn to_cells(step: vec2f, x: f32) -> vec2f {
    return vec2f(step.x, step.y - bend(x) * step.x) / cell_size();
}

// Slope of the path: dz/dx.
fn bend(x: f32) -> f32 {
    let w = frame::TAU / terrain::PERIOD;
    return walk::SWAY * w * cos(w * x);
}

/// The place `cells` away from another, with the same `inside`.
fn offset_place(at: Place, cells: vec2f) -> Place {
    let to = at.part + cells;
    let whole = round(to);
    return Place(at.texel + vec2i(whole), to - whole, at.quarter, at.inside);
}

/// Value of the map at a place, bilinear.
fn value(buffer: texture_2d<f32>, at: Place) -> f32 {
    let onward = select(vec2i(-1), vec2i(1), at.part > vec2f(0.0));
    let part = abs(at.part);
    // One read in a loop, for less code; off the map, no iterations.
    var sum = 0.0;
    if at.inside > 0.0 {
        for (var i = 0; i < 4; i++) {
            let corner = vec2i(i & 1, i >> 1u);
            let weight = select(1.0 - part, part, corner == vec2i(1));
            let found = dot(cells(buffer, at.texel + corner * onward), at.quarter);
            sum += weight.x * weight.y * found;
        }
    }
    return sum * at.inside;
}

/// Value and slope of the map at a place near the coordinate `x`: x = value, yz = slope
/// along world x and z. A quadratic B-spline over nine cells, whose slope is continuous.
fn value_and_slope(buffer: texture_2d<f32>, at: Place, x: f32) -> vec3f {
    // Value, and slope per cell along and across the map.
    var sum = vec3f(0.0);
    if at.inside > 0.0 {
        for (var i = 0; i < 9; i++) {
            let offset = vec2i(i % 3, i / 3) - 1;
            let away = vec2f(offset) - at.part;
            let far = 1.5 - abs(away);
            let is_middle = offset == vec2i(0);
            let weight = select(0.5 * far * far, 0.75 - away * away, is_middle);
            let slope = select(far * sign(away), 2.0 * away, is_middle);
            let found = dot(cells(buffer, at.texel + offset), at.quarter);
            sum += found * vec3f(weight.x * weight.y, slope.x * weight.y, weight.x * slope.y);
        }
    }
    let slope = vec2f(sum.y - bend(x) * sum.z, sum.z) / cell_size();
    return vec3f(sum.x, slope) * at.inside;
}
