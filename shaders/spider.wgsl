// The spider: eight legs (`walker`) walk over moss (`land`) by moonlight, among
// fireflies. The moon is behind it, so hair and moss are bright at their edges; its eyes
// reflect the fireflies.

#define LEGS 8
#define EXTRA_LIMBS 2

#import tarsus::{camera, depth_of_field, frame, ik, land, light, limb, noise, palette}
#import tarsus::{raymarch, rays, sdf, shading, walk, walker}

struct Params {
    /// Gait {tetrapods, wave} = tetrapods
    order: u32,
    /// Speed, in periods of the path per loop [1, 3] = 1
    speed: u32,
    /// Starts and stops [0, 1] = 0.35
    stops: f32,
    /// Length of a stride [0.6, 1.3] = 1
    stride: f32,
    /// Duty: fraction of a step on the ground [0.5, 0.75] = 0.58
    duty: f32,
    /// Height of the body [0.57, 0.9] = 0.64
    height: f32,
    /// Bend of the knees [0, 1] = 0.25
    bend: f32,
    /// Height of the moon in degrees [12, 60] = 28
    moon_height: f32,
    /// Moonlight = #c9deff
    moonlight: vec3f,
    /// Hair = #574435
    hair: vec3f,
    /// Moss = #596c36
    moss: vec3f,
    /// Fog [0, 2] = 1
    fog: f32,
    /// Light of the fireflies [0, 2] = 1
    fireflies: f32,
    /// Aperture of the lens, needs several samples per pixel [0, 0.1] = 0
    aperture: f32,
    /// Focus distance behind the animal [-2, 6] = 0
    focus: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after this time (seconds).
const LOOP_SECONDS: f32 = 24.0;

override fn walk::stride() -> walk::Stride {
    return walk::Stride(params.stride, params.duty, 0.36);
}

override fn walk::loop_route() -> walk::Loop {
    return walk::Loop(LOOP_SECONDS, f32(params.speed));
}

override fn walk::progress(x: f32) -> f32 {
    return mix(x, walk::with_stops(x, 5.0, 0.3), params.stops);
}

override fn walk::phase(row: u32, side: f32, cycles: f32) -> f32 {
    let back = f32(row);
    let wave = 0.25 * back + select(0.0, 0.5, side > 0.0);
    // The rear rows are slightly ahead of their set: a wave within it.
    let tetrapods = walk::tetrapod_phase(row, side) + 0.02 * back;
    return fract(select(tetrapods, wave, params.order == 1u));
}

override fn walker::plan(row: u32) -> walker::Plan {
    var foot = vec2f(1.50, 0.72);
    if row == 1u { foot = vec2f(0.72, 1.42); }
    if row == 2u { foot = vec2f(-0.42, 1.50); }
    if row == 3u { foot = vec2f(-1.50, 0.98); }
    let back = f32(row);
    let hip = vec3f(0.34 - 0.17 * back, -0.06, 0.20 + 0.06 * sin(1.05 * back));
    let longer = 0.96 + 0.16 * params.bend;
    let lengths = ik::LegLengths(0.15, 0.98 * longer, 1.02 * longer, 0.34);
    let outward = normalize(vec3f(foot.x - hip.x, 0.0, foot.y - hip.z));
    return walker::Plan(hip, foot, lengths, vec3f(0.0), 0.55 * outward - vec3f(0.0, 1.0, 0.0));
}

override fn walker::clearance() -> f32 {
    return params.height;
}

override fn walker::pose(body: walk::Body, time: f32) -> walk::Body {
    let bob = 0.015 * cos(2.0 * frame::TAU * walk::cycles_at(time));
    return walk::Body(body.position + vec3f(0.0, bob, 0.0), body.world_from_body);
}

// The palps tap: short limbs that do not reach the ground.
override fn walker::extra_limb(index: u32, time: f32) -> ik::Leg {
    let side = 2.0 * f32(index) - 1.0;
    let tap = sin(29.0 * frame::TAU / LOOP_SECONDS * time + 1.6 * side);
    let base = vec3f(0.50, -0.07, 0.10 * side);
    let tip = base + vec3f(0.34 + 0.04 * tap, -0.24 + 0.08 * tap, 0.09 * side);
    let bow = limb::two_bone_curve(base, tip, 0.26, 0.26, vec3f(0.4, 1.0, 0.4 * side));
    return ik::Leg(bow.a, bow.b, bow.c, bow.d, bow.e, true);
}

override fn walker::view(time: f32) -> camera::View {
    let turn = frame::TAU / LOOP_SECONDS * time;
    let pitch = 0.14 + 0.04 * sin(2.0 * turn + 1.0);
    // The legs spread wide, so narrow pictures need a wider view.
    let tan_half_fov = 0.285 * frame::narrow_view_factor(1.4) / frame::narrow_view_factor(1.0);
    return camera::View(0.60 + 0.30 * sin(turn), pitch, 5.4, 0.78, tan_half_fov);
}

// Colour of the markings in the hair, and reflectance of the eyes, the brightest mirrors
// in the scene.
const PALE: vec3f = vec3f(0.46, 0.35, 0.21);
const EYE_MIRROR: f32 = 0.18;
const FIREFLIES: u32 = 9u;
const GLOW: vec3f = vec3f(1.0, 0.72, 0.18);
const HAIR: u32 = 0u;
const EYE: u32 = 1u;

override fn walker::radii(index: u32) -> limb::Radii {
    if index < walker::LEGS {
        return limb::Radii(0.085, 0.070, 0.050, 0.030, 0.012, 0.12);
    }
    return limb::Radii(0.042, 0.041, 0.039, 0.038, 0.036, 0.0);
}

const LEG_HAIR: limb::Bristles = limb::Bristles(0.055, 0.0026, 0.034, 11u, 0.9);
const BACK_HAIR: limb::Bristles = limb::Bristles(0.060, 0.0022, 0.038, 79u, 1.2);

override fn walker::leg_margins() -> vec3f {
    return vec3f(LEG_HAIR.length, LEG_HAIR.length, 0.0);
}

override fn walker::leg_distance(p: vec3f, leg: walker::Limb) -> f32 {
    let skin = limb::leg_distance(p, leg.bones, walker::radii(leg.index));
    if rays::is_secondary_ray {
        return skin;
    }
    return limb::bristled_leg_distance(p, leg.bones, skin, LEG_HAIR, walker::pixel());
}

// Distance to the abdomen, which lags behind the body by turning about the waist.
fn abdomen(p: vec3f) -> f32 {
    let lag = walker::read_scene_value(FIREFLIES).x;
    let q = vec3f(p.x + 0.82, p.y - 0.15 + lag * (p.x + 0.35), p.z);
    let ball = sdf::ellipsoid(q, vec3f(0.60, 0.41, 0.45));
    let spinneret = sdf::tapered_capsule(
        q, vec3f(-0.48, -0.07, 0.0), vec3f(-0.70, -0.13, 0.0), 0.09, 0.04);
    let skin = sdf::smooth_union(ball, spinneret, 0.12);
    if rays::is_secondary_ray {
        return skin;
    }
    var hair = BACK_HAIR;
    hair.length *= clamp(6.0 * (0.56 - abs(q.x)), 0.01, 1.0);
    return limb::bristle_distance(skin, -q.x, q.zy, hair, walker::pixel());
}

fn head(p: vec3f, side: vec3f) -> f32 {
    let rear = sdf::ellipsoid(p - vec3f(0.06, 0.02, 0.0), vec3f(0.36, 0.19, 0.32));
    let front = sdf::ellipsoid(p - vec3f(0.33, 0.07, 0.0), vec3f(0.22, 0.19, 0.23));
    let waist = sdf::capsule(p, vec3f(-0.2, 0.0, 0.0), vec3f(-0.45, 0.06, 0.0), 0.06);
    let jaw = sdf::tapered_capsule(
        side, vec3f(0.47, -0.05, 0.085), vec3f(0.57, -0.27, 0.09), 0.085, 0.060);
    let fang = sdf::tapered_capsule(
        side, vec3f(0.57, -0.29, 0.10), vec3f(0.52, -0.40, 0.05), 0.028, 0.006);
    let shield = sdf::smooth_union(sdf::smooth_union(rear, front, 0.10), waist, 0.08);
    return sdf::smooth_union(shield, min(jaw, fang), 0.03);
}

override fn walker::trunk(p: vec3f) -> raymarch::Sample {
    let side = vec3f(p.xy, abs(p.z));
    // Four eyes on each side, from the large ones in the middle outward.
    let eyes = min(
        min(sdf::sphere(side - vec3f(0.510, 0.085, 0.092), 0.086),
            sdf::sphere(side - vec3f(0.465, 0.130, 0.222), 0.056)),
        min(sdf::sphere(side - vec3f(0.400, 0.235, 0.130), 0.058),
            sdf::sphere(side - vec3f(0.290, 0.235, 0.215), 0.050)));
    let hairy = sdf::smooth_union(head(p, side), abdomen(p), 0.05);
    return raymarch::nearest(raymarch::Sample(hairy, HAIR), raymarch::Sample(eyes, EYE));
}

override fn walker::trunk_bound() -> walker::Capsule {
    return walker::Capsule(vec3f(-1.12, 0.06, 0.0), vec3f(0.22, 0.0, 0.0), 0.62);
}

override fn land::material(point: land::Point) -> land::Material {
    let p = point.position;
    if !point.on_leg && point.id == EYE {
        return land::Material(vec3f(0.004, 0.006, 0.008), EYE_MIRROR, 0.12, 0.0, 0.0, 0.0, 46.0);
    }
    // A stripe along the carapace; a leaf with chevrons on the abdomen.
    var pale = step(p.x, 0.38) * step(0.05, p.y) * smoothstep(-0.075, -0.045, -abs(p.z));
    if p.x < -0.36 {
        let v = p.x + 1.25 + 0.9 * abs(p.z);
        let chevron = smoothstep(0.30, 0.55, abs(fract(4.2 * v) - 0.5) * 2.0);
        let leaf = 1.0 - smoothstep(0.20, 0.27, abs(p.z) + 0.12 * (p.x + 0.8));
        pale = leaf * smoothstep(0.1, 0.4, p.y) * (0.35 + 0.65 * chevron);
    }
    if point.on_leg {
        // Bands at both ends of every segment; the palps are entirely pale.
        let along = select(point.along, 0.0, point.id >= walker::LEGS);
        pale = 0.8 - 0.8 * smoothstep(0.06, 0.26, abs(fract(along + 0.5) - 0.5));
    }
    let color = mix(palette::linear_from_display(params.hair), PALE, pale);
    return land::Material(color, 0.03, 0.5, 2.6, select(0.0, 0.1, point.on_leg), 0.16, 46.0);
}

override fn land::ground(p: vec3f, footprint: f32) -> land::Ground {
    // Cells of half a unit, which divide the path's period.
    let tufts = noise::cushions(2.0 * p.xz, 63u, 71u, 2.0 * footprint);
    let tone = noise::value_noise(p.xz * 0.5, 15u, 7u).x;
    let tip = smoothstep(-0.1, 0.95, tufts.x);
    let green = palette::linear_from_display(params.moss) * (1.0 + tone * vec3f(0.27, 0.0, -0.07));
    let albedo = mix(vec3f(0.010, 0.022, 0.012), green, tip);
    return land::Ground(albedo, 0.104 * tufts.yz, 1.6 * tip);
}

override fn land::softness() -> f32 {
    return 0.12;
}

override fn land::sun() -> land::Sun {
    let height = radians(params.moon_height);
    let toward = vec3f(-0.9304 * cos(height), sin(height), -0.3666 * cos(height));
    return land::Sun(toward, 0.05, 2.9 * palette::linear_from_display(params.moonlight));
}

override fn land::sky(direction: vec3f) -> vec3f {
    let toward = max(dot(direction, land::sunlight.direction), 0.0);
    let haze = exp(-5.0 * max(direction.y, 0.0));
    let air = mix(vec3f(0.011, 0.022, 0.048), vec3f(0.085, 0.135, 0.19), haze);
    return air + vec3f(0.22, 0.32, 0.44) * (0.75 * pow(toward, 4.0) + 0.9 * pow(toward, 60.0));
}

override fn land::exposure() -> f32 {
    return 0.95;
}

override fn land::sky_light(n: vec3f) -> vec3f {
    return light::hemisphere(n, vec3f(0.075, 0.11, 0.17), vec3f(0.014, 0.024, 0.022));
}

// Transmittance of a layer of distant tree trunks. `angle` is the azimuth of the
// direction, `rise` its y.
fn between_trunks(layer: u32, angle: f32, rise: f32) -> f32 {
    let count = 46.0 - 10.0 * f32(layer);
    let cell = (angle / frame::TAU + 0.5) * count + 0.37 * f32(layer);
    let random = noise::random_of(u32(floor(cell) % count) * 3u + layer);
    let lean = 0.12 * (random.y - 0.5) * rise * count / frame::TAU;
    let across = abs(fract(cell) - (0.3 + 0.4 * random.x) + lean);
    let width = (0.05 + 0.11 * random.z) * (1.0 - 0.35 * rise);
    let trunk = (0.30 + 0.16 * f32(layer)) * step(0.35, random.w);
    return 1.0 - trunk * (1.0 - smoothstep(width - 0.018, width + 0.018, across));
}

override fn land::backdrop(direction: vec3f) -> vec3f {
    let disc = shading::disc(direction, land::sunlight.direction, 0.0014, 0.0019);
    let angle = atan2(direction.z, direction.x);
    let trees = between_trunks(0u, angle, direction.y) * between_trunks(1u, angle, direction.y)
        * between_trunks(2u, angle, direction.y);
    return (land::sky(direction) + vec3f(1.6, 1.7, 1.75) * disc)
        * mix(1.0, trees, smoothstep(-0.02, 0.05, direction.y));
}

override fn land::optics(animal_distance: f32) -> depth_of_field::Optics {
    return depth_of_field::Optics(params.aperture, animal_distance + params.focus);
}

// Fog above the ground, bright toward the moon.
override fn land::haze(color: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let level = normalize(vec3f(direction.x, max(direction.y, 0.02), direction.z));
    let fog = light::height_fog(
        walker::current_camera().position.y + 0.5, direction.y, distance, 0.19 * params.fog, 0.75);
    return mix(color, land::sky(level), fog);
}

// Position of a firefly relative to the point below the animal, along the world's axes.
// Fireflies move in circles; the first one stays near the animal's head.
fn place_at(fly: u32, time: f32) -> vec3f {
    let w = frame::TAU / LOOP_SECONDS * time;
    if fly == 0u {
        return vec3f(
            1.25 + 0.25 * sin(2.0 * w), 0.42 + 0.15 * sin(5.0 * w), 0.55 + 0.35 * cos(3.0 * w));
    }
    let n = f32(fly);
    let ring = 2.1 + 0.55 * n;
    let middle = vec3f(
        ring * cos(0.7 + 2.39996 * n), 0.55 + 0.16 * n, ring * sin(0.7 + 2.39996 * n));
    let turn = f32(2u + fly % 3u) * w + 2.4 * n;
    return middle + 0.7 * vec3f(sin(turn), 0.35 * sin(2.0 * turn + n), cos(turn + n));
}

// Fireflies: xyz = position in world space, w = brightness, 0.25 to 1. After them, the
// lag of the abdomen.
override fn walker::scene_value(index: u32, time: f32) -> vec4f {
    if index >= FIREFLIES {
        let before = walk::cycles_at(time - 0.15);
        let push = walk::cycles_at(time) - 2.0 * before + walk::cycles_at(time - 0.30);
        return vec4f(0.03 * sin(2.0 * frame::TAU * before) + 2.0 * push, vec3f(0.0));
    }
    let n = f32(index);
    let w = frame::TAU / LOOP_SECONDS * time;
    let pulse = 0.5 + 0.5 * sin((9.0 + 2.0 * n) * w + 2.1 * n);
    let under = walker::posed_body.position - vec3f(0.0, params.height - 0.2, 0.0);
    return vec4f(
        under + place_at(index, time), params.fireflies * (0.25 + 0.75 * pulse * pulse));
}

// Light of the fireflies, and eyeshine: retroreflection at normal incidence.
override fn land::lamps(p: vec3f, surface: light::Surface, direction: vec3f) -> vec3f {
    var sum = vec2f(0.0);
    for (var i = 0u; i < FIREFLIES; i++) {
        let fly = walker::read_scene_value(i);
        sum += fly.w * light::lamp(fly.xyz - p, surface, direction);
    }
    let facing = clamp(dot(surface.normal, -direction), 0.0, 1.0);
    let rim = surface.sheen * shading::fresnel(facing, 0.0);
    let eyeshine = step(EYE_MIRROR, surface.f0_color.x) * pow(facing, 24.0);
    return 0.85 * surface.albedo * (1.0 + rim) * GLOW * sum.x
        + 3.0 * surface.f0_color * (GLOW + vec3f(0.3)) * sum.y
        + eyeshine * vec3f(0.10, 0.75, 0.55);
}

override fn land::glow(direction: vec3f, distance: f32, pixel: f32) -> vec3f {
    var sum = vec2f(0.0);
    for (var i = 0u; i < FIREFLIES; i++) {
        let fly = walker::read_scene_value(i) - vec4f(walker::current_camera().position, 0.0);
        sum += fly.w * light::lamp_in_air(fly.xyz, direction, distance, 0.018, pixel);
    }
    return 3.5 * (GLOW + vec3f(0.2)) * sum.x + 0.0022 * GLOW * sum.y;
}

fn per_frame(index: u32) -> vec4f {
    return walker::per_frame(index);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    return land::main_image(frag_coord);
}
