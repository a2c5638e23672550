// The herd: ten thousand antelopes cross a plain toward the evening.
//
// Each of them walks inside a cell of a lattice that moves with the herd. A ray
// goes from cell to cell (grid), asks of each whether its animal's box is in the
// way, and only then works out the animal: where its feet stand (gait), how its
// legs bend (ik), what of it the ray meets (graze). So a picture of ten thousand
// costs little more than a picture of one.

#import tarsus::bounds
#import tarsus::camera
#import tarsus::frame
#import tarsus::gait
#import tarsus::graze
#import tarsus::grid
#import tarsus::ik
#import tarsus::lens
#import tarsus::light
#import tarsus::noise
#import tarsus::palette
#import tarsus::path
#import tarsus::sdf
#import tarsus::shading

struct Params {
    /// Animals [1, 10000] = 10000
    count: u32,
}
@group(1) @binding(0) var<uniform> params: Params;

// Everything repeats after this time, in which the herd covers WAY along x; the
// ground repeats every WAY.
const LOOP_SECONDS: f32 = 24.0;
const WAY: f32 = 40.0;

// Size of a cell along and across the way.
const PITCH: vec2f = vec2f(5.4, 3.5);

// Times are in turns from here on: 1 is LOOP_SECONDS.

// ---- The ground ----------------------------------------------------------------

// No ground is higher than this, lower than minus this, or steeper than that.
const HIGHEST: f32 = 1.25;
const STEEPEST: f32 = 0.22;

// sin(2π x) to a thousandth.
fn wave(x: f32) -> f32 {
    let part = x - floor(x) - 0.5;
    let arc = part * (16.0 * abs(part) - 8.0);
    return arc * (0.775 + 0.225 * abs(arc));
}

// Wave numbers of the swells (along x: whole waves in WAY) and their heights.
const SWELL_A: vec2f = vec2f(0.025, 0.0164);
const SWELL_B: vec2f = vec2f(-0.050, 0.0270);
const SWELL_C: vec2f = vec2f(0.0, 0.0119);
const SWELLS: vec3f = vec3f(0.50, 0.20, 0.50);

fn swell_phases(p: vec2f) -> vec3f {
    return vec3f(dot(SWELL_A, p), dot(SWELL_B, p) + 0.3, dot(SWELL_C, p) + 0.6);
}

// Height of the plain at a point of the xz plane.
fn ground(p: vec2f) -> f32 {
    let phase = swell_phases(p);
    return dot(SWELLS, vec3f(wave(phase.x), wave(phase.y), wave(phase.z)));
}

// Slope of the plain (dh/dx, dh/dz).
fn ground_slope(p: vec2f) -> vec2f {
    let phase = swell_phases(p) + 0.25;
    let steep = path::TURN * SWELLS * vec3f(wave(phase.x), wave(phase.y), wave(phase.z));
    return steep.x * SWELL_A + steep.y * SWELL_B + steep.z * SWELL_C;
}

// Distance along a ray from above the ground to it; `far` if it is not met before.
fn trace(origin: vec3f, direction: vec3f, far: f32) -> f32 {
    let fall = -direction.y;
    if fall <= 0.0 {
        return far;
    }
    var t = max((origin.y - HIGHEST) / fall, 0.0);
    let pace = 1.0 / (fall + STEEPEST * length(direction.xz));
    var gap = 1.0;
    for (var i = 0; i < 40 && t < far && gap > 0.0003 * t; i++) {
        let p = origin + t * direction;
        gap = p.y - ground(p.xz);
        lens::count_step();
        t += max(pace * gap, 0.0);
    }
    return min(t, far);
}

// ---- Who walks where -----------------------------------------------------------

struct Beast {
    // Its place in the herd, on the ground; its own size and way to stray.
    home: vec2f,
    size: f32,
    stray: vec4f,
    // Steps of a foot in a turn, and where in its cycle it is.
    strides: f32,
    phase: f32,
    // From 0 to 1, what its coat is like.
    tint: f32,
}

override fn grid::row_shift(row: f32) -> f32 {
    // Golden sections: no two near rows fall in step.
    let x = 0.6180340 * row + 0.5;
    return x - floor(x) - 0.5;
}

fn beast_in(cell: vec2f) -> Beast {
    let corner = vec2u(vec2i(cell));
    let dice = noise::random_of(corner.x * 0x85EBCA77u + corner.y * 0xC2B2AE3Du);
    // Each die is good for two: what is left of it below its first digits.
    let first = floor(vec4f(5.0, 64.0, 64.0, 64.0) * dice);
    let rest = vec4f(5.0, 64.0, 64.0, 64.0) * dice - first;
    // Whole numbers of strides to a turn, so that the walk repeats: larger
    // animals make fewer and longer ones.
    let strides = 19.0 + first.x;
    let jitter = (rest.yz - 0.5) * vec2f(0.8, 1.4);
    return Beast(
        grid::middle_of(cell, PITCH) + jitter,
        21.0 / strides,
        vec4f(dice.yz, 0.5 + 0.5 * vec2f(rest.w, dice.z)),
        strides,
        dice.w,
        rest.x,
    );
}

// Where an animal is on the plain and where it heads (unit vector).
struct Course {
    place: vec2f,
    ahead: vec2f,
}

// How far an animal strays from its place in the herd along and across the way.
const STRAY: vec2f = vec2f(0.35, 0.45);

fn course(beast: Beast, turn: f32) -> Course {
    let stray = STRAY * beast.stray.zw;
    let along = turn + beast.stray.x;
    let across = 2.0 * turn + beast.stray.y;
    let place = beast.home + vec2f(WAY * turn + stray.x * wave(along), stray.y * wave(across));
    // It looks where it goes; that it hurries and lingers a little turns nothing.
    let aside = 2.0 * path::TURN * stray.y * wave(across + 0.25);
    return Course(place, normalize(vec2f(WAY, aside)));
}

// Where the animal's body stands: the body's space has x ahead, y up and z to the
// right, its origin on the ground below the body, and the animal's size as unit.
struct Stand {
    origin: vec3f,
    ahead: vec2f,
    // Cosine and sine of how far the body pitches up.
    pitch: vec2f,
    size: f32,
}

fn cycle_of(beast: Beast, turn: f32) -> f32 {
    return turn * beast.strides + beast.phase;
}

fn stand_at(beast: Beast, turn: f32) -> Stand {
    let here = course(beast, turn);
    let half = 0.55 * beast.size * here.ahead;
    let front = ground(here.place + half);
    let rear = ground(here.place - half);
    // The body sinks a little with every step of the fore legs.
    let bob = 0.018 * beast.size * wave(2.0 * cycle_of(beast, turn) + 0.6);
    let rise = 0.5 * (front - rear) / (0.55 * beast.size);
    let pitch = vec2f(1.0, rise) * inverseSqrt(1.0 + rise * rise);
    let origin = vec3f(here.place.x, 0.5 * (front + rear) + bob, here.place.y);
    return Stand(origin, here.ahead, pitch, beast.size);
}

// Turns a vector of the world into body space; lengths stay.
fn turned_in(stand: Stand, v: vec3f) -> vec3f {
    let level = dot(v.xz, stand.ahead);
    let right = dot(v.xz, path::right_of(stand.ahead));
    return vec3f(
        stand.pitch.x * level + stand.pitch.y * v.y,
        stand.pitch.x * v.y - stand.pitch.y * level,
        right,
    );
}

// Turns a vector of body space into the world; lengths stay.
fn turned_out(stand: Stand, v: vec3f) -> vec3f {
    let level = stand.pitch.x * v.x - stand.pitch.y * v.y;
    let xz = level * stand.ahead + v.z * path::right_of(stand.ahead);
    return vec3f(xz.x, stand.pitch.y * v.x + stand.pitch.x * v.y, xz.y);
}

fn to_body(stand: Stand, p: vec3f) -> vec3f {
    return turned_in(stand, p - stand.origin) / stand.size;
}

fn to_world(stand: Stand, p: vec3f) -> vec3f {
    return stand.origin + turned_out(stand, p * stand.size);
}

fn beam_in_body(stand: Stand, beam: graze::Beam) -> graze::Beam {
    return graze::Beam(
        to_body(stand, beam.origin),
        turned_in(stand, beam.direction),
        beam.width / stand.size,
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

// A walk: left hind, left front, right hind, right front, a quarter apart.
fn phase_of(leg: u32) -> f32 {
    return select(0.75, 0.0, is_hind(leg)) + select(0.0, 0.5, leg >= 2u);
}

fn rest_of(leg: u32) -> vec2f {
    return vec2f(select(0.54, -0.56, is_hind(leg)), 0.15 * side_of(leg));
}

fn hip_of(leg: u32) -> vec3f {
    return vec3f(select(0.50, -0.56, is_hind(leg)), 1.50, 0.13 * side_of(leg));
}

struct Foot {
    position: vec3f,
    stance: bool,
}

// Where a foot stands during step `index`: its rest position beside the animal in
// the middle of that step. It depends on nothing else, so the foot cannot slide.
fn hold(beast: Beast, leg: u32, phase: f32, index: f32) -> vec2f {
    let there = course(beast, (index - phase + 0.5 * DUTY) / beast.strides);
    let rest = beast.size * rest_of(leg);
    return there.place + rest.x * there.ahead + rest.y * path::right_of(there.ahead);
}

fn foot_at(beast: Beast, leg: u32, turn: f32) -> Foot {
    let phase = beast.phase + phase_of(leg);
    let walk = gait::Gait(1.0 / beast.strides, DUTY, WAY / beast.strides, LIFT * beast.size);
    let step = gait::step_at(turn, walk, phase);
    let here = hold(beast, leg, phase, step.index);
    let there = hold(beast, leg, phase, step.index + 1.0);
    let over = select(mix(here, there, gait::swing_travel(step.swing)), here, step.stance);
    let height = ground(over) + walk.lift * gait::swing_height(step.swing);
    return Foot(vec3f(over.x, height, over.y), step.stance);
}

// The leg to a foot of body space: the mid joint bends forward in front, backward
// behind, in the plane of the foot and the animal's length.
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

// ---- What a ray meets of an animal -------------------------------------------------

// What a ray that widens has met so far.
struct Seen {
    // Share of the ray that is still free.
    free: f32,
    // Sums over what was met, each by its share.
    distance: f32,
    normal: vec3f,
    albedo: vec3f,
}

const NOTHING_SEEN: Seen = Seen(1.0, 0.0, vec3f(0.0), vec3f(0.0));

// The part of one animal that counts for a ray: nearest of those that cover most.
struct Part {
    free: f32,
    // Where the ray ends, and how far down the list of parts the present one is.
    end: f32,
    rank: f32,
    met: graze::Graze,
    // What it is made of: COAT, and so on.
    matter: u32,
}

const COAT: u32 = 0u;
const SHANK: u32 = 1u;
const FACE: u32 = 2u;
const HORN: u32 = 3u;

fn noted(part: Part, other: graze::Graze, matter: u32) -> Part {
    if other.share <= 0.0 || other.distance > part.end {
        return part;
    }
    let free = part.free * (1.0 - other.share);
    let rank = other.distance - 4.0 * other.share;
    if rank < part.rank {
        return Part(free, part.end, rank, other, matter);
    }
    return Part(free, part.end, part.rank, part.met, part.matter);
}

// The trunk's ellipsoids: centre and half axes.
const BARREL: vec3f = vec3f(-0.04, 1.62, 0.0);
const BARREL_SIZE: vec3f = vec3f(0.82, 0.30, 0.24);
const CHEST: vec3f = vec3f(0.42, 1.60, 0.0);
const CHEST_SIZE: vec3f = vec3f(0.40, 0.37, 0.24);
const RUMP: vec3f = vec3f(-0.55, 1.63, 0.0);
const RUMP_SIZE: vec3f = vec3f(0.36, 0.33, 0.25);
const WITHERS: vec3f = vec3f(0.56, 1.68, 0.0);

// Where the neck ends and the head begins: it nods twice a stride.
fn poll_at(cycle: f32) -> vec3f {
    let nod = 0.035 * wave(2.0 * cycle + 0.1);
    return vec3f(1.04 + 0.4 * nod, 2.20 + nod, 0.0);
}

// Points of the head from the poll; those of horns and ears for the right side.
const MUZZLE: vec3f = vec3f(0.33, -0.24, 0.0);
const HORN_ROOT: vec3f = vec3f(-0.02, 0.08, 0.05);
const HORN_TIP: vec3f = vec3f(-0.44, 0.74, 0.17);
const EAR_ROOT: vec3f = vec3f(-0.08, 0.05, 0.05);
const EAR_TIP: vec3f = vec3f(-0.19, 0.14, 0.20);

fn trunk_part(beam: graze::Beam, end: f32, cycle: f32) -> Part {
    let poll = poll_at(cycle);
    var part = Part(1.0, end, 1e9, graze::Graze(0.0, 0.0, vec3f(0.0, 1.0, 0.0)), COAT);
    part = noted(part, graze::ellipsoid(beam, BARREL, BARREL_SIZE), COAT);
    part = noted(part, graze::ellipsoid(beam, CHEST, CHEST_SIZE), COAT);
    part = noted(part, graze::ellipsoid(beam, RUMP, RUMP_SIZE), COAT);
    part = noted(part, graze::cone(beam, WITHERS, poll, 0.25, 0.105), COAT);
    part = noted(part, graze::cone(beam, poll, poll + MUZZLE, 0.115, 0.06), FACE);
    let tail = vec3f(-0.98, 1.05, 0.10 * wave(cycle));
    part = noted(part, graze::cone(beam, vec3f(-0.88, 1.72, 0.0), tail, 0.03, 0.05), SHANK);
    for (var side = -1.0; side < 2.0; side += 2.0) {
        let mirror = vec3f(1.0, 1.0, side);
        let root = poll + HORN_ROOT * mirror;
        part = noted(part, graze::cone(beam, root, poll + HORN_TIP * mirror, 0.030, 0.006), HORN);
        let base = poll + EAR_ROOT * mirror;
        part = noted(part, graze::cone(beam, base, poll + EAR_TIP * mirror, 0.045, 0.018), COAT);
    }
    return part;
}

// One of the bulges that the flesh is blended from: x, y, z = its pull at a point,
// w = its strength. `q` is the point in units of the half axes.
fn bulge(q: vec3f, size: vec3f) -> vec4f {
    let near = 1.0 / max(dot(q, q), 0.05);
    let strength = near * near * near;
    return vec4f(strength * near * q / size, strength);
}

// The normal of the flesh at p of the body's surface, where its parts run into
// each other; `normal` is that of the part alone.
fn fleshed(p: vec3f, normal: vec3f, poll: vec3f) -> vec3f {
    let along = sdf::along_segment(p, WITHERS, poll);
    let girth = vec3f(mix(0.25, 0.105, along));
    let sum = bulge((p - BARREL) / BARREL_SIZE, BARREL_SIZE)
        + bulge((p - CHEST) / CHEST_SIZE, CHEST_SIZE)
        + bulge((p - RUMP) / RUMP_SIZE, RUMP_SIZE)
        + bulge((p - mix(WITHERS, poll, along)) / girth, girth);
    // Limbs keep their own normal where they stand off the trunk.
    let blended = sum.xyz * inverseSqrt(max(dot(sum.xyz, sum.xyz), 1e-8));
    return normalize(mix(normal, blended, smoothstep(0.55, 0.85, sum.w)));
}

// Parts of the coat in body space, light linear.
fn albedo_at(p: vec3f, matter: u32, tint: f32, poll: vec3f) -> vec3f {
    let sand = mix(vec3f(0.34, 0.20, 0.10), vec3f(0.17, 0.085, 0.04), smoothstep(0.25, 0.75, tint));
    let coat = mix(sand, vec3f(0.58, 0.47, 0.35), smoothstep(0.80, 0.90, tint));
    let pale = mix(coat, vec3f(0.66, 0.58, 0.48), 0.85);
    let dark = vec3f(0.045, 0.032, 0.026);
    // A dark band along the flank over a pale belly, and a pale rump.
    let flank = p.y + 0.05 * p.x;
    let band = smoothstep(1.40, 1.44, flank) * (1.0 - smoothstep(1.50, 1.56, flank));
    var hide = mix(pale, coat, smoothstep(1.38, 1.44, flank));
    let along = smoothstep(-0.62, -0.45, p.x) * (1.0 - smoothstep(0.40, 0.60, p.x));
    hide = mix(hide, dark, 0.8 * band * along);
    hide = mix(hide, pale, smoothstep(0.80, 0.88, -p.x));
    let shank = mix(dark, coat, smoothstep(0.70, 1.20, p.y));
    let stripe = smoothstep(0.035, 0.06, abs(p.z));
    let from_eye = vec3f(p.xy, abs(p.z)) - poll - vec3f(0.08, 0.0, 0.10);
    let eye = smoothstep(0.026, 0.034, length(from_eye));
    let face = mix(dark, mix(coat, pale, 0.5), stripe) * eye;
    let flesh = select(hide, shank, matter == SHANK);
    return select(select(flesh, face, matter == FACE), vec3f(0.03, 0.026, 0.024), matter == HORN);
}

// Where a ray is inside five slabs around an animal's legs: x = near, y = far.
fn within(o: f32, inverse: f32, middle: f32, half: f32) -> vec2f {
    let to_middle = (middle - o) * inverse;
    let to_side = half * abs(inverse);
    return vec2f(to_middle - to_side, to_middle + to_side);
}

fn meets(a: vec2f, b: vec2f, c: vec2f) -> bool {
    return max(max(a.x, b.x), max(c.x, 0.0)) <= min(a.y, min(b.y, c.y));
}

// The box that a leg moves in: its middle (mirrored for left and hind legs) and half
// its edges.
const LEG_MIDDLE: vec3f = vec3f(0.54, 0.74, 0.14);
const LEG_ROOM: vec3f = vec3f(0.81, 0.84, 0.14);

// The capsule that head, ears and horns nod in.
const HEAD_LOW: vec3f = vec3f(1.27, 2.08, 0.0);
const HEAD_HIGH: vec3f = vec3f(0.66, 2.85, 0.0);
const HEAD_ROOM: f32 = 0.31;

// Whether a ray (unit direction) comes within `radius` of the segment a–b.
fn touches(o: vec3f, d: vec3f, a: vec3f, b: vec3f, radius: f32) -> bool {
    let ab = b - a;
    let oa = o - a;
    let lean = dot(ab, d);
    let free = (dot(ab, oa) - lean * dot(d, oa)) / max(dot(ab, ab) - lean * lean, 1e-6);
    let gap = clamp(free, 0.0, 1.0) * ab - oa;
    let beside = gap - max(dot(gap, d), 0.0) * d;
    return dot(beside, beside) < radius * radius;
}

// Whether it comes within `margin` of the ellipsoid around the trunk and tail.
fn touches_trunk(o: vec3f, d: vec3f, margin: f32) -> bool {
    let size = vec3f(1.06, 0.46, 0.28) + margin;
    let start = (o - vec3f(-0.08, 1.60, 0.0)) / size;
    let along = d / size;
    let closest = start + max(-dot(start, along) / dot(along, along), 0.0) * along;
    return dot(closest, closest) < 1.0;
}

// Parts of an animal, one bit each: bit n for leg n, and one for trunk, neck and head.
const ALL_LEGS: u32 = 15u;
const REST: u32 = 16u;
const ALL_PARTS: u32 = 31u;

// The parts that a ray in body space may meet before `end`.
fn parts_crossed(beam: graze::Beam, end: f32) -> u32 {
    let o = beam.origin;
    let d = beam.direction;
    let margin = 0.5 * graze::width_at(beam, end);
    let inverse = 1.0 / select(d, vec3f(1e-7), abs(d) < vec3f(1e-7));
    let half = LEG_ROOM + margin;
    let low = within(o.y, inverse.y, LEG_MIDDLE.y, half.y);
    let front = within(o.x, inverse.x, LEG_MIDDLE.x, half.x);
    let hind = within(o.x, inverse.x, -LEG_MIDDLE.x, half.x);
    let left = within(o.z, inverse.z, -LEG_MIDDLE.z, half.z);
    let right = within(o.z, inverse.z, LEG_MIDDLE.z, half.z);
    let rest = touches_trunk(o, d, margin)
        || touches(o, d, WITHERS, vec3f(1.05, 2.22, 0.0), 0.26 + margin)
        || touches(o, d, HEAD_LOW, HEAD_HIGH, HEAD_ROOM + margin);
    return select(0u, 1u, meets(low, front, left))
        | select(0u, 2u, meets(low, hind, left))
        | select(0u, 4u, meets(low, front, right))
        | select(0u, 8u, meets(low, hind, right))
        | select(0u, REST, rest);
}

// The next animal that a ray may meet.
struct Candidate {
    beast: Beast,
    stand: Stand,
    // Its parts that the ray may meet; 0 if there is no such animal.
    parts: u32,
    // Where the ray leaves its cell.
    leaves: f32,
}

// Adds to `seen` what a ray that ends at `end` meets of one animal.
fn meet(
    seen: Seen,
    candidate: Candidate,
    turn: f32,
    beam_in_world: graze::Beam,
    end: f32,
) -> Seen {
    let beast = candidate.beast;
    let stand = candidate.stand;
    lens::count_step();
    let beam = beam_in_body(stand, beam_in_world);
    let cycle = cycle_of(beast, turn);
    var part = trunk_part(beam, end / stand.size, cycle);
    // Only the legs whose box the ray crosses, lowest bit first.
    for (var legs = candidate.parts & ALL_LEGS; legs != 0u; legs &= legs - 1u) {
        let leg = firstTrailingBit(legs);
        let bones = leg_to(to_body(stand, foot_at(beast, leg, turn).position), leg);
        let thigh = select(0.115, 0.15, is_hind(leg));
        part = noted(part, graze::cone(beam, bones.hip, bones.knee, thigh, 0.058), SHANK);
        part = noted(part, graze::cone(beam, bones.knee, bones.ankle, 0.056, 0.034), SHANK);
        part = noted(part, graze::cone(beam, bones.ankle, bones.foot, 0.036, 0.050), SHANK);
    }
    let met = part.met;
    let p = beam.origin + met.distance * beam.direction;
    let poll = poll_at(cycle);
    let normal = select(fleshed(p, met.normal, poll), met.normal, part.matter >= FACE);
    let share = seen.free * (1.0 - part.free);
    return Seen(
        seen.free * part.free,
        seen.distance + share * met.distance * stand.size,
        seen.normal + share * turned_out(stand, normal),
        seen.albedo + share * albedo_at(p, part.matter, beast.tint, poll),
    );
}

// ---- From cell to cell ---------------------------------------------------------------

// No part of an animal is higher above the ground below that part.
const TALLEST: f32 = 3.5;

fn next_candidate(beam: graze::Beam, begin: f32, end: f32, turn: f32) -> Candidate {
    let from_herd = beam.origin.xz - vec2f(WAY * turn, 0.0);
    let along = beam.direction.xz;
    var next: Candidate;
    next.leaves = begin;
    next.parts = 0u;
    while next.leaves < end && next.parts == 0u {
        // A hair beyond the border: animals keep farther than that from it.
        let t = next.leaves + 0.01;
        let cell = grid::cell_at(from_herd + t * along, PITCH);
        next.leaves = max(grid::leaving(from_herd, along, cell, PITCH), t);
        lens::count_step();
        next.beast = beast_in(cell);
        next.stand = stand_at(next.beast, turn);
        let parts = parts_crossed(beam_in_body(next.stand, beam), next.leaves / next.stand.size);
        next.parts = select(0u, parts, grid::order_of(cell) < f32(params.count));
    }
    return next;
}

#ifdef REFERENCE
// What a ray meets of the herd between `begin` and `end`. The plain way, as a
// yardstick: every animal is asked, again and again, for the next nearest.
fn survey(beam: graze::Beam, begin: f32, end: f32, turn: f32) -> Seen {
    var seen = NOTHING_SEEN;
    let rings = grid::rings_of(f32(params.count));
    var last = -1e9;
    for (var pass_number = 0; pass_number < 16; pass_number++) {
        var nearest = 1e9;
        var next: Candidate;
        for (var row = -rings; row <= rings; row += 1.0) {
            for (var column = -rings; column <= rings; column += 1.0) {
                let cell = vec2f(column, row);
                let beast = beast_in(cell);
                let stand = stand_at(beast, turn);
                let middle = stand.origin + vec3f(0.0, 1.4 * beast.size, 0.0);
                let span = bounds::through_ball(beam.origin, beam.direction, middle, 3.0);
                let way = dot(middle - beam.origin, beam.direction);
                let is_there = grid::order_of(cell) < f32(params.count) && span.far > 0.0;
                if is_there && span.near <= span.far && way > last && way < nearest {
                    nearest = way;
                    next = Candidate(beast, stand, ALL_PARTS, 0.0);
                }
            }
        }
        if nearest == 1e9 || begin >= end {
            break;
        }
        seen = meet(seen, next, turn, beam, end);
        last = nearest;
    }
    return seen;
}
#else
// What a ray meets of the herd between `begin` and `end`.
fn survey(beam: graze::Beam, begin: f32, end: f32, turn: f32) -> Seen {
    var seen = NOTHING_SEEN;
    var next = next_candidate(beam, begin, end, turn);
    while next.parts != 0u {
        seen = meet(seen, next, turn, beam, end);
        // Where the ray is covered there is nothing more to look for.
        next = next_candidate(beam, next.leaves, select(0.0, end, seen.free > 0.02), turn);
    }
    return seen;
}
#endif

// ---- Light -----------------------------------------------------------------------------

const TO_SUN: vec3f = vec3f(-0.9143, 0.3256, -0.2412);
const SUN: vec3f = vec3f(5.0, 2.85, 1.20);
// Width of its disc, drawn softer than it is.
const SUN_WIDTH: f32 = 0.035;
// Dust in the air.
const AIR: f32 = 0.0088;
const DUST: f32 = 0.022;
const DUST_DEPTH: f32 = 1.6;
const FAR: f32 = 420.0;
// Animals farther off than this are lost in the dust, shadows earlier.
const FAR_HERD: f32 = 200.0;
const FAR_SHADE: f32 = 130.0;

// How far a pixel's patch of the ground, `breadth` wide and `depth` long away from the
// eye, stretches across the shadows: what is thinner must fade to its mean.
fn across_shadows(direction: vec3f, breadth: f32, depth: f32) -> f32 {
    let away = normalize(direction.xz + vec2f(1e-6, 0.0));
    let along = normalize(TO_SUN.xz);
    let width = breadth * abs(dot(away, along)) + depth * abs(dot(away, path::right_of(along)));
    return min(width, 0.45);
}

fn sky_light(n: vec3f) -> vec3f {
    return light::from_sky(n, vec3f(0.27, 0.32, 0.48), vec3f(0.36, 0.22, 0.12));
}

// What lies between the eye and what it sees along a ray.
struct Air {
    color: vec3f,
    // The eye's height, and what the ray rises by in a unit of length.
    height: f32,
    rise: f32,
    // Where it drifts thicker or thinner than the mean, -1 to 1.
    drift: f32,
}

// The plain's dust: thick about the legs, thin above the backs, in drifts.
fn through_dust(color: vec3f, air: Air, distance: f32) -> vec3f {
    let density = DUST * (1.0 + 0.7 * air.drift);
    let hidden = light::mist(air.height, air.rise, distance, density, DUST_DEPTH);
    let dusty = mix(color, air.color, hidden * smoothstep(6.0, 45.0, distance));
    return shading::through_air(dusty, air.color, distance, AIR);
}

// The wind carries the dust along, two ways in a turn.
fn drift_at(p: vec2f, turn: f32) -> f32 {
    return noise::value_noise((p - vec2f(2.0 * WAY * turn, 0.0)) * 0.1, 3u, 9u).x;
}

fn sky_behind(direction: vec3f) -> vec3f {
    return shading::sky(direction, TO_SUN);
}

fn air_along(direction: vec3f) -> vec3f {
    return shading::sky(normalize(vec3f(direction.x, 0.02, direction.z)), TO_SUN);
}

// The plain at p; `footprint` is the length of ground that one pixel covers.
fn plain_at(p: vec2f, footprint: f32) -> light::Surface {
    let broad = noise::value_noise(p * 0.2, 7u, 5u);
    let middle = noise::value_noise(p * 1.6, 63u, 6u);
    let fine = noise::value_noise(p * 12.8, 511u, 7u);
    let near = exp(-4.0 * footprint * footprint);
    let close = exp(-250.0 * footprint * footprint);
    let slope = ground_slope(p) + 0.056 * near * middle.yz + 0.077 * close * fine.yz;
    var albedo = mix(vec3f(0.33, 0.205, 0.105), vec3f(0.46, 0.31, 0.17), 0.5 + 0.5 * broad.x);
    albedo *= 1.0 + 0.16 * near * middle.x + 0.12 * close * fine.x;
    let normal = normalize(vec3f(-slope.x, 1.0, -slope.y));
    return light::Surface(normal, albedo, vec3f(0.0), 1.0, 0.3, 0.0);
}

// Share of the sky that the animal of p's cell leaves to the ground there.
fn open_at(p: vec2f, turn: f32) -> f32 {
    let cell = grid::cell_at(p - vec2f(WAY * turn, 0.0), PITCH);
    let beast = beast_in(cell);
    let where_it_is = course(beast, turn);
    let from_it = (p - where_it_is.place) / beast.size;
    let q = vec2f(dot(from_it, where_it_is.ahead), dot(from_it, path::right_of(where_it_is.ahead)));
    let under = exp(-dot(q * q, vec2f(0.9, 2.6)));
    return 1.0 - 0.5 * under * select(0.0, 1.0, grid::order_of(cell) < f32(params.count));
}

// ---- The picture -----------------------------------------------------------------------

fn camera_at(turn: f32) -> camera::Camera {
    let yaw = 0.72 + 0.10 * sin(path::TURN * turn) + frame::frame.orbit.x;
    let pitch = clamp(0.26 + frame::frame.orbit.y, 0.02, 1.4);
    let middle = vec3f(WAY * turn, 1.1, 0.0);
    let away = 15.0 / frame::frame.orbit.z;
    var eye = camera::around(middle, yaw, pitch, away, 0.33 * frame::widened(1.5));
    // Never down among the horns.
    let lowest = ground(eye.position.xz) + 3.6;
    if eye.position.y < lowest {
        let position = vec3f(eye.position.x, lowest, eye.position.z);
        eye = camera::look_at(position, middle, vec3f(0.0, 1.0, 0.0), 1.0 / eye.focal_length);
    }
    return eye;
}

// What a ray from the eye meets of the herd before it meets the ground.
fn look(eye: vec3f, direction: vec3f, pixel: f32, to_ground: f32, turn: f32) -> Seen {
    // No animal is met before the ray comes down to where the tallest would reach,
    // nor after it has risen from there.
    let comes_down = trace(eye - vec3f(0.0, TALLEST, 0.0), direction, FAR_HERD);
    let rises = direction.y >= 0.0;
    let gone = (HIGHEST + TALLEST - eye.y) / max(direction.y, 1e-4);
    let end = min(to_ground, select(FAR_HERD, min(gone, FAR_HERD), rises));
    let beam = graze::Beam(eye, direction, 0.0, pixel);
    return survey(beam, select(comes_down, 0.0, rises), end, turn);
}

// Share of the sun that the herd leaves to a point `from_eye` away, over a patch
// `width` wide; all of it is not asked for where nothing faces the sun.
fn sun_at(p: vec3f, width: f32, faces_sun: bool, from_eye: f32, turn: f32) -> f32 {
    let way = select(0.0, (HIGHEST + TALLEST - p.y) / TO_SUN.y, faces_sun && from_eye < FAR_SHADE);
    let traced = survey(graze::Beam(p, TO_SUN, width, SUN_WIDTH), 0.0, way, turn).free;
    // Far off only the mean of light and shade is left.
    return mix(traced, 0.75, smoothstep(0.6 * FAR_SHADE, FAR_SHADE, from_eye));
}

fn main_image(frag_coord: vec2f) -> vec4f {
    let turn = frame::looped(LOOP_SECONDS) / LOOP_SECONDS;
    let eye = camera_at(turn);
    let direction = camera::ray_direction(eye, frame::centred(frag_coord));
    let pixel = frame::pixel_size() / eye.focal_length;

    let to_ground = trace(eye.position, direction, FAR);
    let on_ground = to_ground < FAR;
    let at_ground = eye.position + to_ground * direction;
    let footprint = pixel * to_ground / max(-direction.y, 0.03);
    let plain = plain_at(at_ground.xz, footprint);

    let seen = look(eye.position, direction, pixel, to_ground, turn);
    let met = 1.0 - seen.free;
    let to_beast = seen.distance / max(met, 1e-4);
    let normal = seen.normal * inverseSqrt(max(dot(seen.normal, seen.normal), 1e-8));
    // Off the flesh, so that it does not shade its own gentle bulges.
    let at_beast = eye.position + to_beast * direction + 0.12 * normal + 0.25 * TO_SUN;

    // What the larger part of the pixel shows stands in the light for all of it.
    let is_beast = met > 0.5;
    let from_eye = select(to_ground, to_beast, is_beast);
    let lit_from = select(at_ground, at_beast, is_beast);
    let faces_sun = select(on_ground, dot(normal, TO_SUN) > -0.2, is_beast);
    let patch_width = across_shadows(direction, pixel * to_ground, footprint);
    let sun = sun_at(lit_from, select(patch_width, 0.0, is_beast), faces_sun, from_eye, turn);
    if on_ground || is_beast {
        lens::note_hit(from_eye);
        lens::note_normal(select(plain.normal, normal, is_beast));
    }

    let lamp = light::Lamp(TO_SUN, SUN);
    let around = sky_light(plain.normal) * open_at(at_ground.xz, turn);
    let ground_color = light::leaving(plain, direction, lamp, sun, around, vec3f(0.0));
    let coat = light::Surface(normal, seen.albedo / max(met, 1e-4), vec3f(0.0), 0.6, 1.3, 0.05);
    let beast_color = light::leaving(coat, direction, lamp, sun, sky_light(normal), vec3f(0.0));

    let air = Air(air_along(direction), eye.position.y, direction.y, drift_at(lit_from.xz, turn));
    let dusty = through_dust(ground_color, air, to_ground);
    let plain_color = select(sky_behind(direction), dusty, on_ground);
    var color = mix(plain_color, through_dust(beast_color, air, to_beast), met);

    let from_centre = frame::centred(frag_coord) * vec2f(0.42, 0.55);
    color *= 1.0 - 0.30 * dot(from_centre, from_centre);
    let dither = vec4f(vec3f(shading::dither(frag_coord)), 0.0);
    return palette::display(shading::tone_map(0.80 * color)) + dither;
}
