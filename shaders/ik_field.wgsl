// Solutions of a two-bone limb over the plane of targets: every pixel is a target.
//
// `bend` colours each target by its solution: the hue is the direction of the mid joint seen from
// the start, the lightness the opening of the elbow. Rings connect targets of equal elbow angle, arcs
// those of equal mid joint, every 15°. The end of the limb is where a bright ring crosses a bright arc,
// each in the tint of its bone and with its name. Gauges at the sides are the legend.
//
// `error` shows the difference between the article's fast form and the factored form: the distance
// of their mid joints in units of the last place (ulp) of the limb's length. It is large near the
// start and along both boundaries, where terms cancel; `zoom` magnifies the region around the start.
//
// Points are relative to the start joint, at the centre, y up, in the unit of the bones' lengths.

#import tarsus::{frame, ik, palette, plot, pointer, shading, text}
#define PER_FRAME_VALUES 524

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
/// Half the first bone's width in the gauges' radius.
const BONE: f32 = 0.122;
// Colours of the canvas, lines, captions, a target out of reach, the two bones and their angles.
const BORDER: u32 = 0x05080fu;
const INK: u32 = 0xf4f1e8u;
const MUTED: u32 = 0xbccaeau;
const MISSED: u32 = 0xff5fa8u;
const FIRST: u32 = 0x3fa2ffu;
const SECOND: u32 = 0xff7a45u;
const SHOULDER: u32 = 0xb9e2ffu;
const ELBOW: u32 = 0xffd2b0u;

/// Size of a pixel in the field.
fn pixel_size() -> f32 {
    let short = min(frame::frame.resolution.x, frame::frame.resolution.y);
    return 2.0 * VIEW * reach() * exp2(-3.3219281 * params.zoom) / short;
}

/// Per-frame values: 0 is the solution of the limb (mid and end joint), 1 the target (xy), its distance from
/// the end of the limb, up to 1 (z), and the size of a pixel in the field (w), 2 the solution's colour and the
/// opacity of the bright ring, 3 the cosine and sine of the elbow's angle. Lines of text and strokes follow.
fn per_frame(index: u32) -> vec4f {
    if index >= STROKES {
        return text::table_value(index - STROKES);
    }
    let px = pixel_size();
    let target_point = target_of_limb(px);
    var limb = ik::solve2_clamp(target_point, params.r1, params.r2, side());
    // A target on the boundary is not missed by a rounding error.
    limb.reached = distance(target_point, limb.end) < 0.5 * px;
    let d = length(limb.end);
    let elbow = elbow_angle(d);
    // The ring gives way to the lines at the limits.
    let ring = clamp(min(d - hole(), reach() - d) / (0.05 * reach()) - 0.3, 0.0, 1.0);
    switch index {
        case 0u: { return vec4f(limb.mid, limb.end); }
        case 1u: { return vec4f(target_point, min(0.5 * distance(target_point, limb.end) / (BONE * gauge_radius() * px), 1.0), px); }
        case 2u: { return vec4f(solution_color(limb.mid / params.r1, elbow / PI), ring); }
        case 3u: { return vec4f(cos(elbow), sin(elbow), 0.0, 0.0); }
        default: { return line_value(index - LINES, limb, elbow, px); }
    }
}

const LINES: u32 = 4u;
const STROKES: u32 = 89u;

fn main_image(frag_coord: vec2f) -> vec4f {
    let px = frame::per_frame_value(1u).w;
    let p = (frag_coord - 0.5 * frame::frame.resolution) * px;
    let d = length(p);
    let solved = solve_in_pixel(p, d, px);
    let edge = max(hole() - d, d - reach());
    let joints = frame::per_frame_value(0u);
    var color = vec3f(0.0);
    if params.show == 0u {
        let limb = ik::Solution2(joints.xy, joints.zw, true);
        color = bones(bend_field(p, d, edge, solved.xy, limb, px), p, limb, px);
        color = gauges(color, frag_coord, limb, px);
    } else {
        color = error_field(solved.z, edge, frag_coord, px);
    }
    let line = LINES + 5u * line_at(frag_coord, p, d, px);
    let place = frame::per_frame_value(line);
    let arm = p - select(vec2f(0.0), joints.xy, line == LINES + 5u * ARC);
    let along = place.z * atan2(determinant(mat2x2f(arm, place.xy)), dot(arm, place.xy));
    let around = vec2f(along, sign(place.z) * length(arm) / px - place.z);
    let is_around = place.w < 0.0;
    let size = select(place.z, NAME * gauge_radius(), is_around);
    let cell = text::cell_at(select(frag_coord - place.xy, around, is_around), size, 16u);
    let letters = frame::per_frame_value(line + 1u + cell.column / 4u);
    let code = (bitcast<u32>(letters.x) >> (24u - 8u * (cell.column % 4u))) & 255u;
    // No line has subscripts, so characters are glyphs.
    let glyph = text::Glyph(select(32u, code, cell.inside), cell.at, size / text::CAPITAL);
    let from_strokes = text::distance_by_table(glyph, STROKES);
    // A soft shade around bright letters.
    color *= 1.0 - abs(place.w) * letters.y * clamp(0.9 - 0.3 * from_strokes / glyph.step, 0.0, 0.7);
    color = plot::over(color, letters.yzw, abs(place.w) * plot::stroke(from_strokes, max(text::weight(size), 1.05), 1.0));
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

/// Mid joint for the target p at distance `d` from the start, clamped to the region within reach (xy), and the
/// largest distance between the two forms' mid joints (z): of nine targets, since roundings may cancel.
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
fn target_of_limb(px: f32) -> vec2f {
    let middle = 0.5 * frame::frame.resolution;
    let path = pointer::idle_target(frame::time() / LOOP_SECONDS - 0.02, hole(), reach());
    // Deeper in the hole than the path, visibly off the end of the limb.
    let idle = path * clamp(1.5 * length(path) / max(hole(), 1e-6) - 0.5, 0.1, 1.0);
    return (pointer::target_in_pixels(middle + idle / px) - middle) * px;
}

/// Colour of a solution: `hue` is the direction of its mid joint, `open` the elbow angle as a
/// fraction of 180°. The chroma follows the gamut: less in the dark, and for green and blue.
fn solution_color(hue: vec2f, open: f32) -> vec3f {
    let lightness = mix(0.27, 0.88, open);
    let chroma = lightness * (1.0 - 0.6 * open * open) * (0.33 + 0.05 * dot(hue, vec2f(0.77, -0.64)));
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
    let pen = px * max(1.0, 0.012 * gauge_radius());
    let near = reach() / (reach() + 9.0 * abs(edge));
    let hatch = max(abs(fract((p.x + p.y) / (12.0 * pen)) - 0.5) - 0.37, 0.0);
    let light = select(0.15 + 4.0 * hatch, 0.35, d > hole()) * near * near;
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
    let arc = select(1e3, abs(distance(p, chosen.mid) - params.r2), side() * determinant(mat2x2f(p, chosen.mid)) > 0.0);
    let ring = abs(d - length(chosen.end));
    let visible = frame::per_frame_value(2u).w;
    let nearest = min(arc / pen, ring / pen + 8.0 - 8.0 * visible);
    // Other lines fade before they touch these, and a dark casing sets these off from the field.
    let nearness = distance(p, chosen.end) / reach();
    let lit = mix(0.25, 1.2, 1.0 / (1.0 + 40.0 * nearness * nearness));
    let grid = lit * max(arcs, rings) * clamp(nearest / 7.0 - 0.4, 0.0, 1.0);
    var lined = color * (1.0 + grid) * clamp(0.1 + 0.2 * nearest, 0.3, 1.0);
    lined = plot::over(lined, palette::hex(ELBOW), visible * plot::stroke(ring, 1.7 * pen, px));
    lined = plot::over(lined, palette::hex(SHOULDER), plot::stroke(arc, 2.0 * pen, px));
    // The line at the boundary hides its pixels, so the field needs no coverage there.
    return plot::over(select(color, lined, is_inside), palette::hex(INK), plot::stroke(edge, 2.6 * pen, px));
}

/// Angle between the bones of a limb whose end is at distance `d` from its start.
fn elbow_angle(d: f32) -> f32 {
    let cosine = (params.r1 * params.r1 + params.r2 * params.r2 - d * d) / (2.0 * params.r1 * params.r2);
    return acos(clamp(cosine, -1.0, 1.0));
}

/// Draws over `below` the target and the limb: bones with coloured cores, and its joints.
fn bones(below: vec3f, p: vec2f, limb: ik::Solution2, px: f32) -> vec3f {
    let width = BONE * gauge_radius() * px;
    // The forearm is narrow, so that a folded limb shows both bones, and ends at the rim of the hand.
    let wrist = mix(limb.end, limb.mid, min(0.9 * width / params.r2, 1.0));
    let upper = plot::segment(p, vec2f(0.0), limb.mid) - 0.95 * width;
    let lower = plot::segment(p, limb.mid, wrist) - 0.38 * width;
    let from_joints = vec3f(length(p), distance(p, limb.mid), distance(p, limb.end));
    let disc = min(from_joints.x, from_joints.y);
    // The hand is hollow, so that it never hides the target.
    let joint = min(disc - 1.2 * width, abs(from_joints.z - 0.95 * width) - 0.25 * width);
    let core = select(palette::hex(BORDER), frame::per_frame_value(2u).xyz, from_joints.y <= disc);
    let goal = frame::per_frame_value(1u).xyz;
    let from_goal = distance(p, goal.xy);
    // Off the hand, the reticle is small, so that both are seen.
    let size = (1.9 - 0.85 * goal.z) * width;
    let ticks = max(plot::cross_mark(p, goal.xy, size + 0.75 * width), size - from_goal);
    let marks = min(min(abs(from_goal - size), ticks) - 0.15 * width, from_goal + (0.3 - 0.6 * goal.z) * width);
    let link = goal.z * plot::dashed(p, limb.end, goal.xy, 0.3 * width, 0.8 * width, px);
    var color = plot::over(below, palette::hex(BORDER), clamp(0.75 - min(upper, lower) / width, 0.0, 0.75));
    color = plot::over(color, palette::hex(INK), plot::fill(upper, px));
    color = plot::over(color, palette::hex(FIRST), plot::fill(upper + 0.25 * width, px));
    color = plot::over(color, palette::hex(BORDER), plot::fill(lower - 0.12 * width, px));
    color = plot::over(color, palette::hex(SECOND), plot::fill(lower, px));
    color = plot::over(color, palette::hex(BORDER), plot::fill(joint - 0.25 * width, px));
    color = plot::over(color, palette::hex(INK), plot::fill(joint, px));
    color = plot::over(color, core, plot::fill(disc - 0.7 * width, px));
    color = plot::over(color, palette::hex(BORDER), clamp(0.7 - 3.5 * marks / width, 0.0, 0.7));
    return plot::over(color, mix(palette::hex(INK), palette::hex(MISSED), goal.z), max(plot::fill(marks, px), link));
}

// ---------------------------------------------------------------------------
// Gauges

/// Radius of the gauges in pixels.
fn gauge_radius() -> f32 {
    return 0.135 * min(frame::frame.resolution.x, frame::frame.resolution.y);
}

/// Centre of a gauge in pixels, beyond the picture if there is no room beside the field.
fn gauge_center(is_right: bool, px: f32) -> vec2f {
    let all = frame::frame.resolution;
    let middle = 0.25 * all.x - 0.5 * reach() / px;
    let from_side = select(-all.x, middle, middle > 1.625 * gauge_radius());
    return vec2f(select(from_side, all.x - from_side, is_right), 0.5 * all.y - 0.55 * gauge_radius());
}

/// Size of the half circle, and its distance below the centre of its gauge, in the gauge's radius.
const HALF_SIZE: f32 = 1.2;
const HALF_DROP: f32 = 0.4;

/// Draws over `below` the gauges at the sides; `pixel` is in pixels.
fn gauges(below: vec3f, pixel: vec2f, solution: ik::Solution2, px: f32) -> vec3f {
    let is_right = pixel.x > 0.5 * frame::frame.resolution.x;
    let unit = gauge_radius();
    let radius = unit * select(1.0, HALF_SIZE, is_right);
    let at = pixel - gauge_center(is_right, px) + vec2f(0.0, unit * select(0.0, HALF_DROP, is_right));
    let direction = plot::direction(solution.mid);
    // The left gauge is a circle, the right one half a circle: 0° is to the right.
    let here = plot::direction(at);
    let open = select(0.75, acos(clamp(here.x, -1.0, 1.0)) / PI, is_right);
    let color = solution_color(select(here, direction, is_right), open);
    let circle = abs(length(at) - radius);
    let half_circle = select(length(vec2f(abs(at.x) - radius, at.y)), circle, at.y > 0.0);
    let band = select(circle, half_circle, is_right) - 0.08 * unit;
    let knob = plot::disc(at, radius * select(direction, frame::per_frame_value(3u).xy, is_right), 0.16 * unit);
    // The band has the colour of the solution at the mark.
    var drawn = plot::over(below, color, plot::fill(band, 1.0));
    drawn = plot::over(drawn, palette::hex(MUTED), 0.6 * plot::stroke(band - 0.02 * unit, 1.0, 1.0));
    drawn = plot::over(drawn, palette::hex(BORDER), plot::fill(knob - 0.06 * unit, 1.0));
    drawn = plot::over(drawn, palette::hex(INK), plot::fill(knob, 1.0));
    return plot::over(drawn, color, plot::fill(knob + 0.06 * unit, 1.0));
}

// ---------------------------------------------------------------------------
// Text

// First lines of text at each gauge, after those at the colour scale, and names in the field. Lines are
// placed once per frame, so pixels evaluate the nearest one.
const LEFT: u32 = 3u;
const RIGHT: u32 = 7u;
const RING: u32 = 13u;
const RIM: u32 = 15u;
const ARC: u32 = 16u;
const BEYOND: u32 = 17u;
/// Size of names and distance of their middles from the circles that they follow, in the gauges' radius.
const NAME: f32 = 0.165;
const OFF: f32 = 0.19;

/// Index of the line of text nearest to a pixel.
fn line_at(pixel: vec2f, p: vec2f, d: f32, px: f32) -> u32 {
    let is_right = p.x > 0.0;
    let at = (pixel - gauge_center(is_right, px)) / gauge_radius();
    var row = select(3u, select(4u, 5u, at.x > 0.0), is_right && at.y > -1.0);
    row = select(row, 2u, at.y > 0.0);
    row = select(row, 1u, max(abs(at.x) - 0.27, abs(at.y)) < 0.33);
    row = select(row, 0u, at.y > 2.22) + select(LEFT, RIGHT, is_right);
    let band = 1.8 * OFF * gauge_radius() * px;
    let opposite = RING + select(u32(d < hole() + band), 2u, d > reach() - band);
    let name = select(opposite, ARC, dot(p, frame::per_frame_value(0u).xy) > 0.0);
    let mark = clamp(pixel.x / (7.0 * SCALE * gauge_radius()) + 0.26, 0.0, 2.0);
    return select(u32(mark), select(row, name, d < reach() + band), params.show == 0u);
}

/// A line of text; lengths are in the gauges' radius.
struct Line {
    letters: vec4u,
    columns: f32,
    size: f32,
    /// Height of the baseline over the gauge's centre, or radius of the line's middle in the field.
    height: f32,
    ink: u32,
}

/// Values of line `index / 5`: its place, then four letters each, as the bits of a float (x), and the colour.
/// The place is the start of the baseline (xy) and the size (z) in pixels and 1 or, of a name, the direction to
/// its start, the radius of its baseline, negative if it reads counterclockwise, and the negated opacity.
fn line_value(index: u32, limb: ik::Solution2, elbow: f32, px: f32) -> vec4f {
    let number = index / 5u;
    let unit = gauge_radius();
    let shoulder = atan2(limb.mid.y, limb.mid.x);
    let radii = vec3f(length(limb.end), hole(), reach()) / (px * unit);
    let missed = select(select(1u, 2u, radii.x > 0.5 * (radii.y + radii.z)), 0u, limb.reached);
    let line = line_of(select(number, BEYOND, number == RIM && missed == 2u), degrees(vec2f(shoulder, elbow)), radii, missed);
    let width = line.columns * text::advance(line.size) - 0.2 * line.size;
    let end = select(0.0, select(-1.06, 1.06, number == 12u), number > 10u);
    let corner = gauge_center(number >= RIGHT, px) + unit * vec2f(end - 0.5 * width, line.height);
    var place = vec4f(corner, unit * line.size, 1.0);
    if number < LEFT {
        place = vec4f(SCALE * unit * vec3f(2.2 + 5.85 * f32(number), 2.4, 1.0), 1.0);
    } else if number >= RING {
        let by_arc = arc_name(params.r1 / (px * unit), params.r2 / (px * unit), elbow, width);
        // Opposite to the limb, or along the arc; reversed in the lower half, to be upright.
        let middle = shoulder + select(PI, -side() * by_arc.x, number == ARC);
        let radius = select(line.height, by_arc.y, number == ARC) * sign(sin(middle)) - 0.5 * NAME;
        let start = middle + 0.5 * width / radius;
        // Close to the rim, the ring's name replaces the rim's until the ring fades.
        let gap = radii.z - radii.x;
        let by_line = vec3f(min(radii.x - radii.y - 3.3 * OFF, gap - 0.6 * OFF), radii.y - OFF, abs(gap - OFF) - 0.6 * OFF);
        let room = min(select(by_line[min(number - RING, 2u)], by_arc.z, number == ARC), radii.z - radii.y - 4.0 * OFF);
        let opacity = clamp(room / (0.4 * OFF), 0.0, 1.0) * smoothstep(0.0, 0.05, abs(sin(middle)));
        place = vec4f(cos(start), sin(start), unit * radius, -opacity);
    }
    let letters = bitcast<f32>(line.letters[max(index % 5u, 1u) - 1u]);
    return select(place, vec4f(letters, palette::hex(line.ink)), index % 5u > 0u);
}

/// Middle of the arc's name around the mid joint: angle from the first bone's direction (x) and radius (y),
/// and the room for it (z): outside between hand and hole, or inside between rim and hand.
fn arc_name(r1: f32, r2: f32, elbow: f32, width: f32) -> vec3f {
    let radius = vec2f(r2 + OFF, max(r2 - OFF, 0.1));
    let hand = vec2f(1.0, -1.0) * 0.38 / r2 + PI - elbow;
    // Angles at which the outer side of the name meets the rim and the hole.
    let top = radius.x + 0.6 * NAME;
    let ends = vec2f(r1 + r2, r1 - r2);
    let meets = acos(clamp((ends * ends - r1 * r1 - top * top) / (2.0 * r1 * top), vec2f(-1.0), vec2f(1.0)));
    // The other names are on the far side of the start.
    let last = min(vec2f(meets.y, hand.y), acos(-min(r1 / radius, vec2f(1.0))));
    let first = vec2f(max(hand.x, meets.x), -0.35);
    let room = last - first - width / radius;
    let chosen = select(0u, 1u, room.y > room.x);
    return vec3f(0.5 * (first + last)[chosen], radius[chosen], min(0.1 + room[chosen], abs(room.x - room.y)));
}

/// Line `number` for angles in degrees, radii of ring, hole and reach, and a target too near (1) or far (2).
fn line_of(number: u32, angles: vec2f, radii: vec3f, missed: u32) -> Line {
    switch number {
        case 0u: { return Line(vec4u(0x30000000u, 0u, 0u, 0u), 1.0, 1.0, 0.0, INK); } // "0"
        case 1u: { return Line(vec4u(0x756c7000u, 0u, 0u, 0u), 3.0, 1.0, 0.0, INK); } // "ulp"
        case 2u: { return Line(vec4u(0x31653300u, 0u, 0u, 0u), 3.0, 1.0, 0.0, INK); } // "1e3"
        case 3u: { return Line(vec4u(0x54776f2du, 0x626f6e65u, 0x20494b00u, 0u), 11.0, 0.28, 2.4, INK); } // "Two-bone IK"
        case 4u, 8u: {
            // Whole degrees, without zeros in front.
            let is_elbow = number == 8u;
            let whole = u32(round(select(angles.x + select(360.0, 0.0, angles.x > -0.5), angles.y, is_elbow)));
            let count = 1u + u32(whole > 9u) + u32(whole > 99u);
            let digits = 0x303030b0u + ((whole / 100u) << 24u) + ((whole / 10u % 10u) << 16u) + ((whole % 10u) << 8u);
            let letters = vec4u(digits << (24u - 8u * count), 0u, 0u, 0u);
            return Line(letters, f32(count) + 0.9, 0.29, -0.145, select(SHOULDER, ELBOW, is_elbow));
        }
        case 5u: { return Line(vec4u(0x666f7220u, 0x65766572u, 0x79207461u, 0x72676574u), 16.0, 0.2, 1.9, MUTED); } // "for every target"
        case 6u: { return Line(vec4u(0x6875653au, 0x2073686fu, 0x756c6465u, 0x72000000u), 13.0, 0.2, -1.55, INK); } // "hue: shoulder"
        case 7u: { // "In reach", "Too near" or "Too far"
            var states = array(vec2u(0x496e2072u, 0x65616368u), vec2u(0x546f6f20u, 0x6e656172u), vec2u(0x546f6f20u, 0x66617200u));
            return Line(vec4u(states[missed], 0u, 0u), f32(8u - missed / 2u), 0.28, 2.4, select(INK, MISSED, missed > 0u));
        }
        case 9u: { return Line(vec4u(0x666f7220u, 0x74686973u, 0x206c696du, 0x62000000u), 13.0, 0.2, 1.9, MUTED); } // "for this limb"
        case 10u: { return Line(vec4u(0x6c696768u, 0x746e6573u, 0x733a2065u, 0x6c626f77u), 16.0, 0.2, -1.55, INK); } // "lightness: elbow"
        case 11u: { return Line(vec4u(0x73747261u, 0x69676874u, 0u, 0u), 8.0, 0.17, -0.43 - HALF_DROP, MUTED); } // "straight"
        case 12u: { return Line(vec4u(0x666f6c64u, 0x65640000u, 0u, 0u), 6.0, 0.17, -0.43 - HALF_DROP, MUTED); } // "folded"
        case RING: { return Line(vec4u(0x73616d65u, 0x20656c62u, 0x6f770000u, 0u), 10.0, NAME, radii.x - OFF, ELBOW); } // "same elbow"
        case 14u: { return Line(vec4u(0x666f6c64u, 0x65640000u, 0u, 0u), 6.0, NAME, radii.y + OFF, INK); } // "folded"
        case RIM: { return Line(vec4u(0x73747261u, 0x69676874u, 0u, 0u), 8.0, NAME, radii.z - OFF, INK); } // "straight"
        case BEYOND: { return Line(vec4u(0x6f757420u, 0x6f662072u, 0x65616368u, 0u), 12.0, NAME, radii.z + OFF, MISSED); } // "out of reach"
        default: { return Line(vec4u(0x73616d65u, 0x2073686fu, 0x756c6465u, 0x72000000u), 13.0, NAME, 0.0, SHOULDER); } // "same shoulder"
    }
}

// ---------------------------------------------------------------------------
// Error

/// Decades of the colour scale, which ends at 10^DECADES ulp, and size of its text in the gauges' radius.
const DECADES: f32 = 3.0;
const SCALE: f32 = 0.237;

/// Colour of a target by the difference between the two forms, and the colour scale in the lower left corner.
fn error_field(difference: f32, edge: f32, pixel: vec2f, px: f32) -> vec3f {
    let size = SCALE * gauge_radius();
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
