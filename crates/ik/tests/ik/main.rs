//! Tests of the solver alone, without any feature: properties of all limbs, including
//! hostile floats, and the degenerate cases.
//!
//! Most use forward kinematics in `f64` as the oracle: bones keep their lengths, and the
//! end joint is where `Solution::end` puts it.

mod batch;
mod chain;
mod degenerate;
mod fabrik;
mod finite;
mod foot;
mod lengths;
mod limbs;
mod oracle;
mod policies;
mod porting;
mod ports;
mod pose;
mod positions;
mod random;
mod reach;
mod rotations;
#[cfg(feature = "serde")]
mod serde;
mod symmetry;
mod three_bone;
