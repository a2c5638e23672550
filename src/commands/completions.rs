//! `tarsus completions` and `tarsus man`, generated from the definition of the command line.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::CommandFactory as _;

use super::print_source;
use crate::cli::{Cli, CompletionsArgs, ManArgs};

pub(super) fn completions(args: &CompletionsArgs) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tarsus", &mut text);
    print_source(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn man(args: &ManArgs) -> Result<ExitCode> {
    let folder = &args.folder;
    let cannot = || format!("cannot write the manual pages to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(cannot)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(cannot)?;
    writeln!(std::io::stdout(), "{}", folder.join("tarsus.1").display())
        .context("cannot write to standard output")?;
    Ok(ExitCode::SUCCESS)
}
