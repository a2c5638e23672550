//! Buffer state in a file next to a picture or a recording: `a.png.checkpoint` for `a.png`.
//! Those made in the window have one, because nothing else records all earlier input. The
//! file belongs to the snapshot of the picture, or at the start of the recording.

use std::path::{Path, PathBuf};

use super::checkpoint_file::{self, Label};
use super::error::CaptureError;
use super::metadata::with_suffix;
use tarsus_files::FileError;
use tarsus_player::Snapshot;
use tarsus_render::SavedState;
use tarsus_shader::ContentHash;

/// Path of the file next to a picture or recording that holds its buffer state.
pub fn state_path(file: &Path) -> PathBuf {
    with_suffix(file, ".checkpoint")
}

/// Writes the buffer state next to the picture or recording with this snapshot.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write_state(file: &Path, snapshot: &Snapshot, state: &SavedState) -> Result<(), FileError> {
    let label = Label {
        frame: 0,
        identity: identity(snapshot),
        size: state.size,
        passes: state.contents.iter().map(|content| (content.kind, content.size)).collect(),
    };
    checkpoint_file::write(&state_path(file), &label, state)
}

/// Reads the buffer state of the picture or recording with this snapshot; `None` if there is
/// no file next to it.
///
/// # Errors
/// [`CaptureError`] if the file cannot be read or does not belong to the snapshot.
pub fn read_state(file: &Path, snapshot: &Snapshot) -> Result<Option<SavedState>, CaptureError> {
    let path = state_path(file);
    if !path.exists() {
        return Ok(None);
    }
    let identity = identity(snapshot);
    checkpoint_file::read(&path, |found| found.identity == identity).map(Some)
}

fn identity(snapshot: &Snapshot) -> String {
    ContentHash::default().with(snapshot.to_json().as_bytes()).hex()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_render::SavedContent;
    use tarsus_shader::{Buffer, PassKind};

    #[test]
    fn state_belongs_to_one_snapshot() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let state = SavedState {
            size: (3, 2),
            contents: vec![SavedContent {
                kind: PassKind::Buffer(Buffer::B),
                size: (3, 2),
                bytes: (0..96).collect(),
            }],
        };
        let snapshot = Snapshot::default();
        assert_eq!(read_state(&path, &snapshot).expect("nothing there"), None);
        write_state(&path, &snapshot, &state).expect("written");
        assert_eq!(read_state(&path, &snapshot).expect("read"), Some(state));
        let other = Snapshot { samples: 2, ..snapshot.clone() };
        let error = read_state(&path, &other).expect_err("of another picture");
        assert!(error.to_string().contains("a.png.checkpoint"), "{error}");
        std::fs::write(state_path(&path), "").expect("emptied");
        let error = read_state(&path, &snapshot).expect_err("damaged").to_string();
        assert!(error.contains("damaged"), "{error}");
    }
}
