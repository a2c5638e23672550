#define_import_path tarsus::walk

#import tarsus::gait::{Gait, hold_distance, step_at, swing_height, swing_travel}
#import tarsus::path
#import tarsus::terrain

// Feet on the ground and a body over them. World space: x ahead, y up, z right.

// The ground to walk on: height at a point of the xz plane.
virtual fn ground(p: vec2f) -> f32 {
    return terrain::height(p);
}

struct Foot {
    position: vec3f,
    // The ground the foot stands on, or is on its way over, without the lift:
    // continuous in time, so that a body can follow it.
    ground: f32,
    stance: bool,
}

// The point where a foot stands during step `index`: its rest position beside
// the path (x ahead, y right), where the body is in the middle of that stance.
fn hold(gait: Gait, phase: f32, rest: vec2f, index: f32) -> vec2f {
    return path::beside(hold_distance(gait, phase, index), rest);
}

// The foot at `time`, standing or on its arc from one hold to the next.
fn foot_at(gait: Gait, phase: f32, rest: vec2f, time: f32) -> Foot {
    let step = step_at(time, gait, phase);
    let here = hold(gait, phase, rest, step.index);
    let height_here = ground(here);
    if step.stance {
        return Foot(vec3f(here.x, height_here, here.y), height_here, true);
    }
    let there = hold(gait, phase, rest, step.index + 1.0);
    let travel = swing_travel(step.swing);
    let over = mix(here, there, travel);
    let height = mix(height_here, ground(there), travel);
    let lift = gait.lift * swing_height(step.swing);
    return Foot(vec3f(over.x, height + lift, over.y), height, false);
}

// A plane through the ground under the feet, by least squares over their rest
// positions (which must be symmetric to the right and left).
struct Support {
    height: f32,
    // Sums over the feet: height times rest, and rest squared.
    slope: vec2f,
    spread: vec2f,
    count: f32,
}

fn no_support() -> Support {
    return Support(0.0, vec2f(0.0), vec2f(0.0), 0.0);
}

// Takes one more foot into account.
fn supported(support: Support, rest: vec2f, foot: Foot) -> Support {
    return Support(
        support.height + foot.ground,
        support.slope + rest * foot.ground,
        support.spread + rest * rest,
        support.count + 1.0,
    );
}

// Where the body is and how it is turned.
struct Body {
    position: vec3f,
    // Columns: ahead, up, right in the world. Orthonormal.
    world_from_body: mat3x3f,
}

// The body at `distance` along the path, `clearance` above the plane of its
// feet. It follows the plane's slope by the share `follow` (0 level, 1 all).
// `centre` is the mean rest position of the feet.
fn body_over(support: Support, centre: vec2f, distance: f32, clearance: f32, follow: f32) -> Body {
    let mean = support.height / support.count;
    let variance = support.spread - support.count * centre * centre;
    let slope = (support.slope - centre * support.height) / max(variance, vec2f(1e-6));
    let ahead_on_ground = path::direction_at(distance);
    let right_on_ground = path::right_of(ahead_on_ground);
    let tilted = vec3f(ahead_on_ground.x, follow * slope.x, ahead_on_ground.y);
    let sideways = vec3f(right_on_ground.x, follow * slope.y, right_on_ground.y);
    let ahead = normalize(tilted);
    let up = normalize(cross(sideways, ahead));
    let place = path::point_at(distance);
    let base = vec3f(place.x, mean - dot(slope, centre), place.y);
    return Body(base + clearance * up, mat3x3f(ahead, up, cross(ahead, up)));
}

// A point of the world in body space, and back.
fn to_body(body: Body, p: vec3f) -> vec3f {
    return (p - body.position) * body.world_from_body;
}

fn to_world(body: Body, p: vec3f) -> vec3f {
    return body.position + body.world_from_body * p;
}
