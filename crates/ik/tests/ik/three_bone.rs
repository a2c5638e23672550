//! Limbs of three bones, in `f32` and `f64`, in the plane and in space.

macro_rules! properties {
    ($precision:ident, $real:ident, $vec2:ident, $vec3:ident) => {
        mod $precision {
            use glam::{$vec2, $vec3};
            use tarsus_ik::{Side, ThreeBone};

            use crate::random::{Random, cases};

            const U: f64 = $real::EPSILON as f64 / 2.0;

            fn length(v: $vec3) -> f64 {
                let [x, y, z] = v.to_array().map(f64::from);
                (x * x + y * y + z * z).sqrt()
            }

            /// All three bones keep their lengths; targets within reach are met; the joints
            /// are in the plane of line and pole, on the sides that the limb says.
            #[test]
            fn bones_keep_lengths_and_meet_targets() {
                let mut random = Random(31);
                for i in 0..cases() {
                    let lengths = [(); 3].map(|()| random.between(0.05, 2.0) as $real);
                    let [r1, r2, r3] = lengths;
                    let limb = ThreeBone::new(r1, r2, r3).expect("valid");
                    let share = [0.0, random.next(), 1.0][i % 3];
                    let mut limb = limb.with_distribution(share as $real).expect("a share");
                    let is_opposed = i % 2 == 0;
                    if is_opposed {
                        limb = limb.with_opposed_bends();
                    }
                    let (hole, reach) = (f64::from(limb.hole()), f64::from(limb.reach()));
                    let d = [0.0, random.between(0.0, 1.5), 1.0][i % 7 % 3] * reach;
                    let vector =
                        |v: glam::DVec3| $vec3::new(v.x as $real, v.y as $real, v.z as $real);
                    let (target, pole) =
                        (vector(random.direction() * d), vector(random.direction()));
                    let solved = limb.solve($vec3::ZERO, target, pole).expect("finite");
                    let bound = 24.0 * U * reach;
                    let bones =
                        [solved.first, solved.second - solved.first, solved.end - solved.second];
                    for (bone, wanted) in bones.into_iter().zip(lengths) {
                        let off = (length(bone) - f64::from(wanted)).abs();
                        assert!(off <= bound, "{limb:?} {target} off by {} uL", off / U / reach);
                    }
                    let d = length(target);
                    if d > hole + bound && d < reach - bound {
                        assert!(solved.reached && solved.end == target);
                    } else if d > reach + bound || d < hole - bound {
                        assert!(!solved.reached);
                    }
                    if d > 0.1 * reach {
                        let line = target / d as $real;
                        let side = pole - line * pole.dot(line);
                        let side = side / length(side).max(1e-3) as $real;
                        let slack = 1e3 * bound;
                        let height = f64::from(solved.second.dot(side));
                        assert!(if is_opposed { height <= slack } else { height >= -slack });
                    }

                    let flat = $vec2::new(target.x, target.y);
                    let solved = limb.solve($vec2::ZERO, flat, Side::Left).expect("finite");
                    let bones =
                        [solved.first, solved.second - solved.first, solved.end - solved.second];
                    for (bone, wanted) in bones.into_iter().zip(lengths) {
                        let off = (f64::from(bone.length()) - f64::from(wanted)).abs();
                        assert!(off <= bound + 2.0 * U * f64::from(wanted));
                    }
                }
            }

            /// A step δ of the target moves each joint by at most 6√(L(δ + uL)) where the
            /// bends are not next to a fold: heights grow as square roots of the step, and
            /// the second triangle has the first one's step.
            #[test]
            fn joints_are_continuous_in_target() {
                let mut random = Random(32);
                for i in 0..cases() {
                    let lengths = [(); 3].map(|()| random.between(0.5, 1.5) as $real);
                    let [r1, r2, r3] = lengths;
                    let limb = ThreeBone::new(r1, r2, r3)
                        .and_then(|limb| limb.with_distribution(random.between(0.2, 0.8) as $real))
                        .expect("valid");
                    let limb = if i % 2 == 0 { limb.with_opposed_bends() } else { limb };
                    let reach = f64::from(limb.reach());
                    let d = random.between(0.5, 1.2) * reach;
                    let step = 1e-4 * reach;
                    let direction = random.direction();
                    let vector =
                        |v: glam::DVec3| $vec3::new(v.x as $real, v.y as $real, v.z as $real);
                    let pole = vector(direction.any_orthonormal_vector());
                    let at = |d: f64| {
                        limb.solve($vec3::ZERO, vector(direction * d), pole).expect("finite")
                    };
                    let (here, next) = (at(d), at(d + step));
                    let bound = 6.0 * (reach * (step + U * reach)).sqrt();
                    assert!(length(next.first - here.first) <= bound, "{limb:?} {d}");
                    assert!(length(next.second - here.second) <= bound, "{limb:?} {d}");
                    assert!(length(next.end - here.end) <= 2.0 * step + 32.0 * U * reach);
                }
            }
        }
    };
}

properties!(single, f32, Vec2, Vec3);
properties!(double, f64, DVec2, DVec3);
