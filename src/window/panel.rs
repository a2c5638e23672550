//! The panel of buffers and channels: what there is, its small pictures, and the one
//! that is looked at whole.

use std::collections::BTreeMap;

use egui::TextureId;

use super::graphics::Graphics;
use super::loader::LoadedScene;
use tarsus_player::live::ranges::Ranges;
use tarsus_player::live::samples::Samples;
use tarsus_player::live::textures::{
    SMALL, Shape, TexturePainter, described, holds_floats, target,
};
use tarsus_render::Gpu;
use tarsus_shader::{ChannelShape, PassKind};

/// A buffer or a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// What it is called.
    pub(super) name: String,
    /// Size and format.
    pub(super) detail: String,
    /// What is black and white in its picture, where that is not 0 and 1.
    pub(super) range: Option<String>,
    /// The channel's name in the scene; `None` for a buffer.
    pub(super) channel: Option<String>,
    /// Its small picture; `None` where there is nothing to see.
    pub(super) picture: Option<TextureId>,
}

/// What a tile shows.
struct Shown<'a> {
    tile: Tile,
    texture: Option<(&'a wgpu::Texture, Shape)>,
}

/// The pictures of the panel on one device. They are drawn only while it is open.
#[derive(Default)]
pub(super) struct Panel {
    painter: Option<TexturePainter>,
    small: Vec<(wgpu::Texture, TextureId)>,
    whole: Option<wgpu::Texture>,
    /// By the number of the tile.
    measured: BTreeMap<usize, Measured>,
}

/// The values that a texture holds.
struct Measured {
    samples: Samples,
    ranges: Ranges,
}

impl Panel {
    /// Draws the small pictures of everything that `scene` has, and gives the tiles.
    pub(super) fn tiles(&mut self, graphics: &mut Graphics, scene: &LoadedScene) -> Vec<Tile> {
        let shown = shown(scene);
        while self.small.len() < shown.len() {
            let texture = target(&graphics.gpu, SMALL);
            let id = graphics.register(&texture);
            self.small.push((texture, id));
        }
        let gpu = &graphics.gpu;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let tiles = shown.into_iter().enumerate().map(|(index, shown)| {
            let mut tile = shown.tile;
            if let Some(texture) = shown.texture {
                let ranges = self.measure(gpu, index, texture);
                let (small, id) = &self.small[index];
                let painter = painter(&mut self.painter, gpu);
                painter.draw(&gpu.device, &mut encoder, texture, &ranges, small);
                tile.picture = Some(*id);
                tile.range = ranges.words();
            }
            tile
        });
        let tiles = tiles.collect();
        gpu.queue.submit([encoder.finish()]);
        tiles
    }

    /// The picture of one tile, by its number from 0, with `size` pixels; `None` if
    /// there is no such tile or nothing to see.
    pub(super) fn whole(
        &mut self,
        gpu: &Gpu,
        scene: &LoadedScene,
        index: usize,
        size: (u32, u32),
    ) -> Option<&wgpu::Texture> {
        let texture = shown(scene).get(index)?.texture?;
        let ranges = self.measure(gpu, index, texture);
        let fits = |texture: &wgpu::Texture| (texture.width(), texture.height()) == size;
        let whole = self.whole.take().filter(fits);
        let whole = whole.unwrap_or_else(|| target(gpu, size));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let painter = painter(&mut self.painter, gpu);
        painter.draw(&gpu.device, &mut encoder, texture, &ranges, &whole);
        gpu.queue.submit([encoder.finish()]);
        Some(self.whole.insert(whole))
    }

    /// What is black and white in the picture of a tile, as far as that is known yet.
    fn measure(&mut self, gpu: &Gpu, index: usize, texture: (&wgpu::Texture, Shape)) -> Ranges {
        if !holds_floats(texture.0) {
            self.measured.remove(&index);
            return Ranges::default();
        }
        let measured = self.measured.entry(index).or_insert_with(|| Measured {
            samples: Samples::new(gpu),
            ranges: Ranges::default(),
        });
        if !measured.samples.is_reading() {
            let painter = painter(&mut self.painter, gpu);
            measured.samples.begin(gpu, |encoder, target| {
                painter.sample(&gpu.device, encoder, texture, target);
            });
        }
        measured.ranges
    }

    /// Takes the values that have come back since the device was polled; true if a
    /// picture looks different by them.
    pub(super) fn take_values(&mut self) -> bool {
        let mut is_other = false;
        for measured in self.measured.values_mut() {
            if let Some(texels) = measured.samples.take() {
                let ranges = Ranges::of(&texels, &measured.ranges);
                is_other |= ranges != measured.ranges;
                measured.ranges = ranges;
            }
        }
        is_other
    }

    /// True while values are on their way back.
    pub(super) fn is_measuring(&self) -> bool {
        let mut measured = self.measured.values();
        measured.any(|measured| measured.samples.is_reading())
    }

    /// What is black and white in the picture of a tile, where that is not 0 and 1.
    pub(super) fn range(&self, index: usize) -> Option<String> {
        self.measured.get(&index)?.ranges.words()
    }
}

fn painter<'a>(painter: &'a mut Option<TexturePainter>, gpu: &Gpu) -> &'a TexturePainter {
    painter.get_or_insert_with(|| TexturePainter::new(&gpu.device))
}

/// The tile of this number, without its picture.
pub(super) fn tile(scene: &LoadedScene, index: usize) -> Option<Tile> {
    shown(scene).into_iter().nth(index).map(|shown| shown.tile)
}

/// Everything that `scene` has, in the order of the tiles.
fn shown(scene: &LoadedScene) -> Vec<Shown<'_>> {
    let buffers = scene.renderer.contents().map(|(kind, texture)| {
        let shape = match kind {
            PassKind::Cube => Shape::Cube,
            _ => Shape::Plane,
        };
        Shown {
            tile: Tile {
                name: kind.label().to_owned(),
                detail: described(texture),
                range: None,
                channel: None,
                picture: None,
            },
            texture: Some((texture, shape)),
        }
    });
    let channels = scene.program.channels.iter().enumerate();
    let channels = channels.map(|(index, channel)| {
        let shape = match channel.shape {
            ChannelShape::Flat => Shape::Plane,
            ChannelShape::Cube => Shape::Cube,
            ChannelShape::Volume => Shape::Volume,
        };
        let kind = scene.channels.info(index).map_or("", |info| info.kind);
        let texture = scene.renderer.channel(index);
        let detail = texture.map(described).unwrap_or_default();
        Shown {
            tile: Tile {
                name: channel.name.clone(),
                detail: format!("{kind} {detail}"),
                range: None,
                channel: Some(channel.name.clone()),
                picture: None,
            },
            texture: texture.map(|texture| (texture, shape)),
        }
    });
    buffers.chain(channels).collect()
}
