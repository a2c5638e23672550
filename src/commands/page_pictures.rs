//! Channel contents embedded in a page: files that browsers can decode are embedded
//! unchanged, everything else as texels.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

use super::media_type::media_type;
use tarsus_media::{ChannelLimits, Channels};
use tarsus_render::{TexelFormat, Texels};
use tarsus_shader::{Channel, ChannelSource, Program};

/// Maximum size of an embedded file in bytes.
const MAX_FILE_BYTES: u64 = 16 << 20;
/// Maximum size of a channel's texels in bytes, before compression.
const MAX_TEXEL_BYTES: usize = 64 << 20;
/// Limits that every browser supports.
const LIMITS: ChannelLimits = ChannelLimits { side: 4096, volume_side: 256 };

/// Channel contents by channel name: a data URL of a picture, or `{size: [width, height,
/// layers], format, data, media}` with the texels gzipped and base64-encoded, and a data URL
/// of the video or recording that starts with them. Prints a note for channels that a page
/// cannot show.
pub(super) fn channel_contents(program: &Program) -> Map<String, Value> {
    let mut contents = Map::new();
    for channel in &program.channels {
        let (name, source) = (&channel.name, &channel.source);
        let embedded = match source {
            ChannelSource::Image(file) => match picture_type(file) {
                Some(kind) => data_url_of(kind, &channel.path(file)).map(Value::from),
                None => texels(channel),
            },
            ChannelSource::Cube(_) | ChannelSource::Volume(_) => texels(channel),
            ChannelSource::Video(file) | ChannelSource::Sound(file) => {
                texels(channel).map(|mut embedded| {
                    let is_sound = matches!(source, ChannelSource::Sound(_));
                    match media(&channel.path(file), is_sound) {
                        Ok(media) => embedded["media"] = media.into(),
                        Err(error) => eprintln!(
                            "note: the channel `{name}` ({source}) does not play on the page: \
                             {error:#}"
                        ),
                    }
                    embedded
                })
            }
            ChannelSource::Keyboard
            | ChannelSource::Noise { .. }
            | ChannelSource::PassOutput(_)
            | ChannelSource::Empty
            | ChannelSource::Silence => continue,
        };
        match embedded {
            Ok(embedded) => drop(contents.insert(name.clone(), embedded)),
            Err(error) => eprintln!("note: the channel `{name}` is black on the page: {error:#}"),
        }
    }
    contents
}

/// Media type of a picture that browsers decode as tarsus does.
fn picture_type(file: &str) -> Option<&'static str> {
    media_type(file).filter(|kind| kind.starts_with("image/") && *kind != "image/svg+xml")
}

/// Data URL of a video, or of a recording or the sound of a video.
fn media(path: &Path, is_sound: bool) -> Result<String> {
    let kind = media_type(&path.to_string_lossy()).and_then(|kind| kind.split_once('/'));
    let container =
        kind.filter(|(class, _)| matches!((*class, is_sound), ("video", _) | ("audio", true)));
    let (_, container) = container.context("browsers do not play this format")?;
    let class = if is_sound { "audio" } else { "video" };
    data_url_of(&format!("{class}/{container}"), path)
}

fn data_url_of(kind: &str, path: &Path) -> Result<String> {
    Ok(data_url(kind, &tarsus_files::read(path, MAX_FILE_BYTES)?))
}

/// Texels of the channel at time 0, as in a capture.
fn texels(channel: &Channel) -> Result<Value> {
    let mut channels = Channels::open(std::slice::from_ref(channel), &BTreeMap::new(), LIMITS)?;
    let (_, texels) = channels.update(0.0)?.pop().context("it is empty")?;
    ensure!(
        texels.bytes.len() <= MAX_TEXEL_BYTES,
        "it takes {} MB, more than the limit of {} MB per channel",
        texels.bytes.len() >> 20,
        MAX_TEXEL_BYTES >> 20
    );
    pack_texels(&texels)
}

fn pack_texels(texels: &Texels) -> Result<Value> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&texels.bytes)?;
    let format = match texels.format {
        TexelFormat::Grey8 => "grey8",
        TexelFormat::Rgba8 => "rgba8",
        TexelFormat::RgbaHalf => "rgba16f",
    };
    Ok(json!({ "size": texels.size, "format": format, "data": BASE64.encode(packer.finish()?) }))
}

/// Data URL of a file (RFC 2397).
pub(super) fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", BASE64.encode(bytes))
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
        let voxels = [b"BIN\0".as_slice(), &head, &[1, 0, 0, 0], &[1, 2, 3, 4, 5, 6]].concat();
        std::fs::write(folder.path().join("v.bin"), voxels).expect("written");
        let scene = Scene::read(&path).expect("a scene");
        let program = compose(&scene, &tarsus::library(), &[]).expect("a program");
        let pictures = channel_contents(&program);
        let embedded = &pictures["v"];
        assert_eq!(embedded["size"], json!([2, 1, 3]));
        assert_eq!(embedded["format"], "grey8");
        // Packing is deterministic, so equal output means equal texels.
        let texels =
            Texels { size: [2, 1, 3], format: TexelFormat::Grey8, bytes: vec![1, 2, 3, 4, 5, 6] };
        assert_eq!(*embedded, pack_texels(&texels).expect("packed"));
    }
}
