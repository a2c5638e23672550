//! Resources that the passes of one program can bind.

use super::buffer_state::BufferState;
use super::channel_textures::ChannelTextures;
use super::error::RenderError;
use super::texels::Texels;
use super::uniforms::Uniforms;
use tarsus_shader::{PER_FRAME, Program};

/// Bytes per per-frame value: four 32-bit floats.
pub(super) const PER_FRAME_VALUE_BYTES: u32 = 16;

/// Resources that the passes of one program can bind.
pub(super) struct Resources {
    /// The uniforms of the draw.
    pub uniforms: Uniforms,
    /// Per-frame values of the picture being drawn.
    pub per_frame: wgpu::Buffer,
    /// State of the buffers and the cube.
    pub state: BufferState,
    /// Textures of the channels.
    pub channels: ChannelTextures,
    /// Sampler of the cube.
    pub cube_sampler: wgpu::Sampler,
    /// Incremented whenever a texture is replaced, which makes bind groups stale.
    pub generation: u64,
    /// Incremented whenever the contents of a buffer or channel change.
    pub revision: u64,
}

impl Resources {
    /// Creates the resources; channels are empty and buffers are 0.
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue, program: &Program) -> Self {
        Self {
            uniforms: Uniforms::new(device, program),
            per_frame: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("per frame"),
                size: u64::from(PER_FRAME * PER_FRAME_VALUE_BYTES),
                usage: wgpu::BufferUsages::UNIFORM
                    | wgpu::BufferUsages::COPY_SRC
                    | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            state: BufferState::new(device, program, (1, 1)),
            channels: ChannelTextures::new(device, queue, &program.channels, &program.samplers),
            cube_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("cube"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            generation: 0,
            revision: 0,
        }
    }

    /// Encodes the upload of the contents of channel `index`.
    pub(super) fn set_channel(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        index: usize,
        texels: &Texels,
    ) -> Result<(), RenderError> {
        let is_replaced = self.channels.set(encoder, index, texels)?;
        self.generation += u64::from(is_replaced);
        self.revision += 1;
        Ok(())
    }
}
