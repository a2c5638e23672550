//! Pictures of a scene's buffers and channels: thumbnails for the panel, and one shown
//! instead of the scene's own picture.

use super::ranges::Ranges;
use super::samples;
use tarsus_render::{FORMAT, FullscreenPass, FullscreenPipeline, Gpu, drawable};

/// Size of a thumbnail, in pixels.
pub const THUMBNAIL_SIZE: (u32, u32) = (192, 108);

/// Shape in which a texture is displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A flat image.
    Plane,
    /// A cube map, displayed as a map of all directions.
    Cube,
    /// A volume, of which the middle layer is displayed.
    Volume,
}

impl Shape {
    const ALL: [Self; 3] = [Self::Plane, Self::Cube, Self::Volume];

    /// Entry points of the shaders that display and sample the shape.
    fn entries(self) -> [&'static str; 2] {
        match self {
            Self::Plane => ["show_plane", "sample_plane"],
            Self::Cube => ["show_cube", "sample_cube"],
            Self::Volume => ["show_volume", "sample_volume"],
        }
    }

    fn binding(self) -> u32 {
        1 + self as u32
    }

    fn dimension(self) -> wgpu::TextureViewDimension {
        match self {
            Self::Plane => wgpu::TextureViewDimension::D2,
            Self::Cube => wgpu::TextureViewDimension::Cube,
            Self::Volume => wgpu::TextureViewDimension::D3,
        }
    }
}

/// Pipelines for textures of one shape.
struct ShapePipelines {
    layout: wgpu::BindGroupLayout,
    /// Displays a texture as a picture.
    show: wgpu::RenderPipeline,
    /// Samples the values of a texture.
    sample: wgpu::RenderPipeline,
}

/// Draws textures as pictures.
pub struct TexturePainter {
    sampler: wgpu::Sampler,
    shapes: [ShapePipelines; 3],
}

/// The uniform block `DisplayUniform` of the shader.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct DisplayUniform {
    size: [f32; 2],
    padding: [f32; 2],
    offset: [f32; 3],
    padding_of_offset: f32,
    factor: [f32; 3],
    padding_of_factor: f32,
}

impl TexturePainter {
    /// Creates the pipelines.
    #[must_use]
    pub fn new(device: &wgpu::Device) -> Self {
        let module = device.create_shader_module(wgpu::include_wgsl!("textures.wgsl"));
        Self {
            sampler: device.create_sampler(&wgpu::SamplerDescriptor::default()),
            shapes: Shape::ALL.map(|shape| {
                let layout = layout(device, shape);
                let pipeline = |entry, format| {
                    let fullscreen = FullscreenPipeline {
                        label: "texture",
                        vertex: None,
                        fragment: (&module, entry),
                        layouts: &[Some(&layout)],
                        format,
                    };
                    fullscreen.create(device)
                };
                let [show, sample] = shape.entries();
                ShapePipelines {
                    show: pipeline(show, FORMAT),
                    sample: pipeline(sample, samples::FORMAT),
                    layout,
                }
            }),
        }
    }

    /// Encodes a picture of `texture` that fits `target`, mapping `ranges` from black to
    /// white.
    pub fn draw(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        (texture, shape): (&wgpu::Texture, Shape),
        ranges: &Ranges,
        target: &wgpu::Texture,
    ) {
        let pipeline = &self.shapes[shape as usize].show;
        self.encode(device, encoder, pipeline, (texture, shape), ranges, target);
    }

    /// Encodes samples of `texture`, one per pixel of `target`, whose format is
    /// [`samples::FORMAT`].
    pub fn sample(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        (texture, shape): (&wgpu::Texture, Shape),
        target: &wgpu::Texture,
    ) {
        let pipeline = &self.shapes[shape as usize].sample;
        let ranges = Ranges::default();
        self.encode(device, encoder, pipeline, (texture, shape), &ranges, target);
    }

    fn encode(
        &self,
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::RenderPipeline,
        (texture, shape): (&wgpu::Texture, Shape),
        ranges: &Ranges,
        target: &wgpu::Texture,
    ) {
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(shape.dimension()),
            ..Default::default()
        });
        let uniform = uniform_buffer(device, target, ranges);
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let mut entries = vec![
            entry(0, uniform.as_entire_binding()),
            entry(shape.binding(), wgpu::BindingResource::TextureView(&view)),
        ];
        if shape == Shape::Cube {
            entries.push(entry(4, wgpu::BindingResource::Sampler(&self.sampler)));
        }
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("texture"),
            layout: &self.shapes[shape as usize].layout,
            entries: &entries,
        });
        let view = target.create_view(&Default::default());
        let mut pass = FullscreenPass::from(&view).begin(encoder, "texture");
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
}

/// Creates a uniform buffer with the size of a target and its display ranges.
fn uniform_buffer(device: &wgpu::Device, target: &wgpu::Texture, ranges: &Ranges) -> wgpu::Buffer {
    let uniform = DisplayUniform {
        size: [target.width() as f32, target.height() as f32],
        padding: [0.0; 2],
        offset: ranges.offsets(),
        padding_of_offset: 0.0,
        factor: ranges.factors(),
        padding_of_factor: 0.0,
    };
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("uniform"),
        size: size_of::<DisplayUniform>() as u64,
        usage: wgpu::BufferUsages::UNIFORM,
        mapped_at_creation: true,
    });
    // The device reports mapping errors.
    if let Ok(mut mapped) = buffer.get_mapped_range_mut(..) {
        mapped.copy_from_slice(bytemuck::bytes_of(&uniform));
    }
    buffer.unmap();
    buffer
}

fn layout(device: &wgpu::Device, shape: Shape) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let texture = wgpu::BindingType::Texture {
        // Filtering of 32-bit floats is an optional feature.
        sample_type: wgpu::TextureSampleType::Float { filterable: shape == Shape::Cube },
        view_dimension: shape.dimension(),
        multisampled: false,
    };
    let mut entries = vec![entry(0, uniform), entry(shape.binding(), texture)];
    if shape == Shape::Cube {
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        entries.push(entry(4, sampler));
    }
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("texture"),
        entries: &entries,
    })
}

/// Returns true if a texture holds floats of any size instead of fractions from 0 to 1.
pub fn holds_floats(texture: &wgpu::Texture) -> bool {
    use wgpu::TextureFormat as Format;
    matches!(texture.format(), Format::Rgba32Float | Format::Rgba16Float)
}

/// Creates a target for a picture of `size` pixels.
#[must_use]
pub fn create_target(gpu: &Gpu, size: (u32, u32)) -> wgpu::Texture {
    drawable(&gpu.device, "texture", size, FORMAT)
}

/// Describes size and format of a texture: `800×450 rgba32f`.
#[must_use]
pub fn describe(texture: &wgpu::Texture) -> String {
    use wgpu::TextureFormat as Format;
    let size = texture.size();
    let layers = match size.depth_or_array_layers {
        1 => String::new(),
        layers => format!("×{layers}"),
    };
    let format = match texture.format() {
        Format::Rgba32Float => "rgba32f",
        Format::Rgba16Float => "rgba16f",
        Format::Rgba8Unorm => "rgba8",
        Format::Rgba8UnormSrgb => "rgba8 sRGB",
        Format::R8Unorm => "r8",
        _ => "",
    };
    format!("{}×{}{layers} {format}", size.width, size.height)
}

/// Draws pictures of textures and reads them back, without a window.
#[cfg(test)]
pub mod testing {
    use super::*;
    use tarsus_render::GpuOptions;

    pub(crate) struct Bench {
        pub(crate) gpu: Gpu,
        pub(crate) painter: TexturePainter,
    }

    impl Bench {
        pub(crate) fn new(options: &GpuOptions) -> Self {
            let gpu = pollster::block_on(Gpu::headless(options)).expect("adapter");
            let painter = TexturePainter::new(&gpu.device);
            Self { gpu, painter }
        }

        /// Red, green and blue of every pixel of a picture, rows from the top.
        pub(crate) fn picture(
            &self,
            texture: (&wgpu::Texture, Shape),
            ranges: &Ranges,
            size: (u32, u32),
        ) -> Vec<[u8; 3]> {
            let (device, queue) = (&self.gpu.device, &self.gpu.queue);
            let target = device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            });
            let row = (4 * size.0).next_multiple_of(256);
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: u64::from(row * size.1),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let mut encoder = device.create_command_encoder(&Default::default());
            self.painter.draw(device, &mut encoder, texture, ranges, &target);
            encoder.copy_texture_to_buffer(
                target.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: &buffer,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(row),
                        rows_per_image: None,
                    },
                },
                target.size(),
            );
            queue.submit([encoder.finish()]);
            buffer.map_async(wgpu::MapMode::Read, .., |_| ());
            let wait = wgpu::PollType::wait_indefinitely();
            device.poll(wait).expect("finished");
            assert_eq!(self.gpu.take_error(), None);
            let bytes = buffer.get_mapped_range(..).expect("mapped");
            let pixel = |x: u32, y: u32| {
                let at = (y * row + 4 * x) as usize;
                [bytes[at], bytes[at + 1], bytes[at + 2]]
            };
            (0..size.1)
                .flat_map(|y| (0..size.0).map(move |x| (x, y)))
                .map(|(x, y)| pixel(x, y))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::Bench;
    use super::*;
    use crate::live::samples::Samples;
    use tarsus_render::{BUFFER_FORMAT, CUBE_FORMAT, GpuOptions};

    impl Bench {
        fn texture(
            &self,
            size: [u32; 3],
            format: wgpu::TextureFormat,
            shape: Shape,
            bytes: &[u8],
        ) -> wgpu::Texture {
            let size =
                wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: size[2] };
            let texture = self.gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: match shape {
                    Shape::Volume => wgpu::TextureDimension::D3,
                    _ => wgpu::TextureDimension::D2,
                },
                format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            });
            let texels = size.width * size.height * size.depth_or_array_layers;
            self.gpu.queue.write_texture(
                texture.as_image_copy(),
                bytes,
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(bytes.len() as u32 / texels * size.width),
                    rows_per_image: Some(size.height),
                },
                size,
            );
            texture
        }
    }

    const BACKGROUND: [u8; 3] = [8, 9, 10];

    #[test]
    fn buffer_is_upright_with_all_values() {
        let bench = Bench::new(&GpuOptions::default());
        let texel = |value: f32, alpha: f32| [value, 0.5, 0.0, alpha];
        let texels = [
            [texel(0.0, 0.0), texel(1.0, 1.0)],
            [texel(-3.0, 0.0), texel(7.0, f32::NAN)],
            [texel(f32::NAN, 1.0), texel(f32::INFINITY, 1.0)],
        ];
        let bytes = bytemuck::cast_slice(texels.as_flattened().as_flattened());
        let buffer = bench.texture([2, 3, 1], BUFFER_FORMAT, Shape::Plane, bytes);
        assert_eq!(describe(&buffer), "2×3 rgba32f");
        let (dark, bright, odd) = ([0, 128, 0], [255, 128, 0], [255, 0, 255]);
        let picture = bench.picture((&buffer, Shape::Plane), &Ranges::default(), (2, 3));
        assert_eq!(picture, [odd, odd, dark, bright, dark, bright]);
        // In a wider target, the picture is centred and each texel covers four pixels.
        let picture = bench.picture((&buffer, Shape::Plane), &Ranges::default(), (8, 6));
        let middle = [BACKGROUND, BACKGROUND, dark, dark, bright, bright, BACKGROUND, BACKGROUND];
        assert_eq!(picture[40..], middle);
        // Values that are not finite have checks of four pixels.
        let marked = [BACKGROUND, BACKGROUND, odd, odd, [0; 3], [0; 3], BACKGROUND, BACKGROUND];
        assert_eq!(picture[..8], marked);
    }

    #[test]
    fn signed_values_are_visible() {
        let bench = Bench::new(&GpuOptions::default());
        let texels = [[-0.01, 0.0, 3.0, 0.0], [0.005, 0.0, 6.0, 0.0f32]];
        let ranges = Ranges::choose(&texels, &Ranges::default());
        assert_eq!(ranges.describe().as_deref(), Some("±1/64  0–1  0–8"));
        let bytes = bytemuck::cast_slice(texels.as_flattened());
        let buffer = bench.texture([2, 1, 1], BUFFER_FORMAT, Shape::Plane, bytes);
        let picture = bench.picture((&buffer, Shape::Plane), &ranges, (2, 1));
        assert_eq!(picture, [[46, 0, 96], [168, 0, 191]]);
    }

    #[test]
    fn samples_are_read_back_unchanged() {
        let bench = Bench::new(&GpuOptions::default());
        let texels = [[-5.0, 1e6, 0.5, 9.0f32], [f32::MIN_POSITIVE, 0.0, -0.25, 1.0]];
        let bytes = bytemuck::cast_slice(texels.as_flattened());
        let buffer = bench.texture([2, 1, 1], BUFFER_FORMAT, Shape::Plane, bytes);
        let mut samples = Samples::new(&bench.gpu);
        samples.begin(&bench.gpu, |encoder, target| {
            let device = &bench.gpu.device;
            bench.painter.sample(device, encoder, (&buffer, Shape::Plane), target);
        });
        let found = loop {
            bench.gpu.device.poll(wgpu::PollType::Poll).expect("a device");
            if let Some(found) = samples.take() {
                break found;
            }
            assert!(samples.is_reading(), "they come");
        };
        // Two texels side by side, stretched over 64 columns.
        assert_eq!([found[0], found[31], found[32]], [texels[0], texels[0], texels[1]]);
        assert!(samples.take().is_none(), "once");
    }

    #[test]
    fn cube_displays_all_directions() {
        let bench = Bench::new(&GpuOptions::default());
        // +x red, -x dark red, +y green, -y dark green, +z blue, -z dark blue.
        let faces = (0..6usize).flat_map(|face| {
            let mut texel = [0.0f32, 0.0, 0.0, 1.0];
            texel[face / 2] = if face % 2 == 0 { 1.0 } else { 0.5 };
            texel.map(|part| half::f16::from_f32(part).to_bits())
        });
        let texels: Vec<u16> = faces.collect();
        let bytes = bytemuck::cast_slice(&texels);
        let cube = bench.texture([1, 1, 6], CUBE_FORMAT, Shape::Cube, bytes);
        let picture = bench.picture((&cube, Shape::Cube), &Ranges::default(), (16, 8));
        let at = |x: usize, y: usize| picture[16 * y + x];
        assert_eq!([at(7, 3), at(8, 4)], [[0, 0, 128]; 2], "-z ahead");
        assert_eq!([at(11, 3), at(4, 4)], [[255, 0, 0], [128, 0, 0]], "x to the right");
        assert_eq!([at(0, 3), at(15, 4)], [[0, 0, 255]; 2], "+z behind");
        assert_eq!([at(3, 0), at(12, 7)], [[0, 255, 0], [0, 128, 0]], "y up");
    }

    #[test]
    fn volume_displays_middle_layer() {
        let bench = Bench::new(&GpuOptions::default());
        let bytes = [10, 20, 30, 40, 50, 60];
        let format = wgpu::TextureFormat::R8Unorm;
        let volume = bench.texture([2, 1, 3], format, Shape::Volume, &bytes);
        assert_eq!(describe(&volume), "2×1×3 r8");
        let picture = bench.picture((&volume, Shape::Volume), &Ranges::default(), (2, 1));
        assert_eq!(picture, [[30, 0, 0], [40, 0, 0]]);
    }
}
