//! Batches of rig limbs: joints and rotations.

use super::block::{Aims, BLOCK, Block};
use super::columns::{Column, ColumnMut};
use super::{Batch, Joints, check_length};
use crate::numbers::{Float, Real, SpaceVector};
use crate::pose::{fade_square, frame_rotation};
use crate::turn::Turn;
use crate::{BatchError, BindPose, Goal, Pole};

/// Output columns for rotations, as unit quaternions x, y, z and w.
#[derive(Debug)]
pub struct Rotations<S, M> {
    /// Rotations of the whole limb,
    /// [`Posed::start_rotation`](crate::Posed::start_rotation): a [`ColumnMut`].
    pub start: S,
    /// Hinge rotations, [`Posed::mid_rotation`](crate::Posed::mid_rotation): a
    /// [`ColumnMut`].
    pub mid: M,
}

impl<L, P, B> Batch<L, P, B> {
    /// Solves limbs in space and computes the rotations from their bind poses, as
    /// [`BindPose::solve`] does with the bend as pole. Returns the number of limbs that meet
    /// their targets. A limb left unsolved under
    /// [`ReachPolicy::Fail`](crate::ReachPolicy::Fail) gets the identity rotation, (0, 0,
    /// 0, 1).
    ///
    /// # Errors
    /// Same as [`Batch::solve_space`].
    pub fn solve_poses<V: SpaceVector, M, E, S, H>(
        &self,
        mut joints: Joints<'_, V::Real, M, E>,
        mut rotations: Rotations<S, H>,
    ) -> Result<usize, BatchError>
    where
        L: AsRef<[BindPose<V>]>,
        P: Column<V::Real, 3>,
        B: Column<V::Real, 3>,
        M: ColumnMut<V::Real, 3>,
        E: ColumnMut<V::Real, 3>,
        S: ColumnMut<V::Real, 4>,
        H: ColumnMut<V::Real, 4>,
    {
        let all = self.limbs.as_ref();
        let limbs = all.len();
        check_length("target", self.target.count(limbs), limbs)?;
        check_length("bend", self.bend.count(limbs), limbs)?;
        joints.check(limbs)?;
        check_length("start", rotations.start.count(limbs), limbs)?;
        check_length("mid", rotations.mid.count(limbs), limbs)?;
        let mut block = PoseBlock::<V>::new();
        let mut copies = [[[V::Real::ONE; BLOCK]; 3]; 2];
        let mut met = 0;
        for first in (0..limbs).step_by(BLOCK) {
            let count = BLOCK.min(limbs - first);
            let poses = &all[first..first + count];
            block.load(poses);
            let [targets, bends] = &mut copies;
            let aims = Aims {
                target: self.target.lanes(first, count, targets),
                bend: self.bend.lanes(first, count, bends),
            };
            block.solve(&aims, poses, first)?;
            met += block.joints.store(&mut joints, first, count);
            rotations.start.store(first, count, &block.start);
            rotations.mid.store(first, count, &block.mid);
        }
        Ok(met)
    }
}

/// One block of limbs, the inputs of their rotations, and the rotations.
struct PoseBlock<V: SpaceVector> {
    joints: Block<V::Real, 3>,
    normal: [[V::Real; BLOCK]; 3],
    from_bind_pose: [[V::Real; BLOCK]; 4],
    is_tilted: [bool; BLOCK],
    /// Cosine and sine of the bend in the bind pose.
    bind_bend: [[V::Real; BLOCK]; 2],
    start: [[V::Real; BLOCK]; 4],
    mid: [[V::Real; BLOCK]; 4],
}

impl<V: SpaceVector> PoseBlock<V> {
    fn new() -> Self {
        let zeros = [V::Real::ZERO; BLOCK];
        Self {
            joints: Block::new(),
            normal: [zeros; 3],
            from_bind_pose: [zeros; 4],
            is_tilted: [false; BLOCK],
            bind_bend: [zeros; 2],
            start: [zeros; 4],
            mid: [zeros; 4],
        }
    }

    fn load(&mut self, poses: &[BindPose<V>]) {
        self.joints.load_limbs(poses.iter().map(BindPose::limb));
        for (i, pose) in poses.iter().enumerate() {
            self.is_tilted[i] = pose.rotation_inputs().is_none();
            let Some((normal, from_bind_pose, bend)) = pose.rotation_inputs() else {
                continue;
            };
            for (lanes, value) in self.normal.iter_mut().zip(normal.components()) {
                lanes[i] = value;
            }
            for (lanes, value) in self.from_bind_pose.iter_mut().zip(V::parts(from_bind_pose)) {
                lanes[i] = value;
            }
            (self.bind_bend[0][i], self.bind_bend[1][i]) = (bend.cos(), bend.sin());
        }
    }

    fn solve(
        &mut self,
        aims: &Aims<'_, V::Real, 3, 3>,
        poses: &[BindPose<V>],
        first: usize,
    ) -> Result<(), BatchError> {
        self.joints.solve::<V, 3>(aims, true);
        self.rotate(aims);
        if self.joints.special_count() > 0 {
            let (start, mid) = (&mut self.start, &mut self.mid);
            self.joints.solve_special::<V, 3>(aims, first, poses.len(), |i, target, pole| {
                let posed = poses[i]
                    .solve(&Goal::new(V::default(), target).with_pole(Pole::Direction(pole)));
                let (s, m) = posed.map_or((V::identity(), V::identity()), |posed| {
                    (posed.start_rotation, posed.mid_rotation)
                });
                let (s, m) = (V::parts(s), V::parts(m));
                for k in 0..4 {
                    (start[k][i], mid[k][i]) = (s[k], m[k]);
                }
                posed.map(|posed| posed.solution)
            })?;
        }
        Ok(())
    }

    /// Computes the rotations of the limbs marked `is_solved`.
    ///
    /// Two loops instead of one, because the compiler only vectorises short bodies.
    fn rotate(&mut self, aims: &Aims<'_, V::Real, 3, 3>) {
        for i in 0..BLOCK {
            self.rotate_start(aims, i);
        }
        for i in 0..BLOCK {
            self.rotate_mid(i);
        }
        for i in (0..BLOCK).filter(|&i| self.joints.is_unsolved(i)) {
            for (k, part) in V::parts(V::identity()).into_iter().enumerate() {
                self.start[k][i] = part;
                self.mid[k][i] = part;
            }
        }
    }

    #[inline(always)]
    fn rotate_start(&mut self, aims: &Aims<'_, V::Real, 3, 3>, i: usize) {
        let one = V::Real::ONE;
        let target = V::from_fn(|axis| aims.target[axis][i]);
        let pole = V::from_fn(|axis| aims.bend[axis][i]);
        let mid = V::from_fn(|axis| self.joints.mid[axis][i]);

        // target × pole is normal to the plane the limb bends in.
        let normal = target.cross(pole);
        let squares = target.dot(target) * pole.dot(pole);
        let fades = normal.dot(normal) < fade_square::<V>() * squares;
        self.joints.is_solved[i] &= !(fades | self.is_tilted[i]);
        let normal = normal * (one / normal.dot(normal).sqrt());
        let first = mid * (one / mid.dot(mid).sqrt());
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
