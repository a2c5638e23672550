#define_import_path tarsus::pond::evening

// Evening over a lake: the sky around a low sun, clouds, reeds, and a misty far shore with a
// wood before hills. Directions are unit vectors with y up; colours are linear radiance.

#import tarsus::land
#import tarsus::noise
#import tarsus::pool
#import tarsus::shading

/// Unit vector toward the sun, and the sun's radiance at the ground.
var<private> to_sun: vec3f;
var<private> sun_color: vec3f;
/// Coverage by reeds, and radiance of the mist, at the bearing of the last call of
/// `surroundings`.
var<private> reed_cover: f32;
var<private> mist_color: vec3f;
// Logarithm of the mist's depth (x) and its fall with the height (y) there.
var<private> mist_shape: vec2f;
// Density of the mist, and its offset: x in turns, y in cells of its noise.
var<private> mist_density: f32;
var<private> mist_drift: vec2f;

/// Places the sun `sun_height` degrees above the horizon (clamped to 4 to 80), and the mist of
/// density `fog` at `loop_phase`, from 0 to 1. Call it before the other functions.
fn prepare(sun_height: f32, fog: f32, loop_phase: f32) {
    mist_density = fog;
    mist_drift = vec2f(0.006, 0.2) * sin(6.2832 * (loop_phase + vec2f(0.0, 0.25)));
    let height = radians(clamp(sun_height, 4.0, 80.0));
    to_sun = vec3f(cos(height) * vec2f(-0.73, -0.6834), sin(height)).xzy;
    let low = exp(-4.0 * to_sun.y);
    sun_color = mix(vec3f(3.0, 2.7, 2.3), vec3f(3.6, 1.75, 0.62), low * 1.6);
}

// The open sky, without the sun's disc.
override fn land::sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, to_sun), 0.0);
    let sunward = 0.5 + 0.5 * dot(shading::level(direction), normalize(to_sun.xz));
    let s = sunward * sunward * sunward;
    let near_sun = s * s * s * s;
    let horizon = mix(vec3f(0.50, 0.30, 0.36), vec3f(1.04, 0.35, 0.115), near_sun);
    let middle = mix(vec3f(0.14, 0.23, 0.44), vec3f(0.42, 0.32, 0.42), near_sun);
    let high = mix(vec3f(0.035, 0.09, 0.22), middle, exp(-2.6 * up));
    let air = mix(high, horizon, exp(-10.0 * up));
    let wide = toward * toward * toward * toward * toward * toward;
    let glow = wide * wide * wide * wide;
    let glare = 0.11 * wide + 0.8 * glow + 2.5 * exp(960.0 * (toward - 1.0));
    return air + vec3f(1.25, 0.54, 0.21) * glare;
}

// Cloud cover in a unit direction, 0 to 1.
fn clouds(direction: vec3f) -> f32 {
    // Long banks across the direction of the sun, on a plane overhead.
    let p = direction.xz / (max(direction.y, 0.0) + 0.25);
    let along = vec2f(dot(p, vec2f(-0.73, -0.6834)), 0.35 * dot(p, vec2f(0.6834, -0.73)));
    let sum = noise::value_noise(1.7 * along, 255u, 31u).x
        + 0.5 * noise::value_noise(4.1 * along + 7.0, 255u, 32u).x;
    return smoothstep(-0.1, 1.0, sum) * smoothstep(0.0, 0.10, direction.y);
}

// Height of the spruces at `x`, one per unit at most, relative to the tallest; `grove` is larger
// where they stand close.
fn spruces(x: f32, seed: u32, grove: f32) -> f32 {
    let random = noise::random_of(u32(x) * 0x9E3779B1u + seed);
    let away = abs(fract(x) - 0.35 - 0.3 * random.x);
    let size = (0.25 + 0.6 * random.z * random.z) * smoothstep(0.9, 0.3, random.y - grove);
    return size * max(1.0 - 3.6 * away, 0.0);
}

// Opacity of the distant hills (x) and of the wood before them (y) in a direction. `blur`
// is the angle that a pixel subtends.
fn shore(direction: vec3f, blur: f32) -> vec2f {
    let turn = 0.5 + shading::bearing(direction);
    let large = noise::value_noise(vec2f(16.0 * turn, 0.5), 15u, 8u).x;
    let middle = noise::value_noise(vec2f(64.0 * turn, 0.5), 63u, 9u).x;
    // Round crowns with creases between them, and groves of spruces.
    let crowns = abs(noise::value_noise(vec2f(256.0 * turn, 0.5), 255u, 10u).x);
    let spruce = max(
        spruces(310.0 * turn, 77u, middle), 0.6 * spruces(590.0 * turn, 78u, 0.3 + middle));
    let hills = 0.052 - 0.012 * large + 0.008 * middle;
    let wood = 0.038 + 0.050 * large + 0.014 * middle
        + exp(-100.0 * blur) * (0.018 * crowns + 0.042 * spruce);
    // Edges of spruces are steep, so the same blur spans more of their height.
    let soft = 0.002 + blur + vec2f(0.0, 0.004 * min(5.0 * spruce, 1.0));
    return smoothstep(-soft, soft, vec2f(hills, wood) - max(direction.y, 0.0));
}

/// Opacity of the mist on the water in a unit direction, up or down, at the bearing of the last
/// call of `surroundings`.
fn mist(direction: vec3f) -> f32 {
    return 1.0 - exp(-mist_density * exp(mist_shape.x - mist_shape.y * abs(direction.y)));
}

// Coverage by reeds between the camera and the shore in a direction, at most one per cell of
// two layers. Reeds grow in clumps; they taper and lean. Those of the first layer carry a plume
// below the tip, the others are leaves.
fn reeds(direction: vec3f, blur: f32) -> f32 {
    let turn = 0.5 + shading::bearing(direction);
    let up = abs(direction.y);
    let clump = noise::value_noise(vec2f(32.0 * turn, 6.5), 31u, 18u).x;
    // Ripples smear mirror images up and down, but hardly sideways; waves tear them.
    let soft = 0.0007 + blur * mix(0.3, 1.0, smoothstep(0.008, 0.02, blur));
    var open = 1.0;
    for (var i = 0u; i < 2u; i++) {
        let leaf = f32(i);
        let scale = 224.0 + 160.0 * leaf;
        let cell = floor(scale * turn);
        let random = noise::random_of(u32(cell) * 0x9E3779B1u + 41u + i);
        let along = up / ((0.04 + 0.06 * random.x + 0.05 * max(clump, 0.0)) * (1.0 - 0.35 * leaf));
        let lean = (random.z - 0.5) * (0.36 + 0.74 * leaf);
        let middle = 0.4 + 0.2 * random.y + lean * along * along;
        let local = scale * turn - cell;
        let offset = abs(local - middle) * 6.2832 / scale;
        let plume = smoothstep(0.66, 0.76, along) * (1.0 - smoothstep(0.84, 0.98, along));
        let width = 0.0011 - 0.0008 * along + 0.0017 * plume * (1.0 - leaf);
        let stem = (1.0 - smoothstep(width - soft, width + soft, offset))
            * (1.0 - smoothstep(1.0 - 12.0 * soft, 1.0, along))
            // Blurred stems fade before the border of their cell.
            * smoothstep(0.0, 0.05 + 0.5 * scale * soft, min(local, 1.0 - local));
        open *= 1.0 - stem * step(random.w, 0.07 - 0.2 * leaf + 1.9 * clump);
    }
    return 1.0 - open;
}

override fn pool::surroundings(direction: vec3f, blur: f32) -> vec3f {
    let toward = max(dot(direction, to_sun), 0.0);
    // Thin clouds are lit from behind, thick ones are dark. Waves would tear them into outlines.
    let cover = clouds(direction) * (1.0 - smoothstep(0.003, 0.0045, blur));
    let bright = mix(vec3f(0.56, 0.24, 0.26), vec3f(1.7, 0.60, 0.18), toward * toward);
    let lit = mix(bright, vec3f(0.36, 0.20, 0.26), cover * cover);
    let sky = mix(land::sky(direction), lit, 0.8 * cover);
    // The sun's disc as a lobe that is as wide as the blur; waves draw it out into a path.
    let drawn = vec2f(2.0, 20.0) * max(blur - 0.002, 0.0);
    let spread = 2.4e-4 + blur * blur + drawn * drawn;
    let offset = direction - to_sun;
    let away = vec2f(dot(offset.xz, offset.xz), offset.y * offset.y) / spread;
    let disc = min(7e-4 * inverseSqrt(spread.x * spread.y), 1.0) * exp(-away.x - away.y);
    let hidden = shore(direction, blur);
    // The mist lies in banks, torn into wisps, which drift to and fro once per loop.
    let turn = 0.5 + shading::bearing(direction) + mist_drift.x;
    let up = abs(direction.y);
    let bank = noise::value_noise(vec2f(32.0 * turn, 12.0 * up + mist_drift.y), 31u, 3u).x;
    let wisp = noise::value_noise(vec2f(64.0 * turn, 70.0 * up - mist_drift.y), 63u, 4u).x;
    mist_shape = vec2f(1.8 + 0.3 * wisp, 110.0 * exp(-0.75 * bank - 0.25 * wisp));
    let veil = mist(direction);
    mist_color = land::sky(vec3f(direction.x, 0.02, direction.z));
    let glare = exp(40.0 * (toward - 1.0));
    let hills = mix(vec3f(0.05, 0.07, 0.09), mist_color, 0.45);
    let wood = mix(vec3f(0.03, 0.034, 0.04), mist_color, 0.06 + 0.25 * glare);
    let far = mix(sky + vec3f(26.0, 10.0, 3.0) * disc, hills, hidden.x);
    let shored = mix(mix(far, wood, hidden.y), mist_color, veil);
    let stem = mix(vec3f(0.028, 0.018, 0.012), mist_color, 0.5 * veil + 0.1 * glare);
    reed_cover = reeds(direction, blur);
    return mix(shored, stem, reed_cover);
}
