//! Names of a scene's inputs in the target environment.

use naga::{Function, GlobalVariable, Handle};

use super::error::ExportError;
use tarsus_shader::Resource;

/// Source of the `per_frame` values in an exported pass.
pub(crate) enum PerFrameSource {
    /// A texture with the values in its lowest rows.
    Texture(String),
    /// A function of the index.
    Function(Handle<Function>),
    /// None: the scene has no such values, and 0 is written.
    Nothing,
}

/// Supplies the expressions for a pass's inputs.
pub(crate) trait Host {
    /// The resource bound to `global`; `None` for the scene's own variables.
    fn resource(&self, global: Handle<GlobalVariable>) -> Option<Resource>;

    /// A member of the `Frame` uniform, as an expression.
    ///
    /// # Errors
    /// Returns an error if the target has no equivalent.
    fn frame(&self, member: &str) -> Result<String, ExportError>;

    /// A member of `struct Params`.
    fn parameter(&self, member: &str) -> String;

    /// Source of the `per_frame` values.
    ///
    /// # Errors
    /// Returns an error if the target has no equivalent.
    fn per_frame(&self) -> Result<PerFrameSource, ExportError>;

    /// A texture or sampler.
    ///
    /// # Errors
    /// Returns an error if the target has no equivalent.
    fn texture(&self, resource: Resource) -> Result<String, ExportError>;

    /// Replacement for a variable that the target expresses differently: an expression for
    /// the whole vector, and one for its `xy` alone.
    fn replaced(&self, _global: Handle<GlobalVariable>) -> Option<(&'static str, &'static str)> {
        None
    }

    /// The target's function that loads a texel at integer coordinates, if it has one.
    fn texel(&self, _resource: Resource) -> Option<&'static str> {
        None
    }
}
