//! Mirrored, scaled and rotated limbs have mirrored, scaled and rotated solutions.

use glam::{Quat, Vec2, Vec3};
use proptest::prelude::*;
use tarsus_ik::Side;

use super::limbs::*;
use super::oracle::*;

proptest! {
    #![proptest_config(config(2048))]

    /// Solving the mirrored limb is bit-identical to mirroring the solution: no operation
    /// treats the two signs differently.
    #[test]
    fn mirrored_limb_has_mirrored_solution((r, target, side) in plane()) {
        let Some(limb) = limb(r) else { return Ok(()) };
        let other = if side == Side::Left { Side::Right } else { Side::Left };
        let mirror = |v: Vec2| Vec2::new(v.x, -v.y);
        let solved = limb.solve(Vec2::ZERO, target, side).expect("finite input");
        let mirrored = limb.solve(Vec2::ZERO, mirror(target), other).expect("finite input");
        prop_assert_eq!(mirrored.mid, mirror(solved.mid));
        prop_assert_eq!(mirrored.end, mirror(solved.end));
        prop_assert_eq!(mirrored.bend, solved.bend);
    }

    /// Powers of two scale exactly, so the solution scales exactly.
    #[test]
    fn power_of_two_scales_solution_exactly((r, target, pole) in ordinary(), exponent in -60..60) {
        let scale = 2.0_f32.powi(exponent);
        let solved = limb(r).expect("ordinary").solve(Vec3::ZERO, target, pole).expect("finite");
        let scaled = limb((r.0 * scale, r.1 * scale))
            .expect("ordinary")
            .solve(Vec3::ZERO, target * scale, pole)
            .expect("finite");
        prop_assert_eq!(scaled.mid, solved.mid * scale);
        prop_assert_eq!(scaled.end, solved.end * scale);
        prop_assert_eq!((scaled.bend, scaled.reached), (solved.bend, solved.reached));
    }

    /// Solving the rotated limb equals rotating the solution. The rotation rounds the
    /// target by 4u of its length, which moves the mid joint by at most the position
    /// bound, and turns the bend by 1/sin of the angle between pole and line.
    #[test]
    fn rotated_limb_has_rotated_solution((r, target, pole) in ordinary(), axis in direction(), angle in 0.0_f32..6.2) {
        let turn = Quat::from_axis_angle(axis, angle);
        let sine = f64::from(target.normalize_or_zero().cross(pole).length());
        let limb = limb(r).expect("ordinary lengths");
        let solved = limb.solve(Vec3::ZERO, target, pole).expect("finite input");
        // Without a line, or with the pole along it, the bend is arbitrary.
        if sine < 1e-2 || target.length() < 1e-2 {
            return Ok(());
        }
        let turned = limb.solve(Vec3::ZERO, turn * target, turn * pole).expect("finite input");
        let reach = f64::from(limb.reach());
        let (_, height) = reference(Vec2::new(target.length(), 0.0), r);
        let off = (wide(turned.mid) - wide(turn * solved.mid)).length();
        let ends = (wide(turned.end) - wide(turn * solved.end)).length();
        let scale = reach.max(wide(target).length()) / reach;
        prop_assert!(off <= 4.0 * position_bound(reach, height) * scale + 16.0 * U * reach / sine);
        prop_assert!(ends <= 16.0 * U * reach * scale);
    }
}
