//! Shares of a run, for several machines.

use std::iter::StepBy;
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

    /// The numbers of `frames` that belong to this share, where frames need no others. Shares
    /// are interleaved: what is slow to draw is often slow for many frames in a row.
    pub(super) fn interleaved(self, frames: Range<u32>) -> StepBy<Range<u32>> {
        let (own, at) = (self.index - 1, frames.start % self.count);
        // From the start on to the first number of this share; without one to the end.
        let ahead = if at <= own {
            own - at
        } else {
            own + (self.count - at)
        };
        let first = frames.start.saturating_add(ahead).min(frames.end);
        (first..frames.end).step_by(self.count as usize)
    }
}
