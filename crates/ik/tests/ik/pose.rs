//! Weights, poles, hinges and the end's rotation of rig limbs, in `f32` and `f64`.

macro_rules! properties {
    ($precision:ident, $real:ident, $vec3:ident, $quat:ident) => {
        mod $precision {
            use glam::*;
            use tarsus_ik::{BindPose, EndRotation, Error, Goal, Pole, Turn, twist_share};

            use crate::random::{Random, cases, vector, wide};

            const U: f64 = $real::EPSILON as f64 / 2.0;

            fn rotation(random: &mut Random) -> DQuat {
                DQuat::from_axis_angle(random.direction(), random.between(-3.1, 3.1))
            }

            fn narrow(q: DQuat) -> $quat {
                let [x, y, z, w] = q.to_array().map(|part| part as $real);
                $quat::from_xyzw(x, y, z, w).normalize()
            }

            /// Bones of length 0.3 to 2, and the pose they are in.
            fn pose(random: &mut Random) -> (BindPose<$vec3>, [$vec3; 2]) {
                let bones = [0, 1].map(|_| vector(random.direction() * random.between(0.3, 2.0)));
                let [first, second] = bones;
                let pole = vector(random.direction());
                let start = vector(random.direction());
                let pose = BindPose::new(start, start + first, start + first + second, pole);
                (pose.expect("valid pose"), bones)
            }

            /// A start, a target well within reach, and a pole.
            fn ends(random: &mut Random, pose: &BindPose<$vec3>) -> ($vec3, $vec3, $vec3) {
                let (hole, reach) = (f64::from(pose.limb().hole()), f64::from(pose.limb().reach()));
                let distance = hole + (reach - hole) * random.between(0.1, 0.9);
                let start = vector(random.direction());
                let target = start + vector::<$vec3>(random.direction() * distance);
                (start, target, vector(random.direction()))
            }

            /// A pose with its bones almost in line, stretched out or folded, determines its
            /// hinge poorly. The rotations still carry the pose to the solution. One bone is up
            /// to 1000 times as long as the other; the rounding of the mid joint turns a long
            /// second bone.
            #[test]
            fn nearly_straight_pose_is_carried() {
                let mut random = Random(28);
                for i in 0..cases() {
                    let line = random.direction();
                    let off = random.direction() * (0.1 * U).powf(random.next());
                    let lengths = [(); 2].map(|()| 10.0_f64.powf(random.between(-1.5, 1.5)));
                    let first: $vec3 = vector(line * lengths[0]);
                    let fold = [1.0, -1.0][i % 2];
                    let end = first + vector::<$vec3>((line * fold + off) * lengths[1]);
                    let second = end - first;
                    let bind_pole = vector(random.direction());
                    let pose =
                        BindPose::new($vec3::ZERO, first, end, bind_pole).expect("valid pose");
                    let (start, target, pole) = ends(&mut random, &pose);
                    let goal = Goal::new(start, target).with_pole(Pole::Direction(pole));
                    let posed = pose.solve(&goal).expect("finite");
                    let knee = start + posed.start_rotation * first;
                    let ankle = knee + posed.start_rotation * (posed.mid_rotation * second);
                    let tolerance = 64.0 * U * (2.0 + f64::from(pose.limb().reach()));
                    let ratio = (lengths[1] / lengths[0] / 32.0).max(1.0);
                    assert!((wide(knee) - wide(posed.solution.mid)).length() <= tolerance);
                    assert!((wide(ankle) - wide(posed.solution.end)).length() <= tolerance * ratio);
                    for rotation in [posed.start_rotation, posed.mid_rotation] {
                        assert!((f64::from(rotation.length()) - 1.0).abs() <= 16.0 * U);
                    }
                }
            }

            /// Forward kinematics with the weighted rotations gives the joints, so the bones
            /// keep their lengths. A weight turns about the axis of the solution, and no
            /// farther; weight 0 is the pose.
            #[test]
            fn weight_moves_along_shortest_arc() {
                let mut random = Random(21);
                for _ in 0..cases() {
                    let (pose, [first, second]) = pose(&mut random);
                    let (start, target, pole) = ends(&mut random, &pose);
                    let goal = Goal::new(start, target).with_pole(Pole::Direction(pole));
                    let weight = random.next() as $real;
                    let solve = |weight| pose.solve(&goal.with_weight(weight)).expect("finite");
                    let (none, part, full) = (solve(0.0), solve(weight), solve(1.0));
                    let tolerance = 64.0 * U * (2.0 + f64::from(pose.limb().reach()));
                    let knee = start + part.start_rotation * first;
                    let ankle = knee + part.start_rotation * (part.mid_rotation * second);
                    assert!((wide(knee) - wide(part.solution.mid)).length() <= tolerance);
                    assert!((wide(ankle) - wide(part.solution.end)).length() <= tolerance);
                    assert_eq!(none.start_rotation, $quat::IDENTITY);
                    assert_eq!(none.mid_rotation, $quat::IDENTITY);
                    for (part, full) in [
                        (part.start_rotation, full.start_rotation),
                        (part.mid_rotation, full.mid_rotation),
                    ] {
                        let [a, b] = [part, full].map(|q| f64::from(q.w.abs().min(1.0)).acos());
                        assert!(a <= b + 4.0 * U.sqrt(), "{a} {b}");
                        // Same axis: the vector parts are parallel.
                        let (p, q) = (part.xyz(), full.xyz());
                        assert!(wide(p.cross(q)).length() <= 32.0 * U);
                    }
                }
            }

            /// A step of the weight moves the joints by at most 8 times as much of the reach:
            /// normalised linear interpolation of a half turn is 4 radians fast at its fastest,
            /// and the end joint turns about two joints.
            #[test]
            fn weight_moves_joints_continuously() {
                let mut random = Random(27);
                for _ in 0..cases() {
                    let (pose, _) = pose(&mut random);
                    let (start, target, pole) = ends(&mut random, &pose);
                    let goal = Goal::new(start, target).with_pole(Pole::Direction(pole));
                    let weight = random.between(0.0, 0.999) as $real;
                    let solve =
                        |weight| pose.solve(&goal.with_weight(weight)).expect("finite").solution;
                    let (here, next) = (solve(weight), solve(weight + 1e-3));
                    let reach = f64::from(pose.limb().reach());
                    let bound = 8e-3 * reach + 64.0 * U * (2.0 + reach);
                    assert!((wide(here.mid) - wide(next.mid)).length() <= bound);
                    assert!((wide(here.end) - wide(next.end)).length() <= bound);
                }
            }

            /// The bend of a pole within 120° of the pose's turns by at most 75 times the
            /// rotation of the pole, near the line and far from it.
            #[test]
            fn pole_across_line_does_not_flip() {
                let mut random = Random(22);
                let mut near = 0;
                for _ in 0..cases() {
                    let (pose, _) = pose(&mut random);
                    let (start, target, pole) = ends(&mut random, &pose);
                    let goal = Goal::new(start, target).with_pole(Pole::Direction(pole));
                    let line = (wide(target) - wide(start)).normalize();
                    let step = 10.0_f64.powf(random.between(-5.0, -2.0)).max(100.0 * U);
                    let off = random.direction() * random.between(0.0, 0.3);
                    let pole = (line * random.between(-1.0, 1.0).signum() + off).normalize();
                    let moved = (pole + random.direction() * step).normalize();
                    let side = |v: DVec3| (v - line * v.dot(line)).normalize_or_zero();
                    let bend = |pole| {
                        let solved = pose.solve(&goal.with_pole(pole)).expect("finite").solution;
                        side(wide(solved.mid) - wide(start))
                    };
                    let reference = bend(Pole::Pose);
                    if [pole, moved].iter().any(|v| side(*v).dot(reference) < -0.5) {
                        continue;
                    }
                    near += 1;
                    let here = bend(Pole::Direction(vector(pole)));
                    let next = bend(Pole::Direction(vector(moved)));
                    let turned = here.angle_between(next);
                    assert!(turned <= 76.0 * step + 2e4 * U, "{turned} {step}");
                }
                assert!(near > cases() / 3);
            }

            /// Without weight the pole has no effect; a point is a direction from the start.
            #[test]
            fn pole_weight_and_point_agree() {
                let mut random = Random(23);
                for _ in 0..cases() {
                    let (pose, _) = pose(&mut random);
                    let (start, target, pole) = ends(&mut random, &pose);
                    let goal = Goal::new(start, target).with_pole(Pole::Direction(pole));
                    let solve = |goal: Goal<$vec3>| pose.solve(&goal).expect("finite").solution;
                    let weak = solve(goal.with_pole_weight(0.0));
                    assert_eq!(weak, solve(goal.with_pole(Pole::Pose)));
                    let point = Pole::Point(start + pole * 4.0);
                    let (a, b) = (solve(goal).mid, solve(goal.with_pole(point)).mid);
                    // The point is rounded at a distance of 5; the bend amplifies that
                    // by the fading cone's bound.
                    assert!((wide(a) - wide(b)).length() <= 2000.0 * U);
                }
            }

            /// A hinge in any direction: the second bone turns about the axis alone, and
            /// the end meets every target within reach. Every other limb stretches.
            #[test]
            fn tilted_hinge_meets_target() {
                let mut random = Random(24);
                let mut met = 0;
                for i in 0..cases() {
                    let (pose, [first, second]) = pose(&mut random);
                    let axis = random.direction();
                    let parts = [first, second].map(|bone| wide(bone).normalize().dot(axis).abs());
                    if parts.iter().any(|part| *part > 0.9) {
                        continue;
                    }
                    let axis = vector(axis);
                    let most = if i % 2 == 0 { 1.0 } else { 1.5 };
                    let stretched =
                        |pose: BindPose<$vec3>| pose.with_limb(|limb| limb.with_stretch(0.5, most));
                    let Ok(pose) = pose.with_hinge(axis).and_then(stretched) else {
                        continue;
                    };
                    let (start, target, pole) = ends(&mut random, &pose);
                    let goal = Goal::new(start, target).with_pole(Pole::Direction(pole));
                    let posed = pose.solve(&goal).expect("finite");
                    let solved = posed.solution;
                    let [first, second] = [first, second].map(|bone| bone * solved.stretch);
                    let mid = start + posed.start_rotation * first;
                    let end = mid + posed.start_rotation * (posed.mid_rotation * second);
                    // The hinge's arms are at least 0.4 of the bones, and the shape's line
                    // start–end is as short as the hole.
                    let d = (wide(solved.end) - wide(start)).length();
                    let reach = f64::from(pose.limb().reach() * solved.stretch);
                    let tolerance = 256.0 * U * (2.0 + reach) * (2.0 + reach) / d;
                    assert!((wide(mid) - wide(solved.mid)).length() <= tolerance);
                    assert!((wide(end) - wide(solved.end)).length() <= tolerance);
                    let turned = wide(posed.mid_rotation * axis - axis).length();
                    assert!(turned <= 16.0 * U);
                    met += usize::from(solved.reached && solved.end == target);
                }
                assert!(met > cases() / 2);
            }

            /// A second hinge leaves nothing of the first one, and the settings of the limb as
            /// they are.
            #[test]
            fn second_hinge_replaces_first() {
                let mut random = Random(29);
                let mut compared = 0;
                for i in 0..cases() / 8 {
                    let (pose, [first, second]) = pose(&mut random);
                    let [one, other] = [(); 2].map(|()| vector::<$vec3>(random.direction()));
                    let other = if i % 4 == 0 { first.cross(second) } else { other };
                    let turn = |radians| Turn::from_radians(radians).expect("finite");
                    let limits = |pose: BindPose<$vec3>| {
                        pose.with_limb(|limb| match i % 3 {
                            0 => Ok(limb),
                            1 => limb.with_hinge_limits(turn(0.1), turn(2.9)),
                            _ => limb.with_stretch(0.5, 1.5),
                        })
                    };
                    let expected = limits(pose).and_then(|pose| pose.with_hinge(other));
                    let late = limits(pose)
                        .and_then(|pose| pose.with_hinge(one))
                        .and_then(|pose| pose.with_hinge(other));
                    let early = pose
                        .with_hinge(one)
                        .and_then(limits)
                        .and_then(|pose| pose.with_hinge(other));
                    for found in [late, early] {
                        if let (Ok(found), Ok(expected)) = (found, expected) {
                            assert_eq!(found, expected);
                            compared += 1;
                        }
                    }
                }
                assert!(compared > cases() / 16, "{compared}");
            }

            #[test]
            fn hinge_along_bone_is_an_error() {
                let mut random = Random(30);
                for _ in 0..cases() / 8 {
                    let (pose, bones) = pose(&mut random);
                    for bone in bones {
                        let axis = bone * random.between(-3.0, 3.0) as $real;
                        let expected = Err(Error::NoDirection { argument: "hinge axis" });
                        assert_eq!(pose.with_hinge(axis), expected, "{bones:?}");
                    }
                }
            }

            /// Kept, the end does not turn; set, it turns as told; following, not at all
            /// against its bone.
            #[test]
            fn end_rotation_is_kept_or_set() {
                let mut random = Random(25);
                for _ in 0..cases() {
                    let (pose, _) = pose(&mut random);
                    let (start, target, pole) = ends(&mut random, &pose);
                    let goal = Goal::new(start, target).with_pole(Pole::Direction(pole));
                    let wanted = narrow(rotation(&mut random));
                    let weight = random.next() as $real;
                    let total = |end_rotation, weight| {
                        let posed =
                            pose.solve(&goal.with_end_rotation(end_rotation).with_weight(weight));
                        let posed = posed.expect("finite");
                        let limb = posed.start_rotation * posed.mid_rotation;
                        (limb, limb * posed.end_rotation)
                    };
                    let near = |a: $quat, b: $quat| {
                        let dot = f64::from(a.dot(b).abs());
                        assert!(1.0 - dot <= 32.0 * U, "{a} {b}");
                    };
                    near(total(EndRotation::Keep, weight).1, $quat::IDENTITY);
                    near(total(EndRotation::Set(wanted), 1.0).1, wanted);
                    near(total(EndRotation::Set(wanted), 0.0).1, $quat::IDENTITY);
                    let (limb, end) = total(EndRotation::Follow, weight);
                    near(limb, end);
                }
            }

            /// The twist of a swing after a twist is the twist, and shares of it add up.
            #[test]
            fn twist_shares_add_up() {
                let mut random = Random(26);
                for _ in 0..cases() {
                    let axis = random.direction();
                    let angle = random.between(-3.0, 3.0);
                    let across = axis.any_orthonormal_vector();
                    let swing = DQuat::from_axis_angle(across, random.between(-2.0, 2.0));
                    let hand = narrow(swing * DQuat::from_axis_angle(axis, angle));
                    let share = random.next();
                    let part = |share: f64| {
                        twist_share(hand, vector::<$vec3>(axis), share as $real).expect("finite")
                    };
                    let expected = narrow(DQuat::from_axis_angle(axis, angle * share));
                    let (a, b) = (part(share), part(1.0 - share));
                    assert!(f64::from((a - expected).length()) <= 64.0 * U);
                    assert!(f64::from((a * b - part(1.0)).length()) <= 64.0 * U);
                }
            }
        }
    };
}

properties!(single, f32, Vec3, Quat);
properties!(double, f64, DVec3, DQuat);
