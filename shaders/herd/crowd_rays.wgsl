#define_import_path tarsus::herd::crowd_rays

#import tarsus::bits
#import tarsus::bounds
#import tarsus::coverage
#import tarsus::herd::crowd
#import tarsus::debug_view
#import tarsus::grid
#import tarsus::ik
#import tarsus::limb
#import tarsus::herd::quadruped
#import tarsus::sdf
#import tarsus::herd::swells
#import tarsus::walker

// Intersection of beams (`coverage`) with a `crowd` of four-legged animals. A beam steps
// from cell to cell (`grid`) and tests the bounds of each cell's animal. Feet, legs and the
// coverage of body parts are computed only for animals that the beam may hit, so an image
// of ten thousand animals costs little more than an image of one.

/// Upper bound on the height of any part of an animal above the ground below it.
const MAX_HEIGHT: f32 = 3.4;
/// Part of that height that is horns alone.
const HORNS: f32 = 0.75;
/// Upper bounds on the distance of any part, in body space: ahead or behind, and to a side.
const HALF_LENGTH: f32 = 1.5;
const HALF_WIDTH: f32 = 0.41;

/// Result of testing a beam against the parts of one animal, in body space.
struct AnimalHit {
    /// Fraction of the beam's width not covered yet.
    uncovered: f32,
    /// End of the beam, and rank of `hit`. The part with the lowest rank is the one that is
    /// shaded; the rank favours near parts and large coverage.
    t_end: f32,
    rank: f32,
    /// Its normal is a mean of unit normals, shorter than 1.
    hit: coverage::BeamHit,
    /// Part that was hit: HIDE, HOOF, or a larger number chosen by the scene.
    id: u32,
}

/// `id` of the soft parts of the trunk and the legs, which grow out of each other.
const HIDE: u32 = 0u;
/// `id` of the hooves.
const HOOF: u32 = 1u;

/// Adds one part to the result.
fn add_part(found: AnimalHit, other: coverage::BeamHit, id: u32) -> AnimalHit {
    if other.coverage <= 0.0 || other.distance > found.t_end {
        return found;
    }
    let uncovered = found.uncovered * (1.0 - other.coverage);
    let rank = other.distance - 4.0 * other.coverage;
    if rank < found.rank {
        return AnimalHit(uncovered, found.t_end, rank, other, id);
    }
    return AnimalHit(uncovered, found.t_end, found.rank, found.hit, found.id);
}

/// Share of a part in the flesh at a point: xyz = its unit normal there times its weight, w =
/// its weight, 1 on its surface. Weights fall with the sixth power of the distance (metaballs).
/// `q` is the point relative to the part's middle, in units of its semi-axes `size`.
fn bulge(q: vec3f, size: vec3f) -> vec4f {
    let near = 1.0 / max(dot(q, q), 0.5);
    let strength = near * near * near;
    let outward = q * (1.0 / size);
    return vec4f(strength * outward * inverseSqrt(max(dot(outward, outward), 1e-8)), strength);
}

/// `bulge` of a tapered capsule from a to b.
fn limb_bulge(p: vec3f, a: vec3f, b: vec3f, radius_a: f32, radius_b: f32) -> vec4f {
    let along = sdf::along_segment(p, a, b);
    let girth = vec3f(mix(radius_a, radius_b, along));
    return bulge((p - mix(a, b, along)) * (1.0 / girth.x), girth);
}

/// Sum of the `bulge`s of the trunk's soft parts at p. `cycle` and `tint` as for `trunk`.
virtual fn flesh(p: vec3f, cycle: f32, tint: f32) -> vec4f {
    return bulge((p - vec3f(0.0, 1.6, 0.0)) / vec3f(0.8, 0.3, 0.24), vec3f(0.8, 0.3, 0.24));
}

/// Adds all parts but the legs to the result, with `add_part`. `cycle` is the number of
/// gait cycles walked, by which heads may nod and tails swing, `tint` as in `crowd::Animal`.
virtual fn trunk(found: AnimalHit, beam: coverage::Beam, cycle: f32, tint: f32) -> AnimalHit {
    return add_part(
        found, coverage::ellipsoid(beam, vec3f(0.0, 1.6, 0.0), vec3f(0.8, 0.3, 0.24)), 2u);
}

/// True if a ray in body space can come within `margin` of the trunk in any pose. A tighter
/// bound renders faster.
virtual fn touches_trunk(origin: vec3f, direction: vec3f, margin: f32) -> bool {
    return bounds::touches_ellipsoid(
        origin, direction, vec3f(0.0, 1.6, 0.0), vec3f(0.8, 0.3, 0.24) + margin);
}

/// Surface properties of an animal at a point.
struct Skin {
    /// Unit normal in body space.
    normal: vec3f,
    /// Diffuse reflectance, linear.
    albedo: vec3f,
}

/// Surface of the part `id` at p (body space), whose unit normal there is `normal`. `tint`
/// is the animal's tint, 0 to 1; `cycle` is the number of gait cycles walked. Detail finer
/// than `footprint`, the width of the beam there, should fade out.
virtual fn skin(
    p: vec3f,
    normal: vec3f,
    id: u32,
    tint: f32,
    cycle: f32,
    footprint: f32,
) -> Skin {
    return Skin(normal, vec3f(0.3, 0.2, 0.1));
}

/// Sums over the animals that a beam has hit so far, front to back.
struct CrowdHit {
    /// Fraction of the beam's width not covered yet.
    uncovered: f32,
    /// Sums weighted by coverage; the normal is in world space.
    distance: f32,
    normal: vec3f,
    albedo: vec3f,
}

const NO_HIT: CrowdHit = CrowdHit(1.0, 0.0, vec3f(0.0), vec3f(0.0));

// Parts of an animal, one bit each: bit n for leg n, TRUNK for everything else.
const ALL_LEGS: u32 = (1u << walker::LEGS) - 1u;
const TRUNK: u32 = 1u << walker::LEGS;
const ALL_PARTS: u32 = ALL_LEGS | TRUNK;

#ifdef DEBUG_VIEW_BOUNDS
// True while all parts count as candidates.
var<private> ignores_bounds: bool;
#endif

// Parts that a beam in body space may hit before `t_end`.
fn part_candidates(beam: coverage::Beam, t_end: f32) -> u32 {
    let margin = 0.5 * coverage::width_at(beam, t_end);
    let trunk = touches_trunk(beam.origin, beam.direction, margin);
#ifdef DEBUG_VIEW_BOUNDS
    if ignores_bounds {
        return ALL_PARTS;
    }
#endif
    return quadruped::candidates(beam.origin, beam.direction, margin) | select(0u, TRUNK, trunk);
}

// An animal that a beam may hit.
struct Candidate {
    animal: crowd::Animal,
    pose: crowd::Pose,
    // Parts that the beam may hit; 0 if there is no such animal.
    parts: u32,
    // Distance at which the beam leaves the cell.
    t_exit: f32,
}

// Width of a pixel above which legs keep their own normals; those of the trunk are always blended.
const BLENDED_FOOTPRINT: f32 = 0.02;

// Width of a pixel above which legs end without hooves and have no `muscle_of`.
const DETAIL_FOOTPRINT: f32 = 0.036;

// Point inside the trunk where a leg's thigh begins.
fn root_of(bones: ik::Leg) -> vec3f {
    return bones.hip * vec3f(1.0, 1.0, 0.6);
}

// Radii of the muscle along the hind edge of a leg, in those of the thigh's root.
const MUSCLE: vec3f = vec3f(0.90, 0.82, 0.42);

// Ends of that muscle: triceps or hamstring, which is outermost.
fn muscle_of(bones: ik::Leg, row: u32) -> mat2x3f {
    let root = bones.hip * vec3f(1.0, 1.0, select(0.5, 0.8, row == 1u))
        - vec3f(quadruped::build(row).y, 0.0, 0.0);
    return mat2x3f(root, mix(bones.trochanter, bones.knee, 0.42));
}

// Sum of the `bulge`s of a leg's parts above the hoof.
fn leg_flesh(p: vec3f, bones: ik::Leg, radii: limb::Radii, row: u32) -> vec4f {
    let muscle = muscle_of(bones, row);
    return limb_bulge(p, root_of(bones), bones.trochanter, radii.coxa, radii.femur)
        + limb_bulge(p, muscle[0], muscle[1], MUSCLE.x * radii.coxa, MUSCLE.z * radii.coxa)
        + limb_bulge(p, bones.trochanter, bones.knee, radii.femur, radii.knee)
        + limb_bulge(p, bones.knee, bones.ankle, radii.knee, radii.ankle);
}

// True while only `uncovered` is needed.
var<private> counts_light_only: bool;

// Adds one animal to the sums. The beam is in world space and ends at `t_end`.
fn add_animal(
    total: CrowdHit,
    candidate: Candidate,
    loop_time: f32,
    beam_in_world: coverage::Beam,
    t_end: f32,
) -> CrowdHit {
    let animal = candidate.animal;
    let pose = candidate.pose;
    debug_view::count_step();
    let beam = crowd::beam_in_body(pose, beam_in_world);
    let cycle = crowd::cycle_of(animal, loop_time);
    let nothing = coverage::BeamHit(0.0, 0.0, vec3f(0.0, 1.0, 0.0));
    var found = AnimalHit(1.0, t_end / pose.size, 1e9, nothing, HIDE);
    if (candidate.parts & TRUNK) != 0u {
        found = trunk(found, beam, cycle, animal.tint);
    }
    // Visits only the candidates among the legs, lowest bit first.
    for (var legs = candidate.parts & ALL_LEGS; legs != 0u; legs &= legs - 1u) {
        let leg = bits::lowest(legs);
        let foot = quadruped::foot_at(animal, leg, loop_time);
        let bones = quadruped::leg_to(crowd::to_body(pose, foot), leg);
        let radii = walker::radii(leg);
        let thigh = coverage::tapered_capsule(
            beam, root_of(bones), bones.trochanter, radii.coxa, radii.femur);
        // Bones are thinner than the joints at their ends.
        let upper = coverage::spindle(beam, bones.trochanter, bones.knee,
            vec3f(radii.femur, 0.36 * radii.femur + 0.64 * radii.knee, radii.knee));
        // The point of the hock is the cannon bone's end, beyond the joint.
        let row = walker::row_of(leg);
        let heel = mix(bones.knee, bones.ankle, quadruped::build(row).z);
        let lower = coverage::spindle(beam, heel, bones.ankle,
            vec3f(0.66 * radii.knee, 0.72 * radii.ankle, radii.ankle));
        found = add_part(add_part(add_part(found, thigh, HIDE), upper, HIDE), lower, HIDE);
        let sole = quadruped::sole_of(bones, leg);
        let up = vec3f(-sole.y, sole.x, 0.0);
        let toe = bones.foot + radii.foot * (vec3f(sole, 0.0) + 0.42 * up);
        // Near legs end in a pastern and two claws, which the ground cuts off where the foot stands,
        // and have a muscle. In shadows and far away, one bone stands for all.
        let foot_width = coverage::width_at(beam, dot(toe - beam.origin, beam.direction));
        let is_detailed = !counts_light_only && foot_width < DETAIL_FOOTPRINT;
        let muscle = muscle_of(bones, row);
        let coronet = mix(bones.ankle, toe, 0.58);
        for (var n = 0u; n < select(1u, 4u, is_detailed); n++) {
            let is_claw = n == 1u || n == 2u;
            let aside = vec3f(0.0, 0.0, radii.foot * (f32(n == 2u) - f32(n == 1u)));
            let start = select(bones.ankle, coronet + 0.22 * aside, is_claw);
            let end = select(toe, coronet, is_detailed && !is_claw) + 0.36 * aside;
            let upper_girth = select(vec3f(0.84, 0.70, 0.80), vec3f(0.84, 0.60, 0.60), is_detailed);
            let girth = radii.foot * select(upper_girth, vec3f(0.68, 0.55, 0.42), is_claw);
            let bone = coverage::spindle(beam, select(start, muscle[0], n == 3u),
                select(end, muscle[1], n == 3u), select(girth, radii.coxa * MUSCLE, n == 3u));
            found = add_part(found, bone, select(HIDE, HOOF, is_claw));
        }
    }
    if found.uncovered >= 1.0 {
        return total;
    }
    let uncovered = total.uncovered * found.uncovered;
    if counts_light_only {
        return CrowdHit(uncovered, 0.0, vec3f(0.0), vec3f(0.0));
    }
    let hit = found.hit;
    let p = beam.origin + hit.distance * beam.direction;
    let footprint = coverage::width_at(beam, hit.distance);
    var normal = hit.normal;
    var open = 1.0;
    if found.id == HIDE {
        var sum = flesh(p, cycle, animal.tint);
        normal = mix(normal, sum.xyz / sum.w, smoothstep(0.3, 1.0, sum.w));
        // Blended with the legs where a thigh is several pixels wide: all legs at the trunk, as a
        // beam through it may miss the legs that shape it.
        if footprint < BLENDED_FOOTPRINT {
            let has_trunk = (candidate.parts & TRUNK) != 0u;
            let parts = select(candidate.parts & ALL_LEGS, ALL_LEGS, has_trunk);
            for (var legs = parts; legs != 0u; legs &= legs - 1u) {
                let leg = bits::lowest(legs);
                let foot = quadruped::foot_at(animal, leg, loop_time);
                let bones = quadruped::leg_to(crowd::to_body(pose, foot), leg);
                sum += leg_flesh(p, bones, walker::radii(leg), walker::row_of(leg));
            }
            let far = smoothstep(0.5 * BLENDED_FOOTPRINT, BLENDED_FOOTPRINT, footprint);
            normal = mix(sum.xyz / sum.w, normal, far);
        }
        // Where several parts meet is a crease.
        open = 1.0 - 0.36 * smoothstep(1.5, 2.9, sum.w);
    }
    let surface = skin(p, normalize(normal), found.id, animal.tint, cycle, footprint);
    let covered = total.uncovered * (1.0 - found.uncovered);
    return CrowdHit(
        uncovered,
        total.distance + covered * hit.distance * pose.size,
        total.normal + covered * crowd::rotate_to_world(pose, surface.normal),
        total.albedo + covered * open * surface.albedo,
    );
}

// True if a beam, seen from above, passes closely by an animal. This costs much less than the
// animal's pose and the test of its parts, and most cells end here.
// `across` is the unit vector across the beam, in world xz.
fn is_near(
    beam: coverage::Beam,
    across: vec2f,
    animal: crowd::Animal,
    t_end: f32,
    loop_time: f32,
) -> bool {
#ifdef DEBUG_VIEW_BOUNDS
    if ignores_bounds {
        return true;
    }
#endif
    let here = crowd::course_at(animal, loop_time);
    let half_size = HALF_WIDTH + HALF_LENGTH * abs(dot(here.ahead, across));
    return abs(dot(here.point - beam.origin.xz, across))
        < half_size * animal.size + 0.5 * coverage::width_at(beam, t_end);
}

// First animal that a beam may hit in the cells from `t_begin` to `t_end`.
fn next_candidate(beam: coverage::Beam, t_begin: f32, t_end: f32, loop_time: f32) -> Candidate {
    let cell_size = crowd::formation().cell;
    let from_crowd = beam.origin.xz - vec2f(swells::LENGTH * loop_time, 0.0);
    let along = beam.direction.xz;
    let path = grid::path_along(from_crowd, along, cell_size);
    let across = vec2f(-along.y, along.x) * inverseSqrt(max(dot(along, along), 1e-12));
    var next: Candidate;
    next.t_exit = t_begin;
    next.parts = 0u;
    while next.t_exit < t_end && next.parts == 0u {
        var is_found = false;
        while next.t_exit < t_end && !is_found {
            // Just past the border; animals keep a larger distance from it.
            let t = next.t_exit + 0.01;
            let cell = grid::cell_at(from_crowd + t * along, cell_size);
            next.t_exit = max(grid::exit_distance(path, cell, cell_size), t);
            debug_view::count_step();
            next.animal = crowd::animal_in(cell);
            is_found = crowd::is_taken(cell) && is_near(beam, across, next.animal, next.t_exit, loop_time);
        }
        next.pose = crowd::pose_at(next.animal, loop_time);
        let in_body = crowd::beam_in_body(next.pose, beam);
        let parts = part_candidates(in_body, next.t_exit / next.pose.size);
        next.parts = select(0u, parts, is_found);
    }
    return next;
}

#ifdef REFERENCE
/// Sums over the animals that a world-space beam hits within a span. Reference version:
/// each of up to 16 passes tests all animals for the nearest one beyond the previous.
fn intersect(beam: coverage::Beam, within: bounds::Span, loop_time: f32) -> CrowdHit {
    var total = NO_HIT;
    let rings = grid::ring_count(crowd::formation().count + 8.0);
    var last = -1e9;
    for (var pass_number = 0; pass_number < 16; pass_number++) {
        var nearest = 1e9;
        var next: Candidate;
        for (var row = -rings; row <= rings; row += 1.0) {
            for (var column = -rings; column <= rings; column += 1.0) {
                let cell = vec2f(column, row);
                let animal = crowd::animal_in(cell);
                let pose = crowd::pose_at(animal, loop_time);
                let middle = pose.origin + vec3f(0.0, 1.4 * animal.size, 0.0);
                let span = bounds::sphere_span(beam.origin, beam.direction, middle, 3.0);
                let t_centre = dot(middle - beam.origin, beam.direction);
                let exists = crowd::is_taken(cell) && span.t_far > 0.0;
                if exists && span.t_near <= span.t_far && t_centre > last && t_centre < nearest {
                    nearest = t_centre;
                    next = Candidate(animal, pose, ALL_PARTS, 0.0);
                }
            }
        }
        if nearest == 1e9 || within.t_near >= within.t_far {
            break;
        }
        total = add_animal(total, next, loop_time, beam, within.t_far);
        last = nearest;
    }
    return total;
}
#else
/// Sums over the animals that a world-space beam hits within a span.
fn intersect(beam: coverage::Beam, within: bounds::Span, loop_time: f32) -> CrowdHit {
    let total = sum_hits(beam, within, loop_time);
#ifdef DEBUG_VIEW_BOUNDS
    ignores_bounds = true;
    let all = sum_hits(beam, within, loop_time);
    debug_view::note_bounds(0u, all.uncovered < total.uncovered - 0.1);
    ignores_bounds = false;
#endif
    return total;
}

fn sum_hits(beam: coverage::Beam, within: bounds::Span, loop_time: f32) -> CrowdHit {
    var total = NO_HIT;
    var next = next_candidate(beam, within.t_near, within.t_far, loop_time);
    // Stops once the beam is almost covered.
    while next.parts != 0u && total.uncovered > 0.02 {
#ifdef DEBUG_VIEW_BOUNDS
        debug_view::note_bounds(select(countOneBits(next.parts), 0u, ignores_bounds), false);
#endif
        total = add_animal(total, next, loop_time, beam, within.t_far);
        next = next_candidate(beam, next.t_exit, within.t_far, loop_time);
    }
    return total;
}
#endif

/// Fraction of the light along a world-space beam that passes all animals.
fn light_through(beam: coverage::Beam, within: bounds::Span, loop_time: f32) -> f32 {
    counts_light_only = true;
    let passing = intersect(beam, within, loop_time).uncovered;
    counts_light_only = false;
    return passing;
}

/// Span of a camera ray inside the layer of air that contains animals, up to the ground at
/// `to_ground` and no farther than `t_far`. `direction` is a unit vector.
fn view_span(origin: vec3f, direction: vec3f, to_ground: f32, t_far: f32) -> bounds::Span {
    let t_enter = swells::trace(origin - vec3f(0.0, MAX_HEIGHT, 0.0), direction, t_far);
    let is_rising = direction.y >= 0.0;
    let t_leave = (swells::MAX_HEIGHT + MAX_HEIGHT - origin.y) / max(direction.y, 1e-4);
    let t_end = min(to_ground, select(t_far, min(t_leave, t_far), is_rising));
    return bounds::Span(select(t_enter, 0.0, is_rising), t_end);
}
