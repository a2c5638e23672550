//! Stored limbs read back unchanged, and invalid ones are errors.

use glam::Vec3;
use tarsus_ik::chain::LegMount;
use tarsus_ik::{Pole, ReachPolicy, Turn, TwoBone};

#[test]
fn stored_limb_reads_back_unchanged() {
    let turn = |radians| Turn::from_radians(radians).expect("finite");
    let limb = TwoBone::new(0.45_f32, 0.42)
        .and_then(|limb| limb.with_hinge_limits(turn(0.1), turn(2.5)))
        .and_then(|limb| limb.with_soft_reach(0.8))
        .and_then(|limb| limb.with_stretch(0.9, 1.2))
        .expect("valid")
        .with_policy(ReachPolicy::Fail);
    for limb in [limb, TwoBone::new(1.0, 2.0).expect("valid")] {
        let text = serde_json::to_string(&limb).expect("writes");
        assert_eq!(serde_json::from_str::<TwoBone<f32>>(&text).expect("reads"), limb);
    }
    let mount = LegMount {
        hip: Vec3::X,
        up: Vec3::Y,
        rest_direction: Vec3::Z,
        tarsus_direction: Vec3::NEG_Y,
    };
    let text = serde_json::to_string(&(mount, Pole::Point(Vec3::X), turn(0.5))).expect("writes");
    let (read, pole, angle): (LegMount<Vec3>, Pole<Vec3>, Turn<f32>) =
        serde_json::from_str(&text).expect("reads");
    assert_eq!((read, pole), (mount, Pole::Point(Vec3::X)));
    assert!((angle.angle() - 0.5).abs() < 1e-6);
}

#[test]
fn invalid_stored_limb_is_an_error() {
    let limb = TwoBone::new(1.0_f32, 2.0).expect("valid");
    let text = serde_json::to_string(&limb).expect("writes").replace("1.0,2.0", "-1.0,2.0");
    let error = serde_json::from_str::<TwoBone<f32>>(&text).expect_err("a negative length");
    assert!(error.to_string().contains("first bone"), "{error}");
}

#[test]
fn negative_stored_limit_is_an_error() {
    let turn = |radians| Turn::from_radians(radians).expect("finite");
    let limb =
        TwoBone::new(1.0_f32, 1.0).and_then(|limb| limb.with_hinge_limits(turn(0.0), turn(2.0)));
    let text = serde_json::to_string(&limb.expect("valid")).expect("writes");
    let (before, after) = text.split_once("\"limits\":[").expect("limits");
    let (limit, rest) = after.split_once(',').expect("a limit");
    let negative = format!("{before}\"limits\":[-{limit},{rest}");
    let error = serde_json::from_str::<TwoBone<f32>>(&negative).expect_err("a negative limit");
    assert!(error.to_string().contains("hinge limits"), "{error}");
}
