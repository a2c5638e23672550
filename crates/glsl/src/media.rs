//! Locates files that Shadertoy shaders reference by their Shadertoy paths.
//!
//! Files are searched in the scene's folder, then in the media folder. Nothing is
//! downloaded: missing media get placeholders and one notice.

use std::path::{Component, Path, PathBuf};

use super::project::Project;
use tarsus_shader::{ChannelSource, NoiseKind};

/// One of Shadertoy's built-in media.
struct Medium {
    /// Prefix of the file name under `/media/a/`.
    hash: &'static str,
    /// File name under `/presets/`, used by early Shadertoy, without extension.
    preset: &'static str,
    title: &'static str,
    stand_in: StandIn,
}

/// Placeholder for a missing file.
#[derive(Clone, Copy)]
enum StandIn {
    Noise(NoiseKind, u32),
    Nothing,
}

use NoiseKind::{Blue, Grey, Rgba};
use StandIn::{Noise, Nothing};

const MEDIA: &[Medium] = &[
    medium("10eb4fe0ac8a7dc3", "tex00", "Rock Tiles", Noise(Rgba, 256)),
    medium("cd4c518bc6ef165c", "tex01", "Organic 1", Noise(Rgba, 256)),
    medium("95b90082f799f486", "tex02", "Rusty Metal", Noise(Rgba, 256)),
    medium("e6e5631ce1237ae4", "tex03", "Stars", Noise(Rgba, 256)),
    medium("8de3a3924cb95bd0", "tex04", "London", Noise(Rgba, 256)),
    medium("1f7dca9c22f32475", "tex05", "Wood", Noise(Grey, 256)),
    medium("fb918796edc3d222", "tex06", "Lichen", Noise(Rgba, 256)),
    medium("52d2a8f514c4fd2d", "tex07", "Abstract 1", Noise(Rgba, 256)),
    medium("bd6464771e47eed8", "tex08", "Abstract 2", Noise(Rgba, 256)),
    medium("92d7758c402f0927", "tex09", "Organic 2", Noise(Rgba, 256)),
    medium(
        "0a40562379b63dfb",
        "tex10",
        "Gray Noise Small",
        Noise(Grey, 64),
    ),
    medium(
        "3083c722c0c738ca",
        "tex11",
        "RGBA Noise Small",
        Noise(Rgba, 64),
    ),
    medium(
        "0c7bf5fe9462d5bf",
        "tex12",
        "Gray Noise Medium",
        Noise(Grey, 256),
    ),
    medium("cbcbb5a6cfb55c36", "tex14", "Nyancat", Nothing),
    medium("85a6d68622b36995", "tex15", "Bayer", Noise(Grey, 8)),
    medium(
        "f735bee5b64ef988",
        "tex16",
        "RGBA Noise Medium",
        Noise(Rgba, 256),
    ),
    medium("3871e838723dd6b1", "tex17", "Organic 4", Noise(Rgba, 256)),
    medium("79520a3d3a0f4d3c", "tex18", "Organic 3", Noise(Rgba, 256)),
    medium("ad56fba948dfba9a", "tex19", "Pebbles", Noise(Grey, 256)),
    medium("8979352a182bde7c", "tex20", "Abstract 3", Noise(Rgba, 256)),
    medium("08b42b43ae9d3c06", "tex21", "Font 1", Nothing),
    medium("cb49c003b454385a", "", "Blue Noise", Noise(Blue, 1024)),
    medium("27012b4eadd0c3ce", "", "Gray Noise3D", Noise(Grey, 32)),
    medium("aea6b99da1d53055", "", "RGBA Noise3D", Noise(Rgba, 32)),
    medium("585f9546c092f53d", "cube00_0", "Uffizi Gallery", Nothing),
    medium(
        "793a105653fbdada",
        "cube01_0",
        "Uffizi Gallery Blurred",
        Nothing,
    ),
    medium(
        "488bd40303a2e2b9",
        "cube02_0",
        "St. Peter's Basilica",
        Nothing,
    ),
    medium(
        "550a8cce1bf40386",
        "cube03_0",
        "St. Peter's Basilica Blurred",
        Nothing,
    ),
    medium("94284d43be78f00e", "cube04_0", "Forest", Nothing),
    medium("0681c014f6c88c35", "cube05_0", "Forest Blurred", Nothing),
];

const fn medium(
    hash: &'static str,
    preset: &'static str,
    title: &'static str,
    stand_in: StandIn,
) -> Medium {
    Medium {
        hash,
        preset,
        title,
        stand_in,
    }
}

/// The source of an input.
pub(super) struct Found {
    pub source: ChannelSource,
    /// Base folder of relative file paths.
    pub folder: Option<PathBuf>,
}

/// Finds file `path` for an input of type `ctype`, or records and returns its placeholder.
pub(super) fn find(project: &mut Project, ctype: &str, path: &str) -> Found {
    let places: Vec<PathBuf> = project
        .folder
        .iter()
        .chain(&project.media)
        .cloned()
        .collect();
    for folder in places {
        if let Some(file) = names(path)
            .into_iter()
            .find(|name| project.files.is_file(&folder.join(name)))
        {
            return Found {
                source: source(ctype, &folder, file),
                folder: Some(folder),
            };
        }
    }
    let known = known(path);
    let name = path.rsplit('/').next().unwrap_or_default();
    let title = known.map_or(if name.is_empty() { ctype } else { name }, |known| {
        known.title
    });
    let stand_in = match (known, ctype) {
        (Some(known), _) => known.stand_in,
        (None, "texture") => Noise(Rgba, 256),
        (None, "volume") => Noise(Grey, 32),
        _ => Nothing,
    };
    let (source, what) = match stand_in {
        Noise(kind, side) => (ChannelSource::Noise { kind, side }, "noise"),
        Nothing if matches!(ctype, "music" | "musicstream") => (ChannelSource::Empty, "silence"),
        Nothing => (ChannelSource::Empty, "black"),
    };
    let told = (title.to_owned(), what);
    if !project.missing.contains(&told) {
        project.missing.push(told);
    }
    Found {
        source,
        folder: None,
    }
}

/// Adds one warning that lists all placeholders.
pub(super) fn tell_missing(project: &mut Project) {
    if project.missing.is_empty() {
        return;
    }
    let missing = std::mem::take(&mut project.missing);
    let kinds = ["noise", "black", "silence"];
    let told = kinds.into_iter().filter_map(|what| {
        let titles = missing.iter().filter(|(_, found)| *found == what);
        let titles: Vec<String> = titles.map(|(title, _)| format!("`{title}`")).collect();
        (!titles.is_empty()).then(|| format!("{what} for {}", titles.join(", ")))
    });
    let told: Vec<String> = told.collect();
    let hint = match &project.media {
        Some(folder) => format!("they are not in {}", folder.display()),
        None => "`--media DIR` names a folder that has them".to_owned(),
    };
    project.warn(
        "",
        format!(
            "media of Shadertoy are missing, and there is {}; {hint}",
            told.join(", ")
        ),
    );
}

/// Possible names of a file in a media folder: its full path, the path without `media/`,
/// the bare file name, and its early name with either extension.
fn names(path: &str) -> Vec<String> {
    let relative = path.trim_start_matches('/');
    let is_plain = |name: &str| {
        let mut parts = Path::new(name).components();
        !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
    };
    let mut names = vec![relative.to_owned()];
    names.extend(relative.strip_prefix("media/").map(str::to_owned));
    names.extend(relative.rsplit('/').next().map(str::to_owned));
    if let Some(known) = known(path).filter(|known| !known.preset.is_empty()) {
        for ending in ["jpg", "png"] {
            names.push(format!("presets/{}.{ending}", known.preset));
            names.push(format!("{}.{ending}", known.preset));
        }
    }
    names.retain(|name| is_plain(name));
    names
}

fn known(path: &str) -> Option<&'static Medium> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let is_preset = path.contains("presets/");
    MEDIA.iter().find(|medium| {
        name.starts_with(medium.hash) || is_preset && !stem.is_empty() && medium.preset == stem
    })
}

fn source(ctype: &str, folder: &Path, file: String) -> ChannelSource {
    match ctype {
        "cubemap" => ChannelSource::Cube(faces(folder, &file).unwrap_or_else(|| vec![file])),
        "volume" => ChannelSource::Volume(file),
        "video" => ChannelSource::Video(file),
        "music" | "musicstream" => ChannelSource::Sound(file),
        _ => ChannelSource::Image(file),
    }
}

/// The six faces of a cube map whose first face is `file`. The others have `_1` to `_5`
/// before the extension, or in place of `_0`.
fn faces(folder: &Path, file: &str) -> Option<Vec<String>> {
    let (stem, ending) = file.rsplit_once('.')?;
    let stem = stem.strip_suffix("_0").unwrap_or(stem);
    let others = (1..6).map(|number| format!("{stem}_{number}.{ending}"));
    let files: Vec<String> = std::iter::once(file.to_owned()).chain(others).collect();
    files
        .iter()
        .all(|file| folder.join(file).is_file())
        .then_some(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_shader::Files;
    use tarsus_shader::SourceMap;

    const WOOD: &str =
        "/media/a/1f7dca9c22f324751f2a5a59c9b181dfe3b5564a04b724c657732d0bf09c99db.jpg";
    const SMALL: &str =
        "/media/a/0a40562379b63dfb89227e6d172f39fdce9022cba76623f1054a2c83d6c0ba5d.png";

    fn project(media: &Path) -> Project {
        let mut project = Project::new(SourceMap::default(), Files::default());
        project.media = Some(media.to_path_buf());
        project
    }

    #[test]
    fn media_found_under_every_name() {
        let (_, name) = WOOD.rsplit_once('/').expect("a path");
        for place in [
            &WOOD[1..],
            &WOOD[7..],
            name,
            "presets/tex05.jpg",
            "tex05.jpg",
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join(place);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::write(file, "x").expect("a file");
            let mut project = project(folder.path());
            let found = find(&mut project, "texture", WOOD);
            assert_eq!(found.source, ChannelSource::Image(place.to_owned()));
            assert_eq!(found.folder.as_deref(), Some(folder.path()));
            tell_missing(&mut project);
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
        assert_eq!(source("music", "/media/a/song.mp3"), ChannelSource::Empty);
        assert_eq!(source("texture", "../../secret.png"), noise(Rgba, 256));
        tell_missing(&mut project);
        let [told] = &project.warnings[..] else {
            panic!("{:?}", project.warnings);
        };
        let expected = "media of Shadertoy are missing, and there is noise for `Gray Noise Small`, \
                        `RGBA Noise Medium`, `Wood`, `secret.png`, silence for `song.mp3`; they \
                        are not in ";
        assert!(told.message.starts_with(expected), "{}", told.message);
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
