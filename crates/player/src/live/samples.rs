//! Asynchronous readback of a few texels of a texture.

use super::canvas::submit;
use super::readback::Readback;
use tarsus_render::{Gpu, copy_to_buffer, drawable};

/// Columns and rows of the sampled texels. A row is a multiple of the copy alignment of
/// 256 bytes.
const COLUMNS: u32 = 64;
const ROWS: u32 = 36;
/// Format of the texels that are read back.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// Repeated readback of texels.
pub struct Samples {
    /// The texture that the texels are drawn into.
    target: wgpu::Texture,
    readback: Readback,
}

impl Samples {
    /// Allocates memory for one readback at a time.
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            target: drawable(&gpu.device, "samples", (COLUMNS, ROWS), FORMAT),
            readback: Readback::new(gpu, "samples", u64::from(COLUMNS * ROWS * 16)),
        }
    }

    /// Returns true while a readback is in flight.
    pub fn is_reading(&self) -> bool {
        self.readback.is_reading()
    }

    /// Draws texels with `draw` and starts to read them back, in a submission of its own.
    pub fn begin(
        &mut self,
        gpu: &Gpu,
        draw: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::Texture),
    ) {
        submit(gpu, |encoder| {
            draw(encoder, &self.target);
            copy_to_buffer(encoder, &self.target, &self.readback.buffer, 16 * COLUMNS);
        });
        self.readback.start();
    }

    /// Returns the texels once, after the device was polled and the readback has
    /// finished.
    pub fn take(&mut self) -> Option<Vec<[f32; 4]>> {
        self.readback.take().map(|bytes| bytemuck::pod_collect_to_vec(&bytes))
    }
}
