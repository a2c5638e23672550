//! The scene's files and the choices that they are loaded with: loads them, watches them
//! and reloads them on changes.

use std::sync::Arc;

use super::channels::Replacements;
use super::loader::{LoadReport, LoadRequest, Loader};
use super::options::Options;
use super::platform::{Sender, Tasks};
use super::scenes::SceneList;
use super::start::{OpenedPicture, Start};
use crate::watch::Watch;
use tarsus_player::Session;
use tarsus_render::Gpu;
use tarsus_shader::{DebugView, Library};

/// Seconds without changes before changed files are reloaded.
const SETTLE_INTERVAL: f64 = 0.04;

/// Loader and file watcher of the scene.
pub(super) struct SceneSource {
    /// The scenes to page through.
    pub(super) scenes: SceneList,
    /// Requested debug view.
    pub(super) debug_view: Option<DebugView>,
    /// Replacement files for the scene's channels.
    pub(super) replacements: Replacements,
    /// The opened picture, until its scene is loaded.
    picture: Option<OpenedPicture>,
    library: Arc<Library>,
    loader: Loader,
    /// `None` if the system cannot watch files.
    watch: Option<Watch>,
    /// Real time at which changed files are reloaded.
    reload_at: Option<f64>,
}

impl SceneSource {
    /// Starts with the scene of the options, which is not loaded yet. Load reports go to
    /// `reports`; `changed` is notified of changes to watched files.
    pub(super) fn new(options: &Options, reports: Sender<LoadReport>, changed: Sender<()>) -> Self {
        let library = Arc::new(options.library.clone());
        let watch = Watch::start(move || changed.send(()));
        let mut scenes = SceneList::builtin();
        scenes.add(&options.start.scene);
        Self {
            scenes,
            debug_view: options.start.debug_view(None),
            replacements: options.channels.clone(),
            picture: options.start.opened_picture(),
            loader: Loader::new(Arc::clone(&library), reports),
            library,
            watch: watch.ok(),
            reload_at: None,
        }
    }

    /// The built-in scenes and modules.
    pub(super) fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Runs one-time initialization for the first scene while the device is being opened.
    pub(super) fn warm_up(&self, scene: &str, tasks: &mut Tasks) {
        self.loader.warm_up(scene, tasks);
    }

    /// Switches to another scene, picture or recording, which is loaded next.
    pub(super) fn start(&mut self, start: &Start) {
        self.debug_view = start.debug_view(self.debug_view);
        self.picture = start.opened_picture();
    }

    /// Loads or reloads the scene of `session` on `gpu`.
    pub(super) fn load(&mut self, gpu: &Arc<Gpu>, session: &Session, tasks: &mut Tasks) {
        self.reload_at = None;
        let request = LoadRequest {
            gpu: Arc::clone(gpu),
            scene: session.scene.clone(),
            debug_view: self.debug_view,
            replacements: self.replacements.clone(),
            time: session.clock.time(),
            picture: self.picture.clone(),
        };
        self.loader.request(request, tasks);
    }

    /// Handles the arrival of a report.
    pub(super) fn report_arrived(&mut self, tasks: &mut Tasks) {
        self.loader.report_arrived(tasks);
    }

    /// Returns true if a report is for this scene on this device in the requested debug
    /// view: any of them may have changed in the meantime.
    pub(super) fn is_current(&self, report: &LoadReport, gpu: &Arc<Gpu>, scene: &str) -> bool {
        report.request.is_for(gpu, scene, self.debug_view)
    }

    /// Forgets the opened picture, because its scene is shown now.
    pub(super) fn forget_picture(&mut self) {
        self.picture = None;
    }

    /// Watches the files of a report.
    ///
    /// # Errors
    /// If a folder cannot be watched.
    pub(super) fn watch(&mut self, report: &LoadReport) -> notify::Result<()> {
        match &mut self.watch {
            Some(watch) => watch.set_files(&report.files, report.result.is_err()),
            None => Ok(()),
        }
    }

    /// Schedules a reload after a file change; more changes may follow immediately.
    pub(super) fn files_changed(&mut self, now: f64) {
        self.reload_at = Some(now + SETTLE_INTERVAL);
    }

    /// Returns true once when the reload is due.
    pub(super) fn take_due(&mut self, now: f64) -> bool {
        self.reload_at.take_if(|at| *at <= now).is_some()
    }

    /// Time of the scheduled reload.
    pub(super) fn deadline(&self) -> Option<f64> {
        self.reload_at
    }
}
