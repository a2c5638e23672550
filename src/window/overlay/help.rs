//! The help sheet: keys and mouse in two columns.

use egui::{Align2, Area, Context, Id, RichText, Ui, vec2};

use super::style;
use crate::window::keys::{DRAG_HELP, HELP, MOUSE_HELP};

/// Rows of keys in the first column; the rest are above the mouse rows of the second.
const FIRST_COLUMN: usize = HELP.len().div_ceil(2) + 2;
/// Size of the sheet at full scale, including its margin, in points.
const FULL_SIZE: egui::Vec2 = vec2(670.0, 330.0);
/// Font size in points.
const FONT_SIZE: f32 = 12.0;
/// Minimum scale of the text; below it the text is unreadable.
const MIN_SCALE: f32 = 0.6;
/// Identifier of the sheet's egui area.
const NAME: &str = "help";

/// Shows the help sheet of a scene that `reads_pointer` and `reads_keyboard`.
pub(super) fn show(context: &Context, reads_pointer: bool, reads_keyboard: bool) {
    let scale = (context.content_rect().size() / FULL_SIZE).min_elem();
    let scale = scale.clamp(MIN_SCALE, 1.0);
    let (first, second) = HELP.split_at(FIRST_COLUMN);
    Area::new(Id::unique(NAME))
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .interactable(false)
        .show(context, |ui| {
            style::solid_sheet().show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    table(ui, scale, "first", first);
                    ui.add_space(14.0 * scale);
                    ui.vertical(|ui| {
                        table(ui, scale, "second", second);
                        ui.add_space(10.0 * scale);
                        let drag = if reads_pointer { DRAG_HELP } else { &[] };
                        table(ui, scale, "mouse", &[drag, MOUSE_HELP].concat());
                        if reads_keyboard {
                            ui.add_space(10.0 * scale);
                            ui.set_max_width(280.0 * scale);
                            let note = "This scene reads the keyboard: hold Ctrl or Alt \
                                        for letters, digits, Space and arrows.";
                            ui.label(letters(note, scale).color(style::ACCENT));
                        }
                    });
                });
            });
        });
}

fn table(ui: &mut Ui, scale: f32, name: &str, rows: &[(&str, &str)]) {
    egui::Grid::new(name).num_columns(2).min_row_height(0.0).spacing(vec2(14.0, 3.0) * scale).show(
        ui,
        |ui| {
            for (what, action) in rows {
                ui.label(letters(what, scale).color(style::STRONG));
                ui.label(letters(action, scale).color(style::WEAK));
                ui.end_row();
            }
        },
    );
}

fn letters(text: &str, scale: f32) -> RichText {
    RichText::new(text).size(FONT_SIZE * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::overlay::headless::{lay_out, texts};

    /// The default window has 800 x 450 points; smaller windows scale the text down.
    #[test]
    fn help_fits_default_and_smaller_windows() {
        let sizes = [(800.0, 450.0), (640.0, 360.0), (480.0, 270.0)];
        for (size, reads) in sizes.into_iter().flat_map(|size| [(size, false), (size, true)]) {
            let laid_out = lay_out(size, |ui| show(ui.ctx(), reads, reads));
            let area = laid_out.context.memory(|memory| memory.area_rect(Id::unique(NAME)));
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
            let sheet = area.expect("the sheet");
            assert!(screen.contains_rect(sheet), "{size:?}: {sheet}");
            let texts = texts(&laid_out.output);
            let drag = if reads { DRAG_HELP } else { &[] };
            assert_eq!(texts.iter().any(|(text, _)| text == "drag"), reads);
            for (what, action) in HELP.iter().chain(MOUSE_HELP).chain(drag) {
                for expected in [what, action] {
                    let (text, rect) = texts
                        .iter()
                        .find(|(text, _)| text == expected)
                        .unwrap_or_else(|| panic!("no {expected}"));
                    assert!(screen.contains_rect(*rect), "{text} is cut off: {rect}");
                }
            }
        }
    }
}
