//! One channel: what it reads, what it has read, and what it holds.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::contents::{Contents, Loaded, load};
use super::error::{ChannelError, MediaError};
use super::file::{self, Stamp};
use super::limits::ChannelLimits;
use super::source::Source;
use tarsus_render::Texels;
use tarsus_shader::{Channel, ContentHash};

/// Bytes of a film that are hashed at a time.
const HASHED_BYTES: u64 = 1 << 20;

/// A channel and its contents.
pub(super) struct Entry {
    pub(super) channel: Channel,
    pub(super) source: Source,
    /// What the files were when they were read.
    stamps: Vec<Option<Stamp>>,
    loaded: Loaded,
    hash: ContentHash,
    pub(super) contents: Contents,
    /// True once it could not be decoded: then its last texels stay.
    has_failed: bool,
}

/// Reads channels, several at once. Their numbers come back with them.
///
/// # Errors
/// [`ChannelError`] of the first that cannot be read.
pub(super) fn read_all(
    channels: Vec<(usize, &Channel, Source)>,
    limits: ChannelLimits,
) -> Result<Vec<(usize, Entry)>, ChannelError> {
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    let mut read = Vec::new();
    let mut channels = channels.into_iter().peekable();
    while channels.peek().is_some() {
        let entries = thread::scope(|scope| {
            let threads: Vec<_> = channels
                .by_ref()
                .take(at_once)
                .map(|(number, channel, source)| {
                    let thread = scope.spawn(move || Entry::read(channel, source, limits));
                    (number, channel, thread)
                })
                .collect();
            let joined = threads.into_iter().map(|(number, channel, thread)| {
                let panicked = |_| Err(error(channel, (None, MediaError::Panicked)));
                Ok((number, thread.join().unwrap_or_else(panicked)?))
            });
            joined.collect::<Result<Vec<_>, ChannelError>>()
        });
        read.extend(entries?);
    }
    Ok(read)
}

impl Entry {
    /// The same contents for a channel that is read in the same way.
    pub(super) fn for_channel(&self, channel: &Channel) -> Self {
        Self {
            channel: channel.clone(),
            source: self.source.clone(),
            stamps: self.stamps.clone(),
            loaded: self.loaded.clone(),
            hash: self.hash.clone(),
            contents: Contents::new(&self.loaded, channel),
            has_failed: false,
        }
    }

    /// Reads a channel's files.
    ///
    /// # Errors
    /// [`ChannelError`] when one cannot be read.
    pub(super) fn read(
        channel: &Channel,
        source: Source,
        limits: ChannelLimits,
    ) -> Result<Self, ChannelError> {
        // Before the files are read: what is written meanwhile is read again.
        let stamps = stamps(&source);
        let (loaded, hash) =
            load(channel, &source, &limits).map_err(|reason| error(channel, reason))?;
        Ok(Self {
            contents: Contents::new(&loaded, channel),
            channel: channel.clone(),
            source,
            stamps,
            loaded,
            hash,
            has_failed: false,
        })
    }

    /// Adds what the files hold and how they are read.
    pub(super) fn hashed_into(&self, mut hash: ContentHash) -> ContentHash {
        let Channel {
            name,
            is_flipped,
            is_srgb,
            ..
        } = &self.channel;
        let kind = match &self.source {
            Source::Noise(kind, side) => format!("{kind:?} {side}"),
            other => other.kind().to_owned(),
        };
        let read = format!("{name} {kind} {is_flipped} {is_srgb}");
        hash = hash.with(read.as_bytes()).with(self.hash.hex().as_bytes());
        if let Loaded::Video(path, _) = &self.loaded {
            hash = with_file(hash, path);
        }
        hash
    }

    /// True if it is read from the same files in the same way, and they are unchanged.
    pub(super) fn is_still(&self, channel: &Channel, source: &Source) -> bool {
        let how = |channel: &Channel| (channel.shape, channel.is_flipped, channel.is_srgb);
        self.source == *source
            && how(&self.channel) == how(channel)
            && self.stamps.iter().all(Option::is_some)
            && self.stamps == stamps(source)
    }

    /// Has the texels at a time in seconds decoded, beside what the caller does; true if
    /// [`Self::texels_at`] gives them without waiting.
    ///
    /// # Errors
    /// [`ChannelError`] when they cannot be decoded, once.
    pub(super) fn prepare(&mut self, time: f64) -> Result<bool, ChannelError> {
        if self.has_failed {
            return Ok(true);
        }
        let is_ready = self.contents.prepare(time);
        is_ready.map_err(|reason| self.failed(reason))
    }

    /// The texels at a time in seconds, if they are others than before.
    ///
    /// # Errors
    /// [`ChannelError`] when they cannot be decoded, once.
    pub(super) fn texels_at(&mut self, time: f64) -> Result<Option<Arc<Texels>>, ChannelError> {
        if self.has_failed {
            return Ok(None);
        }
        let texels = self.contents.texels_at(time);
        texels.map_err(|reason| self.failed(reason))
    }

    fn failed(&mut self, reason: MediaError) -> ChannelError {
        self.has_failed = true;
        let file = self.source.files().into_iter().next();
        error(&self.channel, (file, reason))
    }
}

fn stamps(source: &Source) -> Vec<Option<Stamp>> {
    let files = source.files();
    files.iter().map(|file| file::stamp(file).ok()).collect()
}

pub(super) fn error(
    channel: &Channel,
    (file, reason): (Option<PathBuf>, MediaError),
) -> ChannelError {
    ChannelError {
        channel: channel.name.clone(),
        file,
        reason,
    }
}

/// Adds a file, in parts; what cannot be read counts by its error.
fn with_file(mut hash: ContentHash, path: &Path) -> ContentHash {
    let mut file = match file::open(path) {
        Ok(file) => file,
        Err(error) => return hash.with(error.to_string().as_bytes()),
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
