//! The stored form of [`TwoBone`], for the feature `serde`: lengths and settings, checked
//! when they are read. Settings without effect are absent, as not every format has
//! infinity.

use serde::{Deserialize, Serialize};

use super::numbers::Real;
use super::reach::Reach;
use super::{Error, ReachPolicy, TwoBone};

#[derive(Serialize, Deserialize)]
pub(super) struct Saved<T> {
    lengths: [T; 2],
    policy: ReachPolicy,
    /// Smallest and largest distance by hinge limits.
    limits: [Option<T>; 2],
    /// Begin of soft folding and of soft reach.
    soft: [Option<T>; 2],
    /// Fraction of the reach at which stretching begins, and its maximum.
    stretch: [T; 2],
}

impl<T: Real> From<TwoBone<T>> for Saved<T> {
    fn from(limb: TwoBone<T>) -> Self {
        let range = limb.range;
        let unless = |value: T, none: T| (value != none).then_some(value);
        Self {
            lengths: limb.lengths().into(),
            policy: limb.policy(),
            limits: [unless(range.near, T::ZERO), unless(range.far, T::INFINITY)],
            soft: [unless(range.soft_near, T::ZERO), unless(range.soft_far, T::INFINITY)],
            stretch: [limb.stretch_from, range.stretch_max],
        }
    }
}

impl<T: Real> TryFrom<Saved<T>> for TwoBone<T> {
    type Error = Error;

    fn try_from(saved: Saved<T>) -> Result<Self, Error> {
        if !saved.limits.iter().flatten().all(|distance| *distance > T::ZERO) {
            return Err(Error::HingeLimits);
        }
        let [r1, r2] = saved.lengths;
        let limb = TwoBone::new(r1, r2)?
            .with_policy(saved.policy)
            .with_stretch(saved.stretch[0], saved.stretch[1])?;
        limb.with_range(Reach {
            near: saved.limits[0].unwrap_or(T::ZERO),
            far: saved.limits[1].unwrap_or(T::INFINITY),
            soft_near: saved.soft[0].unwrap_or(T::ZERO),
            soft_far: saved.soft[1].unwrap_or(T::INFINITY),
            ..limb.range
        })
    }
}
