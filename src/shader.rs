//! From WGSL text to a checked naga module: imports, diagnostics, parameters.
//!
//! A scene is one text with `fn main_image(frag_coord: vec2f) -> vec4f`. It may
//! import modules of the [`Library`] or files of its own. [`compose`] brings
//! them together, adds the entry points and validates the whole; what is wrong
//! comes back as a [`Diagnostic`] in the user's own file.

mod compose;
mod diagnostic;
mod finding;
mod hash;
mod lens;
mod library;
mod parameters;
mod scene;
mod usage;
mod values;

pub use compose::{ComposeError, Composed, FRAGMENT_ENTRY, VERTEX_ENTRY, check_module, compose};
pub use diagnostic::Diagnostic;
pub use hash::ContentHash;
pub use lens::Lens;
pub use library::{Library, MODULES};
pub use parameters::{Control, Parameter, ParameterError, Parameters, ScalarKind};
pub use scene::{BUILTINS, Builtin, Scene, SceneError};
pub use values::Values;

/// Where in group 0 the keyboard is, for scenes that look at it.
pub const KEYBOARD_BINDING: u32 = 1;

/// Name of the module a text defines with `#define_import_path`, if it is one.
#[must_use]
pub fn module_name(text: &str) -> Option<String> {
    naga_oil::compose::get_preprocessor_data(text).0
}
