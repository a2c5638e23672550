//! Sweeps of the pointer: every pixel has an ink's colour, and nothing jumps.

use super::page::{
    MID, SIZE, distance, figure_edge, find_disc, pixels, start, text_size, to_pixel, unit,
};
use super::reference::{POLICIES, Policy, reference};
use crate::common::SceneRenderer;
use tarsus_render::Picture;

/// Path of the pointer from far outside through the boundary, the ring, the hole and the
/// start itself, and out on the other side, in steps of five pixels.
fn sweep() -> Vec<[f64; 2]> {
    let [x, y] = start();
    let steps = (x / 5.0) as i32;
    (-steps..=steps).map(|step| [x + 5.0 * f64::from(step), y + 0.9 * f64::from(step)]).collect()
}

/// True if a pixel is in the figure.
fn in_figure(at: [f64; 2]) -> bool {
    let inside = |at: f64, end: f64| at > text_size() && at < end - text_size();
    inside(at[0], figure_edge()) && inside(at[1], f64::from(SIZE.1))
}

/// Asserts that no pixel is black. The darkest ink is 0x05080f; a NaN is drawn black.
fn assert_every_pixel_is_an_ink(picture: &Picture, what: &str) {
    for pixel in pixels(picture) {
        assert_ne!(pixel[..3], [0, 0, 0], "{what}: a black pixel");
    }
}

/// Fraction of pixels that differ by more than 100 levels.
fn changed(a: &Picture, b: &Picture) -> f64 {
    let mut count = 0;
    for (a, b) in pixels(a).iter().zip(pixels(b)) {
        // The majority of pixels is equal.
        if a != b && (0..3).any(|i| a[i].abs_diff(b[i]) > 100) {
            count += 1;
        }
    }
    f64::from(count) / pixels(a).len() as f64
}

/// One step of a sweep: the picture, its mid joint as drawn, and the exact mid joint.
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
fn sweeps_are_free_of_jumps() {
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
    // Only lines and letters move, which cover less than a tenth of the page; a flash
    // repaints the page or the ring.
    let share = changed(&before.picture, &after.picture);
    assert!(share < 0.1, "{what}: {share} of the page changed");
    let drawn = before.drawn.zip(after.drawn);
    let exact = before.exact.zip(after.exact);
    if let Some(((a, b), (c, d))) = drawn.zip(exact) {
        // Each drawn joint is accurate to a pixel.
        let (jump, allowed) = (distance(a, b), distance(c, d) + 2.0);
        assert!(jump <= allowed, "{what}: jumped {jump} of {allowed} pixels");
    }
}

/// Targets on the start, on the boundaries, in a corner and far away: a rigid first bone
/// keeps its length whatever its direction, and no pixel is lost.
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
                    // The article's forms are undefined for p = 0.
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
