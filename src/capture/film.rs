//! All pictures in one file, written by one thread in their order.

use crate::render::{Depth, Picture};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::apng::Apng;
use super::format::Format;
use super::gif::Gif;
use super::metadata::Metadata;
use super::sink::{Header, Sink};
use super::stream::{Raw, Y4m};
use super::video::Video;
use crate::capture::files::FileError;

/// What there is to know before the first picture.
#[derive(Clone, Debug)]
pub struct FilmPlan {
    /// What it is written as.
    pub format: Format,
    /// The file, or none for standard output.
    pub path: Option<PathBuf>,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Bits of every component.
    pub depth: Depth,
    /// Frames per second.
    pub fps: f64,
    /// Number of frames.
    pub frames: usize,
    /// For formats with a place for it.
    pub metadata: Metadata,
}

/// Encodes pictures into one file.
pub(super) trait FilmWriter: Send {
    /// Takes the next rows of the next picture.
    fn rows(&mut self, rows: Picture) -> Result<(), FileError>;

    /// Completes the file. Dropped without it, no file stays.
    fn finish(self: Box<Self>) -> Result<(), FileError>;
}

enum Message {
    Rows(Picture),
    Finish,
}

/// The thread that encodes.
pub struct Film {
    messages: SyncSender<Message>,
    thread: Option<JoinHandle<Result<(), FileError>>>,
    path: PathBuf,
}

impl Film {
    /// Begins the film.
    ///
    /// # Errors
    /// [`FileError`] when its file cannot be made or its encoder not be started.
    pub fn start(plan: &FilmPlan) -> Result<Self, FileError> {
        let writer: Box<dyn FilmWriter> = match plan.format {
            Format::Gif => Box::new(Gif::begin(plan)?),
            Format::Mp4 | Format::Webm => Box::new(Video::begin(plan)?),
            Format::Raw => Box::new(Raw::begin(plan)?),
            Format::Y4m => Box::new(Y4m::begin(plan)?),
            _ => Box::new(Apng::begin(plan)?),
        };
        // One picture waits while another is encoded.
        let (messages, queue) = sync_channel(1);
        Ok(Self {
            messages,
            thread: Some(thread::spawn(move || encode(writer, &queue))),
            path: plan
                .path
                .clone()
                .unwrap_or_else(|| "standard output".into()),
        })
    }

    /// Waits for the thread and tells what went wrong there.
    fn join(&mut self) -> Result<(), FileError> {
        let gone = || Err(FileError::write(&self.path, "the encoder thread panicked"));
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or_else(|_| gone()),
            None => Ok(()),
        }
    }
}

fn encode(mut writer: Box<dyn FilmWriter>, queue: &Receiver<Message>) -> Result<(), FileError> {
    for message in queue {
        match message {
            Message::Rows(rows) => writer.rows(rows)?,
            Message::Finish => return writer.finish(),
        }
    }
    Ok(())
}

impl Sink for Film {
    fn rows(&mut self, _header: &Arc<Header>, rows: Picture) -> Result<(), FileError> {
        match self.messages.send(Message::Rows(rows)) {
            Ok(()) => Ok(()),
            Err(_) => self.join(),
        }
    }

    fn finish(mut self: Box<Self>, complete: bool) -> Result<(), FileError> {
        if complete {
            // If the thread is gone, joining it tells why.
            let _ = self.messages.send(Message::Finish);
        } else {
            let (nobody, _) = sync_channel(0);
            self.messages = nobody;
        }
        self.join()
    }
}
