// The water strider: six long legs row over a clear pond on a pale morning.
//
// Nothing breaks the surface: every foot that stands dents it, and rings run out
// from where feet touched down and lifted off. The sun draws the dents on the
// sand below as dark discs with bright rims.

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
const LOOP_SECONDS: f32 = 20.0;

const WALK: gait::Gait = gait::Gait(1.0, 0.60, 1.6, 0.30);
const CLEARANCE: f32 = 0.46;

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

// The front legs are short, the others longer than the body.
fn lengths_of(leg: u32) -> ik::LegLengths {
    let long = ik::LegLengths(0.10, 1.20, 1.02, 0.52);
    let short = ik::LegLengths(0.06, 0.62, 0.58, 0.20);
    if row_of(leg) == 0u {
        return short;
    }
    return long;
}

// Where a foot rests on the water (x ahead, y right of the body's middle).
fn rest_of(leg: u32) -> vec2f {
    let row = row_of(leg);
    let right = select(
        select(vec2f(1.05, 0.52), vec2f(0.72, 1.95), row == 1u), vec2f(-1.70, 1.50), row == 2u);
    return right * vec2f(1.0, side_of(leg));
}

const REST_CENTRE: vec2f = vec2f(0.0233, 0.0);

// Where a leg meets the body (x ahead, y up, z right).
fn hip_of(leg: u32) -> vec3f {
    let row = row_of(leg);
    let right = select(
        select(vec3f(0.44, -0.05, 0.07), vec3f(0.10, -0.05, 0.11), row == 1u),
        vec3f(-0.06, -0.05, 0.11),
        row == 2u,
    );
    return right * vec3f(1.0, 1.0, side_of(leg));
}

// The walk is on water, which is level.
override fn walk::ground(p: vec2f) -> f32 {
    return 0.0;
}

const TO_SUN: vec3f = vec3f(-0.5298, 0.6623, -0.5298);
const SUN_ANGLE: f32 = 0.03;
const SUN: vec3f = vec3f(2.5, 2.3, 1.95);
const FAR: f32 = 80.0;
// How far from a surface something can throw a shadow on it.
const LONGEST_SHADOW: f32 = 8.0;

// ---- The animal at this instant -------------------------------------------

struct Limb {
    bones: ik::Leg,
}

// In body space.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    left_antenna: limb::Curve,
    right_antenna: limb::Curve,
}

fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), rest_of(leg), time);
}

fn body_over(support: walk::Support, time: f32) -> walk::Body {
    let cycle = time / WALK.period;
    let bob = 0.022 * cos(2.0 * path::TURN * cycle);
    return walk::body_over(support, REST_CENTRE, WALK.stride * cycle, CLEARANCE + bob, 1.0);
}

fn leg_to(foot_in_body: vec3f, leg: u32) -> Limb {
    let hip = hip_of(leg);
    let rest = rest_of(leg);
    let outward = normalize(vec3f(rest.x - hip.x, 0.0, rest.y - hip.z));
    let up = vec3f(0.0, 1.0, 0.0);
    // The tarsi lie almost flat on the water.
    let tarsus = normalize(2.6 * outward - up);
    return Limb(ik::solve_leg(foot_in_body, hip, up, outward, tarsus, lengths_of(leg)));
}

const ANTENNA_BASE: vec3f = vec3f(0.70, 0.05, 0.05);

// Where the tip of an antenna feels about.
fn antenna_goal(side: f32, time: f32) -> vec3f {
    let w = path::TURN / LOOP_SECONDS * time;
    let sway = vec3f(0.0, 0.06 * sin(17.0 * w + side), 0.05 * sin(13.0 * w));
    return vec3f(0.50, 0.10, 0.28 * side) + ANTENNA_BASE * vec3f(1.0, 1.0, side) + sway;
}

fn antenna(side: f32, goal: vec3f) -> limb::Curve {
    let base = ANTENNA_BASE * vec3f(1.0, 1.0, side);
    return limb::feeler(base, goal, 0.30, 0.34, vec3f(0.0, 1.0, 0.6 * side));
}

// What is the same for every pixel: the camera, the body, and where feet and
// antennae want to be.
struct Moment {
    eye: camera::Camera,
    body: walk::Body,
    // In the world: xyz the place, w how hard the foot presses on the water.
    feet: array<vec4f, LEGS>,
    // In body space.
    left_antenna: vec3f,
    right_antenna: vec3f,
}

fn moment_of(eye: camera::Camera, time: f32) -> Moment {
    var moment: Moment;
    moment.eye = eye;
    var support = walk::no_support();
    for (var leg = 0u; leg < LEGS; leg++) {
        let foot = foot_at(leg, time);
        support = walk::supported(support, rest_of(leg), foot);
        moment.feet[leg] = vec4f(foot.position, weight_of(leg, time));
    }
    moment.body = body_over(support, time);
    moment.left_antenna = antenna_goal(-1.0, time);
    moment.right_antenna = antenna_goal(1.0, time);
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
        moment.feet[0], moment.feet[1], moment.feet[2],
        moment.feet[3], moment.feet[4], moment.feet[5],
        vec4f(body.position, 0.0),
        vec4f(body.world_from_body[0], 0.0),
        vec4f(body.world_from_body[1], 0.0),
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

// The animal of this frame, its limbs solved anew at every pixel. The legs are
// written out: an array picked by a running index is slow to fetch.
fn kept_animal() -> Animal {
    var animal: Animal;
    let ahead = frame::kept[7].xyz;
    let up = frame::kept[8].xyz;
    animal.body = walk::Body(frame::kept[6].xyz, mat3x3f(ahead, up, cross(ahead, up)));
    animal.legs[0] = leg_to(walk::to_body(animal.body, frame::kept[0].xyz), 0u);
    animal.legs[1] = leg_to(walk::to_body(animal.body, frame::kept[1].xyz), 1u);
    animal.legs[2] = leg_to(walk::to_body(animal.body, frame::kept[2].xyz), 2u);
    animal.legs[3] = leg_to(walk::to_body(animal.body, frame::kept[3].xyz), 3u);
    animal.legs[4] = leg_to(walk::to_body(animal.body, frame::kept[4].xyz), 4u);
    animal.legs[5] = leg_to(walk::to_body(animal.body, frame::kept[5].xyz), 5u);
    animal.left_antenna = antenna(-1.0, frame::kept[9].xyz);
    animal.right_antenna = antenna(1.0, frame::kept[10].xyz);
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
}

const GIRTH: limb::Girth = limb::Girth(0.046, 0.034, 0.022, 0.015, 0.009, 0.03);

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

// The kind of part that was nearest where `raymarch::map` was asked last.
var<private> nearest_part: u32;
const TRUNK: u32 = 0u;
const EYE: u32 = 1u;
const ANTENNA: u32 = 2u;

// Trunk, eyes and antennae.
override fn raymarch::map(p: vec3f) -> f32 {
    let trunk = trunk_distance(p);
    let eye = eye_distance(p);
    let antennae = antennae_distance(p);
    let solid = min(trunk, eye);
    nearest_part = select(select(TRUNK, EYE, eye < trunk), ANTENNA, antennae < solid);
    return min(solid, antennae);
}

override fn members::map(p: vec3f) -> f32 {
    return limb::leg_distance(p, limb_at_hand.bones, GIRTH);
}

// ---- What a ray can touch ----------------------------------------------------

override fn members::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return limb::leg_span(origin, direction, limb_at_hand.bones, GIRTH, margin);
}

const REACH_OF_ALL: f32 = 3.1;

override fn figure::aim(origin: vec3f, direction: vec3f, margin: f32) -> figure::Aim {
    let all = bounds::through_ball(origin, direction, vec3f(-0.2, 0.0, 0.0), REACH_OF_ALL + margin);
    if !bounds::ahead(all) {
        return figure::Aim(bounds::NOTHING, 0u);
    }
    let trunk = bounds::through_capsule(
        origin, direction, vec3f(-1.0, 0.05, 0.0), vec3f(0.70, -0.01, 0.0), 0.17 + margin);
    let left = limb::curve_span(origin, direction, animal.left_antenna, 0.02 + margin);
    let right = limb::curve_span(origin, direction, animal.right_antenna, 0.02 + margin);
    let whole = bounds::joined(trunk, bounds::joined(left, right));
    let legs = leg_bit(0u, origin, direction, animal.legs[0], margin)
        | leg_bit(1u, origin, direction, animal.legs[1], margin)
        | leg_bit(2u, origin, direction, animal.legs[2], margin)
        | leg_bit(3u, origin, direction, animal.legs[3], margin)
        | leg_bit(4u, origin, direction, animal.legs[4], margin)
        | leg_bit(5u, origin, direction, animal.legs[5], margin);
    return figure::Aim(bounds::Span(max(whole.near, 0.0), whole.far), legs);
}

fn leg_bit(leg: u32, origin: vec3f, direction: vec3f, member: Limb, margin: f32) -> u32 {
    let touched = limb::leg_touches(origin, direction, member.bones, GIRTH, margin);
    return select(0u, 1u << leg, touched);
}

// ---- The water -----------------------------------------------------------------

const RINGS: water::Rings = water::Rings(0.95, 26.0, 0.75);
const RING_HEIGHT: f32 = 0.022;
const DENT_RADIUS: f32 = 0.155;
const POND_DEPTH: f32 = 0.85;

// How hard a foot presses on the water: eased in and out of stance.
fn weight_of(leg: u32, time: f32) -> f32 {
    let cycle = time / WALK.period + phase_of(leg);
    let part = cycle - floor(cycle);
    return smoothstep(0.0, 0.06, part) * (1.0 - smoothstep(WALK.duty - 0.06, WALK.duty, part));
}

// How far from the middle of a leg's last holds its rings can be.
const RINGS_REACH: f32 = 4.6;

// The legs whose rings can be seen at p of the water, a bit each.
fn legs_near(p: vec2f) -> u32 {
    let q = walk::to_body(animal.body, vec3f(p.x, 0.0, p.y)).xz;
    var near = 0u;
    for (var leg = 0u; leg < LEGS; leg++) {
        // The last three holds lie behind the rest position, a stride apart.
        let from_holds = q - rest_of(leg) + vec2f(WALK.stride, 0.0);
        near |= select(0u, 1u << leg, dot(from_holds, from_holds) < RINGS_REACH * RINGS_REACH);
    }
    return near;
}

// Shape of the water's surface, and how much light it gathers below.
struct Under {
    shape: vec3f,
    gathered: f32,
}

// With the dent of a foot, whose place is xyz and whose weight is w.
fn dented(under: Under, p: vec2f, foot: vec4f) -> Under {
    let away = p - foot.xz;
    let shape = under.shape + 0.060 * foot.w * water::dent(away, DENT_RADIUS);
    // A dent spreads the light: a dark disc, and a bright rim around it.
    let r = length(away) / DENT_RADIUS;
    let disc = 1.0 - smoothstep(1.15, 1.5, r);
    let rim = exp(-16.0 * (r - 1.62) * (r - 1.62));
    return Under(shape, mix(under.gathered, 0.08, foot.w * disc) + 0.9 * foot.w * rim);
}

// The surface of the water at p: x = height, yz = slope, as far as they can be
// seen with `footprint` of water under a pixel. w = how much light the surface
// gathers below (1 where it is level).
fn surface_at(p: vec2f, footprint: f32, time: f32) -> vec4f {
    let breeze = water::wind(p, time / LOOP_SECONDS, footprint);
    var sum = 0.0018 * breeze;
    // Crests are lenses: a web of light on the floor.
    let web = 1.0 - min(abs(breeze.x + 0.15), 1.0);
    var gathered = 0.72 + 0.75 * web * web * web * web;
    let fine = RINGS.frequency * footprint;
    let seen = exp(-0.3 * fine * fine);
    // Only legs whose rings can have come this far take a round.
    for (var left = legs_near(p); left != 0u; left &= left - 1u) {
        let leg = firstTrailingBit(left);
        let rings = water::rings_of_leg(p, WALK, phase_of(leg), rest_of(leg), time, RINGS);
        sum += RING_HEIGHT * seen * rings * vec3f(1.0, RINGS.frequency, RINGS.frequency);
        gathered += 1.3 * rings.x;
    }
    var under = Under(sum, gathered);
    under = dented(under, p, frame::kept[0]);
    under = dented(under, p, frame::kept[1]);
    under = dented(under, p, frame::kept[2]);
    under = dented(under, p, frame::kept[3]);
    under = dented(under, p, frame::kept[4]);
    under = dented(under, p, frame::kept[5]);
    return vec4f(under.shape, max(under.gathered, 0.05));
}

// The sand of the pond's floor.
fn floor_albedo(p: vec2f, footprint: f32) -> vec3f {
    let large = noise::value_noise(p * 0.5, 15u, 3u).x;
    let middle = noise::value_noise(p * 4.0, 127u, 4u).x;
    let grain = noise::value_noise(p * 32.0, 1023u, 5u).x * exp(-400.0 * footprint * footprint);
    var albedo = mix(vec3f(0.26, 0.31, 0.24), vec3f(0.54, 0.50, 0.36), 0.5 + 0.5 * large);
    albedo *= 1.0 + 0.14 * middle + 0.16 * grain;
    // Pebbles lie about, one at most to a cell.
    let cell = floor(p * 2.0);
    let repeated = vec2i(cell) & vec2i(63);
    let dice = noise::random_of(bitcast<u32>(repeated.x) * 64u + bitcast<u32>(repeated.y));
    let from_pebble = p * 2.0 - cell - (0.3 + 0.4 * dice.xy);
    let size = 0.10 + 0.17 * dice.z;
    // In drifts, here more and there fewer.
    let some = step(0.85 - 0.4 * large, dice.w);
    let stretched = length(from_pebble * vec2f(1.0, 1.0 + dice.x)) / size;
    let pebble = (1.0 - smoothstep(0.92, 1.0 + 3.0 * footprint / size, stretched)) * some;
    let stone = mix(vec3f(0.16, 0.17, 0.15), vec3f(0.50, 0.44, 0.36), fract(7.0 * dice.w));
    let shade = 1.0 - 0.55 * (1.0 - smoothstep(0.9, 1.55, stretched)) * some;
    let dome = 1.15 - 0.5 * stretched * stretched + 0.5 * dot(from_pebble, TO_SUN.xz) / size;
    return mix(albedo * shade, stone * clamp(dome, 0.25, 1.5), pebble);
}

// ---- Light ---------------------------------------------------------------------

// Mist over the water.
const HAZE: vec3f = vec3f(1.0, 0.92, 0.80);

// The morning sky: milky, bright toward the sun.
fn sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, TO_SUN), 0.0);
    let air = mix(vec3f(0.40, 0.58, 0.78), vec3f(0.92, 0.88, 0.82), exp(-3.2 * up));
    // Trees on the far shore stand before the lowest sky.
    let angle = atan2(direction.z, direction.x) / path::TURN;
    let tops = 0.30 + 0.09 * noise::value_noise(vec2f(32.0 * angle, 0.0), 31u, 8u).x
        + 0.03 * noise::value_noise(vec2f(256.0 * angle, 0.0), 255u, 9u).x;
    let trees = mix(HAZE, vec3f(0.11, 0.19, 0.14), smoothstep(0.0, 0.22, up));
    let reeds = mix(trees, air, smoothstep(tops - 0.03, tops + 0.05, up));
    return reeds + vec3f(1.0, 0.85, 0.62) * (0.35 * pow(toward, 8.0) + 5.0 * pow(toward, 500.0));
}

const LAMP: figure::Lamp = figure::Lamp(TO_SUN, SUN_ANGLE, LONGEST_SHADOW);

// Brown velvet with a silver belly, and dark eyes; p in body space, the normal
// in the world.
fn coat_at(p: vec3f, normal: vec3f, on_leg: bool) -> light::Surface {
    if on_leg || nearest_part == ANTENNA {
        return light::Surface(normal, vec3f(0.075, 0.046, 0.028), vec3f(0.05), 0.32, 0.9, 0.25);
    }
    if nearest_part == EYE {
        return light::Surface(normal, vec3f(0.030, 0.008, 0.006), vec3f(0.07), 0.12, 0.0, 0.0);
    }
    let belly = 1.0 - smoothstep(-0.06, 0.02, p.y);
    let beside = 1.0 - smoothstep(0.018, 0.030, abs(abs(p.z) - 0.062));
    let stripe = beside * step(0.02, p.y) * step(p.x, 0.5);
    let back = mix(vec3f(0.060, 0.042, 0.028), vec3f(0.42, 0.30, 0.14), 0.75 * stripe);
    let albedo = mix(back, vec3f(0.62, 0.62, 0.60), belly);
    return light::Surface(normal, albedo, vec3f(0.04), 0.35, 1.4, 0.0);
}

// What a ray (unit direction) into the water comes to.
struct Below {
    // Where it meets the pond's floor, and how much water is before that.
    floor: vec3f,
    way: f32,
    // Where the sunlight that falls there came through the surface.
    through: vec2f,
}

fn below(p: vec3f, direction: vec3f, normal: vec3f) -> Below {
    let down = refract(direction, normal, 0.75);
    let way = POND_DEPTH / max(-down.y, 0.2);
    let floor = p + way * down;
    let sunward = refract(-TO_SUN, vec3f(0.0, 1.0, 0.0), 0.75);
    return Below(floor, way, floor.xz + POND_DEPTH / sunward.y * sunward.xz);
}

// The pond's floor, to which `share` of the sun comes past the animal.
fn lit_floor(seen: Below, share: f32, footprint: f32, time: f32) -> vec3f {
    let gathered = surface_at(seen.through, footprint, time).w;
    let albedo = floor_albedo(seen.floor.xz, footprint);
    let shown = albedo * (0.62 * SUN * share * gathered + vec3f(0.36, 0.44, 0.46));
    // Water takes red first.
    return mix(vec3f(0.05, 0.20, 0.21), shown, exp(-vec3f(0.62, 0.26, 0.30) * seen.way));
}

// The animal, which `direction` meets at q of body space and which `share` of the
// sun reaches.
fn lit_animal(met: raymarch::March, q: vec3f, direction: vec3f, share: f32, on_leg: bool) -> vec3f {
    let surface = coat_at(q, animal.body.world_from_body * met.normal, on_leg);
    // Light comes back from the sand below as well.
    let around = light::from_sky(surface.normal, vec3f(0.52, 0.60, 0.68), vec3f(0.30, 0.30, 0.24));
    let mirrored = sky(reflect(direction, surface.normal));
    return light::leaving(surface, direction, light::Lamp(TO_SUN, SUN), share, around, mirrored);
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32) -> camera::Camera {
    let w = path::TURN / LOOP_SECONDS * time;
    let way = path::point_at(WALK.stride * time / WALK.period);
    let yaw = 0.98 + 0.30 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.30 + 0.05 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.08, 1.4);
    let middle = vec3f(way.x - 0.1, 0.12, way.y);
    return camera::around(
        middle, yaw, pitch, 7.0 / frame::frame.orbit.z, 0.275 * frame::widened(1.4));
}

#ifdef REFERENCE

override fn figure::limb_count() -> u32 {
    return LEGS;
}

override fn figure::limbs_distance(p: vec3f) -> f32 {
    return min(
        min(min(limb::leg_distance(p, animal.legs[0].bones, GIRTH),
                limb::leg_distance(p, animal.legs[1].bones, GIRTH)),
            min(limb::leg_distance(p, animal.legs[2].bones, GIRTH),
                limb::leg_distance(p, animal.legs[3].bones, GIRTH))),
        min(limb::leg_distance(p, animal.legs[4].bones, GIRTH),
            limb::leg_distance(p, animal.legs[5].bones, GIRTH)));
}

override fn brute_force::ground(p: vec3f, distance: f32) -> f32 {
    return p.y;
}

#endif

// Layers of a pixel from front to back, by their bits.
const ANIMAL: u32 = 1u;
const FLOOR: u32 = 2u;
const MIRROR: u32 = 4u;

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let eye = kept_eye();
    animal = kept_animal();
    figure::body = animal.body;
    let first = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    let to_water = water::trace(eye.position, first, 0.0, FAR);
    let is_water = to_water < FAR;
    let p = eye.position + to_water * first;
    let footprint = pixel * to_water / max(-first.y, 0.05);
    let wave = surface_at(p.xz, footprint, time);
    let normal = normalize(vec3f(-wave.y, 1.0, -wave.z));
    var mirrored = reflect(first, normal);
    mirrored.y = max(mirrored.y, 0.01);
    mirrored = normalize(mirrored);
    let under = below(p, first, normal);
    // Of the light from the water: what it mirrors, what lies below, and haze.
    let clear = select(1.0, exp(-0.0016 * to_water * to_water), is_water);
    let shine = select(1.0, shading::fresnel(dot(normal, -first), 0.02), is_water);

    // A mirrored ray goes on with the width that it had at the water.
    let direct_look = figure::look_along(
        eye.position, first, 0.0, to_water + 0.02, pixel, REACH_OF_ALL);
    let mirrored_look = figure::look_along(
        p - to_water * mirrored, mirrored, to_water, 2.0 * FAR, pixel, REACH_OF_ALL);

    // All layers go through the same round, and most pixels have only one of them.
    var layers = select(ANIMAL, 0u, figure::is_blind(direct_look));
    if is_water {
        layers |= FLOOR | select(MIRROR, 0u, figure::is_blind(mirrored_look));
    }
    var color = vec3f(0.0);
    var left = 1.0;
    var sky_left = clear * shine;
    for (; layers != 0u && left > 0.0; layers &= layers - 1u) {
        let layer = layers & (~layers + 1u);
        let is_floor = layer == FLOOR;
        var look = direct_look;
        if layer == MIRROR {
            look = mirrored_look;
        }
        if is_floor {
            look = figure::blind(look);
        }
        let sight = figure::seen_along(look);
        let met = sight.met;
        let q = walk::to_body(animal.body, look.origin + met.distance * look.direction);
        let entry = walk::to_body(animal.body, vec3f(under.through.x, 0.004, under.through.y));
        let lit_at = select(q + 0.012 * met.normal, entry, is_floor);
        let share = figure::light_at(lit_at, met.normal, 0.0, met.distance, LAMP).lamp;
        if is_floor {
            color += left * clear * (1.0 - shine) * lit_floor(under, share, footprint, time);
            continue;
        }
        let shown = met.coverage * lit_animal(met, q, look.direction, share, sight.on_limb);
        if layer == MIRROR {
            color += left * sky_left * shown;
            sky_left *= 1.0 - met.coverage;
        } else {
            color += left * shown;
            left *= 1.0 - met.coverage;
        }
    }
    let background = sky(select(first, mirrored, is_water));
    color += left * (sky_left * background + (1.0 - clear) * HAZE);

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.55);
    color *= 1.0 - 0.22 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither(frag_coord)), 0.0);
    return palette::display(shading::tone_map(0.72 * color)) + dither;
}
