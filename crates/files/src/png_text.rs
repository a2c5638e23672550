//! Reads text chunks of PNG files.

use std::io::BufReader;
use std::path::Path;

use png::text_metadata::ITXtChunk;

use super::error::FileError;
use super::read::open;

/// Maximum size of a text chunk after decompression, in bytes.
pub const MAX_PNG_TEXT_BYTES: u64 = 1 << 20;

/// Memory limit for all chunks of a PNG before its pixels, in bytes.
const MAX_CHUNK_BYTES: usize = 16 << 20;

/// Reads the PNG texts with these keywords, at most [`MAX_PNG_TEXT_BYTES`] each.
///
/// # Errors
/// [`FileError`] if it is not a PNG or a text is larger.
pub fn read_png_texts<const N: usize>(
    path: &Path,
    keywords: [&str; N],
) -> Result<[Option<String>; N], FileError> {
    let failed = |error: png::DecodingError| FileError::read(path, error);
    let limits = png::Limits { bytes: MAX_CHUNK_BYTES };
    let file = BufReader::new(open(path)?);
    let reader = png::Decoder::new_with_limits(file, limits).read_info().map_err(failed)?;
    let mut texts = [const { None }; N];
    for (text, keyword) in texts.iter_mut().zip(keywords) {
        let mut chunks = reader.info().utf8_text.iter();
        let chunk = chunks.find(|chunk| chunk.keyword == keyword);
        *text = chunk.map(decode_png_text).transpose().map_err(failed)?;
    }
    Ok(texts)
}

/// Decompresses the text of a chunk within a limit, since it may expand a thousandfold.
///
/// # Errors
/// If the text is damaged or larger than [`MAX_PNG_TEXT_BYTES`].
pub fn decode_png_text(chunk: &ITXtChunk) -> Result<String, png::DecodingError> {
    let mut chunk = chunk.clone();
    chunk.decompress_text_with_limit(MAX_PNG_TEXT_BYTES as usize)?;
    chunk.get_text()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        write(MAX_PNG_TEXT_BYTES as usize);
        let texts = read_png_texts(&path, ["tarsus", "other"]).expect("texts");
        assert_eq!(texts[0].as_ref().map(String::len), Some(1 << 20));
        assert_eq!(texts[1], None);
        write(64 << 20);
        let error = read_png_texts(&path, ["tarsus"]).expect_err("a bomb");
        assert!(error.to_string().contains("bomb.png"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn device_is_rejected() {
        let error = read_png_texts(Path::new("/dev/zero"), ["a"]).expect_err("a device");
        assert!(error.to_string().contains("not a regular file"), "{error}");
    }
}
