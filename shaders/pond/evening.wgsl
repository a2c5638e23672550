#define_import_path tarsus::pond::evening

// Evening over a lake: the sky around a low sun, clouds, reeds, and a misty far shore with a
// wood before hills. Directions are unit vectors with y up; colours are linear radiance.

#import tarsus::frame
#import tarsus::land
#import tarsus::noise
#import tarsus::pool
#import tarsus::shading

/// Unit vector toward the sun, and the sun's radiance at the ground.
var<private> to_sun: vec3f;
var<private> sun_color: vec3f;
/// Coverage by reeds and radiance of the mist in the direction of the last call of `surroundings`.
var<private> reed_cover: f32;
var<private> mist_color: vec3f;
// Logarithm of the mist's depth (x) and its fall with the height (y) there.
var<private> mist_shape: vec2f;
// Density of the mist, and its offset: x in turns, y in cells of its noise.
var<private> mist_density: f32;
var<private> mist_drift: vec2f;
/// Height of the direction of the ray from the camera.
var<private> view_y: f32;

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

// Rows of the wood, from far to near: height of the ground, its rise and fall, and height of the
// tallest tree, in radians; share of the mist before each row.
const ROWS = array(vec3f(0.046, 0.016, 0.02), vec3f(0.03, 0.03, 0.046), vec3f(-0.03, 0.075, 0.12));
const ROW_MIST: f32 = 0.4;

// Coverage by a row of the wood at the height `up` in radians: spruces, undergrowth and ground.
fn wood(row: u32, turn: f32, up: f32, blur: f32) -> f32 {
    let shape = ROWS[row];
    let hill = noise::value_noise(vec2f(32.0 * turn, f32(row) + 0.5), 31u, 8u).x;
    let above = up - shape.x - shape.y * hill;
    let count = 864.0 - 304.0 * f32(row);
    let random = noise::random_of(u32(count * turn) * 0x9E3779B1u + 77u + row);
    let place = fract(count * turn);
    let cell = 6.2832 / count;
    let soft = 0.0005 + 1.15 * blur;
    let below = shape.z * (0.25 + 0.75 * random.y * random.y) - above;
    let off = place - 0.42 - 0.16 * random.x + 0.12 * (random.z - 0.5) * below / shape.z;
    let away = cell * abs(vec2f(off, fract(3.0 * place) / 3.0 - 0.1667));
    // Boughs droop. They differ in length, and from side to side.
    let even = (below - 0.9 * away.x) / (0.08 * shape.z) + select(0.0, 5.0 * random.z, off > 0.0);
    let uneven = fract(0.37 * even + random.x);
    let level = even + 2.4 * uneven * (1.0 - uneven);
    let tip = min(fract(level), 3.0 - 3.0 * fract(level))
        * (0.15 + 0.85 * fract(0.618 * floor(level) + 7.0 * random.w));
    let bough = mix(0.4, tip, clamp(1.5 - 32.0 * soft / shape.z, 0.0, 1.0));
    // Spires: no tree reaches the borders of its place, not even a blurred one.
    let taper = (0.16 + 0.12 * random.w) * max(below, 0.0);
    let half_width = min(taper / (1.0 + 1.7 * taper / cell) * (0.4 + 1.2 * bough) - away.x,
        cell * (0.5 - abs(place - 0.5)) - soft);
    let young = shape.z * (0.15 + 0.4 * fract(random.z + 0.37 * floor(3.0 * place))) - above;
    let inside = max(max(half_width, 0.08 * young * (0.8 + bough) - away.y), -above);
    return smoothstep(-soft, soft, inside) * clamp(0.5 + below / (6.0 * soft), 0.0, 1.0);
}

/// Opacity of a share of the mist on the water in a unit direction, up or down, at the bearing of
/// the last call of `surroundings`.
fn mist(direction: vec3f, share: f32) -> f32 {
    return 1.0 - exp(-share * mist_density * exp(mist_shape.x - mist_shape.y * abs(direction.y)));
}

// Reeds before the shore, at most one per cell of two layers: coverage (x), and light of the
// rings around their feet (y). They grow in clumps, taper and lean. Those of the first layer
// carry a plume below the tip, the others are leaves. `mirrored_up` is that of a reflected ray.
fn reeds(turn: f32, mirrored_up: f32, blur: f32) -> vec2f {
    // Constant over whole cells of both layers, so that it cuts no plant.
    let clump = noise::value_noise(vec2f((floor(96.0 * turn) + 0.5) / 3.0, 6.5), 31u, 18u).x;
    // Ripples smear mirror images up and down, but hardly sideways.
    let smear = blur * mix(0.3, 1.0, smoothstep(0.008, 0.02, blur));
    let least = 0.0004 + 0.31 * frame::pixel_size();
    var seen = vec2f(0.0);
    for (var i = 0u; i < 2u; i++) {
        let leaf = f32(i);
        let scale = 192.0 + 96.0 * leaf;
        let random = noise::random_of(u32(scale * turn) * 0x9E3779B1u + 41u + i);
        // Feet stand below the horizon. Waves would tear mirror images, so they bend them less.
        let foot = 0.028 + 0.024 * fract(7.0 * random.x);
        let above = view_y + foot;
        let mirrored = max(mix(-above, mirrored_up - foot, 0.4), 0.0);
        let soft = least + select(smear, 0.0, above > 0.0);
        let height = (0.06 + 0.075 * random.x + 0.05 * max(clump, 0.0)) * (1.0 - 0.3 * leaf);
        let along = select(mirrored, above, above > 0.0) / height;
        let lean = (random.z - 0.5) * (0.36 + 0.44 * leaf) * along * along;
        let local = fract(scale * turn);
        let offset = abs(local - 0.3 - 0.4 * random.y - lean) * 6.2832 / scale;
        let plume = smoothstep(0.72, 0.80, along) * (1.0 - smoothstep(0.86, 0.98, along));
        let width = mix(0.0009 + 0.0022 * plume, (0.001 + 0.0045 * along) * (1.05 - along), leaf);
        let stem = (1.0 - smoothstep(width - soft, width + soft, offset))
            * saturate((1.0 - along) / (12.0 * soft)) * saturate(2.0 + 20.0 * above);
        // Blurred stems fade before the border of their cell.
        let grown = step(random.w, 0.07 - 0.12 * leaf + 1.6 * clump)
            * smoothstep(0.0, 0.05 + 0.5 * scale * soft, min(local, 1.0 - local));
        let ring = length(vec2f(offset, 3.5 * above)) / 0.010;
        let light = 0.55 * sin(6.2832 * ring) * max(1.0 - 0.6 * ring, 0.0);
        seen += grown * vec2f(stem * (1.0 - seen.x), light);
    }
    return seen;
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
    // The mist lies in banks, torn into wisps, which drift to and fro once per loop.
    let turn = 0.5 + shading::bearing(direction);
    let drifting = turn + mist_drift.x;
    // Reflected rays rise at least this much: no seam shows at the water line.
    let up = max(direction.y, pool::unseen_slope());
    let bank = noise::value_noise(vec2f(32.0 * drifting, 12.0 * up + mist_drift.y), 31u, 3u).x;
    let wisp = noise::value_noise(vec2f(64.0 * drifting, 70.0 * up - mist_drift.y), 63u, 4u).x;
    mist_shape = vec2f(2.2 + 0.3 * wisp, 125.0 * exp(-0.75 * bank - 0.25 * wisp));
    let veil = mist(direction, ROW_MIST);
    let glare = exp(30.0 * (toward - 1.0));
    mist_color = land::sky(vec3f(direction.x, 0.02, direction.z));
    // Rows of spruces from the far hills to groves on the near shore, with mist before each.
    var shored = sky + vec3f(26.0, 10.0, 3.0) * disc;
    for (var row = 0u; row < 3u; row++) {
        let tree = mix(vec3f(0.03, 0.034, 0.04), mist_color, 0.4 - 0.18 * f32(row) + 0.25 * glare);
        shored = mix(shored, tree, wood(row, turn, max(direction.y, 0.0), blur));
        shored = mix(shored, mist_color, veil);
    }
    let stem = mix(vec3f(0.028, 0.018, 0.012), mist_color, 0.03 + 0.06 * glare);
    let reed = reeds(turn, up, blur);
    reed_cover = reed.x;
    return mix(shored * (1.0 + reed.y), stem, reed.x);
}
