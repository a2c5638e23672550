//! The diagram shows what the solver says: its drawn joints and its drawn
//! numbers are read back from the pixels and compared with f64.

use crate::common::{SceneRenderer, assert_alike, assert_snapshot};
use tarsus::render::{Frame, Picture};

/// The size the diagram is read at.
const SIZE: (u32, u32) = (800, 450);
const R1: f64 = 0.8;
const R2: f64 = 0.55;

// ---------------------------------------------------------------------------
// The page, as `page()` in the scene lays it out for a wide picture

/// Height of a capital in pixels.
fn text_size() -> f64 {
    0.034 * f64::from(SIZE.1)
}

/// Width of a character in pixels.
fn advance() -> f64 {
    0.8 * text_size()
}

/// Left end of the lowest readout, y up.
fn readouts() -> [f64; 2] {
    let margin = 2.2 * text_size();
    [f64::from(SIZE.0) - 18.0 * advance() - margin, margin]
}

/// The start joint in pixels, y up.
fn start() -> [f64; 2] {
    let margin = 2.2 * text_size();
    let figure = f64::from(SIZE.0) - 18.0 * advance() - margin;
    [0.5 * figure, 0.5 * f64::from(SIZE.1)]
}

/// Pixels per unit of length.
fn unit() -> f64 {
    0.5 * f64::from(SIZE.1) / 1.75
}

fn to_pixel(p: [f64; 2]) -> [f64; 2] {
    [start()[0] + unit() * p[0], start()[1] + unit() * p[1]]
}

fn polar(radius: f64, degrees: f64) -> [f64; 2] {
    let angle = degrees.to_radians();
    [radius * angle.cos(), radius * angle.sin()]
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

// ---------------------------------------------------------------------------
// The reference: the law of cosines in f64, which is not how the shader does it

#[derive(Clone, Copy, Debug, PartialEq)]
enum Policy {
    Stretch,
    Clamp,
    None,
}

const POLICIES: [(Policy, &str); 3] = [
    (Policy::Stretch, "policy=stretch"),
    (Policy::Clamp, "policy=clamp"),
    (Policy::None, "policy=none"),
];

fn reachable(p: [f64; 2]) -> bool {
    (R1 - R2..=R1 + R2).contains(&distance(p, [0.0; 2]))
}

/// Mid and end joint for a limb that bends to the left (`side` = 1) or right.
fn reference(p: [f64; 2], policy: Policy, side: f64) -> Option<([f64; 2], [f64; 2])> {
    let d = distance(p, [0.0; 2]);
    let toward = p[1].atan2(p[0]).to_degrees();
    if reachable(p) {
        let cosine = (d * d + R1 * R1 - R2 * R2) / (2.0 * R1 * d);
        let lift = cosine.clamp(-1.0, 1.0).acos().to_degrees();
        return Some((polar(R1, toward + side * lift), p));
    }
    match policy {
        Policy::Stretch => {
            let foot = (d * d + R1 * R1 - R2 * R2) / (2.0 * d);
            Some((polar(foot, toward), p))
        }
        Policy::Clamp => {
            let end = d.clamp(R1 - R2, R1 + R2);
            Some((polar(R1, toward), polar(end, toward)))
        }
        Policy::None => None,
    }
}

// ---------------------------------------------------------------------------
// Reading joints

/// Colours of the joints' cores in the light theme: mid joint, end joint on
/// the target, end joint short of it.
const MID: [u8; 3] = [0xf0, 0xb4, 0x29];
const REACHED: [u8; 3] = [0x2f, 0x9e, 0x6e];
const MISSED: [u8; 3] = [0x9c, 0x3d, 0x86];

/// The middle of the discs of `color`, in pixels, y up. Lines and letters of
/// that colour are thinner than five pixels and do not count.
fn find_disc(picture: &Picture, color: [u8; 3]) -> Option<[f64; 2]> {
    let (pixels, width) = (pixels(picture), picture.width as usize);
    let near = |at: usize| {
        let [r, g, b, _] = pixels[at];
        r.abs_diff(color[0]) <= 6 && g.abs_diff(color[1]) <= 6 && b.abs_diff(color[2]) <= 6
    };
    let solid = |at: usize| (0..25).all(|i| near(at + i % 5 + i / 5 * width - 2 - 2 * width));
    let mut found = Vec::new();
    for y in 2..picture.height as usize - 2 {
        for x in 2..width - 2 {
            let at = y * width + x;
            if near(at) && solid(at) {
                found.push([x as f64 + 0.5, (picture.height as usize - y) as f64 - 0.5]);
            }
        }
    }
    let count = found.len() as f64;
    let mean = |axis: usize| found.iter().map(|at| at[axis]).sum::<f64>() / count;
    (!found.is_empty()).then(|| [mean(0), mean(1)])
}

fn pixels(picture: &Picture) -> &[[u8; 4]] {
    picture.rgba.as_chunks().0
}

/// Targets within reach and out of it whose joints are apart from each other.
fn targets() -> Vec<[f64; 2]> {
    let radii = [0.12, 0.4, 0.6, 0.9, 1.2, 1.33, 1.5];
    let mut targets = Vec::new();
    for (i, radius) in radii.into_iter().enumerate() {
        for turn in 0..3 {
            targets.push(polar(radius, 120.0 * f64::from(turn) + 17.0 * i as f64));
        }
    }
    targets
}

fn assert_joints(scene: &SceneRenderer, target: [f64; 2], policy: Policy, side: f64) {
    let picture = scene.with_pointer(SIZE, to_pixel(target));
    let end_color = if reachable(target) { REACHED } else { MISSED };
    let drawn = find_disc(&picture, MID).zip(find_disc(&picture, end_color));
    let expected = reference(target, policy, side);
    match (drawn, expected) {
        (None, None) => {}
        (Some((mid, end)), Some((exact_mid, exact_end))) => {
            let (mid_off, end_off) = (
                distance(mid, to_pixel(exact_mid)),
                distance(end, to_pixel(exact_end)),
            );
            assert!(
                mid_off < 1.0 && end_off < 1.0,
                "{policy:?} {target:?}: mid joint {mid_off:.2} and end joint {end_off:.2} pixels off"
            );
        }
        _ => panic!("{policy:?} {target:?}: drawn {drawn:?}, expected {expected:?}"),
    }
}

#[test]
fn joints_are_drawn_where_the_solver_says() {
    let mut scene = SceneRenderer::built_in("ik_diagram");
    for (side, bend) in [(1.0, "bend=left"), (-1.0, "bend=right")] {
        for (policy, setting) in POLICIES {
            scene.set(bend).set(setting);
            for target in targets() {
                assert_joints(&scene, target, policy, side);
            }
        }
    }
}

#[test]
fn the_article_s_forms_draw_the_same_limb() {
    let mut scene = SceneRenderer::built_in("ik_diagram");
    for transcription in ["article_fast", "article_first"] {
        scene.set(&format!("transcription={transcription}"));
        for target in targets() {
            // The first form bends the other way where |p|² < r2² − r1², which
            // is nowhere for r1 > r2.
            assert_joints(&scene, target, Policy::Clamp, 1.0);
        }
    }
}

/// Both hands on the mouse: a press wins over hovering.
#[test]
fn the_target_follows_a_press_before_the_pointer() {
    let scene = SceneRenderer::built_in("ik_diagram");
    let mut frame = Frame::offline(SIZE, 0, 60.0);
    let pressed = to_pixel(polar(0.9, 200.0)).map(f64::floor);
    let hovering = to_pixel(polar(0.9, 20.0));
    frame.pointer = [hovering[0] as f32, hovering[1] as f32, 1.0, 1.0];
    frame.mouse = [pressed[0] as f32, pressed[1] as f32, 10.0, -10.0];
    let end = find_disc(&scene.draw(&frame), REACHED).expect("an end joint");
    // The press is known to the pixel it fell into: its centre is half on.
    assert!(distance(end, pressed.map(|at| at + 0.5)) < 1.0);
}

// ---------------------------------------------------------------------------
// Reading numbers

/// Draws one character in every column of a line, or a number.
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
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(frag_coord: vec2f) -> vec4f {
    let p = frag_coord - params.origin;
    let style = text::Style(params.size, palette::hex(0x22262eu));
    var written = text::blank();
    if params.code > 0u {
        written = text::words(written, p, style, vec4u(params.code * 0x01010101u));
    } else if params.form == 0u {
        written = text::fixed(written, p, style, params.value, 8u, params.decimals);
    } else {
        written = text::scientific(written, p, style, params.value);
    }
    return palette::display(text::over(palette::hex(0xfbf8f1u), written, 1.0));
}
";

/// Reads lines of eight characters that start at one x.
struct Reader {
    x: f64,
    /// Every character a number may have, drawn in every column.
    alphabet: Vec<(char, Picture)>,
    row: f64,
}

impl Reader {
    /// A reader for lines whose baseline starts at `origin`, in pixels, y up.
    fn at(origin: [f64; 2]) -> Self {
        let mut scene = specimen(origin);
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

    /// The line of `picture` with its baseline at the reader's row.
    fn read(&self, picture: &Picture) -> String {
        let line: String = (0..8)
            .map(|column| self.character(picture, column))
            .collect();
        line.trim().to_owned()
    }

    /// The character whose drawing is nearest, and near.
    fn character(&self, picture: &Picture, column: u32) -> char {
        let left = (self.x + advance() * (f64::from(column) - 0.1)).round() as u32;
        let bottom = SIZE.1 - (self.row - 0.2 * text_size()).round() as u32;
        let cell = |picture: &Picture| -> Vec<u8> {
            let rows = bottom - (1.4 * text_size()) as u32..bottom;
            let pixels = rows.flat_map(|y| (left..left + advance() as u32).map(move |x| (x, y)));
            pixels.map(|(x, y)| picture.pixel(x, y)[0]).collect()
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
        // The same glyph at the same place differs by rounding alone; the most
        // alike of two different ones, by dozens of full pixels.
        assert!(apart < 500, "column {column} is no character: {apart}");
        character
    }
}

/// The specimen with its line at `origin`.
fn specimen(origin: [f64; 2]) -> SceneRenderer {
    let mut scene = SceneRenderer::of_text(SPECIMEN, "specimen.wgsl");
    scene
        .set(&format!("origin={},{}", origin[0], origin[1]))
        .set(&format!("size={}", text_size()));
    scene
}

/// A reader for the number in readout `row`, counted from the bottom.
fn readout(row: u32, columns_off: f64) -> Reader {
    let [left, bottom] = readouts();
    let x = left + (10.0 + columns_off) * advance();
    Reader::at([x, bottom + 2.1 * text_size() * f64::from(row)])
}

fn number(text: &str) -> f64 {
    text.parse()
        .unwrap_or_else(|_| panic!("`{text}` is no number"))
}

#[test]
fn numbers_are_drawn_as_they_are() {
    let origin = [100.3, 200.7];
    let reader = Reader::at(origin);
    let mut scene = specimen(origin);
    let mut drawn = |value: f32, setting: &str| {
        scene.set(&format!("value={value}")).set(setting);
        reader.read(&scene.at_time(SIZE, 0.0))
    };
    for value in [
        0.0, 1.0, -1.0, 0.5, -0.25, 123.456, -99.875, 1e-4, 6.28125, -0.062, -1e-4,
    ] {
        assert_eq!(
            drawn(value, "form=fixed"),
            format!("{value:.3}").replace("-0.000", "0.000")
        );
    }
    for value in [
        1.0,
        -1.0,
        6e-8,
        -1.2e-7,
        9.94,
        9.96,
        0.1,
        123.0,
        1e10,
        -3.3e-20f32,
    ] {
        let (mantissa, exponent) = {
            let text = format!("{value:+.1e}");
            let (mantissa, exponent) = text.split_once('e').expect("an exponent");
            (
                mantissa.to_owned(),
                exponent.parse::<i32>().expect("a number"),
            )
        };
        let expected = format!("{mantissa}e{exponent:+03}");
        assert_eq!(drawn(value, "form=scientific"), expected);
    }
    assert_eq!(drawn(0.0, "form=scientific"), "0");
}

/// |p|, |x| − r1, |x − p| − r2 and the elbow angle as drawn.
#[test]
fn readouts_agree_with_the_reference() {
    let readers = [
        readout(4, 0.0),
        readout(3, 0.0),
        readout(2, 0.0),
        readout(1, -1.0),
    ];
    let mut scene = SceneRenderer::built_in("ik_diagram");
    for (policy, setting) in POLICIES {
        scene.set(setting);
        for target in targets().into_iter().step_by(3) {
            let picture = scene.with_pointer(SIZE, to_pixel(target));
            let [span, first, second, elbow] = readers.each_ref().map(|r| r.read(&picture));
            let what = format!("{policy:?} {target:?}: {span} {first} {second} {elbow}");
            // Half a unit of the last digit, and what the f32 pointer loses.
            assert!(
                (number(&span) - distance(target, [0.0; 2])).abs() < 6e-4,
                "{what}"
            );
            let Some((mid, end)) = reference(target, policy, 1.0) else {
                assert_eq!([first, second, elbow], ["", "", ""], "{what}");
                continue;
            };
            assert_residual(&first, distance(mid, [0.0; 2]) - R1, &what);
            assert_residual(&second, distance(mid, target) - R2, &what);
            let angle = angle_between([-mid[0], -mid[1]], [end[0] - mid[0], end[1] - mid[1]]);
            // Where the limb is straight the cosine's last digit is worth
            // √(2·2⁻²³) rad = 0.03°; plus half a unit of the last digit drawn.
            assert!((number(&elbow) - angle).abs() < 0.1, "{what}: {angle}");
        }
    }
}

/// Two digits are drawn. Zero in f64 may be some units of rounding in f32: a
/// bone's residual is within 5u·L, measuring it costs as much again, and the
/// pointer is known to half an ulp of a pixel, 3e-5 of them, 2.4e-7 units.
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

// ---------------------------------------------------------------------------
// Sweeps

/// The pointer's way from far outside through the boundary, the ring, the
/// hole, the start itself and out on the other side, in steps of five pixels.
fn sweep() -> Vec<[f64; 2]> {
    let [x, y] = start();
    let steps = (x / 5.0) as i32;
    (-steps..=steps)
        .map(|step| [x + 5.0 * f64::from(step), y + 0.9 * f64::from(step)])
        .collect()
}

/// On the page, and not under the readouts.
fn in_figure(at: [f64; 2]) -> bool {
    let inside = |at: f64, end: f64| at > text_size() && at < end - text_size();
    inside(at[0], readouts()[0]) && inside(at[1], f64::from(SIZE.1))
}

/// The darkest component of any ink is 0x1e; a NaN ends as black.
fn assert_every_pixel_is_an_ink(picture: &Picture, what: &str) {
    for pixel in pixels(picture) {
        assert_ne!(pixel[..3], [0, 0, 0], "{what}: a black pixel");
    }
}

/// Share of pixels that differ by more than 100 levels.
fn changed(a: &Picture, b: &Picture) -> f64 {
    let mut count = 0;
    for (a, b) in pixels(a).iter().zip(pixels(b)) {
        // Most are the same.
        if a != b && (0..3).any(|i| a[i].abs_diff(b[i]) > 100) {
            count += 1;
        }
    }
    f64::from(count) / pixels(a).len() as f64
}

/// One step of a sweep: the picture, its mid joint as drawn and as it should be.
struct Step {
    picture: Picture,
    drawn: Option<[f64; 2]>,
    exact: Option<[f64; 2]>,
}

impl Step {
    fn at(scene: &SceneRenderer, pixel: [f64; 2], policy: Policy) -> Self {
        let picture = scene.with_pointer(SIZE, pixel);
        let target = [0, 1].map(|i| (pixel[i] - start()[i]) / unit());
        Self {
            drawn: find_disc(&picture, MID),
            exact: reference(target, policy, 1.0).map(|(mid, _)| to_pixel(mid)),
            picture,
        }
    }
}

#[test]
fn a_sweep_has_no_nan_no_flash_and_no_jump_the_policy_does_not_have() {
    let mut scene = SceneRenderer::built_in("ik_diagram");
    for (policy, setting) in POLICIES {
        scene.set(setting);
        let mut before: Option<Step> = None;
        for pixel in sweep() {
            let step = Step::at(&scene, pixel, policy);
            let what = format!("{policy:?} at {pixel:?}");
            assert_every_pixel_is_an_ink(&step.picture, &what);
            assert!(
                step.drawn.is_some() || !step.exact.is_some_and(in_figure),
                "{what}: no mid joint"
            );
            if let Some(before) = &before {
                assert_continuous(before, &step, &what);
            }
            before = Some(step);
        }
    }
}

fn assert_continuous(before: &Step, after: &Step, what: &str) {
    // Everything that moves is lines and letters, under a tenth of the page; a
    // flash repaints the page or the ring.
    let share = changed(&before.picture, &after.picture);
    assert!(share < 0.1, "{what}: {share} of the page changed");
    let drawn = before.drawn.zip(after.drawn);
    let exact = before.exact.zip(after.exact);
    if let Some(((a, b), (c, d))) = drawn.zip(exact) {
        // Each drawn joint is known to a pixel.
        let (jump, allowed) = (distance(a, b), distance(c, d) + 2.0);
        assert!(jump <= allowed, "{what}: jumped {jump} of {allowed} pixels");
    }
}

/// On the start, on the boundaries, in a corner and far away: a rigid first
/// bone has its length, whatever its direction, and no pixel is lost.
#[test]
fn degenerate_targets_are_drawn() {
    let mut scene = SceneRenderer::built_in("ik_diagram");
    for (r1, r2) in [(0.8, 0.55), (0.7, 0.7), (0.05, 1.0)] {
        scene.set(&format!("r1={r1}")).set(&format!("r2={r2}"));
        for (policy, setting) in POLICIES {
            for transcription in ["factored", "article_fast", "article_first"] {
                let formula = format!("transcription={transcription}");
                scene.set(setting).set(&formula);
                for pixel in [start(), to_pixel([r1 + r2, 0.0]), [-1e4, 1e4], [0.5, 0.5]] {
                    let picture = scene.with_pointer(SIZE, pixel);
                    let what = format!("{r1} {r2} {policy:?} {formula} {pixel:?}");
                    assert_every_pixel_is_an_ink(&picture, &what);
                    // The article's forms have no direction for p = 0.
                    if policy == Policy::Clamp && transcription == "factored" {
                        let mid = find_disc(&picture, MID).expect(&what);
                        let off = distance(mid, start()) - unit() * r1;
                        assert!(off.abs() < 1.0, "{what}: {off} pixels off");
                    }
                }
            }
        }
    }
}

/// The path nobody leads: reads |p| along it.
#[test]
fn left_alone_the_target_visits_every_region_and_comes_back() {
    let scene = SceneRenderer::built_in("ik_diagram");
    let reader = readout(4, 0.0);
    let spans: Vec<f64> = (0..24)
        .map(|i| number(&reader.read(&scene.at_time(SIZE, 0.5 * f64::from(i)))))
        .collect();
    let visits = |range: std::ops::Range<f64>| spans.iter().any(|span| range.contains(span));
    assert!(visits(0.0..R1 - R2), "the hole: {spans:?}");
    assert!(visits(0.5..1.2), "the ring: {spans:?}");
    assert!(
        visits(R1 + R2 - 1e-3..R1 + R2 + 1e-3),
        "the boundary: {spans:?}"
    );
    assert!(visits(1.5..2.0), "outside: {spans:?}");
    let (first, second) = (scene.at_time(SIZE, 1.0), scene.at_time(SIZE, 13.0));
    assert_alike(&second, &first, "one round later");
}

// ---------------------------------------------------------------------------
// Pictures

/// Nearly equal bones: the article's fast form loses digits close to the start.
/// Which digits is the driver's affair, so this is no snapshot.
#[test]
fn the_error_field_is_bright_where_digits_cancel() {
    let mut scene = SceneRenderer::built_in("ik_field");
    scene.set("show=error").set("r2=0.799").set("zoom=1");
    let picture = scene.at_time((160, 90), 0.0);
    let middle = [80.0, 45.0];
    let mean = |from: f64, to: f64| {
        let at = |i: u32| [f64::from(i % 160) + 0.5, f64::from(i / 160) + 0.5];
        let inside = (0..160 * 90).filter(|&i| (from..to).contains(&distance(at(i), middle)));
        let levels: Vec<f64> = inside
            .map(|i| f64::from(picture.pixel(i % 160, i / 160)[0]))
            .collect();
        levels.iter().sum::<f64>() / levels.len() as f64
    };
    // Red rises along the scale. Each band is four times as far out as the
    // last, which in theory costs the error a factor of four.
    let bands = [mean(2.0, 4.0), mean(8.0, 16.0), mean(32.0, 45.0)];
    assert!(
        bands[0] > 1.5 * bands[1] && bands[1] > 1.5 * bands[2],
        "{bands:?}"
    );
}

#[test]
fn scenes_look_as_they_did() {
    const SMALL: (u32, u32) = (160, 90);
    let diagram = SceneRenderer::built_in("ik_diagram");
    // Without the readouts: the last digit of a residual is the driver's affair.
    assert_snapshot("ik_diagram", &left_part(&diagram.at_time(SMALL, 1.0), 106));
    let mut dark = SceneRenderer::built_in("ik_diagram");
    dark.set("theme=dark").set("policy=stretch");
    assert_snapshot("ik_diagram_dark", &dark.at_time(SMALL, 9.0));
    let field = SceneRenderer::built_in("ik_field");
    assert_snapshot("ik_field", &field.at_time(SMALL, 1.0));
}

fn left_part(picture: &Picture, width: u32) -> Picture {
    let rows = picture.rgba.chunks_exact(4 * picture.width as usize);
    let rgba = rows.flat_map(|row| row[..4 * width as usize].to_vec());
    Picture {
        width,
        height: picture.height,
        rgba: rgba.collect(),
    }
}
