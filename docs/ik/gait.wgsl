// From one leg to a walk: feet stand on fixed points and swing to the next.
#import tarsus::{frame, ik, plot}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
    /// Duty, part of the period on the ground [0.5, 0.85] = 0.6
    duty: f32,
    /// Stride, distance per period [0.2, 0.8] = 0.55
    stride: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

const PERIOD: f32 = 1.3;

fn ground(x: f32) -> f32 {
    return 0.06 * sin(2.1 * x) + 0.03 * sin(4.7 * x + 1.0);
}

/// The foot of one leg: on its foothold, or on an arc to the next.
fn foot(stride_time: f32, phase: f32, hip_x: f32) -> vec2f {
    let t = stride_time + phase;
    let swing = smoothstep(params.duty, 1.0, fract(t));
    let foothold = floor(t) + swing - phase + 0.5 * params.duty;
    let x = params.stride * foothold + hip_x;
    return vec2f(x, ground(x) + 0.16 * sin(3.1415927 * swing));
}

/// Draws the spots on which the foot of a leg stands.
fn foothold(phase: f32, amount: f32) {
    let shift = 0.5 * params.duty - phase;
    let x = params.stride * (round(figure::point.x / params.stride - shift) + shift);
    figure::fill(plot::disc(figure::point, vec2f(x, ground(x) - 0.03), 0.3 * figure::em), figure::muted, amount);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    figure::begin(frag_coord, vec2f(1.3, 0.73), vec2f(0.0, -0.48), params.theme);
    let time = frame::frame.time / PERIOD;
    let walked = params.stride * time;
    figure::point.x += walked;
    figure::fill(figure::point.y - ground(figure::point.x) + 0.03, figure::faint, 1.0);
    foothold(0.0, 1.0);
    foothold(0.5, 0.4);
    let hip = vec2f(walked, 0.78 + 0.3 * ground(walked) + 0.015 * cos(12.566371 * time));
    let far = foot(time, 0.5, 0.0);
    let near = foot(time, 0.0, 0.0);
    let behind = ik::solve2_clamp(far - hip, 0.46, 0.46, 1.0);
    let ahead = ik::solve2_clamp(near - hip, 0.46, 0.46, 1.0);
    figure::bone(hip, hip + behind.mid, figure::muted, 0.7);
    figure::bone(hip + behind.mid, hip + behind.end, figure::muted, 0.7);
    // A body to carry, so that the walk has a purpose.
    let trunk = plot::bone(figure::point, hip + vec2f(-0.12, 0.03), hip + vec2f(0.16, 0.12), 0.11, 0.13);
    figure::fill(trunk, figure::ink, 1.0);
    figure::fill(plot::disc(figure::point, hip + vec2f(0.21, 0.15), 0.03), figure::paper, 1.0);
    figure::limb(hip, hip + ahead.mid, hip + ahead.end, select(figure::paper, figure::green, near.y < ground(near.x) + 1e-3));
    return figure::end();
}
