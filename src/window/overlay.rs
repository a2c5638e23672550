//! What lies over the picture: status, help, parameters, messages. It reads a
//! [`View`] and answers with [`Request`]s; it changes nothing itself.

mod panel;
mod style;
mod view;

use std::time::Duration;

use egui::{Align2, Area, Color32, Context, Frame, Id, RichText, Ui, vec2};
use winit::window::Window;

use super::graphics::Interface;
use super::keys::{HELP, MOUSE_HELP};
use super::toasts::Toast;
use super::ui::Mode;

pub(super) use self::view::{Request, View};

/// The user interface of one device; made anew with it.
pub(super) struct Overlay {
    context: Context,
    state: egui_winit::State,
}

impl Overlay {
    pub(super) fn new(window: &Window, max_texture_side: u32) -> Self {
        let context = Context::default();
        style::apply(&context);
        let state = egui_winit::State::new(
            context.clone(),
            egui::ViewportId::ROOT,
            window,
            Some(window.scale_factor() as f32),
            None,
            Some(max_texture_side as usize),
        );
        Self { context, state }
    }

    /// Takes an event of the window.
    pub(super) fn window_event(
        &mut self,
        window: &Window,
        event: &winit::event::WindowEvent,
    ) -> egui_winit::EventResponse {
        self.state.on_window_event(window, event)
    }

    /// True while a text field has the keys.
    pub(super) fn wants_keys(&self) -> bool {
        self.context.egui_wants_keyboard_input()
    }

    /// The events since the last time. `take_egui_input` would ask the window for
    /// its size, and panic if it was destroyed from outside.
    fn input(&mut self, now: f64, scale: f32, size: (u32, u32)) -> egui::RawInput {
        let points = vec2(size.0 as f32, size.1 as f32) / (scale * self.context.zoom_factor());
        let input = self.state.egui_input_mut();
        input.time = Some(now);
        input.screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, points));
        let viewport = input.viewports.entry(egui::ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(scale);
        input.take()
    }

    /// Lays everything out. Gives what to draw, when to draw again if nothing
    /// happens before, and what the user did.
    pub(super) fn run(
        &mut self,
        window: &Window,
        size: (u32, u32),
        view: &View<'_>,
    ) -> (Interface, Duration, Vec<Request>) {
        let input = self.input(view.now, window.scale_factor() as f32, size);
        let mut requests = Vec::new();
        let output = self
            .context
            .run_ui(input, |ui| show(ui.ctx(), view, &mut requests));
        self.state
            .handle_platform_output(window, output.platform_output);
        let again = output
            .viewport_output
            .values()
            .map(|viewport| viewport.repaint_delay)
            .min()
            .unwrap_or(Duration::MAX);
        let interface = Interface {
            primitives: self
                .context
                .tessellate(output.shapes, output.pixels_per_point),
            textures: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        };
        (interface, again, requests)
    }
}

fn show(context: &Context, view: &View<'_>, requests: &mut Vec<Request>) {
    if view.ui.mode != Mode::Hidden {
        status(context, view);
        panel::show(context, view, requests);
        messages(context, view.ui.toasts.visible(view.now));
    }
    if view.ui.mode == Mode::Help {
        help(context, view.scene_reads_keyboard);
    }
    if let Some(error) = &view.ui.error {
        error_sheet(context, error);
    }
}

fn status(context: &Context, view: &View<'_>) {
    Area::new(Id::unique("status"))
        .anchor(Align2::LEFT_TOP, vec2(10.0, 10.0))
        .interactable(false)
        .show(context, |ui| {
            style::sheet().show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                for (number, line) in view.status.iter().enumerate() {
                    let color = if number == 0 {
                        style::STRONG
                    } else {
                        style::WEAK
                    };
                    ui.label(RichText::new(line).color(color));
                }
                if let Some(seconds) = view.recorded {
                    let text = format!("recording input, {seconds:.1} s");
                    ui.label(RichText::new(text).color(style::RED));
                }
            });
        });
}

fn messages<'a>(context: &Context, toasts: impl Iterator<Item = &'a Toast>) {
    let toasts: Vec<&Toast> = toasts.collect();
    if toasts.is_empty() {
        return;
    }
    Area::new(Id::unique("messages"))
        .anchor(Align2::LEFT_BOTTOM, vec2(10.0, -10.0))
        .interactable(false)
        .show(context, |ui| {
            for toast in toasts {
                style::sheet().show(ui, |ui| {
                    let text = RichText::new(&toast.text).color(style::STRONG);
                    ui.add(egui::Label::new(text).extend());
                });
            }
        });
}

fn help(context: &Context, scene_reads_keyboard: bool) {
    Area::new(Id::unique("help"))
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .interactable(false)
        .show(context, |ui| {
            style::solid_sheet().show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    table(ui, "keys", HELP);
                    ui.add_space(18.0);
                    ui.vertical(|ui| {
                        table(ui, "mouse", MOUSE_HELP);
                        if scene_reads_keyboard {
                            ui.add_space(10.0);
                            ui.set_max_width(180.0);
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

/// The error stands over the last good picture until it is mended.
fn error_sheet(context: &Context, error: &str) {
    let screen = context.content_rect();
    Area::new(Id::unique("error"))
        .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -10.0))
        .show(context, |ui| {
            let frame = Frame::new()
                .fill(Color32::from_rgba_unmultiplied(54, 12, 14, 238))
                .stroke((1.0, style::RED))
                .corner_radius(6)
                .inner_margin(12);
            frame.show(ui, |ui| {
                ui.set_max_size(vec2(screen.width() - 60.0, screen.height() * 0.6));
                egui::ScrollArea::both().show(ui, |ui| {
                    let text = RichText::new(error).monospace().color(style::STRONG);
                    ui.add(egui::Label::new(text).extend());
                });
            });
        });
}
