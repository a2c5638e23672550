//! What stops a run.

use thiserror::Error;

use super::files::FileError;
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
}
