// The spider: eight legs over moss by moonlight, among fireflies.
//
// Legs of both sides alternate in two sets of four (gait::tetrapod_phase). The moon is behind
// the animal, so that hair and moss are bright at their edges; the fireflies are point lights
// with reflections in the eight eyes.
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
#import tarsus::rays

// The scene repeats after this time (seconds): 32 strides along one period of the path.
const LOOP_SECONDS: f32 = 24.0;

const WALK: gait::Gait = gait::Gait(0.75, 0.58, 1.0, 0.36);
const LENGTHS: ik::LegLengths = ik::LegLengths(0.15, 0.98, 1.02, 0.34);
const CLEARANCE: f32 = 0.64;

// Legs are numbered 0 to 3 on the left from front to back, 4 to 7 on the right.
const LEGS: u32 = 8u;

fn row_of(leg: u32) -> u32 {
    return leg & 3u;
}

fn side_of(leg: u32) -> f32 {
    return select(-1.0, 1.0, leg >= 4u);
}

fn phase_of(leg: u32) -> f32 {
    // The rear rows run a little ahead of their set: a wave within it.
    return fract(gait::tetrapod_phase(row_of(leg), side_of(leg)) + 0.02 * f32(row_of(leg)));
}

// Neutral position of a foot on the ground (x ahead, y right of the body's middle).
fn neutral_foot_of(leg: u32) -> vec2f {
    let row = row_of(leg);
    let front = select(vec2f(1.50, 0.72), vec2f(0.72, 1.42), row == 1u);
    let rear = select(vec2f(-0.42, 1.50), vec2f(-1.50, 0.98), row == 3u);
    return select(front, rear, row >= 2u) * vec2f(1.0, side_of(leg));
}

const NEUTRAL_CENTRE: vec2f = vec2f(0.075, 0.0);

// Position of a leg's hip in body space.
fn hip_of(leg: u32) -> vec3f {
    let row = f32(row_of(leg));
    return vec3f(0.34 - 0.17 * row, -0.06, (0.20 + 0.06 * sin(1.05 * row)) * side_of(leg));
}

// Unit vector toward the moon.
const MOON: vec3f = vec3f(-0.8214, 0.4695, -0.3237);
const MOON_ANGLE: f32 = 0.05;
const MOONLIGHT: vec3f = vec3f(1.7, 2.1, 2.9);
const FAR: f32 = 60.0;
// Largest distance from a surface to an object that throws a shadow on it.
const LONGEST_SHADOW: f32 = 12.0;

// ---- The animal at one time ----------------------------------------------------

// A solved leg or palp, in body space.
struct Limb {
    bones: ik::Leg,
    radii: limb::Radii,
    // `limb::upper_radius`
    upper: f32,
}

// All parts of the animal that depend on time; all but `body` in body space. The palps are
// short legs that do not reach the ground.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    left_palp: Limb,
    right_palp: Limb,
}

const RADII: limb::Radii = limb::Radii(0.085, 0.070, 0.050, 0.030, 0.012, 0.12);
const PALP_RADII: limb::Radii = limb::Radii(0.042, 0.041, 0.039, 0.038, 0.036, 0.0);

fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), neutral_foot_of(leg), time);
}

fn distance_at(time: f32) -> f32 {
    return WALK.stride * time / WALK.period;
}

fn body_over(support: walk::Support, time: f32) -> walk::Body {
    let bob = 0.015 * cos(2.0 * path::TAU * time / WALK.period);
    return walk::body_over(support, NEUTRAL_CENTRE, distance_at(time), CLEARANCE + bob, 0.75);
}

// The leg with its foot at a point of body space.
fn leg_to(foot_in_body: vec3f, leg: u32) -> Limb {
    let hip = hip_of(leg);
    let neutral_foot = neutral_foot_of(leg);
    let outward = normalize(vec3f(neutral_foot.x - hip.x, 0.0, neutral_foot.y - hip.z));
    let up = vec3f(0.0, 1.0, 0.0);
    let tarsus = normalize(0.55 * outward - up);
    let bones = ik::solve_leg(foot_in_body, hip, up, outward, tarsus, LENGTHS);
    return Limb(bones, RADII, limb::upper_radius(bones, RADII));
}

// Phase of a palp's tapping motion: how far ahead and up it is, -1 to 1.
fn tap_at(side: f32, time: f32) -> f32 {
    return sin(29.0 * path::TAU / LOOP_SECONDS * time + 1.6 * side);
}

// The palp for a phase `tap` of its motion.
fn palp(side: f32, tap: f32) -> Limb {
    let base = vec3f(0.50, -0.07, 0.10 * side);
    let tip = base + vec3f(0.34 + 0.04 * tap, -0.24 + 0.08 * tap, 0.09 * side);
    let bow = limb::two_bone_curve(base, tip, 0.26, 0.26, vec3f(0.4, 1.0, 0.4 * side));
    let bones = ik::Leg(bow.a, bow.b, bow.c, bow.d, bow.e, true);
    return Limb(bones, PALP_RADII, limb::upper_radius(bones, PALP_RADII));
}

// ---- Once per picture ----------------------------------------------------------

// Feet (world space) and body as the gait gives them.
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

// What is the same for every pixel: camera, body, the targets of the limbs, fireflies.
struct FrameData {
    eye: camera::Camera,
    body: walk::Body,
    // Targets in world space.
    feet: array<vec3f, LEGS>,
    // Phases of the left and the right palp.
    taps: vec2f,
    // The point of the path below the animal, xz of the world.
    path_point: vec2f,
    // Brightness of the fireflies.
    glow: array<f32, FIREFLIES>,
}

fn frame_data_of(pose: Pose, eye: camera::Camera, time: f32) -> FrameData {
    var data: FrameData;
    data.eye = eye;
    data.body = pose.body;
    data.feet = pose.feet;
    data.taps = vec2f(tap_at(-1.0, time), tap_at(1.0, time));
    data.path_point = path::point_at(distance_at(time));
    data.glow = array<f32, FIREFLIES>(
        glow_at(0u, time), glow_at(1u, time), glow_at(2u, time),
        glow_at(3u, time), glow_at(4u, time), glow_at(5u, time),
        glow_at(6u, time), glow_at(7u, time), glow_at(8u, time),
    );
    return data;
}

fn per_frame(index: u32) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let pose = pose_at(time);
    var data = pack_frame_data(frame_data_of(pose, camera_at(time, pose.body), time));
    return data[index];
}

// `unpack_camera`, `unpack_path_point`, `unpack_animal` and `place_fireflies` read these places.
fn pack_frame_data(data: FrameData) -> array<vec4f, 15> {
    let body = data.body;
    let eye = data.eye;
    return array<vec4f, 15>(
        vec4f(data.feet[0], data.glow[0]),
        vec4f(data.feet[1], data.glow[1]),
        vec4f(data.feet[2], data.glow[2]),
        vec4f(data.feet[3], data.glow[3]),
        vec4f(data.feet[4], data.glow[4]),
        vec4f(data.feet[5], data.glow[5]),
        vec4f(data.feet[6], data.glow[6]),
        vec4f(data.feet[7], data.glow[7]),
        vec4f(body.position, data.glow[8]),
        vec4f(body.world_from_body[0], data.taps.x),
        vec4f(body.world_from_body[1], data.taps.y),
        vec4f(eye.position, eye.focal_length),
        vec4f(eye.world_from_view[0], data.path_point.x),
        vec4f(eye.world_from_view[1], data.path_point.y),
        vec4f(eye.world_from_view[2], 0.0),
    );
}

fn unpack_camera() -> camera::Camera {
    let axes = mat3x3f(frame::data(12u).xyz, frame::data(13u).xyz, frame::data(14u).xyz);
    return camera::Camera(frame::data(11u).xyz, axes, frame::data(11u).w);
}

fn unpack_path_point() -> vec2f {
    return vec2f(frame::data(12u).w, frame::data(13u).w);
}

fn leg_on(body: walk::Body, leg: u32, foot: vec4f) -> Limb {
    return leg_to(walk::to_body(body, foot.xyz), leg);
}

// The animal of this frame, solved from the frame data at every pixel. The legs are unrolled:
// arrays indexed by a variable are slow on some adapters.
fn unpack_animal() -> Animal {
    var animal: Animal;
    let ahead = frame::data(9u).xyz;
    let up = frame::data(10u).xyz;
    animal.body = walk::Body(frame::data(8u).xyz, mat3x3f(ahead, up, cross(ahead, up)));
    animal.legs[0] = leg_on(animal.body, 0u, frame::data(0u));
    animal.legs[1] = leg_on(animal.body, 1u, frame::data(1u));
    animal.legs[2] = leg_on(animal.body, 2u, frame::data(2u));
    animal.legs[3] = leg_on(animal.body, 3u, frame::data(3u));
    animal.legs[4] = leg_on(animal.body, 4u, frame::data(4u));
    animal.legs[5] = leg_on(animal.body, 5u, frame::data(5u));
    animal.legs[6] = leg_on(animal.body, 6u, frame::data(6u));
    animal.legs[7] = leg_on(animal.body, 7u, frame::data(7u));
    animal.left_palp = palp(-1.0, frame::data(9u).w);
    animal.right_palp = palp(1.0, frame::data(10u).w);
    return animal;
}

// ---- Shape ---------------------------------------------------------------------

var<private> animal: Animal;
// The current part (`parts::select_part`).
var<private> current_limb: Limb;
var<private> current_is_palp: bool;

// Parts are numbered as the legs, then the palps.
const LEFT_PALP: u32 = LEGS;
const RIGHT_PALP: u32 = LEGS + 1u;
const PARTS: u32 = LEGS + 2u;

override fn parts::select_part(part: u32) {
    current_is_palp = part >= LEFT_PALP;
    current_limb = limb_of(part);
}

fn limb_of(part: u32) -> Limb {
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
    if part == 6u {
        picked = animal.legs[6];
    }
    if part == 7u {
        picked = animal.legs[7];
    }
    if part == LEFT_PALP {
        picked = animal.left_palp;
    }
    if part == RIGHT_PALP {
        picked = animal.right_palp;
    }
    return picked;
}

fn limb_distance(p: vec3f, part: Limb) -> f32 {
    return limb::leg_distance(p, part.bones, part.radii);
}

override fn parts::map(p: vec3f) -> f32 {
    return limb_distance(p, current_limb);
}

// Distance to the nearest eye. Each side has four, from the large ones in the middle outward.
fn eyes_distance(p: vec3f) -> f32 {
    let side = vec3f(p.xy, abs(p.z));
    return min(
        min(sdf::sphere(side - vec3f(0.510, 0.085, 0.092), 0.086),
            sdf::sphere(side - vec3f(0.465, 0.130, 0.222), 0.056)),
        min(sdf::sphere(side - vec3f(0.400, 0.235, 0.130), 0.058),
            sdf::sphere(side - vec3f(0.290, 0.235, 0.215), 0.050)));
}

fn abdomen_distance(p: vec3f) -> f32 {
    let q = p - vec3f(-0.82, 0.15, 0.0);
    let shape = sdf::ellipsoid(q, vec3f(0.60, 0.41, 0.45));
    let spinneret = sdf::tapered_capsule(
        p, vec3f(-1.30, 0.08, 0.0), vec3f(-1.52, 0.02, 0.0), 0.09, 0.04);
    return sdf::smooth_union(shape, spinneret, 0.12);
}

// Distance to the cephalothorax.
fn shield_distance(p: vec3f) -> f32 {
    let rear = sdf::ellipsoid(p - vec3f(0.06, 0.02, 0.0), vec3f(0.36, 0.19, 0.32));
    let head = sdf::ellipsoid(p - vec3f(0.33, 0.07, 0.0), vec3f(0.22, 0.19, 0.23));
    let waist = sdf::capsule(p, vec3f(-0.2, 0.0, 0.0), vec3f(-0.45, 0.06, 0.0), 0.06);
    return sdf::smooth_union(sdf::smooth_union(rear, head, 0.10), waist, 0.08);
}

fn jaw_distance(p: vec3f) -> f32 {
    let side = vec3f(p.xy, abs(p.z));
    let jaw = sdf::tapered_capsule(
        side, vec3f(0.47, -0.05, 0.085), vec3f(0.57, -0.27, 0.09), 0.085, 0.060);
    let fang = sdf::tapered_capsule(
        side, vec3f(0.57, -0.29, 0.10), vec3f(0.52, -0.40, 0.05), 0.028, 0.006);
    return min(jaw, fang);
}

// Distance to the trunk: all but the limbs.
override fn raymarch::map(p: vec3f) -> f32 {
    let head = sdf::smooth_union(shield_distance(p), jaw_distance(p), 0.03);
    let down = sdf::smooth_union(head, abdomen_distance(p), 0.05);
    return min(down, eyes_distance(p));
}

// ---- Bounds for rays -----------------------------------------------------------

// Radius of a sphere that contains the animal, around a point near the body's origin.
const EXTENT: f32 = 2.9;

override fn parts::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let part = current_limb;
    return limb::leg_span(origin, direction, part.bones, part.radii, part.upper, margin);
}

override fn rays::candidates(origin: vec3f, direction: vec3f, margin: f32) -> rays::Candidates {
    let all = bounds::sphere_span(origin, direction, vec3f(0.0, -0.1, 0.0), EXTENT + margin);
    if !bounds::is_ahead(all) {
        return rays::Candidates(bounds::EMPTY, 0u);
    }
    let abdomen = bounds::capsule_span(
        origin, direction, vec3f(-1.12, 0.10, 0.0), vec3f(-0.67, 0.15, 0.0), 0.49 + margin);
    let head = bounds::sphere_span(origin, direction, vec3f(0.22, -0.05, 0.0), 0.55 + margin);
    // One limb after the other, for rays that pass near the animal.
    var limbs = 0u;
    for (var part = 0u; part < select(0u, PARTS, bounds::is_ahead(all)); part++) {
        limbs |= limb_bit(part, origin, direction, limb_of(part), margin);
    }
    let trunk = bounds::hull(abdomen, head);
    return rays::Candidates(bounds::Span(max(trunk.t_near, 0.0), trunk.t_far), limbs);
}

// The limb's bit if a ray can meet it, else 0.
fn limb_bit(index: u32, origin: vec3f, direction: vec3f, part: Limb, margin: f32) -> u32 {
    let touched = limb::leg_touches(
        origin, direction, part.bones, part.radii, part.upper, margin);
    return select(0u, 1u << index, touched);
}

// ---- Fireflies -----------------------------------------------------------------

const FIREFLIES: u32 = 9u;
const GLOW: vec3f = vec3f(1.0, 0.72, 0.18);

// Brightness of a firefly, 0.25 to 1.
fn glow_at(index: u32, time: f32) -> f32 {
    let w = path::TAU / LOOP_SECONDS * time;
    let n = f32(index);
    let pulse = 0.5 + 0.5 * sin((9.0 + 2.0 * n) * w + 2.1 * n);
    return 0.25 + 0.75 * pulse * pulse;
}

// Cosine and sine of the sum of two angles; `turn` is the cosine and sine of the first.
fn add_angle(turn: vec2f, more: f32) -> vec2f {
    let c = cos(more);
    let s = sin(more);
    return vec2f(turn.x * c - turn.y * s, turn.y * c + turn.x * s);
}

// A firefly: xyz = position in world space, w = brightness `glow`. It moves on a circle near
// the animal; `turn` is the cosine and sine of its angle there.
fn firefly(index: u32, turn: vec2f, glow: f32) -> vec4f {
    let n = f32(index);
    let ring = 2.1 + 0.55 * n;
    let middle = ring * vec3f(cos(0.7 + 2.39996 * n), 0.0, sin(0.7 + 2.39996 * n));
    let here = add_angle(turn, 2.4 * n);
    let twice = vec2f(here.x * here.x - here.y * here.y, 2.0 * here.x * here.y);
    let away = vec3f(here.y, 0.35 * add_angle(twice, n).y, add_angle(here, n).x);
    let up = vec3f(0.0, 0.55 + 0.16 * n, 0.0);
    return vec4f(under_animal() + middle + 0.7 * away + up, glow);
}

// Centre of the fireflies' circles, in world space.
fn under_animal() -> vec3f {
    let path_point = unpack_path_point();
    return vec3f(path_point.x, animal.body.position.y - CLEARANCE + 0.2, path_point.y);
}

// The fireflies of this frame: xyz = position in world space, w = brightness.
var<private> flies: array<vec4f, FIREFLIES>;

// Sets `flies` from the frame data.
fn place_fireflies(time: f32) {
    let w = path::TAU / LOOP_SECONDS * time;
    let two = vec2f(cos(2.0 * w), sin(2.0 * w));
    let three = vec2f(cos(3.0 * w), sin(3.0 * w));
    let four = vec2f(cos(4.0 * w), sin(4.0 * w));
    // The first stays near the animal's head.
    let near = vec3f(
        1.25 + 0.25 * two.y, 0.42 + 0.15 * sin(5.0 * w), 0.55 + 0.35 * three.x);
    flies[0] = vec4f(under_animal() + near, frame::data(0u).w);
    flies[1] = firefly(1u, three, frame::data(1u).w);
    flies[2] = firefly(2u, four, frame::data(2u).w);
    flies[3] = firefly(3u, two, frame::data(3u).w);
    flies[4] = firefly(4u, three, frame::data(4u).w);
    flies[5] = firefly(5u, four, frame::data(5u).w);
    flies[6] = firefly(6u, two, frame::data(6u).w);
    flies[7] = firefly(7u, three, frame::data(7u).w);
    flies[8] = firefly(8u, four, frame::data(8u).w);
}

// Light of one firefly at p of the world with the unit normal n: wrapped Lambert.
fn firefly_light(fly: vec4f, p: vec3f, n: vec3f) -> f32 {
    let to_fly = fly.xyz - p;
    let squared = dot(to_fly, to_fly);
    let lambert = max(dot(n, to_fly) * inverseSqrt(squared) + 0.3, 0.0) / 1.3;
    return fly.w * lambert / (0.12 + squared) * exp(-0.35 * squared);
}

// The same for specular light, for f0 = 1, seen along `direction`.
fn firefly_specular(fly: vec4f, p: vec3f, surface: light::Material, direction: vec3f) -> f32 {
    let to_fly = fly.xyz - p;
    let toward = normalize(to_fly);
    let lobe = shading::ggx_specular(surface.normal, -direction, toward, surface.roughness);
    return fly.w * lobe / (0.5 + dot(to_fly, to_fly));
}

// What the fireflies give a surface.
struct Glow {
    irradiance: vec3f,
    // For f0 = 1.
    specular: f32,
}

fn add_firefly(
    sum: vec2f,
    fly: vec4f,
    p: vec3f,
    surface: light::Material,
    direction: vec3f,
) -> vec2f {
    return sum + vec2f(
        firefly_light(fly, p, surface.normal),
        firefly_specular(fly, p, surface, direction),
    );
}

// Light of the fireflies at p of the world seen along `direction`. As with the legs there is no
// loop over them: drivers would unroll it, and that takes them long.
fn fireflies_at(p: vec3f, surface: light::Material, direction: vec3f) -> Glow {
    var sum = vec2f(0.0);
    sum = add_firefly(sum, flies[0], p, surface, direction);
    sum = add_firefly(sum, flies[1], p, surface, direction);
    sum = add_firefly(sum, flies[2], p, surface, direction);
    sum = add_firefly(sum, flies[3], p, surface, direction);
    sum = add_firefly(sum, flies[4], p, surface, direction);
    sum = add_firefly(sum, flies[5], p, surface, direction);
    sum = add_firefly(sum, flies[6], p, surface, direction);
    sum = add_firefly(sum, flies[7], p, surface, direction);
    sum = add_firefly(sum, flies[8], p, surface, direction);
    return Glow(0.85 * GLOW * sum.x, 3.0 * sum.y);
}

// Radiance of a firefly along a ray up to `t_far`; `pixel` is the width of a pixel at
// distance 1.
fn firefly_glow(fly: vec4f, origin: vec3f, direction: vec3f, t_far: f32, pixel: f32) -> vec3f {
    let to_fly = fly.xyz - origin;
    let along = dot(to_fly, direction);
    let offset = to_fly - along * direction;
    let squared = dot(offset, offset);
    let size = max(0.018, 0.7 * pixel * along);
    let spot = exp(-squared / (size * size)) * (0.018 / size) * (0.018 / size);
    let halo = 0.010 / (0.02 + squared) * exp(-3.0 * squared);
    // Fades where the firefly is behind a surface.
    let unhidden = smoothstep(0.0, 0.25, t_far - along) * step(0.0, along);
    return fly.w * unhidden * (3.5 * (GLOW + vec3f(0.2)) * spot + 0.22 * GLOW * halo);
}

// The same for all of them.
fn fireflies_along(origin: vec3f, direction: vec3f, t_far: f32, pixel: f32) -> vec3f {
    return firefly_glow(flies[0], origin, direction, t_far, pixel)
        + firefly_glow(flies[1], origin, direction, t_far, pixel)
        + firefly_glow(flies[2], origin, direction, t_far, pixel)
        + firefly_glow(flies[3], origin, direction, t_far, pixel)
        + firefly_glow(flies[4], origin, direction, t_far, pixel)
        + firefly_glow(flies[5], origin, direction, t_far, pixel)
        + firefly_glow(flies[6], origin, direction, t_far, pixel)
        + firefly_glow(flies[7], origin, direction, t_far, pixel)
        + firefly_glow(flies[8], origin, direction, t_far, pixel);
}

// ---- Surfaces ------------------------------------------------------------------

// A point to be shaded.
struct SurfacePoint {
    // In body space: the point, and the unit normal without fine relief.
    position: vec3f,
    smooth_normal: vec3f,
    // Its normal is in world space.
    material: light::Material,
    // Reach of the ambient occlusion.
    sky_reach: f32,
    // Radiance that is added: eyeshine.
    eyeshine: vec3f,
}

// Cushions of moss at p of the ground: x = height in about [0, 1], yz = slope. Octaves finer
// than `footprint`, the length of ground under a pixel, fade out.
fn moss(p: vec2f, footprint: f32) -> vec3f {
    var sum = vec3f(0.35, 0.0, 0.0);
    var q = p * 2.0;
    var frequency = 2.0;
    // Every octave repeats with the path: its cells fit into the period.
    var mask = 63u;
    var height = 0.42;
    var visible = faded(frequency * footprint);
    // A bound that is not constant keeps drivers from unrolling the loop.
    let octaves = select(0u, 6u, visible > 0.02);
    for (var i = 0u; i < octaves && visible > 0.02; i++) {
        let n = noise::value_noise(q, mask, 71u + i);
        let root = sqrt(n.x * n.x + 0.02);
        let billow = vec3f(1.6 * root - 0.5, 1.6 * n.x / root * n.yz * frequency);
        sum += height * visible * billow;
        q *= 2.0;
        frequency *= 2.0;
        mask = 2u * mask + 1u;
        height *= 0.74;
        visible = faded(frequency * footprint);
    }
    return sum;
}

// Factor of a wave's amplitude, where `fine` is its wave number times the pixel's footprint.
fn faded(fine: f32) -> f32 {
    return exp(-1.5 * fine * fine);
}

// The ground at p of the world, seen along `direction` by a pixel that is `width` wide there.
fn moss_at(p: vec3f, direction: vec3f, width: f32) -> SurfacePoint {
    let relief = terrain::relief(p.xz);
    let tufts = moss(p.xz, terrain::footprint(width, direction, relief.yz));
    let slope = relief.yz + 0.052 * tufts.yz;
    let patch_tone = noise::value_noise(p.xz * 0.5, 15u, 7u).x;
    let tip = smoothstep(-0.1, 0.95, tufts.x);
    let dark = vec3f(0.010, 0.022, 0.012);
    let green = mix(vec3f(0.075, 0.15, 0.040), vec3f(0.13, 0.15, 0.035), 0.5 + 0.5 * patch_tone);
    let up = vec3f(0.0, 1.0, 0.0) * animal.body.world_from_body;
    let normal = normalize(vec3f(-slope.x, 1.0, -slope.y));
    return SurfacePoint(
        walk::to_body(animal.body, p) + 0.012 * up,
        up,
        light::Material(normal, mix(dark, green, tip), vec3f(0.0), 1.0, 1.6 * tip, 0.0),
        1.0,
        vec3f(0.0),
    );
}

// Material of the animal's surface.
struct BodyMaterial {
    albedo: vec3f,
    f0_color: vec3f,
    roughness: f32,
    // As in `light::Material`.
    sheen: f32,
    translucency: f32,
}

// Brown hair with pale marks.
const BROWN: vec3f = vec3f(0.095, 0.058, 0.036);
const PALE: vec3f = vec3f(0.46, 0.35, 0.21);

// Bands at both ends of every segment; `along` as in `limb::leg_coordinates`.
fn limb_material(along: f32) -> BodyMaterial {
    let band = 1.0 - smoothstep(0.06, 0.26, abs(fract(along + 0.5) - 0.5));
    return BodyMaterial(mix(BROWN, PALE, 0.8 * band), vec3f(0.03), 0.5, 2.6, 0.1);
}

fn trunk_material(p: vec3f, is_eye: bool) -> BodyMaterial {
    if is_eye {
        return BodyMaterial(vec3f(0.004, 0.006, 0.008), vec3f(0.16, 0.19, 0.20), 0.12, 0.0, 0.0);
    }
    if p.x < -0.36 {
        // A pale leaf-shaped mark with chevrons along the back.
        let v = p.x + 1.25 + 0.9 * abs(p.z);
        let chevron = smoothstep(0.30, 0.55, abs(fract(4.2 * v) - 0.5) * 2.0);
        let inside = 1.0 - smoothstep(0.20, 0.27, abs(p.z) + 0.12 * (p.x + 0.8));
        let mark = inside * smoothstep(0.1, 0.4, p.y) * (0.35 + 0.65 * chevron);
        return BodyMaterial(mix(BROWN, PALE, mark), vec3f(0.025), 0.55, 2.8, 0.0);
    }
    // A pale stripe along the shield.
    let stripe = (1.0 - smoothstep(0.045, 0.075, abs(p.z))) * step(0.05, p.y) * step(p.x, 0.38);
    return BodyMaterial(mix(BROWN, PALE, 0.85 * stripe), vec3f(0.035), 0.45, 2.4, 0.0);
}

// The animal's surface at the hit point p of body space, seen along `direction` (body space)
// by a pixel that is `width` wide there; `on_limb` if that is on the current part.
fn animal_surface(
    hit: raymarch::Hit,
    p: vec3f,
    direction: vec3f,
    on_limb: bool,
    width: f32,
) -> SurfacePoint {
    // The surface that was hit is within this distance of p: an eye if that is.
    let gap = (1.15 - hit.coverage) * width;
    let is_eye = !on_limb && eyes_distance(p) < gap;
    // The palps are pale all along.
    let along = select(limb::leg_coordinates(p, current_limb.bones).y, 0.0, current_is_palp);
    var material = limb_material(along);
    if !on_limb {
        material = trunk_material(p, is_eye);
    }
    let facing = clamp(dot(hit.normal, -direction), 0.0, 1.0);
    let is_down = hit.coverage > 0.0 && !is_eye;
    let rough = select(0.0, 0.16 * smoothstep(0.0, 0.5, facing), is_down);
    let tilted = normalize(hit.normal + light::bumps(p, 46.0, rough));
    // Eyeshine: retroreflection at normal incidence.
    let eyeshine = select(0.0, pow(facing, 24.0), is_eye);
    return SurfacePoint(
        p + 0.012 * hit.normal,
        hit.normal,
        light::Material(
            animal.body.world_from_body * tilted,
            material.albedo,
            material.f0_color,
            material.roughness,
            material.sheen,
            material.translucency,
        ),
        0.3,
        eyeshine * vec3f(0.10, 0.75, 0.55),
    );
}

// ---- Light ---------------------------------------------------------------------

// Radiance of the night sky in a unit direction, with the moon's halo and without its disc.
fn sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, MOON), 0.0);
    let air = mix(vec3f(0.011, 0.022, 0.048), vec3f(0.085, 0.135, 0.19), exp(-5.0 * up));
    return air + vec3f(0.22, 0.32, 0.44) * (0.75 * pow(toward, 4.0) + 0.9 * pow(toward, 60.0));
}

// Transmittance of three layers of distant tree trunks in a unit direction.
fn between_trees(direction: vec3f) -> f32 {
    let angle = atan2(direction.z, direction.x);
    return between_trunks(0u, angle, direction.y) * between_trunks(1u, angle, direction.y)
        * between_trunks(2u, angle, direction.y);
}

// The same of one layer; `angle` is the direction's azimuth, `rise` its y.
fn between_trunks(layer: u32, angle: f32, rise: f32) -> f32 {
    let count = 46.0 - 10.0 * f32(layer);
    let cell = (angle / path::TAU + 0.5) * count + 0.37 * f32(layer);
    let random = noise::random_of(u32(floor(cell) % count) * 3u + layer);
    let lean = 0.12 * (random.y - 0.5) * rise;
    let across = abs(fract(cell) - (0.3 + 0.4 * random.x) + lean * count / path::TAU);
    let width = (0.05 + 0.11 * random.z) * (1.0 - 0.35 * rise);
    let trunk = (1.0 - smoothstep(width - 0.018, width + 0.018, across)) * step(0.35, random.w);
    return 1.0 - trunk * (0.30 + 0.16 * f32(layer));
}

// Radiance of sky, moon and trees in a unit direction.
fn backdrop(direction: vec3f) -> vec3f {
    let disc = smoothstep(0.99905, 0.99930, dot(direction, MOON));
    let trees = mix(1.0, between_trees(direction), smoothstep(-0.02, 0.05, direction.y));
    return (sky(direction) + vec3f(1.6, 1.7, 1.75) * disc) * trees;
}

// A capsule that contains the trunk.
const TAIL: vec3f = vec3f(-1.12, 0.06, 0.0);
const HEAD: vec3f = vec3f(0.22, 0.0, 0.0);
const TRUNK_RADIUS: f32 = 0.62;

override fn rays::ground_shadow_clearance(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    return terrain::shadow_clearance(p, to_light, angle);
}

override fn rays::trunk_bound(p: vec3f) -> f32 {
    return sdf::capsule(p, TAIL, HEAD, TRUNK_RADIUS);
}

const LIGHT: rays::DiscLight = rays::DiscLight(MOON, MOON_ANGLE, LONGEST_SHADOW);

// Radiance of a surface at p of the world toward the eye, seen along `direction` (world space)
// from `distance`.
fn shade_surface(surface: SurfacePoint, p: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let visibility = rays::visibility_at(
        surface.position, surface.smooth_normal, surface.sky_reach, distance, LIGHT);
    let material = surface.material;
    let above = vec3f(0.075, 0.11, 0.17);
    let irradiance = light::hemisphere(material.normal, above, vec3f(0.014, 0.024, 0.022));
    let fireflies = fireflies_at(p, material, direction);
    let reflected = reflect(direction, material.normal);
    let reflection = sky(reflected) * visibility.ambient_occlusion * smoothstep(-0.2, 0.2, reflected.y);
    let moon = light::DirectionalLight(MOON, MOONLIGHT);
    return light::shade(
        material,
        direction,
        moon,
        visibility.soft_shadow,
        irradiance * visibility.ambient_occlusion + fireflies.irradiance,
        reflection,
    )
        + material.f0_color * (GLOW + vec3f(0.3)) * fireflies.specular
        + surface.eyeshine;
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32, body: walk::Body) -> camera::Camera {
    let w = path::TAU / LOOP_SECONDS * time;
    let path_point = path::point_at(distance_at(time));
    let ground = mix(terrain::height(path_point), body.position.y - CLEARANCE, 0.5);
    let yaw = 0.60 + 0.30 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.14 + 0.04 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.05, 1.4);
    let middle = vec3f(path_point.x, ground + 0.78, path_point.y);
    var eye = camera::orbit(
        middle, yaw, pitch, 5.4 / frame::frame.orbit.z, 0.285 * frame::widened(1.4));
    eye.position.y = max(eye.position.y, terrain::height(eye.position.xz) + 0.35);
    return eye;
}

// `color` seen through fog above the ground, which is bright toward the moon.
fn apply_fog(color: vec3f, origin: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let level = normalize(vec3f(direction.x, max(direction.y, 0.02), direction.z));
    let fog = light::height_fog(origin.y + 0.5, direction.y, distance, 0.19, 0.75);
    return mix(color, sky(level), fog);
}

override fn rays::intersect_ground(origin: vec3f, direction: vec3f, end: f32) -> f32 {
    return terrain::trace(origin, direction, end);
}

#ifdef REFERENCE

override fn rays::limb_count() -> u32 {
    return RIGHT_PALP + 1u;
}

override fn rays::limbs_distance(p: vec3f) -> f32 {
    return min(
        min(
            min(min(limb_distance(p, animal.legs[0]), limb_distance(p, animal.legs[1])),
                min(limb_distance(p, animal.legs[2]), limb_distance(p, animal.legs[3]))),
            min(min(limb_distance(p, animal.legs[4]), limb_distance(p, animal.legs[5])),
                min(limb_distance(p, animal.legs[6]), limb_distance(p, animal.legs[7])))),
        min(limb_distance(p, animal.left_palp), limb_distance(p, animal.right_palp)));
}

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return terrain::BOUND * (p.y - terrain::height_from(p.xz, distance));
}

#endif

fn main_image(frag_coord: vec2f) -> vec4f {
    let eye = unpack_camera();
    animal = unpack_animal();
    rays::body = animal.body;
    place_fireflies(frame::looped(LOOP_SECONDS));
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;
    let ray = rays::ray_to_body(eye.position, direction, 0.0, FAR, pixel, EXTENT);
    let body_hit = rays::intersect(ray);
    let hit = body_hit.hit;

    // The animal's coverage of the pixel first, then the ground in the remainder. Few pixels
    // show both, and only those take two iterations.
    let direction_in_body = direction * animal.body.world_from_body;
    let origin_in_body = walk::to_body(animal.body, eye.position);
    var color = vec3f(0.0);
    var remaining = 1.0;
    var is_moss = hit.coverage <= 0.0;
    for (var layer = 0; layer < 2 && remaining > 0.0; layer++) {
        if is_moss && body_hit.ground >= FAR {
            break;
        }
        let distance = select(hit.distance, body_hit.ground, is_moss);
        let p = eye.position + distance * direction;
        let on_animal = origin_in_body + hit.distance * direction_in_body;
        let width = pixel * hit.distance;
        var surface = animal_surface(hit, on_animal, direction_in_body, body_hit.on_limb, width);
        if is_moss {
            surface = moss_at(p, direction, pixel * distance);
        }
        let coverage = select(hit.coverage, 1.0, is_moss) * remaining;
        let radiance = shade_surface(surface, p, direction, distance);
        color += coverage * apply_fog(radiance, eye.position, direction, distance);
        remaining -= coverage;
        is_moss = true;
    }
    color += remaining * backdrop(direction);
    let end = select(body_hit.ground, hit.distance, hit.coverage > 0.5);
    color += fireflies_along(eye.position, direction, end, pixel);

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.55);
    color *= 1.0 - 0.32 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(shading::tone_map_aces(0.95 * color)) + dither;
}
