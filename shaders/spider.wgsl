// The spider: it follows a firefly over moss (`land`) by moonlight, and a click or a drag
// leads the firefly. The moon is behind it, so hair and moss are bright at their edges; its
// eyes reflect the fireflies.
//
// Buffer a keeps the walk: body, feet, camera and firefly. Each frame moves the body a
// little toward the firefly; a foot that is left too far behind steps, if its neighbours
// stand, to the best of a few footholds. `walker` solves the legs (`ik`) for these feet.

#define LEGS 8
#define EXTRA_LIMBS 2

#import tarsus::{buffers, camera, depth_of_field, frame, ik, land, light, limb, noise, palette}
#import tarsus::{raymarch, rays, sdf, shading, terrain, walk, walker}

struct Params {
    /// Speed in units per second [0.5, 2.2] = 1.8
    speed: f32,
    /// Length of a stride [0.6, 1.3] = 1
    stride: f32,
    /// Height of the body [0.57, 0.9] = 0.64
    height: f32,
    /// Bend of the knees [0, 1] = 0.25
    bend: f32,
    /// Height of the moon in degrees [12, 60] = 18
    moon_height: f32,
    /// Moonlight = #c9deff
    moonlight: vec3f,
    /// Hair = #574435
    hair: vec3f,
    /// Moss = #3d4c30
    moss: vec3f,
    /// Fog [0, 2] = 1
    fog: f32,
    /// Light of the fireflies [0, 2] = 1
    fireflies: f32,
    /// Aperture of the lens, needs several samples per pixel [0, 0.1] = 0
    aperture: f32,
    /// Focus distance behind the animal [-2, 6] = 0
    focus: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after this time (seconds), unless the pointer leads the spider.
const LOOP_SECONDS: f32 = 30.0;

// ---- Walk ----------------------------------------------------------------------------

// Buffer a keeps the walk in COLUMNS by COLUMNS texels in its lower left corner: first the
// body, which `per_frame` moves, then two texels per leg, which the buffer itself moves.
const COLUMNS: u32 = 5u;
// Position and unit vector ahead, both in world xz.
const BODY: u32 = 0u;
// Speed ahead, rate of turning to the right (radians per second), seconds since the spider
// stopped, and seconds for which the firefly stays where the pointer led it.
const MOTION: u32 = 1u;
// Place of the firefly in world xz; z = the legs that lift off in the next frame, one bit
// each.
const GOAL: u32 = 2u;
// Springs: height of the ground under the body, pitch, roll and sway, and their rates.
const POSTURE: u32 = 3u;
const POSTURE_RATE: u32 = 4u;
// Pitch and yaw of the abdomen relative to the body, and their rates.
const ABDOMEN: u32 = 5u;
// Point on the ground that the camera looks at (w = z of a unit vector ahead that follows the
// body's), and the one under the firefly, which flies to the goal.
const LOOK: u32 = 6u;
const LURE: u32 = 7u;
// Foothold that a leg leaves (w = progress of the step, 1 while the foot stands) and the one
// that it steps to (w = seconds since touch-down).
const FEET: u32 = 8u;
// w is 1 once the walk has begun.
const LAST: u32 = FEET + 2u * walker::LEGS;

// Distance from the goal at which the spider stops, and largest rate of turning.
const STANDOFF: f32 = 1.0;
const MAX_TURN: f32 = 2.2;
// Seconds of a step, and seconds for which the spider stays where the pointer led it.
const STEP_SECONDS: f32 = 0.18;
const PATIENCE: f32 = 5.0;
// Seconds after a stop at which the first and the second tetrapod step to where they rest.
const SETTLING: vec2f = vec2f(0.9, 1.2);
// Longest time step in seconds: at fewer frames per second, the spider is slower.
const MAX_SECONDS: f32 = 1.0 / 15.0;
// Legs of one tetrapod, one bit each: neighbours are in different ones.
const FIRST_TETRAPOD: u32 = 0xA5u;
// Half the width of the valley in which the goal lies.
const VALLEY: f32 = 5.0;
// Position and unit vector ahead at the start, where the spider stops at the last goal.
const START: vec4f = vec4f(30.99, 0.20, 0.981, -0.196);

// The body as stored: the first FEET texels.
var<private> state: array<vec4f, FEET>;

// Texel `index` of the walk.
fn texel(index: u32) -> vec4f {
    return buffers::a(vec2i(vec2u(index % COLUMNS, index / COLUMNS)));
}

fn seconds() -> f32 {
    return clamp(frame::frame.time_delta, 0.0, MAX_SECONDS);
}

fn neutral(leg: u32) -> vec2f {
    return walker::plan(walker::row_of(leg)).foot * vec2f(1.0, walker::side_of(leg));
}

// Places that the firefly visits while the pointer is idle, in world xz.
fn wander_goal() -> vec2f {
    let hop = min(floor(6.0 * frame::loop_time(LOOP_SECONDS) / LOOP_SECONDS), 5.0);
    // Offsets from the middle of the valley; the last one is 0.
    let aside = dot(vec4f(vec4f(hop) == vec4f(0.0, 1.0, 2.0, 3.0)), vec4f(1.8, -0.9, 2.1, -1.9))
        + select(0.0, 0.7, hop == 4.0);
    // The last way is short: the walk repeats once the spider rests.
    return vec2f(min(5.7 * hop + 5.7, terrain::PERIOD), aside);
}

// Point of the ground on a ray, at most 16 units away.
fn ground_on_ray(origin: vec3f, direction: vec3f) -> vec3f {
    var t = 0.0;
    for (var i = 0; i < 24; i++) {
        let p = origin + t * direction;
        t = min(t + max(p.y - terrain::height(p.xz), 0.0) / max(0.4 - direction.y, 0.1), 16.0);
    }
    return origin + t * direction;
}

// Value that approaches `goal` at `rate` per second.
fn approach(value: vec4f, goal: vec4f, rate: vec4f, seconds: f32) -> vec4f {
    return goal + (value - goal) / (1.0 + rate * seconds);
}

// Displacement of a leg's neutral position, `offset` from the body's place, during `steps`
// steps; at most `most` strides.
fn step_offset(offset: vec2f, place: walk::Place, motion: vec4f, steps: f32, most: f32) -> vec2f {
    let velocity = motion.x * place.ahead + motion.y * walk::right_of(offset);
    let limit = most * params.stride / max(length(velocity), 1e-3);
    return min(steps * STEP_SECONDS, limit) * velocity;
}

// Moves the body in `state` to the next frame. It follows `led` (xy = xz of the world) if z
// is 1, and `wander` otherwise. Reads `walker::unposed_body`, set by `walker::body_over_feet`.
fn move_body(led: vec3f, wander: vec2f, seconds: f32) {
    var place = walk::Place(state[BODY].xy, state[BODY].zw);
    var motion = state[MOTION];
    var goal = state[GOAL].xy;
    motion.w = max(motion.w - select(0.0, seconds, motion.z > 0.0), 0.0);
    if led.z == 1.0 {
        goal = led.xy;
        motion.w = PATIENCE;
    } else if motion.w == 0.0 {
        goal = wander;
    }
    goal.x -= terrain::PERIOD * round((goal.x - place.point.x) / terrain::PERIOD);

    // Neutral positions of the standing feet: sum and count; and the largest distance of one
    // of these feet from its neutral position.
    var loaded = vec3f(0.0);
    var stretch = 0.0;
    // Legs, one bit each: in the air, just lifted off, and in need of a step, soon or now.
    // For each tetrapod, the largest distance by which a foot is behind.
    var flying = 0u;
    var lifted = 0u;
    var early = 0u;
    var late = 0u;
    var worst = vec2f(0.0);
    for (var leg = 0u; leg < walker::LEGS; leg++) {
        let foothold = texel(FEET + 2u * leg + 1u);
        let home = walk::offset_point(place, neutral(leg));
        let lead = step_offset(home - place.point, place, motion, 0.6, 0.28);
        let swing = texel(FEET + 2u * leg).w;
        let stands = swing >= 1.0;
        let behind = select(0.0, distance(foothold.xz, home + lead) - length(lead), stands);
        loaded += select(0.0, 1.0, stands) * vec3f(neutral(leg), 1.0);
        stretch = max(stretch, select(0.0, distance(foothold.xz, home), stands));
        flying |= u32(!stands) << leg;
        lifted |= u32(swing < 0.35) << leg;
        early |= u32(behind > 0.08 * params.stride) << leg;
        late |= u32(behind > 0.17 * params.stride) << leg;
        let is_first = ((FIRST_TETRAPOD >> leg) & 1u) == 1u;
        worst = max(worst, select(vec2f(0.0, behind), vec2f(behind, 0.0), is_first));
    }

    let way = goal - place.point;
    let away = max(length(way), 1e-3);
    let facing = dot(way, place.ahead) / away;
    let side = dot(way, walk::right_of(place.ahead)) / away;
    let bend = select(sign(side), clamp(2.0 * side, -1.0, 1.0), facing > 0.0);
    let turn = MAX_TURN * bend * smoothstep(0.3, 0.6, away);
    let gap = max(away - STANDOFF - 0.03, 0.0);
    let speed = min(params.speed, sqrt(3.0 * gap)) * smoothstep(0.3, 0.95, facing);
    // The body waits for feet that are left behind.
    let rate_of_change = select(2.5, 8.0, speed < motion.x);
    let wish = (1.0 - smoothstep(0.35, 0.70, stretch)) * vec4f(speed, turn, 0.0, 0.0);
    var moved = (1.0 - smoothstep(0.60, 0.72, stretch))
        * approach(vec4f(motion.xy, 0.0, 0.0), wish, vec4f(rate_of_change), seconds);
    // It leans back before it starts.
    let lean = state[POSTURE].y - walker::unposed_body.world_from_body[0].y;
    let is_held = moved.x > motion.x && motion.x < 0.3;
    moved.x = mix(moved.x, motion.x, select(0.0, 0.85 * smoothstep(0.05, 0.01, lean), is_held));
    let is_resting = gap == 0.0 && abs(turn) < 0.05;
    let rest = select(0.0, motion.z + seconds, is_resting);

    // The feet of a tetrapod lift off together, while the other one stands. After a stop,
    // each foot steps to where it rests.
    let settling = (SETTLING > vec2f(motion.z)) & (SETTLING <= vec2f(rest));
    let is_first = select(worst.x >= worst.y, (flying & FIRST_TETRAPOD) != 0u, flying != 0u);
    let tetrapod = select(~FIRST_TETRAPOD & 0xFFu, FIRST_TETRAPOD, is_first);
    let joins = select(late, lifted, flying != 0u) & tetrapod;
    var lifting = select(0u, early & tetrapod & ~flying, joins != 0u);
    if flying == 0u && any(settling) {
        lifting = select(~FIRST_TETRAPOD & 0xFFu, FIRST_TETRAPOD, settling.x);
    }
    place.point += seconds * moved.x * place.ahead;
    place.ahead = normalize(place.ahead + seconds * moved.y * walk::right_of(place.ahead));
    // After the last goal it shifts to where it began, so that the walk repeats.
    let is_home = is_resting && motion.w == 0.0 && wander.x == terrain::PERIOD
        && distance(place.point, START.xy) < 0.3 && dot(place.ahead, START.zw) > 0.9;
    let returning = 6.0 * seconds * f32(is_home);
    place.point = mix(place.point, START.xy, returning);
    place.ahead = normalize(mix(place.ahead, START.zw, returning));

    // The rest follows with its weight.
    let push = rate_of_change * (wish.x - moved.x);
    let level = walker::unposed_body;
    let axes = level.world_from_body;
    let posture_goal = vec4f(
        level.position.y - params.height * axes[1].y - 0.012 * (f32(walker::LEGS) - loaded.z),
        axes[0].y + 0.020 * push,
        axes[2].y + 0.020 * moved.x * moved.y,
        0.06 * loaded.y / max(loaded.z, 1.0));
    let pull = 150.0 * (posture_goal - state[POSTURE]) - 11.0 * state[POSTURE_RATE];
    let rate = state[POSTURE_RATE] + seconds * pull;
    let lag = vec2f(0.35 * rate.x - 0.02 * push, -0.12 * moved.y);
    let abdomen = state[ABDOMEN];
    let abdomen_rate = abdomen.zw + seconds * (90.0 * (lag - abdomen.xy) - 7.0 * abdomen.zw);
    let ground = state[POSTURE].x;
    state[BODY] = vec4f(place.point, place.ahead);
    state[MOTION] = vec4f(moved.xy, rest, motion.w);
    state[GOAL] = vec4f(goal, f32(lifting), 0.0);
    state[POSTURE] += seconds * rate;
    state[POSTURE_RATE] = rate;
    state[ABDOMEN] = vec4f(abdomen.xy + seconds * abdomen_rate, abdomen_rate);
    let look = vec4f(place.point.x, ground, place.point.y, place.ahead.y);
    state[LOOK] = approach(state[LOOK], look, vec4f(vec3f(2.5), 1.2), seconds);
    // The firefly waits for the spider.
    let ahead = place.point + way * min(1.0, 1.7 / away);
    let lure = vec4f(ahead.x, ground, ahead.y, 0.0);
    state[LURE] = approach(state[LURE], lure, vec4f(2.0), seconds);
}

// Texel `index` of the body in the next frame.
fn next_body(index: u32) -> vec4f {
    let has_begun = texel(LAST).w > 0.0;
    let periods = vec4f(periods_at(state[BODY].x), 0.0, 0.0, 0.0);
    let view_camera = walker::frame_camera;
    let pointed = frame::centred(frame::frame.mouse.xy + 0.5);
    let found = ground_on_ray(
        select(vec3f(START.x, 3.0, START.y), view_camera.position, has_begun),
        select(vec3f(0.0, -1.0, 0.0), camera::ray_direction(view_camera, pointed), has_begun));
    // Not too far from the spider, and in the valley.
    let way = found.xz - state[BODY].xy;
    let near = state[BODY].xy + way * min(1.0, 7.0 / max(length(way), 1e-3));
    let led = vec3f(near.x, clamp(near.y, -VALLEY, VALLEY), f32(frame::frame.mouse.z > 0.0));
    move_body(led, wander_goal(), seconds());
    if !has_begun {
        state = array<vec4f, FEET>(
            START, vec4f(0.0), state[GOAL], vec4f(found.y, 0.0, 0.0, 0.0), vec4f(0.0), vec4f(0.0),
            vec4f(found, START.w), vec4f(found, 0.0));
    }
    // Coordinates stay small.
    let is_place = index == BODY || index == GOAL || index >= LOOK;
    return state[min(index, LURE)] - select(vec4f(0.0), periods, is_place);
}

// Whole periods of the ground before x.
fn periods_at(x: f32) -> f32 {
    return terrain::PERIOD * floor(x / terrain::PERIOD);
}

// Foothold near `ideal` in world xz: level ground is worth a detour.
fn best_foothold(ideal: vec2f, is_needed: bool) -> vec3f {
    var best = vec4f(0.0, 0.0, 0.0, 1e3);
    var heights = vec3f(0.0);
    var p = ideal;
    if is_needed {
        for (var i = 0u; i < 18u; i++) {
            // Three heights for each of six places: in the middle and around it.
            let angle = frame::TAU / 5.0 * f32(i / 3u);
            let offset = select(0.16 * vec2f(cos(angle), sin(angle)), vec2f(0.0), i < 3u);
            p = ideal + offset + 0.08 * vec2f(f32(i % 3u == 1u), f32(i % 3u == 2u));
            heights = vec3f(heights.yz, terrain::height(p));
            let slope = (heights.yz - heights.x) / 0.08;
            let cost = dot(slope, slope) + 8.0 * dot(offset, offset);
            let candidate = vec4f(ideal.x + offset.x, heights.x, ideal.y + offset.y, cost);
            best = select(best, candidate, i % 3u == 2u && cost < best.w);
        }
    }
    return best.xyz;
}

// Both texels of a leg.
struct Step {
    start: vec4f,
    end: vec4f,
}

// Step of a leg in the next frame, for the next `body`, `motion` and `goal`.
fn next_step(
    leg: u32,
    step: Step,
    body: vec4f,
    motion: vec4f,
    goal: vec4f,
    has_begun: bool,
    seconds: f32,
) -> Step {
    let place = walk::Place(body.xy, body.zw);
    let home = walk::offset_point(place, neutral(leg));
    let lifts = ((u32(goal.z) >> leg) & 1u) == 1u;
    // Half a stance ahead of where its neutral position will be at touch-down.
    let ahead = step_offset(home - place.point, place, motion, 1.6, 0.52);
    let foothold = best_foothold(home + ahead, lifts || !has_begun);
    // Front feet touch down first: those of a tetrapod land one after the other.
    let progress = seconds / (STEP_SECONDS * (0.88 + 0.08 * f32(walker::row_of(leg))));
    if !has_begun {
        return Step(vec4f(foothold, 1.0), vec4f(foothold, 0.0));
    }
    if lifts {
        return Step(vec4f(step.end.xyz, max(progress, 1e-3)), vec4f(foothold, 0.0));
    }
    if step.start.w == 1.0 {
        return Step(step.start, step.end + vec4f(0.0, 0.0, 0.0, seconds));
    }
    if step.start.w + progress < 1.0 {
        return Step(step.start + vec4f(0.0, 0.0, 0.0, progress), step.end);
    }
    return Step(vec4f(step.end.xyz, 1.0), vec4f(step.end.xyz, 0.0));
}

// Index in the frame data of the body in the next frame, after the scene's own values.
const NEXT: u32 = walker::SCENE_VALUES + FIREFLIES + 1u;

fn next_value(index: u32) -> vec4f {
    return frame::per_frame_value(NEXT + index);
}

fn buffer_a(frag_coord: vec2f) -> vec4f {
    let at = vec2u(frag_coord);
    let index = at.x + COLUMNS * at.y;
    let is_stored = max(at.x, at.y) < COLUMNS;
    let leg = min(max(index, FEET) - FEET, LAST - FEET - 1u) / 2u;
    let has_begun = texel(LAST).w == 1.0;
    // Other texels skip the search for a foothold.
    let goal = select(vec4f(0.0), next_value(GOAL), is_stored);
    let periods = vec4f(periods_at(texel(BODY).x), 0.0, 0.0, 0.0);
    let step = next_step(
        leg,
        Step(texel(FEET + 2u * leg) - periods, texel(FEET + 2u * leg + 1u) - periods),
        next_value(BODY), next_value(MOTION), goal, has_begun || !is_stored, seconds());
    var result = select(step.end, step.start, index % 2u == 0u);
    if index < FEET {
        result = next_value(index);
    }
    if index == LAST {
        result = vec4f(0.0, 0.0, 0.0, 1.0);
    }
    return select(vec4f(0.0), result, is_stored);
}

// ---- Animal --------------------------------------------------------------------------

override fn walk::loop_route() -> walk::Loop {
    return walk::Loop(LOOP_SECONDS, 1.0);
}

// The camera follows this place.
override fn walk::place(cycles: f32) -> walk::Place {
    return walk::Place(state[LOOK].xz, state[BODY].zw);
}

override fn walker::foot_at(leg: u32, time: f32) -> walk::FootState {
    return foot_between(texel(FEET + 2u * leg), texel(FEET + 2u * leg + 1u));
}

// Foot of a leg with these two texels: on its foothold, or on an arc to the next one.
fn foot_between(start: vec4f, end: vec4f) -> walk::FootState {
    let stands = start.w >= 1.0;
    // A step is too short in time for the straight undocking of `walk::swing_travel`.
    let over = mix(start.xyz, end.xyz, start.w * start.w * (3.0 - 2.0 * start.w));
    let lift = min(0.08 + 0.45 * distance(start.xz, end.xz), 0.36) * walk::swing_height(start.w);
    let position = select(over + vec3f(0.0, lift, 0.0), end.xyz, stands);
    let load = select(1.0 - smoothstep(0.0, 0.2, start.w), smoothstep(0.0, 0.05, end.w), stands);
    let swing = select(start.w, 0.0, stands);
    // The next lift-off is not known, so a standing tarsus does not turn.
    let roll = walk::roll_of(swing, 0.0) * smoothstep(0.0, 0.25, swing);
    return walk::FootState(position, over.y, stands, swing, load, 0.0, roll, end.w, 0.0);
}

override fn walker::plan(row: u32) -> walker::Plan {
    var foot = vec2f(1.50, 0.72);
    if row == 1u { foot = vec2f(0.72, 1.42); }
    if row == 2u { foot = vec2f(-0.42, 1.50); }
    if row == 3u { foot = vec2f(-1.50, 0.98); }
    let back = f32(row);
    let hip = vec3f(0.34 - 0.17 * back, -0.06, 0.20 + 0.06 * sin(1.05 * back));
    let longer = 0.96 + 0.16 * params.bend;
    let lengths = ik::LegLengths(0.15, 0.98 * longer, 1.02 * longer, 0.34);
    let outward = normalize(vec3f(foot.x - hip.x, 0.0, foot.y - hip.z));
    return walker::Plan(hip, foot, lengths, vec3f(0.0), 0.55 * outward - vec3f(0.0, 1.0, 0.0));
}

override fn walker::clearance() -> f32 {
    return params.height;
}

override fn walker::pose(body: walk::Body, time: f32) -> walk::Body {
    return body_in(state[BODY], state[POSTURE]);
}

// Body with these two texels.
fn body_in(place: vec4f, posture: vec4f) -> walk::Body {
    let right = walk::right_of(place.zw);
    let ahead = normalize(vec3f(place.z, posture.y, place.w));
    let up = normalize(cross(vec3f(right.x, posture.z, right.y), ahead));
    let axes = mat3x3f(ahead, up, cross(ahead, up));
    let base = vec3f(place.x, posture.x, place.y);
    return walk::Body(base + params.height * up + posture.w * axes[2], axes);
}

// Length of each of the two bones of a palp.
const PALP_BONE: f32 = 0.26;

// The palps tap: short limbs that do not reach the ground.
override fn walker::extra_limb(index: u32, time: f32) -> ik::Leg {
    let side = 2.0 * f32(index) - 1.0;
    let tap = sin(29.0 * frame::TAU / LOOP_SECONDS * time + 1.6 * side);
    let base = vec3f(0.50, -0.07, 0.10 * side);
    let reach = vec3f(0.34 + 0.04 * tap, -0.24 + 0.08 * tap, 0.09 * side);
    let bones = ik::solve3_clamp(reach, PALP_BONE, PALP_BONE, vec3f(0.4, 1.0, 0.4 * side));
    let bow = limb::curve(base, base + bones.mid, base + bones.end);
    return ik::Leg(bow.a, bow.b, bow.c, bow.d, bow.e, true);
}

override fn walker::view(time: f32) -> camera::View {
    let turn = frame::TAU / LOOP_SECONDS * time;
    let pitch = 0.09 + 0.03 * sin(2.0 * turn + 1.0);
    // The legs spread wide, so narrow pictures need a wider view.
    let tan_half_fov = 0.300 * frame::narrow_view_factor(1.4) / frame::narrow_view_factor(1.0);
    // Turns with the spider, so that no front leg hides its face, but keeps the moon in sight.
    let yaw = 0.1 + 0.6 * state[LOOK].w - 0.06 * sin(turn);
    return camera::View(yaw, pitch, 5.4, 0.62, tan_half_fov);
}

// Colour of the markings in the hair, and reflectance of the eyes, the brightest mirrors
// in the scene.
const PALE: vec3f = vec3f(0.46, 0.35, 0.21);
const EYE_MIRROR: f32 = 0.18;
const FIREFLIES: u32 = 9u;
const GLOW: vec3f = vec3f(1.0, 0.72, 0.18);
const HAIR: u32 = 0u;
const EYE: u32 = 1u;

override fn walker::radii(index: u32) -> limb::Radii {
    if index < walker::LEGS { return limb::Radii(0.085, 0.060, 0.046, 0.028, 0.014, 0.17); }
    return limb::Radii(0.030, 0.046, 0.026, 0.032, 0.050, 0.0);
}

const LEG_HAIR: limb::Bristles = limb::Bristles(0.055, 0.0026, 0.034, 11u, 0.9);
const BACK_HAIR: limb::Bristles = limb::Bristles(0.060, 0.0022, 0.038, 79u, 1.2);

override fn walker::leg_margins() -> vec3f {
    return vec3f(LEG_HAIR.length, LEG_HAIR.length, 0.032);
}

// Unit vector across the plane in which the current leg bends, and one of its two claws, which lie
// on the ground; palps have none.
var<private> across: vec3f;
var<private> claw: vec3f;

override fn walker::prepare_leg(leg: walker::Limb) {
    let bones = leg.bones;
    across = normalize(cross(bones.knee - bones.hip, bones.foot - bones.knee));
    let ahead = normalize(cross(across, vec3f(0.0, 1.0, 0.0)));
    claw = select(0.0, 1.0, leg.index < walker::LEGS) * (0.030 * ahead + 0.018 * across);
}

override fn walker::leg_distance(p: vec3f, leg: walker::Limb) -> f32 {
    let bones = leg.bones;
    let radii = walker::radii(leg.index);
    if rays::is_secondary_ray {
        return limb::leg_distance(p, bones, radii);
    }
    let coxa = sdf::tapered_capsule(p, bones.hip, bones.trochanter, radii.coxa, radii.femur);
    let femur = sdf::from_segment(p, bones.trochanter, bones.knee);
    let tibia = sdf::from_segment(p, bones.knee, bones.ankle);
    let tarsus = sdf::from_segment(p, bones.ankle, bones.foot);
    // Grooves end the patella, part of the tibia here, and the metatarsus, part of the tarsus.
    let near = max(1.0 - 14.0 * abs(vec2f(tibia.w - 0.2, 0.4 * tarsus.w - 0.22)), vec2f(0.0));
    let waist = 1.0 - select(0.0, 0.35, leg.index < walker::LEGS) * near * near;
    let to_femur = length(femur.xyz) - limb::femur_radius(femur.w, radii);
    let to_tibia = length(tibia.xyz) - mix(radii.knee, radii.ankle, tibia.w) * waist.x;
    let to_tarsus = length(tarsus.xyz) - mix(radii.ankle, radii.foot, tarsus.w) * waist.y;
    let skin = min(
        sdf::smooth_union(sdf::smooth_union(coxa, to_femur, 0.025), to_tibia, 0.014), to_tarsus);
    let beside = p - bones.foot;
    let mirrored = beside - 2.0 * min(dot(beside, across), 0.0) * across;
    let to_claw = sdf::tapered_capsule(mirrored, vec3f(0.0), claw, 0.015, 0.004);
    return limb::bristled_leg_distance(p, bones, min(skin, to_claw), LEG_HAIR, walker::pixel());
}

// Distance to the abdomen, which lags behind the body by turning about the waist.
fn abdomen(p: vec3f) -> f32 {
    let lag = walker::read_scene_value(FIREFLIES).xy;
    let q = vec3f(p.x + 0.82, p.yz - vec2f(0.15, 0.0) + lag * (p.x + 0.35));
    let skin = sdf::ellipsoid(q, vec3f(0.60, 0.41, 0.45));
    if rays::is_secondary_ray {
        return skin;
    }
    var hair = BACK_HAIR;
    hair.length *= clamp(6.0 * (0.56 - abs(q.x)), 0.01, 1.0);
    return limb::bristle_distance(skin, -q.x, q.zy, hair, walker::pixel());
}

// The rear of the head, which the front legs are close enough to.
override fn walker::trunk_at_hips(p: vec3f) -> f32 {
    return sdf::ellipsoid(p - vec3f(0.06, 0.02, 0.0), vec3f(0.36, 0.19, 0.32));
}

fn head(p: vec3f, side: vec3f) -> f32 {
    let rear = walker::trunk_at_hips(p);
    let front = sdf::ellipsoid(p - vec3f(0.33, 0.07, 0.0), vec3f(0.22, 0.19, 0.23));
    let waist = sdf::capsule(p, vec3f(-0.2, 0.0, 0.0), vec3f(-0.45, 0.06, 0.0), 0.06);
    let jaw = sdf::tapered_capsule(
        side, vec3f(0.47, -0.05, 0.085), vec3f(0.57, -0.27, 0.09), 0.085, 0.060);
    let fang = sdf::tapered_capsule(
        side, vec3f(0.57, -0.29, 0.10), vec3f(0.52, -0.40, 0.05), 0.028, 0.006);
    let shield = sdf::smooth_union(sdf::smooth_union(rear, front, 0.10), waist, 0.08);
    return sdf::smooth_union(shield, min(jaw, fang), 0.03);
}

// Middles and radii of the eyes of one side, from the large one in the middle outward.
const EYE_X: vec4f = vec4f(0.510, 0.462, 0.402, 0.300);
const EYE_Y: vec4f = vec4f(0.085, 0.125, 0.212, 0.165);
const EYE_Z: vec4f = vec4f(0.096, 0.205, 0.128, 0.205);
const EYE_RADII: vec4f = vec4f(0.080, 0.054, 0.054, 0.048);

// Offsets of a point from the middles of the eyes of one side.
fn from_eyes(side: vec3f) -> mat3x4f {
    return mat3x4f(side.x - EYE_X, side.y - EYE_Y, side.z - EYE_Z);
}

// Distance to the eyes of one side.
fn eyes(side: vec3f) -> f32 {
    let away = from_eyes(side);
    var gaps = sqrt(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]) - EYE_RADII;
    // A lid over the large one.
    gaps.x -= 0.010 * smoothstep(-0.260, -0.252, dot(side, vec3f(-0.62, 0.76, -0.17)));
    return min(min(gaps.x, gaps.y), min(gaps.z, gaps.w));
}

override fn walker::trunk(p: vec3f) -> raymarch::Sample {
    let side = vec3f(p.xy, abs(p.z));
    let hairy = sdf::smooth_union(head(p, side), abdomen(p), 0.05);
    return raymarch::nearest(raymarch::Sample(hairy, HAIR), raymarch::Sample(eyes(side), EYE));
}

override fn walker::trunk_bound() -> walker::Capsule {
    return walker::Capsule(vec3f(-1.12, 0.06, 0.0), vec3f(0.22, 0.0, 0.0), 0.62);
}

// Unit vector away from the axis of a leg, which does not follow single hairs as the normal
// does; on the trunk, the normal. Set by `land::material`.
var<private> outward: vec3f;

override fn land::material(point: land::Point) -> land::Material {
    let p = point.position;
    let mirrored = vec3f(p.xy, abs(p.z));
    if !point.on_leg && point.id == EYE {
        // The normal by differences fails at the rims, where it would mirror dots of light.
        let away = from_eyes(mirrored);
        let power = away[0] * away[0] + away[1] * away[1] + away[2] * away[2]
            - EYE_RADII * EYE_RADII;
        let nearest = vec4f(power == vec4f(min(min(power.x, power.y), min(power.z, power.w))));
        outward = normalize((nearest * away) * vec3f(1.0, 1.0, sign(p.z)));
        // The lid lies outside the ball, with its normal: an edge would mirror dots of light, too.
        if nearest.x * power.x > 8e-4 { return land::glossy(vec3f(0.15, 0.06, 0.026), 0.02, 0.7); }
        return land::glossy(vec3f(0.004, 0.006, 0.008), EYE_MIRROR, 0.12);
    }
    let leg = walker::current.bones;
    let is_tarsus = point.along > 2.0;
    let start = select(leg.knee, leg.ankle, is_tarsus);
    let upper_end = select(leg.trochanter, leg.ankle, point.along > 1.0);
    let bone = normalize(select(upper_end, leg.foot, is_tarsus) - start);
    let from_axis = p - start - dot(p - start, bone) * bone;
    outward = select(point.normal, normalize(from_axis), point.on_leg);
    // Hairs lie along the animal, and hang down its face: noise of the place along a part and
    // around it.
    let side = select(vec3f(0.0, 0.0, 1.0), across, point.on_leg);
    let back = select(vec3f(0.0, 1.0, 0.0), cross(bone, across), point.on_leg);
    let around = shading::bearing(vec3f(dot(outward, back), 0.0, dot(outward, side)));
    let cells = select(64u, 16u, point.on_leg);
    let place = vec2f(f32(cells) * around, 14.0 * select(p.x, point.along, point.on_leg));
    let is_face = !point.on_leg && p.x > 0.40;
    let hairs = noise::value_noise(
        select(place, vec2f(110.0 * p.z, 9.0 * p.y), is_face), cells - 1u, 5u).x;
    // A stripe along the carapace; a crescent and chevrons on the abdomen.
    let x = p.x + 0.015 * hairs;
    let z = abs(p.z) + 0.02 * hairs;
    var pale = step(p.x, 0.38) * smoothstep(-0.25, -0.05, p.x) * step(0.05, p.y)
        * smoothstep(-0.075, -0.045, -z);
    if p.x < -0.24 {
        let row = fract(3.6 * x + 2.9 * z);
        let chevron = smoothstep(0.55, 0.62, row) * smoothstep(1.0, 0.93, row)
            * smoothstep(0.26, 0.22, z + 0.1 * (x + 0.8)) * smoothstep(-0.46, -0.50, x);
        let crescent = smoothstep(0.05, 0.035, abs(x + 0.40));
        pale = 0.9 * max(chevron, crescent) * smoothstep(0.0, 0.25, p.y);
    }
    if point.on_leg {
        // Dark joints and, between them, a ring on every segment.
        let ring = 0.5 - abs(fract(point.along) - 0.5) + 0.012 * hairs;
        pale = 0.28 * smoothstep(0.05, 0.12, ring) - 0.22 * smoothstep(0.30, 0.33, ring)
            + 0.8 * smoothstep(0.40, 0.43, ring);
    }
    let is_leg = point.on_leg && walker::current.index < walker::LEGS;
    // The palps are dark at their ends.
    if point.on_leg && !is_leg { pale = 0.32 - 0.28 * smoothstep(2.3, 2.6, point.along); }
    let dark = select(0.0, smoothstep(2.80, 2.94, point.along + 0.03 * hairs), is_leg);
    let hair = mix(palette::linear_from_display(params.hair), PALE, pale) * (1.0 + 0.4 * hairs);
    // Skin around the eyes is dark: at their rims, its light would break into dots.
    let bare = select(smoothstep(0.005, 0.024, eyes(mirrored)), 1.0, point.on_leg);
    let color = bare * mix(hair, vec3f(0.035, 0.024, 0.016), dark);
    var fur = land::glossy(color, 0.03 * bare * (1.0 - dark), select(0.5, 0.75, point.on_leg));
    fur.sheen = bare * select(2.6, 0.4, point.on_leg);
    fur.bumps = select(0.16, 0.07, point.on_leg);
    fur.grain = 46.0;
    return fur;
}

// Fine hairs cover more of a leg's dark skin toward its edges, where they are seen from the
// side, and the least below. The moon shines through those at the edges of the animal.
override fn land::adjust_material(
    surface: light::Surface,
    point: land::Point,
    direction: vec3f,
) -> light::Surface {
    var furry = surface;
    let facing = dot(point.normal, direction);
    let edge = 1.4 + 0.6 * point.normal.y;
    let thin = 1.0 - abs(dot(outward, direction));
    let hairy = select(0.0, surface.f0_color.x / 0.03, surface.f0_color.x < EYE_MIRROR);
    furry.normal = normalize(outward + surface.normal - point.normal);
    furry.translucency = 1.3 * hairy * thin * thin * thin;
    furry.albedo *= select(1.0, mix(edge, 0.6, facing * facing), point.on_leg);
    return furry;
}

// Domes near the points of a lattice, each at a random offset from its point. Neighbours merge;
// `least` is the height of the lowest. x = height at p, about 1 at most, yz = its slope, w = a
// random number of the domes there. The lattice repeats like that of `noise::value_noise`.
fn domes(p: vec2f, least: f32, mask: u32, seed: u32) -> vec4f {
    let cell = floor(p);
    let low = vec2u(vec2i(cell));
    let column = vec4u(low.x, low.x + 1u, low.x, low.x + 1u) & vec4u(mask);
    let row = vec4u(low.yy, low.yy + 1u) & vec4u(mask);
    let word = noise::mix_bits(column * 0x9E3779B1u + row * 0x85EBCA77u + vec4u(seed));
    // Offsets and radii are so small that a dome ends within the four cells around its point.
    let f = p - cell - 0.28;
    let x = f.x - vec4f(0.0, 1.0, 0.0, 1.0) + 0.56 * 0x1p-24 * noise::in_24_bits(word);
    let y = f.y - vec4f(0.0, 0.0, 1.0, 1.0) + 0.56 * 0x1p-24 * noise::in_24_bits(word << vec4u(8u));
    let top = min(least + 0.7 * 0x1p-24 * noise::in_24_bits(word << vec4u(16u)), vec4f(1.0));
    let heights = max(top - 1.9 * (x * x + y * y), vec4f(0.0));
    let squared = heights * heights;
    let height = sqrt(sqrt(dot(squared, squared)));
    let weights = squared * heights / max(height * height * height, 1e-6);
    let random = 0x1p-24 * dot(weights, noise::in_24_bits(word << vec4u(24u)));
    return vec4f(height, -3.8 * dot(weights, x), -3.8 * dot(weights, y), random);
}

// Noise of the place, -1 to 1, and its slope: moss covers the ground where it is high.
var<private> growth: vec3f;

// Cushions of moss at p (world xz), as `domes`.
fn cushion_at(p: vec2f) -> vec4f {
    let q = 2.0 * p + 0.16 * growth.yz;
    return domes(vec2f(q.x + q.y, q.y - q.x), 0.34 + 0.5 * growth.x, 63u, 71u);
}

const CUSHION: f32 = 0.17;
// Direction of the ray that met the ground, width of a pixel there, and height in the cushions.
var<private> view: vec4f;
var<private> level: f32;

// Cushions of moss made of small shoots, with litter in the gaps.
override fn land::ground(p: vec3f, footprint: f32) -> land::Ground {
    var cushion = cushion_at(p.xz);
    // A ray may end in front of a cushion: without its height, the litter there would be in bars.
    cushion.x = max(cushion.x, level);
    let distinct = exp(-14.0 * footprint * footprint);
    var slope = 2.0 * distinct * CUSHION * vec2f(cushion.y - cushion.z, cushion.y + cushion.z);
    // Dark where the ray grazes a cushion: in front of the gap behind it, a bright edge aliases.
    let facing = max(dot(slope, view.xz) - view.y, 0.0);
    let front = smoothstep(0.0, 7.0 * view.w, facing * facing);
    var light = distinct * (cushion.x - 0.5);
    // Shoots are longer along the usual view, which foreshortens them; a shift by the height makes
    // those on the front of a cushion as large. Each octave is turned, so that no rows show.
    var axes = mat2x2f(8.0, -8.0, 12.0, 12.0);
    let shifted = p.xz + 2.0 * CUSHION * cushion.x * view.xz;
    var size = 0.0125;
    var fine = 720.0 * footprint * view.w;
    var chip = 0.0;
    // Cells of a whole part of the path's period. Octaves much finer than a pixel are left out.
    for (var i = 0u; i < 3u && fine < 4.0; i++) {
        let visible = exp(-fine);
        let shoot = domes(axes * shifted, 0.3, 255u, 72u + i);
        slope += visible * size * (shoot.yz * axes);
        light += 0.8 * visible * (shoot.x - 0.4);
        chip += visible * (shoot.w - 0.5);
        axes = mat2x2f(2.0, -1.0, 1.0, 2.0) * axes;
        size *= 0.2;
        fine *= 5.0;
    }
    let young = smoothstep(-0.8, 0.8, distinct * (cushion.w - 0.5) + 0.7 * growth.x + 0.5 * light);
    let green = palette::linear_from_display(params.moss)
        * mix(vec3f(0.7, 1.0, 1.0), vec3f(2.1, 1.6, 0.7), young);
    let moss = mix(0.8, smoothstep(0.0, 0.5, cushion.x), distinct);
    let dry = smoothstep(-0.9, 1.2, chip);
    let litter = mix(vec3f(0.044, 0.036, 0.034), vec3f(0.135, 0.082, 0.046), dry);
    let cover = mix((0.85 + 0.35 * light) * litter, max(0.9 + 0.9 * light, 0.15) * green, moss);
    // The body hides the sky from the ground below.
    let below = walk::to_body(walker::body(), p).xz + vec2f(0.3, 0.0);
    let open = 1.0 - 0.75 * exp(-1.6 * dot(below, below));
    // The trees leave strips of moonlight.
    let strip = noise::value_noise(vec2f(4.0 / 3.0 * p.z - 0.25 * p.x, 0.25 * p.x), 7u, 8u).x;
    let sunlight = 0.25 + 1.4 * smoothstep(-0.3, 0.4, strip);
    return land::Ground(open * mix(0.6, 1.0, front) * cover, slope, 0.6 * moss * front, sunlight);
}

// A ray meets the cushions above the ground that it would reach without them. From their tops
// it goes down in even steps; the last one ends where the line between its ends meets the moss.
override fn land::displace_ground(p: vec3f, direction: vec3f, width: f32) -> vec3f {
    growth = noise::value_noise(p.xz * 0.5, 15u, 7u);
    // Lower far away, and along grazing rays, whose steps would jump over cushions.
    let facing = dot(terrain::relief(p.xz).yz, direction.xz) - direction.y;
    let rise = min(CUSHION / max(facing, 0.01), 0.5) * exp(-4000.0 * width * width);
    level = 1.0;
    var step = 0.25;
    var above = step;
    // The bound is not constant, so that drivers do not unroll the loop.
    let steps = select(0, 4, rise > 0.004);
    for (var i = 0; i < steps && step > 0.0; i++) {
        let below = p - (level - step) * rise * direction;
        let gap = level - step - cushion_at(below.xz).x;
        level -= step * select(1.0, above / (above - gap), gap < 0.0);
        step = select(step, 0.0, gap < 0.0);
        above = gap;
    }
    view = vec4f(direction, width);
    return p - level * rise * direction;
}

override fn land::softness() -> vec2f {
    return vec2f(0.10, 0.26);
}

override fn land::sun() -> land::Sun {
    let height = radians(params.moon_height);
    let toward = vec3f(-0.9801 * cos(height), sin(height), -0.1987 * cos(height));
    return land::Sun(toward, 0.05, 3.6 * palette::linear_from_display(params.moonlight));
}

// Direction in which the moon is drawn: lower than that of its light, so that the picture shows it.
fn moon() -> vec3f {
    return normalize(land::sunlight.direction * vec3f(1.0, 0.36, 1.0));
}

override fn land::sky(direction: vec3f) -> vec3f {
    let toward = max(dot(direction, moon()), 0.0);
    let haze = exp(-5.0 * max(direction.y, 0.0));
    let air = mix(vec3f(0.009, 0.020, 0.044), vec3f(0.075, 0.125, 0.17), haze);
    let fourth = toward * toward * toward * toward;
    let glow = 0.3 * pow(fourth, 2.0) + 1.2 * pow(fourth, 12.0);
    return air * (0.13 + 0.60 * toward * toward) + glow * vec3f(0.22, 0.33, 0.44);
}

override fn land::exposure() -> f32 {
    return 0.95;
}

// The sky is brightest around the moon, so round shapes are lighter toward their edges.
override fn land::sky_light(n: vec3f) -> vec3f {
    let sunward = 0.5 + 0.5 * dot(n, land::sunlight.direction);
    return light::hemisphere(n, vec3f(0.10, 0.15, 0.22), vec3f(0.03, 0.05, 0.06))
        + sunward * sunward * vec3f(0.17, 0.24, 0.33);
}

// A layer of distant trees in a direction with the bearing `turn` (in turns) and the y `rise`:
// trunks that widen at their feet, and boughs that fork and end at the border of a cell. x =
// coverage, y = light at the edges, most at the right ones if `moonward` is 1, the left ones if -1.
fn trees(layer: u32, turn: f32, rise: f32, moonward: f32) -> vec2f {
    let count = 46.0 - 10.0 * f32(layer);
    let cell = (turn + 0.52) * count + 0.37 * f32(layer);
    let random = noise::random_of(u32(floor(cell) % count) * 3u + layer);
    let more = fract(61.0 * random);
    let lean = 0.3 * (random.y - 0.5) * rise + 0.006 * sin(24.0 * rise + 6.0 * more.w);
    let unit = frame::TAU / count;
    var p = vec2f(unit * (fract(cell) - 0.3 - 0.4 * random.x) + lean, rise);
    var width = unit * (0.035 + 0.075 * random.z) * (1.0 + 0.7 * exp(-40.0 * max(rise, 0.0)));
    let side = clamp(moonward * p.x / width, -1.0, 1.0);
    var tall = 0.08 + 0.13 * more.x;
    var scale = 1.0;
    var wood = 1.0;
    for (var i = 0u; i < 4u; i++) {
        let h = clamp(p.y / tall, 0.0, 1.0);
        let bow = select(0.5 * more.y - 0.2, 0.0, i == 0u) * h * (1.0 - h) * tall;
        let radius = width * (1.0 - h * select(0.35, 1.0, i == 3u));
        wood = sdf::smooth_union(
            wood, scale * (length(p - vec2f(bow, h * tall)) - radius), 0.010 * scale);
        // The two boughs beyond differ in direction and size, and meet without a seam.
        let left = fract(vec2f(7.3, 11.7) * f32(i + 1u) * more.z);
        let pick = mix(left, fract(left + 0.45), smoothstep(-width, width, p.x));
        let slant = 0.25 + 0.7 * pick.x;
        let growth = 1.25 + 0.35 * pick.y;
        let q = vec2f(abs(p.x), p.y - tall);
        p = growth * inverseSqrt(1.0 + slant * slant) * (q + slant * vec2f(-q.y, q.x));
        scale /= growth;
        width *= 0.6 * growth * select(1.0, smoothstep(0.5, 0.36, abs(fract(cell) - 0.5)), i == 0u);
        tall = 0.09;
    }
    let soft = 0.0009 + 0.0004 * f32(layer);
    return vec2f(
        smoothstep(soft, -soft, wood) * step(0.30, random.w),
        exp(min(wood, 0.0) / 0.0024) * (0.5 + 0.5 * side));
}

// Light on a cobweb around the origin: spokes, a spiral that sags between them, and a thread above
// and one below that hold them. The moon is on its right: threads across that direction shine.
fn web(p: vec2f, pixel: f32) -> f32 {
    let turn = shading::bearing(vec3f(p.x, 0.0, p.y));
    let beside = fract(17.0 * turn + 0.35 * sin(2.0 * frame::TAU * turn) + 0.25) - 0.5;
    let spoke = (0.5 - abs(beside)) * length(p) * frame::TAU / 17.0;
    let ring = length(p) * (1.0 - 0.6 * beside * beside);
    let spiral = abs(fract(120.0 * ring + turn) - 0.5) / 120.0 + 0.1 * max(ring - 0.058, 0.0);
    let inside = 0.062 + 4.0 * p.x * p.x - abs(p.y);
    let width = max(0.0011, 1.6 * pixel);
    let threads = smoothstep(vec3f(width), vec3f(0.0), vec3f(spoke, spiral, abs(inside)))
        * (0.25 + vec3f(p.yx * p.yx / max(dot(p, p), 1e-9), 0.6)) * step(-width, inside);
    let dew = (0.8 + 5.0 * p.x) * (0.7 + 0.5 * sin(420.0 * p.x) * sin(420.0 * p.y));
    return 0.0011 / width * dew * max(threads.x, max(threads.y, threads.z))
        * step(abs(p.x + 0.012), 0.095);
}

override fn land::backdrop(direction: vec3f) -> vec3f {
    let turn = shading::bearing(direction);
    // Shafts of light fan out from the moon.
    let to_moon = moon();
    let beside = vec2f(direction.z * to_moon.x - direction.x * to_moon.z, direction.y - to_moon.y);
    let away = length(beside);
    let ray = shading::bearing(vec3f(beside.y, 0.0, beside.x));
    let fan = noise::value_noise(64.0 * vec2f(ray), 63u, 3u).x
        + noise::value_noise(16.0 * vec2f(ray), 15u, 4u).x;
    let shafts = exp(-5.0 * away) * smoothstep(0.03, 0.15, away) * fan;
    let air = land::sky(direction) * (1.0 + 0.5 * shafts);
    let maria = 1.0 - 0.3 * smoothstep(-0.3, 0.7, noise::value_noise(40.0 * beside, 63u, 5u).x);
    var color = air + maria * vec3f(1.05, 1.12, 1.15)
        * shading::disc(direction, to_moon, 0.0014, 0.0016);
    // From the farthest layer to the nearest; fog lies between them and hides their feet.
    let clear = smoothstep(-0.01, 0.11, direction.y);
    // Between two of the nearest trunks.
    let threads = web(vec2f(frame::TAU * (turn - 0.4469), direction.y - 0.088),
        frame::pixel_size() / walker::current_camera().focal_length);
    for (var layer = 0u; layer < 3u; layer++) {
        color += select(0.0, 1.3 * threads, layer == 2u) * air;
        let near = (0.40 + 0.26 * f32(layer)) * clear;
        let tree = trees(layer, turn, direction.y, clamp(-8.0 * beside.x, -1.0, 1.0));
        let bark = vec3f(0.006, 0.010, 0.016) + (0.08 + 1.0 * tree.y) * air;
        color = mix(color, mix(air, bark, near), tree.x);
    }
    return color;
}

override fn land::optics(animal_distance: f32) -> depth_of_field::Optics {
    return depth_of_field::Optics(params.aperture, animal_distance + params.focus);
}

// Fog above the ground, bright toward the moon.
override fn land::haze(color: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let level = normalize(vec3f(direction.x, max(direction.y, 0.02), direction.z));
    // The air is clear as far as the spider.
    let fog = light::height_fog(
        walker::current_camera().position.y + 0.5, direction.y, max(distance - 2.2, 0.0),
        0.19 * params.fog, 0.75);
    return mix(color, land::sky(level), fog);
}

// Fireflies move in circles around the point that the camera looks at; the first one is the
// lure. xyz = position in world space, w = brightness, up to 1. After them, the lag of the
// abdomen, then the body in the next frame.
override fn walker::scene_value(index: u32, time: f32) -> vec4f {
    if index > FIREFLIES {
        return next_body(index - FIREFLIES - 1u);
    }
    if index == FIREFLIES {
        return state[ABDOMEN];
    }
    let n = f32(index);
    let w = frame::TAU / LOOP_SECONDS * time;
    let pulse = 0.5 + 0.5 * sin((9.0 + 2.0 * n) * w + 2.1 * n);
    let ring = 2.1 + 0.55 * n;
    let angle = 0.7 + 2.39996 * n;
    let turn = f32(2u + index % 3u) * w + 2.4 * n;
    let middle = vec3f(ring * cos(angle), 0.75 + 0.16 * n, ring * sin(angle));
    let circle = 0.7 * vec3f(sin(turn), 0.35 * sin(2.0 * turn + n), cos(turn + n));
    let flutter = vec3f(0.26 * sin(5.0 * w), 0.28 + 0.07 * sin(11.0 * w), 0.32 * cos(7.0 * w));
    let offset = select(middle + circle, flutter, index == 0u);
    let centre = select(state[LOOK].xyz, state[LURE].xyz, index == 0u);
    let least = select(0.25, 0.6, index == 0u);
    return vec4f(centre + offset, params.fireflies * mix(least, 1.0, pulse * pulse));
}

// Number of fireflies that shine.
fn lit_fireflies() -> u32 {
    return select(0u, FIREFLIES, params.fireflies > 0.0);
}

// Light of the fireflies, and eyeshine: retroreflection at normal incidence.
override fn land::lamps(p: vec3f, surface: light::Surface, direction: vec3f) -> vec3f {
    var sum = vec2f(0.0);
    for (var i = 0u; i < lit_fireflies(); i++) {
        let fly = walker::read_scene_value(i);
        sum += fly.w * light::lamp(fly.xyz - p, surface, direction);
    }
    let facing = clamp(dot(surface.normal, -direction), 0.0, 1.0);
    let rim = surface.sheen * shading::fresnel(facing, 0.0);
    let is_eye = step(EYE_MIRROR, surface.f0_color.x);
    let eyeshine = is_eye * pow(facing, 20.0);
    // Lamps beside the animal would be a row of dots.
    let inside = mix(1.0, smoothstep(0.45, 0.85, facing), is_eye);
    // Eyes mirror a small gap in the trees ahead of the spider.
    let mirrored = dot(reflect(direction, surface.normal), vec3f(0.70, 0.62, 0.35));
    let window = is_eye * smoothstep(0.965, 0.985, mirrored);
    // A fly is no point: its light is limited where it is near.
    let lit = sum.x / (1.0 + 0.7 * sum.x);
    let moss = step(surface.f0_color.x, 1e-5);
    return (2.6 + 2.0 * moss) * surface.albedo * (1.0 + rim) * GLOW * lit
        + 5.0 * inside * surface.f0_color * (GLOW + vec3f(0.3)) * sum.y
        + eyeshine * mix(vec3f(0.0, 0.42, 0.55), vec3f(0.30, 1.0, 0.60), eyeshine)
        + window * vec3f(0.8, 0.9, 1.0);
}

override fn land::airborne(color: vec3f, direction: vec3f, distance: f32, pixel: f32) -> vec3f {
    var sum = vec2f(0.0);
    for (var i = 0u; i < lit_fireflies(); i++) {
        let fly = walker::read_scene_value(i) - vec4f(walker::current_camera().position, 0.0);
        sum += fly.w * light::lamp_in_air(fly.xyz, direction, distance, 0.014, pixel);
    }
    return color + 8.0 * (GLOW + vec3f(0.2)) * sum.x + 0.006 * GLOW * sum.y;
}

fn per_frame(index: u32) -> vec4f {
    state = array<vec4f, FEET>(
        texel(BODY), texel(MOTION), texel(GOAL), texel(POSTURE),
        texel(POSTURE_RATE), texel(ABDOMEN), texel(LOOK), texel(LURE));
    // Pictures of fewer pixels than the walk has texels never begin it.
    if texel(LAST).w != 1.0 {
        state[BODY] = START;
    }
    return walker::per_frame(index);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    return land::main_image(frag_coord);
}
