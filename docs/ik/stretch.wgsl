// Stretch: up to a tenth of the reach before its end the bones keep their lengths, then both lengthen.
#import tarsus::{frame, ik}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

const R1: f32 = 0.62;
const R2: f32 = 0.52;
const MOST: f32 = 1.35;

fn main_image(frag_coord: vec2f) -> vec4f {
    figure::begin(frag_coord, vec2f(1.5, 0.84), vec2f(-0.92, 0.0), params.theme);
    let reach = R1 + R2;
    let idle = vec2f(reach * (1.1 + 0.35 * sin(0.9 * frame::frame.time)), 0.0);
    let d = max(figure::dragged(idle).x, 0.2);
    for (var i = 0u; i < 2u; i++) {
        let distance = reach * select(1.0, MOST, i == 1u);
        figure::dashes(vec2f(distance, -0.7), vec2f(distance, 0.7), figure::muted);
    }
    // Above: rigid bones. Below: bones that lengthen by up to 35 %.
    let above = vec2f(0.0, 0.25);
    let below = vec2f(0.0, -0.4);
    let rigid = ik::solve2_clamp(vec2f(d, 0.0), R1, R2, 1.0);
    figure::limb(above, above + rigid.mid, above + rigid.end, figure::paper);
    let factor = ik::stretch_factor(d, R1, R2, 0.9, MOST);
    let longer = ik::solve2_clamp(vec2f(d, 0.0), R1 * factor, R2 * factor, 1.0);
    figure::limb(below, below + longer.mid, below + longer.end, figure::paper);
    figure::handle(above + vec2f(d, 0.0), select(figure::purple, figure::green, rigid.reached));
    figure::handle(below + vec2f(d, 0.0), select(figure::purple, figure::green, longer.reached));
    return figure::end();
}
