//! Replacement for builds without sound, which prints how to enable it.

use std::sync::Arc;

use crate::window::platform::Tasks;
use tarsus_player::Session;
use tarsus_render::Gpu;
use tarsus_shader::Program;

use super::ChannelTexels;

/// Message shown instead of playing sound.
const HINT: &str = "built without sound; hint: `cargo install --path . --features sound`";

/// Sound of a build without it.
#[derive(Default)]
pub(in crate::window) struct Sound {}

impl Sound {
    /// Returns the hint if the scene has a sound.
    pub(in crate::window) fn load(
        &mut self,
        _: &Arc<Gpu>,
        program: &Program,
        _: ChannelTexels,
        _: &mut Tasks,
    ) -> Option<String> {
        program.sound.as_ref().map(|_| HINT.to_owned())
    }

    /// Does nothing.
    pub(in crate::window) fn stop(&mut self) {}

    /// Does nothing.
    pub(in crate::window) fn follow(&mut self, _: &Session, _: &Program) {}

    /// Returns the hint.
    pub(in crate::window) fn toggle(&mut self) -> String {
        HINT.to_owned()
    }
}
