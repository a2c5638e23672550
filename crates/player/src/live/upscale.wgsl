// Scales a picture to the size of the target with a bicubic filter (Catmull-Rom), or
// copies its texels if the sizes are equal. Edges of small pictures are smoothed before.

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

// Averages each texel with two samples beside it, one texel away along the edge there. The edge
// lies across the main direction of the gradients between the texel and its neighbours, found
// from their structure tensor; texels without one direction keep their colour.
@fragment
fn smooth_edges(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let p = position.xy;
    let middle = sample_texel(p);
    let north = row_of_luma(p - vec2f(0.0, 1.0));
    let here = row_of_luma(p);
    let south = row_of_luma(p + vec2f(0.0, 1.0));
    // Sums over the four corners of the texel: xx - yy, 2 xy and xx + yy.
    let tensor = corner_tensor(north.xy, here.xy) + corner_tensor(north.yz, here.yz)
        + corner_tensor(here.xy, south.xy) + corner_tensor(here.yz, south.yz);
    let strength = length(tensor.xy);
    // The vector has twice the angle of the gradient; half of that, and a right angle more.
    var across = vec2f(strength + tensor.x, tensor.y);
    if tensor.x < 0.0 {
        across = vec2f(tensor.y, strength - tensor.x);
    }
    let along = vec2f(-across.y, across.x) * inverseSqrt(max(dot(across, across), 1e-12));
    let beside = 0.5 * (sample_texel(p + along) + sample_texel(p - along));
    // 0 for noise and corners, 1 for a straight edge that is visible.
    let coherence = strength / max(tensor.z, 1e-6) * smoothstep(0.002, 0.05, tensor.z);
    return vec4f(mix(middle, beside, 0.5 * coherence), 1.0);
}

// Structure tensor of the gradient between four texels, two above two.
fn corner_tensor(above: vec2f, below: vec2f) -> vec3f {
    let x = above.y - above.x + below.y - below.x;
    let y = below.x - above.x + below.y - above.y;
    return vec3f(x * x - y * y, 2.0 * x * y, x * x + y * y);
}

// Perceived brightness of a texel and of its neighbours to the left and right.
fn row_of_luma(p: vec2f) -> vec3f {
    return vec3f(luma(p - vec2f(1.0, 0.0)), luma(p), luma(p + vec2f(1.0, 0.0)));
}

fn luma(p: vec2f) -> f32 {
    return sqrt(dot(sample_texel(p), vec3f(0.3, 0.6, 0.1)));
}

// Samples the picture at a position in texels.
fn sample_texel(p: vec2f) -> vec3f {
    let at = p / vec2f(textureDimensions(picture));
    return sample_at(at.x, at.y);
}
