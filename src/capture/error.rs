//! What stops a run.

use thiserror::Error;

use super::files::FileError;
use super::lock::Busy;
use crate::render::{RenderError, RendererError};

/// Why a run stopped before its last frame.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// The picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The scene cannot be drawn on this adapter.
    #[error(transparent)]
    Renderer(#[from] RendererError),
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
