//! How close a capture comes to the slower of rendering alone and encoding
//! alone: the three in turn, several times, and the medians.
//!
//! cargo bench --bench capture [-- SCENE [FRAMES]]

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use tarsus::capture::files::FileError;
use tarsus::capture::{
    self, Format, Header, Metadata, Play, Quality, Sequence, Shape, Shot, Sink, Slot, Source,
};
use tarsus::render::{Depth, Gpu, GpuOptions, Picture};
use tarsus::shader::Scene;
use tarsus::shader::{self, Library, Program, Values};

const SIZE: (u32, u32) = (1280, 720);
const FPS: f64 = 60.0;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo adds a flag of its own.
    let mut arguments = std::env::args().skip(1).filter(|text| text != "--bench");
    let name = arguments
        .next()
        .unwrap_or_else(|| "tests/fixtures/moving.wgsl".to_owned());
    let frames: u32 = arguments.next().map_or(Ok(300), |text| text.parse())?;
    let library = Library::embedded();
    let scene = Scene::find(&name, &library)?;
    let composed = shader::compose(&scene, &library, &[])?;
    let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default()))?;
    let folder = tempfile::tempdir()?;
    let threads = std::thread::available_parallelism()?.get();
    let files = || Box::new(Sequence::start(Format::Png, SIZE, Depth::Eight, threads));
    let shots = |frames| shots(&composed, folder.path(), frames);

    // A second's worth of real frames, to encode without rendering them.
    let mut kept = Kept::default();
    render(&gpu, &composed, shots(60), Box::new(&mut kept))?;

    let mut seconds: [Vec<f64>; 3] = Default::default();
    for _ in 0..ROUNDS {
        seconds[0].push(timed(|| {
            render(&gpu, &composed, shots(frames), Box::new(Nowhere))
        })?);
        seconds[1].push(timed(|| encode(&kept.0, &shots(frames), files()))?);
        seconds[2].push(timed(|| render(&gpu, &composed, shots(frames), files()))?);
    }
    let [rendering, encoding, both] = seconds.map(median);
    println!("{}", gpu.describe());
    println!("{frames} frames of {name} at 1280x720, {threads} threads, median of {ROUNDS}");
    println!("rendering alone {rendering:.3} s, encoding alone {encoding:.3} s, both {both:.3} s");
    println!("both / larger = {:.3}", both / rendering.max(encoding));
    println!("both / sum = {:.3}", both / (rendering + encoding));
    Ok(())
}

fn shots(scene: &Program, folder: &std::path::Path, frames: u32) -> Vec<Shot> {
    let play = Play {
        scene: "bench",
        lens: None,
        program: scene,
        values: Values::default(),
        size: SIZE,
        fps: FPS,
        source: Source::Still(Box::default()),
    };
    let shot = |number: u32| {
        let slot = Slot {
            number,
            time: f64::from(number) / FPS,
            path: folder.join(format!("frame_{number:05}.png")),
        };
        let header = Header {
            path: slot.path.clone(),
            metadata: Metadata::default(),
        };
        Shot {
            header: Arc::new(header),
            samples: play.samples(&slot, &Quality::PLAIN),
        }
    };
    (0..frames).map(shot).collect()
}

fn render(
    gpu: &Gpu,
    scene: &Program,
    shots: Vec<Shot>,
    sink: Box<dyn Sink + '_>,
) -> Result<(), capture::CaptureError> {
    let shape = Shape {
        size: SIZE,
        depth: Depth::Eight,
        tile: capture::DEFAULT_TILE,
        averaged: false,
    };
    let go_on = |_| ControlFlow::Continue(());
    capture::run(gpu, scene, shape, shots.into_iter(), sink, go_on).map(|_| ())
}

fn encode(
    pictures: &[Picture],
    shots: &[Shot],
    mut sink: Box<Sequence>,
) -> Result<(), capture::CaptureError> {
    for (shot, picture) in shots.iter().zip(pictures.iter().cycle()) {
        sink.rows(&shot.header, picture.clone())?;
    }
    Ok(sink.finish(true)?)
}

fn timed<E>(work: impl FnOnce() -> Result<(), E>) -> Result<f64, E> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Throws pictures away.
struct Nowhere;

impl Sink for Nowhere {
    fn rows(&mut self, _: &Arc<Header>, _: Picture) -> Result<(), FileError> {
        Ok(())
    }

    fn finish(self: Box<Self>, _: bool) -> Result<(), FileError> {
        Ok(())
    }
}

/// Keeps pictures.
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
