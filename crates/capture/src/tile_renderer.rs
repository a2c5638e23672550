//! Draws pictures tile by tile: directly for one sample per pixel, else as the average of
//! many.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::error::CaptureError;
use super::exposure::Sample;
use super::run_channels::ChannelFeed;
use super::run_frames::RunFrame;
use super::tiles::Tile;
use tarsus_render::{
    self, Accumulator, Checkpoint, Depth, Gpu, Picture, RenderError, RenderTarget, Renderer,
    SAMPLE_FORMAT, SavedState, Viewport,
};
use tarsus_shader::Program;

/// Maximum number of unfinished GPU submissions. Further samples and buffer frames wait, so
/// that memory does not grow with their number.
const SUBMISSIONS: usize = 4;

/// A renderer with the resources for tiles of one size.
pub(super) struct TileRenderer<Tag> {
    renderer: Renderer,
    /// Channels of the scene, if it has any.
    channels: Option<ChannelFeed>,
    depth: Depth,
    target: RenderTarget<(Tag, Tile)>,
    /// `None` if the renderer draws directly into the target.
    accumulator: Option<Accumulator>,
    /// Submissions of pending tiles, oldest first.
    tiles: VecDeque<wgpu::SubmissionIndex>,
    /// Submissions of samples and buffer frames, oldest first.
    samples: VecDeque<wgpu::SubmissionIndex>,
}

impl<Tag> TileRenderer<Tag> {
    /// Prepares to draw `program` in tiles of at most `tile` pixels, at this bit depth,
    /// with one sample per pixel or, if `averaged`, any number.
    pub(super) fn new(
        gpu: &Gpu,
        program: &Program,
        tile: (u32, u32),
        (depth, averaged): (Depth, bool),
        channels: Option<ChannelFeed>,
    ) -> Result<Self, CaptureError> {
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let target = RenderTarget::new(&gpu.device, tile, depth)?;
        let format = tarsus_render::format(depth);
        // Scenes return display-ready floats; only 8-bit targets take them directly.
        let averaged = averaged || depth != Depth::Eight;
        let accumulator =
            averaged.then(|| Accumulator::new(&gpu.device, tile, SAMPLE_FORMAT, format));
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(RenderError::Device(error.to_string()).into());
        }
        let formats = [if averaged { SAMPLE_FORMAT } else { format }];
        let renderer = Renderer::new_warmed_up(&gpu.device, &gpu.queue, program, &formats);
        Ok(Self {
            renderer: pollster::block_on(renderer)?,
            channels,
            depth,
            target,
            accumulator,
            tiles: VecDeque::new(),
            samples: VecDeque::new(),
        })
    }

    /// True if a picture must be fetched before another can be drawn.
    pub(super) fn is_full(&self) -> bool {
        self.target.is_full()
    }

    /// Runs the next frame of the scene's buffers.
    pub(super) fn advance(&mut self, gpu: &Gpu, frame: &RunFrame) -> Result<(), CaptureError> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        if let Some(channels) = &mut self.channels {
            channels.follow(&mut encoder, &mut self.renderer, frame.time)?;
        }
        self.renderer
            .advance(&gpu.queue, &mut encoder, &frame.inputs, None);
        self.samples.push_back(gpu.queue.submit([encoder.finish()]));
        self.wait_for_samples(gpu)?;
        match gpu.take_error() {
            Some(error) => Err(RenderError::Device(error).into()),
            None => Ok(()),
        }
    }

    /// Reads back the buffer state; `None` for a scene without buffers.
    pub(super) fn saved_state(&self, gpu: &Gpu) -> Result<Option<SavedState>, CaptureError> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let checkpoint = self.renderer.checkpoint(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        let read = checkpoint.map(|checkpoint| checkpoint.read(&gpu.device, &gpu.queue));
        match gpu.take_error() {
            Some(error) => Err(RenderError::Device(error).into()),
            None => Ok(read.transpose()?),
        }
    }

    /// Restores the buffer state.
    pub(super) fn restore(&mut self, gpu: &Gpu, state: &SavedState) -> Result<(), CaptureError> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        if let Some(checkpoint) = Checkpoint::from_saved(&gpu.device, &gpu.queue, state) {
            self.renderer.restore(&mut encoder, &checkpoint);
        }
        gpu.queue.submit([encoder.finish()]);
        match gpu.take_error() {
            Some(error) => Err(RenderError::Device(error).into()),
            None => Ok(()),
        }
    }

    /// Draws `tile` of the picture that averages `samples`, and starts its readback.
    /// `go_on` is called after every sample; if it stops the drawing, nothing is read back.
    pub(super) fn draw(
        &mut self,
        gpu: &Gpu,
        samples: impl Iterator<Item = Sample>,
        tile: Tile,
        tag: Tag,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, CaptureError> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        if let Some(accumulator) = &mut self.accumulator {
            accumulator.restart();
        }
        for Sample { time, mut inputs } in samples {
            if let Some(channels) = &mut self.channels {
                channels.follow(&mut encoder, &mut self.renderer, time)?;
            }
            inputs.frame.set_viewport(Viewport {
                origin: [-(tile.origin.0 as f32), -(tile.origin.1 as f32)],
                size: inputs.frame.resolution,
            });
            inputs.frame.output_step = self.depth.step();
            let Some(accumulator) = &mut self.accumulator else {
                let view = self.target.view();
                self.renderer
                    .draw(&gpu.queue, &mut encoder, &inputs, view)?;
                continue;
            };
            accumulator.add(&gpu.queue, &mut encoder, &mut self.renderer, &inputs)?;
            let next = gpu.device.create_command_encoder(&Default::default());
            let commands = std::mem::replace(&mut encoder, next).finish();
            self.samples.push_back(gpu.queue.submit([commands]));
            self.wait_for_samples(gpu)?;
            if go_on().is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if let Some(accumulator) = &self.accumulator {
            accumulator.resolve(&mut encoder, self.target.view());
        }
        self.target.read_back(&mut encoder, (tag, tile))?;
        self.tiles.push_back(gpu.queue.submit([encoder.finish()]));
        Ok(ControlFlow::Continue(()))
    }

    fn wait_for_samples(&mut self, gpu: &Gpu) -> Result<(), CaptureError> {
        while self.samples.len() > SUBMISSIONS {
            let wait = wgpu::PollType::Wait {
                submission_index: self.samples.pop_front(),
                timeout: None,
            };
            gpu.device
                .poll(wait)
                .map_err(|error| RenderError::Device(error.to_string()))?;
        }
        Ok(())
    }

    /// Waits for the oldest pending tile; `None` if there is none.
    pub(super) fn fetch(
        &mut self,
        gpu: &Gpu,
    ) -> Result<Option<(Tag, Tile, Picture)>, CaptureError> {
        let submission = self.tiles.pop_front();
        let fetched = self
            .target
            .finish_cropped(submission, |(_, tile)| tile.size);
        // The device error explains more than the failed readback it caused.
        if let Some(error) = gpu.take_error() {
            return Err(RenderError::Device(error).into());
        }
        Ok(fetched?.map(|((tag, tile), picture)| (tag, tile, picture)))
    }
}
