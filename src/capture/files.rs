//! Files read and written whole, with errors that name them.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::NamedTempFile;

/// A file that cannot be read or written, and why. The reason is part of its
/// text; the source is what lies beneath the reason.
#[derive(Clone, Debug)]
pub struct FileError {
    verb: &'static str,
    path: PathBuf,
    /// Shared, because every thread that waits for a file reports it.
    reason: Arc<io::Error>,
}

impl FileError {
    /// A file that cannot be written.
    pub fn write(path: &Path, reason: impl Into<io::Error>) -> Self {
        Self::new("write", path, reason.into())
    }

    /// A file that cannot be read.
    pub fn read(path: &Path, reason: impl Into<io::Error>) -> Self {
        Self::new("read", path, reason.into())
    }

    fn new(verb: &'static str, path: &Path, reason: io::Error) -> Self {
        Self {
            verb,
            path: path.to_path_buf(),
            reason: Arc::new(reason),
        }
    }

    /// Why it cannot be read or written.
    #[must_use]
    pub fn reason(&self) -> &io::Error {
        &self.reason
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verb, path, reason } = self;
        write!(out, "cannot {verb} {}: {reason}", path.display())
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.reason.source()
    }
}

/// Reads a text file.
///
/// # Errors
/// [`FileError`] when it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let bytes = fs::read(path).map_err(|error| FileError::read(path, error))?;
    String::from_utf8(bytes).map_err(|error| {
        let reason = io::Error::new(io::ErrorKind::InvalidData, error);
        FileError::read(path, reason)
    })
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
    E: Into<io::Error>,
{
    let mut part = PartFile::create(path)?;
    let mut buffered = BufWriter::new(part.file());
    write(&mut buffered).map_err(|error| FileError::write(path, error))?;
    buffered
        .flush()
        .map_err(|error| FileError::write(path, error))?;
    drop(buffered);
    part.keep()
}

/// A file on its way: it has a hidden name beside its own until it is kept,
/// and is removed if it is not.
#[derive(Debug)]
pub struct PartFile {
    file: NamedTempFile,
    path: PathBuf,
}

impl PartFile {
    /// Begins the file that will be at `path`, and its folder if need be.
    ///
    /// # Errors
    /// [`FileError`] when folder or file cannot be made.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let failed = |error: std::io::Error| FileError::write(path, error);
        let folder = folder_of(path);
        fs::create_dir_all(folder).map_err(failed)?;
        let mut builder = tempfile::Builder::new();
        let prefix = part_prefix(path);
        builder.prefix(&prefix).suffix(PART_SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // As for any new file: what the user's umask leaves of rw-rw-rw-.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        Ok(Self {
            file: builder.tempfile_in(folder).map_err(failed)?,
            path: path.to_path_buf(),
        })
    }

    /// What to write into.
    pub fn file(&mut self) -> &mut fs::File {
        self.file.as_file_mut()
    }

    /// The hidden name, for another program to write to.
    #[must_use]
    pub fn hidden_path(&self) -> &Path {
        self.file.path()
    }

    /// The name it will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name, replacing what was there.
    ///
    /// # Errors
    /// [`FileError`] when it cannot be renamed.
    pub fn keep(self) -> Result<(), FileError> {
        let Self { file, path } = self;
        match file.persist(&path) {
            Ok(_) => Ok(()),
            Err(failed) => Err(FileError::write(&path, failed.error)),
        }
    }
}

/// Removes what runs that were killed left of the files at `paths`.
///
/// # Errors
/// [`FileError`] when a folder cannot be read or a part not be removed.
pub fn remove_parts(paths: impl Iterator<Item = PathBuf>) -> Result<(), FileError> {
    let mut prefixes: HashMap<PathBuf, HashSet<String>> = HashMap::new();
    for path in paths {
        let folder = prefixes.entry(folder_of(&path).to_path_buf()).or_default();
        folder.insert(part_prefix(&path));
    }
    for (folder, prefixes) in &prefixes {
        let Ok(entries) = fs::read_dir(folder) else {
            // No folder, no parts.
            continue;
        };
        for entry in entries {
            let entry = entry.map_err(|error| FileError::read(folder, error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if prefix_of_part(&name).is_some_and(|prefix| prefixes.contains(prefix)) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|error| FileError::write(&path, error))?;
            }
        }
    }
    Ok(())
}

const PART_SUFFIX: &str = ".part";

/// How the hidden name of the file at `path` begins; random letters follow.
fn part_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.")
}

/// The beginning of a hidden name, if it is one.
fn prefix_of_part(name: &str) -> Option<&str> {
    let random = name.strip_suffix(PART_SUFFIX)?.rfind('.')?;
    Some(&name[..=random])
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
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

    #[test]
    fn parts_of_killed_runs_can_be_removed() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let part = PartFile::create(&path).expect("begun");
        // As if the process had been killed.
        let (_, left) = part.file.keep().expect("left behind");
        let other = PartFile::create(&folder.path().join("b.png")).expect("begun");
        remove_parts([path].into_iter()).expect("removed");
        assert!(!left.exists());
        assert!(other.hidden_path().exists());
    }
}
