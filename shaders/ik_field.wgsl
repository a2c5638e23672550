// Solutions of a two-bone limb over the plane of targets: every pixel is a target.
//
// `bend` colours each target by its solution: the hue is the direction of the mid joint
// seen from the start, the lightness the opening of the elbow. Rings connect targets of
// equal elbow angle, every 15°; arcs connect targets of equal mid joint, every 15° around
// the start. Both are families of circles, drawn by distance; the ring through the target of
// the large limb is bright. Small limbs show the solutions of sample targets.
// Gauges at the sides are the legend: the left one is the direction of the mid joint, the
// right one the angle of the elbow.
//
// `error` shows the difference between the article's fast form and the factored form: the
// distance of their mid joints in units of the last place (ulp) of the limb's length. It
// is large near the start and along both boundaries, where terms cancel; `zoom` magnifies
// the region around the start.
//
// Points are relative to the start joint at the centre of the picture, y up, in the unit
// of the bones' lengths.

#import tarsus::{frame, ik, palette, plot, pointer, shading, text}
#define PER_FRAME_VALUES 294

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
/// Half the shorter side of the picture before zooming in, in lengths of the limb.
const VIEW: f32 = 1.185;
/// Step of the elbow angle between rings and of the mid joint's angle between arcs: 15°.
const STEP: f32 = 0.2617994;
const PI: f32 = 3.1415927;
const PAPER: u32 = 0x14171du;
const BONE: u32 = 0xfbf8f1u;
const MUTED: u32 = 0xdad6cau;

/// Text of the gauges or of the scale at the pixel, drawn at the end: strokes are evaluated
/// once.
var<private> written: text::Text;

/// Size of a pixel in the field.
fn pixel_size() -> f32 {
    let short = min(frame::frame.resolution.x, frame::frame.resolution.y);
    return 2.0 * VIEW * reach() * exp2(-3.3219281 * params.zoom) / short;
}

/// Values of the limbs: 0 is the solution of the large limb (mid and end joint), 1 that of a
/// sample target in the direction of x; 2 are the angle at the elbow of the large limb (x), its
/// cosine and its sine; 3 are the digits (`digits_of`) of that angle and of the mid joint's in
/// whole degrees, from 0 to 359 (x and y), and of r1 and r2 in hundredths (z and w). The strokes
/// of text follow.
fn per_frame(index: u32) -> vec4f {
    if index >= STROKES {
        return text::table_value(index - STROKES);
    }
    let solution = solve(target_of_limb(pixel_size()));
    if index == 0u {
        return vec4f(solution.mid, solution.end);
    }
    if index == 1u {
        let sample = solve(vec2f(sample_radius(), 0.0));
        return vec4f(sample.mid, sample.end);
    }
    let elbow = elbow_angle(length(solution.end));
    if index == 2u {
        return vec4f(elbow, cos(elbow), sin(elbow), 0.0);
    }
    let turned = degrees(atan2(solution.mid.y, solution.mid.x));
    let whole = round(vec4f(
        degrees(elbow), turned + select(360.0, 0.0, turned > -0.5), 100.0 * params.r1, 100.0 * params.r2));
    return vec4f(digits_of(whole));
}

const STROKES: u32 = 4u;

/// Three digits of each number below 1000, a byte each, to be added to the codes of "000".
fn digits_of(whole: vec4f) -> vec4u {
    let number = vec4u(whole);
    return ((number / 100u) << vec4u(16u)) + ((number / 10u % 10u) << vec4u(8u)) + number % 10u;
}

/// Solution in the per-frame values at `index`.
fn solution_at(index: u32) -> ik::Solution2 {
    let joints = frame::per_frame_value(index);
    return ik::Solution2(joints.xy, joints.zw, true);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let resolution = frame::frame.resolution;
    let px = pixel_size();
    let p = (frag_coord - 0.5 * resolution) * px;
    var color = vec3f(0.0);
    if params.show == 0u {
        let solution = solution_at(0u);
        color = limb(bend_field(p, solution, px), p, solution, px);
        color = gauges(color, frag_coord, solution, px);
    } else {
        color = legend(error_field(p, px), frag_coord);
    }
    let glyph = text::glyph_of(written);
    let index = STROKES + text::table_index(glyph);
    let strokes = text::strokes_from_table(frame::per_frame_value(index), frame::per_frame_value(index + 1u));
    color = text::composite(color, written, text::distance_to_strokes(glyph, strokes), 1.0);
    return palette::display(color) + vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
}

/// The `side` argument of the solver.
fn side() -> f32 {
    return select(-1.0, 1.0, params.bend == 0u);
}

/// Length of the limb: the outer radius of the ring of reachable targets.
fn reach() -> f32 {
    return params.r1 + params.r2;
}

/// Inner radius of the ring of reachable targets.
fn hole() -> f32 {
    return abs(params.r1 - params.r2);
}

/// Signed distance to the ring of reachable targets.
fn reach_ring(p: vec2f) -> f32 {
    return plot::ring(p, vec2f(0.0), hole(), reach());
}

// ---------------------------------------------------------------------------
// Bend

/// Solution for a target, clamped to the region within reach.
fn solve(p: vec2f) -> ik::Solution2 {
    return ik::solve2_clamp(p, params.r1, params.r2, side());
}

/// Target of the large limb: the pointer or, without input, a point on a path that leaves
/// the elbow bent. `px` is the size of a pixel.
fn target_of_limb(px: f32) -> vec2f {
    let middle = 0.5 * frame::frame.resolution;
    let turn = frame::TAU * frame::time() / LOOP_SECONDS;
    let radius = mix(hole(), reach(), 0.56 - 0.26 * cos(2.0 * turn + 0.5));
    let angle = turn + 0.6;
    let idle = radius * vec2f(cos(angle), sin(angle));
    return (pointer::target_in_pixels(middle + idle / px) - middle) * px;
}

/// Colour of a solution whose mid joint is in the direction `hue`; `open` is the elbow angle
/// as a fraction of 180°.
fn solution_color(hue: vec2f, open: f32) -> vec3f {
    let chroma = 0.10 + 0.14 * open * (1.0 - open);
    return max(palette::oklch(mix(0.30, 0.89, open), chroma, hue), vec3f(0.0));
}

/// Colour of the target p by its solution; `chosen` is the solution of the large limb.
fn bend_field(p: vec2f, chosen: ik::Solution2, px: f32) -> vec3f {
    let solution = solve(p);
    let hue = plot::direction(solution.mid);
    let inside = plot::fill(reach_ring(p), px);

    let elbow = elbow_angle(length(solution.end));
    let field = solution_color(hue, elbow / PI);
    let glow = exp(-3.4 * max(reach_ring(p), 0.0) / reach());
    let outside = max(palette::oklch(mix(0.19, 0.29, glow), 0.05 * glow, hue), vec3f(0.0));
    var color = mix(outside, field, inside);
    let lines = max(ring_lines(p, elbow, px), mid_lines(p, solution.mid, px));
    color = plot::over(color, vec3f(1.0), 0.075 * inside * lines);
    let through = length(p) - length(chosen.end);
    color = plot::over(color, palette::hex(BONE), 0.9 * inside * plot::stroke(through, 1.8 * line_width(px), px));
    color = samples(color, mix(outside, field, inside), p, chosen, px);
    return plot::over(color, palette::hex(BONE), plot::stroke(reach_ring(p), 2.0 * line_width(px), px));
}

/// Scale of the small limbs, and their number.
const SAMPLE_SCALE: f32 = 0.24;
const SAMPLES: f32 = 12.0;

/// Distance of the sample targets from the start.
fn sample_radius() -> f32 {
    return mix(hole(), reach(), 0.74);
}

/// Draws over `below` the limbs of the sample targets: a ring of them around the start, each
/// limb small and with its middle on its target. A pixel needs only the nearest one. Around
/// them, lines give way to `field`.
fn samples(below: vec3f, field: vec3f, p: vec2f, chosen: ik::Solution2, px: f32) -> vec3f {
    let bearing = atan2(p.y, p.x) / frame::TAU;
    let turn = round(bearing * SAMPLES) * frame::TAU / SAMPLES;
    let axis = vec2f(cos(turn), sin(turn));
    let sample_target = sample_radius() * axis;
    // All are the same limb, rotated.
    let solution = solution_at(1u);
    let from_target = mat2x2f(axis.x, -axis.y, axis.y, axis.x) * (p - sample_target);
    let q = from_target / SAMPLE_SCALE + vec2f(0.5 * sample_radius(), 0.0);
    let size = px / SAMPLE_SCALE;
    let width = max(0.042 * reach(), 1.2 * size);
    let upper = plot::bone(q, vec2f(0.0), solution.mid, width, 0.75 * width);
    let lower = plot::bone(q, solution.mid, solution.end, 0.75 * width, 0.5 * width);
    let limb = min(min(upper, lower), plot::disc(q, solution.mid, 1.25 * width));
    let start = plot::disc(q, vec2f(0.0), 1.9 * width);
    let end = plot::disc(q, solution.end, 1.5 * width);
    let shape = min(limb, min(start, end));
    // A small limb fades as a whole when the large one comes near; a narrow ring has no room.
    let shown = smoothstep(0.17, 0.22, distance_to_bones(sample_target, chosen) / reach())
        * smoothstep(0.24, 0.48, 1.0 - hole() / reach());
    let clear = shown * (1.0 - smoothstep(1.5 * width, 3.5 * width, shape));
    var color = mix(below, field, clear);
    color = plot::over(color, palette::hex(PAPER), 0.35 * shown * plot::fill(shape - 0.7 * width, size));
    color = plot::over(color, palette::hex(BONE), 0.85 * shown * plot::fill(shape, size));
    // The start is hollow, as a fixed joint is drawn.
    return plot::over(color, palette::hex(PAPER), 0.8 * shown * plot::fill(start + 0.85 * width, size));
}

/// Distance from p to the centre lines of a limb's bones.
fn distance_to_bones(p: vec2f, limb: ik::Solution2) -> f32 {
    return min(plot::segment(p, vec2f(0.0), limb.mid), plot::segment(p, limb.mid, limb.end));
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

/// Coverage by the targets whose elbow angle is a multiple of STEP: circles around the start.
/// `elbow` is the angle for the target p.
fn ring_lines(p: vec2f, elbow: f32, px: f32) -> f32 {
    let nearest = round(elbow / STEP) * STEP;
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

/// Draws over `below` the large limb.
fn limb(below: vec3f, p: vec2f, solution: ik::Solution2, px: f32) -> vec3f {
    let width = 0.0115 * min(frame::frame.resolution.x, frame::frame.resolution.y) * px;
    let shade = distance_to_bones(p + width * vec2f(-0.5, 1.0), solution) - width;
    let upper = plot::bone(p, vec2f(0.0), solution.mid, width, 0.8 * width);
    let lower = plot::bone(p, solution.mid, solution.end, 0.8 * width, 0.5 * width);
    let start = plot::disc(p, vec2f(0.0), 1.7 * width);
    let mid = plot::disc(p, solution.mid, 1.6 * width);
    let end = plot::disc(p, solution.end, 1.2 * width);
    let joints = min(start, min(mid, end));
    let shape = min(min(upper, lower), joints);
    let hue = solution_color(plot::direction(solution.mid), 0.55);

    var color = plot::over(below, palette::hex(PAPER), 0.5 * (1.0 - smoothstep(0.0, 3.0 * width, shade)));
    color = plot::over(color, palette::hex(PAPER), 0.85 * plot::fill(shape - 0.45 * width, px));
    color = plot::over(color, palette::hex(BONE), plot::fill(shape, px));
    color = plot::over(color, palette::hex(PAPER), plot::fill(start + 0.7 * width, px));
    color = plot::over(color, hue, plot::fill(mid + 0.55 * width, px));
    let reticle = plot::disc(p, solution.end, 2.6 * width);
    return plot::over(color, palette::hex(BONE), plot::stroke(reticle, 2.0 * line_width(px), px));
}

// ---------------------------------------------------------------------------
// Gauges

/// Draws over `below` the gauges at the sides, where there is room. `px` is the size of a
/// pixel of the field; `pixel` is in pixels.
fn gauges(below: vec3f, pixel: vec2f, solution: ik::Solution2, px: f32) -> vec3f {
    let all = frame::frame.resolution;
    let short = min(all.x, all.y);
    let radius = 0.135 * short;
    let room = 0.5 * all.x - reach() / px;
    if room < 3.25 * radius {
        return below;
    }
    let is_right = pixel.x > 0.5 * all.x;
    let at = pixel
        - vec2f(select(0.5 * room, all.x - 0.5 * room, is_right), 0.5 * all.y - 0.55 * radius);
    let direction = plot::direction(solution.mid);
    let elbow = frame::per_frame_value(2u).xyz;

    // The left gauge is a circle, the right one half a circle: 0° is to the right.
    let here = plot::direction(at);
    let open = acos(clamp(here.x, -1.0, 1.0)) / PI;
    let color = select(solution_color(here, 0.62), solution_color(direction, open), is_right);
    let circle = abs(length(at) - radius);
    let half_circle = plot::arc(at, vec2f(0.0), vec2f(1.0, 1e-4), vec2f(-1.0, 1e-4), radius);
    let band = select(circle, half_circle, is_right) - 0.075 * radius;
    let mark = radius * select(direction, elbow.yz, is_right);
    let knob = plot::disc(at, mark, 0.15 * radius);

    var drawn = plot::over(below, color, plot::fill(band, 1.0));
    drawn = plot::over(drawn, palette::hex(MUTED), 0.4 * plot::stroke(band, line_width(1.0), 1.0));
    drawn = plot::over(drawn, palette::hex(PAPER), plot::fill(knob - 0.06 * radius, 1.0));
    drawn = plot::over(drawn, palette::hex(BONE), plot::fill(knob, 1.0));
    let found = solution_color(direction, select(0.62, elbow.x / PI, is_right));
    drawn = plot::over(drawn, found, plot::fill(knob + 0.06 * radius, 1.0));

    let line = line_at(at / radius, is_right);
    let style = text::Style(line.size * radius, line.ink);
    // The gap after the last letter does not count.
    let width = line.columns * text::advance(style.size) - 0.2 * style.size;
    let middle = vec2f(0.5 * width, -line.height * radius);
    written = text::words(text::blank(), at + middle, style, line.letters);
    return drawn;
}

/// A centred line of text by a gauge; lengths are in the gauge's radius.
struct Line {
    /// Height of the baseline over the gauge's centre.
    height: f32,
    size: f32,
    ink: vec3f,
    columns: f32,
    letters: vec4u,
}

/// The line of text at a point by a gauge: the title over the left gauge, the lengths over the
/// right one, whole degrees in both, the angles at the ends of the right one, and below both
/// what the joint sets in the field. The line is selected first, so that text is compiled once.
fn line_at(at: vec2f, is_right: bool) -> Line {
    let digits = vec4u(frame::per_frame_value(3u));
    let bright = palette::hex(BONE);
    let muted = palette::hex(MUTED);
    if at.y > 2.22 {
        let left = vec4u(0x54776f2du, 0x626f6e65u, 0x20494b00u, 0u); // "Two-bone IK"
        let right = vec4u(0x4c656e67u, 0x74687300u, 0u, 0u); // "Lengths"
        return Line(2.4, 0.28, bright, select(11.0, 7.0, is_right), select(left, right, is_right));
    } else if max(abs(at.x) - 0.27, abs(at.y)) < 0.3 {
        // Without zeros in front; the degree sign weighs half a digit.
        let angle = select(digits.y, digits.x, is_right);
        let count = 1u + u32(angle > 0xffu) + u32(angle > 0xffffu);
        let all = 0x303030b0u + (angle << 8u); // "000°"
        let shown = vec4u(all << (24u - 8u * count), 0u, 0u, 0u);
        return Line(-0.145, 0.29, bright, f32(count) + 0.45, shown);
    } else if at.y > 0.0 {
        let left = vec4u(0x666f7220u, 0x65766572u, 0x79207461u, 0x72676574u); // "for every target"
        let zeros = vec4u(0x72b12030u, 0x2e303020u, 0x2072b220u, 0x302e3030u); // "r₁ 0.00  r₂ 0.00"
        let whole = digits.zw >> vec2u(16u);
        let cents = digits.zw & vec2u(0xffffu);
        let right = zeros + vec4u(whole.x, cents.x << 8u, 0u, (whole.y << 24u) + cents.y);
        return Line(1.9, 0.2, muted, 16.0, select(left, right, is_right));
    } else if is_right && at.y > -0.8 {
        let ends = vec4u(0x313830b0u, 0x20202020u, 0x20202020u, 0x202030b0u); // "180°          0°"
        return Line(-0.4, 0.18, muted, 16.0, ends);
    }
    let left = vec4u(0x6875653au, 0x2073686fu, 0x756c6465u, 0x72000000u); // "hue: shoulder"
    let right = vec4u(0x6c696768u, 0x746e6573u, 0x733a2065u, 0x6c626f77u); // "lightness: elbow"
    return Line(-1.55, 0.2, muted, select(13.0, 16.0, is_right), select(left, right, is_right));
}

// ---------------------------------------------------------------------------
// Error

/// Decades of the colour scale, which ends at 10^DECADES ulp.
const DECADES: f32 = 3.0;

/// Colour of the target p by the difference between the two forms.
fn error_field(p: vec2f, px: f32) -> vec3f {
    let units = worst_in_pixel(p, px) / unit_in_last_place(reach());
    let color = palette::heat(log2(1.0 + units) / (3.3219281 * DECADES));
    let within = plot::fill(reach_ring(p), px);
    let ring = plot::stroke(reach_ring(p), line_width(px), px);
    return plot::over(mix(0.35 * color, color, within), palette::hex(BONE), 0.3 * ring);
}

/// Largest distance between the mid joints of the two forms over nine targets in one
/// pixel. A single target is not enough, since its roundings may cancel.
fn worst_in_pixel(p: vec2f, px: f32) -> f32 {
    var worst = 0.0;
    // The other picture needs no targets.
    let targets = select(0, 9, params.show == 1u);
    for (var i = 0; i < targets; i++) {
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
    // The word nearest to the pixel, selected first, as the gauges' lines are.
    var start = vec2f(0.0, -1.8) * size;
    var word = 0x30000000u; // "0"
    if at.x > 10.0 * size {
        start.x = bar.x - 2.3 * size;
        word = 0x31653300u; // "1e3"
    } else if at.x > 3.0 * size {
        start.x = 0.5 * bar.x - 1.15 * size;
        word = 0x756c7000u; // "ulp"
    }
    written = text::words(text::blank(), at - start, style, vec4u(word, 0u, 0u, 0u));
    let plate = max(abs(at.x - 0.5 * bar.x) - 0.5 * bar.x, abs(at.y + 0.5 * size) - 1.4 * size) - 0.9 * size;
    var color = plot::over(below, palette::hex(PAPER), 0.8 * plot::fill(plate, 1.0));
    color = plot::over(color, palette::heat(at.x / bar.x), plot::fill(d, 1.0));
    return plot::over(color, palette::hex(BONE), plot::stroke(d, max(0.05 * size, 1.0), 1.0));
}
