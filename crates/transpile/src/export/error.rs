//! Errors of scene export.

use naga::Module;
use naga::valid::ModuleInfo;
use tarsus_shader::PassKind;
use thiserror::Error;

/// Reason why a scene cannot be exported.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportError {
    /// The target language lacks a feature.
    #[error("cannot export `{function}`: {language} does not support {what}")]
    Missing {
        /// Name of the function that uses it, as in the scene.
        function: String,
        /// The target language.
        language: &'static str,
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
    /// A buffer has a size of its own.
    #[error(
        "cannot export {pass}: it has {}x{} texels, and buffers of Shadertoy have the size of the \
         picture; hint: `--to wgsl` exports it", .size.0, .size.1
    )]
    BufferSize {
        /// The buffer.
        pass: PassKind,
        /// Its width and height in texels.
        size: (u32, u32),
    },
    /// `per_frame` is too long to run per pixel, and no buffer is free for it.
    #[error(
        "cannot export the scene: its `per_frame` is too long to run per pixel, and buffers A to \
         D are all in use"
    )]
    NoBuffer,
    /// The sound reads an input that Shadertoy provides only to image passes.
    #[error("cannot export the sound: it reads `{0}`, but Shadertoy sounds have only the time")]
    Sound(String),
    /// The module of the scene is not valid.
    #[error("cannot export the scene: {0}")]
    Invalid(String),
}

/// Validates a module.
pub(crate) fn validate(module: &Module) -> Result<ModuleInfo, ExportError> {
    let invalid = |reasons: Vec<String>| ExportError::Invalid(reasons.join(": "));
    tarsus_shader::ir::validate(module).map_err(invalid)
}
