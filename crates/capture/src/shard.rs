//! Shards: parts of a run, for several machines.

use std::iter::StepBy;
use std::ops::Range;

/// One of several disjoint parts of the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the shard, from 1.
    pub index: u32,
    /// Number of shards.
    pub count: u32,
}

impl Default for Shard {
    fn default() -> Self {
        Self { index: 1, count: 1 }
    }
}

impl Shard {
    /// Contiguous part of `frames` for this shard, for frames that depend on earlier ones.
    /// Lengths differ by at most one frame between shards.
    pub(super) fn contiguous(self, frames: Range<u32>) -> Range<u32> {
        let length = u64::from(frames.end.saturating_sub(frames.start));
        let bound = |index: u32| {
            let before = length * u64::from(index) / u64::from(self.count);
            frames.start + before as u32
        };
        bound(self.index - 1)..bound(self.index)
    }

    /// Every `count`-th number of `frames` for this shard, for independent frames.
    /// Interleaving balances the load, because slow frames often follow each other.
    pub(super) fn interleaved(self, frames: Range<u32>) -> StepBy<Range<u32>> {
        let (own, at) = (self.index - 1, frames.start % self.count);
        // Distance to the first number of this shard; past the end if it has none.
        let ahead = if at <= own { own - at } else { own + (self.count - at) };
        let first = frames.start.saturating_add(ahead).min(frames.end);
        (first..frames.end).step_by(self.count as usize)
    }
}
