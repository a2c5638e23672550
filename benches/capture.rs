//! Compares a capture with the slower of rendering alone and encoding alone. Runs the
//! three in turn, several times, and prints the medians.
//!
//!   cargo bench --bench capture [-- SCENE [FRAMES]]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tarsus_capture::{
    CaptureError, CaptureRun, CaptureSpec, Destination, Format, FrameSelection, Header, Metadata,
    Output, Sink, Step,
};
use tarsus_media::{ChannelLimits, Channels};
use tarsus_render::{Gpu, GpuOptions, Picture};
use tarsus_shader::Scene;

const SIZE: (u32, u32) = (1280, 720);
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo adds a `--bench` argument.
    let mut arguments = std::env::args().skip(1).filter(|text| text != "--bench");
    let name = arguments.next().unwrap_or_else(|| "tests/fixtures/moving.wgsl".to_owned());
    let frames: u32 = arguments.next().map_or(Ok(300), |text| text.parse())?;
    let library = tarsus::library();
    let scene = Scene::find(&name, &library)?;
    let program = tarsus_shader::compose(&scene, &library, &[])?;
    let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default()))?;
    let folder = tempfile::tempdir()?;
    let threads = std::thread::available_parallelism()?.get();
    // One second of rendered frames, to encode without rendering.
    let [all, second] = [frames, 60].map(|frames| spec(folder.path(), frames, threads));
    let channels = Channels::open(&program.channels, &BTreeMap::new(), ChannelLimits::default())?;
    let run = |spec| CaptureRun::new(&gpu, spec, &program, &channels, None);
    let mut kept = Vec::new();
    let keep = |_: &_, rows: Picture| {
        kept.push(rows);
        Ok(())
    };
    run(&second).run_into(keep, go_on)?;

    let mut seconds: [Vec<f64>; 3] = Default::default();
    for _ in 0..ROUNDS {
        let alone = timed(|| run(&all).run_into(|_, _| Ok(()), go_on))?;
        seconds[0].push(alone);
        seconds[1].push(timed(|| encode(&kept, &all))?);
        seconds[2].push(timed(|| run(&all).run(go_on))?);
    }
    let [rendering, encoding, both] = seconds.map(median);
    println!("{}", gpu.describe());
    println!("{frames} frames of {name} at 1280x720, {threads} threads, median of {ROUNDS}");
    println!("rendering alone {rendering:.3} s, encoding alone {encoding:.3} s, both {both:.3} s");
    println!("both / larger = {:.3}", both / rendering.max(encoding));
    println!("both / sum = {:.3}", both / (rendering + encoding));
    Ok(())
}

fn spec(folder: &Path, frames: u32, threads: usize) -> CaptureSpec {
    CaptureSpec {
        scene: "bench".to_owned(),
        size: SIZE,
        frames: FrameSelection::Frames(0..frames),
        output: Output {
            destination: Destination::Folder(folder.to_path_buf()),
            format: Format::Png,
        },
        threads,
        ..CaptureSpec::default()
    }
}

fn go_on(_: Step<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn encode(pictures: &[Picture], spec: &CaptureSpec) -> Result<(), CaptureError> {
    let mut sink = Sink::stills(spec);
    for (frame, picture) in spec.frames().zip(pictures.iter().cycle()) {
        let header = Header { path: frame.path, metadata: Metadata::default() };
        sink.rows(&Arc::new(header), picture.clone())?;
    }
    Ok(sink.finish()?)
}

fn timed<T>(work: impl FnOnce() -> Result<T, CaptureError>) -> Result<f64, CaptureError> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
