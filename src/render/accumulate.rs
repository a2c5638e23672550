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

use super::drawable::drawable;
use super::fullscreen::{Cover, Fullscreen};
use super::inputs::Inputs;
use super::renderer::Renderer;

/// The best format for samples: it keeps all a shader returns.
pub const SAMPLE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

const SUM_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// Where in the pixel sample `index` lies: pixels from the centre, each
/// coordinate from -0.5 up to 0.5. Sample 0 is the centre exactly.
///
/// These are the points of the R2 lattice (M. Roberts, 2018, "The unreasonable
/// effectiveness of quasirandom sequences") taken alternately forwards and
/// backwards from the centre. Every beginning is a run of the lattice without
/// gaps, thus evenly spread, and every odd one has its mean at the centre.
#[must_use]
pub fn sample_offset(index: u32) -> [f32; 2] {
    // 1/p and 1/p² for the plastic number p, the real root of p³ = p + 1.
    const STEP: [f64; 2] = [0.754_877_666_246_692_8, 0.569_840_290_998_053_3];
    let place = f64::from(index.div_ceil(2));
    let signed = if index % 2 == 1 { place } else { -place };
    STEP.map(|step| {
        let steps = signed * step;
        (steps - steps.round()) as f32
    })
}

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
    /// moves the frame's `sample_offset` (by [`sample_offset`]) or its time.
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
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: false },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("accumulate"),
        entries: &[entry(0, texture), entry(1, texture)],
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sample_is_the_pixel_centre() {
        assert_eq!(sample_offset(0), [0.0, 0.0]);
    }

    #[test]
    fn samples_stay_inside_the_pixel_and_are_all_different() {
        let offsets: Vec<_> = (0..256).map(sample_offset).collect();
        for (i, a) in offsets.iter().enumerate() {
            assert!(a.iter().all(|c| (-0.5..0.5).contains(c)), "{a:?}");
            for b in &offsets[..i] {
                let distance = (a[0] - b[0]).hypot(a[1] - b[1]);
                // 256 points on a square grid would be 1/16 apart.
                assert!(distance > 0.5 / 16.0, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn every_beginning_is_evenly_spread() {
        for count in [4, 9, 16, 25, 64, 255] {
            let offsets: Vec<_> = (0..count).map(sample_offset).collect();
            // Fraction of the samples left of (and below) a line against its place.
            for axis in [0, 1] {
                for line in [-0.25, 0.0, 0.25] {
                    let below = offsets.iter().filter(|o| o[axis] < line).count();
                    let fraction = below as f32 / count as f32;
                    // A sequence of low discrepancy stays within a few samples.
                    let allowed = 2.0 / count as f32;
                    assert!(
                        (fraction - (line + 0.5)).abs() <= allowed,
                        "{count} {line} {fraction}"
                    );
                }
            }
            if count % 2 == 1 {
                let mean =
                    |axis: usize| offsets.iter().map(|o| o[axis]).sum::<f32>() / count as f32;
                assert!(mean(0).abs() < 1e-6 && mean(1).abs() < 1e-6);
            }
        }
    }
}
