//! Frame timing, and comparison of two renderers.
//!
//! Frames are drawn one at a time, each waited for, so a measurement is the time of one
//! frame from submission to completion. If the adapter supports timestamps, the GPU's
//! share of that time is measured too; the rest is the program, the driver and transfers.
//! Two renderers are measured alternately, frame by frame, so that a slowdown of the
//! machine affects both.

use std::time::{Duration, Instant};

use tarsus_render::{
    FORMAT, FullscreenPass, Gpu, Inputs, RenderError, Renderer, Timestamps, drawable,
    render_picture,
};

/// Durations of repeated measurements of the same work.
#[derive(Clone, Debug, Default)]
pub(super) struct Timings(Vec<Duration>);

impl Timings {
    /// Number of measurements.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no measurements.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds one measurement.
    pub(super) fn push(&mut self, duration: Duration) {
        self.0.push(duration);
    }

    /// Quantile `fraction` (0 to 1) of the measurements, in milliseconds; 0 without
    /// measurements.
    pub(super) fn quantile_ms(&self, fraction: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        let at = (fraction * last as f64).round() as usize;
        let quantile = sorted.get(at);
        quantile.map_or(0.0, |duration| 1e3 * duration.as_secs_f64())
    }

    /// Median, in milliseconds.
    pub(super) fn median_ms(&self) -> f64 {
        self.quantile_ms(0.5)
    }
}

/// Times of one frame.
#[derive(Clone, Debug)]
pub(super) struct FrameTiming {
    /// Wall times from submission to completion.
    pub(super) wall: Duration,
    /// GPU time of all passes together, if the adapter supports timestamps.
    pub(super) gpu: Option<Duration>,
    /// GPU time of each pass, in drawing order; empty without timestamps.
    pub(super) passes: Vec<Duration>,
}

/// Times of the frames of one renderer.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameTimings {
    /// From submission to completion.
    pub(super) wall: Timings,
    /// GPU times; empty without timestamps.
    pub(super) gpu: Timings,
    /// GPU times of each pass, in drawing order; empty without timestamps.
    pub(super) passes: Vec<Timings>,
}

impl FrameTimings {
    /// Adds one frame.
    pub(super) fn push(&mut self, frame: &FrameTiming) {
        self.wall.push(frame.wall);
        self.passes
            .resize_with(frame.passes.len(), Timings::default);
        for (timings, pass) in self.passes.iter_mut().zip(&frame.passes) {
            timings.push(*pass);
        }
        if let Some(gpu) = frame.gpu {
            self.gpu.push(gpu);
        }
    }
}

/// Draws and times pictures of one size.
pub(super) struct FrameTimer<'a> {
    gpu: &'a Gpu,
    view: wgpu::TextureView,
}

impl<'a> FrameTimer<'a> {
    /// Creates the target; `size` must be within the adapter's limits.
    pub(super) fn new(gpu: &'a Gpu, size: (u32, u32)) -> Self {
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
    pub(super) fn time(
        &self,
        renderer: &mut Renderer,
        inputs: &Inputs,
    ) -> Result<FrameTiming, RenderError> {
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
        Ok(FrameTiming {
            wall,
            gpu: passes.as_ref().map(|passes| passes.iter().sum()),
            passes: passes.unwrap_or_default(),
        })
    }
}

/// Results of two renderers measured alternately over the same frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Comparison {
    /// Times of the first renderer.
    pub(super) fast: FrameTimings,
    /// Times of the second renderer.
    pub(super) reference: FrameTimings,
    /// Total wall time of the second renderer divided by that of the first.
    pub(super) ratio: f64,
    /// Lowest peak signal-to-noise ratio of any frame, in dB.
    pub(super) psnr_db: f64,
}

/// Draws every picture `repeats` times with each renderer, alternately. All pictures have
/// the same size; each has its inputs for `fast` and for `reference`. One untimed draw
/// per renderer comes first, because drivers defer work to the first draw.
///
/// # Errors
/// [`RenderError`] if a picture cannot be drawn.
pub(super) fn compare(
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
    let timer = FrameTimer::new(gpu, first[0].size());
    fast.clear_state();
    reference.clear_state();
    timer.time(fast, &first[0])?;
    timer.time(reference, &first[1])?;
    for [inputs, reference_inputs] in pictures {
        for _ in 0..repeats {
            let a = timer.time(fast, inputs)?;
            let b = timer.time(reference, reference_inputs)?;
            sum_fast += a.wall;
            sum_reference += b.wall;
            result.fast.push(&a);
            result.reference.push(&b);
        }
        let picture = render_picture(gpu, fast, inputs)?;
        let other = render_picture(gpu, reference, reference_inputs)?;
        result.psnr_db = result.psnr_db.min(picture.psnr_db(&other));
    }
    result.ratio = sum_reference.as_secs_f64() / sum_fast.as_secs_f64().max(1e-9);
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_render::{Frame, GpuOptions};
    use tarsus_shader::{Library, Scene, compose};

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

    const SIZE: (u32, u32) = (160, 90);

    const SCENE: &str =
        "fn main_image(p: vec2f) -> vec4f { return vec4f(fract(0.1 * p), 0.5, 1.0); }";

    fn renderer(gpu: &Gpu, text: &str) -> Renderer {
        let scene = Scene::from_text(text, "measured.wgsl");
        let program = compose(&scene, &Library::default(), &[]).expect("a program");
        let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
        pollster::block_on(renderer).expect("a pipeline")
    }

    fn inputs(index: u32) -> Inputs {
        Inputs::new(Frame::new(SIZE, index, 60.0), Vec::new())
    }

    fn with_timestamps() -> Gpu {
        let options = GpuOptions {
            timestamps: true,
            ..GpuOptions::default()
        };
        pollster::block_on(Gpu::headless(&options)).expect("an adapter (see scripts/setup.sh)")
    }

    /// True if the adapter supports timestamps on a device that requested them.
    fn has_clock(gpu: &Gpu) -> bool {
        let is_gl = gpu.adapter.get_info().backend == wgpu::Backend::Gl;
        let features = gpu.adapter.features();
        features.contains(wgpu::Features::TIMESTAMP_QUERY) && !is_gl
    }

    #[test]
    fn gpu_time_is_within_wall_time() {
        let gpu = with_timestamps();
        let mut renderer = renderer(&gpu, SCENE);
        let timer = FrameTimer::new(&gpu, SIZE);
        for index in 0..5 {
            let timing = timer.time(&mut renderer, &inputs(index)).expect("drawn");
            assert_eq!(timing.gpu.is_some(), has_clock(&gpu));
            if let Some(time) = timing.gpu {
                // CPU and GPU clocks round differently.
                let most = timing.wall + Duration::from_micros(100);
                assert!(time > Duration::ZERO && time <= most, "{timing:?}");
            }
        }
    }

    #[test]
    fn timestamps_are_off_by_default() {
        let options = GpuOptions::default();
        let gpu = Gpu::headless(&options);
        let gpu = pollster::block_on(gpu).expect("an adapter (see scripts/setup.sh)");
        let features = gpu.device.features();
        assert!(!features.contains(wgpu::Features::TIMESTAMP_QUERY));
        let mut renderer = renderer(&gpu, SCENE);
        let timer = FrameTimer::new(&gpu, SIZE);
        let timing = timer.time(&mut renderer, &inputs(0)).expect("drawn");
        assert!(
            timing.gpu.is_none() && timing.wall > Duration::ZERO,
            "{timing:?}"
        );
    }

    #[test]
    fn comparison_counts_frames_of_both_renderers() {
        let gpu = with_timestamps();
        let [mut fast, mut reference] = [renderer(&gpu, SCENE), renderer(&gpu, SCENE)];
        let pictures = [0, 1, 2].map(|index| [inputs(index), inputs(index)]);
        let result = compare(&gpu, &mut fast, &mut reference, &pictures, 2).expect("drawn");
        for timings in [&result.fast, &result.reference] {
            assert_eq!(timings.wall.len(), 6);
            assert_eq!(timings.gpu.len(), if has_clock(&gpu) { 6 } else { 0 });
        }
        assert_eq!(result.psnr_db, f64::INFINITY, "the same scene");
    }

    /// A picture and two buffers, one of which takes a thousand times as long as the others.
    fn with_work_in(pass: &str) -> String {
        let functions = ["buffer_a", "buffer_b", "main_image"].map(|name| {
            let rounds = if name == pass { 4000 } else { 1 };
            format!(
                "fn {name}(p: vec2f) -> vec4f {{
    var value = p.x;
    for (var round = 0; round < {rounds}; round++) {{ value = sin(value + p.y); }}
    return vec4f(value);
}}"
            )
        });
        functions.join("\n")
    }

    #[test]
    fn each_pass_has_its_own_time() {
        let gpu = with_timestamps();
        let timer = FrameTimer::new(&gpu, SIZE);
        for (number, pass) in ["buffer_a", "buffer_b", "main_image"].iter().enumerate() {
            let mut renderer = renderer(&gpu, &with_work_in(pass));
            // Summed over a few frames: other work can delay the end of a short pass.
            let mut sums = [Duration::ZERO; 3];
            for index in 0..4 {
                let timing = timer.time(&mut renderer, &inputs(index)).expect("drawn");
                let passes = timing.passes.iter();
                sums.iter_mut()
                    .zip(passes)
                    .for_each(|(sum, time)| *sum += *time);
            }
            let longest = (0..3).max_by_key(|&at| sums[at]);
            let is_right =
                longest == Some(number) || (!has_clock(&gpu) && sums == [Duration::ZERO; 3]);
            assert!(is_right, "{pass}: {sums:?}");
        }
    }
}
