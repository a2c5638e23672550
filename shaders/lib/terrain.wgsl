#define_import_path tarsus::terrain

#import tarsus::debug_view
#import tarsus::noise::{next_octave, octave_slope, value_noise}

// Height field: a valley of low dunes along the x axis between high ones, with finer relief
// on top. Four octaves of value noise (`noise`). Heights are in world units, y up, as a
// function of world xz. The ground repeats every PERIOD along x, like the path.

/// Length along x after which the ground repeats.
const PERIOD: f32 = 32.0;
/// Period of the largest octave in cells, minus 1 (`noise::value_noise`).
const MASK: u32 = 3u;
/// Size of a noise cell of the largest octave.
const CELL: f32 = PERIOD / f32(MASK + 1u);
const SEED: u32 = 0x51ED270Bu;

/// Amplitudes of the octaves from large to small.
const DUNE: f32 = 0.38;
const HUMP: f32 = 0.17;
const HOLLOW: f32 = 0.055;
const LUMP: f32 = 0.014;

/// High dunes are WALL + 1 times as high as those of the valley.
const WALL: f32 = 7.0;

/// Upper bound on the ground's height.
const MAX_HEIGHT: f32 = 3.0;

/// Factor that turns the height above the ground into a bound on the distance to it, except
/// on the steepest flanks of the high dunes.
const BOUND: f32 = 0.7;

/// Height of the dunes at z relative to those of the valley: x = factor, y = its derivative.
fn wall(z: f32) -> vec2f {
    let s = clamp((abs(z) - 4.0) * (1.0 / 18.0), 0.0, 1.0);
    let slope = WALL * 6.0 * s * (1.0 - s) / 18.0 * sign(z);
    return vec2f(1.0 + WALL * s * s * (3.0 - 2.0 * s), slope);
}

/// Ridged noise in about [-1, 0.75]: a smooth crest where `noise` is 0.
fn crest(noise: f32) -> f32 {
    return 1.0 - 2.0 * sqrt(noise * noise + 0.015);
}

/// Derivative of `crest`.
fn crest_slope(noise: f32) -> f32 {
    return -2.0 * noise * inverseSqrt(noise * noise + 0.015);
}

/// Height (x) and slope (yz = dh/dx, dh/dz) of the ground at a point, all octaves.
fn relief(p: vec2f) -> vec3f {
    let q_dune = p / CELL;
    let q_hump = next_octave(q_dune);
    let q_hollow = next_octave(q_hump);
    let q_lump = next_octave(q_hollow);

    let dune = value_noise(q_dune, MASK, SEED);
    let hump = value_noise(q_hump, MASK, SEED + 1u);
    let hollow = value_noise(q_hollow, MASK, SEED + 2u);
    let lump = value_noise(q_lump, MASK, SEED + 3u);

    let rise = wall(p.y);
    let ridge = crest(dune.x);
    let height = DUNE * rise.x * ridge + HUMP * hump.x + HOLLOW * hollow.x + LUMP * lump.x;
    let slope = DUNE * rise.x * crest_slope(dune.x) * dune.yz
        + octave_slope(HUMP * hump.yz
        + octave_slope(HOLLOW * hollow.yz
        + octave_slope(LUMP * lump.yz)));
    return vec3f(height, slope / CELL + vec2f(0.0, DUNE * rise.y * ridge));
}

/// Length of the ground under a pixel of width `width`, seen along the unit vector
/// `direction`, if the ground's slope is `slope`.
fn footprint(width: f32, direction: vec3f, slope: vec2f) -> f32 {
    let facing = dot(slope, direction.xz) - direction.y;
    return width * sqrt(1.0 + dot(slope, slope)) / max(facing, 0.04);
}

/// Height of the ground at a point, all octaves. Meant for per-frame values: the octaves
/// are computed in a loop, as drivers take long to compile four copies.
fn height(p: vec2f) -> f32 {
    var q = p / CELL;
    var weights = vec4f(DUNE * wall(p.y).x, HUMP, HOLLOW, LUMP);
    var sum = 0.0;
    // A non-constant bound keeps drivers from unrolling the loop.
    let octaves = select(0u, 4u, weights.x > 0.0);
    for (var i = 0u; i < octaves; i++) {
        let noise = value_noise(q, MASK, SEED + i).x;
        sum += weights.x * select(noise, crest(noise), i == 0u);
        weights = weights.yzww;
        q = next_octave(q);
    }
    return sum;
}

/// Sum of the two large octaves at a point.
fn large_octaves(p: vec2f) -> f32 {
    let q = p / CELL;
    return DUNE * wall(p.y).x * crest(value_noise(q, MASK, SEED).x)
        + HUMP * value_noise(next_octave(q), MASK, SEED + 1u).x;
}

/// Sum of the two large octaves at a point (x), and its slope along the vector `along` (y).
fn large_octaves_along(p: vec2f, along: vec2f) -> vec2f {
    let q = p / CELL;
    let dune = value_noise(q, MASK, SEED);
    let hump = value_noise(next_octave(q), MASK, SEED + 1u);
    let rise = wall(p.y);
    let ridge = crest(dune.x);
    let slope = DUNE * rise.x * crest_slope(dune.x) * dune.yz + octave_slope(HUMP * hump.yz);
    return vec2f(
        DUNE * rise.x * ridge + HUMP * hump.x,
        dot(slope / CELL + vec2f(0.0, DUNE * rise.y * ridge), along));
}

/// Upward curvature that the large octaves exceed in few places near z.
fn curvature(z: f32) -> f32 {
    return 0.20 + 0.08 * wall(z).x;
}

/// Length of a step along a ray that is `above` the ground and approaches it by `approach` per
/// unit of length, before it can meet ground of the upward curvature `curvature`: the root of
/// above = approach * step + curvature / 2 * step².
fn safe_step(above: f32, approach: f32, curvature: f32) -> f32 {
    let gap = max(above, 0.0);
    return 2.0 * gap / max(approach + sqrt(approach * approach + 2.0 * curvature * gap), 1e-3);
}

/// Sum of the two small octaves at a point that is `distance` away from the camera, each
/// times its visibility.
fn small_octaves(p: vec2f, distance: f32) -> f32 {
    let q = next_octave(next_octave(p / CELL));
    let visible = octave_visibility(distance);
    return HOLLOW * visible.x * value_noise(q, MASK, SEED + 2u).x
        + LUMP * visible.y * value_noise(next_octave(q), MASK, SEED + 3u).x;
}

/// Visibility of the two small octaves, 0 to 1, at a distance from the camera: they fade
/// out where they are smaller than a pixel.
fn octave_visibility(distance: f32) -> vec2f {
    return vec2f(fade(distance, 24.0, 36.0), fade(distance, 9.0, 14.0));
}

/// Height of the ground at a point that is `distance` away from the camera.
fn height_from(p: vec2f, distance: f32) -> f32 {
    return large_octaves(p) + small_octaves(p, distance);
}

/// 1 up to `near`, 0 from `far` on, linear between.
fn fade(distance: f32, near: f32, far: f32) -> f32 {
    return clamp((far - distance) * (1.0 / (far - near)), 0.0, 1.0);
}

/// Upper bound on the ground's height at z: the sum of the octaves' maxima.
fn ceiling(z: f32) -> f32 {
    return 0.76 * DUNE * wall(z).x + HUMP + HOLLOW + LUMP;
}

/// Largest slope of `ceiling`.
const CEILING_MAX_SLOPE: f32 = 0.17;

/// Step along a ray per unit of height above the ground at z, short enough for ground of
/// typical steepness. `rise` and `run` are the vertical and horizontal components of the
/// ray's unit direction. Where the ground is steeper, `trace` corrects the step with a
/// chord.
fn step_per_height(z: f32, rise: f32, run: f32) -> f32 {
    let steep = 0.30 + 0.25 * wall(z).x;
    return 1.0 / max(steep * run - rise, 0.35);
}

const MAX_STEPS: i32 = 160;

/// Closest approach of the last ray of `trace` to the ground, relative to the distance: x =
/// distance along the ray, y = height above the ground there. It smooths a crest against the
/// sky.
var<private> closest: vec2f = vec2f(1.0, 1e3);

/// Distance along a ray to the ground, or `t_far` if it is not met before. `direction` is a
/// unit vector. Three stages of rising cost per step: down to `ceiling`, with the large
/// octaves down to the range of the small ones, and with all octaves from there.
fn trace(origin: vec3f, direction: vec3f, t_far: f32) -> f32 {
    var end = t_far;
    if direction.y > 0.0 {
        end = min(end, max((MAX_HEIGHT - origin.y) / direction.y, 0.0));
    }
    let run = length(direction.xz);
    closest = vec2f(1.0, 1e3);
    var t = 0.02;
    let fall = 1.0 / max(CEILING_MAX_SLOPE * run - direction.y, 0.02);
    for (var i = 0; i < 8 && t < end; i++) {
        t += fall * max(origin.y + t * direction.y - ceiling(origin.z + t * direction.z), 0.0);
    }

    // Every ray is sampled here before it ends.
    let stop = 0.99999 * end;
    var t_hit = t_far;
    var i = 0;
    while i < MAX_STEPS && t < end {
        // Long steps over the large octaves.
        var clearance = 1.0;
        var last_t = t;
        var last_gap = 0.0;
        for (; i < MAX_STEPS && t < end && clearance > 0.0; i++) {
            let p = origin + t * direction;
            let ground = large_octaves_along(p.xz, direction.xz);
            let fine = dot(vec2f(HOLLOW, LUMP), octave_visibility(t));
            let above = p.y - ground.x - fine;
            debug_view::count_step();
            clearance = above - 0.3 * fine - 0.0004 * t;
            // Beyond the range of the small octaves, the large ones are the ground.
            closest = select(
                closest, vec2f(t, above), fine <= 0.0 && above * closest.x < closest.y * t);
            // The minimum step grows with the number of steps, which bounds the cost of
            // grazing rays.
            let least = (0.0012 + 0.0001 * f32(i)) * t;
            let step = safe_step(above, ground.y - direction.y, curvature(p.z));
            if above > 0.0 {
                last_t = t;
                last_gap = above;
                t = select(min(t + max(step, least), stop), end, t >= stop);
            }
        }
        // All octaves, until the ground is met or out of reach again. The ground is smooth
        // at this scale, so the next step follows from the last change of height (secant
        // method).
        for (clearance = 0.0; i < MAX_STEPS && t < end && clearance < 3.0 * (HOLLOW + LUMP); i++) {
            let p = origin + t * direction;
            clearance = p.y - height_from(p.xz, t);
            debug_view::count_step();
            closest = select(
                closest, vec2f(t, clearance), clearance * closest.x < closest.y * t);
            // Root of the chord through the last two samples.
            let chord = mix(last_t, t, clamp(last_gap / max(last_gap - clearance, 1e-6), 0.0, 2.0));
            if clearance < -0.0005 * t && last_gap > 0.0 {
                // The step went far below a steep slope: the chord only gives the next
                // sample.
                t = chord;
                continue;
            }
            if clearance < 0.00015 * t {
                t_hit = chord;
                debug_view::note_hit(t_hit);
                end = 0.0;
            }
            let step_scale = step_per_height(p.z, direction.y, run);
            let onward = (t - last_t) / max(last_gap - clearance, 1e-6);
            last_t = t;
            last_gap = clearance;
            let least = (0.0012 + 0.0001 * f32(i)) * t;
            let next = min(t + max(clearance * clamp(onward, step_scale, 4.0 * step_scale), least), stop);
            t = select(next, end, t >= stop);
        }
    }
    // Out of steps on a grazing ray, which counts as a hit.
    return select(t_hit, t, t < end);
}

/// Shadow clearance (`raymarch::ShadowState`) of the ground, from its point p, `distance`
/// away from the camera, toward a light whose disc has the angular radius `angle`
/// (radians), by a few long steps.
fn shadow_clearance(p: vec3f, distance: f32, to_light: vec3f, angle: f32) -> f32 {
    var clearance = 1.0;
    // Far points are found less exactly (`trace`): the farther a sample, the less that matters.
    var t = max(0.15, 0.045 * distance);
    for (var i = 0; i < 16 && clearance > -1.0; i++) {
        let q = p + t * to_light;
        if q.y > ceiling(q.z) {
            break;
        }
        let gap = q.y - height_from(q.xz, distance);
        clearance = min(clearance, BOUND * gap / (angle * t));
        t += clamp(BOUND * gap, 0.15 + 0.08 * t, 1.5);
    }
    return clearance;
}
