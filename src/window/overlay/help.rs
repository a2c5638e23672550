//! The help sheet: keys and mouse in two columns.

use egui::{Align2, Area, Context, Id, RichText, Ui, vec2};

use super::style;
use crate::window::keys::{HELP, MOUSE_HELP};

/// Rows of keys in the first column; the others stand above those of the mouse.
const FIRST_COLUMN: usize = HELP.len().div_ceil(2) + 2;
/// What the sheet is called among the areas.
const NAME: &str = "help";

/// Shows the sheet.
pub(super) fn show(context: &Context, scene_reads_keyboard: bool) {
    let (first, second) = HELP.split_at(FIRST_COLUMN);
    Area::new(Id::unique(NAME))
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .interactable(false)
        .show(context, |ui| {
            style::solid_sheet().show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    table(ui, "first", first);
                    ui.add_space(14.0);
                    ui.vertical(|ui| {
                        table(ui, "second", second);
                        ui.add_space(10.0);
                        table(ui, "mouse", MOUSE_HELP);
                        if scene_reads_keyboard {
                            ui.add_space(10.0);
                            ui.set_max_width(280.0);
                            let note = "This scene reads the keyboard: hold Ctrl or Alt \
                                        for letters, digits, Space and arrows.";
                            ui.label(RichText::new(note).color(style::ACCENT));
                        }
                    });
                });
            });
        });
}

fn table(ui: &mut Ui, name: &str, rows: &[(&str, &str)]) {
    egui::Grid::new(name)
        .num_columns(2)
        .spacing(vec2(14.0, 3.0))
        .show(ui, |ui| {
            for (what, action) in rows {
                ui.label(RichText::new(*what).color(style::STRONG));
                ui.label(RichText::new(*action).color(style::WEAK));
                ui.end_row();
            }
        });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::overlay::headless::{lay_out, texts};

    /// The first window has 800 x 450 points.
    #[test]
    fn the_help_fits_the_first_window() {
        for scene_reads_keyboard in [false, true] {
            let laid_out = lay_out((800.0, 450.0), |ui| show(ui.ctx(), scene_reads_keyboard));
            let area = laid_out
                .context
                .memory(|memory| memory.area_rect(Id::unique(NAME)));
            let size = area.expect("the sheet").size();
            assert!(size.x <= 780.0 && size.y <= 440.0, "{size}");
            let texts = texts(&laid_out.output);
            for (what, action) in HELP.iter().chain(MOUSE_HELP) {
                for expected in [what, action] {
                    let (text, rect) = texts
                        .iter()
                        .find(|(text, _)| text == expected)
                        .unwrap_or_else(|| panic!("no {expected}"));
                    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, vec2(800.0, 450.0));
                    assert!(screen.contains_rect(*rect), "{text} is cut off: {rect}");
                }
            }
        }
    }
}
