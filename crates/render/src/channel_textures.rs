//! The textures and samplers of a scene's channels.

use wgpu::util::{DeviceExt as _, TextureDataOrder};

use super::error::RenderError;
use super::gpu_objects::float_texture;
use super::mips::generate_mips;
use super::texels::{TexelFormat, Texels};
use super::workarounds::Unfiltered;
use tarsus_shader::{
    Channel, ChannelSampler, ChannelShape, ChannelSource, Filter, PassKind, Program, Resource, Wrap,
};

/// True if `program` filters its buffers, which are 32-bit floats, and the device cannot.
pub(super) fn filters_float32_in_shaders(device: &wgpu::Device, program: &Program) -> bool {
    let mut samplers = program.samplers.iter();
    !can_filter_float32(device)
        && samplers.any(|sampler| {
            sampler.filter != Filter::Nearest && reads_buffer(sampler, &program.channels)
        })
}

/// A channel and its texture.
pub(super) struct ChannelTexture {
    pub(super) channel: Channel,
    pub(super) view: wgpu::TextureView,
}

/// Every channel and sampler of a program.
pub(super) struct ChannelTextures {
    device: wgpu::Device,
    channels: Vec<ChannelTexture>,
    samplers: Vec<SamplerObject>,
}

/// A sampler of the channels.
pub(super) struct SamplerObject {
    pub(super) sampler: wgpu::Sampler,
    /// The filter that shaders compute, as the sampler reads the nearest texel.
    shader_filter: Option<Filter>,
}

impl SamplerObject {
    /// Binding type of the sampler.
    pub(super) fn binding_type(&self) -> wgpu::BindingType {
        wgpu::BindingType::Sampler(match self.shader_filter {
            Some(_) => wgpu::SamplerBindingType::NonFiltering,
            None => wgpu::SamplerBindingType::Filtering,
        })
    }
}

impl ChannelTextures {
    /// Creates channels of one texel that is 0, until [`Self::set`] fills them. Channels
    /// without a source are opaque black.
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        channels: &[Channel],
        samplers: &[ChannelSampler],
    ) -> Self {
        let samplers = samplers.iter().map(|sampler| {
            let is_nearest = !can_filter_float32(device) && reads_buffer(sampler, channels);
            SamplerObject {
                sampler: make_sampler(device, sampler, is_nearest),
                shader_filter: is_nearest.then_some(sampler.filter),
            }
        });
        let samplers = samplers.collect();
        let channels = channels.iter().map(|channel| {
            let layers = if channel.shape == ChannelShape::Cube { 6 } else { 1 };
            let alpha = if channel.source == ChannelSource::Empty { 255 } else { 0 };
            let bytes = [0, 0, 0, alpha].repeat(layers as usize);
            let texels = Texels { size: [1, 1, layers], format: TexelFormat::Rgba8, bytes };
            let texture = device.create_texture_with_data(
                queue,
                &texture_description(channel, 1, &texels),
                TextureDataOrder::LayerMajor,
                &texels.bytes,
            );
            ChannelTexture { channel: channel.clone(), view: whole_view(&texture, channel.shape) }
        });
        Self { channels: channels.collect(), samplers, device: device.clone() }
    }

    /// A channel of the program.
    pub(super) fn channel(&self, index: usize) -> &ChannelTexture {
        &self.channels[index]
    }

    /// A sampler of the program.
    pub(super) fn sampler(&self, index: usize) -> &SamplerObject {
        &self.samplers[index]
    }

    /// Binding type of a channel.
    pub(super) fn channel_type(&self, index: usize) -> wgpu::BindingType {
        float_texture(self.is_filterable(index), view_dimension(self.channels[index].channel.shape))
    }

    /// Whether shaders must filter with this resource themselves.
    pub(super) fn unfiltered(&self, resource: Resource) -> Option<Unfiltered> {
        match resource {
            Resource::Channel(index) if !self.is_filterable(index) => Some(Unfiltered::Texture),
            Resource::Sampler(index) => self.samplers[index].shader_filter.map(Unfiltered::Sampler),
            _ => None,
        }
    }

    /// False for 32-bit floats on adapters that cannot filter them.
    fn is_filterable(&self, index: usize) -> bool {
        !matches!(self.channels[index].channel.shown_pass(), Some(PassKind::Buffer(_)))
            || can_filter_float32(&self.device)
    }

    /// The texture of a channel; `None` for the keyboard.
    pub(super) fn texture(&self, index: usize) -> Option<&wgpu::Texture> {
        let ChannelTexture { channel, view } = self.channels.get(index)?;
        (channel.source != ChannelSource::Keyboard).then_some(view.texture())
    }

    /// Uploads the contents of a channel; draws encoded later see them. Returns true if
    /// the texture was replaced, which makes existing bind groups stale.
    ///
    /// # Errors
    /// [`RenderError::Channel`] if the contents do not fit the channel or exceed the
    /// adapter's limits.
    pub(super) fn set(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        index: usize,
        texels: &Texels,
    ) -> Result<bool, RenderError> {
        let Some(ChannelTexture { channel, view }) = self.channels.get_mut(index) else {
            return Ok(false);
        };
        require_fitting(&self.device, channel.shape, texels)?;
        let is_volume = channel.shape == ChannelShape::Volume;
        let smaller = if channel.has_mipmaps {
            generate_mips(texels, is_volume, channel.is_srgb)
        } else {
            Vec::new()
        };
        let levels = 1 + smaller.len() as u32;
        let wanted = texture_description(channel, levels, texels);
        let texture = view.texture();
        let is_other = texture.size() != wanted.size
            || texture.format() != wanted.format
            || texture.mip_level_count() != levels;
        if is_other {
            *view = whole_view(&self.device.create_texture(&wanted), channel.shape);
        }
        for (level, texels) in (0..).zip(std::iter::once(texels).chain(&smaller)) {
            upload(&self.device, encoder, view.texture(), level, texels);
        }
        Ok(is_other)
    }
}

/// View dimension of textures of this shape.
pub fn view_dimension(shape: ChannelShape) -> wgpu::TextureViewDimension {
    match shape {
        ChannelShape::Texture2d => wgpu::TextureViewDimension::D2,
        ChannelShape::Cube => wgpu::TextureViewDimension::Cube,
        ChannelShape::Volume => wgpu::TextureViewDimension::D3,
    }
}

fn require_fitting(
    device: &wgpu::Device,
    shape: ChannelShape,
    texels: &Texels,
) -> Result<(), RenderError> {
    let [width, height, depth] = texels.size;
    let fits = match shape {
        ChannelShape::Texture2d => depth == 1,
        ChannelShape::Cube => depth == 6 && width == height,
        ChannelShape::Volume => true,
    };
    if !fits || !texels.has_expected_bytes() {
        return Err(RenderError::Channel(format!(
            "{} bytes do not match a `{shape}` of {width}x{height}x{depth} texels",
            texels.bytes.len()
        )));
    }
    let limits = device.limits();
    let (longest, limit) = match shape {
        ChannelShape::Volume => (width.max(height).max(depth), limits.max_texture_dimension_3d),
        ChannelShape::Texture2d | ChannelShape::Cube => {
            (width.max(height), limits.max_texture_dimension_2d)
        }
    };
    if longest > limit {
        return Err(RenderError::Channel(format!(
            "{width}x{height}x{depth} texels exceed this adapter's limit of {limit} per side"
        )));
    }
    Ok(())
}

fn texture_description(
    channel: &Channel,
    levels: u32,
    texels: &Texels,
) -> wgpu::TextureDescriptor<'static> {
    let [width, height, depth_or_array_layers] = texels.size;
    wgpu::TextureDescriptor {
        label: Some("channel"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers },
        mip_level_count: levels,
        sample_count: 1,
        dimension: match channel.shape {
            ChannelShape::Volume => wgpu::TextureDimension::D3,
            ChannelShape::Texture2d | ChannelShape::Cube => wgpu::TextureDimension::D2,
        },
        format: texels.format.texture_format(channel.is_srgb),
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    }
}

fn whole_view(texture: &wgpu::Texture, shape: ChannelShape) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(view_dimension(shape)),
        ..Default::default()
    })
}

/// Encodes the copy of `texels`, so that each draw sees the contents set before it.
fn upload(
    device: &wgpu::Device,
    encoder: &mut wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    mip_level: u32,
    texels: &Texels,
) {
    let [width, height, depth_or_array_layers] = texels.size;
    let row = texels.row_bytes();
    let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
    let rows = texels.bytes.chunks_exact(row);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("channel"),
        size: (padded * rows.len()) as u64,
        usage: wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: true,
    });
    // A failed mapping is reported as a device error.
    if let Ok(mut mapped) = buffer.get_mapped_range_mut(..) {
        for (index, bytes) in rows.enumerate() {
            let start = index * padded;
            mapped.slice(start..start + row).copy_from_slice(bytes);
        }
    }
    buffer.unmap();
    encoder.copy_buffer_to_texture(
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded as u32),
                rows_per_image: Some(height),
            },
        },
        wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() },
        wgpu::Extent3d { width, height, depth_or_array_layers },
    );
}

/// True if the device can filter 32-bit float textures.
fn can_filter_float32(device: &wgpu::Device) -> bool {
    let features = device.features();
    features.contains(wgpu::Features::FLOAT32_FILTERABLE)
}

/// True if a channel of `sampler` shows a buffer.
fn reads_buffer(sampler: &ChannelSampler, channels: &[Channel]) -> bool {
    let mut channels = channels.iter();
    channels.any(|channel| {
        matches!(channel.shown_pass(), Some(PassKind::Buffer(_))) && sampler.belongs_to(channel)
    })
}

fn make_sampler(
    device: &wgpu::Device,
    sampler: &ChannelSampler,
    is_nearest: bool,
) -> wgpu::Sampler {
    let wrap = match sampler.wrap {
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
    };
    let filter = match sampler.filter {
        _ if is_nearest => wgpu::FilterMode::Nearest,
        Filter::Nearest => wgpu::FilterMode::Nearest,
        Filter::Linear | Filter::Mipmap => wgpu::FilterMode::Linear,
    };
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("channel"),
        address_mode_u: wrap,
        address_mode_v: wrap,
        address_mode_w: wrap,
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter: match sampler.filter {
            Filter::Mipmap if !is_nearest => wgpu::MipmapFilterMode::Linear,
            _ => wgpu::MipmapFilterMode::Nearest,
        },
        lod_max_clamp: if sampler.filter == Filter::Mipmap { 32.0 } else { 0.0 },
        ..Default::default()
    })
}
