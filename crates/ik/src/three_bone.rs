//! Solver for limbs of three bones in one plane: legs of birds, dogs and insects.

use super::numbers::{Real, Vector};
use super::policy::ReachPolicy;
use super::triangle::Triangle;
use super::two_bone::{check_finite, check_length, clamp_to_reach, scales};
use super::{Error, soft_reach};

/// A limb of three rigid bones that bend in one plane.
///
#[doc = include_str!("figures/three_bones.md")]
///
/// Two joints have one freedom more than a target takes. The limb spends it by a
/// **distribution** t, which chooses the distance e from the start to the second joint, from
/// the smallest that the target permits (t = 0, the first joint bends as much as it can) to
/// the largest (t = 1, the second one does):
///
/// ```text
/// e = e0 + t·(e1 − e0)        e0 = max(|r1 − r2|, |d − r3|)        e1 = min(r1 + r2, d + r3)
/// ```
///
/// where d is the distance from the start to the end joint. Given e, the limb is two
/// triangles, and each is solved as by [`TwoBone`](super::TwoBone), without iteration:
/// start–second–end with bones of length e and r3, bent toward the pole, and
/// start–first–second with r1 and r2, bent to the same side of its own line. With a small
/// distribution the second joint therefore often turns against the first, as in the figure's
/// first limb.
///
/// ```
/// use tarsus_ik::glam::Vec3;
/// use tarsus_ik::ThreeBone;
///
/// // A bird's leg: the knee bends forward, the ankle backward.
/// let leg = ThreeBone::new(0.2, 0.35, 0.3)?
///     .with_distribution(0.6)?
///     .with_opposed_bends();
/// let foot = Vec3::new(0.0, -0.6, 0.1);
/// let solved = leg.solve(Vec3::ZERO, foot, Vec3::Z)?;
/// assert!(solved.reached && solved.end == foot);
/// assert!(solved.first.z > 0.0 && solved.second.z < 0.1);
/// # Ok::<(), tarsus_ik::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreeBone<T> {
    lengths: [T; 3],
    distribution: T,
    is_opposed: bool,
    soft_from: T,
}

/// A solved limb of three bones, in the frame of the start and the target.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ThreeBoneSolution<V> {
    /// Joint between the first and the second bone: a knee.
    pub first: V,
    /// Joint between the second and the third bone: a bird's ankle.
    pub second: V,
    /// End of the limb: the target, or the point the end joint stops at.
    pub end: V,
    /// True if the end joint meets the target.
    pub reached: bool,
}

impl<T: Real> ThreeBone<T> {
    /// Creates a limb with the distribution ½ and both triangles on the pole's side. Out of
    /// reach, the end joint stops at the reachable point nearest to the target.
    ///
    /// # Errors
    /// [`Error::Length`] unless all lengths are finite and positive; [`Error::Overflow`]
    /// if their sum is not finite.
    pub fn new(r1: T, r2: T, r3: T) -> Result<Self, Error> {
        check_length(r1, "first bone")?;
        check_length(r2, "second bone")?;
        check_length(r3, "third bone")?;
        if !(r1 + r2 + r3).is_finite() {
            return Err(Error::Overflow);
        }
        Ok(Self {
            lengths: [r1, r2, r3],
            distribution: T::HALF,
            is_opposed: false,
            soft_from: T::INFINITY,
        })
    }

    /// Distributes the bend: 0 to the first joint, 1 to the second.
    ///
    /// # Errors
    /// [`Error::Weight`] unless the distribution is from 0 to 1.
    pub fn with_distribution(self, distribution: T) -> Result<Self, Error> {
        if distribution >= T::ZERO && distribution <= T::ONE {
            Ok(Self { distribution, ..self })
        } else {
            Err(Error::Weight)
        }
    }

    /// Puts the second joint on the other side of the line start–end, away from the pole: a
    /// zigzag instead of an arc. The first joint stays on the pole's side of the line
    /// start–second.
    #[must_use]
    pub fn with_opposed_bends(self) -> Self {
        Self { is_opposed: true, ..self }
    }

    /// Enables soft reach from the distance `d0` on; see [`soft_reach`].
    ///
    /// # Errors
    /// [`Error::SoftReach`] unless hole ≤ `d0` < reach.
    pub fn with_soft_reach(self, d0: T) -> Result<Self, Error> {
        if d0 >= self.hole() && d0 < self.reach() {
            Ok(Self { soft_from: d0, ..self })
        } else {
            Err(Error::SoftReach { least: self.hole().into(), most: self.reach().into() })
        }
    }

    /// Largest distance between start and end joint: the sum of the lengths.
    #[must_use]
    pub fn reach(&self) -> T {
        let [r1, r2, r3] = self.lengths;
        r1 + r2 + r3
    }

    /// Smallest distance between start and end joint: what the longest bone has over the
    /// other two, or 0.
    #[must_use]
    pub fn hole(&self) -> T {
        let [r1, r2, r3] = self.lengths;
        let over = (r1 - r2 - r3).max(r2 - r3 - r1).max(r3 - r1 - r2);
        over.max(T::ZERO)
    }

    /// Places the joints of a limb from `start` toward `target`, bent to `bend`: a
    /// [`Side`](super::Side) in the plane, a pole vector in space, as for
    /// [`TwoBone::solve`](super::TwoBone::solve).
    ///
    /// # Accuracy
    /// The bones keep their lengths to within 24uL, with u = ε/2 and L the sum of the
    /// lengths.
    ///
    /// # Errors
    /// [`Error::NotFinite`] if an argument is NaN or infinite; [`Error::Overflow`] if
    /// target − start or a joint overflows the float type.
    pub fn solve<V: Vector<Real = T>>(
        &self,
        start: V,
        target: V,
        bend: V::Bend,
    ) -> Result<ThreeBoneSolution<V>, Error> {
        check_finite(start, "start")?;
        check_finite(target, "target")?;
        if !V::bend_is_finite(bend) {
            return Err(Error::NotFinite { argument: "pole" });
        }
        let in_start = target - start;
        if !in_start.is_finite() {
            return Err(Error::Overflow);
        }
        let distance = in_start.max_abs_component();
        let (scale, unit, target_unit) = scales(distance, self.reach(), ReachPolicy::Clamp);
        let [r1, r2, r3] = self.lengths.map(|length| length * unit);
        let (hole, reach) = (self.hole() * unit, self.reach() * unit);

        let size = distance.scale();
        let v = in_start * size.scale_reciprocal();
        let length = v.dot(v).sqrt();
        let d = length * (size * unit);
        let eased = soft_reach(d, self.soft_from * unit, reach);
        let eased = eased.max(hole).min(reach);
        let reached = eased == d;
        let p = in_start * target_unit;
        let p = if reached {
            p
        } else if p.dot(p) < T::COINCIDENT {
            V::frame(p, p.dot(p), bend).0 * eased
        } else {
            v * (eased / length)
        };

        let nearest = (r1 - r2).abs().max((eased - r3).abs());
        let farthest = (r1 + r2).min(eased + r3);
        let e = (nearest + (farthest - nearest) * self.distribution).min(r1 + r2);
        let h = p.dot(p);
        let (line, across) = if h < T::COINCIDENT {
            V::frame(V::frame(p, h, bend).0, T::ONE, bend)
        } else {
            V::frame(p, h, bend)
        };
        let outer = Triangle::rigid(h, e, r3);
        let side = if self.is_opposed { -T::ONE } else { T::ONE };
        let (a, b) = (outer.along, outer.across * side);
        let second = line * a + across * b;
        // The second joint's perpendicular, turned like `across` from `line`.
        let beside = across * a - line * b;
        let h = second.dot(second);
        let inner = Triangle::rigid(h, r1, r2);
        let first = if h < T::COINCIDENT {
            let unit = T::ONE / line.dot(line).sqrt();
            (line * inner.along + across * inner.across) * unit
        } else {
            second * inner.along + beside * inner.across
        };

        let end = if reached { target } else { start + p * outer.extent * scale };
        let (first, second) = (start + first * scale, start + second * scale);
        if !(first.is_finite() && second.is_finite() && end.is_finite()) {
            return Err(Error::Overflow);
        }
        Ok(ThreeBoneSolution { first, second, end, reached })
    }
}

impl<T: Real> Triangle<T> {
    /// Triangle of a distance within reach but for rounding: joints for p of the nearest
    /// length that is within.
    fn rigid(h: T, r1: T, r2: T) -> Self {
        if h < T::COINCIDENT {
            return Self::new(h, r1, r2, ReachPolicy::Clamp);
        }
        let within = clamp_to_reach(h, r1, r2);
        let factor = (within / h).sqrt();
        let triangle = Self::new(within, r1, r2, ReachPolicy::Clamp);
        Self {
            along: triangle.along * factor,
            across: triangle.across * factor,
            extent: triangle.extent * factor,
        }
    }
}
