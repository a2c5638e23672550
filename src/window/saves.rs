//! Screenshots and recordings on their way to files: one picture per request, also
//! for requests that come faster than frames, and a name of its own for each file.

use std::path::PathBuf;
use std::sync::Arc;

use super::platform::{self, FileName, FileNames, Sender, Tasks};
use super::recording::RecordingFile;
use tarsus_capture::Metadata;
use tarsus_player::timeline::Timeline;
use tarsus_render::{Checkpoint, Gpu, Picture};

/// A picture on its way to a file.
pub(super) struct Screenshot {
    /// Where it goes.
    pub(super) name: FileName,
    /// What the file says about itself.
    pub(super) metadata: Metadata,
}

/// What became of a file.
pub(super) struct Saved {
    /// The name that was reserved for it.
    pub(super) name: FileName,
    /// Where it is, or why it is not there.
    pub(super) message: String,
    /// True for a picture.
    pub(super) is_screenshot: bool,
}

/// Pictures that were asked for and files that are being written.
pub(super) struct Saves {
    /// Screenshots asked for and not begun.
    wanted: Requests,
    names: FileNames,
    /// Screenshots begun and not written.
    unfinished: u32,
    /// The file of the recording under way.
    recording: Option<RecordingFile>,
    /// Files go to a folder per scene in this one.
    folder: PathBuf,
    reports: Sender<Saved>,
}

impl Saves {
    /// Saves below `folder` and sends a report of each file to `reports`.
    pub(super) fn new(folder: PathBuf, reports: Sender<Saved>) -> Self {
        Self {
            wanted: Requests::default(),
            names: FileNames::default(),
            unfinished: 0,
            recording: None,
            folder,
            reports,
        }
    }

    /// Asks for one more screenshot.
    pub(super) fn request_screenshot(&mut self) {
        self.wanted.add();
    }

    /// The name for a screenshot of `scene` that is to be taken now, if there is
    /// one. Its name is reserved: the next one may be begun before this one is
    /// written.
    pub(super) fn next_screenshot(&mut self, scene: &str) -> Option<FileName> {
        self.wanted.take().then(|| {
            self.unfinished += 1;
            self.reserve(scene, "screenshot", "png")
        })
    }

    /// How many screenshots are not written yet, in words.
    pub(super) fn waiting(&self) -> Option<String> {
        match self.wanted.0.saturating_add(self.unfinished) {
            0 => None,
            1 => Some("1 screenshot waiting".to_owned()),
            count => Some(format!("{count} screenshots waiting")),
        }
    }

    /// A recording or film is written, or comes to nothing: its name is free again.
    pub(super) fn finished(&mut self, name: &FileName) {
        self.names.release(name);
    }

    /// The same for a screenshot.
    pub(super) fn screenshot_finished(&mut self, name: &FileName) {
        self.unfinished = self.unfinished.saturating_sub(1);
        self.finished(name);
    }

    /// The device of a screenshot was lost: it is taken again.
    pub(super) fn repeat(&mut self, screenshot: &Screenshot) {
        self.screenshot_finished(&screenshot.name);
        self.request_screenshot();
    }

    /// Writes a screenshot on a task that reports [`Saved`], with what the buffers of its
    /// scene held on a device.
    pub(super) fn save_picture(
        &mut self,
        screenshot: Screenshot,
        picture: Picture,
        held: Option<(Checkpoint, Arc<Gpu>)>,
        tasks: &mut Tasks,
    ) {
        let Screenshot { name, metadata } = screenshot;
        let reports = self.reports.clone();
        tasks.spawn(async move {
            let held = held.map(|(held, gpu)| held.read(&gpu.device, &gpu.queue));
            let saved = platform::save_picture(&name, &picture, &metadata, held);
            let message = match saved {
                Ok(path) => format!("saved {}", path.display()),
                Err(error) => error,
            };
            reports.send(Saved {
                name,
                message,
                is_screenshot: true,
            });
        });
    }

    /// A recording of `scene` begins.
    pub(super) fn begin_recording(&mut self, scene: &str) {
        let name = self.reserve(scene, "recording", "json");
        self.recording = Some(RecordingFile::new(name));
    }

    /// Seconds of the recording under way at which it is written next.
    pub(super) fn recording_due(&self) -> Option<f64> {
        self.recording.as_ref().map(RecordingFile::due)
    }

    /// Writes what was recorded so far on a task, where it is time for that: `seconds` are
    /// recorded. What goes wrong is told at the recording's end.
    pub(super) fn keep_recording(
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

    /// Writes the recording that has ended on a task that reports [`Saved`].
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
            reports.send(Saved {
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

/// A count of requests.
#[derive(Clone, Copy, Debug, Default)]
struct Requests(u32);

impl Requests {
    fn add(&mut self) {
        self.0 = self.0.saturating_add(1);
    }

    /// True if there was one more.
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
    fn screenshots_wait_until_they_are_written() {
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
        saves.finished(
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
    fn every_request_gives_one_picture() {
        let mut requests = Requests::default();
        assert!(!requests.take());
        for _ in 0..3 {
            requests.add();
        }
        let taken = (0..10).filter(|_| requests.take()).count();
        assert_eq!(taken, 3);
    }
}
