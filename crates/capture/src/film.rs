//! Encodes all pictures into one file, in order, on a separate thread.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::apng::Apng;
use super::film_writer::{FilmPlan, FilmWriter};
use super::format::Format;
use super::gif::Gif;
use super::sink::{Header, Sink};
use super::stream::{Raw, Y4m};
use super::video::Video;
use tarsus_files::FileError;
use tarsus_render::Picture;

enum Message {
    Rows(Picture),
    Finish,
}

/// Handle to the encoder thread of a video.
pub struct Film {
    messages: SyncSender<Message>,
    thread: Option<JoinHandle<Result<(), FileError>>>,
    path: PathBuf,
}

impl Film {
    /// Creates the file and starts the encoder.
    ///
    /// # Errors
    /// [`FileError`] if the file cannot be created or the encoder cannot be started.
    pub fn start(plan: &FilmPlan) -> Result<Self, FileError> {
        let writer: Box<dyn FilmWriter> = match plan.format {
            Format::Gif => Box::new(Gif::begin(plan)?),
            Format::Mp4 | Format::Webm => Box::new(Video::begin(plan)?),
            Format::Raw => Box::new(Raw::begin(plan)?),
            Format::Y4m => Box::new(Y4m::begin(plan)?),
            _ => Box::new(Apng::begin(plan)?),
        };
        // One band waits while another is encoded.
        let (messages, queue) = sync_channel(1);
        let path = plan.path.clone();
        let path = path.unwrap_or_else(|| "standard output".into());
        let thread = thread::Builder::new().spawn(move || encode(writer, &queue));
        let thread = thread.map_err(|error| FileError::write(&path, error))?;
        Ok(Self {
            messages,
            thread: Some(thread),
            path,
        })
    }

    /// Joins the thread and returns its error, if any.
    fn join(&mut self) -> Result<(), FileError> {
        let panicked = || io::Error::other("the encoder thread panicked");
        let gone = || Err(FileError::write(&self.path, panicked()));
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or_else(|_| gone()),
            None => Ok(()),
        }
    }
}

/// Waits until the thread has discarded an unfinished video, so that no partial file
/// remains when a run fails elsewhere.
impl Drop for Film {
    fn drop(&mut self) {
        let (closed, _) = sync_channel(0);
        self.messages = closed;
        // Any error has been reported already.
        let _ = self.join();
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
            // If the thread has exited, joining it returns its error.
            let _ = self.messages.send(Message::Finish);
        } else {
            let (closed, _) = sync_channel(0);
            self.messages = closed;
        }
        self.join()
    }
}
