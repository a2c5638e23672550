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
#import tarsus::evening::{light_of_day, open_sky, sun_color, surroundings, to_sun}
#import tarsus::frame
#import tarsus::light
#import tarsus::palette
#import tarsus::path
#import tarsus::pebbles::floor_at
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

// ---- Light ---------------------------------------------------------------------

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
    light_of_day(params.sun_height);
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
