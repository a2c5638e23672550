//! Positions of the joints, compared with an `f64` solution from the same `f32` inputs,
//! whose error is 2⁻²⁹ of the tolerance.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use tarsus_ik::Side;

use super::limbs::*;
use super::oracle::*;

proptest! {
    #![proptest_config(config(4096))]

    #[test]
    fn mid_joint_matches_f64_reference((r, target, _) in plane()) {
        let Some(limb) = limb(r) else { return Ok(()) };
        let reach = f64::from(r.0) + f64::from(r.1);
        // If start and target coincide, there is no direction to compare.
        if target.as_dvec2().length() <= 1e-14 * reach {
            return Ok(());
        }
        let solved = limb.solve(Vec2::ZERO, target, Side::Left).expect("finite input");
        let (exact, height) = reference(target, r);
        let error = (solved.mid.as_dvec2() - exact).length();
        prop_assert!(
            error <= position_bound(reach, height),
            "off by {} u·L at b/L = {}",
            error / U / reach,
            height / reach,
        );
    }

    /// h = |p|² determines cos β = (h − r1² − r2²)/(2 r1 r2); h and the two margins each
    /// round by 3u. Out of reach the end joint is off by 4u, its square by 8u.
    #[test]
    fn bend_equals_angle_between_bones((r, target, pole) in ordinary()) {
        let limb = limb(r).expect("ordinary lengths");
        let solved = limb.solve(Vec3::ZERO, target, pole).expect("finite input");
        let (r1, r2) = (f64::from(r.0), f64::from(r.1));
        let (cos, sin) = (f64::from(solved.bend.cos()), f64::from(solved.bend.sin()));
        let h = r1 * r1 + r2 * r2 + 2.0 * r1 * r2 * cos;
        let tolerance = 16.0 * U * (r1 + r2) * (r1 + r2);
        prop_assert!((wide(solved.end).length_squared() - h).abs() <= tolerance);
        prop_assert!((cos * cos + sin * sin - 1.0).abs() <= 8.0 * U && sin >= 0.0);
    }

    /// The mid joint is never on the side opposite the pole. The bend direction is
    /// perpendicular to the line to within 4u, so the pole's component along the line may
    /// contribute that much.
    #[test]
    fn mid_joint_is_on_pole_side((r, target, pole) in space()) {
        let Some(limb) = limb(r) else { return Ok(()) };
        let solved = limb.solve(Vec3::ZERO, target, pole).expect("finite input");
        let (n, pole) = (wide(target).normalize_or_zero(), wide(pole).normalize_or_zero());
        let across = pole - n * n.dot(pole);
        // A pole nearly parallel to the line gives no side, nor does a line without
        // direction.
        let reach = f64::from(limb.reach());
        if across.length() < 1e-5 || wide(target).length() <= 1e-14 * reach {
            return Ok(());
        }
        prop_assert!(wide(solved.mid).dot(across.normalize()) >= -8.0 * U * reach - DENORMAL);
    }
}
