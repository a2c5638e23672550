//! Full-screen pipelines and passes: one triangle that covers the target. The scene, the
//! accumulator and the upscaler are all drawn this way.

use std::ops::Range;

/// The stages of a full-screen pipeline.
#[derive(Clone, Copy)]
pub struct Fullscreen<'a> {
    /// Name for graphics debuggers.
    pub label: &'a str,
    /// Vertex module and entry point; `None` for the plain triangle of `fullscreen.wgsl`.
    pub vertex: Option<(&'a wgpu::ShaderModule, &'a str)>,
    /// Fragment module and entry point.
    pub fragment: (&'a wgpu::ShaderModule, &'a str),
    /// Bind group layouts, in order.
    pub layouts: &'a [Option<&'a wgpu::BindGroupLayout>],
    /// Format of the target.
    pub format: wgpu::TextureFormat,
}

impl Fullscreen<'_> {
    /// Creates the pipeline.
    #[must_use]
    pub fn pipeline(&self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: self.layouts,
            immediate_size: 0,
        });
        let plain;
        let (vertex, vertex_entry) = match self.vertex {
            Some(stage) => stage,
            None => {
                plain = device.create_shader_module(wgpu::include_wgsl!("fullscreen.wgsl"));
                (&plain, "cover")
            }
        };
        let (fragment, fragment_entry) = self.fragment;
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: vertex,
                entry_point: Some(vertex_entry),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: fragment,
                entry_point: Some(fragment_entry),
                compilation_options: Default::default(),
                targets: &[Some(self.format.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// A full-screen pass over some rows of a target.
pub struct Cover<'a> {
    /// Name for graphics debuggers.
    pub label: &'a str,
    /// The target.
    pub target: &'a wgpu::TextureView,
    /// Rows to draw, counted from the top; `0..u32::MAX` means all. Other rows are left
    /// unchanged.
    pub rows: Range<u32>,
    /// Timestamp queries for the start and end of the pass.
    pub timestamps: Option<wgpu::RenderPassTimestampWrites<'a>>,
}

impl Cover<'_> {
    /// Encodes the pass: one triangle drawn with `pipeline` and the bind `groups` with
    /// their dynamic offsets, as instance `instance`.
    pub fn encode(
        self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::RenderPipeline,
        groups: &[(&wgpu::BindGroup, &[u32])],
        instance: u32,
    ) {
        let size = self.target.texture().size();
        let (top, bottom) = (
            self.rows.start.min(size.height),
            self.rows.end.min(size.height),
        );
        let is_whole = top == 0 && bottom == size.height;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(self.label),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: self.target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: if is_whole {
                        wgpu::LoadOp::Clear(wgpu::Color::BLACK)
                    } else {
                        wgpu::LoadOp::Load
                    },
                    store: wgpu::StoreOp::Store,
                },
            })],
            timestamp_writes: self.timestamps,
            ..Default::default()
        });
        pass.set_scissor_rect(0, top, size.width, bottom - top);
        pass.set_pipeline(pipeline);
        for (index, (group, offsets)) in (0..).zip(groups) {
            pass.set_bind_group(index, *group, offsets);
        }
        pass.draw(0..3, instance..instance + 1);
    }
}
