//! All channels of a program, within the texture size limits of the GPU.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::entry::{Entry, open_all};
use super::error::{ChannelError, MediaError};
use super::source::{Source, kind, source};
use tarsus_render::{TexelFormat, Texels};
use tarsus_shader::{Channel, ContentHash};

/// The contents of a program's channels, in declaration order.
#[derive(Default)]
pub struct Channels {
    entries: Vec<Entry>,
    limits: ChannelLimits,
    hash: OnceLock<String>,
}

/// A description of a channel's contents, for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelInfo {
    /// Name in the scene.
    pub name: String,
    /// Keyword for its kind in a channel comment, such as `image`. A replacement file may
    /// change it.
    pub kind: &'static str,
    /// Files it is read from.
    pub files: Vec<PathBuf>,
    /// Width, height and layers in texels, and texel format; `None` if the renderer
    /// provides the contents, as for the keyboard.
    pub texels: Option<([u32; 3], TexelFormat)>,
}

impl fmt::Display for ChannelInfo {
    /// Writes name, kind, size in texels, and files.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "channel {}: {}", self.name, self.kind)?;
        match self.texels {
            None => {}
            Some(([width, height, 1], _)) => write!(out, " of {width}x{height}")?,
            Some(([width, height, layers], _)) => write!(out, " of {width}x{height}x{layers}")?,
        }
        for (number, file) in self.files.iter().enumerate() {
            let separator = if number == 0 { " from " } else { ", " };
            write!(out, "{separator}{}", file.display())?;
        }
        Ok(())
    }
}

impl Channels {
    /// Reads the files of all channels and decodes everything that does not depend on time.
    /// `replacements` maps channel names to files, as in `--channel NAME=FILE`.
    ///
    /// # Errors
    /// Returns the [`ChannelError`] of the first channel that cannot be read, or one for an
    /// unknown name in `replacements`.
    pub fn open(
        channels: &[Channel],
        replacements: &BTreeMap<String, PathBuf>,
        limits: ChannelLimits,
    ) -> Result<Self, ChannelError> {
        Self::default().reopen(channels, replacements, limits)
    }

    /// Opens the channels of a changed program, reusing from `self` contents whose files
    /// and settings have not changed.
    ///
    /// # Errors
    /// Same as [`Self::open`].
    pub fn reopen(
        &self,
        channels: &[Channel],
        replacements: &BTreeMap<String, PathBuf>,
        limits: ChannelLimits,
    ) -> Result<Self, ChannelError> {
        let reusable = if self.limits == limits { &self.entries[..] } else { &[] };
        let planned = sources(channels, replacements)?.into_iter().map(|(channel, source)| {
            let same = reusable.iter().find(|entry| entry.is_unchanged(channel, &source));
            same.map(|entry| entry.for_channel(channel)).ok_or((channel, source))
        });
        let opened =
            Self { entries: open_all(planned.collect(), limits)?, limits, ..Self::default() };
        opened.infos().for_each(|info| log::info!("{info}"));
        Ok(opened)
    }

    /// The same contents for another renderer. Files that have changed are not read again.
    pub fn share(&self) -> Self {
        let entries = self.entries.iter().map(|entry| entry.for_channel(&entry.channel));
        Self { entries: entries.collect(), limits: self.limits, ..Self::default() }
    }

    /// The texels that changed since the last call, with their channel indices; the first
    /// call returns all. `time` is the scene time in seconds; videos and recordings follow
    /// it in any order.
    ///
    /// # Errors
    /// Returns a [`ChannelError`] if a video cannot be decoded, only once: its last texels
    /// remain until the channels are reopened. The next call returns the texels of the other
    /// channels.
    pub fn update(&mut self, time: f64) -> Result<Vec<(usize, Arc<Texels>)>, ChannelError> {
        let mut result = Ok(true);
        for entry in &mut self.entries {
            result = result.and(entry.decode(time, true));
        }
        result?;
        let entries = self.entries.iter_mut().enumerate();
        Ok(entries.filter_map(|(number, entry)| Some((number, entry.decoded.take()?))).collect())
    }

    /// Decodes the video frames at a time in the background. Returns the index of a channel
    /// that is not ready, or `None` if [`Self::update`] would not block. Callers that must
    /// not block poll this.
    ///
    /// # Errors
    /// Same as [`Self::update`].
    pub fn prepare(&mut self, time: f64) -> Result<Option<usize>, ChannelError> {
        let mut awaited = None;
        for (number, entry) in self.entries.iter_mut().enumerate() {
            if !entry.decode(time, false)? {
                awaited = awaited.or(Some(number));
            }
        }
        Ok(awaited)
    }

    /// The files of all channels, for watching.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<_> =
            self.entries.iter().flat_map(|e| e.source.files().to_vec()).collect();
        files.sort();
        files.dedup();
        files
    }

    /// A hash of all file contents and reading settings; `None` without channels. The first
    /// call reads videos once more.
    pub fn hash(&self) -> Option<&str> {
        let hash = || {
            let entries = self.entries.iter();
            entries.fold(ContentHash::default(), |hash, entry| entry.hashed_into(hash)).hex()
        };
        (!self.entries.is_empty()).then(|| self.hash.get_or_init(hash).as_str())
    }

    /// Descriptions of all channels.
    pub fn infos(&self) -> impl Iterator<Item = ChannelInfo> {
        self.entries.iter().map(|entry| ChannelInfo {
            name: entry.channel.name.clone(),
            kind: kind(&entry.source),
            files: entry.source.files().to_vec(),
            texels: entry.contents.format(),
        })
    }

    /// A description of a channel; `None` if the index is out of range.
    pub fn info(&self, number: usize) -> Option<ChannelInfo> {
        self.infos().nth(number)
    }
}

/// Sources of `channels`, some of which are in `replacements`.
///
/// # Errors
/// Returns the [`ChannelError`] of the first replacement that does not fit.
fn sources<'a>(
    channels: &'a [Channel],
    replacements: &BTreeMap<String, PathBuf>,
) -> Result<Vec<(&'a Channel, Source)>, ChannelError> {
    check_replacements(replacements, channels)?;
    let sources = channels.iter().map(|channel| {
        let replacement = replacements.get(&channel.name).map(PathBuf::as_path);
        let source = source(channel, replacement);
        let source = source.map_err(|reason| ChannelError::new(channel, replacement, reason))?;
        Ok((channel, source))
    });
    sources.collect()
}

/// Checks that each of `replacements` is for one of `channels`.
///
/// # Errors
/// Returns a [`ChannelError`] for the first unknown name.
pub fn check_replacements(
    replacements: &BTreeMap<String, PathBuf>,
    channels: &[Channel],
) -> Result<(), ChannelError> {
    let names: Vec<&str> = channels.iter().map(|channel| &*channel.name).collect();
    let mut unknown = replacements.keys();
    let Some(unknown) = unknown.find(|name| !names.contains(&name.as_str())) else {
        return Ok(());
    };
    let available = match &names[..] {
        [] => "the scene has no channels".to_owned(),
        names => format!("the scene has {}", names.join(", ")),
    };
    Err(ChannelError {
        channel: unknown.clone(),
        file: None,
        reason: MediaError::invalid(format!("there is no channel of that name; {available}")),
    })
}

/// Maximum texture sizes of channels, from the GPU's limits: creating a larger texture
/// would abort the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelLimits {
    /// Maximum side of an image, video or cube face, in texels.
    pub side: u32,
    /// Maximum side of a volume, in texels.
    pub volume_side: u32,
}

impl Default for ChannelLimits {
    /// Typical GPU limits.
    fn default() -> Self {
        Self { side: 16_384, volume_side: 2048 }
    }
}

#[cfg(test)]
mod tests;
