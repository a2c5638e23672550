//! Readback of textures of any kind. Pictures go through
//! [`RenderTarget`](super::RenderTarget), which reuses its buffers.

use std::sync::mpsc;

use super::error::RenderError;
use super::gpu_objects::{copy_to_buffer, create_buffer};

/// A readback of the texels of a texture that the GPU has yet to finish.
pub(super) struct TextureReadback {
    device: wgpu::Device,
    buffer: wgpu::Buffer,
    mapped: mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
    row: u32,
    rows: u32,
}

impl TextureReadback {
    /// Starts to read `texture`.
    pub(super) fn start(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        texture: &wgpu::Texture,
    ) -> Self {
        let texel = texture.format().block_copy_size(None).unwrap_or(0);
        let row = texture.width() * texel;
        let rows = texture.height() * texture.depth_or_array_layers();
        let buffer = readback_buffer(device, row, rows);
        let mut encoder = device.create_command_encoder(&Default::default());
        copy_to_buffer(&mut encoder, texture, &buffer, padded(row));
        queue.submit([encoder.finish()]);
        let (done, mapped) = mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver has been dropped only if nobody needs the texels.
            let _ = done.send(result);
        });
        Self { device: device.clone(), buffer, mapped, row, rows }
    }

    /// Blocks until the GPU has finished. Returns the texels layer by layer and row by
    /// row, without padding.
    ///
    /// # Errors
    /// [`RenderError::Device`] if the device fails.
    pub(super) fn finish(&self) -> Result<Vec<u8>, RenderError> {
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(device_error)?;
        self.texels(self.mapped.recv().map_err(device_error)?)
    }

    /// Like [`Self::finish`], but returns `None` instead of blocking.
    ///
    /// # Errors
    /// Same as [`Self::finish`].
    pub(super) fn try_finish(&self) -> Result<Option<Vec<u8>>, RenderError> {
        self.device.poll(wgpu::PollType::Poll).map_err(device_error)?;
        match self.mapped.try_recv() {
            Ok(mapped) => self.texels(mapped).map(Some),
            Err(mpsc::TryRecvError::Empty) => Ok(None),
            Err(gone) => Err(device_error(gone)),
        }
    }

    fn texels(&self, mapped: Result<(), wgpu::BufferAsyncError>) -> Result<Vec<u8>, RenderError> {
        mapped.map_err(device_error)?;
        let bytes = self.buffer.get_mapped_range(..).map_err(device_error)?;
        Ok(tight_rows(&bytes, self.row, self.row, self.rows))
    }
}

/// Creates a buffer for `rows` rows of `row` bytes.
pub(super) fn readback_buffer(device: &wgpu::Device, row: u32, rows: u32) -> wgpu::Buffer {
    let size = u64::from(padded(row)) * u64::from(rows);
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
    create_buffer(device, "readback", size, usage)
}

/// Distance of rows of `row` bytes in a copy from or to a texture.
pub(super) fn padded(row: u32) -> u32 {
    row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

/// The first `kept` bytes of the first `rows` rows, of which each has `row` bytes and
/// padding.
pub(super) fn tight_rows(bytes: &[u8], row: u32, kept: u32, rows: u32) -> Vec<u8> {
    let (kept, rows) = (kept as usize, rows as usize);
    let mut tight = Vec::with_capacity(kept * rows);
    for row in bytes.chunks_exact(padded(row) as usize).take(rows) {
        tight.extend_from_slice(&row[..kept]);
    }
    tight
}

/// Wraps the message of a failed mapping or poll.
pub(super) fn device_error(error: impl std::fmt::Display) -> RenderError {
    RenderError::Device(error.to_string())
}
