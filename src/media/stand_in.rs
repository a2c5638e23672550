//! Types of the shader and render floors, until they are there.
#![allow(missing_docs)]

use std::path::PathBuf;

#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    pub name: String,
    pub source: ChannelSource,
    pub shape: ChannelShape,
    pub has_mipmaps: bool,
    pub is_flipped: bool,
    pub is_srgb: bool,
    pub folder: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelSource {
    Image(String),
    Cube(Vec<String>),
    Volume(String),
    Video(String),
    Sound(String),
    Keyboard,
    Noise { kind: NoiseKind, side: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelShape {
    Flat,
    Cube,
    Volume,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseKind {
    Grey,
    Rgba,
    Blue,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texels {
    pub size: [u32; 3],
    pub format: TexelFormat,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexelFormat {
    Grey8,
    Rgba8,
    RgbaHalf,
}
