//! Compiles GLSL in Shadertoy's dialect to a validated [`Program`].
//!
//! ```text
//! Scene ─► Project: the passes, and what each reads (file, folder, JSON, directives)
//!            │ for every pass
//!            ├─► Unit: prelude + Common + pass, with its lines numbered by file
//!            ├─► glslang ─► SPIR-V ─► split samplers ─► naga module    (feature `glslang`)
//!            └─► naga's own GLSL front end                             (otherwise)
//!                     └─► Program::from_modules
//! ```
//!
//! A hostile source can crash glslang, or make it run and allocate without end. Only in a child
//! process do such sources end in one error: a program that reads the sources of others calls
//! [`use_compiler_process`], and runs [`serve_compiler`] in the child. Otherwise glslang runs in
//! the calling process. naga's front end always does; its panics are errors, but macros that
//! expand to millions of words can take all time and memory.
//!
//! Every pass is a separate naga module with one fragment entry point. Shadertoy's
//! uniforms are members of the `Frame` uniform; channels are the textures of group 2.

mod channel_lines;
mod clean;
mod directive;
#[cfg(feature = "glslang")]
mod glslang;
mod json;
mod lexer;
mod log;
mod media;
mod module;
#[cfg_attr(feature = "glslang", allow(dead_code, reason = "for other builds, and tests"))]
mod naga_front;
mod numbers;
mod pass;
mod prelude;
mod project;
mod reserved;
mod scene_folder;
mod separate_samplers;
mod single_file;
#[cfg(feature = "glslang")]
mod spirv;
#[cfg(feature = "glslang")]
mod tables;
mod uniforms;
mod unit;
mod warnings;

use std::sync::Arc;

use tarsus_shader::front_end::{Checked, FrontEnd, catch_panics, check_size};
use tarsus_shader::{
    ComposeError, DebugView, Form, Library, PassKind, PassModule, Program, Scene, SourceMap,
};

use project::Project;
use uniforms::Uniforms;

#[cfg(feature = "glslang")]
pub use glslang::{serve_compiler, use_compiler_process};
pub use json::shaders_of;
pub use lexer::function_positions;
pub use media::{media_title, noise_path};
pub use numbers::{Numbers, numbers};
pub use prelude::{pass_function, pass_signature, sampler_type};
pub use reserved::{BUILTINS, INPUTS, LATER_BUILTINS, RENAMED_SUFFIX, RESERVED};
pub use scene_folder::pass_of_file;

/// The front end for GLSL; pass it to [`Library::with_front_end`].
pub static GLSL: &dyn FrontEnd = &Glsl;

#[derive(Debug)]
struct Glsl;

impl FrontEnd for Glsl {
    fn compose(
        &self,
        scene: &Scene,
        library: &Library,
        definitions: &[&str],
    ) -> Result<Program, ComposeError> {
        let sources = SourceMap::of_scene(library, "", scene);
        if DebugView::needs_rays(definitions) {
            return Err(ComposeError::no_debug_view(&sources));
        }
        let mut project = Project::new(sources, library);
        project.shows_non_finite = DebugView::shows_non_finite(definitions);
        match catch_panics(|| compose(scene, definitions, &mut project)) {
            Ok(Ok(program)) => Ok(program),
            Ok(Err(error)) => Err(ComposeError::new(error, &project.sources)),
            Err(reason) => Err(ComposeError::panic("GLSL", &reason, &project.sources)),
        }
    }

    /// Makes the compiler read its built-in functions.
    fn warm_up(&self) {
        #[cfg(feature = "glslang")]
        glslang::warm_up();
    }
}

fn compose(scene: &Scene, definitions: &[&str], project: &mut Project) -> Checked<Program> {
    check_size(&project.sources, "")?;
    match scene.form() {
        Form::Json => json::read(scene, project)?,
        Form::Folder => scene_folder::read(scene, project)?,
        Form::Glsl | Form::Wgsl => single_file::read(scene, project)?,
    }
    media::warn_missing(project);
    let uniforms = Uniforms::collect(project)?;
    let declaration = uniforms.declaration();
    let mut passes = Vec::new();
    let mut errors = Vec::new();
    let has_cube_map = project.has_pass(PassKind::Cube);
    for source in std::mem::take(&mut project.passes) {
        let compiled = pass::compile(&source, project, &declaration, has_cube_map);
        let (module, channels) = match compiled {
            Ok(compiled) => compiled,
            // A compiler that ran out of time may do so in every pass.
            Err(error) if log::is_failure(&error) => return Err(error),
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        passes.push(PassModule {
            kind: source.kind,
            module: Arc::new(module),
            channels: Some(channels),
        });
    }
    if let Some(error) = log::join(errors) {
        return Err(error);
    }
    let parameters = uniforms.wgsl_struct();
    let (sources, hash) = (project.sources.clone(), project.sources.hash(definitions));
    let mut program = Program::from_modules(&passes, Some(&parameters), sources, hash)?;
    program.warnings.append(&mut project.warnings);
    Ok(program)
}
