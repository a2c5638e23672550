//! The walk of the creature: invariants of its gait, in f64 and on the adapter.

#[path = "common/compute.rs"]
mod compute;
#[path = "common/reference.rs"]
mod reference;

use compute::Compute;
use glam::{DVec2, DVec3};
use reference::{Foot, Gait, LegPlan, body_over, foot_at, path, terrain};

const CREATURE: &str = include_str!("../shaders/creature.wgsl");

const LEGS: usize = 6;
const SECONDS: f64 = 60.0;
const RATE: f64 = 240.0;

/// The pairs of legs that stand one behind the other.
const NEIGHBOURS: [(usize, usize); 4] = [(0, 1), (1, 2), (3, 4), (4, 5)];

/// What the scene says of its walk, read from the shader itself.
struct Walk {
    gait: Gait,
    femur_and_tibia: f64,
    clearance: f64,
    loop_seconds: f64,
    legs: Vec<LegPlan>,
}

fn read_walk(compute: &Compute) -> Walk {
    let source = format!(
        "{CREATURE}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 4> {{
    let leg = u32(input[0].x);
    return array<vec4f, 4>(
        vec4f(WALK.period, WALK.duty, WALK.stride, WALK.lift),
        vec4f(LENGTHS.femur + LENGTHS.tibia, CLEARANCE, LOOP_SECONDS, phase_of(leg)),
        vec4f(rest_of(leg), 0.0, 0.0),
        vec4f(hip_of(leg), 0.0),
    );
}}"
    );
    let inputs: Vec<[[f32; 4]; 1]> = (0..LEGS).map(|leg| [[leg as f32, 0.0, 0.0, 0.0]]).collect();
    let said = compute.evaluate::<1, 4>(&source, &inputs);
    let f = f64::from;
    let [gait, other, ..] = said[0];
    Walk {
        gait: Gait {
            period: f(gait[0]),
            duty: f(gait[1]),
            stride: f(gait[2]),
            lift: f(gait[3]),
        },
        femur_and_tibia: f(other[0]),
        clearance: f(other[1]),
        loop_seconds: f(other[2]),
        legs: said
            .iter()
            .map(|[_, other, rest, hip]| LegPlan {
                phase: f(other[3]),
                rest: DVec2::new(f(rest[0]), f(rest[1])),
                hip: DVec3::new(f(hip[0]), f(hip[1]), f(hip[2])),
            })
            .collect(),
    }
}

fn times() -> impl Iterator<Item = f64> {
    (0..(SECONDS * RATE) as u32).map(|n| f64::from(n) / RATE)
}

fn feet(walk: &Walk, time: f64) -> Vec<Foot> {
    walk.legs
        .iter()
        .map(|leg| foot_at(&walk.gait, leg, time, terrain::height))
        .collect()
}

/// Checks who stands and who swings at one moment.
fn check_support(stance: &[bool], time: f64) {
    assert!(
        stance.iter().filter(|&&down| down).count() >= 3,
        "fewer than three feet at {time}"
    );
    for (a, b) in NEIGHBOURS {
        assert!(
            stance[a] || stance[b],
            "legs {a} and {b} are in the air at {time}"
        );
    }
}

#[test]
fn in_f64_a_standing_foot_does_not_move_by_a_bit() {
    let walk = read_walk(&Compute::new());
    let mut before = feet(&walk, 0.0);
    let mut stood = 0;
    for time in times().skip(1) {
        let now = feet(&walk, time);
        check_support(
            &now.iter().map(|foot| foot.stance).collect::<Vec<_>>(),
            time,
        );
        for (leg, (old, new)) in before.iter().zip(&now).enumerate() {
            // A stance is longer than a sample, so standing twice is the same stance.
            if old.stance && new.stance {
                assert_eq!(old.position, new.position, "leg {leg} slides at {time}");
                stood += 1;
            }
        }
        before = now;
    }
    let share = f64::from(stood) / (SECONDS * RATE * LEGS as f64);
    assert!(
        (share - walk.gait.duty).abs() < 0.02,
        "feet stand {share} of the time"
    );
}

#[test]
fn a_walk_repeats_after_whole_strides_along_one_period_of_the_path() {
    let walk = read_walk(&Compute::new());
    let strides = walk.loop_seconds / walk.gait.period;
    // f32 constants: a part in ten million.
    assert!(
        (strides - strides.round()).abs() < 1e-5,
        "{strides} strides in a loop"
    );
    let length = strides * walk.gait.stride;
    assert!(
        (length - path::PERIOD).abs() < 1e-5,
        "a loop leads {length} along the path"
    );
}

#[test]
fn the_legs_never_overreach_and_the_body_stays_above_the_ground() {
    let walk = read_walk(&Compute::new());
    for time in times() {
        let feet = feet(&walk, time);
        let distance = walk.gait.stride * time / walk.gait.period;
        // The lowest the body's bob goes, see body_over in the scene.
        let body = body_over(&walk.legs, &feet, distance, walk.clearance - 0.018, 0.75);
        for (leg, foot) in walk.legs.iter().zip(&feet) {
            let foot = body.world_from_body.transpose() * (foot.position - body.position);
            let outward =
                DVec3::new(leg.rest.x - leg.hip.x, 0.0, leg.rest.y - leg.hip.z).normalize();
            let ankle = foot - 0.24 * (0.45 * outward - DVec3::Y).normalize();
            let level = DVec3::new(ankle.x - leg.hip.x, 0.0, ankle.z - leg.hip.z);
            let trochanter = leg.hip + 0.20 * level.normalize();
            let reach = trochanter.distance(ankle) / walk.femur_and_tibia;
            assert!(
                reach < 0.98,
                "a leg is stretched to {reach} of its reach at {time}"
            );
        }
        for below in [
            (-1.6, 0.02),
            (-1.0, -0.27),
            (-0.4, -0.2),
            (0.2, -0.22),
            (0.8, -0.2),
            (1.1, -0.2),
        ] {
            let p = body.position + body.world_from_body * DVec3::new(below.0, below.1, 0.0);
            let gap = p.y - terrain::height(DVec2::new(p.x, p.z));
            assert!(gap > 0.1, "the belly is {gap} above the ground at {time}");
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
    /// The ground under the foot, as the marched terrain has it.
    ground: f64,
    body: DVec3,
}

fn drawn(compute: &Compute, walk: &Walk) -> Vec<[Drawn; LEGS]> {
    let source = format!(
        "{CREATURE}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 4> {{
    let time = input[0].x;
    let leg = u32(input[0].y);
    let foot = foot_at(leg, time);
    let animal = animal_at(time);
    let bones = animal.legs[leg].bones;
    let drawn = walk::to_world(animal.body, bones.foot);
    let stretch = distance(bones.trochanter, bones.ankle) / (LENGTHS.femur + LENGTHS.tibia);
    return array<vec4f, 4>(
        vec4f(foot.position, f32(foot.stance)),
        vec4f(drawn, stretch),
        vec4f(animal.body.position, f32(bones.reached)),
        vec4f(terrain::height(foot.position.xz), 0.0, 0.0, 0.0),
    );
}}"
    );
    // Whole numbers of samples fit into a loop: the wrapped time is exact.
    let per_loop = (walk.loop_seconds * RATE).round() as u32;
    let inputs: Vec<[[f32; 4]; 1]> = (0..(SECONDS * RATE) as u32)
        .flat_map(|n| {
            let time = f64::from(n % per_loop) / RATE;
            (0..LEGS).map(move |leg| [[time as f32, leg as f32, 0.0, 0.0]])
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
    let (moments, rest) = said.as_chunks::<LEGS>();
    assert!(rest.is_empty());
    moments
        .iter()
        .enumerate()
        .map(|(n, legs)| {
            let lap = f64::from(n as u32 / per_loop);
            legs.map(|[target, foot, body, ground]| Drawn {
                target: vec(target, lap),
                foot: vec(foot, lap),
                reach: f64::from(foot[3]),
                stance: target[3] == 1.0,
                reached: body[3] == 1.0,
                ground: f64::from(ground[0]),
                body: vec(body, lap),
            })
        })
        .collect()
}

#[test]
fn on_the_adapter_the_walk_keeps_its_invariants() {
    let compute = Compute::new();
    let walk = read_walk(&compute);
    let moments = drawn(&compute, &walk);
    assert_eq!(moments.len(), (SECONDS * RATE) as usize);
    for (n, moment) in moments.iter().enumerate() {
        let time = n as f64 / RATE;
        check_support(&moment.each_ref().map(|leg| leg.stance), time);
        for (leg, now) in moment.iter().enumerate() {
            assert!(
                now.reached && now.reach < 0.98,
                "leg {leg} overreaches at {time}"
            );
            // A chain of rotations in f32 over coordinates up to 32: a few times 4e-6.
            assert!(
                now.foot.distance(now.target) < 5e-5,
                "leg {leg} misses its foot at {time}"
            );
            if now.stance {
                assert!(
                    (now.foot.y - now.ground).abs() < 1e-3,
                    "leg {leg} floats at {time}"
                );
            }
            let Some(before) = n.checked_sub(1).map(|n| &moments[n][leg]) else {
                continue;
            };
            if before.stance && now.stance {
                let slide = before.target.distance(now.target);
                assert!(slide < 1e-5, "leg {leg} slides by {slide} at {time}");
            }
            let speed = before.target.distance(now.target) * RATE;
            // A swing covers one stride in (1 - duty) of a period, at 1.5 times
            // that speed in its middle; the lift and slopes add to it.
            assert!(speed < 8.0, "leg {leg} jumps at {time}: speed {speed}");
        }
    }
}

#[test]
fn the_adapter_agrees_with_f64() {
    let compute = Compute::new();
    let walk = read_walk(&compute);
    for (n, moment) in drawn(&compute, &walk).iter().enumerate() {
        let time = n as f64 / RATE;
        let feet = feet(&walk, time);
        let distance = walk.gait.stride * time / walk.gait.period;
        let bob = 0.018 * (2.0 * std::f64::consts::TAU * (time / walk.gait.period - 0.04)).cos();
        let body = body_over(&walk.legs, &feet, distance, walk.clearance + bob, 0.75);
        // Coordinates up to 32 carry 2e-6 each; noise slopes and the phase of
        // the cycle (error 4e-6 of a period, speed up to 8) make tens of them.
        let near = |a: DVec3, b: DVec3| a.distance(b) < 2e-4;
        assert!(near(moment[0].body, body.position), "body at {time}");
        for (leg, (drawn, foot)) in moment.iter().zip(&feet).enumerate() {
            // At the very instant of lifting, rounding may see the other side.
            if drawn.stance == foot.stance {
                assert!(near(drawn.target, foot.position), "leg {leg} at {time}");
            }
        }
    }
}
