//! Pictures of a scene's buffers and channels: thumbnails for the panel, and one shown
//! instead of the scene's own picture.

use super::ranges::Ranges;
use tarsus_render::{
    FORMAT, FullscreenPass, SAMPLE_FORMAT, UNIFORM, bind_group, float_texture, fragment_layout,
    fullscreen_pipeline, view_dimension,
};
use tarsus_shader::ChannelShape;
use wgpu::util::DeviceExt as _;

/// Size of a thumbnail, in pixels.
pub const THUMBNAIL_SIZE: (u32, u32) = (192, 108);

/// Pipelines for textures of one shape: a cube map is displayed as a map of all directions, and of
/// a volume the middle layer.
struct ShapePipelines {
    layout: wgpu::BindGroupLayout,
    /// Displays a texture as a picture.
    show: wgpu::RenderPipeline,
    /// Samples the values of a texture.
    sample: wgpu::RenderPipeline,
}

/// Draws textures as pictures.
pub struct TexturePainter {
    device: wgpu::Device,
    sampler: wgpu::Sampler,
    /// In the order of [`ChannelShape::ALL`].
    shapes: [ShapePipelines; 3],
}

impl TexturePainter {
    /// Creates the pipelines.
    pub fn new(device: &wgpu::Device) -> Self {
        let module = device.create_shader_module(wgpu::include_wgsl!("textures.wgsl"));
        Self {
            device: device.clone(),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor::default()),
            shapes: ChannelShape::ALL.map(|shape| {
                let layout = layout(device, shape);
                let pipeline =
                    |entry, format| fullscreen_pipeline(device, (&module, entry), &layout, format);
                let [show, sample] = match shape {
                    ChannelShape::Texture2d => ["show_plane", "sample_plane"],
                    ChannelShape::Cube => ["show_cube", "sample_cube"],
                    ChannelShape::Volume => ["show_volume", "sample_volume"],
                };
                ShapePipelines {
                    show: pipeline(show, FORMAT),
                    sample: pipeline(sample, SAMPLE_FORMAT),
                    layout,
                }
            }),
        }
    }

    /// Encodes a picture of `texture` that fits `target`, mapping `ranges` from black to
    /// white. Into a target of [`SAMPLE_FORMAT`], encodes samples instead, one per pixel.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (texture, shape): (&wgpu::Texture, ChannelShape),
        ranges: &Ranges,
        target: &wgpu::Texture,
    ) {
        let ShapePipelines { layout, show, sample } = &self.shapes[shape as usize];
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(view_dimension(shape)),
            ..Default::default()
        });
        let uniform = uniform_buffer(&self.device, target, ranges);
        let mut resources = vec![
            (0, uniform.as_entire_binding()),
            (1 + shape as u32, wgpu::BindingResource::TextureView(&view)),
        ];
        if shape == ChannelShape::Cube {
            resources.push((4, wgpu::BindingResource::Sampler(&self.sampler)));
        }
        let group = bind_group(&self.device, "texture", layout, resources);
        let view = target.create_view(&Default::default());
        let pipeline = if target.format() == SAMPLE_FORMAT { sample } else { show };
        FullscreenPass::from(&view).draw(encoder, "texture", pipeline, &group);
    }
}

/// Creates the uniform block `DisplayUniform` of the shader, with the size of a target and its
/// display ranges.
fn uniform_buffer(device: &wgpu::Device, target: &wgpu::Texture, ranges: &Ranges) -> wgpu::Buffer {
    let size = [target.width() as f32, target.height() as f32, 0.0];
    // Each vector begins at a multiple of 16 bytes.
    let uniform = [size, ranges.offsets(), ranges.factors()].map(|[x, y, z]| [x, y, z, 0.0]);
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("uniform"),
        contents: bytemuck::bytes_of(&uniform),
        usage: wgpu::BufferUsages::UNIFORM,
    })
}

fn layout(device: &wgpu::Device, shape: ChannelShape) -> wgpu::BindGroupLayout {
    let texture = float_texture(shape == ChannelShape::Cube, view_dimension(shape));
    let mut bindings = vec![(0, UNIFORM), (1 + shape as u32, texture)];
    if shape == ChannelShape::Cube {
        bindings.push((4, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)));
    }
    fragment_layout(device, "texture", &bindings)
}

/// Returns true if a texture holds floats of any size instead of fractions from 0 to 1.
pub fn holds_floats(texture: &wgpu::Texture) -> bool {
    use wgpu::TextureFormat as Format;
    matches!(texture.format(), Format::Rgba32Float | Format::Rgba16Float)
}

/// Describes size and format of a texture: `800×450 rgba32f`.
pub fn describe(texture: &wgpu::Texture) -> String {
    use wgpu::TextureFormat as Format;
    let size = texture.size();
    let layers = match size.depth_or_array_layers {
        1 => String::new(),
        layers => format!("×{layers}"),
    };
    let format = match texture.format() {
        Format::Rgba32Float => "rgba32f",
        Format::Rgba16Float => "rgba16f",
        Format::Rgba8Unorm => "rgba8",
        Format::Rgba8UnormSrgb => "rgba8 sRGB",
        Format::R8Unorm => "r8",
        _ => "",
    };
    format!("{}×{}{layers} {format}", size.width, size.height)
}

#[cfg(test)]
pub(super) mod tests;
