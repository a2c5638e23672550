//! `tarsus new`: writes a scene to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use super::exit::UsageError;
use crate::cli::NewArgs;

/// Default scene: two legs in the plane.
const STARTER: &str = include_str!("new/starter.wgsl");
/// Scene of `--walker`.
const WALKER: &str = include_str!("new/walker.wgsl");

pub(super) fn run(args: &NewArgs) -> Result<ExitCode> {
    let path = &args.file;
    if path.extension().is_none_or(|extension| extension != "wgsl") {
        return Err(UsageError(format!(
            "invalid value \"{0}\" for NAME.wgsl: expected a .wgsl file, such as {0}.wgsl",
            path.display()
        ))
        .into());
    }
    write_new(path, if args.walker { WALKER } else { STARTER })?;
    println!(
        "created {0}; hint: `tarsus view {0}` opens it, and it can be edited while it runs",
        path.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Writes `scene` to a new file, never over an existing one.
fn write_new(path: &Path, scene: &str) -> Result<()> {
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => anyhow::bail!(
            "cannot write {}: it already exists; hint: choose another name",
            path.display()
        ),
        Err(error) => return Err(error).context(format!("cannot write {}", path.display())),
    };
    file.write_all(scene.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}
