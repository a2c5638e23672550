// The water strider: six long legs row over a clear pond on a misty morning.
//
// Every standing foot dents the water's surface, and rings spread from where feet touched
// down and lifted off. The dents refract the sunlight: dark discs with bright rims on the
// sand.
//
// The strider's shape is in `water_strider`, its walk in `walk` and `walker`, the
// rendering in `pool`.

#import tarsus::{bits, camera, depth_of_field, evening, frame, land, light, noise, palette}
#import tarsus::{pool, shading, walk, walker, water}
#import tarsus::water_strider as strider

struct Params {
    /// Gait {tripods, pairs} = tripods
    gait: u32,
    /// Speed, in periods of the path per loop [1, 2] = 1
    speed: u32,
    /// Bursts and rests [0, 1] = 0.3
    bursts: f32,
    /// Length of a stride [1, 1.65] = 1.6
    stride: f32,
    /// Duty: fraction of a step on the ground [0.5, 0.75] = 0.6
    duty: f32,
    /// Height of the body [0.36, 0.52] = 0.46
    height: f32,
    /// Bend of the legs [1, 1.2] = 1
    bend: f32,
    /// Rings on the water [0, 2] = 1
    rings: f32,
    /// Height of the sun in degrees [15, 75] = 18
    sun_height: f32,
    /// Bearing of the sun in degrees [-180, 180] = -104
    sun_bearing: f32,
    /// Colour of the sun = #ffdfae
    sun_color: vec3f,
    /// Colour of the back = #2e241a
    back_color: vec3f,
    /// Colour of deep water = #0e5a62
    water_color: vec3f,
    /// Fog [0, 3] = 1
    fog: f32,
    /// Aperture of the lens, needs several samples per pixel [0, 0.2] = 0
    aperture: f32,
    /// Focus distance behind the animal [-2, 6] = 0
    focus: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after this time (seconds).
const LOOP_SECONDS: f32 = strider::LOOP_SECONDS;

// ---- Walk ------------------------------------------------------------------------

override fn strider::style() -> strider::Style {
    return strider::Style(
        params.speed, params.gait == 1u, params.bursts, params.stride, params.duty, params.height);
}

override fn walker::view(time: f32) -> camera::View {
    let turn = frame::TAU / LOOP_SECONDS * time;
    // The legs spread wide, so narrow pictures need a wider view.
    let tan_half_fov = 0.295 * frame::narrow_view_factor(1.75) / frame::narrow_view_factor(1.0);
    return camera::View(
        1.10 + 0.30 * sin(turn), 0.118 + 0.025 * sin(2.0 * turn + 1.0), 6.2, 0.31, tan_half_fov);
}

override fn strider::appearance() -> strider::Appearance {
    let back = palette::linear_from_display(params.back_color);
    return strider::Appearance(back, vec3f(0.62, 0.36, 0.10), params.bend);
}

// ---- The water -------------------------------------------------------------------

const RING_HEIGHT: f32 = 0.022;
const DENT_RADIUS: f32 = 0.155;

fn rings() -> water::Rings {
    let cycle = LOOP_SECONDS / walk::cycles_of_loop();
    return water::Rings(0.95, 26.0, 0.6 * min(cycle, 1.0));
}

// Recent steps whose rings or dents reach p on the water, one bit per step.
fn steps_near(p: vec2f) -> u32 {
    let shape = rings();
    let offset = p - walker::body().position.xz;
    let is_near = dot(offset, offset) < 49.0;
    var near = 0u;
    // The outer loop lets groups of distant pixels skip the inner one, which drivers
    // unroll.
    for (var once = u32(!is_near); once < 1u; once++) {
        // Rings of a leg's third most recent step are too low to be visible.
        for (var at = 0u; at < 2u * walker::LEGS; at++) {
            let i = strider::LAST_STEPS * (at / 2u) + (at & 1u);
            let past = strider::past_step(i);
            let d = distance(p, past.xy);
            let reaches = d < 2.4 * DENT_RADIUS || water::ring_reaches(d, past.z, shape)
                || water::ring_reaches(d, past.w, shape);
            near |= select(0u, 1u << i, reaches);
        }
    }
    return near;
}

override fn pool::surface_at(
    p: vec2f,
    width: f32,
    footprint: f32,
    is_entry: bool,
) -> pool::WaterPoint {
    let breeze = water::wind(p, walker::now() / LOOP_SECONDS, 6.0 * footprint);
    // Crests focus the light into a web on the floor.
    let crest = 1.0 - min(abs(breeze.x + 0.15), 1.0);
    let web = crest * crest * crest;
    var shape = 0.0015 * breeze;
    var caustic_gain = 0.46 + 1.8 * web * web;
    let fine = rings().frequency * footprint;
    let visible = params.rings * exp(-0.3 * fine * fine);
    for (var steps = steps_near(p); steps != 0u; steps &= steps - 1u) {
        let index = bits::lowest(steps);
        let past = strider::past_step(index);
        let away = p - past.xy;
        let ring = water::rings_of_past_step(away, past.z, past.w, rings());
        shape += RING_HEIGHT * visible * ring * vec3f(1.0, 26.0, 26.0);
        caustic_gain += 1.6 * params.rings * ring.x;
        // A foot's dent refracts the light outward: a dark disc with a bright rim.
        let leg = index / strider::LAST_STEPS;
        let load = select(0.0, walker::leg_of(leg).load, index % strider::LAST_STEPS == 0u);
        shape += 0.085 * load * water::dent(away, DENT_RADIUS);
        let r = length(away) / DENT_RADIUS;
        let disc = 1.0 - smoothstep(0.5, 1.5, r);
        let rim = exp(-9.0 * (r - 1.75) * (r - 1.75));
        caustic_gain = mix(caustic_gain, 0.35, load * disc) + 0.25 * load * rim;
    }
    return pool::WaterPoint(shape.yz, max(caustic_gain, 0.05), 0.0);
}

override fn pool::water_properties() -> pool::Water {
    let deep = palette::linear_from_display(params.water_color);
    return pool::Water(0.70, deep, vec3f(1.25, 0.36, 0.36), vec3f(0.20, 0.28, 0.28), 0.0);
}

// ---- Light -----------------------------------------------------------------------

// Colour of the haze over the water in a direction: golden toward the sun, lilac away from it.
fn mist(direction: vec3f) -> vec3f {
    let level = dot(shading::level(direction), shading::level(land::sunlight.direction));
    let near = pow(max(0.5 + 0.5 * level, 0.0), 14.0);
    return mix(vec3f(0.24, 0.26, 0.40), vec3f(1.70, 0.92, 0.40), near);
}

override fn land::sun() -> land::Sun {
    let direction = shading::direction_at(params.sun_bearing, params.sun_height);
    return land::Sun(direction, 0.03, 3.9 * palette::linear_from_display(params.sun_color));
}

// A hazy sky, bright toward the sun.
override fn land::sky(direction: vec3f) -> vec3f {
    let sun = land::sunlight;
    let toward = max(dot(direction, sun.direction), 0.0);
    let up = max(direction.y, 0.0);
    let air = mix(vec3f(0.06, 0.19, 0.36), mist(direction), exp(-11.0 * up));
    return air + 0.4 * sun.color * (0.30 * pow(toward, 16.0) + 1.2 * pow(toward, 600.0));
}

// Trees on the far shore, behind a dark bank and mist over the water, hide the lowest part
// of the sky.
override fn pool::surroundings(direction: vec3f, blur: f32) -> vec3f {
    let turn = 0.5 + shading::bearing(direction);
    let up = max(direction.y, 0.0);
    let crowns = noise::value_noise(vec2f(32.0 * turn, 0.5), 31u, 8u).x;
    var q = vec2f(128.0 * turn, 14.0 * up);
    let boughs = noise::value_noise(q, 127u, 9u).x;
    var leaves = 0.0;
    var weight = 0.55;
    for (var i = 0u; i < select(3u, 0u, blur < 0.0); i++) {
        q = noise::next_octave(q);
        leaves += weight * noise::value_noise(q, 127u, 10u + i).x;
        weight *= 0.75 * exp(-2e4 * f32(i + 1u) * blur * blur);
    }
    let tops = 0.082 + 0.034 * crowns + 0.014 * boughs + 0.003 * leaves;
    let sunward = max(dot(direction, land::sunlight.direction), 0.0);
    let lit = smoothstep(-0.6, 1.2, 0.5 * boughs + 0.55 * leaves + 1.1 * up / tops - 0.45);
    let mist = mist(direction);
    let wood = mix(vec3f(0.012, 0.028, 0.040), vec3f(0.045, 0.095, 0.075), lit)
        + (0.02 + 0.05 * sunward * sunward) * mist;
    let bank = mix(vec3f(0.03, 0.032, 0.015), vec3f(0.13, 0.14, 0.08), min(40.0 * up, 1.0));
    var far = mix(wood, bank, 1.0 - smoothstep(0.003 - blur, 0.004 + blur, up));
    far = mix(mist, far, evening::above_mist(direction));
    // Long faint streaks of cloud.
    let streaks = noise::value_noise(vec2f(16.0 * turn + 6.0 * up, 36.0 * up), 15u, 14u).x;
    let behind = mix(land::sky(direction), 1.1 * mist, 0.65 * smoothstep(-0.5, 1.0, streaks));
    return mix(far, behind, smoothstep(tops - 0.0015 - blur, tops + 0.0015 + blur, up));
}

override fn land::sky_light(n: vec3f) -> vec3f {
    // The light from below comes from the sand.
    return light::hemisphere(n, vec3f(0.38, 0.48, 0.62), vec3f(0.24, 0.25, 0.18));
}

override fn land::bounce() -> vec3f {
    return vec3f(0.26, 0.30, 0.24);
}

override fn land::optics(animal_distance: f32) -> depth_of_field::Optics {
    return depth_of_field::Optics(params.aperture, animal_distance + params.focus);
}

override fn land::haze(color: vec3f, direction: vec3f, distance: f32) -> vec3f {
    // Far water still mirrors the shore; mist hides where they meet.
    let near = min(distance, 34.0);
    let left = exp(-0.00035 * params.fog * near * near) * evening::above_mist(direction);
    return mix(mist(direction), color, left);
}

override fn land::exposure() -> f32 {
    return 0.80;
}

// ---- The image -------------------------------------------------------------------

fn per_frame(index: u32) -> vec4f {
    return walker::per_frame(index);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    strider::prepare();
    return pool::main_image(frag_coord);
}
