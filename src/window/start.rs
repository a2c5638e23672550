//! What the window begins with.

use std::path::Path;

use anyhow::Result;

use super::platform;
use crate::capture::metadata::find_scene_near;
use crate::player::{Moment, Session, Timeline};
use crate::shader::{Lens, Values};

/// A scene, and from where it goes on.
#[derive(Clone, Debug)]
pub struct Start {
    /// The scene by built-in name or file.
    pub scene: String,
    /// Values of parameters that win over those of a moment or a recording.
    pub values: Values,
    /// From where it goes on.
    pub kind: StartKind,
}

/// From where a scene goes on.
#[derive(Clone, Debug)]
pub enum StartKind {
    /// From time 0, live.
    Scene,
    /// From a moment, paused.
    Moment(Box<Moment>),
    /// Along a recording, then live.
    Replay(Box<Timeline>),
}

impl Start {
    /// A scene from its beginning.
    #[must_use]
    pub fn scene(scene: impl Into<String>) -> Self {
        Self {
            scene: scene.into(),
            values: Values::default(),
            kind: StartKind::Scene,
        }
    }

    /// A recording, in the scene it was made in, which is looked for around `path`.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn from_recording(path: &Path) -> Result<Self> {
        let timeline = platform::read_timeline(path)?;
        Ok(Self {
            scene: find_scene_near(&timeline.start.scene, path),
            values: Values::default(),
            kind: StartKind::Replay(Box::new(timeline)),
        })
    }

    /// What a file holds: a scene, the moment of a picture, or a recording.
    ///
    /// # Errors
    /// When a picture or a recording cannot be read.
    pub fn from_file(path: &Path) -> Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("png") => {
                let moment = platform::read_moment(path)?;
                Ok(Self {
                    scene: find_scene_near(&moment.scene, path),
                    values: Values::default(),
                    kind: StartKind::Moment(Box::new(moment)),
                })
            }
            Some("json") => Self::from_recording(path),
            _ => Ok(Self::scene(path.display().to_string())),
        }
    }

    /// Size of the picture of a moment, in pixels.
    #[must_use]
    pub fn size(&self) -> Option<(u32, u32)> {
        match &self.kind {
            StartKind::Moment(moment) => Some(moment.size),
            StartKind::Scene | StartKind::Replay(_) => None,
        }
    }

    /// The lens to look through: that of a moment, else the `current` one.
    pub(super) fn lens(&self, current: Option<Lens>) -> Option<Lens> {
        match &self.kind {
            StartKind::Moment(moment) => moment.lens,
            StartKind::Scene | StartKind::Replay(_) => current,
        }
    }

    /// The session that begins here. `paused` holds the clock of a scene that
    /// starts from its beginning.
    pub(super) fn into_session(self, paused: bool) -> Session {
        match self.kind {
            StartKind::Scene => {
                let mut session = Session::new(self.scene, self.values);
                session.clock.set_paused(paused);
                session
            }
            StartKind::Moment(mut moment) => {
                moment.state.values.merge(&self.values);
                Session::at_moment(self.scene, &moment)
            }
            StartKind::Replay(timeline) => Session::replaying(self.scene, *timeline, self.values),
        }
    }
}
