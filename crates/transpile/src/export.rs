//! Converts a [`Program`](super::Program) to source code that runs elsewhere.
//!
//! ```text
//! function ─► short_circuit ─► plan (which values get a variable) ─► declaration_site (where)
//!                                └─► function, expression, operators, math: text, with the
//!                                    names of the source
//! all items ─► listing ─► source_file ─► shadertoy: passes to paste ─► glsl_files: for OpenGL
//! ```
//!
//! naga's writer names every value and variable of the module and gives every loop a flag.
//! This writer produces readable code: values appear where they are used, loops become
//! `for` loops again, and names and comments are the author's.

pub(super) mod analysis;
mod declaration_site;
pub(super) mod error;
mod expression;
pub(super) mod function;
mod glsl_files;
mod helpers;
pub(super) mod host;
mod isolate;
mod json;
pub(super) mod language;
mod lines;
pub(super) mod listing;
mod math;
pub(super) mod names;
mod operators;
mod parameters;
mod plan;
mod range;
pub(super) mod reserved;
mod scene;
mod shadertoy;
mod short_circuit;
pub(super) mod source_file;
pub(super) mod text;
pub(super) mod types;
mod website;
mod wgsl_file;

pub use error::ExportError;
pub use glsl_files::{GlslVersion, has_glsl_file, to_glsl};
pub use json::{shadertoy_json, uploads};
pub use shadertoy::{ExportedInput, ExportedPass, PerFrame, Shadertoy, to_shadertoy};
pub use wgsl_file::to_wgsl;
