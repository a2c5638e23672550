//! What every film format has in common: the plan it starts from, and the way
//! it takes pictures.

use std::path::PathBuf;

use super::files::FileError;
use super::format::Format;
use super::metadata::Metadata;
use tarsus_render::{Depth, Picture};

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
    /// A file with the sound of all frames, for formats that carry it: left and right
    /// as little-endian 32-bit floats.
    pub sound: Option<PathBuf>,
}

/// Encodes pictures into one file.
pub(super) trait FilmWriter: Send {
    /// Takes the next rows of the next picture.
    fn rows(&mut self, rows: Picture) -> Result<(), FileError>;

    /// Completes the file. Dropped without it, no file stays.
    fn finish(self: Box<Self>) -> Result<(), FileError>;
}
