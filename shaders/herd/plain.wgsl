#define_import_path tarsus::herd::plain

#import tarsus::bounds
#import tarsus::camera
#import tarsus::coverage
#import tarsus::herd::crowd
#import tarsus::herd::crowd_rays
#import tarsus::debug_view
#import tarsus::depth_of_field
#import tarsus::frame
#import tarsus::light
#import tarsus::noise
#import tarsus::palette
#import tarsus::herd::quadruped
#import tarsus::shading
#import tarsus::herd::swells
#import tarsus::walk

// Image of a `crowd` that crosses a dusty plain in the evening. A scene overrides what it
// needs, and returns `plain::main_image(frag_coord)` and `plain::per_frame(index)`.

/// Loop of the scene: its length in seconds, and the number of periods of the `crowd` in
/// it.
struct Loop {
    seconds: f32,
    count: f32,
}

/// Loop of the scene.
virtual fn scene_loop() -> Loop {
    return Loop(24.0, 1.0);
}

/// Light and air. Colours are linear.
struct Weather {
    /// Height and bearing of the sun in degrees; the bearing is measured from x toward z.
    sun_height: f32,
    sun_bearing: f32,
    /// Radiance scale of the sun.
    sun: vec3f,
    /// Density of dust and haze; 1 is the default.
    dust: f32,
}

/// Light and air. Evaluated once per frame.
virtual fn weather() -> Weather {
    return Weather(19.0, -165.2, vec3f(5.0, 2.85, 1.20), 1.0);
}

/// Diffuse reflectance of the ground in dark and in bright areas.
struct GroundColors {
    dark: vec3f,
    bright: vec3f,
}

/// Diffuse reflectance of the ground.
virtual fn ground_colors() -> GroundColors {
    return GroundColors(vec3f(0.33, 0.205, 0.105), vec3f(0.46, 0.31, 0.17));
}

/// View of the crowd at a time in periods; `height` is above the ground. The user's orbit is
/// added.
virtual fn view(loop_time: f32) -> camera::View {
    let yaw = 1.00 + 0.08 * sin(frame::TAU * loop_time);
    return camera::View(yaw, 0.10, 9.3, 1.75, 0.265 * frame::narrow_view_factor(1.5));
}

/// Lens of the camera. Evaluated once per frame.
virtual fn optics() -> depth_of_field::Optics {
    return depth_of_field::Optics(0.0, 1.0);
}

/// Value `index`, from 0, of the scene's own per-frame values; `read_scene_value` reads
/// them.
virtual fn scene_value(index: u32) -> vec4f {
    return vec4f(0.0);
}

// ---- Once per frame --------------------------------------------------------------

const SCENE_VALUES: u32 = 5u;

// Point that the camera follows, relative to the crowd, xz: ahead of the nearest animal.
const LOOK_AT: vec2f = vec2f(4.35, 2.4);

fn camera_at(loop_time: f32) -> camera::Camera {
    let framing = view(loop_time);
    let over = LOOK_AT + vec2f(swells::LENGTH * loop_time, 0.0);
    let middle = vec3f(over.x, framing.height + swells::height(over), over.y);
    var position = camera::orbit_view(middle, framing, frame::frame.orbit).position;
    // Where the user leads it into the crowd, it is above the tops of the animals.
    let orbit = frame::frame.orbit;
    let astray = smoothstep(0.1, 0.6, abs(orbit.x) + abs(orbit.z - 1.0));
    let clearance = mix(1.2, crowd_rays::MAX_HEIGHT + 0.1, astray);
    position.y = max(position.y, swells::height(position.xz) + clearance);
    return camera::look_at(position, middle, vec3f(0.0, 1.0, 0.0), framing.tan_half_fov);
}

/// Values that are the same for all pixels; to be returned by a scene's `per_frame`.
fn per_frame(index: u32) -> vec4f {
    if index >= SCENE_VALUES {
        return scene_value(index - SCENE_VALUES);
    }
    let all = scene_loop();
    let loop_time = frame::loop_time(all.seconds) / all.seconds * all.count;
    let view_camera = camera_at(loop_time);
    let air = weather();
    switch index {
        case 0u: { return vec4f(view_camera.position, view_camera.focal_length); }
        case 1u: { return vec4f(view_camera.world_from_view[0], loop_time); }
        case 2u: { return vec4f(view_camera.world_from_view[1], optics().aperture); }
        case 3u: {
            return vec4f(shading::direction_at(air.sun_bearing, air.sun_height), air.dust);
        }
        default: { return vec4f(air.sun, optics().focus); }
    }
}

/// Camera of the current frame.
fn current_camera() -> camera::Camera {
    let position = frame::per_frame_value(0u);
    let right = frame::per_frame_value(1u).xyz;
    let up = frame::per_frame_value(2u).xyz;
    return camera::Camera(position.xyz, mat3x3f(right, up, cross(right, up)), position.w);
}

/// Time in periods of the crowd.
fn now() -> f32 {
    return frame::per_frame_value(1u).w;
}

/// Value `index` of the scene's `scene_value`.
fn read_scene_value(index: u32) -> vec4f {
    return frame::per_frame_value(SCENE_VALUES + index);
}

/// Unit vector toward the sun.
fn to_sun() -> vec3f {
    return frame::per_frame_value(3u).xyz;
}

// ---- Light and air ---------------------------------------------------------------

// Angular diameter of the sun's disc in radians, larger than the real one for softer shadows.
const SUN_WIDTH: f32 = 0.05;
// Densities of the haze and of the dust near the ground, and the dust's scale height.
const AIR: f32 = 0.0088;
const DUST: f32 = 0.027;
const DUST_DEPTH: f32 = 1.6;
const FAR: f32 = 420.0;
// Dust hides animals beyond CROWD_DISTANCE, and haze does beyond twice that; shadows have faded
// to their mean at SHADOW_DISTANCE.
const CROWD_DISTANCE: f32 = 88.0;
const SHADOW_DISTANCE: f32 = 32.0;
// The dust that hooves raise is drawn within this distance; beyond it, all is dusty.
const TRAIL_DISTANCE: f32 = 50.0;
// Edges of animals within this distance are lit on both sides.
const EDGE_DISTANCE: f32 = 14.0;

// Longest shadow, but for those that cross a valley.
const SHADOW_LENGTH: f32 = 21.0;
// Horns cast shadows up to this distance; beyond it, the shadows' edges are wider than horns.
const HORN_SHADOW: f32 = 5.0;
// Width of the edges of shadows that an animal casts on itself: soft, as its parts are blended.
const SELF_SHADOW: f32 = 0.22;
// Strength of the light that fur scatters forward along its outline.
const RIM: f32 = 4.0;

// Width of a pixel's footprint on the ground, perpendicular to the shadows; thinner shadows
// fade to their mean. The footprint is `breadth` wide and `depth` long away from the
// camera.
fn shadow_footprint(direction: vec3f, breadth: f32, depth: f32) -> f32 {
    let away = normalize(direction.xz + vec2f(1e-6, 0.0));
    let along = shading::level(to_sun());
    let width = breadth * abs(dot(away, along)) + depth * abs(dot(away, walk::right_of(along)));
    return min(width, 0.45);
}

// Irradiance of the sky on a surface with the world-space unit normal n.
fn sky_irradiance(n: vec3f) -> vec3f {
    let sunward = 0.5 + 0.5 * dot(n, to_sun());
    return light::hemisphere(n, vec3f(0.12, 0.22, 0.52), vec3f(0.36, 0.205, 0.11))
        + sunward * sunward * vec3f(0.26, 0.13, 0.05);
}

// The air along a ray.
struct Air {
    // Colour of haze and dust.
    color: vec3f,
    // Height of the camera, and rise of the ray per unit of length.
    height: f32,
    rise: f32,
    // Deviation of the dust's density from its mean, -1 to 1.
    drift: f32,
}

// `Weather.dust` of the current frame.
fn weather_dust() -> f32 {
    return frame::per_frame_value(3u).w;
}

// `color` at `distance` seen through dust and haze.
fn apply_dust(color: vec3f, air: Air, distance: f32) -> vec3f {
    let thickness = weather_dust();
    let density = thickness * DUST * (1.0 + 0.7 * air.drift);
    let fog = light::height_fog(air.height, air.rise, distance, density, DUST_DEPTH);
    let dusty = mix(color, air.color, fog * smoothstep(6.0, 40.0, distance));
    return shading::fog(dusty, air.color, distance, thickness * AIR);
}

// `Air.drift` at p, in world xz. It moves by two periods of the ground per period of the
// crowd.
fn drift_at(p: vec2f, loop_time: f32) -> f32 {
    let moved = p - vec2f(2.0 * swells::LENGTH * loop_time, 0.0);
    return noise::value_noise(moved * 0.1, 3u, 9u).x;
}

// Stones lie on ground of which a pixel covers less than this length.
const STONES_FOOTPRINT: f32 = 0.16;

// A stone in the cell of p, in world xz: xy = slope of its surface, z = brightness of it and of
// the ground that it shades. `wealth`, -1 to 1, is how many stones there are.
fn stone_at(p: vec2f, footprint: f32, wealth: f32) -> vec3f {
    let q = 3.2 * p;
    let cell = floor(q);
    let word = vec2u(vec2i(cell) & vec2i(127)) * vec2u(0x9E3779B1u, 0x85EBCA77u);
    let random = noise::random_of(word.x + word.y);
    // Stones and their shade end before the border of the cell.
    let to_border = max(abs(q.x - cell.x - 0.5), abs(q.y - cell.y - 0.5));
    let is_here = smoothstep(0.5, 0.38, to_border)
        * smoothstep(0.75, 0.95, random.w + 0.6 * wealth)
        * smoothstep(STONES_FOOTPRINT, 0.5 * STONES_FOOTPRINT, footprint);
    let size = mix(0.05, 0.20, random.x * random.x);
    let offset = q - cell - 0.5 - 0.3 * (random.yz - 0.5);
    // Longer in one direction.
    let axis = normalize(random.zx - 0.5 + vec2f(1e-3, 0.0));
    let from_middle = (offset - 0.3 * dot(offset, axis) * axis) / size;
    let edge = 0.12 + 1.6 * footprint / size;
    let cover = is_here * smoothstep(1.0 + edge, 1.0 - edge, length(from_middle));
    // Shade on the side away from the sun.
    let sunward = shading::level(to_sun());
    let behind = offset / size + 0.9 * sunward;
    let along = dot(behind, sunward);
    let shade = exp(-1.6 * (dot(behind, behind) - 0.75 * along * along));
    let slope = -0.9 * cover * length(from_middle) * from_middle;
    return vec3f(slope, mix(1.0 - 0.55 * is_here * shade, mix(0.6, 0.95, random.y), cover));
}

// Material of the ground at p, in world xz. Relief finer than `footprint`, the length of
// ground under a pixel, fades out.
fn ground_surface(p: vec2f, footprint: f32) -> light::Surface {
    let broad = noise::value_noise(p * 0.2, 7u, 5u);
    let middle = noise::value_noise(p * 1.6, 63u, 6u);
    // Bent, so that its lattice does not show.
    let fine = noise::value_noise(p * 12.8 + 0.3 * middle.yz, 511u, 7u);
    let middle_visibility = exp(-4.0 * footprint * footprint);
    let fine_visibility = exp(-250.0 * footprint * footprint);
    var slope = swells::slope(p)
        + 0.056 * middle_visibility * middle.yz + 0.055 * fine_visibility * fine.yz;
    var albedo = mix(ground_colors().dark, ground_colors().bright, 0.5 + 0.5 * broad.x);
    albedo *= 1.0 + 0.16 * middle_visibility * middle.x + 0.09 * fine_visibility * fine.x;
    if footprint < STONES_FOOTPRINT {
        let stone = stone_at(p, footprint, middle.x);
        slope += stone.xy;
        albedo *= stone.z;
    }
    let normal = normalize(vec3f(-slope.x, 1.0, -slope.y));
    return light::Surface(normal, albedo, vec3f(0.0), 1.0, 0.3, 0.0);
}

// Rows of dry grass, which face the z axis, and tufts along a row: distances between them. A
// whole number of tufts fits into the length after which the ground repeats.
const TUFTS: vec2f = vec2f(0.8, 0.9);
const TUFT_HEIGHT: f32 = 0.42;
const GRASS_DISTANCE: f32 = 36.0;

// Blades of grass that a ray meets.
struct Grass {
    coverage: f32,
    distance: f32,
    // Height on the blade, from 0 at its root to 1.
    tip: f32,
}

// Coverage of a pixel by a tuft: p = point in the tuft's plane, its height above the ground y,
// `width` = width of the pixel there.
fn tuft(p: vec2f, row: f32, width: f32) -> f32 {
    let column = floor(p.x / TUFTS.x);
    let columns = swells::LENGTH / TUFTS.x;
    let word = i32(column - columns * floor(column / columns)) + 64 * i32(row);
    let random = noise::random_of(u32(word));
    let density = 0.35 + 0.45 * swells::wave(0.1 * column) * swells::wave(0.075 * row + 0.2);
    let size = TUFT_HEIGHT * mix(0.4, 1.0, random.y * random.y);
    let v = p.y / size;
    // Blades spread from the root like a fan.
    let fan = 0.09 * size + p.y * (0.30 + 0.45 * v);
    let u = (p.x - (column + 0.35 + 0.3 * random.z) * TUFTS.x) / fan;
    let blade = 9.0 * u + 8.0 * random.x;
    let number = floor(blade);
    let top = (1.0 - 0.7 * u * u) * (0.3 + 0.7 * fract(number * number * 0.618 + random.y));
    let half_width = 0.45 * clamp(1.0 - v / max(top, 0.05), 0.0, 1.0);
    let soft = clamp(9.0 * width / fan, 0.02, 1.0);
    let cover = clamp((half_width - abs(blade - number - 0.5)) / soft + 0.5, 0.0, 1.0);
    return cover * smoothstep(0.0, 0.25, v) * f32(random.w < density && half_width > 0.0 && abs(u) < 1.0);
}

// Grass along a ray, in the last rows before the ground; `open` is 1 where no animal is.
fn grass_along(ray: Ray, open: f32) -> Grass {
    var grass = Grass(0.0, FAR, 0.0);
    let toward = -ray.direction.z;
    let step_sign = sign(toward);
    let end = ray.origin.z - ray.to_ground * toward;
    let first = ceil(end * step_sign / TUFTS.y);
    let near = smoothstep(GRASS_DISTANCE, 0.4 * GRASS_DISTANCE, ray.to_ground)
        * smoothstep(0.2, 0.4, abs(toward)) * smoothstep(0.88, 0.96, open);
    for (var n = 0u; n < select(1u, 3u, near > 0.0); n++) {
        let row = (first + f32(n)) * step_sign;
        let distance = (ray.origin.z - row * TUFTS.y) / select(toward, 1.0, abs(toward) < 0.1);
        let p = ray.origin + distance * ray.direction;
        let above = p.y - swells::height(p.xz);
        let cover = near * tuft(vec2f(p.x, max(above, 0.0)), row, ray.width + ray.pixel * distance);
        if cover > 0.02 {
            grass = Grass(cover + grass.coverage * (1.0 - cover), distance, above / TUFT_HEIGHT);
        }
    }
    return grass;
}

// Colour of haze and dust in a direction: that of the sky just above the horizon, warmer.
fn haze(direction: vec3f) -> vec3f {
    let level = normalize(vec3f(direction.x, 0.02, direction.z));
    return shading::sky(level, to_sun()) * vec3f(1.08, 0.92, 0.78);
}

// `swells::wave` of two numbers.
fn waves(x: vec2f) -> vec2f {
    return vec2f(swells::wave(x.x), swells::wave(x.y));
}

// The horizon is divided into this many sectors; some have an acacia.
const SECTORS: f32 = 76.0;
// Angle that an acacia covers.
const TREE: f32 = 0.043;

// Coverage by the acacias at the foot of the ridges, in a unit direction at a bearing in turns.
// `pixel` is the angle that a pixel covers.
fn acacias(direction: vec3f, around: f32, pixel: f32) -> f32 {
    let sector = floor(SECTORS * around);
    let random = noise::random_of(u32(i32(sector + SECTORS)));
    let size = mix(0.6, 1.3, random.x);
    // In tree heights, from the foot of the trunk.
    let middle = sector + 0.42 + 0.16 * random.y;
    let p = vec2f((around - middle / SECTORS) * frame::TAU, direction.y - 0.003) / (TREE * size);
    let soft = 0.5 * pixel / (TREE * size);
    let fork = abs(abs(p.x - 0.06 * p.y) - 0.5 * max(p.y - 0.35, 0.0)) - mix(0.05, 0.02, p.y);
    let wood = smoothstep(soft, -soft, fork) * step(p.y, 0.85);
    // Two flat crowns.
    let upper = (p - vec2f(0.08, 0.84)) / vec2f(0.46, select(0.07, 0.17, p.y > 0.84));
    let lower = (p - vec2f(0.26 * sign(random.z - 0.5), 0.68))
        / vec2f(0.30, select(0.06, 0.13, p.y > 0.68));
    let broken = noise::value_noise(vec2f(10.0, 19.0) * p + 8.0 * random.yz, 63u, 33u).x;
    let leaves = 1.0 + 0.27 * broken - sqrt(min(dot(upper, upper), dot(lower, lower)));
    let cover = max(wood, smoothstep(-8.0 * soft, 12.0 * soft, leaves));
    return select(0.0, cover, random.w < 0.45) * smoothstep(0.0, 0.02, direction.y);
}

// Bands of thin cloud in a unit direction at a bearing in turns: their coverage, 0 to 1.
fn clouds(direction: vec3f, around: f32) -> f32 {
    let p = vec2f(16.0 * around, 26.0 * direction.y + 3.0 * direction.x);
    let broad = noise::value_noise(p, 15u, 31u);
    let fine = noise::value_noise(vec2f(4.0, 3.0) * p + 0.6 * broad.yz, 63u, 32u);
    return smoothstep(-0.2, 1.0, broad.x + 0.5 * fine.x) * smoothstep(0.05, 0.14, direction.y);
}

// Radiance beyond the ground in a unit direction: the sun over two ridges in the haze, with
// acacias before them. `pixel` is the angle that a pixel covers.
fn backdrop(direction: vec3f, pixel: f32) -> vec3f {
    let level = haze(direction);
    let ahead = -current_camera().world_from_view[2];
    let sun = 3.0 * vec3f(1.0, 0.75, 0.45) * shading::sun_disc(direction, to_sun(), ahead);
    // Heights of the far and the near ridge.
    let around = shading::bearing(direction);
    let ridges = vec2f(0.054, 0.030)
        + vec2f(0.011, 0.007) * waves(vec2f(7.0, 10.0) * around + vec2f(0.16, 0.38))
        + vec2f(0.006, 0.005) * waves(vec2f(19.0, 27.0) * around)
        + vec2f(0.002, 0.0015) * waves(vec2f(67.0, 83.0) * around + vec2f(0.32, 0.0));
    let cover = smoothstep(ridges + 0.001, ridges - 0.001, vec2f(direction.y));
    let clear = shading::sky(direction, to_sun()) * vec3f(0.86, 0.90, 1.06);
    let lit = mix(clear, 1.25 * level + vec3f(0.10, 0.06, 0.05), 0.7 * clouds(direction, around));
    let sky = mix(level, lit, smoothstep(0.03, 0.14, direction.y)) + sun;
    let far = mix(sky, mix(level, vec3f(0.30, 0.20, 0.30), 0.34), cover.x);
    let near = mix(level, vec3f(0.24, 0.13, 0.18), 0.58 * smoothstep(-0.01, 0.03, direction.y));
    let hills = mix(far, near, cover.y);
    return mix(hills, 0.3 * level, 0.75 * acacias(direction, around, pixel));
}

// A camera ray.
struct Ray {
    origin: vec3f,
    direction: vec3f,
    // Width at the origin, and growth per unit of distance.
    width: f32,
    pixel: f32,
    // Distance to the ground, at least FAR if there is none, and the ray's width and length
    // on it.
    to_ground: f32,
    breadth: f32,
    footprint: f32,
}

// `optics` of the current frame.
fn camera_lens() -> depth_of_field::Optics {
    return depth_of_field::Optics(
        frame::per_frame_value(2u).w, frame::per_frame_value(4u).w);
}

fn camera_ray(frag_coord: vec2f) -> Ray {
    let view_camera = current_camera();
    let sight = depth_of_field::sight(view_camera, frag_coord, camera_lens());
    let pixel = frame::pixel_size() / view_camera.focal_length + sight.spread;
    let to_ground = swells::trace(sight.origin, sight.direction, FAR);
    let breadth = max(sight.width + pixel * to_ground, 0.0);
    let footprint = breadth / max(-sight.direction.y, 0.03);
    return Ray(
        sight.origin, sight.direction, sight.width, pixel, to_ground, breadth, footprint);
}

// A point of an animal or of the ground.
struct Place {
    distance: f32,
    position: vec3f,
    // Unit normal of the animal.
    normal: vec3f,
}

fn place_of(is_animal: bool, found: crowd_rays::CrowdHit, ray: Ray) -> Place {
    let to_animal = found.distance / max(1.0 - found.uncovered, 1e-4);
    let normal = found.normal * inverseSqrt(max(dot(found.normal, found.normal), 1e-8));
    let distance = select(ray.to_ground, to_animal, is_animal);
    return Place(distance, ray.origin + distance * ray.direction, normal);
}

// Fraction of the sun's light that reaches a point.
fn sunlight_at(here: Place, is_animal: bool, ray: Ray) -> f32 {
    let faces_sun = dot(here.normal, to_sun()) > -0.25;
    let is_lit = (is_animal && faces_sun) || (!is_animal && ray.to_ground < FAR);
    let offset = select(vec3f(0.0), 0.16 * here.normal, is_animal);
    // Past the animal itself, whose blended parts would cast edges on each other.
    let start = here.position + offset + select(0.0, 2.2, is_animal) * to_sun();
    let rise = max(to_sun().y, 0.02);
    let highest = swells::MAX_HEIGHT + crowd_rays::MAX_HEIGHT - start.y;
    let above = min(highest, max(highest - crowd_rays::HORNS, HORN_SHADOW * rise)) / rise;
    let t_end = select(0.0, min(above, SHADOW_LENGTH), is_lit && here.distance < SHADOW_DISTANCE);
    let width = shadow_footprint(ray.direction, ray.breadth, ray.footprint);
    let sunward = coverage::Beam(start, to_sun(), select(width, SELF_SHADOW, is_animal), SUN_WIDTH);
    let direct = crowd_rays::light_through(sunward, bounds::Span(0.0, t_end), now());
    // Distant shadows fade to the mean of light and shade.
    return mix(direct, 0.75, smoothstep(0.6 * SHADOW_DISTANCE, SHADOW_DISTANCE, here.distance));
}

fn sun_light() -> light::DirectionalLight {
    return light::DirectionalLight(to_sun(), frame::per_frame_value(4u).xyz);
}

// Radiance of the ground; `sun` and `open` are the fractions of the sun's and the sky's light.
fn lit_ground(surface: light::Surface, ray: Ray, sun: f32, open: f32) -> vec3f {
    let skylight = sky_irradiance(surface.normal) * open;
    return light::shade(surface, ray.direction, sun_light(), sun * sqrt(open), skylight, vec3f(0.0));
}

// Radiance of an animal at a height above the ground: less of the sky's light reaches the
// belly and the legs, and the legs shade the groin.
fn lit_fur(here: Place, albedo: vec3f, above: f32, direction: vec3f, unshaded: f32) -> vec3f {
    let sun = unshaded * smoothstep(-0.75, -0.2, here.normal.y);
    let fur = light::Surface(here.normal, albedo, vec3f(0.0), 0.6, 1.0, 0.0);
    let skylight = sky_irradiance(here.normal) * mix(0.38, 0.95, smoothstep(0.1, 1.6, above));
    // Hairs that stand out scatter the sun's light forward, past the edge of the body.
    let edge = 1.0 - clamp(dot(here.normal, -direction), 0.0, 1.0);
    let forward = max(dot(direction, to_sun()), 0.0);
    let facing = smoothstep(-0.25, 0.35, dot(here.normal, to_sun()));
    let rim = RIM * facing * edge * edge * forward * forward * sun;
    return light::shade(fur, direction, sun_light(), sun, skylight, vec3f(0.0))
        + rim * sun_light().color * (0.1 + albedo);
}

// Radiance of a blade of grass, whose tip glows against the sun.
fn lit_grass(tip: f32, direction: vec3f, sun: f32) -> vec3f {
    let straw = mix(0.5 * ground_colors().dark, vec3f(0.60, 0.40, 0.19), clamp(tip, 0.0, 1.0));
    let glow = 0.12 + 0.45 * max(dot(direction, to_sun()), 0.0);
    return straw * (sun_light().color * glow * sun + sky_irradiance(vec3f(0.0, 1.0, 0.0)));
}

// Radiance of dense dust in the air, brighter against the sun.
fn raised_dust(direction: vec3f, sun: f32) -> vec3f {
    let forward = max(dot(direction, to_sun()), 0.0);
    let sunward_glow = 0.2 + 0.3 * forward + 0.6 * forward * forward * forward * forward;
    return ground_colors().bright
        * (sun_light().color * sunward_glow * mix(0.4, 1.0, sun) + vec3f(0.3));
}

// ---- Image -----------------------------------------------------------------------

/// The crowd on its plain at a pixel, as display values; to be returned by a scene's
/// `main_image`.
fn main_image(frag_coord: vec2f) -> vec4f {
    let ray = camera_ray(frag_coord);
    let direction = ray.direction;
    let on_ground = ray.to_ground < FAR;
    let at_ground = ray.origin + ray.to_ground * direction;

    let beam = coverage::Beam(ray.origin, direction, ray.width, ray.pixel);
    let visible = CROWD_DISTANCE * (2.0 - min(weather_dust(), 1.0));
    let within = crowd_rays::view_span(ray.origin, direction, ray.to_ground, visible);
    let found = crowd_rays::intersect(beam, within, now());
    let covered = 1.0 - found.uncovered;
    var ground: light::Surface;
    if on_ground && found.uncovered > 0.0 {
        ground = ground_surface(at_ground.xz, ray.footprint);
    }
    // The shadow ray is for what covers more of the pixel; an edge that is near needs one for
    // its other side too.
    let is_animal = covered > 0.5;
    let has_edge = abs(covered - 0.5) < 0.42 && found.distance < EDGE_DISTANCE * covered;
    // Sunlight on the nearer and on the other.
    var sun = vec2f(1.0);
    for (var other = 0u; other < select(1u, 2u, has_edge); other++) {
        let of_animal = is_animal == (other == 0u);
        let direct = sunlight_at(place_of(of_animal, found, ray), of_animal, ray);
        sun = vec2f(select(sun.x, direct, other == 0u), direct);
    }
    // Most of the ground behind an animal's feet is in its shade.
    let sun_on_ground = select(sun.x, select(0.4, sun.y, has_edge), is_animal);
    let sun_on_animal = select(sun.y, sun.x, is_animal);
    let animal = place_of(true, found, ray);
    let nearest = place_of(is_animal, found, ray);
    if on_ground || is_animal {
        debug_view::note_hit(nearest.distance);
        debug_view::note_normal(select(ground.normal, animal.normal, is_animal));
    }

    let air = Air(haze(direction), ray.origin.y, direction.y, drift_at(nearest.position.xz, now()));
    // Dust at the hooves: over the ground a little above it, and around the legs.
    let at_dust = at_ground - 0.25 / max(-direction.y, 0.12) * direction;
    var raised = 0.0;
    if nearest.distance < TRAIL_DISTANCE {
        raised = crowd::dust_at(select(at_dust.xz, animal.position.xz, is_animal), now())
            * smoothstep(TRAIL_DISTANCE, 0.6 * TRAIL_DISTANCE, nearest.distance)
            * mix(0.3, 0.6, smoothstep(8.0, 24.0, nearest.distance)) * min(weather_dust(), 1.5);
    }
    let dusty = raised_dust(direction, sun_on_ground);
    var behind = vec3f(0.0);
    var open = 0.0;
    if on_ground && found.uncovered > 0.0 {
        let hooves = quadruped::at_hooves(at_ground.xz, ray.to_ground, now());
        open = crowd::ambient_occlusion_at(at_ground.xz, now()) * hooves.x;
        let dust = max(raised, 0.5 * hooves.y * min(weather_dust(), 1.5));
        let lit = mix(lit_ground(ground, ray, sun_on_ground, open), dusty, dust);
        behind = apply_dust(lit, air, ray.to_ground);
    } else if !on_ground {
        behind = backdrop(direction, ray.pixel);
    }
    let exposure = 0.92 * shading::vignette(frag_coord, vec2f(0.42, 0.55), 0.30);
    var color = shading::tone_map_aces(exposure * behind);
    if covered > 0.0 {
        let above = max(animal.position.y - swells::height(animal.position.xz), 0.0);
        let fur = lit_fur(animal, found.albedo / covered, above, direction, sun_on_animal);
        let lit = mix(fur, dusty, 0.15 * raised * exp(-3.5 * above));
        // Both sides of an edge are tone-mapped first: a bright side would hide the other.
        let front = exposure * apply_dust(lit, air, animal.distance);
        color = mix(color, shading::tone_map_aces(front), covered);
    }
    // Animals tread the grass down, and it hides none of their hooves.
    let grass = grass_along(ray, open);
    let blades = apply_dust(lit_grass(grass.tip, direction, sun_on_ground), air, grass.distance);
    color = mix(color, shading::tone_map_aces(exposure * blades), grass.coverage * found.uncovered);
    return palette::display(color) + vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
}
