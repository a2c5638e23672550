//! Ctrl-C and SIGTERM. A run that draws breaks off between samples and keeps what
//! is drawn; one that cannot, because the driver compiles or a disk is slow, is
//! ended from here. Either way it takes less than a second and leaves whole files.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};

use tarsus_capture::remove_all_and;

/// How long a run may take to break off.
const UNTIL_BROKEN_OFF: Duration = Duration::from_millis(500);

/// How long it may then take to write what is drawn.
const UNTIL_WRITTEN: Duration = Duration::from_millis(400);

/// Exit code of a run that failed.
#[cfg(unix)]
const FAILED: i32 = 1;

/// Whether the run shall end.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<State>);

#[derive(Debug, Default)]
struct State {
    /// Exit code for the signal that came, 0 before one.
    code: AtomicU8,
    /// True once the run knows.
    is_seen: AtomicBool,
}

impl Interrupt {
    /// Listens from now on. The second signal ends the program at once.
    pub(super) fn listen() -> Result<Self> {
        let interrupt = Self::default();
        interrupt
            .clone()
            .start()
            .context("cannot listen for Ctrl-C")?;
        Ok(interrupt)
    }

    #[cfg(unix)]
    fn start(self) -> std::io::Result<()> {
        use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM};
        // Where memory is out, or a driver gives up: it has said why.
        let always = Arc::new(AtomicBool::new(true));
        signal_hook::flag::register_conditional_shutdown(SIGABRT, FAILED, always)?;
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
        let listen = move || {
            for signal in signals.forever() {
                // As shells count them.
                self.heard(128 + signal as u8);
            }
        };
        thread::Builder::new().spawn(listen).map(drop)
    }

    #[cfg(not(unix))]
    fn start(self) -> Result<(), ctrlc::Error> {
        use crate::commands::exit::INTERRUPTED;
        ctrlc::set_handler(move || self.heard(INTERRUPTED))
    }

    fn heard(&self, code: u8) {
        if self.0.code.swap(code, Ordering::Relaxed) != 0 {
            end(code);
        }
        let state = Arc::clone(&self.0);
        let wait = move || {
            thread::sleep(UNTIL_BROKEN_OFF);
            if state.is_seen.load(Ordering::Relaxed) {
                thread::sleep(UNTIL_WRITTEN);
            }
            end(code);
        };
        if thread::Builder::new().spawn(wait).is_err() {
            end(code);
        }
    }

    /// The exit code, if the run shall end.
    pub(super) fn code(&self) -> Option<u8> {
        let code = self.0.code.load(Ordering::Relaxed);
        if code == 0 {
            return None;
        }
        self.0.is_seen.store(true, Ordering::Relaxed);
        Some(code)
    }
}

/// Ends the process without the ends of drivers, which wait for their threads. Hidden
/// files and programs of the run end with it.
pub(super) fn end(code: u8) {
    let code = i32::from(code);
    #[cfg(unix)]
    remove_all_and(|| signal_hook::low_level::exit(code));
    #[cfg(not(unix))]
    remove_all_and(|| std::process::exit(code));
}
