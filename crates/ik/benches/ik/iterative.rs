//! Iterative solvers for two bones in space, started from a bent guess. CCD and FABRIK
//! need no closed form and handle chains of any length, at a higher cost.

use glam::{Quat, Vec3};

/// Largest distance between end joint and target.
pub(crate) const TOLERANCE: f32 = 1e-4;
const ITERATIONS: usize = 32;

/// Initial chain, bent toward the pole.
#[inline(always)]
fn bent(r1: f32, r2: f32, pole: Vec3) -> [Vec3; 3] {
    let mid = pole.normalize_or(Vec3::Y) * r1;
    let side = pole.any_orthogonal_vector().normalize();
    [Vec3::ZERO, mid, mid + side * r2]
}

/// Cyclic coordinate descent: turns the last bone, then both, to point the end joint at
/// the target, and repeats. Returns mid and end joint.
pub(crate) fn ccd(target: Vec3, r1: f32, r2: f32, pole: Vec3) -> [Vec3; 2] {
    let [start, mut mid, mut end] = bent(r1, r2, pole);
    for _ in 0..ITERATIONS {
        let turn = arc(end - mid, target - mid);
        end = mid + turn * (end - mid);
        let turn = arc(end - start, target - start);
        (mid, end) = (start + turn * (mid - start), start + turn * (end - start));
        if end.distance_squared(target) < TOLERANCE * TOLERANCE {
            break;
        }
    }
    [mid, end]
}

fn arc(from: Vec3, to: Vec3) -> Quat {
    Quat::from_rotation_arc(from.normalize_or(Vec3::X), to.normalize_or(Vec3::X))
}

/// FABRIK: places the joints backward from the target, then forward from the start,
/// keeping the lengths, and repeats. Returns mid and end joint.
pub(crate) fn fabrik(target: Vec3, r1: f32, r2: f32, pole: Vec3) -> [Vec3; 2] {
    let [start, mut mid, mut end] = bent(r1, r2, pole);
    for _ in 0..ITERATIONS {
        mid = target + (mid - target).normalize_or(Vec3::X) * r2;
        mid = start + (mid - start).normalize_or(Vec3::X) * r1;
        end = mid + (target - mid).normalize_or(Vec3::X) * r2;
        if end.distance_squared(target) < TOLERANCE * TOLERANCE {
            break;
        }
    }
    [mid, end]
}

/// [`Fabrik`](tarsus_ik::fabrik::Fabrik) with ten iterations, whatever the distance.
pub(crate) fn fabrik_ten(target: Vec3, r1: f32, r2: f32, pole: Vec3) -> [Vec3; 2] {
    let mut joints = bent(r1, r2, pole);
    tarsus_ik::fabrik::Fabrik::new(10, 0.0)
        .and_then(|fabrik| fabrik.solve(&mut joints, &[r1, r2], target))
        .expect("valid");
    [joints[1], joints[2]]
}
