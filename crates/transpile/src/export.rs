//! From a [`Program`](tarsus_shader::Program) to texts that run elsewhere.
//!
//! ```text
//! function ─► short_circuit ─► plan (which values get a variable) ─► place (where variables are declared)
//!                                 └─► function, expression, math: GLSL, with names of the source
//! pieces of all functions ─► file ─► shadertoy: passes to paste ─► plain: for OpenGL
//! ```
//!
//! naga's own writer gives every value and every variable of the module a name
//! and every loop a flag. This one writes for people: values stand where they
//! are used, loops are `for` again, and names and comments are the author's.

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
