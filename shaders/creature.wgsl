// The walking creature: a six-legged insect crosses dunes without end.
//
// Nothing is stored between frames: feet and body follow from time (insect), once per picture.
// Every pixel solves the legs from the feet and traces its ray against the animal and the
// ground (rays, raymarch, terrain).
//
// Spaces: the world has x ahead, y up, z right; body space has the same axes, turned with the
// body, and its origin in the body's middle. Lengths are in world units.

#import tarsus::bits
#import tarsus::brute_force
#import tarsus::camera
#import tarsus::frame
#import tarsus::insect::{
    CLEARANCE, LEGS, LENGTHS, NO_REACH, Reach, WALK, animal, foot_at, frame_data_of, hip_of,
    neutral_foot_of, pack_frame_data, phase_of, pose_at, unpack_animal, unpack_camera,
}
#import tarsus::insect_shape
#import tarsus::insect_skin::{SurfacePoint, chitin_at}
#import tarsus::light
#import tarsus::noise
#import tarsus::palette
#import tarsus::path
#import tarsus::shading
#import tarsus::terrain
#import tarsus::walk
#import tarsus::rays

// The scene repeats after this time (seconds): 25 strides along one period of the path.
const LOOP_SECONDS: f32 = 24.0;

const TO_SUN: vec3f = vec3f(-0.6062, 0.3420, -0.7180);
const SUN_ANGLE: f32 = 0.035;
const SUN: vec3f = vec3f(3.7, 2.55, 1.45);
const FAR: f32 = 120.0;
// Largest distance from a surface to an object that throws a shadow on it.
const LONGEST_SHADOW: f32 = 12.0;

// ---- Reaching for the pointer -------------------------------------------------

// Seconds from the press until the foot is on the target, and from the release until it is
// back in its gait.
const REACH_OUT: f32 = 0.45;
const REACH_BACK: f32 = 0.6;

// Quintic smoothstep.
fn eased(x: f32) -> f32 {
    let t = clamp(x, 0.0, 1.0);
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

// Weight of the reach from the ages of the last press and release alone. After a press
// shorter than REACH_OUT it returns from the weight that it had.
fn reach_weight() -> f32 {
    let pressed = frame::frame.press_age;
    let released = frame::frame.release_age;
    if pressed >= frame::NEVER {
        return 0.0;
    }
    if released < pressed {
        return eased((pressed - released) / REACH_OUT) * (1.0 - eased(released / REACH_BACK));
    }
    // Pressed again during the return.
    let left_over = 1.0 - eased((released - pressed) / REACH_BACK);
    return mix(left_over, 1.0, eased(pressed / REACH_OUT));
}

// The point of the world under a pixel: on the ground near the animal, on the plane through
// the body that faces the camera elsewhere.
fn point_under(pixel: vec2f, eye: camera::Camera, body: walk::Body) -> vec3f {
    let direction = camera::ray_direction(eye, frame::centred(pixel));
    let facing = eye.world_from_view[2];
    let to_plane = dot(body.position - eye.position, facing) / min(dot(direction, facing), -0.1);
    let to_ground = terrain::trace(eye.position, direction, 40.0);
    let away = distance(eye.position + to_ground * direction, body.position);
    let t = mix(to_ground, to_plane, smoothstep(2.3, 3.4, away));
    return eye.position + t * direction;
}

fn reach_at(eye: camera::Camera, body: walk::Body) -> Reach {
    let weight = reach_weight();
    if weight <= 0.0 {
        return NO_REACH;
    }
    // The side of the press decides on the leg, so that a drag does not change it.
    let pressed_at = camera::ray_direction(eye, frame::centred(abs(frame::frame.mouse.zw)));
    let middle = body.position + 0.9 * body.world_from_body[0] - eye.position;
    let offset = pressed_at * dot(middle, middle) / max(dot(middle, pressed_at), 0.1) - middle;
    let leg = select(0u, 3u, dot(offset, body.world_from_body[2]) > 0.0);
    return Reach(weight, leg, point_under(frame::frame.mouse.xy, eye, body));
}

fn per_frame(index: u32) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let pose = pose_at(time);
    let eye = camera_at(time, pose.body);
    var data = pack_frame_data(frame_data_of(pose, eye, reach_at(eye, pose.body), time));
    return data[index];
}

// ---- Surfaces ------------------------------------------------------------------

// Wind ripples at p of the ground: x = height in [-1, 1], yz = slope. A sine wave with a phase
// warped by noise. It repeats with the ground every 32 in x: 124 waves, noise of 16 cells.
fn ripples(p: vec2f) -> vec3f {
    let warp = noise::value_noise(p * 0.5, 15u, 11u);
    let wave = vec2f(124.0 * path::TAU / path::PERIOD, 8.84);
    let phase = dot(wave, p) + 5.5 * warp.x;
    let slope = (wave + 5.5 * 0.5 * warp.yz) * cos(phase);
    return vec3f(sin(phase), slope);
}

// The legs whose footprints can be at p, one bit each.
fn tracks_near(p: vec2f) -> u32 {
    let path_offset = p.y - path::point_at(p.x).y;
    return track_bit(0u, path_offset) | track_bit(1u, path_offset) | track_bit(2u, path_offset)
        | track_bit(3u, path_offset) | track_bit(4u, path_offset) | track_bit(5u, path_offset);
}

// The leg's bit if its footprints can be at `path_offset` beside the path, else 0.
fn track_bit(leg: u32, path_offset: f32) -> u32 {
    return select(0u, 1u << leg, abs(path_offset - neutral_foot_of(leg).y) < 0.5);
}

// Footprints at p: x = depth in [0, 1], yz = slope. Footholds have equal distances along the
// path, so the nearest one is found by rounding.
fn footprints(p: vec2f, time: f32) -> vec3f {
    var prints = vec3f(0.0);
    for (var tracks = tracks_near(p); tracks != 0u; tracks &= tracks - 1u) {
        let leg = bits::lowest(tracks);
        let neutral_foot = neutral_foot_of(leg);
        let phase = phase_of(leg);
        let index = round((p.x - neutral_foot.x) / WALK.stride + phase - 0.5 * WALK.duty);
        let age = (floor(time / WALK.period + phase) - index) / 16.0;
        let away = p - walk::foothold(WALK, phase, neutral_foot, index);
        let squared = dot(away, away) / (0.10 * 0.10);
        if age >= 0.0 && age < 1.0 && squared < 6.0 {
            // A pit with a low rim, which fades with its age.
            let fall = exp(-squared) * (1.0 - age * age);
            prints += vec3f(fall, fall * (1.0 - 0.55 * squared) * away * -14.0);
        }
    }
    return prints;
}

// The ground at p of the world, seen along `direction` by a pixel that is `width` wide there.
fn sand_at(p: vec3f, direction: vec3f, width: f32, time: f32) -> SurfacePoint {
    let relief = terrain::relief(p.xz);
    let footprint = terrain::footprint(width, direction, relief.yz);
    let tone = noise::value_noise(p.xz * 0.25, 7u, 5u).x;
    // Relief finer than a pixel fades to its mean, else it would flicker.
    let near = exp(-60.0 * footprint * footprint);
    var slope = relief.yz;
    var pressed = 0.0;
    var ripple = 0.0;
    if near > 0.01 {
        let prints = footprints(p.xz, time);
        pressed = min(prints.x, 1.0);
        let waves = ripples(p.xz);
        let flank = near * (1.0 - pressed) * (0.75 + 0.45 * tone);
        ripple = waves.x * flank;
        slope += 0.0075 * waves.yz * flank + 0.16 * prints.yz;
    }
    let grain = noise::value_noise(p.xz * 64.0, 2047u, 3u).x * exp(-900.0 * footprint * footprint);
    var albedo = mix(vec3f(0.36, 0.235, 0.135), vec3f(0.45, 0.32, 0.20), 0.5 + 0.5 * tone);
    albedo *= (1.0 + 0.07 * grain + 0.08 * ripple) * (1.0 - 0.25 * pressed);

    let to_body = animal.body.world_from_body;
    let normal = normalize(vec3f(-slope.x, 1.0, -slope.y)) * to_body;
    return SurfacePoint(
        walk::to_body(animal.body, p),
        normalize(vec3f(-relief.y, 1.0, -relief.z)) * to_body,
        light::Material(normal, albedo, vec3f(0.0), 1.0, 0.35, 0.0),
        1.0,
    );
}

// ---- Light ---------------------------------------------------------------------

// Irradiance of the sky on a surface with the unit normal n of the world: blue from above, sand
// from below, brighter from the west.
fn sky_irradiance(n: vec3f) -> vec3f {
    let above = vec3f(0.36, 0.46, 0.66);
    let below = vec3f(0.42, 0.27, 0.15);
    let west = 0.5 + 0.5 * dot(n, TO_SUN);
    return mix(below, above, 0.5 + 0.5 * n.y) + vec3f(0.55, 0.36, 0.20) * west * west;
}

override fn rays::ground_shadow_clearance(p: vec3f, to_light: vec3f, angle: f32) -> f32 {
    return terrain::shadow_clearance(p, to_light, angle);
}

const LIGHT: rays::DiscLight = rays::DiscLight(TO_SUN, SUN_ANGLE, LONGEST_SHADOW);

// Radiance of a surface toward the eye, seen along `direction` (body space) from `distance`.
fn shade_surface(surface: SurfacePoint, direction: vec3f, distance: f32) -> vec3f {
    let world_from_body = animal.body.world_from_body;
    let visibility = rays::visibility_at(
        surface.position, surface.smooth_normal, surface.sky_reach, distance, LIGHT);

    let normal = surface.material.normal;
    let reflected = world_from_body * reflect(direction, normal);
    let above_ground = smoothstep(-0.25, 0.15, reflected.y);
    let reflection = mix(vec3f(0.34, 0.21, 0.12), shading::sky(reflected, TO_SUN), above_ground);
    return light::shade(
        surface.material,
        direction,
        light::DirectionalLight(TO_SUN * world_from_body, SUN),
        visibility.soft_shadow,
        sky_irradiance(world_from_body * normal) * visibility.ambient_occlusion,
        reflection * visibility.ambient_occlusion,
    );
}

// ---- The picture ---------------------------------------------------------------

fn camera_at(time: f32, body: walk::Body) -> camera::Camera {
    let w = path::TAU / LOOP_SECONDS * time;
    let distance = WALK.stride * time / WALK.period;
    let path_point = path::point_at(distance);
    let middle = vec3f(path_point.x, body.position.y - CLEARANCE + 0.86, path_point.y);

    let yaw = 0.86 + 0.42 * sin(w) + frame::frame.orbit.x;
    let pitch = clamp(0.10 + 0.035 * sin(2.0 * w + 1.0) + frame::frame.orbit.y, 0.02, 1.4);
    let away = vec3f(cos(yaw) * cos(pitch), sin(pitch), sin(yaw) * cos(pitch));
    var position = middle + 6.0 / frame::frame.orbit.z * away;
    position.y = max(position.y, terrain::height(position.xz) + 0.25);
    return camera::look_at(position, middle, vec3f(0.0, 1.0, 0.0), 0.262);
}

// Radiance of the sky with the sun's disc.
fn background(direction: vec3f) -> vec3f {
    return shading::sky(direction, TO_SUN) + 6.0 * SUN * shading::sun_disc(direction, TO_SUN);
}

// Colour of the fog along a ray: the sky at or above the horizon.
fn fog_color(direction: vec3f) -> vec3f {
    return shading::sky(normalize(vec3f(direction.x, max(direction.y, 0.0), direction.z)), TO_SUN);
}

override fn rays::intersect_ground(origin: vec3f, direction: vec3f, end: f32) -> f32 {
    return terrain::trace(origin, direction, end);
}

#ifdef REFERENCE

override fn brute_force::ground_distance(p: vec3f, distance: f32) -> f32 {
    return terrain::BOUND * (p.y - terrain::height_from(p.xz, distance));
}

#endif

fn main_image(frag_coord: vec2f) -> vec4f {
    let time = frame::looped(LOOP_SECONDS);
    let eye = unpack_camera();
    animal = unpack_animal();
    rays::body = animal.body;
#ifdef REFERENCE
    insect_shape::prepare_reference();
#endif
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;
    let ray = rays::ray_to_body(eye.position, direction, 0.0, FAR, pixel, insect_shape::EXTENT);
    let body_hit = rays::intersect(ray);
    let hit = body_hit.hit;

    // The animal's coverage of the pixel first, then the ground in the remainder. Few pixels
    // show both, and only those take two iterations.
    let direction_in_body = direction * animal.body.world_from_body;
    let origin_in_body = walk::to_body(animal.body, eye.position);
    let air = fog_color(direction);
    var color = vec3f(0.0);
    var remaining = 1.0;
    var is_sand = hit.coverage <= 0.0;
    for (var layer = 0; layer < 2 && remaining > 0.0; layer++) {
        if is_sand && body_hit.ground >= FAR {
            break;
        }
        let distance = select(hit.distance, body_hit.ground, is_sand);
        let p = eye.position + body_hit.ground * direction;
        let on_animal = origin_in_body + hit.distance * direction_in_body;
        var surface = chitin_at(hit, on_animal, direction_in_body, body_hit.on_limb);
        if is_sand {
            surface = sand_at(p, direction, pixel * body_hit.ground, time);
        }
        let coverage = select(hit.coverage, 1.0, is_sand) * remaining;
        let radiance = shade_surface(surface, direction_in_body, distance);
        color += coverage * shading::fog(radiance, air, distance, 0.019);
        remaining -= coverage;
        is_sand = true;
    }
    color += remaining * background(direction);

    let from_centre = frame::centred(frag_coord) * vec2f(0.42, 0.55);
    color *= 1.0 - 0.30 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(shading::tone_map_aces(0.80 * color)) + dither;
}
