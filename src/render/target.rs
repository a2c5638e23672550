//! The target of one size, and the way back from it.

use std::collections::VecDeque;
use std::sync::mpsc;

use thiserror::Error;

use super::{Depth, Frame, Gpu, Picture, Renderer};

/// Why a picture could not be drawn.
#[derive(Debug, Error)]
pub enum RenderError {
    /// The picture is larger than the adapter can draw in one piece.
    #[error("{width}x{height} is larger than the {limit} pixels per side this adapter can draw")]
    TooLarge {
        /// Asked-for width.
        width: u32,
        /// Asked-for height.
        height: u32,
        /// The adapter's limit per side.
        limit: u32,
    },
    /// The device gave up.
    #[error("the adapter failed: {0}")]
    Device(String),
}

/// Format of 8-bit targets: what a shader returns is what is stored.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Format of 16-bit targets. Whole numbers, because normalised ones of 16 bits
/// cannot be drawn to everywhere.
const DEEP_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Uint;

/// Format of float targets.
const FLOAT_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// Format of targets with components of `depth`.
pub fn format(depth: Depth) -> wgpu::TextureFormat {
    match depth {
        Depth::Eight => FORMAT,
        Depth::Sixteen => DEEP_FORMAT,
        Depth::Float => FLOAT_FORMAT,
    }
}

/// Frames under way at once: one renders while one is copied and one is read.
const SLOTS: usize = 3;

type Mapped = mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>;

/// A texture to draw into and a ring of buffers to read it back through. Every
/// readback carries a `Tag` of the caller's.
pub struct RenderTarget<Tag> {
    size: (u32, u32),
    depth: Depth,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    idle: Vec<wgpu::Buffer>,
    under_way: VecDeque<(Tag, wgpu::Buffer, wgpu::SubmissionIndex, Mapped)>,
}

impl<Tag> RenderTarget<Tag> {
    /// Makes an 8-bit target and its buffers.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] beyond the adapter's texture limit,
    /// [`RenderError::Device`] when memory runs out.
    pub fn new(gpu: &Gpu, size: (u32, u32)) -> Result<Self, RenderError> {
        Self::with_depth(gpu, size, Depth::Eight)
    }

    /// Makes a target of the given depth and its buffers.
    ///
    /// # Errors
    /// As [`RenderTarget::new`].
    pub fn with_depth(gpu: &Gpu, size: (u32, u32), depth: Depth) -> Result<Self, RenderError> {
        let (width, height) = size;
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if width > limit || height > limit {
            return Err(RenderError::TooLarge {
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
            return Err(RenderError::Device(error.to_string()));
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
    /// [`RenderError::Device`] when every buffer is in use.
    pub fn start_readback(&mut self, gpu: &Gpu, tag: Tag) -> Result<(), RenderError> {
        let buffer = self
            .idle
            .pop()
            .ok_or_else(|| RenderError::Device("every readback buffer is in use".to_owned()))?;
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
    /// [`RenderError::Device`] with what the device reported.
    pub fn finish_readback(&mut self, gpu: &Gpu) -> Result<Option<(Tag, Picture)>, RenderError> {
        let whole = self.size;
        self.finish_cropped(gpu, |_| whole)
    }

    /// The same for the upper left part whose size `crop` tells for the tag.
    pub fn finish_cropped(
        &mut self,
        gpu: &Gpu,
        crop: impl FnOnce(&Tag) -> (u32, u32),
    ) -> Result<Option<(Tag, Picture)>, RenderError> {
        let Some((tag, buffer, submission, mapped)) = self.under_way.pop_front() else {
            return Ok(None);
        };
        let failed = |reason: String| RenderError::Device(gpu.take_error().unwrap_or(reason));
        gpu.device
            .poll(wgpu::PollType::Wait {
                submission_index: Some(submission),
                timeout: None,
            })
            .map_err(|error| failed(error.to_string()))?;
        let mapped = mapped.recv().map_err(|error| failed(error.to_string()))?;
        mapped.map_err(|error| failed(error.to_string()))?;
        if let Some(error) = gpu.take_error() {
            return Err(RenderError::Device(error));
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

/// Renders one frame in one piece and waits for its pixels.
///
/// # Errors
/// [`RenderError`] when the size is too large or the device fails.
pub fn still(gpu: &Gpu, renderer: &Renderer, frame: &Frame) -> Result<Picture, RenderError> {
    let size = (frame.resolution[0] as u32, frame.resolution[1] as u32);
    let mut offscreen = RenderTarget::new(gpu, size)?;
    renderer.render(gpu, offscreen.view(), frame);
    offscreen.start_readback(gpu, ())?;
    let ((), picture) = offscreen
        .finish_readback(gpu)?
        .ok_or_else(|| RenderError::Device("it lost the frame".to_owned()))?;
    Ok(picture)
}
