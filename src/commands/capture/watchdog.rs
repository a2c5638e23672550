//! Ends a run whose GPU hangs: an infinite shader loop cannot be interrupted from inside
//! the process, and only ending the process frees its resources.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use parking_lot::Mutex;

use crate::cli::ReportArgs;
use crate::commands::FAILED;
use crate::message::Message;
use tarsus_files::exit_process;

/// Watches for a stalled run.
#[derive(Clone, Debug, Default)]
pub(super) struct Watchdog {
    /// Time of the last progress; `None` while nothing waits for the GPU.
    last: Arc<Mutex<Option<Instant>>>,
}

impl Watchdog {
    /// Starts watching. If nothing progresses for `limit`, prints `message` and ends the
    /// process without leaving partial files. Without a limit it does nothing.
    ///
    /// # Errors
    /// If the system starts no further thread.
    pub(super) fn start(
        limit: Option<Duration>,
        message: Message,
        report: ReportArgs,
    ) -> Result<Self> {
        let watchdog = Self::default();
        let Some(limit) = limit else {
            return Ok(watchdog);
        };
        watchdog.record_progress();
        let watched = watchdog.clone();
        let watch = move || {
            loop {
                thread::sleep(limit / 20);
                if watched.idle_time().is_some_and(|idle| idle > limit) {
                    report.print(&message);
                    exit_process(FAILED);
                }
            }
        };
        thread::Builder::new().spawn(watch).context("cannot start a thread")?;
        Ok(watchdog)
    }

    /// Records progress.
    pub(super) fn record_progress(&self) {
        *self.last.lock() = Some(Instant::now());
    }

    /// Pauses watching: what follows does not wait for the GPU.
    pub(super) fn disarm(&self) {
        *self.last.lock() = None;
    }

    /// Time since the last progress; `None` while paused.
    fn idle_time(&self) -> Option<Duration> {
        self.last.lock().map(|last| last.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watchdog_resets_on_progress_and_disarm() {
        let watchdog = Watchdog::start(None, Message::Note(String::new()), ReportArgs::default())
            .expect("no thread is needed");
        assert_eq!(watchdog.idle_time(), None, "without a limit");
        *watchdog.last.lock() = Some(Instant::now() - Duration::from_secs(9));
        assert!(watchdog.idle_time().is_some_and(|idle| idle.as_secs() >= 9));
        watchdog.record_progress();
        assert!(watchdog.idle_time().is_some_and(|idle| idle.as_secs() < 9));
        watchdog.disarm();
        assert_eq!(watchdog.idle_time(), None);
    }
}
