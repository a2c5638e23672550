//! Channels: textures of a scene that tarsus loads from files or generates.
//!
//! ```wgsl
//! /// image "wood.jpg", repeat, mipmap
//! @group(2) @binding(0) var wood: texture_2d<f32>;
//! @group(2) @binding(1) var wood_sampler: sampler;
//! ```
//!
//! The comment names the source of the texture; names, types and bindings come from naga. A
//! sampler named after a texture, with the suffix `_sampler`, uses that texture's filter
//! and wrap mode unless it has its own comment.

use std::fmt;
use std::path::{Path, PathBuf};

use super::channel_comment::MAX_NOISE_VOLUME_SIDE;
use super::pass::PassKind;

/// Bind group of the channels.
pub const GROUP: u32 = 2;
/// Suffix that turns a texture's name into the name of its sampler.
const SAMPLER_SUFFIX: &str = "_sampler";

/// A texture that a scene reads.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Channel {
    /// Name of the variable, and the name before the `=` of `--channel`.
    pub name: String,
    /// Source of the texture's contents.
    pub source: ChannelSource,
    /// Shape of the texture.
    pub shape: ChannelShape,
    /// True if the texture has mipmaps.
    pub has_mipmaps: bool,
    /// True if the first row of the file is at v = 0. Otherwise the last row is, so that
    /// images appear upright. A cube is mirrored vertically instead.
    pub is_flipped: bool,
    /// True if stored values are decoded from sRGB when sampled.
    pub is_srgb: bool,
    /// Folder that file paths are relative to. `None` for built-in sources, whose paths are
    /// relative to the working directory.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
    /// Missing Shadertoy file that the source replaces, if any.
    #[serde(skip)]
    pub missing: Option<MissingFile>,
}

/// A file on Shadertoy that is not on this computer. A line of the texture's comment names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingFile {
    /// Title on Shadertoy, or name of the file.
    pub title: String,
    /// Path on Shadertoy.
    pub path: String,
}

impl MissingFile {
    /// Reads a line of a comment, as `Display` writes it.
    pub(super) fn from_line(line: &str) -> Option<Self> {
        let (title, path) = line.trim().strip_prefix('`')?.split_once("` on Shadertoy: \"")?;
        Some(Self { title: title.to_owned(), path: path.strip_suffix('"')?.to_owned() })
    }
}

impl fmt::Display for MissingFile {
    /// Writes a single line.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ends = |c: char| c.is_control() || matches!(c, '"' | '\u{2028}' | '\u{2029}');
        let (title, path) = (self.title.replace(ends, " "), self.path.replace(ends, " "));
        write!(out, "`{title}` on Shadertoy: \"{path}\"")
    }
}

impl Channel {
    /// Pass whose output the channel shows, if any.
    pub fn shown_pass(&self) -> Option<PassKind> {
        match self.source {
            ChannelSource::PassOutput(kind) => Some(kind),
            _ => None,
        }
    }

    /// Path of one of the channel's files.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.as_deref().unwrap_or(Path::new("")).join(file)
    }
}

/// Source of a channel's contents, from files that are named by an `F`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum ChannelSource<F = String> {
    /// An image file.
    Image(F),
    /// Six square images in the order +x -x +y -y +z -z, or a single equirectangular one.
    Cube(Vec<F>),
    /// A voxel file.
    Volume(F),
    /// A video, played in scene time.
    Video(F),
    /// Spectrum and waveform of an audio file, played in scene time.
    Sound(F),
    /// The state of the keyboard.
    Keyboard,
    /// Generated noise.
    Noise {
        /// The kind of noise.
        kind: NoiseKind,
        /// Side length in texels.
        side: u32,
    },
    /// The latest output of a pass, owned by the renderer.
    PassOutput(PassKind),
    /// Opaque black, for a channel that nothing is bound to.
    Empty,
    /// Spectrum and waveform of silence, the placeholder of missing music.
    Silence,
}

/// Shape of a channel's texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum ChannelShape {
    /// `texture_2d<f32>`
    Texture2d,
    /// `texture_cube<f32>`
    Cube,
    /// `texture_3d<f32>`
    Volume,
}

/// The noises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum NoiseKind {
    /// One white noise value per texel.
    Grey,
    /// Four independent white noise values per texel.
    Rgba,
    /// Four blue noise values per texel, without low frequencies.
    Blue,
}

/// How a scene reads a texture.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct ChannelSampler {
    /// Name of the variable.
    pub name: String,
    /// Filtering between texels.
    pub filter: Filter,
    /// Addressing beyond the edges.
    pub wrap: Wrap,
}

impl ChannelSampler {
    /// True if this is the sampler of `channel`, by name: the channel's name followed by
    /// `_sampler`.
    pub fn belongs_to(&self, channel: &Channel) -> bool {
        texture_of(&self.name) == Some(&channel.name)
    }
}

/// A channel of one pass, for front ends that do not describe channels in comments. Its
/// texture is at binding 2 × `slot` of the channel group, its sampler at the next binding.
#[derive(Clone, Debug, PartialEq)]
pub struct PassChannel {
    /// Slot number, from 0.
    pub slot: u32,
    /// The texture. A name denotes the same texture in all passes.
    pub channel: Channel,
    /// The sampler. A name denotes the same sampler in all passes.
    pub sampler: ChannelSampler,
}

/// Filtering between texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum Filter {
    /// The nearest texel.
    Nearest,
    /// Linear interpolation between texels.
    #[default]
    Linear,
    /// Linear interpolation within and between mipmap levels.
    Mipmap,
}

impl Filter {
    /// Keyword of the filter.
    pub fn name(self) -> &'static str {
        ["nearest", "linear", "mipmap"][self as usize]
    }

    /// Filter with this keyword.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Self::Nearest, Self::Linear, Self::Mipmap];
        all.into_iter().find(|filter| filter.name() == name)
    }
}

/// Addressing beyond the edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum Wrap {
    /// Repeats the edge texels.
    #[default]
    Clamp,
    /// Repeats the texture.
    Repeat,
    /// Repeats the texture, mirroring every other copy.
    Mirror,
}

impl Wrap {
    /// Keyword of the wrap mode.
    pub fn name(self) -> &'static str {
        ["clamp", "repeat", "mirror"][self as usize]
    }

    /// Wrap mode with this keyword.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Clamp, Self::Repeat, Self::Mirror].into_iter().find(|wrap| wrap.name() == name)
    }
}

impl<F: AsRef<Path>> ChannelSource<F> {
    /// The source that reads `file`, chosen by its extension; an image if that is unknown.
    pub fn of_file(file: F) -> Self {
        let extension = file.as_ref().extension().unwrap_or_default().to_ascii_lowercase();
        match &*extension.to_string_lossy() {
            "avi" | "m2ts" | "m4v" | "mkv" | "mov" | "mp4" | "mpeg" | "mpg" | "ogv" | "ts"
            | "webm" | "wmv" => Self::Video(file),
            "aac" | "flac" | "m4a" | "mka" | "mp3" | "oga" | "ogg" | "opus" | "wav" => {
                Self::Sound(file)
            }
            "bin" => Self::Volume(file),
            _ => Self::Image(file),
        }
    }
}

impl<F> ChannelSource<F> {
    /// Shape of a texture with this source; noise and [`Self::Empty`] can have others too.
    pub fn shape(&self) -> ChannelShape {
        match self {
            Self::Cube(_) | Self::PassOutput(PassKind::Cube) => ChannelShape::Cube,
            Self::Volume(_) => ChannelShape::Volume,
            _ => ChannelShape::Texture2d,
        }
    }

    /// True if a texture of `shape` can have this source.
    pub fn fits(&self, shape: ChannelShape) -> bool {
        match (self, shape) {
            (Self::Empty, _) => true,
            (Self::Noise { kind, side }, ChannelShape::Volume) => {
                *kind != NoiseKind::Blue && *side <= MAX_NOISE_VOLUME_SIDE
            }
            _ => self.shape() == shape,
        }
    }

    /// Keyword for this kind of source: the first word of its text.
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Image(_) => "image",
            Self::Cube(_) => "cube",
            Self::Volume(_) => "volume",
            Self::Video(_) => "video",
            Self::Sound(_) => "sound",
            Self::Keyboard => "keyboard",
            Self::Noise { .. } => "noise",
            Self::PassOutput(_) => "buffer",
            Self::Empty => "nothing",
            Self::Silence => "silence",
        }
    }

    /// The names of its files.
    pub fn files(&self) -> &[F] {
        match self {
            Self::Image(file) | Self::Volume(file) | Self::Video(file) | Self::Sound(file) => {
                std::slice::from_ref(file)
            }
            Self::Cube(files) => files,
            _ => &[],
        }
    }

    /// The same source, with its files named by `name`, which is called in order.
    pub fn with_files<G>(&self, mut name: impl FnMut(&F) -> G) -> ChannelSource<G> {
        match self {
            Self::Image(file) => ChannelSource::Image(name(file)),
            Self::Cube(files) => ChannelSource::Cube(files.iter().map(name).collect()),
            Self::Volume(file) => ChannelSource::Volume(name(file)),
            Self::Video(file) => ChannelSource::Video(name(file)),
            Self::Sound(file) => ChannelSource::Sound(name(file)),
            Self::Keyboard => ChannelSource::Keyboard,
            Self::Noise { kind, side } => ChannelSource::Noise { kind: *kind, side: *side },
            Self::PassOutput(pass) => ChannelSource::PassOutput(*pass),
            Self::Empty => ChannelSource::Empty,
            Self::Silence => ChannelSource::Silence,
        }
    }
}

impl ChannelShape {
    /// All shapes, in the order of their declaration.
    pub const ALL: [Self; 3] = [Self::Texture2d, Self::Cube, Self::Volume];
}

impl fmt::Display for ChannelShape {
    /// Writes the WGSL type.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Texture2d => "texture_2d<f32>",
            Self::Cube => "texture_cube<f32>",
            Self::Volume => "texture_3d<f32>",
        })
    }
}

impl fmt::Display for ChannelSource {
    /// Writes the source as it appears in a comment.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.keyword())?;
        for file in self.files() {
            write!(out, " \"{file}\"")?;
        }
        match self {
            Self::Noise { kind, side } => {
                let kind = match kind {
                    NoiseKind::Grey => "grey",
                    NoiseKind::Rgba => "rgba",
                    NoiseKind::Blue => "blue",
                };
                write!(out, " {kind} {side}")
            }
            Self::PassOutput(PassKind::Buffer(buffer)) => write!(out, " {}", buffer.letter()),
            Self::PassOutput(kind) => write!(out, " {}", kind.label()),
            _ => Ok(()),
        }
    }
}

/// Name of the texture that a sampler's name refers to.
pub(super) fn texture_of(sampler: &str) -> Option<&str> {
    sampler.strip_suffix(SAMPLER_SUFFIX)
}
