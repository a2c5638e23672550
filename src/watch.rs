//! Watches the files of a scene for changes.
//!
//! The watch is on folders: editors that write a new file and rename it over the old one
//! would escape a watch on the file itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use notify::event::{AccessKind, AccessMode};
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

impl Wanted {
    fn contains(&self, path: &Path) -> bool {
        self.files.contains(path) || (self.any_shader && Form::is_shader(path))
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
            if is_change(event.kind) && event.paths.iter().any(|path| wanted.contains(path)) {
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
        let folders: BTreeSet<PathBuf> =
            files.iter().filter_map(|path| path.parent().map(Path::to_path_buf)).collect();
        *self.wanted.lock() = Wanted { files, any_shader };
        for gone in self.folders.difference(&folders) {
            // A removed folder is no longer watched anyway.
            let _ = self.watcher.unwatch(gone);
        }
        let new: Vec<PathBuf> = folders.difference(&self.folders).cloned().collect();
        self.folders.retain(|folder| folders.contains(folder));
        for folder in new {
            self.watcher.watch(&folder, RecursiveMode::NonRecursive)?;
            self.folders.insert(folder);
        }
        Ok(())
    }
}

/// Read accesses are not changes.
fn is_change(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}
