//! Checkpoint files: the exact buffer state of a scene after one frame.
//!
//! ```text
//! label as a line of JSON: version, frame, identity, size, and the pass and size of each buffer
//! the bytes of each buffer
//! checksum of everything before, 32 hexadecimal digits
//! ```
//!
//! The data is not compressed: float pixels hardly shrink, and writing them takes a
//! fraction of the time a frame takes to draw. A file is accepted only if it is complete and
//! undamaged, and its label is wanted.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::CaptureError;
use tarsus_files::FileError;
use tarsus_render::{SavedContent, SavedState, content_bytes};
use tarsus_shader::{ContentHash, MAX_PICTURE_SIDE, PassKind, Program};

const VERSION: u32 = 4;
/// Maximum length of the label in bytes, several times that of any real one.
const MAX_LABEL_BYTES: u64 = 4096;
/// Bytes of a hash in the file, written as hexadecimal digits.
const HASH_BYTES: usize = 32;

/// Identifies a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Label {
    version: u32,
    /// The last frame that ran before the state was saved.
    pub frame: u32,
    /// Hash of everything that reached the buffers, and of the adapter.
    pub identity: String,
    /// Width and height of the picture in pixels.
    pub size: (u32, u32),
    /// The pass of each saved buffer and its size in texels, in drawing order.
    pub passes: Vec<(PassKind, (u32, u32))>,
}

const DAMAGED: &str = "it is damaged, or no checkpoint of tarsus";
const OTHER_RUN: &str = "it belongs to another scene, parameters, input, size, frame rate, \
                         adapter or version of tarsus";

fn unusable(path: &Path, reason: &str) -> CaptureError {
    CaptureError::Failed(format!("cannot use {}: {reason}", path.display()))
}

/// Writes a checkpoint of the state after frame `frame`. The file appears under its name only
/// once it is complete.
pub(super) fn write(
    path: &Path,
    frame: u32,
    identity: String,
    state: &SavedState,
) -> Result<(), FileError> {
    let passes = state.contents.iter().map(|content| (content.kind, content.size)).collect();
    let label = Label { version: VERSION, frame, identity, size: state.size, passes };
    tarsus_files::write_with(path, |file| {
        let mut header = serde_json::to_vec(&label)?;
        header.push(b'\n');
        file.write_all(&header)?;
        let mut hash = ContentHash::default().with(&header);
        for content in &state.contents {
            file.write_all(&content.bytes)?;
            hash = hash.with(&content.bytes);
        }
        file.write_all(hash.hex().as_bytes())
    })
}

/// Reads a checkpoint whose label `is_wanted`.
pub(super) fn read(
    path: &Path,
    is_wanted: impl FnOnce(&Label) -> bool,
) -> Result<SavedState, CaptureError> {
    let file = tarsus_files::open(path)?;
    let length = file.metadata().map_err(|error| FileError::read(path, error))?.len();
    let mut file = BufReader::new(file);
    let (header, label) = read_header(&mut file, path)?;
    if !is_wanted(&label) {
        return Err(unusable(path, OTHER_RUN));
    }
    let sizes = label.passes.iter();
    let sizes = sizes.map(|&(kind, size)| (kind, size, content_bytes(kind, size)));
    let expected: u64 = sizes.clone().map(|(.., bytes)| bytes).sum();
    // A corrupt header must not cause a large allocation.
    if length != (header.len() + HASH_BYTES) as u64 + expected {
        return Err(unusable(path, DAMAGED));
    }
    let mut hash = ContentHash::default().with(&header);
    let mut contents = Vec::new();
    for (kind, size, bytes) in sizes {
        let bytes = read_bytes(&mut file, bytes as usize, path)?;
        hash = hash.with(&bytes);
        contents.push(SavedContent { kind, size, bytes });
    }
    if read_bytes(&mut file, HASH_BYTES, path)? != hash.hex().as_bytes() {
        return Err(unusable(path, DAMAGED));
    }
    Ok(SavedState { size: label.size, contents })
}

/// Reads everything before the buffer data: the bytes, and the label in them.
fn read_header(file: &mut impl BufRead, path: &Path) -> Result<(Vec<u8>, Label), CaptureError> {
    let mut header = Vec::new();
    let read = file.take(MAX_LABEL_BYTES).read_until(b'\n', &mut header);
    read.map_err(|error| FileError::read(path, error))?;
    let is_side = |side: u32| (1..=MAX_PICTURE_SIDE).contains(&side);
    match serde_json::from_slice::<Label>(&header) {
        Ok(label) if is_side(label.size.0) && is_side(label.size.1) => Ok((header, label)),
        _ => Err(unusable(path, DAMAGED)),
    }
}

/// Reads a number of bytes. An unexpected end of file means that the file is damaged.
fn read_bytes(file: &mut impl Read, count: usize, path: &Path) -> Result<Vec<u8>, CaptureError> {
    let mut bytes = vec![0; count];
    match file.read_exact(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(unusable(path, DAMAGED)),
        Err(error) => Err(FileError::read(path, error).into()),
    }
}

impl Label {
    /// Label of the buffers of `program` after frame `frame`, for pictures of `size`.
    pub(super) fn new(program: &Program, size: (u32, u32), frame: u32, identity: String) -> Self {
        let passes = program.state_passes().map(|pass| (pass.kind, pass.size_for(size)));
        Self { version: VERSION, frame, identity, size, passes: passes.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::Buffer;

    fn label() -> Label {
        Label {
            version: VERSION,
            frame: 599,
            identity: ContentHash::default().with(b"run").hex(),
            size: (5, 3),
            passes: vec![
                (PassKind::Buffer(Buffer::A), (5, 3)),
                (PassKind::Buffer(Buffer::C), (2, 4)),
            ],
        }
    }

    fn state() -> SavedState {
        let content = |(kind, size): (PassKind, (u32, u32)), seed: u8| SavedContent {
            kind,
            size,
            bytes: (0..16 * size.0 * size.1).map(|at| (at as u8).wrapping_mul(seed)).collect(),
        };
        let label = label();
        SavedState {
            size: label.size,
            contents: vec![content(label.passes[0], 7), content(label.passes[1], 13)],
        }
    }

    fn reason(path: &Path, label: &Label) -> String {
        read(path, |found| found == label).expect_err("not taken").to_string()
    }

    #[test]
    fn checkpoint_round_trips_exactly() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("deep/frame_00599.checkpoint");
        write(&path, 599, label().identity, &state()).expect("written");
        assert_eq!(read(&path, |found| *found == label()).expect("read"), state());
        assert_eq!(read(&path, |found| found.identity == label().identity).expect("read"), state());
    }

    #[test]
    fn checkpoint_of_other_run_is_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        write(&path, 599, label().identity, &state()).expect("written");
        let identity = ContentHash::default().with(b"another").hex();
        for other in [
            Label { frame: 600, ..label() },
            Label { identity, ..label() },
            Label { size: (3, 5), ..label() },
            Label { passes: label().passes[..1].to_vec(), ..label() },
            Label { passes: vec![label().passes[0], (label().passes[1].0, (4, 2))], ..label() },
        ] {
            let said = reason(&path, &other);
            assert!(said.contains("another scene"), "{other:?}: {said}");
            let is_taken = read(&path, |found| found.identity == other.identity).is_ok();
            assert_eq!(is_taken, other.identity == label().identity, "{other:?}");
        }
    }

    #[test]
    fn damaged_checkpoint_is_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        write(&path, 599, label().identity, &state()).expect("written");
        let whole = std::fs::read(&path).expect("bytes");
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).expect("cut");
            assert!(reason(&path, &label()).contains("damaged"), "{length}");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            std::fs::write(&path, &changed).expect("changed");
            assert!(read(&path, |found| *found == label()).is_err(), "byte {at}");
            assert!(read(&path, |found| found.identity == label().identity).is_err(), "byte {at}");
        }
        std::fs::write(&path, [&whole[..], b"more"].concat()).expect("longer");
        assert!(reason(&path, &label()).contains("damaged"));
    }

    #[test]
    fn foreign_file_is_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "not a checkpoint at all").expect("written");
        assert!(reason(&path, &label()).contains("no checkpoint of tarsus"));
        write(&path, 599, label().identity, &state()).expect("written");
        let other = Label { version: 1, ..label() };
        assert!(reason(&path, &other).contains("version of tarsus"));
        assert!(reason(folder.path(), &label()).contains("not a regular file"));
    }
}
