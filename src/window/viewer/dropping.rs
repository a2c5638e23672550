//! Handling of files dropped on the window.
//!
//! Most systems do not report where a file is dropped, and send no pointer events while
//! dragging. Pointer events resume right after the drop, so a file that may be meant for a
//! channel waits for one.

use std::path::Path;

use super::Viewer;
use crate::window::dropped::DroppedFile;
use crate::window::panel::tile;
use crate::window::start::Start;

/// Seconds that a dropped file waits for the pointer position.
const PATIENCE: f64 = 0.3;

impl Viewer {
    /// Handles a dropped file: opens a scene, a picture or a recording. If the panel is
    /// open and one of its channels is under the pointer or shown full size, the file
    /// replaces that channel's file instead.
    pub(super) fn dropped(&mut self, path: &Path) {
        if !self.ui.panel {
            return self.open_dropped(path);
        }
        self.drop = Some(DroppedFile {
            path: path.to_owned(),
            until: self.time.now() + PATIENCE,
        });
        self.ui.redraw = true;
    }

    /// Time until which a dropped file waits, if that is in the future.
    pub(super) fn drop_deadline(&self) -> Option<f64> {
        let until = self.drop.as_ref().map(|drop| drop.until);
        until.filter(|until| *until > self.time.now())
    }

    /// Requests a last redraw of the overlay once the wait is over, to use the latest known
    /// pointer position.
    pub(super) fn look_at_drop(&mut self, now: f64) {
        let is_due = self.drop.as_ref().is_some_and(|drop| drop.until <= now);
        self.ui.redraw |= is_due;
    }

    /// Resolves a dropped file if the overlay, which was drawn just now, has the pointer on
    /// a channel, or if the wait is over.
    pub(super) fn settle_drop(&mut self, now: f64) {
        let Some(until) = self.drop.as_ref().map(|drop| drop.until) else {
            return;
        };
        let device = self.device.ready();
        let under_pointer = device.and_then(|device| device.overlay.hovered_tile());
        let channel = under_pointer.and_then(|index| self.channel(index));
        if channel.is_none() && now < until {
            return;
        }
        let whole = || self.ui.look.and_then(|index| self.channel(index));
        let channel = channel.or_else(whole);
        let Some(DroppedFile { path, .. }) = self.drop.take() else {
            return;
        };
        match channel {
            Some(channel) => {
                self.say(format!("{channel}: {}", path.display()));
                self.replacements.insert(channel, path);
                self.load();
            }
            None => self.open_dropped(&path),
        }
    }

    /// Name of the channel in a panel tile.
    fn channel(&self, index: usize) -> Option<String> {
        let scene = self.device.ready()?.scene.as_ref()?;
        tile(scene, index)?.channel
    }

    fn open_dropped(&mut self, path: &Path) {
        match Start::from_file(path) {
            Ok(start) => self.open_file(start),
            Err(error) => self.say(format!("{error:#}")),
        }
    }
}
