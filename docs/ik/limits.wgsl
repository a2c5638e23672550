// Hinge limits: the joint bends by 20° to 100°, so the end joint stays between two circles.
#import tarsus::{frame, ik, plot}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

const R1: f32 = 0.62;
const R2: f32 = 0.52;

fn main_image(frag_coord: vec2f) -> vec4f {
    figure::begin(frag_coord, vec2f(1.5, 0.84), vec2f(-0.62, -0.12), params.theme);
    let far = ik::hinge_distance(R1, R2, vec2f(cos(0.35), sin(0.35)));
    let near = ik::hinge_distance(R1, R2, vec2f(cos(1.75), sin(1.75)));
    let t = 0.8 * frame::frame.time;
    let idle = (0.85 + 0.5 * cos(t)) * plot::direction(vec2f(1.0, 0.2 + 0.35 * sin(0.7 * t)));
    let target_point = figure::dragged(idle);
    figure::fill(max(plot::disc(figure::point, vec2f(0.0), far), -plot::disc(figure::point, vec2f(0.0), near)), figure::faint, 1.0);
    figure::circle(vec2f(0.0), far, figure::muted);
    figure::circle(vec2f(0.0), near, figure::muted);
    // Pale: the limb without limits.
    let free = ik::solve2_clamp(target_point, R1, R2, 1.0);
    figure::bone(vec2f(0.0), free.mid, figure::muted, 0.35);
    figure::bone(free.mid, free.end, figure::muted, 0.35);
    let limited = ik::limit2(target_point, near, far);
    let limb = ik::solve2_clamp(limited, R1, R2, 1.0);
    figure::dashes(vec2f(0.0), target_point, figure::muted);
    figure::limb(vec2f(0.0), limb.mid, limb.end, figure::paper);
    let is_free = distance(limited, target_point) < 1e-4;
    figure::handle(target_point, select(figure::purple, figure::green, is_free));
    return figure::end();
}
