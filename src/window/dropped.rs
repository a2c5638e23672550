//! A file dropped on the window while the panel is open.

use std::path::PathBuf;

/// A file that may be meant for a channel, until the drop position is known.
pub(super) struct DroppedFile {
    /// Path of the file.
    pub(super) path: PathBuf,
    /// Real time until which the drop waits for the pointer position.
    pub(super) until: f64,
}
