//! Compares a capture with the slower of rendering alone and encoding alone. Runs the
//! three in turn, several times, and prints the medians.
//!
//!   cargo bench --bench capture [-- SCENE [FRAMES]]

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use tarsus_capture::{
    self, CaptureError, Format, FrameSelection, FrameSource, Header, InputSource, Job, Metadata,
    Output, Plan, PlanError, Quality, RenderSettings, Sequence, Shard, Sink, Step,
};
use tarsus_files::FileError;
use tarsus_render::{Depth, Gpu, GpuOptions, Picture};
use tarsus_shader::{Scene, Values};

const SIZE: (u32, u32) = (1280, 720);
const FPS: f64 = 60.0;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo adds a `--bench` argument.
    let mut arguments = std::env::args().skip(1).filter(|text| text != "--bench");
    let name = arguments
        .next()
        .unwrap_or_else(|| "tests/fixtures/moving.wgsl".to_owned());
    let frames: u32 = arguments.next().map_or(Ok(300), |text| text.parse())?;
    let library = tarsus::library();
    let scene = Scene::find(&name, &library)?;
    let program = tarsus_shader::compose(&scene, &library, &[])?;
    let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default()))?;
    let folder = tempfile::tempdir()?;
    let threads = std::thread::available_parallelism()?.get();
    let plan = |frames| plan(folder.path(), frames);
    let source = FrameSource {
        scene: "bench".to_owned(),
        lens: None,
        values: Values::default(),
        input: InputSource::Still(Box::default()),
    };
    // One second of rendered frames, to encode without rendering.
    let (all, second) = (plan(frames)?, plan(60)?);
    let job = Job {
        program: &program,
        plan: &all,
        source: &source,
        settings: RenderSettings {
            quality: Quality::PLAIN,
            tile: tarsus_capture::DEFAULT_TILE,
            threads,
        },
        resume: false,
        channels: None,
        is_mute: false,
        measures_seam: false,
        checkpoints: None,
        held: None,
    };
    let mut kept = Kept::default();
    let short = Job {
        plan: &second,
        ..job
    };
    short.run_into(&gpu, Box::new(&mut kept), go_on)?;

    let mut seconds: [Vec<f64>; 3] = Default::default();
    for _ in 0..ROUNDS {
        let alone = timed(|| job.run_into(&gpu, Box::new(Nowhere), go_on))?;
        seconds[0].push(alone);
        seconds[1].push(timed(|| encode(&kept.0, &all, threads))?);
        seconds[2].push(timed(|| job.run(&gpu, go_on))?);
    }
    let [rendering, encoding, both] = seconds.map(median);
    println!("{}", gpu.describe());
    println!("{frames} frames of {name} at 1280x720, {threads} threads, median of {ROUNDS}");
    println!("rendering alone {rendering:.3} s, encoding alone {encoding:.3} s, both {both:.3} s");
    println!("both / larger = {:.3}", both / rendering.max(encoding));
    println!("both / sum = {:.3}", both / (rendering + encoding));
    Ok(())
}

fn plan(folder: &Path, frames: u32) -> Result<Plan, PlanError> {
    let output = Output::Folder {
        path: folder.to_path_buf(),
        ending: Format::Png.ending(),
    };
    let selection = FrameSelection::Frames(0..frames);
    Plan::new(
        SIZE,
        FPS,
        selection,
        (output, Format::Png),
        Shard::default(),
    )
}

fn go_on(_: Step<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn encode(pictures: &[Picture], plan: &Plan, threads: usize) -> Result<(), CaptureError> {
    let mut sink =
        Box::new(Sequence::start(Format::Png, SIZE, Depth::Eight, threads).expect("threads"));
    for (frame, picture) in plan.frames().zip(pictures.iter().cycle()) {
        let header = Header {
            path: frame.path,
            metadata: Metadata::default(),
        };
        sink.rows(&Arc::new(header), picture.clone())?;
    }
    Ok(sink.finish(true)?)
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

/// Discards pictures.
struct Nowhere;

impl Sink for Nowhere {
    fn rows(&mut self, _: &Arc<Header>, _: Picture) -> Result<(), FileError> {
        Ok(())
    }

    fn finish(self: Box<Self>, _: bool) -> Result<(), FileError> {
        Ok(())
    }
}

/// Stores pictures.
#[derive(Default)]
struct Kept(Vec<Picture>);

impl Sink for &mut Kept {
    fn rows(&mut self, _: &Arc<Header>, rows: Picture) -> Result<(), FileError> {
        self.0.push(rows);
        Ok(())
    }

    fn finish(self: Box<Self>, _: bool) -> Result<(), FileError> {
        Ok(())
    }
}
