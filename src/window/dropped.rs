//! A file that was dropped on the window while the panel is open.

use std::path::PathBuf;

/// A file that may be for a channel, until it is known where it was dropped.
pub(super) struct DroppedFile {
    /// The file.
    pub(super) path: PathBuf,
    /// Real time until which it waits for the pointer.
    pub(super) until: f64,
}
