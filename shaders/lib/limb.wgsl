#define_import_path tarsus::limb

#import tarsus::bounds
#import tarsus::ik
#import tarsus::noise
#import tarsus::sdf

// Legs, antennae, necks and tails as shapes: ray bounds, signed distances, and coordinates
// along them. Directions are unit vectors.

/// Radii of a leg's segments. A coxa or femur of radius 0 is left out: the trunk covers it.
struct Radii {
    coxa: f32,
    /// Radii at the start of the femur, at the knee, at the ankle and at the foot.
    femur: f32,
    knee: f32,
    ankle: f32,
    foot: f32,
    /// Muscle: amplitude of the swelling that is added to the femur's radius, largest a
    /// third of the way down.
    swell: f32,
}

/// Solves a leg without coxa whose middle joint (`knee`) bends toward `pole` (any length):
/// forward for a mammal's knee, backward for a bird's ankle (intertarsal joint). The tarsus
/// ends on the target and points along the unit vector `tarsus_direction`. Out of reach,
/// the leg keeps its lengths and `foot` falls short of the target.
fn solve_leg_toward_pole(
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

/// Radius of a capsule from hip to knee that contains coxa and femur, although the
/// trochanter lies off that line.
fn upper_radius(leg: ik::Leg, radii: Radii) -> f32 {
    let radius = max(radii.coxa, max(radii.femur, radii.knee) + 0.15 * radii.swell);
    return radius + sdf::capsule(leg.trochanter, leg.hip, leg.knee, 0.0);
}

/// True if a ray can come within `margins` of the leg: x for coxa and femur, y for the
/// tibia, z for the tarsus. Conservative. `upper_radius` is that of the leg, the same for
/// all rays.
fn leg_touches(
    origin: vec3f,
    direction: vec3f,
    leg: ik::Leg,
    radii: Radii,
    upper_radius: f32,
    margins: vec3f,
) -> bool {
    return (radii.femur > 0.0
            && bounds::touches_capsule(
                origin, direction, leg.hip, leg.knee, upper_radius + margins.x))
        || bounds::touches_capsule(origin, direction, leg.knee, leg.ankle, radii.knee + margins.y)
        || bounds::touches_capsule(
            origin, direction, leg.ankle, leg.foot, max(radii.ankle, radii.foot) + margins.z);
}

/// Span that contains every point of a ray within `margins` of the leg; `margins` and
/// `upper_radius` as in `leg_touches`.
fn leg_span(
    origin: vec3f,
    direction: vec3f,
    leg: ik::Leg,
    radii: Radii,
    upper_radius: f32,
    margins: vec3f,
) -> bounds::Span {
    var first = bounds::EMPTY;
    if radii.femur > 0.0 {
        first = bounds::capsule_span(
            origin, direction, leg.hip, leg.knee, upper_radius + margins.x);
    }
    let lower = bounds::loose_capsule_span(
        origin, direction, leg.knee, leg.ankle, radii.knee + margins.y);
    let last = bounds::loose_capsule_span(
        origin, direction, leg.ankle, leg.foot, max(radii.ankle, radii.foot) + margins.z);
    return bounds::hull(bounds::hull(first, lower), last);
}

/// Radius of the femur at the fraction h from the trochanter (0) to the knee (1).
fn femur_radius(h: f32, radii: Radii) -> f32 {
    return mix(radii.femur, radii.knee, h) + radii.swell * h * (1.0 - h) * (1.0 - h);
}

/// Signed distance to a leg. Bound while taper and swell are gentle.
fn leg_distance(p: vec3f, leg: ik::Leg, radii: Radii) -> f32 {
    let femur = sdf::from_segment(p, leg.trochanter, leg.knee);
    let to_femur = length(femur.xyz) - femur_radius(femur.w, radii);
    let coxa = sdf::tapered_capsule(p, leg.hip, leg.trochanter, radii.coxa, radii.femur);
    let tibia = sdf::tapered_capsule(p, leg.knee, leg.ankle, radii.knee, radii.ankle);
    let tarsus = sdf::tapered_capsule(p, leg.ankle, leg.foot, radii.ankle, radii.foot);
    let upper = sdf::smooth_union(coxa, to_femur, 0.4 * radii.femur);
    return min(sdf::smooth_union(upper, tibia, 0.3 * radii.knee), tarsus);
}

/// Shadow clearance (`raymarch::ShadowState`) of a leg on a ray from p in the unit
/// direction `to_light`, up to the distance `t_far`. Closed form, evaluated where the ray
/// is nearest to each segment's axis. `angle` is the angular radius of the light's disc.
fn leg_shadow_clearance(
    p: vec3f,
    to_light: vec3f,
    leg: ik::Leg,
    radii: Radii,
    t_far: f32,
    angle: f32,
) -> f32 {
    var upper = 1e3;
    if radii.coxa > 0.0 {
        let first = nearest_on_axis(p, to_light, leg.hip, leg.trochanter, t_far);
        upper = (first.x - mix(radii.coxa, radii.femur, first.y)) / (angle * first.z);
    }
    if radii.femur > 0.0 {
        let second = nearest_on_axis(p, to_light, leg.trochanter, leg.knee, t_far);
        upper = min(upper, (second.x - femur_radius(second.y, radii)) / (angle * second.z));
    }
    let middle = nearest_on_axis(p, to_light, leg.knee, leg.ankle, t_far);
    let tibia = (middle.x - mix(radii.knee, radii.ankle, middle.y)) / (angle * middle.z);
    let last = nearest_on_axis(p, to_light, leg.ankle, leg.foot, t_far);
    let tarsus = (last.x - mix(radii.ankle, radii.foot, last.y)) / (angle * last.z);
    return min(upper, min(tibia, tarsus));
}

// Closest approach of a ray to the segment a–b: x = distance between them, y = fraction
// from a to b, z = distance along the ray, from SHADOW_NEAR to `t_far`.
fn nearest_on_axis(p: vec3f, direction: vec3f, a: vec3f, b: vec3f, t_far: f32) -> vec3f {
    let ab = b - a;
    let ap = p - a;
    let ab_along = dot(ab, direction);
    let ap_along = dot(ap, direction);
    let squared = dot(ab, ab);
    let s = (dot(ab, ap) - ab_along * ap_along) / max(squared - ab_along * ab_along, 1e-8);
    let t = clamp(clamp(s, 0.0, 1.0) * ab_along - ap_along, SHADOW_NEAR, t_far);
    let q = ap + t * direction;
    let h = clamp(dot(q, ab) / max(squared, 1e-12), 0.0, 1.0);
    return vec3f(length(q - h * ab), h, t);
}

// Distance from its surface at which a shadow ray starts.
const SHADOW_NEAR: f32 = 0.04;

/// Coordinates of p along a leg: x = distance from the nearest segment's axis; y = 0 to 1 on
/// the femur, 1 to 2 on the tibia, 2 to 3 on the tarsus.
fn leg_coordinates(p: vec3f, leg: ik::Leg) -> vec2f {
    let femur = sdf::from_segment(p, leg.trochanter, leg.knee);
    let tibia = sdf::from_segment(p, leg.knee, leg.ankle);
    let tarsus = sdf::from_segment(p, leg.ankle, leg.foot);
    var nearest = vec2f(length(femur.xyz), femur.w);
    let lower = vec2f(length(tibia.xyz), 1.0 + tibia.w);
    let last = vec2f(length(tarsus.xyz), 2.0 + tarsus.w);
    nearest = select(nearest, lower, lower.x < nearest.x);
    return select(nearest, last, last.x < nearest.x);
}

/// Straight hairs or spines in rings around an axis.
struct Bristles {
    /// Length of the longest bristle; others are down to half as long.
    length: f32,
    /// Radius at the skin; bristles taper to a point.
    radius: f32,
    /// Distance between rings, and number of bristles per ring.
    spacing: f32,
    count: u32,
    /// Lean along the axis, per unit of height above the skin.
    lean: f32,
}

/// Distance to a round body with bristles, from a point `skin` above its skin, at `along`
/// on its axis and at the vector `around` from the axis in the plane across it. Estimate. A
/// bristle thinner than `pixel`, the width of a pixel there, fades instead of thickening.
fn bristle_distance(skin: f32, along: f32, around: vec2f, bristles: Bristles, pixel: f32) -> f32 {
    if skin > 2.0 * max(bristles.length, pixel) {
        return skin - bristles.length;
    }
    let rings = (along - bristles.lean * skin) / bristles.spacing;
    let ring = floor(rings);
    // The angle as a position on the square |x| + |y| = 1, measured in bristles.
    let size = max(abs(around.x) + abs(around.y), 1e-4);
    let quarter = around.y / size;
    let ahead = select(quarter, quarter + 4.0, quarter < 0.0);
    let angle = select(2.0 - quarter, ahead, around.x > 0.0);
    let turned = angle * 0.25 * f32(bristles.count) + 0.618 * ring;
    let index = i32(floor(turned)) % i32(bristles.count);
    let random = noise::random_of(bitcast<u32>(i32(ring) * 61 + index));
    let width = 4.0 * size * size / (f32(bristles.count) * max(length(around), 1e-4));
    // Shorter where the ring is too narrow for its bristles.
    let tall = max(
        bristles.length * (1.0 - 0.5 * random.x) * min(2.0 * width / bristles.spacing, 1.0), 1e-4);
    let offset = vec3f(
        bristles.spacing * (rings - ring - 0.3 - 0.4 * random.y),
        width * (fract(turned) - 0.3 - 0.4 * random.z),
        max(skin - tall, 0.0),
    );
    let radius = bristles.radius * clamp(1.0 - skin / tall, 0.0, 1.0);
    return min(skin, length(offset) - radius + max(0.5 * pixel - radius, 0.0));
}

/// Distance to a leg with bristles on femur and tibia that lean toward the foot. `skin` is
/// its `leg_distance`, `pixel` the width of a pixel there.
fn bristled_leg_distance(p: vec3f, leg: ik::Leg, skin: f32, bristles: Bristles, pixel: f32) -> f32 {
    if skin > 2.0 * max(bristles.length, pixel) {
        return skin - bristles.length;
    }
    let upper = sdf::from_segment(p, leg.trochanter, leg.knee);
    let lower = sdf::from_segment(p, leg.knee, leg.ankle);
    let is_lower = dot(lower.xyz, lower.xyz) < dot(upper.xyz, upper.xyz);
    let bone = select(leg.knee - leg.trochanter, leg.ankle - leg.knee, is_lower);
    let nearest = select(upper, lower, is_lower);
    let offset = nearest.xyz;
    let h = nearest.w;
    // Axes relative to the plane in which the leg bends, so that bristles turn with the
    // leg.
    let across = normalize(cross(leg.knee - leg.hip, leg.foot - leg.knee));
    let around = vec2f(dot(offset, across), dot(offset, normalize(cross(bone, across))));
    // No bristles at the joints.
    var shorter = bristles;
    shorter.length *= clamp(12.0 * min(h, 1.0 - h), 0.01, 1.0);
    let along = h * length(bone) + select(0.0, 8.0, is_lower);
    return bristle_distance(skin, along, around, shorter, pixel);
}

/// Five points on a curve from base to tip: an antenna, palp, neck or tail.
struct Curve {
    a: vec3f,
    b: vec3f,
    c: vec3f,
    d: vec3f,
    e: vec3f,
}

/// The quadratic Bézier curve with these three control points, as five points on it.
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

/// Span that contains every point of a ray within `radius` of the curve.
fn curve_span(origin: vec3f, direction: vec3f, along: Curve, radius: f32) -> bounds::Span {
    return bounds::capsule_span(
        origin, direction, along.a, along.e, radius + curve_sagitta(along));
}

/// Shadow clearance of a curve, as in `leg_shadow_clearance`; its radius goes from `base`
/// to `tip`. Returns 1 early for rays that pass far from the curve.
fn curve_shadow_clearance(
    p: vec3f,
    to_light: vec3f,
    along: Curve,
    base: f32,
    tip: f32,
    t_far: f32,
    angle: f32,
) -> f32 {
    var clearance = 1.0;
    // Penumbra of the farthest point that casts a shadow.
    let sagitta = curve_sagitta(along);
    let away = max(dot(along.a - p, to_light), dot(along.e - p, to_light)) + sagitta;
    let reach = sagitta + base + angle * clamp(away, 0.0, t_far);
    let is_near = bounds::touches_capsule(p, to_light, along.a, along.e, reach);
    // The first segment of the remaining curve, four times.
    var rest = along;
    if is_near {
        for (var i = 0; i < 4; i++) {
            let nearest = nearest_on_axis(p, to_light, rest.a, rest.b, t_far);
            let radius = mix(base, tip, 0.25 * (f32(i) + nearest.y));
            clearance = min(clearance, (nearest.x - radius) / (angle * nearest.z));
            rest = Curve(rest.b, rest.c, rest.d, rest.e, rest.e);
        }
    }
    return clearance;
}

/// Largest distance of the curve from its chord, taken at the curve's middle.
fn curve_sagitta(along: Curve) -> f32 {
    return distance(along.c, 0.5 * (along.a + along.e));
}

/// Signed distance to a curve whose radius goes from `base` to `tip`, smooth along its
/// length: to the parabola through its ends and its middle (`bent_tube_distance`). Bound
/// while the middle is less than 0.2 chord lengths off the chord; up to 0.3, a bound near
/// the curve and at most 8 % too large far from it.
fn curve_distance(p: vec3f, along: Curve, base: f32, tip: f32) -> f32 {
    let chord = along.e - along.a;
    let middle = along.c - along.a;
    let rise = middle - chord * (dot(middle, chord) / max(dot(chord, chord), 1e-12));
    let height = max(length(rise), 1e-4);
    let radii = vec3f(base, 0.5 * (base + tip), tip);
    let shape = vec2f(4.0 * height, 0.0);
    return 0.9 * bent_tube_distance(p, along.a, along.e, rise / height, shape, radii);
}

/// Distance to a tube that bends once or twice between a and b, in the plane of the segment
/// and the unit vector `side` across it; to first order. At the fraction u from a, the
/// tube's axis is u (1 - u) (shape.x + shape.y u) beside the segment. `radii` are the
/// control points of its radius, a quadratic Bézier curve in u.
fn bent_tube_distance(
    p: vec3f,
    a: vec3f,
    b: vec3f,
    side: vec3f,
    shape: vec2f,
    radii: vec3f,
) -> f32 {
    let chord = b - a;
    let squared = max(dot(chord, chord), 1e-12);
    let along = dot(p - a, chord) * (1.0 / squared);
    let u = clamp(along, 0.0, 1.0);
    let rise = shape.x + shape.y * u;
    let slope = (1.0 - 2.0 * u) * rise + u * (1.0 - u) * shape.y;
    let off = p - a - along * chord;
    let across = dot(off, side);
    let apart = off - across * side;
    let lateral = across - u * (1.0 - u) * rise;
    let lateral_squared = lateral * lateral * (squared / (squared + slope * slope));
    let beyond = along - u;
    let radius = mix(mix(radii.x, radii.y, u), mix(radii.y, radii.z, u), u);
    return sqrt(lateral_squared + dot(apart, apart) + beyond * beyond * squared) - radius;
}
