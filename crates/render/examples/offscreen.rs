//! Draws a scene into a render pass of another program, without a window, and writes
//! `offscreen.png`: the scene on the left, the other program's background around it.
//!
//! ```sh
//! cargo run -p tarsus-render --example offscreen
//! ```

use std::error::Error;
use std::process::ExitCode;

use tarsus_render::{Depth, FORMAT, Frame, FullscreenPass, Gpu, GpuOptions, Inputs, Picture};
use tarsus_render::{Readback, Renderer, Viewport, target_texture};
use tarsus_shader::{Library, Scene, compose};

const SCENE: &str = "
#import tarsus::frame
fn main_image(frag_coord: vec2f) -> vec4f {
    let p = frame::centred(frag_coord);
    let ring = smoothstep(0.02, 0.0, abs(length(p) - 0.7 - 0.1 * sin(8.0 * atan2(p.y, p.x))));
    return vec4f(mix(vec3f(0.05, 0.06, 0.1), vec3f(1.0, 0.6, 0.2), ring), 1.0);
}";

/// Size of the other program's target.
const SIZE: (u32, u32) = (640, 360);
/// Size of the scene's picture in it.
const PICTURE: (u32, u32) = (320, 320);

fn main() -> ExitCode {
    match pollster::block_on(draw()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn draw() -> Result<(), Box<dyn Error>> {
    // Any device and queue will do; this opens some.
    let gpu = Gpu::headless(&GpuOptions::default()).await?;
    let program = compose(&Scene::from_text(SCENE, "ring.wgsl"), &Library::default(), &[])?;
    let mut renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]).await?;
    let target = target_texture(&gpu.device, SIZE, Depth::Eight)?;
    let view = target.create_view(&Default::default());

    let mut frame = Frame::new(PICTURE, 0, 60.0);
    let viewport = Viewport { origin: [20.0, 20.0], size: [PICTURE.0 as f32, PICTURE.1 as f32] };
    frame.set_viewport(viewport);
    let inputs = Inputs::new(frame);

    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    renderer.prepare(&mut encoder, &inputs);
    let mut pass = FullscreenPass::from(&view).begin(&mut encoder, "other program");
    // Here the other program draws what is its own.
    let ([x, y], [width, height]) = (viewport.origin, viewport.size);
    pass.set_viewport(x, y, width, height, 0.0, 1.0);
    renderer.paint(&mut pass, FORMAT)?;
    drop(pass);
    let readback = Readback::encode(&gpu.device, &mut encoder, &target, None);
    gpu.queue.submit([encoder.finish()]);

    let (width, height) = SIZE;
    let picture = Picture { width, height, rgba: readback.finish()? };
    image::save_buffer("offscreen.png", &picture.rgb(), width, height, image::ColorType::Rgb8)?;
    println!("wrote offscreen.png");
    Ok(())
}
