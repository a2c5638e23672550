//! GLSL scenes in all their forms; needs no adapter.

#[cfg(feature = "glslang")]
mod invalid;
mod mistakes;
mod scenes;

use tarsus_shader::Library;

/// A library that reads GLSL.
fn library() -> Library {
    Library::default().with_front_end(tarsus_glsl::GLSL)
}
