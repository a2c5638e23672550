//! Locates files that Shadertoy shaders reference by their Shadertoy paths.
//!
//! Files are searched in the scene's folder, then in the media folder. Nothing is
//! downloaded: missing media get placeholders and one notice.

use std::path::{Component, Path};

use super::project::{Input, Project};
use tarsus_shader::{ChannelShape, ChannelSource, Files, MissingFile, NoiseKind};

use NoiseKind::{Blue, Grey, Rgba};
use Placeholder::{Noise, Nothing};

/// One of Shadertoy's built-in media.
#[derive(Clone, Copy)]
struct BuiltinMedia {
    /// File name under `/media/a/`.
    file: &'static str,
    /// File name under `/presets/`, used by early Shadertoy, without extension.
    preset: &'static str,
    title: &'static str,
    placeholder: Placeholder,
}

impl BuiltinMedia {
    /// True for the name of its file under `/media/a/`.
    fn has_name(&self, name: &str) -> bool {
        name.starts_with(&self.file[..16])
    }
}

/// Placeholder for a missing file.
#[derive(Clone, Copy)]
enum Placeholder {
    Noise(NoiseKind, u32),
    Nothing,
}

/// Shadertoy's built-in media by their placeholders. Each line has the file, the preset or
/// `-`, and the title.
const MEDIA: &[(Placeholder, &str)] = &[
    (
        Noise(Rgba, 256),
        "10eb4fe0ac8a7dc348a2cc282ca5df1759ab8bf680117e4047728100969e7b43.jpg tex00 Rock Tiles
         cd4c518bc6ef165c39d4405b347b51ba40f8d7a065ab0e8d2e4f422cbc1e8a43.jpg tex01 Organic 1
         95b90082f799f48677b4f206d856ad572f1d178c676269eac6347631d4447258.jpg tex02 Rusty Metal
         e6e5631ce1237ae4c05b3563eda686400a401df4548d0f9fad40ecac1659c46c.jpg tex03 Stars
         8de3a3924cb95bd0e95a443fff0326c869f9d4979cd1d5b6e94e2a01f5be53e9.jpg tex04 London
         fb918796edc3d2221218db0811e240e72e340350008338b0c07a52bd353666a6.jpg tex06 Lichen
         52d2a8f514c4fd2d9866587f4d7b2a5bfa1a11a0e772077d7682deb8b3b517e5.jpg tex07 Abstract 1
         bd6464771e47eed832c5eb2cd85cdc0bfc697786b903bfd30f890f9d4fc36657.jpg tex08 Abstract 2
         92d7758c402f0927011ca8d0a7e40251439fba3a1dac26f5b8b62026323501aa.jpg tex09 Organic 2
         f735bee5b64ef98879dc618b016ecf7939a5756040c2cde21ccb15e69a6e1cfb.png tex16 RGBA Noise Medium
         3871e838723dd6b166e490664eead8ec60aedd6b8d95bc8e2fe3f882f0fd90f0.jpg tex17 Organic 4
         79520a3d3a0f4d3caa440802ef4362e99d54e12b1392973e4ea321840970a88a.jpg tex18 Organic 3
         8979352a182bde7c3c651ba2b2f4e0615de819585cc37b7175bcefbca15a6683.jpg tex20 Abstract 3",
    ),
    (
        Noise(Grey, 256),
        "1f7dca9c22f324751f2a5a59c9b181dfe3b5564a04b724c657732d0bf09c99db.jpg tex05 Wood
         0c7bf5fe9462d5bffbd11126e82908e39be3ce56220d900f633d58fb432e56f5.png tex12 Gray Noise Medium
         ad56fba948dfba9ae698198c109e71f118a54d209c0ea50d77ea546abad89c57.png tex19 Pebbles",
    ),
    (
        Noise(Grey, 64),
        "0a40562379b63dfb89227e6d172f39fdce9022cba76623f1054a2c83d6c0ba5d.png tex10 Gray Noise Small",
    ),
    (
        Noise(Rgba, 64),
        "3083c722c0c738cad0f468383167a0d246f91af2bfa373e9c5c094fb8c8413e0.png tex11 RGBA Noise Small",
    ),
    (Noise(Grey, 8), "85a6d68622b36995ccb98a89bbb119edf167c914660e4450d313de049320005c.png tex15 Bayer"),
    (
        Noise(Blue, 1024),
        "cb49c003b454385aa9975733aff4571c62182ccdda480aaba9a8d250014f00ec.png - Blue Noise",
    ),
    (
        Noise(Grey, 32),
        "27012b4eadd0c3ce12498b867058e4f717ce79e10a99568cca461682d84a4b04.bin - Gray Noise3D",
    ),
    (
        Noise(Rgba, 32),
        "aea6b99da1d53055107966b59ac5444fc8bc7b3ce2d0bbb6a4a3cbae1d97f3aa.bin - RGBA Noise3D",
    ),
    (
        Nothing,
        "cbcbb5a6cfb55c36f8f021fbb0e3f69ac96339a39fa85cd96f2017a2192821b5.png tex14 Nyancat
         08b42b43ae9d3c0605da11d0eac86618ea888e62cdd9518ee8b9097488b31560.png tex21 Font 1
         585f9546c092f53ded45332b343144396c0b2d70d9965f585ebc172080d8aa58.jpg cube00_0 Uffizi Gallery
         793a105653fbdadabdc1325ca08675e1ce48ae5f12e37973829c87bea4be3232.png cube01_0 Uffizi Gallery Blurred
         488bd40303a2e2b9a71987e48c66ef41f5e937174bf316d3ed0e86410784b919.jpg cube02_0 St. Peter's Basilica
         550a8cce1bf403869fde66dddf6028dd171f1852f4a704a465e1b80d23955663.png cube03_0 St. Peter's Basilica Blurred
         94284d43be78f00eb6b298e6d78656a1b34e2b91b34940d02f1ca8b22310e8a0.png cube04_0 Forest
         0681c014f6c88c356cf9c0394ffe015acc94ec1474924855f45d22c3e70b5785.png cube05_0 Forest Blurred",
    ),
];

/// The website's built-in media.
fn builtins() -> impl Iterator<Item = BuiltinMedia> {
    MEDIA.iter().flat_map(|&(placeholder, lines)| {
        lines.lines().filter_map(move |line| {
            let (file, rest) = line.trim().split_once(' ')?;
            let (preset, title) = rest.split_once(' ')?;
            Some(BuiltinMedia { file, preset, title, placeholder })
        })
    })
}

/// Titles of the website's built-in media.
pub(super) fn titles() -> impl Iterator<Item = &'static str> {
    builtins().map(|media| media.title)
}

/// The built-in media that `path` names.
fn builtin(path: &str) -> Option<BuiltinMedia> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let is_preset = path.contains("presets/");
    builtins().find(|media| media.has_name(name) || is_preset && media.preset == stem)
}

/// Type and path of the built-in medium with this title.
pub(super) fn path_of_title(title: &str) -> Option<(&'static str, String)> {
    let known = builtins().find(|media| media.title == title)?;
    let path = format!("/media/a/{}", known.file);
    Some((kind_of(&path), path))
}

/// Title of the website's medium at `path`, if it is one of the built-in ones.
pub fn media_title(path: &str) -> Option<&'static str> {
    builtin(path).map(|known| known.title)
}

/// Path of the website's medium that is the noise `source`, if it has one of this shape.
pub fn noise_path(source: &ChannelSource, shape: ChannelShape) -> Option<String> {
    let is_volume = shape == ChannelShape::Volume;
    let is_noise = |media: &BuiltinMedia| match (media.placeholder, source) {
        (Noise(kind, side), ChannelSource::Noise { kind: own_kind, side: own_side }) => {
            (kind, side) == (*own_kind, *own_side)
        }
        _ => false,
    };
    let mut noises = builtins().filter(|media| media.title.contains("Noise"));
    let found = noises.find(|media| is_noise(media) && media.title.ends_with("3D") == is_volume)?;
    Some(format!("/media/a/{}", found.file))
}

/// The input of type `kind` that reads the file `path`, or its placeholder, which is recorded.
pub(super) fn find(project: &mut Project, kind: &str, path: &str) -> Input {
    let files = &project.files;
    for folder in project.folder.iter().chain(&project.media) {
        let mut names = names(path).into_iter();
        if let Some(file) = names.find(|name| files.is_file(&folder.join(name))) {
            return Input::new(source(kind, files, folder, file), Some(folder.clone()));
        }
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let known = builtin(path);
    let title = known.map_or(if name.is_empty() { kind } else { name }, |known| known.title);
    let placeholder = match (known, kind) {
        (Some(known), _) => known.placeholder,
        (None, "texture") => Noise(Rgba, 256),
        (None, "volume") => Noise(Grey, 32),
        _ => Nothing,
    };
    let (source, what) = match placeholder {
        Noise(kind, side) => (ChannelSource::Noise { kind, side }, "noise"),
        Nothing if matches!(kind, "music" | "musicstream") => (ChannelSource::Silence, "silence"),
        Nothing => (ChannelSource::Empty, "black"),
    };
    let missing = (title.to_owned(), what);
    if !project.missing.contains(&missing) {
        project.missing.push(missing);
    }
    let shape = match source {
        ChannelSource::Noise { .. } if kind != "volume" => ChannelShape::Texture2d,
        _ => placeholder_shape(kind),
    };
    let missing = MissingFile { title: title.to_owned(), path: path.to_owned() };
    Input { shape: Some(shape), missing: Some(missing), ..Input::new(source, None) }
}

/// Shape of the placeholder of an input of type `kind`.
pub(super) fn placeholder_shape(kind: &str) -> ChannelShape {
    match kind {
        "volume" => ChannelShape::Volume,
        "cubemap" => ChannelShape::Cube,
        _ => ChannelShape::Texture2d,
    }
}

/// Type of the input that shows the website's file `path`.
pub(super) fn kind_of(path: &str) -> &'static str {
    let extension = path.rsplit('.').next().unwrap_or_default();
    match extension {
        "bin" => "volume",
        "mp3" | "ogg" | "wav" => "music",
        "mp4" | "ogv" | "webm" => "video",
        _ if builtin(path).is_some_and(|known| known.preset.starts_with("cube")) => "cubemap",
        _ => "texture",
    }
}

/// Adds one warning that lists all placeholders.
pub(super) fn warn_missing(project: &mut Project) {
    let missing = std::mem::take(&mut project.missing);
    if missing.is_empty() {
        return;
    }
    let mut replaced = Vec::new();
    for what in ["noise", "black", "silence"] {
        let titles = missing.iter().filter(|(_, found)| *found == what);
        let titles: Vec<String> = titles.map(|(title, _)| format!("`{title}`")).collect();
        if !titles.is_empty() {
            replaced.push(format!("{what} for {}", titles.join(", ")));
        }
    }
    let replaced = replaced.join(", ");
    let note = match &project.media {
        Some(folder) => format!("they are not in {}", folder.display()),
        None => "hint: copy your own files beside the scene; `tarsus config media DIR` names the \
                 folder of the website's"
            .to_owned(),
    };
    let message = format!("missing Shadertoy media replaced by {replaced}");
    project.warn(message, Some(note));
}

/// Possible names of a file in a media folder: its full path, the path without `media/`,
/// the bare file name, and its early name with either extension.
fn names(path: &str) -> Vec<String> {
    let relative = path.trim_start_matches('/');
    let mut names = vec![relative.to_owned()];
    names.extend(relative.strip_prefix("media/").map(str::to_owned));
    names.extend(relative.rsplit('/').next().map(str::to_owned));
    if let Some(BuiltinMedia { preset, .. }) = builtin(path).filter(|known| known.preset != "-") {
        for extension in ["jpg", "png"] {
            names.push(format!("presets/{preset}.{extension}"));
            names.push(format!("{preset}.{extension}"));
        }
    }
    names.retain(|name| {
        let mut parts = Path::new(name).components();
        !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
    });
    names
}

fn source(kind: &str, files: &Files, folder: &Path, file: String) -> ChannelSource {
    match kind {
        "cubemap" => ChannelSource::Cube(faces(files, folder, &file).unwrap_or_else(|| vec![file])),
        "volume" => ChannelSource::Volume(file),
        "video" => ChannelSource::Video(file),
        "music" | "musicstream" => ChannelSource::Sound(file),
        _ => ChannelSource::Image(file),
    }
}

/// The six faces of a cube map whose first face is `file`. The others have `_1` to `_5`
/// before the extension, or in place of `_0`.
fn faces(files: &Files, folder: &Path, file: &str) -> Option<Vec<String>> {
    let (stem, extension) = file.rsplit_once('.')?;
    let stem = stem.strip_suffix("_0").unwrap_or(stem);
    let others = (1..6).map(|number| format!("{stem}_{number}.{extension}"));
    let faces: Vec<String> = std::iter::once(file.to_owned()).chain(others).collect();
    let are_files = faces.iter().all(|face| files.is_file(&folder.join(face)));
    are_files.then_some(faces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::{Library, SourceMap};

    const WOOD: &str =
        "/media/a/1f7dca9c22f324751f2a5a59c9b181dfe3b5564a04b724c657732d0bf09c99db.jpg";
    const SMALL: &str =
        "/media/a/0a40562379b63dfb89227e6d172f39fdce9022cba76623f1054a2c83d6c0ba5d.png";

    fn project(media: &Path) -> Project {
        let media = media.to_path_buf();
        let library = Library::default().with_media(|| Some(media));
        Project::new(SourceMap::default(), &library)
    }

    #[test]
    fn media_found_under_every_name() {
        let (_, name) = WOOD.rsplit_once('/').expect("a path");
        for place in [&WOOD[1..], &WOOD[7..], name, "presets/tex05.jpg", "tex05.jpg"] {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join(place);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(file, "x").expect("a file");
            let mut project = project(folder.path());
            let found = find(&mut project, "texture", WOOD);
            assert_eq!(found.source, ChannelSource::Image(place.to_owned()));
            assert_eq!(found.folder.as_deref(), Some(folder.path()));
            warn_missing(&mut project);
            assert!(project.warnings.is_empty());
        }
    }

    #[test]
    fn missing_media_get_placeholders_and_notice() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut project = project(folder.path());
        let noise = |kind, side| ChannelSource::Noise { kind, side };
        let mut source = |ctype, path| find(&mut project, ctype, path).source;
        assert_eq!(source("texture", SMALL), noise(Grey, 64));
        assert_eq!(source("texture", "/presets/tex16.png"), noise(Rgba, 256));
        assert_eq!(source("texture", WOOD), noise(Grey, 256));
        assert_eq!(source("texture", WOOD), noise(Grey, 256));
        assert_eq!(source("music", "/media/a/song.mp3"), ChannelSource::Silence);
        assert_eq!(source("texture", "../../secret.png"), noise(Rgba, 256));
        warn_missing(&mut project);
        let [warning] = &project.warnings[..] else {
            panic!("{:?}", project.warnings);
        };
        let expected = "missing Shadertoy media replaced by noise for `Gray Noise Small`, \
                        `RGBA Noise Medium`, `Wood`, `secret.png`, silence for `song.mp3`";
        assert_eq!(warning.message, expected);
        assert!(warning.notes[0].starts_with("they are not in "));
    }

    #[test]
    fn cube_faces_in_memory_are_found() {
        let texts = (0..6).map(|number| match number {
            0 => ("m/sky.png".to_owned(), String::new()),
            number => (format!("m/sky_{number}.png"), String::new()),
        });
        let library =
            Library::default().with_files(Files::in_memory(texts)).with_media(|| Some("m".into()));
        let mut project = Project::new(SourceMap::default(), &library);
        let found = find(&mut project, "cubemap", "/media/a/sky.png");
        assert!(matches!(found.source, ChannelSource::Cube(files) if files.len() == 6));
    }

    #[test]
    fn cubes_have_six_faces() {
        let folder = tempfile::tempdir().expect("a folder");
        for number in 0..6 {
            let name = match number {
                0 => "94284d43be78f00eb6b298e6.png".to_owned(),
                number => format!("94284d43be78f00eb6b298e6_{number}.png"),
            };
            std::fs::write(folder.path().join(name), "x").expect("a file");
        }
        let mut project = project(folder.path());
        let path = "/media/a/94284d43be78f00eb6b298e6.png";
        let ChannelSource::Cube(files) = find(&mut project, "cubemap", path).source else {
            panic!("a cube");
        };
        assert_eq!(files.len(), 6);
        assert_eq!(files[5], "94284d43be78f00eb6b298e6_5.png");
    }
}
