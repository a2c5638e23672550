//! Buffer state in a file next to a picture or recording: `a.png.checkpoint` for `a.png`. The
//! window writes one, because nothing else records all earlier input. The file belongs to the
//! snapshot stored in the picture, or to the first frame of the recording.

use std::path::{Path, PathBuf};

use super::checkpoint_file::{self, Label};
use super::error::CaptureError;
use super::metadata::{Metadata, with_suffix};
use tarsus_files::FileError;
use tarsus_player::Snapshot;
use tarsus_render::SavedState;
use tarsus_shader::{ContentHash, Program};

/// Path of the file next to a picture or recording that holds its buffer state.
pub fn state_path(file: &Path) -> PathBuf {
    with_suffix(file, ".checkpoint")
}

/// Writes the buffer state of a picture or recording of this identity next to `file`.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write_state(file: &Path, identity: String, state: &SavedState) -> Result<(), FileError> {
    checkpoint_file::write(&state_path(file), 0, identity, state)
}

/// Reads the buffer state of `program` next to the picture `file`, or next to the recording
/// `file` that begins at `start`; `None` if there is none.
///
/// # Errors
/// [`CaptureError`] if the state cannot be read or belongs to another picture, recording or
/// program.
pub fn read_state(
    file: &Path,
    start: Option<&Snapshot>,
    program: &Program,
) -> Result<Option<SavedState>, CaptureError> {
    let path = state_path(file);
    if !path.exists() {
        return Ok(None);
    }
    let identity = match start {
        Some(start) => recording_identity(start, &program.hash),
        None => picture_identity(&Metadata::read(file)?),
    };
    // Buffers keep their size while a paused window is resized.
    let is_wanted = |found: &Label| *found == Label::new(program, found.size, 0, identity);
    checkpoint_file::read(&path, is_wanted).map(Some)
}

/// Identity of a picture: the hash of its snapshot.
pub fn picture_identity(metadata: &Metadata) -> String {
    let snapshot = metadata.snapshot.as_deref().unwrap_or_default();
    ContentHash::default().with(snapshot.as_bytes()).hex()
}

/// Identity of a recording: the hash of the program and of the frame that it starts with.
pub fn recording_identity(start: &Snapshot, program_hash: &str) -> String {
    let (width, height) = start.size;
    ContentHash::default()
        .with(program_hash.as_bytes())
        .with(&start.state.time.to_bits().to_le_bytes())
        .with(&start.state.index.to_le_bytes())
        .with(&width.to_le_bytes())
        .with(&height.to_le_bytes())
        .hex()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::program;
    use crate::write_png;
    use tarsus_render::{Picture, SavedContent};
    use tarsus_shader::{Buffer, PassKind};

    fn metadata(snapshot: &str) -> Metadata {
        Metadata { snapshot: Some(snapshot.to_owned()), hash: None }
    }

    fn program_with(buffer: &str) -> Program {
        let body = "(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }";
        program(&format!("fn {buffer}{body}\nfn main_image{body}\n"))
    }

    fn state() -> SavedState {
        SavedState {
            size: (3, 2),
            contents: vec![SavedContent {
                kind: PassKind::Buffer(Buffer::B),
                size: (3, 2),
                bytes: (0..96).collect(),
            }],
        }
    }

    #[test]
    fn state_belongs_to_one_recording_and_program() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.json");
        let (program, mut start) = (program_with("buffer_b"), Snapshot::default());
        let mut other = program_with("buffer_b");
        other.hash = "other".to_owned();
        let read = |start: &Snapshot, program: &Program| read_state(&path, Some(start), program);
        assert_eq!(read(&start, &program).expect("nothing there"), None);
        let own = recording_identity(&start, &program.hash);
        write_state(&path, own, &state()).expect("written");
        assert_eq!(read(&start, &program).expect("read"), Some(state()));
        let error = read(&start, &other).expect_err("of another program");
        assert!(error.to_string().contains("a.json.checkpoint"), "{error}");
        start.state.index += 1;
        assert!(read(&start, &program).is_err(), "of another frame");
    }

    #[test]
    fn state_belongs_to_one_picture() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.png");
        let picture = Picture { width: 3, height: 2, rgba: vec![9; 24] };
        let (program, state) = (program_with("buffer_b"), state());
        write_png(&path, &picture, &metadata("{}")).expect("written");
        let read = |program: &Program| read_state(&path, None, program);
        assert_eq!(read(&program).expect("nothing there"), None);
        write_state(&path, picture_identity(&metadata("{}")), &state).expect("written");
        assert_eq!(read(&program).expect("read"), Some(state));
        let error = read(&program_with("buffer_a")).expect_err("of another scene").to_string();
        assert!(error.contains("belongs to another scene"), "{error}");
        write_png(&path, &picture, &metadata("{ }")).expect("written");
        let error = read(&program).expect_err("of another picture");
        assert!(error.to_string().contains("a.png.checkpoint"), "{error}");
        std::fs::write(state_path(&path), "").expect("emptied");
        let error = read(&program).expect_err("damaged").to_string();
        assert!(error.contains("damaged"), "{error}");
    }
}
