//! Rendering of the next pictures with the resources of one device: the live picture, the
//! still, screenshots, and the buffers before them.

use super::device::DeviceResources;
use super::loader::LoadedScene;
use super::pass_times::PassTimes;
use super::platform::{self, FileName};
use super::saves::Screenshot;
use tarsus_capture::{Quality, RunHash};
use tarsus_player::live::POLL_INTERVAL;
use tarsus_player::live::SAMPLES;
use tarsus_player::live::scale::{ScaleController, scaled};
use tarsus_player::{BufferState, Session, Snapshot};
use tarsus_render::RenderError;

impl DeviceResources {
    /// Replaces the scene. If the new scene is a reload, its buffers keep their state.
    /// Returns the resulting buffer state.
    pub(super) fn replace(&mut self, mut scene: LoadedScene, session: &mut Session) -> BufferState {
        let gpu = &self.graphics.gpu;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let contents = scene.adopt(&mut encoder, self.scene.as_ref());
        let program = &scene.program;
        // Sound requires frames to advance even if nothing else changes.
        let is_animated = program.is_animated || program.sound.is_some();
        session.scene_loaded(
            program.parameters.clone(),
            program.period,
            is_animated,
            contents,
        );
        // Later frames can only be reached from this checkpoint.
        scene.keep(&gpu.queue, &mut encoder, session.rewind_mut());
        gpu.queue.submit([encoder.finish()]);
        self.pass_times = PassTimes::new(gpu, &scene.renderer);
        self.scene = Some(scene);
        contents
    }

    /// Starts the session's next frame at real time `now`, at most at the size of the
    /// window. Does nothing before a scene is loaded.
    pub(super) fn paint(&mut self, session: &mut Session, scale: &ScaleController, now: f64) {
        let Some(scene) = &mut self.scene else {
            return;
        };
        let size = live_size(scene, self.graphics.size(), scale);
        session.paint(now, platform::date(), size);
        self.is_picture_due = true;
        if !scene.is_ready(session, now) {
            return;
        }
        let rewind = session.rewind_mut();
        let is_new = rewind.is_behind() || !scene.has_buffers();
        let timestamps = is_new.then(|| self.pass_times.begin()).flatten();
        if rewind.is_behind() {
            let queue = &self.graphics.gpu.queue;
            self.canvas.advance_before(&self.graphics.gpu, |encoder| {
                scene.follow(queue, encoder, rewind, 1, timestamps, now);
            });
        }
        // If the buffers are further behind, `catch_up` renders the picture.
        if !rewind.is_behind() {
            self.draw(session, scale, now);
        }
    }

    /// Continues towards the picture of the newest frame if its buffers are more than one
    /// frame behind or a video is being decoded. Returns when to call again, or `None` once
    /// the picture has been started.
    pub(super) fn catch_up(
        &mut self,
        session: &mut Session,
        scale: &ScaleController,
        now: f64,
    ) -> Option<f64> {
        let scene = self.scene.as_mut()?;
        let is_behind = session.rewind().is_behind();
        if !is_behind && !self.is_picture_due {
            return None;
        }
        if !scene.is_ready(session, now) {
            return Some(now + POLL_INTERVAL);
        }
        if is_behind {
            let rewind = session.rewind_mut();
            let queue = &self.graphics.gpu.queue;
            self.canvas
                .advance(&self.graphics.gpu, now, |encoder, frames| {
                    scene.follow(queue, encoder, rewind, frames, None, now);
                });
        } else {
            self.pass_times.give_up();
            self.draw(session, scale, now);
        }
        Some(now)
    }

    /// Renders the newest frame, whose channels and buffers are ready.
    fn draw(&mut self, session: &Session, scale: &ScaleController, now: f64) {
        let window = self.graphics.size();
        let Some(scene) = &mut self.scene else {
            return;
        };
        let gpu = &self.graphics.gpu;
        scene.follow_channels(gpu, session);
        let inputs = scene.inputs(session, live_size(scene, window, scale));
        let drawn = (&mut scene.renderer, &inputs);
        let size = scaled(window, scale.scale());
        let timestamps = self.pass_times.current();
        self.canvas.paint(gpu, drawn, size, timestamps, now);
        self.is_picture_due = false;
    }

    /// Refines the still of the newest frame; returns true if it had samples left to
    /// render.
    pub(super) fn refine(&mut self, session: &Session, scale: &ScaleController, now: f64) -> bool {
        let window = self.graphics.size();
        match &mut self.scene {
            Some(scene) if self.canvas.samples() < SAMPLES => {
                let inputs = scene.inputs(session, still_size(scene, window, scale));
                let gpu = &self.graphics.gpu;
                self.canvas.refine(gpu, &mut scene.renderer, &inputs, now);
                true
            }
            _ => false,
        }
    }

    /// Renders the newest frame once more for the file `name`. Does nothing before a scene
    /// is loaded.
    ///
    /// # Errors
    /// [`RenderError`] if the picture is too large.
    pub(super) fn screenshot(
        &mut self,
        session: &Session,
        scale: &ScaleController,
        name: FileName,
        now: f64,
    ) -> Result<(), RenderError> {
        let (gpu, window) = (&self.graphics.gpu, self.graphics.size());
        let Some(scene) = &mut self.scene else {
            return Ok(());
        };
        let size = still_size(scene, window, scale);
        let inputs = scene.inputs(session, size);
        let snapshot = Snapshot {
            lens: scene.lens,
            hash: scene.program.hash.clone(),
            ..session.snapshot(size)
        };
        let hash = RunHash::new(gpu, &scene.program.hash, &Quality::PLAIN);
        let hash = match scene.channels.hash() {
            Some(channels) => hash.with_channels(&channels),
            None => hash,
        };
        let screenshot = Screenshot {
            name,
            metadata: hash.metadata(std::iter::once(inputs.clone()), &snapshot),
        };
        self.canvas
            .screenshot(gpu, &mut scene.renderer, &inputs, screenshot, now)
    }
}

/// Size of the live picture as seen by the scene, in a window of this size. A scene with
/// buffers sees their size, so that its state does not depend on the speed of the GPU.
fn live_size(scene: &LoadedScene, window: (u32, u32), scale: &ScaleController) -> (u32, u32) {
    match scene.has_buffers() {
        true => scaled(window, scale.nominal()),
        false => scaled(window, scale.scale()),
    }
}

/// Size of stills and screenshots in a window of this size: the window's, or that of the
/// buffers if there are any.
fn still_size(scene: &LoadedScene, window: (u32, u32), scale: &ScaleController) -> (u32, u32) {
    match scene.has_buffers() {
        true => scaled(window, scale.nominal()),
        false => window,
    }
}
