//! The checkpoints of a run: finding, reading and writing them.

use std::fs;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::checkpoint_file::{self, Label};
use super::error::CaptureError;
use super::pattern::Pattern;
use tarsus_files::FileError;
use tarsus_render::SavedState;
use tarsus_shader::{ContentHash, Program};

/// End of the names of the files.
const SUFFIX: &str = ".checkpoint";

/// Checkpoint settings of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointSettings {
    /// Folder of the checkpoint files.
    pub folder: PathBuf,
    /// True to start from an existing checkpoint.
    pub can_resume: bool,
    /// Frames between written checkpoints; `None` to write none.
    pub interval: Option<NonZeroU32>,
}

/// The checkpoints of one run.
pub(super) struct Checkpoints<'a> {
    pub settings: &'a CheckpointSettings,
    /// Frames after which this run may write a checkpoint.
    pub write_range: Range<u32>,
    /// Hash of program, adapter and driver.
    pub stamp: String,
    /// Size of the pictures in pixels.
    pub size: (u32, u32),
    /// The program whose buffers are stored.
    pub program: &'a Program,
}

impl Checkpoints<'_> {
    /// Frames that have a checkpoint file, in ascending order. Empty if the run does not
    /// start from checkpoints.
    pub(super) fn existing(&self) -> Vec<u32> {
        if !self.settings.can_resume {
            return Vec::new();
        }
        let files = self.files();
        let entries = fs::read_dir(&self.settings.folder).into_iter().flatten();
        let mut existing: Vec<u32> = entries
            .flatten()
            .filter_map(|entry| files.number(entry.file_name().to_str()?))
            .collect();
        existing.sort_unstable();
        existing.dedup();
        existing
    }

    /// Identity of a checkpoint before which input with the hash `history` reached the buffers.
    fn identity(&self, history: &str) -> String {
        ContentHash::default().with(self.stamp.as_bytes()).with(history.as_bytes()).hex()
    }

    /// Reads the checkpoint after frame `number`.
    pub(super) fn read(&self, number: u32, history: &str) -> Result<SavedState, CaptureError> {
        let label = Label::new(self.program, self.size, number, self.identity(history));
        checkpoint_file::read(&self.path(number), |found| *found == label)
    }

    /// True if a checkpoint is due after frame `number`.
    pub(super) fn is_due(&self, number: u32) -> bool {
        let interval = self.settings.interval.map(NonZeroU32::get);
        interval.is_some_and(|interval| {
            self.write_range.contains(&number) && (number + 1).is_multiple_of(interval)
        })
    }

    /// Writes the checkpoint of `state` after frame `number`.
    pub(super) fn write(
        &self,
        number: u32,
        history: &str,
        state: &SavedState,
    ) -> Result<(), FileError> {
        checkpoint_file::write(&self.path(number), number, self.identity(history), state)
    }

    /// Removes partial files that killed runs left behind, where this run may write the
    /// same checkpoint.
    pub(super) fn remove_parts(&self) -> Result<(), FileError> {
        let (folder, files) = (&self.settings.folder, self.files());
        let number = |name: &str| {
            let (name, _) = name.strip_prefix('.')?.split_once(SUFFIX)?;
            files.number(&[name, SUFFIX].concat())
        };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| number(entry.file_name().to_str()?));
        let due: Vec<u32> = numbers.filter(|&number| self.is_due(number)).collect();
        tarsus_files::remove_parts(folder, due.into_iter().map(|number| self.path(number)))
    }

    /// Names of the files. The folder, whose name may not be UTF-8, is no part of them.
    fn files(&self) -> Pattern {
        Pattern::in_folder(Path::new(""), SUFFIX)
    }

    fn path(&self, number: u32) -> PathBuf {
        self.settings.folder.join(self.files().with(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::program;

    const SCENE: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }";

    fn checkpoints<'a>(
        settings: &'a CheckpointSettings,
        write_range: Range<u32>,
        program: &'a Program,
    ) -> Checkpoints<'a> {
        Checkpoints { settings, write_range, stamp: String::new(), size: (1, 1), program }
    }

    #[test]
    fn checkpoints_are_found_by_name() {
        let folder = tempfile::tempdir().expect("folder");
        for name in [
            "frame_00099.checkpoint",
            "frame_00199.checkpoint",
            "frame_123456.checkpoint",
            "frame_0299.checkpoint",
            "frame_-0001.checkpoint",
            ".frame_00399.checkpoint.abc.part",
            "frame_00499.png",
        ] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        let settings = |can_resume| CheckpointSettings {
            folder: folder.path().to_path_buf(),
            can_resume,
            interval: NonZeroU32::new(100),
        };
        let existing = |can_resume| {
            let settings = settings(can_resume);
            checkpoints(&settings, 0..0, &program(SCENE)).existing()
        };
        assert_eq!(existing(true), [99, 199, 123_456]);
        assert!(existing(false).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn folder_name_is_kept_exactly() {
        use std::os::unix::ffi::OsStrExt as _;

        let folder = Path::new(std::ffi::OsStr::from_bytes(b"ck\xff"));
        let settings = CheckpointSettings {
            folder: folder.to_path_buf(),
            can_resume: false,
            interval: NonZeroU32::new(10),
        };
        let path = checkpoints(&settings, 0..0, &program(SCENE)).path(9);
        assert_eq!(path, folder.join("frame_00009.checkpoint"));
    }

    #[test]
    fn own_partial_checkpoints_are_removed() {
        let folder = tempfile::tempdir().expect("folder");
        let part = |number| folder.path().join(format!(".frame_{number}.checkpoint.abc.part"));
        for number in ["00009", "00010", "00039"] {
            fs::write(part(number), "").expect("written");
        }
        let settings = CheckpointSettings {
            folder: folder.path().to_path_buf(),
            can_resume: false,
            interval: NonZeroU32::new(10),
        };
        let program = program(SCENE);
        let remove_parts = |written| checkpoints(&settings, written, &program).remove_parts();
        remove_parts(0..u32::MAX).expect("removed");
        let left = || ["00009", "00010", "00039"].map(|number| part(number).exists());
        assert_eq!(left(), [false, true, false]);
        fs::write(part("00039"), "").expect("written");
        remove_parts(0..30).expect("removed");
        assert_eq!(left(), [false, true, true], "another run may be writing it");
    }

    #[test]
    fn checkpoints_are_due_at_intervals() {
        let settings = CheckpointSettings {
            folder: "nowhere".into(),
            can_resume: false,
            interval: NonZeroU32::new(10),
        };
        let program = program(SCENE);
        let due = |written| {
            let checkpoints = checkpoints(&settings, written, &program);
            let numbers = (0..40).filter(|&number| checkpoints.is_due(number));
            numbers.collect::<Vec<u32>>()
        };
        assert_eq!(due(0..40), [9, 19, 29, 39]);
        assert_eq!(due(15..29), [19]);
    }
}
