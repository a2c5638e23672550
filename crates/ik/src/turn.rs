//! Angles without trigonometry.

use super::Error;
use super::numbers::Real;

/// An angle, stored as its cosine and sine.
///
/// The solver's angles come out of a division and a square root as this pair, and go into
/// rotations as this pair. Radians are for input and output only:
///
/// ```
/// use tarsus_ik::Turn;
///
/// let turn = Turn::from_radians(0.5_f64)?;
/// assert!((turn.plus(turn).angle() - 1.0).abs() < 1e-15);
/// # Ok::<(), tarsus_ik::Error>(())
/// ```
#[doc(alias = "angle")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "(T, T)",
        into = "(T, T)",
        bound(
            serialize = "T: Real + serde::Serialize",
            deserialize = "T: Real + serde::Deserialize<'de>"
        )
    )
)]
pub struct Turn<T> {
    cos: T,
    sin: T,
}

/// Cosine and sine, as the feature `serde` stores them.
impl<T> From<Turn<T>> for (T, T) {
    fn from(turn: Turn<T>) -> Self {
        (turn.cos, turn.sin)
    }
}

/// [`Turn::new`] of cosine and sine.
impl<T: Real> TryFrom<(T, T)> for Turn<T> {
    type Error = Error;

    fn try_from((cos, sin): (T, T)) -> Result<Self, Error> {
        Self::new(cos, sin)
    }
}

/// The angle 0.
impl<T: Real> Default for Turn<T> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<T: Real> Turn<T> {
    /// The angle 0.
    pub const NONE: Self = Self { cos: T::ONE, sin: T::ZERO };

    /// The angle of the vector (`cos`, `sin`), counted from (1, 0) toward (0, 1). The
    /// vector may have any length.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and infinity; [`Error::NoDirection`] if both
    /// arguments are 0.
    pub fn new(cos: T, sin: T) -> Result<Self, Error> {
        if !(cos.is_finite() && sin.is_finite()) {
            return Err(Error::NotFinite { argument: "turn" });
        }
        let scale = cos.abs().max(sin.abs()).scale();
        let (cos, sin) = (cos * scale.scale_reciprocal(), sin * scale.scale_reciprocal());
        let length = (cos * cos + sin * sin).sqrt();
        if length == T::ZERO {
            return Err(Error::NoDirection { argument: "turn" });
        }
        Ok(Self { cos: cos / length, sin: sin / length })
    }

    /// The angle of this number of radians.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and infinity.
    pub fn from_radians(radians: T) -> Result<Self, Error> {
        if !radians.is_finite() {
            return Err(Error::NotFinite { argument: "turn" });
        }
        let (sin, cos) = radians.sin_cos();
        Ok(Self { cos, sin })
    }

    /// The angle of this number of degrees.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN and infinity.
    pub fn from_degrees(degrees: T) -> Result<Self, Error> {
        Self::from_radians(degrees.to_radians())
    }

    /// The angle in radians, from −π to π.
    #[must_use]
    pub fn angle(self) -> T {
        self.sin.atan2(self.cos)
    }

    /// The angle as one from 0 to π, if it is one but for rounding: π in `f32` is more than
    /// a half turn.
    pub(super) fn up_to_half(self) -> Option<Self> {
        if self.sin >= T::ZERO {
            return Some(self);
        }
        let is_rounded = -self.sin <= T::PARALLEL;
        is_rounded.then(|| Self { cos: T::ONE.copysign(self.cos), sin: T::ZERO })
    }

    /// The angle with this cosine and sine, which must form a unit vector.
    #[inline(always)]
    pub(super) fn from_unit(cos: T, sin: T) -> Self {
        Self { cos, sin }
    }

    /// The cosine, from −1 to 1.
    #[must_use]
    #[inline]
    pub fn cos(self) -> T {
        self.cos
    }

    /// The sine, from −1 to 1.
    #[must_use]
    #[inline]
    pub fn sin(self) -> T {
        self.sin
    }

    /// The negated angle.
    #[must_use]
    #[inline]
    pub fn reversed(self) -> Self {
        Self { cos: self.cos, sin: -self.sin }
    }

    /// The sum of two angles, by the angle addition formulas.
    #[must_use]
    #[inline]
    pub fn plus(self, other: Self) -> Self {
        Self {
            cos: self.cos * other.cos - self.sin * other.sin,
            sin: self.sin * other.cos + self.cos * other.sin,
        }
    }

    /// Half of the angle, which is taken from (−π, π]; the cosine of the half is ≥ 0.
    ///
    /// cos²(θ/2) = (1 + cos θ)/2, sin²(θ/2) = (1 − cos θ)/2 and sin θ = 2 sin(θ/2)
    /// cos(θ/2). The square root is taken of the sum that does not cancel; the other
    /// value follows by division.
    #[must_use]
    #[inline(always)]
    pub fn half(self) -> Self {
        let larger = ((T::ONE + self.cos.abs()) * T::HALF).sqrt();
        let smaller = self.sin.abs() * T::HALF / larger;
        // Weights of 0 and 1 instead of a branch that no processor predicts.
        let acute = if self.cos >= T::ZERO { T::ONE } else { T::ZERO };
        let obtuse = T::ONE - acute;
        let sin = smaller * acute + larger * obtuse;
        Self { cos: larger * acute + smaller * obtuse, sin: sin.signed_as(self.sin) }
    }
}
