//! Resources that the passes of one program can bind.

use super::buffer_state::BufferState;
use super::channel_textures::{ChannelTexture, ChannelTextures};
use super::compiled::Compiled;
use super::error::RenderError;
use super::gpu_objects::{
    UNIFORM, create_buffer, drawable, float_texture, layout_entry, unfiltered,
};
use super::llvmpipe::PerFrameTexels;
use super::texels::Texels;
use super::uniforms::Uniforms;
use tarsus_shader::{Binding, ChannelSource, PER_FRAME_ROW, Pass, PassKind, Program, Resource};

/// Format of the texture of per-frame values.
pub(super) const PER_FRAME_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// Bytes per per-frame value: four 32-bit floats.
pub(super) const PER_FRAME_VALUE_BYTES: u32 = 16;

/// Resources that the passes of one program can bind.
pub(super) struct Resources {
    /// The uniforms of the draw.
    pub uniforms: Uniforms,
    /// Per-frame values of the picture being drawn.
    pub per_frame: wgpu::Buffer,
    /// Texture into which the per-frame values are drawn.
    pub per_frame_texture: wgpu::Texture,
    per_frame_texels: Option<PerFrameTexels>,
    /// State of the buffers and the cube.
    pub state: BufferState,
    /// Textures of the channels.
    pub channels: ChannelTextures,
    /// Sampler of the cube.
    pub cube_sampler: wgpu::Sampler,
    /// Cache of compiled modules and pipelines.
    pub compiled: Compiled,
    /// Incremented whenever a texture is replaced, which makes bind groups stale.
    pub generation: u64,
    /// Incremented whenever the contents of a buffer or channel change.
    pub revision: u64,
}

impl Resources {
    /// Creates the resources; channels are empty and buffers are 0. `compiled` has what can be
    /// used again.
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
        compiled: Compiled,
    ) -> Self {
        let size = (PER_FRAME_ROW, program.per_frame_values().div_ceil(PER_FRAME_ROW));
        let per_frame_texture = drawable(device, "per frame", size, PER_FRAME_FORMAT);
        let per_frame_bytes = u64::from(size.0 * size.1 * PER_FRAME_VALUE_BYTES);
        let per_frame_usage = wgpu::BufferUsages::UNIFORM
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        Self {
            per_frame_texels: PerFrameTexels::new(device, &per_frame_texture),
            per_frame_texture,
            uniforms: Uniforms::new(device, queue, program),
            per_frame: create_buffer(device, "per frame", per_frame_bytes, per_frame_usage),
            // llvmpipe compiles other code for textures whose sides are powers of two, which
            // those of pictures rarely are: a pass warmed up with such textures compiles twice.
            state: BufferState::new(device, program, (3, 3)),
            channels: ChannelTextures::new(device, queue, &program.channels, &program.samplers),
            cube_sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("cube"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            compiled,
            generation: 0,
            revision: 0,
        }
    }

    /// The object that a resource of a pass refers to; `None` for the output of a pass that is
    /// not drawn.
    pub(super) fn binding(&self, resource: Resource) -> Option<wgpu::BindingResource<'_>> {
        use wgpu::BindingResource::{Sampler, TextureView};
        Some(match resource {
            Resource::Frame => self.uniforms.frame(),
            Resource::Parameters => self.uniforms.parameters(),
            Resource::PerFrame => self.per_frame.as_entire_binding(),
            Resource::Keyboard => TextureView(self.uniforms.keyboard()?),
            Resource::Buffer(buffer) => TextureView(self.state.view(PassKind::Buffer(buffer))?),
            Resource::Cube => TextureView(self.state.view(PassKind::Cube)?),
            Resource::CubeSampler => Sampler(&self.cube_sampler),
            Resource::Channel(index) => {
                let ChannelTexture { channel, view } = self.channels.channel(index);
                TextureView(match (channel.shown_pass(), &channel.source) {
                    (Some(kind), _) => self.state.view(kind)?,
                    (None, ChannelSource::Keyboard) => self.uniforms.keyboard()?,
                    (None, _) => view,
                })
            }
            Resource::Sampler(index) => Sampler(&self.channels.sampler(index).sampler),
        })
    }

    /// Layout of a binding of a pass.
    pub(super) fn layout_entry(&self, binding: &Binding) -> wgpu::BindGroupLayoutEntry {
        let visibility = match binding.resource {
            Resource::Frame => wgpu::ShaderStages::VERTEX_FRAGMENT,
            _ => wgpu::ShaderStages::FRAGMENT,
        };
        let ty = match binding.resource {
            Resource::Frame | Resource::Parameters | Resource::PerFrame => UNIFORM,
            Resource::Keyboard => float_texture(true, wgpu::TextureViewDimension::D2),
            Resource::Buffer(_) => unfiltered(),
            Resource::Cube => float_texture(true, wgpu::TextureViewDimension::Cube),
            Resource::CubeSampler => {
                wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)
            }
            Resource::Channel(index) => self.channels.channel_type(index),
            Resource::Sampler(index) => self.channels.sampler(index).binding_type(),
        };
        layout_entry(binding.binding, visibility, ty)
    }

    /// The texels that `pass` samples instead of per-frame values in a uniform, if it does.
    pub(super) fn texels_for(&self, pass: &Pass) -> Option<&PerFrameTexels> {
        let texels = self.per_frame_texels.as_ref();
        texels.filter(|_| PerFrameTexels::can_be_read_by(pass))
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
