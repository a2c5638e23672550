// A beach animal after Theo Jansen: 24 legs on one crankshaft, and a sail.
//
// Each leg is a linkage of ten bars that a crank drives. Nothing in it is animated: every
// joint is where two circles meet, the article's solution, five times per leg. The bars are
// drawn lane by lane from front to back, each in closed form, so nothing is marched.

#import tarsus::{camera, frame, ik, noise, palette, shading}

struct Params {
    /// Height of the sun in degrees [4, 50] = 9
    sun_height: f32,
    /// Bearing of the sun in degrees [-180, 180] = -147
    sun_bearing: f32,
    /// Colour of the sail = #f2dcae
    sail_color: vec3f,
    /// Colour of the pipes = #f2d8a4
    pipe_color: vec3f,
    /// Wind in the sail [0, 1.5] = 1
    wind: f32,
    /// Water on the sand [0, 1] = 0.75
    wetness: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after six turns of the crank, as do the sand and the sea.
const LOOP_SECONDS: f32 = 18.0;
const LOOP_TURNS: f32 = 6.0;

// ---- The linkage -----------------------------------------------------------------

// Jansen's eleven bars, in metres, under his names.
const BAR_B: f32 = 0.415;
const BAR_C: f32 = 0.393;
const BAR_D: f32 = 0.401;
const BAR_E: f32 = 0.558;
const BAR_F: f32 = 0.394;
const BAR_G: f32 = 0.367;
const BAR_H: f32 = 0.657;
const BAR_I: f32 = 0.490;
const BAR_J: f32 = 0.500;
const BAR_K: f32 = 0.619;
const CRANK_M: f32 = 0.150;
// The fixed pivot, a behind the crank's axis and l below it.
const PIVOT: vec2f = vec2f(-0.380, -0.078);

// Joints of a leg behind the crankshaft, relative to its axis.
struct Linkage {
    pin: vec2f,
    upper: vec2f,
    outer: vec2f,
    lower: vec2f,
    knee: vec2f,
    foot: vec2f,
}

// The point `from_a` away from a and `from_b` away from b, left of the way from a to b for
// side = 1.
fn meet(a: vec2f, from_a: f32, b: vec2f, from_b: f32, side: f32) -> vec2f {
    return a + ik::solve2_clamp(b - a, from_a, from_b, side).mid;
}

fn linkage(angle: f32) -> Linkage {
    let pin = CRANK_M * vec2f(cos(angle), sin(angle));
    let upper = meet(PIVOT, BAR_B, pin, BAR_J, 1.0);
    let outer = meet(PIVOT, BAR_D, upper, BAR_E, 1.0);
    let lower = meet(PIVOT, BAR_C, pin, BAR_K, -1.0);
    let knee = meet(lower, BAR_G, outer, BAR_F, 1.0);
    let foot = meet(lower, BAR_I, knee, BAR_H, 1.0);
    return Linkage(pin, upper, outer, lower, knee, foot);
}

// ---- The walk --------------------------------------------------------------------

// Angles of the crank between which the foot's path is flat, so that the foot can stand.
const FLAT_BEGIN: f32 = -1.2217305;
const FLAT_END: f32 = 1.3089969;
const STANCE: f32 = (FLAT_END - FLAT_BEGIN) / frame::TAU;

// Length of the rubber ankle between a foot and its sole.
const ANKLE: f32 = 0.036;

// Values that follow from the linkage alone.
struct Walk {
    // Metres per turn: the mean speed of a foot that stands.
    stride: f32,
    // Height of the crankshaft.
    height: f32,
    // Places of touch-down, behind (x) and before (y) the crankshaft.
    touch: vec2f,
}

fn walk() -> Walk {
    let begin = linkage(FLAT_BEGIN).foot;
    let end = linkage(FLAT_END).foot;
    return Walk((end.x - begin.x) / STANCE, ANKLE - end.y, vec2f(end.x, -begin.x));
}

const LANES: u32 = 12u;
const PHASES: u32 = 6u;
const LANE_WIDTH: f32 = 0.26;

// Angle between the crankpin of a lane and that of lane 0, in turns: neighbours are a third
// of a turn apart.
fn pin_angle(phase: u32) -> f32 {
    return f32(phase) / 3.0 + select(0.0, 1.0 / 6.0, phase >= 3u);
}

// Turns by which a leg's step precedes that of the crank. Legs before the crankshaft are
// mirrored.
fn lead(phase: u32, is_front: bool) -> f32 {
    let at = select(FLAT_END, 0.5 * frame::TAU - FLAT_BEGIN, is_front) / frame::TAU;
    return at - pin_angle(phase);
}

struct Leg {
    // Joints relative to the crank's axis, x forward.
    joints: Linkage,
    // The sole: x along the beach, y above the sand.
    sole: vec2f,
}

// A leg after `turns` of the crank. A sole that stands keeps its place exactly; the rubber
// yields by up to 26 mm, because the foot's speed is not quite constant.
fn leg_at(phase: u32, is_front: bool, turns: f32, walk: Walk) -> Leg {
    let crank = frame::TAU * fract(pin_angle(phase) - turns);
    var joints = linkage(select(crank, 0.5 * frame::TAU - crank, is_front));
    if is_front {
        let mirror = vec2f(-1.0, 1.0);
        joints = Linkage(
            joints.pin * mirror, joints.upper * mirror, joints.outer * mirror,
            joints.lower * mirror, joints.knee * mirror, joints.foot * mirror);
    }
    let ahead = lead(phase, is_front);
    let step = turns + ahead;
    if fract(step) < STANCE {
        return Leg(joints, vec2f(foothold(floor(step), ahead, is_front, walk), 0.0));
    }
    let hanging = joints.foot + vec2f(walk.stride * turns, walk.height - ANKLE);
    return Leg(joints, vec2f(hanging.x, max(hanging.y, 0.0)));
}

// Place along the beach of a leg's step.
fn foothold(index: f32, ahead: f32, is_front: bool, walk: Walk) -> f32 {
    return walk.stride * (index - ahead) + select(walk.touch.x, walk.touch.y, is_front);
}

// ---- Once per frame --------------------------------------------------------------

// Four values per leg, then the walk and the time.
const LEG_VALUES: u32 = 4u;
const WALK: u32 = 2u * PHASES * LEG_VALUES;

fn per_frame(index: u32) -> vec4f {
    let turns = LOOP_TURNS / LOOP_SECONDS * frame::loop_time(LOOP_SECONDS);
    let walk = walk();
    if index >= WALK {
        return select(vec4f(turns), vec4f(walk.stride, walk.height, walk.touch), index == WALK);
    }
    let at = index / LEG_VALUES;
    let leg = leg_at(at / 2u, at % 2u == 1u, turns, walk);
    let joints = leg.joints;
    switch index % LEG_VALUES {
        case 0u: { return vec4f(joints.upper, joints.outer); }
        case 1u: { return vec4f(joints.lower, joints.knee); }
        case 2u: { return vec4f(joints.foot, joints.pin); }
        default: { return vec4f(leg.sole - vec2f(walk.stride * turns, walk.height), 0.0, 0.0); }
    }
}

fn current_walk() -> Walk {
    let value = frame::per_frame_value(WALK);
    return Walk(value.x, value.y, value.zw);
}

fn current_turns() -> f32 {
    return frame::per_frame_value(WALK + 1u).x;
}

// ---- Rays against pipes ----------------------------------------------------------

// A ray with the width `spread` per metre of its way, relative to the crank's axis.
struct Beam {
    origin: vec3f,
    direction: vec3f,
    width: f32,
    spread: f32,
}

// The pipe that covers most of a beam, or the first of those that cover all of it.
var<private> best_score: f32;
var<private> best_coverage: f32;
var<private> best_distance: f32;
var<private> best_offset: vec3f;
var<private> best_radius: f32;
// Place along the pipe from its nearer end, as a fraction, and the square of its length; and
// its material.
var<private> best_end: vec2f;
var<private> best_material: f32;

const PLASTIC: f32 = 0.0;
const RUBBER: f32 = 1.0;
const STEEL: f32 = 2.0;

fn reset_best() {
    best_score = -1.0;
    best_coverage = 0.0;
    best_offset = vec3f(0.0);
    best_radius = 1.0;
}

fn test_pipe(beam: Beam, a: vec3f, b: vec3f, radius: f32, material: f32) {
    let ab = b - a;
    let oa = beam.origin - a;
    let along = dot(ab, beam.direction);
    let squared = dot(ab, ab);
    let s = clamp((dot(ab, oa) - along * dot(beam.direction, oa))
        / max(squared - along * along, 1e-6), 0.0, 1.0);
    let gap = s * ab - oa;
    let t = max(dot(gap, beam.direction), 0.0);
    let offset = t * beam.direction - gap;
    let away = length(offset);
    let width = beam.width + beam.spread * t;
    let coverage = clamp((radius - away) / width + 0.5, 0.0, min(2.0 * radius / width, 1.0));
    let score = coverage - 0.02 * t;
    if coverage > 0.0 && score > best_score {
        best_score = score;
        best_coverage = coverage;
        best_distance = t;
        best_offset = offset;
        best_radius = radius;
        best_end = vec2f(min(s, 1.0 - s), squared);
        best_material = material;
    }
}

fn test_leg(beam: Beam, leg: u32, z: f32, pivot: vec2f) {
    let at = leg * LEG_VALUES;
    let first = frame::per_frame_value(at);
    let second = frame::per_frame_value(at + 1u);
    let third = frame::per_frame_value(at + 2u);
    let sole = frame::per_frame_value(at + 3u).xy;
    let fixed = vec3f(pivot, z);
    let upper = vec3f(first.xy, z);
    let outer = vec3f(first.zw, z);
    let lower = vec3f(second.xy, z);
    let knee = vec3f(second.zw, z);
    let foot = vec3f(third.xy, z);
    let pin = vec3f(third.zw, z);
    test_pipe(beam, fixed, upper, 0.015, PLASTIC);
    test_pipe(beam, upper, outer, 0.015, PLASTIC);
    test_pipe(beam, outer, fixed, 0.015, PLASTIC);
    test_pipe(beam, fixed, lower, 0.015, PLASTIC);
    test_pipe(beam, outer, knee, 0.015, PLASTIC);
    test_pipe(beam, knee, lower, 0.015, PLASTIC);
    test_pipe(beam, lower, foot, 0.015, PLASTIC);
    test_pipe(beam, foot, knee, 0.015, PLASTIC);
    test_pipe(beam, pin, upper, 0.013, PLASTIC);
    test_pipe(beam, pin, lower, 0.013, PLASTIC);
    let ground = vec3f(sole, z) + vec3f(0.0, 0.016, 0.0);
    test_pipe(beam, foot, ground, 0.013, RUBBER);
    test_pipe(beam, ground - vec3f(0.035, 0.0, 0.0), ground + vec3f(0.035, 0.0, 0.0), 0.02, RUBBER);
}

// The crankshaft in a lane: a journal, a web, the pin, a web, a journal.
fn test_crank(beam: Beam, leg: u32, z: f32) {
    let pin = frame::per_frame_value(leg * LEG_VALUES + 2u).zw;
    let half = 0.5 * LANE_WIDTH;
    let web = 0.27 * LANE_WIDTH;
    test_pipe(beam, vec3f(0.0, 0.0, z - half), vec3f(0.0, 0.0, z - web), 0.016, STEEL);
    test_pipe(beam, vec3f(0.0, 0.0, z - web), vec3f(pin, z - web), 0.013, STEEL);
    test_pipe(beam, vec3f(pin, z - web), vec3f(pin, z + web), 0.013, STEEL);
    test_pipe(beam, vec3f(pin, z + web), vec3f(0.0, 0.0, z + web), 0.013, STEEL);
    test_pipe(beam, vec3f(0.0, 0.0, z + web), vec3f(0.0, 0.0, z + half), 0.016, STEEL);
}

// The ridge over the crankshaft, on which the sail stands.
const RIDGE: f32 = 0.40;

// The frame in a lane: pipes across the lanes, and trusses between some of them.
fn test_frame(beam: Beam, lane: u32, z: f32) {
    let half = 0.5 * LANE_WIDTH;
    let back = vec3f(PIVOT, z);
    let front = vec3f(-PIVOT.x, PIVOT.y, z);
    let ridge = vec3f(0.0, RIDGE, z);
    let across = vec3f(0.0, 0.0, half);
    test_pipe(beam, back - across, back + across, 0.016, PLASTIC);
    test_pipe(beam, front - across, front + across, 0.016, PLASTIC);
    test_pipe(beam, ridge - across, ridge + across, 0.018, PLASTIC);
    if lane % 4u == 0u || lane == LANES - 1u {
        let aside = select(-across, across, lane == LANES - 1u);
        let axis = vec3f(0.0, 0.0, z) + aside;
        test_pipe(beam, back + aside, axis, 0.015, PLASTIC);
        test_pipe(beam, front + aside, axis, 0.015, PLASTIC);
        test_pipe(beam, back + aside, ridge + aside, 0.015, PLASTIC);
        test_pipe(beam, front + aside, ridge + aside, 0.015, PLASTIC);
    }
}

fn lane_z(lane: u32) -> f32 {
    return (f32(lane) - 0.5 * f32(LANES - 1u)) * LANE_WIDTH;
}

// Distances at which a beam enters and leaves a box; the first is larger for a miss.
fn box_span(beam: Beam, low: vec3f, high: vec3f) -> vec2f {
    let direction = select(beam.direction, vec3f(1e-5), abs(beam.direction) < vec3f(1e-5));
    let a = (low - beam.origin) / direction;
    let b = (high - beam.origin) / direction;
    let first = min(a, b);
    let last = max(a, b);
    return vec2f(max(max(first.x, first.y), max(first.z, 0.0)), min(min(last.x, last.y), last.z));
}

// Front and back of all lanes together.
const LANES_LOW: vec3f = vec3f(-1.16, -0.98, -0.5 * 12.0 * LANE_WIDTH);
const LANES_HIGH: vec3f = vec3f(1.16, 0.43, 0.5 * 12.0 * LANE_WIDTH);

// The lanes that a beam crosses: the first, the step to the next, and how many.
struct Crossing {
    span: vec2f,
    lane: i32,
    step: i32,
    count: i32,
}

fn crossing(beam: Beam) -> Crossing {
    let margin = 0.02 + beam.width + 9.0 * beam.spread;
    let span = box_span(beam, LANES_LOW - margin, LANES_HIGH + margin);
    let ends = (beam.origin.z + span * beam.direction.z) / LANE_WIDTH + 0.5 * f32(LANES);
    let reach = margin / LANE_WIDTH;
    let low = clamp(i32(floor(min(ends.x, ends.y) - reach)), 0, i32(LANES) - 1);
    let high = clamp(i32(floor(max(ends.x, ends.y) + reach)), 0, i32(LANES) - 1);
    let is_forward = beam.direction.z > 0.0;
    return Crossing(
        span, select(high, low, is_forward), select(-1, 1, is_forward),
        select(0, high - low + 1, span.x < span.y));
}

// Tests the pipes of one lane.
fn test_lane(beam: Beam, lane: u32, span: vec2f) {
    reset_best();
    let z = lane_z(lane);
    let steep = select(min(beam.direction.z, -1e-4), max(beam.direction.z, 1e-4), beam.direction.z > 0.0);
    let middle = (z - beam.origin.z) / steep;
    let around = (0.5 * LANE_WIDTH + 0.02) / abs(steep);
    let t = clamp(vec2f(middle - around, middle + around), span.xx, span.yy);
    let margin = 0.02 + beam.width + beam.spread * t.y;
    let a = beam.origin.xy + t.x * beam.direction.xy;
    let b = beam.origin.xy + t.y * beam.direction.xy;
    let low = min(a, b) - margin;
    let high = max(a, b) + margin;
    let pair = 2u * (lane % PHASES);
    // The hind leg, the front leg, or both.
    let last = select(1u, 2u, high.x > -0.15);
    for (var side = select(1u, 0u, low.x < 0.15); side < last; side++) {
        test_leg(beam, pair + side, z, vec2f(select(PIVOT.x, -PIVOT.x, side == 1u), PIVOT.y));
    }
    let is_middle = low.x < 0.4 && high.x > -0.4 && high.y > -0.16;
    if is_middle {
        test_frame(beam, lane, z);
        test_crank(beam, pair, z);
    }
}

// ---- The sail --------------------------------------------------------------------

// A fan on the ridge, turned to the wind. Sail space: x with the wind, y up, z across, the
// origin at the foot of the mast.
const SAIL_ORIGIN: vec3f = vec3f(0.0, RIDGE, 0.0);
const SAIL_TURN: vec2f = vec2f(0.88, 0.475);
const SAIL_RADIUS: f32 = 1.75;
const PANELS: f32 = 9.0;
const SAIL_ANGLE: f32 = 1.22;

// The mast leans ahead of the cloth. Two stays run from its head to the ends of the ridge.
const MAST_HEAD: vec3f = vec3f(0.396, RIDGE + 2.1, 0.214);
const STAY_END: f32 = 0.5 * 12.0 * LANE_WIDTH;

fn to_sail(v: vec3f) -> vec3f {
    return vec3f(
        SAIL_TURN.x * v.x + SAIL_TURN.y * v.z, v.y, SAIL_TURN.x * v.z - SAIL_TURN.y * v.x);
}

// Depth to which the wind fills the sail.
fn billow(yz: vec2f, turns: f32) -> f32 {
    let rho = length(yz) / SAIL_RADIUS;
    let gust = 1.0 + 0.14 * sin(frame::TAU * turns / 3.0 + 2.0 * yz.y - yz.x);
    return params.wind * gust * rho * (0.40 - 0.18 * rho);
}

// Colour times coverage, and coverage, of the sail with its mast and stays.
fn rig_layer(beam: Beam, turns: f32) -> vec4f {
    let origin = to_sail(beam.origin - SAIL_ORIGIN);
    let direction = to_sail(beam.direction);
    let middle = vec3f(0.2, 0.5 * SAIL_RADIUS, 0.0) - origin;
    let along = dot(middle, direction);
    if dot(middle, middle) - along * along > 3.6 || along < -1.0 {
        return vec4f(0.0);
    }
    reset_best();
    test_pipe(beam, SAIL_ORIGIN, MAST_HEAD, 0.02, PLASTIC);
    test_pipe(beam, MAST_HEAD, vec3f(0.0, RIDGE, STAY_END), 0.007, STEEL);
    test_pipe(beam, MAST_HEAD, vec3f(0.0, RIDGE, -STAY_END), 0.007, STEEL);
    let pipes = vec4f(pipe_color(beam, 0.0, 0.0), 1.0) * best_coverage;
    let p = origin + best_distance * direction;
    let cloth = cloth_layer(beam, origin, direction, along, turns);
    // A gust presses the cloth against the mast, which stays in front of it.
    let is_pipe_first = (p.x > billow(p.yz, turns) - 0.03) == (direction.x < 0.0);
    let first = select(cloth, pipes, is_pipe_first);
    return first + (1.0 - first.a) * select(pipes, cloth, is_pipe_first);
}

// Colour of the cloth times its coverage, and the coverage, for a ray in sail space that
// passes the middle of the sail at `along`.
fn cloth_layer(beam: Beam, origin: vec3f, direction: vec3f, along: f32, turns: f32) -> vec4f {
    // To where the ray meets the sail, by Newton's method.
    var t = along;
    for (var i = 0; i < 5; i++) {
        let p = origin + t * direction;
        let rho = length(p.yz);
        let rise = params.wind * (0.40 - 0.36 * rho / SAIL_RADIUS) / SAIL_RADIUS;
        let closing = direction.x - rise * dot(p.yz, direction.yz) / max(rho, 0.05);
        let steep = select(min(closing, -0.04), max(closing, 0.04), closing > 0.0);
        t += clamp((billow(p.yz, turns) - p.x) / steep, -1.5, 1.5);
    }
    let p = origin + t * direction;
    let rho = length(p.yz);
    if rho > SAIL_RADIUS + 0.1 || p.y < 0.0 || t < 0.0 {
        return vec4f(0.0);
    }

    // Ribs are at whole numbers of `panel`; between them the edge is hollow.
    let angle = atan2(p.z, max(p.y, 1e-3));
    let panel = 0.5 * PANELS * (1.0 + angle / SAIL_ANGLE);
    let from_middle = fract(panel) - 0.5;
    let across = 2.0 * SAIL_ANGLE / PANELS * rho;
    let hollow = SAIL_RADIUS * (1.0 - 0.13 * (1.0 - 4.0 * from_middle * from_middle));
    let beyond = (abs(panel - 0.5 * PANELS) - 0.5 * PANELS) * across;
    let edge = max(max(rho - hollow, 0.03 - rho), beyond);
    let e = 0.02;
    let push = billow(p.yz, turns);
    let bulge = vec2f(billow(p.yz + vec2f(e, 0.0), turns), billow(p.yz + vec2f(0.0, e), turns));
    // Every panel is round.
    let round = -3.4 * params.wind * from_middle * rho / SAIL_RADIUS * vec2f(-p.z, p.y) / max(rho, 0.05);
    let n = normalize(vec3f(1.0, (vec2f(push) - bulge) / e - round));
    let width = (beam.width + beam.spread * t) / max(abs(dot(n, direction)), 0.15);
    let is_found = abs(push - p.x) < 0.02;
    let coverage = select(0.0, clamp(0.5 - edge / width, 0.0, 1.0), is_found);

    // Ribs and seams, then light from both sides.
    let rib_distance = (0.5 - abs(from_middle)) * across;
    let rib = 1.0 - smoothstep(0.012 - 0.5 * width, 0.012 + 0.5 * width, rib_distance);
    let ring = abs(fract(5.0 * rho / SAIL_RADIUS + 0.25) - 0.5) * SAIL_RADIUS / 5.0;
    let seam = 0.3 * (1.0 - smoothstep(0.004, 0.004 + width, ring)) + 0.45 * exp(-16.0 * rib_distance);
    let sun = to_sail(sun_direction());
    let facing = select(n, -n, dot(n, direction) > 0.0);
    let lit = dot(facing, sun);
    // Several layers of cloth overlap at the foot of the mast.
    let back = max(-lit, 0.0);
    let through = back * back * (1.0 - seam) * (0.35 + 0.65 * rho / SAIL_RADIUS);
    let cloth = palette::linear_from_display(params.sail_color);
    let tint = cloth * mix(vec3f(1.0), vec3f(0.74, 0.36, 0.24), step(1.0, panel % 2.0));
    // Some light passes between the threads, nearly straight on.
    let toward = max(dot(direction, sun), 0.0);
    let glow = 0.2 * pow(toward, 24.0) + 1.2 * pow(toward, 250.0);
    var color = tint * (sun_color() * (0.75 * max(lit, 0.0) + tint * 0.75 * through + glow)
        + vec3f(0.20, 0.23, 0.33) * (0.6 + 0.4 * facing.y) * (1.0 - seam));
    color = mix(color, vec3f(0.06, 0.045, 0.035) * (1.0 + sun_color() * max(lit, 0.1)), 0.85 * rib);
    return vec4f(color, 1.0) * coverage;
}

// ---- The animal in a beam --------------------------------------------------------

// Lanes between a lane and the outside toward a direction.
fn lanes_toward(lane: u32, z: f32) -> f32 {
    return select(f32(lane), f32(LANES - 1u - lane), z > 0.0);
}

// Colour of the best pipe, with `sunward` lanes toward the sun and `behind` toward the eye.
fn pipe_color(beam: Beam, sunward: f32, behind: f32) -> vec3f {
    let sine = min(length(best_offset) / best_radius, 1.0);
    let n = best_offset / max(length(best_offset), best_radius)
        - sqrt(1.0 - sine * sine) * beam.direction;
    let p = beam.origin + best_distance * beam.direction;
    var albedo = palette::linear_from_display(params.pipe_color);
    // Tape around the ends, and mud at the feet.
    albedo = mix(albedo, vec3f(0.16, 0.09, 0.05), 0.8 * (1.0 - smoothstep(0.030, 0.036, best_end.x * sqrt(best_end.y))));
    albedo = mix(albedo, vec3f(0.20, 0.15, 0.10), 0.7 * smoothstep(-0.66, -0.93, p.y));
    albedo = select(albedo, vec3f(0.035), best_material == RUBBER);
    albedo = select(albedo, vec3f(0.19, 0.17, 0.16), best_material == STEEL);
    // Pipes toward the sun shade the ones behind them.
    let sun = sun_direction();
    let open = exp(-0.12 * sunward * abs(sun.z));
    let lit = max(dot(n, sun), 0.0);
    let shine = pow(max(dot(n, normalize(sun - beam.direction)), 0.0), 40.0);
    // Lanes behind others are darker and cooler, so that the near legs stand out. The sky is
    // brightest around the sun.
    let near = exp(-0.72 * behind * beam.direction.z * beam.direction.z);
    let sky_light = mix(vec3f(0.40, 0.29, 0.20), vec3f(0.58, 0.56, 0.62), 0.5 + 0.5 * n.y)
        * mix(vec3f(0.32, 0.33, 0.42), vec3f(1.35, 1.28, 1.15), near)
        * (1.0 + 0.4 * dot(n, sun));
    return albedo * (sun_color() * mix(vec3f(0.28, 0.29, 0.38), vec3f(1.0), near) * lit * open + sky_light)
        + sun_color() * 0.25 * open * near * shine;
}

// Colour times coverage, and coverage, of the whole animal.
fn animal(beam: Beam, turns: f32) -> vec4f {
    let sail = rig_layer(beam, turns);
    let is_sail_first = beam.direction.y < 0.0;
    var layers = select(vec4f(0.0), sail, is_sail_first);
    let crossed = crossing(beam);
    var lane = crossed.lane;
    for (var i = 0; i < crossed.count && layers.a < 0.99; i++) {
        test_lane(beam, u32(lane), crossed.span);
        let sunward = lanes_toward(u32(lane), sun_direction().z);
        let color = pipe_color(beam, sunward, lanes_toward(u32(lane), -beam.direction.z));
        layers += (1.0 - layers.a) * best_coverage * vec4f(color, 1.0);
        lane += crossed.step;
    }
    return select(layers + (1.0 - layers.a) * sail, layers, is_sail_first);
}

// Sunlight that reaches a point on the sand.
fn sunlight(p: vec3f, footprint: f32, turns: f32) -> vec3f {
    let beam = Beam(p, sun_direction(), footprint, 0.02);
    let crossed = crossing(beam);
    var lane = crossed.lane;
    var left = 1.0;
    for (var i = 0; i < crossed.count && left > 0.02; i++) {
        test_lane(beam, u32(lane), crossed.span);
        left *= 1.0 - best_coverage;
        lane += crossed.step;
    }
    let cloth = palette::linear_from_display(params.sail_color);
    return left * mix(vec3f(1.0), 0.30 * cloth, rig_layer(beam, turns).a);
}

// ---- Sky and sea -----------------------------------------------------------------

fn sun_direction() -> vec3f {
    return shading::direction_at(params.sun_bearing, params.sun_height);
}

// Red when low.
fn sun_color() -> vec3f {
    let high = smoothstep(0.0, 0.5, sun_direction().y);
    return mix(vec3f(5.0, 2.2, 0.85), vec3f(4.4, 3.9, 3.2), high);
}

// The sky without clouds and sun.
fn sky_air(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let sun = max(dot(direction, sun_direction()), 0.0);
    let high = smoothstep(0.0, 0.5, sun_direction().y);
    let zenith = mix(vec3f(0.030, 0.090, 0.25), vec3f(0.10, 0.25, 0.60), high);
    let horizon = mix(vec3f(0.52, 0.20, 0.085), vec3f(0.55, 0.64, 0.74), high);
    let air = mix(horizon, zenith, 1.0 - exp(-3.6 * up));
    return air + sun_color() * (0.045 * pow(sun, 6.0) + 0.12 * pow(sun, 48.0));
}

fn sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let sun = dot(direction, sun_direction());
    var color = sky_air(direction);
    // Clouds on a plane, long toward the sun, lit from below and behind.
    let p = direction.xz / (up + 0.11);
    let q = vec2f(0.8 * p.x + 0.5 * p.y, 0.9 * p.y - 0.5 * p.x) * vec2f(0.55, 1.7);
    let large = noise::value_noise(q, 255u, 1u).x;
    let fine = noise::value_noise(q * 3.1 + 1.3 * large, 255u, 2u).x;
    let finest = noise::value_noise(q * 8.3 + 2.0 * fine, 255u, 3u).x;
    let cloud = smoothstep(-0.10, 0.80, large + 0.45 * fine + 0.20 * finest)
        * smoothstep(0.015, 0.10, up);
    let edge = cloud * (1.0 - 0.55 * cloud);
    let lit = sun_color() * (0.055 + 0.20 * pow(max(sun, 0.0), 6.0)) + vec3f(0.05, 0.05, 0.09);
    color = mix(color, mix(lit * 1.35, 0.75 * lit + 0.15 * color, cloud), 0.75 * edge + 0.15 * cloud);
    // The disc melts into its glow: square of the distance from its centre, in radii.
    let away = (1.0 - sun) / 0.00018;
    let disc = 2.2 * exp(-away * away) + 0.45 * exp(-0.25 * away);
    return color + sun_color() * (disc * (1.0 - 0.8 * cloud) + 0.12 * exp(-0.03 * away));
}

// Edge of the sea at a place along the beach; it runs up and back every three turns.
fn shore(x: f32, turns: f32, lap: f32) -> f32 {
    let k = frame::TAU / lap;
    let run = sin(frame::TAU * turns / 3.0 + 0.6 * sin(k * x));
    return -2.35 + 0.32 * run + 0.16 * sin(2.0 * k * x + 1.0) + 0.05 * sin(7.0 * k * x - 2.0);
}

// Slope of the sea; `fade` removes waves finer than a pixel.
fn wave_slope(p: vec2f, turns: f32, lap: f32, footprint: f32, is_sea: bool) -> vec2f {
    let k = frame::TAU / lap;
    let w = frame::TAU / LOOP_TURNS;
    // Gusts bend the crests and leave calm patches.
    let bend = noise::value_noise(p * vec2f(4.0, 2.0) / lap, 3u, 5u).x;
    let gust = noise::value_noise(p * vec2f(8.0, 3.0) / lap + 0.7 * bend, 7u, 6u).x;
    var slope = vec2f(0.0);
    var wave = vec4f(1.0, 6.0, 4.0, 0.014);
    if is_sea {
        for (var i = 0; i < 5; i++) {
            let v = k * wave.xy;
            let phase = dot(v, p) + w * wave.z * turns + (1.3 + 1.1 * bend) * f32(i) + 2.5 * bend;
            let visible = exp(-0.35 * dot(v, v) * footprint * footprint);
            slope += visible * wave.w * v * cos(phase + 0.8 * sin(phase));
            wave = vec4f(round(wave.x * -1.9 - 1.0), round(wave.y * 1.55), round(wave.z * 1.5), wave.w * 0.52);
        }
    }
    return slope * (0.35 + 1.3 * smoothstep(-0.6, 0.6, gust));
}

// ---- The beach -------------------------------------------------------------------

// Footprints at a point on the sand: x = depth, from 0 to 1, yz = slope.
fn footprints(p: vec2f, turns: f32, walk: Walk) -> vec3f {
    let lane = clamp(round(p.y / LANE_WIDTH + 0.5 * f32(LANES - 1u)), 0.0, f32(LANES - 1u));
    let z = p.y - lane_z(u32(lane));
    let phase = u32(lane) % PHASES;
    var sum = vec3f(0.0);
    for (var side = 0; side < 2; side++) {
        let ahead = lead(phase, side == 1);
        let zero = foothold(0.0, ahead, side == 1, walk);
        let index = round((p.x - zero) / walk.stride);
        let age = turns + ahead - index;
        let away = vec2f(p.x - zero - walk.stride * index, z) / vec2f(0.085, 0.055);
        let r = dot(away, away);
        if age >= 0.0 && age < 5.0 && r < 9.0 {
            let kept = 1.0 - smoothstep(2.0, 5.0, age);
            let pit = exp(-r * r);
            let rim = 0.35 * exp(-3.0 * (sqrt(r) - 1.45) * (sqrt(r) - 1.45));
            let fall = -4.0 * r * pit + 2.1 * (sqrt(r) - 1.45) / max(sqrt(r), 0.1) * rim;
            sum += kept * vec3f(pit - rim, -fall * away);
        }
    }
    return sum;
}

// Light of the beach and the sea without the sky that they mirror, and that sky's direction
// and weight.
struct Seen {
    light: vec3f,
    mirrored: vec3f,
    weight: f32,
}

fn beach(origin: vec3f, direction: vec3f, distance: f32, pixel: f32, turns: f32) -> Seen {
    let walk = current_walk();
    let lap = LOOP_TURNS * walk.stride;
    let hit = origin + distance * direction;
    let p = hit.xz;
    let footprint = pixel * distance / max(sqrt(-direction.y), 0.05);
    let sun = sun_direction();
    let grazing = -direction.y;

    let edge = p.y - shore(p.x, turns, lap);
    let grid = p * (32.0 / lap);
    let tone = noise::value_noise(grid, 31u, 1u);
    let bumps = noise::value_noise(4.0 * grid, 127u, 2u);
    let detail = exp(-80.0 * footprint * footprint);
    if edge < 0.0 {
        // The sea: a mirror of the sky, sand seen through its edge, foam.
        let slope = wave_slope(p, turns, lap, footprint, edge < 0.0) * smoothstep(0.0, -1.5, edge);
        let rough = 0.10 + 0.10 * smoothstep(4.0, 60.0, distance);
        let n = normalize(vec3f(-slope.x, 1.0, -slope.y));
        var mirrored = reflect(direction, n);
        mirrored.y = abs(mirrored.y) + 0.02;
        mirrored = normalize(mirrored);
        let f = shading::fresnel(max(dot(n, -direction), 0.02), 0.02);
        let shallow = exp(1.1 * edge);
        let body = mix(vec3f(0.012, 0.075, 0.085), vec3f(0.30, 0.22, 0.14), shallow);
        var color = body * (0.35 * sun_color() * max(sun.y, 0.0) + vec3f(0.45));
        color += sun_color() * 0.30 * shading::ggx_specular(n, -direction, sun, rough + 0.12);
        // Foam at the edge and on two lines of breakers.
        let lace = 0.5 + 0.5 * bumps.x;
        let torn = noise::value_noise(8.0 * grid + 0.8 * bumps.yz, 255u, 4u).x;
        let at_edge = smoothstep(-0.34, -0.02, edge) * (0.35 + 0.65 * lace);
        let roll = fract(0.21 * p.y + 2.0 / 3.0 * turns + 0.10 * tone.x + 0.06 * sin(frame::TAU / lap * p.x));
        let crest = smoothstep(0.70, 0.97, roll) * smoothstep(1.0, 0.97, roll)
            * smoothstep(-9.0, -4.0, p.y) * smoothstep(-0.3, 0.45, tone.x + 0.35);
        let foam = 0.9 * smoothstep(0.05, 1.1, max(at_edge, crest) * (1.15 + 0.8 * torn * detail));
        color = mix(color, vec3f(0.80, 0.76, 0.74) * (0.32 * sun_color() * (0.25 + sun.y) + vec3f(0.42, 0.44, 0.50)), foam);
        return Seen(color, mirrored, min(f, 0.75) * (1.0 - foam));
    }

    // Sand: damp near the sea, with a film of water in its hollows and in the prints.
    let prints = footprints(p, turns, walk);
    let ripple = noise::ripples(p * vec2f(32.0 / lap), vec2f(frame::TAU * 2.0, 9.0), 4.0);
    let damp = clamp(1.25 - 0.13 * (p.y + 2.3) + 0.25 * tone.x, 0.0, 1.0) * params.wetness;
    let level = damp * 1.2 - 0.50 + 0.30 * tone.x - 0.10 * ripple.x * detail + 0.8 * max(prints.x, 0.0) - 2.4 * max(-prints.x, 0.0);
    let film = smoothstep(-0.22, 0.34, level) * step(0.001, params.wetness);
    let fresh = 1.0 - smoothstep(0.0, 0.6, edge);       // where the last wave was
    let mirror = max(film, fresh);
    var slope = 0.010 * ripple.yz * detail + 0.03 * bumps.yz * detail;
    slope = slope * (1.0 - 0.85 * mirror) - 0.55 * prints.yz * (1.0 - 0.6 * mirror);
    let n = normalize(vec3f(-slope.x, 1.0, -slope.y));
    let local = vec3f(p.x - walk.stride * turns, -walk.height, p.y);
    let direct = sunlight(local, 0.004 + 0.5 * pixel * distance, turns);
    let grain = noise::value_noise(64.0 * grid, 2047u, 3u).x * exp(-5000.0 * footprint * footprint);
    let dry = vec3f(0.46, 0.345, 0.235);
    let albedo = dry * mix(1.0, 0.34, clamp(1.4 * damp, 0.0, 1.0)) * (1.0 + 0.10 * grain + 0.07 * tone.x)
        * (1.0 - 0.45 * clamp(prints.x, 0.0, 1.0));
    // The light of the sky, less under the animal.
    let under = exp(-1.1 * dot(local.xz / vec2f(0.95, 1.35), local.xz / vec2f(0.95, 1.35)));
    let ambient = vec3f(0.34, 0.36, 0.44) * (1.0 - 0.55 * under);
    var color = albedo * (sun_color() * max(dot(n, sun), 0.0) * direct + ambient);
    // Reflection of the animal; the caller adds that of the sky.
    var mirrored = reflect(direction, normalize(mix(n, vec3f(0.0, 1.0, 0.0), 0.5 * mirror)));
    mirrored.y = max(mirrored.y, 0.01);
    mirrored = normalize(mirrored);
    let f = shading::fresnel(grazing, 0.02) * mix(0.12, 0.95, mirror);
    let reflected = animal(Beam(local, mirrored, pixel * distance, mix(0.03, 0.008, mirror)), turns);
    color = mix(color, reflected.rgb, f);
    let sparkle = shading::ggx_specular(n, -direction, sun, mix(0.5, 0.16, mirror));
    color += sun_color() * direct * mix(0.05, 0.07, mirror) * sparkle;
    return Seen(color, mirrored, f * (1.0 - reflected.a));
}

// ---- The picture -----------------------------------------------------------------

// 1 / tan(fov / 2).
const FOCAL: f32 = 3.1;

fn main_image(frag_coord: vec2f) -> vec4f {
    let turns = current_turns();
    let walk = current_walk();
    let sway = frame::TAU * turns / LOOP_TURNS;
    let orbit = frame::frame.orbit;
    let pitch = clamp(-0.030 + 0.020 * sin(sway + 1.0) + orbit.y, -0.07, 1.4);
    let yaw = 0.80 + 0.27 * sin(sway) + orbit.x;
    let eye = camera::orbit(
        vec3f(0.10, 0.50, 0.0), yaw, pitch, 7.1 / max(orbit.z, 0.2),
        frame::narrow_view_factor(1.5) / FOCAL);
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    // The sky once: seen, or mirrored.
    let front = animal(Beam(eye.position, direction, 1e-4, pixel), turns);
    var seen = Seen(vec3f(0.0), direction, 1.0);
    let distance = -(eye.position.y + walk.height) / min(direction.y, -0.0004);
    let is_ground = direction.y < -0.0004;
    if is_ground && front.a < 0.995 {
        let world = eye.position + vec3f(walk.stride * turns, walk.height, 0.0);
        seen = beach(world, direction, distance, pixel, turns);
    }
    var color = seen.light + seen.weight * sky(seen.mirrored);
    if is_ground {
        let level = normalize(vec3f(direction.x, 0.012, direction.z));
        color = mix(sky_air(level), color, exp(-0.009 * distance));
    }
    color = front.rgb + (1.0 - front.a) * color;
    color *= shading::vignette(frag_coord, vec2f(0.55, 0.75), 0.16);
    return shading::to_display(0.62 * color, frag_coord);
}
