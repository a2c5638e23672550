#define_import_path tarsus::brute_force

#import tarsus::lens
#import tarsus::raymarch

// The plain way to draw a scene, as a yardstick for the fast one: every ray asks
// for the distance to everything at every step, and nothing is left out because
// it cannot be met. Scenes use it under the definition `REFERENCE`.
//
// The scene supplies the shapes by importing this module and overriding its two
// virtual functions, both in world space and both bounds.

// Distance to all that stands on the ground.
virtual fn things(p: vec3f) -> f32 {
    return 1e3;
}

// Distance to the ground as seen from `distance`.
virtual fn ground(p: vec3f, distance: f32) -> f32 {
    return 1e3;
}

const MAX_STEPS: i32 = 1024;

// Follows a ray (unit direction) from `near` to `far`, past the ground too unless it
// has left that for good. The normal is that of everything, also where it is the
// ground that was met.
fn look(
    origin: vec3f,
    direction: vec3f,
    near: f32,
    far: f32,
    pixel: f32,
    meets_ground: bool,
) -> raymarch::Sight {
    var t = near;
    var closest = far;
    var coverage = 0.0;
    var ground_at = far;
    var last_t = t;
    var last_gap = 0.0;
    for (var i = 0; i < MAX_STEPS && t < far; i++) {
        let p = origin + t * direction;
        let to_things = things(p);
        let to_ground = select(1e3, ground(p, t), meets_ground);
        lens::count_step();
        let share = select(1.0 - to_things / (pixel * t), 1.0, to_things < 0.15 * pixel * t);
        if share > coverage {
            coverage = share;
            closest = t;
        }
        if coverage >= 1.0 {
            lens::note_hit(t);
            break;
        }
        if to_ground < 0.0001 * t {
            lens::note_hit(t);
            // Where the chord through the last two points meets the ground.
            let onward = clamp(last_gap / max(last_gap - to_ground, 1e-6), 0.0, 2.0);
            ground_at = mix(last_t, t, onward);
            break;
        }
        last_t = t;
        last_gap = to_ground;
        t += min(to_things, max(to_ground, 0.0005 * t));
    }
    let end = select(ground_at, closest, coverage > 0.0);
    let n = normal(origin + end * direction, end, raymarch::NORMAL_REACH * pixel * end);
    return raymarch::Sight(raymarch::March(closest, coverage, n), ground_at);
}

fn everything(p: vec3f, distance: f32) -> f32 {
    return min(things(p), ground(p, distance));
}

// Unit normal at p, seen from `distance`, by central differences over `reach`.
fn normal(p: vec3f, distance: f32, reach: f32) -> vec3f {
    var sum = vec3f(0.0);
    for (var i = 0u; i < 4u; i++) {
        let corner = raymarch::corner(i);
        sum += corner * everything(p + reach * corner, distance);
        lens::count_step();
    }
    return raymarch::normal_of(sum);
}

// Share of a light that reaches p, seen from `distance`, as `raymarch::soft_shadow`.
fn soft_shadow(p: vec3f, distance: f32, to_light: vec3f, far: f32, angle: f32) -> f32 {
    // The farther p is from the eye, the less exactly it lies on a surface.
    var ray = raymarch::start_light_ray(0.02 + 0.003 * distance, far, angle);
    while ray.distance < ray.far && ray.room > -1.0 && ray.steps < MAX_STEPS {
        ray = raymarch::light_stepped(ray, everything(p + ray.distance * to_light, distance));
    }
    return raymarch::light_through(ray.room);
}
