//! The passes of a program: what each draws, and which function of a scene it runs.

use std::fmt;

/// A buffer that keeps its content from frame to frame.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, serde::Serialize,
)]
pub enum Buffer {
    /// The first to be drawn.
    A,
    /// The second.
    B,
    /// The third.
    C,
    /// The last.
    D,
}

impl Buffer {
    /// All of them, in drawing order.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// Its place in [`Self::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// What a pass draws. In drawing order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, serde::Serialize,
)]
pub enum PassKind {
    /// What is the same for all pixels of a picture: [`PER_FRAME`] values.
    PerFrame,
    /// One of the four buffers, of the picture's size.
    Buffer(Buffer),
    /// The six faces of the cube, [`CUBE_SIDE`] texels each.
    Cube,
    /// The picture.
    Image,
    /// Samples of sound, two channels.
    Sound,
}

/// Side of the faces of the cube, in texels; as Shadertoy's.
pub const CUBE_SIDE: u32 = 1024;
/// Samples of sound in a row of its texture.
pub const SOUND_ROW: u32 = 512;
/// Samples of sound per second.
pub const SAMPLE_RATE: u32 = 48_000;

/// Values that are worked out once per picture.
pub const PER_FRAME: u32 = 80;
/// Of these in a row of their texture: 256 bytes, as copies into buffers ask for.
pub const PER_FRAME_ROW: u32 = 16;

/// The vertex entry point of every pass, as `entry.wgsl` names it.
pub(super) const VERTEX_ENTRY: &str = "tarsus_vertex";

impl PassKind {
    /// Every kind, in drawing order.
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

    /// The fragment entry point, as `entry.wgsl` names it.
    #[must_use]
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

    /// The function of a scene that it runs, and how that is declared.
    #[must_use]
    pub fn function(self) -> (&'static str, &'static str) {
        match self {
            Self::PerFrame => ("per_frame", "fn per_frame(index: u32) -> vec4f"),
            Self::Buffer(Buffer::A) => ("buffer_a", "fn buffer_a(frag_coord: vec2f) -> vec4f"),
            Self::Buffer(Buffer::B) => ("buffer_b", "fn buffer_b(frag_coord: vec2f) -> vec4f"),
            Self::Buffer(Buffer::C) => ("buffer_c", "fn buffer_c(frag_coord: vec2f) -> vec4f"),
            Self::Buffer(Buffer::D) => ("buffer_d", "fn buffer_d(frag_coord: vec2f) -> vec4f"),
            Self::Cube => (
                "buffer_cube",
                "fn buffer_cube(frag_coord: vec2f, ray: vec3f) -> vec4f",
            ),
            Self::Image => ("main_image", "fn main_image(frag_coord: vec2f) -> vec4f"),
            Self::Sound => (
                "main_sound",
                "fn main_sound(sample: u32, time: f32) -> vec2f",
            ),
        }
    }

    /// What switches its entry point on in `entry.wgsl`; `None` for the buffers, which
    /// are not in it.
    pub(super) fn definition(self) -> Option<&'static str> {
        match self {
            Self::Buffer(_) => None,
            Self::PerFrame => Some("PER_FRAME"),
            Self::Cube => Some("BUFFER_CUBE"),
            Self::Image => Some("IMAGE"),
            Self::Sound => Some("SOUND"),
        }
    }

    /// True for what keeps its content from frame to frame.
    #[must_use]
    pub fn is_state(self) -> bool {
        matches!(self, Self::Buffer(_) | Self::Cube)
    }

    /// Name for people and for graphics debuggers.
    #[must_use]
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
