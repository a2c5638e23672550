//! PNG files, written by threads of their own and whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};

use super::Picture;
use crate::files::{self, FileError};
use crate::moment::{KEYWORD, Moment};

/// Writes `picture` to `path` as an 8-bit RGB PNG with its `moment` in a text
/// chunk. The file appears under its name only when it is whole; its folder is
/// made if need be.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write_png(path: &Path, picture: &Picture, moment: &Moment) -> Result<(), FileError> {
    files::write_whole(path, |file| encode(file, picture, moment))
}

fn encode(
    file: &mut dyn Write,
    picture: &Picture,
    moment: &Moment,
) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.add_itxt_chunk(KEYWORD.to_owned(), moment.to_json())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgb())?;
    writer.finish()
}

/// A picture on its way to a file.
pub struct Job {
    /// The file.
    pub path: PathBuf,
    /// What it shows.
    pub moment: Moment,
    /// Its pixels.
    pub picture: Picture,
}

/// Threads that encode pictures while the next ones render.
pub struct Encoders {
    jobs: SyncSender<Job>,
    threads: Vec<JoinHandle<()>>,
    failure: Arc<OnceLock<FileError>>,
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
    /// The first [`FileError`] of any picture before this one.
    pub fn push(&self, job: Job) -> Result<(), FileError> {
        if let Some(error) = self.failure.get() {
            return Err(error.clone());
        }
        let lost = |path: &Path| FileError::write(path, "the encoder threads are gone");
        self.jobs.send(job).map_err(|unsent| lost(&unsent.0.path))
    }

    /// Waits until every queued picture is written.
    ///
    /// # Errors
    /// The first [`FileError`] of the run.
    pub fn finish(self) -> Result<(), FileError> {
        drop(self.jobs);
        for thread in self.threads {
            if thread.join().is_err() {
                return Err(FileError::write(
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
fn encode_all(queue: &Mutex<Receiver<Job>>, failure: &OnceLock<FileError>) {
    loop {
        let job = match queue.lock() {
            Ok(queue) => queue.recv(),
            Err(_) => return,
        };
        let Ok(job) = job else { return };
        if failure.get().is_none()
            && let Err(error) = write_png(&job.path, &job.picture, &job.moment)
        {
            // Only the first failure is told; a later one changes nothing.
            let _ = failure.set(error);
        }
    }
}
