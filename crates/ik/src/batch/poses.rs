//! Batches of rig limbs: joints and rotations.

use super::block::{BLOCK, Block, Padded, scales_if};
use super::slices::check_slices;
use super::{END_NAMES, MID_NAMES, POLE_NAMES, SpaceJoints, TARGET_NAMES};
use crate::numbers::{Float, Real, SpaceVector};
use crate::rotation::frame_rotation;
use crate::turn::Turn;
use crate::{BatchError, BindPose, Error, ReachPolicy};

/// Rig limbs as a structure of arrays. All slices have the same length.
#[derive(Clone, Copy, Debug)]
pub struct PoseLimbs<'a, V: SpaceVector> {
    /// Bind poses, which supply the lengths and the soft reach. Their reach policies are
    /// ignored.
    pub poses: &'a [BindPose<V>],
    /// Target minus start, x, y and z.
    pub target: [&'a [V::Real]; 3],
    /// Directions the limbs bend to, of any length: x, y and z.
    pub pole: [&'a [V::Real]; 3],
}

/// Output slices for rotations, as unit quaternions x, y, z and w. All slices are as long
/// as the limbs'.
#[derive(Debug)]
pub struct Rotations<'a, T> {
    /// Rotations of the whole limb:
    /// [`Posed::start_rotation`](crate::Posed::start_rotation).
    pub start: [&'a mut [T]; 4],
    /// Hinge rotations: [`Posed::mid_rotation`](crate::Posed::mid_rotation).
    pub mid: [&'a mut [T]; 4],
}

/// Solves limbs in space and computes the rotations from their bind poses, as
/// [`BindPose::solve`] does without twist. Returns the number of limbs that meet their
/// targets. A limb left unsolved under [`ReachPolicy::Fail`] gets the identity rotation,
/// (0, 0, 0, 1).
///
/// # Errors
/// Same as [`solve_space`](super::solve_space).
pub fn solve_poses<V: SpaceVector>(
    limbs: &PoseLimbs<'_, V>,
    policy: ReachPolicy,
    joints: &mut SpaceJoints<'_, V::Real>,
    rotations: &mut Rotations<'_, V::Real>,
) -> Result<usize, BatchError> {
    let count = limbs.poses.len();
    check_slices(TARGET_NAMES, limbs.target, count)?;
    check_slices(POLE_NAMES, limbs.pole, count)?;
    let mut output = joints.output();
    output.check(count, MID_NAMES, END_NAMES)?;
    check_slices(
        ["start"; 4],
        rotations.start.iter().map(|slice| &**slice),
        count,
    )?;
    check_slices(
        ["mid"; 4],
        rotations.mid.iter().map(|slice| &**slice),
        count,
    )?;
    let mut block = PoseBlock::<V>::new();
    let mut met = 0;
    for first in (0..count).step_by(BLOCK) {
        let lanes = BLOCK.min(count - first);
        block.load(limbs, first, lanes);
        block
            .solve(&limbs.poses[first..first + lanes], policy)
            .map_err(|(lane, error)| BatchError::Limb {
                index: first + lane,
                error,
            })?;
        met += block.joints.store(&mut output, first, lanes);
        block.store(rotations, first, lanes);
    }
    Ok(met)
}

/// One block of limbs, the inputs of their rotations, and the rotations.
struct PoseBlock<V: SpaceVector> {
    limbs: Padded<V::Real, 3, 3>,
    joints: Block<V::Real, 3>,
    normal: [[V::Real; BLOCK]; 3],
    from_bind_pose: [[V::Real; BLOCK]; 4],
    /// Cosine and sine of the bend in the bind pose.
    bind_bend: [[V::Real; BLOCK]; 2],
    start: [[V::Real; BLOCK]; 4],
    mid: [[V::Real; BLOCK]; 4],
}

impl<V: SpaceVector> PoseBlock<V> {
    fn new() -> Self {
        let (zeros, ones) = ([V::Real::ZERO; BLOCK], [V::Real::ONE; BLOCK]);
        Self {
            limbs: Padded {
                target: [ones; 3],
                r1: ones,
                r2: ones,
                bend: [ones; 3],
                soft_from: None,
            },
            joints: Block::new(),
            normal: [zeros; 3],
            from_bind_pose: [zeros; 4],
            bind_bend: [zeros; 2],
            start: [zeros; 4],
            mid: [zeros; 4],
        }
    }

    fn load(&mut self, limbs: &PoseLimbs<'_, V>, first: usize, count: usize) {
        let range = first..first + count;
        for axis in 0..3 {
            self.limbs.target[axis][..count].copy_from_slice(&limbs.target[axis][range.clone()]);
            self.limbs.bend[axis][..count].copy_from_slice(&limbs.pole[axis][range.clone()]);
        }
        let poses = &limbs.poses[range];
        let soft = |pose: &BindPose<V>| pose.limb().soft_from();
        self.limbs.soft_from = poses.iter().any(|pose| soft(pose).is_some()).then(|| {
            let mut from = [V::Real::INFINITY; BLOCK];
            for (from, pose) in from.iter_mut().zip(poses) {
                *from = soft(pose).unwrap_or(V::Real::INFINITY);
            }
            from
        });
        for (i, pose) in poses.iter().enumerate() {
            (self.limbs.r1[i], self.limbs.r2[i]) = pose.limb().lengths();
            let (normal, from_bind_pose, bend) = pose.rotation_inputs();
            for (lanes, value) in self.normal.iter_mut().zip(normal.components()) {
                lanes[i] = value;
            }
            for (lanes, value) in self.from_bind_pose.iter_mut().zip(V::parts(from_bind_pose)) {
                lanes[i] = value;
            }
            (self.bind_bend[0][i], self.bind_bend[1][i]) = (bend.cos(), bend.sin());
        }
    }

    fn solve(&mut self, poses: &[BindPose<V>], policy: ReachPolicy) -> Result<(), (usize, Error)> {
        let lanes = self.limbs.lanes();
        let plain = self.joints.solve::<V, 3>(&lanes, policy);
        self.joints.compute_bend::<V, 3>(&lanes, policy, plain);
        if plain {
            self.rotate::<true>(policy);
        } else {
            self.rotate::<false>(policy);
        }
        if self.joints.special_count() > 0 {
            self.solve_special(poses, policy)?;
        }
        Ok(())
    }

    /// Computes the rotations of the limbs marked `is_solved`. If the limbs are `PLAIN`, no
    /// vector needs scaling before it is normalised.
    ///
    /// Two loops instead of one, because the compiler only vectorises short bodies.
    fn rotate<const PLAIN: bool>(&mut self, policy: ReachPolicy) {
        for i in 0..BLOCK {
            self.rotate_start::<PLAIN>(i, policy);
        }
        for i in 0..BLOCK {
            self.rotate_mid(i);
        }
        if policy == ReachPolicy::Fail {
            self.reset_unsolved();
        }
    }

    #[inline(always)]
    fn rotate_start<const PLAIN: bool>(&mut self, i: usize, policy: ReachPolicy) {
        let one = V::Real::ONE;
        let target = V::from_fn(|axis| self.limbs.target[axis][i]);
        let pole = V::from_fn(|axis| self.limbs.bend[axis][i]);
        let mid = V::from_fn(|axis| self.joints.mid[axis][i]);

        let reach = self.limbs.r1[i] + self.limbs.r2[i];
        let (_, _, target_unit) =
            scales_if::<V::Real, PLAIN>(target.max_abs_component(), reach, policy);
        // p × pole is normal to the plane the limb bends in.
        let normal = (target * target_unit).cross(pole);
        let normal = normal * (one / normal.dot(normal).sqrt());
        let first = if PLAIN {
            mid * (one / mid.dot(mid).sqrt())
        } else {
            mid.unit_or(V::X)
        };
        let [x, y, z, w] = frame_rotation(first, normal);
        let [bx, by, bz, bw] = &self.from_bind_pose;
        let [x, y, z, w] = multiply([x, y, z, w], [bx[i], by[i], bz[i], bw[i]]);
        self.start[0][i] = x;
        self.start[1][i] = y;
        self.start[2][i] = z;
        self.start[3][i] = w;
    }

    /// Computes the hinge rotation from the bend in the bind pose to that of the
    /// solution.
    #[inline(always)]
    fn rotate_mid(&mut self, i: usize) {
        let bind = Turn::from_unit(self.bind_bend[0][i], self.bind_bend[1][i]);
        let bend = Turn::from_unit(self.joints.bend[0][i], self.joints.bend[1][i]);
        let hinge = bind.plus(bend.reversed()).half();
        self.mid[0][i] = self.normal[0][i] * hinge.sin();
        self.mid[1][i] = self.normal[1][i] * hinge.sin();
        self.mid[2][i] = self.normal[2][i] * hinge.sin();
        self.mid[3][i] = hinge.cos();
    }

    fn reset_unsolved(&mut self) {
        for i in (0..BLOCK).filter(|&i| !self.joints.reached[i]) {
            for (k, part) in identity().into_iter().enumerate() {
                self.start[k][i] = part;
                self.mid[k][i] = part;
            }
        }
    }

    /// Solves the limbs not marked `is_solved` one by one; the first invalid limb is an error.
    #[cold]
    fn solve_special(
        &mut self,
        poses: &[BindPose<V>],
        policy: ReachPolicy,
    ) -> Result<(), (usize, Error)> {
        for (i, pose) in poses.iter().enumerate() {
            if !self.joints.is_solved[i] {
                self.solve_single(i, pose.with_policy(policy))
                    .map_err(|error| (i, error))?;
            }
        }
        Ok(())
    }

    fn solve_single(&mut self, i: usize, pose: BindPose<V>) -> Result<(), Error> {
        let target = V::from_fn(|axis| self.limbs.target[axis][i]);
        let pole = V::from_fn(|axis| self.limbs.bend[axis][i]);
        let (start, mid) = match pose.solve(V::default(), target, pole, Turn::NONE) {
            Ok(posed) => {
                self.joints.store_solution(i, &posed.solution);
                (V::parts(posed.start_rotation), V::parts(posed.mid_rotation))
            }
            Err(Error::TooFar | Error::TooNear) => {
                self.joints.store_unsolved::<V>(i);
                (identity(), identity())
            }
            Err(error) => return Err(error),
        };
        for k in 0..4 {
            self.start[k][i] = start[k];
            self.mid[k][i] = mid[k];
        }
        Ok(())
    }

    fn store(&self, rotations: &mut Rotations<'_, V::Real>, first: usize, count: usize) {
        let limbs = first..first + count;
        for (slice, lanes) in rotations.start.iter_mut().zip(&self.start) {
            slice[limbs.clone()].copy_from_slice(&lanes[..count]);
        }
        for (slice, lanes) in rotations.mid.iter_mut().zip(&self.mid) {
            slice[limbs.clone()].copy_from_slice(&lanes[..count]);
        }
    }
}

/// Identity quaternion.
#[inline(always)]
fn identity<T: Real>() -> [T; 4] {
    [T::ZERO, T::ZERO, T::ZERO, T::ONE]
}

/// Product of two quaternions: rotates by b, then by a.
#[inline(always)]
fn multiply<T: Real>(a: [T; 4], b: [T; 4]) -> [T; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}
