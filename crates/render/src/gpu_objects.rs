//! Textures, buffers, bind groups and copies in the forms that drawing needs, with wgpu's other
//! settings at their defaults.

/// Creates a texture of `size` pixels that can be drawn into, bound and copied.
pub fn drawable(
    device: &wgpu::Device,
    label: &str,
    size: (u32, u32),
    format: wgpu::TextureFormat,
) -> wgpu::Texture {
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT
        | wgpu::TextureUsages::TEXTURE_BINDING
        | wgpu::TextureUsages::COPY_SRC;
    flat_texture(device, label, size, format, usage)
}

/// Returns `old` if it has `size` pixels, otherwise a new [`drawable`] texture.
pub fn reuse_drawable(
    old: Option<wgpu::Texture>,
    device: &wgpu::Device,
    label: &str,
    size: (u32, u32),
    format: wgpu::TextureFormat,
) -> wgpu::Texture {
    let fits = |texture: &wgpu::Texture| (texture.width(), texture.height()) == size;
    old.filter(fits).unwrap_or_else(|| drawable(device, label, size, format))
}

/// Creates a texture of one layer and one level.
pub(super) fn flat_texture(
    device: &wgpu::Device,
    label: &str,
    (width, height): (u32, u32),
    format: wgpu::TextureFormat,
    usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

/// Creates a buffer of `size` bytes.
pub fn create_buffer(
    device: &wgpu::Device,
    label: &str,
    size: u64,
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// Layout of one binding.
pub(super) fn layout_entry(
    binding: u32,
    visibility: wgpu::ShaderStages,
    ty: wgpu::BindingType,
) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

/// Creates the layout of a group whose bindings, by number, the fragment stage reads.
pub fn fragment_layout(
    device: &wgpu::Device,
    label: &str,
    bindings: &[(u32, wgpu::BindingType)],
) -> wgpu::BindGroupLayout {
    let entries = bindings.iter();
    let entries =
        entries.map(|&(binding, ty)| layout_entry(binding, wgpu::ShaderStages::FRAGMENT, ty));
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries.collect::<Vec<_>>(),
    })
}

/// Binds resources by the number of their binding.
pub fn bind_group<'a>(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: impl IntoIterator<Item = (u32, wgpu::BindingResource<'a>)>,
) -> wgpu::BindGroup {
    let entries = resources.into_iter();
    let entries = entries.map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource });
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries.collect::<Vec<_>>(),
    })
}

/// Binding type of a uniform buffer.
pub const UNIFORM: wgpu::BindingType = wgpu::BindingType::Buffer {
    ty: wgpu::BufferBindingType::Uniform,
    has_dynamic_offset: false,
    min_binding_size: None,
};

/// Binding type of a texture of floats. Not every adapter can filter 32-bit floats.
pub fn float_texture(
    filterable: bool,
    view_dimension: wgpu::TextureViewDimension,
) -> wgpu::BindingType {
    wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable },
        view_dimension,
        multisampled: false,
    }
}

/// Binding type of a flat texture that is read unfiltered.
pub(super) fn unfiltered() -> wgpu::BindingType {
    float_texture(false, wgpu::TextureViewDimension::D2)
}

/// Encodes a copy of the largest level of `texture` into a buffer whose rows are
/// `bytes_per_row` apart.
pub(super) fn copy_to_buffer(
    encoder: &mut wgpu::CommandEncoder,
    texture: &wgpu::Texture,
    buffer: &wgpu::Buffer,
    bytes_per_row: u32,
) {
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(bytes_per_row),
        rows_per_image: Some(texture.height()),
    };
    let target = wgpu::TexelCopyBufferInfo { buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
}
