//! Batches of rig limbs: joints and rotations.

use super::SpaceJoints;
use super::block::{BLOCK, Block, Padded, units_if};
use super::slices::{Output, bend_slices, check_slice};
use crate::numbers::SpaceVector;
use crate::numbers::{Float, Real};
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
    /// [`Posed::start_rotation`](crate::ik::Posed::start_rotation).
    pub start: [&'a mut [T]; 4],
    /// Hinge rotations: [`Posed::mid_rotation`](crate::ik::Posed::mid_rotation).
    pub mid: [&'a mut [T]; 4],
}

/// Solves limbs in space and computes the rotations from their bind poses, as
/// [`BindPose::solve`] does without twist. Returns the number of limbs that meet their
/// targets. A limb left unsolved under [`ReachPolicy::None`] gets the identity rotation,
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
    check(limbs, joints, rotations)?;
    let mut output = Output {
        mid: joints.mid.each_mut().map(|slice| &mut **slice),
        end: joints.end.each_mut().map(|slice| &mut **slice),
        reached: joints.reached,
        bend: bend_slices(&mut joints.bend),
    };
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

fn check<V: SpaceVector>(
    limbs: &PoseLimbs<'_, V>,
    joints: &SpaceJoints<'_, V::Real>,
    rotations: &Rotations<'_, V::Real>,
) -> Result<(), BatchError> {
    let count = limbs.poses.len();
    for (name, slice) in ["target[0]", "target[1]", "target[2]"]
        .into_iter()
        .zip(limbs.target)
    {
        check_slice(name, slice.len(), count)?;
    }
    for (name, slice) in ["pole[0]", "pole[1]", "pole[2]"]
        .into_iter()
        .zip(limbs.pole)
    {
        check_slice(name, slice.len(), count)?;
    }
    for (name, slice) in ["mid[0]", "mid[1]", "mid[2]"].into_iter().zip(&joints.mid) {
        check_slice(name, slice.len(), count)?;
    }
    for (name, slice) in ["end[0]", "end[1]", "end[2]"].into_iter().zip(&joints.end) {
        check_slice(name, slice.len(), count)?;
    }
    check_slice("reached", joints.reached.len(), count)?;
    for slice in joints.bend.iter().flatten() {
        check_slice("bend", slice.len(), count)?;
    }
    for slice in &rotations.start {
        check_slice("start", slice.len(), count)?;
    }
    for slice in &rotations.mid {
        check_slice("mid", slice.len(), count)?;
    }
    Ok(())
}

/// One block of limbs, the inputs of their rotations, and the rotations.
struct PoseBlock<V: SpaceVector> {
    limbs: Padded<V::Real, 3, 3>,
    joints: Block<V::Real, 3>,
    normal: [[V::Real; BLOCK]; 3],
    from_bind: [[V::Real; BLOCK]; 4],
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
            from_bind: [zeros; 4],
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
            let (normal, from_bind, bend) = pose.parts();
            for (lanes, value) in self.normal.iter_mut().zip(normal.components()) {
                lanes[i] = value;
            }
            for (lanes, value) in self.from_bind.iter_mut().zip(V::parts(from_bind)) {
                lanes[i] = value;
            }
            (self.bind_bend[0][i], self.bind_bend[1][i]) = (bend.cos(), bend.sin());
        }
    }

    fn solve(&mut self, poses: &[BindPose<V>], policy: ReachPolicy) -> Result<(), (usize, Error)> {
        let lanes = self.limbs.lanes();
        let plain = self.joints.solve::<V, 3>(&lanes, policy);
        self.joints.find_bend::<V, 3>(&lanes, policy, plain);
        if plain {
            self.rotate::<true>(policy);
        } else {
            self.rotate::<false>(policy);
        }
        if self.joints.special() > 0 {
            self.solve_the_rest(poses, policy)?;
        }
        Ok(())
    }

    /// Computes the rotations of the limbs marked `sure`. If the limbs are `PLAIN`, no
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
        if policy == ReachPolicy::None {
            self.leave_unsolved();
        }
    }

    #[inline(always)]
    fn rotate_start<const PLAIN: bool>(&mut self, i: usize, policy: ReachPolicy) {
        let one = V::Real::ONE;
        let target = V::from_fn(|axis| self.limbs.target[axis][i]);
        let pole = V::from_fn(|axis| self.limbs.bend[axis][i]);
        let mid = V::from_fn(|axis| self.joints.mid[axis][i]);

        let reach = self.limbs.r1[i] + self.limbs.r2[i];
        let (_, _, target_unit) = units_if::<V::Real, PLAIN>(target.largest(), reach, policy);
        // p × pole is normal to the plane the limb bends in.
        let normal = (target * target_unit).cross(pole);
        let normal = normal * (one / normal.dot(normal).sqrt());
        let first = if PLAIN {
            mid * (one / mid.dot(mid).sqrt())
        } else {
            mid.unit_or(V::X)
        };
        let [x, y, z, w] = frame_rotation(first, normal);
        let [bx, by, bz, bw] = &self.from_bind;
        let [x, y, z, w] = multiplied([x, y, z, w], [bx[i], by[i], bz[i], bw[i]]);
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

    fn leave_unsolved(&mut self) {
        for i in (0..BLOCK).filter(|&i| !self.joints.reached[i]) {
            for (k, part) in no_rotation().into_iter().enumerate() {
                self.start[k][i] = part;
                self.mid[k][i] = part;
            }
        }
    }

    /// Solves the limbs not marked `sure` one by one; the first invalid limb is an error.
    #[cold]
    fn solve_the_rest(
        &mut self,
        poses: &[BindPose<V>],
        policy: ReachPolicy,
    ) -> Result<(), (usize, Error)> {
        for (i, pose) in poses.iter().enumerate() {
            if !self.joints.sure[i] {
                self.solve_alone(i, pose.with_policy(policy))
                    .map_err(|error| (i, error))?;
            }
        }
        Ok(())
    }

    fn solve_alone(&mut self, i: usize, pose: BindPose<V>) -> Result<(), Error> {
        let target = V::from_fn(|axis| self.limbs.target[axis][i]);
        let pole = V::from_fn(|axis| self.limbs.bend[axis][i]);
        let (start, mid) = match pose.solve(V::default(), target, pole, Turn::NONE) {
            Ok(posed) => {
                self.joints.put(i, &posed.solution);
                (V::parts(posed.start_rotation), V::parts(posed.mid_rotation))
            }
            Err(Error::TooFar | Error::TooNear) => {
                self.joints.put_unsolved::<V>(i);
                (no_rotation(), no_rotation())
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
fn no_rotation<T: Real>() -> [T; 4] {
    [T::ZERO, T::ZERO, T::ZERO, T::ONE]
}

/// Product of two quaternions: rotates by b, then by a.
#[inline(always)]
fn multiplied<T: Real>(a: [T; 4], b: [T; 4]) -> [T; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}
