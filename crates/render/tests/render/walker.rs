//! Invariants of all walks by `tarsus::walker`, at varying speed, with stops and turns.

use crate::common::compute::Compute;
use crate::common::probe::Probe;
use crate::common::reference::terrain;
use glam::{DVec2, DVec3};
use tarsus_render::Frame;

const SECONDS: f32 = 24.0;
const RATE: f32 = 60.0;

/// A walk, defined by a scene's overrides.
struct Walk {
    name: &'static str,
    legs: usize,
    /// Minimum number of feet on the ground.
    least_down: usize,
    overrides: &'static str,
}

/// The legs of the animal that `tarsus new --walker` generates, with its default
/// parameters.
const DEER: &str = "
override fn walker::plan(row: u32) -> walker::Plan {
    if row == 0u {
        return walker::Plan(vec3f(0.42, -0.10, 0.13), vec2f(0.46, 0.15),
            ik::LegLengths(0.0, 0.62, 0.56, 0.14), vec3f(1.0, 0.0, 0.1), vec3f(0.12, -1.0, 0.0));
    }
    return walker::Plan(vec3f(-0.44, -0.06, 0.13), vec2f(-0.42, 0.15),
        ik::LegLengths(0.0, 0.66, 0.60, 0.14), vec3f(-1.0, 0.0, 0.1), vec3f(0.12, -1.0, 0.0));
}
override fn walker::clearance() -> f32 { return 1.20; }
override fn walk::stride() -> walk::Stride { return walk::Stride(1.14, 0.66, 0.24); }
";

const WALKS: [Walk; 6] = [
    Walk { name: "six legs at one speed", legs: 6, least_down: 3, overrides: "" },
    Walk {
        name: "eight legs, faster and slower",
        legs: 8,
        least_down: 4,
        overrides: "override fn walk::progress(x: f32) -> f32 {
            return walk::with_waves(x, 3.0, 0.9);
        }",
    },
    Walk {
        name: "four legs that stop",
        legs: 4,
        least_down: 2,
        overrides: "override fn walk::progress(x: f32) -> f32 {
            return walk::with_stops(x, 3.0, 0.3);
        }
        override fn walk::phase(row: u32, side: f32, cycles: f32) -> f32 {
            return fract(0.25 * (1.0 - f32(row)) + select(0.0, 0.5, side > 0.0));
        }",
    },
    Walk {
        name: "six legs that turn on the spot",
        legs: 6,
        least_down: 3,
        overrides: "override fn walk::place(cycles: f32) -> walk::Place {
            // Around once in eight cycles, in place, and straight on in the others.
            let turning = clamp(cycles - 8.0, 0.0, 8.0);
            let angle = frame::TAU / 8.0 * turning;
            let way = (cycles - turning) * walk::stride_length();
            return walk::Place(vec2f(way, 0.0), vec2f(cos(angle), sin(angle)));
        }
        override fn walk::stride() -> walk::Stride {
            return walk::Stride(1.0, 0.6, 0.3);
        }",
    },
    Walk {
        name: "six legs that change their gait",
        legs: 6,
        least_down: 2,
        overrides: "override fn walk::phase(row: u32, side: f32, cycles: f32) -> f32 {
            let turn = frame::TAU * cycles / walk::cycles_of_loop();
            let wave = 0.5 - 0.5 * cos(turn);
            return select(0.0, 0.5, side > 0.0)
                + mix(0.5 * f32(row & 1u), f32(row) / 6.0, wave);
        }",
    },
    Walk {
        name: "eight legs in bursts",
        legs: 8,
        least_down: 4,
        overrides: "override fn walk::progress(x: f32) -> f32 {
            return walk::with_stops(x, 5.0, 0.3);
        }",
    },
];

/// The legs of a centipede: more than bits in a mask, or values per frame by default.
fn centipede() -> Walk {
    let scene = include_str!("../../../../tests/fixtures/centipede.wgsl");
    let legs = scene.find("const LOOP_SECONDS").zip(scene.find("override fn walker::radii"));
    let (start, end) = legs.expect("the description of the legs");
    Walk { name: "forty legs in waves", legs: 40, least_down: 20, overrides: &scene[start..end] }
}

/// State of one foot at one time.
#[derive(Clone, Copy)]
struct Foot {
    position: DVec3,
    is_standing: bool,
    load: f64,
    swing: f64,
    ground: f64,
    /// End of the drawn leg, and its extension relative to full length.
    drawn: DVec3,
    stretch: f64,
    /// Middle of the body, and its height over the plane of the feet.
    body: DVec3,
    height: f64,
}

/// Computes every foot at every sample of a loop, plus one sample.
fn feet(compute: &Compute, walk: &Walk) -> Vec<Vec<Foot>> {
    let deer = if walk.legs == 4 { DEER } else { "" };
    let source = format!(
        "#define LEGS {}
#import tarsus::frame
#import tarsus::ik
#import tarsus::walk
#import tarsus::walker
{deer}{}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 4> {{
    let time = input[0].x;
    let leg = u32(input[0].y);
    let body = walker::body_at(time);
    let foot = walker::foot_at(leg, time);
    let bones = walker::solve(leg, walk::to_body(body, foot.position), foot.roll);
    let plan = walker::plan(walker::row_of(leg));
    let stretch = distance(bones.trochanter, bones.ankle)
        / (plan.lengths.femur + plan.lengths.tibia);
    return array<vec4f, 4>(
        vec4f(foot.position, f32(foot.stance)),
        vec4f(walk::to_world(body, bones.foot), stretch),
        vec4f(foot.load, foot.swing, foot.age, walk::ground(foot.position.xz)),
        vec4f(body.position, dot(body.position - walker::unposed_body.position,
            walker::unposed_body.world_from_body[1])),
    );
}}",
        walk.legs, walk.overrides
    );
    let samples = (SECONDS * RATE) as usize;
    let inputs: Vec<[[f32; 4]; 1]> = (0..=samples)
        .flat_map(|n| (0..walk.legs).map(move |leg| [[n as f32 / RATE, leg as f32, 0.0, 0.0]]))
        .collect();
    let values = compute.evaluate::<1, 4>(&source, &inputs);
    let vec = |v: [f32; 4]| DVec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]));
    let foot = |&[foot, drawn, state, body]: &[[f32; 4]; 4]| Foot {
        position: vec(foot),
        is_standing: foot[3] == 1.0,
        load: f64::from(state[0]),
        swing: f64::from(state[1]),
        ground: f64::from(state[3]),
        drawn: vec(drawn),
        stretch: f64::from(drawn[3]),
        body: vec(body),
        height: f64::from(body[3]),
    };
    let moments = values.chunks_exact(walk.legs);
    moments.map(|legs| legs.iter().map(foot).collect()).collect()
}

#[test]
fn feet_never_slide_float_or_overreach() {
    let compute = Compute::shared();
    for walk in WALKS.iter().chain([&centipede()]) {
        let moments = feet(compute, walk);
        for (n, moment) in moments.iter().enumerate() {
            let down = moment.iter().filter(|foot| foot.is_standing).count();
            let place = format!("{} at {}", walk.name, n as f32 / RATE);
            assert!(down >= walk.least_down, "{place}: {down} feet are down");
            for (leg, foot) in moment.iter().enumerate() {
                let place = format!("{place}, leg {leg}");
                assert!(foot.stretch < 0.98, "{place} is stretched to {}", foot.stretch);
                let miss = foot.drawn.distance(foot.position);
                assert!(miss < 5e-5, "{place} misses its foot by {miss}");
                let gap = foot.position.y - foot.ground;
                if foot.is_standing {
                    assert!(gap.abs() < 1e-3, "{place} floats by {gap}");
                    // Compared with the ground in f64, for slopes of 1 at coordinates up
                    // to 32.
                    let at = DVec2::new(foot.position.x, foot.position.z);
                    let off = foot.position.y - terrain::height(at);
                    assert!(off.abs() < 1e-3, "{place} is {off} off the ground");
                } else {
                    assert!(gap > -1e-3, "{place} is {gap} under the ground");
                    assert!(foot.load == 0.0, "{place} carries {} in the air", foot.load);
                }
                assert!((0.0..=1.0).contains(&foot.swing), "{place}: {}", foot.swing);
                let Some(last) = n.checked_sub(1).map(|last| moments[last][leg]) else {
                    continue;
                };
                let way = last.position.distance(foot.position);
                if last.is_standing && foot.is_standing {
                    assert!(way < 1e-5, "{place} slides by {way}");
                }
                assert!(way * f64::from(RATE) < 16.0, "{place} jumps by {way}");
            }
        }
    }
}

#[test]
fn walks_repeat_after_their_period() {
    let compute = Compute::shared();
    for walk in &WALKS {
        let moments = feet(compute, walk);
        let (first, last) = (&moments[0], &moments[moments.len() - 1]);
        for (leg, (first, last)) in first.iter().zip(last).enumerate() {
            let way = last.position - first.position;
            let way = DVec2::new(way.x, way.z);
            // A whole number of path periods; a walk that turned on the spot covers
            // fewer.
            let whole = way.x / 4.0;
            let off = (whole - whole.round()).abs() * 4.0 + way.y.abs();
            assert!(off < 1e-4, "{}: leg {leg} ends {off} beside", walk.name);
            assert_eq!(first.is_standing, last.is_standing, "{}", walk.name);
        }
    }
}

#[test]
fn bodies_follow_footfalls_without_jumps() {
    let compute = Compute::shared();
    for walk in &WALKS {
        let moments = feet(compute, walk);
        let heights: Vec<f64> = moments.iter().map(|feet| feet[0].height).collect();
        let (low, high) =
            heights.iter().fold((f64::MAX, f64::MIN), |(low, high), &h| (low.min(h), high.max(h)));
        // The body sinks by up to 0.022 over loaded feet, less if they share its weight evenly,
        // and dips after footfalls.
        assert!((0.008..0.08).contains(&(high - low)), "{}: {low} to {high}", walk.name);
        for (n, pair) in moments.windows(2).enumerate() {
            let step = pair[1][0].body - pair[0][0].body;
            let place = format!("{} at {}", walk.name, n as f32 / RATE);
            let bounce = (pair[1][0].height - pair[0][0].height) * f64::from(RATE);
            assert!(bounce.abs() < 0.8, "{place}: the body bounces at {bounce}");
            // A walk of up to 3 units per second, and a tall body that tilts with the ground.
            assert!(step.length() * f64::from(RATE) < 8.0, "{place}: the body jumps by {step}");
        }
    }
}

#[test]
fn feet_leave_ground_straight_up() {
    let moments = feet(Compute::shared(), &WALKS[0]);
    let mut undocking = 0;
    for pair in moments.windows(2) {
        for (last, now) in pair[0].iter().zip(&pair[1]) {
            if last.swing > 0.0 && now.swing > last.swing && now.swing < 0.12 {
                let way = now.position - last.position;
                assert!(way.y > 0.0 && DVec2::new(way.x, way.z).length() < 1e-5, "{way}");
                undocking += 1;
            }
        }
    }
    assert!(undocking > 50, "no test: {undocking} samples");
}

/// A foot's target moves away from the hip, up to twice the leg's length.
#[test]
fn legs_ease_toward_distant_targets() {
    let source = "#import tarsus::ik
#import tarsus::walker
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {
    let plan = walker::plan(1u);
    let direction = normalize(vec3f(plan.foot.x, -0.8, plan.foot.y));
    let bones = walker::solve(4u, plan.hip + input[0].x * direction, 0.0);
    let reach = plan.lengths.femur + plan.lengths.tibia;
    return array<vec4f, 1>(vec4f(
        distance(bones.trochanter, bones.ankle) / reach, f32(bones.reached), 0.0, 0.0));
}";
    let inputs: Vec<_> = (0..200).map(|n| [[1.5 + 0.02 * n as f32, 0.0, 0.0, 0.0]]).collect();
    let legs = Compute::shared().evaluate::<1, 1>(source, &inputs);
    let mut last = 0.0;
    for [[stretch, reached, ..]] in legs {
        assert!(stretch < 0.9995 && stretch > last - 1e-4, "{stretch} after {last}");
        assert_eq!(reached == 1.0, stretch <= 0.98 + 1e-5, "reached at {stretch}");
        last = stretch;
    }
    assert!(last > 0.99, "no test: {last}");
}

#[test]
fn stopped_walk_stands_on_all_feet() {
    let compute = Compute::shared();
    let moments = feet(compute, &WALKS[2]);
    let standing = |moment: &&Vec<Foot>| moment.iter().all(|foot| foot.is_standing);
    let all_down = moments.iter().filter(standing).count();
    // It rests for 0.3 of the time, minus the last swing before each of three stops.
    assert!(all_down as f32 > 0.2 * SECONDS * RATE, "{all_down} samples");
    let loads = moments.iter().flatten().map(|foot| foot.load);
    assert!(loads.fold(0.0, f64::max) > 0.99);
}

/// Phases of the legs of both sides, from front to back, at a duty.
fn metachronal_phases(rows: usize, duty: f32) -> Vec<[f32; 2]> {
    let source = "#import tarsus::walk
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {
    let row = u32(input[0].x);
    let duty = input[0].y;
    return array<vec4f, 1>(vec4f(
        walk::metachronal_phase(row, -1.0, duty), walk::metachronal_phase(row, 1.0, duty), 0.0, 0.0));
}";
    let inputs: Vec<_> = (0..rows).map(|row| [[row as f32, duty, 0.0, 0.0]]).collect();
    let phases = Compute::shared().evaluate::<1, 1>(source, &inputs);
    phases.iter().map(|[[left, right, ..]]| [*left, *right]).collect()
}

#[test]
fn half_of_feet_stand_at_any_duty() {
    for rows in [2, 3, 4, 5] {
        let mut fewest = Vec::new();
        for duty in [0.5, 0.54, 0.58, 0.62, 2.0 / 3.0, 0.72, 0.78, 5.0 / 6.0, 0.9] {
            let phases = metachronal_phases(rows, duty);
            let mut least_down = 2 * rows;
            for n in 0..1000 {
                // Between the instants at which feet lift off and touch down.
                let cycle = (n as f32 + 0.37) / 1000.0;
                let swings: Vec<[bool; 2]> =
                    phases.iter().map(|side| side.map(|p| (cycle + p).fract() > duty)).collect();
                let place = format!("{} legs, duty {duty}, cycle {cycle}", 2 * rows);
                let beside = swings.windows(2).any(|rows| (0..2).any(|s| rows[0][s] && rows[1][s]));
                assert!(!beside, "{place}: two neighbours swing");
                assert!(
                    !swings.iter().any(|[left, right]| *left && *right),
                    "{place}: a row swings"
                );
                let in_air = swings.iter().flatten().filter(|swings| **swings).count();
                least_down = least_down.min(2 * rows - in_air);
            }
            assert!(least_down >= rows, "{} legs, duty {duty}: {least_down} stand", 2 * rows);
            fewest.push(least_down);
        }
        assert!(fewest.is_sorted(), "a longer stance keeps more feet down: {fewest:?}");
        if rows == 3 {
            assert_eq!(fewest, [3, 3, 3, 3, 4, 4, 4, 5, 5]);
        }
    }
}

#[test]
fn gait_and_footholds_follow_speed() {
    // Slow at the start of the loop and fast in its middle, straight ahead.
    let source = "#import tarsus::walk
override fn walk::progress(x: f32) -> f32 { return walk::with_waves(x, 1.0, 0.9); }
override fn walk::place(cycles: f32) -> walk::Place {
    return walk::Place(vec2f(walk::stride_length() * cycles, 0.0), vec2f(1.0, 0.0));
}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 1> {
    let index = input[0].x;
    let lag = walk::phase(1u, -1.0, index) - walk::phase(0u, -1.0, index);
    let beside = walk::foothold(0u, -1.0, vec2f(0.0, 1.0), index).y - 1.0;
    return array<vec4f, 1>(vec4f(lag, beside, walk::pace(index), 0.0));
}";
    let inputs: Vec<_> = (0..25).map(|index| [[index as f32, 0.0, 0.0, 0.0]]).collect();
    let steps = Compute::shared().evaluate::<1, 1>(source, &inputs);
    for [[lag, beside, pace, _]] in &steps {
        assert!((lag - 0.42 * (0.8 + 0.2 * pace)).abs() < 1e-4, "lag {lag} at speed {pace}");
        assert!(beside.abs() <= 0.0513 * (1.0 - pace) + 1e-5, "{beside} at speed {pace}");
    }
    let ([first, ..], [middle, ..]) = (steps[0], steps[12]);
    assert!(first[2] < 0.3 && middle[2] > 0.9999, "speeds {} and {}", first[2], middle[2]);
    let jitter = steps.iter().map(|[step, ..]| step[1].abs()).fold(0.0, f32::max);
    assert!(jitter > 0.005, "no jitter: {jitter}");
}

/// For each leg, the foot (world coordinates; 1 while it stands), then stretch, height
/// above the ground and whether it reaches its foothold.
const FEET: &str = "
    let leg = walker::read_limb(i % walker::LEGS);
    let bones = leg.bones;
    let foot = walk::to_world(walker::body(), bones.foot);
    if i < walker::LEGS {
        return vec4f(foot, f32(leg.swing == 1.0));
    }
    let lengths = walker::plan(walker::row_of(leg.index)).lengths;
    let stretch = distance(bones.trochanter, bones.ankle) / (lengths.femur + lengths.tibia);
    return vec4f(stretch, foot.y - walk::ground(foot.xz), f32(bones.reached), 0.0);";

/// Feet at one time: for each, its place (world coordinates; 1 while it stands), then stretch,
/// height above the ground and whether it reaches its foothold.
type Feet = Vec<[[f32; 4]; 2]>;

/// Duration of the walks that are checked, in seconds.
const WALK_SECONDS: usize = 60;

/// Checks a walk, sampled at `rate`, during which at least `least_down` feet stand. Returns the
/// fraction of the time that feet stand.
fn check_walk(moments: impl Iterator<Item = Feet>, rate: usize, least_down: usize) -> f32 {
    // Coordinates may wrap at the ground's period along x.
    let distance = |a: [f32; 4], b: [f32; 4]| {
        let x = a[0] - b[0];
        let wrapped = x - 32.0 * (x / 32.0).round();
        (wrapped.powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt()
    };
    let mut before: Option<Feet> = None;
    let (mut stood, mut count) = (0, 0);
    for (n, now) in moments.enumerate() {
        let time = n as f32 / rate as f32;
        let down = now.iter().filter(|[foot, _]| foot[3] == 1.0).count();
        assert!(down >= least_down, "{down} feet at {time}");
        stood += down;
        count += now.len();
        for (leg, &[foot, [stretch, gap, reached, _]]) in now.iter().enumerate() {
            assert!(reached == 1.0 && stretch < 0.98, "leg {leg} at {time}: {stretch}");
            let is_standing = foot[3] == 1.0;
            // f32 rounding through the body and back, at coordinates up to 32.
            assert!(!is_standing || gap.abs() < 1e-3, "leg {leg} floats by {gap} at {time}");
            if let Some(before) = &before {
                let last = before[leg][0];
                let way = distance(last, foot);
                assert!(
                    !is_standing || last[3] != 1.0 || way < 1e-4,
                    "leg {leg} slides by {way} at {time}"
                );
                assert!(way * (rate as f32) < 24.0, "leg {leg} jumps by {way} at {time}");
            }
        }
        before = Some(now);
    }
    stood as f32 / count as f32
}

/// Checks the walk of a scene, read from its pixels. `N` is twice its number of legs.
fn share_of_standing<const N: usize>(scene: &str, least_down: usize) -> f32 {
    const RATE: usize = 30;
    let probe = Probe::<N>::new(scene, FEET);
    let feet = |n| {
        let frame = Frame::new((160, 90), 0, RATE as f64).at_time(n as f64 / RATE as f64);
        probe.run(&frame);
        let now = probe.read(&frame);
        (0..N / 2).map(|leg| [now[leg], now[leg + N / 2]]).collect()
    };
    check_walk((0..WALK_SECONDS * RATE).map(feet), RATE, least_down)
}

/// Checks the walk of a scene without per-frame values. `feet` is the body of a function that
/// returns the `Feet` of `leg` at `time`.
fn share_by_functions(scene: &str, legs: usize, feet: &str, least_down: usize) -> f32 {
    const RATE: usize = 120;
    let source = format!(
        "{scene}
fn evaluate(input: array<vec4f, 1>) -> array<vec4f, 2> {{
    let time = input[0].x;
    let leg = u32(input[0].y);
    {feet}
}}"
    );
    let inputs: Vec<_> = (0..WALK_SECONDS * RATE)
        .flat_map(|n| (0..legs).map(move |leg| [[n as f32 / RATE as f32, leg as f32, 0.0, 0.0]]))
        .collect();
    let values = Compute::shared().evaluate::<1, 2>(&source, &inputs);
    check_walk(values.chunks(legs).map(<[_]>::to_vec), RATE, least_down)
}

#[test]
fn creature_feet_stay_fixed() {
    let share = share_of_standing::<12>(include_str!("../../../../shaders/creature.wgsl"), 3);
    // Feet stand longer than at constant speed, where the fraction is 0.58.
    assert!((0.58..0.75).contains(&share), "{share} of the time");
}

#[test]
fn spider_feet_stay_fixed() {
    let share = share_of_standing::<16>(include_str!("../../../../shaders/spider.wgsl"), 4);
    assert!((0.5..1.0).contains(&share), "{share} of the time");
}

#[test]
fn crane_feet_stay_fixed() {
    let share = share_of_standing::<4>(include_str!("../../../../shaders/crane.wgsl"), 1);
    // Feet stand longer than at constant speed, where the fraction is 0.64.
    assert!((0.64..0.8).contains(&share), "{share} of the time");
}

const STRIDER: &str = include_str!("../../../../shaders/strider.wgsl");

#[test]
fn strider_feet_stay_fixed() {
    let share = share_of_standing::<12>(STRIDER, 3);
    assert!((0.6..0.75).contains(&share), "{share} of the time");
}

#[test]
fn rowing_strider_keeps_four_feet_down() {
    let scene = STRIDER.replace("params.gait == 1u", "true");
    let share = share_of_standing::<12>(&scene, 4);
    assert!((0.67..0.85).contains(&share), "{share} of the time");
}

#[test]
fn tracks_feet_stay_fixed() {
    let feet = "let at = time - LOOP_SECONDS * floor(time / LOOP_SECONDS);
    let body = walker::body_at(at);
    let foot = walker::foot_at(leg, at);
    let bones = walker::solve(leg, walk::to_body(body, foot.position), foot.roll);
    let lengths = walker::plan(walker::row_of(leg)).lengths;
    let stretch = distance(bones.trochanter, bones.ankle) / (lengths.femur + lengths.tibia);
    let tip = walk::to_world(body, bones.foot);
    let gap = tip.y - walk::ground(tip.xz);
    return array<vec4f, 2>(
        vec4f(tip, f32(foot.stance)), vec4f(stretch, gap, f32(bones.reached), 0.0));";
    let scene = include_str!("../../../../shaders/tracks.wgsl");
    let share = share_by_functions(scene, 6, feet, 3);
    assert!((share - 0.58).abs() < 0.01, "{share} of the time");
}

#[test]
fn fox_feet_stay_fixed() {
    let feet = "let cycle = 10.0 / LOOP_SECONDS * time;
    let side = select(-1.0, 1.0, leg < 2u);
    let phase = 0.5 * f32(leg % 2u);
    let bones = solve(cycle, side, phase);
    let stands = walk::step_at(cycle, GAIT, phase + 0.125 - 0.125 * side).stance;
    let whole = distance(bones.root, bones.knee) + distance(bones.knee, bones.wrist);
    let stretch = distance(bones.root, bones.wrist) / whole;
    let toe = bones.toe.xy + vec2f(GAIT.stride * cycle, 0.0);
    return array<vec4f, 2>(
        vec4f(toe, 0.0, f32(stands)),
        // Its toe is a disc of radius 0.012.
        vec4f(stretch, toe.y - 0.012 - ground_height(toe.x), f32(stretch < 0.95), 0.0));";
    let scene = include_str!("../../../../shaders/line_walker.wgsl");
    let share = share_by_functions(scene, 4, feet, 2);
    assert!((share - 0.64).abs() < 0.01, "{share} of the time");
}

#[test]
fn simple_creature_feet_stay_fixed() {
    let scene = include_str!("../../../../shaders/simple_ik.wgsl");
    let feet = "let strides = 10.0 / LOOP_SECONDS * time;
    pose(strides, vec4f(0.0));
    let toe = legs[leg].foot.xyz;
    let phase = 0.5 * f32(leg % 2u) + 0.03 * (f32(leg % 3u) - 1.0);
    let stretch = distance(legs[leg].hip.xyz, legs[leg].ankle.xyz) / (FEMUR + TIBIA);
    let height = toe.y - ground(toe.xz);
    let gap = max(height, 0.0) + min(height + 0.03, 0.0);
    // Its walk stays below where the reach is clamped.
    return array<vec4f, 2>(
        vec4f(toe, f32(fract(strides + phase) < 0.70)),
        vec4f(stretch, gap, f32(stretch < 0.95), 0.0));";
    let share = share_by_functions(scene, 6, feet, 3);
    assert!((share - 0.70).abs() < 0.01, "{share} of the time");
}

#[test]
fn strider_remembers_its_steps() {
    // For each leg, its foot and how long it has stood, its last step, and the step
    // before.
    let values = "
        let leg = i % walker::LEGS;
        let foot = walker::read_limb(leg);
        if i < walker::LEGS {
            let p = walk::to_world(walker::body(), foot.bones.foot);
            return vec4f(p.xz, foot.age, f32(foot.swing == 1.0));
        }
        return strider::past_step(3u * leg + i / walker::LEGS - 1u);";
    let probe = Probe::<18>::new(STRIDER, values);
    let near = |a: f32, b: f32| (a - b).abs() < 2e-4;
    let mut before: Option<[[f32; 4]; 18]> = None;
    let mut lifted = 0;
    for n in 0..240 {
        let now = probe.read(&Frame::new((160, 90), 0, 30.0).at_time(f64::from(n) / 30.0));
        for leg in 0..6 {
            let ([x, z, age, stands], last) = (now[leg], now[leg + 6]);
            assert!(near(last[2], age), "leg {leg}, {n}: {last:?}, {age}");
            // The lift is in the past while the leg swings, and in the future while it
            // stands.
            assert_eq!(last[3] < 0.0, stands == 1.0, "leg {leg}, {n}: {last:?}");
            assert!(stands == 0.0 || (near(last[0], x) && near(last[1], z)));
            let Some(before) = before.filter(|before| before[leg + 6][2] > age) else {
                continue;
            };
            // The leg has touched down: its previous last step is now the step before.
            lifted += 1;
            let (was, is) = (before[leg + 6], now[leg + 12]);
            assert!(near(was[0], is[0]) && near(was[1], is[1]), "leg {leg}, {n}");
            assert!(near(was[3] + 1.0 / 30.0, is[3]), "leg {leg}, {n}");
        }
        before = Some(now);
    }
    assert!(lifted > 40, "no test: {lifted} steps");
}

#[test]
fn heads_turn_without_jumps_behind() {
    const STEPS: usize = 4096;
    let source = "#import tarsus::pointer
fn evaluate(p: array<vec4f, 1>) -> array<vec4f, 1> {
    return array<vec4f, 1>(vec4f(pointer::head_turn(p[0].xyz, 1.2), 0.0, 0.0, 0.0));
}";
    let step = std::f32::consts::TAU / STEPS as f32;
    let angles: Vec<f32> = (0..STEPS).map(|n| (n as f32 - 2047.5) * step).collect();
    let points: Vec<[[f32; 4]; 1]> =
        angles.iter().map(|angle| [[2.0 * angle.cos(), 0.3, 2.0 * angle.sin(), 0.0]]).collect();
    let turns = Compute::shared().evaluate::<1, 1>(source, &points);
    for (n, angle) in angles.into_iter().enumerate() {
        let [[turn, ..]] = turns[n];
        let [[next, ..]] = turns[(n + 1) % STEPS];
        assert!((next - turn).abs() < 2.0 * step, "the head jumps at {angle}");
        if angle.abs() < 2.2 {
            assert!((turn - angle.clamp(-1.2, 1.2)).abs() < 1e-5, "{turn} toward {angle}");
        }
    }
}
