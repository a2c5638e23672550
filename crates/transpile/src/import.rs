//! From GLSL to a scene in WGSL, to go on with.
//!
//! ```text
//! Program of GLSL, a module for each pass
//!   ─► tidy        operators, choices and loops as they were written
//!   ─► arguments   values instead of addresses of copies
//!   ─► pass        the function of the pass returns its colour; globals begin with their values
//!   ─► merge       what passes have in common has one name
//!   ─► document    comment, imports, parameters, channels, then everything in the author's order
//! ```
//!
//! Functions are written by `export`, in WGSL. What the compiler has resolved stays so:
//! macros, named numbers and functions that nothing calls are not in the result.

mod arguments;
mod author;
mod channels;
mod document;
mod host;
mod merge;
mod naming;
mod pass;
mod tidy;
mod uses;

use std::path::Path;

use crate::export::ExportError;
use tarsus_shader::Program;

/// Writes a program that was made of GLSL as the text of a scene in WGSL. Paths of files
/// start from `folder` there; without one they are as in `program`.
///
/// # Errors
/// [`ExportError`] where WGSL has nothing of the kind.
pub fn to_wgsl_scene(program: &Program, folder: Option<&Path>) -> Result<String, ExportError> {
    let channels = channels::Channels::new(program, folder);
    let passes = program
        .passes
        .iter()
        .chain(&program.sound)
        .map(pass::ImportedPass::new)
        .collect::<Result<Vec<_>, _>>()?;
    let merged = merge::merge(program, &passes, &channels)?;
    Ok(document::document(program, &merged, &channels))
}
