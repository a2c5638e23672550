//! Values of the picture and the buffers under the pointer.

use egui::{Area, Context, Grid, Id, RichText, vec2};

use super::style;
use tarsus_player::live::Texel;

/// Distance of the values from the pointer, in points.
const GAP: f32 = 16.0;

/// Shows the values next to the pointer.
pub(super) fn show(context: &Context, probed: &[Texel]) {
    let pointer = context.input(|input| input.pointer.latest_pos());
    let (Some(pointer), false) = (pointer, probed.is_empty()) else {
        return;
    };
    // On the side of the pointer that has more room.
    let screen = context.content_rect();
    let is_left = pointer.x > screen.center().x;
    let is_above = pointer.y > screen.center().y;
    let pivot = match (is_left, is_above) {
        (false, false) => egui::Align2::LEFT_TOP,
        (true, false) => egui::Align2::RIGHT_TOP,
        (false, true) => egui::Align2::LEFT_BOTTOM,
        (true, true) => egui::Align2::RIGHT_BOTTOM,
    };
    let gap = |is_before: bool| if is_before { -GAP } else { GAP };
    Area::new(Id::unique("probe"))
        .fixed_pos(pointer + vec2(gap(is_left), gap(is_above)))
        .pivot(pivot)
        .interactable(false)
        .show(context, |ui| {
            style::sheet().show(ui, |ui| {
                Grid::new("probe").num_columns(6).spacing(vec2(10.0, 2.0)).show(ui, |ui| {
                    for texel in probed {
                        ui.label(RichText::new(&texel.name).color(style::WEAK));
                        let [x, y] = texel.at;
                        ui.label(RichText::new(format!("{x}, {y}")).color(style::WEAK));
                        for value in texel.value {
                            let is_finite = value.is_finite();
                            let color = if is_finite { style::STRONG } else { style::RED };
                            ui.label(RichText::new(number(value)).monospace().color(color));
                        }
                        ui.end_row();
                    }
                });
            });
        });
}

/// Four significant digits in at most nine characters.
fn number(value: f32) -> String {
    match value.abs() {
        _ if !value.is_finite() => value.to_string(),
        0.0 => "0".to_owned(),
        1e-3..1e4 => {
            let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_four_digits() {
        for (value, expected) in [
            (0.0, "0"),
            (1.0, "1.000"),
            (-0.25, "-0.2500"),
            (0.001, "0.001000"),
            (1234.5, "1234"),
            (1e6, "1.00e6"),
            (-1e-9, "-1.00e-9"),
            (f32::NAN, "NaN"),
            (f32::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(number(value), expected);
        }
    }
}
