#define_import_path tarsus::pool

#import tarsus::bits
#import tarsus::brute_force
#import tarsus::frame
#import tarsus::land
#import tarsus::lens
#import tarsus::light
#import tarsus::palette
#import tarsus::pebbles
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
    // Bit i stands for step i: the ring of its touch-down, and that of its lift-off.
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

// A lit point, in body space.
struct Lit {
    point: land::ShadingPoint,
    sun: light::DirectionalLight,
    // Factor on the sunlight.
    caustic_gain: f32,
}

fn lit_animal(found: rays::BodyHit, p: vec3f, direction: vec3f, width: f32) -> Lit {
    let sun = land::sunlight;
    let toward = sun.direction * walker::body().world_from_body;
    var point = land::animal_point(found, p, direction, width);
    // Sand and water below are bright: no part of the animal is dark for lack of sky.
    point.sky_reach = select(point.sky_reach, 0.0, water_properties().depth > 0.0);
    return Lit(point, light::DirectionalLight(toward, sun.color), 1.0);
}

// Point of the floor, in world xz, that a ray refracted to `down` at the surface point p
// meets.
fn refracted_floor_point(p: vec3f, down: vec3f) -> vec2f {
    return p.xz - water_properties().depth / min(down.y, -0.2) * down.xz;
}

// Direction of the sunlight in the water.
fn sunward() -> vec3f {
    return refract(-land::sunlight.direction, vec3f(0.0, 1.0, 0.0), REFRACTION);
}

// Floor at p (world xz), lit by light that entered the water at `entry`; `caustic_gain` is
// its caustic.
fn lit_floor(p: vec2f, entry: vec2f, caustic_gain: f32, footprint: f32) -> Lit {
    let sun = land::sunlight;
    let to_body = walker::body().world_from_body;
    let ground = floor_at(p, footprint);
    let normal = ground.normal * to_body;
    let falling = sunward();
    return Lit(
        land::ShadingPoint(
            walk::to_body(walker::body(), vec3f(entry.x, 0.004, entry.y)),
            normal,
            light::Surface(normal, ground.albedo, vec3f(0.0), 1.0, 0.0, 0.0),
            0.0,
            1.0,
            1.0,
        ),
        light::DirectionalLight(-falling * to_body, sun.color * sun.direction.y / -falling.y),
        caustic_gain,
    );
}

// Radiance of a surface toward the camera, seen along `direction` (body space) from
// `distance`.
fn shade(lit: Lit, direction: vec3f, distance: f32, is_floor: bool) -> vec3f {
    let sun = land::sunlight;
    let point = lit.point;
    let to_world = walker::body().world_from_body;
    let visible = rays::visibility_at(
        point.position, point.normal, point.sky_reach, distance,
        rays::DiscLight(sun.direction, sun.angle, 8.0));
    lens::note_normal(to_world * point.surface.normal);
    let above = land::sky_light(to_world * point.surface.normal) * visible.ambient_occlusion;
    let reflected = to_world * reflect(direction, point.surface.normal);
    let reflection = mix(
        land::ground_bounce, land::sky(reflected), smoothstep(-0.25, 0.15, reflected.y));
    return light::shade(
        point.surface,
        direction,
        lit.sun,
        visible.soft_shadow * lit.caustic_gain,
        select(above, water_properties().skylight, is_floor),
        reflection,
    );
}

// Layers of a pixel from front to back, one bit each.
const ANIMAL: u32 = 1u;
const FLOOR: u32 = 2u;
const MIRROR: u32 = 4u;

/// The animal on its pool at a pixel, as display values; to be returned by a scene's
/// `main_image`.
fn main_image(frag_coord: vec2f) -> vec4f {
    return to_display(radiance(frag_coord), frag_coord);
}

/// Display values of a linear colour at a pixel: of `radiance`, or of a processed version
/// of it.
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
    for (var i = select(points, 0, is_water); i < points; i++) {
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
    var reflected = reflect(direction, normal);
    // Rays reflected to the horizon or below it would leave by way of the next wave.
    reflected.y = sqrt(reflected.y * reflected.y + 0.0004 + 0.35 * dot(slope, slope));
    reflected = normalize(reflected);
    let n_dot_v = max(dot(normal, -direction), -0.8 * direction.y);
    let reflectance = mix(water_properties().mirror, 1.0, shading::fresnel(n_dot_v, 0.02));

    // The reflected ray starts `to_water` before the water, so that its width continues;
    // waves spread it. One loop for both rays halves the code that drivers compile.
    let spread = 1.0 + 12.0 * length(slope);
    // Angle by which waves turn reflected rays within a pixel, for waves of typical length:
    // mirror images of thin parts are torn apart and faint.
    let scatter = max(30.0 * length(slope), 3.0 * curvature) * footprint;
    var direct_ray: rays::Ray;
    var mirrored_ray: rays::Ray;
    for (var i = 0; i < 2; i++) {
        mirrored_ray = direct_ray;
        let is_direct = i == 1;
        direct_ray = rays::ray_to_body(
            select(p - to_water * reflected, camera_ray.origin, is_direct),
            select(reflected, direction, is_direct),
            select(to_water, 0.0, is_direct),
            select(2.0 * FAR, to_water + 0.02, is_direct),
            select(spread * pixel, pixel, is_direct),
            walker::extent(),
        );
    }

    // One loop for all layers; most pixels have only one.
    var layers = select(ANIMAL, 0u, rays::is_miss(direct_ray));
    if is_water {
        layers |= select(0u, FLOOR, has_floor)
            | select(MIRROR, 0u, rays::is_miss(mirrored_ray));
    }
    var color = vec3f(0.0);
    var remaining = 1.0;
    var water_color = select(vec3f(0.0), (1.0 - reflectance) * water_properties().deep, is_water);
    var mirror = select(1.0, reflectance, is_water);
    for (; layers != 0u && remaining > 0.0; layers &= layers - 1u) {
        let layer = layers & (~layers + 1u);
        let is_floor = has_floor && layer == FLOOR;
        var ray = direct_ray;
        if layer == MIRROR {
            ray = mirrored_ray;
        }
        if is_floor {
            ray = rays::empty_ray(ray);
        }
        let found = rays::intersect(ray);
        let distance = found.hit.distance;
        let along = select(ray.direction, down, is_floor) * body.world_from_body;
        let on_animal = walk::to_body(body, ray.origin + distance * ray.direction);
        // Loops instead of branches, as in `land`.
        var lit: Lit;
        for (var i = u32(is_floor); i < 1u; i++) {
            lit = lit_animal(found, on_animal, along, ray.pixel * distance);
            // Highlights and bright edges torn apart by waves would flicker.
            let surface = lit.point.surface;
            let is_mirrored = layer == MIRROR;
            lit.point.surface.f0_color = select(surface.f0_color, vec3f(0.0), is_mirrored);
            lit.point.surface.sheen = select(surface.sheen, 0.0, is_mirrored);
        }
        for (var i = u32(!is_floor); i < 1u; i++) {
            lit = lit_floor(refracted_floor_point(p, down), entry, caustic_gain, footprint);
        }
        var coverage = found.hit.coverage;
        if layer == MIRROR && found.on_limb {
            let width = 2.0 * walker::radii(walker::current.index).ankle;
            coverage *= width / max(width, scatter * (distance - to_water));
        }
        let radiance = select(
            vec3f(0.0), shade(lit, along, distance, is_floor), is_floor || coverage > 0.0);
        if is_floor {
            let pool = water_properties();
            let left = exp(-pool.absorption * pool.depth / max(-down.y, 0.2));
            water_color = (1.0 - reflectance) * mix(pool.deep, radiance, left);
        } else if layer == MIRROR {
            water_color += mirror * coverage * radiance;
            mirror *= 1.0 - coverage;
        } else {
            color += coverage * radiance;
            remaining *= 1.0 - coverage;
        }
    }
    let blur = select(pixel, 0.003 + 0.3 * length(slope), is_water);
    let background = water_color
        + mirror * surroundings(select(direction, reflected, is_water), blur);
    var behind = background;
    if is_water {
        behind = land::haze(background, direction, to_water);
    }
    return color + remaining * behind;
}
