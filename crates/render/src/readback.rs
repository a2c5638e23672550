//! Blocking readback of textures of any kind, for rare reads. Pictures go through
//! [`RenderTarget`](super::RenderTarget), which does not block.

use std::sync::mpsc;

use super::error::RenderError;

/// Reads the texels of `texture`, layer by layer and row by row, without padding. Blocks
/// until the GPU has finished.
///
/// # Errors
/// [`RenderError::Device`] if the device fails.
pub(super) fn read_texture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
) -> Result<Vec<u8>, RenderError> {
    let texel = texture.format().block_copy_size(None).unwrap_or(0);
    let row = texture.width() * texel;
    let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let rows = u64::from(texture.height()) * u64::from(texture.depth_or_array_layers());
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size: u64::from(padded) * rows,
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded),
                rows_per_image: Some(texture.height()),
            },
        },
        texture.size(),
    );
    queue.submit([encoder.finish()]);
    let (done, mapped) = mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // The receiver has been dropped only if the device failed.
        let _ = done.send(result);
    });
    device
        .poll(wgpu::PollType::wait_indefinitely())
        .map_err(failed)?;
    mapped.recv().map_err(failed)?.map_err(failed)?;
    let bytes = buffer.get_mapped_range(..).map_err(failed)?;
    let mut tight = Vec::with_capacity(row as usize * rows as usize);
    for padded in bytes.chunks_exact(padded as usize) {
        tight.extend_from_slice(&padded[..row as usize]);
    }
    Ok(tight)
}

fn failed(error: impl std::fmt::Display) -> RenderError {
    RenderError::Device(error.to_string())
}
