//! Saves screenshots and recordings, under a unique name per file.

use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;

use super::platform::{self, FileName, FileNames, Tasks, UnsavedBuffers};
use crate::message::count_text;
use tarsus_capture::Metadata;
use tarsus_capture::metadata::write_timeline;
use tarsus_files::printable;
use tarsus_player::Timeline;
use tarsus_render::Picture;

/// Names of saved files, and the screenshots being written.
pub(super) struct Saves {
    names: FileNames,
    /// Number of screenshots being written.
    pub(super) unwritten: u32,
    /// Base folder; each scene has a subfolder.
    folder: PathBuf,
}

impl Saves {
    /// Saves below `folder`.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { names: FileNames::default(), unwritten: 0, folder }
    }

    /// Writes a screenshot of `scene`, with its buffer state on the device if any, on a
    /// task that reports the path or an error.
    pub(super) fn save_screenshot(
        &mut self,
        scene: &str,
        picture: Picture,
        metadata: Metadata,
        buffers: Option<UnsavedBuffers>,
        tasks: &mut Tasks,
    ) {
        self.unwritten += 1;
        let name = self.reserve(scene, "screenshot", "png");
        tasks.spawn(move |reports| {
            let saved = platform::save_picture(&name, &picture, &metadata, buffers.as_ref());
            let message =
                saved.map(|path| format!("saved {}", path.display())).unwrap_or_else(print_message);
            reports.send(move |viewer| viewer.screenshot_saved(message));
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

/// Prints a message on standard error and returns it, because a window that is closing shows
/// none.
fn print_message(message: String) -> String {
    eprintln!("tarsus: {}", printable(&message));
    message
}

/// Note on screenshots that are not written yet.
pub(super) fn screenshots_note(count: u32) -> Option<String> {
    (count > 0).then(|| format!("{} waiting", count_text(count as usize, "screenshot")))
}

/// Seconds of recording between two writes.
const MIN_WRITE_INTERVAL: f64 = 2.0;
/// Interval for long recordings, as a fraction of their length, because each write rewrites
/// the whole file.
const WRITE_INTERVAL_FRACTION: f64 = 0.01;

/// The file of the running recording. Clones refer to the same file.
#[derive(Clone)]
pub(super) struct RecordingFile {
    name: FileName,
    /// Length of the recording, in seconds, at which it is written next.
    pub(super) due: f64,
    /// True until the buffer state at its start is copied, if there is one.
    pub(super) needs_buffers: bool,
    written: Arc<Mutex<Written>>,
}

/// State of the file.
#[derive(Default)]
struct Written {
    path: Option<PathBuf>,
    seconds: f64,
    /// Buffer state at the start, until it is written.
    buffers: Option<UnsavedBuffers>,
}

impl RecordingFile {
    /// A file that is not written yet; `needs_buffers` if it starts with a buffer state.
    pub(super) fn new(name: FileName, needs_buffers: bool) -> Self {
        Self { name, due: MIN_WRITE_INTERVAL, needs_buffers, written: Arc::default() }
    }

    /// Sets the buffer state at the start.
    pub(super) fn set_buffers(&mut self, buffers: Option<UnsavedBuffers>) {
        self.needs_buffers = false;
        self.written.lock().buffers = buffers;
    }

    /// Returns true if a write is due `seconds` after the recording started.
    pub(super) fn take_due(&mut self, seconds: f64) -> bool {
        let is_due = seconds >= self.due;
        if is_due {
            self.due = seconds + MIN_WRITE_INTERVAL.max(WRITE_INTERVAL_FRACTION * seconds);
        }
        is_due
    }

    /// Writes the recording, unless the file already contains a longer version; returns its
    /// path. The first time, this also writes the buffer state at the start.
    ///
    /// # Errors
    /// A message, if the recording or the buffer state cannot be written.
    pub(super) fn write(&self, timeline: &Timeline) -> Result<PathBuf, String> {
        let mut written = self.written.lock();
        let path = match written.path.clone() {
            None => self.name.save(|path| write_timeline(path, timeline)),
            Some(path) if timeline.duration < written.seconds => Ok(path),
            Some(path) => write_timeline(&path, timeline).map(|()| path),
        };
        let path = path.map_err(|error| error.to_string())?;
        written.seconds = written.seconds.max(timeline.duration);
        written.path = Some(path.clone());
        if let Some(buffers) = &written.buffers {
            buffers.save(&path, &timeline.start)?;
            written.buffers = None;
        }
        Ok(path)
    }

    /// Writes the finished recording on a task that reports the path or an error.
    pub(super) fn save(self, timeline: Timeline, tasks: &mut Tasks) {
        tasks.spawn(move |reports| {
            let message = match self.write(&timeline) {
                Ok(path) => {
                    let path = path.display();
                    let lack =
                        if self.needs_buffers { " without the buffers at its start" } else { "" };
                    let text = format!("saved {path}{lack}: tarsus view --replay {path}");
                    if self.needs_buffers { print_message(text) } else { text }
                }
                Err(error) => print_message(error),
            };
            reports.send(move |viewer| viewer.show_result(message));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::platform::FileNames;
    use super::*;
    use tarsus_capture::metadata::read_timeline;
    use tarsus_player::Snapshot;

    fn lasting(seconds: f64) -> Timeline {
        Timeline::new(Snapshot::default(), seconds, Vec::new(), Vec::new())
    }

    #[test]
    fn late_write_keeps_longer_recording() {
        let folder = tempfile::tempdir().expect("folder");
        let name = FileNames::default().reserve(folder.path().to_owned(), "recording", "json");
        let mut file = RecordingFile::new(name, false);
        assert!(!file.take_due(0.5 * MIN_WRITE_INTERVAL));
        assert!(file.take_due(MIN_WRITE_INTERVAL));
        assert!(!file.take_due(1.5 * MIN_WRITE_INTERVAL), "it was written just now");
        let early = file.clone();
        assert!(file.take_due(1000.0));
        assert!(!file.take_due(1000.0 + 2.0 * MIN_WRITE_INTERVAL), "it takes long");

        let path = file.write(&lasting(1000.0)).expect("written");
        assert_eq!(early.write(&lasting(MIN_WRITE_INTERVAL)).expect("nothing to do"), path);
        assert_eq!(read_timeline(&path).expect("whole").duration, 1000.0);
        file.write(&lasting(1001.0)).expect("written");
        assert_eq!(read_timeline(&path).expect("whole").duration, 1001.0);
        let count = std::fs::read_dir(folder.path()).expect("folder").count();
        assert_eq!(count, 1);
    }
}
