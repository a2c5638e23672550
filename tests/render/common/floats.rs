//! Draws a scene into floats with the real renderer and reads them back.

use tarsus::render::{Frame, Renderer};

use super::{compose, gpu, renderer};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// A scene and a target of one size.
pub struct Floats {
    renderer: Renderer,
    size: (u32, u32),
    target: wgpu::Texture,
    readback: wgpu::Buffer,
}

impl Floats {
    /// `definitions` switch parts of the scene and its modules on.
    pub fn new(scene: &str, definitions: &[&str], size: (u32, u32)) -> Self {
        let gpu = gpu();
        let composed = compose(scene, "floats.wgsl", definitions);
        let renderer = renderer(gpu, &composed, FORMAT);
        let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: extent(size),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let readback = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(row(size) * size.1),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Self {
            renderer,
            size,
            target,
            readback,
        }
    }

    /// The pixels of one frame, row by row from the top.
    pub fn read(&self, frame: &Frame) -> Vec<[f32; 4]> {
        let gpu = gpu();
        let view = self.target.create_view(&Default::default());
        self.renderer.render(gpu, &view, frame);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.readback,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row(self.size)),
                    rows_per_image: None,
                },
            },
            extent(self.size),
        );
        gpu.queue.submit([encoder.finish()]);
        self.readback
            .map_async(wgpu::MapMode::Read, .., |result| result.expect("mapped"));
        gpu.device
            .poll(wgpu::PollType::wait_indefinitely())
            .expect("device");
        let pixels = {
            let bytes = self.readback.get_mapped_range(..).expect("mapped range");
            let rows = bytes.chunks_exact(row(self.size) as usize);
            rows.flat_map(|row| {
                let pixels: &[[f32; 4]] = bytemuck::cast_slice(row);
                pixels[..self.size.0 as usize].to_vec()
            })
            .collect()
        };
        self.readback.unmap();
        pixels
    }
}

fn extent(size: (u32, u32)) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width: size.0,
        height: size.1,
        depth_or_array_layers: 1,
    }
}

/// Bytes from one row of the readback to the next.
fn row(size: (u32, u32)) -> u32 {
    (16 * size.0).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}
