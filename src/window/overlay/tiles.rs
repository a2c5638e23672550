//! The panel of buffers and channels: a row of thumbnails.

use egui::{Align2, Area, Context, FontId, Id, Response, RichText, Ui, vec2};

use super::{PanelTile, View, style};
use crate::window::keys::Command;

/// Message about a scene whose panel is empty.
pub(in crate::window) const NO_TILES: &str = "this scene has no buffers or channels";
/// Width and height of a thumbnail in points.
const PICTURE: (f32, f32) = (128.0, 72.0);
/// Height of the three lines of text below a thumbnail, in points.
const TEXT: f32 = 44.0;
/// Gap between two thumbnails in points.
const SPACING: f32 = 8.0;

/// Height that the panel takes up at the bottom of the window, in points.
pub(super) fn height(view: &View<'_>) -> f32 {
    if view.ui.panel { PICTURE.1 + TEXT + 22.0 } else { 0.0 }
}

/// Shows the panel `bottom` points above the lower edge, if it is open. Returns the index
/// of the tile under the pointer.
pub(super) fn show(
    context: &Context,
    view: &View<'_>,
    bottom: f32,
    commands: &mut Vec<Command>,
) -> Option<usize> {
    if !view.ui.panel {
        return None;
    }
    let mut hovered = None;
    let most = context.content_rect().width() - 40.0;
    Area::new(Id::unique("tiles")).anchor(Align2::CENTER_BOTTOM, vec2(0.0, -10.0 - bottom)).show(
        context,
        |ui| {
            style::sheet().show(ui, |ui| {
                if view.tiles.is_empty() {
                    ui.label(RichText::new(NO_TILES).color(style::WEAK));
                    return;
                }
                let count = view.tiles.len() as f32;
                let width = count * (PICTURE.0 + SPACING) - SPACING;
                ui.set_width(width.min(most - 20.0));
                egui::ScrollArea::horizontal().show(ui, |ui| {
                    ui.spacing_mut().item_spacing = vec2(SPACING, 0.0);
                    ui.horizontal(|ui| {
                        for (index, tile) in view.tiles.iter().enumerate() {
                            let is_shown = view.engine.full_size() == Some(index);
                            let response = card(ui, index, tile, is_shown);
                            if response.clicked() {
                                let full_size = (!is_shown).then_some(index);
                                commands.push(Command::ShowFullSize(full_size));
                            }
                            if response.contains_pointer() {
                                hovered = Some(index);
                            }
                        }
                    });
                });
            });
        },
    );
    hovered
}

fn card(ui: &mut Ui, index: usize, tile: &PanelTile, is_shown: bool) -> Response {
    let PanelTile { tile, picture: texture } = tile;
    let (picture, response) = style::card(ui, PICTURE, TEXT, *texture, is_shown);
    let painter = ui.painter().with_clip_rect(ui.clip_rect().intersect(response.rect));
    let name = match index {
        0..9 => format!("{}  {}", index + 1, tile.name),
        _ => tile.name.clone(),
    };
    let color = if is_shown { style::ACCENT } else { style::STRONG };
    let text = |below: f32, text: &str, size: f32, color| {
        let at = picture.left_bottom() + vec2(1.0, below);
        painter.text(at, Align2::LEFT_TOP, text, FontId::proportional(size), color);
    };
    text(3.0, &name, 12.0, color);
    text(17.0, &tile.detail, 10.5, style::WEAK);
    if let Some(range) = &tile.range {
        text(30.0, range, 10.5, style::WEAK);
    }
    response
}
