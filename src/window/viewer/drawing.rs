//! Scheduling of GPU work and presenting.

use std::sync::Arc;

use anyhow::Result;

use super::{Next, Viewer};
use crate::window::graphics::Presented;
use crate::window::overlay::Request;
use crate::window::platform::FileName;
use crate::window::saves::Screenshot;
use crate::window::scenes::name_of;
use crate::window::ui::earliest;
use tarsus_player::Session;
use tarsus_player::live::Done;
use tarsus_player::live::POLL_INTERVAL;
use tarsus_render::RenderError;

/// Repaint delays of the overlay from this many seconds on are ignored.
const NEVER: f64 = 3600.0;

/// Scheduling of GPU work.
impl Viewer {
    /// Handles finished work and starts the next piece. Returns when to call again.
    ///
    /// # Errors
    /// If the device is lost and no backend has a surface for another.
    pub(in crate::window) fn advance(&mut self) -> Result<Next> {
        let now = self.time.now();
        if self.source.take_due(now) {
            self.load();
        }
        self.ui.advance(now);
        self.look_at_drop(now);
        self.show_title(now);
        self.keep_recording(now);
        self.free_given_up(now);
        let Some(device) = self.device.ready_mut() else {
            return Ok(self.until(self.deadline()));
        };
        let gpu = &device.graphics.gpu;
        // Finished work and device loss are only reported when polling. A polling error
        // shows up as a lost device.
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        if gpu.is_lost() {
            self.open_device(Some("the graphics device was lost and replaced"))?;
            return Ok(self.until(self.deadline()));
        }
        if let Some(done) = device.canvas.finish(gpu, now) {
            self.is_outdated = false;
            self.done(done);
        }
        if self.is_outdated && self.is_stuck() {
            self.open_device(Some("the picture before took too long and was given up"))?;
            return Ok(self.until(self.deadline()));
        }
        Ok(self.begin(now))
    }

    /// Shows long-running work in the title, where it is visible even if nothing can be
    /// drawn.
    fn show_title(&mut self, now: f64) {
        let label = self.ui.compiling.title(now);
        let scene = name_of(&self.session.scene);
        self.window.set_title(label.as_deref().unwrap_or(scene));
    }

    fn done(&mut self, done: Done<Screenshot>) {
        match done {
            Done::Live(drawing) => {
                if let Some(device) = self.device.ready_mut() {
                    device.pass_times.finish(&device.graphics.gpu);
                }
                let is_first = self.ui.compiling.drawn();
                self.pacing.drawn(drawing.picture, !is_first);
                if !is_first {
                    self.pacing.advanced(drawing.buffers);
                }
                self.ui.redraw = true;
            }
            Done::Advance => self.ui.redraw |= self.session.rewind().is_behind(),
            Done::Band => {
                let device = self.device.ready();
                let samples = device.map_or(0, |device| device.canvas.samples());
                self.ui.refined(samples);
            }
            Done::Screenshot(screenshot, taken) => match taken.picture {
                Ok(picture) => {
                    if let Some(device) = self.device.ready() {
                        let gpu = Arc::clone(&device.graphics.gpu);
                        let held = taken.held.map(|held| (held, gpu));
                        self.saves
                            .save_picture(screenshot, picture, held, &mut self.tasks);
                    }
                }
                Err(error) => self.screenshot_failed(&screenshot.name, &error),
            },
        }
    }

    fn screenshot_failed(&mut self, name: &FileName, error: &RenderError) {
        self.saves.screenshot_finished(name);
        self.say(format!("cannot take a screenshot: {error}"));
    }

    /// Starts the next piece of work, and returns when to call again.
    fn begin(&mut self, now: f64) -> Next {
        let Some(device) = self.device.ready_mut() else {
            return self.until(self.deadline());
        };
        if device.canvas.is_busy() {
            return self.until(Some(now + POLL_INTERVAL));
        }
        if let Some(error) = device.gpu().take_error() {
            self.ui.fail(format!("error: the device failed: {error}"));
        }
        let scene = device.scene.as_mut();
        let has_scene = scene.is_some();
        if let Some(error) = scene.and_then(|scene| scene.channels.take_error()) {
            self.ui.fail(error);
        }
        self.ui.redraw |= device.panel.take_values();
        let measured = device.panel.is_measuring().then_some(now + POLL_INTERVAL);
        let mut next = earliest(self.deadline(), measured);
        if self.window.is_visible() {
            if self.ui.redraw {
                // The next work starts once this picture has been presented.
                self.window.handle.request_redraw();
            } else if has_scene {
                next = earliest(next, self.begin_work(now));
            }
        }
        self.until(next)
    }

    /// Starts a piece of GPU work; returns when to call again.
    fn begin_work(&mut self, now: f64) -> Option<f64> {
        let device = self.device.ready_mut()?;
        let awaited = device.catch_up(&mut self.session, &self.pacing.scale, now);
        if awaited.is_some() {
            let scene = device.scene.as_mut();
            self.ui.redraw |= scene.is_some_and(|scene| scene.channels.has_news(now));
            return awaited;
        }
        if !self.session.is_stale() && self.begin_screenshot(now) {
            return Some(now);
        }
        if self.session.needs_frame() {
            let next = self.pacing.next_frame(self.window.refresh_rate());
            if now < next {
                return Some(next);
            }
            self.paint(now);
            return Some(now);
        }
        let settled = self.pacing.settled_at();
        if now < settled {
            return Some(settled);
        }
        let device = self.device.ready_mut()?;
        device
            .refine(&self.session, &self.pacing.scale, now)
            .then_some(now)
    }

    /// Starts a requested screenshot; returns true if there was one.
    fn begin_screenshot(&mut self, now: f64) -> bool {
        let Some(device) = self.device.ready_mut() else {
            return false;
        };
        let scene = name_of(&self.session.scene);
        let Some(name) = self.saves.next_screenshot(scene) else {
            return false;
        };
        if let Err(error) = device.screenshot(&self.session, &self.pacing.scale, name.clone(), now)
        {
            self.screenshot_failed(&name, &error);
        }
        true
    }

    fn paint(&mut self, now: f64) {
        let Some(device) = self.device.ready_mut() else {
            return;
        };
        if self.ui.compiling.drawing() {
            self.pacing.scale.forget();
        }
        let was_replaying = self.session.is_replaying();
        device.paint(&mut self.session, &self.pacing.scale, now);
        if let Some(scene) = &device.scene {
            self.sound.follow(&self.session, &scene.program);
        }
        let runs = !self.session.clock.is_paused();
        if let Some(fps) = self.pacing.painted(now, runs) {
            self.session.set_frame_rate(fps);
        }
        if was_replaying && !self.session.is_replaying() {
            self.say("the recording has ended: you go on from here");
        }
    }

    /// Presents the newest picture and the overlay.
    pub(super) fn present(&mut self) -> Result<()> {
        let Some(device) = self.device.ready_mut() else {
            return Ok(());
        };
        if !self.window.has_pixels() {
            return Ok(());
        }
        if device.canvas.is_busy() {
            self.ui.redraw = true;
            return Ok(());
        }
        let now = self.time.now();
        let compiling = self.ui.compiling.note(now);
        let scene = device.scene.as_ref();
        let decoding = scene.and_then(|scene| scene.channels.note(now));
        let video = self.videos.progress().map(str::to_owned);
        let notes = [
            compiling,
            way_left(&self.session),
            decoding,
            video,
            self.saves.waiting(),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        let presentation = device.present(
            &self.window,
            &self.session,
            &self.pacing,
            &self.ui,
            (&notes, self.scenes.all()),
            now,
        )?;
        self.ui.redraw = presentation.presented == Presented::Again;
        let again = presentation.again.as_secs_f64();
        let overlay_at = (again < NEVER).then_some(now + again);
        self.ui.presented(now, device.canvas.samples(), overlay_at);
        self.pacing.presented((self.time.now() - now) * 1e3);
        self.answer(&presentation.requests);
        self.settle_drop(now);
        Ok(())
    }

    fn answer(&mut self, requests: &[Request]) {
        for request in requests {
            match request {
                Request::Set(name, components) => {
                    self.session.set(self.time.now(), name, components);
                    self.changed();
                }
                Request::Pick(index) => {
                    self.pick(*index);
                    self.changed();
                }
                Request::ShowWhole(tile) => {
                    self.ui.look = *tile;
                    self.changed();
                }
                Request::Seek(frame) => {
                    self.session.seek(self.time.now(), *frame);
                    self.changed();
                }
                Request::Do(command) => self.command(*command),
            }
        }
    }

    /// Time of the next change without other events.
    fn deadline(&self) -> Option<f64> {
        let own = earliest(self.source.deadline(), self.ui.deadline());
        earliest(
            earliest(own, self.drop_deadline()),
            self.recording_deadline(),
        )
    }

    fn until(&self, at: Option<f64>) -> Next {
        at.map_or(Next::Event, |at| Next::At(self.time.instant(at)))
    }
}

/// Note on the remaining frames until the buffers reach the shown frame, if there are
/// several.
fn way_left(session: &Session) -> Option<String> {
    let rewind = session.rewind();
    let frames = rewind.plan().frames;
    let left = frames.end.saturating_sub(frames.start);
    (rewind.is_behind() && left > 1).then(|| format!("{left} frames to go"))
}
