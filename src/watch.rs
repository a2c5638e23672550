//! Watches the files of a scene for changes.
//!
//! The watch is on folders: editors that write a new file and rename it over the old one
//! would escape a watch on the file itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use parking_lot::Mutex;
use tarsus_shader::Form;

/// Watches the files of a scene.
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
    folders: BTreeSet<PathBuf>,
    wanted: Arc<Mutex<Wanted>>,
}

/// Files whose changes are reported.
#[derive(Default)]
struct Wanted {
    files: BTreeSet<PathBuf>,
    /// Also report other shader files in the same folders, because one of them may be
    /// missing.
    any_shader: bool,
}

/// True for renamed files and folders.
fn is_move(kind: EventKind) -> bool {
    matches!(kind, EventKind::Modify(ModifyKind::Name(_)))
}

impl Wanted {
    /// True if a change of this kind at `path` may change one of the files.
    fn contains(&self, path: &Path, kind: EventKind) -> bool {
        let is_folder = || self.files.iter().any(|file| file.starts_with(path));
        self.files.contains(path)
            || (self.any_shader && Form::is_shader(path))
            || ((is_move(kind) || kind.is_create() || kind.is_remove()) && is_folder())
    }
}

impl Watch {
    /// Starts without any files; `changed` is called on another thread.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub(crate) fn start(changed: impl Fn() + Send + 'static) -> notify::Result<Self> {
        let wanted = Arc::new(Mutex::new(Wanted::default()));
        let asked = Arc::clone(&wanted);
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            let wanted = asked.lock();
            let kind = event.kind;
            if is_change(kind) && event.paths.iter().any(|path| wanted.contains(path, kind)) {
                changed();
            }
        })?;
        Ok(Self { watcher, folders: BTreeSet::new(), wanted })
    }

    /// Watches these files, and if `any_shader` is true also all other files in their
    /// folders with a shader's extension.
    ///
    /// # Errors
    /// If a folder cannot be watched.
    pub(crate) fn set_files(&mut self, files: &[PathBuf], any_shader: bool) -> notify::Result<()> {
        let files: BTreeSet<PathBuf> =
            files.iter().filter_map(|path| absolute(path).ok()).collect();
        // A missing folder may appear in the nearest one that exists.
        let folders = files.iter().filter_map(|path| {
            let folder = path.ancestors().skip(1).find(|folder| folder.is_dir())?;
            Some(folder.to_path_buf())
        });
        let folders: BTreeSet<PathBuf> = folders.collect();
        *self.wanted.lock() = Wanted { files, any_shader };
        // All folders are watched anew: one that was removed and created again is another one.
        for gone in std::mem::replace(&mut self.folders, folders) {
            // A removed folder is no longer watched anyway.
            let _ = self.watcher.unwatch(&gone);
        }
        self.folders
            .iter()
            .try_for_each(|folder| self.watcher.watch(folder, RecursiveMode::NonRecursive))
    }
}

/// Read accesses are not changes.
fn is_change(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}
