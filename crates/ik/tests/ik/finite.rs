//! Finite input gives finite output; other input is an error.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use tarsus_ik::chain::{LegLengths, LegMount};
use tarsus_ik::fabrik::Fabrik;
use tarsus_ik::{BindPose, EndRotation, Error, Foot, Footing, ReachPolicy, Turn, TwoBone};

use super::limbs::*;

/// Any finite `f32`, from random bits.
fn any_finite() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |x| x.is_finite())
}

fn any_point() -> impl Strategy<Value = Vec3> {
    (any_finite(), any_finite(), any_finite()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

proptest! {
    #![proptest_config(config(16384))]

    #[test]
    fn finite_input_gives_finite_output(
        r1 in any_finite(),
        r2 in any_finite(),
        start in any_point(),
        target in any_point(),
        pole in any_point(),
        policy in policy(),
        soft in 0.0_f32..1.0,
    ) {
        let Ok(limb) = TwoBone::new(r1.abs(), r2.abs()) else {
            prop_assert!(r1 == 0.0 || r2 == 0.0 || !(r1.abs() + r2.abs()).is_finite());
            return Ok(());
        };
        let limb = limb.with_policy(policy);
        let eased = limb.with_soft_reach(soft * limb.reach()).unwrap_or(limb);
        for (limb, start) in [(limb, Vec3::ZERO), (limb, start), (eased, Vec3::ZERO)] {
            match limb.solve(start, target, pole) {
                Ok(solved) => {
                    prop_assert!(solved.mid.is_finite() && solved.end.is_finite());
                    prop_assert!(solved.bend.cos().is_finite() && solved.bend.sin().is_finite());
                }
                Err(Error::Overflow) => prop_assert!(
                    wide(start).length() + wide(target).length() + f64::from(limb.reach()) > 1e37
                        || policy == ReachPolicy::Meet
                ),
                Err(error) => prop_assert!(
                    policy == ReachPolicy::Fail
                        && matches!(error, Error::TooFar | Error::TooNear)
                ),
            }
        }
        if let Ok(pose) = BindPose::new(Vec3::ZERO, start, target, pole)
            && let Ok(posed) = pose.with_policy(policy).solve(&goal(start, target, pole))
        {
            prop_assert!(posed.start_rotation.is_finite() && posed.mid_rotation.is_finite());
        }
    }

    #[test]
    fn invalid_input_is_an_error(
        good in magnitude(),
        bad in prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(f32::NEG_INFINITY)],
        target in any_point(),
        axis in 0..3_usize,
    ) {
        for length in [bad, 0.0, -0.0, -good] {
            let first = TwoBone::new(length, good);
            prop_assert_eq!(first, Err(Error::Length { segment: "first bone" }));
            let second = TwoBone::new(good.min(1e30), length);
            prop_assert_eq!(second, Err(Error::Length { segment: "second bone" }));
        }
        let limb = TwoBone::new(1.0, 1.0).expect("valid lengths");
        let mut broken = target;
        broken[axis] = bad;
        let refused = |argument| Err(Error::NotFinite { argument });
        prop_assert_eq!(limb.solve(broken, target, Vec3::Y), refused("start"));
        prop_assert_eq!(limb.solve(target, broken, Vec3::Y), refused("target"));
        prop_assert_eq!(limb.solve(target, target, broken), refused("pole"));
        let limits = Err(Error::SoftReach { least: 0.0, most: 2.0 });
        for distance in [bad, 2.0, -good] {
            prop_assert_eq!(limb.with_soft_reach(distance), limits);
        }
        for distance in [bad, 0.0, 2.5, -good] {
            prop_assert_eq!(limb.with_soft_fold(distance), limits);
        }
    }
}

#[test]
fn overflowing_weighted_bone_is_an_error() {
    let bind = BindPose::new(Vec3::ZERO, Vec3::Y * 1e-30, Vec3::Y, Vec3::Y).expect("a pose");
    let far = goal(Vec3::ZERO, Vec3::X * 1e9, Vec3::Y).with_weight(0.5);
    let posed = bind.with_policy(ReachPolicy::Meet).solve(&far);
    assert_eq!(posed.err(), Some(Error::Overflow));
}

#[test]
fn overflowing_chain_or_foot_is_an_error() {
    let mut chain = [Vec3::X * -3e38, Vec3::X * 3e38];
    let fabrik = Fabrik::new(5, 1.0).expect("finite");
    assert_eq!(fabrik.solve(&mut chain, &[1.0], Vec3::X), Err(Error::Overflow));

    let far = Vec3::Y * -3e38;
    let footing = Footing { point: Vec3::Y * 3e38, normal: Vec3::Y, heading: Vec3::Z };
    for (heel, toe) in [(far - Vec3::Z * 1e38, far), (Vec3::Z * -3e38, Vec3::Z * 3e38)] {
        let foot = Foot { heel, toe, up: Vec3::Y };
        assert_eq!(foot.place(&footing, Turn::NONE), Err(Error::Overflow));
    }
}

#[test]
fn overflowing_leg_is_an_error() {
    let lengths = LegLengths { coxa: 3e38, femur: 1.0, tibia: 1.0, tarsus: 0.0 };
    let mount = LegMount {
        hip: Vec3::X * 3e38,
        up: Vec3::Y,
        rest_direction: Vec3::X,
        tarsus_direction: Vec3::NEG_Y,
    };
    assert_eq!(lengths.solve(&mount, Vec3::X * 3.1e38), Err(Error::Overflow));
}

#[test]
fn invalid_end_rotation_is_an_error() {
    let bind = BindPose::new(Vec3::ZERO, Vec3::Y, Vec3::ONE, Vec3::Y).expect("a pose");
    let solve = |rotation| {
        let goal = goal(Vec3::ZERO, Vec3::X, Vec3::Y);
        bind.solve(&goal.with_end_rotation(EndRotation::Set(rotation))).err()
    };
    let argument = "end rotation";
    let nan = Quat::from_xyzw(0.0, f32::NAN, 0.0, 1.0);
    assert_eq!(solve(nan), Some(Error::NotFinite { argument }));
    assert_eq!(solve(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), Some(Error::NoDirection { argument }));
    assert_eq!(solve(Quat::IDENTITY), None);
}
