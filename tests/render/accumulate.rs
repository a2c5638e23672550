//! Averages of many renderings: one sample is the plain picture, many are the
//! average in linear light that arithmetic on the plain pictures gives.

use tarsus::render::{self, Accumulator, FORMAT, Frame, Gpu, Picture, RenderTarget, Renderer};
use tarsus::render::{SAMPLE_FORMAT, sample_offset};
use tarsus::shader::Composed;

use crate::common::{compose, gpu, renderer};

const SCENE: &str = include_str!("../fixtures/moving.wgsl");
const SIZE: (u32, u32) = (96, 54);

fn scene(text: &str) -> Composed {
    compose(text, "scene.wgsl", &[])
}

/// The average of `frames`, resolved to 8 bits.
fn average(
    gpu: &Gpu,
    renderer: &Renderer,
    format: wgpu::TextureFormat,
    frames: &[Frame],
) -> Picture {
    let mut accumulator = Accumulator::new(gpu, SIZE, format, FORMAT);
    for frame in frames {
        accumulator.add(gpu, renderer, frame);
    }
    read(gpu, &accumulator)
}

fn read(gpu: &Gpu, accumulator: &Accumulator) -> Picture {
    let mut offscreen = RenderTarget::new(gpu, SIZE).expect("a target");
    accumulator.resolve(gpu, offscreen.view());
    offscreen.start_readback(gpu, ()).expect("a buffer");
    let ((), picture) = offscreen
        .finish_readback(gpu)
        .expect("pixels")
        .expect("a frame");
    picture
}

fn supersampled(frame: &Frame, count: u32) -> Vec<Frame> {
    (0..count)
        .map(|index| Frame {
            sample_offset: sample_offset(index),
            ..*frame
        })
        .collect()
}

/// The average by arithmetic in f64, in linear light.
fn by_hand(pictures: &[Picture]) -> Vec<u8> {
    let decode = |byte: u8| {
        let c = f64::from(byte) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    let encode = |c: f64| {
        let c = if c <= 0.003_130_8 {
            12.92 * c
        } else {
            1.055 * c.powf(1.0 / 2.4) - 0.055
        };
        (255.0 * c).round() as u8
    };
    let sum = |at: usize| pictures.iter().map(|p| decode(p.rgba[at])).sum::<f64>();
    (0..pictures[0].rgba.len())
        .map(|at| encode(sum(at) / pictures.len() as f64))
        .collect()
}

#[test]
fn one_sample_is_the_plain_picture_bit_for_bit() {
    let (gpu, scene) = (gpu(), scene(SCENE));
    let frame = Frame::at_time(SIZE, 7, 0.3, 60.0);
    let plain = render::still(gpu, &renderer(gpu, &scene, FORMAT), &frame).expect("plain");
    for format in [SAMPLE_FORMAT, FORMAT] {
        let renderer = renderer(gpu, &scene, format);
        let one = average(gpu, &renderer, format, &supersampled(&frame, 1));
        assert_eq!(one, plain, "{format:?}");
    }
}

#[test]
fn the_average_is_that_of_the_plain_pictures_in_linear_light() {
    let (gpu, scene) = (gpu(), scene(SCENE));
    let (plain, float) = (
        renderer(gpu, &scene, FORMAT),
        renderer(gpu, &scene, SAMPLE_FORMAT),
    );
    let frame = Frame::at_time(SIZE, 7, 0.3, 60.0);
    for count in [2, 5, 16, 300] {
        let mut frames = supersampled(&frame, count);
        for (index, frame) in frames.iter_mut().enumerate() {
            frame.time += 0.5 * index as f32 / count as f32;
        }
        let pictures: Vec<_> = frames
            .iter()
            .map(|frame| render::still(gpu, &plain, frame).expect("plain"))
            .collect();
        let expected = by_hand(&pictures);
        let found = average(gpu, &float, SAMPLE_FORMAT, &frames);
        let largest = found
            .rgba
            .iter()
            .zip(&expected)
            .map(|(a, b)| a.abs_diff(*b))
            .max();
        // The plain pictures are rounded to 8 bits before they are averaged.
        assert!(largest <= Some(1), "{count} samples: {largest:?}");
    }
}

#[test]
fn samples_added_one_by_one_can_be_looked_at_and_begun_anew() {
    let (gpu, scene) = (gpu(), scene(SCENE));
    let renderer = renderer(gpu, &scene, SAMPLE_FORMAT);
    let frames = supersampled(&Frame::at_time(SIZE, 0, 1.1, 60.0), 5);
    let mut accumulator = Accumulator::new(gpu, SIZE, SAMPLE_FORMAT, FORMAT);
    for round in 0..2 {
        accumulator.restart();
        for (done, frame) in frames.iter().enumerate() {
            accumulator.add(gpu, &renderer, frame);
            assert_eq!(accumulator.count() as usize, done + 1);
            let so_far = average(gpu, &renderer, SAMPLE_FORMAT, &frames[..=done]);
            assert!(
                read(gpu, &accumulator) == so_far,
                "round {round}, sample {done}"
            );
        }
    }
}

#[test]
fn out_of_range_colours_count_as_what_a_screen_shows() {
    let wild = "fn main_image(at: vec2f) -> vec4f {
        return vec4f(select(-4.0, 9.0, at.x < 48.0), 0.5, 0.0, 1.0);
    }";
    let gpu = gpu();
    let renderer = renderer(gpu, &scene(wild), SAMPLE_FORMAT);
    let frames = supersampled(&Frame::offline(SIZE, 0, 60.0), 8);
    let picture = average(gpu, &renderer, SAMPLE_FORMAT, &frames);
    assert_eq!(picture.pixel(10, 10), [255, 128, 0, 255]);
    assert_eq!(picture.pixel(80, 10), [0, 128, 0, 255]);
}
