//! The ffmpeg programs: how to pass them files and how to read their messages.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::error::{MediaError, one_line};

/// The program that reports the properties of a video.
pub(super) const PROBE: &str = "ffprobe";
/// The program that decodes videos.
pub(super) const DECODER: &str = "ffmpeg";

/// A file as an ffmpeg input, never interpreted as a URL or option.
pub(super) fn input(path: &Path) -> OsString {
    let mut input = OsString::from("file:");
    input.push(path);
    input
}

/// The error for a program that cannot be started.
pub(super) fn spawn_error(program: &str, error: &io::Error) -> MediaError {
    MediaError::invalid(match error.kind() {
        io::ErrorKind::NotFound => format!(
            "`{program}`, which decodes videos, is not on the PATH\n\
             hint: install ffmpeg (Debian and Ubuntu: `apt install ffmpeg`)"
        ),
        _ => format!("`{program}` failed: cannot start: {error}"),
    })
}

/// The last line of ffmpeg's output, without the file name.
pub(super) fn last_stderr_line(stderr: &str, path: &Path) -> String {
    let mut lines = stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.next_back().unwrap_or("no error message");
    let name = format!("file:{}: ", path.display());
    let last = last.strip_prefix(&name).unwrap_or(last);
    one_line(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_line_omits_file_name() {
        let path = Path::new("a b.mp4");
        assert_eq!(last_stderr_line("x\nfile:a b.mp4: Invalid data\n\n", path), "Invalid data");
        assert_eq!(last_stderr_line("", path), "no error message");
    }

    #[test]
    fn missing_ffmpeg_error_names_package() {
        let missing = io::Error::from(io::ErrorKind::NotFound);
        assert_eq!(
            spawn_error(PROBE, &missing).to_string(),
            "`ffprobe`, which decodes videos, is not on the PATH\n\
             hint: install ffmpeg (Debian and Ubuntu: `apt install ffmpeg`)"
        );
    }

    #[test]
    fn input_is_never_option_or_url() {
        assert_eq!(input(Path::new("-y")), "file:-y");
        assert_eq!(input(Path::new("http://a/b.mp4")), "file:http://a/b.mp4");
    }
}
