//! What each command does. Each one returns its exit code, or one error.

mod bench;
mod capture;
mod check;
mod listing;
mod new;
mod view;

use std::process::ExitCode;

use tarsus::shader::Library;
use thiserror::Error;

use crate::cli::{Cli, Command, ViewArgs};

/// Exit code of an interrupted run, as shells count it.
const INTERRUPTED: u8 = 130;

/// The command line is wrong in a way only the command can see.
#[derive(Debug, Error)]
#[error("{0}")]
struct UsageError(String);

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
    ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
}
