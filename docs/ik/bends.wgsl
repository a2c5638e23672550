// Both solutions: an elbow and a knee are the same formula with another sign.
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
    figure::begin(frag_coord, growth * vec2f(1.85, 1.05), growth * vec2f(-0.7, -0.05), params.theme);
    let p = figure::dragged(figure::inside_wanderer(params.r1, params.r2));
    let left = ik::solve2_clamp(p, params.r1, params.r2, 1.0);
    let right = ik::solve2_clamp(p, params.r1, params.r2, -1.0);
    let across = figure::em * plot::direction(vec2f(-p.y, p.x));
    figure::dashes(vec2f(0.0), p, figure::muted);
    figure::line(left.mid, right.mid, figure::muted);
    figure::limb(vec2f(0.0), right.mid, right.end, figure::paper);
    figure::limb(vec2f(0.0), left.mid, left.end, figure::paper);
    figure::handle(p, select(figure::purple, figure::green, left.reached));
    figure::label(left.mid + 1.6 * across, figure::ink, 1.0, vec2u(0x2b000000u, 0x00000000u)); // "+"
    figure::label(right.mid - 1.6 * across, figure::ink, 1.0, vec2u(0x2d000000u, 0x00000000u)); // "-"
    return figure::end();
}
