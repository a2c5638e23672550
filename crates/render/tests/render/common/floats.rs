//! Drawing of a scene into floats with the real renderer, and their readback.

use std::cell::RefCell;

use tarsus_render::{Depth, Frame, Inputs, Renderer, SAMPLE_FORMAT};

use super::drawing::{advance, read_back, texels};
use super::{compose, gpu, renderer};

/// A scene with a float target of one size.
pub struct Floats {
    size: (u32, u32),
    renderer: RefCell<Renderer>,
}

impl Floats {
    /// Compiles `scene`; `definitions` enable parts of the scene and its modules.
    pub fn new(scene: &str, definitions: &[&str], size: (u32, u32)) -> Self {
        let program = compose(scene, "floats.wgsl", definitions);
        Self { size, renderer: RefCell::new(renderer(gpu(), &program, SAMPLE_FORMAT)) }
    }

    /// Advances the scene's buffers by one frame.
    pub fn run(&self, frame: &Frame) {
        let inputs = Inputs::new(*frame);
        advance(&mut self.renderer.borrow_mut(), &inputs);
    }

    /// The pixels of one frame as the scene returns them, row by row from the top.
    pub fn read(&self, frame: &Frame) -> Vec<[f32; 4]> {
        let inputs = Inputs::new(*frame);
        let picture = read_back(self.size, Depth::Float, |encoder, view| {
            let mut renderer = self.renderer.borrow_mut();
            let drawn = renderer.draw(encoder, &inputs, view);
            drawn.expect("a format");
        });
        texels(&picture.rgba).collect()
    }
}
