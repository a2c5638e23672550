//! Frame rendering: draws tiles, reads them back, assembles them into bands and passes
//! these to a sink.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::error::CaptureError;
use super::exposure::Sample;
use super::run_channels::ChannelFeed;
use super::run_frames::RunFrame;
use super::sink::{Header, Sink};
use super::step::{Progress, Step};
use super::tile_renderer::TileRenderer;
use super::tiles::{Tile, Tiles};
use tarsus_render::{Depth, Gpu, Picture, SavedState};
use tarsus_shader::Program;

/// Renders frames of one size into a sink.
pub(super) struct FrameRenderer<'a> {
    gpu: &'a Gpu,
    sink: Box<dyn Sink + 'a>,
    renderer: TileRenderer<Arc<Header>>,
    tiles: Tiles,
    width: u32,
    depth: Depth,
    /// The band being assembled from its tiles.
    band: Option<Picture>,
}

impl<'a> FrameRenderer<'a> {
    /// Prepares to draw `program` in tiles with sides of at most `tile` pixels. `form` is
    /// the bit depth, and whether samples are averaged.
    pub(super) fn new(
        gpu: &'a Gpu,
        program: &Program,
        size: (u32, u32),
        tile: u32,
        form: (Depth, bool),
        channels: Option<ChannelFeed>,
        sink: Box<dyn Sink + 'a>,
    ) -> Result<Self, CaptureError> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if program.has_state() && size.0.max(size.1) > limit {
            return Err(CaptureError::BuffersTooLarge { size, limit });
        }
        let tiles = Tiles::new(size, tile.min(limit), form.0.pixel_bytes());
        Ok(Self {
            gpu,
            sink,
            renderer: TileRenderer::new(gpu, program, tiles.largest(), form, channels)?,
            tiles,
            width: size.0,
            depth: form.0,
            band: None,
        })
    }

    /// Runs the next frame of the scene's buffers.
    pub(super) fn advance(&mut self, frame: &RunFrame) -> Result<(), CaptureError> {
        self.renderer.advance(self.gpu, frame)
    }

    /// Reads back the buffer state; `None` for a scene without buffers.
    pub(super) fn saved_state(&mut self) -> Result<Option<SavedState>, CaptureError> {
        self.renderer.saved_state(self.gpu)
    }

    /// Restores the buffer state.
    pub(super) fn restore(&mut self, state: &SavedState) -> Result<(), CaptureError> {
        self.renderer.restore(self.gpu, state)
    }

    /// Draws all tiles of the frame as the average of `samples`. `go_on` is called before
    /// every tile and after every sample, and may stop the drawing.
    pub(super) fn draw<S: Iterator<Item = Sample>>(
        &mut self,
        header: &Arc<Header>,
        samples: impl Fn() -> S,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, CaptureError> {
        for tile in self.tiles.clone().iter() {
            if go_on().is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if self.renderer.is_full() {
                self.deliver()?;
            }
            let tag = Arc::clone(header);
            let drawn = self.renderer.draw(self.gpu, samples(), tile, tag, go_on)?;
            if drawn.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Waits until every complete frame is written. Discards a frame with missing tiles,
    /// and a video that is not `complete`. `progress` is called for every tile and when
    /// drawing ends; its result is ignored.
    pub(super) fn finish(
        mut self,
        complete: bool,
        begun: usize,
        progress: &mut Progress<'_>,
    ) -> Result<(), CaptureError> {
        while self.deliver()? {
            let _ = progress(Step::Drawing(begun));
        }
        let _ = progress(Step::Finishing);
        Ok(self.sink.finish(complete)?)
    }

    /// Passes on the oldest pending tile; returns false if there is none.
    fn deliver(&mut self) -> Result<bool, CaptureError> {
        let Some((header, tile, picture)) = self.renderer.fetch(self.gpu)? else {
            return Ok(false);
        };
        if let Some(rows) = self.complete(tile, picture) {
            self.sink.rows(&header, rows)?;
        }
        Ok(true)
    }

    /// Copies a tile into its band; returns the band if this was its last tile.
    fn complete(&mut self, tile: Tile, picture: Picture) -> Option<Picture> {
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
        for (to, from) in band
            .rgba
            .chunks_exact_mut(width * pixel)
            .zip(picture.rows())
        {
            to[left..left + from.len()].copy_from_slice(from);
        }
        if self.tiles.ends_band(&tile) {
            self.band.take()
        } else {
            None
        }
    }
}
