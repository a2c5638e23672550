//! Tiles: pictures of a scene's buffers and channels. All of them are drawn as thumbnails
//! for a panel, or one of them full size instead of the scene's picture.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::canvas::take_finished;
use super::ranges::Ranges;
use super::textures::{THUMBNAIL_SIZE, TexturePainter, describe, holds_floats};
use tarsus_render::{FORMAT, Gpu, Readback, Renderer, SAMPLE_FORMAT, drawable, reuse_drawable};
use tarsus_shader::{ChannelShape, ChannelSource, Program};

/// Columns and rows of the texels that a texture is measured by.
const SAMPLES: (u32, u32) = (64, 36);

/// A buffer or a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Label: the name of the buffer or channel.
    pub name: String,
    /// Size and format of the texture; empty without one.
    pub detail: String,
    /// Values shown as black and white, if not 0 and 1.
    pub range: Option<String>,
    /// Index of the channel in the program; `None` for a buffer.
    pub channel: Option<usize>,
}

/// The pictures of the tiles on one device, drawn on demand.
#[derive(Default)]
pub(super) struct Tiles {
    painter: OnceCell<TexturePainter>,
    /// The thumbnails drawn last, by tile index. Tiles without a texture have an unused
    /// one.
    pub(super) thumbnails: Vec<wgpu::Texture>,
    full_size: Option<wgpu::Texture>,
    /// Value ranges by tile index.
    measurements: BTreeMap<usize, Measurement>,
}

/// Measured values of a texture.
struct Measurement {
    /// The texels are drawn into it.
    target: wgpu::Texture,
    reading: Option<Readback>,
    ranges: Ranges,
}

impl Tiles {
    /// Draws a thumbnail of each texture and completes the tiles with their value ranges.
    pub(super) fn draw_thumbnails(
        &mut self,
        gpu: &Gpu,
        program: &Program,
        renderer: &Renderer,
    ) -> Vec<Tile> {
        let tiles = list(program, renderer).collect::<Vec<_>>();
        while self.thumbnails.len() < tiles.len() {
            self.thumbnails.push(drawable(&gpu.device, "texture", THUMBNAIL_SIZE, FORMAT));
        }
        let drawn = tiles.into_iter().enumerate().map(|(index, (mut tile, texture))| {
            if let Some(texture) = texture {
                let ranges = self.measure(gpu, index, texture);
                tile.range = ranges.describe();
                let painter = painter(&self.painter, gpu);
                let target = &self.thumbnails[index];
                gpu.submit(|encoder| painter.draw(encoder, texture, &ranges, target));
            }
            tile
        });
        drawn.collect()
    }

    /// Draws the texture of the tile `index` at `size` pixels; `None` if there is no such
    /// tile or texture.
    pub(super) fn draw_full_size(
        &mut self,
        gpu: &Gpu,
        program: &Program,
        renderer: &Renderer,
        index: usize,
        size: (u32, u32),
    ) -> Option<&wgpu::Texture> {
        let (_, texture) = list(program, renderer).nth(index)?;
        let texture = texture?;
        let ranges = self.measure(gpu, index, texture);
        let old = self.full_size.take();
        let target = reuse_drawable(old, &gpu.device, "texture", size, FORMAT);
        let painter = painter(&self.painter, gpu);
        gpu.submit(|encoder| painter.draw(encoder, texture, &ranges, &target));
        Some(self.full_size.insert(target))
    }

    /// Value range of a texture as far as known. Starts a new measurement if none is
    /// pending.
    fn measure(
        &mut self,
        gpu: &Gpu,
        index: usize,
        texture: (&wgpu::Texture, ChannelShape),
    ) -> Ranges {
        if !holds_floats(texture.0) {
            self.measurements.remove(&index);
            return Ranges::default();
        }
        let measurement = self.measurements.entry(index).or_insert_with(|| Measurement {
            target: drawable(&gpu.device, "samples", SAMPLES, SAMPLE_FORMAT),
            reading: None,
            ranges: Ranges::default(),
        });
        if measurement.reading.is_none() {
            let painter = painter(&self.painter, gpu);
            let target = &measurement.target;
            measurement.reading = Some(gpu.submit(|encoder| {
                painter.draw(encoder, texture, &Ranges::default(), target);
                Readback::encode(&gpu.device, encoder, target, None)
            }));
        }
        measurement.ranges
    }

    /// Takes measurements that have been read back since the last call. Returns true if
    /// the picture of a tile changes.
    pub(super) fn take_measurements(&mut self) -> bool {
        let mut has_changed = false;
        for measurement in self.measurements.values_mut() {
            if let Some(texels) = take_finished(&mut measurement.reading) {
                let texels: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&texels);
                let ranges = Ranges::choose(&texels, &measurement.ranges);
                has_changed |= ranges != measurement.ranges;
                measurement.ranges = ranges;
            }
        }
        has_changed
    }

    /// Returns true while a measurement is being read back.
    pub(super) fn is_measuring(&self) -> bool {
        let mut measurements = self.measurements.values();
        measurements.any(|measurement| measurement.reading.is_some())
    }

    /// Values shown as black and white in a tile, if not 0 and 1.
    pub(super) fn range(&self, index: usize) -> Option<String> {
        self.measurements.get(&index)?.ranges.describe()
    }
}

/// The painter in `cell`, created on first use.
fn painter<'a>(cell: &'a OnceCell<TexturePainter>, gpu: &Gpu) -> &'a TexturePainter {
    cell.get_or_init(|| TexturePainter::new(&gpu.device))
}

/// The buffers and then the other channels of a scene, with their textures.
pub(super) fn list<'a>(
    program: &'a Program,
    renderer: &'a Renderer,
) -> impl Iterator<Item = (Tile, Option<(&'a wgpu::Texture, ChannelShape)>)> {
    let item = |name: &str, shape, texture: Option<&'a wgpu::Texture>, channel| {
        let detail = texture.map(describe).unwrap_or_default();
        let tile = Tile { name: name.to_owned(), detail, range: None, channel };
        (tile, texture.map(|texture| (texture, shape)))
    };
    let buffers = renderer.contents().map(move |(kind, texture)| {
        item(kind.label(), ChannelSource::<String>::PassOutput(kind).shape(), Some(texture), None)
    });
    // Channels that show a buffer have no tile of their own.
    let channels = program
        .channels
        .iter()
        .enumerate()
        .filter(|(_, channel)| channel.shown_pass().is_none())
        .map(move |(index, channel)| {
            item(&channel.name, channel.shape, renderer.channel(index), Some(index))
        });
    buffers.chain(channels)
}
