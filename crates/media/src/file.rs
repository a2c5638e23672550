//! Reads untrusted files: regular files only, and only up to a size limit.

use std::fs::{File, Metadata};
use std::io::Read as _;
use std::path::Path;
use std::time::SystemTime;

use super::error::MediaError;

/// Maximum size of an image, volume or recording file in bytes.
pub(super) const MOST_BYTES: u64 = 1 << 30;

/// Size and modification time of a file, for detecting changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    bytes: u64,
    written: Option<SystemTime>,
}

/// The stamp of a non-empty regular file.
///
/// # Errors
/// Returns a [`MediaError`] if the file is missing, empty or not regular.
pub(super) fn stamp(path: &Path) -> Result<Stamp, MediaError> {
    let about = path.metadata()?;
    check(&about)?;
    Ok(Stamp {
        bytes: about.len(),
        written: about.modified().ok(),
    })
}

/// Opens a non-empty regular file. Pipes and devices are rejected before opening, since a
/// pipe would block until a writer appears and a device may be endless.
///
/// # Errors
/// Returns a [`MediaError`] if it is something else or cannot be opened.
pub(super) fn open(path: &Path) -> Result<File, MediaError> {
    check(&path.metadata()?)?;
    let file = File::open(path)?;
    // The file may have been replaced since the first check.
    check(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// Returns a [`MediaError`] if it is something else, empty, too large or unreadable.
pub(super) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, MediaError> {
    let file = open(path)?;
    if file.metadata()?.len() > limit {
        return Err(MediaError::TooManyBytes { limit });
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(MediaError::TooManyBytes { limit });
    }
    Ok(bytes)
}

fn check(about: &Metadata) -> Result<(), MediaError> {
    if !about.is_file() {
        return Err(MediaError::NotRegular);
    }
    if about.len() == 0 {
        return Err(MediaError::Empty);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &Path) -> String {
        read(path, 4).expect_err("refused").to_string()
    }

    #[test]
    fn read_rejects_files_above_limit() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        std::fs::write(&path, b"abcd").expect("written");
        assert_eq!(read(&path, 4).expect("bytes"), b"abcd");
        std::fs::write(&path, b"abcde").expect("written");
        assert_eq!(said(&path), "it is larger than 0 MiB");
        std::fs::write(&path, b"").expect("written");
        assert_eq!(said(&path), "it is empty");
        assert_eq!(said(&folder.path().join("b")), "there is no such file");
        assert_eq!(said(folder.path()), "it is not a regular file");
    }

    #[test]
    #[cfg(unix)]
    fn pipes_and_devices_are_not_opened() {
        assert_eq!(said(Path::new("/dev/zero")), "it is not a regular file");
        let folder = tempfile::tempdir().expect("folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        assert_eq!(said(&pipe), "it is not a regular file");
    }
}
