#define_import_path tarsus::herd::swells

#import tarsus::debug_view
#import tarsus::frame

// A wide plain of long, low swells: three waves, cheap enough to compute the height under
// every foot of a crowd. Heights are in world units, y up, as a function of world xz. The
// ground repeats every LENGTH along x.

/// Length after which the ground repeats along x.
const LENGTH: f32 = 40.0;

/// Upper bound on the ground's height and depth.
const MAX_HEIGHT: f32 = 1.25;

// Wave vectors of the swells, in waves per unit of length (along x: whole numbers of waves in
// LENGTH), and their amplitudes.
const SWELL_A: vec2f = vec2f(0.025, 0.0164);
const SWELL_B: vec2f = vec2f(-0.050, 0.0270);
const SWELL_C: vec2f = vec2f(0.0, 0.0119);
const SWELLS: vec3f = vec3f(0.50, 0.20, 0.50);

/// sin(2π x) with an error of about 0.001: a parabola per half wave, corrected once.
fn wave(x: f32) -> f32 {
    let x_centred = x - floor(x) - 0.5;
    let arc = x_centred * (16.0 * abs(x_centred) - 8.0);
    return arc * (0.775 + 0.225 * abs(arc));
}

// Phases of the swells at p, in waves.
fn phases(p: vec2f) -> vec3f {
    return vec3f(dot(SWELL_A, p), dot(SWELL_B, p) + 0.3, dot(SWELL_C, p) + 0.6);
}

/// Height of the ground at a point of the xz plane.
fn height(p: vec2f) -> f32 {
    let phase = phases(p);
    return dot(SWELLS, vec3f(wave(phase.x), wave(phase.y), wave(phase.z)));
}

/// Slope of the ground (dh/dx, dh/dz).
fn slope(p: vec2f) -> vec2f {
    let phase = phases(p) + 0.25;
    let steep = frame::TAU * SWELLS * vec3f(wave(phase.x), wave(phase.y), wave(phase.z));
    return steep.x * SWELL_A + steep.y * SWELL_B + steep.z * SWELL_C;
}

/// Distance along a ray from above the ground to the ground, or `t_far` if it is not met
/// before. `direction` is a unit vector.
fn trace(origin: vec3f, direction: vec3f, t_far: f32) -> f32 {
    let fall = -direction.y;
    if fall <= 0.0 {
        return t_far;
    }
    var t = max((origin.y - MAX_HEIGHT) / fall, 0.0);
    // No swell is steeper than this along the ray.
    let along = phases(direction.xz) - phases(vec2f(0.0));
    let step_scale = 1.0 / (fall + frame::TAU * dot(SWELLS, abs(along)));
    var gap = 1.0;
    for (var i = 0; i < 40 && t < t_far && gap > 0.0003 * t; i++) {
        let p = origin + t * direction;
        gap = p.y - height(p.xz);
        debug_view::count_step();
        t += max(step_scale * gap, 0.0);
    }
    return min(t, t_far);
}
