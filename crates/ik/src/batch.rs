//! Many limbs at once.
//!
//! Limbs come as a *structure of arrays*, one slice per coordinate, and so do
//! their joints. The solver works through them in blocks of fixed size without
//! a branch that depends on the data, so that the compiler turns the whole
//! loop, square roots and divisions included, into vector instructions of the
//! width it builds for: 4 limbs at a time with SSE2 or NEON, 8 with AVX2. That
//! needs the `std` feature; without it the square root is a function call.
//!
//! The loop takes limbs as they are, and answers for those with lengths and
//! distances between 2⁻²⁰ and 2²⁰, a micrometre and a thousand kilometres in
//! metres. Where a block has more than a few others it is solved again with
//! every limb at a size near 1, which takes longer. What is then left, a target
//! on its start, a pole along its line, a limb in its soft reach, is for the
//! single solver.
//!
//! Targets are relative to the start joints. The joints are those that
//! [`TwoBone::solve`](super::TwoBone::solve) computes for a start at 0, to the
//! last bit of every normal number. There is one difference: under
//! [`ReachPolicy::None`] a target out of reach is no error; the limb's
//! `reached` is false, both of its joints are at the start, and its bend is 0.
//!
//! ```
//! use tarsus_ik::ReachPolicy;
//! use tarsus_ik::batch::{PlaneJoints, PlaneLimbs, solve_plane};
//!
//! let (x, y) = ([1.0_f32, 0.3, 9.0], [0.5, -0.2, 0.0]);
//! let (r1, r2) = ([0.8; 3], [0.7; 3]);
//! let limbs = PlaneLimbs { x: &x, y: &y, r1: &r1, r2: &r2, side: &[1.0; 3], soft_from: None };
//!
//! let (mut mid_x, mut mid_y) = ([0.0; 3], [0.0; 3]);
//! let (mut end_x, mut end_y) = ([0.0; 3], [0.0; 3]);
//! let mut reached = [false; 3];
//! let met = solve_plane(
//!     &limbs,
//!     ReachPolicy::Clamp,
//!     &mut PlaneJoints {
//!         mid_x: &mut mid_x,
//!         mid_y: &mut mid_y,
//!         end_x: &mut end_x,
//!         end_y: &mut end_y,
//!         reached: &mut reached,
//!         bend: None,
//!     },
//! )?;
//! assert_eq!(met, 2);
//! assert_eq!(reached, [true, true, false]);
//! assert!((end_x[2] - 1.5).abs() < 1e-6);
//! # Ok::<(), tarsus_ik::BatchError>(())
//! ```

mod block;
mod poses;
mod slices;

pub use poses::{PoseLimbs, Rotations, solve_poses};

use super::numbers::Real;
use super::numbers::Vector;
use super::{BatchError, ReachPolicy};
use block::{BLOCK, Block, Padded};
use slices::{Input, Output, bend_slices};

/// Limbs in the plane. All slices have one length.
#[derive(Clone, Copy, Debug)]
pub struct PlaneLimbs<'a, T> {
    /// Target minus start, x.
    pub x: &'a [T],
    /// Target minus start, y.
    pub y: &'a [T],
    /// Lengths of the first bones, finite and positive.
    pub r1: &'a [T],
    /// Lengths of the second bones, finite and positive.
    pub r2: &'a [T],
    /// ≥ 0 bends to the left of the line start–target, < 0 to the right.
    pub side: &'a [T],
    /// Where [soft reach](super::soft_reach) starts to ease each distance,
    /// 0 ≤ `soft_from` < r1 + r2, or infinity for a rigid limb; `None` if all
    /// are rigid.
    pub soft_from: Option<&'a [T]>,
}

/// Where the joints of limbs in the plane go, relative to their starts. All
/// slices are as long as the limbs'.
#[derive(Debug)]
pub struct PlaneJoints<'a, T> {
    /// Mid joint, x.
    pub mid_x: &'a mut [T],
    /// Mid joint, y.
    pub mid_y: &'a mut [T],
    /// End joint actually reached, x.
    pub end_x: &'a mut [T],
    /// End joint actually reached, y.
    pub end_y: &'a mut [T],
    /// Rigid bones meet the target.
    pub reached: &'a mut [bool],
    /// Cosine and sine of [`Solution::bend`](super::Solution::bend), for those
    /// who want it.
    pub bend: Option<[&'a mut [T]; 2]>,
}

/// Limbs in space. All slices have one length.
#[derive(Clone, Copy, Debug)]
pub struct SpaceLimbs<'a, T> {
    /// Target minus start, x, y and z.
    pub target: [&'a [T]; 3],
    /// Lengths of the first bones, finite and positive.
    pub r1: &'a [T],
    /// Lengths of the second bones, finite and positive.
    pub r2: &'a [T],
    /// Directions the limbs bend to, any length, x, y and z.
    pub pole: [&'a [T]; 3],
    /// Where [soft reach](super::soft_reach) starts to ease each distance,
    /// 0 ≤ `soft_from` < r1 + r2, or infinity for a rigid limb; `None` if all
    /// are rigid.
    pub soft_from: Option<&'a [T]>,
}

/// Where the joints of limbs in space go, relative to their starts. All slices
/// are as long as the limbs'.
#[derive(Debug)]
pub struct SpaceJoints<'a, T> {
    /// Mid joint, x, y and z.
    pub mid: [&'a mut [T]; 3],
    /// End joint actually reached, x, y and z.
    pub end: [&'a mut [T]; 3],
    /// Rigid bones meet the target.
    pub reached: &'a mut [bool],
    /// Cosine and sine of [`Solution::bend`](super::Solution::bend), for those
    /// who want it.
    pub bend: Option<[&'a mut [T]; 2]>,
}

/// Solves limbs in the plane; returns how many meet their targets.
///
/// # Errors
/// [`BatchError::SliceLength`] if the slices differ in length,
/// [`BatchError::Limb`] for the first limb found whose lengths are not finite
/// and positive, whose target is NaN or infinite, whose soft reach does not
/// start within its reach, or whose joints are too far away for the float type.
pub fn solve_plane<T: Real>(
    limbs: &PlaneLimbs<'_, T>,
    policy: ReachPolicy,
    joints: &mut PlaneJoints<'_, T>,
) -> Result<usize, BatchError> {
    let input = Input {
        target: [limbs.x, limbs.y],
        r1: limbs.r1,
        r2: limbs.r2,
        bend: [limbs.side],
        soft_from: limbs.soft_from,
    };
    let output = Output {
        mid: [joints.mid_x, joints.mid_y],
        end: [joints.end_x, joints.end_y],
        reached: joints.reached,
        bend: bend_slices(&mut joints.bend),
    };
    input.check(["x", "y"], ["side"])?;
    output.check(limbs.x.len(), ["mid_x", "mid_y"], ["end_x", "end_y"])?;
    solve::<T, T::Plane, 2, 1>(&input, policy, output)
}

/// Solves limbs in space; returns how many meet their targets.
///
/// # Errors
/// [`BatchError::SliceLength`] if the slices differ in length,
/// [`BatchError::Limb`] for the first limb found whose lengths are not finite
/// and positive, whose target or pole is NaN or infinite, whose soft reach does
/// not start within its reach, or whose joints are too far away for the float
/// type.
pub fn solve_space<T: Real>(
    limbs: &SpaceLimbs<'_, T>,
    policy: ReachPolicy,
    joints: &mut SpaceJoints<'_, T>,
) -> Result<usize, BatchError> {
    let input = Input {
        target: limbs.target,
        r1: limbs.r1,
        r2: limbs.r2,
        bend: limbs.pole,
        soft_from: limbs.soft_from,
    };
    let output = Output {
        mid: joints.mid.each_mut().map(|slice| &mut **slice),
        end: joints.end.each_mut().map(|slice| &mut **slice),
        reached: joints.reached,
        bend: bend_slices(&mut joints.bend),
    };
    input.check(
        ["target[0]", "target[1]", "target[2]"],
        ["pole[0]", "pole[1]", "pole[2]"],
    )?;
    output.check(
        limbs.target[0].len(),
        ["mid[0]", "mid[1]", "mid[2]"],
        ["end[0]", "end[1]", "end[2]"],
    )?;
    solve::<T, T::Space, 3, 3>(&input, policy, output)
}

fn solve<T: Real, V: Vector<Real = T>, const D: usize, const B: usize>(
    input: &Input<'_, T, D, B>,
    policy: ReachPolicy,
    mut output: Output<'_, T, D>,
) -> Result<usize, BatchError> {
    let limbs = input.r1.len();
    let whole = limbs - limbs % BLOCK;
    let mut block = Block::<T, D>::new();
    let mut met = 0;
    for first in (0..whole).step_by(BLOCK) {
        met += block.work_off::<V, B>(&input.lanes(first), policy, first, BLOCK, &mut output)?;
    }
    if whole < limbs {
        let padded = Padded::new(input, whole);
        let count = limbs - whole;
        met += block.work_off::<V, B>(&padded.lanes(), policy, whole, count, &mut output)?;
    }
    Ok(met)
}
