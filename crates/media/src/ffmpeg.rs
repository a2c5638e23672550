//! The programs of ffmpeg: how files are given to them, and what they say.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::error::{MediaError, one_line};

/// Tells what a film is like.
pub(super) const PROBE: &str = "ffprobe";
/// Decodes it.
pub(super) const DECODER: &str = "ffmpeg";

/// The file as an input of ffmpeg: never an address or an option.
pub(super) fn input(path: &Path) -> OsString {
    let mut input = OsString::from("file:");
    input.push(path);
    input
}

/// Why one of them does not start.
pub(super) fn why_not_started(program: &'static str, error: &io::Error) -> MediaError {
    match error.kind() {
        io::ErrorKind::NotFound => MediaError::NoFfmpeg { program },
        _ => MediaError::Ffmpeg {
            program,
            said: format!("it does not start: {error}"),
        },
    }
}

/// The last line of what ffmpeg said, without the name of the file.
pub(super) fn last_line(said: &str, path: &Path) -> String {
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.next_back().unwrap_or("it gave no reason");
    let name = format!("file:{}: ", path.display());
    let last = last.strip_prefix(&name).unwrap_or(last);
    one_line(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ffmpeg_is_told_in_one_line() {
        let path = Path::new("a b.mp4");
        assert_eq!(
            last_line("x\nfile:a b.mp4: Invalid data\n\n", path),
            "Invalid data"
        );
        assert_eq!(last_line("", path), "it gave no reason");
    }

    #[test]
    fn what_is_missing_is_told_with_what_to_install() {
        let missing = io::Error::from(io::ErrorKind::NotFound);
        assert_eq!(
            why_not_started(PROBE, &missing).to_string(),
            "`ffprobe` is not on the PATH, and films are decoded by it: install ffmpeg \
             (Debian and Ubuntu: `apt install ffmpeg`)"
        );
    }

    #[test]
    fn a_file_is_no_option_and_no_address() {
        assert_eq!(input(Path::new("-y")), "file:-y");
        assert_eq!(input(Path::new("http://a/b.mp4")), "file:http://a/b.mp4");
    }
}
