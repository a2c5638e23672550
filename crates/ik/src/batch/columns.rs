//! Columns: one value per limb, in any of the usual layouts.

use glam::{DQuat, DVec2, DVec3, Quat, Vec2, Vec3, Vec3A};

use super::block::BLOCK;
use crate::numbers::{Real, Side};

/// One vector of N numbers per limb, to read: a slice or `Vec` of glam's vectors, or one
/// slice per coordinate as `&[&[T]; N]`, `&[Vec<T>; N]` or `&[[T; LIMBS]; N]`. The sides of
/// limbs in the plane are a slice or `Vec` of [`Side`]. Of an array `a` of vectors, pass
/// `&a[..]`.
pub trait Column<T, const N: usize> {
    /// Number of limbs, or the length of the first coordinate slice that differs from
    /// `expected`.
    fn count(&self, expected: usize) -> usize;

    /// The `count` vectors from limb `first` on, by coordinate: in place if they fill a
    /// block, or else in the first lanes of `copy`.
    #[doc(hidden)]
    fn lanes<'a>(
        &'a self,
        first: usize,
        count: usize,
        copy: &'a mut Lanes<T, N>,
    ) -> [&'a [T; BLOCK]; N];
}

/// Copies of one block's vectors, by coordinate.
pub type Lanes<T, const N: usize> = [[T; BLOCK]; N];

/// One vector of N numbers per limb, to write, in the layouts of [`Column`].
pub trait ColumnMut<T, const N: usize> {
    /// Number of limbs, or the length of the first coordinate slice that differs from
    /// `expected`.
    fn count(&self, expected: usize) -> usize;

    /// Copies the first `count` lanes into the vectors from limb `first` on.
    #[doc(hidden)]
    fn store(&mut self, first: usize, count: usize, lanes: &[[T; BLOCK]; N]);
}

/// The first length that is not `expected`, or `expected`.
fn uneven(lengths: impl IntoIterator<Item = usize>, expected: usize) -> usize {
    let mut lengths = lengths.into_iter();
    lengths.find(|&n| n != expected).unwrap_or(expected)
}

impl<T: Real, S: AsRef<[T]>, const N: usize> Column<T, N> for &[S; N] {
    fn count(&self, expected: usize) -> usize {
        uneven(self.iter().map(|slice| slice.as_ref().len()), expected)
    }

    #[inline(always)]
    fn lanes<'a>(
        &'a self,
        first: usize,
        count: usize,
        copy: &'a mut Lanes<T, N>,
    ) -> [&'a [T; BLOCK]; N] {
        let slice = |axis: usize| &self[axis].as_ref()[first..first + count];
        if count == BLOCK {
            return core::array::from_fn(|axis| slice(axis).as_array().expect("a whole block"));
        }
        for (axis, copy) in copy.iter_mut().enumerate() {
            copy[..count].copy_from_slice(slice(axis));
        }
        copy.each_ref()
    }
}

impl<T: Real, S: AsMut<[T]> + AsRef<[T]>, const N: usize> ColumnMut<T, N> for &mut [S; N] {
    fn count(&self, expected: usize) -> usize {
        uneven(self.iter().map(|slice| slice.as_ref().len()), expected)
    }

    fn store(&mut self, first: usize, count: usize, lanes: &[[T; BLOCK]; N]) {
        for (slice, lanes) in self.iter_mut().zip(lanes) {
            slice.as_mut()[first..first + count].copy_from_slice(&lanes[..count]);
        }
    }
}

macro_rules! vectors {
    ($($vector:ident: [$real:ident; $n:literal]),*) => {$(
        vectors!(@read $vector: [$real; $n], &[$vector]);
        vectors!(@write $vector: [$real; $n], &mut [$vector]);
        #[cfg(feature = "std")]
        vectors!(@read $vector: [$real; $n], &Vec<$vector>);
        #[cfg(feature = "std")]
        vectors!(@write $vector: [$real; $n], &mut Vec<$vector>);
    )*};
    (@read $vector:ident: [$real:ident; $n:literal], $slice:ty) => {
        impl Column<$real, $n> for $slice {
            fn count(&self, _: usize) -> usize {
                self.len()
            }

            fn lanes<'a>(
                &'a self,
                first: usize,
                count: usize,
                copy: &'a mut Lanes<$real, $n>,
            ) -> [&'a [$real; BLOCK]; $n] {
                for (i, vector) in self[first..first + count].iter().enumerate() {
                    let vector = vector.to_array();
                    for axis in 0..$n {
                        copy[axis][i] = vector[axis];
                    }
                }
                copy.each_ref()
            }
        }
    };
    (@write $vector:ident: [$real:ident; $n:literal], $slice:ty) => {
        impl ColumnMut<$real, $n> for $slice {
            fn count(&self, _: usize) -> usize {
                self.len()
            }

            fn store(&mut self, first: usize, count: usize, lanes: &[[$real; BLOCK]; $n]) {
                for (i, vector) in self[first..first + count].iter_mut().enumerate() {
                    *vector = $vector::from_array(core::array::from_fn(|axis| lanes[axis][i]));
                }
            }
        }
    };
}

vectors!(
    Vec2: [f32; 2], DVec2: [f64; 2], Vec3: [f32; 3], Vec3A: [f32; 3], DVec3: [f64; 3],
    Quat: [f32; 4], DQuat: [f64; 4]
);

macro_rules! sides {
    ($slice:ty) => {
        impl<T: Real> Column<T, 1> for $slice {
            fn count(&self, _: usize) -> usize {
                self.len()
            }

            fn lanes<'a>(
                &'a self,
                first: usize,
                count: usize,
                copy: &'a mut Lanes<T, 1>,
            ) -> [&'a [T; BLOCK]; 1] {
                for (lane, side) in copy[0].iter_mut().zip(&self[first..first + count]) {
                    let left = *side == Side::Left;
                    *lane = if left { T::ONE } else { -T::ONE };
                }
                copy.each_ref()
            }
        }
    };
}

sides!(&[Side]);
#[cfg(feature = "std")]
sides!(&Vec<Side>);
