//! What the window begins with.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::platform;
use tarsus_capture::Format;
use tarsus_capture::metadata::find_scene_near;
use tarsus_player::{Moment, Session, Timeline};
use tarsus_shader::{Form, Lens, Values};

/// A scene, and from where it goes on.
#[derive(Clone, Debug)]
pub struct Start {
    /// The scene by built-in name or file.
    pub scene: String,
    /// Values of parameters that win over those of a moment or a recording.
    pub values: Values,
    /// From where it goes on.
    pub kind: StartKind,
    /// The picture of a moment: what buffers held may lie beside it.
    pub picture: Option<PathBuf>,
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

/// A picture that is opened.
#[derive(Clone, Debug)]
pub(super) struct OpenedPicture {
    /// Its file.
    pub(super) path: PathBuf,
    /// What it shows.
    pub(super) moment: Box<Moment>,
}

/// What a file holds, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A scene, or something else that is to be tried as one.
    Scene,
    /// A picture with the moment that it shows.
    Picture,
    /// A recording, or keyframes.
    Recording,
}

impl Content {
    /// Decides by the ending of the name, and of JSON by its text.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let extension = path.extension();
        if extension.is_some_and(|extension| extension == "json") {
            match Form::is_shadertoy(path) {
                true => Self::Scene,
                false => Self::Recording,
            }
        } else if Format::of(path).is_some_and(Format::has_metadata) {
            Self::Picture
        } else {
            Self::Scene
        }
    }
}

impl Start {
    /// A scene from its beginning.
    #[must_use]
    pub fn scene(scene: impl Into<String>) -> Self {
        Self {
            scene: scene.into(),
            values: Values::default(),
            kind: StartKind::Scene,
            picture: None,
        }
    }

    /// A recording, in the scene it was made in, which is looked for around `path`.
    ///
    /// # Errors
    /// When the recording cannot be read.
    pub fn from_recording(path: &Path) -> Result<Self> {
        let timeline = platform::read_timeline(path)?;
        Ok(Self {
            scene: find_scene_near(&timeline.start.scene, path, &tarsus::library()),
            values: Values::default(),
            kind: StartKind::Replay(Box::new(timeline)),
            picture: None,
        })
    }

    /// What a file holds: a scene, the moment of a picture, or a recording.
    ///
    /// # Errors
    /// When a picture or a recording cannot be read.
    pub fn from_file(path: &Path) -> Result<Self> {
        match Content::of(path) {
            Content::Scene => Ok(Self::scene(path.display().to_string())),
            Content::Recording => Self::from_recording(path),
            Content::Picture => {
                let moment = platform::read_moment(path)?;
                Ok(Self {
                    scene: find_scene_near(&moment.scene, path, &tarsus::library()),
                    values: Values::default(),
                    kind: StartKind::Moment(Box::new(moment)),
                    picture: Some(path.to_owned()),
                })
            }
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

    /// The picture that is opened, if it is one.
    pub(super) fn opened(&self) -> Option<OpenedPicture> {
        match (&self.kind, &self.picture) {
            (StartKind::Moment(moment), Some(picture)) => Some(OpenedPicture {
                path: picture.clone(),
                moment: moment.clone(),
            }),
            _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_player::SceneState;

    fn values(pairs: &[(&str, f64)]) -> Values {
        let pair = |(name, value): &(&str, f64)| ((*name).to_owned(), vec![*value]);
        pairs.iter().map(pair).collect()
    }

    fn moment() -> Moment {
        let state = SceneState {
            values: values(&[("red", 0.1), ("green", 0.2)]),
            ..SceneState::at(2.0, 120, 60.0)
        };
        Moment::new("recorded", (320, 180), state)
    }

    fn timeline() -> Timeline {
        let text = r#"{"duration": 2, "events": [
            {"at": 0, "set": {"name": "red", "value": [0.1]}},
            {"at": 0, "set": {"name": "green", "value": [0.2]}}]}"#;
        Timeline::parse(text).expect("a timeline")
    }

    #[test]
    fn given_scene_and_values_win_over_those_of_a_file() {
        for kind in [
            StartKind::Scene,
            StartKind::Moment(Box::new(moment())),
            StartKind::Replay(Box::new(timeline())),
        ] {
            let has_green = !matches!(kind, StartKind::Scene);
            let start = Start {
                scene: "given".to_owned(),
                values: values(&[("red", 0.75)]),
                kind,
                picture: None,
            };
            let mut session = start.into_session(false);
            assert_eq!(session.scene, "given");
            for now in [0.0, 0.5, 1.0] {
                session.paint(now, [0.0; 4], (80, 45));
                let painted = &session.painted().values;
                assert_eq!(painted.get("red"), Some(&[0.75][..]), "at {now}");
                let green = has_green.then_some(&[0.2][..]);
                assert_eq!(painted.get("green"), green, "at {now}");
            }
        }
    }

    #[test]
    fn contents_are_known_by_the_name() {
        for (name, content) in [
            ("creature", Content::Scene),
            ("my.wgsl", Content::Scene),
            ("a/b.png", Content::Picture),
            ("b.json", Content::Recording),
        ] {
            assert_eq!(Content::of(Path::new(name)), content, "{name}");
        }
    }

    #[test]
    fn a_paused_window_stays_paused_in_the_next_scene() {
        for paused in [false, true] {
            let session = Start::scene("next").into_session(paused);
            assert_eq!(session.clock.is_paused(), paused);
        }
        let start = Start {
            kind: StartKind::Moment(Box::new(moment())),
            ..Start::scene("next")
        };
        assert_eq!(start.size(), Some((320, 180)));
        assert!(start.into_session(false).clock.is_paused());
    }
}
