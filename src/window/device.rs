//! The window's surface and user interface on one device. The engine has the rest.

use egui::TextureId;
use winit::window::Window;

use super::graphics::Graphics;
use super::overlay::{Overlay, PanelTile};
use super::viewer::Engine;

/// Resources that are recreated when the device is lost.
pub(super) struct DeviceResources {
    /// Surface and compositing.
    pub(super) graphics: Graphics,
    /// The user interface.
    pub(super) overlay: Overlay,
    /// The engine's thumbnails as textures of the overlay, by tile index.
    thumbnails: Vec<TextureId>,
}

impl DeviceResources {
    /// Creates an overlay for `graphics`.
    pub(super) fn new(graphics: Graphics, window: &Window) -> Self {
        let limit = graphics.gpu.device.limits().max_texture_dimension_2d;
        Self { overlay: Overlay::new(window, limit), thumbnails: Vec::new(), graphics }
    }

    /// Draws the thumbnails of the panel and returns its tiles.
    pub(super) fn draw_panel(&mut self, engine: &mut Engine) -> Vec<PanelTile> {
        let (tiles, thumbnails) = engine.draw_thumbnails();
        for thumbnail in thumbnails.iter().skip(self.thumbnails.len()) {
            self.thumbnails.push(self.graphics.overlay.register(thumbnail));
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
