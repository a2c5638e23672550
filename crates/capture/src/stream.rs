//! Uncompressed video for other programs, usually through a pipe: raw RGBA and YUV4MPEG2.
//! Both are pixels after at most a short header, too simple to need a crate.

use std::fs::File;
use std::io::{self, Write as _};
use tarsus_render::Picture;

use super::output::Output;
use super::spec::CaptureSpec;
use super::video_encoder::VideoWriter;

/// Largest number of a rate that readers accept: they use signed integers of 32 bits.
pub(super) const MAX_NUMBER: u32 = i32::MAX as u32;

/// Opens standard output, or a pipe, which is written directly because its reader waits for
/// data.
pub(super) fn open(output: &Output) -> io::Result<File> {
    if output.is_stdout() { stdout() } else { File::options().write(true).open(output.path(0)) }
}

/// Standard output as a file: the usual handle is line-buffered.
#[cfg(unix)]
pub(super) fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
pub(super) fn stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// Writes pixels as they are: red, green, blue and alpha, one byte each.
impl VideoWriter for File {
    fn picture(&mut self, picture: Picture) -> io::Result<()> {
        self.write_all(&picture.rgba)
    }
}

/// YUV4MPEG2 with full chroma resolution. The format cannot declare a matrix; readers
/// assume BT.601 with limited range, so this encoder writes that.
pub(super) struct Y4m {
    file: File,
    /// Luma, Cb and Cr of the current picture.
    planes: [Vec<u8>; 3],
}

impl Y4m {
    pub(super) fn new(spec: &CaptureSpec, mut file: File) -> io::Result<Self> {
        let (width, height) = spec.size;
        let (rate, scale) = rate(spec.fps, MAX_NUMBER);
        let header = format!("YUV4MPEG2 W{width} H{height} F{rate}:{scale} Ip A1:1 C444\n");
        file.write_all(header.as_bytes())?;
        Ok(Self { file, planes: Default::default() })
    }
}

impl VideoWriter for Y4m {
    fn picture(&mut self, picture: Picture) -> io::Result<()> {
        for rgba in picture.rgba.chunks_exact(4) {
            let yuv = yuv([rgba[0], rgba[1], rgba[2]]);
            for (plane, value) in self.planes.iter_mut().zip(yuv) {
                plane.push(value);
            }
        }
        self.file.write_all(b"FRAME\n")?;
        for plane in &mut self.planes {
            self.file.write_all(plane)?;
            plane.clear();
        }
        Ok(())
    }
}

/// Converts a pixel to BT.601, limited range, in 16-bit fixed point:
/// Y = 16 + 219 (0.299 R + 0.587 G + 0.114 B), Cb and Cr = 128 + 224 × the colour
/// differences (-0.5 to 0.5), for R, G, B from 0 to 1.
fn yuv([r, g, b]: [u8; 3]) -> [u8; 3] {
    const HALF: i32 = 1 << 15;
    let (r, g, b) = (i32::from(r), i32::from(g), i32::from(b));
    let y = (16_829 * r + 33_039 * g + 6_416 * b + HALF) >> 16;
    let u = (-9_714 * r - 19_070 * g + 28_784 * b + HALF) >> 16;
    let v = (28_784 * r - 24_103 * g - 4_681 * b + HALF) >> 16;
    [y + 16, u + 128, v + 128].map(|value| value as u8)
}

/// Largest denominator that [`rate`] tries.
const MAX_DENOMINATOR: u32 = 1_000_000;

/// Frames per second as the simplest fraction that is exact to a billionth, or else the closest:
/// numerator and denominator, each at most `max`.
pub(super) fn rate(fps: f64, max: u32) -> (u32, u32) {
    let candidates = (1..=max.min(MAX_DENOMINATOR)).filter_map(|denominator| {
        let numerator = (f64::from(denominator) * fps).round();
        let is_possible = (1.0..=f64::from(max)).contains(&numerator);
        is_possible.then_some((numerator as u32, denominator))
    });
    let error = |&(numerator, denominator): &(u32, u32)| {
        (f64::from(numerator) / f64::from(denominator) / fps - 1.0).abs().max(1e-9)
    };
    // `min_by` returns the first minimum, so the smallest denominator wins a tie.
    candidates.min_by(|a, b| error(a).total_cmp(&error(b))).unwrap_or((max, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_match_bt601() {
        assert_eq!(yuv([0, 0, 0]), [16, 128, 128]);
        assert_eq!(yuv([255, 255, 255]), [235, 128, 128]);
        assert_eq!(yuv([255, 0, 0]), [81, 90, 240]);
        assert_eq!(yuv([0, 255, 0]), [145, 54, 34]);
        assert_eq!(yuv([0, 0, 255]), [41, 240, 110]);
    }

    #[test]
    fn rates_are_exact_if_representable() {
        for fraction in
            [(60, 1), (24_000, 1001), (30_000, 1001), (25, 2), (1, 3), (1, 1000), (123_457, 500)]
        {
            let fps = f64::from(fraction.0) / f64::from(fraction.1);
            assert_eq!(rate(fps, MAX_NUMBER), fraction);
        }
        let (numerator, denominator) = rate(std::f64::consts::PI, MAX_NUMBER);
        let found = f64::from(numerator) / f64::from(denominator);
        assert!((found - std::f64::consts::PI).abs() < 1e-8, "{numerator}/{denominator}");
    }
}
