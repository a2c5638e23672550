//! Draws pictures tile by tile, directly for one sample per pixel, else as the average of
//! many; reads the tiles back and assembles them into bands.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use super::error::CaptureError;
use super::sink::Header;
use super::spec::Quality;
use super::tiles::{Tile, Tiles};
use tarsus_files::FileError;
use tarsus_media::Channels;
use tarsus_render::{
    Accumulator, Checkpoint, Depth, FullscreenPass, Gpu, Inputs, Picture, Readback, RenderError,
    Renderer, SAMPLE_FORMAT, SavedState, Viewport, Work, target_texture,
};
use tarsus_shader::{PassKind, Program};

/// Maximum number of unfinished GPU submissions. Further samples and buffer frames wait, so
/// that memory does not grow with their number.
const MAX_SUBMISSIONS: usize = 4;

/// Maximum number of pending tiles: one is drawn while one is copied and one is read.
const MAX_PENDING_TILES: usize = 3;

/// A tile that has been submitted, but not read back.
struct PendingTile {
    header: Arc<Header>,
    tile: Tile,
    submission: wgpu::SubmissionIndex,
    readback: Readback,
}

/// Receives the bands of pictures, from top to bottom.
pub(super) type TakeBand<'t> = dyn FnMut(&Arc<Header>, Picture) -> Result<(), FileError> + 't;

/// Reports progress; an error stops the drawing.
pub(super) type Report<'r> = dyn FnMut() -> Result<(), CaptureError> + 'r;

/// A renderer with the resources for tiles of one size.
pub(super) struct TileRenderer<'a> {
    gpu: &'a Gpu,
    renderer: Renderer,
    channels: Channels,
    depth: Depth,
    tiles: Tiles,
    /// True if a band is a whole picture, false if it is a row of tiles.
    has_whole_bands: bool,
    target: wgpu::Texture,
    view: wgpu::TextureView,
    /// `None` if the renderer draws directly into the target.
    accumulator: Option<Accumulator>,
    /// Pending tiles, oldest first.
    pending_tiles: VecDeque<PendingTile>,
    /// Buffers of finished readbacks, for reuse.
    idle: Vec<wgpu::Buffer>,
    /// Submissions of samples and buffer frames, oldest first.
    pending_samples: VecDeque<wgpu::SubmissionIndex>,
    /// The band being assembled from its tiles.
    band: Option<Picture>,
    /// Pixels per submission; `None` on a software renderer, which no watchdog resets.
    work: Option<Work>,
    /// Number of submissions so far, for the log.
    submissions: Cell<u64>,
    /// Number of tiles that were read back and passed on.
    delivered: usize,
}

impl<'a> TileRenderer<'a> {
    /// Prepares to draw pictures of `program` with `size` in tiles with sides of at most
    /// `tile` pixels, and to deliver them in bands, which are whole pictures if
    /// `has_whole_bands`.
    pub(super) fn new(
        gpu: &'a Gpu,
        program: &Program,
        size: (u32, u32),
        tile: u32,
        quality: &Quality,
        channels: Channels,
        has_whole_bands: bool,
    ) -> Result<Self, CaptureError> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        let mut buffers = program.state_passes().filter(|pass| pass.size.is_none());
        let has_buffers = buffers.any(|pass| pass.kind != PassKind::Cube);
        // Unlike pictures, buffers cannot be tiled.
        if has_buffers && size.0.max(size.1) > limit {
            let (width, height) = size;
            return Err(CaptureError::Failed(format!(
                "cannot run the buffers of the scene at {width}x{height}: this adapter draws at \
                 most {limit} pixels per side, and buffers have the size of the picture; hint: use \
                 a smaller `--size`"
            )));
        }
        let depth = quality.depth;
        let tiles = Tiles::new(size, tile.min(limit), depth.pixel_bytes());
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let target = target_texture(&gpu.device, tiles.largest, depth)?;
        let format = depth.texture_format();
        // Scenes return display-ready floats; only 8-bit targets take them directly.
        let is_averaged = quality.is_average() || depth != Depth::Eight;
        let accumulator = is_averaged
            .then(|| Accumulator::new(&gpu.device, tiles.largest, SAMPLE_FORMAT, format));
        if let Some(error) = pollster::block_on(scope.pop()) {
            return Err(RenderError::Device(error.to_string()).into());
        }
        let formats = [if is_averaged { SAMPLE_FORMAT } else { format }];
        let renderer = Renderer::for_gpu(gpu, program, &formats, false);
        Ok(Self {
            gpu,
            renderer: pollster::block_on(renderer)?,
            channels,
            depth,
            tiles,
            has_whole_bands,
            view: target.create_view(&Default::default()),
            target,
            accumulator,
            pending_tiles: VecDeque::new(),
            idle: Vec::new(),
            pending_samples: VecDeque::new(),
            band: None,
            work: (!gpu.is_software()).then(|| Work::pixels(false)),
            submissions: Cell::new(0),
            delivered: 0,
        })
    }

    /// Runs the next frame of the scene's buffers.
    pub(super) fn advance(&mut self, inputs: &Inputs) -> Result<(), CaptureError> {
        let mut encoder = self.encoder();
        self.update_channels(&mut encoder, inputs.frame.time)?;
        self.renderer.advance(&mut encoder, inputs);
        self.pending_samples.push_back(self.submit(&mut encoder));
        self.wait_for_samples()?;
        self.check_device()
    }

    /// Reads back the buffer state; `None` for a scene without buffers.
    pub(super) fn saved_state(&self) -> Result<Option<SavedState>, CaptureError> {
        let mut encoder = self.encoder();
        let checkpoint = self.renderer.checkpoint(&mut encoder);
        self.submit(&mut encoder);
        let state = checkpoint.map(|checkpoint| checkpoint.read(self.gpu));
        self.check_device()?;
        Ok(state.transpose()?)
    }

    /// Restores the buffer state.
    pub(super) fn restore(&mut self, state: &SavedState) -> Result<(), CaptureError> {
        let mut encoder = self.encoder();
        if let Some(checkpoint) = Checkpoint::from_saved(self.gpu, state) {
            self.renderer.restore(&mut encoder, &checkpoint);
        }
        self.submit(&mut encoder);
        self.check_device()
    }

    /// Draws all tiles of a picture as the average of `samples`, and passes bands of this
    /// or earlier pictures to `take`. Calls `report` before every tile, after every sample and
    /// between the rows of a slow tile, which may stop the drawing.
    pub(super) fn draw<S: Iterator<Item = Inputs>>(
        &mut self,
        header: &Arc<Header>,
        samples: impl Fn() -> S,
        take: &mut TakeBand<'_>,
        report: &mut Report<'_>,
    ) -> Result<(), CaptureError> {
        for tile in self.tiles.clone().iter() {
            report()?;
            if self.pending_tiles.len() == MAX_PENDING_TILES {
                self.deliver(take)?;
            }
            self.draw_tile(tile, header, samples(), report)?;
        }
        Ok(())
    }

    /// Waits for the oldest pending tile, and passes its band on if it is the last of it;
    /// returns false if there is none.
    pub(super) fn deliver(&mut self, take: &mut TakeBand<'_>) -> Result<bool, CaptureError> {
        let Some(PendingTile { header, tile, submission, readback }) =
            self.pending_tiles.pop_front()
        else {
            self.check_device()?;
            return Ok(false);
        };
        let begin = Instant::now();
        let (width, height) = tile.size;
        let row = self.depth.pixel_bytes() as u32 * width;
        let finished = readback.finish_cropped(Some(submission), row, height);
        if self.accumulator.is_none() {
            self.record_wait(begin);
        }
        // The device error explains more than the failed readback it caused.
        self.check_device()?;
        let picture = Picture { width, height, rgba: finished? };
        self.idle.push(readback.into_buffer());
        if self.delivered == 0 {
            log::info!("drew the first tile, {width}x{height}");
        }
        if let Some(band) = self.assemble(tile, picture) {
            take(&header, band)?;
        }
        self.delivered += 1;
        Ok(true)
    }

    /// Number of pictures whose bands were all passed on.
    pub(super) fn delivered_pictures(&self) -> usize {
        self.delivered / self.tiles.count()
    }

    /// Draws one tile and starts its readback. If the drawing is stopped, nothing is read
    /// back.
    fn draw_tile(
        &mut self,
        tile: Tile,
        header: &Arc<Header>,
        samples: impl Iterator<Item = Inputs>,
        report: &mut Report<'_>,
    ) -> Result<(), CaptureError> {
        let mut encoder = self.encoder();
        if let Some(accumulator) = &mut self.accumulator {
            accumulator.restart();
        }
        for mut inputs in samples {
            self.update_channels(&mut encoder, inputs.frame.time)?;
            inputs.frame.set_viewport(Viewport {
                origin: [-(tile.origin.0 as f32), -(tile.origin.1 as f32)],
                size: inputs.frame.resolution,
            });
            inputs.frame.output_step = self.depth.step();
            self.draw_rows(&mut encoder, &inputs, report)?;
            if let Some(accumulator) = &mut self.accumulator {
                accumulator.finish_sample(&mut encoder);
                let submission = self.submit(&mut encoder);
                self.pending_samples.push_back(submission);
                self.wait_for_samples()?;
                report()?;
            }
        }
        if let Some(accumulator) = &self.accumulator {
            accumulator.resolve(&mut encoder, &self.view);
        }
        let buffer = self.idle.pop();
        let readback = Readback::encode(&self.gpu.device, &mut encoder, &self.target, buffer);
        let submission = self.submit(&mut encoder);
        let header = Arc::clone(header);
        self.pending_tiles.push_back(PendingTile { header, tile, submission, readback });
        Ok(())
    }

    /// Draws a tile of `inputs` into the accumulator or the target. A slow tile is cut into
    /// rows, and all but the last are submitted and waited for. Calls `report` after each of
    /// these, which may stop the drawing.
    fn draw_rows(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        inputs: &Inputs,
        report: &mut Report<'_>,
    ) -> Result<(), CaptureError> {
        let (width, height) = self.tiles.largest;
        let mut row = 0;
        loop {
            let work = self.work.as_ref();
            let count = work.map_or(height, |work| work.rows(width, height - row));
            let rows = row..row + count;
            row = rows.end;
            let target = self.accumulator.as_ref().map_or(&self.view, Accumulator::sample_target);
            let band = FullscreenPass { rows: Some(rows), ..target.into() };
            self.renderer.draw(encoder, inputs, band)?;
            if row >= height {
                return Ok(());
            }
            // Earlier work does not count.
            self.wait_for(None)?;
            let begin = Instant::now();
            let submission = self.submit(encoder);
            self.wait_for(Some(submission))?;
            if let Some(work) = &mut self.work {
                work.record(count * width, begin.elapsed().as_secs_f64() * 1e3);
            }
            report()?;
        }
    }

    /// Adapts the work to a wait since `begin` for at least one whole tile.
    fn record_wait(&mut self, begin: Instant) {
        let (width, height) = self.tiles.largest;
        if let Some(work) = &mut self.work {
            work.record(width * height, begin.elapsed().as_secs_f64() * 1e3);
        }
    }

    /// Encodes uploads of the channels' contents at a scene time in seconds, where they have
    /// changed.
    fn update_channels(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        time: f64,
    ) -> Result<(), CaptureError> {
        for (number, texels) in self.channels.update(time)? {
            self.renderer.set_channel(encoder, number, &texels)?;
        }
        Ok(())
    }

    /// Submits the commands of `encoder`, which is empty then.
    fn submit(&self, encoder: &mut wgpu::CommandEncoder) -> wgpu::SubmissionIndex {
        self.submissions.update(|count| count + 1);
        let commands = std::mem::replace(encoder, self.encoder()).finish();
        self.gpu.queue.submit([commands])
    }

    /// Waits for a submission, or for all.
    fn wait_for(&self, submission: Option<wgpu::SubmissionIndex>) -> Result<(), CaptureError> {
        let wait = wgpu::PollType::Wait { submission_index: submission, timeout: None };
        let waited = self.gpu.device.poll(wait);
        waited.map_err(|error| RenderError::Device(error.to_string()))?;
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
            let begin = Instant::now();
            let oldest = self.pending_samples.pop_front();
            self.wait_for(oldest)?;
            if self.accumulator.is_some() {
                self.record_wait(begin);
            }
        }
        Ok(())
    }

    /// Copies a tile into its band; returns the band if this was its last tile.
    fn assemble(&mut self, tile: Tile, picture: Picture) -> Option<Picture> {
        let (width, whole) = self.tiles.size;
        let (top, height) =
            if self.has_whole_bands { (0, whole) } else { (tile.origin.1, tile.size.1) };
        if (picture.width, picture.height) == (width, height) {
            return Some(picture);
        }
        let end = (tile.origin.0 + tile.size.0, tile.origin.1 + tile.size.1);
        let ends_band = end == (width, top + height);
        let (pixel, row) = (self.depth.pixel_bytes(), self.depth.pixel_bytes() * width as usize);
        let band = self.band.get_or_insert_with(|| Picture {
            width,
            height,
            rgba: vec![0; row * height as usize],
        });
        let first = (tile.origin.1 - top) as usize * row;
        let left = tile.origin.0 as usize * pixel;
        let rows = band.rgba[first..].chunks_exact_mut(row);
        for (to, from) in rows.zip(picture.rows()) {
            to[left..left + from.len()].copy_from_slice(from);
        }
        self.band.take_if(|_| ends_band)
    }
}

impl Drop for TileRenderer<'_> {
    fn drop(&mut self) {
        let longest = self.work.as_ref().map(Work::longest_ms).filter(|ms| *ms > 0.0);
        let longest = longest.map(|ms| format!("; the longest that was timed took {ms:.1} ms"));
        let count = self.submissions.get();
        log::info!("finished after {count} submissions{}", longest.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::library;
    use std::path::PathBuf;
    use tarsus_render::{Frame, GpuOptions};
    use tarsus_shader::{Scene, compose};

    const SIZE: (u32, u32) = (380, 250);

    /// Draws a picture with this limit for its submissions. Returns its bytes, the number of
    /// its bands and that of the progress reports.
    fn draw(
        gpu: &Gpu,
        work: Option<Work>,
        quality: &Quality,
        has_whole_bands: bool,
    ) -> (Vec<u8>, usize, usize) {
        let text = "fn main_image(p: vec2f) -> vec4f {
            let c = fract(sin(p.x * 12.9 + p.y * 78.2) * 437.5);
            return vec4f(c, dpdy(c), p / 380.0);
        }";
        let scene = Scene::from_text(text, "s.wgsl");
        let program = compose(&scene, &library(), &[]).expect("a program");
        let channels = Channels::open(&[], &Default::default(), Default::default());
        let channels = channels.expect("no channels");
        let mut renderer =
            TileRenderer::new(gpu, &program, SIZE, 128, quality, channels, has_whole_bands)
                .unwrap_or_else(|error| panic!("{error}"));
        renderer.work = work;
        let samples = || {
            (0..quality.samples).map(|index| {
                let mut inputs = Inputs::new(Frame::new(SIZE, 0, 60.0));
                inputs.frame.set_sample(index);
                inputs
            })
        };
        let header = Arc::new(Header { path: PathBuf::new(), metadata: Default::default() });
        let (mut bytes, mut bands, mut reports) = (Vec::new(), 0, 0);
        let mut take = |_: &Arc<Header>, picture: Picture| {
            bytes.extend(picture.rgba);
            bands += 1;
            Ok(())
        };
        let mut report = || {
            reports += 1;
            Ok(())
        };
        renderer.draw(&header, samples, &mut take, &mut report).expect("drawn");
        while renderer.deliver(&mut take).expect("delivered") {}
        (bytes, bands, reports)
    }

    #[test]
    fn bounded_submissions_keep_bytes() {
        let gpu = pollster::block_on(Gpu::headless(&GpuOptions::default())).expect("an adapter");
        let averaged = Quality { samples: 3, depth: Depth::Sixteen, ..Quality::PLAIN };
        for quality in [Quality::PLAIN, averaged] {
            let (whole, bands, reports) = draw(&gpu, None, &quality, false);
            // The first submission has fewer pixels than a tile.
            let (cut, _, cut_reports) = draw(&gpu, Some(Work::pixels(false)), &quality, false);
            assert_eq!(whole.len(), 380 * 250 * quality.depth.pixel_bytes());
            assert_eq!(bands, 2, "two rows of tiles");
            assert!(whole == cut, "{quality:?}");
            assert!(cut_reports > reports, "every submission is progress");
            let (assembled, bands, _) = draw(&gpu, None, &quality, true);
            assert_eq!(bands, 1);
            assert!(assembled == whole, "{quality:?}");
        }
    }
}
