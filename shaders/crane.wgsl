// The crane: a tall bird wades past the setting sun, its ankles bent backward.
//
// A walk on two legs with phases of double support. The body sways over the standing foot; the
// head bobs as birds' heads do: it stays in place for most of a step, then moves ahead. A ray
// that meets the water continues along its reflection.
//
// A bird's visible leg begins at the knee, which the plumage hides. The limb's joints are named
// as in `ik::Leg`: `hip` is here the knee, `knee` the ankle (intertarsal joint), `ankle` the
// root of the toes. The femur of `ik` is the drumstick (tibiotarsus), its tibia the
// tarsometatarsus.
//
// Spaces: the world has x ahead, y up, z right and the pond's floor at y = 0; body space has the
// same axes, turned with the body, and its origin in the body's middle. Lengths are in world
// units.

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
#import tarsus::walk
#import tarsus::rays
#import tarsus::water

// The scene repeats after this time (seconds): 20 strides along one period of the path.
const LOOP_SECONDS: f32 = 36.0;

const WALK: gait::Gait = gait::Gait(1.8, 0.64, 1.6, 0.42);
const LENGTHS: ik::LegLengths = ik::LegLengths(0.0, 1.02, 1.14, 0.10);
const CLEARANCE: f32 = 2.05;

// Leg 0 is on the left, 1 on the right.
const LEGS: u32 = 2u;

fn side_of(leg: u32) -> f32 {
    return select(-1.0, 1.0, leg == 1u);
}

fn phase_of(leg: u32) -> f32 {
    return 0.5 * f32(leg);
}

// Neutral position of a foot on the ground (x ahead, y right of the body's middle).
fn neutral_foot_of(leg: u32) -> vec2f {
    return vec2f(0.08, 0.13 * side_of(leg));
}

const NEUTRAL_CENTRE: vec2f = vec2f(0.08, 0.0);

// Position of a leg's `hip` joint in body space.
fn hip_of(leg: u32) -> vec3f {
    return vec3f(-0.02, -0.17, 0.16 * side_of(leg));
}

// The ground of the walk is the pond's level floor.
override fn walk::ground(p: vec2f) -> f32 {
    return 0.0;
}

// Depth of the water.
const LEVEL: f32 = 0.11;
const TO_SUN: vec3f = vec3f(-0.1150, 0.0750, -0.9905);
// Unit vector toward the middle of the bright sky around the sun: the directional light.
const TO_GLOW: vec3f = vec3f(0.7120, 0.2600, -0.6522);
const SUN_ANGLE: f32 = 0.10;
const GLOW: vec3f = vec3f(3.3, 1.65, 0.80);
const FAR: f32 = 400.0;
// Largest distance from a surface to an object that throws a shadow on it.
const LONGEST_SHADOW: f32 = 3.0;

// ---- The animal at one time ----------------------------------------------------

// A solved leg, in body space.
struct Limb {
    bones: ik::Leg,
    // 0: toes spread on the ground, 1: toes hang down.
    hanging: f32,
}

// All parts of the animal that depend on time; all but `body` in body space.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    lower_neck: limb::Curve,
    upper_neck: limb::Curve,
    // The skull's middle.
    head: vec3f,
}

fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), neutral_foot_of(leg), time);
}

// The body, which sways over the standing foot and is highest there.
fn body_over(support: walk::Support, time: f32) -> walk::Body {
    let angle = path::TAU * (time / WALK.period - 0.5 * WALK.duty);
    let bob = 0.026 * cos(2.0 * angle);
    let distance = WALK.stride * time / WALK.period;
    var body = walk::body_over(support, NEUTRAL_CENTRE, distance, CLEARANCE + bob, 0.0);
    body.position -= 0.045 * cos(angle) * body.world_from_body[2];
    return body;
}

// The leg to a foot: xyz = target in world space, w as `hanging`.
fn leg_on(body: walk::Body, leg: u32, foot: vec4f) -> Limb {
    let tarsus = vec3f(0.0, -1.0, 0.0);
    let pole = vec3f(-1.0, 0.0, 0.06 * side_of(leg));
    let foot_in_body = walk::to_body(body, foot.xyz);
    return Limb(
        limb::solve_leg_toward_pole(foot_in_body, hip_of(leg), pole, tarsus, LENGTHS), foot.w);
}

// Offset of the head ahead of its mean position in body space: it stays in place in the world
// for most of a step, then moves ahead. Twice in a cycle.
fn head_lead(time: f32) -> f32 {
    let steps = 2.0 * (time / WALK.period) + 0.15;
    let progress = steps - floor(steps);
    let caught_up = smoothstep(0.60, 1.0, progress);
    return 0.5 * WALK.stride * (caught_up - progress) * 0.42;
}

// What is the same for every pixel: camera, body, targets of the legs, position of the head.
struct FrameData {
    eye: camera::Camera,
    body: walk::Body,
    // xyz = target in world space, w = `hanging`.
    feet: array<vec4f, LEGS>,
    // In body space, the skull's middle.
    head: vec3f,
}

fn frame_data_of(eye: camera::Camera, time: f32) -> FrameData {
    var data: FrameData;
    data.eye = eye;
    var support = walk::no_support();
    for (var leg = 0u; leg < LEGS; leg++) {
        let foot = foot_at(leg, time);
        support = walk::add_foot(support, neutral_foot_of(leg), foot);
        let hanging = smoothstep(0.0, 0.6, foot.position.y / WALK.lift);
        data.feet[leg] = vec4f(foot.position, hanging);
    }
    data.body = body_over(support, time);
    let w = path::TAU / LOOP_SECONDS * time;
    let glance = 0.05 * sin(3.0 * w);
    data.head = vec3f(1.18 + head_lead(time), 1.20 + 0.05 * sin(2.0 * w), glance);
    return data;
}

fn per_frame(index: u32) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    var data = pack_frame_data(frame_data_of(camera_at(time), time));
    return data[index];
}

// `unpack_camera` and `unpack_animal` read these places.
fn pack_frame_data(data: FrameData) -> array<vec4f, 15> {
    let body = data.body;
    let eye = data.eye;
    return array<vec4f, 15>(
        data.feet[0],
        data.feet[1],
        vec4f(body.position, 0.0),
        vec4f(body.world_from_body[0], 0.0),
        vec4f(body.world_from_body[1], 0.0),
        vec4f(data.head, 0.0),
        vec4f(eye.position, eye.focal_length),
        vec4f(eye.world_from_view[0], 0.0),
        vec4f(eye.world_from_view[1], 0.0),
        vec4f(eye.world_from_view[2], 0.0),
        vec4f(), vec4f(), vec4f(), vec4f(), vec4f(),
    );
}

fn unpack_camera() -> camera::Camera {
    let axes = mat3x3f(frame::data(7u).xyz, frame::data(8u).xyz, frame::data(9u).xyz);
    return camera::Camera(frame::data(6u).xyz, axes, frame::data(6u).w);
}

// The animal of this frame, solved from the frame data at every pixel.
fn unpack_animal() -> Animal {
    var animal: Animal;
    let ahead = frame::data(3u).xyz;
    let up = frame::data(4u).xyz;
    animal.body = walk::Body(frame::data(2u).xyz, mat3x3f(ahead, up, cross(ahead, up)));
    animal.legs[0] = leg_on(animal.body, 0u, frame::data(0u));
    animal.legs[1] = leg_on(animal.body, 1u, frame::data(1u));
    animal.head = frame::data(5u).xyz;
    // The neck is an S of two curves with a common tangent.
    let base = vec3f(0.50, 0.10, 0.0);
    let middle = mix(vec3f(0.70, 0.62, 0.0), animal.head, 0.12);
    let nape = animal.head + vec3f(-0.10, 0.0, 0.0);
    let above = middle + vec3f(-0.10, 0.36, 0.0) + 0.12 * (nape - middle);
    let below = middle - 0.9 * (above - middle);
    animal.lower_neck = limb::curve(base, below + vec3f(0.05, 0.0, 0.0), middle);
    animal.upper_neck = limb::curve(middle, above, nape);
    return animal;
}

// ---- Shape ---------------------------------------------------------------------

var<private> animal: Animal;
// The current part (`parts::select_part`).
var<private> current_limb: Limb;

override fn parts::select_part(part: u32) {
    current_limb = animal.legs[0];
    if part == 1u {
        current_limb = animal.legs[1];
    }
}

const RADII: limb::Radii = limb::Radii(0.13, 0.115, 0.034, 0.028, 0.024, 0.10);

// Distance to the bunch of plumes over the tail.
fn bustle_distance(p: vec3f) -> f32 {
    let side = vec3f(p.xy, abs(p.z));
    let lower = sdf::smooth_union(plume_distance(side, 0.0), plume_distance(side, 1.0), 0.03);
    return sdf::smooth_union(
        sdf::smooth_union(lower, plume_distance(side, 2.0), 0.03), plume_distance(side, 3.0), 0.03);
}

// Distance to the n-th plume of a side from the middle outward, from 0 to 3.
fn plume_distance(side: vec3f, n: f32) -> f32 {
    let root = vec3f(-0.42 - 0.03 * n, 0.14 - 0.04 * n, 0.04 + 0.04 * n);
    let bend = vec3f(-0.80 - 0.06 * n, 0.10 - 0.09 * n, 0.03 + 0.055 * n);
    let tip = vec3f(-1.05 + 0.05 * n, -0.26 - 0.10 * n, 0.02 + 0.06 * n);
    return sdf::smooth_union(
        sdf::tapered_capsule(side, root, bend, 0.11, 0.075),
        sdf::tapered_capsule(side, bend, tip, 0.075, 0.008), 0.05);
}

// Distance to the body with its folded wings.
fn breast_distance(p: vec3f) -> f32 {
    let q = p - vec3f(-0.02, 0.02, 0.0);
    let tilted = vec3f(0.966 * q.x + 0.259 * q.y, 0.966 * q.y - 0.259 * q.x, q.z);
    let trunk = sdf::ellipsoid(tilted, vec3f(0.66, 0.31, 0.29));
    let wing = sdf::ellipsoid(
        vec3f(tilted.xy, abs(tilted.z)) - vec3f(-0.12, 0.05, 0.20), vec3f(0.58, 0.22, 0.11));
    return sdf::smooth_union(trunk, wing, 0.05);
}

// Distance to the bill; q in head space: origin in the skull's middle.
fn bill_distance(q: vec3f) -> f32 {
    return sdf::tapered_capsule(
        q, vec3f(0.08, -0.015, 0.0), vec3f(0.50, -0.075, 0.0), 0.040, 0.008);
}

fn head_distance(q: vec3f) -> f32 {
    let skull = sdf::ellipsoid(q, vec3f(0.145, 0.092, 0.082));
    return sdf::smooth_union(skull, bill_distance(q), 0.03);
}

fn neck_distance(p: vec3f) -> f32 {
    let neck = sdf::smooth_union(
        limb::curve_distance(p, animal.lower_neck, 0.150, 0.070, 0.03),
        limb::curve_distance(p, animal.upper_neck, 0.070, 0.056, 0.03),
        0.02,
    );
    return sdf::smooth_union(neck, head_distance(p - animal.head), 0.05);
}

// x = distance to a drumstick, y = fraction along it from the top, 0 to 1.
fn drumstick_distance(p: vec3f, leg: ik::Leg) -> vec2f {
    let h = sdf::along_segment(p, leg.hip, leg.knee);
    let from_axis = distance(p, mix(leg.hip, leg.knee, h));
    return vec2f(from_axis - limb::femur_radius(h, RADII), h);
}

// Distance to the toes: three ahead and one behind.
fn toes_distance(p: vec3f, part: Limb) -> f32 {
    let q = p - part.bones.foot;
    let side = vec3f(q.xy, abs(q.z));
    let down = part.hanging;
    let ahead = mix(vec3f(0.36, 0.0, 0.0), vec3f(-0.05, -0.34, 0.0), down);
    let sideways = mix(vec3f(0.28, 0.0, 0.17), vec3f(-0.03, -0.30, 0.04), down);
    let behind = mix(vec3f(-0.13, 0.0, 0.0), vec3f(-0.05, -0.11, 0.0), down);
    return min(
        sdf::tapered_capsule(q, vec3f(0.0), behind, 0.022, 0.010),
        min(sdf::tapered_capsule(q, vec3f(0.0), ahead, 0.024, 0.010),
            sdf::tapered_capsule(side, vec3f(0.0), sideways, 0.024, 0.010)),
    );
}

// Distance to a leg below the drumstick.
fn leg_distance(p: vec3f, part: Limb) -> f32 {
    let leg = part.bones;
    let joint = sdf::sphere(p - leg.knee, 0.047);
    let tarsometatarsus = sdf::tapered_capsule(p, leg.knee, leg.ankle, RADII.knee, RADII.ankle);
    let toe_root = sdf::tapered_capsule(p, leg.ankle, leg.foot, RADII.ankle, RADII.foot);
    let lower = min(sdf::smooth_union(tarsometatarsus, joint, 0.04), toe_root);
    return min(lower, toes_distance(p, part));
}

// The part that was nearest in the last call of `raymarch::map`.
var<private> nearest_part: u32;
const TRUNK: u32 = 0u;
const NECK: u32 = 1u;
const DRUMSTICK: u32 = 2u;
// Of that call: the fraction along the nearer drumstick from the top, 0 to 1, and how much
// larger the distance to the plumes was than that to the trunk.
var<private> along_drumstick: f32;
var<private> beyond_trunk: f32;

// Distance to trunk, drumsticks, neck and head.
override fn raymarch::map(p: vec3f) -> f32 {
    let bustle = bustle_distance(p);
    let trunk = sdf::smooth_union(breast_distance(p), bustle, 0.06);
    beyond_trunk = bustle - trunk;
    let neck = neck_distance(p);
    let left = drumstick_distance(p, animal.legs[0].bones);
    let right = drumstick_distance(p, animal.legs[1].bones);
    let drumstick = select(right, left, left.x < right.x);
    along_drumstick = drumstick.y;
    nearest_part = select(select(TRUNK, NECK, neck < trunk), DRUMSTICK, drumstick.x < min(trunk, neck));
    return sdf::smooth_union(sdf::smooth_union(trunk, neck, 0.10), drumstick.x, 0.07);
}

override fn parts::map(p: vec3f) -> f32 {
    return leg_distance(p, current_limb);
}

// ---- Bounds for rays -----------------------------------------------------------

// Largest radius of a leg below the drumstick, with the fillets.
const LEG_RADIUS: f32 = 0.06;
// Radius of a sphere that contains the animal, around a point near the body's origin.
const EXTENT: f32 = 2.5;

// A sphere that contains all toes: xyz = centre, w = radius.
fn toes_sphere(part: Limb) -> vec4f {
    let sphere = mix(vec4f(0.115, 0.0, 0.0, 0.28), vec4f(-0.03, -0.12, 0.0, 0.26), part.hanging);
    return sphere + vec4f(part.bones.foot, 0.0);
}

override fn parts::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let leg = current_limb.bones;
    let toes = toes_sphere(current_limb);
    let radius = LEG_RADIUS + margin;
    let lower = bounds::capsule_span(origin, direction, leg.knee, leg.ankle, radius);
    let last = bounds::sphere_span(origin, direction, toes.xyz, toes.w + margin);
    return bounds::hull(lower, last);
}

// A capsule around one section of the trunk.
struct Capsule {
    a: vec3f,
    b: vec3f,
    radius: f32,
    // For a curve, its distance from the line from a to b.
    sagitta: f32,
}

const CAPSULES: u32 = 7u;

// The capsules around breast, bustle, lower and upper neck, head and drumsticks.
fn capsule_of(section: u32) -> Capsule {
    var around = Capsule(vec3f(-0.45, -0.1, 0.0), vec3f(0.42, 0.1, 0.0), 0.40, 0.0);
    if section == 1u {
        around = Capsule(vec3f(-0.55, 0.05, 0.0), vec3f(-0.95, -0.40, 0.0), 0.36, 0.0);
    }
    if section == 2u {
        around = capsule_around(animal.lower_neck, 0.17);
    }
    if section == 3u {
        around = capsule_around(animal.upper_neck, 0.10);
    }
    if section == 4u {
        around = Capsule(animal.head, animal.head + vec3f(0.46, -0.07, 0.0), 0.15, 0.0);
    }
    if section == 5u {
        around = Capsule(animal.legs[0].bones.hip, animal.legs[0].bones.knee, 0.14, 0.0);
    }
    if section == 6u {
        around = Capsule(animal.legs[1].bones.hip, animal.legs[1].bones.knee, 0.14, 0.0);
    }
    return around;
}

fn capsule_around(bow: limb::Curve, radius: f32) -> Capsule {
    return Capsule(bow.a, bow.e, radius, limb::curve_sagitta(bow));
}

override fn rays::candidates(origin: vec3f, direction: vec3f, margin: f32) -> rays::Candidates {
    let all = bounds::sphere_span(origin, direction, vec3f(0.1, -0.4, 0.0), EXTENT + margin);
    if !bounds::is_ahead(all) {
        return rays::Candidates(bounds::EMPTY, 0u);
    }
    // One capsule after the other, for rays that pass near the animal.
    var whole = bounds::EMPTY;
    for (var i = 0u; i < select(0u, CAPSULES, bounds::is_ahead(all)); i++) {
        let around = capsule_of(i);
        let radius = around.radius + margin + around.sagitta;
        whole = bounds::hull(
            whole, bounds::capsule_span(origin, direction, around.a, around.b, radius));
    }
    let legs = leg_bit(0u, origin, direction, animal.legs[0], margin)
        | leg_bit(1u, origin, direction, animal.legs[1], margin);
    return rays::Candidates(bounds::Span(max(whole.t_near, 0.0), whole.t_far), legs);
}

// The leg's bit if a ray can meet it below the drumstick, else 0.
fn leg_bit(leg: u32, origin: vec3f, direction: vec3f, part: Limb, margin: f32) -> u32 {
    let bones = part.bones;
    let toes = toes_sphere(part);
    let touched = bounds::touches_capsule(
            origin, direction, bones.knee, bones.ankle, LEG_RADIUS + margin)
        || bounds::touches_capsule(origin, direction, toes.xyz, toes.xyz, toes.w + margin);
    return select(0u, 1u << leg, touched);
}

// ---- Sky and water ---------------------------------------------------------------

// Azimuth of a direction as a fraction of a turn, -0.5 to 0.5.
fn azimuth(direction: vec3f) -> f32 {
    return atan2(direction.z, direction.x) / path::TAU;
}

// Opacity of thin bars of cloud in a unit direction, 0 to 0.55.
fn clouds(direction: vec3f) -> f32 {
    let up = max(direction.y, 0.0);
    let angle = azimuth(direction);
    let bars = noise::value_noise(vec2f(angle * 32.0, up * 34.0), 31u, 19u).x
        + 0.5 * noise::value_noise(vec2f(angle * 64.0, up * 80.0), 63u, 20u).x;
    let height = smoothstep(0.03, 0.10, up) * (1.0 - smoothstep(0.15, 0.50, up));
    return 0.55 * smoothstep(0.15, 0.95, bars) * height;
}

// Radiance of the dusk sky in a unit direction, without the sun's disc. `cloud` is the opacity
// of the clouds.
fn sky(direction: vec3f, cloud: f32) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, TO_SUN), 0.0);
    let second = toward * toward;
    let sunward = 0.5 + 0.5 * toward;
    let low = mix(vec3f(0.30, 0.20, 0.30), vec3f(1.05, 0.42, 0.16), second * toward);
    let middle = mix(vec3f(0.22, 0.20, 0.36), vec3f(0.72, 0.30, 0.26), sunward * sunward);
    let high = vec3f(0.085, 0.13, 0.30);
    var air = mix(middle, low, exp(-9.0 * up));
    air = mix(high, air, exp(-2.6 * up));
    air = mix(air, mix(vec3f(0.20, 0.13, 0.22), vec3f(1.25, 0.50, 0.24), second), cloud);
    let eighth = second * second * second * second;
    let glow = eighth * eighth * eighth;
    let glare = pow(toward, 160.0);
    return air + vec3f(1.2, 0.55, 0.18) * (0.35 * glow + 0.5 * glare);
}

// Colour of the haze: the sky at the horizon.
fn haze(direction: vec3f) -> vec3f {
    return sky(vec3f(direction.x, 0.0, direction.z), 0.0);
}

// Upper bound of the hills: y of a unit direction.
const HIGHEST_HILL: f32 = 0.085;

// Radiance of sky, sun and two ranges of hills in a unit direction. The hills are height
// functions of the azimuth.
fn backdrop(direction: vec3f) -> vec3f {
    let angle = azimuth(direction);
    let soft = 0.0015;
    let disc = smoothstep(0.99500, 0.99530, dot(direction, TO_SUN));
    let air = haze(direction);
    var color = sky(direction, clouds(direction)) + vec3f(2.6, 1.15, 0.35) * disc;
    for (var range = 0u; range < select(0u, 2u, direction.y < HIGHEST_HILL); range++) {
        let n = f32(range);
        let wide = vec2f(angle * 16.0 * (1.0 + n), n);
        let ridge = 0.052 - 0.024 * n
            + 0.020 * noise::value_noise(wide, 15u + 16u * range, 31u).x
            + 0.006 * noise::value_noise(vec2f(angle * 128.0, n), 127u, 32u).x;
        let hill = mix(vec3f(0.30, 0.16, 0.20), vec3f(0.12, 0.075, 0.13), n);
        let shade_surface = mix(hill, air, 0.34 - 0.16 * n);
        color = mix(color, shade_surface, 1.0 - smoothstep(ridge - soft, ridge + soft, direction.y));
    }
    return color;
}

const RINGS: water::Rings = water::Rings(0.85, 19.0, 1.1);

// Unit normal of the water at p, xz of the world. Waves finer than `footprint`, the length of
// water under a pixel, fade out.
fn water_normal(p: vec2f, footprint: f32, time: f32) -> vec3f {
    let calm = 0.0011 + 0.0016 * smoothstep(-0.2, 0.8, noise::value_noise(p * 0.25, 7u, 9u).x);
    var slope = calm * water::wind(p, time / LOOP_SECONDS, footprint).yz;
    let fine = RINGS.frequency * footprint;
    let left = water::rings_of_leg(p, WALK, phase_of(0u), neutral_foot_of(0u), time, RINGS);
    let right = water::rings_of_leg(p, WALK, phase_of(1u), neutral_foot_of(1u), time, RINGS);
    slope += 0.30 * exp(-0.3 * fine * fine) * left.yz;
    slope += 0.30 * exp(-0.3 * fine * fine) * right.yz;
    return normalize(vec3f(-slope.x, 1.0, -slope.y));
}

// ---- Light ---------------------------------------------------------------------

const WHITE: vec3f = vec3f(0.74, 0.72, 0.72);
const BLACK: vec3f = vec3f(0.022, 0.022, 0.027);

// Material of a leg: down feathers (`down` = 1) or horn (0).
fn leg_material(normal: vec3f, down: f32) -> light::Material {
    let albedo = mix(vec3f(0.045, 0.040, 0.042), WHITE, down);
    return light::Material(normal, albedo, vec3f(0.04), 0.4, 1.2 * down, 0.0);
}

// Material of head and neck at q of body space.
fn neck_material(q: vec3f, normal: vec3f) -> light::Material {
    let in_head = q - animal.head;
    if bill_distance(in_head) < 0.006 && in_head.x > 0.11 {
        return light::Material(normal, vec3f(0.30, 0.25, 0.15), vec3f(0.05), 0.3, 0.0, 0.2);
    }
    let from_eye = length(vec3f(in_head.xy, abs(in_head.z)) - vec3f(0.065, 0.020, 0.072));
    if from_eye < 0.020 {
        return light::Material(normal, vec3f(0.01), vec3f(0.10), 0.10, 0.0, 0.0);
    }
    // Black up the throat, white behind the eye, red on the crown.
    let crown = smoothstep(0.035, 0.060, in_head.y) * smoothstep(-0.09, -0.02, in_head.x);
    let throat = smoothstep(0.40, 0.50, q.y - 0.25 * (q.x - 0.6));
    let nape = smoothstep(-0.045, -0.02, in_head.y + 0.25 * in_head.x + 0.04)
        * smoothstep(-0.40, -0.10, in_head.x);
    var color = mix(mix(WHITE, BLACK, throat), WHITE, nape * step(-0.5, in_head.x));
    color = mix(color, vec3f(0.55, 0.02, 0.015), crown);
    return light::Material(normal, color, vec3f(0.02), 0.5, 1.3, 0.0);
}

// Material of the part that was nearest, at q of body space, with the unit normal in world
// space: white plumage, black neck and plumes, red crown.
fn animal_material(q: vec3f, normal: vec3f, on_leg: bool) -> light::Material {
    if on_leg || nearest_part == DRUMSTICK {
        return leg_material(normal, select(1.0 - smoothstep(0.50, 0.62, along_drumstick), 0.0, on_leg));
    }
    if nearest_part == NECK {
        return neck_material(q, normal);
    }
    let plumes = 1.0 - smoothstep(0.0, 0.035, beyond_trunk);
    let bustle = plumes * (1.0 - smoothstep(-0.60, -0.48, q.x));
    let feather = 0.5 + 0.5 * sin(30.0 * q.x - 22.0 * q.y + 6.0 * sin(9.0 * q.y));
    let color = mix(WHITE * (0.92 + 0.08 * feather), BLACK, bustle);
    return light::Material(normal, color, vec3f(0.02), 0.55, 1.5, 0.25 * (1.0 - bustle));
}

const LIGHT: rays::DiscLight = rays::DiscLight(TO_GLOW, SUN_ANGLE, LONGEST_SHADOW);

// Radiance of the animal at the hit point q of body space, seen along `direction` (world
// space).
fn shade_animal(hit: raymarch::Hit, q: vec3f, direction: vec3f, on_leg: bool) -> vec3f {
    let is_visible = hit.coverage > 0.0;
    let grain = vec3f(1.0, 2.2, 2.2);
    let tilted = normalize(hit.normal + light::bumps(q * grain, 20.0, select(0.0, 0.07, is_visible)));
    let material = animal_material(q, animal.body.world_from_body * tilted, on_leg);
    let visibility = rays::visibility_at(
        q + 0.012 * hit.normal, hit.normal, select(0.0, 0.4, is_visible), hit.distance, LIGHT);
    let sunward = 0.5 + 0.5 * dot(material.normal, TO_SUN);
    let irradiance = light::hemisphere(material.normal, vec3f(0.23, 0.26, 0.46), vec3f(0.32, 0.20, 0.20))
        + vec3f(0.62, 0.27, 0.13) * sunward * sunward;
    let reflection = sky(reflect(direction, material.normal), 0.0);
    return light::shade(
        material,
        direction,
        light::DirectionalLight(TO_GLOW, GLOW),
        visibility.soft_shadow,
        irradiance * visibility.ambient_occlusion,
        reflection * visibility.ambient_occlusion,
    );
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32) -> camera::Camera {
    let w = path::TAU / LOOP_SECONDS * time;
    let path_point = path::point_at(WALK.stride * time / WALK.period);
    let yaw = 1.40 + 0.24 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.045 + 0.02 * sin(2.0 * w) + frame::frame.orbit.y, 0.015, 1.4);
    let middle = vec3f(path_point.x + 0.15, 1.52, path_point.y);
    return camera::orbit(
        middle, yaw, pitch, 9.0 / frame::frame.orbit.z, 0.262 * frame::widened(0.95));
}

#ifdef REFERENCE

override fn rays::limb_count() -> u32 {
    return LEGS;
}

override fn rays::limbs_distance(p: vec3f) -> f32 {
    return min(leg_distance(p, animal.legs[0]), leg_distance(p, animal.legs[1]));
}

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return p.y - LEVEL;
}

#endif

// Layers of a pixel from front to back, one bit each.
const ANIMAL: u32 = 1u;
const MIRROR: u32 = 2u;

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let eye = unpack_camera();
    animal = unpack_animal();
    rays::body = animal.body;
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    // Hit point on the water, and the reflected direction.
    let to_water = water::trace(eye.position, direction, LEVEL, FAR);
    let is_water = to_water < FAR;
    let p = eye.position + to_water * direction;
    let footprint = pixel * to_water / max(-direction.y, 0.01);
    let normal = water_normal(p.xz, footprint, time);
    var reflected = reflect(direction, normal);
    reflected.y = max(reflected.y, 0.003);
    reflected = normalize(reflected);

    // Colour of the water without reflection: light from its depth, fading into the haze.
    let reflectance = 0.25 + 0.75 * shading::fresnel(dot(normal, -direction), 0.02);
    let depth_color = (1.0 - reflectance) * vec3f(0.030, 0.035, 0.055);
    let water_color = shading::fog(depth_color, haze(direction) * 0.75, to_water, 0.0075);
    let transmittance = shading::fog(vec3f(1.0), vec3f(0.0), to_water, 0.0075);
    let reflection_weight = select(
        vec3f(1.0), transmittance * reflectance * vec3f(0.90, 0.92, 0.97), is_water);

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
            EXTENT,
        );
    }

    // One loop for both layers; most pixels have none.
    var layers = select(ANIMAL, 0u, rays::is_miss(direct_ray));
    layers |= select(0u, MIRROR, is_water && !rays::is_miss(mirrored_ray));
    var color = vec3f(0.0);
    var remaining = 1.0;
    var reflection_remaining = 1.0;
    for (; layers != 0u && remaining > 0.0; layers &= layers - 1u) {
        let is_mirror = (layers & ANIMAL) == 0u;
        var ray = direct_ray;
        if is_mirror {
            ray = mirrored_ray;
        }
        let body_hit = rays::intersect(ray);
        let hit = body_hit.hit;
        let q = walk::to_body(animal.body, ray.origin + hit.distance * ray.direction);
        var radiance = vec3f(0.0);
        if hit.coverage > 0.0 {
            radiance = hit.coverage * shade_animal(hit, q, ray.direction, body_hit.on_limb);
        }
        if is_mirror {
            color += remaining * reflection_weight * radiance;
            reflection_remaining *= 1.0 - hit.coverage;
        } else {
            color += remaining * radiance;
            remaining *= 1.0 - hit.coverage;
        }
    }
    let background = backdrop(select(direction, reflected, is_water));
    color += remaining * (reflection_remaining * reflection_weight * background
        + select(vec3f(0.0), water_color, is_water));

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.50);
    color *= 1.0 - 0.28 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(shading::tone_map_aces(0.85 * color)) + dither;
}
