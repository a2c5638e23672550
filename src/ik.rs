//! Closed-form two-bone inverse kinematics.

pub mod batch;
pub mod chain;
mod error;
pub mod forms;
mod real;
mod rotation;
mod soft;
mod triangle;
mod turn;
mod two_bone;
mod vector;

pub use error::{BatchError, Error};
pub use real::Real;
pub use rotation::{BindPose, Posed};
pub use soft::soft_reach;
pub use turn::Turn;
pub use two_bone::{ReachPolicy, Solution, TwoBone};
pub use vector::{Side, SpaceVector, Vector};

/// The source of `shaders/lib/ik.wgsl`: the same solver for shaders.
pub const WGSL: &str = include_str!("../shaders/lib/ik.wgsl");
