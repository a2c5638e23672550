//! Destinations of pictures: separate files ([`super::Sequence`]) or one video
//! ([`super::video_encoder`]).

use std::path::PathBuf;
use std::sync::Arc;
use tarsus_render::Picture;

use super::metadata::Metadata;
use tarsus_files::FileError;

/// Path and metadata of one picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Path of the picture, or of the whole video.
    pub path: PathBuf,
    /// Metadata, for formats that can store it.
    pub metadata: Metadata,
}

/// Receives pictures in ascending order of their numbers.
pub trait Sink {
    /// Receives the next rows of the picture with this header, from top to bottom. Blocks
    /// while too much is queued, so that memory stays bounded.
    ///
    /// # Errors
    /// The first [`FileError`] of this or an earlier picture.
    fn rows(&mut self, header: &Arc<Header>, rows: Picture) -> Result<(), FileError>;

    /// Waits until everything is written. Discards a picture with missing rows, and a video
    /// that is not `complete`.
    ///
    /// # Errors
    /// The first [`FileError`] of the run.
    fn finish(self: Box<Self>, complete: bool) -> Result<(), FileError>;
}
