//! The `tarsus` program: parse, run, print one error.

mod cli;
mod commands;
#[cfg(feature = "window")]
mod window;

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::Cli;
use tarsus_capture::printable;

fn main() -> ExitCode {
    match commands::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("tarsus: {}", printable(&format!("{error:#}")));
            commands::exit_code(&error)
        }
    }
}
