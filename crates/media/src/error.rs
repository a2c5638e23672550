//! Why a channel has no contents.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// What is wrong with a file, in words that follow a colon.
#[derive(Debug, Error)]
pub enum MediaError {
    /// It is not there.
    #[error("there is no such file")]
    Missing,
    /// It is a folder, a pipe or a device.
    #[error("it is not a regular file")]
    NotRegular,
    /// It is there and cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// It has more bytes than are read.
    #[error("it is larger than {} MiB", limit >> 20)]
    TooManyBytes {
        /// Most bytes of a file of its kind.
        limit: u64,
    },
    /// It has no bytes.
    #[error("it is empty")]
    Empty,
    /// It has more texels than fit.
    #[error("it has {width}x{height} pixels: at most {limit} per side fit")]
    TooLarge {
        /// Pixels per row.
        width: u32,
        /// Number of rows.
        height: u32,
        /// Most per side.
        limit: u32,
    },
    /// Its texels need more memory than they get.
    #[error("its {width}x{height} pixels need {} MiB of memory: at most {} fit", bytes >> 20, limit >> 20)]
    TooManyPixels {
        /// Pixels per row.
        width: u32,
        /// Number of rows.
        height: u32,
        /// Bytes of all.
        bytes: u64,
        /// Most bytes.
        limit: u64,
    },
    /// Its bytes are not what they should be.
    #[error("{0}")]
    Invalid(String),
    /// The code that decodes it has a mistake.
    #[error("its decoder stopped at something unexpected: the file may be damaged")]
    Panicked,
    /// ffmpeg, which decodes films, is not installed.
    #[error(
        "`{program}` is not on the PATH, and films are decoded by it: install ffmpeg \
         (Debian and Ubuntu: `apt install ffmpeg`)"
    )]
    NoFfmpeg {
        /// `ffmpeg` or `ffprobe`.
        program: &'static str,
    },
    /// ffmpeg did not decode it.
    #[error("`{program}` failed: {said}")]
    Ffmpeg {
        /// `ffmpeg` or `ffprobe`.
        program: &'static str,
        /// Its last line.
        said: String,
    },
}

impl MediaError {
    /// A file whose contents are wrong; `reason` is a sentence.
    pub(super) fn invalid(reason: impl Into<String>) -> Self {
        Self::Invalid(reason.into())
    }

    /// A file that does not decode; `error` is the decoder's.
    pub(super) fn damaged(error: impl Display) -> Self {
        Self::Invalid(format!(
            "it cannot be decoded: {}",
            one_line(&error.to_string())
        ))
    }
}

/// Checks what the pixels of a file need.
///
/// # Errors
/// [`MediaError::TooManyPixels`] when that is more than `limit` bytes.
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

/// Longest text of a decoder that is told, in characters.
const LONGEST_TEXT: usize = 200;

/// A text of somebody else as a part of a sentence.
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

/// A channel that has no contents, and why.
#[derive(Debug, Error)]
#[error("cannot read channel `{channel}`{}: {reason}{}", from(.file.as_ref()), hint(.channel, .reason))]
pub struct ChannelError {
    /// Name of the channel.
    pub channel: String,
    /// The file, if it is about one.
    pub file: Option<PathBuf>,
    /// What is wrong.
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
    fn what_decoders_say_is_put_into_one_line() {
        assert_eq!(one_line("bad\n  header \u{1b}[2J\n"), "bad header [2J");
        assert_eq!(one_line(&"é".repeat(500)).chars().count(), 200);
    }

    #[test]
    fn an_error_is_a_sentence_that_names_channel_file_and_reason() {
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
