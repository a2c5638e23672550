//! Random numbers for property tests over many configurations, and vectors of either
//! precision.

use glam::{DVec3, Vec3};

/// A vector in `f32` or `f64`.
pub trait Vector: Copy {
    fn rounded(v: DVec3) -> Self;
    fn widened(self) -> DVec3;
}

impl Vector for Vec3 {
    fn rounded(v: DVec3) -> Self {
        v.as_vec3()
    }

    fn widened(self) -> DVec3 {
        self.as_dvec3()
    }
}

impl Vector for DVec3 {
    fn rounded(v: DVec3) -> Self {
        v
    }

    fn widened(self) -> DVec3 {
        self
    }
}

/// A vector of the precision that is tested.
pub fn vector<V: Vector>(v: DVec3) -> V {
    V::rounded(v)
}

/// The same vector in `f64`.
pub fn wide<V: Vector>(v: V) -> DVec3 {
    v.widened()
}

/// Number of configurations per property: `TARSUS_IK_CASES`, or 50,000, which take seconds.
pub fn cases() -> usize {
    std::env::var("TARSUS_IK_CASES").map_or(50_000, |n| n.parse().expect("a number"))
}

/// Uniform numbers, reproducible (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// A number in [0, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// A unit vector in a random direction.
    pub fn direction(&mut self) -> glam::DVec3 {
        let up = self.between(-1.0, 1.0);
        let (sin, cos) = self.between(0.0, std::f64::consts::TAU).sin_cos();
        let level = (1.0 - up * up).sqrt();
        glam::DVec3::new(level * cos, up, level * sin)
    }
}
