#define_import_path tarsus::herd::crowd

#import tarsus::coverage
#import tarsus::frame
#import tarsus::grid
#import tarsus::noise
#import tarsus::herd::swells
#import tarsus::walk

// A crowd of animals that walk toward +x over the `swells`, each inside its own cell of a
// lattice (`grid`) that moves with the crowd. This module places the animals; `quadruped`
// gives them legs, `crowd_rays` finds those that a ray meets, and `plain` renders the
// image. The stride length (`walk`) is relative to an animal's size.
//
// `loop_time` is the time in periods of the crowd: in each, it advances by `swells::LENGTH`
// along x, and then everything repeats.
//
// World space has x ahead, y up, z right; the body space of an animal is described at
// `Pose`. Lengths are in world units unless noted otherwise.

/// Formation and motion of a crowd.
struct Formation {
    /// Number of animals.
    count: f32,
    /// Size of a cell along x and z.
    cell: vec2f,
    /// Maximum distance of an animal's place from the centre of its cell, along x and z.
    jitter: vec2f,
    /// Maximum distance that an animal strays from its place while walking, along x and z.
    stray: vec2f,
    /// `grid::ring_index` of cells that stay empty; NO_GAP for none.
    gaps: mat2x4f,
}

/// Gap beyond every cell.
const NO_GAP: f32 = 1e9;

/// Formation and motion of the crowd.
virtual fn formation() -> Formation {
    return Formation(10000.0, vec2f(5.4, 3.5), vec2f(0.4, 0.7), vec2f(0.35, 0.45), mat2x4f(vec4f(NO_GAP), vec4f(NO_GAP)));
}

/// Constant properties of one animal.
struct Animal {
    /// Mean position relative to the crowd, xz.
    home: vec2f,
    /// World units per unit of its body space: 0.91 to 1.11, and CALF_SIZE times that for
    /// calves.
    size: f32,
    /// Deviation from `home`: xy = phases, zw = amplitudes relative to `Formation.stray`.
    stray: vec4f,
    /// Gait cycles per period, and phase of the cycle at the start of the period.
    strides: f32,
    phase: f32,
    /// Variation of colour and posture, 0 to 1.
    tint: f32,
}

/// Size of calves relative to the other animals.
const CALF_SIZE: f32 = 0.62;

/// True if an animal with this tint is a calf: one in ten.
fn is_calf(tint: f32) -> bool {
    return abs(tint - 0.55) < 0.05;
}

override fn grid::row_shift(row: f32) -> f32 {
    // Multiples of the golden ratio keep the shifts of nearby rows different.
    let x = 0.6180340 * row + 0.5;
    return x - floor(x) - 0.5;
}

/// Cell at a point of the xz plane.
fn cell_at(p: vec2f, loop_time: f32) -> vec2f {
    return grid::cell_at(p - vec2f(swells::LENGTH * loop_time, 0.0), formation().cell);
}

/// True if a cell contains an animal.
fn is_taken(cell: vec2f) -> bool {
    let index = vec4f(grid::ring_index(cell));
    let gaps = formation().gaps;
    let earlier_gaps = dot(step(gaps[0], index) + step(gaps[1], index), vec4f(1.0));
    return all(index != gaps[0]) && all(index != gaps[1]) && index.x - earlier_gaps < formation().count;
}

/// Degree to which an animal at `home` gives way, from -1 (as far to the left as its cell
/// allows) to 1 (to the right).
virtual fn evasion(home: vec2f) -> f32 {
    return 0.0;
}

/// Animal of a cell.
fn animal_in(cell: vec2f) -> Animal {
    let crowd_formation = formation();
    let corner = vec2u(vec2i(cell));
    let random = noise::random_of(corner.x * 0x85EBCA77u + corner.y * 0xC2B2AE3Du);
    // Each random number yields two: a digit and the remainder.
    let first = floor(vec4f(5.0, 64.0, 64.0, 64.0) * random);
    let remainder = vec4f(5.0, 64.0, 64.0, 64.0) * random - first;
    // Whole numbers of strides per period, so that the walk repeats; larger animals take
    // fewer and longer ones.
    let growth = select(1.0, CALF_SIZE, is_calf(remainder.x));
    let smallness = (19.0 + first.x) / 21.0 / growth;
    let strides = round(swells::LENGTH / walk::stride().length * smallness);
    let jitter = (remainder.yz - 0.5) * 2.0 * crowd_formation.jitter;
    let centre = grid::cell_centre(cell, crowd_formation.cell);
    let way = evasion(centre + jitter);
    // Beside its place, an animal has no room to stray.
    let aside = 0.34 * crowd_formation.cell.y * sign(way);
    return Animal(
        centre + vec2f(jitter.x, mix(jitter.y, aside, abs(way))),
        1.0 / smallness,
        vec4f(random.yz, growth * (0.5 + 0.5 * vec2f(remainder.w, random.z)) * (1.0 - abs(way))),
        strides,
        random.w,
        remainder.x,
    );
}

/// Position and heading of an animal at a time.
fn course_at(animal: Animal, loop_time: f32) -> walk::Place {
    let stray = formation().stray * animal.stray.zw;
    let along = loop_time + animal.stray.x;
    let across = 2.0 * loop_time + animal.stray.y;
    let sway = vec2f(stray.x * swells::wave(along), stray.y * swells::wave(across));
    let place = animal.home + vec2f(swells::LENGTH * loop_time, 0.0) + sway;
    // Direction of the velocity without the small variation of its x component.
    let sideways = 2.0 * frame::TAU * stray.y * swells::wave(across + 0.25);
    return walk::Place(place, normalize(vec2f(swells::LENGTH, sideways)));
}

/// Number of gait cycles that an animal has walked.
fn cycle_of(animal: Animal, loop_time: f32) -> f32 {
    return loop_time * animal.strides + animal.phase;
}

/// Position and orientation of an animal. Body space has x ahead, y up and z right, its
/// origin on the ground below the body, and the animal's size as its unit of length.
struct Pose {
    origin: vec3f,
    ahead: vec2f,
    /// Cosine and sine of the body's upward pitch.
    pitch: vec2f,
    size: f32,
}

/// Height of the body above its mean, in body space, after `cycle` gait cycles.
virtual fn rise(cycle: f32) -> f32 {
    return 0.018 * swells::wave(2.0 * cycle + 0.6);
}

/// Pose of an animal at a time.
fn pose_at(animal: Animal, loop_time: f32) -> Pose {
    let here = course_at(animal, loop_time);
    let half = 0.55 * animal.size * here.ahead;
    let front = swells::height(here.point + half);
    let rear = swells::height(here.point - half);
    let lifted = 0.5 * (front + rear) + animal.size * rise(cycle_of(animal, loop_time));
    let climb = 0.5 * (front - rear) / (0.55 * animal.size);
    let pitch = vec2f(1.0, climb) * inverseSqrt(1.0 + climb * climb);
    return Pose(vec3f(here.point.x, lifted, here.point.y), here.ahead, pitch, animal.size);
}

/// Rotates a vector from world space into body space, keeping its length.
fn rotate_to_body(pose: Pose, v: vec3f) -> vec3f {
    let level = dot(v.xz, pose.ahead);
    let right = dot(v.xz, walk::right_of(pose.ahead));
    return vec3f(
        pose.pitch.x * level + pose.pitch.y * v.y,
        pose.pitch.x * v.y - pose.pitch.y * level,
        right,
    );
}

/// Rotates a vector from body space into world space, keeping its length.
fn rotate_to_world(pose: Pose, v: vec3f) -> vec3f {
    let level = pose.pitch.x * v.x - pose.pitch.y * v.y;
    let xz = level * pose.ahead + v.z * walk::right_of(pose.ahead);
    return vec3f(xz.x, pose.pitch.y * v.x + pose.pitch.x * v.y, xz.y);
}

/// Transforms a point from world space into body space.
fn to_body(pose: Pose, p: vec3f) -> vec3f {
    return rotate_to_body(pose, p - pose.origin) / pose.size;
}

/// Transforms a point from body space into world space.
fn to_world(pose: Pose, p: vec3f) -> vec3f {
    return pose.origin + rotate_to_world(pose, p * pose.size);
}

/// Transforms a beam from world space into body space.
fn beam_in_body(pose: Pose, beam: coverage::Beam) -> coverage::Beam {
    return coverage::Beam(
        to_body(pose, beam.origin),
        rotate_to_body(pose, beam.direction),
        beam.width / pose.size,
        beam.spread,
    );
}

/// Density of the dust that the hooves of the animal of p's cell raise, 0 to 1, at p on the
/// ground: a trail behind it that stays inside the cell.
fn dust_at(p: vec2f, loop_time: f32) -> f32 {
    let cell = cell_at(p, loop_time);
    let animal = animal_in(cell);
    let here = course_at(animal, loop_time);
    let offset = (p - here.point) / animal.size;
    let ahead = dot(offset, here.ahead);
    let beside = dot(offset, walk::right_of(here.ahead));
    let trail = smoothstep(-2.4, -0.9, ahead) * smoothstep(1.1, 0.2, ahead);
    let side = max(1.0 - beside * beside / 0.5, 0.0);
    // Clouds that stay where they were raised.
    let cloud = noise::value_noise(p * 3.2, 127u, 11u).x;
    return select(0.0, trail * side * smoothstep(-0.6, 0.5, cloud), is_taken(cell));
}

// Distance from the border of a cell over which the shade of its animal ends; animals keep about
// as far from it.
const BORDER: f32 = 0.55;

/// Fraction of the sky's light that reaches the ground at p past the animal of p's cell.
fn ambient_occlusion_at(p: vec2f, loop_time: f32) -> f32 {
    let cell = cell_at(p, loop_time);
    let animal = animal_in(cell);
    let here = course_at(animal, loop_time);
    let offset = (p - here.point) / animal.size;
    let q = vec2f(dot(offset, here.ahead), dot(offset, walk::right_of(here.ahead)));
    let under = exp(-dot(q * q, vec2f(0.9, 2.6)));
    let size = formation().cell;
    let from_centre = p - vec2f(swells::LENGTH * loop_time, 0.0) - grid::cell_centre(cell, size);
    let inside = min((0.5 * size - abs(from_centre)) / BORDER, vec2f(1.0));
    return 1.0 - 0.5 * under * select(0.0, inside.x * inside.y, is_taken(cell));
}
