//! Ctrl-C and SIGTERM.

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
    use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM};
    // Raised when memory runs out or a driver aborts, which has then printed the reason.
    let always = Arc::new(AtomicBool::new(true));
    signal_hook::flag::register_conditional_shutdown(SIGABRT, i32::from(FAILED), always)?;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let listen = move || {
        for signal in signals.forever() {
            // Exit code convention of shells.
            on_signal(128 + signal as u8);
        }
    };
    thread::Builder::new().spawn(listen).map(drop)
}

/// Calls `on_signal` on another thread for every signal, with the exit code of a program that
/// it ends.
#[cfg(not(unix))]
pub fn listen(on_signal: impl Fn(u8) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || on_signal(super::INTERRUPTED))
}
