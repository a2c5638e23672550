//! Snapshots of the creature.

use crate::common::{SceneRenderer, assert_snapshot};

const SIZE: (u32, u32) = (160, 90);

#[test]
fn creature_matches_snapshots() {
    let creature = SceneRenderer::built_in("creature");
    for (name, time) in [
        ("creature_0", 0.0),
        ("creature_8", 8.2),
        ("creature_17", 17.5),
    ] {
        assert_snapshot(name, &creature.at_time(SIZE, time));
    }
}
