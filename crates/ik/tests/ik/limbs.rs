//! Random limbs for the property tests: ordinary ones, and floats from the ends of the
//! range.

use glam::{DVec3, Vec2, Vec3};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tarsus_ik::{Goal, Pole, ReachPolicy, Side, Turn, TwoBone};

/// Runs this number of cases.
pub fn config(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    // The same cases in every run, unless PROPTEST_RNG_SEED chooses others.
    let rng_seed = match default.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        chosen => chosen,
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..default }
}

/// Unit roundoff of `f32`.
pub const U: f64 = 1.0 / (1 << 24) as f64;

/// Half the spacing of subnormal numbers, the rounding error of a subnormal joint; for
/// three components.
pub const DENORMAL: f64 = 3.0 * 1.4e-45;

/// Magnitudes from ordinary to the ends of the range of `f32`.
pub fn magnitude() -> impl Strategy<Value = f32> {
    prop_oneof![
        6 => (-3.0_f32..3.0).prop_map(|e| 10.0_f32.powf(e)),
        1 => (-30.0_f32..30.0).prop_map(|e| 10.0_f32.powf(e)),
        1 => prop_oneof![Just(1e30_f32), Just(1e-30), Just(f32::MIN_POSITIVE), Just(1.0)],
        1 => (1_u32..1 << 23).prop_map(f32::from_bits),
    ]
}

/// Two bones: unrelated, equal, nearly equal, or of extreme ratio.
pub fn bones() -> impl Strategy<Value = (f32, f32)> {
    (magnitude(), magnitude(), -6.0_f32..-1.0, 0..5).prop_map(|(a, b, e, kind)| match kind {
        0 => (a, a),
        1 => (a, a * (1.0 + 10.0_f32.powf(e))),
        2 => (a * (1.0 + 10.0_f32.powf(e)), a),
        3 => (a, (a * 10.0_f32.powf(e)).max(f32::from_bits(1))),
        _ => (a, b),
    })
}

/// Target distances for these bones: anywhere, on a boundary, or one float next to it.
pub fn distance((r1, r2): (f32, f32)) -> impl Strategy<Value = f32> {
    let (hole, reach) = ((r1 - r2).abs(), r1 + r2);
    prop_oneof![
        6 => (0.0_f32..1.0).prop_map(move |t| hole + (reach - hole) * t),
        2 => prop_oneof![Just(hole), Just(reach)],
        2 => prop_oneof![Just(hole.next_down().abs()), Just(hole.next_up())],
        2 => prop_oneof![Just(reach.next_down()), Just(reach.next_up())],
        1 => Just(0.0),
        2 => (-8.0_f32..0.0).prop_map(move |e| reach * 10.0_f32.powf(e)),
        1 => (0.0_f32..8.0).prop_map(move |e| reach * 10.0_f32.powf(e)),
        1 => magnitude(),
    ]
    .prop_filter("a finite distance", |d| *d < 1e38)
}

/// Directions in space, including the axes and directions near them.
pub fn direction() -> impl Strategy<Value = Vec3> {
    let component = || prop_oneof![4 => -1.0_f32..1.0, 1 => Just(0.0), 1 => -1e-6_f32..1e-6];
    (component(), component(), component())
        .prop_map(|(x, y, z)| Vec3::new(x, y, z).normalize_or(Vec3::X))
}

pub fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Left), Just(Side::Right)]
}

pub fn policy() -> impl Strategy<Value = ReachPolicy> {
    prop_oneof![Just(ReachPolicy::Meet), Just(ReachPolicy::Clamp), Just(ReachPolicy::Fail)]
}

/// Bones, target relative to the start, side.
pub type PlaneLimb = ((f32, f32), Vec2, Side);

/// Bones, target relative to the start, pole.
pub type SpaceLimb = ((f32, f32), Vec3, Vec3);

pub fn plane() -> impl Strategy<Value = PlaneLimb> {
    bones().prop_flat_map(|r| {
        (Just(r), distance(r), direction(), side())
            .prop_map(|(r, d, n, side)| (r, n.truncate().normalize_or(Vec2::X) * d, side))
    })
}

pub fn space() -> impl Strategy<Value = SpaceLimb> {
    bones().prop_flat_map(|r| {
        let poles = (direction(), magnitude()).prop_map(|(n, l)| n * l);
        (Just(r), distance(r), direction(), poles).prop_map(|(r, d, n, pole)| (r, n * d, pole))
    })
}

/// An ordinary limb in space, well inside the range of `f32`.
pub fn ordinary() -> impl Strategy<Value = SpaceLimb> {
    (0.1_f32..2.0, 0.1_f32..2.0, 0.0_f32..1.3, direction(), direction())
        .prop_map(|(r1, r2, t, n, pole)| ((r1, r2), n * ((r1 + r2) * t), pole))
}

/// Limbs for a batch: all hostile, or a few hostile among ordinary ones, to cover every
/// path through a block.
pub fn plane_limbs() -> impl Strategy<Value = Vec<PlaneLimb>> {
    let flat = || (ordinary(), side()).prop_map(|((r, p, _), side)| (r, p.truncate(), side));
    prop_oneof![
        prop::collection::vec(plane(), 0..300),
        prop::collection::vec(prop_oneof![60 => flat(), 1 => plane()], 0..300),
    ]
}

pub fn space_limbs() -> impl Strategy<Value = Vec<SpaceLimb>> {
    prop_oneof![
        prop::collection::vec(space(), 0..300),
        prop::collection::vec(prop_oneof![60 => ordinary(), 1 => space()], 0..300),
    ]
}

/// Settings for the limbs of a batch: a fraction of the reach at which soft reach begins,
/// and whether to fold softly, to limit and to stretch some of the limbs.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    soft: Option<f32>,
    fold: bool,
    limits: bool,
    stretch: bool,
}

pub fn settings() -> impl Strategy<Value = Settings> {
    let soft = prop_oneof![Just(None), (0.5_f32..1.0).prop_map(Some)];
    (soft, any::<bool>(), any::<bool>(), any::<bool>())
        .prop_map(|(soft, fold, limits, stretch)| Settings { soft, fold, limits, stretch })
}

impl Settings {
    /// Limb `i`, with those of the settings that fit it.
    pub fn limb(self, i: usize, r: (f32, f32)) -> TwoBone<f32> {
        let mut limb = limb(r).expect("filtered");
        if self.limits && !i.is_multiple_of(3) {
            let turn = |radians| Turn::from_radians(radians).expect("finite");
            limb = limb.with_hinge_limits(turn(0.3), turn(2.8)).unwrap_or(limb);
        }
        if self.stretch && !i.is_multiple_of(5) {
            limb = limb.with_stretch(0.9, 1.25).unwrap_or(limb);
        }
        match (self.soft, i % 4) {
            (Some(share), 0 | 1) => {
                let limb = limb.with_soft_reach(share * limb.reach()).unwrap_or(limb);
                if !self.fold {
                    return limb;
                }
                limb.with_soft_fold(0.9 * share * limb.reach()).unwrap_or(limb)
            }
            (Some(share), 2) => limb.with_soft_reach(0.9 * share * limb.reach()).unwrap_or(limb),
            _ => limb,
        }
    }
}

/// A limb, or `None` if its reach overflows.
pub fn limb((r1, r2): (f32, f32)) -> Option<TwoBone<f32>> {
    TwoBone::new(r1, r2).ok()
}

/// A bone of the bind pose, rescaled to another length.
pub fn stretched(bone: Vec3, length: f32) -> Vec3 {
    bone.normalize() * length
}

pub fn wide(v: Vec3) -> DVec3 {
    v.as_dvec3()
}

/// The goal of a limb that bends to a pole.
pub fn goal(start: Vec3, target: Vec3, pole: Vec3) -> Goal<Vec3> {
    Goal::new(start, target).with_pole(Pole::Direction(pole))
}
