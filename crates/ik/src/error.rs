//! Errors of the solvers.

use core::error::Error as StdError;
use core::fmt;

/// Reasons a limb cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The length of a segment is 0, negative, NaN or infinite.
    Length {
        /// Name of the segment, as in the constructor's documentation.
        segment: &'static str,
    },
    /// The soft reach or the soft folding does not begin between these distances.
    SoftReach {
        /// Smallest distance from the start joint.
        least: f64,
        /// Largest distance from the start joint.
        most: f64,
    },
    /// The hinge limits are not 0 ≤ least ≤ most ≤ π, or keep the end joint on the start.
    HingeLimits,
    /// A weight is not from 0 to 1.
    Weight,
    /// The stretch does not begin between 0 and 1, or its maximum is not from 1 to 1024.
    Stretch,
    /// A component of an argument is NaN or infinite.
    NotFinite {
        /// Name of the argument.
        argument: &'static str,
    },
    /// A direction argument is 0, or parallel to the direction that it must differ from: a
    /// hinge axis along a bone, a heading along the normal of the ground.
    NoDirection {
        /// Name of the argument.
        argument: &'static str,
    },
    /// A distance or a joint exceeds the largest finite number, or a distance is so small that
    /// its reciprocal does.
    Overflow,
    /// The target is farther from the start joint than the sum of the bones, or than the
    /// lower hinge limit permits, under [`ReachPolicy::Fail`](super::ReachPolicy::Fail).
    TooFar,
    /// The target is nearer to the start joint than the difference of the bones, or than
    /// the upper hinge limit permits, under [`ReachPolicy::Fail`](super::ReachPolicy::Fail).
    TooNear,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { segment } => {
                write!(f, "the length of the {segment} must be finite and positive")
            }
            Self::SoftReach { least, most } => {
                let (least, most) = (Distance(*least), Distance(*most));
                write!(
                    f,
                    "soft reach and soft folding must begin between {least} and {most}, in distance from the start joint"
                )
            }
            Self::HingeLimits => {
                f.write_str("the hinge limits must be angles from 0 to π, the smaller one first")
            }
            Self::Weight => f.write_str("a weight must be from 0 to 1"),
            Self::Stretch => {
                f.write_str("the stretch must start from 0 to 1 and end from 1 to 1024")
            }
            Self::NotFinite { argument } => {
                write!(f, "`{argument}` has a component that is NaN or infinite")
            }
            Self::NoDirection { argument } => {
                write!(
                    f,
                    "`{argument}` gives no direction: it is zero, or along a bone or a normal"
                )
            }
            Self::Overflow => f.write_str(
                "a distance is too large or too small for the float type; use another unit",
            ),
            Self::TooFar => f.write_str("the target is farther away than the two bones reach"),
            Self::TooNear => f.write_str("the target is nearer than the two bones can fold"),
        }
    }
}

/// A distance to print: one that was an `f32` without the digits that nobody wrote, and one
/// of many digits with an exponent.
struct Distance(f64);

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(distance) = *self;
        let single = distance as f32;
        let is_single = f64::from(single) == distance;
        match (distance == 0.0 || (1e-4..1e9).contains(&distance), is_single) {
            (true, true) => write!(f, "{single}"),
            (true, false) => write!(f, "{distance}"),
            (false, true) => write!(f, "{single:e}"),
            (false, false) => write!(f, "{distance:e}"),
        }
    }
}

impl StdError for Error {}

/// Reasons a batch cannot be solved. The output slices are then unspecified.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BatchError {
    /// A column differs in length from the limbs.
    SliceLength {
        /// Field name of the slice.
        slice: &'static str,
        /// Number of limbs.
        expected: usize,
        /// Actual length of the slice.
        found: usize,
    },
    /// A limb is invalid.
    Limb {
        /// Index of the limb in the slices.
        index: usize,
        /// Reason the limb cannot be solved.
        error: Error,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SliceLength { slice, expected, found } => {
                write!(f, "the slice `{slice}` has {found} elements where {expected} are expected")
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
