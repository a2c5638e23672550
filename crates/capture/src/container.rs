//! Completeness check for videos written by another program: the container must end exactly
//! where the file does and contain everything a player needs. Only top-level headers are
//! read, however long the video is.

use std::io::{self, Read, Seek, SeekFrom};

use thiserror::Error;

/// Reason why a video is incomplete.
#[derive(Debug, Error)]
pub(super) enum Incomplete {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file ends early, or has data after its end.
    #[error("the film is not whole: its parts fill {expected} bytes, the file has {length}")]
    Length {
        /// Length that the parts declare, in bytes.
        expected: u64,
        /// Length of the file, in bytes.
        length: u64,
    },
    /// A part was begun but its length never filled in.
    #[error("the film is not whole: its part `{0}` has no end")]
    Open(String),
    /// A required part is missing.
    #[error("the film is not whole: it has no `{0}`")]
    Missing(&'static str),
    /// The file has another format.
    #[error("the film is not whole: it does not begin as {0}")]
    Kind(&'static str),
}

/// One part of a container: an MP4 box or a Matroska element.
struct Part {
    name: String,
    /// End of the part, in bytes from the start of the file.
    end: u64,
}

/// Checks an MP4 file: its boxes must cover the file exactly and include the index (`moov`)
/// and the media data (`mdat`).
pub(super) fn check_mp4(file: &mut (impl Read + Seek)) -> Result<(), Incomplete> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut names = Vec::new();
    let mut at = 0;
    while at < length {
        let part = mp4_box(file, at, length)?;
        at = part.end;
        names.push(part.name);
        if names[0] != "ftyp" {
            return Err(Incomplete::Kind("MP4"));
        }
    }
    expect_length(at, length)?;
    expect_parts(&names, &["ftyp", "moov", "mdat"])
}

fn mp4_box(file: &mut (impl Read + Seek), at: u64, length: u64) -> Result<Part, Incomplete> {
    let [a, b, c, d, name @ ..] = read::<8>(file, at, length)?;
    let name = String::from_utf8_lossy(&name).into_owned();
    let (size, header) = match u32::from_be_bytes([a, b, c, d]) {
        1 => (u64::from_be_bytes(read::<8>(file, at + 8, length)?), 16),
        size => (u64::from(size), 8),
    };
    if size < header {
        return Err(Incomplete::Open(name));
    }
    let end = at.saturating_add(size);
    Ok(Part { name, end })
}

// Matroska element identifiers, in hexadecimal.
const EBML: &str = "1a45dfa3";
const SEGMENT: &str = "18538067";
const TRACKS: &str = "1654ae6b";
const CLUSTER: &str = "1f43b675";
const CUES: &str = "1c53bb6b";

/// Checks a WebM file: a header, then one segment that ends where the file does, with
/// tracks, clusters and the cues, which are written last.
pub(super) fn check_webm(file: &mut (impl Read + Seek)) -> Result<(), Incomplete> {
    let length = file.seek(SeekFrom::End(0))?;
    let (header, _) = element(file, 0, length)?;
    if header.name != EBML {
        return Err(Incomplete::Kind("WebM"));
    }
    let (segment, mut at) = element(file, header.end, length)?;
    if segment.name != SEGMENT {
        return Err(Incomplete::Kind("WebM"));
    }
    expect_length(segment.end, length)?;
    let mut names = Vec::new();
    while at < length {
        let (part, _) = element(file, at, length)?;
        at = part.end;
        names.push(part.name);
    }
    expect_length(at, length)?;
    for (id, name) in [(TRACKS, "Tracks"), (CLUSTER, "Cluster"), (CUES, "Cues")] {
        if !names.iter().any(|found| found == id) {
            return Err(Incomplete::Missing(name));
        }
    }
    Ok(())
}

/// Reads the element at `at`, named by its identifier. Also returns where its content
/// begins.
fn element(file: &mut (impl Read + Seek), at: u64, length: u64) -> Result<(Part, u64), Incomplete> {
    let (id, after_id) = number(file, at, length)?;
    let name: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let (mut size, content) = number(file, after_id, length)?;
    // The highest set bit marks the length of the number and is not part of its value.
    size[0] &= (0x7f_u16 >> (size.len() - 1)) as u8;
    let value = size
        .iter()
        .fold(0, |value, &byte| value << 8 | u64::from(byte));
    let unknown = (1 << (7 * size.len())) - 1;
    if value == unknown {
        return Err(Incomplete::Open(name));
    }
    let end = content.saturating_add(value);
    Ok((Part { name, end }, content))
}

/// Reads a variable-length number of one to eight bytes; returns its bytes and where they
/// end.
fn number(
    file: &mut (impl Read + Seek),
    at: u64,
    length: u64,
) -> Result<(Vec<u8>, u64), Incomplete> {
    let [first] = read::<1>(file, at, length)?;
    let count = first.leading_zeros() as usize + 1;
    if count > 8 {
        return Err(Incomplete::Kind("WebM"));
    }
    let mut bytes = vec![first];
    for index in 1..count {
        bytes.extend(read::<1>(file, at + index as u64, length)?);
    }
    Ok((bytes, at + count as u64))
}

fn read<const N: usize>(
    file: &mut (impl Read + Seek),
    at: u64,
    length: u64,
) -> Result<[u8; N], Incomplete> {
    let end = at.saturating_add(N as u64);
    if end > length {
        let expected = end;
        return Err(Incomplete::Length { expected, length });
    }
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn expect_length(expected: u64, length: u64) -> Result<(), Incomplete> {
    if expected == length {
        return Ok(());
    }
    Err(Incomplete::Length { expected, length })
}

fn expect_parts(names: &[String], expected: &[&'static str]) -> Result<(), Incomplete> {
    let missing = |name: &&&str| !names.iter().any(|found| found == **name);
    match expected.iter().find(missing) {
        Some(name) => Err(Incomplete::Missing(name)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    fn mp4(parts: &[(&str, usize)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, content) in parts {
            bytes.extend((*content as u32 + 8).to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.resize(bytes.len() + content, 7);
        }
        bytes
    }

    /// A file whose last box has a 64-bit length.
    fn long_mp4() -> Vec<u8> {
        let mut bytes = mp4(&[("ftyp", 4), ("moov", 90)]);
        bytes.extend(1u32.to_be_bytes());
        bytes.extend(b"mdat");
        bytes.extend(36u64.to_be_bytes());
        bytes.extend([0; 20]);
        bytes
    }

    fn matroska(id: &str, content: &[u8]) -> Vec<u8> {
        let id: Vec<u8> = (0..id.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&id[at..at + 2], 16).expect("hex"))
            .collect();
        // The length takes four bytes.
        let size = 0x1000_0000 | content.len() as u32;
        [&id, &size.to_be_bytes()[..], content].concat()
    }

    fn webm() -> Vec<u8> {
        let parts = [(TRACKS, 30), (CLUSTER, 200), (CLUSTER, 99), (CUES, 12)];
        let parts: Vec<u8> = parts
            .iter()
            .flat_map(|(id, length)| matroska(id, &vec![3; *length]))
            .collect();
        [matroska(EBML, &[1; 9]), matroska(SEGMENT, &parts)].concat()
    }

    fn whole(bytes: &[u8]) -> [bool; 2] {
        let mut file = Cursor::new(bytes);
        [check_mp4(&mut file).is_ok(), check_webm(&mut file).is_ok()]
    }

    #[test]
    fn complete_files_pass() {
        let boxes = [("ftyp", 24), ("moov", 700), ("free", 0), ("mdat", 5000)];
        assert_eq!(whole(&mp4(&boxes)), [true, false]);
        assert_eq!(whole(&long_mp4()), [true, false]);
        assert_eq!(whole(&webm()), [false, true]);
    }

    #[test]
    fn truncated_or_extended_files_fail() {
        for bytes in [long_mp4(), webm()] {
            for length in 0..bytes.len() {
                assert_eq!(whole(&bytes[..length]), [false; 2], "{length} bytes");
            }
            assert_eq!(whole(&[&bytes[..], &[0; 9]].concat()), [false; 2], "more");
        }
    }

    #[test]
    fn unfinished_parts_fail() {
        let said = |bytes: &[u8]| {
            let mut file = Cursor::new(bytes);
            check_mp4(&mut file).expect_err("not whole").to_string()
        };
        assert!(said(&mp4(&[("ftyp", 24), ("mdat", 99)])).contains("no `moov`"));
        assert!(said(&mp4(&[("ftyp", 24), ("moov", 99)])).contains("no `mdat`"));
        let open = [
            mp4(&[("ftyp", 4), ("moov", 9)]),
            vec![0, 0, 0, 0],
            b"mdat".to_vec(),
        ];
        assert!(said(&open.concat()).contains("`mdat` has no end"));
        let mut live = webm();
        // The segment length in a live stream that was never finished.
        let at = 4 + 4 + 9 + 4;
        live[at..at + 4].copy_from_slice(&[0x1f, 0xff, 0xff, 0xff]);
        let error = check_webm(&mut Cursor::new(live)).expect_err("not whole");
        assert!(error.to_string().contains("has no end"), "{error}");
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            whole(&bytes);
            whole(&[mp4(&[("ftyp", 4)]), bytes.clone()].concat());
            whole(&[matroska(EBML, &[1; 9]), bytes].concat());
        }
    }
}
