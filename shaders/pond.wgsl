// An evening pond: a water strider rows over water whose waves are solved, not drawn. Every
// standing foot presses a dip, every stroke sends rings, and the pointer stirs: a click is a
// drop, a drag a finger in the water.
//
// Buffers a and b take the field of `waves` half a frame on, c and d the other half: a and c
// hold velocities, b and d heights. The field is a square of water around the strider that moves
// with it by whole blocks of cells. Texel (0, 0) of each buffer says where it is.
//
// Spaces: the world has x ahead, y up, z right and the water at y = 0; body space has the same
// axes, turned with the body, and its origin in the body's middle. Lengths are in world units.

#import tarsus::brute_force
#import tarsus::buffers
#import tarsus::camera
#import tarsus::frame
#import tarsus::light
#import tarsus::noise
#import tarsus::palette
#import tarsus::path
#import tarsus::raymarch
#import tarsus::shading
#import tarsus::walk
#import tarsus::rays
#import tarsus::water
#import tarsus::water_strider as strider
#import tarsus::waves

struct Params {
    /// Speed of long waves [0.3, 2] = 1.1
    wave_speed: f32,
    /// Damping of waves per second [0, 4] = 0.7
    damping: f32,
    /// Strength of the strokes [0, 3] = 1
    stroke: f32,
    /// Height of the sun in degrees [6, 60] = 15
    sun_height: f32,
    /// Colour of deep water = #1d5a55
    water_color: vec3f,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after this time (seconds).
const LOOP_SECONDS: f32 = strider::LOOP_SECONDS;

// ---- The field of waves --------------------------------------------------------

// Blocks per side of the field where the picture has as many pixels, and size of a cell. The
// path's period is a whole number of blocks.
const MOST_BLOCKS: i32 = 160;
const CELL: f32 = 1.0 / 24.0;
const BLOCK_SIZE: f32 = 2.0 * CELL;
const BLOCKS_PER_PERIOD: f32 = 384.0;
// κ of `waves`, for a speed of 1: waves of length 0.3 are 1.25 times as fast as long ones.
const DISPERSION: f32 = 0.0014;
const VISCOSITY: f32 = 0.004;
// Steps are no longer than this (seconds): below 15 frames per second waves are slower.
const LONGEST_STEP: f32 = 1.0 / 30.0;
// Waves are no higher than this, and no faster.
const HIGHEST: f32 = 0.25;
const FASTEST: f32 = 5.0;
// Cells along the field's edge in which waves fade.
const SPONGE: f32 = 28.0;
// Added to x of the field's origin where it is stored: 0 is a buffer without a field.
const STORED_OFFSET: f32 = 4096.0;

// Dips under the feet and the pointer.
const DIP_DEPTH: f32 = 0.06;
const DIP_RADIUS: f32 = 0.17;
const FINGER_DEPTH: f32 = 0.13;
const FINGER_RADIUS: f32 = 0.26;
// Speed that a drop gives to the water in its middle.
const DROP_SPEED: f32 = 3.6;

// Rings that are there when the scene begins.
const RINGS: water::Rings = water::Rings(1.35, 18.0, 1.3);
const RING_HEIGHT: f32 = 0.040;

fn field_blocks() -> i32 {
    return waves::blocks_in(frame::frame.resolution, MOST_BLOCKS);
}

// Length of half a frame in seconds.
fn wave_step() -> f32 {
    return clamp(0.5 * frame::frame.time_delta, 1e-4, LONGEST_STEP);
}

fn wave_medium() -> waves::Medium {
    let c = params.wave_speed;
    return waves::medium_of(c, DISPERSION * c * c, params.damping, VISCOSITY, CELL, wave_step());
}

// Where the field is: what texel (0, 0) of a buffer holds.
struct Place {
    // Lower left corner, xz of the world in blocks; 0 where nothing has been stored.
    origin: vec2f,
    is_stored: bool,
    // Where the pointer touches the water, xz of the world.
    pointer: vec2f,
}

fn stored_place(texel: vec4f) -> Place {
    return Place(texel.xy - vec2f(STORED_OFFSET, 0.0), texel.x > 0.0, texel.zw);
}

// The field's place in this frame: around the body.
fn place_now() -> Place {
    let blocks = vec2f(f32(field_blocks()));
    let middle = floor(frame::data(6u).xz / BLOCK_SIZE);
    return Place(
        middle - floor(0.5 * blocks), true, vec2f(frame::data(6u).w, frame::data(7u).w));
}

fn place_texel(place: Place) -> vec4f {
    return vec4f(place.origin + vec2f(STORED_OFFSET, 0.0), place.pointer);
}

// Blocks from the field's place in the frame before to that in this one, by the shortest way
// around the path's period.
fn field_shift(before: Place, now: Place) -> vec2i {
    let shift = now.origin - before.origin;
    return vec2i(shift - vec2f(BLOCKS_PER_PERIOD * round(shift.x / BLOCKS_PER_PERIOD), 0.0));
}

// The cells of one block, xz of the world: x and z.
struct Cells {
    x: vec4f,
    z: vec4f,
}

fn cells_of(block: vec2i, place: Place) -> Cells {
    let corner = (place.origin + vec2f(block)) * BLOCK_SIZE;
    return Cells(
        corner.x + CELL * vec4f(0.5, 1.5, 0.5, 1.5),
        corner.y + CELL * vec4f(0.5, 0.5, 1.5, 1.5),
    );
}

// Damping by the field's edge, per second.
fn sponge(block: vec2i) -> f32 {
    let blocks = field_blocks();
    let from_edge = vec2f(min(block, vec2i(blocks - 1) - block));
    let depth = clamp(1.0 - f32(waves::BLOCK) * min(from_edge.x, from_edge.y) / SPONGE, 0.0, 1.0);
    return 12.0 * depth * depth;
}

// Striders tremble with their legs: rings of one frequency, by which they find each other. In
// Hz, a whole number per loop, and as a fraction of the weight on a foot.
const TREMBLE: f32 = 4.5;
const TREMBLE_DEPTH: f32 = 2.2;

// Push of a foot, for a speed of 1: its weight, and its stroke, which throws the water back.
fn foot_push(cells: Cells, foot: vec4f, stroke: f32) -> vec4f {
    let x = (cells.x - foot.x) / DIP_RADIUS;
    let z = (cells.z - foot.z) / DIP_RADIUS;
    let q = x * x + z * z;
    let inside = max(1.0 - q, vec4f(0.0));
    let ahead = frame::data(7u).xz;
    let thrown = -(x * ahead.x + z * ahead.y) * inside * inside;
    return foot.w * (waves::dip_push(q) + stroke * params.stroke * thrown);
}

// Push of the feet and the pointer on the cells of a block.
fn push_on(block: vec2i, before: Place, now: Place, medium: waves::Medium) -> vec4f {
    let cells = cells_of(block, now);
    let feet = foot_push(cells, frame::data(0u), 6.0)
        + foot_push(cells, frame::data(1u), 36.0)
        + foot_push(cells, frame::data(2u), 6.0)
        + foot_push(cells, frame::data(3u), 6.0)
        + foot_push(cells, frame::data(4u), 36.0)
        + foot_push(cells, frame::data(5u), 6.0);
    let speed_squared = medium.tension * CELL * CELL;
    let tremble = sin(path::TAU * TREMBLE * frame::looped(LOOP_SECONDS));
    let weight = 1.0 + TREMBLE_DEPTH * params.stroke * tremble;
    let by_feet = weight * speed_squared * DIP_DEPTH / (DIP_RADIUS * DIP_RADIUS) * feet;

    // The finger's way in this frame.
    let is_press = frame::frame.mouse.w > 0.0;
    var way = before.pointer - now.pointer;
    way.x -= path::PERIOD * round(way.x / path::PERIOD);
    way *= select(1.0, 0.0, is_press || dot(way, way) > 4.0);
    let x = cells.x - now.pointer.x;
    let z = cells.z - now.pointer.y;
    let along = clamp((x * way.x + z * way.y) / max(dot(way, way), 1e-8), vec4f(0.0), vec4f(1.0));
    let off_x = (x - along * way.x) / FINGER_RADIUS;
    let off_z = (z - along * way.y) / FINGER_RADIUS;
    let pressed = waves::dip_push(off_x * off_x + off_z * off_z);
    let depth = speed_squared * FINGER_DEPTH / (FINGER_RADIUS * FINGER_RADIUS);
    let kick = select(0.0, 0.5 * DROP_SPEED / (12.0 * wave_step()), is_press);
    return by_feet + frame::data(8u).w * (depth + kick) * pressed;
}

// Heights of a ring around `foot` at the cells of a block, `age` seconds after it began.
fn ring_heights(cells: Cells, foot: vec2f, age: f32) -> vec4f {
    return vec4f(
        water::ring(vec2f(cells.x.x, cells.z.x) - foot, age, RINGS).x,
        water::ring(vec2f(cells.x.y, cells.z.y) - foot, age, RINGS).x,
        water::ring(vec2f(cells.x.z, cells.z.z) - foot, age, RINGS).x,
        water::ring(vec2f(cells.x.w, cells.z.w) - foot, age, RINGS).x,
    );
}

// Waves of the steps before this frame, as formulas draw them: the scene begins with them.
struct FirstWaves {
    heights: vec4f,
    velocities: vec4f,
}

fn first_waves(cells: Cells, is_start: bool) -> FirstWaves {
    let time = frame::looped(LOOP_SECONDS);
    let apart = 0.02;
    var heights = vec4f(0.0);
    var before = vec4f(0.0);
    // Three steps of each leg, each with a ring at touch-down and one at lift-off; but one round
    // only unless the scene begins.
    for (var i = 0u; i < select(1u, 6u * strider::LEGS, is_start); i++) {
        let leg = i / 6u;
        let phase = strider::phase_of(leg);
        let index = floor(time / strider::WALK.period + phase) - f32(i % 3u);
        let foot = walk::foothold(strider::WALK, phase, strider::neutral_foot_of(leg), index);
        let is_lift = i % 6u >= 3u;
        let event = index - phase + select(0.0, strider::WALK.duty, is_lift);
        let age = time - strider::WALK.period * event;
        let height = select(1.0, 0.6, is_lift) * RING_HEIGHT;
        heights += height * ring_heights(cells, foot, age);
        before += height * ring_heights(cells, foot, age - apart);
    }
    return FirstWaves(heights, (heights - before) / apart);
}

// Dips under the feet at rest.
fn dips(cells: Cells) -> vec4f {
    var sum = vec4f(0.0);
    for (var leg = 0u; leg < strider::LEGS; leg++) {
        let foot = frame::data(leg);
        let x = (cells.x - foot.x) / DIP_RADIUS;
        let z = (cells.z - foot.z) / DIP_RADIUS;
        sum += foot.w * DIP_DEPTH * waves::dip(x * x + z * z);
    }
    return sum;
}

// What a buffer holds in a texel: `cells` within the field and 0 on its edge, and the place.
fn content(block: vec2i, blocks: i32, now: Place, cells: vec4f, limit: f32) -> vec4f {
    let inside = select(
        vec4f(0.0), waves::limited(cells, limit), waves::is_inside(block, blocks));
    return select(inside, place_texel(now), block.y < 0);
}

// Velocities half a frame on.
fn buffer_a(frag_coord: vec2f) -> vec4f {
    let block = waves::block_of(frag_coord);
    let blocks = field_blocks();
    let now = place_now();
    let before = stored_place(buffers::d(vec2i(0)));
    let source = block + field_shift(before, now);
    let medium = wave_medium();
    let next = waves::next_velocity(
        waves::load_around(buffers::buffer_d, source, blocks),
        waves::load_around(buffers::buffer_c, source, blocks),
        medium,
        push_on(block, before, now, medium),
        vec4f(sponge(block)),
        wave_step(),
    );
    let is_start = !before.is_stored;
    let first = first_waves(cells_of(block, now), is_start).velocities;
    return content(block, blocks, now, select(next, first, is_start), FASTEST);
}

// Heights half a frame on.
fn buffer_b(frag_coord: vec2f) -> vec4f {
    let block = waves::block_of(frag_coord);
    let blocks = field_blocks();
    let now = place_now();
    let before = stored_place(buffers::d(vec2i(0)));
    let source = block + field_shift(before, now);
    let next = waves::next_height(
        waves::load(buffers::buffer_d, source, blocks),
        waves::load(buffers::buffer_a, block, blocks),
        wave_step(),
    );
    let is_start = !before.is_stored;
    let cells = cells_of(block, now);
    let first = first_waves(cells, is_start).heights + dips(cells);
    return content(block, blocks, now, select(next, first, is_start), HIGHEST);
}

// Velocities at the end of the frame.
fn buffer_c(frag_coord: vec2f) -> vec4f {
    let block = waves::block_of(frag_coord);
    let blocks = field_blocks();
    let now = place_now();
    let medium = wave_medium();
    let next = waves::next_velocity(
        waves::load_around(buffers::buffer_b, block, blocks),
        waves::load_around(buffers::buffer_a, block, blocks),
        medium,
        push_on(block, stored_place(buffers::d(vec2i(0))), now, medium),
        vec4f(sponge(block)),
        wave_step(),
    );
    return content(block, blocks, now, next, FASTEST);
}

// Heights at the end of the frame.
fn buffer_d(frag_coord: vec2f) -> vec4f {
    let block = waves::block_of(frag_coord);
    let blocks = field_blocks();
    let next = waves::next_height(
        waves::load(buffers::buffer_b, block, blocks),
        waves::load(buffers::buffer_c, block, blocks),
        wave_step(),
    );
    return content(block, blocks, place_now(), next, HIGHEST);
}

// ---- The water -----------------------------------------------------------------

const FAR: f32 = 1500.0;
const POND_DEPTH: f32 = 0.85;
const REFRACTION: f32 = 0.75;
// Largest distance from a surface to an object that throws a shadow on it.
const LONGEST_SHADOW: f32 = 8.0;
const SUN_ANGLE: f32 = 0.03;
const BREEZE: f32 = 0.0011;

// The field of this frame as the picture reads it.
struct Field {
    // Lower left corner in cells.
    origin: vec2f,
    blocks: i32,
}

var<private> field: Field;
var<private> to_sun: vec3f;
var<private> sun_color: vec3f;

fn current_field() -> Field {
    let place = stored_place(buffers::d(vec2i(0)));
    return Field(f32(waves::BLOCK) * place.origin, field_blocks());
}

// The field's waves at p, xz of the world, in world units: they fade toward the field's edge
// and where they are finer than `footprint`, the width of water under a pixel.
fn field_at(p: vec2f, footprint: f32) -> waves::Surface {
    let side = f32(waves::BLOCK * field.blocks);
    var cell = p / CELL - field.origin;
    let period = f32(waves::BLOCK) * BLOCKS_PER_PERIOD;
    cell.x -= period * round((cell.x - 0.5 * side) / period);
    let found = waves::surface_at(buffers::buffer_d, cell, field.blocks);
    let from_edge = 0.5 * side - abs(cell - 0.5 * side);
    let fine = 6.0 * footprint;
    let weight = smoothstep(2.0, SPONGE + 10.0, min(from_edge.x, from_edge.y)) * exp(-fine * fine);
    return waves::Surface(
        weight * found.height,
        weight / CELL * found.slope,
        weight / (CELL * CELL) * found.curvature,
    );
}

// Sunlight on the floor under p, xz of the world, relative to that under level water. The
// surface bends light by its slope; what falls on p entered where this brings it there, and is
// gathered or spread by the surface's curvature there (the determinant of the map from surface
// to floor).
fn caustic(p: vec2f, footprint: f32, loop_phase: f32) -> f32 {
    let bend = (1.0 - REFRACTION) * POND_DEPTH;
    let entry = p - bend * field_at(p, footprint).slope;
    let curvature = bend * field_at(entry, footprint).curvature;
    let stretch = (1.0 + curvature.x) * (1.0 + curvature.y) - curvature.z * curvature.z;
    // Crests of the breeze focus the light: a web.
    let crest = 1.0 - min(abs(water::wind(p, loop_phase, footprint).x + 0.15), 1.0);
    let web = 0.66 + 0.9 * crest * crest * crest * crest;
    // The sun is no point: folds of light are soft.
    return web * inverseSqrt(stretch * stretch + 0.07);
}

// ---- The floor -----------------------------------------------------------------

// A layer of pebbles, one to each cell of size 1 at most.
struct Pebbles {
    albedo: vec3f,
    // Fraction of the pixel that they cover.
    coverage: f32,
    // Slope of their surface, and darkness of the gap around them.
    slope: vec2f,
    gap: f32,
}

// `mask` + 1 cells are the period, a power of two.
fn pebbles(p: vec2f, footprint: f32, mask: i32, seed: u32) -> Pebbles {
    let cell = floor(p);
    let repeated = vec2i(cell) & vec2i(mask);
    let word = bitcast<u32>(repeated.x) * 0x9E3779B1u + bitcast<u32>(repeated.y) * 0x85EBCA77u;
    let random = noise::random_of(word + seed);
    let axis = normalize(random.zw - 0.5 + vec2f(1e-3, 0.0));
    let size = 0.26 + 0.20 * random.x;
    let offset = p - cell - 0.5 - (0.46 - size) * (2.0 * random.yz - 1.0);
    let turned = vec2f(dot(offset, axis), dot(offset, vec2f(-axis.y, axis.x))) / size;
    let shaped = turned * vec2f(1.0, 1.12 + 0.5 * random.w);
    let r = length(shaped);
    let edge = 0.06 + footprint / size;
    let coverage = 1.0 - smoothstep(1.0 - edge, 1.0 + edge, r);
    let tone = fract(random.x * 37.0 + random.w);
    let grey = mix(vec3f(0.10, 0.11, 0.11), vec3f(0.44, 0.41, 0.36), tone * tone);
    let warm = mix(vec3f(0.20, 0.12, 0.07), vec3f(0.62, 0.50, 0.36), tone);
    let albedo = mix(grey, warm, smoothstep(0.45, 0.75, fract(random.y * 17.0)));
    let slope = -shaped * r * r;
    let world_slope = slope.x * axis + slope.y * vec2f(-axis.y, axis.x);
    return Pebbles(albedo, coverage, world_slope, 1.0 - smoothstep(0.85, 1.35, r));
}

// The floor at one point.
struct Floor {
    albedo: vec3f,
    normal: vec3f,
}

fn layered(below_them: Floor, layer: Pebbles, relief: f32) -> Floor {
    let shaded = below_them.albedo * (1.0 - 0.6 * layer.gap);
    let normal = vec3f(-relief * layer.slope.x, 1.0, -relief * layer.slope.y);
    return Floor(
        mix(shaded, layer.albedo, layer.coverage), mix(below_them.normal, normal, layer.coverage));
}

// Sand under three sizes of pebbles at p, xz of the world. What is finer than `footprint` fades.
fn floor_at(p: vec2f, footprint: f32) -> Floor {
    let large = noise::value_noise(0.5 * p, 15u, 3u);
    let grain = noise::value_noise(24.0 * p, 767u, 5u).x * exp(-300.0 * footprint * footprint);
    let sand = mix(vec3f(0.20, 0.17, 0.12), vec3f(0.40, 0.34, 0.24), 0.5 + 0.5 * large.x);
    var found = Floor(sand * (1.0 + 0.25 * grain), vec3f(0.0, 1.0, 0.0));
    let fine = noise::next_octave(noise::next_octave(p));
    found = layered(found, pebbles(fine, 5.0 * footprint, 31, 11u), 1.0);
    found = layered(found, pebbles(fine + 0.5, 5.0 * footprint, 31, 12u), 1.0);
    let middle = noise::next_octave(p);
    found = layered(found, pebbles(middle, 2.24 * footprint, 31, 13u), 1.1);
    found = layered(found, pebbles(p + 0.5, footprint, 31, 14u), 1.2);
    return Floor(found.albedo, normalize(found.normal));
}

// ---- Light ---------------------------------------------------------------------

fn light_of_day() {
    let height = radians(clamp(params.sun_height, 4.0, 80.0));
    to_sun = vec3f(cos(height) * vec2f(-0.73, -0.6834), sin(height)).xzy;
    let low = exp(-4.0 * to_sun.y);
    sun_color = mix(vec3f(3.0, 2.7, 2.3), vec3f(3.6, 1.75, 0.62), low * 1.6);
}

// Radiance of the open sky in a unit direction, without the sun's disc.
fn open_sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, to_sun), 0.0);
    let level = direction.xz * inverseSqrt(max(dot(direction.xz, direction.xz), 1e-6));
    let sunward = 0.5 + 0.5 * dot(level, normalize(to_sun.xz));
    let horizon = mix(vec3f(0.55, 0.33, 0.36), vec3f(1.30, 0.56, 0.17), sunward * sunward);
    let middle = mix(vec3f(0.20, 0.26, 0.44), vec3f(0.48, 0.40, 0.46), sunward * sunward);
    let zenith = vec3f(0.035, 0.09, 0.22);
    let air = mix(mix(zenith, middle, exp(-2.6 * up)), horizon, exp(-7.5 * up));
    let glow = pow(toward, 24.0);
    let glare = 0.30 * pow(toward, 6.0) + 0.9 * glow + 2.5 * pow(glow, 40.0);
    return air + vec3f(1.2, 0.55, 0.18) * glare;
}

// Fraction of the clouds in front of the sky, in a unit direction.
fn clouds(direction: vec3f) -> f32 {
    // Long banks across the sun's way, on a plane above.
    let p = direction.xz / (max(direction.y, 0.0) + 0.10);
    let along = vec2f(dot(p, vec2f(-0.73, -0.6834)), 0.35 * dot(p, vec2f(0.6834, -0.73)));
    let sum = noise::value_noise(1.1 * along, 255u, 31u).x
        + 0.5 * noise::value_noise(2.9 * along + 7.0, 255u, 32u).x
        + 0.25 * noise::value_noise(7.3 * along + 3.0, 255u, 33u).x;
    return smoothstep(0.0, 0.9, sum) * smoothstep(0.0, 0.10, direction.y);
}

// Coverage by reeds on the far shore. `turn` is the direction's angle in turns, `up` its height,
// both at least 0 and small; `blur` the angle under which a pixel sees it.
fn reeds(turn: f32, up: f32, blur: f32) -> f32 {
    let cells = 1024.0;
    // Blades lean.
    let at = cells * turn + 22.0 * up * sin(13.0 * path::TAU * turn);
    let cell = floor(at);
    let random = noise::random_of((u32(i32(cell)) & 1023u) + 4096u);
    // Blades stand in clumps.
    let clump = smoothstep(
        0.45, 0.85, 0.5 + 0.5 * sin(7.0 * path::TAU * turn) * cos(19.0 * path::TAU * turn + 1.0));
    let tip = 0.075 * (0.35 + 0.65 * random.x) * clump;
    let width = 0.24 * clamp(1.0 - up / (tip + 1e-3), 0.0, 1.0);
    let off = abs(at - cell - 0.35 - 0.3 * random.z);
    let soft = 0.05 + blur * cells / path::TAU;
    return clamp((width - off) / soft + 0.5, 0.0, min(2.0 * width / soft, 1.0))
        * smoothstep(0.0, 0.008, up);
}

// What stands on the far shore in a direction, each 1 where it hides what is behind: x = distant
// trees, y = near trees, z = reeds. `blur` is the angle under which a pixel sees it.
fn shore(direction: vec3f, blur: f32) -> vec3f {
    let up = max(direction.y, 0.0);
    let turn = 0.5 + atan2(direction.z, direction.x) / path::TAU;
    let large = noise::value_noise(vec2f(16.0 * turn, 0.5), 15u, 8u).x;
    let middle = noise::value_noise(vec2f(64.0 * turn, 0.5), 63u, 9u).x;
    let fine = noise::value_noise(vec2f(300.0 * turn, 0.5), 0xffffffffu, 10u).x
        + 0.5 * noise::value_noise(vec2f(900.0 * turn, 0.5), 0xffffffffu, 11u).x;
    let distant = 0.044 - 0.012 * large + 0.008 * middle + 0.002 * fine;
    let near = 0.036 + 0.058 * large + 0.014 * middle + 0.0055 * fine;
    let soft = 0.002 + blur;
    return vec3f(
        1.0 - smoothstep(distant - soft, distant + soft, up),
        1.0 - smoothstep(near - soft, near + soft, up),
        reeds(turn, up, blur),
    );
}

// Radiance of the surroundings in a unit direction.
fn surroundings(direction: vec3f, blur: f32) -> vec3f {
    let toward = max(dot(direction, to_sun), 0.0);
    let lit = mix(vec3f(0.46, 0.22, 0.26), vec3f(1.7, 0.66, 0.22), toward * toward);
    let sky = mix(open_sky(direction), lit, 0.75 * clouds(direction));
    let disc = smoothstep(0.99980, 0.99994, toward);
    let hidden = shore(direction, blur);
    let up = max(direction.y, 0.0);
    let mist = open_sky(normalize(vec3f(direction.x, 0.02, direction.z)));
    // Mist lies on the water.
    let low = exp(-80.0 * up);
    let distant = mix(vec3f(0.05, 0.07, 0.09), 0.55 * mist, 0.45 + 0.4 * low);
    let near = mix(vec3f(0.012, 0.020, 0.018), 0.9 * mist, 0.03 + 0.75 * low);
    let reed = mix(vec3f(0.010, 0.012, 0.008), 0.9 * mist, 0.02 + 0.6 * low);
    let far = mix(sky + vec3f(40.0, 22.0, 9.0) * disc, distant, hidden.x);
    return mix(mix(far, near, hidden.y), reed, hidden.z);
}

fn sun_light() -> rays::DiscLight {
    return rays::DiscLight(to_sun, SUN_ANGLE, LONGEST_SHADOW);
}

// A refracted ray in the water.
struct Below {
    // Its point on the pond's floor, in world space.
    floor: vec3f,
    // Length of the ray in the water.
    path_length: f32,
    // Point of the level surface at which the sunlight that falls there enters, xz of the world.
    entry: vec2f,
}

// The ray that meets the water at p along the unit vector `direction`, refracted at `normal`.
fn below(p: vec3f, direction: vec3f, normal: vec3f) -> Below {
    let down = refract(direction, normal, REFRACTION);
    let path_length = POND_DEPTH / max(-down.y, 0.2);
    let floor = p + path_length * down;
    let sunward = refract(-to_sun, vec3f(0.0, 1.0, 0.0), REFRACTION);
    return Below(floor, path_length, floor.xz + POND_DEPTH / sunward.y * sunward.xz);
}

// Radiance of the pond's floor; `visibility` is the fraction of the sun that the animal does
// not hide.
fn shade_floor(below_water: Below, visibility: f32, footprint: f32, loop_phase: f32) -> vec3f {
    let gathered = caustic(below_water.entry, footprint, loop_phase);
    let ground = floor_at(below_water.floor.xz, footprint);
    let sunward = refract(-to_sun, vec3f(0.0, 1.0, 0.0), REFRACTION);
    let facing = (max(dot(ground.normal, -sunward), 0.0) + 0.1) * to_sun.y / -sunward.y;
    let lit = ground.albedo
        * (1.15 * sun_color * facing * visibility * gathered + vec3f(0.15, 0.21, 0.26));
    let deep = palette::linear_from_display(params.water_color);
    // Water absorbs most what its colour lacks.
    let clear = deep / max(max(deep.x, max(deep.y, deep.z)), 1e-3);
    let left = exp(-mix(vec3f(0.75), vec3f(0.10), clear) * below_water.path_length);
    return mix(0.55 * deep, lit, left);
}

// Radiance of the animal at the hit point q of body space, seen along `direction` (world
// space); `visibility` is the fraction of the sun that is not hidden.
fn shade_animal(
    hit: raymarch::Hit,
    q: vec3f,
    direction: vec3f,
    visibility: f32,
    on_leg: bool,
) -> vec3f {
    let material = strider::animal_material(
        q, strider::animal.body.world_from_body * hit.normal, on_leg);
    let irradiance = light::hemisphere(
        material.normal, vec3f(0.50, 0.46, 0.48), vec3f(0.30, 0.24, 0.16));
    let reflection = open_sky(reflect(direction, material.normal));
    return light::shade(
        material,
        direction,
        light::DirectionalLight(to_sun, sun_color),
        visibility,
        irradiance,
        reflection,
    );
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32) -> camera::Camera {
    let w = path::TAU / LOOP_SECONDS * time;
    let path_point = path::point_at(strider::WALK.stride * time / strider::WALK.period);
    let yaw = 0.98 + 0.30 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.20 + 0.03 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.08, 1.4);
    let middle = vec3f(path_point.x - 0.1, 0.36, path_point.y);
    return camera::orbit(
        middle, yaw, pitch, 7.0 / frame::frame.orbit.z, 0.295 * frame::widened(1.4));
}

// Where the pointer touches the water, xz of the world, and 1 in z if it does.
fn pointer_on_water(eye: camera::Camera, body: vec3f) -> vec3f {
    let direction = camera::ray_direction(eye, frame::centred(frame::frame.mouse.xy + 0.5));
    let t = eye.position.y / max(-direction.y, 0.01);
    let p = eye.position + t * direction;
    let is_held = frame::frame.mouse.z > 0.0 && direction.y < -0.01
        && distance(p.xz, body.xz) < 9.0;
    return vec3f(p.xz, select(0.0, 1.0, is_held));
}

fn per_frame(index: u32) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let data = strider::frame_data_of(camera_at(time), time);
    var packed = strider::pack_frame_data(data);
    let touched = pointer_on_water(data.eye, data.body.position);
    packed[6].w = touched.x;
    packed[7].w = touched.y;
    packed[8].w = touched.z;
    return packed[index];
}

#ifdef REFERENCE

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return p.y;
}

#endif

// Layers of a pixel from front to back, one bit each.
const ANIMAL: u32 = 1u;
const FLOOR: u32 = 2u;
const MIRROR: u32 = 4u;

fn main_image(frag_coord: vec2f) -> vec4f {
    let loop_phase = frame::looped(LOOP_SECONDS) / LOOP_SECONDS;
    light_of_day();
    field = current_field();
    let eye = strider::unpack_camera();
    strider::animal = strider::unpack_animal();
    rays::body = strider::animal.body;
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    let to_water = water::trace(eye.position, direction, 0.0, FAR);
    let is_water = to_water < FAR;
    let p = eye.position + to_water * direction;
    let footprint = pixel * to_water / max(-direction.y, 0.05);
    let slope = field_at(p.xz, pixel * to_water).slope
        + BREEZE * water::wind(p.xz, loop_phase, footprint).yz;
    let tilted = normalize(vec3f(-slope.x, 1.0, -slope.y));
    // Water that is turned away is hidden by the wave before it: its normal is turned back.
    let facing = max(min(0.10, -0.6 * direction.y) - dot(tilted, -direction), 0.0);
    let normal = normalize(tilted - facing * direction);
    var reflected = reflect(direction, normal);
    // Rays that waves would send to the horizon or below it leave by the next wave.
    reflected.y = sqrt(reflected.y * reflected.y + 0.0004 + 0.35 * dot(slope, slope));
    reflected = normalize(reflected);
    let below_water = below(p, direction, normal);
    // Weights of the light from the water: transmittance of the mist, Fresnel reflectance.
    let transmittance = select(1.0, exp(-0.00016 * to_water * to_water), is_water);
    let n_dot_v = max(dot(normal, -direction), -0.8 * direction.y);
    let reflectance = select(1.0, shading::fresnel(n_dot_v, 0.02), is_water);

    // The reflected ray starts `to_water` before the water, so that its width continues.
    // One loop for both: half the code for drivers to compile.
    var direct_ray: rays::Ray;
    var mirrored_ray: rays::Ray;
    for (var i = 0; i < 2; i++) {
        mirrored_ray = direct_ray;
        let is_direct = i == 1;
        direct_ray = rays::ray_to_body(
            select(p - to_water * reflected, eye.position, is_direct),
            select(reflected, direction, is_direct),
            select(to_water, 0.0, is_direct),
            select(2.0 * FAR, to_water + 0.02, is_direct),
            pixel,
            strider::EXTENT,
        );
    }

    // One loop for all layers, of which most pixels have one.
    var layers = select(ANIMAL, 0u, rays::is_miss(direct_ray));
    if is_water {
        layers |= FLOOR | select(MIRROR, 0u, rays::is_miss(mirrored_ray));
    }
    var color = vec3f(0.0);
    var remaining = 1.0;
    var reflection_remaining = transmittance * reflectance;
    for (; layers != 0u && remaining > 0.0; layers &= layers - 1u) {
        let layer = layers & (~layers + 1u);
        let is_floor = layer == FLOOR;
        var ray = direct_ray;
        if layer == MIRROR {
            ray = mirrored_ray;
        }
        if is_floor {
            ray = rays::miss(ray);
        }
        let body_hit = rays::intersect(ray);
        let hit = body_hit.hit;
        let q = walk::to_body(strider::animal.body, ray.origin + hit.distance * ray.direction);
        let entry_in_body = walk::to_body(
            strider::animal.body, vec3f(below_water.entry.x, 0.004, below_water.entry.y));
        let shaded_point = select(q + 0.012 * hit.normal, entry_in_body, is_floor);
        let visibility = rays::visibility_at(
            shaded_point, hit.normal, 0.0, hit.distance, sun_light()).soft_shadow;
        if is_floor {
            color += remaining * transmittance * (1.0 - reflectance)
                * shade_floor(below_water, visibility, footprint, loop_phase);
            continue;
        }
        let radiance = hit.coverage
            * shade_animal(hit, q, ray.direction, visibility, body_hit.on_limb);
        if layer == MIRROR {
            color += remaining * reflection_remaining * radiance;
            reflection_remaining *= 1.0 - hit.coverage;
        } else {
            color += remaining * radiance;
            remaining *= 1.0 - hit.coverage;
        }
    }
    let blur = select(pixel, 0.003 + 0.3 * length(slope), is_water);
    let background = surroundings(select(direction, reflected, is_water), blur);
    let mist = open_sky(normalize(vec3f(direction.x, 0.03, direction.z)));
    color += remaining * (reflection_remaining * background + (1.0 - transmittance) * mist);

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.55);
    color *= 1.0 - 0.22 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(shading::tone_map_aces(0.72 * color)) + dither;
}
