//! Output locks: one run at a time per output. A lock file next to the pictures encodes in
//! its name what the run writes. The operating system releases the lock however the process
//! ends, so that the lock files of killed runs are recognized.

use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::cleanup::ListedFile;
use super::shard::Shard;
use tarsus_shader::ContentHash;

/// Another run is writing the same pictures.
#[derive(Debug, Error)]
#[error(
    "cannot write {output}: another run of tarsus (process {process}) is writing there; \
     hint: wait for its end, or share the frames with `--shard`"
)]
pub struct Busy {
    /// Destination of the pictures.
    pub output: String,
    /// Process ID of the other run.
    pub process: u32,
}

/// Set of files that a run writes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Claim {
    /// Folder common to all files.
    pub folder: PathBuf,
    /// Identifies the file names: equal for runs with the same output.
    pub names: String,
    /// Frame numbers, before sharding.
    pub frames: Range<u32>,
    /// Shard of these frames.
    pub shard: Shard,
}

/// A held lock, released on drop.
#[derive(Debug)]
pub(super) struct OutputLock {
    path: PathBuf,
    _file: File,
    _listed: ListedFile,
}

const PREFIX: &str = ".tarsus-";
const SUFFIX: &str = ".lock";

impl Claim {
    /// True if both runs may write the same frame.
    fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (&self.frames, &other.frames);
        let apart = a.end <= b.start || b.end <= a.start || a.is_empty() || b.is_empty();
        let shared = self.shard.count == other.shard.count && self.shard != other.shard;
        self.names == other.names && !apart && !shared
    }

    fn file_name(&self, process: u32) -> String {
        let Self {
            names,
            frames,
            shard,
            ..
        } = self;
        let names = ContentHash::default().with(names.as_bytes()).hex();
        let (start, end) = (frames.start, frames.end);
        let Shard { index, count } = shard;
        format!("{PREFIX}{process}-{names}-{start}-{end}-{index}-{count}{SUFFIX}")
    }

    /// Parses the name of a lock file: its claim, with the names as a hash, and the process
    /// ID.
    fn of_file(folder: &Path, name: &str) -> Option<(Self, u32)> {
        let parts = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
        let parts: Vec<&str> = parts.split('-').collect();
        let [process, names, numbers @ ..] = &parts[..] else {
            return None;
        };
        let numbers: Vec<u32> = numbers
            .iter()
            .filter_map(|text| text.parse().ok())
            .collect();
        let &[start, end, index, count] = &numbers[..] else {
            return None;
        };
        let claim = Self {
            folder: folder.to_path_buf(),
            names: (*names).to_owned(),
            frames: start..end,
            shard: Shard { index, count },
        };
        Some((claim, process.parse().ok()?))
    }

    fn with_hashed_names(&self) -> Self {
        Self {
            names: ContentHash::default().with(self.names.as_bytes()).hex(),
            ..self.clone()
        }
    }
}

impl OutputLock {
    /// Takes the lock, and removes lock files of runs that have ended. Returns `None` if no
    /// lock file can be created: then the pictures cannot be created either, or the file
    /// system has no locks. `output` is used in the error message.
    pub(super) fn take(claim: &Claim, output: &str) -> Result<Option<Self>, Busy> {
        let _gate = gate(&claim.folder);
        let hashed = claim.with_hashed_names();
        for (path, other, process) in lock_files(&claim.folder) {
            match try_lock(&path) {
                // Left by a killed run. Failing to remove it does no harm.
                Ok(_) => drop(fs::remove_file(&path)),
                Err(TryLockError::WouldBlock) if hashed.overlaps(&other) => {
                    let output = output.to_owned();
                    return Err(Busy { output, process });
                }
                Err(_) => {}
            }
        }
        Ok(Self::make(claim).ok())
    }

    fn make(claim: &Claim) -> io::Result<Self> {
        let path = claim.folder.join(claim.file_name(std::process::id()));
        let create = || {
            let file = File::create(&path)?;
            file.try_lock()?;
            Ok(file)
        };
        let (file, listed) = ListedFile::create(create, |_| path.clone())?;
        Ok(Self {
            path,
            _file: file,
            _listed: listed,
        })
    }
}

impl Drop for OutputLock {
    fn drop(&mut self) {
        // The folder may be gone; a leftover file is recognized as stale.
        let _ = fs::remove_file(&self.path);
    }
}

/// Serializes checking the locks and adding one. Where folders cannot be locked, two runs
/// that start within a millisecond may miss each other.
fn gate(folder: &Path) -> Option<File> {
    let gate = File::open(folder).ok()?;
    gate.lock().ok()?;
    Some(gate)
}

fn try_lock(path: &Path) -> Result<File, TryLockError> {
    let file = File::options().write(true).open(path);
    let file = file.map_err(TryLockError::Error)?;
    file.try_lock()?;
    Ok(file)
}

/// Lock files of a folder, with their claims and process IDs.
fn lock_files(folder: &Path) -> Vec<(PathBuf, Claim, u32)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let (claim, process) = Claim::of_file(folder, name.to_str()?)?;
            Some((entry.path(), claim, process))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(folder: &Path, frames: Range<u32>, (index, count): (u32, u32)) -> Claim {
        Claim {
            folder: folder.to_path_buf(),
            names: "frame_{}.png".to_owned(),
            frames,
            shard: Shard { index, count },
        }
    }

    #[test]
    fn overlapping_claims_are_detected() {
        let claim = |frames, shard| claim(Path::new("out"), frames, shard);
        let whole = claim(0..60, (1, 1));
        for (other, overlaps) in [
            (claim(0..60, (1, 1)), true),
            (claim(59..70, (1, 1)), true),
            (claim(60..70, (1, 1)), false),
            (claim(0..60, (2, 4)), true),
        ] {
            assert_eq!(whole.overlaps(&other), overlaps, "{other:?}");
            assert_eq!(other.overlaps(&whole), overlaps, "{other:?}");
        }
        assert!(!claim(0..60, (1, 4)).overlaps(&claim(0..60, (2, 4))));
        assert!(claim(0..60, (1, 4)).overlaps(&claim(0..60, (1, 4))));
        assert!(claim(0..60, (1, 4)).overlaps(&claim(0..60, (2, 3))));
        let (stretch, next) = (claim(0..30, (1, 1)), claim(30..60, (1, 1)));
        assert!(!stretch.overlaps(&next) && whole.overlaps(&next));
        assert!(claim(0..60, (2, 4)).overlaps(&next));
        assert!(
            !whole.overlaps(&claim(9..9, (1, 1))),
            "a share without frames"
        );
        let other = Claim {
            names: "b.png".to_owned(),
            ..whole.clone()
        };
        assert!(!whole.overlaps(&other));
    }

    #[test]
    fn lock_excludes_others_until_dropped() {
        let folder = tempfile::tempdir().expect("folder");
        let take = |shard| OutputLock::take(&claim(folder.path(), 0..9, shard), "out");
        let first = take((1, 2)).expect("free").expect("a lock");
        let second = take((2, 2)).expect("another share").expect("a lock");
        let busy = take((1, 2)).expect_err("taken");
        assert_eq!(busy.process, std::process::id());
        assert!(busy.to_string().contains("cannot write out: another run"));
        drop((first, second));
        assert_eq!(lock_files(folder.path()).len(), 0);
        assert!(take((1, 2)).expect("free").is_some());
    }

    #[test]
    fn stale_lock_is_removed() {
        let folder = tempfile::tempdir().expect("folder");
        let claim = claim(folder.path(), 0..9, (1, 1));
        let left = folder.path().join(claim.file_name(7));
        fs::write(&left, "").expect("written");
        assert!(OutputLock::take(&claim, "out").expect("free").is_some());
        assert!(!left.exists());
    }
}
