// The water strider: six long legs row over a mountain lake after sunrise.
//
// Every standing foot dents the water's surface, and rings spread from where feet touched
// down and lifted off. They bend the mirror image of the sky and the shore.
//
// The strider's shape is in `water_strider`, its walk in `walk` and `walker`, the
// rendering in `pool`.

#import tarsus::{bits, camera, depth_of_field, frame, land, light, noise, palette}
#import tarsus::{pool, shading, terrain, walk, walker, water}
#import tarsus::water_strider as strider

struct Params {
    /// Gait {tripods, pairs} = tripods
    gait: u32,
    /// Speed, in periods of the path per loop [1, 2] = 1
    speed: u32,
    /// Bursts and rests [0, 1] = 0.3
    bursts: f32,
    /// Length of a stride [1, 1.45] = 1.4
    stride: f32,
    /// Duty: fraction of a step on the ground [0.5, 0.75] = 0.6
    duty: f32,
    /// Height of the body [0.36, 0.52] = 0.46
    height: f32,
    /// Bend of the legs [1, 1.2] = 1
    bend: f32,
    /// Rings on the water [0, 2] = 1
    rings: f32,
    /// Height of the sun in degrees [8, 60] = 13
    sun_height: f32,
    /// Bearing of the sun in degrees [-180, 180] = 148
    sun_bearing: f32,
    /// Colour of the sun = #ffc890
    sun_color: vec3f,
    /// Colour of the back = #17120f
    back_color: vec3f,
    /// Colour of deep water = #123642
    water_color: vec3f,
    /// Mist on the shore [0, 3] = 1
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
    let yaw = 1.05 + 0.30 * sin(turn + 0.9);
    return camera::View(yaw, 0.19 + 0.02 * sin(2.0 * turn + 1.0), 5.25, 0.07, tan_half_fov);
}

override fn strider::appearance() -> strider::Appearance {
    return strider::Appearance(
        params.back_color,
        vec3f(0.4302, 0.4366, 0.4553),
        vec3f(0.4366, 0.3227, 0.2060),
        vec3f(0.4553, 0.4236, 0.4030),
        vec3f(0.6343, 0.6500, 0.6800),
        1.0,
        params.bend,
    );
}

// ---- The water -------------------------------------------------------------------

const RING_SLOPE: f32 = 0.31;
const DENT_DEPTH: f32 = 0.016;
const DENT_RADIUS: f32 = 0.125;

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
    // Rings of a leg's third most recent step are too low to be visible.
    if is_near {
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
    // Waves of a few pixels would break the reflection of the shore into blocks.
    var slope = 0.0007 * water::wind(p, walker::now() / LOOP_SECONDS, 3.0 * footprint).yz;
    let fine = rings().frequency * footprint;
    let visible = params.rings * exp(-0.3 * fine * fine);
    for (var steps = steps_near(p); steps != 0u; steps &= steps - 1u) {
        let index = bits::lowest(steps);
        let past = strider::past_step(index);
        let away = p - past.xy;
        let ring = water::rings_of_past_step(away, past.z, past.w, rings());
        slope += RING_SLOPE * visible * ring.yz;
        let leg = index / strider::LAST_STEPS;
        let load = select(0.0, walker::leg_of(leg).load, index % strider::LAST_STEPS == 0u);
        // With a raised rim: the slope of (r² - 1) exp(-r²).
        let rim = 2.0 - dot(away, away) / (DENT_RADIUS * DENT_RADIUS);
        slope += DENT_DEPTH * load * rim * water::dent(away, DENT_RADIUS).yz;
    }
    return pool::WaterPoint(slope, 1.0, 0.0);
}

// Number of cells, each with at most one leaf, in a period of the path, and their width.
const LEAF_CELLS: u32 = 16u;
const LEAF_CELL: f32 = terrain::PERIOD / f32(LEAF_CELLS);
// Half the length of a large leaf, and fraction of the cells without one.
const LEAF_SIZE: f32 = 0.26;
const LEAFLESS: f32 = 0.8;

override fn pool::floating_at(p: vec2f, width: f32, footprint: f32) -> vec4f {
    let cell = floor(p / LEAF_CELL);
    let index = vec2u(vec2i(cell)) & vec2u(LEAF_CELLS - 1u);
    let random = noise::random_of((LEAF_CELLS * index.y + index.x) * 0x9E3779B1u + 77u);
    let middle = LEAF_CELL * (cell + 0.2 + 0.6 * random.xy);
    let angle = frame::TAU * random.z;
    let across = vec2f(cos(angle), sin(angle));
    let growth = max(random.w - LEAFLESS, 0.0) / (1.0 - LEAFLESS);
    let size = LEAF_SIZE * mix(0.43, 1.0, growth);
    let q = vec2f(dot(p - middle, across), dot(p - middle, vec2f(-across.y, across.x))) / size;
    // The outline tapers to the tip and curves a little.
    let along = clamp(q.x, -1.0, 1.0);
    let bent = q.y - 0.12 * along * along;
    let half_width = (1.0 - along * along) * (0.40 - 0.14 * along);
    let soft = (0.5 * width + 0.5 * footprint) / size;
    let inside = 1.0 - smoothstep(-soft, soft, max(abs(bent) - half_width, abs(q.x) - 1.0));
    let rib = 1.0 - smoothstep(0.02, 0.05 + soft, abs(bent));
    let vein = 0.5 + 0.5 * sin(26.0 * (along + 0.8 * abs(bent)));
    let albedo = mix(vec3f(0.115, 0.060, 0.034), vec3f(0.26, 0.165, 0.095), max(rib, 0.15 * vein));
    let sun = land::sunlight;
    let light = (sun.direction.y + 0.15 * bent) * sun.color + vec3f(0.34, 0.36, 0.46);
    // Far leaves would be streaks narrower than a pixel.
    let near = 1.0 - smoothstep(0.15, 0.5, soft);
    return vec4f(albedo * light, select(0.0, inside * near, random.w > LEAFLESS));
}

override fn pool::water_properties() -> pool::Water {
    let deep = palette::linear_from_display(params.water_color);
    return pool::Water(0.0, deep, vec3f(0.0), vec3f(0.0), 0.27);
}

// Fraction of the water's slope that bends the animal's mirror image, and slope at which it is
// halved: steep dents and rings would tear the image of a leg into pieces, and a hard limit
// would turn its ripples into steps.
const IMAGE_BEND: f32 = 0.18;
const STEEP: f32 = 0.06;

override fn pool::image_slope(slope: vec2f) -> vec2f {
    return IMAGE_BEND * slope / (1.0 + length(slope) / STEEP);
}

override fn pool::image_softness() -> f32 {
    return 0.2;
}

override fn pool::image_gloss() -> f32 {
    return 0.2;
}

override fn pool::unseen_slope() -> f32 {
    return 0.004;
}

// ---- Light -----------------------------------------------------------------------

override fn land::sun() -> land::Sun {
    let direction = shading::direction_at(params.sun_bearing, params.sun_height);
    return land::Sun(direction, 0.03, 4.4 * palette::linear_from_display(params.sun_color));
}

// Direction of the sun relative to the bearing of a direction: x = 1 if the sun is on its left,
// y = 1 if it is straight ahead.
fn sun_beside(direction: vec3f) -> vec2f {
    let ahead = shading::level(direction);
    let sun = shading::level(land::sunlight.direction);
    return vec2f(ahead.y * sun.x - ahead.x * sun.y, dot(ahead, sun));
}

// The sky after sunrise: gold toward the sun, rose elsewhere above the horizon, blue overhead.
override fn land::sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let near = max(0.5 + 0.5 * sun_beside(direction).y, 0.0);
    let low = mix(vec3f(0.50, 0.33, 0.40), vec3f(1.90, 0.92, 0.36), near * sqrt(near));
    let middle = mix(vec3f(0.13, 0.27, 0.58), vec3f(0.50, 0.52, 0.62), near * near);
    let high = mix(vec3f(0.022, 0.056, 0.170), middle, exp(-4.5 * up));
    let toward = max(dot(direction, land::sunlight.direction), 0.0);
    return mix(high, low, exp(-15.0 * up))
        + 0.4 * land::sunlight.color * (0.30 * pow(toward, 16.0) + 1.2 * pow(toward, 600.0));
}

// Cover by thin clouds in a direction, 0 to 1. They lie on a plane overhead.
fn clouds(direction: vec3f) -> f32 {
    let p = direction.xz / (max(direction.y, 0.0) + 0.12);
    let q = vec2f(0.9 * p.x + 0.3 * p.y, 0.5 * p.y - 0.2 * p.x);
    let sum = noise::value_noise(q, 255u, 31u).x
        + 0.6 * noise::value_noise(2.7 * q + 7.0, 255u, 32u).x
        + 0.35 * noise::value_noise(7.1 * q + 3.0, 255u, 33u).x;
    return smoothstep(-0.45, 1.0, sum);
}

// ---- The shore -------------------------------------------------------------------

// The shore is a function of the bearing `turn` (in turns) and the elevation `up` of a
// direction. `blur` is the angle that a pixel subtends.

// Elevations above which there are no peaks, and no trees.
const HIGHEST_PEAK: f32 = 0.12;
const HIGHEST_TREE: f32 = 0.045;

// Rock in front of the sky.
struct Rock {
    // Elevation of its outline.
    top: f32,
    // Facing to the left, about -1 to 1.
    facing: f32,
    relief: f32,
}

// A row of peaks, one per cell; the highest counts. Ridges fan out from the summits.
fn peaks(turn: f32, up: f32, blur: f32) -> Rock {
    let sharp = exp(-2e4 * blur * blur);
    let crags = sharp * (noise::value_noise(vec2f(128.0 * turn, 20.0 * up), 127u, 20u).x
        + 0.6 * noise::value_noise(vec2f(512.0 * turn, 80.0 * up), 511u, 21u).x);
    let x = 32.0 * turn;
    var found = Rock(0.0, 0.0, 0.0);
    var front = -1.0;
    // Position on the peak: offset from its ridge, narrower toward the summit, and depth below it.
    var q = vec2f(0.0);
    if up < HIGHEST_PEAK {
        for (var i = 0u; i < 3u; i++) {
            let cell = (u32(floor(x)) + i + 31u) & 31u;
            let random = noise::random_of(cell * 0x9E3779B1u + 9u);
            let away = fract(x) + 0.5 - f32(i) - 0.5 * (random.x - 0.5);
            let height = 0.048 + 0.070 * random.y * random.y;
            let reach = 0.85 + 0.38 * random.z;
            let along = min(abs(away + 0.07 * crags) / reach, 1.0);
            let top = height * (1.0 - along) * (1.0 - 0.25 * along);
            // Where two peaks meet, one stands in front of the other.
            let rank = top + random.w * (top - up);
            if rank > front {
                front = rank;
                found.top = top;
                let depth = max(height - up, 0.0) / height;
                let across = (5.6 * away + 0.06 * crags) / (reach * (0.35 + depth));
                q = vec2f(across, 1.6 * depth + 0.5 * abs(across) + 8.0 * random.w);
            }
        }
    }
    let fan = 1.1 * q.x;
    var slope = 0.0;
    var weight = 0.50;
    if up < HIGHEST_PEAK {
        for (var i = 0u; i < 4u; i++) {
            let n = noise::value_noise(q, 255u, 23u + i);
            let root = sqrt(n.x * n.x + 0.001);
            found.relief += weight * (0.6 - 2.0 * root);
            slope -= weight * n.x / root * n.y;
            weight *= 0.74 * sharp;
            q = noise::next_octave(q);
        }
    }
    let ridge = fan - 0.5 * found.relief;
    found.facing = -0.5 * ridge / sqrt(ridge * ridge + 0.10) - 1.2 * slope;
    return found;
}

// Two rows of small spruces; x is the nearer row.
struct Wood {
    // Height of the outline, 0 to 1.
    outline: vec2f,
    // Facing to the left, -1 to 1.
    facing: vec2f,
}

fn wood_at(turn: f32) -> Wood {
    let x = 1024.0 * turn + vec2f(0.0, 0.37);
    let cell = floor(x);
    let index = vec2u(vec2i(cell)) & vec2u(1023u);
    let words = vec4u(index.x, index.x + 2048u, index.y + 4096u, index.y + 6144u);
    let random = noise::in_24_bits(noise::mix_bits(0x9E3779B1u * words)) * 0x1p-24;
    let away = x - cell - 0.5 - 0.4 * (random.yw - 0.5);
    let outline = (0.15 + 0.85 * random.xz * random.xz) * max(1.0 - 3.2 * abs(away), vec2f(0.0));
    return Wood(outline, clamp(-4.0 * away, vec2f(-1.0), vec2f(1.0)));
}

// Spruces, at most one per cell of two layers, before a wood: x = coverage, y = facing to the
// left, -1 to 1, z = depth: 0 for the layer in front, 1 for the other and for the wood's nearer
// row, 2 for its farther one. `stand` is the height of the wood, from -1 to 1.
fn spruces(turn: f32, up: f32, blur: f32, stand: f32) -> vec3f {
    let wood = wood_at(turn);
    let tops = vec2f(0.0035, 0.0085) + 0.005 * stand + vec2f(0.009, 0.008) * wood.outline;
    let soft = 0.0004 + 2.0 * blur;
    let covers = 1.0 - smoothstep(tops - soft, tops + soft, vec2f(up));
    var found = vec3f(
        max(covers.x, covers.y), mix(wood.facing.y, wood.facing.x, covers.x), 2.0 - covers.x);
    if up < HIGHEST_TREE {
        // Groups of tall trees, with lone ones between them.
        let grown = smoothstep(-0.5, 0.5, stand);
        for (var i = 0u; i < 2u; i++) {
            // Cells of two sizes, so that the trees do not stand in step.
            let scale = select(512.0, 256.0, i == 1u);
            let x = scale * turn + 0.5 * f32(i);
            let cell = floor(x);
            let random = noise::random_of((u32(cell) & (511u >> i)) * 0x9E3779B1u + 41u + i);
            let tall = mix(random.x * random.x * random.x, random.x, grown);
            let top = 0.004 + 0.041 * tall * (0.3 + 0.7 * grown);
            let soft = 0.04 + scale / frame::TAU * blur;
            let along = up / top;
            let spread = min(scale * top * (0.032 + 0.014 * random.w), 0.47);
            let away = x - cell - 0.5 - (0.85 - 2.0 * spread) * (random.y - 0.5);
            let branch = fract((5.0 + 4.0 * random.w) * along + random.z);
            let width = 0.015 + spread * (1.0 - along) * (1.2 - 0.4 * branch);
            let cover = (1.0 - smoothstep(width - soft, width + soft, abs(away)))
                * (1.0 - smoothstep(1.0 - blur / top, 1.0, along));
            let facing = clamp(-3.0 * away / max(width, 0.05), -1.0, 1.0);
            found = vec3f(
                max(found.x, cover),
                mix(found.yz, vec2f(facing, 1.0 - f32(i)), cover),
            );
        }
    }
    return found;
}

// Peaks in the first sun, foothills, spruces, and a strand of pale stones.
override fn pool::surroundings(direction: vec3f, blur: f32) -> vec3f {
    let turn = 0.515 + shading::bearing(direction);
    let up = max(direction.y, 0.0);
    let sun = sun_beside(direction);
    let air = land::sky(normalize(vec3f(direction.x, 0.04, direction.z)));
    let edge = 0.001 + blur;
    let cloud = vec3f(0.22, 0.06, 0.0) + 1.1 * air;
    var color = mix(land::sky(direction), cloud, 0.7 * clouds(direction));

    let peak = peaks(turn, up, blur);
    let lit = smoothstep(-0.3, 0.75, sun.x * peak.facing - 0.4 * sun.y);
    let snow = smoothstep(-0.003, 0.003, up - 0.046 + 0.030 * peak.relief);
    let bright = mix(vec3f(0.42, 0.20, 0.15), vec3f(1.90, 0.90, 0.58), snow);
    let dark = mix(vec3f(0.045, 0.07, 0.16), vec3f(0.13, 0.20, 0.44), snow);
    let rock = mix(mix(dark, bright, lit), air, 0.08 + 0.92 * exp(-38.0 * up));
    color = mix(rock, color, smoothstep(peak.top - edge, peak.top + edge, up));

    let stand = noise::value_noise(vec2f(32.0 * turn, 0.5), 31u, 8u).x;
    let banks = noise::value_noise(vec2f(64.0 * turn, 90.0 * up), 63u, 4u).x;
    let hill = 0.021 + 0.012 * stand + 0.002 * banks;
    let slope = mix(vec3f(0.055, 0.075, 0.13), air, 0.25 + 0.3 * exp(-120.0 * up));
    color = mix(slope, color, smoothstep(hill - edge, hill + edge, up));

    let tree = spruces(turn, up, blur, stand);
    let sunny = 0.5 + 0.5 * clamp(sun.x * tree.y - sun.y, -1.0, 1.0);
    let needles = mix(vec3f(0.008, 0.022, 0.040), vec3f(0.075, 0.062, 0.040), sunny);
    color = mix(color, mix(needles, air, 0.05 + 0.11 * tree.z), tree.x);
    let beach = 0.0012 * banks - 0.0003 + 0.05 * max(hill - 0.018, 0.0);
    let stones = 1.0 - smoothstep(beach - blur, beach + 0.0006 + blur, up);
    color = mix(color, vec3f(0.24, 0.18, 0.16), stones);
    let mist = 0.85 * smoothstep(-0.2, 0.9, banks) * smoothstep(-0.006, 0.008, up)
        * exp(-110.0 * max(up - 0.006, 0.0));
    return mix(color, air, min(params.fog * mist, 1.0));
}

override fn land::sky_light(n: vec3f) -> vec3f {
    // Water reflects the sky, and the low sun lights the belly from below.
    let sun = land::sunlight;
    let from_water = 0.5 + 0.5 * dot(n, vec3f(1.0, -1.0, 1.0) * sun.direction);
    return light::hemisphere(n, vec3f(0.38, 0.48, 0.66), vec3f(0.46, 0.42, 0.50))
        + 0.40 * from_water * from_water * sun.color;
}

override fn land::bounce() -> vec3f {
    return vec3f(0.22, 0.25, 0.36);
}

override fn land::optics(animal_distance: f32) -> depth_of_field::Optics {
    return depth_of_field::Optics(params.aperture, animal_distance + params.focus);
}

// The air is clear; the mist lies on the shore.
override fn land::haze(color: vec3f, direction: vec3f, distance: f32) -> vec3f {
    return color;
}

override fn land::exposure() -> f32 {
    return 0.82;
}

// ---- The image -------------------------------------------------------------------

fn per_frame(index: u32) -> vec4f {
    return walker::per_frame(index);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    strider::prepare();
    return pool::main_image(frag_coord);
}
