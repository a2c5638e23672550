//! Snapshots in PNG files of the web page: written to a text chunk in the same form as by
//! the native program, and read back. The browser compresses the pixels.
//!
//! PNG: W3C, Portable Network Graphics Specification (Third Edition); iTXt is 11.3.3.4.

/// Keyword of the chunk.
const KEYWORD: &str = "tarsus";
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Image header: 8 bits per component, red, green and blue, no interlacing.
const FORM: [u8; 5] = [8, 2, 0, 0, 0];
/// The filter type `Sub`: every byte is stored as the difference to the previous pixel.
const DIFFERENCE: u8 = 1;
/// Bytes per pixel.
const PIXEL: usize = 3;

/// Returns the bytes that the browser compresses with zlib for [`picture_file`]: the rows
/// of a picture of `width` pixels. The input has red, green, blue and alpha; alpha is
/// dropped.
pub fn rows_to_compress(width: u32, rgba: &[u8]) -> Vec<u8> {
    let row = 4 * width as usize;
    let mut bytes = Vec::with_capacity(rgba.len() / 4 * PIXEL + rgba.len() / row.max(1));
    for row in rgba.chunks_exact(row.max(1)) {
        bytes.push(DIFFERENCE);
        let mut before = [0; PIXEL];
        for pixel in row.as_chunks::<4>().0 {
            let color = [pixel[0], pixel[1], pixel[2]];
            bytes.extend((0..PIXEL).map(|part| color[part].wrapping_sub(before[part])));
            before = color;
        }
    }
    bytes
}

/// Returns a PNG of `size` pixels with its snapshot as JSON. `compressed` is the
/// compressed result of [`rows_to_compress`].
pub fn picture_file(size: (u32, u32), compressed: &[u8], snapshot: &str) -> Vec<u8> {
    let header = [&size.0.to_be_bytes()[..], &size.1.to_be_bytes(), &FORM].concat();
    // No compression, no language, no translated keyword.
    let text = [KEYWORD.as_bytes(), b"\0\0\0\0\0", snapshot.as_bytes()].concat();
    let mut file = SIGNATURE.to_vec();
    for (kind, content) in
        [(b"IHDR", &header[..]), (b"iTXt", &text), (b"IDAT", compressed), (b"IEND", &[])]
    {
        file.extend((content.len() as u32).to_be_bytes());
        let checked = file.len();
        file.extend(kind);
        file.extend(content);
        file.extend(crc(&file[checked..]).to_be_bytes());
    }
    file
}

/// Returns the snapshot in the bytes of a PNG, as JSON. Returns `None` if the bytes are
/// not a PNG written by tarsus.
pub fn snapshot_in(png: &[u8]) -> Option<&str> {
    let mut rest = png.strip_prefix(&SIGNATURE)?;
    loop {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (kind, after) = after.split_first_chunk::<4>()?;
        let (content, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        if let (b"iTXt", Some(text)) = (kind, text_of(content)) {
            return Some(text);
        }
        rest = after.get(4..)?;
    }
}

/// Returns the text of a chunk with our keyword.
fn text_of(content: &[u8]) -> Option<&str> {
    let [0, 0, after @ ..] = content.strip_prefix(KEYWORD.as_bytes())?.strip_prefix(b"\0")? else {
        return None;
    };
    // Skips the language and the translated keyword.
    let text = after.splitn(3, |&byte| byte == 0).nth(2)?;
    std::str::from_utf8(text).ok()
}

/// CRC-32 as defined for PNG (Annex D of the specification).
fn crc(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            let carry = if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
            crc = (crc >> 1) ^ carry;
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use super::*;

    const SNAPSHOT: &str = "{\"scene\":\"é.wgsl\",\"time\":0.1}";

    /// Compresses with an independent implementation.
    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(bytes).expect("compressed");
        out.finish().expect("compressed")
    }

    #[test]
    fn independent_decoder_reads_pixels_and_snapshot() {
        let rgba: Vec<u8> = (0..7 * 5 * 4).map(|at: u32| (at * at % 251) as u8).collect();
        let file = picture_file((7, 5), &zlib(&rows_to_compress(7, &rgba)), SNAPSHOT);
        let decoder = png::Decoder::new(Cursor::new(&file));
        let mut reader = decoder.read_info().expect("a PNG");
        let chunk = &reader.info().utf8_text[0];
        assert_eq!(chunk.keyword, KEYWORD);
        assert_eq!(chunk.get_text().expect("text"), SNAPSHOT);
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("pixels");
        let opaque: Vec<u8> = rgba.chunks(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
        assert_eq!(pixels, opaque);
        assert_eq!(snapshot_in(&file), Some(SNAPSHOT));
    }

    #[test]
    fn pictures_by_other_encoders_are_read() {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 1, 1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.add_itxt_chunk("other".into(), "no".into()).expect("added");
        encoder.add_itxt_chunk(KEYWORD.into(), SNAPSHOT.into()).expect("added");
        let mut writer = encoder.write_header().expect("written");
        writer.write_image_data(&[1, 2, 3]).expect("written");
        writer.finish().expect("written");
        assert_eq!(snapshot_in(&file), Some(SNAPSHOT));
    }

    #[test]
    fn invalid_files_have_no_snapshot() {
        let file = picture_file((1, 1), &zlib(&[0, 1, 2, 3]), SNAPSHOT);
        for length in 0..60 {
            assert_eq!(snapshot_in(&file[..length]), None, "{length} bytes");
        }
        assert_eq!(snapshot_in(b"GIF89a"), None);
        let mut huge = file;
        huge[33..37].copy_from_slice(&[0xff; 4]);
        assert_eq!(snapshot_in(&huge), None);
    }
}
