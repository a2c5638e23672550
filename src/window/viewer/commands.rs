//! Execution of user commands.

use super::Viewer;
use crate::window::channels::{Replacements, replaced};
use crate::window::editing;
use crate::window::keys::Command;
use crate::window::picker::Picker;
use crate::window::platform;
use crate::window::scenes::name_of;
use crate::window::video::VideoRequest;
use tarsus_player::clock::Clock;

impl Viewer {
    /// Executes the command of a key or of an overlay button.
    pub(super) fn command(&mut self, command: Command) {
        match command {
            Command::Pause => self.with_clock(Clock::toggle_pause),
            Command::Restart => self.session.restart(self.time.now()),
            Command::Step(forward) => self.session.step(self.time.now(), forward),
            Command::Speed(faster) => self.with_clock(|clock| clock.change_speed(faster)),
            Command::Scene(next) => self.page(next),
            Command::Picker => self.toggle_picker(),
            Command::Panel => self.ui.panel = !self.ui.panel,
            Command::ShowWhole(number) => self.ui.look = usize::from(number).checked_sub(1),
            Command::Mute => {
                let message = self.sound.toggle();
                self.say(message);
                self.session.request_frame();
            }
            Command::Edit => self.edit(),
            Command::Scale(part) => self.fix_scale(part),
            Command::Fullscreen => self.window.toggle_fullscreen(),
            Command::Overlays => self.ui.mode = self.ui.mode.next(),
            Command::Lens(next) => self.turn_lens(next),
            Command::Screenshot => self.saves.request_screenshot(),
            Command::ExportVideo => self.export_video(),
            Command::Record => self.toggle_recording(),
            Command::Reload => self.load(),
            Command::ResetGraphics => self.lose_device(),
            Command::ResetView => self.session.reset_view(self.time.now()),
            Command::Quit => self.quit(),
        }
        self.changed();
    }

    /// Hides the window at once; running tasks may take a little longer.
    pub(super) fn quit(&mut self) {
        self.quit = true;
        self.window.handle.set_visible(false);
    }

    fn toggle_recording(&mut self) {
        if !self.save_recording() {
            self.session.start_recording(self.time.now(), self.size());
            self.saves.begin_recording(name_of(&self.session.scene));
            self.say("recording the input: Alt+R ends it");
        }
    }

    /// Stops the running recording and saves it; returns false if there is none.
    pub(super) fn save_recording(&mut self) -> bool {
        let timeline = self.session.stop_recording(self.time.now());
        let Some(timeline) = timeline else {
            return false;
        };
        self.saves.save_recording(timeline, &mut self.tasks);
        true
    }

    /// Real time at which the running recording is written next.
    pub(super) fn recording_deadline(&self) -> Option<f64> {
        let now = self.time.now();
        let begun = now - self.session.recorded(now)?;
        Some(begun + self.saves.recording_due()?)
    }

    /// Writes the running recording periodically, so that a crash loses little.
    pub(super) fn keep_recording(&mut self, now: f64) {
        if let Some(seconds) = self.session.recorded(now) {
            let recorded = || self.session.recording(now);
            self.saves
                .write_recording_if_due(seconds, recorded, &mut self.tasks);
        }
    }

    /// Opens the scene in the user's editor.
    fn edit(&mut self) {
        let (scene, library) = (self.session.scene.clone(), self.library.clone());
        editing::edit(scene, library, &self.edited, &mut self.tasks);
    }

    /// Starts a video export of the last seconds of play.
    fn export_video(&mut self) {
        if self.videos.progress().is_some() {
            return self.say("a video is already being exported");
        }
        let Some(timeline) = self.session.history_timeline(self.size()) else {
            return self.say("cannot export a video: nothing has been played yet");
        };
        let name = name_of(&self.session.scene).to_owned();
        let ending = if platform::has_ffmpeg() {
            "mp4"
        } else {
            "apng"
        };
        let device = self.device.ready();
        let scene = device.and_then(|device| device.scene.as_ref());
        let request = VideoRequest {
            scene: self.session.scene.clone(),
            debug_view: scene.and_then(|scene| scene.lens),
            replacements: scene.map_or_else(Replacements::new, |scene| {
                replaced(&scene.program, &self.replacements)
            }),
            timeline,
            is_software: device.is_some_and(|device| device.gpu().is_software()),
            recording: self.saves.reserve(&name, "recording", "json"),
            video: self.saves.reserve(&name, "film", ending),
        };
        self.videos.start(request, &mut self.tasks);
    }

    fn with_clock(&mut self, change: impl FnOnce(&mut Clock)) {
        self.session.with_clock(self.time.now(), change);
    }

    /// Renders at 1/`part` of the size per side; 0 adapts the scale to the frame rate.
    fn fix_scale(&mut self, part: u8) {
        let scale = (part > 0).then(|| 1.0 / f64::from(part));
        self.pacing.scale.fix(scale);
        self.session.request_frame();
    }

    /// Destroys the device, so that everything is recreated as after a real loss. A stuck
    /// device would report the loss only after its picture, so it is abandoned instead.
    fn lose_device(&mut self) {
        let is_stuck = self.is_stuck();
        if let Some(device) = self.device.ready() {
            self.is_outdated |= device.canvas.is_busy();
            if !is_stuck {
                device.graphics.gpu.device.destroy();
            }
        }
    }

    fn toggle_picker(&mut self) {
        self.ui.picker = match self.ui.picker {
            Some(_) => None,
            None => Some(Picker {
                chosen: self.scenes.position(&self.session.scene).unwrap_or(0),
            }),
        };
    }
}
