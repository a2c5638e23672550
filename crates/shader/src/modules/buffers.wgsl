#define_import_path tarsus::buffers

// Buffers that keep their content from frame to frame, by the scene's functions
// `fn buffer_a(frag_coord: vec2f) -> vec4f` to `buffer_d`, and the cube of
// `fn buffer_cube(frag_coord: vec2f, ray: vec3f) -> vec4f`.
//
// They are drawn once per frame in the order a, b, c, d, cube, before the picture. A buffer
// reads of one before it what that has drawn in this frame; of itself and of those after it,
// the frame before. All are 0 at the start. Texels are four 32-bit floats of any value; those
// of the cube are of 16 bits.

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

/// Buffer a at uv, (0, 0) lower left and (1, 1) upper right: a blend of the four nearest
/// texels. Beyond the edges it is that of the edge.
fn a_at(uv: vec2f) -> vec4f { return filtered(buffer_a, uv); }
/// Buffer b at uv, (0, 0) lower left and (1, 1) upper right: a blend of the four nearest
/// texels. Beyond the edges it is that of the edge.
fn b_at(uv: vec2f) -> vec4f { return filtered(buffer_b, uv); }
/// Buffer c at uv, (0, 0) lower left and (1, 1) upper right: a blend of the four nearest
/// texels. Beyond the edges it is that of the edge.
fn c_at(uv: vec2f) -> vec4f { return filtered(buffer_c, uv); }
/// Buffer d at uv, (0, 0) lower left and (1, 1) upper right: a blend of the four nearest
/// texels. Beyond the edges it is that of the edge.
fn d_at(uv: vec2f) -> vec4f { return filtered(buffer_d, uv); }

/// The cube in a direction of any length but 0.
fn cube(direction: vec3f) -> vec4f {
    return textureSampleLevel(buffer_cube, buffer_cube_sampler, direction, 0.0);
}

/// Texel of a buffer; 0 outside.
fn texel(buffer: texture_2d<f32>, pixel: vec2i) -> vec4f {
    let last = vec2i(textureDimensions(buffer)) - 1;
    let found = textureLoad(buffer, clamp(pixel, vec2i(0), last), 0);
    return select(vec4f(0.0), found, all(pixel >= vec2i(0)) && all(pixel <= last));
}

/// A blend of the four texels around uv. By hand: not every adapter filters 32-bit floats,
/// and those that do round in their own ways.
fn filtered(buffer: texture_2d<f32>, uv: vec2f) -> vec4f {
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
