//! Measures the error of every solver of the crate, and of its alternatives.
//!
//! `cargo run --release -p tarsus-ik --example solver_accuracy [INPUTS]` prints one row per
//! solver, with the largest errors over random inputs:
//!
//! - **lengths**: off by how much the bones are, in units of u·L, where u is the unit
//!   roundoff of the float type and L the reach. The residuals |x − y|² − r² are summed in
//!   pairs of `f64`, so the columns for `f64` are exact to about 2⁻¹⁰⁰.
//! - **joints**: distance of the joints in `f32` from those that the same solver computes
//!   in `f64` for the same inputs, in units of u·L of `f32`. The solution in `f64` is wrong
//!   by 2⁻²⁹ of that.
//! - **end**: distance of the end joint from a target within reach, in units of u·L.
//!
//! Rows with rotations take the joints by forward kinematics, and a hand as long as the
//! reach. Targets are at a tenth to
//! nine tenths of the way from the hole to the reach and at least 20° from the pole, where
//! the solution is well conditioned; the table of the example `accuracy` has the rest.

#[path = "../benches/ik/iterative.rs"]
#[expect(dead_code, reason = "the bench uses the others")]
mod iterative;
#[path = "../benches/ik/ozz.rs"]
mod ozz;
#[path = "../benches/ik/uniform.rs"]
mod uniform;

use glam::{DVec3, Vec3};

use uniform::Uniform;

/// Random numbers that every solver gets, all exact in `f32`.
struct Inputs {
    lengths: [f32; 4],
    /// Unit vectors: direction of the target, pole, hinge, normal of the ground.
    directions: [Vec3; 4],
    shares: [f32; 3],
}

/// Joints of a chain from the start on, and the lengths of the bones between them.
struct Solved {
    joints: Vec<DVec3>,
    lengths: Vec<f64>,
    /// A target within reach, and the joint that should be there.
    target: Option<(DVec3, usize)>,
}

/// A solver in `f32` and, if it has one, in `f64`.
struct Solver {
    name: &'static str,
    single: fn(&Inputs) -> Solved,
    double: Option<fn(&Inputs) -> Solved>,
}

macro_rules! solvers {
    ($precision:ident, $real:ident, $vec3:ident, $quat:ident) => {
        mod $precision {
            use glam::*;
            use tarsus_ik::chain::{LegLengths, LegMount};
            use tarsus_ik::fabrik::Fabrik;
            use tarsus_ik::*;

            use super::{Inputs, Solved};

            fn vector(v: glam::Vec3) -> $vec3 {
                $vec3::new(v.x.into(), v.y.into(), v.z.into())
            }

            fn solved(joints: &[$vec3], lengths: &[$real], target: Option<$vec3>) -> Solved {
                let wide = |v: &$vec3| DVec3::new(v.x.into(), v.y.into(), v.z.into());
                Solved {
                    joints: joints.iter().map(wide).collect(),
                    lengths: lengths.iter().map(|&length| length.into()).collect(),
                    target: target.as_ref().map(|v| (wide(v), joints.len() - 1)),
                }
            }

            fn turn(radians: f64) -> Turn<$real> {
                Turn::from_radians(radians as $real).expect("finite")
            }

            fn limb(inputs: &Inputs) -> (TwoBone<$real>, $real, $real) {
                let [r1, r2, ..] = inputs.lengths.map($real::from);
                (TwoBone::new(r1, r2).expect("valid"), r1, r2)
            }

            /// The target at the share of the way from the hole to the reach.
            fn target(inputs: &Inputs, hole: $real, reach: $real) -> $vec3 {
                let share = 0.1 + 0.8 * $real::from(inputs.shares[0]);
                vector(inputs.directions[0]) * (hole + (reach - hole) * share)
            }

            fn place(inputs: &Inputs, limb: &TwoBone<$real>, target: $vec3) -> Solved {
                let (r1, r2) = limb.lengths();
                let pole = vector(inputs.directions[1]);
                let found = limb.solve($vec3::ZERO, target, pole).expect("finite");
                let (r1, r2) = (r1 * found.stretch, r2 * found.stretch);
                let target = found.reached.then_some(target);
                solved(&[$vec3::ZERO, found.mid, found.end], &[r1, r2], target)
            }

            pub fn two_bone(inputs: &Inputs) -> Solved {
                let (limb, ..) = limb(inputs);
                place(inputs, &limb, target(inputs, limb.hole(), limb.reach()))
            }

            pub fn soft_reach(inputs: &Inputs) -> Solved {
                let (limb, ..) = limb(inputs);
                let from = limb.hole() + (limb.reach() - limb.hole()) * 0.5;
                let target = target(inputs, limb.hole(), limb.reach());
                place(inputs, &limb.with_soft_reach(from).expect("within"), target)
            }

            pub fn hinge_limits(inputs: &Inputs) -> Solved {
                let (limb, ..) = limb(inputs);
                let target = target(inputs, limb.hole(), limb.reach());
                place(
                    inputs,
                    &limb.with_hinge_limits(turn(0.7), turn(1.9)).expect("in order"),
                    target,
                )
            }

            pub fn stretch(inputs: &Inputs) -> Solved {
                let (limb, ..) = limb(inputs);
                let target = target(inputs, limb.hole(), limb.reach() * 1.2);
                place(inputs, &limb.with_stretch(0.8, 1.3).expect("valid"), target)
            }

            pub fn three_bone(inputs: &Inputs) -> Solved {
                let [r1, r2, r3, _] = inputs.lengths.map($real::from);
                let share = 0.2 + 0.6 * $real::from(inputs.shares[1]);
                let limb = ThreeBone::new(r1, r2, r3)
                    .and_then(|limb| limb.with_distribution(share))
                    .expect("valid");
                let target = target(inputs, limb.hole(), limb.reach());
                let pole = vector(inputs.directions[1]);
                let found = limb.solve($vec3::ZERO, target, pole).expect("finite");
                let joints = [$vec3::ZERO, found.first, found.second, found.end];
                solved(&joints, &[r1, r2, r3], Some(target))
            }

            pub fn leg(inputs: &Inputs) -> Solved {
                let [femur, tibia, coxa, tarsus] = inputs.lengths.map($real::from);
                let lengths = LegLengths { coxa, femur, tibia, tarsus };
                let mount = LegMount {
                    hip: $vec3::ZERO,
                    up: vector(inputs.directions[1]),
                    rest_direction: vector(inputs.directions[2]),
                    tarsus_direction: -vector(inputs.directions[1]),
                };
                // A trochanter beside the hip, and an ankle within reach of it.
                let up = vector(inputs.directions[1]);
                let outward = up.cross(vector(inputs.directions[0])).cross(up).normalize();
                let (limb, ..) = limb(inputs);
                let ankle = target(inputs, limb.hole(), limb.reach());
                let outer = ankle.dot(outward).abs() * outward + up * ankle.dot(up);
                let foot = outward * coxa + outer - up * tarsus;
                let found = lengths.solve(&mount, foot).expect("finite");
                let joints = [found.hip, found.trochanter, found.knee, found.ankle, found.foot];
                solved(&joints, &[coxa, femur, tibia, tarsus], Some(foot))
            }

            /// Joints by forward kinematics with the rotations of a goal. The bones are bent
            /// by a right angle in the pose.
            fn pose(
                inputs: &Inputs,
                hinge: Option<$vec3>,
                goal: impl Fn(Goal<$vec3>) -> Goal<$vec3>,
            ) -> Solved {
                let (limb, r1, r2) = limb(inputs);
                let (first, second) = ($vec3::X * r1, $vec3::Y * r2);
                let mut pose =
                    BindPose::new($vec3::ZERO, first, first + second, $vec3::NEG_Y).expect("valid");
                if let Some(hinge) = hinge {
                    pose = pose.with_hinge(hinge).expect("across the bones");
                }
                let (hole, reach) = (pose.limb().hole(), pose.limb().reach());
                let target = target(inputs, hole, reach);
                let pole = vector(inputs.directions[1]);
                let aim = Goal::new($vec3::ZERO, target).with_pole(Pole::Direction(pole));
                let posed = pose.solve(&goal(aim)).expect("finite");
                let mid = posed.start_rotation * first;
                let end = mid + posed.start_rotation * (posed.mid_rotation * second);
                let hand = posed.start_rotation * posed.mid_rotation * posed.end_rotation;
                let reach = limb.reach();
                let tip = end + hand * ($vec3::Z * reach);
                let joints = [$vec3::ZERO, mid, end, tip];
                let target = posed.solution.reached.then_some(target);
                let found = solved(&joints, &[r1, r2, reach], target);
                Solved { target: found.target.map(|(target, _)| (target, 2)), ..found }
            }

            pub fn rotations(inputs: &Inputs) -> Solved {
                pose(inputs, None, |goal| goal)
            }

            pub fn weight(inputs: &Inputs) -> Solved {
                pose(inputs, None, |goal| goal.with_weight(inputs.shares[1].into()))
            }

            pub fn pole_weight(inputs: &Inputs) -> Solved {
                pose(inputs, None, |goal| {
                    goal.with_pole_weight(0.9 + 0.1 * $real::from(inputs.shares[1]))
                })
            }

            pub fn twist(inputs: &Inputs) -> Solved {
                pose(inputs, None, |goal| {
                    goal.with_twist(turn(6.0 * f64::from(inputs.shares[1]) - 3.0))
                })
            }

            pub fn tilted_hinge(inputs: &Inputs) -> Solved {
                pose(inputs, Some($vec3::new(0.3, -0.2, -0.8)), |goal| goal)
            }

            pub fn end_rotation(inputs: &Inputs) -> Solved {
                let axis = vector(inputs.directions[2]).normalize();
                let set = $quat::from_axis_angle(axis, inputs.shares[1].into());
                pose(inputs, None, |goal| goal.with_end_rotation(EndRotation::Set(set)))
            }

            pub fn shared_twist(inputs: &Inputs) -> Solved {
                let axis = vector(inputs.directions[2]).normalize();
                let hand = $quat::from_axis_angle(axis, inputs.shares[1].into());
                let bone = vector(inputs.directions[0]);
                let part = twist_share(hand, bone, inputs.shares[2].into()).expect("finite");
                solved(&[$vec3::ZERO, part * $vec3::X], &[1.0], None)
            }

            /// The ankle, heel and toe of a rolled foot of length 1; the point rolled about is
            /// the target.
            pub fn foot_roll(inputs: &Inputs) -> Solved {
                let (heel, toe) = ($vec3::new(0.0, -0.5, -0.25), $vec3::new(0.0, -0.5, 0.75));
                let foot = Foot { heel, toe, up: $vec3::Y };
                let footing = Footing {
                    point: $vec3::ZERO,
                    normal: vector(inputs.directions[3]),
                    heading: vector(inputs.directions[3]).cross(vector(inputs.directions[1])),
                };
                let roll = |radians| foot.place(&footing, turn(radians)).expect("finite");
                let at = |placed: PlacedFoot<$vec3>, p: $vec3| placed.ankle + placed.rotation * p;
                let (flat, rolled) = (roll(0.0), roll(f64::from(inputs.shares[1])));
                let joints = [rolled.ankle, at(rolled, heel), at(rolled, toe)];
                let ankle_to_heel = (5.0 as $real).sqrt() / 4.0;
                solved(&joints, &[ankle_to_heel, 1.0], Some(at(flat, toe)))
            }

            pub fn fabrik(inputs: &Inputs, iterations: usize) -> Solved {
                let lengths = inputs.lengths.map($real::from);
                let mut joints = [$vec3::ZERO; 5];
                for (i, length) in lengths.iter().enumerate() {
                    let bend = vector(inputs.directions[1]) * (0.2 * i as $real);
                    let bone = (vector(inputs.directions[2]) + bend).normalize() * *length;
                    joints[i + 1] = joints[i] + bone;
                }
                let reach: $real = lengths.iter().sum();
                let target = vector(inputs.directions[0])
                    * (reach * (0.2 + 0.6 * $real::from(inputs.shares[0])));
                let fabrik = Fabrik::new(iterations, 0.0).expect("finite");
                fabrik.solve(&mut joints, &lengths, target).expect("finite");
                solved(&joints, &lengths, Some(target))
            }
        }
    };
}

solvers!(single, f32, Vec3, Quat);
solvers!(double, f64, DVec3, DQuat);

macro_rules! both {
    ($name:literal, $solver:ident $(, $iterations:literal)?) => {
        Solver {
            name: $name,
            single: |inputs| single::$solver(inputs $(, $iterations)?),
            double: Some(|inputs| double::$solver(inputs $(, $iterations)?)),
        }
    };
}

/// An alternative in `f32`: mid and end joint of two bones in space.
fn alternative(inputs: &Inputs, solve: fn(Vec3, f32, f32, Vec3) -> [Vec3; 2]) -> Solved {
    let found = single::two_bone(inputs);
    let target = found.target.expect("within reach").0.as_vec3();
    let [r1, r2, ..] = inputs.lengths;
    let [mid, end] = solve(target, r1, r2, inputs.directions[1]).map(|joint| joint.as_dvec3());
    Solved { joints: vec![DVec3::ZERO, mid, end], ..found }
}

fn rebirth(target: Vec3, r1: f32, r2: f32, pole: Vec3) -> [Vec3; 2] {
    let point = |v: Vec3| rebirth_ik::Vec3::new(v.x, v.y, v.z);
    let (mid, tip) = (Vec3::X * r1, Vec3::X * r1 + Vec3::Y * r2);
    let (mid, end) = rebirth_ik::two_bone(
        rebirth_ik::Vec3::ZERO,
        point(mid),
        point(tip),
        point(target),
        Some(point(pole)),
    );
    [mid, end].map(|p| Vec3::new(p.x, p.y, p.z))
}

/// Angles from the law of cosines, in the plane of target and pole.
fn cosines(target: Vec3, r1: f32, r2: f32, pole: Vec3) -> [Vec3; 2] {
    let d = target.length();
    let (line, across) = (target / d, (pole - target * (pole.dot(target) / (d * d))).normalize());
    let at_start = ((d * d + r1 * r1 - r2 * r2) / (2.0 * d * r1)).clamp(-1.0, 1.0).acos();
    let at_mid = ((r1 * r1 + r2 * r2 - d * d) / (2.0 * r1 * r2)).clamp(-1.0, 1.0).acos();
    let along = |angle: f32| line * angle.cos() + across * angle.sin();
    let mid = along(at_start) * r1;
    [mid, mid + along(at_start + at_mid - std::f32::consts::PI) * r2]
}

fn main() {
    let inputs = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(400_000);
    println!("Largest errors in u·L over {inputs} inputs.\n");
    println!("| solver | lengths, f32 | lengths, f64 | joints, f32 | end, f32 |");
    println!("|---|---|---|---|---|");
    let alternatives = [
        ("rebirth-ik", (|i| alternative(i, rebirth)) as fn(&Inputs) -> Solved),
        ("ozz-animation's algorithm", |i| {
            alternative(i, |t, a, b, p| ozz::ozz(t, a, b, p).map(|(joint, _)| joint))
        }),
        ("law of cosines", |i| alternative(i, cosines)),
        ("FABRIK, two bones, 10 iterations", |i| alternative(i, iterative::fabrik_ten)),
    ];
    let alternatives = alternatives.map(|(name, single)| Solver { name, single, double: None });
    let solvers = [
        both!("`TwoBone`", two_bone),
        both!("… with soft reach", soft_reach),
        both!("… with hinge limits", hinge_limits),
        both!("… with stretch", stretch),
        both!("`ThreeBone`", three_bone),
        both!("`chain`, four segments", leg),
        both!("`BindPose`", rotations),
        both!("… weight", weight),
        both!("… pole weight", pole_weight),
        both!("… twist", twist),
        both!("… tilted hinge", tilted_hinge),
        both!("… rotation of the end", end_rotation),
        both!("`twist_share`", shared_twist),
        both!("`Foot`, rolled", foot_roll),
        both!("`Fabrik`, four bones, 5 iterations", fabrik, 5),
        both!("… 10 iterations", fabrik, 10),
        both!("… 20 iterations", fabrik, 20),
        both!("… 50 iterations", fabrik, 50),
    ];
    for solver in solvers.iter().chain(&alternatives) {
        print_row(solver, inputs);
    }
}

fn print_row(solver: &Solver, count: usize) {
    let mut random = Uniform(7);
    let mut errors = [0.0_f64; 4];
    for _ in 0..count {
        let inputs = inputs(&mut random);
        let single = (solver.single)(&inputs);
        let double =
            solver.double.map_or_else(|| double::two_bone(&inputs), |solve| solve(&inputs));
        let reach: f64 = single.lengths.iter().sum();
        let [u, fine] =
            [f64::from(f32::EPSILON), f64::EPSILON].map(|epsilon| 0.5 * epsilon * reach);
        let off = |a: &[DVec3], b: &[DVec3]| {
            a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
        };
        let end =
            single.target.map_or(0.0, |(target, joint)| single.joints[joint].distance(target));
        let found = [
            length_error(&single) / u,
            length_error(&double) / fine,
            off(&single.joints, &double.joints) / u,
            end / u,
        ];
        for (error, found) in errors.iter_mut().zip(found) {
            *error = error.max(found);
        }
    }
    let cell =
        |error: f64| if error < 1e3 { format!("{error:.1}") } else { format!("{error:.0e}") };
    let [single, double, joints, end] = errors.map(cell);
    let double = if solver.double.is_some() { double } else { "–".to_owned() };
    println!("| {} | {single} | {double} | {joints} | {end} |", solver.name);
}

/// Largest error of a bone's length.
fn length_error(solved: &Solved) -> f64 {
    let pairs = solved.joints.windows(2).zip(&solved.lengths);
    let errors = pairs.map(|(pair, length)| {
        // |a − b|² − r² as a sum of exact products: (hi + lo)² = hi² + 2·hi·lo + …
        let mut sum = (-length * length, -(length.mul_add(*length, -length * length)));
        for (a, b) in pair[0].to_array().into_iter().zip(pair[1].to_array()) {
            let (hi, lo) = two_sum(a, -b);
            let square = hi * hi;
            let (high, low) = two_sum(sum.0, square);
            sum = (high, sum.1 + low + hi.mul_add(hi, -square) + 2.0 * hi * lo);
        }
        ((sum.0 + sum.1) / (2.0 * length)).abs()
    });
    errors.fold(0.0, f64::max)
}

/// The rounded sum and its error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// Random numbers far from degenerate ones.
fn inputs(random: &mut Uniform) -> Inputs {
    loop {
        let lengths = [(); 4].map(|()| 0.4 + random.next());
        let directions = [(); 4].map(|()| random.direction());
        let shares = [(); 3].map(|()| random.next());
        let [target, pole, hinge, ground] = directions;
        let are_apart = |a: Vec3, b: Vec3| a.cross(b).length() > 0.35;
        if are_apart(target, pole)
            && are_apart(ground, pole)
            && are_apart(hinge, pole)
            && (lengths[0] - lengths[1]).abs() > 0.05
        {
            return Inputs { lengths, directions, shares };
        }
    }
}
