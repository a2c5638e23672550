// Solutions of a two-bone limb over the plane of targets: every pixel is a target.
//
// `bend` colours each target by its solution: the hue is the direction of the mid joint
// seen from the start, the lightness the opening of the elbow. Rings connect targets of
// equal elbow angle, every 15°; arcs connect targets of equal mid joint, every 15° around
// the start. Both are families of circles, drawn by distance. Small limbs show the solutions
// of sample targets.
//
// `error` shows the difference between the article's fast form and the factored form: the
// distance of their mid joints in units of the last place (ulp) of the limb's length. It
// is large near the start and along both boundaries, where terms cancel; `zoom` magnifies
// the region around the start.
//
// Points are relative to the start joint at the centre of the picture, y up, in the unit
// of the bones' lengths.

#import tarsus::{frame, ik, palette, plot, pointer, shading, text}

struct Params {
    /// First bone, r1 [0.05, 1] = 0.8
    r1: f32,
    /// Second bone, r2 [0.05, 1] = 0.55
    r2: f32,
    /// Bend {left, right} = left
    bend: u32,
    /// Colours {bend, error} = bend
    show: u32,
    /// Zoom in on the start, powers of ten [0, 6] = 0
    zoom: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

/// Period of the limb's path without input, in seconds.
const LOOP_SECONDS: f32 = 12.0;
/// Half the height of the picture in units of length, before zooming in.
const VIEW: f32 = 1.6;
/// Step of the elbow angle between rings and of the mid joint's angle between arcs: 15°.
const STEP: f32 = 0.2617994;
const PAPER: u32 = 0x14171du;
const BONE: u32 = 0xfbf8f1u;

fn main_image(frag_coord: vec2f) -> vec4f {
    let resolution = frame::frame.resolution;
    let px = 2.0 * VIEW * exp2(-3.3219281 * params.zoom) / min(resolution.x, resolution.y);
    let p = (frag_coord - 0.5 * resolution) * px;
    var color = vec3f(0.0);
    if params.show == 0u {
        color = limb(bend_field(p, px), p, px);
    } else {
        color = legend(error_field(p, px), frag_coord);
    }
    return palette::display(color) + vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
}

/// The `side` argument of the solver.
fn side() -> f32 {
    return select(-1.0, 1.0, params.bend == 0u);
}

/// Signed distance to the ring of reachable targets.
fn reach_ring(p: vec2f) -> f32 {
    return plot::ring(p, vec2f(0.0), abs(params.r1 - params.r2), params.r1 + params.r2);
}

// ---------------------------------------------------------------------------
// Bend

/// Colour of the target p by its solution.
fn bend_field(p: vec2f, px: f32) -> vec3f {
    let solution = ik::solve2_clamp(p, params.r1, params.r2, side());
    let hue = plot::direction(solution.mid);
    let open = elbow_angle(length(solution.end)) / 3.1415927;
    let inside = plot::fill(reach_ring(p), px);

    let field = max(palette::oklch(mix(0.40, 0.86, open), 0.11, hue), vec3f(0.0));
    let outside = max(palette::oklch(0.24, 0.035, hue), vec3f(0.0));
    var color = mix(outside, field, inside);
    let lines = max(ring_lines(p, px), mid_lines(p, solution.mid, px));
    color = plot::over(color, vec3f(1.0), 0.22 * inside * lines);
    color = samples(color, p, px);
    return plot::over(color, palette::hex(BONE), plot::stroke(reach_ring(p), 2.0 * line_width(px), px));
}

/// Scale of the small limbs.
const SAMPLE_SCALE: f32 = 0.115;

/// Draws over `below` the limbs of the sample targets: five rings around the start, each limb
/// small and with its middle on its target. A pixel needs only the nearest one.
fn samples(below: vec3f, p: vec2f, px: f32) -> vec3f {
    let hole = abs(params.r1 - params.r2);
    let spacing = (params.r1 + params.r2 - hole) / 5.0;
    let ring = clamp(floor((length(p) - hole) / spacing), 0.0, 4.0);
    let radius = hole + (ring + 0.5) * spacing;
    let count = max(round(frame::TAU * radius / (1.15 * spacing)), 1.0);
    // Odd rings are turned by half a spacing.
    let shift = ring - 2.0 * floor(0.5 * ring);
    let bearing = atan2(p.y, p.x) / frame::TAU;
    let turn = (round(bearing * count - 0.5 * shift) + 0.5 * shift) * frame::TAU / count;
    let target_point = radius * vec2f(cos(turn), sin(turn));
    let solution = ik::solve2_clamp(target_point, params.r1, params.r2, side());
    let q = (p - target_point) / SAMPLE_SCALE + 0.5 * target_point;
    let size = px / SAMPLE_SCALE;
    let width = max(0.075, 1.3 * size);
    let upper = plot::bone(q, vec2f(0.0), solution.mid, width, 0.75 * width);
    let lower = plot::bone(q, solution.mid, solution.end, 0.75 * width, 0.5 * width);
    let limb = min(min(upper, lower), plot::disc(q, solution.mid, 1.25 * width));
    let start = plot::disc(q, vec2f(0.0), 1.7 * width);
    let end = plot::disc(q, solution.end, 1.5 * width);
    let shape = min(limb, min(start, end));
    var color = plot::over(below, palette::hex(PAPER), 0.45 * plot::fill(shape - 0.9 * width, size));
    color = plot::over(color, palette::hex(BONE), 0.92 * plot::fill(shape, size));
    // The start is hollow, as a fixed joint is drawn.
    return plot::over(color, palette::hex(PAPER), 0.8 * plot::fill(start + 0.8 * width, size));
}

/// Angle between the bones, in radians, of a limb whose end is at distance `d` from its
/// start.
fn elbow_angle(d: f32) -> f32 {
    let cosine = (params.r1 * params.r1 + params.r2 * params.r2 - d * d) / (2.0 * params.r1 * params.r2);
    return acos(clamp(cosine, -1.0, 1.0));
}

/// Width of a line: 0.0016 of the picture's shorter side, at least a pixel.
fn line_width(px: f32) -> f32 {
    return px * max(1.0, 0.0016 * min(frame::frame.resolution.x, frame::frame.resolution.y));
}

/// Coverage by the targets whose elbow angle is a multiple of STEP: circles around the
/// start.
fn ring_lines(p: vec2f, px: f32) -> f32 {
    let nearest = round(elbow_angle(length(p)) / STEP) * STEP;
    let squared = params.r1 * params.r1 + params.r2 * params.r2 - 2.0 * params.r1 * params.r2 * cos(nearest);
    return plot::stroke(length(p) - sqrt(max(squared, 0.0)), line_width(px), px);
}

/// Coverage by the targets whose mid joint is at a multiple of STEP: circles around the
/// mid joint.
fn mid_lines(p: vec2f, mid: vec2f, px: f32) -> f32 {
    let nearest = round(atan2(mid.y, mid.x) / STEP) * STEP;
    let joint = params.r1 * vec2f(cos(nearest), sin(nearest));
    return plot::stroke(distance(p, joint) - params.r2, line_width(px), px);
}

/// Draws over `below` one limb that reaches for the pointer.
fn limb(below: vec3f, p: vec2f, px: f32) -> vec3f {
    let resolution = frame::frame.resolution;
    let hole = abs(params.r1 - params.r2);
    let idle = pointer::idle_target(frame::frame.time / LOOP_SECONDS, hole, params.r1 + params.r2);
    let target_point = (pointer::target_in_pixels(0.5 * resolution + idle / px) - 0.5 * resolution) * px;
    let solution = ik::solve2_clamp(target_point, params.r1, params.r2, side());
    let width = 0.011 * min(resolution.x, resolution.y) * px;
    let upper = plot::bone(p, vec2f(0.0), solution.mid, width, 0.8 * width);
    let lower = plot::bone(p, solution.mid, solution.end, 0.8 * width, 0.5 * width);
    let joints = min(plot::disc(p, vec2f(0.0), 1.5 * width), plot::disc(p, solution.mid, 1.3 * width));
    let shape = min(min(upper, lower), min(joints, plot::disc(p, solution.end, 1.1 * width)));
    let color = plot::over(below, palette::hex(PAPER), 0.75 * plot::fill(shape - 0.6 * width, px));
    return plot::over(color, palette::hex(BONE), plot::fill(shape, px));
}

// ---------------------------------------------------------------------------
// Error

/// Decades of the colour scale, which ends at 10^DECADES ulp.
const DECADES: f32 = 3.0;

/// Colour of the target p by the difference between the two forms.
fn error_field(p: vec2f, px: f32) -> vec3f {
    let units = worst_in_pixel(p, px) / unit_in_last_place(params.r1 + params.r2);
    let color = palette::heat(log2(1.0 + units) / (3.3219281 * DECADES));
    let within = plot::fill(reach_ring(p), px);
    let ring = plot::stroke(reach_ring(p), line_width(px), px);
    return plot::over(mix(0.35 * color, color, within), palette::hex(BONE), 0.3 * ring);
}

/// Largest distance between the mid joints of the two forms over nine targets in one
/// pixel. A single target is not enough, since its roundings may cancel.
fn worst_in_pixel(p: vec2f, px: f32) -> f32 {
    var worst = 0.0;
    for (var i = 0; i < 9; i++) {
        let target_point = p + px * vec2f(f32(i % 3) - 1.0, f32(i / 3) - 1.0) / 3.0;
        let fast = ik::solve_article_fast(target_point, params.r1, params.r2);
        let factored = ik::solve_factored(target_point, params.r1, params.r2);
        worst = max(worst, distance(fast, factored));
    }
    return worst;
}

/// Distance from a positive number to the next larger one.
fn unit_in_last_place(value: f32) -> f32 {
    return exp2(floor(log2(value)) - 23.0);
}

/// Draws the colour scale over `below`, in the lower left corner. `pixel` is in pixels.
fn legend(below: vec3f, pixel: vec2f) -> vec3f {
    let size = 0.032 * min(frame::frame.resolution.x, frame::frame.resolution.y);
    let bar = vec2f(14.0 * size, 0.9 * size);
    let at = pixel - vec2f(2.2, 4.2) * size;
    let box = abs(at - 0.5 * bar) - 0.5 * bar;
    let d = max(box.x, box.y);
    let style = text::Style(size, palette::hex(BONE));
    let low = at + vec2f(0.0, 1.8) * size;
    var written = text::words(text::blank(), low, style, vec4u(0x30000000u, 0u, 0u, 0u)); // "0"
    written = text::words(written, low - vec2f(bar.x - 2.3 * size, 0.0), style, vec4u(0x31653300u, 0u, 0u, 0u)); // "1e3"
    written = text::words(written, low - vec2f(0.5 * bar.x - 1.15 * size, 0.0), style, vec4u(0x756c7000u, 0u, 0u, 0u)); // "ulp"
    let plate = max(abs(at.x - 0.5 * bar.x) - 0.5 * bar.x, abs(at.y + 0.5 * size) - 1.4 * size) - 0.9 * size;
    var color = plot::over(below, palette::hex(PAPER), 0.8 * plot::fill(plate, 1.0));
    color = plot::over(color, palette::heat(at.x / bar.x), plot::fill(d, 1.0));
    color = plot::over(color, palette::hex(BONE), plot::stroke(d, max(0.05 * size, 1.0), 1.0));
    return text::over(color, written, 1.0);
}
