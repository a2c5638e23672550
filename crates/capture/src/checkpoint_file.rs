//! Checkpoint files: the exact buffer state of a scene after one frame.
//!
//! All numbers are little-endian:
//!
//! ```text
//! "tarsusCP"  version u32
//! frame u32  width u32  height u32  identity, 32 hexadecimal digits
//! number of buffers u32, then for each: kind u32, width u32, height u32
//! the bytes of each buffer
//! checksum of everything before, 32 hexadecimal digits
//! ```
//!
//! The data is not compressed: float pixels hardly shrink, and writing them takes a
//! fraction of the time a frame takes to draw. A file is accepted only if it is complete,
//! undamaged, and matches the expected frame, identity and size; `read_any` accepts any
//! frame and size.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use thiserror::Error;

use tarsus_files::FileError;
use tarsus_render::{SavedContent, SavedState};
use tarsus_shader::{Buffer, CUBE_SIDE, ContentHash, MAX_PICTURE_SIDE, PassKind};

const MAGIC: &[u8; 8] = b"tarsusCP";
const VERSION: u32 = 2;
/// Bytes of a hash in the file, written as hexadecimal digits.
const HASH_BYTES: usize = 32;

/// Identifies a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// The last frame that ran before the state was saved.
    pub frame: u32,
    /// Hash of everything that reached the buffers, and of the adapter.
    pub identity: String,
    /// Width and height of the picture in pixels.
    pub size: (u32, u32),
    /// The pass of each saved buffer and its size in texels, in drawing order.
    pub passes: Vec<(PassKind, (u32, u32))>,
}

/// Error reading a checkpoint.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is damaged, not a checkpoint, or one of another run.
    #[error("cannot use {path}: {reason}")]
    Unusable {
        /// Path of the file.
        path: String,
        /// Reason why it cannot be used.
        reason: &'static str,
    },
}

const DAMAGED: &str = "it is damaged";
const OTHER_RUN: &str =
    "it belongs to another scene, parameters, input, size, frame rate or adapter";

fn unusable(path: &Path, reason: &'static str) -> CheckpointError {
    let path = path.display().to_string();
    CheckpointError::Unusable { path, reason }
}

/// Writes a checkpoint. The file appears under its name only once it is complete.
pub(super) fn write(path: &Path, label: &Label, state: &SavedState) -> Result<(), FileError> {
    let header = header(label);
    tarsus_files::write_with(path, |file| {
        file.write_all(&header)?;
        let mut hash = ContentHash::default().with(&header);
        for content in &state.contents {
            file.write_all(&content.bytes)?;
            hash = hash.with(&content.bytes);
        }
        file.write_all(hash.hex().as_bytes())
    })
}

/// Reads a checkpoint and checks that it matches `label`.
pub(super) fn read(path: &Path, label: &Label) -> Result<SavedState, CheckpointError> {
    let mut file = BufReader::new(tarsus_files::open(path)?);
    if read_label(&mut file, path)? != *label {
        return Err(unusable(path, OTHER_RUN));
    }
    read_state(file, path, label)
}

/// Reads a checkpoint with this identity, whatever its frame and size.
pub(super) fn read_any(path: &Path, identity: &str) -> Result<SavedState, CheckpointError> {
    let mut file = BufReader::new(tarsus_files::open(path)?);
    let label = read_label(&mut file, path)?;
    if label.identity != identity {
        return Err(unusable(path, OTHER_RUN));
    }
    read_state(file, path, &label)
}

/// Converts a read error. An unexpected end of file means that the file is damaged.
fn failed(path: &Path, error: io::Error) -> CheckpointError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => unusable(path, DAMAGED),
        _ => FileError::read(path, error).into(),
    }
}

/// Reads everything before the buffer data.
fn read_label(file: &mut impl Read, path: &Path) -> Result<Label, CheckpointError> {
    let failed = |error| failed(path, error);
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic).map_err(failed)?;
    if magic != *MAGIC {
        return Err(unusable(path, "it is not a tarsus checkpoint"));
    }
    if read_number(file).map_err(failed)? != VERSION {
        return Err(unusable(path, "another version of tarsus wrote it"));
    }
    let [frame, width, height] = [
        read_number(file).map_err(failed)?,
        read_number(file).map_err(failed)?,
        read_number(file).map_err(failed)?,
    ];
    if width.max(height) > MAX_PICTURE_SIDE {
        return Err(unusable(path, DAMAGED));
    }
    let mut identity = [0; HASH_BYTES];
    file.read_exact(&mut identity).map_err(failed)?;
    let mut label = Label {
        frame,
        identity: String::from_utf8_lossy(&identity).into_owned(),
        size: (width, height),
        passes: Vec::new(),
    };
    for _ in 0..read_number(file).map_err(failed)? {
        let [code, width, height] = [
            read_number(file).map_err(failed)?,
            read_number(file).map_err(failed)?,
            read_number(file).map_err(failed)?,
        ];
        let sides = match pass_from_code(code) {
            Some(PassKind::Cube) => CUBE_SIDE..=CUBE_SIDE,
            _ => 1..=MAX_PICTURE_SIDE,
        };
        let is_known = |&kind: &PassKind| label.passes.iter().all(|(other, _)| *other != kind);
        let kind = pass_from_code(code).filter(is_known);
        let Some(kind) = kind.filter(|_| sides.contains(&width) && sides.contains(&height)) else {
            return Err(unusable(path, DAMAGED));
        };
        label.passes.push((kind, (width, height)));
    }
    Ok(label)
}

fn read_number(file: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Reads the buffer data that `label` describes.
fn read_state(
    mut file: BufReader<File>,
    path: &Path,
    label: &Label,
) -> Result<SavedState, CheckpointError> {
    let length = file.get_ref().metadata().map(|metadata| metadata.len());
    let length = length.map_err(|error| FileError::read(path, error))?;
    let failed = |error| failed(path, error);
    let header = header(label);
    // A corrupt header must not cause a large allocation.
    if length != file_bytes(label) {
        return Err(unusable(path, DAMAGED));
    }
    let mut hash = ContentHash::default().with(&header);
    let mut contents = Vec::new();
    for &(kind, size) in &label.passes {
        let mut bytes = vec![0; SavedState::content_bytes(kind, size) as usize];
        file.read_exact(&mut bytes).map_err(failed)?;
        hash = hash.with(&bytes);
        contents.push(SavedContent { kind, size, bytes });
    }
    let mut checksum = [0; HASH_BYTES];
    file.read_exact(&mut checksum).map_err(failed)?;
    if checksum != *hash.hex().as_bytes() {
        return Err(unusable(path, DAMAGED));
    }
    Ok(SavedState { size: label.size, contents })
}

/// Size of a checkpoint file in bytes.
fn file_bytes(label: &Label) -> u64 {
    let contents = label.passes.iter();
    let contents: u64 = contents.map(|&(kind, size)| SavedState::content_bytes(kind, size)).sum();
    (header(label).len() + HASH_BYTES) as u64 + contents
}

fn header(label: &Label) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    let (width, height) = label.size;
    for number in [VERSION, label.frame, width, height] {
        header.extend(number.to_le_bytes());
    }
    header.extend(label.identity.as_bytes());
    header.extend((label.passes.len() as u32).to_le_bytes());
    for &(kind, (width, height)) in &label.passes {
        for number in [pass_code(kind), width, height] {
            header.extend(number.to_le_bytes());
        }
    }
    header
}

/// Code of a pass in the file. Codes are part of the format and must never change.
fn pass_code(kind: PassKind) -> u32 {
    match kind {
        PassKind::Buffer(buffer) => buffer.index() as u32,
        PassKind::Cube => 4,
        PassKind::Image => 5,
        PassKind::Sound => 6,
        PassKind::PerFrame => 7,
    }
}

/// Inverse of [`pass_code`], for passes whose state is saved.
fn pass_from_code(number: u32) -> Option<PassKind> {
    let buffers = Buffer::ALL.map(PassKind::Buffer);
    let mut kinds = buffers.into_iter().chain([PassKind::Cube]);
    kinds.find(|kind| pass_code(*kind) == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label() -> Label {
        Label {
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
        read(path, label).expect_err("not taken").to_string()
    }

    #[test]
    fn checkpoint_round_trips_exactly() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("deep/frame_00599.checkpoint");
        write(&path, &label(), &state()).expect("written");
        assert_eq!(read(&path, &label()).expect("read"), state());
        let length = std::fs::metadata(&path).expect("a file").len();
        assert_eq!(length, file_bytes(&label()));
        assert_eq!(read_any(&path, &label().identity).expect("read"), state());
    }

    #[test]
    fn checkpoint_of_other_run_is_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        write(&path, &label(), &state()).expect("written");
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
            let is_taken = read_any(&path, &other.identity).is_ok();
            assert_eq!(is_taken, other.identity == label().identity, "{other:?}");
        }
    }

    #[test]
    fn damaged_checkpoint_is_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        write(&path, &label(), &state()).expect("written");
        let whole = std::fs::read(&path).expect("bytes");
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).expect("cut");
            assert!(reason(&path, &label()).contains("damaged"), "{length}");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            std::fs::write(&path, &changed).expect("changed");
            assert!(read(&path, &label()).is_err(), "byte {at}");
            assert!(read_any(&path, &label().identity).is_err(), "byte {at}");
        }
        std::fs::write(&path, [&whole[..], b"more"].concat()).expect("longer");
        assert!(reason(&path, &label()).contains("damaged"));
    }

    #[test]
    fn foreign_file_is_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "not a checkpoint at all").expect("written");
        assert!(reason(&path, &label()).contains("not a tarsus checkpoint"));
        write(&path, &label(), &state()).expect("written");
        let mut bytes = std::fs::read(&path).expect("bytes");
        bytes[8] = 1;
        std::fs::write(&path, &bytes).expect("written");
        assert!(reason(&path, &label()).contains("another version"));
        assert!(reason(folder.path(), &label()).contains("not a regular file"));
    }
}
