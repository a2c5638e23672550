//! Channel contents embedded in a page: files that browsers can decode are embedded
//! unchanged, everything else as texels.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

use tarsus_media::{ChannelLimits, Channels};
use tarsus_render::{TexelFormat, Texels};
use tarsus_shader::{Channel, ChannelSource, Program};

/// Maximum size of an embedded picture in bytes.
const PICTURE_BYTES: u64 = 16 << 20;
/// Maximum size of a channel's texels in bytes, before compression.
const TEXEL_BYTES: usize = 64 << 20;
/// Limits that every browser supports.
const LIMITS: ChannelLimits = ChannelLimits {
    side: 4096,
    volume_side: 256,
};

/// Channel contents by channel name: a data URL of a picture, or `{size: [width, height,
/// layers], format, data}` with the texels gzipped and base64-encoded. Prints a note for
/// channels that a page cannot show.
pub(super) fn pictures(program: &Program) -> Map<String, Value> {
    let mut pictures = Map::new();
    for channel in &program.channels {
        let (name, source) = (&channel.name, &channel.source);
        let carried = match source {
            ChannelSource::Image(file) => match kind_of(file) {
                Some(kind) => picture(kind, &in_folder(channel, file)),
                None => texels(channel),
            },
            ChannelSource::Cube(_) | ChannelSource::Volume(_) => texels(channel),
            ChannelSource::Video(_) => {
                eprintln!("note: the channel `{name}` ({source}) stands still on the page");
                texels(channel)
            }
            ChannelSource::Sound(_) => {
                eprintln!("note: the channel `{name}` ({source}) is black on the page");
                continue;
            }
            ChannelSource::Keyboard
            | ChannelSource::Noise { .. }
            | ChannelSource::PassOutput(_)
            | ChannelSource::Empty => continue,
        };
        match carried {
            Ok(carried) => drop(pictures.insert(name.clone(), carried)),
            Err(error) => eprintln!("note: the channel `{name}` is black on the page: {error:#}"),
        }
    }
    pictures
}

fn in_folder(channel: &Channel, file: &str) -> PathBuf {
    let folder = channel.folder.as_deref().unwrap_or(Path::new(""));
    folder.join(file)
}

/// Media type of a picture that browsers can decode, by file extension.
fn kind_of(file: &str) -> Option<&'static str> {
    let ending = Path::new(file).extension()?.to_string_lossy();
    match ending.to_ascii_lowercase().as_str() {
        "jpg" | "jpeg" => Some("image/jpeg"),
        "png" => Some("image/png"),
        "webp" => Some("image/webp"),
        "gif" => Some("image/gif"),
        "bmp" => Some("image/bmp"),
        _ => None,
    }
}

fn picture(kind: &str, path: &Path) -> Result<Value> {
    tarsus_files::check(path, PICTURE_BYTES)?;
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(data_url(kind, &bytes).into())
}

/// Texels of the channel at time 0, as in a capture.
fn texels(channel: &Channel) -> Result<Value> {
    let mut channels = Channels::open(std::slice::from_ref(channel), &BTreeMap::new(), LIMITS)?;
    let (_, texels) = channels.update(0.0)?.pop().context("it shows nothing")?;
    ensure!(
        texels.bytes.len() <= TEXEL_BYTES,
        "it takes {} MB, and a page carries no more than {} MB for a channel",
        texels.bytes.len() >> 20,
        TEXEL_BYTES >> 20
    );
    packed(&texels)
}

fn packed(texels: &Texels) -> Result<Value> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&texels.bytes)?;
    let format = match texels.format {
        TexelFormat::Grey8 => "grey8",
        TexelFormat::Rgba8 => "rgba8",
        TexelFormat::RgbaHalf => "rgba16f",
    };
    Ok(json!({ "size": texels.size, "format": format, "data": base64(&packer.finish()?) }))
}

/// Data URL of a file (RFC 2397).
pub(super) fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", base64(bytes))
}

/// Base64 according to RFC 4648, section 4.
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
    use tarsus_shader::{Scene, compose};

    #[test]
    fn undecodable_channel_is_embedded_as_texels() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wgsl");
        let text = "/// volume \"v.bin\"\n@group(2) @binding(0) var v: texture_3d<f32>;\n\
                    @group(2) @binding(1) var v_sampler: sampler;\n\
                    fn main_image(p: vec2f) -> vec4f { return textureSample(v, v_sampler, p.xyy); }\n";
        std::fs::write(&path, text).expect("written");
        // 2 x 1 x 3 voxels of one byte.
        let head = [2, 1, 3].map(u32::to_le_bytes).concat();
        let voxels = [
            b"BIN\0".as_slice(),
            &head,
            &[1, 0, 0, 0],
            &[1, 2, 3, 4, 5, 6],
        ]
        .concat();
        std::fs::write(folder.path().join("v.bin"), voxels).expect("written");
        let scene = Scene::read(&path).expect("a scene");
        let program = compose(&scene, &tarsus::library(), &[]).expect("a program");
        let pictures = pictures(&program);
        let carried = &pictures["v"];
        assert_eq!(carried["size"], json!([2, 1, 3]));
        assert_eq!(carried["format"], "grey8");
        // Packing is deterministic, so equal output means equal texels.
        let texels = Texels {
            size: [2, 1, 3],
            format: TexelFormat::Grey8,
            bytes: vec![1, 2, 3, 4, 5, 6],
        };
        assert_eq!(*carried, packed(&texels).expect("packed"));
    }

    #[test]
    fn base64_matches_rfc4648_vectors() {
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
