// A beach animal after Theo Jansen: 24 legs on one crankshaft, and a sail.
//
// Each leg is a linkage of ten bars that a crank drives. Nothing in it is animated: every
// joint is where two circles meet, the article's solution, five times per leg. The bars are
// drawn lane by lane from front to back, each in closed form, so nothing is marched.

#import tarsus::{camera, frame, ik, noise, palette, shading}

struct Params {
    /// Height of the sun in degrees [4, 50] = 7.5
    sun_height: f32,
    /// Bearing of the sun in degrees [-180, 180] = -112
    sun_bearing: f32,
    /// Colour of the sail = #f2dcae
    sail_color: vec3f,
    /// Colour of the pipes = #ffdda8
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
const HALF_WIDTH: f32 = 0.5 * f32(LANES) * LANE_WIDTH;

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

// A ray relative to the crank's axis, `width` wide at its origin and `spread` wider per metre.
struct Beam {
    origin: vec3f,
    direction: vec3f,
    width: f32,
    spread: f32,
    // Two axes across the ray, and its direction.
    axes: mat3x3f,
}

fn beam_along(origin: vec3f, direction: vec3f, width: f32, spread: f32) -> Beam {
    let beside = normalize(vec3f(direction.z + 1e-6, 0.0, -direction.x));
    return Beam(origin, direction, width, spread, mat3x3f(beside, cross(direction, beside), direction));
}

// Coordinates of a point across a beam (xy) and along it (z).
fn in_beam(beam: Beam, p: vec3f) -> vec3f {
    return (p - beam.origin) * beam.axes;
}

// Materials: plastic with ties around its ends, rubber and painted steel.
const PLASTIC: f32 = 0.0;
const RUBBER: f32 = 1.0;
const STEEL: f32 = 2.0;

// A pipe in a beam, in few numbers: they are copied at every test.
struct Pipe {
    coverage: f32,
    // Coverage times 1 - FADE times the distance.
    score: f32,
    // From the middle of the beam to the axis, across the beam.
    offset: vec2f,
    // Distance along the pipe from its nearer end.
    from_end: f32,
    // Sum of the material and the radius.
    kind: f32,
}

// The pipe that covers most of a beam, or the first of those that cover all of it.
var<private> best: Pipe;
const NO_PIPE: Pipe = Pipe(0.0, 0.0, vec2f(0.0), 1.0, PLASTIC + 0.015);
const FADE: f32 = 0.02;

// Tests a pipe between two points `in_beam`. `sharpness` is 1 / the width of the beam there.
fn test_pipe(sharpness: f32, a: vec3f, b: vec3f, radius: f32, material: f32) {
    let ab = b - a;
    let s = clamp(-dot(a.xy, ab.xy) / max(dot(ab.xy, ab.xy), 1e-6), 0.0, 1.0);
    let nearest = a + s * ab;
    let t = max(nearest.z, 0.0);
    let away = length(nearest.xy) + t - nearest.z;
    let most = min(2.0 * radius * sharpness, 1.0);
    let coverage = clamp((radius - away) * sharpness + 0.5, 0.0, most);
    let score = coverage * (1.0 - FADE * t);
    if score > best.score {
        best = Pipe(coverage, score, nearest.xy, min(s, 1.0 - s) * length(ab), material + radius);
    }
}

fn test_leg(beam: Beam, sharpness: f32, leg: u32, z: f32, pivot: vec2f) {
    let at = leg * LEG_VALUES;
    let first = frame::per_frame_value(at);
    let second = frame::per_frame_value(at + 1u);
    let third = frame::per_frame_value(at + 2u);
    let sole = vec3f(frame::per_frame_value(at + 3u).xy, z) + vec3f(0.0, 0.016, 0.0);
    let fixed = in_beam(beam, vec3f(pivot, z));
    let upper = in_beam(beam, vec3f(first.xy, z));
    let outer = in_beam(beam, vec3f(first.zw, z));
    let lower = in_beam(beam, vec3f(second.xy, z));
    let knee = in_beam(beam, vec3f(second.zw, z));
    let foot = in_beam(beam, vec3f(third.xy, z));
    let pin = in_beam(beam, vec3f(third.zw, z));
    let ground = in_beam(beam, sole);
    let half_sole = 0.035 * vec3f(1.0, 0.0, 0.0) * beam.axes;
    test_pipe(sharpness, fixed, upper, 0.015, PLASTIC);
    test_pipe(sharpness, upper, outer, 0.015, PLASTIC);
    test_pipe(sharpness, outer, fixed, 0.015, PLASTIC);
    test_pipe(sharpness, fixed, lower, 0.015, PLASTIC);
    test_pipe(sharpness, outer, knee, 0.015, PLASTIC);
    test_pipe(sharpness, knee, lower, 0.015, PLASTIC);
    test_pipe(sharpness, lower, foot, 0.015, PLASTIC);
    test_pipe(sharpness, foot, knee, 0.015, PLASTIC);
    test_pipe(sharpness, pin, upper, 0.013, PLASTIC);
    test_pipe(sharpness, pin, lower, 0.013, PLASTIC);
    test_pipe(sharpness, foot, ground, 0.013, RUBBER);
    test_pipe(sharpness, ground - half_sole, ground + half_sole, 0.02, RUBBER);
}

// The ridge over the crankshaft, on which the sail stands.
const RIDGE: f32 = 0.40;

// The crankshaft in a lane, two journals and two webs around the pin, and the frame: pipes
// across the lanes, and trusses between some of them.
fn test_frame(beam: Beam, sharpness: f32, lane: u32, leg: u32, z: f32) {
    let across = 0.5 * LANE_WIDTH * vec3f(0.0, 0.0, 1.0) * beam.axes;
    let web = 0.54 * across;
    let axis = in_beam(beam, vec3f(0.0, 0.0, z));
    let pin = in_beam(beam, vec3f(frame::per_frame_value(leg * LEG_VALUES + 2u).zw, z));
    test_pipe(sharpness, axis - across, axis - web, 0.016, STEEL);
    test_pipe(sharpness, axis - web, pin - web, 0.020, STEEL);
    test_pipe(sharpness, pin - web, pin + web, 0.020, STEEL);
    test_pipe(sharpness, pin + web, axis + web, 0.020, STEEL);
    test_pipe(sharpness, axis + web, axis + across, 0.016, STEEL);
    let back = in_beam(beam, vec3f(PIVOT, z));
    let front = in_beam(beam, vec3f(-PIVOT.x, PIVOT.y, z));
    let ridge = in_beam(beam, vec3f(0.0, RIDGE, z));
    test_pipe(sharpness, back - across, back + across, 0.016, PLASTIC);
    test_pipe(sharpness, front - across, front + across, 0.016, PLASTIC);
    test_pipe(sharpness, ridge - across, ridge + across, 0.018, PLASTIC);
    if lane % 4u == 0u || lane == LANES - 1u {
        let aside = select(-across, across, lane == LANES - 1u);
        test_pipe(sharpness, back + aside, axis + aside, 0.015, PLASTIC);
        test_pipe(sharpness, front + aside, axis + aside, 0.015, PLASTIC);
        test_pipe(sharpness, back + aside, ridge + aside, 0.015, PLASTIC);
        test_pipe(sharpness, front + aside, ridge + aside, 0.015, PLASTIC);
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
const LANES_LOW: vec3f = vec3f(-1.16, -0.98, -HALF_WIDTH);
const LANES_HIGH: vec3f = vec3f(1.16, 0.43, HALF_WIDTH);

// The lanes that a beam crosses: the first, the step to the next, and how many.
struct Crossing {
    span: vec2f,
    lane: i32,
    step: i32,
    count: i32,
}

fn crossing(beam: Beam) -> Crossing {
    let margin = 0.02 + 0.5 * beam.width + 4.0 * beam.spread;
    let span = box_span(beam, LANES_LOW - margin, LANES_HIGH + margin);
    let ends = (beam.origin.z + span * beam.direction.z) / LANE_WIDTH + 0.5 * f32(LANES);
    let low = clamp(i32(floor(min(ends.x, ends.y))), 0, i32(LANES) - 1);
    let high = clamp(i32(floor(max(ends.x, ends.y))), 0, i32(LANES) - 1);
    let lane_and_step = select(vec2i(high, -1), vec2i(low, 1), beam.direction.z > 0.0);
    let count = select(0, high - low + 1, span.x < span.y);
    return Crossing(span, lane_and_step.x, lane_and_step.y, count);
}

// Tests the pipes of one lane.
fn test_lane(beam: Beam, lane: u32, span: vec2f) {
    best = NO_PIPE;
    let z = lane_z(lane);
    let steep = select(min(beam.direction.z, -1e-4), max(beam.direction.z, 1e-4), beam.direction.z > 0.0);
    let middle = (z - beam.origin.z) / steep;
    let around = (0.5 * LANE_WIDTH + 0.02) / abs(steep);
    let t = clamp(vec2f(middle - around, middle + around), span.xx, span.yy);
    let sharpness = 1.0 / (beam.width + beam.spread * 0.5 * (t.x + t.y));
    let margin = 0.02 + 0.5 * (beam.width + beam.spread * t.y);
    let a = beam.origin.xy + t.x * beam.direction.xy;
    let b = beam.origin.xy + t.y * beam.direction.xy;
    let low = min(a, b) - margin;
    let high = max(a, b) + margin;
    let pair = 2u * (lane % PHASES);
    // The hind leg, the front leg, or both.
    for (var side = select(1u, 0u, low.x < 0.15); side < select(1u, 2u, high.x > -0.15); side++) {
        test_leg(beam, sharpness, pair + side, z, vec2f(select(PIVOT.x, -PIVOT.x, side == 1u), PIVOT.y));
    }
    if low.x < 0.4 && high.x > -0.4 && high.y > -0.16 {
        test_frame(beam, sharpness, lane, pair, z);
    }
}

// ---- The sail --------------------------------------------------------------------

// A fan on the ridge, turned to the wind. Sail space: x with the wind, y up, z across, the
// origin at the foot of the mast.
const SAIL_ORIGIN: vec3f = vec3f(0.0, RIDGE, 0.0);
const SAIL_TURN: vec2f = vec2f(0.88, 0.475);
const SAIL_RADIUS: f32 = 1.5;
const PANELS: f32 = 9.0;
const SAIL_ANGLE: f32 = 1.22;

// The mast leans ahead of the cloth. Two stays run from its head to the ends of the ridge.
const MAST_HEAD: vec3f = vec3f(0.325, RIDGE + 1.72, 0.176);
const STAY: vec3f = vec3f(0.0, 0.0, HALF_WIDTH);

fn to_sail(v: vec3f) -> vec3f {
    return vec3f(dot(SAIL_TURN, v.xz), v.y, SAIL_TURN.x * v.z - SAIL_TURN.y * v.x);
}

// Depth to which the wind fills the sail.
fn billow(yz: vec2f, turns: f32) -> f32 {
    let rho = length(yz) / SAIL_RADIUS;
    let gust = 0.05 * sin(frame::TAU * turns - 4.5 * yz.y - yz.x);
    return params.wind * rho * (0.40 + (gust - 0.18) * rho);
}

// Colour times coverage, and coverage, of the sail with its mast and stays.
fn rig_layer(beam: Beam, turns: f32) -> vec4f {
    let origin = to_sail(beam.origin - SAIL_ORIGIN);
    let direction = to_sail(beam.direction);
    let middle = vec3f(0.2, 0.5 * SAIL_RADIUS, 0.0) - origin;
    let along = dot(middle, direction);
    if dot(middle, middle) - along * along > 3.4 || along < -1.0 {
        return vec4f(0.0);
    }
    best = NO_PIPE;
    let sharpness = 1.0 / (beam.width + beam.spread * max(along, 0.0));
    let head = in_beam(beam, MAST_HEAD);
    let foot = in_beam(beam, SAIL_ORIGIN);
    let collar = mix(foot, head, 0.045);
    test_pipe(sharpness, foot, collar, 0.03, RUBBER);
    test_pipe(sharpness, collar, head, 0.02, PLASTIC);
    test_pipe(sharpness, head, in_beam(beam, SAIL_ORIGIN + STAY), 0.0055, RUBBER);
    test_pipe(sharpness, head, in_beam(beam, SAIL_ORIGIN - STAY), 0.0055, RUBBER);
    let pipes = vec4f(pipe_color(beam), 1.0) * best.coverage;
    let p = origin + best_distance() * direction;
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
    for (var i = 0; i < 4; i++) {
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
    let e = vec2f(0.02, 0.0);
    let push = billow(p.yz, turns);
    let bulge = vec2f(billow(p.yz + e.xy, turns), billow(p.yz + e.yx, turns));
    // Every panel is round and creased.
    let fold = 4.2 * from_middle + 0.16 * sin(30.0 * from_middle + 5.0 * rho);
    let round = params.wind * fold / SAIL_RADIUS * vec2f(-p.z, p.y) * rho / max(rho, 0.05);
    let smooth_n = vec3f(1.0, (vec2f(push) - bulge) / e.x);
    let n = normalize(smooth_n + vec3f(0.0, round));
    let width = (beam.width + beam.spread * t) / max(abs(dot(n, direction)), 0.15);
    let coverage = select(0.0, clamp(0.5 - edge / width, 0.0, 1.0), abs(push - p.x) < 0.02);
    // Ribs and seams, then light from both sides.
    let rib_distance = (0.5 - abs(from_middle)) * across;
    let rib = min(0.018 / width, 1.0) * (1.0 - smoothstep(0.012 - 0.7 * width, 0.012 + 0.7 * width, rib_distance));
    let ring = abs(fract(5.0 * rho / SAIL_RADIUS + 0.25) - 0.5) * SAIL_RADIUS / 5.0;
    let seam = 0.3 * (1.0 - smoothstep(0.004, 0.004 + width, ring)) + 0.45 * exp(-16.0 * rib_distance)
        + 0.25 * smoothstep(-0.040, -0.036, rho - hollow);
    let sun = to_sail(sun_direction());
    let facing = select(n, -n, dot(smooth_n, direction) > 0.0);
    let lit = dot(facing, sun);
    // Several layers of cloth overlap at the foot of the mast.
    let back = max(-lit, 0.0);
    // The far stay draws a soft line of shadow, in the plane of the stay and the sun.
    let head = to_sail(MAST_HEAD - SAIL_ORIGIN);
    let from_stay = 30.0 * dot(p - head, normalize(cross(sun, head + to_sail(STAY))));
    let through = back * back * (1.0 - seam) * (0.35 + 0.65 * rho / SAIL_RADIUS)
        * (1.0 - 0.45 * max(1.0 - from_stay * from_stay, 0.0));
    let tint = palette::linear_from_display(params.sail_color)
        * mix(vec3f(1.0), vec3f(0.74, 0.36, 0.24), step(1.0, panel % 2.0));
    // Some light passes between the threads, nearly straight on.
    let toward = max(dot(direction, sun), 0.0);
    let glow = 0.2 * pow(toward, 24.0) + 1.2 * pow(toward, 250.0);
    var color = tint * (sun_color() * (0.75 * max(lit, 0.0) + tint * 0.75 * through + glow)
        + vec3f(0.20, 0.23, 0.33) * (0.6 + 0.4 * facing.y) * (1.0 - seam));
    color = mix(color, vec3f(0.06, 0.045, 0.035) * (1.0 + sun_color() * max(lit, 0.1)), 0.85 * rib);
    return vec4f(color, 1.0) * coverage;
}

// ---- The animal in a beam --------------------------------------------------------

// Light of the sky low over the horizon, scattered by spray.
var<private> haze: vec3f;

// Distance to the best pipe.
fn best_distance() -> f32 {
    return (1.0 - best.score / max(best.coverage, 1e-6)) / FADE;
}

// Colour of the best pipe.
fn pipe_color(beam: Beam) -> vec3f {
    let material = floor(best.kind);
    let away = length(best.offset);
    let across = beam.axes * vec3f(-best.offset / max(away, best.kind - material), 0.0);
    let n = across - sqrt(max(1.0 - dot(across, across), 0.0)) * beam.direction;
    let p = beam.origin + best_distance() * beam.direction;
    // Black ties around the ends, a bright pin through every joint, and mud at the feet.
    var albedo = palette::linear_from_display(params.pipe_color);
    albedo = mix(vec3f(0.05, 0.035, 0.03), albedo, smoothstep(0.028, 0.034, best.from_end));
    albedo = mix(vec3f(0.40, 0.29, 0.19), albedo, smoothstep(0.006, 0.009, length(vec2f(best.from_end, away))));
    albedo = mix(albedo, vec3f(0.20, 0.15, 0.10), 0.7 * smoothstep(-0.66, -0.93, p.y));
    // Rubber mirrors the sky, and a lighter welt runs around the sole.
    let rubber = vec3f(0.03 + 0.3 * max(-n.y - 0.3, 0.0)) + vec3f(0.14, 0.17, 0.20) * max(n.y, 0.0);
    albedo = select(albedo, select(rubber, vec3f(0.75, 0.09, 0.02), material == STEEL), material >= RUBBER);
    // The sky lights the upper side and the sand the lower one, less among the far legs; pipes
    // toward the sun shade those behind. The glow around the sun wraps around the side toward
    // it; the sun draws a thin rim there and shines through pipes that hide it.
    let sun = sun_direction();
    let depth = clamp(dot(p, beam.direction) + 1.1, 0.0, 4.0) * clamp(1.3 - 1.4 * p.y, 0.0, 1.0);
    let open = 1.0 - 0.17 * (STAY.z * abs(sun.z) - p.z * sun.z);
    let sky_light = mix(vec3f(0.075, 0.04, 0.025), vec3f(0.11, 0.17, 0.32), 0.5 + 0.5 * n.y);
    let along = dot(sun, beam.direction);
    let aside = sun - along * beam.direction;
    let side = smoothstep(-0.5, 1.0, dot(across, aside) * inverseSqrt(dot(aside, aside) + 1e-3));
    let glow = side * side;
    let through = max(9.0 * along - 8.0, 0.0) * (1.0 - 0.7 * dot(across, across));
    let light = (1.0 - 0.25 * depth) * (1.0 - 0.25 * depth) * (sky_light + vec3f(0.78, 0.46, 0.24) * glow)
        + open * sun_color() * (0.16 * through + 0.55 * max(dot(n, sun), 0.0));
    let rim = open * (0.03 + 0.6 * albedo) * vec3f(2.2, 1.6, 1.0) * glow * glow * glow;
    return mix(haze, albedo * light + rim, 1.0 - 0.17 * depth);
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
        layers += (1.0 - layers.a) * best.coverage * vec4f(pipe_color(beam), 1.0);
        lane += crossed.step;
    }
    return select(layers + (1.0 - layers.a) * sail, layers, is_sail_first);
}

// Sunlight that reaches a point on the sand.
fn sunlight(p: vec3f, footprint: f32, turns: f32) -> vec3f {
    let beam = beam_along(p, sun_direction(), footprint, 0.02);
    let crossed = crossing(beam);
    var lane = crossed.lane;
    var left = 1.0;
    for (var i = 0; i < crossed.count && left > 0.02; i++) {
        test_lane(beam, u32(lane), crossed.span);
        left *= 1.0 - best.coverage;
        lane += crossed.step;
    }
    return left * mix(vec3f(1.0), 0.30 * palette::linear_from_display(params.sail_color), rig_layer(beam, turns).a);
}

// ---- Sky and sea -----------------------------------------------------------------

fn sun_direction() -> vec3f {
    return shading::direction_at(params.sun_bearing, params.sun_height);
}

// Red when low.
fn sun_color() -> vec3f {
    let high = smoothstep(0.0, 0.5, sun_direction().y);
    return mix(vec3f(5.2, 2.1, 0.70), vec3f(4.4, 3.9, 3.2), high);
}

// The sky without clouds and sun.
fn sky_air(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let sun = max(dot(direction, sun_direction()), 0.0);
    let high = smoothstep(0.0, 0.5, sun_direction().y);
    let zenith = mix(vec3f(0.020, 0.125, 0.30), vec3f(0.10, 0.25, 0.60), high);
    let horizon = mix(mix(vec3f(0.26, 0.22, 0.25), vec3f(1.0, 0.34, 0.06), sun * sun * sun), vec3f(0.55, 0.64, 0.74), high);
    // Green rises highest, which keeps the sky between gold and blue from turning mauve.
    let air = mix(horizon, zenith, 1.0 - exp(-vec3f(7.5, 4.2, 6.0) * up));
    return air + sun_color() * (0.045 * pow(sun, 6.0) + 0.12 * pow(sun, 48.0));
}

fn sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let sun = dot(direction, sun_direction());
    var color = sky_air(direction);
    // Clouds on a plane, long toward the sun, lit from below and behind.
    let q = mat2x2f(0.44, -0.85, 0.275, 1.53) * direction.xz / (up + 0.11);
    let fine = noise::value_noise(q * 2.7, 255u, 2u).x;
    let large = noise::value_noise(q + vec2f(0.45, -0.3) * fine, 255u, 1u).x;
    let finest = noise::value_noise(q * 10.3 + 2.5 * fine, 255u, 3u).x;
    let cloud = smoothstep(-0.02, 0.95, large + 0.40 * fine + 0.36 * finest) * smoothstep(0.015, 0.10, up);
    let lit = sun_color() * (0.05 + 0.15 * sun_direction().y + 0.30 * pow(max(sun, 0.0), 8.0));
    color = mix(color, 0.45 * color + 0.50 * lit + vec3f(0.02, 0.03, 0.05), 0.8 * cloud)
        + cloud * (1.0 - cloud) * (1.0 - 0.5 * cloud) * lit;
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

// Slope of the sea, without waves finer than `footprint`.
fn wave_slope(p: vec2f, turns: f32, lap: f32, footprint: f32) -> vec2f {
    let k = frame::TAU / lap;
    // Gusts bend the crests and leave calm patches.
    let bend = noise::value_noise(p * vec2f(4.0, 2.0) / lap, 3u, 5u).x;
    let gust = noise::value_noise(p * vec2f(8.0, 3.0) / lap + 0.7 * bend, 7u, 6u).x;
    var slope = vec2f(0.0);
    var wave = vec4f(1.0, 6.0, 4.0, 0.014);
    for (var i = 0; i < 5; i++) {
        let v = k * wave.xy;
        let phase = dot(v, p) + frame::TAU / LOOP_TURNS * wave.z * turns + (1.3 + 1.1 * bend) * f32(i) + 2.5 * bend;
        let visible = exp(-0.35 * dot(v, v) * footprint * footprint);
        slope += visible * wave.w * v * cos(phase + 0.8 * sin(phase));
        wave = vec4f(round(wave.x * -1.9 - 1.0), round(wave.y * 1.55), round(wave.z * 1.5), wave.w * 0.52);
    }
    return slope * (0.35 + 1.3 * smoothstep(-0.6, 0.6, gust));
}

// ---- The beach -------------------------------------------------------------------

// Blurred footprints on the sand: x = depth, 0 to 1, yz = slope, w = water around a shoe.
fn footprints(p: vec2f, footprint: f32, turns: f32, walk: Walk) -> vec4f {
    let lane = clamp(round(p.y / LANE_WIDTH + 0.5 * f32(LANES - 1u)), 0.0, f32(LANES - 1u));
    let z = p.y - lane_z(u32(lane));
    let phase = u32(lane) % PHASES;
    var sum = vec4f(0.0);
    for (var side = 0; side < 2; side++) {
        let ahead = lead(phase, side == 1);
        let zero = foothold(0.0, ahead, side == 1, walk);
        let index = round((p.x - zero) / walk.stride);
        let age = turns + ahead - index;
        let away = vec2f(p.x - zero - walk.stride * index, z) / (vec2f(0.062, 0.034) + 0.3 * footprint);
        let r = dot(away, away);
        if age >= 0.0 && age < 5.0 && r < 9.0 {
            let q = sqrt(r);
            let pit = exp(-r * r);
            let rim = 0.2 * exp(-3.0 * (q - 1.45) * (q - 1.45));
            // A ring runs out through the water when the sole touches down.
            let ring = q - 1.0 - 8.0 * age;
            let wave = 1.1 * exp(-9.0 * ring * ring - 8.0 * age) * sin(7.0 * ring) * (1.0 - smoothstep(1.6, 2.4, q));
            let fall = -4.0 * r * pit + (6.0 * (q - 1.45) * rim + wave) / max(q, 0.1);
            sum += vec4f((1.0 - smoothstep(0.5, 5.0, age)) * vec3f(pit - rim, fall * away), max(1.0 - 0.25 * r, 0.0) * max(1.0 - age, 0.0));
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
    let p = (origin + distance * direction).xz;
    let footprint = pixel * distance / max(sqrt(-direction.y), 0.05);
    let sun = sun_direction();
    let edge = p.y - shore(p.x, turns, lap);
    let grid = p * (32.0 / lap);
    let tone = noise::value_noise(grid, 31u, 1u);
    let bumps = noise::value_noise(4.0 * grid, 127u, 2u);
    let detail = exp(-80.0 * footprint * footprint);
    if edge < 0.0 {
        // The sea: a mirror of the sky, sand seen through its edge, foam.
        let slope = wave_slope(p, turns, lap, footprint) * smoothstep(0.0, -1.5, edge);
        let n = normalize(vec3f(-slope.x, 1.0, -slope.y));
        let turned = reflect(direction, n);
        let mirrored = normalize(vec3f(turned.x, abs(turned.y) + 0.02, turned.z));
        let f = shading::fresnel(max(dot(n, -direction), 0.02), 0.02);
        let body = mix(vec3f(0.012, 0.075, 0.085), vec3f(0.30, 0.22, 0.14), exp(1.1 * edge));
        var color = body * (0.35 * sun_color() * max(sun.y, 0.0) + vec3f(0.45));
        color += sun_color() * 0.30 * shading::ggx_specular(n, -direction, sun, 0.22 + 0.10 * smoothstep(4.0, 60.0, distance));
        // Foam at the edge and on lines of breakers.
        let torn = noise::value_noise(8.0 * grid + 0.8 * bumps.yz, 255u, 4u).x;
        let at_edge = smoothstep(-0.34, -0.02, edge) * (0.675 + 0.325 * bumps.x);
        let roll = fract(0.30 * p.y + 2.0 / 3.0 * turns + 0.10 * tone.x + 0.06 * sin(frame::TAU / lap * p.x));
        let crest = smoothstep(0.70, 0.97, roll) * smoothstep(1.0, 0.97, roll)
            * smoothstep(-22.0, -4.0, p.y) * smoothstep(-0.3, 0.45, tone.x + 0.35);
        let foam = 0.95 * smoothstep(0.2, 0.85, max(at_edge, crest) * (1.15 + 0.8 * torn * detail));
        color = mix(color, vec3f(0.80, 0.76, 0.74) * (0.32 * sun_color() * (0.25 + sun.y) + vec3f(0.42, 0.44, 0.50)), foam);
        return Seen(color, mirrored, min(f, 0.75) * (1.0 - foam));
    }
    // Sand: damp near the sea, with a film of water in its hollows, in the prints, and where the
    // last wave was.
    let prints = footprints(p, footprint, turns, walk);
    let ripple = noise::ripples(p * vec2f(32.0 / lap), vec2f(frame::TAU * 2.0, 9.0), 4.0);
    let damp = clamp(1.25 - 0.13 * (p.y + 2.3) + 0.25 * tone.x, 0.0, 1.0) * params.wetness;
    let level = damp * 1.2 - 0.50 + 0.30 * tone.x - 0.10 * ripple.x * detail + 0.9 * prints.w;
    let film = smoothstep(-0.22, 0.34, level) * step(0.001, params.wetness);
    let pit = clamp(prints.x, 0.0, 1.0);
    let wet = max(film, 1.0 - smoothstep(0.0, 0.6, edge));
    let mirror = mix(wet, 0.8 * smoothstep(0.7, 0.9, pit) * film, smoothstep(0.03, 0.25, pit));
    var slope = 0.010 * ripple.yz * detail + 0.03 * bumps.yz * detail;
    slope = slope * (1.0 - 0.93 * mirror) - 0.55 * prints.yz * (1.0 - 0.6 * mirror);
    let n = normalize(vec3f(-slope.x, 1.0, -slope.y));
    let local = vec3f(p.x - walk.stride * turns, -walk.height, p.y);
    let direct = sunlight(local, 0.004 + 0.5 * pixel * distance, turns);
    let grain = noise::value_noise(64.0 * grid, 2047u, 3u).x * exp(-5000.0 * footprint * footprint);
    let albedo = vec3f(0.46, 0.345, 0.235) * mix(1.0, 0.34, clamp(1.4 * damp, 0.0, 1.0)) * (1.0 + 0.10 * grain + 0.07 * tone.x)
        * (1.0 - 0.5 * pit) * (1.0 - 0.5 * prints.w);
    // The light of the sky, less under the animal.
    let under = exp(-1.1 * dot(local.xz / vec2f(0.95, 1.35), local.xz / vec2f(0.95, 1.35)));
    let ambient = vec3f(0.34, 0.36, 0.44) * (1.0 - 0.55 * under);
    var color = albedo * (sun_color() * max(dot(n, sun), 0.0) * direct + ambient);
    // Reflection of the animal; the caller adds that of the sky.
    let turned = reflect(direction, normalize(mix(n, vec3f(0.0, 1.0, 0.0), 0.85 * mirror)));
    let mirrored = normalize(vec3f(turned.x, max(turned.y, 0.01), turned.z));
    let f = shading::fresnel(-direction.y, 0.05) * mix(0.12, 1.0, mirror);
    let reflected = animal(beam_along(local, mirrored, pixel * distance, mix(0.03, 0.010, mirror)), turns);
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
    let away = 6.1 / max(orbit.z, 0.2);
    let pitch = clamp(-0.062 + 0.016 * sin(sway + 1.0) + orbit.y, -0.55 / away, 1.4);
    let yaw = 1.12 + 0.27 * sin(sway) + orbit.x;
    let eye = camera::orbit(vec3f(0.10, 0.36, 0.0), yaw, pitch, away, frame::narrow_view_factor(1.5) / FOCAL);
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    haze = sky_air(normalize(vec3f(direction.x, 0.012, direction.z)));
    // The sky once: seen, or mirrored.
    let front = animal(beam_along(eye.position, direction, 1e-4, pixel), turns);
    var seen = Seen(vec3f(0.0), direction, 1.0);
    let distance = -(eye.position.y + walk.height) / min(direction.y, -0.0004);
    let is_ground = direction.y < -0.0004;
    if is_ground && front.a < 0.995 {
        let world = eye.position + vec3f(walk.stride * turns, walk.height, 0.0);
        seen = beach(world, direction, distance, pixel, turns);
    }
    var color = seen.light + seen.weight * sky(seen.mirrored);
    if is_ground {
        color = mix(haze, color, exp(-0.009 * distance));
    }
    // Bright water must not outshine a pipe in its pixel. The sun's glare veils the animal.
    color = front.rgb + (1.0 - front.a) * min(color, vec3f(0.6 / max(front.a, 1e-3)))
        + 0.025 * sun_color() * pow(max(dot(direction, sun_direction()), 0.0), 60.0);
    color *= shading::vignette(frag_coord, vec2f(0.55, 0.75), 0.16);
    return shading::to_display(0.60 * color, frag_coord);
}
