//! Asynchronous readback of a few texels of a texture.

use super::readback::Readback;
use tarsus_render::Gpu;

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
            target: gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("samples"),
                size: wgpu::Extent3d { width: COLUMNS, height: ROWS, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            }),
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
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        draw(&mut encoder, &self.target);
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: self.readback.buffer(),
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(16 * COLUMNS),
                    rows_per_image: None,
                },
            },
            self.target.size(),
        );
        gpu.queue.submit([encoder.finish()]);
        self.readback.start();
    }

    /// Returns the texels once, after the device was polled and the readback has
    /// finished.
    pub fn take(&mut self) -> Option<Vec<[f32; 4]>> {
        self.readback.take().map(|bytes| bytemuck::pod_collect_to_vec(&bytes))
    }
}
