//! What each command does. Each one returns its exit code, or one error.

mod bench;
mod capture;
mod check;
mod exit;
mod listing;
mod new;
mod view;

use std::process::ExitCode;

use tarsus::shader::Library;

use crate::cli::{Cli, Command, ViewArgs};

/// Runs the command that was asked for.
///
/// # Errors
/// One error, to be printed once by the caller.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let library = cli
        .shaders
        .map_or_else(Library::embedded, Library::from_folder);
    let Some(command) = cli.command else {
        return view::run(&ViewArgs::default(), &library);
    };
    match command {
        Command::View(args) => view::run(&args, &library),
        Command::New(args) => new::run(&args),
        Command::Capture(args) => capture::run(&args, &library),
        Command::Bench(args) => bench::run(&args, &library),
        Command::Check(args) => Ok(check::run(&args, &library)),
        Command::Scenes => Ok(listing::scenes()),
        Command::Adapters(args) => listing::adapters(&args),
    }
}

/// 2 for a wrong command line, else 1.
#[must_use]
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    let is_usage = error.is::<exit::UsageError>() || capture::is_usage(error);
    ExitCode::from(if is_usage { 2 } else { 1 })
}
