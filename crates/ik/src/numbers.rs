//! What the solver needs of numbers and points. Floats name their points and points
//! their floats, so both stand here; `real` and `vector` implement them.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A float type to solve in: [`f32`] or [`f64`], and no other.
pub trait Real: Float {}

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

/// A point or direction to solve with: glam's [`Vec2`](glam::Vec2), [`DVec2`](glam::DVec2), [`Vec3`](glam::Vec3) or
/// [`DVec3`](glam::DVec3), and no other.
///
/// `V::Real` is the float type of the components. `V::Bend` is what says which
/// way a limb bends: a [`Side`] in the plane, a pole vector in space, which is
/// a `V` itself.
pub trait Vector: Frame {}

/// A point or direction in space: glam's [`Vec3`](glam::Vec3) or [`DVec3`](glam::DVec3), and no other.
pub trait SpaceVector: Vector<Bend = Self> + Space {}

/// The side of the line start–target that a limb in the plane bends to, seen
/// with x to the right and y up, looking from the start at the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    /// Counter-clockwise of the line: the article's choice.
    #[default]
    Left,
    /// Clockwise of the line.
    Right,
}

/// What the solver needs of a point. Implemented here only, which seals
/// [`Vector`].
pub trait Frame:
    Copy
    + Default
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<Self::Real, Output = Self>
{
    /// The float type of the components.
    type Real: Real;
    /// What says which way the limb bends: a [`Side`] in the plane, a pole
    /// vector of any length in space.
    type Bend: Copy + Debug;

    /// The point whose component `i` is `f(i)`.
    fn from_fn(f: impl Fn(usize) -> Self::Real) -> Self;
    fn component(self, i: usize) -> Self::Real;
    /// The bend that a batch spells with the numbers `f(i)`.
    fn bend_from_fn(f: impl Fn(usize) -> Self::Real) -> Self::Bend;

    fn dot(self, other: Self) -> Self::Real;
    /// Magnitude of the largest component.
    fn largest(self) -> Self::Real;
    fn is_finite(self) -> bool;
    fn bend_is_finite(bend: Self::Bend) -> bool;

    /// Two perpendicular vectors of equal length: `p` itself and the direction
    /// to bend in. h = |p|². If start and target are one point then both are
    /// unit vectors in different directions, the second that of the bend.
    fn frame(p: Self, h: Self::Real, bend: Self::Bend) -> (Self, Self);

    /// The direction to bend in that [`frame`](Self::frame) finds, to the last
    /// bit, and whether it is to be relied on: the short way, for lengths not
    /// beyond a million either way and a bend that is well defined.
    fn quick_across(p: Self, h: Self::Real, bend: Self::Bend) -> (Self, bool);
}

/// What rotations and legs need of a vector in space besides.
pub trait Space: Frame<Bend = Self> {
    /// The quaternion that goes with the float type.
    type Quat: Copy + Debug + PartialEq + Mul<Output = Self::Quat>;

    const X: Self;
    const Y: Self;
    const Z: Self;

    fn components(self) -> [Self::Real; 3];
    fn cross(self, other: Self) -> Self;

    /// From x, y, z and w.
    fn quaternion(parts: [Self::Real; 4]) -> Self::Quat;
    /// x, y, z and w.
    fn parts(quaternion: Self::Quat) -> [Self::Real; 4];
    /// The inverse rotation of a unit quaternion.
    fn conjugate(quaternion: Self::Quat) -> Self::Quat;

    /// A vector of the same direction and a length near 1; 0 stays 0.
    #[inline(always)]
    fn rescaled(self) -> Self {
        self * self.largest().scale().scale_reciprocal()
    }

    /// The unit vector in this direction, or `fallback` if there is none.
    #[inline(always)]
    fn unit_or(self, fallback: Self) -> Self {
        let v = self.rescaled();
        let h = v.dot(v);
        let unit = v * (Self::Real::ONE / h.sqrt());
        if h > Self::Real::ZERO { unit } else { fallback }
    }

    /// The coordinate axis that this vector leans to least.
    #[inline(always)]
    fn least_axis(self) -> Self {
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
        self.cross(self.least_axis()).unit_or(Self::X)
    }

    /// The component of the pole perpendicular to p, in the length of p; some
    /// perpendicular of p if the pole is 0 or parallel to it.
    ///
    /// (p × pole) × p = |p|² pole − p(p·pole). Two cross products, not the
    /// right-hand side, keep the result perpendicular to p to the last digits
    /// however close to p the pole points.
    #[inline(always)]
    fn bend_across(p: Self, pole: Self) -> Self {
        let (n, pole) = (p.rescaled(), pole.rescaled());
        let squares = n.dot(n) * pole.dot(pole);
        let toward_pole = n.cross(pole);
        let limit = Self::Real::PARALLEL * Self::Real::PARALLEL * squares;
        let parallel = toward_pole.dot(toward_pole) <= limit;
        let normal = if parallel {
            n.cross(n.least_axis())
        } else {
            toward_pole
        };
        // |normal × n| = |normal| |n|, and n is p in units of a power of two.
        let unit = (Self::Real::ONE / normal.dot(normal)).sqrt();
        normal.cross(n) * unit * p.largest().scale()
    }

    /// The unit vector level with the ground under this vector; `fallback` if
    /// it is upright or 0. `up` is a unit vector.
    #[inline(always)]
    fn level_direction(self, up: Self, fallback: Self) -> Self {
        let v = self.rescaled();
        // (up × v) × up = v − up(up·v), perpendicular to up as in `bend_across`.
        let normal = up.cross(v);
        let limit = Self::Real::PARALLEL * Self::Real::PARALLEL * v.dot(v);
        let upright = normal.dot(normal) <= limit;
        if upright {
            fallback
        } else {
            normal.cross(up).unit_or(fallback)
        }
    }
}
