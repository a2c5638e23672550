//! The source of a channel: the one its comment declares, or a replacement file.

use std::path::{Path, PathBuf};

use super::error::MediaError;
use tarsus_shader::{Channel, ChannelShape, ChannelSource, NoiseKind, PassKind};

/// File extensions of videos, in lower case.
const VIDEO_EXTENSIONS: &[&str] =
    &["avi", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ogv", "ts", "webm", "wmv"];
/// File extensions of recordings.
const AUDIO_EXTENSIONS: &[&str] = &["aac", "flac", "m4a", "mka", "mp3", "oga", "ogg", "wav"];
/// File extensions of volumes that are not images.
const VOLUME_EXTENSIONS: &[&str] = &["bin"];

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
    /// A pass's output, provided by the renderer.
    Pass(PassKind),
    /// Black, or silence.
    Empty,
    /// Generated noise.
    Noise {
        /// Kind of noise.
        kind: NoiseKind,
        /// Side length in texels.
        side: u32,
    },
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
                return Err(MediaError::invalid("a keyboard channel cannot be replaced by a file"));
            }
            if matches!(channel.source, ChannelSource::PassOutput(_)) {
                return Err(MediaError::invalid(
                    "a channel of a pass cannot be replaced by a file",
                ));
            }
            return replacement_source(channel.shape, path);
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
            ChannelSource::PassOutput(pass) => Self::Pass(*pass),
            ChannelSource::Empty => Self::Empty,
            ChannelSource::Noise { kind, side } => Self::Noise { kind: *kind, side: *side },
        })
    }

    /// The files to read.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Image(path) | Self::Volume(path) | Self::Video(path) | Self::Sound(path) => {
                vec![path.clone()]
            }
            Self::Cube(paths) => paths.clone(),
            Self::Keyboard | Self::Pass(_) | Self::Empty | Self::Noise { .. } => Vec::new(),
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
            Self::Pass(pass) => pass.label(),
            Self::Empty => "nothing",
            Self::Noise { .. } => "noise",
        }
    }
}

fn replacement_source(shape: ChannelShape, path: &Path) -> Result<Source, MediaError> {
    let extension = extension(path);
    let is_one_of = |extensions: &[&str]| extensions.contains(&extension.as_str());
    let (is_video, is_recording) = (is_one_of(VIDEO_EXTENSIONS), is_one_of(AUDIO_EXTENSIONS));
    let path = path.to_path_buf();
    match shape {
        ChannelShape::Texture2d if is_video => Ok(Source::Video(path)),
        ChannelShape::Texture2d if is_recording => Ok(Source::Sound(path)),
        ChannelShape::Texture2d if is_one_of(VOLUME_EXTENSIONS) => {
            Err(MediaError::invalid("the channel is 2D, but the file is a volume"))
        }
        ChannelShape::Texture2d => Ok(Source::Image(path)),
        ChannelShape::Cube | ChannelShape::Volume if is_video || is_recording => {
            let kind = if is_video { "video" } else { "recording" };
            let takes = match shape {
                ChannelShape::Cube => "a cube, which takes an equirectangular image",
                _ => "a volume, which takes a `.bin` of Shadertoy or an image of slices",
            };
            Err(MediaError::invalid(format!("the channel is {takes}, but the file is a {kind}")))
        }
        ChannelShape::Cube => Ok(Source::Cube(vec![path])),
        ChannelShape::Volume => Ok(Source::Volume(path)),
    }
}

/// The extension of a file name, in lower case.
pub(super) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
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
            missing: None,
        }
    }

    #[test]
    fn paths_are_relative_to_declaring_file() {
        let mut image = channel(ChannelSource::Image("a/b.png".into()), ChannelShape::Texture2d);
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
        let error = Source::of(&keys, Some(Path::new("a.png"))).expect_err("rejected");
        assert!(error.to_string().contains("keyboard channel"));
        assert!(kind(Texture2d, "a.bin").contains("channel is 2D"));
        assert!(kind(Cube, "a.webm").contains("equirectangular image, but the file is a video"));
        assert!(kind(Volume, "a.mp3").contains("slices, but the file is a recording"));
    }
}
