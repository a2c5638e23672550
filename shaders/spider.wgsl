// The spider: eight legs over moss by moonlight, among fireflies.
//
// Legs of both sides alternate in two sets of four (gait::tetrapod_phase). The
// moon stands behind the animal, so that down and moss glow at their edges; the
// fireflies light what is near them and mirror themselves in eight eyes.

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
    let rows = array<vec2f, 4>(
        vec2f(1.50, 0.72), vec2f(0.72, 1.42), vec2f(-0.42, 1.50), vec2f(-1.50, 0.98));
    return rows[row_of(leg)] * vec2f(1.0, side_of(leg));
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

// ---- The animal at this instant -------------------------------------------

// In body space.
struct Animal {
    body: walk::Body,
    legs: array<Limb, LEGS>,
    left_palp: limb::Curve,
    right_palp: limb::Curve,
}

struct Limb {
    bones: ik::Leg,
}

fn foot_at(leg: u32, time: f32) -> walk::Foot {
    return walk::foot_at(WALK, phase_of(leg), rest_of(leg), time);
}

fn body_over(support: walk::Support, time: f32) -> walk::Body {
    let cycle = time / WALK.period;
    let bob = 0.015 * cos(2.0 * path::TURN * cycle);
    return walk::body_over(support, REST_CENTRE, WALK.stride * cycle, CLEARANCE + bob, 0.75);
}

fn leg_to(foot_in_body: vec3f, leg: u32) -> Limb {
    let hip = hip_of(leg);
    let rest = rest_of(leg);
    let outward = normalize(vec3f(rest.x - hip.x, 0.0, rest.y - hip.z));
    let up = vec3f(0.0, 1.0, 0.0);
    let tarsus = normalize(0.55 * outward - up);
    return Limb(ik::solve_leg(foot_in_body, hip, up, outward, tarsus, LENGTHS));
}

// The palps feel the ground ahead in turns.
fn palp(side: f32, time: f32) -> limb::Curve {
    let w = path::TURN / LOOP_SECONDS * time;
    let base = vec3f(0.50, -0.07, 0.10 * side);
    let tap = sin(29.0 * w + 1.6 * side);
    let tip = base + vec3f(0.34 + 0.04 * tap, -0.24 + 0.08 * tap, 0.09 * side);
    return limb::feeler(base, tip, 0.26, 0.26, vec3f(0.4, 1.0, 0.4 * side));
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
    animal.left_palp = palp(-1.0, time);
    animal.right_palp = palp(1.0, time);
    return animal;
}

// ---- Its shape ---------------------------------------------------------------

var<private> animal: Animal;
// Which parts the present ray can touch: TRUNK, PALPS, FIRST_LEG << leg.
var<private> touched: u32;

const TRUNK: u32 = 1u;
const PALPS: u32 = 2u;
const FIRST_LEG: u32 = 4u;

const GIRTH: limb::Girth = limb::Girth(0.085, 0.070, 0.050, 0.030, 0.012, 0.12);
const EYES: u32 = 4u;

// Eyes of one side, from the large pair in the middle outward: centre, radius.
fn eye(index: u32) -> vec4f {
    let eyes = array<vec4f, EYES>(
        vec4f(0.510, 0.085, 0.092, 0.086), vec4f(0.465, 0.130, 0.222, 0.056),
        vec4f(0.400, 0.235, 0.130, 0.058), vec4f(0.290, 0.235, 0.215, 0.050));
    return eyes[index];
}

// Distance to the nearest eye, and the vector from its centre.
fn eye_at(p: vec3f) -> vec4f {
    let side = vec3f(p.xy, abs(p.z));
    var nearest = vec4f(0.0, 0.0, 0.0, 1e3);
    for (var i = 0u; i < EYES; i++) {
        let from_centre = side - eye(i).xyz;
        let d = length(from_centre) - eye(i).w;
        nearest = select(nearest, vec4f(from_centre, d), d < nearest.w);
    }
    return vec4f(nearest.xy, nearest.z * sign(p.z), nearest.w);
}

fn abdomen_distance(p: vec3f) -> f32 {
    let q = p - vec3f(-0.82, 0.15, 0.0);
    let shape = sdf::ellipsoid(q, vec3f(0.60, 0.41, 0.45));
    let spinneret = sdf::tapered_capsule(p, vec3f(-1.30, 0.08, 0.0), vec3f(-1.52, 0.02, 0.0), 0.09, 0.04);
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
    let jaw = sdf::tapered_capsule(side, vec3f(0.47, -0.05, 0.085), vec3f(0.57, -0.27, 0.09), 0.085, 0.060);
    let fang = sdf::tapered_capsule(side, vec3f(0.57, -0.29, 0.10), vec3f(0.52, -0.40, 0.05), 0.028, 0.006);
    return min(jaw, fang);
}

fn palps_distance(p: vec3f) -> f32 {
    return min(
        limb::curve_distance(p, animal.left_palp, 0.042, 0.036, 0.02),
        limb::curve_distance(p, animal.right_palp, 0.042, 0.036, 0.02),
    );
}

fn trunk_distance(p: vec3f) -> f32 {
    let head = sdf::smooth_union(shield_distance(p), jaw_distance(p), 0.03);
    return min(sdf::smooth_union(head, abdomen_distance(p), 0.05), eye_at(p).w);
}

// Distance to the parts of the animal that `touched` names, in body space.
override fn raymarch::map(p: vec3f) -> f32 {
    var d = 1e3;
    if (touched & TRUNK) != 0u {
        d = trunk_distance(p);
    }
    if (touched & PALPS) != 0u {
        d = min(d, palps_distance(p));
    }
    // Not a loop: legs picked by a running index are slow to fetch.
    if (touched & 4u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[0].bones, GIRTH), 0.03);
    }
    if (touched & 8u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[1].bones, GIRTH), 0.03);
    }
    if (touched & 16u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[2].bones, GIRTH), 0.03);
    }
    if (touched & 32u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[3].bones, GIRTH), 0.03);
    }
    if (touched & 64u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[4].bones, GIRTH), 0.03);
    }
    if (touched & 128u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[5].bones, GIRTH), 0.03);
    }
    if (touched & 256u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[6].bones, GIRTH), 0.03);
    }
    if (touched & 512u) != 0u {
        d = sdf::smooth_union(d, limb::leg_distance(p, animal.legs[7].bones, GIRTH), 0.03);
    }
    return d;
}

// What a ray in body space can touch; `margin` widens everything.
fn sight(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Sight {
    let all = bounds::through_ball(origin, direction, vec3f(0.0, -0.1, 0.0), 2.9 + margin);
    var seen = bounds::UNSEEN;
    if all.near > all.far || all.far < 0.0 {
        return seen;
    }
    let trunk = bounds::joined(
        bounds::through_ball(origin, direction, vec3f(-0.85, 0.14, 0.0), 0.70 + margin),
        bounds::through_ball(origin, direction, vec3f(0.22, -0.05, 0.0), 0.54 + margin),
    );
    let palps = bounds::joined(
        limb::curve_span(origin, direction, animal.left_palp, 0.05 + margin),
        limb::curve_span(origin, direction, animal.right_palp, 0.05 + margin),
    );
    seen = bounds::noted(bounds::noted(seen, trunk, TRUNK), palps, PALPS);
    for (var leg = 0u; leg < LEGS; leg++) {
        let span = limb::leg_span(origin, direction, animal.legs[leg].bones, GIRTH, margin);
        seen = bounds::noted(seen, span, FIRST_LEG << leg);
    }
    return seen;
}

// ---- Fireflies -----------------------------------------------------------------

const FIREFLIES: u32 = 9u;

// A firefly: where it is in the world, and how brightly it glows. They keep to
// the neighbourhood of the animal; the first stays near its face.
fn firefly(index: u32, time: f32) -> vec4f {
    let w = path::TURN / LOOP_SECONDS * time;
    let n = f32(index);
    let turn = (2.0 + f32(index % 3u)) * w + 2.4 * n;
    let way = path::point_at(WALK.stride * time / WALK.period);
    let ring = 2.1 + 0.55 * n;
    let place = vec3f(cos(0.7 + 2.39996 * n), 0.0, sin(0.7 + 2.39996 * n)) * ring
        + 0.7 * vec3f(sin(turn), 0.35 * sin(2.0 * turn + n), cos(turn + n));
    let near = vec3f(1.25 + 0.25 * sin(2.0 * w), 0.42 + 0.15 * sin(5.0 * w), 0.55 + 0.35 * cos(3.0 * w));
    let offset = select(place + vec3f(0.0, 0.55 + 0.16 * n, 0.0), near, index == 0u);
    let pulse = 0.5 + 0.5 * sin((9.0 + 2.0 * n) * w + 2.1 * n);
    let ground = animal.body.position.y - CLEARANCE;
    return vec4f(way.x + offset.x, ground + offset.y + 0.2, way.y + offset.z, 0.25 + 0.75 * pulse * pulse);
}

const GLOW: vec3f = vec3f(1.0, 0.72, 0.18);

// Their light on a point with unit normal n, wrapped a little around it.
fn firefly_light(p: vec3f, n: vec3f, time: f32) -> vec3f {
    var sum = 0.0;
    for (var i = 0u; i < FIREFLIES; i++) {
        let fly = firefly(i, time);
        let to_fly = fly.xyz - p;
        let squared = dot(to_fly, to_fly);
        let lambert = max(dot(n, to_fly) * inverseSqrt(squared) + 0.3, 0.0) / 1.3;
        sum += fly.w * lambert / (0.12 + squared) * exp(-0.35 * squared);
    }
    return 0.85 * GLOW * sum;
}

// Their highlights on a surface at p that is seen along `direction`.
fn firefly_glints(p: vec3f, surface: light::Surface, direction: vec3f, time: f32) -> f32 {
    var sum = 0.0;
    for (var i = 0u; i < FIREFLIES; i++) {
        let fly = firefly(i, time);
        let to_fly = fly.xyz - p;
        let glint = shading::highlight(surface.normal, -direction, normalize(to_fly), surface.roughness);
        sum += fly.w * glint / (0.5 + dot(to_fly, to_fly));
    }
    return 3.0 * sum;
}

// What a ray sees of them up to `t_max`; `pixel` is a pixel's width at distance 1.
fn firefly_glow(origin: vec3f, direction: vec3f, t_max: f32, pixel: f32, time: f32) -> vec3f {
    var sum = vec3f(0.0);
    for (var i = 0u; i < FIREFLIES; i++) {
        let fly = firefly(i, time);
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

// Cushions of moss: x = height from 0 between them to 1, yz = slope. Octaves
// finer than `footprint`, the ground under a pixel, fade out.
fn moss(p: vec2f, footprint: f32) -> vec3f {
    var sum = vec3f(0.35, 0.0, 0.0);
    var q = p * 2.0;
    var frequency = 2.0;
    // Every octave repeats with the ground: its cells fit into the period of the path.
    var mask = 63u;
    var height = 0.42;
    for (var i = 0u; i < 6u; i++) {
        let fine = frequency * footprint;
        let seen = exp(-1.5 * fine * fine);
        if seen > 0.02 {
            let n = noise::value_noise(q, mask, 71u + i);
            let root = sqrt(n.x * n.x + 0.02);
            let billow = vec3f(1.6 * root - 0.5, 1.6 * n.x / root * n.yz * frequency);
            sum += height * seen * billow;
        }
        q *= 2.0;
        frequency *= 2.0;
        mask = 2u * mask + 1u;
        height *= 0.74;
    }
    return sum;
}

fn moss_at(p: vec3f, footprint: f32) -> light::Surface {
    let relief = terrain::relief(p.xz);
    let tufts = moss(p.xz, footprint);
    let slope = relief.yz + 0.052 * tufts.yz;
    let patch_tone = noise::value_noise(p.xz * 0.5, 15u, 7u).x;
    let tip = smoothstep(-0.1, 0.95, tufts.x);
    let dark = vec3f(0.010, 0.022, 0.012);
    let green = mix(vec3f(0.075, 0.15, 0.040), vec3f(0.13, 0.15, 0.035), 0.5 + 0.5 * patch_tone);
    return light::Surface(
        normalize(vec3f(-slope.x, 1.0, -slope.y)), mix(dark, green, tip), vec3f(0.0), 1.0, 1.6 * tip, 0.0);
}

// Brown down with pale marks; all in body space but the normal, which is the world's.
fn coat_at(p: vec3f, normal: vec3f) -> light::Surface {
    var along = vec2f(1e3, 0.0);
    for (var leg = 0u; leg < LEGS; leg++) {
        let place = limb::place_along(p, animal.legs[leg].bones);
        along = select(along, place, place.x < along.x);
    }
    let pale = vec3f(0.46, 0.35, 0.21);
    let brown = vec3f(0.095, 0.058, 0.036);
    let to_trunk = trunk_distance(p);
    if to_trunk > 0.012 {
        // Bands at both ends of every segment.
        let band = 1.0 - smoothstep(0.06, 0.26, abs(fract(along.y + 0.5) - 0.5));
        return light::Surface(normal, mix(brown, pale, 0.8 * band), vec3f(0.03), 0.5, 2.6, 0.1);
    }
    if eye_at(p).w < 0.004 {
        return light::Surface(normal, vec3f(0.004, 0.006, 0.008), vec3f(0.16, 0.19, 0.20), 0.12, 0.0, 0.0);
    }
    if p.x < -0.36 {
        // A pale leaf with chevrons along the back.
        let v = p.x + 1.25 + 0.9 * abs(p.z);
        let chevron = smoothstep(0.30, 0.55, abs(fract(4.2 * v) - 0.5) * 2.0);
        let leaf = (1.0 - smoothstep(0.20, 0.27, abs(p.z) + 0.12 * (p.x + 0.8))) * smoothstep(0.1, 0.4, p.y);
        let mark = leaf * (0.35 + 0.65 * chevron);
        return light::Surface(normal, mix(brown, pale, mark), vec3f(0.025), 0.55, 2.8, 0.0);
    }
    // A pale stripe along the shield.
    let stripe = (1.0 - smoothstep(0.045, 0.075, abs(p.z))) * step(0.05, p.y) * step(p.x, 0.38);
    return light::Surface(normal, mix(brown, pale, 0.85 * stripe), vec3f(0.035), 0.45, 2.4, 0.0);
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

// The light of everything on a surface in the world, `share` of the moon's.
fn lit(surface: light::Surface, p: vec3f, direction: vec3f, share: f32, open: f32, time: f32) -> vec3f {
    let around = light::from_sky(surface.normal, vec3f(0.075, 0.11, 0.17), vec3f(0.014, 0.024, 0.022));
    let flies = firefly_light(p, surface.normal, time);
    let mirrored = reflect(direction, surface.normal);
    let sheen = sky(mirrored) * open * smoothstep(-0.2, 0.2, mirrored.y);
    let glints = firefly_glints(p, surface, direction, time);
    return light::leaving(
        surface, direction, light::Lamp(MOON, MOONLIGHT), share, around * open + flies, sheen)
        + surface.gloss * (GLOW + vec3f(0.3)) * glints;
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32, body: walk::Body) -> camera::Camera {
    let w = path::TURN / LOOP_SECONDS * time;
    let way = path::point_at(WALK.stride * time / WALK.period);
    let ground = mix(terrain::height(way), body.position.y - CLEARANCE, 0.5);
    let yaw = 0.60 + 0.30 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.14 + 0.04 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.05, 1.4);
    let middle = vec3f(way.x, ground + 0.78, way.y);
    var eye = camera::around(
        middle, yaw, pitch, 5.4 / frame::frame.orbit.z, 0.285 * frame::widened(1.4));
    eye.position.y = max(eye.position.y, terrain::height(eye.position.xz) + 0.35);
    return eye;
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    animal = animal_at(time);
    let eye = camera_at(time, animal.body);
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;
    let to_moon = MOON * animal.body.world_from_body;

    // The animal in its own space, then the ground up to it.
    let origin_in_body = walk::to_body(animal.body, eye.position);
    let direction_in_body = direction * animal.body.world_from_body;
    var met = raymarch::March(FAR, 0.0, 0.0);
    let seen = sight(origin_in_body, direction_in_body, 0.02);
    touched = seen.parts;
    if touched != 0u {
        met = raymarch::march(origin_in_body, direction_in_body, seen.span.near, seen.span.far, pixel);
    }
    let ground = terrain::trace(eye.position, direction, select(FAR, met.distance, met.coverage >= 1.0));
    if ground < met.distance {
        met.coverage = 0.0;
    }

    // From back to front: what is behind, the ground, then the animal's share.
    var color = backdrop(direction);
    for (var layer = 0; layer < 2; layer++) {
        let is_moss = layer == 0;
        let share = select(met.coverage, select(0.0, 1.0, ground < FAR && met.coverage < 1.0), is_moss);
        if share <= 0.0 {
            continue;
        }
        let far = select(met.distance, ground, is_moss);
        let p = eye.position + far * direction;
        var q = walk::to_body(animal.body, p);
        var shine = 0.0;
        var surface: light::Surface;
        var flat_normal = vec3f(0.0, 1.0, 0.0) * animal.body.world_from_body;
        if is_moss {
            let slant = max((eye.position.y - p.y) / far, 0.06);
            surface = moss_at(p, pixel * far / slant);
        } else {
            touched = seen.parts;
            flat_normal = raymarch::normal(q, 0.0006 * far);
            let from_eye = eye_at(q);
            let facing = clamp(dot(flat_normal, -direction_in_body), 0.0, 1.0);
            let rough = 0.16 * smoothstep(0.0, 0.5, facing) * step(0.004, from_eye.w);
            let tilted = normalize(flat_normal + rough * light::bumps(q, 46.0));
            surface = coat_at(q, animal.body.world_from_body * tilted);
            // At night their eyes give light back to where it came from.
            shine = step(from_eye.w, 0.004) * pow(facing, 24.0);
        }
        q += 0.012 * flat_normal;
        var moon = 1.0;
        let shade = sight(q, to_moon, 2.5 * MOON_ANGLE);
        touched = shade.parts;
        if touched != 0u {
            moon = raymarch::soft_shadow(q, to_moon, max(0.02, shade.span.near), shade.span.far, MOON_ANGLE);
        }
        var open = 1.0;
        if dot(q, q) < 9.0 {
            touched = TRUNK;
            open = raymarch::occlusion(q, flat_normal, select(0.3, 1.0, is_moss));
        }
        let shown = lit(surface, p, direction, moon, open, time) + shine * vec3f(0.10, 0.75, 0.55);
        color = mix(color, fogged(shown, eye.position, direction, far), share);
    }
    color += firefly_glow(eye.position, direction, select(ground, met.distance, met.coverage > 0.5), pixel, time);

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.55);
    color *= 1.0 - 0.32 * dot(from_centre, from_centre);
    return palette::display(shading::tone_map(0.95 * color)) + vec4f(vec3f(shading::dither(frag_coord)), 0.0);
}

// Mist over the ground, bright toward the moon.
fn fogged(color: vec3f, origin: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let level = normalize(vec3f(direction.x, max(direction.y, 0.02), direction.z));
    let share = light::mist(origin.y + 0.5, direction.y, distance, 0.19, 0.75);
    return mix(color, sky(level), share);
}
