//! The still picture of a paused scene: an average of samples that are drawn one after
//! another, each in bands of rows.

use super::canvas::adapt;
use tarsus_render::{Accumulator, FORMAT, Gpu, Inputs, Renderer, drawable};

/// Number of rows of the first band.
const FIRST_BAND: u32 = 32;
/// Minimum number of pixels per band. With fewer, the time is dominated by the round trip
/// to the GPU, above all on a busy machine, and smaller bands only add to it.
const MIN_PIXELS: u32 = 8192;

/// The still and its accumulated samples.
pub(super) struct Still {
    accumulator: Accumulator,
    texture: wgpu::Texture,
    /// The next row of the current sample.
    row: u32,
    /// Number of rows per band.
    band: u32,
}

impl Still {
    /// Creates a still of `size` pixels without samples.
    pub(super) fn new(gpu: &Gpu, size: (u32, u32)) -> Self {
        Self {
            accumulator: Accumulator::new(&gpu.device, size, FORMAT, FORMAT),
            texture: drawable(&gpu.device, "picture", size, FORMAT),
            row: 0,
            band: FIRST_BAND,
        }
    }

    /// Returns true if the still has the size of the picture of `inputs`.
    pub(super) fn fits(&self, inputs: &Inputs) -> bool {
        (self.texture.width(), self.texture.height()) == inputs.size()
    }

    /// Returns the averaged picture.
    pub(super) fn texture(&self) -> &wgpu::Texture {
        &self.texture
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

    /// Encodes the next band. Returns true if it completes a sample.
    pub(super) fn refine(
        &mut self,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &mut Renderer,
        inputs: &Inputs,
    ) -> bool {
        let mut inputs = inputs.clone();
        inputs.frame.set_sample(self.accumulator.count());
        let rows = self.row..self.row.saturating_add(self.band);
        self.row = rows.end;
        let is_whole = self.row >= self.texture.height();
        let drawn = self
            .accumulator
            .add_rows(queue, encoder, renderer, &inputs, rows);
        drawn.expect("the format is not an sRGB format");
        if is_whole {
            self.row = 0;
            self.accumulator.finish_sample(encoder);
            let view = self.texture.create_view(&Default::default());
            self.accumulator.resolve(encoder, &view);
        }
        is_whole
    }

    /// Adapts the size of the next band to the duration of the last one.
    pub(super) fn adapt_band(&mut self, ms: f64) {
        let size = (self.texture.width(), self.texture.height());
        self.band = next_band(self.band, ms, size);
    }
}

/// Returns the number of rows for the band after one of `rows` rows that took `ms`.
fn next_band(rows: u32, ms: f64, (width, height): (u32, u32)) -> u32 {
    let max = height.max(1);
    let min = MIN_PIXELS.div_ceil(width.max(1)).min(max);
    (adapt(f64::from(rows), ms) as u32).clamp(min, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates bands that take `ms` for their rows, and returns the final number of
    /// rows.
    fn settled(ms: impl Fn(u32) -> f64, size: (u32, u32)) -> u32 {
        (0..50).fold(FIRST_BAND, |rows, _| next_band(rows, ms(rows), size))
    }

    #[test]
    fn bands_take_the_target_duration() {
        let rows = settled(|rows| 0.3 * f64::from(rows), (1280, 720));
        assert!((95..=100).contains(&rows), "{rows}");
        let rows = settled(|_| 0.0, (1280, 720));
        assert_eq!(rows, 720, "a fast adapter draws all at once");
    }

    #[test]
    fn bands_keep_minimum_size() {
        for size in [(320, 180), (64, 36), (7680, 4320), (10_000, 1)] {
            let rows = settled(|_| 500.0, size);
            let pixels = (rows * size.0).min(size.0 * size.1);
            assert!(
                pixels >= MIN_PIXELS.min(size.0 * size.1),
                "{size:?}: {rows}"
            );
            assert!(rows <= size.1, "{size:?}: {rows}");
        }
    }
}
