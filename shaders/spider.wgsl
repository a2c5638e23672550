// The spider: eight legs over moss by moonlight, among fireflies.
//
// Legs of both sides alternate in two sets of four (gait::tetrapod_phase). The
// moon stands behind the animal, so that down and moss glow at their edges; the
// fireflies light what is near them and mirror themselves in eight eyes.

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

// Everything repeats after this time: 32 strides along one period of the path.
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
    // The rear rows a little earlier than their set: a wave runs through it.
    return fract(gait::tetrapod_phase(row_of(leg), side_of(leg)) + 0.02 * f32(row_of(leg)));
}

// Where a foot rests on the ground (x ahead, y right of the body's middle).
fn rest_of(leg: u32) -> vec2f {
    let row = row_of(leg);
    let front = select(vec2f(1.50, 0.72), vec2f(0.72, 1.42), row == 1u);
    let rear = select(vec2f(-0.42, 1.50), vec2f(-1.50, 0.98), row == 3u);
    return select(front, rear, row >= 2u) * vec2f(1.0, side_of(leg));
}

const REST_CENTRE: vec2f = vec2f(0.075, 0.0);

// Where a leg meets the body (x ahead, y up, z right).
fn hip_of(leg: u32) -> vec3f {
    let row = f32(row_of(leg));
    return vec3f(0.34 - 0.17 * row, -0.06, (0.20 + 0.06 * sin(1.05 * row)) * side_of(leg));
}

const MOON: vec3f = vec3f(-0.8214, 0.4695, -0.3237);
const MOON_ANGLE: f32 = 0.05;
const MOONLIGHT: vec3f = vec3f(1.7, 2.1, 2.9);
const FAR: f32 = 60.0;
// How far from a surface something can throw a shadow on it.
const LONGEST_SHADOW: f32 = 12.0;

// ---- The animal at this instant -------------------------------------------

struct Limb {
    bones: ik::Leg,
    girth: limb::Girth,
}

// Everything in body space. The palps are short legs that do not reach the ground.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    left_palp: Limb,
    right_palp: Limb,
}

const GIRTH: limb::Girth = limb::Girth(0.085, 0.070, 0.050, 0.030, 0.012, 0.12);
const PALP_GIRTH: limb::Girth = limb::Girth(0.042, 0.041, 0.039, 0.038, 0.036, 0.0);

fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), rest_of(leg), time);
}

fn distance_at(time: f32) -> f32 {
    return WALK.stride * time / WALK.period;
}

fn body_over(support: walk::Support, time: f32) -> walk::Body {
    let bob = 0.015 * cos(2.0 * path::TURN * time / WALK.period);
    return walk::body_over(support, REST_CENTRE, distance_at(time), CLEARANCE + bob, 0.75);
}

fn leg_to(foot_in_body: vec3f, leg: u32) -> Limb {
    let hip = hip_of(leg);
    let rest = rest_of(leg);
    let outward = normalize(vec3f(rest.x - hip.x, 0.0, rest.y - hip.z));
    let up = vec3f(0.0, 1.0, 0.0);
    let tarsus = normalize(0.55 * outward - up);
    return Limb(ik::solve_leg(foot_in_body, hip, up, outward, tarsus, LENGTHS), GIRTH);
}

// The palps feel the ground ahead in turns: how far ahead and up each is, -1 to 1.
fn tap_at(side: f32, time: f32) -> f32 {
    return sin(29.0 * path::TURN / LOOP_SECONDS * time + 1.6 * side);
}

fn palp(side: f32, tap: f32) -> Limb {
    let base = vec3f(0.50, -0.07, 0.10 * side);
    let tip = base + vec3f(0.34 + 0.04 * tap, -0.24 + 0.08 * tap, 0.09 * side);
    let bow = limb::feeler(base, tip, 0.26, 0.26, vec3f(0.4, 1.0, 0.4 * side));
    return Limb(ik::Leg(bow.a, bow.b, bow.c, bow.d, bow.e, true), PALP_GIRTH);
}

// ---- The whole animal ---------------------------------------------------------

// Feet and body.
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

// What is the same for every pixel: the camera, the body, and where its limbs want
// to be.
struct Moment {
    eye: camera::Camera,
    body: walk::Body,
    // In the world.
    feet: array<vec3f, LEGS>,
    // Of the left and the right palp.
    taps: vec2f,
    // The point of the path that the animal has got to.
    way: vec2f,
    // Of the fireflies.
    glow: array<f32, FIREFLIES>,
}

fn moment_of(standing: Standing, eye: camera::Camera, time: f32) -> Moment {
    var moment: Moment;
    moment.eye = eye;
    moment.body = standing.body;
    moment.feet = standing.feet;
    moment.taps = vec2f(tap_at(-1.0, time), tap_at(1.0, time));
    moment.way = path::point_at(distance_at(time));
    for (var i = 0u; i < FIREFLIES; i++) {
        moment.glow[i] = glow_at(i, time);
    }
    return moment;
}

fn per_frame() -> array<vec4f, 15> {
    let time = frame::looped(LOOP_SECONDS);
    let standing = standing_at(time);
    return packed(moment_of(standing, camera_at(time, standing.body), time));
}

fn packed(moment: Moment) -> array<vec4f, 15> {
    let body = moment.body;
    let eye = moment.eye;
    return array<vec4f, 15>(
        vec4f(moment.feet[0], moment.glow[0]),
        vec4f(moment.feet[1], moment.glow[1]),
        vec4f(moment.feet[2], moment.glow[2]),
        vec4f(moment.feet[3], moment.glow[3]),
        vec4f(moment.feet[4], moment.glow[4]),
        vec4f(moment.feet[5], moment.glow[5]),
        vec4f(moment.feet[6], moment.glow[6]),
        vec4f(moment.feet[7], moment.glow[7]),
        vec4f(body.position, moment.glow[8]),
        vec4f(body.world_from_body[0], moment.taps.x),
        vec4f(body.world_from_body[1], moment.taps.y),
        vec4f(eye.position, eye.focal_length),
        vec4f(eye.world_from_view[0], moment.way.x),
        vec4f(eye.world_from_view[1], moment.way.y),
        vec4f(eye.world_from_view[2], 0.0),
    );
}

fn kept_eye() -> camera::Camera {
    let axes = mat3x3f(frame::kept[12].xyz, frame::kept[13].xyz, frame::kept[14].xyz);
    return camera::Camera(frame::kept[11].xyz, axes, frame::kept[11].w);
}

fn kept_way() -> vec2f {
    return vec2f(frame::kept[12].w, frame::kept[13].w);
}

fn leg_on(body: walk::Body, leg: u32, foot: vec4f) -> Limb {
    return leg_to(walk::to_body(body, foot.xyz), leg);
}

// The animal of this frame, its limbs solved anew at every pixel. The legs are
// written out: an array picked by a running index is slow to fetch.
fn kept_animal() -> Animal {
    var animal: Animal;
    let ahead = frame::kept[9].xyz;
    let up = frame::kept[10].xyz;
    animal.body = walk::Body(frame::kept[8].xyz, mat3x3f(ahead, up, cross(ahead, up)));
    animal.legs[0] = leg_on(animal.body, 0u, frame::kept[0]);
    animal.legs[1] = leg_on(animal.body, 1u, frame::kept[1]);
    animal.legs[2] = leg_on(animal.body, 2u, frame::kept[2]);
    animal.legs[3] = leg_on(animal.body, 3u, frame::kept[3]);
    animal.legs[4] = leg_on(animal.body, 4u, frame::kept[4]);
    animal.legs[5] = leg_on(animal.body, 5u, frame::kept[5]);
    animal.legs[6] = leg_on(animal.body, 6u, frame::kept[6]);
    animal.legs[7] = leg_on(animal.body, 7u, frame::kept[7]);
    animal.left_palp = palp(-1.0, frame::kept[9].w);
    animal.right_palp = palp(1.0, frame::kept[10].w);
    return animal;
}

// ---- Its shape ---------------------------------------------------------------

var<private> animal: Animal;
// The limb that distances are measured to.
var<private> limb_at_hand: Limb;
var<private> palp_at_hand: bool;

// Limbs are numbered as the legs, then the palps.
const LEFT_PALP: u32 = LEGS;
const RIGHT_PALP: u32 = LEGS + 1u;

override fn members::pick(member: u32) {
    palp_at_hand = member >= LEFT_PALP;
    limb_at_hand = animal.legs[0];
    if member == 1u {
        limb_at_hand = animal.legs[1];
    }
    if member == 2u {
        limb_at_hand = animal.legs[2];
    }
    if member == 3u {
        limb_at_hand = animal.legs[3];
    }
    if member == 4u {
        limb_at_hand = animal.legs[4];
    }
    if member == 5u {
        limb_at_hand = animal.legs[5];
    }
    if member == 6u {
        limb_at_hand = animal.legs[6];
    }
    if member == 7u {
        limb_at_hand = animal.legs[7];
    }
    if member == LEFT_PALP {
        limb_at_hand = animal.left_palp;
    }
    if member == RIGHT_PALP {
        limb_at_hand = animal.right_palp;
    }
}

fn limb_distance(p: vec3f, member: Limb) -> f32 {
    return limb::leg_distance(p, member.bones, member.girth);
}

override fn members::map(p: vec3f) -> f32 {
    return limb_distance(p, limb_at_hand);
}

// Distance to the nearest eye; on each side there are four, from the large ones in
// the middle outward.
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

// The trunk: all but the limbs.
override fn raymarch::map(p: vec3f) -> f32 {
    let head = sdf::smooth_union(shield_distance(p), jaw_distance(p), 0.03);
    let down = sdf::smooth_union(head, abdomen_distance(p), 0.05);
    return min(down, eyes_distance(p));
}

// ---- What a ray can touch ----------------------------------------------------

const REACH_OF_ALL: f32 = 2.9;

override fn members::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return limb::leg_span(origin, direction, limb_at_hand.bones, limb_at_hand.girth, margin);
}

override fn figure::aim(origin: vec3f, direction: vec3f, margin: f32) -> figure::Aim {
    let all = bounds::through_ball(origin, direction, vec3f(0.0, -0.1, 0.0), REACH_OF_ALL + margin);
    if !bounds::ahead(all) {
        return figure::Aim(bounds::NOTHING, 0u);
    }
    let abdomen = bounds::through_capsule(
        origin, direction, vec3f(-1.12, 0.10, 0.0), vec3f(-0.67, 0.15, 0.0), 0.49 + margin);
    let head = bounds::through_ball(origin, direction, vec3f(0.22, -0.05, 0.0), 0.55 + margin);
    let limbs = limb_bit(0u, origin, direction, animal.legs[0], margin)
        | limb_bit(1u, origin, direction, animal.legs[1], margin)
        | limb_bit(2u, origin, direction, animal.legs[2], margin)
        | limb_bit(3u, origin, direction, animal.legs[3], margin)
        | limb_bit(4u, origin, direction, animal.legs[4], margin)
        | limb_bit(5u, origin, direction, animal.legs[5], margin)
        | limb_bit(6u, origin, direction, animal.legs[6], margin)
        | limb_bit(7u, origin, direction, animal.legs[7], margin)
        | limb_bit(LEFT_PALP, origin, direction, animal.left_palp, margin)
        | limb_bit(RIGHT_PALP, origin, direction, animal.right_palp, margin);
    let trunk = bounds::joined(abdomen, head);
    return figure::Aim(bounds::Span(max(trunk.near, 0.0), trunk.far), limbs);
}

fn limb_bit(index: u32, origin: vec3f, direction: vec3f, member: Limb, margin: f32) -> u32 {
    let touched = limb::leg_touches(origin, direction, member.bones, member.girth, margin);
    return select(0u, 1u << index, touched);
}

// ---- Fireflies -----------------------------------------------------------------

const FIREFLIES: u32 = 9u;
const GLOW: vec3f = vec3f(1.0, 0.72, 0.18);

// How brightly a firefly glows.
fn glow_at(index: u32, time: f32) -> f32 {
    let w = path::TURN / LOOP_SECONDS * time;
    let n = f32(index);
    let pulse = 0.5 + 0.5 * sin((9.0 + 2.0 * n) * w + 2.1 * n);
    return 0.25 + 0.75 * pulse * pulse;
}

// Cosine and sine of an angle, given in the same way, and `more` together.
fn turned_on(turn: vec2f, more: f32) -> vec2f {
    let c = cos(more);
    let s = sin(more);
    return vec2f(turn.x * c - turn.y * s, turn.y * c + turn.x * s);
}

// A firefly: where it is in the world, and its `glow`. They keep to the neighbourhood
// of the animal, each turning in its circle as `turn` says, cosine and sine.
fn firefly(index: u32, turn: vec2f, glow: f32) -> vec4f {
    let n = f32(index);
    let ring = 2.1 + 0.55 * n;
    let middle = ring * vec3f(cos(0.7 + 2.39996 * n), 0.0, sin(0.7 + 2.39996 * n));
    let here = turned_on(turn, 2.4 * n);
    let twice = vec2f(here.x * here.x - here.y * here.y, 2.0 * here.x * here.y);
    let away = vec3f(here.y, 0.35 * turned_on(twice, n).y, turned_on(here, n).x);
    let up = vec3f(0.0, 0.55 + 0.16 * n, 0.0);
    return vec4f(under_animal() + middle + 0.7 * away + up, glow);
}

// The point that the fireflies keep to.
fn under_animal() -> vec3f {
    let way = kept_way();
    return vec3f(way.x, animal.body.position.y - CLEARANCE + 0.2, way.y);
}

var<private> flies: array<vec4f, FIREFLIES>;

// All of them, once for a pixel.
fn place_fireflies(time: f32) {
    let w = path::TURN / LOOP_SECONDS * time;
    let two = vec2f(cos(2.0 * w), sin(2.0 * w));
    let three = vec2f(cos(3.0 * w), sin(3.0 * w));
    let four = vec2f(cos(4.0 * w), sin(4.0 * w));
    // The first stays near the animal's face.
    let near = vec3f(
        1.25 + 0.25 * two.y, 0.42 + 0.15 * sin(5.0 * w), 0.55 + 0.35 * three.x);
    flies[0] = vec4f(under_animal() + near, frame::kept[0].w);
    flies[1] = firefly(1u, three, frame::kept[1].w);
    flies[2] = firefly(2u, four, frame::kept[2].w);
    flies[3] = firefly(3u, two, frame::kept[3].w);
    flies[4] = firefly(4u, three, frame::kept[4].w);
    flies[5] = firefly(5u, four, frame::kept[5].w);
    flies[6] = firefly(6u, two, frame::kept[6].w);
    flies[7] = firefly(7u, three, frame::kept[7].w);
    flies[8] = firefly(8u, four, frame::kept[8].w);
}

// Their light on a point with unit normal n, wrapped a little around it.
fn firefly_light(p: vec3f, n: vec3f) -> vec3f {
    var sum = 0.0;
    for (var i = 0u; i < FIREFLIES; i++) {
        let fly = flies[i];
        let to_fly = fly.xyz - p;
        let squared = dot(to_fly, to_fly);
        let lambert = max(dot(n, to_fly) * inverseSqrt(squared) + 0.3, 0.0) / 1.3;
        sum += fly.w * lambert / (0.12 + squared) * exp(-0.35 * squared);
    }
    return 0.85 * GLOW * sum;
}

// Their highlights on a surface at p that is seen along `direction`.
fn firefly_glints(p: vec3f, surface: light::Surface, direction: vec3f) -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < FIREFLIES; i++) {
        let fly = flies[i];
        let to_fly = fly.xyz - p;
        let toward = normalize(to_fly);
        let glint = shading::highlight(surface.normal, -direction, toward, surface.roughness);
        sum += fly.w * glint / (0.5 + dot(to_fly, to_fly));
    }
    return 3.0 * sum;
}

// What a ray sees of them up to `t_max`; `pixel` is a pixel's width at distance 1.
fn firefly_glow(origin: vec3f, direction: vec3f, t_max: f32, pixel: f32) -> vec3f {
    var sum = vec3f(0.0);
    for (var i = 0u; i < FIREFLIES; i++) {
        let fly = flies[i];
        let to_fly = fly.xyz - origin;
        let along = dot(to_fly, direction);
        let aside = to_fly - along * direction;
        let squared = dot(aside, aside);
        let size = max(0.018, 0.7 * pixel * along);
        let spot = exp(-squared / (size * size)) * (0.018 / size) * (0.018 / size);
        let halo = 0.010 / (0.02 + squared) * exp(-3.0 * squared);
        // Behind something it goes out softly.
        let free = smoothstep(0.0, 0.25, t_max - along) * step(0.0, along);
        sum += fly.w * free * (3.5 * (GLOW + vec3f(0.2)) * spot + 0.22 * GLOW * halo);
    }
    return sum;
}

// ---- Surfaces ------------------------------------------------------------------

// What light meets.
struct Surface {
    // In body space, and so is the normal without fine relief.
    position: vec3f,
    smooth_normal: vec3f,
    // In the world.
    matter: light::Surface,
    // How far up the sky is judged.
    sky_reach: f32,
    // Light that is given back to where it came from.
    shine: vec3f,
}

// Cushions of moss: x = height from 0 between them to 1, yz = slope. Octaves
// finer than `footprint`, the ground under a pixel, fade out.
fn moss(p: vec2f, footprint: f32) -> vec3f {
    var sum = vec3f(0.35, 0.0, 0.0);
    var q = p * 2.0;
    var frequency = 2.0;
    // Every octave repeats with the ground: its cells fit into the period of the path.
    var mask = 63u;
    var height = 0.42;
    var seen = faded(frequency * footprint);
    for (var i = 0u; i < 6u && seen > 0.02; i++) {
        let n = noise::value_noise(q, mask, 71u + i);
        let root = sqrt(n.x * n.x + 0.02);
        let billow = vec3f(1.6 * root - 0.5, 1.6 * n.x / root * n.yz * frequency);
        sum += height * seen * billow;
        q *= 2.0;
        frequency *= 2.0;
        mask = 2u * mask + 1u;
        height *= 0.74;
        seen = faded(frequency * footprint);
    }
    return sum;
}

// How much is left of a wave, by how much of it a pixel covers.
fn faded(fine: f32) -> f32 {
    return exp(-1.5 * fine * fine);
}

// Seen along `direction` by a pixel `width` wide there.
fn moss_at(p: vec3f, direction: vec3f, width: f32) -> Surface {
    let relief = terrain::relief(p.xz);
    let tufts = moss(p.xz, terrain::footprint(width, direction, relief.yz));
    let slope = relief.yz + 0.052 * tufts.yz;
    let patch_tone = noise::value_noise(p.xz * 0.5, 15u, 7u).x;
    let tip = smoothstep(-0.1, 0.95, tufts.x);
    let dark = vec3f(0.010, 0.022, 0.012);
    let green = mix(vec3f(0.075, 0.15, 0.040), vec3f(0.13, 0.15, 0.035), 0.5 + 0.5 * patch_tone);
    let up = vec3f(0.0, 1.0, 0.0) * animal.body.world_from_body;
    let normal = normalize(vec3f(-slope.x, 1.0, -slope.y));
    return Surface(
        walk::to_body(animal.body, p) + 0.012 * up,
        up,
        light::Surface(normal, mix(dark, green, tip), vec3f(0.0), 1.0, 1.6 * tip, 0.0),
        1.0,
        vec3f(0.0),
    );
}

struct Material {
    albedo: vec3f,
    gloss: vec3f,
    roughness: f32,
    // How much light it catches at grazing angles, and lets through.
    sheen: f32,
    through: f32,
}

// Brown down with pale marks.
const BROWN: vec3f = vec3f(0.095, 0.058, 0.036);
const PALE: vec3f = vec3f(0.46, 0.35, 0.21);

// Bands at both ends of every segment; `along` counts segments from the trochanter.
fn limb_material(along: f32) -> Material {
    let band = 1.0 - smoothstep(0.06, 0.26, abs(fract(along + 0.5) - 0.5));
    return Material(mix(BROWN, PALE, 0.8 * band), vec3f(0.03), 0.5, 2.6, 0.1);
}

fn trunk_material(p: vec3f, is_eye: bool) -> Material {
    if is_eye {
        return Material(vec3f(0.004, 0.006, 0.008), vec3f(0.16, 0.19, 0.20), 0.12, 0.0, 0.0);
    }
    if p.x < -0.36 {
        // A pale leaf with chevrons along the back.
        let v = p.x + 1.25 + 0.9 * abs(p.z);
        let chevron = smoothstep(0.30, 0.55, abs(fract(4.2 * v) - 0.5) * 2.0);
        let inside = 1.0 - smoothstep(0.20, 0.27, abs(p.z) + 0.12 * (p.x + 0.8));
        let mark = inside * smoothstep(0.1, 0.4, p.y) * (0.35 + 0.65 * chevron);
        return Material(mix(BROWN, PALE, mark), vec3f(0.025), 0.55, 2.8, 0.0);
    }
    // A pale stripe along the shield.
    let stripe = (1.0 - smoothstep(0.045, 0.075, abs(p.z))) * step(0.05, p.y) * step(p.x, 0.38);
    return Material(mix(BROWN, PALE, 0.85 * stripe), vec3f(0.035), 0.45, 2.4, 0.0);
}

// The animal's surface at the point p of body space that a ray has met; `on_limb`
// tells which kind of part it is of, and the limb is at hand. `width` is a pixel's.
fn coat_at(
    met: raymarch::March,
    p: vec3f,
    direction: vec3f,
    on_limb: bool,
    width: f32,
) -> Surface {
    // It is an eye if none of the trunk is nearer: what was met is as near as this.
    let gap = (1.15 - met.coverage) * width;
    let is_eye = !on_limb && eyes_distance(p) < gap;
    // The palps are pale all over.
    let along = select(limb::place_along(p, limb_at_hand.bones).y, 0.0, palp_at_hand);
    var material = limb_material(along);
    if !on_limb {
        material = trunk_material(p, is_eye);
    }
    let facing = clamp(dot(met.normal, -direction), 0.0, 1.0);
    let is_down = met.coverage > 0.0 && !is_eye;
    let rough = select(0.0, 0.16 * smoothstep(0.0, 0.5, facing), is_down);
    let tilted = normalize(met.normal + light::bumps(p, 46.0, rough));
    // At night their eyes give light back to where it came from.
    let shine = select(0.0, pow(facing, 24.0), is_eye);
    return Surface(
        p + 0.012 * met.normal,
        met.normal,
        light::Surface(
            animal.body.world_from_body * tilted,
            material.albedo,
            material.gloss,
            material.roughness,
            material.sheen,
            material.through,
        ),
        0.3,
        shine * vec3f(0.10, 0.75, 0.55),
    );
}

// ---- Light ---------------------------------------------------------------------

// The night sky: a pale moon with a wide halo behind mist and trunks.
fn sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, MOON), 0.0);
    let air = mix(vec3f(0.011, 0.022, 0.048), vec3f(0.085, 0.135, 0.19), exp(-5.0 * up));
    return air + vec3f(0.22, 0.32, 0.44) * (0.75 * pow(toward, 4.0) + 0.9 * pow(toward, 60.0));
}

// Trunks of far trees, by direction: 1 in the open, less behind them.
fn between_trees(direction: vec3f) -> f32 {
    let angle = atan2(direction.z, direction.x);
    var open = 1.0;
    for (var layer = 0u; layer < 3u; layer++) {
        let count = 46.0 - 10.0 * f32(layer);
        let cell = (angle / path::TURN + 0.5) * count + 0.37 * f32(layer);
        let chance = noise::random_of(u32(floor(cell) % count) * 3u + layer);
        let lean = 0.12 * (chance.y - 0.5) * direction.y;
        let across = abs(fract(cell) - (0.3 + 0.4 * chance.x) + lean * count / path::TURN);
        let width = (0.05 + 0.11 * chance.z) * (1.0 - 0.35 * direction.y);
        let trunk = (1.0 - smoothstep(width - 0.018, width + 0.018, across)) * step(0.35, chance.w);
        open *= 1.0 - trunk * (0.30 + 0.16 * f32(layer));
    }
    return open;
}

fn backdrop(direction: vec3f) -> vec3f {
    let disc = smoothstep(0.99905, 0.99930, dot(direction, MOON));
    let trees = mix(1.0, between_trees(direction), smoothstep(-0.02, 0.05, direction.y));
    return (sky(direction) + vec3f(1.6, 1.7, 1.75) * disc) * trees;
}

// A capsule that holds the trunk.
const TAIL: vec3f = vec3f(-1.12, 0.06, 0.0);
const HEAD: vec3f = vec3f(0.22, 0.0, 0.0);
const TRUNK_GIRTH: f32 = 0.62;

override fn figure::ground_room(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    return terrain::light_room(p, to_light, angle);
}

override fn figure::trunk_bound(p: vec3f) -> f32 {
    return sdf::capsule(p, TAIL, HEAD, TRUNK_GIRTH);
}

const LAMP: figure::Lamp = figure::Lamp(MOON, MOON_ANGLE, LONGEST_SHADOW);

// Light that leaves a surface at the point p of the world against `direction`.
fn lit(surface: Surface, p: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let open = figure::light_at(
        surface.position, surface.smooth_normal, surface.sky_reach, distance, LAMP);
    let matter = surface.matter;
    let above = vec3f(0.075, 0.11, 0.17);
    let around = light::from_sky(matter.normal, above, vec3f(0.014, 0.024, 0.022));
    let flies = firefly_light(p, matter.normal);
    let mirrored = reflect(direction, matter.normal);
    let sheen = sky(mirrored) * open.sky * smoothstep(-0.2, 0.2, mirrored.y);
    let glints = firefly_glints(p, matter, direction);
    let lamp = light::Lamp(MOON, MOONLIGHT);
    return light::leaving(matter, direction, lamp, open.lamp, around * open.sky + flies, sheen)
        + matter.gloss * (GLOW + vec3f(0.3)) * glints
        + surface.shine;
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32, body: walk::Body) -> camera::Camera {
    let w = path::TURN / LOOP_SECONDS * time;
    let way = path::point_at(distance_at(time));
    let ground = mix(terrain::height(way), body.position.y - CLEARANCE, 0.5);
    let yaw = 0.60 + 0.30 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.14 + 0.04 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.05, 1.4);
    let middle = vec3f(way.x, ground + 0.78, way.y);
    var eye = camera::around(
        middle, yaw, pitch, 5.4 / frame::frame.orbit.z, 0.285 * frame::widened(1.4));
    eye.position.y = max(eye.position.y, terrain::height(eye.position.xz) + 0.35);
    return eye;
}

// Mist over the ground, bright toward the moon.
fn fogged(color: vec3f, origin: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let level = normalize(vec3f(direction.x, max(direction.y, 0.02), direction.z));
    let share = light::mist(origin.y + 0.5, direction.y, distance, 0.19, 0.75);
    return mix(color, sky(level), share);
}

override fn figure::ground_along(origin: vec3f, direction: vec3f, end: f32) -> f32 {
    return terrain::trace(origin, direction, end);
}

#ifdef REFERENCE

override fn figure::limb_count() -> u32 {
    return RIGHT_PALP + 1u;
}

override fn figure::limbs_distance(p: vec3f) -> f32 {
    return min(
        min(
            min(min(limb_distance(p, animal.legs[0]), limb_distance(p, animal.legs[1])),
                min(limb_distance(p, animal.legs[2]), limb_distance(p, animal.legs[3]))),
            min(min(limb_distance(p, animal.legs[4]), limb_distance(p, animal.legs[5])),
                min(limb_distance(p, animal.legs[6]), limb_distance(p, animal.legs[7])))),
        min(limb_distance(p, animal.left_palp), limb_distance(p, animal.right_palp)));
}

override fn brute_force::ground(p: vec3f, distance: f32) -> f32 {
    return terrain::BOUND * (p.y - terrain::height_from(p.xz, distance));
}

#endif

fn main_image(frag_coord: vec2f) -> vec4f {
    let eye = kept_eye();
    animal = kept_animal();
    figure::body = animal.body;
    place_fireflies(frame::looped(LOOP_SECONDS));
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;
    let look = figure::look_along(eye.position, direction, 0.0, FAR, pixel, REACH_OF_ALL);
    let sight = figure::seen_along(look);
    let met = sight.met;

    // The animal's share of the pixel first, then what is left for the ground. Few
    // pixels hold both, and only they go round twice.
    let direction_in_body = direction * animal.body.world_from_body;
    let origin_in_body = walk::to_body(animal.body, eye.position);
    var color = vec3f(0.0);
    var left = 1.0;
    var is_moss = met.coverage <= 0.0;
    for (var layer = 0; layer < 2 && left > 0.0; layer++) {
        if is_moss && sight.ground >= FAR {
            break;
        }
        let distance = select(met.distance, sight.ground, is_moss);
        let p = eye.position + distance * direction;
        let on_animal = origin_in_body + met.distance * direction_in_body;
        let width = pixel * met.distance;
        var surface = coat_at(met, on_animal, direction_in_body, sight.on_limb, width);
        if is_moss {
            surface = moss_at(p, direction, pixel * distance);
        }
        let share = select(met.coverage, 1.0, is_moss) * left;
        let radiance = lit(surface, p, direction, distance);
        color += share * fogged(radiance, eye.position, direction, distance);
        left -= share;
        is_moss = true;
    }
    color += left * backdrop(direction);
    let end = select(sight.ground, met.distance, met.coverage > 0.5);
    color += firefly_glow(eye.position, direction, end, pixel);

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.55);
    color *= 1.0 - 0.32 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither(frag_coord)), 0.0);
    return palette::display(shading::tone_map(0.95 * color)) + dither;
}
