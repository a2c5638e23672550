//! What stops a run.

use thiserror::Error;

use super::files::FileError;
use super::lock::Busy;
use tarsus_media::ChannelError;
use tarsus_render::{RenderError, RendererError};

/// Why a run stopped before its last frame.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// The picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// Buffers cannot be cut into tiles as pictures are.
    #[error(
        "cannot run the buffers of the scene at {}x{}: this adapter draws at most {limit} pixels \
         per side, and buffers have the size of the picture; use a smaller `--size`",
        .size.0, .size.1
    )]
    BuffersTooLarge {
        /// Width and height of the picture in pixels.
        size: (u32, u32),
        /// The adapter's limit per side.
        limit: u32,
    },
    /// The scene cannot be drawn on this adapter.
    #[error(transparent)]
    Renderer(#[from] RendererError),
    /// What a channel shows cannot be read.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// Samples of sound have numbers of 32 bits.
    #[error("cannot make sound for times after {hours:.1} hours: choose earlier frames")]
    SoundTooLate {
        /// The last hour that has a number.
        hours: f64,
    },
    /// A file of sound has lengths of 32 bits.
    #[error("cannot write {seconds:.0} s of sound: a WAV file holds at most {most:.0} s")]
    SoundTooLong {
        /// Length asked for, in seconds.
        seconds: f64,
        /// Most seconds.
        most: f64,
    },
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// Another run writes the same pictures.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// Frames that were written are not there at the end.
    #[error(
        "{missing} of {frames} frames are missing, such as {first}: they were deleted or moved \
         while the capture ran"
    )]
    Missing {
        /// How many are missing.
        missing: usize,
        /// How many there should be.
        frames: usize,
        /// The file of the first that is missing.
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
    fn an_error_says_each_thing_once() {
        let refused = CaptureError::from(RendererError::Refused("no such feature".to_owned()));
        let sentence = refused.to_string();
        assert_eq!(sentence, "the adapter refused the shader: no such feature");
        let failed = CaptureError::from(RenderError::Device("out of memory".to_owned()));
        assert_eq!(failed.to_string(), "the adapter failed: out of memory");
    }

    #[test]
    fn an_error_keeps_what_lies_below_it() {
        let cause = io::Error::from(io::ErrorKind::StorageFull);
        let reason = io::Error::other(Unwritten(cause));
        let error = CaptureError::from(FileError::write(Path::new("a.png"), reason));
        // The text has the reason, so the chain goes on below it.
        assert_eq!(error.to_string(), "cannot write a.png: the encoder stopped");
        let source = error.source().and_then(|source| source.downcast_ref());
        let kind = source.map(io::Error::kind);
        assert_eq!(kind, Some(io::ErrorKind::StorageFull));
    }

    #[derive(Debug, Error)]
    #[error("the encoder stopped")]
    struct Unwritten(#[source] io::Error);
}
