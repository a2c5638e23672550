// Shows a texture of a scene as a picture that fits the target: a buffer or an image as it is, a
// cube as the map of all directions, a volume by its middle layer. Values are cut to 0..1;
// alpha is left out. What is no finite number is magenta.

@group(0) @binding(0) var<uniform> target_size: vec4f;
@group(0) @binding(1) var plane: texture_2d<f32>;
@group(0) @binding(2) var cube: texture_cube<f32>;
@group(0) @binding(3) var volume: texture_3d<f32>;
@group(0) @binding(4) var nearest: sampler;

const PI: f32 = 3.14159265;
const BEYOND: vec4f = vec4f(0.03, 0.034, 0.04, 1.0);

// Where a pixel of the target lies on a picture of `size` in its middle: (0, 0) lower left, (1, 1)
// upper right.
fn fitted(position: vec2f, size: vec2f) -> vec2f {
    let scale = min(target_size.x / size.x, target_size.y / size.y);
    let at = 0.5 + (position - 0.5 * target_size.xy) / (size * scale);
    return vec2f(at.x, 1.0 - at.y);
}

fn is_beyond(at: vec2f) -> bool {
    return any(at < vec2f(0.0)) || any(at >= vec2f(1.0));
}

fn shown(value: vec4f) -> vec4f {
    let exponent = vec3u(0x7f800000u);
    let is_odd = any((bitcast<vec3u>(value.rgb) & exponent) == exponent);
    let color = select(clamp(value.rgb, vec3f(0.0), vec3f(1.0)), vec3f(1.0, 0.0, 1.0), is_odd);
    return vec4f(color, 1.0);
}

@fragment
fn show_plane(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(plane));
    let at = fitted(position.xy, size);
    if is_beyond(at) {
        return BEYOND;
    }
    return shown(textureLoad(plane, vec2i(at * size), 0));
}

@fragment
fn show_cube(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = fitted(position.xy, vec2f(2.0, 1.0));
    if is_beyond(at) {
        return BEYOND;
    }
    let longitude = (2.0 * at.x - 1.0) * PI;
    let latitude = (at.y - 0.5) * PI;
    let level = cos(latitude) * vec2f(sin(longitude), -cos(longitude));
    let direction = vec3f(level.x, sin(latitude), level.y);
    return shown(textureSampleLevel(cube, nearest, direction, 0.0));
}

@fragment
fn show_volume(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let size = vec3f(textureDimensions(volume));
    let at = fitted(position.xy, size.xy);
    if is_beyond(at) {
        return BEYOND;
    }
    return shown(textureLoad(volume, vec3i(vec3f(at, 0.5) * size), 0));
}
