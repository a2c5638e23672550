//! Encodes all pictures into one file, in order, on a separate thread.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::apng::Apng;
use super::ffmpeg::Ffmpeg;
use super::format::Format;
use super::gif::Gif;
use super::metadata::Metadata;
use super::output::Output;
use super::sink::{Header, Sink};
use super::stream::{self, Y4m};
use tarsus_files::{FileError, PartFile};
use tarsus_render::{Depth, Picture};

/// Properties of a video that are known before its first picture.
#[derive(Clone, Debug)]
pub(super) struct VideoPlan {
    /// The file and its format.
    pub output: Output,
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
    fn picture(&mut self, picture: Picture) -> io::Result<()>;

    /// Completes the video. A writer that is dropped instead leaves it unfinished.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Handle to the encoder thread of a video.
pub(super) struct VideoEncoder {
    /// `None` once closed.
    rows: Option<SyncSender<Picture>>,
    thread: Option<JoinHandle<io::Result<Box<dyn VideoWriter>>>>,
    /// `None` for a pipe or standard output.
    part: Option<PartFile>,
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
        let path = plan.output.path(0);
        let failed = |error| FileError::write(&path, error);
        let is_direct = plan.output.is_stdout() || tarsus_files::is_special(&path);
        let part = if is_direct { None } else { Some(PartFile::create(&path)?) };
        let file = match &part {
            Some(part) => part.handle()?,
            None => stream::open(&plan.output).map_err(failed)?,
        };
        let hidden = part.as_ref().map_or(&*path, PartFile::hidden_path);
        let writer = writer(plan, file, hidden).map_err(failed)?;
        // One band waits while another is encoded.
        let (rows, queue) = sync_channel(1);
        let height = plan.size.1;
        let thread = thread::Builder::new().spawn(move || encode(writer, height, &queue));
        let thread = Some(thread.map_err(failed)?);
        Ok(Self { rows: Some(rows), thread, part, path })
    }

    /// Closes the queue, joins the thread and returns its error, if any, or its writer.
    fn join(&mut self) -> Result<Option<Box<dyn VideoWriter>>, FileError> {
        self.rows = None;
        let joined = self.thread.take().map(|thread| {
            let panicked = |_| Err(io::Error::other("the encoder thread panicked"));
            thread.join().unwrap_or_else(panicked)
        });
        joined.transpose().map_err(|error| FileError::write(&self.path, error))
    }
}

/// Starts a video in `file`, which is at `path`.
fn writer(plan: &VideoPlan, file: File, path: &Path) -> io::Result<Box<dyn VideoWriter>> {
    Ok(match plan.output.format {
        Format::Apng => Box::new(Apng::new(plan, file)?),
        Format::Gif => Box::new(Gif::new(plan, file)?),
        Format::Mp4 | Format::Webm => Box::new(Ffmpeg::start(plan, path)?),
        Format::Raw => Box::new(file),
        Format::Y4m => Box::new(Y4m::new(plan, file)?),
        format => panic!("{format:?} is not a video format"),
    })
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
    queue: &Receiver<Picture>,
) -> io::Result<Box<dyn VideoWriter>> {
    let mut begun: Option<Picture> = None;
    for rows in queue {
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
    Ok(writer)
}

fn append(mut picture: Picture, rows: &Picture) -> Picture {
    picture.height += rows.height;
    picture.rgba.extend_from_slice(&rows.rgba);
    picture
}

impl Sink for VideoEncoder {
    fn rows(&mut self, _header: &Arc<Header>, rows: Picture) -> Result<(), FileError> {
        // If the thread has exited, joining it returns its error.
        match self.rows.as_ref().map(|sender| sender.send(rows)) {
            Some(Ok(())) => Ok(()),
            _ => self.join().map(drop),
        }
    }

    fn finish(mut self: Box<Self>, complete: bool) -> Result<(), FileError> {
        let Some(writer) = self.join()?.filter(|_| complete) else {
            return Ok(());
        };
        writer.finish().map_err(|error| FileError::write(&self.path, error))?;
        self.part.take().map_or(Ok(()), PartFile::keep)
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
            fn picture(&mut self, picture: Picture) -> io::Result<()> {
                assert_eq!(picture, self.0);
                self.1 += 1;
                Ok(())
            }

            fn finish(self: Box<Self>) -> io::Result<()> {
                assert_eq!(self.1, 2);
                Ok(())
            }
        }
        let (sender, queue) = sync_channel(5);
        for rows in [0..1, 1..3, 0..2, 2..3] {
            sender.send(part(rows)).expect("room");
        }
        drop(sender);
        let writer = encode(Box::new(Compare(whole.clone(), 0)), 3, &queue).expect("pictures");
        writer.finish().expect("two pictures");
    }
}
