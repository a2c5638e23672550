// Averages samples of one picture in linear light.

// State of the average.
struct Progress {
    // Samples in `sum` before this pass.
    count: u32,
    pad0: u32,
    pad1: u32,
    pad2: u32,
}

// The newest sample: display values (sRGB).
@group(0) @binding(0) var newest: texture_2d<f32>;
// The sum of the samples before it, in linear light.
@group(0) @binding(1) var sum: texture_2d<f32>;
@group(0) @binding(2) var<uniform> progress: Progress;

// One triangle that covers the target.
@vertex
fn cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
}

// The sum including the newest sample.
@fragment
fn add(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(position.xy);
    let linear = decode(textureLoad(newest, pixel, 0));
    if progress.count == 0u {
        return linear;
    }
    return textureLoad(sum, pixel, 0) + linear;
}

// The average, as display values.
@fragment
fn resolve(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return average(vec2i(position.xy));
}

// The average as 16-bit integers.
@fragment
fn resolve_16(@builtin(position) position: vec4f) -> @location(0) vec4u {
    return vec4u(round(displayable(average(vec2i(position.xy))) * 65535.0));
}

// The average as display values. A single sample is returned as it is, bit for bit.
fn average(pixel: vec2i) -> vec4f {
    if progress.count == 1u {
        return textureLoad(newest, pixel, 0);
    }
    return encode(textureLoad(sum, pixel, 0) / f32(progress.count));
}

// Each component clamped to 0 to 1.
fn displayable(color: vec4f) -> vec4f {
    return min(max(color, vec4f(0.0)), vec4f(1.0));
}

// Linear light from display values (IEC 61966-2-1); alpha is linear already.
fn decode(display: vec4f) -> vec4f {
    let c = displayable(display);
    let low = c.rgb / 12.92;
    let high = pow((c.rgb + 0.055) / 1.055, vec3f(2.4));
    return vec4f(select(high, low, c.rgb <= vec3f(0.04045)), c.a);
}

// Display values from linear light, the inverse of `decode`.
fn encode(linear: vec4f) -> vec4f {
    let low = linear.rgb * 12.92;
    let high = 1.055 * pow(linear.rgb, vec3f(1.0 / 2.4)) - 0.055;
    return vec4f(select(high, low, linear.rgb <= vec3f(0.0031308)), linear.a);
}
