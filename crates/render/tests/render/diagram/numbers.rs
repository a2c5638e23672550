//! The drawn numbers match the reference: each character is recognized as the nearest of
//! all that can appear.

use super::page::{SIZE, advance, axis, distance, readouts, text_size, to_pixel};
use super::reference::{POLICIES, R1, R2, reachable, reference, targets};
use crate::common::{SceneRenderer, assert_alike};
use tarsus_render::Picture;

/// A scene that draws one character in every column of a line, or a number.
const SPECIMEN: &str = "
#import tarsus::palette
#import tarsus::text
struct Params {
    /// Where the line starts, in pixels [0, 1000] = 0,0
    origin: vec2f,
    /// Height of a capital in pixels [0, 100] = 15.3
    size: f32,
    /// A number to draw [-10, 10] = 0
    value: f32,
    /// Character to repeat, if any [0, 255] = 0
    code: u32,
    /// Digits after the point [0, 6] = 3
    decimals: u32,
    /// The number's form {fixed, scientific} = fixed
    form: u32,
    /// Colour = #f4f1e8
    ink: vec3f,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(frag_coord: vec2f) -> vec4f {
    let p = frag_coord - params.origin;
    let style = text::Style(params.size, palette::linear_from_display(params.ink));
    var written = text::blank();
    if params.code > 0u {
        written = text::words(written, p, style, vec4u(params.code * 0x01010101u));
    } else if params.form == 0u {
        written = text::fixed(written, p, style, params.value, 8u, params.decimals);
    } else {
        written = text::scientific(written, p, style, params.value);
    }
    return palette::display(text::over(palette::hex(0x05080fu), written, 1.0));
}
";

/// Reads lines of eight characters that start at the same x.
struct Reader {
    x: f64,
    /// Every character that numbers can contain, drawn in every column.
    alphabet: Vec<(char, Picture)>,
    row: f64,
}

impl Reader {
    /// Creates a reader for lines whose baseline starts at `origin`, in pixels, y up.
    fn at(origin: [f64; 2]) -> Self {
        Self::with_alphabet(origin, specimen(origin))
    }

    /// Creates a reader for lines of another colour.
    fn in_ink(origin: [f64; 2], ink: &str) -> Self {
        let mut scene = specimen(origin);
        scene.set(&format!("ink={ink}"));
        Self::with_alphabet(origin, scene)
    }

    fn with_alphabet(origin: [f64; 2], mut scene: SceneRenderer) -> Self {
        let alphabet = " 0123456789+-.e"
            .chars()
            .map(|character| {
                scene.set(&format!("code={}", u32::from(character)));
                (character, scene.at_time(SIZE, 0.0))
            })
            .collect();
        let [x, row] = origin;
        Self { x, alphabet, row }
    }

    /// Reads the line of `picture` whose baseline is at the reader's row.
    fn read(&self, picture: &Picture) -> String {
        let line: String = (0..8).map(|column| self.character(picture, column)).collect();
        line.trim().to_owned()
    }

    /// Recognizes the character whose drawing is nearest; panics if none is near.
    fn character(&self, picture: &Picture, column: u32) -> char {
        let left = (self.x + advance() * (f64::from(column) - 0.1)).round() as u32;
        let bottom = SIZE.1 - (self.row - 0.2 * text_size()).round() as u32;
        let cell = |picture: &Picture| -> Vec<u8> {
            let rows = bottom - (1.4 * text_size()) as u32..bottom;
            let pixels = rows.flat_map(|y| (left..left + advance() as u32).map(move |x| (x, y)));
            pixels.map(|(x, y)| picture.pixel(x, y)[1]).collect()
        };
        let drawn = cell(picture);
        let apart = |template: &Picture| -> u32 {
            let pairs = drawn.iter().zip(cell(template));
            pairs.map(|(a, b)| u32::from(a.abs_diff(b))).sum()
        };
        let (apart, character) = self
            .alphabet
            .iter()
            .map(|(character, template)| (apart(template), *character))
            .min()
            .expect("an alphabet");
        // The same glyph at the same position differs only by rounding; the most similar
        // pair of different glyphs, by dozens of full pixels.
        assert!(apart < 500, "column {column} is no character: {apart}");
        character
    }
}

/// The scene [`SPECIMEN`] with its line at `origin`.
fn specimen(origin: [f64; 2]) -> SceneRenderer {
    let mut scene = SceneRenderer::of_text(SPECIMEN, "specimen.wgsl");
    scene.set(&format!("origin={},{}", origin[0], origin[1])).set(&format!("size={}", text_size()));
    scene
}

/// Creates a reader for the number in readout `row`, counted from the lowest.
fn readout(row: u32, columns_off: f64) -> Reader {
    let [left, bottom] = readouts();
    let row = bottom + 1.85 * text_size() * f64::from(row);
    Reader::at([left + (18.0 + columns_off) * advance(), row])
}

/// Origin of the number beside formula `row`, counted from the lowest.
fn value(row: f64) -> [f64; 2] {
    [readouts()[0] + 18.0 * advance(), axis(row) - 0.5 * text_size()]
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

#[test]
fn drawn_numbers_match_their_values() {
    let origin = [100.3, 200.7];
    let reader = Reader::at(origin);
    let mut scene = specimen(origin);
    let mut drawn = |value: f32, setting: &str| {
        scene.set(&format!("value={value}")).set(setting);
        reader.read(&scene.at_time(SIZE, 0.0))
    };
    for value in [0.0, 1.0, -1.0, 0.5, -0.25, 123.456, -99.875, 1e-4, 6.28125, -0.062, -1e-4] {
        assert_eq!(drawn(value, "form=fixed"), format!("{value:.3}").replace("-0.000", "0.000"));
    }
    for value in [1.0, -1.0, 6e-8, -1.2e-7, 9.94, 9.96, 0.1, 123.0, 1e10, -3.3e-20f32] {
        let (mantissa, exponent) = {
            let text = format!("{value:+.1e}");
            let (mantissa, exponent) = text.split_once('e').expect("an exponent");
            (mantissa.to_owned(), exponent.parse::<i32>().expect("a number"))
        };
        let expected = format!("{mantissa}e{exponent:+03}");
        assert_eq!(drawn(value, "form=scientific"), expected);
    }
    assert_eq!(drawn(0.0, "form=scientific"), "0");
}

/// Checks |p|, |x| − r1, |x − p| − r2 and the elbow angle as drawn.
#[test]
fn readouts_agree_with_the_reference() {
    let readers = [readout(4, 0.0), readout(3, 0.0), readout(2, 0.0), readout(1, -1.0)];
    let mut scene = SceneRenderer::built_in("ik_diagram");
    for (policy, setting) in POLICIES {
        scene.set(setting);
        for target in targets().into_iter().step_by(3) {
            let picture = scene.with_pointer(SIZE, to_pixel(target));
            let [span, first, second, elbow] = readers.each_ref().map(|r| r.read(&picture));
            let what = format!("{policy:?} {target:?}: {span} {first} {second} {elbow}");
            // Half a unit of the last digit, plus the rounding of the f32 pointer.
            assert!((number(&span) - distance(target, [0.0; 2])).abs() < 6e-4, "{what}");
            let Some((mid, end)) = reference(target, policy, 1.0) else {
                assert_eq!([first, second, elbow], ["", "", ""], "{what}");
                continue;
            };
            assert_residual(&first, distance(mid, [0.0; 2]) - R1, &what);
            assert_residual(&second, distance(mid, target) - R2, &what);
            let angle = angle_between([-mid[0], -mid[1]], [end[0] - mid[0], end[1] - mid[1]]);
            // For a straight limb the cosine's last digit is worth √(2·2⁻²³) rad = 0.03°;
            // plus half a unit of the last digit drawn.
            assert!((number(&elbow) - angle).abs() < 0.1, "{what}: {angle}");
        }
    }
}

/// Checks k and s as drawn. Out of reach, s is drawn too: it is negative.
#[test]
fn formula_values_agree_with_the_reference() {
    let muted = [3.0, 1.0].map(|row| Reader::in_ink(value(row), "#8393b4"));
    let missed = Reader::in_ink(value(1.0), "#ff5fa8");
    let scene = SceneRenderer::built_in("ik_diagram");
    for target in targets().into_iter().step_by(2) {
        let picture = scene.with_pointer(SIZE, to_pixel(target));
        let is_reached = reachable(target);
        let k = number(&muted[0].read(&picture));
        let s = number(&if is_reached { &muted[1] } else { &missed }.read(&picture));
        let h = target[0].powi(2) + target[1].powi(2);
        let exact_k = (R1 * R1 - R2 * R2) / h;
        let exact_s = R1 * R1 / (h * (0.5 * (1.0 + exact_k)).powi(2)) - 1.0;
        let what = format!("{target:?}: k = {k}, s = {s}");
        // Half a unit of the last digit, plus the rounding of the f32 pointer.
        assert!((k - exact_k).abs() < 6e-4 + 1e-5 * exact_k, "{what}");
        assert!((s - exact_s).abs() < 6e-4, "{what}");
        assert_eq!(s < 0.0, !is_reached, "{what}");
    }
}

/// Checks a residual, of which two digits are drawn. A zero in f64 can be a few units of
/// rounding in f32: a bone's residual is within 5u·L, measuring it costs as much again,
/// and the pointer is known to half an ulp of a pixel, 3e-5 of them, 2.4e-7 units.
fn assert_residual(drawn: &str, exact: f64, what: &str) {
    let drawn = number(drawn);
    let rounding = 10.0 * 0.5f64.powi(24) * (R1 + R2) + 2.4e-7;
    assert!(
        (drawn - exact).abs() <= 0.051 * exact.abs() + rounding,
        "{what}: {drawn} is not {exact}"
    );
}

fn angle_between(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dot, cross) = (a[0] * b[0] + a[1] * b[1], a[0] * b[1] - a[1] * b[0]);
    cross.abs().atan2(dot).to_degrees()
}

/// Reads |p| along the path of the idle target.
#[test]
fn idle_target_visits_all_regions() {
    let scene = SceneRenderer::built_in("ik_diagram");
    let reader = readout(4, 0.0);
    let spans: Vec<f64> =
        (0..24).map(|i| number(&reader.read(&scene.at_time(SIZE, 0.5 * f64::from(i))))).collect();
    let visits = |range: std::ops::Range<f64>| spans.iter().any(|span| range.contains(span));
    assert!(visits(0.0..R1 - R2), "the hole: {spans:?}");
    assert!(visits(0.5..1.2), "the ring: {spans:?}");
    assert!(visits(R1 + R2 - 1e-3..R1 + R2 + 1e-3), "the boundary: {spans:?}");
    assert!(visits(1.5..2.0), "outside: {spans:?}");
    let (first, second) = (scene.at_time(SIZE, 1.0), scene.at_time(SIZE, 13.0));
    assert_alike(&second, &first, "one round later");
}
