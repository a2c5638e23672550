#define_import_path tarsus::walk

#import tarsus::path
#import tarsus::terrain

// Feet on the ground and a body over them. World space has x ahead, y up, z right. Points
// of the ground plane are in world xz; offsets from the path are x ahead, y right.

/// Height of the ground at a point of the xz plane. The default is `terrain`.
virtual fn ground(p: vec2f) -> f32 {
    return terrain::height(p);
}

/// Sums for a least-squares plane through the ground under the feet, over the feet's
/// neutral positions, which must be symmetric between left and right.
struct Support {
    /// Sum of the ground's heights.
    height: f32,
    /// Sums of height times neutral position, and of the neutral position squared.
    slope: vec2f,
    spread: vec2f,
    count: f32,
}

/// Sums over no feet.
fn no_support() -> Support {
    return Support(0.0, vec2f(0.0), vec2f(0.0), 0.0);
}

/// Adds one foot to the sums. `ground` is the height of the ground below the foot,
/// continuous in time, so that a body that follows it does not jump.
fn add_foot(support: Support, neutral_foot: vec2f, ground: f32) -> Support {
    return Support(
        support.height + ground,
        support.slope + neutral_foot * ground,
        support.spread + neutral_foot * neutral_foot,
        support.count + 1.0,
    );
}

/// Position and orientation of a body.
struct Body {
    /// Origin of body space, in world space.
    position: vec3f,
    /// Columns: the directions ahead, up and right, in world space. Orthonormal.
    world_from_body: mat3x3f,
}

/// Body over `point` of the ground plane, facing along the unit vector `ahead_on_ground`,
/// `clearance` above the plane of its feet. Its tilt is `follow` times the slope of that
/// plane (0 is level, 1 parallel). `centre` is the mean of the neutral positions summed in
/// `support`.
fn body_at(
    support: Support,
    centre: vec2f,
    point: vec2f,
    ahead_on_ground: vec2f,
    clearance: f32,
    follow: f32,
) -> Body {
    let mean = support.height / support.count;
    let variance = support.spread - support.count * centre * centre;
    // Feet side by side, or one behind the other, do not determine the slope across: there,
    // the variance is only rounding error.
    let is_spread = variance > 1e-5 * max(support.spread, vec2f(1e-20));
    let covariance = support.slope - centre * support.height;
    let slope = select(vec2f(0.0), covariance / max(variance, vec2f(1e-20)), is_spread);
    let right_on_ground = path::right_of(ahead_on_ground);
    let tilted = vec3f(ahead_on_ground.x, follow * slope.x, ahead_on_ground.y);
    let sideways = vec3f(right_on_ground.x, follow * slope.y, right_on_ground.y);
    let ahead = normalize(tilted);
    let up = normalize(cross(sideways, ahead));
    let base = vec3f(point.x, mean - dot(slope, centre), point.y);
    return Body(base + clearance * up, mat3x3f(ahead, up, cross(ahead, up)));
}

/// Body moved by `shift` and leaned until its y axis points along `up` (any length), both
/// in its own space. It rotates as little as possible.
fn lean(body: Body, shift: vec3f, up: vec3f) -> Body {
    let y = normalize(up);
    let x = normalize(vec3f(1.0, 0.0, 0.0) - y * y.x);
    let turn = mat3x3f(x, y, cross(x, y));
    return Body(body.position + body.world_from_body * shift, body.world_from_body * turn);
}

/// Transforms a point from world space into body space.
fn to_body(body: Body, p: vec3f) -> vec3f {
    return (p - body.position) * body.world_from_body;
}

/// Transforms a point from body space into world space.
fn to_world(body: Body, p: vec3f) -> vec3f {
    return body.position + body.world_from_body * p;
}
