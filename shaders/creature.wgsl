// The walking creature: a six-legged insect crosses endless dunes and reaches for the
// pointer while the button is held.
//
// Its shape is in `insect`, its walk in `walk` and `walker`, its rendering in `land`.
// No state is stored between frames: all follows from the time and the ages of press and release.

#import tarsus::{camera, depth_of_field, frame, ik, insect, land, light, noise, palette}
#import tarsus::{shading, terrain, walk, walker}

struct Params {
    /// Speed, in rounds of the path per loop [1, 3] = 1
    speed: u32,
    /// Pauses [0, 1] = 0.35
    pauses: f32,
    /// Stride [0.8, 1.6] = 1.28
    stride: f32,
    /// Duty: fraction of a step on the ground; sets the gait [0.52, 0.84] = 0.58
    duty: f32,
    /// Height of the body [0.6, 1.1] = 0.86
    height: f32,
    /// Bend of the legs [0.96, 1.25] = 1
    bend: f32,
    /// Height of the sun in degrees [6, 70] = 24
    sun_height: f32,
    /// Bearing of the sun in degrees [-180, 180] = 178
    sun_bearing: f32,
    /// Colour of the sun = #ffb058
    sun_color: vec3f,
    /// Colour of the shell = #2d2b27
    shell_color: vec3f,
    /// Colour of legs and skin = #79401e
    leg_color: vec3f,
    /// Colour of the sand = #ac8862
    sand_color: vec3f,
    /// Fog [0, 3] = 1
    fog: f32,
    /// Aperture of the lens, needs several samples per pixel [0, 0.2] = 0
    aperture: f32,
    /// Focus distance behind the animal [-4, 8] = 0
    focus: f32,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after this time (seconds).
const LOOP_SECONDS: f32 = 24.0;

// ---- Walk ------------------------------------------------------------------------

// The faster, the nearer to alternating tripods. A foot that stands longer takes shorter
// steps, so that no leg overreaches.
override fn walk::stride() -> walk::Stride {
    let duty = max(params.duty - 0.04 * (f32(rounds()) - 1.0), 0.52);
    return walk::Stride(params.stride * min(0.75 / duty, 1.0), duty, 0.34);
}

fn rounds() -> u32 {
    return max(params.speed, 1u);
}

// `footprints` finds footholds by rounding, so they are even.
override fn walk::pace(cycles: f32) -> f32 {
    return 1.0;
}

override fn walk::progress(x: f32) -> f32 {
    return mix(x, walk::with_stops(x, 3.0, 0.12), params.pauses);
}

override fn walk::loop_route() -> walk::Loop {
    return walk::Loop(LOOP_SECONDS, f32(rounds()));
}

override fn walker::clearance() -> f32 {
    return params.height;
}

// The body leans toward the goal of its reach.
override fn walker::pose(body: walk::Body, time: f32) -> walk::Body {
    reach = reach_at(walker::frame_camera, walker::unposed_body);
    let goal = walk::to_body(body, reach.goal);
    let toward = vec3f(goal.x, 0.0, goal.z) / (1.0 + length(goal)) * reach.weight;
    let rise = clamp(0.10 * goal.y, -0.05, 0.10) * reach.weight;
    let shift = 0.16 * toward + vec3f(0.0, rise, 0.0);
    let up = vec3f(0.0, 1.0, 0.0) + 0.10 * toward - vec3f(rise, 0.0, 0.0);
    let posed = walk::lean(body, shift, up);
    reach_point = walk::to_body(posed, reach.goal);
    return posed;
}

// ---- Reaching for the pointer ----------------------------------------------------

// A front leg's reach for the point under the pointer.
struct Reach {
    // 0 while walking, 1 with the foot on its goal, eased in between.
    weight: f32,
    leg: u32,
    // In world space.
    goal: vec3f,
}

// The reach in this frame, set by `walker::pose`.
var<private> reach: Reach;
// Its goal in body space.
var<private> reach_point: vec3f;

// Seconds from the press until the foot is on its goal, and from the release until the
// foot is back in its gait.
const REACH_OUT: f32 = 0.45;
const REACH_BACK: f32 = 0.6;

// Quintic smoothstep.
fn ease(x: f32) -> f32 {
    let t = clamp(x, 0.0, 1.0);
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

// Weight of the reach, from the ages of the last press and release alone. After a press
// shorter than REACH_OUT it falls from the weight reached so far.
fn reach_weight() -> f32 {
    let pressed = frame::frame.press_age;
    let released = frame::frame.release_age;
    if pressed >= frame::NEVER {
        return 0.0;
    }
    if released < pressed {
        return ease((pressed - released) / REACH_OUT) * (1.0 - ease(released / REACH_BACK));
    }
    // Pressed again before the return was complete.
    return mix(1.0 - ease((released - pressed) / REACH_BACK), 1.0, ease(pressed / REACH_OUT));
}

// World-space point under a pixel: on the ground near the animal, elsewhere on the plane
// through the body that faces the camera.
fn point_under(pixel: vec2f, view_camera: camera::Camera, body: walk::Body) -> vec3f {
    let direction = camera::ray_direction(view_camera, frame::centred(pixel));
    let facing = view_camera.world_from_view[2];
    let to_plane = dot(body.position - view_camera.position, facing)
        / min(dot(direction, facing), -0.1);
    var to_ground = 0.0;
    for (var i = 0; i < 64 && to_ground < 40.0; i++) {
        let p = view_camera.position + to_ground * direction;
        to_ground += 0.75 * (p.y - terrain::height(p.xz));
    }
    let away = distance(view_camera.position + to_ground * direction, body.position);
    let t = mix(to_ground, to_plane, smoothstep(2.3, 3.4, away));
    return view_camera.position + t * direction;
}

fn reach_at(view_camera: camera::Camera, body: walk::Body) -> Reach {
    let weight = reach_weight();
    if weight <= 0.0 {
        return Reach(0.0, 0u, vec3f(0.0));
    }
    // The side of the press selects the leg, so a drag does not change it.
    let pressed_at = camera::ray_direction(view_camera, frame::centred(abs(frame::frame.mouse.zw)));
    let middle = body.position + 0.9 * body.world_from_body[0] - view_camera.position;
    let offset = pressed_at * dot(middle, middle) / max(dot(middle, pressed_at), 0.1) - middle;
    let leg = select(0u, walker::ROWS, dot(offset, body.world_from_body[2]) > 0.0);
    return Reach(weight, leg, point_under(frame::frame.mouse.xy, view_camera, body));
}

fn grab_weight(leg: u32) -> f32 {
    return select(0.0, reach.weight, leg == reach.leg);
}

override fn walker::foot_target(leg: u32, stepped: vec3f, body: walk::Body, time: f32) -> vec3f {
    let weight = grab_weight(leg);
    let hip = front_hip(leg);
    let goal_in_hip = ik::limit3(walk::to_body(body, reach.goal) - hip, nearest_goal(), 1e3);
    let goal = walk::to_world(body, hip + goal_in_hip);
    // Arc above the ground, so that the foot does not drag.
    let lift = vec3f(0.0, 1.2 * weight * (1.0 - weight), 0.0);
    return mix(stepped, goal, weight) + lift;
}

override fn walker::foot_direction(leg: u32, foot: vec3f, usual: vec3f) -> vec3f {
    let raised = normalize(foot - front_hip(leg) - vec3f(0.0, 0.5, 0.0));
    return mix(usual, raised, grab_weight(leg));
}

// Smallest distance of a reaching foot from its hip, where a knee between the two is bent by
// 130°. Nearer, the leg would fold into the body.
fn nearest_goal() -> f32 {
    let lengths = walker::plan(0u).lengths;
    return ik::hinge_distance(lengths.femur, lengths.tibia, vec2f(-0.643, 0.766));
}

// Hip of a front leg, in body space.
fn front_hip(leg: u32) -> vec3f {
    return walker::plan(0u).hip * vec3f(1.0, 1.0, walker::side_of(leg));
}

override fn insect::attention() -> vec4f {
    return vec4f(reach_point, reach.weight);
}

// ---- Sand, sun and colours -------------------------------------------------------

override fn insect::appearance() -> insect::Appearance {
    return insect::Appearance(params.shell_color, params.leg_color, params.bend);
}

// The scene's own value: the colour of the sand.
const SAND: u32 = insect::SCENE_VALUES;

override fn insect::scene_value(index: u32) -> vec4f {
    return vec4f(palette::linear_from_display(params.sand_color), 0.0);
}

// Wave vector of the wind ripples: 124 waves per period of the ground.
const RIPPLES: vec2f = vec2f(124.0 * frame::TAU / terrain::PERIOD, 8.84);

// Distance from the middle of a footprint to where it meets the level sand.
const PRINT_RADIUS: f32 = 0.15;
const PRINT_DEPTH: f32 = 0.085;
// How much higher the rim is behind the foot, how steep walls are, how far claws stand out.
const PUSH: f32 = 0.7;
const WALL: f32 = 0.8;
const CLAWS: f32 = 0.35;

// Footprints at p: x = depth, 1 in the middle and below 0 on the rim, yz = slope.
// Footholds are evenly spaced along the path, so rounding gives the nearest one.
fn footprints(p: vec2f) -> vec3f {
    let beside = p.y - walk::point_at(p.x).y;
    let side = sign(beside);
    let cycles = walk::cycles_at(walker::now());
    let duty = walk::stride().duty;
    let ahead = walk::direction_at(p.x);
    var prints = vec3f(0.0);
    // The feet are 1.02 to 1.52 beside the path, and none is farther ahead than the front feet.
    if abs(abs(beside) - 1.3) < 0.65 && p.x < cycles * walk::stride_length() + 2.2 {
        for (var row = 0u; row < walker::ROWS; row++) {
            let neutral = walker::plan(row).foot * vec2f(1.0, side);
            let lead = walk::phase(row, side, cycles) - 0.5 * duty;
            let beyond = dot(neutral, vec2f(ahead.x, -ahead.y));
            let index = round((p.x - beyond) / walk::stride_length() + lead);
            let stood = walk::place(index - lead);
            let foothold = walk::offset_point(stood, neutral);
            let age = (cycles + lead + 0.5 * duty - index) / 16.0;
            let at = (p - foothold) / PRINT_RADIUS;
            var squared = dot(at, at);
            if age >= 0.0 && age < 1.0 && squared < 4.2 {
                // 0 before the borders between prints and of the trodden band.
                let inner = smoothstep(4.2, 1.2, squared);
                // Two claws outward and a heel.
                let outward = dot(at, foothold - stood.point) * inverseSqrt(dot(neutral, neutral));
                squared += CLAWS * outward * (4.0 * outward * outward / (squared + 0.3) - 3.0);
                // Pit and raised rim, fading with age: (1 − squared) exp(−WALL squared²).
                let fall = inner * exp(-WALL * squared * squared) * (1.0 - age * age)
                    * smoothstep(0.0, 0.01, age);
                // Behind the foot, where it pushed, the rim is higher.
                let push = PUSH * dot(at, ahead);
                let steep = PUSH * ahead
                    - (2.0 + 4.0 * WALL * squared * (1.0 - squared + push)) * at;
                prints += fall * vec3f(1.0 - squared + push, steep / PRINT_RADIUS);
            }
        }
    }
    return prints;
}

override fn land::ground(p: vec3f, footprint: f32) -> land::Ground {
    // Tone, and grain, in a loop: drivers compile the noise once.
    var tone = 0.0;
    var grain = vec3f(0.0);
    for (var i = 0u; i < select(1u, 2u, footprint < 0.05); i++) {
        let cells = select(8.0, 2048.0, i == 1u);
        grain = noise::value_noise(p.xz * (cells / 32.0), u32(cells) - 1u, 9u);
        tone = select(tone, grain.x, i == 0u);
    }
    grain *= select(0.0, exp(-1500.0 * footprint * footprint), footprint < 0.05);
    var slope = vec2f(0.0);
    var open = 1.0;
    var prints = vec3f(0.0);
    if footprint < 0.45 {
        // Prints are larger than ripples, so they fade later.
        prints = exp(-25.0 * footprint * footprint) * footprints(p.xz);
        // Walls that face away from the sun are in their own shadow.
        let away = -PRINT_DEPTH * dot(prints.yz, land::sunlight.direction.xz);
        open = 1.0 - 0.75 * smoothstep(0.06, 0.55, away);
        let waves = noise::ripples(p.xz, RIPPLES, 5.5);
        // Relief finer than a pixel fades to its mean to avoid flicker.
        let flank = exp(-60.0 * footprint * footprint) * (1.0 - clamp(prints.x, 0.0, 1.0))
            * (0.75 + 0.45 * tone);
        // Crests are sharper than troughs.
        slope = 0.012 * (1.0 + 0.7 * waves.x) * waves.yz * flank - PRINT_DEPTH * prints.yz
            + 0.045 * grain.yz;
    }
    let albedo = walker::read_scene_value(SAND).xyz * (1.0 + tone * vec3f(0.11, 0.15, 0.19));
    glints = 0.6 * smoothstep(0.7, 1.0, grain.x);
    let shade = (1.0 + 0.15 * grain.x) * (1.0 - 0.925 * prints.x + 0.675 * abs(prints.x));
    return land::Ground(albedo * shade, slope, 0.35, open);
}

// Brightness of the few grains that reflect the sun, set by `land::ground`.
var<private> glints: f32;

// Light that scatters within the sand warms the rims of shadows.
override fn land::ground_radiance(radiance: vec3f, direction: vec3f, visible: f32) -> vec3f {
    let rim = visible * (1.0 - visible) * vec3f(1.1, 0.2, -0.6);
    return radiance * (1.0 + visible * (glints + rim));
}

// `land::ground` includes the old prints.
override fn land::softness() -> vec2f {
    return vec2f(0.0, 0.12);
}

override fn land::sun() -> land::Sun {
    let direction = shading::direction_at(params.sun_bearing, params.sun_height);
    return land::Sun(direction, 0.05, 5.8 * palette::linear_from_display(params.sun_color));
}

// Evening: apricot toward the sun and rose beside it, indigo overhead. Opposite the sun, turquoise
// light lies on the shell. There is no edge at the horizon, which the shell would mirror.
override fn land::sky(direction: vec3f) -> vec3f {
    let height = max(direction.y, 0.0);
    let up = height * height / (height + 0.01);
    let sunward =
        0.5 + 0.5 * dot(shading::level(direction), shading::level(land::sunlight.direction));
    let warm = sunward * sunward * sunward * sunward;
    let horizon = mix(vec3f(0.85, 0.36, 0.48), vec3f(2.2, 0.84, 0.26), warm);
    let zenith = vec3f(0.010, 0.055, 0.21);
    let near_sun = max(dot(direction, land::sunlight.direction), 0.0);
    let glow = near_sun * near_sun * near_sun * near_sun;
    let away = (1.0 - sunward) * (1.0 - sunward);
    return mix(zenith, horizon, exp(-up * vec3f(8.5, 7.0, 5.5)))
        + away * away * (1.0 - up) * vec3f(1.2, 2.6, 3.0)
        + vec3f(0.9, 0.35, 0.10) * glow * glow;
}

// Unit vectors toward the moon and to its right, and its angular radius: as large as a planet.
const MOON: vec3f = vec3f(-0.4679, 0.0800, -0.8802);
const BESIDE_MOON: vec3f = vec3f(0.8829, 0.0, -0.4695);
const MOON_RADIUS: f32 = 0.145;

// Radiance of the moon with its dark seas and craters.
fn moon(direction: vec3f) -> vec3f {
    let off = (direction - MOON) / MOON_RADIUS;
    let inside = 1.0 - dot(off, off);
    let toward = sqrt(max(inside, 0.0));
    // Stereographic: craters near the limb are narrow.
    var p = 0.7 * vec2f(dot(off, BESIDE_MOON), off.y) / (1.0 + toward) + 5.0;
    var sea = 0.0;
    var tilt = vec2f(0.0);
    for (var i = 0u; i < 4u && inside > 0.0; i++) {
        p = noise::next_octave(p);
        sea += exp2(-f32(i)) * noise::value_noise(p, 255u, 2u).x;
        let random = noise::random_of(u32(i32(dot(floor(p), vec2f(1.0, 977.0)))));
        let at = (fract(p) - 0.35 - 0.3 * random.xy) / (0.08 + 0.16 * random.z);
        let r = dot(at, at);
        tilt -= 0.35 * random.w * (1.0 + r - r * r) * exp(-0.5 * r * r) * at;
    }
    // More from the front than sunlight, so that half of the moon shows. Relief fades toward
    // the night, where rims of craters would be specks.
    let sun = land::sunlight.direction - 0.35 * MOON;
    let smooth_day = saturate(dot(off - toward * MOON, sun));
    let slope = dot(sun, tilt.x * BESIDE_MOON + vec3f(0.0, tilt.y, 0.0));
    let day = saturate(smooth_day + saturate(5.0 * smooth_day) * slope);
    return vec3f(1.5, 1.3, 1.1) * (1.0 - 0.6 * smoothstep(-0.2, 0.4, sea)) * day
        * saturate(40.0 * inside) * saturate(5.0 * direction.y);
}

// Streaks of high cloud that catch the sun, in front of the moon.
override fn land::backdrop(direction: vec3f) -> vec3f {
    let above = direction.xz / (max(direction.y, 0.0) + 0.10);
    let p = vec2f(0.9 * above.x - 0.4 * above.y, 0.4 * above.x + 0.9 * above.y);
    // Billows, strands and fine threads, each bent by the one before, in a loop: drivers
    // compile the noise once. There are no clouds below 0.02.
    var streak = 0.0;
    var sum = 0.0;
    if direction.y > 0.02 {
        for (var i = 0u; i < 3u; i++) {
            let size = select(vec2f(0.8), select(vec2f(0.7, 3.1), vec2f(2.3, 9.0), i > 1u), i > 0u);
            streak = noise::value_noise(size * p + (0.1 + 0.8 * f32(i)) * streak, 63u, 11u + i).x;
            sum += (0.6 - 0.2 * f32(i)) * streak;
        }
    }
    let cover = smoothstep(-0.15, 0.9, sum);
    let behind = land::sky(direction) + moon(direction);
    let lit = 0.30 * land::sunlight.color * vec3f(1.0, 0.8, 0.8) + vec3f(0.06, 0.05, 0.12);
    return mix(behind, lit, 0.8 * cover * smoothstep(0.02, 0.14, direction.y))
        + 3.0 * land::sunlight.color
            * shading::disc(direction, land::sunlight.direction, 0.0006, 0.0009);
}

// Shadows take the violet of the sky; sand returns warm light from below.
override fn land::sky_light(n: vec3f) -> vec3f {
    return light::hemisphere(n, vec3f(0.34, 0.40, 1.0), land::ground_bounce);
}

override fn land::bounce() -> vec3f {
    let above = land::sunlight.color * land::sunlight.direction.y + vec3f(0.3, 0.35, 0.45);
    return 1.3 * above * palette::linear_from_display(params.sand_color);
}

override fn land::least_skylight() -> f32 {
    return 0.6;
}

override fn land::fog_density() -> f32 {
    return 0.026 * params.fog;
}

override fn land::optics(animal_distance: f32) -> depth_of_field::Optics {
    return depth_of_field::Optics(params.aperture, animal_distance + params.focus);
}

// Low and from ahead, where no shin hides the body; from farther away for portrait formats.
override fn walker::view(time: f32) -> camera::View {
    let turn = frame::TAU / LOOP_SECONDS * time;
    let yaw = 0.75 + 0.24 * sin(turn);
    let pitch = 0.045 + 0.02 * sin(2.0 * turn + 1.0);
    let room = frame::narrow_view_factor(1.5) / frame::narrow_view_factor(1.0);
    return camera::View(yaw, pitch, 4.3, params.height - 0.12, 0.318 * room);
}

// ---- The image -------------------------------------------------------------------

fn per_frame(index: u32) -> vec4f {
    return walker::per_frame(index);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    insect::prepare();
    return land::main_image(frag_coord);
}
