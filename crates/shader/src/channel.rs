//! Channels: textures of a scene that tarsus fills from files or by itself.
//!
//! ```wgsl
//! /// image "wood.jpg", repeat, mipmap
//! @group(2) @binding(0) var wood: texture_2d<f32>;
//! @group(2) @binding(1) var wood_sampler: sampler;
//! ```
//!
//! The comment says where the contents come from; names, types and places come
//! from naga. A sampler called as a texture with `_sampler` behind it has that
//! texture's filter and wrap; one with a comment of its own has those.

use std::fmt;
use std::path::PathBuf;

use super::pass::PassKind;

/// The bind group of channels.
pub const GROUP: u32 = 2;
/// Stands behind a texture's name in the name of its sampler.
const SAMPLER_SUFFIX: &str = "_sampler";

/// A texture that a scene reads.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Channel {
    /// Name of the variable, and before the `=` of `--channel`.
    pub name: String,
    /// Where its contents come from.
    pub source: ChannelSource,
    /// What its texture is.
    pub shape: ChannelShape,
    /// True if smaller copies are made for what is far away.
    pub has_mipmaps: bool,
    /// True if the first row of the file is at v = 0; else the last one is, and
    /// pictures stand upright.
    pub is_flipped: bool,
    /// True if stored values are decoded from sRGB when they are read.
    pub is_srgb: bool,
    /// The folder that paths of files start from; `None` for built-in texts, whose
    /// paths start from the working directory.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
}

/// Where the contents of a channel come from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum ChannelSource {
    /// A picture file.
    Image(String),
    /// Six square pictures, +x -x +y -y +z -z, or one equirectangular one.
    Cube(Vec<String>),
    /// A file of voxels.
    Volume(String),
    /// A film, by scene time.
    Video(String),
    /// Spectrum and wave of a recording, by scene time.
    Sound(String),
    /// The state of the keys.
    Keyboard,
    /// Noise that tarsus makes.
    Noise {
        /// Which.
        kind: NoiseKind,
        /// Side in texels.
        side: u32,
    },
    /// The newest content of a pass: the renderer's own.
    Content(PassKind),
    /// Opaque black: nothing is bound.
    Empty,
}

/// What a channel's texture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum ChannelShape {
    /// `texture_2d<f32>`
    Flat,
    /// `texture_cube<f32>`
    Cube,
    /// `texture_3d<f32>`
    Volume,
}

/// The noises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum NoiseKind {
    /// One random number per texel.
    Grey,
    /// Four of them.
    Rgba,
    /// Four of them, without low frequencies.
    Blue,
}

/// How a scene reads a texture.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct ChannelSampler {
    /// Name of the variable.
    pub name: String,
    /// Between texels.
    pub filter: Filter,
    /// Beyond the edges.
    pub wrap: Wrap,
}

impl ChannelSampler {
    /// True if it is the one that reads `channel`: it is called as that with
    /// `_sampler` behind it.
    #[must_use]
    pub fn belongs_to(&self, channel: &Channel) -> bool {
        texture_of(&self.name) == Some(&channel.name)
    }
}

/// A channel of one pass, where no comments say what it is: its texture is at
/// binding 2 × `slot` of the group of channels, its sampler behind that.
#[derive(Clone, Debug, PartialEq)]
pub struct PassChannel {
    /// Its number, from 0 on.
    pub slot: u32,
    /// Its texture. One name is one texture in all passes.
    pub channel: Channel,
    /// How it is read. One name is one sampler in all passes.
    pub sampler: ChannelSampler,
}

/// What is read between texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum Filter {
    /// The nearest one.
    Nearest,
    /// A blend of the nearest ones.
    Linear,
    /// The same, between two smaller copies.
    Mipmap,
}

/// What is read beyond the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum Wrap {
    /// The edge.
    Clamp,
    /// The texture again.
    Repeat,
    /// The texture again, every other time mirrored.
    Mirror,
}

impl fmt::Display for ChannelShape {
    /// As it is declared.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Flat => "texture_2d<f32>",
            Self::Cube => "texture_cube<f32>",
            Self::Volume => "texture_3d<f32>",
        })
    }
}

impl fmt::Display for ChannelSource {
    /// As it is written in a comment.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Image(file) => write!(out, "image \"{file}\""),
            Self::Cube(files) => {
                let quoted: Vec<_> = files.iter().map(|file| format!("\"{file}\"")).collect();
                write!(out, "cube {}", quoted.join(" "))
            }
            Self::Volume(file) => write!(out, "volume \"{file}\""),
            Self::Video(file) => write!(out, "video \"{file}\""),
            Self::Sound(file) => write!(out, "sound \"{file}\""),
            Self::Keyboard => write!(out, "keyboard"),
            Self::Noise { kind, side } => {
                let kind = match kind {
                    NoiseKind::Grey => "grey",
                    NoiseKind::Rgba => "rgba",
                    NoiseKind::Blue => "blue",
                };
                write!(out, "noise {kind} {side}")
            }
            Self::Content(PassKind::Cube) => write!(out, "buffer cube"),
            Self::Content(kind) => write!(out, "{kind}"),
            Self::Empty => write!(out, "nothing"),
        }
    }
}

/// The texture whose sampler has this name.
pub(super) fn texture_of(sampler: &str) -> Option<&str> {
    sampler.strip_suffix(SAMPLER_SUFFIX)
}
