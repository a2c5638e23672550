//! The panel of buffers and channels: what there is, its small pictures, and the one
//! that is looked at whole.

use egui::TextureId;

use super::graphics::Graphics;
use super::loader::LoadedScene;
use crate::live::textures::{SMALL, Shape, TexturePainter, described, target};
use crate::render::Gpu;
use crate::shader::{ChannelShape, PassKind};

/// A buffer or a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    /// What it is called.
    pub(super) name: String,
    /// Size and format.
    pub(super) detail: String,
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
}

impl Panel {
    /// Draws the small pictures of everything that `scene` has, and gives the tiles.
    pub(super) fn tiles(&mut self, graphics: &mut Graphics, scene: &LoadedScene) -> Vec<Tile> {
        let mut shown = shown(scene);
        let gpu = &graphics.gpu;
        let painter = self
            .painter
            .get_or_insert_with(|| TexturePainter::new(&gpu.device));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut new = Vec::new();
        for (index, shown) in shown.iter().enumerate() {
            if self.small.len() + new.len() <= index {
                new.push(target(gpu, SMALL));
            }
            let own = self.small.get(index).map(|(texture, _)| texture);
            let own = own.or_else(|| new.get(index - self.small.len()));
            if let (Some(texture), Some(own)) = (shown.texture, own) {
                painter.draw(&gpu.device, &mut encoder, texture, own);
            }
        }
        gpu.queue.submit([encoder.finish()]);
        for texture in new {
            let id = graphics.register(&texture);
            self.small.push((texture, id));
        }
        for (shown, (_, id)) in shown.iter_mut().zip(&self.small) {
            shown.tile.picture = shown.texture.map(|_| *id);
        }
        shown.into_iter().map(|shown| shown.tile).collect()
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
        let painter = self
            .painter
            .get_or_insert_with(|| TexturePainter::new(&gpu.device));
        let fits = |texture: &wgpu::Texture| (texture.width(), texture.height()) == size;
        let whole = self.whole.take().filter(fits);
        let whole = self
            .whole
            .insert(whole.unwrap_or_else(|| target(gpu, size)));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        painter.draw(&gpu.device, &mut encoder, texture, whole);
        gpu.queue.submit([encoder.finish()]);
        Some(whole)
    }
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
                channel: Some(channel.name.clone()),
                picture: None,
            },
            texture: texture.map(|texture| (texture, shape)),
        }
    });
    buffers.chain(channels).collect()
}
