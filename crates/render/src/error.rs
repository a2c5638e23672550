//! Errors of drawing and readback.

use thiserror::Error;

/// Reasons why a picture cannot be drawn or read back.
#[derive(Debug, Error)]
pub enum RenderError {
    /// The picture exceeds the adapter's texture size limit.
    #[error("{width}x{height} is larger than the {limit} pixels per side this adapter can draw")]
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
    #[error("every readback buffer is in use")]
    Full,
    /// The device failed, with the driver's message.
    #[error("the adapter failed: {0}")]
    Device(String),
}
