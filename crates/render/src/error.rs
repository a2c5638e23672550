//! Why nothing is drawn or read back.

use thiserror::Error;

/// Why a picture cannot be drawn or read back.
#[derive(Debug, Error)]
pub enum RenderError {
    /// The picture is larger than the adapter can draw in one piece.
    #[error("{width}x{height} is larger than the {limit} pixels per side this adapter can draw")]
    TooLarge {
        /// Asked-for width.
        width: u32,
        /// Asked-for height.
        height: u32,
        /// The adapter's limit per side.
        limit: u32,
    },
    /// The contents of a channel are of another shape.
    #[error("cannot fill a channel: {0}")]
    Channel(String),
    /// Every readback buffer is in use: finish one first.
    #[error("every readback buffer is in use")]
    Full,
    /// The device failed, in the driver's words.
    #[error("the adapter failed: {0}")]
    Device(String),
}
