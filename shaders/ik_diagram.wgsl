// Construction of two-bone inverse kinematics: the mid joint x of a limb that starts at
// the origin and ends at p, where p follows the pointer inside the figure.
//
// x is on a circle of radius r1 around the start and on a circle of radius r2 around p.
// The common chord of the circles is perpendicular to the line start–p and crosses it at
// q; its ends are the two solutions, one per bend. Out of reach the circles do not meet: the
// line through q passes both (it is their radical axis), s is negative, and x is what the
// policy makes of it.
//
// Points are relative to the start joint, y up, in the unit of the bones' lengths, unless
// they are in pixels.

#import tarsus::{frame, ik, palette, plot, pointer, text}
#define PER_FRAME_VALUES 985

struct Params {
    /// First bone, r1 [0.05, 1] = 0.8
    r1: f32,
    /// Second bone, r2 [0.05, 1] = 0.55
    r2: f32,
    /// Bend {left, right} = left
    bend: u32,
    /// Out of reach {meet, clamp, fail} = clamp
    policy: u32,
    /// Formula {factored, article_fast, article_first} = factored
    transcription: u32,
    /// Theme {dark, light} = dark
    theme: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

/// Period of the path of p without input, in seconds.
const LOOP_SECONDS: f32 = 12.0;

const MEET: u32 = 0u;
const CLAMP: u32 = 1u;
const FAIL: u32 = 2u;

// ---------------------------------------------------------------------------
// The page

/// Half the height of the figure, in units of length, for bones like the default ones.
const FIGURE: f32 = 1.62;

/// Lengths in the formula and the readouts, in units of the readouts' capitals: the width of
/// both, the margin around them, the distances between lines and the size of the formula.
const BLOCK: f32 = 20.8;
const MARGIN: f32 = 2.3;
const LEADING: f32 = 1.85;
const PITCH: f32 = 5.4;
const FORMULA_SIZE: f32 = 1.5;
const LINES: f32 = 6.0;

/// Layout in pixels: the figure to the left of the text, or above it on a narrow page.
struct Page {
    /// Position of the start joint.
    start: vec2f,
    /// Pixels per unit of length.
    unit: f32,
    /// Left ends of the title, of the axis of the lowest formula and of the lowest readout.
    title: vec2f,
    formula: vec2f,
    readouts: vec2f,
    /// Height of a capital in the readouts, and of a name in the figure.
    size: f32,
    name: f32,
    /// Right end of the figure on a wide page, its lower end on others.
    edge: f32,
    /// True if the text is to the right of the figure.
    is_wide: bool,
}

fn page() -> Page {
    let all = frame::frame.resolution;
    let is_wide = all.x > 1.25 * all.y;
    let size = select(min(all.x / 49.0, 0.018 * all.y), min(0.0235 * all.y, 0.0147 * all.x), is_wide);
    let margin = MARGIN * size;
    let block = BLOCK * size;
    let left = select(0.5 * all.x - block - 1.5 * size, all.x - block - margin, is_wide);
    let edge = select(4.0 * PITCH * size + 2.0 * margin, left - 2.0 * size, is_wide);
    let panel = select(vec2f(all.x, all.y - edge), vec2f(edge, all.y), is_wide);
    let start = vec2f(0.5 * panel.x, all.y - 0.5 * panel.y);
    let readouts = vec2f(select(left + block + 3.0 * size, left, is_wide), margin);
    let above = margin + (LINES - 1.0) * LEADING * size;
    let title = vec2f(readouts.x, select(edge, all.y, is_wide) - margin - 1.7 * size);
    let middle = select(0.5 * edge, 0.5 * (above + title.y - 2.4 * size), is_wide);
    let view = max(FIGURE, 1.15 * (params.r1 + params.r2));
    let name = 0.036 * min(min(panel.x, panel.y) * 1.15, all.y);
    return Page(
        start, 0.5 * min(panel.x, panel.y) / view, title, vec2f(left, middle - 1.5 * PITCH * size), readouts,
        size, name, edge, is_wide,
    );
}

/// Colours in linear light.
struct Inks {
    /// The canvas in its middle and far from it.
    paper: vec3f,
    border: vec3f,
    muted: vec3f,
    ink: vec3f,
    first: vec3f,
    second: vec3f,
    mid: vec3f,
    missed: vec3f,
    /// 1 if the circles add light, 0 if they filter it like glazes.
    light: f32,
    /// Weight of their insides.
    tint: f32,
}

fn inks() -> Inks {
    if params.theme == 1u {
        return Inks(
            palette::hex(0xfffdf9u), palette::hex(0xdfe4ecu), palette::hex(0x74798au), palette::hex(0x1c2233u),
            palette::hex(0x2166dcu), palette::hex(0xe8533cu), palette::hex(0xc07a06u), palette::hex(0xb02a6eu), 0.0, 0.12,
        );
    }
    return Inks(
        palette::hex(0x101a30u), palette::hex(0x05080fu), palette::hex(0x8393b4u), palette::hex(0xf4f1e8u),
        palette::hex(0x3fa2ffu), palette::hex(0xff7a45u), palette::hex(0xffd26bu), palette::hex(0xff5fa8u), 1.0, 0.06,
    );
}

// ---------------------------------------------------------------------------
// The construction, relative to the start joint

struct Construction {
    /// The target.
    p: vec2f,
    /// Intersection of the circles' radical axis, which contains their common chord, with the
    /// line start–p.
    q: vec2f,
    /// The mid joint, and the other solution, its mirror image.
    x: vec2f,
    other: vec2f,
    /// The end joint.
    end: vec2f,
    /// True if rigid bones reach p.
    reached: bool,
    /// True if there is a solution to draw.
    solved: bool,
    /// Weight of the mark of the elbow's angle, 0 for a straight or folded limb, which has none;
    /// negative if the limb bends to the left.
    elbow: f32,
}

/// The construction for the target p with the chosen policy and formula.
fn construct(p: vec2f) -> Construction {
    let side = select(-1.0, 1.0, params.bend == 0u);
    var limb = ik::solve2_clamp(p, params.r1, params.r2, side);
    if params.policy == MEET {
        limb = ik::solve2_meet(p, params.r1, params.r2, side);
    }
    let solved = limb.reached || params.policy != FAIL;
    var x = limb.mid;
    if params.transcription == 1u && solved {
        x = bent(ik::solve_article_fast(limb.end, params.r1, params.r2), limb.end, side);
    } else if params.transcription == 2u && solved {
        x = bent(ik::solve_article_first(limb.end, params.r1, params.r2), limb.end, side);
    }
    let k = (params.r1 * params.r1 - params.r2 * params.r2) / square(p);
    let q = select(0.5 * (1.0 + k) * p, along(x, limb.end), limb.reached);
    let straightness = abs(dot(plot::direction(x), plot::direction(limb.end - x)));
    let elbow = sign(cross_product(x, limb.end)) * (1.0 - smoothstep(0.97, 0.999, straightness));
    return Construction(p, q, x, 2.0 * q - x, limb.end, limb.reached, solved, select(0.0, elbow, solved));
}

/// |p|², at least the square of the smallest length that counts.
fn square(p: vec2f) -> f32 {
    return max(dot(p, p), 1e-12);
}

/// Mirrors the article's solution, which bends left, at the line to `end` if `side` < 0.
fn bent(x: vec2f, end: vec2f, side: f32) -> vec2f {
    return select(2.0 * along(x, end) - x, x, side > 0.0);
}

/// x projected onto the line from the start joint to `end`.
fn along(x: vec2f, end: vec2f) -> vec2f {
    let line = plot::direction(end);
    return line * dot(x, line);
}

// ---------------------------------------------------------------------------
// Per-frame values

/// Order of the values: the construction, the positions of the names in the figure,
/// the characters, row by row, and the strokes of each glyph.
const NAMES: u32 = 3u;
const CHARACTERS: u32 = 6u;
const STROKES: u32 = 550u;

fn per_frame(index: u32) -> vec4f {
    if index >= STROKES {
        return text::table_value(index - STROKES);
    }
    let page = page();
    let hole = abs(params.r1 - params.r2);
    let idle = pointer::idle_target(frame::time() / LOOP_SECONDS, hole, params.r1 + params.r2);
    // Turned so that the path leaves the reach where the figure is longer.
    let longer = select(-1.0, 1.0, page.start.x > frame::frame.resolution.y - page.start.y);
    let turned = 0.866 * idle + 0.5 * longer * vec2f(-idle.y, idle.x);
    let pointed = pointer::target_in_pixels(page.start + page.unit * turned);
    let c = construct((in_figure(pointed, page) - page.start) / page.unit);
    if index >= CHARACTERS {
        let at = index - CHARACTERS;
        return character(at / ROW_LENGTH, at % ROW_LENGTH, c);
    } else if index >= NAMES {
        let name = 2u * (index - NAMES);
        return vec4f(name_at(name, c, page), name_at(name + 1u, c, page));
    } else if index == 0u {
        return vec4f(c.p, c.q);
    } else if index == 1u {
        return vec4f(c.x, c.end);
    }
    return vec4f(select(0.0, 1.0, c.reached), select(0.0, 1.0, c.solved), c.elbow, 0.0);
}

/// The pixel, moved back into the figure if it is on the text, with room for the target's name.
fn in_figure(pixel: vec2f, page: Page) -> vec2f {
    let room = 2.0 * page.name;
    return select(
        vec2f(pixel.x, max(pixel.y, page.edge + room)),
        vec2f(min(pixel.x, page.edge - room), pixel.y),
        page.is_wide);
}

/// The construction of this frame.
fn construction() -> Construction {
    let first = frame::per_frame_value(0u);
    let second = frame::per_frame_value(1u);
    let third = frame::per_frame_value(2u);
    return Construction(
        first.xy, first.zw, second.xy, 2.0 * first.zw - second.xy, second.zw,
        third.x > 0.5, third.y > 0.5, third.z);
}

// ---------------------------------------------------------------------------
// The figure

/// Line widths in units of length, at least about a pixel.
struct Pens {
    px: f32,
    hair: f32,
    line: f32,
    /// Radii of the bones: the second fits on the first, so that a folded limb shows both.
    bones: vec2f,
    joint: f32,
    /// Height of a capital.
    em: f32,
}

fn pens(page: Page) -> Pens {
    let px = 1.0 / page.unit;
    let em = page.name * px;
    return Pens(px, max(0.05 * em, 0.9 * px), max(0.1 * em, 1.2 * px), em * vec2f(0.44, 0.3), 0.52 * em, em);
}

fn figure(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let line = plot::direction(c.p);
    let from_line = vec2f(dot(point, line), dot(point, vec2f(-line.y, line.x)));
    var color = scale(below, point, from_line, pens, inks);
    color = circles(color, point, c, pens, inks);
    color = auxiliary_lines(color, point, from_line, c, pens, inks);
    color = bones(color, point, c, pens, inks);
    return joints(color, point, from_line, c, pens, inks);
}

/// The limits of the reach, the outer one with the scale of a protractor, bright near the
/// direction of the target.
fn scale(below: vec3f, point: vec2f, from_line: vec2f, pens: Pens, inks: Inks) -> vec3f {
    let reach = params.r1 + params.r2;
    // Ticks every 3°, longer every 15° and 45°, and rays every 15°: the same in each octant.
    let distance = length(point);
    let sides = abs(point);
    let slope = min(sides.x, sides.y) / max(max(sides.x, sides.y), 1e-9);
    let tick = round(arctangent(slope) * TICKS);
    let across = distance * abs(arctangent(slope) - tick / TICKS);
    let is_large = abs(tick - 7.5) > 7.0;
    let is_fifth = is_large || abs(tick - 7.5) == 2.5;
    let size = pens.em * select(select(0.3, 0.55, is_fifth), 0.9, is_large);
    let stroke = plot::stroke(across, pens.hair, pens.px);
    let from_reach = distance - reach;
    let ticks = stroke * plot::fill(abs(from_reach - 0.25 * pens.em - 0.5 * size) - 0.5 * size, pens.px);
    let ray = select(0.0, 0.1, is_fifth) * stroke * (1.0 - smoothstep(0.0, 1.0, abs(from_reach)));
    let rim = max(plot::stroke(from_reach, pens.hair, pens.px), 0.5 * plot::stroke(distance - abs(params.r1 - params.r2), pens.hair, pens.px));
    let aligned = distance / max(61.0 * distance - 60.0 * from_line.x, 1e-6);
    let color = plot::over(below, mix(inks.muted, inks.ink, aligned), mix(0.4, 1.0, aligned) * max(ticks, rim));
    return plot::over(color, inks.muted, ray);
}

/// Ticks of the scale per radian.
const TICKS: f32 = 120.0 / frame::TAU;

/// Arctangent of a slope from 0 to 1, with an error of 1e-5.
/// Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 4.4.47.
fn arctangent(slope: f32) -> f32 {
    let s = slope * slope;
    return slope * (0.999866 + s * (-0.3302995 + s * (0.180141 + s * (-0.085133 + s * 0.0208351))));
}

/// The circles on which x is, as discs of light with bright rims.
fn circles(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let first = plot::disc(point, vec2f(0.0), params.r1);
    let second = plot::disc(point, c.p, params.r2);
    let inside = vec2f(plot::fill(first, pens.px), plot::fill(second, pens.px));
    let near = 1.0 / (1.0 + abs(vec2f(first, second)) * (0.45 / pens.em));
    let glow = near * near * mix(vec2f(0.14), vec2f(0.22), inside) + inks.tint * inside;
    // Brightest, or darkest, where both discs overlap.
    let lens = inside.x * inside.y;
    let amounts = glow + vec2f(0.1, 0.14) * lens;
    let light = amounts.x * inks.first + amounts.y * inks.second;
    let glaze = max(1.0 - 1.2 * (amounts.x + amounts.y - light), vec3f(0.0));
    var color = below * mix(glaze, vec3f(1.0), inks.light) + light * inks.light;
    let to_x = select(1e3, distance(point, c.x), c.solved);
    let from_meeting = min(to_x, select(1e3, distance(point, c.other), c.reached));
    let arc = 1.0 - smoothstep(2.0 * pens.em, 8.0 * pens.em, from_meeting);
    let width = mix(0.7 * pens.hair, pens.line, arc);
    color = plot::over(color, inks.first, plot::stroke(first, width, pens.px));
    color = plot::over(color, inks.second, plot::stroke(second, width, pens.px));
    // The elbow's angle, between the bones.
    let from_x = point - c.x;
    let beside = c.elbow * vec2f(cross_product(from_x, c.x), cross_product(from_x, c.end - c.x));
    let mark = select(0.0, abs(c.elbow), max(beside.x, beside.y) < 0.0);
    return plot::over(color, inks.mid, mark * plot::stroke(length(from_x) - 1.5 * pens.em, pens.line, pens.px));
}

fn cross_product(a: vec2f, b: vec2f) -> f32 {
    return a.x * b.y - a.y * b.x;
}

/// The line start–p, extended to q; the circles' common chord, with a right angle at q, or their
/// radical axis if they do not meet.
fn auxiliary_lines(below: vec3f, point: vec2f, from_line: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let line = plot::direction(c.p);
    // Concentric circles have no radical axis.
    let exists = dot(c.p, c.p) > 1e-6;
    let at = select(0.0, dot(c.q, line), exists);
    let to_p = length(c.p);
    let middle = 0.5 * (min(at, 0.0) + max(at, to_p));
    let beyond = abs(from_line.x - middle) - (max(at, to_p) - middle);
    let span = plot::stroke(from_line.y, pens.hair, pens.px) * plot::fill(beyond, pens.px)
        * plot::dashes(from_line.x, 0.5 * pens.em, pens.px);
    let height = dot(c.x - c.q, vec2f(-line.y, line.x));
    let half = select(0.4, abs(height), c.reached);
    let across = plot::stroke(from_line.x - at, pens.hair, pens.px) * plot::fill(abs(from_line.y) - half, pens.px);
    // Between the directions to x and to p.
    let from_q = vec2f(select(-1.0, 1.0, height >= 0.0) * from_line.y, (from_line.x - at) * select(-1.0, 1.0, to_p >= at));
    let side = 0.4 * pens.em * min(1.0, 2.0 * abs(height));
    let corner = max(abs(max(from_q.x, from_q.y) - side), -min(from_q.x, from_q.y));
    let mark = select(0.0, plot::stroke(corner, pens.hair, pens.px), c.reached);
    return plot::over(below, mix(inks.muted, inks.ink, 0.4), max(span, max(select(0.0, across, exists), mark)));
}

/// The other solution, and the chosen one on top: rods with a narrow waist. A stretched or
/// compressed bone changes its width to keep its area roughly constant, and blends toward the
/// colour of a target out of reach.
fn bones(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let px = pens.px;
    let others = vec2f(plot::segment(point, vec2f(0.0), c.other), plot::segment(point, c.other, c.end));
    let other_ink = select(inks.second, inks.first, others.x < others.y);
    let is_possible = select(0.0, 1.0, c.reached);
    var color = plot::over(below, other_ink, 0.45 * is_possible * plot::stroke(min(others.x, others.y), 0.16 * pens.em, px));
    let from_other = distance(point, c.other);
    color = plot::over(color, inks.border, is_possible * plot::fill(from_other - 0.3 * pens.em, px));
    color = plot::over(color, inks.mid, 0.75 * is_possible * plot::stroke(from_other - 0.3 * pens.em, pens.line, px));
    let stretch = vec2f(length(c.x) / params.r1, distance(c.x, c.end) / params.r2);
    let width = pens.bones * clamp(inverseSqrt(max(stretch, vec2f(1e-6))), vec2f(0.35), vec2f(1.25));
    let strain = clamp(2.5 * abs(stretch - 1.0), vec2f(0.0), vec2f(0.75));
    let upper = rod(point, vec2f(0.0), c.x, width.x);
    let lower = rod(point, c.x, c.end, width.y);
    // The second bone is in front, with a shadow on the first.
    let is_lower = lower.d < px;
    let d = min(upper.d, lower.d);
    // 1 long at the surface.
    let from_axis = select(upper.from_axis, lower.from_axis, is_lower) * (1.0 / select(upper.radius, lower.radius, is_lower));
    let across = across_line(select(c.x, c.end - c.x, is_lower));
    let ink = select(mix(inks.first, inks.missed, strain.x), mix(inks.second, inks.missed, strain.y), is_lower);
    let from_highlight = abs(dot(from_axis, across) - 0.5 * dot(across, TO_LIGHT));
    let lit = mix(ink * (0.75 + 0.4 * dot(from_axis, TO_LIGHT)), vec3f(1.0), 0.45 * (1.0 - smoothstep(0.05, 0.4, from_highlight)));
    let shade = 0.6 * (1.0 - smoothstep(0.0, 0.3 * pens.em, select(lower.d, 1e3, is_lower)));
    let shadow = 0.6 * (1.0 - smoothstep(0.0, 0.3 * pens.em, d));
    let shown = select(0.0, 1.0, c.solved);
    return plot::over(plot::over(color, inks.border, shown * shadow), lit * (1.0 - shade), shown * plot::fill(d, px));
}

/// Direction to the light, up and to the left.
const TO_LIGHT: vec2f = vec2f(-0.5, 0.866);

struct Rod {
    d: f32,
    from_axis: vec2f,
    /// Radius at the nearest point of the axis.
    radius: f32,
}

fn rod(point: vec2f, a: vec2f, b: vec2f, radius: f32) -> Rod {
    let along = plot::along_segment(point, a, b);
    let from_axis = point - mix(a, b, along);
    let width = radius * (1.0 - 1.1 * along * (1.0 - along));
    return Rod(length(from_axis) - width, from_axis, width);
}

/// Unit vector perpendicular to a line.
fn across_line(line: vec2f) -> vec2f {
    return plot::direction(vec2f(-line.y, line.x));
}

fn joints(below: vec3f, point: vec2f, from_line: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let px = pens.px;
    let verdict = select(inks.missed, inks.ink, c.reached);
    let ring = 1.6 * pens.joint;
    let reticle = abs(plot::disc(point, c.p, ring));
    let ticks = max(plot::cross_mark(point, c.p, 2.4 * pens.joint), ring - distance(point, c.p));
    var color = plot::over(below, inks.ink, plot::fill(plot::disc(point, c.q, 0.3 * pens.joint), px));
    // The distance by which the limb misses the target.
    let end = dot(c.end, plot::direction(c.p));
    let half = 0.5 * (length(c.p) - end);
    let missed = select(1e3, max(abs(from_line.y), abs(from_line.x - end - half) - abs(half)), c.solved);
    color = plot::over(color, verdict, plot::stroke(min(missed, min(reticle, ticks)), pens.line, px));
    // The nearest joint: a metal ring around a core.
    let shown = select(1e3, 0.0, c.solved);
    var from_joint = point;
    var core = inks.first;
    if distance(point, c.x) + shown < length(from_joint) {
        from_joint = point - c.x;
        core = inks.mid;
    }
    if distance(point, c.end) + shown < length(from_joint) {
        from_joint = point - c.end;
        core = verdict;
    }
    let d = length(from_joint) - pens.joint;
    let metal = vec3f(0.75, 0.8, 0.9) * (0.67 + 0.33 * dot(from_joint, TO_LIGHT) / pens.joint);
    color = plot::over(color, inks.border, plot::fill(d - 0.14 * pens.em, px));
    color = plot::over(color, metal, plot::fill(d, px));
    color = plot::over(color, inks.border, plot::fill(d + 0.13 * pens.em, px));
    return plot::over(color, core, plot::fill(d + 0.2 * pens.em, px));
}

// ---------------------------------------------------------------------------
// Names in the figure

/// Position of a name in pixels: beside what it names, where the other strokes are not. It moves
/// quickly where they leave no other way, but does not jump. A hidden name is far away.
fn name_at(index: u32, c: Construction, page: Page) -> vec2f {
    let em = page.name / page.unit;
    let line = plot::direction(c.p);
    let left = vec2f(-line.y, line.x);
    // The side of the mid joint or, for a straight limb, the preferred one.
    let preferred = select(-1.0, 1.0, params.bend == 0u);
    let bend = select(-1.0, 1.0, dot(c.x - c.q, left) + 1e-4 * preferred >= 0.0);
    let out = bend * left;
    let p = length(c.p);
    let q = dot(c.q, line);
    let height = dot(c.x - c.q, out) / em;
    let is_apart = height > 2.2;
    let low = vec2f(0.8 * em) - page.start / page.unit;
    let high = (frame::frame.resolution - page.start) / page.unit - vec2f(0.8 * em);
    var point = c.p;
    var offset = vec2f();
    var is_shown = true;
    if index == 0u {
        // Beyond p, but before it if the bones come from beyond it or pass over it.
        let is_before = smoothstep(-0.5, 0.5, max(q, abs(params.r1 - params.r2)) / em - p / em);
        let angle = mix(0.35, -2.1, is_before);
        offset = 1.95 * (cos(angle) * line + sin(angle) * out);
    } else if index == 2u || index == 3u {
        // On the outer side of a bone's middle. The second moves off the circle around a target too
        // far away.
        let is_lower = index == 3u;
        let across = bend * across_line(select(c.x, c.end - c.x, is_lower));
        point = 0.5 * select(c.x, c.x + c.end, is_lower);
        let off = plot::disc(point, c.p, params.r2) / em;
        point += select(0.0, em * max(off + 0.9, 0.0) * (1.0 - smoothstep(0.2, 0.8, off)), is_lower) * line;
        offset = across * (select(0.7, 0.55, is_lower) + dot(abs(across), vec2f(0.6, 0.4)));
        is_shown = c.solved && select(params.r1, params.r2, is_lower) > 2.0 * em;
    } else if index == 4u {
        // On the side of q that is away from p, off the circle that bounds the lens there, and on
        // the other side of the line than the name of p.
        point = c.q;
        let is_beyond = q > p;
        let rim = select(params.r2 - p + q, params.r1 - q, is_beyond) / em;
        var along = max(1.1, mix(rim + 0.6, 1.1, smoothstep(1.1, 1.5, rim)));
        // Beyond q if x is before it.
        along *= select(1.0 - 2.0 * smoothstep(0.2, 0.6, (q - dot(c.x, line)) / em), 1.0, is_beyond);
        offset = select(-along * line - out, along * line + select(-0.7, 0.0, c.reached) * out, is_beyond);
        // Not if a joint hides q.
        is_shown = abs(p - q) > 0.52 * em && max(p, abs(q)) > 1.5 * em && (is_apart || !c.reached);
    } else {
        // Outside both circles or, if these leave no room, beside the first bone.
        let is_other = index == 5u;
        point = select(c.x, c.other, is_other);
        let to_start = plot::direction(-point);
        let to_end = plot::direction(c.end - point);
        let beside = 0.7 * (to_start + select(bend, -bend, is_other) * across_line(point));
        let is_beside = max(smoothstep(0.05, 0.4, -dot(to_start, to_end)), 1.0 - smoothstep(1.0, 2.5, height));
        let away = plot::direction(mix(-plot::direction(to_start + to_end), beside, is_beside));
        offset = (1.4 + select(0.0, 0.25, is_other) * abs(away.x)) * away;
        is_shown = select(c.solved, c.reached && is_apart, is_other);
    }
    is_shown = is_shown && all(clamp(point, low, high) == point) || index == 0u;
    // At the edge of the picture, a name moves along it, around its point.
    let at = point + em * offset;
    let inside = clamp(at, low, high);
    let from_point = (inside - point) / em;
    let slid = sqrt(max(dot(offset, offset) - from_point.yx * from_point.yx, vec2f(0.0)));
    let around = point + em * sign(from_point) * slid;
    let shown = page.start + page.unit * select(inside, around, (inside != at).yx);
    return select(vec2f(-1e6), shown, is_shown);
}

// ---------------------------------------------------------------------------
// Text

/// Rows of characters: the title, the subtitle, the formulas and their values from the lowest up,
/// the readouts, the highest of which are the lengths of the bones, and the names in the figure.
const TITLE: u32 = 0u;
const SUBTITLE: u32 = 1u;
const FORMULA: u32 = 2u;
const VALUES: u32 = 6u;
const READOUTS: u32 = 10u;
const BONES: u32 = 15u;
const NAMES_IN_FIGURE: u32 = 16u;
/// Characters of a row: two fields of sixteen.
const ROW_LENGTH: u32 = 32u;

/// A line of text.
struct Line {
    /// Index of its first character.
    first: u32,
    columns: u32,
    /// Left end of the baseline, in pixels.
    corner: vec2f,
    /// Height of a capital in pixels.
    size: f32,
    /// Signed distance to the bar of a fraction, in pixels.
    bar: f32,
}

/// The line of text at a pixel.
fn line_at(pixel: vec2f, page: Page, is_reached: bool) -> Line {
    let size = page.size;
    let leading = LEADING * size;
    let from_readouts = pixel - page.readouts + vec2f(size, 0.4 * size);
    if from_readouts.x > 0.0 && from_readouts.y < LINES * leading {
        let row = clamp(floor(from_readouts.y / leading), 0.0, LINES - 1.0);
        return Line(ROW_LENGTH * (READOUTS + u32(row)), 26u, page.readouts + vec2f(0.0, row * leading), size, 1e3);
    }
    let from_title = pixel - page.title + vec2f(size, 0.6 * size);
    if from_title.x > 0.0 && from_title.y > 0.0 {
        return Line(ROW_LENGTH * TITLE, 11u, page.title, 1.9 * size, 1e3);
    } else if from_title.x > 0.0 && from_title.y > -1.9 * size {
        return Line(ROW_LENGTH * SUBTITLE, 26u, page.title - vec2f(0.0, 2.1 * size), size, 1e3);
    }
    let height = (pixel.y - page.formula.y) / (PITCH * size);
    let row = clamp(floor(height + 0.5), 0.0, 3.0);
    let axis = page.formula + vec2f(0.0, row * PITCH * size);
    let at = pixel - axis;
    let wide = text::advance(FORMULA_SIZE * size);
    let i = u32(row);
    let right = BLOCK * size - text::advance(8.0 * size);
    if at.x > right {
        // The components of a point form a column.
        let is_point = i % 2u == 0u;
        let is_lower = is_point && at.y < 0.0;
        let baseline = select(-0.5, select(0.35, -1.35, is_lower), is_point) * size;
        let first = ROW_LENGTH * (VALUES + i) + select(8u, 24u, is_lower);
        return Line(first, 8u, axis + vec2f(right, baseline), size, 1e3);
    }
    // Middle and columns of the fraction.
    let middle = wide * select(select(5.3, 5.75, i == 1u), 6.2, i == 3u);
    let columns = select(select(vec2u(3u, 1u), vec2u(2u, 4u), i == 1u), vec2u(5u, 4u), i == 3u);
    let small = 0.86 * FORMULA_SIZE * size;
    let half = 0.5 * text::advance(small) * f32(max(columns.x, columns.y)) + 0.1 * wide;
    let fraction = max(abs(at.y) - 0.06 * small, abs(at.x - middle) - half);
    // The bar of the root, at the height of its sign's.
    let root = max(abs(at.y - 0.6 * FORMULA_SIZE * size) - 0.0625 * FORMULA_SIZE * size, abs(at.x - 7.15 * wide) - 0.7 * wide);
    let bar = select(select(1e3, root, is_reached), fraction, i > 0u);
    if i > 0u && abs(at.x - middle) < half {
        let is_lower = at.y < 0.0;
        let count = select(columns.x, columns.y, is_lower);
        let left = middle - 0.5 * (text::advance(small) * f32(count) - 0.2 * small);
        let first = ROW_LENGTH * (FORMULA + i) + select(16u, 24u, is_lower);
        return Line(first, count, axis + vec2f(left, select(0.62, -1.42, is_lower) * small), small, bar);
    }
    return Line(ROW_LENGTH * (FORMULA + i), 11u, axis - vec2f(0.0, 0.5 * FORMULA_SIZE * size), FORMULA_SIZE * size, bar);
}

/// The letter at a pixel, if any: of a name in the figure or of a line of text.
fn letter_at(pixel: vec2f, line: Line, page: Page) -> text::Text {
    // The nearest name. Its letters are in italics.
    var from_name = vec2f(1e6);
    var nearest = 0u;
    for (var i = 0u; i < 3u; i++) {
        let pair = vec4f(pixel, pixel) - frame::per_frame_value(NAMES + i);
        let is_second = dot(pair.zw, pair.zw) < dot(pair.xy, pair.xy);
        let from_nearer = select(pair.xy, pair.zw, is_second);
        if dot(from_nearer, from_nearer) < dot(from_name, from_name) {
            from_name = from_nearer;
            nearest = 2u * i + select(0u, 1u, is_second);
        }
    }
    let letters = select(1u, 2u, nearest == 2u || nearest == 3u || nearest == 5u);
    let middle = page.name * vec2f(0.05 + 0.25 * f32(letters), 0.3);
    let slanted = vec2f(from_name.x - 0.18 * from_name.y, from_name.y);
    let named = text::cell_at(slanted + middle, page.name, letters);
    let written = text::cell_at(pixel - line.corner, line.size, line.columns);
    // A readout's second field is at its right end.
    let skipped = select(0u, 6u, line.columns == 26u && written.column > 12u);
    let column = select(line.first + written.column + skipped, NAMES_IN_FIGURE * ROW_LENGTH + 2u * nearest + named.column, named.inside);
    let value = frame::per_frame_value(CHARACTERS + column);
    let cell = text::Cell(0u, select(written.at, named.at, named.inside), written.inside || named.inside);
    let style = text::Style(select(line.size, page.name, named.inside), value.rgb);
    return text::with_glyph(text::blank(), cell, style, u32(value.w));
}

/// Half a row: sixteen characters, or a number at their right end.
struct Field {
    words: vec4u,
    value: f32,
    /// Digits after the point; 0 for no number, more than six for scientific notation.
    decimals: u32,
}

/// Colour (xyz) and code (w, 0 for none) of the character at a column of a row.
fn character(row: u32, column: u32, c: Construction) -> vec4f {
    let field = field(row, column > 15u, c);
    // The lengths of the bones share a field.
    let is_first = row == BONES && column < 26u;
    let from_right = select(31u, 25u, is_first && column > 15u) - column % 16u - 16u;
    // A number with one decimal is an angle.
    let degree = select(0u, 1u, field.decimals == 1u);
    var code = text::fixed_code(max(from_right, degree) - degree, select(field.value, params.r1, is_first), field.decimals);
    code = select(code, 0xb0u, from_right < degree);
    if field.decimals > 6u {
        code = select(0u, text::scientific_code(7u - from_right, field.value), from_right < 8u);
    } else if field.decimals == 0u {
        code = text::character(field.words, column % 16u);
    }
    let next = text::character(field.words, column % 16u + 1u);
    return vec4f(ink_of(row, column, code, next, c), f32(code));
}

/// Colour of a character and its successor: points and bones have the colours of the figure.
fn ink_of(row: u32, column: u32, code: u32, next: u32, c: Construction) -> vec3f {
    let inks = inks();
    let is_formula = row >= FORMULA && row < VALUES;
    let is_number = row >= READOUTS && column > 15u;
    var ink = select(inks.muted, inks.ink, row == TITLE || is_formula || is_number);
    ink = select(ink, inks.mid, row == VALUES);
    ink = select(ink, inks.missed, (row == SUBTITLE || row == VALUES + 1u) && !c.reached);
    if is_formula || row >= READOUTS + 2u && column < 16u {
        let is_second = code == 0xb2u || code == 0x9du || next == 0xb2u || next == 0x9du;
        let is_bone = is_second || code == 0x72u || code == 0xb1u || code == 0x9cu;
        let is_mid = code == 0x78u || row == NAMES_IN_FIGURE && column > 8u;
        ink = select(ink, select(inks.first, inks.second, is_second), is_bone);
        ink = select(ink, inks.ink, code == 0x70u || code == 0x71u);
        ink = select(ink, inks.missed, code == 0x70u && !c.reached);
        ink = select(ink, inks.mid, is_mid);
    }
    ink = select(ink, select(inks.second, inks.first, column < 26u), row == BONES && column > 15u);
    return mix(ink, inks.ink, select(0.0, 0.3, row == NAMES_IN_FIGURE));
}

fn field(row: u32, is_right: bool, c: Construction) -> Field {
    let h = square(c.p);
    let r = vec2f(params.r1, params.r2);
    let k = (r.x * r.x - r.y * r.y) / h;
    let s = r.x * r.x / square(c.q) - 1.0;
    let solved = select(0.0, 7.0, c.solved);
    var words = vec4u();
    var number = vec2f();
    switch 2u * row + select(0u, 1u, is_right) {
        case 0u: { words = vec4u(0x54776f2du, 0x626f6e65u, 0x20494b00u, 0u); } // "Two-bone IK"
        case 2u: { words = verdict(c); }
        case 3u: { words = select(policy(), vec4u(), c.reached); }
        case 4u: { words = mid_joint(c); }
        case 6u: { words = vec4u(0x73203d20u, 0x20202020u, 0x2d310000u, 0u); } // "s =     -1"
        case 7u: { words = vec4u(0x729c0000u, 0u, 0x7c717c92u, 0u); } // "r₁²|q|²"
        case 8u: { words = vec4u(0x71203d20u, 0x20202070u, 0u, 0u); } // "q =    p"
        case 9u: { words = vec4u(0x312b6b00u, 0u, 0x32000000u, 0u); } // "1+k2"
        case 10u: { words = vec4u(0x6b203d00u, 0u, 0u, 0u); } // "k ="
        case 11u: { words = vec4u(0x729c2d72u, 0x9d000000u, 0x7c707c92u, 0u); } // "r₁²-r₂²|p|²"
        case 12u: { number = vec2f(c.x.x, select(0.0, 2.0, c.solved)); }
        case 13u: { number = vec2f(c.x.y, select(0.0, 2.0, c.solved)); }
        case 14u: { number = vec2f(s, decimals(s)); }
        case 16u: { number = vec2f(c.q.x, select(0.0, 2.0, length(c.q) < 99.0)); }
        case 17u: { number = vec2f(c.q.y, select(0.0, 2.0, length(c.q) < 99.0)); }
        case 18u: { number = vec2f(k, decimals(k)); }
        case 20u: { words = vec4u(0x666f726du, 0x756c6100u, 0u, 0u); } // "formula"
        case 21u: { words = formula(); }
        case 22u: { words = vec4u(0x656c626fu, 0x77000000u, 0u, 0u); } // "elbow"
        case 23u: { number = vec2f(elbow_degrees(c), select(0.0, 1.0, c.solved)); }
        case 24u: { words = vec4u(0x7c782d70u, 0x7c2d72b2u, 0u, 0u); } // "|x-p|-r₂"
        case 25u: { number = vec2f(distance(c.x, c.p) - r.y, solved); }
        case 26u: { words = vec4u(0x7c787c2du, 0x72b10000u, 0u, 0u); } // "|x|-r₁"
        case 27u: { number = vec2f(length(c.x) - r.x, solved); }
        case 28u: { words = vec4u(0x7c707c00u, 0u, 0u, 0u); } // "|p|"
        case 29u: { number = vec2f(length(c.p), 3.0); }
        case 30u: { words = vec4u(0x72b12072u, 0xb2000000u, 0u, 0u); } // "r₁ r₂"
        case 31u: { number = vec2f(params.r2, 3.0); }
        case 32u: { words = vec4u(0x70007800u, 0x72b172b2u, 0x710078b2u, 0u); } // "pxr₁r₂qx₂"
        default: {}
    }
    return Field(words, number.x, u32(number.y));
}

/// Three decimals, or scientific notation for a number that would not fit.
fn decimals(value: f32) -> f32 {
    return select(3.0, 7.0, abs(value) > 999.0);
}

/// The formula of x or, out of reach, what the policy makes of it.
fn mid_joint(c: Construction) -> vec4u {
    let forward = vec4u(0x78203d20u, 0x72b1702fu, 0x7c707c00u, 0u); // "x = r₁p/|p|"
    let backward = vec4u(0x78203d2du, 0x72b1702fu, 0x7c707c00u, 0u); // "x =-r₁p/|p|"
    var policy = select(forward, backward, dot(c.x, c.p) < 0.0);
    policy = select(policy, vec4u(0x78203d20u, 0x71000000u, 0u, 0u), params.policy == MEET); // "x = q"
    policy = select(policy, vec4u(0x78203d20u, 0x6e6f6e65u, 0u, 0u), params.policy == FAIL); // "x = none"
    return select(policy, vec4u(0x78203d20u, 0x712b9a73u, 0x20719b00u, 0u), c.reached); // "x = q+√s q⊥"
}

/// Angle between the bones at the mid joint.
fn elbow_degrees(c: Construction) -> f32 {
    let straight = dot(plot::direction(-c.x), plot::direction(c.end - c.x));
    return degrees(acos(clamp(straight, -1.0, 1.0)));
}

fn verdict(c: Construction) -> vec4u {
    let near = vec4u(0x70206973u, 0x20746f6fu, 0x206e6561u, 0x72000000u); // "p is too near"
    let far = vec4u(0x70206973u, 0x20746f6fu, 0x20666172u, 0u); // "p is too far"
    let missed = select(near, far, length(c.p) > params.r1 + params.r2);
    return select(missed, vec4u(0x63697263u, 0x6c657320u, 0x6d656574u, 0u), c.reached); // "circles meet"
}

/// The chosen formula.
fn formula() -> vec4u {
    let fast = vec4u(0x20202020u, 0x61727469u, 0x636c6520u, 0x66617374u); // "article fast"
    let first = vec4u(0x20202061u, 0x72746963u, 0x6c652066u, 0x69727374u); // "article first"
    let factored = vec4u(0x20202020u, 0x20202020u, 0x66616374u, 0x6f726564u); // "factored"
    return select(select(factored, fast, params.transcription == 1u), first, params.transcription == 2u);
}

/// The chosen policy.
fn policy() -> vec4u {
    let clamp = vec4u(0x20202020u, 0x20202020u, 0x20202063u, 0x6c616d70u); // "clamp"
    let word = select(0x6661696cu, 0x6d656574u, params.policy == MEET); // "fail" or "meet"
    return select(vec4u(vec3u(0x20202020u), word), clamp, params.policy == CLAMP);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let page = page();
    let inks = inks();
    let point = (frag_coord - page.start) / page.unit;
    let canvas = mix(inks.paper, inks.border, smoothstep(0.0, 2.0, length(point)));
    let c = construction();
    let drawn = figure(canvas, point, c, pens(page), inks);
    // The figure fades toward the text.
    let beyond = select(page.edge - frag_coord.y, frag_coord.x - page.edge, page.is_wide);
    var color = mix(drawn, canvas, smoothstep(-1.0, 6.0, beyond / page.size));
    let line = line_at(frag_coord, page, c.reached);
    color = plot::over(color, inks.ink, plot::fill(line.bar, 1.0));
    // The letter at the pixel is selected first, so that strokes are drawn once: see tarsus::text.
    let letter = letter_at(frag_coord, line, page);
    let d = text::distance_by_table(text::glyph_of(letter), STROKES);
    return palette::display(text::composite_over_lines(color, letter, d, mix(color, canvas, 0.7), 1.0));
}
