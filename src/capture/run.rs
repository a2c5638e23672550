//! From shots to a sink: tiles are painted, fetched and put together to bands.

use crate::render::{Depth, Picture};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::CaptureError;
use super::sink::{Header, Sink};
use super::tile_renderer::TileRenderer;
use super::tiles::{Tile, Tiles};
use crate::render::{Gpu, Inputs};
use crate::shader::Program;

/// One frame to render.
#[derive(Clone, Debug)]
pub struct Shot {
    /// Where it goes.
    pub header: Arc<Header>,
    /// What it is the average of; at least one.
    pub samples: Vec<Inputs>,
}

/// What all shots of a run have in common.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Bits of every component.
    pub depth: Depth,
    /// Longest side of a tile.
    pub tile: u32,
    /// True if a shot may have several samples.
    pub averaged: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Frames written.
    pub written: usize,
    /// False if it was broken off.
    pub complete: bool,
}

/// Renders every shot into `sink`. `progress` hears how many frames were begun,
/// before every frame and between the tiles of one, and may break the run off.
/// A frame of one tile that is in hand is still written; one of several tiles
/// is given up.
///
/// # Errors
/// [`CaptureError`] at the first frame that cannot be drawn or written.
pub fn run(
    gpu: &Gpu,
    scene: &Program,
    shape: Shape,
    shots: impl Iterator<Item = Shot>,
    mut sink: Box<dyn Sink + '_>,
    mut progress: impl FnMut(usize) -> ControlFlow<()>,
) -> Result<Outcome, CaptureError> {
    let mut run = Run::new(gpu, scene, shape, &mut *sink)?;
    let mut outcome = Outcome {
        written: 0,
        complete: true,
    };
    for shot in shots {
        if run.shot(&shot, || progress(outcome.written))?.is_break() {
            outcome.complete = false;
            break;
        }
        outcome.written += 1;
    }
    while run.deliver()? {}
    sink.finish(outcome.complete)?;
    Ok(outcome)
}

/// A run under way.
struct Run<'a> {
    gpu: &'a Gpu,
    sink: &'a mut dyn Sink,
    renderer: TileRenderer<Arc<Header>>,
    tiles: Tiles,
    width: u32,
    depth: Depth,
    /// The band that has some of its tiles.
    band: Option<Picture>,
}

impl<'a> Run<'a> {
    fn new(
        gpu: &'a Gpu,
        scene: &Program,
        shape: Shape,
        sink: &'a mut dyn Sink,
    ) -> Result<Self, CaptureError> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        let tiles = Tiles::new(shape.size, shape.tile.min(limit), shape.depth.pixel_bytes());
        Ok(Self {
            gpu,
            sink,
            renderer: TileRenderer::new(gpu, scene, tiles.largest(), shape.depth, shape.averaged)?,
            tiles,
            width: shape.size.0,
            depth: shape.depth,
            band: None,
        })
    }

    /// Paints every tile of a shot, as long as `go_on` says so.
    fn shot(
        &mut self,
        shot: &Shot,
        mut go_on: impl FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, CaptureError> {
        for tile in self.tiles.clone().iter() {
            if go_on().is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if self.renderer.is_full() {
                self.deliver()?;
            }
            let header = Arc::clone(&shot.header);
            self.renderer
                .draw(self.gpu, shot.samples.iter().cloned(), tile, header)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Hands the oldest tile under way on; false when there is none.
    fn deliver(&mut self) -> Result<bool, CaptureError> {
        let Some((header, tile, picture)) = self.renderer.fetch(self.gpu)? else {
            return Ok(false);
        };
        if let Some(rows) = self.complete(tile, picture) {
            self.sink.rows(&header, rows)?;
        }
        Ok(true)
    }

    /// Puts a tile into its band, and gives the band if that was the last.
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
