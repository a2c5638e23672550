#define_import_path tarsus::lens

// A look behind the picture: what tracing did in this pixel, shown instead of
// its colour. `raymarch` and `terrain` leave their traces here, so any scene
// that uses them can be looked at (`--lens steps` and so on). Without a lens all
// of it compiles to nothing.

struct Trace {
    // Times the distance function was asked, by all rays of the pixel.
    steps: f32,
    // Distance to the nearest surface that was met.
    distance: f32,
    // The last normal worked out.
    normal: vec3f,
    // How deep inside a surface a step landed: more than a trace of it means
    // that the distance function promised too much.
    overshoot: f32,
}

var<private> trace: Trace = Trace(0.0, 1e6, vec3f(0.0), 0.0);

fn count_step() {
#ifdef LENS
    trace.steps += 1.0;
#endif
}

fn note_hit(distance: f32) {
#ifdef LENS
    trace.distance = min(trace.distance, distance);
#endif
}

fn note_normal(normal: vec3f) {
#ifdef LENS
    trace.normal = normal;
#endif
}

// `gap` is the distance function where a step landed, `width` the pixel there.
fn note_gap(gap: f32, width: f32) {
#ifdef LENS
    trace.overshoot = max(trace.overshoot, -gap / width);
#endif
}

// A ramp from black through violet, red and yellow to white; x from 0 to 1.
fn heat(x: f32) -> vec3f {
    let t = clamp(x, 0.0, 1.0);
    let red = smoothstep(0.05, 0.55, t);
    let green = smoothstep(0.40, 0.90, t);
    let blue = 0.55 * smoothstep(0.0, 0.25, t) * (1.0 - smoothstep(0.30, 0.60, t))
        + smoothstep(0.80, 1.0, t);
    return vec3f(red, green, blue);
}

// What to show in place of `color`.
fn show(color: vec4f) -> vec4f {
    let met = trace.distance < 1e5;
    let depth = 1.0 - exp(-0.12 * trace.distance);
#ifdef LENS_STEPS
    return vec4f(heat(trace.steps / 256.0), 1.0);
#else ifdef LENS_NORMALS
    return vec4f(select(vec3f(0.0), 0.5 + 0.5 * trace.normal, any(trace.normal != vec3f(0.0))), 1.0);
#else ifdef LENS_DEPTH
    return vec4f(vec3f(select(1.0, depth, met)), 1.0);
#else ifdef LENS_ISOLINES
    // Lines of equal distance from the eye, a quarter apart, every fourth stronger.
    let lines = abs(fract(4.0 * trace.distance + 0.5) - 0.5);
    let strong = abs(fract(trace.distance + 0.5) - 0.5);
    let ink = max(0.5 - 0.5 * smoothstep(0.0, 0.10, lines), 1.0 - smoothstep(0.0, 0.04, strong));
    let grey = vec3f(dot(color.rgb, vec3f(0.30, 0.59, 0.11)));
    return vec4f(select(grey, mix(0.4 + 0.5 * grey, vec3f(0.75, 0.15, 0.1), ink), met), 1.0);
#else ifdef LENS_OVERSHOOT
    let grey = vec3f(0.6 * dot(color.rgb, vec3f(0.30, 0.59, 0.11)));
    return vec4f(mix(grey, vec3f(1.0, 0.0, 0.8), smoothstep(0.5, 2.0, trace.overshoot)), 1.0);
#else
    return color;
#endif
}
