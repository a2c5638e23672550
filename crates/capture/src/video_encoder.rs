//! Encodes all pictures of a run into one file, in order.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::mpsc::Receiver;

use super::apng::Apng;
use super::ffmpeg::Ffmpeg;
use super::format::Format;
use super::gif::Gif;
use super::metadata::Metadata;
use super::spec::CaptureSpec;
use super::stream::{self, Y4m};
use tarsus_files::{FileError, PartFile};
use tarsus_render::Picture;

/// Encodes pictures into one file.
pub(super) trait VideoWriter: Send {
    /// Encodes the next picture.
    fn picture(&mut self, picture: Picture) -> io::Result<()>;

    /// Completes the video. A writer that is dropped instead leaves it unfinished.
    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

/// Creates the file of a video and starts its encoder. The returned function encodes pictures,
/// and keeps the file if none is missing. `sound` is a WAV file with the sound of all frames.
///
/// # Errors
/// [`FileError`] if the file cannot be created or the encoder cannot be started.
///
/// # Panics
/// If the format of `spec` is not a video.
pub(super) fn start(
    spec: &CaptureSpec,
    metadata: &Metadata,
    sound: Option<&Path>,
) -> Result<impl FnOnce(Receiver<Picture>) -> Result<(), FileError> + Send + use<>, FileError> {
    let path = spec.output.path(0);
    let failed = |error| FileError::write(&path, error);
    let is_direct = spec.output.is_stdout() || tarsus_files::is_special(&path);
    // `None` for a pipe or standard output.
    let part = if is_direct { None } else { Some(PartFile::create(&path)?) };
    let file = match &part {
        Some(part) => part.handle()?,
        None => stream::open(&spec.output).map_err(failed)?,
    };
    let hidden = part.as_ref().map_or(&*path, PartFile::hidden_path);
    let writer = writer(spec, metadata, sound, file, hidden).map_err(failed)?;
    let frames = spec.frame_count();
    Ok(move |pictures| {
        let encoded = encode(writer, frames, pictures);
        let is_complete = encoded.map_err(|error| FileError::write(&path, error))?;
        part.filter(|_| is_complete).map_or(Ok(()), PartFile::keep)
    })
}

/// Starts a video in `file`, which is at `path`.
fn writer(
    spec: &CaptureSpec,
    metadata: &Metadata,
    sound: Option<&Path>,
    file: File,
    path: &Path,
) -> io::Result<Box<dyn VideoWriter>> {
    Ok(match spec.output.format {
        Format::Apng => Box::new(Apng::new(spec, metadata, file)?),
        Format::Gif => Box::new(Gif::new(spec, file)?),
        Format::Mp4 | Format::Webm => Box::new(Ffmpeg::start(spec, sound, path)?),
        Format::Raw => Box::new(file),
        Format::Y4m => Box::new(Y4m::new(spec, file)?),
        format => panic!("{} is not a video", format.title()),
    })
}

/// Encodes pictures. Completes the video if there are `frames` of them, otherwise returns false.
fn encode(
    mut writer: Box<dyn VideoWriter>,
    frames: usize,
    pictures: Receiver<Picture>,
) -> io::Result<bool> {
    let mut count = 0;
    for picture in pictures {
        writer.picture(picture)?;
        count += 1;
    }
    let is_complete = count == frames;
    if is_complete {
        writer.finish()?;
    }
    Ok(is_complete)
}
