//! Distances of the end joint: soft reach, hinge limits and bounded stretch.

use super::Error;
use super::numbers::Real;
use super::turn::Turn;

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
/// exceeds `reach`. If `d0` is `reach`, the distance is cut off there.
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
    let (span, over) = (reach - d0, d - d0);
    if over <= T::ZERO {
        return d;
    }
    if span <= T::ZERO {
        return d.min(reach);
    }
    (reach - remaining(over, span)).max(d0)
}

/// The part of `span` that is not covered at `over` ≥ 0 beyond its begin: span/(1 + α) with
/// α = over/span. In this form, with a single division, every operation is monotone, and so
/// is the rounded result.
#[inline(always)]
fn remaining<T: Real>(over: T, span: T) -> T {
    span * (span / (over + span))
}

/// Settings that change the distance of a target, or the lengths of the bones, before the
/// triangle is solved. Every one has a value without effect, so that a batch needs no
/// branches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach<T> {
    /// Distance at the upper hinge limit; 0 without limit.
    pub(super) near: T,
    /// Distance at the lower hinge limit; infinity without limit.
    pub(super) far: T,
    /// Distance at which the easing toward `near` begins; 0 for none.
    pub(super) soft_near: T,
    /// Distance at which the easing toward `far` begins; infinity for none.
    pub(super) soft_far: T,
    /// Distance at which stretching begins.
    pub(super) stretch_from: T,
    /// Growth of the stretch per distance; 0 for rigid bones.
    pub(super) stretch_slope: T,
    /// Largest factor of the lengths; 1 for rigid bones.
    pub(super) stretch_max: T,
}

/// The distance to solve for, and the factor of the lengths.
#[derive(Clone, Copy)]
pub(super) struct Eased<T> {
    pub(super) distance: T,
    pub(super) stretch: T,
    /// True if the distance differs from the target's.
    pub(super) is_moved: bool,
    /// True if the distance is within reach but for rounding.
    pub(super) is_within: bool,
    /// True if a hinge limit, rather than soft reach, has changed the distance.
    pub(super) is_limited: bool,
}

impl<T> Reach<T> {
    #[inline(always)]
    pub(super) fn map<A>(&self, f: impl Fn(&T) -> A) -> Reach<A> {
        Reach {
            near: f(&self.near),
            far: f(&self.far),
            soft_near: f(&self.soft_near),
            soft_far: f(&self.soft_far),
            stretch_from: f(&self.stretch_from),
            stretch_slope: f(&self.stretch_slope),
            stretch_max: f(&self.stretch_max),
        }
    }
}

impl<T: Real> Eased<T> {
    /// A distance that no setting changes.
    #[inline(always)]
    pub(super) fn unmoved(distance: T) -> Self {
        Self { distance, stretch: T::ONE, is_moved: false, is_within: false, is_limited: false }
    }
}

/// The settings of many limbs.
impl<T: Copy, const N: usize> Reach<[T; N]> {
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> Reach<T> {
        self.map(|lanes| lanes[i])
    }

    /// Stores those settings of limbs that are among `uses`.
    #[inline(always)]
    pub(super) fn load<'a>(
        &mut self,
        limbs: &(impl Iterator<Item = &'a Reach<T>> + Clone),
        uses: u8,
    ) where
        T: 'a,
    {
        let copy = |lanes: &mut [T; N], setting: fn(&Reach<T>) -> T| {
            for (lane, limb) in lanes.iter_mut().zip(limbs.clone()) {
                *lane = setting(limb);
            }
        };
        if uses & LIMITS != 0 {
            copy(&mut self.near, |limb| limb.near);
            copy(&mut self.far, |limb| limb.far);
        }
        if uses & SOFT_FOLD != 0 {
            copy(&mut self.soft_near, |limb| limb.soft_near);
        }
        if uses & SOFT_REACH != 0 {
            copy(&mut self.soft_far, |limb| limb.soft_far);
        }
        if uses & STRETCH != 0 {
            copy(&mut self.stretch_from, |limb| limb.stretch_from);
            copy(&mut self.stretch_slope, |limb| limb.stretch_slope);
            copy(&mut self.stretch_max, |limb| limb.stretch_max);
        }
    }
}

/// Kinds of settings, as bits of [`Reach::uses`].
const LIMITS: u8 = 1;
pub(super) const SOFT_REACH: u8 = 2;
const STRETCH: u8 = 4;
const SOFT_FOLD: u8 = 128;
/// All of them: the settings that change distances or lengths.
pub(super) const EASES: u8 = LIMITS | SOFT_REACH | SOFT_FOLD | STRETCH;

impl<T: Real> Reach<T> {
    pub(super) const RIGID: Self = Self {
        near: T::ZERO,
        far: T::INFINITY,
        soft_near: T::ZERO,
        soft_far: T::INFINITY,
        stretch_from: T::ZERO,
        stretch_slope: T::ZERO,
        stretch_max: T::ONE,
    };

    /// The same settings in another unit of length.
    #[inline(always)]
    pub(super) fn scaled(self, unit: T) -> Self {
        Self {
            stretch_slope: self.stretch_slope * unit.scale_reciprocal(),
            stretch_max: self.stretch_max,
            ..self.map(|distance| *distance * unit)
        }
    }

    /// Smallest and largest distance for bones of these lengths.
    #[inline(always)]
    pub(super) fn range(&self, r1: T, r2: T) -> (T, T) {
        (self.near.max((r1 - r2).abs()), self.far.min(r1 + r2))
    }

    /// Sets the distances at which the hinge is bent by `least` and by `most`.
    ///
    /// d² = r1² + r2² + 2 r1 r2 cos θ is the squared length of the vector (r1 + r2 cos θ,
    /// r2 sin θ), which does not overflow in units of the reach.
    pub(super) fn limit(self, r1: T, r2: T, least: Turn<T>, most: Turn<T>) -> Self {
        let scale = (r1 + r2).scale();
        let unit = scale.scale_reciprocal();
        let distance = |turn: Turn<T>| {
            let (a, b) = (r1 * unit, r2 * unit);
            let (x, y) = (a + b * turn.cos(), b * turn.sin());
            (x * x + y * y).sqrt() * scale
        };
        let folded = most.cos() == -T::ONE;
        Self {
            near: if folded { T::ZERO } else { distance(most) },
            far: if least == Turn::NONE { T::INFINITY } else { distance(least) },
            ..self
        }
    }

    /// Makes the stretch begin at the fraction `from` of the reach.
    pub(super) fn stretched(self, r1: T, r2: T, from: T) -> Self {
        let max = self.stretch_max;
        if max == T::ONE {
            return Self { stretch_from: T::ZERO, stretch_slope: T::ZERO, ..self };
        }
        let (near, far) = self.range(r1, r2);
        // The hole grows with the bones and must not overtake the target.
        let from = from.max(near / far);
        Self {
            stretch_from: from * far,
            stretch_slope: (max - T::ONE) / (max - from) / far,
            ..self
        }
    }

    /// Kinds of the settings that have an effect.
    pub(super) fn uses(&self) -> u8 {
        let limits = self.near != T::ZERO || self.far != T::INFINITY;
        [
            (LIMITS, limits),
            (SOFT_REACH, self.soft_far != T::INFINITY),
            (SOFT_FOLD, self.soft_near != T::ZERO),
            (STRETCH, self.stretch_max != T::ONE),
        ]
        .into_iter()
        .fold(0, |uses, (kind, is_used)| if is_used { uses | kind } else { uses })
    }

    /// Checks that the settings fit each other.
    pub(super) fn check(self, r1: T, r2: T) -> Result<Self, Error> {
        let (near, far) = self.range(r1, r2);
        if !(near <= far && far > T::ZERO) {
            return Err(Error::HingeLimits);
        }
        let eases_near = self.soft_near != T::ZERO;
        let eases_far = self.soft_far != T::INFINITY;
        let most_near = far.min(self.soft_far);
        if eases_far && !(self.soft_far >= T::ZERO && self.soft_far < far) {
            return Err(Error::SoftReach { least: 0.0, most: far.into() });
        }
        if eases_near && !(self.soft_near > near && self.soft_near <= most_near) {
            return Err(Error::SoftReach { least: near.into(), most: most_near.into() });
        }
        let is_finite = self.stretch_slope.is_finite() && (far * self.stretch_max).is_finite();
        if is_finite { Ok(self) } else { Err(Error::Overflow) }
    }

    /// True if a target at the distance `d` is left where it is and the bones stay rigid,
    /// so that [`ease`](Self::ease) has no effect.
    #[inline(always)]
    pub(super) fn leaves(&self, d: T) -> bool {
        let inner = self.near.max(self.soft_near);
        let outer = self.far.min(self.soft_far);
        d >= inner && d <= outer && (self.stretch_slope == T::ZERO || d <= self.stretch_from)
    }

    /// Eases the distance `d` of a target of bones with these lengths, all in the unit of
    /// the settings. The settings not among `USES` are without effect.
    #[inline(always)]
    pub(super) fn ease<const USES: u8>(&self, d: T, r1: T, r2: T) -> Eased<T> {
        let limited = if USES & LIMITS != 0 { *self } else { Self::RIGID };
        let (near, far) = limited.range(r1, r2);
        let stretch = if USES & STRETCH != 0 {
            (T::ONE + (d - self.stretch_from) * self.stretch_slope)
                .max(T::ONE)
                .min(self.stretch_max)
        } else {
            T::ONE
        };

        let (near, far) = (near * stretch, far * stretch);
        let mut eased = d;
        if USES & SOFT_FOLD != 0 {
            let begin = self.soft_near * stretch;
            let folded = (near + remaining(begin - d, begin - near)).min(begin);
            eased = if d < begin { folded } else { eased };
        }
        if USES & SOFT_REACH != 0 {
            let begin = self.soft_far * stretch;
            let extended = (far - remaining(d - begin, far - begin)).max(begin);
            eased = if d > begin { extended } else { eased };
        }
        let distance = if USES & LIMITS != 0 {
            eased.max(self.near * stretch).min(self.far * stretch)
        } else {
            eased
        };
        let is_moved = distance != d;
        let is_in_range = (distance >= near) & (distance <= far);
        let is_stretching = (stretch > T::ONE) & (stretch < self.stretch_max);
        Eased {
            distance,
            stretch,
            is_moved,
            is_within: if is_moved { is_in_range } else { is_stretching },
            is_limited: distance != eased,
        }
    }
}
