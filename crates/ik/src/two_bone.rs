//! The single-limb solver.

use super::Error;
use super::numbers::{Float, Frame, Real, Vector};
use super::policy::ReachPolicy;
use super::reach::{EASES, Eased, Reach};
use super::triangle::{Margins, Triangle};
use super::turn::Turn;

/// A limb of two bones: their lengths, and what happens near the limits of their reach.
///
/// ```
/// use tarsus_ik::glam::Vec3;
/// use tarsus_ik::{Turn, TwoBone};
///
/// // A knee that neither locks nor folds flat, and bones that lengthen by up to a tenth.
/// let leg = TwoBone::new(0.45_f32, 0.42)?
///     .with_hinge_limits(Turn::from_radians(0.1)?, Turn::from_radians(2.5)?)?
///     .with_stretch(0.98, 1.1)?;
/// let high = leg.solve(Vec3::ZERO, Vec3::new(0.0, -0.9, 0.0), Vec3::Z)?;
/// assert!(high.reached && high.stretch > 1.0);
/// let low = leg.solve(Vec3::ZERO, Vec3::new(0.0, -0.1, 0.0), Vec3::Z)?;
/// assert!((low.bend.angle() - 2.5).abs() < 1e-5);
/// # Ok::<(), tarsus_ik::Error>(())
/// ```
///
/// One limb solves in the plane ([`Vec2`](glam::Vec2), [`DVec2`](glam::DVec2)) and in
/// space ([`Vec3`](glam::Vec3), [`DVec3`](glam::DVec3)), in the float type of its
/// lengths. All lengths and points share one unit of length and, within a call, one
/// orthonormal frame; the choice of both is free.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "crate::saved::Saved<T>",
        into = "crate::saved::Saved<T>",
        bound(
            serialize = "T: Real + serde::Serialize",
            deserialize = "T: Real + serde::Deserialize<'de>"
        )
    )
)]
pub struct TwoBone<T> {
    r1: T,
    r2: T,
    policy: ReachPolicy,
    pub(super) range: Reach<T>,
    /// Fraction of the reach at which stretching begins.
    pub(super) stretch_from: T,
    /// The settings of `range` with an effect, the policy and [`EXTREME`], one bit each. A
    /// batch combines the bits of its limbs by one operation per limb.
    pub(super) uses: u8,
}

/// The bit of [`TwoBone::uses`] for lengths beyond a million either way, which lose digits
/// when they are squared twice without scaling, and for a first bone of a millionth of the
/// second, whose mid joint can round to the start.
pub(super) const EXTREME: u8 = 64;

/// The bit of [`TwoBone::uses`] for a policy.
#[inline(always)]
pub(super) const fn policy_bit(policy: ReachPolicy) -> u8 {
    8 << policy as u8
}

/// A solved limb, in the frame of the start and the target.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Solution<V: Vector> {
    /// Joint between the bones: elbow or knee.
    pub mid: V,
    /// End of the limb: the target, or, if that is out of reach or softened, the point
    /// the end joint stops at.
    pub end: V,
    /// True if the end joint meets the target with rigid bones, or with bones lengthened
    /// by [`TwoBone::with_stretch`]; `end` is then the target. False out of reach under
    /// [`ReachPolicy::Meet`], although `end` is the target there too.
    pub reached: bool,
    /// Factor of both lengths by [`TwoBone::with_stretch`]; 1 without it, under
    /// [`ReachPolicy::Meet`] too.
    pub stretch: V::Real,
    /// Angle from the direction of the first bone to that of the second: 0 is straight, as
    /// for a target too far, π folded flat, as for one too near. The sine is negative only
    /// for a weight below 1, if the pose is bent against its hinge.
    pub bend: Turn<V::Real>,
}

impl<V: Vector> Solution<V> {
    /// A limb without a solution: both joints on the start.
    pub(super) fn unsolved() -> Self {
        Self {
            mid: V::default(),
            end: V::default(),
            reached: false,
            stretch: V::Real::ONE,
            bend: Turn::NONE,
        }
    }
}

impl<T: Real> TwoBone<T> {
    /// Creates a limb with [`ReachPolicy::Clamp`] and without soft reach. `r1` is the
    /// length of the first bone, from start to mid joint; `r2` is the length of the
    /// second, from mid to end joint.
    ///
    /// # Errors
    /// [`Error::Length`] unless both lengths are finite and positive; [`Error::Overflow`]
    /// if their sum is not finite.
    pub fn new(r1: T, r2: T) -> Result<Self, Error> {
        check_length(r1, "first bone")?;
        check_length(r2, "second bone")?;
        if !(r1 + r2).is_finite() {
            return Err(Error::Overflow);
        }
        let policy = ReachPolicy::default();
        let smallest = T::ONE / T::MILLION;
        let is_extreme = r1.min(r2) <= smallest || r1 + r2 >= T::MILLION || r1 <= r2 * smallest;
        let extreme = if is_extreme { EXTREME } else { 0 };
        Ok(Self {
            r1,
            r2,
            policy,
            range: Reach::RIGID,
            stretch_from: T::ZERO,
            uses: policy_bit(policy) | extreme,
        })
    }

    /// Replaces the reach policy.
    #[must_use]
    pub fn with_policy(self, policy: ReachPolicy) -> Self {
        let uses = (self.uses & (EASES | EXTREME)) | policy_bit(policy);
        Self { policy, uses, ..self }
    }

    /// True if a setting changes the distance of targets or the lengths of the bones.
    #[inline(always)]
    pub(super) fn eases(&self) -> bool {
        self.uses & EASES != 0
    }

    /// Enables soft reach from the distance `d0` on; see
    /// [`soft_reach`](super::soft_reach). A target farther than `d0` is then never met,
    /// and never too far. `d0` is a distance, not a fraction of the reach:
    ///
    /// ```
    /// # use tarsus_ik::TwoBone;
    /// let arm = TwoBone::new(0.35, 0.3)?;
    /// let arm = arm.with_soft_reach(0.95 * arm.reach())?;
    /// # Ok::<(), tarsus_ik::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SoftReach`] unless 0 ≤ `d0` < [`reach`](Self::reach).
    #[doc(alias = "soften")]
    pub fn with_soft_reach(self, d0: T) -> Result<Self, Error> {
        // Without a number that is out of range, infinity would be none.
        let soft_far = if d0.is_finite() { d0 } else { -T::ONE };
        self.with_range(Reach { soft_far, ..self.range })
    }

    /// Enables soft folding from the distance `d0` inward: soft reach toward the
    /// [`hole`](Self::hole) instead of the reach. A target nearer than `d0` is then never
    /// met, and never too near. The eased distance is
    ///
    /// ```text
    /// d' = d0 − (d0 − hole)·α/(1 + α)        α = (d0 − d)/(d0 − hole)
    /// ```
    ///
    /// # Errors
    /// [`Error::SoftReach`] unless hole < `d0` ≤ reach, and `d0` is no farther than the
    /// begin of the soft reach.
    pub fn with_soft_fold(self, d0: T) -> Result<Self, Error> {
        let soft_near = if d0 > T::ZERO { d0 } else { T::INFINITY };
        self.with_range(Reach { soft_near, ..self.range })
    }

    /// Limits the [bend](Solution::bend) of the hinge between the bones to `least` and
    /// `most`, 0 ≤ `least` ≤ `most` ≤ π. The hinge stops at a limit, under
    /// [`ReachPolicy::Meet`] too, and [`ReachPolicy::Fail`] fails beyond it: the end joint
    /// stays on the line to the target, at the distance
    ///
    #[doc = include_str!("figures/limits.md")]
    ///
    /// ```text
    /// d² = r1² + r2² + 2 r1 r2 cos θ
    /// ```
    ///
    /// of the limit θ. Soft reach and soft folding approach the limits softly: their hole and
    /// reach are those of the limits.
    ///
    /// # Errors
    /// [`Error::HingeLimits`] unless the angles are in this order;
    /// [`Error::SoftReach`] if soft reach or soft folding begins beyond the limits.
    pub fn with_hinge_limits(self, least: Turn<T>, most: Turn<T>) -> Result<Self, Error> {
        let (Some(least), Some(most)) = (least.up_to_half(), most.up_to_half()) else {
            return Err(Error::HingeLimits);
        };
        // Small angles differ in their sines alone.
        let is_reversed = least.cos() < most.cos()
            || (least.cos() == most.cos() && least.sin() * least.cos() > most.sin() * most.cos());
        if is_reversed {
            return Err(Error::HingeLimits);
        }
        self.with_range(self.range.limit(self.r1, self.r2, least, most))
    }

    /// Lets both bones lengthen by the same factor: 1 up to the fraction `from` of the
    /// reach, then rising linearly with the distance d, to `max` for a target at `max` times
    /// the reach, which is the farthest that is met:
    ///
    /// ```text
    /// k = 1 + (max − 1)·(d − from·reach)/((max − from)·reach)        clamped to 1 … max
    /// ```
    ///
    /// where `from` is at least hole/reach. [`hole`](Self::hole) and [`reach`](Self::reach)
    /// are those of the hinge limits. The distances of soft reach, soft folding and hinge
    /// limits grow by k too, so that the limits hold for a lengthened limb: the stretch comes
    /// first, then soft folding and soft reach, then the limits, then the policy.
    ///
    #[doc = include_str!("figures/stretch.md")]
    ///
    /// # Errors
    /// [`Error::Stretch`] unless 0 ≤ `from` ≤ 1 ≤ `max` ≤ 1024; [`Error::Overflow`] if the
    /// longest reach or the growth of the stretch per distance overflows the float type.
    #[doc(alias = "allow_stretching")]
    pub fn with_stretch(self, from: T, max: T) -> Result<Self, Error> {
        if !(from >= T::ZERO && from <= T::ONE && max >= T::ONE && max <= T::THOUSAND) {
            return Err(Error::Stretch);
        }
        let range = Reach { stretch_max: max, ..self.range };
        Self { stretch_from: from, ..self }.with_range(range)
    }

    /// Smallest and largest distance of the end joint by hinge limits: 0 and infinity without.
    pub(super) fn limits(&self) -> [T; 2] {
        [self.range.near, self.range.far]
    }

    /// Replaces the hinge limits.
    pub(super) fn with_limits(self, near: T, far: T) -> Result<Self, Error> {
        self.with_range(Reach { near, far, ..self.range })
    }

    pub(super) fn with_range(self, range: Reach<T>) -> Result<Self, Error> {
        let (r1, r2) = (self.r1, self.r2);
        let range = range.stretched(r1, r2, self.stretch_from).check(r1, r2)?;
        let uses = (self.uses & !EASES) | range.uses();
        Ok(Self { range, uses, ..self })
    }

    /// Lengths of the first and the second bone.
    #[must_use]
    pub fn lengths(&self) -> (T, T) {
        (self.r1, self.r2)
    }

    /// The reach policy.
    #[must_use]
    pub fn policy(&self) -> ReachPolicy {
        self.policy
    }

    /// Largest distance between start and end joint of rigid bones: r1 + r2, or the
    /// distance at the lower hinge limit.
    #[must_use]
    pub fn reach(&self) -> T {
        self.range.range(self.r1, self.r2).1
    }

    /// Smallest distance between start and end joint of rigid bones: |r1 − r2|, or the
    /// distance at the upper hinge limit.
    #[must_use]
    pub fn hole(&self) -> T {
        self.range.range(self.r1, self.r2).0
    }

    /// Places the mid and end joint of a limb from `start` toward `target`, bent to
    /// `bend`: a [`Side`](super::Side) in the plane, a pole vector in space.
    ///
    /// The **pole vector** is the direction the mid joint bends to. Only its component
    /// perpendicular to the line start–target counts, not its length. If it is 0 or
    /// parallel to the line, the limb bends to an arbitrary perpendicular of the line.
    ///
    /// If start and target **coincide**, the line has no direction. A positive coordinate
    /// axis stands for it: +x in the plane, and in space the axis in which the pole's
    /// component is smallest, or +x if the pole is 0. Equal bones fold onto one another, with
    /// the mid joint toward the pole (+y if that is 0) or, in the plane, at +y on the left
    /// and −y on the right. Unequal bones lie along the axis: the mid joint is at r1 along it,
    /// or at −r1 if the first bone is the shorter one, and the end joint at |r1 − r2| or,
    /// under [`ReachPolicy::Meet`], on the target. Hinge limits and soft folding place the
    /// end joint on the axis, at their distance.
    ///
    /// # Accuracy
    /// With u = ε/2 the unit roundoff, L = r1 + r2 and the start at the origin, the bones
    /// keep their lengths to within 8uL; see the [numbers](super#the-numbers). A start
    /// elsewhere adds the rounding of `target - start` and of the sum.
    ///
    /// # Errors
    /// - [`Error::NotFinite`] if an argument is NaN or infinite,
    /// - [`Error::Overflow`] if target − start or a joint overflows the float type,
    /// - [`Error::TooFar`] and [`Error::TooNear`] under [`ReachPolicy::Fail`].
    #[inline]
    pub fn solve<V: Vector<Real = T>>(
        &self,
        start: V,
        target: V,
        bend: V::Bend,
    ) -> Result<Solution<V>, Error> {
        if !V::bend_is_finite(bend) {
            return Err(Error::NotFinite { argument: "pole" });
        }
        self.place(start, target, Toward(bend), |placed| placed.solution)
    }

    /// [`solve`](Self::solve) in a given frame. `finish` makes the result, so that a large
    /// one is written only once.
    #[inline(always)]
    pub(super) fn place<V: Vector<Real = T>, A>(
        &self,
        start: V,
        target: V,
        framing: impl Framing<V>,
        finish: impl Fn(SolvedFrame<V>) -> A,
    ) -> Result<A, Error> {
        let target_in_start = target - start;
        if !target_in_start.is_finite() {
            return Err(infinite_line(start, target));
        }
        if self.eases() {
            self.place_eased(target_in_start, start, target, framing, finish)
        } else {
            let scaled = self.scaled(target_in_start);
            self.place_scaled(scaled, start, target, framing, finish)
        }
    }

    /// The limb and its target scaled to about 1, without settings for the distance.
    #[inline(always)]
    pub(super) fn scaled<V: Vector<Real = T>>(&self, target_in_start: V) -> Scaled<V> {
        let distance = target_in_start.max_abs_component();
        let (scale, unit, target_unit) = scales(distance, self.r1 + self.r2, self.policy);
        Scaled {
            scale,
            r1: self.r1 * unit,
            r2: self.r2 * unit,
            p: target_in_start * target_unit,
            is_moved: false,
            is_within: false,
            stretch: T::ONE,
        }
    }

    /// Places the joints after easing the distance of the target and stretching the bones.
    #[inline(never)]
    fn place_eased<V: Vector<Real = T>, A>(
        &self,
        target_in_start: V,
        start: V,
        target: V,
        framing: impl Framing<V>,
        finish: impl Fn(SolvedFrame<V>) -> A,
    ) -> Result<A, Error> {
        let distance = target_in_start.max_abs_component();
        let largest = (self.r1 + self.r2) * self.range.stretch_max;
        let (scale, unit, target_unit) = scales(distance, largest, ReachPolicy::Clamp);

        // A distant target is nearer in p; the easing needs its true distance.
        let size = distance.scale();
        let v = target_in_start * size.scale_reciprocal();
        let length = v.dot(v).sqrt();
        let d = (length * (size * unit)).min(T::ONE / T::COINCIDENT);
        let range = self.range.scaled(unit);
        let eased = if range.leaves(d) {
            Eased::unmoved(d)
        } else {
            range.ease::<EASES>(d, self.r1 * unit, self.r2 * unit)
        };
        if eased.is_limited && self.policy == ReachPolicy::Fail {
            return Err(if eased.distance < d { Error::TooFar } else { Error::TooNear });
        }
        // Bones that stretch to a target need its true distance, too.
        let (scale, unit, target_unit) = if self.policy == ReachPolicy::Meet && !eased.is_moved {
            scales(distance, largest, self.policy)
        } else {
            (scale, unit, target_unit)
        };
        let p = target_in_start * target_unit;
        let h = p.dot(p);
        let p = if !eased.is_moved {
            p
        } else if h < T::COINCIDENT {
            framing.frame(p, h).0 * eased.distance
        } else {
            v * (eased.distance / length)
        };
        let scaled = Scaled {
            scale,
            r1: self.r1 * unit * eased.stretch,
            r2: self.r2 * unit * eased.stretch,
            p,
            is_moved: eased.is_moved,
            is_within: eased.is_within,
            stretch: eased.stretch,
        };
        self.place_scaled(scaled, start, target, framing, finish)
    }

    #[inline(always)]
    pub(super) fn place_scaled<V: Vector<Real = T>, A>(
        &self,
        scaled: Scaled<V>,
        start: V,
        target: V,
        framing: impl Framing<V>,
        finish: impl Fn(SolvedFrame<V>) -> A,
    ) -> Result<A, Error> {
        let Scaled { scale, r1, r2, p, is_moved, is_within, stretch } = scaled;
        let h = p.dot(p);
        let h = rounded_into_reach(h, r1, r2, is_moved, is_within);

        let margins = Margins::new(h, r1, r2);
        if self.policy == ReachPolicy::Fail && !margins.reached() {
            return Err(margins.error());
        }
        let triangle = Triangle::new(h, r1, r2, self.policy);
        let (line, across) = framing.frame(p, h);

        let mid = start + (line * triangle.along + across * triangle.across) * scale;
        let reached = margins.reached() && !is_moved;
        let meets = reached || (self.policy == ReachPolicy::Meet && !is_moved);
        let end = if meets { target } else { start + line * triangle.extent * scale };
        // One test for both, unless their sum overflows.
        let are_finite = (mid + end).is_finite() || (mid.is_finite() && end.is_finite());
        if !are_finite {
            return Err(Error::Overflow);
        }
        let bend = margins.bend();
        let solution = Solution { mid, end, reached, stretch, bend };
        Ok(finish(SolvedFrame { solution, triangle, line, across }))
    }
}

/// The frame to solve a limb in. A trait rather than a closure, to be inlined always.
pub(super) trait Framing<V: Vector>: Copy {
    /// A line along p and the direction across it to bend to, both as long as p, for p and
    /// h = |p|² scaled to about 1; unit vectors if start and target coincide.
    fn frame(self, p: V, h: V::Real) -> (V, V);
}

/// The frame in which a limb bends to a side or a pole.
#[derive(Clone, Copy)]
struct Toward<V: Vector>(V::Bend);

impl<V: Vector> Framing<V> for Toward<V> {
    #[inline(always)]
    fn frame(self, p: V, h: V::Real) -> (V, V) {
        V::frame(p, h, self.0)
    }
}

/// A target and its bones in a unit of about the reach.
#[derive(Clone, Copy)]
pub(super) struct Scaled<V: Vector> {
    /// Power of two that scales the joints back.
    scale: V::Real,
    r1: V::Real,
    r2: V::Real,
    pub(super) p: V,
    /// True if `p` is not the target, but a point on the line to it.
    is_moved: bool,
    /// True if `p` is within reach but for rounding.
    is_within: bool,
    stretch: V::Real,
}

/// Scales that keep every square within the range of the float type: the scale of the
/// result, its reciprocal for the lengths, and the factor for the target. All are powers
/// of two, so scaling is exact.
///
/// Lengths are scaled to about 1, and so is a target within or near reach. A distant
/// target is moved to about 1000 times the reach, which changes nothing for rigid bones.
/// Bones that stretch need the true distance, so under that policy the larger of distance
/// and reach sets the scale.
#[inline(always)]
pub(super) fn scales<T: Real>(distance: T, reach: T, policy: ReachPolicy) -> (T, T, T) {
    let size = if policy == ReachPolicy::Meet { distance.max(reach) } else { reach };
    let scale = size.scale();
    let unit = scale.scale_reciprocal();
    if distance <= size * T::THOUSAND {
        return (scale, unit, unit);
    }
    let distant = T::THOUSAND * distance.scale().scale_reciprocal();
    (scale, unit, unit.min(distant))
}

/// The squared distance within reach that is nearest to h.
#[inline(always)]
pub(super) fn clamp_to_reach<T: Real>(h: T, r1: T, r2: T) -> T {
    let (sum, difference) = (r1 + r2, r1 - r2);
    h.min(sum * sum).max(difference * difference)
}

/// The squared distance after easing, without rounding errors across the limits: an eased
/// distance is never too far, and one within reach is not too near either.
#[inline(always)]
pub(super) fn rounded_into_reach<T: Real>(
    h: T,
    r1: T,
    r2: T,
    is_moved: bool,
    is_within: bool,
) -> T {
    let (sum, difference) = (r1 + r2, r1 - r2);
    let h = if is_moved | is_within { h.min(sum * sum) } else { h };
    if is_within { h.max(difference * difference) } else { h }
}

/// A solution and the frame it was computed in.
pub(super) struct SolvedFrame<V: Vector> {
    pub(super) solution: Solution<V>,
    pub(super) triangle: Triangle<V::Real>,
    /// From start toward the target, of arbitrary length.
    pub(super) line: V,
    /// Perpendicular to `line`, of the same length.
    pub(super) across: V,
}

pub(super) fn check_length<T: Real>(length: T, segment: &'static str) -> Result<(), Error> {
    if length > T::ZERO && length.is_finite() { Ok(()) } else { Err(Error::Length { segment }) }
}

/// The error for a line start–target that is not finite.
#[cold]
fn infinite_line<V: Frame>(start: V, target: V) -> Error {
    match check_finite(start, "start").and(check_finite(target, "target")) {
        Err(error) => error,
        Ok(()) => Error::Overflow,
    }
}

pub(super) fn check_finite<V: Frame>(v: V, argument: &'static str) -> Result<(), Error> {
    if v.is_finite() { Ok(()) } else { Err(Error::NotFinite { argument }) }
}
