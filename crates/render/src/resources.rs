//! What the passes of one program may bind.

use super::channel_textures::ChannelTextures;
use super::simulation::Simulation;
use super::uniforms::Uniforms;
use tarsus_shader::{PER_FRAME, Program};

/// Bytes of a value that is the same for all pixels: four 32-bit floats.
pub(super) const PER_FRAME_VALUE: u32 = 16;

/// Everything that passes of one program may bind.
pub(super) struct Resources {
    /// The uniforms of each draw.
    pub uniforms: Uniforms,
    /// What is the same for all pixels of the picture that is drawn.
    pub per_frame: wgpu::Buffer,
    /// Contents of buffers and cube.
    pub simulation: Simulation,
    /// Textures of the channels.
    pub channels: ChannelTextures,
    /// How the cube is read.
    pub cube_sampler: wgpu::Sampler,
    /// Another number where another texture is bound than before.
    pub generation: u64,
}

impl Resources {
    /// For a program whose channels are still empty. Buffers are 0.
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue, program: &Program) -> Self {
        Self {
            uniforms: Uniforms::new(device, queue, program),
            per_frame: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("per frame"),
                size: u64::from(PER_FRAME * PER_FRAME_VALUE),
                usage: wgpu::BufferUsages::UNIFORM
                    | wgpu::BufferUsages::COPY_SRC
                    | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            simulation: Simulation::new(device, program, (1, 1)),
            channels: ChannelTextures::new(device, queue, &program.channels, &program.samplers),
            cube_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("cube"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            generation: 0,
        }
    }
}
