//! Rendering of sound by a scene's `main_sound`, block by block.

use super::error::RenderError;
use super::frame::Inputs;
use super::gpu_objects::flat_texture;
use super::readback::Readback;
use super::renderer::Renderer;
use super::texels::Texels;
use tarsus_shader::{Program, SOUND_ROW};

/// Format of a stereo sample: left and right in the first two components. WebGL2 reads no
/// other 32-bit floats back than those with four components.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// A block of samples that the GPU has yet to finish.
pub struct SoundBlock {
    count: usize,
    readback: Readback,
}

impl SoundBlock {
    /// Blocks until the GPU has finished. Returns left and right of every sample.
    ///
    /// # Errors
    /// [`RenderError::Device`] if the device fails.
    pub fn finish(&self) -> Result<Vec<[f32; 2]>, RenderError> {
        Ok(self.samples(&self.readback.finish()?))
    }

    /// Like [`Self::finish`], but returns `None` instead of blocking, which browsers
    /// cannot.
    ///
    /// # Errors
    /// Same as [`Self::finish`].
    pub fn try_finish(&self) -> Result<Option<Vec<[f32; 2]>>, RenderError> {
        let bytes = self.readback.try_finish()?;
        Ok(bytes.map(|bytes| self.samples(&bytes)))
    }

    /// Players treat NaN and infinity as full volume, so they become silence.
    fn samples(&self, bytes: &[u8]) -> Vec<[f32; 2]> {
        let texels: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(bytes);
        let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
        let samples = texels.iter().take(self.count);
        samples.map(|&[left, right, ..]| [finite(left), finite(right)]).collect()
    }
}

/// Renders the sound of one program. Every sample is a pure function of its number, the
/// inputs and the channels.
pub struct SoundRenderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// Draws the samples.
    renderer: Renderer,
}

impl SoundRenderer {
    /// Builds the pipeline; `None` for a scene without `main_sound`.
    ///
    /// # Errors
    /// [`RenderError`] if the driver rejects it, the adapter cannot draw to 32-bit floats, or a
    /// buffer of the scene exceeds its limit.
    pub async fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
    ) -> Result<Option<Self>, RenderError> {
        let Some(sound) = &program.sound else {
            return Ok(None);
        };
        let passes = std::slice::from_ref(sound);
        let renderer = Renderer::build(device, queue, program, passes, &[FORMAT], None).await?;
        Ok(Some(Self { device: device.clone(), queue: queue.clone(), renderer }))
    }

    /// Uploads the contents of channel `index`.
    ///
    /// # Errors
    /// [`RenderError`] if the contents do not fit the channel or exceed the adapter's
    /// limits.
    pub fn set_channel(&mut self, index: usize, texels: &Texels) -> Result<(), RenderError> {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.renderer.set_channel(&mut encoder, index, texels)?;
        self.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Starts rendering `count` samples from number `first` on, at
    /// [`tarsus_shader::SAMPLE_RATE`] per second: left and right, usually from -1 to 1.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] if there are too many samples.
    pub fn start(
        &mut self,
        inputs: &Inputs,
        first: u32,
        count: u32,
    ) -> Result<SoundBlock, RenderError> {
        let (width, height) = (SOUND_ROW, count.div_ceil(SOUND_ROW).max(1));
        let limit = self.device.limits().max_texture_dimension_2d;
        if height > limit {
            return Err(RenderError::TooLarge { width, height, limit });
        }
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let texture = flat_texture(&self.device, "sound", (width, height), FORMAT, usage);
        let inputs = Inputs { frame: inputs.frame.for_face_or_sample(first), ..inputs.clone() };
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let view = texture.create_view(&Default::default());
        self.renderer.draw(&mut encoder, &inputs, &view)?;
        let readback = Readback::encode(&self.device, &mut encoder, &texture, None);
        self.queue.submit([encoder.finish()]);
        Ok(SoundBlock { count: count as usize, readback })
    }

    /// Like [`Self::start`], but blocks until the GPU has finished.
    ///
    /// # Errors
    /// [`RenderError::TooLarge`] if there are too many samples, [`RenderError::Device`] if the
    /// device fails.
    pub fn render(
        &mut self,
        inputs: &Inputs,
        first: u32,
        count: u32,
    ) -> Result<Vec<[f32; 2]>, RenderError> {
        self.start(inputs, first, count)?.finish()
    }
}
