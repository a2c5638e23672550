//! Animated PNG: lossless, and supported by every browser.
//!
//! The `image` crate cannot write animated PNG, so this module uses the `png` crate
//! directly.

use std::fs::File;
use std::io::{self, BufWriter};
use tarsus_render::Picture;

use super::metadata::Metadata;
use super::spec::CaptureSpec;
use super::stream::rate;
use super::streamed_png::configure;
use super::video_encoder::VideoWriter;

/// An animated PNG being written.
pub(super) struct Apng {
    writer: png::Writer<BufWriter<File>>,
}

impl Apng {
    pub(super) fn new(spec: &CaptureSpec, metadata: &Metadata, file: File) -> io::Result<Self> {
        let (width, height) = spec.size;
        let mut encoder = png::Encoder::new(BufWriter::new(file), width, height);
        configure(&mut encoder, spec.quality.depth, metadata)?;
        let frames = u32::try_from(spec.frame_count()).unwrap_or(u32::MAX);
        encoder.set_animated(frames, 0)?;
        let (numerator, denominator) = delay(spec.fps);
        encoder.set_frame_delay(numerator, denominator)?;
        Ok(Self { writer: encoder.write_header()? })
    }
}

impl VideoWriter for Apng {
    fn picture(&mut self, picture: Picture) -> io::Result<()> {
        Ok(self.writer.write_image_data(&picture.rgb())?)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(self.writer.finish()?)
    }
}

/// Seconds per frame, as the closest fraction of two 16-bit integers.
fn delay(fps: f64) -> (u16, u16) {
    let (frames, seconds) = rate(fps, u16::MAX.into());
    (seconds as u16, frames as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_exact_if_representable() {
        assert_eq!(delay(60.0), (1, 60));
        assert_eq!(delay(12.5), (2, 25));
        assert_eq!(delay(0.5), (2, 1));
        assert_eq!(delay(24_000.0 / 1001.0), (1001, 24_000));
        assert_eq!(delay(1e6), (1, u16::MAX));
    }
}
