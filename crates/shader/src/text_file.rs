//! Reads the source of a scene or module from a file.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::limits::MAX_BYTES;

/// Byte order mark, which some editors write at the start of UTF-8 files.
const MARK: char = '\u{feff}';

/// Reads a UTF-8 text from a regular file, without a byte order mark.
///
/// # Errors
/// Returns the reason, worded to follow "cannot read FILE: ".
pub(super) fn read(path: &Path) -> Result<String, String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let most = MAX_BYTES as u64;
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!(
            "it has {} bytes and the limit is {most}",
            about.len().max(most + 1)
        ));
    }
    decode(bytes)
}

/// Removes a leading byte order mark from `text`.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

fn decode(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("it is UTF-16: save it as UTF-8".to_owned());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(without_mark(&text).to_owned()),
        Err(error) => Err(format!(
            "it is not text: byte {} is not UTF-8",
            error.utf8_error().valid_up_to() + 1
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decode_skips_bom_and_rejects_utf16() {
        assert_eq!(decode(b"\xef\xbb\xbfa\n".to_vec()), Ok("a\n".to_owned()));
        assert_eq!(decode(b"a".to_vec()), Ok("a".to_owned()));
        for utf16 in [&b"\xff\xfea\0"[..], b"\xfe\xff\0a"] {
            let error = decode(utf16.to_vec()).expect_err("UTF-16");
            assert!(error.contains("UTF-16"), "{error}");
        }
        let error = decode(b"ab\xff".to_vec()).expect_err("not text");
        assert!(error.contains("byte 3"), "{error}");
    }
}
