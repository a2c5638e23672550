//! Asynchronous readback of a few texels of a texture.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

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
    buffer: wgpu::Buffer,
    /// Receives whether mapping succeeded, while a readback is in flight.
    reading: Option<Receiver<bool>>,
}

impl Samples {
    /// Allocates memory for one readback at a time.
    #[must_use]
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
            buffer: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("samples"),
                size: u64::from(COLUMNS * ROWS * 16),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }),
            reading: None,
        }
    }

    /// Returns true while a readback is in flight.
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
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
                buffer: &self.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(16 * COLUMNS),
                    rows_per_image: None,
                },
            },
            self.target.size(),
        );
        gpu.queue.submit([encoder.finish()]);
        let (sender, reading) = channel();
        self.buffer.map_async(wgpu::MapMode::Read, .., move |mapped| {
            // The receiver is gone once the panel is closed.
            let _ = sender.send(mapped.is_ok());
        });
        self.reading = Some(reading);
    }

    /// Returns the texels once, after the device was polled and the readback has
    /// finished. Device errors are reported elsewhere.
    pub fn take(&mut self) -> Option<Vec<[f32; 4]>> {
        let is_mapped = match self.reading.as_ref()?.try_recv() {
            Ok(is_mapped) => is_mapped,
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => false,
        };
        self.reading = None;
        if !is_mapped {
            return None;
        }
        let bytes = self.buffer.get_mapped_range(..).ok();
        let texels = bytes.map(|bytes| bytemuck::pod_collect_to_vec(&bytes));
        self.buffer.unmap();
        texels
    }
}
