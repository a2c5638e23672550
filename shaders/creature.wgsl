// The walking creature: a six-legged insect crosses dunes without end.
//
// Nothing is stored between frames: feet and body follow from time (gait, walk), once per
// picture. Every pixel solves the legs from the feet (ik) and traces its ray against the
// animal and the ground (walker, raymarch, terrain).
//
// Spaces: the world has x ahead, y up, z right; body space has the same axes, turned with the
// body, and its origin in the body's middle. Lengths are in world units.

#import tarsus::bounds
#import tarsus::brute_force
#import tarsus::camera
#import tarsus::frame
#import tarsus::gait
#import tarsus::ik
#import tarsus::light
#import tarsus::limb
#import tarsus::noise
#import tarsus::palette
#import tarsus::parts
#import tarsus::path
#import tarsus::raymarch
#import tarsus::sdf
#import tarsus::shading
#import tarsus::terrain
#import tarsus::walk
#import tarsus::walker

// The scene repeats after this time (seconds): 25 strides along one period of the path.
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

// Neutral position of a foot on the ground (x ahead, y right of the body's middle).
fn neutral_foot_of(leg: u32) -> vec2f {
    let row = row_of(leg);
    let right = select(
        select(vec2f(1.34, 1.02), vec2f(0.10, 1.52), row == 1u), vec2f(-1.22, 1.16), row == 2u);
    return right * vec2f(1.0, side_of(leg));
}

const NEUTRAL_CENTRE: vec2f = vec2f(0.0733, 0.0);

// Position of a leg's hip in body space.
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
// Largest distance from a surface to an object that throws a shadow on it.
const LONGEST_SHADOW: f32 = 12.0;

// ---- The animal at one time ----------------------------------------------------

// A solved leg, in body space.
struct Limb {
    bones: ik::Leg,
    // Distance of the trochanter from the line from hip to knee.
    trochanter_offset: f32,
}

// All parts of the animal that depend on time; all but `body` in body space.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    left_antenna: limb::Curve,
    right_antenna: limb::Curve,
    // Cosine and sine of the head's turn to the right.
    head_turn: vec2f,
    // Opening of the mandibles, 0 to 1.
    bite: f32,
}

fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), neutral_foot_of(leg), time);
}

fn distance_at(time: f32) -> f32 {
    return WALK.stride * time / WALK.period;
}

fn body_over(support: walk::Support, time: f32) -> walk::Body {
    // Twice in a cycle, when the tripods change over, the body sinks.
    let bob = 0.018 * cos(2.0 * path::TAU * (time / WALK.period - 0.04));
    return walk::body_over(support, NEUTRAL_CENTRE, distance_at(time), CLEARANCE + bob, 0.75);
}

// The leg with its foot at a point of body space. `raised` (0 to 1) turns the tarsus from its
// direction in stance to that from hip to foot.
fn leg_to(foot_in_body: vec3f, leg: u32, raised: f32) -> Limb {
    let hip = hip_of(leg);
    let neutral_foot = neutral_foot_of(leg);
    let outward = normalize(vec3f(neutral_foot.x - hip.x, 0.0, neutral_foot.y - hip.z));
    let up = vec3f(0.0, 1.0, 0.0);
    let onward = normalize(foot_in_body - hip - vec3f(0.0, 0.5, 0.0));
    let tarsus = normalize(mix(0.45 * outward - up, onward, raised));
    let bones = ik::solve_leg(foot_in_body, hip, up, outward, tarsus, LENGTHS);
    return Limb(bones, sdf::capsule(bones.trochanter, bones.hip, bones.knee, 0.0));
}

// ---- Reaching for the pointer -------------------------------------------------

// A front leg that reaches for the point under the pointer while the button is held.
struct Reach {
    // 0 while walking, 1 with the foot on the target, eased between.
    weight: f32,
    // The leg that reaches.
    leg: u32,
    // The target in world space.
    target_point: vec3f,
}

const NO_REACH: Reach = Reach(0.0, 0u, vec3f(0.0));

// Seconds from the press until the foot is on the target, and from the release until it is
// back in its gait.
const REACH_OUT: f32 = 0.45;
const REACH_BACK: f32 = 0.6;

// Quintic smoothstep.
fn eased(x: f32) -> f32 {
    let t = clamp(x, 0.0, 1.0);
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

// Weight of the reach from the ages of the last press and release alone. After a press
// shorter than REACH_OUT it returns from the weight that it had.
fn reach_weight() -> f32 {
    let pressed = frame::frame.press_age;
    let released = frame::frame.release_age;
    if pressed >= frame::NEVER {
        return 0.0;
    }
    if released < pressed {
        return eased((pressed - released) / REACH_OUT) * (1.0 - eased(released / REACH_BACK));
    }
    // Pressed again during the return.
    let left_over = 1.0 - eased((released - pressed) / REACH_BACK);
    return mix(left_over, 1.0, eased(pressed / REACH_OUT));
}

// The point of the world under a pixel: on the ground near the animal, on the plane through
// the body that faces the camera elsewhere.
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
    // The side of the press decides on the leg, so that a drag does not change it.
    let pressed_at = camera::ray_direction(eye, frame::centred(abs(frame::frame.mouse.zw)));
    let middle = body.position + 0.9 * body.world_from_body[0] - eye.position;
    let offset = pressed_at * dot(middle, middle) / max(dot(middle, pressed_at), 0.1) - middle;
    let leg = select(0u, 3u, dot(offset, body.world_from_body[2]) > 0.0);
    return Reach(weight, leg, point_under(frame::frame.mouse.xy, eye, body));
}

// The body shifted and tilted toward the target.
fn leaning(body: walk::Body, reach: Reach) -> walk::Body {
    let reach_point = walk::to_body(body, reach.target_point);
    let toward = vec3f(reach_point.x, 0.0, reach_point.z) / (1.0 + length(reach_point)) * reach.weight;
    let rise = clamp(0.10 * reach_point.y, -0.05, 0.10) * reach.weight;
    let up = normalize(vec3f(0.0, 1.0, 0.0) + 0.10 * toward - vec3f(rise, 0.0, 0.0));
    let ahead = normalize(vec3f(1.0, 0.0, 0.0) - up * up.x);
    let turn = body.world_from_body * mat3x3f(ahead, up, cross(ahead, up));
    let shift = body.world_from_body * (0.16 * toward + vec3f(0.0, rise, 0.0));
    return walk::Body(body.position + shift, turn);
}

// Direction of the head in the xz plane of body space, a unit vector: it wanders, or turns to
// `reach_point` (body space) by `weight`, as far as the neck allows.
fn head_turn_at(reach_point: vec3f, weight: f32, time: f32) -> vec2f {
    let w = path::TAU / LOOP_SECONDS * time;
    let wander = vec2f(1.0, 0.10 * sin(7.0 * w) + 0.05 * sin(19.0 * w));
    let onto = reach_point.xz - vec2f(0.6, 0.0);
    let allowed = vec2f(max(onto.x, 1.1 * abs(onto.y) + 0.05), onto.y);
    return normalize(mix(wander, normalize(allowed), weight));
}

// A point of head space in body space: origin at the neck, turned with the head.
fn from_head(q: vec3f, turn: vec2f) -> vec3f {
    return NECK + camera::rotate_y(q, turn * vec2f(1.0, -1.0));
}

const NECK: vec3f = vec3f(0.60, 0.02, 0.0);

// Of the right antenna, in head space.
const ANTENNA_BASE: vec3f = vec3f(0.38, 0.08, 0.08);

fn antenna_base(side: f32, turn: vec2f) -> vec3f {
    return from_head(ANTENNA_BASE * vec3f(1.0, 1.0, side), turn);
}

// Target of an antenna's tip in body space: it wanders, or turns to `reach_point` by `weight`.
fn antenna_goal(side: f32, time: f32, turn: vec2f, reach_point: vec3f, weight: f32) -> vec3f {
    let base = antenna_base(side, turn);
    let w = path::TAU / LOOP_SECONDS * time;
    let sway = vec3f(
        0.10 * sin(17.0 * w + 1.7 * side),
        0.16 * sin(23.0 * w + 0.9 * side) + 0.06 * sin(61.0 * w),
        0.14 * sin(13.0 * w + 2.3 * side),
    );
    let onto = reach_point - base;
    let pointing = 1.25 * onto / (0.4 + length(onto)) + vec3f(0.0, 0.0, 0.12 * side);
    let resting = vec3f(0.94, 0.30, 0.52 * side);
    return base + mix(resting, pointing, 0.75 * weight) + sway * (1.0 - 0.6 * weight);
}

// The antenna as a curve from its base to `goal`.
fn antenna(side: f32, turn: vec2f, goal: vec3f) -> limb::Curve {
    let base = antenna_base(side, turn);
    return limb::two_bone_curve(base, goal, 0.62, 0.80, vec3f(-0.2, 1.0, 0.35 * side));
}

// ---- Once per picture ----------------------------------------------------------

// Feet (world space) and body as the gait alone gives them.
struct Pose {
    feet: array<vec3f, LEGS>,
    body: walk::Body,
}

fn pose_at(time: f32) -> Pose {
    var pose: Pose;
    var support = walk::no_support();
    for (var leg = 0u; leg < LEGS; leg++) {
        let foot = foot_at(leg, time);
        support = walk::add_foot(support, neutral_foot_of(leg), foot);
        pose.feet[leg] = foot.position;
    }
    pose.body = body_over(support, time);
    return pose;
}

// What is the same for every pixel: camera, body, and the targets of legs, head and antennae.
struct FrameData {
    eye: camera::Camera,
    body: walk::Body,
    // xyz = target in world space, w = weight of the reach.
    feet: array<vec4f, LEGS>,
    // Targets in body space.
    left_antenna: vec3f,
    right_antenna: vec3f,
    // Cosine and sine of the head's turn to the right.
    head_turn: vec2f,
    // Opening of the mandibles, 0 to 1.
    bite: f32,
}

// xyz = target of the leg whose foot the gait has at `foot`, w = weight of the reach.
fn reaching_foot(leg: u32, foot: vec3f, reach: Reach) -> vec4f {
    let weight = select(0.0, reach.weight, leg == reach.leg);
    // An arc above the ground, so that the foot does not drag.
    let lift = vec3f(0.0, 1.2 * weight * (1.0 - weight), 0.0);
    return vec4f(mix(foot, reach.target_point, weight) + lift, weight);
}

fn frame_data_of(pose: Pose, eye: camera::Camera, reach: Reach, time: f32) -> FrameData {
    var data: FrameData;
    data.eye = eye;
    data.body = leaning(pose.body, reach);
    data.feet[0] = reaching_foot(0u, pose.feet[0], reach);
    data.feet[1] = reaching_foot(1u, pose.feet[1], reach);
    data.feet[2] = reaching_foot(2u, pose.feet[2], reach);
    data.feet[3] = reaching_foot(3u, pose.feet[3], reach);
    data.feet[4] = reaching_foot(4u, pose.feet[4], reach);
    data.feet[5] = reaching_foot(5u, pose.feet[5], reach);
    let reach_point = walk::to_body(data.body, reach.target_point);
    let turn = head_turn_at(reach_point, reach.weight, time);
    data.left_antenna = antenna_goal(-1.0, time, turn, reach_point, reach.weight);
    data.right_antenna = antenna_goal(1.0, time, turn, reach_point, reach.weight);
    data.head_turn = turn;
    data.bite = 0.5 + 0.5 * sin(11.0 * path::TAU / LOOP_SECONDS * time);
    return data;
}

fn per_frame() -> array<vec4f, 15> {
    let time = frame::looped(LOOP_SECONDS);
    let pose = pose_at(time);
    let eye = camera_at(time, pose.body);
    return pack_frame_data(frame_data_of(pose, eye, reach_at(eye, pose.body), time));
}

// `unpack_camera` and `unpack_animal` read these places.
fn pack_frame_data(data: FrameData) -> array<vec4f, 15> {
    let body = data.body;
    let eye = data.eye;
    return array<vec4f, 15>(
        data.feet[0], data.feet[1], data.feet[2],
        data.feet[3], data.feet[4], data.feet[5],
        vec4f(body.position, data.bite),
        vec4f(body.world_from_body[0], data.head_turn.x),
        vec4f(body.world_from_body[1], data.head_turn.y),
        vec4f(data.left_antenna, 0.0),
        vec4f(data.right_antenna, 0.0),
        vec4f(eye.position, eye.focal_length),
        vec4f(eye.world_from_view[0], 0.0),
        vec4f(eye.world_from_view[1], 0.0),
        vec4f(eye.world_from_view[2], 0.0),
    );
}

fn unpack_camera() -> camera::Camera {
    let axes = mat3x3f(frame::frame_data[12].xyz, frame::frame_data[13].xyz, frame::frame_data[14].xyz);
    return camera::Camera(frame::frame_data[11].xyz, axes, frame::frame_data[11].w);
}

// The leg to a foot: xyz = target in world space, w = weight of the reach.
fn leg_on(body: walk::Body, leg: u32, foot: vec4f) -> Limb {
    return leg_to(walk::to_body(body, foot.xyz), leg, foot.w);
}

// The animal of this frame, solved from the frame data at every pixel. The legs are unrolled:
// arrays indexed by a variable are slow on some adapters.
fn unpack_animal() -> Animal {
    var animal: Animal;
    let ahead = frame::frame_data[7].xyz;
    let up = frame::frame_data[8].xyz;
    animal.body = walk::Body(frame::frame_data[6].xyz, mat3x3f(ahead, up, cross(ahead, up)));
    animal.legs[0] = leg_on(animal.body, 0u, frame::frame_data[0]);
    animal.legs[1] = leg_on(animal.body, 1u, frame::frame_data[1]);
    animal.legs[2] = leg_on(animal.body, 2u, frame::frame_data[2]);
    animal.legs[3] = leg_on(animal.body, 3u, frame::frame_data[3]);
    animal.legs[4] = leg_on(animal.body, 4u, frame::frame_data[4]);
    animal.legs[5] = leg_on(animal.body, 5u, frame::frame_data[5]);
    animal.head_turn = vec2f(frame::frame_data[7].w, frame::frame_data[8].w);
    animal.left_antenna = antenna(-1.0, animal.head_turn, frame::frame_data[9].xyz);
    animal.right_antenna = antenna(1.0, animal.head_turn, frame::frame_data[10].xyz);
    animal.bite = frame::frame_data[6].w;
    return animal;
}

// ---- Shape ---------------------------------------------------------------------

var<private> animal: Animal;

// A leg with the spines of its tibia.
struct SpinedLeg {
    part: Limb,
    // Unit vectors perpendicular to the tibia: away from the femur, and to the side.
    outward: vec3f,
    sideways: vec3f,
}

fn with_spines(part: Limb) -> SpinedLeg {
    let leg = part.bones;
    let tibia = normalize(leg.ankle - leg.knee);
    let sideways = normalize(cross(tibia, leg.knee - leg.trochanter) + vec3f(1e-6, 0.0, 0.0));
    return SpinedLeg(part, cross(sideways, tibia), sideways);
}

fn leg_of(part: u32) -> Limb {
    var picked = animal.legs[0];
    if part == 1u {
        picked = animal.legs[1];
    }
    if part == 2u {
        picked = animal.legs[2];
    }
    if part == 3u {
        picked = animal.legs[3];
    }
    if part == 4u {
        picked = animal.legs[4];
    }
    if part == 5u {
        picked = animal.legs[5];
    }
    return picked;
}

// The current part (`parts::select_part`).
var<private> current_leg: SpinedLeg;

override fn parts::select_part(part: u32) {
    current_leg = with_spines(leg_of(part));
}

// Radius of the femur at h from the trochanter (0) to the knee (1).
fn femur_radius(h: f32) -> f32 {
    let belly = h * (1.0 - h) * (1.0 - h);
    return 0.040 + 0.30 * belly;
}

// Radius of the tibia at h from the knee (0) to the ankle (1), with rings of bristles.
fn tibia_radius(h: f32) -> f32 {
    return 0.046 - 0.024 * h + 0.004 * sin(44.0 * h) * h;
}

// Number of spines on each side of the tibia, if it were covered all along.
const SPINES: f32 = 8.0;

// Distance to the nearest spine. `from_axis` is the vector from the tibia's axis to the point,
// `along` its fraction of the tibia from the knee, `tibia` the vector from knee to ankle.
fn spine_distance(from_axis: vec3f, along: f32, tibia: vec3f, leg: SpinedLeg) -> f32 {
    let nearest = clamp(floor(along * SPINES), 2.0, SPINES - 1.0) + 0.25;
    let down = (along - nearest / SPINES) * tibia;
    let side = leg.sideways * sign(dot(from_axis, leg.sideways));
    let out = 0.55 * leg.outward + 0.83 * side;
    let tip = 0.085 * out + 0.045 * tibia;
    let p = from_axis + down;
    let h = clamp(dot(p, tip) / dot(tip, tip), 0.0, 1.0);
    return length(p - h * tip) - mix(0.011, 0.001, h);
}

fn leg_distance(p: vec3f, spined: SpinedLeg) -> f32 {
    let leg = spined.part.bones;
    let femur = sdf::along_segment(p, leg.trochanter, leg.knee);
    let tibia = sdf::along_segment(p, leg.knee, leg.ankle);
    let tarsus = sdf::along_segment(p, leg.ankle, leg.foot);
    let from_tibia = p - mix(leg.knee, leg.ankle, tibia);
    let to_femur = length(p - mix(leg.trochanter, leg.knee, femur)) - femur_radius(femur);
    let to_tibia = length(from_tibia) - tibia_radius(tibia);
    let to_spines = spine_distance(from_tibia, tibia, leg.ankle - leg.knee, spined);
    let to_tarsus = length(p - mix(leg.ankle, leg.foot, tarsus)) - mix(0.026, 0.009, tarsus);
    let knee = sdf::sphere(p - leg.knee, 0.056);
    let coxa = sdf::capsule(p, leg.hip, leg.trochanter, 0.078);
    let upper = sdf::smooth_union(coxa, to_femur, 0.04);
    let lower = sdf::smooth_union(min(to_tibia, to_spines), to_tarsus, 0.03);
    return min(sdf::smooth_union(upper, knee, 0.02), lower);
}

// Number of the abdomen's plates, which overlap toward the tail.
const PLATES: f32 = 7.0;

// Abdomen space: origin at the waist, x along the abdomen, which hangs by 10°.
fn abdomen_space(p: vec3f) -> vec3f {
    let q = p - vec3f(-0.34, 0.06, 0.0);
    return vec3f(0.985 * q.x + 0.174 * q.y, 0.985 * q.y - 0.174 * q.x, q.z);
}

// Number of the plate at q of abdomen space, with the fraction from its front to its rear edge.
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

// A point of body space in head space.
fn head_space(p: vec3f) -> vec3f {
    return camera::rotate_y(p - NECK, animal.head_turn);
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

// The part that was nearest in the last call of `raymarch::map`.
var<private> nearest_part: u32;
const TRUNK: u32 = 0u;
const SKULL: u32 = 1u;
const EYE: u32 = 2u;
const ANTENNA: u32 = 3u;

// Distance to trunk, head and antennae.
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

override fn parts::map(p: vec3f) -> f32 {
    return leg_distance(p, current_leg);
}

// ---- Bounds for rays -----------------------------------------------------------

// Largest radius of a leg, with the fillets.
const LEG_RADIUS: f32 = 0.10;
// Radius of a sphere that contains the animal, around a point near the body's origin.
const EXTENT: f32 = 2.9;

fn leg_span(origin: vec3f, direction: vec3f, part: Limb, margin: f32) -> bounds::Span {
    let leg = part.bones;
    let radius = LEG_RADIUS + margin;
    let upper = bounds::capsule_span(
        origin, direction, leg.hip, leg.knee, radius + part.trochanter_offset);
    let lower = bounds::capsule_span(origin, direction, leg.knee, leg.foot, radius + 0.02);
    return bounds::hull(upper, lower);
}

override fn parts::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return leg_span(origin, direction, current_leg.part, margin);
}

override fn walker::candidates(origin: vec3f, direction: vec3f, margin: f32) -> walker::Candidates {
    let all = bounds::sphere_span(origin, direction, vec3f(0.1, -0.2, 0.0), EXTENT + margin);
    if !bounds::is_ahead(all) {
        return walker::Candidates(bounds::EMPTY, 0u);
    }
    let trunk = bounds::capsule_span(
        origin, direction, vec3f(-1.3, -0.02, 0.0), vec3f(0.3, 0.07, 0.0), 0.44 + margin);
    let head = bounds::sphere_span(origin, direction, vec3f(0.9, 0.0, 0.0), 0.46 + margin);
    let left = limb::curve_span(origin, direction, animal.left_antenna, 0.03 + margin);
    let right = limb::curve_span(origin, direction, animal.right_antenna, 0.03 + margin);
    var legs = 0u;
    let count = select(0u, LEGS, bounds::is_ahead(all));
    for (var leg = 0u; leg < count; leg++) {
        legs |= leg_bit(leg, origin, direction, leg_of(leg), margin);
    }
    let whole = bounds::hull(bounds::hull(trunk, head), bounds::hull(left, right));
    return walker::Candidates(bounds::Span(max(whole.t_near, 0.0), whole.t_far), legs);
}

// The leg's bit if a ray can meet it, else 0.
fn leg_bit(leg: u32, origin: vec3f, direction: vec3f, part: Limb, margin: f32) -> u32 {
    let bones = part.bones;
    let radius = LEG_RADIUS + margin;
    let upper = radius + part.trochanter_offset;
    let touched = bounds::touches_capsule(origin, direction, bones.hip, bones.knee, upper)
        || bounds::touches_capsule(origin, direction, bones.knee, bones.foot, radius + 0.02);
    return select(0u, 1u << leg, touched);
}

// ---- Surfaces ------------------------------------------------------------------

// A point to be shaded, in body space.
struct SurfacePoint {
    position: vec3f,
    // Unit normal without fine relief.
    smooth_normal: vec3f,
    material: light::Material,
    // Reach of the ambient occlusion.
    sky_reach: f32,
}

// Wind ripples at p of the ground: x = height in [-1, 1], yz = slope. A sine wave with a phase
// warped by noise. It repeats with the ground every 32 in x: 124 waves, noise of 16 cells.
fn ripples(p: vec2f) -> vec3f {
    let warp = noise::value_noise(p * 0.5, 15u, 11u);
    let wave = vec2f(124.0 * path::TAU / path::PERIOD, 8.84);
    let phase = dot(wave, p) + 5.5 * warp.x;
    let slope = (wave + 5.5 * 0.5 * warp.yz) * cos(phase);
    return vec3f(sin(phase), slope);
}

// The legs whose footprints can be at p, one bit each.
fn tracks_near(p: vec2f) -> u32 {
    let path_offset = p.y - path::point_at(p.x).y;
    return track_bit(0u, path_offset) | track_bit(1u, path_offset) | track_bit(2u, path_offset)
        | track_bit(3u, path_offset) | track_bit(4u, path_offset) | track_bit(5u, path_offset);
}

// The leg's bit if its footprints can be at `path_offset` beside the path, else 0.
fn track_bit(leg: u32, path_offset: f32) -> u32 {
    return select(0u, 1u << leg, abs(path_offset - neutral_foot_of(leg).y) < 0.5);
}

// Footprints at p: x = depth in [0, 1], yz = slope. Footholds have equal distances along the
// path, so the nearest one is found by rounding.
fn footprints(p: vec2f, time: f32) -> vec3f {
    var prints = vec3f(0.0);
    for (var tracks = tracks_near(p); tracks != 0u; tracks &= tracks - 1u) {
        let leg = firstTrailingBit(tracks);
        let neutral_foot = neutral_foot_of(leg);
        let phase = phase_of(leg);
        let index = round((p.x - neutral_foot.x) / WALK.stride + phase - 0.5 * WALK.duty);
        let age = (floor(time / WALK.period + phase) - index) / 16.0;
        let away = p - walk::foothold(WALK, phase, neutral_foot, index);
        let squared = dot(away, away) / (0.10 * 0.10);
        if age >= 0.0 && age < 1.0 && squared < 6.0 {
            // A pit with a low rim, which fades with its age.
            let fall = exp(-squared) * (1.0 - age * age);
            prints += vec3f(fall, fall * (1.0 - 0.55 * squared) * away * -14.0);
        }
    }
    return prints;
}

// The ground at p of the world, seen along `direction` by a pixel that is `width` wide there.
fn sand_at(p: vec3f, direction: vec3f, width: f32, time: f32) -> SurfacePoint {
    let relief = terrain::relief(p.xz);
    let footprint = terrain::footprint(width, direction, relief.yz);
    let tone = noise::value_noise(p.xz * 0.25, 7u, 5u).x;
    // Relief finer than a pixel fades to its mean, else it would flicker.
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
    return SurfacePoint(
        walk::to_body(animal.body, p),
        normalize(vec3f(-relief.y, 1.0, -relief.z)) * to_body,
        light::Material(normal, albedo, vec3f(0.0), 1.0, 0.35, 0.0),
        1.0,
    );
}

// Material of the animal's surface.
struct BodyMaterial {
    albedo: vec3f,
    f0_color: vec3f,
    roughness: f32,
    // Slope of the fine bumps.
    bumps: f32,
}

// At the fraction h of a segment: dark at both ends, reddish amber between.
fn leg_material(h: f32) -> BodyMaterial {
    let band = smoothstep(0.0, 0.22, h) * (1.0 - smoothstep(0.74, 1.0, h));
    let albedo = mix(vec3f(0.016, 0.010, 0.009), vec3f(0.19, 0.052, 0.013), band);
    return BodyMaterial(albedo, vec3f(0.06), 0.30, 0.10);
}

// Fraction along femur or tibia, whichever is nearer, of a point p of a leg.
fn along_nearest_bone(p: vec3f, leg: ik::Leg) -> f32 {
    let upper = sdf::along_segment(p, leg.trochanter, leg.knee);
    let lower = sdf::along_segment(p, leg.knee, leg.ankle);
    let to_upper = distance(p, mix(leg.trochanter, leg.knee, upper));
    let to_lower = distance(p, mix(leg.knee, leg.ankle, lower));
    return select(upper, lower, to_lower < to_upper);
}

// Offset of the normal for the eyes' hexagonal facets; q in head space.
fn facets(q: vec3f) -> vec3f {
    let across = vec2f(q.x, q.y + 0.3 * abs(q.z)) * 62.0;
    let hex = vec2f(1.0, 1.7320508);
    let a = fract(across / hex) * hex - 0.5 * hex;
    let b = fract(across / hex + 0.5) * hex - 0.5 * hex;
    return 0.30 * vec3f(select(b, a, dot(a, a) < dot(b, b)), 0.0);
}

// The material of trunk, head or antennae, whichever was nearest, at p of body space and q of
// head space.
fn trunk_material(p: vec3f, q: vec3f) -> BodyMaterial {
    if nearest_part == EYE {
        return BodyMaterial(vec3f(0.020, 0.004, 0.004), vec3f(0.055, 0.04, 0.04), 0.12, 0.0);
    }
    if nearest_part == ANTENNA {
        return BodyMaterial(vec3f(0.10, 0.035, 0.015), vec3f(0.05), 0.4, 0.05);
    }
    if nearest_part == SKULL {
        let front = smoothstep(0.30, 0.60, q.x);
        let albedo = mix(vec3f(0.030, 0.026, 0.020), vec3f(0.16, 0.035, 0.010), front);
        return BodyMaterial(albedo, vec3f(0.07, 0.075, 0.06), 0.28, 0.16);
    }
    if p.x < -0.40 {
        // Amber skin between the plates.
        let skin = 1.0 - smoothstep(0.02, 0.30, fract(plate(abdomen_space(p))));
        let albedo = mix(vec3f(0.030, 0.022, 0.016), vec3f(0.34, 0.13, 0.03), 0.8 * skin);
        return BodyMaterial(albedo, vec3f(0.07, 0.075, 0.06) * (1.0 - 0.5 * skin), 0.27, 0.14);
    }
    return BodyMaterial(vec3f(0.026, 0.024, 0.020), vec3f(0.08, 0.085, 0.07), 0.25, 0.20);
}

// The animal's surface at the hit point p of body space, seen along `direction`; `on_leg` if
// that is on the current part.
fn chitin_at(hit: raymarch::Hit, p: vec3f, direction: vec3f, on_leg: bool) -> SurfacePoint {
    let smooth_normal = hit.normal;
    let q = head_space(p);
    var material = leg_material(along_nearest_bone(p, current_leg.part.bones));
    if !on_leg {
        material = trunk_material(p, q);
    }
    let near = clamp(1.0 - hit.distance / 14.0, 0.0, 1.0);
    let facing = clamp(dot(smooth_normal, -direction), 0.0, 1.0);
    // No bumps at silhouettes, where they alias.
    let fine = select(0.0, material.bumps * smoothstep(0.0, 0.5, facing), hit.coverage > 0.0);
    let is_eye = !on_leg && nearest_part == EYE;
    let tilt = select(light::bumps(p, 38.0, fine), facets(q), is_eye);
    let normal = normalize(smooth_normal + near * tilt);
    let film = shading::thin_film(clamp(dot(normal, -direction), 0.0, 1.0), 2.3);
    let f0_color = material.f0_color * (0.35 + 1.3 * film);
    return SurfacePoint(
        p + 0.012 * smooth_normal,
        smooth_normal,
        light::Material(normal, material.albedo, f0_color, material.roughness, 0.0, 0.20),
        0.35,
    );
}

// ---- Light ---------------------------------------------------------------------

// Irradiance of the sky on a surface with the unit normal n of the world: blue from above, sand
// from below, brighter from the west.
fn sky_irradiance(n: vec3f) -> vec3f {
    let above = vec3f(0.36, 0.46, 0.66);
    let below = vec3f(0.42, 0.27, 0.15);
    let west = 0.5 + 0.5 * dot(n, TO_SUN);
    return mix(below, above, 0.5 + 0.5 * n.y) + vec3f(0.55, 0.36, 0.20) * west * west;
}

// A capsule that contains trunk and head.
const TAIL: vec3f = vec3f(-1.3, -0.02, 0.0);
const HEAD: vec3f = vec3f(0.9, 0.05, 0.0);
const TRUNK_RADIUS: f32 = 0.52;

override fn walker::ground_shadow_clearance(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    return terrain::shadow_clearance(p, to_light, angle);
}

override fn walker::trunk_bound(p: vec3f) -> f32 {
    return sdf::capsule(p, TAIL, HEAD, TRUNK_RADIUS);
}

const LIGHT: walker::DiscLight = walker::DiscLight(TO_SUN, SUN_ANGLE, LONGEST_SHADOW);

// Radiance of a surface toward the eye, seen along `direction` (body space) from `distance`.
fn shade_surface(surface: SurfacePoint, direction: vec3f, distance: f32) -> vec3f {
    let world_from_body = animal.body.world_from_body;
    let visibility = walker::visibility_at(
        surface.position, surface.smooth_normal, surface.sky_reach, distance, LIGHT);

    let normal = surface.material.normal;
    let reflected = world_from_body * reflect(direction, normal);
    let above_ground = smoothstep(-0.25, 0.15, reflected.y);
    let reflection = mix(vec3f(0.34, 0.21, 0.12), shading::sky(reflected, TO_SUN), above_ground);
    return light::shade(
        surface.material,
        direction,
        light::DirectionalLight(TO_SUN * world_from_body, SUN),
        visibility.soft_shadow,
        sky_irradiance(world_from_body * normal) * visibility.ambient_occlusion,
        reflection * visibility.ambient_occlusion,
    );
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32, body: walk::Body) -> camera::Camera {
    let w = path::TAU / LOOP_SECONDS * time;
    let distance = WALK.stride * time / WALK.period;
    let path_point = path::point_at(distance);
    let middle = vec3f(path_point.x, body.position.y - CLEARANCE + 0.86, path_point.y);

    let yaw = 0.86 + 0.42 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.10 + 0.035 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.02, 1.4);
    let away = vec3f(cos(yaw) * cos(pitch), sin(pitch), sin(yaw) * cos(pitch));
    var position = middle + 6.0 / frame::frame.orbit.z * away;
    position.y = max(position.y, terrain::height(position.xz) + 0.25);
    return camera::look_at(position, middle, vec3f(0.0, 1.0, 0.0), 0.262);
}

// Radiance of the sky with the sun's disc.
fn background(direction: vec3f) -> vec3f {
    return shading::sky(direction, TO_SUN) + 6.0 * SUN * shading::sun_disc(direction, TO_SUN);
}

// Colour of the fog along a ray: the sky at or above the horizon.
fn fog_color(direction: vec3f) -> vec3f {
    return shading::sky(normalize(vec3f(direction.x, max(direction.y, 0.0), direction.z)), TO_SUN);
}

override fn walker::intersect_ground(origin: vec3f, direction: vec3f, end: f32) -> f32 {
    return terrain::trace(origin, direction, end);
}

#ifdef REFERENCE

var<private> legs: array<SpinedLeg, LEGS>;

override fn walker::limb_count() -> u32 {
    return LEGS;
}

override fn walker::limbs_distance(p: vec3f) -> f32 {
    return min(
        min(min(leg_distance(p, legs[0]), leg_distance(p, legs[1])),
            min(leg_distance(p, legs[2]), leg_distance(p, legs[3]))),
        min(leg_distance(p, legs[4]), leg_distance(p, legs[5])));
}

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return terrain::BOUND * (p.y - terrain::height_from(p.xz, distance));
}

fn prepare_reference() {
    legs[0] = with_spines(animal.legs[0]);
    legs[1] = with_spines(animal.legs[1]);
    legs[2] = with_spines(animal.legs[2]);
    legs[3] = with_spines(animal.legs[3]);
    legs[4] = with_spines(animal.legs[4]);
    legs[5] = with_spines(animal.legs[5]);
}

#endif

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let eye = unpack_camera();
    animal = unpack_animal();
    walker::body = animal.body;
#ifdef REFERENCE
    prepare_reference();
#endif
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;
    let ray = walker::ray_to_body(eye.position, direction, 0.0, FAR, pixel, EXTENT);
    let body_hit = walker::intersect(ray);
    let hit = body_hit.hit;

    // The animal's coverage of the pixel first, then the ground in the remainder. Few pixels
    // show both, and only those take two iterations.
    let direction_in_body = direction * animal.body.world_from_body;
    let origin_in_body = walk::to_body(animal.body, eye.position);
    let air = fog_color(direction);
    var color = vec3f(0.0);
    var remaining = 1.0;
    var is_sand = hit.coverage <= 0.0;
    for (var layer = 0; layer < 2 && remaining > 0.0; layer++) {
        if is_sand && body_hit.ground >= FAR {
            break;
        }
        let distance = select(hit.distance, body_hit.ground, is_sand);
        let p = eye.position + body_hit.ground * direction;
        let on_animal = origin_in_body + hit.distance * direction_in_body;
        var surface = chitin_at(hit, on_animal, direction_in_body, body_hit.on_limb);
        if is_sand {
            surface = sand_at(p, direction, pixel * body_hit.ground, time);
        }
        let coverage = select(hit.coverage, 1.0, is_sand) * remaining;
        let radiance = shade_surface(surface, direction_in_body, distance);
        color += coverage * shading::fog(radiance, air, distance, 0.019);
        remaining -= coverage;
        is_sand = true;
    }
    color += remaining * background(direction);

    let from_centre = frame::centred(frag_coord) * vec2f(0.42, 0.55);
    color *= 1.0 - 0.30 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(shading::tone_map_aces(0.80 * color)) + dither;
}
