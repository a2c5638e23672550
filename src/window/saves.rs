//! Saves screenshots and recordings: one picture per request, even if requests arrive
//! faster than frames, and a unique name per file.

use std::path::PathBuf;
use std::sync::Arc;

use super::platform::{self, FileName, FileNames, Sender, Tasks};
use super::recording::RecordingFile;
use tarsus_capture::Metadata;
use tarsus_player::timeline::Timeline;
use tarsus_render::{Checkpoint, Gpu, Picture};

/// A screenshot to save.
pub(super) struct Screenshot {
    /// Destination.
    pub(super) name: FileName,
    /// Metadata of the file.
    pub(super) metadata: Metadata,
}

/// Result of saving a file.
pub(super) struct SaveResult {
    /// The reserved name of the file.
    pub(super) name: FileName,
    /// Message for the user: the path or the error.
    pub(super) message: String,
    /// True for a screenshot.
    pub(super) is_screenshot: bool,
}

/// Requested pictures and files being written.
pub(super) struct Saves {
    /// Requested screenshots that have not been started.
    requested: Requests,
    names: FileNames,
    /// Number of screenshots started but not written.
    unfinished: u32,
    /// The file of the running recording.
    recording: Option<RecordingFile>,
    /// PlanStart folder; each scene has a subfolder.
    folder: PathBuf,
    reports: Sender<SaveResult>,
}

impl Saves {
    /// Saves below `folder` and sends a report for each file to `reports`.
    pub(super) fn new(folder: PathBuf, reports: Sender<SaveResult>) -> Self {
        Self {
            requested: Requests::default(),
            names: FileNames::default(),
            unfinished: 0,
            recording: None,
            folder,
            reports,
        }
    }

    /// Requests one more screenshot.
    pub(super) fn request_screenshot(&mut self) {
        self.requested.add();
    }

    /// Reserves a name for the next requested screenshot of `scene`, if there is one. A
    /// further screenshot may be started before this one is written.
    pub(super) fn next_screenshot(&mut self, scene: &str) -> Option<FileName> {
        self.requested.take().then(|| {
            self.unfinished += 1;
            self.reserve(scene, "screenshot", "png")
        })
    }

    /// Number of unwritten screenshots, as text.
    pub(super) fn waiting(&self) -> Option<String> {
        match self.requested.0.saturating_add(self.unfinished) {
            0 => None,
            1 => Some("1 screenshot waiting".to_owned()),
            count => Some(format!("{count} screenshots waiting")),
        }
    }

    /// Releases the name of a recording or video that was written or has failed.
    pub(super) fn release_name(&mut self, name: &FileName) {
        self.names.release(name);
    }

    /// Releases the name of a screenshot that was written or has failed.
    pub(super) fn screenshot_finished(&mut self, name: &FileName) {
        self.unfinished = self.unfinished.saturating_sub(1);
        self.release_name(name);
    }

    /// Requests a screenshot again whose device was lost.
    pub(super) fn retake(&mut self, screenshot: &Screenshot) {
        self.screenshot_finished(&screenshot.name);
        self.request_screenshot();
    }

    /// Writes a screenshot, with its scene's buffer state on the device if any, on a task
    /// that reports [`SaveResult`].
    pub(super) fn save_picture(
        &mut self,
        screenshot: Screenshot,
        picture: Picture,
        buffers: Option<(Checkpoint, Arc<Gpu>)>,
        tasks: &mut Tasks,
    ) {
        let Screenshot { name, metadata } = screenshot;
        let reports = self.reports.clone();
        tasks.spawn(async move {
            let buffers = buffers.map(|(state, gpu)| state.read(&gpu.device, &gpu.queue));
            let saved = platform::save_picture(&name, &picture, &metadata, buffers);
            let message = match saved {
                Ok(path) => format!("saved {}", path.display()),
                Err(error) => error,
            };
            reports.send(SaveResult {
                name,
                message,
                is_screenshot: true,
            });
        });
    }

    /// Starts a recording file for `scene`.
    pub(super) fn begin_recording(&mut self, scene: &str) {
        let name = self.reserve(scene, "recording", "json");
        self.recording = Some(RecordingFile::new(name));
    }

    /// Length of the running recording, in seconds, at which it is written next.
    pub(super) fn recording_due(&self) -> Option<f64> {
        self.recording.as_ref().map(RecordingFile::due)
    }

    /// Writes the running recording on a task, if a write is due after `seconds` of
    /// recording. Errors are only reported when the recording ends.
    pub(super) fn write_recording_if_due(
        &mut self,
        seconds: f64,
        recorded: impl FnOnce() -> Option<Timeline>,
        tasks: &mut Tasks,
    ) {
        let writer = self
            .recording
            .as_mut()
            .and_then(|file| file.take_due(seconds));
        if let Some(writer) = writer
            && let Some(timeline) = recorded()
        {
            tasks.spawn(async move { drop(writer.write(&timeline)) });
        }
    }

    /// Writes the finished recording on a task that reports [`SaveResult`].
    pub(super) fn save_recording(&mut self, timeline: Timeline, tasks: &mut Tasks) {
        let Some(file) = self.recording.take() else {
            return;
        };
        let (name, writer, reports) = (file.name().clone(), file.writer(), self.reports.clone());
        tasks.spawn(async move {
            let message = match writer.write(&timeline) {
                Ok(path) => format!("saved {0}: tarsus view --replay {0}", path.display()),
                Err(error) => error.to_string(),
            };
            reports.send(SaveResult {
                name,
                message,
                is_screenshot: false,
            });
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

/// Counter of requests.
#[derive(Clone, Copy, Debug, Default)]
struct Requests(u32);

impl Requests {
    fn add(&mut self) {
        self.0 = self.0.saturating_add(1);
    }

    /// Takes one request, if there is any.
    fn take(&mut self) -> bool {
        let takes = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screenshots_count_until_written() {
        let folder = tempfile::tempdir().expect("folder");
        let mut saves = Saves::new(folder.path().to_owned(), Sender::new(|_| {}));
        assert_eq!(saves.waiting(), None);
        (0..3).for_each(|_| saves.request_screenshot());
        assert_eq!(saves.waiting().as_deref(), Some("3 screenshots waiting"));
        let names: Vec<FileName> = (0..3)
            .filter_map(|_| saves.next_screenshot("scene"))
            .collect();
        assert_eq!(saves.waiting().as_deref(), Some("3 screenshots waiting"));
        saves.screenshot_finished(&names[0]);
        saves.screenshot_finished(&names[1]);
        assert_eq!(saves.waiting().as_deref(), Some("1 screenshot waiting"));
        saves.release_name(
            &saves
                .names
                .clone()
                .reserve(PathBuf::new(), "recording", "json"),
        );
        assert_eq!(saves.waiting().as_deref(), Some("1 screenshot waiting"));
        saves.screenshot_finished(&names[2]);
        assert_eq!(saves.waiting(), None);
    }

    #[test]
    fn each_request_is_taken_once() {
        let mut requests = Requests::default();
        assert!(!requests.take());
        for _ in 0..3 {
            requests.add();
        }
        let taken = (0..10).filter(|_| requests.take()).count();
        assert_eq!(taken, 3);
    }
}
