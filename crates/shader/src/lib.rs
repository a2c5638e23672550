//! Compiles WGSL or GLSL source to a validated [`Program`]: imports, diagnostics,
//! parameters.
//!
//! ```text
//!        ┌► assemble (imports, link) ─────┐
//! Scene ─┤                                ├► naga modules ─► Program::from_modules
//!        └► glsl (passes, glslang) ───────┘                   (bindings, parameters, period)
//!             │ errors
//!             └─► Diagnostic in the author's own file
//! ```
//!
//! A WGSL scene is a single source file with `fn main_image(frag_coord: vec2f) -> vec4f`.
//! It can import modules from the [`Library`] or from files next to it. [`compose`]
//! resolves the imports, adds the entry points and validates the result. A GLSL scene is a
//! Shadertoy shader; see `glsl.rs`. Any further front end only has to end in
//! [`Program::from_modules`].

mod assemble;
mod bindings;
mod channel;
mod channel_comment;
mod compose;
mod debug_view;
mod diagnostic;
mod endless_loops;
mod entry;
mod excerpt;
mod explain;
mod files;
mod find_errors;
mod form;
pub mod front_end;
mod guard;
mod hash;
mod hints;
mod imports;
pub mod ir;
mod library;
mod limits;
mod link;
mod names;
mod overrides;
mod packed;
mod parameter;
mod parameters;
mod pass;
mod preprocess;
mod program;
mod reference;
mod reflect;
mod scene;
mod signatures;
mod size;
mod source_files;
mod source_map;
mod suggest;
mod tokens;
mod unknown;
mod unrolling;
mod values;
mod vocabulary;
mod walker;
mod warnings;

pub use assemble::{assemble, check_module};
pub use bindings::{Binding, Resource};
pub use channel::{
    Channel, ChannelSampler, ChannelShape, ChannelSource, Filter, MissingFile, NoiseKind,
    PassChannel, Wrap,
};
pub use compose::{ComposeError, compose, compose_with_view, warm_up};
pub use debug_view::DebugView;
pub use diagnostic::{Diagnostic, Severity};
pub use files::Files;
pub use find_errors::find_errors;
pub use form::Form;
pub use front_end::FrontEnd;
pub use hash::ContentHash;
pub use library::{Builtins, Library};
pub use packed::{pack, unpack};
pub use parameter::{Control, Parameter, ScalarKind};
pub use parameters::{ParameterError, Parameters};
pub use pass::{
    Buffer, CUBE_SIDE, MAX_BUFFER_SIDE, MAX_PICTURE_SIDE, PER_FRAME_ROW, PassKind, SAMPLE_RATE,
    SOUND_ROW,
};
pub use program::{Pass, PassModule, Program};
pub use reference::{documented_items, module_list, reference};
pub use reflect::reads_frame;
pub use scene::{Scene, SceneError};
pub use signatures::{Item, ItemKind, description, items};
pub use source_files::SourceFiles;
pub use source_map::SourceMap;
pub use unrolling::unrolling_warnings;
pub use values::Values;

/// Import path that a source declares with `#define_import_path`; `None` if it is not a
/// module.
pub fn module_name(text: &str) -> Option<String> {
    preprocess::import_path(text)
}

/// The built-in scenes and modules, for tests.
#[cfg(test)]
fn test_library() -> Library {
    Library::new(Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES })
}
