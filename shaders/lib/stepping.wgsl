#define_import_path tarsus::stepping

#import tarsus::gait
#import tarsus::path
#import tarsus::walk

// Stepping by distance covered instead of time. A foothold is a fixed point of the path at
// any speed: a walk may slow down, stop, turn on the spot or change its gait, and no foot
// slides. Nothing is stored between frames.
//
// A walk is measured in cycles: in one cycle, every leg takes one step. A scene overrides
// `progress`, the position of the animal along its loop, and `phase`, the time in a cycle
// at which a leg steps.

/// Stepping parameters of an animal.
struct Stride {
    /// Distance covered per cycle, in world units; adjusted so that whole cycles fill the
    /// loop.
    length: f32,
    /// Minimum fraction of a cycle during which a foot stands: the fraction at the mean
    /// speed. An animal that slows down stands longer and swings its feet as fast as
    /// before.
    duty: f32,
    /// Height of a swinging foot above the line between its footholds.
    lift: f32,
}

/// Stride of the animal. The default is that of a quick insect.
virtual fn stride() -> Stride {
    return Stride(1.28, 0.58, 0.34);
}

/// Loop of a walk.
struct Loop {
    /// Seconds after which the walk repeats.
    period: f32,
    /// Periods of the path per loop: a whole number. It gives the mean speed at which the
    /// loop closes.
    path_periods: f32,
}

/// Loop of the walk.
virtual fn loop_route() -> Loop {
    return Loop(24.0, 1.0);
}

/// Seconds after which the walk repeats.
fn period() -> f32 {
    return loop_route().period;
}

/// Fraction of the loop's path covered after a fraction of its time, both from 0 to 1; `x`
/// itself is a walk of constant speed. Must not decrease, and must go from 0 to 1.
virtual fn progress(x: f32) -> f32 {
    return x;
}

/// Phase of a leg in cycles, 0 to 1: the time in a cycle at which it steps. `row` counts
/// the legs of a side from 0 at the front, `side` is -1 on the left and 1 on the right,
/// `cycles` is the progress of the walk. A phase that depends on `cycles` changes the gait
/// on the way; it must not fall by more than half a cycle per cycle, and must repeat with
/// the loop.
virtual fn phase(row: u32, side: f32, cycles: f32) -> f32 {
    return gait::tripod_phase(row, side);
}

/// Position and heading of a body on its path.
struct Place {
    /// Position in world xz.
    point: vec2f,
    /// Unit vector ahead, in xz.
    ahead: vec2f,
}

/// Place after `cycles` cycles. The default follows `path`.
virtual fn place(cycles: f32) -> Place {
    let distance = cycles * stride_length();
    return Place(path::point_at(distance), path::direction_at(distance));
}

/// Cycles per loop: the number whose stride is nearest to `Stride.length`.
fn cycles_of_loop() -> f32 {
    return max(round(loop_route().path_periods * path::PERIOD / stride().length), 1.0);
}

/// Distance covered per cycle, such that whole strides fill the loop.
fn stride_length() -> f32 {
    return loop_route().path_periods * path::PERIOD / cycles_of_loop();
}

/// Cycles walked at `time` (seconds).
fn cycles_at(time: f32) -> f32 {
    let x = time / period();
    let loops = floor(x);
    return cycles_of_loop() * (loops + progress(x - loops));
}

// Later than any time or step. Drivers cannot know the bound of a loop that compares with
// it, so they compile the loop once instead of unrolling it.
const NEVER: f32 = 1e30;

/// Time at which `cycles` cycles have been walked, within one loop of `time`. Found by
/// bisection, as `progress` is only known to be monotonic.
fn time_of(cycles: f32, time: f32) -> f32 {
    var early = time - period();
    var late = time + period();
    let rounds = select(26, 0, time > NEVER);
    for (var i = 0; i < rounds; i++) {
        let middle = 0.5 * (early + late);
        let is_late = cycles_at(middle) >= cycles;
        early = select(middle, early, is_late);
        late = select(late, middle, is_late);
    }
    return late;
}

/// Cycles walked when a leg touches down for step `index`.
fn touchdown(row: u32, side: f32, index: f32) -> f32 {
    var cycles = index - phase(row, side, index);
    let rounds = select(6, 0, index > NEVER);
    for (var i = 0; i < rounds; i++) {
        cycles = index - phase(row, side, cycles);
    }
    return cycles;
}

/// Foothold of step `index`, in world xz. `neutral` is the foot's mean position relative to
/// the body (x ahead, y right), reached in the middle of a stance at mean speed.
fn foothold(row: u32, side: f32, neutral: vec2f, index: f32) -> vec2f {
    return foothold_after(touchdown(row, side, index), neutral);
}

// Foothold of a step that touches down after `cycles` cycles.
fn foothold_after(cycles: f32, neutral: vec2f) -> vec2f {
    let middle = place(cycles + 0.5 * stride().duty);
    return middle.point + middle.ahead * neutral.x + path::right_of(middle.ahead) * neutral.y;
}

/// State of one foot at one time.
struct Foot {
    /// Position in world space.
    position: vec3f,
    /// Height of the ground below the foot, interpolated during a swing: continuous in time.
    ground: f32,
    /// True while the foot stands.
    stance: bool,
    /// Progress of the swing, from 0 to 1; 0 during stance.
    swing: f32,
    /// Fraction of its weight that the foot carries: rises from 0 to 1 after touch-down,
    /// and falls to 0 before lift-off.
    load: f32,
    /// Seconds since touch-down.
    age: f32,
}

/// Touch-down and lift-off of a foot for one step, in seconds.
struct StepTimes {
    down: f32,
    up: f32,
    /// Touch-down of the next step.
    next_down: f32,
}

// Cycles walked at the touch-downs of step `index` and of the next one.
fn touchdowns(row: u32, side: f32, index: f32) -> vec2f {
    var cycles = vec2f(0.0);
    let steps = select(2, 0, index > NEVER);
    for (var i = 0; i < steps; i++) {
        cycles = vec2f(cycles.y, touchdown(row, side, index + f32(i)));
    }
    return cycles;
}

// Times of the step between two `touchdowns`.
fn stance_times(cycles: vec2f, time: f32) -> StepTimes {
    let mean = period() / cycles_of_loop();
    // The swing takes no longer than at mean speed, and no more than its fraction of the
    // cycle, so as many feet are down as at constant speed.
    let swing_fraction = 1.0 - stride().duty;
    var times = vec3f(0.0);
    var cycles_to_find = vec3f(cycles, cycles.y - swing_fraction);
    let searches = select(3, 0, time > NEVER);
    for (var i = 0; i < searches; i++) {
        times = vec3f(times.yz, time_of(cycles_to_find.x, time));
        cycles_to_find = cycles_to_find.yzx;
    }
    return StepTimes(times.x, max(times.z, times.y - swing_fraction * mean), times.y);
}

/// Foot of a leg at `time` (seconds): on its foothold, or on an arc to the next one that
/// clears the ground between them.
fn foot_at(row: u32, side: f32, neutral: vec2f, time: f32) -> Foot {
    let cycles = cycles_at(time);
    let index = floor(cycles + phase(row, side, cycles));
    let downs = touchdowns(row, side, index);
    let step = stance_times(downs, time);
    let up = step.up;
    let swing_time = step.next_down - up;
    let here = foothold_after(downs.x, neutral);
    let there = foothold_after(downs.y, neutral);
    let is_standing = time < up;
    let swing = select(clamp((time - up) / swing_time, 0.0, 1.0), 0.0, is_standing);
    let travel = gait::swing_travel(swing);
    let over = mix(here, there, travel);
    var below = vec3f(0.0);
    let points = select(3, 0, time > NEVER);
    for (var i = 0; i < points; i++) {
        below = vec3f(below.yz, walk::ground(select(select(over, there, i == 1), here, i == 0)));
    }
    let height = mix(below.x, below.y, travel);
    // A dune between two footholds raises the arc.
    let bump = max(below.z - height, 0.0);
    let arc = gait::swing_height(swing);
    let ease = 0.2 * swing_time;
    let load = smoothstep(0.0, ease, time - step.down) * smoothstep(0.0, ease, up - time);
    return Foot(
        vec3f(over.x, height + bump + stride().lift * arc, over.y),
        height,
        is_standing,
        swing,
        select(0.0, load, is_standing),
        time - step.down,
    );
}

/// Step of a leg, `before` steps before its step at `time`: xy = foothold in world xz, z =
/// seconds since touch-down there, w = seconds since lift-off, negative while the foot
/// stands.
fn past_step(row: u32, side: f32, neutral: vec2f, before: f32, time: f32) -> vec4f {
    let cycles = cycles_at(time);
    let index = floor(cycles + phase(row, side, cycles)) - before;
    let downs = touchdowns(row, side, index);
    let times = stance_times(downs, time);
    return vec4f(foothold_after(downs.x, neutral), time - times.down, time - times.up);
}

/// Progress of a walk that stands still `stops` times per loop, for the fraction `rest` (0
/// to 1) of the time; to be returned by `progress`. It starts and stops smoothly.
fn with_stops(x: f32, stops: f32, rest: f32) -> f32 {
    let scaled = x * stops;
    let part = floor(scaled);
    let moving = clamp((scaled - part) / (1.0 - rest), 0.0, 1.0);
    return (part + moving * moving * (3.0 - 2.0 * moving)) / stops;
}

/// Progress of a walk whose speed rises and falls `waves` times per loop by the fraction
/// `amount` (0 to 1) of its mean; to be returned by `progress`.
fn with_waves(x: f32, waves: f32, amount: f32) -> f32 {
    let turn = path::TAU * waves;
    return x - amount * sin(turn * x) / turn;
}
