//! Solver for one block of limbs.

use super::columns::ColumnMut;
use crate::numbers::{Real, Vector};
use crate::reach::{EASES, Eased, Reach, SOFT_REACH};
use crate::triangle::{Margins, Triangle};
use crate::turn::Turn;
use crate::two_bone::{EXTREME, policy_bit, rounded_into_reach, scales};
use crate::{BatchError, Error, ReachPolicy, Solution, TwoBone};

/// Limbs per block: enough for a loop worth vectorising, few enough for a block to stay
/// in the L1 cache.
pub(super) const BLOCK: usize = 128;

/// Largest number of special limbs in a block before the whole block is solved again with
/// scaled limbs. Special limbs that remain go to the single solver.
const MAX_SPECIAL: usize = BLOCK / 8;

/// The targets of a block, and its poles or, as ±1, its sides.
#[derive(Clone, Copy)]
pub(super) struct Aims<'a, T, const D: usize, const B: usize> {
    pub(super) target: [&'a [T; BLOCK]; D],
    pub(super) bend: [&'a [T; BLOCK]; B],
}

/// The limbs and joints of a block, one array per number, which the compiler can
/// vectorise. Lanes without a limb hold a valid one.
pub(super) struct Block<T, const D: usize> {
    /// Lengths r1 and r2 side by side, which are copied at once.
    bones: [[T; 2]; BLOCK],
    range: Reach<[T; BLOCK]>,
    /// Kinds of settings that this block uses, and that `range` may contain.
    uses: u8,
    stale: u8,
    policy: Option<ReachPolicy>,

    /// The point to solve for instead of the target, and the lengths, if a limb of the
    /// block is eased.
    aim: [[T; BLOCK]; D],
    lengths: [[T; BLOCK]; 2],
    /// 1 if the aim is not the target, else 0. After the pass, 0 for an aim out of reach.
    /// Numbers, as mixing bytes and numbers in a loop costs packing and unpacking.
    moved: [T; BLOCK],
    /// 1 if the aim is within reach but for rounding, else 0.
    within: [T; BLOCK],

    pub(super) mid: [[T; BLOCK]; D],
    pub(super) end: [[T; BLOCK]; D],
    pub(super) reached: [bool; BLOCK],
    /// Cosine and sine.
    pub(super) bend: [[T; BLOCK]; 2],
    /// True for correct joints; the single solver computes the others.
    pub(super) is_solved: [bool; BLOCK],
}

/// A pass over a block.
mod pass {
    /// Scales all limbs to about 1.
    pub(super) const SCALED: u8 = 0;
    /// Does not scale, which is valid for lengths and distances within a million either
    /// way, whose squares and products of squares keep all digits.
    pub(super) const PLAIN: u8 = 1;
    /// Neither scales nor solves for the target, but for the aim.
    pub(super) const EASED: u8 = 2;
}

impl<T: Real, const D: usize> Block<T, D> {
    pub(super) fn new() -> Self {
        Self {
            bones: [[T::ONE; 2]; BLOCK],
            range: Reach::<T>::RIGID.map(|value| [*value; BLOCK]),
            uses: 0,
            stale: 0,
            policy: None,
            aim: [[T::ONE; BLOCK]; D],
            lengths: [[T::ONE; BLOCK]; 2],
            moved: [T::ZERO; BLOCK],
            within: [T::ZERO; BLOCK],
            mid: [[T::ZERO; BLOCK]; D],
            end: [[T::ZERO; BLOCK]; D],
            reached: [false; BLOCK],
            bend: [[T::ZERO; BLOCK]; 2],
            is_solved: [true; BLOCK],
        }
    }

    /// Loads the lengths and settings of limbs.
    #[inline(always)]
    pub(super) fn load_limbs<'a>(&mut self, limbs: impl Iterator<Item = &'a TwoBone<T>> + Clone)
    where
        T: 'a,
    {
        let mut uses = 0;
        for (limb, bones) in limbs.clone().zip(&mut self.bones) {
            *bones = limb.lengths().into();
            uses |= limb.uses;
        }
        let policies = [ReachPolicy::Meet, ReachPolicy::Clamp, ReachPolicy::Fail];
        let is_only = |&policy: &ReachPolicy| uses & !(EASES | EXTREME) == policy_bit(policy);
        self.policy = policies.into_iter().find(is_only);
        self.uses = uses;
        if self.stale != 0 {
            self.moved = [T::ZERO; BLOCK];
        }
        if uses & EASES != 0 {
            self.stale |= uses & EASES;
            self.range.load(&limbs.map(|limb| &limb.range), self.stale);
        }
    }

    /// Solves all limbs except the special ones. Returns whether their vectors can be
    /// normalised without scaling.
    pub(super) fn solve<V: Vector<Real = T>, const B: usize>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        with_bend: bool,
    ) -> bool {
        // One copy of the loops per policy, so that the policy is not tested inside.
        match self.policy {
            Some(ReachPolicy::Meet) => self.solve_under::<V, B>(aims, ReachPolicy::Meet, with_bend),
            Some(ReachPolicy::Clamp) => {
                self.solve_under::<V, B>(aims, ReachPolicy::Clamp, with_bend)
            }
            Some(ReachPolicy::Fail) => self.solve_under::<V, B>(aims, ReachPolicy::Fail, with_bend),
            None => {
                self.is_solved = [false; BLOCK];
                true
            }
        }
    }

    #[inline(always)]
    fn solve_under<V: Vector<Real = T>, const B: usize>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
        with_bend: bool,
    ) -> bool {
        if self.uses & EASES != 0 {
            let are_solved = if self.uses & EASES == SOFT_REACH {
                self.ease::<V, B, SOFT_REACH>(aims, policy)
            } else {
                self.ease::<V, B, EASES>(aims, policy)
            };
            self.is_solved = [true; BLOCK];
            if !(self.solve_pass::<V, B, { pass::EASED }>(aims, policy) && are_solved) {
                self.flag_special_eased::<V, B>(aims, policy);
            }
            if with_bend {
                self.bend_pass::<V, B, { pass::EASED }>(aims, policy);
            }
            return self.uses & EXTREME == 0;
        }
        let mut is_plain = self.uses & EXTREME == 0;
        if is_plain {
            let are_solved = self.solve_pass::<V, B, { pass::PLAIN }>(aims, policy);
            self.is_solved = [true; BLOCK];
            if !are_solved {
                self.flag_special::<V, B>(aims);
                is_plain = self.special_count() <= MAX_SPECIAL;
            }
        }
        if !is_plain {
            self.solve_pass::<V, B, { pass::SCALED }>(aims, policy);
        }
        if with_bend && is_plain {
            self.bend_pass::<V, B, { pass::PLAIN }>(aims, policy);
        } else if with_bend {
            self.bend_pass::<V, B, { pass::SCALED }>(aims, policy);
        }
        is_plain
    }

    /// The easing of [`TwoBone::solve`], without scaling. Returns whether it is valid for
    /// all limbs.
    #[inline(always)]
    fn ease<V: Vector<Real = T>, const B: usize, const USES: u8>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
    ) -> bool {
        let flag = |is_true: bool| if is_true { T::ONE } else { T::ZERO };
        let mut are_solved = true;
        for i in 0..BLOCK {
            let target = V::from_fn(|axis| aims.target[axis][i]);
            let (eased, length, is_solved) = self.eased::<V, USES>(i, target, policy);
            are_solved &= is_solved;
            let aim = target * (eased.distance / length);
            for axis in 0..D {
                let moved = aim[axis];
                self.aim[axis][i] = if eased.is_moved { moved } else { aims.target[axis][i] };
            }
            let [r1, r2] = self.bones[i];
            self.lengths[0][i] = r1 * eased.stretch;
            self.lengths[1][i] = r2 * eased.stretch;
            self.moved[i] = flag(eased.is_moved);
            self.within[i] = flag(eased.is_within);
        }
        are_solved
    }

    /// The eased distance of a target, its distance, and whether they are valid.
    #[inline(always)]
    fn eased<V: Vector<Real = T>, const USES: u8>(
        &self,
        i: usize,
        target: V,
        policy: ReachPolicy,
    ) -> (Eased<T>, T, bool) {
        let [r1, r2] = self.bones[i];
        let h = target.dot(target);
        let length = h.sqrt();
        let eased = self.range.get(i).ease::<USES>(length, r1, r2);
        let is_allowed = !(eased.is_limited & (policy == ReachPolicy::Fail));
        let longest = (r1 + r2) * eased.stretch;
        let are_plain = (r1.min(r2) > T::ONE / T::MILLION) & (longest < T::MILLION);
        (eased, length, is_allowed & are_plain & is_ordinary(h))
    }

    /// Marks the limbs that the pass for eased limbs cannot solve.
    #[inline(never)]
    fn flag_special_eased<V: Vector<Real = T>, const B: usize>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
    ) {
        for i in 0..BLOCK {
            let target = V::from_fn(|axis| aims.target[axis][i]);
            let (_, _, is_solved) = self.eased::<V, EASES>(i, target, policy);
            let Lane { target: aim, r1, r2, .. } =
                self.lane::<V, B, { pass::EASED }>(aims, i, policy);
            let h = self.square::<V, { pass::EASED }>(i, aim, r1, r2);
            let (_, bend_fits) = V::fast_bend_direction(aim, h, |axis| aims.bend[axis][i]);
            self.is_solved[i] = is_solved & is_ordinary(h) & bend_fits;
        }
    }

    /// The steps of [`TwoBone::solve`], lane by lane.
    #[inline(always)]
    fn solve_pass<V: Vector<Real = T>, const B: usize, const PASS: u8>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
    ) -> bool {
        let mut are_solved = true;
        for i in 0..BLOCK {
            let Lane { target, r1, r2, scale, unit, target_unit } =
                self.lane::<V, B, PASS>(aims, i, policy);
            let p = target * target_unit;
            let h = self.square::<V, PASS>(i, p, r1 * unit, r2 * unit);
            let triangle = Triangle::apart(h, r1 * unit, r2 * unit, policy);
            let (across, bend_fits) = V::fast_bend_direction(p, h, |axis| aims.bend[axis][i]);

            let mid = (p * triangle.along + across * triangle.across) * scale;
            let end = p * triangle.extent * scale;
            let is_moved = PASS == pass::EASED && self.moved[i] != T::ZERO;
            let within = Margins::new(h, r1 * unit, r2 * unit).reached();
            let reached = within & !is_moved;
            // If the end is p, scaling p back is exact, unless p was moved nearer because
            // the target is distant.
            let is_target = PASS == pass::SCALED && (reached || policy == ReachPolicy::Meet);
            for axis in 0..D {
                let (at, end) = (target[axis], end[axis]);
                self.mid[axis][i] = mid[axis];
                self.end[axis][i] = if is_target { at } else { end };
            }
            self.reached[i] = reached;
            let is_solved = is_ordinary(h) & bend_fits;
            are_solved &= is_solved;
            if PASS == pass::EASED && policy == ReachPolicy::Fail {
                self.moved[i] = if within { self.moved[i] } else { T::ZERO };
            }
            if PASS == pass::SCALED {
                // 0 if all numbers are finite, else NaN. An infinite or NaN target gives such a
                // mid joint, and such a pole does not fit.
                let mut zero = T::ZERO;
                for axis in 0..D {
                    zero = zero + (self.mid[axis][i] + self.end[axis][i]) * T::ZERO;
                }
                self.is_solved[i] = is_solved & (zero == T::ZERO);
            }
        }
        are_solved
    }

    /// Marks the limbs that the pass without scaling cannot solve.
    #[inline(always)]
    fn flag_special<V: Vector<Real = T>, const B: usize>(&mut self, aims: &Aims<'_, T, D, B>) {
        for i in 0..BLOCK {
            let target = V::from_fn(|axis| aims.target[axis][i]);
            let h = target.dot(target);
            let (_, bend_fits) = V::fast_bend_direction(target, h, |axis| aims.bend[axis][i]);
            self.is_solved[i] = is_ordinary(h) & bend_fits;
        }
    }

    #[inline(always)]
    fn bend_pass<V: Vector<Real = T>, const B: usize, const PASS: u8>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
    ) {
        for i in 0..BLOCK {
            let lane = self.lane::<V, B, PASS>(aims, i, policy);
            let (r1, r2) = (lane.r1 * lane.unit, lane.r2 * lane.unit);
            let h = self.square::<V, PASS>(i, lane.target * lane.target_unit, r1, r2);
            let bend = Margins::new(h, r1, r2).bend();
            let solved = policy != ReachPolicy::Fail || !self.is_unsolved(i);
            self.bend[0][i] = if solved { bend.cos() } else { T::ONE };
            self.bend[1][i] = if solved { bend.sin() } else { T::ZERO };
        }
    }

    /// The limb of a lane, with the scales of the pass.
    #[inline(always)]
    fn lane<V: Vector<Real = T>, const B: usize, const PASS: u8>(
        &self,
        aims: &Aims<'_, T, D, B>,
        i: usize,
        policy: ReachPolicy,
    ) -> Lane<V> {
        let is_eased = PASS == pass::EASED;
        let target =
            V::from_fn(|axis| if is_eased { self.aim[axis][i] } else { aims.target[axis][i] });
        let [r1, r2] =
            if is_eased { [self.lengths[0][i], self.lengths[1][i]] } else { self.bones[i] };
        let (scale, unit, target_unit) = if PASS == pass::SCALED {
            scales(target.max_abs_component(), r1 + r2, policy)
        } else {
            (T::ONE, T::ONE, T::ONE)
        };
        Lane { target, r1, r2, scale, unit, target_unit }
    }

    /// |p|², within reach if the easing says so.
    #[inline(always)]
    fn square<V: Vector<Real = T>, const PASS: u8>(&self, i: usize, p: V, r1: T, r2: T) -> T {
        let h = p.dot(p);
        let is_eased = PASS == pass::EASED;
        let (moved, within) = (self.moved[i] != T::ZERO, self.within[i] != T::ZERO);
        let (is_moved, is_within) = (is_eased && moved, is_eased && within);
        rounded_into_reach(h, r1, r2, is_moved, is_within)
    }

    /// True if the limb is without a solution, under [`ReachPolicy::Fail`].
    #[inline(always)]
    pub(super) fn is_unsolved(&self, i: usize) -> bool {
        self.policy == Some(ReachPolicy::Fail) && !(self.reached[i] || self.moved[i] != T::ZERO)
    }

    /// Number of limbs for the single solver.
    pub(super) fn special_count(&self) -> usize {
        BLOCK - count_true(&self.is_solved)
    }

    /// Writes the joints to the output. Returns the number of limbs that meet their
    /// targets.
    pub(super) fn store<M: ColumnMut<T, D>, E: ColumnMut<T, D>>(
        &self,
        joints: &mut super::Joints<'_, T, M, E>,
        first: usize,
        count: usize,
    ) -> usize {
        joints.mid.store(first, count, &self.mid);
        joints.end.store(first, count, &self.end);
        if let Some(bend) = &mut joints.bend {
            for (i, bend) in bend[first..first + count].iter_mut().enumerate() {
                *bend = Turn::from_unit(self.bend[0][i], self.bend[1][i]);
            }
        }
        joints.reached[first..first + count].copy_from_slice(&self.reached[..count]);
        count_true(&self.reached[..count])
    }

    /// Solves the limbs not marked `is_solved` one by one with `solve`, which gets the
    /// block, the lane, the target and the bend. The first invalid limb is an error.
    #[cold]
    pub(super) fn solve_special<V: Vector<Real = T>, const B: usize>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        first: usize,
        count: usize,
        mut solve: impl FnMut(usize, V, V::Bend) -> Result<Solution<V>, Error>,
    ) -> Result<(), BatchError> {
        for i in (0..count).filter(|&i| !self.is_solved[i]) {
            let target = V::from_fn(|axis| aims.target[axis][i]);
            let bend = V::bend_from_fn(|axis| aims.bend[axis][i]);
            let solved = match solve(i, target, bend) {
                Err(Error::TooFar | Error::TooNear) => Ok(Solution::unsolved()),
                solved => solved,
            }
            .map_err(|error| BatchError::Limb { index: first + i, error })?;
            for axis in 0..D {
                self.mid[axis][i] = solved.mid[axis];
                self.end[axis][i] = solved.end[axis];
            }
            self.reached[i] = solved.reached;
            (self.bend[0][i], self.bend[1][i]) = (solved.bend.cos(), solved.bend.sin());
        }
        Ok(())
    }
}

/// True for a squared distance that keeps all digits when it is squared.
#[inline(always)]
fn is_ordinary<T: Real>(h: T) -> bool {
    let million = T::MILLION * T::MILLION;
    (h > T::ONE / million) & (h < million)
}

struct Lane<V: Vector> {
    target: V,
    r1: V::Real,
    r2: V::Real,
    scale: V::Real,
    unit: V::Real,
    target_unit: V::Real,
}

#[inline(always)]
fn count_true(flags: &[bool]) -> usize {
    // A block's count fits in `u8`, the type with the fastest sum.
    const { assert!(BLOCK <= u8::MAX as usize) };
    usize::from(flags.iter().map(|&flag| u8::from(flag)).sum::<u8>())
}
