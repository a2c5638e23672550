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
    /// Encodes the next picture.
    fn picture(&mut self, picture: Picture) -> Result<(), FileError>;

    /// Completes the file. A writer that is dropped instead leaves no file.
    fn finish(self: Box<Self>) -> Result<(), FileError>;
}

/// Handle to the encoder thread of a video.
pub(super) struct VideoEncoder {
    /// Sends rows, then `None` to complete the file; `None` itself once closed.
    rows: Option<SyncSender<Option<Picture>>>,
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
        let (rows, queue) = sync_channel(1);
        let height = plan.size.1;
        let thread = thread::Builder::new().spawn(move || encode(writer, height, &queue));
        let thread = thread.map_err(|error| FileError::write(&plan.path, error))?;
        Ok(Self { rows: Some(rows), thread: Some(thread), path: plan.path.clone() })
    }

    /// Closes the queue, joins the thread and returns its error, if any.
    fn join(&mut self) -> Result<(), FileError> {
        self.rows = None;
        let panicked = || io::Error::other("the encoder thread panicked");
        let gone = || Err(FileError::write(&self.path, panicked()));
        match self.thread.take() {
            Some(thread) => thread.join().unwrap_or_else(|_| gone()),
            None => Ok(()),
        }
    }

    /// Sends rows, or `None` after the last; false if the thread has exited.
    fn send(&self, rows: Option<Picture>) -> bool {
        self.rows.as_ref().is_some_and(|sender| sender.send(rows).is_ok())
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

/// Assembles rows to pictures of `height` pixels, and encodes them.
fn encode(
    mut writer: Box<dyn VideoWriter>,
    height: u32,
    queue: &Receiver<Option<Picture>>,
) -> Result<(), FileError> {
    let mut begun: Option<Picture> = None;
    for rows in queue {
        let Some(rows) = rows else {
            return writer.finish();
        };
        let picture = match begun.take() {
            Some(picture) => append(picture, &rows),
            None => {
                let mut picture = rows;
                let missing = height.saturating_sub(picture.height) as usize;
                let row_bytes = picture.rgba.len() / picture.height.max(1) as usize;
                picture.rgba.reserve_exact(missing * row_bytes);
                picture
            }
        };
        if picture.height < height {
            begun = Some(picture);
        } else {
            writer.picture(picture)?;
        }
    }
    Ok(())
}

fn append(mut picture: Picture, rows: &Picture) -> Picture {
    picture.height += rows.height;
    picture.rgba.extend_from_slice(&rows.rgba);
    picture
}

impl Sink for VideoEncoder {
    fn rows(&mut self, _header: &Arc<Header>, rows: Picture) -> Result<(), FileError> {
        if self.send(Some(rows)) { Ok(()) } else { self.join() }
    }

    fn finish(mut self: Box<Self>, complete: bool) -> Result<(), FileError> {
        if complete {
            // If the thread has exited, joining it returns its error.
            self.send(None);
        }
        self.join()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_assemble_into_picture() {
        let whole = Picture { width: 2, height: 3, rgba: (0..24).collect() };
        let part = |rows: std::ops::Range<usize>| Picture {
            width: 2,
            height: rows.len() as u32,
            rgba: whole.rgba[8 * rows.start..8 * rows.end].to_vec(),
        };
        struct Compare(Picture, u32);
        impl VideoWriter for Compare {
            fn picture(&mut self, picture: Picture) -> Result<(), FileError> {
                assert_eq!(picture, self.0);
                self.1 += 1;
                Ok(())
            }

            fn finish(self: Box<Self>) -> Result<(), FileError> {
                assert_eq!(self.1, 2);
                Ok(())
            }
        }
        let (sender, queue) = sync_channel(5);
        for rows in [0..1, 1..3, 0..2, 2..3] {
            sender.send(Some(part(rows))).expect("room");
        }
        sender.send(None).expect("room");
        encode(Box::new(Compare(whole.clone(), 0)), 3, &queue).expect("two pictures");
    }
}
