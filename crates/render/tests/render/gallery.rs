//! Pictures of the walking scenes: they loop seamlessly and match their snapshots.

use crate::common::{SceneRenderer, assert_alike, assert_snapshot};
use tarsus_render::Picture;

/// Scenes and their periods in seconds.
const SCENES: [(&str, f64); 7] = [
    ("simple_ik", 12.0),
    ("creature", 24.0),
    ("strider", 20.0),
    ("crane", 36.0),
    ("strandbeest", 18.0),
    ("herd", 24.0),
    ("line_walker", 11.0),
];

const SMALL: (u32, u32) = (160, 90);

/// Mean difference of two pictures' components, in levels of 255.
fn mean_difference(a: &Picture, b: &Picture) -> f64 {
    let sum: u64 = a.rgba.iter().zip(&b.rgba).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.rgba.len() as f64
}

#[test]
fn scenes_loop_without_error() {
    for (name, seconds) in SCENES {
        let scene = SceneRenderer::built_in(name);
        let begin = scene.at_time(SMALL, 0.0);
        let again = scene.at_time(SMALL, seconds);
        assert_eq!(begin.rgba, again.rgba, "{name} after {seconds} s");
        // Just before the period ends, everything is almost where it began: 1 mm of
        // travel, a twentieth of a pixel.
        let before = scene.at_time(SMALL, seconds - 0.0005);
        assert_alike(&before, &begin, name);
        let later = mean_difference(&scene.at_time(SMALL, 0.4), &begin);
        assert!(later > 0.5, "{name} moves: {later}");
    }
}

#[test]
fn scenes_match_snapshots() {
    for (name, _) in SCENES {
        assert_snapshot(name, &SceneRenderer::built_in(name).at_time(SMALL, 3.0));
    }
}

#[test]
fn creature_matches_snapshots() {
    let creature = SceneRenderer::built_in("creature");
    for (name, time) in [("creature_0", 0.0), ("creature_8", 8.2), ("creature_17", 17.5)] {
        assert_snapshot(name, &creature.at_time(SMALL, time));
    }
}
