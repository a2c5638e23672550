//! Reach policies, continuity at the boundaries, and soft reach.

use glam::Vec3;
use proptest::prelude::*;
use tarsus_ik::{Error, ReachPolicy, TwoBone, soft_reach};

use super::limbs::*;
use super::oracle::*;

proptest! {
    #![proptest_config(config(2048))]

    #[test]
    fn policies_agree_within_reach((r, target, pole) in space()) {
        let Some(limb) = limb(r) else { return Ok(()) };
        let solve = |policy| limb.with_policy(policy).solve(Vec3::ZERO, target, pole);
        let clamp = solve(ReachPolicy::Clamp).expect("finite input");
        match solve(ReachPolicy::Fail) {
            Ok(none) => {
                prop_assert!(clamp.reached);
                prop_assert_eq!(none, clamp);
                prop_assert_eq!(solve(ReachPolicy::Meet), Ok(clamp));
            }
            Err(error) => {
                prop_assert!(!clamp.reached);
                // If one bone is negligible, reach and hole are one rounding apart.
                let (middle, reach) = (f64::from(r.0.max(r.1)), f64::from(limb.reach()));
                let beyond = wide(target).length() - middle;
                if beyond.abs() > 4.0 * U * reach {
                    prop_assert_eq!(error == Error::TooFar, beyond > 0.0);
                }
                if let Ok(meeting) = solve(ReachPolicy::Meet) {
                    prop_assert_eq!(meeting.end, target);
                    prop_assert!(!meeting.reached);
                }
            }
        }
    }

    /// A step of the target moves the joints by no more than the geometry requires. At
    /// full extension and full fold the height above the line grows as the square root of
    /// the step: from δ beyond the boundary to δ inside, and with h rounded by 3u, it is
    /// at most √(2L(2δ + 3uL)). The position along the line moves by at most (1 + L/d)δ.
    #[test]
    fn joints_are_continuous_across_boundaries(
        (r1, r2) in (0.1_f32..2.0, 0.1_f32..2.0),
        far in any::<bool>(),
        step in -7.0_f32..-2.0,
        n in direction(),
        pole in direction(),
        policy in prop_oneof![Just(ReachPolicy::Meet), Just(ReachPolicy::Clamp)],
    ) {
        let (hole, reach) = ((r1 - r2).abs(), r1 + r2);
        let boundary = if far { reach } else { hole };
        let delta = reach * 10.0_f32.powf(step);
        // A hole smaller than the step has no inner side.
        if boundary <= 4.0 * delta || n.cross(pole).length() < 0.1 {
            return Ok(());
        }
        let limb = TwoBone::new(r1, r2).expect("valid lengths").with_policy(policy);
        let at = |d: f32| limb.solve(Vec3::ZERO, n * d, pole).expect("finite input");
        let (inner, outer) = (at(boundary - delta), at(boundary + delta));
        let (l, d, delta) = (f64::from(reach), f64::from(boundary), f64::from(delta));
        let height = (2.0 * l * (2.0 * delta + 3.0 * U * l)).sqrt();
        let along = 4.0 * (1.0 + l / d) * delta;
        prop_assert!((wide(inner.mid) - wide(outer.mid)).length() <= height * (l / d).sqrt() + along);
        prop_assert!((wide(inner.end) - wide(outer.end)).length() <= 2.0 * delta + 16.0 * U * l);
    }

    /// Every operation of the curve is monotone, and so is the whole, without tolerance.
    #[test]
    fn soft_reach_is_monotone_and_bounded(
        reach in magnitude(),
        from in 0.0_f32..1.0,
        a in magnitude(),
        b in magnitude(),
    ) {
        let d0 = from * reach;
        let (near, far) = (a.min(b), a.max(b));
        let (eased_near, eased_far) = (soft_reach(near, d0, reach), soft_reach(far, d0, reach));
        prop_assert!(eased_near <= eased_far);
        prop_assert!(eased_far <= reach);
        // Just beyond d0 the curve leaves the diagonal by less than the difference is rounded.
        prop_assert!(eased_far <= far + f32::EPSILON * reach);
        if near <= d0 {
            prop_assert_eq!(eased_near, near);
        }
    }

    /// The slope is 1 at `d0`: a step of s·span beyond it loses s² of the span, apart
    /// from the rounding of the three numbers.
    #[test]
    fn soft_reach_has_no_kink(from in 0.1_f32..0.9, s in 1e-3_f32..1e-1) {
        let span = 1.0 - from;
        let eased = soft_reach(from + s * span, from, 1.0);
        let lost = (from + s * span - eased) / span;
        prop_assert!((lost - s * s).abs() <= s * s * s + 4.0 * f32::EPSILON / span);
    }

    #[test]
    fn softened_limb_stays_within_reach((r, target, pole) in space(), from in 0.5_f32..0.99) {
        let Some(limb) = limb(r) else { return Ok(()) };
        let Ok(eased) = limb.with_soft_reach(from * limb.reach()) else { return Ok(()) };
        let (hard, soft) = (
            limb.solve(Vec3::ZERO, target, pole).expect("finite input"),
            eased.solve(Vec3::ZERO, target, pole).expect("finite input"),
        );
        assert_lengths(wide(soft.mid), wide(soft.end), r)?;
        // Eased distances have a few more roundings than the reach.
        let tolerance = 8.0 * U * f64::from(limb.reach()) + DENORMAL;
        prop_assert!(wide(soft.end).length() <= f64::from(limb.reach()) + tolerance);
        prop_assert!(wide(soft.end).length() <= wide(hard.end).length() + tolerance);
        prop_assert!(!soft.reached || soft == hard);
        let never = eased.with_policy(ReachPolicy::Fail).solve(Vec3::ZERO, target, pole);
        prop_assert!(never != Err(Error::TooFar));
    }
}
