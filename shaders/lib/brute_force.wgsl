#define_import_path tarsus::brute_force

#import tarsus::debug_view
#import tarsus::raymarch

// Reference renderer: sphere tracing that evaluates every object and the ground at every
// step, without bounds. Scenes use it under the definition `REFERENCE`; their fast paths
// are tested and benchmarked against it.
//
// A scene imports this module and overrides `object_distance`, `limbs_distance` and
// `ground_distance`, all in world space. Ray directions are unit vectors.

/// Distance from p to the nearest object that stands on the ground. Bound.
virtual fn object_distance(p: vec3f) -> f32 {
    return 1e3;
}

/// Distance from p to the nearest limb, if `object_distance` leaves limbs out: their shadow
/// darkens that of all else. Bound.
virtual fn limbs_distance(p: vec3f) -> f32 {
    return 1e3;
}

/// Distance from p to the ground. Bound. `distance` is the distance from the camera to p;
/// detail finer than a pixel there is left out.
virtual fn ground_distance(p: vec3f, distance: f32) -> f32 {
    return 1e3;
}

const MAX_STEPS: i32 = 1024;

/// Traces a ray from `t_near` to `t_far` against the objects and, if `meets_ground`,
/// against the ground. `pixel` is the width of a pixel at distance 1. The normal is that of
/// the whole scene at the nearer hit, even if that is on the ground.
fn intersect(
    origin: vec3f,
    direction: vec3f,
    t_near: f32,
    t_far: f32,
    pixel: f32,
    meets_ground: bool,
) -> raymarch::SceneHit {
    var t = t_near;
    var closest = t_far;
    var coverage = 0.0;
    // An approach that the ray has left again is an edge if a larger coverage follows.
    var has_left = false;
    var edge = vec2f(t_far, 0.0);
    var t_ground = t_far;
    var last_t = t;
    var last_gap = 0.0;
    for (var i = 0; i < MAX_STEPS && t < t_far; i++) {
        let p = origin + t * direction;
        let to_object = min(object_distance(p), limbs_distance(p));
        let to_ground = select(1e3, ground_distance(p, t), meets_ground);
        debug_view::count_step();
        // Half a pixel inside the surface, as in `raymarch`.
        let inside = to_object + 0.5 * pixel * t;
        let covered = select(1.0 - inside / (pixel * t), 1.0, inside < 0.15 * pixel * t);
        has_left = has_left || covered < 0.5 * coverage;
        if covered > coverage {
            if has_left {
                edge = vec2f(closest, coverage);
            }
            has_left = false;
            coverage = covered;
            closest = t;
        }
        if coverage >= 1.0 {
            debug_view::note_hit(t);
            break;
        }
        if to_ground < 0.0001 * t {
            debug_view::note_hit(t);
            // Root of the chord through the last two samples.
            let onward = clamp(last_gap / max(last_gap - to_ground, 1e-6), 0.0, 2.0);
            t_ground = mix(last_t, t, onward);
            break;
        }
        last_t = t;
        last_gap = to_ground;
        t += min(inside, max(to_ground, 0.0005 * t));
    }
    let end = select(t_ground, closest, coverage > 0.0);
    let n = normal(origin + end * direction, end, raymarch::NORMAL_OFFSET * pixel * end);
    var edge_normal = n;
    if edge.y > 0.0 {
        edge_normal = normal(
            origin + edge.x * direction, edge.x, raymarch::NORMAL_OFFSET * pixel * edge.x);
    }
    return raymarch::SceneHit(
        raymarch::Hit(closest, coverage, n, 0u),
        raymarch::Hit(edge.x, edge.y, edge_normal, 0u),
        t_ground,
    );
}

/// Distance from p to the nearest surface of the scene; `distance` as in `ground_distance`.
fn scene_distance(p: vec3f, distance: f32) -> f32 {
    return min(min(object_distance(p), limbs_distance(p)), ground_distance(p, distance));
}

/// Unit normal of the scene at p, from four samples at `offset` per axis; `distance` as in
/// `ground_distance`.
fn normal(p: vec3f, distance: f32, offset: f32) -> vec3f {
    var sum = vec3f(0.0);
    for (var i = 0u; i < 4u; i++) {
        let corner = raymarch::corner(i);
        sum += corner * scene_distance(p + offset * corner, distance);
        debug_view::count_step();
    }
    return raymarch::normal_of(sum);
}

/// Shadow clearance (`raymarch::ShadowState`) of the limbs (x) and of all else (y), from p
/// toward a distant light; `distance` is the distance from the camera to p.
fn shadow_clearance(p: vec3f, distance: f32, to_light: vec3f, t_far: f32, angle: f32) -> vec2f {
    // The error of p grows with its distance from the camera; starting farther out avoids
    // self-shadowing.
    var state = raymarch::start_shadow(0.02 + 0.003 * distance, t_far, angle);
    var clearance = vec2f(1.0);
    while state.distance < state.t_far && state.clearance > -1.0 && state.steps < MAX_STEPS {
        let q = p + state.distance * to_light;
        let gaps =
            vec2f(limbs_distance(q), min(object_distance(q), ground_distance(q, distance)));
        let radius = angle * max(state.distance, raymarch::NEAREST);
        clearance = min(clearance, gaps / radius);
        state = raymarch::advance_shadow(state, min(gaps.x, gaps.y));
    }
    return clearance;
}
