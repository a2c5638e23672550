//! Screenshots: the current frame drawn once more, in the same way as a capture.

use super::scene::{LiveChannels, LiveScene};
use crate::Snapshot;
use tarsus_render::{
    Checkpoint, Depth, Gpu, Inputs, Picture, Readback, RenderError, target_texture,
};

/// A finished screenshot.
pub struct Screenshot {
    /// The picture, drawn the same way as in a capture.
    pub picture: Picture,
    /// The buffer state at that time, if the scene has buffers.
    pub buffers: Option<Checkpoint>,
    /// The snapshot of the picture.
    pub snapshot: Snapshot,
    /// The inputs it was drawn from.
    pub inputs: Inputs,
}

/// A screenshot that the GPU is drawing.
pub(super) struct PendingScreenshot {
    readback: Readback,
    /// The screenshot, whose picture is yet to be read.
    screenshot: Screenshot,
}

impl PendingScreenshot {
    /// Submits a screenshot of `scene` from `inputs`, which `snapshot` describes.
    ///
    /// # Errors
    /// Returns [`RenderError`] if the picture is too large.
    pub(super) fn submit<C: LiveChannels>(
        gpu: &Gpu,
        scene: &mut LiveScene<C>,
        mut snapshot: Snapshot,
        inputs: Inputs,
    ) -> Result<Self, RenderError> {
        let target = target_texture(&gpu.device, inputs.size(), Depth::Eight)?;
        gpu.submit(|encoder| {
            let buffers = scene.renderer.checkpoint(encoder);
            scene.renderer.draw(encoder, &inputs, &target.create_view(&Default::default()))?;
            let readback = Readback::encode(&gpu.device, encoder, &target, None);
            snapshot.channels = scene.channels.hash().unwrap_or_default();
            let (width, height) = inputs.size();
            let picture = Picture { width, height, rgba: Vec::new() };
            Ok(Self { readback, screenshot: Screenshot { picture, buffers, snapshot, inputs } })
        })
    }

    /// Reads the picture, whose work is done.
    ///
    /// # Errors
    /// Returns [`RenderError`] if the device has failed.
    pub(super) fn finish(self, gpu: &Gpu) -> Result<Screenshot, RenderError> {
        let Self { readback, mut screenshot } = self;
        let finished = readback.try_finish()?;
        if let Some(error) = gpu.take_error() {
            return Err(RenderError::Device(error));
        }
        let missing = || RenderError::Device("the readback returned no picture".to_owned());
        screenshot.picture.rgba = finished.ok_or_else(missing)?;
        Ok(screenshot)
    }
}
