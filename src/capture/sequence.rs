//! One PNG per picture, written by threads of their own and whole or not at all.

use crate::render::{Depth, Picture};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};

use super::png::{PngWriter, Texts};
use super::sink::{Header, Sink};
use crate::capture::files::{FileError, PartFile};

/// Writes `picture` to `path` as an RGB PNG that carries `texts`. The file
/// appears under its name only when it is whole; its folder is made if need be.
///
/// # Errors
/// [`FileError`] naming the file and the reason.
pub fn write_png(path: &Path, picture: &Picture, texts: &Texts) -> Result<(), FileError> {
    let mut file = begin(
        path,
        (picture.width, picture.height),
        picture.depth(),
        texts,
    )?;
    let failed = |error| FileError::write(path, error);
    file.rows(picture).map_err(failed)?;
    file.finish().map_err(failed)?.0.keep()
}

/// A part that can be written into.
struct Part(PartFile);

impl std::io::Write for Part {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.file().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.file().flush()
    }
}

fn begin(
    path: &Path,
    size: (u32, u32),
    depth: Depth,
    texts: &Texts,
) -> Result<PngWriter<Part>, FileError> {
    let part = Part(PartFile::create(path)?);
    PngWriter::new(part, size, depth, texts).map_err(|error| FileError::write(path, error))
}

/// A picture for an encoder thread, and its rows as they come.
struct Job {
    header: Arc<Header>,
    rows: Receiver<Picture>,
}

/// The encoder threads and their queue.
pub struct Sequence {
    shape: Shape,
    jobs: SyncSender<Job>,
    /// The rest of the picture that has some of its rows, and their number.
    current: Option<(SyncSender<Picture>, u32)>,
    threads: Vec<JoinHandle<()>>,
    failure: Arc<OnceLock<FileError>>,
}

#[derive(Clone, Copy)]
struct Shape {
    size: (u32, u32),
    depth: Depth,
}

impl Sequence {
    /// Starts `threads` encoders for pictures of `size`. The queue holds as
    /// many pictures, so a slow disk slows rendering and not memory.
    #[must_use]
    pub fn start(size: (u32, u32), depth: Depth, threads: usize) -> Self {
        let shape = Shape { size, depth };
        let (jobs, queue) = sync_channel(threads);
        let queue = Arc::new(Mutex::new(queue));
        let failure = Arc::new(OnceLock::new());
        let threads = (0..threads)
            .map(|_| {
                let (queue, failure) = (Arc::clone(&queue), Arc::clone(&failure));
                thread::spawn(move || encode_all(shape, &queue, &failure))
            })
            .collect();
        Self {
            shape,
            jobs,
            current: None,
            threads,
            failure,
        }
    }

    /// The failure that made the encoders stop taking rows.
    fn why_gone(&self, path: &Path) -> FileError {
        let gone = || FileError::write(path, "the encoder threads are gone");
        self.failure.get().cloned().unwrap_or_else(gone)
    }
}

impl Sink for Sequence {
    fn rows(&mut self, header: &Arc<Header>, rows: Picture) -> Result<(), FileError> {
        if let Some(error) = self.failure.get() {
            return Err(error.clone());
        }
        let (sender, done) = match self.current.take() {
            Some(current) => current,
            None => {
                // One band waits while another is encoded.
                let (sender, receiver) = sync_channel(1);
                let job = Job {
                    header: Arc::clone(header),
                    rows: receiver,
                };
                let sent = self.jobs.send(job);
                sent.map_err(|_| self.why_gone(&header.path))?;
                (sender, 0)
            }
        };
        let done = done + rows.height;
        let sent = sender.send(rows);
        sent.map_err(|_| self.why_gone(&header.path))?;
        if done < self.shape.size.1 {
            self.current = Some((sender, done));
        }
        Ok(())
    }

    fn finish(self: Box<Self>, _complete: bool) -> Result<(), FileError> {
        drop(self.current);
        drop(self.jobs);
        for thread in self.threads {
            if thread.join().is_err() {
                let frame = Path::new("a frame");
                return Err(FileError::write(frame, "an encoder thread panicked"));
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
fn encode_all(shape: Shape, queue: &Mutex<Receiver<Job>>, failure: &OnceLock<FileError>) {
    loop {
        let job = match queue.lock() {
            Ok(queue) => queue.recv(),
            Err(_) => return,
        };
        let Ok(job) = job else { return };
        if failure.get().is_none()
            && let Err(error) = encode(shape, &job)
        {
            // Only the first failure is told; a later one changes nothing.
            let _ = failure.set(error);
        }
    }
}

/// Writes the picture as its rows come. If they end too early it was given up,
/// and nothing stays.
fn encode(shape: Shape, job: &Job) -> Result<(), FileError> {
    let Header { path, texts } = &*job.header;
    let failed = |error| FileError::write(path, error);
    let mut file = begin(path, shape.size, shape.depth, texts)?;
    let mut done = 0;
    for rows in &job.rows {
        file.rows(&rows).map_err(failed)?;
        done += rows.height;
    }
    if done < shape.size.1 {
        return Ok(());
    }
    file.finish().map_err(failed)?.0.keep()
}
