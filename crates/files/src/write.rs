//! Writes complete files: a file is either the old or the new one, never partial.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, PersistError};

use super::cleanup::ListedFile;
use super::error::FileError;

/// Writes `bytes` to a file that appears under its name only once it is complete, replacing
/// any existing file. Creates its folder if necessary.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_with(path, |file| file.write_all(bytes))
}

/// Writes `bytes` to a new file in an existing folder.
///
/// # Errors
/// [`FileError`] naming the file and the reason; its kind is `AlreadyExists` if there is
/// such a file.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut part = PartFile::create_in_folder(path)?;
    let written = part.write_all(bytes);
    written.map_err(|error| FileError::write(path, error))?;
    part.keep_by(|file, path| file.persist_noclobber(path))
}

/// Like [`write()`], with contents from a function.
///
/// # Errors
/// [`FileError`] for the first failure, including one inside `write`.
pub fn write_with<E>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), FileError>
where
    E: Into<io::Error>,
{
    let mut part = PartFile::create(path)?;
    let mut buffered = BufWriter::new(&mut part);
    let written = write(&mut buffered).map_err(E::into);
    let flushed = written.and_then(|()| buffered.flush());
    flushed.map_err(|error| FileError::write(path, error))?;
    drop(buffered);
    part.keep()
}

/// A file being written under a hidden name next to its final one. [`PartFile::keep`]
/// renames it into place; dropping it removes it.
#[derive(Debug)]
pub struct PartFile {
    file: NamedTempFile,
    _listed: ListedFile,
    path: PathBuf,
    /// Final path, with symbolic links resolved.
    target: PathBuf,
}

impl PartFile {
    /// Creates the hidden file for `path`, and its folder if necessary.
    ///
    /// # Errors
    /// [`FileError`] if the folder or file cannot be created, or `path` must not be
    /// replaced: a folder, pipe or device.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        make_folder(path)?;
        Self::create_in_folder(path)
    }

    /// Like [`Self::create`], but the folder must exist. A folder that is deleted during a
    /// run is thus an error and is not created again.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_in_folder(path: &Path) -> Result<Self, FileError> {
        let failed = |error: io::Error| FileError::write(path, error);
        let target = target_of(path).map_err(failed)?;
        let mut builder = tempfile::Builder::new();
        let prefix = part_prefix(&target);
        builder.prefix(&prefix).suffix(PART_SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // The permissions of any new file: rw-rw-rw- minus the user's umask.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let create = || builder.tempfile_in(folder_of(&target));
        let (file, listed) =
            ListedFile::create(create, |file: &NamedTempFile| file.path().to_path_buf())
                .map_err(|error| failed(without_path(&error)))?;
        Ok(Self { file, _listed: listed, path: path.to_path_buf(), target })
    }

    /// Another handle of the open file.
    ///
    /// # Errors
    /// [`FileError`] if the process has too many handles.
    pub fn handle(&self) -> Result<fs::File, FileError> {
        let handle = self.file.as_file().try_clone();
        handle.map_err(|error| FileError::write(&self.path, error))
    }

    /// The hidden path, for another program to write to.
    pub fn hidden_path(&self) -> &Path {
        self.file.path()
    }

    /// Flushes the contents to disk and renames the file into place, replacing any existing
    /// file but keeping its permissions; then flushes the folder entry too. After a power
    /// failure, the new file is either complete or absent.
    ///
    /// # Errors
    /// [`FileError`] if the disk does not accept the contents, or the file cannot be
    /// renamed.
    pub fn keep(self) -> Result<(), FileError> {
        #[cfg(unix)]
        if let Ok(replaced) = fs::metadata(&self.target) {
            let set = self.file.as_file().set_permissions(replaced.permissions());
            set.map_err(|error| FileError::write(&self.path, error))?;
        }
        self.keep_by(|file, path| file.persist(path))
    }

    fn keep_by(
        self,
        rename: impl FnOnce(NamedTempFile, &Path) -> Result<fs::File, PersistError>,
    ) -> Result<(), FileError> {
        let failed = |error| FileError::write(&self.path, error);
        // Some disks report only now that they are full.
        self.file.as_file().sync_all().map_err(failed)?;
        rename(self.file, &self.target).map_err(|error| failed(error.error))?;
        sync_folder(folder_of(&self.target)).map_err(failed)
    }
}

/// An error of `tempfile` without the hidden path in it.
fn without_path(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split(" at path ").next().unwrap_or_default();
    io::Error::new(error.kind(), reason)
}

impl Write for PartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// Flushes the names in a folder to disk.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    let synced = fs::File::open(folder).and_then(|folder| folder.sync_all());
    match synced {
        // Some file systems flush names by themselves, and a folder may be write-only.
        Err(error) if [InvalidInput, PermissionDenied, Unsupported].contains(&error.kind()) => {
            Ok(())
        }
        synced => synced,
    }
}

/// No-op: outside Unix, durability of names is up to the file system.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Creates the folder of the file at `path` if it does not exist.
///
/// # Errors
/// [`FileError`] if the folder cannot be created.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    let target = follow_links(path);
    let made = fs::create_dir_all(folder_of(&target));
    made.map_err(|error| {
        let other = folder_of(&target).ancestors().find(|folder| folder.is_file());
        let error = other.map_or(error, |file| {
            let reason = format!("{} is not a folder", file.display());
            io::Error::new(io::ErrorKind::NotADirectory, reason)
        });
        FileError::write(path, error)
    })
}

/// True for pipes and devices, which can be written to but not replaced.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Maximum number of symbolic links to follow, as on Linux.
const MAX_LINKS: usize = 40;

/// Resolves symbolic links. The target need not exist; a path that is no link is returned
/// unchanged.
pub fn follow_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = folder_of(&path).join(link),
            Err(_) => break,
        }
    }
    path
}

/// Resolves links to find the file to write. Folders, pipes and devices are errors.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    let target = follow_links(path);
    if target.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if is_special(&target) {
        return Err(io::Error::other("it is a pipe or a device"));
    }
    Ok(target)
}

/// Removes partial files in `folder` that killed runs left behind, if they belong to one
/// of `paths`.
///
/// # Errors
/// [`FileError`] if a partial file cannot be removed.
pub fn remove_parts(folder: &Path, paths: impl Iterator<Item = PathBuf>) -> Result<(), FileError> {
    let parts = parts_in(folder);
    if parts.is_empty() {
        return Ok(());
    }
    let ours: HashSet<PathBuf> = paths
        .map(|path| {
            let target = follow_links(&path);
            folder_of(&target).join(part_prefix(&target))
        })
        .collect();
    for part in parts {
        let name = part.file_name().unwrap_or_default().to_string_lossy();
        let prefix = prefix_of_part(&name).map(|prefix| folder_of(&part).join(prefix));
        if prefix.is_some_and(|prefix| ours.contains(&prefix)) {
            fs::remove_file(&part).map_err(|error| FileError::write(&part, error))?;
        }
    }
    Ok(())
}

/// Partial files in a folder; none if the folder does not exist.
fn parts_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| prefix_of_part(&entry.file_name().to_string_lossy()).is_some())
        .map(|entry| folder.join(entry.file_name()))
        .collect()
}

const PART_SUFFIX: &str = ".part";

/// Prefix of the hidden name of the file at `path`; random characters follow.
fn part_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.")
}

/// Prefix of a hidden name; `None` for any other name.
fn prefix_of_part(name: &str) -> Option<&str> {
    let random = name.strip_suffix(PART_SUFFIX)?.rfind('.')?;
    Some(&name[..=random])
}

/// Folder of a file, `.` if the path has none.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_write_keeps_old_file() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("deep/file.txt");
        write(&path, b"old").expect("written");
        let failed = write_with(&path, |file| {
            file.write_all(b"half of the new")?;
            Err(std::io::Error::other("no more"))
        });
        let message = failed.expect_err("failed").to_string();
        assert!(message.contains("file.txt: no more"), "{message}");
        assert_eq!(fs::read_to_string(&path).expect("text"), "old");
        let left = fs::read_dir(path.parent().expect("folder")).expect("folder").count();
        assert_eq!(left, 1, "nothing half-written stays");
    }

    #[test]
    fn new_file_never_replaces_another() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wgsl");
        write_new(&path, b"first").expect("written");
        let error = write_new(&path, b"second").expect_err("it exists");
        assert_eq!(error.reason().kind(), io::ErrorKind::AlreadyExists);
        assert!(error.to_string().ends_with("a.wgsl: it already exists"));
        assert_eq!(fs::read_to_string(&path).expect("text"), "first");
        assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 1);
        assert!(write_new(&folder.path().join("deep/a"), b"").is_err());
    }

    #[test]
    fn file_in_place_of_folder_is_named() {
        let folder = tempfile::tempdir().expect("folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        for path in ["file/a.png", "file/deep/a.png"] {
            let error = write(&folder.path().join(path), b"").expect_err("no folder");
            let expected = format!("{path}: {} is not a folder", file.display());
            assert!(error.to_string().ends_with(&expected), "{error}");
        }
    }

    #[test]
    fn leftover_partial_files_are_removed() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let part = PartFile::create(&path).expect("begun");
        // Keep the file, as if the process had been killed.
        let (_, left) = part.file.keep().expect("left behind");
        let other = PartFile::create(&folder.path().join("b.png")).expect("begun");
        remove_parts(folder.path(), [path].into_iter()).expect("removed");
        assert!(!left.exists());
        assert!(other.hidden_path().exists());
    }

    #[test]
    #[cfg(unix)]
    fn replaced_file_keeps_permissions() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("script");
        let mode = || fs::metadata(&path).expect("a file").permissions().mode() & 0o777;
        write(&path, b"old").expect("written");
        let usual = mode();
        fs::File::create(folder.path().join("usual")).expect("a file");
        let found = fs::metadata(folder.path().join("usual")).expect("a file");
        assert_eq!(usual, found.permissions().mode() & 0o777);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).expect("changed");
        write(&path, b"new").expect("written");
        assert_eq!(mode(), 0o750);
    }

    #[test]
    #[cfg(unix)]
    fn symlink_target_is_written() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("folder");
        let at = |name: &str| folder.path().join(name);
        symlink("deep/real.txt", at("second")).expect("link");
        symlink(at("second"), at("first")).expect("link");
        write(&at("first"), b"new").expect("written");
        assert!(at("first").is_symlink() && at("second").is_symlink());
        let written = fs::read_to_string(at("deep/real.txt")).expect("text");
        assert_eq!(written, "new");
        symlink("loop", at("loop")).expect("link");
        write(&at("loop"), b"").expect("replaced");
    }

    #[test]
    #[cfg(unix)]
    fn device_is_not_replaced() {
        let refused = PartFile::create_in_folder(Path::new("/dev/null")).expect_err("a device");
        assert!(refused.to_string().contains("a pipe or a device"), "{refused}");
        assert!(is_special(Path::new("/dev/null")) && !is_special(Path::new("/dev")));
    }

    #[test]
    fn deleted_folder_is_not_recreated() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("out/a.png");
        let part = PartFile::create(&path).expect("begun");
        fs::remove_dir_all(folder.path().join("out")).expect("removed");
        assert!(part.keep().is_err());
        let error = PartFile::create_in_folder(&path).expect_err("no folder").to_string();
        assert!(!error.contains(PART_SUFFIX), "{error}");
    }
}
