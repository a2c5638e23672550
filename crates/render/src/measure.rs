//! Frame timing, and comparison of two renderers.
//!
//! Frames are drawn one at a time, each waited for, so a measurement is the time of one
//! frame from submission to completion. If the adapter supports timestamps, the GPU's
//! share of that time is measured too; the rest is the program, the driver and transfers.
//! Two renderers are measured alternately, frame by frame, so that a slowdown of the
//! machine affects both.

use std::time::{Duration, Instant};

use super::device::Gpu;
use super::drawable::drawable;
use super::error::RenderError;
use super::fullscreen::FullscreenPass;
use super::inputs::Inputs;
use super::picture::Picture;
use super::renderer::Renderer;
use super::target::{FORMAT, render_picture};
use super::timestamps::Timestamps;

/// Sorted durations of repeated measurements of the same work.
#[derive(Clone, Debug, Default)]
pub struct Timings(Vec<Duration>);

impl Timings {
    /// Number of measurements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no measurements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds one measurement.
    pub fn push(&mut self, duration: Duration) {
        let at = self.0.partition_point(|other| *other < duration);
        self.0.insert(at, duration);
    }

    /// Quantile `fraction` (0 to 1) of the measurements, in milliseconds; 0 without
    /// measurements.
    #[must_use]
    pub fn quantile_ms(&self, fraction: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let at = (fraction * last as f64).round() as usize;
        self.0
            .get(at)
            .map_or(0.0, |duration| 1e3 * duration.as_secs_f64())
    }

    /// Median, in milliseconds.
    #[must_use]
    pub fn median_ms(&self) -> f64 {
        self.quantile_ms(0.5)
    }
}

/// Times of one frame.
#[derive(Clone, Debug)]
pub struct Lap {
    /// Wall times from submission to completion.
    pub wall: Duration,
    /// GPU time of all passes together, if the adapter supports timestamps.
    pub gpu: Option<Duration>,
    /// GPU time of each pass, in drawing order; empty without timestamps.
    pub passes: Vec<Duration>,
}

/// Times of the frames of one renderer.
#[derive(Clone, Debug, Default)]
pub struct Laps {
    /// From submission to completion.
    pub wall: Timings,
    /// GPU times; empty without timestamps.
    pub gpu: Timings,
    /// GPU times of each pass, in drawing order; empty without timestamps.
    pub passes: Vec<Timings>,
}

impl Laps {
    /// Adds one frame.
    pub fn push(&mut self, lap: &Lap) {
        self.wall.push(lap.wall);
        self.passes.resize_with(lap.passes.len(), Timings::default);
        for (timings, pass) in self.passes.iter_mut().zip(&lap.passes) {
            timings.push(*pass);
        }
        if let Some(gpu) = lap.gpu {
            self.gpu.push(gpu);
        }
    }
}

/// Draws and times pictures of one size.
pub struct Stopwatch<'a> {
    gpu: &'a Gpu,
    view: wgpu::TextureView,
}

impl<'a> Stopwatch<'a> {
    /// Creates the target; `size` must be within the adapter's limits.
    #[must_use]
    pub fn new(gpu: &'a Gpu, size: (u32, u32)) -> Self {
        let texture = drawable(&gpu.device, "bench", size, FORMAT);
        Self {
            gpu,
            view: texture.create_view(&Default::default()),
        }
    }

    /// Draws a frame, buffers and picture, and blocks until it is complete.
    ///
    /// # Errors
    /// [`RenderError::Device`] if the device fails.
    pub fn time(&self, renderer: &mut Renderer, inputs: &Inputs) -> Result<Lap, RenderError> {
        let timestamps = Timestamps::new(self.gpu, renderer.passes().count());
        let start = Instant::now();
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let queue = &self.gpu.queue;
        let pass = FullscreenPass {
            timestamps: timestamps.as_ref().map(Timestamps::picture_writes),
            ..(&self.view).into()
        };
        renderer.advance(queue, &mut encoder, inputs, timestamps.as_ref());
        renderer.draw(queue, &mut encoder, inputs, pass)?;
        if let Some(timestamps) = &timestamps {
            timestamps.resolve(&mut encoder);
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu
            .device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| RenderError::Device(error.to_string()))?;
        let wall = start.elapsed();
        if let Some(error) = self.gpu.take_error() {
            return Err(RenderError::Device(error));
        }
        let read = |timestamps: Timestamps| timestamps.read(self.gpu);
        let passes = timestamps.map(read).transpose();
        let passes = passes.map_err(RenderError::Device)?;
        Ok(Lap {
            wall,
            gpu: passes.as_ref().map(|passes| passes.iter().sum()),
            passes: passes.unwrap_or_default(),
        })
    }
}

/// Results of two renderers measured alternately over the same frames.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Times of the first renderer.
    pub fast: Laps,
    /// Times of the second renderer.
    pub reference: Laps,
    /// Total wall time of the second renderer divided by that of the first.
    pub ratio: f64,
    /// Lowest peak signal-to-noise ratio of any frame, in dB.
    pub psnr_db: f64,
}

/// Draws every picture `repeats` times with each renderer, alternately. All pictures have
/// the same size; each has its inputs for `fast` and for `reference`. One untimed draw
/// per renderer comes first, because drivers defer work to the first draw.
///
/// # Errors
/// [`RenderError`] if a picture cannot be drawn.
pub fn compare(
    gpu: &Gpu,
    fast: &mut Renderer,
    reference: &mut Renderer,
    pictures: &[[Inputs; 2]],
    repeats: usize,
) -> Result<Comparison, RenderError> {
    let mut result = Comparison {
        psnr_db: f64::INFINITY,
        ..Default::default()
    };
    let (mut sum_fast, mut sum_reference) = (Duration::ZERO, Duration::ZERO);
    let Some(first) = pictures.first() else {
        return Ok(result);
    };
    let watch = Stopwatch::new(gpu, first[0].size());
    fast.clear_state();
    reference.clear_state();
    watch.time(fast, &first[0])?;
    watch.time(reference, &first[1])?;
    for [inputs, reference_inputs] in pictures {
        for _ in 0..repeats {
            let a = watch.time(fast, inputs)?;
            let b = watch.time(reference, reference_inputs)?;
            sum_fast += a.wall;
            sum_reference += b.wall;
            result.fast.push(&a);
            result.reference.push(&b);
        }
        let quality = psnr_db(
            &render_picture(gpu, fast, inputs)?,
            &render_picture(gpu, reference, reference_inputs)?,
        );
        result.psnr_db = result.psnr_db.min(quality);
    }
    result.ratio = sum_reference.as_secs_f64() / sum_fast.as_secs_f64().max(1e-9);
    Ok(result)
}

/// Peak signal-to-noise ratio of two pictures of the same size over red, green and blue,
/// in dB; infinite if they are equal.
#[must_use]
pub fn psnr_db(a: &Picture, b: &Picture) -> f64 {
    let (a, b) = (a.rgb(), b.rgb());
    let squares: f64 = a
        .iter()
        .zip(&b)
        .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2))
        .sum();
    10.0 * (255.0f64.powi(2) * a.len() as f64 / squares).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_use_sorted_times() {
        let mut timings = Timings::default();
        for ms in [5, 1, 3, 2, 4] {
            timings.push(Duration::from_millis(ms));
        }
        assert_eq!(timings.median_ms(), 3.0);
        assert_eq!(
            (timings.quantile_ms(0.0), timings.quantile_ms(1.0)),
            (1.0, 5.0)
        );
    }

    #[test]
    fn psnr_matches_known_difference() {
        let picture = |value| Picture {
            width: 2,
            height: 1,
            rgba: vec![value; 8],
        };
        // A difference of 1 everywhere: 20 log10(255).
        assert!((psnr_db(&picture(10), &picture(11)) - 48.130_8).abs() < 1e-3);
        assert_eq!(psnr_db(&picture(7), &picture(7)), f64::INFINITY);
    }
}
