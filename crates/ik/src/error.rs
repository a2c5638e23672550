//! What the solver refuses.

use core::error::Error as StdError;
use core::fmt;

/// Why a limb was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The length of this segment is 0, negative, NaN or infinite.
    Length {
        /// The segment, as the constructor's documentation names it.
        segment: &'static str,
    },
    /// The soft reach does not start between 0 and the reach.
    SoftReach,
    /// This argument has a component that is NaN or infinite.
    NotFinite {
        /// The argument's name.
        argument: &'static str,
    },
    /// This argument should be a direction and is 0.
    NoDirection {
        /// The argument's name.
        argument: &'static str,
    },
    /// A distance or a joint is larger than the largest finite number.
    Overflow,
    /// [`ReachPolicy::None`](super::ReachPolicy::None): the target is farther
    /// from the start joint than the two bones together.
    TooFar,
    /// [`ReachPolicy::None`](super::ReachPolicy::None): the target is nearer
    /// to the start joint than the difference of the two bones.
    TooNear,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { segment } => {
                write!(f, "the length of the {segment} must be finite and positive")
            }
            Self::SoftReach => {
                f.write_str("the soft reach must start between 0 and the sum of the lengths")
            }
            Self::NotFinite { argument } => {
                write!(f, "`{argument}` has a component that is NaN or infinite")
            }
            Self::NoDirection { argument } => {
                write!(f, "`{argument}` is a direction and must not be zero")
            }
            Self::Overflow => {
                f.write_str("a distance is too large for the float type; use a larger unit")
            }
            Self::TooFar => f.write_str("the target is farther away than the two bones reach"),
            Self::TooNear => f.write_str("the target is nearer than the two bones can fold"),
        }
    }
}

impl StdError for Error {}

/// Why a batch was not solved. Its joints are then unspecified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// This slice is not as long as the targets' x.
    SliceLength {
        /// The slice's field name.
        slice: &'static str,
        /// How long it should be.
        expected: usize,
        /// How long it is.
        found: usize,
    },
    /// The limb at this index is invalid.
    Limb {
        /// Its place in the slices.
        index: usize,
        /// What is wrong with it.
        error: Error,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SliceLength {
                slice,
                expected,
                found,
            } => {
                write!(
                    f,
                    "the slice `{slice}` has {found} elements where {expected} are expected"
                )
            }
            Self::Limb { index, error } => write!(f, "limb {index}: {error}"),
        }
    }
}

impl StdError for BatchError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::SliceLength { .. } => None,
            Self::Limb { error, .. } => Some(error),
        }
    }
}
