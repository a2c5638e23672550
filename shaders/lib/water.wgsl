#define_import_path tarsus::water

#import tarsus::debug_view
#import tarsus::frame
#import tarsus::terrain

// Water surface as a height field over the xz plane, given by heights and slopes: small
// wind waves, dents under standing feet, and rings that spread from touch-downs and
// lift-offs.

/// Distance along a ray to the level plane y = `height`, or `t_far` if it is not met before.
/// `direction` is a unit vector.
fn trace(origin: vec3f, direction: vec3f, height: f32, t_far: f32) -> f32 {
    let t = (height - origin.y) / select(direction.y, -1e-6, abs(direction.y) < 1e-6);
    let t_hit = select(t_far, min(t, t_far), t > 0.0);
    if t_hit < t_far {
        debug_view::note_hit(t_hit);
    }
    return t_hit;
}

/// Parameters of the rings.
struct Rings {
    /// Speed of the crests, in units of length per second.
    speed: f32,
    /// Wave number: radians per unit of length.
    frequency: f32,
    /// Seconds until the rings decay to 1/e.
    fading: f32,
}

/// Rings of one event at the offset `away` from it, `age` seconds later: x = height in
/// about [-1, 1], yz = slope divided by the frequency. 0 before the event.
fn ring(away: vec2f, age: f32, rings: Rings) -> vec3f {
    let d = length(away);
    let behind = d - rings.speed * age;
    let width = 2.6 / rings.frequency + 0.10 * age;
    let shape = exp(-behind * behind / (width * width) - age / rings.fading);
    if age < 0.0 || shape < 0.002 {
        return vec3f(0.0);
    }
    // The amplitude rises from 0, then falls as the ring grows.
    let strength = shape * smoothstep(0.0, 0.12, age) / (1.0 + 1.5 * rings.speed * age);
    let phase = rings.frequency * behind;
    return strength * vec3f(sin(phase), cos(phase) * away / max(d, 1e-3));
}

/// True if `ring` may differ from 0 at the distance `d` from an event, `age` seconds after it.
fn ring_reaches(d: f32, age: f32, rings: Rings) -> bool {
    let behind = d - rings.speed * age;
    let width = 2.6 / rings.frequency + 0.10 * age;
    return age >= 0.0 && behind * behind < width * width * (6.22 - age / rings.fading);
}

/// Height of the rings of a lift-off relative to those of a touch-down.
const LIFTED: f32 = 0.6;

/// Rings of one step of a foot at the offset `away` from its foothold: `since_down` and
/// `since_up` are the seconds since its touch-down and its lift-off, negative if that has
/// not happened. Units as in `ring`.
fn rings_of_past_step(away: vec2f, since_down: f32, since_up: f32, rings: Rings) -> vec3f {
    return ring(away, since_down, rings) + LIFTED * ring(away, since_up, rings);
}

/// Gaussian dent of width `radius` at the offset `away` from its centre: x = height (-1 at the
/// centre), yz = slope.
fn dent(away: vec2f, radius: f32) -> vec3f {
    let r = away / radius;
    let depth = exp(-dot(r, r));
    return vec3f(-depth, 2.0 * depth * r / radius);
}

/// Small wind waves: x = height in about [-1, 1], yz = slope. They repeat every
/// terrain::PERIOD along x and after every loop in time (`loop_phase` from 0 to 1), and fade
/// where they are finer than `footprint`, the length of water under a pixel.
fn wind(p: vec2f, loop_phase: f32, footprint: f32) -> vec3f {
    let along = frame::TAU / terrain::PERIOD * (3.0 * p.x + 5.0 * p.y);
    let bend = vec2f(sin(along), cos(along));
    let sum = wave(p, bend, loop_phase, footprint, vec3f(9.0, 14.0, 9.0), 0.0)
        + wave(p, bend, loop_phase, footprint, vec3f(-23.0, 17.0, 14.0), 1.0)
        + wave(p, bend, loop_phase, footprint, vec3f(31.0, 22.0, -17.0), 2.0)
        + wave(p, bend, loop_phase, footprint, vec3f(-14.0, 47.0, 22.0), 3.0)
        + wave(p, bend, loop_phase, footprint, vec3f(53.0, -31.0, 27.0), 4.0)
        + wave(p, bend, loop_phase, footprint, vec3f(38.0, 67.0, -33.0), 5.0);
    return 0.5 * sum;
}

/// One wave: x = height, yz = slope. `waves` holds its numbers of periods in terrain::PERIOD
/// along x and along z, and per loop in time; the amplitude falls with `order`, which
/// starts at 0. `bend` is the sine and cosine of the angle by which its crests curve.
fn wave(
    p: vec2f,
    bend: vec2f,
    loop_phase: f32,
    footprint: f32,
    waves: vec3f,
    order: f32,
) -> vec3f {
    let k = frame::TAU / terrain::PERIOD * waves.xy;
    let fine = length(k) * footprint;
    let height = 0.9 / (1.0 + 0.55 * order) * exp(-0.5 * fine * fine);
    let curved = 0.9 * dot(bend, vec2f(cos(order), sin(order)));
    let angle = dot(k, p) + frame::TAU * waves.z * loop_phase + curved + 1.7 * order;
    return height * vec3f(sin(angle), cos(angle) * k);
}
