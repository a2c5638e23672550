//! The renderer embedded in another program, with its device and encoder.

use std::sync::Arc;

use tarsus_render::{
    Checkpoint, Depth, FORMAT, Frame, FullscreenPass, Gpu, Inputs, Picture, Readback, RenderError,
    Renderer, SAMPLE_FORMAT, SoundRenderer, Viewport, render_picture, target_texture,
};
use tarsus_shader::Program;

use crate::common::drawing::{self, read_back};
use crate::common::{compose, gpu, renderer};

const SIZE: (u32, u32) = (16, 9);

/// Shows time, a parameter and a key, each in its own component.
const SCENE: &str = "
#import tarsus::frame
#import tarsus::keyboard
struct Params {
    /// Green = 0.0
    green: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(at: vec2f) -> vec4f {
    let key = select(0.0, 1.0, keyboard::is_down(65u));
    return vec4f(frame::frame.time / 255.0, params.green / 255.0, key, 1.0);
}";

/// Inputs whose picture has the colour `expected(number)`.
fn inputs(number: u8) -> Inputs {
    let frame = Frame::new(SIZE, 0, 60.0).at_time(f64::from(number));
    let green = [("green".to_owned(), vec![f64::from(255 - number)])];
    let mut inputs = Inputs::new(frame).with_values(green.into());
    inputs.keyboard[65] = if number.is_multiple_of(3) { 255 } else { 0 };
    inputs
}

fn expected(number: u8) -> [u8; 4] {
    let key = if number.is_multiple_of(3) { 255 } else { 0 };
    [number, 255 - number, key, 255]
}

fn draw(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    renderer: &mut Renderer,
    count: u8,
) -> Vec<Picture> {
    let mut encoder = device.create_command_encoder(&Default::default());
    let readbacks: Vec<_> = (0..count)
        .map(|number| {
            let target = target_texture(device, SIZE, Depth::Eight).expect("a target");
            let view = target.create_view(&Default::default());
            renderer.draw(&mut encoder, &inputs(number), &view).expect("a target");
            Readback::encode(device, &mut encoder, &target, None)
        })
        .collect();
    queue.submit([encoder.finish()]);
    let read = |readback: &Readback| {
        let rgba = readback.finish().expect("a device");
        Picture { width: SIZE.0, height: SIZE.1, rgba }
    };
    readbacks.iter().map(read).collect()
}

#[test]
fn draws_in_one_submission_keep_inputs() {
    let gpu = gpu();
    let mut renderer = renderer(gpu, &compose(SCENE, "embed.wgsl", &[]), FORMAT);
    // More draws than fit in one uniform buffer.
    let pictures = draw(&gpu.device, &gpu.queue, &mut renderer, 200);
    for (number, picture) in (0..).zip(&pictures) {
        assert_eq!(picture.pixel(8, 4), expected(number), "draw {number}");
    }
}

#[test]
fn rejected_pass_is_an_error() {
    let text = format!(
        "{SCENE}
fn per_frame(index: u32) -> vec4f {{ return vec4f(f32(index)); }}
fn buffer_a(at: vec2f) -> vec4f {{ return frame::per_frame_value(0u); }}
fn main_sound(sample: u32, time: f32) -> vec2f {{ return vec2f(0.0); }}"
    );
    let program = compose(&text, "embed.wgsl", &[]);
    let gpu = gpu();
    let made = |program: &Program| {
        let (device, queue, formats) = (&gpu.device, &gpu.queue, &[FORMAT]);
        let plain = pollster::block_on(Renderer::new(device, queue, program, formats));
        let early = pollster::block_on(Renderer::for_gpu(gpu, program, formats, false));
        assert_eq!(plain.is_ok(), early.is_ok());
        early
    };
    assert!(made(&program).is_ok());
    let check = |refused: Option<RenderError>| match refused {
        Some(RenderError::Rejected { reason, .. }) => {
            assert!(reason.contains("entry point"), "{reason}");
        }
        other => panic!("{other:?}"),
    };
    for number in 0..3 {
        let mut broken = program.clone();
        let mut passes = broken.per_frame.iter_mut().chain(&mut broken.passes);
        let pass = passes.nth(number).expect("three passes");
        pass.module = Arc::default();
        check(made(&broken).err());
    }
    for number in 0..2 {
        let mut silent = program.clone();
        let mut passes = silent.per_frame.iter_mut().chain(&mut silent.sound);
        passes.nth(number).expect("two passes").module = Arc::default();
        check(pollster::block_on(SoundRenderer::new(&gpu.device, &gpu.queue, &silent)).err());
    }
}

#[test]
fn sound_of_no_samples_is_empty() {
    let text =
        format!("{SCENE}\nfn main_sound(sample: u32, time: f32) -> vec2f {{ return vec2f(0.5); }}");
    let program = compose(&text, "embed.wgsl", &[]);
    let gpu = gpu();
    let sound = pollster::block_on(SoundRenderer::new(&gpu.device, &gpu.queue, &program));
    let mut sound = sound.expect("a pipeline").expect("a sound");
    for (count, expected) in [(0, vec![]), (2, vec![[0.5; 2]; 2])] {
        let block = sound.start(&inputs(1), 0, count).expect("a block");
        assert_eq!(block.finish().expect("samples"), expected);
    }
}

/// A device that the host opens without this crate.
fn host_device() -> (wgpu::Adapter, wgpu::Device, wgpu::Queue) {
    let instance =
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))
        .expect("an adapter (see scripts/setup.sh)");
    let (device, queue) =
        pollster::block_on(adapter.request_device(&Default::default())).expect("a device");
    (adapter, device, queue)
}

#[test]
fn external_device_draws_same_picture() {
    let (_, device, queue) = host_device();
    let program = compose(SCENE, "embed.wgsl", &[]);
    let mut renderer = pollster::block_on(Renderer::new(&device, &queue, &program, &[FORMAT]))
        .expect("a pipeline");
    let pictures = draw(&device, &queue, &mut renderer, 3);
    assert_eq!(pictures[2].pixel(0, 0), expected(2));
}

#[test]
fn external_gpu_runs_buffers() {
    let (adapter, device, queue) = host_device();
    let gpu = Gpu::new(adapter, device, queue);
    let text = "#import tarsus::buffers
fn buffer_a(at: vec2f) -> vec4f { return buffers::a(vec2i(at)) + 0.25; }
fn main_image(at: vec2f) -> vec4f { return buffers::a(vec2i(at)); }";
    let program = compose(text, "embed.wgsl", &[]);
    let mut renderer = pollster::block_on(Renderer::for_gpu(&gpu, &program, &[FORMAT], false))
        .expect("a pipeline");
    let checkpoint = gpu.submit(|encoder| {
        renderer.advance(encoder, &inputs(0));
        renderer.checkpoint(encoder).expect("buffers")
    });
    let picture = render_picture(&gpu, &mut renderer, &inputs(0)).expect("a picture");
    assert_eq!(picture.pixel(3, 3), [64; 4]);
    let saved = checkpoint.read(&gpu).expect("bytes");
    assert!(saved.contents[0].bytes.chunks_exact(4).all(|float| float == 0.25f32.to_le_bytes()));
    assert!(Checkpoint::from_saved(&gpu, &saved).is_some());
}

/// Hosts pass the time since the start; scenes that repeat get the remainder, in f64.
#[test]
fn period_applies_to_every_host() {
    const HOURS: f64 = 36_000.0;
    let gpu = gpu();
    let repeating = format!("{SCENE}\nconst LOOP_SECONDS: f32 = 4.0;");
    let mut renderer = renderer(gpu, &compose(&repeating, "embed.wgsl", &[]), SAMPLE_FORMAT);
    let red = |renderer: &mut Renderer, time: f64| {
        let inputs = Inputs::new(Frame::new(SIZE, 0, 60.0).at_time(time));
        drawing::draw_upwards(renderer, &inputs)[0][0]
    };
    for time in [0.0, 1.25, 2.000_1] {
        assert_eq!(red(&mut renderer, HOURS + time), red(&mut renderer, time));
    }
    assert_eq!(red(&mut renderer, 5.0), 1.0 / 255.0);
}

/// Values that depend on the pixel and on per-frame values.
const PLACE: &str = "
#import tarsus::frame
fn per_frame(index: u32) -> vec4f { return vec4f(fract(1.7 * frame::frame.time + f32(index))); }
fn main_image(at: vec2f) -> vec4f {
    let wave = fract(sin(dot(at, vec2f(12.9898, 78.233))) * 43758.547);
    return vec4f(at / frame::frame.resolution, wave * frame::per_frame_value(3u).x, 1.0);
}";

/// Paints the picture into a part of a larger target, in a render pass of our own.
fn paint_into(renderer: &mut Renderer, viewport: Viewport, scissor: [u32; 4]) -> Picture {
    let mut inputs = inputs(7);
    inputs.frame.set_viewport(viewport);
    read_back((40, 30), Depth::Eight, |encoder, view| {
        renderer.prepare(encoder, &inputs);
        let mut pass = FullscreenPass::from(view).begin(encoder, "own");
        let ([x, y], [width, height]) = (viewport.origin, viewport.size);
        pass.set_viewport(x, y, width, height, 0.0, 1.0);
        let [left, top, across, down] = scissor;
        pass.set_scissor_rect(left, top, across, down);
        renderer.paint(&mut pass, FORMAT).expect("a format");
    })
}

#[test]
fn paint_respects_viewport_and_scissor() {
    let gpu = gpu();
    let mut renderer = renderer(gpu, &compose(PLACE, "embed.wgsl", &[]), FORMAT);
    let plain = render_picture(gpu, &mut renderer, &inputs(7)).expect("a picture");
    let viewport = Viewport { origin: [11.0, 5.0], size: [SIZE.0 as f32, SIZE.1 as f32] };
    for scissor in [[0, 0, 40, 30], [13, 6, 9, 4]] {
        let painted = paint_into(&mut renderer, viewport, scissor);
        let [left, top, across, down] = scissor;
        for (x, y) in (0..40).flat_map(|x| (0..30).map(move |y| (x, y))) {
            let is_inside = (left..left + across).contains(&x) && (top..top + down).contains(&y);
            let in_picture = (11..11 + SIZE.0).contains(&x) && (5..5 + SIZE.1).contains(&y);
            let expected =
                if is_inside && in_picture { plain.pixel(x - 11, y - 5) } else { [0, 0, 0, 255] };
            assert_eq!(painted.pixel(x, y), expected, "{x} {y} {scissor:?}");
        }
    }
}

/// The tiles are drawn out of order, each into a target of its size.
#[test]
fn tiles_equal_whole_picture() {
    let gpu = gpu();
    let mut renderer = renderer(gpu, &compose(PLACE, "embed.wgsl", &[]), FORMAT);
    let plain = render_picture(gpu, &mut renderer, &inputs(7)).expect("a picture");
    for (left, top) in [(8, 3), (0, 0), (8, 0), (0, 3), (0, 6), (8, 6)] {
        let mut inputs = inputs(7);
        inputs.frame.set_viewport(Viewport {
            origin: [-(left as f32), -(top as f32)],
            size: [SIZE.0 as f32, SIZE.1 as f32],
        });
        let tile = read_back((8, 3), Depth::Eight, |encoder, view| {
            let drawn = renderer.draw(encoder, &inputs, view);
            drawn.expect("a format");
        });
        for (x, y) in (0..8).flat_map(|x| (0..3).map(move |y| (x, y))) {
            assert_eq!(tile.pixel(x, y), plain.pixel(left + x, top + y));
        }
    }
}

/// Formats other than those given at construction get their pipelines on first use.
#[test]
fn one_renderer_draws_into_many_formats() {
    let gpu = gpu();
    let program = compose(SCENE, "embed.wgsl", &[]);
    let mut any = pollster::block_on(Renderer::new(&gpu.device, &gpu.queue, &program, &[]))
        .expect("a renderer");
    let mut float = renderer(gpu, &program, SAMPLE_FORMAT);
    let eight = drawing::draw(&mut any, &inputs(7), Depth::Eight);
    assert_eq!(eight.pixel(3, 3), expected(7));
    assert_eq!(
        drawing::draw(&mut any, &inputs(7), Depth::Float),
        drawing::draw(&mut float, &inputs(7), Depth::Float)
    );
    assert_eq!(drawing::draw(&mut any, &inputs(7), Depth::Eight), eight);
}

#[test]
fn srgb_targets_are_rejected() {
    let gpu = gpu();
    let program = compose(SCENE, "embed.wgsl", &[]);
    let srgb = wgpu::TextureFormat::Bgra8UnormSrgb;
    let formats = [srgb];
    let made = Renderer::new(&gpu.device, &gpu.queue, &program, &formats);
    let error = pollster::block_on(made).err().expect("an error");
    assert!(error.to_string().contains("hint: use Bgra8Unorm"), "{error}");
    let mut renderer = renderer(gpu, &program, FORMAT);
    let texture = tarsus_render::drawable(&gpu.device, "target", SIZE, srgb);
    let view = texture.create_view(&Default::default());
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let drawn = renderer.draw(&mut encoder, &inputs(7), &view);
    assert!(matches!(drawn, Err(RenderError::SrgbTarget(format)) if format == srgb));
}
