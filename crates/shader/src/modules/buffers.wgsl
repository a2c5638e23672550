#define_import_path tarsus::buffers

// Buffers that persist from frame to frame, written by the scene's functions
// `fn buffer_a(frag_coord: vec2f) -> vec4f` to `buffer_d`, and a cube map written by
// `fn buffer_cube(frag_coord: vec2f, ray: vec3f) -> vec4f`.
//
// Buffers are drawn once per frame in the order a, b, c, d, cube, before the image. A
// buffer sees the current frame of the buffers before it, and the previous frame of itself
// and of the buffers after it. All are initially 0. Texels are four 32-bit floats,
// unclamped; those of the cube map are 16-bit floats. A buffer has the size of the image,
// or that of a line `/// size 64x36` in the comment before its function.

@group(0) @binding(2) var buffer_a: texture_2d<f32>;
@group(0) @binding(3) var buffer_b: texture_2d<f32>;
@group(0) @binding(4) var buffer_c: texture_2d<f32>;
@group(0) @binding(5) var buffer_d: texture_2d<f32>;
@group(0) @binding(6) var buffer_cube: texture_cube<f32>;
@group(0) @binding(7) var buffer_cube_sampler: sampler;

/// Texel of buffer a, counted from the lower left corner; 0 outside.
fn a(pixel: vec2i) -> vec4f { return texel(buffer_a, pixel); }
/// Texel of buffer b, counted from the lower left corner; 0 outside.
fn b(pixel: vec2i) -> vec4f { return texel(buffer_b, pixel); }
/// Texel of buffer c, counted from the lower left corner; 0 outside.
fn c(pixel: vec2i) -> vec4f { return texel(buffer_c, pixel); }
/// Texel of buffer d, counted from the lower left corner; 0 outside.
fn d(pixel: vec2i) -> vec4f { return texel(buffer_d, pixel); }

/// Bilinear sample of a buffer, such as `buffer_a`, at uv, from (0, 0) in the lower left to
/// (1, 1) in the upper right corner; clamped to the edges. Computed in the shader: not every
/// GPU filters 32-bit floats, and those that do round differently.
fn sample_bilinear(buffer: texture_2d<f32>, uv: vec2f) -> vec4f {
    let size = vec2i(textureDimensions(buffer));
    let place = uv * vec2f(size) - 0.5;
    let first = vec2i(floor(place));
    let part = place - floor(place);
    let low = clamp(first, vec2i(0), size - 1);
    let high = clamp(first + 1, vec2i(0), size - 1);
    let lower = mix(textureLoad(buffer, low, 0), textureLoad(buffer, vec2i(high.x, low.y), 0), part.x);
    let upper = mix(textureLoad(buffer, vec2i(low.x, high.y), 0), textureLoad(buffer, high, 0), part.x);
    return mix(lower, upper, part.y);
}

/// Cube map in a direction of any length but 0.
fn cube(direction: vec3f) -> vec4f {
    return textureSampleLevel(buffer_cube, buffer_cube_sampler, direction, 0.0);
}

/// Texel of a buffer; 0 outside.
fn texel(buffer: texture_2d<f32>, pixel: vec2i) -> vec4f {
    let last = vec2i(textureDimensions(buffer)) - 1;
    let found = textureLoad(buffer, clamp(pixel, vec2i(0), last), 0);
    return select(vec4f(0.0), found, all(pixel >= vec2i(0)) && all(pixel <= last));
}
