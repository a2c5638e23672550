//! How many samples a picture is the average of, and where they lie.

use tarsus_render::Depth;

/// Motion blur.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shutter {
    /// How long the shutter is open, as an angle: 360° is the whole time until
    /// the next frame. It opens at the frame's time.
    pub degrees: f64,
    /// Number of moments, evenly spread over that time. One is the frame's own.
    pub samples: u32,
}

/// What a picture is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples per pixel at every moment; 1 is the pixel's centre.
    pub samples: u32,
    /// Moments.
    pub shutter: Shutter,
    /// Bits of every component.
    pub depth: Depth,
}

impl Quality {
    /// One sample, 8 bits.
    pub const PLAIN: Self = Self {
        samples: 1,
        shutter: Shutter {
            degrees: 0.0,
            samples: 1,
        },
        depth: Depth::Eight,
    };

    /// True if pictures are averages.
    #[must_use]
    pub fn is_average(&self) -> bool {
        self.samples > 1 || self.moments() > 1
    }

    /// The times in seconds that a picture at `time` is the average of.
    pub fn times(&self, time: f64, fps: f64) -> impl Iterator<Item = f64> + use<> {
        let moments = self.moments();
        let open = self.shutter.degrees / 360.0 / fps;
        (0..moments).map(move |moment| {
            // Each sample stands for the middle of its part of the time.
            let into = match moments {
                1 => 0.0,
                _ => open * (f64::from(moment) + 0.5) / f64::from(moments),
            };
            time + into
        })
    }

    /// Number of times that motion blur averages.
    #[must_use]
    pub fn moments(&self) -> u32 {
        if self.shutter.degrees > 0.0 {
            self.shutter.samples
        } else {
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sample_is_the_frame_itself() {
        for (degrees, samples) in [(0.0, 1), (180.0, 1), (0.0, 16)] {
            let shutter = Shutter { degrees, samples };
            let quality = Quality {
                shutter,
                ..Quality::PLAIN
            };
            assert!(!quality.is_average());
            assert!(quality.times(2.5, 60.0).eq([2.5]));
        }
    }

    #[test]
    fn moments_are_spread_over_the_open_shutter() {
        let quality = Quality {
            samples: 3,
            shutter: Shutter {
                degrees: 180.0,
                samples: 4,
            },
            ..Quality::PLAIN
        };
        let times: Vec<f64> = quality.times(1.0, 10.0).collect();
        assert_eq!(times.len(), 4);
        let mean = times.iter().sum::<f64>() / 4.0;
        assert!((mean - 1.025).abs() < 1e-12, "the middle of 50 ms");
        assert!(times.iter().all(|time| (1.0..1.05).contains(time)));
    }
}
