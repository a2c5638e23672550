//! Many renderings of one picture, averaged in linear light: supersampling
//! (moved sample points) and motion blur (moved time) alike.
//!
//! A display-ready sample is decoded from sRGB, added to a sum, divided by the
//! count and encoded again. The sum is 32-bit float: its 24 bits of mantissa
//! hold 256 samples of 16 bits without loss, where a 16-bit float would lose
//! the eighth bit of a picture after 8 samples. It goes to and fro between two
//! textures, because 32-bit float targets cannot blend everywhere.
//!
//! Objects by lifetime:
//! - once per size: [`Accumulator`] (textures, pipelines);
//! - once per picture: [`Accumulator::restart`], then any number of
//!   [`Accumulator::add`], with [`Accumulator::resolve`] at any time.

use std::ops::Range;

use super::drawable::{drawable, unfiltered};
use super::fullscreen::{Cover, Fullscreen};
use super::inputs::Inputs;
use super::renderer::Renderer;

/// The best format for samples: it keeps all a shader returns.
pub const SAMPLE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

const SUM_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// Sums up renderings of one size and resolves their average. It encodes into
/// the caller's command encoder, as the [`Renderer`] does.
pub struct Accumulator {
    newest: wgpu::TextureView,
    sums: [wgpu::TextureView; 2],
    /// Reads `newest` and the sum of the same number.
    groups: [wgpu::BindGroup; 2],
    /// The sum that is complete; the other is written next.
    current: usize,
    count: u32,
    add: wgpu::RenderPipeline,
    resolve: wgpu::RenderPipeline,
}

impl Accumulator {
    /// Makes the textures for renderings of `size` in `sample_format`, the
    /// format the [`Renderer`] was made for, and averages in `target_format`:
    /// a normalised format without sRGB, `Rgba16Uint` for 16 bits, or
    /// `Rgba32Float` for linear light without limits.
    #[must_use]
    pub fn new(
        device: &wgpu::Device,
        size: (u32, u32),
        sample_format: wgpu::TextureFormat,
        target_format: wgpu::TextureFormat,
    ) -> Self {
        let newest = view(device, "sample", size, sample_format);
        let sums = [0, 1].map(|_| view(device, "sum", size, SUM_FORMAT));
        let layout = layout(device);
        let groups = [0, 1].map(|i| group(device, &layout, &newest, &sums[i]));
        let module = device.create_shader_module(wgpu::include_wgsl!("accumulate.wgsl"));
        let (add, resolve) = match target_format {
            wgpu::TextureFormat::Rgba16Uint => ("add", "resolve_16"),
            wgpu::TextureFormat::Rgba32Float => ("add_unclamped", "resolve_linear"),
            _ => ("add", "resolve"),
        };
        let pipeline = |entry, format| {
            let fullscreen = Fullscreen {
                label: entry,
                vertex: None,
                fragment: (&module, entry),
                layouts: &[Some(&layout)],
                format,
            };
            fullscreen.pipeline(device)
        };
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

    /// Forgets every sample: the next one begins a new picture.
    pub fn restart(&mut self) {
        self.count = 0;
    }

    /// Number of samples since the restart.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Draws `inputs` as they are and adds the picture to the average. The caller
    /// moves the frame on, by [`Frame::set_sample`](super::Frame::set_sample) or its time.
    pub fn add(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &mut Renderer,
        inputs: &Inputs,
    ) {
        self.add_rows(encoder, renderer, inputs, 0..u32::MAX);
        self.finish_sample(encoder);
    }

    /// Draws some rows of the next sample, from the top. All of them have to come
    /// before [`Self::finish_sample`].
    pub fn add_rows(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        renderer: &mut Renderer,
        inputs: &Inputs,
        rows: Range<u32>,
    ) {
        renderer.draw(encoder, &self.newest, inputs, rows);
    }

    /// Adds the rows drawn last to the average.
    pub fn finish_sample(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let next = 1 - self.current;
        self.pass(encoder, &self.add, &self.sums[next]);
        self.current = next;
        self.count += 1;
    }

    /// Draws the average of the samples so far over the whole of `target`. One
    /// sample alone is the plain picture, bit for bit; none leave it undefined.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView) {
        self.pass(encoder, &self.resolve, target);
    }

    /// The count travels as the number of the instance: a uniform would show its
    /// last content to every pass of a submission.
    fn pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::RenderPipeline,
        target: &wgpu::TextureView,
    ) {
        let cover = Cover {
            label: "accumulate",
            target,
            rows: 0..u32::MAX,
            timestamps: None,
        };
        let groups = [(&self.groups[self.current], &[][..])];
        cover.encode(encoder, pipeline, &groups, self.count);
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

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty: unfiltered(),
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("accumulate"),
        entries: &[entry(0), entry(1)],
    })
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    newest: &wgpu::TextureView,
    sum: &wgpu::TextureView,
) -> wgpu::BindGroup {
    let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("accumulate"),
        layout,
        entries: &[
            entry(0, wgpu::BindingResource::TextureView(newest)),
            entry(1, wgpu::BindingResource::TextureView(sum)),
        ],
    })
}
