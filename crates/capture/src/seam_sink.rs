//! Measures the loop error from pictures on their way to their files, so that a scene with
//! buffers need not be drawn twice.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::seam::{SIDE, Seam};
use super::sink::{Header, Sink};
use tarsus_files::FileError;
use tarsus_render::{Depth, Picture};

/// Measurements of the pictures so far.
pub(super) struct SeamTap(Rc<RefCell<Looked>>);

struct Looked {
    /// Number of pictures in the whole loop.
    frames: usize,
    height: u32,
    depth: Depth,
    /// Distance between compared pixels, in both directions.
    step: usize,
    /// Number of complete pictures seen.
    seen: usize,
    /// Rows seen of the current picture.
    rows: u32,
    /// Components of the second to last, the last, the first and the second picture.
    around: [Vec<f32>; 4],
}

struct SeamSink<'a> {
    to: Box<dyn Sink + 'a>,
    looked: Rc<RefCell<Looked>>,
}

impl SeamTap {
    /// Prepares for a loop of `frames` pictures.
    pub(super) fn new(frames: usize, (width, height): (u32, u32), depth: Depth) -> Self {
        let looked = Looked {
            frames,
            height,
            depth,
            step: width.max(height).div_ceil(SIDE) as usize,
            seen: 0,
            rows: 0,
            around: Default::default(),
        };
        Self(Rc::new(RefCell::new(looked)))
    }

    /// A sink that measures pictures and passes them on to `to`.
    pub(super) fn wrap<'a>(&self, to: Box<dyn Sink + 'a>) -> Box<dyn Sink + 'a> {
        let looked = Rc::clone(&self.0);
        Box::new(SeamSink { to, looked })
    }

    /// Loop error, if all pictures of the loop were seen.
    pub(super) fn seam(&self) -> Option<Seam> {
        let looked = self.0.borrow();
        let [before, last, first, after] = &looked.around;
        (looked.seen == looked.frames && looked.frames > 0)
            .then(|| Seam::between(before, last, first, after))
    }
}

impl Looked {
    fn look(&mut self, rows: &Picture) {
        let (frames, seen) = (self.frames, self.seen);
        let wanted = [(2 * frames - 2) % frames, frames - 1, 0, 1 % frames];
        let pixel = self.depth.pixel_bytes();
        for (around, _) in self
            .around
            .iter_mut()
            .zip(wanted)
            .filter(|(_, wanted)| *wanted == seen)
        {
            let step = self.step;
            let picked = (self.rows as usize..)
                .zip(rows.rows())
                .filter(|(row, _)| row % step == 0);
            for (_, row) in picked {
                for rgba in row.chunks_exact(pixel).step_by(step) {
                    components(rgba, self.depth, around);
                }
            }
        }
        self.rows += rows.height;
        if self.rows >= self.height {
            self.rows = 0;
            self.seen += 1;
        }
    }
}

/// Appends red, green and blue of a pixel, scaled so that 255 is full intensity.
fn components(rgba: &[u8], depth: Depth, to: &mut Vec<f32>) {
    match depth {
        Depth::Eight => to.extend(rgba[..3].iter().map(|&byte| f32::from(byte))),
        Depth::Sixteen => {
            let words = rgba[..6].chunks_exact(2);
            to.extend(words.map(|word| f32::from(u16::from_le_bytes([word[0], word[1]])) / 257.0));
        }
        Depth::Float => {
            let floats = rgba[..12].chunks_exact(4);
            to.extend(floats.map(|float| 255.0 * bytemuck::pod_read_unaligned::<f32>(float)));
        }
    }
}

impl Sink for SeamSink<'_> {
    fn rows(&mut self, header: &Arc<Header>, rows: Picture) -> Result<(), FileError> {
        self.looked.borrow_mut().look(&rows);
        self.to.rows(header, rows)
    }

    fn finish(self: Box<Self>, complete: bool) -> Result<(), FileError> {
        self.to.finish(complete)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loop error of uniformly grey pictures, each passed in two bands.
    fn seam(greys: &[u8], depth: Depth) -> Option<Seam> {
        let tap = SeamTap::new(4, (4, 4), depth);
        for &grey in greys {
            let bytes = match depth {
                Depth::Eight => vec![grey],
                Depth::Sixteen => (257 * u16::from(grey)).to_le_bytes().to_vec(),
                Depth::Float => (f32::from(grey) / 255.0).to_le_bytes().to_vec(),
            };
            for _ in 0..2 {
                let band = Picture {
                    width: 4,
                    height: 2,
                    rgba: bytes.repeat(4 * 4 * 2),
                };
                tap.0.borrow_mut().look(&band);
            }
        }
        tap.seam()
    }

    #[test]
    fn differences_around_the_wrap_are_compared() {
        for depth in [Depth::Eight, Depth::Sixteen, Depth::Float] {
            let seam = seam(&[10, 14, 30, 40], depth).expect("whole");
            assert!((seam.wrap - 30.0).abs() < 1e-3, "{depth:?}: {seam:?}");
            assert!((seam.neighbours - 7.0).abs() < 1e-3, "{depth:?}: {seam:?}");
        }
    }

    #[test]
    fn partial_loop_is_not_measured() {
        assert_eq!(seam(&[10, 14, 30], Depth::Eight), None);
    }
}
