//! Shares of a run, for several machines.

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
    /// True if frame `number` belongs to this share. Shares are interleaved:
    /// what is slow to draw is often slow for many frames in a row.
    pub(super) fn has(self, number: u32) -> bool {
        number % self.count == self.index - 1
    }
}
