//! The walk: a pose for every time, without state.

use std::error::Error;
use std::f32::consts::{PI, TAU};

use glam::{Mat4, Quat, Vec3};
use tarsus_ik::{BindPose, EndRotation, Foot, Footing, Goal, Pole, Turn};

use crate::model::Model;

/// Metres per second, seconds per pair of steps, and the part of it on the ground.
const SPEED: f32 = 0.95;
const PERIOD: f32 = 1.15;
const DUTY: f32 = 0.6;
/// Distance between two prints of a foot.
const STRIDE: f32 = SPEED * PERIOD;
/// Height of the hips over the ground.
const HIP_HEIGHT: f32 = 0.82;
/// Length after which the ground repeats.
pub const GROUND_PERIOD: f32 = 16.0;

/// Height of the ground.
pub fn ground(x: f32, z: f32) -> f32 {
    let wave = |count: f32, across: f32, phase: f32| {
        (TAU * count * z / GROUND_PERIOD + across * x + phase).sin()
    };
    0.11 * wave(2.0, 0.7, 0.4) + 0.06 * wave(5.0, -1.9, 2.0) + 0.035 * wave(9.0, 2.7, 0.0)
}

/// Unit normal of the ground.
fn ground_normal(x: f32, z: f32) -> Vec3 {
    let step = 0.01;
    let slope = |dx, dz| (ground(x + dx, z + dz) - ground(x - dx, z - dz)) / (2.0 * step);
    Vec3::new(-slope(step, 0.0), 1.0, -slope(0.0, step)).normalize()
}

/// A rig that can walk.
pub struct Walker {
    pub model: Model,
    legs: [Leg; 2],
    body: (usize, Vec3),
    neck: (usize, Vec3),
    head: (usize, Vec3),
}

/// One leg of the rig: its bind pose, and its joints in the skin.
struct Leg {
    pose: BindPose<Vec3>,
    foot: Foot<Vec3>,
    /// Hip, knee and ankle.
    joints: [(usize, Vec3); 3],
    /// Offset of the steps, in periods.
    phase: f32,
}

/// A posed walker.
pub struct WalkPose {
    /// Matrix of each joint of the skin.
    pub skin: Vec<Mat4>,
    /// Point that the camera looks at.
    pub center: Vec3,
}

impl Walker {
    pub fn new(model: Model) -> Result<Self, Box<dyn Error>> {
        let leg = |side: &str, phase| -> Result<Leg, Box<dyn Error>> {
            let joints = [
                model.joint(&format!("hip_{side}"))?,
                model.joint(&format!("knee_{side}"))?,
                model.joint(&format!("ankle_{side}"))?,
            ];
            let [hip, knee, ankle] = joints.map(|(_, place)| place);
            // The leg slows down before it is straight.
            let pose = BindPose::new(hip, knee, ankle, Vec3::NEG_Z)?
                .with_limb(|leg| leg.with_soft_reach(0.98 * leg.reach()))?;
            let sole = -ankle.y;
            let foot = Foot {
                heel: Vec3::new(0.0, sole, -0.05),
                toe: Vec3::new(0.0, sole, 0.18),
                up: Vec3::Y,
            };
            Ok(Leg { pose, foot, joints, phase })
        };
        let legs = [leg("l", 0.0)?, leg("r", 0.5)?];
        let (body, neck, head) = (model.joint("body")?, model.joint("neck")?, model.joint("head")?);
        Ok(Self { legs, body, neck, head, model })
    }

    /// The pose at a time in seconds.
    pub fn pose(&self, t: f32) -> Result<WalkPose, tarsus_ik::Error> {
        let mut skin = vec![Mat4::IDENTITY; self.model.joint_count()];
        let cycle = TAU * t / PERIOD;
        let z = SPEED * t;
        // The body follows the mean of the ground, and leans over the standing foot.
        let around = [-0.4, -0.2, 0.0, 0.2, 0.4].map(|dz| ground(0.0, z + dz));
        let level = around.iter().sum::<f32>() / 5.0;
        let slope = (around[4] - around[0]) / 0.8;
        let bob = 0.018 * (2.0 * cycle + 0.6).cos();
        let (body, bind_hip) = (self.body, self.legs[0].joints[0].1);
        let lift = level + HIP_HEIGHT - bind_hip.y + bob;
        let place = body.1 + Vec3::new(0.035 * (cycle - 0.5).sin(), lift, z);
        let tilt = Quat::from_rotation_x(-0.5 * slope.atan())
            * Quat::from_rotation_z(0.05 * (cycle - 0.5).sin())
            * Quat::from_rotation_y(0.08 * cycle.cos());
        skin[body.0] = about(body.1, tilt, place);

        // The neck swings back as the body advances, and the head stays level.
        let neck = tilt * Quat::from_rotation_x(0.07 * (2.0 * cycle).sin());
        let neck_at = skin[body.0].transform_point3(self.neck.1);
        skin[self.neck.0] = about(self.neck.1, neck, neck_at);
        let head_at = skin[self.neck.0].transform_point3(self.head.1);
        skin[self.head.0] = about(self.head.1, Quat::from_rotation_x(0.03), head_at);

        for leg in &self.legs {
            let step = leg.step(t);
            let placed = leg.foot.place(&step.footing, Turn::from_radians(step.roll)?)?;
            let [hip, knee, ankle] = leg.joints;
            let start = skin[body.0].transform_point3(hip.1);
            // Knees of birds bend backward.
            let goal = Goal::new(start, placed.ankle + Vec3::Y * step.lift)
                .with_pole(Pole::Direction(tilt * Vec3::new(0.15 * hip.1.x.signum(), 0.0, -1.0)))
                .with_end_rotation(EndRotation::Set(placed.rotation));
            let posed = leg.pose.solve(&goal)?;
            // The rotations of a joint's parents apply to it, too.
            let thigh = posed.start_rotation;
            let shin = thigh * posed.mid_rotation;
            skin[hip.0] = about(hip.1, thigh, start);
            skin[knee.0] = about(knee.1, shin, posed.solution.mid);
            skin[ankle.0] = about(ankle.1, shin * posed.end_rotation, posed.solution.end);
        }
        Ok(WalkPose { skin, center: Vec3::new(0.0, level + 0.8, z) })
    }
}

/// The matrix of the skin for a joint that was at `bind` and is turned and moved.
fn about(bind: Vec3, rotation: Quat, place: Vec3) -> Mat4 {
    Mat4::from_rotation_translation(rotation, place) * Mat4::from_translation(-bind)
}

/// State of a foot at a time.
struct Step {
    footing: Footing<Vec3>,
    /// Radians about the toe, or about the heel if negative.
    roll: f32,
    /// Height above the ground.
    lift: f32,
    #[cfg_attr(not(test), expect(dead_code, reason = "tests check that standing feet stay"))]
    is_standing: bool,
}

impl Leg {
    fn step(&self, t: f32) -> Step {
        let steps = t / PERIOD + self.phase;
        let (count, u) = (steps.floor(), steps.rem_euclid(1.0));
        // The hip passes over the foot in the middle of the time that the foot stands.
        let print = |count: f32| STRIDE * (count + 0.5 * DUTY - self.phase) + 0.03;
        let x = self.joints[2].1.x;
        let footing = |z: f32| Footing {
            point: Vec3::new(x, ground(x, z), z),
            normal: ground_normal(x, z),
            heading: Vec3::Z,
        };
        if u < DUTY {
            let u = u / DUTY;
            let roll = -0.25 * (1.0 - smooth(u / 0.2)) + 0.75 * smooth((u - 0.6) / 0.4);
            return Step { footing: footing(print(count)), roll, lift: 0.0, is_standing: true };
        }
        let u = (u - DUTY) / (1.0 - DUTY);
        let (from, to) = (footing(print(count)), footing(print(count + 1.0)));
        let share = smooth(u);
        let footing = Footing {
            point: from.point.lerp(to.point, share),
            normal: from.normal.lerp(to.normal, share),
            heading: Vec3::Z,
        };
        // Toe down first, up before the heel lands.
        let roll = 0.75 + 0.35 * (PI * u).sin() - smooth(u);
        Step { footing, roll, lift: 0.13 * (PI * u).sin().powi(2), is_standing: false }
    }
}

fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walker() -> Walker {
        Walker::new(Model::load().expect("a valid file")).expect("a valid rig")
    }

    /// Millimetres of rounding at a distance of 10 m.
    const ROUNDING: f32 = 2e-5;

    /// While a foot stands, the point that it rolls about is on the ground and does not move.
    #[test]
    fn standing_feet_do_not_slide() {
        let walker = walker();
        for (leg, frame) in (0..2).flat_map(|leg| (0..1200).map(move |frame| (leg, frame))) {
            let (leg, t) = (&walker.legs[leg], frame as f32 / 120.0);
            let pivot = |t: f32| {
                let step = leg.step(t);
                let pose = walker.pose(t).expect("finite");
                let [.., (ankle, bind)] = leg.joints;
                let pivot = if step.roll < 0.0 { leg.foot.heel } else { leg.foot.toe };
                (step, pose.skin[ankle].transform_point3(bind + pivot))
            };
            let ((step, here), (next_step, next)) = (pivot(t), pivot(t + 1.0 / 120.0));
            if !(step.is_standing && next_step.is_standing) {
                continue;
            }
            let over = (here - step.footing.point).dot(step.footing.normal);
            assert!(over.abs() < ROUNDING, "{over} m over the ground at {t} s");
            if (step.roll < 0.0) == (next_step.roll < 0.0) {
                assert!(here.distance(next) < ROUNDING, "slides {} m", here.distance(next));
            }
        }
    }

    /// The legs are never straight, the knees bend backward, and no frame jumps.
    #[test]
    fn legs_reach_their_feet_smoothly() {
        let walker = walker();
        let mut before = walker.pose(0.0).expect("finite");
        for frame in 1..1200 {
            let pose = walker.pose(frame as f32 / 120.0).expect("finite");
            for leg in &walker.legs {
                let [hip, knee, ankle] =
                    leg.joints.map(|(i, bind)| pose.skin[i].transform_point3(bind));
                let (limb, line) = (leg.pose.limb(), ankle - hip);
                assert!((knee.distance(hip) - limb.lengths().0).abs() < ROUNDING);
                assert!((knee.distance(ankle) - limb.lengths().1).abs() < ROUNDING);
                assert!(line.length() < 0.99 * limb.reach(), "{}", line.length() / limb.reach());
                assert!((knee - hip).cross(line).x < 0.0);
            }
            for (joint, bind) in walker.legs.iter().flat_map(|leg| leg.joints) {
                let [a, b] = [&before, &pose].map(|pose| pose.skin[joint].transform_point3(bind));
                assert!(a.distance(b) < 0.05, "joint {joint} jumps by {} m", a.distance(b));
            }
            before = pose;
        }
    }
}
