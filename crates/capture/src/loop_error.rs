//! Loop error: the difference between the last frame of a loop and its first, relative to the
//! differences just before and just after; 1 for a perfect loop. It is measured from the
//! rendered pictures.

use super::spec::CaptureSpec;
use tarsus_render::{Depth, Picture};

/// Longest side of the compared pictures, in pixels; larger ones are subsampled.
const COMPARED_SIDE: u32 = 640;

/// Compares the pictures of a loop as they are rendered.
pub(super) struct LoopErrorProbe {
    /// Number of pictures in the whole loop.
    frames: usize,
    height: u32,
    depth: Depth,
    /// Distance between compared pixels, in both directions.
    step: usize,
    /// Number of complete pictures seen.
    pictures: usize,
    /// Rows seen of the current picture.
    rows: u32,
    /// Components of the second to last, the last, the first and the second picture.
    samples: [Vec<f32>; 4],
}

impl LoopErrorProbe {
    /// Prepares for the loop of a run.
    pub(super) fn new(spec: &CaptureSpec) -> Self {
        let (width, height) = spec.size;
        Self {
            frames: spec.frame_count(),
            height,
            depth: spec.quality.depth,
            step: width.max(height).div_ceil(COMPARED_SIDE) as usize,
            pictures: 0,
            rows: 0,
            samples: Default::default(),
        }
    }

    /// Adds the next rows.
    pub(super) fn add(&mut self, band: &Picture) {
        let frames = self.frames;
        let numbers = [(2 * frames - 2) % frames, frames - 1, 0, 1 % frames];
        let pixel = self.depth.pixel_bytes();
        let all = self.samples.iter_mut().zip(numbers);
        for (samples, _) in all.filter(|(_, number)| *number == self.pictures) {
            let rows = (self.rows as usize..).zip(band.rows());
            for (_, row) in rows.filter(|(row, _)| row % self.step == 0) {
                for rgba in row.chunks_exact(pixel).step_by(self.step) {
                    append_components(rgba, samples);
                }
            }
        }
        self.rows += band.height;
        if self.rows >= self.height {
            self.rows = 0;
            self.pictures += 1;
        }
    }

    /// Loop error, if all pictures of the loop were seen.
    pub(super) fn loop_error(&self) -> Option<f64> {
        if self.pictures != self.frames || self.frames == 0 {
            return None;
        }
        let [before, last, first, after] = &self.samples;
        let wrap = difference(last, first);
        let neighbours = 0.5 * (difference(before, last) + difference(first, after));
        Some(if wrap == neighbours { 1.0 } else { wrap / neighbours })
    }
}

/// Appends red, green and blue of a pixel, scaled so that 255 is full intensity.
fn append_components(rgba: &[u8], to: &mut Vec<f32>) {
    let components = rgba.chunks_exact(rgba.len() / 4).take(3);
    to.extend(components.map(|bytes| match *bytes {
        [low, high] => f32::from(u16::from_le_bytes([low, high])) / 257.0,
        [a, b, c, d] => 255.0 * f32::from_le_bytes([a, b, c, d]),
        _ => f32::from(bytes[0]),
    }));
}

fn difference(a: &[f32], b: &[f32]) -> f64 {
    let pairs = a.iter().zip(b);
    let sum: f64 = pairs.map(|(&a, &b)| f64::from(a - b).abs()).sum();
    sum / a.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::FrameSelection;
    use crate::spec::Quality;

    /// Loop error of uniformly grey pictures, each passed in two bands.
    fn loop_error(greys: &[u8], depth: Depth) -> Option<f64> {
        let mut probe = LoopErrorProbe::new(&CaptureSpec {
            size: (4, 4),
            frames: FrameSelection::Frames(0..4),
            quality: Quality { depth, ..Quality::PLAIN },
            ..CaptureSpec::default()
        });
        for &grey in greys {
            let bytes = match depth {
                Depth::Eight => vec![grey],
                Depth::Sixteen => (257 * u16::from(grey)).to_le_bytes().to_vec(),
                Depth::Float => (f32::from(grey) / 255.0).to_le_bytes().to_vec(),
            };
            for _ in 0..2 {
                probe.add(&Picture { width: 4, height: 2, rgba: bytes.repeat(4 * 4 * 2) });
            }
        }
        probe.loop_error()
    }

    #[test]
    fn differences_around_the_wrap_are_compared() {
        for depth in [Depth::Eight, Depth::Sixteen, Depth::Float] {
            let error = loop_error(&[10, 14, 30, 40], depth).expect("whole");
            assert!((error - 30.0 / 7.0).abs() < 1e-3, "{depth:?}: {error}");
        }
    }

    #[test]
    fn partial_loop_is_not_measured() {
        assert_eq!(loop_error(&[10, 14, 30], Depth::Eight), None);
    }
}
