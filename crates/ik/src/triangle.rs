//! The triangle start–mid–end, relative to the line start–target.

use super::Error;
use super::numbers::Real;
use super::policy::ReachPolicy;
use super::turn::Turn;

/// Factors that place the joints: mid = along·p + across·q and end = extent·p, where q is
/// perpendicular to p and as long as p. If start and target coincide, p stands for a unit
/// vector.
#[derive(Clone, Copy)]
pub(super) struct Triangle<T> {
    pub(super) along: T,
    pub(super) across: T,
    pub(super) extent: T,
}

/// Distances of a target from the limits of the reach, in squared lengths. Both are ≥ 0
/// when rigid bones meet the target.
#[derive(Clone, Copy)]
pub(super) struct Margins<T> {
    /// (r1 + r2)² − h
    pub(super) far: T,
    /// h − (r1 − r2)²
    pub(super) near: T,
}

impl<T: Real> Margins<T> {
    #[inline(always)]
    pub(super) fn new(h: T, r1: T, r2: T) -> Self {
        let (sum, difference) = (r1 + r2, r1 - r2);
        Self { far: sum * sum - h, near: h - difference * difference }
    }

    /// True if rigid bones meet the target. Only one of the margins can be negative, and for
    /// lengths from 2⁻²⁰ on their product does not underflow to 0.
    #[inline(always)]
    pub(super) fn reached(self) -> bool {
        self.far * self.near >= T::ZERO
    }

    /// The error under [`ReachPolicy::Fail`].
    pub(super) fn error(self) -> Error {
        if self.far < T::ZERO { Error::TooFar } else { Error::TooNear }
    }

    /// The angle β between the bones. From h = r1² + r2² + 2 r1 r2 cos β, near = 2 r1 r2
    /// (1 + cos β) and far = 2 r1 r2 (1 − cos β). The pair (near − far, 2√(near·far))
    /// therefore has the length near + far and the angle β, and none of the three cancels
    /// where β is small.
    #[inline(always)]
    pub(super) fn bend(self) -> Turn<T> {
        let (far, near) = (self.far.max(T::ZERO), self.near.max(T::ZERO));
        let total = near + far;
        let (cos, sin) = ((near - far) / total, T::TWO * (near.sqrt() * far.sqrt()) / total);
        let apart = total > T::ZERO;
        Turn::from_unit(if apart { cos } else { T::ONE }, if apart { sin } else { T::ZERO })
    }
}

impl<T: Real> Triangle<T> {
    /// Solves for a target at squared distance h. Lengths are scaled to about 1.
    #[inline(always)]
    pub(super) fn new(h: T, r1: T, r2: T, policy: ReachPolicy) -> Self {
        if h < T::COINCIDENT {
            Self::coincident(r1, r2, policy)
        } else {
            Self::apart(h, r1, r2, policy)
        }
    }

    /// Solves for a target apart from the start.
    ///
    /// All cases are computed and one is selected, with one division and one square root
    /// in total, because branches would keep a batch from vectorising.
    ///
    /// **Within reach.** Subtracting the circles |x|² = r1² and |x − p|² = r2² gives x·p
    /// = ½w with w = h + r1² − r2², the position of x along p. Its height above p is
    /// √s/(2√h), where s is 16 times the squared area of the triangle. Both are written
    /// as products of sums and differences, after Heron, because r1² − r2² and 4r1²h − w²
    /// cancel.
    ///
    /// **Out of reach, meeting.** As above with s = 0: x is where the circles' radical
    /// axis crosses the line start–target.
    ///
    /// **Out of reach, rigid.** Straight toward a target too far away; folded flat for a
    /// target too near, where the longer bone decides the direction of the end.
    #[inline(always)]
    pub(super) fn apart(h: T, r1: T, r2: T, policy: ReachPolicy) -> Self {
        let margins = Margins::new(h, r1, r2);
        let reached = margins.reached();
        let (sum, difference) = (r1 + r2, r1 - r2);

        let w = h + difference * sum;
        let s = margins.far * margins.near;
        let root = if reached { s } else { policy.select(T::ZERO, h, T::ZERO) }.sqrt();
        let inverse = T::HALF / h;
        let meeting = Self { along: w * inverse, across: root * inverse, extent: T::ONE };

        let limit = if margins.far < T::ZERO { sum } else { difference };
        let (along, extent) = (r1.copysign(limit), limit.abs());
        // 1/|p| = √h/h
        let per_distance = T::TWO * root * inverse;
        let clamped =
            Self { along: along * per_distance, across: T::ZERO, extent: extent * per_distance };

        let unsolved = Self { along: T::ZERO, across: T::ZERO, extent: T::ZERO };
        let outside = policy.select(meeting, clamped, unsolved);
        if reached { meeting } else { outside }
    }

    /// Solves for a target on the start: equal bones fold back to it, unequal bones leave
    /// a hole around it.
    #[inline(always)]
    fn coincident(r1: T, r2: T, policy: ReachPolicy) -> Self {
        let difference = r1 - r2;
        let equal = difference == T::ZERO;
        let rigid = if policy == ReachPolicy::Fail { T::ZERO } else { r1.copysign(difference) };
        let extent = if policy == ReachPolicy::Clamp { difference.abs() } else { T::ZERO };
        Self {
            along: if equal { T::ZERO } else { rigid },
            across: if equal { r1 } else { T::ZERO },
            extent,
        }
    }
}
