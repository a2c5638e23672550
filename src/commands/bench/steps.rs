//! The timed steps from a source to a renderer, and the formatting of their times.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use super::measure::{FrameTimer, Timings};
use crate::cli::BenchArgs;
use crate::commands::parameters;
use tarsus_capture::{CaptureChannels, ChannelUpdater};
use tarsus_render::{FORMAT, Frame, Gpu, Inputs, Renderer};
use tarsus_shader::{Library, Program, Scene};

pub(super) fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

pub(super) fn compose(scene: &Scene, library: &Library, definitions: &[&str]) -> Result<Program> {
    tarsus_shader::compose(scene, library, definitions)
        .map_err(|error| anyhow::anyhow!("{} does not compile\n{error}", scene.file))
}

/// A scene ready to be timed.
pub(super) struct Variant {
    pub renderer: Renderer,
    channels: Option<ChannelUpdater>,
    /// Contents of the parameter uniform.
    parameters: Vec<u8>,
    pub compose: Duration,
    pub pipeline: Duration,
}

impl Variant {
    /// Composes the scene with shader `definitions` and creates its pipelines and channels.
    /// The value of `--against`, if any, overrides those of `--set`.
    pub(super) fn new(
        gpu: &Gpu,
        scene: &Scene,
        library: &Library,
        args: &BenchArgs,
        definitions: &[&str],
        against: Option<&String>,
    ) -> Result<Self> {
        let (program, compose) = time(|| self::compose(scene, library, definitions));
        let program = program?;
        let mut values = parameters::values("--set", &args.set, &program)?;
        let against: Vec<String> = against.into_iter().cloned().collect();
        values.merge(&parameters::values("--against", &against, &program)?);
        let (renderer, pipeline) = time(|| {
            let renderer = Renderer::new_warmed_up(&gpu.device, &gpu.queue, &program, &[FORMAT]);
            pollster::block_on(renderer)
        });
        let channels = CaptureChannels::open(&program, args.channels.overrides())?;
        let channels = channels.map(|channels| channels.open_for_renderer(&program));
        let mut variant = Self {
            renderer: renderer?,
            channels: channels.transpose()?,
            parameters: program.parameters.bytes(&values),
            compose,
            pipeline,
        };
        variant.update_channels(gpu, 0.0)?;
        Ok(variant)
    }

    /// Inputs of a frame.
    pub(super) fn inputs(&self, frame: Frame) -> Inputs {
        Inputs::new(frame, self.parameters.clone())
    }

    /// Times the first frame, at a size so small that driver work dominates.
    pub(super) fn time_first_frame(&mut self, gpu: &Gpu) -> Result<Duration> {
        const SIZE: (u32, u32) = (64, 36);
        let inputs = self.inputs(Frame::new(SIZE, 0, 60.0));
        let lap = FrameTimer::new(gpu, SIZE).time(&mut self.renderer, &inputs)?;
        Ok(lap.wall)
    }

    /// Uploads the channel contents at `time` in seconds, outside of the timed part.
    pub(super) fn update_channels(&mut self, gpu: &Gpu, time: f64) -> Result<()> {
        if let Some(channels) = &mut self.channels {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            channels.update(&mut encoder, &mut self.renderer, time)?;
            gpu.queue.submit([encoder.finish()]);
        }
        Ok(())
    }
}

pub(super) fn spread_text(timings: &Timings) -> String {
    format!(
        "{:.1} ms ({:.1} to {:.1})",
        timings.median_ms(),
        timings.quantile_ms(0.0),
        timings.quantile_ms(1.0)
    )
}

pub(super) fn timings_json(timings: &Timings) -> Value {
    json!({
        "median_ms": timings.median_ms(),
        "least_ms": timings.quantile_ms(0.0),
        "most_ms": timings.quantile_ms(1.0),
    })
}
