#define_import_path tarsus::insect

#import tarsus::camera
#import tarsus::frame
#import tarsus::gait
#import tarsus::ik
#import tarsus::limb
#import tarsus::path
#import tarsus::sdf
#import tarsus::walk

// A six-legged insect: its legs and gait, and its pose at one time. Its shape is in
// `insect_shape`, its surface in `insect_skin`.
//
// Nothing is stored between frames: feet and body follow from time (gait, walk), once per
// picture. Every pixel solves the legs from the feet (ik).
//
// Spaces: the world has x ahead, y up, z right; body space has the same axes, turned with the
// body, and its origin in the body's middle. Lengths are in world units.

/// The insect is again where it was, one period of the path on, after this time (seconds):
/// 25 strides.
const LOOP_SECONDS: f32 = 24.0;

/// A tripod gait.
const WALK: gait::Gait = gait::Gait(0.96, 0.58, 1.28, 0.34);
/// Lengths of every leg's segments.
const LENGTHS: ik::LegLengths = ik::LegLengths(0.20, 1.02, 1.22, 0.24);
/// Height of the body's middle above the plane of its feet.
const CLEARANCE: f32 = 0.86;

/// Legs are numbered 0 to 2 on the left from front to back, 3 to 5 on the right.
const LEGS: u32 = 6u;

/// Row of a leg: 0 at the front, 2 at the back.
fn row_of(leg: u32) -> u32 {
    return leg % 3u;
}

/// Side of a leg: -1 on the left, 1 on the right.
fn side_of(leg: u32) -> f32 {
    return select(-1.0, 1.0, leg >= 3u);
}

/// Phase of a leg in its cycle, in periods.
fn phase_of(leg: u32) -> f32 {
    return gait::tripod_phase(row_of(leg), side_of(leg));
}

/// Neutral position of a foot on the ground (x ahead, y right of the body's middle).
fn neutral_foot_of(leg: u32) -> vec2f {
    let row = row_of(leg);
    let right = select(
        select(vec2f(1.34, 1.02), vec2f(0.10, 1.52), row == 1u), vec2f(-1.22, 1.16), row == 2u);
    return right * vec2f(1.0, side_of(leg));
}

/// Mean of the neutral positions.
const NEUTRAL_CENTRE: vec2f = vec2f(0.0733, 0.0);

/// Position of a leg's hip in body space.
fn hip_of(leg: u32) -> vec3f {
    let row = row_of(leg);
    let right = select(
        select(vec3f(0.40, -0.08, 0.21), vec3f(0.08, -0.10, 0.25), row == 1u),
        vec3f(-0.24, -0.08, 0.21),
        row == 2u,
    );
    return right * vec3f(1.0, 1.0, side_of(leg));
}

// ---- The animal at one time ----------------------------------------------------

/// A solved leg, in body space.
struct Limb {
    bones: ik::Leg,
    // Distance of the trochanter from the line from hip to knee.
    trochanter_offset: f32,
}

/// All parts of the animal that depend on time; all but `body` in body space.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    left_antenna: limb::Curve,
    right_antenna: limb::Curve,
    /// Cosine and sine of the head's turn to the right.
    head_turn: vec2f,
    /// Opening of the mandibles, 0 to 1.
    bite: f32,
}

/// The foot of a leg at `time`, by the gait alone.
fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), neutral_foot_of(leg), time);
}

/// Distance along the path at `time`.
fn distance_at(time: f32) -> f32 {
    return WALK.stride * time / WALK.period;
}

/// The body over its feet at `time`.
fn body_over(support: walk::Support, time: f32) -> walk::Body {
    // Twice in a cycle, when the tripods change over, the body sinks.
    let bob = 0.018 * cos(2.0 * path::TAU * (time / WALK.period - 0.04));
    return walk::body_over(support, NEUTRAL_CENTRE, distance_at(time), CLEARANCE + bob, 0.75);
}

/// The leg with its foot at a point of body space. `raised` (0 to 1) turns the tarsus from its
/// direction in stance to that from hip to foot.
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

/// A front leg that reaches for the point under the pointer while the button is held.
struct Reach {
    /// 0 while walking, 1 with the foot on the target, eased between.
    weight: f32,
    /// The leg that reaches.
    leg: u32,
    /// The target in world space.
    target_point: vec3f,
}

/// Of an insect that just walks.
const NO_REACH: Reach = Reach(0.0, 0u, vec3f(0.0));

/// The body shifted and tilted toward the target.
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

/// Direction of the head in the xz plane of body space, a unit vector: it wanders, or turns to
/// `reach_point` (body space) by `weight`, as far as the neck allows.
fn head_turn_at(reach_point: vec3f, weight: f32, time: f32) -> vec2f {
    let w = path::TAU / LOOP_SECONDS * time;
    let wander = vec2f(1.0, 0.10 * sin(7.0 * w) + 0.05 * sin(19.0 * w));
    let onto = reach_point.xz - vec2f(0.6, 0.0);
    let allowed = vec2f(max(onto.x, 1.1 * abs(onto.y) + 0.05), onto.y);
    return normalize(mix(wander, normalize(allowed), weight));
}

/// A point of head space in body space: origin at the neck, turned with the head.
fn from_head(q: vec3f, turn: vec2f) -> vec3f {
    return NECK + camera::rotate_y(q, turn * vec2f(1.0, -1.0));
}

/// Of the head's joint, in body space.
const NECK: vec3f = vec3f(0.60, 0.02, 0.0);

/// Of the right antenna, in head space.
const ANTENNA_BASE: vec3f = vec3f(0.38, 0.08, 0.08);

/// In body space.
fn antenna_base(side: f32, turn: vec2f) -> vec3f {
    return from_head(ANTENNA_BASE * vec3f(1.0, 1.0, side), turn);
}

/// Target of an antenna's tip in body space: it wanders, or turns to `reach_point` by `weight`.
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

/// The antenna as a curve from its base to `goal`.
fn antenna(side: f32, turn: vec2f, goal: vec3f) -> limb::Curve {
    let base = antenna_base(side, turn);
    return limb::two_bone_curve(base, goal, 0.62, 0.80, vec3f(-0.2, 1.0, 0.35 * side));
}

// ---- Once per picture ----------------------------------------------------------

/// Feet (world space) and body as the gait alone gives them.
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

/// What is the same for every pixel: camera, body, and the targets of legs, head and antennae.
struct FrameData {
    eye: camera::Camera,
    body: walk::Body,
    /// xyz = target in world space, w = weight of the reach.
    feet: array<vec4f, LEGS>,
    /// Targets in body space.
    left_antenna: vec3f,
    right_antenna: vec3f,
    /// Cosine and sine of the head's turn to the right.
    head_turn: vec2f,
    /// Opening of the mandibles, 0 to 1.
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

/// `unpack_camera` and `unpack_animal` read these places.
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
    let axes = mat3x3f(frame::data(12u).xyz, frame::data(13u).xyz, frame::data(14u).xyz);
    return camera::Camera(frame::data(11u).xyz, axes, frame::data(11u).w);
}

/// The leg to a foot: xyz = target in world space, w = weight of the reach.
fn leg_on(body: walk::Body, leg: u32, foot: vec4f) -> Limb {
    return leg_to(walk::to_body(body, foot.xyz), leg, foot.w);
}

/// The animal of this frame, solved from the frame data at every pixel. The legs are unrolled:
/// arrays indexed by a variable are slow on some adapters.
fn unpack_animal() -> Animal {
    var solved: Animal;
    let ahead = frame::data(7u).xyz;
    let up = frame::data(8u).xyz;
    solved.body = walk::Body(frame::data(6u).xyz, mat3x3f(ahead, up, cross(ahead, up)));
    solved.legs[0] = leg_on(solved.body, 0u, frame::data(0u));
    solved.legs[1] = leg_on(solved.body, 1u, frame::data(1u));
    solved.legs[2] = leg_on(solved.body, 2u, frame::data(2u));
    solved.legs[3] = leg_on(solved.body, 3u, frame::data(3u));
    solved.legs[4] = leg_on(solved.body, 4u, frame::data(4u));
    solved.legs[5] = leg_on(solved.body, 5u, frame::data(5u));
    solved.head_turn = vec2f(frame::data(7u).w, frame::data(8u).w);
    solved.left_antenna = antenna(-1.0, solved.head_turn, frame::data(9u).xyz);
    solved.right_antenna = antenna(1.0, solved.head_turn, frame::data(10u).xyz);
    solved.bite = frame::data(6u).w;
    return solved;
}

/// The animal of this frame. A scene that draws it sets it, and `rays::body`, at every pixel.
var<private> animal: Animal;
