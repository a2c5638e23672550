#define_import_path sheet

#import tarsus::frame
#import tarsus::palette
#import tarsus::plot
#import tarsus::raymarch
#import tarsus::text

// A sheet of pictures in cells, five to a row, each with a name below it. A scene beside this
// file says what is in the cells: names, and distances in the plane or in space.

const COLUMNS: f32 = 5.0;
/// Height of a cell with its name, in widths of a cell.
const HEIGHT: f32 = 1.16;
/// Half the extent of what a cell shows, in the unit of its shape.
const EXTENT: f32 = 1.45;

const PAPER: u32 = 0xfbf8f1u;
const INK: u32 = 0x22262eu;
const PALE_BLUE: u32 = 0xbfd3e6u;
const YELLOW: u32 = 0xf0b429u;

/// Up to 32 characters (`text::words`) for a cell.
struct Label {
    first: vec4u,
    then: vec4u,
}

virtual fn label(cell: u32) -> Label {
    return Label(vec4u(0u), vec4u(0u));
}

/// Distance to the flat shape of a cell.
virtual fn flat_distance(cell: u32, p: vec2f) -> f32 {
    return 1.0;
}

/// Distance to the solid of a cell; a bound.
virtual fn solid_distance(cell: u32, p: vec3f) -> f32 {
    return 1.0;
}

/// Weight of the second material at a point of the solid's surface, 0 to 1.
virtual fn second_material(cell: u32, p: vec3f) -> f32 {
    return 0.0;
}

struct Cell {
    number: u32,
    /// Coordinates of the picture, in the shape's unit, and the size of a pixel there.
    p: vec2f,
    px: f32,
    /// The same from the left end of the name's baseline, in widths of a cell.
    below: vec2f,
    /// Coverage by what is a picture, not its margin.
    visible: f32,
}

/// The cell that a pixel is in.
fn cell_at(frag_coord: vec2f) -> Cell {
    let width = frame::frame.resolution.x / COLUMNS;
    let from_top = vec2f(frag_coord.x, frame::frame.resolution.y - frag_coord.y) / width;
    let at = floor(from_top / vec2f(1.0, HEIGHT));
    let inside = from_top - at * vec2f(1.0, HEIGHT);
    let px = frame::frame.stride.x / width;
    let p = vec2f(inside.x - 0.5, 0.5 - inside.y);
    let frame_box = abs(p) - vec2f(0.485);
    let edge = length(max(frame_box + 0.02, vec2f(0.0))) - 0.02;
    return Cell(
        u32(at.y * COLUMNS + at.x),
        p * 2.0 * EXTENT,
        px * 2.0 * EXTENT,
        vec2f(inside.x, 1.075 - inside.y),
        plot::fill(edge, px),
    );
}

/// `color` with the name of the cell below its picture.
fn with_label(color: vec3f, cell: Cell) -> vec3f {
    let size = 0.054;
    let style = text::Style(size, palette::hex(INK));
    let name = label(cell.number);
    // The name stands in the middle: its characters are counted.
    var length = 0.0;
    for (var i = 0u; i < 32u; i++) {
        let word = select(name.first, name.then, i >= 16u)[(i / 4u) % 4u];
        length += select(0.0, 1.0, ((word >> (24u - 8u * (i % 4u))) & 255u) > 32u);
    }
    let start = vec2f(0.5 - 0.5 * length * text::advance(size), 0.0);
    var written = text::words(text::blank(), cell.below - start, style, name.first);
    let onward = vec2f(16.0 * text::advance(size), 0.0);
    written = text::words(written, cell.below - start - onward, style, name.then);
    return text::over(color, written, cell.px / (2.0 * EXTENT));
}

/// Display values in steps that the eye does not see, so that the file packs small.
fn in_steps(color: vec3f) -> vec4f {
    return vec4f(round(palette::display(color).rgb * 85.0) / 85.0, 1.0);
}

// ---- Flat shapes: terraces of equal distance --------------------------------------

/// Width of a terrace.
const TERRACE: f32 = 0.16;

/// Terraces of the distance d: they lighten outward to the paper's colour, and darken inward.
fn terrace(d: f32, px: f32) -> vec3f {
    let level = d / TERRACE;
    // The edge to the terrace before, as wide as a pixel, in few tones.
    let edge = 0.25 * round(4.0 * clamp(fract(level) * TERRACE / px, 0.0, 1.0));
    let step = floor(level) - 1.0 + edge;
    let outward = mix(palette::hex(0xe9dfc8u), palette::hex(0xf6f1e6u),
        clamp(step / 4.0, 0.0, 1.0));
    let inward = mix(palette::hex(PALE_BLUE), palette::hex(0x6f9cc7u),
        clamp(-(step + 1.0) / 5.0, 0.0, 1.0));
    return mix(outward, inward, plot::fill(d, px));
}

/// A sheet of flat shapes.
fn flat_sheet(frag_coord: vec2f, count: u32) -> vec4f {
    let cell = cell_at(frag_coord);
    var color = palette::hex(PAPER);
    if cell.number < count {
        let d = flat_distance(cell.number, cell.p);
        var shown = terrace(d, cell.px);
        shown = plot::over(shown, palette::hex(INK), plot::stroke(d, 0.040, cell.px));
        color = mix(color, shown, cell.visible);
        color = with_label(color, cell);
    }
    return palette::display(color);
}

// ---- Solids: on a table, in soft light --------------------------------------------

const TO_LIGHT: vec3f = vec3f(-0.4851, 0.7276, 0.4851);
/// Height of the table.
const TABLE: f32 = -0.98;
const AWAY: f32 = 4.0;

var<private> current: u32;

override fn raymarch::map(p: vec3f) -> f32 {
    return solid_distance(current, p);
}

/// Samples of a pixel along each side.
const SAMPLES: u32 = 3u;

/// A sheet of solids.
fn solid_sheet(frag_coord: vec2f, count: u32) -> vec4f {
    let cell = cell_at(frag_coord);
    current = cell.number;
    var color = palette::hex(PAPER);
    if cell.number < count {
        // From the front, the right and above; parallel rays.
        let back = normalize(vec3f(0.62, 0.58, 1.0));
        let right = normalize(vec3f(back.z, 0.0, -back.x));
        let up = cross(back, right);
        var sum = vec3f(0.0);
        for (var i = 0u; i < SAMPLES * SAMPLES; i++) {
            let place = (vec2f(vec2u(i % SAMPLES, i / SAMPLES)) + 0.5) / f32(SAMPLES) - 0.5;
            let p = cell.p + place * cell.px;
            sum += solid(p.x * right + (p.y - 0.06) * up + AWAY * back, -back, cell.px);
        }
        color = mix(color, sum / f32(SAMPLES * SAMPLES), cell.visible);
        color = with_label(color, cell);
    }
    return in_steps(color);
}

/// Colour along a ray.
fn solid(origin: vec3f, direction: vec3f, px: f32) -> vec3f {
    let hit = raymarch::march(origin, direction, 1.2, 7.5, px / (AWAY * f32(SAMPLES)));
    let t_table = (TABLE - origin.y) / direction.y;
    let is_solid = hit.coverage >= 0.5 && hit.distance < t_table;
    let p = origin + select(t_table, hit.distance, is_solid) * direction;
    let n = select(vec3f(0.0, 1.0, 0.0), hit.normal, is_solid);
    let around = raymarch::occlusion(p + 0.01 * n, TO_LIGHT, 0.02, 3.5, 0.12, n, 0.5);
    let light = raymarch::light_visibility(around.shadow_clearance);
    let sky = around.ambient_occlusion;
    if !is_solid {
        // The table fades into the paper.
        let fading = exp(-0.55 * dot(p.xz, p.xz));
        let shaded = mix(0.55, 1.0, light) * mix(0.6, 1.0, sky);
        return palette::hex(0xf1ece0u) * mix(1.0, shaded, fading);
    }
    let albedo = mix(palette::hex(0x7ea7ceu), palette::hex(YELLOW), second_material(current, p));
    let facing = max(dot(n, TO_LIGHT), 0.0) * light;
    let ambient = (0.5 + 0.5 * n.y) * sky;
    let half_vector = normalize(TO_LIGHT - direction);
    let shine = pow(max(dot(n, half_vector), 0.0), 40.0) * light;
    return albedo * (facing * vec3f(0.95, 0.88, 0.78) + ambient * vec3f(0.42, 0.46, 0.52) + 0.06)
        + 0.16 * shine;
}
