// Averages samples of one picture in linear light.

// Newest sample, as display values (sRGB).
@group(0) @binding(0) var newest: texture_2d<f32>;
// Sum of the earlier samples, in linear light.
@group(0) @binding(1) var sum: texture_2d<f32>;

struct Pixel {
    @builtin(position) position: vec4f,
    // Samples in `sum` before this pass.
    @location(0) @interpolate(flat) count: u32,
}

// Returns the sum including the newest sample.
@fragment
fn add(pixel: Pixel) -> @location(0) vec4f {
    return add_to_sum(pixel, srgb_to_linear(clamp_to_display(load(newest, pixel))));
}

// Like `add`, without clamping to the display range.
@fragment
fn add_unclamped(pixel: Pixel) -> @location(0) vec4f {
    return add_to_sum(pixel, srgb_to_linear_unclamped(load(newest, pixel)));
}

// Returns the average as display values.
@fragment
fn resolve(pixel: Pixel) -> @location(0) vec4f {
    return average(pixel);
}

// Returns the average as 16-bit integers.
@fragment
fn resolve_16(pixel: Pixel) -> @location(0) vec4u {
    return vec4u(round(clamp_to_display(average(pixel)) * 65535.0));
}

// Returns the average in linear light.
@fragment
fn resolve_linear(pixel: Pixel) -> @location(0) vec4f {
    return load(sum, pixel) / f32(pixel.count);
}

fn load(texture: texture_2d<f32>, pixel: Pixel) -> vec4f {
    return textureLoad(texture, vec2i(pixel.position.xy), 0);
}

fn add_to_sum(pixel: Pixel, linear: vec4f) -> vec4f {
    if pixel.count == 0u {
        return linear;
    }
    return load(sum, pixel) + linear;
}

// A single sample is returned unchanged, so that it equals the plain picture.
fn average(pixel: Pixel) -> vec4f {
    if pixel.count == 1u {
        return load(newest, pixel);
    }
    return linear_to_srgb(load(sum, pixel) / f32(pixel.count));
}

// Clamps each component to 0..1.
fn clamp_to_display(color: vec4f) -> vec4f {
    return min(max(color, vec4f(0.0)), vec4f(1.0));
}

// Converts sRGB to linear light, for components from 0 to 1; alpha is already linear.
fn srgb_to_linear(c: vec4f) -> vec4f {
    let low = c.rgb / 12.92;
    let high = pow((c.rgb + 0.055) / 1.055, vec3f(2.4));
    return vec4f(select(high, low, c.rgb <= vec3f(0.04045)), c.a);
}

// Like `srgb_to_linear`, with the curve extended above 1 and mirrored below 0.
fn srgb_to_linear_unclamped(c: vec4f) -> vec4f {
    let linear = srgb_to_linear(vec4f(abs(c.rgb), c.a));
    return vec4f(select(linear.rgb, -linear.rgb, c.rgb < vec3f(0.0)), c.a);
}

// Converts linear light to sRGB, the inverse of `srgb_to_linear`.
fn linear_to_srgb(linear: vec4f) -> vec4f {
    let low = linear.rgb * 12.92;
    let high = 1.055 * pow(linear.rgb, vec3f(1.0 / 2.4)) - 0.055;
    return vec4f(select(high, low, linear.rgb <= vec3f(0.0031308)), linear.a);
}
