//! The source of a channel: the one its comment declares, or a replacement file.

use std::path::{Path, PathBuf};

use super::error::MediaError;
use tarsus_shader::{Channel, ChannelShape, ChannelSource, NoiseKind};

/// File extensions of videos, in lower case.
const FILMS: &[&str] = &[
    "avi", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ogv", "ts", "webm", "wmv",
];
/// File extensions of recordings.
const RECORDINGS: &[&str] = &["aac", "flac", "m4a", "mka", "mp3", "oga", "ogg", "wav"];
/// File extensions of volumes that are not images.
const VOLUMES: &[&str] = &["bin"];

/// The source of a channel, with paths ready to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// An image.
    Image(PathBuf),
    /// Six faces, or one equirectangular image.
    Cube(Vec<PathBuf>),
    /// Voxels.
    Volume(PathBuf),
    /// A video.
    Video(PathBuf),
    /// A recording.
    Sound(PathBuf),
    /// The keyboard, which has no file.
    Keyboard,
    /// A pass's output, or nothing; provided by the renderer.
    Drawn,
    /// Noise with the given side length.
    Noise(NoiseKind, u32),
}

impl Source {
    /// Determines the source of a channel. `replacement` is a file to use instead; its
    /// extension determines its kind.
    ///
    /// # Errors
    /// Returns a [`MediaError`] if a file of that kind does not fit the channel's texture
    /// shape.
    pub(super) fn of(channel: &Channel, replacement: Option<&Path>) -> Result<Self, MediaError> {
        if let Some(path) = replacement {
            if channel.source == ChannelSource::Keyboard {
                return Err(MediaError::invalid(
                    "the channel shows the keys, and no file can",
                ));
            }
            if matches!(channel.source, ChannelSource::PassOutput(_)) {
                return Err(MediaError::invalid(
                    "the channel shows what a pass draws, and no file can",
                ));
            }
            return replaced(channel.shape, path);
        }
        let path = |file: &String| match &channel.folder {
            Some(folder) => folder.join(file),
            None => PathBuf::from(file),
        };
        Ok(match &channel.source {
            ChannelSource::Image(file) => Self::Image(path(file)),
            ChannelSource::Cube(files) => Self::Cube(files.iter().map(path).collect()),
            ChannelSource::Volume(file) => Self::Volume(path(file)),
            ChannelSource::Video(file) => Self::Video(path(file)),
            ChannelSource::Sound(file) => Self::Sound(path(file)),
            ChannelSource::Keyboard => Self::Keyboard,
            ChannelSource::PassOutput(_) | ChannelSource::Empty => Self::Drawn,
            ChannelSource::Noise { kind, side } => Self::Noise(*kind, *side),
        })
    }

    /// The files to read.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Image(path) | Self::Volume(path) | Self::Video(path) | Self::Sound(path) => {
                vec![path.clone()]
            }
            Self::Cube(paths) => paths.clone(),
            Self::Keyboard | Self::Drawn | Self::Noise(..) => Vec::new(),
        }
    }

    /// The keyword for its kind in a channel comment.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Image(_) => "image",
            Self::Cube(_) => "cube",
            Self::Volume(_) => "volume",
            Self::Video(_) => "video",
            Self::Sound(_) => "sound",
            Self::Keyboard => "keyboard",
            Self::Drawn => "pass",
            Self::Noise(..) => "noise",
        }
    }
}

fn replaced(shape: ChannelShape, path: &Path) -> Result<Source, MediaError> {
    let ending = ending(path);
    let is_one_of = |endings: &[&str]| endings.contains(&ending.as_str());
    let (is_film, is_recording) = (is_one_of(FILMS), is_one_of(RECORDINGS));
    let path = path.to_path_buf();
    match shape {
        ChannelShape::Texture2d if is_film => Ok(Source::Video(path)),
        ChannelShape::Texture2d if is_recording => Ok(Source::Sound(path)),
        ChannelShape::Texture2d if is_one_of(VOLUMES) => Err(MediaError::invalid(
            "the channel is flat, and this is a volume",
        )),
        ChannelShape::Texture2d => Ok(Source::Image(path)),
        ChannelShape::Cube | ChannelShape::Volume if is_film || is_recording => {
            let kind = if is_film { "film" } else { "recording" };
            let takes = match shape {
                ChannelShape::Cube => "a cube, which takes an equirectangular picture",
                _ => "a volume, which takes a `.bin` of Shadertoy or a picture of slices",
            };
            Err(MediaError::invalid(format!(
                "the channel is {takes}, and this is a {kind}"
            )))
        }
        ChannelShape::Cube => Ok(Source::Cube(vec![path])),
        ChannelShape::Volume => Ok(Source::Volume(path)),
    }
}

/// The extension of a file name, in lower case.
pub(super) fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(source: ChannelSource, shape: ChannelShape) -> Channel {
        Channel {
            name: "a".to_owned(),
            source,
            shape,
            has_mipmaps: false,
            is_flipped: false,
            is_srgb: false,
            folder: Some("scenes".into()),
        }
    }

    #[test]
    fn paths_are_relative_to_declaring_file() {
        let mut image = channel(
            ChannelSource::Image("a/b.png".into()),
            ChannelShape::Texture2d,
        );
        let of = |channel: &Channel| Source::of(channel, None).expect("a source").files();
        assert_eq!(of(&image), [Path::new("scenes/a/b.png")]);
        image.folder = None;
        assert_eq!(of(&image), [Path::new("a/b.png")]);
        image.source = ChannelSource::Image("/a.png".into());
        assert_eq!(of(&image), [Path::new("/a.png")]);
    }

    #[test]
    fn replacement_kind_follows_file_extension() {
        use ChannelShape::{Cube, Texture2d, Volume};
        let kind = |shape, file: &str| {
            let channel = channel(ChannelSource::Image(String::new()), shape);
            match Source::of(&channel, Some(Path::new(file))) {
                Ok(source) => {
                    assert_eq!(source.files(), [Path::new(file)], "as it was typed");
                    source.kind().to_owned()
                }
                Err(error) => error.to_string(),
            }
        };
        for (shape, file, expected) in [
            (Texture2d, "a.jpg", "image"),
            (Texture2d, "a", "image"),
            (Texture2d, "a.MP4", "video"),
            (Texture2d, "a.ogg", "sound"),
            (Cube, "a.hdr", "cube"),
            (Volume, "a.bin", "volume"),
            (Volume, "a.png", "volume"),
        ] {
            assert_eq!(kind(shape, file), expected, "{file}");
        }
        let keys = channel(ChannelSource::Keyboard, Texture2d);
        let error = Source::of(&keys, Some(Path::new("a.png"))).expect_err("refused");
        assert!(error.to_string().contains("shows the keys"));
        assert!(kind(Texture2d, "a.bin").contains("channel is flat"));
        assert!(kind(Cube, "a.webm").contains("equirectangular picture, and this is a film"));
        assert!(kind(Volume, "a.mp3").contains("slices, and this is a recording"));
    }
}
