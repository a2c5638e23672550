//! What becomes of a file that is dropped on the window.
//!
//! Most systems do not say where: while something is dragged the pointer is not seen. It
//! is seen again right after, so a file that may be for a channel waits for that.

use std::path::Path;

use super::Viewer;
use crate::window::dropped::DroppedFile;
use crate::window::panel::tile;
use crate::window::start::Start;

/// Seconds that a dropped file waits for the pointer.
const PATIENCE: f64 = 0.3;

impl Viewer {
    /// Takes a dropped file: a scene, a picture or a recording to open. With the panel
    /// open and one of its channels under the pointer or shown whole, it is that
    /// channel's from now on.
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

    /// When a dropped file waits no longer, if that is to come.
    pub(super) fn drop_deadline(&self) -> Option<f64> {
        let until = self.drop.as_ref().map(|drop| drop.until);
        until.filter(|until| *until > self.time.now())
    }

    /// Has the overlay drawn once more for a file that waits no longer: with all that is
    /// known of the pointer by then.
    pub(super) fn look_at_drop(&mut self, now: f64) {
        let is_due = self.drop.as_ref().is_some_and(|drop| drop.until <= now);
        self.ui.redraw |= is_due;
    }

    /// Decides what a dropped file is for, if the overlay, which was drawn just now, has
    /// the pointer on a channel or there is nothing to wait for.
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

    /// The name of the channel that a tile of the panel shows.
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
