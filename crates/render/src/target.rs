//! Render targets and their asynchronous readback.

use std::collections::VecDeque;
use std::sync::mpsc;

use super::device::Gpu;
use super::error::RenderError;
use super::gpu_objects::{copy_to_buffer, flat_texture};
use super::inputs::Inputs;
use super::picture::{Depth, Picture};
use super::readback::{device_error, padded, readback_buffer, tight_rows};
use super::renderer::Renderer;

/// Format of 8-bit targets: stores what the shader returns, without sRGB conversion.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Readbacks in flight: one renders while one is copied and one is read.
const MAX_IN_FLIGHT: usize = 3;

/// A readback that the GPU has yet to finish.
struct Readback<Tag> {
    tag: Tag,
    buffer: wgpu::Buffer,
    mapped: mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

/// A texture to draw into, with a ring of readback buffers. Every readback carries a
/// `Tag` chosen by the caller.
pub struct RenderTarget<Tag> {
    device: wgpu::Device,
    size: (u32, u32),
    depth: Depth,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    /// Buffers of finished readbacks, for reuse.
    idle: Vec<wgpu::Buffer>,
    in_flight: VecDeque<Readback<Tag>>,
}

impl<Tag> RenderTarget<Tag> {
    /// Creates a target of `size` pixels. If there is not enough memory,
    /// the device reports that like any other device error.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] beyond the adapter's texture limit.
    pub fn new(device: &wgpu::Device, size: (u32, u32), depth: Depth) -> Result<Self, RenderError> {
        let (width, height) = size;
        let limit = device.limits().max_texture_dimension_2d;
        if width > limit || height > limit {
            return Err(RenderError::TooLarge { width, height, limit });
        }
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let texture = flat_texture(device, "target", size, depth.texture_format(), usage);
        Ok(Self {
            size,
            depth,
            view: texture.create_view(&Default::default()),
            texture,
            idle: Vec::new(),
            in_flight: VecDeque::new(),
            device: device.clone(),
        })
    }

    /// The view to draw into.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// True if a readback must be finished before another can start.
    pub fn is_full(&self) -> bool {
        self.in_flight.len() == MAX_IN_FLIGHT
    }

    /// Encodes the readback of the current picture; it starts at the submit.
    ///
    /// # Errors
    /// [`RenderError::Full`] if every buffer is in use.
    pub fn read_back(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        tag: Tag,
    ) -> Result<(), RenderError> {
        if self.is_full() {
            return Err(RenderError::Full);
        }
        let row = row_bytes(self.size.0, self.depth);
        let buffer = self.idle.pop();
        let buffer = buffer.unwrap_or_else(|| readback_buffer(&self.device, row, self.size.1));
        copy_to_buffer(encoder, &self.texture, &buffer, padded(row));
        let (done, mapped) = mpsc::channel();
        encoder.map_buffer_on_submit(&buffer, wgpu::MapMode::Read, .., move |result| {
            // The receiver has been dropped only if the picture was discarded.
            let _ = done.send(result);
        });
        self.in_flight.push_back(Readback { tag, buffer, mapped });
        Ok(())
    }

    /// Returns the oldest picture if the device has finished it; never blocks.
    ///
    /// # Errors
    /// [`RenderError::Device`] with the device's message.
    pub fn try_finish(&mut self) -> Result<Option<(Tag, Picture)>, RenderError> {
        let whole = self.size;
        self.device.poll(wgpu::PollType::Poll).map_err(device_error)?;
        let mapped = self.in_flight.front().map(|oldest| oldest.mapped.try_recv());
        match mapped {
            None | Some(Err(mpsc::TryRecvError::Empty)) => Ok(None),
            Some(Err(gone)) => Err(device_error(gone)),
            Some(Ok(mapped)) => self.take_oldest(mapped, |_| whole),
        }
    }

    /// Waits for the oldest picture, which was submitted as `submission`, or for all
    /// submissions if `None`. Returns `None` if no readback is in flight. Browsers cannot
    /// block: use [`Self::try_finish`] there.
    ///
    /// # Errors
    /// [`RenderError::Device`] with the device's message.
    pub fn finish(
        &mut self,
        submission: Option<wgpu::SubmissionIndex>,
    ) -> Result<Option<(Tag, Picture)>, RenderError> {
        let whole = self.size;
        self.finish_cropped(submission, |_| whole)
    }

    /// Like [`Self::finish`], cropped to the upper left part whose size `crop` returns
    /// for the tag.
    ///
    /// # Errors
    /// Same as [`Self::finish`].
    pub fn finish_cropped(
        &mut self,
        submission: Option<wgpu::SubmissionIndex>,
        crop: impl FnOnce(&Tag) -> (u32, u32),
    ) -> Result<Option<(Tag, Picture)>, RenderError> {
        let Some(oldest) = self.in_flight.front() else {
            return Ok(None);
        };
        let wait = wgpu::PollType::Wait { submission_index: submission, timeout: None };
        self.device.poll(wait).map_err(device_error)?;
        // If another thread polls the device too, that thread may run the callback.
        let mapped = oldest.mapped.recv().map_err(device_error)?;
        self.take_oldest(mapped, crop)
    }

    /// Removes the oldest picture, the result of whose mapping is `mapped`.
    fn take_oldest(
        &mut self,
        mapped: Result<(), wgpu::BufferAsyncError>,
        crop: impl FnOnce(&Tag) -> (u32, u32),
    ) -> Result<Option<(Tag, Picture)>, RenderError> {
        mapped.map_err(device_error)?;
        let Some(Readback { tag, buffer, .. }) = self.in_flight.pop_front() else {
            return Ok(None);
        };
        let (width, height) = crop(&tag);
        let rgba = {
            let bytes = buffer.get_mapped_range(..).map_err(device_error)?;
            let [row, kept] = [self.size.0, width].map(|width| row_bytes(width, self.depth));
            tight_rows(&bytes, row, kept, height)
        };
        buffer.unmap();
        self.idle.push(buffer);
        let picture = Picture { width, height, rgba };
        Ok(Some((tag, picture)))
    }
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
    let mut target = RenderTarget::new(&gpu.device, inputs.size(), Depth::Eight)?;
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    renderer.draw(&gpu.queue, &mut encoder, inputs, target.view())?;
    target.read_back(&mut encoder, ())?;
    let submission = gpu.queue.submit([encoder.finish()]);
    let finished = target.finish(Some(submission));
    if let Some(error) = gpu.take_error() {
        return Err(RenderError::Device(error));
    }
    let ((), picture) = finished?.ok_or(RenderError::Full)?;
    Ok(picture)
}

fn row_bytes(width: u32, depth: Depth) -> u32 {
    depth.pixel_bytes() as u32 * width
}
