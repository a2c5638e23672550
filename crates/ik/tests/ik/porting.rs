//! The formulas of the section "Porting" of `docs/ik.md`, as they are written there, against
//! the crate in `f64`. Targets and poles keep away from the degenerate cases.

use glam::{DMat3, DQuat, DVec3};
use tarsus_ik::{
    BindPose, EndRotation, Goal, Pole, ReachPolicy, ThreeBone, Turn, TwoBone, twist_share,
};

use crate::random::{Random, cases};

/// Mid joint along and across the line, and the distance of the end joint, for h = |p|².
fn triangle(h: f64, r1: f64, r2: f64) -> [f64; 3] {
    let (sum, difference) = (r1 + r2, r1 - r2);
    let h = h.clamp(difference * difference, sum * sum);
    let d = h.sqrt();
    let w = h + difference * sum;
    let s = (sum * sum - h) * (h - difference * difference);
    [w / (2.0 * d), s.sqrt() / (2.0 * d), d]
}

fn across(n: DVec3, pole: DVec3) -> DVec3 {
    let m = n.cross(pole);
    m.cross(n) / m.length()
}

/// Settings that a limb may have.
#[derive(Clone, Copy, Debug)]
struct Settings {
    policy: ReachPolicy,
    stretch: Option<[f64; 2]>,
    fold: Option<f64>,
    reach: Option<f64>,
    limits: Option<[f64; 2]>,
}

impl Settings {
    /// A limb with some of the settings at random.
    fn random(random: &mut Random, r1: f64, r2: f64) -> (Self, TwoBone<f64>) {
        let policies = [ReachPolicy::Meet, ReachPolicy::Clamp, ReachPolicy::Fail];
        let policy = policies[(3.0 * random.next()) as usize];
        let mut limb = TwoBone::new(r1, r2).expect("positive").with_policy(policy);
        let mut all = Self { policy, stretch: None, fold: None, reach: None, limits: None };
        let least = random.between(0.0, 1.5);
        let limits = [least, random.between(least, 3.1)];
        if random.next() < 0.5 {
            let [least, most] = limits.map(|angle| Turn::from_radians(angle).expect("finite"));
            limb = limb.with_hinge_limits(least, most).expect("in order");
            all.limits = Some(limits);
        }
        let mut between = |limb: &TwoBone<f64>| random.between(limb.hole(), limb.reach());
        let [begin, end] = [between(&limb), between(&limb)];
        let stretch = [random.next(), random.between(1.0, 2.0)];
        if random.next() < 0.5 {
            limb = limb.with_soft_reach(begin.max(end)).expect("within reach");
            all.reach = Some(begin.max(end));
        }
        if random.next() < 0.5 {
            limb = limb.with_soft_fold(begin.min(end)).expect("outside the hole");
            all.fold = Some(begin.min(end));
        }
        if random.next() < 0.5 {
            limb = limb.with_stretch(stretch[0], stretch[1]).expect("in order");
            all.stretch = Some(stretch);
        }
        (all, limb)
    }

    /// Mid and end joint from the origin toward p, whether the target is reached, and the
    /// factor of the lengths; `None` if the policy fails.
    fn solve(self, p: DVec3, r1: f64, r2: f64, pole: DVec3) -> Option<(DVec3, DVec3, bool, f64)> {
        let target = p.length();
        let n = p / target;
        let at = |angle: f64| (r1 + r2 * angle.cos()).hypot(r2 * angle.sin());
        let [hole, reach] = match self.limits {
            Some([least, most]) => [at(most), at(least)],
            None => [(r1 - r2).abs(), r1 + r2],
        };
        let k = self.stretch.map_or(1.0, |[from, max]| {
            let from = from.max(hole / reach);
            let k = 1.0 + (max - 1.0) * (target - from * reach) / ((max - from) * reach);
            k.clamp(1.0, max)
        });
        let [r1, r2, hole, reach] = [r1, r2, hole, reach].map(|length| length * k);
        let mut d = target;
        if let Some(begin) = self.fold.map(|begin| begin * k).filter(|begin| d < *begin) {
            let alpha = (begin - d) / (begin - hole);
            d = begin - (begin - hole) * alpha / (1.0 + alpha);
        }
        if let Some(begin) = self.reach.map(|begin| begin * k).filter(|begin| d > *begin) {
            let alpha = (d - begin) / (reach - begin);
            d = begin + (reach - begin) * alpha / (1.0 + alpha);
        }
        let eased = d;
        if self.limits.is_some() {
            d = d.clamp(hole, reach);
        }
        let (h, sum, difference) = (d * d, r1 + r2, r1 - r2);
        let is_moved = d != target;
        let is_within = is_moved || (h <= sum * sum && h >= difference * difference);
        if self.policy == ReachPolicy::Fail && (d != eased || !is_within) {
            return None;
        }
        if self.policy == ReachPolicy::Meet && !is_within {
            return Some((p * (h + difference * sum) / (2.0 * h), p, false, k));
        }
        let [x, y, d] = triangle(h, r1, r2);
        Some((n * x + across(n, pole) * y, n * d, is_within && !is_moved, k))
    }
}

#[test]
fn settings_follow_the_formulas() {
    let mut random = Random(71);
    for _ in 0..cases() {
        let (r1, r2) = (random.between(0.1, 1.1), random.between(0.1, 1.1));
        let (settings, limb) = Settings::random(&mut random, r1, r2);
        let p = random.direction() * random.between(0.01, 1.6) * (r1 + r2);
        let pole = random.direction();
        let what = format!("{settings:?} {r1} {r2} {p} {pole}");
        match (limb.solve(DVec3::ZERO, p, pole), settings.solve(p, r1, r2, pole)) {
            (Ok(solved), Some((mid, end, reached, k))) => {
                assert_eq!(solved.reached, reached, "{what}");
                let off = solved.mid.distance(mid).max(solved.end.distance(end));
                assert!(off.max((solved.stretch - k).abs()) < 1e-7, "{what}: {off:e}");
            }
            (Err(_), None) => {}
            (solved, expected) => panic!("{what}: {solved:?}, {expected:?}"),
        }
    }
}

#[test]
fn three_bones_follow_the_formulas() {
    let mut random = Random(72);
    for i in 0..cases() {
        let [r1, r2, r3] = [(); 3].map(|()| random.between(0.1, 1.1));
        let t = random.next();
        let mut limb = ThreeBone::new(r1, r2, r3).and_then(|l| l.with_distribution(t));
        if i % 2 == 0 {
            limb = limb.map(ThreeBone::with_opposed_bends);
        }
        let p = random.direction() * random.between(0.01, 1.2) * (r1 + r2 + r3);
        let pole = random.direction();
        let solved = limb.and_then(|l| l.solve(DVec3::ZERO, p, pole)).expect("valid");

        let n = p.normalize();
        let b = across(n, pole);
        let hole = (r1 - r2 - r3).max(r2 - r3 - r1).max(r3 - r1 - r2).max(0.0);
        let d = p.length().clamp(hole, r1 + r2 + r3);
        let (e0, e1) = ((r1 - r2).abs().max((d - r3).abs()), (r1 + r2).min(d + r3));
        let [x, y, _] = triangle(d * d, (e0 + t * (e1 - e0)).min(r1 + r2), r3);
        let y = if i % 2 == 0 { -y } else { y };
        let v = n * x + b * y;
        let beside = (b * x - n * y) / v.length();
        let [along, height, _] = triangle(v.dot(v), r1, r2);
        let first = v.normalize() * along + beside * height;
        let off = solved.first.distance(first).max(solved.second.distance(v));
        assert!(off.max(solved.end.distance(n * d)) < 1e-6, "{limb:?} {p} {pole}: {off:e}");
    }
}

/// Rotation with the columns x and y, which are perpendicular.
fn rotation(x: DVec3, y: DVec3) -> DQuat {
    let (x, y) = (x.normalize(), y.normalize());
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
}

fn weighted(q: DQuat, weight: f64) -> DQuat {
    let q = if q.w < 0.0 { -q } else { q };
    (DQuat::IDENTITY * (1.0 - weight) + q * weight).normalize()
}

#[test]
fn rigs_follow_the_formulas() {
    let mut random = Random(73);
    for i in 0..cases() {
        let [first, second] = [(); 2].map(|()| random.direction() * random.between(0.3, 1.3));
        let (r1, r2) = (first.length(), second.length());
        let n = random.direction();
        let target =
            n * ((r1 - r2).abs() + (r1 + r2 - (r1 - r2).abs()) * random.between(0.05, 0.95));
        let mut pole = random.direction();
        if i % 3 == 0 {
            pole = target + pole * 0.1; // near the line
        }
        let (pole_weight, k, share) = (random.next(), random.next(), random.between(-1.0, 2.0));
        let (sin, cos) = random.between(-3.0, 3.0).sin_cos();
        let turned = DQuat::from_axis_angle(random.direction(), random.between(0.0, 3.0));
        let goal = Goal::new(DVec3::ZERO, target)
            .with_pole(Pole::Direction(pole))
            .with_pole_weight(pole_weight)
            .with_twist(Turn::new(cos, sin).expect("not zero"))
            .with_weight(k)
            .with_end_rotation(EndRotation::Set(turned));
        let pose = BindPose::new(DVec3::ZERO, first, first + second, DVec3::X).expect("lengths");
        let posed = pose.solve(&goal).expect("finite");

        let (l, a) = ((first + second).normalize(), second.cross(first).normalize());
        let c = a.cross(l);
        let c = across(n, c - (l + n) * (n.dot(c) / (1.0 + l.dot(n))));
        let sine_square = n.cross(pole).length_squared() / pole.length_squared();
        let part = pole_weight * (64.0 * sine_square).min(1.0);
        let blend = c * (1.0 - part) + across(n, pole) * part;
        let b = blend.normalize();
        let b = b * cos + n.cross(b) * sin;
        let [x, y, _] = triangle(target.dot(target), r1, r2);
        let mid = n * x + b * y;
        let start = rotation(mid, n.cross(b)) * rotation(first, a).inverse();
        let hinge = first.angle_between(second) - mid.angle_between(target - mid);
        // A half turn has two shortest ways, and opposite bends or lines have no blend.
        if start.w.abs() < 1e-3 || blend.length() < 1e-2 || 1.0 + l.dot(n) < 1e-2 {
            continue;
        }
        let start = weighted(start, k);
        let hinge = weighted(DQuat::from_axis_angle(a, hinge), k);
        let mid = start * first;
        let end = mid + start * hinge * second;
        let off = posed.solution.mid.distance(mid).max(posed.solution.end.distance(end));
        assert!(off < 1e-9, "{first} {second} {goal:?}: {off:e}");
        let end = (start * hinge).inverse() * weighted(turned, k);
        assert!(posed.end_rotation.dot(end).abs() > 1.0 - 1e-12, "{first} {second} {goal:?}");

        let v = DVec3::new(end.x, end.y, end.z) * end.w.signum();
        let axis = second.normalize();
        let half = share * v.dot(axis).atan2(end.w.abs());
        let expected = DQuat::from_xyzw(0.0, 0.0, 0.0, half.cos())
            + DQuat::from_vec4((axis * half.sin()).extend(0.0));
        let twist = twist_share(end, axis, share).expect("an axis");
        assert!(twist.abs_diff_eq(expected, 1e-12), "{end} {axis} {share}");
    }
}
