//! Composes a scene of any form into a program.

use std::path::PathBuf;

use super::assemble::compose_wgsl;
use super::debug_view::DebugView;
use super::diagnostic::Diagnostic;
use super::form::Form;
use super::library::Library;
use super::program::Program;
use super::scene::Scene;
use super::source_map::SourceMap;

/// Failure to compose a scene, with the files that could fix it when edited.
#[derive(Debug, thiserror::Error)]
#[error("{diagnostic}")]
#[non_exhaustive]
pub struct ComposeError {
    /// The error, located in the author's own file.
    pub diagnostic: Box<Diagnostic>,
    /// Files read so far: the scene, then its modules.
    pub files: Vec<PathBuf>,
    /// True if a debug view was requested and the scene traces no rays.
    pub debug_view_needs_rays: bool,
}

impl ComposeError {
    /// Creates the error from a diagnostic in one of `sources`.
    pub fn new(diagnostic: Box<Diagnostic>, sources: &SourceMap) -> Self {
        Self { diagnostic, files: sources.files().to_vec(), debug_view_needs_rays: false }
    }

    /// Creates the error for a debug view of a scene that traces no rays.
    pub fn no_debug_view(sources: &SourceMap) -> Self {
        let message = "cannot show a debug view: this scene traces no rays";
        let note = "debug views show the rays of tarsus::raymarch and tarsus::terrain";
        let diagnostic = sources.error("", message).with_note(note);
        Self { debug_view_needs_rays: true, ..Self::new(diagnostic, sources) }
    }

    /// Creates the error for a panic in the front end of a language.
    pub fn panic(language: &str, reason: &str, sources: &SourceMap) -> Self {
        let message =
            format!("cannot compose the shader: the {language} front end panicked: {reason}");
        let hint = "hint: this is a bug in the front end; undo the last edit";
        Self::new(sources.error("", message).with_note(hint), sources)
    }
}

/// Builds a program from a scene. Imports of a WGSL scene are looked up in `library`, then
/// next to the scene's file. `definitions` enable `#ifdef` sections of the scene and its
/// modules.
///
/// # Errors
/// Returns a [`ComposeError`] for the first error found.
pub fn compose(
    scene: &Scene,
    library: &Library,
    definitions: &[&str],
) -> Result<Program, ComposeError> {
    log::info!("composing {}", scene.file);
    let program = match (scene.form(), library.front_end()) {
        (Form::Wgsl, _) => compose_wgsl(scene, library, definitions),
        (_, Some(front_end)) => front_end.compose(scene, library, definitions),
        (_, None) => {
            let sources = SourceMap::of_scene(library, "", scene);
            let message = "cannot read GLSL: this library has no front end for it";
            Err(ComposeError::new(sources.error("", message), &sources))
        }
    }?;
    let passes: Vec<_> = program.all_passes().map(|pass| pass.kind.label()).collect();
    let (sources, hash) = (program.sources.names().count(), &program.hash);
    log::info!("composed {sources} sources; passes: {}; hash {hash}", passes.join(", "));
    Ok(program)
}

/// Like [`compose`], with the debug view that is shown; without one for a scene that traces
/// no rays, so that hosts can page through scenes in a debug view.
///
/// # Errors
/// Returns a [`ComposeError`] for the first error found.
pub fn compose_with_view(
    scene: &Scene,
    library: &Library,
    view: Option<DebugView>,
) -> Result<(Program, Option<DebugView>), ComposeError> {
    match compose(scene, library, DebugView::definitions(view)) {
        Err(error) if error.debug_view_needs_rays => compose_with_view(scene, library, None),
        composed => Ok((composed?, view)),
    }
}

/// Initializes what the first scene of `form` needs in a process: GLSL's compiler reads the
/// functions of its language. That takes a while, in which another thread can open a device.
pub fn warm_up(form: Form, library: &Library) {
    if form != Form::Wgsl
        && let Some(front_end) = library.front_end()
    {
        front_end.warm_up();
    }
}
