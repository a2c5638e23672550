// The circles cross on a line that is perpendicular to the line to the target.
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
    let r1 = params.r1;
    let r2 = params.r2;
    let p = figure::dragged(figure::inside_wanderer(r1, r2));
    // x·p is the same for every point of this line.
    let q = p * (0.5 + 0.5 * (r1 * r1 - r2 * r2) / max(dot(p, p), 1e-6));
    let across = plot::direction(vec2f(-p.y, p.x));
    let limb = ik::solve2_fail(p, r1, r2, 1.0);
    figure::circle(vec2f(0.0), r1, figure::blue);
    figure::circle(p, r2, figure::red);
    figure::line(q - 4.0 * across, q + 4.0 * across, figure::muted);
    figure::dashes(vec2f(0.0), p, figure::ink);
    if limb.reached {
        figure::dashes(vec2f(0.0), limb.mid, figure::blue);
        figure::dashes(limb.mid, p, figure::red);
    }
    figure::right_angle(q, q + across, p);
    figure::joint(vec2f(0.0), figure::paper);
    figure::handle(p, select(figure::purple, figure::green, limb.reached));
    if limb.reached {
        figure::joint(limb.mid, figure::yellow);
        figure::joint(2.0 * q - limb.mid, figure::yellow);
        let second = p - limb.mid;
        let first_side = figure::em * plot::direction(vec2f(-limb.mid.y, limb.mid.x));
        let second_side = figure::em * plot::direction(vec2f(-second.y, second.x));
        figure::label(limb.mid + 1.5 * figure::em * across, figure::ink, 1.0, vec2u(0x78000000u, 0x00000000u)); // "x"
        figure::label(0.5 * limb.mid + 1.4 * first_side, figure::blue, 2.0, vec2u(0x72b10000u, 0x00000000u)); // "r₁"
        figure::label(0.5 * (limb.mid + p) + 1.4 * second_side, figure::red, 2.0, vec2u(0x72b20000u, 0x00000000u)); // "r₂"
    }
    figure::dot_at(q, figure::ink);
    let along = plot::direction(p);
    figure::label(q - figure::em * (0.9 * across + 1.1 * along), figure::ink, 1.0, vec2u(0x71000000u, 0x00000000u)); // "q"
    figure::label(p + figure::em * vec2f(1.5, 1.5), figure::ink, 1.0, vec2u(0x70000000u, 0x00000000u)); // "p"
    return figure::end();
}
