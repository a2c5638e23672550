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

use crate::render::Frame;
use crate::render::Gpu;
use crate::render::Renderer;

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

/// Sums up renderings of one size and resolves their average.
pub struct Accumulator {
    newest: wgpu::TextureView,
    sums: [wgpu::TextureView; 2],
    /// Reads `newest` and the sum of the same number.
    groups: [wgpu::BindGroup; 2],
    /// The sum that is complete; the other is written next.
    current: usize,
    count: u32,
    progress: wgpu::Buffer,
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
        gpu: &Gpu,
        size: (u32, u32),
        sample_format: wgpu::TextureFormat,
        target_format: wgpu::TextureFormat,
    ) -> Self {
        let device = &gpu.device;
        let newest = texture(device, "sample", size, sample_format);
        let sums = [0, 1].map(|_| texture(device, "sum", size, SUM_FORMAT));
        let progress = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("progress"),
            size: 16,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = layout(device);
        let groups = [0, 1].map(|i| group(device, &layout, &newest, &sums[i], &progress));
        let module = device.create_shader_module(wgpu::include_wgsl!("accumulate.wgsl"));
        let (add, resolve) = match target_format {
            wgpu::TextureFormat::Rgba16Uint => ("add", "resolve_16"),
            wgpu::TextureFormat::Rgba32Float => ("add_unlimited", "resolve_linear"),
            _ => ("add", "resolve"),
        };
        Self {
            newest,
            sums,
            groups,
            current: 0,
            count: 0,
            progress,
            add: pipeline(device, &layout, &module, add, SUM_FORMAT),
            resolve: pipeline(device, &layout, &module, resolve, target_format),
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

    /// Renders `frame` as it is and adds it to the average. The caller moves
    /// its `sample_offset` (by [`sample_offset`]) or its time.
    pub fn add(&mut self, gpu: &Gpu, renderer: &Renderer, frame: &Frame) {
        self.add_rows(gpu, renderer, frame, 0..u32::MAX);
        self.finish_sample(gpu);
    }

    /// Renders some rows of the next sample, from the top. All of them have to
    /// come before [`Self::finish_sample`].
    pub fn add_rows(&self, gpu: &Gpu, renderer: &Renderer, frame: &Frame, rows: Range<u32>) {
        renderer.render_rows(gpu, &self.newest, frame, rows);
    }

    /// Adds the rows rendered last to the average.
    pub fn finish_sample(&mut self, gpu: &Gpu) {
        let next = 1 - self.current;
        self.pass(gpu, &self.add, &self.sums[next]);
        self.current = next;
        self.count += 1;
    }

    /// Draws the average of the samples so far over the whole of `target`. One
    /// sample alone is the plain picture, bit for bit; none leave it undefined.
    pub fn resolve(&self, gpu: &Gpu, target: &wgpu::TextureView) {
        self.pass(gpu, &self.resolve, target);
    }

    fn pass(&self, gpu: &Gpu, pipeline: &wgpu::RenderPipeline, target: &wgpu::TextureView) {
        let progress = [self.count, 0, 0, 0];
        gpu.queue
            .write_buffer(&self.progress, 0, bytemuck::bytes_of(&progress));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("accumulate"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &self.groups[self.current], &[]);
            pass.draw(0..3, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
    }
}

fn texture(
    device: &wgpu::Device,
    label: &str,
    (width, height): (u32, u32),
    format: wgpu::TextureFormat,
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
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
    let progress = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("accumulate"),
        entries: &[entry(0, texture), entry(1, texture), entry(2, progress)],
    })
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    newest: &wgpu::TextureView,
    sum: &wgpu::TextureView,
    progress: &wgpu::Buffer,
) -> wgpu::BindGroup {
    let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("accumulate"),
        layout,
        entries: &[
            entry(0, wgpu::BindingResource::TextureView(newest)),
            entry(1, wgpu::BindingResource::TextureView(sum)),
            entry(2, progress.as_entire_binding()),
        ],
    })
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    module: &wgpu::ShaderModule,
    entry: &str,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(entry),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(entry),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("cover"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
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
            // Share of the samples left of (and below) a line against its place.
            for axis in [0, 1] {
                for line in [-0.25, 0.0, 0.25] {
                    let below = offsets.iter().filter(|o| o[axis] < line).count();
                    let share = below as f32 / count as f32;
                    // A sequence of low discrepancy stays within a few samples.
                    let allowed = 2.0 / count as f32;
                    assert!(
                        (share - (line + 0.5)).abs() <= allowed,
                        "{count} {line} {share}"
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
