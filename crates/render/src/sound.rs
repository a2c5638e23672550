//! Rendering of sound by a scene's `main_sound`, block by block.

use super::error::{ErrorScopes, RenderError};
use super::frame::Inputs;
use super::fullscreen::FullscreenPass;
use super::gpu_objects::flat_texture;
use super::modules::Modules;
use super::per_frame::PerFrame;
use super::readback::Readback;
use super::resources::{PER_FRAME_FORMAT, Resources};
use super::scene_pass::ScenePass;
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
    per_frame: Option<PerFrame>,
    pass: ScenePass,
    resources: Resources,
}

impl SoundRenderer {
    /// Builds the pipeline; `None` for a scene without `main_sound`.
    ///
    /// # Errors
    /// [`RenderError::Rejected`] if the driver rejects it.
    pub async fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
    ) -> Result<Option<Self>, RenderError> {
        let Some(sound) = &program.sound else {
            return Ok(None);
        };
        let scopes = ErrorScopes::new(device);
        let resources = Resources::new(device, queue, program, Default::default());
        let per_frame = program.per_frame.as_ref();
        let mut modules = Modules::new(device, per_frame.into_iter().chain([sound]));
        let per_frame = per_frame.map(|pass| PerFrame::new(device, pass, &mut modules, &resources));
        let pass = ScenePass::new(device, sound, modules.get(sound, &resources), &resources);
        if let Some(per_frame) = &per_frame {
            per_frame.pass().pipeline(PER_FRAME_FORMAT);
        }
        pass.pipeline(FORMAT);
        match scopes.end().await {
            Some(error) => Err(RenderError::rejected(&error, modules)),
            None => Ok(Some(Self {
                device: device.clone(),
                queue: queue.clone(),
                per_frame,
                pass,
                resources,
            })),
        }
    }

    /// Uploads the contents of channel `index`.
    ///
    /// # Errors
    /// [`RenderError`] if the contents do not fit the channel or exceed the adapter's
    /// limits.
    pub fn set_channel(&mut self, index: usize, texels: &Texels) -> Result<(), RenderError> {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.resources.set_channel(&mut encoder, index, texels)?;
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
        let frame = inputs.frame.for_face_or_sample(first);
        let resources = &mut self.resources;
        let mut encoder = self.device.create_command_encoder(&Default::default());
        if let Some(per_frame) = &mut self.per_frame {
            per_frame.update(&mut encoder, &frame, inputs, resources);
        }
        resources.uniforms.upload(&mut encoder, &frame, inputs);
        self.pass.bind(resources);
        let view = texture.create_view(&Default::default());
        let mut pass = FullscreenPass::from(&view).begin(&mut encoder, "sound");
        self.pass.paint(&mut pass, FORMAT);
        drop(pass);
        let readback = Readback::encode(&self.device, &mut encoder, &texture, None);
        self.queue.submit([encoder.finish()]);
        Ok(SoundBlock { count: count as usize, readback })
    }

    /// Like [`Self::start`], but blocks until the GPU has finished.
    ///
    /// # Errors
    /// [`RenderError`] if there are too many samples or the device fails.
    pub fn render(
        &mut self,
        inputs: &Inputs,
        first: u32,
        count: u32,
    ) -> Result<Vec<[f32; 2]>, RenderError> {
        self.start(inputs, first, count)?.finish()
    }
}
