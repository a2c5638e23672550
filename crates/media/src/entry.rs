//! One channel: its source, its loaded files and its contents.

use std::fs::Metadata;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use super::channels::ChannelLimits;
use super::contents::{Contents, load};
use super::error::ChannelError;
use super::source::{Source, kind};
use tarsus_render::Texels;
use tarsus_shader::{Channel, ContentHash};

/// Chunk size for hashing a video, in bytes.
const HASHED_BYTES: u64 = 1 << 20;

/// A channel and its contents.
pub(super) struct Entry {
    pub(super) channel: Channel,
    pub(super) source: Source,
    /// File stamps at the time of reading.
    stamps: Vec<Option<Stamp>>,
    hash: ContentHash,
    pub(super) contents: Contents,
    /// Key of the texels that were decoded last.
    key: Option<(i64, i64)>,
    /// These texels, until they are taken.
    pub(super) decoded: Option<Arc<Texels>>,
}

/// Opens channels, reading the files of those that have no entry yet in parallel.
///
/// # Errors
/// Returns the [`ChannelError`] of the first channel that cannot be read.
pub(super) fn open_all(
    planned: Vec<Result<Entry, (&Channel, Source)>>,
    limits: ChannelLimits,
) -> Result<Vec<Entry>, ChannelError> {
    thread::scope(|scope| {
        let read = |(channel, source)| scope.spawn(move || Entry::read(channel, source, limits));
        let begun: Vec<_> = planned.into_iter().map(|entry| entry.map_err(read)).collect();
        let ended = begun.into_iter().map(|entry| {
            entry.or_else(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        });
        ended.collect()
    })
}

impl Entry {
    /// Shares the contents with another channel that reads them in the same way.
    pub(super) fn for_channel(&self, channel: &Channel) -> Self {
        Self {
            channel: channel.clone(),
            source: self.source.clone(),
            stamps: self.stamps.clone(),
            hash: self.hash.clone(),
            contents: self.contents.share(),
            key: None,
            decoded: None,
        }
    }

    /// Reads the files of a channel.
    ///
    /// # Errors
    /// Returns a [`ChannelError`] if a file cannot be read.
    fn read(
        channel: &Channel,
        source: Source,
        limits: ChannelLimits,
    ) -> Result<Self, ChannelError> {
        // Taken before reading, so that a concurrent write causes a reload.
        let stamps = stamps(&source);
        let (contents, hash) = load(channel, &source, &limits)?;
        let channel = channel.clone();
        Ok(Self { channel, source, stamps, hash, contents, key: None, decoded: None })
    }

    /// Adds the file contents and the settings that affect reading.
    pub(super) fn hashed_into(&self, mut hash: ContentHash) -> ContentHash {
        let Channel { name, is_flipped, is_srgb, .. } = &self.channel;
        let kind = match &self.source {
            Source::Noise { kind, side } => format!("{kind:?} {side}"),
            other => kind(other).to_owned(),
        };
        let read = format!("{name} {kind} {is_flipped} {is_srgb}");
        hash = hash.with(read.as_bytes()).with(self.hash.hex().as_bytes());
        if let Source::Video(path) = &self.source {
            hash = with_file(hash, path);
        }
        hash
    }

    /// True if the same files are read with the same settings and have not changed.
    pub(super) fn is_unchanged(&self, channel: &Channel, source: &Source) -> bool {
        let how = |channel: &Channel| (channel.shape, channel.is_flipped, channel.is_srgb);
        self.source == *source
            && how(&self.channel) == how(channel)
            && self.stamps.iter().all(Option::is_some)
            && self.stamps == stamps(source)
    }

    /// Decodes the texels at a time in seconds, unless they are the latest ones. Returns
    /// false if they are not decoded yet: it blocks until they are if it `waits`.
    ///
    /// # Errors
    /// Returns a [`ChannelError`] if decoding fails, only once.
    pub(super) fn decode(&mut self, time: f64, waits: bool) -> Result<bool, ChannelError> {
        let key = Some(self.contents.key(time));
        if self.key == key || matches!(self.contents, Contents::Nothing) {
            return Ok(true);
        }
        let texels = self.contents.texels_at(time, waits).map_err(|reason| {
            // The last texels remain.
            self.contents = Contents::Nothing;
            // The file is read again when the channels are reopened.
            self.stamps = vec![None];
            let file = self.source.files().first().map(PathBuf::as_path);
            ChannelError::new(&self.channel, file, reason)
        })?;
        let is_decoded = texels.is_some();
        if is_decoded {
            (self.key, self.decoded) = (key, texels);
        }
        Ok(is_decoded)
    }
}

/// Size and modification time of a file, for detecting changes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    written: Option<SystemTime>,
}

/// Stamps of the files that can be read.
fn stamps(source: &Source) -> Vec<Option<Stamp>> {
    let stamp = |path: &PathBuf| {
        let metadata = path.metadata().ok().filter(Metadata::is_file)?;
        Some(Stamp { bytes: metadata.len(), written: metadata.modified().ok() })
    };
    source.files().iter().map(stamp).collect()
}

/// Hashes a file in chunks; an unreadable file contributes its error message.
fn with_file(mut hash: ContentHash, path: &Path) -> ContentHash {
    let mut file = match tarsus_files::open(path) {
        Ok(file) => file,
        Err(error) => return hash.with(error.reason().to_string().as_bytes()),
    };
    let mut part = Vec::new();
    loop {
        part.clear();
        match file.by_ref().take(HASHED_BYTES).read_to_end(&mut part) {
            Ok(0) => return hash,
            Ok(_) => hash = hash.with(&part),
            Err(error) => return hash.with(error.to_string().as_bytes()),
        }
    }
}
