// Filters for textures of 32-bit floats on adapters that cannot filter them. The sampler
// reads the nearest texel of the nearest level, and wraps coordinates as the scene asks.

fn filter_level(image: texture_2d<f32>, nearest: sampler, uv: vec2f, level: i32) -> vec4f {
    let size = vec2f(textureDimensions(image, level));
    let place = uv * size - 0.5;
    let part = fract(place);
    // Centres of texels, so that rounding cannot select a neighbour.
    let low = (floor(place) + 0.5) / size;
    let high = low + 1.0 / size;
    let lod = f32(level);
    let lower_left = textureSampleLevel(image, nearest, low, lod);
    let lower_right = textureSampleLevel(image, nearest, vec2f(high.x, low.y), lod);
    let upper_left = textureSampleLevel(image, nearest, vec2f(low.x, high.y), lod);
    let upper_right = textureSampleLevel(image, nearest, high, lod);
    return mix(mix(lower_left, lower_right, part.x), mix(upper_left, upper_right, part.x), part.y);
}

fn bilinear(image: texture_2d<f32>, nearest: sampler, uv: vec2f) -> vec4f {
    return filter_level(image, nearest, uv, 0);
}

fn trilinear(image: texture_2d<f32>, nearest: sampler, uv: vec2f, level: f32) -> vec4f {
    let size = vec2f(textureDimensions(image));
    // OpenGL ES 3.0 cannot count levels. The half keeps rounding above powers of two.
    let last = floor(log2(max(size.x, size.y) + 0.5));
    let lod = clamp(level, 0.0, last);
    let larger = filter_level(image, nearest, uv, i32(lod));
    let smaller = filter_level(image, nearest, uv, i32(min(floor(lod) + 1.0, last)));
    return mix(larger, smaller, fract(lod));
}

fn level_of(image: texture_2d<f32>, dx: vec2f, dy: vec2f) -> f32 {
    let size = vec2f(textureDimensions(image));
    // Below one texel per pixel the level is 0; the bound avoids the logarithm of 0.
    return log2(max(max(length(dx * size), length(dy * size)), 1e-6));
}

fn trilinear_auto(image: texture_2d<f32>, nearest: sampler, uv: vec2f) -> vec4f {
    return trilinear(image, nearest, uv, level_of(image, dpdx(uv), dpdy(uv)));
}

fn trilinear_bias(image: texture_2d<f32>, nearest: sampler, uv: vec2f, bias: f32) -> vec4f {
    return trilinear(image, nearest, uv, level_of(image, dpdx(uv), dpdy(uv)) + bias);
}

fn trilinear_grad(
    image: texture_2d<f32>, nearest: sampler, uv: vec2f, dx: vec2f, dy: vec2f
) -> vec4f {
    return trilinear(image, nearest, uv, level_of(image, dx, dy));
}
