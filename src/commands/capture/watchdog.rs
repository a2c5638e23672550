//! Ends a run whose GPU hangs: an infinite shader loop cannot be interrupted from inside
//! the process, and only ending the process frees its resources.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::console::Console;
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
    pub(super) fn start(limit: Option<Duration>, message: Message, console: Console) -> Self {
        let watchdog = Self::default();
        let Some(limit) = limit else {
            return watchdog;
        };
        watchdog.record_progress();
        let watched = watchdog.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(limit / 20);
                if watched.idle_time().is_some_and(|idle| idle > limit) {
                    console.print(&message);
                    exit_process(FAILED);
                }
            }
        });
        watchdog
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
        let watchdog = Watchdog::start(None, Message::Note(String::new()), Console::default());
        assert_eq!(watchdog.idle_time(), None, "without a limit");
        *watchdog.last.lock() = Some(Instant::now() - Duration::from_secs(9));
        assert!(watchdog.idle_time().is_some_and(|idle| idle.as_secs() >= 9));
        watchdog.record_progress();
        assert!(watchdog.idle_time().is_some_and(|idle| idle.as_secs() < 9));
        watchdog.disarm();
        assert_eq!(watchdog.idle_time(), None);
    }
}
