//! Reproducibility warnings for pictures that are rendered again.

use std::fmt;

use crate::cli::DEFAULT_FPS;
use tarsus_capture::{CaptureSpec, InputSource, has_complete_history};
use tarsus_shader::Program;

/// Reason why a picture may differ when rendered again.
#[derive(Debug)]
pub(super) enum ReproducibilityWarning {
    /// The scene has changed.
    SceneChanged {
        /// Name of the scene.
        scene: String,
        /// Name of the picture.
        picture: String,
    },
    /// The buffers depend on input that the picture does not record.
    UnrecordedInput {
        /// Name of the picture.
        picture: String,
        /// Number of frames that the buffers run.
        frames: u32,
    },
}

impl ReproducibilityWarning {
    /// Compares the snapshot of `picture`, if `spec` renders one, with `program`, whose
    /// channels have the hash `channels`, and with the input that reached its buffers. If
    /// the buffer state is known (`has_saved_buffers`), earlier input is irrelevant.
    pub(super) fn find(
        spec: &CaptureSpec,
        picture: &str,
        program: &Program,
        channels: &str,
        has_saved_buffers: bool,
    ) -> Option<Self> {
        let snapshot = match &spec.input {
            // A different debug view is a different program.
            InputSource::Snapshot(snapshot) if snapshot.debug_view == spec.debug_view => snapshot,
            _ => return None,
        };
        let picture = picture.to_owned();
        if !snapshot.hash.is_empty() && snapshot.hash != program.hash {
            let scene = spec.scene.clone();
            return Some(Self::SceneChanged { scene, picture });
        }
        let is_unrecorded = program.has_state()
            && !has_saved_buffers
            && !has_complete_history(snapshot, program, channels, DEFAULT_FPS);
        is_unrecorded.then(|| Self::UnrecordedInput {
            picture,
            frames: snapshot.state.index.saturating_add(1),
        })
    }
}

impl fmt::Display for ReproducibilityWarning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SceneChanged { scene, picture } => write!(
                out,
                "{scene} or a module that it imports has changed since {picture} was made: \
                 the picture may differ"
            ),
            Self::UnrecordedInput { picture, frames } => write!(
                out,
                "{picture} does not record earlier input: its buffers run {frames} frames with the \
                 input of the snapshot, and the picture may differ; hint: `--replay` with a \
                 recording reproduces it"
            ),
        }
    }
}
