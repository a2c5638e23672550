//! How large the textures of an adapter are.

/// Most texels of a channel. They are the adapter's: a texture beyond them would end
/// the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelLimits {
    /// Per side of a picture, a film or a face.
    pub side: u32,
    /// Per side of a volume.
    pub volume_side: u32,
}

impl Default for ChannelLimits {
    /// Those of common adapters.
    fn default() -> Self {
        Self {
            side: 16_384,
            volume_side: 2048,
        }
    }
}
