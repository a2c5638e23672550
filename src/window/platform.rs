//! What the window needs of the system it runs on: tasks, real time, the date,
//! and files under names of their own.
//!
//! This is the native version. A browser version of this one file spawns on the
//! page's event loop and hands saved files to the user as downloads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chrono::{Datelike as _, Timelike as _};

use crate::capture::files::FileError;
use crate::capture::metadata::{self, MetadataError};
use crate::capture::{Texts, write_png};
use crate::player::{Moment, Timeline};
use crate::render::Picture;

/// Real time in seconds since the window opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealTime(Instant);

impl RealTime {
    /// Begins at 0.
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the start.
    pub(super) fn now(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    /// The event loop's form of a time in seconds since the start.
    pub(super) fn instant(self, seconds: f64) -> Instant {
        self.0 + Duration::from_secs_f64(seconds.max(0.0))
    }
}

/// Shadertoy's `iDate` in local time: year, month from 0, day, seconds since
/// midnight.
pub(super) fn date() -> [f64; 4] {
    let now = chrono::Local::now();
    let seconds = f64::from(now.num_seconds_from_midnight()) + f64::from(now.nanosecond()) * 1e-9;
    [
        f64::from(now.year()),
        f64::from(now.month0()),
        f64::from(now.day()),
        seconds,
    ]
}

/// Tasks that run beside the event loop and report by events.
///
/// Dropping waits for those under way: a driver that is unloaded while another
/// thread compiles a pipeline crashes, and a picture half written is lost.
#[derive(Default)]
pub(super) struct Tasks {
    running: Vec<JoinHandle<()>>,
}

impl Tasks {
    /// Starts a task on a thread of its own.
    pub(super) fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        self.running.retain(|task| !task.is_finished());
        self.running
            .push(thread::spawn(move || pollster::block_on(task)));
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        for task in self.running.drain(..) {
            // A task that panicked has printed why.
            let _ = task.join();
        }
    }
}

/// Reads the moment of a picture that tarsus wrote.
///
/// # Errors
/// When the file cannot be read or has no moment.
pub(super) fn read_moment(path: &Path) -> Result<Moment, MetadataError> {
    metadata::read_moment(path)
}

/// Reads a recording.
///
/// # Errors
/// When the file cannot be read or is no recording.
pub(super) fn read_timeline(path: &Path) -> Result<Timeline, MetadataError> {
    metadata::read_timeline(path)
}

/// Writes a picture with what it says about itself.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub(super) fn save_picture(
    path: &Path,
    picture: &Picture,
    metadata: &Texts,
) -> Result<(), FileError> {
    write_png(path, picture, metadata)
}

/// Writes a recording.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub(super) fn save_timeline(path: &Path, timeline: &Timeline) -> Result<(), FileError> {
    metadata::write_timeline(path, timeline)
}

/// Names of files that are being written. A file appears under its name only
/// when it is whole, so that whoever begins the next one needs to know this one.
#[derive(Debug, Default)]
pub(super) struct FileNames {
    reserved: BTreeSet<PathBuf>,
}

impl FileNames {
    /// Reserves the first of `folder/stem_001.extension` and so on that neither
    /// exists nor is reserved.
    pub(super) fn reserve(&mut self, folder: &Path, stem: &str, extension: &str) -> PathBuf {
        let is_free = |path: &PathBuf| !path.exists() && !self.reserved.contains(path);
        let path = (1u32..)
            .map(|number| folder.join(format!("{stem}_{number:03}.{extension}")))
            .find(is_free)
            .unwrap_or_else(|| folder.join(stem).with_extension(extension));
        self.reserved.insert(path.clone());
        path
    }

    /// Gives a name back: its file is written, or never will be.
    pub(super) fn release(&mut self, path: &Path) {
        self.reserved.remove(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_name_is_given_once() {
        let folder = tempfile::tempdir().expect("folder");
        let folder = folder.path();
        let mut names = FileNames::default();
        let mut next = || names.reserve(folder, "screenshot", "png");
        let first = next();
        let second = next();
        assert_eq!(first, folder.join("screenshot_001.png"));
        assert_eq!(second, folder.join("screenshot_002.png"));

        std::fs::write(&first, "written").expect("written");
        names.release(&first);
        names.release(&second);
        let third = names.reserve(folder, "screenshot", "png");
        assert_eq!(third, second, "a name that came to nothing is free again");
        let other = names.reserve(folder, "recording", "json");
        assert_eq!(other, folder.join("recording_001.json"));
    }

    #[test]
    fn tasks_are_finished_before_they_are_dropped() {
        let done = Arc::new(AtomicU32::new(0));
        let mut tasks = Tasks::default();
        for _ in 0..8 {
            let done = Arc::clone(&done);
            tasks.spawn(async move {
                thread::yield_now();
                done.fetch_add(1, Ordering::Relaxed);
            });
        }
        drop(tasks);
        assert_eq!(done.load(Ordering::Relaxed), 8);
    }

    #[test]
    fn real_time_and_instants_agree() {
        let time = RealTime::start();
        assert_eq!(time.instant(-1.0), time.instant(0.0));
        assert_eq!(
            time.instant(1.5) - time.instant(0.5),
            Duration::from_secs(1)
        );
    }
}
