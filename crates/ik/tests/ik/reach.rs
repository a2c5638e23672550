//! Hinge limits, bounded stretch, soft reach and soft folding, in `f32` and `f64`.

macro_rules! properties {
    ($precision:ident, $real:ident, $vec3:ident) => {
        mod $precision {
            use glam::$vec3;
            use tarsus_ik::{Turn, TwoBone};

            use crate::random::{Random, cases};

            const U: f64 = $real::EPSILON as f64 / 2.0;

            fn turn(radians: f64) -> Turn<$real> {
                Turn::from_radians(radians as $real).expect("finite")
            }

            /// A limb, a unit vector to its target, and a pole.
            fn limb(random: &mut Random) -> (TwoBone<$real>, $vec3, $vec3) {
                let (r1, r2) = (random.between(0.2, 2.0), random.between(0.2, 2.0));
                let limb = TwoBone::new(r1 as $real, r2 as $real).expect("valid");
                let direction = random.direction();
                let vector = |v: glam::DVec3| $vec3::new(v.x as $real, v.y as $real, v.z as $real);
                (limb, vector(direction), vector(random.direction()))
            }

            fn length(v: $vec3) -> f64 {
                let [x, y, z] = v.to_array().map(f64::from);
                (x * x + y * y + z * z).sqrt()
            }

            /// The cosine of the bend stays between those of the limits, to 16uL²/(r1·r2), and
            /// both bones keep their lengths.
            #[test]
            fn hinge_limits_hold_everywhere() {
                let mut random = Random(11);
                for _ in 0..cases() {
                    let (limb, direction, pole) = limb(&mut random);
                    let least = random.between(0.0, 2.0);
                    let most = random.between(least, 3.1);
                    let limb = limb.with_hinge_limits(turn(least), turn(most)).expect("in order");
                    let (r1, r2) = limb.lengths();
                    let (r1, r2) = (f64::from(r1), f64::from(r2));
                    let target = direction * (random.between(0.0, 1.5) * (r1 + r2)) as $real;
                    let solved = limb.solve($vec3::ZERO, target, pole).expect("finite");
                    let slack = 16.0 * U * (r1 + r2) * (r1 + r2) / (r1 * r2);
                    let cos = f64::from(solved.bend.cos());
                    assert!(cos <= least.cos() + slack && cos >= most.cos() - slack);
                    assert!((length(solved.mid) - r1).abs() <= 8.0 * U * (r1 + r2));
                    let second = length(solved.end - solved.mid);
                    assert!((second - r2).abs() <= 10.0 * U * (r1 + r2));
                    let d = length(target);
                    let margin = 8.0 * U * (r1 + r2);
                    if d > f64::from(limb.hole()) + margin && d < f64::from(limb.reach()) - margin {
                        assert!(solved.reached && solved.end == target);
                    }
                }
            }

            /// A half turn, which `f32` rounds up, is no limit; a negative angle is an error.
            #[test]
            fn hinge_limits_accept_half_turn() {
                let limb = TwoBone::<$real>::new(1.0, 0.8).expect("valid");
                let half = Turn::from_degrees(180.0).expect("finite");
                assert_eq!(limb.with_hinge_limits(Turn::NONE, half), Ok(limb));
                let negative = Turn::from_degrees(-1e-3).expect("finite");
                assert!(limb.with_hinge_limits(negative, half).is_err());
                assert!(limb.with_hinge_limits(Turn::NONE, negative).is_err());
            }

            /// Both bones lengthen by the same factor, up to the maximum, and every target
            /// up to that is met.
            #[test]
            fn stretch_meets_targets_up_to_maximum() {
                let mut random = Random(12);
                for _ in 0..cases() {
                    let (limb, direction, pole) = limb(&mut random);
                    let (from, max) = (random.between(0.5, 1.0), random.between(1.0, 2.0));
                    let limb = limb.with_stretch(from as $real, max as $real).expect("valid");
                    let (r1, r2) = limb.lengths();
                    let (r1, r2) = (f64::from(r1), f64::from(r2));
                    let d = random.between(0.0, 2.5) * (r1 + r2);
                    let solved = limb.solve($vec3::ZERO, direction * d as $real, pole);
                    let solved = solved.expect("finite");
                    let stretch = f64::from(solved.stretch);
                    assert!((1.0..=max * (1.0 + 2.0 * U)).contains(&stretch));
                    if d < from * (r1 + r2) {
                        assert_eq!(stretch, 1.0);
                    }
                    let bound = 16.0 * U * (r1 + r2) * stretch;
                    assert!((length(solved.mid) - r1 * stretch).abs() <= bound);
                    let second = length(solved.end - solved.mid);
                    assert!((second - r2 * stretch).abs() <= bound);
                    let hole = (r1 - r2).abs();
                    if d > hole + bound && d < max * (r1 + r2) - bound {
                        assert!(solved.reached, "{limb:?} {d}");
                    }
                }
            }

            /// A step of the target moves the end joint at most 1 + (1 + reach/hole) times
            /// as far, with all settings on, and never beyond the limits.
            #[test]
            fn all_settings_keep_end_continuous() {
                let mut random = Random(13);
                for _ in 0..cases() {
                    let (limb, direction, pole) = limb(&mut random);
                    let limb = limb.with_hinge_limits(turn(0.3), turn(2.5)).expect("in order");
                    let (hole, reach) = (limb.hole(), limb.reach());
                    let at = |share: f64| hole + (reach - hole) * share as $real;
                    let limb = limb
                        .with_soft_fold(at(random.between(0.1, 0.4)))
                        .and_then(|limb| limb.with_soft_reach(at(random.between(0.5, 0.9))))
                        .and_then(|limb| limb.with_stretch(0.9, 1.2))
                        .expect("within reach");
                    let d = random.between(0.01, 2.0) * f64::from(reach);
                    let step = 1e-3 * f64::from(reach);
                    let end = |d: f64| {
                        let target = direction * d as $real;
                        limb.solve($vec3::ZERO, target, pole).expect("finite").end
                    };
                    let (here, next) = (end(d), end(d + step));
                    let rounding = 32.0 * U * f64::from(reach);
                    // The slope of the easing is at most 1, that of the stretch 0.2/0.3.
                    assert!(length(next - here) <= 2.0 * step + rounding);
                    // Monotone: a farther target never brings the end nearer.
                    assert!(length(next) >= length(here) - rounding);
                    assert!(length(here) >= f64::from(hole) - rounding);
                    assert!(length(next) <= 1.2 * f64::from(reach) + rounding);
                }
            }
        }
    };
}

properties!(single, f32, Vec3);
properties!(double, f64, DVec3);

#[test]
fn soft_reach_error_prints_its_limits() {
    let leg = tarsus_ik::TwoBone::new(0.45_f32, 0.42).expect("lengths");
    let far = leg.with_soft_reach(0.9).expect_err("beyond the reach").to_string();
    assert!(far.contains("between 0 and 0.87,"), "{far}");
    let near = leg.with_soft_fold(0.01).expect_err("within the hole").to_string();
    assert!(near.contains("soft folding") && near.contains("between 0.03"), "{near}");
}

#[test]
fn soft_reach_error_prints_all_magnitudes() {
    let limb = |r1: f64, r2: f64| tarsus_ik::TwoBone::new(r1, r2).expect("lengths");
    for (limb, begin, limits) in [
        (limb(1e300, 1e299), 2e300, "between 0 and 1.1e300,"),
        (limb(1e-60, 1e-60), 1.0, "between 0 and 2e-60,"),
        (limb(1e8 + 1.0, 1.0), f64::INFINITY, "between 0 and 100000002,"),
    ] {
        let error = limb.with_soft_reach(begin).expect_err("beyond the reach").to_string();
        assert!(error.contains(limits), "{error}");
    }
}

/// The cosines of these angles are equal in `f32`.
#[test]
fn small_limits_in_wrong_order_are_an_error() {
    let limb = tarsus_ik::TwoBone::new(1.0_f32, 1.0).expect("lengths");
    let turn = |cos, radians| tarsus_ik::Turn::new(cos, radians).expect("a direction");
    for (least, most) in [(turn(1.0, 1e-4), turn(1.0, 2e-4)), (turn(-1.0, 2e-4), turn(-1.0, 1e-4))]
    {
        assert_eq!(least.cos(), most.cos());
        assert!(limb.with_hinge_limits(least, most).is_ok());
        let reversed = limb.with_hinge_limits(most, least);
        assert_eq!(reversed, Err(tarsus_ik::Error::HingeLimits));
    }
}
