//! Errors of drawing and readback.

use thiserror::Error;

use super::renderer::RendererError;

/// Reasons why a picture cannot be drawn or read back.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The picture exceeds the adapter's texture size limit.
    #[error("cannot draw {width}x{height}: this adapter supports at most {limit} pixels per side")]
    TooLarge {
        /// Requested width.
        width: u32,
        /// Requested height.
        height: u32,
        /// The adapter's limit per side.
        limit: u32,
    },
    /// The contents do not fit the channel's shape.
    #[error("cannot fill a channel: {0}")]
    Channel(String),
    /// Every readback buffer is in use; finish a readback first.
    #[error("cannot start a readback: every buffer is in use")]
    Full,
    /// The renderer cannot draw to the target.
    #[error(transparent)]
    Renderer(#[from] RendererError),
    /// The device failed, with the driver's message.
    #[error("the device failed: {0}")]
    Device(String),
}
