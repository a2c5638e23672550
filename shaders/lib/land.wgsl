#define_import_path tarsus::land

#import tarsus::camera
#import tarsus::debug_view
#import tarsus::depth_of_field
#import tarsus::frame
#import tarsus::light
#import tarsus::limb
#import tarsus::palette
#import tarsus::rays
#import tarsus::sdf
#import tarsus::shading
#import tarsus::terrain
#import tarsus::walk
#import tarsus::walker

// Image of an animal (`walker`) that walks over `terrain` in the sun. A scene overrides
// materials, ground, sky and sun as needed, and returns `land::main_image(frag_coord)`.

/// A point on the animal's surface.
struct Point {
    /// Position in body space.
    position: vec3f,
    /// Unit normal in body space.
    normal: vec3f,
    /// True on a leg, false on the trunk.
    on_leg: bool,
    /// Id that `trunk` returned, or the leg's number.
    id: u32,
    /// Position along a leg: 0 to 1 on the femur, 1 to 2 on the tibia, 2 to 3 on the
    /// tarsus.
    along: f32,
    /// Width of a pixel at the point.
    width: f32,
}

/// Material of a surface.
struct Material {
    /// Diffuse reflectance, linear.
    albedo: vec3f,
    /// Specular reflectance at normal incidence; 0 for a matt surface.
    specular: f32,
    /// Perceptual roughness, in (0, 1].
    roughness: f32,
    /// See `light::Surface`.
    sheen: f32,
    translucency: f32,
    /// Slope and frequency of bumps; a slope of 0 disables them.
    bumps: f32,
    grain: f32,
}

/// Matt material: rough, opaque, without highlights or sheen.
fn matte(albedo: vec3f) -> Material {
    return glossy(albedo, 0.0, 1.0);
}

/// Smooth, opaque material without sheen. Set these fields by name afterwards.
fn glossy(albedo: vec3f, specular: f32, roughness: f32) -> Material {
    return Material(albedo, specular, roughness, 0.0, 0.0, 0.0, 38.0);
}

/// Material of the animal at a point. The default is orange, with dark toes; a trunk's part
/// with the id 1 is glossy black, as eyes are.
virtual fn material(point: Point) -> Material {
    if !point.on_leg && point.id == 1u {
        return glossy(vec3f(0.008), 0.04, 0.12);
    }
    let toward_toes = select(0.0, smoothstep(0.6, 2.2, point.along), point.on_leg);
    let color = mix(vec3f(0.62, 0.17, 0.03), vec3f(0.05, 0.02, 0.01), toward_toes);
    var shell = glossy(color, 0.05, 0.35);
    shell.translucency = 0.1;
    shell.bumps = 0.05;
    return shell;
}

/// Final properties of the animal's surface, seen along `direction` (body space):
/// `surface`, or a version with relief and reflection colours that `Material` cannot
/// express.
virtual fn adjust_material(
    surface: light::Surface,
    point: Point,
    direction: vec3f,
) -> light::Surface {
    return surface;
}

/// Point in body space from which shadows and ambient occlusion are traced: that of the surface, or
/// one outside a detail that shadows leave out.
virtual fn shadow_origin(point: Point) -> vec3f {
    return point.position;
}

/// Albedo of the ground at p (world space); `footprint` is the length of ground under a
/// pixel.
virtual fn ground_albedo(p: vec3f, footprint: f32) -> vec3f {
    return vec3f(0.42, 0.29, 0.17);
}

/// Cover of the ground.
struct Ground {
    /// Diffuse reflectance, linear.
    albedo: vec3f,
    /// Slope of the cover's own relief, added to that of the terrain.
    slope: vec2f,
    /// See `light::Surface`.
    sheen: f32,
    /// Fraction of the sunlight that the relief leaves open.
    sunlight: f32,
}

/// Cover of the ground at p (world space); `footprint` as in `ground_albedo`. For a ground
/// without relief, override `ground_albedo` instead.
virtual fn ground(p: vec3f, footprint: f32) -> Ground {
    return Ground(ground_albedo(p, footprint), vec2f(0.0), 0.35, 1.0);
}

/// Point of the cover that a ray along the unit vector `direction` meets, where p is its
/// intersection with the terrain, `width` the width of a pixel there (world space). For
/// deep relief.
virtual fn displace_ground(p: vec3f, direction: vec3f, width: f32) -> vec3f {
    return p;
}

/// Radiance toward the camera of the ground at the point at which `ground` was called last:
/// `radiance`, or a version with glints of the sun, of which the fraction `visible` reaches
/// the ground, or with dust in front.
virtual fn ground_radiance(radiance: vec3f, direction: vec3f, visible: f32) -> vec3f {
    return radiance;
}

/// Softness of the ground: x = depth of a footprint, 0 for none, y = its radius.
virtual fn softness() -> vec2f {
    return vec2f(0.05, 0.12);
}

/// Sunlight of a scene.
struct Sun {
    /// Unit vector toward the sun.
    direction: vec3f,
    /// Angular radius of its disc in radians.
    angle: f32,
    /// Radiance scale, linear.
    color: vec3f,
}

/// The sun. Evaluated once per frame; everything else reads `sunlight`.
virtual fn sun() -> Sun {
    return Sun(vec3f(-0.6062, 0.3420, -0.7180), 0.035, vec3f(3.7, 2.55, 1.45));
}

/// `sun` of the current frame.
var<private> sunlight: Sun;
/// `optics` of the current frame.
var<private> camera_lens: depth_of_field::Optics;
/// Light of the sky overhead, and `bounce`, of the current frame.
var<private> sky_above: vec3f;
var<private> ground_bounce: vec3f;

/// Radiance of the sky in a unit direction, without the sun's disc.
virtual fn sky(direction: vec3f) -> vec3f {
    return shading::sky(direction, sunlight.direction);
}

/// Radiance behind the land in a unit direction: the sky with the sun's disc.
virtual fn backdrop(direction: vec3f) -> vec3f {
    let ahead = -walker::current_camera().world_from_view[2];
    let disc = shading::sun_disc(direction, sunlight.direction, ahead);
    return sky(direction) + 3.0 * sunlight.color * disc;
}

/// Radiance of the ground as light from below on surfaces above it. Evaluated once per
/// frame, like `sun`.
virtual fn bounce() -> vec3f {
    return 0.45 * sky(vec3f(1.0, 0.05, 0.0));
}

/// Irradiance of the sky on a surface with the world-space unit normal n.
virtual fn sky_light(n: vec3f) -> vec3f {
    let sunward = 0.5 + 0.5 * dot(n, sunlight.direction);
    return light::hemisphere(n, sky_above, ground_bounce)
        + 0.15 * sunlight.color * sunward * sunward;
}

/// Fraction of `sky_light` that reaches surfaces from which the animal hides the sky: above 0
/// where bright ground around them returns light.
virtual fn least_skylight() -> f32 {
    return 0.0;
}

override fn walker::renderer_value(index: u32) -> vec4f {
    sunlight = sun();
    switch index {
        case 0u: { return vec4f(sunlight.direction, sunlight.angle); }
        case 1u: { return vec4f(sunlight.color, frame_optics().aperture); }
        case 2u: {
            var above = vec3f(0.0);
            for (var i = 0; i < 2; i++) {
                let is_low = i == 1;
                let toward = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.05, 0.0), is_low);
                above += select(0.75, 0.25, is_low) * sky(toward);
            }
            return vec4f(above, 0.0);
        }
        default: { return vec4f(bounce(), frame_optics().focus); }
    }
}

// The lens at the animal's distance.
fn frame_optics() -> depth_of_field::Optics {
    let to_animal = camera::project(walker::frame_camera, walker::posed_body.position).z;
    return optics(to_animal);
}

/// Reads light and lens of the current frame. Call at every pixel before `sight`.
fn prepare() {
    let direction = walker::read_renderer_value(0u);
    let color = walker::read_renderer_value(1u);
    let below = walker::read_renderer_value(3u);
    sunlight = Sun(direction.xyz, direction.w, color.xyz);
    sky_above = walker::read_renderer_value(2u).xyz;
    ground_bounce = below.xyz;
    camera_lens = depth_of_field::Optics(color.w, max(below.w, 0.1));
}

/// Radiance of a surface at p toward the camera in addition to sun and sky, such as that of
/// lamps or its own emission. p, the surface's normal and the unit view direction
/// `direction` are in world space.
virtual fn lamps(p: vec3f, surface: light::Surface, direction: vec3f) -> vec3f {
    return vec3f(0.0);
}

/// `color` seen past objects in the air, such as lamps or flying grains, along a camera ray
/// of length `distance`; `pixel` is the width of a pixel at distance 1.
virtual fn airborne(color: vec3f, direction: vec3f, distance: f32, pixel: f32) -> vec3f {
    return color;
}

/// `color` seen through the air, along `direction` from `distance`.
virtual fn haze(color: vec3f, direction: vec3f, distance: f32) -> vec3f {
    let air = sky(normalize(vec3f(direction.x, max(direction.y, 0.0), direction.z)));
    return shading::fog(color, air, distance, fog_density());
}

/// Density of the fog: 1 / the distance at which 63 % of the light is lost.
virtual fn fog_density() -> f32 {
    return 0.019;
}

/// Factor on the light before the tone curve.
virtual fn exposure() -> f32 {
    return 0.80;
}

/// Lens of the camera, evaluated once per frame like `sun`; `animal_distance` is the distance
/// of the animal's middle along the view direction.
virtual fn optics(animal_distance: f32) -> depth_of_field::Optics {
    return depth_of_field::Optics(0.0, animal_distance);
}

// ---- Surfaces and light ----------------------------------------------------------

/// A point to be shaded, in body space.
struct ShadingPoint {
    position: vec3f,
    /// Unit normal without fine relief.
    normal: vec3f,
    surface: light::Surface,
    /// Range of the ambient occlusion, and fraction of the sky that feet leave open.
    sky_reach: f32,
    open: f32,
    /// Fraction of the sunlight that the relief leaves open.
    sunlight: f32,
}

fn animal_point(found: rays::BodyHit, p: vec3f, direction: vec3f, width: f32) -> ShadingPoint {
    var hit = found.hit;
    walker::set_current_limb(p, found);
    // Drivers leave out the branch where this is a constant 0.
    if walker::hip_fillet() > 0.0 {
        hit.normal = walker::hip_normal(p, hit.normal, found.on_limb);
    }
    let along = limb::leg_coordinates(p, walker::current.bones).y;
    let id = select(hit.id, walker::current.index, found.on_limb);
    let point = Point(p, hit.normal, found.on_limb, id, along, width);
    let finish = material(point);
    // No bumps at silhouettes, where they alias.
    let facing = clamp(dot(hit.normal, -direction), 0.0, 1.0);
    let fine = clamp(1.2 - 1.2 * width * finish.grain, 0.0, 1.0) * smoothstep(0.0, 0.5, facing);
    let tilt = light::bumps(p, finish.grain, select(0.0, finish.bumps * fine, hit.coverage > 0.0));
    let normal = normalize(hit.normal + tilt);
    let surface = light::Surface(
        normal,
        finish.albedo,
        vec3f(finish.specular),
        finish.roughness,
        finish.sheen,
        finish.translucency,
    );
    return ShadingPoint(
        shadow_origin(point) + 0.012 * hit.normal,
        hit.normal,
        adjust_material(surface, point, direction),
        0.35,
        1.0,
        1.0,
    );
}

// Distance from a foot within which the ground receives less light from the sky.
const FOOTPRINT_RANGE: f32 = 0.8;

/// Effect of the feet on the ground at p (world space): x = fraction of the sky that they
/// leave open, y = darkness of the footprints, 0 to 1, zw = slope of their relief.
fn footprints_at(p: vec3f) -> vec4f {
    var open = 1.0;
    var dark = 0.0;
    var slope = vec2f(0.0);
    let q = walk::to_body(walker::body(), p);
    let to_world = walker::body().world_from_body;
    let reach = walker::extent() + FOOTPRINT_RANGE;
    let soft = softness();
    // The bound is not constant, so that drivers neither unroll the loop nor enter it where
    // no pixel of a group is near.
    let legs = select(0u, walker::LEGS, dot(q, q) < reach * reach);
    for (var leg = 0u; leg < legs; leg++) {
        let foot = walker::foot_of(leg);
        let beside = dot(q - foot, q - foot);
        // The lowest bone as a row of small spheres: a sphere of radius r at distance d hides
        // about r² / d² of the half space.
        let standing = walker::leg_of(leg);
        let gap = sdf::from_segment(q, foot, standing.bones.ankle);
        let r = 0.055;
        let hidden = 0.75 * r * r / (r * r + dot(gap.xyz, gap.xyz)) * (1.0 - 0.6 * gap.w);
        open *= 1.0 - hidden * max(1.0 - beside / (FOOTPRINT_RANGE * FOOTPRINT_RANGE), 0.0);
        // A pit with a rim where a foot stands, dark at its bottom.
        let away = (to_world * (q - foot)).xz;
        let squared = dot(away, away) / (soft.y * soft.y);
        let fall = standing.load * exp(-squared);
        dark = max(dark, fall * fall);
        slope += fall * (3.6 - 2.0 * squared) / (soft.y * soft.y) * away;
    }
    return vec4f(open, dark, soft.x * slope);
}

fn ground_point(p: vec3f, direction: vec3f, width: f32) -> ShadingPoint {
    let shown = displace_ground(p, direction, width);
    let relief = terrain::relief(shown.xz);
    let footprint = terrain::footprint(width, direction, relief.yz);
    let feet = footprints_at(p);
    let cover = ground(shown, footprint);
    let slope = relief.yz + cover.slope + feet.zw * exp(-400.0 * footprint * footprint);
    let to_body = walker::body().world_from_body;
    let normal = normalize(vec3f(-slope.x, 1.0, -slope.y)) * to_body;
    return ShadingPoint(
        walk::to_body(walker::body(), p),
        normalize(vec3f(-relief.y, 1.0, -relief.z)) * to_body,
        light::Surface(normal, cover.albedo, vec3f(0.0), 1.0, cover.sheen, 0.0),
        1.0,
        feet.x * (1.0 - 0.7 * feet.y),
        cover.sunlight * (1.0 - feet.y),
    );
}

// Radiance of a surface toward the camera (rgb), seen along `direction` (body space) from
// `distance`, and visible fraction of the sun (a), 0 where the surface faces away from it.
fn shade(point: ShadingPoint, direction: vec3f, distance: f32) -> vec4f {
    let world_from_body = walker::body().world_from_body;
    let visibility = rays::visibility_at(
        point.position, point.normal, point.sky_reach, distance,
        rays::DiscLight(sunlight.direction, sunlight.angle, 12.0));
    var in_world = point.surface;
    in_world.normal = world_from_body * in_world.normal;
    debug_view::note_normal(in_world.normal);
    let reflected = world_from_body * reflect(direction, point.surface.normal);
    let reflection = mix(ground_bounce, sky(reflected), smoothstep(-0.45, 0.35, reflected.y));
    let open = visibility.ambient_occlusion * point.open;
    let radiance = light::shade(
        point.surface,
        direction,
        light::DirectionalLight(sunlight.direction * world_from_body, sunlight.color),
        visibility.soft_shadow * point.sunlight,
        sky_light(in_world.normal) * mix(least_skylight(), 1.0, open),
        reflection * open,
    ) + point.open * lamps(
        walk::to_world(walker::body(), point.position), in_world, world_from_body * direction);
    let facing_sun = smoothstep(0.0, 0.12, dot(in_world.normal, sunlight.direction));
    return vec4f(radiance, visibility.soft_shadow * facing_sun);
}

/// Camera ray of the current sample at a pixel, through the scene's `optics`.
fn sight(view_camera: camera::Camera, frag_coord: vec2f) -> depth_of_field::Sight {
    return depth_of_field::sight(view_camera, frag_coord, camera_lens);
}

const FAR: f32 = 120.0;

/// Layers of a pixel from front to back: 0 is an edge of the animal, 1 the animal.
struct Layers {
    first: i32,
    /// GROUND_LAYER, or the one before if there is no ground.
    last: i32,
    /// Distance to the ground, and its coverage: partial where a ray that misses the ground
    /// passes a crest within a pixel.
    to_ground: f32,
    ground_coverage: f32,
}

const GROUND_LAYER: i32 = 2;

/// Layers of the pixel whose ray was traced last; `pixel` is the width of a pixel at distance
/// 1.
fn layers_of(found: rays::BodyHit, pixel: f32) -> Layers {
    let crest = clamp(1.0 - terrain::closest.y / (pixel * terrain::closest.x), 0.0, 1.0);
    let is_crest = found.ground >= FAR && found.hit.coverage < 1.0 && crest > 0.0;
    let animal = select(GROUND_LAYER, 1, found.hit.coverage > 0.0);
    let has_ground = found.ground < FAR || is_crest;
    return Layers(
        select(animal, 0, found.edge.coverage > 0.0),
        select(GROUND_LAYER - 1, GROUND_LAYER, has_ground),
        select(found.ground, terrain::closest.x, is_crest),
        select(1.0, crest, is_crest),
    );
}

/// The animal on its ground at a pixel, as display values; to be returned by a scene's
/// `main_image`.
fn main_image(frag_coord: vec2f) -> vec4f {
    return to_display(radiance(frag_coord), frag_coord);
}

/// Display values of a linear colour at a pixel: of `radiance`, or of a processed version
/// of it.
fn to_display(color: vec3f, frag_coord: vec2f) -> vec4f {
    let shaded = color * shading::vignette(frag_coord, vec2f(0.42, 0.55), 0.30);
    return shading::to_display(exposure() * shaded, frag_coord);
}

/// Linear radiance that reaches the camera at a pixel.
fn radiance(frag_coord: vec2f) -> vec3f {
    prepare();
    let view_camera = walker::current_camera();
    rays::body = walker::body();
    let camera_ray = sight(view_camera, frag_coord);
    let direction = camera_ray.direction;
    let pixel = frame::pixel_size() / view_camera.focal_length;
    let ray = rays::ray_to_body(camera_ray.origin, direction, 0.0, FAR, pixel, walker::extent());
    let found = rays::intersect(ray);
    let hit = found.hit;

    // From front to back: an edge of the animal, the animal, and the ground in the remainder.
    // Few pixels show more than one of them, and only those take several iterations.
    let direction_in_body = direction * rays::body.world_from_body;
    let origin_in_body = walk::to_body(rays::body, camera_ray.origin);
    var color = vec3f(0.0);
    var remaining = 1.0;
    let layers = layers_of(found, pixel);
    var ground: ShadingPoint;
    if layers.last == GROUND_LAYER {
        let on_ground = camera_ray.origin + layers.to_ground * direction;
        ground = ground_point(on_ground, direction, pixel * layers.to_ground);
    }
    for (var layer = layers.first; layer <= layers.last && remaining > 0.0; layer++) {
        let is_ground = layer == GROUND_LAYER;
        let shown = rays::layer_of(found, layer == 0);
        let distance = select(shown.hit.distance, layers.to_ground, is_ground);
        let on_animal = origin_in_body + distance * direction_in_body;
        var point = ground;
        if !is_ground {
            point = animal_point(shown, on_animal, direction_in_body, pixel * distance);
        }
        let coverage = select(shown.hit.coverage, layers.ground_coverage, is_ground) * remaining;
        let lit = shade(point, direction_in_body, distance);
        var radiance = lit.rgb;
        if is_ground {
            radiance = ground_radiance(radiance, direction, lit.a);
        }
        color += coverage * haze(radiance, direction, distance);
        remaining -= coverage;
    }
    if remaining > 0.0 {
        color += remaining * backdrop(direction);
    }
    let end = select(found.ground, hit.distance, hit.coverage > 0.5);
    return airborne(color, direction, end, pixel);
}
