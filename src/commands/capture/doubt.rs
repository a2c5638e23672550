//! Whether a picture that is drawn again is the one that it was.

use std::fmt;

use crate::cli::DEFAULT_FPS;
use tarsus_capture::holds_whole_history;
use tarsus_player::Moment;
use tarsus_shader::Program;

/// Why a picture that is drawn again may be another one.
#[derive(Debug)]
pub(super) enum Doubt {
    /// The scene is not as it was.
    Changed {
        /// The scene.
        scene: String,
        /// The picture.
        picture: String,
    },
    /// More has reached its buffers than the picture tells.
    Played {
        /// The picture.
        picture: String,
        /// Frames that its buffers run.
        frames: u32,
    },
}

impl Doubt {
    /// Compares `program`, whose channels have the hash `channels`, and what reaches its
    /// buffers with those that the picture of `moment` was made of; where it is known what
    /// they held, nothing else matters. The names are those of scene and picture.
    pub(super) fn of(
        moment: &Moment,
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
