//! Pixels on their way from the adapter to a file.

/// An 8-bit RGBA picture, rows from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// `width * height` times red, green, blue, alpha.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The four components of the pixel at `x`, `y`, counted from the top left.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = 4 * (y as usize * self.width as usize + x as usize);
        [
            self.rgba[at],
            self.rgba[at + 1],
            self.rgba[at + 2],
            self.rgba[at + 3],
        ]
    }

    /// The picture without alpha: scenes are opaque, as on Shadertoy.
    #[must_use]
    pub fn rgb(&self) -> Vec<u8> {
        let mut rgb = vec![0; self.rgba.len() / 4 * 3];
        for (to, from) in rgb.chunks_exact_mut(3).zip(self.rgba.chunks_exact(4)) {
            to.copy_from_slice(&from[..3]);
        }
        rgb
    }
}
