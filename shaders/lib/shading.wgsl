#define_import_path tarsus::shading

#import tarsus::frame
#import tarsus::palette

// Reflectance, sky, fog and output transforms. All colours are linear light.

/// Fresnel reflectance after Schlick (1994). `cos_theta` is the cosine of the angle between
/// view and normal, `f0` the reflectance at normal incidence.
fn fresnel(cos_theta: f32, f0: f32) -> f32 {
    let x = 1.0 - clamp(cos_theta, 0.0, 1.0);
    let squared = x * x;
    return f0 + (1.0 - f0) * squared * squared * x;
}

/// Specular term of a directional light, times n·l, for f0 = 1: GGX distribution with the
/// combined approximation of shadowing and Fresnel by Karis and Zioma ("Optimizing PBR for
/// Mobile", SIGGRAPH 2015). `normal`, `to_camera` and `to_light` are unit vectors in one
/// space; `roughness` is perceptual, in (0, 1].
fn ggx_specular(normal: vec3f, to_camera: vec3f, to_light: vec3f, roughness: f32) -> f32 {
    let sum = to_camera + to_light;
    let half_vector = sum * inverseSqrt(max(dot(sum, sum), 1e-8));
    let alpha = roughness * roughness;
    let n_dot_h = clamp(dot(normal, half_vector), 0.0, 1.0);
    let l_dot_h = clamp(dot(to_light, half_vector), 0.0, 1.0);
    let n_dot_l = clamp(dot(normal, to_light), 0.0, 1.0);
    let d = n_dot_h * n_dot_h * (alpha * alpha - 1.0) + 1.0;
    let lobe = alpha * alpha / (d * d);
    return n_dot_l * lobe / (max(l_dot_h * l_dot_h, 0.1) * (4.0 * roughness + 2.0));
}

/// Tint of thin-film interference, each component 0 to 1: a cosine of the optical path
/// 2·d·cos θt per channel, with a phase per channel chosen by eye. `cos_theta` is the
/// cosine of the angle between view and normal, `thickness` the film's thickness in
/// wavelengths.
fn thin_film(cos_theta: f32, thickness: f32) -> vec3f {
    let phase = 6.2832 * thickness * sqrt(max(1.0 - 0.45 * (1.0 - cos_theta * cos_theta), 0.0));
    return 0.5 + 0.5 * cos(phase * vec3f(1.0, 1.18, 1.42) + vec3f(0.0, 0.6, 1.5));
}

/// Bearing of a direction from x toward z, in turns, -0.5 to 0.5. Accurate to 2e-6, and
/// cheaper than `atan2`. Polynomial 4.4.47 of Abramowitz and Stegun, "Handbook of
/// Mathematical Functions".
fn bearing(direction: vec3f) -> f32 {
    let along = abs(direction.xz);
    let slope = min(along.x, along.y) / max(max(along.x, along.y), 1e-30);
    let s = slope * slope;
    let octant = slope / 6.2831853 * (0.9998660
        + s * (-0.3302995 + s * (0.1801410 + s * (-0.0851330 + s * 0.0208351))));
    let quadrant = select(octant, 0.25 - octant, along.y > along.x);
    let half = select(quadrant, 0.5 - quadrant, direction.x < 0.0);
    return select(half, -half, direction.z < 0.0);
}

/// Unit vector at a bearing from x toward z and a height above the horizon, in degrees.
fn direction_at(bearing: f32, height: f32) -> vec3f {
    let angles = radians(vec2f(bearing, height));
    return vec3f(cos(angles.x) * cos(angles.y), sin(angles.y), sin(angles.x) * cos(angles.y));
}

/// Horizontal part (xz) of a unit vector, as a unit vector; shorter near the zenith, 0 at
/// it.
fn level(direction: vec3f) -> vec2f {
    return direction.xz * inverseSqrt(max(dot(direction.xz, direction.xz), 1e-6));
}

/// Radiance of a late afternoon sky in the unit direction `direction` (y up), with the glow
/// around the sun but without its disc. `to_sun` is a unit vector. Chosen by eye.
fn sky(direction: vec3f, to_sun: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let cos_sun = max(dot(direction, to_sun), 0.0);
    let sunward = 0.5 + 0.5 * dot(level(direction), level(to_sun));
    let zenith = vec3f(0.13, 0.27, 0.50);
    let haze = mix(vec3f(0.42, 0.47, 0.56), vec3f(1.02, 0.66, 0.36), sunward * sunward);
    let color = mix(zenith, haze, exp(-7.5 * up));
    let warm = vec3f(1.1, 0.62, 0.27);
    let second = cos_sun * cos_sun;
    let eighth = second * second * second * second;
    let tenth = eighth * second;
    let glow = tenth * tenth;
    let glare = glow * glow * glow * glow;
    return color + warm * (0.28 * tenth + 0.9 * glare * glare);
}

/// Brightness of the sun's disc, with a soft limb and a glow, in a unit direction; to be added
/// to `sky` where nothing is in front of it. `ahead` is the unit vector along which the
/// camera looks: the disc is round in the image, which stretches directions off its middle.
fn sun_disc(direction: vec3f, to_sun: vec3f, ahead: vec3f) -> f32 {
    // Difference of the two directions' points on a plane in front of the camera.
    let depth = dot(to_sun, ahead);
    let offset = direction * (depth / max(dot(direction, ahead), 1e-3)) - to_sun;
    let away = 2000.0 * dot(offset, offset);
    return select(0.0, exp(-away * away) + 0.14 * exp(-0.25 * away), depth > 0.0);
}

/// Coverage of a disc in the sky around the unit direction `to_middle`, in a unit
/// direction, 0 to 1. `inner` and `outer` are the squared sines of the angles between which
/// its edge fades: the cosine hardly changes there, and a direction of inexact length would
/// move the edge.
fn disc(direction: vec3f, to_middle: vec3f, inner: f32, outer: f32) -> f32 {
    let sine = cross(direction, to_middle);
    return step(0.0, dot(direction, to_middle)) * (1.0 - smoothstep(inner, outer, dot(sine, sine)));
}

/// `color` at `distance` seen through fog of colour `fog_color`. The transmittance is
/// exp(−(density · distance)²), like OpenGL's GL_EXP2.
fn fog(color: vec3f, fog_color: vec3f, distance: f32, density: f32) -> vec3f {
    let d = density * distance;
    return mix(fog_color, color, exp(-d * d));
}

/// Filmic tone curve per channel, linear light in and out: Krzysztof Narkowicz's fit of the
/// ACES reference transform (2015). 0 → 0, 1 → 0.80, clamped to 1.
fn tone_map_aces(color: vec3f) -> vec3f {
    let x = max(color, vec3f(0.0));
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), vec3f(0.0), vec3f(1.0));
}

/// Interleaved gradient noise (Jorge Jimenez, SIGGRAPH 2014) of a pixel, in [0, 1).
/// Neighbouring pixels have very different values.
fn gradient_noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715))));
}

/// Ordered dither by `gradient_noise`, to be added to a display value: at most half a step
/// of the output up or down. 0 for float output.
fn dither_gradient_noise(pixel: vec2f) -> f32 {
    return (gradient_noise(pixel) - 0.5) * frame::frame.output_step;
}

/// Factor that darkens an image toward its edges: 1 - `amount` at the distance 1 from the
/// centre in image coordinates times `scale`.
fn vignette(frag_coord: vec2f, scale: vec2f, amount: f32) -> f32 {
    let from_centre = frame::centred(frag_coord) * scale;
    return 1.0 - amount * dot(from_centre, from_centre);
}

/// Display values of a linear colour at a pixel: tone-mapped and dithered.
fn to_display(color: vec3f, frag_coord: vec2f) -> vec4f {
    let dither = vec4f(vec3f(dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(tone_map_aces(color)) + dither;
}
