//! Lengths of the bones and the limits of the reach.

use glam::{DVec3, Vec2, Vec3};
use proptest::prelude::*;
use tarsus_ik::TwoBone;

use super::limbs::*;
use super::oracle::*;

proptest! {
    #![proptest_config(config(4096))]

    #[test]
    fn rigid_bones_keep_lengths_in_plane((r, target, side) in plane()) {
        let Some(limb) = limb(r) else { return Ok(()) };
        let solved = limb.solve(Vec2::ZERO, target, side).expect("finite input");
        assert_lengths(wide(solved.mid.extend(0.0)), wide(solved.end.extend(0.0)), r)?;
        if solved.reached {
            prop_assert_eq!(solved.end, target);
        }
    }

    #[test]
    fn rigid_bones_keep_lengths_in_space((r, target, pole) in space()) {
        let Some(limb) = limb(r) else { return Ok(()) };
        let solved = limb.solve(Vec3::ZERO, target, pole).expect("finite input");
        assert_lengths(wide(solved.mid), wide(solved.end), r)?;
        if solved.reached {
            prop_assert_eq!(solved.end, target);
        }
    }

    /// In `f64` the oracle has the same rounding error as the solver, hence twice the
    /// bound.
    #[test]
    fn rigid_f64_bones_keep_lengths((r, target, pole) in ordinary()) {
        let (r1, r2) = (f64::from(r.0), f64::from(r.1));
        let limb = TwoBone::new(r1, r2).expect("valid lengths");
        let solved = limb.solve(DVec3::ZERO, wide(target), wide(pole)).expect("finite input");
        let tolerance = 16.0 * 0.5 * f64::EPSILON * (r1 + r2);
        prop_assert!((solved.mid.length() - r1).abs() <= tolerance);
        prop_assert!(((solved.end - solved.mid).length() - r2).abs() <= tolerance);
    }

    /// `reached` is the comparison |r1 − r2| ≤ |target| ≤ r1 + r2 to within the rounding
    /// of a square, 4u of the reach.
    #[test]
    fn reached_means_within_reach((r, target, pole) in space()) {
        let Some(limb) = limb(r) else { return Ok(()) };
        let solved = limb.solve(Vec3::ZERO, target, pole).expect("finite input");
        let d = wide(target).length();
        let (r1, r2) = (f64::from(r.0), f64::from(r.1));
        let (inside, outside) = (d - (r1 - r2).abs(), r1 + r2 - d);
        let slack = 4.0 * U * (r1 + r2) + DENORMAL;
        if solved.reached {
            prop_assert!(inside >= -slack && outside >= -slack);
        } else {
            prop_assert!(inside <= slack || outside <= slack);
        }
    }
}
