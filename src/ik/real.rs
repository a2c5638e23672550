//! The two float types, and the little arithmetic the solver asks of them.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

use glam::{DVec2, DVec3, Vec2, Vec3};

use super::vector::{Side, SpaceVector, Vector};

/// A float type to solve in: [`f32`] or [`f64`], and no other.
pub trait Real: Float {}

impl Real for f32 {}
impl Real for f64 {}

/// What the solver needs of a float. Implemented here only, which seals
/// [`Real`].
pub trait Float:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A point in the plane with these components.
    type Plane: Vector<Real = Self, Bend = Side>;
    /// A point in space with these components.
    type Space: SpaceVector<Real = Self>;

    const ZERO: Self;
    const INFINITY: Self;
    const HALF: Self;
    const ONE: Self;
    const TWO: Self;
    /// A power of two near 1000.
    const THOUSAND: Self;
    /// A power of two near a million: lengths between it and its reciprocal
    /// have squares, and squares have products, far from the ends of the range.
    const MILLION: Self;
    /// Squared distance, at a size near 1, below which start and target are
    /// one point: a little above where the square leaves the normal numbers.
    const COINCIDENT: Self;
    /// Sine of the angle below which two directions count as parallel, 8 ulp
    /// of 1: the rounding of a normalised vector is half of that.
    const PARALLEL: Self;

    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn is_finite(self) -> bool;
    /// `self` with the sign bit of `other`.
    fn with_sign_of(self, other: Self) -> Self;

    /// The power of two at or just below `self` > 0, kept where its reciprocal
    /// is a normal number too. Scaling by it loses no digit.
    fn scale(self) -> Self;
    /// `1 / self` for a power of two made by [`scale`](Self::scale), exactly.
    fn scale_reciprocal(self) -> Self;

    /// The larger of two numbers; one comparison, no care for NaN.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// The smaller of two numbers; one comparison, no care for NaN.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// `self` with the sign of `other`, 0 counting as positive.
    #[inline(always)]
    fn signed_as(self, other: Self) -> Self {
        if other < Self::ZERO { -self } else { self }
    }
}

macro_rules! float {
    ($real:ident, $plane:ident, $space:ident, $libm_sqrt:path, coincident: $coincident:expr) => {
        impl Float for $real {
            type Plane = $plane;
            type Space = $space;

            const ZERO: Self = 0.0;
            const INFINITY: Self = $real::INFINITY;
            const HALF: Self = 0.5;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const THOUSAND: Self = 1024.0;
            const MILLION: Self = 1048576.0;
            const COINCIDENT: Self = $coincident;
            const PARALLEL: Self = 8.0 * $real::EPSILON;

            #[inline(always)]
            fn sqrt(self) -> Self {
                #[cfg(feature = "std")]
                {
                    $real::sqrt(self)
                }
                #[cfg(not(feature = "std"))]
                {
                    $libm_sqrt(self)
                }
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $real::abs(self)
            }

            #[inline(always)]
            fn with_sign_of(self, other: Self) -> Self {
                $real::copysign(self, other)
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                // A comparison vectorises, a test of the float's class does not.
                $real::abs(self) <= $real::MAX
            }

            #[inline(always)]
            fn scale(self) -> Self {
                const EXPONENT: $real = $real::INFINITY;
                let kept = self
                    .larger($real::MIN_POSITIVE)
                    .smaller(0.25 / $real::MIN_POSITIVE);
                $real::from_bits(kept.to_bits() & EXPONENT.to_bits())
            }

            #[inline(always)]
            fn scale_reciprocal(self) -> Self {
                // Biased exponents e and 2·bias − e stand for 2ⁿ and 2⁻ⁿ.
                const TWICE_BIAS: $real = 1.0;
                $real::from_bits(2 * TWICE_BIAS.to_bits() - self.to_bits())
            }
        }
    };
}

float!(f32, Vec2, Vec3, libm::sqrtf, coincident: 1e-30);
float!(f64, DVec2, DVec3, libm::sqrt, coincident: 1e-280);
