//! What the shortcuts do.

use std::path::Path;

use winit::dpi::PhysicalSize;
use winit::window::Fullscreen;

use super::{Stage, Start};
use crate::capture::files;
use crate::capture::metadata::write_timeline;
use crate::player::clock::Clock;
use crate::shader::{Lens, Values};
use crate::window::keys::Command;

impl Stage {
    /// Does what the user asked for.
    pub(super) fn command(&mut self, command: Command) {
        match command {
            Command::Pause => self.with_clock(Clock::toggle_pause),
            Command::Restart => self.with_clock(Clock::restart),
            Command::Step(forward) => self.with_clock(|clock| clock.step(forward)),
            Command::Speed(faster) => self.with_clock(|clock| clock.change_speed(faster)),
            Command::Scene(next) => self.page(next),
            Command::Scale(part) => self.fix_scale(part),
            Command::Fullscreen => self.toggle_fullscreen(),
            Command::Overlays => self.mode = self.mode.next(),
            Command::Lens(next) => self.turn_lens(next),
            Command::Screenshot => self.shot_wanted = true,
            Command::Record => self.toggle_recording(),
            Command::Reload => self.load(),
            Command::ResetGraphics => self.lose_device(),
            Command::ResetView => {
                let now = self.now();
                self.session.reset_view(now);
            }
            Command::Quit => self.quit = true,
        }
        self.changed();
    }

    fn with_clock(&mut self, change: impl FnOnce(&mut Clock)) {
        let now = self.now();
        self.session.with_clock(now, change);
    }

    /// Opens the scene after or before this one.
    fn page(&mut self, next: bool) {
        let count = self.scenes.len();
        let here = self
            .scenes
            .iter()
            .position(|scene| *scene == self.session.scene);
        let there = match here {
            Some(here) if next => (here + 1) % count,
            Some(here) => (here + count - 1) % count,
            None => 0,
        };
        let scene = self.scenes[there].clone();
        if scene != self.session.scene {
            self.start(Start::Scene(scene, Values::default()));
        }
    }

    /// Shows what a dropped file holds, at the size it was taken at.
    pub(super) fn open_file(&mut self, start: Start) {
        let scene = start.scene().to_owned();
        if !self.scenes.contains(&scene) {
            self.scenes.insert(0, scene);
        }
        if let Start::Moment(_, moment) = &start
            && self.window.fullscreen().is_none()
        {
            let (width, height) = moment.size;
            // The answer is the new size or an event; both end up in `resized`.
            let _ = self
                .window
                .request_inner_size(PhysicalSize::new(width, height));
        }
        self.start(start);
        self.changed();
    }

    /// The picture stays until the scene is there through the other lens.
    fn turn_lens(&mut self, next: bool) {
        self.lens = Lens::turned(self.lens, next);
        let name = self.lens.map_or("none", Lens::name);
        self.say(format!("lens: {name}"));
        self.load();
    }

    /// One n-th per side, or whatever holds the frame rate.
    fn fix_scale(&mut self, part: u8) {
        let scale = (part > 0).then(|| 1.0 / f64::from(part));
        self.scale.fix(scale);
        self.session.touch();
    }

    fn toggle_fullscreen(&mut self) {
        let fullscreen = match self.window.fullscreen() {
            Some(_) => None,
            None => Some(Fullscreen::Borderless(None)),
        };
        self.window.set_fullscreen(fullscreen);
    }

    /// The adapter reports the loss, and all is made anew as after a real one.
    fn lose_device(&mut self) {
        if let Some(show) = &self.show {
            show.graphics.gpu.device.destroy();
        }
    }

    fn toggle_recording(&mut self) {
        let now = self.now();
        let Some(timeline) = self.session.stop_recording(now) else {
            self.session.start_recording(now, self.size());
            return self.say("recording the input: Alt+R ends it");
        };
        let folder = Path::new("captures").join(&self.name);
        let path = files::next_free(&folder, "recording", "json");
        self.say(match write_timeline(&path, &timeline) {
            Ok(()) => format!("saved {0}: tarsus view --replay {0}", path.display()),
            Err(error) => error.to_string(),
        });
    }
}
