//! Replacement for the audio output device in builds without sound.

use std::sync::Arc;

use parking_lot::Mutex;

use super::HINT;
use super::queue::Queue;

/// An output stream, which cannot exist.
pub(super) enum Output {}

impl Output {
    /// Fails with [`HINT`].
    pub(super) fn open(_: Arc<Mutex<Queue>>) -> Result<Self, String> {
        Err(HINT.to_owned())
    }

    /// Cannot be called.
    pub(super) fn set_playing(&self, _: bool) {
        match *self {}
    }
}
