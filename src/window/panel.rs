//! The panel of buffers and channels: its tiles, their thumbnails, and the full-size view
//! of one of them.

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

/// A tile of the panel: a buffer or a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// Label.
    pub(super) name: String,
    /// Size and format.
    pub(super) detail: String,
    /// Values shown as black and white, if not 0 and 1.
    pub(super) range: Option<String>,
    /// The channel's name in the scene; `None` for a buffer.
    pub(super) channel: Option<String>,
    /// Thumbnail; `None` if there is no texture.
    pub(super) picture: Option<TextureId>,
}

/// A tile and its texture.
struct Shown<'a> {
    tile: Tile,
    texture: Option<(&'a wgpu::Texture, Shape)>,
}

/// Thumbnails of the panel on one device, rendered only while it is open.
#[derive(Default)]
pub(super) struct Panel {
    painter: Option<TexturePainter>,
    small: Vec<(wgpu::Texture, TextureId)>,
    whole: Option<wgpu::Texture>,
    /// Value ranges by tile index.
    measured: BTreeMap<usize, Measured>,
}

/// Measured values of a texture.
struct Measured {
    samples: Samples,
    ranges: Ranges,
}

impl Panel {
    /// Renders the thumbnails of all buffers and channels of `scene`, and returns the
    /// tiles.
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

    /// Renders the texture of the tile `index` at `size` pixels; `None` if there is no such
    /// tile or texture.
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

    /// Value range of a tile's texture as far as known, starting a new measurement if none
    /// is pending.
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

    /// Takes measurements that have been read back since the last poll; returns true if a
    /// thumbnail changes.
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

    /// True while a measurement is being read back.
    pub(super) fn is_measuring(&self) -> bool {
        let mut measured = self.measured.values();
        measured.any(|measured| measured.samples.is_reading())
    }

    /// Values shown as black and white for a tile, if not 0 and 1.
    pub(super) fn range(&self, index: usize) -> Option<String> {
        self.measured.get(&index)?.ranges.words()
    }
}

fn painter<'a>(painter: &'a mut Option<TexturePainter>, gpu: &Gpu) -> &'a TexturePainter {
    painter.get_or_insert_with(|| TexturePainter::new(&gpu.device))
}

/// The tile of this index, without its thumbnail.
pub(super) fn tile(scene: &LoadedScene, index: usize) -> Option<Tile> {
    shown(scene).into_iter().nth(index).map(|shown| shown.tile)
}

/// All buffers and channels of `scene`, in tile order.
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
            ChannelShape::Texture2d => Shape::Plane,
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
