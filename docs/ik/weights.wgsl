// Weights: from the pose (0) to the solution (1), both rotations take the shortest arc.
#import tarsus::{frame, ik, plot}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

const R1: f32 = 0.54;
const R2: f32 = 0.46;

/// The part of a rotation in the plane that a weight leaves.
fn weigh(turn: f32, weight: f32) -> f32 {
    let rotation = ik::weigh_rotation(vec4f(0.0, 0.0, sin(0.5 * turn), cos(0.5 * turn)), weight);
    return 2.0 * atan2(rotation.z, rotation.w);
}

fn angle_of(v: vec2f) -> f32 {
    return atan2(v.y, v.x);
}

fn rotated(v: vec2f, angle: f32) -> vec2f {
    return vec2f(v.x * cos(angle) - v.y * sin(angle), v.x * sin(angle) + v.y * cos(angle));
}

fn main_image(frag_coord: vec2f) -> vec4f {
    figure::begin(frag_coord, vec2f(1.5, 0.84), vec2f(-0.5, 0.34), params.theme);
    let first = R1 * plot::direction(vec2f(0.25, -1.0));
    let second = R2 * plot::direction(vec2f(-0.2, -1.0));
    let t = 0.8 * frame::frame.time;
    let target_point = figure::dragged(vec2f(0.78 + 0.1 * cos(t), 0.12 + 0.2 * sin(1.3 * t)));
    let solved = ik::solve2_clamp(target_point, R1, R2, -1.0);
    let start_turn = angle_of(solved.mid) - angle_of(first);
    let bend = angle_of(solved.end - solved.mid) - angle_of(solved.mid) - angle_of(second) + angle_of(first);
    for (var i = 0u; i < 5u; i++) {
        let weight = 0.25 * f32(i);
        let start = weigh(start_turn, weight);
        let mid = rotated(first, start);
        let end = mid + rotated(second, start + weigh(bend, weight));
        if i == 4u {
            figure::limb(vec2f(0.0), mid, end, figure::paper);
        } else {
            figure::bone(vec2f(0.0), mid, figure::blue, 0.2 + 0.15 * f32(i));
            figure::bone(mid, end, figure::red, 0.2 + 0.15 * f32(i));
            figure::joint(end, figure::faint);
        }
    }
    figure::handle(target_point, select(figure::purple, figure::green, solved.reached));
    return figure::end();
}
