//! Full-screen pipelines and passes: one triangle that covers the target. The scene, the
//! accumulator and the upscaler are all drawn this way.

use std::ops::Range;

/// Creates a pipeline that draws three vertices to `target`. The stages are modules and entry
/// points, with the plain triangle of `fullscreen.wgsl` for no vertex stage; `layouts` are the bind
/// group layouts in order, `label` is a name for graphics debuggers.
pub(super) fn create_pipeline(
    device: &wgpu::Device,
    label: &str,
    vertex: Option<(&wgpu::ShaderModule, &str)>,
    fragment: (&wgpu::ShaderModule, &str),
    layouts: &[Option<&wgpu::BindGroupLayout>],
    target: wgpu::ColorTargetState,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: layouts,
        immediate_size: 0,
    });
    let plain;
    let (vertex, vertex_entry) = match vertex {
        Some(stage) => stage,
        None => {
            plain = device.create_shader_module(wgpu::include_wgsl!("fullscreen.wgsl"));
            (&plain, "fullscreen_triangle")
        }
    };
    let (fragment, fragment_entry) = fragment;
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
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
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Creates a pipeline that draws the plain triangle to `target`, with a fragment module and
/// entry point that read one bind group.
pub fn fullscreen_pipeline(
    device: &wgpu::Device,
    fragment: (&wgpu::ShaderModule, &str),
    layout: &wgpu::BindGroupLayout,
    target: impl Into<wgpu::ColorTargetState>,
) -> wgpu::RenderPipeline {
    create_pipeline(device, fragment.1, None, fragment, &[Some(layout)], target.into())
}

/// A render pass over all of a texture view, or over some of its rows.
pub struct FullscreenPass<'a> {
    /// The target.
    pub view: &'a wgpu::TextureView,
    /// Rows to draw, counted from the top; the others keep their contents. `None` for
    /// all.
    pub rows: Option<Range<u32>>,
    /// Colour to which a target that is drawn as a whole is cleared: opaque black by default.
    pub background: wgpu::Color,
    /// Timestamp queries for the start and end of the pass.
    pub timestamps: Option<wgpu::RenderPassTimestampWrites<'a>>,
}

impl<'a> From<&'a wgpu::TextureView> for FullscreenPass<'a> {
    fn from(view: &'a wgpu::TextureView) -> Self {
        Self { view, rows: None, background: wgpu::Color::BLACK, timestamps: None }
    }
}

impl FullscreenPass<'_> {
    /// Begins the pass. A target that is drawn as a whole is cleared to the background;
    /// otherwise drawing is limited to the rows. `label` is the pass's name for graphics
    /// debuggers.
    pub fn begin<'e>(
        self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &str,
    ) -> wgpu::RenderPass<'e> {
        let size = self.view.texture().size();
        let rows = self.rows.unwrap_or(0..size.height);
        let (top, bottom) = (rows.start.min(size.height), rows.end.min(size.height));
        let is_whole = top == 0 && bottom == size.height;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: self.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: if is_whole {
                        wgpu::LoadOp::Clear(self.background)
                    } else {
                        wgpu::LoadOp::Load
                    },
                    store: wgpu::StoreOp::Store,
                },
            })],
            timestamp_writes: self.timestamps,
            ..Default::default()
        });
        if !is_whole {
            pass.set_scissor_rect(0, top, size.width, bottom.saturating_sub(top));
        }
        pass
    }

    /// Begins the pass, and draws with a pipeline that reads one bind group.
    pub fn draw(
        self,
        encoder: &mut wgpu::CommandEncoder,
        label: &str,
        pipeline: &wgpu::RenderPipeline,
        group: &wgpu::BindGroup,
    ) {
        let mut pass = self.begin(encoder, label);
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, group, &[]);
        pass.draw(0..3, 0..1);
    }
}
