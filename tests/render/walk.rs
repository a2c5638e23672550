//! The walking scenes: invariants of every gait, in f64 and on the adapter.
//!
//! A walking scene has `WALK`, `LEGS`, `CLEARANCE`, `LOOP_SECONDS`, `phase_of`,
//! `neutral_foot_of`, `hip_of`, `foot_at`, `pack_frame_data` and `unpack_animal`; the rest is in the table.

use crate::common::compute::Compute;
use crate::common::reference::{Body, Foot, Gait, LegPlan, body_over, foot_at, path};
use glam::{DVec2, DVec3};

const SECONDS: f64 = 60.0;
const RATE: f64 = 240.0;

/// A walking scene: what is to hold of it, and what its shader does not say by
/// a name of its own.
struct Scene {
    name: &'static str,
    text: &'static str,
    legs: usize,
    /// How many feet are down at least.
    least_down: usize,
    /// Pairs that stand one behind the other on a side: never both in the air.
    neighbours: &'static [(usize, usize)],
    /// WGSL for the moment at `time`, seen by `eye`.
    moment: &'static str,
    /// WGSL for the lengths of leg `leg`.
    lengths: &'static str,
    /// How far the tarsus leans outward for a unit downward.
    lean: f64,
    ground: fn(DVec2) -> f64,
    /// How far the body follows the slope of the ground.
    follow: f64,
    /// Where the body is beside (to the right) and above its mean place, by the
    /// number of cycles walked.
    sway: fn(f64) -> DVec2,
    /// Points under the body, x ahead and y up, and the room to be under them.
    belly: &'static [(f64, f64)],
    room: f64,
}

const TAU: f64 = std::f64::consts::TAU;

fn level(_: DVec2) -> f64 {
    0.0
}

const SCENES: [Scene; 1] = [Scene {
    name: "crane",
    text: include_str!("../../shaders/crane.wgsl"),
    legs: 2,
    least_down: 1,
    neighbours: &[(0, 1)],
    moment: "frame_data_of(eye, time)",
    lengths: "LENGTHS",
    lean: 0.0,
    ground: level,
    follow: 0.0,
    sway: |cycle| {
        let turn = TAU * (cycle - 0.32);
        DVec2::new(-0.045 * turn.cos(), 0.026 * (2.0 * turn).cos())
    },
    belly: &[(-1.05, -0.6), (0.0, -0.35)],
    room: 1.0,
}];

/// Lengths of one leg's segments, as in `ik::LegLengths`.
#[derive(Clone, Copy)]
struct Lengths {
    coxa: f64,
    femur_and_tibia: f64,
    tarsus: f64,
}

/// What a scene says of its walk, read from the shader itself.
struct Walk {
    gait: Gait,
    clearance: f64,
    loop_seconds: f64,
    legs: Vec<LegPlan>,
    lengths: Vec<Lengths>,
}

fn read_walk(compute: &Compute, scene: &Scene) -> Walk {
    let source = format!(
        "{}
var<private> moment: array<vec4f, 15>;
override fn frame::data(index: u32) -> vec4f {{
    return moment[index];
}}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 5> {{
    let leg = u32(input[0].x);
    let lengths = {};
    return array<vec4f, 5>(
        vec4f(WALK.period, WALK.duty, WALK.stride, WALK.lift),
        vec4f(CLEARANCE, LOOP_SECONDS, f32(LEGS), phase_of(leg)),
        vec4f(neutral_foot_of(leg), 0.0, 0.0),
        vec4f(hip_of(leg), 0.0),
        vec4f(lengths.coxa, lengths.femur, lengths.tibia, lengths.tarsus),
    );
}}",
        scene.text, scene.lengths
    );
    let inputs: Vec<[[f32; 4]; 1]> = (0..scene.legs)
        .map(|leg| [[leg as f32, 0.0, 0.0, 0.0]])
        .collect();
    let said = compute.evaluate::<1, 5>(&source, &inputs);
    let f = f64::from;
    let [gait, other, ..] = said[0];
    assert_eq!(f(other[2]), scene.legs as f64, "legs of {}", scene.name);
    Walk {
        gait: Gait {
            period: f(gait[0]),
            duty: f(gait[1]),
            stride: f(gait[2]),
            lift: f(gait[3]),
        },
        clearance: f(other[0]),
        loop_seconds: f(other[1]),
        legs: said
            .iter()
            .map(|[_, other, rest, hip, _]| LegPlan {
                phase: f(other[3]),
                rest: DVec2::new(f(rest[0]), f(rest[1])),
                hip: DVec3::new(f(hip[0]), f(hip[1]), f(hip[2])),
            })
            .collect(),
        lengths: said
            .iter()
            .map(|[.., lengths]| Lengths {
                coxa: f(lengths[0]),
                femur_and_tibia: f(lengths[1]) + f(lengths[2]),
                tarsus: f(lengths[3]),
            })
            .collect(),
    }
}

fn times() -> impl Iterator<Item = f64> {
    (0..(SECONDS * RATE) as u32).map(|n| f64::from(n) / RATE)
}

fn feet(scene: &Scene, walk: &Walk, time: f64) -> Vec<Foot> {
    walk.legs
        .iter()
        .map(|leg| foot_at(&walk.gait, leg, time, scene.ground))
        .collect()
}

fn body(scene: &Scene, walk: &Walk, feet: &[Foot], time: f64) -> Body {
    let cycle = time / walk.gait.period;
    let sway = (scene.sway)(cycle);
    let distance = walk.gait.stride * cycle;
    let clearance = walk.clearance + sway.y;
    let mut body = body_over(&walk.legs, feet, distance, clearance, scene.follow);
    body.position += sway.x * body.world_from_body.z_axis;
    body
}

/// Checks who stands and who swings at one moment.
fn check_support(scene: &Scene, stance: &[bool], time: f64) {
    let name = scene.name;
    let down = stance.iter().filter(|&&down| down).count();
    assert!(down >= scene.least_down, "{name}: {down} feet at {time}");
    for &(a, b) in scene.neighbours {
        assert!(
            stance[a] || stance[b],
            "{name}: legs {a} and {b} are in the air at {time}"
        );
    }
}

fn stances(feet: &[Foot]) -> Vec<bool> {
    feet.iter().map(|foot| foot.stance).collect()
}

#[test]
fn in_f64_a_standing_foot_does_not_move_by_a_bit() {
    let compute = Compute::new();
    for scene in &SCENES {
        let name = scene.name;
        let walk = read_walk(&compute, scene);
        let mut before = feet(scene, &walk, 0.0);
        let mut stood = 0;
        for time in times().skip(1) {
            let now = feet(scene, &walk, time);
            check_support(scene, &stances(&now), time);
            for (leg, (old, new)) in before.iter().zip(&now).enumerate() {
                // A swing is longer than a sample, so standing twice is the same stance.
                if old.stance && new.stance {
                    assert_eq!(
                        old.position, new.position,
                        "{name}: leg {leg} slides at {time}"
                    );
                    stood += 1;
                }
            }
            before = now;
        }
        let share = f64::from(stood) / (SECONDS * RATE * scene.legs as f64);
        assert!(
            (share - walk.gait.duty).abs() < 0.02,
            "{name}: feet stand {share} of the time"
        );
    }
}

#[test]
fn a_walk_repeats_after_whole_strides_along_one_period_of_the_path() {
    let compute = Compute::new();
    for scene in &SCENES {
        let name = scene.name;
        let walk = read_walk(&compute, scene);
        let strides = walk.loop_seconds / walk.gait.period;
        // f32 constants: a part in ten million.
        assert!(
            (strides - strides.round()).abs() < 1e-5,
            "{name}: {strides} strides in a loop"
        );
        let length = strides * walk.gait.stride;
        assert!(
            (length - path::PERIOD).abs() < 1e-5,
            "{name}: a loop leads {length} along the path"
        );
    }
}

/// The share of femur and tibia that the foot at `foot` (body space) asks for.
fn reach(scene: &Scene, leg: &LegPlan, lengths: Lengths, foot: DVec3) -> f64 {
    let outward = DVec3::new(leg.rest.x - leg.hip.x, 0.0, leg.rest.y - leg.hip.z).normalize();
    let ankle = foot - lengths.tarsus * (scene.lean * outward - DVec3::Y).normalize();
    let level = DVec3::new(ankle.x - leg.hip.x, 0.0, ankle.z - leg.hip.z);
    let trochanter = leg.hip + lengths.coxa * level.normalize();
    trochanter.distance(ankle) / lengths.femur_and_tibia
}

#[test]
fn the_legs_never_overreach_and_the_body_stays_above_the_ground() {
    let compute = Compute::new();
    for scene in &SCENES {
        let name = scene.name;
        let walk = read_walk(&compute, scene);
        for time in times() {
            let feet = feet(scene, &walk, time);
            let body = body(scene, &walk, &feet, time);
            for (n, foot) in feet.iter().enumerate() {
                let foot = body.world_from_body.transpose() * (foot.position - body.position);
                let reach = reach(scene, &walk.legs[n], walk.lengths[n], foot);
                assert!(
                    reach < 0.98,
                    "{name}: leg {n} is stretched to {reach} of its reach at {time}"
                );
            }
            for &(x, y) in scene.belly {
                let p = body.position + body.world_from_body * DVec3::new(x, y, 0.0);
                let gap = p.y - (scene.ground)(DVec2::new(p.x, p.z));
                assert!(
                    gap > scene.room,
                    "{name}: the belly is {gap} above the ground at {time}"
                );
            }
        }
    }
}

/// What the adapter says of one foot at one moment, made to go on along x.
struct Drawn {
    target: DVec3,
    foot: DVec3,
    reach: f64,
    stance: bool,
    reached: bool,
    /// The ground under the foot, as the scene walks on it.
    ground: f64,
    body: DVec3,
}

/// The walk as the adapter has it: for every moment, every leg.
fn drawn(compute: &Compute, scene: &Scene, walk: &Walk) -> Vec<Vec<Drawn>> {
    let source = format!(
        "{}
var<private> moment: array<vec4f, 15>;
override fn frame::data(index: u32) -> vec4f {{
    return moment[index];
}}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 4> {{
    let time = input[0].x;
    let leg = u32(input[0].y);
    let foot = foot_at(leg, time);
    let eye = camera::look_at(vec3f(1.0), vec3f(0.0), vec3f(0.0, 1.0, 0.0), 1.0);
    moment = pack_frame_data({});
    let animal = unpack_animal();
    let bones = animal.legs[leg].bones;
    let lengths = {};
    let drawn = walk::to_world(animal.body, bones.foot);
    let stretch = distance(bones.trochanter, bones.ankle) / (lengths.femur + lengths.tibia);
    return array<vec4f, 4>(
        vec4f(foot.position, f32(foot.stance)),
        vec4f(drawn, stretch),
        vec4f(animal.body.position, f32(bones.reached)),
        vec4f(walk::ground(foot.position.xz), 0.0, 0.0, 0.0),
    );
}}",
        scene.text, scene.moment, scene.lengths
    );
    // Whole numbers of samples fit into a loop: the wrapped time is exact.
    let per_loop = (walk.loop_seconds * RATE).round() as u32;
    let inputs: Vec<[[f32; 4]; 1]> = (0..(SECONDS * RATE) as u32)
        .flat_map(|n| {
            let time = f64::from(n % per_loop) / RATE;
            (0..scene.legs).map(move |leg| [[time as f32, leg as f32, 0.0, 0.0]])
        })
        .collect();
    let said = compute.evaluate::<1, 4>(&source, &inputs);
    let vec = |v: [f32; 4], lap: f64| {
        DVec3::new(
            f64::from(v[0]) + lap * path::PERIOD,
            f64::from(v[1]),
            f64::from(v[2]),
        )
    };
    said.chunks_exact(scene.legs)
        .enumerate()
        .map(|(n, legs)| {
            let lap = f64::from(n as u32 / per_loop);
            let leg = |&[target, foot, body, ground]: &[[f32; 4]; 4]| Drawn {
                target: vec(target, lap),
                foot: vec(foot, lap),
                reach: f64::from(foot[3]),
                stance: target[3] == 1.0,
                reached: body[3] == 1.0,
                ground: f64::from(ground[0]),
                body: vec(body, lap),
            };
            legs.iter().map(leg).collect()
        })
        .collect()
}

/// Checks one leg at one moment.
fn check_leg(now: &Drawn, place: &str) {
    assert!(
        now.reached && now.reach < 0.98,
        "{place} overreaches: {}",
        now.reach
    );
    // A chain of rotations in f32 over coordinates up to 32: a few times 4e-6.
    let miss = now.foot.distance(now.target);
    assert!(miss < 5e-5, "{place} misses its foot by {miss}");
    if now.stance {
        let gap = now.foot.y - now.ground;
        assert!(gap.abs() < 1e-3, "{place} floats by {gap}");
    }
}

/// Checks how one leg moved in one sample.
fn check_motion(before: &Drawn, now: &Drawn, place: &str) {
    let way = before.target.distance(now.target);
    if before.stance && now.stance {
        assert!(way < 1e-5, "{place} slides by {way}");
    }
    // A swing covers one stride in (1 - duty) of a period, at 1.5 times that
    // speed in its middle; the lift and slopes add to it.
    assert!(way * RATE < 8.0, "{place} jumps: speed {}", way * RATE);
}

#[test]
fn on_the_adapter_the_walk_keeps_its_invariants() {
    let compute = Compute::new();
    for scene in &SCENES {
        let walk = read_walk(&compute, scene);
        let moments = drawn(&compute, scene, &walk);
        assert_eq!(moments.len(), (SECONDS * RATE) as usize);
        for (n, moment) in moments.iter().enumerate() {
            let time = n as f64 / RATE;
            let stance: Vec<bool> = moment.iter().map(|leg| leg.stance).collect();
            check_support(scene, &stance, time);
            for (leg, now) in moment.iter().enumerate() {
                let place = format!("{}: leg {leg} at {time}", scene.name);
                check_leg(now, &place);
                if let Some(last) = n.checked_sub(1) {
                    check_motion(&moments[last][leg], now, &place);
                }
            }
        }
    }
}

#[test]
fn the_adapter_agrees_with_f64() {
    let compute = Compute::new();
    for scene in &SCENES {
        let name = scene.name;
        let walk = read_walk(&compute, scene);
        for (n, moment) in drawn(&compute, scene, &walk).iter().enumerate() {
            let time = n as f64 / RATE;
            let feet = feet(scene, &walk, time);
            let body = body(scene, &walk, &feet, time);
            // Coordinates up to 32 carry 2e-6 each; noise slopes and the phase of
            // the cycle (error 4e-6 of a period, speed up to 8) make tens of them.
            let near = |a: DVec3, b: DVec3| a.distance(b) < 2e-4;
            assert!(
                near(moment[0].body, body.position),
                "{name}: body at {time}"
            );
            for (leg, (drawn, foot)) in moment.iter().zip(&feet).enumerate() {
                // At the very instant of lifting, rounding may see the other side.
                if drawn.stance == foot.stance {
                    assert!(
                        near(drawn.target, foot.position),
                        "{name}: leg {leg} at {time}"
                    );
                }
            }
        }
    }
}
