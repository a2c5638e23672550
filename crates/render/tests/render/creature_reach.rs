//! The creature reaches for the pointer: on target, smoothly, and on five feet.

use crate::common::probe::Probe;
use tarsus_render::{Frame, NEVER};

const CREATURE: &str = include_str!("../../../../shaders/creature.wgsl");
const SIZE: (u32, u32) = (640, 360);

/// Six feet (world coordinates, and whether each is on its target), the reaching foot in
/// pixels with the reach (leg, weight), the body, and whether the goal is far enough from
/// the hip, with the cosine of the reaching leg's bend.
const VALUES: &str = "
    let body = walker::body();
    if i < walker::LEGS {
        let bones = walker::leg_of(i).bones;
        return vec4f(walk::to_world(body, bones.foot), f32(bones.reached));
    }
    // The pose finds the reach.
    walker::frame_camera = walker::current_camera();
    let posed = walker::body_at(walker::now());
    let tip = walker::leg_of(reach.leg).bones.foot;
    let projected = camera::project(walker::current_camera(), walk::to_world(body, tip));
    let pixel = 0.5 * (projected.xy * frame::frame.resolution.y + frame::frame.resolution);
    if i == 6u {
        return vec4f(pixel, f32(reach.leg), reach.weight);
    }
    if i == 7u {
        return vec4f(body.position, 0.0);
    }
    let to_goal = walk::to_body(posed, reach.goal) - front_hip(reach.leg);
    let bones = walker::leg_of(reach.leg).bones;
    let femur = normalize(bones.knee - bones.trochanter);
    let bend = dot(femur, normalize(bones.ankle - bones.knee));
    return vec4f(f32(length(to_goal) >= nearest_goal()), bend, 0.0, 0.0);";

type Values = [[f32; 4]; 9];

fn probe() -> Probe<9> {
    Probe::new(CREATURE, VALUES)
}

/// A frame with the button held at `pointer` for `press_age` seconds, or released
/// `release_age` seconds ago.
fn touched(time: f64, pointer: [f32; 2], press_age: f32, release_age: f32) -> Frame {
    let held = release_age > press_age;
    let [x, y] = pointer;
    let mut frame = Frame::new(SIZE, 0, 240.0).at_time(time);
    frame.mouse = [x, y, if held { x } else { -x }, -y];
    frame.press_age = press_age;
    frame.release_age = release_age;
    frame
}

fn length(a: [f32; 4], b: [f32; 4]) -> f64 {
    (0..3).map(|i| f64::from(a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn reaching_foot_is_under_pointer() {
    let probe = probe();
    let mut reached = 0;
    for moment in 0..12 {
        let time = 2.0 * f64::from(moment) + 0.17;
        for column in 0..16 {
            for row in 0..9 {
                let pointer = [40.0 * column as f32 + 20.5, 40.0 * row as f32 + 20.5];
                let values = probe.read(&touched(time, pointer, 5.0, NEVER));
                let [x, y, leg, weight] = values[6];
                assert_eq!(weight, 1.0);
                assert!(leg == 0.0 || leg == 3.0, "a front leg reaches, not {leg}");
                assert!(values.iter().flatten().all(|v| v.is_finite()), "{pointer:?} at {time}");
                let [is_outside, bend, ..] = values[8];
                let bend = bend.acos().to_degrees();
                assert!(bend < 160.0, "the knee folds by {bend}° at {pointer:?} and {time}");
                if is_outside == 1.0 && values[leg as usize][3] == 1.0 {
                    let miss = (x - pointer[0]).hypot(y - pointer[1]);
                    assert!(miss < 2.0, "{miss} pixels beside {pointer:?} at {time}");
                    reached += 1;
                }
            }
        }
    }
    // About a third of the picture is near enough to the head.
    assert!(reached > 12 * 16 * 9 / 10, "only {reached} points can be reached");
}

#[test]
fn other_feet_keep_their_gait() {
    let probe = probe();
    for moment in 0..24 {
        let time = f64::from(moment) + 0.31;
        let walking = probe.read(&Frame::new(SIZE, 0, 60.0).at_time(time));
        let reaching = probe.read(&touched(time, [520.0, 200.0], 5.0, NEVER));
        let leg = reaching[6][2] as usize;
        for foot in (0..6).filter(|&foot| foot != leg) {
            assert_eq!(reaching[foot][3], 1.0, "foot {foot} loses the ground at {time}");
            // f32 rounding in world coordinates, through a leaning body and back.
            assert!(length(walking[foot], reaching[foot]) < 1e-4, "foot {foot} moves at {time}");
        }
        let lean = length(walking[7], reaching[7]);
        assert!((0.02..0.4).contains(&lean), "the body leans by {lean} at {time}");
    }
}

/// Frames of one press that lasts `held` seconds, from the press to one second after the
/// release.
fn press(start: f64, held: f64, pointer: [f32; 2]) -> impl Iterator<Item = (f64, Frame)> {
    (0..(240.0 * (held + 1.0)) as u32).map(move |n| {
        let age = f64::from(n) / 240.0;
        let release = if age < held { NEVER } else { (age - held) as f32 };
        (age, touched(start + age, pointer, age as f32, release))
    })
}

#[test]
fn press_and_release_move_feet_smoothly() {
    let probe = probe();
    for phase in 0..8 {
        let start = 5.0 + 0.12 * f64::from(phase);
        for (held, pointer) in [(0.7, [520.0, 240.0]), (0.12, [420.0, 120.0])] {
            let mut before: Option<Values> = None;
            for (age, frame) in press(start, held, pointer) {
                let now = probe.read(&frame);
                if let Some(before) = before {
                    for foot in 0..6 {
                        let speed = length(before[foot], now[foot]) * 240.0;
                        // Two units in half a second with the easing's peak of 1.9, on
                        // top of the walk's own swing.
                        assert!(
                            speed < 16.0,
                            "foot {foot} at speed {speed}, {age} after the press"
                        );
                    }
                }
                before = Some(now);
            }
            let (end, _) = press(start, held, pointer).last().expect("frames");
            let walking = probe.read(&Frame::new(SIZE, 0, 240.0).at_time(start + end));
            let Some(last) = before else { panic!("no frames") };
            for foot in 0..6 {
                assert!(length(last[foot], walking[foot]) < 1e-4, "foot {foot} is not back");
            }
        }
    }
}
