//! The renderer embedded in another program, with its device and encoder.

use tarsus_render::{
    Depth, FORMAT, Frame, Inputs, Picture, RenderTarget, Renderer, RendererError, SoundRenderer,
};
use tarsus_shader::Program;

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
    let mut parameters = vec![0; 16];
    parameters[..4].copy_from_slice(&f32::from(255 - number).to_ne_bytes());
    let mut inputs = Inputs::new(frame, parameters);
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
    let mut targets: Vec<_> = (0..count)
        .map(|number| {
            let mut target = RenderTarget::new(device, SIZE, Depth::Eight).expect("a target");
            renderer
                .draw(queue, &mut encoder, &inputs(number), target.view())
                .expect("a target");
            target.read_back(&mut encoder, ()).expect("a buffer");
            target
        })
        .collect();
    queue.submit([encoder.finish()]);
    let read = |target: &mut RenderTarget<()>| {
        target.finish(None).expect("a device").expect("a picture").1
    };
    targets.iter_mut().map(read).collect()
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

/// With software renderers the pipelines are created in two threads.
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
        pollster::block_on(Renderer::new(&gpu.device, &gpu.queue, program, &[FORMAT]))
    };
    assert!(made(&program).is_ok());
    let check = |refused: Option<RendererError>| match refused {
        Some(RendererError::Rejected(words)) => assert!(words.contains("missing"), "{words}"),
        other => panic!("{other:?}"),
    };
    for number in 0..3 {
        let mut broken = program.clone();
        let mut passes = broken.per_frame.iter_mut().chain(&mut broken.passes);
        let pass = passes.nth(number).expect("three passes");
        pass.fragment_entry = "missing";
        check(made(&broken).err());
    }
    let mut silent = program;
    silent.sound.as_mut().expect("a sound").fragment_entry = "missing";
    check(pollster::block_on(SoundRenderer::new(&gpu.device, &gpu.queue, &silent)).err());
}

#[test]
fn external_device_draws_same_picture() {
    let instance =
        wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))
        .expect("an adapter (see scripts/setup.sh)");
    let (device, queue) =
        pollster::block_on(adapter.request_device(&Default::default())).expect("a device");
    let program = compose(SCENE, "embed.wgsl", &[]);
    let mut renderer = pollster::block_on(Renderer::new(&device, &queue, &program, &[FORMAT]))
        .expect("a pipeline");
    let pictures = draw(&device, &queue, &mut renderer, 3);
    assert_eq!(pictures[2].pixel(0, 0), expected(2));
}
