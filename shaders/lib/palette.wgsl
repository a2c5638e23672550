#define_import_path tarsus::palette

// Colour conversions and a colour scale. All colours are linear light with sRGB primaries,
// which can be mixed and averaged; `display` converts them to what a scene returns.

/// Linear light of the sRGB colour 0xRRGGBB, as in CSS.
fn hex(rgb: u32) -> vec3f {
    let bytes = vec3f(vec3u(rgb >> 16u, rgb >> 8u, rgb) & vec3u(255u));
    return linear_from_display(bytes / 255.0);
}

/// Linear light from display values (sRGB transfer function, IEC 61966-2-1).
fn linear_from_display(color: vec3f) -> vec3f {
    let toe = color / 12.92;
    let curve = pow((max(color, vec3f(0.0)) + 0.055) / 1.055, vec3f(2.4));
    return select(curve, toe, color <= vec3f(0.04045));
}

/// Display values from linear light (sRGB transfer function), clamped to [0, 1]; alpha is
/// 1.
fn display(color: vec3f) -> vec4f {
    let light = clamp(color, vec3f(0.0), vec3f(1.0));
    let curve = 1.055 * pow(max(light, vec3f(0.0031308)), vec3f(1.0 / 2.4)) - 0.055;
    return vec4f(select(curve, light * 12.92, light <= vec3f(0.0031308)), 1.0);
}

/// Linear light from Oklch: lightness (0 to 1), chroma (0 is grey, 0.12 vivid) and hue as a
/// unit vector instead of an angle. Colours outside the sRGB gamut have components out of
/// range.
/// Source: Björn Ottosson, "A perceptual color space for image processing"
/// (https://bottosson.github.io/posts/oklab/).
fn oklch(lightness: f32, chroma: f32, hue: vec2f) -> vec3f {
    let ab = chroma * hue;
    let root = vec3f(
        lightness + 0.3963377774 * ab.x + 0.2158037573 * ab.y,
        lightness - 0.1055613458 * ab.x - 0.0638541728 * ab.y,
        lightness - 0.0894841775 * ab.x - 1.2914855480 * ab.y,
    );
    let lms = root * root * root;
    return vec3f(
        dot(lms, vec3f(4.0767416621, -3.3077115913, 0.2309699292)),
        dot(lms, vec3f(-1.2684380046, 2.6097574011, -0.3413193965)),
        dot(lms, vec3f(-0.0041960863, -0.7034186147, 1.7076147010)),
    );
}

/// Colour scale for a fraction from 0 to 1: dark blue through red to pale yellow, with
/// linearly rising perceptual lightness.
fn heat(fraction: f32) -> vec3f {
    let t = clamp(fraction, 0.0, 1.0);
    // Hue from -1.75 rad (blue) the short way through magenta to 1.8 (yellow).
    let turn = mix(-1.75, 1.8, t);
    let chroma = 0.055 + 0.42 * t * (1.0 - t);
    return max(oklch(mix(0.17, 0.96, t), chroma, vec2f(cos(turn), sin(turn))), vec3f(0.0));
}
