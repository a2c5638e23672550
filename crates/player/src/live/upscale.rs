//! Scaling of the scene's picture to the surface of the window.

use tarsus_render::{
    FORMAT, FullscreenPass, Gpu, UNIFORM, bind_group, create_buffer, float_texture,
    fragment_layout, fullscreen_pipeline, reuse_drawable,
};

/// Draws a texture over an entire target of any size.
pub struct Upscaler {
    device: wgpu::Device,
    queue: wgpu::Queue,
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    target_size: wgpu::Buffer,
    identity: wgpu::RenderPipeline,
    bicubic: wgpu::RenderPipeline,
    smooth: wgpu::RenderPipeline,
    /// The picture smoothed last.
    smoothed: Option<wgpu::Texture>,
}

impl Upscaler {
    /// Creates the pipelines for targets of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let device = &gpu.device;
        let texture = float_texture(true, wgpu::TextureViewDimension::D2);
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let bindings = [(0, UNIFORM), (1, texture), (2, sampler)];
        let layout = fragment_layout(device, "upscale", &bindings);
        let module = device.create_shader_module(wgpu::include_wgsl!("upscale.wgsl"));
        let pipeline =
            |entry, format| fullscreen_pipeline(device, (&module, entry), &layout, format);
        Self {
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            target_size: create_buffer(
                device,
                "target size",
                16,
                wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            ),
            identity: pipeline("identity", format),
            bicubic: pipeline("bicubic", format),
            smooth: pipeline("smooth_edges", FORMAT),
            smoothed: None,
            layout,
            device: device.clone(),
            queue: gpu.queue.clone(),
        }
    }

    /// Returns `picture` with smooth edges if it is smaller than `size`, the picture itself
    /// otherwise: enlarged, the stairs of its edges would be as large.
    pub fn smooth(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        picture: &wgpu::Texture,
        size: (u32, u32),
    ) -> wgpu::Texture {
        let own_size = (picture.width(), picture.height());
        if own_size.0 >= size.0 {
            return picture.clone();
        }
        let old = self.smoothed.take();
        let target = reuse_drawable(old, &self.device, "smoothed", own_size, FORMAT);
        let view = target.create_view(&Default::default());
        let group = self.group(picture);
        FullscreenPass::from(&view).draw(encoder, "smooth", &self.smooth, &group);
        self.smoothed.insert(target).clone()
    }

    /// Draws `picture` over the target of `pass`, which has `size` pixels.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, picture: &wgpu::Texture, size: (u32, u32)) {
        let target_size = [size.0 as f32, size.1 as f32, 0.0, 0.0];
        self.queue.write_buffer(&self.target_size, 0, bytemuck::bytes_of(&target_size));
        let same = (picture.width(), picture.height()) == size;
        pass.set_pipeline(if same { &self.identity } else { &self.bicubic });
        pass.set_bind_group(0, &self.group(picture), &[]);
        pass.draw(0..3, 0..1);
    }

    fn group(&self, picture: &wgpu::Texture) -> wgpu::BindGroup {
        let view = picture.create_view(&Default::default());
        let resources = [
            self.target_size.as_entire_binding(),
            wgpu::BindingResource::TextureView(&view),
            wgpu::BindingResource::Sampler(&self.sampler),
        ];
        bind_group(&self.device, "upscale", &self.layout, (0..).zip(resources))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::ranges::Ranges;
    use crate::live::textures::tests::Bench;
    use tarsus_render::{GpuOptions, drawable};
    use tarsus_shader::ChannelShape;

    const SMALL: (u32, u32) = (40, 40);
    const LARGE: (u32, u32) = (160, 160);

    /// Draws the picture whose texels are bright where `is_bright`, and returns red of every
    /// pixel of the picture enlarged with or without smooth edges.
    fn enlarged(bench: &Bench, is_bright: impl Fn(f32, f32) -> bool, is_smooth: bool) -> Vec<f32> {
        let (device, queue) = (&bench.gpu.device, &bench.gpu.queue);
        let places = (0..SMALL.0 * SMALL.1).map(|at| (at % SMALL.0, at / SMALL.0));
        let texels: Vec<u8> = places
            .flat_map(|(x, y)| [if is_bright(x as f32 + 0.5, y as f32 + 0.5) { 255 } else { 0 }; 4])
            .collect();
        let picture =
            bench.texture([SMALL.0, SMALL.1, 1], FORMAT, ChannelShape::Texture2d, &texels);
        let mut upscaler = Upscaler::new(&bench.gpu, FORMAT);
        let target = drawable(device, "target", LARGE, FORMAT);
        let view = target.create_view(&Default::default());
        let mut encoder = device.create_command_encoder(&Default::default());
        let shown =
            if is_smooth { upscaler.smooth(&mut encoder, &picture, LARGE) } else { picture };
        let mut pass = FullscreenPass::from(&view).begin(&mut encoder, "test").forget_lifetime();
        upscaler.draw(&mut pass, &shown, LARGE);
        drop(pass);
        queue.submit([encoder.finish()]);
        let pixels = bench.picture((&target, ChannelShape::Texture2d), &Ranges::default(), LARGE);
        // The picture is shown upside down.
        let rows = pixels.chunks(LARGE.0 as usize).rev().flatten();
        rows.map(|pixel| f32::from(pixel[0]) / 255.0).collect()
    }

    #[test]
    fn slanted_edges_lose_their_stairs() {
        let bench = Bench::new(&GpuOptions::default());
        for slope in [-0.8, -0.35, 0.35, 0.6, 1.0] {
            let height = |x: f32| 20.0 + slope * (x - 20.0);
            // Contrast of the pixels along the edge, which all show its middle.
            let stairs = |is_smooth| {
                let pixels = enlarged(&bench, |x, y| y > height(x), is_smooth);
                let along = (40..120).map(|x| {
                    let y = 4.0 * height((x as f32 + 0.5) / 4.0);
                    pixels[y as usize * LARGE.0 as usize + x]
                });
                let values: Vec<f32> = along.collect();
                let mean = values.iter().sum::<f32>() / values.len() as f32;
                values.iter().map(|value| (value - mean).powi(2)).sum::<f32>()
            };
            let (before, after) = (stairs(false), stairs(true));
            assert!(after < 0.5 * before, "slope {slope}: {before} and {after}");
        }
    }

    #[test]
    fn straight_lines_and_dots_stay() {
        let bench = Bench::new(&GpuOptions::default());
        let shapes: [fn(f32, f32) -> bool; 3] =
            [|x, _| x as u32 == 20, |_, y| y as u32 == 20, |x, y| (x as u32, y as u32) == (20, 20)];
        for (number, shape) in shapes.into_iter().enumerate() {
            let pairs = enlarged(&bench, shape, false);
            let largest = pairs
                .iter()
                .zip(enlarged(&bench, shape, true))
                .map(|(before, after)| (before - after).abs())
                .fold(0.0, f32::max);
            assert!(largest < 0.02, "shape {number}: {largest}");
        }
    }
}
