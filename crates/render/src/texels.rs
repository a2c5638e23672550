//! Contents of a channel's texture, before their upload.

use super::picture::Picture;
use tarsus_shader::ChannelShape;

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

    /// Converts an 8-bit picture, with its last row at v = 0 unless `is_flipped`. A flipped
    /// cube is mirrored vertically. The six faces of a cube and the square slices of a volume
    /// are stacked vertically; rows below the sixth face are dropped.
    ///
    /// # Errors
    /// A message, if the channel is a cube or a volume and the picture is not a stack of square
    /// faces or slices.
    pub fn from_picture(
        picture: &Picture,
        shape: ChannelShape,
        is_flipped: bool,
    ) -> Result<Self, String> {
        let (width, height) = (picture.width, picture.height);
        let size = match shape {
            ChannelShape::Cube if height / 6 == width => [width, width, 6],
            ChannelShape::Cube => {
                return Err(format!(
                    "it has {width}x{height} pixels: a cube needs six square faces stacked \
                     vertically"
                ));
            }
            ChannelShape::Volume => [width, width, volume_depth(width, height)?],
            ChannelShape::Texture2d => [width, height, 1],
        };
        let mut texels = Self { size, format: TexelFormat::Rgba8, bytes: picture.rgba.clone() };
        texels.bytes.truncate(texels.expected_bytes() as usize);
        if is_flipped == (shape == ChannelShape::Cube) {
            texels.flip(shape);
        }
        Ok(texels)
    }

    /// Mirrors the texels of a channel of this shape vertically: each layer, and +y of a cube
    /// becomes -y.
    pub fn flip(&mut self, shape: ChannelShape) {
        let row = self.row_bytes();
        let layer = row * self.size[1] as usize;
        self.bytes.chunks_exact_mut(layer.max(1)).for_each(|layer| flip_rows(layer, row));
        if shape == ChannelShape::Cube {
            let (upper, lower) = self.bytes.split_at_mut(3 * layer);
            upper[2 * layer..].swap_with_slice(&mut lower[..layer]);
        }
    }

    /// True if there are texels, and as many bytes as their size and format require.
    pub fn has_expected_bytes(&self) -> bool {
        !self.bytes.is_empty() && self.bytes.len() as u64 == self.expected_bytes()
    }

    /// Number of bytes required by the size and format; `u64::MAX` if there are more.
    pub(super) fn expected_bytes(&self) -> u64 {
        let bytes = self.format.bytes() as u64;
        self.size.iter().fold(bytes, |all, &side| all.saturating_mul(side.into()))
    }

    /// Bytes per row, without padding.
    pub(super) fn row_bytes(&self) -> usize {
        self.size[0] as usize * self.format.bytes()
    }
}

/// Depth of a volume whose square slices are stacked vertically in a picture.
///
/// # Errors
/// A message about the picture, if its height is not a multiple of its width.
pub fn volume_depth(width: u32, height: u32) -> Result<u32, String> {
    if height.is_multiple_of(width) {
        Ok(height / width.max(1))
    } else {
        Err(format!(
            "it has {width}x{height} pixels: a volume needs square slices stacked vertically"
        ))
    }
}

/// Reverses the order of rows of `row` values each.
fn flip_rows<T: Copy>(values: &mut [T], row: usize) {
    let mut rest = values;
    while rest.len() >= 2 * row {
        let (first, others) = rest.split_at_mut(row);
        let (middle, last) = others.split_at_mut(others.len() - row);
        first.swap_with_slice(last);
        rest = middle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture whose red is the pixel's number.
    fn picture(width: u8, height: u8) -> Picture {
        let rgba = (0..width * height).flat_map(|number| [number, 0, 0, 255]).collect();
        Picture { width: width.into(), height: height.into(), rgba }
    }

    /// Red of the texels of such a picture.
    fn reds(width: u8, height: u8, shape: ChannelShape, is_flipped: bool) -> ([u32; 3], Vec<u8>) {
        let texels = Texels::from_picture(&picture(width, height), shape, is_flipped);
        let texels = texels.expect("a fitting picture");
        assert!(texels.has_expected_bytes());
        (texels.size, texels.bytes.into_iter().step_by(4).collect())
    }

    #[test]
    fn expected_bytes_do_not_wrap() {
        for (size, expected) in [
            // Exceeds 32 bits.
            ([2048, 2048, 1025], (1 << 32) + (1 << 22)),
            // Exceeds 64 bits.
            ([1 << 31, 1 << 31, 4], u64::MAX),
        ] {
            let texels = Texels { size, format: TexelFormat::Grey8, bytes: vec![0; 1 << 22] };
            assert_eq!(texels.expected_bytes(), expected);
            assert!(!texels.has_expected_bytes());
        }
    }

    #[test]
    fn flat_picture_starts_with_last_row() {
        let flat = |is_flipped| reds(2, 2, ChannelShape::Texture2d, is_flipped);
        assert_eq!(flat(false), ([2, 2, 1], vec![2, 3, 0, 1]));
        assert_eq!(flat(true), ([2, 2, 1], vec![0, 1, 2, 3]));
    }

    #[test]
    fn slices_are_upright_and_ordered_downwards() {
        let volume = |height, is_flipped| reds(2, height, ChannelShape::Volume, is_flipped);
        let upright = vec![2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9];
        assert_eq!(volume(6, false), ([2, 2, 3], upright));
        assert_eq!(volume(6, true), ([2, 2, 3], (0..12).collect()));
    }

    #[test]
    fn picture_of_wrong_shape_is_an_error() {
        for (shape, width, height, needs) in [
            (ChannelShape::Volume, 2, 7, "a volume needs square slices"),
            (ChannelShape::Volume, 4, 2, "a volume needs square slices"),
            (ChannelShape::Cube, 4, 2, "a cube needs six square faces"),
            (ChannelShape::Cube, 2, 10, "a cube needs six square faces"),
        ] {
            let texels = Texels::from_picture(&picture(width, height), shape, false);
            let error = texels.expect_err("another shape");
            let expected = format!("it has {width}x{height} pixels: {needs} stacked vertically");
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn flipped_cube_exchanges_top_and_bottom() {
        let cube = |is_flipped| reds(1, 6, ChannelShape::Cube, is_flipped);
        assert_eq!(cube(false), ([1, 1, 6], vec![0, 1, 2, 3, 4, 5]));
        assert_eq!(cube(true), ([1, 1, 6], vec![0, 1, 3, 2, 4, 5]));
    }

    #[test]
    fn flip_rows_reverses_rows() {
        let mut odd = [1, 2, 3, 4, 5, 6];
        flip_rows(&mut odd, 2);
        assert_eq!(odd, [5, 6, 3, 4, 1, 2]);
        let mut even = [1, 2, 3, 4];
        flip_rows(&mut even, 1);
        assert_eq!(even, [4, 3, 2, 1]);
    }
}
