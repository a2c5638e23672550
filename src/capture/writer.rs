//! PNG files, written by threads of their own and whole or not at all.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};

use thiserror::Error;

use super::Picture;

/// A file that could not be written.
#[derive(Clone, Debug, Error)]
#[error("cannot write {path}: {reason}")]
pub struct WriteError {
    path: String,
    reason: String,
}

impl WriteError {
    fn new(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self {
            path: path.display().to_string(),
            reason: format!("{reason}"),
        }
    }
}

/// Writes `picture` to `path` as an 8-bit RGB PNG. The file appears under its
/// name only when it is whole; its folder is made if need be.
///
/// # Errors
/// [`WriteError`] naming the file and the reason.
pub fn write_png(path: &Path, picture: &Picture) -> Result<(), WriteError> {
    let failed = |error: std::io::Error| WriteError::new(path, error);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder).map_err(failed)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tarsus-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As for any new file: what the user's umask leaves of rw-rw-rw-.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    encode(file.as_file_mut(), picture).map_err(|error| WriteError::new(path, error))?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

fn encode(file: &mut fs::File, picture: &Picture) -> Result<(), png::EncodingError> {
    let mut file = BufWriter::new(file);
    let mut encoder = png::Encoder::new(&mut file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgb())?;
    writer.finish()?;
    Ok(file.flush()?)
}

/// Threads that encode pictures while the next ones render.
pub struct Encoders {
    jobs: SyncSender<(PathBuf, Picture)>,
    threads: Vec<JoinHandle<()>>,
    failure: Arc<OnceLock<WriteError>>,
}

impl Encoders {
    /// Starts one thread per processor. The queue holds as many pictures as
    /// there are threads, so a slow disk slows rendering and not memory.
    #[must_use]
    pub fn start() -> Self {
        let count = thread::available_parallelism().map_or(1, usize::from);
        let (jobs, queue) = sync_channel(count);
        let queue = Arc::new(Mutex::new(queue));
        let failure = Arc::new(OnceLock::new());
        let threads = (0..count)
            .map(|_| {
                let (queue, failure) = (Arc::clone(&queue), Arc::clone(&failure));
                thread::spawn(move || encode_all(&queue, &failure))
            })
            .collect();
        Self {
            jobs,
            threads,
            failure,
        }
    }

    /// Queues a picture; waits while the queue is full.
    ///
    /// # Errors
    /// The first [`WriteError`] of any picture before this one.
    pub fn push(&self, path: PathBuf, picture: Picture) -> Result<(), WriteError> {
        if let Some(error) = self.failure.get() {
            return Err(error.clone());
        }
        let lost = |path: &Path| WriteError::new(path, "the encoder threads are gone");
        self.jobs
            .send((path, picture))
            .map_err(|unsent| lost(&unsent.0.0))
    }

    /// Waits until every queued picture is written.
    ///
    /// # Errors
    /// The first [`WriteError`] of the run.
    pub fn finish(self) -> Result<(), WriteError> {
        drop(self.jobs);
        for thread in self.threads {
            if thread.join().is_err() {
                return Err(WriteError::new(
                    Path::new("a frame"),
                    "an encoder thread panicked",
                ));
            }
        }
        match self.failure.get() {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }
}

/// Takes jobs until the sender is gone. After a failure it only empties the
/// queue, so that nobody waits on it.
fn encode_all(queue: &Mutex<Receiver<(PathBuf, Picture)>>, failure: &OnceLock<WriteError>) {
    loop {
        let job = match queue.lock() {
            Ok(queue) => queue.recv(),
            Err(_) => return,
        };
        let Ok((path, picture)) = job else { return };
        if failure.get().is_none()
            && let Err(error) = write_png(&path, &picture)
        {
            // Only the first failure is told; a later one changes nothing.
            let _ = failure.set(error);
        }
    }
}
