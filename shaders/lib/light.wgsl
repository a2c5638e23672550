#define_import_path tarsus::light

#import tarsus::noise
#import tarsus::shading

// What a surface makes of the light that falls on it: one distant lamp, the sky
// around, and what it mirrors. All vectors in one space, all light linear.

// What light meets.
struct Surface {
    // Unit normal, with fine relief.
    normal: vec3f,
    albedo: vec3f,
    // Reflectance straight on; 0 for what does not shine.
    gloss: vec3f,
    // Of the gloss, 0 to 1.
    roughness: f32,
    // Light that comes back at grazing angles: down, moss, velvet.
    sheen: f32,
    // Light that goes through thin parts toward the eye.
    through: f32,
}

// A sun, a moon or a glow so far off that its light is parallel.
struct Lamp {
    // Unit vector toward it.
    toward: vec3f,
    color: vec3f,
}

// Light that leaves `surface` against the unit vector `direction` (from the eye).
// `share` is the part of the lamp that reaches it, `around` the light that falls
// on it from the whole sky, `mirrored` what the sky shows along the mirrored ray.
fn leaving(
    surface: Surface,
    direction: vec3f,
    lamp: Lamp,
    share: f32,
    around: vec3f,
    mirrored: vec3f,
) -> vec3f {
    let facing = clamp(dot(surface.normal, -direction), 0.0, 1.0);
    let rim = shading::fresnel(facing, 0.0);
    let against = max(dot(direction, lamp.toward), 0.0);
    // Down and moss catch light that comes from behind them, a little past the edge.
    let wrap = 0.25 * min(surface.sheen, 1.0);
    let lambert = clamp((dot(surface.normal, lamp.toward) + wrap) / (1.0 + wrap), 0.0, 1.0);
    let diffuse = lambert * (1.0 + surface.sheen * rim) + surface.through * against * against * against;
    let matt = surface.albedo * (lamp.color * diffuse * share + around * (1.0 + surface.sheen * rim));
    let coat = (0.55 - 0.4 * surface.roughness) * rim * step(1e-5, surface.gloss.x);
    let spark = 2.2 * shading::highlight(surface.normal, -direction, lamp.toward, surface.roughness);
    return matt + mirrored * (surface.gloss + coat) + lamp.color * share * surface.gloss * spark;
}

// Light of a sky that is `above` overhead and `below` from the ground, on a
// surface that faces along n.
fn from_sky(n: vec3f, above: vec3f, below: vec3f) -> vec3f {
    return mix(below, above, 0.5 + 0.5 * n.y);
}

// Fine bumps of size 1 / `frequency` and slope `height`, as a tilt of the normal.
// Where the height is 0 they cost next to nothing.
fn bumps(p: vec3f, frequency: f32, height: f32) -> vec3f {
    let reach = 0.35;
    var tilt = vec3f(0.0);
    for (var i = 0u; i < select(0u, 4u, height > 0.0); i++) {
        // The point itself, then a little along each axis.
        let axis = vec3f(vec3u(i) == vec3u(1u, 2u, 3u));
        let weight = select(axis, vec3f(-1.0), i == 0u);
        tilt += weight * noise::value_noise_in_space(p * frequency + reach * axis);
    }
    return tilt * (-height / reach);
}

// Share of the light that mist takes from a ray `distance` long that starts at
// `origin_height` and rises by `rise` a unit of length. The mist thins out with
// height, by e every `depth`; at height 0 a unit of length takes `density`.
fn mist(origin_height: f32, rise: f32, distance: f32, density: f32, depth: f32) -> f32 {
    let climb = rise * distance / depth;
    // (1 − e^−x) / x, which is 1 at 0.
    let mean = select((1.0 - exp(-climb)) / climb, 1.0 - 0.5 * climb, abs(climb) < 1e-3);
    return 1.0 - exp(-density * distance * mean * exp(-max(origin_height, 0.0) / depth));
}
