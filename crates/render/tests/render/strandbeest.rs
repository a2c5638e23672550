//! The beach animal: its bars keep Jansen's lengths, and its standing soles never slide.

use crate::common::compute::Compute;

const TEXT: &str = include_str!("../../../../shaders/strandbeest.wgsl");

/// The published lengths in centimetres.
const A: f32 = 38.0;
const L: f32 = 7.8;
const BARS: [(&str, f32); 11] = [
    ("b", 41.5),
    ("c", 39.3),
    ("d", 40.1),
    ("e", 55.8),
    ("f", 39.4),
    ("g", 36.7),
    ("h", 65.7),
    ("i", 49.0),
    ("j", 50.0),
    ("k", 61.9),
    ("m", 15.0),
];

/// The scene with `body` as its `evaluate`, and parameters that nothing binds.
fn evaluate<const OUT: usize>(body: &str, inputs: &[[[f32; 4]; 1]]) -> Vec<[[f32; 4]; OUT]> {
    let bound = "@group(1) @binding(0) var<uniform> params";
    assert!(TEXT.contains(bound));
    let scene = TEXT.replace(bound, "var<private> params");
    let source = format!(
        "{scene}\nfn evaluate(input: array<vec4f, 1>) -> array<vec4f, {OUT}> {{\n{body}\n}}"
    );
    Compute::shared().evaluate::<1, OUT>(&source, inputs)
}

#[test]
fn bars_keep_published_lengths() {
    let turn = 720;
    let inputs: Vec<_> = (0..turn)
        .map(|n| [[n as f32 / turn as f32 * std::f32::consts::TAU, 0.0, 0.0, 0.0]])
        .collect();
    let joints = evaluate::<3>(
        "let l = linkage(input[0].x);
        return array<vec4f, 3>(
            vec4f(l.pin, l.upper), vec4f(l.outer, l.lower), vec4f(l.knee, l.foot));",
        &inputs,
    );
    for (input, joints) in inputs.iter().zip(&joints) {
        let joints = joints.as_flattened();
        let [pin, upper, outer, lower, knee, foot] =
            [0, 2, 4, 6, 8, 10].map(|at| [joints[at], joints[at + 1]]);
        let axis = [0.0, 0.0];
        let pivot = [-A / 100.0, -L / 100.0];
        let ends = [
            (pivot, upper),
            (pivot, lower),
            (pivot, outer),
            (upper, outer),
            (outer, knee),
            (lower, knee),
            (knee, foot),
            (lower, foot),
            (pin, upper),
            (pin, lower),
            (axis, pin),
        ];
        for ((name, published), (from, to)) in BARS.iter().zip(ends) {
            let length = (from[0] - to[0]).hypot(from[1] - to[1]);
            let error = (length - published / 100.0).abs();
            assert!(error < 1e-5, "{name} at {}: {error} m off", input[0][0]);
        }
    }
}

/// A leg at one time, in metres.
struct Leg {
    sole: [f32; 2],
    foot: [f32; 2],
    step: f32,
    stands: bool,
}

const PHASES: usize = 6;
// Turns of the crank in 60 seconds.
const TURNS: usize = 20;
const RATE: usize = 480;

/// Both legs of every phase, `RATE` times per turn.
fn legs() -> Vec<Leg> {
    let inputs: Vec<_> = (0..TURNS * RATE)
        .flat_map(|n| {
            (0..2 * PHASES).map(move |leg| [[n as f32 / RATE as f32, leg as f32, 0.0, 0.0]])
        })
        .collect();
    let values = evaluate::<2>(
        "let turns = input[0].x;
        let number = u32(input[0].y);
        let walk = walk();
        let is_front = number % 2u == 1u;
        let leg = leg_at(number / 2u, is_front, turns, walk);
        let step = turns + lead(number / 2u, is_front);
        let foot = leg.joints.foot + vec2f(walk.stride * turns, walk.height);
        return array<vec4f, 2>(
            vec4f(leg.sole, foot), vec4f(floor(step), fract(step), STANCE, 0.0));",
        &inputs,
    );
    values
        .iter()
        .map(|[[sole_x, sole_y, foot_x, foot_y], [step, part, stance, _]]| Leg {
            sole: [*sole_x, *sole_y],
            foot: [*foot_x, *foot_y],
            step: *step,
            stands: part < stance,
        })
        .collect()
}

#[test]
fn standing_soles_never_slide() {
    let legs = legs();
    for (n, now) in legs.chunks_exact(2 * PHASES).enumerate() {
        let standing = now.iter().filter(|leg| leg.stands).count();
        assert!(standing >= 4, "{standing} legs stand at {n}");
    }
    for leg in 0..2 * PHASES {
        let course: Vec<&Leg> = legs.iter().skip(leg).step_by(2 * PHASES).collect();
        for pair in course.windows(2) {
            let [last, now] = [pair[0], pair[1]];
            if last.stands && now.stands && last.step == now.step {
                assert_eq!(last.sole, now.sole, "leg {leg} slides in step {}", now.step);
            }
            // At most four times the animal's own speed.
            let way = (now.sole[0] - last.sole[0]).hypot(now.sole[1] - last.sole[1]);
            assert!(way < 4.0 * 1.4 / RATE as f32, "leg {leg} jumps by {way} m");
            assert!(now.sole[1] >= 0.0, "leg {leg} is under the sand");
        }
    }
}

#[test]
fn standing_feet_move_flat() {
    let legs = legs();
    let standing = || legs.iter().filter(|leg| leg.stands);
    let heights = standing().map(|leg| leg.foot[1]);
    let (low, high) =
        heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
    assert!(high - low < 0.01, "feet rise by {} m", high - low);
    // The ankle's rubber yields.
    for leg in standing() {
        let slack = (leg.foot[0] - leg.sole[0]).abs();
        assert!(slack < 0.028, "a foot is {slack} m from its sole");
    }
    let lifted = legs.iter().map(|leg| leg.sole[1]).fold(0.0, f32::max);
    assert!(lifted > 0.15, "feet swing {lifted} m above the sand");
}
