//! tarsus: a shader toy for legs, and the two-bone IK solver underneath.
//!
//! This library re-exports the crates that the program is made of. Depend on them one by
//! one for a shorter build:
//!
//! | module | crate | job |
//! |---|---|---|
//! | [`ik`] | `tarsus-ik` | the solver, also for targets without an operating system |
//! | `shader` | `tarsus-shader` | WGSL scenes to checked modules: imports, errors, parameters |
//! | `glsl` | `tarsus-glsl` | the same from Shadertoy GLSL |
//! | `transpile` | `tarsus-transpile` | back to GLSL and WGSL that people read |
//! | `render` | `tarsus-render` | a `Program` to pixels on your device |
//! | `player` | `tarsus-player` | time, input, recordings, rewind; the live picture |
//! | `media` | `tarsus-media` | pictures, volumes, video and sound for channels |
//! | `capture` | `tarsus-capture` | frames by number into files |
//! | `scenes` | `tarsus-scenes` | the built-in scenes and modules |
//!
//! Without default features, this crate contains only [`ik`].

pub use tarsus_ik as ik;

#[cfg(feature = "capture")]
pub use {
    tarsus_capture as capture, tarsus_glsl as glsl, tarsus_media as media, tarsus_player as player,
    tarsus_render as render, tarsus_scenes as scenes, tarsus_shader as shader,
    tarsus_transpile as transpile,
};

/// The built-in scenes and modules, with a front end for GLSL.
#[cfg(feature = "capture")]
pub fn library() -> shader::Library {
    let builtins = shader::Builtins { scenes: scenes::SCENES, modules: scenes::MODULES };
    shader::Library::new(builtins).with_front_end(glsl::GLSL)
}

/// Compiles the Rust code of the README and of the page for engines.
#[cfg(all(doctest, feature = "capture"))]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/engine.md")]
pub struct Readme;
