//! Errors of media channels.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A problem with a media file. Messages are phrased to follow a colon.
#[derive(Debug, Error)]
pub enum MediaError {
    /// The file does not exist.
    #[error("there is no such file")]
    Missing,
    /// The file is a folder, pipe or device.
    #[error("it is not a regular file")]
    NotRegular,
    /// The file cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// The file is larger than allowed.
    #[error("it is larger than {} MiB", limit >> 20)]
    TooManyBytes {
        /// Maximum size in bytes for a file of its kind.
        limit: u64,
    },
    /// The file is empty.
    #[error("it is empty")]
    Empty,
    /// The image is larger than a texture may be.
    #[error("it has {width}x{height} pixels: at most {limit} per side fit")]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Maximum pixels per side.
        limit: u32,
    },
    /// The decoded pixels would need too much memory.
    #[error("its {width}x{height} pixels need {} MiB of memory: at most {} fit", bytes >> 20, limit >> 20)]
    TooManyPixels {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Bytes needed.
        bytes: u64,
        /// Maximum bytes.
        limit: u64,
    },
    /// The contents of the file are invalid.
    #[error("{0}")]
    Invalid(String),
    /// The decoder panicked.
    #[error("its decoder stopped at something unexpected: the file may be damaged")]
    Panicked,
    /// ffmpeg, which decodes videos, is not installed.
    #[error(
        "`{program}` is not on the PATH, and films are decoded by it: install ffmpeg \
         (Debian and Ubuntu: `apt install ffmpeg`)"
    )]
    NoFfmpeg {
        /// `ffmpeg` or `ffprobe`.
        program: &'static str,
    },
    /// ffmpeg could not decode the file.
    #[error("`{program}` failed: {said}")]
    Ffmpeg {
        /// `ffmpeg` or `ffprobe`.
        program: &'static str,
        /// The last line of its stderr.
        said: String,
    },
}

impl MediaError {
    /// Invalid file contents; `reason` is a sentence.
    pub(super) fn invalid(reason: impl Into<String>) -> Self {
        Self::Invalid(reason.into())
    }

    /// A decoding failure; `error` comes from the decoder.
    pub(super) fn damaged(error: impl Display) -> Self {
        Self::Invalid(format!(
            "it cannot be decoded: {}",
            one_line(&error.to_string())
        ))
    }
}

/// Checks the memory needed for the pixels of a file.
///
/// # Errors
/// Returns [`MediaError::TooManyPixels`] if they need more than `limit` bytes.
pub(super) fn check_memory(
    width: u32,
    height: u32,
    bytes: u64,
    limit: u64,
) -> Result<(), MediaError> {
    if bytes > limit {
        return Err(MediaError::TooManyPixels {
            width,
            height,
            bytes,
            limit,
        });
    }
    Ok(())
}

/// Maximum length of a quoted decoder message, in characters.
const LONGEST_TEXT: usize = 200;

/// A decoder's message, sanitized to fit on one line.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let printable = line.chars().filter(|c| !c.is_control());
    printable.take(LONGEST_TEXT).collect()
}

impl From<io::Error> for MediaError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Read(error),
        }
    }
}

/// A channel that cannot be read, with the reason.
#[derive(Debug, Error)]
#[error("cannot read channel `{channel}`{}: {reason}{}", from(.file.as_ref()), hint(.channel, .reason))]
pub struct ChannelError {
    /// Name of the channel.
    pub channel: String,
    /// The file, if the error concerns one.
    pub file: Option<PathBuf>,
    /// The reason.
    pub reason: MediaError,
}

fn from(file: Option<&PathBuf>) -> String {
    file.map(|file| format!(" from {}", file.display()))
        .unwrap_or_default()
}

fn hint(channel: &str, reason: &MediaError) -> String {
    match reason {
        MediaError::Missing => {
            format!("\nhint: `--channel {channel}=FILE` takes another file")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoder_messages_become_one_line() {
        assert_eq!(one_line("bad\n  header \u{1b}[2J\n"), "bad header [2J");
        assert_eq!(one_line(&"é".repeat(500)).chars().count(), 200);
    }

    #[test]
    fn channel_error_names_channel_file_reason() {
        let error = |reason| ChannelError {
            channel: "wood".to_owned(),
            file: Some("a/wood.png".into()),
            reason,
        };
        assert_eq!(
            error(MediaError::Empty).to_string(),
            "cannot read channel `wood` from a/wood.png: it is empty"
        );
        let missing = io::Error::from(io::ErrorKind::NotFound);
        assert_eq!(
            error(missing.into()).to_string(),
            "cannot read channel `wood` from a/wood.png: there is no such file\n\
             hint: `--channel wood=FILE` takes another file"
        );
    }
}
