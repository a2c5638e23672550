//! What the overlay shows, and what it answers.

use crate::window::keys::Command;
use crate::window::panel::Tile;
use crate::window::ui::Ui;
use tarsus_player::Rewind;
use tarsus_shader::{Parameters, Values};

/// What there is to show.
pub(in crate::window) struct View<'a> {
    /// Mode, messages and the error.
    pub(in crate::window) ui: &'a Ui,
    /// Lines of the status, the first one strong.
    pub(in crate::window) status: &'a [String],
    /// What is under way: compiling, films, screenshots.
    pub(in crate::window) notes: &'a [String],
    /// The scenes of the grid.
    pub(in crate::window) scenes: &'a [String],
    /// Seconds recorded so far.
    pub(in crate::window) recorded: Option<f64>,
    /// The tiles of the panel, if it is open.
    pub(in crate::window) tiles: &'a [Tile],
    /// The frames that can be shown again.
    pub(in crate::window) rewind: &'a Rewind,
    pub(in crate::window) parameters: &'a Parameters,
    pub(in crate::window) values: &'a Values,
    pub(in crate::window) scene_reads_keyboard: bool,
    /// Real time in seconds since the window opened.
    pub(in crate::window) now: f64,
}

/// What the user did in the overlay.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::window) enum Request {
    /// Give the parameter of this name a value, one number per component.
    Set(String, Vec<f64>),
    /// Open the scene of this index on the grid.
    Pick(usize),
    /// View a tile of the panel whole, or the picture.
    ShowWhole(Option<usize>),
    /// Go back to the remembered frame of this number.
    Seek(u64),
    /// As if a key was pressed.
    Do(Command),
}
