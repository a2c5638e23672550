//! Execution of user commands.

use std::sync::Arc;

use super::Viewer;
use crate::window::channels::{Replacements, applicable_replacements};
use crate::window::editing;
use crate::window::keys::Command;
use crate::window::picker::Picker;
use crate::window::platform;
use crate::window::scenes::name_of;
use crate::window::ui::Mode;
use crate::window::video::VideoRequest;
use tarsus_player::clock::Clock;

impl Viewer {
    /// Executes the command of a key or of the overlay.
    pub(super) fn command(&mut self, command: Command) {
        let now = self.time.now();
        match command {
            Command::Pause => self.with_clock(Clock::toggle_pause),
            Command::Restart => self.engine.session.restart(now),
            Command::Step(forward) => self.engine.session.step(now, forward),
            Command::Speed(faster) => self.with_clock(|clock| clock.change_speed(faster)),
            Command::Scene(next) => self.page(next),
            Command::Picker => self.toggle_picker(),
            Command::Parameters => {
                self.ui.are_parameters_open = self.ui.reveal() || !self.ui.are_parameters_open;
            }
            Command::Probe => self.ui.is_probing = !self.ui.is_probing,
            Command::Panel => self.ui.panel = self.ui.reveal() || !self.ui.panel,
            Command::ShowFullSize(tile) => self.engine.show_full_size(tile),
            Command::Mute => {
                let message = self.sound.toggle();
                self.show_message(message);
                self.engine.session.request_frame();
            }
            Command::Edit => self.edit(),
            Command::Scale(part) => self.fix_scale(part),
            Command::Fullscreen => self.window.toggle_fullscreen(),
            Command::Overlays => self.ui.mode = self.ui.mode.next(),
            Command::DebugView(next) => self.cycle_debug_view(next),
            Command::Screenshot => self.engine.request_screenshot(),
            Command::ExportVideo => self.export_video(),
            Command::Record => self.toggle_recording(),
            Command::Reload => self.load(),
            Command::ResetGraphics => self.devices.destroy(&self.engine, now),
            Command::ResetView => self.engine.session.reset_view(now),
            Command::Quit => self.quit(),
            Command::SetParameter(name, value) => {
                if let Err(error) = self.engine.session.set(now, &name, &value) {
                    self.show_message(error.to_string());
                }
            }
            Command::Pick(index) => self.pick(index),
            Command::Seek(frame) => self.engine.session.seek(now, frame),
        }
        self.interface_changed();
    }

    /// Hides the window at once; running tasks may take a little longer.
    pub(super) fn quit(&mut self) {
        self.quit = true;
        self.window.handle.set_visible(false);
    }

    fn toggle_recording(&mut self) {
        if !self.save_recording() {
            let size = self.engine.size();
            let session = &mut self.engine.session;
            session.start_recording(self.time.now(), size);
            self.outputs.saves.begin_recording(name_of(&session.scene));
            self.show_result("recording the input: Alt+R ends it");
        }
    }

    /// Stops the running recording and saves it; returns false if there is none.
    pub(super) fn save_recording(&mut self) -> bool {
        let timeline = self.engine.session.stop_recording(self.time.now());
        let Some(timeline) = timeline else {
            return false;
        };
        self.outputs.saves.save_recording(timeline, &mut self.tasks);
        true
    }

    /// Real time at which the running recording is written next.
    pub(super) fn recording_deadline(&self) -> Option<f64> {
        let now = self.time.now();
        let begun = now - self.engine.session.recorded(now)?;
        Some(begun + self.outputs.saves.recording_due()?)
    }

    /// Writes the running recording periodically, so that a crash loses little.
    pub(super) fn write_recording_if_due(&mut self, now: f64) {
        let session = &self.engine.session;
        if let Some(seconds) = session.recorded(now) {
            let recorded = || session.recording(now);
            self.outputs.saves.write_recording_if_due(seconds, recorded, &mut self.tasks);
        }
    }

    /// Opens the scene in the user's editor.
    fn edit(&mut self) {
        let scene = self.engine.session.scene.clone();
        let library = Arc::clone(&self.source.library);
        editing::edit(scene, library, &self.outputs.edited, &mut self.tasks);
    }

    /// Starts a video export of the last seconds of play.
    fn export_video(&mut self) {
        if self.outputs.videos.progress().is_some() {
            return self.show_result("a video is already being exported");
        }
        let session = &self.engine.session;
        let Some(timeline) = session.history_timeline(self.engine.size()) else {
            return self.show_result("cannot export a video: nothing has been played yet");
        };
        let name = name_of(&session.scene).to_owned();
        let ending = if platform::has_ffmpeg() { "mp4" } else { "apng" };
        let scene = self.engine.scene();
        let request = VideoRequest {
            scene: session.scene.clone(),
            debug_view: scene.and_then(|scene| scene.debug_view),
            replacements: scene.map_or_else(Replacements::new, |scene| {
                applicable_replacements(&scene.program, &self.source.replacements)
            }),
            timeline,
            is_software: self.engine.pacing.is_software(),
            recording: self.outputs.saves.reserve(&name, "recording", "json"),
            video: self.outputs.saves.reserve(&name, "film", ending),
        };
        self.outputs.videos.start(request, &mut self.tasks);
        // The status shows the progress.
        if self.ui.mode == Mode::Hidden
            && let Some(progress) = self.outputs.videos.progress().map(str::to_owned)
        {
            self.show_result(progress);
        }
    }

    fn with_clock(&mut self, change: impl FnOnce(&mut Clock)) {
        self.engine.session.with_clock(self.time.now(), change);
    }

    /// Renders at 1/`part` of the size per side; 0 adapts the scale to the frame rate.
    fn fix_scale(&mut self, part: u8) {
        let scale = (part > 0).then(|| 1.0 / f64::from(part));
        self.engine.pacing.scale.fix(scale);
        self.engine.session.request_frame();
    }

    fn toggle_picker(&mut self) {
        self.keep_picture();
        let scene = &self.engine.session.scene;
        self.ui.picker = match self.ui.picker {
            Some(_) => None,
            None => Some(Picker { selected: self.source.scenes.position(scene).unwrap_or(0) }),
        };
    }
}
