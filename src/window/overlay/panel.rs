//! Controls for the scene's parameters: sliders, switches, lists and colours.

use egui::collapsing_header::paint_default_icon;
use egui::color_picker::show_color;
use egui::{
    Align, Align2, Area, Button, Color32, ComboBox, Context, DragValue, Id, Label, Layout, Popup,
    PopupCloseBehavior, Rect, Response, RichText, Sense, Slider, SliderClamping, Ui, Vec2, vec2,
};

use super::{View, is_narrow, style};
use crate::message::count_text;
use crate::window::keys::Command;
use tarsus_player::Session;
use tarsus_shader::{Control, Parameter, ScalarKind};

/// Width of a label beside its control, in points; a longer one is elided.
const LABEL_WIDTH: f32 = 124.0;
/// Width of a control, in points.
const CONTROL_WIDTH: f32 = 142.0;

/// Shows the controls above the lowest `bottom` points, if the scene has parameters. Their
/// title folds them, and drags them to an `offset` from their corner. Returns the area they
/// take up.
pub(super) fn show(
    context: &Context,
    view: &View<'_>,
    bottom: f32,
    offset: &mut Vec2,
    commands: &mut Vec<Command>,
) -> Option<Rect> {
    let session = &view.engine.session;
    if session.parameters.is_empty() {
        return None;
    }
    let screen = context.content_rect();
    let max_height = (screen.height() - 75.0 - bottom).max(40.0);
    *offset = offset.clamp(vec2(60.0 - screen.width(), 0.0), vec2(0.0, screen.height() - 40.0));
    let corner = vec2(-10.0, 10.0);
    let area = Area::new(Id::unique("parameters"));
    let shown = area.anchor(Align2::RIGHT_TOP, corner + *offset).show(context, |ui| {
        style::sheet().show(ui, |ui| {
            let is_folded = !view.ui.are_parameters_open;
            if title(ui, is_folded, session.parameters.iter().count(), offset) {
                commands.push(Command::Parameters);
            }
            if is_folded {
                return;
            }
            egui::ScrollArea::vertical()
                .max_height(max_height)
                .show(ui, |ui| controls(ui, session, commands));
            if ui.small_button("Reset").clicked() {
                commands.push(Command::ResetView);
            }
        });
    });
    Some(shown.response.rect)
}

/// The title, with an arrow. Returns true if it was clicked.
fn title(ui: &mut Ui, is_folded: bool, count: usize, offset: &mut Vec2) -> bool {
    ui.horizontal(|ui| {
        let arrow = ui.allocate_response(Vec2::splat(10.0), Sense::click());
        paint_default_icon(ui, if is_folded { 0.0 } else { 1.0 }, &arrow);
        let text = RichText::new(count_text(count, "parameter")).color(style::STRONG);
        let button = Button::new(text).frame(false).sense(Sense::click_and_drag());
        let response = ui.add(button).on_hover_text("a click or C folds them, a drag moves them");
        *offset += response.drag_delta();
        response.clicked() || arrow.clicked()
    })
    .inner
}

fn controls(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    ui.spacing_mut().slider_width = 94.0;
    ui.spacing_mut().combo_width = 94.0;
    for parameter in session.parameters.iter() {
        let value = session.parameters.get(session.values(), parameter);
        let mut edited = value;
        let row = |ui: &mut Ui| {
            // egui shows the whole text of an elided label under the pointer.
            let text = RichText::new(&parameter.label).color(style::WEAK);
            cell(ui, LABEL_WIDTH, |ui| ui.add(Label::new(text).truncate()));
            cell(ui, CONTROL_WIDTH, |ui| control(ui, parameter, &mut edited));
        };
        // In a narrow window each label is above its control.
        if is_narrow(ui.ctx()) {
            ui.vertical(row);
        } else {
            ui.horizontal(row);
        }
        if edited != value {
            let components = edited[..parameter.components].to_vec();
            commands.push(Command::SetParameter(parameter.name.clone(), components));
        }
    }
}

/// Adds `content` in a cell of this width.
pub(super) fn cell<R>(ui: &mut Ui, width: f32, content: impl FnOnce(&mut Ui) -> R) {
    let size = vec2(width, ui.spacing().interact_size.y);
    let layout = Layout::left_to_right(Align::Center).with_main_wrap(true);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_width(width);
        content(ui);
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
            for component in &mut value[..parameter.components] {
                let speed = (most - least) / 200.0;
                let drag = DragValue::new(component).range(*least..=*most).speed(speed);
                let drag = drag.clamp_existing_to_range(false);
                ui.add(whole(drag, parameter.kind));
            }
        }
    }
}

fn slider(
    ui: &mut Ui,
    kind: ScalarKind,
    range: std::ops::RangeInclusive<f64>,
    value: &mut f64,
) -> Response {
    // Values of `--set` may be out of range, and defaults have any number of decimals: only an
    // edit changes them.
    let slider = Slider::new(value, range).max_decimals(3).clamping(SliderClamping::Edits);
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

/// A button in the colour of `value`, which opens sliders of its components. egui's own
/// picker is higher than a small window and needs a font with emoji.
fn color(ui: &mut Ui, components: usize, value: &mut [f64; 4]) {
    let byte = |part: f64| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
    let [red, green, blue, alpha] = value.map(byte);
    let alpha = if components == 4 { alpha } else { 255 };
    let shown = Color32::from_rgba_unmultiplied(red, green, blue, alpha);
    let button = show_color(ui, shown, vec2(34.0, 14.0)).interact(Sense::click());
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        for (name, component) in
            ["red", "green", "blue", "alpha"].iter().zip(&mut value[..components])
        {
            ui.horizontal(|ui| {
                cell(ui, 34.0, |ui| ui.label(RichText::new(*name).color(style::WEAK)));
                slider(ui, ScalarKind::Float, 0.0..=1.0, component);
            });
        }
    });
}
