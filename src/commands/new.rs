//! `tarsus new`: writes a scene to start from.

use std::process::ExitCode;

use anyhow::Result;

use super::{check_new, usage};
use crate::cli::NewArgs;

/// Default scene: two legs in the plane.
const STARTER: &str = include_str!("new/starter.wgsl");
/// Scene of `--walker`.
const WALKER: &str = include_str!("new/walker.wgsl");

pub(super) fn run(args: &NewArgs) -> Result<ExitCode> {
    let with_extension = args.file.with_extension("wgsl");
    let path = &with_extension;
    if args.file.extension().is_some() && args.file != *path {
        return usage(format!(
            "invalid value \"{}\" for NAME.wgsl: expected a .wgsl file, such as {}",
            args.file.display(),
            path.display()
        ));
    }
    let scene = if args.walker { WALKER } else { STARTER };
    check_new([path], args.force)?;
    tarsus_files::make_folder(path)?;
    if args.force {
        tarsus_files::write(path, scene.as_bytes())?;
    } else {
        // Also refuses a file that has appeared since the check.
        tarsus_files::write_new(path, scene.as_bytes())?;
    }
    println!(
        "created {0}; hint: `tarsus view {0}` opens it, and it can be edited while it runs",
        path.display()
    );
    Ok(ExitCode::SUCCESS)
}
