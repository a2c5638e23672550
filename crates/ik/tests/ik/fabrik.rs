//! FABRIK keeps lengths and limits, and converges, in `f32` and `f64`.

macro_rules! properties {
    ($precision:ident, $real:ident, $vec3:ident) => {
        mod $precision {
            use glam::$vec3;
            use tarsus_ik::Turn;
            use tarsus_ik::fabrik::{Fabrik, bone_lengths};

            use crate::random::{Random, cases};

            const U: f64 = $real::EPSILON as f64 / 2.0;

            fn vector(v: glam::DVec3) -> $vec3 {
                $vec3::new(v.x as $real, v.y as $real, v.z as $real)
            }

            /// A chain of `N` bones that bend by at most 40° each.
            fn chain<const N: usize>(random: &mut Random) -> [$vec3; N] {
                let mut at = glam::DVec3::ZERO;
                let mut bone = random.direction();
                core::array::from_fn(|_| {
                    let joint = vector(at);
                    bone = (bone + random.direction() * 0.6).normalize();
                    at += bone * random.between(0.3, 1.0);
                    joint
                })
            }

            fn length(v: $vec3) -> f64 {
                let [x, y, z] = v.to_array().map(f64::from);
                (x * x + y * y + z * z).sqrt()
            }

            #[test]
            fn chain_keeps_lengths_and_limits() {
                let mut random = Random(51);
                for _ in 0..cases() {
                    let mut joints = chain::<6>(&mut random);
                    let mut lengths = [0.0; 5];
                    bone_lengths(&joints, &mut lengths).expect("apart");
                    let most = random.between(0.1, 2.0);
                    let turn = Turn::from_radians(most as $real).expect("finite");
                    let fabrik = Fabrik::new(4, 1e-3).and_then(|f| f.with_bend_limit(turn));
                    let target = vector(random.direction() * random.between(0.0, 5.0));
                    let start = joints[0];
                    let solved = fabrik.expect("valid").solve(&mut joints, &lengths, target);
                    let solved = solved.expect("finite");
                    assert_eq!(joints[0], start);
                    let off = length(joints[5] - target);
                    assert!((f64::from(solved.distance) - off).abs() <= 16.0 * U * 8.0);
                    let bones: Vec<_> = joints.windows(2).map(|pair| pair[1] - pair[0]).collect();
                    for (bone, wanted) in bones.iter().zip(lengths) {
                        assert!((length(*bone) - f64::from(wanted)).abs() <= 32.0 * U);
                    }
                    for pair in bones.windows(2) {
                        let cos =
                            f64::from(pair[0].dot(pair[1])) / length(pair[0]) / length(pair[1]);
                        assert!(cos >= most.cos() - 128.0 * U, "{cos} {most}");
                    }
                }
            }
        }
    };
}

properties!(single, f32, Vec3);
properties!(double, f64, DVec3);

use glam::DVec3;
use tarsus_ik::Turn;
use tarsus_ik::fabrik::{Fabrik, bone_lengths};

use super::random::Random;

/// Share of random chains of `N` joints that come within 10⁻³ of the reach.
fn share<const N: usize>(iterations: usize, most: Option<f64>, chains: usize) -> f64 {
    let mut random = Random(52);
    let mut near = 0;
    for _ in 0..chains {
        let mut at = DVec3::ZERO;
        let mut bone = random.direction();
        let mut joints: [DVec3; N] = core::array::from_fn(|_| {
            let joint = at;
            bone = (bone + random.direction() * 0.3).normalize();
            at += bone * random.between(0.5, 1.0);
            joint
        });
        let mut lengths = vec![0.0; N - 1];
        bone_lengths(&joints, &mut lengths).expect("apart");
        let reach: f64 = lengths.iter().sum();
        let mut fabrik = Fabrik::new(iterations, 1e-3 * reach).expect("finite");
        if let Some(most) = most {
            let most = Turn::from_radians(most).expect("finite");
            fabrik = fabrik.with_bend_limit(most).expect("positive");
        }
        let target = random.direction() * reach * random.between(0.2, 0.9);
        let solved = fabrik.solve(&mut joints, &lengths, target).expect("finite");
        near += usize::from(solved.distance <= 1e-3 * reach);
    }
    near as f64 / chains as f64
}

/// Prints the table of the documentation.
#[test]
fn convergence_matches_documented_shares() {
    let chains = 20_000;
    let row = |name, share: fn(usize, Option<f64>, usize) -> f64, most| {
        let shares = [5, 10, 20, 50].map(|iterations| share(iterations, most, chains));
        let cells = shares.map(|share| format!(" {:.1} % |", 100.0 * share));
        println!("//! | {name} |{}", cells.concat());
        shares
    };
    let free = row("4 bones", share::<5>, None);
    row("4 bones, limited to 60°", share::<5>, Some(1.047));
    let long = row("12 bones", share::<13>, None);
    row("12 bones, limited to 60°", share::<13>, Some(1.047));
    assert!(free[3] > 0.95 && long[3] > 0.95 && free[0] < free[2]);
}
