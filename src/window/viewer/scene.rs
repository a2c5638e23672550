//! Changing and loading scenes.

use std::path::Path;
use std::sync::Arc;

use super::Viewer;
use crate::message::no_sources_note;
use crate::window::loader::{LoadReport, LoadedScene};
use crate::window::scenes::name_of;
use crate::window::start::{OpenedFile, Start};
use crate::window::ui::DroppedFile;
use tarsus_files::printable;
use tarsus_player::clock::Direction;
use tarsus_player::{BufferState, Timeline};
use tarsus_render::{Gpu, adapter_warnings};
use tarsus_shader::{DebugView, Program};

/// Message where a scene starts in the middle of its time without the content of its buffers.
pub(super) const EMPTY_BUFFERS: &str = "the scene's buffers start empty here";

/// Changing and loading scenes.
impl Viewer {
    /// Switches to another scene, picture or recording. Ends and saves the running recording,
    /// if any.
    pub(super) fn start(&mut self, start: Start) {
        self.save_recording();
        self.source.start(&start);
        let is_paused = self.engine.session.clock.is_paused();
        self.engine.open(start.into_session(is_paused));
        self.ui.error = None;
        self.sound.stop();
        self.load();
    }

    /// Loads or reloads the scene's files.
    pub(super) fn load(&mut self) {
        if self.engine.device().is_none() {
            return;
        }
        self.loading.begin(self.time.now(), name_of(&self.engine.session.scene));
        self.ui.redraw = true;
        self.loaded_scene = None;
        self.is_load_due = true;
        self.devices.mark_outdated(self.time.now());
    }

    /// Handles a report of the loader.
    pub(in crate::window) fn loaded(&mut self, report: LoadReport) {
        let device = self.engine.device();
        if device.is_none_or(|device| !Arc::ptr_eq(&device.gpu, &report.gpu)) {
            return;
        }
        self.source.is_loading = false;
        // Shown and then hung, it would block the loading of the next one.
        if self.is_load_due {
            return;
        }
        let watched = self.source.watch(&report, self.time.now());
        match report.result {
            Ok(loaded) => {
                self.loaded_scene = Some(loaded);
                // It may differ from the picture that was being rendered when loading began.
                self.devices.mark_outdated(self.time.now());
                // The user may edit it.
                if !report.files.is_empty() {
                    self.source.prepare_later(self.time.now());
                }
            }
            Err(error) => {
                // Editors find the place of an error in a terminal.
                eprintln!("{}", printable(&error));
                self.loaded_scene = None;
                self.loading.clear();
                self.ui.show_error(error);
            }
        }
        if let Err(error) = watched {
            self.show_message(format!("cannot watch the scene's files: {error}"));
        }
        self.ui.redraw = true;
    }

    /// Shows a loaded scene, with its warnings.
    pub(super) fn show(&mut self, loaded: LoadedScene) {
        let LoadedScene { scene, mut saved_buffers, warnings, no_sources } = loaded;
        let Some(device) = self.engine.device() else {
            return;
        };
        self.ui.error = None;
        self.loading.loaded();
        if scene.renderer.reads_edited_constants() {
            self.source.compile_later(self.time.now());
        }
        let opened = self.source.opened.take();
        // The content of a recording's buffers fits no other size, and a later load of the same
        // scene must not bring it back.
        saved_buffers.take_if(|saved| match &opened {
            Some(opened) => opened.timeline.is_some() && saved.size() != self.engine.size(),
            None => true,
        });
        let has_size = opened.is_some_and(|opened| opened.size().is_some());
        let program = &scene.program;
        if let Some(size) = self.scene_size.change(program.size, has_size) {
            self.window.request_size(size);
        }
        let mut messages = program_warnings(program, &device.gpu);
        messages.extend(warnings);
        let no_sources = no_sources.filter(|_| self.capture.stores_sources);
        messages.extend(no_sources.map(|reason| no_sources_note(&reason)));
        if let (Some(view), None) = (self.source.debug_view, scene.debug_view) {
            messages
                .push(format!("debug view {view}: not available, the scene does no ray marching"));
        }
        let sound =
            self.sound.load(&device.gpu, program, scene.channels.sound_texels(), &mut self.tasks);
        let starts_midway = self.engine.session.replayed().map(Timeline::starts_midway);
        let state = self.engine.show(scene, saved_buffers.as_ref());
        let session = &self.engine.session;
        let is_late = starts_midway.unwrap_or_else(|| {
            session.clock.time() > 0.0 && session.frames_to_snapshot().is_none()
        });
        let is_empty = state == BufferState::Empty && is_late;
        let empty = is_empty.then(|| EMPTY_BUFFERS.to_owned());
        for message in sound.into_iter().chain(empty).chain(messages) {
            self.show_message(message);
        }
    }

    /// Shows the scene of this index and closes the grid.
    pub(super) fn pick(&mut self, index: usize) {
        self.ui.picker = None;
        if let Some(scene) = self.source.scenes.all.get(index) {
            let scene = scene.clone();
            self.show_scene(&scene);
        }
    }

    fn show_scene(&mut self, scene: &str) {
        if scene != self.engine.session.scene {
            self.start(Start::scene(scene));
        }
    }

    /// Opens the next or the previous scene.
    pub(super) fn page(&mut self, direction: Direction) {
        let current = &self.engine.session.scene;
        let scene = self.source.scenes.neighbour(current, direction).to_owned();
        self.show_scene(&scene);
    }

    /// Opens a scene, picture or recording; a picture resizes the window to its size.
    pub(super) fn open_file(&mut self, start: Start) {
        self.source.scenes.open(&start);
        if let Some(size) = start.opened.as_ref().and_then(OpenedFile::size) {
            self.window.request_size(size);
        }
        self.start(start);
    }

    /// Shows a copy of the scene from now on. Time, values, camera and buffers stay, as in a
    /// reload.
    pub(super) fn continue_in(&mut self, scene: String) {
        let original = std::mem::replace(&mut self.engine.session.scene, scene);
        self.source.scenes.add_after(&self.engine.session.scene, Some(&original));
        self.load();
    }

    /// Switches the debug view; the current picture stays until the scene has been
    /// reloaded.
    pub(super) fn cycle_debug_view(&mut self, direction: Direction) {
        let view = DebugView::cycled(self.source.debug_view, direction == Direction::Forward);
        self.source.debug_view = view;
        let name = view.map_or("off", DebugView::name);
        self.show_message(format!("debug view: {name}"));
        self.load();
    }
}

/// The warnings about a program, as messages.
fn program_warnings(program: &Program, gpu: &Gpu) -> Vec<String> {
    let composed = program.warnings.iter().map(|warning| match warning.line_column() {
        Some((line, _)) => format!("{} ({}:{line})", warning.message, warning.file),
        None => warning.message.clone(),
    });
    let of_adapter = adapter_warnings(&gpu.device, program).into_iter().map(str::to_owned);
    composed.chain(of_adapter).map(|warning| format!("warning: {warning}")).collect()
}

/// Seconds that a dropped file waits for the pointer position.
const DROP_TIMEOUT: f64 = 0.3;

impl Viewer {
    /// Handles a dropped file: opens a scene, a picture or a recording. If the panel is
    /// open and one of its channels is under the pointer or shown full size, the file
    /// replaces that channel's file instead.
    pub(super) fn dropped(&mut self, path: &Path) {
        if !self.ui.panel {
            return self.open_dropped(path);
        }
        self.ui.drop =
            Some(DroppedFile { path: path.to_owned(), deadline: self.time.now() + DROP_TIMEOUT });
        self.ui.redraw = true;
    }

    /// Resolves a dropped file if the overlay, which was drawn just now, has the pointer on
    /// a channel, or if the wait is over.
    pub(super) fn resolve_drop(&mut self, now: f64) {
        let Some(deadline) = self.ui.drop.as_ref().map(|drop| drop.deadline) else {
            return;
        };
        let device = self.devices.ready.as_ref();
        let under_pointer = device.and_then(|device| device.overlay.hovered);
        let hovered = under_pointer.and_then(|index| self.channel(index));
        if hovered.is_none() && now < deadline {
            return;
        }
        let full_size = || self.engine.full_size().and_then(|index| self.channel(index));
        let channel = hovered.or_else(full_size);
        let Some(DroppedFile { path, .. }) = self.ui.drop.take() else {
            return;
        };
        match channel {
            Some(channel) => {
                self.show_message(format!("{channel}: {}", path.display()));
                self.source.replacements.insert(channel, path);
                self.load();
            }
            None => self.open_dropped(&path),
        }
    }

    /// Name of the channel in a panel tile.
    fn channel(&self, index: usize) -> Option<String> {
        let tile = self.engine.tiles().into_iter().nth(index)?;
        tile.channel.map(|_| tile.name)
    }

    fn open_dropped(&mut self, path: &Path) {
        match Start::from_file(path) {
            Ok(start) => self.open_file(start),
            Err(error) => self.show_result(format!("{error:#}")),
        }
    }
}
