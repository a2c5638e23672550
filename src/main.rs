//! The `tarsus` program: parse, run, print one error.

use std::process::ExitCode;

use clap::Parser as _;
use tarsus::cli::Cli;
use tarsus::commands;

fn main() -> ExitCode {
    match commands::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("tarsus: {error:#}");
            commands::exit_code(&error)
        }
    }
}
