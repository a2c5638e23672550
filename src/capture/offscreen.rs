//! The target of one size, and the way back from it.

use std::collections::VecDeque;
use std::sync::mpsc;

use super::{CaptureError, Depth, Picture};
use crate::gpu::Gpu;

/// Format of 8-bit targets: what a shader returns is what is stored.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Format of 16-bit targets. Whole numbers, because normalised ones of 16 bits
/// cannot be drawn to everywhere.
const DEEP_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Uint;

/// Format of targets with components of `depth`.
pub(super) fn format(depth: Depth) -> wgpu::TextureFormat {
    match depth {
        Depth::Eight => FORMAT,
        Depth::Sixteen => DEEP_FORMAT,
    }
}

/// Frames under way at once: one renders while one is copied and one is read.
const SLOTS: usize = 3;

type Mapped = mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>;

/// A texture to draw into and a ring of buffers to read it back through. Every
/// readback carries a `Tag` of the caller's.
pub struct Offscreen<Tag> {
    size: (u32, u32),
    depth: Depth,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    idle: Vec<wgpu::Buffer>,
    under_way: VecDeque<(Tag, wgpu::Buffer, wgpu::SubmissionIndex, Mapped)>,
}

impl<Tag> Offscreen<Tag> {
    /// Makes an 8-bit target and its buffers.
    ///
    /// # Errors
    /// [`CaptureError::TooLarge`] beyond the adapter's texture limit,
    /// [`CaptureError::Device`] when memory runs out.
    pub fn new(gpu: &Gpu, size: (u32, u32)) -> Result<Self, CaptureError> {
        Self::with_depth(gpu, size, Depth::Eight)
    }

    /// Makes a target of the given depth and its buffers.
    ///
    /// # Errors
    /// As [`Offscreen::new`].
    pub fn with_depth(gpu: &Gpu, size: (u32, u32), depth: Depth) -> Result<Self, CaptureError> {
        let (width, height) = size;
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if width > limit || height > limit {
            return Err(CaptureError::TooLarge {
                width,
                height,
                limit,
            });
        }
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("offscreen"),
            size: extent(size),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: format(depth),
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let idle = (0..SLOTS)
            .map(|_| readback_buffer(&gpu.device, size, depth))
            .collect();
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(CaptureError::Device(error.to_string()));
        }
        let view = texture.create_view(&Default::default());
        Ok(Self {
            size,
            depth,
            texture,
            view,
            idle,
            under_way: VecDeque::new(),
        })
    }

    /// What to draw into.
    #[must_use]
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// True when a readback has to be finished before another can start.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.idle.is_empty()
    }

    /// Starts to read back what has been drawn.
    ///
    /// # Errors
    /// [`CaptureError::Device`] when every buffer is in use.
    pub fn start_readback(&mut self, gpu: &Gpu, tag: Tag) -> Result<(), CaptureError> {
        let buffer = self
            .idle
            .pop()
            .ok_or_else(|| CaptureError::Device("every readback buffer is in use".to_owned()))?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded_row(self.size.0, self.depth)),
                    rows_per_image: None,
                },
            },
            extent(self.size),
        );
        let submission = gpu.queue.submit([encoder.finish()]);
        let (done, mapped) = mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone only if the run was given up.
            let _ = done.send(result);
        });
        self.under_way.push_back((tag, buffer, submission, mapped));
        Ok(())
    }

    /// Waits for the oldest readback; `None` when none is under way.
    ///
    /// # Errors
    /// [`CaptureError::Device`] with what the device reported.
    pub fn finish_readback(&mut self, gpu: &Gpu) -> Result<Option<(Tag, Picture)>, CaptureError> {
        let whole = self.size;
        self.finish_cropped(gpu, |_| whole)
    }

    /// The same for the upper left part whose size `crop` tells for the tag.
    pub(super) fn finish_cropped(
        &mut self,
        gpu: &Gpu,
        crop: impl FnOnce(&Tag) -> (u32, u32),
    ) -> Result<Option<(Tag, Picture)>, CaptureError> {
        let Some((tag, buffer, submission, mapped)) = self.under_way.pop_front() else {
            return Ok(None);
        };
        let failed = |reason: String| CaptureError::Device(gpu.take_error().unwrap_or(reason));
        gpu.device
            .poll(wgpu::PollType::Wait {
                submission_index: Some(submission),
                timeout: None,
            })
            .map_err(|error| failed(error.to_string()))?;
        let mapped = mapped.recv().map_err(|error| failed(error.to_string()))?;
        mapped.map_err(|error| failed(error.to_string()))?;
        if let Some(error) = gpu.take_error() {
            return Err(CaptureError::Device(error));
        }
        let picture = {
            let bytes = buffer
                .get_mapped_range(..)
                .map_err(|error| failed(error.to_string()))?;
            let padded = padded_row(self.size.0, self.depth) as usize;
            unpad(&bytes, padded, crop(&tag), self.depth)
        };
        buffer.unmap();
        self.idle.push(buffer);
        Ok(Some((tag, picture)))
    }
}

fn extent((width, height): (u32, u32)) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    }
}

fn padded_row(width: u32, depth: Depth) -> u32 {
    (depth.pixel_bytes() as u32 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

fn readback_buffer(
    device: &wgpu::Device,
    (width, height): (u32, u32),
    depth: Depth,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size: u64::from(padded_row(width, depth)) * u64::from(height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    })
}

/// The upper left `width` x `height` pixels of rows that are `padded` bytes apart.
fn unpad(bytes: &[u8], padded: usize, (width, height): (u32, u32), depth: Depth) -> Picture {
    let row = depth.pixel_bytes() * width as usize;
    let mut rgba = Vec::with_capacity(row * height as usize);
    for padded in bytes.chunks_exact(padded).take(height as usize) {
        rgba.extend_from_slice(&padded[..row]);
    }
    Picture {
        width,
        height,
        rgba,
    }
}
