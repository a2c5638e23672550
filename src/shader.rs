//! From WGSL or GLSL text to a checked [`Program`]: imports, diagnostics, parameters.
//!
//! ```text
//!        ┌► assemble (imports, naga_oil) ─┐
//! Scene ─┤                                ├► naga modules ─► Program::from_modules
//!        └► glsl (passes, glslang) ───────┘                   (bindings, parameters, period)
//!             │ errors
//!             └─► Diagnostic in the author's own file
//! ```
//!
//! A WGSL scene is one text with `fn main_image(frag_coord: vec2f) -> vec4f`. It may
//! import modules of the [`Library`] or files of its own. [`compose`] brings
//! them together, adds the entry points and checks the whole. A GLSL scene is what
//! Shadertoy runs: see `glsl.rs`. Another front end only has to end in
//! [`Program::from_modules`].

mod assemble;
mod bindings;
mod blocks;
mod channel;
mod channel_comment;
mod compose;
mod compose_error;
mod composers;
mod diagnostic;
mod entry;
mod excerpt;
mod explain;
mod export;
mod files;
mod form;
mod glsl;
mod guard;
mod hash;
mod hints;
mod import;
mod imports;
mod lens;
mod library;
mod limits;
mod names;
mod operands;
mod overrides;
#[cfg(feature = "player")]
mod packed;
mod parameter;
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

pub use assemble::{assemble, check_module};
pub use bindings::{Binding, Resource};
pub(crate) use blocks::{inner_blocks, inner_blocks_mut};
pub use channel::{
    Channel, ChannelSampler, ChannelShape, ChannelSource, Filter, NoiseKind, PassChannel, Wrap,
};
pub use compose::{compose, warm_up};
pub use compose_error::ComposeError;
pub use diagnostic::{Diagnostic, Severity};
pub use export::{
    ExportError, ExportedInput, ExportedPass, GlslVersion, PerFrame, Shadertoy, ShadertoyPass,
    shadertoy_json, to_glsl, to_shadertoy, to_wgsl, uploads,
};
pub use files::Files;
pub use form::Form;
pub use hash::ContentHash;
pub use import::to_wgsl_scene;
pub use lens::Lens;
pub use library::{Library, MODULES};
pub(crate) use operands::{Variable, operands, operands_mut, root};
#[cfg(feature = "player")]
pub use packed::{pack, unpack};
pub use parameter::{Control, Parameter, ScalarKind};
pub use parameters::{ParameterError, Parameters};
pub use pass::{Buffer, CUBE_SIDE, PER_FRAME, PER_FRAME_ROW, PassKind, SAMPLE_RATE, SOUND_ROW};
pub use program::{Pass, PassModule, Program};
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
