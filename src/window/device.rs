//! Everything that belongs to one device, and presenting with it.

use std::time::Duration;

use anyhow::Result;
use winit::window::Window;

use super::graphics::{Graphics, Presented};
use super::host::HostWindow;
use super::loader::LoadedScene;
use super::overlay::{Overlay, Request, View};
use super::panel::Panel;
use super::pass_times::PassTimes;
use super::saves::Screenshot;
use super::status::Status;
use super::ui::Ui;
use tarsus_player::Session;
use tarsus_player::live::{Canvas, Pacing};
use tarsus_render::Gpu;

/// Resources that are recreated when the device is lost.
pub(super) struct DeviceResources {
    /// Surface and compositing.
    pub(super) graphics: Graphics,
    /// The user interface.
    pub(super) overlay: Overlay,
    /// The rendered pictures of the scene.
    pub(super) canvas: Canvas<Screenshot>,
    /// GPU times of the scene's passes.
    pub(super) pass_times: PassTimes,
    /// The panel of buffers and channels.
    pub(super) panel: Panel,
    /// True if the session's newest frame has not been rendered yet.
    pub(super) is_picture_due: bool,
    /// The scene, once it is loaded.
    pub(super) scene: Option<LoadedScene>,
}

/// Result of presenting.
pub(super) struct Presentation {
    /// Outcome for the surface.
    pub(super) presented: Presented,
    /// Delay until the overlay needs a repaint.
    pub(super) again: Duration,
    /// User actions in the overlay.
    pub(super) requests: Vec<Request>,
}

impl DeviceResources {
    /// Creates an overlay and an empty canvas for `graphics`.
    pub(super) fn new(graphics: Graphics, window: &Window) -> Self {
        let limit = graphics.gpu.device.limits().max_texture_dimension_2d;
        Self {
            overlay: Overlay::new(window, limit),
            canvas: Canvas::default(),
            pass_times: PassTimes::default(),
            panel: Panel::default(),
            is_picture_due: false,
            scene: None,
            graphics,
        }
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.graphics.gpu
    }

    /// True if the scene is loaded and reads the keyboard.
    pub(super) fn scene_reads_keyboard(&self) -> bool {
        let scene = self.scene.as_ref();
        scene.is_some_and(|scene| scene.program.reads_keyboard())
    }

    /// Drops the scene and its pictures, because another scene follows.
    pub(super) fn clear(&mut self) {
        self.scene = None;
        self.is_picture_due = false;
        self.canvas.clear();
    }

    /// Presents the newest picture and the overlay, with progress `notes` and the `scenes`
    /// of the grid.
    ///
    /// # Errors
    /// If the surface is permanently lost.
    pub(super) fn present(
        &mut self,
        window: &HostWindow,
        session: &Session,
        pacing: &Pacing,
        ui: &Ui,
        (notes, scenes): (&[String], &[String]),
        now: f64,
    ) -> Result<Presentation> {
        let status = Status {
            scene: self.scene.as_ref(),
            session,
            canvas: &self.canvas,
            pacing,
            size: self.graphics.size(),
            look: ui.look,
            look_range: ui.look.and_then(|look| self.panel.range(look)),
            pass_times: &self.pass_times,
            adapter: self.graphics.gpu.describe(),
        };
        let tiles = match &self.scene {
            Some(scene) if ui.panel => self.panel.tiles(&mut self.graphics, scene),
            _ => Vec::new(),
        };
        let view = View {
            ui,
            tiles: &tiles,
            status: &status.lines(),
            notes,
            scenes,
            recorded: session.recorded(now),
            rewind: session.rewind(),
            parameters: &session.parameters,
            values: session.values(),
            scene_reads_keyboard: self.scene_reads_keyboard(),
            now,
        };
        let (interface, again, requests) = self.overlay.run(&window.handle, window.size(), &view);
        let size = self.graphics.size();
        let look = ui.look.zip(self.scene.as_ref());
        let look = look.and_then(|(look, scene)| {
            let gpu = &self.graphics.gpu;
            self.panel.whole(gpu, scene, look, size)
        });
        let picture = look.or(self.canvas.picture());
        Ok(Presentation {
            presented: self.graphics.present(picture, interface)?,
            again,
            requests,
        })
    }
}
