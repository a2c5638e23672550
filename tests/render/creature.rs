//! The creature: its walk as it is drawn, and small pictures.

use crate::common::probe::Probe;
use crate::common::{SceneRenderer, assert_snapshot};
use tarsus::render::Frame;

const CREATURE: &str = include_str!("../../shaders/creature.wgsl");
const SIZE: (u32, u32) = (160, 90);
const RATE: u32 = 60;

/// Of each leg the foot (world; 1 while it stands), then stretch, height above the
/// ground and whether it reaches its foothold.
const FEET: &str = "
    let leg = walker::leg_of(i % walker::LEGS);
    let bones = leg.bones;
    let foot = walk::to_world(walker::body(), bones.foot);
    if i < walker::LEGS {
        return vec4f(foot, f32(leg.swing == 1.0));
    }
    let lengths = walker::plan(walker::row_of(leg.index)).lengths;
    let stretch = distance(bones.trochanter, bones.ankle) / (lengths.femur + lengths.tibia);
    return vec4f(stretch, foot.y - walk::ground(foot.xz), f32(bones.reached), 0.0);";

fn distance(a: [f32; 4], b: [f32; 4]) -> f32 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt()
}

#[test]
fn the_creature_walks_and_pauses_on_feet_that_stay() {
    let probe = Probe::<12>::new(CREATURE, FEET);
    let mut before: Option<[[f32; 4]; 12]> = None;
    let mut stood = 0;
    for n in 0..24 * RATE {
        let time = f64::from(n) / f64::from(RATE);
        let now = probe.read(&Frame::at_time(SIZE, 0, time, f64::from(RATE)));
        let down = (0..6).filter(|&leg| now[leg][3] == 1.0).count();
        assert!(down >= 3, "{down} feet at {time}");
        stood += down;
        for leg in 0..6 {
            let [stretch, gap, reached, _] = now[leg + 6];
            assert!(
                reached == 1.0 && stretch < 0.98,
                "leg {leg} at {time}: {stretch}"
            );
            let is_standing = now[leg][3] == 1.0;
            // Through the body and back in f32, at coordinates up to 32.
            assert!(
                !is_standing || gap.abs() < 1e-3,
                "leg {leg} floats by {gap} at {time}"
            );
            if let Some(before) = before {
                let way = distance(before[leg], now[leg]);
                let was_standing = before[leg][3] == 1.0;
                assert!(
                    !is_standing || !was_standing || way < 1e-4,
                    "leg {leg} slides by {way} at {time}"
                );
                assert!(
                    way * (RATE as f32) < 12.0,
                    "leg {leg} jumps by {way} at {time}"
                );
            }
        }
        before = Some(now);
    }
    // Longer than at constant speed, where the share is 0.58.
    let share = stood as f32 / (6 * 24 * RATE) as f32;
    assert!(
        (0.58..0.75).contains(&share),
        "feet stand {share} of the time"
    );
}

#[test]
fn the_creature_looks_as_it_did() {
    let creature = SceneRenderer::built_in("creature");
    for (name, time) in [
        ("creature_0", 0.0),
        ("creature_8", 8.2),
        ("creature_17", 17.5),
    ] {
        assert_snapshot(name, &creature.at_time(SIZE, time));
    }
}
