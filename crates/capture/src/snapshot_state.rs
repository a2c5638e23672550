//! Buffer state at the time a picture was taken, in a file next to it: `a.png.checkpoint`
//! for `a.png`. Pictures taken in the window have one, because nothing else records all
//! earlier input. The file belongs to the snapshot stored in the picture.

use std::path::{Path, PathBuf};

use super::checkpoint_file::{self, Label};
use super::error::CaptureError;
use super::metadata::{Metadata, with_suffix};
use tarsus_files::FileError;
use tarsus_render::SavedState;
use tarsus_shader::ContentHash;

/// Path of the file next to `picture` that holds its buffer state.
pub fn state_path(picture: &Path) -> PathBuf {
    with_suffix(picture, ".checkpoint")
}

/// Writes the buffer state next to the picture with this metadata.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write_state(
    picture: &Path,
    metadata: &Metadata,
    state: &SavedState,
) -> Result<(), FileError> {
    let label = Label {
        frame: 0,
        identity: identity(metadata),
        size: state.size,
        passes: state.contents.iter().map(|content| (content.kind, content.size)).collect(),
    };
    checkpoint_file::write(&state_path(picture), &label, state)
}

/// Reads the buffer state of `picture`; `None` if there is no file next to it.
///
/// # Errors
/// [`CaptureError`] if the file cannot be read or does not belong to the picture.
pub fn read_state(picture: &Path) -> Result<Option<SavedState>, CaptureError> {
    let path = state_path(picture);
    if !path.exists() {
        return Ok(None);
    }
    let identity = identity(&Metadata::read(picture)?);
    checkpoint_file::read(&path, |found| found.identity == identity).map(Some)
}

/// Hash of the snapshot of a picture.
fn identity(metadata: &Metadata) -> String {
    let snapshot = metadata.snapshot.as_deref().unwrap_or_default();
    ContentHash::default().with(snapshot.as_bytes()).hex()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_png;
    use tarsus_render::{Picture, SavedContent};
    use tarsus_shader::{Buffer, PassKind};

    fn metadata(snapshot: &str) -> Metadata {
        Metadata { snapshot: Some(snapshot.to_owned()), hash: None }
    }

    #[test]
    fn state_belongs_to_one_picture() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let picture = Picture { width: 3, height: 2, rgba: vec![9; 24] };
        let state = SavedState {
            size: (3, 2),
            contents: vec![SavedContent {
                kind: PassKind::Buffer(Buffer::B),
                size: (3, 2),
                bytes: (0..96).collect(),
            }],
        };
        write_png(&path, &picture, &metadata("{}")).expect("written");
        assert_eq!(read_state(&path).expect("nothing there"), None);
        write_state(&path, &metadata("{}"), &state).expect("written");
        assert_eq!(read_state(&path).expect("read"), Some(state));
        write_png(&path, &picture, &metadata("{ }")).expect("written");
        let error = read_state(&path).expect_err("of another picture");
        assert!(error.to_string().contains("a.png.checkpoint"), "{error}");
        std::fs::write(state_path(&path), "").expect("emptied");
        let error = read_state(&path).expect_err("damaged").to_string();
        assert!(error.contains("damaged"), "{error}");
    }
}
