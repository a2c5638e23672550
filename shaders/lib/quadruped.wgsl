#define_import_path tarsus::quadruped

#import tarsus::bounds
#import tarsus::crowd
#import tarsus::gait
#import tarsus::ik
#import tarsus::swells

// Four legs for each animal of a `crowd`. They are numbered 0 and 1 on the left, front and hind,
// 2 and 3 on the right.

const LEGS: u32 = 4u;

/// Leg of the right side, in body space. The left one mirrors it.
struct Plan {
    hip: vec3f,
    /// Mean position of the foot on the ground: x ahead, y right of the body's middle.
    foot: vec2f,
    /// Fraction of a cycle by which it runs ahead.
    phase: f32,
    /// Without a coxa.
    lengths: ik::LegLengths,
    /// Unit vector from the foot up to the ankle.
    tarsus: vec3f,
    /// 1 for a knee that bends forward, -1 for one that bends backward.
    bend: f32,
    /// Radii at hip, knee, ankle and foot.
    radii: vec4f,
}

/// The right leg in front or behind.
virtual fn plan(is_hind: bool) -> Plan {
    return Plan(
        vec3f(select(0.50, -0.56, is_hind), 1.50, 0.13),
        vec2f(select(0.54, -0.56, is_hind), 0.15),
        select(0.25, 0.5, is_hind),
        ik::LegLengths(0.0, 0.74, 0.88, 0.16),
        select(vec3f(-0.307, 0.952, 0.0), vec3f(-0.411, 0.912, 0.0), is_hind),
        select(1.0, -1.0, is_hind),
        vec4f(select(0.115, 0.15, is_hind), 0.057, 0.035, 0.050),
    );
}

/// How the feet step.
struct Steps {
    /// Fraction of a cycle during which a foot stands.
    duty: f32,
    /// Height of a swinging foot above the ground at its highest, in body space.
    lift: f32,
    /// How far the left legs are behind the right ones, in cycles.
    behind: f32,
}

virtual fn steps() -> Steps {
    return Steps(0.64, 0.26, 0.5);
}

fn is_hind(leg: u32) -> bool {
    return (leg & 1u) == 1u;
}

fn side_of(leg: u32) -> f32 {
    return select(-1.0, 1.0, leg >= 2u);
}

/// State of one foot; the position is in world space.
struct Foot {
    position: vec3f,
    stance: bool,
}

/// The foot of a leg. Its footholds are its neutral positions where the animal is in the middle
/// of a stance. They are constant during the stance, so the foot does not slide.
fn foot_at(animal: crowd::Animal, leg: u32, turn: f32) -> Foot {
    let how = steps();
    let right = plan(is_hind(leg));
    let phase = animal.phase + right.phase - select(how.behind, 0.0, leg >= 2u);
    let walk = gait::Gait(1.0 / animal.strides, how.duty, 0.0, how.lift * animal.size);
    let step = gait::step_at(turn, walk, phase);
    let neutral = animal.size * right.foot * vec2f(1.0, side_of(leg));
    let middle = (step.index - phase + 0.5 * how.duty) / animal.strides;
    let here = crowd::beside(crowd::course(animal, middle), neutral);
    let there = crowd::beside(crowd::course(animal, middle + 1.0 / animal.strides), neutral);
    let over = select(mix(here, there, gait::swing_travel(step.swing)), here, step.stance);
    let height = swells::height(over) + walk.lift * gait::swing_height(step.swing);
    return Foot(vec3f(over.x, height, over.y), step.stance);
}

/// The leg to a foot of body space, in the plane through hip and foot that contains the x axis.
fn leg_to(foot: vec3f, leg: u32) -> ik::Leg {
    let right = plan(is_hind(leg));
    let hip = right.hip * vec3f(1.0, 1.0, side_of(leg));
    let hoof = right.lengths.tarsus * right.tarsus;
    let ankle = foot + hoof - hip;
    let down = length(ankle.yz);
    let below = vec3f(0.0, ankle.yz / down);
    let bones = ik::solve2_clamp(
        vec2f(ankle.x, -down), right.lengths.femur, right.lengths.tibia, right.bend);
    let knee = hip + vec3f(bones.mid.x, 0.0, 0.0) - bones.mid.y * below;
    let end = hip + vec3f(bones.end.x, 0.0, 0.0) - bones.end.y * below;
    return ik::Leg(hip, hip, knee, end, end - hoof, bones.reached);
}

/// A box that contains a right leg in every pose, in body space.
struct Box {
    middle: vec3f,
    half_size: vec3f,
}

fn box_around(is_hind: bool) -> Box {
    let right = plan(is_hind);
    // As far as the foot comes, or the knee.
    let to_foot = 0.5 * crowd::spread().stride * steps().duty + 0.21;
    let to_knee = right.lengths.femur + right.bend * (right.hip.x - right.foot.x) + 0.07;
    // A body that is higher over its feet has them lower, one that is lower has its knees higher.
    let rise = crowd::rise(0.0);
    let low = -0.12 - max(rise, 0.0);
    let high = right.hip.y + 0.08 + max(-0.5 * rise, 0.0);
    return Box(
        vec3f(right.foot.x, 0.5 * (low + high), 0.5 * (right.hip.z + right.foot.y)),
        vec3f(max(to_foot, to_knee), 0.5 * (high - low), 0.145),
    );
}

/// The legs that a ray of body space may meet within `margin`: bit n for leg n.
fn candidates(origin: vec3f, direction: vec3f, margin: f32) -> u32 {
    let front = box_around(false);
    let hind = box_around(true);
    let inverse = 1.0 / select(direction, vec3f(1e-7), abs(direction) < vec3f(1e-7));
    let half = front.half_size + margin;
    let low = bounds::slab(origin.y, inverse.y, front.middle.y, half.y);
    let ahead = bounds::slab(origin.x, inverse.x, front.middle.x, half.x);
    let behind = bounds::slab(origin.x, inverse.x, hind.middle.x, half.x);
    let left = bounds::slab(origin.z, inverse.z, -front.middle.z, half.z);
    let right = bounds::slab(origin.z, inverse.z, front.middle.z, half.z);
    return select(0u, 1u, bounds::have_common(low, ahead, left))
        | select(0u, 2u, bounds::have_common(low, behind, left))
        | select(0u, 4u, bounds::have_common(low, ahead, right))
        | select(0u, 8u, bounds::have_common(low, behind, right));
}
