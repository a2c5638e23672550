//! Reads numbers out of a scene: draws it into floats with the real renderer.

use tarsus::frame::Frame;
use tarsus::gpu::{Gpu, GpuOptions};
use tarsus::renderer::Renderer;
use tarsus::shader::{Library, compose};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// A scene whose `main_image` is replaced: pixel i of a row of N shows value i.
pub struct Probe<const N: usize> {
    gpu: Gpu,
    renderer: Renderer,
    target: wgpu::Texture,
    readback: wgpu::Buffer,
}

impl<const N: usize> Probe<N> {
    /// `values` is the body of `fn probe(i: u32) -> vec4f` at the end of `scene`.
    pub fn new(scene: &str, values: &str) -> Self {
        let scene = scene.replace("fn main_image(", "fn original_main_image(");
        let text = format!(
            "{scene}
fn probe(i: u32) -> vec4f {{
{values}
}}
fn main_image(frag_coord: vec2f) -> vec4f {{
    return probe(u32(frag_coord.x));
}}
"
        );
        let composed = compose(&text, "probe.wgsl", None, &Library::embedded(), &[])
            .unwrap_or_else(|error| panic!("{error}"));
        let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).expect("adapter");
        let renderer =
            pollster::block_on(Renderer::new(&gpu, &composed, FORMAT)).expect("pipeline");
        let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: Self::extent(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let readback = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(Self::row()),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Self {
            gpu,
            renderer,
            target,
            readback,
        }
    }

    /// The values for one frame.
    pub fn read(&self, frame: &Frame) -> [[f32; 4]; N] {
        self.renderer.render(
            &self.gpu,
            &self.target.create_view(&Default::default()),
            frame,
        );
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.readback,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(Self::row()),
                    rows_per_image: None,
                },
            },
            Self::extent(),
        );
        self.gpu.queue.submit([encoder.finish()]);
        self.readback
            .map_async(wgpu::MapMode::Read, .., |result| result.expect("mapped"));
        self.gpu
            .device
            .poll(wgpu::PollType::wait_indefinitely())
            .expect("device");
        let values = {
            let bytes = self.readback.get_mapped_range(..).expect("mapped range");
            let pixels: &[[f32; 4]] = bytemuck::cast_slice(&bytes);
            std::array::from_fn(|i| pixels[i])
        };
        self.readback.unmap();
        values
    }

    fn extent() -> wgpu::Extent3d {
        wgpu::Extent3d {
            width: N as u32,
            height: 1,
            depth_or_array_layers: 1,
        }
    }

    fn row() -> u32 {
        (16 * N as u32).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
    }
}
