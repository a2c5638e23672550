//! What the adapter does next, and what of it gets to the screen.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use chrono::{Datelike as _, Timelike as _};

use super::pace::average;
use super::{Stage, earliest};
use crate::capture::files;
use crate::capture::{Metadata, Quality, Stamp, write_png};
use crate::player::Moment;
use crate::render::Inputs;
use crate::render::Picture;
use crate::window::app::Wake;
use crate::window::canvas::SAMPLES;
use crate::window::graphics::Presented;
use crate::window::overlay::{Request, View};
use crate::window::scale::scaled;

/// Seconds without a change before the still is refined.
const SETTLE: f64 = 0.15;
/// Pictures without a surface after which there will be none.
const LOST_FRAMES: u32 = 100;

impl Stage {
    pub(super) fn has_renderer(&self) -> bool {
        self.show
            .as_ref()
            .is_some_and(|show| show.renderer.is_some())
    }

    /// Gives the adapter something to do now, or says when there will be.
    pub(super) fn begin_work(&mut self, now: f64) -> Option<f64> {
        if self.shot_wanted && !self.session.is_stale() {
            self.shot_wanted = false;
            self.shoot();
            return Some(now);
        }
        if self.session.goes_on() {
            let next = self.pace.painted_at + self.interval();
            if now < next {
                return Some(next);
            }
            self.paint(now);
            return Some(now);
        }
        let settled = self.changed_at.max(self.pace.painted_at) + SETTLE;
        if now < settled {
            return Some(settled);
        }
        self.refine().then_some(now)
    }

    fn paint(&mut self, now: f64) {
        let size = self.size();
        let Some(show) = &mut self.show else { return };
        let Some(renderer) = &mut show.renderer else {
            return;
        };
        let was_replaying = self.session.is_replaying();
        let scene_size = scaled(size, self.scale.scale());
        let frame = self.session.paint(now, date(), scene_size);
        let gpu = &show.graphics.gpu;
        let inputs = Inputs {
            frame,
            parameters: self.session.parameters.bytes(self.session.values()),
            keyboard: self.session.keyboard().texels(),
        };
        show.canvas.paint(gpu, renderer, &inputs);
        let interval = now - self.pace.painted_at;
        self.pace.painted_at = now;
        if interval < 0.5 && !self.session.clock.is_paused() {
            average(&mut self.pace.interval, interval);
            self.session.set_frame_rate(1.0 / self.pace.interval);
        }
        if was_replaying && !self.session.is_replaying() {
            self.say("the recording has ended: you go on from here");
        }
    }

    /// True if there was something left to refine.
    fn refine(&mut self) -> bool {
        let size = self.size();
        let Some(show) = &mut self.show else {
            return false;
        };
        let Some(renderer) = &mut show.renderer else {
            return false;
        };
        if show.canvas.samples() >= SAMPLES {
            return false;
        }
        let inputs = Inputs {
            frame: self.session.frame(size),
            parameters: self.session.parameters.bytes(self.session.values()),
            keyboard: self.session.keyboard().texels(),
        };
        show.canvas.refine(&show.graphics.gpu, renderer, &inputs);
        true
    }

    fn shoot(&mut self) {
        let size = self.size();
        let Some(show) = &mut self.show else { return };
        let Some(renderer) = &mut show.renderer else {
            return;
        };
        let gpu = &show.graphics.gpu;
        let inputs = Inputs {
            frame: self.session.frame(size),
            parameters: self.session.parameters.bytes(self.session.values()),
            keyboard: self.session.keyboard().texels(),
        };
        let moment = Moment {
            lens: self.lens_shown,
            hash: self.hash.clone(),
            ..self.session.moment(size)
        };
        let stamp = Stamp::new(gpu, &self.hash, &Quality::PLAIN);
        let metadata = stamp.metadata(std::iter::once(inputs.clone()), &moment);
        if let Err(error) = show.canvas.shoot(gpu, renderer, &inputs, metadata) {
            self.say(error.to_string());
        }
    }

    /// Writes a picture on a thread of its own.
    pub(super) fn save(
        &mut self,
        shot: Result<Option<(Metadata, Picture)>, crate::render::RenderError>,
    ) {
        let (metadata, picture) = match shot {
            Ok(Some(shot)) => shot,
            Ok(None) => return,
            Err(error) => return self.say(error.to_string()),
        };
        let folder = Path::new("captures").join(&self.name);
        let wake = self.wake.clone();
        std::thread::spawn(move || {
            let path = files::next_free(&folder, "screenshot", "png");
            let written = write_png(&path, &picture, &metadata);
            let written = written.map(|()| path).map_err(|error| error.to_string());
            // Fails only when the window is gone; the picture is saved all the same.
            let _ = wake.send_event(Wake::Written(written));
        });
    }

    /// Puts the newest picture and the overlay on the screen.
    pub(super) fn present(&mut self) -> Result<()> {
        if !self.has_pixels() {
            return Ok(());
        }
        let status = self.status();
        let now = self.now();
        let began = Instant::now();
        let Some(show) = &mut self.show else {
            return Ok(());
        };
        if show.canvas.is_busy() {
            self.redraw = true;
            return Ok(());
        }
        let view = View {
            mode: self.mode,
            status: &status,
            recorded: self.session.recorded(now),
            parameters: &self.session.parameters,
            values: self.session.values(),
            error: self.error.as_deref(),
            toasts: &self.toasts,
            scene_reads_keys: self.scene_reads_keys,
            now,
        };
        let (interface, again, requests) = show.overlay.run(&self.window, self.window_size, &view);
        let presented = show.graphics.present(show.canvas.picture(), interface);
        self.redraw = presented == Presented::Again;
        self.watch_surface(presented)?;
        let Some(show) = &self.show else {
            return Ok(());
        };
        self.samples_shown = show.canvas.samples();
        let again = (again < Duration::from_secs(3600)).then_some(now + again.as_secs_f64());
        self.overlay_at = earliest(again, self.toasts.next_change(now));
        average(
            &mut self.pace.present_ms,
            began.elapsed().as_secs_f64() * 1e3,
        );
        self.answer(&requests);
        Ok(())
    }

    /// A surface that stays away ends the program, one that comes back does not.
    fn watch_surface(&mut self, presented: Presented) -> Result<()> {
        match presented {
            Presented::Lost => self.lost_frames += 1,
            Presented::Shown => self.lost_frames = 0,
            Presented::Hidden | Presented::Again => {}
        }
        self.redraw |= presented == Presented::Lost;
        anyhow::ensure!(
            self.lost_frames < LOST_FRAMES,
            "the window's surface is lost"
        );
        Ok(())
    }

    fn answer(&mut self, requests: &[Request]) {
        for request in requests {
            match request {
                Request::Set(name, components) => {
                    self.session.set(self.now(), name, components);
                    self.changed();
                }
                Request::Do(command) => self.command(*command),
            }
        }
    }

    pub(super) fn samples(&self) -> u32 {
        self.show.as_ref().map_or(0, |show| show.canvas.samples())
    }
}

/// Shadertoy's `iDate` in local time.
fn date() -> [f64; 4] {
    let now = chrono::Local::now();
    let seconds = f64::from(now.num_seconds_from_midnight()) + f64::from(now.nanosecond()) * 1e-9;
    [
        f64::from(now.year()),
        f64::from(now.month0()),
        f64::from(now.day()),
        seconds,
    ]
}
