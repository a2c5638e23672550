// Construction of two-bone inverse kinematics: the mid joint x of a limb that starts at
// the origin and ends at p, where p follows the pointer inside the panel.
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
#define PER_FRAME_VALUES 696

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
    /// Theme {light, dark} = light
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

/// Half the height of the figure, in units of length; fits the circle around a target within
/// the reach of bones like the default ones.
const FIGURE: f32 = 1.95;

/// Layout in pixels: a dark panel with the figure, and paper with the title, the formula and
/// the readouts.
struct Page {
    /// Position of the start joint.
    start: vec2f,
    /// Pixels per unit of length.
    unit: f32,
    /// Left end of the lowest readout.
    readouts: vec2f,
    /// Height of a capital in the rows, and of a name in the figure.
    size: f32,
    name: f32,
    /// Right end of the panel on a wide page, its lower end on others.
    edge: f32,
    /// True if the readouts are to the right of the figure.
    is_wide: bool,
}

/// The panel is to the left of the readouts, or above them on a narrow page.
fn page() -> Page {
    let all = frame::frame.resolution;
    let is_wide = all.x > 1.25 * all.y;
    // Smaller on a nearly square page, where figure and readouts share a side.
    let name = min(0.034 * min(all.x, all.y), 0.023 * all.y + 0.02 * max(all.x - all.y, 0.0));
    let size = select(name, min(name, 0.028 * all.y), is_wide);
    let margin = MARGIN * size;
    let block = vec2f(text::advance(size) * COLUMNS + margin, LEADING * ROWS * size + margin);
    let formula = FORMULA_MARGIN * text::advance(size) + margin;
    let edge = round(select(block.y + 0.8 * size, all.x - block.x - formula, is_wide));
    let panel = select(vec2f(all.x, all.y - edge), vec2f(edge, all.y), is_wide);
    let start = vec2f(0.5 * panel.x, all.y - 0.5 * panel.y);
    let left = select(0.5 * (all.x - block.x + margin), all.x - block.x, is_wide);
    let view = max(FIGURE, 1.25 * (params.r1 + params.r2));
    return Page(start, 0.5 * min(panel.x, panel.y) / view, vec2f(left, margin), size, name, edge, is_wide);
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
    /// The mid joint's colour for letters, which need more contrast.
    mid_text: vec3f,
    reached: vec3f,
    missed: vec3f,
    /// Opacity of the circles' insides.
    tint: f32,
}

/// The dark inks are those of the panel and of the dark theme.
fn inks(is_dark: bool) -> Inks {
    if !is_dark {
        return Inks(
            palette::hex(0xfbf8f1u), palette::hex(0xecefe9u), palette::hex(0xdedad0u),
            palette::hex(0xcbcac3u), palette::hex(0x8b8679u), palette::hex(0x22262eu),
            palette::hex(0x2a5f94u), palette::hex(0xc4513au), palette::hex(0xf0b429u), palette::hex(0xa87508u),
            palette::hex(0x22262eu), palette::hex(0x9c3d86u), 0.065,
        );
    }
    return Inks(
        palette::hex(0x14223au), palette::hex(0x1d3152u), palette::hex(0x2c4265u),
        palette::hex(0x4f6a92u), palette::hex(0x93a8c6u), palette::hex(0xf6f0e2u),
        palette::hex(0x62b0f0u), palette::hex(0xff7f5eu), palette::hex(0xf7c948u), palette::hex(0xf7c948u),
        palette::hex(0xf6f0e2u), palette::hex(0xe87fcfu), 0.05,
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
    /// Cosine of the angle between the bones' lines: 1 for a straight or folded limb.
    straightness: f32,
}

/// The construction for the target p with the chosen policy and formula.
fn construct(p: vec2f) -> Construction {
    let side = select(-1.0, 1.0, params.bend == 0u);
    var limb = ik::solve2_clamp(p, params.r1, params.r2, side);
    if params.policy == MEET {
        limb = ik::solve2_meet(p, params.r1, params.r2, side);
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
    let k = (params.r1 * params.r1 - params.r2 * params.r2) / square(p);
    let q = select(0.5 * (1.0 + k) * p, along(x, limb.end), limb.reached);
    let straightness = abs(dot(plot::direction(x), plot::direction(limb.end - x)));
    return Construction(p, q, x, 2.0 * q - x, limb.end, limb.reached, solved, straightness);
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

/// The target without input.
fn idle_target() -> vec2f {
    let hole = abs(params.r1 - params.r2);
    return pointer::idle_target(frame::time() / LOOP_SECONDS, hole, params.r1 + params.r2);
}

// ---------------------------------------------------------------------------
// What all pixels share

/// Per-frame values: the construction, the ends of the names in the figure, the characters, row
/// by row, and the strokes of each glyph.
const NAMES: u32 = 3u;
const CHARACTERS: u32 = 6u;
const STROKES: u32 = 406u;

fn per_frame(index: u32) -> vec4f {
    if index >= STROKES {
        return text::table_value(index - STROKES);
    }
    let page = page();
    let pointed = pointer::target_in_pixels(page.start + page.unit * idle_target());
    let c = construct((in_panel(pointed, page) - page.start) / page.unit);
    if index >= CHARACTERS {
        let at = index - CHARACTERS;
        return character(at / ROW_LENGTH, at % ROW_LENGTH, c, page);
    } else if index >= NAMES {
        return names(index - NAMES, c, page);
    } else if index == 0u {
        return vec4f(c.p, c.q);
    } else if index == 1u {
        return vec4f(c.x, c.end);
    }
    return vec4f(select(0.0, 1.0, c.reached), select(0.0, 1.0, c.solved), c.straightness, 0.0);
}

/// The pixel, moved back into the panel if it is on the paper, with room for the target's name.
fn in_panel(pixel: vec2f, page: Page) -> vec2f {
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
    thin: f32,
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
    return Pens(
        px, max(0.05 * em, 0.9 * px), max(0.075 * em, px), max(0.12 * em, 1.2 * px),
        em * vec2f(0.42, 0.22), 0.5 * em, em);
}

fn figure(point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    var color = inks.paper * mix(1.15, 0.75, smoothstep(0.0, 2.6, length(point)));
    color = reachable_ring(color, point, pens, inks);
    color = circles(color, point, c, pens, inks);
    color = auxiliary_lines(color, point, c, pens, inks);
    if c.reached {
        color = other_solution(color, point, c, pens, inks);
    }
    if c.solved {
        color = bones(color, point, c, pens, inks);
    }
    return joints(color, point, c, pens, inks);
}

/// The region within reach, with the scale of a protractor at its outer circle.
fn reachable_ring(below: vec3f, point: vec2f, pens: Pens, inks: Inks) -> vec3f {
    let reach = params.r1 + params.r2;
    let band = plot::ring(point, vec2f(0.0), abs(params.r1 - params.r2), reach);
    var color = plot::over(below, inks.ring, 0.85 * plot::fill(band, pens.px));
    // A tick every 5°, longer every 15° and 90°.
    let distance = length(point);
    let turn = atan2(point.y, point.x + 1e-9) / frame::TAU; // defined at the start, too
    let tick = round(72.0 * turn);
    let across = distance * frame::TAU * abs(turn - tick / 72.0);
    let is_third = fract(tick / 3.0 + 0.1) < 0.2;
    let is_quarter = fract(tick / 18.0 + 0.01) < 0.02;
    let size = pens.em * select(select(0.3, 0.6, is_third), 1.0, is_quarter);
    let ticks = plot::stroke(across, pens.hair, pens.px) * plot::fill(abs(distance - reach - 0.5 * size) - 0.5 * size, pens.px);
    color = plot::over(color, inks.muted, 0.7 * ticks);
    return plot::over(color, inks.muted, 0.7 * plot::stroke(band, pens.hair, pens.px));
}

/// The circles on which x is, tinted inside, as drawn with a compass: strong where they meet.
fn circles(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let first = plot::disc(point, vec2f(0.0), params.r1);
    let second = plot::disc(point, c.p, params.r2);
    var color = plot::over(below, inks.first, inks.tint * plot::fill(first, pens.px));
    color = plot::over(color, inks.second, inks.tint * plot::fill(second, pens.px));
    let from_meeting = min(distance(point, c.x), select(1e3, distance(point, c.other), c.reached));
    let arc = 1.0 - smoothstep(2.0 * pens.em, 8.0 * pens.em, from_meeting);
    let width = mix(pens.hair, 1.5 * pens.thin, arc);
    let opacity = mix(0.6, 1.0, arc);
    color = plot::over(color, inks.first, opacity * plot::stroke(first, width, pens.px));
    return plot::over(color, inks.second, opacity * plot::stroke(second, width, pens.px));
}

/// The line start–p, extended to q; the circles' common chord, with a right angle at q, or their
/// radical axis if they do not meet.
fn auxiliary_lines(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let line = plot::direction(c.p);
    let left = vec2f(-line.y, line.x);
    // Concentric circles have no radical axis.
    let exists = dot(c.p, c.p) > 1e-6;
    let at = select(0.0, dot(c.q, line), exists);
    let span = plot::dashed(point, min(at, 0.0) * line, max(at, length(c.p)) * line, pens.thin, 8.0 * pens.thin, pens.px);
    let half_chord = dot(c.x - c.q, left);
    let half = left * select(0.4, half_chord, c.reached);
    let across = plot::stroke(plot::segment(point, c.q - half, c.q + half), pens.thin, pens.px);
    // Between the directions to x and to p.
    let from_q = vec2f(sign(half_chord) * dot(point - c.q, left), dot(point - c.q, plot::direction(c.p - c.q)));
    let side = 0.8 * pens.joint * min(1.0, 2.0 * abs(half_chord));
    let corner = max(abs(max(from_q.x, from_q.y) - side), -min(from_q.x, from_q.y));
    let mark = select(0.0, plot::stroke(corner, pens.hair, pens.px), c.reached);
    let lines = max(span, max(select(0.0, across, exists), mark));
    return plot::over(below, inks.muted, lines);
}

/// The other solution.
fn other_solution(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let px = pens.px;
    let upper = plot::bone(point, vec2f(0.0), c.other, 0.4 * pens.bones.x, 0.4 * pens.bones.x);
    let lower = plot::bone(point, c.other, c.end, 0.6 * pens.bones.y, 0.45 * pens.bones.y);
    var color = plot::over(below, mix(inks.paper, inks.first, 0.4), plot::fill(upper, px));
    color = plot::over(color, mix(inks.paper, inks.second, 0.4), plot::fill(lower, px));
    let joint = plot::disc(point, c.other, 0.55 * pens.joint);
    color = plot::over(color, inks.muted, plot::fill(joint, px));
    return plot::over(color, inks.paper, plot::fill(joint + 0.24 * pens.joint, px));
}

/// The chosen solution. A stretched or compressed bone changes its width to keep its area
/// roughly constant, and blends toward the colour of a target out of reach.
fn bones(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let px = pens.px;
    let stretch = vec2f(length(c.x) / params.r1, distance(c.x, c.end) / params.r2);
    let width = pens.bones * clamp(inverseSqrt(max(stretch, vec2f(1e-6))), vec2f(0.35), vec2f(1.25));
    let strain = clamp(2.5 * abs(stretch - 1.0), vec2f(0.0), vec2f(0.75));
    let upper = plot::bone(point, vec2f(0.0), c.x, width.x, 0.92 * width.x);
    let lower = plot::bone(point, c.x, c.end, width.y, 0.75 * width.y);
    // A straight or folded limb has no angle to mark.
    let mark = 1.0 - smoothstep(0.97, 0.999, c.straightness);
    let sector = mark * plot::fill(in_angle(point - c.x, -c.x, c.end - c.x), px);
    let arc = plot::disc(point, c.x, 2.6 * pens.joint);
    let shade = point + 0.22 * pens.em * vec2f(-0.4, 1.0);
    let shadow = min(plot::segment(shade, vec2f(0.0), c.x) - width.x, plot::segment(shade, c.x, c.end) - width.y);

    var color = plot::over(below, inks.mid, 0.3 * sector * plot::fill(arc, px));
    color = plot::over(color, inks.mid_text, sector * plot::stroke(arc, pens.thin, px));
    color *= 1.0 - 0.13 * (1.0 - smoothstep(-0.2 * pens.em, 0.6 * pens.em, shadow));
    color = plot::over(color, inks.paper, plot::fill(upper - 0.05 * pens.em, px));
    color = bone(color, upper, width.x, mix(inks.first, inks.missed, strain.x), pens, inks);
    color = plot::over(color, inks.paper, plot::fill(lower - max(0.06 * pens.em, px), px));
    return bone(color, lower, width.y, mix(inks.second, inks.missed, strain.y), pens, inks);
}

/// A bone, lighter along its middle.
fn bone(below: vec3f, d: f32, radius: f32, ink: vec3f, pens: Pens, inks: Inks) -> vec3f {
    let body = mix(ink, inks.paper, 0.13 * (1.0 - smoothstep(-0.9 * radius, -0.2 * radius, d)));
    return plot::over(below, body, plot::fill(d, pens.px));
}

/// Negative between the directions `a` and `b`, the shorter way: the distance to the nearer of
/// the two sides.
fn in_angle(v: vec2f, a: vec2f, b: vec2f) -> f32 {
    let middle = plot::direction(plot::direction(a) + plot::direction(b));
    let edge = plot::fold(plot::direction(a), middle);
    let q = plot::fold(v, middle);
    return q.y * edge.x - q.x * edge.y;
}

fn joints(below: vec3f, point: vec2f, c: Construction, pens: Pens, inks: Inks) -> vec3f {
    let px = pens.px;
    let verdict = select(inks.missed, inks.reached, c.reached);
    let ring = 1.6 * pens.joint;
    let reticle = abs(plot::disc(point, c.p, ring));
    let ticks = max(plot::cross_mark(point, c.p, 2.4 * pens.joint), ring - distance(point, c.p));
    let crossing = plot::disc(point, c.q, 0.34 * pens.joint);
    var color = plot::over(below, inks.paper, plot::fill(crossing - 0.16 * pens.joint, px));
    color = plot::over(color, inks.ink, plot::fill(crossing, px));
    color = plot::over(color, inks.paper, 0.8 * plot::stroke(reticle, 2.5 * pens.line, px));
    // The distance by which the limb misses the target.
    let missed = select(1e3, plot::segment(point, c.end, c.p), c.solved);
    color = plot::over(color, verdict, plot::stroke(min(missed, min(reticle, ticks)), pens.line, px));
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

/// The letter at a pixel, if any: of a name in the figure or of a line on the paper.
fn letter_at(pixel: vec2f, is_panel: bool, page: Page) -> text::Text {
    // The nearest name. Its letters are in italics.
    var from_name = vec2f(1e6);
    var nearest = 0u;
    for (var i = 0u; i < 3u; i++) {
        let pair = vec4f(pixel, pixel) - frame::per_frame_value(NAMES + i);
        if dot(pair.xy, pair.xy) < dot(from_name, from_name) {
            from_name = pair.xy;
            nearest = 2u * i;
        }
        if dot(pair.zw, pair.zw) < dot(from_name, from_name) {
            from_name = pair.zw;
            nearest = 2u * i + 1u;
        }
    }
    let letters = select(1u, 2u, nearest > 2u);
    let middle = page.name * vec2f(0.05 + 0.25 * f32(letters), 0.3);
    let slanted = vec2f(from_name.x - 0.18 * from_name.y, from_name.y);
    var named = text::cell_at(slanted + middle, page.name, letters);
    named.inside = named.inside && is_panel;
    let line = line_at(pixel, page);
    let columns = u32(label_columns(page) + COLUMNS);
    let written = text::cell_at(pixel - line.corner, line.size, columns);
    let row = select(line.row, NAMES_IN_FIGURE, named.inside);
    let column = select(written.column, 2u * nearest + named.column, named.inside);
    let value = frame::per_frame_value(CHARACTERS + row * ROW_LENGTH + column);
    let at = select(written.at, named.at, named.inside);
    let cell = text::Cell(column, at, written.inside || named.inside);
    let style = text::Style(select(line.size, page.name, named.inside), value.rgb);
    return text::with_glyph(text::blank(), cell, style, u32(value.w));
}

/// Strokes of a glyph.
fn strokes_of(glyph: text::Glyph) -> text::Strokes {
    let index = STROKES + text::table_index(glyph);
    return text::strokes_from_table(frame::per_frame_value(index), frame::per_frame_value(index + 1u));
}

/// Positions of two names in the figure, in pixels: of p and q, of x and x₂, or of r₁ and r₂.
/// The names are beside the points and clear of the lines.
fn names(pair: u32, c: Construction, page: Page) -> vec4f {
    let size = page.name / page.unit;
    let line = plot::direction(c.p);
    let left = vec2f(-line.y, line.x);
    let side = bend_of(c, left);
    let out = side * left;
    var first = bone_label(vec2f(0.0), c.x, side, size);
    var second = bone_label(c.x, c.end, side, size);
    var is_shown = vec2<bool>(c.solved);
    // Points that are close together get fewer names.
    if pair == 0u {
        first = target_label(c, line, out, size);
        second = crossing_label(c, line, out, size);
        let has_q = max(length(c.p), length(c.q)) > 1.5 * size && (!c.reached || distance(c.x, c.q) > 1.5 * size);
        is_shown = vec2<bool>(true, has_q);
    } else if pair == 1u {
        // At a straight limb's joint, both circles touch the line toward `out`.
        let beside = mix(out, 3.6 * out - 2.2 * line, smoothstep(0.94, 0.999, c.straightness));
        first = joint_label(c.x, c.end, beside, size);
        second = joint_label(c.other, c.end, -out, size);
        is_shown.y = c.reached && distance(c.x, c.other) > 4.0 * size;
    }
    let pixels = vec4f(page.start, page.start) + page.unit * vec4f(first, second);
    // A hidden name is far away.
    return select(vec4f(1e6), pixels, is_shown.xxyy);
}

/// Position of the name of p. Three rays meet at p: to the start and to both solutions. The
/// name is in the widest gap between them: outside, or beside the line to the start.
fn target_label(c: Construction, line: vec2f, out: vec2f, size: f32) -> vec2f {
    let cosine = select(1.0, dot(plot::direction(c.x - c.p), line), c.reached);
    let half = sqrt(max(0.5 + 0.5 * vec2f(-cosine, cosine), vec2f(0.0)));
    let beside = -half.x * line - half.y * out;
    // Beyond reach, outside may be off the page.
    let far = smoothstep(1.0, 1.1, length(c.p) / (params.r1 + params.r2));
    // The chord takes the room outside if q is further out than p.
    let taken = select(0.0, 1.0, dot(c.q, line) > length(c.p));
    let weight = max(max(far, taken), smoothstep(0.4, 0.6, cosine));
    return c.p + 2.1 * size * plot::direction(mix(line, beside, weight));
}

/// Position of the name of the mid joint x: outside its angle, toward `out`.
fn joint_label(x: vec2f, end: vec2f, out: vec2f, size: f32) -> vec2f {
    let inward = plot::direction(-x) + plot::direction(end - x);
    return x + 1.45 * size * plot::direction(0.5 * out - inward);
}

/// Position of the name of q: in the quarter of the crossing that is away from the limb and
/// has the most room, clear of the target's reticle.
fn crossing_label(c: Construction, line: vec2f, out: vec2f, size: f32) -> vec2f {
    let from_start = dot(c.q, line);
    let to_target = length(c.p) - from_start;
    let is_outward = from_start > 0.0 && (to_target > from_start || to_target < 0.0);
    // The radical axis takes more room than the chord, which ends at the limb.
    let offset = select(-1.0, 1.0, is_outward) * select(1.15, 0.7, c.reached) * line - out;
    let clear = mix(1.7, 0.95, smoothstep(1.2 * size, 2.6 * size, abs(to_target)));
    return c.q + clear * size * offset;
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
    return mix(a, b, 0.5) + 1.3 * size * side * vec2f(-bone.y, bone.x);
}

/// Columns of the readouts, their rows with the title on a narrow page, and the height of a
/// row and the margin in capitals.
const COLUMNS: f32 = 18.0;
const ROWS: f32 = 10.0;
const LEADING: f32 = 1.85;
const MARGIN: f32 = 2.4;
/// Gap between the settings at the foot and the readouts, and that below the formula, in rows.
const SETTINGS_GAP: f32 = 0.9;
const FORMULA_GAP: f32 = 0.8;
/// Columns by which the formula extends to the left of the readouts.
const FORMULA_MARGIN: f32 = 7.0;

/// Rows of characters from the bottom up: the settings, the readouts and the formula start at
/// these, then there are the title, the subtitle and the names in the figure.
const READOUTS: u32 = 2u;
const FORMULA: u32 = 7u;
const TITLE: u32 = 13u;
const SUBTITLE: u32 = 14u;
const NAMES_IN_FIGURE: u32 = 15u;
/// Characters of a row among the per-frame values.
const ROW_LENGTH: u32 = 25u;

/// A line of text.
struct Line {
    row: u32,
    /// Left end of the baseline, in pixels.
    corner: vec2f,
    /// Height of a capital in pixels.
    size: f32,
}

/// The line of text at a pixel.
fn line_at(pixel: vec2f, page: Page) -> Line {
    let leading = LEADING * page.size;
    let left = page.readouts.x - label_columns(page) * text::advance(page.size);
    // The title is above the other rows on the paper, with a subtitle on a wide page.
    let size = select(1.5, 2.0, page.is_wide) * page.size;
    let top = frame::frame.resolution.y - page.readouts.y - size + 0.55 * page.size;
    let title = vec2f(left, select(page.readouts.y + leading * (ROWS - 1.5), top, page.is_wide));
    let subtitle = title - vec2f(0.0, 1.72 * page.size);
    if pixel.y > title.y - 0.75 * page.size {
        return Line(TITLE, title, size);
    } else if page.is_wide && pixel.y > subtitle.y - 0.5 * page.size {
        return Line(SUBTITLE, subtitle, 0.76 * page.size);
    }
    // A row extends a quarter below its baseline. The settings are set apart, and so is the
    // formula.
    let height = (pixel.y - page.readouts.y) / leading + 0.25;
    let readouts = f32(READOUTS);
    let formula = f32(FORMULA);
    var gap = SETTINGS_GAP;
    var rows = vec2f(readouts, formula - 1.0);
    if height < readouts + 0.5 * SETTINGS_GAP {
        gap = 0.0;
        rows = vec2f(0.0, readouts - 1.0);
    } else if height > formula + SETTINGS_GAP + 0.5 * FORMULA_GAP {
        gap = SETTINGS_GAP + FORMULA_GAP;
        rows = vec2f(formula, f32(TITLE) - 1.0);
    }
    let row = clamp(floor(height - gap), rows.x, rows.y);
    return Line(u32(row), vec2f(left, page.readouts.y + leading * (row + gap)), page.size);
}

/// Columns by which the labels extend to the left of the readouts.
fn label_columns(page: Page) -> f32 {
    return select(0.0, FORMULA_MARGIN, page.is_wide);
}

/// Draws over `below` the line above the settings, and the mark behind the result of the
/// formula.
fn rules(below: vec3f, pixel: vec2f, page: Page, inks: Inks) -> vec3f {
    let at = pixel - page.readouts;
    let width = text::advance(page.size);
    let ends = vec2f(-label_columns(page) * width, (COLUMNS - 0.25) * width);
    let leading = LEADING * page.size;
    let height = (f32(READOUTS) + 0.5 * SETTINGS_GAP - 0.25) * leading;
    let d = plot::segment(at, vec2f(ends.x, height), vec2f(ends.y, height));
    // The mark ends between the descenders of the row above and of its own.
    let half = vec2f(0.5 * (ends.y - ends.x), 0.42 * page.size);
    let middle = vec2f(0.5 * (ends.x + ends.y), 0.38 * page.size + (f32(FORMULA) + SETTINGS_GAP + FORMULA_GAP) * leading);
    let result = length(max(abs(at - middle) - half, vec2f(0.0))) - 0.5 * page.size;
    // On dark paper, a little light shows more.
    let tint = select(0.42, 0.08, params.theme == 1u);
    let color = plot::over(below, inks.mid, select(0.0, tint, page.is_wide) * plot::fill(result, 1.0));
    return plot::over(color, inks.ghost, plot::stroke(d, max(0.05 * page.size, 1.0), 1.0));
}

/// One row of characters: a label and a value, which is a number or words.
struct Row {
    label: vec4u,
    /// Words instead of a number if there are any, and their length.
    words: vec4u,
    columns: u32,
    value: f32,
    /// Digits after the point; 0 for no number, more than six for scientific notation.
    decimals: u32,
    /// Colour of the value.
    ink: vec3f,
}

/// Colour (xyz) and code (w, 0 for none) of the character at a column of a row.
fn character(row: u32, column: u32, c: Construction, page: Page) -> vec4f {
    let inks = inks(params.theme == 1u || row == NAMES_IN_FIGURE);
    let from_right = u32(label_columns(page) + COLUMNS) - 1u - column;
    // Points take two fields of the formula, each of six columns.
    let content = row_at(row, from_right < 6u, c, inks);
    let label = text::character(content.label, column);
    if label > 32u {
        return vec4f(label_ink(content.label, column, row, c, inks), f32(label));
    }
    return vec4f(content.ink, f32(value_code(content, from_right)));
}

/// Code of the character of a row's value that is `from_right` columns from the right.
fn value_code(row: Row, from_right: u32) -> u32 {
    if row.decimals == 0u {
        return select(0u, text::character(row.words, row.columns - 1u - from_right), from_right < row.columns);
    } else if row.decimals > 6u {
        return select(0u, text::scientific_code(7u - from_right, row.value), from_right < 8u);
    }
    // Rows with one decimal are in degrees, those with two are points.
    let is_angle = row.decimals == 1u;
    if is_angle && from_right == 0u {
        return 0xb0u; // "°"
    }
    let place = select(from_right % 6u, from_right - select(0u, 1u, is_angle), row.decimals != 2u);
    return select(0u, text::fixed_code(place, row.value, row.decimals), from_right < 12u);
}

/// Colour of the character at `column` of the label of row `number`: in formulas, points and
/// bones have the colours of the figure.
fn label_ink(label: vec4u, column: u32, number: u32, c: Construction, inks: Inks) -> vec3f {
    if number < 4u || number == SUBTITLE {
        return inks.muted;
    } else if number == TITLE {
        return inks.ink;
    } else if number == NAMES_IN_FIGURE && column / 2u == 3u {
        return inks.muted; // "x₂"
    }
    let code = text::character(label, column);
    let next = text::character(label, column + 1u);
    let is_second = code == 0xb2u || code == 0x9du || next == 0xb2u || next == 0x9du;
    let is_bone = is_second || code == 0x72u || code == 0xb1u || code == 0x9cu;
    var ink = select(inks.muted, inks.ink, number >= FORMULA);
    ink = select(ink, select(inks.first, inks.second, is_second), is_bone);
    ink = select(ink, inks.mid_text, code == 0x78u);
    ink = select(ink, inks.ink, code == 0x71u);
    ink = select(ink, select(inks.missed, inks.reached, c.reached), code == 0x70u);
    return ink;
}

/// Row `number`; `is_second` selects the second coordinate of a point.
fn row_at(number: u32, is_second: bool, c: Construction, inks: Inks) -> Row {
    let h = square(c.p);
    let squares = vec2f(params.r1 * params.r1, params.r2 * params.r2);
    let k = (squares.x - squares.y) / h;
    let s = squares.x / square(c.q) - 1.0;
    let solved = select(0u, 7u, c.solved);
    switch number {
        case 0u: { return policy(inks); }
        case 1u: { return formula(inks); }
        case 2u: { return verdict(c, inks); }
        case 3u: { return valued(vec4u(0x656c626fu, 0x77000000u, 0u, 0u), elbow_degrees(c), select(0u, 1u, c.solved), inks.ink); } // "elbow"
        case 4u: { return valued(vec4u(0x7c782d70u, 0x7c2d72b2u, 0u, 0u), distance(c.x, c.p) - params.r2, solved, inks.ink); } // "|x-p|-r₂"
        case 5u: { return valued(vec4u(0x7c787c2du, 0x72b10000u, 0u, 0u), length(c.x) - params.r1, solved, inks.ink); } // "|x|-r₁"
        case 6u: { return valued(vec4u(0x7c707c00u, 0u, 0u, 0u), length(c.p), 3u, inks.ink); } // "|p|"
        case 7u: { return mid_joint(is_second, c, inks); }
        case 8u: { return valued(vec4u(0x73203d20u, 0x729c2f7cu, 0x717c922du, 0x31000000u), s, decimals(s), select(inks.missed, inks.ink, c.reached)); } // "s = r₁²/|q|²-1"
        case 9u: { return valued(vec4u(0x71203d20u, 0x7028312bu, 0x6b292f32u, 0u), select(c.q.x, c.q.y, is_second), select(0u, 2u, length(c.q) < 99.0), inks.ink); } // "q = p(1+k)/2"
        case 10u: { return valued(vec4u(0x6b203d20u, 0x28729c2du, 0x729d292fu, 0x68000000u), k, decimals(k), inks.ink); } // "k = (r₁²-r₂²)/h"
        case 11u: { return valued(vec4u(0x68203d20u, 0x7c707c92u, 0u, 0u), h, 3u, inks.ink); } // "h = |p|²"
        case 12u: { return valued(vec4u(0x72b12c20u, 0x72b20000u, 0u, 0u), select(params.r1, params.r2, is_second), 2u, inks.ink); } // "r₁, r₂"
        case TITLE: { return label_only(vec4u(0x54776f2du, 0x626f6e65u, 0x20494b00u, 0u)); } // "Two-bone IK"
        case SUBTITLE: {
            let start = vec4u(0x77686572u, 0x65207477u, 0x6f206369u, 0x72636c65u); // "where two circle"
            let end = vec4u(0x73206d65u, 0x65740000u, 0u, 0u); // "s meet"
            return worded(start, end, 9u, inks.muted);
        }
        default: { return label_only(vec4u(0x70007100u, 0x780078b2u, 0x72b172b2u, 0u)); } // "pqxx₂r₁r₂"
    }
}

/// A row with a number.
fn valued(label: vec4u, value: f32, decimals: u32, ink: vec3f) -> Row {
    return Row(label, vec4u(), 0u, value, decimals, ink);
}

/// A row without a value.
fn label_only(label: vec4u) -> Row {
    return Row(label, vec4u(), 0u, 0.0, 0u, vec3f());
}

/// A row with words of `columns` characters.
fn worded(label: vec4u, words: vec4u, columns: u32, ink: vec3f) -> Row {
    return Row(label, words, columns, 0.0, 0u, ink);
}

/// Three decimals, or scientific notation for a number that would not fit.
fn decimals(value: f32) -> u32 {
    return select(3u, 7u, abs(value) > 999.0);
}

/// The row of x: the formula or, out of reach, what the policy makes of it.
fn mid_joint(is_second: bool, c: Construction, inks: Inks) -> Row {
    let value = select(c.x.x, c.x.y, is_second);
    let formula = vec4u(0x78203d20u, 0x712b9a73u, 0x20719b00u, 0u); // "x = q+√s q⊥"
    if c.reached {
        return valued(formula, value, 2u, inks.ink);
    }
    if params.policy == FAIL {
        return worded(formula, vec4u(0x6e6f6e65u, 0u, 0u, 0u), 4u, inks.missed); // "none"
    }
    if params.policy == MEET {
        return valued(vec4u(0x78203d20u, 0x71000000u, 0u, 0u), value, 2u, inks.missed); // "x = q"
    }
    let forward = vec4u(0x78203d20u, 0x72b1702fu, 0x7c707c00u, 0u); // "x = r₁p/|p|"
    let backward = vec4u(0x78203d2du, 0x72b1702fu, 0x7c707c00u, 0u); // "x =-r₁p/|p|"
    return valued(select(forward, backward, dot(c.x, c.p) < 0.0), value, 2u, inks.missed);
}

/// Angle between the bones at the mid joint.
fn elbow_degrees(c: Construction) -> f32 {
    let straight = dot(plot::direction(-c.x), plot::direction(c.end - c.x));
    return degrees(acos(clamp(straight, -1.0, 1.0)));
}

fn verdict(c: Construction, inks: Inks) -> Row {
    let label = vec4u(0x74617267u, 0x65740000u, 0u, 0u); // "target"
    if c.reached {
        return worded(label, vec4u(0x72656163u, 0x6861626cu, 0x65000000u, 0u), 9u, inks.reached); // "reachable"
    }
    if length(c.p) > params.r1 + params.r2 {
        return worded(label, vec4u(0x746f6f20u, 0x66617200u, 0u, 0u), 7u, inks.missed); // "too far"
    }
    return worded(label, vec4u(0x746f6f20u, 0x6e656172u, 0u, 0u), 8u, inks.missed); // "too near"
}

/// The row of the chosen formula.
fn formula(inks: Inks) -> Row {
    let label = vec4u(0x666f726du, 0u, 0u, 0u); // "form"
    if params.transcription == 1u {
        return worded(label, vec4u(0x61727469u, 0x636c6520u, 0x66617374u, 0u), 12u, inks.muted); // "article fast"
    } else if params.transcription == 2u {
        return worded(label, vec4u(0x61727469u, 0x636c6520u, 0x66697273u, 0x74000000u), 13u, inks.muted); // "article first"
    }
    return worded(label, vec4u(0x66616374u, 0x6f726564u, 0u, 0u), 8u, inks.muted); // "factored"
}

/// The row of the chosen policy.
fn policy(inks: Inks) -> Row {
    let label = vec4u(0x6f757420u, 0x6f662072u, 0x65616368u, 0u); // "out of reach"
    if params.policy == MEET {
        return worded(label, vec4u(0x6d656574u, 0u, 0u, 0u), 4u, inks.muted); // "meet"
    } else if params.policy == FAIL {
        return worded(label, vec4u(0x6661696cu, 0u, 0u, 0u), 4u, inks.muted); // "fail"
    }
    return worded(label, vec4u(0x636c616du, 0x70000000u, 0u, 0u), 5u, inks.muted); // "clamp"
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let page = page();
    let is_panel = select(frag_coord.y > page.edge, frag_coord.x < page.edge, page.is_wide);
    let inks = inks(is_panel || params.theme == 1u);
    let point = (frag_coord - page.start) / page.unit;
    var drawn = inks.paper;
    if is_panel {
        drawn = figure(point, construction(), pens(page), inks);
    } else {
        drawn = rules(drawn, frag_coord, page, inks);
    }
    // The letter at the pixel is selected first, so that strokes are drawn once: see tarsus::text.
    let letter = letter_at(frag_coord, is_panel, page);
    let glyph = text::glyph_of(letter);
    let d = text::distance_to_strokes(glyph, strokes_of(glyph));
    let paper = select(drawn, inks.paper, is_panel);
    return palette::display(text::composite_over_lines(drawn, letter, d, paper, 1.0));
}
