//! Pictures in memory: bit depth and byte order.

use super::target::FORMAT;

/// Bit depth of the components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// 8-bit unsigned.
    #[default]
    Eight,
    /// 16-bit unsigned, little-endian.
    Sixteen,
    /// 32-bit float in unclamped linear light, little-endian.
    Float,
}

impl Depth {
    /// Bytes per pixel of four components.
    pub fn pixel_bytes(self) -> usize {
        4 * usize::from(self.bits() / 8)
    }

    /// Quantization step, where white is 1; 0 for floats.
    pub fn step(self) -> f32 {
        match self {
            Self::Eight => 1.0 / 255.0,
            Self::Sixteen => 1.0 / 65535.0,
            Self::Float => 0.0,
        }
    }

    /// Format of targets with this depth.
    pub fn texture_format(self) -> wgpu::TextureFormat {
        match self {
            Self::Eight => FORMAT,
            // Integers, because 16-bit normalised formats are not renderable everywhere.
            Self::Sixteen => wgpu::TextureFormat::Rgba16Uint,
            Self::Float => wgpu::TextureFormat::Rgba32Float,
        }
    }

    /// Bits per component: 8, 16 or 32.
    pub fn bits(self) -> u8 {
        match self {
            Self::Eight => 8,
            Self::Sixteen => 16,
            Self::Float => 32,
        }
    }
}

/// An RGBA picture, or a band of rows of one, from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// `width * height` pixels of red, green, blue and alpha. The length determines the
    /// depth: one, two or four bytes per component.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// Bit depth, which follows from the number of bytes per pixel.
    pub fn depth(&self) -> Depth {
        let pixels = self.width as usize * self.height as usize;
        match self.rgba.len() / pixels.max(1) {
            16 => Depth::Float,
            8 => Depth::Sixteen,
            _ => Depth::Eight,
        }
    }

    /// The four components of the pixel at `x`, `y` of an 8-bit picture, counted from the
    /// top left.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = 4 * (y as usize * self.width as usize + x as usize);
        [self.rgba[at], self.rgba[at + 1], self.rgba[at + 2], self.rgba[at + 3]]
    }

    /// The rows, as bytes.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.rgba.chunks_exact(self.width as usize * self.depth().pixel_bytes())
    }

    /// Peak signal-to-noise ratio to another picture of the same size over red, green and
    /// blue of 8 bits, in dB; infinite if they are equal.
    pub fn psnr_db(&self, other: &Self) -> f64 {
        let (a, b) = (self.rgb(), other.rgb());
        let squares = a.iter().zip(&b).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2));
        10.0 * (255.0f64.powi(2) * a.len() as f64 / squares.sum::<f64>()).log10()
    }

    /// The picture without alpha: scenes are opaque, as on Shadertoy. Components deeper
    /// than 8 bits are big-endian, as PNG requires.
    pub fn rgb(&self) -> Vec<u8> {
        let mut rgb = vec![0; self.rgba.len() / 4 * 3];
        drop_alpha(&self.rgba, self.depth(), &mut rgb);
        to_big_endian(&mut rgb, self.depth());
        rgb
    }
}

/// Copies pixels without their alpha into `rgb`, which must have three quarters of the
/// length of `rgba`.
pub fn drop_alpha(rgba: &[u8], depth: Depth, rgb: &mut [u8]) {
    match depth {
        Depth::Eight => copy_rgb::<4, 3>(rgba, rgb),
        Depth::Sixteen => copy_rgb::<8, 6>(rgba, rgb),
        Depth::Float => copy_rgb::<16, 12>(rgba, rgb),
    }
}

/// Converts components from little-endian to big-endian.
pub fn to_big_endian(rgb: &mut [u8], depth: Depth) {
    let bytes = depth.pixel_bytes() / 4;
    if bytes > 1 {
        rgb.chunks_exact_mut(bytes).for_each(<[u8]>::reverse);
    }
}

/// Copies the first `KEPT` of every `PIXEL` bytes. With constant lengths this is one of
/// the cheapest steps on the way to a file.
fn copy_rgb<const PIXEL: usize, const KEPT: usize>(rgba: &[u8], rgb: &mut [u8]) {
    let (to, _) = rgb.as_chunks_mut::<KEPT>();
    let (from, _) = rgba.as_chunks::<PIXEL>();
    for (to, from) in to.iter_mut().zip(from) {
        to.copy_from_slice(&from[..KEPT]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rgb_16_bit_is_big_endian() {
        let picture = Picture { width: 1, height: 1, rgba: vec![1, 2, 3, 4, 5, 6, 7, 8] };
        assert_eq!(picture.depth(), Depth::Sixteen);
        assert_eq!(picture.rgb(), [2, 1, 4, 3, 6, 5]);
    }

    #[test]
    fn float_components_survive_drop_alpha() {
        let floats = [0.25f32, -1.5, 4.0, 1.0];
        let picture = Picture {
            width: 1,
            height: 1,
            rgba: floats.iter().flat_map(|c| c.to_le_bytes()).collect(),
        };
        assert_eq!(picture.depth(), Depth::Float);
        let mut rgb = [0; 12];
        drop_alpha(&picture.rgba, Depth::Float, &mut rgb);
        let read = rgb.chunks_exact(4).map(|c| f32::from_ne_bytes([c[0], c[1], c[2], c[3]]));
        assert!(read.eq(floats[..3].iter().copied()));
    }

    #[test]
    fn psnr_matches_known_difference() {
        let picture = |value| Picture { width: 2, height: 1, rgba: vec![value; 8] };
        // A difference of 1 everywhere: 20 log10(255).
        let quality = picture(10).psnr_db(&picture(11));
        assert!((quality - 48.130_8).abs() < 1e-3);
        assert_eq!(picture(7).psnr_db(&picture(7)), f64::INFINITY);
    }
}
