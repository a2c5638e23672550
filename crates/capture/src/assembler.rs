//! Assembly of pictures from bands of rows.

use tarsus_render::Picture;

/// Assembles whole pictures from bands of rows.
pub(super) struct PictureAssembler {
    size: (u32, u32),
    rows: u32,
    rgba: Vec<u8>,
}

impl PictureAssembler {
    /// Creates an assembler for pictures of `size` pixels.
    pub(super) fn new(size: (u32, u32)) -> Self {
        Self { size, rows: 0, rgba: Vec::new() }
    }

    /// Adds the next rows; returns the picture once it is complete.
    pub(super) fn add(&mut self, rows: Picture) -> Option<Picture> {
        self.rows += rows.height;
        if self.rgba.is_empty() {
            self.rgba = rows.rgba;
        } else {
            self.rgba.extend_from_slice(&rows.rgba);
        }
        if self.rows < self.size.1 {
            return None;
        }
        self.rows = 0;
        Some(Picture {
            width: self.size.0,
            height: self.size.1,
            rgba: std::mem::take(&mut self.rgba),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_assemble_into_picture() {
        let whole = Picture { width: 2, height: 3, rgba: (0..24).collect() };
        let part = |rows: std::ops::Range<usize>| Picture {
            width: 2,
            height: rows.len() as u32,
            rgba: whole.rgba[8 * rows.start..8 * rows.end].to_vec(),
        };
        let mut assembler = PictureAssembler::new((2, 3));
        for _ in 0..2 {
            assert_eq!(assembler.add(part(0..1)), None);
            assert_eq!(assembler.add(part(1..3)).as_ref(), Some(&whole));
        }
    }
}
