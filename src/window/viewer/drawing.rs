//! The engine's work, and presenting.

use std::sync::Arc;

use super::Viewer;
use crate::message::count_text;
use crate::window::overlay::View;
use crate::window::platform::{self, Instant, UnsavedBuffers};
use crate::window::scenes::name_of;
use crate::window::source::{ScheduledWork, prepare_for_edits};
use crate::window::status::{slow_picture_note, status_lines};
use crate::window::ui::earliest;
use tarsus_capture::metadata::is_picture;
use tarsus_capture::{Quality, RunHash};
use tarsus_player::Session;
use tarsus_player::live::{NextWake, Screenshot, Tick, Update};

/// Repaint delays of the overlay from this many seconds on are ignored.
const MAX_REPAINT_DELAY: f64 = 3600.0;

impl Viewer {
    /// Handles finished work and starts the next piece. Returns when to call again at the
    /// latest; `None` on the next event.
    pub(in crate::window) fn update(&mut self) -> Option<Instant> {
        let now = self.time.now();
        self.run_due_work(now);
        self.engine.finish(now);
        if self.engine.status().can_submit {
            self.submit_waiting_work();
        }
        let was_replaying = self.engine.session.is_replaying();
        let is_visible = self.window.is_visible();
        let Update { wake, is_new_frame } = self.engine.update(&Tick {
            now,
            date: platform::date(),
            refresh_rate: self.window.refresh_rate(),
            is_visible,
        });
        if was_replaying && !self.engine.session.is_replaying() {
            self.show_message("the recording has ended: live input from here");
        }
        self.handle_results(is_new_frame);
        if self.engine.is_lost() {
            self.open_device(Some("the graphics device was lost and replaced"));
        } else if self.devices.is_stuck_outdated(&self.engine, now) {
            self.open_device(Some("the previous picture took too long and was abandoned"));
        }
        if wake == NextWake::Present {
            self.window.handle.request_redraw();
        }
        let engine_at = match wake {
            NextWake::At(at) => Some(at),
            // The GPU became free meanwhile.
            _ if self.can_load() || self.loaded_scene.is_some() => Some(now),
            NextWake::Input | NextWake::Present => None,
        };
        self.ui.set_notes(self.notes(now));
        // A message about what the engine did is shown by the next call.
        let message_at = (self.ui.redraw && is_visible).then_some(now);
        let deadlines = [
            engine_at,
            message_at,
            self.source.deadline(),
            self.ui.deadline(now),
            self.loading.deadline(now),
            self.recording.as_ref().map(|file| file.due),
        ];
        earliest(deadlines).map(|at| self.time.instant(at))
    }

    /// Starts to load a scene, shows a loaded one, or copies the buffers for a new recording.
    /// On a software renderer, this would block on an unfinished picture, perhaps forever.
    fn submit_waiting_work(&mut self) {
        self.copy_recording_buffers();
        if let Some(loaded) = self.loaded_scene.take() {
            self.show(loaded);
        }
        if self.can_load()
            && let Some(device) = self.engine.device()
        {
            self.is_load_due = false;
            self.source.load(&device.gpu, &self.engine.session, &mut self.tasks);
        }
    }

    /// True if a scene is to be loaded and no task loads another on this device.
    fn can_load(&self) -> bool {
        self.is_load_due && !self.source.is_loading && self.engine.device().is_some()
    }

    /// Runs everything that is due at this time, except for the engine's work.
    fn run_due_work(&mut self, now: f64) {
        match self.source.take_due(now) {
            Some(ScheduledWork::Reload | ScheduledWork::Compile) => self.load(),
            Some(ScheduledWork::Prepare) => self.prepare_for_edits(now),
            None => {}
        }
        self.ui.redraw_if_due(now);
        if std::mem::take(&mut self.ui.redraw) {
            self.engine.request_present();
        }
        self.show_title(now);
        self.write_recording_if_due(now);
        self.devices.drop_finished(now);
    }

    /// Prepares the first edit of the scene, once its first picture is drawn.
    fn prepare_for_edits(&mut self, now: f64) {
        let is_drawn = self.engine.status().is_drawn && self.loaded_scene.is_none();
        let device = self.engine.device().filter(|_| is_drawn);
        match device.and_then(|device| Some((&device.gpu, device.scene.as_ref()?))) {
            Some((gpu, scene)) => prepare_for_edits(gpu, &scene.program, &mut self.tasks),
            None => self.source.prepare_later(now),
        }
    }

    /// Handles finished screenshots, errors and new frames of the engine.
    fn handle_results(&mut self, is_new_frame: bool) {
        while let Some(screenshot) = self.engine.take_screenshot() {
            match screenshot {
                Ok(screenshot) => self.save_screenshot(screenshot),
                Err(error) => self.show_result(format!("cannot take a screenshot: {error}")),
            }
        }
        let status = self.engine.status();
        if status.is_drawn {
            self.loading.finish();
        }
        if status.work.is_none()
            && let Some(error) = self.engine.take_error()
        {
            self.ui.show_error(format!("error: the device failed: {error}"));
        }
        if let Some(scene) = self.engine.scene_mut()
            && let Some(error) = scene.channels.take_error()
        {
            self.ui.show_error(error);
        }
        if is_new_frame && let Some(scene) = self.engine.scene() {
            self.sound.follow(&self.engine.session, &scene.program);
        }
    }

    /// Shows long-running work in the title, where it is visible even if nothing can be
    /// drawn.
    fn show_title(&mut self, now: f64) {
        let label = self.loading.title(now);
        let scene = name_of(&self.engine.session.scene);
        self.window.set_title(label.as_deref().unwrap_or(scene));
    }

    fn save_screenshot(&mut self, screenshot: Screenshot) {
        let Some(device) = self.engine.device() else {
            return;
        };
        let Screenshot { picture, buffers, mut snapshot, inputs } = screenshot;
        if let Some(files) = snapshot.files.as_ref().filter(|_| is_picture(&snapshot.scene)) {
            snapshot.scene.clone_from(&files.main);
        }
        if !self.capture.stores_sources {
            snapshot.files = None;
        }
        let gpu = &device.gpu;
        let channels = Some(&*snapshot.channels).filter(|hash| !hash.is_empty());
        let hash = RunHash::new(gpu, &snapshot.hash, &Quality::PLAIN, channels);
        let metadata = hash.metadata(std::iter::once(inputs), &snapshot);
        let buffers = buffers.map(|state| UnsavedBuffers {
            state,
            gpu: Arc::clone(gpu),
            program_hash: snapshot.hash,
        });
        let series = self.file_series("screenshot", "png");
        self.unwritten_screenshots += 1;
        self.tasks.spawn(move |reports| {
            let saved = platform::save_picture(&series, &picture, &metadata, buffers.as_ref());
            let message = match saved {
                Ok(path) => format!("saved {}", path.display()),
                Err(error) => platform::print_message(error),
            };
            reports.send(move |viewer| viewer.screenshot_saved(message));
        });
    }

    /// Number of screenshots that are requested but not written.
    pub(super) fn unsaved_screenshots(&self) -> u32 {
        self.engine.screenshots_due() + self.unwritten_screenshots
    }

    /// Presents the latest picture and the overlay.
    pub(super) fn present(&mut self) {
        let now = self.time.now();
        let Some(device) = self.devices.ready.as_mut().filter(|_| self.window.has_pixels()) else {
            return;
        };
        if !self.engine.status().can_submit {
            self.ui.redraw = true;
            return;
        }
        let tiles = if self.ui.panel { device.draw_panel(&mut self.engine) } else { Vec::new() };
        let probed = match device.overlay.pointer(self.window.size) {
            Some(at) if self.ui.is_probing => {
                self.engine.probe(at);
                self.engine.probed()
            }
            _ => &[],
        };
        let adapter = device.graphics.gpu.describe();
        let status_at = self.ui.status.update(now, || status_lines(&self.engine, adapter));
        let view = View {
            ui: &self.ui,
            engine: &self.engine,
            tiles: &tiles,
            probed,
            scenes: &self.source.scenes.all,
            previews: &self.previews.pictures,
            now,
        };
        let (frame, repaint_delay, commands) =
            device.overlay.run(&self.window.handle, self.window.size, &view);
        match device.graphics.present(&self.window.handle, &mut self.engine, frame) {
            Ok(true) => {}
            Ok(false) => self.engine.skip_present(),
            Err(error) => {
                self.end.get_or_insert(Err(error));
            }
        }
        let repaint_delay = repaint_delay.as_secs_f64();
        let overlay_at = (repaint_delay < MAX_REPAINT_DELAY).then_some(now + repaint_delay);
        self.ui.presented(now, [overlay_at, status_at]);
        let ms = (self.time.now() - now) * 1e3;
        self.engine.pacing.record_present_ms(ms);
        for command in commands {
            self.command(command);
        }
        self.resolve_drop(now);
    }

    /// Progress of everything that takes long.
    fn notes(&self, now: f64) -> Vec<String> {
        let scene = self.engine.scene();
        let screenshots = self.unsaved_screenshots() as usize;
        let notes = [
            self.loading.note(now),
            slow_picture_note(&self.engine, now),
            remaining_frames_note(&self.engine.session),
            scene.and_then(|scene| scene.channels.note(now)),
            self.video.as_ref().map(|video| video.progress.clone()),
            (screenshots > 0).then(|| format!("{} waiting", count_text(screenshots, "screenshot"))),
        ];
        notes.into_iter().flatten().collect()
    }
}

/// Note on the remaining frames until the buffers reach the shown frame, if there are
/// several.
fn remaining_frames_note(session: &Session) -> Option<String> {
    let rewind = session.rewind();
    let frames = rewind.plan().frames;
    let left = frames.end.saturating_sub(frames.start);
    (rewind.is_behind() && left > 1).then(|| format!("{left} frames to go"))
}
