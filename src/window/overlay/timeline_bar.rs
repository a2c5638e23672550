//! The timeline of remembered frames.

use egui::{
    Align, Align2, Area, Context, Id, Layout, Order, RichText, Slider, Stroke, Ui, Vec2, lerp,
    pos2, vec2,
};

use super::panel::cell;
use super::style;
use crate::window::keys::Command;
use tarsus_player::Rewind;

/// Minimum size of the window in points for the bar to fit.
const MIN_WINDOW: (f32, f32) = (400.0, 240.0);
/// Maximum length of the bar in points.
const MAX_LENGTH: f32 = 560.0;
/// Height of the bar's sheet in points, including the gap above it.
const HEIGHT: f32 = 40.0;
/// Width of a label at either end of the rail, in points.
const LABEL: f32 = 52.0;
/// Thickness of the rail, in points.
const RAIL: f32 = 3.0;

/// Height that the bar takes up at the bottom of the window, in points.
pub(super) fn height(context: &Context, rewind: &Rewind) -> f32 {
    if is_shown(context, rewind) { HEIGHT } else { 0.0 }
}

fn is_shown(context: &Context, rewind: &Rewind) -> bool {
    let screen = context.content_rect();
    let frames = rewind.frames();
    screen.width() >= MIN_WINDOW.0
        && screen.height() >= MIN_WINDOW.1
        && frames.end - frames.start > 1
}

/// Shows the bar, if there is more than one frame and the window is large enough.
pub(super) fn show(context: &Context, rewind: &Rewind, commands: &mut Vec<Command>) {
    if !is_shown(context, rewind) {
        return;
    }
    let width = (context.content_rect().width() - 40.0).min(MAX_LENGTH);
    Area::new(Id::unique("scrub"))
        .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -10.0))
        .order(Order::Middle)
        .show(context, |ui| {
            style::sheet().show(ui, |ui| {
                ui.set_width(width - 20.0);
                bar(ui, rewind, commands);
            });
        });
}

fn bar(ui: &mut Ui, rewind: &Rewind, commands: &mut Vec<Command>) {
    let frames = rewind.frames();
    let last = frames.end - 1;
    let (start, end) = labels(rewind);
    let mut frame = rewind.position();
    let mut is_pointer_active = false;
    ui.horizontal(|ui| {
        cell(ui, LABEL, |ui| ui.label(RichText::new(start).color(style::STRONG)));
        ui.spacing_mut().slider_rail_height = RAIL;
        ui.spacing_mut().slider_width = ui.available_width() - LABEL - ui.spacing().item_spacing.x;
        let slider = Slider::new(&mut frame, frames.start..=last).show_value(false);
        let slider = ui.add(slider.smart_aim(false));
        // The keys are the viewer's.
        slider.surrender_focus();
        // A key may have stepped on before a release where the pointer stands.
        is_pointer_active = slider.is_pointer_button_down_on()
            || ui.input(|input| input.pointer.any_pressed() || input.pointer.delta() != Vec2::ZERO);
        let slider = slider.rect;
        for checkpoint in rewind.checkpoints() {
            let part =
                checkpoint.saturating_sub(frames.start) as f32 / (last - frames.start) as f32;
            // Half of the knob is beyond either end.
            let rail = slider.x_range().shrink(slider.height() / 2.5);
            let at = pos2(lerp(rail.min..=rail.max, part), slider.center().y);
            let mark = [at + vec2(0.0, 4.0), at + vec2(0.0, 6.5)];
            ui.painter().line_segment(mark, Stroke::new(1.0, style::WEAK));
        }
        let right = Layout::right_to_left(Align::Center);
        cell(ui, LABEL, |ui| {
            ui.with_layout(right, |ui| ui.label(RichText::new(end).color(style::WEAK)))
        });
    });
    if is_pointer_active && frame != rewind.position() {
        commands.push(Command::Seek(frame));
    }
}

/// Labels of the left and the right end, in seconds of the scene's time: the times of the
/// shown and the newest frame. While the newest frame is shown, the left label is the time of
/// the oldest, in whole seconds: a text that changes with every frame would redraw the overlay.
fn labels(rewind: &Rewind) -> (String, String) {
    let frames = rewind.frames();
    let time = |frame| rewind.get(frame).map_or(0.0, |frame| frame.state.time);
    if rewind.is_at_newest() {
        return (format!("{:.0} s", time(frames.start)), "now".to_owned());
    }
    let newest = time(frames.end.saturating_sub(1));
    (format!("{:.2} s", time(rewind.position())), format!("{newest:.2} s"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::overlay::headless::{lay_out_with, texts};
    use egui::Pos2;
    use tarsus_player::SceneState;
    use tarsus_player::clock::Clock;

    fn rewind() -> Rewind {
        let mut rewind = Rewind::default();
        for frame in 0..101u32 {
            let state = SceneState::at(f64::from(frame) / 20.0, frame, 20.0);
            rewind.push_frame(state, (8, 8), Clock::default(), 0.05);
        }
        rewind
    }

    fn answers(size: (f32, f32), rewind: &Rewind, pointer: &[Pos2]) -> (Vec<String>, Vec<Command>) {
        let button = |pos: Pos2, pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::default(),
        };
        let mut events = Vec::new();
        for (number, &pos) in pointer.iter().enumerate() {
            events.push(egui::Event::PointerMoved(pos));
            if number == 0 {
                events.push(button(pos, true));
            }
        }
        let mut commands = Vec::new();
        let laid_out = lay_out_with(size, vec![events], |ui| show(ui.ctx(), rewind, &mut commands));
        let texts = texts(&laid_out.output).into_iter();
        (texts.map(|(text, _)| text).collect(), commands)
    }

    #[test]
    fn drag_seeks_frame_under_pointer() {
        for size in [(800.0, 450.0), (1280.0, 720.0)] {
            let rewind = rewind();
            let middle = pos2(size.0 / 2.0, size.1 - 24.0);
            let (_, commands) = answers(size, &rewind, &[middle]);
            assert_eq!(commands, [Command::Seek(50)]);
            let left = pos2(middle.x - 150.0, middle.y + 3.0);
            let (_, commands) = answers(size, &rewind, &[middle, left]);
            assert!(matches!(commands[..], [Command::Seek(5..30)]), "{commands:?}");
            let (_, commands) = answers(size, &rewind, &[pos2(size.0 / 2.0, 100.0)]);
            assert_eq!(commands, []);
        }
    }

    #[test]
    fn labels_show_scene_time() {
        let mut rewind = rewind();
        let size = (800.0, 450.0);
        assert_eq!(answers(size, &rewind, &[]).0, ["0 s", "now"]);
        let laid_out =
            lay_out_with(size, vec![Vec::new()], |ui| show(ui.ctx(), &rewind, &mut vec![]));
        let [left, right] = [0, 1].map(|end| texts(&laid_out.output)[end].1);
        let margins = (left.left(), size.0 - right.right());
        assert!((margins.0 - margins.1).abs() < 1.0, "labels at both ends: {margins:?}");
        rewind.seek(35);
        let (texts, _) = answers((800.0, 450.0), &rewind, &[]);
        assert_eq!(texts, ["1.75 s", "5.00 s"]);
    }

    #[test]
    fn small_window_has_no_bar() {
        assert_eq!(answers((320.0, 180.0), &rewind(), &[]).0, [""; 0]);
        let none = Rewind::default();
        assert_eq!(answers((800.0, 450.0), &none, &[]).0, [""; 0]);
    }
}
