// Soft reach: the distance to the target, eased so that the limb never snaps straight.
#import tarsus::{frame, ik, plot}
#import figure

struct Params {
    /// Theme {light, dark} = light
    theme: u32,
    /// Soft zone, as a part of the reach [0, 0.5] = 0.2
    soft: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

const R1: f32 = 0.62;
const R2: f32 = 0.52;

fn main_image(frag_coord: vec2f) -> vec4f {
    figure::begin(frag_coord, vec2f(1.75, 0.98), vec2f(-1.3, -0.72), params.theme);
    let reach = R1 + R2;
    let start = (1.0 - params.soft) * reach;
    let scale = 0.62;
    let size = vec2f(2.2, 1.28 * scale) * reach;
    let wanted = figure::dragged(vec2f(reach * (1.05 + 0.45 * sin(frame::frame.time)), 0.0)).x;
    let d = clamp(wanted, R1 - R2, size.x);
    // Above: the limbs. The straight one answers the target itself.
    let hip = vec2f(0.0, 1.12);
    let rigid = ik::solve2_clamp(vec2f(d, 0.0), R1, R2, 1.0);
    let soft = ik::solve2_clamp(ik::soften2(vec2f(d, 0.0), start, reach), R1, R2, 1.0);
    figure::bone(hip, hip + rigid.mid, figure::muted, 0.35);
    figure::bone(hip + rigid.mid, hip + rigid.end, figure::muted, 0.35);
    figure::limb(hip, hip + soft.mid, hip + soft.end, figure::paper);
    figure::handle(hip + vec2f(d, 0.0), select(figure::purple, figure::green, d <= start));
    // Below: distance wanted, d, and distance used, d'.
    figure::arrow(vec2f(0.0), vec2f(size.x, 0.0), figure::muted);
    figure::arrow(vec2f(0.0), vec2f(0.0, size.y), figure::muted);
    figure::dashes(vec2f(0.0, scale * reach), vec2f(size.x, scale * reach), figure::muted);
    let x = clamp(figure::point.x, 0.0, size.x);
    figure::dashes(vec2f(0.0), vec2f(reach, scale * reach), figure::muted);
    figure::dashes(vec2f(start, 0.0), vec2f(start, scale * start), figure::muted);
    let slope = select(scale, 0.3 * scale, x > start);
    let curve = (figure::point.y - scale * ik::soft_reach(x, start, reach)) / sqrt(1.0 + slope * slope);
    let beyond = max(figure::point.x - size.x, -figure::point.x);
    figure::stroke(max(abs(curve), beyond), 0.16, figure::blue);
    figure::dashes(vec2f(d, 0.0), hip + vec2f(d, 0.0), figure::muted);
    figure::joint(vec2f(d, scale * ik::soft_reach(d, start, reach)), figure::yellow);
    figure::label(vec2f(size.x + figure::em, 0.0), figure::ink, 1.0, vec2u(0x64000000u, 0x00000000u)); // "d"
    figure::label(vec2f(-1.3 * figure::em, size.y), figure::ink, 1.0, vec2u(0x64000000u, 0x00000000u)); // "d"
    // The font has no prime.
    figure::line(vec2f(-0.7, 0.2) * figure::em + vec2f(0.0, size.y), vec2f(-0.6, 0.6) * figure::em + vec2f(0.0, size.y), figure::ink);
    figure::label(vec2f(-figure::em, scale * reach), figure::ink, 1.0, vec2u(0x61000000u, 0x00000000u)); // "a"
    figure::label(vec2f(start, -1.1 * figure::em), figure::ink, 2.0, vec2u(0x64300000u, 0x00000000u)); // "d0"
    return figure::end();
}
