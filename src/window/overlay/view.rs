//! Input and output of the overlay.

use std::collections::BTreeMap;

use egui::TextureId;

use crate::window::ui::OverlayState;
use tarsus_player::Rewind;
use tarsus_player::live::{Texel, Tile};
use tarsus_shader::{Parameters, Values};

/// Contents of the overlay.
pub(in crate::window) struct View<'a> {
    /// Mode, messages and the error.
    pub(in crate::window) ui: &'a OverlayState,
    /// Status lines; the first one is emphasized.
    pub(in crate::window) status: &'a [String],
    /// Progress notes: compiling, video export, screenshots.
    pub(in crate::window) notes: &'a [String],
    /// The scenes of the grid.
    pub(in crate::window) scenes: &'a [String],
    /// Pictures of scenes that are not built in.
    pub(in crate::window) pictures: &'a BTreeMap<String, (TextureId, wgpu::Texture)>,
    /// Length of the running recording in seconds.
    pub(in crate::window) recorded: Option<f64>,
    /// Tiles of the panel, if it is open.
    pub(in crate::window) tiles: &'a [PanelTile],
    /// Index of the tile shown instead of the picture.
    pub(in crate::window) full_size: Option<usize>,
    /// Values under the pointer, if they are shown.
    pub(in crate::window) probed: &'a [Texel],
    /// The remembered frames.
    pub(in crate::window) rewind: &'a Rewind,
    pub(in crate::window) parameters: &'a Parameters,
    pub(in crate::window) values: &'a Values,
    pub(in crate::window) scene_input: SceneInput,
    /// Real time in seconds since the window opened.
    pub(in crate::window) now: f64,
}

/// What the scene reads of the user's input.
#[derive(Clone, Copy, Default)]
pub(in crate::window) struct SceneInput {
    pub(in crate::window) pointer: bool,
    pub(in crate::window) keyboard: bool,
}

/// A tile of the panel with its thumbnail; `None` if there is no texture.
pub(in crate::window) struct PanelTile {
    pub(in crate::window) tile: Tile,
    pub(in crate::window) picture: Option<TextureId>,
}
