//! Shares of a run, for several machines.

use std::ops::Range;

/// A fixed share of the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which share, from 1.
    pub index: u32,
    /// Number of shares.
    pub count: u32,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

impl Shard {
    /// The stretch of `frames` that is this share where frames need those before them:
    /// all shares are as long, give or take one frame.
    pub(super) fn stretch(self, frames: Range<u32>) -> Range<u32> {
        let length = u64::from(frames.end.saturating_sub(frames.start));
        let bound = |index: u32| {
            let before = length * u64::from(index) / u64::from(self.count);
            frames.start + before as u32
        };
        bound(self.index - 1)..bound(self.index)
    }

    /// True if frame `number` belongs to this share. Shares are interleaved:
    /// what is slow to draw is often slow for many frames in a row.
    pub(super) fn has(self, number: u32) -> bool {
        number % self.count == self.index - 1
    }
}
