#define_import_path tarsus::waves

// The damped wave equation on a square of still water, solved in buffers.
//
//     ∂²h/∂t² = c² ∇²h − κ ∇⁴h − γ ∂h/∂t + ν ∇² ∂h/∂t + push
//
// h is the height of the water. Waves of wave number k have the frequency ω² = c² k² + κ
// k⁴: like capillary waves, fine ones run ahead of long ones. γ damps all waves alike, ν
// damps fine ones.
//
// Scheme: leapfrog in time (v = ∂h/∂t half a step before h; `next_velocity`, then
// `next_height`), second order. In space, a nine-point Laplacian whose error is isotropic,
// and a seventeen-point biharmonic operator. With cells of size a and steps of Δt it is
// stable while
//
//     Δt² (16/3 c²/a² + 16 κ/a⁴) + 2 Δt · 16/3 ν/a² ≤ 4
//
// (R. Courant, K. Friedrichs, H. Lewy, 1928; here by von Neumann's analysis). `medium_of`
// lowers ν, κ and c until the condition holds. Without a push, the energy ½ Σ v² + ½ Σ hₙ A
// hₙ₊₁ falls, where −A h is the acceleration by c and κ.
//
// Storage: a texel holds a block of 2x2 cells: x lower left, y lower right, z upper left, w
// upper right. Heights and velocities are in separate buffers. The field is the square of
// `blocks`² texels that starts at texel (0, 1); the lowest row is left to the scene. The
// scene keeps the outermost blocks at 0, so that clamped reads continue the field with 0.

/// Cells per side of a block.
const BLOCK: i32 = 2;

/// Block of a texel; negative in the lowest row.
fn block_of(frag_coord: vec2f) -> vec2i {
    return vec2i(frag_coord) - vec2i(0, 1);
}

/// Cells of a block, clamped into the field.
fn load(buffer: texture_2d<f32>, block: vec2i, blocks: i32) -> vec4f {
    return textureLoad(buffer, clamp(block, vec2i(0), vec2i(blocks - 1)) + vec2i(0, 1), 0);
}

/// True for blocks that are not on the field's edge.
fn is_inside(block: vec2i, blocks: i32) -> bool {
    return all(block > vec2i(0)) && all(block < vec2i(blocks - 1));
}

/// A block and its eight neighbours.
struct Around {
    south_west: vec4f,
    south: vec4f,
    south_east: vec4f,
    west: vec4f,
    centre: vec4f,
    east: vec4f,
    north_west: vec4f,
    north: vec4f,
    north_east: vec4f,
}

/// Loads a block and its eight neighbours.
fn load_around(buffer: texture_2d<f32>, block: vec2i, blocks: i32) -> Around {
    return Around(
        load(buffer, block + vec2i(-1, -1), blocks),
        load(buffer, block + vec2i(0, -1), blocks),
        load(buffer, block + vec2i(1, -1), blocks),
        load(buffer, block + vec2i(-1, 0), blocks),
        load(buffer, block, blocks),
        load(buffer, block + vec2i(1, 0), blocks),
        load(buffer, block + vec2i(-1, 1), blocks),
        load(buffer, block + vec2i(0, 1), blocks),
        load(buffer, block + vec2i(1, 1), blocks),
    );
}

/// Sum of the four adjacent cells, for each cell of the block.
fn sum_adjacent(h: Around) -> vec4f {
    let c = h.centre;
    return vec4f(h.west.y, c.x, h.west.w, c.z) + vec4f(c.y, h.east.x, c.w, h.east.z)
        + vec4f(h.south.zw, c.xy) + vec4f(c.zw, h.north.xy);
}

/// Sum of the four diagonal neighbours, for each cell of the block.
fn sum_diagonal(h: Around) -> vec4f {
    let c = h.centre;
    return vec4f(h.south_west.w, h.south.z, h.west.y, c.x)
        + vec4f(h.south.w, h.south_east.z, c.y, h.east.x)
        + vec4f(h.west.w, c.z, h.north_west.y, h.north.x)
        + vec4f(c.w, h.east.z, h.north.y, h.north_east.x);
}

/// ∇²h times the square of the cell size, at each cell of the block: nine points, with an
/// isotropic error.
fn laplacian(h: Around) -> vec4f {
    return (4.0 * sum_adjacent(h) + sum_diagonal(h) - 20.0 * h.centre) / 6.0;
}

/// Sum of the eight cells at a knight's move, for each cell of the block.
fn sum_knight(h: Around) -> vec4f {
    return vec4f(h.east.zw, h.north_east.xy) + vec4f(h.south_east.zw, h.east.xy)
        + vec4f(h.west.zw, h.north_west.xy) + vec4f(h.south_west.zw, h.west.xy)
        + vec4f(h.north.y, h.north_east.x, h.north.w, h.north_east.z)
        + vec4f(h.north_west.y, h.north.x, h.north_west.w, h.north.z)
        + vec4f(h.south.y, h.south_east.x, h.south.w, h.south_east.z)
        + vec4f(h.south_west.y, h.south.x, h.south_west.w, h.south.z);
}

/// ∇⁴h times the fourth power of the cell size, at each cell of the block: the Laplacian of
/// the four adjacent cells after that of the four diagonal ones. For the finest waves it is
/// a quarter of the four-cell Laplacian applied twice, so steps may be longer.
fn bilaplacian(h: Around) -> vec4f {
    return 8.0 * h.centre + 0.5 * sum_knight(h) - sum_adjacent(h) - 2.0 * sum_diagonal(h);
}

/// Wave properties of the water, for cells of one size.
struct Medium {
    /// c² divided by the square of the cell size, in 1/s².
    tension: f32,
    /// κ divided by the fourth power of the cell size, in 1/s².
    stiffness: f32,
    /// ν divided by the square of the cell size, in 1/s.
    viscosity: f32,
    /// γ in 1/s.
    damping: f32,
}

/// Medium that is stable with steps of `step` > 0 seconds. `speed` is c, `dispersion` κ,
/// `damping` γ and `viscosity` ν, all at least 0; `cell` is the size of a cell. If the step
/// is too long, ν, κ and c are lowered, in this order of preference.
fn medium_of(
    speed: f32,
    dispersion: f32,
    damping: f32,
    viscosity: f32,
    cell: f32,
    step: f32,
) -> Medium {
    let per_area = 1.0 / (cell * cell);
    // A tenth of the limit is kept as a margin.
    let limit = 3.6 / (step * step);
    let smooth_limit = 0.25 / step * 3.0 / 16.0;
    let viscous = min(viscosity * per_area, smooth_limit);
    let left = limit - 2.0 * viscous / step * 16.0 / 3.0;
    let tension = min(speed * speed * per_area, left * 3.0 / 16.0);
    let stiff = min(dispersion * per_area * per_area, (left - tension * 16.0 / 3.0) / 16.0);
    return Medium(tension, max(stiff, 0.0), viscous, damping);
}

/// Velocities of a block's cells after a step of `step` seconds. `heights` are those at its
/// beginning, `velocities` those half a step earlier; `push` is the acceleration from
/// outside and `damping` is added to the medium's, both per cell.
fn next_velocity(
    heights: Around,
    velocities: Around,
    medium: Medium,
    push: vec4f,
    damping: vec4f,
    step: f32,
) -> vec4f {
    let acceleration = medium.tension * laplacian(heights)
        - medium.stiffness * bilaplacian(heights)
        + medium.viscosity * laplacian(velocities) + push;
    // Damping applies to the mean of old and new velocity, which is stable for any γ.
    let half = 0.5 * step * (medium.damping + damping);
    return ((1.0 - half) * velocities.centre + step * acceleration) / (1.0 + half);
}

/// Heights after a step of `step` seconds with the velocities of `next_velocity`.
fn next_height(heights: vec4f, velocities: vec4f, step: f32) -> vec4f {
    return heights + step * velocities;
}

/// Heights or velocities clamped to ±`limit`, and 0 where they are not finite: steps of
/// varying length can feed waves, and so can a scene.
fn clamp_finite(values: vec4f, limit: f32) -> vec4f {
    return select(vec4f(0.0), clamp(values, vec4f(-limit), vec4f(limit)), abs(values) <= vec4f(3e38));
}

/// Round dip that a weight presses into the water, at q = (distance / radius)²: -1 at the
/// centre, raised from q = 1/3 on, 0 from the radius on, with two continuous derivatives.
fn dip(q: vec4f) -> vec4f {
    let inside = max(1.0 - q, vec4f(0.0));
    return (3.0 * q - 1.0) * inside * inside * inside;
}

/// Acceleration by the pressure under which water at rest has the shape of a `dip`, for c =
/// 1, depth 1 and radius 1: minus its Laplacian.
fn dip_push(q: vec4f) -> vec4f {
    let inside = max(1.0 - q, vec4f(0.0));
    return 24.0 * inside * (q * (7.0 - 8.0 * q) - 1.0);
}

/// The field at one point: height, slope and curvature, in units of the field's heights and
/// of cells.
struct WavePoint {
    height: f32,
    /// ∂h/∂x, ∂h/∂y
    slope: vec2f,
    /// ∂²h/∂x², ∂²h/∂y², ∂²h/∂x∂y
    curvature: vec3f,
}

/// Weights of four cells in a row for a cubic B-spline and its first and second derivative,
/// at the fraction f from the second cell to the third.
struct Weights {
    value: vec4f,
    slope: vec4f,
    curvature: vec4f,
}

/// Weights at the fraction f.
fn weights_at(f: f32) -> Weights {
    let g = 1.0 - f;
    return Weights(
        vec4f(g * g * g, 4.0 - 3.0 * f * f * (1.0 + g), 4.0 - 3.0 * g * g * (1.0 + f), f * f * f) / 6.0,
        vec4f(-0.5 * g * g, f * (1.5 * f - 2.0), g * (2.0 - 1.5 * g), 0.5 * f * f),
        vec4f(g, 3.0 * f - 2.0, 1.0 - 3.0 * f, f),
    );
}

/// Four consecutive cells out of six, starting with the first or the second.
fn four_of(a: vec2f, b: vec2f, c: vec2f, is_second: bool) -> vec4f {
    return select(vec4f(a, b), vec4f(a.y, b, c.x), is_second);
}

/// The field at `cell`, a position in cells from the field's lower left corner,
/// interpolated by a cubic B-spline: curvatures are continuous.
fn surface_at(buffer: texture_2d<f32>, cell: vec2f, blocks: i32) -> WavePoint {
    let place = cell - 0.5;
    let lower = vec2i(floor(place));
    let first = lower - 1;
    let block = first >> vec2u(1u);
    let is_odd = (first & vec2i(1)) == vec2i(1);
    let h = load_around(buffer, block + 1, blocks);
    // Five rows of four cells, of which four rows are used.
    let row_0 = four_of(h.south_west.xy, h.south.xy, h.south_east.xy, is_odd.x);
    let row_1 = four_of(h.south_west.zw, h.south.zw, h.south_east.zw, is_odd.x);
    let row_2 = four_of(h.west.xy, h.centre.xy, h.east.xy, is_odd.x);
    let row_3 = four_of(h.west.zw, h.centre.zw, h.east.zw, is_odd.x);
    let row_4 = four_of(h.north_west.xy, h.north.xy, h.north_east.xy, is_odd.x);
    let rows = mat4x4f(
        select(row_0, row_1, is_odd.y),
        select(row_1, row_2, is_odd.y),
        select(row_2, row_3, is_odd.y),
        select(row_3, row_4, is_odd.y),
    );
    let fraction = place - floor(place);
    let x = weights_at(fraction.x);
    let y = weights_at(fraction.y);
    let along = x.value * rows;
    let sloped = x.slope * rows;
    let bent = x.curvature * rows;
    return WavePoint(
        dot(along, y.value),
        vec2f(dot(sloped, y.value), dot(along, y.slope)),
        vec3f(dot(bent, y.value), dot(along, y.curvature), dot(sloped, y.slope)),
    );
}
