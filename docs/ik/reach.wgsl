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

/// Distance between the hips in a row: room for the idle target, which leaves the reach.
const PITCH: f32 = 2.95;
/// The same in a column, whose labels are beside the limbs.
const TALL_PITCH: f32 = 2.5;

fn main_image(frag_coord: vec2f) -> vec4f {
    // A narrow screen shows the limbs below each other. All is in units of the reach, so that
    // limbs of any size fill their place.
    let is_tall = frame::frame.resolution.y > frame::frame.resolution.x;
    var spacing = vec2f(PITCH, 0.0);
    var name_at = vec2f(0.0, -1.75);
    if is_tall {
        spacing = vec2f(0.0, -TALL_PITCH);
        name_at = vec2f(2.2, 0.0);
        figure::begin(frag_coord, vec2f(3.0, 1.5 * TALL_PITCH), vec2f(-0.85, 0.0), params.theme);
    } else {
        figure::begin(frag_coord, vec2f(1.5 * PITCH, 1.84), vec2f(0.0, 0.22), params.theme);
    }
    let r1 = params.r1 / (params.r1 + params.r2);
    let r2 = params.r2 / (params.r1 + params.r2);
    // Three figures that share one target, relative to their own start.
    let pointed = figure::dragged(figure::wanderer(r1, r2));
    let p = pointed - spacing * nearest(pointed, spacing);
    let number = nearest(figure::point, spacing);
    figure::point -= spacing * number;
    var limb = ik::solve2_clamp(p, r1, r2, 1.0);
    if number < 0.0 {
        limb = ik::solve2_meet(p, r1, r2, 1.0);
    } else if number > 0.0 {
        limb = ik::solve2_fail(p, r1, r2, 1.0);
    }
    figure::fill(plot::ring(figure::point, vec2f(0.0), abs(r1 - r2), r1 + r2), figure::faint, 0.8);
    if limb.reached || number <= 0.0 {
        figure::limb(vec2f(0.0), limb.mid, limb.end, figure::paper);
    } else {
        figure::joint(vec2f(0.0), figure::paper);
    }
    figure::handle(p, select(figure::purple, figure::green, limb.reached));
    if number < 0.0 {
        figure::label(name_at, figure::ink, 4.0, vec2u(0x6d656574u, 0x00000000u)); // "meet"
    } else if number == 0.0 {
        figure::label(name_at, figure::ink, 5.0, vec2u(0x636c616du, 0x70000000u)); // "clamp"
    } else {
        figure::label(name_at, figure::ink, 4.0, vec2u(0x6661696cu, 0x00000000u)); // "fail"
    }
    return figure::end();
}

/// Number of the figure nearest to a point: -1, 0 or 1.
fn nearest(p: vec2f, spacing: vec2f) -> f32 {
    return clamp(round(dot(p, spacing) / dot(spacing, spacing)), -1.0, 1.0);
}
