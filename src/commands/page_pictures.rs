//! The pictures of a scene's channels, as addresses that hold them: a page carries them
//! in itself.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};

use tarsus::shader::{ChannelSource, Program};

/// Most bytes of a picture that a page carries.
const PICTURE_BYTES: u64 = 16 << 20;

/// The pictures that the program's channels show, by the name of the channel, as
/// addresses that hold them. What a page cannot show is told.
pub(super) fn pictures(program: &Program) -> Map<String, Value> {
    let mut pictures = Map::new();
    for channel in &program.channels {
        let file = match &channel.source {
            ChannelSource::Image(file) => file,
            ChannelSource::Cube(_)
            | ChannelSource::Volume(_)
            | ChannelSource::Video(_)
            | ChannelSource::Sound(_) => {
                let (name, source) = (&channel.name, &channel.source);
                eprintln!("note: the channel `{name}` ({source}) is black on the page");
                continue;
            }
            _ => continue,
        };
        let path = channel
            .folder
            .as_deref()
            .unwrap_or(Path::new(""))
            .join(file);
        match picture(&path) {
            Ok(url) => drop(pictures.insert(channel.name.clone(), url.into())),
            Err(error) => eprintln!(
                "note: the channel `{}` is black on the page: {error:#}",
                channel.name
            ),
        }
    }
    pictures
}

fn picture(path: &Path) -> Result<String> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let kind = match ending.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "bmp" => "image/bmp",
        _ => anyhow::bail!("browsers do not read {}", path.display()),
    };
    tarsus::capture::reader::check(path, PICTURE_BYTES)?;
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(data_url(kind, &bytes))
}

/// An address that holds a file (RFC 2397).
pub(super) fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", base64(bytes))
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let mut three = [0; 3];
        three[..part.len()].copy_from_slice(part);
        let [a, b, c] = three.map(u32::from);
        let bits = a << 16 | b << 8 | c;
        for place in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= part.len() {
                char::from(sign)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_specification() {
        // RFC 4648, section 10.
        for (plain, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), expected);
        }
        assert_eq!(data_url("a/b", &[0xff, 0xef]), "data:a/b;base64,/+8=");
    }
}
