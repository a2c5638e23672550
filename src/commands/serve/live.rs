//! The served scene, and the event streams that report its changes.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::commands::page_scene::PageScene;
use crate::commands::program::print_warnings;
use crate::watch::Watch;
use tarsus_shader::{Library, Scene};

/// Time without changes after which files count as completely written.
const SETTLE_INTERVAL: Duration = Duration::from_millis(40);
/// Interval of keep-alive messages, which detect disconnected pages.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(5);

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
        let page = PageScene::compose(&scene, library);
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
        let latest = self.latest.lock();
        (latest.files.clone(), latest.version)
    }

    /// Watches the files until the process ends, and publishes changes.
    pub(super) fn watch(&self) {
        if let Err(error) = self.follow_changes() {
            eprintln!(
                "warning: cannot watch the files of {}: {error}; hint: restart to see changes",
                self.scene.file
            );
        }
    }

    fn follow_changes(&self) -> notify::Result<()> {
        let (sender, changes) = mpsc::channel();
        let mut watch = Watch::start(move || {
            // Fails only after the watch has ended.
            let _ = sender.send(());
        })?;
        // An editor may have written only part of a file.
        let settle = || while changes.recv_timeout(SETTLE_INTERVAL).is_ok() {};
        loop {
            let watched = self.latest.lock().paths.clone();
            watch.set_files(&watched, true)?;
            settle();
            self.reload();
            // A new file may have changed before it was watched, and may import others.
            if watched == self.latest.lock().paths && changes.recv().is_err() {
                return Ok(());
            }
        }
    }

    /// Reloads the scene. If a file is missing because an editor is replacing it, the next
    /// change reloads it.
    fn reload(&self) {
        let scene = match &self.scene.path {
            Some(path) => Scene::read(path),
            None => Ok(self.scene.clone()),
        };
        let Ok(scene) = scene else {
            return;
        };
        let page = PageScene::compose(&scene, &self.library);
        let files = page.files.to_string();
        let mut latest = self.latest.lock();
        latest.paths.clone_from(&page.paths);
        if latest.files != files {
            report(&page);
            latest.files = files;
            latest.version += 1;
            self.changed.notify_all();
        }
    }

    /// Streams all versions after `version` to a page as server-sent events, each with the
    /// files.
    pub(super) fn stream_changes(&self, mut page: impl Write, mut version: u64) -> io::Result<()> {
        page.write_all(STREAM_HEAD.as_bytes())?;
        page.flush()?;
        loop {
            let mut latest = self.latest.lock();
            self.changed.wait_while_for(
                &mut latest,
                |latest| latest.version == version,
                KEEP_ALIVE_INTERVAL,
            );
            let message = if latest.version == version {
                ":\n\n".to_owned()
            } else {
                format!("data: {}\n\n", latest.files)
            };
            version = latest.version;
            drop(latest);
            page.write_all(message.as_bytes())?;
            page.flush()?;
        }
    }
}

/// Head of an event stream, which ends with the connection.
const STREAM_HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
                           Cache-Control: no-store\r\nConnection: close\r\n\r\n";

/// Prints the same diagnostics as the page shows.
fn report(page: &PageScene) {
    match &page.program {
        Ok(program) => print_warnings(program),
        Err(error) => eprintln!("{error}"),
    }
}
