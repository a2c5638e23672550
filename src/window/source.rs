//! Where the scene comes from: its files are loaded, watched and loaded again.

use super::loader::{LoadReport, LoadRequest, Loader};
use super::platform::{Sender, Tasks};
use super::watch::Watch;
use tarsus_shader::Library;

/// Seconds files have to be quiet before they are read again.
const QUIET: f64 = 0.04;

/// Loader and file watcher of the scene.
pub(super) struct SceneSource {
    loader: Loader,
    /// Missing where the system has no way to watch files.
    watch: Option<Watch>,
    /// Real time at which changed files are read again.
    reload_at: Option<f64>,
}

impl SceneSource {
    /// Nothing is loaded or watched yet. What is loaded goes to `reports`, and
    /// `changed` receives that a watched file was changed.
    pub(super) fn new(library: Library, reports: Sender<LoadReport>, changed: Sender<()>) -> Self {
        let watch = Watch::start(move || changed.send(()));
        Self {
            loader: Loader::new(library, reports),
            watch: watch.ok(),
            reload_at: None,
        }
    }

    /// Readies what the first scene needs while there is no device yet.
    pub(super) fn warm_up(&self, scene: &str, tasks: &mut Tasks) {
        self.loader.warm_up(scene, tasks);
    }

    /// Loads a scene, again or for the first time.
    pub(super) fn load(&mut self, request: LoadRequest, tasks: &mut Tasks) {
        self.reload_at = None;
        self.loader.request(request, tasks);
    }

    /// A report has arrived.
    pub(super) fn finished(&mut self, tasks: &mut Tasks) {
        self.loader.finished(tasks);
    }

    /// Watches the files of a report from now on.
    ///
    /// # Errors
    /// When a folder cannot be watched.
    pub(super) fn watch(&mut self, report: &LoadReport) -> notify::Result<()> {
        match &mut self.watch {
            Some(watch) => watch.set_files(&report.files, report.result.is_err()),
            None => Ok(()),
        }
    }

    /// A file was changed; more changes may follow at once.
    pub(super) fn files_changed(&mut self, now: f64) {
        self.reload_at = Some(now + QUIET);
    }

    /// True once when changed files are to be read.
    pub(super) fn take_due(&mut self, now: f64) -> bool {
        self.reload_at.take_if(|at| *at <= now).is_some()
    }

    /// When changed files are to be read.
    pub(super) fn deadline(&self) -> Option<f64> {
        self.reload_at
    }
}
