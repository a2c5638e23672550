//! Times of single frames: wall times, GPU times, and comparisons of two renderers.

use std::time::Duration;

use tarsus_render::measure::{Stopwatch, compare};
use tarsus_render::{FORMAT, Frame, Gpu, GpuOptions, Inputs, Renderer};

use crate::common;

const SIZE: (u32, u32) = (160, 90);

const SCENE: &str = "fn main_image(p: vec2f) -> vec4f { return vec4f(fract(0.1 * p), 0.5, 1.0); }";

fn renderer(gpu: &Gpu) -> Renderer {
    common::renderer(gpu, &common::compose(SCENE, "measured.wgsl", &[]), FORMAT)
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
    let mut renderer = renderer(&gpu);
    let watch = Stopwatch::new(&gpu, SIZE);
    for index in 0..5 {
        let lap = watch.time(&mut renderer, &inputs(index)).expect("drawn");
        assert_eq!(lap.gpu.is_some(), has_clock(&gpu));
        if let Some(time) = lap.gpu {
            // CPU and GPU clocks round differently.
            let most = lap.wall + Duration::from_micros(100);
            assert!(time > Duration::ZERO && time <= most, "{lap:?}");
        }
    }
}

#[test]
fn timestamps_are_off_by_default() {
    let gpu = common::gpu();
    let features = gpu.device.features();
    assert!(!features.contains(wgpu::Features::TIMESTAMP_QUERY));
    let mut renderer = renderer(gpu);
    let watch = Stopwatch::new(gpu, SIZE);
    let lap = watch.time(&mut renderer, &inputs(0)).expect("drawn");
    assert!(lap.gpu.is_none() && lap.wall > Duration::ZERO, "{lap:?}");
}

#[test]
fn comparison_counts_frames_of_both_renderers() {
    let gpu = with_timestamps();
    let [mut fast, mut reference] = [renderer(&gpu), renderer(&gpu)];
    let pictures = [0, 1, 2].map(|index| [inputs(index), inputs(index)]);
    let result = compare(&gpu, &mut fast, &mut reference, &pictures, 2).expect("drawn");
    for laps in [&result.fast, &result.reference] {
        assert_eq!(laps.wall.len(), 6);
        assert_eq!(laps.gpu.len(), if has_clock(&gpu) { 6 } else { 0 });
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
    let watch = Stopwatch::new(&gpu, SIZE);
    for (number, pass) in ["buffer_a", "buffer_b", "main_image"].iter().enumerate() {
        let program = common::compose(&with_work_in(pass), "work.wgsl", &[]);
        let mut renderer = common::renderer(&gpu, &program, FORMAT);
        // Summed over a few frames: other work can delay the end of a short pass.
        let mut sums = [Duration::ZERO; 3];
        for index in 0..4 {
            let lap = watch.time(&mut renderer, &inputs(index)).expect("drawn");
            let passes = lap.passes.iter();
            sums.iter_mut()
                .zip(passes)
                .for_each(|(sum, time)| *sum += *time);
        }
        let longest = (0..3).max_by_key(|&at| sums[at]);
        let is_right = longest == Some(number) || (!has_clock(&gpu) && sums == [Duration::ZERO; 3]);
        assert!(is_right, "{pass}: {sums:?}");
    }
}
