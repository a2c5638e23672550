//! Draws a scene into floats with the real renderer and reads them back.

use std::cell::RefCell;

use tarsus_render::{Depth, Frame, Inputs, RenderTarget, Renderer};
use tarsus_shader::Values;

use super::{compose, gpu, renderer};

/// A scene and a target of one size.
pub struct Floats {
    renderer: RefCell<Renderer>,
    target: RefCell<RenderTarget<()>>,
    /// Of the parameters, which have their defaults.
    parameters: Vec<u8>,
}

impl Floats {
    /// `definitions` switch parts of the scene and its modules on.
    pub fn new(scene: &str, definitions: &[&str], size: (u32, u32)) -> Self {
        let gpu = gpu();
        let program = compose(scene, "floats.wgsl", definitions);
        let renderer = renderer(gpu, &program, tarsus_render::format(Depth::Float));
        let target = RenderTarget::new(&gpu.device, size, Depth::Float).expect("a target");
        Self {
            renderer: RefCell::new(renderer),
            target: RefCell::new(target),
            parameters: program.parameters.bytes(&Values::default()),
        }
    }

    /// Runs the scene's buffers for one frame.
    pub fn run(&self, frame: &Frame) {
        let gpu = gpu();
        let inputs = Inputs::new(*frame, self.parameters.clone());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.renderer.borrow_mut().advance(&mut encoder, &inputs);
        gpu.queue.submit([encoder.finish()]);
    }

    /// The pixels of one frame, row by row from the top, as the scene returns them.
    pub fn read(&self, frame: &Frame) -> Vec<[f32; 4]> {
        let gpu = gpu();
        let inputs = Inputs::new(*frame, self.parameters.clone());
        let mut target = self.target.borrow_mut();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut renderer = self.renderer.borrow_mut();
        renderer.draw(&mut encoder, target.view(), &inputs, 0..u32::MAX);
        target.read_back(&mut encoder, ()).expect("a buffer");
        let submission = gpu.queue.submit([encoder.finish()]);
        let finished = target.finish(Some(submission)).expect("a device");
        let ((), picture) = finished.expect("a picture");
        let pixels = picture.rgba.chunks_exact(16);
        pixels.map(bytemuck::pod_read_unaligned).collect()
    }
}
