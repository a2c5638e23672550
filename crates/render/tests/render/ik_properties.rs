//! The WGSL solver on the GPU: properties, degenerate cases, reach policies.

use crate::common::compute::Compute;
use crate::common::random::Random;

/// Half a unit in the last place of 1 in f32.
const U: f64 = 1.0 / (1u64 << 24) as f64;

/// Number of inputs for every function.
const INPUTS: usize = 1 << 20;

/// A unit vector, uniformly distributed over all directions.
fn direction(random: &mut Random) -> [f64; 3] {
    let up = random.between(-1.0, 1.0);
    let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
    let level = (1.0 - up * up).sqrt();
    [level * cos, up, level * sin]
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn xyz(v: [f32; 4]) -> [f64; 3] {
    [f64::from(v[0]), f64::from(v[1]), f64::from(v[2])]
}

/// Input of one solver call: target; r1, r2 and side; pole.
type Input = [[f32; 4]; 3];
/// The mid joint with `reached`, then the end joint.
type Answer = [[f32; 4]; 2];

fn solve(compute: &Compute, call: &str, inputs: &[Input]) -> Vec<Answer> {
    let source = format!(
        "#import tarsus::ik
fn in_plane(s: ik::Solution2) -> array<vec4f, 2> {{
    return array<vec4f, 2>(vec4f(s.mid, 0.0, f32(s.reached)), vec4f(s.end, 0.0, 0.0));
}}
fn in_space(s: ik::Solution3) -> array<vec4f, 2> {{
    return array<vec4f, 2>(vec4f(s.mid, f32(s.reached)), vec4f(s.end, 0.0));
}}
fn evaluate(i: array<vec4f, 3>) -> array<vec4f, 2> {{
    return {call};
}}"
    );
    compute.evaluate::<3, 2>(&source, inputs)
}

fn in_plane(policy: &str) -> String {
    format!("in_plane(ik::solve2_{policy}(i[0].xy, i[1].x, i[1].y, i[1].z))")
}

fn in_space(policy: &str) -> String {
    format!("in_space(ik::solve3_{policy}(i[0].xyz, i[1].x, i[1].y, i[2].xyz))")
}

/// Targets within reach, bones with lengths from 0.1 to 3, poles in all directions.
fn reachable(flat: bool) -> Vec<Input> {
    let mut random = Random(1);
    (0..INPUTS)
        .map(|_| {
            let (r1, r2) = (random.between(0.1, 3.0), random.between(0.1, 3.0));
            let distance = random.between((r1 - r2).abs(), r1 + r2);
            let d = if flat {
                let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
                [cos, sin, 0.0]
            } else {
                direction(&mut random)
            };
            let pole = direction(&mut random);
            let side = if random.next() < 0.5 { -1.0 } else { 1.0 };
            let f = |v: [f64; 3], s: f64| v.map(|x| (s * x) as f32);
            let ([x, y, z], [a, b, c]) = (f(d, distance), f(pole, 1.0));
            [[x, y, z, 0.0], [r1 as f32, r2 as f32, side, 0.0], [a, b, c, 0.0]]
        })
        .collect()
}

/// Asserts that the bones of every answer have their lengths, to 16u of the reach.
fn check_residuals(inputs: &[Input], answers: &[Answer]) {
    for (input, answer) in inputs.iter().zip(answers) {
        let (target, mid) = (xyz(input[0]), xyz(answer[0]));
        let (r1, r2) = (f64::from(input[1][0]), f64::from(input[1][1]));
        let bound = 16.0 * U * (r1 + r2);
        let h = dot(target, target);
        // Rounding of the inputs can put a target just outside.
        if h >= (r1 + r2) * (r1 + r2) || h <= (r1 - r2) * (r1 - r2) {
            continue;
        }
        let upper = (length(mid) - r1).abs();
        let lower = (length(minus(mid, target)) - r2).abs();
        assert!(upper <= bound && lower <= bound, "{input:?} → {answer:?}: {upper:e} {lower:e}");
    }
}

#[test]
fn bones_keep_their_lengths_in_reach() {
    let compute = Compute::shared();
    for policy in ["meet", "clamp", "fail"] {
        let flat = reachable(true);
        check_residuals(&flat, &solve(compute, &in_plane(policy), &flat));
        let deep = reachable(false);
        check_residuals(&deep, &solve(compute, &in_space(policy), &deep));
    }
}

#[test]
fn elbow_is_on_requested_side() {
    let compute = Compute::shared();
    let flat = reachable(true);
    for (input, answer) in flat.iter().zip(solve(compute, &in_plane("clamp"), &flat)) {
        let ([px, py, ..], [x, y, ..]) = (input[0], answer[0]);
        let cross = f64::from(px) * f64::from(y) - f64::from(py) * f64::from(x);
        let slack = 1e-5 * f64::from(input[1][0] + input[1][1]).powi(2);
        assert!(cross * f64::from(input[1][2]) >= -slack, "{input:?} → {answer:?}");
    }
    let deep = reachable(false);
    for (input, answer) in deep.iter().zip(solve(compute, &in_space("clamp"), &deep)) {
        let (target, pole, mid) = (xyz(input[0]), xyz(input[2]), xyz(answer[0]));
        let distance = length(target);
        let n = target.map(|x| x / distance);
        let rise = dot(pole, n);
        let beside = minus(pole, n.map(|x| rise * x));
        // If the pole is parallel to the target, either side is right.
        if length(beside) > 1e-2 {
            let slack = 1e-5 * f64::from(input[1][0] + input[1][1]);
            assert!(dot(mid, beside) >= -slack, "{input:?} → {answer:?}");
        }
    }
}

/// An input for both the plane and space: target along a direction, pole across it.
fn along(direction: [f32; 3], distance: f32, r1: f32, r2: f32) -> Input {
    let [x, y, z] = direction.map(|c| c * distance);
    [[x, y, z, 0.0], [r1, r2, 1.0, 0.0], [-direction[1], direction[0], 0.0, 0.0]]
}

const AXES: [[f32; 3]; 4] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.6, -0.8, 0.0]];

fn near(a: [f64; 3], b: [f64; 3], bound: f64) -> bool {
    length(minus(a, b)) <= bound
}

#[test]
fn clamp_keeps_bones_rigid_beyond_reach() {
    let compute = Compute::shared();
    for call in [in_plane("clamp"), in_space("clamp")] {
        for direction in AXES {
            let unit = direction.map(f64::from);
            // r1, r2, and the distances of target, elbow and end along the direction.
            for (r1, r2, distance, elbow, end) in [
                (1.0, 2.0, 10.0, 1.0, 3.0),
                (2.0, 1.0, 3.5, 2.0, 3.0),
                (3.0, 1.0, 0.5, 3.0, 2.0),
                (1.0, 3.0, 0.5, -1.0, 2.0),
                (1.0, 3.0, 1.9, -1.0, 2.0),
            ] {
                let answer = solve(compute, &call, &[along(direction, distance, r1, r2)])[0];
                assert_eq!(answer[0][3], 0.0, "{call}: {distance} is out of reach of {r1}, {r2}");
                let expect = |along: f64| unit.map(|x| x * along);
                assert!(
                    near(xyz(answer[0]), expect(elbow), 1e-5),
                    "{call} {direction:?}: {answer:?}"
                );
                assert!(
                    near(xyz(answer[1]), expect(end), 1e-5),
                    "{call} {direction:?}: {answer:?}"
                );
            }
        }
    }
}

#[test]
fn meet_ends_on_target_beyond_reach() {
    let compute = Compute::shared();
    for (meet, fail) in [(in_plane("meet"), in_plane("fail")), (in_space("meet"), in_space("fail"))]
    {
        for direction in AXES {
            for (distance, reached) in [(5.0, false), (2.9, true), (1.1, true), (0.4, false)] {
                let input = along(direction, distance, 1.0, 2.0);
                let answer = solve(compute, &meet, &[input])[0];
                assert!(near(xyz(answer[1]), xyz(input[0]), 1e-5), "{meet}: {answer:?}");
                let answer = solve(compute, &fail, &[input])[0];
                assert_eq!(answer[0][3] == 1.0, reached, "{fail} at {distance}: {answer:?}");
            }
        }
    }
}

#[test]
fn degenerate_cases_are_finite() {
    let compute = Compute::shared();
    let e = [0.0f32, 1e-45, 1e-38, 1e-20, 1e-6, 1.0, 1e6, 1e18, 1e30];
    let mut inputs: Vec<Input> = Vec::new();
    for &distance in &e {
        for &r1 in &e {
            for &r2 in &e {
                for direction in AXES {
                    let mut input = along(direction, distance, r1, r2);
                    inputs.push(input);
                    // Pole towards the target, away from it, and zero.
                    for pole in [direction, direction.map(|x| -x), [0.0; 3]] {
                        input[2][..3].copy_from_slice(&pole);
                        inputs.push(input);
                    }
                    // Bones of zero or negative length.
                    input[1][..2].copy_from_slice(&[-r1, r2]);
                    inputs.push(input);
                }
            }
        }
    }
    for policy in ["meet", "clamp", "fail"] {
        for call in [in_plane(policy), in_space(policy)] {
            for (input, answer) in inputs.iter().zip(solve(compute, &call, &inputs)) {
                let finite = answer.as_flattened().iter().all(|x| x.is_finite());
                assert!(finite, "{call}: {input:?} → {answer:?}");
            }
        }
    }
}

/// Weights and twists are those of the crate. The solver's `weight` is checked by glam's
/// interpolation; WGSL bounds the error of `atan2`, `sin` and `cos` by about 2⁻¹¹.
#[test]
fn weights_and_twists_match_crate() {
    use glam::{Quat, Vec3};
    use tarsus_ik::{BindPose, Goal, Pole, twist_share};

    let source = "#import tarsus::ik
fn evaluate(i: array<vec4f, 4>) -> array<vec4f, 3> {
    let pole = ik::weigh_pole(i[1].xyz, i[2].xyz, i[3].xyz, i[1].w);
    return array<vec4f, 3>(
        vec4f(ik::solve3_clamp(i[1].xyz, i[2].w, i[3].w, pole).mid, 0.0),
        ik::weigh_rotation(i[0], i[1].w),
        ik::twist_share(i[0], i[2].xyz, i[1].w),
    );
}";
    let mut random = Random(5);
    let mut vector = || Vec3::from_array(direction(&mut random).map(|x| x as f32));
    // The pose's end is on the target, so that its line is the target's.
    let limbs: Vec<_> = (0..INPUTS / 16)
        .map(|i| {
            let (first, second, pole, axis) = (vector(), vector(), vector(), vector());
            let weight = (i % 64) as f32 / 63.0;
            let target = first + second * 1.25;
            // Every fourth pole is near the line.
            let near = (target.normalize() + 0.1 * pole).normalize();
            let pole = if i % 4 == 0 { near } else { pole };
            (first, target, pole, Quat::from_axis_angle(axis, i as f32), weight)
        })
        .filter(|(first, target, ..)| first.cross(*target).length() > 0.2)
        .collect();
    let with = |v: Vec3, w: f32| [v.x, v.y, v.z, w];
    let inputs: Vec<[[f32; 4]; 4]> = limbs
        .iter()
        .map(|&(first, target, pole, rotation, weight)| {
            [rotation.to_array(), with(target, weight), with(pole, 1.0), with(first, 1.25)]
        })
        .collect();
    let answers = Compute::shared().evaluate::<4, 3>(source, &inputs);
    for ((first, target, pole, rotation, weight), answer) in limbs.into_iter().zip(answers) {
        let pose = BindPose::new(Vec3::ZERO, first, target, Vec3::X).expect("bent");
        let goal = Goal::new(Vec3::ZERO, target).with_pole(Pole::Direction(pole));
        let solved = pose.solve(&goal.with_pole_weight(weight)).expect("finite").solution;
        let [mid, part, twist] = answer;
        // Opposite directions blend to a short vector, which amplifies the rounding.
        let line = target.normalize();
        let across = |v: Vec3| (v - line * v.dot(line)).normalize();
        if across(pole).dot(across(first)) > -0.9 {
            let off = Vec3::from_slice(&mid).distance(solved.mid);
            assert!(off < 1e-4, "{mid:?} {solved:?} {pole} {weight}");
        }
        let shortest = if rotation.w < 0.0 { -rotation } else { rotation };
        let expected = Quat::IDENTITY.lerp(shortest, weight);
        assert!((Quat::from_array(part) - expected).length() < 1e-6, "{rotation} {weight}");
        let expected = twist_share(rotation, pole, weight).expect("finite");
        assert!((Quat::from_array(twist) - expected).length() < 2e-3, "{rotation} {pole} {weight}");
    }
}
