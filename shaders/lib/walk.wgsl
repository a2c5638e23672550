#define_import_path tarsus::walk

#import tarsus::frame
#import tarsus::noise
#import tarsus::terrain

// Walk of an animal: its path over the ground, its gait, its footholds, and the body over
// its feet. World space has x ahead, y up, z right. Points of the ground plane are in world
// xz; offsets from the path are x ahead, y right.
//
// Nothing is stored between frames. A foot stands on a fixed point of the path, whatever
// the speed: a walk may slow down, stop, turn on the spot or change its gait, and no foot
// slides. A walk is measured in cycles: in one cycle, every leg takes one step. A scene
// overrides `stride`, `loop_route`, `progress`, the position of the animal along its loop,
// and `phase`, the time in a cycle at which a leg steps.

/// Height of the ground at a point of the xz plane. The default is `terrain`.
virtual fn ground(p: vec2f) -> f32 {
    return terrain::height(p);
}

// ---- Path -----------------------------------------------------------------------------

// A sine curve over the ground plane that repeats every terrain::PERIOD. A scene wraps its
// time at whole periods, so that coordinates stay small.

/// Amplitude: largest distance of the path from the x axis.
const SWAY: f32 = 1.7;

/// Point of the path at `distance`, in world xz. `distance` is measured along x; the arc
/// length is up to 6 % more.
fn point_at(distance: f32) -> vec2f {
    return vec2f(distance, SWAY * sin(frame::TAU / terrain::PERIOD * distance));
}

/// Unit tangent of the path at `distance`, in xz.
fn direction_at(distance: f32) -> vec2f {
    let angle = frame::TAU / terrain::PERIOD * distance;
    return normalize(vec2f(1.0, SWAY * frame::TAU / terrain::PERIOD * cos(angle)));
}

/// Vector rotated by 90° to the right, in xz.
fn right_of(direction: vec2f) -> vec2f {
    return vec2f(-direction.y, direction.x);
}

/// Position and heading of a body on its path.
struct Place {
    /// Position in world xz.
    point: vec2f,
    /// Unit vector ahead, in xz.
    ahead: vec2f,
}

/// Point at an offset (x ahead, y right) from a place, in world xz.
fn offset_point(place: Place, offset: vec2f) -> vec2f {
    return place.point + place.ahead * offset.x + right_of(place.ahead) * offset.y;
}

/// Place after `cycles` cycles. The default follows the path.
virtual fn place(cycles: f32) -> Place {
    let distance = cycles * stride_length();
    return Place(point_at(distance), direction_at(distance));
}

// ---- Gait -----------------------------------------------------------------------------

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

// Fraction of a swing during which the foot only rises: it undocks straight up.
const UNDOCKING: f32 = 0.12;

/// Fraction of its way that a swinging foot has covered at the progress `swing` (0 to 1): 0
/// while it undocks, then a smoothstep, with speed 0 at both ends.
fn swing_travel(swing: f32) -> f32 {
    let way = max(swing - UNDOCKING, 0.0) / (1.0 - UNDOCKING);
    return way * way * (3.0 - 2.0 * way);
}

/// Height of a swinging foot as a fraction of the lift at the progress `swing` (0 to 1).
/// Rises faster than it falls, with vertical speed 0 at both ends.
fn swing_height(swing: f32) -> f32 {
    let w = swing * (1.5 - 0.5 * swing);
    return 16.0 * w * w * (1.0 - w) * (1.0 - w);
}

/// Phase of a leg of an insect or spider that stands for the fraction `duty` of its cycle.
/// `row` counts the legs of a side from 0 at the front; `side` is -1 on the left and 1 on
/// the right. Waves of steps run from back to front, with the sides in antiphase: a leg
/// lifts off as the one behind it touches down (Wilson, "Insect walking", 1966). Six legs
/// walk as alternating tripods at a duty of 1/2, on four feet or more at 2/3, on five or
/// more at 5/6. From 1/2 on, half of the feet stand at any time, and no two neighbours
/// swing together; from 0.52 on, the feet of a tripod touch down one after the other.
fn metachronal_phase(row: u32, side: f32, duty: f32) -> f32 {
    return f32(row) * min(1.0 - duty, 0.5) + select(0.0, 0.5, side > 0.0);
}

// ---- Loop of a walk -------------------------------------------------------------------

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

/// Phase of a leg in cycles: how far it is ahead of a leg that steps at the start of each
/// cycle. `row` counts the legs of a side from 0 at the front, `side` is -1 on the left and
/// 1 on the right, `cycles` is the progress of the walk. A phase that depends on `cycles`
/// changes the gait on the way; it must not fall by more than half a cycle per cycle, and
/// must repeat with the loop. The default follows from duty and speed.
virtual fn phase(row: u32, side: f32, cycles: f32) -> f32 {
    return metachronal_phase(row, side, duty_near(cycles));
}

/// Speed of the walk when `cycles` cycles have been walked, averaged over the time of two, as a
/// fraction of its mean and at most 1. A scene that overrides it with 1 keeps one gait and even
/// footholds at any speed.
virtual fn pace(cycles: f32) -> f32 {
    let whole = cycles_of_loop();
    let part = fract(cycles / whole);
    var x = vec2f(0.0, 1.0);
    // The second condition keeps drivers from unrolling the loop.
    for (var i = 0; i < 16 && x.x < x.y; i++) {
        let middle = 0.5 * (x.x + x.y);
        x = select(vec2f(middle, x.y), vec2f(x.x, middle), progress(middle) >= part);
    }
    let ends = x.y + vec2f(-1.0, 1.0) / whole;
    let loops = floor(ends);
    let way = loops + vec2f(progress(ends.x - loops.x), progress(ends.y - loops.y));
    return min(0.5 * whole * (way.y - way.x), 1.0);
}

/// Duty factor when `cycles` cycles have been walked, for `phase`. An animal that slows down
/// swings its feet as fast as before and stands longer, so tripods turn into tetrapods.
fn duty_near(cycles: f32) -> f32 {
    return 1.0 - (1.0 - stride().duty) * mix(0.8, 1.0, pace(cycles));
}

/// Cycles per loop: the number whose stride is nearest to `Stride.length`.
fn cycles_of_loop() -> f32 {
    return max(round(loop_route().path_periods * terrain::PERIOD / stride().length), 1.0);
}

/// Distance covered per cycle, such that whole strides fill the loop.
fn stride_length() -> f32 {
    return loop_route().path_periods * terrain::PERIOD / cycles_of_loop();
}

/// Cycles walked at `time` (seconds).
fn cycles_at(time: f32) -> f32 {
    let x = time / period();
    let loops = floor(x);
    return cycles_of_loop() * (loops + progress(x - loops));
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
    let turn = frame::TAU * waves;
    return x - amount * sin(turn * x) / turn;
}

// ---- Footholds ------------------------------------------------------------------------

/// Time at which `cycles` cycles have been walked, within one loop of `time`. Found by
/// bisection, as `progress` is only known to be monotonic.
fn time_of(cycles: f32, time: f32) -> f32 {
    var early = time - period();
    var late = time + period();
    // The second condition keeps drivers from unrolling the loop.
    for (var i = 0; i < 26 && early < late; i++) {
        let middle = 0.5 * (early + late);
        let is_late = cycles_at(middle) >= cycles;
        early = select(middle, early, is_late);
        late = select(late, middle, is_late);
    }
    return late;
}

/// Cycles walked when a leg touches down for step `index`.
fn touchdown(row: u32, side: f32, index: f32) -> f32 {
    var cycles = index;
    for (var i = 0; i < 7; i++) {
        cycles = index - phase(row, side, cycles);
    }
    return cycles;
}

/// Foothold of step `index`, in world xz. `neutral` is the foot's mean position relative to
/// the body (x ahead, y right), reached in the middle of a stance.
fn foothold(row: u32, side: f32, neutral: vec2f, index: f32) -> vec2f {
    return foothold_after(touchdown(row, side, index), row, side, neutral, index);
}

// Largest deviation of a foothold while the animal hardly moves, in strides.
const JITTER: f32 = 0.04;

// Foothold of step `index`, which touches down after `cycles` cycles: half a stance ahead. The
// slower the walk, the longer it stands, and the less regular it is.
fn foothold_after(cycles: f32, row: u32, side: f32, neutral: vec2f, index: f32) -> vec2f {
    let whole = cycles_of_loop();
    let step = u32(index - whole * floor((index + 0.5) / whole));
    let random = noise::random_of(4096u * (2u * row + u32(side > 0.0)) + step).xy;
    let speed = pace(cycles);
    let jitter = JITTER * stride_length() * (1.0 - speed) * (2.0 * random - 1.0);
    let middle = cycles + 0.5 * (1.0 - (1.0 - stride().duty) * speed);
    return offset_point(place(middle), neutral + jitter);
}

/// State of one foot at one time.
struct FootState {
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
    /// Compression of the leg by the body's weight: from 0 at touch-down to 1 in the middle
    /// of the stance and back to 0 at lift-off; 0 during a swing.
    press: f32,
    /// Rotation of the tarsus backward about the toes, in radians: before lift-off, and while
    /// the foot swings.
    roll: f32,
    /// Seconds since touch-down, and until the next one.
    age: f32,
    until: f32,
}

/// One step of a foot: its foothold and that of the next step, in world xz, and its
/// touch-down and lift-off, in seconds.
struct FootStep {
    here: vec2f,
    there: vec2f,
    down: f32,
    up: f32,
    /// Touch-down of the next step.
    next_down: f32,
}

/// Step `index` of a leg, within one loop of `time`.
fn foot_step(row: u32, side: f32, neutral: vec2f, index: f32, time: f32) -> FootStep {
    var cycles = vec2f(0.0);
    var here = vec2f(0.0);
    var there = vec2f(0.0);
    // One search in each loop, for less code.
    for (var i = 0; i < 2; i++) {
        let step = index + f32(i);
        cycles = vec2f(cycles.y, touchdown(row, side, step));
        here = there;
        there = foothold_after(cycles.y, row, side, neutral, step);
    }
    let mean = period() / cycles_of_loop();
    // The swing takes no longer than at mean speed, and no more than its fraction of the
    // cycle, so as many feet are down as at constant speed.
    let swing_fraction = 1.0 - stride().duty;
    var times = vec3f(0.0);
    var cycles_to_find = vec3f(cycles, cycles.y - swing_fraction);
    for (var i = 0; i < 3; i++) {
        times = vec3f(times.yz, time_of(cycles_to_find.x, time));
        cycles_to_find = cycles_to_find.yzx;
    }
    let up = max(times.z, times.y - swing_fraction * mean);
    return FootStep(here, there, times.x, up, times.y);
}

// Rotation of a tarsus about its toes at lift-off, in radians.
const TOE_ROLL: f32 = 0.2;

// Rotation of a tarsus about its toes, as in `FootState`. `before` is the time until lift-off in
// units of the swing's duration. A swinging tarsus lags behind, and is stretched again before
// touch-down.
fn roll_of(swing: f32, before: f32) -> f32 {
    let rest = 1.0 - swing;
    let lag = swing * rest * (1.92 - 1.15 * swing) + TOE_ROLL * rest * rest * (1.0 + 2.0 * swing);
    let heel = max(1.0 - before / 0.35, 0.0);
    return select(lag, TOE_ROLL * heel * heel, before > 0.0);
}

/// Foot of a leg at `time` (seconds): on its foothold, or on an arc to the next one that
/// clears the ground between them.
fn foot_at(row: u32, side: f32, neutral: vec2f, time: f32) -> FootState {
    let cycles = cycles_at(time);
    let index = floor(cycles + phase(row, side, cycles));
    let step = foot_step(row, side, neutral, index, time);
    let up = step.up;
    let swing_time = step.next_down - up;
    let is_standing = time < up;
    let swing = select(clamp((time - up) / swing_time, 0.0, 1.0), 0.0, is_standing);
    let travel = swing_travel(swing);
    let over = mix(step.here, step.there, travel);
    var below = vec3f(0.0);
    for (var i = 0; i < 3; i++) {
        let at = select(select(over, step.there, i == 1), step.here, i == 0);
        below = vec3f(below.yz, ground(at));
    }
    let height = mix(below.x, below.y, travel);
    // A dune between two footholds raises the arc.
    let bump = max(below.z - height, 0.0);
    let arc = swing_height(swing);
    let part = 0.5 * frame::TAU * (time - step.down) / max(up - step.down, 1e-6);
    let ease = 0.2 * swing_time;
    let load = smoothstep(0.0, ease, time - step.down) * smoothstep(0.0, ease, up - time);
    return FootState(
        vec3f(over.x, height + bump + stride().lift * arc, over.y),
        height,
        is_standing,
        swing,
        select(0.0, load, is_standing),
        select(0.0, sin(part) * sin(part), is_standing),
        roll_of(swing, (up - time) / swing_time),
        time - step.down,
        step.next_down - time,
    );
}

/// Step of a leg, `before` steps before its step at `time`: xy = foothold in world xz, z =
/// seconds since touch-down there, w = seconds since lift-off, negative while the foot
/// stands.
fn past_step(row: u32, side: f32, neutral: vec2f, before: f32, time: f32) -> vec4f {
    let cycles = cycles_at(time);
    let index = floor(cycles + phase(row, side, cycles)) - before;
    let step = foot_step(row, side, neutral, index, time);
    return vec4f(step.here, time - step.down, time - step.up);
}

// ---- Body -----------------------------------------------------------------------------

/// Sums for a least-squares plane through the ground under the feet, over the feet's
/// neutral positions, which must be symmetric between left and right.
struct Support {
    /// Sum of the ground's heights.
    height: f32,
    /// Sums of height times neutral position, and of the neutral position squared.
    slope: vec2f,
    spread: vec2f,
    count: f32,
}

/// Sums over no feet.
fn no_support() -> Support {
    return Support(0.0, vec2f(0.0), vec2f(0.0), 0.0);
}

/// Adds one foot to the sums. `ground` is the height of the ground below the foot,
/// continuous in time, so that a body that follows it does not jump.
fn add_foot(support: Support, neutral_foot: vec2f, ground: f32) -> Support {
    return Support(
        support.height + ground,
        support.slope + neutral_foot * ground,
        support.spread + neutral_foot * neutral_foot,
        support.count + 1.0,
    );
}

/// Position and orientation of a body.
struct Body {
    /// Origin of body space, in world space.
    position: vec3f,
    /// Columns: the directions ahead, up and right, in world space. Orthonormal.
    world_from_body: mat3x3f,
}

/// Body at a place, `clearance` above the plane of its feet. Its tilt is `follow` times the
/// slope of that plane (0 is level, 1 parallel). `centre` is the mean of the neutral
/// positions summed in `support`.
fn body_at(support: Support, centre: vec2f, place: Place, clearance: f32, follow: f32) -> Body {
    let mean = support.height / support.count;
    let variance = support.spread - support.count * centre * centre;
    // Feet side by side, or one behind the other, do not determine the slope across: there,
    // the variance is only rounding error.
    let is_spread = variance > 1e-5 * max(support.spread, vec2f(1e-20));
    let covariance = support.slope - centre * support.height;
    let slope = select(vec2f(0.0), covariance / max(variance, vec2f(1e-20)), is_spread);
    let right_on_ground = right_of(place.ahead);
    let tilted = vec3f(place.ahead.x, follow * slope.x, place.ahead.y);
    let sideways = vec3f(right_on_ground.x, follow * slope.y, right_on_ground.y);
    let ahead = normalize(tilted);
    let up = normalize(cross(sideways, ahead));
    let base = vec3f(place.point.x, mean - dot(slope, centre), place.point.y);
    return Body(base + clearance * up, mat3x3f(ahead, up, cross(ahead, up)));
}

/// Body moved by `shift` and leaned until its y axis points along `up` (any length), both
/// in its own space. It rotates as little as possible.
fn lean(body: Body, shift: vec3f, up: vec3f) -> Body {
    let y = normalize(up);
    let x = normalize(vec3f(1.0, 0.0, 0.0) - y * y.x);
    let turn = mat3x3f(x, y, cross(x, y));
    return Body(body.position + body.world_from_body * shift, body.world_from_body * turn);
}

/// Transforms a point from world space into body space.
fn to_body(body: Body, p: vec3f) -> vec3f {
    return (p - body.position) * body.world_from_body;
}

/// Transforms a point from body space into world space.
fn to_world(body: Body, p: vec3f) -> vec3f {
    return body.position + body.world_from_body * p;
}
