//! What takes pictures in: files of their own ([`super::Sequence`]) or one film
//! ([`super::Film`]).

use std::path::PathBuf;
use std::sync::Arc;
use tarsus_render::Picture;

use super::files::FileError;
use super::metadata::Metadata;

/// Where one picture goes and what it says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The file, or that of the whole film.
    pub path: PathBuf,
    /// For formats with a place for it.
    pub metadata: Metadata,
}

/// Takes pictures in the order of their numbers.
pub trait Sink {
    /// Takes the next rows of the picture with this header, from top to bottom.
    /// Waits while too much is on its way, so that memory stays bounded.
    ///
    /// # Errors
    /// The first [`FileError`] of this picture or one before.
    fn rows(&mut self, header: &Arc<Header>, rows: Picture) -> Result<(), FileError>;

    /// Waits until everything is written, but gives up a picture that has only
    /// some of its rows, and a film that is not `complete`.
    ///
    /// # Errors
    /// The first [`FileError`] of the run.
    fn finish(self: Box<Self>, complete: bool) -> Result<(), FileError>;
}

/// Takes nothing in: for runs without pictures.
pub(super) struct Nowhere;

impl Sink for Nowhere {
    fn rows(&mut self, _header: &Arc<Header>, _rows: Picture) -> Result<(), FileError> {
        Ok(())
    }

    fn finish(self: Box<Self>, _complete: bool) -> Result<(), FileError> {
        Ok(())
    }
}
