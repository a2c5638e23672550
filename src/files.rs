//! Files read and written whole, with errors that name them.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file that cannot be read or written.
#[derive(Clone, Debug, Error)]
#[error("cannot {verb} {path}: {reason}")]
pub struct FileError {
    verb: &'static str,
    path: String,
    reason: String,
}

impl FileError {
    /// A file that cannot be written.
    pub fn write(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::new("write", path, reason)
    }

    /// A file that cannot be read.
    pub fn read(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::new("read", path, reason)
    }

    fn new(verb: &'static str, path: &Path, reason: impl std::fmt::Display) -> Self {
        Self {
            verb,
            path: path.display().to_string(),
            reason: format!("{reason}"),
        }
    }
}

/// Reads a text file.
///
/// # Errors
/// [`FileError`] when it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let bytes = fs::read(path).map_err(|error| FileError::read(path, error))?;
    String::from_utf8(bytes).map_err(|_| FileError::read(path, "it is not text"))
}

/// Writes a file that appears under its name only when it is whole; its folder
/// is made if need be. A file of that name is replaced.
///
/// # Errors
/// [`FileError`] with the first thing that went wrong, also inside `write`.
pub fn write_whole<E>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), FileError>
where
    E: std::fmt::Display,
{
    let failed = |error: std::io::Error| FileError::write(path, error);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tarsus-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any new file: what the user's umask leaves of rw-rw-rw-.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    {
        let mut buffered = BufWriter::new(file.as_file_mut());
        write(&mut buffered).map_err(|error| FileError::write(path, error))?;
        buffered.flush().map_err(failed)?;
    }
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The first of `folder/stem_001.extension` and so on that is not there yet.
#[must_use]
pub fn next_free(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    (1u32..)
        .map(|number| folder.join(format!("{stem}_{number:03}.{extension}")))
        .find(|path| !path.exists())
        .unwrap_or_else(|| folder.join(stem).with_extension(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("deep/file.txt");
        write_whole(&path, |file| file.write_all(b"old")).expect("written");
        let failed = write_whole(&path, |file| {
            file.write_all(b"half of the new")?;
            Err(std::io::Error::other("no more"))
        });
        let message = failed.expect_err("failed").to_string();
        assert!(message.contains("file.txt: no more"), "{message}");
        assert_eq!(read_text(&path).expect("text"), "old");
        let left = fs::read_dir(path.parent().expect("folder"))
            .expect("folder")
            .count();
        assert_eq!(left, 1, "nothing half-written stays");
    }
}
