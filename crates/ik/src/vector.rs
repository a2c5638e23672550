//! Implementations of the vector traits for glam's types.

use glam::{DQuat, DVec2, DVec3, Quat, Vec2, Vec3};

use super::numbers::{Float, Frame, Side, Space, SpaceVector, Vector};

impl Vector for Vec2 {}
impl Vector for DVec2 {}
impl Vector for Vec3 {}
impl Vector for DVec3 {}
impl SpaceVector for Vec3 {}
impl SpaceVector for DVec3 {}

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
            fn bend_from_fn(f: impl Fn(usize) -> $real) -> Side {
                if f(0) >= 0.0 { Side::Left } else { Side::Right }
            }

            #[inline(always)]
            fn dot(self, other: Self) -> $real {
                self.x * other.x + self.y * other.y
            }

            #[inline(always)]
            fn max_abs_component(self) -> $real {
                Float::max(self.x.abs(), self.y.abs())
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                // `&` does not branch.
                Float::is_finite(self.x) & Float::is_finite(self.y)
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
            fn fast_bend_direction(
                p: Self,
                _: $real,
                side: impl Fn(usize) -> $real,
            ) -> (Self, bool) {
                ($vector::new(-p.y, p.x) * side(0), true)
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
            fn bend_from_fn(f: impl Fn(usize) -> $real) -> Self {
                Self::from_fn(f)
            }

            #[inline(always)]
            fn dot(self, other: Self) -> $real {
                self.x * other.x + self.y * other.y + self.z * other.z
            }

            #[inline(always)]
            fn max_abs_component(self) -> $real {
                Float::max(Float::max(self.x.abs(), self.y.abs()), self.z.abs())
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                // `&` does not branch.
                Float::is_finite(self.x) & Float::is_finite(self.y) & Float::is_finite(self.z)
            }

            #[inline(always)]
            fn bend_is_finite(pole: Self) -> bool {
                Frame::is_finite(pole)
            }

            #[inline(always)]
            fn frame(p: Self, h: $real, pole: Self) -> (Self, Self) {
                let (across, is_valid) = Self::fast_bend_direction(p, h, |axis| pole[axis]);
                if is_valid && h > 1.0 / ($real::MILLION * $real::MILLION) {
                    return (p, across);
                }
                let coincident = h < $real::COINCIDENT;
                let pole_or_y = if pole == $vector::ZERO { $vector::Y } else { pole };
                let line = if coincident { pole_or_y.smallest_component_axis() } else { p };
                let across = $vector::bend_direction(p, pole);
                let at_pole = pole_or_y.unit_or($vector::Y);
                (line, if coincident { at_pole } else { across })
            }

            #[inline(always)]
            fn fast_bend_direction(
                p: Self,
                h: $real,
                pole: impl Fn(usize) -> $real,
            ) -> (Self, bool) {
                const HIGH: $real = $real::MILLION * $real::MILLION;
                const LOW: $real = 1.0 / HIGH;
                let pole = Self::from_fn(pole);
                let pole_square = pole.dot(pole);
                let normal = p.cross(pole);
                let square = normal.dot(normal);
                // No square, and no product of two squares, has lost digits, and the pole
                // is at an angle to the line.
                let ordinary = (pole_square > LOW) & (pole_square < HIGH);
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

            #[inline(always)]
            fn rotate(quaternion: $quat, vector: Self) -> Self {
                quaternion * vector
            }
        }
    };
}

space!(Vec3, f32, Quat);
space!(DVec3, f64, DQuat);
