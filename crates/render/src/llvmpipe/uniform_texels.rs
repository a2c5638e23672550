//! What uniforms hold, as texels of a texture, for Mesa's software adapter of Debian 12.
//!
//! That adapter fetches each float of a uniform for every pixel by itself, even where all
//! pixels read the same one: dozens of instructions for each, to compile and to run. What
//! samples a texture it compiles once and calls. So the long passes sample floats from a
//! texture; that holds the uniforms of one draw at a time, copied where the draw is encoded.
//! In short passes a call costs more than what it takes the place of, and in newer versions of
//! Mesa, which fetch such a float once, everywhere.

mod reads;
#[cfg(test)]
mod tests;

use crate::drawable::unfiltered;
use reads::TEXEL;
pub(crate) use reads::{GROUP, Places, read_texels};
use tarsus_shader::{PER_FRAME, Pass, PassKind, Program, Resource};

/// The newest major version of Mesa that is known to read texels faster than uniforms.
const NEWEST_SLOW: u32 = 22;

/// True for the passes that are long in a program that works out values per frame.
pub(crate) fn are_read_by(kind: PassKind) -> bool {
    matches!(kind, PassKind::PerFrame | PassKind::Image)
}

/// The texels, and how passes bind them.
pub(crate) struct UniformTexels {
    texture: wgpu::Texture,
    /// Texels of what each draw has for itself; behind them is what is worked out per frame.
    slot: u32,
    pub layout: wgpu::BindGroupLayout,
    pub group: wgpu::BindGroup,
    pub places: Places,
}

impl UniformTexels {
    /// For uniforms that stand in `slot` bytes, with the parameters of `program` from byte
    /// `parameters` on. `None` where no pass is to read them.
    pub(crate) fn new(
        device: &wgpu::Device,
        program: &Program,
        parameters: u32,
        slot: u32,
    ) -> Option<Self> {
        let limits = device.limits();
        let slot = slot / TEXEL;
        let width = slot + PER_FRAME;
        let mut readers = program.all_passes().filter(|pass| are_read_by(pass.kind));
        let can_be_bound = width <= limits.max_texture_dimension_2d
            && GROUP < limits.max_bind_groups
            && readers.all(|pass| can_bind_more(pass, &limits));
        let is_slow = fetches_for_each_pixel(&device.adapter_info());
        if !is_slow || program.per_frame.is_none() || !can_be_bound {
            return None;
        }
        let bindings = program.all_passes().flat_map(|pass| &pass.bindings);
        let firsts = bindings.filter_map(|binding| {
            let first = match binding.resource {
                Resource::Frame => 0,
                Resource::Parameters => parameters / TEXEL,
                Resource::PerFrame => slot,
                _ => return None,
            };
            let (group, binding) = (binding.group, binding.binding);
            Some((naga::ResourceBinding { group, binding }, first))
        });
        let places = Places {
            firsts: firsts.collect(),
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
        let layout = layout(device);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("uniforms"),
            layout: &layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: reads::TEXTURE,
                    resource: wgpu::BindingResource::TextureView(
                        &texture.create_view(&Default::default()),
                    ),
                },
                wgpu::BindGroupEntry {
                    binding: reads::SAMPLER,
                    // The nearest texel, and no other level: what the adapter does fastest.
                    resource: wgpu::BindingResource::Sampler(
                        &device.create_sampler(&wgpu::SamplerDescriptor::default()),
                    ),
                },
            ],
        });
        Some(Self {
            texture,
            slot,
            layout,
            group,
            places,
        })
    }

    /// Encodes a copy of the uniforms of a draw, from byte `offset` of `buffer` on.
    pub(crate) fn copy_slot(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        buffer: &wgpu::Buffer,
        offset: u32,
    ) {
        self.copy(encoder, (buffer, offset), 0, self.slot);
    }

    /// Encodes a copy of what was worked out per frame.
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
        encoder.copy_buffer_to_texture(
            wgpu::TexelCopyBufferInfo {
                buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: u64::from(offset),
                    ..Default::default()
                },
            },
            target,
            row(count),
        );
    }
}

/// True for Mesa's software adapter in a version that is known to fetch what is the same for
/// all pixels for each of them.
fn fetches_for_each_pixel(info: &wgpu::AdapterInfo) -> bool {
    let version = info.driver_info.strip_prefix("Mesa ");
    let major = version.and_then(|version| version.split('.').next()?.parse().ok());
    super::is_enabled(info) && major.is_some_and(|major: u32| major <= NEWEST_SLOW)
}

/// The size of a row of texels.
fn row(width: u32) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width,
        height: 1,
        depth_or_array_layers: 1,
    }
}

/// True if `pass` can bind one texture and one sampler more.
fn can_bind_more(pass: &Pass, limits: &wgpu::Limits) -> bool {
    use Resource as R;
    let resources = || pass.bindings.iter().map(|binding| binding.resource);
    let textures = resources()
        .filter(|one| matches!(one, R::Keyboard | R::Buffer(_) | R::Cube | R::Channel(_)));
    let samplers = resources().filter(|one| matches!(one, R::CubeSampler | R::Sampler(_)));
    (textures.count() as u32) < limits.max_sampled_textures_per_shader_stage
        && (samplers.count() as u32) < limits.max_samplers_per_shader_stage
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
