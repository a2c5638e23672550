#define_import_path figure

// Drawing of the article's figures: `begin`, then shapes from back to front, then `end`.
// Points are in units of length with the origin where `begin` puts it, y up.

#import tarsus::{frame, palette, plot, pointer, text}

/// The point being drawn, and the size of a pixel there.
var<private> point: vec2f;
var<private> px: f32;
/// Pixels per unit of length, and the origin in pixels.
var<private> unit: f32;
var<private> origin: vec2f;
/// Height of a capital. Line widths follow it.
var<private> em: f32;
var<private> color: vec3f;
var<private> letters: text::Text;

/// Colours in linear light, set by `begin`.
var<private> paper: vec3f;
var<private> faint: vec3f;
var<private> muted: vec3f;
var<private> ink: vec3f;
/// The first bone, the second bone, and the joint between them.
var<private> blue: vec3f;
var<private> red: vec3f;
var<private> yellow: vec3f;
/// Lines that belong to the joint: yellow, with enough contrast to the paper.
var<private> amber: vec3f;
/// A target within reach, and one out of reach.
var<private> green: vec3f;
var<private> purple: vec3f;

/// Starts a figure that shows at least `half_size` to each side of its centre. The origin is
/// `offset` away from the centre. `theme` is 0 for light paper and 1 for dark paper.
fn begin(frag_coord: vec2f, half_size: vec2f, offset: vec2f, theme: u32) {
    let size = frame::frame.resolution;
    unit = min(0.5 * size.x / half_size.x, 0.5 * size.y / half_size.y);
    origin = 0.5 * size + offset * unit;
    px = frame::frame.stride.y / unit;
    point = (frag_coord - origin) / unit;
    em = 0.042 * min(size.x, 1.3 * size.y) / unit;
    letters = text::blank();
    if theme == 0u {
        paper = palette::hex(0xfffdf8u);
        faint = palette::hex(0xe9e4d8u);
        muted = palette::hex(0x8b8679u);
        ink = palette::hex(0x22262eu);
        blue = palette::hex(0x2a5f94u);
        red = palette::hex(0xc4513au);
        yellow = palette::hex(0xf0b429u);
        amber = palette::hex(0xb87400u);
        green = palette::hex(0x2f9e6eu);
        purple = palette::hex(0x9c3d86u);
    } else {
        paper = palette::hex(0x16181bu);
        faint = palette::hex(0x2c3035u);
        muted = palette::hex(0x8a9099u);
        ink = palette::hex(0xece7dau);
        blue = palette::hex(0x74b0e4u);
        red = palette::hex(0xf08a6cu);
        yellow = palette::hex(0xf7c948u);
        amber = yellow;
        green = palette::hex(0x4fc592u);
        purple = palette::hex(0xd77fc4u);
    }
    color = paper;
}

/// Factor by which a view grows to hold bones that are longer than the default ones.
fn growth(r1: f32, r2: f32) -> f32 {
    return max(1.0, max((r1 + r2) / 1.5, max(r1, r2) / 0.85));
}

/// The finished picture.
fn end() -> vec4f {
    return palette::display(text::over_lines(color, letters, paper, px));
}

/// The pointer while it is over the figure, otherwise `idle`.
fn dragged(idle: vec2f) -> vec2f {
    return (pointer::target_in_pixels(origin + unit * idle) - origin) / unit;
}

/// A point that visits the region within reach, its hole and the outside in 14 seconds.
fn wanderer(r1: f32, r2: f32) -> vec2f {
    return pointer::idle_target(frame::frame.time / 14.0, abs(r1 - r2), r1 + r2);
}

/// A point that stays within reach, to the right of the start.
fn inside_wanderer(r1: f32, r2: f32) -> vec2f {
    let t = 0.7 * frame::frame.time;
    let radius = mix(abs(r1 - r2), r1 + r2, 0.66 + 0.2 * sin(1.3 * t));
    return radius * plot::direction(vec2f(1.0, 0.22 + 0.4 * sin(t)));
}

fn fill(d: f32, hue: vec3f, amount: f32) {
    color = plot::over(color, hue, amount * plot::fill(d, px));
}

fn stroke(d: f32, width: f32, hue: vec3f) {
    color = plot::over(color, hue, plot::stroke(d, max(width * em, 1.2 * px), px));
}

fn circle(center: vec2f, radius: f32, hue: vec3f) {
    stroke(plot::disc(point, center, radius), 0.09, hue);
}

fn line(a: vec2f, b: vec2f, hue: vec3f) {
    stroke(plot::segment(point, a, b), 0.09, hue);
}

fn dashes(a: vec2f, b: vec2f, hue: vec3f) {
    color = plot::over(color, hue, plot::dashed(point, a, b, max(0.09 * em, 1.2 * px), 0.7 * em, px));
}

fn arrow(a: vec2f, b: vec2f, hue: vec3f) {
    fill(plot::arrow(point, a, b, max(0.12 * em, 1.2 * px), 0.8 * em), hue, 1.0);
}

fn bone(a: vec2f, b: vec2f, hue: vec3f, amount: f32) {
    fill(plot::bone(point, a, b, 0.5 * em, 0.34 * em), hue, amount);
}

/// A joint: a disc with a rim.
fn joint(at: vec2f, core: vec3f) {
    let d = plot::disc(point, at, 0.6 * em);
    fill(d, ink, 1.0);
    fill(d + 0.17 * em, core, 1.0);
}

fn dot_at(at: vec2f, hue: vec3f) {
    fill(plot::disc(point, at, 0.28 * em), hue, 1.0);
}

/// A target that one can drag: a ring with ticks.
fn handle(at: vec2f, hue: vec3f) {
    let ring = plot::disc(point, at, 0.95 * em);
    let ticks = max(plot::cross_mark(point, at, 1.4 * em), 0.95 * em - distance(point, at));
    stroke(ring, 0.13, hue);
    stroke(ticks, 0.13, hue);
}

/// A limb of two bones with its joints.
fn limb(start: vec2f, mid: vec2f, end: vec2f, tip: vec3f) {
    bone(start, mid, blue, 1.0);
    bone(mid, end, red, 1.0);
    joint(start, paper);
    joint(mid, yellow);
    joint(end, tip);
}

fn right_angle(corner: vec2f, a: vec2f, b: vec2f) {
    stroke(plot::right_angle(point, corner, a, b, 0.6 * em), 0.07, muted);
}

/// Up to eight characters, centred on `at`; see tarsus::text for their codes.
fn label(at: vec2f, hue: vec3f, count: f32, characters: vec2u) {
    let half = vec2f(0.5 * count * text::advance(em), 0.5 * em);
    letters = text::words(letters, point - at + half, text::Style(em, hue), vec4u(characters, 0u, 0u));
}
