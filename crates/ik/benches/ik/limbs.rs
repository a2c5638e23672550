//! Inputs shared by all solvers, and buffers for their outputs.

use glam::{Quat, Vec3};
use tarsus_ik::{BindPose, Side, TwoBone};

use crate::uniform::Uniform;

/// Limbs per run: enough to even out the timer's resolution, few enough for the L2 cache.
pub(crate) const COUNT: usize = 10_000;

/// Random limbs. Targets range from just outside the hole to just inside the reach, poles
/// point in all directions.
pub(crate) struct Limbs {
    pub(crate) target: [Vec<f32>; 3],
    pub(crate) r1: Vec<f32>,
    pub(crate) r2: Vec<f32>,
    pub(crate) side: Vec<Side>,
    pub(crate) pole: [Vec<f32>; 3],
    pub(crate) rigid: Vec<TwoBone<f32>>,
    /// The limbs with soft reach, in which about a quarter of the targets are.
    pub(crate) soft: Vec<TwoBone<f32>>,
    /// The limbs bent at a right angle, with the first bone along +x.
    pub(crate) poses: Vec<BindPose<Vec3>>,
}

/// Joints as a structure of arrays.
pub(crate) struct Joints {
    pub(crate) mid: [Vec<f32>; 3],
    pub(crate) end: [Vec<f32>; 3],
    pub(crate) reached: Vec<bool>,
    pub(crate) rotations: Vec<[Quat; 2]>,
    pub(crate) start_rotation: [Vec<f32>; 4],
    pub(crate) mid_rotation: [Vec<f32>; 4],
}

impl Limbs {
    /// Draws random limbs. `flat` keeps the targets in the plane z = 0.
    pub(crate) fn new(flat: bool) -> Self {
        let mut uniform = Uniform(2);
        let mut limbs = Self {
            target: Default::default(),
            r1: Vec::new(),
            r2: Vec::new(),
            side: Vec::new(),
            pole: Default::default(),
            rigid: Vec::new(),
            soft: Vec::new(),
            poses: Vec::new(),
        };
        for _ in 0..COUNT {
            let (r1, r2) = (0.5 + uniform.next(), 0.5 + uniform.next());
            let (hole, reach) = ((r1 - r2).abs(), r1 + r2);
            let distance = hole + (reach - hole) * (0.05 + 0.9 * uniform.next());
            let mut direction = uniform.direction();
            if flat {
                direction.z = 0.0;
                direction = direction.normalize_or(Vec3::X);
            }
            let (target, pole) = (direction * distance, uniform.direction());
            for axis in 0..3 {
                limbs.target[axis].push(target[axis]);
                limbs.pole[axis].push(pole[axis]);
            }
            limbs.r1.push(r1);
            limbs.r2.push(r2);
            limbs.side.push(Side::Left);
            let limb = TwoBone::new(r1, r2).expect("valid");
            let soft = hole + 0.725 * (reach - hole);
            limbs.rigid.push(limb);
            limbs.soft.push(limb.with_soft_reach(soft).expect("valid"));
            let (mid, end) = (Vec3::new(r1, 0.0, 0.0), Vec3::new(r1, r2, 0.0));
            limbs.poses.push(BindPose::new(Vec3::ZERO, mid, end, Vec3::NEG_Y).expect("valid"));
        }
        limbs
    }

    pub(crate) fn target(&self, i: usize) -> Vec3 {
        Vec3::new(self.target[0][i], self.target[1][i], self.target[2][i])
    }

    pub(crate) fn pole(&self, i: usize) -> Vec3 {
        Vec3::new(self.pole[0][i], self.pole[1][i], self.pole[2][i])
    }
}

impl Joints {
    pub(crate) fn new() -> Self {
        let zeros = || [(); 3].map(|()| vec![0.0; COUNT]);
        Self {
            mid: zeros(),
            end: zeros(),
            reached: vec![false; COUNT],
            rotations: vec![[Quat::IDENTITY; 2]; COUNT],
            start_rotation: [(); 4].map(|()| vec![0.0; COUNT]),
            mid_rotation: [(); 4].map(|()| vec![0.0; COUNT]),
        }
    }

    pub(crate) fn put(&mut self, i: usize, mid: Vec3, end: Vec3) {
        for axis in 0..3 {
            self.mid[axis][i] = mid[axis];
            self.end[axis][i] = end[axis];
        }
    }
}
