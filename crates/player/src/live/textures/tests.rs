use super::*;
use tarsus_render::{BUFFER_FORMAT, CUBE_FORMAT, Gpu, GpuOptions, Readback, drawable};

/// Draws pictures of textures and reads them back, without a window.
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
        texture: (&wgpu::Texture, ChannelShape),
        ranges: &Ranges,
        size: (u32, u32),
    ) -> Vec<[u8; 3]> {
        let target = drawable(&self.gpu.device, "target", size, FORMAT);
        let bytes = self.texels(&target, |encoder| {
            self.painter.draw(encoder, texture, ranges, &target);
        });
        bytes.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }

    /// The texels of `target` that `draw` draws.
    fn texels(
        &self,
        target: &wgpu::Texture,
        draw: impl FnOnce(&mut wgpu::CommandEncoder),
    ) -> Vec<u8> {
        let device = &self.gpu.device;
        let mut encoder = device.create_command_encoder(&Default::default());
        draw(&mut encoder);
        let readback = Readback::encode(device, &mut encoder, target, None);
        self.gpu.queue.submit([encoder.finish()]);
        let texels = readback.finish().expect("texels");
        assert_eq!(self.gpu.take_error(), None);
        texels
    }
}

impl Bench {
    pub(crate) fn texture(
        &self,
        size: [u32; 3],
        format: wgpu::TextureFormat,
        shape: ChannelShape,
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
                ChannelShape::Volume => wgpu::TextureDimension::D3,
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
    let texel = |value: f32, alpha: f32| [value, 0.6, 0.0, alpha];
    let texels = [
        [texel(0.0, 0.0), texel(1.0, 1.0)],
        [texel(-3.0, 0.0), texel(7.0, f32::NAN)],
        [texel(f32::NAN, 1.0), texel(f32::INFINITY, 1.0)],
    ];
    let bytes = bytemuck::cast_slice(texels.as_flattened().as_flattened());
    let buffer = bench.texture([2, 3, 1], BUFFER_FORMAT, ChannelShape::Texture2d, bytes);
    assert_eq!(describe(&buffer), "2×3 rgba32f");
    let (dark, bright, odd) = ([0, 153, 0], [255, 153, 0], [255, 0, 255]);
    let picture = bench.picture((&buffer, ChannelShape::Texture2d), &Ranges::default(), (2, 3));
    assert_eq!(picture, [odd, odd, dark, bright, dark, bright]);
    // In a wider target, the picture is centred and each texel covers four pixels.
    let picture = bench.picture((&buffer, ChannelShape::Texture2d), &Ranges::default(), (8, 6));
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
    let buffer = bench.texture([2, 1, 1], BUFFER_FORMAT, ChannelShape::Texture2d, bytes);
    let picture = bench.picture((&buffer, ChannelShape::Texture2d), &ranges, (2, 1));
    assert_eq!(picture, [[46, 0, 96], [168, 0, 191]]);
}

#[test]
fn samples_are_read_back_unchanged() {
    let bench = Bench::new(&GpuOptions::default());
    let texels = [[-5.0, 1e6, 0.5, 9.0f32], [f32::MIN_POSITIVE, 0.0, -0.25, 1.0]];
    let bytes = bytemuck::cast_slice(texels.as_flattened());
    let buffer = bench.texture([2, 1, 1], BUFFER_FORMAT, ChannelShape::Texture2d, bytes);
    let target = drawable(&bench.gpu.device, "samples", (64, 36), SAMPLE_FORMAT);
    let found = bench.texels(&target, |encoder| {
        let texture = (&buffer, ChannelShape::Texture2d);
        bench.painter.draw(encoder, texture, &Ranges::default(), &target);
    });
    let found: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&found);
    // Two texels side by side, stretched over 64 columns.
    assert_eq!([found[0], found[31], found[32]], [texels[0], texels[0], texels[1]]);
}

#[test]
fn cube_displays_all_directions() {
    let bench = Bench::new(&GpuOptions::default());
    // +x red, -x dark red, +y green, -y dark green, +z blue, -z dark blue.
    let faces = (0..6usize).flat_map(|face| {
        let mut texel = [0.0f32, 0.0, 0.0, 1.0];
        texel[face / 2] = if face % 2 == 0 { 1.0 } else { 0.6 };
        texel.map(|part| half::f16::from_f32(part).to_bits())
    });
    let texels: Vec<u16> = faces.collect();
    let bytes = bytemuck::cast_slice(&texels);
    let cube = bench.texture([1, 1, 6], CUBE_FORMAT, ChannelShape::Cube, bytes);
    let picture = bench.picture((&cube, ChannelShape::Cube), &Ranges::default(), (16, 8));
    let at = |x: usize, y: usize| picture[16 * y + x];
    assert_eq!([at(7, 3), at(8, 4)], [[0, 0, 153]; 2], "-z ahead");
    assert_eq!([at(11, 3), at(4, 4)], [[255, 0, 0], [153, 0, 0]], "x to the right");
    assert_eq!([at(0, 3), at(15, 4)], [[0, 0, 255]; 2], "+z behind");
    assert_eq!([at(3, 0), at(12, 7)], [[0, 255, 0], [0, 153, 0]], "y up");
}

#[test]
fn volume_displays_middle_layer() {
    let bench = Bench::new(&GpuOptions::default());
    let bytes = [10, 20, 30, 40, 50, 60];
    let format = wgpu::TextureFormat::R8Unorm;
    let volume = bench.texture([2, 1, 3], format, ChannelShape::Volume, &bytes);
    assert_eq!(describe(&volume), "2×1×3 r8");
    let picture = bench.picture((&volume, ChannelShape::Volume), &Ranges::default(), (2, 1));
    assert_eq!(picture, [[30, 0, 0], [40, 0, 0]]);
}
