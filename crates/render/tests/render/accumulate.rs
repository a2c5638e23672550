//! The accumulator: one sample is the plain picture; many samples equal the linear-light
//! average computed from plain pictures.

use tarsus_render::{
    self, Accumulator, Depth, FORMAT, Frame, Gpu, Inputs, Picture, Renderer, SAMPLE_FORMAT,
};
use tarsus_shader::Program;

use crate::common::drawing::read_back;
use crate::common::{compose, gpu, renderer};

const SCENE: &str = include_str!("../../../../tests/fixtures/moving.wgsl");
const SIZE: (u32, u32) = (96, 54);

fn scene(text: &str) -> Program {
    compose(text, "scene.wgsl", &[])
}

/// Averages `frames` and resolves them to 8 bits.
fn average(
    gpu: &Gpu,
    renderer: &mut Renderer,
    format: wgpu::TextureFormat,
    frames: &[Frame],
) -> Picture {
    let mut accumulator = Accumulator::new(&gpu.device, SIZE, format, FORMAT);
    // One submission for all frames: each pass must see its own frame and count.
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    for frame in frames {
        add(&mut accumulator, &mut encoder, renderer, frame);
    }
    gpu.queue.submit([encoder.finish()]);
    read(&accumulator, Depth::Eight)
}

/// Draws a whole sample.
fn add(
    accumulator: &mut Accumulator,
    encoder: &mut wgpu::CommandEncoder,
    renderer: &mut Renderer,
    frame: &Frame,
) {
    let drawn = renderer.draw(encoder, &inputs(frame), accumulator.sample_target());
    drawn.expect("a format");
    accumulator.finish_sample(encoder);
}

fn inputs(frame: &Frame) -> Inputs {
    Inputs::new(*frame)
}

fn read(accumulator: &Accumulator, depth: Depth) -> Picture {
    read_back(SIZE, depth, |encoder, view| {
        accumulator.resolve(encoder, view);
    })
}

fn still(gpu: &Gpu, renderer: &mut Renderer, frame: &Frame) -> Picture {
    tarsus_render::render_picture(gpu, renderer, &inputs(frame)).expect("a picture")
}

fn supersampled(frame: &Frame, count: u32) -> Vec<Frame> {
    (0..count)
        .map(|index| {
            let mut sample = *frame;
            sample.set_sample(index);
            sample
        })
        .collect()
}

/// Averages pictures in linear light, in f64.
fn average_in_f64(pictures: &[Picture]) -> Vec<u8> {
    let decode = |byte: u8| {
        let c = f64::from(byte) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    let encode = |c: f64| {
        let c = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        (255.0 * c).round() as u8
    };
    let sum = |at: usize| pictures.iter().map(|p| decode(p.rgba[at])).sum::<f64>();
    (0..pictures[0].rgba.len()).map(|at| encode(sum(at) / pictures.len() as f64)).collect()
}

#[test]
fn one_sample_equals_plain_picture() {
    let (gpu, scene) = (gpu(), scene(SCENE));
    let frame = Frame::new(SIZE, 7, 60.0).at_time(0.3);
    let plain = still(gpu, &mut renderer(gpu, &scene, FORMAT), &frame);
    for format in [SAMPLE_FORMAT, FORMAT] {
        let mut renderer = renderer(gpu, &scene, format);
        let one = average(gpu, &mut renderer, format, &supersampled(&frame, 1));
        assert_eq!(one, plain, "{format:?}");
    }
}

#[test]
fn average_is_computed_in_linear_light() {
    let (gpu, scene) = (gpu(), scene(SCENE));
    let (mut plain, mut float) =
        (renderer(gpu, &scene, FORMAT), renderer(gpu, &scene, SAMPLE_FORMAT));
    let frame = Frame::new(SIZE, 7, 60.0).at_time(0.3);
    for count in [2, 5, 16, 300] {
        let mut frames = supersampled(&frame, count);
        for (index, frame) in frames.iter_mut().enumerate() {
            frame.time += 0.5 * index as f64 / f64::from(count);
        }
        let pictures: Vec<_> = frames.iter().map(|frame| still(gpu, &mut plain, frame)).collect();
        let expected = average_in_f64(&pictures);
        let found = average(gpu, &mut float, SAMPLE_FORMAT, &frames);
        let largest = found.rgba.iter().zip(&expected).map(|(a, b)| a.abs_diff(*b)).max();
        // The plain pictures are rounded to 8 bits before they are averaged.
        assert!(largest <= Some(1), "{count} samples: {largest:?}");
    }
}

#[test]
fn samples_resolve_early_and_restart() {
    let (gpu, scene) = (gpu(), scene(SCENE));
    let mut renderer = renderer(gpu, &scene, SAMPLE_FORMAT);
    let frames = supersampled(&Frame::new(SIZE, 0, 60.0).at_time(1.1), 5);
    let mut accumulator = Accumulator::new(&gpu.device, SIZE, SAMPLE_FORMAT, FORMAT);
    for round in 0..2 {
        accumulator.restart();
        for (done, frame) in frames.iter().enumerate() {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            add(&mut accumulator, &mut encoder, &mut renderer, frame);
            gpu.queue.submit([encoder.finish()]);
            assert_eq!(accumulator.count() as usize, done + 1);
            let so_far = average(gpu, &mut renderer, SAMPLE_FORMAT, &frames[..=done]);
            assert!(read(&accumulator, Depth::Eight) == so_far, "round {round}, sample {done}");
        }
    }
}

#[test]
fn out_of_range_colours_are_clamped() {
    let wild = "fn main_image(at: vec2f) -> vec4f {
        return vec4f(select(-4.0, 9.0, at.x < 48.0), 0.6, 0.0, 1.0);
    }";
    let gpu = gpu();
    let mut renderer = renderer(gpu, &scene(wild), SAMPLE_FORMAT);
    let frames = supersampled(&Frame::new(SIZE, 0, 60.0), 8);
    let picture = average(gpu, &mut renderer, SAMPLE_FORMAT, &frames);
    assert_eq!(picture.pixel(10, 10), [255, 153, 0, 255]);
    assert_eq!(picture.pixel(80, 10), [0, 153, 0, 255]);
}

#[test]
fn float_target_gets_unclamped_linear_light() {
    let wild = "fn main_image(at: vec2f) -> vec4f {
        return vec4f(select(-0.5, 2.0, at.x < 48.0), 0.5, 0.01, 1.0);
    }";
    let decode = |c: f64| ((c + 0.055) / 1.055).powf(2.4);
    let expected =
        [[decode(2.0), decode(0.5), 0.01 / 12.92], [-decode(0.5), decode(0.5), 0.01 / 12.92]];
    let gpu = gpu();
    let mut renderer = renderer(gpu, &scene(wild), SAMPLE_FORMAT);
    for count in [1, 3] {
        let format = Depth::Float.texture_format();
        let mut accumulator = Accumulator::new(&gpu.device, SIZE, SAMPLE_FORMAT, format);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for frame in supersampled(&Frame::new(SIZE, 0, 60.0), count) {
            add(&mut accumulator, &mut encoder, &mut renderer, &frame);
        }
        gpu.queue.submit([encoder.finish()]);
        let picture = read(&accumulator, Depth::Float);
        for (x, expected) in [(10, expected[0]), (80, expected[1])] {
            let pixel = &picture.rgba[16 * x..16 * x + 12];
            let rgb: [f32; 3] = bytemuck::pod_read_unaligned(pixel);
            for (found, expected) in rgb.iter().zip(expected) {
                // WGSL allows pow an error of some units in the last place.
                let off = (f64::from(*found) - expected).abs();
                assert!(off <= 1e-5 * expected.abs(), "{found} for {expected}");
            }
        }
    }
}
