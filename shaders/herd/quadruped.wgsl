#define_import_path tarsus::herd::quadruped

#import tarsus::bounds
#import tarsus::herd::crowd
#import tarsus::ik
#import tarsus::herd::swells
#import tarsus::walk
#import tarsus::walker

// Four legs for each animal of a `crowd`. A scene sets `#define LEGS 4` and overrides the
// legs' plan in `walker` and their gait in `walk`, as for an animal that walks alone.
// Each animal of a crowd follows its own course; its gait does not change on the way.

/// Step of a leg at a time in periods of the crowd.
fn step_of(animal: crowd::Animal, leg: u32, loop_time: f32) -> walk::Step {
    return walk::step_at(loop_time, gait_of(animal), phase_of(animal, leg));
}

fn gait_of(animal: crowd::Animal) -> walk::Gait {
    let stride = walk::stride();
    return walk::Gait(1.0 / animal.strides, stride.duty, 0.0, stride.lift * animal.size);
}

fn phase_of(animal: crowd::Animal, leg: u32) -> f32 {
    return animal.phase + walk::phase(walker::row_of(leg), walker::side_of(leg), 0.0);
}

/// Foot of a leg, in world space. Its footholds are its neutral positions at the middle of
/// each stance. They are constant during the stance, so the foot does not slide.
fn foot_at(animal: crowd::Animal, leg: u32, loop_time: f32) -> vec3f {
    let gait = gait_of(animal);
    let phase = phase_of(animal, leg);
    let step = walk::step_at(loop_time, gait, phase);
    let neutral = animal.size * walker::plan(walker::row_of(leg)).foot
        * vec2f(1.0, walker::side_of(leg));
    let travelled = step.index + walk::swing_travel(step.swing);
    let middle = (travelled - phase + 0.5 * gait.duty) / animal.strides;
    let over = walk::offset_point(crowd::course_at(animal, middle), neutral);
    let height = swells::height(over) + gait.lift * walk::swing_height(step.swing);
    return vec3f(over.x, height, over.y);
}

// Hooves beyond this distance are too small for their contact to be seen.
const CONTACT_DISTANCE: f32 = 14.0;

/// Ground at p, at a distance from the camera, at the hooves of the animal of p's cell, on p's
/// side of it: x = fraction of the light that passes the hooves, y = density of the dust that
/// they raise where they land.
fn at_hooves(p: vec2f, from_camera: f32, loop_time: f32) -> vec2f {
    if from_camera > CONTACT_DISTANCE {
        return vec2f(1.0, 0.0);
    }
    let cell = crowd::cell_at(p, loop_time);
    let animal = crowd::animal_in(cell);
    let here = crowd::course_at(animal, loop_time);
    let is_near = crowd::is_taken(cell) && distance(p, here.point) < 1.7 * animal.size;
    let aside = dot(p - here.point, walk::right_of(here.ahead)) / animal.size;
    var found = vec2f(1.0, 0.0);
    if is_near {
        for (var row = 0u; row < 2u; row++) {
            let leg = row + select(0u, 2u, aside > 0.0);
            let foot = foot_at(animal, leg, loop_time);
            let above = vec3f(p - foot.xz, 2.0 * (foot.y - swells::height(foot.xz))) / animal.size;
            let age = fract(loop_time * animal.strides + phase_of(animal, leg));
            let spread = dot(above, above) / (0.03 + 0.25 * age);
            let puff = smoothstep(0.0, 0.15, abs(aside)) * exp(-7.0 * age - spread);
            let contact = exp(-60.0 * dot(above, above)) * exp(-4.0 * length(above));
            found = vec2f(found.x * (1.0 - contact), max(found.y, puff));
        }
    }
    let far = smoothstep(0.6 * CONTACT_DISTANCE, CONTACT_DISTANCE, from_camera);
    return mix(found, vec2f(1.0, 0.0), far);
}

/// Build of a leg: x = distance of its elbow or stifle (`trochanter`), the joint inside the
/// trunk's hide, from the line hip–knee, on the side opposite to the pole; y = distance of the
/// root of its hindmost muscle behind the hip; z = start of the cannon bone, as a fraction of it.
virtual fn build(row: u32) -> vec3f {
    return vec3f(0.1, 0.15, 0.0);
}

// Backward bend of the hoof where the foot is highest, and at the end of a stance, when the heel
// has left the ground: horizontal per vertical length.
const TRAILING: f32 = 1.1;
const HEEL_LIFT: f32 = 0.5;

// Direction from the fetlock to the toe of a foot (body space): it trails while the foot is in the
// air, and the heel lifts before that.
fn hoof_direction(foot: vec3f, plan: walker::Plan) -> vec3f {
    let stride = walk::stride();
    let lifted = max(foot.y + crowd::rise(0.0), 0.0) / stride.lift;
    let behind = max(2.0 * (plan.foot.x - foot.x) / (stride.duty * stride.length), 0.0);
    let late = behind * behind;
    let back = TRAILING * lifted * lifted + HEEL_LIFT * late * late;
    return normalize(plan.tarsus - vec3f(min(back, TRAILING), 0.0, 0.0));
}

/// Unit vector along the sole of a hoof, from heel to toe: level until the hoof bends back.
fn sole_of(bones: ik::Leg, leg: u32) -> vec2f {
    let plan = walker::plan(walker::row_of(leg));
    let level = plan.tarsus;
    let hoof = (bones.foot - bones.ankle) / plan.lengths.tarsus;
    return vec2f(dot(hoof.xy, level.xy), hoof.y * level.x - hoof.x * level.y);
}

/// Leg to a foot (body space), in the plane through hip and foot that contains the x axis:
/// the knee bends forward or backward, depending on the pole.
fn leg_to(foot: vec3f, leg: u32) -> ik::Leg {
    let right = walker::plan(walker::row_of(leg));
    let hoof = right.lengths.tarsus * hoof_direction(foot, right);
    // The shoulder blade and the pelvis rise above a foot below them, so legs bend less.
    let from_hip = foot.x - hoof.x - right.hip.x;
    let below_hip = max(1.0 - 1.6 * from_hip * from_hip, 0.0);
    let hip = right.hip * vec3f(1.0, 1.0, walker::side_of(leg))
        + vec3f(0.0, 0.16 * below_hip * below_hip, 0.0);
    let ankle = foot - hoof - hip;
    let down = length(ankle.yz);
    let below = vec3f(0.0, ankle.yz / down);
    // The gait keeps each ankle within reach of its hip, so the bones need no limit.
    let aim = vec2f(ankle.x, -down);
    let femur = right.lengths.femur;
    let tibia = right.lengths.tibia;
    let triangle = ik::triangle_within_reach(dot(aim, aim), femur, tibia);
    let mid = triangle.along * aim + triangle.across * ik::perpendicular(aim, right.pole.x);
    let knee = hip + vec3f(mid.x, 0.0, 0.0) - mid.y * below;
    let aside = right.pole.x * build(walker::row_of(leg)).x;
    let elbow = mix(hip, knee, 0.37) - vec3f(aside, 0.0, 0.0);
    let is_reached = ik::within_reach(dot(aim, aim), femur, tibia);
    return ik::Leg(hip, elbow, knee, hip + ankle, foot, is_reached);
}

// Heights between which the legs' reach shrinks from `foot_range` to `THIGH`, under the belly.
const REACH_HEIGHTS: vec2f = vec2f(0.45, 1.70);
const THIGH: f32 = 0.26;

// Largest distance of any part of a foot from its neutral position, along the body.
fn foot_range() -> f32 {
    let stride = walk::stride();
    return 0.5 * stride.length * stride.duty + 0.26;
}

// Distance of a point from the reach of the forelegs (`side` = 1) behind them, or of the hind legs
// (-1) ahead of them, under the belly; negative within it. `middle` is that of their box along x.
fn past_reach(p: vec3f, middle: f32, side: f32) -> f32 {
    let slope = (foot_range() - THIGH) / (REACH_HEIGHTS.y - REACH_HEIGHTS.x);
    return slope * (p.y - REACH_HEIGHTS.x) - side * (p.x - middle) - foot_range();
}

// Span of a ray within the reach, widened by `margin`.
fn reach_span(origin: vec3f, direction: vec3f, margin: f32, middle: f32, side: f32) -> bounds::Span {
    let start = past_reach(origin, middle, side);
    let rate = past_reach(origin + direction, middle, side) - start;
    // The boundary is not steeper than 0.6, so 1.2 times the margin lies between.
    let t = (1.2 * margin - start) / select(rate, 1e-7, abs(rate) < 1e-7);
    return bounds::Span(select(-1e9, t, rate < 0.0), select(t, 1e9, rate < 0.0));
}

fn overlap(a: bounds::Span, b: bounds::Span) -> bounds::Span {
    return bounds::Span(max(a.t_near, b.t_near), min(a.t_far, b.t_far));
}

/// Box in body space that contains the right leg of a row in every pose.
struct Box {
    middle: vec3f,
    half_size: vec3f,
}

fn box_around(row: u32) -> Box {
    let right = walker::plan(row);
    let to_knee = right.lengths.femur + sign(right.pole.x) * (right.hip.x - right.foot.x) + 0.07;
    // A raised body has its feet lower relative to it; a lowered one has its knees higher.
    let rise = crowd::rise(0.0);
    let low = -0.12 - max(rise, 0.0);
    // Shoulder and pelvis rise over a foot (`leg_to`), and the muscle behind the thigh reaches above it.
    let high = right.hip.y + 0.34 + max(-0.5 * rise, 0.0);
    return Box(
        vec3f(right.foot.x, 0.5 * (low + high), 0.5 * (right.hip.z + right.foot.y)),
        vec3f(max(foot_range(), to_knee), 0.5 * (high - low), 0.17),
    );
}

/// Legs that a ray in body space may meet within `margin`: bit n for leg n.
fn candidates(origin: vec3f, direction: vec3f, margin: f32) -> u32 {
    let front = box_around(0u);
    let hind = box_around(1u);
    let inverse = 1.0 / select(direction, vec3f(1e-7), abs(direction) < vec3f(1e-7));
    let half = front.half_size + margin;
    let low = bounds::slab(origin.y, inverse.y, front.middle.y, half.y);
    let ahead = overlap(bounds::slab(origin.x, inverse.x, front.middle.x, half.x),
        reach_span(origin, direction, margin, front.middle.x, 1.0));
    let behind = overlap(bounds::slab(origin.x, inverse.x, hind.middle.x, hind.half_size.x + margin),
        reach_span(origin, direction, margin, hind.middle.x, -1.0));
    let left = bounds::slab(origin.z, inverse.z, -front.middle.z, half.z);
    let right = bounds::slab(origin.z, inverse.z, front.middle.z, half.z);
    return select(0u, 1u, bounds::spans_overlap(low, ahead, left))
        | select(0u, 2u, bounds::spans_overlap(low, behind, left))
        | select(0u, 4u, bounds::spans_overlap(low, ahead, right))
        | select(0u, 8u, bounds::spans_overlap(low, behind, right));
}
