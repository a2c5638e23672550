//! The still: the picture of a paused scene as the average of one sample after another,
//! each drawn in bands of rows.

use tarsus_render::{Accumulator, FORMAT, Gpu, Inputs, Renderer, drawable};

/// Milliseconds that a piece of work should take: the response to the user waits that
/// long at most.
pub const PIECE_MS: f64 = 30.0;
/// Rows of the first band.
const FIRST_BAND: u32 = 32;
/// Fewest pixels of a band: what takes long with fewer is not their drawing but the way to
/// the adapter and back, on a busy machine above all, and smaller bands have more of it.
const LEAST_PIXELS: u32 = 8192;

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
        inputs.frame.set_sample(self.accumulator.count());
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
        let size = (self.texture.width(), self.texture.height());
        self.band = next_band(self.band, ms, size);
    }
}

/// Rows of the band that follows one of `rows` rows, which took `ms`.
fn next_band(rows: u32, ms: f64, (width, height): (u32, u32)) -> u32 {
    let fitting = f64::from(rows) * (PIECE_MS / ms.max(0.1)).clamp(0.25, 4.0);
    let most = height.max(1);
    let least = LEAST_PIXELS.div_ceil(width.max(1)).min(most);
    (fitting as u32).clamp(least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows after some bands, of which each took `ms` of its rows.
    fn settled(ms: impl Fn(u32) -> f64, size: (u32, u32)) -> u32 {
        (0..50).fold(FIRST_BAND, |rows, _| next_band(rows, ms(rows), size))
    }

    #[test]
    fn bands_take_as_long_as_a_piece_of_work() {
        let rows = settled(|rows| 0.3 * f64::from(rows), (1280, 720));
        assert!((95..=100).contains(&rows), "{rows}");
        let rows = settled(|_| 0.0, (1280, 720));
        assert_eq!(rows, 720, "a fast adapter draws all at once");
    }

    #[test]
    fn bands_do_not_shrink_for_what_smaller_ones_take_as_well() {
        for size in [(320, 180), (64, 36), (7680, 4320), (10_000, 1)] {
            let rows = settled(|_| 500.0, size);
            let pixels = (rows * size.0).min(size.0 * size.1);
            assert!(
                pixels >= LEAST_PIXELS.min(size.0 * size.1),
                "{size:?}: {rows}"
            );
            assert!(rows <= size.1, "{size:?}: {rows}");
        }
    }
}
