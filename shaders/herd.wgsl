// The herd: ten thousand antelopes cross a plain toward the evening.
//
// Positions are in `crowd`, the walk in `walker` and `quadruped`, the intersection with
// rays in `crowd_rays`, the plain and its light in `plain`. This file makes the animals
// antelopes.

#define LEGS 4

#import tarsus::{bounds, coverage, depth_of_field, frame, ik, limb, noise, palette, pointer}
#import tarsus::{walk, walker}
#import tarsus::herd::{crowd, plain, quadruped, swells}
#import tarsus::herd::crowd_rays as rays

struct Params {
    /// Animals [1, 10000] = 10000
    count: u32,
    /// Gait {walk, trot, pace} = walk
    gait: u32,
    /// Speed, in periods of the plain per loop [1, 3] = 1
    speed: u32,
    /// Length of a stride [1.6, 2.0] = 1.9
    stride: f32,
    /// Duty: fraction of a step on the ground [0.55, 0.72] = 0.64
    duty: f32,
    /// Height of the shoulder [1.36, 1.54] = 1.5
    height: f32,
    /// Bend of the legs [0.98, 1.1] = 1
    bend: f32,
    /// Nod of the head [0, 2] = 1
    nod: f32,
    /// Height of the sun in degrees [6, 60] = 7.4
    sun_height: f32,
    /// Bearing of the sun in degrees [-180, 180] = -145
    sun_bearing: f32,
    /// Colour of the sun = #ffc786
    sun_color: vec3f,
    /// Fur = #8a7059
    fur: vec3f,
    /// Soil = #b59773
    soil: vec3f,
    /// Dust [0, 3] = 1
    dust: f32,
    /// Aperture of the lens, needs several samples per pixel [0, 0.3] = 0
    aperture: f32,
    /// Focus distance [6, 40] = 9
    focus: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after this time (seconds).
const LOOP_SECONDS: f32 = 24.0;

override fn plain::scene_loop() -> plain::Loop {
    return plain::Loop(LOOP_SECONDS, f32(params.speed));
}

// The cells around the camera and the nearest animal are empty: it leads, with free ground
// ahead and dust behind its head.
override fn crowd::formation() -> crowd::Formation {
    let gaps = mat2x4f(vec4f(0.0, 2.0, 4.0, 7.0), vec4f(12.0, 20.0, 21.0, 43.0));
    return crowd::Formation(
        f32(params.count), vec2f(5.4, 3.5), vec2f(0.4, 0.7), vec2f(0.35, 0.45), gaps);
}

// `pointed_ground` of the current frame.
var<private> pointed: vec3f;

// Animals near the pointer move to the side, away from it.
override fn crowd::evasion(home: vec2f) -> f32 {
    let away = home - pointed.xy;
    let near = pointed.z * exp(-dot(away * away, vec2f(0.018, 0.04)));
    return select(-near, near, away.y > 0.0);
}

// Point of the ground under the pointer at `loop_time`, relative to the crowd: xy = xz,
// z = 1, or 0 without a pointer. By Newton's method, as drivers take a second to unroll
// `swells::trace` here.
fn pointed_ground(loop_time: f32) -> vec3f {
    let view_camera = plain::camera_at(loop_time);
    let direction = pointer::point_at(view_camera, 1.0) - view_camera.position;
    let fall = max(-direction.y, 0.05);
    var p = view_camera.position;
    var t = (p.y - swells::MAX_HEIGHT) / fall;
    for (var i = 0; i < 6; i++) {
        p = view_camera.position + min(t, 99.0) * direction;
        let closing = fall + dot(swells::slope(p.xz), direction.xz);
        t += (p.y - swells::height(p.xz)) / max(closing, 0.5 * fall);
    }
    return vec3f(p.x - swells::LENGTH * loop_time, p.z, f32(pointer::is_present()));
}

// ---- Legs ------------------------------------------------------------------------

// Height of the hips in body space. The slider raises or lowers the whole body over its
// feet.
const HIP: f32 = 1.5;

// The body dips after each footfall of the forelegs, one each half cycle: an impulse on a
// damped spring.
override fn crowd::rise(cycle: f32) -> f32 {
    let age = fract(2.0 * (cycle + fore_phase()));
    return params.height - HIP - 0.035 * exp(-3.0 * age) * swells::wave(1.5 * age);
}

override fn walk::stride() -> walk::Stride {
    return walk::Stride(params.stride, params.duty, 0.18);
}

// In a walk the foreleg is a quarter of a cycle behind the hind leg of its side; in a
// trot it moves with the opposite hind leg, in a pace with that of its own side, and touches
// down a little later.
fn fore_phase() -> f32 {
    return select(select(0.25, -0.03, params.gait == 1u), 0.47, params.gait == 2u);
}

override fn walk::phase(row: u32, side: f32, cycles: f32) -> f32 {
    return fract(select(fore_phase(), 0.5, row == 1u) + select(0.0, 0.5, side < 0.0));
}

// Row 0 is the shoulder, row 1 the hip. `knee` is the carpus (wrist) of a foreleg, which
// bends forward, and the hock (ankle) of a hind leg, which bends backward.
override fn walker::plan(row: u32) -> walker::Plan {
    let is_hind = row == 1u;
    return walker::Plan(
        vec3f(select(0.50, -0.56, is_hind), HIP, 0.13),
        vec2f(select(0.54, -0.56, is_hind), 0.15),
        ik::LegLengths(0.0, 0.82 * params.bend, 0.80 * params.bend, 0.16),
        vec3f(select(1.0, -1.0, is_hind), 0.0, 0.0),
        select(vec3f(0.307, -0.952, 0.0), vec3f(0.411, -0.912, 0.0), is_hind),
    );
}

override fn walker::radii(index: u32) -> limb::Radii {
    let is_hind = walker::row_of(index) == 1u;
    return limb::Radii(
        select(0.18, 0.188, is_hind), select(0.10, 0.135, is_hind), 0.054, 0.040, 0.052, 0.0);
}

// The elbow is below the shoulder, the stifle far ahead of the hip.
override fn quadruped::build(row: u32) -> vec3f {
    return select(vec3f(0.06, 0.13, -0.01), vec3f(0.15, 0.17, -0.07), row == 1u);
}

// ---- Shape -----------------------------------------------------------------------

// Materials of ears, face, horns and tail; trunk and legs are `rays::HIDE` and `rays::HOOF`.
const FUR: u32 = 2u;
const FACE: u32 = 3u;
const HORN: u32 = 4u;
const TAIL: u32 = 5u;

// Ellipsoids of the trunk, in body space: centre and semi-axes.
const LOIN: vec3f = vec3f(-0.22, 1.68, 0.0);
const LOIN_SIZE: vec3f = vec3f(0.68, 0.262, 0.245);
const CHEST: vec3f = vec3f(0.24, 1.56, 0.0);
const CHEST_SIZE: vec3f = vec3f(0.60, 0.415, 0.25);
const RUMP: vec3f = vec3f(-0.50, 1.62, 0.0);
const RUMP_SIZE: vec3f = vec3f(0.40, 0.30, 0.25);
const WITHERS: vec3f = vec3f(0.50, 1.70, 0.0);
// Tail, from root to tip.
const TAIL_ROOT: vec3f = vec3f(-0.80, 1.80, 0.0);
const TAIL_TIP: vec3f = vec3f(-1.02, 1.22, 0.0);

// Points of the head relative to the poll; horns and ears for the right side.
const MUZZLE: vec3f = vec3f(0.34, -0.26, 0.0);
const JAW_ROOT: vec3f = vec3f(0.06, -0.085, 0.035);
const JAW_TIP: vec3f = vec3f(0.27, -0.25, 0.022);
const HORN_ROOT: vec3f = vec3f(-0.02, 0.08, 0.05);
const HORN_TIP: vec3f = vec3f(-0.44, 0.74, 0.17);
const EAR_ROOT: vec3f = vec3f(-0.08, 0.05, 0.05);
const EAR_TIP: vec3f = vec3f(-0.15, 0.09, 0.25);

// Capsule around head, ears and horns in every pose; `head_radius` widens it for a wide
// nod.
const HEAD_LOW: vec3f = vec3f(1.31, 1.98, 0.0);
const HEAD_HIGH: vec3f = vec3f(0.68, 2.82, 0.0);
const HEAD_RADIUS: f32 = 0.40;

fn head_radius() -> f32 {
    return HEAD_RADIUS + 0.035 * max(params.nod - 1.0, 0.0);
}

// Pose of a head.
struct Head {
    // The poll (joint of neck and head) in body space.
    poll: vec3f,
    // Cosine and sine of the angle by which the head is turned to the right.
    turn: vec2f,
}

// Some animals carry their heads low, and some look to a side. The head nods twice per cycle.
fn head_of(cycle: f32, tint: f32) -> Head {
    let nod = 0.035 * params.nod * swells::wave(2.0 * cycle + 0.1);
    let low = fract(17.0 * tint) * fract(17.0 * tint);
    let turn = 1.2 * (fract(29.0 * tint) - 0.5);
    let poll = vec3f(1.03 + 0.4 * nod + 0.06 * low, 2.19 + nod - 0.14 * low, 0.08 * turn);
    return Head(poll, vec2f(1.0, turn) * inverseSqrt(1.0 + turn * turn));
}

// A point of the head, given relative to the poll of a head that looks ahead.
fn on_head(head: Head, p: vec3f) -> vec3f {
    let ahead = head.turn.x * p.x - head.turn.y * p.z;
    return head.poll + vec3f(ahead, p.y, head.turn.y * p.x + head.turn.x * p.z);
}

override fn rays::trunk(
    hit: rays::AnimalHit,
    beam: coverage::Beam,
    cycle: f32,
    tint: f32,
) -> rays::AnimalHit {
    let head = head_of(cycle, tint);
    var found = rays::add_part(hit, coverage::ellipsoid(beam, LOIN, LOIN_SIZE), rays::HIDE);
    found = rays::add_part(found, coverage::ellipsoid(beam, CHEST, CHEST_SIZE), rays::HIDE);
    found = rays::add_part(found, coverage::ellipsoid(beam, RUMP, RUMP_SIZE), rays::HIDE);
    let neck = coverage::spindle(beam, WITHERS, head.poll, vec3f(0.225, 0.18, 0.10));
    found = rays::add_part(found, neck, rays::HIDE);
    let face =
        coverage::spindle(beam, head.poll, on_head(head, MUZZLE), vec3f(0.108, 0.080, 0.060));
    found = rays::add_part(found, face, FACE);
    // The tail swings a quarter of a cycle before the hips.
    let tail = TAIL_TIP + vec3f(0.0, 0.0, 0.08 * swells::wave(cycle + 0.25));
    found = rays::add_part(
        found, coverage::spindle(beam, TAIL_ROOT, tail, vec3f(0.028, 0.010, 0.034)), TAIL);
    // One copy for both sides; rays that miss the head skip it.
    for (var side = -1.0; side < select(-2.0, 2.0, may_meet_head(beam)); side += 2.0) {
        found = with_side_of_head(found, beam, head, side, select(1.0, 0.3, crowd::is_calf(tint)));
    }
    return found;
}

// True if a beam may meet the head's capsule.
fn may_meet_head(beam: coverage::Beam) -> bool {
    let width = coverage::width_at(beam, dot(HEAD_LOW - beam.origin, beam.direction) + 1.0);
    return bounds::touches_capsule(
        beam.origin, beam.direction, HEAD_LOW, HEAD_HIGH, head_radius() + width);
}

// Adds the horn, the ear and the cheek of one side: -1 left, 1 right. `grown` is the length of the horn.
fn with_side_of_head(
    hit: rays::AnimalHit,
    beam: coverage::Beam,
    head: Head,
    side: f32,
    grown: f32,
) -> rays::AnimalHit {
    let mirror = vec3f(1.0, 1.0, side);
    let root = on_head(head, HORN_ROOT * mirror);
    let tip = on_head(head, mix(HORN_ROOT, HORN_TIP, grown) * mirror);
    let jaw = coverage::tapered_capsule(beam, on_head(head, JAW_ROOT * mirror),
        on_head(head, JAW_TIP * mirror), 0.066, 0.040);
    var found = rays::add_part(hit, jaw, FACE);
    let horn = coverage::tapered_capsule(beam, root, tip, 0.032, 0.006);
    found = rays::add_part(found, horn, HORN);
    let ear = coverage::spindle(beam, on_head(head, EAR_ROOT * mirror),
        on_head(head, EAR_TIP * mirror), vec3f(0.03, 0.052, 0.012));
    return rays::add_part(found, ear, FUR);
}

override fn rays::touches_trunk(origin: vec3f, direction: vec3f, margin: f32) -> bool {
    return bounds::touches_ellipsoid(
            origin, direction, vec3f(-0.17, 1.51, 0.0), vec3f(1.15, 0.55, 0.30) + margin)
        || bounds::touches_capsule(
            origin, direction, WITHERS, vec3f(1.05, 2.22, 0.0), 0.25 + margin)
        || bounds::touches_capsule(
            origin, direction, HEAD_LOW, HEAD_HIGH, head_radius() + margin);
}

// ---- Surface ---------------------------------------------------------------------

override fn rays::flesh(p: vec3f, cycle: f32, tint: f32) -> vec4f {
    return rays::bulge((p - LOIN) * (1.0 / LOIN_SIZE), LOIN_SIZE)
        + rays::bulge((p - CHEST) * (1.0 / CHEST_SIZE), CHEST_SIZE)
        + rays::bulge((p - RUMP) * (1.0 / RUMP_SIZE), RUMP_SIZE)
        + rays::limb_bulge(p, WITHERS, head_of(cycle, tint).poll, 0.24, 0.10);
}

// Slope along x and y of a swelling or a hollow of the flank: a Gaussian of the given height
// and size around `middle`.
fn swelling(p: vec3f, middle: vec2f, size: vec2f, height: f32) -> vec2f {
    let scale = 1.0 / size;
    let q = (p.xy - middle) * scale;
    return -2.0 * height * exp(-dot(q, q)) * q * scale;
}

// Slope of the relief under the hide of the trunk, along x and y: the shoulder blade, which
// swings with its foreleg, the hollow before the thigh, and the ribs.
fn relief(p: vec3f, cycle: f32) -> vec2f {
    let blade = 0.05 * swells::wave(cycle + walk::phase(0u, sign(p.z), 0.0));
    let ribs = vec2f(p.x - 0.02, p.y - 1.52) * vec2f(3.6, 4.2);
    let rib = 0.05 * swells::wave(11.0 * p.x + 4.0 * p.y) * max(1.0 - dot(ribs, ribs), 0.0);
    return swelling(p, vec2f(0.46 - blade, 1.68), vec2f(0.12, 0.25), 0.045)
        + swelling(p, vec2f(-0.30, 1.60), vec2f(0.13, 0.17), -0.045)
        + swelling(p, vec2f(-0.56, 1.66), vec2f(0.14, 0.16), 0.04)
        + rib * vec2f(1.0, 0.36);
}

// Colour of the markings.
const DARK: vec3f = vec3f(0.045, 0.032, 0.026);

// Short hair at p: x = brightness in [-1, 1], yzw = tilt of the normal. Streaks run backward
// and down on the trunk, down on the legs; where they are finer than `footprint` they fade.
// So they do on the chest, which they would only cross, as rings.
fn hair(p: vec3f, normal: vec3f, footprint: f32) -> vec4f {
    let is_leg = p.y < 1.22;
    let over = p.y - 0.7 * abs(p.z) + 0.25 * p.x;
    let streaks =
        select(vec2f(26.0 * p.x + 30.0 * abs(p.z), 78.0 * over), vec2f(20.0 * p.y, 66.0 * (p.x + p.z)), is_leg);
    let strands = noise::value_noise(streaks, 0xffffffffu, 21u);
    let visible = smoothstep(0.0, 0.06, abs(p.y - 1.22)) * exp(-1500.0 * footprint * footprint)
        * select(1.0 - normal.x * normal.x, 0.35, is_leg);
    let across = select(vec3f(0.0, 1.0, -0.7 * sign(p.z)), vec3f(0.7, 0.0, 0.7), is_leg);
    return visible * vec4f(strands.x, -0.03 * strands.z * across);
}

// Colour of a head at p, on an animal with this fur.
fn face_color(p: vec3f, head: Head, tint: f32, fur: vec3f, footprint: f32) -> vec3f {
    // Head space is mirrored: the eye of the nearer side.
    let q = on_head(Head(vec3f(0.0), head.turn * vec2f(1.0, -1.0)), p - head.poll);
    // Down the face, and out of it. The patches differ from head to head.
    let u = dot(q.xy, vec2f(0.81, -0.59));
    let v = dot(q.xy, vec2f(0.59, 0.81));
    let wide = 0.75 + 0.5 * fract(41.0 * tint);
    let across = abs(q.z) + 0.5 * max(0.03 - v, 0.0);
    // A white face with a dark blaze, narrow between brow and nose, and a stripe through the eye.
    let waist = abs(u - 0.15) - 0.03;
    let half = wide * (0.016 + 0.045 * smoothstep(0.0, 0.10, waist));
    let soft = 0.006 + 0.5 * footprint;
    let blaze = smoothstep(soft, -soft, across - half) * smoothstep(2.0 * soft, -2.0 * soft, u - 0.345);
    let from_stripe = abs(u - 0.095 + 0.5 * v + 2.0 * v * v) - 0.017 - 0.12 * max(v + 0.02, 0.0);
    let stripe = smoothstep(soft, -soft, from_stripe) * smoothstep(0.03, 0.04, abs(q.z));
    let nose = smoothstep(-soft, soft, u - 0.43) * smoothstep(-0.03, -0.01, v);
    let mouth = smoothstep(soft + 0.002, 0.0, abs(v + 0.038 - 0.3 * (u - 0.40)))
        * smoothstep(0.29, 0.33, u);
    let white = mix(fur, vec3f(0.47, 0.36, 0.255), 0.85);
    var color = mix(white, DARK, max(max(blaze, mouth), max(stripe, nose)));
    color = mix(fur, color, smoothstep(-0.07, 0.0, u));
    // The eye between pale lids, with a glint.
    let eye = vec2f(u - 0.080, v - 0.022 + 0.3 * (u - 0.080)) * vec2f(1.0, 1.5);
    let beside = smoothstep(0.03, 0.05, abs(q.z));
    let lids = abs(length(eye) - 0.030) - 0.003;
    color = mix(color, 0.6 * white, 0.6 * beside * smoothstep(0.5 * soft, -0.5 * soft, lids));
    let pupil = beside * smoothstep(0.028 + soft, 0.028 - soft, length(eye));
    color = mix(color, vec3f(0.016, 0.010, 0.007), pupil);
    color += 0.3 * beside * smoothstep(0.009, 0.003, length(eye - vec2f(0.004, 0.014)));
    return color;
}

// Width of a pixel above which neither hair nor muscles show.
const FURRED_FOOTPRINT: f32 = 0.10;

override fn rays::skin(
    p: vec3f,
    normal: vec3f,
    id: u32,
    tint: f32,
    cycle: f32,
    footprint: f32,
) -> rays::Skin {
    let head = head_of(cycle, tint);
    let sand = plain::read_scene_value(0u).rgb
        * mix(vec3f(1.0), vec3f(0.5, 0.425, 0.4), smoothstep(0.25, 0.75, tint));
    let fur = mix(sand, vec3f(0.58, 0.47, 0.35), smoothstep(0.80, 0.90, tint));
    let pale = mix(fur, vec3f(0.60, 0.50, 0.39), 0.8);
    var coat = vec4f(0.0);
    if id < HORN && footprint < FURRED_FOOTPRINT {
        coat = hair(p, normal, footprint);
    }
    // A dark band along the flank, from the stifle to the elbow, above a pale belly.
    let soft = 0.008 + footprint;
    let along = clamp((p.x + 0.56) * 0.94, 0.0, 1.0);
    let flank = p.y - mix(1.545, 1.27, along) + 0.16 * along * (1.0 - along) + 0.007 * coat.x;
    let half = 0.27 * along * (1.0 - along) * (0.7 + 0.6 * along);
    let band = smoothstep(soft, -soft, abs(flank) - half) * smoothstep(0.0, 0.02, half);
    let belly = smoothstep(-0.40, -0.16, p.x) * smoothstep(0.40, 0.26, p.x) * smoothstep(1.08, 1.14, p.y);
    // A dark line down the throat to the brisket.
    let before_neck = dot(p.xy - WITHERS.xy, vec2f(0.72, -0.69));
    let throat = smoothstep(0.02 + soft, 0.02 - soft, abs(p.z) - 0.03 * p.y + 0.03)
        * smoothstep(0.0, 0.06, before_neck) * smoothstep(1.3, 1.5, p.y) * smoothstep(0.60, 0.70, p.x);
    // Darker along the back and the neck.
    let saddle = smoothstep(1.62, 1.95, p.y - 0.75 * max(p.x - 0.45, 0.0));
    let coat_color = fur * mix(1.12, 0.72, saddle);
    // The legs are dark above the joint and white below it, with a dark patch in front.
    let thigh = mix(DARK, coat_color, smoothstep(0.92, 1.16, p.y + 0.02 * coat.x));
    let white = mix(pale, vec3f(0.68, 0.61, 0.53), 0.8);
    let patch_of_leg = smoothstep(0.22, 0.28, p.y) * smoothstep(0.50, 0.44, p.y)
        * smoothstep(0.35, 0.65, normal.x);
    let stocking = mix(white, DARK, 0.9 * patch_of_leg);
    let shank = mix(stocking, thigh, smoothstep(0.64 - soft, 0.67 + soft, p.y));
    var hide = mix(shank, pale, belly * smoothstep(soft, -soft, flank + half));
    hide = mix(hide, DARK, select(0.92, 0.3, crowd::is_calf(tint)) * max(band, throat));
    hide = mix(hide, pale, 0.7 * smoothstep(0.80, 1.0, -p.x) * smoothstep(1.3, 1.5, p.y));
    // A dark line along the spine, wider along the mane.
    let crest = mix(0.05, 0.095, smoothstep(0.45, 0.75, p.x));
    hide = mix(hide, DARK, 0.85 * smoothstep(crest, 0.6 * crest, abs(p.z)) * smoothstep(1.8, 2.02, p.y));
    var face = vec3f(0.0);
    if id == FACE {
        face = face_color(p, head, tint, fur, footprint);
    }
    let tuft = mix(DARK, fur, smoothstep(1.15, 1.40, p.y));
    // Rings around the lower part of the horns.
    let root = dot(p - head.poll, vec3f(-0.53, 0.83, 0.0));
    let rings = swells::wave(24.0 * root) * smoothstep(0.60, 0.25, root)
        * exp(-4000.0 * footprint * footprint);
    let horn = vec3f(0.034, 0.028, 0.024) * (1.0 + 0.7 * rings);
    // Ears are pale inside.
    let ear = mix(fur, pale, 0.6 * smoothstep(0.1, 0.6, normal.x));
    var albedo = select(hide, DARK, id == rays::HOOF);
    albedo = select(albedo, ear, id == FUR);
    albedo = select(albedo, face, id == FACE);
    albedo = select(albedo, select(horn, tuft, id == TAIL), id >= HORN);
    var skin = rays::Skin(normal, albedo);
    // Hair and muscles show where a pixel is small.
    if id < HORN && footprint < FURRED_FOOTPRINT {
        let near = smoothstep(FURRED_FOOTPRINT, 0.5 * FURRED_FOOTPRINT, footprint);
        let bumps = select(vec2f(0.0), near * relief(p, cycle), id == rays::HIDE) * abs(normal.z);
        let furred = normalize(normal + coat.yzw - vec3f(bumps, 0.0));
        skin = rays::Skin(select(furred, normal, id == FACE), (1.0 + 0.10 * coat.x) * albedo);
    }
    return skin;
}

// ---- Light and ground ------------------------------------------------------------

override fn plain::weather() -> plain::Weather {
    let color = 5.0 * palette::linear_from_display(params.sun_color);
    return plain::Weather(params.sun_height, params.sun_bearing, color, params.dust);
}

override fn plain::optics() -> depth_of_field::Optics {
    return depth_of_field::Optics(params.aperture, params.focus);
}

override fn plain::scene_value(index: u32) -> vec4f {
    if index == 2u {
        let periods = frame::loop_time(LOOP_SECONDS) / LOOP_SECONDS * f32(params.speed);
        return vec4f(pointed_ground(periods), 0.0);
    }
    let color = select(params.fur, params.soil, index == 1u);
    return vec4f(palette::linear_from_display(color), 0.0);
}

override fn plain::ground_colors() -> plain::GroundColors {
    let bright = plain::read_scene_value(1u).rgb;
    return plain::GroundColors(bright * vec3f(0.717, 0.661, 0.618), bright);
}

fn per_frame(index: u32) -> vec4f {
    return plain::per_frame(index);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    pointed = plain::read_scene_value(2u).xyz;
    return plain::main_image(frag_coord);
}
