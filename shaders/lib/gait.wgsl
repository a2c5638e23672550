#define_import_path tarsus::gait

// When a foot stands and when it swings. Nothing is remembered from frame to
// frame: the step a leg is in follows from time alone, so a foot that stands
// does not move by a single bit until it lifts.

struct Gait {
    // Seconds from one touch-down of a foot to the next.
    period: f32,
    // Share of the period during which a foot stands (duty factor).
    duty: f32,
    // Distance the body travels in one period.
    stride: f32,
    // How high a foot swings.
    lift: f32,
}

// Where a leg is in its cycle.
struct Step {
    // Number of the step: the foot stands on hold `index`, or swings from
    // there to `index + 1`.
    index: f32,
    // True while the foot stands.
    stance: bool,
    // How far the swing has got, from 0 to 1; 0 during stance.
    swing: f32,
}

// The step at `time` (seconds) of a leg whose cycle runs `phase` (0 to 1, in
// periods) ahead.
fn step_at(time: f32, gait: Gait, phase: f32) -> Step {
    let cycle = time / gait.period + phase;
    let index = floor(cycle);
    let part = cycle - index;
    let stance = part < gait.duty;
    let swing = select((part - gait.duty) / (1.0 - gait.duty), 0.0, stance);
    return Step(index, stance, clamp(swing, 0.0, 1.0));
}

// How far the body has travelled when a leg with `phase` is in the middle of
// stance `index`: there the foot's hold lies in its rest position.
fn hold_distance(gait: Gait, phase: f32, index: f32) -> f32 {
    return gait.stride * (index - phase + 0.5 * gait.duty);
}

// How far along its way a swinging foot is (0 to 1): slow off the ground and
// slow onto it, so that speed does not jump at either end.
fn swing_travel(swing: f32) -> f32 {
    return swing * swing * (3.0 - 2.0 * swing);
}

// How high a swinging foot is, as a share of the lift: quick up, gentle down,
// with no vertical speed at either end.
fn swing_height(swing: f32) -> f32 {
    let w = swing * (1.5 - 0.5 * swing);
    return 16.0 * w * w * (1.0 - w) * (1.0 - w);
}

// Phases. Legs are numbered from front to back; `side` is -1 left, 1 right.

// Alternating tripod for six legs: {L1, R2, L3} against {R1, L2, R3}.
fn tripod_phase(row: u32, side: f32) -> f32 {
    return 0.5 * f32((row + u32(side > 0.0)) & 1u);
}

// Metachronal wave for six legs, from back to front, sides in antiphase.
fn wave_phase(row: u32, side: f32) -> f32 {
    return fract(f32(row) / 6.0 + select(0.0, 0.5, side > 0.0));
}

// Alternating tetrapod for eight legs: {L1, R2, L3, R4} against the others.
fn tetrapod_phase(row: u32, side: f32) -> f32 {
    return tripod_phase(row, side);
}
