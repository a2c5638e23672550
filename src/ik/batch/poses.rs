//! Many limbs of rigs at once: joints and rotations.

use super::{BLOCK, Block, Input, Output, SpaceJoints, check_slice, units};
use crate::ik::real::{Float, Real};
use crate::ik::rotation::frame_rotation;
use crate::ik::triangle::Margins;
use crate::ik::turn::Turn;
use crate::ik::vector::SpaceVector;
use crate::ik::{BatchError, BindPose, Error, ReachPolicy};

/// Limbs of rigs. All slices have one length.
#[derive(Clone, Copy, Debug)]
pub struct PoseLimbs<'a, V: SpaceVector> {
    /// Bind poses, which have the lengths. Their own reach policy and soft
    /// reach do not count.
    pub poses: &'a [BindPose<V>],
    /// Target minus start, x, y and z.
    pub target: [&'a [V::Real]; 3],
    /// Directions the limbs bend to, any length, x, y and z.
    pub pole: [&'a [V::Real]; 3],
}

/// Where the rotations of limbs go, as unit quaternions x, y, z and w. All
/// slices are as long as the limbs'.
#[derive(Debug)]
pub struct Rotations<'a, T> {
    /// [`Posed::start_rotation`](crate::ik::Posed::start_rotation)
    pub start: [&'a mut [T]; 4],
    /// [`Posed::mid_rotation`](crate::ik::Posed::mid_rotation)
    pub mid: [&'a mut [T]; 4],
}

/// Solves limbs in space and finds the rotations that carry their bind poses
/// there, as [`BindPose::solve`] does without twist; returns how many limbs
/// meet their targets. A limb left unsolved under [`ReachPolicy::None`] gets no
/// rotation, (0, 0, 0, 1).
///
/// # Errors
/// Those of [`solve_space`](super::solve_space).
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
    };
    let mut block = PoseBlock::<V>::new();
    let mut met = 0;
    for first in (0..count).step_by(BLOCK) {
        let lanes = BLOCK.min(count - first);
        block.load(limbs, first, lanes);
        // One copy of the loops per policy: none of them asks for it inside.
        match policy {
            ReachPolicy::Stretch => block.solve(ReachPolicy::Stretch),
            ReachPolicy::Clamp => block.solve(ReachPolicy::Clamp),
            ReachPolicy::None => block.solve(ReachPolicy::None),
        }
        if block.limbs.sure != [true; BLOCK] {
            let poses = &limbs.poses[first..first + lanes];
            block
                .solve_the_rest(poses, policy)
                .map_err(|(lane, error)| BatchError::Limb {
                    index: first + lane,
                    error,
                })?;
        }
        met += block.limbs.store(&mut output, first, lanes);
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
    for slice in &rotations.start {
        check_slice("start", slice.len(), count)?;
    }
    for slice in &rotations.mid {
        check_slice("mid", slice.len(), count)?;
    }
    Ok(())
}

/// A block of limbs with what the rotations start from, and the rotations.
struct PoseBlock<V: SpaceVector> {
    limbs: Block<V::Real, 3, 3>,
    normal: [[V::Real; BLOCK]; 3],
    from_bind: [[V::Real; BLOCK]; 4],
    bend_cos: [V::Real; BLOCK],
    bend_sin: [V::Real; BLOCK],
    start: [[V::Real; BLOCK]; 4],
    mid: [[V::Real; BLOCK]; 4],
}

impl<V: SpaceVector> PoseBlock<V> {
    fn new() -> Self {
        let zero = V::Real::ZERO;
        Self {
            limbs: Block::new(),
            normal: [[zero; BLOCK]; 3],
            from_bind: [[zero; BLOCK]; 4],
            bend_cos: [zero; BLOCK],
            bend_sin: [zero; BLOCK],
            start: [[zero; BLOCK]; 4],
            mid: [[zero; BLOCK]; 4],
        }
    }

    fn load(&mut self, limbs: &PoseLimbs<'_, V>, first: usize, count: usize) {
        let poses = &limbs.poses[first..first + count];
        let (mut r1, mut r2) = ([V::Real::ONE; BLOCK], [V::Real::ONE; BLOCK]);
        for (i, pose) in poses.iter().enumerate() {
            (r1[i], r2[i]) = pose.limb().lengths();
            let (normal, from_bind, bend) = pose.parts();
            for (lanes, value) in self.normal.iter_mut().zip(normal.components()) {
                lanes[i] = value;
            }
            for (lanes, value) in self.from_bind.iter_mut().zip(V::parts(from_bind)) {
                lanes[i] = value;
            }
            (self.bend_cos[i], self.bend_sin[i]) = (bend.cos(), bend.sin());
        }
        let part = |slice: &'_ [V::Real]| -> [V::Real; BLOCK] {
            let mut lanes = [V::Real::ONE; BLOCK];
            lanes[..count].copy_from_slice(&slice[first..first + count]);
            lanes
        };
        let (target, pole) = (limbs.target.map(part), limbs.pole.map(part));
        let input = Input {
            target: target.each_ref().map(<[V::Real; BLOCK]>::as_slice),
            r1: &r1,
            r2: &r2,
            bend: pole.each_ref().map(<[V::Real; BLOCK]>::as_slice),
        };
        self.limbs.load(&input, 0, count);
    }

    #[inline(always)]
    fn solve(&mut self, policy: ReachPolicy) {
        self.limbs.solve::<V>(policy);
        for i in 0..BLOCK {
            let target = V::from_fn(|axis| self.limbs.target[axis][i]);
            let pole = V::from_fn(|axis| self.limbs.bend[axis][i]);
            let mid = V::from_fn(|axis| self.limbs.mid[axis][i]);

            let (r1, r2) = (self.limbs.r1[i], self.limbs.r2[i]);
            let (_, unit, target_unit) = units(target.largest(), r1 + r2, policy);
            let p = target * target_unit;
            let bend = Margins::new(p.dot(p), r1 * unit, r2 * unit).bend();

            // p × pole is normal to the plane the limb bends in; where its
            // square is out of range the limb is not sure.
            let normal = p.cross(pole);
            let normal = normal * (V::Real::ONE / normal.dot(normal).sqrt());
            let start = frame_rotation(mid.unit_or(V::X), normal);
            let from_bind: [V::Real; 4] = core::array::from_fn(|k| self.from_bind[k][i]);
            let start = multiplied(start, from_bind);

            let bind = Turn::from_unit(self.bend_cos[i], self.bend_sin[i]);
            let hinge = bind.plus(bend.reversed()).half();

            let axis = |k: usize| self.normal[k][i] * hinge.sin();
            let mid = [axis(0), axis(1), axis(2), hinge.cos()];

            let solved = policy != ReachPolicy::None || self.limbs.reached[i];
            let none = no_rotation();
            for k in 0..4 {
                self.start[k][i] = if solved { start[k] } else { none[k] };
                self.mid[k][i] = if solved { mid[k] } else { none[k] };
            }
        }
    }

    /// Solves the limbs that are not sure; the first invalid one is an error.
    #[cold]
    fn solve_the_rest(
        &mut self,
        poses: &[BindPose<V>],
        policy: ReachPolicy,
    ) -> Result<(), (usize, Error)> {
        for (i, pose) in poses.iter().enumerate() {
            if self.limbs.sure[i] {
                continue;
            }
            self.limbs
                .solve_alone::<V>(i, policy)
                .map_err(|error| (i, error))?;
            let target = V::from_fn(|axis| self.limbs.target[axis][i]);
            let pole = V::from_fn(|axis| self.limbs.bend[axis][i]);
            let posed =
                pose.with_policy(policy)
                    .rigid()
                    .solve(V::default(), target, pole, Turn::NONE);
            let none = no_rotation();
            let (start, mid) = match posed {
                Ok(posed) => (V::parts(posed.start_rotation), V::parts(posed.mid_rotation)),
                Err(Error::TooFar | Error::TooNear) => (none, none),
                Err(error) => return Err((i, error)),
            };
            for k in 0..4 {
                self.start[k][i] = start[k];
                self.mid[k][i] = mid[k];
            }
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

/// The quaternion of no rotation.
#[inline(always)]
fn no_rotation<T: Real>() -> [T; 4] {
    [T::ZERO, T::ZERO, T::ZERO, T::ONE]
}

/// The product of two quaternions: the rotation b, then the rotation a.
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
