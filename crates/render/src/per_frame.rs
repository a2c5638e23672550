//! Values that are uniform across a picture: computed once by drawing a few texels, and
//! copied into a uniform that the other passes read.
//!
//! They are read from a uniform rather than from the texture, because every adapter reads
//! uniforms without per-pixel work.

use super::frame::{Frame, Inputs};
use super::fullscreen::FullscreenPass;
use super::gpu_objects::copy_to_buffer;
use super::modules::Modules;
use super::resources::{PER_FRAME_FORMAT, PER_FRAME_VALUE_BYTES, Resources};
use super::scene_pass::ScenePass;
use tarsus_shader::{PER_FRAME_ROW, Pass};

/// The pass that computes the values of a scene's `per_frame`.
pub(super) struct PerFrame {
    pass: ScenePass,
    view: wgpu::TextureView,
    /// Uniforms of the current values; empty before the first evaluation.
    uniforms: Vec<u8>,
    /// Revision of the buffers and channels of the current values.
    revision: u64,
    /// Number of evaluations so far.
    #[cfg(test)]
    pub evaluations: usize,
}

impl PerFrame {
    /// Prepares `pass`, one of those of `modules`, without its pipeline.
    pub(super) fn new(
        device: &wgpu::Device,
        pass: &Pass,
        modules: &mut Modules<'_>,
        resources: &Resources,
    ) -> Self {
        Self {
            pass: ScenePass::new(device, pass, modules.get(pass, resources), resources),
            view: resources.per_frame_texture.create_view(&Default::default()),
            uniforms: Vec::new(),
            revision: 0,
            #[cfg(test)]
            evaluations: 0,
        }
    }

    /// The pass that computes the values.
    pub(super) fn pass(&self) -> &ScenePass {
        &self.pass
    }

    /// Encodes the evaluation for `inputs`, whose frame is replaced by `frame`, unless the
    /// values are up to date. They are the same for every tile of a picture, every face
    /// of a cube and every block of sound.
    pub(super) fn update(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Frame,
        inputs: &Inputs,
        resources: &mut Resources,
    ) {
        let frame = frame.without_tile();
        let uniforms = resources.uniforms.pack(&frame, inputs);
        let is_same_revision =
            self.revision == resources.revision || !self.pass.reads_buffers_or_channels();
        if self.uniforms == uniforms && is_same_revision {
            return;
        }
        self.uniforms.clear();
        self.uniforms.extend_from_slice(uniforms);
        self.revision = resources.revision;
        #[cfg(test)]
        {
            self.evaluations += 1;
        }
        resources.uniforms.upload(encoder, &frame, inputs);
        self.pass.bind(resources);
        let mut pass = FullscreenPass::from(&self.view).begin(encoder, "per frame");
        self.pass.paint(&mut pass, PER_FRAME_FORMAT);
        drop(pass);
        let Resources { per_frame_texture, per_frame, .. } = resources;
        let row = PER_FRAME_ROW * PER_FRAME_VALUE_BYTES;
        copy_to_buffer(encoder, per_frame_texture, per_frame, row);
    }
}
