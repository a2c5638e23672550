//! Saves screenshots and recordings, under a unique name per file.

use std::path::PathBuf;

use super::platform::{self, DeviceState, FileName, FileNames, Tasks};
use super::recording::RecordingFile;
use tarsus_capture::Metadata;
use tarsus_player::timeline::Timeline;
use tarsus_render::Picture;

/// Files being written.
pub(super) struct Saves {
    names: FileNames,
    /// Number of screenshots being written.
    pub(super) unwritten: u32,
    /// The file of the running recording.
    recording: Option<RecordingFile>,
    /// Base folder; each scene has a subfolder.
    folder: PathBuf,
}

impl Saves {
    /// Saves below `folder`.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { names: FileNames::default(), unwritten: 0, recording: None, folder }
    }

    /// Writes a screenshot of `scene`, with its buffer state on the device if any, on a
    /// task that reports the path or an error.
    pub(super) fn save_screenshot(
        &mut self,
        scene: &str,
        picture: Picture,
        metadata: Metadata,
        buffers: Option<DeviceState>,
        tasks: &mut Tasks,
    ) {
        self.unwritten += 1;
        let name = self.reserve(scene, "screenshot", "png");
        tasks.spawn(move |reports| {
            let saved = platform::save_picture(&name, &picture, &metadata, buffers.as_ref());
            let message = match saved {
                Ok(path) => format!("saved {}", path.display()),
                Err(error) => error,
            };
            reports.send(move |viewer| viewer.screenshot_saved(message));
        });
    }

    /// Starts a recording file for `scene`, with the buffer state at its start if any.
    pub(super) fn begin_recording(&mut self, scene: &str, buffers: Option<DeviceState>) {
        let name = self.reserve(scene, "recording", "json");
        self.recording = Some(RecordingFile::new(name, buffers));
    }

    /// Length of the running recording, in seconds, at which it is written next.
    pub(super) fn recording_due(&self) -> Option<f64> {
        self.recording.as_ref().map(|file| file.due)
    }

    /// Writes the running recording on a task, if a write is due after `seconds` of
    /// recording. Errors are only reported when the recording ends.
    pub(super) fn write_recording_if_due(
        &mut self,
        seconds: f64,
        recorded: impl FnOnce() -> Option<Timeline>,
        tasks: &mut Tasks,
    ) {
        if let Some(file) = &mut self.recording
            && file.take_due(seconds)
            && let Some(timeline) = recorded()
        {
            let file = file.clone();
            tasks.spawn(move |_| drop(file.write(&timeline)));
        }
    }

    /// Writes the finished recording on a task that reports the path or an error.
    pub(super) fn save_recording(&mut self, timeline: Timeline, tasks: &mut Tasks) {
        let Some(file) = self.recording.take() else {
            return;
        };
        tasks.spawn(move |reports| {
            let message = match file.write(&timeline) {
                Ok(path) => format!("saved {0}: tarsus view --replay {0}", path.display()),
                Err(error) => error,
            };
            reports.send(move |viewer| viewer.show_result(message));
        });
    }

    /// Reserves a name for a file of `scene`.
    pub(super) fn reserve(
        &mut self,
        scene: &str,
        stem: &'static str,
        extension: &'static str,
    ) -> FileName {
        self.names.reserve(self.folder.join(scene), stem, extension)
    }
}

/// Note on screenshots that are not written yet.
pub(super) fn screenshots_note(count: u32) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 screenshot waiting".to_owned()),
        count => Some(format!("{count} screenshots waiting")),
    }
}
