//! Reads untrusted files: regular files only, and never more than a size limit.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::Path;

use png::text_metadata::ITXtChunk;

use super::files::FileError;

/// Maximum size of a scene file, in bytes.
pub const SCENE_BYTES: u64 = 16 << 20;
/// Maximum size of a recording, in bytes: enough for millions of events.
pub const TIMELINE_BYTES: u64 = 256 << 20;
/// Maximum size of a metadata text or file, in bytes.
pub const METADATA_BYTES: u64 = 1 << 20;

/// Memory limit for all chunks of a PNG before its pixels, in bytes.
const PNG_BYTES: usize = 16 << 20;

/// Opens a regular file. Pipes and devices are rejected before they are opened: a pipe
/// would wait for a writer, a device may have no end.
///
/// # Errors
/// [`FileError`] if it is not a regular file or cannot be opened.
pub fn open(path: &Path) -> Result<File, FileError> {
    let failed = |error: io::Error| FileError::read(path, error);
    check_kind(&path.metadata().map_err(failed)?).map_err(failed)?;
    let file = File::open(path).map_err(failed)?;
    // The path may refer to another file by now.
    check_kind(&file.metadata().map_err(failed)?).map_err(failed)?;
    Ok(file)
}

fn check_kind(metadata: &std::fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::other("it is not a regular file"))
}

/// Checks that `path` is a regular file of at most `limit` bytes.
///
/// # Errors
/// [`FileError`] if it is not.
pub fn check(path: &Path, limit: u64) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::read(path, error);
    let metadata = path.metadata().map_err(failed)?;
    check_kind(&metadata).map_err(failed)?;
    if metadata.len() > limit {
        return Err(failed(too_large(limit)));
    }
    Ok(())
}

/// Reads a text file of at most `limit` bytes and strips its byte order mark.
///
/// # Errors
/// [`FileError`] if it is not a regular file, is larger, or is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileError> {
    let failed = |error: io::Error| FileError::read(path, error);
    let mut bytes = Vec::new();
    let mut file = open(path)?.take(limit + 1);
    file.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(failed(too_large(limit)));
    }
    decode(bytes).map_err(failed)
}

fn too_large(limit: u64) -> io::Error {
    let megabytes = limit >> 20;
    io::Error::other(format!("it is larger than {megabytes} MiB"))
}

fn decode(mut bytes: Vec<u8>) -> io::Result<String> {
    let invalid = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, reason);
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(invalid("it is UTF-16: save it as UTF-8"));
    }
    if bytes.starts_with(&[0xef, 0xbb, 0xbf]) {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        invalid(&format!("it is not UTF-8 text: byte {at} is wrong"))
    })
}

/// Reads the PNG texts with these keywords, at most [`METADATA_BYTES`] each.
///
/// # Errors
/// [`FileError`] if it is not a PNG or a text is larger.
pub fn png_texts<const N: usize>(
    path: &Path,
    keywords: [&str; N],
) -> Result<[Option<String>; N], FileError> {
    let failed = |error: png::DecodingError| FileError::read(path, error);
    let limits = png::Limits { bytes: PNG_BYTES };
    let file = BufReader::new(open(path)?);
    let reader = png::Decoder::new_with_limits(file, limits)
        .read_info()
        .map_err(failed)?;
    let mut texts = [const { None }; N];
    for (text, keyword) in texts.iter_mut().zip(keywords) {
        let mut chunks = reader.info().utf8_text.iter();
        let chunk = chunks.find(|chunk| chunk.keyword == keyword);
        *text = chunk.map(text_of).transpose().map_err(failed)?;
    }
    Ok(texts)
}

/// Decompresses the text of a chunk within a limit, since it may expand a thousandfold.
pub(super) fn text_of(chunk: &ITXtChunk) -> Result<String, png::DecodingError> {
    let mut chunk = chunk.clone();
    chunk.decompress_text_with_limit(METADATA_BYTES as usize)?;
    chunk.get_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said<T: std::fmt::Debug>(result: Result<T, FileError>) -> String {
        result.expect_err("refused").to_string()
    }

    #[test]
    fn text_is_utf8_with_optional_bom() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.json");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            read_text(&path, 8)
        };
        assert_eq!(read("\u{feff}é".as_bytes()).expect("text"), "é");
        assert_eq!(read(b"12345678").expect("text"), "12345678");
        assert!(said(read(b"123456789")).contains("larger than"));
        assert!(said(read(b"\xff\xfea\0")).contains("UTF-16: save it as UTF-8"));
        assert!(said(read(b"\xfe\xff\0a")).contains("UTF-16"));
        assert!(said(read(b"ab\xff")).contains("byte 2"));
    }

    #[test]
    #[cfg(unix)]
    fn only_regular_files_are_opened() {
        for device in ["/dev/zero", "/dev", "/dev/null"] {
            let path = Path::new(device);
            assert!(said(read_text(path, 8)).contains("not a regular file"));
            assert!(said(check(path, 8)).contains("not a regular file"));
            assert!(said(png_texts(path, ["a"])).contains("not a regular file"));
        }
    }

    #[test]
    fn decompression_bomb_is_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("bomb.png");
        let write = |length: usize| {
            let file = File::create(&path).expect("file");
            let mut encoder = png::Encoder::new(file, 1, 1);
            encoder.set_color(png::ColorType::Grayscale);
            let mut writer = encoder.write_header().expect("header");
            let mut chunk = ITXtChunk::new("tarsus", "a".repeat(length));
            chunk.compress_text().expect("compressed");
            writer.write_text_chunk(&chunk).expect("text");
            writer.write_image_data(&[0]).expect("pixel");
        };
        write(METADATA_BYTES as usize);
        let texts = png_texts(&path, ["tarsus", "other"]).expect("texts");
        assert_eq!(texts[0].as_ref().map(String::len), Some(1 << 20));
        assert_eq!(texts[1], None);
        write(64 << 20);
        assert!(said(png_texts(&path, ["tarsus"])).contains("bomb.png"));
    }
}
