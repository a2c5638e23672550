#define_import_path tarsus::water

#import tarsus::gait::Gait
#import tarsus::lens
#import tarsus::path
#import tarsus::walk

// Still water, told by the slope of its surface: small wind waves, dents where
// feet stand, and rings that run out from where feet touched down or lifted off.

// Distance along a ray to the level plane at `height`, or `t_max`.
fn trace(origin: vec3f, direction: vec3f, height: f32, t_max: f32) -> f32 {
    let t = (height - origin.y) / select(direction.y, -1e-6, abs(direction.y) < 1e-6);
    let met = select(t_max, min(t, t_max), t > 0.0);
    if met < t_max {
        lens::note_hit(met);
    }
    return met;
}

// How rings look.
struct Rings {
    // How fast they run, in units of length per second.
    speed: f32,
    // Waves to a length of 2π.
    frequency: f32,
    // Seconds until they have faded to a third.
    fading: f32,
}

// One event's rings, `age` seconds old, at a point `away` from it: x = height,
// yz = slope divided by the frequency.
fn ring(away: vec2f, age: f32, rings: Rings) -> vec3f {
    let d = length(away);
    let behind = d - rings.speed * age;
    let width = 2.6 / rings.frequency + 0.10 * age;
    let shape = exp(-behind * behind / (width * width) - age / rings.fading);
    if age < 0.0 || shape < 0.002 {
        return vec3f(0.0);
    }
    // They grow out of the point, and thin out as they widen.
    let strength = shape * smoothstep(0.0, 0.12, age) / (1.0 + 1.5 * rings.speed * age);
    let phase = rings.frequency * behind;
    return strength * vec3f(sin(phase), cos(phase) * away / max(d, 1e-3));
}

// The rings at p of one leg's last steps: of every touch-down, and weaker of
// every lift-off. Same units as `ring`.
fn rings_of_leg(
    p: vec2f,
    gait: Gait,
    phase: f32,
    rest: vec2f,
    time: f32,
    rings: Rings,
) -> vec3f {
    let now = floor(time / gait.period + phase);
    var sum = vec3f(0.0);
    for (var back = 0; back < 3; back++) {
        let index = now - f32(back);
        let away = p - walk::hold(gait, phase, rest, index);
        let age = time - (index - phase) * gait.period;
        sum += ring(away, age, rings) + 0.6 * ring(away, age - gait.duty * gait.period, rings);
    }
    return sum;
}

// The dent that weight makes `away` from a foot, `radius` wide: x = depth (-1 in
// the middle), yz = slope for a depth of 1.
fn dent(away: vec2f, radius: f32) -> vec3f {
    let r = away / radius;
    let depth = exp(-dot(r, r));
    return vec3f(-depth, 2.0 * depth * r / radius);
}

// Small wind waves: x = height in about [-1, 1], yz = slope. They repeat every
// path::PERIOD in x and after every whole `turn` (0 to 1) in time, and fade where
// they are finer than `footprint`, the length of water under a pixel.
fn wind(p: vec2f, turn: f32, footprint: f32) -> vec3f {
    let sum = wave(p, turn, footprint, vec3f(9.0, 14.0, 9.0), 0.0)
        + wave(p, turn, footprint, vec3f(-23.0, 17.0, 14.0), 1.0)
        + wave(p, turn, footprint, vec3f(31.0, 22.0, -17.0), 2.0)
        + wave(p, turn, footprint, vec3f(-14.0, 47.0, 22.0), 3.0)
        + wave(p, turn, footprint, vec3f(53.0, -31.0, 27.0), 4.0)
        + wave(p, turn, footprint, vec3f(38.0, 67.0, -33.0), 5.0);
    return 0.5 * sum;
}

// One of them. `waves`: how many to a period of the path, how many across it, and
// how often it turns in time; `order` from 0, the lower the higher it is.
fn wave(p: vec2f, turn: f32, footprint: f32, waves: vec3f, order: f32) -> vec3f {
    let k = path::TURN / path::PERIOD * waves.xy;
    let fine = length(k) * footprint;
    let height = 0.9 / (1.0 + 0.55 * order) * exp(-0.5 * fine * fine);
    let bend = 0.9 * sin(path::TURN / path::PERIOD * (3.0 * p.x + 5.0 * p.y) + order);
    let angle = dot(k, p) + path::TURN * waves.z * turn + bend + 1.7 * order;
    return height * vec3f(sin(angle), cos(angle) * k);
}
