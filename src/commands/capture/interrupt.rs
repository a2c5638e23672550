//! Ctrl-C, SIGTERM and SIGHUP. A rendering run stops between samples and keeps finished frames; a
//! run that cannot stop, because the driver is compiling or a disk is slow, is ended from
//! here. Either way it takes less than a second and leaves no partial files.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::commands::signals;
use tarsus_files::exit_process;

/// Time for a run to stop and to write its finished frames.
const STOP_TIMEOUT: Duration = Duration::from_millis(900);

/// Shared interrupt flag of a run: the exit code for the received signal, 0 before one arrives.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicU8>);

impl Interrupt {
    /// Starts listening for signals. The second signal ends the program at once.
    pub(super) fn listen() -> Result<Self> {
        let interrupt = Self::default();
        let shared = interrupt.clone();
        signals::listen(move |code| shared.on_signal(code)).context("cannot listen for Ctrl-C")?;
        Ok(interrupt)
    }

    fn on_signal(&self, code: u8) {
        if self.0.swap(code, Ordering::Relaxed) != 0 {
            exit_process(code);
        }
        let end = move || {
            thread::sleep(STOP_TIMEOUT);
            exit_process(code);
        };
        if thread::Builder::new().spawn(end).is_err() {
            exit_process(code);
        }
    }

    /// Exit code of a run that was stopped.
    pub(super) fn exit_code(&self) -> ExitCode {
        self.0.load(Ordering::Relaxed).into()
    }

    /// Stops the run if it should end.
    pub(super) fn flow(&self) -> ControlFlow<()> {
        match self.0.load(Ordering::Relaxed) {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}
