//! Reference implementation of the walk in f64, independent of the shaders: path, ground,
//! gait.
//!
//! The formulas are those of the WGSL modules; only the lattice hash,
//! which uses integer arithmetic, is bit-identical. Time is not wrapped: the walk
//! continues along x forever.

use glam::{DVec2, DVec3};

const TAU: f64 = std::f64::consts::TAU;

/// The path of `tarsus::walk`
pub mod path {
    use super::{DVec2, TAU};

    pub const PERIOD: f64 = 32.0;
    const SWAY: f64 = 1.7;

    pub fn point_at(distance: f64) -> DVec2 {
        DVec2::new(distance, SWAY * (TAU / PERIOD * distance).sin())
    }

    pub fn direction_at(distance: f64) -> DVec2 {
        DVec2::new(1.0, SWAY * TAU / PERIOD * (TAU / PERIOD * distance).cos()).normalize()
    }

    pub fn beside(distance: f64, offset: DVec2) -> DVec2 {
        let ahead = direction_at(distance);
        point_at(distance) + ahead * offset.x + DVec2::new(-ahead.y, ahead.x) * offset.y
    }
}

/// `tarsus::noise` and `tarsus::terrain`
pub mod terrain {
    use super::DVec2;

    fn mix_bits(mut h: u32) -> u32 {
        h = (h ^ (h >> 16)).wrapping_mul(0x21F0_AAAD);
        h = (h ^ (h >> 15)).wrapping_mul(0x735A_2D97);
        h ^ (h >> 15)
    }

    fn corner(x: i64, y: i64, mask: u32, seed: u32) -> f64 {
        let word = (x as u32 & mask)
            .wrapping_mul(0x9E37_79B1)
            .wrapping_add((y as u32 & mask).wrapping_mul(0x85EB_CA77))
            .wrapping_add(seed);
        f64::from(mix_bits(word) >> 8) / f64::from(1u32 << 23) - 1.0
    }

    fn value_noise(p: DVec2, mask: u32, seed: u32) -> f64 {
        let cell = p.floor();
        let f = p - cell;
        let fade = |t: f64| t * t * t * (t * (6.0 * t - 15.0) + 10.0);
        let (x, y) = (cell.x as i64, cell.y as i64);
        let at = |dx, dy| corner(x + dx, y + dy, mask, seed);
        let lerp = |a: f64, b: f64, t: f64| a + (b - a) * t;
        let (u, v) = (fade(f.x), fade(f.y));
        lerp(lerp(at(0, 0), at(1, 0), u), lerp(at(0, 1), at(1, 1), u), v)
    }

    fn next_octave(p: DVec2) -> DVec2 {
        DVec2::new(2.0 * p.x + p.y, 2.0 * p.y - p.x)
    }

    /// Height of the ground at a point of the xz plane.
    pub fn height(p: DVec2) -> f64 {
        const SEED: u32 = 0x51ED_270B;
        let s = ((p.y.abs() - 4.0) / 18.0).clamp(0.0, 1.0);
        let wall = 1.0 + 7.0 * s * s * (3.0 - 2.0 * s);
        let crest = |n: f64| 1.0 - 2.0 * (n * n + 0.015).sqrt();
        let dune = p / 8.0;
        let hump = next_octave(dune);
        let hollow = next_octave(hump);
        let lump = next_octave(hollow);
        0.38 * wall * crest(value_noise(dune, 3, SEED))
            + 0.17 * value_noise(hump, 3, SEED + 1)
            + 0.055 * value_noise(hollow, 3, SEED + 2)
            + 0.014 * value_noise(lump, 3, SEED + 3)
    }
}

/// `tarsus::walk::Gait`
#[derive(Clone, Copy, Debug)]
pub struct Gait {
    pub period: f64,
    pub duty: f64,
    pub stride: f64,
    pub lift: f64,
}

/// Parameters of one leg in a scene.
#[derive(Clone, Copy, Debug)]
pub struct LegPlan {
    pub phase: f64,
    pub rest: DVec2,
}

/// `tarsus::walk::FootState`
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    pub position: DVec3,
    pub stance: bool,
}

/// Position of a foot at `time`, standing or swinging over `ground`.
pub fn foot_at(gait: &Gait, leg: &LegPlan, time: f64, ground: impl Fn(DVec2) -> f64) -> Foot {
    let cycle = time / gait.period + leg.phase;
    let index = cycle.floor();
    let part = cycle - index;
    let hold = |index: f64| {
        let distance = gait.stride * (index - leg.phase + 0.5 * gait.duty);
        path::beside(distance, leg.rest)
    };
    let here = hold(index);
    let low = ground(here);
    if part < gait.duty {
        return Foot { position: DVec3::new(here.x, low, here.y), stance: true };
    }
    let swing = (part - gait.duty) / (1.0 - gait.duty);
    let way = (swing - 0.12).max(0.0) / 0.88;
    let travel = way * way * (3.0 - 2.0 * way);
    let there = hold(index + 1.0);
    let over = here.lerp(there, travel);
    let height = low + (ground(there) - low) * travel;
    let w = swing * (1.5 - 0.5 * swing);
    let lift = gait.lift * 16.0 * w * w * (1.0 - w) * (1.0 - w);
    Foot { position: DVec3::new(over.x, height + lift, over.y), stance: false }
}
