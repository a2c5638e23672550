//! Reads files that others may have made: regular files only, and no more of them
//! than can be needed.

use std::fs::{File, Metadata};
use std::io::Read as _;
use std::path::Path;
use std::time::SystemTime;

use super::error::MediaError;

/// Most bytes of a picture, a volume or a recording.
pub(super) const MOST_BYTES: u64 = 1 << 30;

/// What tells whether a file has been written since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    bytes: u64,
    written: Option<SystemTime>,
}

/// The stamp of a regular file that is not empty.
///
/// # Errors
/// [`MediaError`] when it is not.
pub(super) fn stamp(path: &Path) -> Result<Stamp, MediaError> {
    let about = path.metadata()?;
    check(&about)?;
    Ok(Stamp {
        bytes: about.len(),
        written: about.modified().ok(),
    })
}

/// Opens a regular file that is not empty. A pipe or a device is refused before it
/// is opened: the one would wait for a writer, the other may have no end.
///
/// # Errors
/// [`MediaError`] when it is something else or cannot be opened.
pub(super) fn open(path: &Path) -> Result<File, MediaError> {
    check(&path.metadata()?)?;
    let file = File::open(path)?;
    // It may have become another since.
    check(&file.metadata()?)?;
    Ok(file)
}

/// Reads a whole regular file of at most `limit` bytes.
///
/// # Errors
/// [`MediaError`] when it is something else, empty, larger, or cannot be read.
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
    fn files_are_read_up_to_the_limit() {
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
