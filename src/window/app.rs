//! The winit application: opens the viewer, forwards events to it and closes it.

use anyhow::{Error, Result};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

use super::Options;
use super::platform::{Reports, UserEvent};
use super::viewer::Viewer;

/// The application, before its window opens, while it is open and after.
pub(super) struct App {
    /// Taken when the window opens.
    options: Option<Options>,
    reports: Reports,
    viewer: Option<Viewer>,
    failure: Option<Error>,
}

impl App {
    pub(super) fn new(options: Options, reports: Reports) -> Self {
        Self { options: Some(options), reports, viewer: None, failure: None }
    }

    /// The error that ended the application, if any.
    pub(super) fn into_result(self) -> Result<()> {
        self.failure.map_or(Ok(()), Err)
    }

    /// Calls `act` with the viewer, if there is one; an error ends the program.
    fn with_viewer(
        &mut self,
        event_loop: &ActiveEventLoop,
        act: impl FnOnce(&mut Viewer) -> Result<()>,
    ) {
        let Some(viewer) = &mut self.viewer else {
            return;
        };
        match act(viewer) {
            Ok(()) if viewer.quit => event_loop.exit(),
            Ok(()) => {}
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: Error) {
        self.failure.get_or_insert(error);
        event_loop.exit();
    }
}

impl ApplicationHandler<UserEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some(options) = self.options.take() else {
            return;
        };
        match Viewer::open(event_loop, options, self.reports.clone()) {
            Ok(viewer) => self.viewer = Some(viewer),
            Err(error) => self.fail(event_loop, error.context("cannot open a window")),
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        self.with_viewer(event_loop, event);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        self.with_viewer(event_loop, |viewer| viewer.window_event(&event));
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.with_viewer(event_loop, |viewer| {
            let next = viewer.update()?;
            event_loop.set_control_flow(next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
            Ok(())
        });
    }

    /// Drops device and surface before the window.
    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(viewer) = self.viewer.take() {
            viewer.close(self.failure.as_ref());
        }
    }
}
