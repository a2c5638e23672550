#define_import_path tarsus::ik

// Closed-form inverse kinematics of limbs with two or three bones.
//
// A bone of length r1 is fixed at the start joint, a bone of length r2 follows, and the end
// joint should meet a target. The mid joint x lies on two circles (in space: spheres),
//
//     |x|² = r1²        |x − p|² = r2²        p = target − start
//
// whose difference x·p = ½(|p|² + r1² − r2²) places x along the line start–target; the
// first circle then gives its height above that line. No trigonometry is needed.
// Source of the formulas: Inigo Quilez, "Simple Inverse Kinematics"
// (https://iquilezles.org/articles/simpleik/); the factored height is Heron's.
//
// Usage: with naga_oil (tarsus, Bevy), `#import tarsus::ik`. Anywhere else, drop the first
// line and paste the rest into your shader. It imports nothing, binds nothing and needs no
// extension.
//
// Conventions: points are relative to the start joint, in any length unit and any
// orthonormal frame; "left" assumes that y is up. Negative lengths count as 0. Every
// function returns finite values for finite arguments that are 0 or between 1e-37 and 1e37
// in magnitude.
//
// A target is out of reach if |p| > r1 + r2 (too far) or |p| < |r1 − r2| (too near, in the
// hole). The suffix of a solver names its policy for such targets:
//
//     _stretch   the bones lengthen until the end joint meets the target
//     _clamp     the bones are rigid, the end joint stops short of the target
//     _fail      no solution: mid and end are at the start joint
//
// In all three, `reached` is true exactly if rigid bones meet the target.

/// The joints of a limb in the plane, relative to its start joint.
struct Solution2 {
    /// Joint between the two bones.
    mid: vec2f,
    /// End of the limb; on the target if that is within reach.
    end: vec2f,
    /// True if rigid bones meet the target.
    reached: bool,
}

/// The joints of a limb in space, relative to its start joint.
struct Solution3 {
    /// Joint between the two bones.
    mid: vec3f,
    /// End of the limb; on the target if that is within reach.
    end: vec3f,
    /// True if rigid bones meet the target.
    reached: bool,
}

// ---------------------------------------------------------------------------
// The triangle start–mid–end, relative to the line start–target

/// Squared distance, in units of the limb's size, below which start and target coincide and
/// the line between them has no direction.
const COINCIDENT: f32 = 1e-30;

/// Factors that place the joints: mid = along·p + across·q, end = extent·p, where q is
/// perpendicular to p and as long as p. If start and target coincide, p is a unit vector in
/// a direction of the caller's choice.
struct Triangle {
    along: f32,
    across: f32,
    extent: f32,
    reached: bool,
}

/// Triangle for a target that rigid bones meet; h = |p|² must not be 0.
fn triangle_within_reach(h: f32, r1: f32, r2: f32) -> Triangle {
    let sum = r1 + r2;
    let difference = r1 - r2;
    // x·p = w/2, as a product because r1² − r2² cancels.
    let w = h + difference * sum;
    // 16 times the squared area of the triangle, after Heron. The same polynomial as 4r1²h
    // − w², without its cancellation.
    let s = max((sum * sum - h) * (h - difference * difference), 0.0);
    let inverse = 0.5 / h;
    return Triangle(w * inverse, sqrt(s) * inverse, 1.0, true);
}

/// Triangle if start and target coincide, with p a unit vector. Equal bones fold back to
/// the start; unequal bones leave a hole around it.
fn triangle_coincident(r1: f32, r2: f32) -> Triangle {
    if r1 == r2 {
        return Triangle(0.0, r1, 0.0, true);
    }
    return Triangle(select(-r1, r1, r1 > r2), 0.0, abs(r1 - r2), false);
}

/// True if rigid bones reach a target at squared distance h.
fn within_reach(h: f32, r1: f32, r2: f32) -> bool {
    let sum = r1 + r2;
    let difference = r1 - r2;
    return h <= sum * sum && h >= difference * difference;
}

/// Triangle under the policy `_stretch` for a target at squared distance h.
fn triangle_stretch(h: f32, r1: f32, r2: f32) -> Triangle {
    if h < COINCIDENT {
        let folded = triangle_coincident(r1, r2);
        return Triangle(folded.along, folded.across, 0.0, folded.reached);
    }
    // Out of reach, s is 0 and the mid joint is the foot of the perpendicular, where the
    // two circles' radical axis crosses the line start–target.
    var triangle = triangle_within_reach(h, r1, r2);
    triangle.reached = within_reach(h, r1, r2);
    return triangle;
}

/// Triangle under the policy `_clamp` for a target at squared distance h.
fn triangle_clamp(h: f32, r1: f32, r2: f32) -> Triangle {
    if h < COINCIDENT {
        return triangle_coincident(r1, r2);
    }
    if within_reach(h, r1, r2) {
        return triangle_within_reach(h, r1, r2);
    }
    // Too far: straight toward the target. Too near: folded flat, with the longer bone
    // pointing toward the target.
    let inverse = inverseSqrt(h);
    let sum = r1 + r2;
    if h > sum * sum {
        return Triangle(r1 * inverse, 0.0, sum * inverse, false);
    }
    return Triangle(select(-r1, r1, r1 > r2) * inverse, 0.0, abs(r1 - r2) * inverse, false);
}

/// Triangle under the policy `_fail` for a target at squared distance h.
fn triangle_fail(h: f32, r1: f32, r2: f32) -> Triangle {
    if h < COINCIDENT {
        let folded = triangle_coincident(r1, r2);
        if folded.reached {
            return folded;
        }
    } else if within_reach(h, r1, r2) {
        return triangle_within_reach(h, r1, r2);
    }
    return Triangle(0.0, 0.0, 0.0, false);
}

// ---------------------------------------------------------------------------
// Scaling: triangles are solved at a size near 1

/// Largest finite value of a result.
const LARGEST: f32 = 3.4e38;

/// Power of two just below `size`, clamped so that its reciprocal is a normal number.
/// Scaling by it is exact.
fn scale_of(size: f32) -> f32 {
    let exponent = bitcast<u32>(size) & 0x7f800000u;
    return bitcast<f32>(clamp(exponent, 0x00800000u, 0x7e800000u));
}

/// 1 / scale for a power of two from `scale_of`.
fn reciprocal_of(scale: f32) -> f32 {
    return bitcast<f32>(0x7f000000u - bitcast<u32>(scale));
}

/// Magnitude of the largest component.
fn max_abs_component(v: vec3f) -> f32 {
    let a = abs(v);
    return max(max(a.x, a.y), a.z);
}

/// Factor that scales a target like its bones. A target far out of reach is moved to about
/// 1000 times the reach, which gives the same solution for rigid bones.
fn target_unit(target_in_start: vec3f, scale: f32) -> f32 {
    let distant = 1024.0 * reciprocal_of(scale_of(max_abs_component(target_in_start)));
    return min(reciprocal_of(scale), distant);
}

/// Bone lengths clamped to the range that the solvers accept.
fn positive(r1: f32, r2: f32) -> vec2f {
    return clamp(vec2f(r1, r2), vec2f(0.0), vec2f(LARGEST));
}

// ---------------------------------------------------------------------------
// In the plane

/// p rotated by 90° to the left (side ≥ 0) or to the right (side < 0).
fn perpendicular(p: vec2f, side: f32) -> vec2f {
    return select(vec2f(p.y, -p.x), vec2f(-p.y, p.x), side >= 0.0);
}

/// p, or +x if p is 0: the direction along which a limb in the plane folds.
fn direction_or_x(p: vec2f) -> vec2f {
    return select(p, vec2f(1.0, 0.0), dot(p, p) < COINCIDENT);
}

/// Joints in the plane, in the original scale, from the solved triangle.
fn place_in_plane(triangle: Triangle, p: vec2f, side: f32, scale: f32) -> Solution2 {
    let line = direction_or_x(p);
    let mid = triangle.along * line + triangle.across * perpendicular(line, side);
    return Solution2(
        clamp(mid * scale, vec2f(-LARGEST), vec2f(LARGEST)),
        clamp(triangle.extent * line * scale, vec2f(-LARGEST), vec2f(LARGEST)),
        triangle.reached,
    );
}

/// Solves a limb of two bones in the plane; the bones stretch if the target is out of
/// reach. As in the article, the mid joint's distance inside the hole grows without bound
/// as the target approaches the start.
///
/// `side` ≥ 0 bends to the left of the line start–target, < 0 to the right.
fn solve2_stretch(target_in_start: vec2f, r1: f32, r2: f32, side: f32) -> Solution2 {
    let lengths = positive(r1, r2);
    let scale = scale_of(max(lengths.x + lengths.y, max_abs_component(vec3f(target_in_start, 0.0))));
    let p = target_in_start * reciprocal_of(scale);
    let bones = lengths * reciprocal_of(scale);
    return place_in_plane(triangle_stretch(dot(p, p), bones.x, bones.y), p, side, scale);
}

/// Solves a limb of two rigid bones in the plane. Out of reach, the limb is straight or
/// folded flat and `end` is the reachable point nearest to the target.
///
/// `side` ≥ 0 bends to the left of the line start–target, < 0 to the right. If target and
/// start coincide, the limb folds along +x.
fn solve2_clamp(target_in_start: vec2f, r1: f32, r2: f32, side: f32) -> Solution2 {
    let lengths = positive(r1, r2);
    let scale = scale_of(lengths.x + lengths.y);
    let p = target_in_start * target_unit(vec3f(target_in_start, 0.0), scale);
    let bones = lengths * reciprocal_of(scale);
    return place_in_plane(triangle_clamp(dot(p, p), bones.x, bones.y), p, side, scale);
}

/// Solves a limb of two rigid bones in the plane. Out of reach, `reached` is false and both
/// joints are at the start.
///
/// `side` ≥ 0 bends to the left of the line start–target, < 0 to the right.
fn solve2_fail(target_in_start: vec2f, r1: f32, r2: f32, side: f32) -> Solution2 {
    let lengths = positive(r1, r2);
    let scale = scale_of(lengths.x + lengths.y);
    let p = target_in_start * target_unit(vec3f(target_in_start, 0.0), scale);
    let bones = lengths * reciprocal_of(scale);
    return place_in_plane(triangle_fail(dot(p, p), bones.x, bones.y), p, side, scale);
}

// ---------------------------------------------------------------------------
// In space

/// Sine below which two directions count as parallel: 8 ulp of 1.
const PARALLEL: f32 = 9.5e-7;

/// Unit vector along v, or `fallback` if v is 0. Accurate for tiny and huge v.
fn unit_or(v: vec3f, fallback: vec3f) -> vec3f {
    let scaled = v * reciprocal_of(scale_of(max_abs_component(v)));
    let h = dot(scaled, scaled);
    return select(fallback, scaled * inverseSqrt(max(h, COINCIDENT)), h >= COINCIDENT);
}

/// Coordinate axis along which n has its smallest component.
fn smallest_component_axis(n: vec3f) -> vec3f {
    let a = abs(n);
    if a.x <= a.y && a.x <= a.z {
        return vec3f(1.0, 0.0, 0.0);
    }
    return select(vec3f(0.0, 0.0, 1.0), vec3f(0.0, 1.0, 0.0), a.y <= a.z);
}

/// Unit vector perpendicular to the unit vector n, in an arbitrary direction.
fn any_perpendicular(n: vec3f) -> vec3f {
    return unit_or(cross(n, smallest_component_axis(n)), vec3f(1.0, 0.0, 0.0));
}

/// Unit vector perpendicular to the unit vector n, on the side of the pole; an arbitrary
/// perpendicular if the pole is 0 or parallel to n.
///
/// (n × pole) × n is the component of the pole perpendicular to n. Two cross products,
/// instead of pole − n(n·pole), keep the result perpendicular to n to the last digits even
/// if the pole is almost parallel to n.
fn bend_direction(n: vec3f, pole: vec3f) -> vec3f {
    let unit_pole = unit_or(pole, vec3f(0.0));
    let normal = cross(n, unit_pole);
    if dot(normal, normal) < PARALLEL * PARALLEL {
        return any_perpendicular(n);
    }
    return cross(normalize(normal), n);
}

/// Joints in space, in the original scale, from the solved triangle.
fn place_in_space(triangle: Triangle, p: vec3f, pole: vec3f, scale: f32) -> Solution3 {
    let h = dot(p, p);
    var line = p;
    var bend = vec3f(0.0);
    if h < COINCIDENT {
        bend = unit_or(pole, vec3f(0.0, 1.0, 0.0));
        line = smallest_component_axis(bend);
    } else {
        let distance = sqrt(h);
        bend = bend_direction(p / distance, pole) * distance;
    }
    let mid = triangle.along * line + triangle.across * bend;
    return Solution3(
        clamp(mid * scale, vec3f(-LARGEST), vec3f(LARGEST)),
        clamp(triangle.extent * line * scale, vec3f(-LARGEST), vec3f(LARGEST)),
        triangle.reached,
    );
}

/// Solves a limb of two bones in space; the bones stretch if the target is out of reach.
///
/// `pole` is the direction in which the mid joint bends, of any length. If it is 0 or
/// parallel to the target, the limb bends toward an arbitrary perpendicular.
fn solve3_stretch(target_in_start: vec3f, r1: f32, r2: f32, pole: vec3f) -> Solution3 {
    let lengths = positive(r1, r2);
    let scale = scale_of(max(lengths.x + lengths.y, max_abs_component(target_in_start)));
    let p = target_in_start * reciprocal_of(scale);
    let bones = lengths * reciprocal_of(scale);
    return place_in_space(triangle_stretch(dot(p, p), bones.x, bones.y), p, pole, scale);
}

/// Solves a limb of two rigid bones in space. Out of reach, the limb is straight or folded
/// flat and `end` is the reachable point nearest to the target.
///
/// `pole` is the direction in which the mid joint bends, of any length. If it is 0 or
/// parallel to the target, the limb bends toward an arbitrary perpendicular. If target and
/// start coincide, equal bones fold along the pole, and unequal bones along the coordinate
/// axis on which the pole's component is smallest.
fn solve3_clamp(target_in_start: vec3f, r1: f32, r2: f32, pole: vec3f) -> Solution3 {
    let lengths = positive(r1, r2);
    let scale = scale_of(lengths.x + lengths.y);
    let p = target_in_start * target_unit(target_in_start, scale);
    let bones = lengths * reciprocal_of(scale);
    return place_in_space(triangle_clamp(dot(p, p), bones.x, bones.y), p, pole, scale);
}

/// Solves a limb of two rigid bones in space. Out of reach, `reached` is false and both
/// joints are at the start.
///
/// `pole` is the direction in which the mid joint bends, of any length. If it is 0 or
/// parallel to the target, the limb bends toward an arbitrary perpendicular.
fn solve3_fail(target_in_start: vec3f, r1: f32, r2: f32, pole: vec3f) -> Solution3 {
    let lengths = positive(r1, r2);
    let scale = scale_of(lengths.x + lengths.y);
    let p = target_in_start * target_unit(target_in_start, scale);
    let bones = lengths * reciprocal_of(scale);
    return place_in_space(triangle_fail(dot(p, p), bones.x, bones.y), p, pole, scale);
}

// ---------------------------------------------------------------------------
// Soft reach

/// Distance d, eased toward `reach` from d0 on, so that a limb never snaps straight: d up
/// to d0, then d0 + (reach − d0)·α/(1 + α) with α = (d − d0)/(reach − d0). The slope is 1
/// at d0, the function never falls, and it stays below `reach`. 0 ≤ d0 ≤ reach; all three
/// in one length unit.
fn soft_reach(d: f32, d0: f32, reach: f32) -> f32 {
    let span = reach - d0;
    let over = d - d0;
    if over <= 0.0 {
        return d;
    }
    if span <= 0.0 {
        return min(d, reach);
    }
    // (reach − d0)·α/(1 + α), divided through by α; 1/α is kept finite.
    return min(d0 + span / (1.0 + span / max(over, 1e-30 * span)), reach);
}

/// Target in the plane, moved along its line to the distance that `soft_reach` returns.
/// Pass the result to a solver in place of the target.
fn soften2(target_in_start: vec2f, d0: f32, reach: f32) -> vec2f {
    return soften3(vec3f(target_in_start, 0.0), d0, reach).xy;
}

/// Target in space, moved along its line to the distance that `soft_reach` returns. Pass
/// the result to a solver in place of the target.
fn soften3(target_in_start: vec3f, d0: f32, reach: f32) -> vec3f {
    let scale = scale_of(max_abs_component(target_in_start));
    let scaled = target_in_start * reciprocal_of(scale);
    let d = length(scaled) * scale;
    if d <= d0 {
        return target_in_start;
    }
    return unit_or(target_in_start, vec3f(0.0)) * soft_reach(min(d, LARGEST), d0, reach);
}

// ---------------------------------------------------------------------------
// Hinge limits and stretch

/// Distance from the start at which the joint between the bones is bent by an angle, given
/// as its cosine and sine: d² = r1² + r2² + 2 r1 r2 cos θ. (1, 0) is straight.
fn hinge_distance(r1: f32, r2: f32, bend: vec2f) -> f32 {
    return length(vec2f(r1 + r2 * bend.x, r2 * bend.y));
}

/// Target in the plane, moved along its line to a distance from `near` to `far`. With
/// distances from `hinge_distance`, near for the largest bend and far for the smallest, the
/// hinge stops at its limits. Pass the result to a solver in place of the target.
fn limit2(target_in_start: vec2f, near: f32, far: f32) -> vec2f {
    return limit3(vec3f(target_in_start, 0.0), near, far).xy;
}

/// Target in space, moved along its line to a distance from `near` to `far`; see `limit2`.
fn limit3(target_in_start: vec3f, near: f32, far: f32) -> vec3f {
    let scale = scale_of(max_abs_component(target_in_start));
    let d = length(target_in_start * reciprocal_of(scale)) * scale;
    if d >= near && d <= far {
        return target_in_start;
    }
    return unit_or(target_in_start, vec3f(1.0, 0.0, 0.0)) * clamp(d, near, far);
}

/// Factor by which bones of length r1 and r2 lengthen for a target at distance d: 1 up to
/// the fraction `start` of the reach, then in proportion, up to `most` for a target at
/// `most` times the reach. Pass a solver the lengths times the factor. 0 ≤ start ≤ 1 ≤ most.
fn stretch_factor(d: f32, r1: f32, r2: f32, start: f32, most: f32) -> f32 {
    // The hole grows with the bones and must not overtake the target.
    let reach = max(r1 + r2, COINCIDENT);
    let begin = max(start, abs(r1 - r2) / reach);
    let slope = (most - 1.0) / max(most - begin, COINCIDENT);
    return clamp(1.0 + (d / reach - begin) * slope, 1.0, most);
}

// ---------------------------------------------------------------------------
// Weights and twist

/// Squared sine of the angle between pole and line below which a pole fades out: (1/8)².
const FADE_SQUARE: f32 = 0.015625;

/// Pole mixed with a bend across the line start–target, as for rigs: the pole alone for the
/// weight 1, the bend alone for 0. Within 7.2° of the line the pole fades out with the
/// square of the sine, so that one that crosses the line does not flip the limb. Pass the
/// result to a solver in place of the pole.
fn weigh_pole(target_in_start: vec3f, pole: vec3f, bend: vec3f, weight: f32) -> vec3f {
    let n = unit_or(target_in_start, vec3f(1.0, 0.0, 0.0));
    let reference = bend_direction(n, bend);
    let normal = cross(n, unit_or(pole, vec3f(0.0)));
    let toward_pole = unit_or(cross(normal, n), vec3f(0.0));
    let share = clamp(weight, 0.0, 1.0) * min(dot(normal, normal) / FADE_SQUARE, 1.0);
    let blend = mix(reference, toward_pole, share);
    return select(blend, reference, dot(blend, blend) <= PARALLEL);
}

/// Part of the rotation of a unit quaternion that a weight from 0 to 1 leaves: normalised
/// linear interpolation from no rotation, along the shortest arc.
fn weigh_rotation(rotation: vec4f, weight: f32) -> vec4f {
    let shortest = select(rotation, -rotation, rotation.w < 0.0);
    return normalize(mix(vec4f(0.0, 0.0, 0.0, 1.0), shortest, weight));
}

/// Part `share` of the twist of a unit quaternion about a bone's direction, for a joint
/// along the bone: twist joints at thirds of a forearm take a third and two thirds of the
/// hand's twist. The twist is what remains of the rotation without the shortest swing of
/// the axis.
fn twist_share(rotation: vec4f, axis: vec3f, share: f32) -> vec4f {
    let n = unit_or(axis, vec3f(1.0, 0.0, 0.0));
    let along = dot(rotation.xyz, n) * select(1.0, -1.0, rotation.w < 0.0);
    let has_twist = abs(along) + abs(rotation.w) > PARALLEL;
    let half = select(0.0, atan2(along, abs(rotation.w)), has_twist) * share;
    return vec4f(n * sin(half), cos(half));
}

// ---------------------------------------------------------------------------
// Three bones

/// The joints of a limb with three bones, relative to its start joint.
struct ThreeBoneSolution {
    /// Joint between the first and the second bone.
    first: vec3f,
    /// Joint between the second and the third bone.
    second: vec3f,
    /// End of the limb; on the target if that is within reach.
    end: vec3f,
    /// True if rigid bones meet the target.
    reached: bool,
}

/// Solves a limb of three rigid bones in one plane. Between the smallest and the largest
/// distance from the start to the second joint that the target permits, `distribution`
/// chooses a point: from 0, where the first joint bends most, to 1, where the second does.
/// The second joint bends toward the pole, or away from it if `opposed`: a bird's leg.
fn solve_three_bones(
    target_in_start: vec3f,
    lengths: vec3f,
    pole: vec3f,
    distribution: f32,
    opposed: bool,
) -> ThreeBoneSolution {
    let kept = clamp(lengths, vec3f(0.0), vec3f(LARGEST));
    let scale = scale_of(kept.x + kept.y + kept.z);
    let r = kept * reciprocal_of(scale);
    let reach = r.x + r.y + r.z;
    let hole = max(max(r.x - r.y - r.z, max(r.y - r.z - r.x, r.z - r.x - r.y)), 0.0);
    let p = target_in_start * target_unit(target_in_start, scale);
    let distance = length(p);
    let d = clamp(distance, hole, reach);

    let nearest = max(abs(r.x - r.y), abs(d - r.z));
    let farthest = min(r.x + r.y, d + r.z);
    let e = min(mix(nearest, farthest, distribution), r.x + r.y);

    // Unit vectors along the line and across it.
    let line = unit_or(p, smallest_component_axis(unit_or(pole, vec3f(0.0, 1.0, 0.0))));
    let across = bend_direction(line, pole);
    let second = rigid_joint(d, e, r.z) * vec2f(1.0, select(1.0, -1.0, opposed));
    let distance_to_second = length(second);
    let along_second = select(vec2f(1.0, 0.0), second / max(distance_to_second, 1e-15), distance_to_second > 1e-15);
    let first = rigid_joint(distance_to_second, r.x, r.y);
    let first_in_plane = first.x * along_second + first.y * vec2f(-along_second.y, along_second.x);

    let reached = distance >= hole && distance <= reach;
    return ThreeBoneSolution(
        (line * first_in_plane.x + across * first_in_plane.y) * scale,
        (line * second.x + across * second.y) * scale,
        select(line * d * scale, target_in_start, reached),
        reached,
    );
}

/// Joint between bones of length r1 and r2 whose ends are d apart, along the line and
/// across it; the nearest d within reach counts.
fn rigid_joint(d: f32, r1: f32, r2: f32) -> vec2f {
    let within = clamp(d * d, (r1 - r2) * (r1 - r2), (r1 + r2) * (r1 + r2));
    let triangle = triangle_clamp(within, r1, r2);
    let unit = select(sqrt(within), 1.0, within < COINCIDENT);
    return vec2f(triangle.along, triangle.across) * unit;
}

// ---------------------------------------------------------------------------
// A leg: coxa, femur, tibia, tarsus

/// Lengths of a leg's four segments, from the body outward. Any may be 0.
struct LegLengths {
    /// From the hip, level with the body, toward the foot.
    coxa: f32,
    /// From the coxa to the knee.
    femur: f32,
    /// From the knee to the ankle.
    tibia: f32,
    /// From the ankle to the foot, in a fixed direction.
    tarsus: f32,
}

/// Joints of a leg, in the frame in which it was solved.
struct Leg {
    /// Joint between body and coxa.
    hip: vec3f,
    /// Joint between coxa and femur.
    trochanter: vec3f,
    /// Joint between femur and tibia.
    knee: vec3f,
    /// Joint between tibia and tarsus.
    ankle: vec3f,
    /// End of the tarsus; on the target if that is within reach.
    foot: vec3f,
    /// True if the foot is on the target.
    reached: bool,
}

/// Unit vector of v's component perpendicular to the unit vector `up`; `fallback` if v is
/// parallel to `up`.
fn level_direction(v: vec3f, up: vec3f, fallback: vec3f) -> vec3f {
    // (up × v) × up = v − up(up·v), perpendicular to up as in `bend_direction`.
    let normal = cross(up, unit_or(v, up));
    let level = unit_or(cross(normal, up), fallback);
    return select(level, fallback, dot(normal, normal) < PARALLEL * PARALLEL);
}

/// Solves an insect's leg with its foot on `foot_target`, in one pass and without
/// trigonometry:
///
/// 1. the tarsus ends on the target and points along `tarsus_direction`, which
///    places the ankle;
/// 2. the coxa yaws about `up` through the hip until it points at the ankle;
/// 3. femur and tibia are two rigid bones in the vertical plane of the coxa,
///    bending up for a foot beside the body and outward for a foot below it.
///
/// Points are in one frame; `up` and `tarsus_direction` are unit vectors in it. `rest_direction` is
/// the direction in which the leg points at rest, of any length; it gives the yaw if the
/// ankle is exactly above or below the hip. Out of reach, the leg keeps its lengths and
/// `foot` falls short of the target.
fn solve_leg(
    foot_target: vec3f,
    hip: vec3f,
    up: vec3f,
    rest_direction: vec3f,
    tarsus_direction: vec3f,
    lengths: LegLengths,
) -> Leg {
    let tarsus = tarsus_direction * lengths.tarsus;
    let ankle_in_hip = foot_target - tarsus - hip;

    // Yaw by projection: the ankle's direction without its upward part.
    let outward_at_rest = level_direction(rest_direction, up, any_perpendicular(up));
    let outward = level_direction(ankle_in_hip, up, outward_at_rest);

    // The vertical plane: x outward, y up, origin at the trochanter.
    let ankle_in_plane = vec2f(dot(ankle_in_hip, outward) - lengths.coxa, dot(ankle_in_hip, up));
    let bones = solve2_clamp(ankle_in_plane, lengths.femur, lengths.tibia, 1.0);

    let trochanter = hip + outward * lengths.coxa;
    let knee = trochanter + outward * bones.mid.x + up * bones.mid.y;
    let ankle = trochanter + outward * bones.end.x + up * bones.end.y;
    return Leg(hip, trochanter, knee, ankle, ankle + tarsus, bones.reached);
}

// ---------------------------------------------------------------------------
// Alternative formulas, for comparison

// These return the mid joint alone, bend to the left, and stretch. They square their
// arguments twice, so lengths must be between about 1e-9 and 1e9.

/// The article's first transcription. It offsets along the perpendicular of q, which points
/// backward if r2² > r1² + |p|²; the limb then bends to the right.
fn solve_article_first(p: vec2f, r1: f32, r2: f32) -> vec2f {
    let q = p * (0.5 + 0.5 * (r1 * r1 - r2 * r2) / max(dot(p, p), COINCIDENT));
    let s = max(r1 * r1 / max(dot(q, q), COINCIDENT) - 1.0, 0.0);
    return q + vec2f(-q.y, q.x) * sqrt(s);
}

/// The article's second transcription, with a single division. Loses digits
/// where r1² − r2² or 4r1²h − w² cancel.
fn solve_article_fast(p: vec2f, r1: f32, r2: f32) -> vec2f {
    let h = max(dot(p, p), COINCIDENT);
    let w = h + r1 * r1 - r2 * r2;
    let s = max(4.0 * r1 * r1 * h - w * w, 0.0);
    return (w * p + vec2f(-p.y, p.x) * sqrt(s)) * 0.5 / h;
}

/// The fast transcription with both differences factored, as in the solvers above.
fn solve_factored(p: vec2f, r1: f32, r2: f32) -> vec2f {
    let h = max(dot(p, p), COINCIDENT);
    let sum = r1 + r2;
    let difference = r1 - r2;
    let w = h + difference * sum;
    let s = max((sum * sum - h) * (h - difference * difference), 0.0);
    return (w * p + vec2f(-p.y, p.x) * sqrt(s)) * 0.5 / h;
}
