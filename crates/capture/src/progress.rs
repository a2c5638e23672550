//! Progress of a run, for callers that display it or stop the run.

use std::ops::ControlFlow;

use super::error::CaptureError;

/// Current activity of a run.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Drawing pictures.
    Drawing {
        /// Number of pictures drawn so far.
        drawn: usize,
        /// Number of pictures of an earlier run that are kept.
        kept: usize,
    },
    /// Running the buffers for frame `number`, or only reading its input, on the way to
    /// frame `last`.
    Running {
        /// The current frame.
        number: u32,
        /// The last frame to run.
        last: u32,
    },
    /// Rendering sound.
    Sounding {
        /// Number of frames with all samples done.
        done: usize,
        /// Number of frames.
        total: usize,
    },
    /// The buffer state after this frame was restored from a checkpoint.
    Restored(u32),
    /// A checkpoint file was rejected.
    Ignored(&'a CaptureError),
    /// Resuming found its first frame with other settings, before overwriting it: why the
    /// frame cannot be kept.
    Outdated(&'a str),
    /// All pictures are drawn and the files are being completed; the GPU is no longer
    /// needed.
    Finishing,
}

/// Progress callback, which may stop the run.
pub(super) type Progress<'p> = dyn FnMut(Step<'_>) -> ControlFlow<()> + 'p;

/// Reports a step; the error [`CaptureError::Stopped`] unwinds a run that is to stop.
pub(super) fn report(progress: &mut Progress<'_>, step: Step<'_>) -> Result<(), CaptureError> {
    match progress(step) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(CaptureError::Stopped),
    }
}
