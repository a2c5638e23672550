//! The only draw path. It knows nothing of windows, clocks or files: whoever
//! wants a picture hands it a target and a [`Frame`].
//!
//! Objects by lifetime:
//! - once per scene: [`Renderer`] (pipeline, uniform buffers, bind groups);
//! - once per frame: the [`Frame`] given to [`Renderer::render`].

use std::ops::Range;

use thiserror::Error;

use crate::render::{Frame, KeyboardTexels};
use crate::render::{Gpu, Timestamps};
use crate::shader::{Composed, KEYBOARD_BINDING};

/// Width and height of the keyboard's texture.
const KEYBOARD_SIZE: (u32, u32) = (256, 3);

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
    keyboard: Option<wgpu::Texture>,
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
        let keyboard = scene.reads_keyboard.then(|| keyboard_texture(device));
        let frame_layout = layout(device, "frame", keyboard.is_some());
        let frame_buffer = uniform_buffer(device, "frame", size_of::<Frame>() as u64);
        let frame_group = group(device, &frame_layout, &frame_buffer, keyboard.as_ref());
        let size = scene.parameters.size();
        let parameter_layout = (size > 0).then(|| layout(device, "parameters", false));
        let parameters = parameter_layout.as_ref().map(|layout| {
            let buffer = uniform_buffer(device, "parameters", size);
            let group = group(device, layout, &buffer, None);
            (buffer, group)
        });
        let layouts = [Some(&frame_layout), parameter_layout.as_ref()];
        let used = if size > 0 { &layouts } else { &layouts[..1] };
        let pipeline = pipeline(device, used, scene, format);
        Self {
            pipeline,
            frame_buffer,
            frame_group,
            parameters,
            keyboard,
        }
    }

    /// Sets the scene's parameters: the bytes of its `Params` uniform.
    pub fn set_parameters(&self, gpu: &Gpu, bytes: &[u8]) {
        if let Some((buffer, _)) = &self.parameters {
            gpu.queue.write_buffer(buffer, 0, bytes);
        }
    }

    /// Sets the scene's keyboard; without effect if it does not read it.
    pub fn set_keyboard(&self, gpu: &Gpu, keyboard: &KeyboardTexels) {
        let Some(texture) = &self.keyboard else {
            return;
        };
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(KEYBOARD_SIZE.0),
            rows_per_image: None,
        };
        gpu.queue
            .write_texture(texture.as_image_copy(), keyboard, layout, texture.size());
    }

    /// Draws `frame` over the whole of `target` and submits the work.
    pub fn render(&self, gpu: &Gpu, target: &wgpu::TextureView, frame: &Frame) {
        self.submit(gpu, target, frame, 0..u32::MAX, None);
    }

    /// The same, and notes how long the adapter takes.
    pub fn render_timed(
        &self,
        gpu: &Gpu,
        target: &wgpu::TextureView,
        frame: &Frame,
        timestamps: &Timestamps,
    ) {
        self.submit(gpu, target, frame, 0..u32::MAX, Some(timestamps));
    }

    /// Draws some rows of `target`, counted from the top, and leaves the others
    /// as they are. Band by band this is the same picture as [`Self::render`],
    /// for who cannot wait for all of it.
    pub fn render_rows(
        &self,
        gpu: &Gpu,
        target: &wgpu::TextureView,
        frame: &Frame,
        rows: Range<u32>,
    ) {
        self.submit(gpu, target, frame, rows, None);
    }

    fn submit(
        &self,
        gpu: &Gpu,
        target: &wgpu::TextureView,
        frame: &Frame,
        rows: Range<u32>,
        timestamps: Option<&Timestamps>,
    ) {
        gpu.queue
            .write_buffer(&self.frame_buffer, 0, bytemuck::bytes_of(frame));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.draw(&mut encoder, target, rows, timestamps);
        if let Some(timestamps) = timestamps {
            timestamps.resolve(&mut encoder);
        }
        gpu.queue.submit([encoder.finish()]);
    }

    fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        rows: Range<u32>,
        timestamps: Option<&Timestamps>,
    ) {
        let size = target.texture().size();
        let (top, bottom) = (rows.start.min(size.height), rows.end.min(size.height));
        let whole = top == 0 && bottom == size.height;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: if whole {
                        wgpu::LoadOp::Clear(wgpu::Color::BLACK)
                    } else {
                        wgpu::LoadOp::Load
                    },
                    store: wgpu::StoreOp::Store,
                },
            })],
            timestamp_writes: timestamps.map(Timestamps::writes),
            ..Default::default()
        });
        pass.set_scissor_rect(0, top, size.width, bottom - top);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.frame_group, &[]);
        if let Some((_, group)) = &self.parameters {
            pass.set_bind_group(1, group, &[]);
        }
        pass.draw(0..3, 0..1);
    }
}

/// A group with a uniform at 0 and, where asked for, the keyboard at 1.
fn layout(device: &wgpu::Device, label: &str, keyboard: bool) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty,
        count: None,
    };
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
    let entries = [entry(0, uniform), entry(KEYBOARD_BINDING, texture)];
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: if keyboard { &entries } else { &entries[..1] },
    })
}

fn uniform_buffer(device: &wgpu::Device, label: &str, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: size.next_multiple_of(16),
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn keyboard_texture(device: &wgpu::Device) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("keyboard"),
        size: wgpu::Extent3d {
            width: KEYBOARD_SIZE.0,
            height: KEYBOARD_SIZE.1,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    uniform: &wgpu::Buffer,
    keyboard: Option<&wgpu::Texture>,
) -> wgpu::BindGroup {
    let view = keyboard.map(|texture| texture.create_view(&Default::default()));
    let texture = view.as_ref().map(|view| wgpu::BindGroupEntry {
        binding: KEYBOARD_BINDING,
        resource: wgpu::BindingResource::TextureView(view),
    });
    let buffer = wgpu::BindGroupEntry {
        binding: 0,
        resource: uniform.as_entire_binding(),
    };
    let entries: Vec<_> = [buffer].into_iter().chain(texture).collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &entries,
    })
}

fn pipeline(
    device: &wgpu::Device,
    layouts: &[Option<&wgpu::BindGroupLayout>],
    scene: &Composed,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("scene"),
        source: wgpu::ShaderSource::Naga(std::borrow::Cow::Owned(scene.module.clone())),
    });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("scene"),
        bind_group_layouts: layouts,
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
