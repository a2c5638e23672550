//! The timeline of remembered frames.

use egui::{
    Align2, Area, Context, FontId, Id, Order, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2, pos2,
    vec2,
};

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
/// Thickness of the rail and radius of the knob, in points.
const RAIL: f32 = 3.0;
const KNOB: f32 = 5.5;

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
    let size = vec2(ui.available_width(), 14.0);
    // Not focusable: the arrow keys are handled by the viewer.
    let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK | Sense::DRAG | Sense::HOVER);
    let rail = rect.shrink2(vec2(LABEL + KNOB, 0.0));
    if let Some(frame) = frame_under_pointer(ui, &response, rail, rewind)
        && frame != rewind.position()
    {
        commands.push(Command::Seek(frame));
    }
    paint(ui, rewind, (rect, rail), &response);
}

/// The frame under the pointer, while it is pressed and on release.
fn frame_under_pointer(ui: &Ui, response: &Response, rail: Rect, rewind: &Rewind) -> Option<u64> {
    // A release at the last position must not seek again.
    let is_new =
        ui.input(|input| input.pointer.any_pressed() || input.pointer.delta() != Vec2::ZERO);
    let is_released = is_new && (response.clicked() || response.drag_stopped());
    let is_pressed = response.is_pointer_button_down_on() || is_released;
    let pointer = response.interact_pointer_pos().filter(|_| is_pressed)?;
    let part = ((pointer.x - rail.left()) / rail.width()).clamp(0.0, 1.0);
    let frames = rewind.frames();
    let last = (frames.end - frames.start).saturating_sub(1);
    Some(frames.start + (f64::from(part) * last as f64).round() as u64)
}

fn paint(ui: &Ui, rewind: &Rewind, (rect, rail): (Rect, Rect), response: &Response) {
    let frames = rewind.frames();
    let last = frames.end - frames.start - 1;
    let position = |frame: u64| -> Pos2 {
        let part = frame.saturating_sub(frames.start) as f32 / last as f32;
        pos2(rail.left() + part * rail.width(), rail.center().y)
    };
    let painter = ui.painter();
    let line = |from: Pos2, to: Pos2, color| {
        painter.line_segment([from, to], Stroke::new(RAIL, color));
    };
    let (first, last) = (position(frames.start), position(frames.end - 1));
    let knob = position(rewind.position());
    line(first, last, style::WEAK.gamma_multiply(0.4));
    line(first, knob, style::ACCENT.gamma_multiply(0.75));
    for checkpoint in rewind.checkpoints() {
        let at = position(checkpoint);
        let mark = [at + vec2(0.0, 4.0), at + vec2(0.0, 6.5)];
        painter.line_segment(mark, Stroke::new(1.0, style::WEAK));
    }
    let radius = if response.hovered() || response.dragged() { KNOB + 1.5 } else { KNOB };
    painter.circle_filled(knob, radius, style::ACCENT);
    let (start, end) = labels(rewind);
    let font = || FontId::proportional(11.0);
    let (left, right) = (rect.left_center(), rect.right_center());
    painter.text(left, Align2::LEFT_CENTER, start, font(), style::STRONG);
    painter.text(right, Align2::RIGHT_CENTER, end, font(), style::WEAK);
}

/// Labels of the left and the right end. While the newest frame is shown, the left one has
/// the length of the timeline, in whole seconds: a text that changes with every frame would
/// redraw the overlay.
fn labels(rewind: &Rewind) -> (String, String) {
    let (position, frames) = (rewind.position(), rewind.frames());
    let last = frames.end.saturating_sub(1);
    if rewind.is_at_newest() {
        return (format!("−{:.0} s", rewind.seconds(frames.start..last)), "now".to_owned());
    }
    let time = rewind.get(position).map_or(0.0, |frame| frame.state.time);
    (format!("{time:.2} s"), format!("−{:.2} s", rewind.seconds(position..last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::overlay::headless::{lay_out_with, texts};
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
    fn labels_show_length_time_and_distance() {
        let mut rewind = rewind();
        let (texts, _) = answers((800.0, 450.0), &rewind, &[]);
        assert_eq!(texts, ["−5 s", "now"]);
        rewind.seek(35);
        let (texts, _) = answers((800.0, 450.0), &rewind, &[]);
        assert_eq!(texts, ["1.75 s", "−3.25 s"]);
    }

    #[test]
    fn small_window_has_no_bar() {
        assert_eq!(answers((320.0, 180.0), &rewind(), &[]).0, [""; 0]);
        let none = Rewind::default();
        assert_eq!(answers((800.0, 450.0), &none, &[]).0, [""; 0]);
    }
}
