// The rest is a right triangle: r1 is its hypotenuse, |q| one side, the height the other.
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
    figure::begin(frag_coord, vec2f(1.2, 0.68), vec2f(-0.62, -0.3), params.theme);
    let r1 = params.r1;
    let r2 = params.r2;
    let p = figure::dragged(figure::inside_wanderer(r1, r2));
    let limb = ik::solve2_clamp(p, r1, r2, 1.0);
    let along = plot::direction(p);
    let across = vec2f(-along.y, along.x);
    let q = along * dot(limb.mid, along);
    let inside = max(max(dot(figure::point, -across), dot(figure::point - q, along) * sign(dot(q, along))),
        -dot(figure::point, vec2f(-limb.mid.y, limb.mid.x)) * -sign(dot(q, along)));
    figure::fill(inside, figure::yellow, 0.16);
    figure::circle(vec2f(0.0), r1, figure::faint);
    figure::dashes(vec2f(0.0), p, figure::muted);
    figure::arrow(vec2f(0.0), q, figure::ink);
    figure::arrow(q, limb.mid, figure::yellow);
    figure::right_angle(q, limb.mid, vec2f(0.0));
    figure::bone(vec2f(0.0), limb.mid, figure::blue, 1.0);
    figure::bone(limb.mid, limb.end, figure::red, 0.35);
    figure::joint(vec2f(0.0), figure::paper);
    figure::joint(limb.mid, figure::yellow);
    figure::handle(p, select(figure::purple, figure::green, limb.reached));
    figure::label(0.5 * limb.mid + figure::em * (1.5 * across - 0.6 * along), figure::blue, 2.0, vec2u(0x72b10000u, 0x00000000u)); // "r₁"
    figure::label(0.5 * q - 1.2 * figure::em * across, figure::ink, 3.0, vec2u(0x7c717c00u, 0x00000000u)); // "|q|"
    figure::label(0.5 * (q + limb.mid) + 1.9 * figure::em * along, figure::yellow, 4.0, vec2u(0x737c717cu, 0x00000000u)); // "s|q|"
    figure::label(p + figure::em * vec2f(1.5, 1.5), figure::ink, 1.0, vec2u(0x70000000u, 0x00000000u)); // "p"
    return figure::end();
}
