//! Entry point of the `tarsus` program: parses the command line, runs the command and
//! prints at most one error.

#[macro_use]
mod stdout;

mod cli;
mod commands;
mod logger;
mod message;
mod reopened;
mod watch;
#[cfg(feature = "window")]
mod window;

use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::message::Message;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    skip_wayland_lookup();
    let cli = Cli::from_command_line();
    let report = cli.command.as_ref().map(Command::report).unwrap_or_default();
    logger::install(cli.verbose, report.quiet, report.json);
    commands::run(cli).unwrap_or_else(|error| {
        Message::Error(format!("{error:#}")).print(report.json);
        commands::exit_code(&error)
    })
}

/// Disables Mesa's device selection layer where there is no desktop session and no variable
/// selects a device. The layer would report twice on standard error that `XDG_RUNTIME_DIR is
/// invalid`, and tarsus orders the adapters itself.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn skip_wayland_lookup() {
    const VARIABLES: [&str; 3] = ["XDG_RUNTIME_DIR", "DRI_PRIME", "MESA_VK_DEVICE_SELECT"];
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !VARIABLES.into_iter().any(is_set) {
        // SAFETY: no other thread has started that could read the environment.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}
