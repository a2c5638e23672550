//! Converts a [`Program`](super::Program) to source code that runs elsewhere.
//!
//! ```text
//! function ─► short_circuit ─► plan (choose variables) ─► place (choose their declarations)
//!                                └─► function, expression, math: GLSL, with the source's names
//! items of all functions ─► file ─► shadertoy: passes to paste ─► plain: for OpenGL
//! ```
//!
//! naga's writer names every value and variable of the module and gives every loop a flag.
//! This writer produces readable code: values appear where they are used, loops become
//! `for` loops again, and names and comments are the author's.

mod error;
mod expression;
pub(super) mod facts;
mod file;
mod flat;
mod function;
mod helpers;
pub(super) mod host;
mod json;
pub(super) mod language;
mod lines;
pub(super) mod listing;
mod math;
pub(super) mod names;
mod operators;
mod parameters;
mod place;
mod plain;
mod plan;
mod scene;
mod shadertoy;
mod short_circuit;
pub(super) mod signature;
mod text;
mod types;
mod wgsl;
mod wgsl_helpers;
mod wgsl_math;
pub(super) mod words;

pub use error::ExportError;
pub use flat::to_wgsl;
pub use json::{shadertoy_json, uploads};
pub use plain::{GlslVersion, to_glsl};
pub use shadertoy::{
    ExportedInput, ExportedPass, PerFrame, Shadertoy, ShadertoyPass, to_shadertoy,
};
