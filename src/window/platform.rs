//! What the window needs of the system it runs on: tasks, real time, the date,
//! files under names of their own, and other programs.
//!
//! This is the native version. A browser version of this module spawns on the
//! page's event loop and hands saved files to the user as downloads.

mod files;
mod programs;

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
pub(super) use std::time::Instant;

use chrono::{Datelike as _, Timelike as _};

pub(super) use self::files::{
    FileName, FileNames, read_moment, read_timeline, replace_timeline, save_by_program,
    save_picture, save_timeline, write_new,
};
pub(super) use self::programs::{EditorError, Running, has_editor, has_ffmpeg, open_in_editor};

use tarsus_capture::{printable, remove_all_and};

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

/// Reports to the event loop from any task. A report is lost once the window is
/// closed.
pub(super) struct Sender<T>(Arc<dyn Fn(T) + Send + Sync>);

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Sender<T> {
    /// Calls `send` with every report.
    pub(super) fn new(send: impl Fn(T) + Send + Sync + 'static) -> Self {
        Self(Arc::new(send))
    }

    /// Reports.
    pub(super) fn send(&self, report: T) {
        (self.0)(report);
    }
}

/// Ends the process after `grace` if it has not ended by then: see [`end`].
pub(super) fn end_within(grace: Duration, failure: Option<String>) {
    thread::spawn(move || {
        thread::sleep(grace);
        end(failure.as_deref());
    });
}

/// Ends the process without the ends of drivers: they wait for a picture that may never be
/// finished. Says why the window failed, if it did.
pub(super) fn end(failure: Option<&str>) {
    if let Some(failure) = failure {
        eprintln!("tarsus: {}", printable(failure));
    }
    let code = i32::from(failure.is_some());
    #[cfg(unix)]
    remove_all_and(|| signal_hook::low_level::exit(code));
    #[cfg(not(unix))]
    remove_all_and(|| std::process::exit(code));
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

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
