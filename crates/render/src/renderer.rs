//! The only draw path. [`Renderer`] encodes into the caller's command encoder and, once
//! built, never submits, so scenes, the user interface and other passes can share one
//! submission. It does not depend on windows, clocks or files.
//!
//! Objects by lifetime:
//! - once per scene: [`Renderer`] (pipelines, bind group layouts, channel textures,
//!   buffer state);
//! - once per frame: [`Renderer::advance`], if the scene has buffers;
//! - once per draw: the [`Inputs`] given to [`Renderer::draw`], in a uniform slot of that
//!   draw's own.

use std::ops::Range;

use thiserror::Error;

use super::buffer_mips::level_view;
use super::checkpoint::Checkpoint;
use super::compiling::{HAS_THREADS, Watch, at_once};
use super::error::RenderError;
use super::frame::Frame;
use super::inputs::Inputs;
use super::modules::{Modules, is_software};
use super::per_frame::PerFrame;
use super::resources::Resources;
use super::scene_pass::{ScenePass, Target};
use super::simulation::{BUFFER_FORMAT, CUBE_FACES, CUBE_FORMAT};
use super::texels::Texels;
use super::timestamps::Timestamps;
use super::uniforms::DrawUniforms;
use tarsus_shader::{Pass, PassKind, Program, Values};

/// Reasons why a program cannot be drawn on this device.
#[derive(Debug, Error)]
pub enum RendererError {
    /// The program has no image pass.
    #[error("the program has no pass to draw")]
    NoPass,
    /// The driver rejected a shader or pipeline, with its message.
    #[error("the adapter refused the shader: {0}")]
    Refused(String),
}

/// Draws one program into targets of one format.
pub struct Renderer {
    device: wgpu::Device,
    per_frame: Option<PerFrame>,
    image: ScenePass,
    /// Buffer and cube passes, in drawing order.
    state_passes: Vec<ScenePass>,
    resources: Resources,
}

impl Renderer {
    /// Builds the pipelines of `program` for targets of `format`, which must not be an
    /// sRGB format because scenes return display-ready colours. Buffers start at 0. With
    /// a software renderer this submits one draw of a few texels.
    ///
    /// # Errors
    /// [`RendererError`] if the program has no image pass or the driver rejects a
    /// pipeline.
    pub async fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
        format: wgpu::TextureFormat,
    ) -> Result<Self, RendererError> {
        debug_assert!(!format.is_srgb(), "scenes return display-ready colours");
        let is_image = |pass: &&Pass| pass.kind == PassKind::Image;
        let image = program.passes.iter().find(is_image);
        let image = image.ok_or(RendererError::NoPass)?;
        let watch = Watch::new(device);
        let mut resources = Resources::new(device, queue, program);
        let passes = program.per_frame.iter().chain(&program.passes);
        let modules = Modules::new(device, &resources.uniforms, passes);
        // Software renderers compile a pipeline at its first draw, so the per-frame pass
        // is drawn here once while another thread builds the other pipelines.
        let is_early = HAS_THREADS && is_software(device) && program.per_frame.is_some();
        let early = is_early.then(|| {
            let mut encoder = device.create_command_encoder(&Default::default());
            let parameters = program.parameters.bytes(&Values::default());
            let inputs = Inputs::new(Frame::offline((1, 1), 0, 60.0), parameters);
            let slot = resources.uniforms.take(&mut encoder, &inputs);
            (encoder, slot)
        });
        let refused = watch.end();
        let (modules, shared) = (&modules, &resources);
        let make_per_frame = || {
            let watch = Watch::new(device);
            let pass = program.per_frame.as_ref();
            let mut made = pass.map(|pass| PerFrame::new(device, pass, modules, shared));
            if let (Some(per_frame), Some((mut encoder, slot))) = (&mut made, early) {
                per_frame.encode(&mut encoder, slot, shared);
                queue.submit([encoder.finish()]);
            }
            (made, watch.end())
        };
        let make_others = || {
            let watch = Watch::new(device);
            let pass = |pass: &Pass, format| {
                ScenePass::new(device, pass, modules.of(pass), format, shared)
            };
            let state_passes = program.state_passes().map(|state| match state.kind {
                PassKind::Cube => pass(state, CUBE_FORMAT),
                _ => pass(state, BUFFER_FORMAT),
            });
            let state_passes: Vec<_> = state_passes.collect();
            ((state_passes, pass(image, format)), watch.end())
        };
        let ((per_frame, of_per_frame), (others, of_others)) = if is_early {
            at_once(make_per_frame, make_others)
        } else {
            (make_per_frame(), make_others())
        };
        let (state_passes, image) = others;
        match refused.await.or(of_per_frame.await).or(of_others.await) {
            Some(error) => Err(RendererError::Refused(error.to_string())),
            None => Ok(Self {
                device: device.clone(),
                per_frame,
                image,
                state_passes,
                resources,
            }),
        }
    }

    /// Uploads the contents of channel `index`; draws encoded later see them.
    ///
    /// # Errors
    /// [`RenderError`] if the contents do not fit the channel or exceed the adapter's
    /// limits.
    pub fn set_channel(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        index: usize,
        texels: &Texels,
    ) -> Result<(), RenderError> {
        let is_other = self.resources.channels.set(encoder, index, texels)?;
        self.resources.generation += u64::from(is_other);
        Ok(())
    }

    /// The passes in drawing order, as timed by [`Self::advance_timed`] and
    /// [`Self::draw_timed`]: buffers and cube first, then the image.
    pub fn passes(&self) -> impl Iterator<Item = PassKind> {
        let state = self.state_passes.iter().map(|pass| pass.kind);
        state.chain([PassKind::Image])
    }

    /// True if the scene has buffers or a cube, which persist from frame to frame.
    #[must_use]
    pub fn has_state(&self) -> bool {
        !self.state_passes.is_empty()
    }

    /// Encodes the next frame of the buffers and the cube, in order. Buffers have the
    /// size of the picture in `inputs`; if it changes, their contents are kept, aligned
    /// to the lower left corner.
    pub fn advance(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &Inputs) {
        self.encode_state(encoder, inputs, None);
    }

    /// Like [`Self::advance`], and records GPU timestamps for each pass.
    pub fn advance_timed(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: &Inputs,
        timestamps: &Timestamps,
    ) {
        self.encode_state(encoder, inputs, Some(timestamps));
    }

    fn encode_state(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: &Inputs,
        timestamps: Option<&Timestamps>,
    ) {
        if self.state_passes.is_empty() {
            return;
        }
        if self.resources.simulation.size() != inputs.size() {
            let simulation = &mut self.resources.simulation;
            simulation.resize(encoder, inputs.size());
            self.resources.generation += 1;
        }
        let slot = self.resources.uniforms.take(encoder, inputs);
        if self.state_passes.iter().any(ScenePass::reads_per_frame) {
            self.encode_per_frame(encoder, slot);
        }
        for (number, pass) in self.state_passes.iter_mut().enumerate() {
            let resources = &mut self.resources;
            let Some(target) = resources.simulation.target(pass.kind) else {
                continue;
            };
            let target = target.clone();
            match pass.kind {
                PassKind::Cube => {
                    for face in 0..CUBE_FACES {
                        let mut inputs = inputs.clone();
                        inputs.frame.part = face;
                        let slot = resources.uniforms.take(encoder, &inputs);
                        let view = level_view(&target, face, 0);
                        let timestamps = timestamps.map(|timestamps| {
                            timestamps.part(number, face == 0, face + 1 == CUBE_FACES)
                        });
                        let target = whole(&view, timestamps.flatten());
                        pass.encode(encoder, target, slot, resources);
                    }
                }
                _ => {
                    let view = level_view(&target, 0, 0);
                    let timestamps = timestamps.map(|timestamps| timestamps.pass(number));
                    pass.encode(encoder, whole(&view, timestamps), slot, resources);
                }
            }
            resources.simulation.drawn(encoder, pass.kind);
            resources.generation += 1;
        }
    }

    /// Encodes the picture of `inputs` into `rows` of `target`, counted from the top;
    /// `0..u32::MAX` means all, and other rows are left unchanged. Drawing band by band
    /// gives the same picture as drawing it at once. The buffers are not advanced.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        inputs: &Inputs,
        rows: Range<u32>,
    ) {
        self.encode(encoder, target, inputs, rows, None);
    }

    /// Encodes the whole picture and records its GPU timestamps.
    pub fn draw_timed(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        inputs: &Inputs,
        timestamps: &Timestamps,
    ) {
        let pass = timestamps.pass(self.state_passes.len());
        self.encode(encoder, target, inputs, 0..u32::MAX, Some(pass));
        timestamps.resolve(encoder);
    }

    fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        inputs: &Inputs,
        rows: Range<u32>,
        timestamps: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) {
        let slot = self.resources.uniforms.take(encoder, inputs);
        if self.image.reads_per_frame() {
            self.encode_per_frame(encoder, slot);
        }
        let target = Target {
            view: target,
            rows,
            timestamps,
        };
        self.image.encode(encoder, target, slot, &self.resources);
    }

    fn encode_per_frame(&mut self, encoder: &mut wgpu::CommandEncoder, slot: DrawUniforms) {
        if let Some(per_frame) = &mut self.per_frame {
            per_frame.encode(encoder, slot, &self.resources);
        }
    }

    /// Clears the buffers and the cube to 0, their initial state.
    pub fn clear_state(&mut self) {
        self.resources.simulation.clear();
        self.resources.generation += 1;
    }

    /// Copies the state of every pass that `other` has in common with this renderer, so
    /// that an edited scene continues from it.
    pub fn adopt_state(&mut self, encoder: &mut wgpu::CommandEncoder, other: &Self) {
        let from = &other.resources.simulation;
        self.put(encoder, from.size(), from.contents());
    }

    /// Encodes a copy of the buffer state; `None` if the scene has none.
    pub fn checkpoint(&self, encoder: &mut wgpu::CommandEncoder) -> Option<Checkpoint> {
        let simulation = &self.resources.simulation;
        self.has_state()
            .then(|| Checkpoint::take(&self.device, encoder, simulation))
    }

    /// Encodes copies that restore the buffer state from `checkpoint`.
    pub fn restore(&mut self, encoder: &mut wgpu::CommandEncoder, checkpoint: &Checkpoint) {
        self.put(encoder, checkpoint.size(), checkpoint.contents());
    }

    fn put<'a>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        size: (u32, u32),
        contents: impl Iterator<Item = (PassKind, &'a wgpu::Texture)>,
    ) {
        let simulation = &mut self.resources.simulation;
        if simulation.size() != size {
            simulation.resize(encoder, size);
        }
        simulation.put(encoder, contents);
        self.resources.generation += 1;
    }

    /// The current texture of every buffer and cube pass; row 0 is the lowest.
    pub fn contents(&self) -> impl Iterator<Item = (PassKind, &wgpu::Texture)> {
        self.resources.simulation.contents()
    }

    /// The texture of channel `index` of the program; `None` for the keyboard.
    #[must_use]
    pub fn channel(&self, index: usize) -> Option<&wgpu::Texture> {
        self.resources.channels.texture(index)
    }
}

fn whole<'a>(
    view: &'a wgpu::TextureView,
    timestamps: Option<wgpu::RenderPassTimestampWrites<'a>>,
) -> Target<'a> {
    Target {
        view,
        rows: 0..u32::MAX,
        timestamps,
    }
}
