//! Pictures of the window, and helpers to inspect them.

use std::path::Path;

/// Pixels of a window or of a picture file.
#[derive(Clone, PartialEq)]
pub struct Screenshot {
    pub width: u32,
    pub height: u32,
    /// Red, green and blue of every pixel, rows from the top.
    pub rgb: Vec<u8>,
}

impl Screenshot {
    /// Decodes an 8-bit PNG.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().ok()?;
        let mut pixels = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut pixels).ok()?;
        let samples = info.color_type.samples();
        let rgb = pixels[..info.buffer_size()]
            .chunks_exact(samples)
            .flat_map(|pixel| match samples {
                1 | 2 => [pixel[0]; 3],
                _ => [pixel[0], pixel[1], pixel[2]],
            })
            .collect();
        Some(Self { width: info.width, height: info.height, rgb })
    }

    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("the picture is there");
        Self::decode(&bytes).expect("a PNG")
    }

    /// Colour at fractions of width and height from the top left.
    pub fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let column = (x * f64::from(self.width)) as usize;
        let row = (y * f64::from(self.height)) as usize;
        let at = 3 * (row * self.width as usize + column);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    /// True if an error is shown, on a dark red sheet along the bottom.
    pub fn shows_error(&self) -> bool {
        let [red, green, blue] = self.at(0.5, 0.9);
        (41..90).contains(&red) && green < 40 && blue < 40
    }

    /// Grey level of one of the fixture's eight cells, from 0 to 1.
    pub fn cell(&self, index: u32) -> f64 {
        f64::from(self.at((f64::from(index) + 0.5) / 8.0, 0.9)[1]) / 255.0
    }

    /// True if all pixels are (nearly) equal.
    pub fn is_blank(&self) -> bool {
        let first = &self.rgb[..3];
        self.rgb
            .chunks_exact(3)
            .all(|pixel| pixel.iter().zip(first).all(|(a, b)| a.abs_diff(*b) < 4))
    }

    /// Peak signal-to-noise ratio to another picture of the same size, in dB.
    pub fn psnr(&self, other: &Self) -> f64 {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let squares: f64 =
            self.rgb.iter().zip(&other.rgb).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum();
        let mean = squares / self.rgb.len() as f64;
        10.0 * (255.0f64.powi(2) / mean.max(1e-9)).log10()
    }
}
