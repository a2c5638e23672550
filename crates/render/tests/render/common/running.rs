//! A scene that runs at a fixed frame rate.

use tarsus_render::{Depth, FORMAT, Frame, Inputs, Picture, Renderer};
use tarsus_shader::{Buffer, Program, Values};

use super::drawing::{advance, buffer, draw};
use super::{compose, gpu, renderer};

/// A scene that repeats, running at a fixed frame rate.
pub(crate) struct Running {
    program: Program,
    values: Values,
    renderer: Renderer,
    pub(crate) size: (u32, u32),
    rate: f64,
    /// Number of the next frame.
    pub(crate) index: u32,
    /// The pointer as scenes see it, in pixels.
    pub(crate) mouse: [f32; 4],
}

impl Running {
    pub(crate) fn new(text: &str, size: (u32, u32), rate: f64) -> Self {
        let program = compose(text, "running.wgsl", &[]);
        let renderer = renderer(gpu(), &program, FORMAT);
        let values = Values::default();
        Self { program, values, renderer, size, rate, index: 0, mouse: [0.0; 4] }
    }

    pub(crate) fn set(&mut self, assignment: &str) {
        let parameters = &self.program.parameters;
        let assigned = parameters.assign(&mut self.values, assignment);
        assigned.expect("an assignment");
    }

    /// Time of the last frame, in seconds.
    pub(crate) fn time(&self) -> f64 {
        f64::from(self.index - 1) / self.rate
    }

    /// Inputs of frame `index`.
    pub(crate) fn inputs(&self, index: u32) -> Inputs {
        let mut frame = Frame::new(self.size, index, self.rate);
        frame.mouse = self.mouse;
        Inputs::new(frame).with_values(self.values.clone())
    }

    pub(crate) fn advance(&mut self, frames: u32) {
        for _ in 0..frames {
            let inputs = self.inputs(self.index);
            advance(&mut self.renderer, &inputs);
            self.index += 1;
        }
    }

    /// Draws the last frame.
    pub(crate) fn picture(&mut self) -> Picture {
        let inputs = self.inputs(self.index - 1);
        draw(&mut self.renderer, &inputs, Depth::Eight)
    }

    /// Contents of a buffer, with rows from the lowest up.
    pub(crate) fn buffer(&self, which: Buffer) -> Vec<[f32; 4]> {
        buffer(&self.renderer, which)
    }
}
