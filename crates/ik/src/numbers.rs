//! Number and vector traits of the solver. Float and vector types refer to each other, so
//! both traits are here; `real` and `vector` implement them.

use core::fmt::Debug;
use core::ops::{Add, Div, Index, Mul, Neg, Sub};

use super::Error;

/// A float type to solve in: [`f32`] or [`f64`]. Sealed.
pub trait Real: Float {}

/// Operations the solver needs from a float. Implementable only in this crate, which
/// seals [`Real`].
pub trait Float:
    Copy
    + Debug
    + Default
    + Into<f64>
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
    /// A power of two near a million. Lengths between its reciprocal and it have squares,
    /// and products of squares, well inside the range of the float type.
    const MILLION: Self;
    /// Squared distance, at scale 1, below which start and target coincide: slightly
    /// above the limit where the square becomes subnormal.
    const COINCIDENT: Self;
    /// Sine of the angle below which two directions count as parallel: 8 ulp of 1, twice
    /// the rounding error of a normalised vector.
    const PARALLEL: Self;

    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn is_finite(self) -> bool;
    fn to_radians(self) -> Self;
    fn sin_cos(self) -> (Self, Self);
    fn atan2(self, x: Self) -> Self;
    /// `self` with the sign bit of `other`.
    fn copysign(self, other: Self) -> Self;

    /// Largest power of two ≤ `self` (> 0), clamped so that its reciprocal is normal too.
    /// Scaling by it is exact.
    fn scale(self) -> Self;
    /// `1 / self`, exact, for a power of two from [`scale`](Self::scale).
    fn scale_reciprocal(self) -> Self;

    /// The larger of two numbers, by one comparison; NaN is not handled.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// The smaller of two numbers, by one comparison; NaN is not handled.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// `self` with the sign of `other`; 0 counts as positive.
    #[inline(always)]
    fn signed_as(self, other: Self) -> Self {
        if other < Self::ZERO { -self } else { self }
    }
}

/// A point or direction to solve with: glam's [`Vec2`](glam::Vec2),
/// [`DVec2`](glam::DVec2), [`Vec3`](glam::Vec3) or [`DVec3`](glam::DVec3). Sealed.
///
/// `V::Real` is the float type of the components. `V::Bend` selects the direction a limb
/// bends to: a [`Side`] in the plane, a pole vector (a `V`) in space.
pub trait Vector: Frame {}

/// A point or direction in space: glam's [`Vec3`](glam::Vec3) or [`DVec3`](glam::DVec3).
/// Sealed.
pub trait SpaceVector: Vector<Bend = Self> + Space {}

/// Side of the line start–target that a limb in the plane bends to, looking from the
/// start toward the target with x to the right and y up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// Counter-clockwise of the line, as in the article.
    #[default]
    Left,
    /// Clockwise of the line.
    Right,
}

/// Operations the solver needs from a point. Implementable only in this crate, which
/// seals [`Vector`].
pub trait Frame:
    Copy
    + Default
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<Self::Real, Output = Self>
    + Index<usize, Output = Self::Real>
{
    /// The float type of the components.
    type Real: Real;
    /// Direction the limb bends to: a [`Side`] in the plane, a pole vector of any length
    /// in space.
    type Bend: Copy + Debug;

    /// The point with the components `f(i)`.
    fn from_fn(f: impl Fn(usize) -> Self::Real) -> Self;
    /// The bend that a batch encodes as the numbers `f(i)`.
    fn bend_from_fn(f: impl Fn(usize) -> Self::Real) -> Self::Bend;

    fn dot(self, other: Self) -> Self::Real;
    /// Largest magnitude of the components.
    fn max_abs_component(self) -> Self::Real;

    /// Length, without overflow of a square.
    fn length(self) -> Self::Real {
        let scale = self.max_abs_component().scale();
        let scaled = self * scale.scale_reciprocal();
        scaled.dot(scaled).sqrt() * scale
    }

    fn is_finite(self) -> bool;
    fn bend_is_finite(bend: Self::Bend) -> bool;

    /// Two perpendicular vectors of equal length: `p` and the direction to bend in. `h`
    /// is |p|². If start and target coincide, both are unit vectors: an arbitrary line
    /// and the direction of the bend.
    fn frame(p: Self, h: Self::Real, bend: Self::Bend) -> (Self, Self);

    /// Fast path of [`frame`](Self::frame) for h within a trillion either way and a bend
    /// encoded as the numbers `bend(i)`: its second vector, bit-identical, and whether it is
    /// valid. It is valid for a well-defined bend of a length within a million either way.
    fn fast_bend_direction(
        p: Self,
        h: Self::Real,
        bend: impl Fn(usize) -> Self::Real,
    ) -> (Self, bool);
}

/// Further operations that rotations and legs need from a vector in space.
pub trait Space: Frame<Bend = Self> {
    /// Quaternion of the same float type.
    type Quat: Copy + Debug + PartialEq + Mul<Output = Self::Quat>;

    const X: Self;
    const Y: Self;
    const Z: Self;

    fn components(self) -> [Self::Real; 3];
    fn cross(self, other: Self) -> Self;

    /// Builds a quaternion from x, y, z and w.
    fn quaternion(parts: [Self::Real; 4]) -> Self::Quat;
    /// Components x, y, z and w of a quaternion.
    fn parts(quaternion: Self::Quat) -> [Self::Real; 4];
    /// Inverse of a unit quaternion.
    fn conjugate(quaternion: Self::Quat) -> Self::Quat;
    /// `vector` turned by a unit quaternion.
    fn rotate(quaternion: Self::Quat, vector: Self) -> Self;

    /// The rotation by 0.
    fn identity() -> Self::Quat {
        let zero = Self::Real::ZERO;
        Self::quaternion([zero, zero, zero, Self::Real::ONE])
    }

    /// Unit vector in this direction.
    fn checked_direction(self, argument: &'static str) -> Result<Self, Error> {
        if !self.is_finite() {
            Err(Error::NotFinite { argument })
        } else if self.max_abs_component() == Self::Real::ZERO {
            Err(Error::NoDirection { argument })
        } else {
            Ok(self.unit_or(Self::Y))
        }
    }

    /// A vector of the same direction scaled to a length near 1; 0 stays 0.
    #[inline(always)]
    fn rescaled(self) -> Self {
        self * self.max_abs_component().scale().scale_reciprocal()
    }

    /// Unit vector in this direction, or `fallback` for 0.
    #[inline(always)]
    fn unit_or(self, fallback: Self) -> Self {
        let million = Self::Real::MILLION;
        let h = self.dot(self);
        if h > Self::Real::ONE / (million * million) && h < million * million {
            return self * (Self::Real::ONE / h.sqrt());
        }
        let v = self.rescaled();
        let h = v.dot(v);
        let unit = v * (Self::Real::ONE / h.sqrt());
        if h > Self::Real::ZERO { unit } else { fallback }
    }

    /// Coordinate axis in which this vector's component is smallest.
    #[inline(always)]
    fn smallest_component_axis(self) -> Self {
        let [x, y, z] = self.components().map(Float::abs);
        if x <= y && x <= z {
            Self::X
        } else if y <= z {
            Self::Y
        } else {
            Self::Z
        }
    }

    /// A unit vector perpendicular to this unit vector.
    #[inline(always)]
    fn any_perpendicular(self) -> Self {
        self.cross(self.smallest_component_axis()).unit_or(Self::X)
    }

    /// Component of the pole perpendicular to p, rescaled to the length of p; an
    /// arbitrary perpendicular of p if the pole is 0 or parallel to p.
    ///
    /// (p × pole) × p = |p|² pole − p(p·pole). Two cross products, rather than the
    /// right-hand side, keep the result perpendicular to p to the last digits however
    /// close to p the pole points.
    #[inline(always)]
    fn bend_direction(p: Self, pole: Self) -> Self {
        let (n, pole) = (p.rescaled(), pole.rescaled());
        let squares = n.dot(n) * pole.dot(pole);
        let toward_pole = n.cross(pole);
        let limit = Self::Real::PARALLEL * Self::Real::PARALLEL * squares;
        let parallel = toward_pole.dot(toward_pole) <= limit;
        let normal = if parallel { n.cross(n.smallest_component_axis()) } else { toward_pole };
        // |normal × n| = |normal| |n|, and p is n times a power of two.
        let unit = (Self::Real::ONE / normal.dot(normal)).sqrt();
        normal.cross(n) * unit * p.max_abs_component().scale()
    }

    /// Unit vector along the horizontal projection of this vector, or `fallback` if it is
    /// vertical or 0. `up` is a unit vector.
    #[inline(always)]
    fn level_direction(self, up: Self, fallback: Self) -> Self {
        let v = self.rescaled();
        // (up × v) × up = v − up(up·v), perpendicular to up as in `bend_direction`.
        let normal = up.cross(v);
        let limit = Self::Real::PARALLEL * Self::Real::PARALLEL * v.dot(v);
        let upright = normal.dot(normal) <= limit;
        if upright { fallback } else { normal.cross(up).unit_or(fallback) }
    }
}
