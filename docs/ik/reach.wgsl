// A target out of reach, answered in three ways: meet, clamp, fail.
#import tarsus::{frame, ik, plot}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
    /// First bone, r1 [0.2, 1] = 0.8
    r1: f32,
    /// Second bone, r2 [0.2, 1] = 0.5
    r2: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

/// Distance between the hips: room for the idle target, which leaves the reach.
const PITCH: f32 = 2.95;

fn main_image(frag_coord: vec2f) -> vec4f {
    // In units of the reach, so that limbs of any size fill their column.
    figure::begin(frag_coord, vec2f(1.5 * PITCH, 1.84), vec2f(0.0, 0.22), params.theme);
    let r1 = params.r1 / (params.r1 + params.r2);
    let r2 = params.r2 / (params.r1 + params.r2);
    // Three figures side by side that share one target, relative to their own start.
    let pointed = figure::dragged(figure::wanderer(r1, r2));
    let p = pointed - vec2f(PITCH * clamp(round(pointed.x / PITCH), -1.0, 1.0), 0.0);
    let column = clamp(round(figure::point.x / PITCH), -1.0, 1.0);
    figure::point.x -= PITCH * column;
    var limb = ik::solve2_clamp(p, r1, r2, 1.0);
    if column < 0.0 {
        limb = ik::solve2_meet(p, r1, r2, 1.0);
    } else if column > 0.0 {
        limb = ik::solve2_fail(p, r1, r2, 1.0);
    }
    figure::fill(plot::ring(figure::point, vec2f(0.0), abs(r1 - r2), r1 + r2), figure::faint, 0.8);
    if limb.reached || column <= 0.0 {
        figure::limb(vec2f(0.0), limb.mid, limb.end, figure::paper);
    } else {
        figure::joint(vec2f(0.0), figure::paper);
    }
    figure::handle(p, select(figure::purple, figure::green, limb.reached));
    let under = vec2f(0.0, -1.75);
    if column < 0.0 {
        figure::label(under, figure::ink, 4.0, vec2u(0x6d656574u, 0x00000000u)); // "meet"
    } else if column == 0.0 {
        figure::label(under, figure::ink, 5.0, vec2u(0x636c616du, 0x70000000u)); // "clamp"
    } else {
        figure::label(under, figure::ink, 4.0, vec2u(0x6661696cu, 0x00000000u)); // "fail"
    }
    return figure::end();
}
