//! Controls for the scene's parameters: sliders, switches, lists and colours.

use egui::collapsing_header::paint_default_icon;
use egui::{
    Align2, Area, Button, ComboBox, Context, DragValue, Id, Response, RichText, Sense, Slider, Ui,
    Vec2, vec2,
};

use super::view::View;
use super::{is_narrow, style, timeline_bar};
use crate::window::keys::Command;
use tarsus_shader::{Control, Parameter, ScalarKind};

/// Shows the controls, if the scene has parameters. Their title folds them, and drags them
/// to an `offset` from their corner.
pub(super) fn show(
    context: &Context,
    view: &View<'_>,
    offset: &mut Vec2,
    commands: &mut Vec<Command>,
) {
    if view.parameters.is_empty() {
        return;
    }
    let screen = context.content_rect();
    let max_height = screen.height() - 75.0 - timeline_bar::height(context, view.rewind);
    *offset = offset.clamp(vec2(60.0 - screen.width(), 0.0), vec2(0.0, screen.height() - 40.0));
    let corner = vec2(-10.0, 10.0);
    Area::new(Id::unique("parameters")).anchor(Align2::RIGHT_TOP, corner + *offset).show(
        context,
        |ui| {
            style::sheet().show(ui, |ui| {
                let is_folded = !view.ui.are_parameters_open;
                if title(ui, is_folded, view.parameters.iter().count(), offset) {
                    commands.push(Command::Parameters);
                }
                if is_folded {
                    return;
                }
                egui::ScrollArea::vertical()
                    .max_height(max_height)
                    .show(ui, |ui| controls(ui, view, commands));
                if ui.small_button("Reset").clicked() {
                    commands.push(Command::ResetView);
                }
            });
        },
    );
}

/// The title, with an arrow. Returns true if it was clicked.
fn title(ui: &mut Ui, is_folded: bool, count: usize, offset: &mut Vec2) -> bool {
    ui.horizontal(|ui| {
        let arrow = ui.allocate_response(Vec2::splat(10.0), Sense::click());
        paint_default_icon(ui, if is_folded { 0.0 } else { 1.0 }, &arrow);
        let text = match count {
            1 => "1 parameter".to_owned(),
            count => format!("{count} parameters"),
        };
        let text = RichText::new(text).color(style::STRONG);
        let text = Button::new(text).frame(false).sense(Sense::click_and_drag());
        let text = ui.add(text).on_hover_text("a click or C folds them, a drag moves them");
        *offset += text.drag_delta();
        text.clicked() || arrow.clicked()
    })
    .inner
}

fn controls(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    // In a narrow window each label is above its control.
    let is_narrow = is_narrow(ui.ctx());
    egui::Grid::new("controls").spacing(vec2(12.0, 5.0)).show(ui, |ui| {
        for parameter in view.parameters.iter() {
            let value = view.parameters.get(view.values, parameter);
            ui.label(RichText::new(&parameter.label).color(style::WEAK));
            if is_narrow {
                ui.end_row();
            }
            let mut edited = value;
            control(ui, parameter, &mut edited);
            if edited != value {
                let components = edited[..parameter.components].to_vec();
                commands.push(Command::SetParameter(parameter.name.clone(), components));
            }
            ui.end_row();
        }
    });
}

fn control(ui: &mut Ui, parameter: &Parameter, value: &mut [f64; 4]) {
    match &parameter.control {
        Control::Switch => {
            let mut on = value[0] != 0.0;
            ui.checkbox(&mut on, "");
            value[0] = f64::from(u8::from(on));
        }
        Control::Choice(names) => choice(ui, parameter, names, value),
        Control::Color => color(ui, parameter.components, value),
        Control::Slider(least, most) if parameter.components == 1 => {
            slider(ui, parameter.kind, *least..=*most, &mut value[0]);
        }
        Control::Slider(least, most) => {
            ui.horizontal(|ui| {
                for component in &mut value[..parameter.components] {
                    let speed = (most - least) / 200.0;
                    let drag = DragValue::new(component).range(*least..=*most).speed(speed);
                    ui.add(whole(drag, parameter.kind));
                }
            });
        }
    }
}

fn slider(
    ui: &mut Ui,
    kind: ScalarKind,
    range: std::ops::RangeInclusive<f64>,
    value: &mut f64,
) -> Response {
    let slider = Slider::new(value, range).max_decimals(3);
    ui.add(match kind {
        ScalarKind::Float => slider,
        ScalarKind::Signed | ScalarKind::Unsigned => slider.integer(),
    })
}

fn whole(drag: DragValue<'_>, kind: ScalarKind) -> DragValue<'_> {
    match kind {
        ScalarKind::Float => drag.max_decimals(3),
        ScalarKind::Signed | ScalarKind::Unsigned => drag.max_decimals(0).speed(0.1),
    }
}

fn choice(ui: &mut Ui, parameter: &Parameter, names: &[String], value: &mut [f64; 4]) {
    let mut chosen = value[0] as usize;
    ComboBox::from_id_salt(&parameter.name)
        .selected_text(names.get(chosen).map_or("", String::as_str))
        .show_index(ui, &mut chosen, names.len(), |index| names[index].as_str());
    value[0] = chosen as f64;
}

fn color(ui: &mut Ui, components: usize, value: &mut [f64; 4]) {
    // Colours round-trip through bytes; write back only the edited components.
    let byte = |part: f64| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
    let before = value.map(byte);
    let mut bytes = before;
    if components == 4 {
        ui.color_edit_button_srgba_unmultiplied(&mut bytes);
    } else {
        let mut rgb = [bytes[0], bytes[1], bytes[2]];
        ui.color_edit_button_srgb(&mut rgb);
        bytes[..3].copy_from_slice(&rgb);
    }
    for component in 0..components {
        if bytes[component] != before[component] {
            value[component] = f64::from(bytes[component]) / 255.0;
        }
    }
}
