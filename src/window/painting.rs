//! The pictures of the scene that are drawn next, with what is made anew when the
//! device is lost: the live one, the still and screenshots, and the buffers before
//! them.

use super::device::DeviceResources;
use super::loader::LoadedScene;
use super::pass_times::PassTimes;
use super::platform::{self, FileName};
use super::saves::Screenshot;
use tarsus_capture::{Quality, Stamp};
use tarsus_player::live::POLL_INTERVAL;
use tarsus_player::live::SAMPLES;
use tarsus_player::live::scale::{ScaleController, scaled};
use tarsus_player::{BufferContents, Moment, Session};
use tarsus_render::RenderError;

impl DeviceResources {
    /// Shows another scene from now on, or the same one anew: then its buffers go on
    /// with what they hold. Says what they hold now.
    pub(super) fn replace(
        &mut self,
        mut scene: LoadedScene,
        session: &mut Session,
    ) -> BufferContents {
        let gpu = &self.graphics.gpu;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let contents = scene.adopt(&mut encoder, self.scene.as_ref());
        let program = &scene.program;
        // Sound runs with the frames.
        let is_animated = program.is_animated || program.sound.is_some();
        session.scene_loaded(
            program.parameters.clone(),
            program.period,
            is_animated,
            contents,
        );
        // What follows can be reached from here alone.
        scene.keep(&mut encoder, session.rewind_mut());
        gpu.queue.submit([encoder.finish()]);
        self.pass_times = PassTimes::new(gpu, &scene.renderer);
        self.scene = Some(scene);
        contents
    }

    /// Begins the next frame of the session, at real time `now` and at most at the
    /// size of the window. Does nothing before there is a scene.
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
            self.canvas.advance_before(&self.graphics.gpu, |encoder| {
                scene.follow(encoder, rewind, 1, timestamps, now);
            });
        }
        // Where the way is longer the picture comes at its end.
        if !rewind.is_behind() {
            self.draw(session, scale, now);
        }
    }

    /// Goes on to the picture of the newest frame, where that takes longer: its buffers
    /// are more than a frame behind, or a film is decoded. Says when to look again, until
    /// the picture is begun.
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
            self.canvas
                .advance(&self.graphics.gpu, now, |encoder, frames| {
                    scene.follow(encoder, rewind, frames, None, now);
                });
        } else {
            self.pass_times.give_up();
            self.draw(session, scale, now);
        }
        Some(now)
    }

    /// Draws the newest frame, whose channels and buffers are there.
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

    /// Goes on with the still of the newest frame; true if there was something
    /// left to refine.
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

    /// Draws the newest frame once more for the file of this name. Does nothing
    /// before there is a scene.
    ///
    /// # Errors
    /// [`RenderError`] when it is too large.
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
        let moment = Moment {
            lens: scene.lens,
            hash: scene.program.hash.clone(),
            ..session.moment(size)
        };
        let stamp = Stamp::new(gpu, &scene.program.hash, &Quality::PLAIN);
        let stamp = match scene.channels.hash() {
            Some(hash) => stamp.with_channels(&hash),
            None => stamp,
        };
        let screenshot = Screenshot {
            name,
            metadata: stamp.metadata(std::iter::once(inputs.clone()), &moment),
        };
        self.canvas
            .screenshot(gpu, &mut scene.renderer, &inputs, screenshot, now)
    }
}

/// Size of the live picture that the scene is told, in a window of this size: that of the
/// buffers where there are any, which hold the same whatever the adapter can do.
fn live_size(scene: &LoadedScene, window: (u32, u32), scale: &ScaleController) -> (u32, u32) {
    match scene.has_buffers() {
        true => scaled(window, scale.nominal()),
        false => scaled(window, scale.scale()),
    }
}

/// Size of stills and screenshots in a window of this size: its own, but that of the
/// buffers where there are any.
fn still_size(scene: &LoadedScene, window: (u32, u32), scale: &ScaleController) -> (u32, u32) {
    match scene.has_buffers() {
        true => scaled(window, scale.nominal()),
        false => window,
    }
}
