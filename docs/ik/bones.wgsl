// Two bones and a target: where is the joint between them?
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
    figure::begin(frag_coord, growth * vec2f(1.2, 0.68), growth * vec2f(-0.62, -0.3), params.theme);
    let p = figure::dragged(figure::inside_wanderer(params.r1, params.r2));
    let limb = ik::solve2_clamp(p, params.r1, params.r2, 1.0);
    let second = limb.end - limb.mid;
    let first_side = figure::em * plot::direction(vec2f(-limb.mid.y, limb.mid.x));
    let second_side = figure::em * plot::direction(vec2f(-second.y, second.x));
    let across = figure::em * plot::direction(vec2f(-p.y, p.x));
    figure::limb(vec2f(0.0), limb.mid, limb.end, figure::paper);
    figure::handle(p, select(figure::purple, figure::green, limb.reached));
    figure::label(0.5 * limb.mid + 1.7 * first_side, figure::blue, 2.0, vec2u(0x72b10000u, 0x00000000u)); // "r₁"
    figure::label(0.5 * (limb.mid + limb.end) + 1.7 * second_side, figure::red, 2.0, vec2u(0x72b20000u, 0x00000000u)); // "r₂"
    figure::label(limb.mid + vec2f(2.4, 1.7) * across, figure::ink, 3.0, vec2u(0x78203f00u, 0x00000000u)); // "x ?"
    figure::label(p + 2.1 * figure::em * plot::direction(second), figure::ink, 1.0, vec2u(0x70000000u, 0x00000000u)); // "p"
    return figure::end();
}
