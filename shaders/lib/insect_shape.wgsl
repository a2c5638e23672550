#define_import_path tarsus::insect_shape

#import tarsus::bounds
#import tarsus::brute_force
#import tarsus::camera
#import tarsus::insect::{Limb, LEGS, NECK, animal}
#import tarsus::limb
#import tarsus::parts
#import tarsus::raymarch
#import tarsus::sdf
#import tarsus::rays

// The shape of the insect (`insect`) as distances in body space, and its bounds for rays. It
// overrides what `raymarch`, `parts` and `rays` ask of the animal: a scene that imports it
// traces the insect.

/// A leg with the spines of its tibia.
struct SpinedLeg {
    part: Limb,
    /// Unit vectors perpendicular to the tibia: away from the femur, and to the side.
    outward: vec3f,
    sideways: vec3f,
}

fn with_spines(part: Limb) -> SpinedLeg {
    let leg = part.bones;
    let tibia = normalize(leg.ankle - leg.knee);
    let sideways = normalize(cross(tibia, leg.knee - leg.trochanter) + vec3f(1e-6, 0.0, 0.0));
    return SpinedLeg(part, cross(sideways, tibia), sideways);
}

fn leg_of(part: u32) -> Limb {
    var picked = animal.legs[0];
    if part == 1u {
        picked = animal.legs[1];
    }
    if part == 2u {
        picked = animal.legs[2];
    }
    if part == 3u {
        picked = animal.legs[3];
    }
    if part == 4u {
        picked = animal.legs[4];
    }
    if part == 5u {
        picked = animal.legs[5];
    }
    return picked;
}

/// The current part (`parts::select_part`).
var<private> current_leg: SpinedLeg;

override fn parts::select_part(part: u32) {
    current_leg = with_spines(leg_of(part));
}

/// Radius of the femur at h from the trochanter (0) to the knee (1).
fn femur_radius(h: f32) -> f32 {
    let belly = h * (1.0 - h) * (1.0 - h);
    return 0.040 + 0.30 * belly;
}

/// Radius of the tibia at h from the knee (0) to the ankle (1), with rings of bristles.
fn tibia_radius(h: f32) -> f32 {
    return 0.046 - 0.024 * h + 0.004 * sin(44.0 * h) * h;
}

/// Number of spines on each side of the tibia, if it were covered all along.
const SPINES: f32 = 8.0;

/// Distance to the nearest spine. `from_axis` is the vector from the tibia's axis to the point,
/// `along` its fraction of the tibia from the knee, `tibia` the vector from knee to ankle.
fn spine_distance(from_axis: vec3f, along: f32, tibia: vec3f, leg: SpinedLeg) -> f32 {
    let nearest = clamp(floor(along * SPINES), 2.0, SPINES - 1.0) + 0.25;
    let down = (along - nearest / SPINES) * tibia;
    let side = leg.sideways * sign(dot(from_axis, leg.sideways));
    let out = 0.55 * leg.outward + 0.83 * side;
    let tip = 0.085 * out + 0.045 * tibia;
    let p = from_axis + down;
    let h = clamp(dot(p, tip) / dot(tip, tip), 0.0, 1.0);
    return length(p - h * tip) - mix(0.011, 0.001, h);
}

fn spined_leg_distance(p: vec3f, spined: SpinedLeg) -> f32 {
    let leg = spined.part.bones;
    let femur = sdf::along_segment(p, leg.trochanter, leg.knee);
    let tibia = sdf::along_segment(p, leg.knee, leg.ankle);
    let tarsus = sdf::along_segment(p, leg.ankle, leg.foot);
    let from_tibia = p - mix(leg.knee, leg.ankle, tibia);
    let to_femur = length(p - mix(leg.trochanter, leg.knee, femur)) - femur_radius(femur);
    let to_tibia = length(from_tibia) - tibia_radius(tibia);
    let to_spines = spine_distance(from_tibia, tibia, leg.ankle - leg.knee, spined);
    let to_tarsus = length(p - mix(leg.ankle, leg.foot, tarsus)) - mix(0.026, 0.009, tarsus);
    let knee = sdf::sphere(p - leg.knee, 0.056);
    let coxa = sdf::capsule(p, leg.hip, leg.trochanter, 0.078);
    let upper = sdf::smooth_union(coxa, to_femur, 0.04);
    let lower = sdf::smooth_union(min(to_tibia, to_spines), to_tarsus, 0.03);
    return min(sdf::smooth_union(upper, knee, 0.02), lower);
}

/// Number of the abdomen's plates, which overlap toward the tail.
const PLATES: f32 = 7.0;

/// Abdomen space: origin at the waist, x along the abdomen, which hangs by 10°.
fn abdomen_space(p: vec3f) -> vec3f {
    let q = p - vec3f(-0.34, 0.06, 0.0);
    return vec3f(0.985 * q.x + 0.174 * q.y, 0.985 * q.y - 0.174 * q.x, q.z);
}

/// Number of the plate at q of abdomen space, with the fraction from its front to its rear edge.
fn plate(q: vec3f) -> f32 {
    return -q.x * PLATES / 1.38;
}

fn abdomen_distance(p: vec3f) -> f32 {
    let q = abdomen_space(p);
    let tail = clamp(-q.x / 1.4, 0.0, 1.0);
    let shape = sdf::ellipsoid(q - vec3f(-0.66, 0.0, 0.0), vec3f(0.72, 0.33, 0.39));
    let part = fract(plate(q));
    let edge = part * part * part * (1.0 - smoothstep(0.90, 1.0, part));
    let keel = 0.02 * (1.0 - smoothstep(0.0, 0.10, abs(q.z))) * (1.0 - tail);
    return 0.85 * (shape - 0.030 * edge - keel * step(0.0, q.y));
}

fn thorax_distance(p: vec3f) -> f32 {
    let q = p - vec3f(0.10, 0.03, 0.0);
    let shield = sdf::ellipsoid(q - vec3f(0.16, 0.05, 0.0), vec3f(0.34, 0.25, 0.32));
    let rear = sdf::ellipsoid(q - vec3f(-0.22, 0.0, 0.0), vec3f(0.30, 0.20, 0.25));
    let waist = sdf::capsule(p, vec3f(-0.25, 0.0, 0.0), vec3f(-0.48, 0.04, 0.0), 0.10);
    let seam = 0.016 * (1.0 - smoothstep(0.0, 0.035, abs(q.x + 0.06)));
    return sdf::smooth_union(sdf::smooth_union(shield, rear, 0.09) + seam, waist, 0.06);
}

fn body_distance(p: vec3f) -> f32 {
    return sdf::smooth_union(thorax_distance(p), abdomen_distance(p), 0.03);
}

/// A point of body space in head space.
fn head_space(p: vec3f) -> vec3f {
    return camera::rotate_y(p - NECK, animal.head_turn);
}

fn eye_distance(q: vec3f) -> f32 {
    let side = vec3f(q.x, q.y, abs(q.z));
    return sdf::ellipsoid(side - vec3f(0.25, 0.06, 0.150), vec3f(0.105, 0.125, 0.080));
}

fn mandible_distance(q: vec3f) -> f32 {
    let side = vec3f(q.x, q.y, abs(q.z));
    let open = 0.05 * animal.bite;
    let root = vec3f(0.36, -0.09, 0.08);
    let bow = vec3f(0.52, -0.13, 0.13 + open);
    let tip = vec3f(0.66, -0.13, 0.02 + 0.6 * open);
    return min(
        sdf::tapered_capsule(side, root, bow, 0.048, 0.034),
        sdf::tapered_capsule(side, bow, tip, 0.034, 0.006),
    );
}

fn skull_distance(q: vec3f) -> f32 {
    let skull = sdf::ellipsoid(q - vec3f(0.20, 0.0, 0.0), vec3f(0.25, 0.165, 0.19));
    let face = sdf::ellipsoid(q - vec3f(0.32, -0.06, 0.0), vec3f(0.14, 0.10, 0.13));
    let neck = sdf::capsule(q, vec3f(-0.12, 0.0, 0.0), vec3f(0.1, 0.0, 0.0), 0.085);
    return sdf::smooth_union(sdf::smooth_union(skull, face, 0.06), neck, 0.05);
}

fn antennae_distance(p: vec3f) -> f32 {
    return min(
        limb::curve_distance(p, animal.left_antenna, 0.021, 0.006, 0.004),
        limb::curve_distance(p, animal.right_antenna, 0.021, 0.006, 0.004),
    );
}

/// The part that was nearest in the last call of `raymarch::map`.
var<private> nearest_part: u32;
const TRUNK: u32 = 0u;
const SKULL: u32 = 1u;
const EYE: u32 = 2u;
const ANTENNA: u32 = 3u;

// Distance to trunk, head and antennae.
override fn raymarch::map(p: vec3f) -> f32 {
    let q = head_space(p);
    let trunk = body_distance(p);
    let skull = sdf::smooth_union(skull_distance(q), mandible_distance(q), 0.02);
    let eye = eye_distance(q);
    let antennae = antennae_distance(p);
    let head = min(skull, eye);
    let solid = min(trunk, head);
    let of_head = select(SKULL, EYE, eye < skull);
    nearest_part = select(select(TRUNK, of_head, head < trunk), ANTENNA, antennae < solid);
    return min(solid, antennae);
}

override fn parts::map(p: vec3f) -> f32 {
    return spined_leg_distance(p, current_leg);
}

// ---- Bounds for rays -----------------------------------------------------------

/// Largest radius of a leg, with the fillets.
const LEG_RADIUS: f32 = 0.10;
/// Radius of a sphere that contains the animal, around a point near the body's origin.
const EXTENT: f32 = 2.9;

fn leg_span(origin: vec3f, direction: vec3f, part: Limb, margin: f32) -> bounds::Span {
    let leg = part.bones;
    let radius = LEG_RADIUS + margin;
    let upper = bounds::capsule_span(
        origin, direction, leg.hip, leg.knee, radius + part.trochanter_offset);
    let lower = bounds::capsule_span(origin, direction, leg.knee, leg.foot, radius + 0.02);
    return bounds::hull(upper, lower);
}

override fn parts::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return leg_span(origin, direction, current_leg.part, margin);
}

override fn rays::candidates(origin: vec3f, direction: vec3f, margin: f32) -> rays::Candidates {
    let all = bounds::sphere_span(origin, direction, vec3f(0.1, -0.2, 0.0), EXTENT + margin);
    if !bounds::is_ahead(all) {
        return rays::Candidates(bounds::EMPTY, 0u);
    }
    let trunk = bounds::capsule_span(
        origin, direction, vec3f(-1.3, -0.02, 0.0), vec3f(0.3, 0.07, 0.0), 0.44 + margin);
    let head = bounds::sphere_span(origin, direction, vec3f(0.9, 0.0, 0.0), 0.46 + margin);
    let left = limb::curve_span(origin, direction, animal.left_antenna, 0.03 + margin);
    let right = limb::curve_span(origin, direction, animal.right_antenna, 0.03 + margin);
    var legs = 0u;
    let count = select(0u, LEGS, bounds::is_ahead(all));
    for (var leg = 0u; leg < count; leg++) {
        legs |= leg_bit(leg, origin, direction, leg_of(leg), margin);
    }
    let whole = bounds::hull(bounds::hull(trunk, head), bounds::hull(left, right));
    return rays::Candidates(bounds::Span(max(whole.t_near, 0.0), whole.t_far), legs);
}

/// The leg's bit if a ray can meet it, else 0.
fn leg_bit(leg: u32, origin: vec3f, direction: vec3f, part: Limb, margin: f32) -> u32 {
    let bones = part.bones;
    let radius = LEG_RADIUS + margin;
    let upper = radius + part.trochanter_offset;
    let touched = bounds::touches_capsule(origin, direction, bones.hip, bones.knee, upper)
        || bounds::touches_capsule(origin, direction, bones.knee, bones.foot, radius + 0.02);
    return select(0u, 1u << leg, touched);
}

/// A capsule that contains trunk and head.
const TAIL: vec3f = vec3f(-1.3, -0.02, 0.0);
/// Its front end.
const HEAD: vec3f = vec3f(0.9, 0.05, 0.0);
const TRUNK_RADIUS: f32 = 0.52;

override fn rays::trunk_bound(p: vec3f) -> f32 {
    return sdf::capsule(p, TAIL, HEAD, TRUNK_RADIUS);
}

#ifdef REFERENCE

var<private> legs: array<SpinedLeg, LEGS>;

override fn rays::limb_count() -> u32 {
    return LEGS;
}

override fn rays::limbs_distance(p: vec3f) -> f32 {
    return min(
        min(min(spined_leg_distance(p, legs[0]), spined_leg_distance(p, legs[1])),
            min(spined_leg_distance(p, legs[2]), spined_leg_distance(p, legs[3]))),
        min(spined_leg_distance(p, legs[4]), spined_leg_distance(p, legs[5])));
}

/// To be called before rays are traced, once `animal` is set.
fn prepare_reference() {
    legs[0] = with_spines(animal.legs[0]);
    legs[1] = with_spines(animal.legs[1]);
    legs[2] = with_spines(animal.legs[2]);
    legs[3] = with_spines(animal.legs[3]);
    legs[4] = with_spines(animal.legs[4]);
    legs[5] = with_spines(animal.legs[5]);
}

#endif
