//! Why a scene gives no program.

use std::path::PathBuf;

use super::diagnostic::Diagnostic;

/// Why a text gives no program, and the files whose change may mend it.
#[derive(Debug)]
pub struct ComposeError {
    /// The error in the author's own file.
    pub diagnostic: Box<Diagnostic>,
    /// Files read so far: the scene, then its modules.
    pub files: Vec<PathBuf>,
    /// True if a lens was asked for and the scene traces no rays.
    pub lens_needs_rays: bool,
}

impl std::fmt::Display for ComposeError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.diagnostic.fmt(out)
    }
}

impl std::error::Error for ComposeError {}
