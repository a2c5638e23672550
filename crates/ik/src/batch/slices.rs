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
        check_slices(target, self.target, expected)?;
        check_slices(bend, self.bend, expected)?;
        check_slices(["r1", "r2"], [self.r1, self.r2], expected)?;
        check_slices(["soft_from"], self.soft_from, expected)
    }
}

impl<T, const D: usize> Output<'_, T, D> {
    pub(super) fn check(
        &self,
        expected: usize,
        mid: [&'static str; D],
        end: [&'static str; D],
    ) -> Result<(), BatchError> {
        check_slices(mid, self.mid.iter().map(|slice| &**slice), expected)?;
        check_slices(end, self.end.iter().map(|slice| &**slice), expected)?;
        let bend = self.bend.iter().flatten().map(|slice| &**slice);
        check_slices(["bend"; 2], bend, expected)?;
        check_slices(["reached"], [&*self.reached], expected)
    }
}

/// Checks that all `slices`, which have these names, are of the length `expected`.
pub(super) fn check_slices<'a, T: 'a>(
    names: impl IntoIterator<Item = &'static str>,
    slices: impl IntoIterator<Item = &'a [T]>,
    expected: usize,
) -> Result<(), BatchError> {
    for (slice, values) in names.into_iter().zip(slices) {
        if values.len() != expected {
            return Err(BatchError::SliceLength {
                slice,
                expected,
                found: values.len(),
            });
        }
    }
    Ok(())
}
