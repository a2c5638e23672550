//! The window's devices: the open one, and those that were abandoned because their picture
//! took too long.

use std::sync::Arc;

use anyhow::Result;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::channels::SceneChannels;
use super::device::DeviceResources;
use super::opening::{DeviceOpener, DeviceState, Opened};
use super::platform::{Sender, Tasks};
use super::viewer::Engine;
use tarsus_player::live;
use tarsus_render::GpuOptions;

/// Seconds that an outdated picture may take before its device is abandoned.
const OUTDATED_PICTURE_TIMEOUT: f64 = 3.0;

/// Maximum number of abandoned devices that are still rendering, each of which holds memory
/// and processors.
const MAX_ABANDONED_DEVICES: usize = 4;

/// The devices of one window.
pub(super) struct Devices {
    state: DeviceState,
    opener: DeviceOpener,
    /// Start of the work that renders an outdated picture, because another scene or device
    /// was requested meanwhile.
    outdated_work: Option<f64>,
    /// Abandoned devices that are still rendering.
    abandoned: Vec<(DeviceResources, live::DeviceState<SceneChannels>)>,
}

impl Devices {
    /// Starts without a device. Results of [`Self::open`] go to `reports`.
    pub(super) fn new(
        window: &Arc<Window>,
        display: OwnedDisplayHandle,
        options: GpuOptions,
        reports: Sender<Opened>,
    ) -> Self {
        Self {
            state: DeviceState::Suspended,
            opener: DeviceOpener::new(Arc::clone(window), display, options, reports),
            outdated_work: None,
            abandoned: Vec::new(),
        }
    }

    /// The resources of an open device.
    pub(super) fn ready(&self) -> Option<&DeviceResources> {
        self.state.ready()
    }

    /// The resources of an open device, mutable.
    pub(super) fn ready_mut(&mut self) -> Option<&mut DeviceResources> {
        self.state.ready_mut()
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
        self.state = self.opener.begin(reason, tasks)?;
        Ok(())
    }

    /// Handles the result of opening a device, which the engine uses from now on. Returns
    /// why an earlier one was replaced, if there was one.
    ///
    /// # Errors
    /// If no backend provided a device.
    pub(super) fn opened(
        &mut self,
        opened: Opened,
        engine: &mut Engine,
        tasks: &mut Tasks,
    ) -> Result<Option<&'static str>> {
        let opening = match std::mem::replace(&mut self.state, DeviceState::Suspended) {
            DeviceState::Opening(opening) => opening,
            other => {
                self.state = other;
                return Ok(None);
            }
        };
        let reason = opening.reason();
        self.state = self.opener.opened(opening, opened, tasks)?;
        let Some(device) = self.state.ready() else {
            return Ok(None);
        };
        let gpu = Arc::clone(&device.graphics.gpu);
        let is_software = gpu.is_software();
        engine.open_device(gpu, device.graphics.format(), is_software);
        Ok(reason)
    }

    /// Drops the device, or abandons it if it is stuck: dropping it would wait for its
    /// picture.
    pub(super) fn close(&mut self, engine: &mut Engine, now: f64) {
        let is_stuck = self.is_stuck(engine, now);
        self.outdated_work = None;
        let state = std::mem::replace(&mut self.state, DeviceState::Suspended);
        let on_device = engine.close_device();
        if is_stuck && let (DeviceState::Ready(device), Some(on_device)) = (state, on_device) {
            self.abandoned.push((*device, on_device));
        }
    }

    /// Destroys the device, so that everything is recreated as after a real loss. A stuck
    /// device would report the loss only after its picture, so it is abandoned instead.
    pub(super) fn destroy(&mut self, engine: &Engine, now: f64) {
        self.mark_outdated(engine);
        if let Some(device) = self.state.ready()
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
        self.abandoned
            .retain_mut(|(_, on_device)| !on_device.is_finished(now));
    }
}
