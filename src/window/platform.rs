//! Platform services for the window: tasks, real time, the date, numbered output files, and
//! other programs.

mod files;
mod programs;

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
pub(super) use std::time::Instant;

use chrono::{Datelike as _, Timelike as _};

pub(super) use self::files::{FileSeries, UnsavedBuffers, save_picture};
pub(super) use self::programs::{
    TaskProcess, chosen_editor, has_ffmpeg, open_in_editor, run_program,
};

use super::viewer::Viewer;
use tarsus_files::{exit_process, printable};

/// Real time in seconds since the window opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealTime(Instant);

impl RealTime {
    /// Starts at 0.
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the start.
    pub(super) fn now(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    /// Converts seconds since the start to an instant for the event loop.
    pub(super) fn instant(self, seconds: f64) -> Instant {
        self.0 + Duration::from_secs_f64(seconds.max(0.0))
    }
}

/// Shadertoy's `iDate` in local time: year, month from 0, day, seconds since midnight.
pub(super) fn date() -> [f64; 4] {
    let now = chrono::Local::now();
    let seconds = f64::from(now.num_seconds_from_midnight()) + f64::from(now.nanosecond()) * 1e-9;
    [f64::from(now.year()), f64::from(now.month0()), f64::from(now.day()), seconds]
}

/// Prints a message on standard error and returns it, because a window that is closing shows
/// none.
pub(super) fn print_message(message: String) -> String {
    eprintln!("tarsus: {}", printable(&message));
    message
}

/// Ends the process with [`end`] if it is still running after `timeout`.
pub(super) fn end_after(timeout: Duration, failure: Option<String>) {
    thread::spawn(move || {
        thread::sleep(timeout);
        end(failure.as_deref());
    });
}

/// Ends the process without running driver destructors, which may wait forever for a
/// picture. Prints why the window failed, if it did.
pub(super) fn end(failure: Option<&str>) -> ! {
    if let Some(failure) = failure {
        eprintln!("tarsus: {}", printable(failure));
    }
    exit_process(u8::from(failure.is_some()));
}

/// Changes the viewer when a report arrives.
pub(super) type UserEvent = Box<dyn FnOnce(&mut Viewer) + Send>;

/// Sends reports of tasks, of the file watcher and of signals to the event loop from any
/// thread. Reports are dropped once the window is closed.
#[derive(Clone)]
pub(super) struct Reports(Arc<dyn Fn(UserEvent) + Send + Sync>);

impl Reports {
    /// Passes every report to `send`.
    pub(super) fn new(send: impl Fn(UserEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(send))
    }

    /// Sends a report.
    pub(super) fn send(&self, report: impl FnOnce(&mut Viewer) + Send + 'static) {
        (self.0)(Box::new(report));
    }
}

/// Background tasks that send reports.
///
/// Dropping waits for running tasks: unloading a driver while another thread compiles a
/// pipeline crashes, and a partially written picture would be lost.
pub(super) struct Tasks {
    reports: Reports,
    running: Vec<JoinHandle<()>>,
}

impl Tasks {
    /// Creates tasks that send their reports to `reports`.
    pub(super) fn new(reports: Reports) -> Self {
        Self { reports, running: Vec::new() }
    }

    /// Starts a task on its own thread.
    pub(super) fn spawn(&mut self, task: impl FnOnce(&Reports) + Send + 'static) {
        self.running.retain(|task| !task.is_finished());
        let reports = self.reports.clone();
        self.running.push(thread::spawn(move || task(&reports)));
    }

    /// Waits for the running tasks.
    pub(super) fn wait(&mut self) {
        for task in self.running.drain(..) {
            // A panicking task has already printed its message.
            let _ = task.join();
        }
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn dropping_tasks_waits_for_them() {
        let done = Arc::new(AtomicU32::new(0));
        let mut tasks = Tasks::new(Reports::new(|_| {}));
        for _ in 0..8 {
            let done = Arc::clone(&done);
            tasks.spawn(move |_| {
                thread::yield_now();
                done.fetch_add(1, Ordering::Relaxed);
            });
        }
        drop(tasks);
        assert_eq!(done.load(Ordering::Relaxed), 8);
    }

    #[test]
    fn real_time_matches_instants() {
        let time = RealTime::start();
        assert_eq!(time.instant(-1.0), time.instant(0.0));
        assert_eq!(time.instant(1.5) - time.instant(0.5), Duration::from_secs(1));
    }
}
