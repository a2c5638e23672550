//! The file of the running recording, which is written as it grows.

use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;

use super::platform::{FileSeries, Tasks, UnsavedBuffers, print_message};
use tarsus_capture::metadata::write_timeline;
use tarsus_capture::recording_identity;
use tarsus_player::Timeline;

/// Seconds of recording between two writes.
const MIN_WRITE_INTERVAL: f64 = 2.0;
/// Interval for long recordings, as a fraction of their length, because each write rewrites
/// the whole file.
const WRITE_INTERVAL_FRACTION: f64 = 0.01;

/// The file of a recording. Clones refer to the same file.
#[derive(Clone)]
pub(super) struct RecordingFile {
    series: FileSeries,
    /// Real time at which it is written next.
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
    /// The next file of `series`, begun at real time `now`; `needs_buffers` if it starts with a
    /// buffer state.
    pub(super) fn new(series: FileSeries, now: f64, needs_buffers: bool) -> Self {
        Self { series, due: now + MIN_WRITE_INTERVAL, needs_buffers, written: Arc::default() }
    }

    /// The next file of `series` for a finished recording that starts with `buffers`, if any.
    pub(super) fn finished(series: FileSeries, buffers: Option<UnsavedBuffers>) -> Self {
        let written = Arc::new(Mutex::new(Written { buffers, ..Written::default() }));
        Self { series, due: f64::INFINITY, needs_buffers: false, written }
    }

    /// Sets the buffer state at the start.
    pub(super) fn set_buffers(&mut self, buffers: Option<UnsavedBuffers>) {
        self.needs_buffers = false;
        self.written.lock().buffers = buffers;
    }

    /// Schedules the next write of a recording of this length.
    pub(super) fn postpone(&mut self, now: f64, seconds: f64) {
        self.due = now + MIN_WRITE_INTERVAL.max(WRITE_INTERVAL_FRACTION * seconds);
    }

    /// Writes the recording, unless the file already contains a longer version; returns its
    /// path. The first time, this also writes the buffer state at the start.
    ///
    /// # Errors
    /// A message, if the recording or the buffer state cannot be written.
    pub(super) fn write(&self, timeline: &Timeline) -> Result<PathBuf, String> {
        let mut written = self.written.lock();
        let path = match written.path.clone() {
            None => self.series.save(|path| write_timeline(path, timeline)),
            Some(path) if timeline.duration < written.seconds => Ok(path),
            Some(path) => write_timeline(&path, timeline).map(|()| path),
        };
        let path = path.map_err(|error| error.to_string())?;
        written.seconds = written.seconds.max(timeline.duration);
        written.path = Some(path.clone());
        if let Some(buffers) = &written.buffers {
            buffers.write(&path, recording_identity(&timeline.start, &buffers.program_hash))?;
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
    use super::*;
    use tarsus_capture::metadata::read_timeline;
    use tarsus_player::Snapshot;

    fn lasting(seconds: f64) -> Timeline {
        Timeline::new(Snapshot::default(), seconds, Vec::new(), Vec::new())
    }

    #[test]
    fn late_write_keeps_longer_recording() {
        let folder = tempfile::tempdir().expect("folder");
        let series = FileSeries::new(folder.path().to_owned(), "recording", "json");
        let mut file = RecordingFile::new(series, 5.0, false);
        assert_eq!(file.due, 5.0 + MIN_WRITE_INTERVAL);
        file.postpone(7.0, 2.0);
        assert_eq!(file.due, 7.0 + MIN_WRITE_INTERVAL);
        let early = file.clone();
        file.postpone(1000.0, 995.0);
        assert!(file.due > 1000.0 + 2.0 * MIN_WRITE_INTERVAL, "it takes long");

        let path = file.write(&lasting(1000.0)).expect("written");
        assert_eq!(early.write(&lasting(MIN_WRITE_INTERVAL)).expect("nothing to do"), path);
        assert_eq!(read_timeline(&path).expect("whole").duration, 1000.0);
        file.write(&lasting(1001.0)).expect("written");
        assert_eq!(read_timeline(&path).expect("whole").duration, 1001.0);
        let count = std::fs::read_dir(folder.path()).expect("folder").count();
        assert_eq!(count, 1);
    }
}
