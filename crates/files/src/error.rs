//! Errors that name the file and the reason.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that cannot be read or written, with the reason. The message includes the reason,
/// so `source` continues with the reason's own source.
#[derive(Clone, Debug)]
pub struct FileError {
    verb: &'static str,
    path: PathBuf,
    /// Shared, because every thread that waits for the file reports it.
    reason: Arc<io::Error>,
}

impl FileError {
    /// Creates an error for a file that cannot be written.
    pub fn write(path: &Path, reason: impl Into<io::Error>) -> Self {
        let reason = reason.into();
        let reason = match reason.kind() {
            kind @ io::ErrorKind::AlreadyExists => io::Error::new(kind, "it already exists"),
            _ => reason,
        };
        Self::new("write", path, reason)
    }

    /// Creates an error for a file that cannot be read.
    pub fn read(path: &Path, reason: impl Into<io::Error>) -> Self {
        let reason = reason.into();
        let reason = match reason.kind() {
            kind @ io::ErrorKind::NotFound => io::Error::new(kind, "there is no such file"),
            _ => reason,
        };
        Self::new("read", path, reason)
    }

    fn new(verb: &'static str, path: &Path, reason: io::Error) -> Self {
        Self { verb, path: path.to_path_buf(), reason: Arc::new(reason) }
    }

    /// The same error, naming `path`: for a file that is written under another name first.
    #[must_use]
    pub fn at(self, path: &Path) -> Self {
        Self { path: path.to_path_buf(), ..self }
    }

    /// The underlying I/O error. Its message follows a colon.
    pub fn reason(&self) -> &io::Error {
        &self.reason
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verb, path, reason } = self;
        write!(out, "cannot {verb} {}: {reason}", path.display())
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.reason.source()
    }
}
