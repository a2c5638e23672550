//! The grid of scenes.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{
    Align2, Area, ColorImage, Context, FontId, Id, Response, RichText, TextureHandle, TextureId,
    TextureOptions, Ui, vec2,
};

use super::{View, style};
use crate::window::keys::Command;
use crate::window::picker::{MARGIN, PICTURE, SPACING, color_image, columns, picture};
use crate::window::scenes::name_of;

/// Height of a scene's name below its picture, in points.
const NAME: f32 = 18.0;

/// Uploaded pictures by scene.
#[derive(Default)]
pub(super) struct Pictures(BTreeMap<String, (Arc<ColorImage>, TextureHandle)>);

impl Pictures {
    /// The picture of a built-in scene, which is decoded on first use, or the `preview` of
    /// another.
    fn of(
        &mut self,
        context: &Context,
        scene: &str,
        preview: Option<&Arc<ColorImage>>,
    ) -> Option<TextureId> {
        let is_latest = |known: &(Arc<ColorImage>, _)| {
            preview.is_none_or(|preview| Arc::ptr_eq(preview, &known.0))
        };
        if !self.0.get(scene).is_some_and(is_latest) {
            let decoded = || color_image(image::load_from_memory(picture(scene)?).ok()?);
            let image = preview.cloned().or_else(|| decoded().map(Arc::new))?;
            let texture = context.load_texture(scene, Arc::clone(&image), TextureOptions::LINEAR);
            self.0.insert(scene.to_owned(), (image, texture));
        }
        self.0.get(scene).map(|(_, texture)| texture.id())
    }
}

/// Shows the grid.
pub(super) fn show(
    context: &Context,
    view: &View<'_>,
    selected: usize,
    pictures: &mut Pictures,
    commands: &mut Vec<Command>,
) {
    let screen = context.content_rect();
    let columns = columns(screen.width());
    Area::new(Id::unique("picker")).anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0)).show(
        context,
        |ui| {
            style::solid_sheet().show(ui, |ui| {
                let step = PICTURE.0 + SPACING;
                ui.set_width(columns as f32 * step - SPACING + 12.0);
                ui.horizontal(|ui| {
                    ui.label(RichText::new("Scenes").color(style::STRONG).heading());
                    if columns > 1 {
                        let hint = "arrows and Enter or a click open, Esc closes";
                        ui.label(RichText::new(hint).color(style::WEAK));
                    }
                });
                let rows = view.scenes.len().div_ceil(columns) as f32;
                let whole = rows * (PICTURE.1 + NAME + SPACING);
                let most = (screen.height() - MARGIN - 20.0).max(PICTURE.1 + NAME);
                egui::ScrollArea::vertical()
                    .max_height(most)
                    .min_scrolled_height(whole.min(most))
                    .show(ui, |ui| grid(ui, view, selected, columns, pictures, commands));
            });
        },
    );
}

fn grid(
    ui: &mut Ui,
    view: &View<'_>,
    selected: usize,
    columns: usize,
    pictures: &mut Pictures,
    commands: &mut Vec<Command>,
) {
    ui.spacing_mut().item_spacing = vec2(SPACING, SPACING);
    for (row, scenes) in view.scenes.chunks(columns).enumerate() {
        ui.horizontal(|ui| {
            for (column, scene) in scenes.iter().enumerate() {
                let index = row * columns + column;
                let is_selected = index == selected;
                let preview = view.previews.get(scene);
                let is_faulty = preview == Some(&None);
                let picture = if is_faulty {
                    None
                } else {
                    pictures.of(ui.ctx(), scene, preview.and_then(Option::as_ref))
                };
                let response = card(ui, scene, picture, is_selected);
                if is_faulty {
                    let center = response.rect.center() - vec2(0.0, NAME / 2.0);
                    let font = FontId::proportional(12.0);
                    let text = "cannot be drawn";
                    ui.painter().text(center, Align2::CENTER_CENTER, text, font, style::WEAK);
                }
                if is_selected {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    commands.push(Command::Pick(index));
                }
            }
        });
    }
}

/// A picture with the scene's name below it; a dark rectangle if there is none yet.
fn card(ui: &mut Ui, scene: &str, texture: Option<TextureId>, is_selected: bool) -> Response {
    let (picture, response) = style::card(ui, PICTURE, NAME, texture, is_selected);
    let color = if is_selected { style::STRONG } else { style::WEAK };
    let below = picture.center_bottom() + vec2(0.0, 3.0);
    let font = FontId::proportional(12.0);
    ui.painter().text(below, Align2::CENTER_TOP, name_of(scene), font, color);
    response
}
