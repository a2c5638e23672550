// The herd: ten thousand antelopes cross a plain toward the evening.
//
// Each animal walks inside a cell of a lattice that moves with the herd. A ray walks from cell
// to cell (grid) and tests the bounds of each cell's animal. Only an animal that it may hit is
// computed: its feet (gait), legs (ik) and the coverage of its parts (coverage). So a picture
// of ten thousand costs little more than a picture of one.
//
// Spaces: the world has x ahead, y up, z right; the body space of an animal is described at
// `Pose`. Lengths are in world units unless said otherwise.

#import tarsus::{bits, bounds, camera, coverage, frame, gait, grid, ik}
#import tarsus::{lens, light, noise, palette, path, sdf, shading}

struct Params {
    /// Animals [1, 10000] = 10000
    count: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

// The scene repeats after this time (seconds), in which the herd moves by LOOP_DISTANCE along
// x; the ground repeats every LOOP_DISTANCE.
const LOOP_SECONDS: f32 = 24.0;
const LOOP_DISTANCE: f32 = 40.0;

// Size of a cell along x and z.
const CELL_SIZE: vec2f = vec2f(5.4, 3.5);

// `loop_phase` is the time in loops: 1 is LOOP_SECONDS.

// ---- The ground ----------------------------------------------------------------

// Upper bounds of the ground's height and depth (HIGHEST) and slope (STEEPEST).
const HIGHEST: f32 = 1.25;
const STEEPEST: f32 = 0.22;

// sin(2π x) with an error of about 0.001: a parabola per half wave, corrected once.
fn wave(x: f32) -> f32 {
    let x_centred = x - floor(x) - 0.5;
    let arc = x_centred * (16.0 * abs(x_centred) - 8.0);
    return arc * (0.775 + 0.225 * abs(arc));
}

// Wave vectors of the swells, in waves per unit of length (along x: whole numbers of waves in
// LOOP_DISTANCE), and their amplitudes.
const SWELL_A: vec2f = vec2f(0.025, 0.0164);
const SWELL_B: vec2f = vec2f(-0.050, 0.0270);
const SWELL_C: vec2f = vec2f(0.0, 0.0119);
const SWELLS: vec3f = vec3f(0.50, 0.20, 0.50);

// Phases of the swells at p, in waves.
fn swell_phases(p: vec2f) -> vec3f {
    return vec3f(dot(SWELL_A, p), dot(SWELL_B, p) + 0.3, dot(SWELL_C, p) + 0.6);
}

// Height of the ground at a point of the xz plane.
fn ground(p: vec2f) -> f32 {
    let phase = swell_phases(p);
    return dot(SWELLS, vec3f(wave(phase.x), wave(phase.y), wave(phase.z)));
}

// Slope of the ground (dh/dx, dh/dz).
fn ground_slope(p: vec2f) -> vec2f {
    let phase = swell_phases(p) + 0.25;
    let steep = path::TAU * SWELLS * vec3f(wave(phase.x), wave(phase.y), wave(phase.z));
    return steep.x * SWELL_A + steep.y * SWELL_B + steep.z * SWELL_C;
}

// Distance along a ray from above the ground to the ground; `t_far` if it is not met before.
// `direction` is a unit vector.
fn trace(origin: vec3f, direction: vec3f, t_far: f32) -> f32 {
    let fall = -direction.y;
    if fall <= 0.0 {
        return t_far;
    }
    var t = max((origin.y - HIGHEST) / fall, 0.0);
    let step_scale = 1.0 / (fall + STEEPEST * length(direction.xz));
    var gap = 1.0;
    for (var i = 0; i < 40 && t < t_far && gap > 0.0003 * t; i++) {
        let p = origin + t * direction;
        gap = p.y - ground(p.xz);
        lens::count_step();
        t += max(step_scale * gap, 0.0);
    }
    return min(t, t_far);
}

// ---- The animals -----------------------------------------------------------------

// What is constant of one animal.
struct Animal {
    // Mean position relative to the herd, xz.
    home: vec2f,
    // Length of a unit of its body space.
    size: f32,
    // Deviation from `home`: xy = phases, zw = amplitudes relative to STRAY, along and across.
    stray: vec4f,
    // Gait cycles in a loop, and phase of the cycle at its start.
    strides: f32,
    phase: f32,
    // Colour of the fur, 0 to 1.
    tint: f32,
}

override fn grid::row_shift(row: f32) -> f32 {
    // Multiples of the golden ratio: no two near rows have the same shift.
    let x = 0.6180340 * row + 0.5;
    return x - floor(x) - 0.5;
}

// The animal of a cell.
fn animal_in(cell: vec2f) -> Animal {
    let corner = vec2u(vec2i(cell));
    let random = noise::random_of(corner.x * 0x85EBCA77u + corner.y * 0xC2B2AE3Du);
    // Each random number gives two: a digit and the remainder.
    let first = floor(vec4f(5.0, 64.0, 64.0, 64.0) * random);
    let remainder = vec4f(5.0, 64.0, 64.0, 64.0) * random - first;
    // Whole numbers of strides in a loop, so that the walk repeats: larger animals make fewer
    // and longer ones.
    let strides = 19.0 + first.x;
    let jitter = (remainder.yz - 0.5) * vec2f(0.8, 1.4);
    return Animal(
        grid::cell_centre(cell, CELL_SIZE) + jitter,
        21.0 / strides,
        vec4f(random.yz, 0.5 + 0.5 * vec2f(remainder.w, random.z)),
        strides,
        random.w,
        remainder.x,
    );
}

// Position of an animal on the ground and its heading (unit vector), xz of the world.
struct Course {
    place: vec2f,
    ahead: vec2f,
}

// Largest deviation of an animal from its mean position in the herd, along x and z.
const STRAY: vec2f = vec2f(0.35, 0.45);

fn course(animal: Animal, loop_phase: f32) -> Course {
    let stray = STRAY * animal.stray.zw;
    let along = loop_phase + animal.stray.x;
    let across = 2.0 * loop_phase + animal.stray.y;
    let place = animal.home
        + vec2f(LOOP_DISTANCE * loop_phase + stray.x * wave(along), stray.y * wave(across));
    // Along the velocity without the small variation of its x component.
    let sideways = 2.0 * path::TAU * stray.y * wave(across + 0.25);
    return Course(place, normalize(vec2f(LOOP_DISTANCE, sideways)));
}

// Position and orientation of an animal. Its body space has x ahead, y up and z to the right,
// its origin on the ground below the body, and the animal's size as unit of length.
struct Pose {
    origin: vec3f,
    ahead: vec2f,
    // Cosine and sine of the angle by which the body pitches up.
    pitch: vec2f,
    size: f32,
}

// Number of gait cycles that an animal has walked.
fn cycle_of(animal: Animal, loop_phase: f32) -> f32 {
    return loop_phase * animal.strides + animal.phase;
}

fn pose_at(animal: Animal, loop_phase: f32) -> Pose {
    let here = course(animal, loop_phase);
    let half = 0.55 * animal.size * here.ahead;
    let front = ground(here.place + half);
    let rear = ground(here.place - half);
    // The body sinks a little with every step of the fore legs.
    let bob = 0.018 * animal.size * wave(2.0 * cycle_of(animal, loop_phase) + 0.6);
    let rise = 0.5 * (front - rear) / (0.55 * animal.size);
    let pitch = vec2f(1.0, rise) * inverseSqrt(1.0 + rise * rise);
    let origin = vec3f(here.place.x, 0.5 * (front + rear) + bob, here.place.y);
    return Pose(origin, here.ahead, pitch, animal.size);
}

// A vector of the world rotated into body space, of the same length.
fn rotate_to_body(pose: Pose, v: vec3f) -> vec3f {
    let level = dot(v.xz, pose.ahead);
    let right = dot(v.xz, path::right_of(pose.ahead));
    return vec3f(
        pose.pitch.x * level + pose.pitch.y * v.y,
        pose.pitch.x * v.y - pose.pitch.y * level,
        right,
    );
}

// A vector of body space rotated into the world, of the same length.
fn rotate_to_world(pose: Pose, v: vec3f) -> vec3f {
    let level = pose.pitch.x * v.x - pose.pitch.y * v.y;
    let xz = level * pose.ahead + v.z * path::right_of(pose.ahead);
    return vec3f(xz.x, pose.pitch.y * v.x + pose.pitch.x * v.y, xz.y);
}

// A point of the world in body space.
fn to_body(pose: Pose, p: vec3f) -> vec3f {
    return rotate_to_body(pose, p - pose.origin) / pose.size;
}

// A point of body space in the world.
fn to_world(pose: Pose, p: vec3f) -> vec3f {
    return pose.origin + rotate_to_world(pose, p * pose.size);
}

fn beam_in_body(pose: Pose, beam: coverage::Beam) -> coverage::Beam {
    return coverage::Beam(
        to_body(pose, beam.origin),
        rotate_to_body(pose, beam.direction),
        beam.width / pose.size,
        beam.spread,
    );
}

// ---- Legs ------------------------------------------------------------------------

// Legs are numbered 0 and 1 on the left, front and hind, 2 and 3 on the right.
const LEGS: u32 = 4u;
const DUTY: f32 = 0.64;
const LIFT: f32 = 0.26;
const LENGTHS: ik::LegLengths = ik::LegLengths(0.0, 0.74, 0.88, 0.16);

fn is_hind(leg: u32) -> bool {
    return (leg & 1u) == 1u;
}

fn side_of(leg: u32) -> f32 {
    return select(-1.0, 1.0, leg >= 2u);
}

// A lateral-sequence walk: left hind, left front, right hind, right front, a quarter apart.
fn phase_of(leg: u32) -> f32 {
    return select(0.75, 0.0, is_hind(leg)) + select(0.0, 0.5, leg >= 2u);
}

// Neutral position of a foot (x ahead, y right), in body space.
fn neutral_foot_of(leg: u32) -> vec2f {
    return vec2f(select(0.54, -0.56, is_hind(leg)), 0.15 * side_of(leg));
}

// Position of a leg's `hip` joint in body space: shoulder in front, hip behind.
fn hip_of(leg: u32) -> vec3f {
    return vec3f(select(0.50, -0.56, is_hind(leg)), 1.50, 0.13 * side_of(leg));
}

// State of one foot; the position is in world space.
struct Foot {
    position: vec3f,
    stance: bool,
}

// Foothold of step `index`, xz of the world: the foot's neutral position where the animal is in
// the middle of that stance. It is constant during the stance, so the foot does not slide.
fn foothold(animal: Animal, leg: u32, phase: f32, index: f32) -> vec2f {
    let there = course(animal, (index - phase + 0.5 * DUTY) / animal.strides);
    let neutral_foot = animal.size * neutral_foot_of(leg);
    return there.place + neutral_foot.x * there.ahead
        + neutral_foot.y * path::right_of(there.ahead);
}

fn foot_at(animal: Animal, leg: u32, loop_phase: f32) -> Foot {
    let phase = animal.phase + phase_of(leg);
    let walk = gait::Gait(
        1.0 / animal.strides, DUTY, LOOP_DISTANCE / animal.strides, LIFT * animal.size);
    let step = gait::step_at(loop_phase, walk, phase);
    let here = foothold(animal, leg, phase, step.index);
    let there = foothold(animal, leg, phase, step.index + 1.0);
    let over = select(mix(here, there, gait::swing_travel(step.swing)), here, step.stance);
    let height = ground(over) + walk.lift * gait::swing_height(step.swing);
    return Foot(vec3f(over.x, height, over.y), step.stance);
}

// The leg to a foot of body space, in the plane through hip and foot that contains the x axis.
// The joint `knee` is the carpus (wrist) of a foreleg, which bends forward, and the hock (ankle)
// of a hind leg, which bends backward.
fn leg_to(foot: vec3f, leg: u32) -> ik::Leg {
    let hip = hip_of(leg);
    let back = select(vec3f(-0.307, 0.952, 0.0), vec3f(-0.411, 0.912, 0.0), is_hind(leg));
    let hoof = LENGTHS.tarsus * back;
    let ankle = foot + hoof - hip;
    let down = length(ankle.yz);
    let below = vec3f(0.0, ankle.yz / down);
    let bend = select(1.0, -1.0, is_hind(leg));
    let bones = ik::solve2_clamp(vec2f(ankle.x, -down), LENGTHS.femur, LENGTHS.tibia, bend);
    let knee = hip + vec3f(bones.mid.x, 0.0, 0.0) - bones.mid.y * below;
    let end = hip + vec3f(bones.end.x, 0.0, 0.0) - bones.end.y * below;
    return ik::Leg(hip, hip, knee, end, end - hoof, bones.reached);
}

// ---- Coverage of one animal --------------------------------------------------------

// Sums over the animals that a beam has hit so far, front to back.
struct HerdHit {
    // Fraction of the beam's width that is not covered yet.
    uncovered: f32,
    // Sums, each weighted by coverage; the normal is in world space.
    distance: f32,
    normal: vec3f,
    albedo: vec3f,
}

const NO_HIT: HerdHit = HerdHit(1.0, 0.0, vec3f(0.0), vec3f(0.0));

// Result of testing a beam against the parts of one animal, in its body space.
struct AnimalHit {
    uncovered: f32,
    // End of the beam, and the rank of `hit`: the part with the lowest rank is the one that is
    // shaded, which prefers near parts and large coverage.
    t_end: f32,
    rank: f32,
    hit: coverage::BeamHit,
    // FUR, SHANK, FACE or HORN, of that part.
    material: u32,
}

const FUR: u32 = 0u;
const SHANK: u32 = 1u;
const FACE: u32 = 2u;
const HORN: u32 = 3u;

// The result with one more part.
fn add_part(found: AnimalHit, other: coverage::BeamHit, material: u32) -> AnimalHit {
    if other.coverage <= 0.0 || other.distance > found.t_end {
        return found;
    }
    let uncovered = found.uncovered * (1.0 - other.coverage);
    let rank = other.distance - 4.0 * other.coverage;
    if rank < found.rank {
        return AnimalHit(uncovered, found.t_end, rank, other, material);
    }
    return AnimalHit(uncovered, found.t_end, found.rank, found.hit, found.material);
}

// Ellipsoids of the trunk: centre and half axes, in body space.
const BARREL: vec3f = vec3f(-0.04, 1.62, 0.0);
const BARREL_SIZE: vec3f = vec3f(0.82, 0.30, 0.24);
const CHEST: vec3f = vec3f(0.42, 1.60, 0.0);
const CHEST_SIZE: vec3f = vec3f(0.40, 0.37, 0.24);
const RUMP: vec3f = vec3f(-0.55, 1.63, 0.0);
const RUMP_SIZE: vec3f = vec3f(0.36, 0.33, 0.25);
const WITHERS: vec3f = vec3f(0.56, 1.68, 0.0);

// The poll (joint of neck and head) in body space: the head nods twice in a cycle.
fn poll_at(cycle: f32) -> vec3f {
    let nod = 0.035 * wave(2.0 * cycle + 0.1);
    return vec3f(1.04 + 0.4 * nod, 2.20 + nod, 0.0);
}

// Points of the head relative to the poll; those of horns and ears for the right side.
const MUZZLE: vec3f = vec3f(0.33, -0.24, 0.0);
const HORN_ROOT: vec3f = vec3f(-0.02, 0.08, 0.05);
const HORN_TIP: vec3f = vec3f(-0.44, 0.74, 0.17);
const EAR_ROOT: vec3f = vec3f(-0.08, 0.05, 0.05);
const EAR_TIP: vec3f = vec3f(-0.19, 0.14, 0.20);

// The beam (body space) against all parts but the legs.
fn trunk_hit(beam: coverage::Beam, t_end: f32, cycle: f32) -> AnimalHit {
    let poll = poll_at(cycle);
    var found = AnimalHit(1.0, t_end, 1e9, coverage::BeamHit(0.0, 0.0, vec3f(0.0, 1.0, 0.0)), FUR);
    found = add_part(found, coverage::ellipsoid(beam, BARREL, BARREL_SIZE), FUR);
    found = add_part(found, coverage::ellipsoid(beam, CHEST, CHEST_SIZE), FUR);
    found = add_part(found, coverage::ellipsoid(beam, RUMP, RUMP_SIZE), FUR);
    found = add_part(found, coverage::tapered_capsule(beam, WITHERS, poll, 0.25, 0.105), FUR);
    found = add_part(
        found, coverage::tapered_capsule(beam, poll, poll + MUZZLE, 0.115, 0.06), FACE);
    let tail = vec3f(-0.98, 1.05, 0.10 * wave(cycle));
    found = add_part(
        found, coverage::tapered_capsule(beam, vec3f(-0.88, 1.72, 0.0), tail, 0.03, 0.05), SHANK);
    return add_horn_and_ear(add_horn_and_ear(found, beam, poll, -1.0), beam, poll, 1.0);
}

// The sums with the horn and the ear of a side: -1 left, 1 right.
fn add_horn_and_ear(hit: AnimalHit, beam: coverage::Beam, poll: vec3f, side: f32) -> AnimalHit {
    let mirror = vec3f(1.0, 1.0, side);
    let root = poll + HORN_ROOT * mirror;
    let found = add_part(
        hit, coverage::tapered_capsule(beam, root, poll + HORN_TIP * mirror, 0.030, 0.006), HORN);
    let base = poll + EAR_ROOT * mirror;
    return add_part(
        found, coverage::tapered_capsule(beam, base, poll + EAR_TIP * mirror, 0.045, 0.018), FUR);
}

// Contribution of one ellipsoid to the blended normal: xyz = its gradient times its weight,
// w = its weight. `q` is the point relative to the centre, in units of the half axes `size`.
fn bulge(q: vec3f, size: vec3f) -> vec4f {
    let near = 1.0 / max(dot(q, q), 0.05);
    let strength = near * near * near;
    return vec4f(strength * near * q / size, strength);
}

// Unit normal at p of the trunk's surface with its parts blended into each other; `normal` is
// that of the part alone. Weights fall with the sixth power of the distance (metaballs).
fn blended_normal(p: vec3f, normal: vec3f, poll: vec3f) -> vec3f {
    let along = sdf::along_segment(p, WITHERS, poll);
    let girth = vec3f(mix(0.25, 0.105, along));
    let sum = bulge((p - BARREL) / BARREL_SIZE, BARREL_SIZE)
        + bulge((p - CHEST) / CHEST_SIZE, CHEST_SIZE)
        + bulge((p - RUMP) / RUMP_SIZE, RUMP_SIZE)
        + bulge((p - mix(WITHERS, poll, along)) / girth, girth);
    // Away from the trunk a part keeps its own normal.
    let blended = sum.xyz * inverseSqrt(max(dot(sum.xyz, sum.xyz), 1e-8));
    return normalize(mix(normal, blended, smoothstep(0.55, 0.85, sum.w)));
}

// Albedo at p of body space.
fn albedo_at(p: vec3f, material: u32, tint: f32, poll: vec3f) -> vec3f {
    let sand = mix(vec3f(0.34, 0.20, 0.10), vec3f(0.17, 0.085, 0.04), smoothstep(0.25, 0.75, tint));
    let fur = mix(sand, vec3f(0.58, 0.47, 0.35), smoothstep(0.80, 0.90, tint));
    let pale = mix(fur, vec3f(0.66, 0.58, 0.48), 0.85);
    let dark = vec3f(0.045, 0.032, 0.026);
    // A dark band along the flank over a pale belly, and a pale rump.
    let flank = p.y + 0.05 * p.x;
    let band = smoothstep(1.40, 1.44, flank) * (1.0 - smoothstep(1.50, 1.56, flank));
    var hide = mix(pale, fur, smoothstep(1.38, 1.44, flank));
    let along = smoothstep(-0.62, -0.45, p.x) * (1.0 - smoothstep(0.40, 0.60, p.x));
    hide = mix(hide, dark, 0.8 * band * along);
    hide = mix(hide, pale, smoothstep(0.80, 0.88, -p.x));
    let shank = mix(dark, fur, smoothstep(0.70, 1.20, p.y));
    let stripe = smoothstep(0.035, 0.06, abs(p.z));
    let distance = vec3f(p.xy, abs(p.z)) - poll - vec3f(0.08, 0.0, 0.10);
    let eye = smoothstep(0.026, 0.034, length(distance));
    let face = mix(dark, mix(fur, pale, 0.5), stripe) * eye;
    let flesh = select(hide, shank, material == SHANK);
    return select(select(flesh, face, material == FACE), vec3f(0.03, 0.026, 0.024), material == HORN);
}

// Span of a ray in a slab, for one axis: x = t_near, y = t_far. `inverse` is 1 / direction.
fn within(o: f32, inverse: f32, middle: f32, half: f32) -> vec2f {
    let to_middle = (middle - o) * inverse;
    let to_side = half * abs(inverse);
    return vec2f(to_middle - to_side, to_middle + to_side);
}

// True if the three spans have a common point at t ≥ 0.
fn meets(a: vec2f, b: vec2f, c: vec2f) -> bool {
    return max(max(a.x, b.x), max(c.x, 0.0)) <= min(a.y, min(b.y, c.y));
}

// Box that contains a leg in every pose, in body space: its centre (mirrored for left and hind
// legs) and half its edges.
const LEG_MIDDLE: vec3f = vec3f(0.54, 0.74, 0.14);
const LEG_HALF_SIZE: vec3f = vec3f(0.81, 0.84, 0.14);

// Capsule that contains head, ears and horns in every pose, in body space.
const HEAD_LOW: vec3f = vec3f(1.27, 2.08, 0.0);
const HEAD_HIGH: vec3f = vec3f(0.66, 2.85, 0.0);
const HEAD_RADIUS: f32 = 0.31;

// True if a ray (unit direction) comes within `radius` of the segment a–b.
fn touches(o: vec3f, d: vec3f, a: vec3f, b: vec3f, radius: f32) -> bool {
    let ab = b - a;
    let oa = o - a;
    let ab_along = dot(ab, d);
    let s = (dot(ab, oa) - ab_along * dot(d, oa)) / max(dot(ab, ab) - ab_along * ab_along, 1e-6);
    let gap = clamp(s, 0.0, 1.0) * ab - oa;
    let offset = gap - max(dot(gap, d), 0.0) * d;
    return dot(offset, offset) < radius * radius;
}

// True if a ray comes within `margin` of an ellipsoid around trunk and tail.
fn touches_trunk(o: vec3f, d: vec3f, margin: f32) -> bool {
    let size = vec3f(1.06, 0.46, 0.28) + margin;
    let start = (o - vec3f(-0.08, 1.60, 0.0)) / size;
    let along = d / size;
    let closest = start + max(-dot(start, along) / dot(along, along), 0.0) * along;
    return dot(closest, closest) < 1.0;
}

// Parts of an animal, one bit each: bit n for leg n, and TRUNK for trunk, neck and head.
const ALL_LEGS: u32 = 15u;
const TRUNK: u32 = 16u;
const ALL_PARTS: u32 = 31u;

// The parts that a beam of body space may hit before `t_end`.
fn part_candidates(beam: coverage::Beam, t_end: f32) -> u32 {
    let o = beam.origin;
    let d = beam.direction;
    let margin = 0.5 * coverage::width_at(beam, t_end);
    let inverse = 1.0 / select(d, vec3f(1e-7), abs(d) < vec3f(1e-7));
    let half = LEG_HALF_SIZE + margin;
    let low = within(o.y, inverse.y, LEG_MIDDLE.y, half.y);
    let front = within(o.x, inverse.x, LEG_MIDDLE.x, half.x);
    let hind = within(o.x, inverse.x, -LEG_MIDDLE.x, half.x);
    let left = within(o.z, inverse.z, -LEG_MIDDLE.z, half.z);
    let right = within(o.z, inverse.z, LEG_MIDDLE.z, half.z);
    let trunk = touches_trunk(o, d, margin)
        || touches(o, d, WITHERS, vec3f(1.05, 2.22, 0.0), 0.26 + margin)
        || touches(o, d, HEAD_LOW, HEAD_HIGH, HEAD_RADIUS + margin);
    return select(0u, 1u, meets(low, front, left))
        | select(0u, 2u, meets(low, hind, left))
        | select(0u, 4u, meets(low, front, right))
        | select(0u, 8u, meets(low, hind, right))
        | select(0u, TRUNK, trunk);
}

// An animal that a beam may hit.
struct Candidate {
    animal: Animal,
    pose: Pose,
    // Its parts that the beam may hit; 0 if there is no such animal.
    parts: u32,
    // Distance at which the beam leaves the cell.
    t_exit: f32,
}

// The sums with one more animal. The beam is in world space and ends at `t_end`.
fn add_animal(
    total: HerdHit,
    candidate: Candidate,
    loop_phase: f32,
    beam_in_world: coverage::Beam,
    t_end: f32,
) -> HerdHit {
    let animal = candidate.animal;
    let pose = candidate.pose;
    lens::count_step();
    let beam = beam_in_body(pose, beam_in_world);
    let cycle = cycle_of(animal, loop_phase);
    var found = trunk_hit(beam, t_end / pose.size, cycle);
    // Only the candidates among the legs, lowest bit first.
    for (var legs = candidate.parts & ALL_LEGS; legs != 0u; legs &= legs - 1u) {
        let leg = bits::lowest(legs);
        let bones = leg_to(to_body(pose, foot_at(animal, leg, loop_phase).position), leg);
        let thigh = select(0.115, 0.15, is_hind(leg));
        found = add_part(
            found, coverage::tapered_capsule(beam, bones.hip, bones.knee, thigh, 0.058), SHANK);
        found = add_part(
            found, coverage::tapered_capsule(beam, bones.knee, bones.ankle, 0.056, 0.034), SHANK);
        found = add_part(
            found, coverage::tapered_capsule(beam, bones.ankle, bones.foot, 0.036, 0.050), SHANK);
    }
    let hit = found.hit;
    let p = beam.origin + hit.distance * beam.direction;
    let poll = poll_at(cycle);
    let normal = select(blended_normal(p, hit.normal, poll), hit.normal, found.material >= FACE);
    let covered = total.uncovered * (1.0 - found.uncovered);
    return HerdHit(
        total.uncovered * found.uncovered,
        total.distance + covered * hit.distance * pose.size,
        total.normal + covered * rotate_to_world(pose, normal),
        total.albedo + covered * albedo_at(p, found.material, animal.tint, poll),
    );
}

// ---- From cell to cell ---------------------------------------------------------------

// Upper bound of the height of any part of an animal above the ground below it.
const TALLEST: f32 = 3.5;

// The first animal that a beam may hit in the cells from `t_begin` to `t_end`.
fn next_candidate(beam: coverage::Beam, t_begin: f32, t_end: f32, loop_phase: f32) -> Candidate {
    let from_herd = beam.origin.xz - vec2f(LOOP_DISTANCE * loop_phase, 0.0);
    let along = beam.direction.xz;
    var next: Candidate;
    next.t_exit = t_begin;
    next.parts = 0u;
    while next.t_exit < t_end && next.parts == 0u {
        // Just past the border; animals keep a larger distance from it.
        let t = next.t_exit + 0.01;
        let cell = grid::cell_at(from_herd + t * along, CELL_SIZE);
        next.t_exit = max(grid::exit_distance(from_herd, along, cell, CELL_SIZE), t);
        lens::count_step();
        next.animal = animal_in(cell);
        next.pose = pose_at(next.animal, loop_phase);
        let parts = part_candidates(beam_in_body(next.pose, beam), next.t_exit / next.pose.size);
        next.parts = select(0u, parts, grid::ring_order(cell) < f32(params.count));
    }
    return next;
}

#ifdef REFERENCE
// Sums over the animals that a beam hits between `t_begin` and `t_end`. The reference: each of
// up to 16 passes tests all animals for the nearest one behind the last.
fn intersect_herd(beam: coverage::Beam, t_begin: f32, t_end: f32, loop_phase: f32) -> HerdHit {
    var total = NO_HIT;
    let rings = grid::ring_count(f32(params.count));
    var last = -1e9;
    for (var pass_number = 0; pass_number < 16; pass_number++) {
        var nearest = 1e9;
        var next: Candidate;
        for (var row = -rings; row <= rings; row += 1.0) {
            for (var column = -rings; column <= rings; column += 1.0) {
                let cell = vec2f(column, row);
                let animal = animal_in(cell);
                let pose = pose_at(animal, loop_phase);
                let middle = pose.origin + vec3f(0.0, 1.4 * animal.size, 0.0);
                let span = bounds::sphere_span(beam.origin, beam.direction, middle, 3.0);
                let t_centre = dot(middle - beam.origin, beam.direction);
                let exists = grid::ring_order(cell) < f32(params.count) && span.t_far > 0.0;
                if exists && span.t_near <= span.t_far && t_centre > last && t_centre < nearest {
                    nearest = t_centre;
                    next = Candidate(animal, pose, ALL_PARTS, 0.0);
                }
            }
        }
        if nearest == 1e9 || t_begin >= t_end {
            break;
        }
        total = add_animal(total, next, loop_phase, beam, t_end);
        last = nearest;
    }
    return total;
}
#else
// Sums over the animals that a beam hits between `t_begin` and `t_end`.
fn intersect_herd(beam: coverage::Beam, t_begin: f32, t_end: f32, loop_phase: f32) -> HerdHit {
    var total = NO_HIT;
    var next = next_candidate(beam, t_begin, t_end, loop_phase);
    while next.parts != 0u {
        total = add_animal(total, next, loop_phase, beam, t_end);
        // A covered beam ends the search.
        next = next_candidate(beam, next.t_exit, select(0.0, t_end, total.uncovered > 0.02), loop_phase);
    }
    return total;
}
#endif

// ---- Light -----------------------------------------------------------------------------

// Unit vector toward the sun.
const TO_SUN: vec3f = vec3f(-0.9143, 0.3256, -0.2412);
const SUN: vec3f = vec3f(5.0, 2.85, 1.20);
// Angular diameter of its disc in radians, larger than the real one for softer shadows.
const SUN_WIDTH: f32 = 0.035;
// Densities of the haze and of the dust near the ground, and the dust's scale height.
const AIR: f32 = 0.0088;
const DUST: f32 = 0.022;
const DUST_DEPTH: f32 = 1.6;
const FAR: f32 = 420.0;
// Animals farther away than HERD_DISTANCE are hidden by the dust; shadows have faded to their
// mean at SHADOW_DISTANCE.
const HERD_DISTANCE: f32 = 200.0;
const SHADOW_DISTANCE: f32 = 130.0;

// Width of a pixel's patch of ground perpendicular to the shadows; thinner shadows fade to
// their mean. The patch is `breadth` wide and `depth` long away from the eye.
fn shadow_footprint(direction: vec3f, breadth: f32, depth: f32) -> f32 {
    let away = normalize(direction.xz + vec2f(1e-6, 0.0));
    let along = normalize(TO_SUN.xz);
    let width = breadth * abs(dot(away, along)) + depth * abs(dot(away, path::right_of(along)));
    return min(width, 0.45);
}

// Irradiance of the sky on a surface with the unit normal n of the world.
fn sky_irradiance(n: vec3f) -> vec3f {
    return light::hemisphere(n, vec3f(0.27, 0.32, 0.48), vec3f(0.36, 0.22, 0.12));
}

// The air along a ray.
struct Air {
    // Colour of haze and dust.
    color: vec3f,
    // Height of the eye, and rise of the ray per unit of length.
    height: f32,
    rise: f32,
    // Deviation of the dust's density from its mean, -1 to 1.
    drift: f32,
}

// `color` at `distance` seen through dust and haze.
fn apply_dust(color: vec3f, air: Air, distance: f32) -> vec3f {
    let density = DUST * (1.0 + 0.7 * air.drift);
    let fog = light::height_fog(air.height, air.rise, distance, density, DUST_DEPTH);
    let dusty = mix(color, air.color, fog * smoothstep(6.0, 45.0, distance));
    return shading::fog(dusty, air.color, distance, AIR);
}

// `Air.drift` at p, xz of the world. It moves by 2 LOOP_DISTANCE in a loop.
fn drift_at(p: vec2f, loop_phase: f32) -> f32 {
    return noise::value_noise((p - vec2f(2.0 * LOOP_DISTANCE * loop_phase, 0.0)) * 0.1, 3u, 9u).x;
}

fn background(direction: vec3f) -> vec3f {
    return shading::sky(direction, TO_SUN);
}

fn fog_color(direction: vec3f) -> vec3f {
    return shading::sky(normalize(vec3f(direction.x, 0.02, direction.z)), TO_SUN);
}

// Material of the ground at p, xz of the world. Relief finer than `footprint`, the length of
// ground under a pixel, fades out.
fn plain_at(p: vec2f, footprint: f32) -> light::Material {
    let broad = noise::value_noise(p * 0.2, 7u, 5u);
    let middle = noise::value_noise(p * 1.6, 63u, 6u);
    let fine = noise::value_noise(p * 12.8, 511u, 7u);
    let middle_visibility = exp(-4.0 * footprint * footprint);
    let fine_visibility = exp(-250.0 * footprint * footprint);
    let slope = ground_slope(p)
        + 0.056 * middle_visibility * middle.yz + 0.077 * fine_visibility * fine.yz;
    var albedo = mix(vec3f(0.33, 0.205, 0.105), vec3f(0.46, 0.31, 0.17), 0.5 + 0.5 * broad.x);
    albedo *= 1.0 + 0.16 * middle_visibility * middle.x + 0.12 * fine_visibility * fine.x;
    let normal = normalize(vec3f(-slope.x, 1.0, -slope.y));
    return light::Material(normal, albedo, vec3f(0.0), 1.0, 0.3, 0.0);
}

// Fraction of the sky's light that the animal of p's cell leaves to the ground at p.
fn ambient_occlusion_at(p: vec2f, loop_phase: f32) -> f32 {
    let cell = grid::cell_at(p - vec2f(LOOP_DISTANCE * loop_phase, 0.0), CELL_SIZE);
    let animal = animal_in(cell);
    let here = course(animal, loop_phase);
    let offset = (p - here.place) / animal.size;
    let q = vec2f(dot(offset, here.ahead), dot(offset, path::right_of(here.ahead)));
    let under = exp(-dot(q * q, vec2f(0.9, 2.6)));
    return 1.0 - 0.5 * under * select(0.0, 1.0, grid::ring_order(cell) < f32(params.count));
}

// ---- The picture -----------------------------------------------------------------------

fn camera_at(loop_phase: f32) -> camera::Camera {
    let yaw = 0.72 + 0.10 * sin(path::TAU * loop_phase) + frame::frame.orbit.x;
    let pitch = clamp(0.26 + frame::frame.orbit.y, 0.02, 1.4);
    let middle = vec3f(LOOP_DISTANCE * loop_phase, 1.1, 0.0);
    let away = 15.0 / frame::frame.orbit.z;
    var eye = camera::orbit(middle, yaw, pitch, away, 0.33 * frame::widened(1.5));
    // Never lower than the animals are high.
    let lowest = ground(eye.position.xz) + 3.6;
    if eye.position.y < lowest {
        let position = vec3f(eye.position.x, lowest, eye.position.z);
        eye = camera::look_at(position, middle, vec3f(0.0, 1.0, 0.0), 1.0 / eye.focal_length);
    }
    return eye;
}

// Sums over the animals that a camera ray hits before the ground.
fn intersect_view(
    eye: vec3f,
    direction: vec3f,
    pixel: f32,
    to_ground: f32,
    loop_phase: f32,
) -> HerdHit {
    // Only the ray's span in the layer up to TALLEST above the ground can contain animals.
    let t_enter = trace(eye - vec3f(0.0, TALLEST, 0.0), direction, HERD_DISTANCE);
    let is_rising = direction.y >= 0.0;
    let t_leave = (HIGHEST + TALLEST - eye.y) / max(direction.y, 1e-4);
    let t_end = min(to_ground, select(HERD_DISTANCE, min(t_leave, HERD_DISTANCE), is_rising));
    let beam = coverage::Beam(eye, direction, 0.0, pixel);
    return intersect_herd(beam, select(t_enter, 0.0, is_rising), t_end, loop_phase);
}

// Fraction of the sun that the herd leaves to a patch around p that is `width` wide and
// `distance` away from the eye. The beam is empty where the surface does not face the sun.
fn sun_visibility(
    p: vec3f,
    width: f32,
    faces_sun: bool,
    distance: f32,
    loop_phase: f32,
) -> f32 {
    let t_end = select(
        0.0, (HIGHEST + TALLEST - p.y) / TO_SUN.y, faces_sun && distance < SHADOW_DISTANCE);
    let traced = intersect_herd(
        coverage::Beam(p, TO_SUN, width, SUN_WIDTH), 0.0, t_end, loop_phase).uncovered;
    // Far away shadows fade to the mean of light and shade.
    return mix(traced, 0.75, smoothstep(0.6 * SHADOW_DISTANCE, SHADOW_DISTANCE, distance));
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let loop_phase = frame::looped(LOOP_SECONDS) / LOOP_SECONDS;
    let eye = camera_at(loop_phase);
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    let to_ground = trace(eye.position, direction, FAR);
    let on_ground = to_ground < FAR;
    let at_ground = eye.position + to_ground * direction;
    let footprint = pixel * to_ground / max(-direction.y, 0.03);
    let plain = plain_at(at_ground.xz, footprint);

    let total = intersect_view(eye.position, direction, pixel, to_ground, loop_phase);
    let covered = 1.0 - total.uncovered;
    let to_animal = total.distance / max(covered, 1e-4);
    let normal = total.normal * inverseSqrt(max(dot(total.normal, total.normal), 1e-8));
    // Off the surface, which would shadow itself: its normals are smoother than its shape.
    let at_animal = eye.position + to_animal * direction + 0.12 * normal + 0.25 * TO_SUN;

    // One shadow ray per pixel, from animal or ground, whichever covers more of it.
    let is_animal = covered > 0.5;
    let distance = select(to_ground, to_animal, is_animal);
    let shaded_point = select(at_ground, at_animal, is_animal);
    let faces_sun = select(on_ground, dot(normal, TO_SUN) > -0.2, is_animal);
    let patch_width = shadow_footprint(direction, pixel * to_ground, footprint);
    let sun_visible = sun_visibility(
        shaded_point, select(patch_width, 0.0, is_animal), faces_sun, distance, loop_phase);
    if on_ground || is_animal {
        lens::note_hit(distance);
        lens::note_normal(select(plain.normal, normal, is_animal));
    }

    let sun_light = light::DirectionalLight(TO_SUN, SUN);
    let irradiance = sky_irradiance(plain.normal) * ambient_occlusion_at(at_ground.xz, loop_phase);
    let ground_color = light::shade(plain, direction, sun_light, sun_visible, irradiance, vec3f(0.0));
    let fur = light::Material(normal, total.albedo / max(covered, 1e-4), vec3f(0.0), 0.6, 1.3, 0.05);
    let animal_color = light::shade(
        fur, direction, sun_light, sun_visible, sky_irradiance(normal), vec3f(0.0));

    let air = Air(
        fog_color(direction), eye.position.y, direction.y, drift_at(shaded_point.xz, loop_phase));
    let dusty = apply_dust(ground_color, air, to_ground);
    let plain_color = select(background(direction), dusty, on_ground);
    var color = mix(plain_color, apply_dust(animal_color, air, to_animal), covered);

    let from_centre = frame::centred(frag_coord) * vec2f(0.42, 0.55);
    color *= 1.0 - 0.30 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither_gradient_noise(frag_coord)), 0.0);
    return palette::display(shading::tone_map_aces(0.80 * color)) + dither;
}
