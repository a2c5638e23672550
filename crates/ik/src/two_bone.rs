//! The single-limb solver.

use super::numbers::{Frame, Real, Vector};
use super::policy::ReachPolicy;
use super::triangle::{Margins, Triangle};
use super::turn::Turn;
use super::{Error, soft_reach};

/// A limb of two bones: their lengths and the policy for targets out of reach.
///
/// One limb solves in the plane ([`Vec2`](glam::Vec2), [`DVec2`](glam::DVec2)) and in
/// space ([`Vec3`](glam::Vec3), [`DVec3`](glam::DVec3)), in the float type of its
/// lengths. All lengths and points share one unit of length and, within a call, one
/// orthonormal frame; the choice of both is free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone<T> {
    r1: T,
    r2: T,
    policy: ReachPolicy,
    soft_from: Option<T>,
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
    /// Whether rigid bones meet the target; `end` is then the target.
    pub reached: bool,
    /// Angle from the direction of the first bone to that of the second: 0 is straight, π
    /// folded flat. The sine is never negative.
    pub bend: Turn<V::Real>,
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
        Ok(Self {
            r1,
            r2,
            policy: ReachPolicy::default(),
            soft_from: None,
        })
    }

    /// Replaces the reach policy.
    #[must_use]
    pub fn with_policy(self, policy: ReachPolicy) -> Self {
        Self { policy, ..self }
    }

    /// Enables soft reach from the distance `d0` on; see
    /// [`soft_reach`](super::soft_reach). A target farther than `d0` is then never met,
    /// and never too far.
    ///
    /// # Errors
    /// [`Error::SoftReach`] unless 0 ≤ `d0` < r1 + r2.
    pub fn with_soft_reach(self, d0: T) -> Result<Self, Error> {
        if d0 >= T::ZERO && d0 < self.reach() {
            Ok(Self {
                soft_from: Some(d0),
                ..self
            })
        } else {
            Err(Error::SoftReach)
        }
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

    /// Distance at which soft reach begins, if enabled.
    #[must_use]
    pub fn soft_from(&self) -> Option<T> {
        self.soft_from
    }

    /// Largest distance between start and end joint: r1 + r2.
    #[must_use]
    pub fn reach(&self) -> T {
        self.r1 + self.r2
    }

    /// Smallest distance between start and end joint: |r1 − r2|.
    #[must_use]
    pub fn hole(&self) -> T {
        (self.r1 - self.r2).abs()
    }

    /// Places the mid and end joint of a limb from `start` toward `target`, bent to
    /// `bend`: a [`Side`](super::Side) in the plane, a pole vector in space.
    ///
    /// The **pole vector** is the direction the mid joint bends to. Only its component
    /// perpendicular to the line start–target counts, not its length. If it is 0 or
    /// parallel to the line, the limb bends to an arbitrary perpendicular of the line.
    ///
    /// If start and target **coincide**, the line has no direction. Equal bones then fold
    /// onto one another, along the pole or, in the plane, along the perpendicular of +x.
    /// Unequal bones, which cannot meet the target, lie along a coordinate axis: the one
    /// in which the pole's component is smallest or, in the plane, +x.
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
        check_finite(start, "start")?;
        if !V::bend_is_finite(bend) {
            return Err(Error::NotFinite { argument: "pole" });
        }
        let placed = self.place(start, target, |p, h| V::frame(p, h, bend))?;
        Ok(placed.solution)
    }

    /// [`solve`](Self::solve) with the frame (line, across) from a function of p and
    /// |p|², both scaled to about 1.
    #[inline(always)]
    pub(super) fn place<V: Vector<Real = T>>(
        &self,
        start: V,
        target: V,
        frame: impl FnOnce(V, T) -> (V, V),
    ) -> Result<SolvedFrame<V>, Error> {
        check_finite(target, "target")?;
        let target_in_start = target - start;
        if !target_in_start.is_finite() {
            return Err(Error::Overflow);
        }
        let aim = self.apply_soft_reach(target_in_start);
        let softened = aim != target_in_start;

        let (scale, unit, target_unit) = scales(aim.max_abs_component(), self.reach(), self.policy);
        let (r1, r2) = (self.r1 * unit, self.r2 * unit);
        let p = aim * target_unit;
        // Rounding may put a softened target just beyond the reach.
        let sum = r1 + r2;
        let h = if softened {
            p.dot(p).min(sum * sum)
        } else {
            p.dot(p)
        };

        let margins = Margins::new(h, r1, r2);
        if self.policy == ReachPolicy::Fail && !margins.reached() {
            return Err(margins.error());
        }
        let triangle = Triangle::new(h, r1, r2, self.policy);
        let (line, across) = frame(p, h);

        let mid = start + (line * triangle.along + across * triangle.across) * scale;
        let reached = margins.reached() && !softened;
        let meets = reached || (self.policy == ReachPolicy::Stretch && !softened);
        let end = if meets {
            target
        } else {
            start + line * triangle.extent * scale
        };
        if !(mid.is_finite() && end.is_finite()) {
            return Err(Error::Overflow);
        }
        let bend = margins.bend();
        Ok(SolvedFrame {
            solution: Solution {
                mid,
                end,
                reached,
                bend,
            },
            triangle,
            line,
            across,
        })
    }

    /// The target relative to the start, moved along its line to the eased distance.
    #[inline(always)]
    fn apply_soft_reach<V: Vector<Real = T>>(&self, target_in_start: V) -> V {
        let Some(d0) = self.soft_from else {
            return target_in_start;
        };
        let scale = target_in_start.max_abs_component().scale();
        let p = target_in_start * scale.scale_reciprocal();
        let length = p.dot(p).sqrt();
        let distance = length * scale;
        if distance <= d0 {
            return target_in_start;
        }
        p * (soft_reach(distance, d0, self.reach()) / length)
    }
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
    let size = if policy == ReachPolicy::Stretch {
        distance.max(reach)
    } else {
        reach
    };
    let scale = size.scale();
    let unit = scale.scale_reciprocal();
    let distant = T::THOUSAND * distance.scale().scale_reciprocal();
    (scale, unit, unit.min(distant))
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
    if length > T::ZERO && length.is_finite() {
        Ok(())
    } else {
        Err(Error::Length { segment })
    }
}

pub(super) fn check_finite<V: Frame>(v: V, argument: &'static str) -> Result<(), Error> {
    if v.is_finite() {
        Ok(())
    } else {
        Err(Error::NotFinite { argument })
    }
}
