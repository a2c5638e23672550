//! Compiles GLSL in Shadertoy's dialect to a validated [`Program`].
//!
//! ```text
//! Scene ─► Project: the passes, and what each reads (file, folder, JSON, directives)
//!            │ for every pass
//!            ├─► Unit: prelude + Common + pass, with its lines numbered by file
//!            ├─► glslang ─► SPIR-V ─► split samplers ─► naga module    (feature `glsl`)
//!            └─► naga's own GLSL front end                             (otherwise)
//!                     └─► Program::from_modules
//! ```
//!
//! Every pass is a separate naga module with one fragment entry point. Shadertoy's
//! uniforms are members of the `Frame` uniform; channels are the textures of group 2.

mod apart;
mod bounds;
mod cleaned;
#[cfg(feature = "glslang")]
mod clones;
mod conditionals;
mod directive;
mod expansion;
mod folder;
#[cfg(feature = "glslang")]
mod glslang;
mod json;
mod log;
mod media;
mod module;
mod naga_in;
mod order;
mod pass;
mod prelude;
mod project;
#[cfg(feature = "glslang")]
mod replace;
mod reserved;
#[cfg(feature = "glslang")]
mod scalars;
mod single;
#[cfg(feature = "glslang")]
mod spirv;
#[cfg(feature = "glslang")]
mod split;
#[cfg(feature = "glslang")]
mod tables;
mod uniform;
mod uniforms;
mod unit;
mod words;

use std::path::Path;
use std::sync::Arc;

use tarsus_shader::front_end::{FrontEnd, Source, catch_panics, check_size};
use tarsus_shader::{
    ComposeError, Diagnostic, Form, Library, PassModule, Program, Scene, SourceMap,
};

use project::Project;

pub use words::places as function_names;

/// The front end for GLSL; hand it to [`Library::with_front_end`].
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
        compose(scene, library, definitions)
    }

    /// Has the compiler read its built-in functions.
    fn warm_up(&self) {
        #[cfg(feature = "glslang")]
        glslang::warm_up();
    }
}

/// Makes a program of a scene in GLSL. Shadertoy's media are looked up in the folder of
/// `library`.
fn compose(
    scene: &Scene,
    library: &Library,
    definitions: &[&str],
) -> Result<Program, ComposeError> {
    let mut sources = SourceMap::new(library);
    let is_folder = scene.form() == Form::Folder;
    sources.insert(
        "",
        Source {
            file: scene.file.clone(),
            path: scene.path.clone().filter(|_| !is_folder),
            text: scene.text.clone(),
            imported_by: None,
        },
    );
    if definitions.contains(&"LENS") {
        let message = "this scene has nothing that a lens could show".to_owned();
        let note = "lenses show the rays of tarsus::raymarch and tarsus::terrain".to_owned();
        return Err(ComposeError {
            diagnostic: sources.diagnostic("", message, None, String::new(), vec![note]),
            files: sources.files().to_vec(),
            debug_view_needs_rays: true,
        });
    }
    let mut project = Project::new(sources, library.files().clone());
    project.media = library.media().map(Path::to_path_buf);
    let program = catch_panics(|| program(scene, &mut project));
    let program = program.unwrap_or_else(|reason| {
        let message = format!("cannot compose the shader: the GLSL front end fails: {reason}");
        let note = "hint: this is a fault of the front end; take back the last edit".to_owned();
        let sources = &project.sources;
        Err(sources.diagnostic("", message, None, String::new(), vec![note]))
    });
    program.map_err(|diagnostic| ComposeError {
        diagnostic,
        files: project.sources.files().to_vec(),
        debug_view_needs_rays: false,
    })
}

fn program(scene: &Scene, project: &mut Project) -> Result<Program, Box<Diagnostic>> {
    check_size(&scene.text).map_err(|excess| {
        let (sources, notes) = (&project.sources, vec![excess.hint.to_owned()]);
        sources.diagnostic("", excess.message, Some(excess.span), String::new(), notes)
    })?;
    match scene.form() {
        Form::Json => json::read(scene, project)?,
        Form::Folder => folder::read(scene, project)?,
        Form::Glsl | Form::Wgsl => single::read(scene, project)?,
    }
    media::tell_missing(project);
    let uniforms = uniforms::of(project)?;
    let mut passes = Vec::new();
    for part in std::mem::take(&mut project.parts) {
        let (module, channels) = pass::compile(&part, project, &uniforms)?;
        passes.push(PassModule {
            kind: part.kind,
            module: Arc::new(module),
            channels: Some(channels),
        });
    }
    let described = uniforms.described();
    let (sources, hash) = (project.sources.clone(), project.sources.hash(&[]));
    let mut program = Program::from_modules(passes, Some(&described), sources, hash)?;
    program.warnings.append(&mut project.warnings);
    Ok(program)
}
