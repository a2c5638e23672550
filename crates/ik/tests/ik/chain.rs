//! Legs of four segments, in `f32` and `f64`.

macro_rules! properties {
    ($precision:ident, $real:ident, $vec3:ident) => {
        mod $precision {
            use glam::*;
            use tarsus_ik::chain::{Leg, LegLengths, LegMount};

            use crate::random::{Random, cases, vector, wide};

            const U: f64 = $real::EPSILON as f64 / 2.0;

            /// A leg with the hip at the origin, and the sum of its lengths.
            fn leg(random: &mut Random) -> (LegLengths<$real>, LegMount<$vec3>, f64) {
                let [coxa, femur, tibia, tarsus] = [(); 4].map(|()| random.between(0.1, 1.5));
                let lengths = LegLengths {
                    coxa: coxa as $real,
                    femur: femur as $real,
                    tibia: tibia as $real,
                    tarsus: tarsus as $real,
                };
                let up = random.direction();
                let mount = LegMount {
                    hip: $vec3::ZERO,
                    up: vector(up),
                    rest_direction: vector(up.any_orthonormal_vector()),
                    tarsus_direction: vector(random.direction()),
                };
                (lengths, mount, coxa + femur + tibia + tarsus)
            }

            fn joints(leg: Leg<$vec3>) -> [DVec3; 5] {
                [leg.hip, leg.trochanter, leg.knee, leg.ankle, leg.foot].map(wide)
            }

            /// All segments keep their lengths, and a leg that reaches its target is there.
            #[test]
            fn segments_keep_lengths_and_meet_targets() {
                let mut random = Random(71);
                let mut met = 0;
                for _ in 0..cases() {
                    let (lengths, mount, sum) = leg(&mut random);
                    let target = random.direction() * sum * random.between(0.0, 1.2);
                    let solved = lengths.solve(&mount, vector(target)).expect("finite");
                    let joints = joints(solved);
                    let LegLengths { coxa, femur, tibia, tarsus } = lengths;
                    for (pair, wanted) in joints.windows(2).zip([coxa, femur, tibia, tarsus]) {
                        let off = (pair[1].distance(pair[0]) - f64::from(wanted)).abs();
                        assert!(off <= 12.0 * U * sum, "{lengths:?} {mount:?} {target}: {off}");
                    }
                    if solved.reached {
                        met += 1;
                        assert!(joints[4].distance(wide(vector::<$vec3>(target))) <= 8.0 * U * sum);
                    }
                }
                assert!(met > cases() / 3);
            }

            /// A step δ of the target moves each joint by at most 6√(L(δ + uL)), as for two
            /// bones, if the ankle is not next to the axis that the coxa yaws about.
            #[test]
            fn joints_are_continuous_in_target() {
                let mut random = Random(72);
                let mut counted = 0;
                for _ in 0..cases() {
                    let (lengths, mount, sum) = leg(&mut random);
                    let target = random.direction() * sum * random.between(0.3, 1.2);
                    let step = 1e-5 * sum;
                    let solve = |target| lengths.solve(&mount, vector(target)).expect("finite");
                    let tarsus = wide(mount.tarsus_direction) * f64::from(lengths.tarsus);
                    let ankle = target - tarsus;
                    if ankle.cross(wide(mount.up)).length() < 0.3 * sum {
                        continue;
                    }
                    // Next to the trochanter the femur may turn to any side.
                    let here = joints(solve(target));
                    if here[1].distance(ankle) < 0.1 * sum {
                        continue;
                    }
                    counted += 1;
                    let next = joints(solve(target + random.direction() * step));
                    let bound = 6.0 * (sum * (step + U * sum)).sqrt();
                    for (here, next) in here.iter().zip(next) {
                        assert!(here.distance(next) <= bound, "{lengths:?} {mount:?} {target}");
                    }
                }
                assert!(counted > cases() / 4);
            }
        }
    };
}

properties!(single, f32, Vec3);
properties!(double, f64, DVec3);
