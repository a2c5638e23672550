//! The only draw path. It knows nothing of windows, clocks or files: whoever
//! wants a picture hands it a target and a [`Frame`].
//!
//! Objects by lifetime:
//! - once per scene: [`Renderer`] (pipeline, uniform buffers, bind groups);
//! - once per frame: the [`Frame`] given to [`Renderer::render`].

use thiserror::Error;

use crate::frame::Frame;
use crate::gpu::Gpu;
use crate::shader::Composed;

/// Why a composed scene could not become a pipeline.
#[derive(Debug, Error)]
#[error("the adapter refused the shader: {0}")]
pub struct RendererError(String);

/// Draws one scene into targets of one format.
pub struct Renderer {
    pipeline: wgpu::RenderPipeline,
    frame_buffer: wgpu::Buffer,
    frame_group: wgpu::BindGroup,
    parameters: Option<(wgpu::Buffer, wgpu::BindGroup)>,
}

impl Renderer {
    /// Builds the pipeline of `scene` for targets of `format`, which must not
    /// be an sRGB format: scenes return display-ready colours.
    ///
    /// # Errors
    /// [`RendererError`] with the driver's words when the pipeline is refused.
    pub async fn new(
        gpu: &Gpu,
        scene: &Composed,
        format: wgpu::TextureFormat,
    ) -> Result<Self, RendererError> {
        debug_assert!(!format.is_srgb(), "scenes return display-ready colours");
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let renderer = Self::build(&gpu.device, scene, format);
        renderer.set_parameters(gpu, &scene.parameters.default_bytes());
        match scope.pop().await {
            Some(error) => Err(RendererError(error.to_string())),
            None => Ok(renderer),
        }
    }

    fn build(device: &wgpu::Device, scene: &Composed, format: wgpu::TextureFormat) -> Self {
        let layout = uniform_layout(device, "frame");
        let (frame_buffer, frame_group) =
            uniform(device, &layout, "frame", size_of::<Frame>() as u64);
        let parameters = (scene.parameters.size() > 0)
            .then(|| uniform(device, &layout, "parameters", scene.parameters.size()));
        let pipeline = pipeline(device, &layout, scene, format);
        Self {
            pipeline,
            frame_buffer,
            frame_group,
            parameters,
        }
    }

    /// Sets the scene's parameters: the bytes of its `Params` uniform.
    pub fn set_parameters(&self, gpu: &Gpu, bytes: &[u8]) {
        if let Some((buffer, _)) = &self.parameters {
            gpu.queue.write_buffer(buffer, 0, bytes);
        }
    }

    /// Draws `frame` over the whole of `target` and submits the work.
    pub fn render(&self, gpu: &Gpu, target: &wgpu::TextureView, frame: &Frame) {
        gpu.queue
            .write_buffer(&self.frame_buffer, 0, bytemuck::bytes_of(frame));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.draw(&mut encoder, target);
        gpu.queue.submit([encoder.finish()]);
    }

    fn draw(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
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
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.frame_group, &[]);
        if let Some((_, group)) = &self.parameters {
            pass.set_bind_group(1, group, &[]);
        }
        pass.draw(0..3, 0..1);
    }
}

fn uniform_layout(device: &wgpu::Device, label: &str) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }],
    })
}

fn uniform(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    label: &str,
    size: u64,
) -> (wgpu::Buffer, wgpu::BindGroup) {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: size.next_multiple_of(16),
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &[wgpu::BindGroupEntry {
            binding: 0,
            resource: buffer.as_entire_binding(),
        }],
    });
    (buffer, group)
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    scene: &Composed,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("scene"),
        source: wgpu::ShaderSource::Naga(std::borrow::Cow::Owned(scene.module.clone())),
    });
    let groups: &[_] = if scene.parameters.size() > 0 {
        &[Some(layout), Some(layout)]
    } else {
        &[Some(layout)]
    };
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("scene"),
        bind_group_layouts: groups,
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("scene"),
        layout: Some(&pipeline_layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some(crate::shader::VERTEX_ENTRY),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some(crate::shader::FRAGMENT_ENTRY),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}
