//! The still picture of a paused scene: an average of samples that are drawn one after
//! another, each in bands of rows.

use tarsus_render::{Accumulator, FORMAT, Gpu, Inputs, Renderer, Work, drawable};

/// The still and its accumulated samples.
pub(super) struct Still {
    accumulator: Accumulator,
    /// The averaged picture.
    pub(super) texture: wgpu::Texture,
    /// The next row of the current sample.
    row: u32,
}

impl Still {
    /// Creates a still of `size` pixels without samples.
    pub(super) fn new(gpu: &Gpu, size: (u32, u32)) -> Self {
        Self {
            accumulator: Accumulator::new(&gpu.device, size, FORMAT, FORMAT),
            texture: drawable(&gpu.device, "picture", size, FORMAT),
            row: 0,
        }
    }

    /// Returns true if the still has the size of the picture of `inputs`.
    pub(super) fn fits(&self, inputs: &Inputs) -> bool {
        (self.texture.width(), self.texture.height()) == inputs.size()
    }

    /// Number of complete samples.
    pub(super) fn samples(&self) -> u32 {
        self.accumulator.count()
    }

    /// Discards all samples.
    pub(super) fn restart(&mut self) {
        self.accumulator.restart();
        self.row = 0;
    }

    /// Encodes the next band of the size of `work`. Returns its number of pixels, and true
    /// if it completes a sample.
    pub(super) fn refine(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &mut Renderer,
        inputs: &Inputs,
        work: &Work,
    ) -> (u32, bool) {
        let mut inputs = inputs.clone();
        inputs.frame.set_sample(self.accumulator.count());
        let (width, height) = (self.texture.width(), self.texture.height());
        let count = work.rows(width, height - self.row);
        let rows = self.row..self.row + count;
        self.row = rows.end;
        let is_whole = self.row >= height;
        let drawn = self.accumulator.add_rows(encoder, renderer, &inputs, rows);
        drawn.expect("the format is not an sRGB format");
        if is_whole {
            self.row = 0;
            self.accumulator.finish_sample(encoder);
            let view = self.texture.create_view(&Default::default());
            self.accumulator.resolve(encoder, &view);
        }
        (count * width, is_whole)
    }
}
