// An evening pond: a water strider rows over water whose waves are simulated, not drawn
// by formulas. Every standing foot presses a dip, every stroke sends out rings, and the
// pointer stirs: a click is a drop, a drag is a finger in the water.
//
// The strider's shape is in `water_strider`, its walk in `walk` and `walker`, the
// rendering in `pool`, the waves in `wave_field`, the sky in `evening`. In the world, x
// points ahead, y up, z right, and the water is at y = 0.

#import tarsus::{camera, frame, land, light, palette, pool, terrain, walker, water, waves}
#import tarsus::pond::{evening, wave_field}
#import tarsus::water_strider as strider

struct Params {
    /// Speed of long waves [0.3, 2] = 1.1
    wave_speed: f32,
    /// Damping of waves per second [0, 4] = 0.7
    damping: f32,
    /// Strength of the strokes [0, 3] = 1
    stroke: f32,
    /// Gait {tripods, pairs} = tripods
    gait: u32,
    /// Bursts and rests [0, 1] = 0.3
    bursts: f32,
    /// Length of a stride [1, 1.45] = 1.4
    stride: f32,
    /// Duty: fraction of a step on the ground [0.5, 0.75] = 0.6
    duty: f32,
    /// Height of the body [0.36, 0.52] = 0.46
    height: f32,
    /// Bend of the legs [1, 1.2] = 1
    bend: f32,
    /// Mist [0, 3] = 1
    fog: f32,
    /// Height of the sun in degrees [4, 60] = 5
    sun_height: f32,
    /// Colour of deep water = #135a66
    water_color: vec3f,
}
@group(1) @binding(0) var<uniform> params: Params;

// ---- The wave field ------------------------------------------------------------

// The scene repeats after this time (seconds).
const LOOP_SECONDS: f32 = strider::LOOP_SECONDS;

// κ of `waves` at speed 1: waves of length 0.3 are 1.25 times as fast as long ones.
const DISPERSION: f32 = 0.0014;
const VISCOSITY: f32 = 0.004;
// Dips under the feet and under the pointer.
const DIP_DEPTH: f32 = 0.12;
const DIP_RADIUS: f32 = 0.28;
const FINGER_DEPTH: f32 = 0.13;
const FINGER_RADIUS: f32 = 0.43;
// Speed of the water at the centre of a drop.
const DROP_SPEED: f32 = 3.6;

// Rings present when the scene begins.
const RINGS: water::Rings = water::Rings(1.35, 18.0, 1.3);
const RING_HEIGHT: f32 = 0.040;

override fn wave_field::medium() -> waves::Medium {
    let c = params.wave_speed;
    return waves::medium_of(
        c, DISPERSION * c * c, params.damping, VISCOSITY, wave_field::CELL,
        wave_field::step_seconds());
}

override fn wave_field::centre() -> vec2f {
    return walker::body().position.xz;
}

override fn wave_field::stored_note() -> vec2f {
    return frame::per_frame_value(POINTER).xy;
}

// Striders signal to each other with their legs, in bursts of rings of one frequency in Hz, which
// gives a whole number of periods per loop.
const TREMBLE: f32 = 4.5;
const BURSTS: f32 = 0.65;

// Foot of a leg: xy = its place in world xz, z = how firmly it presses the water, 0 to 1, w = its
// load relative to that at rest. The press depends on the foot's height alone, so that all feet
// at the water have a dip.
fn pressing_foot(leg: u32) -> vec4f {
    let foot = walker::foot_at(leg, frame::loop_time(LOOP_SECONDS)).position;
    let press = 1.0 - smoothstep(0.0, 0.06, foot.y);
    let time = frame::TAU * frame::loop_time(LOOP_SECONDS);
    let burst = 0.6 + 0.4 * sin(BURSTS * time);
    let weight = 1.0 + params.stroke * burst * sin(TREMBLE * time);
    return vec4f(foot.xz, press, weight * press);
}

// Push of the feet on the cells of a block, at speed 1: the weight on each foot, and its
// stroke, which throws the water back. The middle legs row.
fn feet_push(cells: wave_field::Cells) -> vec4f {
    let ahead = walker::body().world_from_body[0].xz;
    let legs = select(walker::LEGS, 0u, params.wave_speed <= 0.0);
    var sum = vec4f(0.0);
    for (var leg = 0u; leg < legs; leg++) {
        let foot = frame::per_frame_value(FEET + leg);
        let x = (cells.x - foot.x) / DIP_RADIUS;
        let z = (cells.z - foot.y) / DIP_RADIUS;
        let q = x * x + z * z;
        let inside = max(1.0 - q, vec4f(0.0));
        let stroke = params.stroke * select(4.0, 16.0, walker::row_of(leg) == 1u);
        let thrown = -stroke * (x * ahead.x + z * ahead.y) * inside * inside;
        sum += foot.w * (waves::dip_push(q) + thrown);
    }
    return sum;
}

// Push of the feet and the pointer.
override fn wave_field::external_acceleration(cells: wave_field::Cells, previous_note: vec2f)
    -> vec4f {
    let pointer = frame::per_frame_value(POINTER);
    let speed_squared = wave_field::medium().tension * wave_field::CELL * wave_field::CELL;
    let by_feet = speed_squared * DIP_DEPTH / (DIP_RADIUS * DIP_RADIUS) * feet_push(cells);

    // Motion of the finger during this frame.
    let is_press = frame::frame.mouse.w > 0.0;
    var way = previous_note - pointer.xy;
    way.x -= terrain::PERIOD * round(way.x / terrain::PERIOD);
    way *= select(1.0, 0.0, is_press || dot(way, way) > 4.0);
    let x = cells.x - pointer.x;
    let z = cells.z - pointer.y;
    let along = clamp((x * way.x + z * way.y) / max(dot(way, way), 1e-8), vec4f(0.0), vec4f(1.0));
    let off_x = (x - along * way.x) / FINGER_RADIUS;
    let off_z = (z - along * way.y) / FINGER_RADIUS;
    let pressed = waves::dip_push(off_x * off_x + off_z * off_z);
    let depth = speed_squared * FINGER_DEPTH / (FINGER_RADIUS * FINGER_RADIUS);
    let kick = select(0.0, 0.5 * DROP_SPEED / (12.0 * wave_field::step_seconds()), is_press);
    return by_feet + pointer.z * (depth + kick) * pressed;
}

// Heights of a ring around `foot` at the cells of a block, `age` seconds after its start.
fn ring_heights(cells: wave_field::Cells, foot: vec2f, age: f32) -> vec4f {
    return vec4f(
        water::ring(vec2f(cells.x.x, cells.z.x) - foot, age, RINGS).x,
        water::ring(vec2f(cells.x.y, cells.z.y) - foot, age, RINGS).x,
        water::ring(vec2f(cells.x.z, cells.z.z) - foot, age, RINGS).x,
        water::ring(vec2f(cells.x.w, cells.z.w) - foot, age, RINGS).x,
    );
}

// Initial waves: rings of earlier steps, from the analytic formula, and dips under the feet.
override fn wave_field::initial_waves(cells: wave_field::Cells, is_start: bool)
    -> wave_field::Waves {
    let apart = 0.02;
    var heights = vec4f(0.0);
    var before = vec4f(0.0);
    var dips = vec4f(0.0);
    // Two rings per step: one from the touch-down, one from the lift-off. Only one
    // iteration of each loop unless the scene begins.
    for (var i = 0u; i < select(1u, 2u * strider::STEPS, is_start); i++) {
        let is_lift = (i & 1u) == 1u;
        let past = strider::past_step(i / 2u);
        let age = select(past.z, past.w, is_lift);
        let height = select(1.0, 0.6, is_lift) * RING_HEIGHT;
        heights += height * ring_heights(cells, past.xy, age);
        before += height * ring_heights(cells, past.xy, age - apart);
    }
    for (var leg = 0u; leg < select(1u, walker::LEGS, is_start); leg++) {
        let foot = frame::per_frame_value(FEET + leg);
        let x = (cells.x - foot.x) / DIP_RADIUS;
        let z = (cells.z - foot.y) / DIP_RADIUS;
        dips += foot.z * DIP_DEPTH * waves::dip(x * x + z * z);
    }
    return wave_field::Waves(heights + dips, (heights - before) / apart);
}

/// size 160x161
fn buffer_a(frag_coord: vec2f) -> vec4f {
    return wave_field::half_velocities(frag_coord);
}

/// size 160x161
fn buffer_b(frag_coord: vec2f) -> vec4f {
    return wave_field::half_heights(frag_coord);
}

/// size 160x161
fn buffer_c(frag_coord: vec2f) -> vec4f {
    return wave_field::velocities(frag_coord);
}

/// size 160x161
fn buffer_d(frag_coord: vec2f) -> vec4f {
    return wave_field::heights(frag_coord);
}

// ---- The water -----------------------------------------------------------------

const BREEZE: f32 = 0.0022;

// Slope and caustics of the surface. Light is concentrated or spread on the floor by the curvature
// of the surface where it enters (the determinant of the map from surface to floor).
override fn pool::surface_at(
    p: vec2f,
    width: f32,
    footprint: f32,
    is_entry: bool,
) -> pool::WaterPoint {
    // Far crests would line up in stripes, so they fade early.
    let breeze = water::wind(p, walker::now() / LOOP_SECONDS, 2.5 * footprint);
    let bend = (1.0 - pool::REFRACTION) * pool::water_properties().depth;
    let here = wave_field::surface_at(p, select(width, footprint, is_entry));
    let curvature = bend * here.curvature;
    let stretch = (1.0 + curvature.x) * (1.0 + curvature.y) - curvature.z * curvature.z;
    // Crests of the breeze focus the light into a web.
    let crest = 1.0 - min(abs(breeze.x + 0.15), 1.0);
    let web = 0.45 + 2.2 * crest * crest * crest * crest;
    // The sun is not a point, so caustic folds are soft. Waves let in more light of a low sun
    // than level water would. Dips cast a shadow.
    let strength = 0.5 + 0.18 / land::sunlight.direction.y;
    let light = web * strength * inverseSqrt(stretch * stretch + 0.33);
    let shade = exp(30.0 * min(here.height, 0.03));
    // Steep dips would show little but dark depths.
    let limited = here.slope * inverseSqrt(1.0 + 12.0 * dot(here.slope, here.slope));
    let slope = limited + BREEZE * breeze.yz;
    return pool::WaterPoint(slope, light * shade, abs(here.curvature.x) + abs(here.curvature.y));
}

override fn pool::water_properties() -> pool::Water {
    let deep = palette::linear_from_display(params.water_color);
    // Water absorbs most of the light that its colour lacks.
    let clear = deep / max(max(deep.x, max(deep.y, deep.z)), 1e-3);
    let absorption = mix(vec3f(0.75), vec3f(0.10), clear);
    return pool::Water(0.85, 0.55 * deep, absorption, vec3f(0.15, 0.29, 0.38), 0.0);
}

// ---- Light ---------------------------------------------------------------------

override fn land::sun() -> land::Sun {
    return land::Sun(evening::to_sun, 0.03, evening::sun_color);
}

override fn land::sky_light(n: vec3f) -> vec3f {
    return light::hemisphere(n, vec3f(0.40, 0.42, 0.52), vec3f(0.32, 0.24, 0.15));
}

override fn land::bounce() -> vec3f {
    return vec3f(0.30, 0.24, 0.16);
}

override fn land::haze(color: vec3f, direction: vec3f, distance: f32) -> vec3f {
    // Reeds and their mirror images are in front of the mist.
    let open = 1.0 - evening::reed_cover;
    return mix(color, evening::mist_color, evening::mist(direction, 1.0) * open * open);
}

override fn land::exposure() -> f32 {
    return 0.66;
}

// ---- The image -----------------------------------------------------------------

override fn strider::style() -> strider::Style {
    return strider::Style(
        1u, params.gait == 1u, params.bursts, params.stride, params.duty, params.height);
}

// Pile and legs glow: the sun is behind them.
override fn strider::appearance() -> strider::Appearance {
    return strider::Appearance(
        vec3f(0.3227, 0.2375, 0.1601), vec3f(0.8095, 0.6872, 0.4845), vec3f(0.8323, 0.6652, 0.3959),
        vec3f(0.4492, 0.3959, 0.3318), vec3f(1.7441, 1.3533, 0.9309), 0.2, params.bend);
}

// The tarsi of lifted legs hang.
override fn walker::foot_direction(leg: u32, foot: vec3f, usual: vec3f) -> vec3f {
    let lift = smoothstep(0.08, 0.22, foot.y + params.height);
    return usual - vec3f(0.0, 0.6 * lift, 0.0);
}

override fn walker::view(time: f32) -> camera::View {
    let w = frame::TAU / LOOP_SECONDS * time;
    let tan_half_fov = 0.286 * frame::narrow_view_factor(1.65) / frame::narrow_view_factor(1.0);
    return camera::View(
        0.98 + 0.30 * sin(w), 0.135 + 0.02 * sin(2.0 * w + 1.0), 6.6, 0.40, tan_half_fov);
}

// Point where the pointer touches the water: xy = xz of the world, z = 1, or 0 if there is none.
fn pointer_on_water(view_camera: camera::Camera, body: vec3f) -> vec3f {
    let direction = camera::ray_direction(view_camera, frame::centred(frame::frame.mouse.xy + 0.5));
    let t = view_camera.position.y / max(-direction.y, 0.01);
    let p = view_camera.position + t * direction;
    let is_held = frame::frame.mouse.z > 0.0 && direction.y < -0.01
        && distance(p.xz, body.xz) < 9.0;
    return vec3f(p.xz, select(0.0, 1.0, is_held));
}

// Indices of the pointer and of the feet in the frame data.
const POINTER: u32 = 63u;
const FEET: u32 = 64u;

fn per_frame(index: u32) -> vec4f {
    // The drift of the mist, which depends on the time, affects none of the values.
    evening::prepare(params.sun_height, params.fog, 0.0);
    let value = walker::per_frame(index);
    if index >= FEET && index < FEET + walker::LEGS {
        return pressing_foot(index - FEET);
    }
    let pointer = pointer_on_water(walker::frame_camera, walker::unposed_body.position);
    return select(value, vec4f(pointer, 0.0), index == POINTER);
}

fn main_image(frag_coord: vec2f) -> vec4f {
    evening::prepare(params.sun_height, params.fog, walker::now() / LOOP_SECONDS);
    wave_field::field = wave_field::current_field();
    strider::prepare();
    evening::view_y = camera::ray_direction(walker::current_camera(), frame::centred(frag_coord)).y;
    return pool::main_image(frag_coord);
}
