//! Ends a run whose adapter does not answer: a loop of a shader that never ends cannot
//! be broken off from inside the process, and only its end frees what it holds.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::interrupt::end;

/// Exit code of a run that failed.
const FAILED: u8 = 1;

/// Watches that a run goes on.
#[derive(Clone, Debug, Default)]
pub(super) struct Watchdog {
    /// When the run went on last; `None` while nobody waits for an adapter.
    last: Arc<Mutex<Option<Instant>>>,
}

impl Watchdog {
    /// Watches from now on. Once nothing went on for `limit` it says `sentence` and ends
    /// the process, with nothing half-written left. Without a limit it does nothing.
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
                    end(FAILED);
                }
            }
        };
        let started = thread::Builder::new().spawn(watch);
        started.context("cannot start a thread that watches the run")?;
        Ok(watchdog)
    }

    /// The run goes on.
    pub(super) fn went_on(&self) {
        self.set(Some(Instant::now()));
    }

    /// What follows waits for no adapter.
    pub(super) fn rest(&self) {
        self.set(None);
    }

    fn set(&self, last: Option<Instant>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = last;
    }

    /// How long nothing went on; `None` at rest.
    fn idle(&self) -> Option<Duration> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.map(|last| last.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_goes_on_or_rests_is_not_idle() {
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
