//! Rotations of rigs and feet: WGSL on the GPU against the crate.

use glam::{Quat, Vec2, Vec3, Vec4, Vec4Swizzles};
use tarsus_ik::{BindPose, EndRotation, Foot, Footing, Goal, Pole, Turn};

use crate::common::compute::Compute;
use crate::common::random::Random;

/// Number of inputs for every function.
const INPUTS: usize = 1 << 18;

impl Random {
    fn direction(&mut self) -> Vec3 {
        let up = self.between(-1.0, 1.0);
        let (sin, cos) = self.between(0.0, std::f64::consts::TAU).sin_cos();
        let level = (1.0 - up * up).sqrt();
        Vec3::new((level * cos) as f32, up as f32, (level * sin) as f32)
    }

    fn single(&mut self, low: f64, high: f64) -> f32 {
        self.between(low, high) as f32
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_axis_angle(self.direction(), self.single(-3.1, 3.1))
    }
}

/// A limb to solve, as for [`BindPose`] and [`Goal`].
struct Limb {
    first: Vec3,
    second: Vec3,
    target: Vec3,
    pole: Vec3,
    /// Direction of the bend in the pose.
    bind_pole: Vec3,
    hinge: Option<Vec3>,
    weight: f32,
    pole_weight: f32,
    end_rotation: Quat,
}

impl Limb {
    /// Poses bent at random or straight, with hinges that follow from the pose, are
    /// perpendicular to the bones, or tilted; targets from the start to beyond the reach.
    fn random(random: &mut Random) -> Self {
        let first = random.direction() * random.single(0.3, 2.0);
        let mut second = random.direction() * random.single(0.3, 2.0);
        if random.next() < 0.2 {
            second = first * random.single(0.3, 2.0);
        }
        let kind = random.next();
        let hinge = if kind < 0.4 {
            None
        } else if kind < 0.6 {
            // Either side: the pose is bent the wrong way for one of them.
            let normal = first.cross(second).normalize_or(first.any_orthonormal_vector());
            Some(if kind < 0.5 { normal } else { -normal })
        } else {
            Some(random.direction())
        };
        let reach = first.length() + second.length();
        let weights = [random.next(), random.next()].map(|w| if w < 0.5 { 1.0 } else { w });
        Self {
            target: random.direction() * (reach * random.single(0.0, 1.2)),
            pole: random.direction(),
            bind_pole: random.direction(),
            hinge,
            weight: weights[0] as f32,
            pole_weight: weights[1] as f32,
            end_rotation: random.rotation(),
            first,
            second,
        }
    }

    fn pose(&self) -> BindPose<Vec3> {
        let end = self.first + self.second;
        let pose = BindPose::new(Vec3::ZERO, self.first, end, self.bind_pole).expect("valid");
        self.hinge.map_or(pose, |axis| pose.with_hinge(axis).expect("valid"))
    }

    fn goal(&self) -> Goal<Vec3> {
        Goal::new(Vec3::ZERO, self.target)
            .with_pole(Pole::Direction(self.pole))
            .with_pole_weight(self.pole_weight)
            .with_weight(self.weight)
            .with_end_rotation(EndRotation::Set(self.end_rotation))
    }

    fn input(&self) -> [[f32; 4]; 7] {
        let with = |v: Vec3, w: f32| v.extend(w).to_array();
        [
            with(self.first, self.weight),
            with(self.second, self.pole_weight),
            with(self.target, f32::from(u8::from(self.hinge.is_some()))),
            with(self.pole, 0.0),
            with(self.bind_pole, 0.0),
            with(self.hinge.unwrap_or_default(), 0.0),
            self.end_rotation.to_array(),
        ]
    }

    /// Sine of the smallest angle of a pair of directions whose angle amplifies rounding:
    /// the bones with the hinge and with one another, the pole with the line, and the bend
    /// of the pose with its blend.
    fn conditioning(&self) -> f32 {
        let sine = |a: Vec3, b: Vec3| a.normalize().cross(b.normalize()).length();
        let line = self.target.normalize();
        let pose_line = (self.first + self.second).normalize_or(self.first);
        let bones = self.hinge.map_or(sine(self.first, self.second), |hinge| {
            sine(self.first, hinge).min(sine(self.second, hinge))
        });
        let straight = if self.hinge.is_none() && bones < 1e-4 {
            sine(self.first, self.bind_pole)
        } else {
            bones
        };
        let opposite = 1.0 + line.dot(pose_line);
        let shortness = (self.first + self.second).length().min(self.target.length());
        [straight, sine(line, self.pole), opposite, shortness].into_iter().fold(1.0, f32::min)
    }
}

const SOURCE: &str = "#import tarsus::ik
fn evaluate(i: array<vec4f, 7>) -> array<vec4f, 5> {
    var pose = ik::bind_pose(vec3f(0.0), i[0].xyz, i[0].xyz + i[1].xyz, i[4].xyz);
    if i[2].w > 0.0 {
        pose = ik::with_hinge(pose, i[5].xyz);
    }
    var posed = ik::solve_pose(pose, i[2].xyz, i[3].xyz, i[1].w);
    posed = ik::weigh_pose(pose, posed, i[0].w);
    posed = ik::set_end_rotation(posed, ik::weigh_rotation(i[6], i[0].w));
    return array<vec4f, 5>(
        vec4f(posed.mid, f32(posed.reached)),
        vec4f(posed.end, 0.0),
        posed.start_rotation,
        posed.mid_rotation,
        posed.end_rotation,
    );
}";

fn rotation_distance(a: Quat, b: Quat) -> f32 {
    (a - b).length().min((a + b).length())
}

#[test]
fn rig_rotations_match_crate() {
    let mut random = Random(31);
    let limbs: Vec<_> = (0..INPUTS)
        .map(|_| Limb::random(&mut random))
        .filter(|limb| limb.conditioning() > 0.05)
        .collect();
    assert!(limbs.len() > INPUTS / 2, "{}", limbs.len());
    let inputs: Vec<_> = limbs.iter().map(Limb::input).collect();
    let answers = Compute::shared().evaluate::<7, 5>(SOURCE, &inputs);
    let mut compared = 0;
    for (limb, answer) in limbs.iter().zip(answers) {
        let pose = limb.pose();
        let posed = pose.solve(&limb.goal()).expect("finite");
        let [mid, end, start_rotation, mid_rotation, end_rotation] = answer.map(Vec4::from_array);
        let rotations = [start_rotation, mid_rotation, end_rotation].map(Quat::from_vec4);
        let context = || format!("{:?} {answer:?} {posed:?}", limb.input());

        // Forward kinematics gives the joints.
        let [start, hinge, _] = rotations;
        let knee = start * limb.first;
        let ankle = knee + start * (hinge * limb.second);
        assert!(knee.distance(mid.xyz()) < 4e-6, "{}", context());
        let extent = end.length().max(0.05);
        assert!(ankle.distance(end.xyz()) < 4e-5 / extent, "{}", context());

        // A half turn has two shortest ways, and opposite bends have no blend.
        let side = |v: Vec3| v - limb.target * (v.dot(limb.target) / limb.target.length_squared());
        let reference = pose.solve(&limb.goal().with_weight(1.0).with_pole(Pole::Pose));
        let reference = side(reference.expect("finite").solution.mid).normalize_or_zero();
        let is_opposite = side(limb.pole).normalize_or_zero().dot(reference) < -0.9;
        let full = pose.solve(&limb.goal().with_weight(1.0)).expect("finite");
        let is_half_turn =
            [full.start_rotation, full.mid_rotation].iter().any(|q| q.w.abs() < 0.02);
        if is_opposite || is_half_turn {
            continue;
        }
        // At the limits of the reach the bend varies as the root of the distance, and the
        // line of a limb with a tilted hinge may be along the hinge.
        let (hole, reach) = (pose.limb().hole(), pose.limb().reach());
        let distance = limb.target.length().clamp(hole, reach);
        if (reach - distance).min(distance - hole) < 1e-2 * reach {
            continue;
        }
        compared += 1;
        assert!(mid.xyz().distance(posed.solution.mid) < 5e-5, "{}", context());
        assert!(end.xyz().distance(posed.solution.end) < 5e-5, "{}", context());
        assert_eq!(mid.w == 1.0, posed.solution.reached, "{}", context());
        let expected = [posed.start_rotation, posed.mid_rotation, posed.end_rotation];
        for (rotation, expected) in rotations.into_iter().zip(expected) {
            assert!(rotation_distance(rotation, expected) < 5e-5, "{}", context());
        }
    }
    assert!(compared > INPUTS / 4, "{compared}");
}

/// Bones almost in line in the pose, stretched out or folded, or so different in length that
/// the mid joint rounds to the start: the rotations are rotations and carry the pose to the
/// joints.
#[test]
fn nearly_straight_poses_are_carried() {
    let mut random = Random(34);
    let limbs: Vec<_> = (0..INPUTS)
        .map(|i| {
            let line = random.direction();
            let second = line * [1.0, -1.0][i % 2]
                + random.direction() * 10.0_f32.powf(random.single(-8.0, 0.0));
            let first = line * random.single(0.3, 2.0);
            let second = second * random.single(0.3, 2.0);
            let (hole, reach) =
                ((first.length() - second.length()).abs(), first.length() + second.length());
            let limb = Limb {
                target: random.direction() * (hole + (reach - hole) * random.single(0.1, 0.9)),
                pole: random.direction(),
                bind_pole: random.direction(),
                hinge: None,
                weight: 1.0,
                pole_weight: 1.0,
                end_rotation: Quat::IDENTITY,
                first,
                second,
            };
            let shortness = if i % 64 == 0 { 1e-8 } else { 1.0 };
            Limb { first: first * shortness, ..limb }
        })
        .collect();
    let inputs: Vec<_> = limbs.iter().map(Limb::input).collect();
    let answers = Compute::shared().evaluate::<7, 5>(SOURCE, &inputs);
    for (limb, answer) in limbs.iter().zip(answers) {
        let [mid, end, start, hinge, _] = answer.map(Vec4::from_array);
        let [start, hinge] = [start, hinge].map(Quat::from_vec4);
        // The bones as the pose has them.
        let second = (limb.first + limb.second) - limb.first;
        let knee = start * limb.first;
        let ankle = knee + start * (hinge * second);
        let context = || format!("{:?} {answer:?}", limb.input());
        assert!((start.length() - 1.0).abs() < 1e-6, "{}", context());
        assert!((hinge.length() - 1.0).abs() < 1e-6, "{}", context());
        assert!(knee.distance(mid.xyz()) < 4e-6, "{}", context());
        let is_short = limb.first.length() < 1e-6;
        assert!(is_short || ankle.distance(end.xyz()) < 4e-6, "{}", context());
    }
}

/// A hinge axis near a bone is one, and an axis along a bone is none.
#[test]
fn hinge_along_bone_leaves_pose() {
    let source = "#import tarsus::ik
fn evaluate(i: array<vec4f, 3>) -> array<vec4f, 1> {
    let pose = ik::bind_pose(vec3f(0.0), i[0].xyz, i[0].xyz + i[1].xyz, vec3f(0.0, 1.0, 0.0));
    let hinged = ik::with_hinge(pose, i[2].xyz);
    return array<vec4f, 1>(vec4f(hinged.hinge, f32(any(hinged.hinge != pose.hinge))));
}";
    let mut random = Random(35);
    let inputs: Vec<_> = (0..INPUTS / 16)
        .map(|i| {
            let (first, second) = (random.direction(), random.direction());
            let near = if i % 2 == 0 { 0.0 } else { 10.0_f32.powf(random.single(-5.0, 0.0)) };
            let bone = if i % 4 < 2 { first } else { second };
            let axis = bone + bone.any_orthonormal_vector() * near;
            let axis = (axis * random.single(0.5, 2.0)).extend(near);
            [first.extend(0.0), second.extend(0.0), axis].map(|v| v.to_array())
        })
        .collect();
    let answers = Compute::shared().evaluate::<3, 1>(source, &inputs);
    for (input, [answer]) in inputs.iter().zip(answers) {
        let [first, second, axis] = input.map(Vec4::from_array);
        let pose = BindPose::new(Vec3::ZERO, first.xyz(), first.xyz() + second.xyz(), Vec3::Y);
        let hinged = pose.expect("valid").with_hinge(axis.xyz());
        assert_eq!(answer[3] == 1.0, axis.w > 0.0, "{input:?} → {answer:?}");
        assert_eq!(hinged.is_ok(), axis.w > 0.0, "{input:?}");
    }
}

/// The point rolled about stays where the flat foot has it; the foot is the crate's.
#[test]
fn placed_feet_match_crate() {
    let source = "#import tarsus::ik
fn evaluate(i: array<vec4f, 7>) -> array<vec4f, 2> {
    let foot = ik::Foot(i[0].xyz, i[1].xyz, i[2].xyz);
    let footing = ik::Footing(i[3].xyz, i[4].xyz, i[5].xyz);
    let placed = ik::place_foot(foot, footing, i[6].xy);
    return array<vec4f, 2>(vec4f(placed.ankle, 0.0), placed.rotation);
}";
    let mut random = Random(32);
    let feet: Vec<_> = (0..INPUTS)
        .map(|_| {
            let up = random.direction();
            let forward = up.any_orthonormal_vector();
            let sole = up * -random.single(0.05, 0.2);
            let foot = Foot {
                heel: sole - forward * random.single(0.02, 0.1),
                toe: sole + forward * random.single(0.05, 0.2),
                up,
            };
            let (point, normal) = (random.direction(), random.direction());
            let footing = Footing { point, normal, heading: random.direction() };
            (foot, footing, random.single(-1.2, 1.2))
        })
        .filter(|(_, footing, _)| footing.heading.cross(footing.normal).length() > 0.1)
        .collect();
    let inputs: Vec<[[f32; 4]; 7]> = feet
        .iter()
        .map(|(foot, footing, roll)| {
            let roll = Vec2::from_angle(*roll).extend(0.0);
            [foot.heel, foot.toe, foot.up, footing.point, footing.normal, footing.heading, roll]
                .map(|v| v.extend(0.0).to_array())
        })
        .collect();
    let answers = Compute::shared().evaluate::<7, 2>(source, &inputs);
    for ((foot, footing, roll), answer) in feet.into_iter().zip(answers) {
        let [ankle, rotation] = answer.map(Vec4::from_array);
        let (ankle, rotation) = (ankle.xyz(), Quat::from_vec4(rotation));
        let place = |roll| {
            let roll = Turn::from_radians(roll).expect("finite");
            foot.place(&footing, roll).expect("valid")
        };
        let (flat, rolled) = (place(0.0), place(roll));
        assert!(ankle.distance(rolled.ankle) < 1e-5, "{ankle} {rolled:?}");
        assert!(rotation_distance(rotation, rolled.rotation) < 2e-5, "{rotation} {rolled:?}");
        let pivot = if roll < 0.0 { foot.heel } else { foot.toe };
        let off = (ankle + rotation * pivot).distance(flat.ankle + flat.rotation * pivot);
        assert!(off < 2e-6, "{foot:?} {footing:?} {roll}: {off}");
    }
}

/// Poses, targets and feet of all sizes and in degenerate positions give finite results.
#[test]
fn degenerate_rigs_are_finite() {
    let foot = "#import tarsus::ik
fn evaluate(i: array<vec4f, 7>) -> array<vec4f, 5> {
    let foot = ik::Foot(i[0].xyz, i[1].xyz, i[3].xyz);
    let placed = ik::place_foot(foot, ik::Footing(i[2].xyz, i[4].xyz, i[5].xyz), i[6].xy);
    return array<vec4f, 5>(vec4f(placed.ankle, 0.0), placed.rotation, vec4f(), vec4f(), vec4f());
}";
    let sizes = [0.0, 1e-30, 1e-6, 1.0, 1e18, 1e30];
    let directions = [Vec3::X, Vec3::NEG_X, Vec3::new(0.6, -0.8, 0.0), Vec3::ZERO];
    let mut random = Random(33);
    let inputs: Vec<[[f32; 4]; 7]> = (0..INPUTS)
        .map(|_| {
            let mut any = |items: usize| (random.next() * items as f64) as usize;
            let mut row = || {
                let v = directions[any(4)] * sizes[any(6)];
                v.extend([0.0, 1.0, 0.5][any(3)]).to_array()
            };
            let [first, second, target, pole, bend, hinge] = std::array::from_fn(|_| row());
            [first, second, target, pole, bend, hinge, [0.6, 0.0, 0.0, 0.8]]
        })
        .collect();
    for source in [SOURCE, foot] {
        for (input, answer) in
            inputs.iter().zip(Compute::shared().evaluate::<7, 5>(source, &inputs))
        {
            let is_finite = answer.as_flattened().iter().all(|x| x.is_finite());
            assert!(is_finite, "{input:?} → {answer:?}");
        }
    }
}
