//! Quality of pictures: samples per pixel, motion blur and bit depth.

use tarsus_render::Depth;

/// Motion blur settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shutter {
    /// Shutter angle in degrees: at 360° the shutter stays open until the next frame. It
    /// opens at the frame's time.
    pub degrees: f64,
    /// Number of times to sample, spread evenly over the open shutter; 1 samples only the
    /// frame's own time.
    pub samples: u32,
}

/// Sampling and bit depth of pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples per pixel at every shutter time; 1 samples the pixel's centre.
    pub samples: u32,
    /// Motion blur.
    pub shutter: Shutter,
    /// Bit depth per component.
    pub depth: Depth,
}

impl Quality {
    /// One sample per pixel, 8 bits, no motion blur.
    pub const PLAIN: Self =
        Self { samples: 1, shutter: Shutter { degrees: 0.0, samples: 1 }, depth: Depth::Eight };

    /// True if pictures average several samples.
    pub fn is_average(&self) -> bool {
        self.samples > 1 || self.shutter_count() > 1
    }

    /// Times in seconds that a picture at `time` averages.
    pub(super) fn shutter_times(&self, time: f64, fps: f64) -> impl Iterator<Item = f64> + use<> {
        let count = self.shutter_count();
        let open = self.shutter.degrees / 360.0 / fps;
        (0..count).map(move |index| {
            // Each sample lies in the middle of its interval.
            let into = match count {
                1 => 0.0,
                _ => open * (f64::from(index) + 0.5) / f64::from(count),
            };
            time + into
        })
    }

    /// Number of times that a picture averages; 1 without motion blur.
    fn shutter_count(&self) -> u32 {
        if self.shutter.degrees > 0.0 { self.shutter.samples } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_sample_is_not_averaged() {
        for (degrees, samples) in [(0.0, 1), (180.0, 1), (0.0, 16)] {
            let shutter = Shutter { degrees, samples };
            let quality = Quality { shutter, ..Quality::PLAIN };
            assert!(!quality.is_average());
            assert!(quality.shutter_times(2.5, 60.0).eq([2.5]));
        }
    }

    #[test]
    fn times_span_the_open_shutter() {
        let quality = Quality {
            samples: 3,
            shutter: Shutter { degrees: 180.0, samples: 4 },
            ..Quality::PLAIN
        };
        let times: Vec<f64> = quality.shutter_times(1.0, 10.0).collect();
        assert_eq!(times.len(), 4);
        let mean = times.iter().sum::<f64>() / 4.0;
        assert!((mean - 1.025).abs() < 1e-12, "the middle of 50 ms");
        assert!(times.iter().all(|time| (1.0..1.05).contains(time)));
    }
}
