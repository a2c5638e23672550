//! Why a scene cannot be written in another language.

use thiserror::Error;

/// Why a scene cannot be exported.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExportError {
    /// The language has nothing of the kind.
    #[error("cannot export `{function}`: GLSL has no {what}")]
    Missing {
        /// The function that uses it, by its name in the scene.
        function: String,
        /// What there is not.
        what: String,
    },
    /// A pass reads more textures than Shadertoy binds.
    #[error(
        "cannot export {pass}: it reads {count} textures, and a pass of Shadertoy has 4 channels"
    )]
    Channels {
        /// The pass.
        pass: String,
        /// How many textures it reads.
        count: usize,
    },
    /// `per_frame` is too long for each pixel, and there is no buffer for it.
    #[error(
        "cannot export the scene: its `per_frame` is too long to run at each pixel, and its own \
         buffers take Buffer A to D"
    )]
    NoBuffer,
    /// Sound reads what Shadertoy tells only to pictures.
    #[error("cannot export the sound: it reads `{0}`, and on Shadertoy sound knows its time alone")]
    Sound(String),
    /// A module that was valid is not any more.
    #[error("cannot export the scene: {0}")]
    Invalid(String),
}
