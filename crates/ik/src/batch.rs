//! Solvers for many limbs at once.
//!
//! Limbs are passed as a *structure of arrays*, one slice per coordinate, and so are
//! their joints. The solver works in fixed-size blocks without data-dependent branches,
//! so the compiler vectorises the whole loop, square roots and divisions included, at the
//! width of the build target: 4 limbs at a time with SSE2 or NEON, 8 with AVX2. This
//! needs the `std` feature; without it the square root is a function call.
//!
//! The fast pass solves limbs without scaling them, which is valid for lengths and
//! distances between 2⁻²⁰ and 2²⁰ (in metres, a micrometre and a thousand kilometres). A
//! block with more than a few limbs outside that range is solved again with every limb
//! scaled to about 1, which takes longer. The remaining cases go to the single solver: a
//! target on its start, a pole along its line, a limb within its soft reach.
//!
//! Targets are relative to the start joints. The joints are bit-identical to those of
//! [`TwoBone::solve`](super::TwoBone::solve) with the start at 0, for all normal numbers.
//! There is one difference: under [`ReachPolicy::Fail`] a target out of reach is not an
//! error; the limb's `reached` is false, both of its joints are at the start, and its
//! bend is 0.
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

use super::numbers::{Real, Vector};
use super::{BatchError, ReachPolicy};
use block::{BLOCK, Block, Padded};
use slices::{Input, Output, bend_slices};

/// Limbs in the plane, as a structure of arrays. All slices have the same length.
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
    /// Side of the line start–target to bend to: left if ≥ 0, right if < 0.
    pub side: &'a [T],
    /// Distance at which [soft reach](super::soft_reach) begins, 0 ≤ `soft_from` < r1 +
    /// r2, or infinity for a rigid limb; `None` if all limbs are rigid.
    pub soft_from: Option<&'a [T]>,
}

/// Output slices for the joints of limbs in the plane, relative to their starts. All
/// slices are as long as the limbs'.
#[derive(Debug)]
pub struct PlaneJoints<'a, T> {
    /// Mid joint, x.
    pub mid_x: &'a mut [T],
    /// Mid joint, y.
    pub mid_y: &'a mut [T],
    /// Point the end joint stops at, x.
    pub end_x: &'a mut [T],
    /// Point the end joint stops at, y.
    pub end_y: &'a mut [T],
    /// Whether rigid bones meet the target.
    pub reached: &'a mut [bool],
    /// Cosine and sine of [`Solution::bend`](super::Solution::bend); `None` to skip.
    pub bend: Option<[&'a mut [T]; 2]>,
}

/// Limbs in space, as a structure of arrays. All slices have the same length.
#[derive(Clone, Copy, Debug)]
pub struct SpaceLimbs<'a, T> {
    /// Target minus start, x, y and z.
    pub target: [&'a [T]; 3],
    /// Lengths of the first bones, finite and positive.
    pub r1: &'a [T],
    /// Lengths of the second bones, finite and positive.
    pub r2: &'a [T],
    /// Directions the limbs bend to, of any length: x, y and z.
    pub pole: [&'a [T]; 3],
    /// Distance at which [soft reach](super::soft_reach) begins, 0 ≤ `soft_from` < r1 +
    /// r2, or infinity for a rigid limb; `None` if all limbs are rigid.
    pub soft_from: Option<&'a [T]>,
}

/// Output slices for the joints of limbs in space, relative to their starts. All slices
/// are as long as the limbs'.
#[derive(Debug)]
pub struct SpaceJoints<'a, T> {
    /// Mid joint, x, y and z.
    pub mid: [&'a mut [T]; 3],
    /// Point the end joint stops at, x, y and z.
    pub end: [&'a mut [T]; 3],
    /// Whether rigid bones meet the target.
    pub reached: &'a mut [bool],
    /// Cosine and sine of [`Solution::bend`](super::Solution::bend); `None` to skip.
    pub bend: Option<[&'a mut [T]; 2]>,
}

// Names of the slices in space, for errors.
const TARGET_NAMES: [&str; 3] = ["target[0]", "target[1]", "target[2]"];
const POLE_NAMES: [&str; 3] = ["pole[0]", "pole[1]", "pole[2]"];
const MID_NAMES: [&str; 3] = ["mid[0]", "mid[1]", "mid[2]"];
const END_NAMES: [&str; 3] = ["end[0]", "end[1]", "end[2]"];

impl<T> SpaceJoints<'_, T> {
    fn output(&mut self) -> Output<'_, T, 3> {
        Output {
            mid: self.mid.each_mut().map(|slice| &mut **slice),
            end: self.end.each_mut().map(|slice| &mut **slice),
            reached: self.reached,
            bend: bend_slices(&mut self.bend),
        }
    }
}

/// Solves limbs in the plane and returns the number that meet their targets.
///
/// # Errors
/// [`BatchError::SliceLength`] if the slices differ in length; [`BatchError::Limb`] for
/// the first limb whose lengths are not finite and positive, whose target is NaN or
/// infinite, whose soft reach does not begin within its reach, or whose joints overflow
/// the float type.
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

/// Solves limbs in space and returns the number that meet their targets.
///
/// # Errors
/// [`BatchError::SliceLength`] if the slices differ in length; [`BatchError::Limb`] for
/// the first limb whose lengths are not finite and positive, whose target or pole is NaN
/// or infinite, whose soft reach does not begin within its reach, or whose joints
/// overflow the float type.
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
    input.check(TARGET_NAMES, POLE_NAMES)?;
    let output = joints.output();
    output.check(limbs.target[0].len(), MID_NAMES, END_NAMES)?;
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
        met += block.solve_block::<V, B>(&input.lanes(first), policy, first, BLOCK, &mut output)?;
    }
    if whole < limbs {
        let padded = Padded::new(input, whole);
        let count = limbs - whole;
        met += block.solve_block::<V, B>(&padded.lanes(), policy, whole, count, &mut output)?;
    }
    Ok(met)
}
