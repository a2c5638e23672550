#define_import_path tarsus::stepping

#import tarsus::gait
#import tarsus::path
#import tarsus::walk

// Feet that step by the distance covered, not by the clock. A foothold is a fixed point of the
// way, whatever the speed: a walk may slow down, stop, turn on the spot or change its gait, and
// no foot slides. Nothing is stored between frames.
//
// A walk counts in cycles: one cycle is one step of every leg. A scene says by `progress` how
// far along its loop the animal is, and by `phase` when in a cycle a leg steps.

/// How an animal steps.
struct Stride {
    /// Distance covered in a cycle, in world units. It is made to fit the loop's way.
    length: f32,
    /// Least fraction of a cycle during which a foot stands: its share at the mean speed. An
    /// animal that slows down stands longer and swings its feet as fast as before.
    duty: f32,
    /// Height of a swinging foot above the line between its footholds.
    lift: f32,
}

/// Stride of the animal. The default is that of a quick insect.
virtual fn stride() -> Stride {
    return Stride(1.28, 0.58, 0.34);
}

/// What repeats of a walk.
struct Loop {
    /// Seconds after which it does.
    period: f32,
    /// Periods of the path that are walked until then: a whole number. It is the mean speed that
    /// leaves the loop closed.
    rounds: f32,
}

/// Loop of the walk.
virtual fn walked() -> Loop {
    return Loop(24.0, 1.0);
}

/// Seconds after which the walk repeats.
fn period() -> f32 {
    return walked().period;
}

/// Part of the loop's way that is covered at a part of its time, both from 0 to 1: `x` is a
/// walk of constant speed. It never falls, and goes from 0 to 1.
virtual fn progress(x: f32) -> f32 {
    return x;
}

/// When a leg steps: its phase in cycles, 0 to 1. `row` counts the legs of a side from 0 at the
/// front, `side` is -1 on the left and 1 on the right, `cycles` is how far the walk is. A phase
/// that depends on it changes the gait on the way; it must not fall by more than half a cycle
/// in a cycle, and be the same after the loop.
virtual fn phase(row: u32, side: f32, cycles: f32) -> f32 {
    return gait::tripod_phase(row, side);
}

/// Where a body is on its way, and how it is turned.
struct Place {
    /// xz of the world.
    point: vec2f,
    /// Unit vector ahead, in xz.
    ahead: vec2f,
}

/// The place after so many cycles. The default follows `path`.
virtual fn place(cycles: f32) -> Place {
    let distance = cycles * stride_length();
    return Place(path::point_at(distance), path::direction_at(distance));
}

/// Cycles of the whole loop: the strides that come nearest to `Stride.length`.
fn cycles_of_loop() -> f32 {
    return max(round(walked().rounds * path::PERIOD / stride().length), 1.0);
}

/// Distance covered in a cycle, such that whole strides fill the loop's way.
fn stride_length() -> f32 {
    return walked().rounds * path::PERIOD / cycles_of_loop();
}

/// Cycles walked at `time` (seconds).
fn cycles_at(time: f32) -> f32 {
    let x = time / period();
    let loops = floor(x);
    return cycles_of_loop() * (loops + progress(x - loops));
}

// No time and no step is as late as this. Loops that ask for it have bounds that drivers do not
// know: they are compiled once, and not written out.
const NEVER: f32 = 1e30;

/// The time at which so many cycles are walked, within a loop of `time`: by bisection, as
/// nothing but its order is known of `progress`.
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

/// Foothold of step `index`, xz of the world. `neutral` is the foot's mean position beside the
/// body (x ahead, y right): the body is there in the middle of a stance at mean speed.
fn foothold(row: u32, side: f32, neutral: vec2f, index: f32) -> vec2f {
    return foothold_after(touchdown(row, side, index), neutral);
}

// The same from the cycles that are walked when it touches down.
fn foothold_after(cycles: f32, neutral: vec2f) -> vec2f {
    let middle = place(cycles + 0.5 * stride().duty);
    return middle.point + middle.ahead * neutral.x + path::right_of(middle.ahead) * neutral.y;
}

/// One foot at one time.
struct Foot {
    /// In world space.
    position: vec3f,
    /// Height of the ground below the foot, interpolated during a swing: continuous in time.
    ground: f32,
    /// True while the foot stands.
    stance: bool,
    /// Progress of the swing, from 0 to 1; 0 during stance.
    swing: f32,
    /// Share of the weight that the foot carries: rises from 0 after it touches down to 1, and
    /// falls to 0 before it lifts.
    load: f32,
    /// Seconds since it touched down.
    age: f32,
}

/// When a foot stands for one step, in seconds.
struct Times {
    down: f32,
    up: f32,
    /// When it touches down for the next step.
    next_down: f32,
}

// Cycles walked when a leg touches down for step `index`, and for the next one.
fn touchdowns(row: u32, side: f32, index: f32) -> vec2f {
    var cycles = vec2f(0.0);
    let steps = select(2, 0, index > NEVER);
    for (var i = 0; i < steps; i++) {
        cycles = vec2f(cycles.y, touchdown(row, side, index + f32(i)));
    }
    return cycles;
}

// When a foot stands between two `touchdowns`.
fn times_between(cycles: vec2f, time: f32) -> Times {
    let mean = period() / cycles_of_loop();
    // No longer than at mean speed, and never so long that it leaves the share of the cycle that
    // the gait gives it: so as many feet are down as at constant speed.
    let share = 1.0 - stride().duty;
    var times = vec3f(0.0);
    var wanted = vec3f(cycles, cycles.y - share);
    let searches = select(3, 0, time > NEVER);
    for (var i = 0; i < searches; i++) {
        times = vec3f(times.yz, time_of(wanted.x, time));
        wanted = wanted.yzx;
    }
    return Times(times.x, max(times.z, times.y - share * mean), times.y);
}

/// The foot of a leg at `time` (seconds): on its foothold, or on an arc to the next that clears
/// the ground between them.
fn foot_at(row: u32, side: f32, neutral: vec2f, time: f32) -> Foot {
    let cycles = cycles_at(time);
    let index = floor(cycles + phase(row, side, cycles));
    let downs = touchdowns(row, side, index);
    let step = times_between(downs, time);
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
    // A dune between two footholds lifts the foot over it.
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

/// A step of a leg, so many steps `before` the one that it is in at `time`: xy = foothold in xz of
/// the world, z = seconds since the foot touched down there, w = seconds since it lifted, below 0
/// while it stands.
fn past_step(row: u32, side: f32, neutral: vec2f, before: f32, time: f32) -> vec4f {
    let cycles = cycles_at(time);
    let index = floor(cycles + phase(row, side, cycles)) - before;
    let downs = touchdowns(row, side, index);
    let times = times_between(downs, time);
    return vec4f(foothold_after(downs.x, neutral), time - times.down, time - times.up);
}

/// A walk that stands still `stops` times in its loop, for the part `rest` (0 to 1) of the
/// time, to be returned by `progress`. It starts and stops smoothly.
fn with_stops(x: f32, stops: f32, rest: f32) -> f32 {
    let scaled = x * stops;
    let part = floor(scaled);
    let moving = clamp((scaled - part) / (1.0 - rest), 0.0, 1.0);
    return (part + moving * moving * (3.0 - 2.0 * moving)) / stops;
}

/// A walk whose speed rises and falls `waves` times in its loop by the part `amount` (0 to 1)
/// of its mean, to be returned by `progress`.
fn with_waves(x: f32, waves: f32, amount: f32) -> f32 {
    let turn = path::TAU * waves;
    return x - amount * sin(turn * x) / turn;
}
