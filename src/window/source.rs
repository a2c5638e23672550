//! The scene's files and the choices that they are loaded with: loads them, watches them
//! and reloads them on changes.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::Options;
use super::channels::{ChannelCache, Replacements};
use super::loader::{self, LoadReport, LoadRequest};
use super::platform::{Reports, Tasks};
use super::scenes::SceneList;
use super::start::{OpenedFile, Start};
use super::viewer::Viewer;
use crate::watch::Watch;
use tarsus_player::Session;
use tarsus_render::{FORMAT, Gpu, Renderer};
use tarsus_shader::{DebugView, Form, Library, Program};

/// Seconds without changes before changed files are reloaded.
const SETTLE_INTERVAL: f64 = 0.04;
/// Seconds without changes before edited constants are compiled. Until then the code reads
/// them from a uniform, so that the next edit of them shows at once.
const COMPILE_INTERVAL: f64 = 5.0;
/// Seconds after loading a file before its first edit is prepared.
const PREPARE_INTERVAL: f64 = 2.0;
/// Maximum time by which the system's file times lag behind its clock.
const FILE_TIME_STEP: Duration = Duration::from_millis(20);

/// Work on the scene that is due later. Changed files replace the other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScheduledWork {
    /// Reload changed files.
    Reload,
    /// Reload to compile edited constants.
    Compile,
    /// Prepare the first edit of a constant.
    Prepare,
}

/// Loader and file watcher of the scene. Scenes are loaded one at a time.
pub(super) struct SceneSource {
    /// The scenes to page through.
    pub(super) scenes: SceneList,
    /// Requested debug view.
    pub(super) debug_view: Option<DebugView>,
    /// Replacement files for the scene's channels.
    pub(super) replacements: Replacements,
    /// The opened picture or recording, until its scene is loaded.
    pub(super) opened: Option<OpenedFile>,
    /// The built-in scenes and modules.
    pub(super) library: Arc<Library>,
    channels: ChannelCache,
    /// True while a task loads a scene. A task for a device that was lost may take long; nothing
    /// waits for it.
    pub(super) is_loading: bool,
    /// `None` if the system cannot watch files.
    watch: Option<Watch>,
    /// What to do at which real time.
    scheduled: Option<(ScheduledWork, f64)>,
    /// True if the next scene to load may read edited constants from a uniform.
    is_edited: bool,
}

impl SceneSource {
    /// Starts with the scene of the options, which is not loaded yet. Changes to watched files
    /// go to `reports`.
    pub(super) fn new(options: &Options, reports: Reports) -> Self {
        let library = Arc::new(options.capture.library.clone());
        let watch = Watch::start(move || reports.send(Viewer::files_changed));
        let mut scenes = SceneList::builtin();
        scenes.open(&options.start);
        Self {
            scenes,
            debug_view: options.start.debug_view(None),
            replacements: options.channels.clone(),
            opened: options.start.opened.clone(),
            library,
            channels: ChannelCache::default(),
            is_loading: false,
            watch: watch.ok(),
            scheduled: None,
            is_edited: true,
        }
    }

    /// Runs the one-time initialization of the shader front end for the form of `scene`, in
    /// parallel with opening the device.
    pub(super) fn warm_up(&self, scene: &str, tasks: &mut Tasks) {
        let form = Form::of(Path::new(scene));
        let library = Arc::clone(&self.library);
        tasks.spawn(move |_| tarsus_shader::warm_up(form, &library));
    }

    /// Switches to another scene, picture or recording, which is loaded next.
    pub(super) fn start(&mut self, start: &Start) {
        self.debug_view = start.debug_view(self.debug_view);
        self.opened = start.opened.clone();
    }

    /// Loads or reloads the scene of `session` on `gpu`, where none is being loaded. A
    /// [`LoadReport`] follows.
    pub(super) fn load(&mut self, gpu: &Arc<Gpu>, session: &Session, tasks: &mut Tasks) {
        self.scheduled = None;
        self.is_loading = true;
        let request = LoadRequest {
            gpu: Arc::clone(gpu),
            is_edited: std::mem::replace(&mut self.is_edited, true),
            scene: session.scene.clone(),
            debug_view: self.debug_view,
            replacements: self.replacements.clone(),
            time: session.clock.time(),
            opened: self.opened.clone(),
        };
        let (library, channels) = (Arc::clone(&self.library), self.channels.clone());
        tasks.spawn(move |reports| {
            let report = loader::load(request, &library, &channels);
            reports.send(|viewer| viewer.loaded(report));
        });
    }

    /// Watches the files of a report. Schedules a reload if one of them has changed since it
    /// was read.
    ///
    /// # Errors
    /// If a folder cannot be watched.
    pub(super) fn watch(&mut self, report: &LoadReport, now: f64) -> notify::Result<()> {
        let Some(watch) = &mut self.watch else {
            return Ok(());
        };
        watch.set_files(&report.files, report.result.is_err())?;
        if report.files.iter().any(|path| has_changed_since(path, report.started)) {
            self.files_changed(now);
        }
        Ok(())
    }

    /// Schedules a reload after a file change; more changes may follow immediately.
    pub(super) fn files_changed(&mut self, now: f64) {
        self.scheduled = Some((ScheduledWork::Reload, now + SETTLE_INTERVAL));
    }

    /// Schedules a reload that compiles edited constants, unless files change before.
    pub(super) fn compile_later(&mut self, now: f64) {
        self.schedule(ScheduledWork::Compile, now + COMPILE_INTERVAL);
    }

    /// Schedules [`prepare_for_edits`] of a file that was loaded, unless files change
    /// before.
    pub(super) fn prepare_later(&mut self, now: f64) {
        self.schedule(ScheduledWork::Prepare, now + PREPARE_INTERVAL);
    }

    fn schedule(&mut self, work: ScheduledWork, at: f64) {
        if !matches!(self.scheduled, Some((ScheduledWork::Reload, _))) {
            self.scheduled = Some((work, at));
        }
    }

    /// Real time of the next reload or preparation.
    pub(super) fn deadline(&self) -> Option<f64> {
        self.scheduled.map(|(_, at)| at)
    }

    /// Returns the scheduled work once, when it is due.
    pub(super) fn take_due(&mut self, now: f64) -> Option<ScheduledWork> {
        let (work, _) = self.scheduled.take_if(|(_, at)| *at <= now)?;
        if work != ScheduledWork::Prepare {
            self.is_edited = work == ScheduledWork::Reload;
        }
        Some(work)
    }
}

/// Prepares the first edit of a constant of a scene that was drawn. The preparation also draws:
/// behind an endless first picture, its submission would block the device.
pub(super) fn prepare_for_edits(gpu: &Arc<Gpu>, program: &Program, tasks: &mut Tasks) {
    let (gpu, program) = (Arc::clone(gpu), program.clone());
    tasks.spawn(move |_| {
        let prepared = Renderer::prepare_for_edits(&gpu, &program, &[FORMAT]);
        if let Err(error) = pollster::block_on(prepared) {
            log::warn!("cannot prepare edits: {error}");
        }
    });
}

/// True if a file was written between `start` and now. A time in the future, as on a file
/// system with another clock, would cause reloads without end.
fn has_changed_since(path: &Path, start: SystemTime) -> bool {
    let modified = path.metadata().and_then(|metadata| metadata.modified());
    modified
        .is_ok_and(|modified| modified + FILE_TIME_STEP > start && modified <= SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::video::CaptureSettings;
    use std::path::PathBuf;
    use tarsus_render::GpuOptions;

    fn source(reports: Reports) -> SceneSource {
        let options = Options {
            start: Start::scene("no scene"),
            channels: Replacements::new(),
            size: None,
            scale: None,
            fps: None,
            rewind_memory: 0,
            capture: CaptureSettings {
                program: PathBuf::new(),
                library: Library::default(),
                stores_sources: true,
                gpu: GpuOptions::default(),
            },
        };
        SceneSource::new(&options, reports)
    }

    #[test]
    fn changed_files_replace_other_work() {
        let mut source = source(Reports::new(|_| {}));
        source.prepare_later(1.0);
        assert_eq!(source.deadline(), Some(1.0 + PREPARE_INTERVAL));
        source.compile_later(1.0);
        source.files_changed(1.0);
        source.compile_later(1.0);
        let at = 1.0 + SETTLE_INTERVAL;
        assert_eq!(source.deadline(), Some(at));
        assert_eq!(source.take_due(1.0), None);
        assert_eq!(source.take_due(at), Some(ScheduledWork::Reload));
        assert_eq!(source.take_due(at), None, "once");
    }

    #[test]
    fn only_recent_past_counts_as_change() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let now = SystemTime::now();
        let minute = Duration::from_secs(60);
        let changed = |modified| {
            file.as_file().set_modified(modified).expect("a file time");
            has_changed_since(file.path(), now - minute)
        };
        assert!(changed(now - minute / 2));
        assert!(!changed(now - 2 * minute));
        assert!(!changed(now + minute));
        assert!(!has_changed_since(Path::new("no such file"), now));
    }
}
