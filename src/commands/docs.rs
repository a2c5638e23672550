//! `tarsus docs`: reference of the library's modules.

use std::process::ExitCode;

use anyhow::Result;

use super::exit::UsageError;
use crate::cli::DocsArgs;
use tarsus_shader::{Library, module_list, module_reference};

pub(super) fn run(args: &DocsArgs, library: &Library) -> Result<ExitCode> {
    match &args.module {
        Some(name) => print!("{}", module_reference(library, name).map_err(UsageError)?),
        None => list(library),
    }
    Ok(ExitCode::SUCCESS)
}

fn list(library: &Library) {
    let modules = module_list(library);
    let width = modules.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or(0);
    for (name, about) in modules {
        println!("{name:width$}  {about}");
    }
    println!(
        "`tarsus docs MODULE` shows what is in one; a scene has it with `#import tarsus::MODULE`"
    );
}
