// Solutions of a two-bone limb over the plane of targets: every pixel is a target.
//
// `bend` colours each target by its solution: the hue is the direction of the mid joint
// seen from the start, the lightness the opening of the elbow. Rings connect targets of
// equal elbow angle, every 15°; arcs connect targets of equal mid joint, every 15° around
// the start. Both are families of circles, drawn by distance. The target of the limb is where a
// bright ring crosses a bright arc, and lights the lines around it.
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
#define PER_FRAME_VALUES 319

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
// Colours of the plate behind the scale and of the canvas, of lines and of the two bones.
const PAPER: u32 = 0x101a30u;
const BORDER: u32 = 0x05080fu;
const INK: u32 = 0xf4f1e8u;
const MUTED: u32 = 0xa0b1d6u;
const FIRST: u32 = 0x3fa2ffu;
const SECOND: u32 = 0xff7a45u;

/// Size of a pixel in the field.
fn pixel_size() -> f32 {
    let short = min(frame::frame.resolution.x, frame::frame.resolution.y);
    return 2.0 * VIEW * reach() * exp2(-3.3219281 * params.zoom) / short;
}

/// Per-frame values: 0 is the solution of the limb (mid and end joint), 1 the angle at its elbow
/// (x), its cosine and its sine, and the size of a pixel in the field (w), 2 the colour of the solution.
/// The lines of text (`line_value`) and the strokes of text follow.
fn per_frame(index: u32) -> vec4f {
    if index >= STROKES {
        return text::table_value(index - STROKES);
    }
    let px = pixel_size();
    let solution = ik::solve2_clamp(target_of_limb(px), params.r1, params.r2, side());
    if index == 0u {
        return vec4f(solution.mid, solution.end);
    }
    let elbow = elbow_angle(length(solution.end));
    if index == 1u {
        return vec4f(elbow, cos(elbow), sin(elbow), px);
    }
    if index == 2u {
        return vec4f(solution_color(solution.mid / params.r1, elbow / PI), 1.0);
    }
    let turned = degrees(atan2(solution.mid.y, solution.mid.x));
    let whole = round(vec4f(
        degrees(elbow), turned + select(360.0, 0.0, turned > -0.5), 100.0 * params.r1, 100.0 * params.r2));
    return line_value(index - LINES, digits_of(whole));
}

const LINES: u32 = 3u;
const STROKES: u32 = 29u;

/// Three digits of each number below 1000, a byte each, to be added to the codes of "000".
fn digits_of(whole: vec4f) -> vec4u {
    let number = vec4u(whole);
    return ((number / 100u) << vec4u(16u)) + ((number / 10u % 10u) << vec4u(8u)) + number % 10u;
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let resolution = frame::frame.resolution;
    let px = frame::per_frame_value(1u).w;
    let p = (frag_coord - 0.5 * resolution) * px;
    let d = length(p);
    let solved = solve_in_pixel(p, d, px);
    let edge = max(hole() - d, d - reach());
    var color = vec3f(0.0);
    if params.show == 0u {
        let joints = frame::per_frame_value(0u);
        let limb = ik::Solution2(joints.xy, joints.zw, true);
        color = bones(bend_field(p, d, edge, solved.xy, limb, px), p, limb, px);
        color = gauges(color, frag_coord, limb, px);
    } else {
        color = error_field(solved.z, edge, frag_coord, px);
    }
    let line = LINES + 2u * line_at(frag_coord);
    let place = frame::per_frame_value(line + 1u);
    let bone_ink = select(palette::hex(FIRST), palette::hex(SECOND), frag_coord.x > place.x + 7.0 * text::advance(place.z));
    let ink = select(mix(palette::hex(MUTED), palette::hex(INK), place.w), bone_ink, place.w > 1.0);
    let letters = bitcast<vec4u>(frame::per_frame_value(line));
    let written = text::words(text::blank(), frag_coord - place.xy, text::Style(place.z, ink), letters);
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

/// Mid joint for the target p at distance `d` from the start, clamped to the region within reach
/// (xy), and the largest distance between the mid joints of the two forms (z): over nine targets in
/// one pixel, since the roundings of a single target may cancel.
fn solve_in_pixel(p: vec2f, d: f32, px: f32) -> vec3f {
    let is_bend = params.show == 0u;
    // The forms bend to the left: right is their mirror image.
    let mirror = vec2f(1.0, side());
    let direction = select(vec2f(1.0, 0.0), p / max(d, 1e-9), d > 1e-9);
    let first = select(p, mirror * direction * clamp(d, max(hole(), 1e-6), reach()), is_bend);
    var mid = vec2f(0.0);
    var worst = 0.0;
    for (var i = 0; i < select(9, 1, is_bend); i++) {
        let target_point = first + px / 3.0 * vec2f(vec2i(i % 3, i / 3));
        mid = ik::solve_factored(target_point, params.r1, params.r2);
        worst = max(worst, distance(ik::solve_article_fast(target_point, params.r1, params.r2), mid));
    }
    return vec3f(mirror * mid, worst);
}

// ---------------------------------------------------------------------------
// Bend

/// Target of the limb: the pointer or, without input, a point on a path that leaves
/// the elbow bent. `px` is the size of a pixel.
fn target_of_limb(px: f32) -> vec2f {
    let middle = 0.5 * frame::frame.resolution;
    let turn = frame::TAU * frame::time() / LOOP_SECONDS;
    let radius = mix(hole(), reach(), 0.56 - 0.26 * cos(2.0 * turn + 0.5));
    let angle = turn + 0.6;
    let idle = radius * vec2f(cos(angle), sin(angle));
    return (pointer::target_in_pixels(middle + idle / px) - middle) * px;
}

/// Colour of a solution: `hue` is the direction of its mid joint, `open` the elbow angle as a
/// fraction of 180°. The chroma follows the gamut: less in the dark, and for green and blue.
fn solution_color(hue: vec2f, open: f32) -> vec3f {
    let lightness = mix(0.27, 0.80, open);
    let chroma = lightness * (1.0 - 0.55 * open * open) * (0.27 + 0.05 * dot(hue, vec2f(0.77, -0.64)));
    let color = palette::oklch(lightness, chroma, hue);
    // A soft lower limit, since clipping would crease the field.
    return 0.5 * (color + sqrt(color * color + 0.0001));
}

/// Colour of the target p at the distance `d` from the start and `edge` from the ring of reachable
/// targets; `mid` is the mid joint of its solution, `chosen` the solution of the limb.
fn bend_field(p: vec2f, d: f32, edge: f32, mid: vec2f, chosen: ik::Solution2, px: f32) -> vec3f {
    let is_inside = edge < 0.0;
    let elbow = elbow_angle(clamp(d, hole(), reach()));
    let field = solution_color(mid / params.r1, select(0.6, elbow / PI, is_inside));
    // Out of reach, a dark canvas, lit around the rim and hatched inside.
    let pen = line_width(px);
    let near = 1.0 / (1.0 + 9.0 * abs(edge) / reach());
    let hatch = max(abs(fract((p.x + p.y) / (12.0 * pen)) - 0.5) - 0.37, 0.0);
    let light = select(0.06 + 1.8 * hatch, 0.35, d > hole()) * near * near;
    let canvas = palette::hex(BORDER) + light * field;
    var color = select(canvas, field, is_inside);

    let angle = atan2(mid.y, mid.x);
    let turn = round(angle / STEP) * STEP - angle;
    // For 7.5° or less, two terms of the cosine and one of the sine are enough.
    let joint = (1.0 - 0.5 * turn * turn) * mid + turn * vec2f(-mid.y, mid.x);
    let arcs = plot::stroke(distance(p, joint) - params.r2, pen, px);
    // Times the derivative of the distance from the start with respect to the angle.
    let slope = determinant(mat2x2f(mid, p)) / max(d, px);
    let rings = plot::stroke((elbow - round(elbow / STEP) * STEP) * slope, pen, px);
    // The arc is where the limb bends to the same side.
    let is_arc = side() * determinant(mat2x2f(p, chosen.mid)) > 0.0;
    let arc = select(1e3, abs(distance(p, chosen.mid) - params.r2), is_arc);
    let from_target = distance(p, chosen.end);
    let crossing = select(1e3, min(arc, abs(d - length(chosen.end))), is_inside);
    let chosen_lines = min(crossing, abs(from_target - 2.2 * joint_size(px)));
    // Other lines fade before they touch these.
    let nearness = from_target / reach();
    let lit = mix(0.07, 0.45, 1.0 / (1.0 + 40.0 * nearness * nearness));
    let grid = lit * max(arcs, rings) * clamp(chosen_lines / (7.0 * pen) - 0.4, 0.0, 1.0);
    let bright = max(select(0.0, grid, is_inside), plot::stroke(chosen_lines, 1.6 * pen, px));
    // The line at the boundary hides its pixels, so the field needs no coverage there.
    return plot::over(color, palette::hex(INK), max(bright, plot::stroke(edge, 2.0 * pen, px)));
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

/// Unit of the sizes of bones and joints.
fn joint_size(px: f32) -> f32 {
    return 0.0165 * min(frame::frame.resolution.x, frame::frame.resolution.y) * px;
}

/// Draws over `below` the limb: bones with coloured cores, and its joints.
fn bones(below: vec3f, p: vec2f, limb: ik::Solution2, px: f32) -> vec3f {
    let width = joint_size(px);
    let upper = plot::segment(p, vec2f(0.0), limb.mid) - 0.75 * width;
    let lower = plot::segment(p, limb.mid, limb.end) - 0.65 * width;
    let is_lower = lower < px;
    let shape = min(upper, lower);
    let core = plot::fill(shape + 0.45 * width, px);
    let ink = mix(palette::hex(INK), select(palette::hex(FIRST), palette::hex(SECOND), is_lower), core);
    let from_joints = vec3f(length(p), distance(p, limb.mid), distance(p, limb.end));
    let joint = min(min(from_joints.x, from_joints.y), from_joints.z);
    // The elbow has the colour of the solution, and the target no core.
    let core_color = select(palette::hex(BORDER), frame::per_frame_value(2u).xyz, from_joints.y <= joint);
    let core_size = select(0.7 * width, -px, from_joints.z <= joint);
    let joint_ink = plot::over(palette::hex(INK) * plot::fill(joint - 1.2 * width, px), core_color, plot::fill(joint - core_size, px));

    var color = plot::over(below, palette::hex(BORDER), clamp(0.75 - shape / width, 0.0, 0.75));
    color = plot::over(color, ink, plot::fill(shape, px));
    return plot::over(color, joint_ink, plot::fill(joint - 1.5 * width, px));
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

/// Distance of the half circle below the centre of a gauge, in the gauge's radius: in the middle of
/// its lines of text.
const HALF_DROP: f32 = 0.3;

fn gauge_center(is_right: bool, px: f32) -> vec2f {
    let all = frame::frame.resolution;
    let from_side = 0.5 * side_room(px);
    return vec2f(select(from_side, all.x - from_side, is_right), 0.5 * all.y - 0.55 * gauge_radius());
}

// True if there is room for the gauges beside the field.
fn has_gauges(px: f32) -> bool {
    return side_room(px) >= 3.25 * gauge_radius();
}

/// Draws over `below` the gauges at the sides, where there is room. `px` is the size of a
/// pixel of the field; `pixel` is in pixels.
fn gauges(below: vec3f, pixel: vec2f, solution: ik::Solution2, px: f32) -> vec3f {
    let radius = gauge_radius();
    if !has_gauges(px) {
        return below;
    }
    let is_right = pixel.x > 0.5 * frame::frame.resolution.x;
    let at = pixel - gauge_center(is_right, px) + vec2f(0.0, select(0.0, HALF_DROP * radius, is_right));
    let direction = plot::direction(solution.mid);
    let elbow = frame::per_frame_value(1u).xyz;

    // The left gauge is a circle, the right one half a circle: 0° is to the right.
    let here = plot::direction(at);
    let open = acos(clamp(here.x, -1.0, 1.0)) / PI;
    let color = solution_color(select(here, direction, is_right), select(0.75, open, is_right));
    let circle = abs(length(at) - radius);
    let half_circle = select(length(vec2f(abs(at.x) - radius, at.y)), circle, at.y > 0.0);
    let band = select(circle, half_circle, is_right) - 0.075 * radius;
    let knob = plot::disc(at, radius * select(direction, elbow.yz, is_right), 0.15 * radius);

    // The band has the colour of the solution at the mark.
    var drawn = plot::over(below, color, plot::fill(band, 1.0));
    drawn = plot::over(drawn, palette::hex(MUTED), 0.6 * plot::stroke(band - 0.02 * radius, 1.0, 1.0));
    drawn = plot::over(drawn, palette::hex(BORDER), plot::fill(knob - 0.06 * radius, 1.0));
    drawn = plot::over(drawn, palette::hex(INK), plot::fill(knob, 1.0));
    return plot::over(drawn, color, plot::fill(knob + 0.06 * radius, 1.0));
}

// ---------------------------------------------------------------------------
// Text

/// Index of the line of text nearest to a pixel: five lines at the left gauge, five at the right
/// one, three at the colour scale. Lines are placed once per frame, so pixels evaluate one.
fn line_at(pixel: vec2f) -> u32 {
    let px = frame::per_frame_value(1u).w;
    let is_right = pixel.x > 0.5 * frame::frame.resolution.x;
    let at = (pixel - gauge_center(is_right, px)) / gauge_radius();
    var row = select(4u, 3u, at.y > -1.0);
    row = select(row, 2u, at.y > 0.0);
    row = select(row, 1u, max(abs(at.x) - 0.1, abs(at.y + 0.15)) < 0.45);
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
/// in pixels (xy), its size in pixels (z) and its brightness (w), or 2 for the colours of the bones.
fn line_value(index: u32, digits: vec4u) -> vec4f {
    let number = index / 2u;
    let is_right = number >= 5u;
    let line = line_by_gauge(number % 5u, is_right, digits);
    let size = line.size * gauge_radius();
    // The gap after the last letter does not count.
    let width = line.columns * text::advance(size) - 0.2 * size;
    let px = pixel_size();
    let start = gauge_center(is_right, px) + vec2f(-0.5 * width, line.height * gauge_radius());
    var letters = select(vec4u(), line.letters, has_gauges(px));
    let tone = select(select(0.0, 1.0, line.size > 0.25), 2.0, number == 7u);
    var place = vec4f(start, size, tone);
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
            // Without zeros in front; the degree sign hangs.
            let angle = select(digits.y, digits.x, is_right);
            let count = 1u + u32(angle > 0xffu) + u32(angle > 0xffffu);
            let all = 0x303030b0u + (angle << 8u); // "000°"
            return Line(select(-0.145, -0.145 - HALF_DROP, is_right), 0.29, f32(count), vec4u(all << (24u - 8u * count), 0u, 0u, 0u));
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
            return Line(-0.4 - HALF_DROP, 0.18, 16.0, select(vec4u(), ends, is_right));
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

/// Colour of a target by the difference between the two forms, and the colour scale in the lower left
/// corner. `edge` is the distance to the ring of reachable targets; `pixel` is in pixels.
fn error_field(difference: f32, edge: f32, pixel: vec2f, px: f32) -> vec3f {
    let size = scale_size();
    let bar = vec2f(14.0 * size, 0.9 * size);
    let at = pixel - vec2f(2.2, 4.2) * size;
    let box = abs(at - 0.5 * bar) - 0.5 * bar;
    let d = max(box.x, box.y);
    let units = difference / unit_in_last_place(reach());
    let decades = log2(1.0 + units) / 3.3219281;
    let heat = palette::heat(select(decades / DECADES, at.x / bar.x, d < 0.5));

    let within = plot::fill(edge, px);
    let ring = plot::stroke(edge, line_width(px), px);
    var color = plot::over(mix(0.35 * heat, heat, within), palette::hex(INK), 0.3 * ring);
    let plate = max(abs(at.x - 0.5 * bar.x) - 0.5 * bar.x, abs(at.y + 0.5 * size) - 1.4 * size) - 0.9 * size;
    color = plot::over(color, palette::hex(PAPER), 0.8 * plot::fill(plate, 1.0));
    color = plot::over(color, heat, plot::fill(d, 1.0));
    return plot::over(color, palette::hex(INK), plot::stroke(d, max(0.05 * size, 1.0), 1.0));
}

/// Distance from a positive number to the next larger one.
fn unit_in_last_place(value: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(value) & 0x7f800000u) * 0x1p-23;
}
