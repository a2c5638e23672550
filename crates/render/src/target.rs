//! Textures to draw pictures into, and pictures of a single pass.

use super::device::Gpu;
use super::error::RenderError;
use super::frame::Inputs;
use super::gpu_objects::flat_texture;
use super::picture::{Depth, Picture};
use super::readback::Readback;
use super::renderer::Renderer;

/// Format of 8-bit targets: stores what the shader returns, without sRGB conversion.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Creates a texture of `size` pixels to draw into and to read back with a [`Readback`]. If
/// there is not enough memory, the device reports that like any other device error.
///
/// # Errors
/// [`RenderError::TooLarge`] beyond the adapter's texture limit.
pub fn target_texture(
    device: &wgpu::Device,
    size: (u32, u32),
    depth: Depth,
) -> Result<wgpu::Texture, RenderError> {
    let (width, height) = size;
    let limit = device.limits().max_texture_dimension_2d;
    if width > limit || height > limit {
        return Err(RenderError::TooLarge { width, height, limit });
    }
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
    Ok(flat_texture(device, "target", size, depth.texture_format(), usage))
}

/// Draws one picture in a single pass and waits for its pixels.
///
/// # Errors
/// [`RenderError`] if the size is too large or the device fails.
pub fn render_picture(
    gpu: &Gpu,
    renderer: &mut Renderer,
    inputs: &Inputs,
) -> Result<Picture, RenderError> {
    let (width, height) = inputs.size();
    let target = target_texture(&gpu.device, (width, height), Depth::Eight)?;
    let readback = gpu.submit(|encoder| {
        renderer.draw(encoder, inputs, &target.create_view(&Default::default()))?;
        Ok(Readback::encode(&gpu.device, encoder, &target, None))
    });
    let finished = readback?.finish();
    if let Some(error) = gpu.take_error() {
        return Err(RenderError::Device(error));
    }
    Ok(Picture { width, height, rgba: finished? })
}
