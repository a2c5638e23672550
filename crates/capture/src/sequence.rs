//! One file per picture, written by encoder threads.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;

use super::picture_file::{PictureForm, PictureWriter};
use super::sink::{Header, Sink};
use tarsus_files::FileError;
use tarsus_render::Picture;

/// A picture for an encoder thread, with its rows as they arrive.
struct Job {
    header: Arc<Header>,
    rows: Receiver<Picture>,
}

/// A picture whose rows are on their way to an encoder.
struct OpenPicture {
    rows: SyncSender<Picture>,
    /// Number of rows sent.
    sent: u32,
}

/// Encoder threads and their queue.
pub struct Sequence {
    /// Height of a picture, in rows.
    height: u32,
    /// Queue of pictures; `None` once closed.
    jobs: Option<SyncSender<Job>>,
    /// Folders known to exist. Each is created once, so that deleting it later is an error.
    folders: HashSet<PathBuf>,
    /// The incomplete picture.
    open_picture: Option<OpenPicture>,
    threads: Vec<JoinHandle<()>>,
    failure: Arc<OnceLock<FileError>>,
}

impl Sequence {
    /// Starts up to `threads` encoders, fewer if pictures are large. The queue holds as
    /// many pictures as there are encoders, so a slow disk slows down rendering instead of
    /// filling memory.
    ///
    /// # Errors
    ///
    /// [`FileError`] if no thread can be started. A single one suffices.
    pub fn start(form: PictureForm, threads: usize) -> Result<Self, FileError> {
        let wanted = form.encoder_count(threads);
        let (jobs, queue) = sync_channel(wanted);
        let queue = Arc::new(Mutex::new(queue));
        let failure = Arc::new(OnceLock::new());
        let mut threads = Vec::with_capacity(wanted);
        for _ in 0..wanted {
            let (queue, failure) = (Arc::clone(&queue), Arc::clone(&failure));
            let encode = move || encode_all(form, &queue, &failure);
            match thread::Builder::new().spawn(encode) {
                Ok(thread) => threads.push(thread),
                Err(_) if !threads.is_empty() => break,
                Err(error) => return Err(FileError::write(Path::new("the frames"), error)),
            }
        }
        Ok(Self {
            height: form.size.1,
            jobs: Some(jobs),
            folders: HashSet::new(),
            open_picture: None,
            threads,
            failure,
        })
    }

    /// Passes a new picture to an encoder.
    fn open_picture(&mut self, header: &Arc<Header>) -> Result<OpenPicture, FileError> {
        self.make_folder(&header.path)?;
        // One band waits while another is encoded.
        let (sender, receiver) = sync_channel(1);
        let job = Job { header: Arc::clone(header), rows: receiver };
        match self.jobs.as_ref().map(|jobs| jobs.send(job)) {
            Some(Ok(())) => Ok(OpenPicture { rows: sender, sent: 0 }),
            _ => Err(self.encoder_error(&header.path)),
        }
    }

    fn make_folder(&mut self, path: &Path) -> Result<(), FileError> {
        let folder = tarsus_files::folder_of(path);
        if !self.folders.contains(folder) {
            tarsus_files::make_folder(path)?;
            self.folders.insert(folder.to_path_buf());
        }
        Ok(())
    }

    /// Closes the queue and waits for the encoders, which complete or remove their files.
    /// Returns false if one of them panicked.
    fn close(&mut self) -> bool {
        self.open_picture = None;
        self.jobs = None;
        let mut has_succeeded = true;
        for thread in self.threads.drain(..) {
            has_succeeded &= thread.join().is_ok();
        }
        has_succeeded
    }

    /// The error that made the encoders stop accepting rows.
    fn encoder_error(&self, path: &Path) -> FileError {
        let gone = || io::Error::other("the encoder threads have exited");
        let failure = self.failure.get().cloned();
        failure.unwrap_or_else(|| FileError::write(path, gone()))
    }
}

impl Sink for Sequence {
    fn rows(&mut self, header: &Arc<Header>, rows: Picture) -> Result<(), FileError> {
        if let Some(error) = self.failure.get() {
            return Err(error.clone());
        }
        let mut picture = match self.open_picture.take() {
            Some(picture) => picture,
            None => self.open_picture(header)?,
        };
        picture.sent += rows.height;
        let sent = picture.rows.send(rows);
        sent.map_err(|_| self.encoder_error(&header.path))?;
        if picture.sent < self.height {
            self.open_picture = Some(picture);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _complete: bool) -> Result<(), FileError> {
        if !self.close() {
            let frame = Path::new("a frame");
            let panicked = io::Error::other("an encoder thread panicked");
            return Err(FileError::write(frame, panicked));
        }
        match self.failure.get() {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }
}

/// Waits for the encoders when a run fails elsewhere, so that no partial file remains.
impl Drop for Sequence {
    fn drop(&mut self) {
        self.close();
    }
}

/// Processes jobs until the sender is dropped. After a failure it only drains the queue, so
/// that the sender never blocks forever.
fn encode_all(form: PictureForm, queue: &Mutex<Receiver<Job>>, failure: &OnceLock<FileError>) {
    let mut writer = PictureWriter::new(form);
    loop {
        let Ok(job) = queue.lock().recv() else { return };
        if failure.get().is_none()
            && let Err(error) = writer.write(&job.header, &job.rows)
        {
            // Only the first failure is reported.
            let _ = failure.set(error);
        }
    }
}
