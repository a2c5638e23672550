// Tracks: the insect crosses snow or sand that keeps its footprints, and the wind carries
// grains.
//
// Two buffers hold maps of the ground along the path (`strip`): `a` the height pressed in
// by feet and pointer, `b` the density of blowing grains. Ground far behind the insect is
// levelled, so the walk finds fresh ground in each round and the scene repeats. The
// insect itself (`insect`) follows from time, as in the scene `creature`.
//
// In the world, x points ahead, y up, z right; lengths are in world units.

#import tarsus::{bits, bounds, buffers, camera, frame, insect, land, noise, shading}
#import tarsus::tracks::strip
#import tarsus::{terrain, walk, walker}

struct Params {
    /// Ground {snow, sand} = snow
    ground: u32,
    /// Print depth [0, 0.2] = 0.1
    depth: f32,
    /// Wind [0, 2] = 1
    wind: f32,
    /// Grains [0, 2] = 1
    grains: f32,
    /// Sun height in degrees [5, 45] = 8
    sun_height: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after this time (seconds), once the first round has made its tracks.
const LOOP_SECONDS: f32 = 24.0;

fn is_sand() -> bool {
    return params.ground == 1u;
}

// ---- Camera and pointer --------------------------------------------------------

override fn walk::loop_route() -> walk::Loop {
    return walk::Loop(LOOP_SECONDS, 1.0);
}

// The speed is constant, so `walk` need not search for it.
override fn walk::pace(cycles: f32) -> f32 {
    return 1.0;
}

// Depth of standing feet below the surface.
const SINK: f32 = 0.025;

override fn walk::ground(p: vec2f) -> f32 {
    return terrain::height(p) - SINK;
}

// Distance along the path.
fn distance_at(time: f32) -> f32 {
    return walk::stride_length() * walk::cycles_at(time);
}

override fn walker::camera_at(time: f32, body: walk::Body) -> camera::Camera {
    let w = frame::TAU / LOOP_SECONDS * time;
    let path_point = walk::point_at(distance_at(time) - 0.75);
    let middle = vec3f(path_point.x, body.position.y - 0.15, path_point.y);
    let yaw = 0.70 + 0.14 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.21 + 0.02 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.02, 1.4);
    let away = vec3f(cos(yaw) * cos(pitch), sin(pitch), sin(yaw) * cos(pitch));
    var position = middle + 5.5 / frame::frame.orbit.z * away;
    position.y = max(position.y, terrain::height(position.xz) + 0.25);
    let tan_half_fov = 0.40 * frame::narrow_view_factor(1.25);
    let goal = middle + vec3f(0.0, 0.12, 0.0);
    return camera::look_at(position, goal, vec3f(0.0, 1.0, 0.0), tan_half_fov);
}

// The point of the ground under the pointer while the button is held: xy = xz of the
// world, z = 1; 0 if there is none.
fn finger_on_ground(view_camera: camera::Camera) -> vec3f {
    if frame::frame.mouse.z <= 0.0 {
        return vec3f(0.0);
    }
    let direction = camera::ray_direction(view_camera, frame::centred(frame::frame.mouse.xy));
    let distance = terrain::trace(view_camera.position, direction, 40.0);
    let p = view_camera.position + distance * direction;
    return vec3f(p.xz, f32(distance < 40.0));
}

// Indices of the feet that touched down recently and of the finger in the frame data.
const RECENT_FEET: u32 = 62u;
const FINGER: u32 = 63u;

fn per_frame(index: u32) -> vec4f {
    let value = walker::per_frame(index);
    if index == RECENT_FEET {
        let pressing = PRESSING_SECONDS + frame_seconds();
        return vec4f(feet_since(vec3f(pressing, KICKING_SECONDS, FLIGHT_SECONDS)), 0.0);
    }
    let finger = vec4f(finger_on_ground(walker::frame_camera), 0.0);
    return select(value, finger, index == FINGER);
}

fn finger_now() -> vec3f {
    return frame::per_frame_value(FINGER).xyz;
}

override fn insect::appearance() -> insect::Appearance {
    return insect::Appearance(vec3f(0.3318, 0.2975, 0.3171), vec3f(0.6652, 0.3734, 0.1897), 1.0);
}

// Seconds between two touch-downs of a foot.
fn cycle_seconds() -> f32 {
    return LOOP_SECONDS / walk::cycles_of_loop();
}

// Seconds since a leg's foot last touched down.
fn step_age(leg: u32) -> f32 {
    return walker::leg_of(leg).age;
}

// For each of three times, the legs, one bit each, whose feet touched down less than `seconds`
// ago. Valid in `per_frame`.
fn feet_since(seconds: vec3f) -> vec3f {
    var feet = vec3u(0u);
    for (var leg = 0u; leg < walker::LEGS; leg++) {
        feet |= select(vec3u(0u), vec3u(1u << leg), vec3f(walker::footfall_ages[leg]) < seconds);
    }
    return vec3f(feet);
}

// The feet that sink in during this frame, kick up grains and have grains in flight.
fn recent_feet() -> vec3u {
    return vec3u(frame::per_frame_value(RECENT_FEET).xyz);
}

// Seconds since the previous frame.
fn frame_seconds() -> f32 {
    return clamp(frame::frame.time_delta, 0.0, LOOP_SECONDS);
}

// Offset of a leg's neutral foothold from the path, in body space.
fn neutral_foot(leg: u32) -> vec2f {
    return walker::plan(walker::row_of(leg)).foot * vec2f(1.0, walker::side_of(leg));
}

// Foothold of a leg, `before` steps before its most recent one, in xz of the world. The walk
// is even, so that no search is needed as in `walk::foothold`.
fn last_foothold(leg: u32, time: f32, before: f32) -> vec2f {
    let touchdown = walk::cycles_at(time) - step_age(leg) / cycle_seconds() - before;
    return walk::offset_point(walk::place(touchdown + 0.5 * walk::stride().duty), neutral_foot(leg));
}

// ---- Footprints and grooves (buffer a) -------------------------------------------

// Radius of a footprint, and of the groove that the pointer draws.
const PRINT: f32 = 0.08;
const GROOVE: f32 = 0.14;
// Seconds a foot takes to sink in.
const PRESSING_SECONDS: f32 = 0.12;
// Seconds since a step before the first frame.
const LONG_AGO: f32 = 100.0;
// Number of steps per leg whose prints exist at the first frame.
const OLD_STEPS: i32 = 18;

// Distance behind the insect: from 0 at its middle to the path's period, ahead of it.
fn distance_behind(spots: strip::CellPoints, time: f32) -> vec4f {
    let way = -strip::along_from(distance_at(time), spots);
    return select(way, way + terrain::PERIOD, way < vec4f(-4.0));
}

// Fraction of a foot's weight on the ground, `age` seconds after it touched down.
fn weight_on_foot(age: f32) -> f32 {
    return smoothstep(0.0, PRESSING_SECONDS, age);
}

// 1 at 0, falling to 0 at -1 and 1.
fn bump(x: vec4f) -> vec4f {
    let rest = max(1.0 - x * x, vec4f(0.0));
    return rest * rest;
}

// A pit of radius 1 with steep walls, 1 inside and 0 outside; and its rim, a ring around
// it.
fn pit(distance: vec4f) -> vec4f {
    return 1.0 - smoothstep(vec4f(0.25), vec4f(1.3), distance);
}

fn rim(distance: vec4f) -> vec4f {
    return bump((distance - 1.65) / 0.95);
}

// Height around a footprint, for a depth of about 1: a pit with a crumbled rim that is higher
// toward the insect, and the marks of two claws. `along` and `across` are offsets from the
// foot, `along` away from the insect; `seed` varies outline and depth.
fn print_height(along: vec4f, across: vec4f, seed: f32) -> vec4f {
    let large = sin(2.0 * seed);
    let size = PRINT * (1.0 + 0.12 * large);
    let u = along / size;
    let v = across / size;
    let lumps = sin(1.4 * u + (1.7 - 0.6 * u) * v + seed);
    let distance = sqrt(0.62 * u * u + v * v) * (1.0 + 0.08 * lumps);
    let raised = rim(distance) * (0.24 - 0.13 * clamp(u, vec4f(-1.0), vec4f(1.0)))
        * (1.0 + 0.25 * lumps);
    let claws = bump((u - 1.35) / 0.85) * bump((abs(v) - 0.5) / 0.6);
    return (raised - pit(distance) - 0.3 * claws) * (0.85 + 0.15 * large);
}

// Height that the feet add at the spots in this frame; `since` is the time since the
// previous frame.
fn print_heights(spots: strip::CellPoints, time: f32, since: f32) -> vec4f {
    let is_first = since >= LONG_AGO;
    let recent_steps = i32(ceil((PRESSING_SECONDS + since) / cycle_seconds()));
    let steps = select(recent_steps, OLD_STEPS, is_first);
    var height = vec4f(0.0);
    let all = (1u << walker::LEGS) - 1u;
    for (var feet = select(recent_feet().x, all, is_first); feet != 0u; feet &= feet - 1u) {
        let leg = bits::lowest(feet);
        for (var step = 0; step < steps; step++) {
            let age = step_age(leg) + cycle_seconds() * f32(step);
            let foot = last_foothold(leg, time, f32(step));
            let ahead = walk::direction_at(foot.x);
            let x = strip::along_from(foot.x, spots);
            let z = spots.z - foot.y;
            // Repeats in each round.
            let seed = 37.0 * frame::TAU / terrain::PERIOD * foot.x + 2.1 * f32(leg);
            let out = normalize(mat2x2f(ahead, vec2f(-ahead.y, ahead.x)) * neutral_foot(leg));
            let print = print_height(x * out.x + z * out.y, z * out.x - x * out.y, seed);
            height += (weight_on_foot(age) - weight_on_foot(age - since)) * print;
        }
    }
    let old = select(vec4f(1.0), old_track_remainder(distance_behind(spots, time)), is_first);
    return params.depth * height * old;
}

// Fraction per second by which pits fill up, and diffusion of the heights (area per
// second).
const LEVELLING: f32 = 0.012;
const SLIDING: f32 = 0.00004;
// Far behind the insect all tracks fade: distance where this begins, distance over which
// it reaches the full rate, and that rate (fraction per second).
const LOSS_BEGINS: f32 = 17.0;
const LOSS_GROWS: f32 = 8.0;
const LOSS: f32 = 2.0;

// Rate at which tracks fade at the distance `way` behind the insect. Ground ahead of it
// is not affected.
fn loss(way: vec4f) -> vec4f {
    return LOSS * smoothstep(vec4f(LOSS_BEGINS), vec4f(LOSS_BEGINS + LOSS_GROWS), way)
        * (1.0 - smoothstep(vec4f(27.5), vec4f(28.5), way));
}

// Remainder of tracks older than the first frame, after LEVELLING and `loss`.
fn old_track_remainder(way: vec4f) -> vec4f {
    let seconds = cycle_seconds() / walk::stride_length();
    let u = clamp((way - LOSS_BEGINS) / LOSS_GROWS, vec4f(0.0), vec4f(1.0));
    // The integral of smoothstep.
    let lost = LOSS * LOSS_GROWS * (u * u * u - 0.5 * u * u * u * u);
    return exp(-seconds * (params.wind * LEVELLING * max(way, vec4f(0.0)) + lost));
}

// Heights of the previous frame after `seconds`: grains slide, the wind levels, and far
// behind the insect everything fades.
fn level_heights(texel: vec2i, spots: strip::CellPoints, time: f32, seconds: f32) -> vec4f {
    let here = strip::cells(buffers::buffer_a, texel);
    let around = strip::cells(buffers::buffer_a, texel + vec2i(1, 0))
        + strip::cells(buffers::buffer_a, texel - vec2i(1, 0))
        + strip::cells(buffers::buffer_a, texel + vec2i(0, 1))
        + strip::cells(buffers::buffer_a, texel - vec2i(0, 1));
    let cell = strip::cell_size();
    let slide = min(SLIDING * seconds / (cell * cell), 0.2);
    let filling = params.wind * LEVELLING + loss(distance_behind(spots, time));
    return (here + slide * (around - 4.0 * here)) * exp(-filling * seconds);
}

// Heights after the finger moved from `start` to `end` (both as in `finger_on_ground`).
fn draw_groove(height: vec4f, spots: strip::CellPoints, start: vec3f, end: vec3f) -> vec4f {
    let from_x = select(end.x, start.x, start.z > 0.5);
    let from_z = select(end.y, start.y, start.z > 0.5);
    let way = vec2f(end.x - from_x, end.y - from_z);
    let x = strip::along_from(from_x, spots);
    let z = spots.z - from_z;
    let part = clamp((x * way.x + z * way.y) / max(dot(way, way), 1e-8), vec4f(0.0), vec4f(1.0));
    let off_x = x - part * way.x;
    let off_z = z - part * way.y;
    let distance = sqrt(off_x * off_x + off_z * off_z) / GROOVE;
    // A ring of grains around the finger, except in the groove it has drawn.
    let ring = rim(distance);
    let free_weight = smoothstep(vec4f(-0.02), vec4f(-0.004), height) * min(4.0 * ring, vec4f(1.0));
    let raised = height + free_weight * max(0.3 * params.depth * ring - height, vec4f(0.0));
    let floor = mix(vec4f(0.2), vec4f(-params.depth), pit(distance));
    return select(height, min(raised, floor), end.z > 0.5);
}

// State of the previous frame, in the lowest row: x = layout of the map, yzw = the
// finger.
fn frame_state() -> vec4f {
    let cells = strip::size();
    return vec4f(f32(cells.x * 4096 + cells.y), finger_now());
}

fn buffer_a(frag_coord: vec2f) -> vec4f {
    let texel = vec2i(frag_coord);
    let spots = strip::cell_points(texel);
    let time = frame::loop_time(LOOP_SECONDS);
    let previous_state = buffers::a(vec2i(0));
    let now = frame_state();
    // The first frame begins with tracks, as if the insect had always walked.
    let is_first = previous_state.x != now.x;
    let seconds = frame_seconds();
    let old = select(level_heights(texel, spots, time, seconds), vec4f(0.0), is_first);
    let stepped = old + print_heights(spots, time, select(seconds, LONG_AGO, is_first));
    let height = draw_groove(stepped, spots, previous_state.yzw * f32(!is_first), now.yzw);
    return select(select(vec4f(0.0), height, spots.is_mapped), now, texel.y == 0);
}

// ---- Blown grains (buffer b) -----------------------------------------------------

// Speed of the wind along z: 80 units per round of the scene, so that gusts of length 4
// and 2.5 repeat with it.
const WIND: f32 = 80.0 / LOOP_SECONDS;
// Seconds until all but 1/e of the grains have fallen.
const FALLING_SECONDS: f32 = 0.45;
// Seconds during which a step kicks up grains.
const KICKING_SECONDS: f32 = 0.15;

// Strength of the gusts at a point of the ground, 0 to 1; they move with the wind.
fn gusts(x: vec4f, z: vec4f, time: f32) -> vec4f {
    let w = frame::TAU / terrain::PERIOD;
    let run = z - WIND * time;
    let slow = sin(w * 9.0 * x + frame::TAU / 4.0 * run);
    let fast = sin(w * 23.0 * x - frame::TAU / 2.5 * run + 2.0);
    return clamp(0.35 + 0.4 * slow + 0.35 * fast, vec4f(0.0), vec4f(1.0));
}

// Density of the grains over the ground: carried by the wind, lifted from raised edges
// and kicked up by touching feet.
fn buffer_b(frag_coord: vec2f) -> vec4f {
    let texel = vec2i(frag_coord);
    let spots = strip::cell_points(texel);
    let time = frame::loop_time(LOOP_SECONDS);
    let seconds = frame_seconds();
    let shift = params.wind * WIND * seconds / strip::cell_size();
    let whole = i32(floor(shift));
    let carried = mix(
        strip::cells(buffers::buffer_b, texel - vec2i(0, whole)),
        strip::cells(buffers::buffer_b, texel - vec2i(0, whole + 1)),
        shift - floor(shift),
    ) * exp(-seconds / FALLING_SECONDS) * (1.0 - smoothstep(2.0, 2.4, abs(spots.offset)));
    let height = strip::cells(buffers::buffer_a, texel);
    let fresh = exp(-0.35 * max(distance_behind(spots, time), vec4f(0.0)));
    let gust = gusts(spots.x, spots.z, time);
    let loose = max(height - 0.005, vec4f(0.0)) * gust * gust * fresh;
    var density = carried + params.grains * params.wind * 25.0 * seconds * loose;
    for (var feet = recent_feet().y; feet != 0u; feet &= feet - 1u) {
        let foot = last_foothold(bits::lowest(feet), time, 0.0);
        let x = strip::along_from(foot.x, spots);
        let z = spots.z - foot.y;
        density += params.grains * 1.5 * seconds * exp(-(x * x + z * z) / 0.05);
    }
    return select(vec4f(0.0), min(density, vec4f(4.0)), spots.is_mapped);
}

// Grains that fly up around a foot, in space: their lifetime (seconds) and the number per
// foot.
const FLIGHT_SECONDS: f32 = 0.55;
const GRAINS_PER_FOOT: u32 = 26u;

// Adds the flying grains and their finest dust.
override fn land::airborne(color: vec3f, direction: vec3f, distance: f32, pixel: f32) -> vec3f {
    let origin = walker::current_camera().position;
    var coverage = vec2f(0.0);
    var feet = 0u;
    for (var recent = recent_feet().z; recent != 0u; recent &= recent - 1u) {
        let leg = bits::lowest(recent);
        let age = step_age(leg);
        // A sphere around the grains, which drift and spread.
        let middle = foot_of(leg) + age * vec3f(-0.15, 0.6, 0.45 * params.wind);
        let span = bounds::sphere_span(origin, direction, middle, 0.28 + 1.25 * age);
        let is_near = bounds::is_hit(span) && span.t_near < distance;
        feet |= select(0u, 1u << leg, is_near);
    }
    for (; feet != 0u; feet &= feet - 1u) {
        let leg = bits::lowest(feet);
        let age = step_age(leg);
        // A standing foot is still where it touched down.
        let foot = foot_of(leg);
        let blown = vec3f(0.0, 0.0, 0.9 * params.wind * age * age);
        let puff = foot + vec3f(0.0, 0.03 + 0.25 * age, 0.4 * params.wind * age);
        let size = 0.09 + 0.42 * age;
        let left = 1.0 - age / FLIGHT_SECONDS;
        let along = dot(puff - origin, direction);
        let off = puff - origin - along * direction;
        let dust = exp(-dot(off, off) / (size * size)) * left * left
            * smoothstep(-size, size, distance - along);
        coverage.y += 0.10 * dust;
        // Rounded to be identical on every GPU, as the feet differ in their last bits.
        let seed = u32(i32(round(64.0 * foot.x))) + 977u * leg;
        for (var i = 0u; i < GRAINS_PER_FOOT; i++) {
            let random = noise::random_of(seed + 7919u * i);
            let turn = frame::TAU * random.x;
            let speed = 0.2 + 1.2 * random.y;
            let rise = 0.8 + 2.3 * random.z * random.z;
            let start = vec3f(cos(turn) * speed - 0.3, rise, sin(turn) * speed);
            let p = foot + start * age + blown - vec3f(0.0, 3.4 * age * age, 0.0);
            let at = dot(p - origin, direction);
            let away = p - origin - at * direction;
            let large = random.w * random.w;
            let radius = (0.003 + 0.013 * large * large) * sqrt(max(left, 1e-4));
            let width = max(radius, 0.7 * pixel * at);
            let covers = left * exp(-2.0 * dot(away, away) / (width * width))
                * min(1.3 * radius * radius / (width * width), 1.0);
            coverage.x += select(0.0, covers, at < distance && p.y > foot.y);
        }
    }
    coverage = min(params.grains * coverage, vec2f(1.0, 0.6));
    let grain = grain_radiance(direction, 1.0);
    return mix(mix(color, 1.3 * grain, coverage.y), 2.5 * grain, coverage.x);
}

fn foot_of(leg: u32) -> vec3f {
    return walk::to_world(walker::body(), walker::foot_of(leg));
}

// Streams of grains that the wind drives over the ground: x = density, 0 to 1, of loose
// grains; y = density of the threads in the streams. They repeat with the ground and with
// the scene: 32 cells along each.
fn streams(p: vec2f, time: f32) -> vec2f {
    let cells = 32.0 / LOOP_SECONDS * time;
    let coarse = noise::value_noise(vec2f(p.x, 0.4 * p.y - cells), 31u, 21u);
    let q = vec2f(4.0 * p.x + 0.9 * coarse.x, 0.8 * p.y - 2.0 * cells);
    let fine = noise::value_noise(q, 63u, 22u).x;
    let thread = smoothstep(-0.3, 0.9, fine);
    return vec2f(smoothstep(-0.05, 0.7, coarse.x) * thread * thread, thread * thread);
}

// ---- The ground ------------------------------------------------------------------

// Values of the ground at the point where `land::ground` was called last.
struct Grains {
    // Brightness of the grains that mirror the sun.
    glints: f32,
    // Density of the grains blowing over the ground.
    blown: f32,
}
var<private> grains: Grains;

// Visible fraction of the sun over the slopes of the tracks, at a place of the map where
// they have the height `height` and the weight `share`. `x` is the world coordinate of the
// point.
fn sun_in_tracks(at: strip::Place, x: f32, height: f32, share: f32) -> f32 {
    let sun = land::sunlight.direction;
    let run = length(sun.xz);
    let onward = strip::to_cells(sun.xz / run, x);
    var gap = 1.0;
    var way = 0.05;
    if at.inside * share > 0.01 {
        for (var i = 0; i < 4; i++) {
            let ahead = strip::value(buffers::buffer_a, strip::offset_place(at, way * onward));
            gap = min(gap, sun.y / run + (height - ahead) / way);
            way *= 1.87;
        }
    }
    return mix(1.0, smoothstep(-0.06, 0.12, gap), share);
}

// Place of a ground point on the map, which covers one round of the path. Ground farther
// behind or ahead of the insect has no tracks.
fn map_place(p: vec2f) -> strip::Place {
    var at = strip::place(p);
    let way = distance_at(walker::now()) - p.x;
    at.inside *= smoothstep(-9.0, -8.0, way) * (1.0 - smoothstep(22.0, 23.0, way));
    return at;
}

// Distance t along a ray at which it meets the tracks, between a point above them and one
// below: x = t, y = height above the tracks.
fn crossing(above: vec2f, below: vec2f) -> f32 {
    return mix(above.x, below.x, above.y / max(above.y - below.y, 1e-6));
}

// Intersection of a ray with the tracks: a few even steps, then refined where the ground is
// not flat. Tracks whose outlines are too fine for pixels become flat.
override fn land::displace_ground(p: vec3f, direction: vec3f, width: f32) -> vec3f {
    let at = map_place(p.xz);
    let down = max(-direction.y, 0.15);
    let onward = strip::to_cells(direction.xz, p.x);
    let step = 1.5 * params.depth / (6.0 * down);
    var t = -0.45 * params.depth / down;
    var above = vec2f(t - step, 0.1 * params.depth);
    var below = vec2f(0.0, 1.0);
    let footprint = width / down;
    let has_relief = at.inside > 0.0 && footprint < 0.2;
    if has_relief {
        for (var i = 0; i < 7 && below.y > 0.0; i++) {
            let gap = -down * t - strip::value(buffers::buffer_a, strip::offset_place(at, t * onward));
            above = select(above, vec2f(t, gap), gap > 0.0);
            below = select(vec2f(t, gap), below, gap > 0.0);
            t += step;
        }
    }
    let is_missed = below.y > 0.0;
    let heights = vec2f(above.y, below.y) + down * vec2f(above.x, below.x);
    let is_flat = max(abs(heights.x), abs(heights.y)) < 1e-3;
    if !is_missed && !is_flat {
        for (var i = 0; i < 2; i++) {
            // The chord alone converges slowly from one side.
            t = select(crossing(above, below), 0.5 * (above.x + below.x), i == 0);
            let gap = -down * t - strip::value(buffers::buffer_a, strip::offset_place(at, t * onward));
            above = select(above, vec2f(t, gap), gap > 0.0);
            below = select(vec2f(t, gap), below, gap > 0.0);
        }
    }
    let t_hit = select(crossing(above, below), 0.0, is_missed);
    return p + t_hit * exp(-150.0 * footprint * footprint) * direction;
}

// Flat grains at p that mirror the sun toward the camera: one per cell of a grid whose
// cells are about two pixels wide. The grid repeats with the ground.
fn glints_at(p: vec2f, direction: vec3f, width: f32) -> f32 {
    let level = clamp(ceil(log2(2.2 * width)), -7.0, -2.0);
    let cell = exp2(level);
    let at = floor(p / cell);
    let column = u32(i32(at.x)) & (u32(terrain::PERIOD / cell) - 1u);
    let random = noise::random_of(
        column * 0x9E3779B1u + u32(i32(at.y)) * 0x85EBCA77u + u32(i32(level)));
    let off = (p / cell - at) - (0.3 + 0.4 * random.xy);
    // Most lie flat, so that they shine toward the sun, and few are bright or large.
    let facet = normalize(vec3f(1.5 * (random.z - 0.5), 1.0, 1.5 * (random.w - 0.5)));
    let mirrored = dot(facet, normalize(land::sunlight.direction - direction));
    let large = pow(fract(64.0 * random.x), 7.0);
    return 2.5 * large * large * exp(mix(-80.0, -35.0, large) * dot(off, off) - 25.0 * width)
        * smoothstep(0.972, 0.9995, mirrored);
}

override fn land::ground(p: vec3f, footprint: f32) -> land::Ground {
    let at = map_place(p.xz);
    let tracks = strip::value_and_slope(buffers::buffer_a, at, p.x);
    let drift = strip::value(buffers::buffer_b, at);
    let tone = noise::value_noise(p.xz * 0.25, 7u, 5u).x;
    // Relief finer than a pixel fades to its mean to avoid flicker.
    let near = exp(-60.0 * footprint * footprint);
    let untouched = near * exp(-900.0 * tracks.x * tracks.x) * (0.7 + 0.5 * tone);
    // Prints fade before their outlines are too fine for the pixels.
    let print_share = exp(-90.0 * footprint * footprint);
    var slope = tracks.yz * print_share;
    let grain = noise::value_noise(p.xz * 64.0, 2047u, 3u).x * exp(-900.0 * footprint * footprint);
    var albedo = vec3f(0.0);
    let pit = print_share * clamp(-12.0 * tracks.x, 0.0, 1.0);
    let wave = select(vec2f(9.0, 36.0), vec2f(13.0, 122.0), is_sand())
        * frame::TAU / terrain::PERIOD;
    let waves = noise::ripples(p.xz, wave, select(6.0, 5.0, is_sand()));
    slope += select(0.016, 0.0075, is_sand()) * waves.yz * untouched;
    if is_sand() {
        albedo = mix(vec3f(0.36, 0.235, 0.135), vec3f(0.45, 0.32, 0.20), 0.5 + 0.5 * tone);
        albedo *= (1.0 + 0.07 * grain + 0.08 * waves.x * untouched) * (1.0 - 0.3 * pit);
    } else {
        albedo = mix(vec3f(0.80, 0.82, 0.86), vec3f(0.42, 0.53, 0.72), 0.8 * pit);
        albedo *= 1.0 + 0.03 * grain;
    }
    let view_camera = walker::current_camera();
    let way = p - view_camera.position;
    let width = frame::pixel_size() / view_camera.focal_length * length(way);
    let direction = normalize(way);
    let stream = streams(p.xz, walker::now()) * exp(-2.0 * footprint);
    let blown = drift * (0.15 + 2.4 * stream.y) + 0.5 * params.wind * params.grains * stream.x;
    let sunlight = sun_in_tracks(at, p.x, tracks.x, print_share);
    let glints = glints_at(p.xz, direction, width) * select(1.0, 0.35, is_sand());
    grains = Grains(glints * sunlight, blown);
    return land::Ground(albedo, slope, select(0.15, 0.35, is_sand()), sunlight);
}

override fn land::ground_radiance(radiance: vec3f, direction: vec3f, visible: f32) -> vec3f {
    let veil = 0.7 - 0.7 * exp(-grains.blown * 0.3 / max(-direction.y, 0.12));
    let shining = radiance + 2.5 * grains.glints * visible * land::sunlight.color;
    return mix(shining, grain_radiance(direction, visible), veil);
}

// ---- Light ---------------------------------------------------------------------

override fn land::sun() -> land::Sun {
    let height = radians(params.sun_height);
    let toward = vec3f(cos(height) * vec2f(-0.974, -0.225), sin(height)).xzy;
    let low = 1.0 - smoothstep(20.0, 45.0, params.sun_height);
    let color = mix(vec3f(3.4, 2.9, 2.3), vec3f(6.2, 3.0, 1.25), low);
    return land::Sun(toward, 0.03, color);
}

override fn land::sky(direction: vec3f) -> vec3f {
    let late = shading::sky(direction, land::sunlight.direction);
    let clear = 1.0 - exp(-5.0 * max(direction.y, 0.0));
    let evening = mix(late * vec3f(0.95, 0.80, 0.95), vec3f(0.10, 0.20, 0.52), 0.75 * clear);
    return select(evening, late, is_sand());
}

// Strands of high cloud that catch the low sun, and bright air below it.
override fn land::backdrop(direction: vec3f) -> vec3f {
    let above = direction.xz / (max(direction.y, 0.0) + 0.10);
    let p = vec2f(0.4 * above.x - 0.9 * above.y, 0.9 * above.x + 0.4 * above.y);
    // Billows, then strands, which they bend, in a loop: drivers compile the noise once. There
    // are no clouds below 0.02.
    var streak = 0.0;
    var sum = 0.0;
    if direction.y > 0.02 {
        for (var i = 0u; i < 2u; i++) {
            let scale = select(vec2f(0.8), vec2f(0.7, 3.1), i == 1u);
            streak = noise::value_noise(scale * p + 0.9 * streak, 63u, 11u + i).x;
            sum += (0.6 - 0.1 * f32(i)) * streak;
        }
    }
    let cover = smoothstep(-0.1, 0.9, sum);
    let below = max(dot(normalize(direction.xz), normalize(land::sunlight.direction.xz)), 0.0);
    let glow = vec3f(1.3, 0.55, 0.13) * pow(below, 40.0) * exp(-9.0 * max(direction.y, 0.0));
    let lit = (0.10 + 0.10 * below * below) * land::sunlight.color + vec3f(0.10, 0.08, 0.14);
    // White in the middle, red toward the limb.
    let disc = shading::sun_disc(
        direction, land::sunlight.direction, -walker::current_camera().world_from_view[2]);
    let tint = mix(vec3f(1.0, 0.55, 0.25), vec3f(1.0), disc);
    return mix(land::sky(direction), lit, 0.6 * cover * smoothstep(0.02, 0.16, direction.y))
        + glow + 1.8 * disc * tint * land::sunlight.color;
}

override fn land::sky_light(n: vec3f) -> vec3f {
    let above = select(vec3f(0.11, 0.19, 0.42), vec3f(0.36, 0.46, 0.66), is_sand());
    // Sunlit snow lights the insect from below.
    let below = select(vec3f(0.95, 0.78, 0.80), vec3f(0.42, 0.27, 0.15), is_sand());
    let west = 0.5 + 0.5 * dot(n, land::sunlight.direction);
    let glow = select(vec3f(0.13, 0.06, 0.04), vec3f(0.55, 0.36, 0.20), is_sand());
    let facing_down = 0.5 - 0.5 * n.y;
    return mix(above, below, smoothstep(0.15, 0.65, facing_down)) + glow * west * west;
}

override fn land::bounce() -> vec3f {
    return select(vec3f(0.66, 0.57, 0.60), vec3f(0.34, 0.21, 0.12), is_sand());
}

// Snow and sand return light to the underside of the insect.
override fn land::least_skylight() -> f32 {
    return 0.6;
}

// Footprints are in the map.
override fn land::softness() -> vec2f {
    return vec2f(0.0, 0.12);
}

override fn land::fog_density() -> f32 {
    return 0.028;
}

override fn land::exposure() -> f32 {
    return 0.55;
}

// Radiance of airborne grains where the fraction `lit` of the sun is visible. Forward
// scattering makes them bright against the sun.
fn grain_radiance(direction: vec3f, lit: f32) -> vec3f {
    let ahead = max(dot(direction, land::sunlight.direction), 0.0);
    let albedo = select(vec3f(0.9), vec3f(0.55, 0.40, 0.26), is_sand());
    let scattered = land::sunlight.color * lit * (0.07 + 0.5 * ahead * ahead * ahead);
    return albedo * (scattered + vec3f(0.20, 0.26, 0.38));
}

// ---- The image -----------------------------------------------------------------

fn main_image(frag_coord: vec2f) -> vec4f {
    insect::prepare();
    return land::main_image(frag_coord);
}
