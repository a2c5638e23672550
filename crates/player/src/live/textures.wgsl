// Displays a texture of a scene as a picture that fits the target.
//
// Buffers and images are displayed unchanged, cubes as a map of all directions, volumes
// by their middle layer. Values are mapped to 0..1 and clamped; alpha is ignored. Values
// that are not finite are magenta with black checks: plain magenta may be a clamped value.

struct DisplayUniform {
    // Width and height of the target, in pixels.
    size: vec2f,
    // A value v is displayed as `offset + factor * v`.
    offset: vec3f,
    factor: vec3f,
}

@group(0) @binding(0) var<uniform> uniforms: DisplayUniform;
@group(0) @binding(1) var plane: texture_2d<f32>;
@group(0) @binding(2) var cube: texture_cube<f32>;
@group(0) @binding(3) var volume: texture_3d<f32>;
@group(0) @binding(4) var nearest: sampler;

const PI: f32 = 3.14159265;
const BACKGROUND: vec4f = vec4f(0.03, 0.034, 0.04, 1.0);

// Position of a target pixel in a centred picture of `size`: (0, 0) is the lower left
// corner, (1, 1) the upper right one.
fn fit(position: vec2f, size: vec2f) -> vec2f {
    let scale = min(uniforms.size.x / size.x, uniforms.size.y / size.y);
    let at = 0.5 + (position - 0.5 * uniforms.size) / (size * scale);
    return vec2f(at.x, 1.0 - at.y);
}

fn display(position: vec2f, at: vec2f, value: vec4f) -> vec4f {
    if any(at < vec2f(0.0)) || any(at >= vec2f(1.0)) {
        return BACKGROUND;
    }
    let exponent = vec3u(0x7f800000u);
    let is_not_finite = any((bitcast<vec3u>(value.rgb) & exponent) == exponent);
    let color = clamp(uniforms.offset + uniforms.factor * value.rgb, vec3f(0.0), vec3f(1.0));
    let check = vec2u(position) / 4u;
    let marked = select(vec3f(1.0, 0.0, 1.0), vec3f(0.0), ((check.x + check.y) & 1u) == 1u);
    return vec4f(select(color, marked, is_not_finite), 1.0);
}

fn plane_at(at: vec2f) -> vec4f {
    return textureLoad(plane, vec2i(at * vec2f(textureDimensions(plane))), 0);
}

fn cube_at(at: vec2f) -> vec4f {
    let longitude = (2.0 * at.x - 1.0) * PI;
    let latitude = (at.y - 0.5) * PI;
    let level = cos(latitude) * vec2f(sin(longitude), -cos(longitude));
    let direction = vec3f(level.x, sin(latitude), level.y);
    return textureSampleLevel(cube, nearest, direction, 0.0);
}

fn volume_at(at: vec2f) -> vec4f {
    return textureLoad(volume, vec3i(vec3f(at, 0.5) * vec3f(textureDimensions(volume))), 0);
}

@fragment
fn show_plane(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = fit(position.xy, vec2f(textureDimensions(plane)));
    return display(position.xy, at, plane_at(at));
}

@fragment
fn show_cube(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = fit(position.xy, vec2f(2.0, 1.0));
    return display(position.xy, at, cube_at(at));
}

@fragment
fn show_volume(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = fit(position.xy, vec2f(textureDimensions(volume).xy));
    return display(position.xy, at, volume_at(at));
}

// The following entry points return unmapped values from all over the texture.

@fragment
fn sample_plane(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return plane_at(position.xy / uniforms.size);
}

@fragment
fn sample_cube(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return cube_at(position.xy / uniforms.size);
}

@fragment
fn sample_volume(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return volume_at(position.xy / uniforms.size);
}
