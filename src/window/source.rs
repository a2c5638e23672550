//! Loads the scene's files, watches them and reloads them on changes.

use super::loader::{LoadReport, LoadRequest, Loader};
use super::platform::{Sender, Tasks};
use crate::watch::Watch;
use tarsus_shader::Library;

/// Seconds without changes before changed files are reloaded.
const QUIET: f64 = 0.04;

/// Loader and file watcher of the scene.
pub(super) struct SceneSource {
    loader: Loader,
    /// `None` if the system cannot watch files.
    watch: Option<Watch>,
    /// Real time at which changed files are reloaded.
    reload_at: Option<f64>,
}

impl SceneSource {
    /// Starts without a scene. Load reports go to `reports`; `changed` is notified of
    /// changes to watched files.
    pub(super) fn new(library: Library, reports: Sender<LoadReport>, changed: Sender<()>) -> Self {
        let watch = Watch::start(move || changed.send(()));
        Self {
            loader: Loader::new(library, reports),
            watch: watch.ok(),
            reload_at: None,
        }
    }

    /// Runs one-time initialization for the first scene while the device is being opened.
    pub(super) fn warm_up(&self, scene: &str, tasks: &mut Tasks) {
        self.loader.warm_up(scene, tasks);
    }

    /// Loads or reloads a scene.
    pub(super) fn load(&mut self, request: LoadRequest, tasks: &mut Tasks) {
        self.reload_at = None;
        self.loader.request(request, tasks);
    }

    /// Handles the arrival of a report.
    pub(super) fn finished(&mut self, tasks: &mut Tasks) {
        self.loader.finished(tasks);
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
        self.reload_at = Some(now + QUIET);
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
