#define_import_path tarsus::raymarch

#import tarsus::lens

// Sphere tracing of a signed distance function. The scene supplies it by
// importing this module and overriding its virtual function `map`, which must be
// a bound: never larger than the distance to the nearest surface.

virtual fn map(p: vec3f) -> f32 {
    return length(p) - 1.0;
}

// What became of a ray.
struct March {
    // Distance along the ray to the surface, or to the point of closest pass.
    distance: f32,
    // Share of the pixel's cone that the surface covers: 1 for a hit, between 0
    // and 1 where the ray passes within a pixel of an outline, 0 for a miss.
    coverage: f32,
}

// What a ray from the eye meets.
struct Sight {
    // Of what stands on the ground.
    thing: March,
    // Distance to the ground; the farthest there is where none is met, or where
    // a thing hides it.
    ground: f32,
}

const MAX_STEPS: i32 = 96;

// A ray on its way.
struct Ray {
    // How far it has got, and how far it is to go.
    distance: f32,
    far: f32,
    // Where it passed closest by pixel, and the gap there in pixels.
    closest: f32,
    closest_gap: f32,
    steps: i32,
}

fn start_ray(near: f32, far: f32) -> Ray {
    return Ray(near, far, far, 1.0, 0);
}

fn under_way(ray: Ray) -> bool {
    return ray.distance < ray.far && ray.steps < MAX_STEPS;
}

// One step: `gap` is the distance to the surface where the ray is, `pixel` the
// width of a pixel at distance 1. Surfaces are met to a fraction of a pixel.
fn stepped(ray: Ray, gap: f32, pixel: f32) -> Ray {
    let width = pixel * ray.distance;
    lens::count_step();
    lens::note_gap(gap, width);
    var next = ray;
    let gap_in_pixels = gap / width;
    if gap_in_pixels < ray.closest_gap {
        next.closest_gap = gap_in_pixels;
        next.closest = ray.distance;
    }
    next.distance += gap;
    next.steps += 1;
    if gap_in_pixels < 0.15 {
        lens::note_hit(ray.distance);
        next.closest_gap = 0.0;
        next.far = ray.distance;
    }
    return next;
}

fn ended(ray: Ray) -> March {
    return March(ray.closest, 1.0 - ray.closest_gap);
}

// The march of one ray past two things, of which each was marched alone: the
// nearer of two hits, else the closer pass.
fn nearer(a: March, b: March) -> March {
    let takes_b = b.coverage > a.coverage || (b.coverage == a.coverage && b.distance < a.distance);
    return March(select(a.distance, b.distance, takes_b), select(a.coverage, b.coverage, takes_b));
}

// Follows a ray (unit direction) from `near` to `far`. `pixel` is the width of
// a pixel at distance 1.
fn march(origin: vec3f, direction: vec3f, near: f32, far: f32, pixel: f32) -> March {
    var ray = start_ray(near, far);
    while under_way(ray) {
        ray = stepped(ray, map(origin + ray.distance * direction), pixel);
    }
    return ended(ray);
}

// Corner `i` (0 to 3) of a tetrahedron.
fn corner(i: u32) -> vec3f {
    let bits = vec3u((i + 3u) >> 1u, i >> 1u, i) & vec3u(1u);
    return 2.0 * vec3f(bits) - 1.0;
}

// Unit normal from the sum of the distances at the four corners around a point,
// each times its corner.
fn normal_of(sum: vec3f) -> vec3f {
    let unit = sum * inverseSqrt(max(dot(sum, sum), 1e-20));
    lens::note_normal(unit);
    return unit;
}

// Unit normal of the surface near `p` by central differences over `reach`, at
// the corners of a tetrahedron.
fn normal(p: vec3f, reach: f32) -> vec3f {
    return normal_if(true, p, reach);
}

// The normal where `wanted`, else any vector. A loop without a round costs less
// than one with four, so ask for no more normals than will be used.
fn normal_if(wanted: bool, p: vec3f, reach: f32) -> vec3f {
    var sum = vec3f(0.0);
    for (var i = 0u; i < select(0u, 4u, wanted); i++) {
        sum += corner(i) * map(p + reach * corner(i));
        lens::count_step();
    }
    return normal_of(sum);
}

// A ray to a light, which is a disc whose radius, seen from where the ray
// starts, is `angle` (radians, small): penumbrae widen with distance as real ones do.
struct LightRay {
    distance: f32,
    far: f32,
    angle: f32,
    // The least room so far, from -1 (disc hidden) to 1 (disc free).
    room: f32,
    steps: i32,
}

const MAX_LIGHT_STEPS: i32 = 48;

fn start_light_ray(near: f32, far: f32, angle: f32) -> LightRay {
    return LightRay(near, far, angle, 1.0, 0);
}

fn light_under_way(ray: LightRay) -> bool {
    return ray.distance < ray.far && ray.room > -1.0 && ray.steps < MAX_LIGHT_STEPS;
}

fn light_stepped(ray: LightRay, gap: f32) -> LightRay {
    lens::count_step();
    let room = min(ray.room, gap / (ray.angle * ray.distance));
    let step = clamp(gap, 0.01 + 0.01 * ray.distance, 0.4);
    return LightRay(ray.distance + step, ray.far, ray.angle, room, ray.steps + 1);
}

// Share of the light, 0 to 1, that the least room on its way leaves.
fn light_through(room: f32) -> f32 {
    let free = clamp(0.5 + 0.5 * room, 0.0, 1.0);
    return free * free * (3.0 - 2.0 * free);
}

// Share of a distant light that reaches `p` along the unit vector `to_light`,
// 0 to 1, looking from `near` to `far`.
fn soft_shadow(p: vec3f, to_light: vec3f, near: f32, far: f32, angle: f32) -> f32 {
    return light_through(light_room(p, to_light, near, far, angle));
}

// The least room on that way, to be compared with that of other things.
fn light_room(p: vec3f, to_light: vec3f, near: f32, far: f32, angle: f32) -> f32 {
    var ray = start_light_ray(near, far, angle);
    while light_under_way(ray) {
        ray = light_stepped(ray, map(p + ray.distance * to_light));
    }
    return ray.room;
}

// Share of the sky's light that reaches `p` with unit normal `n`, 0 to 1, judged
// by how much room there is up to `reach` above the surface; 1 for a reach of 0.
fn occlusion(p: vec3f, n: vec3f, reach: f32) -> f32 {
    var hidden = 0.0;
    var weight = 1.0;
    for (var i = 1; i <= select(0, 4, reach > 0.0); i++) {
        let above = reach * f32(i) * 0.25;
        lens::count_step();
        hidden += weight * max(above - map(p + above * n), 0.0) / above;
        weight *= 0.6;
    }
    return clamp(1.0 - 0.5 * hidden, 0.0, 1.0);
}
