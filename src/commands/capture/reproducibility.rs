//! Reproducibility warnings for pictures that are rendered again.

use std::fmt;

use crate::cli::DEFAULT_FPS;
use tarsus_capture::holds_whole_history;
use tarsus_player::Snapshot;
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
    /// Compares the snapshot `moment` with `program`, whose channels have the hash
    /// `channels`, and with the input that reached its buffers. If the buffer state is
    /// known (`holds_buffers`), earlier input is irrelevant. `scene` and `picture` are
    /// names for the message.
    pub(super) fn find(
        moment: &Snapshot,
        program: &Program,
        channels: &str,
        holds_buffers: bool,
        (scene, picture): (&str, &str),
    ) -> Option<Self> {
        let picture = picture.to_owned();
        if !moment.hash.is_empty() && moment.hash != program.hash {
            let scene = scene.to_owned();
            return Some(Self::SceneChanged { scene, picture });
        }
        let is_unrecorded = program.has_state()
            && !holds_buffers
            && !holds_whole_history(moment, program, channels, DEFAULT_FPS);
        is_unrecorded.then(|| Self::UnrecordedInput {
            picture,
            frames: moment.state.index.saturating_add(1),
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
