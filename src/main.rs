//! Entry point of the `tarsus` program: parses the command line, runs the command and
//! prints at most one error.

mod cli;
mod commands;
mod message;
#[cfg(feature = "window")]
mod window;

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::Cli;
use tarsus_files::printable;

fn main() -> ExitCode {
    match commands::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("tarsus: {}", printable(&format!("{error:#}")));
            commands::exit_code(&error)
        }
    }
}
