//! Mipmaps of buffers and the cube, for channels that read them with the filter `mipmap`.
//! They are regenerated whenever the contents change.

use super::fullscreen::{FullscreenPass, fullscreen_pipeline};
use super::gpu_objects::{bind_group, fragment_layout, unfiltered};

/// One level of a layer of a texture.
pub(super) struct MipLevel {
    /// Binds the next larger level.
    larger: wgpu::BindGroup,
    view: wgpu::TextureView,
}

/// Generates mipmaps for textures of one format.
pub(super) struct BufferMips {
    device: wgpu::Device,
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

impl BufferMips {
    /// Creates the pipeline for textures of `format`, which may be a float format that
    /// the device cannot filter.
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let layout = fragment_layout(device, "mips", &[(0, unfiltered())]);
        let module = device.create_shader_module(wgpu::include_wgsl!("buffer_mips.wgsl"));
        let pipeline = fullscreen_pipeline(device, (&module, "halve"), &layout, format);
        Self { pipeline, layout, device: device.clone() }
    }

    /// The levels of `texture` below the largest, layer by layer.
    pub(super) fn levels(&self, texture: &wgpu::Texture) -> Vec<MipLevel> {
        let layers = 0..texture.depth_or_array_layers();
        let levels = layers.flat_map(|layer| {
            (1..texture.mip_level_count()).map(move |level| {
                let larger = level_view(texture, layer, level - 1);
                MipLevel { larger: self.bind(&larger), view: level_view(texture, layer, level) }
            })
        });
        levels.collect()
    }

    fn bind(&self, larger: &wgpu::TextureView) -> wgpu::BindGroup {
        let larger = wgpu::BindingResource::TextureView(larger);
        bind_group(&self.device, "mips", &self.layout, [(0, larger)])
    }

    /// Encodes `levels`, which belong to one texture.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, levels: &[MipLevel]) {
        for level in levels {
            let pass = FullscreenPass::from(&level.view);
            pass.draw(encoder, "mips", &self.pipeline, &level.larger);
        }
    }
}

/// Number of mip levels of a texture of this size, down to one texel.
pub(super) fn level_count((width, height): (u32, u32)) -> u32 {
    width.max(height).max(1).ilog2() + 1
}

/// View of one mip level of one layer.
pub(super) fn level_view(texture: &wgpu::Texture, layer: u32, level: u32) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2),
        base_array_layer: layer,
        array_layer_count: Some(1),
        base_mip_level: level,
        mip_level_count: Some(1),
        ..Default::default()
    })
}
