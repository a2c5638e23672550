//! The still: the picture of a paused scene as the average of one sample after another,
//! each drawn in bands of rows.

use crate::render::{Accumulator, FORMAT, Gpu, Inputs, Renderer, drawable, sample_offset};

/// Milliseconds that a piece of work should take: the response to the user waits that
/// long at most.
pub const PIECE_MS: f64 = 30.0;
/// Rows of the first band.
const FIRST_BAND: u32 = 32;

/// The still and its average so far.
pub struct Still {
    accumulator: Accumulator,
    texture: wgpu::Texture,
    /// The next row of the sample under way.
    row: u32,
    /// Rows per band.
    band: u32,
}

impl Still {
    /// A still of `size` pixels without samples.
    pub fn new(gpu: &Gpu, size: (u32, u32)) -> Self {
        Self {
            accumulator: Accumulator::new(&gpu.device, size, FORMAT, FORMAT),
            texture: drawable(&gpu.device, "picture", size, FORMAT),
            row: 0,
            band: FIRST_BAND,
        }
    }

    /// True if it has as many pixels as the picture of `inputs`.
    pub fn fits(&self, inputs: &Inputs) -> bool {
        (self.texture.width(), self.texture.height()) == inputs.size()
    }

    /// The picture.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// Number of its samples.
    pub fn samples(&self) -> u32 {
        self.accumulator.count()
    }

    /// Begins anew.
    pub fn restart(&mut self) {
        self.accumulator.restart();
        self.row = 0;
    }

    /// Encodes the next band; true if it is the last one of a sample.
    pub fn refine(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &mut Renderer,
        inputs: &Inputs,
    ) -> bool {
        let mut inputs = inputs.clone();
        inputs.frame.sample_offset = sample_offset(self.accumulator.count());
        let rows = self.row..self.row.saturating_add(self.band);
        self.row = rows.end;
        let is_whole = self.row >= self.texture.height();
        self.accumulator.add_rows(encoder, renderer, &inputs, rows);
        if is_whole {
            self.row = 0;
            self.accumulator.finish_sample(encoder);
            let view = self.texture.create_view(&Default::default());
            self.accumulator.resolve(encoder, &view);
        }
        is_whole
    }

    /// Fits the next band to the time that the last one took.
    pub fn choose_band(&mut self, ms: f64) {
        let rows = f64::from(self.band) * (PIECE_MS / ms.max(0.1)).clamp(0.25, 4.0);
        self.band = (rows as u32).clamp(2, self.texture.height().max(2));
    }
}
