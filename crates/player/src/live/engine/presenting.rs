//! Presenting: the picture, a buffer or a channel on the surface, thumbnails, and the values
//! under the pointer.

use super::{DeviceState, Engine};
use crate::live::pointer::Position;
use crate::live::probe::{Source, Texel};
use crate::live::scene::LiveChannels;
use crate::live::tiles::{self, Tile};
use tarsus_render::FullscreenPass;
use tarsus_shader::PassKind;

impl<C: LiveChannels> Engine<C> {
    /// Encodes the surface's contents into `target`: the latest picture, or
    /// the buffer or channel selected instead, scaled to the surface, over `background`.
    /// `overlay` draws on top of it.
    pub fn present(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        background: wgpu::Color,
        overlay: impl FnOnce(&mut wgpu::RenderPass<'static>),
    ) {
        let Some(device) = &mut self.device else {
            return;
        };
        device.presented = Some(device.canvas.samples());
        let size = self.size;
        let selected = self.full_size.zip(device.scene.as_ref());
        let texture = selected.and_then(|(index, scene)| {
            let (program, renderer) = (&scene.program, &scene.renderer);
            device.tiles.draw_full_size(&device.gpu, program, renderer, index, size)
        });
        let picture = match texture {
            Some(texture) => Some(texture.clone()),
            None => device
                .canvas
                .picture()
                .map(|picture| device.upscaler.smooth(encoder, picture, size)),
        };
        let pass = FullscreenPass { background, ..target.into() }.begin(encoder, "surface");
        let mut pass = pass.forget_lifetime();
        if let Some(picture) = &picture {
            device.upscaler.draw(&mut pass, picture, size);
        }
        overlay(&mut pass);
    }

    /// Shows a buffer or channel by its index among the [tiles](Self::tiles), or the
    /// scene's picture for `None`.
    pub fn show_full_size(&mut self, index: Option<usize>) {
        self.full_size = index;
        self.request_present();
    }

    /// Index of the buffer or channel that is shown instead of the picture.
    pub fn full_size(&self) -> Option<usize> {
        self.full_size
    }

    /// Values shown as black and white in the buffer or channel shown instead of the
    /// picture, if not 0 and 1.
    pub fn full_size_range(&self) -> Option<String> {
        self.device.as_ref()?.tiles.range(self.full_size?)
    }

    /// Starts reading the values of the picture and the buffers at `at`.
    /// [`Self::probed`] returns them a little later.
    pub fn probe(&mut self, at: Position) {
        let frame = self.session.clock.index();
        let Some(DeviceState { gpu, scene: Some(scene), canvas, probe, .. }) = &mut self.device
        else {
            return;
        };
        let picture =
            canvas.picture().map(|texture| Source { name: "Picture", texture, is_top_down: true });
        let planes = scene.renderer.contents().filter(|(kind, _)| *kind != PassKind::Cube);
        let buffers = planes.map(|(kind, texture)| Source {
            name: kind.label(),
            texture,
            is_top_down: false,
        });
        probe.begin(gpu, (at, frame, canvas.samples()), picture.into_iter().chain(buffers));
    }

    /// The values that were read last.
    pub fn probed(&self) -> &[Texel] {
        self.device.as_ref().map_or(&[], |device| &device.probe.texels[..])
    }

    /// The buffers and channels of the scene, without their value ranges.
    pub fn tiles(&self) -> Vec<Tile> {
        let scene = self.scene();
        let tiles = scene.map(|scene| tiles::list(&scene.program, &scene.renderer));
        tiles.into_iter().flatten().map(|(tile, _)| tile).collect()
    }

    /// Draws a thumbnail of each buffer and channel. Returns their tiles and textures.
    pub fn draw_thumbnails(&mut self) -> (Vec<Tile>, &[wgpu::Texture]) {
        let Some(DeviceState { gpu, scene: Some(scene), tiles, .. }) = &mut self.device else {
            return (Vec::new(), &[]);
        };
        let drawn = tiles.draw_thumbnails(gpu, &scene.program, &scene.renderer);
        (drawn, &tiles.thumbnails)
    }

    /// Presents again, because the interface on top of the picture or the surface has
    /// changed.
    pub fn request_present(&mut self) {
        if let Some(device) = &mut self.device {
            device.presented = None;
        }
    }

    /// Counts the surface as presented until [`Self::request_present`], because it is hidden.
    pub fn skip_present(&mut self) {
        if let Some(device) = &mut self.device {
            device.presented = Some(device.canvas.samples());
        }
    }
}
