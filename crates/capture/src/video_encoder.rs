//! Encodes all pictures into one file, in order, or a single one to standard output.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use super::apng::Apng;
use super::ffmpeg::Ffmpeg;
use super::format::Format;
use super::gif::Gif;
use super::metadata::Metadata;
use super::output::Output;
use super::still::StillStream;
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
    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

/// Creates the file of a video and starts its encoder. The returned function encodes the
/// pictures that the rows make up, and keeps the file if none is missing.
///
/// # Errors
/// [`FileError`] if the file cannot be created or the encoder cannot be started.
///
/// # Panics
/// If the format of `plan` has no pictures.
pub(super) fn start(
    plan: &VideoPlan,
) -> Result<impl FnOnce(Receiver<Picture>) -> Result<(), FileError> + Send + use<>, FileError> {
    let path = plan.output.path(0);
    let failed = |error| FileError::write(&path, error);
    let is_direct = plan.output.is_stdout() || tarsus_files::is_special(&path);
    // `None` for a pipe or standard output.
    let part = if is_direct { None } else { Some(PartFile::create(&path)?) };
    let file = match &part {
        Some(part) => part.handle()?,
        None => stream::open(&plan.output).map_err(failed)?,
    };
    let hidden = part.as_ref().map_or(&*path, PartFile::hidden_path);
    let writer = writer(plan, file, hidden).map_err(failed)?;
    let (height, frames) = (plan.size.1, plan.frames);
    Ok(move |rows| {
        let encoded = encode(writer, height, frames, rows);
        let is_complete = encoded.map_err(|error| FileError::write(&path, error))?;
        part.filter(|_| is_complete).map_or(Ok(()), PartFile::keep)
    })
}

/// Starts a video in `file`, which is at `path`.
fn writer(plan: &VideoPlan, file: File, path: &Path) -> io::Result<Box<dyn VideoWriter>> {
    Ok(match plan.output.format {
        Format::Apng => Box::new(Apng::new(plan, file)?),
        Format::Gif => Box::new(Gif::new(plan, file)?),
        Format::Mp4 | Format::Webm => Box::new(Ffmpeg::start(plan, path)?),
        Format::Raw => Box::new(file),
        Format::Y4m => Box::new(Y4m::new(plan, file)?),
        Format::Wav => panic!("sound has no pictures"),
        _ => Box::new(StillStream::new(plan, file)),
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
