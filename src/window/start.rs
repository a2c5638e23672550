//! Initial content of the window.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use tarsus_capture::metadata::{self, find_scene_near, is_picture, scene_of_picture};
use tarsus_capture::state_path;
use tarsus_player::{Session, Snapshot, Timeline};
use tarsus_shader::{DebugView, Form, Scene, Values};

/// A scene and the state it starts from.
#[derive(Clone, Debug)]
pub struct Start {
    /// The scene: a built-in name, a file, or a picture that stores its sources.
    pub scene: String,
    /// The scenes to page through, if it is one of a folder.
    pub gallery: Vec<String>,
    /// Parameter values that override those of a snapshot or a recording.
    pub values: Values,
    /// The picture or recording it starts from; else live, from time 0.
    pub opened: Option<OpenedFile>,
}

/// A picture or recording being opened.
#[derive(Clone, Debug)]
pub struct OpenedFile {
    /// Its path. A file with the state of the buffers may exist next to it.
    pub path: PathBuf,
    /// Snapshot of the picture, or at the start of the recording.
    pub snapshot: Box<Snapshot>,
    /// The recording, which live input follows. A picture is shown paused.
    pub timeline: Option<Arc<Timeline>>,
}

impl OpenedFile {
    fn picture(path: &Path, snapshot: Snapshot) -> Self {
        Self { path: path.to_owned(), snapshot: Box::new(snapshot), timeline: None }
    }

    fn recording(path: &Path, timeline: Timeline) -> Self {
        let start = Self::picture(path, timeline.start.clone());
        Self { timeline: Some(Arc::new(timeline)), ..start }
    }

    /// Path of the picture, if it does not store the sources of its scene.
    pub fn sourceless_picture(&self) -> Option<&Path> {
        let stores_scene = self.timeline.is_some() || self.snapshot.files.is_some();
        (!stores_scene).then_some(&*self.path)
    }

    /// Size of the window to open it in, in pixels: that of a picture, or of stored buffers.
    pub fn size(&self) -> Option<(u32, u32)> {
        let has_size = self.timeline.is_none() || state_path(&self.path).exists();
        has_size.then_some(self.snapshot.size)
    }
}

/// True for a recording or keyframes: a JSON file that is no Shadertoy shader.
pub fn is_recording(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json") && !Form::is_shadertoy(path)
}

impl Start {
    /// Starts a scene from its beginning.
    pub fn scene(scene: impl Into<String>) -> Self {
        Self { scene: scene.into(), gallery: Vec::new(), values: Values::default(), opened: None }
    }

    /// Starts the first of the scenes in a folder; a folder without any, or with the passes of
    /// a single one, is the scene.
    fn in_folder(folder: &Path) -> Self {
        let scenes = if Form::has_image(folder) { Vec::new() } else { Scene::list(folder) };
        let gallery: Vec<String> = scenes.into_iter().map(|scene| scene.file).collect();
        let first = gallery.first().cloned();
        Self { gallery, ..Self::scene(first.unwrap_or_else(|| folder.display().to_string())) }
    }

    /// Replays a recording in its scene, which is searched for near `path`.
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub fn from_recording(path: &Path) -> Result<Self> {
        let timeline = metadata::read_timeline(path)?;
        let scene = find_scene_near(&timeline.start.scene, path, &tarsus::library());
        let opened = Some(OpenedFile::recording(path, timeline));
        Ok(Self { opened, ..Self::scene(scene) })
    }

    /// Starts from a scene, a folder of scenes, a picture's snapshot, or a recording.
    ///
    /// # Errors
    /// If a picture or a recording cannot be read.
    pub fn from_file(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        if is_recording(path) {
            return Self::from_recording(path);
        }
        if is_picture(&name) {
            let snapshot = metadata::read_snapshot(path)?;
            let scene = scene_of_picture(&snapshot, path, &tarsus::library());
            let opened = Some(OpenedFile::picture(path, snapshot));
            return Ok(Self { opened, ..Self::scene(scene) });
        }
        Ok(if path.is_dir() { Self::in_folder(path) } else { Self::scene(name) })
    }

    /// The debug view to show: that of a picture, else the `current` one.
    pub(super) fn debug_view(&self, current: Option<DebugView>) -> Option<DebugView> {
        let picture = self.opened.as_ref().filter(|opened| opened.timeline.is_none());
        picture.map_or(current, |picture| picture.snapshot.debug_view)
    }

    /// Creates the session. `paused` is the initial state of the clock for a scene that
    /// starts from its beginning.
    pub(super) fn into_session(self, paused: bool) -> Session {
        match self.opened {
            None => {
                let mut session = Session::new(self.scene, self.values);
                session.clock.set_paused(paused);
                session
            }
            Some(OpenedFile { timeline: Some(timeline), .. }) => {
                Session::replaying(self.scene, Arc::unwrap_or_clone(timeline), self.values)
            }
            Some(OpenedFile { mut snapshot, .. }) => {
                snapshot.state.values.extend(self.values.clone());
                Session::at_snapshot(self.scene, &snapshot)
            }
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

    fn snapshot() -> Snapshot {
        let state = SceneState {
            values: values(&[("red", 0.1), ("green", 0.2)]),
            ..SceneState::at(2.0, 120, 60.0)
        };
        Snapshot::new("recorded", (320, 180), state)
    }

    fn picture() -> OpenedFile {
        OpenedFile::picture(Path::new("a file"), snapshot())
    }

    fn timeline() -> Timeline {
        let text = r#"{"duration": 2, "events": [
            {"at": 0, "set": {"name": "red", "value": [0.1]}},
            {"at": 0, "set": {"name": "green", "value": [0.2]}}]}"#;
        Timeline::parse(text).expect("a timeline")
    }

    #[test]
    fn given_scene_and_values_override_file() {
        let replayed = OpenedFile::recording(Path::new("a file"), timeline());
        for opened in [None, Some(picture()), Some(replayed)] {
            let has_green = opened.is_some();
            let values = values(&[("red", 0.75)]);
            let start = Start { values, opened, ..Start::scene("given") };
            let mut session = start.into_session(false);
            assert_eq!(session.scene, "given");
            for now in [0.0, 0.5, 1.0] {
                session.start_frame(now, [0.0; 4], (80, 45));
                let values = &session.frame_state().values;
                assert_eq!(values.get("red"), Some(&vec![0.75]), "at {now}");
                let green = has_green.then(|| vec![0.2]);
                assert_eq!(values.get("green"), green.as_ref(), "at {now}");
            }
        }
    }

    #[test]
    fn content_kind_follows_file_name() {
        for (name, has_picture, has_recording) in [
            ("creature", false, false),
            ("my.wgsl", false, false),
            ("a/b.png", true, false),
            ("b.json", false, true),
        ] {
            let found = (is_picture(name), is_recording(Path::new(name)));
            assert_eq!(found, (has_picture, has_recording), "{name}");
        }
    }

    #[test]
    fn pause_persists_across_scenes() {
        for paused in [false, true] {
            let session = Start::scene("next").into_session(paused);
            assert_eq!(session.clock.is_paused(), paused);
        }
        let start = Start { opened: Some(picture()), ..Start::scene("next") };
        assert!(start.into_session(false).clock.is_paused());
    }

    #[test]
    fn size_is_that_of_picture_or_stored_buffers() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(picture().size(), Some((320, 180)));
        let timeline = Timeline::new(snapshot(), 1.0, Vec::new(), Vec::new());
        let replayed = OpenedFile::recording(&folder.path().join("a.json"), timeline);
        assert_eq!(replayed.size(), None);
        std::fs::write(folder.path().join("a.json.checkpoint"), "").expect("written");
        assert_eq!(replayed.size(), Some((320, 180)));
    }
}
