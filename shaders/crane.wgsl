// The crane: a tall bird wades past the setting sun, its ankles bent backward.
//
// The visible leg of a bird begins at the knee, which the plumage hides. In `ik::Leg`,
// `hip` is therefore the knee, `knee` the ankle (intertarsal joint), `ankle` the root of
// the toes and `foot` the tip of the middle toe. The femur, in the drumstick, is part of
// the trunk.

#define LEGS 2

#import tarsus::{bounds, camera, depth_of_field, frame, ik, land, light, limb, noise, palette}
#import tarsus::{pointer, pool, raymarch, rays, sdf, terrain, walk, walker, water}
#import tarsus::crane::{dusk, scales}

struct Params {
    /// Speed {wade, walk} = wade
    speed: u32,
    /// Length of a stride [1.2, 1.8] = 1.6
    stride: f32,
    /// Duty: fraction of a step on the ground [0.55, 0.75] = 0.64
    duty: f32,
    /// Height of the body [1.8, 2.1] = 2.05
    height: f32,
    /// Bend of the legs [0.98, 1.1] = 1
    bend: f32,
    /// Pauses [0, 1] = 0.4
    pauses: f32,
    /// Bob of the head [0, 1] = 0.42
    bob: f32,
    /// Depth of the water [0, 0.5] = 0.11
    level: f32,
    /// Height of the sun in degrees [1, 12] = 4.3
    sun_height: f32,
    /// Bearing of the sun in degrees [-180, 180] = -92.4
    sun_bearing: f32,
    /// Colour of the sun = #ffbc87
    sun_color: vec3f,
    /// Fog [0, 3] = 1
    fog: f32,
    /// Plumage = #dddada
    plumage: vec3f,
    /// Crown = #c2271f
    crown: vec3f,
    /// Aperture of the lens, needs several samples per pixel [0, 0.3] = 0
    aperture: f32,
    /// Focus distance behind the animal [-4, 30] = 0
    focus: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after this time (seconds).
const LOOP_SECONDS: f32 = 36.0;

// ---- Walk ------------------------------------------------------------------------

// The bottom of the water, whose surface is at y = 0.
override fn walk::ground(p: vec2f) -> f32 {
    return -params.level;
}

override fn walk::loop_route() -> walk::Loop {
    return walk::Loop(LOOP_SECONDS, f32(params.speed + 1u));
}

override fn walk::stride() -> walk::Stride {
    return walk::Stride(params.stride, params.duty, 0.42);
}

override fn walk::progress(x: f32) -> f32 {
    return mix(x, walk::with_stops(x, 4.0, 0.12), params.pauses);
}

override fn walker::plan(row: u32) -> walker::Plan {
    let lengths = ik::LegLengths(0.0, 1.02 * params.bend, 1.22 * params.bend, 0.34);
    let pole = vec3f(-1.0, 0.0, 0.06);
    return walker::Plan(
        vec3f(-0.02, -0.17, 0.16), vec2f(0.42, 0.13), lengths, pole, vec3f(1.0, -0.05, 0.0));
}

// The toes hang down from a swinging foot, whose tarsus the walker turns back.
override fn walker::foot_direction(leg: u32, foot: vec3f, usual: vec3f) -> vec3f {
    return mix(usual, vec3f(-0.25, -1.0, 0.0), smoothstep(0.0, 0.26, 1.0 - usual.x));
}

override fn walker::clearance() -> f32 {
    return params.height;
}

// The body sways and leans over the standing foot, and is highest there.
override fn walker::pose(body: walk::Body, time: f32) -> walk::Body {
    let angle = frame::TAU * (walk::cycles_at(time) - 0.5 * params.duty);
    let shift = vec3f(0.0, 0.026 * cos(2.0 * angle), -0.045 * cos(angle));
    let up = vec3f(-0.014 * sin(2.0 * angle + 0.6), 1.0, -0.035 * cos(angle));
    return walk::lean(body, shift, up);
}

// ---- Head, neck and sky ----------------------------------------------------------

// Indices of scene values: the last LAST_STEPS steps of each leg; the centre of the
// skull in body space and the bend of the neck; the turn of the head (cosine and sine)
// and the unit vector across the neck; the colours of plumage and crown; the sky.
const LAST_STEPS: u32 = 2u;
const HEAD: u32 = LAST_STEPS * walker::LEGS;
const TURN: u32 = HEAD + 1u;
const COLORS: u32 = TURN + 1u;
const SKY: u32 = COLORS + 2u;

// The head holds its position in the world for most of a step, then moves ahead. It looks
// around or at the pointer, and the neck bends to keep its length.
override fn walker::scene_value(index: u32, time: f32) -> vec4f {
    if index < HEAD {
        return walker::past_step(index / LAST_STEPS, index % LAST_STEPS, time);
    }
    if index >= SKY {
        return dusk::frame_value(index - SKY);
    }
    if index >= COLORS {
        let color = select(params.plumage, params.crown, index > COLORS);
        return vec4f(palette::linear_from_display(color), 0.0);
    }
    let progress = fract(2.0 * walk::cycles_at(time) + 0.15);
    let lead = params.bob * 0.5 * params.stride * (smoothstep(0.60, 1.0, progress) - progress);
    let w = frame::TAU / LOOP_SECONDS * time;
    var at = vec3f(1.18 + lead, 1.20 + 0.05 * sin(2.0 * w), 0.0);
    // The pointer is taken to be in front of the animal.
    let seen = walk::to_body(walker::posed_body, pointer::point_at(walker::frame_camera, 6.5)) - at;
    let idle = 0.3 * sin(3.0 * w) + 0.15 * sin(11.0 * w);
    let angle = select(idle, pointer::head_turn(seen, 1.2), pointer::is_present());
    let turn = vec2f(cos(angle), sin(angle));
    at.z = 0.17 * angle;
    let along = at - 0.10 * vec3f(turn.x, 0.0, turn.y) - NECK;
    let chord = length(along);
    let bend = sqrt(clamp(4.93 * (1.406 - chord) * chord, 0.1, 4.0));
    return select(vec4f(turn, normalize(along.yx)), vec4f(at, bend), index == HEAD);
}

override fn walker::view(time: f32) -> camera::View {
    let w = frame::TAU / LOOP_SECONDS * time;
    let tan_half_fov = 0.312 * frame::narrow_view_factor(0.95) / frame::narrow_view_factor(1.0);
    return camera::View(
        1.40 + 0.24 * sin(w), 0.045 + 0.02 * sin(2.0 * w), 9.0, 0.98, tan_half_fov);
}

// Inputs of the shape, read once per pixel.
var<private> head: vec4f;
var<private> nape: vec3f;
var<private> head_turn: vec4f;
var<private> left: walker::Limb;
var<private> right: walker::Limb;

override fn walker::leg_of(leg: u32) -> walker::Limb {
    if leg == 0u {
        return left;
    }
    return right;
}

// ---- Shape -----------------------------------------------------------------------

const BODY: u32 = 0u;
const NAPE: u32 = 1u;
const DRUMSTICK: u32 = 2u;
const BILL: u32 = 3u;

// Root of the neck, in body space.
const NECK: vec3f = vec3f(0.50, 0.10, 0.0);

// Transforms a point from body space to head space: origin at the centre of the skull, x
// toward the bill.
fn head_space(p: vec3f) -> vec3f {
    return camera::rotate_y(p - head.xyz, head_turn.xy);
}

// True while shadows and sky light are traced, which leave out the plumes and the bill: both
// are thin and shade nothing but themselves.
fn is_thin_left_out() -> bool {
#ifdef REFERENCE
    return false;
#else
    return rays::is_secondary_ray;
#endif
}

// Root of the plumes that hang over the tail, in body space on the right side; unit vectors
// along and across them, and their length.
const BUSTLE: vec3f = vec3f(-0.36, 0.10, 0.075);
const HANGING: vec3f = vec3f(-0.731, -0.682, 0.0);
const OUTER: vec3f = vec3f(-0.682, 0.731, 0.0);
const PLUMES_LENGTH: f32 = 0.84;

// Distance to the plumes: an arched, flat bundle on each side, whose end is split into
// pointed tips of different lengths.
fn bustle(p: vec3f) -> f32 {
    let q = vec3f(p.xy, abs(p.z)) - BUSTLE;
    let along = dot(q, HANGING) / PLUMES_LENGTH;
    let u = clamp(along, 0.0, 1.0);
    let across = dot(q, OUTER) - 0.70 * u * (1.0 - u);
    let half_width = 0.08 + 0.16 * u * (1.5 - u);
    let strand = 2.5 * across / half_width;
    let number = floor(strand);
    let aside = abs(strand - number - 0.5);
    let to_tip = min((0.92 + 0.07 * sin(2.4 * number) - u) / 0.45, 1.0);
    let gap = 0.4 * half_width * (aside - 0.55 * to_tip * (1.5 - 0.5 * to_tip));
    let thickness = 0.075 * max(to_tip, 0.08);
    let beside = max(abs(across) - (half_width - thickness), 0.0);
    let bundle = length(vec3f(beside, q.z, (along - u) * PLUMES_LENGTH)) - thickness
        - 0.16 * half_width * (0.25 - aside * aside) * to_tip;
    return 0.8 * max(bundle, gap);
}

// Transforms a point from body space to the space in which breast and wings are ellipsoids:
// level, without the arch of the back and without the taper toward the tail, by which w
// scales distances.
fn straighten(p: vec3f) -> vec4f {
    let ahead = 0.966 * p.x + 0.259 * p.y + 0.014;
    let near = clamp(ahead, -0.8, 0.8);
    let above = 0.966 * p.y - 0.259 * p.x - 0.035 + 0.12 * near * near;
    let girth = 0.94 + 0.36 * near;
    return vec4f(ahead, vec2f(above, p.z) / girth, girth);
}

// Distances to the body and to a folded wing.
fn body_and_wing(straight: vec4f) -> vec2f {
    let q = straight.xyz;
    let wing = vec3f(q.xy, abs(q.z)) - vec3f(-0.16, 0.05, 0.20);
    return 0.9 * min(straight.w, 1.0) * vec2f(
        sdf::ellipsoid(q, vec3f(0.66, 0.31, 0.29)), sdf::ellipsoid(wing, vec3f(0.60, 0.20, 0.125)));
}

// Distance to the body with its folded wings.
fn breast(p: vec3f) -> f32 {
    let parts = body_and_wing(straighten(p));
    return sdf::smooth_union(parts.x, parts.y, 0.016);
}

fn neck(p: vec3f) -> raymarch::Sample {
    let arch = vec3f(head_turn.z, -head_turn.w, 0.0);
    let tube = limb::bent_tube_distance(
        p, NECK, nape, arch, head.w * vec2f(1.22, -2.82), vec3f(0.150, 0.070, 0.054));
    let q = head_space(p);
    let skull = sdf::ellipsoid(q, vec3f(0.145, 0.092, 0.082));
    let skin = raymarch::Sample(sdf::smooth_union(0.85 * tube, skull, 0.05), NAPE);
    if is_thin_left_out() {
        return skin;
    }
    let bill = sdf::tapered_capsule(
        q, vec3f(0.08, -0.015, 0.0), vec3f(0.50, -0.075, 0.0), 0.040, 0.008);
    return raymarch::smooth_union(skin, raymarch::Sample(bill, BILL), 0.03);
}

fn drumstick(p: vec3f, bones: ik::Leg) -> f32 {
    let nearest = sdf::from_segment(p, bones.hip, bones.knee);
    let up = 1.0 - nearest.w;
    return 0.9 * (length(nearest.xyz) - (0.030 + up * up * (0.05 + 0.11 * up)));
}

override fn walker::trunk(p: vec3f) -> raymarch::Sample {
    var feathers = raymarch::Sample(breast(p), BODY);
    if !is_thin_left_out() {
        feathers.distance = sdf::smooth_union(feathers.distance, bustle(p), 0.03);
    }
    let thigh = min(drumstick(p, left.bones), drumstick(p, right.bones));
    let feathers_and_neck = raymarch::smooth_union(feathers, neck(p), 0.10);
    return raymarch::smooth_union(feathers_and_neck, raymarch::Sample(thigh, DRUMSTICK), 0.11);
}

override fn walker::trunk_bound() -> walker::Capsule {
    return walker::Capsule(vec3f(-0.45, -0.45, 0.0), vec3f(1.2, 0.9, 0.0), 0.88);
}

// Hull of the capsules around breast and plumes, neck, bill and drumsticks.
override fn walker::trunk_span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let around = walker::trunk_bound();
    // Few shadow rays are worth a tight span.
    if rays::is_secondary_ray {
        return bounds::loose_capsule_span(
            origin, direction, around.a, around.b, around.radius + margin);
    }
    var whole = bounds::EMPTY;
    let bill = head.xyz + 0.46 * vec3f(head_turn.x, -0.15, head_turn.y);
    if bounds::touches_capsule(origin, direction, around.a, around.b, around.radius + margin) {
        for (var i = 0u; i < 5u; i++) {
            var part = walker::Capsule(vec3f(-0.78, -0.24, 0.0), vec3f(0.34, 0.10, 0.0), 0.47);
            if i == 1u { part = walker::Capsule(NECK, nape, 0.16 + 0.09 * head.w); }
            if i == 2u { part = walker::Capsule(nape, bill, 0.17); }
            if i == 3u { part = walker::Capsule(left.bones.hip, left.bones.knee, 0.15); }
            if i == 4u { part = walker::Capsule(right.bones.hip, right.bones.knee, 0.15); }
            let span = bounds::loose_capsule_span(
                origin, direction, part.a, part.b, part.radius + margin);
            whole = bounds::hull(whole, span);
        }
    }
    return whole;
}

// The drumsticks, part of the trunk, join the legs to it.
override fn walker::hip_fillet() -> f32 {
    return 0.0;
}

override fn walker::radii(index: u32) -> limb::Radii {
    return limb::Radii(0.0, 0.0, 0.034, 0.028, 0.010, 0.0);
}

// Shadows of legs this thin on the animal are invisible.
override fn rays::limbs_shadow_clearance(
    p: vec3f, to_light: vec3f, limbs: u32, t_far: f32, angle: f32, margin: f32) -> f32 {
    return 1.0;
}

// Includes the other toes, which lie around the middle one.
override fn walker::bounding_radii(index: u32) -> limb::Radii {
    return limb::Radii(0.0, 0.0, 0.056, 0.20, 0.0, 0.0);
}

// Ends of the current leg's side toes and hind toe, relative to their root; bend of the toes.
var<private> side_toe: vec3f;
var<private> hind_toe: vec3f;
var<private> curl: vec3f;

// Toes spread on the ground. As they hang, they curl, and the side toes trail behind.
override fn walker::prepare_leg(leg: walker::Limb) {
    let ahead = (leg.bones.foot - leg.bones.ankle) / 0.34;
    let hanging = clamp(-1.1 * ahead.y - 0.05, 0.0, 1.0);
    let back = vec3f(ahead.y, -ahead.x, 0.0);
    side_toe = mix(0.28, 0.23, hanging) * ahead + 0.11 * hanging * back
        + vec3f(0.0, 0.0, mix(0.17, 0.07, hanging));
    hind_toe = vec3f(-0.13, -0.01 - 0.04 * hanging, 0.0);
    curl = 0.7 * hanging * back;
}

override fn walker::leg_distance(p: vec3f, leg: walker::Limb) -> f32 {
    let bones = leg.bones;
    var q = p - bones.ankle;
    q -= min(dot(q, q), 0.1) * curl;
    // The shank is slender between two thick joints.
    let shank = sdf::from_segment(p, bones.knee, bones.ankle);
    let ends = max(abs(shank.w - 0.53) - 0.26, 0.0);
    let joint = max(0.12 - shank.w, 0.0);
    let upper = length(shank.xyz) - (0.021 + 0.22 * ends * ends + 0.3 * joint * joint);
    let middle = sdf::tapered_capsule(q, vec3f(0.0), bones.foot - bones.ankle, 0.028, 0.009);
    let sides = sdf::tapered_capsule(vec3f(q.xy, abs(q.z)), vec3f(0.0), side_toe, 0.027, 0.008);
    let hind = sdf::tapered_capsule(q, vec3f(0.0), hind_toe, 0.022, 0.010);
    return min(upper, min(middle, min(sides, hind)));
}

// ---- Plumage ---------------------------------------------------------------------

// Feather at the current pixel (`scales::scale_at`), and whether it belongs to the wing. Set
// by `material`.
var<private> vane: vec3f;
var<private> is_on_wing: bool;

override fn land::material(point: land::Point) -> land::Material {
    if point.on_leg {
        // Scutes, while they are wider than a pixel.
        let bones = walker::current.bones;
        let along = sdf::along_segment(point.position, bones.knee, bones.ankle);
        let scutes = sin(210.0 * along) * clamp(1.5 - 150.0 * point.width, 0.0, 1.0);
        return land::glossy(vec3f(0.060, 0.052, 0.054) * (1.0 + 0.35 * scutes), 0.04, 0.4);
    }
    let q = point.position;
    let skull = head_space(q);
    if point.id == BILL {
        // Dark along the gape.
        let gape = abs(skull.y + 0.010 + 0.143 * skull.x);
        let horn = vec3f(0.30, 0.25, 0.13) * mix(0.35, 1.0, smoothstep(0.002, 0.007, gape));
        var bill = land::glossy(horn, 0.05, 0.3);
        bill.translucency = 0.2;
        return bill;
    }
    let to_eye = distance(vec3f(skull.xy, abs(skull.z)), vec3f(0.065, 0.018, 0.074));
    if to_eye < 0.028 {
        let iris = smoothstep(0.015, 0.020, to_eye);
        let glint = 1.0 - smoothstep(0.007, 0.011, distance(skull.xy, vec2f(0.071, 0.026)));
        let color = mix(vec3f(0.008), vec3f(0.34, 0.15, 0.04), iris) + 2.0 * glint;
        return land::glossy(color, 0.10, 0.10);
    }
    let straight = straighten(q);
    let parts = body_and_wing(straight);
    is_on_wing = point.id == BODY && parts.y < parts.x;
    // Feathers of the wing grow longer from the shoulder to the tips.
    let back = 0.7 - q.x;
    let side = vec2f(abs(q.z) + 0.10, q.y + 0.1);
    let rows = select((17.0 - 4.5 * back) * back, 11.0 * back * (2.0 - 0.75 * back), is_on_wing);
    let columns = select(
        (13.0 - 3.6 * back) * side.y / (abs(side.y) + side.x), 19.0 * straight.y, is_on_wing);
    vane = scales::scale_at(rows, columns);
    // The plumes and the wing's last feathers are black, and so are the neck, the face below
    // the crown, and the drumsticks at the bottom.
    let rear = -0.33 * straight.x - straight.y + 0.08 * (vane.x - 0.5);
    let on_bustle = step(-BUSTLE.x, -q.x) * smoothstep(0.010, 0.022, min(parts.x, parts.y));
    let behind = smoothstep(0.25, 0.29, 0.08 * (vane.x - 0.5) - straight.x);
    let last = max(on_bustle, smoothstep(0.165, 0.18, rear) * max(behind, f32(is_on_wing)));
    // Long feathers at the wing's edge cast a shadow on the flank below.
    let edge = parts.y - parts.x;
    let shaded = smoothstep(-0.004, 0.004, edge) * (1.0 - smoothstep(0.004, 0.075, edge));
    let behind_eye = smoothstep(-0.075, -0.05, skull.y + 0.25 * skull.x)
        * smoothstep(-0.42, -0.12, skull.x) * (1.0 - smoothstep(0.035, 0.055, skull.x));
    let thigh = walker::leg_of(select(1u, 0u, q.z < 0.0)).bones;
    let shin = sdf::along_segment(q, thigh.hip, thigh.knee) + 0.05 * vane.y * vane.y;
    let up_neck = q.y - 0.25 * (q.x - 0.6) + 0.03 * vane.x;
    let throat = smoothstep(0.42, 0.46, up_neck) * (1.0 - behind_eye);
    let black = vec3f(last, throat, smoothstep(0.66, 0.69, shin))[point.id];
    let crown = smoothstep(0.030, 0.042, skull.y) * smoothstep(-0.09, -0.05, skull.x);
    let plumage = walker::read_scene_value(COLORS).xyz
        * (1.0 - 0.40 * shaded * f32(point.id == BODY));
    let feathers = mix(plumage, vec3f(0.032, 0.031, 0.040), black);
    let crown_color = walker::read_scene_value(COLORS + 1u).xyz;
    let color = mix(feathers, crown_color, select(0.0, crown, point.id == NAPE));
    var feathered = land::glossy(color, 0.02, 0.55);
    feathered.sheen = 3.0 - 1.8 * black;
    feathered.translucency = 0.25 * (1.0 - black);
    return feathered;
}

// Each feather is slightly curved, and dark below the edge of the feathers in front.
override fn land::adjust_material(
    base: light::Surface, point: land::Point, direction: vec3f) -> light::Surface {
    var surface = base;
    // Light on the edges of black parts, which are opaque, would break into dots: within a
    // pixel of the edge, normals turn toward the camera. `add_scales` normalizes them.
    let facing = dot(base.normal, -direction);
    surface.normal -= max(0.4 - 1.6 * base.translucency - facing, 0.0) * direction;
    let shown = clamp(1.45 - 50.0 * point.width, 0.0, 1.0) * clamp(3.0 * facing - 0.6, 0.0, 1.0)
        * clamp(4.0 - 4.0 * point.position.y, 0.0, 1.0);
    let strength = select(5.2, 9.0, is_on_wing) * surface.translucency;
    let axis = vec3f(-0.966, -0.259, 0.0);
    return scales::add_scales(surface, point.normal, axis, vane, strength * shown);
}

// Points at which the legs pierce the water, in world xz; far away for a leg in the air.
var<private> meniscus: array<vec2f, 2>;

fn pierced(leg: ik::Leg) -> vec2f {
    let body = walker::body();
    let ankle = walk::to_world(body, leg.knee);
    let root = walk::to_world(body, leg.ankle);
    let part = ankle.y / max(ankle.y - root.y, 1e-3);
    return select(vec2f(1e3), mix(ankle.xz, root.xz, part), root.y < 0.0);
}

// ---- Water and light -------------------------------------------------------------

const RINGS: water::Rings = water::Rings(0.85, 19.0, 1.1);
// Distance from the body beyond which rings are too faint to see.
const RINGS_REACH: f32 = 5.0;

override fn pool::water_properties() -> pool::Water {
    return pool::Water(0.0, vec3f(0.030, 0.035, 0.055), vec3f(0.0), vec3f(0.0), 0.25);
}

override fn pool::surface_at(
    p: vec2f, width: f32, footprint: f32, is_entry: bool) -> pool::WaterPoint {
    let calm = 0.0007 + 0.0010 * smoothstep(-0.2, 0.8, noise::value_noise(p * 0.25, 7u, 9u).x);
    let along = frame::TAU / terrain::PERIOD * (3.0 * p.x + 5.0 * p.y);
    let bend = vec2f(sin(along), cos(along));
    let now = walker::now() / LOOP_SECONDS;
    var slope = calm * (water::wave(p, bend, now, footprint, vec3f(9.0, 14.0, 9.0), 0.0)
        + water::wave(p, bend, now, footprint, vec3f(-23.0, 17.0, 14.0), 1.0)
        + water::wave(p, bend, now, footprint, vec3f(-14.0, 47.0, 22.0), 3.0)
        + water::wave(p, bend, now, footprint, vec3f(38.0, 67.0, -33.0), 5.0)).yz;
    let fine = RINGS.frequency * footprint;
    // Rings finer than a pixel are invisible.
    let visible = exp(-0.3 * fine * fine);
    let is_near = visible > 0.01 && distance(p, walker::body().position.xz) < RINGS_REACH;
    // The number of steps is not constant, so that drivers test a single one far away.
    slope += 0.30 * visible * pool::rings_of_steps(p, select(0u, HEAD, is_near), RINGS).yz;
    // Water climbs up the legs.
    let is_left = distance(p, meniscus[0]) < distance(p, meniscus[1]);
    slope -= 0.020 * water::dent(p - select(meniscus[1], meniscus[0], is_left), 0.075).yz;
    let from_camera = vec3f(p.x, 0.0, p.y) - walker::current_camera().position;
    // Only the glitter shows finer waves, which the others bend.
    // The glitter alone shows finer waves, which the others bend.
    let waves = vec2f(-57.0, 151.0);
    let turns = dot(waves, p + 12.0 * slope) / terrain::PERIOD + 41.0 * now + 0.15 * bend.x;
    let ripple = calm * visible * visible * (abs(2.0 * fract(turns) - 1.0) - 0.5) * waves;
    dusk::set_glint(normalize(from_camera), slope + 0.066 * ripple);
    return pool::WaterPoint(slope, 1.0, 0.0);
}

// Reflections of hills and shore are sharp.
override fn pool::unseen_slope() -> f32 {
    return 0.004;
}

override fn dusk::sun() -> dusk::Sun {
    let color = palette::linear_from_display(params.sun_color);
    return dusk::Sun(params.sun_bearing, params.sun_height, color, params.fog);
}

// ---- The image -------------------------------------------------------------------

override fn land::optics(animal_distance: f32) -> depth_of_field::Optics {
    return depth_of_field::Optics(params.aperture, animal_distance + params.focus);
}

fn per_frame(index: u32) -> vec4f {
    return walker::per_frame(index);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    head = walker::read_scene_value(HEAD);
    head_turn = walker::read_scene_value(TURN);
    nape = head.xyz - 0.10 * vec3f(head_turn.x, 0.0, head_turn.y);
    left = walker::read_limb(0u);
    right = walker::read_limb(1u);
    meniscus = array<vec2f, 2>(pierced(left.bones), pierced(right.bones));
    dusk::prepare(walker::read_scene_value(SKY), walker::read_scene_value(SKY + 1u));
    return pool::main_image(frag_coord);
}
