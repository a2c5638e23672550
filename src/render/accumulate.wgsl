// Averages renderings of one picture in linear light.

struct Progress {
    // Samples in `sum` before this pass.
    count: u32,
    pad0: u32,
    pad1: u32,
    pad2: u32,
}

// The newest rendering, display-ready.
@group(0) @binding(0) var newest: texture_2d<f32>;
// The sum of the renderings so far, in linear light.
@group(0) @binding(1) var sum: texture_2d<f32>;
@group(0) @binding(2) var<uniform> progress: Progress;

@vertex
fn cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
}

// The next sum: the newest sample on top of those before it.
@fragment
fn add(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(position.xy);
    return sum_with(pixel, decode(displayable(textureLoad(newest, pixel, 0))));
}

// The same for targets without limits: what is brighter than the screen counts.
@fragment
fn add_unlimited(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(position.xy);
    return sum_with(pixel, decode(textureLoad(newest, pixel, 0)));
}

fn sum_with(pixel: vec2i, linear: vec4f) -> vec4f {
    if progress.count == 0u {
        return linear;
    }
    return textureLoad(sum, pixel, 0) + linear;
}

@fragment
fn resolve(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return average(vec2i(position.xy));
}

// The same for targets of 16-bit whole numbers.
@fragment
fn resolve_16(@builtin(position) position: vec4f) -> @location(0) vec4u {
    return vec4u(round(displayable(average(vec2i(position.xy))) * 65535.0));
}

// The same for float targets, in linear light.
@fragment
fn resolve_linear(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return textureLoad(sum, vec2i(position.xy), 0) / f32(progress.count);
}

// A single sample goes through untouched, so that it is the plain picture.
fn average(pixel: vec2i) -> vec4f {
    if progress.count == 1u {
        return textureLoad(newest, pixel, 0);
    }
    return encode(textureLoad(sum, pixel, 0) / f32(progress.count));
}

// What a screen would show of it: each component from 0 to 1.
fn displayable(color: vec4f) -> vec4f {
    return min(max(color, vec4f(0.0)), vec4f(1.0));
}

// sRGB to linear light; alpha is linear already. (IEC 61966-2-1) Below 0 the
// straight part goes on, above 1 the power.
fn decode(c: vec4f) -> vec4f {
    let low = c.rgb / 12.92;
    let high = pow((c.rgb + 0.055) / 1.055, vec3f(2.4));
    return vec4f(select(high, low, c.rgb <= vec3f(0.04045)), c.a);
}

// Linear light to sRGB, the inverse of `decode`.
fn encode(linear: vec4f) -> vec4f {
    let low = linear.rgb * 12.92;
    let high = 1.055 * pow(linear.rgb, vec3f(1.0 / 2.4)) - 0.055;
    return vec4f(select(high, low, linear.rgb <= vec3f(0.0031308)), linear.a);
}
