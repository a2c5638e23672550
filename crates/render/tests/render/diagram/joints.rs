//! The drawn joints match the solver.

use super::page::{MID, MISSED, REACHED, SIZE, distance, find_disc, polar, to_pixel};
use super::reference::{POLICIES, Policy, reachable, reference, targets};
use crate::common::SceneRenderer;
use tarsus_render::Frame;

fn assert_joints(scene: &SceneRenderer, target: [f64; 2], policy: Policy, side: f64) {
    let picture = scene.with_pointer(SIZE, to_pixel(target));
    let end_color = if reachable(target) { REACHED } else { MISSED };
    let drawn = find_disc(&picture, MID).zip(find_disc(&picture, end_color));
    let expected = reference(target, policy, side);
    match (drawn, expected) {
        (None, None) => {}
        (Some((mid, end)), Some((exact_mid, exact_end))) => {
            let (mid_off, end_off) =
                (distance(mid, to_pixel(exact_mid)), distance(end, to_pixel(exact_end)));
            assert!(
                mid_off < 1.0 && end_off < 1.0,
                "{policy:?} {target:?}: mid joint {mid_off:.2} and end joint {end_off:.2} pixels off"
            );
        }
        _ => panic!("{policy:?} {target:?}: drawn {drawn:?}, expected {expected:?}"),
    }
}

#[test]
fn drawn_joints_match_solver() {
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
fn article_forms_draw_same_limb() {
    let mut scene = SceneRenderer::built_in("ik_diagram");
    for transcription in ["article_fast", "article_first"] {
        scene.set(&format!("transcription={transcription}"));
        for target in targets() {
            // The first form bends the other way where |p|² < r2² − r1², which never
            // happens for r1 > r2.
            assert_joints(&scene, target, Policy::Clamp, 1.0);
        }
    }
}

/// With both a press and a hovering pointer, the press takes precedence.
#[test]
fn press_overrides_hovering_pointer() {
    let scene = SceneRenderer::built_in("ik_diagram");
    let mut frame = Frame::new(SIZE, 0, 60.0);
    let pressed = to_pixel(polar(0.9, 200.0)).map(f64::floor);
    let hovering = to_pixel(polar(0.9, 20.0));
    frame.pointer = [hovering[0] as f32, hovering[1] as f32, 1.0, 1.0];
    frame.mouse = [pressed[0] as f32, pressed[1] as f32, 10.0, -10.0];
    let end = find_disc(&scene.draw(&frame), REACHED).expect("an end joint");
    // The press is given as whole pixels: the centre is half a pixel further.
    assert!(distance(end, pressed.map(|at| at + 0.5)) < 1.0);
}
