//! Solver for one block of limbs.

use super::columns::ColumnMut;
use crate::numbers::{Real, Vector};
use crate::reach::{EASES, Eased, Reach, SOFT_REACH};
use crate::triangle::{Margins, Triangle};
use crate::turn::Turn;
use crate::two_bone::{EXTREME, policy_bit, rounded_into_reach};
use crate::{BatchError, Error, ReachPolicy, Solution, TwoBone};

/// Limbs per block: enough for a loop worth vectorising, few enough for a block to stay
/// in the L1 cache.
pub(super) const BLOCK: usize = 128;

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

    /// Solves all limbs except the special ones.
    pub(super) fn solve<V: Vector<Real = T>, const B: usize>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        with_bend: bool,
    ) {
        // One copy of the loops per policy, so that the policy is not tested inside.
        match self.policy {
            Some(ReachPolicy::Meet) => self.solve_under::<V, B>(aims, ReachPolicy::Meet, with_bend),
            Some(ReachPolicy::Clamp) => {
                self.solve_under::<V, B>(aims, ReachPolicy::Clamp, with_bend);
            }
            Some(ReachPolicy::Fail) => self.solve_under::<V, B>(aims, ReachPolicy::Fail, with_bend),
            None => self.is_solved = [false; BLOCK],
        }
    }

    #[inline(always)]
    fn solve_under<V: Vector<Real = T>, const B: usize>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
        with_bend: bool,
    ) {
        if self.uses & EASES == 0 {
            return self.solve_lanes::<V, B, false>(aims, policy, with_bend, true);
        }
        let are_eased = if self.uses & EASES == SOFT_REACH {
            self.ease::<V, B, SOFT_REACH>(aims, policy)
        } else {
            self.ease::<V, B, EASES>(aims, policy)
        };
        self.solve_lanes::<V, B, true>(aims, policy, with_bend, are_eased);
    }

    /// Solves for the targets or, if `EASED`, for the aims. Marks the special limbs, if there are
    /// any. `are_eased` is true if the easing is valid for all limbs.
    #[inline(always)]
    fn solve_lanes<V: Vector<Real = T>, const B: usize, const EASED: bool>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
        with_bend: bool,
        are_eased: bool,
    ) {
        let are_solved = self.solve_pass::<V, B, EASED>(aims, policy);
        self.is_solved = [true; BLOCK];
        let are_plain = self.uses & EXTREME == 0;
        if !(are_solved && are_eased && are_plain) {
            self.flag_special::<V, B, EASED>(aims, policy);
        }
        if with_bend {
            self.bend_pass::<V, B, EASED>(aims, policy);
        }
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

    /// Marks the limbs that the passes cannot solve.
    #[inline(never)]
    fn flag_special<V: Vector<Real = T>, const B: usize, const EASED: bool>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
    ) {
        for i in 0..BLOCK {
            let target = V::from_fn(|axis| aims.target[axis][i]);
            let (_, _, is_plain) = if EASED {
                self.eased::<V, EASES>(i, target, policy)
            } else {
                self.eased::<V, 0>(i, target, policy)
            };
            let [r1, r2] = self.bones[i];
            let is_even = r1 > r2 * (T::ONE / T::MILLION);
            let (aim, r1, r2) = self.lane::<V, B, EASED>(aims, i);
            let h = self.square::<V, EASED>(i, aim, r1, r2);
            let (_, bend_fits) = V::fast_bend_direction(aim, h, |axis| aims.bend[axis][i]);
            self.is_solved[i] = is_plain & is_even & is_ordinary(h) & bend_fits;
        }
    }

    /// The steps of [`TwoBone::solve`], lane by lane, without scaling. That is valid for lengths and
    /// distances within a million either way, whose squares and products of squares keep all
    /// digits. Returns whether it is valid for the distances and bends of all limbs.
    #[inline(always)]
    fn solve_pass<V: Vector<Real = T>, const B: usize, const EASED: bool>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
    ) -> bool {
        let mut are_solved = true;
        for i in 0..BLOCK {
            let (p, r1, r2) = self.lane::<V, B, EASED>(aims, i);
            let h = self.square::<V, EASED>(i, p, r1, r2);
            let triangle = Triangle::apart(h, r1, r2, policy);
            let (across, bend_fits) = V::fast_bend_direction(p, h, |axis| aims.bend[axis][i]);

            let mid = p * triangle.along + across * triangle.across;
            let end = p * triangle.extent;
            let is_moved = EASED && self.moved[i] != T::ZERO;
            let within = Margins::new(h, r1, r2).reached();
            for axis in 0..D {
                self.mid[axis][i] = mid[axis];
                self.end[axis][i] = end[axis];
            }
            self.reached[i] = within & !is_moved;
            are_solved &= is_ordinary(h) & bend_fits;
            if EASED && policy == ReachPolicy::Fail {
                self.moved[i] = if within { self.moved[i] } else { T::ZERO };
            }
        }
        are_solved
    }

    #[inline(always)]
    fn bend_pass<V: Vector<Real = T>, const B: usize, const EASED: bool>(
        &mut self,
        aims: &Aims<'_, T, D, B>,
        policy: ReachPolicy,
    ) {
        for i in 0..BLOCK {
            let (p, r1, r2) = self.lane::<V, B, EASED>(aims, i);
            let h = self.square::<V, EASED>(i, p, r1, r2);
            let bend = Margins::new(h, r1, r2).bend();
            let solved = policy != ReachPolicy::Fail || !self.is_unsolved(i);
            self.bend[0][i] = if solved { bend.cos() } else { T::ONE };
            self.bend[1][i] = if solved { bend.sin() } else { T::ZERO };
        }
    }

    /// The point to solve a lane's limb for, and its lengths.
    #[inline(always)]
    fn lane<V: Vector<Real = T>, const B: usize, const EASED: bool>(
        &self,
        aims: &Aims<'_, T, D, B>,
        i: usize,
    ) -> (V, T, T) {
        let p = V::from_fn(|axis| if EASED { self.aim[axis][i] } else { aims.target[axis][i] });
        let [r1, r2] = if EASED { [self.lengths[0][i], self.lengths[1][i]] } else { self.bones[i] };
        (p, r1, r2)
    }

    /// |p|², within reach if the easing says so.
    #[inline(always)]
    fn square<V: Vector<Real = T>, const EASED: bool>(&self, i: usize, p: V, r1: T, r2: T) -> T {
        let h = p.dot(p);
        let (moved, within) = (self.moved[i] != T::ZERO, self.within[i] != T::ZERO);
        rounded_into_reach(h, r1, r2, EASED && moved, EASED && within)
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

#[inline(always)]
fn count_true(flags: &[bool]) -> usize {
    // A block's count fits in `u8`, the type with the fastest sum.
    const { assert!(BLOCK <= u8::MAX as usize) };
    usize::from(flags.iter().map(|&flag| u8::from(flag)).sum::<u8>())
}
