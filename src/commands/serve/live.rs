//! The served scene, and the event streams that report its changes.

use std::io::{self, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::http;
use crate::commands::page_scene::PageScene;
use tarsus_shader::{Library, Scene};

/// Interval between two checks of the files.
const INTERVAL: Duration = Duration::from_millis(200);
/// Time for which a file must be unchanged to count as completely written.
const SETTLED: Duration = Duration::from_millis(30);
/// Interval of keep-alive messages, which detect disconnected pages.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// A scene whose files are being edited.
pub(super) struct LiveScene {
    scene: Scene,
    library: Library,
    latest: Mutex<Latest>,
    changed: Condvar,
}

/// The current version of the scene.
struct Latest {
    /// The scene's files as JSON.
    files: String,
    paths: Vec<PathBuf>,
    /// Number of changes so far.
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

    /// The scene's files as JSON, and their version.
    pub(super) fn files(&self) -> (String, u64) {
        let latest = self.latest();
        (latest.files.clone(), latest.version)
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        // A panicking thread leaves the data consistent.
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Polls the files forever and publishes changes.
    pub(super) fn watch(&self) {
        let mut seen = contents(&self.latest().paths);
        loop {
            thread::sleep(INTERVAL);
            let mut now = contents(&self.latest().paths);
            if now != seen {
                // An editor may have written only part of a file.
                while let Some(later) = self.changed_since(&now) {
                    now = later;
                }
                self.reload();
                // Changes written during the reload differ from this and are found next
                // time.
                seen = now;
            }
        }
    }

    /// Contents of the files a moment later, if they differ from `before`.
    fn changed_since(&self, before: &[Option<Vec<u8>>]) -> Option<Vec<Option<Vec<u8>>>> {
        thread::sleep(SETTLED);
        let now = contents(&self.latest().paths);
        (now != before).then_some(now)
    }

    /// Reloads the scene. If a file is missing because an editor is replacing it, a later
    /// poll reloads it.
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

    /// Streams all versions after `told` to a page as server-sent events, each with the
    /// files.
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

/// Prints the same diagnostics as the page shows.
fn report(page: &PageScene) {
    match &page.program {
        Ok(program) => program
            .warnings
            .iter()
            .for_each(|warning| eprintln!("{warning}")),
        Err(error) => eprintln!("{error}"),
    }
}

/// Contents of the files; `None` for a missing file.
fn contents(paths: &[PathBuf]) -> Vec<Option<Vec<u8>>> {
    paths.iter().map(|path| std::fs::read(path).ok()).collect()
}
