// The walking creature: a six-legged insect crosses dunes without end.
//
// Every pixel works out the whole animal for its instant: where the feet stand
// follows from time (gait, walk), how the legs bend from the feet (ik), what the
// ray meets from the legs (raymarch). Nothing is stored between pixels or frames.

#import tarsus::bounds
#import tarsus::brute_force
#import tarsus::figure
#import tarsus::camera
#import tarsus::frame
#import tarsus::gait
#import tarsus::ik
#import tarsus::light
#import tarsus::limb
#import tarsus::members
#import tarsus::noise
#import tarsus::palette
#import tarsus::path
#import tarsus::raymarch
#import tarsus::sdf
#import tarsus::shading
#import tarsus::terrain
#import tarsus::walk

// Everything repeats after this time: 25 strides along one period of the path.
const LOOP_SECONDS: f32 = 24.0;

const WALK: gait::Gait = gait::Gait(0.96, 0.58, 1.28, 0.34);
const LENGTHS: ik::LegLengths = ik::LegLengths(0.20, 1.02, 1.22, 0.24);
const CLEARANCE: f32 = 0.86;

// Legs are numbered 0 to 2 on the left from front to back, 3 to 5 on the right.
const LEGS: u32 = 6u;

fn row_of(leg: u32) -> u32 {
    return leg % 3u;
}

fn side_of(leg: u32) -> f32 {
    return select(-1.0, 1.0, leg >= 3u);
}

fn phase_of(leg: u32) -> f32 {
    return gait::tripod_phase(row_of(leg), side_of(leg));
}

// Where a foot rests on the ground (x ahead, y right of the body's middle).
fn rest_of(leg: u32) -> vec2f {
    let row = row_of(leg);
    let right = select(
        select(vec2f(1.34, 1.02), vec2f(0.10, 1.52), row == 1u), vec2f(-1.22, 1.16), row == 2u);
    return right * vec2f(1.0, side_of(leg));
}

const REST_CENTRE: vec2f = vec2f(0.0733, 0.0);

// Where a leg meets the body (x ahead, y up, z right).
fn hip_of(leg: u32) -> vec3f {
    let row = row_of(leg);
    let right = select(
        select(vec3f(0.40, -0.08, 0.21), vec3f(0.08, -0.10, 0.25), row == 1u),
        vec3f(-0.24, -0.08, 0.21),
        row == 2u,
    );
    return right * vec3f(1.0, 1.0, side_of(leg));
}

const TO_SUN: vec3f = vec3f(-0.6062, 0.3420, -0.7180);
const SUN_ANGLE: f32 = 0.035;
const SUN: vec3f = vec3f(3.7, 2.55, 1.45);
const FAR: f32 = 120.0;
// How far from a surface something can throw a shadow on it.
const LONGEST_SHADOW: f32 = 12.0;

// ---- The animal at this instant -------------------------------------------

struct Limb {
    bones: ik::Leg,
}

// Everything in body space.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    left_antenna: limb::Curve,
    right_antenna: limb::Curve,
    // Cosine and sine of the head's turn to the right.
    head_turn: vec2f,
    // How far the mandibles are open, 0 to 1.
    bite: f32,
}

fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), rest_of(leg), time);
}

fn distance_at(time: f32) -> f32 {
    return WALK.stride * time / WALK.period;
}

fn body_over(support: walk::Support, time: f32) -> walk::Body {
    // Two gentle bobs in a cycle: the body sinks as its weight changes feet.
    let bob = 0.018 * cos(2.0 * path::TURN * (time / WALK.period - 0.04));
    return walk::body_over(support, REST_CENTRE, distance_at(time), CLEARANCE + bob, 0.75);
}

// The leg to a foot; a raised one (`raised` from 0 to 1) points its tarsus onward.
fn leg_to(foot_in_body: vec3f, leg: u32, raised: f32) -> Limb {
    let hip = hip_of(leg);
    let rest = rest_of(leg);
    let outward = normalize(vec3f(rest.x - hip.x, 0.0, rest.y - hip.z));
    let up = vec3f(0.0, 1.0, 0.0);
    let onward = normalize(foot_in_body - hip - vec3f(0.0, 0.5, 0.0));
    let tarsus = normalize(mix(0.45 * outward - up, onward, raised));
    return Limb(ik::solve_leg(foot_in_body, hip, up, outward, tarsus, LENGTHS));
}

// ---- Reaching for the pointer -------------------------------------------------

// While the button is held a front foot goes to the point under the pointer.
struct Reach {
    // From 0 (walking) to 1 (on the target), eased in both directions.
    weight: f32,
    // Which leg reaches.
    leg: u32,
    // In the world.
    target_point: vec3f,
}

const NO_REACH: Reach = Reach(0.0, 0u, vec3f(0.0));

// Seconds from the press until the foot is there, and from the release until it
// is back in its gait.
const REACH_OUT: f32 = 0.45;
const REACH_BACK: f32 = 0.6;

fn eased(x: f32) -> f32 {
    let t = clamp(x, 0.0, 1.0);
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

// How far the reach has got. The ages of the last press and release are all
// there is to know; a press shorter than REACH_OUT comes back from where it got.
fn reach_weight() -> f32 {
    let pressed = frame::frame.press_age;
    let released = frame::frame.release_age;
    if pressed >= frame::NEVER {
        return 0.0;
    }
    if released < pressed {
        return eased((pressed - released) / REACH_OUT) * (1.0 - eased(released / REACH_BACK));
    }
    // Pressed again while still on the way back.
    let left_over = 1.0 - eased((released - pressed) / REACH_BACK);
    return mix(left_over, 1.0, eased(pressed / REACH_OUT));
}

// The point under a pixel: on the ground near the animal, and farther off on
// the plane through the body that faces the camera.
fn point_under(pixel: vec2f, eye: camera::Camera, body: walk::Body) -> vec3f {
    let direction = camera::ray_direction(eye, frame::centred(pixel));
    let facing = eye.world_from_view[2];
    let to_plane = dot(body.position - eye.position, facing) / min(dot(direction, facing), -0.1);
    let to_ground = terrain::trace(eye.position, direction, 40.0);
    let away = distance(eye.position + to_ground * direction, body.position);
    let t = mix(to_ground, to_plane, smoothstep(2.3, 3.4, away));
    return eye.position + t * direction;
}

fn reach_at(eye: camera::Camera, body: walk::Body) -> Reach {
    let weight = reach_weight();
    if weight <= 0.0 {
        return NO_REACH;
    }
    // The leg is chosen where the button went down and keeps to it.
    let pressed_at = camera::ray_direction(eye, frame::centred(abs(frame::frame.mouse.zw)));
    let middle = body.position + 0.9 * body.world_from_body[0] - eye.position;
    let aside = pressed_at * dot(middle, middle) / max(dot(middle, pressed_at), 0.1) - middle;
    let leg = select(0u, 3u, dot(aside, body.world_from_body[2]) > 0.0);
    return Reach(weight, leg, point_under(frame::frame.mouse.xy, eye, body));
}

// The body leans toward what it reaches for.
fn leaning(body: walk::Body, reach: Reach) -> walk::Body {
    let aim = walk::to_body(body, reach.target_point);
    let toward = vec3f(aim.x, 0.0, aim.z) / (1.0 + length(aim)) * reach.weight;
    let rise = clamp(0.10 * aim.y, -0.05, 0.10) * reach.weight;
    let up = normalize(vec3f(0.0, 1.0, 0.0) + 0.10 * toward - vec3f(rise, 0.0, 0.0));
    let ahead = normalize(vec3f(1.0, 0.0, 0.0) - up * up.x);
    let turn = body.world_from_body * mat3x3f(ahead, up, cross(ahead, up));
    let shift = body.world_from_body * (0.16 * toward + vec3f(0.0, rise, 0.0));
    return walk::Body(body.position + shift, turn);
}

// Direction, level in the body, that the head turns to: what is reached for, as
// far as the neck allows.
fn head_turn_at(aim: vec3f, weight: f32, time: f32) -> vec2f {
    let w = path::TURN / LOOP_SECONDS * time;
    let wander = vec2f(1.0, 0.10 * sin(7.0 * w) + 0.05 * sin(19.0 * w));
    let onto = aim.xz - vec2f(0.6, 0.0);
    let allowed = vec2f(max(onto.x, 1.1 * abs(onto.y) + 0.05), onto.y);
    return normalize(mix(wander, normalize(allowed), weight));
}

// A point of head space in body space.
fn from_head(q: vec3f, turn: vec2f) -> vec3f {
    return NECK + camera::turned(q, turn * vec2f(1.0, -1.0));
}

const NECK: vec3f = vec3f(0.60, 0.02, 0.0);

// Of the right antenna, in head space.
const ANTENNA_BASE: vec3f = vec3f(0.38, 0.08, 0.08);

fn antenna_base(side: f32, turn: vec2f) -> vec3f {
    return from_head(ANTENNA_BASE * vec3f(1.0, 1.0, side), turn);
}

// The antennae feel their way: their tips wander, or go toward what is reached for.
fn antenna_goal(side: f32, time: f32, turn: vec2f, aim: vec3f, weight: f32) -> vec3f {
    let base = antenna_base(side, turn);
    let w = path::TURN / LOOP_SECONDS * time;
    let sway = vec3f(
        0.10 * sin(17.0 * w + 1.7 * side),
        0.16 * sin(23.0 * w + 0.9 * side) + 0.06 * sin(61.0 * w),
        0.14 * sin(13.0 * w + 2.3 * side),
    );
    let onto = aim - base;
    let pointing = 1.25 * onto / (0.4 + length(onto)) + vec3f(0.0, 0.0, 0.12 * side);
    let resting = vec3f(0.94, 0.30, 0.52 * side);
    return base + mix(resting, pointing, 0.75 * weight) + sway * (1.0 - 0.6 * weight);
}

// The solver bends them.
fn antenna(side: f32, turn: vec2f, goal: vec3f) -> limb::Curve {
    let base = antenna_base(side, turn);
    return limb::feeler(base, goal, 0.62, 0.80, vec3f(-0.2, 1.0, 0.35 * side));
}

// ---- The whole animal ---------------------------------------------------------

// Feet and body as the gait alone would have them.
struct Standing {
    feet: array<vec3f, LEGS>,
    body: walk::Body,
}

fn standing_at(time: f32) -> Standing {
    var standing: Standing;
    var support = walk::no_support();
    for (var leg = 0u; leg < LEGS; leg++) {
        let foot = foot_at(leg, time);
        support = walk::supported(support, rest_of(leg), foot);
        standing.feet[leg] = foot.position;
    }
    standing.body = body_over(support, time);
    return standing;
}

// What is the same for every pixel: the camera, the body, and where feet, head and
// antennae want to be.
struct Moment {
    eye: camera::Camera,
    body: walk::Body,
    // In the world: xyz the place, w how far it is raised from its gait.
    feet: array<vec4f, LEGS>,
    // In body space.
    left_antenna: vec3f,
    right_antenna: vec3f,
    // Cosine and sine of the head's turn to the right.
    head_turn: vec2f,
    // How far the mandibles are open, 0 to 1.
    bite: f32,
}

fn moment_of(standing: Standing, eye: camera::Camera, reach: Reach, time: f32) -> Moment {
    var moment: Moment;
    moment.eye = eye;
    moment.body = leaning(standing.body, reach);
    for (var leg = 0u; leg < LEGS; leg++) {
        let weight = select(0.0, reach.weight, leg == reach.leg);
        // Off the ground on the way, so that the foot does not drag.
        let lift = vec3f(0.0, 1.2 * weight * (1.0 - weight), 0.0);
        let foot = mix(standing.feet[leg], reach.target_point, weight) + lift;
        moment.feet[leg] = vec4f(foot, weight);
    }
    let aim = walk::to_body(moment.body, reach.target_point);
    let turn = head_turn_at(aim, reach.weight, time);
    moment.left_antenna = antenna_goal(-1.0, time, turn, aim, reach.weight);
    moment.right_antenna = antenna_goal(1.0, time, turn, aim, reach.weight);
    moment.head_turn = turn;
    moment.bite = 0.5 + 0.5 * sin(11.0 * path::TURN / LOOP_SECONDS * time);
    return moment;
}

fn per_frame() -> array<vec4f, 15> {
    let time = frame::looped(LOOP_SECONDS);
    let standing = standing_at(time);
    let eye = camera_at(time, standing.body);
    return packed(moment_of(standing, eye, reach_at(eye, standing.body), time));
}

fn packed(moment: Moment) -> array<vec4f, 15> {
    let body = moment.body;
    let eye = moment.eye;
    return array<vec4f, 15>(
        moment.feet[0], moment.feet[1], moment.feet[2],
        moment.feet[3], moment.feet[4], moment.feet[5],
        vec4f(body.position, moment.bite),
        vec4f(body.world_from_body[0], moment.head_turn.x),
        vec4f(body.world_from_body[1], moment.head_turn.y),
        vec4f(moment.left_antenna, 0.0),
        vec4f(moment.right_antenna, 0.0),
        vec4f(eye.position, eye.focal_length),
        vec4f(eye.world_from_view[0], 0.0),
        vec4f(eye.world_from_view[1], 0.0),
        vec4f(eye.world_from_view[2], 0.0),
    );
}

fn kept_eye() -> camera::Camera {
    let axes = mat3x3f(frame::kept[12].xyz, frame::kept[13].xyz, frame::kept[14].xyz);
    return camera::Camera(frame::kept[11].xyz, axes, frame::kept[11].w);
}

// The leg to a foot of the world; xyz its place, w how far it has been raised
// from its gait.
fn leg_on(body: walk::Body, leg: u32, foot: vec4f) -> Limb {
    return leg_to(walk::to_body(body, foot.xyz), leg, foot.w);
}

// The animal of this frame, its limbs solved anew at every pixel. The legs are
// written out: an array picked by a running index is slow to fetch.
fn kept_animal() -> Animal {
    var animal: Animal;
    let ahead = frame::kept[7].xyz;
    let up = frame::kept[8].xyz;
    animal.body = walk::Body(frame::kept[6].xyz, mat3x3f(ahead, up, cross(ahead, up)));
    animal.legs[0] = leg_on(animal.body, 0u, frame::kept[0]);
    animal.legs[1] = leg_on(animal.body, 1u, frame::kept[1]);
    animal.legs[2] = leg_on(animal.body, 2u, frame::kept[2]);
    animal.legs[3] = leg_on(animal.body, 3u, frame::kept[3]);
    animal.legs[4] = leg_on(animal.body, 4u, frame::kept[4]);
    animal.legs[5] = leg_on(animal.body, 5u, frame::kept[5]);
    animal.head_turn = vec2f(frame::kept[7].w, frame::kept[8].w);
    animal.left_antenna = antenna(-1.0, animal.head_turn, frame::kept[9].xyz);
    animal.right_antenna = antenna(1.0, animal.head_turn, frame::kept[10].xyz);
    animal.bite = frame::kept[6].w;
    return animal;
}

// ---- Its shape ---------------------------------------------------------------

var<private> animal: Animal;

// A leg with the spines of its tibia.
struct Spined {
    bones: ik::Leg,
    // Unit vectors the spines stand out along: outward, and to the side.
    outward: vec3f,
    sideways: vec3f,
}

fn spined(member: Limb) -> Spined {
    let leg = member.bones;
    let tibia = normalize(leg.ankle - leg.knee);
    let sideways = normalize(cross(tibia, leg.knee - leg.trochanter) + vec3f(1e-6, 0.0, 0.0));
    return Spined(leg, cross(sideways, tibia), sideways);
}

// The leg that distances are measured to.
var<private> leg_at_hand: Spined;

override fn members::pick(member: u32) {
    var picked = animal.legs[0];
    if member == 1u {
        picked = animal.legs[1];
    }
    if member == 2u {
        picked = animal.legs[2];
    }
    if member == 3u {
        picked = animal.legs[3];
    }
    if member == 4u {
        picked = animal.legs[4];
    }
    if member == 5u {
        picked = animal.legs[5];
    }
    leg_at_hand = spined(picked);
}

// Thick in the upper third, thin before the knee.
fn femur_radius(h: f32) -> f32 {
    let belly = h * (1.0 - h) * (1.0 - h);
    return 0.040 + 0.30 * belly;
}

// A cuff below the knee, then slender, with rings of bristles.
fn tibia_radius(h: f32) -> f32 {
    return 0.046 - 0.024 * h + 0.004 * sin(44.0 * h) * h;
}

// Rows of spines on the tibia, `along` of it (0 to 1) from the knee: each
// stands out and leans toward the foot.
const SPINES: f32 = 8.0;

fn spine_distance(from_axis: vec3f, along: f32, tibia: vec3f, leg: Spined) -> f32 {
    let nearest = clamp(floor(along * SPINES), 2.0, SPINES - 1.0) + 0.25;
    let down = (along - nearest / SPINES) * tibia;
    let side = leg.sideways * sign(dot(from_axis, leg.sideways));
    let out = 0.55 * leg.outward + 0.83 * side;
    let tip = 0.085 * out + 0.045 * tibia;
    let p = from_axis + down;
    let h = clamp(dot(p, tip) / dot(tip, tip), 0.0, 1.0);
    return length(p - h * tip) - mix(0.011, 0.001, h);
}

fn leg_distance(p: vec3f, member: Spined) -> f32 {
    let leg = member.bones;
    let femur = sdf::along_segment(p, leg.trochanter, leg.knee);
    let tibia = sdf::along_segment(p, leg.knee, leg.ankle);
    let tarsus = sdf::along_segment(p, leg.ankle, leg.foot);
    let from_tibia = p - mix(leg.knee, leg.ankle, tibia);
    let to_femur = length(p - mix(leg.trochanter, leg.knee, femur)) - femur_radius(femur);
    let to_tibia = length(from_tibia) - tibia_radius(tibia);
    let to_spines = spine_distance(from_tibia, tibia, leg.ankle - leg.knee, member);
    let to_tarsus = length(p - mix(leg.ankle, leg.foot, tarsus)) - mix(0.026, 0.009, tarsus);
    let knee = sdf::sphere(p - leg.knee, 0.056);
    let coxa = sdf::capsule(p, leg.hip, leg.trochanter, 0.078);
    let upper = sdf::smooth_union(coxa, to_femur, 0.04);
    let lower = sdf::smooth_union(min(to_tibia, to_spines), to_tarsus, 0.03);
    return min(sdf::smooth_union(upper, knee, 0.02), lower);
}

// Abdomen: plates that overlap toward the tail. Returns where along the plates
// p is (the fraction runs from a plate's front edge to its rear edge).
const PLATES: f32 = 7.0;

fn abdomen_space(p: vec3f) -> vec3f {
    // It hangs a little from the waist.
    let q = p - vec3f(-0.34, 0.06, 0.0);
    return vec3f(0.985 * q.x + 0.174 * q.y, 0.985 * q.y - 0.174 * q.x, q.z);
}

fn plate(q: vec3f) -> f32 {
    return -q.x * PLATES / 1.38;
}

fn abdomen_distance(p: vec3f) -> f32 {
    let q = abdomen_space(p);
    let tail = clamp(-q.x / 1.4, 0.0, 1.0);
    let shape = sdf::ellipsoid(q - vec3f(-0.66, 0.0, 0.0), vec3f(0.72, 0.33, 0.39));
    let part = fract(plate(q));
    let edge = part * part * part * (1.0 - smoothstep(0.90, 1.0, part));
    let keel = 0.02 * (1.0 - smoothstep(0.0, 0.10, abs(q.z))) * (1.0 - tail);
    return 0.85 * (shape - 0.030 * edge - keel * step(0.0, q.y));
}

fn thorax_distance(p: vec3f) -> f32 {
    let q = p - vec3f(0.10, 0.03, 0.0);
    let shield = sdf::ellipsoid(q - vec3f(0.16, 0.05, 0.0), vec3f(0.34, 0.25, 0.32));
    let rear = sdf::ellipsoid(q - vec3f(-0.22, 0.0, 0.0), vec3f(0.30, 0.20, 0.25));
    let waist = sdf::capsule(p, vec3f(-0.25, 0.0, 0.0), vec3f(-0.48, 0.04, 0.0), 0.10);
    let seam = 0.016 * (1.0 - smoothstep(0.0, 0.035, abs(q.x + 0.06)));
    return sdf::smooth_union(sdf::smooth_union(shield, rear, 0.09) + seam, waist, 0.06);
}

fn body_distance(p: vec3f) -> f32 {
    return sdf::smooth_union(thorax_distance(p), abdomen_distance(p), 0.03);
}

// Head space: origin at the neck, turned with the head.
fn head_space(p: vec3f) -> vec3f {
    return camera::turned(p - NECK, animal.head_turn);
}

fn eye_distance(q: vec3f) -> f32 {
    let side = vec3f(q.x, q.y, abs(q.z));
    return sdf::ellipsoid(side - vec3f(0.25, 0.06, 0.150), vec3f(0.105, 0.125, 0.080));
}

fn mandible_distance(q: vec3f) -> f32 {
    let side = vec3f(q.x, q.y, abs(q.z));
    let open = 0.05 * animal.bite;
    let root = vec3f(0.36, -0.09, 0.08);
    let bow = vec3f(0.52, -0.13, 0.13 + open);
    let tip = vec3f(0.66, -0.13, 0.02 + 0.6 * open);
    return min(
        sdf::tapered_capsule(side, root, bow, 0.048, 0.034),
        sdf::tapered_capsule(side, bow, tip, 0.034, 0.006),
    );
}

fn skull_distance(q: vec3f) -> f32 {
    let skull = sdf::ellipsoid(q - vec3f(0.20, 0.0, 0.0), vec3f(0.25, 0.165, 0.19));
    let face = sdf::ellipsoid(q - vec3f(0.32, -0.06, 0.0), vec3f(0.14, 0.10, 0.13));
    let neck = sdf::capsule(q, vec3f(-0.12, 0.0, 0.0), vec3f(0.1, 0.0, 0.0), 0.085);
    return sdf::smooth_union(sdf::smooth_union(skull, face, 0.06), neck, 0.05);
}

fn antennae_distance(p: vec3f) -> f32 {
    return min(
        limb::curve_distance(p, animal.left_antenna, 0.021, 0.006, 0.004),
        limb::curve_distance(p, animal.right_antenna, 0.021, 0.006, 0.004),
    );
}

// The kind of part that was nearest where `raymarch::map` was asked last.
var<private> nearest_part: u32;
const TRUNK: u32 = 0u;
const SKULL: u32 = 1u;
const EYE: u32 = 2u;
const ANTENNA: u32 = 3u;

// Trunk, head and antennae.
override fn raymarch::map(p: vec3f) -> f32 {
    let q = head_space(p);
    let trunk = body_distance(p);
    let skull = sdf::smooth_union(skull_distance(q), mandible_distance(q), 0.02);
    let eye = eye_distance(q);
    let antennae = antennae_distance(p);
    let head = min(skull, eye);
    let solid = min(trunk, head);
    let of_head = select(SKULL, EYE, eye < skull);
    nearest_part = select(select(TRUNK, of_head, head < trunk), ANTENNA, antennae < solid);
    return min(solid, antennae);
}

override fn members::map(p: vec3f) -> f32 {
    return leg_distance(p, leg_at_hand);
}

// ---- What a ray can touch ----------------------------------------------------

// Thickest radius of a leg, with the fillets.
const LEG_GIRTH: f32 = 0.10;
const REACH_OF_ALL: f32 = 2.9;

// How far the trochanter lies off the line from hip to knee.
fn aside(leg: ik::Leg) -> f32 {
    return sdf::capsule(leg.trochanter, leg.hip, leg.knee, 0.0);
}

fn leg_span(origin: vec3f, direction: vec3f, leg: ik::Leg, margin: f32) -> bounds::Span {
    let girth = LEG_GIRTH + margin;
    let upper = bounds::through_capsule(origin, direction, leg.hip, leg.knee, girth + aside(leg));
    let lower = bounds::through_capsule(origin, direction, leg.knee, leg.foot, girth + 0.02);
    return bounds::joined(upper, lower);
}

override fn members::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return leg_span(origin, direction, leg_at_hand.bones, margin);
}

override fn figure::aim(origin: vec3f, direction: vec3f, margin: f32) -> figure::Aim {
    let all = bounds::through_ball(origin, direction, vec3f(0.1, -0.2, 0.0), REACH_OF_ALL + margin);
    if !bounds::ahead(all) {
        return figure::Aim(bounds::NOTHING, 0u);
    }
    let trunk = bounds::through_capsule(
        origin, direction, vec3f(-1.3, -0.02, 0.0), vec3f(0.3, 0.07, 0.0), 0.44 + margin);
    let head = bounds::through_ball(origin, direction, vec3f(0.9, 0.0, 0.0), 0.46 + margin);
    let left = limb::curve_span(origin, direction, animal.left_antenna, 0.03 + margin);
    let right = limb::curve_span(origin, direction, animal.right_antenna, 0.03 + margin);
    let legs = leg_bit(0u, origin, direction, animal.legs[0], margin)
        | leg_bit(1u, origin, direction, animal.legs[1], margin)
        | leg_bit(2u, origin, direction, animal.legs[2], margin)
        | leg_bit(3u, origin, direction, animal.legs[3], margin)
        | leg_bit(4u, origin, direction, animal.legs[4], margin)
        | leg_bit(5u, origin, direction, animal.legs[5], margin);
    let whole = bounds::joined(bounds::joined(trunk, head), bounds::joined(left, right));
    return figure::Aim(bounds::Span(max(whole.near, 0.0), whole.far), legs);
}

fn leg_bit(leg: u32, origin: vec3f, direction: vec3f, member: Limb, margin: f32) -> u32 {
    let bones = member.bones;
    let girth = LEG_GIRTH + margin;
    let upper = girth + aside(bones);
    let touched = bounds::touches_capsule(origin, direction, bones.hip, bones.knee, upper)
        || bounds::touches_capsule(origin, direction, bones.knee, bones.foot, girth + 0.02);
    return select(0u, 1u << leg, touched);
}

// ---- Surfaces ----------------------------------------------------------------

// What light meets, in body space.
struct Surface {
    position: vec3f,
    // Without fine relief.
    smooth_normal: vec3f,
    matter: light::Surface,
    // How far up the sky is judged.
    sky_reach: f32,
}

// Wind ripples: a warped wave. x = height in [-1, 1], yz = slope by distance.
// Like all that lies on this ground it repeats every 32 in x: 124 whole waves,
// warped by noise of 16 cells.
fn ripples(p: vec2f) -> vec3f {
    let warp = noise::value_noise(p * 0.5, 15u, 11u);
    let wave = vec2f(124.0 * path::TURN / path::PERIOD, 8.84);
    let phase = dot(wave, p) + 5.5 * warp.x;
    let slope = (wave + 5.5 * 0.5 * warp.yz) * cos(phase);
    return vec3f(sin(phase), slope);
}

// The legs whose tracks run past p, a bit each.
fn tracks_near(p: vec2f) -> u32 {
    let beside = p.y - path::point_at(p.x).y;
    var near = 0u;
    for (var leg = 0u; leg < LEGS; leg++) {
        near |= select(0u, 1u << leg, abs(beside - rest_of(leg).y) < 0.5);
    }
    return near;
}

// How deep the feet that have lifted off left the sand pressed in: x = depth in
// [0, 1], yz its slope. Holds lie at even distances along the path, so the one
// nearest to a point is found by rounding.
fn footprints(p: vec2f, time: f32) -> vec3f {
    var prints = vec3f(0.0);
    for (var left = tracks_near(p); left != 0u; left &= left - 1u) {
        let leg = firstTrailingBit(left);
        let rest = rest_of(leg);
        let phase = phase_of(leg);
        let index = round((p.x - rest.x) / WALK.stride + phase - 0.5 * WALK.duty);
        let age = (floor(time / WALK.period + phase) - index) / 16.0;
        let away = p - walk::hold(WALK, phase, rest, index);
        let squared = dot(away, away) / (0.10 * 0.10);
        if age >= 0.0 && age < 1.0 && squared < 6.0 {
            // A pit with a low rim thrown up around it.
            let fall = exp(-squared) * (1.0 - age * age);
            prints += vec3f(fall, fall * (1.0 - 0.55 * squared) * away * -14.0);
        }
    }
    return prints;
}

// Seen along `direction` by a pixel `width` wide there.
fn sand_at(p: vec3f, direction: vec3f, width: f32, time: f32) -> Surface {
    let relief = terrain::relief(p.xz);
    let footprint = terrain::footprint(width, direction, relief.yz);
    let tone = noise::value_noise(p.xz * 0.25, 7u, 5u).x;
    // What is finer than a pixel must fade to its mean, or it flickers.
    let near = exp(-60.0 * footprint * footprint);
    var slope = relief.yz;
    var pressed = 0.0;
    var ripple = 0.0;
    if near > 0.01 {
        let prints = footprints(p.xz, time);
        pressed = min(prints.x, 1.0);
        let waves = ripples(p.xz);
        let flank = near * (1.0 - pressed) * (0.75 + 0.45 * tone);
        ripple = waves.x * flank;
        slope += 0.0075 * waves.yz * flank + 0.16 * prints.yz;
    }
    let grain = noise::value_noise(p.xz * 64.0, 2047u, 3u).x * exp(-900.0 * footprint * footprint);
    var albedo = mix(vec3f(0.36, 0.235, 0.135), vec3f(0.45, 0.32, 0.20), 0.5 + 0.5 * tone);
    albedo *= (1.0 + 0.07 * grain + 0.08 * ripple) * (1.0 - 0.25 * pressed);

    let to_body = animal.body.world_from_body;
    let normal = normalize(vec3f(-slope.x, 1.0, -slope.y)) * to_body;
    return Surface(
        walk::to_body(animal.body, p),
        normalize(vec3f(-relief.y, 1.0, -relief.z)) * to_body,
        light::Surface(normal, albedo, vec3f(0.0), 1.0, 0.35, 0.0),
        1.0,
    );
}

struct Material {
    albedo: vec3f,
    gloss: vec3f,
    roughness: f32,
    // Slope of the fine bumps.
    bumps: f32,
}

// Dark at both ends of a segment, reddish amber between.
fn leg_material(h: f32) -> Material {
    let band = smoothstep(0.0, 0.22, h) * (1.0 - smoothstep(0.74, 1.0, h));
    let albedo = mix(vec3f(0.016, 0.010, 0.009), vec3f(0.19, 0.052, 0.013), band);
    return Material(albedo, vec3f(0.06), 0.30, 0.10);
}

// How far along its bone (0 to 1) a point of a leg is.
fn along_nearest_bone(p: vec3f, leg: ik::Leg) -> f32 {
    let upper = sdf::along_segment(p, leg.trochanter, leg.knee);
    let lower = sdf::along_segment(p, leg.knee, leg.ankle);
    let to_upper = distance(p, mix(leg.trochanter, leg.knee, upper));
    let to_lower = distance(p, mix(leg.knee, leg.ankle, lower));
    return select(upper, lower, to_lower < to_upper);
}

// Six-sided facets of the eyes, as a tilt of the normal.
fn facets(q: vec3f) -> vec3f {
    let across = vec2f(q.x, q.y + 0.3 * abs(q.z)) * 62.0;
    let hex = vec2f(1.0, 1.7320508);
    let a = fract(across / hex) * hex - 0.5 * hex;
    let b = fract(across / hex + 0.5) * hex - 0.5 * hex;
    return 0.30 * vec3f(select(b, a, dot(a, a) < dot(b, b)), 0.0);
}

// The material of trunk, head or antennae at p, whichever was nearest.
fn trunk_material(p: vec3f, q: vec3f) -> Material {
    if nearest_part == EYE {
        return Material(vec3f(0.020, 0.004, 0.004), vec3f(0.055, 0.04, 0.04), 0.12, 0.0);
    }
    if nearest_part == ANTENNA {
        return Material(vec3f(0.10, 0.035, 0.015), vec3f(0.05), 0.4, 0.05);
    }
    if nearest_part == SKULL {
        let front = smoothstep(0.30, 0.60, q.x);
        let albedo = mix(vec3f(0.030, 0.026, 0.020), vec3f(0.16, 0.035, 0.010), front);
        return Material(albedo, vec3f(0.07, 0.075, 0.06), 0.28, 0.16);
    }
    if p.x < -0.40 {
        // Amber skin shows between the plates.
        let skin = 1.0 - smoothstep(0.02, 0.30, fract(plate(abdomen_space(p))));
        let albedo = mix(vec3f(0.030, 0.022, 0.016), vec3f(0.34, 0.13, 0.03), 0.8 * skin);
        return Material(albedo, vec3f(0.07, 0.075, 0.06) * (1.0 - 0.5 * skin), 0.27, 0.14);
    }
    return Material(vec3f(0.026, 0.024, 0.020), vec3f(0.08, 0.085, 0.07), 0.25, 0.20);
}

// The animal's surface at the point p that a ray has met; `on_leg` tells which
// kind of part it is of, and the leg is at hand.
fn chitin_at(met: raymarch::March, p: vec3f, direction: vec3f, on_leg: bool) -> Surface {
    let smooth_normal = met.normal;
    let q = head_space(p);
    var material = leg_material(along_nearest_bone(p, leg_at_hand.bones));
    if !on_leg {
        material = trunk_material(p, q);
    }
    let near = clamp(1.0 - met.distance / 14.0, 0.0, 1.0);
    let facing = clamp(dot(smooth_normal, -direction), 0.0, 1.0);
    // At outlines bumps would only sparkle.
    let fine = select(0.0, material.bumps * smoothstep(0.0, 0.5, facing), met.coverage > 0.0);
    let is_eye = !on_leg && nearest_part == EYE;
    let tilt = select(light::bumps(p, 38.0, fine), facets(q), is_eye);
    let normal = normalize(smooth_normal + near * tilt);
    let film = shading::thin_film(clamp(dot(normal, -direction), 0.0, 1.0), 2.3);
    let gloss = material.gloss * (0.35 + 1.3 * film);
    return Surface(
        p + 0.012 * smooth_normal,
        smooth_normal,
        light::Surface(normal, material.albedo, gloss, material.roughness, 0.0, 0.20),
        0.35,
    );
}

// ---- Light -------------------------------------------------------------------

// Light of the sky on a surface that faces along n: blue from above, sand from below.
fn sky_light(n: vec3f) -> vec3f {
    let above = vec3f(0.36, 0.46, 0.66);
    let below = vec3f(0.42, 0.27, 0.15);
    let west = 0.5 + 0.5 * dot(n, TO_SUN);
    return mix(below, above, 0.5 + 0.5 * n.y) + vec3f(0.55, 0.36, 0.20) * west * west;
}

// A capsule that holds trunk and head.
const TAIL: vec3f = vec3f(-1.3, -0.02, 0.0);
const HEAD: vec3f = vec3f(0.9, 0.05, 0.0);
const GIRTH: f32 = 0.52;

override fn figure::ground_room(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    return terrain::light_room(p, to_light, angle);
}

override fn figure::trunk_bound(p: vec3f) -> f32 {
    return sdf::capsule(p, TAIL, HEAD, GIRTH);
}

const LAMP: figure::Lamp = figure::Lamp(TO_SUN, SUN_ANGLE, LONGEST_SHADOW);

// Light that leaves a surface against `direction` (both in body space).
fn lit(surface: Surface, direction: vec3f, distance: f32) -> vec3f {
    let world_from_body = animal.body.world_from_body;
    let open = figure::light_at(
        surface.position, surface.smooth_normal, surface.sky_reach, distance, LAMP);

    let normal = surface.matter.normal;
    let mirrored = world_from_body * reflect(direction, normal);
    let above_ground = smoothstep(-0.25, 0.15, mirrored.y);
    let around = mix(vec3f(0.34, 0.21, 0.12), shading::sky(mirrored, TO_SUN), above_ground);
    return light::leaving(
        surface.matter,
        direction,
        light::Lamp(TO_SUN * world_from_body, SUN),
        open.lamp,
        sky_light(world_from_body * normal) * open.sky,
        around * open.sky,
    );
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32, body: walk::Body) -> camera::Camera {
    let w = path::TURN / LOOP_SECONDS * time;
    let distance = WALK.stride * time / WALK.period;
    let way = path::point_at(distance);
    let middle = vec3f(way.x, body.position.y - CLEARANCE + 0.86, way.y);

    let yaw = 0.86 + 0.42 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.10 + 0.035 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.02, 1.4);
    let away = vec3f(cos(yaw) * cos(pitch), sin(pitch), sin(yaw) * cos(pitch));
    var position = middle + 6.0 / frame::frame.orbit.z * away;
    position.y = max(position.y, terrain::height(position.xz) + 0.25);
    return camera::look_at(position, middle, vec3f(0.0, 1.0, 0.0), 0.262);
}

// Sky and sun behind everything, and the colour of far air.
fn sky_behind(direction: vec3f) -> vec3f {
    return shading::sky(direction, TO_SUN) + 6.0 * SUN * shading::sun_disc(direction, TO_SUN);
}

fn air_along(direction: vec3f) -> vec3f {
    return shading::sky(normalize(vec3f(direction.x, max(direction.y, 0.0), direction.z)), TO_SUN);
}

override fn figure::ground_along(origin: vec3f, direction: vec3f, end: f32) -> f32 {
    return terrain::trace(origin, direction, end);
}

#ifdef REFERENCE

var<private> legs: array<Spined, LEGS>;

override fn figure::limb_count() -> u32 {
    return LEGS;
}

override fn figure::limbs_distance(p: vec3f) -> f32 {
    return min(
        min(min(leg_distance(p, legs[0]), leg_distance(p, legs[1])),
            min(leg_distance(p, legs[2]), leg_distance(p, legs[3]))),
        min(leg_distance(p, legs[4]), leg_distance(p, legs[5])));
}

override fn brute_force::ground(p: vec3f, distance: f32) -> f32 {
    return terrain::BOUND * (p.y - terrain::height_from(p.xz, distance));
}

fn prepare_reference() {
    legs[0] = spined(animal.legs[0]);
    legs[1] = spined(animal.legs[1]);
    legs[2] = spined(animal.legs[2]);
    legs[3] = spined(animal.legs[3]);
    legs[4] = spined(animal.legs[4]);
    legs[5] = spined(animal.legs[5]);
}

#endif

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let eye = kept_eye();
    animal = kept_animal();
    figure::body = animal.body;
#ifdef REFERENCE
    prepare_reference();
#endif
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;
    let look = figure::look_along(eye.position, direction, 0.0, FAR, pixel, REACH_OF_ALL);
    let sight = figure::seen_along(look);
    let met = sight.met;

    // The animal's share of the pixel first, then what is left for the ground. Few
    // pixels hold both, and only they go round twice.
    let direction_in_body = direction * animal.body.world_from_body;
    let origin_in_body = walk::to_body(animal.body, eye.position);
    let air = air_along(direction);
    var color = vec3f(0.0);
    var left = 1.0;
    var is_sand = met.coverage <= 0.0;
    for (var layer = 0; layer < 2 && left > 0.0; layer++) {
        if is_sand && sight.ground >= FAR {
            break;
        }
        let distance = select(met.distance, sight.ground, is_sand);
        let p = eye.position + sight.ground * direction;
        let on_animal = origin_in_body + met.distance * direction_in_body;
        var surface = chitin_at(met, on_animal, direction_in_body, sight.on_limb);
        if is_sand {
            surface = sand_at(p, direction, pixel * sight.ground, time);
        }
        let share = select(met.coverage, 1.0, is_sand) * left;
        let radiance = lit(surface, direction_in_body, distance);
        color += share * shading::through_air(radiance, air, distance, 0.019);
        left -= share;
        is_sand = true;
    }
    color += left * sky_behind(direction);

    let from_centre = frame::centred(frag_coord) * vec2f(0.42, 0.55);
    color *= 1.0 - 0.30 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither(frag_coord)), 0.0);
    return palette::display(shading::tone_map(0.80 * color)) + dither;
}
