//! Texture size limits of the GPU.

/// Maximum texture sizes of channels, from the GPU's limits: creating a larger texture
/// would abort the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelLimits {
    /// Maximum side of an image, video or cube face, in texels.
    pub side: u32,
    /// Maximum side of a volume, in texels.
    pub volume_side: u32,
}

impl Default for ChannelLimits {
    /// Typical GPU limits.
    fn default() -> Self {
        Self { side: 16_384, volume_side: 2048 }
    }
}
