//! The scene that is served, and the pages that hear of its changes.

use std::io::{self, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::http;
use crate::commands::page_scene::PageScene;
use tarsus_shader::{Library, Scene};

/// Time between two looks at the files.
const INTERVAL: Duration = Duration::from_millis(200);
/// A file that stays the same for so long is written.
const SETTLED: Duration = Duration::from_millis(30);
/// A page hears something this often, so that one that is gone is noticed.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// A scene whose files are edited.
pub(super) struct LiveScene {
    scene: Scene,
    library: Library,
    latest: Mutex<Latest>,
    changed: Condvar,
}

/// What the scene is now.
struct Latest {
    /// As JSON.
    files: String,
    paths: Vec<PathBuf>,
    /// Counts the changes.
    version: u64,
}

impl LiveScene {
    pub(super) fn new(scene: Scene, library: &Library) -> Self {
        let page = PageScene::of(&scene, library);
        report(&page);
        Self {
            latest: Mutex::new(Latest {
                files: page.files.to_string(),
                paths: page.paths,
                version: 0,
            }),
            changed: Condvar::new(),
            library: library.clone(),
            scene,
        }
    }

    /// The scene's files, as JSON, and their version.
    pub(super) fn files(&self) -> (String, u64) {
        let latest = self.latest();
        (latest.files.clone(), latest.version)
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        // What a thread that panicked has left there was whole before.
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the files without end, and tells of changes.
    pub(super) fn watch(&self) {
        let mut seen = contents(&self.latest().paths);
        loop {
            thread::sleep(INTERVAL);
            let mut now = contents(&self.latest().paths);
            if now != seen {
                // An editor may have written a part of it.
                while let Some(later) = self.changed_since(&now) {
                    now = later;
                }
                self.reload();
                // What was written meanwhile differs from this, and is seen next.
                seen = now;
            }
        }
    }

    /// What the files hold a moment later, if that is something else.
    fn changed_since(&self, before: &[Option<Vec<u8>>]) -> Option<Vec<Option<Vec<u8>>>> {
        thread::sleep(SETTLED);
        let now = contents(&self.latest().paths);
        (now != before).then_some(now)
    }

    /// Reads the scene again. A file that an editor is about to replace is read later.
    fn reload(&self) {
        let scene = match &self.scene.path {
            Some(path) => Scene::read(path),
            None => Ok(self.scene.clone()),
        };
        let Ok(scene) = scene else {
            return;
        };
        let page = PageScene::of(&scene, &self.library);
        let files = page.files.to_string();
        let mut latest = self.latest();
        latest.paths.clone_from(&page.paths);
        if latest.files != files {
            report(&page);
            latest.files = files;
            latest.version += 1;
            self.changed.notify_all();
        }
    }

    /// Tells a page that has version `told` of all others: server-sent events, each with
    /// the files.
    pub(super) fn tell(&self, mut page: &TcpStream, mut told: u64) -> io::Result<()> {
        http::begin(page, 200, "text/event-stream", None)?;
        loop {
            let latest = self.latest();
            let waited = self
                .changed
                .wait_timeout_while(latest, SIGN_OF_LIFE, |latest| latest.version == told);
            let (latest, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let message = match latest.version == told {
                true => ":\n\n".to_owned(),
                false => format!("data: {}\n\n", latest.files),
            };
            told = latest.version;
            drop(latest);
            page.write_all(message.as_bytes())?;
            page.flush()?;
        }
    }
}

/// Says in the terminal what the page says too.
fn report(page: &PageScene) {
    match &page.program {
        Ok(program) => program
            .warnings
            .iter()
            .for_each(|warning| eprintln!("{warning}")),
        Err(error) => eprintln!("{error}"),
    }
}

/// What the files hold; None for one that is not there.
fn contents(paths: &[PathBuf]) -> Vec<Option<Vec<u8>>> {
    paths.iter().map(|path| std::fs::read(path).ok()).collect()
}
