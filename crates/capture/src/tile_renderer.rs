//! Draws pictures tile by tile, directly for one sample per pixel, else as the average of
//! many; reads the tiles back and assembles them into bands.

use std::collections::VecDeque;
use std::sync::Arc;

use super::channels::ChannelUpdater;
use super::error::CaptureError;
use super::frames::Sample;
use super::progress::{Progress, Step, report};
use super::quality::Quality;
use super::sink::Header;
use super::tiles::{Tile, Tiles};
use tarsus_files::FileError;
use tarsus_render::{
    Accumulator, Checkpoint, Depth, Gpu, Picture, RenderError, RenderTarget, Renderer,
    SAMPLE_FORMAT, SavedState, Viewport,
};
use tarsus_shader::Program;

/// Maximum number of unfinished GPU submissions. Further samples and buffer frames wait, so
/// that memory does not grow with their number.
const MAX_SUBMISSIONS: usize = 4;

/// Receives the bands of pictures, from top to bottom.
pub(super) type TakeBand<'t> = dyn FnMut(&Arc<Header>, Picture) -> Result<(), FileError> + 't;

/// A renderer with the resources for tiles of one size.
pub(super) struct TileRenderer<'a> {
    gpu: &'a Gpu,
    renderer: Renderer,
    /// Channels of the scene, if it has any.
    channels: Option<ChannelUpdater>,
    depth: Depth,
    width: u32,
    tiles: Tiles,
    target: RenderTarget<(Arc<Header>, Tile)>,
    /// `None` if the renderer draws directly into the target.
    accumulator: Option<Accumulator>,
    /// Submissions of pending tiles, oldest first.
    pending_tiles: VecDeque<wgpu::SubmissionIndex>,
    /// Submissions of samples and buffer frames, oldest first.
    pending_samples: VecDeque<wgpu::SubmissionIndex>,
    /// The band being assembled from its tiles.
    band: Option<Picture>,
}

impl<'a> TileRenderer<'a> {
    /// Prepares to draw pictures of `program` with `size` in tiles with sides of at most
    /// `tile` pixels.
    pub(super) fn new(
        gpu: &'a Gpu,
        program: &Program,
        size: (u32, u32),
        tile: u32,
        quality: &Quality,
        channels: Option<ChannelUpdater>,
    ) -> Result<Self, CaptureError> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if program.has_state() && size.0.max(size.1) > limit {
            return Err(CaptureError::BuffersTooLarge { size, limit });
        }
        let depth = quality.depth;
        let tiles = Tiles::new(size, tile.min(limit), depth.pixel_bytes());
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let target = RenderTarget::new(&gpu.device, tiles.largest(), depth)?;
        let format = depth.texture_format();
        // Scenes return display-ready floats; only 8-bit targets take them directly.
        let is_averaged = quality.is_average() || depth != Depth::Eight;
        let accumulator = is_averaged
            .then(|| Accumulator::new(&gpu.device, tiles.largest(), SAMPLE_FORMAT, format));
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(RenderError::Device(error.to_string()).into());
        }
        let formats = [if is_averaged { SAMPLE_FORMAT } else { format }];
        let renderer = Renderer::new_warmed_up(&gpu.device, &gpu.queue, program, &formats);
        Ok(Self {
            gpu,
            renderer: pollster::block_on(renderer)?,
            channels,
            depth,
            width: size.0,
            tiles,
            target,
            accumulator,
            pending_tiles: VecDeque::new(),
            pending_samples: VecDeque::new(),
            band: None,
        })
    }

    /// Runs the next frame of the scene's buffers.
    pub(super) fn advance(&mut self, frame: &Sample) -> Result<(), CaptureError> {
        let mut encoder = self.encoder();
        if let Some(channels) = &mut self.channels {
            channels.update(&mut encoder, &mut self.renderer, frame.time)?;
        }
        let queue = &self.gpu.queue;
        self.renderer
            .advance(queue, &mut encoder, &frame.inputs, None);
        self.pending_samples
            .push_back(queue.submit([encoder.finish()]));
        self.wait_for_samples()?;
        self.check_device()
    }

    /// Reads back the buffer state; `None` for a scene without buffers.
    pub(super) fn saved_state(&self) -> Result<Option<SavedState>, CaptureError> {
        let Gpu { device, queue, .. } = self.gpu;
        let mut encoder = self.encoder();
        let checkpoint = self.renderer.checkpoint(&mut encoder);
        queue.submit([encoder.finish()]);
        let state = checkpoint.map(|checkpoint| checkpoint.read(device, queue));
        self.check_device()?;
        Ok(state.transpose()?)
    }

    /// Restores the buffer state.
    pub(super) fn restore(&mut self, state: &SavedState) -> Result<(), CaptureError> {
        let Gpu { device, queue, .. } = self.gpu;
        let mut encoder = self.encoder();
        if let Some(checkpoint) = Checkpoint::from_saved(device, queue, state) {
            self.renderer.restore(&mut encoder, &checkpoint);
        }
        queue.submit([encoder.finish()]);
        self.check_device()
    }

    /// Draws all tiles of a picture as the average of `samples`, and passes bands of this
    /// or earlier pictures to `take`. Reports `step` before every tile and after every
    /// sample, which may stop the drawing.
    pub(super) fn draw<S: Iterator<Item = Sample>>(
        &mut self,
        header: &Arc<Header>,
        samples: impl Fn() -> S,
        take: &mut TakeBand<'_>,
        step: Step<'_>,
        progress: &mut Progress<'_>,
    ) -> Result<(), CaptureError> {
        for tile in self.tiles.clone().iter() {
            report(progress, step)?;
            if self.target.is_full() {
                self.deliver(take)?;
            }
            self.draw_tile(tile, header, samples(), step, progress)?;
        }
        Ok(())
    }

    /// Waits for the oldest pending tile, and passes its band on if it is the last of it;
    /// returns false if there is none.
    pub(super) fn deliver(&mut self, take: &mut TakeBand<'_>) -> Result<bool, CaptureError> {
        let submission = self.pending_tiles.pop_front();
        let fetched = self
            .target
            .finish_cropped(submission, |(_, tile)| tile.size);
        // The device error explains more than the failed readback it caused.
        self.check_device()?;
        let Some(((header, tile), picture)) = fetched? else {
            return Ok(false);
        };
        if let Some(band) = self.assemble(tile, picture) {
            take(&header, band)?;
        }
        Ok(true)
    }

    /// Draws one tile and starts its readback. If the drawing is stopped, nothing is read
    /// back.
    fn draw_tile(
        &mut self,
        tile: Tile,
        header: &Arc<Header>,
        samples: impl Iterator<Item = Sample>,
        step: Step<'_>,
        progress: &mut Progress<'_>,
    ) -> Result<(), CaptureError> {
        let queue = &self.gpu.queue;
        let mut encoder = self.encoder();
        if let Some(accumulator) = &mut self.accumulator {
            accumulator.restart();
        }
        for Sample { time, mut inputs } in samples {
            if let Some(channels) = &mut self.channels {
                channels.update(&mut encoder, &mut self.renderer, time)?;
            }
            inputs.frame.set_viewport(Viewport {
                origin: [-(tile.origin.0 as f32), -(tile.origin.1 as f32)],
                size: inputs.frame.resolution,
            });
            inputs.frame.output_step = self.depth.step();
            let Some(accumulator) = &mut self.accumulator else {
                let view = self.target.view();
                self.renderer.draw(queue, &mut encoder, &inputs, view)?;
                continue;
            };
            accumulator.add(queue, &mut encoder, &mut self.renderer, &inputs)?;
            let next = self.encoder();
            let commands = std::mem::replace(&mut encoder, next).finish();
            self.pending_samples.push_back(queue.submit([commands]));
            self.wait_for_samples()?;
            report(progress, step)?;
        }
        if let Some(accumulator) = &self.accumulator {
            accumulator.resolve(&mut encoder, self.target.view());
        }
        let tag = (Arc::clone(header), tile);
        self.target.read_back(&mut encoder, tag)?;
        self.pending_tiles
            .push_back(queue.submit([encoder.finish()]));
        Ok(())
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        let device = &self.gpu.device;
        device.create_command_encoder(&Default::default())
    }

    /// Returns the error that the device has reported, if any.
    fn check_device(&self) -> Result<(), CaptureError> {
        match self.gpu.take_error() {
            Some(error) => Err(RenderError::Device(error).into()),
            None => Ok(()),
        }
    }

    fn wait_for_samples(&mut self) -> Result<(), CaptureError> {
        while self.pending_samples.len() > MAX_SUBMISSIONS {
            let wait = wgpu::PollType::Wait {
                submission_index: self.pending_samples.pop_front(),
                timeout: None,
            };
            let waited = self.gpu.device.poll(wait);
            waited.map_err(|error| RenderError::Device(error.to_string()))?;
        }
        Ok(())
    }

    /// Copies a tile into its band; returns the band if this was its last tile.
    fn assemble(&mut self, tile: Tile, picture: Picture) -> Option<Picture> {
        if picture.width == self.width {
            return Some(picture);
        }
        let pixel = self.depth.pixel_bytes();
        let width = self.width as usize;
        let band = self.band.get_or_insert_with(|| Picture {
            width: self.width,
            height: tile.size.1,
            rgba: vec![0; width * tile.size.1 as usize * pixel],
        });
        let left = tile.origin.0 as usize * pixel;
        let rows = band.rgba.chunks_exact_mut(width * pixel);
        for (to, from) in rows.zip(picture.rows()) {
            to[left..left + from.len()].copy_from_slice(from);
        }
        self.band.take_if(|_| self.tiles.ends_band(&tile))
    }
}
