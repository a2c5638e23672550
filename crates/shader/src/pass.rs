//! The passes of a program: their outputs, and the scene functions they run.

use std::fmt;

/// A buffer that keeps its content from frame to frame.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, serde::Serialize,
)]
pub enum Buffer {
    /// Drawn first.
    A,
    /// Drawn second.
    B,
    /// Drawn third.
    C,
    /// Drawn last.
    D,
}

impl Buffer {
    /// All buffers, in drawing order.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// Index in [`Self::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Name in scenes: a, b, c or d.
    pub fn letter(self) -> &'static str {
        ["a", "b", "c", "d"][self.index()]
    }
}

/// Kind of a pass, in drawing order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, serde::Serialize,
)]
pub enum PassKind {
    /// Values that are the same for all pixels of an image; see
    /// [`per_frame_values`](crate::Program::per_frame_values).
    PerFrame,
    /// One of the four buffers, which have the size of the image or one of their own.
    Buffer(Buffer),
    /// The six faces of the cube map, [`CUBE_SIDE`] texels a side.
    Cube,
    /// The image.
    Image,
    /// Stereo sound samples.
    Sound,
}

/// Side of the cube map's faces in texels, the same as Shadertoy's.
pub const CUBE_SIDE: u32 = 1024;
/// Maximum side of a picture in pixels.
pub const MAX_PICTURE_SIDE: u32 = 65_536;
/// Maximum side of a buffer of fixed size in texels, which most adapters support.
pub const MAX_BUFFER_SIDE: u32 = 8192;
/// Sound samples per row of their texture.
pub const SOUND_ROW: u32 = 512;
/// Sound samples per second.
pub const SAMPLE_RATE: u32 = 48_000;

/// Number of values computed once per image, unless the scene needs or defines more.
pub(super) const PER_FRAME_VALUES: u32 = 80;
/// Maximum number of values computed once per image: 16 KiB, the smallest limit of adapters.
pub(super) const MAX_PER_FRAME_VALUES: u32 = 1024;
/// Per-frame values per row of their texture: 256 bytes, the alignment required for copies
/// to buffers.
pub const PER_FRAME_ROW: u32 = 32;

/// Vertex entry point of every pass, as named in `entry.wgsl`.
pub(super) const VERTEX_ENTRY: &str = "tarsus_vertex";

impl PassKind {
    /// All kinds, in drawing order.
    pub const ALL: [Self; 8] = [
        Self::PerFrame,
        Self::Buffer(Buffer::A),
        Self::Buffer(Buffer::B),
        Self::Buffer(Buffer::C),
        Self::Buffer(Buffer::D),
        Self::Cube,
        Self::Image,
        Self::Sound,
    ];

    /// Fragment entry point, as named in `entry.wgsl`.
    pub fn entry(self) -> &'static str {
        match self {
            Self::PerFrame => "tarsus_per_frame",
            Self::Buffer(Buffer::A) => "tarsus_buffer_a",
            Self::Buffer(Buffer::B) => "tarsus_buffer_b",
            Self::Buffer(Buffer::C) => "tarsus_buffer_c",
            Self::Buffer(Buffer::D) => "tarsus_buffer_d",
            Self::Cube => "tarsus_buffer_cube",
            Self::Image => "tarsus_fragment",
            Self::Sound => "tarsus_sound",
        }
    }

    /// Signature of the scene function that the pass runs.
    pub fn signature(self) -> &'static str {
        match self {
            Self::PerFrame => "fn per_frame(index: u32) -> vec4f",
            Self::Buffer(Buffer::A) => "fn buffer_a(frag_coord: vec2f) -> vec4f",
            Self::Buffer(Buffer::B) => "fn buffer_b(frag_coord: vec2f) -> vec4f",
            Self::Buffer(Buffer::C) => "fn buffer_c(frag_coord: vec2f) -> vec4f",
            Self::Buffer(Buffer::D) => "fn buffer_d(frag_coord: vec2f) -> vec4f",
            Self::Cube => "fn buffer_cube(frag_coord: vec2f, ray: vec3f) -> vec4f",
            Self::Image => "fn main_image(frag_coord: vec2f) -> vec4f",
            Self::Sound => "fn main_sound(sample: u32, time: f32) -> vec2f",
        }
    }

    /// Name of the scene function that the pass runs.
    pub fn function(self) -> &'static str {
        let name = self.signature().trim_start_matches("fn ").split('(').next();
        name.unwrap_or_default()
    }

    /// True for passes whose contents persist from frame to frame.
    pub fn is_state(self) -> bool {
        matches!(self, Self::Buffer(_) | Self::Cube)
    }

    /// Name for messages and graphics debuggers.
    pub fn label(self) -> &'static str {
        match self {
            Self::PerFrame => "per frame",
            Self::Buffer(Buffer::A) => "buffer a",
            Self::Buffer(Buffer::B) => "buffer b",
            Self::Buffer(Buffer::C) => "buffer c",
            Self::Buffer(Buffer::D) => "buffer d",
            Self::Cube => "cube",
            Self::Image => "image",
            Self::Sound => "sound",
        }
    }
}

impl fmt::Display for PassKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.label())
    }
}
