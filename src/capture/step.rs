//! What a run is at, for whoever shows its progress or breaks it off.

/// What a run is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Pictures: so many are begun or kept.
    Drawing(usize),
    /// Buffers of frame `number`, on the way to frame `until`, whose picture is
    /// drawn next.
    Running {
        /// The frame that is run.
        number: u32,
        /// The last one of them.
        until: u32,
    },
}
