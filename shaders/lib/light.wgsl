#define_import_path tarsus::light

#import tarsus::noise
#import tarsus::shading

// Shading of a surface point under one directional light, diffuse light from the sky and
// one reflected direction. All vectors of a call are in the same space; all colours are
// linear light.

/// Surface properties at one point.
struct Surface {
    /// Unit normal, with fine relief.
    normal: vec3f,
    /// Diffuse reflectance.
    albedo: vec3f,
    /// F0: specular reflectance at normal incidence; 0 for none.
    f0_color: vec3f,
    /// Perceptual roughness of the specular lobe, in (0, 1].
    roughness: f32,
    /// Weight of extra diffuse light at grazing angles (down, moss, velvet); 0 for none.
    sheen: f32,
    /// Weight of light that passes through thin parts toward the camera; 0 for opaque.
    translucency: f32,
}

/// A light at infinity, with parallel rays.
struct DirectionalLight {
    /// Unit vector from the surface toward the light.
    to_light: vec3f,
    /// Radiance scale, linear light.
    color: vec3f,
}

/// Radiance of `surface` toward the camera. `direction` is the unit vector from the camera
/// to the surface, `visibility` the fraction of the light that is not in shadow (0 to 1),
/// `irradiance` the diffuse light of the sky at the point and `reflection` the radiance
/// along the mirrored ray. Wrapped Lambert with a Schlick rim for sheen, plus GGX
/// (`shading::ggx_specular`). Light that is mirrored is not scattered: the diffuse part is
/// reduced by the Fresnel reflectance.
fn shade(
    surface: Surface,
    direction: vec3f,
    light: DirectionalLight,
    visibility: f32,
    irradiance: vec3f,
    reflection: vec3f,
) -> vec3f {
    let n_dot_v = clamp(dot(surface.normal, -direction), 0.0, 1.0);
    let rim = shading::fresnel(n_dot_v, 0.0);
    let backlight = max(dot(direction, light.to_light), 0.0);
    // Fibres catch light past the terminator: the cosine is wrapped by up to 0.25.
    let wrap = 0.25 * min(surface.sheen, 1.0);
    let lambert = clamp((dot(surface.normal, light.to_light) + wrap) / (1.0 + wrap), 0.0, 1.0);
    let diffuse = lambert * (1.0 + surface.sheen * rim)
        + surface.translucency * backlight * backlight * backlight;
    let matte = surface.albedo
        * (light.color * diffuse * visibility + irradiance * (1.0 + surface.sheen * rim));
    let rim_specular = (0.55 - 0.4 * surface.roughness) * rim * step(1e-5, surface.f0_color.x);
    let direct_specular =
        shading::ggx_specular(surface.normal, -direction, light.to_light, surface.roughness);
    let mirrored = surface.f0_color + rim_specular;
    return matte * (1.0 - min(mirrored, vec3f(1.0))) + reflection * mirrored
        + light.color * visibility * surface.f0_color * direct_specular;
}

/// Light of a small lamp of brightness 1 on a surface, at the offset `to_lamp` from it: x =
/// irradiance (wrapped Lambert), y = specular light for f0 = 1, seen along `direction`.
/// Both fall with the square of the distance, and are finite at the lamp.
fn lamp(to_lamp: vec3f, surface: Surface, direction: vec3f) -> vec2f {
    let squared = dot(to_lamp, to_lamp);
    let to_light = to_lamp * inverseSqrt(max(squared, 1e-8));
    let half_lambert = 0.5 + 0.5 * dot(surface.normal, to_light);
    let lobe = shading::ggx_specular(surface.normal, -direction, to_light, surface.roughness);
    return vec2f(
        half_lambert * half_lambert / (0.12 + squared) * exp(-0.35 * squared),
        lobe / (0.5 + squared));
}

/// A small lamp in the air, at the offset `to_lamp` from the camera, along a ray that ends
/// at `distance`: x = its spot of radius `size`, or as wide as a pixel and fainter if that
/// is larger, y = its halo. `pixel` is the width of a pixel at distance 1.
fn lamp_in_air(to_lamp: vec3f, direction: vec3f, distance: f32, size: f32, pixel: f32) -> vec2f {
    let along = dot(to_lamp, direction);
    let offset = to_lamp - along * direction;
    let squared = dot(offset, offset);
    let radius = max(size, 0.7 * pixel * along);
    let part = squared / (radius * radius);
    let spot = exp(-part * part) * (size / radius) * (size / radius);
    let halo = exp(-3.0 * squared) / (0.006 + squared);
    // Fades out if the lamp is behind a surface or close to the camera.
    let visible = smoothstep(0.0, 0.25, distance - along) * clamp(along - 2.0, 0.0, 1.0);
    return visible * vec2f(spot, halo);
}

/// Hemisphere light on a surface with the unit normal `n` (y up): `above` is the light of
/// the sky overhead, `below` that of the ground.
fn hemisphere(n: vec3f, above: vec3f, below: vec3f) -> vec3f {
    return mix(below, above, 0.5 + 0.5 * n.y);
}

/// Offset of a unit normal for bumps of size 1 / `frequency` and slope `slope` at p: minus
/// the gradient of value noise, by forward differences. A slope of 0 skips the noise.
fn bumps(p: vec3f, frequency: f32, slope: f32) -> vec3f {
    let epsilon = 0.35;
    var tilt = vec3f(0.0);
    if slope > 0.0 {
        for (var i = 0u; i < 4u; i++) {
            // i = 0 samples the point itself, 1 to 3 a point along each axis.
            let axis = vec3f(vec3u(i) == vec3u(1u, 2u, 3u));
            let weight = select(axis, vec3f(-1.0), i == 0u);
            tilt += weight * noise::value_noise_in_space(p * frequency + epsilon * axis);
        }
    }
    return tilt * (-slope / epsilon);
}

/// Fraction of light that height fog removes from a ray of length `distance`, 0 to 1. The
/// ray starts at `origin_height` and rises by `rise` per unit of length. The fog's density
/// is `density` per unit of length at height 0 and falls by a factor of e every
/// `scale_height`. Closed-form integral of the exponential density along the ray
/// (Beer–Lambert).
fn height_fog(
    origin_height: f32,
    rise: f32,
    distance: f32,
    density: f32,
    scale_height: f32,
) -> f32 {
    let climb = rise * distance / scale_height;
    // (1 − e^−x) / x, whose limit at 0 is 1.
    let mean = select((1.0 - exp(-climb)) / climb, 1.0 - 0.5 * climb, abs(climb) < 1e-3);
    return 1.0 - exp(-density * distance * mean * exp(-max(origin_height, 0.0) / scale_height));
}
