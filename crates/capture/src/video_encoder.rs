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
    let (height, frames) = (spec.size.1, spec.frame_count());
    Ok(move |rows| {
        let encoded = encode(writer, height, frames, rows);
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
        format => panic!("{} is not a video", format.spec().title),
    })
}

/// Assembles rows to pictures of `height` pixels, and encodes them. Completes the video if there
/// are `frames` of them, otherwise returns false.
fn encode(
    mut writer: Box<dyn VideoWriter>,
    height: u32,
    frames: usize,
    queue: Receiver<Picture>,
) -> io::Result<bool> {
    let mut begun: Option<Picture> = None;
    let mut count = 0;
    for rows in queue {
        let picture = match begun.take() {
            Some(picture) => append(picture, &rows),
            None => rows,
        };
        if picture.height < height {
            begun = Some(picture);
        } else {
            writer.picture(picture)?;
            count += 1;
        }
    }
    let is_complete = count == frames;
    if is_complete {
        writer.finish()?;
    }
    Ok(is_complete)
}

fn append(mut picture: Picture, rows: &Picture) -> Picture {
    picture.height += rows.height;
    picture.rgba.extend_from_slice(&rows.rgba);
    picture
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
        let (sender, queue) = std::sync::mpsc::sync_channel(5);
        for rows in [0..1, 1..3, 0..2, 2..3] {
            sender.send(part(rows)).expect("room");
        }
        drop(sender);
        let writer = Box::new(Compare(whole.clone(), 0));
        assert!(encode(writer, 3, 2, queue).expect("two pictures"));
    }
}
