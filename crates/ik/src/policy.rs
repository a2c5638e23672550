//! Policies for targets out of reach.

/// Result for a target out of reach: farther from the start joint than r1 + r2, or nearer
/// than |r1 − r2| (in the hole).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ReachPolicy {
    /// The bones lengthen, without bound, until the end joint meets the target. The limb is
    /// straight if the target is too far; in the hole it is folded flat, and the mid joint
    /// diverges as the target nears the start. This is the article's behaviour.
    /// [`TwoBone::with_stretch`](super::TwoBone::with_stretch) is another one: it lengthens
    /// both bones in proportion, up to a maximum, under any policy.
    Meet,
    /// The bones are rigid and the end joint stops at the reachable point nearest to the
    /// target. The limb is straight or folded flat.
    #[default]
    Clamp,
    /// The solver fails with [`Error::TooFar`](super::Error::TooFar) or
    /// [`Error::TooNear`](super::Error::TooNear).
    Fail,
}

impl ReachPolicy {
    /// Selects the value of the current policy.
    #[inline(always)]
    pub(super) fn select<A>(self, meet: A, clamp: A, fail: A) -> A {
        match self {
            Self::Meet => meet,
            Self::Clamp => clamp,
            Self::Fail => fail,
        }
    }
}
