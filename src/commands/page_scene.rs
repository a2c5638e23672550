//! A scene as a page receives it: its source files and the contents of its channels, in one
//! JSON object. Files that browsers can decode are embedded unchanged, everything else as
//! texels.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

use tarsus_media::{ChannelLimits, Channels};
use tarsus_render::{TexelFormat, Texels};
use tarsus_shader::{
    Channel, ChannelSource, ComposeError, Library, Program, Scene, SourceFiles, compose,
};

/// The source files of a scene.
pub(super) struct PageScene {
    /// `{main, files: {name: text}}`, as described in `crates/web/src/lib.rs`, and `pictures: {name:
    /// address}` if any channels have contents.
    pub(super) files: Value,
    /// Paths of the source files.
    pub(super) paths: Vec<PathBuf>,
    /// Result of composing the source files.
    pub(super) program: Result<Program, ComposeError>,
}

impl PageScene {
    /// Composes `scene`, which determines the files that are read. Unreadable files are
    /// left out; the page reports what is missing.
    pub(super) fn compose(scene: &Scene, library: &Library) -> Self {
        let program = compose(scene, library, &[]);
        let paths = match &program {
            Ok(program) => program.sources.files().to_vec(),
            Err(error) => error.files.clone(),
        };
        // Replacements of built-in modules (`--shaders`) lie outside the scene's folder.
        let texts = paths.iter().filter_map(|path| {
            let text = library.files().read(path).ok()?;
            Some((path.as_path(), text))
        });
        let mut files = json!(SourceFiles::new(scene, texts));
        let pictures = program.as_ref().map(channel_contents).unwrap_or_default();
        if !pictures.is_empty() {
            files["pictures"] = pictures.into();
        }
        Self { files, paths, program }
    }
}

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

/// Media type of a file that browsers read, by its extension.
pub(super) fn media_type(name: &str) -> Option<&'static str> {
    let extension = Path::new(name).extension()?.to_str()?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "aac" => "audio/aac",
        "bmp" => "image/bmp",
        "css" => "text/css",
        "flac" => "audio/flac",
        "gif" => "image/gif",
        "html" => "text/html; charset=utf-8",
        "jpeg" | "jpg" => "image/jpeg",
        "js" => "text/javascript",
        "json" => "application/json",
        "m4a" => "audio/mp4",
        "m4v" | "mp4" => "video/mp4",
        "mp3" => "audio/mpeg",
        "oga" | "ogg" => "audio/ogg",
        "ogv" => "video/ogg",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        "wav" => "audio/wav",
        "webm" => "video/webm",
        "webp" => "image/webp",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use tarsus_shader::{Scene, compose};

    fn of(path: &Path) -> PageScene {
        let scene = Scene::read(path).expect("a scene");
        PageScene::compose(&scene, &tarsus::library())
    }

    #[test]
    fn page_scene_includes_own_modules_only() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wgsl");
        let main = "#import sub::own\n#import tarsus::frame\nfn main_image(p: vec2f) -> vec4f \
                    { return own::red() * frame::frame.time; }\n";
        let own = "#define_import_path sub::own\nfn red() -> vec4f { return vec4f(1.0); }\n";
        std::fs::create_dir(folder.path().join("sub")).expect("made");
        std::fs::write(&path, main).expect("written");
        std::fs::write(folder.path().join("sub/own.wgsl"), own).expect("written");
        let page = of(&path);
        assert!(page.program.is_ok(), "{:?}", page.program.err());
        assert_eq!(
            page.files,
            json!({ "main": "a.wgsl", "files": { "a.wgsl": main, "sub/own.wgsl": own } })
        );
        let library = tarsus::library();
        let builtin = Scene::find("creature", &library).expect("creature");
        let page = PageScene::compose(&builtin, &library);
        assert_eq!(page.files, json!({ "main": "creature", "files": {} }));
    }

    #[test]
    fn page_scene_includes_channel_pictures() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wgsl");
        let main = "/// image \"spot.png\"\n@group(2) @binding(0) var spot: texture_2d<f32>;\n\
                    @group(2) @binding(1) var spot_sampler: sampler;\n\
                    fn main_image(p: vec2f) -> vec4f { return textureSample(spot, spot_sampler, p); }\n";
        std::fs::write(&path, main).expect("written");
        std::fs::write(folder.path().join("spot.png"), b"\x89PNG").expect("written");
        let page = of(&path);
        assert!(page.program.is_ok(), "{:?}", page.program.err());
        let expected = json!({ "spot": "data:image/png;base64,iVBORw==" });
        assert_eq!(page.files["pictures"], expected);
    }

    #[test]
    fn broken_scene_keeps_its_source() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a.wgsl");
        std::fs::write(&path, "fn main_image(").expect("written");
        let page = of(&path);
        assert!(page.program.is_err());
        assert_eq!(page.files["files"]["a.wgsl"], "fn main_image(");
        assert_eq!(page.paths, [path]);
    }

    #[test]
    fn folder_scene_includes_all_passes() {
        let folder = tempfile::tempdir().expect("folder");
        let pass = "void mainImage(out vec4 c, in vec2 p) { c = vec4(p, k, 1.0); }";
        for (name, text) in [("Image.glsl", pass), ("Common.glsl", "const float k = 1.0;")] {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let page = of(folder.path());
        assert!(page.program.is_ok(), "{:?}", page.program.err());
        let files = page.files["files"].as_object().expect("files");
        assert_eq!(files.keys().collect::<Vec<_>>(), ["Common.glsl", "Image.glsl"]);
    }

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
