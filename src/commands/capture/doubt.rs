//! Reproducibility warnings for pictures that are rendered again.

use std::fmt;

use crate::cli::DEFAULT_FPS;
use tarsus_capture::holds_whole_history;
use tarsus_player::Snapshot;
use tarsus_shader::Program;

/// Reason why a picture may differ when rendered again.
#[derive(Debug)]
pub(super) enum Doubt {
    /// The scene has changed.
    Changed {
        /// Name of the scene.
        scene: String,
        /// Name of the picture.
        picture: String,
    },
    /// The buffers depend on input that the picture does not record.
    Played {
        /// Name of the picture.
        picture: String,
        /// Number of frames that the buffers run.
        frames: u32,
    },
}

impl Doubt {
    /// Compares the snapshot `moment` with `program`, whose channels have the hash
    /// `channels`, and with the input that reached its buffers. If the buffer state is
    /// known (`holds_buffers`), earlier input is irrelevant. `scene` and `picture` are
    /// names for the message.
    pub(super) fn of(
        moment: &Snapshot,
        program: &Program,
        channels: &str,
        holds_buffers: bool,
        (scene, picture): (&str, &str),
    ) -> Option<Self> {
        let picture = picture.to_owned();
        if !moment.hash.is_empty() && moment.hash != program.hash {
            let scene = scene.to_owned();
            return Some(Self::Changed { scene, picture });
        }
        let is_played = program.has_state()
            && !holds_buffers
            && !holds_whole_history(moment, program, channels, DEFAULT_FPS);
        is_played.then(|| Self::Played {
            picture,
            frames: moment.state.index.saturating_add(1),
        })
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { scene, picture } => write!(
                out,
                "{scene} or a module that it imports has changed since {picture} was made: \
                 the picture may differ"
            ),
            Self::Played { picture, frames } => write!(
                out,
                "{picture} does not tell what was played before it: its buffers run {frames} \
                 frames with the input of that moment, and the picture may differ; a recording \
                 with `--replay` tells all"
            ),
        }
    }
}
