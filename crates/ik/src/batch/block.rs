//! Solver for one block of limbs.
//!
//! - [`Lanes`] are the limbs of a block, in the caller's slices or, for the last block,
//!   in [`Padded`];
//! - [`Block`] holds the joints, and is reused for all blocks of a batch.

use super::slices::{Input, Output};
use crate::numbers::{Real, Vector};
use crate::triangle::{Margins, Triangle};
use crate::turn::Turn;
use crate::two_bone::scales;
use crate::{BatchError, Error, ReachPolicy, Solution, TwoBone};

/// Limbs per block: enough for a loop worth vectorising, few enough for a block to stay
/// in the L1 cache.
pub(super) const BLOCK: usize = 128;

/// Largest number of special limbs in a block before the whole block is solved again with
/// scaled limbs. Special limbs that remain go to the single solver.
const MAX_SPECIAL: usize = BLOCK / 8;

/// The limbs of a block, as arrays of fixed length.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'a, T, const D: usize, const B: usize> {
    target: [&'a [T; BLOCK]; D],
    r1: &'a [T; BLOCK],
    r2: &'a [T; BLOCK],
    bend: [&'a [T; BLOCK]; B],
    soft_from: Option<&'a [T; BLOCK]>,
}

impl<'a, T, const D: usize, const B: usize> Input<'a, T, D, B> {
    /// The full block that begins at `first`.
    pub(super) fn lanes(&self, first: usize) -> Lanes<'a, T, D, B> {
        let part = |slice: &'a [T]| &slice.as_chunks().0[first / BLOCK];
        Lanes {
            target: self.target.map(part),
            r1: part(self.r1),
            r2: part(self.r2),
            bend: self.bend.map(part),
            soft_from: self.soft_from.map(part),
        }
    }
}

/// The last limbs of a batch, padded with valid limbs to a full block.
pub(super) struct Padded<T, const D: usize, const B: usize> {
    pub(super) target: [[T; BLOCK]; D],
    pub(super) r1: [T; BLOCK],
    pub(super) r2: [T; BLOCK],
    pub(super) bend: [[T; BLOCK]; B],
    pub(super) soft_from: Option<[T; BLOCK]>,
}

impl<T: Real, const D: usize, const B: usize> Padded<T, D, B> {
    pub(super) fn new(input: &Input<'_, T, D, B>, first: usize) -> Self {
        let part = |slice: &[T]| {
            let mut lanes = [T::ONE; BLOCK];
            let rest = &slice[first..];
            lanes[..rest.len()].copy_from_slice(rest);
            lanes
        };
        Self {
            target: input.target.map(part),
            r1: part(input.r1),
            r2: part(input.r2),
            bend: input.bend.map(part),
            soft_from: input.soft_from.map(part),
        }
    }

    pub(super) fn lanes(&self) -> Lanes<'_, T, D, B> {
        Lanes {
            target: self.target.each_ref(),
            r1: &self.r1,
            r2: &self.r2,
            bend: self.bend.each_ref(),
            soft_from: self.soft_from.as_ref(),
        }
    }
}

/// Joints of a block, in arrays separate from the caller's slices: without aliasing, the
/// compiler can vectorise.
pub(super) struct Block<T, const D: usize> {
    pub(super) mid: [[T; BLOCK]; D],
    pub(super) end: [[T; BLOCK]; D],
    pub(super) reached: [bool; BLOCK],
    /// Cosine and sine.
    pub(super) bend: [[T; BLOCK]; 2],
    /// Whether the joints are correct. If not, the limb goes to the single solver.
    pub(super) is_solved: [bool; BLOCK],
}

impl<T: Real, const D: usize> Block<T, D> {
    pub(super) fn new() -> Self {
        Self {
            mid: [[T::ZERO; BLOCK]; D],
            end: [[T::ZERO; BLOCK]; D],
            reached: [false; BLOCK],
            bend: [[T::ZERO; BLOCK]; 2],
            is_solved: [true; BLOCK],
        }
    }

    /// Solves a block and writes its first `count` limbs to the output from `first` on.
    /// Returns the number of them that meet their targets.
    pub(super) fn solve_block<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        policy: ReachPolicy,
        first: usize,
        count: usize,
        output: &mut Output<'_, T, D>,
    ) -> Result<usize, BatchError> {
        let plain = self.solve::<V, B>(lanes, policy);
        if output.bend.is_some() {
            self.compute_bend::<V, B>(lanes, policy, plain);
        }
        if self.special_count() > 0 {
            self.solve_special::<V, B>(lanes, count, policy)
                .map_err(|(lane, error)| BatchError::Limb {
                    index: first + lane,
                    error,
                })?;
        }
        Ok(self.store(output, first, count))
    }

    /// Writes the joints to the output. Returns the number of limbs that meet their
    /// targets.
    pub(super) fn store(&self, output: &mut Output<'_, T, D>, first: usize, count: usize) -> usize {
        let limbs = first..first + count;
        for (slice, lanes) in output.mid.iter_mut().zip(&self.mid) {
            slice[limbs.clone()].copy_from_slice(&lanes[..count]);
        }
        for (slice, lanes) in output.end.iter_mut().zip(&self.end) {
            slice[limbs.clone()].copy_from_slice(&lanes[..count]);
        }
        for (slice, lanes) in output.bend.iter_mut().flatten().zip(&self.bend) {
            slice[limbs.clone()].copy_from_slice(&lanes[..count]);
        }
        output.reached[limbs].copy_from_slice(&self.reached[..count]);
        count_true(&self.reached[..count])
    }

    /// Number of limbs for the single solver.
    pub(super) fn special_count(&self) -> usize {
        BLOCK - count_true(&self.is_solved)
    }

    /// Solves all limbs except the special ones. Returns whether they were solved without
    /// scaling.
    pub(super) fn solve<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        policy: ReachPolicy,
    ) -> bool {
        // One copy of the loop per policy, so that the policy is not tested inside it.
        match policy {
            ReachPolicy::Stretch => self.solve_under::<V, B>(lanes, ReachPolicy::Stretch),
            ReachPolicy::Clamp => self.solve_under::<V, B>(lanes, ReachPolicy::Clamp),
            ReachPolicy::Fail => self.solve_under::<V, B>(lanes, ReachPolicy::Fail),
        }
    }

    #[inline(always)]
    fn solve_under<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        policy: ReachPolicy,
    ) -> bool {
        self.pass::<V, B, true>(lanes, policy);
        let plain = self.special_count() <= MAX_SPECIAL;
        if !plain {
            self.pass::<V, B, false>(lanes, policy);
        }
        if let Some(soft_from) = lanes.soft_from {
            self.defer_soft_limbs::<V, B>(lanes, soft_from);
        }
        plain
    }

    /// The steps of [`TwoBone::solve`], lane by lane. `PLAIN` skips the scaling, which is
    /// valid for lengths and distances within a million either way, whose squares and
    /// products of squares keep all digits.
    #[inline(always)]
    fn pass<V: Vector<Real = T>, const B: usize, const PLAIN: bool>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        policy: ReachPolicy,
    ) {
        for i in 0..BLOCK {
            let target = V::from_fn(|axis| lanes.target[axis][i]);
            let bend = V::bend_from_fn(|axis| lanes.bend[axis][i]);
            let (r1, r2) = (lanes.r1[i], lanes.r2[i]);
            let reach = r1 + r2;

            let (scale, unit, target_unit) =
                scales_if::<T, PLAIN>(target.max_abs_component(), reach, policy);
            let p = target * target_unit;
            let h = p.dot(p);
            let triangle = Triangle::apart(h, r1 * unit, r2 * unit, policy);
            let (across, ordinary) = V::fast_bend_direction(p, h, bend);

            let mid = (p * triangle.along + across * triangle.across) * scale;
            let end = p * triangle.extent * scale;
            let reached = Margins::new(h, r1 * unit, r2 * unit).reached();
            // If the end is p, scaling p back is exact, unless p was moved nearer because
            // the target is distant.
            let is_target = !PLAIN && (reached || policy == ReachPolicy::Stretch);
            for axis in 0..D {
                let (at, end) = (target.component(axis), end.component(axis));
                self.mid[axis][i] = mid.component(axis);
                self.end[axis][i] = if is_target { at } else { end };
            }
            // 0 if all numbers are finite, else NaN. An infinite or NaN target gives such
            // a mid joint, and such a pole is not `ordinary`.
            let has_side = B == 1;
            let mut zero = if has_side {
                lanes.bend[0][i] * T::ZERO
            } else {
                T::ZERO
            };
            let valid = if PLAIN {
                (r1.min(r2) > T::ONE / T::MILLION)
                    & (reach < T::MILLION)
                    & (h > T::ONE / (T::MILLION * T::MILLION))
                    & (h < T::MILLION * T::MILLION)
            } else {
                for axis in 0..D {
                    zero = zero + (self.mid[axis][i] + self.end[axis][i]) * T::ZERO;
                }
                zero = zero + reach * T::ZERO;
                (r1 > T::ZERO) & (r2 > T::ZERO)
            };
            self.reached[i] = reached;
            self.is_solved[i] = ordinary & valid & (zero == T::ZERO);
        }
    }

    /// Leaves limbs whose distance is eased, or nearly so, to the single solver.
    fn defer_soft_limbs<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        soft_from: &[T; BLOCK],
    ) {
        for (i, &soft_from) in soft_from.iter().enumerate() {
            let target = V::from_fn(|axis| lanes.target[axis][i]);
            let reach = lanes.r1[i] + lanes.r2[i];
            let (_, unit, target_unit) =
                scales(target.max_abs_component(), reach, ReachPolicy::Clamp);
            let (p, from) = (target * target_unit, soft_from * unit);
            let starts_within = (soft_from >= T::ZERO) & (soft_from < reach);
            let rigid = soft_from == T::INFINITY;
            let below = p.dot(p) < from * from * (T::ONE - T::PARALLEL);
            self.is_solved[i] &= (starts_within & below) | rigid;
        }
    }

    /// Computes the bend of the limbs marked `is_solved`.
    pub(super) fn compute_bend<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        policy: ReachPolicy,
        plain: bool,
    ) {
        if plain {
            self.bend_pass::<V, B, true>(lanes, policy);
        } else {
            self.bend_pass::<V, B, false>(lanes, policy);
        }
    }

    #[inline(always)]
    fn bend_pass<V: Vector<Real = T>, const B: usize, const PLAIN: bool>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        policy: ReachPolicy,
    ) {
        for i in 0..BLOCK {
            let solved = policy != ReachPolicy::Fail || self.reached[i];
            let bend = margins::<T, V, D, B, PLAIN>(lanes, i, policy).bend();
            self.bend[0][i] = if solved { bend.cos() } else { T::ONE };
            self.bend[1][i] = if solved { bend.sin() } else { T::ZERO };
        }
    }

    /// Solves the limbs not marked `is_solved` one by one; the first invalid limb is an error.
    #[cold]
    fn solve_special<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        count: usize,
        policy: ReachPolicy,
    ) -> Result<(), (usize, Error)> {
        for i in 0..count {
            if !self.is_solved[i] {
                self.solve_single::<V, B>(lanes, i, policy)
                    .map_err(|error| (i, error))?;
            }
        }
        Ok(())
    }

    /// Solves one limb with all special cases, or returns its error.
    fn solve_single<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        i: usize,
        policy: ReachPolicy,
    ) -> Result<(), Error> {
        let target = V::from_fn(|axis| lanes.target[axis][i]);
        let mut limb = TwoBone::new(lanes.r1[i], lanes.r2[i])?.with_policy(policy);
        if let Some(soft_from) = lanes.soft_from
            && soft_from[i] != T::INFINITY
        {
            limb = limb.with_soft_reach(soft_from[i])?;
        }
        if !lanes.bend.iter().all(|bend| bend[i].is_finite()) {
            return Err(Error::NotFinite {
                argument: if D == 2 { "side" } else { "pole" },
            });
        }
        let bend = V::bend_from_fn(|axis| lanes.bend[axis][i]);
        match limb.solve(V::default(), target, bend) {
            Ok(solved) => self.store_solution(i, &solved),
            Err(Error::TooFar | Error::TooNear) => self.store_unsolved::<V>(i),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    pub(super) fn store_solution<V: Vector<Real = T>>(&mut self, i: usize, solved: &Solution<V>) {
        for axis in 0..D {
            self.mid[axis][i] = solved.mid.component(axis);
            self.end[axis][i] = solved.end.component(axis);
        }
        self.reached[i] = solved.reached;
        (self.bend[0][i], self.bend[1][i]) = (solved.bend.cos(), solved.bend.sin());
    }

    pub(super) fn store_unsolved<V: Vector<Real = T>>(&mut self, i: usize) {
        self.store_solution(
            i,
            &Solution {
                mid: V::default(),
                end: V::default(),
                reached: false,
                bend: Turn::NONE,
            },
        );
    }
}

/// Margins of one limb, at a scale near 1 or, if `PLAIN`, unscaled.
#[inline(always)]
fn margins<T: Real, V: Vector<Real = T>, const D: usize, const B: usize, const PLAIN: bool>(
    lanes: &Lanes<'_, T, D, B>,
    i: usize,
    policy: ReachPolicy,
) -> Margins<T> {
    let target = V::from_fn(|axis| lanes.target[axis][i]);
    let (r1, r2) = (lanes.r1[i], lanes.r2[i]);
    let (_, unit, target_unit) = scales_if::<T, PLAIN>(target.max_abs_component(), r1 + r2, policy);
    let p = target * target_unit;
    Margins::new(p.dot(p), r1 * unit, r2 * unit)
}

/// The [`scales`] to solve in, or 1 if `PLAIN`.
#[inline(always)]
pub(super) fn scales_if<T: Real, const PLAIN: bool>(
    distance: T,
    reach: T,
    policy: ReachPolicy,
) -> (T, T, T) {
    if PLAIN {
        (T::ONE, T::ONE, T::ONE)
    } else {
        scales(distance, reach, policy)
    }
}

#[inline(always)]
fn count_true(flags: &[bool]) -> usize {
    // A block's count fits in `u8`, the type with the fastest sum.
    const { assert!(BLOCK <= u8::MAX as usize) };
    usize::from(flags.iter().map(|&flag| u8::from(flag)).sum::<u8>())
}
