#define_import_path tarsus::parts

#import tarsus::bits
#import tarsus::bounds
#import tarsus::raymarch

// Sphere tracing of several parts of one kind, such as legs, of which a ray meets few. The
// candidates of a ray form a bit mask; each is traced in turn, within its own bound. Parts
// that no ray of a group of pixels can meet cost nothing, even on renderers that execute
// both sides of every branch: there, only the number of loop iterations counts. More than 32
// limbs (LEGS and EXTRA_LIMBS) share bits with their neighbours.
//
// A scene imports this module and overrides `set_current_part`, `span` and `map`. Ray
// directions are unit vectors.

// The defaults of `walker`, which asserts that both modules have the same.
#ifndef LEGS
#define LEGS 6
#endif
#ifndef EXTRA_LIMBS
#define EXTRA_LIMBS 0
#endif

const COUNT: u32 = #{LEGS}u + #{EXTRA_LIMBS}u;
const PARTS_PER_BIT: u32 = (COUNT + 31u) / 32u;

/// Bit of a part in a mask of candidates.
fn bit_of(part: u32) -> u32 {
    return 1u << (part / PARTS_PER_BIT);
}

// First part of a mask whose number is at least `least`, which is no more than that of the
// last part of the lowest bit.
fn first_part(mask: u32, least: u32) -> u32 {
    return max(PARTS_PER_BIT * bits::lowest(mask), least);
}

// A mask without its lowest bit once `next`, the number after the last traced part, is beyond
// the parts of that bit.
fn remove_traced(mask: u32, next: u32) -> u32 {
    let is_traced = next % PARTS_PER_BIT == 0u || next >= COUNT;
    return select(mask, mask & (mask - 1u), is_traced);
}

/// Makes `part` the current part, to which `span` and `map` refer.
virtual fn set_current_part(part: u32) {}

/// Span that contains every point of a ray within `margin` of the current part.
virtual fn span(origin: vec3f, direction: vec3f, margin: f32) -> bounds::Span {
    return bounds::EMPTY;
}

/// Distance from p to the current part. Bound.
virtual fn map(p: vec3f) -> f32 {
    return 1e3;
}

/// Hit on one part; its coverage is 0 for a miss, and its part arbitrary then.
struct PartHit {
    hit: raymarch::Hit,
    part: u32,
}

/// Result of tracing one ray against several parts.
struct PartHits {
    /// The hit that covers most of the pixel, the nearest one of equal hits.
    main: PartHit,
    /// The edge of another part in front of it, of partial coverage.
    edge: PartHit,
}

/// The hits with one more. An edge behind the main hit counts only if a later hit takes the
/// main one's place.
fn add_hit(hits: PartHits, other: PartHit) -> PartHits {
    let wins = raymarch::wins_over(other.hit, hits.main.hit);
    var main = hits.main;
    var loser = other;
    if wins {
        main = other;
        loser = hits.main;
    }
    var edge = hits.edge;
    let is_front = loser.hit.coverage > 0.0 && loser.hit.distance < main.hit.distance;
    if is_front && loser.hit.coverage > edge.hit.coverage {
        edge = loser;
    }
    if edge.hit.distance >= main.hit.distance {
        edge.hit.coverage = 0.0;
    }
    return PartHits(main, edge);
}

/// No hit before `t_far`.
fn no_hits(t_far: f32, direction: vec3f) -> PartHits {
    let miss = PartHit(raymarch::Hit(t_far, 0.0, -direction, 0u), 0u);
    return PartHits(miss, miss);
}

/// Traces a ray, as `raymarch::march` does, against the parts whose bits are set in
/// `candidates`, from `t_near` to `t_far`. `pixel` is the width of a pixel at distance 1,
/// `margin` its width at the parts. Changes the current part.
fn march(
    origin: vec3f,
    direction: vec3f,
    candidates: u32,
    t_near: f32,
    t_far: f32,
    pixel: f32,
    margin: f32,
) -> PartHit {
    return add_hits(
        no_hits(t_far, direction), origin, direction, candidates, t_near, t_far, pixel, margin).main;
}

/// Adds to `hits` those of a ray that `march` traces, with the edges in front of them.
fn add_hits(
    hits: PartHits,
    origin: vec3f,
    direction: vec3f,
    candidates: u32,
    t_near: f32,
    t_far: f32,
    pixel: f32,
    margin: f32,
) -> PartHits {
    var found = hits;
    var next = 0u;
    for (var remaining = candidates; remaining != 0u; remaining = remove_traced(remaining, next)) {
        let part = first_part(remaining, next);
        next = part + 1u;
        set_current_part(part);
        let bound = span(origin, direction, margin);
        let main = found.main.hit;
        let end = select(t_far, min(t_far, main.distance), main.coverage >= 1.0);
        var state = raymarch::start_trace(
            max(bound.t_near, t_near), min(bound.t_far, end), pixel);
        while raymarch::is_tracing(state) {
            let p = origin + raymarch::sample_distance(state) * direction
                + raymarch::offset_from_axis(state);
            state = raymarch::advance(state, raymarch::Sample(map(p), 0u));
        }
        found = add_hit(found, PartHit(raymarch::hit_of(state), part));
    }
    return found;
}

/// Shadow clearance (`raymarch::ShadowState`) of the parts whose bits are set in
/// `candidates`, from p toward a light whose disc has the angular radius `angle` (radians),
/// up to the distance `t_far`. `margin` is the extent of the penumbra outside a part.
/// Changes the current part.
fn shadow_clearance(
    p: vec3f,
    to_light: vec3f,
    candidates: u32,
    t_far: f32,
    angle: f32,
    margin: f32,
) -> f32 {
    var clearance = 1.0;
    var next = 0u;
    for (
        var remaining = candidates;
        remaining != 0u && clearance > -1.0;
        remaining = remove_traced(remaining, next)
    ) {
        let part = first_part(remaining, next);
        next = part + 1u;
        set_current_part(part);
        let bound = span(p, to_light, margin);
        var state = raymarch::start_shadow(
            max(bound.t_near, 0.02), min(bound.t_far, t_far), angle);
        while raymarch::is_shadow_tracing(state) {
            state = raymarch::advance_shadow(state, map(p + state.distance * to_light));
        }
        clearance = min(clearance, state.clearance);
    }
    return clearance;
}
