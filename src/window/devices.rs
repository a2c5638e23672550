//! The window's devices: the open one, and those that were abandoned because their picture
//! took too long.
//!
//! Opening creates instances and surfaces on the event loop, as some systems require; the rest
//! is done by a task that reports back.

use std::sync::Arc;

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

/// An instance, and a surface of the window on it.
type InstanceSurface = (wgpu::Instance, wgpu::Surface<'static>);

/// State of the window's device.
enum State {
    /// There is no device yet.
    Closed,
    /// A task is opening the device of this number. The reason for which an earlier one was
    /// replaced is shown once this one is open.
    Opening(u32, Option<&'static str>),
    /// The device is open.
    Ready(Box<DeviceResources>),
}

/// The devices of one window.
pub(super) struct Devices {
    window: Arc<Window>,
    options: GpuOptions,
    state: State,
    /// Number of openings started so far.
    openings: u32,
    /// Start of the work that renders an outdated picture, because another scene or device
    /// was requested meanwhile.
    outdated_work: Option<f64>,
    /// Abandoned devices that are still rendering.
    abandoned: Vec<(DeviceResources, live::DeviceState<SceneChannels>)>,
}

impl Devices {
    /// Starts without a device.
    pub(super) fn new(window: &Arc<Window>, options: GpuOptions) -> Self {
        Self {
            window: Arc::clone(window),
            options,
            state: State::Closed,
            openings: 0,
            outdated_work: None,
            abandoned: Vec::new(),
        }
    }

    /// The resources of an open device.
    pub(super) fn ready(&self) -> Option<&DeviceResources> {
        match &self.state {
            State::Ready(device) => Some(device),
            State::Closed | State::Opening(..) => None,
        }
    }

    /// The resources of an open device, mutable.
    pub(super) fn ready_mut(&mut self) -> Option<&mut DeviceResources> {
        match &mut self.state {
            State::Ready(device) => Some(device),
            State::Closed | State::Opening(..) => None,
        }
    }

    /// Starts opening a device; `reason` is shown if it replaces another.
    pub(super) fn open(
        &mut self,
        reason: Option<&'static str>,
        engine: &mut Engine,
        now: f64,
        tasks: &mut Tasks,
    ) {
        // The old surface must be dropped before the window can have a new one.
        self.close(engine, now);
        self.openings = self.openings.wrapping_add(1);
        let number = self.openings;
        self.state = State::Opening(number, reason);
        // A backend without a surface is unavailable, which says no more than finding no
        // adapter.
        let backends = Gpu::backends_to_try(&self.options).into_iter();
        let surfaces = backends.filter_map(|backends| self.surface(backends).ok()).collect();
        let (window, options) = (Arc::clone(&self.window), self.options.clone());
        tasks.spawn(move |reports| {
            let result = pollster::block_on(open_first(&window, surfaces, &options));
            reports.try_send(move |viewer| viewer.device_opened(number, result));
        });
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
    ) -> Result<Option<&'static str>> {
        let State::Opening(current, reason) = self.state else {
            return Ok(None);
        };
        if current != number {
            return Ok(None);
        }
        let graphics = result?;
        let (gpu, format) = (Arc::clone(&graphics.gpu), graphics.format());
        let device = DeviceResources::new(graphics, &self.window);
        self.state = State::Ready(Box::new(device));
        let is_software = gpu.is_software();
        engine.open_device(gpu, format, is_software);
        Ok(reason)
    }

    fn surface(
        &self,
        backends: wgpu::Backends,
    ) -> Result<InstanceSurface, wgpu::CreateSurfaceError> {
        let instance = wgpu::Instance::new(Gpu::instance_descriptor(backends));
        let surface = instance.create_surface(Arc::clone(&self.window))?;
        Ok((instance, surface))
    }

    /// Drops the device, or abandons it if it is stuck: dropping it would wait for its
    /// picture.
    fn close(&mut self, engine: &mut Engine, now: f64) {
        let is_stuck = self.is_stuck(engine, now);
        self.outdated_work = None;
        let state = std::mem::replace(&mut self.state, State::Closed);
        let on_device = engine.close_device();
        if is_stuck && let (State::Ready(device), Some(on_device)) = (state, on_device) {
            self.abandoned.push((*device, on_device));
        }
    }

    /// Destroys the device, so that everything is recreated as after a real loss. A stuck
    /// device would report the loss only after its picture, so it is abandoned instead.
    pub(super) fn destroy(&mut self, engine: &Engine, now: f64) {
        self.mark_outdated(engine);
        if let Some(device) = self.ready()
            && !self.is_stuck(engine, now)
        {
            device.graphics.gpu.device.destroy();
        }
    }

    /// Marks the picture being rendered as outdated.
    pub(super) fn mark_outdated(&mut self, engine: &Engine) {
        self.outdated_work = engine.busy_since();
    }

    /// True if an outdated picture keeps the GPU busy for so long that a new device is the
    /// faster way to the next one.
    pub(super) fn is_stuck_outdated(&self, engine: &Engine, now: f64) -> bool {
        self.outdated_work.is_some()
            && self.outdated_work == engine.busy_since()
            && self.is_stuck(engine, now)
    }

    /// True if the GPU has been busy with one picture for long, and not too many devices
    /// have been abandoned.
    fn is_stuck(&self, engine: &Engine, now: f64) -> bool {
        let since = engine.busy_since();
        since.is_some_and(|since| now - since > OUTDATED_PICTURE_TIMEOUT)
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

/// Opens a device on the first surface that has one.
///
/// # Errors
/// The most informative error of all backends.
async fn open_first(
    window: &Arc<Window>,
    surfaces: Vec<InstanceSurface>,
    options: &GpuOptions,
) -> Result<Graphics> {
    let no_adapter = options.backend.map_or(GpuError::NoAdapter, GpuError::NoAdapterForBackend);
    let mut failure = no_adapter.into();
    for (instance, surface) in surfaces {
        match Graphics::open(Arc::clone(window), instance, surface, options).await {
            Ok(graphics) => return Ok(graphics),
            Err(error) => failure = more_informative(failure, error),
        }
    }
    Err(failure)
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
