#define_import_path tarsus::terrain

#import tarsus::lens
#import tarsus::noise::{next_octave, octave_slope, value_noise}

// Sand: a valley of low dunes along the x axis between high ones, with smaller
// relief on top. Heights are in world units, y up, as a function of xz. The
// ground repeats every PERIOD in x, in step with tarsus::path.

const PERIOD: f32 = 32.0;

// Cells of the largest octave; 4 of them make the period.
const CELL: f32 = 8.0;
const MASK: u32 = 3u;
const SEED: u32 = 0x51ED270Bu;

// Heights of the octaves from large to small.
const DUNE: f32 = 0.38;
const HUMP: f32 = 0.17;
const HOLLOW: f32 = 0.055;
const LUMP: f32 = 0.014;

// High dunes are this many times higher than those of the valley.
const WALL: f32 = 7.0;

// No ground is higher than this.
const HIGHEST: f32 = 3.0;

// The height above the ground times this is a bound of the distance to it, but for
// the steepest flanks of the high dunes.
const BOUND: f32 = 0.7;

// How much of the dunes' full height stands at z: x = factor, y = its slope.
fn wall(z: f32) -> vec2f {
    let s = clamp((abs(z) - 4.0) / 18.0, 0.0, 1.0);
    let slope = WALL * 6.0 * s * (1.0 - s) / 18.0 * sign(z);
    return vec2f(1.0 + WALL * s * s * (3.0 - 2.0 * s), slope);
}

// Dunes have a crest: a smooth ridge where the noise passes zero, in [-1, 0.75].
fn crest(noise: f32) -> f32 {
    return 1.0 - 2.0 * sqrt(noise * noise + 0.015);
}

fn crest_slope(noise: f32) -> f32 {
    return -2.0 * noise * inverseSqrt(noise * noise + 0.015);
}

// Height in x and its slope (dh/dx, dh/dz) in yz at a point of the ground.
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

// The length of ground under a pixel `width` wide, seen along the unit vector
// `direction` where the ground's slope is `slope`.
fn footprint(width: f32, direction: vec3f, slope: vec2f) -> f32 {
    let facing = dot(slope, direction.xz) - direction.y;
    return width * sqrt(1.0 + dot(slope, slope)) / max(facing, 0.04);
}

// Height of the ground at a point, all octaves.
fn height(p: vec2f) -> f32 {
    return height_from(p, 0.0);
}

// The two large octaves: what makes the ground's shape.
fn large(p: vec2f) -> f32 {
    let q = p / CELL;
    return DUNE * wall(p.y).x * crest(value_noise(q, MASK, SEED).x)
        + HUMP * value_noise(next_octave(q), MASK, SEED + 1u).x;
}

// The two small ones as seen from `distance`: they fade out where they are too
// small to see.
fn small(p: vec2f, distance: f32) -> f32 {
    let q = next_octave(next_octave(p / CELL));
    let seen = seen_from(distance);
    return HOLLOW * seen.x * value_noise(q, MASK, SEED + 2u).x
        + LUMP * seen.y * value_noise(next_octave(q), MASK, SEED + 3u).x;
}

// Shares of the two small octaves that are left at a distance.
fn seen_from(distance: f32) -> vec2f {
    return vec2f(faded(distance, 24.0, 36.0), faded(distance, 9.0, 14.0));
}

// Height as seen from `distance`.
fn height_from(p: vec2f, distance: f32) -> f32 {
    return large(p) + small(p, distance);
}

fn faded(distance: f32, near: f32, far: f32) -> f32 {
    return clamp((far - distance) / (far - near), 0.0, 1.0);
}

// No ground at z is higher than this: what the octaves can add up to.
fn ceiling(z: f32) -> f32 {
    return 0.76 * DUNE * wall(z).x + HUMP + HOLLOW + LUMP;
}

// Nor does that rise more steeply.
const CEILING_STEEPEST: f32 = 0.17;

// Ground as steep as it is by far the most at z cannot rise into a ray within this
// share of the height above it; `rise` and `run` are those of the ray's direction.
// Where the ground is steeper, `trace` mends the step by a chord.
fn pace_at(z: f32, rise: f32, run: f32) -> f32 {
    let steep = 0.30 + 0.25 * wall(z).x;
    return 1.0 / max(steep * run - rise, 0.35);
}

const MAX_STEPS: i32 = 160;

// Distance along a ray to the ground, or `t_max` if it is not met before.
// `direction` is a unit vector. The ray goes down in three stages, each asking for
// more: to what no ground reaches above, to where the small octaves begin, and
// through those.
fn trace(origin: vec3f, direction: vec3f, t_max: f32) -> f32 {
    var end = t_max;
    if direction.y > 0.0 {
        end = min(end, max((HIGHEST - origin.y) / direction.y, 0.0));
    }
    let run = length(direction.xz);
    var t = 0.02;
    let fall = 1.0 / max(CEILING_STEEPEST * run - direction.y, 0.02);
    for (var i = 0; i < 8 && t < end; i++) {
        t += fall * max(origin.y + t * direction.y - ceiling(origin.z + t * direction.z), 0.0);
    }

    // No step goes past this point unseen.
    let stop = 0.99999 * end;
    var met = t_max;
    var i = 0;
    while i < MAX_STEPS && t < end {
        // Long steps: each is right if the heights at both of its ends together
        // allow it, and is taken back if not.
        var room = 1.0;
        var last = 0.0;
        var step = 0.0;
        var last_t = t;
        var last_gap = 0.0;
        for (; i < MAX_STEPS && t < end && room > 0.0; i++) {
            let p = origin + t * direction;
            let fine = dot(vec2f(HOLLOW, LUMP), seen_from(t));
            let above = p.y - large(p.xz) - fine;
            let pace = pace_at(p.z, direction.y, run);
            lens::count_step();
            // Rays that skim the ground take longer steps the longer they do so.
            let least = (0.0012 + 0.0001 * f32(i)) * t;
            let allowed = step <= max(pace * (last + max(above, 0.0)), least);
            let next = max(pace * select(last, 1.7 * max(above, 0.0), allowed), least);
            let start = select(t - step, t, allowed);
            if allowed {
                last = above;
                room = above - 0.3 * fine - 0.0004 * t;
            }
            if allowed && above > 0.0 {
                last_t = t;
                last_gap = above;
            }
            // Not the difference of its two ends: rounded up it would not be allowed.
            step = min(next, max(stop - start, 0.0));
            if !allowed || above > 0.0 {
                t = select(start + step, end, t >= stop && allowed);
            }
        }
        // Until the ground is met or left below again. It is smooth at this scale, so
        // the next step follows from how fast the last one came nearer.
        for (room = 0.0; i < MAX_STEPS && t < end && room < 3.0 * (HOLLOW + LUMP); i++) {
            let p = origin + t * direction;
            room = p.y - height_from(p.xz, t);
            lens::count_step();
            // The crossing lies close to the last two points, where their chord says.
            let chord = mix(last_t, t, clamp(last_gap / max(last_gap - room, 1e-6), 0.0, 2.0));
            if room < -0.0005 * t && last_gap > 0.0 {
                // Far below a steep slope the chord is only where to look next.
                t = chord;
                continue;
            }
            if room < 0.00015 * t {
                met = chord;
                lens::note_hit(met);
                end = 0.0;
            }
            let pace = pace_at(p.z, direction.y, run);
            let onward = (t - last_t) / max(last_gap - room, 1e-6);
            last_t = t;
            last_gap = room;
            let least = (0.0012 + 0.0001 * f32(i)) * t;
            let next = min(t + max(room * clamp(onward, pace, 4.0 * pace), least), stop);
            t = select(next, end, t >= stop);
        }
    }
    // Out of steps while skimming the ground: it is as good as met.
    return select(met, t, t < end);
}

// The least room that the ground leaves a ray from its point `p` to a light, as
// `raymarch::LightRay` has it: a few long steps over the large octaves.
fn light_room(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    // What the small octaves add at p lasts for about the size of a hollow.
    let fine = clamp(p.y - large(p.xz), -HOLLOW - LUMP, HOLLOW + LUMP);
    var room = 1.0;
    var t = 0.15;
    for (var i = 0; i < 16 && room > -1.0; i++) {
        let q = p + t * to_light;
        // A light that climbs faster than the ceiling does is never below it again.
        if q.y > ceiling(q.z) {
            break;
        }
        let gap = q.y - large(q.xz) - fine * max(1.0 - t / 1.2, 0.0);
        room = min(room, BOUND * gap / (angle * t));
        t += clamp(BOUND * gap, 0.15 + 0.08 * t, 1.5);
    }
    return room;
}
