//! What happens out of reach.

/// What to do with a target out of reach: farther from the start joint than
/// r1 + r2, or nearer to it than |r1 − r2| (in the hole).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReachPolicy {
    /// The bones lengthen until the end joint meets the target. Too far, the
    /// limb is straight; in the hole it is folded flat and the mid joint runs
    /// away as the target nears the start. The article's behaviour.
    Stretch,
    /// The bones are rigid; the end joint stops at the point nearest to the
    /// target that it can reach. The limb is straight or folded flat.
    #[default]
    Clamp,
    /// Nothing is solved: the answer is [`Error::TooFar`](super::Error::TooFar) or
    /// [`Error::TooNear`](super::Error::TooNear), and the caller decides.
    None,
}

impl ReachPolicy {
    /// The one of three values that goes with the policy.
    #[inline(always)]
    pub(super) fn outside<A>(self, stretch: A, clamp: A, none: A) -> A {
        match self {
            Self::Stretch => stretch,
            Self::Clamp => clamp,
            Self::None => none,
        }
    }
}
