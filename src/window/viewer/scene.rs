//! Changing and loading scenes.

use std::sync::Arc;

use super::Viewer;
use crate::window::loader::{LoadReport, LoadRequest};
use crate::window::scenes::name_of;
use crate::window::start::Start;
use tarsus_player::BufferState;
use tarsus_render::float32_filter_warning;
use tarsus_shader::DebugView;

/// Changing and loading scenes.
impl Viewer {
    /// Switches to another scene, picture or recording.
    pub(super) fn start(&mut self, start: Start) {
        self.lens = start.lens(self.lens);
        self.picture = start.opened();
        self.session = start.into_session(self.session.clock.is_paused());
        self.session.rewind_mut().set_budget(self.rewind_memory);
        self.ui.error = None;
        self.ui.look = None;
        self.sound.stop();
        if let Some(device) = self.device.ready_mut() {
            device.clear();
        }
        self.load();
        self.changed();
    }

    /// Loads or reloads the scene's files.
    pub(super) fn load(&mut self) {
        if let Some(device) = self.device.ready() {
            let request = LoadRequest {
                gpu: Arc::clone(&device.graphics.gpu),
                scene: self.session.scene.clone(),
                lens: self.lens,
                replacements: self.replacements.clone(),
                time: self.session.clock.time(),
                picture: self.picture.clone(),
            };
            let name = name_of(&self.session.scene);
            self.ui.compiling.begin(self.time.now(), name);
            self.ui.redraw = true;
            self.is_outdated |= device.canvas.busy_since().is_some();
            self.source.load(request, &mut self.tasks);
        }
    }

    pub(super) fn loaded(&mut self, report: LoadReport) {
        self.source.finished(&mut self.tasks);
        let Some(device) = self.device.ready_mut() else {
            return;
        };
        // Scene, debug view or device may have changed in the meantime.
        let gpu = &device.graphics.gpu;
        if !report.request.is_for(gpu, &self.session.scene, self.lens) {
            return;
        }
        let watched = self.source.watch(&report);
        match report.result {
            Ok(scene) => {
                let program = &scene.program;
                self.ui.error = None;
                self.ui.compiling.loaded(self.time.now());
                let shown = scene.lens;
                self.picture = None;
                let doubts = scene.doubts.clone();
                let warnings = program
                    .warnings
                    .iter()
                    .map(|warning| warning.message.clone());
                let unblended = float32_filter_warning(&device.graphics.gpu.device, program);
                let warnings: Vec<String> = warnings.chain(unblended.map(str::to_owned)).collect();
                let sound = self.sound.loaded(
                    &device.graphics.gpu,
                    &scene.program,
                    scene.channels.for_sound(),
                    &mut self.tasks,
                );
                let contents = device.replace(scene, &mut self.session);
                if let Some(message) = sound {
                    self.say(message);
                }
                let is_late = self.session.clock.time() > 0.0;
                let runs = self.session.frames_to_snapshot().is_some();
                if contents == BufferState::Empty && is_late && !runs {
                    self.say("the buffers of the scene begin empty here");
                }
                for warning in warnings {
                    self.say(format!("warning: {warning}"));
                }
                for doubt in doubts {
                    self.say(doubt);
                }
                if let (Some(lens), None) = (self.lens, shown) {
                    self.say(format!(
                        "lens: {lens} shows nothing here: the scene traces no rays"
                    ));
                }
            }
            Err(error) => {
                self.ui.compiling.failed();
                self.ui.fail(error);
            }
        }
        if let Err(error) = watched {
            self.say(format!("cannot watch the scene's files: {error}"));
        }
        self.changed();
    }

    /// Shows the scene of this index and closes the grid.
    pub(super) fn pick(&mut self, index: usize) {
        self.ui.picker = None;
        if let Some(scene) = self.scenes.all().get(index) {
            let scene = scene.clone();
            self.show_scene(&scene);
        }
    }

    pub(super) fn show_scene(&mut self, scene: &str) {
        if scene != self.session.scene {
            self.start(Start::scene(scene));
        }
    }

    /// Opens the next or the previous scene.
    pub(super) fn page(&mut self, next: bool) {
        let scene = self.scenes.neighbour(&self.session.scene, next).to_owned();
        self.show_scene(&scene);
    }

    /// Opens a scene, picture or recording; a picture resizes the window to its size.
    pub(super) fn open_file(&mut self, start: Start) {
        self.scenes.add(&start.scene);
        if let Some(size) = start.size() {
            self.window.request_size(size);
        }
        self.start(start);
    }

    /// Switches the debug view; the current picture stays until the scene has been
    /// reloaded.
    pub(super) fn turn_lens(&mut self, next: bool) {
        self.lens = DebugView::cycled(self.lens, next);
        let name = self.lens.map_or("none", DebugView::name);
        self.say(format!("lens: {name}"));
        self.load();
    }
}
