//! The only draw path. [`Renderer`] encodes into the caller's command encoder and render
//! pass, so scenes, the user interface and other passes can share one submission. It does
//! not depend on windows, clocks or files.
//!
//! Objects by lifetime:
//! - once per scene: [`Renderer`] (pipelines, bind groups, channel textures, buffer
//!   state);
//! - once per frame: [`Renderer::advance`], if the scene has buffers;
//! - once per picture: [`Renderer::prepare`] uploads the [`Inputs`] and evaluates the
//!   per-frame values, unless they are up to date;
//! - any number of times after it: [`Renderer::paint`], in the caller's render pass.

use super::buffer_state::{CUBE_FACES, state_format};
use super::checkpoint::Checkpoint;
use super::compiled::Compiled;
use super::device::Gpu;
use super::edited_constants::UniformConstants;
use super::error::{ErrorScopes, RenderError};
use super::frame::{Frame, Inputs};
use super::fullscreen::FullscreenPass;
use super::gpu_objects::drawable;
use super::llvmpipe;
use super::modules::Modules;
use super::per_frame::PerFrame;
use super::resources::{PER_FRAME_FORMAT, Resources};
use super::scene_pass::{ScenePass, create_pipelines};
use super::texels::Texels;
use super::timestamps::Timestamps;
use tarsus_shader::{Pass, PassKind, Program};

/// Draws one program. Encoders must be submitted in the order in which they were used,
/// because uniforms, per-frame values and buffers are only encoded when they change.
pub struct Renderer {
    device: wgpu::Device,
    per_frame: Option<PerFrame>,
    /// The pass of the image, or of a sound.
    output: ScenePass,
    /// Buffer and cube passes, in drawing order.
    state_passes: Vec<ScenePass>,
    resources: Resources,
}

impl Renderer {
    /// Builds the pipelines of `program` for targets of `formats`; those for other
    /// formats are created on first use. Buffers start at 0. Submits nothing and starts no
    /// thread.
    ///
    /// # Errors
    /// [`RenderError`] if the program has no image pass, a format is an sRGB format, or
    /// the driver rejects a pipeline.
    pub async fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
        formats: &[wgpu::TextureFormat],
    ) -> Result<Self, RenderError> {
        Self::build(device, queue, program, &program.passes, formats, None).await
    }

    /// Like [`Self::new`], and shows the first picture sooner: passes that another renderer of
    /// `gpu` has drawn recently are not compiled again, pipelines are created on several
    /// threads, and llvmpipe draws the per-frame pass before the others are lowered.
    ///
    /// `is_edited` is for code that is being edited: if it differs only in constants from code
    /// compiled before, it reads them from a uniform, so the next such edit compiles nothing.
    /// Such pictures take longer to draw, and can differ in the last bit from the others, where
    /// the compiler computes with the constants.
    ///
    /// # Errors
    /// Same as [`Self::new`].
    pub async fn for_gpu(
        gpu: &Gpu,
        program: &Program,
        formats: &[wgpu::TextureFormat],
        is_edited: bool,
    ) -> Result<Self, RenderError> {
        let uniform_constants =
            if is_edited { UniformConstants::IfEdited } else { UniformConstants::None };
        let Gpu { device, queue, .. } = gpu;
        let compiled = Some(Compiled { uniform_constants, ..gpu.compiled().clone() });
        let built = Self::build(device, queue, program, &program.passes, formats, compiled).await;
        if let Err(RenderError::Rejected { .. } | RenderError::NoFloatTargets) = built {
            // Rejected objects must not be used again.
            gpu.compiled().clear();
        }
        built
    }

    /// Compiles `program` such that a first edit of a constant compiles nothing in
    /// [`Self::for_gpu`]. Also draws a small picture and its buffers, because llvmpipe
    /// compiles at the first draw; other pictures wait meanwhile.
    ///
    /// # Errors
    /// Same as [`Self::new`].
    pub async fn prepare_for_edits(
        gpu: &Gpu,
        program: &Program,
        formats: &[wgpu::TextureFormat],
    ) -> Result<(), RenderError> {
        let Gpu { device, queue, .. } = gpu;
        // A failed preparation leaves the compiled passes of the scene that is shown.
        let uniform_constants = UniformConstants::All;
        let compiled = Some(Compiled { uniform_constants, ..gpu.compiled().clone() });
        let passes = &program.passes;
        let renderer = Self::build(device, queue, program, passes, formats, compiled);
        let mut renderer = renderer.await?;
        // llvmpipe compiles other code for textures whose sides are powers of two.
        let size = (3, 3);
        let inputs = Inputs::new(Frame::new(size, 0, 60.0));
        let scopes = ErrorScopes::new(device);
        let mut encoder = device.create_command_encoder(&Default::default());
        renderer.advance(&mut encoder, &inputs);
        for format in formats {
            let target = drawable(device, "edits", size, *format);
            let view = target.create_view(&Default::default());
            renderer.draw(&mut encoder, &inputs, &view)?;
        }
        queue.submit([encoder.finish()]);
        match scopes.end().await {
            Some(error) => {
                Err(RenderError::Rejected { reason: error.to_string(), sources: Vec::new() })
            }
            None => Ok(()),
        }
    }

    /// Builds what draws `passes` of `program`: an image with its buffers, or a sound. Compiles on
    /// the calling thread without submitting anything, or, with `compiled`, on several threads,
    /// and on llvmpipe the per-frame pass before the others are lowered.
    pub(super) async fn build(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        program: &Program,
        passes: &[Pass],
        formats: &[wgpu::TextureFormat],
        compiled: Option<Compiled>,
    ) -> Result<Self, RenderError> {
        let is_ahead = compiled.is_some();
        formats.iter().try_for_each(|format| reject_srgb(*format))?;
        let output = passes.iter().find(|pass| !pass.kind.is_state());
        let output = output.ok_or(RenderError::NoImagePass)?;
        require_buffer_sizes(device, program)?;
        log::info!("creating pipelines: {}", output.kind);
        let scopes = ErrorScopes::new(device);
        let mut resources = Resources::new(device, queue, program, compiled.unwrap_or_default());
        let mut modules = Modules::new(device, program.per_frame.iter().chain(passes));
        let mut per_frame = program
            .per_frame
            .as_ref()
            .map(|pass| PerFrame::new(device, pass, &mut modules, &resources));
        if let Some(per_frame) = &mut per_frame
            && is_ahead
            && llvmpipe::is_enabled(&device.adapter_info())
        {
            // llvmpipe compiles a pipeline at its first draw, on a thread of its own, while the
            // other passes are lowered here.
            let frame = Frame::new((1, 1), 0, 60.0);
            let mut encoder = device.create_command_encoder(&Default::default());
            per_frame.update(&mut encoder, &frame, &Inputs::new(frame), &mut resources);
            queue.submit([encoder.finish()]);
        }
        let mut scene_pass =
            |pass: &Pass| ScenePass::new(device, pass, modules.get(pass, &resources), &resources);
        let state_passes = passes.iter().filter(|pass| pass.kind.is_state());
        let state_passes: Vec<ScenePass> = state_passes.map(&mut scene_pass).collect();
        let output = scene_pass(output);
        let per_frame_pipeline = per_frame.iter().map(|one| (one.pass(), PER_FRAME_FORMAT));
        let state_pipelines = state_passes.iter().map(|pass| (pass, state_format(pass.kind)));
        let output_pipelines = formats.iter().map(|format| (&output, *format));
        let pipelines = per_frame_pipeline.chain(state_pipelines).chain(output_pipelines);
        let error = create_pipelines(device, &pipelines.collect::<Vec<_>>(), is_ahead);
        if let Some(error) = scopes.end().await.or(error) {
            return Err(RenderError::rejected(&error, modules));
        }
        log::info!("created pipelines: {}", output.kind);
        Ok(Self { device: device.clone(), per_frame, output, state_passes, resources })
    }

    /// True if the code reads edited constants from a uniform.
    pub fn reads_edited_constants(&self) -> bool {
        let passes = self.state_passes.iter().chain([&self.output]);
        let mut passes = passes.chain(self.per_frame.as_ref().map(PerFrame::pass));
        passes.any(ScenePass::reads_edited_constants)
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
        self.resources.set_channel(encoder, index, texels)
    }

    /// The passes in drawing order, as timed by [`Timestamps`]: buffers and cube first,
    /// then the image or the sound.
    pub fn passes(&self) -> impl Iterator<Item = PassKind> {
        let state = self.state_passes.iter().map(|pass| pass.kind);
        state.chain([self.output.kind])
    }

    /// True if the scene has buffers or a cube, which persist from frame to frame.
    pub fn has_state(&self) -> bool {
        !self.state_passes.is_empty()
    }

    /// Encodes the next frame of the buffers and the cube, in order. Pictures drawn before the
    /// first call see empty buffers. A buffer without a size has the size of the picture in
    /// `inputs`; if that changes, its contents are kept, aligned to the lower left corner.
    pub fn advance(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &Inputs) {
        self.advance_timed(encoder, inputs, None);
    }

    /// Like [`Self::advance`], and records `timestamps` for each pass.
    pub fn advance_timed(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: &Inputs,
        timestamps: Option<&Timestamps>,
    ) {
        if self.state_passes.is_empty() {
            return;
        }
        let resources = &mut self.resources;
        if resources.state.size() != inputs.size() {
            resources.state.resize(encoder, inputs.size());
            resources.generation += 1;
            resources.revision += 1;
        }
        let whole = inputs.frame.for_face_or_sample(0);
        if let Some(per_frame) = &mut self.per_frame
            && self.state_passes.iter().any(ScenePass::reads_per_frame)
        {
            per_frame.update(encoder, &whole, inputs, resources);
        }
        for (index, pass) in self.state_passes.iter_mut().enumerate() {
            pass.bind(resources);
            let layers = match pass.kind {
                PassKind::Cube => CUBE_FACES,
                _ => 1,
            };
            let own = pass.size.map_or(whole, |size| whole.resized(size));
            for layer in 0..layers {
                let frame = match pass.kind {
                    PassKind::Cube => own.for_face(layer),
                    _ => own,
                };
                resources.uniforms.upload(encoder, &frame, inputs);
                let target = FullscreenPass {
                    timestamps: timestamps.and_then(|timestamps| {
                        timestamps.pass_writes(index, layer == 0, layer + 1 == layers)
                    }),
                    ..resources.state.target(index, layer).into()
                };
                let mut render_pass = target.begin(encoder, pass.kind.label());
                pass.paint(&mut render_pass, state_format(pass.kind));
            }
            resources.state.finish_pass(encoder, index);
            resources.revision += 1;
        }
    }

    /// Uploads `inputs` and evaluates the scene's per-frame values for [`Self::paint`].
    /// Encodes only changes since the last call. The buffers are not advanced.
    pub fn prepare(&mut self, encoder: &mut wgpu::CommandEncoder, inputs: &Inputs) {
        let resources = &mut self.resources;
        if let Some(per_frame) = &mut self.per_frame
            && self.output.reads_per_frame()
        {
            per_frame.update(encoder, &inputs.frame, inputs, resources);
        }
        resources.uniforms.upload(encoder, &inputs.frame, inputs);
        self.output.bind(resources);
    }

    /// Draws the picture of the last [`Self::prepare`] over the viewport of `pass`, whose
    /// target has `format`; the scissor rectangle is respected. A viewport that scales
    /// the picture, or that does not start at the target's corner, must also be set with
    /// [`Frame::set_viewport`], from which scenes compute their pixel coordinates. Draws nothing
    /// before the first `prepare`.
    ///
    /// # Errors
    /// [`RenderError::SrgbTarget`] for an sRGB format. If a pipeline for a format that
    /// [`Self::new`] was not given is rejected, the device reports that.
    pub fn paint(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        format: wgpu::TextureFormat,
    ) -> Result<(), RenderError> {
        reject_srgb(format)?;
        self.output.paint(pass, format);
        Ok(())
    }

    /// Prepares `inputs` and paints them in a separate render pass; the buffers are not
    /// advanced. The view must have the format of its texture. Bands of a picture, drawn one
    /// after the other with a scissor rectangle each, are equal to the picture drawn at once.
    ///
    /// # Errors
    /// Same as [`Self::paint`].
    pub fn draw<'a>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: &Inputs,
        target: impl Into<FullscreenPass<'a>>,
    ) -> Result<(), RenderError> {
        let target = target.into();
        let format = target.view.texture().format();
        reject_srgb(format)?;
        self.prepare(encoder, inputs);
        self.paint(&mut target.begin(encoder, self.output.kind.label()), format)
    }

    /// Clears the buffers and the cube to 0, their initial state.
    pub fn clear_state(&mut self) {
        self.resources.state.clear();
        self.resources.generation += 1;
        self.resources.revision += 1;
    }

    /// Copies the state of every pass that `other` has in common with this renderer, so
    /// that an edited scene continues from it.
    pub fn adopt_state(&mut self, encoder: &mut wgpu::CommandEncoder, other: &Self) {
        let from = &other.resources.state;
        self.copy_state(encoder, from.size(), from.contents());
    }

    /// Encodes a copy of the buffer state; `None` if the scene has none.
    pub fn checkpoint(&self, encoder: &mut wgpu::CommandEncoder) -> Option<Checkpoint> {
        let state = &self.resources.state;
        self.has_state().then(|| Checkpoint::take(&self.device, encoder, state))
    }

    /// Encodes copies that restore the buffer state from `checkpoint`.
    pub fn restore(&mut self, encoder: &mut wgpu::CommandEncoder, checkpoint: &Checkpoint) {
        self.copy_state(encoder, checkpoint.size(), checkpoint.contents());
    }

    fn copy_state<'a>(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        size: (u32, u32),
        contents: impl Iterator<Item = (PassKind, &'a wgpu::Texture)>,
    ) {
        self.resources.state.copy_from(encoder, size, contents);
        self.resources.generation += 1;
        self.resources.revision += 1;
    }

    /// The current texture of every buffer and cube pass; row 0 is the lowest.
    pub fn contents(&self) -> impl Iterator<Item = (PassKind, &wgpu::Texture)> {
        self.resources.state.contents()
    }

    /// The texture of channel `index` of the program; `None` for the keyboard.
    pub fn channel(&self, index: usize) -> Option<&wgpu::Texture> {
        self.resources.channels.texture(index)
    }
}

fn require_buffer_sizes(device: &wgpu::Device, program: &Program) -> Result<(), RenderError> {
    let limit = device.limits().max_texture_dimension_2d;
    let sizes = program.passes.iter().filter_map(|pass| Some((pass.kind, pass.size?)));
    let mut too_large = sizes.filter(|(_, (width, height))| width.max(height) > &limit);
    match too_large.next() {
        Some((pass, size)) => Err(RenderError::BufferTooLarge { pass, size, limit }),
        None => Ok(()),
    }
}

fn reject_srgb(format: wgpu::TextureFormat) -> Result<(), RenderError> {
    if format.is_srgb() { Err(RenderError::SrgbTarget(format)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Depth, FORMAT, Gpu, GpuOptions, Readback, Viewport, target_texture};
    use tarsus_shader::{Library, Scene, compose};

    const SIZE: (u32, u32) = (8, 8);

    /// Shows a per-frame value: the time, and whether `A` is pressed.
    const SCENE: &str = "
#import tarsus::{frame, keyboard}
fn per_frame(index: u32) -> vec4f {
    let key = select(0.0, 1.0, keyboard::is_down(65u));
    return vec4f(frame::frame.time / 255.0, key, f32(index), 1.0);
}
fn buffer_a(at: vec2f) -> vec4f { return frame::per_frame_value(0u); }
fn main_image(at: vec2f) -> vec4f { return frame::per_frame_value(0u); }";

    fn open(text: &str) -> (Gpu, Renderer) {
        let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).expect("a device");
        let program = compose(&Scene::from_text(text, "s.wgsl"), &Library::default(), &[]);
        let program = program.expect("a program");
        let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
        let renderer = pollster::block_on(renderer).expect("a renderer");
        (gpu, renderer)
    }

    fn evaluations(renderer: &Renderer) -> usize {
        let per_frame = renderer.per_frame.as_ref();
        per_frame.map_or(0, |per_frame| per_frame.evaluations)
    }

    #[test]
    fn buffer_beyond_adapter_limit_is_named() {
        let (gpu, _) = open(SCENE);
        let program = compose(&Scene::from_text(SCENE, "s.wgsl"), &Library::default(), &[]);
        let mut program = program.expect("a program");
        program.passes[0].size = Some((1 << 20, 2));
        let renderer = Renderer::new(&gpu.device, &gpu.queue, &program, &[FORMAT]);
        let error = pollster::block_on(renderer).err().expect("too large").to_string();
        let limit = gpu.device.limits().max_texture_dimension_2d;
        let expected = format!(
            "cannot create buffer a: its size is 1048576x2, and this adapter draws at most {limit} \
             texels per side"
        );
        assert_eq!(error, expected);
        assert_eq!(gpu.take_error(), None);
    }

    #[test]
    fn only_rejected_objects_are_forgotten() {
        let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).expect("an adapter");
        let scene = "fn buffer_a(p: vec2f) -> vec4f { return vec4f(0.5); }
fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }";
        let scene = Scene::from_text(scene, "s.wgsl");
        let program = compose(&scene, &Library::default(), &[]).expect("a scene");
        let build = |program: &Program, format| {
            pollster::block_on(Renderer::for_gpu(&gpu, program, &[format], false))
        };
        build(&program, FORMAT).expect("a renderer");
        let mut too_large = program.clone();
        too_large.passes[0].size = Some((1 << 20, 2));
        assert!(matches!(build(&too_large, FORMAT), Err(RenderError::BufferTooLarge { .. })));
        let srgb = build(&program, FORMAT.add_srgb_suffix());
        assert!(matches!(srgb, Err(RenderError::SrgbTarget(_))));
        assert_eq!(gpu.compiled().pipelines.len(), 2);
        // No device draws to a compressed format.
        let rejected = build(&program, wgpu::TextureFormat::Bc1RgbaUnorm);
        assert!(matches!(rejected, Err(RenderError::Rejected { .. })));
        assert_eq!(gpu.compiled().pipelines.len(), 0);
    }

    #[test]
    fn prepared_first_edit_compiles_nothing() {
        const SCENE: &str = "#import tarsus::frame
fn per_frame(index: u32) -> vec4f { return vec4f(0.25 * f32(index)); }
fn buffer_a(at: vec2f) -> vec4f { return vec4f(0.5); }
fn main_image(at: vec2f) -> vec4f { return 0.75 * frame::per_frame_value(1u); }";
        let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).expect("an adapter");
        let load = |text: &str| {
            let scene = Scene::from_text(text, "s.wgsl");
            let program = compose(&scene, &Library::default(), &[]).expect("a scene");
            let renderer = Renderer::for_gpu(&gpu, &program, &[FORMAT], true);
            (pollster::block_on(renderer).expect("a renderer"), program)
        };
        let (original, program) = load(SCENE);
        assert!(!original.reads_edited_constants());
        let prepared = Renderer::prepare_for_edits(&gpu, &program, &[FORMAT]);
        pollster::block_on(prepared).expect("compiled");
        let pipelines = gpu.compiled().pipelines.len();
        for (old, new) in [("0.25", "0.2"), ("0.5", "0.4"), ("0.75", "0.7")] {
            let (edited, _) = load(&SCENE.replace(old, new));
            assert!(edited.reads_edited_constants(), "{new}");
            assert_eq!(gpu.compiled().pipelines.len(), pipelines, "{new}");
        }
    }

    /// Random sequences of draws, bands, tiles and advances with few distinct inputs.
    #[test]
    fn per_frame_values_are_evaluated_once_per_distinct_input() {
        let (gpu, mut renderer) = open(SCENE);
        let target = target_texture(&gpu.device, SIZE, Depth::Eight).expect("a target");
        let view = target.create_view(&Default::default());
        let mut state = 1u32;
        let mut random = |count: u32| {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (state >> 16) % count
        };
        let (mut last, mut expected) = (None, 0);
        for step in 0..400 {
            let (time, key) = (random(3) as u8, 255 * random(2) as u8);
            let mut inputs = Inputs::new(Frame::new(SIZE, 0, 60.0).at_time(f64::from(time)));
            inputs.keyboard[65] = key;
            expected += usize::from(last != Some((time, key)));
            last = Some((time, key));
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            if random(3) == 0 {
                renderer.advance(&mut encoder, &inputs);
            }
            if random(3) == 0 {
                let origin = [-(random(9) as f32), -(random(9) as f32)];
                let size = [SIZE.0 as f32, SIZE.1 as f32];
                inputs.frame.set_viewport(Viewport { origin, size });
            }
            let top = random(2) * 4;
            let bands = match random(2) {
                0 => vec![None],
                _ => vec![Some(top..top + 4), Some(4 - top..8 - top)],
            };
            for rows in bands {
                let pass = FullscreenPass { rows, ..(&view).into() };
                let drawn = renderer.draw(&mut encoder, &inputs, pass);
                drawn.expect("a format");
            }
            assert_eq!(evaluations(&renderer), expected, "step {step}");
            let readback = Readback::encode(&gpu.device, &mut encoder, &target, None);
            gpu.queue.submit([encoder.finish()]);
            let rgba = readback.finish().expect("a device");
            assert!(rgba.chunks_exact(4).eq(std::iter::repeat_n([time, key, 0, 255], 64)));
        }
        assert_eq!(gpu.take_error(), None);
        assert!((150..400).contains(&expected), "{expected}");
    }

    #[test]
    fn per_frame_values_follow_the_buffers_they_read() {
        let (gpu, mut renderer) = open(
            "
#import tarsus::{frame, buffers}
fn per_frame(index: u32) -> vec4f { return buffers::a(vec2i(0)); }
fn buffer_a(at: vec2f) -> vec4f { return buffers::a(vec2i(0)) + 1.0 / 255.0; }
fn main_image(at: vec2f) -> vec4f { return vec4f(frame::per_frame_value(0u).xyz, 1.0); }",
        );
        let inputs = Inputs::new(Frame::new(SIZE, 0, 60.0));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for _ in 0..5 {
            renderer.advance(&mut encoder, &inputs);
            renderer.prepare(&mut encoder, &inputs);
        }
        gpu.queue.submit([encoder.finish()]);
        let picture = crate::render_picture(&gpu, &mut renderer, &inputs).expect("a picture");
        assert_eq!(picture.pixel(0, 0), [5, 5, 5, 255]);
        assert_eq!(evaluations(&renderer), 5);
    }

    /// In a steady state no pass creates bind groups, feedback included.
    #[test]
    fn bind_groups_are_reused_for_both_parities() {
        let (gpu, mut renderer) = open(
            "
#import tarsus::buffers
fn buffer_a(at: vec2f) -> vec4f { return buffers::a(vec2i(at)) + buffers::b(vec2i(at)); }
fn buffer_b(at: vec2f) -> vec4f { return buffers::a(vec2i(at)); }
fn main_image(at: vec2f) -> vec4f { return buffers::b(vec2i(at)); }",
        );
        let inputs = Inputs::new(Frame::new(SIZE, 0, 60.0));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut created = Vec::new();
        for _ in 0..6 {
            renderer.advance(&mut encoder, &inputs);
            renderer.prepare(&mut encoder, &inputs);
            let passes = renderer.state_passes.iter().chain([&renderer.output]);
            created.push(passes.map(|pass| pass.created_sets).sum::<usize>());
        }
        assert_eq!(created[1..], [6; 5], "{created:?}");
    }
}
