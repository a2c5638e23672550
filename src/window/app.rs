//! The winit application: brings the stage up, hands it events, takes it down.

use std::path::PathBuf;

use anyhow::{Context as _, Error, Result};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop, EventLoopProxy};
use winit::window::WindowId;

use super::Options;
use super::loader::Loaded;
use super::stage::{Next, Stage};

/// What other threads wake the window for.
pub(super) enum Wake {
    /// A scene is ready, or is not.
    Loaded(Box<Loaded>),
    /// A file of the scene changed.
    FilesChanged,
    /// A picture was written, or not.
    Written(Result<PathBuf, String>),
}

/// The application before, with and after its window.
pub(super) struct App {
    options: Options,
    wake: EventLoopProxy<Wake>,
    stage: Option<Stage>,
    failure: Option<Error>,
}

impl App {
    pub(super) fn new(options: Options, event_loop: &EventLoop<Wake>) -> Self {
        Self {
            options,
            wake: event_loop.create_proxy(),
            stage: None,
            failure: None,
        }
    }

    /// How it ended.
    pub(super) fn into_result(self) -> Result<()> {
        match self.failure {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Does one thing with the stage, if there is one; an error ends the program.
    fn on_stage(
        &mut self,
        event_loop: &ActiveEventLoop,
        act: impl FnOnce(&mut Stage) -> Result<()>,
    ) {
        let Some(stage) = &mut self.stage else { return };
        match act(stage) {
            Ok(()) if stage.wants_to_quit() => event_loop.exit(),
            Ok(()) => {}
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: Error) {
        self.failure.get_or_insert(error);
        event_loop.exit();
    }
}

impl ApplicationHandler<Wake> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let result = match &mut self.stage {
            Some(stage) => stage.resume(),
            None => Stage::open(event_loop, &self.options, &self.wake)
                .context("cannot open a window (`tarsus capture` works without one)")
                .map(|stage| self.stage = Some(stage)),
        };
        if let Err(error) = result {
            self.fail(event_loop, error);
        }
    }

    fn suspended(&mut self, _: &ActiveEventLoop) {
        if let Some(stage) = &mut self.stage {
            stage.suspend();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, wake: Wake) {
        self.on_stage(event_loop, |stage| {
            stage.wake(wake);
            Ok(())
        });
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        self.on_stage(event_loop, |stage| stage.event(&event));
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.on_stage(event_loop, |stage| {
            event_loop.set_control_flow(match stage.pump()? {
                Next::Sleep => winit::event_loop::ControlFlow::Wait,
                Next::At(instant) => winit::event_loop::ControlFlow::WaitUntil(instant),
            });
            Ok(())
        });
    }

    /// Device and surface go before the window does.
    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.stage = None;
    }
}
