//! The timed steps, and the formatting of their times.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use crate::commands::parameters;
use tarsus_capture::{ChannelFeed, RunChannels};
use tarsus_render::measure::Timings;
use tarsus_render::{FORMAT, Gpu, Renderer, RendererError};
use tarsus_shader::{Library, Program, Scene};

pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

pub(super) fn composed(scene: &Scene, library: &Library, definitions: &[&str]) -> Result<Program> {
    tarsus_shader::compose(scene, library, definitions)
        .map_err(|error| anyhow::anyhow!("{} does not compile\n{error}", scene.file))
}

pub(super) fn renderer(gpu: &Gpu, program: &Program) -> Result<Renderer, RendererError> {
    pollster::block_on(Renderer::new_warmed_up(
        &gpu.device,
        &gpu.queue,
        program,
        &[FORMAT],
    ))
}

/// Opens the channels of a scene, with replacement files for some.
pub(super) fn feed(
    program: &Program,
    files: BTreeMap<String, PathBuf>,
) -> Result<Option<ChannelFeed>> {
    let channels = RunChannels::open(program, files)?;
    let feed = channels.map(|channels| channels.feed(program));
    Ok(feed.transpose()?)
}

/// Uploads the channel contents at `time` in seconds to `renderer`, outside of the timed
/// part.
pub(super) fn follow(
    gpu: &Gpu,
    feed: &mut Option<ChannelFeed>,
    renderer: &mut Renderer,
    time: f64,
) -> Result<()> {
    if let Some(feed) = feed {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        feed.follow(&mut encoder, renderer, time)?;
        gpu.queue.submit([encoder.finish()]);
    }
    Ok(())
}

/// Contents of the parameter uniform with the values of `--set`, then of `--against`.
pub(super) fn parameter_bytes(
    program: &Program,
    set: &[String],
    against: Option<&String>,
) -> Result<Vec<u8>> {
    let mut values = parameters::values("--set", set, program)?;
    let against: Vec<String> = against.into_iter().cloned().collect();
    values.merge(&parameters::values("--against", &against, program)?);
    Ok(program.parameters.bytes(&values))
}

pub(super) fn spread(timings: &Timings) -> String {
    format!(
        "{:.1} ms ({:.1} to {:.1})",
        timings.median_ms(),
        timings.quantile_ms(0.0),
        timings.quantile_ms(1.0)
    )
}

pub(super) fn timings(timings: &Timings) -> Value {
    json!({
        "median_ms": timings.median_ms(),
        "least_ms": timings.quantile_ms(0.0),
        "most_ms": timings.quantile_ms(1.0),
    })
}
