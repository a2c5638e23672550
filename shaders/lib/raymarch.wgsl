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
    // Unit normal there; any vector for a miss.
    normal: vec3f,
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

// A ray on its way, and then the look around its end that gives the normal: one
// loop for both, because a loop costs at least one round of `map` for every pixel
// on adapters that run both sides of a branch.
struct Ray {
    // How far it has got, and how far it is to go.
    distance: f32,
    far: f32,
    // Width of a pixel at distance 1.
    pixel: f32,
    steps: i32,
    // Where it passed closest by pixel, and the gap there in pixels, 0 for a hit.
    closest: f32,
    closest_gap: f32,
    // Corners of the tetrahedron around that point that have been asked, and the
    // sum of their distances, each times its corner.
    corners: u32,
    sum: vec3f,
}

fn start_ray(near: f32, far: f32, pixel: f32) -> Ray {
    return Ray(near, far, pixel, 0, far, 1.0, 0u, vec3f(0.0));
}

// Arms of the tetrahedron in pixels: normals are no finer than what is seen.
const NORMAL_REACH: f32 = 0.4;

fn marching(ray: Ray) -> bool {
    return ray.distance < ray.far && ray.steps < MAX_STEPS;
}

fn under_way(ray: Ray) -> bool {
    return marching(ray) || (ray.closest_gap < 1.0 && ray.corners < 4u);
}

// Where the ray wants to know the distance next: how far along it, and beside it.
fn along(ray: Ray) -> f32 {
    return select(ray.closest, ray.distance, marching(ray));
}

fn beside(ray: Ray) -> vec3f {
    let arm = NORMAL_REACH * ray.pixel * ray.closest;
    return select(arm * corner(ray.corners), vec3f(0.0), marching(ray));
}

// One round: `gap` is the distance to the surface at that point. Surfaces are met
// to a fraction of a pixel.
fn stepped(ray: Ray, gap: f32) -> Ray {
    lens::count_step();
    var next = ray;
    if marching(ray) {
        let width = ray.pixel * ray.distance;
        lens::note_gap(gap, width);
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
    } else {
        next.sum += gap * corner(ray.corners);
        next.corners += 1u;
    }
    return next;
}

fn ended(ray: Ray) -> March {
    let unit = normal_of(ray.sum);
    return March(ray.closest, 1.0 - ray.closest_gap, unit);
}

// True if `b` is to be seen rather than `a`, the march of the same ray past
// another thing: the nearer of two hits, else the closer pass.
fn goes_before(b: March, a: March) -> bool {
    return b.coverage > a.coverage || (b.coverage == a.coverage && b.distance < a.distance);
}

// Follows a ray (unit direction) from `near` to `far`. `pixel` is the width of
// a pixel at distance 1.
fn march(origin: vec3f, direction: vec3f, near: f32, far: f32, pixel: f32) -> March {
    var ray = start_ray(near, far, pixel);
    while under_way(ray) {
        ray = stepped(ray, map(origin + along(ray) * direction + beside(ray)));
    }
    return ended(ray);
}

// Corner `i` (0 to 3) of a tetrahedron.
fn corner(i: u32) -> vec3f {
    let bits = vec3u((i + 3u) >> 1u, i >> 1u, i) & vec3u(1u);
    return 2.0 * vec3f(bits) - 1.0;
}

// Unit normal from the distances at the four corners around a point, each times
// its corner, summed.
fn normal_of(sum: vec3f) -> vec3f {
    let unit = sum * inverseSqrt(max(dot(sum, sum), 1e-20));
    lens::note_normal(unit);
    return unit;
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
    return light_through(room_around(p, to_light, near, far, angle, to_light, 0.0).light);
}

// Share of the sky's light that reaches `p` with unit normal `n`, 0 to 1, judged
// by how much room there is up to `reach` above the surface.
fn occlusion(p: vec3f, n: vec3f, reach: f32) -> f32 {
    return room_around(p, n, 0.0, 0.0, 1.0, n, reach).sky;
}

// How free a point of a surface is.
struct Room {
    // The least room on the way to the light, to be compared with that of other
    // things and given to `light_through`.
    light: f32,
    // Share of the sky's light.
    sky: f32,
}

const SKY_STEPS: i32 = 4;

// The room around `p` in one loop: toward a light as in `soft_shadow`, and above the
// surface as in `occlusion`, which a `reach` of 0 leaves out.
fn room_around(
    p: vec3f,
    to_light: vec3f,
    near: f32,
    far: f32,
    angle: f32,
    n: vec3f,
    reach: f32,
) -> Room {
    var ray = start_light_ray(near, far, angle);
    var hidden = 0.0;
    var weight = 1.0;
    var i = select(SKY_STEPS, 0, reach > 0.0);
    while i < SKY_STEPS || light_under_way(ray) {
        let above = reach * f32(i + 1) / f32(SKY_STEPS);
        let to_sky = i < SKY_STEPS;
        let gap = map(p + select(ray.distance * to_light, above * n, to_sky));
        if to_sky {
            lens::count_step();
            hidden += weight * max(above - gap, 0.0) / above;
            weight *= 0.6;
            i++;
        } else {
            ray = light_stepped(ray, gap);
        }
    }
    return Room(ray.room, clamp(1.0 - 0.5 * hidden, 0.0, 1.0));
}
