#define_import_path tarsus::bloom

#import tarsus::buffers
#import tarsus::frame

// Bloom, the light that a lens scatters around bright areas. The scene is rendered a second
// time with at most 135 rows and blurred by a narrow and a wide Gaussian. Their widths are
// fractions of the image height, so bloom looks the same at every resolution. No state is
// kept between frames. A scene overrides `radiance` and defines three buffers.
//
//     override fn bloom::radiance(frag_coord: vec2f) -> vec3f { return land::radiance(frag_coord); }
//     fn buffer_a(frag_coord: vec2f) -> vec4f { return bloom::downsample(frag_coord); }
//     fn buffer_b(frag_coord: vec2f) -> vec4f { return bloom::blur_x(frag_coord); }
//     fn buffer_c(frag_coord: vec2f) -> vec4f { return bloom::blur_y(frag_coord); }
//     fn main_image(frag_coord: vec2f) -> vec4f {
//         let color = bloom::apply_bloom(land::radiance(frag_coord), frag_coord);
//         return land::to_display(color, frag_coord);
//     }

/// Linear radiance at a pixel, before any tone curve.
virtual fn radiance(frag_coord: vec2f) -> vec3f {
    return vec3f(0.0);
}

/// Scattering properties of a lens.
struct Lens {
    /// Fraction of the light that is scattered, 0 to 1.
    amount: f32,
    /// Fraction of the scattered light in the wide blur, 0 to 1.
    far: f32,
    /// Standard deviations of the narrow (x) and wide (y) blur, as fractions of the image
    /// height.
    deviations: vec2f,
}

/// Lens through which the scene is seen.
virtual fn lens() -> Lens {
    return Lens(0.12, 0.35, vec2f(0.012, 0.06));
}

// Maximum number of rows of the small image, and minimum size of its texels in pixels. The
// two blurs lie side by side in a buffer of the image's size.
const MAX_ROWS: f32 = 135.0;
const MIN_STEP: f32 = 2.0;

// Limit on radiance: keeps faulty values, such as infinite highlights, from spreading.
const MAX_RADIANCE: f32 = 1e3;

// Size of the small image in texels.
fn small_size() -> vec2i {
    let resolution = frame::frame.resolution;
    let step = max(resolution.y / MAX_ROWS, MIN_STEP);
    return max(vec2i(resolution / step), vec2i(1));
}

/// Content of buffer a: the small image, in the lower left corner.
fn downsample(frag_coord: vec2f) -> vec4f {
    let size = small_size();
    let texel = vec2i(frag_coord);
    var light = vec3f(0.0);
    if all(texel < size) {
        let step = frame::frame.resolution / vec2f(size);
        frame::pixels_per_texel = step.y;
        light = radiance((vec2f(texel) + 0.5) * step);
    }
    return vec4f(clamp(light, vec3f(0.0), vec3f(MAX_RADIANCE)), 1.0);
}

/// Content of buffer b: the small image blurred along x, narrow on the left, wide on the
/// right.
fn blur_x(frag_coord: vec2f) -> vec4f {
    let size = small_size();
    let texel = vec2i(frag_coord);
    let is_wide = texel.x >= size.x;
    let here = vec2i(select(texel.x, texel.x - size.x, is_wide), texel.y);
    return blur(buffers::buffer_a, here, vec2i(0), vec2i(1, 0), is_wide);
}

/// Content of buffer c: buffer b blurred along y.
fn blur_y(frag_coord: vec2f) -> vec4f {
    let size = small_size();
    let texel = vec2i(frag_coord);
    let is_wide = texel.x >= size.x;
    let corner = vec2i(select(0, size.x, is_wide), 0);
    return blur(buffers::buffer_b, texel - corner, corner, vec2i(0, 1), is_wide);
}

// Gaussian blur along an axis at a texel of the small image whose lower left corner is at
// `corner` of a buffer. Reads are clamped to the small image; the result is 0 outside it.
fn blur(
    buffer: texture_2d<f32>,
    texel: vec2i,
    corner: vec2i,
    axis: vec2i,
    is_wide: bool,
) -> vec4f {
    let size = small_size();
    let deviations = lens().deviations;
    let deviation = max(select(deviations.x, deviations.y, is_wide) * f32(size.y), 0.1);
    if any(texel >= size) {
        return vec4f(0.0);
    }
    let last = i32(ceil(3.0 * deviation));
    var sum = vec4f(0.0);
    for (var i = -last; i <= last; i++) {
        let offset = f32(i) / deviation;
        let weight = exp(-0.5 * offset * offset);
        let here = clamp(texel + i * axis, vec2i(0), size - 1);
        sum += weight * vec4f(textureLoad(buffer, corner + here, 0).rgb, 1.0);
    }
    return sum / max(sum.w, 1e-6);
}

/// Radiance at a pixel after scattering; `light` is the radiance in front of the lens.
fn apply_bloom(light: vec3f, frag_coord: vec2f) -> vec3f {
    let size = vec2f(small_size());
    let scattering = lens();
    let place = clamp(frag_coord / frame::frame.resolution * size, vec2f(0.5), size - 0.5);
    let texels = vec2f(textureDimensions(buffers::buffer_c));
    let near = buffers::sample_bilinear(buffers::buffer_c, place / texels).rgb;
    let far_place = place + vec2f(size.x, 0.0);
    let far = buffers::sample_bilinear(buffers::buffer_c, far_place / texels).rgb;
    return mix(light, mix(near, far, scattering.far), scattering.amount);
}
