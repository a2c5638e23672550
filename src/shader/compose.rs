//! From a scene in any of its forms to a program.

use super::assemble::compose_wgsl;
use super::compose_error::ComposeError;
use super::composers;
use super::form::Form;
use super::glsl::{compose_glsl, warm_up_glsl};
use super::library::Library;
use super::program::Program;
use super::scene::Scene;

/// Makes a program of a scene. Imports of a WGSL scene are looked up in `library`,
/// then beside the scene's file; `definitions` switch `#ifdef` parts of scene and
/// modules on.
///
/// # Errors
/// [`ComposeError`] with the first thing that is wrong.
pub fn compose(
    scene: &Scene,
    library: &Library,
    definitions: &[&str],
) -> Result<Program, ComposeError> {
    match scene.form() {
        Form::Wgsl => compose_wgsl(scene, library, definitions),
        Form::Glsl | Form::Json | Form::Folder => compose_glsl(scene, library, definitions),
    }
}

/// Does now what the first scene of `form` in a process needs, and no later one: WGSL's
/// regular expressions are compiled, GLSL's compiler reads the functions of its language. It
/// takes a while, beside which a device can be opened.
pub fn warm_up(form: Form) {
    match form {
        Form::Wgsl => composers::warm_up(),
        Form::Glsl | Form::Json | Form::Folder => warm_up_glsl(),
    }
}
