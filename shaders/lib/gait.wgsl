#define_import_path tarsus::gait

// Timing of steps: when each foot stands and when it swings. There is no state between
// frames: a leg's step follows from time alone, so a standing foot is at exactly the same
// point in every frame of its stance.

/// A gait; legs differ only in their phase.
struct Gait {
    /// Seconds between touch-downs of a foot.
    period: f32,
    /// Duty factor: fraction of the period during which a foot stands.
    duty: f32,
    /// Distance that the body travels in one period.
    stride: f32,
    /// Peak height of a swinging foot above the ground.
    lift: f32,
}

/// Position of a leg in its cycle.
struct Step {
    /// Step number: the foot stands on foothold `index`, or swings from there to foothold
    /// `index + 1`.
    index: f32,
    /// True while the foot stands.
    stance: bool,
    /// Progress of the swing, from 0 to 1; 0 during stance.
    swing: f32,
}

/// Step at `time` (seconds) of a leg whose cycle is `phase` (0 to 1, in periods) ahead.
fn step_at(time: f32, gait: Gait, phase: f32) -> Step {
    let cycle = time / gait.period + phase;
    let index = floor(cycle);
    let progress = cycle - index;
    let stance = progress < gait.duty;
    let swing = select((progress - gait.duty) / (1.0 - gait.duty), 0.0, stance);
    return Step(index, stance, clamp(swing, 0.0, 1.0));
}

/// Distance travelled by the body at the middle of stance `index` of a leg with `phase`,
/// where the foothold coincides with the foot's neutral position.
fn foothold_distance(gait: Gait, phase: f32, index: f32) -> f32 {
    return gait.stride * (index - phase + 0.5 * gait.duty);
}

/// Fraction of its way that a swinging foot has covered at the progress `swing` (0 to 1): a
/// smoothstep, with speed 0 at both ends.
fn swing_travel(swing: f32) -> f32 {
    return swing * swing * (3.0 - 2.0 * swing);
}

/// Height of a swinging foot as a fraction of the lift at the progress `swing` (0 to 1).
/// Rises faster than it falls, with vertical speed 0 at both ends.
fn swing_height(swing: f32) -> f32 {
    let w = swing * (1.5 - 0.5 * swing);
    return 16.0 * w * w * (1.0 - w) * (1.0 - w);
}

// Phases of common gaits. `row` counts the legs of a side from 0 at the front; `side` is -1
// on the left and 1 on the right.

/// Alternating tripod of six legs: {L1, R2, L3} against {R1, L2, R3}.
fn tripod_phase(row: u32, side: f32) -> f32 {
    return 0.5 * f32((row + u32(side > 0.0)) & 1u);
}

/// Metachronal wave of six legs, from back to front, with the sides in antiphase.
fn wave_phase(row: u32, side: f32) -> f32 {
    return fract(f32(row) / 6.0 + select(0.0, 0.5, side > 0.0));
}

/// Alternating tetrapod of eight legs: {L1, R2, L3, R4} against the others.
fn tetrapod_phase(row: u32, side: f32) -> f32 {
    return tripod_phase(row, side);
}
