#define_import_path tarsus::text

// Vector text: letters, digits and signs as strokes, antialiased at any size.
//
// A scene first places its text, then draws it. `Text` holds at most one glyph, that at the
// point being drawn, so strokes are evaluated once per pixel for any number of words.
//
//     var written = text::blank();
//     written = text::words(written, p - origin, style, vec4u(0x72656163u, 0x68000000u, 0u, 0u)); // "reach"
//     written = text::fixed(written, p - other, style, value, 8u, 3u);
//     color = text::over(color, written, px);
//
// Points are relative to the left end of the baseline, in the scene's length unit, y up. The
// font is monospaced, so that numbers align in columns.
//
// WGSL has no strings: sixteen characters are passed as four words of four ASCII bytes
// each; `printf 'reach' | xxd -p` prints them. Besides ASCII, 0xb0 is the degree sign, and
// adding 0x80 to the code of a letter or digit makes it a subscript, such as 0xb1 in r₁.
// There is no subscript 0, as its code is the degree sign's. 0x90 plus a digit is that digit
// as a superscript, 0x9a the root sign and 0x9b a superscript ⊥. 0x9c and 0x9d are
// the subscripts 1 and 2 with a superscript 2 above them, as in r₁².

#import tarsus::{frame, plot}

// ---------------------------------------------------------------------------
// Placing text

/// Style of a line of text.
struct Style {
    /// Height of capitals and digits, in the scene's unit.
    size: f32,
    /// Colour in linear light.
    ink: vec3f,
}

/// The glyph at the point being drawn.
struct Text {
    /// Character code, 0 for none.
    code: u32,
    /// Position of the point in the glyph's grid.
    at: vec2f,
    /// Size of a grid step in the scene's unit.
    grid: f32,
    /// The style's colour.
    ink: vec3f,
}

/// No text.
fn blank() -> Text {
    return Text(0u, vec2f(0.0), 1.0, vec3f(0.0));
}

/// Distance from one character to the next for text of size `size` (`Style`).
fn advance(size: f32) -> f32 {
    return size * ADVANCE / CAPITAL;
}

/// `text` with up to sixteen characters added. `p` is the point being drawn, relative to
/// the start of the baseline.
fn words(text: Text, p: vec2f, style: Style, characters: vec4u) -> Text {
    let cell = cell_at(p, style.size, 16u);
    return with_glyph(text, cell, style, character(characters, cell.column));
}

/// `text` with the number `value` added, with `decimals` digits (0 to 6) after the point,
/// right-aligned in a field of `columns` columns; digits that do not fit are cut off on the
/// left. Precondition: |value| · 10^decimals < 4e9.
fn fixed(text: Text, p: vec2f, style: Style, value: f32, columns: u32, decimals: u32) -> Text {
    let cell = cell_at(p, style.size, columns);
    return with_glyph(text, cell, style, fixed_code(columns - 1u - cell.column, value, decimals));
}

/// `text` with the number `value` added in 8 columns, as -1.2e-07, with its sign; 0 is
/// right-aligned.
fn scientific(text: Text, p: vec2f, style: Style, value: f32) -> Text {
    let cell = cell_at(p, style.size, 8u);
    return with_glyph(text, cell, style, scientific_code(cell.column, value));
}

/// Distance to the centre line of the strokes, in the scene's unit. Outside a glyph's cell
/// it is only a large number, so halos end at the cell.
fn distance_to(text: Text) -> f32 {
    let glyph = glyph_of(text);
    return distance_to_strokes(glyph, strokes_of(glyph.code));
}

/// Width of the strokes of text of size `size`.
fn weight(size: f32) -> f32 {
    return size * 0.125;
}

/// The text composited over `below`; a pixel has size `px` in the scene's unit.
fn over(below: vec3f, text: Text, px: f32) -> vec3f {
    return composite(below, text, distance_to(text), px);
}

/// `over` with a halo of the colour `paper` around the strokes, for text that crosses
/// lines.
fn over_lines(below: vec3f, text: Text, paper: vec3f, px: f32) -> vec3f {
    return composite_over_lines(below, text, distance_to(text), paper, px);
}

/// `over_lines` with the distance `d` to the strokes.
fn composite_over_lines(below: vec3f, text: Text, d: f32, paper: vec3f, px: f32) -> vec3f {
    let halo = plot::fill(d - 1.3 * text.grid, px);
    return composite(plot::over(below, paper, 0.75 * halo), text, d, px);
}

fn composite(below: vec3f, text: Text, d: f32, px: f32) -> vec3f {
    let width = max(weight(text.grid * CAPITAL), 1.05 * px);
    return plot::over(below, text.ink, plot::stroke(d, width, px));
}

// ---------------------------------------------------------------------------
// Characters of a line

// The grid of a glyph: 6 steps wide, baseline at 3, capitals up to 13, small letters up to 9,
// descenders down to 0.
const ADVANCE: f32 = 8.0;
const BASELINE: f32 = 3.0;
const CAPITAL: f32 = 10.0;

struct Cell {
    /// Index of the character in the line.
    column: u32,
    /// Position of the point in the glyph's grid.
    at: vec2f,
    /// True if the point is on the line.
    inside: bool,
}

/// The character's cell at p, relative to the start of the baseline, in a line of `columns`
/// characters of size `size` (`Style`).
fn cell_at(p: vec2f, size: f32, columns: u32) -> Cell {
    let at = p * (CAPITAL / size) + vec2f(0.0, BASELINE);
    let column = floor((at.x + 1.0) / ADVANCE);
    let inside = column >= 0.0 && column < f32(columns) && at.y > -2.0 && at.y < 17.0;
    let shown = clamp(column, 0.0, f32(columns) - 1.0);
    return Cell(u32(shown), at - vec2f(ADVANCE * shown, 0.0), inside);
}

/// `text` with the character `code` added in a cell, unless it is blank.
fn with_glyph(text: Text, cell: Cell, style: Style, code: u32) -> Text {
    if cell.inside && code > 32u {
        return Text(code, cell.at, style.size / CAPITAL, style.ink);
    }
    return text;
}

/// Code of character `column` of up to sixteen, 0 beyond them.
fn character(characters: vec4u, column: u32) -> u32 {
    let word = characters[min(column, 15u) / 4u];
    return select(0u, (word >> (24u - 8u * (column % 4u))) & 255u, column < 16u);
}

// ---------------------------------------------------------------------------
// Numbers

const ZERO: u32 = 48u;
const ROOT: u32 = 0x9au;
const PERPENDICULAR: u32 = 0x9bu;
const STACK_1: u32 = 0x9cu;
const STACK_2: u32 = 0x9du;
const PLUS: u32 = 43u;
const MINUS: u32 = 45u;
const POINT: u32 = 46u;
const LETTER_E: u32 = 101u;
const DEGREE: u32 = 176u;

fn power_of_ten(exponent: f32) -> f32 {
    // Rounded, because exp2 may be inexact: 10^3 must be 1000.
    let power = exp2(exponent * 3.3219281);
    return select(power, round(power), exponent >= 0.0 && exponent < 7.0);
}

/// Code of the character `from_right` places from the right of the number `value` with
/// `decimals` digits after the point; 0 for none. See `fixed`.
fn fixed_code(from_right: u32, value: f32, decimals: u32) -> u32 {
    let past_point = decimals > 0u && from_right >= decimals;
    if past_point && from_right == decimals {
        return POINT;
    }
    let place = min(from_right - select(0u, 1u, past_point), 10u);
    let number = u32(min(abs(value) * power_of_ten(f32(decimals)) + 0.5, 4e9));
    // The digits from this place on, and from the place to its right.
    var digits = number;
    var before = 1u;
    for (var i = 0u; i < place; i++) {
        before = digits;
        digits /= 10u;
    }
    if place <= decimals || digits > 0u {
        return ZERO + digits % 10u;
    }
    let after_digits = place == decimals + 1u || before > 0u;
    return select(0u, MINUS, value < 0.0 && number > 0u && after_digits);
}

/// Code of the character at `column` of a number in the form -1.2e-07.
fn scientific_code(column: u32, value: f32) -> u32 {
    let size = abs(value);
    if size < 1e-30 {
        return select(0u, ZERO, column == 7u);
    }
    var exponent = floor(log2(size) * 0.30103);
    // The logarithm may be off by one near a power of ten, and rounding may carry.
    let scaled = round(size * power_of_ten(1.0 - exponent));
    exponent += select(0.0, 1.0, scaled >= 100.0) - select(0.0, 1.0, scaled < 10.0);
    let mantissa = u32(round(size * power_of_ten(1.0 - exponent)));
    let power = u32(abs(exponent));
    switch column {
        case 0u: { return select(PLUS, MINUS, value < 0.0); }
        case 1u: { return ZERO + mantissa / 10u; }
        case 2u: { return POINT; }
        case 3u: { return ZERO + mantissa % 10u; }
        case 4u: { return LETTER_E; }
        case 5u: { return select(PLUS, MINUS, exponent < 0.0); }
        case 6u: { return ZERO + power / 10u; }
        default: { return ZERO + power % 10u; }
    }
}

// ---------------------------------------------------------------------------
// Strokes

/// A glyph to draw at a point.
struct Glyph {
    /// Code of its strokes.
    code: u32,
    /// Position of the point in its grid.
    at: vec2f,
    /// Size of its grid steps in the scene's unit.
    step: f32,
}

/// The glyph to draw for the character at the point.
fn glyph_of(text: Text) -> Glyph {
    // A stack shows its superscript above the middle and its subscript below.
    let is_stack = text.code == STACK_1 || text.code == STACK_2;
    let half = select(text.code + 0x15u, 0x92u, text.at.y > 7.75);
    let code = select(text.code, half, is_stack);
    // A subscript or superscript is the same glyph, smaller and lower or higher.
    let is_superscript = code >= 0x90u && code <= PERPENDICULAR && code != ROOT;
    let is_subscript = code > PERPENDICULAR && code != DEGREE;
    let is_small = is_superscript || is_subscript;
    let scale = select(1.0, 0.62, is_small);
    let apart = select(0.0, 0.6, is_stack);
    let corner = vec2f(0.2, select(-0.6 - apart, 6.2 + apart, is_superscript));
    let at = select(text.at, (text.at - corner) / scale, is_small);
    let raised = select((code & 15u) + ZERO, code, code == PERPENDICULAR);
    let large = select(code & 127u, raised, is_superscript);
    return Glyph(select(code, large, is_small), at, scale * text.grid);
}

/// Strokes of a glyph, in order, terminated by 0. A stroke is 0xABCDTS: from the grid point
/// (A, B) to (C, D), straight if T is 0, otherwise an arc of S sixteenths of a turn,
/// counterclockwise if T is 1, clockwise if T is 2.
struct Strokes {
    first: vec3u,
    then: vec3u,
}

/// Distance to the strokes of a glyph, in the scene's unit.
fn distance_to_strokes(glyph: Glyph, strokes: Strokes) -> f32 {
    var nearest = 1e6;
    var rest = strokes;
    for (var i = 0u; i < 6u && rest.first.x != 0u; i++) {
        nearest = min(nearest, stroke_distance(rest.first.x, glyph.at));
        rest.first = vec3u(rest.first.yz, rest.then.x);
        rest.then = vec3u(rest.then.yz, 0u);
    }
    return nearest * glyph.step;
}

/// Value `index` of the table of strokes: 435 values, three for each glyph, of two strokes (xy) each.
/// Scenes keep the table in their per-frame values, so that pixels read strokes instead of
/// selecting them.
fn table_value(index: u32) -> vec4f {
    let strokes = strokes_of(32u + index / 3u);
    let pair = select(vec2u(strokes.first.z, strokes.then.x), strokes.then.yz, index % 3u == 2u);
    return vec4f(vec2f(select(pair, strokes.first.xy, index % 3u == 0u)), 0.0, 0.0);
}

/// `distance_to_strokes` with the table of strokes that begins at the per-frame value `table`.
fn distance_by_table(glyph: Glyph, table: u32) -> f32 {
    var nearest = 1e6;
    let first = table + 3u * (max(glyph.code, 32u) - 32u);
    for (var i = 0u; i < 6u; i++) {
        let pair = vec2u(frame::per_frame_value(first + i / 2u).xy);
        let stroke = select(pair.x, pair.y, i % 2u == 1u);
        if stroke == 0u {
            break;
        }
        nearest = min(nearest, stroke_distance(stroke, glyph.at));
    }
    return nearest * glyph.step;
}

/// Distance, in grid steps, from `at` to one stroke.
fn stroke_distance(stroke: u32, at: vec2f) -> f32 {
    let nibbles = vec4f((vec4u(stroke) >> vec4u(20u, 16u, 12u, 8u)) & vec4u(15u));
    let a = nibbles.xy;
    let b = nibbles.zw;
    if (stroke & 255u) == 0u {
        return plot::segment(at, a, b);
    }
    let half_sweep = f32(stroke & 15u) * 0.19634954;
    let side = select(-1.0, 1.0, (stroke & 16u) != 0u);
    return turn(at, a, b, vec2f(cos(half_sweep), sin(half_sweep)), side);
}

/// Distance to the arc from a to b that turns left (side = 1) or right (-1) by twice the
/// angle whose cosine and sine are `half`.
fn turn(p: vec2f, a: vec2f, b: vec2f, half: vec2f, side: f32) -> f32 {
    let chord = distance(a, b);
    let forward = (b - a) / chord;
    // From the middle of the chord to the top of the arc.
    let outward = side * vec2f(forward.y, -forward.x);
    let radius = 0.5 * chord / half.y;
    let center = 0.5 * (a + b) - outward * (radius * half.x);
    let q = plot::fold(p - center, outward);
    let within = half.y * q.x >= half.x * q.y;
    return select(distance(q, half * radius), abs(length(q) - radius), within);
}

/// Strokes of a character code. `select` within groups of sixteen codes compiles much
/// faster than one switch over all codes.
fn strokes_of(code: u32) -> Strokes {
    var first = vec3u();
    var then = vec3u();
    switch code / 16u {
        case 2u: {
            first = select(first, vec3u(0x232d00u, 0x434d00u, 0x165600u), code == 35u); // #
            then = select(then, vec3u(0x1a5a00u, 0u, 0u), code == 35u);
            first = select(first, vec3u(0x4f4014u, 0u, 0u), code == 40u); // (
            first = select(first, vec3u(0x2f2024u, 0u, 0u), code == 41u); // )
            first = select(first, vec3u(0x086800u, 0x353b00u, 0u), code == 43u); // +
            first = select(first, vec3u(0x333200u, 0x322100u, 0u), code == 44u); // ,
            first = select(first, vec3u(0x185800u, 0u, 0u), code == 45u); // -
            first = select(first, vec3u(0x333400u, 0u, 0u), code == 46u); // .
            first = select(first, vec3u(0x015e00u, 0u, 0u), code == 47u); // /
        }
        case 3u: {
            first = select(first, vec3u(0x6a0a18u, 0x0a0600u, 0x066618u), code == 48u); // 0
            then = select(then, vec3u(0x666a00u, 0u, 0u), code == 48u);
            first = select(first, vec3u(0x1b3d00u, 0x3d3300u, 0u), code == 49u); // 1
            first = select(first, vec3u(0x0a582au, 0x580300u, 0x036300u), code == 50u); // 2
            first = select(first, vec3u(0x1c382au, 0x38142au, 0u), code == 51u); // 3
            first = select(first, vec3u(0x4d4300u, 0x4d0600u, 0x066600u), code == 52u); // 4
            first = select(first, vec3u(0x5d1d00u, 0x1d1800u, 0x18042cu), code == 53u); // 5
            first = select(first, vec3u(0x066618u, 0x660618u, 0x065d23u), code == 54u); // 6
            first = select(first, vec3u(0x0d6d00u, 0x6d2300u, 0u), code == 55u); // 7
            first = select(first, vec3u(0x383d18u, 0x3d3818u, 0x383318u), code == 56u); // 8
            then = select(then, vec3u(0x333818u, 0u, 0u), code == 56u);
            first = select(first, vec3u(0x6a0a18u, 0x0a6a18u, 0x6a1323u), code == 57u); // 9
            first = select(first, vec3u(0x343500u, 0x393a00u, 0u), code == 58u); // :
            first = select(first, vec3u(0x5c1800u, 0x185400u, 0u), code == 60u); // <
            first = select(first, vec3u(0x066600u, 0x0a6a00u, 0u), code == 61u); // =
            first = select(first, vec3u(0x1c5800u, 0x581400u, 0u), code == 62u); // >
            first = select(first, vec3u(0x0a582au, 0x583600u, 0x333300u), code == 63u); // ?
        }
        case 4u: {
            first = select(first, vec3u(0x033d00u, 0x3d6300u, 0x165600u), code == 65u); // A
            first = select(first, vec3u(0x030d00u, 0x0d3d00u, 0x3d3828u), code == 66u); // B
            then = select(then, vec3u(0x083800u, 0x383328u, 0x330300u), code == 66u);
            first = select(first, vec3u(0x6a0a18u, 0x0a0600u, 0x066618u), code == 67u); // C
            first = select(first, vec3u(0x030d00u, 0x0d2d00u, 0x2d6924u), code == 68u); // D
            then = select(then, vec3u(0x696700u, 0x672324u, 0x230300u), code == 68u);
            first = select(first, vec3u(0x6d0d00u, 0x0d0300u, 0x036300u), code == 69u); // E
            then = select(then, vec3u(0x085800u, 0u, 0u), code == 69u);
            first = select(first, vec3u(0x6d0d00u, 0x0d0300u, 0x085800u), code == 70u); // F
            first = select(first, vec3u(0x6a0a18u, 0x0a0600u, 0x066618u), code == 71u); // G
            then = select(then, vec3u(0x666800u, 0x683800u, 0u), code == 71u);
            first = select(first, vec3u(0x030d00u, 0x636d00u, 0x086800u), code == 72u); // H
            first = select(first, vec3u(0x333d00u, 0x1d5d00u, 0x135300u), code == 73u); // I
            first = select(first, vec3u(0x6d6600u, 0x660628u, 0u), code == 74u); // J
            first = select(first, vec3u(0x030d00u, 0x6d0700u, 0x296300u), code == 75u); // K
            first = select(first, vec3u(0x0d0300u, 0x036300u, 0u), code == 76u); // L
            first = select(first, vec3u(0x030d00u, 0x0d3700u, 0x376d00u), code == 77u); // M
            then = select(then, vec3u(0x6d6300u, 0u, 0u), code == 77u);
            first = select(first, vec3u(0x030d00u, 0x0d6300u, 0x636d00u), code == 78u); // N
            first = select(first, vec3u(0x6a0a18u, 0x0a0600u, 0x066618u), code == 79u); // O
            then = select(then, vec3u(0x666a00u, 0u, 0u), code == 79u);
        }
        case 5u: {
            first = select(first, vec3u(0x030d00u, 0x0d3d00u, 0x3d3828u), code == 80u); // P
            then = select(then, vec3u(0x380800u, 0u, 0u), code == 80u);
            first = select(first, vec3u(0x6a0a18u, 0x0a0600u, 0x066618u), code == 81u); // Q
            then = select(then, vec3u(0x666a00u, 0x466300u, 0u), code == 81u);
            first = select(first, vec3u(0x030d00u, 0x0d3d00u, 0x3d3828u), code == 82u); // R
            then = select(then, vec3u(0x380800u, 0x386300u, 0u), code == 82u);
            first = select(first, vec3u(0x5d3d00u, 0x3d3818u, 0x383328u), code == 83u); // S
            then = select(then, vec3u(0x331300u, 0u, 0u), code == 83u);
            first = select(first, vec3u(0x0d6d00u, 0x3d3300u, 0u), code == 84u); // T
            first = select(first, vec3u(0x0d0600u, 0x066618u, 0x666d00u), code == 85u); // U
            first = select(first, vec3u(0x0d3300u, 0x336d00u, 0u), code == 86u); // V
            first = select(first, vec3u(0x0d1300u, 0x133a00u, 0x3a5300u), code == 87u); // W
            then = select(then, vec3u(0x536d00u, 0u, 0u), code == 87u);
            first = select(first, vec3u(0x0d6300u, 0x036d00u, 0u), code == 88u); // X
            first = select(first, vec3u(0x0d3800u, 0x6d3800u, 0x383300u), code == 89u); // Y
            first = select(first, vec3u(0x0d6d00u, 0x6d0300u, 0x036300u), code == 90u); // Z
            first = select(first, vec3u(0x036300u, 0u, 0u), code == 95u); // _
        }
        case 6u: {
            first = select(first, vec3u(0x066618u, 0x660618u, 0x696300u), code == 97u); // a
            first = select(first, vec3u(0x0d0300u, 0x066618u, 0x660618u), code == 98u); // b
            first = select(first, vec3u(0x58541cu, 0u, 0u), code == 99u); // c
            first = select(first, vec3u(0x6d6300u, 0x066618u, 0x660618u), code == 100u); // d
            first = select(first, vec3u(0x066600u, 0x660618u, 0x065416u), code == 101u); // e
            first = select(first, vec3u(0x232b00u, 0x2b4d24u, 0x4d5d00u), code == 102u); // f
            then = select(then, vec3u(0x094900u, 0u, 0u), code == 102u);
            first = select(first, vec3u(0x066618u, 0x660618u, 0x696300u), code == 103u); // g
            then = select(then, vec3u(0x631126u, 0u, 0u), code == 103u);
            first = select(first, vec3u(0x0d0300u, 0x066628u, 0x666300u), code == 104u); // h
            first = select(first, vec3u(0x193900u, 0x393300u, 0x135300u), code == 105u); // i
            then = select(then, vec3u(0x3c3c00u, 0u, 0u), code == 105u);
            first = select(first, vec3u(0x494200u, 0x422024u, 0x201000u), code == 106u); // j
            then = select(then, vec3u(0x4c4c00u, 0u, 0u), code == 106u);
            first = select(first, vec3u(0x0d0300u, 0x590500u, 0x276300u), code == 107u); // k
            first = select(first, vec3u(0x1d3d00u, 0x3d3500u, 0x355314u), code == 108u); // l
            first = select(first, vec3u(0x090300u, 0x073728u, 0x373300u), code == 109u); // m
            then = select(then, vec3u(0x376728u, 0x676300u, 0u), code == 109u);
            first = select(first, vec3u(0x090300u, 0x066628u, 0x666300u), code == 110u); // n
            first = select(first, vec3u(0x066618u, 0x660618u, 0u), code == 111u); // o
        }
        case 7u: {
            first = select(first, vec3u(0x090000u, 0x066618u, 0x660618u), code == 112u); // p
            first = select(first, vec3u(0x696000u, 0x066618u, 0x660618u), code == 113u); // q
            first = select(first, vec3u(0x191300u, 0x165826u, 0u), code == 114u); // r
            first = select(first, vec3u(0x592900u, 0x292618u, 0x264600u), code == 115u); // s
            then = select(then, vec3u(0x464328u, 0x431300u, 0u), code == 115u);
            first = select(first, vec3u(0x2c2500u, 0x254314u, 0x435300u), code == 116u); // t
            then = select(then, vec3u(0x095900u, 0u, 0u), code == 116u);
            first = select(first, vec3u(0x090600u, 0x066618u, 0x696300u), code == 117u); // u
            first = select(first, vec3u(0x093300u, 0x336900u, 0u), code == 118u); // v
            first = select(first, vec3u(0x091300u, 0x133800u, 0x385300u), code == 119u); // w
            then = select(then, vec3u(0x536900u, 0u, 0u), code == 119u);
            first = select(first, vec3u(0x096300u, 0x036900u, 0u), code == 120u); // x
            first = select(first, vec3u(0x093300u, 0x692100u, 0u), code == 121u); // y
            first = select(first, vec3u(0x096900u, 0x690300u, 0x036300u), code == 122u); // z
            first = select(first, vec3u(0x3f3000u, 0u, 0u), code == 124u); // |
        }
        case 9u: {
            first = select(first, vec3u(0x072300u, 0x234e00u, 0x4e8e00u), code == ROOT); // √
            first = select(first, vec3u(0x145400u, 0x343b00u, 0u), code == PERPENDICULAR); // ⊥
        }
        case 11u: {
            first = select(first, vec3u(0x1b5b18u, 0x5b1b18u, 0u), code == 176u); // °
        }
        default: {}
    }
    return Strokes(first, then);
}
