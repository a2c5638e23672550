//! Points in the plane and in space, and the frame a limb bends in.

use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};

use glam::{DQuat, DVec2, DVec3, Quat, Vec2, Vec3};

use super::real::{Float, Real};

/// A point or direction to solve with: glam's [`Vec2`], [`DVec2`], [`Vec3`] or
/// [`DVec3`], and no other.
///
/// `V::Real` is the float type of the components. `V::Bend` is what says which
/// way a limb bends: a [`Side`] in the plane, a pole vector in space, which is
/// a `V` itself.
pub trait Vector: Frame {}

impl Vector for Vec2 {}
impl Vector for DVec2 {}
impl Vector for Vec3 {}
impl Vector for DVec3 {}

/// A point or direction in space: glam's [`Vec3`] or [`DVec3`], and no other.
pub trait SpaceVector: Vector<Bend = Self> + Space {}

impl SpaceVector for Vec3 {}
impl SpaceVector for DVec3 {}

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

macro_rules! plane {
    ($vector:ident, $real:ident) => {
        impl Frame for $vector {
            type Real = $real;
            type Bend = Side;

            #[inline(always)]
            fn from_fn(f: impl Fn(usize) -> $real) -> Self {
                $vector::new(f(0), f(1))
            }

            #[inline(always)]
            fn component(self, i: usize) -> $real {
                self[i]
            }

            #[inline(always)]
            fn bend_from_fn(f: impl Fn(usize) -> $real) -> Side {
                if f(0) >= 0.0 { Side::Left } else { Side::Right }
            }

            #[inline(always)]
            fn dot(self, other: Self) -> $real {
                self.x * other.x + self.y * other.y
            }

            #[inline(always)]
            fn largest(self) -> $real {
                self.x.abs().larger(self.y.abs())
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                $vector::is_finite(self)
            }

            #[inline(always)]
            fn bend_is_finite(_: Side) -> bool {
                true
            }

            #[inline(always)]
            fn frame(p: Self, h: $real, bend: Side) -> (Self, Self) {
                let line = if h < $real::COINCIDENT { $vector::X } else { p };
                let left = $vector::new(-line.y, line.x);
                (line, if bend == Side::Left { left } else { -left })
            }

            #[inline(always)]
            fn quick_across(p: Self, h: $real, bend: Side) -> (Self, bool) {
                let sign = if bend == Side::Left { 1.0 } else { -1.0 };
                ($vector::new(-p.y, p.x) * sign, h >= $real::COINCIDENT)
            }
        }
    };
}

plane!(Vec2, f32);
plane!(DVec2, f64);

macro_rules! space {
    ($vector:ident, $real:ident, $quat:ident) => {
        impl Frame for $vector {
            type Real = $real;
            type Bend = $vector;

            #[inline(always)]
            fn from_fn(f: impl Fn(usize) -> $real) -> Self {
                $vector::new(f(0), f(1), f(2))
            }

            #[inline(always)]
            fn component(self, i: usize) -> $real {
                self[i]
            }

            #[inline(always)]
            fn bend_from_fn(f: impl Fn(usize) -> $real) -> Self {
                Self::from_fn(f)
            }

            #[inline(always)]
            fn dot(self, other: Self) -> $real {
                self.x * other.x + self.y * other.y + self.z * other.z
            }

            #[inline(always)]
            fn largest(self) -> $real {
                self.x.abs().larger(self.y.abs()).larger(self.z.abs())
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                $vector::is_finite(self)
            }

            #[inline(always)]
            fn bend_is_finite(pole: Self) -> bool {
                $vector::is_finite(pole)
            }

            #[inline(always)]
            fn frame(p: Self, h: $real, pole: Self) -> (Self, Self) {
                let coincident = h < $real::COINCIDENT;
                let pole_or_y = if pole == $vector::ZERO {
                    $vector::Y
                } else {
                    pole
                };
                let line = if coincident {
                    pole_or_y.least_axis()
                } else {
                    p
                };
                let across = $vector::bend_across(p, pole);
                let at_pole = pole_or_y.unit_or($vector::Y);
                (line, if coincident { at_pole } else { across })
            }

            #[inline(always)]
            fn quick_across(p: Self, h: $real, pole: Self) -> (Self, bool) {
                const HIGH: $real = $real::MILLION * $real::MILLION;
                const LOW: $real = 1.0 / HIGH;
                let pole_square = pole.dot(pole);
                let normal = p.cross(pole);
                let square = normal.dot(normal);
                // No square and no product of the two has lost digits, and
                // the pole is at an angle to the line.
                let ordinary = (h > LOW) & (pole_square > LOW) & (pole_square < HIGH);
                let angled = square > 16.0 * $real::EPSILON * h * pole_square;
                let across = normal.cross(p) * (1.0 / square).sqrt();
                (across, ordinary & angled)
            }
        }

        impl Space for $vector {
            type Quat = $quat;

            const X: Self = $vector::X;
            const Y: Self = $vector::Y;
            const Z: Self = $vector::Z;

            #[inline(always)]
            fn components(self) -> [$real; 3] {
                self.to_array()
            }

            #[inline(always)]
            fn cross(self, other: Self) -> Self {
                $vector::cross(self, other)
            }

            #[inline(always)]
            fn quaternion(parts: [$real; 4]) -> $quat {
                $quat::from_array(parts)
            }

            #[inline(always)]
            fn parts(quaternion: $quat) -> [$real; 4] {
                quaternion.to_array()
            }

            #[inline(always)]
            fn conjugate(quaternion: $quat) -> $quat {
                quaternion.conjugate()
            }
        }
    };
}

space!(Vec3, f32, Quat);
space!(DVec3, f64, DQuat);
