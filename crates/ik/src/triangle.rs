//! The triangle start–mid–end, seen from the line start–target.

use super::Error;
use super::numbers::Real;
use super::policy::ReachPolicy;
use super::turn::Turn;

/// Factors that place the joints: mid = along·p + across·q, end = extent·p,
/// where q is perpendicular to p and as long as p. If start and target are one
/// point then p stands for a unit vector.
#[derive(Clone, Copy)]
pub(super) struct Triangle<T> {
    pub(super) along: T,
    pub(super) across: T,
    pub(super) extent: T,
}

/// How far inside its reach a target is, in squared lengths: both are ≥ 0 when
/// rigid bones meet it.
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
        Self {
            far: sum * sum - h,
            near: h - difference * difference,
        }
    }

    #[inline(always)]
    pub(super) fn reached(self) -> bool {
        self.far >= T::ZERO && self.near >= T::ZERO
    }

    /// The error that [`ReachPolicy::None`] answers with.
    pub(super) fn error(self) -> Error {
        if self.far < T::ZERO {
            Error::TooFar
        } else {
            Error::TooNear
        }
    }

    /// The angle β between the bones. From h = r1² + r2² + 2 r1 r2 cos β,
    /// near = 2 r1 r2 (1 + cos β) and far = 2 r1 r2 (1 − cos β); so the pair
    /// (near − far, 2√(near·far)) has the length near + far and the angle β,
    /// and none of the three cancels where β is small.
    #[inline(always)]
    pub(super) fn bend(self) -> Turn<T> {
        let (far, near) = (self.far.larger(T::ZERO), self.near.larger(T::ZERO));
        let total = near + far;
        let (cos, sin) = (
            (near - far) / total,
            T::TWO * (near.sqrt() * far.sqrt()) / total,
        );
        let apart = total > T::ZERO;
        Turn::from_unit(
            if apart { cos } else { T::ONE },
            if apart { sin } else { T::ZERO },
        )
    }
}

impl<T: Real> Triangle<T> {
    /// Solves for a target at squared distance h. Lengths have a size near 1.
    #[inline(always)]
    pub(super) fn new(h: T, r1: T, r2: T, policy: ReachPolicy) -> Self {
        if h < T::COINCIDENT {
            Self::coincident(r1, r2, policy)
        } else {
            Self::apart(h, r1, r2, policy)
        }
    }

    /// Start and target are apart.
    ///
    /// Every case is computed and the right one chosen, with one division and
    /// one square root in all: a batch has no use for branches.
    ///
    /// **Within reach.** The circles |x|² = r1² and |x − p|² = r2² have the
    /// difference x·p = ½w with w = h + r1² − r2², which places x along p. Its
    /// height over p is √s/(2√h) with s = 16 × the squared area of the
    /// triangle. Both are written as products of sums and differences, after
    /// Heron, because r1² − r2² and 4r1²h − w² cancel.
    ///
    /// **Out of reach, stretching.** The same with s = 0: x is where the
    /// circles' radical axis crosses the line start–target.
    ///
    /// **Out of reach, rigid.** Straight toward a target too far away, folded
    /// flat for one too near, the longer bone deciding where the end points.
    #[inline(always)]
    pub(super) fn apart(h: T, r1: T, r2: T, policy: ReachPolicy) -> Self {
        let margins = Margins::new(h, r1, r2);
        let reached = margins.reached();
        let (sum, difference) = (r1 + r2, r1 - r2);

        let w = h + difference * sum;
        let s = margins.far * margins.near;
        let root = if reached {
            s
        } else {
            policy.outside(T::ZERO, h, T::ZERO)
        }
        .sqrt();
        let inverse = T::HALF / h;
        let meeting = Self {
            along: w * inverse,
            across: root * inverse,
            extent: T::ONE,
        };

        let too_far = margins.far < T::ZERO;
        let along = if too_far {
            r1
        } else {
            r1.with_sign_of(difference)
        };
        let extent = if too_far { sum } else { difference.abs() };
        // 1/|p| = √h/h
        let per_distance = T::TWO * root * inverse;
        let clamped = Self {
            along: along * per_distance,
            across: T::ZERO,
            extent: extent * per_distance,
        };

        let unsolved = Self {
            along: T::ZERO,
            across: T::ZERO,
            extent: T::ZERO,
        };
        let outside = policy.outside(meeting, clamped, unsolved);
        if reached { meeting } else { outside }
    }

    /// Start and target are one point: equal bones fold back to it, others
    /// leave a hole around it.
    #[inline(always)]
    fn coincident(r1: T, r2: T, policy: ReachPolicy) -> Self {
        let difference = r1 - r2;
        let equal = difference == T::ZERO;
        let rigid = if policy == ReachPolicy::None {
            T::ZERO
        } else {
            r1.with_sign_of(difference)
        };
        let extent = if policy == ReachPolicy::Clamp {
            difference.abs()
        } else {
            T::ZERO
        };
        Self {
            along: if equal { T::ZERO } else { rigid },
            across: if equal { r1 } else { T::ZERO },
            extent,
        }
    }
}
