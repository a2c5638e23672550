//! The contents of one channel, static or depending on time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use super::channels::ChannelLimits;
use super::cube;
use super::error::{ChannelError, MediaError};
use super::image_file;
use super::recording;
use super::source::{Source, extension};
use super::spectrum::{self, Spectrum};
use super::video::Video;
use super::video_info::{self, VideoInfo};
use super::volume;
use image::DynamicImage;
use tarsus_render::{TexelFormat, Texels};
use tarsus_shader::Channel;
use tarsus_shader::ContentHash;

/// Maximum size of an image, volume or recording file in bytes.
const MAX_FILE_BYTES: u64 = 1 << 30;
const EMPTY: &str = "it is empty";

/// Reads the files of a channel. Also returns a hash of their contents; videos, which may
/// be long, are not hashed.
///
/// # Errors
/// Returns a [`ChannelError`] with the offending file and the reason.
pub(super) fn load(
    channel: &Channel,
    source: &Source,
    limits: &ChannelLimits,
) -> Result<(Contents, ContentHash), ChannelError> {
    let mut hash = ContentHash::default();
    let mut read = |path: &Path| -> Result<Vec<u8>, MediaError> {
        let bytes = tarsus_files::read(path, MAX_FILE_BYTES)?;
        if bytes.is_empty() {
            return Err(MediaError::invalid(EMPTY));
        }
        hash = std::mem::take(&mut hash).with(&bytes);
        Ok(bytes)
    };
    let side = limits.side;
    let contents = match source {
        Source::Keyboard | Source::PassOutput(_) | Source::Empty => Contents::Nothing,
        Source::Silence => Contents::fixed(Texels::silence()),
        Source::Noise { kind, side } => {
            let texels =
                tarsus_render::noise::generate(*kind, *side, channel.shape, channel.is_flipped);
            Contents::fixed(texels)
        }
        Source::Image(path) => {
            let decode = || {
                let image = image_file::decode(&read(path)?, side, channel.is_srgb)?;
                let mut texels = image_file::into_texels(image, 1);
                if !channel.is_flipped {
                    texels.flip(channel.shape);
                }
                Ok(texels)
            };
            Contents::fixed(checked(channel, path, decode)?)
        }
        Source::Volume(path) => {
            let decode = || {
                let bytes = read(path)?;
                if volume::is_shadertoy(&bytes) {
                    return volume::from_shadertoy(&bytes, limits.volume_side);
                }
                // The slices are stacked vertically.
                let image = image_file::decode(&bytes, u32::MAX, channel.is_srgb)?;
                volume::from_slices(image, channel.is_flipped, limits.volume_side)
            };
            Contents::fixed(checked(channel, path, decode)?)
        }
        Source::Cube(paths) => {
            let mut faces = Vec::new();
            for path in paths {
                let decode = || {
                    let face = image_file::decode(&read(path)?, side, channel.is_srgb)?;
                    match faces.first() {
                        Some(first) => cube::check_face(&face, first)?,
                        None if paths.len() > 1 => cube::check_face(&face, &face)?,
                        None => cube::check_equirectangular(&face)?,
                    }
                    Ok(face)
                };
                let face = checked(channel, path, decode)?;
                faces.push(face);
            }
            let texels = match <[DynamicImage; 1]>::try_from(faces) {
                Ok([image]) => cube::from_equirectangular(image, channel.is_flipped),
                Err(faces) => cube::from_faces(faces, channel.is_flipped),
            };
            Contents::fixed(texels)
        }
        Source::Sound(path) => {
            let decode = || recording::decode(read(path)?, &extension(path));
            let sound = checked(channel, path, decode)?;
            Contents::Sound(Box::new(Spectrum::new(sound)))
        }
        Source::Video(path) => {
            let info = checked(channel, path, || probe(path, side))?;
            let video = Video::new(path.clone(), info, channel.is_flipped);
            Contents::Video(Box::new(video))
        }
    };
    Ok((contents, hash))
}

fn probe(path: &Path, side: u32) -> Result<VideoInfo, MediaError> {
    let file = tarsus_files::open(path)?;
    if file.metadata().is_ok_and(|metadata| metadata.len() == 0) {
        return Err(MediaError::invalid(EMPTY));
    }
    video_info::probe(path, side)
}

/// Runs the decoder of a file of `channel` and turns a panic into an error.
fn checked<T>(
    channel: &Channel,
    path: &Path,
    decode: impl FnOnce() -> Result<T, MediaError>,
) -> Result<T, ChannelError> {
    // Partial results are dropped.
    let decoded = catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| {
        Err(MediaError::invalid("its decoder panicked: the file may be damaged"))
    });
    decoded.map_err(|reason| ChannelError::new(channel, Some(path), reason))
}

/// Contents at a given time.
pub(super) enum Contents {
    /// No data: the renderer provides the contents, or they cannot be decoded.
    Nothing,
    /// Texels that do not depend on time.
    Static(Arc<Texels>),
    /// A recording.
    Sound(Box<Spectrum>),
    /// A video.
    Video(Box<Video>),
}

impl Contents {
    fn fixed(texels: Texels) -> Self {
        Self::Static(Arc::new(texels))
    }

    /// The same contents for another reader.
    pub(super) fn share(&self) -> Self {
        match self {
            Self::Nothing => Self::Nothing,
            Self::Static(texels) => Self::Static(Arc::clone(texels)),
            Self::Sound(spectrum) => Self::Sound(spectrum.clone()),
            Self::Video(video) => Self::Video(Box::new(video.share())),
        }
    }

    /// Width, height and layers, and texel format; `None` if the renderer provides the
    /// contents.
    pub(super) fn format(&self) -> Option<([u32; 3], TexelFormat)> {
        match self {
            Self::Nothing => None,
            Self::Static(texels) => Some((texels.size, texels.format)),
            Self::Sound(_) => Some((spectrum::SIZE, TexelFormat::Grey8)),
            Self::Video(video) => Some((video.size(), TexelFormat::Rgba8)),
        }
    }

    /// Identifies the texels at a time in seconds: equal keys mean equal texels.
    pub(super) fn key(&self, time: f64) -> (i64, i64) {
        match self {
            Self::Nothing | Self::Static(_) => (0, 0),
            Self::Sound(spectrum) => spectrum.position(time),
            Self::Video(video) => (video.frame_at(time) as i64, 0),
        }
    }

    /// The texels at a time in seconds; `None` if the renderer provides the contents, or if
    /// they are not decoded yet, unless `waits`.
    ///
    /// # Errors
    /// Returns a [`MediaError`] if they cannot be decoded.
    pub(super) fn texels_at(
        &mut self,
        time: f64,
        waits: bool,
    ) -> Result<Option<Arc<Texels>>, MediaError> {
        Ok(match self {
            Self::Nothing => None,
            Self::Static(texels) => Some(Arc::clone(texels)),
            Self::Sound(spectrum) => Some(Arc::new(spectrum.texels(spectrum.position(time)))),
            Self::Video(video) => video.texels(video.frame_at(time), waits)?.map(Arc::new),
        })
    }
}

#[cfg(test)]
mod tests {
    use image::ImageFormat;

    use super::*;
    use crate::tests::ffmpeg;
    use tarsus_render::noise::random;
    use tarsus_shader::{ChannelShape, ChannelSource};

    fn channel() -> Channel {
        Channel {
            name: "a".to_owned(),
            source: ChannelSource::Keyboard,
            shape: ChannelShape::Texture2d,
            has_mipmaps: false,
            is_flipped: false,
            is_srgb: true,
            folder: None,
            missing: None,
        }
    }

    #[test]
    fn damaged_files_load_or_fail() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("file");
        let picture = image::DynamicImage::new_rgb8(4, 2);
        let mut whole: Vec<(Source, Vec<u8>)> = Vec::new();
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tiff] {
            let mut bytes = std::io::Cursor::new(Vec::new());
            picture.write_to(&mut bytes, format).expect("encoded");
            let bytes = bytes.into_inner();
            whole.push((Source::Image(path.clone()), bytes.clone()));
            whole.push((Source::Cube(vec![path.clone()]), bytes));
        }
        let mut volume = b"BIN\0\x02\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0".to_vec();
        volume.extend([0; 8]);
        whole.push((Source::Volume(path.clone()), volume));
        let sound = folder.path().join("a.flac");
        ffmpeg(&["-f", "lavfi", "-i", "sine=d=0.1"], &[], &sound);
        let sound = std::fs::read(sound).expect("a recording");
        whole.push((Source::Sound(path.clone()), sound));
        let channel = channel();
        for (source, whole) in whole {
            let load = |bytes: &[u8]| {
                std::fs::write(&path, bytes).expect("written");
                load(&channel, &source, &ChannelLimits::default())
            };
            assert!(load(&whole).is_ok(), "{source:?}");
            for index in 0..50 {
                let mut bytes = whole.clone();
                let place = random(7, index) % bytes.len() as u64;
                bytes[place as usize] = (random(8, index) >> 56) as u8;
                if index % 5 == 0 {
                    bytes.truncate(place as usize + 1);
                }
                if let Err(error) = load(&bytes) {
                    assert_eq!(error.file.as_ref(), Some(&path));
                    let message = error.reason.to_string();
                    assert!(!message.is_empty() && !message.contains('\n'), "{message}");
                }
            }
        }
    }

    #[test]
    fn decoder_panic_becomes_an_error() {
        let failed: Result<(), ChannelError> =
            checked(&channel(), Path::new("a.png"), || panic!("unexpected"));
        let message = failed.expect_err("it panicked").to_string();
        assert!(message.contains("may be damaged"), "{message}");
    }
}
