//! Scaling of the scene's picture to the surface of the window.

use tarsus_render::FullscreenPipeline;

/// Draws a texture over an entire target of any size.
pub struct Upscaler {
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    target_size: wgpu::Buffer,
    identity: wgpu::RenderPipeline,
    bicubic: wgpu::RenderPipeline,
}

impl Upscaler {
    /// Creates the pipelines for targets of `format`.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let layout = layout(device);
        let module = device.create_shader_module(wgpu::include_wgsl!("upscale.wgsl"));
        let pipeline = |entry| {
            let fullscreen = FullscreenPipeline {
                label: "upscale",
                vertex: None,
                fragment: (&module, entry),
                layouts: &[Some(&layout)],
                format,
            };
            fullscreen.create(device)
        };
        Self {
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            target_size: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("target size"),
                size: 16,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            identity: pipeline("identity"),
            bicubic: pipeline("bicubic"),
            layout,
        }
    }

    /// Draws `picture` over the target of `pass`, which has `size` pixels.
    pub fn draw(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pass: &mut wgpu::RenderPass<'_>,
        picture: &wgpu::Texture,
        size: (u32, u32),
    ) {
        let target = [size.0 as f32, size.1 as f32, 0.0, 0.0];
        queue.write_buffer(&self.target_size, 0, bytemuck::bytes_of(&target));
        let same = (picture.width(), picture.height()) == size;
        pass.set_pipeline(if same { &self.identity } else { &self.bicubic });
        pass.set_bind_group(0, &self.group(device, picture), &[]);
        pass.draw(0..3, 0..1);
    }

    fn group(&self, device: &wgpu::Device, picture: &wgpu::Texture) -> wgpu::BindGroup {
        let view = picture.create_view(&Default::default());
        let resources = [
            self.target_size.as_entire_binding(),
            wgpu::BindingResource::TextureView(&view),
            wgpu::BindingResource::Sampler(&self.sampler),
        ];
        let entries: Vec<_> = (0u32..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("upscale"),
            layout: &self.layout,
            entries: &entries,
        })
    }
}

fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let uniform = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    let entries: Vec<_> = (0u32..)
        .zip([uniform, texture, sampler])
        .map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty,
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("upscale"),
        entries: &entries,
    })
}
