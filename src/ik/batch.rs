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
//! every limb at a size near 1, which takes twice as long. What is then
//! left, a target on its start, a pole along its line, a limb in its soft
//! reach, is for the single solver.
//!
//! Targets are relative to the start joints. The joints are those that
//! [`TwoBone::solve`](super::TwoBone::solve) computes for a start at 0, to the
//! last bit of every normal number. There is one difference: under
//! [`ReachPolicy::None`] a target out of reach is no error; the limb's
//! `reached` is false, both of its joints are at the start, and its bend is 0.
//!
//! ```
//! use tarsus::ik::ReachPolicy;
//! use tarsus::ik::batch::{PlaneJoints, PlaneLimbs, solve_plane};
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
//! # Ok::<(), tarsus::ik::BatchError>(())
//! ```

mod poses;

pub use poses::{PoseLimbs, Rotations, solve_poses};

use super::real::Real;
use super::triangle::{Margins, Triangle};
use super::turn::Turn;
use super::two_bone::units;
use super::vector::Vector;
use super::{BatchError, Error, ReachPolicy, Solution, TwoBone};

/// Limbs per block: enough for the compiler to see a loop worth vectorising,
/// few enough for a block to stay in the first-level cache.
const BLOCK: usize = 128;

/// With more special limbs than this in a block, the whole block is solved in
/// units of its limbs' sizes before the rest is left to the single solver.
const FEW: usize = BLOCK / 8;

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
    /// who want it: it costs as much as the joints.
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
    /// who want it: it costs as much as the joints.
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

/// Limbs in D dimensions whose bend has B components.
struct Input<'a, T, const D: usize, const B: usize> {
    target: [&'a [T]; D],
    r1: &'a [T],
    r2: &'a [T],
    bend: [&'a [T]; B],
    soft_from: Option<&'a [T]>,
}

/// Joints in D dimensions.
struct Output<'a, T, const D: usize> {
    mid: [&'a mut [T]; D],
    end: [&'a mut [T]; D],
    reached: &'a mut [bool],
    bend: Option<[&'a mut [T]; 2]>,
}

/// The same slices, borrowed again.
fn bend_slices<'a, T>(bend: &'a mut Option<[&mut [T]; 2]>) -> Option<[&'a mut [T]; 2]> {
    bend.as_mut()
        .map(|slices| slices.each_mut().map(|slice| &mut **slice))
}

impl<T, const D: usize, const B: usize> Input<'_, T, D, B> {
    fn check(&self, target: [&'static str; D], bend: [&'static str; B]) -> Result<(), BatchError> {
        let expected = self.target[0].len();
        for (name, slice) in target.into_iter().zip(self.target) {
            check_slice(name, slice.len(), expected)?;
        }
        for (name, slice) in bend.into_iter().zip(self.bend) {
            check_slice(name, slice.len(), expected)?;
        }
        check_slice("r1", self.r1.len(), expected)?;
        check_slice("r2", self.r2.len(), expected)?;
        self.soft_from.map_or(Ok(()), |slice| {
            check_slice("soft_from", slice.len(), expected)
        })
    }
}

impl<T, const D: usize> Output<'_, T, D> {
    fn check(
        &self,
        expected: usize,
        mid: [&'static str; D],
        end: [&'static str; D],
    ) -> Result<(), BatchError> {
        for (name, slice) in mid.into_iter().zip(&self.mid) {
            check_slice(name, slice.len(), expected)?;
        }
        for (name, slice) in end.into_iter().zip(&self.end) {
            check_slice(name, slice.len(), expected)?;
        }
        for slice in self.bend.iter().flatten() {
            check_slice("bend", slice.len(), expected)?;
        }
        check_slice("reached", self.reached.len(), expected)
    }
}

fn check_slice(slice: &'static str, found: usize, expected: usize) -> Result<(), BatchError> {
    if found == expected {
        Ok(())
    } else {
        Err(BatchError::SliceLength {
            slice,
            expected,
            found,
        })
    }
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

/// The limbs of a block: arrays of known length.
#[derive(Clone, Copy)]
struct Lanes<'a, T, const D: usize, const B: usize> {
    target: [&'a [T; BLOCK]; D],
    r1: &'a [T; BLOCK],
    r2: &'a [T; BLOCK],
    bend: [&'a [T; BLOCK]; B],
    soft_from: Option<&'a [T; BLOCK]>,
}

impl<'a, T, const D: usize, const B: usize> Input<'a, T, D, B> {
    /// The whole block that begins at `first`.
    fn lanes(&self, first: usize) -> Lanes<'a, T, D, B> {
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

/// The last limbs, with valid ones in the places that are left of a block.
struct Padded<T, const D: usize, const B: usize> {
    target: [[T; BLOCK]; D],
    r1: [T; BLOCK],
    r2: [T; BLOCK],
    bend: [[T; BLOCK]; B],
    soft_from: Option<[T; BLOCK]>,
}

impl<T: Real, const D: usize, const B: usize> Padded<T, D, B> {
    fn new(input: &Input<'_, T, D, B>, first: usize) -> Self {
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

    fn lanes(&self) -> Lanes<'_, T, D, B> {
        Lanes {
            target: self.target.each_ref(),
            r1: &self.r1,
            r2: &self.r2,
            bend: self.bend.each_ref(),
            soft_from: self.soft_from.as_ref(),
        }
    }
}

/// The joints of some limbs, apart from the caller's slices: arrays that
/// overlap nothing, which is what lets the compiler vectorise.
struct Block<T, const D: usize> {
    mid: [[T; BLOCK]; D],
    end: [[T; BLOCK]; D],
    reached: [bool; BLOCK],
    /// Cosine and sine.
    bend: [[T; BLOCK]; 2],
    /// The joints are right; if not, the limb is for the single solver.
    sure: [bool; BLOCK],
}

impl<T: Real, const D: usize> Block<T, D> {
    fn new() -> Self {
        Self {
            mid: [[T::ZERO; BLOCK]; D],
            end: [[T::ZERO; BLOCK]; D],
            reached: [false; BLOCK],
            bend: [[T::ZERO; BLOCK]; 2],
            sure: [true; BLOCK],
        }
    }

    /// Solves a block and writes its first `count` limbs to the output from
    /// `first` on; returns how many of them meet their targets.
    fn work_off<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        policy: ReachPolicy,
        first: usize,
        count: usize,
        output: &mut Output<'_, T, D>,
    ) -> Result<usize, BatchError> {
        let plain = self.solve::<V, B>(lanes, policy);
        if output.bend.is_some() {
            self.find_bend::<V, B>(lanes, policy, plain);
        }
        if self.special() > 0 {
            self.solve_the_rest::<V, B>(lanes, count, policy)
                .map_err(|(lane, error)| BatchError::Limb {
                    index: first + lane,
                    error,
                })?;
        }
        Ok(self.store(output, first, count))
    }

    /// Writes the joints out; returns how many limbs meet their targets.
    fn store(&self, output: &mut Output<'_, T, D>, first: usize, count: usize) -> usize {
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
        count_of(&self.reached[..count])
    }

    /// How many limbs are for the single solver.
    fn special(&self) -> usize {
        BLOCK - count_of(&self.sure)
    }

    /// Solves all limbs but the special ones. Returns whether they were taken
    /// as they are, without bringing them to a size near 1.
    fn solve<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        policy: ReachPolicy,
    ) -> bool {
        // One copy of the loop per policy: none of them asks for it inside.
        match policy {
            ReachPolicy::Stretch => self.solve_under::<V, B>(lanes, ReachPolicy::Stretch),
            ReachPolicy::Clamp => self.solve_under::<V, B>(lanes, ReachPolicy::Clamp),
            ReachPolicy::None => self.solve_under::<V, B>(lanes, ReachPolicy::None),
        }
    }

    #[inline(always)]
    fn solve_under<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        policy: ReachPolicy,
    ) -> bool {
        self.pass::<V, B, true>(lanes, policy);
        let plain = self.special() <= FEW;
        if !plain {
            self.pass::<V, B, false>(lanes, policy);
        }
        if let Some(soft_from) = lanes.soft_from {
            self.leave_the_soft::<V, B>(lanes, soft_from);
        }
        plain
    }

    /// The steps of [`TwoBone::solve`], lane by lane: without the scaling if
    /// `PLAIN`, which is right for lengths and distances not beyond a million
    /// either way, as their squares and the products of two have all their
    /// digits.
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

            let (scale, unit, target_unit) = units_if::<T, PLAIN>(target.largest(), reach, policy);
            let p = target * target_unit;
            let h = p.dot(p);
            let triangle = Triangle::apart(h, r1 * unit, r2 * unit, policy);
            let (across, ordinary) = V::quick_across(p, h, bend);

            let mid = (p * triangle.along + across * triangle.across) * scale;
            let end = p * triangle.extent * scale;
            let reached = Margins::new(h, r1 * unit, r2 * unit).reached();
            // Where the end is p, bringing p back to its size loses nothing,
            // except under a unit that drew it in.
            let is_target = !PLAIN && (reached || policy == ReachPolicy::Stretch);
            for axis in 0..D {
                let (at, end) = (target.component(axis), end.component(axis));
                self.mid[axis][i] = mid.component(axis);
                self.end[axis][i] = if is_target { at } else { end };
            }
            // 0 if all numbers are finite, else NaN. A target that is not
            // makes a mid joint that is not, and a pole is not ordinary.
            let has_side = B == 1;
            let mut zero = if has_side {
                lanes.bend[0][i] * T::ZERO
            } else {
                T::ZERO
            };
            let valid = if PLAIN {
                (r1.smaller(r2) > T::ONE / T::MILLION)
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
            self.sure[i] = ordinary & valid & (zero == T::ZERO);
        }
    }

    /// Leaves limbs whose distance is eased, or nearly, to the single solver.
    fn leave_the_soft<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        soft_from: &[T; BLOCK],
    ) {
        for i in 0..BLOCK {
            let target = V::from_fn(|axis| lanes.target[axis][i]);
            let reach = lanes.r1[i] + lanes.r2[i];
            let (_, unit, target_unit) = units(target.largest(), reach, ReachPolicy::Clamp);
            let (p, from) = (target * target_unit, soft_from[i] * unit);
            let starts_within = (soft_from[i] >= T::ZERO) & (soft_from[i] < reach);
            let rigid = soft_from[i] == T::INFINITY;
            let below = p.dot(p) < from * from * (T::ONE - T::PARALLEL);
            self.sure[i] &= (starts_within & below) | rigid;
        }
    }

    /// The bend of the limbs that are sure.
    fn find_bend<V: Vector<Real = T>, const B: usize>(
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
            let solved = policy != ReachPolicy::None || self.reached[i];
            let bend = margins::<T, V, D, B, PLAIN>(lanes, i, policy).bend();
            self.bend[0][i] = if solved { bend.cos() } else { T::ONE };
            self.bend[1][i] = if solved { bend.sin() } else { T::ZERO };
        }
    }

    /// Solves the limbs that are not sure; the first invalid one is an error.
    #[cold]
    fn solve_the_rest<V: Vector<Real = T>, const B: usize>(
        &mut self,
        lanes: &Lanes<'_, T, D, B>,
        count: usize,
        policy: ReachPolicy,
    ) -> Result<(), (usize, Error)> {
        for i in 0..count {
            if !self.sure[i] {
                self.solve_alone::<V, B>(lanes, i, policy)
                    .map_err(|error| (i, error))?;
            }
        }
        Ok(())
    }

    /// Solves one limb with all its special cases, or says what is wrong.
    fn solve_alone<V: Vector<Real = T>, const B: usize>(
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
            Ok(solved) => self.put(i, &solved),
            Err(Error::TooFar | Error::TooNear) => self.put_unsolved::<V>(i),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn put<V: Vector<Real = T>>(&mut self, i: usize, solved: &Solution<V>) {
        for axis in 0..D {
            self.mid[axis][i] = solved.mid.component(axis);
            self.end[axis][i] = solved.end.component(axis);
        }
        self.reached[i] = solved.reached;
        (self.bend[0][i], self.bend[1][i]) = (solved.bend.cos(), solved.bend.sin());
    }

    fn put_unsolved<V: Vector<Real = T>>(&mut self, i: usize) {
        self.put(
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

/// The margins of one limb, at a size near 1 or, if `PLAIN`, as it is.
#[inline(always)]
fn margins<T: Real, V: Vector<Real = T>, const D: usize, const B: usize, const PLAIN: bool>(
    lanes: &Lanes<'_, T, D, B>,
    i: usize,
    policy: ReachPolicy,
) -> Margins<T> {
    let target = V::from_fn(|axis| lanes.target[axis][i]);
    let (r1, r2) = (lanes.r1[i], lanes.r2[i]);
    let (_, unit, target_unit) = units_if::<T, PLAIN>(target.largest(), r1 + r2, policy);
    let p = target * target_unit;
    Margins::new(p.dot(p), r1 * unit, r2 * unit)
}

/// The [`units`] to solve in; 1 if limbs are taken as they are.
#[inline(always)]
fn units_if<T: Real, const PLAIN: bool>(distance: T, reach: T, policy: ReachPolicy) -> (T, T, T) {
    if PLAIN {
        (T::ONE, T::ONE, T::ONE)
    } else {
        units(distance, reach, policy)
    }
}

#[inline(always)]
fn count_of(flags: &[bool]) -> usize {
    // A block's count fits in the smallest number, and sums quickest there.
    const { assert!(BLOCK <= u8::MAX as usize) };
    usize::from(flags.iter().map(|&flag| u8::from(flag)).sum::<u8>())
}
