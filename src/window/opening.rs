//! How a device is made: instance and surface on the event loop, where some
//! systems want them, the rest on a task that reports back.

use std::sync::Arc;
use std::vec;

use anyhow::{Context as _, Error, Result};
use winit::event_loop::{EventLoopProxy, OwnedDisplayHandle};
use winit::window::Window;

use super::app::UserEvent;
use super::device::DeviceResources;
use super::graphics::Graphics;
use super::platform::Tasks;
use crate::render::{Gpu, GpuError, GpuOptions};

/// The device of the window.
pub(super) enum DeviceState {
    /// The system has taken the surface away.
    Suspended,
    /// A task is making it.
    Opening(Opening),
    /// It is there.
    Ready(Box<DeviceResources>),
}

impl DeviceState {
    /// The resources, if there are any.
    pub(super) fn ready(&self) -> Option<&DeviceResources> {
        match self {
            Self::Ready(device) => Some(device),
            Self::Suspended | Self::Opening(_) => None,
        }
    }

    /// The resources, if there are any.
    pub(super) fn ready_mut(&mut self) -> Option<&mut DeviceResources> {
        match self {
            Self::Ready(device) => Some(device),
            Self::Suspended | Self::Opening(_) => None,
        }
    }
}

/// What a task made of one try.
pub(super) struct Opened {
    /// The opening it belongs to.
    number: u32,
    result: Result<Graphics>,
}

/// Opens devices for one window.
pub(super) struct DeviceOpener {
    window: Arc<Window>,
    display: OwnedDisplayHandle,
    options: GpuOptions,
    events: EventLoopProxy<UserEvent>,
    /// Openings begun so far.
    openings: u32,
}

/// A device on its way: backends are tried one after the other.
pub(super) struct Opening {
    number: u32,
    /// True if another device was lost before.
    replaces_lost: bool,
    backends: Candidates<wgpu::Backends>,
}

impl DeviceOpener {
    /// Opens devices that can draw to `window`, and reports to `events`.
    pub(super) fn new(
        window: Arc<Window>,
        display: OwnedDisplayHandle,
        options: GpuOptions,
        events: EventLoopProxy<UserEvent>,
    ) -> Self {
        Self {
            window,
            display,
            options,
            events,
            openings: 0,
        }
    }

    /// Begins to open a device. Another surface of the window has to be gone.
    ///
    /// # Errors
    /// When no backend has a surface for the window.
    pub(super) fn begin(&mut self, replaces_lost: bool, tasks: &mut Tasks) -> Result<DeviceState> {
        self.openings = self.openings.wrapping_add(1);
        let opening = Opening {
            number: self.openings,
            replaces_lost,
            backends: Candidates::new(Gpu::backends_to_try(&self.options)),
        };
        self.try_next(opening, tasks)
    }

    /// Takes the answer of a task. Gives the device, or `None` while there is
    /// none yet, and what the state is from now on.
    ///
    /// # Errors
    /// When no backend gave a device.
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
                opening.backends.failed(error);
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
                Err(error) => opening.backends.failed(error),
            }
        }
    }

    fn surface(
        &self,
        backends: wgpu::Backends,
    ) -> Result<(wgpu::Instance, wgpu::Surface<'static>)> {
        let mut descriptor = Gpu::instance_descriptor(backends);
        descriptor.display = Some(Box::new(self.display.clone()));
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance
            .create_surface(Arc::clone(&self.window))
            .context("cannot create a surface for the window")?;
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
        let events = self.events.clone();
        tasks.spawn(async move {
            let result = Graphics::open(window, instance, surface, &options).await;
            // Fails only when the window is closed.
            let _ = events.send_event(UserEvent::DeviceOpened(Box::new(Opened { number, result })));
        });
    }
}

impl Opening {
    /// True if another device was lost before.
    pub(super) fn replaces_lost(&self) -> bool {
        self.replaces_lost
    }
}

/// Things to try in turn, and the error that says most about why all failed.
struct Candidates<T> {
    rest: vec::IntoIter<T>,
    failure: Option<Error>,
}

impl<T> Candidates<T> {
    fn new(all: Vec<T>) -> Self {
        Self {
            rest: all.into_iter(),
            failure: None,
        }
    }

    /// The next one to try.
    ///
    /// # Errors
    /// The reason, when none is left.
    fn next(&mut self) -> Result<T> {
        match self.rest.next() {
            Some(next) => Ok(next),
            None => Err(self.failure.take().unwrap_or(GpuError::NoAdapter.into())),
        }
    }

    /// The one tried last failed.
    fn failed(&mut self, error: Error) {
        let rank = |error: &Error| match error.downcast_ref() {
            Some(GpuError::NoAdapter | GpuError::NoAdapterForBackend(_)) => 1,
            Some(GpuError::NoSuchAdapter { .. } | GpuError::NoDevice { .. }) => 2,
            // No surface: the backend is not installed.
            None => 0,
        };
        let is_better = |known: &Error| rank(known) < rank(&error);
        if self.failure.as_ref().is_none_or(is_better) {
            self.failure = Some(error);
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
        let mut candidates = Candidates::new((0..errors.len()).collect());
        for (number, error) in errors.into_iter().enumerate() {
            assert_eq!(candidates.next().expect("one more"), number);
            candidates.failed(error);
        }
        candidates.next().expect_err("none left").to_string()
    }

    #[test]
    fn the_error_that_says_most_is_told() {
        let none = || Error::from(GpuError::NoAdapter);
        let surface = || Error::msg("cannot create a surface");
        assert!(outcome(vec![no_device(), none()]).contains("out of memory"));
        assert!(outcome(vec![none(), no_device()]).contains("out of memory"));
        assert_eq!(outcome(vec![surface(), none()]), none().to_string());
        assert_eq!(outcome(vec![none(), surface()]), none().to_string());
        assert_eq!(outcome(vec![surface()]), "cannot create a surface");
        assert_eq!(outcome(Vec::new()), none().to_string());
    }
}
