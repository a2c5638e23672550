//! Every function of `ik.wgsl` on the GPU compared with `tarsus::ik` in `f64`, for a
//! million inputs each.
//!
//! Both get the same `f32` inputs. Bounds are first-order error estimates with u = 2⁻²⁴
//! and the errors that WGSL permits: 2.5 ulp, 5u, for a division and for anything derived
//! from an inverse square root.

use crate::common::compute::Compute;
use crate::common::random::Random;
use glam::{DVec2, DVec3};
use tarsus_ik::chain::{LegLengths, LegMount};
use tarsus_ik::{ReachPolicy, Side, Solution, ThreeBone, Turn, TwoBone, Vector, forms, soft_reach};

/// Half a unit in the last place of 1 in f32.
const U: f64 = 1.0 / (1u64 << 24) as f64;

const INPUTS: usize = 1 << 20;

/// A unit vector, uniformly distributed over all directions.
fn direction(random: &mut Random) -> DVec3 {
    let up = random.between(-1.0, 1.0);
    let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
    let level = (1.0 - up * up).sqrt();
    DVec3::new(level * cos, up, level * sin)
}

/// Distance of a random target: mostly within reach, sometimes beyond either boundary or
/// on it.
fn target_distance(random: &mut Random, r1: f64, r2: f64) -> f64 {
    let (hole, reach) = ((r1 - r2).abs(), r1 + r2);
    match (random.next() * 10.0) as u32 {
        0 => hole * random.between(0.3, 1.0),
        1 => reach * random.between(1.0, 3.0),
        2 => [hole, reach][usize::from(random.next() < 0.5)],
        _ => random.between(hole, reach),
    }
}

/// Input of a solver: target; r1, r2 and side; pole.
type Limb = [[f32; 4]; 3];

fn four(v: DVec3, w: f64) -> [f32; 4] {
    [v.x as f32, v.y as f32, v.z as f32, w as f32]
}

fn wide([x, y, z, _]: [f32; 4]) -> DVec3 {
    DVec3::new(f64::from(x), f64::from(y), f64::from(z))
}

fn flat(v: [f32; 4]) -> DVec2 {
    wide(v).truncate()
}

fn bones(limb: &Limb) -> (f64, f64) {
    (f64::from(limb[1][0]), f64::from(limb[1][1]))
}

fn limbs(in_plane: bool) -> Vec<Limb> {
    let mut random = Random(3);
    (0..INPUTS)
        .map(|_| {
            let (r1, r2) = (random.between(0.1, 3.0), random.between(0.1, 3.0));
            let mut direction = self::direction(&mut random);
            if in_plane {
                direction = direction.with_z(0.0).normalize();
            }
            let side = if random.next() < 0.5 { -1.0 } else { 1.0 };
            let distance = target_distance(&mut random, r1, r2);
            [
                four(direction * distance, 0.0),
                four(DVec3::new(r1, r2, side), 0.0),
                four(self::direction(&mut random), 0.0),
            ]
        })
        .collect()
}

const POLICIES: [(&str, ReachPolicy); 3] =
    [("meet", ReachPolicy::Meet), ("clamp", ReachPolicy::Clamp), ("fail", ReachPolicy::Fail)];

/// A `Solution2` or `Solution3` returned by the GPU.
type Answer = [[f32; 4]; 2];

fn evaluate<const IN: usize, const OUT: usize>(
    compute: &Compute,
    call: &str,
    inputs: &[[[f32; 4]; IN]],
) -> Vec<[[f32; 4]; OUT]> {
    let source = format!(
        "#import tarsus::ik
fn in_plane(s: ik::Solution2) -> array<vec4f, 2> {{
    return array<vec4f, 2>(vec4f(s.mid, 0.0, f32(s.reached)), vec4f(s.end, 0.0, 0.0));
}}
fn in_space(s: ik::Solution3) -> array<vec4f, 2> {{
    return array<vec4f, 2>(vec4f(s.mid, f32(s.reached)), vec4f(s.end, 0.0));
}}
fn leg(l: ik::Leg) -> array<vec4f, 4> {{
    return array<vec4f, 4>(
        vec4f(l.trochanter, f32(l.reached)),
        vec4f(l.knee, 0.0),
        vec4f(l.ankle, 0.0),
        vec4f(l.foot, 0.0),
    );
}}
fn evaluate(i: array<vec4f, {IN}>) -> array<vec4f, {OUT}> {{
    return {call};
}}"
    );
    compute.evaluate::<IN, OUT>(&source, inputs)
}

/// True if |p|² is on a boundary within `tolerance`, relative to the terms it is compared
/// with.
fn on_boundary(h: f64, r1: f64, r2: f64, tolerance: f64) -> bool {
    let (sum, difference) = (r1 + r2, r1 - r2);
    (h - sum * sum).abs() <= tolerance * sum * sum
        || (h - difference * difference).abs() <= tolerance * h
}

/// Error bound of the factored form's mid joint.
///
/// Within reach it is C·u·L·max(1, L/b), where b is the joint's height over the line and
/// C = 5 for WGSL's operations. On a boundary, an error of 8u in |p|² makes a height of
/// √(8u)·L. Out of reach there is no height, and the only scale is L or, for a joint that
/// has run away in the hole, |r1² − r2²|/|p|.
fn position_bound(p: DVec3, r1: f64, r2: f64) -> f64 {
    let (h, reach) = (p.length_squared(), r1 + r2);
    if on_boundary(h, r1, r2, 8.0 * U) {
        return (8.0 * U).sqrt() * reach;
    }
    let s = (reach * reach - h) * (h - (r1 - r2) * (r1 - r2));
    if s > 0.0 {
        let height = 0.5 * (s / h).sqrt();
        5.0 * U * reach * (reach / height).max(1.0)
    } else {
        8.0 * U * reach.max((r1 * r1 - r2 * r2).abs() / h.sqrt())
    }
}

/// The joints of the reference; both at the start if there is no solution.
fn joints<V: Vector>(
    solved: Result<Solution<V>, tarsus_ik::Error>,
    wide: fn(V) -> DVec3,
) -> (DVec3, DVec3, bool) {
    solved.map_or((DVec3::ZERO, DVec3::ZERO, false), |s| (wide(s.mid), wide(s.end), s.reached))
}

fn agree(
    call: &str,
    limb: &Limb,
    answer: &Answer,
    (mid, end, reached): (DVec3, DVec3, bool),
    slack: f64,
) {
    let (p, (r1, r2)) = (wide(limb[0]), bones(limb));
    let actual = answer[0][3] == 1.0;
    let boundary = on_boundary(p.length_squared(), r1, r2, 8.0 * U);
    assert!(actual == reached || boundary, "{call}: {limb:?} reached: {actual}");
    if actual != reached && call.contains("fail") {
        return;
    }
    let off = wide(answer[0]).distance(mid);
    let bound = position_bound(p, r1, r2) + slack;
    assert!(off <= bound, "{call}: {limb:?} mid off by {off:e} of {bound:e}");
    let off = wide(answer[1]).distance(end);
    let bound = 16.0 * U * p.length().max(r1 + r2);
    assert!(off <= bound, "{call}: {limb:?} end off by {off:e} of {bound:e}");
}

#[test]
fn planar_solvers_match_f64() {
    let (compute, limbs) = (Compute::shared(), limbs(true));
    for (name, policy) in POLICIES {
        let call = format!("in_plane(ik::solve2_{name}(i[0].xy, i[1].x, i[1].y, i[1].z))");
        for (limb, answer) in limbs.iter().zip(evaluate(compute, &call, &limbs)) {
            let (r1, r2) = bones(limb);
            let side = if limb[1][2] < 0.0 { Side::Right } else { Side::Left };
            let solver = TwoBone::new(r1, r2).expect("lengths").with_policy(policy);
            let solved = solver.solve(DVec2::ZERO, flat(limb[0]), side);
            agree(&call, limb, &answer, joints(solved, |v| v.extend(0.0)), 0.0);
        }
    }
}

/// The listing for shaders without tarsus-ik. Its fixed threshold for a pole along the line
/// allows for the same errors as the module.
#[test]
fn listing_matches_f64() {
    let (compute, limbs) = (Compute::shared(), limbs(false));
    let source = format!(
        "{}
fn evaluate(i: array<vec4f, 3>) -> array<vec4f, 2> {{
    let s = solve_two_bone(i[0].xyz, i[1].x, i[1].y, i[2].xyz);
    return array<vec4f, 2>(vec4f(s.mid, f32(s.reached)), vec4f(s.end, 0.0));
}}",
        include_str!("../../../ik/ports/two_bone.wgsl")
    );
    for (limb, answer) in limbs.iter().zip(compute.evaluate::<3, 2>(&source, &limbs)) {
        let (p, pole, (r1, r2)) = (wide(limb[0]), wide(limb[2]), bones(limb));
        let solved = TwoBone::new(r1, r2).expect("lengths").solve(DVec3::ZERO, p, pole);
        let sine = p.cross(pole).length() / (p.length() * pole.length());
        agree("listing", limb, &answer, joints(solved, |v| v), 16.0 * U / sine * r1);
    }
}

/// Targets on the start, for bones down to the smallest that the listing permits.
#[test]
fn listing_folds_tiny_bones() {
    let source = format!(
        "{}
fn evaluate(i: array<vec4f, 1>) -> array<vec4f, 2> {{
    let s = solve_two_bone(vec3f(0.0), i[0].x, i[0].x, vec3f(0.0, 1.0, 0.0));
    return array<vec4f, 2>(vec4f(s.mid, f32(s.reached)), vec4f(s.end, 0.0));
}}",
        include_str!("../../../ik/ports/two_bone.wgsl")
    );
    let limbs: Vec<_> = (0..30).map(|i| [[0.5_f32.powi(i); 4]]).collect();
    for (limb, answer) in limbs.iter().zip(Compute::shared().evaluate::<1, 2>(&source, &limbs)) {
        assert_eq!(answer, [[0.0, limb[0][0], 0.0, 1.0], [0.0; 4]], "{limb:?}");
    }
}

/// In space the bend direction has an additional error, that of the pole's perpendicular:
/// 16u over the sine of the angle between pole and line.
#[test]
fn spatial_solvers_match_f64() {
    let (compute, limbs) = (Compute::shared(), limbs(false));
    for (name, policy) in POLICIES {
        let call = format!("in_space(ik::solve3_{name}(i[0].xyz, i[1].x, i[1].y, i[2].xyz))");
        for (limb, answer) in limbs.iter().zip(evaluate(compute, &call, &limbs)) {
            let (p, pole, (r1, r2)) = (wide(limb[0]), wide(limb[2]), bones(limb));
            let solver = TwoBone::new(r1, r2).expect("lengths").with_policy(policy);
            let solved = solver.solve(DVec3::ZERO, p, pole);
            let sine = p.cross(pole).length() / (p.length() * pole.length());
            let slack = 16.0 * U / sine * r1;
            agree(&call, limb, &answer, joints(solved, |v| v), slack);
        }
    }
}

/// Two divisions with a relative error of 5u, a sum and a difference of u each: 16u of
/// the reach covers them all.
#[test]
fn soft_reach_matches_f64() {
    let compute = Compute::shared();
    let mut random = Random(5);
    let inputs: Vec<Limb> = (0..INPUTS)
        .map(|_| {
            let reach = random.between(0.1, 6.0);
            let (d, d0) = (random.between(0.0, 3.0), random.next());
            [four(DVec3::new(d * reach, d0 * reach, reach), 0.0); 3]
        })
        .collect();
    let call = "array<vec4f, 1>(vec4f(ik::soft_reach(i[0].x, i[0].y, i[0].z)))";
    for (input, answer) in inputs.iter().zip(evaluate::<3, 1>(compute, call, &inputs)) {
        let DVec3 { x: d, y: d0, z: reach } = wide(input[0]);
        let eased = f64::from(answer[0][0]);
        let off = (eased - soft_reach(d, d0, reach)).abs();
        let bound = 16.0 * U * d.max(reach);
        assert!(off <= bound, "{input:?} → {eased}: off by {off:e}");
        assert!(eased <= d.min(reach).max(d0.min(d)), "{input:?} → {eased}");
    }
}

#[test]
fn soft_fold_matches_f64() {
    let mut random = Random(6);
    let inputs: Vec<Limb> = (0..INPUTS / 16)
        .map(|_| {
            let (r1, r2) = (random.between(1.0, 2.0), random.between(0.1, 0.9));
            let d0 = random.between(r1 - r2 + 0.01, r1 + r2);
            [
                four(DVec3::new(random.between(0.01, 3.0), d0, 0.0), 0.0),
                four(DVec3::new(r1, r2, 0.0), 0.0),
                [0.0; 4],
            ]
        })
        .collect();
    let call = "array<vec4f, 1>(vec4f(ik::soft_fold(i[0].x, i[0].y, i[1].x - i[1].y)))";
    let answers = evaluate::<3, 1>(Compute::shared(), call, &inputs);
    for (input, answer) in inputs.iter().zip(answers) {
        let DVec3 { x: d, y: d0, .. } = wide(input[0]);
        let DVec3 { x: r1, y: r2, .. } = wide(input[1]);
        let limb = TwoBone::new(r1, r2).and_then(|limb| limb.with_soft_fold(d0));
        let solved = limb.and_then(|limb| limb.solve(DVec3::ZERO, DVec3::X * d, DVec3::Y));
        let expected = if d < d0 { solved.expect("valid").end.length() } else { d };
        let off = (f64::from(answer[0][0]) - expected).abs();
        assert!(off <= 16.0 * U * 3.0, "{input:?} → {answer:?}, expected {expected}");
    }
}

/// A limb with hinge limits and stretch: the functions that a shader composes give the
/// bend and the lengths of `TwoBone`. The squared distance has an error of 16u of the
/// squared reach.
#[test]
fn limits_and_stretch_match_f64() {
    let (compute, limbs) = (Compute::shared(), limbs(false));
    let (least, most) = (0.4_f64, 2.4_f64);
    let turn = |radians: f64| {
        let (sin, cos) = radians.sin_cos();
        format!("vec2f({:?}, {:?})", cos as f32, sin as f32)
    };
    let call = format!("limited(i[0].xyz, i[1].xy, i[2].xyz, {}, {})", turn(least), turn(most));
    let source = format!(
        "#import tarsus::ik
fn limited(target_in_start: vec3f, r: vec2f, pole: vec3f, least: vec2f, most: vec2f) -> array<vec4f, 3> {{
    let near = ik::hinge_distance(r.x, r.y, most);
    let far = ik::hinge_distance(r.x, r.y, least);
    let aim = ik::limit3(target_in_start, near, far);
    let limb = ik::solve3_clamp(aim, r.x, r.y, pole);
    let stretch = ik::stretch_factor(length(target_in_start), r.x, r.y, 0.9, 1.3);
    return array<vec4f, 3>(vec4f(limb.mid, stretch), vec4f(limb.end, 0.0), vec4f(aim, 0.0));
}}
fn evaluate(i: array<vec4f, 3>) -> array<vec4f, 3> {{
    return {call};
}}"
    );
    let from_radians = |radians| Turn::from_radians(radians).expect("finite");
    for (limb, answer) in limbs.iter().zip(compute.evaluate::<3, 3>(&source, &limbs)) {
        let (p, pole, (r1, r2)) = (wide(limb[0]), wide(limb[2]), bones(limb));
        let bones = TwoBone::new(r1, r2).expect("lengths");
        let limited =
            bones.with_hinge_limits(from_radians(least), from_radians(most)).expect("in order");
        let exact = limited.solve(DVec3::ZERO, p, pole).expect("finite");
        let bound = 16.0 * U * (r1 + r2);
        let end = wide(answer[1]);
        let size = p.length().max(r1 + r2);
        assert!(end.distance(exact.end) <= 16.0 * U * size, "{limb:?} {end}");
        assert!((wide(answer[0]).length() - r1).abs() <= bound, "{limb:?}");
        assert!(((end - wide(answer[0])).length() - r2).abs() <= bound + 4.0 * U * size);
        let stretched = bones.with_stretch(0.9, 1.3).expect("valid");
        let exact = stretched.solve(DVec3::ZERO, p, pole).expect("finite");
        let off = (f64::from(answer[0][3]) - exact.stretch).abs();
        // The slope of the stretch is 0.3/0.4 or, next to a hole at the reach, at most 1.
        assert!(off <= 32.0 * U * size / (r1 + r2), "{limb:?} off by {off:e}");
    }
}

/// Hinge limits and stretch of huge and tiny lengths are finite.
#[test]
fn limits_and_stretch_are_finite() {
    let call = "array<vec4f, 1>(vec4f(
        ik::hinge_distance(i[0].x, i[0].y, vec2f(0.6, 0.8)),
        ik::hinge_distance(i[0].x, i[0].y, vec2f(-0.6, 0.8)),
        ik::stretch_factor(i[0].z, i[0].x, i[0].y, 0.5, 1.0),
        ik::stretch_factor(i[0].z, i[0].x, i[0].y, 0.5, 1.5),
    ))";
    let sizes = [0.0, 1e-37, 1e-20, 1.0, 1e19, 1e37];
    let inputs: Vec<[[f32; 4]; 1]> = (0..sizes.len().pow(3))
        .map(|i| [[sizes[i % 6], sizes[i / 6 % 6], sizes[i / 36], 0.0]])
        .collect();
    for (input, answer) in inputs.iter().zip(evaluate::<1, 1>(Compute::shared(), call, &inputs)) {
        let [r1, r2] = [input[0][0], input[0][1]].map(f64::from);
        let expected = [0.6, -0.6].map(|cos| (r1 + r2 * cos).hypot(r2 * 0.8));
        for (distance, expected) in answer[0].into_iter().zip(expected) {
            let off = (f64::from(distance) - expected).abs();
            assert!(off <= 1e-6 * (r1 + r2) + 1e-37, "{input:?} → {answer:?}");
        }
        assert!(
            answer[0][2] == 1.0 && (1.0..=1.5).contains(&answer[0][3]),
            "{input:?} → {answer:?}"
        );
    }
}

/// Limbs of three bones: the same distances from the start, to the error of WGSL's
/// operations in the squares, and bones that keep their lengths.
#[test]
fn three_bones_match_f64() {
    let compute = Compute::shared();
    let mut random = Random(9);
    let inputs: Vec<Limb> = (0..INPUTS)
        .map(|i| {
            let lengths = DVec3::new(
                random.between(0.1, 2.0),
                random.between(0.1, 2.0),
                random.between(0.1, 2.0),
            );
            let reach = lengths.x + lengths.y + lengths.z;
            let distance = random.between(0.0, 1.4) * reach;
            let opposed = f64::from(u8::from(i % 2 == 0));
            [
                four(direction(&mut random) * distance, random.next()),
                four(lengths, opposed),
                four(direction(&mut random), 0.0),
            ]
        })
        .collect();
    let source = "#import tarsus::ik
fn evaluate(i: array<vec4f, 3>) -> array<vec4f, 3> {
    let s = ik::solve_three_bones(i[0].xyz, i[1].xyz, i[2].xyz, i[0].w, i[1].w > 0.5);
    return array<vec4f, 3>(vec4f(s.first, f32(s.reached)), vec4f(s.second, 0.0), vec4f(s.end, 0.0));
}";
    for (input, answer) in inputs.iter().zip(compute.evaluate::<3, 3>(source, &inputs)) {
        let (p, lengths, pole) = (wide(input[0]), wide(input[1]), wide(input[2]));
        let mut limb = ThreeBone::new(lengths.x, lengths.y, lengths.z)
            .and_then(|limb| limb.with_distribution(f64::from(input[0][3])))
            .expect("valid");
        if input[1][3] > 0.5 {
            limb = limb.with_opposed_bends();
        }
        let exact = limb.solve(DVec3::ZERO, p, pole).expect("finite");
        let [first, second, end] = answer.map(wide);
        let bound = 48.0 * U * limb.reach().max(p.length());
        for (found, wanted) in [
            (first.length(), lengths.x),
            ((second - first).length(), lengths.y),
            ((end - second).length(), lengths.z),
            (second.length(), exact.second.length()),
            (end.length(), exact.end.length()),
        ] {
            assert!((found - wanted).abs() <= bound, "{input:?} {found} {wanted}");
        }
        // Heights are as uncertain as the square root of the lengths.
        let sine = p.cross(pole).length() / (p.length() * pole.length());
        let slack = 4.0 * (bound * limb.reach()).sqrt() + 64.0 * U * limb.reach() / sine;
        assert!(first.distance(exact.first) <= 2.0 * slack, "{input:?}");
        assert!(second.distance(exact.second) <= slack, "{input:?}");
    }
}

/// Compares one form of the formula, a call of `ik.wgsl`, with its `f64` counterpart.
/// `bound(h, r1, r2)` is the permitted error, `None` if there is none.
fn form_agrees(
    call: &str,
    reference: fn([f64; 2], f64, f64) -> [f64; 2],
    bound: fn(f64, f64, f64) -> Option<f64>,
) {
    let (compute, limbs) = (Compute::shared(), limbs(true));
    let call = format!("array<vec4f, 1>(vec4f(ik::{call}(i[0].xy, i[1].x, i[1].y), 0.0, 0.0))");
    let mut promised = 0;
    for (limb, answer) in limbs.iter().zip(evaluate::<3, 1>(compute, &call, &limbs)) {
        let (p, (r1, r2)) = (flat(limb[0]), bones(limb));
        let Some(bound) = bound(p.length_squared(), r1, r2) else {
            continue;
        };
        promised += 1;
        let off = flat(answer[0]).distance(reference(p.to_array(), r1, r2).into());
        assert!(off <= bound, "{call}: {limb:?} off by {off:e} of {bound:e}");
    }
    assert!(promised > INPUTS * 9 / 10, "{call}: only {promised} inputs");
}

#[test]
fn factored_form_matches_f64() {
    form_agrees("solve_factored", forms::factored, |h, r1, r2| {
        Some(position_bound(DVec3::X * h.sqrt(), r1, r2))
    });
}

/// w = h + r1² − r2² has an error of Δw = 4u(h + r1² + r2²), s = 4r1²h − w² of Δs =
/// 2|w|Δw + 8u(4r1²h + w²). The error of x is Δw/2√h along the line and Δs/4√(sh) across
/// it, at most √Δs/2√h, plus 8u of its own length.
#[test]
fn article_fast_form_matches_f64() {
    form_agrees("solve_article_fast", forms::article_fast, |h, r1, r2| {
        let w = h + r1 * r1 - r2 * r2;
        let four = 4.0 * r1 * r1 * h;
        let s = (four - w * w).max(0.0);
        let dw = 4.0 * U * (h + r1 * r1 + r2 * r2);
        let ds = 2.0 * w.abs() * dw + 8.0 * U * (four + w * w);
        let across = (ds / (2.0 * s.sqrt())).min(ds.sqrt());
        Some((dw + across + 8.0 * U * (w.abs() + s.sqrt())) / (2.0 * h.sqrt()))
    });
}

/// With |q| = ½(h + r1² − r2²)/√h, the error of |q| is Δq = 4u(h + r1² + r2²)/2√h; if
/// that is not small compared with |q|, even the side is uncertain. Its perpendicular has
/// the factor √t, t = r1²/q² − 1, with an error of Δt = r1²/q²·(2Δq/|q| + 16u), whose
/// root has an error of Δt/2√t, at most √Δt.
#[test]
fn article_first_form_matches_f64() {
    form_agrees("solve_article_first", forms::article_first, |h, r1, r2| {
        let q = (0.5 * (h + r1 * r1 - r2 * r2) / h.sqrt()).abs();
        let dq = 4.0 * U * (h + r1 * r1 + r2 * r2) / (2.0 * h.sqrt());
        if dq > 0.1 * q {
            return None;
        }
        let share = r1 * r1 / (q * q);
        let t = (share - 1.0).max(0.0);
        let dt = share * (2.0 * dq / q + 16.0 * U);
        let root = (dt / (2.0 * t.sqrt())).min(dt.sqrt());
        Some((dq + 8.0 * U * q) * (1.0 + t.sqrt()) + 1.1 * q * root)
    });
}

/// Input of a leg: foot target, hip, up, rest, direction of the tarsus, and the lengths.
type LegInput = [[f32; 4]; 6];

fn legs() -> Vec<LegInput> {
    let mut random = Random(7);
    (0..INPUTS)
        .map(|_| {
            let mut length = || random.between(0.1, 1.0);
            let lengths = [length(), length(), length(), length()];
            let total: f64 = lengths.iter().sum();
            let hip = direction(&mut random) * random.next();
            let foot = hip + direction(&mut random) * total * random.between(0.1, 1.2);
            [
                four(foot, 0.0),
                four(hip, 0.0),
                four(direction(&mut random), 0.0),
                four(direction(&mut random), 0.0),
                four(direction(&mut random), 0.0),
                lengths.map(|length| length as f32),
            ]
        })
        .collect()
}

/// With S the sum of all lengths and distances, the ankle has an error of 4uS, and the
/// coxa's direction that divided by the ankle's distance from the yaw axis; so every
/// joint has that error times S. The ankle's error is also one of the target of femur and
/// tibia, where 4uS replaces uL.
#[test]
fn legs_match_f64() {
    let (compute, legs) = (Compute::shared(), legs());
    let call = "leg(ik::solve_leg(i[0].xyz, i[1].xyz, i[2].xyz, i[3].xyz, i[4].xyz,
        ik::LegLengths(i[5].x, i[5].y, i[5].z, i[5].w)))";
    for (input, answer) in legs.iter().zip(evaluate::<6, 4>(compute, call, &legs)) {
        let [foot, hip, up, rest, tarsus, _] = input.map(wide);
        let [coxa, femur, tibia, tarsus_length] = input[5].map(f64::from);
        let lengths = LegLengths { coxa, femur, tibia, tarsus: tarsus_length };
        let mount = LegMount { hip, up, rest_direction: rest, tarsus_direction: tarsus };
        let leg = lengths.solve(&mount, foot).expect("a leg");

        let ankle_target = foot - tarsus * tarsus_length;
        let size = coxa + femur + tibia + tarsus_length + foot.length() + hip.length();
        let unit = 4.0 * U * size;
        let turned = unit * (1.0 + size / (ankle_target - hip).cross(up).length());
        let (p, reach) = (ankle_target - leg.trochanter, femur + tibia);
        let (h, hole) = (p.length_squared(), femur - tibia);
        let boundary = on_boundary(h, femur, tibia, 4.0 * unit / h.sqrt());
        let s = (reach * reach - h) * (h - hole * hole);
        let bent = if boundary {
            // The height is at most that caused by the tolerance in h.
            (4.0 * unit / h.sqrt()).sqrt() * reach
        } else if s > 0.0 {
            unit * (2.0 * reach * (h / s).sqrt()).max(1.0)
        } else {
            unit * (1.0 + reach / h.sqrt())
        };
        let actual = answer[0][3] == 1.0;
        assert!(actual == leg.reached || boundary, "{input:?} reached: {actual}");
        let short = if leg.reached { unit } else { unit * (1.0 + reach / h.sqrt()) };
        for (joint, found, exact, bound) in [
            ("trochanter", answer[0], leg.trochanter, turned),
            ("knee", answer[1], leg.knee, turned + bent),
            ("ankle", answer[2], leg.ankle, turned + short),
            ("foot", answer[3], leg.foot, turned + short),
        ] {
            let off = wide(found).distance(exact);
            assert!(off <= bound, "{input:?} {joint} off by {off:e} of {bound:e}");
        }
    }
}
