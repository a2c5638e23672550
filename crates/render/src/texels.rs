//! Contents of a channel's texture on their way to the adapter.

/// What one texel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TexelFormat {
    /// One number of 8 bits; red in the shader.
    Grey8,
    /// Red, green, blue, alpha of 8 bits.
    Rgba8,
    /// Red, green, blue, alpha as floats of 16 bits.
    RgbaHalf,
}

impl TexelFormat {
    /// Bytes of one texel.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::Grey8 => 1,
            Self::Rgba8 => 4,
            Self::RgbaHalf => 8,
        }
    }

    /// The format of a texture, which decodes sRGB where it is asked to and can.
    #[must_use]
    pub fn texture_format(self, is_srgb: bool) -> wgpu::TextureFormat {
        match self {
            Self::Grey8 => wgpu::TextureFormat::R8Unorm,
            Self::Rgba8 if is_srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            Self::Rgba8 => wgpu::TextureFormat::Rgba8Unorm,
            Self::RgbaHalf => wgpu::TextureFormat::Rgba16Float,
        }
    }
}

/// A block of texels: a picture, the six faces of a cube, or a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texels {
    /// Width, height, and layers: 1 for a picture, 6 for a cube (+x -x +y -y +z -z),
    /// the depth of a volume.
    pub size: [u32; 3],
    /// What each texel is.
    pub format: TexelFormat,
    /// Layer after layer, row after row. The first row is at v = 0.
    pub bytes: Vec<u8>,
}

impl Texels {
    /// Number of bytes that its size and format ask for.
    #[must_use]
    pub fn expected_bytes(&self) -> usize {
        let texels: usize = self.size.iter().map(|&side| side as usize).product();
        texels * self.format.bytes()
    }

    /// Texel bytes of one row.
    pub(super) fn row_bytes(&self) -> usize {
        self.size[0] as usize * self.format.bytes()
    }
}

/// Reverses the order of rows of `row` values.
pub fn flip_rows<T: Copy>(values: &mut [T], row: usize) {
    let mut rest = values;
    while rest.len() >= 2 * row {
        let (first, others) = rest.split_at_mut(row);
        let (middle, last) = others.split_at_mut(others.len() - row);
        first.swap_with_slice(last);
        rest = middle;
    }
}
