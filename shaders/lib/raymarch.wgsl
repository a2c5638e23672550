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
    // Number of steps taken.
    steps: f32,
}

#ifdef REFERENCE
const MAX_STEPS: i32 = 512;
#else
const MAX_STEPS: i32 = 96;
#endif

// Follows a ray (unit direction) from `near` to `far`. `pixel` is the width of
// a pixel at distance 1; surfaces are met to a fraction of it.
fn march(origin: vec3f, direction: vec3f, near: f32, far: f32, pixel: f32) -> March {
    var t = near;
    var closest = far;
    var closest_ratio = 1.0;
    for (var i = 0; i < MAX_STEPS && t < far; i++) {
        let gap = map(origin + t * direction);
        let width = pixel * t;
        lens::count_step();
        lens::note_gap(gap, width);
        if gap < 0.15 * width {
            lens::note_hit(t);
            return March(t, 1.0, f32(i));
        }
        let ratio = gap / width;
        if ratio < closest_ratio {
            closest_ratio = ratio;
            closest = t;
        }
        t += gap;
    }
    return March(closest, 1.0 - closest_ratio, f32(MAX_STEPS));
}

// Unit normal of the surface near `p` by central differences over `reach`, at
// the corners of a tetrahedron. A loop, so that `map` is compiled once here.
fn normal(p: vec3f, reach: f32) -> vec3f {
    var n = vec3f(0.0);
    for (var i = 0u; i < 4u; i++) {
        let bits = vec3u((i + 3u) >> 1u, i >> 1u, i) & vec3u(1u);
        let corner = 2.0 * vec3f(bits) - 1.0;
        n += corner * map(p + reach * corner);
        lens::count_step();
    }
    let unit = n * inverseSqrt(max(dot(n, n), 1e-20));
    lens::note_normal(unit);
    return unit;
}

// Share of a distant light that reaches `p` along the unit vector `to_light`,
// 0 to 1, looking from `near` to `far`. The light is a disc whose radius, seen
// from p, is `angle` (radians, small): penumbrae widen with distance as real
// ones do.
fn soft_shadow(p: vec3f, to_light: vec3f, near: f32, far: f32, angle: f32) -> f32 {
    var light = 1.0;
    var t = near;
    for (var i = 0; i < 48 && t < far; i++) {
        let gap = map(p + t * to_light);
        lens::count_step();
        light = min(light, gap / (angle * t));
        if light < -1.0 {
            break;
        }
        t += clamp(gap, 0.01 + 0.01 * t, 0.4);
    }
    // gap / (angle t) runs from -1 (disc hidden) to 1 (disc free).
    let free = clamp(0.5 + 0.5 * light, 0.0, 1.0);
    return free * free * (3.0 - 2.0 * free);
}

// Share of the sky's light that reaches `p` with unit normal `n`, 0 to 1, judged
// by how much room there is up to `reach` above the surface.
fn occlusion(p: vec3f, n: vec3f, reach: f32) -> f32 {
    var hidden = 0.0;
    var weight = 1.0;
    for (var i = 1; i <= 4; i++) {
        let above = reach * f32(i) * 0.25;
        lens::count_step();
        hidden += weight * max(above - map(p + above * n), 0.0) / above;
        weight *= 0.6;
    }
    return clamp(1.0 - 0.5 * hidden, 0.0, 1.0);
}
