// FABRIK: a tail of eight bones after 0, 1, 2, 4 and 16 iterations. It converges; it is never exact.
#import tarsus::{frame, plot}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

const BONES: u32 = 8u;
const LENGTH: f32 = 0.2;

fn main_image(frag_coord: vec2f) -> vec4f {
    figure::begin(frag_coord, vec2f(1.5, 0.84), vec2f(-0.9, -0.1), params.theme);
    let t = 0.7 * frame::frame.time;
    let target_point = figure::dragged(vec2f(0.45 + 0.25 * cos(t), 0.5 * sin(1.4 * t) + 0.1));
    var joints: array<vec2f, 9>;
    for (var i = 0u; i <= BONES; i++) {
        joints[i] = vec2f(LENGTH * f32(i), 0.03 * f32(i % 2u) - 0.04 * f32(i));
    }
    for (var iteration = 0u; iteration <= 16u; iteration++) {
        let is_shown = iteration < 3u || iteration == 4u || iteration == 16u;
        for (var i = 0u; i < BONES && is_shown; i++) {
            let hue = select(figure::muted, figure::blue, iteration == 16u);
            figure::bone(joints[i], joints[i + 1u], hue, select(0.3 + 0.1 * f32(iteration), 1.0, iteration == 16u));
        }
        // Back from the target, forth from the start.
        joints[BONES] = target_point;
        for (var i = BONES; i > 0u; i--) {
            joints[i - 1u] = joints[i] + LENGTH * plot::direction(joints[i - 1u] - joints[i]);
        }
        joints[0] = vec2f(0.0);
        for (var i = 0u; i < BONES; i++) {
            joints[i + 1u] = joints[i] + LENGTH * plot::direction(joints[i + 1u] - joints[i]);
        }
    }
    figure::joint(vec2f(0.0), figure::paper);
    figure::handle(target_point, figure::green);
    return figure::end();
}
