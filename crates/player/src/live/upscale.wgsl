// Scales a picture to the size of the target with a bicubic filter (Catmull-Rom), or
// copies its texels if the sizes are equal.

@group(0) @binding(0) var<uniform> target_size: vec4f;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var bilinear: sampler;

// Copies the picture.
@fragment
fn identity(@builtin(position) position: vec4f) -> @location(0) vec4f {
    return vec4f(textureLoad(picture, vec2u(position.xy), 0).rgb, 1.0);
}

// Catmull-Rom interpolation with 5 bilinear samples. The two middle texels of a row or
// column share one sample, and the four corners are dropped because of their small
// weights. Source: Jorge Jimenez, "Filmic SMAA" (SIGGRAPH 2016).
@fragment
fn bicubic(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(picture));
    let at = position.xy * size / target_size.xy;
    let first = floor(at - 0.5) + 0.5;
    let t = at - first;
    let before = t * (-0.5 + t * (1.0 - 0.5 * t));
    let after = t * t * (-0.5 + 0.5 * t);
    let second = t * (0.5 + t * (2.0 - 1.5 * t));
    let middle = 1.0 - before - after;
    let low = (first - 1.0) / size;
    let here = (first + second / middle) / size;
    let high = (first + 2.0) / size;
    let sum = middle.x * middle.y * sample_at(here.x, here.y)
        + before.x * middle.y * sample_at(low.x, here.y)
        + after.x * middle.y * sample_at(high.x, here.y)
        + middle.x * before.y * sample_at(here.x, low.y)
        + middle.x * after.y * sample_at(here.x, high.y);
    let weights = middle.x * middle.y + (before.x + after.x) * middle.y + middle.x * (before.y + after.y);
    return vec4f(clamp(sum / weights, vec3f(0.0), vec3f(1.0)), 1.0);
}

// Samples the picture at texture coordinates, with bilinear filtering.
fn sample_at(x: f32, y: f32) -> vec3f {
    return textureSampleLevel(picture, bilinear, vec2f(x, y), 0.0).rgb;
}
