//! Reads untrusted files: regular files only, and never more than a size limit.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use super::error::FileError;

/// Byte order mark, which some editors write at the start of UTF-8 files.
const MARK: char = '\u{feff}';

/// Opens a regular file. Pipes and devices are rejected before they are opened: a pipe
/// would wait for a writer, a device may have no end.
///
/// # Errors
/// [`FileError`] if it is not a regular file or cannot be opened.
pub fn open(path: &Path) -> Result<File, FileError> {
    let failed = |error: io::Error| FileError::read(path, error);
    check_kind(&path.metadata().map_err(failed)?).map_err(failed)?;
    let file = File::open(path).map_err(failed)?;
    // The path may refer to another file by now.
    check_kind(&file.metadata().map_err(failed)?).map_err(failed)?;
    log::info!("reading {}", path.display());
    Ok(file)
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// [`FileError`] if it is not a regular file, is larger, or cannot be read.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let failed = |error: io::Error| FileError::read(path, error);
    let file = open(path)?;
    check_size(file.metadata().map_err(failed)?.len(), limit).map_err(failed)?;
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    check_size(bytes.len() as u64, limit).map_err(failed)?;
    Ok(bytes)
}

/// Reads a UTF-8 text file of at most `limit` bytes and strips its byte order mark.
///
/// # Errors
/// [`FileError`] if it is not a regular file, is larger, or is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    decode(read(path, limit)?).map_err(|error| FileError::read(path, error))
}

/// Removes a leading byte order mark from `text`.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

fn check_kind(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::other("it is not a regular file"))
}

fn check_size(bytes: u64, limit: u64) -> io::Result<()> {
    if bytes <= limit {
        return Ok(());
    }
    let megabytes = limit >> 20;
    Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {megabytes} MiB")))
}

fn decode(bytes: Vec<u8>) -> io::Result<String> {
    let invalid = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, reason);
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(invalid("it is UTF-16: save it as UTF-8"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(without_mark(&text).to_owned()),
        Err(error) => {
            let number = error.utf8_error().valid_up_to() + 1;
            let (what, hint) = match error.as_bytes().contains(&0) {
                true => ("it is not text: ", ""),
                false => ("", ": save it as UTF-8"),
            };
            Err(invalid(&format!("{what}byte {number} is not UTF-8{hint}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, FileError>) -> String {
        result.expect_err("rejected").to_string()
    }

    #[test]
    fn text_is_utf8_with_optional_mark() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.json");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            read_text(&path, 8)
        };
        assert_eq!(read("\u{feff}é".as_bytes()).expect("text"), "é");
        assert_eq!(read(b"12345678").expect("text"), "12345678");
        assert!(message(read(b"123456789")).contains("it is larger than"));
        assert!(message(read(b"\xff\xfea\0")).contains("UTF-16: save it as UTF-8"));
        assert!(message(read(b"\xfe\xff\0a")).contains("UTF-16"));
    }

    #[test]
    fn invalid_bytes_count_from_one() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wgsl");
        for (bytes, expected) in [
            (&b"\xff"[..], "byte 1 is not UTF-8: save it as UTF-8"),
            (b"ab\xffc", "byte 3 is not UTF-8: save it as UTF-8"),
            (b"ab\xc3", "byte 3 is not UTF-8: save it as UTF-8"),
            (b"\0b\xff", "it is not text: byte 3 is not UTF-8"),
        ] {
            std::fs::write(&path, bytes).expect("written");
            let error = read_text(&path, 8).expect_err("not UTF-8");
            assert_eq!(error.reason().to_string(), expected);
        }
    }

    #[test]
    fn reading_stops_at_limit() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        std::fs::write(&path, b"abcd").expect("written");
        assert_eq!(read(&path, 4).expect("bytes"), b"abcd");
        assert!(message(read(&path, 3)).contains("it is larger than"));
        let missing = folder.path().join("b");
        let expected = format!("cannot read {}: there is no such file", missing.display());
        assert_eq!(message(read(&missing, 4)), expected);
    }

    #[test]
    #[cfg(unix)]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().expect("folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        for path in ["/dev/zero", "/dev", "/dev/null"].map(Path::new) {
            assert!(message(read(path, 8)).contains("it is not a regular file"));
        }
        assert!(message(read(&pipe, 8)).contains("it is not a regular file"));
    }
}
