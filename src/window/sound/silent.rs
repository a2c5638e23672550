//! A build without sound says how to build one with it.

use std::sync::Arc;

use crate::window::platform::{Sender, Tasks};
use tarsus_player::Session;
use tarsus_render::Gpu;
use tarsus_shader::Program;

use super::ChannelTexels;

/// What to say where there would be sound.
const HINT: &str = "this build has no sound: `cargo install --path . --features sound` has";

/// No sound.
pub(in crate::window) struct Sound;

impl Sound {
    /// Nothing is ever sent to `reports`.
    pub(in crate::window) fn new(_: Sender<String>) -> Self {
        Self
    }

    /// Gives the hint, if the scene has a sound.
    pub(in crate::window) fn loaded(
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

    /// Gives the hint.
    pub(in crate::window) fn toggle(&mut self) -> String {
        HINT.to_owned()
    }
}
