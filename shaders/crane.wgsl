// The crane: a tall bird wades past the setting sun, knees bent backward.
//
// Two legs take turns with a moment on both; the body sways over the foot that
// stands and the head, as birds' heads do, waits in its place and then follows.
// The water is a mirror: a ray that meets it goes on along the mirrored ray.

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
#import tarsus::path
#import tarsus::palette
#import tarsus::raymarch
#import tarsus::sdf
#import tarsus::shading
#import tarsus::walk
#import tarsus::water

// Everything repeats after this time: 20 strides along one period of the path.
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

// Where a foot rests on the ground (x ahead, y right of the body's middle).
fn rest_of(leg: u32) -> vec2f {
    return vec2f(0.08, 0.13 * side_of(leg));
}

const REST_CENTRE: vec2f = vec2f(0.08, 0.0);

// Where a leg meets the body (x ahead, y up, z right).
fn hip_of(leg: u32) -> vec3f {
    return vec3f(-0.02, -0.17, 0.16 * side_of(leg));
}

// It walks on the level floor of the water.
override fn walk::ground(p: vec2f) -> f32 {
    return 0.0;
}

// How deep the water is.
const LEVEL: f32 = 0.11;
const TO_SUN: vec3f = vec3f(-0.1150, 0.0750, -0.9905);
// Light comes from all of the glowing sky around the sun, most from ahead.
const TO_GLOW: vec3f = vec3f(0.7120, 0.2600, -0.6522);
const SUN_ANGLE: f32 = 0.10;
const GLOW: vec3f = vec3f(3.3, 1.65, 0.80);
const FAR: f32 = 400.0;
// How far from a surface something can throw a shadow on it.
const LONGEST_SHADOW: f32 = 3.0;

// ---- The animal at this instant -------------------------------------------

struct Limb {
    bones: ik::Leg,
    // How far the toes hang down, 0 to 1.
    hanging: f32,
}

// In body space.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    lower_neck: limb::Curve,
    upper_neck: limb::Curve,
    // Where the skull's middle is.
    head: vec3f,
}

fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), rest_of(leg), time);
}

// The body sways over the foot that stands, and rises over it.
fn body_over(support: walk::Support, time: f32) -> walk::Body {
    let turn = path::TURN * (time / WALK.period - 0.5 * WALK.duty);
    let bob = 0.026 * cos(2.0 * turn);
    let distance = WALK.stride * time / WALK.period;
    var body = walk::body_over(support, REST_CENTRE, distance, CLEARANCE + bob, 0.0);
    body.position -= 0.045 * cos(turn) * body.world_from_body[2];
    return body;
}

// The leg to a foot of the world; xyz its place, w how far its toes hang down.
fn leg_on(body: walk::Body, leg: u32, foot: vec4f) -> Limb {
    let tarsus = vec3f(0.0, -1.0, 0.0);
    let knee = vec3f(-1.0, 0.0, 0.06 * side_of(leg));
    let foot_in_body = walk::to_body(body, foot.xyz);
    return Limb(limb::bent_leg(foot_in_body, hip_of(leg), knee, tarsus, LENGTHS), foot.w);
}

// How far the head is ahead of its mean place: it stands still in the world for
// most of a step, then catches up. Twice in a cycle.
fn head_lead(time: f32) -> f32 {
    let steps = 2.0 * (time / WALK.period) + 0.15;
    let part = steps - floor(steps);
    let caught_up = smoothstep(0.60, 1.0, part);
    return 0.5 * WALK.stride * (caught_up - part) * 0.42;
}

// What is the same for every pixel: the camera, the body, and where feet and head are.
struct Moment {
    eye: camera::Camera,
    body: walk::Body,
    // In the world: xyz the place, w how far the toes hang down.
    feet: array<vec4f, LEGS>,
    // In body space.
    head: vec3f,
}

fn moment_of(eye: camera::Camera, time: f32) -> Moment {
    var moment: Moment;
    moment.eye = eye;
    var support = walk::no_support();
    for (var leg = 0u; leg < LEGS; leg++) {
        let foot = foot_at(leg, time);
        support = walk::supported(support, rest_of(leg), foot);
        let hanging = smoothstep(0.0, 0.6, foot.position.y / WALK.lift);
        moment.feet[leg] = vec4f(foot.position, hanging);
    }
    moment.body = body_over(support, time);
    let w = path::TURN / LOOP_SECONDS * time;
    let glance = 0.05 * sin(3.0 * w);
    moment.head = vec3f(1.18 + head_lead(time), 1.20 + 0.05 * sin(2.0 * w), glance);
    return moment;
}

fn per_frame() -> array<vec4f, 15> {
    let time = frame::looped(LOOP_SECONDS);
    return packed(moment_of(camera_at(time), time));
}

fn packed(moment: Moment) -> array<vec4f, 15> {
    let body = moment.body;
    let eye = moment.eye;
    return array<vec4f, 15>(
        moment.feet[0],
        moment.feet[1],
        vec4f(body.position, 0.0),
        vec4f(body.world_from_body[0], 0.0),
        vec4f(body.world_from_body[1], 0.0),
        vec4f(moment.head, 0.0),
        vec4f(eye.position, eye.focal_length),
        vec4f(eye.world_from_view[0], 0.0),
        vec4f(eye.world_from_view[1], 0.0),
        vec4f(eye.world_from_view[2], 0.0),
        vec4f(), vec4f(), vec4f(), vec4f(), vec4f(),
    );
}

fn kept_eye() -> camera::Camera {
    let axes = mat3x3f(frame::kept[7].xyz, frame::kept[8].xyz, frame::kept[9].xyz);
    return camera::Camera(frame::kept[6].xyz, axes, frame::kept[6].w);
}

// The animal of this frame, its legs solved and its neck bent anew at every pixel.
fn kept_animal() -> Animal {
    var animal: Animal;
    let ahead = frame::kept[3].xyz;
    let up = frame::kept[4].xyz;
    animal.body = walk::Body(frame::kept[2].xyz, mat3x3f(ahead, up, cross(ahead, up)));
    animal.legs[0] = leg_on(animal.body, 0u, frame::kept[0]);
    animal.legs[1] = leg_on(animal.body, 1u, frame::kept[1]);
    animal.head = frame::kept[5].xyz;
    // The neck is an S of two curves that meet level in direction.
    let base = vec3f(0.50, 0.10, 0.0);
    let middle = mix(vec3f(0.70, 0.62, 0.0), animal.head, 0.12);
    let nape = animal.head + vec3f(-0.10, 0.0, 0.0);
    let above = middle + vec3f(-0.10, 0.36, 0.0) + 0.12 * (nape - middle);
    let below = middle - 0.9 * (above - middle);
    animal.lower_neck = limb::curve(base, below + vec3f(0.05, 0.0, 0.0), middle);
    animal.upper_neck = limb::curve(middle, above, nape);
    return animal;
}

// ---- Its shape ---------------------------------------------------------------

var<private> animal: Animal;
// The leg that distances are measured to.
var<private> limb_at_hand: Limb;

override fn members::pick(member: u32) {
    limb_at_hand = animal.legs[0];
    if member == 1u {
        limb_at_hand = animal.legs[1];
    }
}

const GIRTH: limb::Girth = limb::Girth(0.13, 0.115, 0.034, 0.028, 0.024, 0.10);

// The plumes over the tail hang in a bunch.
fn bustle_distance(p: vec3f) -> f32 {
    let side = vec3f(p.xy, abs(p.z));
    var d = 1e3;
    for (var i = 0; i < 4; i++) {
        let n = f32(i);
        let root = vec3f(-0.42 - 0.03 * n, 0.14 - 0.04 * n, 0.04 + 0.04 * n);
        let bend = vec3f(-0.80 - 0.06 * n, 0.10 - 0.09 * n, 0.03 + 0.055 * n);
        let tip = vec3f(-1.05 + 0.05 * n, -0.26 - 0.10 * n, 0.02 + 0.06 * n);
        let plume = sdf::smooth_union(
            sdf::tapered_capsule(side, root, bend, 0.11, 0.075),
            sdf::tapered_capsule(side, bend, tip, 0.075, 0.008), 0.05);
        d = sdf::smooth_union(d, plume, 0.03);
    }
    return d;
}

fn breast_distance(p: vec3f) -> f32 {
    let q = p - vec3f(-0.02, 0.02, 0.0);
    let tilted = vec3f(0.966 * q.x + 0.259 * q.y, 0.966 * q.y - 0.259 * q.x, q.z);
    let trunk = sdf::ellipsoid(tilted, vec3f(0.66, 0.31, 0.29));
    let wing = sdf::ellipsoid(
        vec3f(tilted.xy, abs(tilted.z)) - vec3f(-0.12, 0.05, 0.20), vec3f(0.58, 0.22, 0.11));
    return sdf::smooth_union(trunk, wing, 0.05);
}

// Head space: origin in the skull's middle.
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

// x = distance to a thigh, y = how far down the thigh p is, 0 to 1.
fn thigh_distance(p: vec3f, leg: ik::Leg) -> vec2f {
    let h = sdf::along_segment(p, leg.hip, leg.knee);
    let from_axis = distance(p, mix(leg.hip, leg.knee, h));
    return vec2f(from_axis - limb::femur_radius(h, GIRTH), h);
}

// Three toes ahead and one behind, from the foot.
fn toes_distance(p: vec3f, member: Limb) -> f32 {
    let q = p - member.bones.foot;
    let side = vec3f(q.xy, abs(q.z));
    let down = member.hanging;
    let ahead = mix(vec3f(0.36, 0.0, 0.0), vec3f(-0.05, -0.34, 0.0), down);
    let aside = mix(vec3f(0.28, 0.0, 0.17), vec3f(-0.03, -0.30, 0.04), down);
    let behind = mix(vec3f(-0.13, 0.0, 0.0), vec3f(-0.05, -0.11, 0.0), down);
    return min(
        sdf::tapered_capsule(q, vec3f(0.0), behind, 0.022, 0.010),
        min(sdf::tapered_capsule(q, vec3f(0.0), ahead, 0.024, 0.010),
            sdf::tapered_capsule(side, vec3f(0.0), aside, 0.024, 0.010)),
    );
}

// From the knee down.
fn leg_distance(p: vec3f, member: Limb) -> f32 {
    let leg = member.bones;
    let knob = sdf::sphere(p - leg.knee, 0.047);
    let tibia = sdf::tapered_capsule(p, leg.knee, leg.ankle, GIRTH.knee, GIRTH.ankle);
    let tarsus = sdf::tapered_capsule(p, leg.ankle, leg.foot, GIRTH.ankle, GIRTH.foot);
    let lower = min(sdf::smooth_union(tibia, knob, 0.04), tarsus);
    return min(lower, toes_distance(p, member));
}

// What was nearest where `raymarch::map` was asked last.
var<private> nearest_part: u32;
const TRUNK: u32 = 0u;
const NECK: u32 = 1u;
const THIGH: u32 = 2u;
// How far down the nearer thigh that was, 0 to 1, and how much farther than the trunk
// the plumes were.
var<private> along_thigh: f32;
var<private> beyond_trunk: f32;

// Trunk, thighs, neck and head.
override fn raymarch::map(p: vec3f) -> f32 {
    let bustle = bustle_distance(p);
    let trunk = sdf::smooth_union(breast_distance(p), bustle, 0.06);
    beyond_trunk = bustle - trunk;
    let neck = neck_distance(p);
    let left = thigh_distance(p, animal.legs[0].bones);
    let right = thigh_distance(p, animal.legs[1].bones);
    let thigh = select(right, left, left.x < right.x);
    along_thigh = thigh.y;
    nearest_part = select(select(TRUNK, NECK, neck < trunk), THIGH, thigh.x < min(trunk, neck));
    return sdf::smooth_union(sdf::smooth_union(trunk, neck, 0.10), thigh.x, 0.07);
}

override fn members::map(p: vec3f) -> f32 {
    return leg_distance(p, limb_at_hand);
}

// ---- What a ray can touch ----------------------------------------------------

// Thickest radius of a leg below the thigh, with the fillets.
const LEG_GIRTH: f32 = 0.06;
const REACH_OF_ALL: f32 = 2.5;

// A ball that holds all toes: xyz its middle, w its radius.
fn toes_ball(member: Limb) -> vec4f {
    let ball = mix(vec4f(0.115, 0.0, 0.0, 0.28), vec4f(-0.03, -0.12, 0.0, 0.26), member.hanging);
    return ball + vec4f(member.bones.foot, 0.0);
}

override fn members::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let leg = limb_at_hand.bones;
    let toes = toes_ball(limb_at_hand);
    let girth = LEG_GIRTH + margin;
    let lower = bounds::through_capsule(origin, direction, leg.knee, leg.ankle, girth);
    let last = bounds::through_ball(origin, direction, toes.xyz, toes.w + margin);
    return bounds::joined(lower, last);
}

override fn figure::aim(origin: vec3f, direction: vec3f, margin: f32) -> figure::Aim {
    let all = bounds::through_ball(origin, direction, vec3f(0.1, -0.4, 0.0), REACH_OF_ALL + margin);
    if !bounds::ahead(all) {
        return figure::Aim(bounds::NOTHING, 0u);
    }
    let breast = bounds::through_capsule(
        origin, direction, vec3f(-0.45, -0.1, 0.0), vec3f(0.42, 0.1, 0.0), 0.40 + margin);
    let bustle = bounds::through_capsule(
        origin, direction, vec3f(-0.55, 0.05, 0.0), vec3f(-0.95, -0.40, 0.0), 0.36 + margin);
    let lower = limb::curve_span(origin, direction, animal.lower_neck, 0.17 + margin);
    let upper = limb::curve_span(origin, direction, animal.upper_neck, 0.10 + margin);
    let beak = animal.head + vec3f(0.46, -0.07, 0.0);
    let head = bounds::through_capsule(origin, direction, animal.head, beak, 0.15 + margin);
    let left = thigh_span(origin, direction, animal.legs[0].bones, margin);
    let right = thigh_span(origin, direction, animal.legs[1].bones, margin);
    let trunk = bounds::joined(bounds::joined(breast, bustle), bounds::joined(left, right));
    let neck = bounds::joined(bounds::joined(lower, upper), head);
    let whole = bounds::joined(trunk, neck);
    let legs = leg_bit(0u, origin, direction, animal.legs[0], margin)
        | leg_bit(1u, origin, direction, animal.legs[1], margin);
    return figure::Aim(bounds::Span(max(whole.near, 0.0), whole.far), legs);
}

fn thigh_span(origin: vec3f, direction: vec3f, leg: ik::Leg, margin: f32) -> bounds::Span {
    return bounds::through_capsule(origin, direction, leg.hip, leg.knee, 0.14 + margin);
}

fn leg_bit(leg: u32, origin: vec3f, direction: vec3f, member: Limb, margin: f32) -> u32 {
    let bones = member.bones;
    let toes = toes_ball(member);
    let touched = bounds::touches_capsule(
            origin, direction, bones.knee, bones.ankle, LEG_GIRTH + margin)
        || bounds::touches_capsule(origin, direction, toes.xyz, toes.xyz, toes.w + margin);
    return select(0u, 1u << leg, touched);
}

// ---- Sky and water ---------------------------------------------------------------

// How far round the horizon a direction points, 0 to 1.
fn azimuth(direction: vec3f) -> f32 {
    return atan2(direction.z, direction.x) / path::TURN;
}

// Bars of cloud, thin and lit from below: how much of them hides the sky.
fn clouds(direction: vec3f) -> f32 {
    let up = max(direction.y, 0.0);
    let angle = azimuth(direction);
    let bars = noise::value_noise(vec2f(angle * 32.0, up * 34.0), 31u, 19u).x
        + 0.5 * noise::value_noise(vec2f(angle * 64.0, up * 80.0), 63u, 20u).x;
    let height = smoothstep(0.03, 0.10, up) * (1.0 - smoothstep(0.15, 0.50, up));
    return 0.55 * smoothstep(0.15, 0.95, bars) * height;
}

// Dusk: a great low sun in haze, rose above it, blue overhead. `cloud` is the share
// of it that clouds hide.
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

// The haze at the foot of the sky.
fn haze(direction: vec3f) -> vec3f {
    return sky(vec3f(direction.x, 0.0, direction.z), 0.0);
}

// No hill rises higher than this into a unit direction.
const HIGHEST_HILL: f32 = 0.085;

// Sky and sun, and two ranges of hills along the edge of the flat, as their heights
// by direction.
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
        let lit = mix(hill, air, 0.34 - 0.16 * n);
        color = mix(color, lit, 1.0 - smoothstep(ridge - soft, ridge + soft, direction.y));
    }
    return color;
}

const RINGS: water::Rings = water::Rings(0.85, 19.0, 1.1);

// The normal of the water where a pixel covers `footprint` of it.
fn water_normal(p: vec2f, footprint: f32, time: f32) -> vec3f {
    let calm = 0.0011 + 0.0016 * smoothstep(-0.2, 0.8, noise::value_noise(p * 0.25, 7u, 9u).x);
    var slope = calm * water::wind(p, time / LOOP_SECONDS, footprint).yz;
    let fine = RINGS.frequency * footprint;
    for (var leg = 0u; leg < LEGS; leg++) {
        let rings = water::rings_of_leg(p, WALK, phase_of(leg), rest_of(leg), time, RINGS);
        slope += 0.30 * exp(-0.3 * fine * fine) * rings.yz;
    }
    return normalize(vec3f(-slope.x, 1.0, -slope.y));
}

// ---- Light ---------------------------------------------------------------------

const WHITE: vec3f = vec3f(0.74, 0.72, 0.72);
const BLACK: vec3f = vec3f(0.022, 0.022, 0.027);

// Down on the thigh, horn below.
fn leg_coat(normal: vec3f, down: f32) -> light::Surface {
    let albedo = mix(vec3f(0.045, 0.040, 0.042), WHITE, down);
    return light::Surface(normal, albedo, vec3f(0.04), 0.4, 1.2 * down, 0.0);
}

// Of head and neck; q in body space.
fn neck_coat(q: vec3f, normal: vec3f) -> light::Surface {
    let in_head = q - animal.head;
    if bill_distance(in_head) < 0.006 && in_head.x > 0.11 {
        return light::Surface(normal, vec3f(0.30, 0.25, 0.15), vec3f(0.05), 0.3, 0.0, 0.2);
    }
    let from_eye = length(vec3f(in_head.xy, abs(in_head.z)) - vec3f(0.065, 0.020, 0.072));
    if from_eye < 0.020 {
        return light::Surface(normal, vec3f(0.01), vec3f(0.10), 0.10, 0.0, 0.0);
    }
    // Black up the throat, white behind the eye, red on the crown.
    let crown = smoothstep(0.035, 0.060, in_head.y) * smoothstep(-0.09, -0.02, in_head.x);
    let throat = smoothstep(0.40, 0.50, q.y - 0.25 * (q.x - 0.6));
    let nape = smoothstep(-0.045, -0.02, in_head.y + 0.25 * in_head.x + 0.04)
        * smoothstep(-0.40, -0.10, in_head.x);
    var color = mix(mix(WHITE, BLACK, throat), WHITE, nape * step(-0.5, in_head.x));
    color = mix(color, vec3f(0.55, 0.02, 0.015), crown);
    return light::Surface(normal, color, vec3f(0.02), 0.5, 1.3, 0.0);
}

// White plumage, black neck and bustle, red crown, on the part that was nearest; q in
// body space, the normal in the world.
fn plumage_at(q: vec3f, normal: vec3f, on_leg: bool) -> light::Surface {
    if on_leg || nearest_part == THIGH {
        return leg_coat(normal, select(1.0 - smoothstep(0.50, 0.62, along_thigh), 0.0, on_leg));
    }
    if nearest_part == NECK {
        return neck_coat(q, normal);
    }
    let plumes = 1.0 - smoothstep(0.0, 0.035, beyond_trunk);
    let bustle = plumes * (1.0 - smoothstep(-0.60, -0.48, q.x));
    let feather = 0.5 + 0.5 * sin(30.0 * q.x - 22.0 * q.y + 6.0 * sin(9.0 * q.y));
    let color = mix(WHITE * (0.92 + 0.08 * feather), BLACK, bustle);
    return light::Surface(normal, color, vec3f(0.02), 0.55, 1.5, 0.25 * (1.0 - bustle));
}

const LAMP: figure::Lamp = figure::Lamp(TO_GLOW, SUN_ANGLE, LONGEST_SHADOW);

// The animal, which `direction` meets at q of body space.
fn lit_animal(met: raymarch::March, q: vec3f, direction: vec3f, on_leg: bool) -> vec3f {
    let seen = met.coverage > 0.0;
    let grain = vec3f(1.0, 2.2, 2.2);
    let tilted = normalize(met.normal + light::bumps(q * grain, 20.0, select(0.0, 0.07, seen)));
    let surface = plumage_at(q, animal.body.world_from_body * tilted, on_leg);
    let open = figure::light_at(
        q + 0.012 * met.normal, met.normal, select(0.0, 0.4, seen), met.distance, LAMP);
    let sunward = 0.5 + 0.5 * dot(surface.normal, TO_SUN);
    let around = light::from_sky(surface.normal, vec3f(0.23, 0.26, 0.46), vec3f(0.32, 0.20, 0.20))
        + vec3f(0.62, 0.27, 0.13) * sunward * sunward;
    let mirrored = sky(reflect(direction, surface.normal), 0.0);
    return light::leaving(
        surface,
        direction,
        light::Lamp(TO_GLOW, GLOW),
        open.lamp,
        around * open.sky,
        mirrored * open.sky,
    );
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32) -> camera::Camera {
    let w = path::TURN / LOOP_SECONDS * time;
    let way = path::point_at(WALK.stride * time / WALK.period);
    let yaw = 1.40 + 0.24 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.045 + 0.02 * sin(2.0 * w) + frame::frame.orbit.y, 0.015, 1.4);
    let middle = vec3f(way.x + 0.15, 1.52, way.y);
    return camera::around(
        middle, yaw, pitch, 9.0 / frame::frame.orbit.z, 0.262 * frame::widened(0.95));
}

#ifdef REFERENCE

override fn figure::limb_count() -> u32 {
    return LEGS;
}

override fn figure::limbs_distance(p: vec3f) -> f32 {
    return min(leg_distance(p, animal.legs[0]), leg_distance(p, animal.legs[1]));
}

override fn brute_force::ground(p: vec3f, distance: f32) -> f32 {
    return p.y - LEVEL;
}

#endif

// Layers of a pixel from front to back, by their bits.
const ANIMAL: u32 = 1u;
const MIRROR: u32 = 2u;

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let eye = kept_eye();
    animal = kept_animal();
    figure::body = animal.body;
    let first = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    // Where the ray meets the water, and how it goes on.
    let to_water = water::trace(eye.position, first, LEVEL, FAR);
    let is_water = to_water < FAR;
    let p = eye.position + to_water * first;
    let footprint = pixel * to_water / max(-first.y, 0.01);
    let normal = water_normal(p.xz, footprint, time);
    var mirrored = reflect(first, normal);
    mirrored.y = max(mirrored.y, 0.003);
    mirrored = normalize(mirrored);

    // What the water shows without its mirror: its depth, and at the far edge, where
    // it melts into the haze under the hills, that.
    let shine = 0.25 + 0.75 * shading::fresnel(dot(normal, -first), 0.02);
    let deep = (1.0 - shine) * vec3f(0.030, 0.035, 0.055);
    let under = shading::through_air(deep, haze(first) * 0.75, to_water, 0.0075);
    let clear = shading::through_air(vec3f(1.0), vec3f(0.0), to_water, 0.0075);
    let mirror = select(vec3f(1.0), clear * shine * vec3f(0.90, 0.92, 0.97), is_water);

    // A mirrored ray goes on with the width that it had at the water.
    let direct_look = figure::look_along(
        eye.position, first, 0.0, to_water + 0.02, pixel, REACH_OF_ALL);
    let mirrored_look = figure::look_along(
        p - to_water * mirrored, mirrored, to_water, 2.0 * FAR, pixel, REACH_OF_ALL);

    // Both layers go through the same round, and most pixels have none of them.
    var layers = select(ANIMAL, 0u, figure::is_blind(direct_look));
    layers |= select(0u, MIRROR, is_water && !figure::is_blind(mirrored_look));
    var color = vec3f(0.0);
    var left = 1.0;
    var mirror_left = 1.0;
    for (; layers != 0u && left > 0.0; layers &= layers - 1u) {
        let is_mirror = (layers & ANIMAL) == 0u;
        var look = direct_look;
        if is_mirror {
            look = mirrored_look;
        }
        let sight = figure::seen_along(look);
        let met = sight.met;
        let q = walk::to_body(animal.body, look.origin + met.distance * look.direction);
        var shown = vec3f(0.0);
        if met.coverage > 0.0 {
            shown = met.coverage * lit_animal(met, q, look.direction, sight.on_limb);
        }
        if is_mirror {
            color += left * mirror * shown;
            mirror_left *= 1.0 - met.coverage;
        } else {
            color += left * shown;
            left *= 1.0 - met.coverage;
        }
    }
    let background = backdrop(select(first, mirrored, is_water));
    color += left * (mirror_left * mirror * background + select(vec3f(0.0), under, is_water));

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.50);
    color *= 1.0 - 0.28 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither(frag_coord)), 0.0);
    return palette::display(shading::tone_map(0.85 * color)) + dither;
}
