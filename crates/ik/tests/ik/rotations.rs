//! Rotations for rigs, single and in batches, and legs.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use tarsus_ik::batch::{Batch, Joints, Rotations};
use tarsus_ik::chain::{LegLengths, LegMount};
use tarsus_ik::{BindPose, Turn};

use super::limbs::*;

proptest! {
    #![proptest_config(config(4096))]

    /// Forward kinematics with the rotations gives the solved joints. Each rotation takes
    /// about 20 operations of error u. The bind pose's own angle is uncertain in
    /// proportion to its shortest bone, which is at least a tenth of the reach.
    #[test]
    fn rotations_carry_bind_pose_to_solution(
        (mid, end) in (direction(), direction()),
        (_, target, pole) in ordinary(),
        (r1, r2) in (0.2_f32..2.0, 0.2_f32..2.0),
        start in direction(),
        twist in 0.0_f32..6.0,
    ) {
        let (first, second) = (mid * r1, end * r2);
        let bind = BindPose::new(Vec3::Y, Vec3::Y + first, Vec3::Y + first + second, Vec3::Z)
            .expect("valid pose");
        let twist = Turn::new(twist.cos(), twist.sin()).expect("a direction");
        let posed = bind.solve(&goal(start, start + target, pole).with_twist(twist)).expect("finite input");
        let (s, m) = (posed.start_rotation, posed.mid_rotation);
        let reach = f64::from(r1 + r2);
        let tolerance = 64.0 * U * (reach + 2.0);
        let knee = start + s * first;
        let ankle = knee + s * (m * second);
        let off = (wide(knee) - wide(posed.solution.mid)).length();
        prop_assert!(off <= tolerance, "mid joint off by {} u", off / U);
        let off = (wide(ankle) - wide(posed.solution.end)).length();
        prop_assert!(off <= tolerance, "end joint off by {} u", off / U);
        prop_assert!(s.is_normalized() && m.is_normalized());
    }

    /// A batch of poses has the joints of a batch of limbs, and rotations that carry the
    /// bind poses there, with the tolerance of single poses. The last limbs are in an
    /// incomplete block; one limb has no line and one no pole, which only the single
    /// solver handles. The second half has soft reach.
    #[test]
    fn pose_batch_carries_bind_poses(
        (mid, end) in (direction(), direction()),
        (_, target, pole) in ordinary(),
        (r1, r2) in (0.2_f32..2.0, 0.2_f32..2.0),
        policy in policy(),
    ) {
        const COUNT: usize = 140;
        let (first, second) = (mid * r1, end * r2);
        let bind = BindPose::new(Vec3::ZERO, first, first + second, Vec3::Z)
            .expect("valid pose")
            .with_policy(policy);
        let soft = bind
            .with_limb(|limb| limb.with_soft_reach(0.8 * (r1 + r2)))
            .expect("within reach");
        let pose = |i: usize| if i < COUNT / 2 { bind } else { soft };
        let poses: [_; COUNT] = core::array::from_fn(pose);
        let spread = |i: usize| 1.0 + i as f32 / COUNT as f32;
        let mut target: [Vec3; COUNT] = core::array::from_fn(|i| target * spread(i));
        let mut pole = [pole; COUNT];
        target[5] = Vec3::ZERO;
        pole[136] = Vec3::ZERO;
        let (mut mid, mut end, mut reached) = ([Vec3::ZERO; COUNT], [Vec3::ZERO; COUNT], [false; COUNT]);
        let (mut start_turn, mut mid_turn) = ([Quat::IDENTITY; COUNT], [[0.0_f32; COUNT]; 4]);
        let mut bend = [Turn::NONE; COUNT];
        let met = Batch { limbs: &poses[..], target: &target[..], bend: &pole[..] }.solve_poses(
            Joints {
                mid: &mut mid[..],
                end: &mut end[..],
                reached: &mut reached,
                bend: Some(&mut bend),
            },
            Rotations { start: &mut start_turn[..], mid: &mut mid_turn },
        );
        prop_assert_eq!(met, Ok(reached.iter().filter(|&&r| r).count()));
        let tolerance = 64.0 * U * f64::from(r1 + r2 + 2.0);
        for i in 0..COUNT {
            let (s, m) = (start_turn[i], Quat::from_array(mid_turn.map(|part| part[i])));
            let alone = pose(i).solve(&goal(Vec3::ZERO, target[i], pole[i]));
            let Ok(alone) = alone.map(|posed| posed.solution) else {
                prop_assert_eq!((mid[i], end[i]), (Vec3::ZERO, Vec3::ZERO));
                prop_assert_eq!((s, m), (Quat::IDENTITY, Quat::IDENTITY));
                continue;
            };
            prop_assert_eq!((mid[i], end[i]), (alone.mid, alone.end));
            prop_assert_eq!((reached[i], bend[i]), (alone.reached, alone.bend));
            prop_assert!(s.is_normalized() && m.is_normalized());
            // Bones that lengthen point along the solution.
            let knee = wide(s * stretched(first, alone.mid.length()));
            prop_assert!((knee - wide(alone.mid)).length() <= tolerance.max(32.0 * U * knee.length()));
            let shin = wide(s * (m * stretched(second, alone.mid.distance(alone.end))));
            let off = (shin - wide(alone.end - alone.mid)).length();
            prop_assert!(off <= tolerance.max(32.0 * U * shin.length()));
        }
    }

    /// Every segment of a leg keeps its length, the coxa is level, the tarsus points in
    /// its direction, and the foot is on the target if `reached`. The tolerance is about
    /// ten roundings at the size of the leg and its distance from 0.
    #[test]
    fn leg_segments_keep_their_lengths(
        (foot, hip) in (direction(), direction()),
        distance in 0.0_f32..3.0,
        (up, rest, tarsus_direction) in (direction(), direction(), direction()),
        (coxa, femur, tibia, tarsus) in (0.0_f32..0.5, 0.2_f32..1.0, 0.2_f32..1.0, 0.0_f32..0.5),
    ) {
        let target = hip + foot * distance;
        let lengths = LegLengths { coxa, femur, tibia, tarsus };
        let mount = LegMount { hip, up, rest_direction: rest, tarsus_direction };
        let leg = lengths.solve(&mount, target).expect("finite");
        let tolerance = 32.0 * U * 8.0;
        let length = |a: Vec3, b: Vec3| (wide(b) - wide(a)).length();
        for (found, wanted) in [
            (length(leg.hip, leg.trochanter), coxa),
            (length(leg.trochanter, leg.knee), femur),
            (length(leg.knee, leg.ankle), tibia),
            (length(leg.ankle, leg.foot), tarsus),
        ] {
            prop_assert!((found - f64::from(wanted)).abs() <= tolerance);
        }
        prop_assert!(wide(up).dot(wide(leg.trochanter - leg.hip)).abs() <= tolerance);
        let off = (wide(leg.foot - leg.ankle) - wide(tarsus_direction * tarsus)).length();
        prop_assert!(off <= tolerance);
        if leg.reached {
            prop_assert!(length(leg.foot, target) <= tolerance);
        }
        // The knee is outside the line trochanter–ankle, in the sense from outward to up.
        let outward = wide(leg.trochanter - leg.hip);
        let line = wide(leg.ankle - leg.trochanter);
        if coxa > 0.01 {
            let left = outward.cross(wide(up)).cross(line).normalize_or_zero();
            // A coxa of 0.01 determines outward with a hundredth of the precision.
            prop_assert!(left.dot(wide(leg.knee - leg.trochanter)) >= -100.0 * tolerance);
        }
    }
}
