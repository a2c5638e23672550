#define_import_path tarsus::figure

#import tarsus::bounds
#import tarsus::brute_force
#import tarsus::members
#import tarsus::raymarch
#import tarsus::walk

// A figure: what walks about, a trunk (`raymarch::map`) and limbs (`members`), both
// told in body space. Here rays of the world look for it, and light comes past it.
// Only what the scene's bounds let a ray meet is asked; under the definition
// `REFERENCE` everything is, at every step (`brute_force`).
//
// The scene sets `body` and overrides the virtual functions of this module, of
// `raymarch` and of `members`, and the ground of `brute_force`.

// Where the figure is.
var<private> body: walk::Body;

// What a ray of body space can touch.
struct Aim {
    // Where it can meet the trunk; nothing of it lies behind the ray's start.
    trunk: bounds::Span,
    // The limbs it can meet, a bit each.
    limbs: u32,
}

// `margin` widens everything, for penumbrae and outlines.
virtual fn aim(origin: vec3f, direction: vec3f, margin: f32) -> Aim {
    return Aim(bounds::NOTHING, 0u);
}

// No more than the distance to the trunk, and cheaper: where the sky is free of it.
virtual fn trunk_bound(p: vec3f) -> f32 {
    return 0.0;
}

// How many limbs there are, and the distance to the nearest: for the reference.
virtual fn limb_count() -> u32 {
    return 0u;
}

virtual fn limbs_distance(p: vec3f) -> f32 {
    return 1e3;
}

// Where a ray of the world meets the ground, `end` if not before that.
virtual fn ground_along(origin: vec3f, direction: vec3f, end: f32) -> f32 {
    return end;
}

// The least room that the ground leaves from p of the world on to a light, as
// `raymarch::LightRay` has it.
virtual fn ground_room(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    return 1.0;
}

// ---- Looking -------------------------------------------------------------------

// A ray of the world that looks for the figure from `near` to `far`. A ray that comes
// on from a mirror has `near` > 0 and meets no ground any more.
struct Look {
    origin: vec3f,
    direction: vec3f,
    near: f32,
    far: f32,
    // Width of a pixel at distance 1, and where the figure is.
    pixel: f32,
    margin: f32,
    aimed: Aim,
}

// `reach` is how far the figure extends from the body's origin at most.
fn look_along(
    origin: vec3f,
    direction: vec3f,
    near: f32,
    far: f32,
    pixel: f32,
    reach: f32,
) -> Look {
    let start = walk::to_body(body, origin);
    let margin = pixel * (length(start) + reach);
#ifdef REFERENCE
    let aimed = Aim(bounds::Span(0.0, far), 1u);
#else
    let aimed = aim(start, direction * body.world_from_body, margin);
#endif
    return Look(origin, direction, near, far, pixel, margin, aimed);
}

// The same ray, which is to find nothing.
fn blind(look: Look) -> Look {
    var other = look;
    other.aimed = Aim(bounds::NOTHING, 0u);
    other.far = 0.0;
    return other;
}

fn is_blind(look: Look) -> bool {
    return look.aimed.limbs == 0u && !bounds::ahead(look.aimed.trunk);
}

// What a ray meets. Afterwards the limb that it met is picked.
struct Sight {
    // In body space.
    met: raymarch::March,
    on_limb: bool,
    // Distance to the ground; the look's `far` where none is met or the figure hides it.
    ground: f32,
}

#ifdef REFERENCE

override fn brute_force::things(p: vec3f) -> f32 {
    let q = walk::to_body(body, p);
    return min(raymarch::map(q), limbs_distance(q));
}

fn seen_along(look: Look) -> Sight {
    let begins = look.near + 0.02;
    let seen = brute_force::look(
        look.origin, look.direction, begins, look.far, look.pixel, look.near <= 0.0);
    let q = walk::to_body(body, look.origin + seen.thing.distance * look.direction);
    var nearest = 1e3;
    var limb = 0u;
    for (var i = 0u; i < limb_count(); i++) {
        members::pick(i);
        let d = members::map(q);
        limb = select(limb, i, d < nearest);
        nearest = min(nearest, d);
    }
    members::pick(limb);
    let normal = seen.thing.normal * body.world_from_body;
    let met = raymarch::March(seen.thing.distance, seen.thing.coverage, normal);
    return Sight(met, nearest < raymarch::map(q), seen.ground);
}

#else

fn seen_along(look: Look) -> Sight {
    let start = walk::to_body(body, look.origin);
    let along = look.direction * body.world_from_body;
    let near = max(look.aimed.trunk.near, look.near);
    let far = min(look.aimed.trunk.far, look.far);
    let trunk = raymarch::march(start, along, near, far, look.pixel);
    let limbs = members::march(
        start, along, look.aimed.limbs, look.near, look.far, look.pixel, look.margin);
    members::pick(limbs.member);
    let on_limb = raymarch::goes_before(limbs.met, trunk);
    var met = trunk;
    if on_limb {
        met = limbs.met;
    }
    let end = select(look.far, met.distance, met.coverage >= 1.0);
    let ground = ground_along(look.origin, look.direction, end);
    met.coverage = select(met.coverage, 0.0, ground < met.distance);
    return Sight(met, on_limb, select(ground, look.far, ground >= end));
}

#endif

// ---- Light ---------------------------------------------------------------------

// A distant light: a disc whose radius is `angle` (radians, small), in the unit
// direction `toward` of the world. Nothing farther than `reach` throws a shadow.
struct Lamp {
    toward: vec3f,
    angle: f32,
    reach: f32,
}

// What figure and ground leave of a lamp and of the sky, 0 to 1.
struct Light {
    lamp: f32,
    sky: f32,
}

// The light at p of body space, seen from `distance`. Of the sky only the trunk is
// judged to take away, up to `sky_reach` along the unit normal n: limbs are too thin to
// hide much of it. A reach of 0 leaves the sky out.
fn light_at(p: vec3f, n: vec3f, sky_reach: f32, distance: f32, lamp: Lamp) -> Light {
    let in_world = walk::to_world(body, p);
#ifdef REFERENCE
    let share = brute_force::soft_shadow(
        in_world, distance, lamp.toward, lamp.reach, lamp.angle);
    return Light(share, raymarch::occlusion(p, n, sky_reach));
#else
    // As wide as a penumbra three units off.
    let margin = 3.0 * lamp.angle;
    let toward = lamp.toward * body.world_from_body;
    let aimed = aim(p, toward, margin);
    let near = max(0.02, aimed.trunk.near);
    // What the top of the room cannot see within its reach hides no sky.
    let hides = trunk_bound(p + sky_reach * n) < sky_reach;
    let reach = select(0.0, sky_reach, hides);
    let trunk = raymarch::room_around(
        p, toward, near, aimed.trunk.far, lamp.angle, n, reach);
    let limbs = members::light_room(p, toward, aimed.limbs, lamp.angle, margin);
    let ground = ground_room(in_world, lamp.toward, lamp.angle);
    return Light(raymarch::light_through(min(min(trunk.light, limbs), ground)), trunk.sky);
#endif
}
