#define_import_path tarsus::pool

#import tarsus::bits
#import tarsus::bounds
#import tarsus::brute_force
#import tarsus::debug_view
#import tarsus::frame
#import tarsus::land
#import tarsus::light
#import tarsus::pebbles
#import tarsus::raymarch
#import tarsus::rays
#import tarsus::shading
#import tarsus::walk
#import tarsus::walker
#import tarsus::water

// Image of an animal (`walker`) that walks over clear shallow water, level at y = 0: the
// animal, its mirror image, and the floor with the animal's shadow and the caustics of the
// waves. A scene overrides the water in this module, and animal, sun, sky and air in
// `land`; it returns `pool::main_image(frag_coord)`.

/// Water of a pool.
struct Water {
    /// Depth of the floor below the surface; 0 if the water hides its floor.
    depth: f32,
    /// Radiance of water without a floor.
    deep: vec3f,
    /// Absorption coefficient per unit of length.
    absorption: vec3f,
    /// Irradiance of the sky on the floor.
    skylight: vec3f,
    /// Minimum reflectance of the surface; 0 for clear water.
    mirror: f32,
}

/// Water of the pool.
virtual fn water_properties() -> Water {
    return Water(0.85, vec3f(0.03, 0.12, 0.13), vec3f(0.62, 0.26, 0.30), vec3f(0.15, 0.21, 0.26), 0.0);
}

/// Slope that bends the animal's mirror image where the water has the slope `slope`. The
/// default reduces it over a floor, steep slopes most: waves would tear the image into pieces.
virtual fn image_slope(slope: vec2f) -> vec2f {
    let limit = 24.0 + length(slope) / IMAGE_SLOPE;
    return select(slope, slope / limit, water_properties().depth > 0.0);
}

/// Softness of the animal's mirror image, 0 to 1: blurs edges and shadows, broadens highlights
/// and lets some sky through.
virtual fn image_softness() -> f32 {
    return select(0.0, 0.8, water_properties().depth > 0.0);
}

/// Gloss and sheen of the animal's mirror image, relative to the animal's own.
virtual fn image_gloss() -> f32 {
    return 0.0;
}

/// Slope of ripples smaller than a pixel: they lift and blur the reflection of the shore.
virtual fn unseen_slope() -> f32 {
    return 0.02;
}

/// Surface of the water at one point.
struct WaterPoint {
    slope: vec2f,
    /// Sunlight on the floor that enters at this point, relative to that under level water.
    caustic: f32,
    /// Largest curvature, if it is known: change of the slope per unit of length.
    curvature: f32,
}

/// Surface at p (world xz): its slope or, for a point where light enters (`is_entry`), its
/// caustic. `width` is the width of a pixel there, across the ray, and `footprint` the
/// length of water under it; finer detail fades.
virtual fn surface_at(p: vec2f, width: f32, footprint: f32, is_entry: bool) -> WaterPoint {
    return WaterPoint(vec2f(0.0), 1.0, 0.0);
}

/// Sum at p (world xz) of the rings of past steps (`walker::past_step`), which must be the
/// first `steps` (at most 32) of the scene's own values: x = height, yz = slope, in the
/// units of `water::ring`.
fn rings_of_steps(p: vec2f, steps: u32, rings: water::Rings) -> vec3f {
    // One bit per step: its touch-down has a ring here, and its lift-off.
    var down = 0u;
    var up = 0u;
    for (var i = 0u; i < steps; i++) {
        let past = walker::read_scene_value(i);
        let d = distance(p, past.xy);
        down |= select(0u, 1u << i, water::ring_reaches(d, past.z, rings));
        up |= select(0u, 1u << i, water::ring_reaches(d, past.w, rings));
    }
    var sum = vec3f(0.0);
    while (down | up) != 0u {
        let is_down = down != 0u;
        let past = walker::read_scene_value(bits::lowest(select(up, down, is_down)));
        let ring = water::ring(p - past.xy, select(past.w, past.z, is_down), rings);
        sum += select(water::LIFTED, 1.0, is_down) * ring;
        up &= select(up - 1u, up, is_down);
        down &= select(0u, down - 1u, is_down);
    }
    return sum;
}

/// Floating objects, such as leaves, at p (world xz): rgb = radiance, a = coverage. `width` and
/// `footprint` as in `surface_at`.
virtual fn floating_at(p: vec2f, width: f32, footprint: f32) -> vec4f {
    return vec4f(0.0);
}

/// Floor at p, in world xz.
virtual fn floor_at(p: vec2f, footprint: f32) -> pebbles::Floor {
    return pebbles::floor_at(p, footprint);
}

/// Radiance of everything beyond the water in a unit direction; `blur` is the angle that a
/// pixel subtends.
virtual fn surroundings(direction: vec3f, blur: f32) -> vec3f {
    return land::backdrop(direction);
}

override fn rays::intersect_ground(origin: vec3f, direction: vec3f, end: f32) -> f32 {
    return end;
}

override fn rays::ground_shadow_clearance(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    return 1.0;
}

#ifdef REFERENCE

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return p.y;
}

#endif

const FAR: f32 = 4000.0;
/// Refractive index of air divided by that of water.
const REFRACTION: f32 = 0.75;
const SHADOW_DISTANCE: f32 = 8.0;
// Angular radius of the sun for shadows on the floor: waves blur them.
const FLOOR_PENUMBRA: f32 = 0.12;
// Minimum opacity of the animal's mirror image over a floor: a fainter image would be lost among
// pebbles.
const IMAGE_SHARE: f32 = 0.78;
// Largest slope that bends the animal's mirror image over a floor.
const IMAGE_SLOPE: f32 = 0.003;

// Point of the floor, in world xz, that a ray refracted to `down` at the surface point p meets.
fn refracted_floor_point(p: vec3f, down: vec3f) -> vec2f {
    return p.xz - water_properties().depth / min(down.y, -0.2) * down.xz;
}

// Direction of the sunlight in the water.
fn sunward() -> vec3f {
    return refract(-land::sunlight.direction, vec3f(0.0, 1.0, 0.0), REFRACTION);
}

// Visible fraction of the sun at the surface point p (world xz). Only the trunk casts a shadow
// on the floor: those of the legs would be lost among their mirror images.
fn trunk_shadow(p: vec2f) -> f32 {
    let start = walk::to_body(walker::body(), vec3f(p.x, 0.004, p.y));
    let to_sun = land::sunlight.direction * walker::body().world_from_body;
    rays::is_secondary_ray = true;
#ifdef REFERENCE
    let span = bounds::Span(0.02, SHADOW_DISTANCE);
#else
    let span = rays::shadow_candidates(start, to_sun, 3.0 * FLOOR_PENUMBRA).trunk;
#endif
    let visible = raymarch::soft_shadow(
        start, to_sun, max(0.02, span.t_near), min(span.t_far, SHADOW_DISTANCE), FLOOR_PENUMBRA);
    rays::is_secondary_ray = false;
    return visible;
}

// Radiance of the floor at p (world xz), lit by light that entered the water at `entry`;
// `caustic` is its caustic.
fn floor_radiance(p: vec2f, entry: vec2f, caustic: f32, footprint: f32) -> vec3f {
    let sun = land::sunlight;
    let falling = sunward();
    let ground = floor_at(p, footprint);
    let lambert = max(dot(ground.normal, -falling), 0.0) * sun.direction.y / -falling.y;
    let direct = lambert * caustic * mix(0.3, 1.0, trunk_shadow(entry));
    return ground.albedo * (direct * sun.color + water_properties().skylight);
}

// Radiance of the animal toward the camera at p, seen along `direction` (body space) from
// `distance`. A mirror image has no sharp highlights: torn apart by waves, they would flicker.
fn animal_radiance(
    found: rays::BodyHit,
    p: vec3f,
    direction: vec3f,
    distance: f32,
    pixel: f32,
    is_mirrored: bool,
) -> vec3f {
    let sun = land::sunlight;
    let to_world = walker::body().world_from_body;
    var point = land::animal_point(found, p, direction, pixel * distance);
    // Sand and water below are bright: no part of the animal is dark for lack of sky.
    point.sky_reach = select(point.sky_reach, 0.0, water_properties().depth > 0.0);
    var surface = point.surface;
    let gloss = select(1.0, image_gloss(), is_mirrored);
    surface.f0_color *= gloss;
    surface.sheen *= gloss;
    surface.roughness = max(surface.roughness, select(0.0, min(0.5 + image_softness(), 1.0), is_mirrored));
    let sun_angle = sun.angle + select(0.0, 0.2 * image_softness(), is_mirrored);
    let visible = rays::visibility_at(
        point.position, point.normal, point.sky_reach, distance,
        rays::DiscLight(sun.direction, sun_angle, SHADOW_DISTANCE));
    let normal = to_world * surface.normal;
    debug_view::note_normal(normal);
    let reflected = to_world * reflect(direction, surface.normal);
    let reflection = mix(
        land::ground_bounce, land::sky(reflected), smoothstep(-0.25, 0.15, reflected.y));
    let sunlight = light::DirectionalLight(sun.direction * to_world, sun.color);
    let ambient = land::sky_light(normal) * visible.ambient_occlusion;
    return light::shade(surface, direction, sunlight, visible.soft_shadow, ambient, reflection);
}

// Layers of a pixel from front to back, one bit each.
const ANIMAL: u32 = 1u;
const MIRROR: u32 = 2u;

/// The animal on its pool at a pixel, as display values; to be returned by a scene's `main_image`.
fn main_image(frag_coord: vec2f) -> vec4f {
    return to_display(radiance(frag_coord), frag_coord);
}

/// Display values of a linear colour at a pixel: of `radiance`, or of a processed version of it.
fn to_display(color: vec3f, frag_coord: vec2f) -> vec4f {
    let shaded = color * shading::vignette(frag_coord, vec2f(0.40, 0.55), 0.22);
    return shading::to_display(land::exposure() * shaded, frag_coord);
}

/// Linear radiance that reaches the camera at a pixel.
fn radiance(frag_coord: vec2f) -> vec3f {
    land::prepare();
    let view_camera = walker::current_camera();
    let body = walker::body();
    rays::body = body;
    let camera_ray = land::sight(view_camera, frag_coord);
    let direction = camera_ray.direction;
    let pixel = frame::pixel_size() / view_camera.focal_length;

    let to_water = water::trace(camera_ray.origin, direction, 0.0, FAR);
    let is_water = to_water < FAR;
    let p = camera_ray.origin + to_water * direction;
    let width = pixel * to_water;
    let footprint = width / max(-direction.y, 0.05);
    // The surface where the ray meets it, and where the light on the floor behind it
    // entered. One loop for both halves the code that drivers compile.
    var slope = vec2f(0.0);
    var caustic_gain = 1.0;
    var curvature = 0.0;
    var normal = vec3f(0.0, 1.0, 0.0);
    var down = -normal;
    var entry = p.xz;
    let has_floor = water_properties().depth > 0.0;
    let points = select(1, 2, has_floor);
    if is_water {
        for (var i = 0; i < points; i++) {
            let sample = surface_at(entry, width, footprint, i == 1);
            caustic_gain = sample.caustic;
            if i == 0 {
                slope = sample.slope;
                curvature = sample.curvature;
                let tilted = normalize(vec3f(-slope.x, 1.0, -slope.y));
                // Water that faces away is hidden by the wave in front of it: its normal is
                // turned back toward the camera.
                let facing = max(min(0.10, -0.6 * direction.y) - dot(tilted, -direction), 0.0);
                normal = normalize(tilted - facing * direction);
                if has_floor {
                    down = refract(direction, normal, REFRACTION);
                    let falling = sunward();
                    entry = refracted_floor_point(p, down)
                        + water_properties().depth / falling.y * falling.xz;
                }
            }
        }
    }
    var reflected = reflect(direction, normal);
    // Rays reflected to the horizon or below it would leave by way of the next wave.
    reflected.y = sqrt(
        reflected.y * reflected.y + unseen_slope() * unseen_slope() + 0.35 * dot(slope, slope));
    reflected = normalize(reflected);
    // Width of the floor that a dent shows in a pixel.
    let on_floor = (1.0 + curvature) * footprint;
    var toward_image = reflected;
    let bend = image_slope(slope);
    if any(bend != slope) {
        curvature = 0.0;
        let image_normal = normalize(vec3f(-bend.x, 1.0, -bend.y));
        toward_image = reflect(direction, image_normal);
    }
    let n_dot_v = max(dot(normal, -direction), -0.8 * direction.y);
    let reflectance = mix(water_properties().mirror, 1.0, shading::fresnel(n_dot_v, 0.02));

    // The reflected ray starts `to_water` before the water, so that its width continues;
    // waves spread it. One loop for both rays halves the code that drivers compile; it begins
    // with the second one where there is no water.
    let spread = 1.0 + image_softness() + 12.0 * length(bend);
    // Angle by which waves turn reflected rays within a pixel, for waves of typical length:
    // mirror images of thin parts are torn apart and faint.
    let scatter = max(30.0 * length(bend), 3.0 * curvature) * footprint;
    var direct_ray: rays::Ray;
    var mirrored_ray: rays::Ray;
    for (var i = select(1, 0, is_water); i < 2; i++) {
        mirrored_ray = direct_ray;
        let is_direct = i == 1;
        direct_ray = rays::ray_to_body(
            select(p - to_water * toward_image, camera_ray.origin, is_direct),
            select(toward_image, direction, is_direct),
            select(to_water, 0.0, is_direct),
            select(2.0 * FAR, to_water + 0.02, is_direct),
            select(spread * pixel, pixel, is_direct),
            walker::extent(),
        );
    }

    var water_color = select(vec3f(0.0), (1.0 - reflectance) * water_properties().deep, is_water);
    if has_floor && is_water {
        let pool = water_properties();
        let left = exp(-pool.absorption * pool.depth / max(-down.y, 0.2));
        let radiance =
            floor_radiance(refracted_floor_point(p, down), entry, caustic_gain, on_floor);
        water_color = (1.0 - reflectance) * mix(pool.deep, radiance, left);
    }

    // One loop for both layers; most pixels have none.
    var layers = select(ANIMAL, 0u, rays::is_miss(direct_ray))
        | select(0u, MIRROR, is_water && !rays::is_miss(mirrored_ray));
    var color = vec3f(0.0);
    var remaining = 1.0;
    var mirror = select(1.0, reflectance, is_water);
    for (; layers != 0u && remaining > 0.0; layers &= layers - 1u) {
        let is_mirrored = (layers & ANIMAL) == 0u;
        var ray = direct_ray;
        if is_mirrored {
            ray = mirrored_ray;
        }
        let found = rays::intersect(ray);
        // Two layers: an edge of the animal, then the surface behind it. Edges are
        // hard to see in the reflection, and two legs rarely cross.
        let has_edge = walker::LEGS > 2u && !is_mirrored && found.edge.coverage > 0.0;
        for (var hit = select(1, 0, has_edge); hit < 2; hit++) {
            let shown = rays::layer_of(found, has_edge && hit == 0);
            let distance = shown.hit.distance;
            let lost = select(0.0, 0.2 * image_softness(), is_mirrored);
            var coverage = (1.0 - lost) * shown.hit.coverage;
            if is_mirrored && shown.on_limb {
                let width = 2.0 * walker::radii(shown.part).ankle;
                coverage *= width / max(width, scatter * (distance - to_water));
            }
            var radiance = vec3f(0.0);
            if coverage > 0.0 {
                let along = ray.direction * body.world_from_body;
                let on_animal = walk::to_body(body, ray.origin + distance * ray.direction);
                radiance =
                    animal_radiance(shown, on_animal, along, distance, ray.pixel, is_mirrored);
            }
            if is_mirrored {
                let share = coverage * max(mirror, select(0.0, IMAGE_SHARE, has_floor));
                water_color *= 1.0 - select(0.0, share, has_floor);
                water_color += share * radiance;
                mirror *= 1.0 - coverage;
            } else {
                color += remaining * coverage * radiance;
                remaining *= 1.0 - coverage;
            }
        }
    }
    // Ripples smaller than a pixel blur the reflection of the shore, most at a distance.
    let unseen = select(0.0, min(5e-5 * to_water / max(-direction.y, 0.01), 0.004), has_floor);
    let blur = select(pixel, 0.15 * unseen_slope() + unseen + 0.3 * length(slope), is_water);
    let background = water_color
        + mirror * surroundings(select(direction, reflected, is_water), blur);
    var behind = background;
    if is_water {
        let leaf = floating_at(p.xz, width, footprint);
        behind = mix(behind, leaf.rgb, leaf.a);
        behind = land::haze(behind, direction, to_water);
    }
    return color + remaining * behind;
}
