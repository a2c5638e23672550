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
struct Opening {
    number: u32,
    /// Why an earlier device was replaced; shown once this one is open.
    reason: Option<&'static str>,
    /// Backends that were not tried yet.
    backends: vec::IntoIter<wgpu::Backends>,
    /// The most informative error so far.
    failure: Error,
}

/// The devices of one window.
pub(super) struct Devices {
    window: Arc<Window>,
    options: GpuOptions,
    /// The device that a task is opening.
    opening: Option<Opening>,
    /// The resources of the open device.
    pub(super) ready: Option<DeviceResources>,
    /// Number of openings started so far.
    openings: u32,
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
            opening: None,
            ready: None,
            openings: 0,
            outdated_until: f64::NEG_INFINITY,
            abandoned: Vec::new(),
        }
    }

    /// Starts opening a device; `reason` is shown if it replaces another.
    ///
    /// # Errors
    /// If no backend has a surface for the window.
    pub(super) fn open(
        &mut self,
        reason: Option<&'static str>,
        engine: &mut Engine,
        now: f64,
        tasks: &mut Tasks,
    ) -> Result<()> {
        // The old surface must be dropped before the window can have a new one.
        self.close(engine, now);
        self.openings = self.openings.wrapping_add(1);
        let backend = self.options.backend;
        let no_adapter = backend.map_or(GpuError::NoAdapter, GpuError::NoAdapterForBackend);
        let opening = Opening {
            number: self.openings,
            reason,
            backends: Gpu::backends_to_try(&self.options).into_iter(),
            failure: no_adapter.into(),
        };
        self.try_next(opening, tasks)
    }

    /// Handles the result of the opening of this number: a device that the engine uses from
    /// now on. Returns why an earlier one was replaced, if there was one.
    ///
    /// # Errors
    /// If no backend provided a device.
    pub(super) fn opened(
        &mut self,
        number: u32,
        result: Result<Graphics>,
        engine: &mut Engine,
        tasks: &mut Tasks,
    ) -> Result<Option<&'static str>> {
        let Some(mut opening) = self.opening.take_if(|opening| opening.number == number) else {
            return Ok(None);
        };
        match result {
            Ok(graphics) => {
                let (gpu, format) = (Arc::clone(&graphics.gpu), graphics.format());
                self.ready = Some(DeviceResources::new(graphics, &self.window));
                let is_software = gpu.is_software();
                engine.open_device(gpu, format, is_software);
                Ok(opening.reason)
            }
            Err(error) => {
                opening.failure = more_informative(opening.failure, error);
                self.try_next(opening, tasks)?;
                Ok(None)
            }
        }
    }

    /// Starts a task for the next backends that have a surface for the window.
    fn try_next(&mut self, mut opening: Opening, tasks: &mut Tasks) -> Result<()> {
        // A backend without a surface is unavailable, which says no more than finding no
        // adapter.
        let surface = opening.backends.find_map(|backends| self.surface(backends).ok());
        let Some((instance, surface)) = surface else {
            return Err(opening.failure);
        };
        let (window, options) = (Arc::clone(&self.window), self.options.clone());
        let number = opening.number;
        tasks.spawn(move |reports| {
            let result = pollster::block_on(Graphics::open(window, instance, surface, &options));
            reports.try_send(move |viewer| viewer.device_opened(number, result));
        });
        self.opening = Some(opening);
        Ok(())
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
    fn close(&mut self, engine: &mut Engine, now: f64) {
        let is_stuck = self.is_stuck(engine, now);
        self.opening = None;
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
fn more_informative(first: Error, second: Error) -> Error {
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
            self.thumbnails
                .push(self.graphics.overlay.register(thumbnail, wgpu::FilterMode::Nearest));
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
