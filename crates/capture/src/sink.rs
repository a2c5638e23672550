//! The files that the pictures of a run go to: one for each picture, or one for all. Each is
//! written by a thread of its own.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::metadata::Metadata;
use super::picture_file::{PictureForm, write_picture};
use super::spec::CaptureSpec;
use super::video_encoder;
use tarsus_files::FileError;
use tarsus_render::Picture;

/// Path and metadata of one picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Path of the picture, or of the whole video.
    pub path: PathBuf,
    /// Metadata, for formats that can store it.
    pub metadata: Metadata,
}

/// A thread that writes one file. It ends when the file is complete or, if rows are missing,
/// removed.
type FileThread = JoinHandle<Result<(), FileError>>;

fn join(thread: FileThread) -> Result<(), FileError> {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// A file that lacks rows. Its thread completes it once the sender is dropped.
struct OpenFile {
    rows: SyncSender<Picture>,
    /// Number of rows still to send.
    left: u64,
    thread: FileThread,
}

impl OpenFile {
    fn spawn(
        path: &Path,
        left: u64,
        write: impl FnOnce(Receiver<Picture>) -> Result<(), FileError> + Send + 'static,
    ) -> Result<Self, FileError> {
        // One band waits while another is encoded.
        let (rows, queue) = sync_channel(1);
        let owned = path.to_path_buf();
        let thread = thread::Builder::new().spawn(move || {
            catch_unwind(AssertUnwindSafe(|| write(queue))).unwrap_or_else(|_| {
                Err(FileError::write(&owned, io::Error::other("the encoder panicked")))
            })
        });
        let thread = thread.map_err(|error| FileError::write(path, error))?;
        Ok(Self { rows, left, thread })
    }
}

/// Receives pictures in ascending order of their numbers, and writes them to files.
pub struct Sink {
    form: PictureForm,
    /// Maximum number of files that are written at once.
    max_threads: usize,
    open: Option<OpenFile>,
    /// Files that have all their rows, oldest first.
    running: VecDeque<FileThread>,
    /// True once the folder exists. It is created once, so that deleting it later is an error.
    has_folder: bool,
}

impl Sink {
    /// Prepares one file for each picture of `spec`. Up to `threads` of them are written at once,
    /// fewer if pictures are large, so that a slow disk slows down rendering instead of filling
    /// memory.
    pub fn stills(spec: &CaptureSpec) -> Self {
        let form = PictureForm::new(spec);
        let max_threads = if form.is_stdout { 1 } else { form.encoder_count(spec.threads) };
        Self { form, max_threads, open: None, running: VecDeque::new(), has_folder: false }
    }

    /// Creates the file of a video, which is kept only if it has all its pictures. `sound` is a
    /// WAV file with the sound of all frames.
    ///
    /// # Errors
    /// [`FileError`] if the file cannot be created or the encoder cannot be started.
    ///
    /// # Panics
    /// If the format of `spec` is not a video.
    pub(super) fn video(
        spec: &CaptureSpec,
        metadata: &Metadata,
        sound: Option<&Path>,
    ) -> Result<Self, FileError> {
        let rows = u64::from(spec.size.1) * spec.frame_count() as u64;
        let write = video_encoder::start(spec, metadata, sound)?;
        let mut sink = Self::stills(spec);
        sink.open = Some(OpenFile::spawn(&spec.output.path(0), rows, write)?);
        Ok(sink)
    }

    /// Receives the picture with this header; PNGs of more than 64 MiB may arrive in several
    /// parts, from top to bottom. Blocks while too many pictures are being written.
    ///
    /// # Errors
    /// [`FileError`] of this or an earlier picture, or if `rows` must be a whole picture and is
    /// not.
    pub fn rows(&mut self, header: &Arc<Header>, rows: Picture) -> Result<(), FileError> {
        let height = self.form.size.1;
        if self.form.is_encoded_whole() && rows.height != height {
            let reason = format!("expected all {height} rows at once, received {}", rows.height);
            return Err(FileError::write(&header.path, io::Error::other(reason)));
        }
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.open_picture(header)?,
        };
        open.left = open.left.saturating_sub(rows.height.into());
        if open.rows.send(rows).is_err() {
            // The thread has ended, and joining it returns its error.
            return join(open.thread);
        }
        match open.left {
            0 => self.running.push_back(open.thread),
            _ => self.open = Some(open),
        }
        Ok(())
    }

    fn open_picture(&mut self, header: &Arc<Header>) -> Result<OpenFile, FileError> {
        if !std::mem::replace(&mut self.has_folder, true) {
            tarsus_files::make_folder(&header.path)?;
        }
        let (ended, running): (VecDeque<_>, _) =
            self.running.drain(..).partition(FileThread::is_finished);
        self.running = running;
        join_all(ended.into_iter())?;
        loop {
            if self.running.len() < self.max_threads {
                let (form, header) = (self.form, Arc::clone(header));
                let path = header.path.clone();
                let write = move |rows| write_picture(&form, &header, rows);
                let file = OpenFile::spawn(&path, form.size.1.into(), write);
                // A single thread suffices.
                if file.is_ok() || self.running.is_empty() {
                    return file;
                }
            }
            self.running.pop_front().map_or(Ok(()), join)?;
        }
    }

    /// Waits until everything is written. Discards a file with missing rows.
    ///
    /// # Errors
    /// The first [`FileError`].
    pub fn finish(mut self) -> Result<(), FileError> {
        join_all(self.threads())
    }

    fn threads(&mut self) -> impl Iterator<Item = FileThread> {
        let open = self.open.take().map(|open| open.thread);
        std::mem::take(&mut self.running).into_iter().chain(open)
    }
}

/// Waits for files, and returns the error of the first that failed.
fn join_all(threads: impl Iterator<Item = FileThread>) -> Result<(), FileError> {
    threads.map(join).fold(Ok(()), Result::and)
}

/// Waits for the threads when a run fails elsewhere, so that no partial file remains.
impl Drop for Sink {
    fn drop(&mut self) {
        // Another error has been reported already.
        self.threads().for_each(|thread| drop(thread.join()));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::tests::{metadata, picture};
    use tarsus_render::Depth;

    #[test]
    fn part_of_picture_is_error() {
        let rows = picture(Depth::Eight);
        let size = (rows.width, 2 * rows.height);
        let mut sink = Sink::stills(&CaptureSpec { size, ..CaptureSpec::default() });
        let header = Arc::new(Header { path: "a.png".into(), metadata: metadata() });
        let error = sink.rows(&header, rows).expect_err("half a picture").to_string();
        assert_eq!(error, "cannot write a.png: expected all 100 rows at once, received 50");
    }

    #[test]
    fn encoder_panic_is_file_error() {
        let file = OpenFile::spawn(Path::new("a.gif"), 1, |_| panic!("a test"));
        let error = join(file.expect("a thread").thread).expect_err("a panic");
        assert_eq!(error.to_string(), "cannot write a.gif: the encoder panicked");
    }

    #[test]
    fn complete_pictures_are_written_at_once() {
        let folder = tempfile::tempdir().expect("folder");
        let rows = picture(Depth::Eight);
        let size = (rows.width, rows.height);
        let spec = CaptureSpec { size, threads: 4, ..CaptureSpec::default() };
        let mut sink = Sink::stills(&spec);
        let paths = ["a.png", "b.png"].map(|name| folder.path().join(name));
        for path in &paths {
            let header = Header { path: path.clone(), metadata: metadata() };
            sink.rows(&Arc::new(header), rows.clone()).expect("received");
        }
        // Without waiting for further pictures, or the end.
        while !paths.iter().all(|path| path.exists()) {
            thread::sleep(Duration::from_millis(5));
        }
        sink.finish().expect("written");
    }
}
