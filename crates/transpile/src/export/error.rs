//! Errors of scene export.

use thiserror::Error;

/// Reason why a scene cannot be exported.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExportError {
    /// The target language lacks a feature.
    #[error("cannot export `{function}`: GLSL has no {what}")]
    Missing {
        /// Name of the function that uses it, as in the scene.
        function: String,
        /// The missing feature.
        what: String,
    },
    /// A pass reads more textures than Shadertoy binds.
    #[error(
        "cannot export {pass}: it reads {count} textures, and a pass of Shadertoy has 4 channels"
    )]
    Channels {
        /// The pass.
        pass: String,
        /// Number of textures it reads.
        count: usize,
    },
    /// `per_frame` is too long to run per pixel, and no buffer is free for it.
    #[error(
        "cannot export the scene: its `per_frame` is too long to run at each pixel, and its own \
         buffers take Buffer A to D"
    )]
    NoBuffer,
    /// The sound reads an input that Shadertoy provides only to image passes.
    #[error("cannot export the sound: it reads `{0}`, and on Shadertoy sound knows its time alone")]
    Sound(String),
    /// The module of the scene is not valid.
    #[error("cannot export the scene: {0}")]
    Invalid(String),
}
