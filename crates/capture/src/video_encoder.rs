//! Encodes all pictures into one file, in order, on a separate thread.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::apng::Apng;
use super::ffmpeg::Ffmpeg;
use super::format::Format;
use super::gif::Gif;
use super::metadata::Metadata;
use super::sink::{Header, Sink};
use super::stream::{Stream, Y4m};
use tarsus_files::FileError;
use tarsus_render::{Depth, Picture};

/// Properties of a video that are known before its first picture.
#[derive(Clone, Debug)]
pub(super) struct VideoPlan {
    /// Output format.
    pub format: Format,
    /// Path of the file, or a name for standard output.
    pub path: PathBuf,
    /// True to write a stream to standard output.
    pub is_stdout: bool,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Bit depth per component.
    pub depth: Depth,
    /// Frames per second.
    pub fps: f64,
    /// Number of frames.
    pub frames: usize,
    /// Metadata, for formats that can store it.
    pub metadata: Metadata,
    /// File with the sound of all frames, for formats with sound: left and right as
    /// little-endian 32-bit floats.
    pub sound: Option<PathBuf>,
}

/// Encodes pictures into one file.
pub(super) trait VideoWriter: Send {
    /// Encodes the next rows of the current picture.
    fn rows(&mut self, rows: Picture) -> Result<(), FileError>;

    /// Completes the file. A writer that is dropped instead leaves no file.
    fn finish(self: Box<Self>) -> Result<(), FileError>;
}

enum Message {
    Rows(Picture),
    Finish,
}

/// Handle to the encoder thread of a video.
pub(super) struct VideoEncoder {
    /// `None` once closed.
    messages: Option<SyncSender<Message>>,
    thread: Option<JoinHandle<Result<(), FileError>>>,
    path: PathBuf,
}

impl VideoEncoder {
    /// Creates the file and starts the encoder.
    ///
    /// # Errors
    /// [`FileError`] if the file cannot be created or the encoder cannot be started.
    ///
    /// # Panics
    /// If the format of `plan` is not a video.
    pub(super) fn start(plan: &VideoPlan) -> Result<Self, FileError> {
        let writer: Box<dyn VideoWriter> = match plan.format {
            Format::Apng => Box::new(Apng::create(plan)?),
            Format::Gif => Box::new(Gif::create(plan)?),
            Format::Mp4 | Format::Webm => Box::new(Ffmpeg::start(plan)?),
            Format::Raw => Box::new(Stream::open(plan)?),
            Format::Y4m => Box::new(Y4m::create(plan)?),
            format => panic!("{format:?} is not a video format"),
        };
        // One band waits while another is encoded.
        let (messages, queue) = sync_channel(1);
        let thread = thread::Builder::new().spawn(move || encode(writer, &queue));
        let thread = thread.map_err(|error| FileError::write(&plan.path, error))?;
        Ok(Self { messages: Some(messages), thread: Some(thread), path: plan.path.clone() })
    }

    /// Closes the queue, joins the thread and returns its error, if any.
    fn join(&mut self) -> Result<(), FileError> {
        self.messages = None;
        let panicked = || io::Error::other("the encoder thread panicked");
        let gone = || Err(FileError::write(&self.path, panicked()));
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or_else(|_| gone()),
            None => Ok(()),
        }
    }

    /// Sends a message; false if the thread has exited.
    fn send(&self, message: Message) -> bool {
        let messages = self.messages.as_ref();
        messages.is_some_and(|messages| messages.send(message).is_ok())
    }
}

/// Waits until the thread has discarded an unfinished video, so that no partial file
/// remains when a run fails elsewhere.
impl Drop for VideoEncoder {
    fn drop(&mut self) {
        // Any error has been reported already.
        let _ = self.join();
    }
}

fn encode(mut writer: Box<dyn VideoWriter>, queue: &Receiver<Message>) -> Result<(), FileError> {
    for message in queue {
        match message {
            Message::Rows(rows) => writer.rows(rows)?,
            Message::Finish => return writer.finish(),
        }
    }
    Ok(())
}

impl Sink for VideoEncoder {
    fn rows(&mut self, _header: &Arc<Header>, rows: Picture) -> Result<(), FileError> {
        match self.send(Message::Rows(rows)) {
            true => Ok(()),
            false => self.join(),
        }
    }

    fn finish(mut self: Box<Self>, complete: bool) -> Result<(), FileError> {
        if complete {
            // If the thread has exited, joining it returns its error.
            self.send(Message::Finish);
        }
        self.join()
    }
}
