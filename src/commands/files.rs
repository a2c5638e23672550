//! Atomic file writes: a file is either the old or the new one, never partial.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use tempfile::NamedTempFile;

/// Writes `files`, pairs of name and text, into `folder`, which is created if missing.
pub(super) fn write_all(folder: &Path, files: &[(String, String)]) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (name, text) in files {
        write_text(&folder.join(name), text)?;
    }
    Ok(())
}

/// Writes `text` into the file `path`.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write_text(path: &Path, text: &str) -> Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    write(folder.unwrap_or(Path::new(".")), path, text)
        .with_context(|| format!("cannot write {}", path.display()))
}

fn write(folder: &Path, path: &Path, text: &str) -> Result<()> {
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Temporary files are private to their owner; these should have ordinary
        // permissions.
        let mode = std::fs::metadata(path).map_or(0o644, |found| found.permissions().mode());
        let permissions = std::fs::Permissions::from_mode(mode & 0o777);
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path)?;
    Ok(())
}
