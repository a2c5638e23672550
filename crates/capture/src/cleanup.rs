//! What a run has to clear away if it is ended from outside: hidden files, and
//! the programs that write them. Where a run ends by itself each is removed by
//! its owner.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::thread;
use std::time::Duration;

#[derive(Default)]
struct Listed {
    files: BTreeSet<PathBuf>,
    processes: Vec<Weak<Mutex<Child>>>,
}

static LISTED: Mutex<Listed> = Mutex::new(Listed {
    files: BTreeSet::new(),
    processes: Vec::new(),
});

fn listed() -> MutexGuard<'static, Listed> {
    LISTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file on the list, until this is dropped.
#[derive(Debug)]
pub(super) struct ListedFile(PathBuf);

impl ListedFile {
    /// Makes a file and puts it on the list, with nothing between the two.
    pub(super) fn create<T>(
        create: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> PathBuf,
    ) -> io::Result<(T, Self)> {
        let mut listed = listed();
        let made = create()?;
        let path = path(&made);
        listed.files.insert(path.clone());
        Ok((made, Self(path)))
    }
}

impl Drop for ListedFile {
    fn drop(&mut self) {
        listed().files.remove(&self.0);
    }
}

/// Puts a program on the list, for as long as it is somebody's.
pub(super) fn list_process(process: &Arc<Mutex<Child>>) {
    let mut listed = listed();
    listed
        .processes
        .retain(|process| process.strong_count() > 0);
    listed.processes.push(Arc::downgrade(process));
}

/// Ends the programs, removes the hidden files of this process and runs `end`,
/// which ends the process. No new file is made meanwhile.
pub fn remove_all_and(end: impl FnOnce()) {
    if let Some(listed) = listed_soon() {
        clear(&listed);
        // Still held, so that nobody makes another file.
        end();
    } else {
        end();
    }
}

/// The list, unless a file is being made on a disk that does not answer.
fn listed_soon() -> Option<MutexGuard<'static, Listed>> {
    for _ in 0..10 {
        match LISTED.try_lock() {
            Ok(listed) => return Some(listed),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
        }
    }
    None
}

fn clear(listed: &Listed) {
    for process in listed.processes.iter().filter_map(Weak::upgrade) {
        // Somebody who waits for its end holds it; then it has its file open.
        if let Ok(mut process) = process.try_lock() {
            // It fails only where it has ended.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
    for file in &listed.files {
        // What is gone needs no removal, and there is nobody to tell.
        let _ = fs::remove_file(file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_listed_until_it_is_let_go() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a");
        let create = || fs::write(&path, "").map(|()| path.clone());
        let (_, file) = ListedFile::create(create, PathBuf::clone).expect("made");
        assert!(listed().files.contains(&path));
        drop(file);
        assert!(!listed().files.contains(&path));
        assert!(path.exists(), "its owner's to remove");
    }
}
