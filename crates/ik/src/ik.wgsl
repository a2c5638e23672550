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
// orthonormal frame; "left" assumes that y is up. Negative lengths count as 0. Solvers and
// the functions that prepare their arguments return finite values for finite arguments that
// are 0 or between 1e-37 and 1e37 in magnitude.
//
// A target is out of reach if |p| > r1 + r2 (too far) or |p| < |r1 − r2| (too near, in the
// hole). The suffix of a solver names its policy for such targets:
//
//     _meet      the bones lengthen, without bound, until the end joint meets the target
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

/// Triangle under the policy `_meet` for a target at squared distance h.
fn triangle_meet(h: f32, r1: f32, r2: f32) -> Triangle {
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

/// Length of v, accurate for tiny and huge v.
fn safe_length(v: vec3f) -> f32 {
    let scale = scale_of(max_abs_component(v));
    return min(length(v * reciprocal_of(scale)) * scale, LARGEST);
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

/// Solves a limb of two bones in the plane; the bones lengthen if the target is out of
/// reach. As in the article, the mid joint's distance inside the hole grows without bound
/// as the target approaches the start.
///
/// `side` ≥ 0 bends to the left of the line start–target, < 0 to the right.
fn solve2_meet(target_in_start: vec2f, r1: f32, r2: f32, side: f32) -> Solution2 {
    let lengths = positive(r1, r2);
    let scale = scale_of(max(lengths.x + lengths.y, max_abs_component(vec3f(target_in_start, 0.0))));
    let p = target_in_start * reciprocal_of(scale);
    let bones = lengths * reciprocal_of(scale);
    return place_in_plane(triangle_meet(dot(p, p), bones.x, bones.y), p, side, scale);
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

/// The plane that a limb bends in: two perpendicular vectors of equal length.
struct BendFrame {
    /// From start to target.
    line: vec3f,
    /// Toward the mid joint.
    across: vec3f,
}

/// Frame of a limb from 0 to p that bends toward the pole.
fn frame_in_space(p: vec3f, pole: vec3f) -> BendFrame {
    let h = dot(p, p);
    if h < COINCIDENT {
        let across = unit_or(pole, vec3f(0.0, 1.0, 0.0));
        return BendFrame(smallest_component_axis(across), across);
    }
    let distance = sqrt(h);
    return BendFrame(p, bend_direction(p / distance, pole) * distance);
}

/// Joints in space, in the original scale, from the solved triangle.
fn place_in_space(triangle: Triangle, p: vec3f, pole: vec3f, scale: f32) -> Solution3 {
    let frame = frame_in_space(p, pole);
    let mid = triangle.along * frame.line + triangle.across * frame.across;
    return Solution3(
        clamp(mid * scale, vec3f(-LARGEST), vec3f(LARGEST)),
        clamp(triangle.extent * frame.line * scale, vec3f(-LARGEST), vec3f(LARGEST)),
        triangle.reached,
    );
}

/// Solves a limb of two bones in space; the bones lengthen if the target is out of reach.
///
/// `pole` is the direction in which the mid joint bends, of any length. If it is 0 or
/// parallel to the target, the limb bends toward an arbitrary perpendicular.
fn solve3_meet(target_in_start: vec3f, r1: f32, r2: f32, pole: vec3f) -> Solution3 {
    let lengths = positive(r1, r2);
    let scale = scale_of(max(lengths.x + lengths.y, max_abs_component(target_in_start)));
    let p = target_in_start * reciprocal_of(scale);
    let bones = lengths * reciprocal_of(scale);
    return place_in_space(triangle_meet(dot(p, p), bones.x, bones.y), p, pole, scale);
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

/// Distance d, eased toward `hole` from d0 inward, so that a limb never snaps folded:
/// `soft_reach` toward the other limit. 0 ≤ hole ≤ d0.
fn soft_fold(d: f32, d0: f32, hole: f32) -> f32 {
    return -soft_reach(-d, -d0, -hole);
}

/// Target in the plane, moved along its line to the distance that `soft_reach` returns.
/// Pass the result to a solver instead of the target.
fn soften2(target_in_start: vec2f, d0: f32, reach: f32) -> vec2f {
    return soften3(vec3f(target_in_start, 0.0), d0, reach).xy;
}

/// Target in space, moved along its line to the distance that `soft_reach` returns. Pass
/// the result to a solver instead of the target.
fn soften3(target_in_start: vec3f, d0: f32, reach: f32) -> vec3f {
    let d = safe_length(target_in_start);
    if d <= d0 {
        return target_in_start;
    }
    return unit_or(target_in_start, vec3f(0.0)) * soft_reach(d, d0, reach);
}

// ---------------------------------------------------------------------------
// Hinge limits and stretch

/// Distance from the start at which the joint between the bones is bent by an angle, given
/// as its cosine and sine: d² = r1² + r2² + 2 r1 r2 cos θ. (1, 0) is straight.
fn hinge_distance(r1: f32, r2: f32, bend: vec2f) -> f32 {
    return safe_length(vec3f(r1 + r2 * bend.x, r2 * bend.y, 0.0));
}

/// Target in the plane, moved along its line to a distance from `near` to `far`. With
/// distances from `hinge_distance`, near for the largest bend and far for the smallest, the
/// hinge stops at its limits. Pass the result to a solver instead of the target.
fn limit2(target_in_start: vec2f, near: f32, far: f32) -> vec2f {
    return limit3(vec3f(target_in_start, 0.0), near, far).xy;
}

/// Target in space, moved along its line to a distance from `near` to `far`; see `limit2`.
fn limit3(target_in_start: vec3f, near: f32, far: f32) -> vec3f {
    let d = safe_length(target_in_start);
    if d >= near && d <= far {
        return target_in_start;
    }
    return unit_or(target_in_start, vec3f(1.0, 0.0, 0.0)) * clamp(d, near, far);
}

/// Factor by which bones of length r1 and r2 lengthen for a target at distance d: 1 up to
/// the fraction `start` of the reach, then rising linearly, to `most` for a target at `most`
/// times the reach. Pass a solver the lengths times the factor. 0 ≤ start ≤ 1 ≤ most.
fn stretch_factor(d: f32, r1: f32, r2: f32, start: f32, most: f32) -> f32 {
    // The hole grows with the bones and must not overtake the target.
    let reach = max(r1 + r2, COINCIDENT);
    let begin = max(start, abs(r1 - r2) / reach);
    let slope = (most - 1.0) / max(most - begin, COINCIDENT);
    return clamp(1.0 + (min(d / reach, LARGEST) - begin) * slope, 1.0, most);
}

// ---------------------------------------------------------------------------
// Weights and twist

/// Squared sine of the angle between pole and line below which a pole fades out: (1/8)².
const FADE_SQUARE: f32 = 0.015625;

/// Pole mixed with a bend across the line start–target, as for rigs: the pole alone for the
/// weight 1, the bend alone for 0. Within 7.2° of the line the pole fades out with the
/// square of the sine, so that one that crosses the line does not flip the limb. Pass the
/// result to a solver instead of the pole.
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
/// hand's twist; `share` may be any number. The twist is what remains of the rotation
/// without the shortest swing of the axis.
fn twist_share(rotation: vec4f, axis: vec3f, share: f32) -> vec4f {
    let n = unit_or(axis, vec3f(1.0, 0.0, 0.0));
    let along = dot(rotation.xyz, n) * select(1.0, -1.0, rotation.w < 0.0);
    let has_twist = abs(along) + abs(rotation.w) > PARALLEL;
    let half = select(0.0, atan2(along, abs(rotation.w)), has_twist) * share;
    return vec4f(n * sin(half), cos(half));
}

// ---------------------------------------------------------------------------
// Rotations for rigs

// Rotations are unit quaternions (x, y, z, w) in the frame of the pose; angles are pairs of
// cosine and sine.

/// Rotation by b, then by a.
fn compose(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

/// The opposite rotation.
fn conjugate(rotation: vec4f) -> vec4f {
    return vec4f(-rotation.xyz, rotation.w);
}

/// v turned by a rotation.
fn rotate(rotation: vec4f, v: vec3f) -> vec3f {
    let twice = 2.0 * cross(rotation.xyz, v);
    return v + rotation.w * twice + cross(rotation.xyz, twice);
}

/// Rotation that takes x and y to two perpendicular unit vectors.
///
/// Four times the squares and products of a quaternion's components are sums of the
/// elements of its matrix. The row of the largest component, divided by its length, is the
/// quaternion (Shepperd 1978).
fn frame_rotation(direction: vec3f, normal: vec3f) -> vec4f {
    let third = cross(direction, normal);
    let xy = direction.y + normal.x;
    let xz = third.x + direction.z;
    let yz = normal.z + third.y;
    let xw = normal.z - third.y;
    let yw = third.x - direction.z;
    let zw = direction.y - normal.x;
    let sum = direction.x + normal.y;
    let difference = direction.x - normal.y;
    if third.z < 0.0 {
        let in_x = vec4f(1.0 + difference - third.z, xy, xz, xw);
        let in_y = vec4f(xy, 1.0 - difference - third.z, yz, yw);
        return normalize(select(in_y, in_x, difference > 0.0));
    }
    let in_z = vec4f(xz, yz, 1.0 - sum + third.z, zw);
    let in_w = vec4f(xw, yw, zw, 1.0 + sum + third.z);
    return normalize(select(in_w, in_z, sum < 0.0));
}

/// Rotation that takes x to a unit vector and y toward a normal.
fn frame_along(direction: vec3f, normal: vec3f) -> vec4f {
    return frame_rotation(direction, bend_direction(direction, normal));
}

/// Half of an angle from −π to π.
fn half_angle(angle: vec2f) -> vec2f {
    // The square root is of the sum that does not cancel.
    let larger = sqrt(0.5 + 0.5 * abs(angle.x));
    let smaller = 0.5 * abs(angle.y) / larger;
    let half = select(vec2f(smaller, larger), vec2f(larger, smaller), angle.x >= 0.0);
    return vec2f(half.x, select(half.y, -half.y, angle.y < 0.0));
}

/// Angle from a to b.
fn angle_between(a: vec2f, b: vec2f) -> vec2f {
    return vec2f(dot(a, b), a.x * b.y - a.y * b.x);
}

/// Bend between bones of length r1 and r2 whose ends are √h apart, where `hinge_distance`
/// gives the distance of a bend.
fn hinge_bend(h: f32, r1: f32, r2: f32) -> vec2f {
    // 2 r1 r2 (1 − cos) and 2 r1 r2 (1 + cos), neither of which cancels.
    let far = max((r1 + r2) * (r1 + r2) - h, 0.0);
    let near = max(h - (r1 - r2) * (r1 - r2), 0.0);
    let total = near + far;
    let bend = vec2f(near - far, 2.0 * (sqrt(near) * sqrt(far))) / max(total, COINCIDENT);
    return select(vec2f(1.0, 0.0), bend, total > 0.0);
}

/// A rig's limb in a given pose: its bind pose, or the pose of this frame's animation.
struct BindPose {
    /// From start to mid joint.
    first: vec3f,
    /// From mid to end joint.
    second: vec3f,
    /// Unit vector along the hinge; a positive rotation about it opens the bend.
    hinge: vec3f,
    /// True if the hinge is not perpendicular to the bones.
    is_tilted: bool,
}

/// Pose with these joints and the hinge axis that follows from them. `pole` is the
/// direction that the limb bends to in this pose; it only counts if the joints are
/// collinear.
fn bind_pose(start: vec3f, mid: vec3f, end: vec3f, pole: vec3f) -> BindPose {
    let first = unit_or(mid - start, vec3f(1.0, 0.0, 0.0));
    let normal = cross(unit_or(end - mid, first), first);
    let straight = cross(first, bend_direction(first, pole));
    let is_straight = dot(normal, normal) < PARALLEL * PARALLEL;
    let hinge = select(bend_direction(first, normal), straight, is_straight);
    return BindPose(mid - start, end - mid, hinge, false);
}

/// Pose with another hinge axis, for bones that are straight in this pose or bent the wrong
/// way, and for hinges that are not perpendicular to the bones. An axis that is 0 or
/// parallel to a bone leaves the pose unchanged.
fn with_hinge(pose: BindPose, axis: vec3f) -> BindPose {
    let hinge = unit_or(axis, vec3f(0.0));
    let along = vec2f(
        dot(hinge, unit_or(pose.first, hinge)),
        dot(hinge, unit_or(pose.second, hinge)),
    );
    let first_sine = length(cross(hinge, unit_or(pose.first, hinge)));
    let second_sine = length(cross(hinge, unit_or(pose.second, hinge)));
    if min(first_sine, second_sine) <= PARALLEL {
        return pose;
    }
    let is_tilted = max(abs(along.x), abs(along.y)) > PARALLEL;
    return BindPose(pose.first, pose.second, hinge, is_tilted);
}

/// Part of v perpendicular to a unit vector.
fn across_hinge(hinge: vec3f, v: vec3f) -> vec3f {
    return cross(cross(hinge, v), hinge);
}

/// The bend of a pose, carried along by the shortest arc from its line start–end to the
/// line start–target: the pole of a limb without a pole.
fn pose_bend(pose: BindPose, target_in_start: vec3f) -> vec3f {
    let line = unit_or(pose.first + pose.second, unit_or(pose.first, vec3f(1.0, 0.0, 0.0)));
    let across = bend_direction(line, cross(pose.hinge, line));
    let n = unit_or(target_in_start, line);
    // The arc from l to n takes v ⊥ l to v − (l + n)(n·v)/(1 + l·n).
    let cosine = 1.0 + dot(line, n);
    let carried = across - (line + n) * (dot(n, across) / max(cosine, PARALLEL));
    return bend_direction(n, select(across, carried, cosine > PARALLEL));
}

/// The joints of a rig's limb, relative to its start joint, and the rotations that pose it.
/// Directions in the pose map to
///
///     first bone    rotate(start_rotation, first)
///     second bone   rotate(compose(start_rotation, mid_rotation), second)
///     hand or foot  rotate(compose(compose(start_rotation, mid_rotation), end_rotation), v)
struct Posed {
    /// Joint between the two bones.
    mid: vec3f,
    /// End of the limb; on the target if that is within reach.
    end: vec3f,
    /// True if rigid bones meet the target.
    reached: bool,
    /// Rotation of the whole limb about its start joint.
    start_rotation: vec4f,
    /// Rotation of the second bone about the hinge, applied before `start_rotation`.
    mid_rotation: vec4f,
    /// Rotation of the hand or foot, applied before `mid_rotation`.
    end_rotation: vec4f,
}

/// Solves a rig's limb of two rigid bones and computes the rotations from its pose.
///
/// `pole` is the direction in which the mid joint bends, of any length; for a pole point,
/// the point minus the start joint. `pole_weight` is its weight against `pose_bend`, from 0
/// to 1; see `weigh_pole`. The end joint turns with the second bone.
fn solve_pose(pose: BindPose, target_in_start: vec3f, pole: vec3f, pole_weight: f32) -> Posed {
    let r1 = safe_length(pose.first);
    let r2 = safe_length(pose.second);
    // A tilted hinge turns the second bone on a cone, which limits the distance.
    let first_across = across_hinge(pose.hinge, pose.first);
    let second_across = across_hinge(pose.hinge, pose.second);
    let offset = dot(pose.hinge, pose.first) + dot(pose.hinge, pose.second);
    let turning = vec2f(safe_length(first_across), safe_length(second_across));
    var reachable = target_in_start;
    if pose.is_tilted {
        let near = safe_length(vec3f(turning.x - turning.y, offset, 0.0));
        let far = safe_length(vec3f(turning.x + turning.y, offset, 0.0));
        reachable = limit3(target_in_start, near, far);
    }

    let lengths = positive(r1, r2);
    let scale = scale_of(lengths.x + lengths.y);
    let unit = reciprocal_of(scale);
    let p = reachable * target_unit(reachable, scale);
    let reference = pose_bend(pose, reachable);
    var bend_to = weigh_pole(reachable, pole, reference, pole_weight);
    if dot(p, p) < COINCIDENT {
        bend_to = unit_or(pole, reference);
    }
    let solution = solve3_clamp(reachable, r1, r2, bend_to);
    let frame = frame_in_space(p, bend_to);
    let normal = unit_or(cross(frame.line, frame.across), pose.hinge);

    // The mid joint turns by the difference between the bends of the pose and the solution.
    let first = unit_or(first_across, vec3f(1.0, 0.0, 0.0));
    let second = unit_or(second_across, first);
    let bend_before = vec2f(dot(first, second), dot(cross(second, first), pose.hinge));
    let end = solution.end * unit;
    let h = select(dot(p, p), dot(end, end) - offset * unit * (offset * unit), pose.is_tilted);
    let bones = select(lengths, turning, pose.is_tilted) * unit;
    let half = half_angle(angle_between(hinge_bend(h, bones.x, bones.y), bend_before));
    let mid_rotation = vec4f(pose.hinge * half.y, half.x);

    var start_rotation = compose(
        frame_rotation(unit_or(solution.mid, unit_or(frame.line, first)), normal),
        conjugate(frame_rotation(first, pose.hinge)),
    );
    var mid = solution.mid;
    if pose.is_tilted {
        // The line start–end of the limb bent about its own hinge turns to the solution's.
        let shape = pose.first + rotate(mid_rotation, pose.second);
        let line = unit_or(frame.line, vec3f(1.0, 0.0, 0.0));
        let from_pose = conjugate(frame_along(unit_or(shape, first), pose.hinge));
        start_rotation = compose(frame_along(line, normal), from_pose);
        mid = rotate(start_rotation, pose.first);
    }
    let reached = solution.reached && all(reachable == target_in_start);
    return Posed(mid, solution.end, reached, start_rotation, mid_rotation, vec4f(0.0, 0.0, 0.0, 1.0));
}

/// A solved limb with a weight from 0 to 1 between its pose and the solution: the weighted
/// rotations, and the joints that follow from them.
fn weigh_pose(pose: BindPose, posed: Posed, weight: f32) -> Posed {
    if weight >= 1.0 {
        return posed;
    }
    let start_rotation = weigh_rotation(posed.start_rotation, weight);
    let mid_rotation = weigh_rotation(posed.mid_rotation, weight);
    let mid = rotate(start_rotation, pose.first);
    let end = mid + rotate(compose(start_rotation, mid_rotation), pose.second);
    return Posed(mid, end, false, start_rotation, mid_rotation, posed.end_rotation);
}

/// A solved limb whose hand or foot has a given rotation from the pose, in the frame of the
/// pose; (0, 0, 0, 1) keeps its rotation of the pose. Apply `weigh_pose` before, and
/// `weigh_rotation` to the rotation.
fn set_end_rotation(posed: Posed, rotation: vec4f) -> Posed {
    var turned = posed;
    let limb = compose(posed.start_rotation, posed.mid_rotation);
    turned.end_rotation = compose(conjugate(limb), rotation);
    return turned;
}

// ---------------------------------------------------------------------------
// Feet

/// A foot in its bind pose, with the sole flat on the ground. Points are relative to the
/// ankle.
struct Foot {
    /// Point of the sole that the foot rolls about backward.
    heel: vec3f,
    /// Point of the sole that the foot rolls about forward: toe or ball.
    toe: vec3f,
    /// Direction away from the ground, of any length.
    up: vec3f,
}

/// A place for a foot.
struct Footing {
    /// Point of the ground under the ankle of the flat foot.
    point: vec3f,
    /// Normal of the ground, of any length.
    normal: vec3f,
    /// Direction of the toe, of any length; only its part along the ground counts.
    heading: vec3f,
}

/// A placed foot: the target of its leg, and the rotation for `set_end_rotation`.
struct PlacedFoot {
    /// Position of the ankle.
    ankle: vec3f,
    /// Rotation from the bind pose.
    rotation: vec4f,
}

/// Lays the sole on the ground and rolls it by an angle, given as its cosine and sine:
/// about the toe by a positive angle, which lifts the heel, or about the heel by a negative
/// one, which lifts the toe. The point rolled about stays where it is in the flat foot, so
/// the foot does not slide.
fn place_foot(foot: Foot, footing: Footing, roll: vec2f) -> PlacedFoot {
    let forward = unit_or(foot.toe - foot.heel, vec3f(0.0, 0.0, 1.0));
    let sole_up = bend_direction(forward, foot.up);
    let normal = unit_or(footing.normal, vec3f(0.0, 1.0, 0.0));
    let heading = bend_direction(normal, footing.heading);
    let level = compose(frame_rotation(heading, normal), conjugate(frame_rotation(forward, sole_up)));
    let half = half_angle(roll);
    let rotation = compose(vec4f(cross(normal, heading) * half.y, half.x), level);

    let pivot = select(foot.toe, foot.heel, roll.y < 0.0);
    let under_ankle = sole_up * dot(sole_up, foot.heel);
    let fixed_point = footing.point + rotate(level, pivot - under_ankle);
    return PlacedFoot(fixed_point - rotate(rotation, pivot), rotation);
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
/// The second joint is on the pole's side of the line start–end, or on the other if `opposed`:
/// a bird's leg. The first is on the pole's side of the line start–second.
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
/// 3. femur and tibia are two rigid bones in the vertical plane of the coxa. The knee is
///    above the line to an ankle farther out than the coxa, and below it for one nearer.
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

// These return the mid joint alone, bend to the left, and lengthen the bones out of reach.
// They square their arguments twice, so lengths must be between about 1e-9 and 1e9.

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
