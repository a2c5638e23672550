//! Output of the commands that write sources.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use tarsus_files::printable;

/// Checks that none of `paths` exists, unless `force`.
///
/// # Errors
/// Names the first path that exists.
pub(super) fn check_new<P: AsRef<Path>>(
    paths: impl IntoIterator<Item = P>,
    force: bool,
) -> Result<()> {
    let mut paths = paths.into_iter();
    let existing = paths.find(|path| !force && path.as_ref().exists());
    if let Some(path) = existing {
        let shown = path.as_ref().to_string_lossy();
        bail!(
            "cannot write {}: it already exists; hint: `--force` overwrites it",
            printable(&shown)
        );
    }
    Ok(())
}

/// True if both paths lead to one existing file.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}

/// Writes source to standard output.
///
/// # Errors
/// If standard output is closed or full.
pub(super) fn print_source(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .context("cannot write to standard output")
}
