//! Ctrl-C, SIGTERM and SIGHUP.

#[cfg(unix)]
use std::{
    sync::{Arc, atomic::AtomicBool},
    thread,
};

#[cfg(unix)]
use super::FAILED;

/// Calls `on_signal` on another thread for every signal, with the exit code of a program that
/// it ends.
#[cfg(unix)]
pub fn listen(on_signal: impl Fn(u8) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM};
    // Raised when memory runs out or a driver aborts, which has then printed the reason.
    let always = Arc::new(AtomicBool::new(true));
    signal_hook::flag::register_conditional_shutdown(SIGABRT, i32::from(FAILED), always)?;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    // A lost terminal ends the program, unless `nohup` started it.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let listen = move || {
        for signal in signals.forever() {
            // Exit code convention of shells.
            on_signal(128 + signal as u8);
        }
    };
    thread::Builder::new().spawn(listen).map(drop)
}

/// True if the process was started with this signal ignored.
#[cfg(unix)]
#[allow(unsafe_code)]
fn is_ignored(signal: i32) -> bool {
    // SAFETY: all zeros is a valid `sigaction`, and without a new action the call only writes to
    // `action`.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Calls `on_signal` on another thread for every signal, with the exit code of a program that
/// it ends.
#[cfg(not(unix))]
pub fn listen(on_signal: impl Fn(u8) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || on_signal(super::INTERRUPTED))
}
