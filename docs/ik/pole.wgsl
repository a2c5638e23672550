// In space the solutions form a circle around the line to the target; a pole picks one.
#import tarsus::{frame, ik, plot}
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

/// Axes of the view: right, up, toward the eye.
const RIGHT: vec3f = vec3f(0.8253356, 0.0, -0.5646425);
const UP: vec3f = vec3f(-0.1931135, 0.9396926, -0.2822709);
const EYE: vec3f = vec3f(0.5305911, 0.3420202, 0.7755548);

fn flat(p: vec3f) -> vec2f {
    return vec2f(dot(p, RIGHT), dot(p, UP));
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let growth = figure::growth(params.r1, params.r2);
    figure::begin(frag_coord, growth * vec2f(2.1, 1.19), growth * vec2f(-0.55, 0.08), params.theme);
    let r1 = params.r1;
    let r2 = params.r2;
    let p = vec3f(1.12, 0.12, 0.25);
    let n = normalize(p);
    // The pole follows the pointer around the line to the target.
    let t = 0.6 * frame::frame.time;
    let a = normalize(cross(n, vec3f(0.0, 1.0, 0.0)));
    let b = cross(a, n);
    let q = p * (0.5 + 0.5 * (r1 * r1 - r2 * r2) / dot(p, p));
    let idle = flat(q) + 0.6 * vec2f(sin(t), cos(t));
    let wanted = figure::dragged(idle) - flat(q);
    // Components of the pole: invert the two drawn directions of a and b.
    let m = mat2x2f(flat(a), flat(b));
    let det = m[0].x * m[1].y - m[1].x * m[0].y;
    let turned = vec2f(m[1].y * wanted.x - m[1].x * wanted.y, m[0].x * wanted.y - m[0].y * wanted.x) / det;
    let pole = normalize(turned.x * a + turned.y * b + 1e-6 * b);
    let limb = ik::solve3_clamp(p, r1, r2, pole);
    let height = sqrt(max(r1 * r1 - dot(q, q), 0.0));

    figure::dashes(vec2f(0.0), flat(p), figure::muted);
    // The circle of solutions, as an ellipse of short lines; its far half is thinner.
    var front = 1e3;
    var back = 1e3;
    var last = flat(q + height * a);
    for (var i = 1; i <= 48; i++) {
        let angle = 6.2831853 * f32(i) / 48.0;
        let radius = cos(angle) * a + sin(angle) * b;
        let next = flat(q + height * radius);
        let piece = plot::segment(figure::point, last, next);
        if dot(radius, EYE) > 0.0 {
            front = min(front, piece);
        } else {
            back = min(back, piece);
        }
        last = next;
    }
    figure::stroke(back, 0.06, figure::amber);
    figure::stroke(front, 0.2, figure::amber);
    figure::arrow(flat(q), flat(q + (height + 0.28 * growth) * pole), figure::green);
    figure::dot_at(flat(q), figure::ink);
    figure::limb(vec2f(0.0), flat(limb.mid), flat(limb.end), figure::paper);
    figure::label(flat(q + (height + 0.28 * growth) * pole) + figure::em * plot::direction(flat(pole)) * 1.6, figure::green, 4.0, vec2u(0x706f6c65u, 0x00000000u)); // "pole"
    figure::label(flat(p) + figure::em * vec2f(1.4, 0.0), figure::ink, 1.0, vec2u(0x70000000u, 0x00000000u)); // "p"
    return figure::end();
}
