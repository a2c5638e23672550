//! Many limbs at once.
//!
//! Limbs come as a *structure of arrays*, one slice per coordinate, and so do
//! their joints. The solver works through them in blocks of fixed size without
//! a branch that depends on the data (special cases are left to the single
//! solver), so that the compiler turns the whole
//! loop, square roots and divisions included, into vector instructions of the
//! width it builds for: 4 limbs at a time with SSE2 or NEON, 8 with AVX2. That
//! needs the `std` feature; without it the square root is a function call.
//!
//! Targets are relative to the start joints. The joints are those that
//! [`TwoBone::solve`](super::TwoBone::solve) computes for a start at 0, to the
//! last bit. There is one difference: under [`ReachPolicy::None`] a target out
//! of reach is no error; the limb's `reached` is false and both of its joints
//! are at the start.
//!
//! ```
//! use tarsus::ik::ReachPolicy;
//! use tarsus::ik::batch::{PlaneJoints, PlaneLimbs, solve_plane};
//!
//! let (x, y) = ([1.0_f32, 0.3, 9.0], [0.5, -0.2, 0.0]);
//! let (r1, r2) = ([0.8; 3], [0.7; 3]);
//! let limbs = PlaneLimbs { x: &x, y: &y, r1: &r1, r2: &r2, side: &[1.0; 3] };
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
use super::two_bone::units;
use super::vector::Vector;
use super::{BatchError, Error, ReachPolicy, TwoBone};

/// Limbs per block: enough for the compiler to see a loop worth vectorising,
/// few enough for a block to stay in the first-level cache.
const BLOCK: usize = 64;

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
}

/// Solves limbs in the plane; returns how many meet their targets.
///
/// # Errors
/// [`BatchError::SliceLength`] if the slices differ in length,
/// [`BatchError::Limb`] for the first limb found whose lengths are not finite
/// and positive, whose target is NaN or infinite, or whose joints are too far
/// away for the float type.
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
    };
    let output = Output {
        mid: [joints.mid_x, joints.mid_y],
        end: [joints.end_x, joints.end_y],
        reached: joints.reached,
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
/// and positive, whose target or pole is NaN or infinite, or whose joints are
/// too far away for the float type.
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
    };
    let output = Output {
        mid: joints.mid.each_mut().map(|slice| &mut **slice),
        end: joints.end.each_mut().map(|slice| &mut **slice),
        reached: joints.reached,
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
}

/// Joints in D dimensions.
struct Output<'a, T, const D: usize> {
    mid: [&'a mut [T]; D],
    end: [&'a mut [T]; D],
    reached: &'a mut [bool],
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
        check_slice("r2", self.r2.len(), expected)
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
    let mut block = Block::<T, D, B>::new();
    let mut met = 0;
    for first in (0..limbs).step_by(BLOCK) {
        let count = BLOCK.min(limbs - first);
        block.load(input, first, count);
        // One copy of the loop per policy: none of them asks for it inside.
        match policy {
            ReachPolicy::Stretch => block.solve::<V>(ReachPolicy::Stretch),
            ReachPolicy::Clamp => block.solve::<V>(ReachPolicy::Clamp),
            ReachPolicy::None => block.solve::<V>(ReachPolicy::None),
        }
        if block.sure != [true; BLOCK] {
            block
                .solve_the_rest::<V>(count, policy)
                .map_err(|(lane, error)| BatchError::Limb {
                    index: first + lane,
                    error,
                })?;
        }
        met += block.store(&mut output, first, count);
    }
    Ok(met)
}

/// Some limbs and their joints, apart from the caller's slices: arrays of known
/// length that cannot overlap, which is what lets the compiler vectorise.
struct Block<T, const D: usize, const B: usize> {
    target: [[T; BLOCK]; D],
    r1: [T; BLOCK],
    r2: [T; BLOCK],
    bend: [[T; BLOCK]; B],
    mid: [[T; BLOCK]; D],
    end: [[T; BLOCK]; D],
    reached: [bool; BLOCK],
    /// The joints are right; if not, the limb is for the single solver.
    sure: [bool; BLOCK],
}

impl<T: Real, const D: usize, const B: usize> Block<T, D, B> {
    /// A block of valid limbs, so that places no limb is loaded to stay valid.
    fn new() -> Self {
        Self {
            target: [[T::ONE; BLOCK]; D],
            r1: [T::ONE; BLOCK],
            r2: [T::ONE; BLOCK],
            bend: [[T::ONE; BLOCK]; B],
            mid: [[T::ZERO; BLOCK]; D],
            end: [[T::ZERO; BLOCK]; D],
            reached: [false; BLOCK],
            sure: [true; BLOCK],
        }
    }

    fn load(&mut self, input: &Input<'_, T, D, B>, first: usize, count: usize) {
        let limbs = first..first + count;
        for (lanes, slice) in self.target.iter_mut().zip(input.target) {
            lanes[..count].copy_from_slice(&slice[limbs.clone()]);
        }
        for (lanes, slice) in self.bend.iter_mut().zip(input.bend) {
            lanes[..count].copy_from_slice(&slice[limbs.clone()]);
        }
        self.r1[..count].copy_from_slice(&input.r1[limbs.clone()]);
        self.r2[..count].copy_from_slice(&input.r2[limbs]);
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
        output.reached[limbs].copy_from_slice(&self.reached[..count]);
        self.reached[..count]
            .iter()
            .map(|&reached| usize::from(reached))
            .sum()
    }

    /// The steps of [`TwoBone::solve`], lane by lane, for ordinary limbs.
    #[inline(always)]
    fn solve<V: Vector<Real = T>>(&mut self, policy: ReachPolicy) {
        for i in 0..BLOCK {
            let target = V::from_fn(|axis| self.target[axis][i]);
            let bend = V::bend_from_fn(|axis| self.bend[axis][i]);
            let reach = self.r1[i] + self.r2[i];

            let (scale, unit, target_unit) = units(target.largest(), reach, policy);
            let (r1, r2) = (self.r1[i] * unit, self.r2[i] * unit);
            let p = target * target_unit;
            let h = p.dot(p);
            let triangle = Triangle::apart(h, r1, r2, policy);
            let (across, ordinary) = V::quick_across(p, h, bend);

            let mid = (p * triangle.along + across * triangle.across) * scale;
            let end = p * triangle.extent * scale;
            let reached = Margins::new(h, r1, r2).reached();
            let meets = reached || policy == ReachPolicy::Stretch;
            // 0 if all numbers are finite, else NaN. A target that is not
            // makes a mid joint that is not.
            let mut zero = reach * T::ZERO;
            for axis in 0..D {
                let end = if meets {
                    target.component(axis)
                } else {
                    end.component(axis)
                };
                self.mid[axis][i] = mid.component(axis);
                self.end[axis][i] = end;
                zero = zero + mid.component(axis) * T::ZERO + end * T::ZERO;
            }
            for lanes in &self.bend {
                zero = zero + lanes[i] * T::ZERO;
            }
            let valid = (self.r1[i] > T::ZERO) & (self.r2[i] > T::ZERO) & (zero == T::ZERO);
            self.reached[i] = reached;
            self.sure[i] = ordinary & valid;
        }
    }

    /// Solves the limbs that are not sure; the first invalid one is an error.
    #[cold]
    fn solve_the_rest<V: Vector<Real = T>>(
        &mut self,
        count: usize,
        policy: ReachPolicy,
    ) -> Result<(), (usize, Error)> {
        for i in 0..count {
            if !self.sure[i] {
                self.solve_alone::<V>(i, policy)
                    .map_err(|error| (i, error))?;
            }
        }
        Ok(())
    }

    /// Solves one limb with all its special cases, or says what is wrong.
    fn solve_alone<V: Vector<Real = T>>(
        &mut self,
        i: usize,
        policy: ReachPolicy,
    ) -> Result<(), Error> {
        let target = V::from_fn(|axis| self.target[axis][i]);
        let limb = TwoBone::new(self.r1[i], self.r2[i])?.with_policy(policy);
        if !self.bend.iter().all(|lanes| lanes[i].is_finite()) {
            return Err(Error::NotFinite {
                argument: if D == 2 { "side" } else { "pole" },
            });
        }
        let bend = V::bend_from_fn(|axis| self.bend[axis][i]);
        let (mid, end, reached) = match limb.solve(V::default(), target, bend) {
            Ok(solved) => (solved.mid, solved.end, solved.reached),
            Err(Error::TooFar | Error::TooNear) => (V::default(), V::default(), false),
            Err(error) => return Err(error),
        };
        for axis in 0..D {
            self.mid[axis][i] = mid.component(axis);
            self.end[axis][i] = end.component(axis);
        }
        self.reached[i] = reached;
        Ok(())
    }
}
