//! Values that are uniform across a picture: computed once by drawing a few texels, and
//! copied into a uniform that the other passes read.
//!
//! They are read from a uniform rather than from the texture, because every adapter reads
//! uniforms without per-pixel work.

use super::modules::Modules;
use super::resources::{PER_FRAME_VALUE, Resources};
use super::scene_pass::{ScenePass, Target};
use super::uniforms::DrawUniforms;
use tarsus_shader::{PER_FRAME, PER_FRAME_ROW, Pass, PassKind};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

/// The pass that computes the values of a scene's `per_frame`.
pub(super) struct PerFrame {
    pass: ScenePass,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
}

impl PerFrame {
    /// Creates the pipeline and the target; the module of `pass` is in `modules`.
    pub(super) fn new(
        device: &wgpu::Device,
        pass: &Pass,
        modules: &Modules,
        resources: &Resources,
    ) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("per frame"),
            size: wgpu::Extent3d {
                width: PER_FRAME_ROW,
                height: PER_FRAME / PER_FRAME_ROW,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Self {
            pass: ScenePass::new(device, pass, modules.of(pass), FORMAT, resources),
            view: texture.create_view(&Default::default()),
            texture,
        }
    }

    /// Encodes the values for the following passes that read the same `slot`.
    pub(super) fn encode(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        slot: DrawUniforms,
        resources: &Resources,
    ) {
        let target = Target {
            view: &self.view,
            rows: 0..u32::MAX,
            timestamps: None,
        };
        self.pass.encode(encoder, target, slot, resources);
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &resources.per_frame,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(PER_FRAME_ROW * PER_FRAME_VALUE),
                    rows_per_image: None,
                },
            },
            self.texture.size(),
        );
        if let Some(texels) = resources.uniforms.texels_for(PassKind::Image) {
            texels.copy_per_frame(encoder, &resources.per_frame);
        }
    }
}
