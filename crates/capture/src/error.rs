//! Errors that end a run.

use thiserror::Error;

use tarsus_files::Busy;
use tarsus_files::FileError;
use tarsus_media::ChannelError;
use tarsus_render::{RenderError, RendererError};

/// Error that ended a run before its last frame.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// The picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The buffers exceed the adapter's size limit; unlike pictures, they cannot be tiled.
    #[error(
        "cannot run the buffers of the scene at {}x{}: this adapter draws at most {limit} pixels \
         per side, and buffers have the size of the picture; hint: use a smaller `--size`",
        .size.0, .size.1
    )]
    BuffersTooLarge {
        /// Width and height of the picture in pixels.
        size: (u32, u32),
        /// Maximum pixels per side on this adapter.
        limit: u32,
    },
    /// The scene cannot be drawn on this adapter.
    #[error(transparent)]
    Renderer(#[from] RendererError),
    /// The media of a channel cannot be read.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// The time is too late for the 32-bit sample numbers of sound shaders.
    #[error(
        "cannot render sound after {hours:.1} hours: sample numbers have 32 bits; hint: choose \
         earlier frames"
    )]
    SoundTooLate {
        /// Latest possible time, in hours.
        hours: f64,
    },
    /// The sound is too long for the 32-bit length fields of a WAV file.
    #[error("cannot write {seconds:.0} s of sound: a WAV file holds at most {most:.0} s")]
    SoundTooLong {
        /// Requested length in seconds.
        seconds: f64,
        /// Maximum length in seconds.
        most: f64,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// Another run is writing the same pictures.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The progress callback stopped the run. Runs report this in their summary instead.
    #[error("the run was stopped")]
    Stopped,
    /// Frames of this run are missing at its end.
    #[error(
        "{missing} of {frames} frames are missing, such as {first}: they were deleted or moved \
         while the capture ran"
    )]
    Missing {
        /// Number of missing frames.
        missing: usize,
        /// Number of expected frames.
        frames: usize,
        /// Path of the first missing frame.
        first: String,
    },
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;
    use std::io;
    use std::path::Path;

    use super::*;

    #[test]
    fn message_does_not_repeat_itself() {
        let refused = CaptureError::from(RendererError::Rejected {
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
