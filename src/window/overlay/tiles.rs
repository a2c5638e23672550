//! The panel of buffers and channels: a row of thumbnails.

use egui::{
    Align2, Area, Color32, Context, CornerRadius, FontId, Id, Pos2, Rect, Response, RichText,
    Sense, StrokeKind, Ui, vec2,
};

use super::style;
use super::view::{PanelTile, Request, View};

/// Width and height of a thumbnail in points.
const PICTURE: (f32, f32) = (128.0, 72.0);
/// Height of the two lines of text below a thumbnail, in points.
const TEXT: f32 = 31.0;
/// Height of an additional line, for value ranges.
const LINE: f32 = 13.0;
/// Gap between two thumbnails in points.
const SPACING: f32 = 8.0;

/// Height that the panel takes up at the bottom of the window, in points.
pub(super) fn height(view: &View<'_>) -> f32 {
    match view.ui.panel {
        true => card_height(view.tiles) + 22.0,
        false => 0.0,
    }
}

/// Height of a thumbnail with its text, in points.
fn card_height(tiles: &[PanelTile]) -> f32 {
    match tiles.iter().any(|tile| tile.tile.range.is_some()) {
        true => PICTURE.1 + TEXT + LINE,
        false => PICTURE.1 + TEXT,
    }
}

/// Shows the panel `bottom` points above the lower edge, if it is open. Returns the index
/// of the tile under the pointer.
pub(super) fn show(
    context: &Context,
    view: &View<'_>,
    bottom: f32,
    requests: &mut Vec<Request>,
) -> Option<usize> {
    if !view.ui.panel {
        return None;
    }
    let mut hovered = None;
    let most = context.content_rect().width() - 40.0;
    Area::new(Id::unique("tiles"))
        .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -10.0 - bottom))
        .show(context, |ui| {
            style::sheet().show(ui, |ui| {
                if view.tiles.is_empty() {
                    let none = "this scene has no buffers or channels";
                    ui.label(RichText::new(none).color(style::WEAK));
                    return;
                }
                let count = view.tiles.len() as f32;
                let width = count * (PICTURE.0 + SPACING) - SPACING;
                ui.set_width(width.min(most - 20.0));
                egui::ScrollArea::horizontal().show(ui, |ui| {
                    ui.spacing_mut().item_spacing = vec2(SPACING, 0.0);
                    ui.horizontal(|ui| {
                        for (index, tile) in view.tiles.iter().enumerate() {
                            let is_shown = view.full_size == Some(index);
                            let height = card_height(view.tiles);
                            let response = card(ui, height, index, tile, is_shown);
                            if response.clicked() {
                                let full_size = (!is_shown).then_some(index);
                                requests.push(Request::ShowFullSize(full_size));
                            }
                            if response.contains_pointer() {
                                hovered = Some(index);
                            }
                        }
                    });
                });
            });
        });
    hovered
}

fn card(ui: &mut Ui, height: f32, index: usize, tile: &PanelTile, is_shown: bool) -> Response {
    let PanelTile {
        tile,
        picture: texture,
    } = tile;
    let size = vec2(PICTURE.0, height);
    // Not focusable: the arrow keys are handled by the viewer.
    let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK | Sense::HOVER);
    let picture = Rect::from_min_size(rect.min, vec2(PICTURE.0, PICTURE.1));
    let painter = ui.painter().with_clip_rect(ui.clip_rect().intersect(rect));
    match texture {
        Some(id) => {
            let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
            painter.image(*id, picture, whole, Color32::WHITE);
        }
        None => {
            painter.rect_filled(picture, 0.0, Color32::from_gray(20));
        }
    }
    if is_shown || response.hovered() {
        let width = if is_shown { 2.0 } else { 1.0 };
        let stroke = (width, style::ACCENT);
        painter.rect_stroke(picture, CornerRadius::ZERO, stroke, StrokeKind::Inside);
    }
    let name = match index {
        0..9 => format!("{}  {}", index + 1, tile.name),
        _ => tile.name.clone(),
    };
    let color = if is_shown {
        style::ACCENT
    } else {
        style::STRONG
    };
    let below = picture.left_bottom() + vec2(1.0, 3.0);
    painter.text(
        below,
        Align2::LEFT_TOP,
        name,
        FontId::proportional(12.0),
        color,
    );
    let below = below + vec2(0.0, 14.0);
    let font = FontId::proportional(10.5);
    painter.text(
        below,
        Align2::LEFT_TOP,
        &tile.detail,
        font.clone(),
        style::WEAK,
    );
    if let Some(range) = &tile.range {
        let below = below + vec2(0.0, LINE);
        painter.text(below, Align2::LEFT_TOP, range, font, style::WEAK);
    }
    response
}
