//! The source of a channel: the one its comment declares, or a replacement file.

use std::path::{Path, PathBuf};

use super::error::MediaError;
use tarsus_shader::{Channel, ChannelShape, ChannelSource};

/// The source of a channel, with paths ready to open.
pub(super) type Source = ChannelSource<PathBuf>;

/// Determines the source of a channel. `replacement` is a file to use instead; its
/// extension determines its kind.
///
/// # Errors
/// Returns a [`MediaError`] if a file of that kind does not fit the channel's texture
/// shape.
pub(super) fn source(channel: &Channel, replacement: Option<&Path>) -> Result<Source, MediaError> {
    let Some(path) = replacement else {
        return Ok(channel.source.with_files(|file| channel.path(file)));
    };
    match channel.source {
        ChannelSource::Keyboard => {
            Err(MediaError::invalid("a keyboard channel cannot be replaced by a file"))
        }
        ChannelSource::PassOutput(_) => {
            Err(MediaError::invalid("a channel of a pass cannot be replaced by a file"))
        }
        _ => replacement_source(channel.shape, path),
    }
}

/// The keyword for the kind of `source` in a channel comment, or the name of a pass.
pub(super) fn kind(source: &Source) -> &'static str {
    match source {
        Source::PassOutput(pass) => pass.label(),
        source => source.keyword(),
    }
}

fn replacement_source(shape: ChannelShape, path: &Path) -> Result<Source, MediaError> {
    let path = path.to_path_buf();
    let source = Source::of_file(path.clone());
    let played = match source {
        Source::Video(_) => Some("video"),
        Source::Sound(_) => Some("recording"),
        _ => None,
    };
    match (shape, played) {
        (ChannelShape::Texture2d, _) if source.shape() == ChannelShape::Volume => {
            Err(MediaError::invalid("the channel is 2D, but the file is a volume"))
        }
        (ChannelShape::Texture2d, _) => Ok(source),
        (_, Some(kind)) => {
            let takes = match shape {
                ChannelShape::Cube => "a cube, which takes an equirectangular image",
                _ => "a volume, which takes a `.bin` of Shadertoy or an image of slices",
            };
            Err(MediaError::invalid(format!("the channel is {takes}, but the file is a {kind}")))
        }
        (ChannelShape::Cube, None) => Ok(Source::Cube(vec![path])),
        (ChannelShape::Volume, None) => Ok(Source::Volume(path)),
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
        let of = |channel: &Channel| source(channel, None).expect("a source").files().to_vec();
        assert_eq!(of(&image), [Path::new("scenes/a/b.png")]);
        image.folder = None;
        assert_eq!(of(&image), [Path::new("a/b.png")]);
        image.source = ChannelSource::Image("/a.png".into());
        assert_eq!(of(&image), [Path::new("/a.png")]);
    }

    #[test]
    fn replacement_kind_follows_file_extension() {
        use ChannelShape::{Cube, Texture2d, Volume};
        let kind_of = |shape, file: &str| {
            let channel = channel(ChannelSource::Image(String::new()), shape);
            match source(&channel, Some(Path::new(file))) {
                Ok(source) => {
                    assert_eq!(source.files(), [Path::new(file)], "as it was typed");
                    kind(&source).to_owned()
                }
                Err(error) => error.to_string(),
            }
        };
        for (shape, file, expected) in [
            (Texture2d, "a.jpg", "image"),
            (Texture2d, "a", "image"),
            (Texture2d, "a.MP4", "video"),
            (Texture2d, "a.ogg", "sound"),
            (Texture2d, "a.opus", "sound"),
            (Cube, "a.hdr", "cube"),
            (Volume, "a.bin", "volume"),
            (Volume, "a.png", "volume"),
        ] {
            assert_eq!(kind_of(shape, file), expected, "{file}");
        }
        let keys = channel(ChannelSource::Keyboard, Texture2d);
        let error = source(&keys, Some(Path::new("a.png"))).expect_err("rejected");
        assert!(error.to_string().contains("keyboard channel"));
        assert!(kind_of(Texture2d, "a.bin").contains("channel is 2D"));
        assert!(kind_of(Cube, "a.webm").contains("equirectangular image, but the file is a video"));
        assert!(kind_of(Volume, "a.mp3").contains("slices, but the file is a recording"));
    }
}
