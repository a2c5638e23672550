//! The timed steps from a source to a renderer, and the formatting of their times.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use super::measure::{FrameTimer, quantile_ms};
use crate::cli::BenchArgs;
use crate::commands::program;
use tarsus_media::{ChannelLimits, Channels};
use tarsus_render::{FORMAT, Frame, Gpu, Inputs, Picture, Renderer, render_picture};
use tarsus_shader::{Library, Scene, Values};

pub(super) fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// A scene ready to be timed.
pub(super) struct Variant {
    pub renderer: Renderer,
    channels: Channels,
    /// Contents of the parameter uniform.
    values: Values,
    pub compose: Duration,
    pub pipeline: Duration,
}

impl Variant {
    /// Composes the scene with shader `definitions` and creates its pipelines and channels.
    /// The value of `--against`, if any, overrides those of `--set`. Constants of code that
    /// `is_edited` are read from a uniform.
    pub(super) fn new(
        gpu: &Gpu,
        scene: &Scene,
        library: &Library,
        args: &BenchArgs,
        definitions: &[&str],
        against: Option<&String>,
        is_edited: bool,
    ) -> Result<Self> {
        let (program, compose) = time(|| program::compose(scene, library, definitions));
        let program = program?;
        let mut values = program::set_values(&args.set, &program)?;
        let against: Vec<String> = against.into_iter().cloned().collect();
        values.extend(program::values("--against", &against, &program)?);
        let (renderer, pipeline) =
            time(|| pollster::block_on(Renderer::for_gpu(gpu, &program, &[FORMAT], is_edited)));
        let replacements = args.channels.overrides();
        let limits = ChannelLimits::default();
        let mut variant = Self {
            renderer: renderer?,
            channels: Channels::open(&program.channels, &replacements, limits)?,
            values,
            compose,
            pipeline,
        };
        variant.update_channels(gpu, 0.0)?;
        Ok(variant)
    }

    /// Inputs of a frame.
    pub(super) fn inputs(&self, frame: Frame) -> Inputs {
        Inputs::new(frame).with_values(self.values.clone())
    }

    /// Draws a frame.
    pub(super) fn render(&mut self, gpu: &Gpu, frame: Frame) -> Result<Picture> {
        let inputs = self.inputs(frame);
        Ok(render_picture(gpu, &mut self.renderer, &inputs)?)
    }

    /// Times the first frame, at a size so small that driver work dominates.
    pub(super) fn time_first_frame(&mut self, gpu: &Gpu) -> Result<Duration> {
        // llvmpipe compiles other code for textures whose sides are powers of two, which
        // buffers of real pictures rarely have.
        const SIZE: (u32, u32) = (60, 34);
        let inputs = self.inputs(Frame::new(SIZE, 0, 60.0));
        let (wall, _) = FrameTimer::new(gpu, SIZE).time(&mut self.renderer, &inputs)?;
        Ok(wall)
    }

    /// Uploads the channel contents at `time` in seconds, outside of the timed part.
    pub(super) fn update_channels(&mut self, gpu: &Gpu, time: f64) -> Result<()> {
        let updates = self.channels.update(time)?;
        if updates.is_empty() {
            return Ok(());
        }
        let mut updates = updates.into_iter();
        gpu.submit(|encoder| {
            updates.try_for_each(|(number, texels)| {
                self.renderer.set_channel(encoder, number, &texels)
            })
        })?;
        Ok(())
    }
}

/// Minimum, median and maximum of `durations`, in milliseconds.
fn spread(durations: &[Duration]) -> [f64; 3] {
    [0.0, 0.5, 1.0].map(|fraction| quantile_ms(durations, fraction))
}

pub(super) fn spread_text(durations: &[Duration]) -> String {
    let [least, median, most] = spread(durations);
    format!("{median:.1} ms ({least:.1} to {most:.1})")
}

pub(super) fn spread_json(durations: &[Duration]) -> Value {
    let [least, median, most] = spread(durations);
    json!({ "median_ms": median, "least_ms": least, "most_ms": most })
}
