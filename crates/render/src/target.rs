//! Render targets and their asynchronous readback.

use std::collections::VecDeque;

use super::device::Gpu;
use super::error::RenderError;
use super::frame::Inputs;
use super::gpu_objects::flat_texture;
use super::picture::{Depth, Picture};
use super::readback::Readback;
use super::renderer::Renderer;

/// Format of 8-bit targets: stores what the shader returns, without sRGB conversion.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Readbacks in flight: one renders while one is copied and one is read.
const MAX_IN_FLIGHT: usize = 3;

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
    in_flight: VecDeque<(Tag, Readback)>,
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
        let buffer = self.idle.pop();
        let readback = Readback::encode(&self.device, encoder, &self.texture, buffer);
        self.in_flight.push_back((tag, readback));
        Ok(())
    }

    /// Returns the oldest picture if the device has finished it; never blocks.
    ///
    /// # Errors
    /// [`RenderError::Device`] with the device's message.
    pub fn try_finish(&mut self) -> Result<Option<(Tag, Picture)>, RenderError> {
        let whole = self.size;
        match self.in_flight.front() {
            Some((_, oldest)) if oldest.poll()? => self.take_oldest(|_| whole),
            _ => Ok(None),
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
        if let Some((_, oldest)) = self.in_flight.front() {
            oldest.wait(submission)?;
        }
        self.take_oldest(crop)
    }

    /// Removes the oldest picture, which the device has finished.
    fn take_oldest(
        &mut self,
        crop: impl FnOnce(&Tag) -> (u32, u32),
    ) -> Result<Option<(Tag, Picture)>, RenderError> {
        let Some((tag, readback)) = self.in_flight.pop_front() else {
            return Ok(None);
        };
        let (width, height) = crop(&tag);
        let rgba = readback.texels(self.depth.pixel_bytes() as u32 * width, height)?;
        self.idle.push(readback.into_buffer());
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
    renderer.draw(&mut encoder, inputs, target.view())?;
    target.read_back(&mut encoder, ())?;
    let submission = gpu.queue.submit([encoder.finish()]);
    let finished = target.finish(Some(submission));
    if let Some(error) = gpu.take_error() {
        return Err(RenderError::Device(error));
    }
    let ((), picture) = finished?.ok_or(RenderError::Full)?;
    Ok(picture)
}
