//! Interface of the video encoders, and the plan they start from.

use std::path::PathBuf;

use super::format::Format;
use super::metadata::Metadata;
use tarsus_files::FileError;
use tarsus_render::{Depth, Picture};

/// Properties of a video that are known before its first picture.
#[derive(Clone, Debug)]
pub struct FilmPlan {
    /// Output format.
    pub format: Format,
    /// Path of the file; `None` for standard output.
    pub path: Option<PathBuf>,
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
pub(super) trait FilmWriter: Send {
    /// Encodes the next rows of the current picture.
    fn rows(&mut self, rows: Picture) -> Result<(), FileError>;

    /// Completes the file. A writer that is dropped instead leaves no file.
    fn finish(self: Box<Self>) -> Result<(), FileError>;
}
