#define_import_path tarsus::shading

// Light and materials. Everything here is linear light until `display`.

// Fresnel reflectance (Schlick): `facing` is the cosine between view and
// normal, `straight_on` the reflectance at normal incidence.
fn fresnel(facing: f32, straight_on: f32) -> f32 {
    let x = 1.0 - clamp(facing, 0.0, 1.0);
    let squared = x * x;
    return straight_on + (1.0 - straight_on) * squared * squared * x;
}

// Specular highlight (GGX, with the usual short form of its shadowing term) for
// unit vectors normal, to_eye, to_light. roughness in (0, 1].
fn highlight(normal: vec3f, to_eye: vec3f, to_light: vec3f, roughness: f32) -> f32 {
    let between = to_eye + to_light;
    let half_way = between * inverseSqrt(max(dot(between, between), 1e-8));
    let alpha = roughness * roughness;
    let n_h = clamp(dot(normal, half_way), 0.0, 1.0);
    let l_h = clamp(dot(to_light, half_way), 0.0, 1.0);
    let n_l = clamp(dot(normal, to_light), 0.0, 1.0);
    let d = n_h * n_h * (alpha * alpha - 1.0) + 1.0;
    let lobe = alpha * alpha / (d * d);
    return n_l * lobe / (max(l_h * l_h, 0.1) * (4.0 * roughness + 2.0));
}

// Colour that a thin film adds at an angle: a slow walk through the hues as
// the path through the film grows (cosine `facing` from 1 to 0).
fn thin_film(facing: f32, thickness: f32) -> vec3f {
    let phase = 6.2832 * thickness * sqrt(max(1.0 - 0.45 * (1.0 - facing * facing), 0.0));
    return 0.5 + 0.5 * cos(phase * vec3f(1.0, 1.18, 1.42) + vec3f(0.0, 0.6, 1.5));
}

// The late afternoon sky in a unit direction, with the glow around the sun.
fn sky(direction: vec3f, to_sun: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, to_sun), 0.0);
    let level = direction.xz * inverseSqrt(max(dot(direction.xz, direction.xz), 1e-6));
    let sunward = 0.5 + 0.5 * dot(level, normalize(to_sun.xz));
    let zenith = vec3f(0.13, 0.27, 0.50);
    let haze = mix(vec3f(0.42, 0.47, 0.56), vec3f(1.02, 0.66, 0.36), sunward * sunward);
    let color = mix(zenith, haze, exp(-7.5 * up));
    let warm = vec3f(1.1, 0.62, 0.27);
    let second = toward * toward;
    let eighth = second * second * second * second;
    let tenth = eighth * second;
    let glow = tenth * tenth;
    let glare = glow * glow * glow * glow;
    return color + warm * (0.28 * tenth + 0.9 * glare * glare);
}

// The disc of the sun itself, to be added to the sky where nothing hides it.
fn sun_disc(direction: vec3f, to_sun: vec3f) -> f32 {
    return smoothstep(0.99955, 0.99985, dot(direction, to_sun));
}

// Mixes in the air between the eye and a point at `distance`.
fn through_air(color: vec3f, air: vec3f, distance: f32, density: f32) -> vec3f {
    let d = density * distance;
    return mix(air, color, exp(-d * d));
}

// Filmic tone curve: linear in the shadows, a long soft shoulder (rational
// approximation of a reference film response; 0 → 0, 1 → 0.80).
fn tone_map(color: vec3f) -> vec3f {
    let x = max(color, vec3f(0.0));
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), vec3f(0.0), vec3f(1.0));
}

// Half a step of 8 bits up or down by pixel, so that slow gradients do not band.
fn dither(pixel: vec2f) -> f32 {
    return (fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}
