//! Reads PNG files within limits of memory.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use tarsus_files::FileError;

/// Maximum size of a text chunk after decompression, in bytes.
pub(super) const MAX_TEXT_BYTES: u64 = 1 << 20;

/// Memory limit for all chunks of a PNG before its pixels, in bytes.
const MAX_CHUNK_BYTES: usize = 16 << 20;

/// Opens the PNG at `path`.
pub(super) fn open(path: &Path) -> Result<png::Decoder<BufReader<File>>, FileError> {
    let limits = png::Limits { bytes: MAX_CHUNK_BYTES };
    Ok(png::Decoder::new_with_limits(BufReader::new(tarsus_files::open(path)?), limits))
}

/// The text with this keyword, decompressed within a limit, since it may expand a thousandfold.
pub(super) fn text(
    info: &png::Info<'_>,
    keyword: &str,
) -> Result<Option<String>, png::DecodingError> {
    let Some(chunk) = info.utf8_text.iter().find(|chunk| chunk.keyword == keyword) else {
        return Ok(None);
    };
    let mut chunk = chunk.clone();
    chunk.decompress_text_with_limit(MAX_TEXT_BYTES as usize)?;
    chunk.get_text().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metadata;
    use png::text_metadata::ITXtChunk;

    #[test]
    fn decompression_bomb_is_rejected() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("bomb.png");
        let write = |length: usize| {
            let file = std::fs::File::create(&path).expect("file");
            let mut encoder = png::Encoder::new(file, 1, 1);
            encoder.set_color(png::ColorType::Grayscale);
            let mut writer = encoder.write_header().expect("header");
            let mut chunk = ITXtChunk::new("tarsus", "a".repeat(length));
            chunk.compress_text().expect("compressed");
            writer.write_text_chunk(&chunk).expect("text");
            writer.write_image_data(&[0]).expect("pixel");
        };
        write(MAX_TEXT_BYTES as usize);
        let metadata = Metadata::read(&path).expect("texts");
        assert_eq!(metadata.snapshot.as_ref().map(String::len), Some(1 << 20));
        assert_eq!(metadata.hash, None);
        write(64 << 20);
        let error = Metadata::read(&path).expect_err("a bomb");
        assert!(error.to_string().contains("bomb.png"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn device_is_rejected() {
        let error = Metadata::read(Path::new("/dev/zero")).expect_err("a device");
        assert!(error.to_string().contains("not a regular file"), "{error}");
    }
}
