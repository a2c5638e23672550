//! The solver alone, without any feature: what holds for every limb, hostile floats
//! included, and the degenerate cases.
//!
//! The oracle of most is forward kinematics in `f64`: bones keep their lengths, the
//! end joint is where it is said to be.

mod batch;
mod degenerate;
mod finite;
mod lengths;
mod limbs;
mod oracle;
mod policies;
mod positions;
mod rotations;
mod symmetry;
