// The crane: a tall bird wades past the setting sun, knees bent backward.
//
// Two legs take turns with a moment on both; the body sways over the foot that
// stands and the head, as birds' heads do, waits in its place and then follows.
// The water is a mirror: a ray that meets it goes on along the mirrored ray.

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

fn leg_to(foot_in_body: vec3f, leg: u32) -> Limb {
    let tarsus = vec3f(0.0, -1.0, 0.0);
    let knee = vec3f(-1.0, 0.0, 0.06 * side_of(leg));
    return Limb(limb::bent_leg(foot_in_body, hip_of(leg), knee, tarsus, LENGTHS), 0.0);
}

// How far the head is ahead of its mean place: it stands still in the world for
// most of a step, then catches up. Twice in a cycle.
fn head_lead(time: f32) -> f32 {
    let steps = 2.0 * (time / WALK.period) + 0.15;
    let part = steps - floor(steps);
    let caught_up = smoothstep(0.60, 1.0, part);
    return 0.5 * WALK.stride * (caught_up - part) * 0.42;
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
        animal.legs[leg].hanging = smoothstep(0.0, 0.6, feet[leg].y / WALK.lift);
    }
    let w = path::TURN / LOOP_SECONDS * time;
    let glance = 0.05 * sin(3.0 * w);
    animal.head = vec3f(1.18 + head_lead(time), 1.20 + 0.05 * sin(2.0 * w), glance);
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
// Which parts the present ray can touch: TRUNK, NECK, FIRST_LEG << leg.
var<private> touched: u32;

const TRUNK: u32 = 1u;
const NECK: u32 = 2u;
const FIRST_LEG: u32 = 4u;

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

fn trunk_distance(p: vec3f) -> f32 {
    return sdf::smooth_union(breast_distance(p), bustle_distance(p), 0.06);
}

// Head space: origin in the skull's middle.
fn bill_distance(q: vec3f) -> f32 {
    return sdf::tapered_capsule(q, vec3f(0.08, -0.015, 0.0), vec3f(0.50, -0.075, 0.0), 0.040, 0.008);
}

fn neck_distance(p: vec3f) -> f32 {
    let q = p - animal.head;
    let skull = sdf::ellipsoid(q, vec3f(0.145, 0.092, 0.082));
    let head = sdf::smooth_union(skull, bill_distance(q), 0.03);
    let neck = sdf::smooth_union(
        limb::curve_distance(p, animal.lower_neck, 0.150, 0.070, 0.03),
        limb::curve_distance(p, animal.upper_neck, 0.070, 0.056, 0.03),
        0.02,
    );
    return sdf::smooth_union(neck, head, 0.05);
}

// Three toes ahead and one behind, from the foot.
fn toes_distance(p: vec3f, one: Limb) -> f32 {
    let q = p - one.bones.foot;
    let side = vec3f(q.xy, abs(q.z));
    let down = one.hanging;
    let ahead = mix(vec3f(0.36, 0.0, 0.0), vec3f(-0.05, -0.34, 0.0), down);
    let aside = mix(vec3f(0.28, 0.0, 0.17), vec3f(-0.03, -0.30, 0.04), down);
    let behind = mix(vec3f(-0.13, 0.0, 0.0), vec3f(-0.05, -0.11, 0.0), down);
    return min(
        sdf::tapered_capsule(q, vec3f(0.0), behind, 0.022, 0.010),
        min(sdf::tapered_capsule(q, vec3f(0.0), ahead, 0.024, 0.010),
            sdf::tapered_capsule(side, vec3f(0.0), aside, 0.024, 0.010)),
    );
}

fn leg_distance(p: vec3f, one: Limb) -> f32 {
    let knob = sdf::sphere(p - one.bones.knee, 0.047);
    let leg = sdf::smooth_union(limb::leg_distance(p, one.bones, GIRTH), knob, 0.04);
    return min(leg, toes_distance(p, one));
}

// Distance to the parts of the animal that `touched` names, in body space.
override fn raymarch::map(p: vec3f) -> f32 {
    var d = 1e3;
    if (touched & TRUNK) != 0u {
        d = trunk_distance(p);
    }
    if (touched & NECK) != 0u {
        d = sdf::smooth_union(d, neck_distance(p), 0.10);
    }
    if (touched & 4u) != 0u {
        d = sdf::smooth_union(d, leg_distance(p, animal.legs[0]), 0.07);
    }
    if (touched & 8u) != 0u {
        d = sdf::smooth_union(d, leg_distance(p, animal.legs[1]), 0.07);
    }
    return d;
}

// What a ray in body space can touch; `margin` widens everything.
fn sight(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Sight {
    let all = bounds::through_ball(origin, direction, vec3f(0.1, -0.4, 0.0), 2.5 + margin);
    var seen = bounds::UNSEEN;
    if all.near > all.far || all.far < 0.0 {
        return seen;
    }
    let trunk = bounds::joined(
        bounds::through_capsule(
            origin, direction, vec3f(-0.45, -0.1, 0.0), vec3f(0.42, 0.1, 0.0), 0.40 + margin),
        bounds::through_capsule(
            origin, direction, vec3f(-0.55, 0.05, 0.0), vec3f(-0.95, -0.40, 0.0), 0.36 + margin),
    );
    let neck = bounds::joined(
        bounds::joined(
            limb::curve_span(origin, direction, animal.lower_neck, 0.17 + margin),
            limb::curve_span(origin, direction, animal.upper_neck, 0.10 + margin)),
        bounds::through_capsule(
            origin, direction, animal.head, animal.head + vec3f(0.46, -0.07, 0.0), 0.15 + margin),
    );
    seen = bounds::noted(bounds::noted(seen, trunk, TRUNK), neck, NECK);
    for (var leg = 0u; leg < LEGS; leg++) {
        let bones = animal.legs[leg].bones;
        let span = bounds::joined(
            limb::leg_span(origin, direction, bones, GIRTH, 0.03 + margin),
            bounds::through_ball(origin, direction, bones.foot, 0.39 + margin));
        seen = bounds::noted(seen, span, FIRST_LEG << leg);
    }
    return seen;
}

// ---- Sky and water ---------------------------------------------------------------

// Dusk: a great low sun in haze, rose above it, blue overhead; hills at the edge.
fn sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, TO_SUN), 0.0);
    let sunward = 0.5 + 0.5 * toward;
    let low = mix(vec3f(0.30, 0.20, 0.30), vec3f(1.05, 0.42, 0.16), pow(toward, 3.0));
    let middle = mix(vec3f(0.22, 0.20, 0.36), vec3f(0.72, 0.30, 0.26), sunward * sunward);
    let high = vec3f(0.085, 0.13, 0.30);
    var air = mix(middle, low, exp(-9.0 * up));
    air = mix(high, air, exp(-2.6 * up));
    // Bars of cloud, thin and lit from below.
    let angle = atan2(direction.z, direction.x) / path::TURN;
    let bars = noise::value_noise(vec2f(angle * 32.0, up * 34.0), 31u, 19u).x
        + 0.5 * noise::value_noise(vec2f(angle * 64.0, up * 80.0), 63u, 20u).x;
    let cloud = smoothstep(0.15, 0.95, bars) * smoothstep(0.03, 0.10, up) * (1.0 - smoothstep(0.15, 0.50, up));
    air = mix(air, mix(vec3f(0.20, 0.13, 0.22), vec3f(1.25, 0.50, 0.24), pow(toward, 2.0)), 0.55 * cloud);
    return air + vec3f(1.2, 0.55, 0.18) * (0.35 * pow(toward, 24.0) + 0.5 * pow(toward, 160.0));
}

// Two ranges of hills along the edge of the flat, as their heights by direction.
fn backdrop(direction: vec3f) -> vec3f {
    let angle = atan2(direction.z, direction.x) / path::TURN;
    let soft = 0.0015;
    let disc = smoothstep(0.99500, 0.99530, dot(direction, TO_SUN));
    var color = sky(direction) + vec3f(2.6, 1.15, 0.35) * disc;
    for (var range = 0u; range < 2u; range++) {
        let n = f32(range);
        let ridge = 0.052 - 0.024 * n
            + 0.020 * noise::value_noise(vec2f(angle * 16.0 * (1.0 + n), n), 15u + 16u * range, 31u).x
            + 0.006 * noise::value_noise(vec2f(angle * 128.0, n), 127u, 32u).x;
        let hill = mix(vec3f(0.30, 0.16, 0.20), vec3f(0.12, 0.075, 0.13), n);
        let lit = mix(hill, sky(vec3f(direction.x, 0.0, direction.z)), 0.34 - 0.16 * n);
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

// White plumage, black neck and bustle, red crown; q in body space, the normal
// in the world.
fn plumage_at(q: vec3f, normal: vec3f) -> light::Surface {
    let in_head = q - animal.head;
    let white = vec3f(0.74, 0.72, 0.72);
    let black = vec3f(0.022, 0.022, 0.027);
    let to_trunk = trunk_distance(q);
    let to_neck = neck_distance(q);
    if min(to_trunk, to_neck) > 0.035 {
        // Down on the thigh, horn below.
        var along = vec2f(1e3, 0.0);
        for (var leg = 0u; leg < LEGS; leg++) {
            let place = limb::place_along(q, animal.legs[leg].bones);
            along = select(along, place, place.x < along.x);
        }
        let down = 1.0 - smoothstep(0.50, 0.62, along.y);
        return light::Surface(normal, mix(vec3f(0.045, 0.040, 0.042), white, down), vec3f(0.04), 0.4, 1.2 * down, 0.0);
    }
    if to_neck < to_trunk {
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
        var color = mix(mix(white, black, throat), white, nape * step(-0.5, in_head.x));
        color = mix(color, vec3f(0.55, 0.02, 0.015), crown);
        return light::Surface(normal, color, vec3f(0.02), 0.5, 1.3, 0.0);
    }
    let bustle = (1.0 - smoothstep(0.0, 0.035, bustle_distance(q))) * (1.0 - smoothstep(-0.60, -0.48, q.x));
    let feather = 0.5 + 0.5 * sin(30.0 * q.x - 22.0 * q.y + 6.0 * sin(9.0 * q.y));
    let color = mix(white * (0.92 + 0.08 * feather), black, bustle);
    return light::Surface(normal, color, vec3f(0.02), 0.55, 1.5, 0.25 * (1.0 - bustle));
}

// The animal where a ray in the world meets it at `q` of body space.
fn lit_animal(q: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let flat_normal = raymarch::normal(q, 0.0007 * distance);
    let world_from_body = animal.body.world_from_body;
    let grain = vec3f(1.0, 2.2, 2.2);
    let tilted = normalize(flat_normal + 0.07 * light::bumps(q * grain, 20.0));
    let surface = plumage_at(q, world_from_body * tilted);
    let to_glow = TO_GLOW * world_from_body;
    let shade = sight(q + 0.012 * flat_normal, to_glow, 0.1);
    touched = shade.parts;
    var share = 1.0;
    if touched != 0u {
        share = raymarch::soft_shadow(
            q + 0.012 * flat_normal, to_glow, max(0.03, shade.span.near), shade.span.far, SUN_ANGLE);
    }
    touched = TRUNK | NECK;
    let open = raymarch::occlusion(q, flat_normal, 0.4);
    var around = light::from_sky(surface.normal, vec3f(0.23, 0.26, 0.46), vec3f(0.32, 0.20, 0.20));
    around += vec3f(0.62, 0.27, 0.13) * pow(0.5 + 0.5 * dot(surface.normal, TO_SUN), 2.0);
    let mirrored = sky(reflect(direction, surface.normal));
    return light::leaving(surface, direction, light::Lamp(TO_GLOW, GLOW), share, around * open, mirrored * open);
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

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    animal = animal_at(time);
    let eye = camera_at(time);
    let first = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    // Where the ray meets the water, and how it goes on.
    let to_water = water::trace(eye.position, first, LEVEL, FAR);
    let p = eye.position + to_water * first;
    let footprint = pixel * to_water / max(-first.y, 0.01);
    let normal = water_normal(p.xz, footprint, time);
    var mirrored = reflect(first, normal);
    mirrored.y = max(mirrored.y, 0.003);
    mirrored = normalize(mirrored);

    // What the mirrored ray meets first, then the water over it, then the ray itself.
    var color = backdrop(mirrored);
    for (var layer = 0; layer < 2; layer++) {
        let is_mirror = layer == 0;
        let direction = select(first, mirrored, is_mirror);
        let origin = select(eye.position, p, is_mirror);
        let begun = select(0.0, to_water, is_mirror);
        if !is_mirror {
            let shine = shading::fresnel(dot(normal, -first), 0.02);
            let deep = vec3f(0.030, 0.035, 0.055);
            color = mix(deep, color * vec3f(0.90, 0.92, 0.97), 0.25 + 0.75 * shine);
            // The far edge melts into the haze under the hills.
            color = shading::through_air(color, sky(vec3f(first.x, 0.0, first.z)) * 0.75, to_water, 0.0075);
            color = select(backdrop(first), color, to_water < FAR);
        }
        let origin_in_body = walk::to_body(animal.body, origin);
        let direction_in_body = direction * animal.body.world_from_body;
        let seen = sight(origin_in_body, direction_in_body, 0.03);
        touched = seen.parts;
        if touched == 0u {
            continue;
        }
        // A mirrored ray starts with the width that it had at the water.
        let near = max(seen.span.near, 0.01) + begun;
        let back = origin_in_body - begun * direction_in_body;
        let met = raymarch::march(back, direction_in_body, near, seen.span.far + begun, pixel);
        if met.coverage > 0.0 && (is_mirror || met.distance < to_water) {
            touched = seen.parts;
            let shown = lit_animal(back + met.distance * direction_in_body, direction, met.distance);
            color = mix(color, shown, met.coverage);
        }
    }

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.50);
    color *= 1.0 - 0.28 * dot(from_centre, from_centre);
    return palette::display(shading::tone_map(0.85 * color)) + vec4f(vec3f(shading::dither(frag_coord)), 0.0);
}
