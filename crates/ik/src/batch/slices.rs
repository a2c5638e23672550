//! The caller's slices: what a batch reads and writes.

use crate::BatchError;

/// Limbs in D dimensions whose bend has B components.
pub(super) struct Input<'a, T, const D: usize, const B: usize> {
    pub(super) target: [&'a [T]; D],
    pub(super) r1: &'a [T],
    pub(super) r2: &'a [T],
    pub(super) bend: [&'a [T]; B],
    pub(super) soft_from: Option<&'a [T]>,
}

/// Joints in D dimensions.
pub(super) struct Output<'a, T, const D: usize> {
    pub(super) mid: [&'a mut [T]; D],
    pub(super) end: [&'a mut [T]; D],
    pub(super) reached: &'a mut [bool],
    pub(super) bend: Option<[&'a mut [T]; 2]>,
}

/// The same slices, borrowed again.
pub(super) fn bend_slices<'a, T>(bend: &'a mut Option<[&mut [T]; 2]>) -> Option<[&'a mut [T]; 2]> {
    bend.as_mut()
        .map(|slices| slices.each_mut().map(|slice| &mut **slice))
}

impl<T, const D: usize, const B: usize> Input<'_, T, D, B> {
    pub(super) fn check(
        &self,
        target: [&'static str; D],
        bend: [&'static str; B],
    ) -> Result<(), BatchError> {
        let expected = self.target[0].len();
        for (name, slice) in target.into_iter().zip(self.target) {
            check_slice(name, slice.len(), expected)?;
        }
        for (name, slice) in bend.into_iter().zip(self.bend) {
            check_slice(name, slice.len(), expected)?;
        }
        check_slice("r1", self.r1.len(), expected)?;
        check_slice("r2", self.r2.len(), expected)?;
        self.soft_from.map_or(Ok(()), |slice| {
            check_slice("soft_from", slice.len(), expected)
        })
    }
}

impl<T, const D: usize> Output<'_, T, D> {
    pub(super) fn check(
        &self,
        expected: usize,
        mid: [&'static str; D],
        end: [&'static str; D],
    ) -> Result<(), BatchError> {
        for (name, slice) in mid.into_iter().zip(&self.mid) {
            check_slice(name, slice.len(), expected)?;
        }
        for (name, slice) in end.into_iter().zip(&self.end) {
            check_slice(name, slice.len(), expected)?;
        }
        for slice in self.bend.iter().flatten() {
            check_slice("bend", slice.len(), expected)?;
        }
        check_slice("reached", self.reached.len(), expected)
    }
}

pub(super) fn check_slice(
    slice: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), BatchError> {
    if found == expected {
        Ok(())
    } else {
        Err(BatchError::SliceLength {
            slice,
            expected,
            found,
        })
    }
}
