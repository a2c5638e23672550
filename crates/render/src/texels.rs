//! Contents of a channel's texture, before their upload.

/// Format of one texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TexelFormat {
    /// One 8-bit component; red in the shader.
    Grey8,
    /// Red, green, blue and alpha, 8 bits each.
    Rgba8,
    /// Red, green, blue and alpha as 16-bit floats.
    RgbaHalf,
}

impl TexelFormat {
    /// Bytes per texel.
    pub fn bytes(self) -> usize {
        match self {
            Self::Grey8 => 1,
            Self::Rgba8 => 4,
            Self::RgbaHalf => 8,
        }
    }

    /// The texture format; an sRGB format if `is_srgb` and one exists.
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
    /// Format of the texels.
    pub format: TexelFormat,
    /// Texels layer by layer, row by row. The first row is at v = 0.
    pub bytes: Vec<u8>,
}

impl Texels {
    /// Spectrum and waveform of silence, in the form of those of a recording.
    pub fn silence() -> Self {
        let mut bytes = vec![0; 1024];
        bytes[512..].fill(128);
        Self { size: [512, 2, 1], format: TexelFormat::Grey8, bytes }
    }

    /// Number of bytes required by the size and format.
    pub fn expected_bytes(&self) -> usize {
        let texels: usize = self.size.iter().map(|&side| side as usize).product();
        texels * self.format.bytes()
    }

    /// Bytes per row, without padding.
    pub(super) fn row_bytes(&self) -> usize {
        self.size[0] as usize * self.format.bytes()
    }
}

/// Reverses the order of rows of `row` values each.
pub fn flip_rows<T: Copy>(values: &mut [T], row: usize) {
    let mut rest = values;
    while rest.len() >= 2 * row {
        let (first, others) = rest.split_at_mut(row);
        let (middle, last) = others.split_at_mut(others.len() - row);
        first.swap_with_slice(last);
        rest = middle;
    }
}
