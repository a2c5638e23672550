//! From WGSL text to a checked [`Program`]: imports, diagnostics, parameters.
//!
//! ```text
//! Scene ─► assemble (imports, naga_oil) ─► naga module ─► Program::from_modules
//!             │ errors                                      (bindings, parameters, period)
//!             └─► explain ─► Diagnostic in the author's own file
//! ```
//!
//! A scene is one text with `fn main_image(frag_coord: vec2f) -> vec4f`. It may
//! import modules of the [`Library`] or files of its own. [`compose`] brings
//! them together, adds the entry points and checks the whole. Another front end
//! only has to end in [`Program::from_modules`].

mod assemble;
mod bindings;
mod channel;
mod diagnostic;
mod entry;
mod excerpt;
mod explain;
mod export;
mod guard;
mod hash;
mod hints;
mod imports;
mod lens;
mod library;
mod limits;
mod names;
mod overrides;
mod parameters;
mod pass;
mod program;
mod reference;
mod reflect;
mod scene;
mod signatures;
mod source_map;
mod suggest;
mod text_file;
mod tokens;
mod unknown;
mod values;
mod warnings;
mod words;

pub use assemble::{ComposeError, assemble, check_module, compose};
pub use bindings::{Binding, Resource};
pub use channel::{Channel, ChannelSampler, ChannelShape, ChannelSource, Filter, NoiseKind, Wrap};
pub use diagnostic::{Diagnostic, Severity};
pub use export::{
    ExportError, ExportedInput, ExportedPass, GlslVersion, PerFrame, Shadertoy, ShadertoyPass,
    to_glsl, to_shadertoy, to_wgsl,
};
pub use hash::ContentHash;
pub use lens::Lens;
pub use library::{Library, MODULES};
pub use parameters::{Control, Parameter, ParameterError, Parameters, ScalarKind};
pub use pass::{Buffer, CUBE_SIDE, PassKind, SAMPLE_RATE, SOUND_ROW};
pub use program::{Pass, Program};
pub use reference::{module_list, module_reference, reference_page};
pub use scene::{BUILTINS, Builtin, Scene, SceneError};
pub use signatures::{Item, ItemKind, items, summary};
pub use source_map::SourceMap;
pub use values::Values;

/// Name of the module a text defines with `#define_import_path`, if it is one.
#[must_use]
pub fn module_name(text: &str) -> Option<String> {
    naga_oil::compose::get_preprocessor_data(text).0
}
