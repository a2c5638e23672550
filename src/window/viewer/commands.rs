//! Execution of user commands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::scene::EMPTY_BUFFERS;
use super::{Engine, Viewer};
use crate::window::channels::{Replacements, applicable_replacements};
use crate::window::editing;
use crate::window::keys::Command;
use crate::window::overlay::NO_TILES;
use crate::window::platform::{self, FileSeries, UnsavedBuffers};
use crate::window::recording::RecordingFile;
use crate::window::scenes::name_of;
use crate::window::video::{VideoExport, VideoRequest};
use tarsus_player::Timeline;
use tarsus_player::clock::Clock;
use tarsus_render::Checkpoint;

/// Folder of screenshots, recordings and videos, with a subfolder per scene.
const OUTPUT_FOLDER: &str = "captures";

impl Viewer {
    /// Executes the command of a key or of the overlay.
    pub(super) fn command(&mut self, command: Command) {
        if let Some(obstacle) = self.obstacle(&command) {
            return self.show_result(obstacle);
        }
        let now = self.time.now();
        match command {
            Command::Pause => self.with_clock(Clock::toggle_pause),
            Command::Restart => self.restart(now),
            Command::Step(direction) => self.engine.session.step(now, direction),
            Command::SpeedUp => self.with_clock(Clock::speed_up),
            Command::SlowDown => self.with_clock(Clock::slow_down),
            Command::Page(direction) => self.page(direction),
            Command::Picker => self.toggle_picker(),
            Command::Parameters => {
                self.ui.are_parameters_open = self.ui.reveal() || !self.ui.are_parameters_open;
            }
            Command::Probe => self.toggle_probe(),
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
            Command::DebugView(direction) => self.cycle_debug_view(direction),
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

    /// Message for a command that has no effect in the current scene; `None` if it has one.
    fn obstacle(&self, command: &Command) -> Option<String> {
        let program = &self.engine.scene()?.program;
        let session = &self.engine.session;
        match command {
            Command::Parameters if session.parameters.is_empty() => Some(NO_PARAMETERS.to_owned()),
            Command::Step(_) if !session.clock.is_paused() => {
                Some("time is running: Space pauses it for single frames".to_owned())
            }
            Command::SpeedUp => speed_limit(&session.clock, Clock::speed_up, "highest"),
            Command::SlowDown => speed_limit(&session.clock, Clock::slow_down, "lowest"),
            Command::ShowFullSize(Some(index)) => {
                let tiles = self.engine.tiles();
                (*index >= tiles.len()).then(|| match tiles.len() {
                    0 => NO_TILES.to_owned(),
                    count => format!("this scene has no more than {count} buffers and channels"),
                })
            }
            Command::Mute if program.sound.is_none() => {
                Some("this scene has no sound; `main_sound` would make one".to_owned())
            }
            _ => None,
        }
    }

    /// Shows or hides the values under the pointer.
    fn toggle_probe(&mut self) {
        self.ui.is_probing = !self.ui.is_probing;
        let overlay = self.devices.ready.as_ref().map(|device| &device.overlay);
        let pointer = overlay.and_then(|overlay| overlay.pointer(self.window.size));
        if self.ui.is_probing && pointer.is_none() {
            self.show_result("the values appear under the pointer: move it over the picture");
        }
    }

    /// Ends the program, which hides the window at once; running tasks may take a little
    /// longer.
    pub(in crate::window) fn quit(&mut self) {
        // Keeps an error that has ended the program already.
        self.end.get_or_insert(Ok(()));
    }

    fn toggle_recording(&mut self) {
        if !self.save_recording() {
            let now = self.time.now();
            let has_state = self.engine.start_recording(now);
            let is_midway = self.engine.session.clock.index() > 0;
            let empty = if self.engine.has_buffers() && is_midway && !has_state {
                "; a replay starts with empty buffers"
            } else {
                ""
            };
            let series = self.file_series("recording", "json");
            self.recording = Some(RecordingFile::new(series, now, has_state));
            self.copy_recording_buffers();
            self.show_result(format!("recording the input: Alt+R ends it{empty}"));
        }
    }

    /// Stops the running recording and saves it; returns false if there is none.
    pub(super) fn save_recording(&mut self) -> bool {
        self.copy_recording_buffers();
        let timeline = self.engine.session.stop_recording(self.time.now());
        let Some((file, timeline)) = self.recording.take().zip(timeline) else {
            return false;
        };
        file.save(timeline, &mut self.tasks);
        true
    }

    /// Copies the buffers at the start of a new recording, unless this would block.
    pub(super) fn copy_recording_buffers(&mut self) {
        if let Some(file) = self.recording.as_mut().filter(|file| file.needs_buffers)
            && self.engine.status().can_submit
        {
            file.set_buffers(unsaved_buffers(&self.engine, self.engine.checkpoint()));
        }
    }

    /// Writes the running recording periodically, so that a crash loses little. Errors are
    /// only reported when the recording ends.
    pub(super) fn write_recording_if_due(&mut self, now: f64) {
        if let Some(file) = self.recording.as_mut().filter(|file| file.due <= now)
            && let Some(timeline) = self.engine.session.recording(now)
        {
            file.postpone(now, timeline.duration);
            let file = file.clone();
            self.tasks.spawn(move |_| drop(file.write(&timeline)));
        }
    }

    /// Opens the scene in the user's editor.
    fn edit(&mut self) {
        let scene = self.engine.session.scene.clone();
        let library = Arc::clone(&self.source.library);
        editing::edit(scene, library, &mut self.tasks);
    }

    /// Starts a video export of the last seconds of play.
    fn export_video(&mut self) {
        if self.video.is_some() {
            return self.show_result("a film is already being made");
        }
        let session = &self.engine.session;
        let Some((timeline, buffers)) = self.engine.last_seconds() else {
            return self.show_result("cannot make a film: the scene has not moved yet");
        };
        let ending = if platform::has_ffmpeg() { "mp4" } else { "apng" };
        let scene = self.engine.scene();
        let seconds = timeline.duration;
        let has_lost_buffers =
            self.engine.has_buffers() && timeline.starts_midway() && buffers.is_none();
        let empty = if has_lost_buffers { "; its buffers start empty" } else { "" };
        let buffers = unsaved_buffers(&self.engine, buffers);
        let recording = RecordingFile::finished(self.file_series("recording", "json"), buffers);
        let request = VideoRequest {
            scene: session.scene.clone(),
            debug_view: scene.and_then(|scene| scene.debug_view),
            replacements: self.replacements(),
            timeline,
            is_software: self.engine.pacing.is_software(),
            recording,
            video: self.file_series("film", ending),
        };
        self.video = Some(VideoExport::start(&self.capture, request, &mut self.tasks));
        let folder = self.output_folder();
        let folder = folder.display();
        self.show_result(format!("making a film of the last {seconds:.1} s in {folder}{empty}"));
    }

    /// Numbered files of the current scene.
    pub(super) fn file_series(&self, stem: &'static str, extension: &'static str) -> FileSeries {
        FileSeries::new(self.output_folder(), stem, extension)
    }

    fn output_folder(&self) -> PathBuf {
        Path::new(OUTPUT_FOLDER).join(name_of(&self.engine.session.scene))
    }

    fn restart(&mut self, now: f64) {
        let replayed = self.engine.session.replayed();
        if self.engine.has_buffers() && replayed.is_some_and(Timeline::starts_midway) {
            self.show_message(EMPTY_BUFFERS.to_owned());
        }
        self.engine.session.restart(now);
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
        let scene = &self.engine.session.scene;
        self.ui.picker = match self.ui.picker {
            Some(_) => None,
            None => Some(self.source.scenes.position(scene).unwrap_or(0)),
        };
        self.previews.invalidate(scene);
        self.draw_preview();
    }

    /// Starts drawing the next picture that the grid lacks, if it is open.
    pub(super) fn draw_preview(&mut self) {
        let scene = self.ui.picker.and_then(|_| self.previews.next(&self.source.scenes.all));
        if let Some(scene) = scene.cloned() {
            let replacements = if scene == self.engine.session.scene {
                self.replacements()
            } else {
                Replacements::new()
            };
            self.previews.start(&self.capture, scene, &replacements, &mut self.tasks);
        }
    }

    /// Replacement files for the channels of the current scene.
    fn replacements(&self) -> Replacements {
        self.engine.scene().map_or_else(Replacements::new, |scene| {
            applicable_replacements(&scene.program, &self.source.replacements)
        })
    }
}

/// Message that the clock's speed is the `limit` if `change` does not change it.
fn speed_limit(clock: &Clock, change: impl FnOnce(&mut Clock), limit: &str) -> Option<String> {
    let speed = clock.speed();
    let mut changed = clock.clone();
    change(&mut changed);
    (changed.speed() == speed).then(|| format!("{speed}× is the {limit} speed"))
}

/// Buffers of the scene, with the device and the hash that are needed to save them.
fn unsaved_buffers(engine: &Engine, buffers: Option<Checkpoint>) -> Option<UnsavedBuffers> {
    let device = engine.device()?;
    let program_hash = device.scene.as_ref()?.program.hash.clone();
    Some(UnsavedBuffers { state: buffers?, gpu: Arc::clone(&device.gpu), program_hash })
}

/// Message about a scene without parameters.
const NO_PARAMETERS: &str = "this scene has no parameters; in WGSL, which `tarsus import` makes of \
                             GLSL, each member of a `struct Params` is one, such as `/// Height [0, \
                             1] = 0.5` and `height: f32,`";
