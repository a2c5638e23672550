#define_import_path tarsus::rays

#import tarsus::bounds
#import tarsus::brute_force
#import tarsus::debug_view
#import tarsus::parts
#import tarsus::raymarch
#import tarsus::walk

// Camera rays and shadow rays against one walking animal on the ground. The animal consists
// of a trunk (`raymarch::map`) and limbs (`parts`), both in body space; rays are in world
// space. Only the trunk and limbs that the scene's `candidates` returns are traced. Under
// the definition `REFERENCE`, all of them are evaluated at every step (`brute_force`).
//
// A scene sets `body` and overrides the virtual functions of this module, of `raymarch` and
// of `parts`, and `ground_distance` of `brute_force`. Directions are unit vectors.

/// Position and orientation of the animal.
var<private> body: walk::Body;

/// True while shadows and ambient occlusion are traced; distances may then leave out hair
/// and similar detail.
var<private> is_secondary_ray: bool;

/// Parts of the animal that a ray can meet.
struct Candidates {
    /// Span in which the ray can meet the trunk; `t_near` is at least 0.
    trunk: bounds::Span,
    /// Limbs that the ray can meet, as `parts::bit_of`.
    limbs: u32,
}

/// Candidates of a ray in body space. All bounds are widened by `margin`, for penumbrae and
/// silhouettes.
virtual fn candidates(origin: vec3f, direction: vec3f, margin: f32) -> Candidates {
    return Candidates(bounds::EMPTY, 0u);
}

/// Candidates of a shadow ray, for `limbs_shadow_clearance` and the trunk's shadow.
virtual fn shadow_candidates(origin: vec3f, direction: vec3f, margin: f32) -> Candidates {
    return candidates(origin, direction, margin);
}

/// Lower bound on the distance from p (body space) to the trunk, cheaper than
/// `raymarch::map`. Ambient occlusion is skipped where it is large enough.
virtual fn trunk_bound(p: vec3f) -> f32 {
    return 0.0;
}

/// Number of limbs; used only by the reference renderer and a debug view.
virtual fn limb_count() -> u32 {
    return 0u;
}

/// Distance from p (body space) to the nearest limb; used only by the reference renderer.
virtual fn limbs_distance(p: vec3f) -> f32 {
    return 1e3;
}

/// Distance along a world-space ray to the ground, or `t_far` if it is not met before.
virtual fn intersect_ground(origin: vec3f, direction: vec3f, t_far: f32) -> f32 {
    return t_far;
}

/// Shadow clearance (`raymarch::ShadowState`) of the ground, from p (world space) toward a
/// light whose disc has the angular radius `angle` (radians).
virtual fn ground_shadow_clearance(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    return 1.0;
}

/// Shadow clearance of thin parts of the trunk, from p (body space) toward a light: parts
/// such as antennae, which `raymarch::map` and `candidates` leave out while
/// `is_secondary_ray`.
virtual fn thin_parts_shadow_clearance(p: vec3f, to_light: vec3f, t_far: f32, angle: f32) -> f32 {
    return 1.0;
}

/// Shadow clearance of the limbs, from p (body space) toward a light, up to the distance
/// `t_far`. `limbs` are the ray's candidates, `margin` is the extent of the penumbra
/// outside a limb.
virtual fn limbs_shadow_clearance(
    p: vec3f,
    to_light: vec3f,
    limbs: u32,
    t_far: f32,
    angle: f32,
    margin: f32,
) -> f32 {
    return parts::shadow_clearance(p, to_light, limbs, t_far, angle, margin);
}

// ---- Camera rays ---------------------------------------------------------------

/// A world-space ray from `t_near` to `t_far`. A ray that continues after a reflection has
/// `t_near` > 0 and is not tested against the ground.
struct Ray {
    origin: vec3f,
    direction: vec3f,
    t_near: f32,
    t_far: f32,
    /// Width of a pixel at distance 1, and its maximum width at the animal.
    pixel: f32,
    margin: f32,
    candidates: Candidates,
}

/// Ray with its candidates. `pixel` is the width of a pixel at distance 1, `extent` the
/// largest distance of a point of the animal from the body's origin.
fn ray_to_body(
    origin: vec3f,
    direction: vec3f,
    t_near: f32,
    t_far: f32,
    pixel: f32,
    extent: f32,
) -> Ray {
    let start = walk::to_body(body, origin);
    let margin = pixel * (length(start) + extent);
#ifdef REFERENCE
    let found = Candidates(bounds::Span(0.0, t_far), 1u);
#else
    let found = candidates(start, direction * body.world_from_body, margin);
#endif
    return Ray(origin, direction, t_near, t_far, pixel, margin, found);
}

/// The same ray with no candidates and no length, which hits nothing.
fn empty_ray(ray: Ray) -> Ray {
    var other = ray;
    other.candidates = Candidates(bounds::EMPTY, 0u);
    other.t_far = 0.0;
    return other;
}

/// True if the ray has no candidates.
fn is_miss(ray: Ray) -> bool {
    return ray.candidates.limbs == 0u && !bounds::is_hit(ray.candidates.trunk);
}

/// Result of `intersect`.
struct BodyHit {
    /// Hit on the animal that covers most of the pixel; the normal is in body space.
    hit: raymarch::Hit,
    on_limb: bool,
    part: u32,
    /// Edge in front of it, such as that of a leg over the body; its coverage is 0 if there
    /// is none. `layer_of` makes it the hit.
    edge: raymarch::Hit,
    edge_part: u32,
    /// Distance to the ground; the ray's `t_far` if it misses the ground or the animal
    /// hides it.
    ground: f32,
}

// Number of the trunk among the parts: above that of any limb.
const TRUNK: u32 = 1000u;

/// A hit with an edge, reduced to one of the two.
fn layer_of(found: BodyHit, is_edge: bool) -> BodyHit {
    var layer = found;
    if is_edge {
        layer.hit = found.edge;
        layer.part = found.edge_part;
        layer.on_limb = found.edge_part != TRUNK;
    }
    return layer;
}

#ifdef REFERENCE

override fn brute_force::object_distance(p: vec3f) -> f32 {
    return raymarch::sample(walk::to_body(body, p)).distance;
}

override fn brute_force::limbs_distance(p: vec3f) -> f32 {
    return limbs_distance(walk::to_body(body, p));
}

// The hit in body space with the id of its surface, and the part that is nearest to it.
fn part_at(ray: Ray, found: raymarch::Hit) -> parts::PartHit {
    let q = walk::to_body(body, ray.origin + found.distance * ray.direction);
    let trunk = raymarch::sample(q);
    var nearest = trunk.distance;
    var part = TRUNK;
    for (var i = 0u; i < limb_count(); i++) {
        parts::set_current_part(i);
        let d = parts::map(q);
        part = select(part, i, d < nearest);
        nearest = min(nearest, d);
    }
    let normal = found.normal * body.world_from_body;
    return parts::PartHit(
        raymarch::Hit(found.distance, found.coverage, normal, trunk.id), part);
}

/// Traces a ray against animal and ground. Changes the current part.
fn intersect(ray: Ray) -> BodyHit {
    let start = ray.t_near + 0.02;
    let found = brute_force::intersect(
        ray.origin, ray.direction, start, ray.t_far, ray.pixel, ray.t_near <= 0.0);
    var edge = part_at(ray, found.edge);
    let main = part_at(ray, found.object);
    // Edges are found between parts, not within one.
    edge.hit.coverage = select(edge.hit.coverage, 0.0, edge.part == main.part);
    return BodyHit(
        main.hit, main.part != TRUNK, main.part, edge.hit, edge.part, found.ground);
}

#else

#ifdef DEBUG_VIEW_BOUNDS
// Records the bounds that a ray enters, and whether it meets a part more than some pixels
// before `distance`, where it stops: that part is cut off.
fn note_bounds(ray: Ray, distance: f32) {
    let start = walk::to_body(body, ray.origin);
    let along = ray.direction * body.world_from_body;
    let end = distance - 8.0 * ray.margin;
    var is_cut = raymarch::march(start, along, ray.t_near, end, ray.pixel).coverage > 0.9;
    for (var limb = 0u; limb < limb_count(); limb++) {
        parts::set_current_part(limb);
        var state = raymarch::start_trace(ray.t_near, end, ray.pixel);
        while raymarch::is_tracing(state) {
            let p = start + raymarch::sample_distance(state) * along
                + raymarch::offset_from_axis(state);
            state = raymarch::advance(state, raymarch::Sample(parts::map(p), 0u));
        }
        is_cut |= raymarch::hit_of(state).coverage > 0.9;
    }
    let limbs = countOneBits(ray.candidates.limbs);
    debug_view::note_bounds(limbs + u32(bounds::is_hit(ray.candidates.trunk)), is_cut);
}
#endif

/// Traces a ray against animal and ground. Changes the current part.
fn intersect(ray: Ray) -> BodyHit {
    let start = walk::to_body(body, ray.origin);
    let along = ray.direction * body.world_from_body;
    let t_near = max(ray.candidates.trunk.t_near, ray.t_near);
    let t_far = min(ray.candidates.trunk.t_far, ray.t_far);
    // Limbs behind the trunk are not searched for.
    let trunk = parts::PartHit(raymarch::march(start, along, t_near, t_far, ray.pixel), TRUNK);
    let none = parts::no_hits(ray.t_far, along);
    let found = parts::add_hits(
        parts::add_hit(none, trunk), start, along, ray.candidates.limbs, ray.t_near, ray.t_far,
        ray.pixel, ray.margin);
    let on_limb = found.main.hit.coverage > 0.0 && found.main.part != TRUNK;
    var hit = found.main.hit;
    let end = select(ray.t_far, hit.distance, hit.coverage >= 1.0);
    let ground = intersect_ground(ray.origin, ray.direction, end);
    hit.coverage = select(hit.coverage, 0.0, ground < hit.distance);
    var edge = found.edge.hit;
    edge.coverage = select(edge.coverage, 0.0, ground < edge.distance);
    let visible_ground = select(ground, ray.t_far, ground >= end);
#ifdef DEBUG_VIEW_BOUNDS
    note_bounds(ray, min(ground, select(ray.t_far, hit.distance, hit.coverage > 0.1)));
#endif
    return BodyHit(hit, on_limb, found.main.part, edge, found.edge.part, visible_ground);
}

#endif

// ---- Shadow rays ---------------------------------------------------------------

/// A distant disc-shaped light.
struct DiscLight {
    /// Unit vector toward it, in world space.
    to_light: vec3f,
    /// Angular radius of the disc in radians, small.
    angle: f32,
    /// Largest distance at which an object casts a shadow on a surface.
    shadow_distance: f32,
}

/// Visibility of light and sky at a point, past animal and ground, each from 0 to 1.
struct Visibility {
    /// Visible fraction of the light's disc.
    soft_shadow: f32,
    /// Fraction of the sky's light that reaches the point.
    ambient_occlusion: f32,
}

/// Visibility of light and sky from p (body space) with the unit normal n, `distance` away
/// from the camera. Ambient occlusion considers only the trunk, up to `sky_reach` along n:
/// limbs are too thin to hide much of the sky. A `sky_reach` of 0 skips it.
fn visibility_at(
    p: vec3f,
    n: vec3f,
    sky_reach: f32,
    distance: f32,
    light: DiscLight,
) -> Visibility {
    let in_world = walk::to_world(body, p);
    is_secondary_ray = true;
#ifdef REFERENCE
    let clearance = brute_force::shadow_clearance(
        in_world, distance, light.to_light, light.shadow_distance, light.angle);
    let thin = thin_parts_shadow_clearance(
        p, light.to_light * body.world_from_body, light.shadow_distance, light.angle);
    let open = raymarch::ambient_occlusion(p, n, sky_reach);
    is_secondary_ray = false;
    let past_limbs = raymarch::light_visibility(clearance.x);
    return Visibility(past_limbs * raymarch::light_visibility(min(clearance.y, thin)), open);
#else
    // Width of the penumbra of an occluder three units away.
    let margin = 3.0 * light.angle;
    let to_light = light.to_light * body.world_from_body;
    let found = shadow_candidates(p, to_light, margin);
    let t_near = max(0.02, found.trunk.t_near);
    // A trunk out of reach of the outermost sample darkens none of the inner ones either.
    let is_near_trunk = trunk_bound(p + sky_reach * n) < sky_reach;
    let reach = select(0.0, sky_reach, is_near_trunk);
    let trunk = raymarch::occlusion(
        p, to_light, t_near, min(found.trunk.t_far, light.shadow_distance), light.angle, n, reach);
    let limbs = limbs_shadow_clearance(
        p, to_light, found.limbs, light.shadow_distance, light.angle, margin);
    let thin = thin_parts_shadow_clearance(p, to_light, light.shadow_distance, light.angle);
    let ground = ground_shadow_clearance(in_world, light.to_light, light.angle);
    is_secondary_ray = false;
    // Where the penumbrae of trunk and limbs meet, the minimum would leave a bright line.
    let past_limbs = raymarch::light_visibility(limbs);
    let others = raymarch::light_visibility(min(trunk.shadow_clearance, min(thin, ground)));
    return Visibility(past_limbs * others, trunk.ambient_occlusion);
#endif
}
