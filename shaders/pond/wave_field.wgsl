#define_import_path tarsus::pond::wave_field

#import tarsus::buffers
#import tarsus::frame
#import tarsus::waves

// A square of water with simulated waves (`waves`) that moves with an animal by whole
// blocks of cells, in four buffers: a and c hold velocities, b and d heights, after half a
// frame and after the whole frame. Texel (0, 0) of each stores the square's position. A
// scene overrides the virtual functions of this module and defines the four buffers, whose
// size is that of the field and one more row.
//
//     /// size 160x161
//     fn buffer_a(frag_coord: vec2f) -> vec4f { return wave_field::half_velocities(frag_coord); }
//
// Buffers b, c and d are `half_heights`, `velocities` and `heights`. The image pass sets
// `field` to `current_field()` and reads `surface_at`.

/// World x and z of the cells of one block.
struct Cells {
    x: vec4f,
    z: vec4f,
}

/// Waves in a block's cells.
struct Waves {
    heights: vec4f,
    velocities: vec4f,
}

/// Wave properties of the water, for cells of size CELL and steps of `step_seconds`.
virtual fn medium() -> waves::Medium {
    return waves::medium_of(1.1, 0.0017, 0.7, 0.004, CELL, step_seconds());
}

/// Centre of the field, in world xz.
virtual fn centre() -> vec2f {
    return vec2f(0.0);
}

/// Two values of the scene's own, which `external_acceleration` receives in the next frame.
virtual fn stored_note() -> vec2f {
    return vec2f(0.0);
}

/// Acceleration of cells from outside; `previous_note` is the `stored_note` of the
/// previous frame.
virtual fn external_acceleration(cells: Cells, previous_note: vec2f) -> vec4f {
    return vec4f(0.0);
}

/// Initial waves of the scene. The result is used only if `is_start`.
virtual fn initial_waves(cells: Cells, is_start: bool) -> Waves {
    return Waves(vec4f(0.0), vec4f(0.0));
}

// Blocks per side of the field.
const BLOCKS: i32 = 160;
/// Size of a cell. The path's period is a whole number of blocks.
const CELL: f32 = 1.0 / 24.0;
const BLOCK_SIZE: f32 = 2.0 * CELL;
const BLOCKS_PER_PERIOD: f32 = 384.0;
// Maximum length of a step in seconds: below 15 frames per second, waves are slower.
const MAX_STEP: f32 = 1.0 / 30.0;
// Limits on the height and the velocity of waves.
const MAX_HEIGHT: f32 = 0.25;
const MAX_VELOCITY: f32 = 5.0;
// Cells along the field's edge in which waves fade out.
const SPONGE: f32 = 28.0;
// Added to x of the field's origin where it is stored: 0 marks a buffer without a field.
const STORED_OFFSET: f32 = 4096.0;

/// Length of half a frame in seconds, clamped to a stable range.
fn step_seconds() -> f32 {
    return clamp(0.5 * frame::frame.time_delta, 1e-4, MAX_STEP);
}

// Position of the field, as stored in texel (0, 0) of a buffer.
struct Position {
    // Lower left corner, world xz in blocks; meaningless unless `is_stored`.
    origin: vec2f,
    is_stored: bool,
    previous_note: vec2f,
}

fn stored_position(texel: vec4f) -> Position {
    return Position(texel.xy - vec2f(STORED_OFFSET, 0.0), texel.x > 0.0, texel.zw);
}

// Position of the field in the current frame.
fn current_position() -> Position {
    let middle = floor(centre() / BLOCK_SIZE);
    return Position(middle - vec2f(f32(BLOCKS / 2)), true, stored_note());
}

fn position_texel(place: Position) -> vec4f {
    return vec4f(place.origin + vec2f(STORED_OFFSET, 0.0), place.previous_note);
}

// Blocks from the field's position in the previous frame to that in the current one, the
// short way around the path's period.
fn field_shift(before: Position, now: Position) -> vec2i {
    let shift = now.origin - before.origin;
    return vec2i(shift - vec2f(BLOCKS_PER_PERIOD * round(shift.x / BLOCKS_PER_PERIOD), 0.0));
}

fn cells_of(block: vec2i, place: Position) -> Cells {
    let corner = (place.origin + vec2f(block)) * BLOCK_SIZE;
    return Cells(
        corner.x + CELL * vec4f(0.5, 1.5, 0.5, 1.5),
        corner.y + CELL * vec4f(0.5, 0.5, 1.5, 1.5),
    );
}

// Damping near the field's edge, per second.
fn sponge(block: vec2i) -> f32 {
    let from_edge = vec2f(min(block, vec2i(BLOCKS - 1) - block));
    let depth = clamp(1.0 - f32(waves::BLOCK) * min(from_edge.x, from_edge.y) / SPONGE, 0.0, 1.0);
    return 12.0 * depth * depth;
}

// Content of a texel: `cells` inside the field, 0 on its edge, and its position in the
// lowest row.
fn content(block: vec2i, now: Position, cells: vec4f, limit: f32) -> vec4f {
    let inside = select(
        vec4f(0.0), waves::clamp_finite(cells, limit), waves::is_inside(block, BLOCKS));
    return select(inside, position_texel(now), block.y < 0);
}

/// Velocities after half a frame, for buffer a.
fn half_velocities(frag_coord: vec2f) -> vec4f {
    let block = waves::block_of(frag_coord);
    let now = current_position();
    let before = stored_position(buffers::d(vec2i(0)));
    let source = block + field_shift(before, now);
    let next = waves::next_velocity(
        waves::load_around(buffers::buffer_d, source, BLOCKS),
        waves::load_around(buffers::buffer_c, source, BLOCKS),
        medium(),
        external_acceleration(cells_of(block, now), before.previous_note),
        vec4f(sponge(block)),
        step_seconds(),
    );
    let is_start = !before.is_stored;
    let start = initial_waves(cells_of(block, now), is_start).velocities;
    return content(block, now, select(next, start, is_start), MAX_VELOCITY);
}

/// Heights after half a frame, for buffer b.
fn half_heights(frag_coord: vec2f) -> vec4f {
    let block = waves::block_of(frag_coord);
    let now = current_position();
    let before = stored_position(buffers::d(vec2i(0)));
    let source = block + field_shift(before, now);
    let next = waves::next_height(
        waves::load(buffers::buffer_d, source, BLOCKS),
        waves::load(buffers::buffer_a, block, BLOCKS),
        step_seconds(),
    );
    let is_start = !before.is_stored;
    let start = initial_waves(cells_of(block, now), is_start).heights;
    return content(block, now, select(next, start, is_start), MAX_HEIGHT);
}

/// Velocities at the end of the frame, for buffer c.
fn velocities(frag_coord: vec2f) -> vec4f {
    let block = waves::block_of(frag_coord);
    let now = current_position();
    let before = stored_position(buffers::d(vec2i(0)));
    let next = waves::next_velocity(
        waves::load_around(buffers::buffer_b, block, BLOCKS),
        waves::load_around(buffers::buffer_a, block, BLOCKS),
        medium(),
        external_acceleration(cells_of(block, now), before.previous_note),
        vec4f(sponge(block)),
        step_seconds(),
    );
    return content(block, now, next, MAX_VELOCITY);
}

/// Heights at the end of the frame, for buffer d.
fn heights(frag_coord: vec2f) -> vec4f {
    let block = waves::block_of(frag_coord);
    let next = waves::next_height(
        waves::load(buffers::buffer_b, block, BLOCKS),
        waves::load(buffers::buffer_c, block, BLOCKS),
        step_seconds(),
    );
    return content(block, current_position(), next, MAX_HEIGHT);
}

/// The field of the current frame, as the image reads it.
struct Field {
    /// Lower left corner in cells.
    origin: vec2f,
}

var<private> field: Field;

/// The field of the current frame, as stored in buffer d.
fn current_field() -> Field {
    let place = stored_position(buffers::d(vec2i(0)));
    return Field(f32(waves::BLOCK) * place.origin);
}

/// Waves of the field at p (world xz), in world units. They fade toward the field's edge
/// and where they are finer than `footprint`, the width of water under a pixel.
fn surface_at(p: vec2f, footprint: f32) -> waves::WavePoint {
    let side = f32(waves::BLOCK * BLOCKS);
    var cell = p / CELL - field.origin;
    let period = f32(waves::BLOCK) * BLOCKS_PER_PERIOD;
    cell.x -= period * round((cell.x - 0.5 * side) / period);
    let found = waves::surface_at(buffers::buffer_d, cell, BLOCKS);
    let from_edge = 0.5 * side - abs(cell - 0.5 * side);
    let fine = 6.0 * footprint;
    let weight = smoothstep(2.0, SPONGE + 10.0, min(from_edge.x, from_edge.y)) * exp(-fine * fine);
    return waves::WavePoint(
        weight * found.height,
        weight / CELL * found.slope,
        weight / (CELL * CELL) * found.curvature,
    );
}
