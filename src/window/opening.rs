//! Opening a device: instance and surface on the event loop, as some systems require, the
//! rest on a task that reports back.

use std::sync::Arc;
use std::vec;

use anyhow::{Error, Result};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use super::device::DeviceResources;
use super::graphics::Graphics;
use super::platform::{Sender, Tasks};
use tarsus_render::{Gpu, GpuError, GpuOptions};

/// State of the window's device.
pub(super) enum DeviceState {
    /// The system has taken the surface away.
    Suspended,
    /// A task is opening the device.
    Opening(Opening),
    /// The device is open.
    Ready(Box<DeviceResources>),
}

impl DeviceState {
    /// The resources of an open device.
    pub(super) fn ready(&self) -> Option<&DeviceResources> {
        match self {
            Self::Ready(device) => Some(device),
            Self::Suspended | Self::Opening(_) => None,
        }
    }

    /// The resources of an open device, mutable.
    pub(super) fn ready_mut(&mut self) -> Option<&mut DeviceResources> {
        match self {
            Self::Ready(device) => Some(device),
            Self::Suspended | Self::Opening(_) => None,
        }
    }
}

/// Result of one attempt to open a device.
pub(super) struct Opened {
    /// Number of the opening it belongs to.
    number: u32,
    result: Result<Graphics>,
}

/// Opens devices for one window.
pub(super) struct DeviceOpener {
    window: Arc<Window>,
    display: OwnedDisplayHandle,
    options: GpuOptions,
    reports: Sender<Opened>,
    /// Number of openings started so far.
    openings: u32,
}

/// A device being opened: backends are tried in turn.
pub(super) struct Opening {
    number: u32,
    /// Why an earlier device was replaced; shown once this one is open.
    reason: Option<&'static str>,
    backends: Candidates<wgpu::Backends>,
}

impl DeviceOpener {
    /// Creates an opener for devices that can present to `window`; results go to `reports`.
    pub(super) fn new(
        window: Arc<Window>,
        display: OwnedDisplayHandle,
        options: GpuOptions,
        reports: Sender<Opened>,
    ) -> Self {
        Self {
            window,
            display,
            options,
            reports,
            openings: 0,
        }
    }

    /// Starts opening a device. Any earlier surface of the window must have been dropped,
    /// unless its device is stuck in an endless picture.
    ///
    /// # Errors
    /// If no backend has a surface for the window.
    pub(super) fn begin(
        &mut self,
        reason: Option<&'static str>,
        tasks: &mut Tasks,
    ) -> Result<DeviceState> {
        self.openings = self.openings.wrapping_add(1);
        let opening = Opening {
            number: self.openings,
            reason,
            backends: Candidates::new(Gpu::backends_to_try(&self.options), self.no_adapter()),
        };
        self.try_next(opening, tasks)
    }

    /// Handles the result of a task. Returns the new state: an open device, or still
    /// opening.
    ///
    /// # Errors
    /// If no backend provided a device.
    pub(super) fn opened(
        &self,
        mut opening: Opening,
        opened: Opened,
        tasks: &mut Tasks,
    ) -> Result<DeviceState> {
        if opened.number != opening.number {
            return Ok(DeviceState::Opening(opening));
        }
        match opened.result {
            Ok(graphics) => {
                let device = DeviceResources::new(graphics, &self.window);
                Ok(DeviceState::Ready(Box::new(device)))
            }
            Err(error) => {
                opening.backends.record_failure(error);
                self.try_next(opening, tasks)
            }
        }
    }

    /// Starts a task for the next backends that have a surface for the window.
    fn try_next(&self, mut opening: Opening, tasks: &mut Tasks) -> Result<DeviceState> {
        loop {
            let backends = opening.backends.next()?;
            match self.surface(backends) {
                Ok((instance, surface)) => {
                    self.spawn(opening.number, instance, surface, tasks);
                    return Ok(DeviceState::Opening(opening));
                }
                // The backend is unavailable, which says no more than finding no adapter.
                Err(_) => continue,
            }
        }
    }

    fn no_adapter(&self) -> GpuError {
        let backend = self.options.backend;
        backend.map_or(GpuError::NoAdapter, GpuError::NoAdapterForBackend)
    }

    fn surface(
        &self,
        backends: wgpu::Backends,
    ) -> Result<(wgpu::Instance, wgpu::Surface<'static>), wgpu::CreateSurfaceError> {
        let mut descriptor = Gpu::instance_descriptor(backends);
        descriptor.display = Some(Box::new(self.display.clone()));
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(Arc::clone(&self.window))?;
        Ok((instance, surface))
    }

    fn spawn(
        &self,
        number: u32,
        instance: wgpu::Instance,
        surface: wgpu::Surface<'static>,
        tasks: &mut Tasks,
    ) {
        let (window, options) = (Arc::clone(&self.window), self.options.clone());
        let reports = self.reports.clone();
        tasks.spawn(async move {
            let result = Graphics::open(window, instance, surface, &options).await;
            reports.send(Opened { number, result });
        });
    }
}

impl Opening {
    /// Why an earlier device was replaced, if there was one.
    pub(super) fn reason(&self) -> Option<&'static str> {
        self.reason
    }
}

/// Candidates to try in turn, and the most informative error so far.
struct Candidates<T> {
    rest: vec::IntoIter<T>,
    failure: Error,
}

impl<T> Candidates<T> {
    /// `default_error` is the error if there are no candidates.
    fn new(all: Vec<T>, default_error: GpuError) -> Self {
        Self {
            rest: all.into_iter(),
            failure: default_error.into(),
        }
    }

    /// The next candidate.
    ///
    /// # Errors
    /// The most informative error, if no candidate is left.
    fn next(&mut self) -> Result<T> {
        match self.rest.next() {
            Some(next) => Ok(next),
            None => Err(std::mem::replace(
                &mut self.failure,
                GpuError::NoAdapter.into(),
            )),
        }
    }

    /// Records a failure. The error of a failing adapter is preferred over a missing one.
    fn record_failure(&mut self, error: Error) {
        let is_none = |error: &Error| {
            matches!(
                error.downcast_ref(),
                Some(GpuError::NoAdapter | GpuError::NoAdapterForBackend(_))
            )
        };
        if is_none(&self.failure) && !is_none(&error) {
            self.failure = error;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_device() -> Error {
        let error = GpuError::NoDevice {
            adapter: "A".to_owned(),
            reason: "out of memory".to_owned(),
        };
        error.into()
    }

    fn outcome(errors: Vec<Error>) -> String {
        let nothing = GpuError::NoAdapterForBackend(wgpu::Backend::Metal);
        let mut candidates = Candidates::new((0..errors.len()).collect(), nothing);
        for (number, error) in errors.into_iter().enumerate() {
            assert_eq!(candidates.next().expect("one more"), number);
            candidates.record_failure(error);
        }
        candidates.next().expect_err("none left").to_string()
    }

    #[test]
    fn most_informative_error_is_reported() {
        let none = || Error::from(GpuError::NoAdapter);
        let window = || Error::msg("the window supports no non-sRGB colour format");
        assert_eq!(outcome(vec![no_device(), none()]), no_device().to_string());
        assert_eq!(outcome(vec![none(), no_device()]), no_device().to_string());
        assert_eq!(outcome(vec![window(), no_device()]), window().to_string());
        for errors in [vec![], vec![none()]] {
            assert!(outcome(errors).contains("metal"));
        }
    }
}
