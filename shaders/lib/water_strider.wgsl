#define_import_path tarsus::water_strider

#import tarsus::antennae
#import tarsus::bounds
#import tarsus::camera
#import tarsus::frame
#import tarsus::ik
#import tarsus::land
#import tarsus::light
#import tarsus::limb
#import tarsus::palette
#import tarsus::pointer
#import tarsus::raymarch
#import tarsus::rays
#import tarsus::sdf
#import tarsus::walk
#import tarsus::walker

// Water strider, an insect that stands and rows on still water: the `walker` of a scene
// that imports this module. The water is level at y = 0; the scene draws it, with `pool`.

/// Appearance of the strider.
struct Appearance {
    /// Albedo of back and legs, of the lines and flanks, and of the legs' joints, as display
    /// values.
    back: vec3f,
    stripe: vec3f,
    joint: vec3f,
    /// Albedo of the belly, as display values.
    belly: vec3f,
    /// Albedo of the pile of fine hair, which shows at grazing angles, as display values.
    pile: vec3f,
    /// Hair, 0 to 1: dulls trunk and eyes, blurs the flanks into the back, and dims legs and
    /// antennae against the light. From 0.5 on, tufts show.
    hair: f32,
    /// Factor on the length of femur and tibia; longer ones bend more.
    bend: f32,
}

/// Appearance of the strider. Its colours are evaluated once per frame.
virtual fn appearance() -> Appearance {
    return Appearance(
        vec3f(0.1756, 0.1382, 0.0999),
        vec3f(0.8095, 0.6343, 0.3492),
        vec3f(0.6872, 0.5371, 0.2934),
        vec3f(0.2478, 0.2348, 0.2209),
        vec3f(0.9547, 0.8095, 0.6500),
        0.0,
        1.0,
    );
}

/// Walk of the strider.
struct Style {
    /// Periods of the path per loop.
    rounds: u32,
    /// Moves the legs in pairs instead of in waves.
    in_pairs: bool,
    /// Strength of bursts and rests, 0 to 1.
    bursts: f32,
    /// Length of `walk::Stride`, at most 1.45, and its duty.
    stride: f32,
    duty: f32,
    /// Height of the body's middle above the water.
    height: f32,
}

/// Walk of the strider.
virtual fn style() -> Style {
    return Style(1u, false, 0.3, 1.4, 0.60, 0.46);
}

override fn walk::ground(p: vec2f) -> f32 {
    return 0.0;
}

// ---- Walk ------------------------------------------------------------------------

// Hips in body space, on the right.
const FRONT_HIP: vec3f = vec3f(0.40, -0.085, 0.135);
const MIDDLE_HIP: vec3f = vec3f(0.13, -0.07, 0.21);
const HIND_HIP: vec3f = vec3f(-0.25, -0.07, 0.18);

// The front legs are short, the others longer than the body; the tarsi lie almost flat.
override fn walker::plan(row: u32) -> walker::Plan {
    var hip = FRONT_HIP;
    var foot = vec2f(1.05, 0.58);
    var bones = vec3f(0.62, 0.57, 0.20);
    if row > 0u {
        hip = select(HIND_HIP, MIDDLE_HIP, row == 1u);
        foot = select(vec2f(-1.58, 1.46), vec2f(0.72, 1.95), row == 1u);
        bones = select(vec3f(1.08, 0.94, 0.52), vec3f(0.96, 0.80, 0.52), row == 1u);
    }
    let bend = appearance().bend;
    let lengths = ik::LegLengths(0.0, bend * bones.x, bend * bones.y, bones.z);
    // The femora of the front legs point ahead; the knees of the others bend outward, low
    // over the water.
    var pole = vec3f(0.85, 0.5, 0.0);
    if row > 0u {
        pole = select(vec3f(-0.2, 0.7, 0.7), vec3f(0.6, 0.8, 0.4), row == 1u);
    }
    let outward = normalize(foot - hip.xz);
    return walker::Plan(hip, foot, lengths, pole, vec3f(2.6 * outward.x, -1.0, 2.6 * outward.y));
}

// The front legs, which seize prey, are stout.
override fn walker::radii(index: u32) -> limb::Radii {
    let is_front = walker::row_of(index) == 0u;
    return limb::Radii(0.0, 0.024, 0.014, 0.009, 0.0042, select(0.13, 0.19, is_front));
}

// Heights of the arcs of femur and tibia, and sag of the tarsus relative to its rise: its
// tip lies flat on the water.
const FEMUR_BOW: f32 = 0.018;
const TIBIA_BOW: f32 = 0.013;
const TARSUS_SAG: f32 = 0.6;

// The largest sag is a quarter of TARSUS_SAG times the rise, which is less than 0.2.
override fn walker::leg_margins() -> vec3f {
    return vec3f(FEMUR_BOW, TIBIA_BOW, 0.05 * TARSUS_SAG);
}

// Arcs of the current leg's bones, perpendicular to them: four times the offset of the middle.
var<private> femur_arc: vec3f;
var<private> tibia_arc: vec3f;
var<private> tarsus_arc: vec3f;

// Part of v that is perpendicular to a bone.
fn across(v: vec3f, bone: vec3f) -> vec3f {
    return v - bone * (dot(v, bone) / dot(bone, bone));
}

override fn walker::prepare_leg(leg: walker::Limb) {
    let bones = leg.bones;
    let outward = normalize(
        across(bones.knee - bones.hip, bones.ankle - bones.hip) + vec3f(0.0, 1e-6, 0.0));
    // Shadows are those of straight legs (`limb::leg_shadow_clearance`).
    let bend = select(1.0, 0.0, rays::is_secondary_ray);
    femur_arc = across(4.0 * FEMUR_BOW * bend * outward, bones.knee - bones.hip);
    tibia_arc = across(4.0 * TIBIA_BOW * bend * outward, bones.ankle - bones.knee);
    let tarsus = bones.foot - bones.ankle;
    tarsus_arc = across(vec3f(0.0, TARSUS_SAG * bend * tarsus.y, 0.0), tarsus);
}

// Distance from a bone with an arc; `seen` is the position relative to the straight bone.
fn from_arc(seen: vec4f, arc: vec3f) -> f32 {
    return length(seen.xyz - seen.w * (1.0 - seen.w) * arc);
}

// Femur and tibia bow outward, and the tibia is thick at the knee.
override fn walker::leg_distance(p: vec3f, leg: walker::Limb) -> f32 {
    let bones = leg.bones;
    let radii = walker::radii(leg.index);
    let femur = sdf::from_segment(p, bones.hip, bones.knee);
    let tibia = sdf::from_segment(p, bones.knee, bones.ankle);
    let tarsus = sdf::from_segment(p, bones.ankle, bones.foot);
    let below_knee = max(1.0 - 7.0 * tibia.w, 0.0);
    let to_femur = from_arc(femur, femur_arc) - limb::femur_radius(femur.w, radii);
    let to_tibia = from_arc(tibia, tibia_arc) - mix(radii.knee, radii.ankle, tibia.w)
        - 0.006 * below_knee * below_knee;
    let to_tarsus = from_arc(tarsus, tarsus_arc) - mix(radii.ankle, radii.foot, tarsus.w);
    return min(sdf::smooth_union(to_femur, to_tibia, 0.008), to_tarsus);
}

// No fillet: the hips have a crease.
override fn walker::hip_fillet() -> f32 {
    return 0.0;
}

/// Seconds after which the walk repeats.
const LOOP_SECONDS: f32 = 20.0;

override fn walk::loop_route() -> walk::Loop {
    return walk::Loop(LOOP_SECONDS, f32(style().rounds));
}

override fn walk::stride() -> walk::Stride {
    // Two of three pairs are down.
    let duty = select(style().duty, max(style().duty, 0.67), style().in_pairs);
    // A foot that stands longer takes shorter steps, so that no leg overreaches.
    return walk::Stride(style().stride * min(0.60 / duty, 1.0), duty, 0.34);
}

override fn walk::progress(x: f32) -> f32 {
    return walk::with_waves(x, 5.0, 0.9 * style().bursts);
}

// Waves of steps, or pairs that row one after the other, from the middle to the front. Both
// feet of a pair land at once, as water striders row.
override fn walk::phase(row: u32, side: f32, cycles: f32) -> f32 {
    let pair = f32((4u - row) % 3u) / 3.0;
    let wave = walk::metachronal_phase(row, side, walk::duty_near(cycles));
    return select(wave, pair, style().in_pairs);
}

override fn walker::clearance() -> f32 {
    return style().height;
}

override fn walker::body_follow() -> walker::BodyFollow {
    return walker::BodyFollow(1.0, 0.04, 0.03);
}

// Sinks twice per cycle, as the feet change over, and pitches with each stroke.
override fn walker::pose(body: walk::Body, time: f32) -> walk::Body {
    let turn = 2.0 * frame::TAU * walk::cycles_at(time);
    let bob = vec3f(0.0, 0.022 * cos(turn), 0.0);
    return walk::lean(body, bob, vec3f(0.04 * sin(turn), 1.0, 0.0));
}

// Indices of scene values: control point and tip of each antenna, with cosine and sine of the
// head's turn, then the abdomen's bend up and to the right, in w; last steps of each leg; linear
// colours of `appearance`.
const ANTENNAE: u32 = 0u;
const STEPS_AT: u32 = 4u;
const COLORS: u32 = STEPS_AT + STEPS;
/// Number of steps that `past_step` knows, in total and per leg.
const STEPS: u32 = LAST_STEPS * walker::LEGS;
const LAST_STEPS: u32 = 3u;

// Joint of the neck, and base of the right antenna relative to it.
const NECK: vec3f = vec3f(0.54, 0.0, 0.0);
const ANTENNA_BASE: vec3f = vec3f(0.16, 0.05, 0.05);

// Point in body space of a point relative to the neck, for a head turned by the angle with
// the cosine and sine `turn`.
fn turned(p: vec3f, turn: vec2f) -> vec3f {
    return NECK + camera::rotate_y(p, vec2f(turn.x, -turn.y));
}

// Cosine and sine of the head's turn toward the pointer.
fn head_turn_toward_pointer() -> vec2f {
    let seen = walk::to_body(walker::posed_body, pointer::point_at(walker::frame_camera, 5.0));
    let angle = select(0.0, pointer::head_turn(seen, 0.8), pointer::is_present());
    return vec2f(cos(angle), sin(angle));
}

// Antennae and abdomen follow the footfalls.
override fn walker::response_delay(index: u32) -> f32 {
    return 0.12;
}

override fn walker::scene_value(index: u32, time: f32) -> vec4f {
    if index >= COLORS {
        let colors = appearance();
        var color = colors.back;
        color = select(color, colors.stripe, index == COLORS + 1u);
        color = select(color, colors.joint, index == COLORS + 2u);
        color = select(color, colors.belly, index == COLORS + 3u);
        color = select(color, colors.pile, index == COLORS + 4u);
        return vec4f(palette::linear_from_display(color), 0.0);
    }
    if index >= STEPS_AT {
        let at = index - STEPS_AT;
        return walker::past_step(at / LAST_STEPS, at % LAST_STEPS, time);
    }
    let side = select(-1.0, 1.0, index >= 2u);
    let w = frame::TAU / walk::period() * time;
    let drop = walker::delayed_response.y;
    let sway = vec3f(0.0, 0.06 * sin(17.0 * w + side) + 3.0 * drop, 0.05 * sin(13.0 * w));
    let bones = ik::solve3_clamp(
        vec3f(0.38 + 0.04 * side, 0.32 - 0.03 * side, 0.26 * side) + sway,
        0.29, 0.32, vec3f(-0.6, 1.0, 0.3 * side));
    let turn = head_turn_toward_pointer();
    let joint = select(bones.end, bones.mid, index % 2u == 0u);
    let p = ANTENNA_BASE * vec3f(1.0, 1.0, side) + joint;
    let bend = vec2f(3.0 * drop, 0.04 * sin(frame::TAU * walk::cycles_at(time)));
    let kept = select(turn, bend, index >= 2u);
    return vec4f(turned(p, turn), kept[index % 2u]);
}

/// One of the last steps: xy = foothold in world xz, z = seconds since touch-down there, w
/// = seconds since lift-off, negative while the foot stands. Leg n has the steps from
/// LAST_STEPS n on, its last one first.
fn past_step(index: u32) -> vec4f {
    return walker::read_scene_value(STEPS_AT + index);
}

// Cosine and sine of the head's turn.
var<private> head_turn: vec2f;
// Bend of the abdomen: shift of its tip, up and to the right.
var<private> abdomen_bend: vec2f;
// Appearance, with linear colours.
var<private> linear_appearance: Appearance;

// Rounding of the antennae's elbows, 0 to 1.
const ELBOW: f32 = 0.7;

// Two halves with an elbow between them. Both bow outward (`antenna_distance`): the lower one
// close to the elbow, the upper one along its whole length.
fn antenna(side: f32, first: u32) -> limb::Curve {
    let base = turned(ANTENNA_BASE * vec3f(1.0, 1.0, side), head_turn);
    let elbow = walker::read_scene_value(first).xyz;
    let tip = walker::read_scene_value(first + 1u).xyz;
    let arc = ELBOW * (elbow - 0.5 * (base + tip));
    return limb::Curve(
        base,
        0.5 * (base + elbow) + 0.125 * across(arc, elbow - base),
        elbow,
        0.5 * (elbow + tip) + 0.25 * across(arc, tip - elbow),
        tip,
    );
}

// Distance to the antenna on the side of p, at q in head space.
fn antenna_distance(p: vec3f, q: vec3f) -> f32 {
    var nearest = antennae::left;
    if q.z > 0.0 {
        nearest = antennae::right;
    }
    let radii = antennae::thickness();
    let lower_arc = 8.0 * nearest.b - 4.0 * (nearest.a + nearest.c);
    let upper_arc = 4.0 * nearest.d - 2.0 * (nearest.c + nearest.e);
    let below = sdf::from_segment(p, nearest.a, nearest.c);
    let above = sdf::from_segment(p, nearest.c, nearest.e);
    let lower = from_arc(below, below.w * lower_arc) - mix(radii.x, radii.y, 0.5 * below.w);
    let upper = from_arc(above, upper_arc) - mix(radii.x, radii.y, 0.5 + 0.5 * above.w);
    // Limits steps so that they do not pass the antenna on the other side, which begins ahead of
    // the head's middle.
    return min(min(lower, upper), max(abs(q.z), 0.1 - q.x) + 0.03);
}

/// Sets head, antennae, abdomen and colours. Call at every pixel before tracing rays against the
/// strider.
fn prepare() {
    head_turn = vec2f(
        walker::read_scene_value(ANTENNAE).w, walker::read_scene_value(ANTENNAE + 1u).w);
    abdomen_bend = vec2f(
        walker::read_scene_value(ANTENNAE + 2u).w, walker::read_scene_value(ANTENNAE + 3u).w);
    linear_appearance = appearance();
    linear_appearance.back = walker::read_scene_value(COLORS).xyz;
    linear_appearance.stripe = walker::read_scene_value(COLORS + 1u).xyz;
    linear_appearance.joint = walker::read_scene_value(COLORS + 2u).xyz;
    linear_appearance.belly = walker::read_scene_value(COLORS + 3u).xyz;
    linear_appearance.pile = walker::read_scene_value(COLORS + 4u).xyz;
    antennae::left = antenna(-1.0, ANTENNAE);
    antennae::right = antenna(1.0, ANTENNAE + 2u);
}

// ---- Shape -----------------------------------------------------------------------

const TRUNK: u32 = 0u;
const EYE: u32 = 1u;
const ANTENNA: u32 = 2u;

// Place where the flanks' bands begin, which mark the abdomen's plates.
const FIRST_PLATE: f32 = -0.2;

override fn walker::trunk(p: vec3f) -> raymarch::Sample {
    let thorax = sdf::ellipsoid(p - vec3f(0.12, 0.0, 0.0), vec3f(0.50, 0.150, 0.165));
    // The nearest coxa of this side: a short cone that ends before the hip.
    let side = vec3f(p.xy, abs(p.z));
    let is_front = side.x > 0.26;
    let is_hind = side.x < 0.02 - 0.4 * side.z;
    let root = select(
        vec3f(select(0.12, -0.15, is_hind), -0.03, 0.08), vec3f(0.38, -0.03, 0.05), is_front);
    let hip = select(select(MIDDLE_HIP, HIND_HIP, is_hind), FRONT_HIP, is_front);
    let coxa = sdf::tapered_capsule(side, root, hip - vec3f(0.0, 0.0, 0.012), 0.08, 0.05);
    let along = sdf::from_segment(
        p, vec3f(-0.15, 0.015, 0.0), vec3f(-1.0, vec2f(0.06, 0.0) + abdomen_bend));
    let abdomen = length(along.xyz) - 0.130 + along.w * (0.060 + 0.062 * along.w);
    let q = camera::rotate_y(p - NECK, head_turn);
    let head = sdf::ellipsoid(q - vec3f(0.08, 0.03, 0.0), vec3f(0.125, 0.085, 0.085));
    let beak = sdf::tapered_capsule(
        q, vec3f(0.18, 0.0, 0.0), vec3f(0.26, -0.16, 0.0), 0.032, 0.010);
    let body = sdf::smooth_union(sdf::smooth_union(thorax, abdomen, 0.08), coxa, 0.05);
    let whole = sdf::smooth_union(sdf::smooth_union(body, head, 0.05), beak, 0.03);
    let eye = sdf::sphere(vec3f(q.xy, abs(q.z)) - vec3f(0.100, 0.052, 0.072), 0.058);
    let solid = raymarch::nearest(raymarch::Sample(whole, TRUNK), raymarch::Sample(eye, EYE));
    if rays::is_secondary_ray {
        return solid;
    }
    return raymarch::nearest(solid, raymarch::Sample(antenna_distance(p, q), ANTENNA));
}

override fn walker::trunk_bound() -> walker::Capsule {
    return walker::Capsule(vec3f(-0.7, 0.05, 0.0), vec3f(0.9, 0.05, 0.0), 0.50);
}

override fn walker::trunk_span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    let trunk = bounds::capsule_span(
        origin, direction, vec3f(-1.0, 0.02, 0.0), vec3f(0.70, -0.04, 0.0), 0.255 + margin);
    if rays::is_secondary_ray {
        return trunk;
    }
    return bounds::hull(trunk, antennae::span(origin, direction, margin));
}

override fn antennae::thickness() -> vec2f {
    return vec2f(0.014, 0.006);
}

// ---- Skin ------------------------------------------------------------------------

override fn land::material(point: land::Point) -> land::Material {
    let colors = linear_appearance;
    if point.on_leg {
        // Pale at the hip, the joints and the tip.
        let pale = 1.0 - smoothstep(0.04, 0.24, abs(point.along - round(point.along)));
        let color = mix(colors.back, colors.joint, 0.2 + 0.65 * pale);
        // Highlights narrower than a pixel would break into dots.
        var cuticle = land::glossy(color, 0.08, min(0.35 + 45.0 * point.width, 0.9));
        cuticle.sheen = 1.0;
        cuticle.translucency = 0.8 - 0.5 * colors.hair;
        return cuticle;
    }
    if point.id == EYE {
        // Dark in the middle, with a glint of the sky.
        let normal = vec3f(point.normal.xy, abs(point.normal.z));
        let glint = 2.8 * smoothstep(0.94, 0.98, dot(normal, vec3f(0.34, 0.76, 0.55)));
        let bright = vec3f(0.42, 0.105, 0.037) * (1.05 - normal.z) + glint;
        var eye = land::glossy(mix(bright, vec3f(0.032, 0.008, 0.005), colors.hair), 0.09, 0.28);
        eye.translucency = 1.6;
        return eye;
    }
    if point.id == ANTENNA {
        var antenna = land::glossy(colors.back, 0.05, 0.32);
        antenna.sheen = 0.6 * colors.hair;
        antenna.translucency = 0.65 - 0.5 * colors.hair;
        return antenna;
    }
    // The markings rise and bend with the abdomen.
    let along = max(-1.2 * point.position.x - 0.18, 0.0);
    let p = point.position - vec3f(0.0, along * (abdomen_bend + vec2f(0.05, 0.0)));
    let soft = 0.05 * colors.hair;
    // Lines on the back, bands between its plates, and pale flanks. The belly is dark and matt:
    // with highlights it would fade into the water behind its edge.
    let belly = (1.0 - smoothstep(-0.10 - soft, -0.07 + soft, p.y))
        * (1.0 - smoothstep(0.55, 0.70, p.x));
    let near_line = 1.0 - smoothstep(0.018, 0.030, abs(abs(p.z) - 0.062));
    let line = near_line
        * clamp(min(25.0 * p.y, min(2.5 * p.x + 1.75, 4.2 - 8.4 * p.x)), 0.0, 1.0);
    let flank = smoothstep(-0.05 - soft, -0.02, p.y)
        * (1.0 - smoothstep(-soft, 0.035 + 0.6 * soft, p.y));
    let behind = fract(7.3 * (FIRST_PLATE - p.x));
    let ring = smoothstep(0.45, 0.6, behind) * (1.0 - smoothstep(0.85, 0.95, behind));
    let marked = max(
        mix(1.0, 0.6, colors.hair) * line, flank * select(ring, 1.0, p.x > FIRST_PLATE));
    let coxa = smoothstep(0.155, 0.18, abs(p.z));
    let back = mix(colors.back, colors.stripe, marked * (1.0 - coxa));
    let color = mix(back, colors.belly, belly);
    var velvet = land::glossy(color, 0.04, mix(mix(0.34, 0.55, colors.hair), 1.0, belly));
    velvet.bumps = 0.06 * max(2.0 * colors.hair - 1.0, 0.0);
    velvet.grain = 70.0;
    velvet.sheen = 1.4 * (1.0 - belly);
    return velvet;
}

// Fine hair on the back and the legs is bright at their edges. Seen from below, in the mirror
// image, it would break into dots.
override fn land::adjust_material(
    surface: light::Surface,
    point: land::Point,
    direction: vec3f,
) -> light::Surface {
    var seen = surface;
    let is_trunk = !point.on_leg && point.id == TRUNK;
    // Sides of legs and antennae narrower than a pixel would break into dots too, bare ones first.
    let is_thin = point.on_leg || point.id == ANTENNA;
    let thin = select(0.0, smoothstep(0.004 * linear_appearance.hair, 0.016, point.width), is_thin);
    seen.normal = normalize(mix(surface.normal, -direction, thin));
    // In the mirror image, light that shines through would outline the legs.
    seen.translucency *= step(direction.y, 0.0);
    let edge = 1.0 - max(dot(seen.normal, -direction), 0.0);
    let is_hairy = (point.on_leg || is_trunk) && direction.y < 0.0;
    let shown = select(0.0, smoothstep(-0.4, 0.4, seen.normal.y), is_hairy);
    seen.albedo = mix(seen.albedo, linear_appearance.pile, 0.85 * edge * edge * edge * shown);
    return seen;
}
