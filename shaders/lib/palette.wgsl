#define_import_path tarsus::palette

// Colours by name of their parts, and scales that a reader can trust.
//
// Everything here is linear light with sRGB primaries, ready to be mixed and
// averaged; `display` makes it what a scene returns.

/// The colour written as 0xRRGGBB, as in a style sheet.
fn hex(rgb: u32) -> vec3f {
    let bytes = vec3f(vec3u(rgb >> 16u, rgb >> 8u, rgb) & vec3u(255u));
    return linear_from_display(bytes / 255.0);
}

/// Linear light from display values (the sRGB curve).
fn linear_from_display(color: vec3f) -> vec3f {
    let toe = color / 12.92;
    let curve = pow((max(color, vec3f(0.0)) + 0.055) / 1.055, vec3f(2.4));
    return select(curve, toe, color <= vec3f(0.04045));
}

/// Display values from linear light (the sRGB curve), opaque.
fn display(color: vec3f) -> vec4f {
    let light = clamp(color, vec3f(0.0), vec3f(1.0));
    let curve = 1.055 * pow(max(light, vec3f(0.0031308)), vec3f(1.0 / 2.4)) - 0.055;
    return vec4f(select(curve, light * 12.92, light <= vec3f(0.0031308)), 1.0);
}

/// A colour by lightness (0 to 1), chroma (0 grey, 0.12 lively) and hue, a
/// unit vector in place of an angle. Equal steps look equal in Oklab.
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

/// A scale from 0 to 1, dark blue through red to pale yellow. Its lightness
/// rises evenly, so that more always looks like more.
fn heat(share: f32) -> vec3f {
    let t = clamp(share, 0.0, 1.0);
    // Hue from -1.9 rad (blue) the short way through magenta to 1.85 (yellow).
    let turn = mix(-1.75, 1.8, t);
    let chroma = 0.055 + 0.42 * t * (1.0 - t);
    return max(oklch(mix(0.17, 0.96, t), chroma, vec2f(cos(turn), sin(turn))), vec3f(0.0));
}
