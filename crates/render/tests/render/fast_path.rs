//! The fast path of every walking scene compared with its reference path: bounds must not
//! cut anything off from any viewpoint, and no light may be lost.

use crate::common::SceneRenderer;
use crate::common::floats::Floats;
use crate::common::random::Random;
use tarsus_render::{Frame, NEVER};

const SIZE: (u32, u32) = (160, 90);
const FULL_SIZE: (u32, u32) = (480, 270);
const PICTURES: usize = 24;
/// Frames that advance a scene's buffers before each picture.
const STEPS: usize = 7;

/// Relative difference below which depths count as equal: the two paths stop at different
/// distances above a surface.
const SAME_DEPTH: f64 = 0.01;

/// A scene with its fast path and its reference path.
struct Paths {
    fast: Floats,
    reference: Floats,
}

impl Paths {
    fn new(scene: &str, definitions: &[&str], size: (u32, u32)) -> Self {
        Self {
            fast: Floats::new(scene, definitions, size),
            reference: Floats::new(scene, &[definitions, &["REFERENCE"]].concat(), size),
        }
    }
}

/// Converts the depth debug view to distances; infinite for a miss.
fn depths(path: &Floats, frame: &Frame) -> Vec<f64> {
    let distance = |pixel: &[f32; 4]| -(1.0 - f64::from(pixel[0])).ln() / 0.12;
    path.read(frame).iter().map(distance).collect()
}

/// A frame with random time, viewpoint and pointer state.
fn some_frame(random: &mut Random) -> Frame {
    let (width, height) = (f64::from(SIZE.0), f64::from(SIZE.1));
    let (x, y) = (random.between(0.0, width), random.between(0.0, height));
    let held = random.next() < 0.5;
    let sign = if held { 1.0 } else { -1.0 };
    let age = random.between(0.0, 1.0) as f32;
    let mut frame = Frame::new(SIZE, 0, 60.0);
    frame.orbit = [
        random.between(-3.0, 3.0) as f32,
        random.between(0.0, 0.9) as f32,
        random.between(0.7, 1.8) as f32,
        0.0,
    ];
    frame.mouse = [x as f32, y as f32, (sign * x) as f32, -y as f32];
    frame.press_age = age;
    frame.release_age = if held { NEVER } else { 0.5 * age };
    frame.at_time(random.between(0.0, 60.0))
}

fn same(a: f64, b: f64) -> bool {
    (a.is_infinite() && b.is_infinite()) || (a - b).abs() <= SAME_DEPTH * a.min(b)
}

/// True if a pixel next to `at` has a different depth.
fn at_silhouette(depths: &[f64], at: usize) -> bool {
    let (width, height) = (SIZE.0 as usize, SIZE.1 as usize);
    let (x, y) = (at % width, at / width);
    let columns = x.saturating_sub(1)..=(x + 1).min(width - 1);
    columns
        .flat_map(|x| (y.saturating_sub(1)..=(y + 1).min(height - 1)).map(move |y| (x, y)))
        .any(|(x, y)| !same(depths[y * width + x], depths[at]))
}

fn assert_agrees(name: &str, scene: &str) {
    assert_same_depths(name, scene);
    assert_same_picture(name, scene);
}

/// Compares complete pictures, with light and shadow.
fn assert_same_picture(name: &str, scene: &str) {
    let [fast, reference] =
        [&[][..], &["REFERENCE"]].map(|only| SceneRenderer::defined(scene, name, only));
    for time in [2.0, 9.5, 17.0] {
        let [picture, expected] = [&fast, &reference].map(|scene| {
            scene.advance(&Frame::new(FULL_SIZE, 0, 60.0).at_time(time));
            scene.at_time(FULL_SIZE, time)
        });
        let quality = picture.psnr_db(&expected);
        assert!(quality >= 40.0, "{name} at {time} s: {quality:.1} dB");
    }
}

/// Compares where each ray hits.
fn assert_same_depths(name: &str, scene: &str) {
    let paths = Paths::new(scene, &["DEBUG_VIEW", "DEBUG_VIEW_DEPTH"], SIZE);
    let mut random = Random(name.len() as u64);
    let (mut differing, mut pixels) = (0, 0);
    for picture in 0..PICTURES {
        let frame = some_frame(&mut random);
        for _ in 0..STEPS {
            paths.fast.run(&frame);
            paths.reference.run(&frame);
        }
        let (fast, reference) = (depths(&paths.fast, &frame), depths(&paths.reference, &frame));
        assert!(
            reference.iter().any(|depth| depth.is_finite()),
            "{name}: picture {picture} shows something"
        );
        for at in 0..reference.len() {
            if !same(fast[at], reference[at]) {
                differing += 1;
                // A part thinner than a pixel may be met by one of the two only.
                assert!(
                    at_silhouette(&reference, at) || at_silhouette(&fast, at),
                    "{name}: picture {picture}, pixel {at}: depth {} and not {} inside a surface",
                    fast[at],
                    reference[at],
                );
            }
        }
        pixels += reference.len();
    }
    assert!(differing * 1000 <= pixels, "{name}: {differing} of {pixels} pixels differ");
}

#[test]
fn creature_matches_reference_path() {
    assert_agrees("creature", include_str!("../../../../shaders/creature.wgsl"));
}

#[test]
fn spider_matches_reference_path() {
    assert_agrees("spider", include_str!("../../../../shaders/spider.wgsl"));
}

#[test]
fn strider_matches_reference_path() {
    assert_agrees("strider", include_str!("../../../../shaders/strider.wgsl"));
}

#[test]
fn crane_matches_reference_path() {
    assert_agrees("crane", include_str!("../../../../shaders/crane.wgsl"));
}

#[test]
fn centipede_matches_reference_path() {
    assert_agrees("centipede", include_str!("../../../../tests/fixtures/centipede.wgsl"));
}

#[test]
fn per_frame_values_reach_every_pixel() {
    let scene = "#define PER_FRAME_VALUES 200
#import tarsus::frame
fn per_frame(i: u32) -> vec4f {
    return vec4f(f32(i), frame::frame.time, 100.0 + f32(i) / 4096.0, -1.0);
}
fn main_image(p: vec2f) -> vec4f { return frame::per_frame_value(u32(p.x)); }";
    let size = (200, 3);
    let pixels = Floats::new(scene, &[], size).read(&Frame::new(size, 0, 60.0).at_time(2.5));
    for (at, pixel) in pixels.iter().enumerate() {
        let i = (at % 200) as f32;
        assert_eq!(*pixel, [i, 2.5, 100.0 + i / 4096.0, -1.0], "pixel {at}");
    }
}
