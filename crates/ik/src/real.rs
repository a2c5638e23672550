//! Implementations of the float traits for `f32` and `f64`.

use glam::{DVec2, DVec3, Vec2, Vec3};

use super::numbers::{Float, Real};

impl Real for f32 {}
impl Real for f64 {}

macro_rules! float {
    ($real:ident, $plane:ident, $space:ident, $sqrt:ident, $sin_cos:ident, $atan2:ident,
     coincident: $coincident:expr) => {
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
                    libm::$sqrt(self)
                }
            }

            #[inline]
            fn to_radians(self) -> Self {
                $real::to_radians(self)
            }

            // Not the standard library's, whose digits depend on the system.
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                libm::$sin_cos(self)
            }

            #[inline]
            fn atan2(self, x: Self) -> Self {
                libm::$atan2(self, x)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $real::abs(self)
            }

            #[inline(always)]
            fn copysign(self, other: Self) -> Self {
                $real::copysign(self, other)
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                // A comparison vectorises; a test of the float's class does not.
                $real::abs(self) <= $real::MAX
            }

            #[inline(always)]
            fn scale(self) -> Self {
                const EXPONENT: $real = $real::INFINITY;
                // Not the inherent `max` and `min`, which handle NaN.
                let kept =
                    Float::min(Float::max(self, $real::MIN_POSITIVE), 0.25 / $real::MIN_POSITIVE);
                $real::from_bits(kept.to_bits() & EXPONENT.to_bits())
            }

            #[inline(always)]
            fn scale_reciprocal(self) -> Self {
                // Biased exponents e and 2·bias − e represent 2ⁿ and 2⁻ⁿ.
                const TWICE_BIAS: $real = 1.0;
                $real::from_bits(2 * TWICE_BIAS.to_bits() - self.to_bits())
            }
        }
    };
}

float!(f32, Vec2, Vec3, sqrtf, sincosf, atan2f, coincident: 1e-30);
float!(f64, DVec2, DVec3, sqrt, sincos, atan2, coincident: 1e-280);
