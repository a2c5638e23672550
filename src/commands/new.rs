//! `tarsus new`: writes a scene to start from.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;

use super::{check_new, ends_as_folder, usage};
use crate::cli::NewArgs;

/// Default scene: two legs in the plane.
const STARTER: &str = include_str!("new/starter.wgsl");
/// Scene of `--walker`.
const WALKER: &str = include_str!("new/walker.wgsl");

pub(super) fn run(args: &NewArgs) -> Result<ExitCode> {
    let path = &scene_path(&args.file)?;
    let scene = if args.walker { WALKER } else { STARTER };
    check_new([path], args.force)?;
    tarsus_files::make_folder(path)?;
    let write = if args.force { tarsus_files::write } else { tarsus_files::write_new };
    write(path, scene.as_bytes())?;
    println!(
        "created {0}; hint: `tarsus view {0}` opens it, and it can be edited while it runs",
        path.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Path of the scene that `file` names; its extension may be missing.
///
/// # Errors
/// Returns a usage error if `file` is a folder, has no name or another extension.
fn scene_path(file: &Path) -> Result<PathBuf> {
    let is_file = file.file_name().is_some_and(|name| name != ".wgsl") && !ends_as_folder(file);
    match file.extension() {
        None if is_file => Ok(file.with_extension("wgsl")),
        Some(extension) if is_file && extension == "wgsl" => Ok(file.to_path_buf()),
        _ => usage(format!(
            "invalid value \"{}\" for NAME.wgsl: expected a .wgsl file, such as walker.wgsl",
            file.display()
        )),
    }
}
