//! The winit application: opens the viewer, forwards events to it and closes it.

use anyhow::Result;
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
    /// The error that ended the application, if any.
    pub(super) result: Result<()>,
}

impl App {
    pub(super) fn new(options: Options, reports: Reports) -> Self {
        Self { options: Some(options), reports, viewer: None, result: Ok(()) }
    }

    /// Calls `act` with the viewer, if there is one.
    fn with_viewer(&mut self, event_loop: &ActiveEventLoop, act: impl FnOnce(&mut Viewer)) {
        if let Some(viewer) = &mut self.viewer {
            act(viewer);
            if viewer.end.is_some() {
                event_loop.exit();
            }
        }
    }
}

impl ApplicationHandler<UserEvent> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some(options) = self.options.take() else {
            return;
        };
        match Viewer::open(event_loop, options, self.reports.clone()) {
            Ok(viewer) => self.viewer = Some(viewer),
            Err(error) => {
                self.result = Err(error.context("cannot open a window"));
                event_loop.exit();
            }
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
            let next = viewer.update();
            event_loop.set_control_flow(next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
        });
    }

    /// Drops device and surface before the window.
    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(viewer) = self.viewer.take() {
            self.result = viewer.close();
        }
    }
}
