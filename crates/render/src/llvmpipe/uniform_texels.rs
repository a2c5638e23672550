//! Uniforms as texels of a texture, for llvmpipe up to Mesa 22 (Debian 12).
//!
//! These versions fetch each float of a uniform separately for every pixel, even where all
//! pixels read the same one: dozens of instructions per fetch, which cost time to compile
//! and to run. Texture sampling is compiled once and called. Long passes therefore sample
//! floats from a texture that holds the uniforms of one draw at a time, copied when the
//! draw is encoded. In short passes, and in newer versions of Mesa, sampling is slower.

mod reads;
#[cfg(test)]
mod tests;

use crate::drawable::unfiltered;
use reads::TEXEL;
pub(crate) use reads::{GROUP, UniformLayout, read_texels};
use tarsus_shader::{PER_FRAME, Pass, PassKind, Program, Resource};

/// Newest major version of Mesa in which sampling is faster than uniform loads.
const MAX_SLOW_MESA: u32 = 22;

/// True for the passes that are long in a program with per-frame values.
pub(crate) fn reads_texels(kind: PassKind) -> bool {
    matches!(kind, PassKind::PerFrame | PassKind::Image)
}

/// The texture and its bind group.
pub(crate) struct UniformTexels {
    texture: wgpu::Texture,
    /// Texels of the uniforms of a draw. The per-frame values follow them.
    slot: u32,
    pub layout: wgpu::BindGroupLayout,
    pub group: wgpu::BindGroup,
    pub uniforms: UniformLayout,
}

impl UniformTexels {
    /// A texture for uniforms of `slot` bytes in which the parameters of `program` are at
    /// byte `parameters`. `None` if the passes should read uniforms directly.
    pub(crate) fn new(
        device: &wgpu::Device,
        program: &Program,
        parameters: u32,
        slot: u32,
    ) -> Option<Self> {
        let limits = device.limits();
        let slot = slot / TEXEL;
        let width = slot + PER_FRAME;
        let mut readers = program.all_passes().filter(|pass| reads_texels(pass.kind));
        let can_be_bound = width <= limits.max_texture_dimension_2d
            && GROUP < limits.max_bind_groups
            && readers.all(|pass| can_bind_more(pass, &limits));
        let is_slow = has_slow_uniforms(&device.adapter_info());
        if !is_slow || program.per_frame.is_none() || !can_be_bound {
            return None;
        }
        let bindings = program.all_passes().flat_map(|pass| &pass.bindings);
        let offsets = bindings.filter_map(|binding| {
            let offset = match binding.resource {
                Resource::Frame => 0,
                Resource::Parameters => parameters / TEXEL,
                Resource::PerFrame => slot,
                _ => return None,
            };
            let (group, binding) = (binding.group, binding.binding);
            Some((naga::ResourceBinding { group, binding }, offset))
        });
        let uniforms = UniformLayout {
            offsets: offsets.collect(),
            width,
        };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("uniforms"),
            size: row(width),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba32Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&Default::default());
        // llvmpipe samples the nearest texel of a single level fastest.
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor::default());
        let layout = layout(device);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("uniforms"),
            layout: &layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: reads::TEXTURE,
                    resource: wgpu::BindingResource::TextureView(&view),
                },
                wgpu::BindGroupEntry {
                    binding: reads::SAMPLER,
                    resource: wgpu::BindingResource::Sampler(&sampler),
                },
            ],
        });
        Some(Self {
            texture,
            slot,
            layout,
            group,
            uniforms,
        })
    }

    /// Encodes a copy of the uniforms of a draw, from byte `offset` of `buffer`.
    pub(crate) fn copy_slot(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        buffer: &wgpu::Buffer,
        offset: u32,
    ) {
        self.copy(encoder, (buffer, offset), 0, self.slot);
    }

    /// Encodes a copy of the per-frame values.
    pub(crate) fn copy_per_frame(&self, encoder: &mut wgpu::CommandEncoder, values: &wgpu::Buffer) {
        self.copy(encoder, (values, 0), self.slot, PER_FRAME);
    }

    fn copy(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (buffer, offset): (&wgpu::Buffer, u32),
        first: u32,
        count: u32,
    ) {
        let mut target = self.texture.as_image_copy();
        target.origin.x = first;
        let layout = wgpu::TexelCopyBufferLayout {
            offset: u64::from(offset),
            ..Default::default()
        };
        let source = wgpu::TexelCopyBufferInfo { buffer, layout };
        encoder.copy_buffer_to_texture(source, target, row(count));
    }
}

/// True for versions of llvmpipe that fetch uniforms separately for every pixel.
fn has_slow_uniforms(info: &wgpu::AdapterInfo) -> bool {
    let version = info.driver_info.strip_prefix("Mesa ");
    let major = version.and_then(|version| version.split('.').next()?.parse().ok());
    super::is_enabled(info) && major.is_some_and(|major: u32| major <= MAX_SLOW_MESA)
}

/// Size of a row of texels.
fn row(width: u32) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width,
        height: 1,
        depth_or_array_layers: 1,
    }
}

/// True if `pass` can bind another texture and another sampler.
fn can_bind_more(pass: &Pass, limits: &wgpu::Limits) -> bool {
    use Resource as R;
    let (mut textures, mut samplers) = (0, 0);
    for binding in &pass.bindings {
        match binding.resource {
            R::Keyboard | R::Buffer(_) | R::Cube | R::Channel(_) => textures += 1,
            R::CubeSampler | R::Sampler(_) => samplers += 1,
            _ => {}
        }
    }
    textures < limits.max_sampled_textures_per_shader_stage
        && samplers < limits.max_samplers_per_shader_stage
}

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty,
        count: None,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("uniforms"),
        entries: &[
            entry(reads::TEXTURE, unfiltered()),
            entry(reads::SAMPLER, sampler),
        ],
    })
}
