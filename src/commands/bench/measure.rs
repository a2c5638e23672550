//! Frame timing.
//!
//! Frames are drawn one at a time, each waited for, so a measurement is the time of one
//! frame from submission to completion. If the adapter supports timestamps, the GPU's
//! share of that time is measured too; the rest is the program, the driver and transfers.

use std::time::{Duration, Instant};

use tarsus_render::{
    FORMAT, FullscreenPass, Gpu, Inputs, RenderError, Renderer, Timestamps, drawable,
};

/// Quantile `fraction` (0 to 1) of `durations`, in milliseconds; 0 if there are none.
pub(super) fn quantile_ms(durations: &[Duration], fraction: f64) -> f64 {
    let mut sorted = durations.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().saturating_sub(1);
    let quantile = sorted.get((fraction * last as f64).round() as usize);
    quantile.map_or(0.0, |duration| 1e3 * duration.as_secs_f64())
}

/// Times of the frames of one renderer.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameTimings {
    /// From submission to completion.
    pub(super) wall: Vec<Duration>,
    /// GPU times of all passes together; empty without timestamps.
    pub(super) gpu: Vec<Duration>,
    /// GPU times of each pass, in drawing order; empty without timestamps.
    pub(super) passes: Vec<Vec<Duration>>,
}

impl FrameTimings {
    /// Adds one frame.
    pub(super) fn push(&mut self, wall: Duration, passes: &[Duration]) {
        self.wall.push(wall);
        self.passes.resize_with(passes.len(), Vec::new);
        for (times, &time) in self.passes.iter_mut().zip(passes) {
            times.push(time);
        }
        if !passes.is_empty() {
            self.gpu.push(passes.iter().sum());
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
        Self { gpu, view: texture.create_view(&Default::default()) }
    }

    /// Draws a frame, buffers and picture, and blocks until it is complete. Returns its
    /// wall-clock time, and the GPU time of each pass if the adapter has timestamps.
    ///
    /// # Errors
    /// [`RenderError::Device`] if the device fails.
    pub(super) fn time(
        &self,
        renderer: &mut Renderer,
        inputs: &Inputs,
    ) -> Result<(Duration, Vec<Duration>), RenderError> {
        let timestamps = Timestamps::new(self.gpu, renderer.passes().count());
        let start = Instant::now();
        self.gpu.submit(|encoder| {
            let pass = FullscreenPass {
                timestamps: timestamps.as_ref().and_then(Timestamps::picture_writes),
                ..(&self.view).into()
            };
            renderer.advance_timed(encoder, inputs, timestamps.as_ref());
            renderer.draw(encoder, inputs, pass)?;
            if let Some(timestamps) = &timestamps {
                timestamps.resolve(encoder);
            }
            Ok(())
        })?;
        self.gpu
            .device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| RenderError::Device(error.to_string()))?;
        let wall = start.elapsed();
        if let Some(error) = self.gpu.take_error() {
            return Err(RenderError::Device(error));
        }
        let passes = match timestamps {
            Some(timestamps) => timestamps.finish_read(self.gpu).map_err(RenderError::Device)?,
            None => Vec::new(),
        };
        Ok((wall, passes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tarsus_render::{Frame, GpuOptions};
    use tarsus_shader::{Library, Scene, compose};

    #[test]
    fn quantiles_use_sorted_times() {
        let durations = [5, 1, 3, 2, 4].map(Duration::from_millis);
        let quantiles = [0.0, 0.5, 1.0].map(|fraction| quantile_ms(&durations, fraction));
        assert_eq!(quantiles, [1.0, 3.0, 5.0]);
        assert_eq!(quantile_ms(&[], 0.5), 0.0);
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
        Inputs::new(Frame::new(SIZE, index, 60.0))
    }

    fn with_timestamps() -> Gpu {
        let options = GpuOptions { timestamps: true, ..GpuOptions::default() };
        pollster::block_on(Gpu::headless(&options)).expect("an adapter (see scripts/setup.sh)")
    }

    /// True if the adapter supports timestamps on a device that requested them.
    fn has_clock(gpu: &Gpu) -> bool {
        gpu.adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    #[test]
    fn gpu_time_is_within_wall_time() {
        let gpu = with_timestamps();
        let mut renderer = renderer(&gpu, SCENE);
        let timer = FrameTimer::new(&gpu, SIZE);
        for index in 0..5 {
            let (wall, passes) = timer.time(&mut renderer, &inputs(index)).expect("drawn");
            assert_eq!(!passes.is_empty(), has_clock(&gpu));
            if has_clock(&gpu) {
                let time: Duration = passes.iter().sum();
                // CPU and GPU clocks round differently.
                let most = wall + Duration::from_micros(100);
                assert!(time > Duration::ZERO && time <= most, "{passes:?} of {wall:?}");
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
        let (wall, passes) = timer.time(&mut renderer, &inputs(0)).expect("drawn");
        assert!(passes.is_empty() && wall > Duration::ZERO, "{passes:?} of {wall:?}");
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
                let (_, passes) = timer.time(&mut renderer, &inputs(index)).expect("drawn");
                sums.iter_mut().zip(&passes).for_each(|(sum, time)| *sum += *time);
            }
            let longest = (0..3).max_by_key(|&at| sums[at]);
            let is_right =
                longest == Some(number) || (!has_clock(&gpu) && sums == [Duration::ZERO; 3]);
            assert!(is_right, "{pass}: {sums:?}");
        }
    }
}
