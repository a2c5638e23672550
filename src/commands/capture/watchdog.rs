//! Ends a run whose GPU hangs: an infinite shader loop cannot be interrupted from inside
//! the process, and only ending the process frees its resources.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use tarsus_files::exit_process;

use crate::commands::exit::FAILED;

/// Watches for a stalled run.
#[derive(Clone, Debug, Default)]
pub(super) struct Watchdog {
    /// Time of the last progress; `None` while nothing waits for the GPU.
    last: Arc<Mutex<Option<Instant>>>,
}

impl Watchdog {
    /// Starts watching. If nothing progresses for `limit`, prints `sentence` and ends the
    /// process without leaving partial files. Without a limit it does nothing.
    pub(super) fn start(limit: Option<Duration>, sentence: String) -> Result<Self> {
        let watchdog = Self::default();
        let Some(limit) = limit else {
            return Ok(watchdog);
        };
        watchdog.went_on();
        let watched = watchdog.clone();
        let watch = move || {
            loop {
                thread::sleep(limit / 20);
                if watched.idle().is_some_and(|idle| idle > limit) {
                    eprintln!("tarsus: {sentence}");
                    exit_process(FAILED);
                }
            }
        };
        let started = thread::Builder::new().spawn(watch);
        started.context("cannot start a thread that watches the run")?;
        Ok(watchdog)
    }

    /// Records progress.
    pub(super) fn went_on(&self) {
        self.set(Some(Instant::now()));
    }

    /// Pauses watching: what follows does not wait for the GPU.
    pub(super) fn rest(&self) {
        self.set(None);
    }

    fn set(&self, last: Option<Instant>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = last;
    }

    /// Time since the last progress; `None` while paused.
    fn idle(&self) -> Option<Duration> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.map(|last| last.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watchdog_resets_on_progress_and_rest() {
        let watchdog = Watchdog::start(None, String::new()).expect("no thread is needed");
        assert_eq!(watchdog.idle(), None, "without a limit");
        watchdog.set(Some(Instant::now() - Duration::from_secs(9)));
        assert!(watchdog.idle().is_some_and(|idle| idle.as_secs() >= 9));
        watchdog.went_on();
        assert!(watchdog.idle().is_some_and(|idle| idle.as_secs() < 9));
        watchdog.rest();
        assert_eq!(watchdog.idle(), None);
    }
}
