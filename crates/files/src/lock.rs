//! Output locks: one run at a time per output. A lock file next to the pictures encodes in
//! its name what the run writes. The operating system releases the lock however the process
//! ends, so that the lock files of killed runs are recognized.

use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::cleanup::ListedFile;

/// Another run is writing the same pictures.
#[derive(Debug, Error)]
#[error(
    "cannot write {output}: another run of tarsus (process {process}) is writing there; \
     hint: wait for its end, or split the frames with `--shard`"
)]
pub struct Busy {
    /// Destination of the pictures.
    pub output: String,
    /// Process ID of the other run.
    pub process: u32,
}

/// Set of files in a folder that a run writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Hash of the file names: equal for runs with the same output.
    pub names: u64,
    /// Frame numbers, of which the run writes those that leave `remainder` when divided by
    /// `step`.
    pub frames: Range<u32>,
    /// Distance between the frames of the run.
    pub step: u32,
    /// Remainder of the frame numbers.
    pub remainder: u32,
}

/// A held lock, released on drop.
#[derive(Debug)]
pub struct OutputLock {
    path: PathBuf,
    _file: File,
    _listed: ListedFile,
}

const PREFIX: &str = ".tarsus-";
const SUFFIX: &str = ".lock";

impl Claim {
    /// Claims all of `frames`; `names` identifies the file names.
    pub fn new(names: &str, frames: Range<u32>) -> Self {
        Self { names: xxh3_64(names.as_bytes()), frames, step: 1, remainder: 0 }
    }

    /// True if both runs may write the same frame.
    fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (&self.frames, &other.frames);
        let has_common = a.start.max(b.start) < a.end.min(b.end);
        let interleaved = self.step == other.step && self.remainder != other.remainder;
        self.names == other.names && has_common && !interleaved
    }

    /// Name of the lock file of `process`, which contains the claim.
    fn file_name(&self, process: u32) -> String {
        let Self { names, frames: Range { start, end }, step, remainder } = self;
        format!("{PREFIX}{process}-{names:016x}-{start}-{end}-{step}-{remainder}{SUFFIX}")
    }

    /// Parses the name of a lock file: its process and the claim.
    fn parse(name: &str) -> Option<(u32, Self)> {
        let fields = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
        let fields: Vec<&str> = fields.split('-').collect();
        let &[process, names, start, end, step, remainder] = &fields[..] else {
            return None;
        };
        let claim = Self {
            names: u64::from_str_radix(names, 16).ok()?,
            frames: start.parse().ok()?..end.parse().ok()?,
            step: step.parse().ok()?,
            remainder: remainder.parse().ok()?,
        };
        Some((process.parse().ok()?, claim))
    }
}

impl OutputLock {
    /// Takes the lock on files in `folder`, and removes lock files of runs that have ended.
    /// Returns `None` if no lock file can be created: then the pictures cannot be created
    /// either, or the file system has no locks. `output` is used in the error message.
    ///
    /// # Errors
    /// [`Busy`] if another run holds a lock on some of the files.
    pub fn take(folder: &Path, claim: &Claim, output: &str) -> Result<Option<Self>, Busy> {
        let _gate = gate(folder);
        for (path, process, other) in lock_files(folder) {
            match try_lock(&path) {
                // Left by a killed run. Failing to remove it does no harm.
                Ok(_) => drop(fs::remove_file(&path)),
                Err(TryLockError::WouldBlock) if claim.overlaps(&other) => {
                    return Err(Busy { output: output.to_owned(), process });
                }
                Err(_) => {}
            }
        }
        Ok(Self::create(folder.join(claim.file_name(std::process::id()))).ok())
    }

    /// Process ID of a run that is writing numbered files to `folder`.
    pub fn writer_of_frames(folder: &Path) -> Option<u32> {
        let mut locks = lock_files(folder).into_iter();
        let (_, process, _) = locks.find(|(path, _, claim)| {
            let is_single_file = claim.frames.end == u32::MAX;
            !is_single_file && matches!(try_lock(path), Err(TryLockError::WouldBlock))
        })?;
        Some(process)
    }

    fn create(path: PathBuf) -> io::Result<Self> {
        let create = || {
            let file = File::create(&path)?;
            file.try_lock()?;
            Ok(file)
        };
        let (file, listed) = ListedFile::create(create, |_| path.clone())?;
        Ok(Self { path, _file: file, _listed: listed })
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

/// Lock files of a folder, with their processes and claims.
fn lock_files(folder: &Path) -> Vec<(PathBuf, u32, Claim)> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let locks = files.filter_map(|file| {
        let (process, claim) = Claim::parse(file.file_name().to_str()?)?;
        Some((file.path(), process, claim))
    });
    locks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A claim on every `step`-th frame, from the one with this remainder.
    fn claim(frames: Range<u32>, step: u32, remainder: u32) -> Claim {
        Claim { step, remainder, ..Claim::new("frame_{}.png", frames) }
    }

    #[test]
    fn overlapping_claims_are_detected() {
        let whole = claim(0..60, 1, 0);
        assert_eq!(Claim::parse(&whole.file_name(7)), Some((7, whole.clone())));
        for (other, overlaps) in [
            (claim(0..60, 1, 0), true),
            (claim(59..70, 1, 0), true),
            (claim(60..70, 1, 0), false),
            (claim(0..60, 4, 1), true),
        ] {
            assert_eq!(whole.overlaps(&other), overlaps, "{other:?}");
            assert_eq!(other.overlaps(&whole), overlaps, "{other:?}");
        }
        assert!(!claim(0..60, 4, 0).overlaps(&claim(0..60, 4, 1)));
        assert!(claim(0..60, 4, 0).overlaps(&claim(0..60, 4, 0)));
        assert!(claim(0..60, 4, 0).overlaps(&claim(0..60, 3, 1)));
        let (stretch, next) = (claim(0..30, 1, 0), claim(30..60, 1, 0));
        assert!(!stretch.overlaps(&next) && whole.overlaps(&next));
        assert!(claim(0..60, 4, 1).overlaps(&next));
        assert!(!whole.overlaps(&claim(9..9, 1, 0)), "no frames");
        let other = Claim { names: 1, ..whole.clone() };
        assert!(!whole.overlaps(&other));
    }

    #[test]
    fn lock_excludes_others_until_dropped() {
        let folder = tempfile::tempdir().expect("folder");
        let take = |remainder| OutputLock::take(folder.path(), &claim(0..9, 2, remainder), "out");
        let first = take(0).expect("free").expect("a lock");
        let second = take(1).expect("other frames").expect("a lock");
        let busy = take(0).expect_err("taken");
        assert_eq!(busy.process, std::process::id());
        assert!(busy.to_string().contains("cannot write out: another run"));
        let writer = || OutputLock::writer_of_frames(folder.path());
        assert_eq!(writer(), Some(std::process::id()));
        drop((first, second));
        assert_eq!(writer(), None);
        let video = OutputLock::take(folder.path(), &claim(0..u32::MAX, 1, 0), "out");
        assert_eq!(writer(), None, "a single file");
        drop(video);
        assert_eq!(lock_files(folder.path()).len(), 0);
        assert!(take(0).expect("free").is_some());
    }

    #[test]
    fn stale_lock_is_removed() {
        let folder = tempfile::tempdir().expect("folder");
        let claim = claim(0..9, 1, 0);
        let left = folder.path().join(claim.file_name(7));
        fs::write(&left, "").expect("written");
        assert!(OutputLock::take(folder.path(), &claim, "out").expect("free").is_some());
        assert!(!left.exists());
    }
}
