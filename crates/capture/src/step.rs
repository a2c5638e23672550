//! What a run is at, for whoever shows its progress or breaks it off.

use std::ops::ControlFlow;

use super::checkpoint_file::CheckpointError;

/// What a run is at.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Pictures: so many are begun or kept.
    Drawing(usize),
    /// Buffers of frame `number`, on the way to frame `until`.
    Running {
        /// The frame that is run.
        number: u32,
        /// The last one of them.
        until: u32,
    },
    /// Sound: so many frames have theirs.
    Sounding {
        /// Frames whose samples are made.
        done: usize,
        /// Number of frames.
        until: usize,
    },
    /// The buffers are those of a checkpoint, after this frame.
    Restored(u32),
    /// A file is not taken as a checkpoint.
    Ignored(&'a CheckpointError),
    /// Everything is drawn, and files are written to their ends: nothing waits for the
    /// adapter any more.
    Finishing,
}

/// Told what a run is at; may break it off.
pub(super) type Progress<'p> = dyn FnMut(Step<'_>) -> ControlFlow<()> + 'p;
