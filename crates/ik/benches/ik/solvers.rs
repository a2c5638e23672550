//! The solvers under test, each as a function from all limbs to all joints.

use glam::{Quat, Vec2, Vec3};
use tarsus_ik::batch::{self, Batch, Rotations};
use tarsus_ik::{Goal, Pole, Side, TwoBone, forms};

use crate::iterative::fabrik_ten;
use crate::iterative::{ccd, fabrik};
use crate::law_of_cosines::law_of_cosines;
use crate::limbs::{COUNT, Joints, Limbs};
use crate::ozz::ozz;

/// A solver that fills in the joints of all limbs.
pub(crate) type Solver = fn(&Limbs, &mut Joints);

/// Applies a bare formula for the mid joint in the plane to slices, as the compiler
/// vectorises it.
#[inline(always)]
fn formula(limbs: &Limbs, joints: &mut Joints, solve: impl Fn([f32; 2], f32, f32) -> [f32; 2]) {
    let (x, y) = (&limbs.target[0][..COUNT], &limbs.target[1][..COUNT]);
    let (r1, r2) = (&limbs.r1[..COUNT], &limbs.r2[..COUNT]);
    let [mid_x, mid_y, _] = &mut joints.mid;
    let (mid_x, mid_y) = (&mut mid_x[..COUNT], &mut mid_y[..COUNT]);
    for i in 0..COUNT {
        let mid = solve([x[i], y[i]], r1[i], r2[i]);
        (mid_x[i], mid_y[i]) = (mid[0], mid[1]);
    }
}

pub(crate) fn article_first(limbs: &Limbs, joints: &mut Joints) {
    formula(limbs, joints, forms::article_first);
}

pub(crate) fn article_fast(limbs: &Limbs, joints: &mut Joints) {
    formula(limbs, joints, forms::article_fast);
}

pub(crate) fn factored(limbs: &Limbs, joints: &mut Joints) {
    formula(limbs, joints, forms::factored);
}

pub(crate) fn factored_scaled(limbs: &Limbs, joints: &mut Joints) {
    formula(limbs, joints, forms::factored_scaled);
}

pub(crate) fn cosines(limbs: &Limbs, joints: &mut Joints) {
    formula(limbs, joints, law_of_cosines);
}

pub(crate) fn plane_batch(limbs: &Limbs, joints: &mut Joints) {
    let [x, y, _] = &limbs.target;
    let [mid_x, mid_y, _] = &mut joints.mid;
    let [end_x, end_y, _] = &mut joints.end;
    Batch { limbs: &limbs.rigid[..], target: &[&x[..], &y[..]], bend: &limbs.side[..] }
        .solve_plane(batch::Joints {
            mid: &mut [&mut mid_x[..], &mut mid_y[..]],
            end: &mut [&mut end_x[..], &mut end_y[..]],
            reached: &mut joints.reached,
            bend: None,
        })
        .expect("valid");
}

pub(crate) fn plane_single(limbs: &Limbs, joints: &mut Joints) {
    for i in 0..COUNT {
        let limb = TwoBone::new(limbs.r1[i], limbs.r2[i]).expect("valid");
        let target = Vec2::new(limbs.target[0][i], limbs.target[1][i]);
        let solved = limb.solve(Vec2::ZERO, target, Side::Left).expect("valid");
        joints.put(i, solved.mid.extend(0.0), solved.end.extend(0.0));
        joints.reached[i] = solved.reached;
    }
}

pub(crate) fn space_batch(limbs: &Limbs, joints: &mut Joints) {
    batch_of(&limbs.rigid, limbs, joints);
}

pub(crate) fn soft_batch(limbs: &Limbs, joints: &mut Joints) {
    batch_of(&limbs.soft, limbs, joints);
}

fn batch_of(bones: &[TwoBone<f32>], limbs: &Limbs, joints: &mut Joints) {
    Batch { limbs: bones, target: &limbs.target, bend: &limbs.pole }
        .solve_space(batch::Joints {
            mid: &mut joints.mid,
            end: &mut joints.end,
            reached: &mut joints.reached,
            bend: None,
        })
        .expect("valid");
}

pub(crate) fn space_single(limbs: &Limbs, joints: &mut Joints) {
    for i in 0..COUNT {
        let limb = TwoBone::new(limbs.r1[i], limbs.r2[i]).expect("valid");
        let solved = limb.solve(Vec3::ZERO, limbs.target(i), limbs.pole(i)).expect("valid");
        joints.put(i, solved.mid, solved.end);
        joints.reached[i] = solved.reached;
    }
}

pub(crate) fn space_ccd(limbs: &Limbs, joints: &mut Joints) {
    for i in 0..COUNT {
        let [mid, end] = ccd(limbs.target(i), limbs.r1[i], limbs.r2[i], limbs.pole(i));
        joints.put(i, mid, end);
    }
}

pub(crate) fn space_fabrik(limbs: &Limbs, joints: &mut Joints) {
    for i in 0..COUNT {
        let [mid, end] = fabrik(limbs.target(i), limbs.r1[i], limbs.r2[i], limbs.pole(i));
        joints.put(i, mid, end);
    }
}

/// The crate's FABRIK, with ten iterations.
pub(crate) fn space_fabrik_ten(limbs: &Limbs, joints: &mut Joints) {
    for i in 0..COUNT {
        let [mid, end] = fabrik_ten(limbs.target(i), limbs.r1[i], limbs.r2[i], limbs.pole(i));
        joints.put(i, mid, end);
    }
}

/// ozz's joints and rotations.
pub(crate) fn ozz_rotations(limbs: &Limbs, joints: &mut Joints) {
    for i in 0..COUNT {
        let [(mid, start), (end, hinge)] =
            ozz(limbs.target(i), limbs.r1[i], limbs.r2[i], limbs.pole(i));
        joints.put(i, mid, end);
        joints.rotations[i] = [start, hinge];
    }
}

/// `rebirth-ik`'s closed-form solver, which measures the bones on a bind pose.
#[inline(always)]
fn rebirth_ik_one(limbs: &Limbs, i: usize) -> [rebirth_ik::Vec3; 2] {
    use rebirth_ik::Vec3 as Point;
    let point = |v: Vec3| Point::new(v.x, v.y, v.z);
    let mid = Point::new(limbs.r1[i], 0.0, 0.0);
    let tip = Point::new(limbs.r1[i], limbs.r2[i], 0.0);
    let (target, pole) = (point(limbs.target(i)), point(limbs.pole(i)));
    let (mid, end) = rebirth_ik::two_bone(Point::ZERO, mid, tip, target, Some(pole));
    [mid, end]
}

pub(crate) fn rebirth_ik(limbs: &Limbs, joints: &mut Joints) {
    for i in 0..COUNT {
        let [mid, end] = rebirth_ik_one(limbs, i).map(|p| Vec3::new(p.x, p.y, p.z));
        joints.put(i, mid, end);
    }
}

/// `rebirth-ik`'s joints and rotations.
pub(crate) fn rebirth_ik_rotations(limbs: &Limbs, joints: &mut Joints) {
    use rebirth_ik::Vec3 as Point;
    for i in 0..COUNT {
        let [mid, end] = rebirth_ik_one(limbs, i);
        let first = rebirth_ik::segment_rotation(Point::new(1.0, 0.0, 0.0), mid);
        let second = rebirth_ik::segment_rotation(Point::new(0.0, 1.0, 0.0), end - mid);
        joints.put(i, Vec3::new(mid.x, mid.y, mid.z), Vec3::new(end.x, end.y, end.z));
        let quat = |q: rebirth_ik::Quat| Quat::from_xyzw(q.x, q.y, q.z, q.w);
        joints.rotations[i] = [quat(first), quat(second)];
    }
}

/// Joints and rotations from bind poses built beforehand, as in a rig.
pub(crate) fn rotations(limbs: &Limbs, joints: &mut Joints) {
    for (i, pose) in limbs.poses.iter().enumerate() {
        let posed = pose
            .solve(
                &Goal::new(Vec3::ZERO, limbs.target(i)).with_pole(Pole::Direction(limbs.pole(i))),
            )
            .expect("valid");
        joints.put(i, posed.solution.mid, posed.solution.end);
        joints.reached[i] = posed.solution.reached;
        joints.rotations[i] = [posed.start_rotation, posed.mid_rotation];
    }
}

/// As [`rotations`], in a batch.
pub(crate) fn rotations_batch(limbs: &Limbs, joints: &mut Joints) {
    Batch { limbs: &limbs.poses[..], target: &limbs.target, bend: &limbs.pole }
        .solve_poses(
            batch::Joints {
                mid: &mut joints.mid,
                end: &mut joints.end,
                reached: &mut joints.reached,
                bend: None,
            },
            Rotations { start: &mut joints.start_rotation, mid: &mut joints.mid_rotation },
        )
        .expect("valid");
}
