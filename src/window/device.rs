//! The window's surface and user interface on one device. The engine has the rest.

use std::collections::BTreeMap;

use egui::TextureId;
use winit::window::Window;

use super::graphics::Graphics;
use super::overlay::{Overlay, PanelTile};
use super::viewer::Engine;
use tarsus_render::{FORMAT, drawable};

/// Size of a scene's picture in the grid: twice that in points, for screens of high
/// resolution.
const PICTURE_SIZE: (u32, u32) = (320, 180);

/// Resources that are recreated when the device is lost.
pub(super) struct DeviceResources {
    /// Surface and compositing.
    pub(super) graphics: Graphics,
    /// The user interface.
    pub(super) overlay: Overlay,
    /// The engine's thumbnails as textures of the overlay, by tile index.
    thumbnails: Vec<TextureId>,
    /// Last pictures of the user's scenes as textures of the overlay.
    pub(super) pictures: BTreeMap<String, (TextureId, wgpu::Texture)>,
}

impl DeviceResources {
    /// Creates an overlay for `graphics`.
    pub(super) fn new(graphics: Graphics, window: &Window) -> Self {
        let limit = graphics.gpu.device.limits().max_texture_dimension_2d;
        Self {
            overlay: Overlay::new(window, limit),
            thumbnails: Vec::new(),
            pictures: BTreeMap::new(),
            graphics,
        }
    }

    /// Keeps the latest picture of the engine's scene for the grid, if there is one.
    pub(super) fn keep_picture(&mut self, engine: &Engine) {
        let (scene, gpu) = (&engine.session.scene, &self.graphics.gpu);
        if let Some((_, target)) = self.pictures.get(scene) {
            engine.draw_small_picture(target);
            return;
        }
        let target = drawable(&gpu.device, "scene", PICTURE_SIZE, FORMAT);
        if engine.draw_small_picture(&target) {
            let id = self.graphics.overlay.register(&target, wgpu::FilterMode::Linear);
            self.pictures.insert(scene.clone(), (id, target));
        }
    }

    /// Draws the thumbnails of the panel and returns its tiles.
    pub(super) fn draw_panel(&mut self, engine: &mut Engine) -> Vec<PanelTile> {
        let (tiles, thumbnails) = engine.draw_thumbnails();
        for thumbnail in thumbnails.iter().skip(self.thumbnails.len()) {
            self.thumbnails
                .push(self.graphics.overlay.register(thumbnail, wgpu::FilterMode::Nearest));
        }
        let tiles = tiles.into_iter().zip(&self.thumbnails);
        let tiles = tiles.map(|(mut tile, id)| {
            let has_texture = !tile.detail.is_empty();
            let channels = engine.scene().map(|scene| &scene.channels);
            let info = tile.channel.and_then(|channel| channels?.info(channel));
            if let Some(info) = info {
                tile.detail = format!("{} {}", info.kind, tile.detail);
            }
            PanelTile { tile, picture: has_texture.then_some(*id) }
        });
        tiles.collect()
    }
}
