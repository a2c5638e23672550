//! Oracles: forward kinematics, and the same solution in `f64`.

use glam::{DVec2, DVec3, Vec2};
use proptest::prelude::*;

use super::limbs::*;

/// Checks that the bones keep their lengths to within 8u(r1 + r2): up to 2u from the
/// rounding of |p|², 2u from the two factors and their root, and 3u from the division and
/// the sum of the joint.
pub fn assert_lengths(mid: DVec3, end: DVec3, (r1, r2): (f32, f32)) -> Result<(), TestCaseError> {
    let (r1, r2) = (f64::from(r1), f64::from(r2));
    let tolerance = 8.0 * U * (r1 + r2) + DENORMAL;
    let (first, second) = ((mid.length() - r1).abs(), ((end - mid).length() - r2).abs());
    prop_assert!(first <= tolerance, "first bone off by {} u", first / U / (r1 + r2));
    prop_assert!(second <= tolerance, "second bone off by {} u", second / U / (r1 + r2));
    Ok(())
}

/// Mid joint in the plane, in `f64`, bending left; straight or folded out of reach. Also
/// returns its height above the line start–target.
pub fn reference(target: Vec2, (r1, r2): (f32, f32)) -> (DVec2, f64) {
    let (p, r1, r2) = (target.as_dvec2(), f64::from(r1), f64::from(r2));
    let d = p.length();
    let n = p / d;
    let along = if d > r1 + r2 {
        r1
    } else if d < (r1 - r2).abs() {
        r1 * (r1 - r2).signum()
    } else {
        0.5 * (d + (r1 - r2) * (r1 + r2) / d)
    };
    // 16 times the squared area, by Heron's formula.
    let (sum, difference) = (r1 + r2, r1 - r2);
    let area = (sum - d) * (d - difference) * (d + difference) * (d + sum);
    let height = 0.5 * area.max(0.0).sqrt() / d;
    (n * along + n.perp() * height, height)
}

/// Tolerance of the mid joint: C·u·L·max(1, L/b), where b is the height above the line
/// start–target. The largest C in the 2.4 million inputs of the accuracy example is 1.31;
/// inputs here are more hostile, so 4 is allowed, still less than a decimal digit more.
/// As b → 0, a relative error u of |p|² is a height of √(2u)·L, so the bound ends at
/// 2√u·L.
pub fn position_bound(reach: f64, height: f64) -> f64 {
    let bound = 4.0 * U * reach * (reach / height).max(1.0);
    bound.min(2.0 * U.sqrt() * reach) + DENORMAL
}
