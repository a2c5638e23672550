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
#define PER_FRAME_VALUES 331

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

/// Size of a pixel in the field.
fn pixel_size() -> f32 {
    let short = min(frame::frame.resolution.x, frame::frame.resolution.y);
    return 2.0 * VIEW * reach() * exp2(-3.3219281 * params.zoom) / short;
}

/// Values of the limbs: 0 is the solution of the large limb (mid and end joint), 1 that of a
/// sample target in the direction of x; 2 are the angle at the elbow of the large limb (x), its
/// cosine and its sine, and the size of a pixel in the field (w). The sample limbs (`sample_limb`),
/// the lines of text (`line_value`) and the strokes of text follow.
fn per_frame(index: u32) -> vec4f {
    if index >= STROKES {
        return text::table_value(index - STROKES);
    }
    let px = pixel_size();
    let solution = solve(target_of_limb(px));
    if index == 0u {
        return vec4f(solution.mid, solution.end);
    }
    if index == 1u {
        let sample = solve(vec2f(sample_radius(), 0.0));
        return vec4f(sample.mid, sample.end);
    }
    let elbow = elbow_angle(length(solution.end));
    if index == 2u {
        return vec4f(elbow, cos(elbow), sin(elbow), px);
    }
    if index < LINES {
        return sample_limb(index - SAMPLE_LIMBS, solution);
    }
    let turned = degrees(atan2(solution.mid.y, solution.mid.x));
    let whole = round(vec4f(
        degrees(elbow), turned + select(360.0, 0.0, turned > -0.5), 100.0 * params.r1, 100.0 * params.r2));
    return line_value(index - LINES, digits_of(whole));
}

const SAMPLE_LIMBS: u32 = 3u;
const LINES: u32 = 15u;
const STROKES: u32 = 41u;

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
    let px = frame::per_frame_value(2u).w;
    let p = (frag_coord - 0.5 * resolution) * px;
    let edge = reach_ring(p);
    var color = vec3f(0.0);
    if params.show == 0u {
        let solution = solution_at(0u);
        color = limb(bend_field(p, edge, solution, px), p, solution, px);
        color = gauges(color, frag_coord, solution, px);
    } else {
        color = error_field(p, edge, frag_coord, px);
    }
    let line = LINES + 2u * line_at(frag_coord);
    let place = frame::per_frame_value(line + 1u);
    let style = text::Style(place.z, mix(palette::hex(MUTED), palette::hex(BONE), place.w));
    let letters = bitcast<vec4u>(frame::per_frame_value(line));
    let written = text::words(text::blank(), frag_coord - place.xy, style, letters);
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

/// Lightness and chroma of a solution; `open` is the elbow angle as a fraction of 180°.
fn solution_tone(open: f32) -> vec2f {
    return vec2f(mix(0.30, 0.89, open), 0.10 + 0.14 * open * (1.0 - open));
}

/// Colour of a solution whose mid joint is in the direction `hue`.
fn solution_color(hue: vec2f, open: f32) -> vec3f {
    let tone = solution_tone(open);
    return max(palette::oklch(tone.x, tone.y, hue), vec3f(0.0));
}

/// Colour of the target p by its solution; `edge` is the distance to the ring of reachable targets,
/// `chosen` the solution of the large limb.
fn bend_field(p: vec2f, edge: f32, chosen: ik::Solution2, px: f32) -> vec3f {
    let solution = solve(p);
    let hue = plot::direction(solution.mid);
    let inside = edge < 0.0;

    let elbow = elbow_angle(clamp(length(p), hole(), reach()));
    let glow = exp(-3.4 * edge / reach());
    let tone = select(vec2f(mix(0.19, 0.29, glow), 0.05 * glow), solution_tone(elbow / PI), inside);
    let field = max(palette::oklch(tone.x, tone.y, hue), vec3f(0.0));
    let area = determinant(mat2x2f(solution.mid, solution.end));
    let lines = max(ring_lines(p, elbow, area, px), mid_lines(p, solution.mid, px));
    let on_field = select(0.0, 1.0, inside);
    var color = plot::over(field, vec3f(1.0), 0.075 * on_field * lines);
    let through = length(p) - length(chosen.end);
    color = plot::over(color, palette::hex(BONE), 0.9 * on_field * plot::stroke(through, 1.8 * line_width(px), px));
    color = samples(color, field, p, px);
    // The line at the boundary hides its pixels, so the field needs no coverage there.
    return plot::over(color, palette::hex(BONE), plot::stroke(edge, 2.0 * line_width(px), px));
}

/// Scale of the small limbs, and their number.
const SAMPLE_SCALE: f32 = 0.24;
const SAMPLES: f32 = 12.0;

/// Distance of the sample targets from the start.
fn sample_radius() -> f32 {
    return mix(hole(), reach(), 0.74);
}

/// Direction of a sample target (xy) and coverage by its limb (z). It fades as a whole when the
/// large limb, `chosen`, comes near; a narrow ring has no room for it.
fn sample_limb(index: u32, chosen: ik::Solution2) -> vec4f {
    let turn = f32(index) * frame::TAU / SAMPLES;
    let axis = vec2f(cos(turn), sin(turn));
    let shown = smoothstep(0.17, 0.22, distance_to_bones(sample_radius() * axis, chosen) / reach())
        * smoothstep(0.24, 0.48, 1.0 - hole() / reach());
    return vec4f(axis, shown, 0.0);
}

/// Draws over `below` the limbs of the sample targets: a ring of them around the start, each
/// limb small and with its middle on its target. A pixel needs only the nearest one. Around
/// them, lines give way to `field`.
fn samples(below: vec3f, field: vec3f, p: vec2f, px: f32) -> vec3f {
    let bearing = atan2(p.y, p.x) / frame::TAU;
    let nearest = frame::per_frame_value(SAMPLE_LIMBS + u32(round((bearing + 1.0) * SAMPLES)) % u32(SAMPLES));
    let axis = nearest.xy;
    let shown = nearest.z;
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
/// `elbow` is the angle for the target p, whose solution bends by `area`, the cross product of its
/// mid and end joints.
fn ring_lines(p: vec2f, elbow: f32, area: f32, px: f32) -> f32 {
    let from_line = elbow - round(elbow / STEP) * STEP;
    // Times the derivative of the distance from the start with respect to the angle.
    return plot::stroke(from_line * area / max(length(p), px), line_width(px), px);
}

/// Coverage by the targets whose mid joint is at a multiple of STEP: circles around the
/// mid joint.
fn mid_lines(p: vec2f, mid: vec2f, px: f32) -> f32 {
    let angle = atan2(mid.y, mid.x);
    let turn = round(angle / STEP) * STEP - angle;
    // For 7.5° or less, two terms of the cosine and one of the sine are enough.
    let joint = (1.0 - 0.5 * turn * turn) * mid + turn * vec2f(-mid.y, mid.x);
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

/// Radius of the gauges in pixels.
fn gauge_radius() -> f32 {
    return 0.135 * min(frame::frame.resolution.x, frame::frame.resolution.y);
}

/// Width in pixels of the space at each side of the field.
fn side_room(px: f32) -> f32 {
    return 0.5 * frame::frame.resolution.x - reach() / px;
}

fn gauge_center(is_right: bool, px: f32) -> vec2f {
    let all = frame::frame.resolution;
    let from_side = 0.5 * side_room(px);
    return vec2f(select(from_side, all.x - from_side, is_right), 0.5 * all.y - 0.55 * gauge_radius());
}

/// Draws over `below` the gauges at the sides, where there is room. `px` is the size of a
/// pixel of the field; `pixel` is in pixels.
fn gauges(below: vec3f, pixel: vec2f, solution: ik::Solution2, px: f32) -> vec3f {
    let radius = gauge_radius();
    if side_room(px) < 3.25 * radius {
        return below;
    }
    let is_right = pixel.x > 0.5 * frame::frame.resolution.x;
    let at = pixel - gauge_center(is_right, px);
    let direction = plot::direction(solution.mid);
    let elbow = frame::per_frame_value(2u).xyz;

    // The left gauge is a circle, the right one half a circle: 0° is to the right.
    let here = plot::direction(at);
    let open = acos(clamp(here.x, -1.0, 1.0)) / PI;
    let color = solution_color(select(here, direction, is_right), select(0.62, open, is_right));
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
    return plot::over(drawn, found, plot::fill(knob + 0.06 * radius, 1.0));
}

// ---------------------------------------------------------------------------
// Text

/// Index of the line of text nearest to a pixel: five lines at the left gauge, five at the right
/// one, three at the colour scale. Lines are placed once per frame, so pixels evaluate one.
fn line_at(pixel: vec2f) -> u32 {
    let px = frame::per_frame_value(2u).w;
    let is_right = pixel.x > 0.5 * frame::frame.resolution.x;
    let at = (pixel - gauge_center(is_right, px)) / gauge_radius();
    var row = select(4u, 3u, at.y > -0.8);
    row = select(row, 2u, at.y > 0.0);
    row = select(row, 1u, max(abs(at.x) - 0.27, abs(at.y)) < 0.3);
    row = select(row, 0u, at.y > 2.22);
    let column = pixel.x / scale_size();
    let word = 10u + u32(column > 5.2) + u32(column > 12.2);
    return select(word, row + select(0u, 5u, is_right), params.show == 0u);
}

/// A line of text by a gauge, centred; lengths are in the gauge's radius.
struct Line {
    /// Height of the baseline over the gauge's centre.
    height: f32,
    size: f32,
    columns: f32,
    letters: vec4u,
}

/// Values of line `index / 2`: its letters, as the bits of floats, then the start of its baseline
/// in pixels (xy), its size in pixels (z) and its brightness (w).
fn line_value(index: u32, digits: vec4u) -> vec4f {
    let number = index / 2u;
    let is_right = number >= 5u;
    let line = line_by_gauge(number % 5u, is_right, digits);
    let size = line.size * gauge_radius();
    // The gap after the last letter does not count.
    let width = line.columns * text::advance(size) - 0.2 * size;
    let px = pixel_size();
    let start = gauge_center(is_right, px) + vec2f(-0.5 * width, line.height * gauge_radius());
    let has_room = side_room(px) >= 3.25 * gauge_radius();
    var letters = select(vec4u(), line.letters, has_room);
    var place = vec4f(start, size, select(0.0, 1.0, line.size > 0.25));
    if number >= 10u {
        let word = number - 10u;
        var words = array(0x30000000u, 0x756c7000u, 0x31653300u); // "0", "ulp", "1e3"
        letters = vec4u(words[word], 0u, 0u, 0u);
        place = vec4f(scale_size() * vec3f(2.2 + 5.85 * f32(word), 2.4, 1.0), 1.0);
    }
    return select(place, bitcast<vec4f>(letters), index % 2u == 0u);
}

/// Line `row` of a gauge: the title, whole degrees, the lengths at the right gauge, the angles at
/// the ends of that gauge, and what the joint sets in the field.
fn line_by_gauge(row: u32, is_right: bool, digits: vec4u) -> Line {
    switch row {
        case 0u: {
            let left = vec4u(0x54776f2du, 0x626f6e65u, 0x20494b00u, 0u); // "Two-bone IK"
            let right = vec4u(0x4c656e67u, 0x74687300u, 0u, 0u); // "Lengths"
            return Line(2.4, 0.28, select(11.0, 7.0, is_right), select(left, right, is_right));
        }
        case 1u: {
            // Without zeros in front; the degree sign weighs half a digit.
            let angle = select(digits.y, digits.x, is_right);
            let count = 1u + u32(angle > 0xffu) + u32(angle > 0xffffu);
            let all = 0x303030b0u + (angle << 8u); // "000°"
            return Line(-0.145, 0.29, f32(count) + 0.45, vec4u(all << (24u - 8u * count), 0u, 0u, 0u));
        }
        case 2u: {
            let left = vec4u(0x666f7220u, 0x65766572u, 0x79207461u, 0x72676574u); // "for every target"
            let zeros = vec4u(0x72b12030u, 0x2e303020u, 0x2072b220u, 0x302e3030u); // "r₁ 0.00  r₂ 0.00"
            let whole = digits.zw >> vec2u(16u);
            let cents = digits.zw & vec2u(0xffffu);
            let right = zeros + vec4u(whole.x, cents.x << 8u, 0u, (whole.y << 24u) + cents.y);
            return Line(1.9, 0.2, 16.0, select(left, right, is_right));
        }
        case 3u: {
            let ends = vec4u(0x313830b0u, 0x20202020u, 0x20202020u, 0x202030b0u); // "180°          0°"
            return Line(-0.4, 0.18, 16.0, select(vec4u(), ends, is_right));
        }
        default: {
            let left = vec4u(0x6875653au, 0x2073686fu, 0x756c6465u, 0x72000000u); // "hue: shoulder"
            let right = vec4u(0x6c696768u, 0x746e6573u, 0x733a2065u, 0x6c626f77u); // "lightness: elbow"
            return Line(-1.55, 0.2, select(13.0, 16.0, is_right), select(left, right, is_right));
        }
    }
}

// ---------------------------------------------------------------------------
// Error

/// Decades of the colour scale, which ends at 10^DECADES ulp.
const DECADES: f32 = 3.0;

/// Size in pixels of the text at the colour scale.
fn scale_size() -> f32 {
    return 0.032 * min(frame::frame.resolution.x, frame::frame.resolution.y);
}

/// Colour of the target p by the difference between the two forms, and the colour scale in the
/// lower left corner. `edge` is the distance to the ring of reachable targets; `pixel` is in pixels.
fn error_field(p: vec2f, edge: f32, pixel: vec2f, px: f32) -> vec3f {
    let size = scale_size();
    let bar = vec2f(14.0 * size, 0.9 * size);
    let at = pixel - vec2f(2.2, 4.2) * size;
    let box = abs(at - 0.5 * bar) - 0.5 * bar;
    let d = max(box.x, box.y);
    let units = worst_in_pixel(p, px) / unit_in_last_place(reach());
    let decades = log2(1.0 + units) / 3.3219281;
    let heat = palette::heat(select(decades / DECADES, at.x / bar.x, d < 0.5));

    let within = plot::fill(edge, px);
    let ring = plot::stroke(edge, line_width(px), px);
    var color = plot::over(mix(0.35 * heat, heat, within), palette::hex(BONE), 0.3 * ring);
    let plate = max(abs(at.x - 0.5 * bar.x) - 0.5 * bar.x, abs(at.y + 0.5 * size) - 1.4 * size) - 0.9 * size;
    color = plot::over(color, palette::hex(PAPER), 0.8 * plot::fill(plate, 1.0));
    color = plot::over(color, heat, plot::fill(d, 1.0));
    return plot::over(color, palette::hex(BONE), plot::stroke(d, max(0.05 * size, 1.0), 1.0));
}

/// Largest distance between the mid joints of the two forms over nine targets in one
/// pixel. A single target is not enough, since its roundings may cancel.
fn worst_in_pixel(p: vec2f, px: f32) -> f32 {
    var worst = 0.0;
    // The other picture needs no targets.
    let targets = select(0, 9, params.show == 1u);
    for (var i = 0; i < targets; i++) {
        let row = floor((f32(i) + 0.5) / 3.0);
        let target_point = p + px * (vec2f(f32(i) - 3.0 * row, row) - 1.0) / 3.0;
        let fast = ik::solve_article_fast(target_point, params.r1, params.r2);
        let factored = ik::solve_factored(target_point, params.r1, params.r2);
        worst = max(worst, distance(fast, factored));
    }
    return worst;
}

/// Distance from a positive number to the next larger one.
fn unit_in_last_place(value: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(value) & 0x7f800000u) * 0x1p-23;
}
