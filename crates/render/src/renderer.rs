//! The only draw path. It encodes into the caller's command encoder and submits
//! nothing once it is made, so that scenes, user interface and somebody else's passes
//! share one submission. It knows nothing of windows, clocks or files.
//!
//! Objects by lifetime:
//! - once per scene: [`Renderer`] (pipelines, bind group layouts, textures of the
//!   channels, contents of the buffers);
//! - once per frame: [`Renderer::advance`], for a scene with buffers;
//! - once per draw: the [`Inputs`] given to [`Renderer::draw`], in a slot of
//!   uniforms that no other draw sees.

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

/// Why a program cannot be drawn on this device.
#[derive(Debug, Error)]
pub enum RendererError {
    /// It has no pass.
    #[error("the program has no pass to draw")]
    NoPass,
    /// The driver's own words.
    #[error("the adapter refused the shader: {0}")]
    Refused(String),
}

/// Draws one program into targets of one format.
pub struct Renderer {
    device: wgpu::Device,
    per_frame: Option<PerFrame>,
    image: ScenePass,
    /// Buffers and cube, in drawing order.
    state_passes: Vec<ScenePass>,
    resources: Resources,
}

impl Renderer {
    /// Builds the pipelines of `program` for targets of `format`, which must not
    /// be an sRGB format: scenes return display-ready colours. Buffers are 0. On a
    /// software adapter it submits one draw of its own, of a few texels.
    ///
    /// # Errors
    /// [`RendererError`] when there is nothing to draw or the driver refuses a
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
        // A driver that draws with the processor compiles a pass when it is drawn first: what
        // is worked out per frame is drawn once while the other pipelines are made.
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

    /// Gives channel `index` of the program its contents; draws encoded later see
    /// them.
    ///
    /// # Errors
    /// [`RenderError`] where the contents do not fit the channel or the adapter.
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

    /// The passes in drawing order, as [`Self::advance_timed`] and
    /// [`Self::draw_timed`] time them: what keeps its content, then the picture.
    pub fn passes(&self) -> impl Iterator<Item = PassKind> {
        let state = self.state_passes.iter().map(|pass| pass.kind);
        state.chain([PassKind::Image])
    }

    /// True if the scene keeps something from frame to frame.
    #[must_use]
    pub fn has_state(&self) -> bool {
        !self.state_passes.is_empty()
    }

    /// Encodes the next frame of buffers and cube, in order. Buffers have the size
    /// of the picture of `inputs`; at another size than before their contents are
    /// carried over from the lower left corner.
    pub fn advance(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &Inputs) {
        self.encode_state(encoder, inputs, None);
    }

    /// The same, and notes how long the adapter takes for each pass.
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

    /// Encodes the picture of `inputs` over `rows` of `target`, counted from the
    /// top; `0..u32::MAX` is all of them, others stay as they are. Band by band
    /// this is the same picture as in one go. Buffers stay as they are.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        inputs: &Inputs,
        rows: Range<u32>,
    ) {
        self.encode(encoder, target, inputs, rows, None);
    }

    /// Encodes the whole picture and notes how long the adapter takes.
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

    /// Makes buffers and cube 0, as at the start.
    pub fn clear_state(&mut self) {
        self.resources.simulation.clear();
        self.resources.generation += 1;
    }

    /// Takes over what `other` keeps, for every pass that both have: an edited
    /// scene goes on from there.
    pub fn adopt_state(&mut self, encoder: &mut wgpu::CommandEncoder, other: &Self) {
        let from = &other.resources.simulation;
        self.put(encoder, from.size(), from.contents());
    }

    /// Encodes a copy of what the scene keeps; `None` if that is nothing.
    pub fn checkpoint(&self, encoder: &mut wgpu::CommandEncoder) -> Option<Checkpoint> {
        let simulation = &self.resources.simulation;
        self.has_state()
            .then(|| Checkpoint::take(&self.device, encoder, simulation))
    }

    /// Encodes the way back to `checkpoint`.
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

    /// The newest content of every pass that keeps one: row 0 is the lowest.
    pub fn contents(&self) -> impl Iterator<Item = (PassKind, &wgpu::Texture)> {
        self.resources.simulation.contents()
    }

    /// The texture of channel `index` of the program; `None` for one that shows
    /// the keys.
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
