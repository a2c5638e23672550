//! Asynchronous readback.

use std::sync::mpsc;

use super::error::RenderError;
use super::gpu_objects::{copy_to_buffer, create_buffer};

/// A readback of texels that the GPU has yet to finish.
pub struct Readback {
    device: wgpu::Device,
    buffer: wgpu::Buffer,
    mapped: mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
    /// Bytes of a row, without padding, and number of rows.
    row: u32,
    rows: u32,
}

impl Readback {
    /// Encodes the readback of `texture`, which starts at the submit, through the `buffer` of an
    /// earlier one or a new one.
    pub fn encode(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        texture: &wgpu::Texture,
        buffer: Option<wgpu::Buffer>,
    ) -> Self {
        let row = texture.width() * texture.format().block_copy_size(None).unwrap_or(0);
        let rows = texture.height() * texture.depth_or_array_layers();
        let buffer = buffer.unwrap_or_else(|| readback_buffer(device, row, rows));
        copy_to_buffer(encoder, texture, &buffer, padded(row));
        Self::of_buffer(device, encoder, buffer, row, rows)
    }

    /// Encodes the readback of a [`readback_buffer`] for as many `rows` of `row` bytes, which
    /// starts at the submit.
    pub fn of_buffer(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        buffer: wgpu::Buffer,
        row: u32,
        rows: u32,
    ) -> Self {
        let (done, mapped) = mpsc::channel();
        encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., move |result| {
            // The receiver has been dropped only if nobody needs the texels.
            let _ = done.send(result);
        });
        Self { device: device.clone(), buffer, mapped, row, rows }
    }

    /// Blocks until the GPU has finished. Returns the texels layer by layer and row by
    /// row, without padding. The work must have been submitted, and a readback can be finished
    /// once.
    ///
    /// # Errors
    /// [`RenderError::Device`] if the device fails.
    pub fn finish(&self) -> Result<Vec<u8>, RenderError> {
        self.finish_cropped(None, self.row, self.rows)
    }

    /// Like [`Self::finish`], but waits only for this `submission`, unless it is `None`, and
    /// returns the first `kept` bytes of the first `rows` rows.
    ///
    /// # Errors
    /// Same as [`Self::finish`].
    pub fn finish_cropped(
        &self,
        submission: Option<wgpu::SubmissionIndex>,
        kept: u32,
        rows: u32,
    ) -> Result<Vec<u8>, RenderError> {
        let wait = wgpu::PollType::Wait { submission_index: submission, timeout: None };
        self.device.poll(wait).map_err(device_error)?;
        // If another thread polls the device too, that thread may run the callback.
        self.mapped.recv().map_err(device_error)?.map_err(device_error)?;
        self.texels(kept, rows)
    }

    /// Like [`Self::finish`], but returns `None` instead of blocking.
    ///
    /// # Errors
    /// Same as [`Self::finish`].
    pub fn try_finish(&self) -> Result<Option<Vec<u8>>, RenderError> {
        self.device.poll(wgpu::PollType::Poll).map_err(device_error)?;
        match self.mapped.try_recv() {
            Ok(mapped) => mapped.map_err(device_error)?,
            Err(mpsc::TryRecvError::Empty) => return Ok(None),
            Err(gone) => return Err(device_error(gone)),
        }
        self.texels(self.row, self.rows).map(Some)
    }

    /// The first `kept` bytes of the first `rows` rows of the mapped buffer.
    fn texels(&self, kept: u32, rows: u32) -> Result<Vec<u8>, RenderError> {
        let bytes = self.buffer.get_mapped_range(..).map_err(device_error)?;
        let (kept, rows) = (kept as usize, rows as usize);
        let mut texels = Vec::with_capacity(kept * rows);
        for row in bytes.chunks_exact(padded(self.row) as usize).take(rows) {
            texels.extend_from_slice(&row[..kept]);
        }
        Ok(texels)
    }

    /// The buffer, for another readback of the same size.
    pub fn into_buffer(self) -> wgpu::Buffer {
        self.buffer.unmap();
        self.buffer
    }
}

/// Creates a buffer for `rows` rows of `row` bytes, each of which starts at a multiple of the
/// alignment of copies from textures.
pub fn readback_buffer(device: &wgpu::Device, row: u32, rows: u32) -> wgpu::Buffer {
    let size = u64::from(padded(row)) * u64::from(rows);
    let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ;
    create_buffer(device, "readback", size, usage)
}

/// Distance of rows of `row` bytes in a copy from a texture.
fn padded(row: u32) -> u32 {
    row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

/// Wraps the message of a failed mapping or poll.
fn device_error(error: impl std::fmt::Display) -> RenderError {
    RenderError::Device(error.to_string())
}
