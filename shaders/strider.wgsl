// The water strider: six long legs row over a clear pond on a pale morning.
//
// Every standing foot dents the water's surface, and rings spread from where feet touched down
// and lifted off. The dents refract the sunlight: dark discs with bright rims on the sand.
//
// Spaces: the world has x ahead, y up, z right and the water at y = 0; body space has the same
// axes, turned with the body, and its origin in the body's middle. Lengths are in world units.

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
#import tarsus::walker
#import tarsus::water

// The scene repeats after this time (seconds): 20 strides along one period of the path.
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

// Neutral position of a foot on the water (x ahead, y right of the body's middle).
fn neutral_foot_of(leg: u32) -> vec2f {
    let row = row_of(leg);
    let right = select(
        select(vec2f(1.05, 0.52), vec2f(0.72, 1.95), row == 1u), vec2f(-1.70, 1.50), row == 2u);
    return right * vec2f(1.0, side_of(leg));
}

const NEUTRAL_CENTRE: vec2f = vec2f(0.0233, 0.0);

// Position of a leg's hip in body space.
fn hip_of(leg: u32) -> vec3f {
    let row = row_of(leg);
    let right = select(
        select(vec3f(0.44, -0.05, 0.07), vec3f(0.10, -0.05, 0.11), row == 1u),
        vec3f(-0.06, -0.05, 0.11),
        row == 2u,
    );
    return right * vec3f(1.0, 1.0, side_of(leg));
}

// The ground of the walk is the water's level.
override fn walk::ground(p: vec2f) -> f32 {
    return 0.0;
}

const TO_SUN: vec3f = vec3f(-0.5298, 0.6623, -0.5298);
const SUN_ANGLE: f32 = 0.03;
const SUN: vec3f = vec3f(2.5, 2.3, 1.95);
const FAR: f32 = 80.0;
// Largest distance from a surface to an object that throws a shadow on it.
const LONGEST_SHADOW: f32 = 8.0;

// ---- The animal at one time ----------------------------------------------------

// A solved leg, in body space.
struct Limb {
    bones: ik::Leg,
    // `limb::upper_radius`
    upper: f32,
}

// All parts of the animal that depend on time; all but `body` in body space.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    left_antenna: limb::Curve,
    right_antenna: limb::Curve,
}

fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), neutral_foot_of(leg), time);
}

fn body_over(support: walk::Support, time: f32) -> walk::Body {
    let cycle = time / WALK.period;
    let bob = 0.022 * cos(2.0 * path::TAU * cycle);
    return walk::body_over(support, NEUTRAL_CENTRE, WALK.stride * cycle, CLEARANCE + bob, 1.0);
}

// The leg with its foot at a point of body space.
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

const ANTENNA_BASE: vec3f = vec3f(0.70, 0.05, 0.05);

// Target of an antenna's tip in body space.
fn antenna_goal(side: f32, time: f32) -> vec3f {
    let w = path::TAU / LOOP_SECONDS * time;
    let sway = vec3f(0.0, 0.06 * sin(17.0 * w + side), 0.05 * sin(13.0 * w));
    return vec3f(0.50, 0.10, 0.28 * side) + ANTENNA_BASE * vec3f(1.0, 1.0, side) + sway;
}

// The antenna as a curve from its base to `goal`.
fn antenna(side: f32, goal: vec3f) -> limb::Curve {
    let base = ANTENNA_BASE * vec3f(1.0, 1.0, side);
    return limb::two_bone_curve(base, goal, 0.30, 0.34, vec3f(0.0, 1.0, 0.6 * side));
}

// What is the same for every pixel: camera, body, and the targets of legs and antennae.
struct FrameData {
    eye: camera::Camera,
    body: walk::Body,
    // xyz = target in world space, w = load of the foot on the water, 0 to 1.
    feet: array<vec4f, LEGS>,
    // Targets in body space.
    left_antenna: vec3f,
    right_antenna: vec3f,
}

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

fn per_frame() -> array<vec4f, 15> {
    let time = frame::looped(LOOP_SECONDS);
    return pack_frame_data(frame_data_of(camera_at(time), time));
}

// `unpack_camera` and `unpack_animal` read these places.
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

fn unpack_camera() -> camera::Camera {
    let axes = mat3x3f(frame::frame_data[12].xyz, frame::frame_data[13].xyz, frame::frame_data[14].xyz);
    return camera::Camera(frame::frame_data[11].xyz, axes, frame::frame_data[11].w);
}

// The animal of this frame, solved from the frame data at every pixel. The legs are unrolled:
// arrays indexed by a variable are slow on some adapters.
fn unpack_animal() -> Animal {
    var animal: Animal;
    let ahead = frame::frame_data[7].xyz;
    let up = frame::frame_data[8].xyz;
    animal.body = walk::Body(frame::frame_data[6].xyz, mat3x3f(ahead, up, cross(ahead, up)));
    animal.legs[0] = leg_to(walk::to_body(animal.body, frame::frame_data[0].xyz), 0u);
    animal.legs[1] = leg_to(walk::to_body(animal.body, frame::frame_data[1].xyz), 1u);
    animal.legs[2] = leg_to(walk::to_body(animal.body, frame::frame_data[2].xyz), 2u);
    animal.legs[3] = leg_to(walk::to_body(animal.body, frame::frame_data[3].xyz), 3u);
    animal.legs[4] = leg_to(walk::to_body(animal.body, frame::frame_data[4].xyz), 4u);
    animal.legs[5] = leg_to(walk::to_body(animal.body, frame::frame_data[5].xyz), 5u);
    animal.left_antenna = antenna(-1.0, frame::frame_data[9].xyz);
    animal.right_antenna = antenna(1.0, frame::frame_data[10].xyz);
    return animal;
}

// ---- Shape ---------------------------------------------------------------------

var<private> animal: Animal;
// The current part (`parts::select_part`).
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

const RADII: limb::Radii = limb::Radii(0.046, 0.034, 0.022, 0.015, 0.009, 0.03);

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

// The part that was nearest in the last call of `raymarch::map`.
var<private> nearest_part: u32;
const TRUNK: u32 = 0u;
const EYE: u32 = 1u;
const ANTENNA: u32 = 2u;

// Distance to trunk, eyes and antennae.
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

// Radius of a sphere that contains the animal, around a point near the body's origin.
const EXTENT: f32 = 3.1;

override fn walker::candidates(origin: vec3f, direction: vec3f, margin: f32) -> walker::Candidates {
    let all = bounds::sphere_span(origin, direction, vec3f(-0.2, 0.0, 0.0), EXTENT + margin);
    if !bounds::is_ahead(all) {
        return walker::Candidates(bounds::EMPTY, 0u);
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
    return walker::Candidates(bounds::Span(max(whole.t_near, 0.0), whole.t_far), legs);
}

// The leg's bit if a ray can meet it, else 0.
fn leg_bit(leg: u32, origin: vec3f, direction: vec3f, part: Limb, margin: f32) -> u32 {
    let touched = limb::leg_touches(origin, direction, part.bones, RADII, part.upper, margin);
    return select(0u, 1u << leg, touched);
}

// ---- The water -----------------------------------------------------------------

const RINGS: water::Rings = water::Rings(0.95, 26.0, 0.75);
const RING_HEIGHT: f32 = 0.022;
const DENT_RADIUS: f32 = 0.155;
const POND_DEPTH: f32 = 0.85;

// Load of a foot on the water, 0 to 1: eased at both ends of the stance.
fn weight_of(leg: u32, time: f32) -> f32 {
    let cycle = time / WALK.period + phase_of(leg);
    let cycle_phase = cycle - floor(cycle);
    return smoothstep(0.0, 0.06, cycle_phase) * (1.0 - smoothstep(WALK.duty - 0.06, WALK.duty, cycle_phase));
}

// Largest distance of a leg's rings from the mean of its last three footholds.
const RINGS_REACH: f32 = 4.6;

// The legs whose rings can reach p of the water, one bit each.
fn legs_near(p: vec2f) -> u32 {
    let q = walk::to_body(animal.body, vec3f(p.x, 0.0, p.y)).xz;
    return rings_bit(0u, q) | rings_bit(1u, q) | rings_bit(2u, q)
        | rings_bit(3u, q) | rings_bit(4u, q) | rings_bit(5u, q);
}

// The leg's bit if its rings can reach q, xz of body space, else 0.
fn rings_bit(leg: u32, q: vec2f) -> u32 {
    // The mean of the last three footholds is one stride behind the neutral position.
    let offset = q - neutral_foot_of(leg) + vec2f(WALK.stride, 0.0);
    return select(0u, 1u << leg, dot(offset, offset) < RINGS_REACH * RINGS_REACH);
}

// The water's surface at one point.
struct Water {
    // x = height, yz = slope.
    shape: vec3f,
    // Sunlight on the floor below, relative to that under level water (caustics).
    gathered: f32,
}

// The surface with the dent of a foot: xyz = position in world space, w = load.
fn dented(water_shape: Water, p: vec2f, foot: vec4f) -> Water {
    let away = p - foot.xz;
    let shape = water_shape.shape + 0.060 * foot.w * water::dent(away, DENT_RADIUS);
    // A dent refracts the light outward: a dark disc with a bright rim.
    let r = length(away) / DENT_RADIUS;
    let disc = 1.0 - smoothstep(1.15, 1.5, r);
    let rim = exp(-16.0 * (r - 1.62) * (r - 1.62));
    return Water(shape, mix(water_shape.gathered, 0.08, foot.w * disc) + 0.9 * foot.w * rim);
}

// The water's surface at p: x = height, yz = slope, w = `gathered`. Waves finer than
// `footprint`, the length of water under a pixel, fade out.
fn water_surface(p: vec2f, footprint: f32, time: f32) -> vec4f {
    let breeze = water::wind(p, time / LOOP_SECONDS, footprint);
    var sum = 0.0018 * breeze;
    // Crests focus the light: a web of caustics on the floor.
    let crest = 1.0 - min(abs(breeze.x + 0.15), 1.0);
    var gathered = 0.72 + 0.75 * crest * crest * crest * crest;
    let fine = RINGS.frequency * footprint;
    let visible = exp(-0.3 * fine * fine);
    // Only legs whose rings can reach p take an iteration.
    for (var legs = legs_near(p); legs != 0u; legs &= legs - 1u) {
        let leg = firstTrailingBit(legs);
        let rings = water::rings_of_leg(p, WALK, phase_of(leg), neutral_foot_of(leg), time, RINGS);
        sum += RING_HEIGHT * visible * rings * vec3f(1.0, RINGS.frequency, RINGS.frequency);
        gathered += 1.3 * rings.x;
    }
    var water_shape = Water(sum, gathered);
    water_shape = dented(water_shape, p, frame::frame_data[0]);
    water_shape = dented(water_shape, p, frame::frame_data[1]);
    water_shape = dented(water_shape, p, frame::frame_data[2]);
    water_shape = dented(water_shape, p, frame::frame_data[3]);
    water_shape = dented(water_shape, p, frame::frame_data[4]);
    water_shape = dented(water_shape, p, frame::frame_data[5]);
    return vec4f(water_shape.shape, max(water_shape.gathered, 0.05));
}

// Albedo of the pond's floor at p, xz of the world: sand with pebbles. Grains finer than
// `footprint` fade out.
fn floor_albedo(p: vec2f, footprint: f32) -> vec3f {
    let large = noise::value_noise(p * 0.5, 15u, 3u).x;
    let middle = noise::value_noise(p * 4.0, 127u, 4u).x;
    let grain = noise::value_noise(p * 32.0, 1023u, 5u).x * exp(-400.0 * footprint * footprint);
    var albedo = mix(vec3f(0.26, 0.31, 0.24), vec3f(0.54, 0.50, 0.36), 0.5 + 0.5 * large);
    albedo *= 1.0 + 0.14 * middle + 0.16 * grain;
    // At most one pebble to a cell.
    let cell = floor(p * 2.0);
    let repeated = vec2i(cell) & vec2i(63);
    let random = noise::random_of(bitcast<u32>(repeated.x) * 64u + bitcast<u32>(repeated.y));
    let from_pebble = p * 2.0 - cell - (0.3 + 0.4 * random.xy);
    let size = 0.10 + 0.17 * random.z;
    // Their density varies with the sand's colour.
    let some = step(0.85 - 0.4 * large, random.w);
    let stretched = length(from_pebble * vec2f(1.0, 1.0 + random.x)) / size;
    let pebble = (1.0 - smoothstep(0.92, 1.0 + 3.0 * footprint / size, stretched)) * some;
    let stone = mix(vec3f(0.16, 0.17, 0.15), vec3f(0.50, 0.44, 0.36), fract(7.0 * random.w));
    let shade = 1.0 - 0.55 * (1.0 - smoothstep(0.9, 1.55, stretched)) * some;
    let dome = 1.15 - 0.5 * stretched * stretched + 0.5 * dot(from_pebble, TO_SUN.xz) / size;
    return mix(albedo * shade, stone * clamp(dome, 0.25, 1.5), pebble);
}

// ---- Light ---------------------------------------------------------------------

// Colour of the haze over the water.
const HAZE: vec3f = vec3f(1.0, 0.92, 0.80);

// Radiance of the morning sky in a unit direction: hazy, bright toward the sun.
fn sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, TO_SUN), 0.0);
    let air = mix(vec3f(0.40, 0.58, 0.78), vec3f(0.92, 0.88, 0.82), exp(-3.2 * up));
    // Trees on the far shore hide the lowest part of the sky.
    let angle = atan2(direction.z, direction.x) / path::TAU;
    let tops = 0.30 + 0.09 * noise::value_noise(vec2f(32.0 * angle, 0.0), 31u, 8u).x
        + 0.03 * noise::value_noise(vec2f(256.0 * angle, 0.0), 255u, 9u).x;
    let trees = mix(HAZE, vec3f(0.11, 0.19, 0.14), smoothstep(0.0, 0.22, up));
    let reeds = mix(trees, air, smoothstep(tops - 0.03, tops + 0.05, up));
    return reeds + vec3f(1.0, 0.85, 0.62) * (0.35 * pow(toward, 8.0) + 5.0 * pow(toward, 500.0));
}

const LIGHT: walker::DiscLight = walker::DiscLight(TO_SUN, SUN_ANGLE, LONGEST_SHADOW);

// Material of the animal at p of body space, with the unit normal in world space: brown
// velvet, silver belly, dark eyes.
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

// A refracted ray in the water.
struct Below {
    // Its point on the pond's floor, in world space.
    floor: vec3f,
    // Length of the ray in the water.
    path_length: f32,
    // Point of the surface at which the sunlight that falls there enters, xz of the world.
    entry: vec2f,
}

// The ray that meets the water at p along the unit vector `direction`, refracted at `normal`.
fn below(p: vec3f, direction: vec3f, normal: vec3f) -> Below {
    let down = refract(direction, normal, 0.75);
    let path_length = POND_DEPTH / max(-down.y, 0.2);
    let floor = p + path_length * down;
    let sunward = refract(-TO_SUN, vec3f(0.0, 1.0, 0.0), 0.75);
    return Below(floor, path_length, floor.xz + POND_DEPTH / sunward.y * sunward.xz);
}

// Radiance of the pond's floor; `visibility` is the fraction of the sun that the animal does
// not hide.
fn shade_floor(below_water: Below, visibility: f32, footprint: f32, time: f32) -> vec3f {
    let gathered = water_surface(below_water.entry, footprint, time).w;
    let albedo = floor_albedo(below_water.floor.xz, footprint);
    let lit = albedo * (0.62 * SUN * visibility * gathered + vec3f(0.36, 0.44, 0.46));
    // Water absorbs red most.
    return mix(
        vec3f(0.05, 0.20, 0.21), lit, exp(-vec3f(0.62, 0.26, 0.30) * below_water.path_length));
}

// Radiance of the animal at the hit point q of body space, seen along `direction` (world
// space); `visibility` is the fraction of the sun that is not hidden.
fn shade_animal(
    hit: raymarch::Hit,
    q: vec3f,
    direction: vec3f,
    visibility: f32,
    on_leg: bool,
) -> vec3f {
    let material = animal_material(q, animal.body.world_from_body * hit.normal, on_leg);
    // The light from below is that of the sand.
    let irradiance = light::hemisphere(
        material.normal, vec3f(0.52, 0.60, 0.68), vec3f(0.30, 0.30, 0.24));
    let reflection = sky(reflect(direction, material.normal));
    return light::shade(
        material,
        direction,
        light::DirectionalLight(TO_SUN, SUN),
        visibility,
        irradiance,
        reflection,
    );
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32) -> camera::Camera {
    let w = path::TAU / LOOP_SECONDS * time;
    let path_point = path::point_at(WALK.stride * time / WALK.period);
    let yaw = 0.98 + 0.30 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.30 + 0.05 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.08, 1.4);
    let middle = vec3f(path_point.x - 0.1, 0.12, path_point.y);
    return camera::orbit(
        middle, yaw, pitch, 7.0 / frame::frame.orbit.z, 0.275 * frame::widened(1.4));
}

#ifdef REFERENCE

override fn walker::limb_count() -> u32 {
    return LEGS;
}

override fn walker::limbs_distance(p: vec3f) -> f32 {
    return min(
        min(min(limb::leg_distance(p, animal.legs[0].bones, RADII),
                limb::leg_distance(p, animal.legs[1].bones, RADII)),
            min(limb::leg_distance(p, animal.legs[2].bones, RADII),
                limb::leg_distance(p, animal.legs[3].bones, RADII))),
        min(limb::leg_distance(p, animal.legs[4].bones, RADII),
            limb::leg_distance(p, animal.legs[5].bones, RADII)));
}

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return p.y;
}

#endif

// Layers of a pixel from front to back, one bit each.
const ANIMAL: u32 = 1u;
const FLOOR: u32 = 2u;
const MIRROR: u32 = 4u;

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let eye = unpack_camera();
    animal = unpack_animal();
    walker::body = animal.body;
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    let to_water = water::trace(eye.position, direction, 0.0, FAR);
    let is_water = to_water < FAR;
    let p = eye.position + to_water * direction;
    let footprint = pixel * to_water / max(-direction.y, 0.05);
    let wave = water_surface(p.xz, footprint, time);
    let normal = normalize(vec3f(-wave.y, 1.0, -wave.z));
    var reflected = reflect(direction, normal);
    reflected.y = max(reflected.y, 0.01);
    reflected = normalize(reflected);
    let below_water = below(p, direction, normal);
    // Weights of the light from the water: transmittance of the haze, Fresnel reflectance.
    let transmittance = select(1.0, exp(-0.0016 * to_water * to_water), is_water);
    let reflectance = select(1.0, shading::fresnel(dot(normal, -direction), 0.02), is_water);

    // The reflected ray starts `to_water` before the water, so that its width continues.
    // One loop for both: half the code for drivers to compile.
    var direct_ray: walker::Ray;
    var mirrored_ray: walker::Ray;
    for (var i = 0; i < 2; i++) {
        mirrored_ray = direct_ray;
        let is_direct = i == 1;
        direct_ray = walker::ray_to_body(
            select(p - to_water * reflected, eye.position, is_direct),
            select(reflected, direction, is_direct),
            select(to_water, 0.0, is_direct),
            select(2.0 * FAR, to_water + 0.02, is_direct),
            pixel,
            EXTENT,
        );
    }

    // One loop for all layers, of which most pixels have one.
    var layers = select(ANIMAL, 0u, walker::is_miss(direct_ray));
    if is_water {
        layers |= FLOOR | select(MIRROR, 0u, walker::is_miss(mirrored_ray));
    }
    var color = vec3f(0.0);
    var remaining = 1.0;
    var reflection_remaining = transmittance * reflectance;
    for (; layers != 0u && remaining > 0.0; layers &= layers - 1u) {
        let layer = layers & (~layers + 1u);
        let is_floor = layer == FLOOR;
        var ray = direct_ray;
        if layer == MIRROR {
            ray = mirrored_ray;
        }
        if is_floor {
            ray = walker::miss(ray);
        }
        let body_hit = walker::intersect(ray);
        let hit = body_hit.hit;
        let q = walk::to_body(animal.body, ray.origin + hit.distance * ray.direction);
        let entry_in_body = walk::to_body(
            animal.body, vec3f(below_water.entry.x, 0.004, below_water.entry.y));
        let shaded_point = select(q + 0.012 * hit.normal, entry_in_body, is_floor);
        let visibility = walker::visibility_at(
            shaded_point, hit.normal, 0.0, hit.distance, LIGHT).soft_shadow;
        if is_floor {
            color += remaining * transmittance * (1.0 - reflectance)
                * shade_floor(below_water, visibility, footprint, time);
            continue;
        }
        let radiance = hit.coverage * shade_animal(hit, q, ray.direction, visibility, body_hit.on_limb);
        if layer == MIRROR {
            color += remaining * reflection_remaining * radiance;
            reflection_remaining *= 1.0 - hit.coverage;
        } else {
            color += remaining * radiance;
            remaining *= 1.0 - hit.coverage;
        }
    }
    let background = sky(select(direction, reflected, is_water));
    color += remaining * (reflection_remaining * background + (1.0 - transmittance) * HAZE);

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.55);
    color *= 1.0 - 0.22 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(shading::tone_map_aces(0.72 * color)) + dither;
}
