#define_import_path tarsus::walker

#import tarsus::bounds
#import tarsus::brute_force
#import tarsus::camera
#import tarsus::frame
#import tarsus::ik
#import tarsus::light
#import tarsus::limb
#import tarsus::palette
#import tarsus::parts
#import tarsus::path
#import tarsus::raymarch
#import tarsus::rays
#import tarsus::sdf
#import tarsus::shading
#import tarsus::stepping
#import tarsus::terrain
#import tarsus::walk

// A walking animal with any even number of legs, from two to ten. A scene says how many,
//
//     #define LEGS 6
//
// and overrides what it has an opinion on: `plan` (a leg) and `trunk` (the rest of the body)
// make an animal; gait and speed are overridden in `stepping`, the height of the ground in
// `walk`. Then
//
//     fn per_frame(index: u32) -> vec4f { return walker::per_frame(index); }
//     fn main_image(frag_coord: vec2f) -> vec4f { return walker::main_image(frag_coord); }
//
// draw it. The legs are solved once per picture (`ik`) and handed to the pixels, which trace
// the animal by `rays`.
//
// Legs are numbered from front to back, first those on the left: leg 0 is the left front leg,
// leg LEGS / 2 the right one.
//
// Spaces: the world has x ahead, y up, z right; body space has the same axes, turned with the
// body, and its origin in the body's middle. Lengths are in world units.

/// Number of legs, and of those on a side.
const LEGS: u32 = #{LEGS}u;
const ROWS: u32 = LEGS / 2u;

// ---- What a scene says of its animal ---------------------------------------------

/// Leg of the right side, in body space. The left one mirrors it.
struct Plan {
    hip: vec3f,
    /// Mean position of the foot on the ground: x ahead, y right of the body's middle.
    foot: vec2f,
    /// Lengths of coxa, femur, tibia and tarsus.
    lengths: ik::LegLengths,
    /// Where the knee bends to; of any length. 0: up and outward, as an insect's.
    pole: vec3f,
    /// Direction from ankle to foot while the foot stands; of any length.
    tarsus: vec3f,
}

/// The right leg of a row, counted from 0 at the front.
virtual fn plan(row: u32) -> Plan {
    let along = 1.0 - 2.0 * f32(row) / max(f32(ROWS) - 1.0, 1.0);
    return Plan(
        vec3f(0.32 * along, -0.08, 0.22),
        vec2f(1.2 * along, 1.45 - 0.4 * abs(along)),
        ik::LegLengths(0.18, 1.0, 1.15, 0.24),
        vec3f(0.0),
        vec3f(0.0, -1.0, 0.45),
    );
}

/// Radii of the legs.
virtual fn radii() -> limb::Radii {
    return limb::Radii(0.08, 0.06, 0.045, 0.028, 0.012, 0.10);
}

/// A distance, and what it is the distance to: numbers of the scene's own choice.
struct Part {
    distance: f32,
    id: u32,
}

/// The nearer of two parts.
fn nearer(a: Part, b: Part) -> Part {
    if b.distance < a.distance {
        return b;
    }
    return a;
}

/// Two parts grown together with a fillet of the size k; the nearer one gives the id.
fn joined(a: Part, b: Part, k: f32) -> Part {
    return Part(sdf::smooth_union(a.distance, b.distance, k), nearer(a, b).id);
}

/// Distance from p of body space to all but the legs; a bound.
virtual fn trunk(p: vec3f) -> Part {
    return Part(sdf::ellipsoid(p, vec3f(0.75, 0.28, 0.30)), 0u);
}

/// A capsule that contains the trunk, in body space.
struct Capsule {
    a: vec3f,
    b: vec3f,
    radius: f32,
}

/// A capsule around `trunk`. What lies outside of it is cut off.
virtual fn trunk_bound() -> Capsule {
    return Capsule(vec3f(-0.6, 0.0, 0.0), vec3f(0.6, 0.0, 0.0), 0.7);
}

/// A solved leg, in body space.
struct Leg {
    /// Its number.
    index: u32,
    bones: ik::Leg,
    /// Radius of a capsule from hip to knee that contains coxa and femur.
    upper: f32,
    /// As in `stepping::Foot`; 1 while the foot stands.
    swing: f32,
    load: f32,
    /// Seconds since it touched down.
    age: f32,
}

/// Distance from p of body space to a leg; a bound.
virtual fn leg_distance(p: vec3f, leg: Leg) -> f32 {
    return limb::leg_distance(p, leg.bones, radii());
}

/// How far a leg may reach beyond `radii`: spines, toes, hair.
virtual fn leg_margin() -> f32 {
    return 0.0;
}

/// Height of the body's middle above the plane of its feet.
virtual fn clearance() -> f32 {
    return 0.86;
}

/// The body as the feet carry it, changed at will: a nod, a lean, a jump. `body` already shifts
/// and leans over the feet that stand.
virtual fn pose(body: walk::Body, time: f32) -> walk::Body {
    return body;
}

/// How the body follows the ground and its feet.
struct Manner {
    /// Tilt as a part of the slope of the ground: 0 level, 1 parallel.
    follow: f32,
    /// How far the body moves toward the feet that carry it, as a part of their distance.
    shift: f32,
    /// Lean toward them, in radians per unit of that distance.
    lean: f32,
}

virtual fn manner() -> Manner {
    return Manner(0.75, 0.06, 0.10);
}

/// Values of the scene's own for every pixel: number `index` from 0. There is room for
/// 55 - 5 LEGS of them; `own` reads them.
virtual fn own_value(index: u32, time: f32) -> vec4f {
    return vec4f(0.0);
}

// ---- What a scene says of how it looks -------------------------------------------

/// A point of the animal.
struct Point {
    /// In body space.
    position: vec3f,
    /// Unit normal in body space.
    normal: vec3f,
    /// True on a leg, false on the trunk.
    on_leg: bool,
    /// The id that `trunk` gave, or the leg's number.
    id: u32,
    /// On a leg: 0 to 1 on the femur, 1 to 2 on the tibia, 2 to 3 on the tarsus.
    along: f32,
    /// Width of a pixel there.
    width: f32,
}

/// What a surface is made of.
struct Material {
    /// Diffuse reflectance, linear.
    albedo: vec3f,
    /// Specular reflectance at normal incidence; 0 for a matt surface.
    f0: f32,
    /// Perceptual roughness, in (0, 1].
    roughness: f32,
    /// As in `light::Material`.
    sheen: f32,
    translucency: f32,
    /// Slope and frequency of bumps; a slope of 0 leaves them out.
    bumps: f32,
    grain: f32,
}

/// Material of the animal.
virtual fn material(point: Point) -> Material {
    return Material(vec3f(0.10, 0.045, 0.02), 0.05, 0.35, 0.0, 0.1, 0.1, 38.0);
}

/// Albedo of the ground at p of the world; `footprint` is the length of ground under a pixel.
virtual fn ground_albedo(p: vec3f, footprint: f32) -> vec3f {
    return vec3f(0.42, 0.29, 0.17);
}

/// How soft the ground is: depth of a foot's print, 0 for none.
virtual fn softness() -> f32 {
    return 0.05;
}

/// Light of the scene.
struct Sun {
    /// Unit vector toward it.
    direction: vec3f,
    /// Radius of its disc in radians.
    angle: f32,
    /// Radiance scale, linear.
    color: vec3f,
}

virtual fn sun() -> Sun {
    return Sun(vec3f(-0.6062, 0.3420, -0.7180), 0.035, vec3f(3.7, 2.55, 1.45));
}

/// Radiance of the sky in a unit direction, without the sun's disc.
virtual fn sky(direction: vec3f) -> vec3f {
    return shading::sky(direction, sun().direction);
}

/// Density of the fog: 1 / the distance at which 63 % of the light is gone.
virtual fn fog_density() -> f32 {
    return 0.019;
}

/// The camera: yaw and pitch in radians, distance, height of what it looks at above the plane
/// of the feet, tangent of half the field of view.
struct View {
    yaw: f32,
    pitch: f32,
    distance: f32,
    height: f32,
    tan_half_fov: f32,
}

/// How the animal is seen at `time`. The user's orbit is added.
virtual fn view(time: f32) -> View {
    let turn = path::TAU / stepping::period() * time;
    return View(0.86 + 0.42 * sin(turn), 0.10 + 0.035 * sin(2.0 * turn + 1.0), 6.0, 0.86, 0.262);
}

/// Factor of the light before the tone curve.
virtual fn exposure() -> f32 {
    return 0.80;
}

// ---- Once per picture ------------------------------------------------------------

// Places in `frame::data`: five values for each leg, then the body, the camera and the walk.
const LEG_VALUES: u32 = 5u;
const BODY: u32 = LEGS * LEG_VALUES;
const EYE: u32 = BODY + 3u;
const OWN: u32 = EYE + 5u;

fn side_of(leg: u32) -> f32 {
    return select(-1.0, 1.0, leg >= ROWS);
}

fn row_of(leg: u32) -> u32 {
    return select(leg, leg - ROWS, leg >= ROWS);
}

/// The foot of a leg at `time`.
fn foot_at(leg: u32, time: f32) -> stepping::Foot {
    let side = side_of(leg);
    let neutral = plan(row_of(leg)).foot * vec2f(1.0, side);
    return stepping::foot_at(row_of(leg), side, neutral, time);
}

/// The animal at one time.
struct Stance {
    body: walk::Body,
    feet: array<stepping::Foot, LEGS>,
}

/// Feet and body at `time`: the body above the plane of its feet, shifted toward those that
/// carry it.
fn stance_at(time: f32) -> Stance {
    var stance: Stance;
    var support = walk::no_support();
    var centre = vec2f(0.0);
    var loaded = vec3f(0.0);
    let legs = select(LEGS, 0u, stepping::period() <= 0.0);
    for (var leg = 0u; leg < legs; leg++) {
        let foot = foot_at(leg, time);
        let neutral = plan(row_of(leg)).foot * vec2f(1.0, side_of(leg));
        support = walk::add_foot(support, neutral, walk::Foot(foot.position, foot.ground, foot.stance));
        centre += neutral / f32(LEGS);
        loaded += foot.load * vec3f(neutral, 1.0);
        stance.feet[leg] = foot;
    }
    let place = stepping::place(stepping::cycles_at(time));
    let how = manner();
    let toward = loaded.xy / max(loaded.z, 0.5) - centre * min(2.0 * loaded.z, 1.0);
    let body = walk::body_at(support, centre, place.point, place.ahead, clearance(), how.follow);
    let to_side = body.world_from_body * vec3f(toward.x, 0.0, toward.y);
    let up = normalize(body.world_from_body[1] - how.lean * to_side);
    let ahead = normalize(body.world_from_body[0] - up * dot(up, body.world_from_body[0]));
    let leaning = walk::Body(
        body.position + how.shift * to_side, mat3x3f(ahead, up, cross(ahead, up)));
    stance.body = pose(leaning, time);
    return stance;
}

/// The bones of a leg whose foot is at a point of body space; `swing` as in `Leg`.
fn solve(leg: u32, foot: vec3f, swing: f32) -> ik::Leg {
    let mirror = vec3f(1.0, 1.0, side_of(leg));
    let right = plan(row_of(leg));
    let hip = right.hip * mirror;
    // A swinging tarsus lags behind, and is stretched again before it touches down.
    let flex = 1.2 * swing * (1.0 - swing) * (1.0 - 0.6 * swing);
    let tarsus = normalize(normalize(right.tarsus) - vec3f(flex * 1.6, 0.0, 0.0)) * mirror;
    if dot(right.pole, right.pole) > 0.0 {
        return limb::solve_leg_toward_pole(foot, hip, right.pole * mirror, tarsus, right.lengths);
    }
    let outward = normalize(vec3f(right.foot.x - hip.x, 0.0, right.foot.y * mirror.z - hip.z));
    return ik::solve_leg(foot, hip, vec3f(0.0, 1.0, 0.0), outward, tarsus, right.lengths);
}

fn camera_at(time: f32, body: walk::Body) -> camera::Camera {
    let seen = view(time);
    let base = body.position - clearance() * body.world_from_body[1];
    let middle = vec3f(body.position.x, base.y + seen.height, body.position.z);
    let pitch = clamp(seen.pitch + frame::frame.orbit.y, 0.02, 1.4);
    var eye = camera::orbit(
        middle,
        seen.yaw + frame::frame.orbit.x,
        pitch,
        seen.distance / frame::frame.orbit.z,
        seen.tan_half_fov * frame::widened(1.25),
    );
    eye.position.y = max(eye.position.y, walk::ground(eye.position.xz) + 0.25);
    return camera::look_at(eye.position, middle, vec3f(0.0, 1.0, 0.0), 1.0 / eye.focal_length);
}

/// What is the same for all pixels; a scene's `per_frame` returns it.
fn per_frame(index: u32) -> vec4f {
    let time = frame::looped(stepping::period());
    let stance = stance_at(time);
    let body = stance.body;
    if index < BODY {
        let leg = index / LEG_VALUES;
        var feet = stance.feet;
        let foot = feet[leg];
        let bones = solve(leg, walk::to_body(body, foot.position), foot.swing);
        switch index % LEG_VALUES {
            case 0u: { return vec4f(bones.hip, limb::upper_radius(bones, radii())); }
            case 1u: { return vec4f(bones.trochanter, select(foot.swing, 1.0, foot.stance)); }
            case 2u: { return vec4f(bones.knee, foot.load); }
            case 3u: { return vec4f(bones.ankle, foot.age); }
            default: { return vec4f(bones.foot, f32(bones.reached)); }
        }
    }
    if index >= OWN {
        return own_value(index - OWN, time);
    }
    let eye = camera_at(time, body);
    switch index - BODY {
        case 0u: { return vec4f(body.position, time); }
        case 1u: { return vec4f(body.world_from_body[0], 0.0); }
        case 2u: { return vec4f(body.world_from_body[1], 0.0); }
        case 3u: { return vec4f(eye.position, eye.focal_length); }
        case 4u: { return vec4f(eye.world_from_view[0], 0.0); }
        case 5u: { return vec4f(eye.world_from_view[1], 0.0); }
        default: { return vec4f(eye.world_from_view[2], 0.0); }
    }
}

// ---- What every pixel knows ------------------------------------------------------

/// A leg of this picture. `leg` may differ from pixel to pixel.
fn leg_of(leg: u32) -> Leg {
    let at = leg * LEG_VALUES;
    let hip = frame::data(at);
    let trochanter = frame::data(at + 1u);
    let knee = frame::data(at + 2u);
    let ankle = frame::data(at + 3u);
    let foot = frame::data(at + 4u);
    let bones = ik::Leg(hip.xyz, trochanter.xyz, knee.xyz, ankle.xyz, foot.xyz, foot.w > 0.5);
    return Leg(leg, bones, hip.w, trochanter.w, knee.w, ankle.w);
}

/// The body of this picture.
fn body() -> walk::Body {
    let ahead = frame::data(BODY + 1u).xyz;
    let up = frame::data(BODY + 2u).xyz;
    return walk::Body(frame::data(BODY).xyz, mat3x3f(ahead, up, cross(ahead, up)));
}

/// Seconds since the beginning of the loop.
fn now() -> f32 {
    return frame::data(BODY).w;
}

/// The camera of this picture.
fn eye() -> camera::Camera {
    let position = frame::data(EYE);
    let axes = mat3x3f(
        frame::data(EYE + 1u).xyz, frame::data(EYE + 2u).xyz, frame::data(EYE + 3u).xyz);
    return camera::Camera(position.xyz, axes, position.w);
}

/// Value `index` of the scene's `own_value`.
fn own(index: u32) -> vec4f {
    return frame::data(OWN + index);
}

// ---- Rays against the animal -----------------------------------------------------

// The current part (`parts::select_part`).
var<private> current: Leg;

override fn parts::select_part(part: u32) {
    current = leg_of(part);
}

override fn parts::map(p: vec3f) -> f32 {
    return leg_distance(p, current);
}

override fn parts::span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return limb::leg_span(
        origin, direction, current.bones, radii(), current.upper, margin + leg_margin());
}

override fn raymarch::map(p: vec3f) -> f32 {
    return trunk(p).distance;
}

override fn rays::trunk_bound(p: vec3f) -> f32 {
    let around = trunk_bound();
    return sdf::capsule(p, around.a, around.b, around.radius);
}

// Radius of a sphere around the body's origin that contains the animal.
fn extent() -> f32 {
    let around = trunk_bound();
    let right = plan(0u);
    let lengths = right.lengths;
    let reach = length(right.hip) + lengths.coxa + lengths.femur + lengths.tibia + lengths.tarsus;
    return max(reach, max(length(around.a), length(around.b)) + around.radius);
}

override fn rays::candidates(origin: vec3f, direction: vec3f, margin: f32) -> rays::Candidates {
    let all = bounds::sphere_span(origin, direction, vec3f(0.0), extent() + margin);
    let around = trunk_bound();
    let trunk = bounds::capsule_span(
        origin, direction, around.a, around.b, around.radius + margin);
    var legs = 0u;
    let wide = margin + leg_margin();
    let count = select(0u, LEGS, bounds::is_ahead(all));
    for (var leg = 0u; leg < count; leg++) {
        let tested = leg_of(leg);
        let touched = limb::leg_touches(
            origin, direction, tested.bones, radii(), tested.upper, wide);
        legs |= select(0u, 1u << leg, touched);
    }
    return rays::Candidates(bounds::Span(max(trunk.t_near, 0.0), trunk.t_far), legs);
}

override fn rays::intersect_ground(origin: vec3f, direction: vec3f, end: f32) -> f32 {
    return terrain::trace(origin, direction, end);
}

override fn rays::ground_shadow_clearance(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    return terrain::shadow_clearance(p, to_light, angle);
}

#ifdef REFERENCE

override fn rays::limb_count() -> u32 {
    return LEGS;
}

override fn rays::limbs_distance(p: vec3f) -> f32 {
    var nearest = 1e3;
    for (var leg = 0u; leg < LEGS; leg++) {
        nearest = min(nearest, leg_distance(p, leg_of(leg)));
    }
    return nearest;
}

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return terrain::BOUND * (p.y - terrain::height_from(p.xz, distance));
}

#endif

// ---- Surfaces and light ----------------------------------------------------------

/// A point to be shaded, in body space.
struct Surface {
    position: vec3f,
    /// Unit normal without fine relief.
    normal: vec3f,
    material: light::Material,
    /// Reach of the ambient occlusion, and what feet leave of the sky.
    sky_reach: f32,
    open: f32,
}

fn animal_surface(found: rays::BodyHit, p: vec3f, direction: vec3f, width: f32) -> Surface {
    let hit = found.hit;
    let along = limb::leg_coordinates(p, current.bones).y;
    var id = current.index;
    if !found.on_limb {
        id = trunk(p).id;
    }
    let made = material(Point(p, hit.normal, found.on_limb, id, along, width));
    // No bumps at silhouettes, where they alias.
    let facing = clamp(dot(hit.normal, -direction), 0.0, 1.0);
    let fine = clamp(1.2 - 1.2 * width * made.grain, 0.0, 1.0) * smoothstep(0.0, 0.5, facing);
    let tilt = light::bumps(p, made.grain, select(0.0, made.bumps * fine, hit.coverage > 0.0));
    let normal = normalize(hit.normal + tilt);
    return Surface(
        p + 0.012 * hit.normal,
        hit.normal,
        light::Material(
            normal, made.albedo, vec3f(made.f0), made.roughness, made.sheen, made.translucency),
        0.35,
        1.0,
    );
}

/// What the feet do to the ground at p of the world: x = fraction of the sky that they leave,
/// y = height of the prints' relief, zw = its slope.
fn feet_at(p: vec3f) -> vec4f {
    var open = 1.0;
    var relief = vec3f(0.0);
    let q = walk::to_body(body(), p);
    let to_world = body().world_from_body;
    let legs = select(LEGS, 0u, dot(q, q) > extent() * extent() * 1.3);
    for (var leg = 0u; leg < legs; leg++) {
        let at = leg * LEG_VALUES;
        let foot = frame::data(at + 4u).xyz;
        let ankle = frame::data(at + 3u).xyz;
        // The lowest bone as a row of small spheres: a sphere of radius r at distance d hides
        // about r² / d² of the half space.
        let h = sdf::along_segment(q, foot, ankle);
        let gap = q - mix(foot, ankle, h);
        let r = 0.055;
        open *= 1.0 - 0.75 * r * r / (r * r + dot(gap, gap)) * (1.0 - 0.6 * h);
        // A pit with a rim where a foot stands.
        let load = frame::data(at + 2u).w;
        let away = (to_world * (q - foot)).xz;
        let squared = dot(away, away) / 0.0064;
        let fall = load * exp(-squared);
        relief += fall * vec3f(squared - 0.8, away * (3.6 - 2.0 * squared) / 0.0064);
    }
    return vec4f(open, softness() * relief);
}

fn ground_surface(p: vec3f, direction: vec3f, width: f32) -> Surface {
    let relief = terrain::relief(p.xz);
    let footprint = terrain::footprint(width, direction, relief.yz);
    let feet = feet_at(p);
    let slope = relief.yz + feet.zw * exp(-400.0 * footprint * footprint);
    let to_body = body().world_from_body;
    let normal = normalize(vec3f(-slope.x, 1.0, -slope.y)) * to_body;
    return Surface(
        walk::to_body(body(), p),
        normalize(vec3f(-relief.y, 1.0, -relief.z)) * to_body,
        light::Material(normal, ground_albedo(p, footprint), vec3f(0.0), 1.0, 0.35, 0.0),
        1.0,
        feet.x,
    );
}

// Radiance of a surface toward the eye, seen along `direction` (body space) from `distance`.
fn shade(surface: Surface, direction: vec3f, distance: f32) -> vec3f {
    let light_of = sun();
    let world_from_body = body().world_from_body;
    let visibility = rays::visibility_at(
        surface.position, surface.normal, surface.sky_reach, distance,
        rays::DiscLight(light_of.direction, light_of.angle, 12.0));
    let n = world_from_body * surface.material.normal;
    let sunward = 0.5 + 0.5 * dot(n, light_of.direction);
    let low = sky(vec3f(1.0, 0.05, 0.0));
    let irradiance = light::hemisphere(n, 0.75 * sky(vec3f(0.0, 1.0, 0.0)) + 0.25 * low, 0.45 * low)
        + 0.15 * light_of.color * sunward * sunward;
    let reflected = world_from_body * reflect(direction, surface.material.normal);
    let reflection = mix(0.5 * low, sky(reflected), smoothstep(-0.25, 0.15, reflected.y));
    let open = visibility.ambient_occlusion * surface.open;
    return light::shade(
        surface.material,
        direction,
        light::DirectionalLight(light_of.direction * world_from_body, light_of.color),
        visibility.soft_shadow,
        irradiance * open,
        reflection * open,
    );
}

const FAR: f32 = 120.0;

/// The animal on its ground at a pixel, as display values; a scene's `main_image` returns it.
fn main_image(frag_coord: vec2f) -> vec4f {
    let seen = eye();
    rays::body = body();
    let direction = camera::ray_direction(seen, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / seen.focal_length;
    let ray = rays::ray_to_body(seen.position, direction, 0.0, FAR, pixel, extent());
    let found = rays::intersect(ray);
    let hit = found.hit;

    // The animal's coverage of the pixel first, then the ground in the remainder. Few pixels
    // show both, and only those take two iterations.
    let direction_in_body = direction * rays::body.world_from_body;
    let origin_in_body = walk::to_body(rays::body, seen.position);
    let air = sky(normalize(vec3f(direction.x, max(direction.y, 0.0), direction.z)));
    var color = vec3f(0.0);
    var remaining = 1.0;
    var is_ground = hit.coverage <= 0.0;
    for (var layer = 0; layer < 2 && remaining > 0.0; layer++) {
        if is_ground && found.ground >= FAR {
            break;
        }
        let distance = select(hit.distance, found.ground, is_ground);
        let on_animal = origin_in_body + hit.distance * direction_in_body;
        var surface = animal_surface(found, on_animal, direction_in_body, pixel * hit.distance);
        if is_ground {
            surface = ground_surface(
                seen.position + distance * direction, direction, pixel * distance);
        }
        let coverage = select(hit.coverage, 1.0, is_ground) * remaining;
        let radiance = shade(surface, direction_in_body, distance);
        color += coverage * shading::fog(radiance, air, distance, fog_density());
        remaining -= coverage;
        is_ground = true;
    }
    let disc = 6.0 * sun().color * shading::sun_disc(direction, sun().direction);
    color += remaining * (sky(direction) + disc);

    let from_centre = frame::centred(frag_coord) * vec2f(0.42, 0.55);
    color *= 1.0 - 0.30 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(shading::tone_map_aces(exposure() * color)) + dither;
}
