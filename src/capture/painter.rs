//! Draws pictures tile by tile: plainly where one sample is asked for, else as
//! the average of many.

use super::CaptureError;
use super::tiles::Tile;
use crate::player::Keyboard;
use crate::render::Frame;
use crate::render::Gpu;
use crate::render::Renderer;
use crate::render::{self, RenderTarget};
use crate::render::{Accumulator, SAMPLE_FORMAT};
use crate::render::{Depth, Picture};
use crate::shader::Composed;

/// One rendering: what the scene is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The uniform.
    pub frame: Frame,
    /// The bytes of the scene's parameters.
    pub parameters: Vec<u8>,
    /// What the keys do.
    pub keyboard: Keyboard,
}

/// A renderer with everything for tiles of one size.
pub(super) struct Painter<Tag> {
    renderer: Renderer,
    offscreen: RenderTarget<(Tag, Tile)>,
    /// Missing where the renderer draws into the target itself.
    accumulator: Option<Accumulator>,
    /// What the renderer was told last.
    parameters: Vec<u8>,
    keyboard: Keyboard,
}

impl<Tag> Painter<Tag> {
    /// Prepares to draw `scene` in tiles of at most `tile` pixels, with one
    /// sample per pixel or, if `averaged`, any number.
    pub(super) fn new(
        gpu: &Gpu,
        scene: &Composed,
        tile: (u32, u32),
        depth: Depth,
        averaged: bool,
    ) -> Result<Self, CaptureError> {
        let offscreen = RenderTarget::with_depth(gpu, tile, depth)?;
        let target = render::format(depth);
        // Scenes return display-ready floats: a target of whole numbers cannot
        // take them, and one in linear light needs them decoded.
        let averaged = averaged || depth != Depth::Eight;
        let format = if averaged { SAMPLE_FORMAT } else { target };
        let renderer = pollster::block_on(Renderer::new(gpu, scene, format))
            .map_err(|error| crate::render::RenderError::Device(error.to_string()))?;
        Ok(Self {
            renderer,
            offscreen,
            accumulator: averaged.then(|| Accumulator::new(gpu, tile, SAMPLE_FORMAT, target)),
            parameters: Vec::new(),
            keyboard: Keyboard::default(),
        })
    }

    /// True when a picture has to be fetched before another can be drawn.
    pub(super) fn is_full(&self) -> bool {
        self.offscreen.is_full()
    }

    /// Draws `tile` of the picture that is the average of `samples`, and starts
    /// to read it back.
    pub(super) fn paint(
        &mut self,
        gpu: &Gpu,
        samples: &[Sample],
        tile: Tile,
        tag: Tag,
    ) -> Result<(), CaptureError> {
        if let Some(accumulator) = &mut self.accumulator {
            accumulator.restart();
        }
        for sample in samples {
            if sample.parameters != self.parameters {
                self.renderer.set_parameters(gpu, &sample.parameters);
                self.parameters.clone_from(&sample.parameters);
            }
            if sample.keyboard != self.keyboard {
                self.renderer.set_keyboard(gpu, &sample.keyboard);
                self.keyboard.clone_from(&sample.keyboard);
            }
            let frame = Frame {
                tile_origin: [tile.origin.0 as f32, tile.origin.1 as f32],
                ..sample.frame
            };
            match &mut self.accumulator {
                Some(accumulator) => accumulator.add(gpu, &self.renderer, &frame),
                None => self.renderer.render(gpu, self.offscreen.view(), &frame),
            }
        }
        if let Some(accumulator) = &self.accumulator {
            accumulator.resolve(gpu, self.offscreen.view());
        }
        Ok(self.offscreen.start_readback(gpu, (tag, tile))?)
    }

    /// Waits for the oldest tile under way; `None` when there is none.
    pub(super) fn fetch(
        &mut self,
        gpu: &Gpu,
    ) -> Result<Option<(Tag, Tile, Picture)>, CaptureError> {
        let fetched = self.offscreen.finish_cropped(gpu, |(_, tile)| tile.size)?;
        Ok(fetched.map(|((tag, tile), picture)| (tag, tile, picture)))
    }
}
