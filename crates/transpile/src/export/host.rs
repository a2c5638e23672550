//! Names of a scene's inputs in the target environment.

use std::collections::HashMap;

use naga::{Function, GlobalVariable, Handle, Module};

use super::error::ExportError;
use super::text::ExprText;
use tarsus_shader::{Binding, Buffer, Resource};

/// Source of the `per_frame` values in an exported pass.
pub(crate) enum PerFrameSource {
    /// A texture with the values in its lowest rows.
    Texture(String),
    /// A function of the index.
    Function(Handle<Function>),
    /// None: the scene has no such values, and 0 is written.
    Nothing,
}

/// Resources bound to the variables of `module`.
pub(crate) fn bound_resources<'b>(
    module: &Module,
    bindings: impl IntoIterator<Item = &'b Binding>,
) -> HashMap<Handle<GlobalVariable>, Resource> {
    let bindings: Vec<&Binding> = bindings.into_iter().collect();
    let globals = module.global_variables.iter();
    let bound = globals.filter_map(|(handle, global)| {
        let place = global.binding?;
        let binding = bindings.iter().find(|found| found.place() == place)?;
        Some((handle, binding.resource))
    });
    bound.collect()
}

/// Supplies the expressions for a pass's inputs.
pub(crate) trait Host {
    /// The resource bound to `global`; `None` for the scene's own variables.
    fn resource(&self, global: Handle<GlobalVariable>) -> Option<Resource>;

    /// A member of the `Frame` uniform, as an expression.
    ///
    /// # Errors
    /// Returns an error if the target has no equivalent.
    fn frame(&self, member: &str) -> Result<ExprText, ExportError>;

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

    /// True if the rows of the pass go down in the scene and up in the target.
    fn flips_rows(&self) -> bool {
        false
    }

    /// Replacement for a variable that the target expresses differently.
    fn replacement(&self, _global: Handle<GlobalVariable>) -> Option<ExprText> {
        None
    }

    /// The buffer in a texture, if the target has functions for its texels.
    fn buffer(&self, _resource: Resource) -> Option<Buffer> {
        None
    }
}
