//! Numbered files that the window writes. A new file never replaces an existing one: it is
//! renamed to the first free name once it is complete.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempPath;

use tarsus_capture::{Metadata, picture_identity, state_path, write_png, write_state};
use tarsus_files::FileError;
use tarsus_render::{Checkpoint, Gpu, Picture};

/// Writes a picture with its metadata, and next to it the buffer state at that time, if
/// any. Returns the path of the picture.
///
/// # Errors
/// A message, if the picture or its buffer state cannot be written.
pub(in crate::window) fn save_picture(
    series: &FileSeries,
    picture: &Picture,
    metadata: &Metadata,
    buffers: Option<&UnsavedBuffers>,
) -> Result<PathBuf, String> {
    let path = series.save(|path| write_png(path, picture, metadata));
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
    ///
    /// # Errors
    /// A message that begins with the path of `file`, if the state cannot be read back or written.
    pub(in crate::window) fn write(&self, file: &Path, identity: String) -> Result<(), String> {
        let failed =
            |error: &dyn fmt::Display| format!("{} lacks its buffers: {error}", file.display());
        let state = self.state.read(&self.gpu);
        let state =
            state.map_err(|error| failed(&format_args!("cannot read them back: {error}")))?;
        write_state(file, identity, &state).map_err(|error| failed(&error))
    }
}

/// Numbered files of one kind: `folder/stem_001.extension`.
#[derive(Clone, Debug)]
pub(in crate::window) struct FileSeries {
    folder: PathBuf,
    stem: &'static str,
    extension: &'static str,
}

impl FileSeries {
    pub(in crate::window) fn new(
        folder: PathBuf,
        stem: &'static str,
        extension: &'static str,
    ) -> Self {
        Self { folder, stem, extension }
    }

    /// The first path for which neither the file nor its state file exists.
    pub(in crate::window) fn next_path(&self) -> PathBuf {
        let Self { folder, stem, extension } = self;
        let path = |number| folder.join(format!("{stem}_{number:03}.{extension}"));
        // The state of the buffers may outlive its picture or recording.
        let is_taken = |path: &Path| exists(path) || exists(&state_path(path));
        let mut number = 1_u64;
        while is_taken(&path(number)) {
            number += 1;
        }
        path(number)
    }

    /// Writes the next file in a hidden folder, then renames it. Returns its path.
    ///
    /// # Errors
    /// [`FileError`] naming the file and the reason.
    pub(in crate::window) fn save(
        &self,
        write: impl FnOnce(&Path) -> Result<(), FileError>,
    ) -> Result<PathBuf, FileError> {
        let path = self.next_path();
        let failed = |error| FileError::write(&path, error);
        tarsus_files::make_folder(&path)?;
        // Whatever else is written there is deleted with the folder.
        let mut builder = tempfile::Builder::new();
        let folder = builder.prefix(&format!(".{}", self.stem)).tempdir_in(&self.folder);
        let folder = folder.map_err(failed)?;
        let hidden = folder.path().join(self.stem).with_extension(self.extension);
        write(&hidden).map_err(|error| error.at(&path))?;
        let mut part = TempPath::try_from_path(hidden).map_err(failed)?;
        loop {
            let path = self.next_path();
            match part.persist_noclobber(&path) {
                Ok(()) => return Ok(path),
                // Another thread or program has just created it.
                Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => {
                    part = taken.path;
                }
                Err(other) => return Err(failed(other.error)),
            }
        }
    }
}

/// True for a file or a link, even if the link's target is missing.
fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(text: &'static str) -> impl FnOnce(&Path) -> Result<(), FileError> {
        move |path| std::fs::write(path, text).map_err(|error| FileError::write(path, error))
    }

    fn series(folder: &Path, stem: &'static str, extension: &'static str) -> FileSeries {
        FileSeries::new(folder.to_owned(), stem, extension)
    }

    #[test]
    fn next_path_has_no_file_or_state() {
        let folder = tempfile::tempdir().expect("folder");
        let at = |name: &str| folder.path().join(name);
        let series = series(folder.path(), "recording", "json");
        assert_eq!(series.next_path(), at("recording_001.json"));
        std::fs::write(at("recording_001.json"), "theirs").expect("written");
        // The buffers of a recording that was deleted.
        std::fs::write(at("recording_002.json.checkpoint"), "").expect("written");
        assert_eq!(series.next_path(), at("recording_003.json"));
    }

    #[test]
    fn parallel_writers_get_different_names() {
        let folder = tempfile::tempdir().expect("folder");
        let series = series(folder.path(), "a", "txt");
        let names: std::collections::BTreeSet<PathBuf> = std::thread::scope(|scope| {
            let writers: Vec<_> =
                (0..8).map(|_| scope.spawn(|| series.save(write("ours")))).collect();
            writers.into_iter().map(|one| one.join().expect("ended").expect("written")).collect()
        });
        assert_eq!(names.len(), 8);
    }

    #[test]
    fn failed_write_names_the_file_and_leaves_none() {
        let folder = tempfile::tempdir().expect("folder");
        let series = series(folder.path(), "film", "mp4");
        let fill = |path: &Path| {
            std::fs::write(path.with_extension("part"), "half").expect("written");
            Err(FileError::write(path, io::ErrorKind::StorageFull))
        };
        let error = series.save(fill).expect_err("no space").to_string();
        assert!(error.contains(&series.next_path().display().to_string()), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("folder").count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn dangling_link_is_not_replaced() {
        let folder = tempfile::tempdir().expect("folder");
        for name in ["a_001.txt", "a_002.txt.checkpoint"] {
            std::os::unix::fs::symlink("missing", folder.path().join(name)).expect("a link");
        }
        let path = series(folder.path(), "a", "txt").save(write("ours")).expect("written");
        assert_eq!(path, folder.path().join("a_003.txt"));
    }

    #[test]
    fn existing_file_is_not_replaced() {
        let folder = tempfile::tempdir().expect("folder");
        let first = folder.path().join("a_001.txt");
        std::fs::write(&first, "theirs").expect("written");
        std::fs::write(folder.path().join("a_002.txt.checkpoint"), "theirs").expect("written");
        let path = series(folder.path(), "a", "txt").save(write("ours")).expect("written");
        let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
        assert_eq!(read(&first), "theirs");
        assert_eq!(path, folder.path().join("a_003.txt"), "its state would replace theirs");
        assert_eq!(read(&path), "ours");
        let files = std::fs::read_dir(folder.path()).expect("folder").count();
        assert_eq!(files, 3, "no hidden file stays");
    }
}
