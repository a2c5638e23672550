//! Solvers for many limbs at once.
//!
//! A [`Batch`] reads one [`TwoBone`] per limb, and its targets and bends in any layout:
//! slices of vectors, or a *structure of arrays*, one slice per coordinate. The solver
//! works in fixed-size blocks without data-dependent branches, so the compiler vectorises
//! the whole loop, square roots and divisions included, at the width of the build target:
//! 4 limbs at a time with SSE2 or NEON, 8 with AVX2. This needs the `std` feature; without
//! it the square root is a function call.
//!
//! The fast pass solves limbs without scaling them, which is valid for lengths and
//! distances between 2⁻²⁰ and 2²⁰ (in metres, a micrometre and a thousand kilometres). Others go
//! to the single solver, as do a target on its start, a pole along its line, and reach policies
//! mixed within 128 limbs.
//!
//! Targets are relative to the start joints. The joints are bit-identical to those of
//! [`TwoBone::solve`] with the start at 0, for all normal numbers, but for the sign of
//! zeros; rotations differ by rounding. Under [`ReachPolicy::Fail`](super::ReachPolicy::Fail), a
//! target out of reach is not an error: the limb's `reached` is false, both of its joints are at
//! the start, and its bend is 0.
//!
//! ```
//! use tarsus_ik::batch::{Batch, Joints};
//! use tarsus_ik::{Side, TwoBone};
//!
//! // A structure of arrays, in the plane.
//! let limbs = [TwoBone::new(0.8_f32, 0.7)?; 3];
//! let target = [[1.0, 0.3, 9.0], [0.5, -0.2, 0.0]];
//! let (mut mid, mut end, mut reached) = ([[0.0; 3]; 2], [[0.0; 3]; 2], [false; 3]);
//! let met = Batch { limbs: &limbs, target: &target, bend: &[Side::Left; 3][..] }
//!     .solve_plane(Joints {
//!         mid: &mut mid,
//!         end: &mut end,
//!         reached: &mut reached,
//!         bend: None,
//!     })?;
//! assert_eq!(met, 2);
//! assert_eq!(reached, [true, true, false]);
//! assert!((end[0][2] - 1.5).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod columns;
mod poses;

pub use columns::{Column, ColumnMut};
pub use poses::Rotations;

use super::numbers::{Real, Vector};
use super::turn::Turn;
use super::{BatchError, TwoBone};
use block::{Aims, BLOCK, Block};

/// Limbs to solve, with one target and one bend each.
#[derive(Clone, Copy, Debug)]
pub struct Batch<L, P, B> {
    /// Lengths and settings: a slice or `Vec` of [`TwoBone`], or of
    /// [`BindPose`](super::BindPose) to compute rotations.
    pub limbs: L,
    /// Target minus start: a [`Column`].
    pub target: P,
    /// Direction the limb bends to: in space a pole of any length, as a [`Column`]; in
    /// the plane a `&[Side]`.
    pub bend: B,
}

/// Output columns for the joints of limbs, relative to their starts.
#[derive(Debug)]
pub struct Joints<'a, T, M, E> {
    /// Mid joints: a [`ColumnMut`].
    pub mid: M,
    /// Points the end joints stop at: a [`ColumnMut`].
    pub end: E,
    /// True if the limbs meet their targets.
    pub reached: &'a mut [bool],
    /// [`Solution::bend`](super::Solution::bend); `None` to skip.
    pub bend: Option<&'a mut [Turn<T>]>,
}

impl<T, M, E> Joints<'_, T, M, E> {
    fn check<const D: usize>(&self, expected: usize) -> Result<(), BatchError>
    where
        M: ColumnMut<T, D>,
        E: ColumnMut<T, D>,
    {
        let bends = self.bend.as_ref().map_or(expected, |bend| bend.len());
        check_length("mid", self.mid.count(expected), expected)?;
        check_length("end", self.end.count(expected), expected)?;
        check_length("reached", self.reached.len(), expected)?;
        check_length("bend", bends, expected)
    }
}

/// Checks the length of a column.
fn check_length(slice: &'static str, found: usize, expected: usize) -> Result<(), BatchError> {
    if found == expected { Ok(()) } else { Err(BatchError::SliceLength { slice, expected, found }) }
}

impl<L, P, B> Batch<L, P, B> {
    /// Solves limbs in the plane and returns the number that meet their targets.
    ///
    /// # Errors
    /// [`BatchError::SliceLength`] if the columns differ in length; [`BatchError::Limb`]
    /// for the first limb whose target is NaN or infinite, or whose joints overflow the
    /// float type.
    pub fn solve_plane<T: Real, M, E>(
        &self,
        joints: Joints<'_, T, M, E>,
    ) -> Result<usize, BatchError>
    where
        L: AsRef<[TwoBone<T>]>,
        P: Column<T, 2>,
        B: Column<T, 1>,
        M: ColumnMut<T, 2>,
        E: ColumnMut<T, 2>,
    {
        self.solve::<T, T::Plane, M, E, 2, 1>(joints)
    }

    /// Solves limbs in space and returns the number that meet their targets.
    ///
    /// # Errors
    /// [`BatchError::SliceLength`] if the columns differ in length; [`BatchError::Limb`]
    /// for the first limb whose target or pole is NaN or infinite, or whose joints
    /// overflow the float type.
    pub fn solve_space<T: Real, M, E>(
        &self,
        joints: Joints<'_, T, M, E>,
    ) -> Result<usize, BatchError>
    where
        L: AsRef<[TwoBone<T>]>,
        P: Column<T, 3>,
        B: Column<T, 3>,
        M: ColumnMut<T, 3>,
        E: ColumnMut<T, 3>,
    {
        self.solve::<T, T::Space, M, E, 3, 3>(joints)
    }

    fn solve<T: Real, V: Vector<Real = T>, M, E, const D: usize, const N: usize>(
        &self,
        mut joints: Joints<'_, T, M, E>,
    ) -> Result<usize, BatchError>
    where
        L: AsRef<[TwoBone<T>]>,
        P: Column<T, D>,
        B: Column<T, N>,
        M: ColumnMut<T, D>,
        E: ColumnMut<T, D>,
    {
        let all = self.limbs.as_ref();
        let limbs = all.len();
        check_length("target", self.target.count(limbs), limbs)?;
        check_length("bend", self.bend.count(limbs), limbs)?;
        joints.check(limbs)?;
        let with_bend = joints.bend.is_some();
        let mut block = Block::<T, D>::new();
        let (mut targets, mut bends) = ([[T::ONE; BLOCK]; D], [[T::ONE; BLOCK]; N]);
        let mut met = 0;
        for first in (0..limbs).step_by(BLOCK) {
            let count = BLOCK.min(limbs - first);
            let limbs = &all[first..first + count];
            block.load_limbs(limbs.iter());
            let aims = Aims {
                target: self.target.lanes(first, count, &mut targets),
                bend: self.bend.lanes(first, count, &mut bends),
            };
            block.solve::<V, N>(&aims, with_bend);
            if block.special_count() > 0 {
                let solve = |i: usize, target, bend| limbs[i].solve(V::default(), target, bend);
                block.solve_special::<V, N>(&aims, first, count, solve)?;
            }
            met += block.store(&mut joints, first, count);
        }
        Ok(met)
    }
}
