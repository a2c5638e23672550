// The water strider: six long legs row over a clear pond on a pale morning.
//
// Nothing breaks the surface: every foot that stands dents it, and rings run out
// from where feet touched down and lifted off. The sun draws the dents on the
// sand below as dark discs with bright rims.

#import tarsus::bounds
#import tarsus::camera
#import tarsus::frame
#import tarsus::gait
#import tarsus::ik
#import tarsus::light
#import tarsus::limb
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
    let rows = array<vec2f, 3>(vec2f(1.05, 0.52), vec2f(0.72, 1.95), vec2f(-1.70, 1.50));
    return rows[row_of(leg)] * vec2f(1.0, side_of(leg));
}

const REST_CENTRE: vec2f = vec2f(0.0233, 0.0);

// Where a leg meets the body (x ahead, y up, z right).
fn hip_of(leg: u32) -> vec3f {
    let rows = array<vec3f, 3>(
        vec3f(0.44, -0.05, 0.07), vec3f(0.10, -0.05, 0.11), vec3f(-0.06, -0.05, 0.11));
    return rows[row_of(leg)] * vec3f(1.0, 1.0, side_of(leg));
}

// The walk is on water, which is level.
override fn walk::ground(p: vec2f) -> f32 {
    return 0.0;
}

const TO_SUN: vec3f = vec3f(-0.5298, 0.6623, -0.5298);
const SUN_ANGLE: f32 = 0.03;
const SUN: vec3f = vec3f(2.5, 2.3, 1.95);
const FAR: f32 = 80.0;

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

fn antenna(side: f32, time: f32) -> limb::Curve {
    let w = path::TURN / LOOP_SECONDS * time;
    let base = vec3f(0.70, 0.05, 0.05 * side);
    let tip = base + vec3f(0.50, 0.10 + 0.06 * sin(17.0 * w + side), 0.28 * side + 0.05 * sin(13.0 * w));
    return limb::feeler(base, tip, 0.30, 0.34, vec3f(0.0, 1.0, 0.6 * side));
}

fn animal_at(time: f32) -> Animal {
    var animal: Animal;
    var feet: array<vec3f, LEGS>;
    var support = walk::no_support();
    for (var leg = 0u; leg < LEGS; leg++) {
        let foot = foot_at(leg, time);
        support = walk::supported(support, rest_of(leg), foot);
        feet[leg] = foot.position;
    }
    animal.body = body_over(support, time);
    for (var leg = 0u; leg < LEGS; leg++) {
        animal.legs[leg] = leg_to(walk::to_body(animal.body, feet[leg]), leg);
    }
    animal.left_antenna = antenna(-1.0, time);
    animal.right_antenna = antenna(1.0, time);
    return animal;
}

// ---- Its shape ---------------------------------------------------------------

var<private> animal: Animal;
// Which parts the present ray can touch: TRUNK, ANTENNAE, FIRST_LEG << leg.
var<private> touched: u32;

const TRUNK: u32 = 1u;
const ANTENNAE: u32 = 2u;
const FIRST_LEG: u32 = 4u;

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
    return min(sdf::smooth_union(sdf::smooth_union(body, head, 0.05), beak, 0.03), eye_distance(p));
}

fn antennae_distance(p: vec3f) -> f32 {
    return min(
        limb::curve_distance(p, animal.left_antenna, 0.014, 0.010, 0.005),
        limb::curve_distance(p, animal.right_antenna, 0.014, 0.010, 0.005),
    );
}

// Distance to the parts of the animal that `touched` names, in body space.
override fn raymarch::map(p: vec3f) -> f32 {
    var d = 1e3;
    if (touched & TRUNK) != 0u {
        d = trunk_distance(p);
    }
    if (touched & ANTENNAE) != 0u {
        d = min(d, antennae_distance(p));
    }
    // Not a loop: legs picked by a running index are slow to fetch.
    if (touched & 4u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[0].bones, GIRTH), 0.02);
    }
    if (touched & 8u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[1].bones, GIRTH), 0.02);
    }
    if (touched & 16u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[2].bones, GIRTH), 0.02);
    }
    if (touched & 32u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[3].bones, GIRTH), 0.02);
    }
    if (touched & 64u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[4].bones, GIRTH), 0.02);
    }
    if (touched & 128u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[5].bones, GIRTH), 0.02);
    }
    return d;
}

// What a ray in body space can touch; `margin` widens everything.
fn sight(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Sight {
    let all = bounds::through_ball(origin, direction, vec3f(-0.2, 0.0, 0.0), 3.1 + margin);
    var seen = bounds::UNSEEN;
    if all.near > all.far || all.far < 0.0 {
        return seen;
    }
    let trunk = bounds::through_capsule(
        origin, direction, vec3f(-1.0, 0.05, 0.0), vec3f(0.70, -0.01, 0.0), 0.17 + margin);
    let antennae = bounds::joined(
        limb::curve_span(origin, direction, animal.left_antenna, 0.02 + margin),
        limb::curve_span(origin, direction, animal.right_antenna, 0.02 + margin),
    );
    seen = bounds::noted(bounds::noted(seen, trunk, TRUNK), antennae, ANTENNAE);
    for (var leg = 0u; leg < LEGS; leg++) {
        let span = limb::leg_span(origin, direction, animal.legs[leg].bones, GIRTH, margin);
        seen = bounds::noted(seen, span, FIRST_LEG << leg);
    }
    return seen;
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
    for (var leg = 0u; leg < LEGS; leg++) {
        let rings = water::rings_of_leg(p, WALK, phase_of(leg), rest_of(leg), time, RINGS);
        sum += RING_HEIGHT * seen * rings * vec3f(1.0, RINGS.frequency, RINGS.frequency);
        gathered += 1.3 * rings.x;
        let foot = foot_at(leg, time).position.xz;
        let weight = weight_of(leg, time);
        let dent = water::dent(p - foot, DENT_RADIUS);
        sum += 0.060 * weight * dent;
        // A dent spreads the light: a dark disc, and a bright rim around it.
        let r = distance(p, foot) / DENT_RADIUS;
        let disc = 1.0 - smoothstep(1.15, 1.5, r);
        let rim = exp(-16.0 * (r - 1.62) * (r - 1.62));
        gathered = mix(gathered, 0.08, weight * disc) + 0.9 * weight * rim;
    }
    return vec4f(sum, max(gathered, 0.05));
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

// Share of the sun that the animal lets through to a point of body space.
fn sun_past_animal(q: vec3f) -> f32 {
    let to_sun = TO_SUN * animal.body.world_from_body;
    let shade = sight(q, to_sun, 2.5 * SUN_ANGLE);
    touched = shade.parts;
    if touched == 0u {
        return 1.0;
    }
    return raymarch::soft_shadow(q, to_sun, max(0.02, shade.span.near), shade.span.far, SUN_ANGLE);
}

// Brown velvet with a silver belly, and dark eyes; p in body space, the normal
// in the world.
fn coat_at(p: vec3f, normal: vec3f) -> light::Surface {
    if eye_distance(p) < 0.004 {
        return light::Surface(normal, vec3f(0.030, 0.008, 0.006), vec3f(0.07), 0.12, 0.0, 0.0);
    }
    if trunk_distance(p) < 0.01 {
        let belly = 1.0 - smoothstep(-0.06, 0.02, p.y);
        let stripe = (1.0 - smoothstep(0.018, 0.030, abs(abs(p.z) - 0.062))) * step(0.02, p.y) * step(p.x, 0.5);
        let back = mix(vec3f(0.060, 0.042, 0.028), vec3f(0.42, 0.30, 0.14), 0.75 * stripe);
        return light::Surface(normal, mix(back, vec3f(0.62, 0.62, 0.60), belly), vec3f(0.04), 0.35, 1.4, 0.0);
    }
    return light::Surface(normal, vec3f(0.075, 0.046, 0.028), vec3f(0.05), 0.32, 0.9, 0.25);
}

// The animal where a ray in the world meets it at `q` of body space.
fn lit_animal(q: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let flat_normal = raymarch::normal(q, 0.0006 * distance);
    let world_from_body = animal.body.world_from_body;
    let surface = coat_at(q, world_from_body * flat_normal);
    let share = sun_past_animal(q + 0.012 * flat_normal);
    // Light comes back from the sand below as well.
    let around = light::from_sky(surface.normal, vec3f(0.52, 0.60, 0.68), vec3f(0.30, 0.30, 0.24));
    let mirrored = sky(reflect(direction, surface.normal));
    return light::leaving(surface, direction, light::Lamp(TO_SUN, SUN), share, around, mirrored);
}

// The pond's floor seen at p of the surface along the unit vector `direction`.
fn lit_floor(p: vec3f, direction: vec3f, normal: vec3f, footprint: f32, time: f32) -> vec3f {
    let down = refract(direction, normal, 0.75);
    let way = POND_DEPTH / max(-down.y, 0.2);
    let below = p + way * down;
    // Where the sunlight that falls there came through the surface.
    let sunward = refract(-TO_SUN, vec3f(0.0, 1.0, 0.0), 0.75);
    let through = below.xz + POND_DEPTH / sunward.y * sunward.xz;
    let gathered = surface_at(through, footprint, time).w;
    let entry = vec3f(through.x, 0.004, through.y);
    let share = gathered * sun_past_animal(walk::to_body(animal.body, entry));
    let albedo = floor_albedo(below.xz, footprint);
    let shown = albedo * (0.62 * SUN * share + vec3f(0.36, 0.44, 0.46));
    // Water takes red first.
    return mix(vec3f(0.05, 0.20, 0.21), shown, exp(-vec3f(0.62, 0.26, 0.30) * way));
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

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    animal = animal_at(time);
    let eye = camera_at(time);
    let first = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    // The ray to the eye may come from the water: then its other end is met along
    // the mirrored ray, which is followed first.
    let to_water = water::trace(eye.position, first, 0.0, FAR);
    let p = eye.position + to_water * first;
    let footprint = pixel * to_water / max(-first.y, 0.05);
    let wave = surface_at(p.xz, footprint, time);
    let normal = normalize(vec3f(-wave.y, 1.0, -wave.z));
    var mirrored = reflect(first, normal);
    mirrored.y = max(mirrored.y, 0.01);
    mirrored = normalize(mirrored);

    var color = sky(mirrored);
    for (var layer = 0; layer < 2; layer++) {
        let is_mirror = layer == 0;
        let direction = select(first, mirrored, is_mirror);
        let origin = select(eye.position, p, is_mirror);
        let begun = select(0.0, to_water, is_mirror);
        if !is_mirror {
            // Water: what it mirrors over what lies below.
            let shine = shading::fresnel(dot(normal, -first), 0.02);
            let below = lit_floor(p, first, normal, footprint, time);
            color = mix(below, color, shine);
            color = shading::through_air(color, HAZE, to_water, 0.040);
            color = select(sky(first), color, to_water < FAR);
        }
        let origin_in_body = walk::to_body(animal.body, origin);
        let direction_in_body = direction * animal.body.world_from_body;
        let seen = sight(origin_in_body, direction_in_body, 0.02);
        touched = seen.parts;
        if touched == 0u {
            continue;
        }
        // A mirrored ray starts with the width that it had at the water.
        let near = max(seen.span.near, 0.01) + begun;
        let back = origin_in_body - begun * direction_in_body;
        let met = raymarch::march(back, direction_in_body, near, seen.span.far + begun, pixel);
        if met.coverage > 0.0 && (is_mirror || met.distance < to_water + 0.02) {
            touched = seen.parts;
            let shown = lit_animal(back + met.distance * direction_in_body, direction, met.distance);
            color = mix(color, shown, met.coverage);
        }
    }

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.55);
    color *= 1.0 - 0.22 * dot(from_centre, from_centre);
    return palette::display(shading::tone_map(0.72 * color)) + vec4f(vec3f(shading::dither(frag_coord)), 0.0);
}
