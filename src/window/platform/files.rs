//! Numbered files that the window writes. A new file never replaces an existing one: its name
//! is reserved before the picture is rendered, and the file is renamed to it only when it is
//! complete and if the name is still free.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;

use tempfile::TempPath;

use tarsus_capture::{
    Metadata, picture_identity, recording_identity, state_path, write_png, write_state,
};
use tarsus_files::FileError;
use tarsus_player::Snapshot;
use tarsus_render::{Checkpoint, Gpu, Picture};

/// Writes a picture with its metadata, and next to it the buffer state at that time, if
/// any. Returns the path of the picture.
///
/// # Errors
/// A message, if the picture or its buffer state cannot be written.
pub(in crate::window) fn save_picture(
    name: &FileName,
    picture: &Picture,
    metadata: &Metadata,
    buffers: Option<&UnsavedBuffers>,
) -> Result<PathBuf, String> {
    let path = name.save(|path| write_png(path, picture, metadata));
    let path = path.map_err(|error| error.to_string())?;
    if let Some(buffers) = buffers {
        buffers.write(&path, picture_identity(metadata))?;
    }
    Ok(path)
}

/// Buffer state on a device, to be saved next to a picture or a recording.
pub(in crate::window) struct UnsavedBuffers {
    pub(in crate::window) state: Checkpoint,
    pub(in crate::window) gpu: Arc<Gpu>,
    /// Hash of the program.
    pub(in crate::window) program_hash: String,
}

impl UnsavedBuffers {
    /// Reads the state back and writes it next to the picture or recording of this identity.
    fn write(&self, file: &Path, identity: String) -> Result<(), String> {
        let state = self.state.read(&self.gpu);
        let state = state.map_err(|error| format!("cannot read the buffers back: {error}"))?;
        write_state(file, identity, &state).map_err(|error| error.to_string())
    }

    /// Writes the state next to the recording, which starts with it at `start`.
    ///
    /// # Errors
    /// A message that begins with the path of the recording, if the state cannot be read back
    /// or written.
    pub(in crate::window) fn save(&self, recording: &Path, start: &Snapshot) -> Result<(), String> {
        let written = self.write(recording, recording_identity(start, &self.program_hash));
        written.map_err(|error| format!("{} lacks its buffers: {error}", recording.display()))
    }
}

/// Lets another program write a file under a hidden name, then renames it; returns its
/// path. Partial output of a failed program is removed.
///
/// # Errors
/// [`FileError`] naming the file and the reason, including an unsuccessful exit status.
pub(in crate::window) fn save_with_program(
    name: &FileName,
    run: impl FnOnce(&Path) -> io::Result<ExitStatus>,
) -> Result<PathBuf, FileError> {
    name.save(|path| {
        let failed = |error| FileError::write(path, error);
        let status = run(path).map_err(failed)?;
        if status.success() { Ok(()) } else { Err(failed(io::Error::other(status.to_string()))) }
    })
}

/// The name of a numbered file: `folder/stem_001.extension`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::window) struct FileName {
    folder: PathBuf,
    stem: &'static str,
    extension: &'static str,
    number: u32,
}

impl FileName {
    /// Path of the file, unless another one of its name appears before it is written.
    pub(in crate::window) fn path(&self) -> PathBuf {
        let Self { stem, extension, number, .. } = self;
        self.folder.join(format!("{stem}_{number:03}.{extension}"))
    }

    /// The first name from this number on for which neither the file nor its state file exists.
    fn first_free(mut self) -> Self {
        // The state of the buffers may outlive its picture or recording.
        while self.path().exists() || state_path(&self.path()).exists() {
            self.number += 1;
        }
        self
    }

    /// Writes the file in a hidden folder, then renames it. Returns its path.
    ///
    /// # Errors
    /// [`FileError`] naming the file and the reason.
    pub(in crate::window) fn save(
        &self,
        write: impl FnOnce(&Path) -> Result<(), FileError>,
    ) -> Result<PathBuf, FileError> {
        let path = self.path();
        tarsus_files::make_folder(&path)?;
        // Whatever else is written there is deleted with the folder.
        let folder = tempfile::Builder::new()
            .prefix(&format!(".{}", self.stem))
            .tempdir_in(&self.folder)
            .map_err(|error| FileError::write(&path, error))?;
        let hidden = folder.path().join(self.stem);
        let hidden = hidden.with_extension(self.extension);
        write(&hidden).map_err(|error| error.at(&path))?;
        self.rename_from(&hidden)
    }

    /// Renames the file at `hidden` to this name, or to a higher number if another program
    /// has meanwhile created a file of that name or its state file. Returns the path.
    fn rename_from(&self, hidden: &Path) -> Result<PathBuf, FileError> {
        let failed = |error| FileError::write(&self.path(), error);
        let mut part = TempPath::try_from_path(hidden).map_err(failed)?;
        let mut name = self.clone();
        loop {
            name = name.first_free();
            let path = name.path();
            match part.persist_noclobber(&path) {
                Ok(()) => return Ok(path),
                Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => {
                    part = taken.path;
                    name.number += 1;
                }
                Err(other) => return Err(failed(other.error)),
            }
        }
    }
}

/// Last reserved numbers of files, by their folder and stem.
#[derive(Debug, Default)]
pub(in crate::window) struct FileNames(BTreeMap<(PathBuf, &'static str), u32>);

impl FileNames {
    /// Reserves the first name of the form `folder/stem_001.extension` for which neither the
    /// file nor its state file exists, above all names reserved before.
    pub(in crate::window) fn reserve(
        &mut self,
        folder: PathBuf,
        stem: &'static str,
        extension: &'static str,
    ) -> FileName {
        let last = self.0.entry((folder.clone(), stem)).or_default();
        let name = FileName { folder, stem, extension, number: *last + 1 }.first_free();
        *last = name.number;
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(text: &'static str) -> impl FnOnce(&Path) -> Result<(), FileError> {
        move |path| std::fs::write(path, text).map_err(|error| FileError::write(path, error))
    }

    #[test]
    fn file_name_is_reserved_once() {
        let folder = tempfile::tempdir().expect("folder");
        let mut names = FileNames::default();
        let mut reserve = || names.reserve(folder.path().to_owned(), "screenshot", "png");
        let (first, second) = (reserve(), reserve());
        assert_eq!(first.path(), folder.path().join("screenshot_001.png"));
        assert_eq!(second.path(), folder.path().join("screenshot_002.png"));

        std::fs::write(folder.path().join("screenshot_003.png"), "theirs").expect("written");
        let fourth = names.reserve(folder.path().to_owned(), "screenshot", "png");
        assert_eq!(fourth.path(), folder.path().join("screenshot_004.png"));
        // The buffers of a recording that was deleted.
        std::fs::write(folder.path().join("recording_001.json.checkpoint"), "").expect("written");
        let other = names.reserve(folder.path().to_owned(), "recording", "json");
        assert_eq!(other.path(), folder.path().join("recording_002.json"));
    }

    #[cfg(unix)]
    #[test]
    fn failed_program_leaves_no_files() {
        let folder = tempfile::tempdir().expect("folder");
        let name = FileNames::default().reserve(folder.path().to_owned(), "film", "mp4");
        let run = |script: &'static str| {
            move |path: &Path| {
                let mut command = std::process::Command::new("/bin/sh");
                command.args(["-c", script, "sh"]).arg(path).status()
            }
        };
        let failed = save_with_program(&name, run("echo half > $1.part; exit 3"));
        let error = failed.expect_err("it failed").to_string();
        assert!(error.contains("film_001.mp4"), "{error}");
        let count = || std::fs::read_dir(folder.path()).expect("folder").count();
        assert_eq!(count(), 0);
        let path = save_with_program(&name, run("echo whole > $1")).expect("a film");
        assert_eq!(path, folder.path().join("film_001.mp4"));
        assert_eq!(std::fs::read_to_string(path).expect("a file"), "whole\n");
        assert_eq!(count(), 1);
    }

    #[test]
    fn write_error_names_the_file() {
        let folder = tempfile::tempdir().expect("folder");
        let name = FileNames::default().reserve(folder.path().to_owned(), "a", "txt");
        let full = |path: &Path| Err(FileError::write(path, io::ErrorKind::StorageFull));
        let error = name.save(full).expect_err("no space").to_string();
        assert!(error.contains(&name.path().display().to_string()), "{error}");
    }

    #[test]
    fn existing_file_is_not_replaced() {
        let folder = tempfile::tempdir().expect("folder");
        let name = FileNames::default().reserve(folder.path().to_owned(), "a", "txt");
        std::fs::write(name.path(), "theirs").expect("written");
        std::fs::write(folder.path().join("a_002.txt.checkpoint"), "theirs").expect("written");
        let path = name.save(write("ours")).expect("written");
        let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
        assert_eq!(read(&name.path()), "theirs");
        assert_eq!(path, folder.path().join("a_003.txt"), "its state would replace theirs");
        assert_eq!(read(&path), "ours");
        let files = std::fs::read_dir(folder.path()).expect("folder").count();
        assert_eq!(files, 3, "no hidden file stays");
    }
}
