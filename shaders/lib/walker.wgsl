#define_import_path tarsus::walker

#import tarsus::bounds
#import tarsus::brute_force
#import tarsus::camera
#import tarsus::frame
#import tarsus::ik
#import tarsus::limb
#import tarsus::parts
#import tarsus::raymarch
#import tarsus::rays
#import tarsus::sdf
#import tarsus::terrain
#import tarsus::walk

// Walking animal with an even number of legs, two or more. A scene sets the number with
// `#define LEGS 6` and overrides what it needs: `plan` (a leg) and `trunk` (the rest of the
// body) make an animal; gait, speed and the height of the ground are overridden in `walk`.
// The scene's `per_frame` returns `walker::per_frame(index)`, which solves the legs (`ik`)
// once per frame. `land` draws animal and ground; or the scene draws them itself, with
// `current_camera`, `body` and `leg_of` of this module and with `rays`.
//
// Limbs are numbered from front to back, those on the left first: leg 0 is the left front
// leg, leg LEGS / 2 the right front leg. After the legs come the EXTRA_LIMBS that a scene
// may define: palps, arms or a trunk, which are drawn like legs but do not walk.
//
// World space has x ahead, y up, z right. Body space has the same axes, rotated with the
// body, and its origin in the body's middle. Lengths are in world units.

#ifndef LEGS
#define LEGS 6
#endif
#ifndef EXTRA_LIMBS
#define EXTRA_LIMBS 0
#endif

/// Number of legs, and of legs per side.
const LEGS: u32 = #{LEGS}u;
const ROWS: u32 = LEGS / 2u;
/// Number of limbs, including those that do not walk.
const LIMBS: u32 = LEGS + #{EXTRA_LIMBS}u;
const_assert parts::COUNT == LIMBS;

// ---- Description of the animal ----------------------------------------------------

/// Leg of the right side, in body space; mirrored on the left.
struct Plan {
    hip: vec3f,
    /// Mean position of the foot on the ground, relative to the body's middle: x ahead, y
    /// right.
    foot: vec2f,
    /// Lengths of coxa, femur, tibia and tarsus.
    lengths: ik::LegLengths,
    /// Direction in which the knee bends, of any length. 0: up and outward, like an
    /// insect's.
    pole: vec3f,
    /// Direction from ankle to foot while the foot stands, of any length.
    tarsus: vec3f,
}

/// Right leg of a row, counted from 0 at the front.
virtual fn plan(row: u32) -> Plan {
    let along = 1.0 - 2.0 * f32(row) / max(f32(ROWS) - 1.0, 1.0);
    return Plan(
        vec3f(0.32 * along, -0.08, 0.22),
        vec2f(1.2 * along, 1.45 - 0.4 * abs(along)),
        ik::LegLengths(0.18, 1.0, 1.15, 0.24),
        vec3f(0.0),
        vec3f(0.0, -1.0, 0.45),
    );
}

/// Radii of a limb. Its shadow follows from them, whatever `leg_distance` returns.
virtual fn radii(index: u32) -> limb::Radii {
    return limb::Radii(0.08, 0.06, 0.045, 0.028, 0.012, 0.10);
}

/// Distance from p (body space) to everything but the legs, and the id of the surface
/// there. Bound. The default is a beetle's: 0 is its shell, 1 are its eyes.
virtual fn trunk(p: vec3f) -> raymarch::Sample {
    let abdomen = sdf::ellipsoid(p - vec3f(-0.30, 0.04, 0.0), vec3f(0.62, 0.30, 0.34));
    let head = sdf::ellipsoid(p - vec3f(0.50, 0.06, 0.0), vec3f(0.26, 0.20, 0.21));
    let eye = sdf::sphere(vec3f(p.xy, abs(p.z)) - vec3f(0.60, 0.15, 0.13), 0.075);
    return raymarch::nearest(
        raymarch::Sample(sdf::smooth_union(abdomen, head, 0.18), 0u), raymarch::Sample(eye, 1u));
}

/// A capsule that contains the trunk, in body space.
struct Capsule {
    a: vec3f,
    b: vec3f,
    radius: f32,
}

/// Capsule around `trunk`.
virtual fn trunk_bound() -> Capsule {
    return Capsule(vec3f(-0.56, 0.04, 0.0), vec3f(0.44, 0.06, 0.0), 0.4);
}

/// Span that contains every point of a ray within `margin` of the trunk; anything outside
/// is cut off. `direction` is a unit vector. A tighter span renders faster.
virtual fn trunk_span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let around = trunk_bound();
    return bounds::capsule_span(origin, direction, around.a, around.b, around.radius + margin);
}

/// A solved limb, in body space.
struct Limb {
    /// Number of the limb.
    index: u32,
    bones: ik::Leg,
    /// Radius of a capsule from hip to knee that contains coxa and femur.
    upper_radius: f32,
    /// As in `walk::FootState`, but `swing` is 1 while the foot stands.
    swing: f32,
    load: f32,
    /// Seconds since touch-down.
    age: f32,
}

/// Called once for each ray and leg before `leg_distance`, to compute values that are the
/// same at all points and store them in variables of the scene.
virtual fn prepare_leg(leg: Limb) {}

/// Distance from p (body space) to a leg. Bound.
virtual fn leg_distance(p: vec3f, leg: Limb) -> f32 {
    return limb::leg_distance(p, leg.bones, radii(leg.index));
}

/// Width of the fillet that joins the legs to the trunk; 0 for a crease. Only the shading is
/// rounded: give the root of a leg a flare (`radii`) to round its outline as well.
virtual fn hip_fillet() -> f32 {
    return 0.12;
}

/// Distance from p (body space) to the part of the trunk that the legs are joined to, for the
/// shading of the fillet. A single solid takes drivers less time to compile than `trunk`.
virtual fn trunk_at_hips(p: vec3f) -> f32 {
    return trunk(p).distance;
}

/// Bones of limb LEGS + `index` at `time`, in body space.
virtual fn extra_limb(index: u32, time: f32) -> ik::Leg {
    return ik::Leg(vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), true);
}

/// Target of a leg's foot, in world space: `stepped`, its place in the walk, or another.
virtual fn foot_target(leg: u32, stepped: vec3f, body: walk::Body, time: f32) -> vec3f {
    return stepped;
}

/// Direction from ankle to foot of a leg whose foot is at `foot` (body space): `usual`, or
/// another; of any length but 0.
virtual fn foot_direction(leg: u32, foot: vec3f, usual: vec3f) -> vec3f {
    return usual;
}

/// Radii of a volume that contains a limb: larger than `radii` if it has toes or the like.
virtual fn bounding_radii(index: u32) -> limb::Radii {
    return radii(index);
}

/// Maximum reach of spines or hair beyond `bounding_radii`: x for coxa and femur, y for the
/// tibia, z for the tarsus.
virtual fn leg_margins() -> vec3f {
    return vec3f(0.0);
}

/// Height of the body's middle above the plane of its feet.
virtual fn clearance() -> f32 {
    return 0.86;
}

/// Final pose of the body: `body`, which already shifts and leans over the feet that stand,
/// or a version with a nod, a lean or a jump.
virtual fn pose(body: walk::Body, time: f32) -> walk::Body {
    return body;
}

/// Response of the body to the ground and to its feet.
struct BodyFollow {
    /// Tilt as a fraction of the slope of the ground: 0 is level, 1 parallel.
    tilt: f32,
    /// Shift of the body toward the feet that carry it, as a fraction of their distance.
    shift: f32,
    /// Lean toward them, in radians per unit of that distance.
    lean: f32,
}

/// Response of the body to the ground and to its feet.
virtual fn body_follow() -> BodyFollow {
    return BodyFollow(0.75, 0.06, 0.10);
}

/// Springs between the body and its feet.
struct Suspension {
    /// Depth by which the body sinks while half of its feet carry it in the middle of their
    /// stance.
    sink: f32,
    /// Scale of the dip after footfalls: the amplitude, without damping, if half of the feet
    /// land at once.
    dip: f32,
    /// Natural frequency in Hz, and damping ratio, below 1.
    frequency: f32,
    damping: f32,
}

/// Springs between the body and its feet.
virtual fn suspension() -> Suspension {
    return Suspension(0.022, 0.03, 2.6, 0.28);
}

/// Value `index`, from 0, of the scene's own per-frame values, which `read_scene_value`
/// reads. There is room for PER_FRAME_VALUES - 10 - 5 LIMBS of them: 70 - 5 LIMBS with up to
/// 10 limbs, if the scene does not define PER_FRAME_VALUES.
virtual fn scene_value(index: u32, time: f32) -> vec4f {
    return vec4f(0.0);
}

/// Seconds by which scene value `index` lags behind the footfalls, for `delayed_response`: a head
/// or tail that follows with a delay shows its own weight.
virtual fn response_delay(index: u32) -> f32 {
    return 0.0;
}

/// Value `index`, below RENDERER_VALUES, of the module that draws the image, which
/// `read_renderer_value` reads.
virtual fn renderer_value(index: u32) -> vec4f {
    return vec4f(0.0);
}

/// View of the animal at `time`; `height` is above the plane of the feet. The user's orbit
/// is added.
virtual fn view(time: f32) -> camera::View {
    let turn = frame::TAU / walk::period() * time;
    let pitch = 0.10 + 0.035 * sin(2.0 * turn + 1.0);
    return camera::View(0.86 + 0.42 * sin(turn), pitch, 6.0, 0.86, 0.262);
}

// ---- Once per frame ---------------------------------------------------------------

// Layout of the per-frame values: five per limb, then body, camera, the scene's own and, at
// the end, those of the module that draws the image. tarsus reads the two numbers to make room
// for the values: WALKER_OTHER_VALUES counts body, camera, renderer and one value of the scene.
#define WALKER_LIMB_VALUES 5
#define WALKER_OTHER_VALUES 11
const LIMB_VALUES: u32 = #{WALKER_LIMB_VALUES}u;
const BODY: u32 = LIMBS * LIMB_VALUES;
const CAMERA: u32 = BODY + 3u;
const SCENE_VALUES: u32 = CAMERA + 3u;
const RENDERER_VALUES: u32 = 4u;
const RENDERER: u32 = #{PER_FRAME_VALUES}u - RENDERER_VALUES;

fn side_of(leg: u32) -> f32 {
    return select(-1.0, 1.0, leg >= ROWS);
}

fn row_of(leg: u32) -> u32 {
    return select(leg, leg - ROWS, leg >= ROWS);
}

/// Foot of a leg at `time`. The default follows the walk (`walk::foot_at`); a scene that
/// stores its feet returns those.
virtual fn foot_at(leg: u32, time: f32) -> walk::FootState {
    let side = side_of(leg);
    let neutral = plan(row_of(leg)).foot * vec2f(1.0, side);
    return walk::foot_at(row_of(leg), side, neutral, time);
}

/// Body placed over its feet by `body_over_feet`, before it shifts, leans and is posed. The
/// camera follows it.
var<private> unposed_body: walk::Body;
/// Camera of `per_frame`, set before `pose` is called, and the posed body, set before
/// `scene_value` is called.
var<private> frame_camera: camera::Camera;
var<private> posed_body: walk::Body;
/// Response of the suspension (`response_to`) `response_delay` seconds ago. Valid in
/// `scene_value`.
var<private> delayed_response: vec3f;
// That delay, set before `body_over_feet` is called.
var<private> delay: f32;

// Feet of the legs as set by `body_over_feet`: xyz = position in world space, w =
// `walk::FootState.roll`; the seconds since their last footfalls; and the state of the requested
// foot.
var<private> feet: array<vec4f, LEGS>;
var<private> footfall_ages: array<f32, LEGS>;
var<private> requested_foot: walk::FootState;

/// Step of a leg, `before` steps before its current one, as `walk::past_step`.
fn past_step(leg: u32, before: u32, time: f32) -> vec4f {
    let neutral = plan(row_of(leg)).foot * vec2f(1.0, side_of(leg));
    return walk::past_step(row_of(leg), side_of(leg), neutral, f32(before), time);
}

/// Body at `time`.
fn body_at(time: f32) -> walk::Body {
    return pose(body_over_feet(time, 0u), time);
}

/// Ringing of the suspension after footfalls.
struct Ringing {
    /// Sums over the legs: y = ringing, xz = ringing times the leg's neutral position.
    sum: vec3f,
    /// Sum of the squared neutral positions.
    spread: vec2f,
}

/// Adds the last footfall of a foot with a neutral position, `delay` seconds ago. Each is an
/// impulse on a damped oscillator, in closed form.
fn add_footfall(
    ringing: Ringing,
    foot: walk::FootState,
    neutral: vec2f,
    delay: f32,
) -> Ringing {
    let spring = suspension();
    let turn = frame::TAU * spring.frequency;
    let age = max(foot.age - delay, 0.0);
    // Faded out before the next impulse, where steps are faster than the damping.
    let height = smoothstep(0.0, 0.16, foot.until) * exp(-spring.damping * turn * age)
        * sin(turn * sqrt(1.0 - spring.damping * spring.damping) * age);
    return Ringing(
        ringing.sum + height * vec3f(neutral.x, 1.0, neutral.y),
        ringing.spread + neutral * neutral,
    );
}

/// Response of the suspension to footfalls: y = height, xz = offset of the body's up vector.
fn response_to(ringing: Ringing) -> vec3f {
    let scale = 2.0 * suspension().dip / f32(LEGS);
    // The dip is deepest above the foot that landed.
    let slope = 0.5 * scale * f32(LEGS) * ringing.sum.xz / max(ringing.spread, vec2f(0.1));
    return vec3f(slope.x, -scale * ringing.sum.y, slope.y);
}

// Seconds by which the body leans into a start or a stop before it happens.
const ANTICIPATION: f32 = 0.12;

// Acceleration of the walk at `time`, in world units per second squared.
fn acceleration(time: f32) -> f32 {
    let span = 0.15;
    var sum = 0.0;
    for (var i = 0; i < 3; i++) {
        let weight = select(1.0, -2.0, i == 1);
        sum += weight * walk::cycles_at(time + span * f32(i - 1));
    }
    return sum * walk::stride_length() / (span * span);
}

// Body above the plane of its feet, shifted toward those that carry it, and moved by its
// suspension. Sets `unposed_body`, `feet`, `footfall_ages` and, for the leg `requested_leg`,
// `requested_foot`.
fn body_over_feet(time: f32, requested_leg: u32) -> walk::Body {
    var support = walk::no_support();
    var centre = vec2f(0.0);
    var loaded = vec3f(0.0);
    var ringing = Ringing();
    var delayed = Ringing();
    for (var leg = 0u; leg < LEGS; leg++) {
        let foot = foot_at(leg, time);
        let neutral = plan(row_of(leg)).foot * vec2f(1.0, side_of(leg));
        support = walk::add_foot(support, neutral, foot.ground);
        centre += neutral / f32(LEGS);
        loaded += foot.press * vec3f(neutral, 1.0);
        feet[leg] = vec4f(foot.position, foot.roll);
        footfall_ages[leg] = foot.age;
        ringing = add_footfall(ringing, foot, neutral, 0.0);
        delayed = add_footfall(delayed, foot, neutral, delay);
        if leg == requested_leg {
            requested_foot = foot;
        }
    }
    let place = walk::place(walk::cycles_at(time));
    let response = body_follow();
    let toward = loaded.xy / max(loaded.z, 0.5) - centre * min(2.0 * loaded.z, 1.0);
    let body = walk::body_at(support, centre, place, clearance(), response.tilt);
    unposed_body = body;
    let shaken = response_to(ringing);
    delayed_response = response_to(delayed);
    let start = clamp(acceleration(time + ANTICIPATION), -2.0, 2.0);
    let sunk = suspension().sink * (0.5 - 2.0 * loaded.z / f32(LEGS)) + shaken.y;
    let to_side = response.shift * vec3f(toward.x, 0.0, toward.y) + vec3f(0.02 * start, sunk, 0.0);
    let away = vec3f(shaken.x + 0.015 * start, 0.0, shaken.z);
    let up = vec3f(0.0, 1.0, 0.0) - response.lean * vec3f(toward.x, 0.0, toward.y) + away;
    return walk::lean(body, to_side, up);
}

// Fraction of a leg's reach from which its target is eased (`ik::soft_reach`), so that the
// knee never snaps straight. Legs that walk stay below it.
const SOFT_REACH: f32 = 0.98;

/// Bones of a leg whose foot is at `foot` (body space); `roll` as in `walk::FootState`.
fn solve(leg: u32, foot: vec3f, roll: f32) -> ik::Leg {
    let mirror = vec3f(1.0, 1.0, side_of(leg));
    let right = plan(row_of(leg));
    let hip = right.hip * mirror;
    let usual = (normalize(right.tarsus) - vec3f(roll, 0.0, 0.0)) * mirror;
    let tarsus = normalize(foot_direction(leg, foot, usual));
    let has_pole = dot(right.pole, right.pole) > 0.0;
    let coxa = select(right.lengths.coxa, 0.0, has_pole);
    let outward = normalize(vec3f(right.foot.x - hip.x, 0.0, right.foot.y * mirror.z - hip.z));
    let up = vec3f(0.0, 1.0, 0.0);
    let ankle = foot - right.lengths.tarsus * tarsus - hip;
    let root = coxa * ik::level_direction(ankle, up, outward);
    let reach = right.lengths.femur + right.lengths.tibia;
    let to_ankle = ankle - root;
    let away = length(to_ankle);
    let eased = ik::soft_reach(away, SOFT_REACH * reach, 0.999 * reach);
    let goal = foot - (1.0 - eased / max(away, 1e-6)) * to_ankle;
    var bones = ik::Leg();
    if has_pole {
        bones = limb::solve_leg_toward_pole(goal, hip, right.pole * mirror, tarsus, right.lengths);
    } else {
        bones = ik::solve_leg(goal, hip, up, outward, tarsus, right.lengths);
    }
    bones.reached = bones.reached && away <= SOFT_REACH * reach;
    return bones;
}

/// Camera at `time`, for the body before it is posed. The default follows `view`.
virtual fn camera_at(time: f32, body: walk::Body) -> camera::Camera {
    var framing = view(time);
    framing.tan_half_fov *= frame::narrow_view_factor(1.0);
    let base = body.position - clearance() * body.world_from_body[1];
    let middle = vec3f(body.position.x, base.y + framing.height, body.position.z);
    let orbiting = camera::orbit_view(middle, framing, frame::frame.orbit);
    var position = orbiting.position;
    position.y = max(position.y, walk::ground(position.xz) + 0.25);
    let tan_half_fov = 1.0 / orbiting.focal_length;
    return camera::look_at(position, middle, vec3f(0.0, 1.0, 0.0), tan_half_fov);
}

// Largest distance of a limb's surface from the body's origin. `upper_radius` as in `Limb`.
fn bounding_reach(bones: ik::Leg, upper_radius: f32, radii: limb::Radii) -> f32 {
    let margins = leg_margins();
    let knee = length(bones.knee);
    let upper = max(max(length(bones.hip), length(bones.trochanter)), knee);
    let lower = max(knee, max(length(bones.ankle), length(bones.foot)));
    return max(
        upper + upper_radius + margins.x,
        lower + max(radii.knee, max(radii.ankle, radii.foot)) + max(margins.y, margins.z),
    );
}

/// Values that are the same for all pixels; to be returned by a scene's `per_frame`.
fn per_frame(index: u32) -> vec4f {
    let time = frame::loop_time(walk::period());
    let last = index / LIMB_VALUES;
    delay = response_delay(index - SCENE_VALUES);
    let leaning = body_over_feet(time, last);
    frame_camera = camera_at(time, unposed_body);
    let body = pose(leaning, time);
    posed_body = body;
    // A limb's value needs that limb only; the other values need all limbs, for `extent`.
    let around = trunk_bound();
    var extent = max(length(around.a), length(around.b)) + around.radius;
    var bones: ik::Leg;
    var upper_radius = 0.0;
    for (var i = 0u; i < select(LIMBS, 1u, index < BODY); i++) {
        let leg = select(i, last, index < BODY);
        if leg < LEGS {
            let foot = feet[leg];
            let target_point = walk::to_body(body, foot_target(leg, foot.xyz, body, time));
            bones = solve(leg, target_point, foot.w);
        } else {
            bones = extra_limb(leg - LEGS, time);
        }
        let thick = bounding_radii(leg);
        upper_radius = limb::upper_radius(bones, thick);
        extent = max(extent, bounding_reach(bones, upper_radius, thick));
    }
    if index < BODY {
        switch index % LIMB_VALUES {
            case 0u: { return vec4f(bones.hip, upper_radius); }
            case 1u: {
                let swing = select(requested_foot.swing, 1.0, requested_foot.stance);
                return vec4f(bones.trochanter, swing);
            }
            case 2u: { return vec4f(bones.knee, requested_foot.load); }
            case 3u: { return vec4f(bones.ankle, requested_foot.age); }
            default: { return vec4f(bones.foot, f32(bones.reached)); }
        }
    }
    if index >= RENDERER {
        return renderer_value(index - RENDERER);
    }
    if index >= SCENE_VALUES {
        return scene_value(index - SCENE_VALUES, time);
    }
    let view_camera = frame_camera;
    switch index - BODY {
        case 0u: { return vec4f(body.position, time); }
        case 1u: { return vec4f(body.world_from_body[0], extent); }
        case 2u: {
            let away = distance(view_camera.position, body.position);
            return vec4f(body.world_from_body[1], away / view_camera.focal_length);
        }
        case 3u: { return vec4f(view_camera.position, view_camera.focal_length); }
        case 4u: { return vec4f(view_camera.world_from_view[0], 0.0); }
        default: { return vec4f(view_camera.world_from_view[1], 0.0); }
    }
}

// ---- Values of the current frame --------------------------------------------------

/// A limb in the current frame. `leg` may differ from pixel to pixel. A scene with few limbs
/// can keep the results of `read_limb` in variables and return those, which is faster.
virtual fn leg_of(leg: u32) -> Limb {
    return read_limb(leg);
}

/// A limb in the current frame, from its five per-frame values.
fn read_limb(leg: u32) -> Limb {
    let at = leg * LIMB_VALUES;
    let hip = frame::per_frame_value(at);
    let trochanter = frame::per_frame_value(at + 1u);
    let knee = frame::per_frame_value(at + 2u);
    let ankle = frame::per_frame_value(at + 3u);
    let foot = frame::per_frame_value(at + 4u);
    let bones = ik::Leg(hip.xyz, trochanter.xyz, knee.xyz, ankle.xyz, foot.xyz, foot.w > 0.5);
    return Limb(leg, bones, hip.w, trochanter.w, knee.w, ankle.w);
}

/// Foot of a limb in the current frame, in body space. Reads one value instead of five.
fn foot_of(leg: u32) -> vec3f {
    return frame::per_frame_value(leg * LIMB_VALUES + 4u).xyz;
}

/// Body in the current frame.
fn body() -> walk::Body {
    let ahead = frame::per_frame_value(BODY + 1u).xyz;
    let up = frame::per_frame_value(BODY + 2u).xyz;
    return walk::Body(frame::per_frame_value(BODY).xyz, mat3x3f(ahead, up, cross(ahead, up)));
}

/// Seconds since the start of the loop.
fn now() -> f32 {
    return frame::per_frame_value(BODY).w;
}

/// Camera of the current frame.
fn current_camera() -> camera::Camera {
    let position = frame::per_frame_value(CAMERA);
    let right = frame::per_frame_value(CAMERA + 1u).xyz;
    let up = frame::per_frame_value(CAMERA + 2u).xyz;
    return camera::Camera(position.xyz, mat3x3f(right, up, cross(right, up)), position.w);
}

/// Width of a pixel at the animal.
fn pixel() -> f32 {
    return frame::pixel_size() * frame::per_frame_value(BODY + 2u).w;
}

/// Value `index` of the scene's `scene_value`.
fn read_scene_value(index: u32) -> vec4f {
    return frame::per_frame_value(SCENE_VALUES + index);
}

/// Value `index` of `renderer_value`, of the module that draws the image.
fn read_renderer_value(index: u32) -> vec4f {
    return frame::per_frame_value(RENDERER + index);
}

// ---- Rays against the animal -----------------------------------------------------

/// Current limb (`parts::set_current_part`, `set_current_limb`).
var<private> current: Limb;

override fn parts::set_current_part(part: u32) {
    current = leg_of(part);
    prepare_leg(current);
}

override fn parts::map(p: vec3f) -> f32 {
    return leg_distance(p, current);
}

override fn parts::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return limb::leg_span(
        origin,
        direction,
        current.bones,
        bounding_radii(current.index),
        current.upper_radius,
        margin + leg_margins(),
    );
}

override fn raymarch::map(p: vec3f) -> f32 {
    return trunk(p).distance;
}

override fn raymarch::sample(p: vec3f) -> raymarch::Sample {
    return trunk(p);
}

// Distance from p (body space) to the capsule around the trunk.
fn trunk_bound_distance(p: vec3f) -> f32 {
    let around = trunk_bound();
    return sdf::capsule(p, around.a, around.b, around.radius);
}

override fn rays::trunk_bound(p: vec3f) -> f32 {
    return trunk_bound_distance(p);
}

/// Radius of a sphere around the body's origin that contains the animal.
fn extent() -> f32 {
    return frame::per_frame_value(BODY + 1u).w;
}

override fn rays::candidates(origin: vec3f, direction: vec3f, margin: f32) -> rays::Candidates {
    let all = bounds::sphere_span(origin, direction, vec3f(0.0), extent() + margin);
    var trunk = bounds::EMPTY;
    var limbs = 0u;
    let is_near = bounds::is_hit(all);
    if is_near {
        trunk = trunk_span(origin, direction, margin);
    }
    if is_near {
        for (var leg = 0u; leg < LIMBS; leg++) {
            let tested = leg_of(leg);
            let touched = limb::leg_touches(
                origin, direction, tested.bones, bounding_radii(leg), tested.upper_radius,
                margin + leg_margins());
            limbs |= select(0u, parts::bit_of(leg), touched);
        }
    }
    return rays::Candidates(bounds::Span(max(trunk.t_near, 0.0), trunk.t_far), limbs);
}

// Limbs cast their shadows in closed form, so they need no candidates.
override fn rays::shadow_candidates(
    origin: vec3f,
    direction: vec3f,
    margin: f32,
) -> rays::Candidates {
    let trunk = trunk_span(origin, direction, margin);
    return rays::Candidates(bounds::Span(max(trunk.t_near, 0.0), trunk.t_far), 0u);
}

// Closed form from the bones and `radii`: it costs a small fraction of marching, which may
// also step over thin limbs.
override fn rays::limbs_shadow_clearance(
    p: vec3f,
    to_light: vec3f,
    limbs: u32,
    t_far: f32,
    angle: f32,
    margin: f32,
) -> f32 {
    var clearance = 1.0;
    let all = bounds::sphere_span(p, to_light, vec3f(0.0), extent() + margin);
    if bounds::is_hit(all) {
        for (var i = 0u; i < LIMBS; i++) {
            clearance = min(clearance, limb::leg_shadow_clearance(
                p, to_light, leg_of(i).bones, radii(i), t_far, angle));
        }
    }
    return clearance;
}

override fn rays::intersect_ground(origin: vec3f, direction: vec3f, end: f32) -> f32 {
    return terrain::trace(origin, direction, end);
}

override fn rays::ground_shadow_clearance(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    let from_camera = distance(p, current_camera().position);
    return terrain::shadow_clearance(p, from_camera, to_light, angle);
}

// Weight of the fillet at p for a leg: 1 at the hip, 0 beyond the leg's root, where it may
// pass near the trunk without being joined to it.
fn hip_weight(p: vec3f, bones: ik::Leg) -> f32 {
    let root = distance(bones.hip, bones.trochanter) + 0.5 * distance(bones.trochanter, bones.knee);
    return 1.0 - smoothstep(0.3, 0.6, distance(p, bones.hip) / root);
}

/// Makes the limb that was hit at p (body space) the current one; on the trunk, the leg whose
/// hip is nearest.
fn set_current_limb(p: vec3f, found: rays::BodyHit) {
    var nearest = select(0u, ROWS, p.z > 0.0);
    let first = nearest;
    var gap = 1e3;
    let on_trunk = !found.on_limb && found.hit.coverage > 0.0;
    if on_trunk {
        for (var row = 0u; row < ROWS; row++) {
            let away = vec3f(p.xy, abs(p.z)) - plan(row).hip;
            nearest = select(nearest, first + row, dot(away, away) < gap);
            gap = min(gap, dot(away, away));
        }
    }
    parts::set_current_part(select(nearest, found.part, found.on_limb));
}

/// Unit normal at p (body space), a point of the current leg or of the trunk near it with
/// the unit normal `normal`, where `hip_fillet` is above 0: blended across the crease where
/// they meet, as the gradient of a smooth union is.
fn hip_normal(p: vec3f, normal: vec3f, on_leg: bool) -> vec3f {
    let k = hip_fillet();
    let bones = current.bones;
    let weight = select(0.0, hip_weight(p, bones), current.index < LEGS);
    // On the trunk: the leg, in closed form.
    let thick = radii(current.index);
    let coxa = sdf::from_segment(p, bones.hip, bones.trochanter);
    let femur = sdf::from_segment(p, bones.trochanter, bones.knee);
    let to_femur = length(femur.xyz) - limb::femur_radius(femur.w, thick);
    let to_coxa = length(coxa.xyz) - mix(thick.coxa, thick.femur, coxa.w);
    var gap = select(min(to_coxa, to_femur), 0.0, on_leg);
    var other = select(select(femur.xyz, coxa.xyz, to_coxa < to_femur), vec3f(0.0), on_leg);
    // On a leg: the trunk, from four samples.
    let is_joined = on_leg && weight > 0.0 && trunk_bound_distance(p) < k;
    rays::is_secondary_ray = true;
    if is_joined {
        for (var i = 0u; i < 4u; i++) {
            let corner = raymarch::corner(i);
            let sampled = trunk_at_hips(p + 0.1 * k * corner);
            gap += 0.25 * sampled;
            other += sampled * corner;
        }
    }
    rays::is_secondary_ray = false;
    let blend = 0.5 * weight * clamp(1.0 - abs(gap) / k, 0.0, 1.0);
    let toward = other * inverseSqrt(max(dot(other, other), 1e-12));
    return normalize(mix(normal, toward, blend));
}

#ifdef REFERENCE

override fn rays::limb_count() -> u32 {
    return LIMBS;
}

override fn rays::limbs_distance(p: vec3f) -> f32 {
    var nearest = 1e3;
    for (var leg = 0u; leg < LIMBS; leg++) {
        parts::set_current_part(leg);
        nearest = min(nearest, leg_distance(p, current));
    }
    return nearest;
}

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return terrain::BOUND * (p.y - terrain::height_from(p.xz, distance));
}

#endif
