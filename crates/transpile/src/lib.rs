//! Checked scenes to readable source: Shadertoy GLSL, plain GLSL or WGSL.
//!
//! ```text
//! Program ─► export ─► to_shadertoy, to_glsl, to_wgsl
//!    └─────► import ─► to_wgsl_scene (a scene in WGSL from one in GLSL)
//! ```

mod export;
mod import;

pub use export::{
    ExportError, ExportedInput, ExportedPass, GlslVersion, PerFrame, Shadertoy, has_glsl_file,
    shadertoy_json, to_glsl, to_shadertoy, to_wgsl, uploads,
};
pub use import::to_wgsl_scene;
