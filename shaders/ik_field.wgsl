// Solutions of a two-bone limb over the plane of targets: every pixel is a target.
//
// `bend` colours each target by its solution: the hue is the direction of the mid joint seen from
// the start, the lightness the opening of the elbow. Rings connect targets of equal elbow angle,
// every 15°; arcs connect targets of equal mid joint, every 15° around the start. The end of the limb
// is where a bright ring crosses a bright arc, and lights the lines around it; names follow both.
// Gauges at the sides are the legend. Out of reach, the limb stops at the limit.
//
// `error` shows the difference between the article's fast form and the factored form: the distance
// of their mid joints in units of the last place (ulp) of the limb's length. It is large near the
// start and along both boundaries, where terms cancel; `zoom` magnifies the region around the start.
//
// Points are relative to the start joint at the centre of the picture, y up, in the unit of the
// bones' lengths.

#import tarsus::{frame, ik, palette, plot, pointer, shading, text}
#define PER_FRAME_VALUES 529

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
/// Step of the elbow angle between rings: 15°.
const STEP: f32 = 0.2617994;
const PI: f32 = 3.1415927;
// Colours of the canvas and of the plate behind the scale, of lines, of captions, of a target out of
// reach and of the two bones.
const BORDER: u32 = 0x05080fu;
const INK: u32 = 0xf4f1e8u;
const MUTED: u32 = 0xbccaeau;
const MISSED: u32 = 0xff5fa8u;
const FIRST: u32 = 0x3fa2ffu;
const SECOND: u32 = 0xff7a45u;

/// Size of a pixel in the field.
fn pixel_size() -> f32 {
    let short = min(frame::frame.resolution.x, frame::frame.resolution.y);
    return 2.0 * VIEW * reach() * exp2(-3.3219281 * params.zoom) / short;
}

/// Per-frame values: 0 is the solution of the limb (mid and end joint), 1 the target (xy), 1 if the
/// limb misses it (z), and the size of a pixel in the field (w), 2 the colour of the solution, 3 the
/// cosine and the sine of the elbow's angle. Lines of text (`line_value`) and strokes follow.
fn per_frame(index: u32) -> vec4f {
    if index >= STROKES {
        return text::table_value(index - STROKES);
    }
    let px = pixel_size();
    let target_point = target_of_limb(px);
    var limb = ik::solve2_clamp(target_point, params.r1, params.r2, side());
    // A target on the boundary is not missed by a rounding error.
    limb.reached = distance(target_point, limb.end) < 0.5 * px;
    let elbow = elbow_angle(length(limb.end));
    switch index {
        case 0u: { return vec4f(limb.mid, limb.end); }
        case 1u: { return vec4f(target_point, select(1.0, 0.0, limb.reached), px); }
        case 2u: { return vec4f(solution_color(limb.mid / params.r1, elbow / PI), 1.0); }
        case 3u: { return vec4f(cos(elbow), sin(elbow), 0.0, 0.0); }
        default: { return line_value(index - LINES, limb, elbow, px); }
    }
}

const LINES: u32 = 4u;
const STROKES: u32 = 94u;

fn main_image(frag_coord: vec2f) -> vec4f {
    let px = frame::per_frame_value(1u).w;
    let p = (frag_coord - 0.5 * frame::frame.resolution) * px;
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
    let line = LINES + 5u * line_at(frag_coord, p, d, px);
    let place = frame::per_frame_value(line);
    // Angle to the start of the line: twice the arctangent of the tangent of its half, as a series.
    let half_tangent = determinant(mat2x2f(p, place.xy)) / max(d + dot(p, place.xy), 0.001 * px);
    let square = half_tangent * half_tangent;
    let along = half_tangent * (2.0 - square * (0.6667 - 0.4 * square));
    let around = vec2f(place.z * along, sign(place.z) * d / px - place.z);
    let is_around = place.w < 0.0;
    let at = select(frag_coord - place.xy, around, is_around);
    let size = select(place.z, NAME * gauge_radius(), is_around);
    let ink = select(palette::hex(MUTED), palette::hex(INK), abs(place.w) >= 1.0);
    let style = text::Style(size, select(ink, palette::hex(MISSED), abs(place.w) >= 2.0));
    let cell = text::cell_at(at, size, 16u);
    let letters = bitcast<u32>(frame::per_frame_value(line + 1u + cell.column / 4u).x);
    let code = (letters >> (24u - 8u * (cell.column % 4u))) & 255u;
    let written = text::with_glyph(text::blank(), cell, style, code);
    // No line has subscripts, so characters are glyphs.
    let from_strokes = text::distance_by_table(text::Glyph(written.code, written.at, written.grid), STROKES);
    let lettered = text::composite_over_lines(color, written, from_strokes, 0.2 * color, 1.0);
    color = mix(color, lettered, fract(abs(place.w)));
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

/// Target of the limb: the pointer or, without input, a point on a path in and out of reach.
/// `px` is the size of a pixel.
fn target_of_limb(px: f32) -> vec2f {
    let middle = 0.5 * frame::frame.resolution;
    let idle = pointer::idle_target(frame::time() / LOOP_SECONDS, hole(), reach());
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
    let pen = px * max(1.0, 0.0016 * min(frame::frame.resolution.x, frame::frame.resolution.y));
    let near = reach() / (reach() + 9.0 * abs(edge));
    let hatch = max(abs(fract((p.x + p.y) / (12.0 * pen)) - 0.5) - 0.37, 0.0);
    let light = select(0.06 + 1.8 * hatch, 0.35, d > hole()) * near * near;
    let color = select(palette::hex(BORDER) + light * field, field, is_inside);
    // The 24th power of a direction turns once around per step: it is cubed, then squared three times.
    let unit = mid / params.r1;
    var power = vec2f(1.0, -1.0) * unit * (4.0 * unit * unit - 3.0);
    for (var i = 0; i < 3; i++) {
        power = 2.0 * power.x * power - vec2f(1.0, 0.0);
    }
    // Near an arc, two terms of the cosine and one of the sine are enough.
    let turn = -power.y / 24.0;
    let joint = (1.0 - 0.5 * turn * turn) * mid + turn * vec2f(-mid.y, mid.x);
    let arcs = select(0.0, plot::stroke(distance(p, joint) - params.r2, pen, px), power.x > 0.0);
    // Times the derivative of the distance from the start with respect to the angle.
    let slope = determinant(mat2x2f(mid, p)) / max(d, px);
    let rings = plot::stroke((elbow - round(elbow / STEP) * STEP) * slope, pen, px);
    // The arc is where the limb bends to the same side.
    let is_arc = side() * determinant(mat2x2f(p, chosen.mid)) > 0.0;
    let arc = select(1e3, abs(distance(p, chosen.mid) - params.r2), is_arc);
    let chosen_lines = select(1e3, min(arc, abs(d - length(chosen.end))), is_inside);
    // Other lines fade before they touch these.
    let nearness = distance(p, chosen.end) / reach();
    let lit = mix(0.07, 0.45, 1.0 / (1.0 + 40.0 * nearness * nearness));
    let grid = lit * max(arcs, rings) * clamp(chosen_lines / (7.0 * pen) - 0.4, 0.0, 1.0);
    let bright = max(select(0.0, grid, is_inside), plot::stroke(chosen_lines, 1.6 * pen, px));
    // The line at the boundary hides its pixels, so the field needs no coverage there.
    return plot::over(color, palette::hex(INK), max(bright, plot::stroke(edge, 2.0 * pen, px)));
}

/// Angle between the bones of a limb whose end is at distance `d` from its start.
fn elbow_angle(d: f32) -> f32 {
    let cosine = (params.r1 * params.r1 + params.r2 * params.r2 - d * d) / (2.0 * params.r1 * params.r2);
    return acos(clamp(cosine, -1.0, 1.0));
}

/// Draws over `below` the target and the limb: bones with coloured cores, and its joints.
fn bones(below: vec3f, p: vec2f, limb: ik::Solution2, px: f32) -> vec3f {
    let width = 0.0165 * min(frame::frame.resolution.x, frame::frame.resolution.y) * px;
    let upper = plot::segment(p, vec2f(0.0), limb.mid) - 0.75 * width;
    let lower = plot::segment(p, limb.mid, limb.end) - 0.65 * width;
    let is_lower = lower < px;
    let shape = min(upper, lower);
    let core = plot::fill(shape + 0.45 * width, px);
    let ink = mix(palette::hex(INK), select(palette::hex(FIRST), palette::hex(SECOND), is_lower), core);
    let from_joints = vec3f(length(p), distance(p, limb.mid), distance(p, limb.end));
    let joint = min(min(from_joints.x, from_joints.y), from_joints.z);
    // The elbow has the colour of the solution, and the end no core.
    let core_color = select(palette::hex(BORDER), frame::per_frame_value(2u).xyz, from_joints.y <= joint);
    let core_size = select(0.7 * width, -px, from_joints.z <= joint);
    let rim = palette::hex(INK) * plot::fill(joint - 1.2 * width, px);
    let joint_ink = plot::over(rim, core_color, plot::fill(joint - core_size, px));
    let goal = frame::per_frame_value(1u).xyz;
    let from_goal = distance(p, goal.xy);
    let ticks = max(plot::cross_mark(p, goal.xy, 2.9 * width), 2.1 * width - from_goal);
    let marks = min(abs(from_goal - 2.1 * width), ticks) - 0.14 * width;
    let mark_ink = mix(palette::hex(INK), palette::hex(MISSED), goal.z);
    let shadow = max(0.75 - shape / width, 0.7 - 2.5 * marks / width);
    var color = plot::over(below, palette::hex(BORDER), clamp(shadow, 0.0, 0.75));
    color = plot::over(color, mark_ink, plot::fill(marks, px));
    color = plot::over(color, ink, plot::fill(shape, px));
    return plot::over(color, joint_ink, plot::fill(joint - 1.5 * width, px));
}

// ---------------------------------------------------------------------------
// Gauges

/// Radius of the gauges in pixels.
fn gauge_radius() -> f32 {
    return 0.135 * min(frame::frame.resolution.x, frame::frame.resolution.y);
}

/// Distance of the half circle below the centre of a gauge, in the gauge's radius.
const HALF_DROP: f32 = 0.3;

fn gauge_center(is_right: bool, px: f32) -> vec2f {
    let all = frame::frame.resolution;
    let from_side = 0.25 * all.x - 0.5 * reach() / px;
    return vec2f(select(from_side, all.x - from_side, is_right), 0.5 * all.y - 0.55 * gauge_radius());
}

/// True if there is room for the gauges beside the field.
fn has_gauges(px: f32) -> bool {
    return gauge_center(false, px).x >= 1.625 * gauge_radius();
}

/// Draws over `below` the gauges at the sides, where there is room; `pixel` is in pixels.
fn gauges(below: vec3f, pixel: vec2f, solution: ik::Solution2, px: f32) -> vec3f {
    let radius = gauge_radius();
    let is_right = pixel.x > 0.5 * frame::frame.resolution.x;
    let at = pixel - gauge_center(is_right, px) + vec2f(0.0, select(0.0, HALF_DROP * radius, is_right));
    let direction = plot::direction(solution.mid);
    // The left gauge is a circle, the right one half a circle: 0° is to the right.
    let here = plot::direction(at);
    let open = acos(clamp(here.x, -1.0, 1.0)) / PI;
    let color = solution_color(select(here, direction, is_right), select(0.75, open, is_right));
    let circle = abs(length(at) - radius);
    let half_circle = select(length(vec2f(abs(at.x) - radius, at.y)), circle, at.y > 0.0);
    let band = select(circle, half_circle, is_right) - 0.075 * radius;
    let knob = plot::disc(at, radius * select(direction, frame::per_frame_value(3u).xy, is_right), 0.15 * radius);

    // The band has the colour of the solution at the mark.
    var drawn = plot::over(below, color, plot::fill(band, 1.0));
    drawn = plot::over(drawn, palette::hex(MUTED), 0.6 * plot::stroke(band - 0.02 * radius, 1.0, 1.0));
    drawn = plot::over(drawn, palette::hex(BORDER), plot::fill(knob - 0.06 * radius, 1.0));
    drawn = plot::over(drawn, palette::hex(INK), plot::fill(knob, 1.0));
    drawn = plot::over(drawn, color, plot::fill(knob + 0.06 * radius, 1.0));
    return select(below, drawn, has_gauges(px));
}

// ---------------------------------------------------------------------------
// Text

// First lines of text at each gauge, after those at the colour scale, and first and last name in the
// field. Lines are placed once per frame, so pixels evaluate the nearest one.
const LEFT: u32 = 3u;
const RIGHT: u32 = 8u;
const RING: u32 = 13u;
const ARC: u32 = 17u;
/// Size of names and distance of their middles from the circles that they follow, in the gauges' radius.
const NAME: f32 = 0.175;
const OFF: f32 = 0.2;

/// Index of the line of text nearest to a pixel.
fn line_at(pixel: vec2f, p: vec2f, d: f32, px: f32) -> u32 {
    let column = pixel.x / scale_size();
    let is_right = p.x > 0.0;
    let at = (pixel - gauge_center(is_right, px)) / gauge_radius();
    var row = select(4u, 3u, is_right && at.y > -1.0);
    row = select(row, 2u, at.y > 0.0);
    row = select(row, 1u, max(abs(at.x) - 0.1, abs(at.y + 0.05)) < 0.45);
    row = select(row, 0u, at.y > 2.22) + select(LEFT, RIGHT, is_right);
    let band = 2.0 * OFF * gauge_radius() * px;
    let outside = select(3u, 4u, dot(p, frame::per_frame_value(0u).xy) > 0.0);
    let name = RING + select(select(u32(d < hole() + band), 2u, d > reach() - band), outside, d > reach());
    return select(u32(column > 5.2) + u32(column > 12.2), select(row, name, d < reach() + band), params.show == 0u);
}

/// A line of text; lengths are in the gauges' radius.
struct Line {
    letters: vec4u,
    columns: u32,
    size: f32,
    /// Height of the baseline over the gauge's centre, or radius of the line's middle in the field.
    height: f32,
    /// 0 for muted, 1 for bright, 2 for a target out of reach.
    ink: f32,
}

/// Values of line `index / 5`: its place, then four letters each, as the bits of floats. The place is
/// the start of the baseline in pixels (xy) and the size in pixels (z) or, of a name, the direction to
/// its start (xy) and the radius of its baseline in pixels (z), negative if it reads counterclockwise;
/// then the colour plus the opacity, negative for a name.
fn line_value(index: u32, limb: ik::Solution2, elbow: f32, px: f32) -> vec4f {
    let number = index / 5u;
    let unit = gauge_radius();
    let shoulder = atan2(limb.mid.y, limb.mid.x);
    let radii = vec3f(length(limb.end), hole(), reach()) / (px * unit);
    let missed = select(select(1u, 2u, radii.x > 0.5 * (radii.y + radii.z)), 0u, limb.reached);
    let line = line_of(number, degrees(vec2f(shoulder, elbow)), radii, missed);
    let width = f32(line.columns) * text::advance(line.size) - 0.2 * line.size;
    let corner = gauge_center(number >= RIGHT, px) + unit * vec2f(-0.5 * width, line.height);
    var place = vec4f(corner, unit * line.size, line.ink + select(0.0, 0.99, has_gauges(px)));
    if number < LEFT {
        place = vec4f(scale_size() * vec3f(2.2 + 5.85 * f32(number), 2.4, 1.0), line.ink + 0.99);
    } else if number >= RING {
        // Opposite to the limb, or beside the arc's end; reversed in the lower half, to be upright.
        let middle = shoulder + select(PI, side() * (0.5 * width + 2.2 * NAME) / line.height, number == ARC);
        let radius = line.height * sign(sin(middle)) - 0.5 * NAME;
        let start = middle + 0.5 * width / radius;
        // The ring's name gives way to those of the limits, and these to a narrow reach or hole.
        let by_ring = min(radii.x - radii.y - 3.0 * OFF, radii.z - radii.x - 1.6 * OFF);
        let by_limits = min(radii.z - radii.y - 4.0 * OFF, radii.y - select(-1.0, OFF, number == 14u));
        let room = select(select(1.0, by_limits, number < 16u), by_ring, number == RING);
        let opacity = clamp(room / NAME, 0.0, 1.0) * smoothstep(0.0, 0.1, abs(sin(middle)));
        place = vec4f(cos(start), sin(start), unit * radius, -line.ink - 0.99 * opacity);
    }
    return select(place, bitcast<vec4f>(vec4u(line.letters[max(index % 5u, 1u) - 1u])), index % 5u > 0u);
}

/// Line `number`, with the angles of the shoulder and the elbow in degrees, the radii of the ring, the
/// hole and the reach, and 1 for a target too near, 2 for one too far, 0 for others.
fn line_of(number: u32, angles: vec2f, radii: vec3f, missed: u32) -> Line {
    switch number {
        case 0u: { return Line(vec4u(0x30000000u, 0u, 0u, 0u), 1u, 1.0, 0.0, 1.0); } // "0"
        case 1u: { return Line(vec4u(0x756c7000u, 0u, 0u, 0u), 3u, 1.0, 0.0, 1.0); } // "ulp"
        case 2u: { return Line(vec4u(0x31653300u, 0u, 0u, 0u), 3u, 1.0, 0.0, 1.0); } // "1e3"
        case 3u: { return Line(vec4u(0x54776f2du, 0x626f6e65u, 0x20494b00u, 0u), 11u, 0.28, 2.4, 1.0); } // "Two-bone IK"
        case 5u: { return Line(vec4u(0x666f7220u, 0x65766572u, 0x79207461u, 0x72676574u), 16u, 0.2, 1.9, 0.0); } // "for every target"
        case 7u: { return Line(vec4u(0x6875653au, 0x2073686fu, 0x756c6465u, 0x72000000u), 13u, 0.2, -1.55, 1.0); } // "hue: shoulder"
        case 4u, 9u: {
            // Whole degrees, without zeros in front; the degree sign hangs.
            let whole = u32(round(select(angles.x + select(360.0, 0.0, angles.x > -0.5), angles.y, number == 9u)));
            let count = 1u + u32(whole > 9u) + u32(whole > 99u);
            let digits = 0x303030b0u + ((whole / 100u) << 24u) + ((whole / 10u % 10u) << 16u) + ((whole % 10u) << 8u);
            let height = -0.145 - select(0.0, 0.8 * HALF_DROP, number == 9u);
            return Line(vec4u(digits << (24u - 8u * count), 0u, 0u, 0u), count, 0.29, height, 1.0);
        }
        case 8u: {
            var letters = vec4u(0x496e2072u, 0x65616368u, 0u, 0u); // "In reach"
            letters = select(letters, vec4u(0x546f6f20u, 0x6e656172u, 0u, 0u), missed == 1u); // "Too near"
            letters = select(letters, vec4u(0x546f6f20u, 0x66617200u, 0u, 0u), missed == 2u); // "Too far"
            return Line(letters, 8u - missed / 2u, 0.28, 2.4, select(1.0, 2.0, missed > 0u));
        }
        case 10u: {
            var letters = vec4u(0x656c626fu, 0x77206265u, 0x6e740000u, 0u); // "elbow bent"
            let form = select(select(0u, 2u, angles.y > 179.5), 1u, angles.y < 0.5);
            letters = select(letters, vec4u(0x656c626fu, 0x7720666fu, 0x6c646564u, 0u), form == 1u); // "elbow folded"
            letters = select(letters, vec4u(0x656c626fu, 0x77207374u, 0x72616967u, 0x68740000u), form == 2u); // "elbow straight"
            return Line(letters, 10u + 2u * form, 0.2, 1.9, 0.0);
        }
        case 11u: { return Line(vec4u(0x73747261u, 0x69676874u, 0x2020666fu, 0x6c646564u), 16u, 0.18, -0.4 - HALF_DROP, 0.0); } // "straight  folded"
        case 12u: { return Line(vec4u(0x6c696768u, 0x746e6573u, 0x733a2065u, 0x6c626f77u), 16u, 0.2, -1.55, 1.0); } // "lightness: elbow"
        case RING: { return Line(vec4u(0x73616d65u, 0x20656c62u, 0x6f770000u, 0u), 10u, NAME, radii.x - OFF, 1.0); } // "same elbow"
        case 14u: { return Line(vec4u(0x666f6c64u, 0x65640000u, 0u, 0u), 6u, NAME, radii.y + OFF, 1.0); } // "folded"
        case 15u: { return Line(vec4u(0x73747261u, 0x69676874u, 0u, 0u), 8u, NAME, radii.z - OFF, 1.0); } // "straight"
        case 16u: { return Line(vec4u(0x6f757420u, 0x6f662072u, 0x65616368u, 0u), 12u, NAME, radii.z + OFF, 0.0); } // "out of reach"
        default: { return Line(vec4u(0x73616d65u, 0x2073686fu, 0x756c6465u, 0x72000000u), 13u, NAME, radii.z + OFF, 1.0); } // "same shoulder"
    }
}

// ---------------------------------------------------------------------------
// Error

/// Decades of the colour scale, which ends at 10^DECADES ulp.
const DECADES: f32 = 3.0;

/// Size in pixels of the text at the colour scale.
fn scale_size() -> f32 {
    return 0.237 * gauge_radius();
}

/// Colour of a target by the difference between the two forms, at distance `edge` from the ring of
/// reachable targets, and the colour scale in the lower left corner; `pixel` is in pixels.
fn error_field(difference: f32, edge: f32, pixel: vec2f, px: f32) -> vec3f {
    let size = scale_size();
    let bar = vec2f(14.0 * size, 0.9 * size);
    let at = pixel - vec2f(2.2, 4.2) * size;
    let box = abs(at - 0.5 * bar) - 0.5 * bar;
    let d = max(box.x, box.y);
    // Unit in the last place: from the limb's length to the next larger number.
    let ulp = bitcast<f32>(bitcast<u32>(reach()) & 0x7f800000u) * 0x1p-23;
    let decades = log2(1.0 + difference / ulp) / 3.3219281;
    let heat = palette::heat(select(decades / DECADES, at.x / bar.x, d < 0.5));
    var color = mix(0.35 * heat, heat, plot::fill(edge, px));
    let plate = max(box.x, abs(at.y + 0.5 * size) - 1.4 * size) - 0.9 * size;
    color = plot::over(color, palette::hex(BORDER), plot::fill(plate, 1.0));
    color = plot::over(color, heat, plot::fill(d, 1.0));
    return plot::over(color, palette::hex(INK), plot::stroke(d, max(0.05 * size, 1.0), 1.0));
}
