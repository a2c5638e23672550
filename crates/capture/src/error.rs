//! Progress and errors of a run.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use tarsus_files::Busy;
use tarsus_files::FileError;
use tarsus_media::ChannelError;
use tarsus_render::RenderError;

/// Error that ended a run before its last frame, or the reading of one of its files.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// The scene or the picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The media of a channel cannot be read.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another run is writing the same pictures.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The progress callback stopped the run. [`super::CaptureRun::run`] reports this in its
    /// summary instead.
    #[error("the run was stopped")]
    Stopped,
    /// Anything else, such as a limit that the run exceeds, or a picture without metadata.
    #[error("{0}")]
    Failed(String),
}

/// Kind of work in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Rendering pictures.
    Frames,
    /// Running the buffers of frames before a picture, or only reading their input.
    Buffers,
    /// Rendering sound.
    Sound,
}

/// Current activity of a run.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Working on frames.
    Progress {
        /// Kind of work.
        stage: Stage,
        /// Number of complete frames, including those of an earlier run that are kept. For
        /// [`Stage::Buffers`], the number of the current frame.
        done: u64,
        /// Number of frames. For [`Stage::Buffers`], the number of the last one.
        total: u64,
    },
    /// The buffer state after this frame was restored from a checkpoint.
    Restored(u32),
    /// A checkpoint file was rejected, or the first frame with other settings is about to be
    /// overwritten: the reason.
    Warning(&'a str),
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

/// Result of work that the progress callback may stop: false if it did.
///
/// # Errors
/// Any error but [`CaptureError::Stopped`].
pub fn is_complete(result: Result<(), CaptureError>) -> Result<bool, CaptureError> {
    match result {
        Err(CaptureError::Stopped) => Ok(false),
        result => result.map(|()| true),
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;
    use std::io;
    use std::path::Path;

    use super::*;

    #[test]
    fn message_does_not_repeat_itself() {
        let refused = CaptureError::from(RenderError::Rejected {
            reason: "no such feature".to_owned(),
            sources: Vec::new(),
        });
        let sentence = refused.to_string();
        assert_eq!(sentence, "cannot create the pipelines: no such feature");
        let failed = CaptureError::from(RenderError::Device("out of memory".to_owned()));
        assert_eq!(failed.to_string(), "the device failed: out of memory");
    }

    #[test]
    fn error_chain_keeps_io_error() {
        let cause = io::Error::from(io::ErrorKind::StorageFull);
        let reason = io::Error::other(Unwritten(cause));
        let error = CaptureError::from(FileError::write(Path::new("a.png"), reason));
        // The message already contains the reason, so the chain continues below it.
        assert_eq!(error.to_string(), "cannot write a.png: the encoder stopped");
        let source = error.source().and_then(|source| source.downcast_ref());
        let kind = source.map(io::Error::kind);
        assert_eq!(kind, Some(io::ErrorKind::StorageFull));
    }

    #[derive(Debug, Error)]
    #[error("the encoder stopped")]
    struct Unwritten(#[source] io::Error);
}
