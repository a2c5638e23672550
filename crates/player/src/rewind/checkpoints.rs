//! Selection of the frames that have a checkpoint, and of the checkpoint to evict when
//! another needs its memory.

use super::Rewind;

impl<C> Rewind<C> {
    /// Bytes of all checkpoints.
    pub(super) fn checkpoint_bytes(&self) -> u64 {
        self.checkpoints.values().map(|(bytes, _)| bytes).sum()
    }

    /// The last checkpoint at or before `frame`.
    pub(super) fn checkpoint_at_or_before(&self, frame: u64) -> Option<u64> {
        self.checkpoints.range(..=frame).next_back().map(|(at, _)| *at)
    }

    /// Makes room for a checkpoint of `bytes` at `frame`. Unless `is_needed`, only
    /// checkpoints worth less than the new one are evicted. Returns false if there is no
    /// room; some checkpoints may have been evicted even then.
    pub(super) fn make_room(&mut self, frame: u64, bytes: u64, is_needed: bool) -> bool {
        let worth = if is_needed { f64::INFINITY } else { self.saved_advances(frame) };
        while self.checkpoint_bytes() + bytes > self.budget {
            let worths = self.checkpoints().map(|at| (at, self.saved_advances(at)));
            let least = worths.min_by(|(_, a), (_, b)| a.total_cmp(b));
            match least {
                Some((at, least)) if least < worth => self.checkpoints.remove(&at),
                _ => return false,
            };
        }
        true
    }

    /// Expected number of advances saved by the checkpoint at `at`, assuming that frames
    /// close to the current one are more likely to be shown next.
    fn saved_advances(&self, at: u64) -> f64 {
        let before = self.checkpoints.range(..at).next_back().map(|(before, _)| *before);
        let Some(before) = before.or(self.begins_empty.then_some(self.first)) else {
            // The frames after this checkpoint cannot be reached without it.
            return f64::INFINITY;
        };
        let next = self.checkpoints.range(at + 1..).next().map(|(next, _)| *next);
        let next = next.unwrap_or(self.newest() + 1);
        let saved = (at - before) as f64 * (next.saturating_sub(at)) as f64;
        let distance = self.position.abs_diff(at) as f64;
        // A user who rewinds is more likely to continue backwards than forwards.
        let likely = if at > self.position { 0.1 } else { 1.0 };
        likely * saved / (1.0 + distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, SceneState};

    /// Remembers frames up to 400, the current one, and has checkpoints of `frames`.
    fn rewind(frames: &[u64], budget: u64) -> Rewind<()> {
        let mut rewind = Rewind { budget, ..Rewind::default() };
        for _ in 0..=400 {
            rewind.push_frame(SceneState::default(), (1, 1), Clock::default(), 0.0);
        }
        rewind.checkpoints.extend(frames.iter().map(|&frame| (frame, (10, ()))));
        rewind
    }

    fn left(rewind: &Rewind<()>) -> Vec<u64> {
        rewind.checkpoints().collect()
    }

    #[test]
    fn least_useful_checkpoint_is_evicted() {
        let mut four = rewind(&[100, 110, 200, 300], 40);
        assert!(four.make_room(400, 10, true));
        assert_eq!(left(&four), [100, 200, 300]);
        assert!(four.make_room(400, 20, true));
        assert_eq!(left(&four), [200, 300]);
    }

    #[test]
    fn first_checkpoint_without_empty_start_stays() {
        let from_100 = |frames: &[u64], budget| {
            let mut rewind = rewind(frames, budget);
            rewind.forget_before(100);
            rewind
        };
        let mut two = from_100(&[100, 200], 20);
        assert!(two.make_room(400, 10, true));
        assert_eq!(left(&two), [100]);
        assert!(!from_100(&[100], 10).make_room(400, 10, true));
    }

    #[test]
    fn less_useful_checkpoint_is_rejected() {
        let mut three = rewind(&[100, 200, 300], 30);
        assert!(!three.make_room(101, 10, false));
        assert_eq!(left(&three), [100, 200, 300]);
        assert!(three.make_room(390, 10, false));
        assert_eq!(left(&three).len(), 2);
    }
}
