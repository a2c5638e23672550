//! Composes a scene of any form into a program.

use super::assemble::compose_wgsl;
use super::compose_error::ComposeError;
use super::composers;
use super::diagnostic::Diagnostic;
use super::form::Form;
use super::library::Library;
use super::program::Program;
use super::scene::Scene;

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
    match scene.form() {
        Form::Wgsl => compose_wgsl(scene, library, definitions),
        Form::Glsl | Form::Json | Form::Folder => match library.front_end() {
            Some(front_end) => front_end.compose(scene, library, definitions),
            None => Err(without_front_end(scene)),
        },
    }
}

/// Does now what the first scene of `form` in a process needs, and no later one: WGSL's
/// regular expressions are compiled, GLSL's compiler reads the functions of its language. It
/// takes a while, beside which a device can be opened.
pub fn warm_up(form: Form, library: &Library) {
    match form {
        Form::Wgsl => composers::warm_up(library.builtins()),
        Form::Glsl | Form::Json | Form::Folder => {
            if let Some(front_end) = library.front_end() {
                front_end.warm_up();
            }
        }
    }
}

fn without_front_end(scene: &Scene) -> ComposeError {
    ComposeError {
        diagnostic: Box::new(Diagnostic {
            message: "cannot read GLSL: this library has no front end for it".to_owned(),
            file: scene.file.clone(),
            text: scene.text.clone(),
            ..Diagnostic::default()
        }),
        files: scene.path.iter().cloned().collect(),
        debug_view_needs_rays: false,
    }
}
