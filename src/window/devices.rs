//! The window's devices: the open one, and those that were abandoned because their picture
//! took too long.
//!
//! Opening creates instance and surface on the event loop, as some systems require; the rest
//! is done by a task that reports back.

use std::sync::Arc;
use std::vec;

use anyhow::{Error, Result};
use egui::TextureId;
use winit::window::Window;

use super::channels::SceneChannels;
use super::graphics::Graphics;
use super::overlay::{Overlay, PanelTile};
use super::platform::Tasks;
use super::viewer::Engine;
use tarsus_player::live;
use tarsus_render::{Gpu, GpuError, GpuOptions};

/// Seconds that an outdated picture may take before its device is abandoned.
const OUTDATED_PICTURE_TIMEOUT: f64 = 3.0;

/// Maximum number of abandoned devices that are still rendering, each of which holds memory
/// and processors.
const MAX_ABANDONED_DEVICES: usize = 4;

/// A device being opened: backends are tried in turn.
pub(super) struct Opening {
    /// Reason why an earlier device was replaced; shown once this one is open.
    pub(super) reason: Option<&'static str>,
    /// The most informative error so far.
    pub(super) failure: Error,
    /// Backends that were not tried yet.
    backends: vec::IntoIter<wgpu::Backends>,
}

impl Opening {
    pub(super) fn new(reason: Option<&'static str>, options: &GpuOptions) -> Self {
        let no_adapter = options.backend.map_or(GpuError::NoAdapter, GpuError::NoAdapterForBackend);
        let backends = Gpu::backends_to_try(options).into_iter();
        Self { reason, failure: no_adapter.into(), backends }
    }
}

/// The devices of one window.
pub(super) struct Devices {
    window: Arc<Window>,
    pub(super) options: GpuOptions,
    /// The resources of the open device.
    pub(super) ready: Option<DeviceResources>,
    /// Real time until which submitted work renders outdated pictures, because another scene or
    /// device was requested then.
    outdated_until: f64,
    /// Abandoned devices that are still rendering.
    abandoned: Vec<(DeviceResources, live::DeviceState<SceneChannels>)>,
}

impl Devices {
    /// Starts without a device.
    pub(super) fn new(window: &Arc<Window>, options: GpuOptions) -> Self {
        Self {
            window: Arc::clone(window),
            options,
            ready: None,
            outdated_until: f64::NEG_INFINITY,
            abandoned: Vec::new(),
        }
    }

    /// Starts a task that opens a device on the next backend.
    ///
    /// # Errors
    /// If no other backend has a surface for the window.
    pub(super) fn try_next_backend(&self, mut opening: Opening, tasks: &mut Tasks) -> Result<()> {
        // A backend without a surface is unavailable, which says no more than finding no
        // adapter.
        let surface = opening.backends.find_map(|backends| self.surface(backends).ok());
        let Some((instance, surface)) = surface else {
            return Err(match opening.reason {
                Some(_) => opening.failure,
                None => opening.failure.context("cannot open a window"),
            });
        };
        let options = self.options.clone();
        tasks.spawn(move |reports| {
            let result = pollster::block_on(Graphics::open(instance, surface, &options));
            reports.send(move |viewer| viewer.device_opened(opening, result));
        });
        Ok(())
    }

    /// Uses a newly opened device from now on.
    pub(super) fn adopt(&mut self, graphics: Graphics, engine: &mut Engine) {
        let (gpu, format) = (Arc::clone(&graphics.gpu), graphics.format());
        self.ready = Some(DeviceResources::new(graphics, &self.window));
        let is_software = gpu.is_software();
        engine.open_device(gpu, format, is_software);
    }

    fn surface(
        &self,
        backends: wgpu::Backends,
    ) -> Result<(wgpu::Instance, wgpu::Surface<'static>), wgpu::CreateSurfaceError> {
        let instance = wgpu::Instance::new(Gpu::instance_descriptor(backends));
        let surface = instance.create_surface(Arc::clone(&self.window))?;
        Ok((instance, surface))
    }

    /// Drops the device, or abandons it if it is stuck: dropping it would wait for its
    /// picture.
    pub(super) fn close(&mut self, engine: &mut Engine, now: f64) {
        let is_stuck = self.is_stuck(engine, now);
        let device = self.ready.take().zip(engine.close_device());
        self.abandoned.extend(device.filter(|_| is_stuck));
    }

    /// Destroys the device, so that everything is recreated as after a real loss. A stuck
    /// device would report the loss only after its picture, so it is abandoned instead.
    pub(super) fn destroy(&mut self, engine: &Engine, now: f64) {
        self.mark_outdated(now);
        if let Some(device) = &self.ready
            && !self.is_stuck(engine, now)
        {
            device.graphics.gpu.device.destroy();
        }
    }

    /// Marks the pictures that are being rendered at real time `now` as outdated.
    pub(super) fn mark_outdated(&mut self, now: f64) {
        self.outdated_until = now;
    }

    /// True if an outdated picture keeps the GPU busy for so long that a new device is the
    /// faster way to the next one.
    pub(super) fn is_stuck_outdated(&self, engine: &Engine, now: f64) -> bool {
        let work = engine.status().work;
        work.is_some_and(|work| work.submitted_at <= self.outdated_until)
            && self.is_stuck(engine, now)
    }

    /// True if the GPU has been busy with one picture for long, and not too many devices
    /// have been abandoned.
    fn is_stuck(&self, engine: &Engine, now: f64) -> bool {
        let work = engine.status().work;
        work.is_some_and(|work| now - work.began_at > OUTDATED_PICTURE_TIMEOUT)
            && self.abandoned.len() < MAX_ABANDONED_DEVICES
    }

    /// True if dropping the devices would wait for a picture for long.
    pub(super) fn blocks_exit(&self, engine: &Engine, now: f64) -> bool {
        self.is_stuck(engine, now) || !self.abandoned.is_empty()
    }

    /// Drops abandoned devices that have finished their picture after all.
    pub(super) fn drop_finished(&mut self, now: f64) {
        self.abandoned.retain_mut(|(_, on_device)| !on_device.is_finished(now));
    }
}

/// The first of two errors, unless it only reports a missing adapter and the second does
/// not.
pub(super) fn more_informative(first: Error, second: Error) -> Error {
    let is_missing = |error: &Error| {
        matches!(error.downcast_ref(), Some(GpuError::NoAdapter | GpuError::NoAdapterForBackend(_)))
    };
    if is_missing(&first) && !is_missing(&second) { second } else { first }
}

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
        let panel_tiles = tiles.into_iter().zip(&self.thumbnails).map(|(mut tile, id)| {
            let has_texture = !tile.detail.is_empty();
            let channels = engine.scene().map(|scene| &scene.channels);
            let info = tile.channel.and_then(|channel| channels?.info(channel));
            if let Some(info) = info {
                tile.detail = format!("{} {}", info.kind, tile.detail);
            }
            PanelTile { tile, picture: has_texture.then_some(*id) }
        });
        panel_tiles.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_informative_error_is_reported() {
        let outcome = |errors: [Error; 2]| {
            let nothing = GpuError::NoAdapterForBackend(wgpu::Backend::Metal);
            let error = errors.into_iter().fold(nothing.into(), more_informative);
            error.to_string()
        };
        let none = || Error::from(GpuError::NoAdapter);
        let window = || Error::msg("the surface supports no non-sRGB colour format");
        let no_device = || {
            let (adapter, reason) = ("A".to_owned(), "out of memory".to_owned());
            Error::from(GpuError::NoDevice { adapter, reason })
        };
        assert_eq!(outcome([no_device(), none()]), no_device().to_string());
        assert_eq!(outcome([none(), no_device()]), no_device().to_string());
        assert_eq!(outcome([window(), no_device()]), window().to_string());
        assert!(outcome([none(), none()]).contains("metal"));
    }
}
