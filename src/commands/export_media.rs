//! Files that the channels of an exported scene read.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::is_same_file;
use anyhow::Result;
use tarsus_files::{FileError, PartFile};
use tarsus_shader::{Channel, Program};

/// Files to copy, by their path in the output folder.
pub(super) struct MediaFiles(BTreeMap<String, PathBuf>);

impl MediaFiles {
    /// Chooses a path in the output folder for the files of all channels, and makes the
    /// channels of `program` name it.
    pub(super) fn choose(program: &mut Program) -> Self {
        let mut files = Self(BTreeMap::new());
        for channel in &mut program.channels {
            let paths = paths(channel);
            let wanted = wanted_names(channel.source.files());
            let mut names = wanted.clone();
            for number in 2.. {
                let mut pairs = names.iter().zip(&paths);
                if pairs.all(|(name, path)| files.0.get(name).is_none_or(|taken| taken == path)) {
                    break;
                }
                names = wanted.iter().map(|name| format!("{number}/{name}")).collect();
            }
            files.0.extend(names.iter().cloned().zip(paths));
            let mut names = names.into_iter();
            channel.source = channel.source.with_files(|_| names.next().unwrap_or_default());
        }
        files
    }

    /// Removes files that are in `folder` already, and those that do not exist. Returns the
    /// errors of the latter.
    pub(super) fn retain_absent(&mut self, folder: &Path) -> Vec<FileError> {
        let mut errors = Vec::new();
        self.0.retain(|name, path| {
            let opened = tarsus_files::open(path).map(drop);
            let is_readable = opened.map_err(|error| errors.push(error)).is_ok();
            is_readable && !is_same_file(path, &folder.join(name))
        });
        errors
    }

    /// Paths in the output folder.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Copies the files to `folder`.
    pub(super) fn copy(&self, folder: &Path) -> Result<()> {
        for (name, path) in &self.0 {
            let target = folder.join(name);
            let mut from = tarsus_files::open(path)?;
            let part = PartFile::create(&target)?;
            let copied = io::copy(&mut from, &mut part.handle()?);
            copied.map_err(|error| FileError::write(&target, error))?;
            part.keep()?;
        }
        Ok(())
    }
}

/// Note about the files that an output without a folder leaves behind.
pub(super) fn note(program: &Program) -> Option<String> {
    let paths = program.channels.iter().flat_map(paths);
    let mut shown: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    shown.sort();
    shown.dedup();
    (!shown.is_empty())
        .then(|| format!("the shader reads files, take them along: {}", shown.join(", ")))
}

/// Paths of the files of a channel.
fn paths(channel: &Channel) -> Vec<PathBuf> {
    let paths = channel.source.files().iter().map(|file| channel.path(file));
    // `components` drops the `.` of `./a.png`.
    paths.map(|path| path.components().collect()).collect()
}

/// Paths of a channel's files in the output folder: those relative to the scene, or just the
/// names of files elsewhere. Faces of a cube get the names that Shadertoy gives them.
fn wanted_names(files: &[String]) -> Vec<String> {
    let names: Vec<String> = files.iter().map(|file| relative(file)).collect();
    let [first, _, ..] = &names[..] else {
        return names;
    };
    match first.rsplit_once('.') {
        Some((stem, ending)) if names.iter().all(|name| name.ends_with(&first[stem.len()..])) => {
            let common = stem.strip_suffix("_0").unwrap_or(stem);
            let others = (1..names.len()).map(|number| format!("{common}_{number}.{ending}"));
            std::iter::once(first.clone()).chain(others).collect()
        }
        _ => names,
    }
}

fn relative(file: &str) -> String {
    let path = Path::new(file);
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let parts: Vec<Component> = parts.collect();
    let is_below = parts.iter().all(|part| matches!(part, Component::Normal(_)));
    let kept = if is_below { &parts[..] } else { &parts[parts.len().saturating_sub(1)..] };
    let kept = kept.iter().map(|part| part.as_os_str().to_string_lossy());
    kept.collect::<Vec<_>>().join("/")
}
