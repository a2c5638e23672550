//! What a scene's inputs are called in another place.

use naga::{Function, GlobalVariable, Handle};

use super::error::ExportError;
use tarsus_shader::Resource;

/// Where a pass finds what is the same for all pixels.
pub(crate) enum PerFrameSource {
    /// The lowest row of this texture.
    Texture(String),
    /// This function, called with the index.
    Function(Handle<Function>),
    /// The scene has no such values: 0.
    Nothing,
}

/// Gives the inputs of a pass their names.
pub(crate) trait Host {
    /// What `global` is, unless it is a variable of the scene's own.
    fn resource(&self, global: Handle<GlobalVariable>) -> Option<Resource>;

    /// A member of the `Frame` uniform, as an expression.
    ///
    /// # Errors
    /// Where there is nothing of the kind.
    fn frame(&self, member: &str) -> Result<String, ExportError>;

    /// A member of `struct Params`.
    fn parameter(&self, member: &str) -> String;

    /// Where what is the same for all pixels comes from.
    ///
    /// # Errors
    /// Where there is nothing of the kind.
    fn per_frame(&self) -> Result<PerFrameSource, ExportError>;

    /// A texture or sampler.
    ///
    /// # Errors
    /// Where there is nothing of the kind.
    fn texture(&self, resource: Resource) -> Result<String, ExportError>;

    /// What stands for a variable that the place has in other words: an expression, and
    /// what its first components are by themselves.
    fn replaced(&self, _global: Handle<GlobalVariable>) -> Option<(&'static str, &'static str)> {
        None
    }

    /// A texel of a texture by whole numbers, where the place has a function for it.
    fn texel(&self, _resource: Resource) -> Option<&'static str> {
        None
    }
}
