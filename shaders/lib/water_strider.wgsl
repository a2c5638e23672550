#define_import_path tarsus::water_strider

#import tarsus::bounds
#import tarsus::camera
#import tarsus::frame
#import tarsus::gait
#import tarsus::ik
#import tarsus::light
#import tarsus::limb
#import tarsus::parts
#import tarsus::path
#import tarsus::raymarch
#import tarsus::sdf
#import tarsus::walk
#import tarsus::rays

// A water strider, an insect that stands and rows on still water: its walk, its shape as a
// signed distance field, and what it is made of. It follows `path` over the level water y = 0;
// the scene draws the water, and traces rays with `rays`.
//
// The world has x ahead, y up and z right; body space has the same axes, turned with the body,
// and its origin in the body's middle. Lengths are in world units. The scene's `per_frame`
// returns `pack_frame_data`, and each pixel sets `animal` and `rays::body` from
// `unpack_animal`.

/// The animal repeats after this time (seconds): 20 strides along one period of the path.
const LOOP_SECONDS: f32 = 20.0;

/// Its gait: an alternating tripod (`phase_of`).
const WALK: gait::Gait = gait::Gait(1.0, 0.60, 1.6, 0.30);
/// Mean height of the body's middle above the water.
const CLEARANCE: f32 = 0.46;

/// Legs are numbered 0 to 2 on the left from front to back, 3 to 5 on the right.
const LEGS: u32 = 6u;

/// Row of a leg, from 0 at the front.
fn row_of(leg: u32) -> u32 {
    return leg % 3u;
}

/// Side of a leg: -1 for left, 1 for right.
fn side_of(leg: u32) -> f32 {
    return select(-1.0, 1.0, leg >= 3u);
}

/// Phase of a leg in its cycle, 0 to 1.
fn phase_of(leg: u32) -> f32 {
    return gait::tripod_phase(row_of(leg), side_of(leg));
}

/// Lengths of a leg's segments. The front legs are short, the others longer than the body.
fn lengths_of(leg: u32) -> ik::LegLengths {
    let long = ik::LegLengths(0.10, 1.20, 1.02, 0.52);
    let short = ik::LegLengths(0.06, 0.62, 0.58, 0.20);
    if row_of(leg) == 0u {
        return short;
    }
    return long;
}

/// Neutral position of a foot on the water (x ahead, y right of the body's middle).
fn neutral_foot_of(leg: u32) -> vec2f {
    let row = row_of(leg);
    let right = select(
        select(vec2f(1.05, 0.52), vec2f(0.72, 1.95), row == 1u), vec2f(-1.70, 1.50), row == 2u);
    return right * vec2f(1.0, side_of(leg));
}

/// Mean of the neutral positions.
const NEUTRAL_CENTRE: vec2f = vec2f(0.0233, 0.0);

/// Position of a leg's hip in body space.
fn hip_of(leg: u32) -> vec3f {
    let row = row_of(leg);
    let right = select(
        select(vec3f(0.44, -0.05, 0.07), vec3f(0.10, -0.05, 0.11), row == 1u),
        vec3f(-0.06, -0.05, 0.11),
        row == 2u,
    );
    return right * vec3f(1.0, 1.0, side_of(leg));
}

/// The ground of the walk is the water's level.
override fn walk::ground(p: vec2f) -> f32 {
    return 0.0;
}

// ---- The animal at one time ----------------------------------------------------

/// A solved leg, in body space.
struct Limb {
    bones: ik::Leg,
    // `limb::upper_radius`
    upper: f32,
}

/// All parts of the animal that depend on time; all but `body` in body space.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    left_antenna: limb::Curve,
    right_antenna: limb::Curve,
}

/// The foot of a leg at `time` (seconds).
fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), neutral_foot_of(leg), time);
}

/// The body over its feet at `time` (seconds).
fn body_over(support: walk::Support, time: f32) -> walk::Body {
    let cycle = time / WALK.period;
    let bob = 0.022 * cos(2.0 * path::TAU * cycle);
    return walk::body_over(support, NEUTRAL_CENTRE, WALK.stride * cycle, CLEARANCE + bob, 1.0);
}

/// The leg with its foot at a point of body space.
fn leg_to(foot_in_body: vec3f, leg: u32) -> Limb {
    let hip = hip_of(leg);
    let neutral_foot = neutral_foot_of(leg);
    let outward = normalize(vec3f(neutral_foot.x - hip.x, 0.0, neutral_foot.y - hip.z));
    let up = vec3f(0.0, 1.0, 0.0);
    // The tarsi lie almost flat on the water.
    let tarsus = normalize(2.6 * outward - up);
    let bones = ik::solve_leg(foot_in_body, hip, up, outward, tarsus, lengths_of(leg));
    return Limb(bones, limb::upper_radius(bones, RADII));
}

/// Base of the right antenna in body space.
const ANTENNA_BASE: vec3f = vec3f(0.70, 0.05, 0.05);

/// Target of an antenna's tip in body space.
fn antenna_goal(side: f32, time: f32) -> vec3f {
    let w = path::TAU / LOOP_SECONDS * time;
    let sway = vec3f(0.0, 0.06 * sin(17.0 * w + side), 0.05 * sin(13.0 * w));
    return vec3f(0.50, 0.10, 0.28 * side) + ANTENNA_BASE * vec3f(1.0, 1.0, side) + sway;
}

/// The antenna as a curve from its base to `goal`.
fn antenna(side: f32, goal: vec3f) -> limb::Curve {
    let base = ANTENNA_BASE * vec3f(1.0, 1.0, side);
    return limb::two_bone_curve(base, goal, 0.30, 0.34, vec3f(0.0, 1.0, 0.6 * side));
}

/// What is the same for every pixel: camera, body, and the targets of legs and antennae.
struct FrameData {
    eye: camera::Camera,
    body: walk::Body,
    // xyz = target in world space, w = load of the foot on the water, 0 to 1.
    feet: array<vec4f, LEGS>,
    // Targets in body space.
    left_antenna: vec3f,
    right_antenna: vec3f,
}

/// The frame data at `time` (seconds), seen by `eye`.
fn frame_data_of(eye: camera::Camera, time: f32) -> FrameData {
    var data: FrameData;
    data.eye = eye;
    var support = walk::no_support();
    for (var leg = 0u; leg < LEGS; leg++) {
        let foot = foot_at(leg, time);
        support = walk::add_foot(support, neutral_foot_of(leg), foot);
        data.feet[leg] = vec4f(foot.position, weight_of(leg, time));
    }
    data.body = body_over(support, time);
    data.left_antenna = antenna_goal(-1.0, time);
    data.right_antenna = antenna_goal(1.0, time);
    return data;
}

/// The frame data as a scene's `per_frame` returns it, for `unpack_camera` and
/// `unpack_animal`. The w of the elements 6 to 10 and 12 to 14 is 0 and free for the scene.
fn pack_frame_data(data: FrameData) -> array<vec4f, 15> {
    let body = data.body;
    let eye = data.eye;
    return array<vec4f, 15>(
        data.feet[0], data.feet[1], data.feet[2],
        data.feet[3], data.feet[4], data.feet[5],
        vec4f(body.position, 0.0),
        vec4f(body.world_from_body[0], 0.0),
        vec4f(body.world_from_body[1], 0.0),
        vec4f(data.left_antenna, 0.0),
        vec4f(data.right_antenna, 0.0),
        vec4f(eye.position, eye.focal_length),
        vec4f(eye.world_from_view[0], 0.0),
        vec4f(eye.world_from_view[1], 0.0),
        vec4f(eye.world_from_view[2], 0.0),
    );
}

/// The camera of this frame.
fn unpack_camera() -> camera::Camera {
    let axes = mat3x3f(frame::data(12u).xyz, frame::data(13u).xyz, frame::data(14u).xyz);
    return camera::Camera(frame::data(11u).xyz, axes, frame::data(11u).w);
}

/// The animal of this frame, solved from the frame data at every pixel. The legs are unrolled:
/// arrays indexed by a variable are slow on some adapters.
fn unpack_animal() -> Animal {
    var animal: Animal;
    let ahead = frame::data(7u).xyz;
    let up = frame::data(8u).xyz;
    animal.body = walk::Body(frame::data(6u).xyz, mat3x3f(ahead, up, cross(ahead, up)));
    animal.legs[0] = leg_to(walk::to_body(animal.body, frame::data(0u).xyz), 0u);
    animal.legs[1] = leg_to(walk::to_body(animal.body, frame::data(1u).xyz), 1u);
    animal.legs[2] = leg_to(walk::to_body(animal.body, frame::data(2u).xyz), 2u);
    animal.legs[3] = leg_to(walk::to_body(animal.body, frame::data(3u).xyz), 3u);
    animal.legs[4] = leg_to(walk::to_body(animal.body, frame::data(4u).xyz), 4u);
    animal.legs[5] = leg_to(walk::to_body(animal.body, frame::data(5u).xyz), 5u);
    animal.left_antenna = antenna(-1.0, frame::data(9u).xyz);
    animal.right_antenna = antenna(1.0, frame::data(10u).xyz);
    return animal;
}

// ---- Shape ---------------------------------------------------------------------

/// The animal that the rays meet.
var<private> animal: Animal;
/// The current part (`parts::select_part`).
var<private> current_limb: Limb;

override fn parts::select_part(part: u32) {
    current_limb = leg_of(part);
}

fn leg_of(part: u32) -> Limb {
    var leg = animal.legs[0];
    if part == 1u {
        leg = animal.legs[1];
    }
    if part == 2u {
        leg = animal.legs[2];
    }
    if part == 3u {
        leg = animal.legs[3];
    }
    if part == 4u {
        leg = animal.legs[4];
    }
    if part == 5u {
        leg = animal.legs[5];
    }
    return leg;
}

/// Radii of the segments of its legs.
const RADII: limb::Radii = limb::Radii(0.046, 0.034, 0.022, 0.015, 0.009, 0.03);

/// Signed distance from p (body space) to the eyes, the trunk and the antennae.
fn eye_distance(p: vec3f) -> f32 {
    return sdf::sphere(vec3f(p.xy, abs(p.z)) - vec3f(0.645, 0.055, 0.088), 0.064);
}

fn trunk_distance(p: vec3f) -> f32 {
    let thorax = sdf::ellipsoid(p - vec3f(0.14, 0.0, 0.0), vec3f(0.46, 0.125, 0.150));
    // Rings of the abdomen.
    let ring = 0.006 * sin(46.0 * p.x);
    let abdomen = sdf::tapered_capsule(p, vec3f(-0.15, 0.015, 0.0), vec3f(-0.98, 0.06, 0.0), 0.115, 0.034);
    let head = sdf::ellipsoid(p - vec3f(0.62, 0.03, 0.0), vec3f(0.125, 0.085, 0.085));
    let beak = sdf::tapered_capsule(p, vec3f(0.72, 0.0, 0.0), vec3f(0.80, -0.16, 0.0), 0.032, 0.010);
    let body = sdf::smooth_union(thorax, abdomen + ring * step(p.x, -0.2), 0.08);
    return sdf::smooth_union(sdf::smooth_union(body, head, 0.05), beak, 0.03);
}

fn antennae_distance(p: vec3f) -> f32 {
    return min(
        limb::curve_distance(p, animal.left_antenna, 0.014, 0.010, 0.005),
        limb::curve_distance(p, animal.right_antenna, 0.014, 0.010, 0.005),
    );
}

/// The part that was nearest in the last call of `raymarch::map`.
var<private> nearest_part: u32;
/// Values of `nearest_part`.
const TRUNK: u32 = 0u;
const EYE: u32 = 1u;
const ANTENNA: u32 = 2u;

/// Distance to trunk, eyes and antennae.
override fn raymarch::map(p: vec3f) -> f32 {
    let trunk = trunk_distance(p);
    let eye = eye_distance(p);
    let antennae = antennae_distance(p);
    let solid = min(trunk, eye);
    nearest_part = select(select(TRUNK, EYE, eye < trunk), ANTENNA, antennae < solid);
    return min(solid, antennae);
}

override fn parts::map(p: vec3f) -> f32 {
    return limb::leg_distance(p, current_limb.bones, RADII);
}

// ---- Bounds for rays -----------------------------------------------------------

override fn parts::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let leg = current_limb;
    return limb::leg_span(origin, direction, leg.bones, RADII, leg.upper, margin);
}

/// Radius of a sphere that contains the animal, around a point near the body's origin.
const EXTENT: f32 = 3.1;

override fn rays::candidates(origin: vec3f, direction: vec3f, margin: f32) -> rays::Candidates {
    let all = bounds::sphere_span(origin, direction, vec3f(-0.2, 0.0, 0.0), EXTENT + margin);
    if !bounds::is_ahead(all) {
        return rays::Candidates(bounds::EMPTY, 0u);
    }
    let trunk = bounds::capsule_span(
        origin, direction, vec3f(-1.0, 0.05, 0.0), vec3f(0.70, -0.01, 0.0), 0.17 + margin);
    let left = limb::curve_span(origin, direction, animal.left_antenna, 0.02 + margin);
    let right = limb::curve_span(origin, direction, animal.right_antenna, 0.02 + margin);
    let whole = bounds::hull(trunk, bounds::hull(left, right));
    let legs = leg_bit(0u, origin, direction, animal.legs[0], margin)
        | leg_bit(1u, origin, direction, animal.legs[1], margin)
        | leg_bit(2u, origin, direction, animal.legs[2], margin)
        | leg_bit(3u, origin, direction, animal.legs[3], margin)
        | leg_bit(4u, origin, direction, animal.legs[4], margin)
        | leg_bit(5u, origin, direction, animal.legs[5], margin);
    return rays::Candidates(bounds::Span(max(whole.t_near, 0.0), whole.t_far), legs);
}

/// The leg's bit if a ray can meet it, else 0.
fn leg_bit(leg: u32, origin: vec3f, direction: vec3f, part: Limb, margin: f32) -> u32 {
    let touched = limb::leg_touches(origin, direction, part.bones, RADII, part.upper, margin);
    return select(0u, 1u << leg, touched);
}

// ---- Load and material ---------------------------------------------------------

/// Load of a foot on the water, 0 to 1: eased at both ends of the stance.
fn weight_of(leg: u32, time: f32) -> f32 {
    let cycle = time / WALK.period + phase_of(leg);
    let cycle_phase = cycle - floor(cycle);
    return smoothstep(0.0, 0.06, cycle_phase) * (1.0 - smoothstep(WALK.duty - 0.06, WALK.duty, cycle_phase));
}

/// Material of the animal at p of body space, with the unit normal in world space: brown
/// velvet, silver belly, dark eyes.
fn animal_material(p: vec3f, normal: vec3f, on_leg: bool) -> light::Material {
    if on_leg || nearest_part == ANTENNA {
        return light::Material(normal, vec3f(0.075, 0.046, 0.028), vec3f(0.05), 0.32, 0.9, 0.25);
    }
    if nearest_part == EYE {
        return light::Material(normal, vec3f(0.030, 0.008, 0.006), vec3f(0.07), 0.12, 0.0, 0.0);
    }
    let belly = 1.0 - smoothstep(-0.06, 0.02, p.y);
    let near_line = 1.0 - smoothstep(0.018, 0.030, abs(abs(p.z) - 0.062));
    let stripe = near_line * step(0.02, p.y) * step(p.x, 0.5);
    let back = mix(vec3f(0.060, 0.042, 0.028), vec3f(0.42, 0.30, 0.14), 0.75 * stripe);
    let albedo = mix(back, vec3f(0.62, 0.62, 0.60), belly);
    return light::Material(normal, albedo, vec3f(0.04), 0.35, 1.4, 0.0);
}

#ifdef REFERENCE

override fn rays::limb_count() -> u32 {
    return LEGS;
}

override fn rays::limbs_distance(p: vec3f) -> f32 {
    return min(
        min(min(limb::leg_distance(p, animal.legs[0].bones, RADII),
                limb::leg_distance(p, animal.legs[1].bones, RADII)),
            min(limb::leg_distance(p, animal.legs[2].bones, RADII),
                limb::leg_distance(p, animal.legs[3].bones, RADII))),
        min(limb::leg_distance(p, animal.legs[4].bones, RADII),
            limb::leg_distance(p, animal.legs[5].bones, RADII)));
}

#endif
