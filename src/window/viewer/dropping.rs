//! Handling of files dropped on the window.
//!
//! Most systems do not report where a file is dropped, and send no pointer events while
//! dragging. Pointer events resume right after the drop, so a file that may be meant for a
//! channel waits for one.

use std::path::Path;

use super::Viewer;
use crate::window::start::Start;
use crate::window::ui::DroppedFile;

/// Seconds that a dropped file waits for the pointer position.
const DROP_TIMEOUT: f64 = 0.3;

impl Viewer {
    /// Handles a dropped file: opens a scene, a picture or a recording. If the panel is
    /// open and one of its channels is under the pointer or shown full size, the file
    /// replaces that channel's file instead.
    pub(super) fn dropped(&mut self, path: &Path) {
        if !self.ui.panel {
            return self.open_dropped(path);
        }
        self.ui.drop =
            Some(DroppedFile { path: path.to_owned(), deadline: self.time.now() + DROP_TIMEOUT });
        self.ui.redraw = true;
    }

    /// Resolves a dropped file if the overlay, which was drawn just now, has the pointer on
    /// a channel, or if the wait is over.
    pub(super) fn resolve_drop(&mut self, now: f64) {
        let Some(deadline) = self.ui.drop.as_ref().map(|drop| drop.deadline) else {
            return;
        };
        let device = self.devices.ready();
        let under_pointer = device.and_then(|device| device.overlay.hovered);
        let channel = under_pointer.and_then(|index| self.channel(index));
        if channel.is_none() && now < deadline {
            return;
        }
        let full_size = || self.engine.full_size().and_then(|index| self.channel(index));
        let channel = channel.or_else(full_size);
        let Some(DroppedFile { path, .. }) = self.ui.drop.take() else {
            return;
        };
        match channel {
            Some(channel) => {
                self.show_message(format!("{channel}: {}", path.display()));
                self.source.replacements.insert(channel, path);
                self.load();
            }
            None => self.open_dropped(&path),
        }
    }

    /// Name of the channel in a panel tile.
    fn channel(&self, index: usize) -> Option<String> {
        let tile = self.engine.tiles().into_iter().nth(index)?;
        tile.channel.map(|_| tile.name)
    }

    fn open_dropped(&mut self, path: &Path) {
        match Start::from_file(path) {
            Ok(start) => self.open_file(start),
            Err(error) => self.show_result(format!("{error:#}")),
        }
    }
}
