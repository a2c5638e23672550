//! Composition of scenes and modules, and error messages; needs no adapter.

mod channels;
mod compose;
mod hostile;
mod mistakes;
mod packed_words;
mod size;
mod warnings;

use tarsus_shader::{Builtins, Library};

/// The built-in scenes and modules.
fn library() -> Library {
    let builtins = Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES };
    Library::new(builtins)
}
