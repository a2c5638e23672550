//! The error type of composition.

use std::path::PathBuf;

use super::diagnostic::Diagnostic;

/// Failure to compose a scene, with the files that could fix it when edited.
#[derive(Debug)]
pub struct ComposeError {
    /// The error, located in the author's own file.
    pub diagnostic: Box<Diagnostic>,
    /// Files read so far: the scene, then its modules.
    pub files: Vec<PathBuf>,
    /// True if a debug view was requested and the scene traces no rays.
    pub debug_view_needs_rays: bool,
}

impl std::fmt::Display for ComposeError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.diagnostic.fmt(out)
    }
}

impl std::error::Error for ComposeError {}
