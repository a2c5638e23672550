// Construction of two-bone inverse kinematics: the mid joint x of a limb that starts at
// the origin and ends at p, where p follows the pointer.
//
// x is on a circle of radius r1 around the start and on a circle of radius r2 around p.
// The common chord of the circles is perpendicular to the line start–p and crosses it at
// q; its ends are the two solutions, one per bend.
//
// Points are relative to the start joint, y up, in the unit of the bones' lengths, unless
// they are in pixels.

#import tarsus::{frame, ik, palette, plot, pointer, text}

struct Params {
    /// First bone, r1 [0.05, 1] = 0.8
    r1: f32,
    /// Second bone, r2 [0.05, 1] = 0.55
    r2: f32,
    /// Bend {left, right} = left
    bend: u32,
    /// Out of reach {stretch, clamp, fail} = clamp
    policy: u32,
    /// Formula {factored, article_fast, article_first} = factored
    transcription: u32,
    /// Theme {light, dark} = light
    theme: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

/// Period of the path of p without input, in seconds.
const LOOP_SECONDS: f32 = 12.0;

const STRETCH: u32 = 0u;
const CLAMP: u32 = 1u;
const FAIL: u32 = 2u;

// ---------------------------------------------------------------------------
// The page

/// Half the height of the figure, in units of length; fits limbs up to 1.4 long.
const FIGURE: f32 = 1.75;

/// Layout of the figure and the readouts, in pixels.
struct Page {
    /// Position of the start joint.
    start: vec2f,
    /// Pixels per unit of length.
    unit: f32,
    /// Left end of the lowest readout.
    readouts: vec2f,
    /// Height of a capital.
    size: f32,
    /// True if the readouts are to the right of the figure.
    is_wide: bool,
}

/// Readouts are to the right of the figure, or below it on a portrait page.
fn page() -> Page {
    let all = frame::frame.resolution;
    // Smaller on a nearly square page, where figure and readouts share a side.
    let size = min(0.034 * min(all.x, all.y), 0.023 * all.y + 0.02 * max(all.x - all.y, 0.0));
    let margin = 2.2 * size;
    let block = vec2f(text::advance(size) * COLUMNS + margin, LEADING * ROWS * size + margin);
    let is_wide = all.x > 1.25 * all.y;
    let figure = select(vec2f(all.x, all.y - block.y), vec2f(all.x - block.x, all.y), is_wide);
    let start = vec2f(0.5 * figure.x, all.y - 0.5 * figure.y);
    let left = select(0.5 * (all.x - block.x + margin), all.x - block.x, is_wide);
    let view = max(FIGURE, 1.25 * (params.r1 + params.r2));
    return Page(start, 0.5 * min(figure.x, figure.y) / view, vec2f(left, margin), size, is_wide);
}

/// Colours in linear light.
struct Inks {
    paper: vec3f,
    ring: vec3f,
    faint: vec3f,
    ghost: vec3f,
    muted: vec3f,
    ink: vec3f,
    first: vec3f,
    second: vec3f,
    mid: vec3f,
    reached: vec3f,
    missed: vec3f,
}

fn inks() -> Inks {
    if params.theme == 0u {
        return Inks(
            palette::hex(0xfbf8f1u), palette::hex(0xecefe9u), palette::hex(0xdedad0u),
            palette::hex(0xcbcac3u), palette::hex(0x8b8679u), palette::hex(0x22262eu),
            palette::hex(0x2a5f94u), palette::hex(0xc4513au), palette::hex(0xf0b429u),
            palette::hex(0x2f9e6eu), palette::hex(0x9c3d86u),
        );
    }
    return Inks(
        palette::hex(0x14181eu), palette::hex(0x1d242bu), palette::hex(0x2b323bu),
        palette::hex(0x434b56u), palette::hex(0x828b96u), palette::hex(0xece7dau),
        palette::hex(0x74b0e4u), palette::hex(0xf08a6cu), palette::hex(0xf7c948u),
        palette::hex(0x4fc592u), palette::hex(0xd77fc4u),
    );
}

// ---------------------------------------------------------------------------
// The construction, relative to the start joint

struct Construction {
    /// The target.
    p: vec2f,
    /// Intersection of the circles' common chord with the line start–p.
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
}

/// The construction for the target p with the chosen policy and formula.
fn construct(p: vec2f) -> Construction {
    let side = select(-1.0, 1.0, params.bend == 0u);
    var limb = ik::solve2_clamp(p, params.r1, params.r2, side);
    if params.policy == STRETCH {
        limb = ik::solve2_stretch(p, params.r1, params.r2, side);
    } else if params.policy == FAIL {
        limb = ik::solve2_fail(p, params.r1, params.r2, side);
    }
    let solved = limb.reached || params.policy != FAIL;
    var x = limb.mid;
    if params.transcription == 1u && solved {
        x = bent(ik::solve_article_fast(limb.end, params.r1, params.r2), limb.end, side);
    } else if params.transcription == 2u && solved {
        x = bent(ik::solve_article_first(limb.end, params.r1, params.r2), limb.end, side);
    }
    let q = along(x, limb.end);
    return Construction(p, q, x, 2.0 * q - x, limb.end, limb.reached, solved);
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

/// The target without input.
fn idle_target() -> vec2f {
    let hole = abs(params.r1 - params.r2);
    return pointer::idle_target(frame::frame.time / LOOP_SECONDS, hole, params.r1 + params.r2);
}

// ---------------------------------------------------------------------------
// The figure

/// Line widths in units of length, at least about a pixel.
struct Pens {
    px: f32,
    hair: f32,
    thin: f32,
    line: f32,
    bone: f32,
    joint: f32,
}

fn pens(page: Page) -> Pens {
    let px = 1.0 / page.unit;
    let em = page.size * px;
    return Pens(px, max(0.05 * em, 0.9 * px), max(0.075 * em, px), max(0.12 * em, 1.2 * px), 0.36 * em, 0.5 * em);
}

fn figure(point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    var color = inks.paper;
    color = reachable_ring(color, point, pens, inks);
    color = circles(color, point, c, pens, inks);
    color = plot::over(color, inks.muted, plot::dashed(point, vec2f(0.0), c.p, pens.thin, 8.0 * pens.thin, pens.px));
    if c.reached {
        color = chord(color, point, c, pens, inks);
    }
    if c.solved {
        color = bones(color, point, c, pens, inks);
    }
    return joints(color, point, c, pens, inks);
}

fn reachable_ring(below: vec3f, point: vec2f, pens: Pens, inks: Inks) -> vec3f {
    let band = plot::ring(point, vec2f(0.0), abs(params.r1 - params.r2), params.r1 + params.r2);
    let axis = plot::cross_mark(point, vec2f(0.0), params.r1 + params.r2 + 2.0 * pens.joint);
    var color = plot::over(below, inks.ring, plot::fill(band, pens.px));
    color = plot::over(color, inks.faint, plot::stroke(axis, pens.hair, pens.px));
    return plot::over(color, inks.muted, 0.55 * plot::stroke(band, pens.hair, pens.px));
}

fn circles(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let first = plot::disc(point, vec2f(0.0), params.r1);
    let second = plot::disc(point, c.p, params.r2);
    let color = plot::over(below, inks.first, 0.8 * plot::stroke(first, pens.thin, pens.px));
    return plot::over(color, inks.second, 0.8 * plot::stroke(second, pens.thin, pens.px));
}

/// The common chord through q, and the other solution.
fn chord(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let px = pens.px;
    let other = min(plot::segment(point, vec2f(0.0), c.other), plot::segment(point, c.other, c.end));
    let corner = plot::right_angle(point, c.q, c.x, c.end, 0.8 * pens.joint * min(1.0, 2.0 * distance(c.q, c.x)));
    var color = plot::over(below, inks.muted, plot::stroke(plot::segment(point, c.x, c.other), pens.thin, px));
    color = plot::over(color, inks.muted, plot::stroke(corner, pens.hair, px));
    color = plot::over(color, inks.ghost, plot::stroke(other, 1.6 * pens.line, px));
    color = plot::over(color, inks.muted, plot::fill(plot::disc(point, c.other, 0.5 * pens.joint), px));
    return plot::over(color, inks.ink, plot::fill(plot::disc(point, c.q, 0.34 * pens.joint), px));
}

/// The chosen solution. A stretched or compressed bone changes its width to keep its area
/// roughly constant, and blends toward the colour of a target out of reach.
fn bones(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let stretch = vec2f(length(c.x) / params.r1, distance(c.x, c.end) / params.r2);
    let width = pens.bone * clamp(inverseSqrt(max(stretch, vec2f(1e-6))), vec2f(0.35), vec2f(1.5));
    let strain = clamp(2.5 * abs(stretch - 1.0), vec2f(0.0), vec2f(0.75));
    let upper = plot::bone(point, vec2f(0.0), c.x, width.x, 0.8 * width.x);
    let lower = plot::bone(point, c.x, c.end, 0.8 * width.y, 0.55 * width.y);
    let angle = plot::arc(point, c.x, vec2f(0.0), c.end, 2.6 * pens.joint);
    // A straight or folded limb has no angle to mark.
    let straight = abs(dot(plot::direction(c.x), plot::direction(c.end - c.x)));
    let mark = 0.7 * (1.0 - smoothstep(0.97, 0.999, straight));
    var color = plot::over(below, inks.ink, mark * plot::stroke(angle, pens.thin, pens.px));
    color = plot::over(color, mix(inks.first, inks.missed, strain.x), plot::fill(upper, pens.px));
    return plot::over(color, mix(inks.second, inks.missed, strain.y), plot::fill(lower, pens.px));
}

fn joints(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let px = pens.px;
    let verdict = select(inks.missed, inks.reached, c.reached);
    let crosshair = plot::disc(point, c.p, 1.9 * pens.joint);
    let ticks = max(plot::cross_mark(point, c.p, 2.7 * pens.joint), 1.9 * pens.joint - distance(point, c.p));
    var color = plot::over(below, verdict, plot::stroke(crosshair, pens.line, px));
    color = plot::over(color, verdict, plot::stroke(ticks, pens.line, px));
    color = joint(color, point, vec2f(0.0), inks.paper, pens, inks);
    if c.solved {
        color = joint(color, point, c.x, inks.mid, pens, inks);
        color = joint(color, point, c.end, verdict, pens, inks);
    }
    return color;
}

fn joint(below: vec3f, point: vec2f, at: vec2f, core: vec3f, pens: Pens, inks: Inks) -> vec3f {
    let d = plot::disc(point, at, pens.joint);
    let rim = plot::over(below, inks.ink, plot::fill(d, pens.px));
    return plot::over(rim, core, plot::fill(d + 0.38 * pens.joint, pens.px));
}

// ---------------------------------------------------------------------------
// Letters

/// Names of the points, beside them and clear of the lines. `pixel` is relative to the
/// start joint, in pixels.
fn names(start: text::Text, pixel: vec2f, c: Construction, page: Page, inks: Inks) -> text::Text {
    let size = page.size / page.unit;
    let line = plot::direction(c.p);
    let left = vec2f(-line.y, line.x);
    let side = bend_of(c, left);
    let out = side * left;
    let point = pixel / page.unit;
    var written = name(start, point, c.p + 1.9 * size * plot::direction(line - out), page, inks.ink, vec4u(0x70000000u, 0u, 0u, 0u)); // "p"
    if c.solved {
        written = name(written, point, bone_label(vec2f(0.0), c.x, side, size), page, inks.first, vec4u(0x72b10000u, 0u, 0u, 0u)); // "r₁"
        written = name(written, point, bone_label(c.x, c.end, side, size), page, inks.second, vec4u(0x72b20000u, 0u, 0u, 0u)); // "r₂"
        written = name(written, point, c.x + 1.5 * size * out, page, inks.ink, vec4u(0x78000000u, 0u, 0u, 0u)); // "x"
    }
    // Points that are close together get fewer names.
    if c.reached && distance(c.x, c.other) > 4.0 * size {
        written = name(written, point, c.other - 1.3 * size * out, page, inks.muted, vec4u(0x78b20000u, 0u, 0u, 0u)); // "x₂"
    }
    if c.reached && min(distance(c.x, c.q), min(length(c.q), distance(c.q, c.p))) > 1.6 * size {
        written = name(written, point, c.q - size * (0.85 * out + 0.85 * line), page, inks.ink, vec4u(0x71000000u, 0u, 0u, 0u)); // "q"
    }
    return written;
}

/// 1 if the mid joint is to the left of the line to p, -1 if to the right; for a straight
/// limb, the preferred side.
fn bend_of(c: Construction, left: vec2f) -> f32 {
    let preferred = select(-1.0, 1.0, params.bend == 0u);
    return select(-1.0, 1.0, dot(c.x - c.q, left) + 1e-4 * preferred >= 0.0);
}

/// Position of a bone's name: beside the midpoint of a–b, outside the triangle.
fn bone_label(a: vec2f, b: vec2f, side: f32, size: f32) -> vec2f {
    let bone = plot::direction(b - a);
    return mix(a, b, 0.5) + 1.25 * size * side * vec2f(-bone.y, bone.x);
}

/// A name of one letter, or of a letter and an index, centred on `at`.
fn name(written: text::Text, point: vec2f, at: vec2f, page: Page, ink: vec3f, letters: vec4u) -> text::Text {
    let has_index = (letters.x & 0x800000u) != 0u;
    let middle = page.size * vec2f(select(0.3, 0.55, has_index), 0.3);
    return text::words(written, (point - at) * page.unit + middle, text::Style(page.size, ink), letters);
}

/// Rows of the formula, the line that each starts at in the readouts' rows, and the columns by
/// which it extends to the left of them.
const FORMULA_ROWS: f32 = 5.0;
const FORMULA_AT: f32 = 7.6;
const FORMULA_MARGIN: f32 = 6.0;

/// True in the part of a wide page where the formula is drawn, above the readouts.
fn in_formula(pixel: vec2f, page: Page) -> bool {
    let at = pixel - page.readouts;
    let row = at.y / (LEADING * page.size) - FORMULA_AT;
    let left = -(FORMULA_MARGIN + 0.5) * text::advance(page.size);
    return page.is_wide && at.x > left && row > -0.4 && row < FORMULA_ROWS;
}

/// Columns and rows of the readouts, and the height of a row in capitals.
const COLUMNS: f32 = 18.0;
const ROWS: f32 = 7.0;
const LEADING: f32 = 2.1;

/// True in the part of the page where the readouts are drawn.
fn in_readouts(pixel: vec2f, page: Page) -> bool {
    let at = pixel - page.readouts;
    let left = -page.size - select(0.0, FORMULA_MARGIN, page.is_wide) * text::advance(page.size);
    return at.x > left && at.y > -page.size && at.y < LEADING * ROWS * page.size;
}

/// One row of the readouts or of the formula: a label and a value.
struct Row {
    label: vec4u,
    ink: vec3f,
    value: f32,
    /// Digits after the point; more than six for scientific notation.
    decimals: u32,
}

/// Draws the text of the readouts and the formula at a pixel. The row is selected first, so
/// that each kind of text is compiled once.
fn readouts(start: text::Text, pixel: vec2f, c: Construction, page: Page, inks: Inks) -> text::Text {
    let at = pixel - page.readouts;
    let leading = LEADING * page.size;
    let height = at.y / leading;
    // A row extends a quarter below its baseline. The two top rows are set apart, and so is
    // the formula above them.
    let upper = height > 5.15;
    let is_formula = in_formula(pixel, page);
    let line = clamp(floor(height - FORMULA_AT + 0.25), 0.0, FORMULA_ROWS - 1.0);
    let below = select(clamp(floor(height + 0.25), 0.0, 4.0), floor(height - 0.15), upper);
    let baseline = select(below + select(0.0, 0.4, upper), FORMULA_AT + line, is_formula);
    let p = at - vec2f(0.0, baseline * leading);
    // Points take two fields of the formula, each of six columns.
    let width = text::advance(page.size);
    let is_second = p.x > 12.0 * width;
    let row = row_at(u32(select(below, READOUTS + line, is_formula)), is_second, c, inks);
    // Below the formula, the labels begin where it does.
    let label = p + vec2f(select(0.0, FORMULA_MARGIN, page.is_wide) * width, 0.0);
    let written = text::words(start, label, text::Style(page.size, row.ink), row.label);
    if row.decimals == 0u {
        return written;
    }
    let style = text::Style(page.size, inks.ink);
    let field = p - vec2f(10.0 * width, 0.0);
    if row.decimals > 6u {
        return text::scientific(written, field, style, row.value);
    }
    // Rows with one decimal are in degrees, those with two are points.
    let is_point = row.decimals == 2u;
    let columns = select(select(8u, 7u, row.decimals == 1u), 6u, is_point);
    let point_field = p - vec2f(select(6.0, 12.0, is_second) * width, 0.0);
    let valued = text::fixed(
        written, select(field, point_field, is_point), style, row.value, columns, row.decimals);
    let degree = vec4u(select(0u, 0xb0000000u, row.decimals == 1u), 0u, 0u, 0u); // "°"
    return text::words(valued, field - vec2f(7.0 * width, 0.0), style, degree);
}

/// Number of rows of the readouts; those of the formula follow, from the bottom too.
const READOUTS: f32 = 7.0;

/// Row `number`; `is_second` selects the second coordinate of a point.
fn row_at(number: u32, is_second: bool, c: Construction, inks: Inks) -> Row {
    let h = max(dot(c.p, c.p), 1e-12);
    let squares = vec2f(params.r1 * params.r1, params.r2 * params.r2);
    let s = squares.x / max(dot(c.q, c.q), 1e-12) - 1.0;
    // Out of reach, the circles do not meet.
    let digits = select(vec2u(0u), vec2u(2u, 3u), c.reached);
    switch number {
        case 0u: { return verdict(c, inks); }
        case 1u: { return Row(vec4u(0x656c626fu, 0x77000000u, 0u, 0u), inks.muted, elbow_degrees(c), select(0u, 1u, c.solved)); } // "elbow"
        case 2u: { return Row(vec4u(0x7c782d70u, 0x7c2d72b2u, 0u, 0u), inks.muted, distance(c.x, c.p) - params.r2, select(0u, 7u, c.solved)); } // "|x-p|-r₂"
        case 3u: { return Row(vec4u(0x7c787c2du, 0x72b10000u, 0u, 0u), inks.muted, length(c.x) - params.r1, select(0u, 7u, c.solved)); } // "|x|-r₁"
        case 4u: { return Row(vec4u(0x7c707c00u, 0u, 0u, 0u), inks.muted, length(c.p), 3u); } // "|p|"
        case 5u: { return Row(policy(), inks.muted, 0.0, 0u); }
        case 6u: { return Row(formula(), inks.muted, 0.0, 0u); }
        case 7u: { return Row(vec4u(0x78203d20u, 0x712b9a73u, 0x20719b00u, 0u), inks.muted, select(c.x.x, c.x.y, is_second), digits.x); } // "x = q+√s q⊥"
        case 8u: { return Row(vec4u(0x73203d20u, 0x72b1922fu, 0x7c717c92u, 0x2d310000u), inks.muted, s, digits.y); } // "s = r₁²/|q|²-1"
        case 9u: { return Row(vec4u(0x71203d20u, 0x7028312bu, 0x6b292f32u, 0u), inks.muted, select(c.q.x, c.q.y, is_second), digits.x); } // "q = p(1+k)/2"
        case 10u: { return Row(vec4u(0x6b203d20u, 0x2872b192u, 0x2d72b292u, 0x292f6800u), inks.muted, (squares.x - squares.y) / h, 3u); } // "k = (r₁²-r₂²)/h"
        case 11u: { return Row(vec4u(0x68203d20u, 0x7c707c92u, 0u, 0u), inks.muted, h, 3u); } // "h = |p|²"
        default: { return Row(vec4u(), inks.muted, 0.0, 0u); }
    }
}

/// Angle between the bones at the mid joint.
fn elbow_degrees(c: Construction) -> f32 {
    let straight = dot(plot::direction(-c.x), plot::direction(c.end - c.x));
    return degrees(acos(clamp(straight, -1.0, 1.0)));
}

fn verdict(c: Construction, inks: Inks) -> Row {
    if c.reached {
        return Row(vec4u(0x72656163u, 0x6861626cu, 0x65000000u, 0u), inks.reached, 0.0, 0u); // "reachable"
    }
    if length(c.p) > params.r1 + params.r2 {
        return Row(vec4u(0x746f6f20u, 0x66617200u, 0u, 0u), inks.missed, 0.0, 0u); // "too far"
    }
    return Row(vec4u(0x746f6f20u, 0x6e656172u, 0u, 0u), inks.missed, 0.0, 0u); // "too near"
}

/// Name of the chosen formula.
fn formula() -> vec4u {
    if params.transcription == 1u {
        return vec4u(0x61727469u, 0x636c6520u, 0x66617374u, 0u); // "article fast"
    } else if params.transcription == 2u {
        return vec4u(0x61727469u, 0x636c6520u, 0x66697273u, 0x74000000u); // "article first"
    }
    return vec4u(0x66616374u, 0x6f726564u, 0u, 0u); // "factored"
}

/// Name of the chosen policy.
fn policy() -> vec4u {
    if params.policy == STRETCH {
        return vec4u(0x73747265u, 0x74636800u, 0u, 0u); // "stretch"
    } else if params.policy == FAIL {
        return vec4u(0x6661696cu, 0u, 0u, 0u); // "fail"
    }
    return vec4u(0x636c616du, 0x70000000u, 0u, 0u); // "clamp"
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let page = page();
    let inks = inks();
    let pens = pens(page);
    let p = (pointer::target_in_pixels(page.start + page.unit * idle_target()) - page.start) / page.unit;
    let c = construct(p);
    let point = (frag_coord - page.start) / page.unit;

    // All text is in pixels and drawn at once: see tarsus::text.
    var letters = names(text::blank(), frag_coord - page.start, c, page, inks);
    if in_readouts(frag_coord, page) || in_formula(frag_coord, page) {
        letters = readouts(letters, frag_coord, c, page, inks);
    }
    let color = text::over_lines(figure(point, c, pens, inks), letters, inks.paper, 1.0);
    return palette::display(color);
}
