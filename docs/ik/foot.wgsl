// A foot on a slope: rolled about the heel, flat, and rolled about the toe, which stay where they are.
#import tarsus::{frame, ik}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

const R1: f32 = 0.46;
const R2: f32 = 0.44;
const SLOPE: f32 = 0.14;
const FOOT = ik::Foot(vec3f(-0.07, -0.12, 0.0), vec3f(0.24, -0.12, 0.0), vec3f(0.0, 1.0, 0.0));

fn main_image(frag_coord: vec2f) -> vec4f {
    figure::begin(frag_coord, vec2f(1.5, 0.84), vec2f(0.0, -0.42), params.theme);
    let ground = figure::point.y - SLOPE * figure::point.x;
    figure::fill(ground, figure::faint, 1.0);
    figure::stroke(abs(ground), 0.12, figure::muted);
    let swing = 0.5 + 0.5 * sin(1.2 * frame::frame.time + 1.0);
    for (var i = 0u; i < 3u; i++) {
        let x = 0.95 * (f32(i) - 1.0);
        let roll = select(select(0.6, -0.4, i == 0u), 0.0, i == 1u) * swing;
        let ground_point = vec3f(x, SLOPE * x, 0.0);
        let footing = ik::Footing(ground_point, vec3f(-SLOPE, 1.0, 0.0), vec3f(1.0, 0.0, 0.0));
        let placed = ik::place_foot(FOOT, footing, vec2f(cos(roll), sin(roll)));
        let ankle = placed.ankle.xy;
        let heel = ankle + ik::rotate(placed.rotation, FOOT.heel).xy;
        let toe = ankle + ik::rotate(placed.rotation, FOOT.toe).xy;
        let hip = vec2f(x + 0.1 * (1.0 - f32(i)), SLOPE * x + 0.92);
        let leg = ik::solve2_clamp(ankle - hip, R1, R2, 1.0);
        figure::bone(ankle, toe, figure::yellow, 1.0);
        figure::bone(heel, toe, figure::yellow, 1.0);
        figure::limb(hip, hip + leg.mid, hip + leg.end, figure::paper);
        figure::dot_at(select(toe, heel, i == 0u), figure::green);
    }
    return figure::end();
}
