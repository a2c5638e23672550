//! Drawing of a scene into floats with the real renderer, and their readback.

use std::cell::RefCell;

use tarsus_render::{Depth, Frame, Inputs, RenderTarget, Renderer};
use tarsus_shader::Values;

use super::{compose, gpu, renderer};

/// A scene with a float target of one size.
pub struct Floats {
    renderer: RefCell<Renderer>,
    target: RefCell<RenderTarget<()>>,
    /// Bytes of the parameters at their defaults.
    parameters: Vec<u8>,
}

impl Floats {
    /// Compiles `scene`; `definitions` enable parts of the scene and its modules.
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

    /// Advances the scene's buffers by one frame.
    pub fn run(&self, frame: &Frame) {
        let gpu = gpu();
        let inputs = Inputs::new(*frame, self.parameters.clone());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.renderer
            .borrow_mut()
            .advance(&gpu.queue, &mut encoder, &inputs, None);
        gpu.queue.submit([encoder.finish()]);
    }

    /// The pixels of one frame as the scene returns them, row by row from the top.
    pub fn read(&self, frame: &Frame) -> Vec<[f32; 4]> {
        let gpu = gpu();
        let inputs = Inputs::new(*frame, self.parameters.clone());
        let mut target = self.target.borrow_mut();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut renderer = self.renderer.borrow_mut();
        renderer
            .draw(&gpu.queue, &mut encoder, &inputs, target.view())
            .expect("a target");
        target.read_back(&mut encoder, ()).expect("a buffer");
        let submission = gpu.queue.submit([encoder.finish()]);
        let finished = target.finish(Some(submission)).expect("a device");
        let ((), picture) = finished.expect("a picture");
        let pixels = picture.rgba.chunks_exact(16);
        pixels.map(bytemuck::pod_read_unaligned).collect()
    }
}
