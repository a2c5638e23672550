//! What `tarsus bench` measures, and that it measures what it says.

mod common;

use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use tarsus::render::FORMAT;
use tarsus::render::Frame;
use tarsus::render::Renderer;
use tarsus::render::measure::{Stopwatch, compare};
use tarsus::render::{Gpu, GpuOptions};
use tarsus::shader::{Library, compose as compose_scene};

const SIZE: (u32, u32) = (160, 90);

const SCENE: &str = "#import tarsus::frame
#ifdef REFERENCE
const TURNS: i32 = 4000;
#else
const TURNS: i32 = 1000;
#endif
struct Params {
    /// Brightness [0, 1] = 1
    level: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f {
    var sum = frame::frame.time;
    for (var i = 0; i < TURNS; i++) { sum = fract(sum + 0.1 * sin(p.x + f32(i))); }
    return vec4f(vec3f(sum * params.level), 1.0);
}
";

fn renderer(gpu: &Gpu) -> Renderer {
    let composed = compose_scene(SCENE, "bench.wgsl", None, &Library::embedded(), &[]);
    let composed = composed.expect("a scene");
    pollster::block_on(Renderer::new(gpu, &composed, FORMAT)).expect("a pipeline")
}

fn with_timestamps() -> Gpu {
    let options = GpuOptions {
        timestamps: true,
        ..GpuOptions::default()
    };
    pollster::block_on(Gpu::headless(&options)).expect("an adapter (see scripts/setup.sh)")
}

/// What an adapter has to say, for a device that asked for its clock.
fn has_clock(gpu: &Gpu) -> bool {
    let is_gl = gpu.adapter.get_info().backend == wgpu::Backend::Gl;
    let features = gpu.adapter.features();
    features.contains(wgpu::Features::TIMESTAMP_QUERY) && !is_gl
}

#[test]
fn the_adapters_time_is_part_of_the_time_on_the_wall() {
    let gpu = with_timestamps();
    let renderer = renderer(&gpu);
    let watch = Stopwatch::new(&gpu, &renderer, SIZE);
    for index in 0..5 {
        let lap = watch
            .time(&Frame::offline(SIZE, index, 60.0))
            .expect("drawn");
        assert_eq!(lap.gpu.is_some(), has_clock(&gpu));
        if let Some(time) = lap.gpu {
            // The two clocks round differently.
            let most = lap.wall + Duration::from_micros(100);
            assert!(time > Duration::ZERO && time <= most, "{lap:?}");
        }
    }
}

#[test]
fn a_device_that_did_not_ask_has_no_clock() {
    let gpu = common::gpu();
    let features = gpu.device.features();
    assert!(!features.contains(wgpu::Features::TIMESTAMP_QUERY));
    let renderer = renderer(gpu);
    let watch = Stopwatch::new(gpu, &renderer, SIZE);
    let lap = watch.time(&Frame::offline(SIZE, 0, 60.0)).expect("drawn");
    assert!(lap.gpu.is_none() && lap.wall > Duration::ZERO, "{lap:?}");
}

#[test]
fn comparing_counts_every_frame_once_for_each() {
    let gpu = with_timestamps();
    let renderers = [renderer(&gpu), renderer(&gpu)];
    let frames = [0, 1, 2].map(|index| Frame::offline(SIZE, index, 60.0));
    let result = compare(&gpu, &renderers[0], &renderers[1], &frames, 2).expect("drawn");
    for laps in [&result.fast, &result.reference] {
        assert_eq!(laps.wall.len(), 6);
        assert_eq!(laps.gpu.len(), if has_clock(&gpu) { 6 } else { 0 });
    }
    assert_eq!(result.psnr_db, f64::INFINITY, "the same scene");
}

fn bench(arguments: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("bench.wgsl"), SCENE).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_tarsus"))
        .args([
            "bench",
            "bench.wgsl",
            "--size",
            "160x90",
            "--times",
            "2",
            "--json",
        ])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn the_summary_has_the_adapters_time_where_there_is_one() {
    let expected = has_clock(common::gpu());
    let median = |size: &Value, key: &str| size[key]["median_ms"].as_f64();
    let alone = bench(&[]);
    let size = &alone["sizes"][0];
    assert!(median(size, "frame") > Some(0.0));
    assert_eq!(median(size, "gpu").is_some(), expected, "{size}");
    assert!(size.get("reference_gpu").is_none(), "{size}");

    let both = bench(&["--against", "reference"]);
    let size = &both["sizes"][0];
    for (wall, gpu) in [("frame", "gpu"), ("reference", "reference_gpu")] {
        assert!(median(size, wall) > Some(0.0), "{size}");
        assert_eq!(size.get(gpu).is_some(), expected, "{size}");
        assert_eq!(
            median(size, gpu).is_some_and(|ms| ms > 0.0),
            expected,
            "{size}"
        );
    }
    assert!(both["ratio"].is_number() && both["psnr_db"].is_number());
}

#[test]
fn a_scene_is_measured_against_itself_with_another_parameter() {
    let both = bench(&["--against", "level=0"]);
    assert!(both["ratio"].as_f64() > Some(0.0), "{both}");
    // The parameter reached the other picture and not this one.
    assert!(
        both["psnr_db"].as_f64().is_some_and(|db| db < 40.0),
        "{both}"
    );
}
