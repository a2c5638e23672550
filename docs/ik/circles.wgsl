// The joint is on two circles: one around the start, one around the target.
#import tarsus::{ik, plot}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
    /// First bone, r1 [0.2, 1] = 0.85
    r1: f32,
    /// Second bone, r2 [0.2, 1] = 0.65
    r2: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

fn main_image(frag_coord: vec2f) -> vec4f {
    let growth = figure::growth(params.r1, params.r2);
    figure::begin(frag_coord, growth * vec2f(2.3, 1.3), growth * vec2f(-0.6, -0.18), params.theme);
    let p = figure::dragged(figure::inside_wanderer(params.r1, params.r2));
    let limb = ik::solve2_fail(p, params.r1, params.r2, 1.0);
    let other = ik::solve2_fail(p, params.r1, params.r2, -1.0);
    figure::fill(plot::disc(figure::point, vec2f(0.0), params.r1), figure::blue, 0.05);
    figure::fill(plot::disc(figure::point, p, params.r2), figure::red, 0.05);
    figure::circle(vec2f(0.0), params.r1, figure::blue);
    figure::circle(p, params.r2, figure::red);
    // A bone that turns on each circle.
    let first = -params.r1 * vec2f(0.6, 0.8);
    let second = params.r2 * vec2f(0.6, -0.8);
    figure::dashes(vec2f(0.0), first, figure::blue);
    figure::dashes(p, p + second, figure::red);
    figure::joint(vec2f(0.0), figure::paper);
    figure::handle(p, select(figure::purple, figure::green, limb.reached));
    if limb.reached {
        figure::joint(limb.mid, figure::yellow);
        figure::joint(other.mid, figure::yellow);
        let across = 1.5 * figure::em * plot::direction(vec2f(-p.y, p.x));
        figure::label(limb.mid + across, figure::ink, 1.0, vec2u(0x78000000u, 0x00000000u)); // "x"
        figure::label(other.mid - across, figure::ink, 1.0, vec2u(0x78000000u, 0x00000000u)); // "x"
    }
    figure::label(0.5 * first + figure::em * vec2f(-1.1, 0.9), figure::blue, 2.0, vec2u(0x72b10000u, 0x00000000u)); // "r₁"
    figure::label(p + 0.5 * second + figure::em * vec2f(1.3, 0.9), figure::red, 2.0, vec2u(0x72b20000u, 0x00000000u)); // "r₂"
    figure::label(p + figure::em * vec2f(1.5, 1.5), figure::ink, 1.0, vec2u(0x70000000u, 0x00000000u)); // "p"
    return figure::end();
}
