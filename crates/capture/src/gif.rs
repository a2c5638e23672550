//! GIF: up to 256 colours per frame, without dithering; each frame stores only the
//! rectangle that changed.
//!
//! The `image` crate writes whole frames only. A palette per frame and partial frames need
//! the `gif` crate beneath it.

use std::fs::File;
use std::io::{self, BufWriter};
use tarsus_render::Picture;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::spec::CaptureSpec;
use super::video_encoder::VideoWriter;

/// Speed of the palette search, from 1 (best colours) to 30 (fastest).
const PALETTE_SPEED: i32 = 5;

/// A GIF being written.
pub(super) struct Gif {
    encoder: Encoder<BufWriter<File>>,
    last: Option<Picture>,
    fps: f64,
    /// Number of frames written.
    count: u64,
}

impl Gif {
    pub(super) fn new(spec: &CaptureSpec, file: File) -> io::Result<Self> {
        let (width, height) = (spec.size.0 as u16, spec.size.1 as u16);
        let file = BufWriter::new(file);
        let mut encoder = Encoder::new(file, width, height, &[]).map_err(reason)?;
        encoder.set_repeat(Repeat::Infinite).map_err(reason)?;
        Ok(Self { encoder, last: None, fps: spec.fps, count: 0 })
    }

    /// Encodes the next frame: the rectangle that changed since the last one.
    fn frame(&self, picture: &Picture) -> Frame<'static> {
        let area = match &self.last {
            Some(last) => changed(last, picture),
            None => Area { left: 0, top: 0, width: picture.width, height: picture.height },
        };
        let rgb = cut(picture, &area);
        let (width, height) = (area.width as u16, area.height as u16);
        let mut frame = Frame::from_rgb_speed(width, height, &rgb, PALETTE_SPEED);
        frame.left = area.left as u16;
        frame.top = area.top as u16;
        frame.dispose = DisposalMethod::Keep;
        frame.delay = delay(self.count, self.fps);
        frame
    }
}

impl VideoWriter for Gif {
    fn picture(&mut self, picture: Picture) -> io::Result<()> {
        let frame = self.frame(&picture);
        self.encoder.write_frame(&frame).map_err(reason)?;
        self.count += 1;
        self.last = Some(picture);
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        use std::io::Write as _;
        self.encoder.into_inner().map_err(reason)?.flush()
    }
}

/// Converts an encoding error, unwrapping I/O errors.
fn reason(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// A rectangle in pixels, from the top left.
#[derive(Debug, PartialEq, Eq)]
struct Area {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

/// Smallest rectangle that contains all differences between two pictures; one pixel if they
/// are equal.
fn changed(before: &Picture, after: &Picture) -> Area {
    let rows: Vec<u32> = (0..)
        .zip(before.rows().zip(after.rows()))
        .filter_map(|(y, (before, after))| (before != after).then_some(y))
        .collect();
    let (Some(&top), Some(&bottom)) = (rows.first(), rows.last()) else {
        return Area { left: 0, top: 0, width: 1, height: 1 };
    };
    let differs = |x: u32| rows.iter().any(|&y| before.pixel(x, y) != after.pixel(x, y));
    let left = (0..after.width).find(|&x| differs(x)).unwrap_or(0);
    let right = (0..after.width).rev().find(|&x| differs(x)).unwrap_or(left);
    Area { left, top, width: right - left + 1, height: bottom - top + 1 }
}

/// Red, green and blue of the pixels in `area`.
fn cut(picture: &Picture, area: &Area) -> Vec<u8> {
    let columns = 4 * area.left as usize..4 * (area.left + area.width) as usize;
    let rows = picture.rows().skip(area.top as usize).take(area.height as usize);
    let pixels = rows.flat_map(|row| row[columns.clone()].chunks_exact(4));
    pixels.flat_map(|rgba| &rgba[..3]).copied().collect()
}

/// Display time of frame `number`, in hundredths of a second. Rounding errors do not
/// accumulate: the delays add up to the exact time.
fn delay(number: u64, fps: f64) -> u16 {
    let at = |number: u64| (100.0 * number as f64 / fps).round();
    (at(number + 1) - at(number)).min(f64::from(u16::MAX)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up_to_exact_time() {
        for fps in [50.0, 30.0, 24.0, 7.3] {
            let total: u64 = (0..300).map(|number| u64::from(delay(number, fps))).sum();
            assert!((total as f64 - 30_000.0 / fps).abs() <= 0.5, "{fps}");
            assert!((0..300).all(|number| delay(number, fps) >= 2), "{fps}");
        }
    }

    #[test]
    fn changed_area_is_minimal() {
        let picture = |dots: &[(u32, u32)]| {
            let mut rgba = vec![0; 4 * 6 * 5];
            for (x, y) in dots {
                rgba[4 * (y * 6 + x) as usize] = 255;
            }
            Picture { width: 6, height: 5, rgba }
        };
        let area = changed(&picture(&[]), &picture(&[(4, 1), (2, 3)]));
        let expected = Area { left: 2, top: 1, width: 3, height: 3 };
        assert_eq!(area, expected);
        assert_eq!(changed(&picture(&[]), &picture(&[])).width, 1);
        assert_eq!(cut(&picture(&[(4, 1)]), &expected).iter().position(|&b| b == 255), Some(6));
    }
}
