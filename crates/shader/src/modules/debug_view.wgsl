#define_import_path tarsus::debug_view

// Debug views of ray marching, as selected by `--debug-view steps` and so on. `raymarch`,
// `terrain` and other modules record data per pixel; under the definition DEBUG_VIEW, `show`
// replaces the pixel's colour with one of these records. Without it, all of this compiles to
// nothing.

/// Data recorded at one pixel.
struct Trace {
    /// Number of evaluations of a distance function, over all rays of the pixel.
    steps: f32,
    /// Distance from the camera to the nearest surface hit; 1e6 for none.
    distance: f32,
    /// Last unit normal recorded; 0 for none.
    normal: vec3f,
    /// Largest penetration of a step into a surface, in pixels. More than a fraction of a
    /// pixel means that the distance function is not a bound.
    overshoot: f32,
    /// Largest number of parts whose bounds a ray enters, and 1 where a part is cut off at its
    /// bound.
    bounds: f32,
    cut: f32,
}

var<private> trace: Trace = Trace(0.0, 1e6, vec3f(0.0), 0.0, 0.0, 0.0);

/// Counts one evaluation of a distance function.
fn count_step() {
#ifdef DEBUG_VIEW
    trace.steps += 1.0;
#endif
}

/// Records a hit at `distance` from the camera.
fn note_hit(distance: f32) {
#ifdef DEBUG_VIEW
    trace.distance = min(trace.distance, distance);
#endif
}

/// Records a unit normal, in place of the last one; ignores 0, that of a ray without a hit.
fn note_normal(normal: vec3f) {
#ifdef DEBUG_VIEW
    trace.normal = select(trace.normal, normal, any(normal != vec3f(0.0)));
#endif
}

/// Records the distance function's value `gap` at the end of a step, where a pixel is
/// `width` wide.
fn note_gap(gap: f32, width: f32) {
#ifdef DEBUG_VIEW
    trace.overshoot = max(trace.overshoot, -gap / width);
#endif
}

/// Records the number of parts whose bounds a ray enters, and whether the picture lacks what
/// the ray would meet outside of them.
fn note_bounds(count: u32, is_cut: bool) {
#ifdef DEBUG_VIEW
    trace.bounds = max(trace.bounds, f32(count));
    trace.cut = max(trace.cut, f32(is_cut));
#endif
}

/// Colour ramp from black through violet, red and yellow to white, for x from 0 to 1.
fn heat(x: f32) -> vec3f {
    let t = clamp(x, 0.0, 1.0);
    let red = smoothstep(0.05, 0.55, t);
    let green = smoothstep(0.40, 0.90, t);
    let blue = 0.55 * smoothstep(0.0, 0.25, t) * (1.0 - smoothstep(0.30, 0.60, t))
        + smoothstep(0.80, 1.0, t);
    return vec3f(red, green, blue);
}

/// Display colour of the selected debug view (DEBUG_VIEW_STEPS and so on), or `color` if there
/// is none.
fn show(color: vec4f) -> vec4f {
    let is_hit = trace.distance < 1e5;
    let depth = 1.0 - exp(-0.12 * trace.distance);
#ifdef DEBUG_VIEW_STEPS
    return vec4f(heat(trace.steps / 256.0), 1.0);
#else ifdef DEBUG_VIEW_NORMALS
    return vec4f(select(vec3f(0.0), 0.5 + 0.5 * trace.normal, any(trace.normal != vec3f(0.0))), 1.0);
#else ifdef DEBUG_VIEW_DEPTH
    return vec4f(vec3f(select(1.0, depth, is_hit)), 1.0);
#else ifdef DEBUG_VIEW_ISOLINES
    // Lines of equal distance from the camera, 0.25 apart, every fourth stronger.
    let lines = abs(fract(4.0 * trace.distance + 0.5) - 0.5);
    let strong = abs(fract(trace.distance + 0.5) - 0.5);
    let ink = max(0.5 - 0.5 * smoothstep(0.0, 0.10, lines), 1.0 - smoothstep(0.0, 0.04, strong));
    let grey = vec3f(dot(color.rgb, vec3f(0.30, 0.59, 0.11)));
    return vec4f(select(grey, mix(0.4 + 0.5 * grey, vec3f(0.75, 0.15, 0.1), ink), is_hit), 1.0);
#else ifdef DEBUG_VIEW_OVERSHOOT
    let grey = vec3f(0.6 * dot(color.rgb, vec3f(0.30, 0.59, 0.11)));
    return vec4f(mix(grey, vec3f(1.0, 0.0, 0.8), smoothstep(0.5, 2.0, trace.overshoot)), 1.0);
#else ifdef DEBUG_VIEW_BOUNDS
    let grey = vec3f(0.6 * dot(color.rgb, vec3f(0.30, 0.59, 0.11)));
    let tinted = mix(grey, vec3f(0.1, 0.45, 1.0), 1.0 - exp(-0.3 * trace.bounds));
    return vec4f(mix(tinted, vec3f(1.0, 0.0, 0.8), trace.cut), 1.0);
#else
    return color;
#endif
}
