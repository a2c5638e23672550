//! Soft reach, which keeps limbs from snapping straight.

use super::numbers::Real;

/// Eases a distance `d` toward `reach`, from `d0` on.
///
/// Near full extension a small step of the target turns the bones a lot: the knee snaps.
/// The eased distance is `d` up to `d0`, and from there
///
/// ```text
/// d' = d0 + (reach − d0)·α/(1 + α)        α = (d − d0)/(reach − d0)
/// ```
///
/// whose slope is 1 at `d0`, so the motion has no kink. It is monotone in `d` and never
/// exceeds `reach`.
///
/// All three distances are in the same unit, with 0 ≤ `d0` ≤ `reach`.
///
/// ```
/// use tarsus_ik::soft_reach;
///
/// assert_eq!(soft_reach(0.5, 0.8, 1.0), 0.5);
/// assert!(soft_reach(0.9, 0.8, 1.0) < 0.9);
/// assert!(soft_reach(1e30, 0.8, 1.0) <= 1.0);
/// ```
#[must_use]
#[inline]
pub fn soft_reach<T: Real>(d: T, d0: T, reach: T) -> T {
    let span = reach - d0;
    let over = d - d0;
    if over <= T::ZERO {
        return d;
    }
    if span <= T::ZERO {
        return d.min(reach);
    }
    // α/(1 + α) = 1/(1 + 1/α). In this form every operation is monotone, and so is the
    // rounded result.
    (d0 + span / (T::ONE + span / over)).min(reach)
}
