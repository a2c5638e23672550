//! `tarsus docs`: reference of the library's modules.

use std::process::ExitCode;

use anyhow::Result;

use super::exit::UsageError;
use super::listing::print_table;
use crate::cli::DocsArgs;
use tarsus_shader::{Library, module_list, module_reference};

pub(super) fn run(args: &DocsArgs, library: &Library) -> Result<ExitCode> {
    if let Some(name) = &args.module {
        print!("{}", module_reference(library, name).map_err(UsageError)?);
        return Ok(ExitCode::SUCCESS);
    }
    let modules = module_list(library);
    print_table(modules.iter().map(|(name, about)| (&**name, &**about)));
    println!(
        "`tarsus docs MODULE` lists a module's items; a scene imports it with \
         `#import tarsus::MODULE`"
    );
    Ok(ExitCode::SUCCESS)
}
