//! Errors of media channels.

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use thiserror::Error;

use tarsus_files::FileError;
use tarsus_shader::Channel;

/// A problem with a media file. Messages are phrased to follow a colon.
#[derive(Debug, Error)]
pub enum MediaError {
    /// The file cannot be read.
    #[error("{}", .0.reason())]
    File(#[from] FileError),
    /// The contents of the file are invalid, or cannot be decoded.
    #[error("{0}")]
    Invalid(String),
}

impl MediaError {
    /// True if the file does not exist.
    fn is_missing(&self) -> bool {
        matches!(self, Self::File(error) if error.reason().kind() == ErrorKind::NotFound)
    }

    /// Invalid file contents; `reason` is a sentence.
    pub(super) fn invalid(reason: impl Into<String>) -> Self {
        Self::Invalid(reason.into())
    }

    /// A decoding failure; `error` comes from the decoder.
    pub(super) fn damaged(error: impl Display) -> Self {
        Self::Invalid(format!("it cannot be decoded: {}", one_line(&error.to_string())))
    }
}

/// Checks the size of an image against the limit of a texture's side.
pub(super) fn check_sides(width: u32, height: u32, limit: u32) -> Result<(), MediaError> {
    if width.max(height) > limit {
        return Err(MediaError::invalid(format!(
            "it has {width}x{height} pixels: the limit is {limit} per side"
        )));
    }
    Ok(())
}

/// Checks the memory needed for the pixels of a file, in bytes.
pub(super) fn check_memory(
    width: u32,
    height: u32,
    bytes: u64,
    limit: u64,
) -> Result<(), MediaError> {
    let (needed, most) = (bytes >> 20, limit >> 20);
    if bytes > limit {
        return Err(MediaError::invalid(format!(
            "its {width}x{height} pixels need {needed} MiB of memory: the limit is {most}"
        )));
    }
    Ok(())
}

/// Maximum length of a quoted decoder message, in characters.
const MAX_MESSAGE_CHARS: usize = 200;

/// A decoder's message, sanitized to fit on one line.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let printable = line.chars().filter(|c| !c.is_control());
    printable.take(MAX_MESSAGE_CHARS).collect()
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

impl ChannelError {
    pub(super) fn new(channel: &Channel, file: Option<&Path>, reason: MediaError) -> Self {
        Self { channel: channel.name.clone(), file: file.map(Path::to_path_buf), reason }
    }
}

fn from(file: Option<&PathBuf>) -> String {
    file.map(|file| format!(" from {}", file.display())).unwrap_or_default()
}

fn hint(channel: &str, reason: &MediaError) -> String {
    if reason.is_missing() {
        format!("\nhint: `--channel {channel}=FILE` takes another file")
    } else {
        String::new()
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
            error(MediaError::invalid("it is empty")).to_string(),
            "cannot read channel `wood` from a/wood.png: it is empty"
        );
        let missing = FileError::read("a/wood.png".as_ref(), ErrorKind::NotFound);
        assert_eq!(
            error(missing.into()).to_string(),
            "cannot read channel `wood` from a/wood.png: there is no such file\n\
             hint: `--channel wood=FILE` takes another file"
        );
    }
}
