// The water strider: six long legs row over a clear pond on a pale morning.
//
// Every standing foot dents the water's surface, and rings spread from where feet touched down
// and lifted off. The dents refract the sunlight: dark discs with bright rims on the sand.
//
// Spaces: the world has x ahead, y up, z right and the water at y = 0; body space has the same
// axes, turned with the body, and its origin in the body's middle. Lengths are in world units.

#import tarsus::bits
#import tarsus::bounds
#import tarsus::brute_force
#import tarsus::camera
#import tarsus::frame
#import tarsus::gait
#import tarsus::ik
#import tarsus::light
#import tarsus::limb
#import tarsus::noise
#import tarsus::palette
#import tarsus::parts
#import tarsus::path
#import tarsus::raymarch
#import tarsus::sdf
#import tarsus::shading
#import tarsus::walk
#import tarsus::rays
#import tarsus::water
#import tarsus::water_strider as strider

// The scene repeats after this time (seconds).
const LOOP_SECONDS: f32 = strider::LOOP_SECONDS;

const TO_SUN: vec3f = vec3f(-0.5298, 0.6623, -0.5298);
const SUN_ANGLE: f32 = 0.03;
const SUN: vec3f = vec3f(2.5, 2.3, 1.95);
const FAR: f32 = 80.0;
// Largest distance from a surface to an object that throws a shadow on it.
const LONGEST_SHADOW: f32 = 8.0;

fn per_frame(index: u32) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    var data = strider::pack_frame_data(strider::frame_data_of(camera_at(time), time));
    return data[index];
}

// ---- The water -----------------------------------------------------------------

const RINGS: water::Rings = water::Rings(0.95, 26.0, 0.75);
const RING_HEIGHT: f32 = 0.022;
const DENT_RADIUS: f32 = 0.155;
const POND_DEPTH: f32 = 0.85;

// Largest distance of a leg's rings from the mean of its last three footholds.
const RINGS_REACH: f32 = 4.6;

// The legs whose rings can reach p of the water, one bit each.
fn legs_near(p: vec2f) -> u32 {
    let q = walk::to_body(strider::animal.body, vec3f(p.x, 0.0, p.y)).xz;
    return rings_bit(0u, q) | rings_bit(1u, q) | rings_bit(2u, q)
        | rings_bit(3u, q) | rings_bit(4u, q) | rings_bit(5u, q);
}

// The leg's bit if its rings can reach q, xz of body space, else 0.
fn rings_bit(leg: u32, q: vec2f) -> u32 {
    // The mean of the last three footholds is one stride behind the neutral position.
    let offset = q - strider::neutral_foot_of(leg) + vec2f(strider::WALK.stride, 0.0);
    return select(0u, 1u << leg, dot(offset, offset) < RINGS_REACH * RINGS_REACH);
}

// The water's surface at one point.
struct Water {
    // x = height, yz = slope.
    shape: vec3f,
    // Sunlight on the floor below, relative to that under level water (caustics).
    gathered: f32,
}

// The surface with the dent of a foot: xyz = position in world space, w = load.
fn dented(water_shape: Water, p: vec2f, foot: vec4f) -> Water {
    let away = p - foot.xz;
    let shape = water_shape.shape + 0.060 * foot.w * water::dent(away, DENT_RADIUS);
    // A dent refracts the light outward: a dark disc with a bright rim.
    let r = length(away) / DENT_RADIUS;
    let disc = 1.0 - smoothstep(1.15, 1.5, r);
    let rim = exp(-16.0 * (r - 1.62) * (r - 1.62));
    return Water(shape, mix(water_shape.gathered, 0.08, foot.w * disc) + 0.9 * foot.w * rim);
}

// The water's surface at p: x = height, yz = slope, w = `gathered`. Waves finer than
// `footprint`, the length of water under a pixel, fade out.
fn water_surface(p: vec2f, footprint: f32, time: f32) -> vec4f {
    let breeze = water::wind(p, time / LOOP_SECONDS, footprint);
    var sum = 0.0018 * breeze;
    // Crests focus the light: a web of caustics on the floor.
    let crest = 1.0 - min(abs(breeze.x + 0.15), 1.0);
    var gathered = 0.72 + 0.75 * crest * crest * crest * crest;
    let fine = RINGS.frequency * footprint;
    let visible = exp(-0.3 * fine * fine);
    // Only legs whose rings can reach p take an iteration.
    for (var legs = legs_near(p); legs != 0u; legs &= legs - 1u) {
        let leg = bits::lowest(legs);
        let rings = water::rings_of_leg(
            p, strider::WALK, strider::phase_of(leg), strider::neutral_foot_of(leg), time, RINGS);
        sum += RING_HEIGHT * visible * rings * vec3f(1.0, RINGS.frequency, RINGS.frequency);
        gathered += 1.3 * rings.x;
    }
    var water_shape = Water(sum, gathered);
    water_shape = dented(water_shape, p, frame::data(0u));
    water_shape = dented(water_shape, p, frame::data(1u));
    water_shape = dented(water_shape, p, frame::data(2u));
    water_shape = dented(water_shape, p, frame::data(3u));
    water_shape = dented(water_shape, p, frame::data(4u));
    water_shape = dented(water_shape, p, frame::data(5u));
    return vec4f(water_shape.shape, max(water_shape.gathered, 0.05));
}

// Albedo of the pond's floor at p, xz of the world: sand with pebbles. Grains finer than
// `footprint` fade out.
fn floor_albedo(p: vec2f, footprint: f32) -> vec3f {
    let large = noise::value_noise(p * 0.5, 15u, 3u).x;
    let middle = noise::value_noise(p * 4.0, 127u, 4u).x;
    let grain = noise::value_noise(p * 32.0, 1023u, 5u).x * exp(-400.0 * footprint * footprint);
    var albedo = mix(vec3f(0.26, 0.31, 0.24), vec3f(0.54, 0.50, 0.36), 0.5 + 0.5 * large);
    albedo *= 1.0 + 0.14 * middle + 0.16 * grain;
    // At most one pebble to a cell.
    let cell = floor(p * 2.0);
    let repeated = vec2i(cell) & vec2i(63);
    let random = noise::random_of(bitcast<u32>(repeated.x) * 64u + bitcast<u32>(repeated.y));
    let from_pebble = p * 2.0 - cell - (0.3 + 0.4 * random.xy);
    let size = 0.10 + 0.17 * random.z;
    // Their density varies with the sand's colour.
    let some = step(0.85 - 0.4 * large, random.w);
    let stretched = length(from_pebble * vec2f(1.0, 1.0 + random.x)) / size;
    let pebble = (1.0 - smoothstep(0.92, 1.0 + 3.0 * footprint / size, stretched)) * some;
    let stone = mix(vec3f(0.16, 0.17, 0.15), vec3f(0.50, 0.44, 0.36), fract(7.0 * random.w));
    let shade = 1.0 - 0.55 * (1.0 - smoothstep(0.9, 1.55, stretched)) * some;
    let dome = 1.15 - 0.5 * stretched * stretched + 0.5 * dot(from_pebble, TO_SUN.xz) / size;
    return mix(albedo * shade, stone * clamp(dome, 0.25, 1.5), pebble);
}

// ---- Light ---------------------------------------------------------------------

// Colour of the haze over the water.
const HAZE: vec3f = vec3f(1.0, 0.92, 0.80);

// Radiance of the morning sky in a unit direction: hazy, bright toward the sun.
fn sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let toward = max(dot(direction, TO_SUN), 0.0);
    let air = mix(vec3f(0.40, 0.58, 0.78), vec3f(0.92, 0.88, 0.82), exp(-3.2 * up));
    // Trees on the far shore hide the lowest part of the sky.
    let angle = atan2(direction.z, direction.x) / path::TAU;
    let tops = 0.30 + 0.09 * noise::value_noise(vec2f(32.0 * angle, 0.0), 31u, 8u).x
        + 0.03 * noise::value_noise(vec2f(256.0 * angle, 0.0), 255u, 9u).x;
    let trees = mix(HAZE, vec3f(0.11, 0.19, 0.14), smoothstep(0.0, 0.22, up));
    let reeds = mix(trees, air, smoothstep(tops - 0.03, tops + 0.05, up));
    return reeds + vec3f(1.0, 0.85, 0.62) * (0.35 * pow(toward, 8.0) + 5.0 * pow(toward, 500.0));
}

const LIGHT: rays::DiscLight = rays::DiscLight(TO_SUN, SUN_ANGLE, LONGEST_SHADOW);

// A refracted ray in the water.
struct Below {
    // Its point on the pond's floor, in world space.
    floor: vec3f,
    // Length of the ray in the water.
    path_length: f32,
    // Point of the surface at which the sunlight that falls there enters, xz of the world.
    entry: vec2f,
}

// The ray that meets the water at p along the unit vector `direction`, refracted at `normal`.
fn below(p: vec3f, direction: vec3f, normal: vec3f) -> Below {
    let down = refract(direction, normal, 0.75);
    let path_length = POND_DEPTH / max(-down.y, 0.2);
    let floor = p + path_length * down;
    let sunward = refract(-TO_SUN, vec3f(0.0, 1.0, 0.0), 0.75);
    return Below(floor, path_length, floor.xz + POND_DEPTH / sunward.y * sunward.xz);
}

// Radiance of the pond's floor; `visibility` is the fraction of the sun that the animal does
// not hide.
fn shade_floor(below_water: Below, visibility: f32, footprint: f32, time: f32) -> vec3f {
    let gathered = water_surface(below_water.entry, footprint, time).w;
    let albedo = floor_albedo(below_water.floor.xz, footprint);
    let lit = albedo * (0.62 * SUN * visibility * gathered + vec3f(0.36, 0.44, 0.46));
    // Water absorbs red most.
    return mix(
        vec3f(0.05, 0.20, 0.21), lit, exp(-vec3f(0.62, 0.26, 0.30) * below_water.path_length));
}

// Radiance of the animal at the hit point q of body space, seen along `direction` (world
// space); `visibility` is the fraction of the sun that is not hidden.
fn shade_animal(
    hit: raymarch::Hit,
    q: vec3f,
    direction: vec3f,
    visibility: f32,
    on_leg: bool,
) -> vec3f {
    let material = strider::animal_material(q, strider::animal.body.world_from_body * hit.normal, on_leg);
    // The light from below is that of the sand.
    let irradiance = light::hemisphere(
        material.normal, vec3f(0.52, 0.60, 0.68), vec3f(0.30, 0.30, 0.24));
    let reflection = sky(reflect(direction, material.normal));
    return light::shade(
        material,
        direction,
        light::DirectionalLight(TO_SUN, SUN),
        visibility,
        irradiance,
        reflection,
    );
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32) -> camera::Camera {
    let w = path::TAU / LOOP_SECONDS * time;
    let path_point = path::point_at(strider::WALK.stride * time / strider::WALK.period);
    let yaw = 0.98 + 0.30 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.30 + 0.05 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.08, 1.4);
    let middle = vec3f(path_point.x - 0.1, 0.12, path_point.y);
    return camera::orbit(
        middle, yaw, pitch, 7.0 / frame::frame.orbit.z, 0.275 * frame::widened(1.4));
}

#ifdef REFERENCE

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return p.y;
}

#endif

// Layers of a pixel from front to back, one bit each.
const ANIMAL: u32 = 1u;
const FLOOR: u32 = 2u;
const MIRROR: u32 = 4u;

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let eye = strider::unpack_camera();
    strider::animal = strider::unpack_animal();
    rays::body = strider::animal.body;
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    let to_water = water::trace(eye.position, direction, 0.0, FAR);
    let is_water = to_water < FAR;
    let p = eye.position + to_water * direction;
    let footprint = pixel * to_water / max(-direction.y, 0.05);
    let wave = water_surface(p.xz, footprint, time);
    let normal = normalize(vec3f(-wave.y, 1.0, -wave.z));
    var reflected = reflect(direction, normal);
    reflected.y = max(reflected.y, 0.01);
    reflected = normalize(reflected);
    let below_water = below(p, direction, normal);
    // Weights of the light from the water: transmittance of the haze, Fresnel reflectance.
    let transmittance = select(1.0, exp(-0.0016 * to_water * to_water), is_water);
    let reflectance = select(1.0, shading::fresnel(dot(normal, -direction), 0.02), is_water);

    // The reflected ray starts `to_water` before the water, so that its width continues.
    // One loop for both: half the code for drivers to compile.
    var direct_ray: rays::Ray;
    var mirrored_ray: rays::Ray;
    for (var i = 0; i < 2; i++) {
        mirrored_ray = direct_ray;
        let is_direct = i == 1;
        direct_ray = rays::ray_to_body(
            select(p - to_water * reflected, eye.position, is_direct),
            select(reflected, direction, is_direct),
            select(to_water, 0.0, is_direct),
            select(2.0 * FAR, to_water + 0.02, is_direct),
            pixel,
            strider::EXTENT,
        );
    }

    // One loop for all layers, of which most pixels have one.
    var layers = select(ANIMAL, 0u, rays::is_miss(direct_ray));
    if is_water {
        layers |= FLOOR | select(MIRROR, 0u, rays::is_miss(mirrored_ray));
    }
    var color = vec3f(0.0);
    var remaining = 1.0;
    var reflection_remaining = transmittance * reflectance;
    for (; layers != 0u && remaining > 0.0; layers &= layers - 1u) {
        let layer = layers & (~layers + 1u);
        let is_floor = layer == FLOOR;
        var ray = direct_ray;
        if layer == MIRROR {
            ray = mirrored_ray;
        }
        if is_floor {
            ray = rays::miss(ray);
        }
        let body_hit = rays::intersect(ray);
        let hit = body_hit.hit;
        let q = walk::to_body(strider::animal.body, ray.origin + hit.distance * ray.direction);
        let entry_in_body = walk::to_body(
            strider::animal.body, vec3f(below_water.entry.x, 0.004, below_water.entry.y));
        let shaded_point = select(q + 0.012 * hit.normal, entry_in_body, is_floor);
        let visibility = rays::visibility_at(
            shaded_point, hit.normal, 0.0, hit.distance, LIGHT).soft_shadow;
        if is_floor {
            color += remaining * transmittance * (1.0 - reflectance)
                * shade_floor(below_water, visibility, footprint, time);
            continue;
        }
        let radiance = hit.coverage * shade_animal(hit, q, ray.direction, visibility, body_hit.on_limb);
        if layer == MIRROR {
            color += remaining * reflection_remaining * radiance;
            reflection_remaining *= 1.0 - hit.coverage;
        } else {
            color += remaining * radiance;
            remaining *= 1.0 - hit.coverage;
        }
    }
    let background = sky(select(direction, reflected, is_water));
    color += remaining * (reflection_remaining * background + (1.0 - transmittance) * HAZE);

    let from_centre = frame::centred(frag_coord) * vec2f(0.40, 0.55);
    color *= 1.0 - 0.22 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(shading::tone_map_aces(0.72 * color)) + dither;
}
