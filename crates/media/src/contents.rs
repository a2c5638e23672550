//! The contents of one channel, static or depending on time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cube;
use super::error::MediaError;
use super::file::{self, MOST_BYTES};
use super::film_info::{self, FilmInfo};
use super::limits::ChannelLimits;
use super::picture::{self, Picture};
use super::recording::{self, Recording};
use super::source::{Source, ending};
use super::spectrum::{self, Position, Spectrum};
use super::video::Video;
use super::volume;
use tarsus_render::{TexelFormat, Texels};
use tarsus_shader::Channel;
use tarsus_shader::ContentHash;

/// Data loaded from a channel's files, shared by clones.
#[derive(Clone)]
pub(super) enum Loaded {
    /// No data: the renderer provides the contents.
    Nothing,
    /// Static texels.
    Still(Arc<Texels>),
    /// A recording.
    Sound(Arc<Recording>),
    /// Properties of a video.
    Video(PathBuf, FilmInfo),
}

/// Reads the files of a channel. Also returns a hash of their contents; videos, which may
/// be long, are not hashed.
///
/// # Errors
/// Returns the offending file and the reason.
pub(super) fn load(
    channel: &Channel,
    source: &Source,
    limits: &ChannelLimits,
) -> Result<(Loaded, ContentHash), (Option<PathBuf>, MediaError)> {
    let mut hash = ContentHash::default();
    let mut read = |path: &Path| -> Result<Vec<u8>, MediaError> {
        let bytes = file::read(path, MOST_BYTES)?;
        hash = std::mem::take(&mut hash).with(&bytes);
        Ok(bytes)
    };
    let side = limits.side;
    let loaded = match source {
        Source::Keyboard | Source::Drawn => Loaded::Nothing,
        Source::Noise(kind, side) => {
            let texels =
                tarsus_render::noise::generate(*kind, *side, channel.shape, channel.is_flipped);
            Loaded::Still(Arc::new(texels))
        }
        Source::Image(path) => still(path, || {
            let mut picture = picture::decode(&read(path)?, side, channel.is_srgb)?;
            if !channel.is_flipped {
                picture.flip();
            }
            Ok(picture.into_texels(1))
        })?,
        Source::Volume(path) => still(path, || {
            let bytes = read(path)?;
            if volume::is_shadertoy(&bytes) {
                return volume::from_shadertoy(&bytes, limits.volume_side);
            }
            // The slices are stacked vertically.
            let picture = picture::decode(&bytes, u32::MAX, channel.is_srgb)?;
            volume::from_slices(picture, channel.is_flipped, limits.volume_side)
        })?,
        Source::Cube(paths) => {
            let mut faces = Vec::new();
            for path in paths {
                let face = || {
                    let mut face = picture::decode(&read(path)?, side, channel.is_srgb)?;
                    if channel.is_flipped {
                        face.flip();
                    }
                    Ok(face)
                };
                faces.push(guarded(face).map_err(|error| (Some(path.clone()), error))?);
            }
            cube_of(paths, faces)?
        }
        Source::Sound(path) => {
            let sound = || recording::decode(read(path)?, &ending(path));
            let sound = guarded(sound).map_err(|error| (Some(path.clone()), error))?;
            Loaded::Sound(Arc::new(sound))
        }
        Source::Video(path) => {
            let info = file::open(path).and_then(|_| film_info::probe(path, side));
            let info = info.map_err(|error| (Some(path.clone()), error))?;
            Loaded::Video(path.clone(), info)
        }
    };
    Ok((loaded, hash))
}

fn still(
    path: &Path,
    texels: impl FnOnce() -> Result<Texels, MediaError>,
) -> Result<Loaded, (Option<PathBuf>, MediaError)> {
    match guarded(texels) {
        Ok(texels) => Ok(Loaded::Still(Arc::new(texels))),
        Err(error) => Err((Some(path.to_path_buf()), error)),
    }
}

fn cube_of(
    paths: &[PathBuf],
    faces: Vec<Picture>,
) -> Result<Loaded, (Option<PathBuf>, MediaError)> {
    let texels = match &faces[..] {
        [whole] => cube::from_equirectangular(whole).map_err(|error| (0, error)),
        _ => cube::from_faces(faces),
    };
    match texels {
        Ok(texels) => Ok(Loaded::Still(Arc::new(texels))),
        Err((number, error)) => Err((paths.get(number).cloned(), error)),
    }
}

/// Runs a decoder and turns a panic into an error.
fn guarded<T>(decode: impl FnOnce() -> Result<T, MediaError>) -> Result<T, MediaError> {
    // Partial results are dropped.
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or(Err(MediaError::Panicked))
}

/// Contents at a given time.
pub(super) enum Contents {
    /// No data: the renderer provides the contents.
    Nothing,
    /// Static texels.
    Still {
        /// The decoded texels.
        texels: Arc<Texels>,
        /// True after they were returned once.
        is_given: bool,
    },
    /// A recording.
    Sound(Box<Spectrum>, Option<Position>),
    /// A video.
    Video(Box<Video>, Option<u64>),
}

impl Contents {
    pub(super) fn new(loaded: &Loaded, channel: &Channel) -> Self {
        match loaded {
            Loaded::Nothing => Self::Nothing,
            Loaded::Still(texels) => Self::Still {
                texels: Arc::clone(texels),
                is_given: false,
            },
            Loaded::Sound(recording) => {
                Self::Sound(Box::new(Spectrum::new(Arc::clone(recording))), None)
            }
            Loaded::Video(path, info) => {
                let video = Video::new(path.clone(), info.clone(), channel.is_flipped);
                Self::Video(Box::new(video), None)
            }
        }
    }

    /// Width, height and layers, and texel format; `None` if the renderer provides the
    /// contents.
    pub(super) fn format(&self) -> Option<([u32; 3], TexelFormat)> {
        match self {
            Self::Nothing => None,
            Self::Still { texels, .. } => Some((texels.size, texels.format)),
            Self::Sound(..) => Some((spectrum::SIZE, TexelFormat::Grey8)),
            Self::Video(video, _) => Some((video.size(), TexelFormat::Rgba8)),
        }
    }

    /// Decodes the texels at a time in seconds in the background; true if
    /// [`Self::texels_at`] would return them without blocking.
    ///
    /// # Errors
    /// Returns a [`MediaError`] if they cannot be decoded.
    pub(super) fn prepare(&mut self, time: f64) -> Result<bool, MediaError> {
        match self {
            Self::Video(video, last) => {
                let frame = video.frame_at(time);
                Ok(*last == Some(frame) || video.prepare(frame)?)
            }
            Self::Nothing | Self::Still { .. } | Self::Sound(..) => Ok(true),
        }
    }

    /// The texels at a time in seconds, if they changed since the last call.
    ///
    /// # Errors
    /// Returns a [`MediaError`] if they cannot be decoded.
    pub(super) fn texels_at(&mut self, time: f64) -> Result<Option<Arc<Texels>>, MediaError> {
        Ok(match self {
            Self::Nothing => None,
            Self::Still { texels, is_given } => {
                (!std::mem::replace(is_given, true)).then(|| Arc::clone(texels))
            }
            Self::Sound(spectrum, last) => {
                let position = spectrum.position(time);
                let is_new = last.replace(position) != Some(position);
                is_new.then(|| Arc::new(spectrum.texels(position)))
            }
            Self::Video(video, last) => {
                let frame = video.frame_at(time);
                if last.replace(frame) == Some(frame) {
                    return Ok(None);
                }
                Some(Arc::new(video.texels(frame)?))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use image::ImageFormat;

    use super::super::fixtures::ffmpeg;
    use super::*;
    use tarsus_render::noise::random;
    use tarsus_shader::{ChannelShape, ChannelSource};

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
        let channel = Channel {
            name: "a".to_owned(),
            source: ChannelSource::Keyboard,
            shape: ChannelShape::Texture2d,
            has_mipmaps: false,
            is_flipped: false,
            is_srgb: true,
            folder: None,
        };
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
                if let Err((file, error)) = load(&bytes) {
                    assert_eq!(file.as_ref(), Some(&path));
                    let said = error.to_string();
                    assert!(!said.is_empty() && !said.contains('\n'), "{said}");
                }
            }
        }
    }

    #[test]
    fn decoder_panic_becomes_an_error() {
        let failed: Result<(), MediaError> = guarded(|| panic!("not thought of"));
        let said = failed.expect_err("it panicked").to_string();
        assert!(said.contains("may be damaged"), "{said}");
    }
}
