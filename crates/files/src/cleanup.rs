//! Clean-up when the process ends early: removes partial files and kills child processes. In
//! a run that ends normally, their owners do this.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Child;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;

#[derive(Default)]
struct Listed {
    files: BTreeSet<PathBuf>,
    processes: Vec<Weak<Mutex<Child>>>,
}

static LISTED: Mutex<Listed> = Mutex::new(Listed { files: BTreeSet::new(), processes: Vec::new() });

/// A file that cleanup removes; unregistered on drop.
#[derive(Debug)]
pub(super) struct ListedFile(PathBuf);

impl ListedFile {
    /// Creates a file and registers it under one lock, so that cleanup cannot run in
    /// between.
    pub(super) fn create<T>(
        create: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> PathBuf,
    ) -> io::Result<(T, Self)> {
        let mut listed = LISTED.lock();
        let made = create()?;
        let path = path(&made);
        listed.files.insert(path.clone());
        Ok((made, Self(path)))
    }
}

impl Drop for ListedFile {
    fn drop(&mut self) {
        LISTED.lock().files.remove(&self.0);
    }
}

/// Starts a process and registers it for as long as its owner keeps it, under one lock.
pub(super) fn create_process(
    create: impl FnOnce() -> io::Result<Child>,
) -> io::Result<Arc<Mutex<Child>>> {
    let mut listed = LISTED.lock();
    let process = Arc::new(Mutex::new(create()?));
    listed.processes.retain(|other| other.strong_count() > 0);
    listed.processes.push(Arc::downgrade(&process));
    Ok(process)
}

/// Kills a process and waits until it has exited.
pub(super) fn kill(process: &mut Child) {
    // Both fail only if the process has already exited.
    let _ = process.kill();
    let _ = process.wait();
}

/// Ends the process without running driver destructors, which may wait forever for a
/// picture or crash. Kills the registered processes and removes partial files first; no new
/// file is created meanwhile.
pub fn exit_process(code: u8) -> ! {
    // The guard is held until the process ends, so that no other thread creates a file.
    // It is not waited for if another thread hangs creating a file on an unresponsive disk.
    let listed = LISTED.try_lock_for(Duration::from_millis(100));
    if let Some(listed) = &listed {
        clear(listed);
    }
    let code = i32::from(code);
    #[cfg(unix)]
    signal_hook::low_level::exit(code);
    #[cfg(not(unix))]
    std::process::exit(code);
}

fn clear(listed: &Listed) {
    for process in listed.processes.iter().filter_map(Weak::upgrade) {
        // If another thread holds the lock, it is waiting for the process to exit. The
        // process then ends on its own, and its open file can still be removed.
        if let Some(mut process) = process.try_lock() {
            kill(&mut process);
        }
    }
    for file in &listed.files {
        // The file may be gone already, and there is nowhere left to report an error.
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_listed_until_dropped() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        let create = || fs::write(&path, "").map(|()| path.clone());
        let (_, file) = ListedFile::create(create, PathBuf::clone).expect("made");
        assert!(LISTED.lock().files.contains(&path));
        drop(file);
        assert!(!LISTED.lock().files.contains(&path));
        assert!(path.exists(), "its owner's to remove");
    }
}
