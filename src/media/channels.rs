//! All channels of a program.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::contents::{Contents, Loaded, load};
use super::error::{ChannelError, MediaError};
use super::file::{self, Stamp};
use super::limits::ChannelLimits;
use super::source::Source;
use super::stand_in::{Channel, TexelFormat, Texels};
use crate::shader::ContentHash;

/// Bytes of a film that are hashed at a time.
const HASHED_BYTES: u64 = 1 << 20;

/// The contents of a program's channels, by their order in it.
pub struct Channels {
    entries: Vec<Entry>,
    limits: ChannelLimits,
    /// Texels that were ready when another channel failed.
    waiting: BTreeMap<usize, Arc<Texels>>,
}

struct Entry {
    channel: Channel,
    source: Source,
    /// What the files were when they were read.
    stamps: Vec<Option<Stamp>>,
    loaded: Loaded,
    hash: ContentHash,
    contents: Contents,
    /// True once it could not be decoded: then its last texels stay.
    has_failed: bool,
}

/// What a channel holds, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelInfo {
    /// Its name in the scene.
    pub name: String,
    /// The word for its kind in a channel's comment, such as `image`. A file that
    /// replaces another may have another one.
    pub kind: &'static str,
    /// The files that it is read from.
    pub files: Vec<PathBuf>,
    /// Width, height and layers in texels, and what a texel is; `None` for the
    /// keyboard, which the renderer fills.
    pub texels: Option<([u32; 3], TexelFormat)>,
}

impl Channels {
    /// Reads the files of all channels, and decodes all that does not depend on time.
    /// `replacements` are files by names of channels, as `--channel NAME=FILE` gives
    /// them.
    ///
    /// # Errors
    /// [`ChannelError`] of the first channel that has no contents, or when there is
    /// no channel of a name in `replacements`.
    pub fn open(
        channels: &[Channel],
        replacements: &BTreeMap<String, PathBuf>,
        limits: ChannelLimits,
    ) -> Result<Self, ChannelError> {
        Self::open_after(None, channels, replacements, limits)
    }

    /// The same after `self`, for a program that was changed: what is read from the
    /// same files in the same way is not read again, where the files are unchanged.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn reopen(
        &self,
        channels: &[Channel],
        replacements: &BTreeMap<String, PathBuf>,
        limits: ChannelLimits,
    ) -> Result<Self, ChannelError> {
        Self::open_after(Some(self), channels, replacements, limits)
    }

    fn open_after(
        before: Option<&Self>,
        channels: &[Channel],
        replacements: &BTreeMap<String, PathBuf>,
        limits: ChannelLimits,
    ) -> Result<Self, ChannelError> {
        let has = |name: &String| channels.iter().any(|channel| channel.name == *name);
        if let Some(name) = replacements.keys().find(|name| !has(name)) {
            return Err(no_such_channel(name, channels));
        }
        let mut entries: Vec<Option<Entry>> = Vec::new();
        let mut unread = Vec::new();
        for (number, channel) in channels.iter().enumerate() {
            let replacement = replacements.get(&channel.name).map(PathBuf::as_path);
            let source = Source::of(channel, replacement)
                .map_err(|reason| error(channel, (replacement.map(Path::to_path_buf), reason)))?;
            let before = before.filter(|before| before.limits == limits);
            let same = before.and_then(|before| {
                let mut entries = before.entries.iter();
                entries.find(|entry| entry.is_still(channel, &source))
            });
            entries.push(same.map(|entry| entry.for_channel(channel)));
            if same.is_none() {
                unread.push((number, channel, source));
            }
        }
        for (number, entry) in read_all(unread, limits)? {
            entries[number] = Some(entry);
        }
        let entries = entries.into_iter().flatten().collect();
        Ok(Self {
            entries,
            limits,
            waiting: BTreeMap::new(),
        })
    }

    /// The texels that are others than at the last call, with the numbers of their
    /// channels; the first call gives all. `time` is the scene's, in seconds: films
    /// and recordings follow it wherever it goes.
    ///
    /// # Errors
    /// [`ChannelError`] of a film that cannot be decoded, once: its last texels stay
    /// until [`Self::reload`]. The next call gives what the others had.
    pub fn update(&mut self, time: f64) -> Result<Vec<(usize, Arc<Texels>)>, ChannelError> {
        let mut failed = None;
        for (number, entry) in self.entries.iter_mut().enumerate() {
            match entry.texels_at(time) {
                Ok(Some(texels)) => drop(self.waiting.insert(number, texels)),
                Ok(None) => {}
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(std::mem::take(&mut self.waiting).into_iter().collect()),
        }
    }

    /// Reads a file again that has been changed. True if a channel has it.
    ///
    /// # Errors
    /// [`ChannelError`] when it cannot be read now: the channel keeps what it had.
    pub fn reload(&mut self, path: &Path) -> Result<bool, ChannelError> {
        let mut is_read = false;
        for entry in &mut self.entries {
            if entry.source.files().iter().any(|file| file == path) {
                is_read = true;
                let source = entry.source.clone();
                *entry = Entry::read(&entry.channel, source, self.limits)?;
            }
        }
        Ok(is_read)
    }

    /// The files of all channels, to be watched.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<_> = self.entries.iter().flat_map(|e| e.source.files()).collect();
        files.sort();
        files.dedup();
        files
    }

    /// A hash of what all files hold and how they are read. It reads films once more.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hash = ContentHash::default();
        for entry in &self.entries {
            let Channel {
                name,
                is_flipped,
                is_srgb,
                ..
            } = &entry.channel;
            let kind = match &entry.source {
                Source::Noise(kind, side) => format!("{kind:?} {side}"),
                other => other.kind().to_owned(),
            };
            let read = format!("{name} {kind} {is_flipped} {is_srgb}");
            hash = hash.with(read.as_bytes()).with(entry.hash.hex().as_bytes());
            if let Loaded::Video(path, _) = &entry.loaded {
                hash = with_file(hash, path);
            }
        }
        hash.hex()
    }

    /// What a channel holds; `None` where there is no channel of that number.
    #[must_use]
    pub fn info(&self, number: usize) -> Option<ChannelInfo> {
        let entry = self.entries.get(number)?;
        Some(ChannelInfo {
            name: entry.channel.name.clone(),
            kind: entry.source.kind(),
            files: entry.source.files(),
            texels: entry.contents.format(),
        })
    }
}

/// Reads channels, several at once. Their numbers come back with them.
fn read_all(
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
    fn for_channel(&self, channel: &Channel) -> Self {
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

    fn read(
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

    /// True if it is read from the same files in the same way, and they are unchanged.
    fn is_still(&self, channel: &Channel, source: &Source) -> bool {
        let how = |channel: &Channel| (channel.shape, channel.is_flipped, channel.is_srgb);
        self.source == *source
            && how(&self.channel) == how(channel)
            && self.stamps.iter().all(Option::is_some)
            && self.stamps == stamps(source)
    }

    fn texels_at(&mut self, time: f64) -> Result<Option<Arc<Texels>>, ChannelError> {
        if self.has_failed {
            return Ok(None);
        }
        self.contents.texels_at(time).map_err(|reason| {
            self.has_failed = true;
            let file = self.source.files().into_iter().next();
            error(&self.channel, (file, reason))
        })
    }
}

fn stamps(source: &Source) -> Vec<Option<Stamp>> {
    let files = source.files();
    files.iter().map(|file| file::stamp(file).ok()).collect()
}

fn error(channel: &Channel, (file, reason): (Option<PathBuf>, MediaError)) -> ChannelError {
    ChannelError {
        channel: channel.name.clone(),
        file,
        reason,
    }
}

fn no_such_channel(name: &str, channels: &[Channel]) -> ChannelError {
    let names: Vec<_> = channels.iter().map(|channel| &*channel.name).collect();
    let there = match &names[..] {
        [] => "the scene has no channels".to_owned(),
        names => format!("the scene has {}", names.join(", ")),
    };
    ChannelError {
        channel: name.to_owned(),
        file: None,
        reason: MediaError::invalid(format!("there is no channel of that name; {there}")),
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
