// The rest is a right triangle: r1 is its hypotenuse, |q| one side, the height s|p| the other.
#import tarsus::{ik, plot, sdf2}
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
    let r1 = params.r1;
    let r2 = params.r2;
    let p = figure::dragged(figure::inside_wanderer(r1, r2));
    let limb = ik::solve2_clamp(p, r1, r2, 1.0);
    let along = plot::direction(p);
    let across = vec2f(-along.y, along.x);
    let q = along * dot(limb.mid, along);
    figure::fill(sdf2::triangle(figure::point, vec2f(0.0), q, limb.mid), figure::yellow, 0.16);
    figure::circle(vec2f(0.0), r1, figure::faint);
    figure::dashes(vec2f(0.0), p, figure::muted);
    figure::arrow(vec2f(0.0), q, figure::ink);
    figure::arrow(q, limb.mid, figure::amber);
    figure::right_angle(q, limb.mid, vec2f(0.0));
    figure::bone(vec2f(0.0), limb.mid, figure::blue, 1.0);
    figure::bone(limb.mid, limb.end, figure::red, 0.35);
    figure::joint(vec2f(0.0), figure::paper);
    figure::joint(limb.mid, figure::yellow);
    figure::handle(p, select(figure::purple, figure::green, limb.reached));
    let outward = figure::em * plot::direction(limb.mid);
    let beside = vec2f(-outward.y, outward.x);
    figure::label(0.5 * limb.mid + 1.6 * beside, figure::blue, 2.0, vec2u(0x72b10000u, 0x00000000u)); // "r₁"
    figure::label(limb.mid + 1.5 * outward, figure::ink, 1.0, vec2u(0x78000000u, 0x00000000u)); // "x"
    figure::label(q - 1.3 * figure::em * across, figure::ink, 1.0, vec2u(0x71000000u, 0x00000000u)); // "q"
    // Sides that are too short have no room for their labels.
    if length(q) > 5.0 * figure::em {
        figure::label(0.5 * q - 1.3 * figure::em * across, figure::ink, 3.0, vec2u(0x7c717c00u, 0x00000000u)); // "|q|"
    }
    if distance(q, limb.mid) > 4.0 * figure::em {
        figure::label(mix(q, limb.mid, 0.4) + 2.2 * figure::em * along * select(-1.0, 1.0, dot(q, along) > 0.0), figure::ink, 4.0, vec2u(0x737c707cu, 0x00000000u)); // "s|p|"
    }
    figure::label(p + figure::em * vec2f(1.5, 1.5), figure::ink, 1.0, vec2u(0x70000000u, 0x00000000u)); // "p"
    return figure::end();
}
