// Three bones: the distribution 0, ½ and 1, and a bird's leg, whose joints bend to opposite sides.
#import tarsus::{frame, ik}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

const LENGTHS = vec3f(0.36, 0.42, 0.34);

fn main_image(frag_coord: vec2f) -> vec4f {
    figure::begin(frag_coord, vec2f(1.5, 0.84), vec2f(-1.2, 0.42), params.theme);
    let t = frame::frame.time;
    let idle = vec2f(0.06 + 0.16 * sin(t), -0.74 + 0.12 * cos(0.8 * t));
    let foot = figure::dragged(idle);
    let target_point = vec2f(clamp(foot.x, -0.25, 0.35), clamp(foot.y, -1.05, -0.3));
    for (var i = 0u; i < 4u; i++) {
        let hip = vec2f(0.7 * f32(i) + select(0.0, 0.2, i == 3u), 0.0);
        let distribution = select(0.5 * f32(i), 0.55, i == 3u);
        let limb = ik::solve_three_bones(vec3f(target_point, 0.0), LENGTHS, vec3f(1.0, 0.0, 0.0), distribution, i == 3u);
        figure::dashes(hip, hip + target_point, figure::muted);
        figure::bone(hip + limb.second.xy, hip + limb.end.xy, figure::green, 1.0);
        figure::bone(hip + limb.first.xy, hip + limb.second.xy, figure::red, 1.0);
        figure::bone(hip, hip + limb.first.xy, figure::blue, 1.0);
        figure::joint(hip, figure::paper);
        figure::joint(hip + limb.first.xy, figure::yellow);
        figure::joint(hip + limb.second.xy, figure::yellow);
        figure::joint(hip + limb.end.xy, figure::paper);
    }
    return figure::end();
}
