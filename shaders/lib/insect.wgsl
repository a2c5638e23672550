#define_import_path tarsus::insect

#import tarsus::antennae
#import tarsus::bounds
#import tarsus::camera
#import tarsus::frame
#import tarsus::ik
#import tarsus::land
#import tarsus::light
#import tarsus::limb
#import tarsus::palette
#import tarsus::raymarch
#import tarsus::rays
#import tarsus::sdf
#import tarsus::shading
#import tarsus::walk
#import tarsus::walker

// Six-legged insect with spined legs, antennae, a turning head, mandibles and faceted eyes,
// in dark iridescent chitin. It is the `walker` of a scene that imports this module.

/// Appearance of the insect.
struct Appearance {
    /// Albedo of the shell, and of legs and skin, as display values.
    shell: vec3f,
    legs: vec3f,
    /// Factor on the length of femur and tibia; longer ones bend more.
    bend: f32,
}

/// Appearance of the insect. Its colours are evaluated once per frame.
virtual fn appearance() -> Appearance {
    return Appearance(vec3f(0.1756, 0.1680, 0.1517), vec3f(0.4731, 0.2528, 0.1177), 1.0);
}

/// Point that head and antennae turn to: xyz in body space, w = weight, 0 to 1.
virtual fn attention() -> vec4f {
    return vec4f(0.0);
}

/// Value `index`, from 0, of the scene's own per-frame values, which
/// `walker::read_scene_value(insect::SCENE_VALUES + index)` reads.
virtual fn scene_value(index: u32) -> vec4f {
    return vec4f(0.0);
}

override fn walker::plan(row: u32) -> walker::Plan {
    var hip = vec3f(0.40, -0.08, 0.21);
    var foot = vec2f(1.34, 1.02);
    if row == 1u {
        hip = vec3f(0.08, -0.10, 0.25);
        foot = vec2f(0.10, 1.52);
    }
    if row == 2u {
        hip = vec3f(-0.24, -0.08, 0.21);
        foot = vec2f(-1.06, 1.18);
    }
    let outward = normalize(foot - hip.xz);
    let lengths = ik::LegLengths(0.20, 0.92 * appearance().bend, 1.34 * appearance().bend, 0.24);
    let tarsus = vec3f(0.45 * outward.x, -1.0, 0.45 * outward.y);
    return walker::Plan(hip, foot, lengths, vec3f(0.0), tarsus);
}

// ---- Body, head and antennae ------------------------------------------------------

// Joint of the head, in body space.
const NECK: vec3f = vec3f(0.60, 0.02, 0.0);

// Indices of scene values: direction of the head (cosine and sine) and bite (0 to 1); slope
// of the abdomen (cosine and sine); three control points of each antenna; the colours of
// shell and legs.
const HEAD: u32 = 0u;
const ABDOMEN: u32 = 1u;
const ANTENNAE: u32 = 2u;
const COLORS: u32 = ANTENNAE + 6u;
/// Index of the first value of `scene_value`.
const SCENE_VALUES: u32 = COLORS + 2u;

// Direction of the head in the xz plane of body space: it wanders, or turns toward
// `attention` as far as the neck allows.
fn head_turn(w: f32) -> vec2f {
    let goal = attention();
    let wander = vec2f(1.0, 0.10 * sin(7.0 * w) + 0.05 * sin(19.0 * w));
    let onto = goal.xz - vec2f(0.6, 0.0);
    let allowed = vec2f(max(onto.x, 1.1 * abs(onto.y) + 0.05), onto.y);
    return normalize(mix(wander, normalize(allowed), goal.w));
}

// Control points of an antenna in body space; it sways, and lags behind the footfalls.
fn antenna_at(side: f32, w: f32, turn: vec2f) -> mat3x3f {
    let goal = attention();
    let base = NECK + camera::rotate_y(vec3f(0.38, 0.08, 0.08 * side), turn * vec2f(1.0, -1.0));
    let swing = vec3f(17.0, 23.0, 13.0) * w + vec3f(1.7, 0.9, 2.3) * side;
    let sway = vec3f(0.10, 0.16, 0.14) * sin(swing) + vec3f(0.0, 0.06 * sin(61.0 * w), 0.0);
    let onto = goal.xyz - base;
    let pointing = 1.25 * onto / (0.4 + length(onto)) + vec3f(0.0, 0.0, 0.12 * side);
    let resting = vec3f(0.86, 0.32 + 5.0 * walker::delayed_response.y, 0.86 * side);
    let tip = base + mix(resting, pointing, 0.75 * goal.w) + sway * (1.0 - 0.6 * goal.w);
    // Bent upward, and backward while it points up: without this weight of the pole the
    // antenna flips when the pointer passes above the head.
    let pole =
        ik::weigh_pole(tip - base, vec3f(-0.2, 1.0, 0.35 * side), vec3f(-1.0, 0.0, 0.0), 1.0);
    let bones = ik::solve3_clamp(tip - base, 0.62, 0.80, pole);
    return mat3x3f(base, base + bones.mid, base + bones.end);
}

// The abdomen hangs from the waist and drops after each footfall; the antennae follow.
override fn walker::response_delay(index: u32) -> f32 {
    return select(0.16, 0.09, index == ABDOMEN);
}

override fn walker::scene_value(index: u32, time: f32) -> vec4f {
    if index >= SCENE_VALUES {
        return scene_value(index - SCENE_VALUES);
    }
    if index >= COLORS {
        let color = select(appearance().shell, appearance().legs, index > COLORS);
        return vec4f(palette::linear_from_display(color), 0.0);
    }
    let w = frame::TAU / walk::period() * time;
    let turn = head_turn(w);
    if index == HEAD {
        return vec4f(turn, 0.5 + 0.5 * sin(11.0 * w), 0.0);
    }
    if index == ABDOMEN {
        let drop = walker::delayed_response;
        let slope = 0.175 - 3.5 * drop.y - 2.0 * drop.x + 0.012 * sin(9.0 * w);
        return vec4f(cos(slope), sin(slope), 0.0, 0.0);
    }
    let at = index - ANTENNAE;
    let points = antenna_at(select(-1.0, 1.0, at >= 3u), w, turn);
    // Selected by comparison: drivers take long to compile an index that differs between
    // pixels.
    let joint = at % 3u;
    let lower = select(points[1], points[0], joint == 0u);
    return vec4f(select(lower, points[2], joint == 2u), 0.0);
}

fn antenna(first: u32) -> limb::Curve {
    return limb::curve(
        walker::read_scene_value(first).xyz,
        walker::read_scene_value(first + 1u).xyz,
        walker::read_scene_value(first + 2u).xyz,
    );
}

// Values of the frame, read once per pixel: cheaper than at every step of a ray.
var<private> head: vec4f;
var<private> abdomen: vec4f;
var<private> shell_color: vec3f;
var<private> leg_color: vec3f;

/// Reads the values of the frame. Call at every pixel before tracing rays against the
/// insect.
fn prepare() {
    head = walker::read_scene_value(HEAD);
    abdomen = walker::read_scene_value(ABDOMEN);
    shell_color = walker::read_scene_value(COLORS).xyz;
    leg_color = walker::read_scene_value(COLORS + 1u).xyz;
    antennae::left = antenna(ANTENNAE);
    antennae::right = antenna(ANTENNAE + 3u);
}

// ---- Shape -----------------------------------------------------------------------

const TRUNK: u32 = 0u;
const SKULL: u32 = 1u;
const ANTENNA: u32 = 2u;

// Number of plates of the abdomen; they overlap toward the tail.
const PLATES: f32 = 7.0;

// Transforms p from body space into abdomen space: origin at the waist, x along the
// drooping abdomen.
fn abdomen_space(p: vec3f) -> vec3f {
    let q = p - vec3f(-0.34, 0.06, 0.0);
    let slope = abdomen.xy;
    return vec3f(slope.x * q.x + slope.y * q.y, slope.x * q.y - slope.y * q.x, q.z);
}

// Plate number at q (abdomen space), plus the fraction from the plate's front to its rear
// edge.
fn plate(q: vec3f) -> f32 {
    return -q.x * PLATES / 1.38;
}

fn abdomen_distance(p: vec3f) -> f32 {
    let q = abdomen_space(p);
    let shape = sdf::ellipsoid(q - vec3f(-0.66, 0.0, 0.0), vec3f(0.72, 0.33, 0.39));
    // Plates swell toward their rear edges and fall off to the next ones, over a third of
    // their length: a slope of at most 0.5.
    let part = fract(plate(q));
    // A smooth shadow: teeth of this size look like aliasing.
    let swell = part * part * (1.0 - smoothstep(0.66, 1.0, part));
    let edge = select(swell, 0.25, rays::is_secondary_ray);
    return 0.85 * (shape - 0.040 * edge);
}

fn thorax_distance(p: vec3f) -> f32 {
    let q = p - vec3f(0.10, 0.03, 0.0);
    let shield = sdf::ellipsoid(q - vec3f(0.16, 0.05, 0.0), vec3f(0.34, 0.25, 0.32));
    let rear = sdf::ellipsoid(q - vec3f(-0.22, 0.0, 0.0), vec3f(0.30, 0.20, 0.25));
    let waist = sdf::capsule(p, vec3f(-0.25, 0.0, 0.0), vec3f(-0.48, 0.04, 0.0), 0.10);
    // The front plate ends in an edge, and overlaps what is behind it.
    let behind = -0.06 - q.x;
    let ledge = min(0.9 * clamp(behind, 0.0, 0.022), 0.1 * max(0.2 - behind, 0.0));
    return sdf::smooth_union(sdf::smooth_union(shield, rear, 0.09) + ledge, waist, 0.06);
}

// Transforms a point from body space into head space.
fn head_space(p: vec3f) -> vec3f {
    return camera::rotate_y(p - NECK, head.xy);
}

fn head_distance(q: vec3f) -> f32 {
    let skull = sdf::ellipsoid(q - vec3f(0.21, -0.01, 0.0), vec3f(0.26, 0.165, 0.19));
    if rays::is_secondary_ray {
        return skull;
    }
    // Mandibles: flat sickles, bowed outward, with teeth on their inner edges.
    let side = vec3f(q.xy, abs(q.z));
    let open = 0.05 * head.z;
    let tip = vec3f(0.64, -0.14, 0.02 + 0.6 * open);
    let axis = sdf::from_segment(side, vec3f(0.35, -0.08, 0.10), tip);
    let arc = (0.36 + open) * axis.w * (1.0 - axis.w);
    let off = axis.xyz - vec3f(0.0, 0.0, arc);
    let tooth = abs(2.0 * fract(4.0 * axis.w) - 1.0);
    let blade = (0.058 + clamp(-off.z, 0.0, 0.05) * (0.4 * tooth - 0.1)) * sqrt(1.01 - axis.w);
    let jaw = 0.62 * (length(off * vec3f(1.0, 1.35, 1.0)) - blade);
    return sdf::smooth_union(sdf::smooth_union(skull, jaw, 0.006), eye_distance(q), 0.02);
}

// Distance to the two palps below the mandibles: bowed, of four segments; q is in head space.
fn palp_distance(q: vec3f) -> f32 {
    let axis = sdf::from_segment(
        vec3f(q.xy, abs(q.z)), vec3f(0.34, -0.13, 0.05), vec3f(0.53, -0.27, 0.12));
    let bow = 0.24 * axis.w * (1.0 - axis.w);
    let segment = 2.0 * fract(3.999 * axis.w) - 1.0;
    return 0.65 * (length(axis.xyz - bow * vec3f(0.56, 0.77, 0.30))
        - 0.022 * (1.0 - 0.4 * segment * segment));
}

// Middle and radii of the right eye, in head space, and facets per radius.
const EYE_CENTER: vec3f = vec3f(0.25, 0.06, 0.15);
const EYE_RADII: vec3f = vec3f(0.105, 0.125, 0.08);
const FACETS: f32 = 7.0;

// Distance to the eyes; q is in head space.
fn eye_distance(q: vec3f) -> f32 {
    return sdf::ellipsoid(vec3f(q.xy, abs(q.z)) - EYE_CENTER, EYE_RADII);
}

override fn walker::trunk(p: vec3f) -> raymarch::Sample {
    let q = head_space(p);
    let body = sdf::smooth_union(thorax_distance(p), abdomen_distance(p), 0.03);
    let whole_head = head_distance(q);
    let solid = raymarch::Sample(
        sdf::smooth_union(body, whole_head, 0.04), select(TRUNK, SKULL, whole_head < body));
    if rays::is_secondary_ray {
        return solid;
    }
    let feelers = min(antennae::distance_to(p), palp_distance(q));
    return raymarch::nearest(solid, raymarch::Sample(feelers, ANTENNA));
}

override fn walker::trunk_at_hips(p: vec3f) -> f32 {
    return thorax_distance(p);
}

override fn walker::trunk_bound() -> walker::Capsule {
    return walker::Capsule(vec3f(-1.3, -0.02, 0.0), vec3f(0.9, 0.05, 0.0), 0.52);
}

override fn walker::trunk_span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let trunk = bounds::capsule_span(
        origin, direction, vec3f(-1.3, -0.02, 0.0), vec3f(0.3, 0.07, 0.0), 0.45 + margin);
    let middle = NECK + camera::rotate_y(vec3f(0.34, -0.05, 0.0), head.xy * vec2f(1.0, -1.0));
    let around_head = bounds::sphere_span(origin, direction, middle, 0.39 + margin);
    let solid = bounds::hull(trunk, around_head);
    if rays::is_secondary_ray {
        return solid;
    }
    return bounds::hull(solid, antennae::span(origin, direction, margin));
}

override fn antennae::thickness() -> vec2f {
    return vec2f(0.017, 0.006);
}

override fn walker::radii(index: u32) -> limb::Radii {
    return limb::Radii(0.095, 0.036, 0.036, 0.019, 0.018, 0.31);
}

// The coxa's also contains the thick part of the femur.
override fn walker::bounding_radii(index: u32) -> limb::Radii {
    return limb::Radii(0.095, 0.058, 0.050, 0.034, 0.022, 0.0);
}

// The tibia is bowed and has spines, the tarsus claws.
override fn walker::leg_margins() -> vec3f {
    return vec3f(0.0, 0.048, 0.09);
}

// Values of the current leg, computed once per ray: cheaper than at every step. Segments: xyz =
// vector from joint to joint, w = 1 / its squared length.
var<private> coxa_segment: vec4f;
var<private> femur_segment: vec4f;
var<private> tibia_segment: vec4f;
var<private> tarsus_segment: vec4f;
// Unit vectors perpendicular to the tibia: away from the femur, and sideways.
var<private> outward: vec3f;
var<private> sideways: vec3f;
// Unit vector along the femur.
var<private> toward_knee: vec3f;
// Claw on the side of `sideways`: its root, relative to the foot, its axis and its bow.
var<private> claw_root: vec3f;
var<private> claw_segment: vec4f;
var<private> claw_bow: vec3f;

fn segment_between(a: vec3f, b: vec3f) -> vec4f {
    let ab = b - a;
    return vec4f(ab, 1.0 / max(dot(ab, ab), 1e-12));
}

// As `sdf::from_segment`; p is relative to the start of the segment `along`.
fn from_segment(p: vec3f, along: vec4f) -> vec4f {
    let h = clamp(dot(p, along.xyz) * along.w, 0.0, 1.0);
    return vec4f(p - h * along.xyz, h);
}

override fn walker::prepare_leg(leg: walker::Limb) {
    let bones = leg.bones;
    coxa_segment = segment_between(bones.hip, bones.trochanter);
    femur_segment = segment_between(bones.trochanter, bones.knee);
    tibia_segment = segment_between(bones.knee, bones.ankle);
    tarsus_segment = segment_between(bones.ankle, bones.foot);
    let tibia = normalize(tibia_segment.xyz);
    sideways = normalize(cross(tibia, femur_segment.xyz) + vec3f(1e-6, 0.0, 0.0));
    outward = cross(sideways, tibia);
    toward_knee = normalize(femur_segment.xyz);
    let toward_foot = normalize(tarsus_segment.xyz);
    claw_root = -0.012 * toward_foot;
    let claw = CLAW * (0.59 * outward + 0.58 * toward_foot + 0.25 * sideways);
    claw_segment = segment_between(vec3f(0.0), claw);
    claw_bow = CLAW * (0.30 * outward - 0.45 * toward_foot + 0.35 * sideways);
}

// Distance of the tibia's axis from the line knee–ankle, at the fraction `along` from the knee:
// the knee stands out, and the arc is highest a third of the way down.
fn tibia_bow(along: f32) -> f32 {
    return (0.008 + 0.27 * along) * (1.0 - along) * (1.0 - along);
}

// Radius of the tibia at the fraction `along` from the knee, with a flare at the ankle.
fn tibia_radius(along: f32) -> f32 {
    let ankle = max(along - 0.86, 0.0);
    return min(mix(0.034, 0.018, along), 0.022 + 0.1 * along) + 0.6 * ankle * ankle;
}

// Radius of the coxa at the fraction `along` from the hip.
fn coxa_radius(along: f32) -> f32 {
    let cubed = along * along * along;
    return 0.095 - 0.055 * along + 0.018 * cubed * cubed;
}

// Number of spines on each side of a tibia that is covered over its whole length.
const SPINES: f32 = 12.0;

// Distance to the nearest spine. `from_axis` is the vector from the tibia's axis to the point,
// `along` the fraction of the tibia from the knee. Toward the foot, spines stand closer, are
// stronger and lie less flat along the tibia.
fn spine_distance(from_axis: vec3f, along: f32) -> f32 {
    // The two sides alternate.
    let side = sign(dot(from_axis, sideways));
    let spines = SPINES * along * along + 0.25 * side;
    let cell = clamp(floor(spines), 1.0, SPINES - 1.0);
    // Length of a cell, as a fraction of the tibia's.
    let room = 0.5 / (SPINES * max(along, 0.2));
    let vary = fract(0.618 * cell + 0.3 * side);
    let out = mix(0.4, 0.6, vary) * outward + 0.75 * side * sideways;
    let shin = room * tibia_segment.xyz;
    let tip = (0.036 + 0.042 * along) * (0.6 + 0.5 * vary) * out + 0.85 * shin;
    let across = spines - cell;
    let p = from_axis + (across - 0.1) * shin;
    let h = clamp(dot(p, tip) / dot(tip, tip), 0.0, 1.0);
    // Spines of the neighbouring cells are at least this far away: a fifth of a cell beyond
    // the border, and near the axis.
    let border = (0.5 - abs(across - 0.5) + 0.20) * 1.2 * room;
    let others = max(select(1e3, border, border > 0.02), length(from_axis) - 0.10);
    return min(length(p - h * tip) - mix(0.010, 0.001, h), others);
}

// Length of a claw.
const CLAW: f32 = 0.12;

// Distance to the two claws, which spread from the foot along the ground. `p` is relative to
// the foot.
fn claw_distance(p: vec3f) -> f32 {
    let root = p - claw_root;
    let mirrored = root - 2.0 * min(dot(root, sideways), 0.0) * sideways;
    let claw = from_segment(mirrored, claw_segment);
    let off = claw.xyz - claw.w * (1.0 - claw.w) * claw_bow;
    return 0.8 * (length(off) - 0.021 * sqrt(1.01 - claw.w));
}

override fn walker::leg_distance(p: vec3f, leg: walker::Limb) -> f32 {
    let bones = leg.bones;
    if rays::is_secondary_ray {
        // The shape of the shadows (`limb::leg_shadow_clearance`).
        return limb::leg_distance(p, bones, walker::radii(leg.index));
    }
    // The coxa flares around the joint; the femur is narrow there, and flares at the knee.
    let coxa = from_segment(p - bones.hip, coxa_segment);
    let to_coxa = length(coxa.xyz) - coxa_radius(coxa.w);
    let femur = from_segment(p - bones.trochanter, femur_segment);
    let ends = clamp(vec2f(femur.w - 0.06, femur.w - 0.88) * 10.0, vec2f(0.0), vec2f(1.0));
    let thick = 0.024 - 0.011 * femur.w + dot(ends, vec2f(0.014, 0.025))
        + 0.31 * femur.w * (1.0 - femur.w) * (1.0 - femur.w);
    // Its end is blunt and narrow: a hinge, not a ball.
    let from_knee = p - bones.knee;
    let beyond = max(dot(from_knee, toward_knee), 0.0);
    let narrow = 0.5 * ends.y * dot(femur.xyz, sideways);
    let to_femur = (1.0 - 0.3 * ends.y)
        * (length(femur.xyz + 0.5 * beyond * toward_knee + narrow * sideways) - thick);
    var tibia = from_segment(from_knee, tibia_segment);
    tibia = vec4f(tibia.xyz - tibia_bow(tibia.w) * outward, tibia.w);
    let to_tibia = length(tibia.xyz) - tibia_radius(tibia.w);
    // Three segments.
    let tarsus = from_segment(p - bones.ankle, tarsus_segment);
    let segment = 2.0 * fract(2.999 * tarsus.w) - 1.0;
    let to_tarsus = length(tarsus.xyz)
        - mix(0.027, 0.019, tarsus.w) * (1.0 - 0.22 * segment * segment);
    let upper = sdf::smooth_union(to_coxa, to_femur, 0.02);
    let lower = sdf::smooth_union(
        min(to_tibia, spine_distance(tibia.xyz, tibia.w)),
        min(to_tarsus, claw_distance(p - bones.foot)), 0.02);
    return sdf::smooth_union(upper, lower, 0.03);
}

// Shadows see a straight tibia and a smooth trunk, so rays start outside them.
override fn land::shadow_origin(point: land::Point) -> vec3f {
    let along = clamp(point.along - 1.0, 0.0, 1.0);
    let straight = -tibia_bow(along) * step(0.001, along) * outward;
    return point.position + select(0.012 * point.normal, straight, point.on_leg);
}

// ---- Skin ------------------------------------------------------------------------

fn shell_material(albedo: vec3f, specular: f32, roughness: f32) -> land::Material {
    var shell = land::glossy(albedo, specular, roughness);
    shell.sheen = 1.5;
    shell.translucency = 0.20;
    return shell;
}

// Punctures of the shell: number per unit of length, and rows on each side of the back.
const ON_TRUNK: vec2f = vec2f(36.0, 22.0);
const ON_FACE: vec2f = vec2f(48.0, 30.0);
const ON_CHEEK: vec2f = vec2f(48.0, 10.0);
const ON_COXA: vec2f = vec2f(43.0, 5.5);

// Offset of the unit normal (xyz) and depth, 0 to 1 (w), of rows of punctures along the x axis
// through a round shell, at p; `count` as in `ON_TRUNK`; `width` is that of a pixel.
fn punctures(p: vec3f, normal: vec3f, count: vec2f, width: f32) -> vec4f {
    let radius = length(p.yz) + 1e-4;
    // Tangent of half the angle from the middle of the back.
    let crowded = count.y / (radius + max(p.y, -0.7 * radius));
    let rows = crowded * p.z;
    // The pits of neighbouring rows alternate.
    let off = fract(vec2f(count.x * p.x + 0.5 * floor(rows), rows)) - 0.5;
    // They fade from four pixels to two.
    let density = max(count.x, crowded);
    let pit = max(1.0 - 5.5 * dot(off, off), 0.0) * clamp(2.0 - 4.0 * density * width, 0.0, 1.0);
    return vec4f(-off.x, off.y * normal.z, -off.y * normal.y, pit) * vec4f(vec3f(2.2 * pit), 1.0);
}

// The coxa is a plate of shell up to the dark hinge in which the femur's narrow end turns. Legs
// take on the shell's colour again at the knee and toward the claws. Highlights narrower than a
// pixel would break into dots.
fn leg_material(p: vec3f, along: f32, width: f32) -> land::Material {
    let bones = walker::current.bones;
    let dark = 0.6 * shell_color;
    // Dark skin in the hinge of the knee, between pale rings.
    let from_knee = length(p - bones.knee);
    let knee = 1.0 - smoothstep(0.03, 0.14, from_knee);
    let pale = smoothstep(0.10, 0.15, from_knee) * (1.0 - smoothstep(0.18, 0.24, from_knee));
    let toward_claws = smoothstep(1.10, 1.85, along);
    var cuticle = mix(
        leg_color * (1.0 + pale * vec3f(0.7, 1.6, 1.6)), dark, max(0.85 * knee, toward_claws));
    let plated = shell_share(p, width);
    // Femora are dark above, less so below, with chevrons on their flanks.
    let femur = from_segment(p - bones.trochanter, femur_segment).xyz;
    let up = dot(femur, cross(sideways, toward_knee)) * inverseSqrt(dot(femur, femur) + 1e-12);
    let back = mix(1.6, 0.34, smoothstep(0.0, 0.9, abs(up + 0.1))) * mix(1.1, 0.6, along * along);
    let chevron = smoothstep(-0.5, 0.5, cos(frame::TAU * (15.0 * along - 1.3 * abs(up + 0.1))));
    let flank = clamp(1.5 - 50.0 * width, 0.0, 1.0)
        * (1.0 - smoothstep(0.5, 0.9, abs(up))) * (1.0 - smoothstep(0.75, 0.85, along));
    cuticle *= mix(vec3f(1.0), mix(vec3f(0.65), vec3f(1.1, 1.3, 1.25), chevron), flank);
    cuticle *= mix(back, 1.0, max(min(3.0 * knee, 1.0), step(1.0, along)))
        * mix(0.12, 1.0, smoothstep(0.09, 0.12, along));
    var leg = land::glossy(
        mix(cuticle, shell_color, plated), mix(0.05, 0.08, plated), min(0.28 + 30.0 * width, 0.8));
    leg.sheen = mix(0.9, 1.5, plated);
    leg.translucency = mix(mix(0.8, 1.2, smoothstep(1.0, 1.25, along)), 0.2, plated);
    // Reflections of the sky would break into blots on the thin tarsus.
    leg.specular *= 1.0 - 0.5 * toward_claws;
    // Spines are dark: light on their edges, narrower than a pixel, would break into dots.
    let tibia = from_segment(p - bones.knee, tibia_segment);
    let off = length(tibia.xyz - tibia_bow(tibia.w) * outward) - tibia_radius(tibia.w);
    let spine = step(1.25, along) * (1.0 - step(2.0, along)) * smoothstep(-0.001, 0.004, off);
    leg.albedo = mix(leg.albedo, mix(0.3 * leg_color, dark, 0.5), spine);
    leg.sheen *= 1.0 - spine;
    leg.specular *= 1.0 - spine;
    leg.translucency *= 1.0 - spine;
    return leg;
}

// Fraction of shell at a point of a leg, 1 on the coxa up to its end, the hinge of the femur, with
// a border at least `width` wide.
fn shell_share(p: vec3f, width: f32) -> f32 {
    let bones = walker::current.bones;
    let coxa = from_segment(p - bones.hip, coxa_segment);
    let above = length(coxa.xyz) - coxa_radius(coxa.w);
    return (1.0 - smoothstep(0.004, 0.010 + width, above)) * (1.0 - smoothstep(0.80, 0.92, coxa.w));
}

override fn land::material(point: land::Point) -> land::Material {
    if point.on_leg {
        return leg_material(point.position, point.along, point.width);
    }
    let p = point.position;
    // Highlights narrower than a pixel would break into dots.
    let dull = min(0.24 + 12.0 * point.width, 0.8);
    if point.id == ANTENNA {
        // Segments with dark ends, and a dark club.
        var feeler = antennae::left;
        if p.z > 0.0 {
            feeler = antennae::right;
        }
        let along = sdf::along_segment(p, feeler.a, feeler.e);
        let joint = smoothstep(0.30, 0.48, abs(fract(13.0 * along) - 0.5));
        let dark = 0.7 * max(joint, smoothstep(0.80, 0.85, along));
        let dull = min(0.3 + 30.0 * point.width, 0.8);
        var antenna = land::glossy(leg_color * (1.0 - dark), 0.05, dull);
        antenna.translucency = 0.8;
        return antenna;
    }
    if point.id == SKULL {
        let q = head_space(p);
        let eye = eye_share(q, point.width);
        // An amber ring around the eyes, and amber mandibles with dark tips.
        let ring = 160.0 * eye_distance(q) - 1.5;
        let amber = max(jaw_share(q) * (1.0 - smoothstep(0.42, 0.58, q.x)), exp(-ring * ring));
        // `eye_surface` gives the eyes their colours.
        var skull = shell_material(
            mix(shell_color, 0.8 * leg_color, amber), 0.07, mix(dull, 0.11, eye));
        skull.sheen *= 1.0 - eye;
        return skull;
    }
    // Amber skin between the plates of the abdomen, and at both ends of the front plate.
    let behind = fract(plate(abdomen_space(p)));
    let skin = 1.0 - select(
        smoothstep(0.002, 0.016, abs(abs(p.x - 0.23) - 0.19)),
        smoothstep(0.02, 0.30, behind), p.x < -0.40);
    let color = mix(shell_color, leg_color * vec3f(1.8, 2.5, 2.3), 0.8 * skin);
    return shell_material(color, 0.08 - 0.04 * skin, dull);
}

// Fraction of mandible at q (head space): in front of a plane that cuts off the face.
fn jaw_share(q: vec3f) -> f32 {
    return smoothstep(0.40, 0.42, 0.8 * q.x - 0.6 * q.y + 0.3 * abs(q.z) - 0.024);
}

// Fraction of eye at q (head space), with a border of two pixels of `width`.
fn eye_share(q: vec3f, width: f32) -> f32 {
    // The eye begins where it rises from the fillet around it.
    return 1.0 - smoothstep(-width, width, eye_distance(q) - 0.004);
}

// Offset from the middle of the nearest hexagonal facet of the eyes, in facets; q is in head
// space.
fn facet(q: vec3f) -> vec2f {
    // Lambert's projection of a sphere, from the front and outer side of the eye.
    let u = (vec3f(q.xy, abs(q.z)) - EYE_CENTER) / EYE_RADII;
    let across = FACETS * vec2f(0.7071 * (u.x - u.z), u.y)
        * inverseSqrt(max(0.5 + 0.3536 * (u.x + u.z), 0.1));
    let hex = vec2f(1.0, 1.7320508);
    let a = fract(across / hex) * hex - 0.5 * hex;
    let b = fract(across / hex + 0.5) * hex - 0.5 * hex;
    return select(b, a, dot(a, a) < dot(b, b));
}

// `skull`, of which `share` is an eye, at q (head space), seen along `direction` at the cosine
// `facing`: domes that turn from copper to green toward the viewer. The facets that look at the
// viewer return no light: a dark spot, the pseudopupil, follows it. `width` is that of a pixel.
fn eye_surface(
    skull: light::Surface,
    share: f32,
    q: vec3f,
    direction: vec3f,
    facing: f32,
    width: f32,
) -> light::Surface {
    var eye = skull;
    let off = facet(q);
    // Facets fade from four pixels to two.
    let fine = smoothstep(0.0, 0.4, facing) * saturate(2.0 - 4.0 * FACETS / EYE_RADII.x * width);
    let dome = 1.0 - 1.5 * fine * dot(off, off);
    let clear = dome * (1.0 - 0.8 * smoothstep(0.93, 0.995, facing));
    let tint = mix(vec3f(1.0, 0.3, 0.06), vec3f(0.1, 0.85, 0.42), smoothstep(0.35, 0.95, facing));
    // The horizon is sharper than on the shell.
    let above = smoothstep(-0.12, 0.12, reflect(direction, skull.normal).y);
    let rim = (1.0 - facing) * (1.0 - facing);
    let ahead = vec3f(0.7071, 0.0, -0.7071 * sign(q.z));
    let tilt = 0.10 * share * fine * (off.x * ahead + vec3f(0.0, off.y, 0.0));
    let mirrored = clear * mix(0.14, 0.26, above) * (0.4 + 0.6 * tint);
    eye.normal = normalize(skull.normal + tilt);
    eye.albedo = mix(skull.albedo, 0.06 * clear * tint, share);
    eye.f0_color = mix(skull.f0_color, mirrored, share);
    // Low light from behind glows at the rim.
    eye.translucency = mix(skull.translucency, 9.0 * rim * rim, share);
    return eye;
}

override fn land::adjust_material(
    base: light::Surface,
    point: land::Point,
    direction: vec3f,
) -> light::Surface {
    var surface = base;
    let facing = clamp(dot(point.normal, -direction), 0.0, 1.0);
    // Dull at silhouettes, where bright rims in front of other parts would be stepped.
    surface.roughness = mix(1.0, base.roughness, smoothstep(0.0, 0.25, facing));
    // Iridescence and punctures are those of the shell.
    var share = f32(point.id != ANTENNA);
    let q = head_space(point.position);
    // Axes of the rows of punctures: along trunk, cheeks and coxae, and from eye to eye.
    var axes = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    var middle = vec3f(0.0);
    var count = ON_TRUNK;
    if point.on_leg {
        let axis = coxa_segment.xyz * sqrt(coxa_segment.w);
        let across = normalize(vec3f(-axis.z, 0.0, axis.x + 1e-6));
        axes = mat3x3f(axis, cross(across, axis), across);
        middle = walker::current.bones.hip;
        count = ON_COXA;
        share = shell_share(point.position, point.width);
        // Light shines through where a leg is thin: at its edges.
        surface.translucency *= 1.9 - 1.4 * facing;
    } else if point.id == SKULL {
        let ahead = vec3f(head.x, 0.0, head.y);
        let across = vec3f(-head.y, 0.0, head.x);
        axes = mat3x3f(across, ahead, vec3f(0.0, 1.0, 0.0));
        middle = NECK + 0.2 * ahead;
        count = ON_FACE;
        if abs(q.z) > 0.12 {
            axes = mat3x3f(ahead, vec3f(0.0, 1.0, 0.0), across);
            count = ON_CHEEK;
        }
        let eye = eye_share(q, point.width);
        surface = eye_surface(surface, eye, q, direction, facing, point.width);
        share = (1.0 - eye) * (1.0 - jaw_share(q));
    }
    let width = point.width / max(facing, 0.1);
    let pits = punctures((point.position - middle) * axes, point.normal * axes, count, width);
    // Green toward the viewer, violet at the rims of the back, gold at those of the belly.
    let film = shading::thin_film(facing, 1.80 - 0.14 * max(point.normal.y, 0.0));
    // The insect's own shadow is below it, and the crease between coxa and thorax is dark.
    let coxa = from_segment(point.position - walker::current.bones.hip, coxa_segment);
    let from_crease = select(length(coxa.xyz) - 0.08, 0.5 * coxa.w - 0.02, point.on_leg);
    let open = smoothstep(-0.08, 0.18, from_crease)
        * (1.0 - 0.8 * share * smoothstep(0.3, -0.6, point.normal.y));
    surface.f0_color *= open * mix(vec3f(1.0), (1.0 - 0.5 * pits.w) * (0.7 + 3.1 * film), share);
    surface.albedo *= open;
    let relief = share * smoothstep(0.0, 0.5, facing) * pits.xyz;
    surface.normal = normalize(surface.normal + axes * relief);
    return surface;
}
