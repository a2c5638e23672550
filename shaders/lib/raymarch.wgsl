#define_import_path tarsus::raymarch

#import tarsus::debug_view
#import tarsus::sdf

// Sphere tracing of a signed distance function: camera rays with coverage, normals, soft
// shadows and ambient occlusion. A scene imports this module and overrides `map`. All
// functions work in the space of `map`; ray directions are unit vectors. After John C.
// Hart, "Sphere tracing" (1996).

/// Signed distance from p to the surface, or a bound: never larger in magnitude than the
/// distance.
virtual fn map(p: vec3f) -> f32 {
    return length(p) - 1.0;
}

/// A distance, and the id of the surface there: a number chosen by the scene.
struct Sample {
    distance: f32,
    id: u32,
}

/// The nearer of two samples.
fn nearest(a: Sample, b: Sample) -> Sample {
    if b.distance < a.distance {
        return b;
    }
    return a;
}

/// Smooth union of two samples, with a fillet of size k; the nearer one gives the id.
fn smooth_union(a: Sample, b: Sample, k: f32) -> Sample {
    return Sample(sdf::smooth_union(a.distance, b.distance, k), nearest(a, b).id);
}

/// `map` with an id. Scenes may override this function instead of `map`; hits then report
/// the id.
virtual fn sample(p: vec3f) -> Sample {
    return Sample(map(p), 0u);
}

/// Result of tracing one ray.
struct Hit {
    /// Distance along the ray to the surface, or to the point of closest approach.
    distance: f32,
    /// Fraction of the pixel's cone that the surface covers: 1 for a hit, between 0 and 1
    /// where the ray passes within half a pixel of a silhouette, 0 for a miss.
    coverage: f32,
    /// Unit normal at that distance; arbitrary for a miss.
    normal: vec3f,
    /// Id of the surface (`Sample`); arbitrary for a miss.
    id: u32,
}

/// Result of tracing one ray against objects and ground.
struct SceneHit {
    /// Hit on the objects that stand on the ground.
    object: Hit,
    /// Edge of an object in front of that hit; its coverage is 0 if there is none.
    edge: Hit,
    /// Distance to the ground; the ray's `t_far` if it misses the ground or an object hides
    /// it.
    ground: f32,
}

const MAX_STEPS: i32 = 96;

/// State of a ray being traced, and then of the four samples around its end that give the
/// normal. One loop does both: on renderers that execute both sides of every branch, each
/// loop costs at least one evaluation of `map` per pixel.
struct TraceState {
    /// Distance along the ray so far, and distance at which to stop.
    distance: f32,
    t_far: f32,
    /// Width of a pixel at distance 1.
    pixel: f32,
    steps: i32,
    /// Distance along the ray of the closest approach, measured in pixels, and gap there, in
    /// pixels, to the surface half a pixel inside: from 0 for a hit to 1 for a miss.
    closest: f32,
    closest_gap: f32,
    id: u32,
    /// Number of tetrahedron corners sampled around that point, and sum of their distances,
    /// each times its corner.
    corners: u32,
    sum: vec3f,
}

/// Distance along a ray up to which a pixel has a constant width: a ray may start on a
/// surface.
const NEAREST: f32 = 1e-4;

/// State of a ray to be traced from `t_near` to `t_far`, both at least 0 unless the span is
/// empty; `pixel` is the width of a pixel at distance 1. A miss has the distance `t_far`,
/// or 0 if the span is empty.
fn start_trace(t_near: f32, t_far: f32, pixel: f32) -> TraceState {
    let miss = select(0.0, t_far, t_near <= t_far);
    return TraceState(t_near, t_far, pixel, 0, miss, 1.0, 0u, 0u, vec3f(0.0));
}

/// Distance of the normal's samples from the closest point, per axis, in pixels: normals
/// are no finer than the image.
const NORMAL_OFFSET: f32 = 0.4;

/// True while the next sample lies on the ray, false when it belongs to the normal.
fn is_marching(state: TraceState) -> bool {
    return state.distance < state.t_far && state.steps < MAX_STEPS;
}

/// True while another sample is needed.
fn is_tracing(state: TraceState) -> bool {
    return is_marching(state) || (state.closest_gap < 1.0 && state.corners < 4u);
}

/// Distance along the ray of the next sample.
fn sample_distance(state: TraceState) -> f32 {
    return select(state.closest, state.distance, is_marching(state));
}

/// Offset of the next sample from the ray's axis.
fn offset_from_axis(state: TraceState) -> vec3f {
    let arm = NORMAL_OFFSET * state.pixel * max(state.closest, NEAREST);
    return select(arm * corner(state.corners), vec3f(0.0), is_marching(state));
}

/// State after a sample. Rays are traced to half a pixel inside the surface, so that coverage
/// falls from 1 half a pixel inside a silhouette to 0 half a pixel outside. A gap below 0.15
/// pixels is a hit.
fn advance(state: TraceState, found: Sample) -> TraceState {
    let gap = found.distance;
    debug_view::count_step();
    var next = state;
    if is_marching(state) {
        let width = state.pixel * max(state.distance, NEAREST);
        debug_view::note_gap(gap, width);
        let gap_in_pixels = gap / width + 0.5;
        if gap_in_pixels < state.closest_gap {
            next.closest_gap = gap_in_pixels;
            next.closest = state.distance;
            next.id = found.id;
        }
        next.distance += gap + 0.5 * width;
        next.steps += 1;
        if gap_in_pixels < 0.15 {
            debug_view::note_hit(state.distance);
            next.closest_gap = 0.0;
            next.t_far = state.distance;
        }
    } else {
        next.sum += gap * corner(state.corners);
        next.corners += 1u;
    }
    return next;
}

/// Result of a finished trace.
fn hit_of(state: TraceState) -> Hit {
    let unit = normal_of(state.sum);
    return Hit(state.closest, 1.0 - state.closest_gap, unit, state.id);
}

/// True if `b` wins over `a`, both hits of one ray: larger coverage first, then smaller
/// distance.
fn wins_over(b: Hit, a: Hit) -> bool {
    return b.coverage > a.coverage || (b.coverage == a.coverage && b.distance < a.distance);
}

/// Traces a ray from `t_near` to `t_far`. `pixel` is the width of a pixel at distance 1.
fn march(origin: vec3f, direction: vec3f, t_near: f32, t_far: f32, pixel: f32) -> Hit {
    var state = start_trace(t_near, t_far, pixel);
    while is_tracing(state) {
        state = advance(
            state, sample(origin + sample_distance(state) * direction + offset_from_axis(state)));
    }
    return hit_of(state);
}

/// Corner `i` (0 to 3) of the tetrahedron inscribed in the cube from -1 to 1.
fn corner(i: u32) -> vec3f {
    let bits = vec3u((i + 3u) >> 1u, i >> 1u, i) & vec3u(1u);
    return 2.0 * vec3f(bits) - 1.0;
}

/// Unit normal from the sum of the distances at the four corners around a point, each times
/// its corner (Inigo Quilez, https://iquilezles.org/articles/normalsSDF/).
fn normal_of(sum: vec3f) -> vec3f {
    let unit = sum * inverseSqrt(max(dot(sum, sum), 1e-20));
    debug_view::note_normal(unit);
    return unit;
}

/// State of a shadow ray toward a disc-shaped light. Penumbrae widen with the distance from
/// the occluder.
struct ShadowState {
    distance: f32,
    t_far: f32,
    /// Angular radius of the disc in radians, small.
    angle: f32,
    /// Shadow clearance so far: the smallest gap to a surface along the ray, divided by the
    /// radius of the light's cone there. -1 if the disc is hidden, 1 if all of it is
    /// visible.
    clearance: f32,
    steps: i32,
}

const MAX_SHADOW_STEPS: i32 = 48;

/// State of a shadow ray to be traced from `t_near` to `t_far`.
fn start_shadow(t_near: f32, t_far: f32, angle: f32) -> ShadowState {
    return ShadowState(t_near, t_far, angle, 1.0, 0);
}

/// True while another sample is needed.
fn is_shadow_tracing(state: ShadowState) -> bool {
    return state.distance < state.t_far && state.clearance > -1.0
        && state.steps < MAX_SHADOW_STEPS;
}

/// State after a sample at `state.distance`, where the distance to the surface is `gap`.
fn advance_shadow(state: ShadowState, gap: f32) -> ShadowState {
    debug_view::count_step();
    let clearance = min(state.clearance, gap / (state.angle * max(state.distance, NEAREST)));
    let step = clamp(gap, 0.01 + 0.01 * state.distance, 0.4);
    return ShadowState(
        state.distance + step, state.t_far, state.angle, clearance, state.steps + 1);
}

/// Visible fraction of a disc-shaped light, 0 to 1, for a shadow clearance: the area of a
/// disc cut by a straight edge, approximated by a smoothstep.
fn light_visibility(clearance: f32) -> f32 {
    let linear = clamp(0.5 + 0.5 * clearance, 0.0, 1.0);
    return linear * linear * (3.0 - 2.0 * linear);
}

/// Visible fraction of a distant light from p along the unit vector `to_light`, 0 to 1,
/// with occluders from `t_near` to `t_far`. `angle` is the angular radius of its disc in
/// radians. After Inigo Quilez (https://iquilezles.org/articles/rmshadows/).
fn soft_shadow(p: vec3f, to_light: vec3f, t_near: f32, t_far: f32, angle: f32) -> f32 {
    return light_visibility(
        occlusion(p, to_light, t_near, t_far, angle, to_light, 0.0).shadow_clearance);
}

/// Fraction of the sky's light that reaches p with the unit normal n, 0 to 1, from samples of
/// `map` along n up to `reach`.
fn ambient_occlusion(p: vec3f, n: vec3f, reach: f32) -> f32 {
    return occlusion(p, n, 0.0, 0.0, 1.0, n, reach).ambient_occlusion;
}

/// Occlusion of light and sky at a point.
struct Occlusion {
    /// As in `ShadowState`. The minimum over several occluders goes to `light_visibility`.
    shadow_clearance: f32,
    /// Fraction of the sky's light that reaches the point, 0 to 1.
    ambient_occlusion: f32,
}

const SKY_SAMPLES: i32 = 4;

/// Shadow clearance from p as in `soft_shadow` and ambient occlusion as in
/// `ambient_occlusion`, in one loop. A `reach` of 0 skips the ambient occlusion.
fn occlusion(
    p: vec3f,
    to_light: vec3f,
    t_near: f32,
    t_far: f32,
    angle: f32,
    n: vec3f,
    reach: f32,
) -> Occlusion {
    var state = start_shadow(t_near, t_far, angle);
    var hidden = 0.0;
    var weight = 1.0;
    var i = select(SKY_SAMPLES, 0, reach > 0.0);
    while i < SKY_SAMPLES || is_shadow_tracing(state) {
        let above = reach * f32(i + 1) / f32(SKY_SAMPLES);
        let is_sky = i < SKY_SAMPLES;
        let gap = map(p + select(state.distance * to_light, above * n, is_sky));
        if is_sky {
            debug_view::count_step();
            hidden += weight * max(above - gap, 0.0) / above;
            weight *= 0.6;
            i++;
        } else {
            state = advance_shadow(state, gap);
        }
    }
    return Occlusion(state.clearance, clamp(1.0 - 0.5 * hidden, 0.0, 1.0));
}
