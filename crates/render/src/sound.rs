//! Rendering of sound by a scene's `main_sound`, block by block.

use super::error::RenderError;
use super::error_scopes::ErrorScopes;
use super::fullscreen::FullscreenPass;
use super::gpu_objects::flat_texture;
use super::inputs::Inputs;
use super::modules::Modules;
use super::per_frame::PerFrame;
use super::readback::read_texture;
use super::renderer::RendererError;
use super::resources::Resources;
use super::scene_pass::ScenePass;
use super::texels::Texels;
use tarsus_shader::{Program, SOUND_ROW};

/// Format of a stereo sample: left and right as 32-bit floats.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg32Float;

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
    /// [`RendererError::Rejected`] if the driver rejects it.
    pub async fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
    ) -> Result<Option<Self>, RendererError> {
        let Some(sound) = &program.sound else {
            return Ok(None);
        };
        let scopes = ErrorScopes::new(device);
        let resources = Resources::new(device, queue, program);
        let per_frame = program.per_frame.as_ref();
        let modules = Modules::new(device, &resources, per_frame.into_iter().chain([sound]));
        let per_frame = per_frame.map(|pass| PerFrame::new(device, pass, &modules, &resources));
        let pass = ScenePass::new(device, sound, modules.of(sound), &[FORMAT], &resources);
        match scopes.end().await {
            Some(error) => Err(RendererError::rejected(&error)),
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

    /// Renders `count` samples starting at number `first`, at
    /// [`tarsus_shader::SAMPLE_RATE`] per second: left and right, usually from -1 to 1.
    /// Blocks until the GPU has finished.
    ///
    /// # Errors
    /// [`RenderError`] if the block is too large or the device fails.
    pub fn render(
        &mut self,
        inputs: &Inputs,
        first: u32,
        count: u32,
    ) -> Result<Vec<[f32; 2]>, RenderError> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let (width, height) = (SOUND_ROW, count.div_ceil(SOUND_ROW));
        let limit = self.device.limits().max_texture_dimension_2d;
        if height > limit {
            return Err(RenderError::TooLarge { width, height, limit });
        }
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
        let texture = flat_texture(&self.device, "sound", (width, height), FORMAT, usage);
        let frame = inputs.frame.for_face_or_sample(first);
        let (queue, resources) = (&self.queue, &mut self.resources);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        if let Some(per_frame) = &mut self.per_frame {
            per_frame.update(queue, &mut encoder, &frame, inputs, resources);
        }
        resources.uniforms.upload(queue, &mut encoder, &frame, inputs);
        self.pass.bind(resources);
        let view = texture.create_view(&Default::default());
        let mut pass = FullscreenPass::from(&view).begin(&mut encoder, "sound");
        self.pass.paint(&mut pass, FORMAT);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        let bytes = read_texture(&self.device, &self.queue, &texture)?;
        let mut samples: Vec<[f32; 2]> = bytemuck::pod_collect_to_vec(&bytes);
        samples.truncate(count as usize);
        Ok(samples)
    }
}
