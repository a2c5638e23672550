//! Lens bloom, `tarsus::bloom`.

use crate::common::floats::Floats;
use tarsus_render::Frame;

const SIZE: (u32, u32) = (96, 54);

/// Draws a radiance, an expression of `frag_coord` and `at` (picture coordinates),
/// through `lens`: amount, share scattered far, both reaches.
fn draw_with_bloom(lens: &str, radiance: &str, size: (u32, u32)) -> Vec<[f32; 4]> {
    let text = format!(
        "#import tarsus::{{bloom, frame}}
         override fn bloom::lens() -> bloom::Lens {{ return bloom::Lens({lens}); }}
         override fn bloom::radiance(frag_coord: vec2f) -> vec3f {{
             let at = frame::centred(frag_coord);
             return vec3f({radiance});
         }}
         fn buffer_a(frag_coord: vec2f) -> vec4f {{ return bloom::downsample(frag_coord); }}
         fn buffer_b(frag_coord: vec2f) -> vec4f {{ return bloom::blur_x(frag_coord); }}
         fn buffer_c(frag_coord: vec2f) -> vec4f {{ return bloom::blur_y(frag_coord); }}
         fn main_image(frag_coord: vec2f) -> vec4f {{
             return vec4f(bloom::apply_bloom(bloom::radiance(frag_coord), frag_coord), 1.0);
         }}"
    );
    let scene = Floats::new(&text, &[], size);
    let frame = Frame::new(size, 0, 60.0).at_time(0.0);
    scene.run(&frame);
    scene.read(&frame)
}

/// A bright square of 4 x 4 pixels in the middle.
const SPOT: &str = "select(0.0, 100.0, all(abs(frag_coord - vec2f(48.0, 28.0)) < vec2f(2.0)))";

fn grey(pixels: &[[f32; 4]], x: usize, y: usize) -> f64 {
    pixels[y * SIZE.0 as usize + x][0].into()
}

#[test]
fn zero_bloom_leaves_picture_unchanged() {
    let plain = draw_with_bloom("0.0, 0.35, vec2f(0.012, 0.06)", "fract(7.3 * at.x * at.y)", SIZE);
    let first = plain[0];
    assert!(plain.iter().any(|pixel| *pixel != first));
    let clear = draw_with_bloom("0.0, 1.0, vec2f(0.3, 0.4)", "fract(7.3 * at.x * at.y)", SIZE);
    assert_eq!(plain, clear);
}

#[test]
fn uniform_light_stays_uniform() {
    for size in [SIZE, (31, 77), (5, 4)] {
        for pixel in draw_with_bloom("0.5, 0.5, vec2f(0.05, 0.2)", "vec3f(0.25, 3.0, 40.0)", size) {
            for (is, was) in pixel.into_iter().zip([0.25, 3.0, 40.0]) {
                assert!((is / was - 1.0f32).abs() < 1e-5, "{size:?}: {pixel:?}");
            }
        }
    }
}

#[test]
fn bright_spot_glows_around_itself() {
    let pixels = draw_with_bloom("0.2, 0.5, vec2f(0.02, 0.08)", SPOT, SIZE);
    // The glow is equal on all four sides and falls off steadily.
    let mut last = f64::INFINITY;
    for away in 3..14 {
        let sides = [
            grey(&pixels, 47 - away, 25),
            grey(&pixels, 48 + away, 26),
            grey(&pixels, 47, 25 - away),
            grey(&pixels, 48, 26 + away),
        ];
        for side in sides {
            assert!((side - sides[0]).abs() < 1e-4 * sides[0] + 1e-6, "{away}: {sides:?}");
        }
        assert!(sides[0] < last, "{away}: {} after {last}", sides[0]);
        last = sides[0];
    }
    // Energy is conserved: the spot's loss appears around it.
    let all: f64 = pixels.iter().map(|pixel| f64::from(pixel[0])).sum();
    assert!((all / 1600.0 - 1.0).abs() < 0.01, "{all}");
    assert!(grey(&pixels, 48, 26) < 95.0);
    assert!(grey(&pixels, 48 + 8, 26) > 0.01);
}

/// Compares the profile with the two Gaussians, computed for a spot of the same size.
#[test]
fn glow_profile_matches_gaussians() {
    let reach = [0.05, 0.15];
    let pixels = draw_with_bloom("1.0, 0.4, vec2f(0.05, 0.15)", SPOT, SIZE);
    // The small picture has half the sides: it samples the spot at points 2 pixels apart,
    // and its texels, which are 0.5 and 1.5 pixels from these pixels, are interpolated.
    let variance = |reach: f64| {
        let deviation = 2.0 * reach * 27.0;
        deviation * deviation + 1.0 + 0.75
    };
    let gauss = |squared: f64, variance: f64| {
        1600.0 * (-0.5 * squared / variance).exp() / (std::f64::consts::TAU * variance)
    };
    for (x, y) in [(48, 26), (51, 26), (48, 31), (53, 30), (60, 26)] {
        let (dx, dy) = (x as f64 + 0.5 - 48.0, y as f64 + 0.5 - 26.0);
        let squared = dx * dx + dy * dy;
        let expected =
            0.6 * gauss(squared, variance(reach[0])) + 0.4 * gauss(squared, variance(reach[1]));
        let is = grey(&pixels, x, y);
        assert!((is / expected - 1.0).abs() < 0.05, "{x}, {y}: {is} is not {expected}");
    }
}

#[test]
fn bloom_is_independent_of_size() {
    let spot = "20.0 * exp(-60.0 * dot(at - vec2f(0.3, 0.2), at - vec2f(0.3, 0.2)))";
    let lens = "1.0, 0.4, vec2f(0.06, 0.15)";
    let small = draw_with_bloom(lens, spot, SIZE);
    for factor in [3, 5] {
        let size = (SIZE.0 * factor, SIZE.1 * factor);
        let large = draw_with_bloom(lens, spot, size);
        for y in (0..SIZE.1).step_by(3) {
            for x in (0..SIZE.0).step_by(3) {
                let middle = (y * factor + factor / 2) * size.0 + x * factor + factor / 2;
                let (is, was) = (large[middle as usize][0], small[(y * SIZE.0 + x) as usize][0]);
                assert!((is - was).abs() < 0.25, "{factor}, {x}, {y}: {is} is not {was}");
            }
        }
    }
}

#[test]
fn infinite_light_stays_bounded() {
    let endless = SPOT.replace("100.0", "1.0 / (frag_coord.x - frag_coord.x)");
    let pixels = draw_with_bloom("0.2, 0.5, vec2f(0.02, 0.08)", &endless, SIZE);
    for (n, pixel) in pixels.iter().enumerate() {
        let (x, y) = (n as u32 % SIZE.0, n as u32 / SIZE.0);
        let is_spot = (46..50).contains(&x) && (24..28).contains(&y);
        assert!(is_spot || pixel[0] <= 1e3, "{x}, {y}: {pixel:?}");
    }
}
