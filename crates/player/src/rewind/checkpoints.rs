//! Selection of the frames that have a checkpoint, and of the checkpoint to evict when
//! another needs its memory. This module handles numbers only; the data belongs to the
//! owner of the buffers.

use std::collections::BTreeMap;

/// The checkpoints: size in bytes by frame number.
#[derive(Clone, Debug)]
pub(super) struct Checkpoints {
    sizes: BTreeMap<u64, u64>,
    /// Maximum bytes of all checkpoints.
    pub(super) budget: u64,
}

/// The remembered frames, as context for rating checkpoints.
#[derive(Clone, Copy, Debug)]
pub(super) struct RewindRange {
    /// The first remembered frame.
    pub(super) first: u64,
    /// True if the first remembered frame is reached from empty buffers, without a
    /// checkpoint.
    pub(super) begins_empty: bool,
    /// The last remembered frame.
    pub(super) newest: u64,
    /// The current frame.
    pub(super) position: u64,
}

impl Checkpoints {
    pub(super) fn new(budget: u64) -> Self {
        Self { sizes: BTreeMap::new(), budget }
    }

    /// Total bytes of all checkpoints.
    pub(super) fn bytes(&self) -> u64 {
        self.sizes.values().sum()
    }

    /// Frames with a checkpoint, in order.
    pub(super) fn frames(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.sizes.keys().copied()
    }

    pub(super) fn contains(&self, frame: u64) -> bool {
        self.sizes.contains_key(&frame)
    }

    /// The last checkpoint at or before `frame`.
    pub(super) fn at_or_before(&self, frame: u64) -> Option<u64> {
        self.sizes.range(..=frame).next_back().map(|(at, _)| *at)
    }

    pub(super) fn clear(&mut self) {
        self.sizes.clear();
    }

    /// Drops the checkpoints of frames before `first`.
    pub(super) fn drop_before(&mut self, first: u64) {
        self.sizes = self.sizes.split_off(&first);
    }

    /// Drops the checkpoints of frames after `last`.
    pub(super) fn drop_after(&mut self, last: u64) {
        self.sizes.split_off(&last.saturating_add(1));
    }

    pub(super) fn insert(&mut self, frame: u64, bytes: u64) {
        self.sizes.insert(frame, bytes);
    }

    /// Makes room for a checkpoint of `bytes` at `frame`. Unless `is_needed`, only
    /// checkpoints worth less than the new one are evicted. Returns false if there is no
    /// room; some checkpoints may have been evicted even then.
    pub(super) fn make_room(
        &mut self,
        frame: u64,
        bytes: u64,
        range: RewindRange,
        is_needed: bool,
    ) -> bool {
        let worth = match is_needed {
            true => f64::INFINITY,
            false => self.saved_advances(frame, range),
        };
        while self.bytes() + bytes > self.budget {
            let worths = self.frames().map(|at| (at, self.saved_advances(at, range)));
            let least = worths.min_by(|(_, a), (_, b)| a.total_cmp(b));
            match least {
                Some((at, least)) if least < worth => self.sizes.remove(&at),
                _ => return false,
            };
        }
        true
    }

    /// Expected number of advances saved by the checkpoint at `at`, assuming that frames
    /// close to the current one are more likely to be shown next.
    fn saved_advances(&self, at: u64, range: RewindRange) -> f64 {
        let before = self.sizes.range(..at).next_back().map(|(before, _)| *before);
        let Some(before) = before.or(range.begins_empty.then_some(range.first)) else {
            // The frames after this checkpoint cannot be reached without it.
            return f64::INFINITY;
        };
        let next = self.sizes.range(at + 1..).next().map(|(next, _)| *next);
        let next = next.unwrap_or(range.newest + 1);
        let saved = (at - before) as f64 * (next.saturating_sub(at)) as f64;
        let distance = range.position.abs_diff(at) as f64;
        // A user who rewinds is more likely to continue backwards than forwards.
        let likely = if at > range.position { 0.1 } else { 1.0 };
        likely * saved / (1.0 + distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: RewindRange =
        RewindRange { first: 0, begins_empty: true, newest: 400, position: 400 };

    fn checkpoints(frames: &[u64], budget: u64) -> Checkpoints {
        let mut checkpoints = Checkpoints::new(budget);
        frames.iter().for_each(|&frame| checkpoints.insert(frame, 10));
        checkpoints
    }

    fn left(checkpoints: &Checkpoints) -> Vec<u64> {
        checkpoints.frames().collect()
    }

    #[test]
    fn least_useful_checkpoint_is_evicted() {
        let mut four = checkpoints(&[100, 110, 200, 300], 40);
        assert!(four.make_room(400, 10, RANGE, true));
        assert_eq!(left(&four), [100, 200, 300]);
        assert!(four.make_room(400, 20, RANGE, true));
        assert_eq!(left(&four), [200, 300]);
    }

    #[test]
    fn first_checkpoint_without_empty_start_stays() {
        let range = RewindRange { begins_empty: false, first: 100, ..RANGE };
        let mut two = checkpoints(&[100, 200], 20);
        assert!(two.make_room(400, 10, range, true));
        assert_eq!(left(&two), [100]);
        assert!(!checkpoints(&[100], 10).make_room(400, 10, range, true));
    }

    #[test]
    fn less_useful_checkpoint_is_rejected() {
        let mut three = checkpoints(&[100, 200, 300], 30);
        assert!(!three.make_room(101, 10, RANGE, false));
        assert_eq!(left(&three), [100, 200, 300]);
        assert!(three.make_room(390, 10, RANGE, false));
        assert_eq!(left(&three).len(), 2);
    }
}
