//! Converts a GLSL program to a WGSL scene for further editing.
//!
//! ```text
//! Program of GLSL, a module for each pass
//!   ─► tidy        restores operators, conditional expressions and loops as they were written
//!   ─► arguments   passes values instead of pointers to copies
//!   ─► pass        adds a function that returns the colour; initialises globals
//!   ─► constants   gives numbers the names of the author's constants
//!   ─► merge       gives items shared by several passes one name
//!   ─► document    joins comment, imports, parameters, channels, then all items in source order
//! ```
//!
//! Functions are written by `export`, in WGSL. What the GLSL compiler has resolved is lost:
//! the result contains no macros and no unused functions, and a number keeps a name only if it
//! is certain to be the constant.

mod arguments;
mod author;
mod channels;
mod constants;
mod document;
mod host;
mod merge;
mod naming;
mod pass;
mod tidy;
mod uses;

use std::path::Path;

use tarsus_shader::Program;

use crate::export::ExportError;

/// Converts a program compiled from GLSL to the source of a WGSL scene. File paths in it
/// are relative to `folder`; if that is `None`, they stay as in `program`.
///
/// # Errors
/// Returns an [`ExportError`] if WGSL has no equivalent.
pub fn to_wgsl_scene(program: &Program, folder: Option<&Path>) -> Result<String, ExportError> {
    let channels = channels::Channels::new(program, folder);
    let constants = constants::Constants::new(&program.sources);
    let passes = program.all_passes().map(|pass| pass::ImportedPass::new(pass, &constants));
    let passes = passes.collect::<Result<Vec<_>, _>>()?;
    let merged = merge::merge(program, &passes, &channels)?;
    Ok(document::document(program, merged, &channels))
}
