//! Averaging of many renderings of one picture in linear light: supersampling (jittered
//! sample points) and motion blur (shifted times) alike.
//!
//! A display-ready sample is decoded from sRGB and added to a sum, which is divided by
//! the count and encoded again. The sum is a 32-bit float: its 24 bits of mantissa hold
//! 256 samples of 16 bits without loss, whereas a 16-bit float would lose the eighth bit
//! of a picture after 8 samples. It alternates between two textures, because not every
//! adapter can blend into 32-bit float targets.
//!
//! Objects by lifetime:
//! - once per size: [`Accumulator`] (textures, pipelines);
//! - once per picture: [`Accumulator::restart`], then any number of samples, each drawn into
//!   [`Accumulator::sample_target`] before [`Accumulator::finish_sample`], with
//!   [`Accumulator::resolve`] after any of them.

use super::fullscreen::{FullscreenPass, fullscreen_pipeline};
use super::gpu_objects::{bind_group, drawable, fragment_layout, unfiltered};

/// Format for samples that loses nothing a shader returns.
pub const SAMPLE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

const SUM_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// Sums renderings of one size and resolves their average. Like a
/// [`Renderer`](super::Renderer), it encodes into the caller's command encoder.
pub struct Accumulator {
    newest: wgpu::TextureView,
    sums: [wgpu::TextureView; 2],
    /// Bind groups of `newest` and the sum with the same index.
    groups: [wgpu::BindGroup; 2],
    /// Index of the complete sum; the other one is written next.
    current: usize,
    count: u32,
    add: wgpu::RenderPipeline,
    resolve: wgpu::RenderPipeline,
}

impl Accumulator {
    /// Creates the textures for renderings of `size` in `sample_format`, a format that
    /// the renderer was built for, and averages in `target_format`: a normalised
    /// format without sRGB, `Rgba16Uint` for 16 bits, or `Rgba32Float` for unclamped
    /// linear light.
    pub fn new(
        device: &wgpu::Device,
        size: (u32, u32),
        sample_format: wgpu::TextureFormat,
        target_format: wgpu::TextureFormat,
    ) -> Self {
        let newest = view(device, "sample", size, sample_format);
        let sums = [0, 1].map(|_| view(device, "sum", size, SUM_FORMAT));
        let layout = fragment_layout(device, "accumulate", &[(0, unfiltered()), (1, unfiltered())]);
        let groups = sums.each_ref().map(|sum| {
            let views = [&newest, sum].map(wgpu::BindingResource::TextureView);
            bind_group(device, "accumulate", &layout, (0..).zip(views))
        });
        let module = device.create_shader_module(wgpu::include_wgsl!("accumulate.wgsl"));
        let (add, resolve) = match target_format {
            wgpu::TextureFormat::Rgba16Uint => ("add", "resolve_16"),
            wgpu::TextureFormat::Rgba32Float => ("add_unclamped", "resolve_linear"),
            _ => ("add", "resolve"),
        };
        let pipeline =
            |entry, format| fullscreen_pipeline(device, (&module, entry), &layout, format);
        Self {
            newest,
            sums,
            groups,
            current: 0,
            count: 0,
            add: pipeline(add, SUM_FORMAT),
            resolve: pipeline(resolve, target_format),
        }
    }

    /// Discards all samples: the next one begins a new picture.
    pub fn restart(&mut self) {
        self.count = 0;
    }

    /// Number of samples since the last restart.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Target to draw the next sample into, with [`Renderer::draw`](super::Renderer::draw), at
    /// once or in bands of rows. All rows must be drawn before [`Self::finish_sample`]. Between
    /// samples the caller changes the frame, with
    /// [`Frame::set_sample`](super::Frame::set_sample) or by its time.
    pub fn sample_target(&self) -> &wgpu::TextureView {
        &self.newest
    }

    /// Adds the sample drawn into [`Self::sample_target`] to the average.
    pub fn finish_sample(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let next = 1 - self.current;
        self.pass(encoder, &self.add, &self.sums[next]);
        self.current = next;
        self.count += 1;
    }

    /// Draws the average of the samples so far into the whole of `target`. A single
    /// sample gives the plain picture, bit for bit; without samples the result is
    /// undefined.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView) {
        self.pass(encoder, &self.resolve, target);
    }

    /// Encodes one pass. The sample count is passed as the instance index: a uniform
    /// would have its last value in every pass of a submission.
    fn pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::RenderPipeline,
        target: &wgpu::TextureView,
    ) {
        let mut pass = FullscreenPass::from(target).begin(encoder, "accumulate");
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.groups[self.current], &[]);
        pass.draw(0..3, self.count..self.count + 1);
    }
}

fn view(
    device: &wgpu::Device,
    label: &str,
    size: (u32, u32),
    format: wgpu::TextureFormat,
) -> wgpu::TextureView {
    drawable(device, label, size, format).create_view(&Default::default())
}
