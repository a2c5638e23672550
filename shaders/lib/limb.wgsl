#define_import_path tarsus::limb

#import tarsus::bounds
#import tarsus::ik
#import tarsus::sdf

// Legs and feelers as shapes: what a ray can meet of them, how far they are, and
// where along them a point of their surface lies.

// How thick a leg is.
struct Girth {
    coxa: f32,
    // Where the femur begins, at the knee, at the ankle and at the foot.
    femur: f32,
    knee: f32,
    ankle: f32,
    foot: f32,
    // Muscle: what the femur is thicker by a third of the way down.
    swell: f32,
}

// A leg whose knee bends toward `pole` (any length), as birds' do backward and
// people's forward. The tarsus ends on the target and points along the unit
// vector `tarsus_direction`; there is no coxa. Out of reach the leg keeps its
// lengths and `foot` is short of the target.
fn bent_leg(
    foot_target: vec3f,
    hip: vec3f,
    pole: vec3f,
    tarsus_direction: vec3f,
    lengths: ik::LegLengths,
) -> ik::Leg {
    let tarsus = tarsus_direction * lengths.tarsus;
    let bones = ik::solve3_clamp(foot_target - tarsus - hip, lengths.femur, lengths.tibia, pole);
    let ankle = hip + bones.end;
    return ik::Leg(hip, hip, hip + bones.mid, ankle, ankle + tarsus, bones.reached);
}

// Radius of a capsule from hip to knee that holds coxa and femur: the trochanter
// lies off that line.
fn upper_girth(leg: ik::Leg, girth: Girth) -> f32 {
    let thick = max(max(girth.coxa, girth.femur) + 0.15 * girth.swell, girth.knee);
    return thick + sdf::capsule(leg.trochanter, leg.hip, leg.knee, 0.0);
}

// True if a ray (unit direction) can come within `margin` of the leg.
fn leg_touches(
    origin: vec3f,
    direction: vec3f,
    leg: ik::Leg,
    girth: Girth,
    margin: f32,
) -> bool {
    let upper = upper_girth(leg, girth) + margin;
    return bounds::touches_capsule(origin, direction, leg.hip, leg.knee, upper)
        || bounds::touches_capsule(origin, direction, leg.knee, leg.ankle, girth.knee + margin)
        || bounds::touches_capsule(origin, direction, leg.ankle, leg.foot, girth.ankle + margin);
}

// The stretch of it in which it can.
fn leg_span(
    origin: vec3f,
    direction: vec3f,
    leg: ik::Leg,
    girth: Girth,
    margin: f32,
) -> bounds::Span {
    let thick = upper_girth(leg, girth) + margin;
    let upper = bounds::through_capsule(origin, direction, leg.hip, leg.knee, thick);
    let lower = bounds::through_capsule(
        origin, direction, leg.knee, leg.ankle, girth.knee + margin);
    let last = bounds::through_capsule(
        origin, direction, leg.ankle, leg.foot, girth.ankle + margin);
    return bounds::joined(bounds::joined(upper, lower), last);
}

fn femur_radius(h: f32, girth: Girth) -> f32 {
    return mix(girth.femur, girth.knee, h) + girth.swell * h * (1.0 - h) * (1.0 - h);
}

// Distance to a leg. A bound while the swell is gentle.
fn leg_distance(p: vec3f, leg: ik::Leg, girth: Girth) -> f32 {
    let femur = sdf::along_segment(p, leg.trochanter, leg.knee);
    let to_femur = length(p - mix(leg.trochanter, leg.knee, femur)) - femur_radius(femur, girth);
    let coxa = sdf::tapered_capsule(p, leg.hip, leg.trochanter, girth.coxa, girth.femur);
    let tibia = sdf::tapered_capsule(p, leg.knee, leg.ankle, girth.knee, girth.ankle);
    let tarsus = sdf::tapered_capsule(p, leg.ankle, leg.foot, girth.ankle, girth.foot);
    let upper = sdf::smooth_union(coxa, to_femur, 0.4 * girth.femur);
    return min(sdf::smooth_union(upper, tibia, 0.3 * girth.knee), tarsus);
}

// Where p lies along a leg: x = distance from its axis; y = 0 to 1 on the femur,
// 1 to 2 on the tibia, 2 to 3 on the tarsus.
fn place_along(p: vec3f, leg: ik::Leg) -> vec2f {
    let femur = sdf::along_segment(p, leg.trochanter, leg.knee);
    let tibia = sdf::along_segment(p, leg.knee, leg.ankle);
    let tarsus = sdf::along_segment(p, leg.ankle, leg.foot);
    var place = vec2f(distance(p, mix(leg.trochanter, leg.knee, femur)), femur);
    let lower = vec2f(distance(p, mix(leg.knee, leg.ankle, tibia)), 1.0 + tibia);
    let last = vec2f(distance(p, mix(leg.ankle, leg.foot, tarsus)), 2.0 + tarsus);
    place = select(place, lower, lower.x < place.x);
    return select(place, last, last.x < place.x);
}

// A feeler, neck or tail: a curve from base to tip, as five points.
struct Curve {
    a: vec3f,
    b: vec3f,
    c: vec3f,
    d: vec3f,
    e: vec3f,
}

// The quadratic curve from `base` to `tip` that leaves toward `control` and
// arrives from it.
fn curve(base: vec3f, control: vec3f, tip: vec3f) -> Curve {
    let rise = 2.0 * (control - base);
    let fall = tip - base - rise;
    return Curve(
        base,
        base + 0.25 * rise + 0.0625 * fall,
        base + 0.50 * rise + 0.25 * fall,
        base + 0.75 * rise + 0.5625 * fall,
        tip,
    );
}

// Two bones that bend toward `pole` carry a curve from `base` to `tip`.
fn feeler(base: vec3f, tip: vec3f, lower: f32, upper: f32, pole: vec3f) -> Curve {
    let bones = ik::solve3_clamp(tip - base, lower, upper, pole);
    return curve(base, base + bones.mid, base + bones.end);
}

// The stretch of a ray that can meet the curve, `girth` around it.
fn curve_span(origin: vec3f, direction: vec3f, along: Curve, girth: f32) -> bounds::Span {
    // A quadratic curve is nowhere farther from its chord than in the middle.
    let bow = distance(along.c, 0.5 * (along.a + along.e));
    return bounds::through_capsule(origin, direction, along.a, along.e, girth + bow);
}

// Distance to a curve whose radius goes from `base` to `tip`, its corners filled
// over about `fillet`.
fn curve_distance(p: vec3f, along: Curve, base: f32, tip: f32, fillet: f32) -> f32 {
    let step = 0.25 * (tip - base);
    let lower = sdf::smooth_union(
        sdf::tapered_capsule(p, along.a, along.b, base, base + step),
        sdf::tapered_capsule(p, along.b, along.c, base + step, base + 2.0 * step),
        fillet,
    );
    let upper = sdf::smooth_union(
        sdf::tapered_capsule(p, along.c, along.d, base + 2.0 * step, tip - step),
        sdf::tapered_capsule(p, along.d, along.e, tip - step, tip),
        fillet,
    );
    return sdf::smooth_union(lower, upper, fillet);
}
