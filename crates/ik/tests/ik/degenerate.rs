//! Degenerate cases, one by one.
//!
//! The oracle is forward kinematics: the distances between the joints are the lengths of
//! the bones, and the rotations carry the bind pose to the joints. There are no stored
//! numbers.

use glam::{Affine3A, DVec2, DVec3, Mat3, Quat, Vec2, Vec3};
use tarsus_ik::batch::{Batch, Joints, Rotations};
use tarsus_ik::chain::{LegLengths, LegMount};
use tarsus_ik::{
    BatchError, BindPose, Error, Posed, ReachPolicy, Side, Solution, Turn, TwoBone, soft_reach,
};

use super::limbs::goal;

/// Eight `f32` roundings at the size of these limbs, which is at most 4.
const TOLERANCE: f32 = 8.0 * 4.0 * f32::EPSILON / 2.0;

/// Tolerance with rotations: each takes a matrix of three products per element, a root, a
/// division and a rotated vector, about 32 roundings.
const ROTATED: f32 = 4.0 * TOLERANCE;

const AXES: [Vec3; 6] = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z];

#[track_caller]
fn assert_near(a: Vec3, b: Vec3, tolerance: f32) {
    assert!((a - b).length() <= tolerance, "{a} is not near {b}");
}

/// Checks the lengths of a solution with rigid bones.
#[track_caller]
fn assert_rigid(start: Vec3, solved: &Solution<Vec3>, (r1, r2): (f32, f32)) {
    assert!((start.distance(solved.mid) - r1).abs() <= TOLERANCE, "first bone of {solved:?}");
    assert!((solved.mid.distance(solved.end) - r2).abs() <= TOLERANCE, "second bone of {solved:?}");
}

/// Checks the rotations of a bind pose by forward kinematics.
#[track_caller]
fn assert_carried(bind: [Vec3; 3], start: Vec3, posed: &Posed<Vec3>) {
    let first = posed.start_rotation * (bind[1] - bind[0]);
    let second = posed.start_rotation * (posed.mid_rotation * (bind[2] - bind[1]));
    assert_near(start + first, posed.solution.mid, ROTATED);
    assert_near(start + first + second, posed.solution.end, ROTATED);
    assert!(posed.start_rotation.is_normalized() && posed.mid_rotation.is_normalized());
}

fn limb(r1: f32, r2: f32) -> TwoBone<f32> {
    TwoBone::new(r1, r2).expect("valid lengths")
}

fn solve(limb: TwoBone<f32>, target: Vec3, pole: Vec3) -> Solution<Vec3> {
    limb.solve(Vec3::ZERO, target, pole).expect("finite input")
}

/// Posing a limb in a transformed frame equals transforming the limb posed in the world.
/// The frames are translated, rotated, scaled and mirrored.
#[test]
fn pose_in_any_frame_matches_world() {
    let bind = [Vec3::ZERO, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
    let targets = [Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.3, -0.4, 0.9), Vec3::new(-1.5, 0.2, 0.4)];
    let turned = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5).normalize(), 1.1);
    let frames = [
        Affine3A::IDENTITY,
        Affine3A::from_translation(Vec3::ONE),
        Affine3A::from_quat(turned),
        Affine3A::from_scale(Vec3::splat(2.0)),
        Affine3A::from_scale(Vec3::new(1.0, 1.0, -1.0)),
        Affine3A::from_mat3_translation(
            Mat3::from_quat(turned) * Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0)),
            Vec3::new(0.5, -0.5, 1.0),
        ),
    ];
    for frame in frames {
        let in_frame = bind.map(|joint| frame.transform_point3(joint));
        let pole = frame.transform_vector3(Vec3::Y);
        let pose = BindPose::new(in_frame[0], in_frame[1], in_frame[2], pole).expect("a pose");
        for target in targets {
            let in_world = solve(limb(1.0, 1.0), target, Vec3::Y);
            let target = frame.transform_point3(target);
            let posed = pose.solve(&goal(in_frame[0], target, pole)).expect("finite input");
            assert_near(posed.solution.mid, frame.transform_point3(in_world.mid), ROTATED);
            assert!(posed.solution.reached);
            assert_carried(in_frame, in_frame[0], &posed);
        }
    }
}

/// The bind pose itself needs no rotation.
#[test]
fn bind_pose_solves_without_rotation() {
    let bind = [Vec3::ZERO, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
    let pose = BindPose::new(bind[0], bind[1], bind[2], Vec3::Y).expect("a pose");
    let pole = Vec3::new(-1.0, 1.0, 0.0);
    let posed = pose.solve(&goal(bind[0], bind[2], pole)).expect("finite input");
    assert!(posed.start_rotation.abs_diff_eq(Quat::IDENTITY, ROTATED));
    assert!(posed.mid_rotation.abs_diff_eq(Quat::IDENTITY, ROTATED));
}

/// The knee is on the pole's side for ±x, ±y and ±z.
#[test]
fn knee_bends_toward_pole() {
    for target in AXES.map(|axis| axis * 1.2) {
        for pole in AXES {
            if target.cross(pole).length() < 0.5 {
                continue;
            }
            for length in [1e-20, 1.0, 1e20] {
                let solved = solve(limb(1.0, 1.0), target, pole * length);
                assert_rigid(Vec3::ZERO, &solved, (1.0, 1.0));
                // The height of the bend is 0.8, entirely along the pole's axis.
                assert!((solved.mid.dot(pole) - 0.8).abs() <= TOLERANCE);
            }
        }
    }
}

/// The twist follows the right-hand rule along the line start–target.
#[test]
fn twist_turns_knee_about_line() {
    let bind = [Vec3::ZERO, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
    let pose = BindPose::new(bind[0], bind[1], bind[2], Vec3::Y).expect("a pose");
    let target = Vec3::new(1.2, 0.0, 0.0);
    let quarters = [(1.0, 0.0, Vec3::Y), (0.0, 1.0, Vec3::Z), (-1.0, 0.0, -Vec3::Y)];
    for (cos, sin, side) in quarters {
        let twist = Turn::new(cos, sin).expect("a direction");
        let posed =
            pose.solve(&goal(Vec3::ZERO, target, Vec3::Y).with_twist(twist)).expect("finite input");
        assert_near(posed.solution.mid, Vec3::X * 0.6 + side * 0.8, TOLERANCE);
        assert_carried(bind, Vec3::ZERO, &posed);
    }
}

/// With the target on the start there is no line to turn about, but the bones keep their
/// lengths.
#[test]
fn twist_on_start_keeps_lengths() {
    let bind = [Vec3::ZERO, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
    let pose = BindPose::new(bind[0], bind[1], bind[2], Vec3::Y).expect("a pose");
    for pole in AXES.into_iter().chain([Vec3::ONE, Vec3::new(-1.0, 2.0, 0.5), Vec3::ZERO]) {
        for degrees in [30.0, 90.0, 180.0, -120.0] {
            let twist = Turn::from_degrees(degrees).expect("finite");
            let goal = goal(Vec3::ONE, Vec3::ONE, pole).with_twist(twist);
            let posed = pose.solve(&goal).expect("finite");
            assert_rigid(Vec3::ONE, &posed.solution, (1.0, 1.0));
            assert_carried(bind, Vec3::ONE, &posed);
        }
    }
}

/// With soft reach the limb follows the target up to `d0`, then falls behind and never
/// exceeds its reach.
#[test]
fn soft_reach_lags_and_stays_inside() {
    let hard = limb(1.0, 1.0);
    let soft = hard.with_soft_reach(1.5).expect("within reach");
    let at = |d: f32| solve(soft, Vec3::X * d, Vec3::Y);
    for d in [0.5, 1.0, 1.5] {
        assert_eq!(at(d), solve(hard, Vec3::X * d, Vec3::Y));
        assert!(at(d).reached);
    }
    let mut last = 1.5;
    for d in [1.6, 1.9, 2.0, 2.1, 3.0, 10.0, 1e3] {
        let solved = at(d);
        assert_rigid(Vec3::ZERO, &solved, (1.0, 1.0));
        assert!((solved.end.x - soft_reach(d, 1.5, 2.0)).abs() <= TOLERANCE);
        assert!(!solved.reached && solved.end.x > last && solved.end.x < 2.0);
        last = solved.end.x;
    }
    // At 1e30 the eased distance equals the reach to the last digit.
    assert!(at(1e30).end.x <= 2.0 + TOLERANCE);
}

/// A pole along the line gives no side; the limb bends to an arbitrary side and keeps its
/// lengths.
#[test]
fn pole_along_line_keeps_lengths() {
    for axis in AXES {
        for pole in
            [axis, -axis, axis * 1e-30, axis + axis.any_orthonormal_vector() * 1e-9, Vec3::ZERO]
        {
            let solved = solve(limb(1.0, 0.8), axis * 1.1, pole);
            assert!(solved.reached);
            assert_rigid(Vec3::ZERO, &solved, (1.0, 0.8));
        }
    }
}

/// A straight limb with the target on its line, reached at 2 and not at 3.
#[test]
fn straight_pose_with_collinear_target() {
    let bind = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
    let pose = BindPose::new(bind[0], bind[1], bind[2], Vec3::Y).expect("a pose");
    for (distance, reached) in [(2.0, true), (3.0, false)] {
        let posed = pose.solve(&goal(Vec3::ZERO, Vec3::X * distance, Vec3::Y)).expect("finite");
        assert_eq!(posed.solution.reached, reached);
        assert_eq!(posed.solution.mid, Vec3::X);
        assert_eq!(posed.solution.end, Vec3::X * 2.0);
        assert_eq!(posed.solution.bend, Turn::NONE);
        assert_carried(bind, Vec3::ZERO, &posed);
    }
    // Bent out of the straight pose, the limb bends to the side of the given pole.
    let posed = pose.solve(&goal(Vec3::ZERO, Vec3::X, Vec3::Z)).expect("finite input");
    assert!(posed.solution.mid.z > 0.5);
    assert_carried(bind, Vec3::ZERO, &posed);
}

/// The opposite direction is a half turn, where some rotation formulas divide by 0.
#[test]
fn target_behind_bind_pose_is_solved() {
    let bind = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
    let pose = BindPose::new(bind[0], bind[1], bind[2], Vec3::Y).expect("a pose");
    for pole in [Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
        for distance in [0.5, 1.9, 2.0, 3.0] {
            let target = Vec3::NEG_X * distance;
            let posed = pose.solve(&goal(Vec3::ZERO, target, pole)).expect("finite input");
            assert_carried(bind, Vec3::ZERO, &posed);
        }
    }
}

/// Start and target coincide: equal bones fold onto one another along the pole; unequal
/// bones cannot meet the target and lie flat.
#[test]
fn target_on_start_folds_limb() {
    for start in [Vec3::ZERO, Vec3::new(1.0, -2.0, 3.0)] {
        for pole in AXES {
            let solved = limb(1.0, 1.0).solve(start, start, pole).expect("finite input");
            assert!(solved.reached);
            assert_eq!(solved.end, start);
            assert_near(solved.mid, start + pole, TOLERANCE);
            for (r1, r2) in [(1.0, 0.6), (0.6, 1.0)] {
                let solved = limb(r1, r2).solve(start, start, pole).expect("finite input");
                assert!(!solved.reached);
                assert_rigid(start, &solved, (r1, r2));
                assert!((solved.end.distance(start) - 0.4).abs() <= TOLERANCE);
            }
        }
        let solved = limb(1.0, 1.0).solve(start, start, Vec3::ZERO).expect("finite input");
        assert_rigid(start, &solved, (1.0, 1.0));
    }
    let solved = limb(1.0, 1.0).solve(Vec2::ZERO, Vec2::ZERO, Side::Left).expect("finite input");
    assert_eq!((solved.mid, solved.end), (Vec2::Y, Vec2::ZERO));
    let never = limb(1.0, 0.6).with_policy(ReachPolicy::Fail);
    assert_eq!(never.solve(Vec2::ZERO, Vec2::ZERO, Side::Left), Err(Error::TooNear));
    let meeting = limb(1.0, 0.6)
        .with_policy(ReachPolicy::Meet)
        .solve(Vec2::ZERO, Vec2::ZERO, Side::Left)
        .expect("finite input");
    assert_eq!((meeting.end, meeting.reached), (Vec2::ZERO, false));

    let bind = [Vec3::ZERO, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
    let pose = BindPose::new(bind[0], bind[1], bind[2], Vec3::Y).expect("a pose");
    let posed = pose.solve(&goal(Vec3::ZERO, Vec3::ZERO, Vec3::Y)).expect("finite input");
    assert_carried(bind, Vec3::ZERO, &posed);
}

/// A bone of length 0 is an error, also in a bind pose.
#[test]
fn zero_length_bone_is_an_error() {
    assert_eq!(TwoBone::new(0.0, 1.0), Err(Error::Length { segment: "first bone" }));
    assert_eq!(TwoBone::new(1.0, -0.0), Err(Error::Length { segment: "second bone" }));
    let pose = |mid, end| BindPose::new(Vec3::ZERO, mid, end, Vec3::Y).map(|_| ());
    assert_eq!(pose(Vec3::ZERO, Vec3::X), Err(Error::Length { segment: "first bone" }));
    assert_eq!(pose(Vec3::X, Vec3::X), Err(Error::Length { segment: "second bone" }));
}

/// A bind pose whose joints coincide is an error. Lengths at both ends of the range of
/// `f32` are solved like any other.
#[test]
fn extreme_scales_solve_unless_zero() {
    let zero = BindPose::new(Vec3::ONE, Vec3::ONE, Vec3::ONE, Vec3::ZERO).map(|_| ());
    assert_eq!(zero, Err(Error::Length { segment: "first bone" }));
    let least = f32::from_bits(1);
    let solved = solve(limb(3.0 * least, 4.0 * least), Vec3::X * 5.0 * least, Vec3::Y);
    assert!(solved.reached);
    // (1.8, 2.4) times the smallest subnormal, rounded to a multiple of it.
    assert_eq!(solved.mid, Vec3::new(2.0 * least, 2.0 * least, 0.0));
    let solved = solve(limb(3e37, 4e37), Vec3::X * 5e37, Vec3::Y);
    assert_near(solved.mid / 1e37, Vec3::new(1.8, 2.4, 0.0), TOLERANCE);
    assert_eq!(TwoBone::new(3e38_f32, 3e38), Err(Error::Overflow));
}

/// A tilted hinge, too, works in any unit of length.
#[test]
fn tilted_hinge_solves_in_any_unit() {
    let solve = |unit: f32| {
        let end = Vec3::new(1.0, 1.0, 0.0) * unit;
        let pose = BindPose::new(Vec3::ZERO, Vec3::Y * unit, end, Vec3::Y)
            .and_then(|pose| pose.with_hinge(Vec3::new(0.2, 0.3, 1.0)))
            .expect("a hinge");
        let target = Vec3::new(1.2, 0.5, 0.0) * unit;
        pose.solve(&goal(Vec3::ZERO, target, Vec3::Z)).expect("finite")
    };
    let expected = solve(1.0);
    for unit in [1e-35, 1e-25, 1e-10, 1e10, 1e20, 1e37] {
        let posed = solve(unit);
        assert!(posed.solution.reached);
        assert_near(posed.solution.mid / unit, expected.solution.mid, ROTATED);
        assert!(posed.start_rotation.abs_diff_eq(expected.start_rotation, ROTATED));
        assert!(posed.mid_rotation.abs_diff_eq(expected.mid_rotation, ROTATED));
    }
}

/// A first bone so short that the mid joint rounds to the start still gets rotations, also in
/// a batch with a limb that is eased.
#[test]
fn rotations_of_tiny_bone_are_rotations() {
    let first = Vec3::new(0.000_262_766_03, 0.001_385_948_4, 0.000_635_939_7);
    let second = Vec3::new(-16_389.342, 800.776, 87_277.55);
    let pose = BindPose::new(Vec3::ZERO, first, first + second, Vec3::Y).expect("a pose");
    let soft = BindPose::new(Vec3::ZERO, Vec3::Y, Vec3::ONE, Vec3::Y)
        .and_then(|pose| pose.with_limb(|limb| limb.with_soft_reach(1.0)))
        .expect("a pose");
    let target = Vec3::new(3_182.922_9, 9_398.517, 88_250.55);
    let pole = Vec3::new(0.076_072_18, 0.261_907_46, -0.235_240_44);
    for policy in [ReachPolicy::Meet, ReachPolicy::Clamp] {
        let [pose, soft] = [pose, soft].map(|pose| pose.with_policy(policy));
        let posed = pose.solve(&goal(Vec3::ZERO, target, pole)).expect("finite");
        assert!(posed.start_rotation.is_normalized() && posed.mid_rotation.is_normalized());
        let (mut mid, mut end, mut reached) = ([Vec3::ZERO; 2], [Vec3::ZERO; 2], [false; 2]);
        let (mut start_turn, mut mid_turn) = ([Quat::IDENTITY; 2], [Quat::IDENTITY; 2]);
        Batch {
            limbs: &[pose, soft][..],
            target: &[target, Vec3::X * 0.5][..],
            bend: &[pole, Vec3::Z][..],
        }
        .solve_poses(
            Joints { mid: &mut mid[..], end: &mut end[..], reached: &mut reached, bend: None },
            Rotations { start: &mut start_turn[..], mid: &mut mid_turn[..] },
        )
        .expect("finite");
        for rotation in start_turn.into_iter().chain(mid_turn) {
            assert!(rotation.is_normalized(), "{policy:?} {rotation}");
        }
    }
}

/// Beyond the reach the limb is straight, inside the hole it is folded flat, and the end
/// joint is the reachable point nearest to the target.
#[test]
fn unreachable_targets_get_nearest_point() {
    let direction = Vec3::new(2.0, -1.0, 0.5).normalize();
    for (r1, r2) in [(1.0, 0.6), (0.6, 1.0)] {
        for (distance, end) in [(1e30, 1.6), (1.7, 1.6), (0.3, 0.4), (1e-20, 0.4)] {
            let target = direction * distance;
            let solved = solve(limb(r1, r2), target, Vec3::Y);
            assert!(!solved.reached);
            assert_rigid(Vec3::ZERO, &solved, (r1, r2));
            assert!((solved.end.length() - end).abs() <= TOLERANCE);
            if distance > 1e-10 {
                assert_near(solved.end, direction * end, TOLERANCE);
            }
            let never = limb(r1, r2).with_policy(ReachPolicy::Fail);
            let error = if distance > 1.0 { Error::TooFar } else { Error::TooNear };
            assert_eq!(never.solve(Vec3::ZERO, target, Vec3::Y), Err(error));
            let meeting = limb(r1, r2).with_policy(ReachPolicy::Meet);
            assert_eq!(solve(meeting, target, Vec3::Y).end, target);
        }
    }
}

/// Sweeps the target along a line through hole, range and beyond: no joint jumps by more
/// than the step allows. At a boundary the height above the line grows as the square root
/// of the step, √(2L·δ), divided by √(|p|/L).
#[test]
fn joints_move_continuously() {
    for (r1, r2) in [(1.0_f32, 0.6), (0.6, 1.0), (1.0, 0.95)] {
        for policy in [ReachPolicy::Clamp, ReachPolicy::Meet] {
            let limb = limb(r1, r2).with_policy(policy);
            let (reach, hole) = (r1 + r2, (r1 - r2).abs());
            let step = 1e-4_f32;
            let jump = (2.0 * reach * 2.0 * step * reach / hole).sqrt() + 8.0 * step * reach / hole;
            // Under `Meet` the mid joint diverges toward the start, so begin at half
            // the hole.
            let at = |i: u32| solve(limb, Vec3::X * (0.5 * hole + i as f32 * step), Vec3::Y);
            for i in 0..20_000 {
                let (here, next) = (at(i), at(i + 1));
                assert!(here.mid.distance(next.mid) <= jump, "{r1} {r2} {policy:?} {i}");
                assert!(here.end.distance(next.end) <= 2.0 * step);
            }
        }
    }
}

/// The bend side in the plane, for targets in all directions.
#[test]
fn side_in_plane_holds_all_around() {
    for i in 0..360 {
        let target = DVec2::from_angle(f64::from(i).to_radians()) * 1.2;
        for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            let solved = TwoBone::new(1.0, 1.0)
                .expect("valid lengths")
                .solve(DVec2::ZERO, target, side)
                .expect("finite input");
            let height = target.normalize().perp_dot(solved.mid) * sign;
            assert!((height - 0.8).abs() <= 16.0 * f64::EPSILON);
        }
    }
}

/// The foot is below, above or on the hip, where the yaw is undefined.
#[test]
fn foot_on_yaw_axis_uses_rest() {
    let lengths = LegLengths { coxa: 0.2, femur: 0.8, tibia: 0.9, tarsus: 0.3 };
    let mount = |rest_direction| LegMount {
        hip: Vec3::ZERO,
        up: Vec3::Y,
        rest_direction,
        tarsus_direction: Vec3::NEG_Y,
    };
    for foot in [Vec3::NEG_Y, Vec3::Y, Vec3::ZERO, Vec3::new(1e-9, -1.0, 0.0)] {
        let leg = lengths.solve(&mount(Vec3::Z), foot).expect("finite input");
        // The rest direction is z, so the coxa points along z.
        assert_near(leg.trochanter, Vec3::Z * 0.2, TOLERANCE);
        assert!(leg.reached);
        assert_near(leg.foot, foot, TOLERANCE);
        assert!((leg.trochanter.distance(leg.knee) - 0.8).abs() <= TOLERANCE);
        assert!((leg.knee.distance(leg.ankle) - 0.9).abs() <= TOLERANCE);
    }
    // The rest direction may be degenerate too.
    for rest in [Vec3::ZERO, Vec3::Y] {
        let leg = lengths.solve(&mount(rest), Vec3::NEG_Y).expect("finite input");
        assert!((leg.hip.distance(leg.trochanter) - 0.2).abs() <= TOLERANCE);
        assert!(leg.trochanter.y.abs() <= TOLERANCE);
    }
}

/// Invalid arguments of a leg.
#[test]
fn invalid_leg_input_is_an_error() {
    let good = LegLengths { coxa: 0.0, femur: 1.0, tibia: 1.0, tarsus: 0.0 };
    let solve = |foot, up, tarsus, lengths: &LegLengths<f64>| {
        let mount =
            LegMount { hip: DVec3::ZERO, up, rest_direction: DVec3::X, tarsus_direction: tarsus };
        lengths.solve(&mount, foot).map(|leg| leg.reached)
    };
    let (foot, up, down) = (DVec3::X, DVec3::Y, DVec3::NEG_Y);
    assert_eq!(solve(foot, up, down, &good), Ok(true));
    let no_direction = |argument| Err(Error::NoDirection { argument });
    assert_eq!(solve(foot, DVec3::ZERO, down, &good), no_direction("up"));
    assert_eq!(solve(foot, up, DVec3::ZERO, &good), no_direction("tarsus_direction"));
    let not_finite = Err(Error::NotFinite { argument: "foot_target" });
    assert_eq!(solve(DVec3::NAN, up, down, &good), not_finite);
    let length = |segment| Err(Error::Length { segment });
    assert_eq!(solve(foot, up, down, &LegLengths { coxa: -1.0, ..good }), length("coxa"));
    assert_eq!(solve(foot, up, down, &LegLengths { femur: 0.0, ..good }), length("femur"));
    assert_eq!(solve(foot, up, down, &LegLengths { tibia: f64::NAN, ..good }), length("tibia"));
    assert_eq!(
        solve(foot, up, down, &LegLengths { tarsus: f64::INFINITY, ..good }),
        length("tarsus")
    );
}

/// Half angles in all directions: twice the half is the whole.
#[test]
fn half_turn_doubled_equals_turn() {
    for i in -180..=180 {
        let (sin, cos) = f64::from(i).to_radians().sin_cos();
        let turn = Turn::new(cos, sin).expect("a direction");
        let half = turn.half();
        let twice = half.plus(half);
        assert!((twice.cos() - cos).abs() <= 4.0 * f64::EPSILON);
        assert!((twice.sin() - sin).abs() <= 4.0 * f64::EPSILON);
        assert!(half.cos() >= 0.0);
    }
    assert_eq!(Turn::new(0.0_f32, 0.0), Err(Error::NoDirection { argument: "turn" }));
    assert_eq!(Turn::new(f32::NAN, 0.0), Err(Error::NotFinite { argument: "turn" }));
    let huge = Turn::new(3e38_f32, 3e38).expect("a direction");
    assert!((huge.cos() - core::f32::consts::FRAC_1_SQRT_2).abs() <= f32::EPSILON);
}

/// Invalid batches: the error has the index of the first invalid limb, up to the last of
/// 130.
#[test]
fn invalid_batch_input_is_an_error() {
    const COUNT: usize = 130;
    let good = [1.0_f32; COUNT];
    let solve = |limbs: &[TwoBone<f32>], x: &[f32], sides: &[Side]| {
        let (mut mid, mut end) = ([[0.0; COUNT]; 2], [Vec2::ZERO; COUNT]);
        let mut reached = [false; COUNT];
        Batch { limbs, target: &[x, &good], bend: sides }.solve_plane(Joints {
            mid: &mut mid,
            end: &mut end[..],
            reached: &mut reached,
            bend: None,
        })
    };
    let limbs = [limb(1.0, 1.0); COUNT];
    let sides = [Side::Left; COUNT];
    assert_eq!(solve(&limbs, &good, &sides), Ok(COUNT));
    let short = |slice, expected, found| Err(BatchError::SliceLength { slice, expected, found });
    assert_eq!(solve(&limbs, &good[..7], &sides), short("target", COUNT, 7));
    assert_eq!(solve(&limbs, &good, &sides[..3]), short("bend", COUNT, 3));
    assert_eq!(solve(&limbs[..5], &good[..5], &sides[..5]), short("target", 5, COUNT));
    for index in [0, 127, 128, COUNT - 1] {
        let failed = |error| Err(BatchError::Limb { index, error });
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut x = good;
            x[index] = bad;
            for policy in [ReachPolicy::Meet, ReachPolicy::Clamp, ReachPolicy::Fail] {
                let limbs = limbs.map(|limb| limb.with_policy(policy));
                let target = Error::NotFinite { argument: "target" };
                assert_eq!(solve(&limbs, &x, &sides), failed(target));
            }
        }
        let (mut huge, mut x) = (limbs, good);
        huge[index] = limb(1e-30, 1e-30).with_policy(ReachPolicy::Meet);
        x[index] = 1e30;
        assert_eq!(solve(&huge, &x, &sides), Ok(COUNT - 1));
    }
}

/// Limbs of one block may have different policies.
#[test]
fn mixed_policies_follow_each_limb() {
    let policies = [ReachPolicy::Meet, ReachPolicy::Clamp, ReachPolicy::Fail];
    let limbs = policies.map(|policy| limb(1.0, 1.0).with_policy(policy));
    let (mut mid, mut end, mut reached) = ([Vec3::ZERO; 3], [Vec3::ZERO; 3], [true; 3]);
    let met = Batch { limbs: &limbs[..], target: &[Vec3::X * 3.0; 3][..], bend: &[Vec3::Y; 3][..] }
        .solve_space(Joints {
            mid: &mut mid[..],
            end: &mut end[..],
            reached: &mut reached,
            bend: None,
        });
    assert_eq!((met, reached), (Ok(0), [false; 3]));
    assert_eq!(end, [Vec3::X * 3.0, Vec3::X * 2.0, Vec3::ZERO]);
}

/// A range of one point: the first bone is less than half a digit of the second.
#[test]
fn softened_tiny_bone_is_never_too_far() {
    for (first, second, from, target) in [
        (1e-30_f32, 0.001_585_949_1, 0.537_460_9, Vec3::new(0.0, 4_589.838, 6_887.428_7)),
        (3.572_475_2, 1.056_960_8e-38, 0.748_170_1, Vec3::new(-58_541.58, 0.0, -4_056_542.8)),
    ] {
        let limb = TwoBone::new(first, second)
            .and_then(|limb| limb.with_soft_reach(from * limb.reach()))
            .expect("valid")
            .with_policy(ReachPolicy::Fail);
        assert_ne!(limb.solve(Vec3::ZERO, target, Vec3::X), Err(Error::TooFar), "{first}");
    }
}
