//! The overlay on top of the picture: status, help, parameters, messages. It reads a
//! [`View`] and returns [`Command`]s; it has no side effects on the viewer.

mod help;
mod panel;
mod picker;
mod probe;
mod style;
mod tiles;
mod timeline_bar;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use egui::{
    Align2, Area, Color32, ColorImage, Context, Frame, Id, Popup, Rect, RichText, TextureId, Vec2,
    vec2,
};
use winit::dpi::PhysicalPosition;
use winit::event::{ElementState, WindowEvent};
use winit::keyboard::{Key, NamedKey};
use winit::window::Window;

use self::picker::Pictures;
use super::graphics::OverlayFrame;
use super::keys::Command;
use super::ui::{Mode, OverlayState};
use super::viewer::Engine;

pub(super) use self::tiles::NO_TILES;
use tarsus_player::live::{Position, Texel, Tile};

/// Size of the smallest window with an overlay, in points.
const MIN_SIZE: Vec2 = vec2(120.0, 90.0);

/// Contents of the overlay.
pub(super) struct View<'a> {
    /// Mode, messages and the error.
    pub(super) ui: &'a OverlayState,
    /// The scene and its session.
    pub(super) engine: &'a Engine,
    /// The scenes of the grid.
    pub(super) scenes: &'a [String],
    /// Pictures of scenes that are not built in, `None` for one that cannot be drawn.
    pub(super) previews: &'a BTreeMap<String, Option<Arc<ColorImage>>>,
    /// Tiles of the panel, if it is open.
    pub(super) tiles: &'a [PanelTile],
    /// Values under the pointer, if they are shown.
    pub(super) probed: &'a [Texel],
    /// Real time in seconds since the window opened.
    pub(super) now: f64,
}

/// A tile of the panel with its thumbnail; `None` if there is no texture.
pub(super) struct PanelTile {
    pub(super) tile: Tile,
    pub(super) picture: Option<TextureId>,
}

/// The user interface of one device; recreated with it.
pub(super) struct Overlay {
    context: Context,
    state: egui_winit::State,
    pictures: Pictures,
    /// Index of the panel tile last under the pointer.
    pub(super) hovered: Option<usize>,
    /// Distance of the parameters from their corner, in points.
    parameters_offset: Vec2,
    /// Position of the pointer, in physical pixels.
    pointer: PhysicalPosition<f64>,
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
        Self {
            context,
            state,
            pictures: Pictures::default(),
            hovered: None,
            parameters_offset: Vec2::ZERO,
            pointer: PhysicalPosition::default(),
        }
    }

    /// Passes a window event to egui.
    pub(super) fn window_event(
        &mut self,
        window: &Window,
        event: &WindowEvent,
    ) -> egui_winit::EventResponse {
        let mut response = self.state.on_window_event(window, event);
        match event {
            WindowEvent::CursorMoved { position, .. } => self.pointer = *position,
            // egui judges a press by the pointer's position in the last frame.
            WindowEvent::MouseInput { state: ElementState::Pressed, .. } => {
                response.consumed = self.is_over_area();
            }
            _ => {}
        }
        response
    }

    /// Position of the pointer in a window of `size`, in fractions from the upper left corner;
    /// `None` outside.
    pub(super) fn pointer(&self, size: (u32, u32)) -> Option<Position> {
        let at = [self.pointer.x / f64::from(size.0), self.pointer.y / f64::from(size.1)];
        at.iter().all(|part| (0.0..1.0).contains(part)).then_some(at)
    }

    /// True if the pointer is over an area that takes clicks.
    fn is_over_area(&self) -> bool {
        let scale = f64::from(self.context.pixels_per_point());
        let at = self.pointer.to_logical::<f32>(scale);
        let layer = self.context.layer_id_at(egui::pos2(at.x, at.y));
        layer.is_some_and(|layer| layer.order != egui::Order::Background)
    }

    /// True if the overlay handles this key: while a text field has keyboard focus, and
    /// Escape while a list or a colour is open, which it closes.
    pub(super) fn wants_key(&self, key: &Key) -> bool {
        let closes = *key == Key::Named(NamedKey::Escape) && Popup::is_any_open(&self.context);
        closes || self.context.egui_wants_keyboard_input()
    }

    /// Collects the input since the last frame. `take_egui_input` would query the window's
    /// size, and panic if the window was destroyed from outside.
    fn take_input(&mut self, now: f64, scale: f32, size: (u32, u32)) -> egui::RawInput {
        let points = vec2(size.0 as f32, size.1 as f32) / (scale * self.context.zoom_factor());
        let input = self.state.egui_input_mut();
        input.time = Some(now);
        input.screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, points));
        let viewport = input.viewports.entry(egui::ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(scale);
        input.take()
    }

    /// Lays out the overlay. Returns the draw data, the delay until the next repaint
    /// without events, and the user's commands.
    pub(super) fn run(
        &mut self,
        window: &Window,
        size: (u32, u32),
        view: &View<'_>,
    ) -> (OverlayFrame, Duration, Vec<Command>) {
        let input = self.take_input(view.now, window.scale_factor() as f32, size);
        let mut commands = Vec::new();
        let (pictures, offset) = (&mut self.pictures, &mut self.parameters_offset);
        let hovered = &mut self.hovered;
        let output = self.context.run_ui(input, |ui| {
            *hovered = show(ui.ctx(), view, pictures, offset, &mut commands);
        });
        self.state.handle_platform_output(window, output.platform_output);
        let repaint_delay = output
            .viewport_output
            .values()
            .map(|viewport| viewport.repaint_delay)
            .min()
            .unwrap_or(Duration::MAX);
        let frame = OverlayFrame {
            primitives: self.context.tessellate(output.shapes, output.pixels_per_point),
            textures: output.textures_delta,
            pixels_per_point: output.pixels_per_point,
        };
        (frame, repaint_delay, commands)
    }
}

/// Shows all parts of the overlay, unless the window has no room for any. Returns the panel
/// tile under the pointer.
fn show(
    context: &Context,
    view: &View<'_>,
    pictures: &mut Pictures,
    parameters_offset: &mut Vec2,
    commands: &mut Vec<Command>,
) -> Option<usize> {
    let size = context.content_rect().size();
    if size.x < MIN_SIZE.x || size.y < MIN_SIZE.y {
        return None;
    }
    let mut hovered = None;
    let mut bottom = 0.0;
    let rewind = view.engine.session.rewind();
    match view.ui.mode {
        Mode::Status => {
            let bar = timeline_bar::height(context, rewind);
            bottom = bar + tiles::height(view);
            let panel = panel::show(context, view, bottom, parameters_offset, commands);
            status(context, view, &view.ui.status.lines, panel);
            timeline_bar::show(context, rewind, commands);
            hovered = tiles::show(context, view, bar, commands);
        }
        Mode::Help => {
            status(context, view, &[], None);
            help::show(context, view.engine.reads_pointer(), view.engine.reads_keyboard());
        }
        Mode::Hidden => {}
    }
    messages(context, bottom, view);
    probe::show(context, view.probed);
    if let Some(selected) = view.ui.picker {
        picker::show(context, view, selected, pictures, commands);
    }
    if let Some(error) = &view.ui.error {
        error_sheet(context, error);
    }
    hovered
}

/// True for a window without room for the parameters beside the status.
fn is_narrow(context: &Context) -> bool {
    context.content_rect().width() < 720.0
}

/// Minimum width of the status, in points.
const MIN_STATUS_WIDTH: f32 = 110.0;
/// Parameters that are lower than this, in points, leave the status the whole width.
const STATUS_HEIGHT: f32 = 120.0;

/// Lines of the status: all, or in a narrow window the first two and the last.
fn status_lines(lines: &[String], is_narrow: bool) -> impl Iterator<Item = &String> {
    let last = lines.len().saturating_sub(1);
    let lines = lines.iter().enumerate();
    lines.filter(move |(at, _)| !is_narrow || *at < 2 || *at == last).map(|(_, line)| line)
}

/// Shows status `lines` and progress, on the left of the parameters in `panel`.
fn status(context: &Context, view: &View<'_>, lines: &[String], panel: Option<Rect>) {
    let recorded = view.engine.session.recorded(view.now);
    if lines.is_empty() && view.ui.notes.is_empty() && recorded.is_none() {
        return;
    }
    let beside = panel.filter(|panel| panel.top() < STATUS_HEIGHT);
    let right = beside.map_or(context.content_rect().right(), |panel| panel.left());
    // Its distance to both sides, and the padding of the sheet.
    let width = (right - 2.0 * 10.0 - 20.0).max(MIN_STATUS_WIDTH);
    Area::new(Id::unique("status"))
        .anchor(Align2::LEFT_TOP, vec2(10.0, 10.0))
        .interactable(false)
        .show(context, |ui| {
            style::sheet().show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.set_max_width(width);
                for (number, line) in status_lines(lines, is_narrow(context)).enumerate() {
                    let color = if number == 0 { style::STRONG } else { style::WEAK };
                    ui.add(egui::Label::new(RichText::new(line).color(color)).wrap());
                }
                for note in &view.ui.notes {
                    ui.label(RichText::new(note).color(style::ACCENT));
                }
                if let Some(seconds) = recorded {
                    let text = format!("recording input, {seconds:.1} s");
                    ui.label(RichText::new(text).color(style::RED));
                }
            });
        });
}

/// Shows the recent messages above the lowest `bottom` points.
fn messages(context: &Context, bottom: f32, view: &View<'_>) {
    let mut toasts = view.ui.toasts(view.now).peekable();
    if toasts.peek().is_none() {
        return;
    }
    let width = context.content_rect().width();
    let id = Id::unique("messages");
    let size = context.memory(|memory| Some(memory.area_rect(id)?.size()));
    let shown = Area::new(id)
        .anchor(Align2::LEFT_BOTTOM, vec2(10.0, -10.0 - bottom))
        .interactable(false)
        .show(context, |ui| {
            for toast in toasts {
                style::sheet().show(ui, |ui| {
                    ui.set_max_width(width - 40.0);
                    let text = RichText::new(&toast.text).color(style::STRONG);
                    ui.add(egui::Label::new(text).wrap());
                });
            }
        });
    if size != Some(shown.response.rect.size()) {
        context.request_discard("the anchor needs the new size of the messages");
    }
}

/// Shows an error over the last good picture until it is fixed.
fn error_sheet(context: &Context, error: &str) {
    let screen = context.content_rect();
    Area::new(Id::unique("error"))
        .order(egui::Order::Foreground)
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

/// Lays out egui code without a window, for tests.
#[cfg(test)]
mod headless {
    use super::{Context, style};
    use egui::epaint::Shape;

    /// Result of a layout.
    pub(super) struct LaidOut {
        pub(super) context: Context,
        pub(super) output: egui::FullOutput,
    }

    /// Lays out `show` in a window of `size` points at scale factor 1.
    pub(super) fn lay_out(size: (f32, f32), show: impl FnMut(&mut egui::Ui)) -> LaidOut {
        lay_out_with(size, vec![Vec::new()], show)
    }

    /// Lays out `show` with `events` in the last frames, a list per frame.
    pub(super) fn lay_out_with(
        size: (f32, f32),
        events: Vec<Vec<egui::Event>>,
        mut show: impl FnMut(&mut egui::Ui),
    ) -> LaidOut {
        let context = Context::default();
        style::apply(&context);
        let mut run = |events| {
            let rect = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
            let input =
                egui::RawInput { screen_rect: Some(rect), events, ..egui::RawInput::default() };
            let mut output = context.run_ui(input, &mut show);
            // There is no renderer to take the textures.
            output.textures_delta.clear();
            output
        };
        // egui positions an area only once its size is known.
        run(Vec::new());
        let first = run(Vec::new());
        let output = events.into_iter().fold(first, |_, events| run(events));
        LaidOut { context, output }
    }

    /// All drawn texts with their positions.
    pub(super) fn texts(output: &egui::FullOutput) -> Vec<(String, egui::Rect)> {
        let mut found = Vec::new();
        for clipped in &output.shapes {
            collect(&clipped.shape, &mut found);
        }
        found
    }

    fn collect(shape: &Shape, found: &mut Vec<(String, egui::Rect)>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, found)),
            Shape::Text(text) => {
                let rect = text.galley.rect.translate(text.pos.to_vec2());
                found.push((text.galley.text().to_owned(), rect));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::headless::{LaidOut, lay_out_with, texts};
    use super::*;
    use crate::window::ui::OverlayState;
    use std::collections::BTreeMap;
    use tarsus_player::Session;
    use tarsus_player::live::{FrameTiming, Pacing};
    use tarsus_scenes::SCENES;
    use tarsus_shader::{Parameters, Scene, Values, compose};

    /// A text and its position.
    type Text = (String, egui::Rect);

    /// A click of the left button.
    fn click(pos: egui::Pos2) -> Vec<egui::Event> {
        let press = |pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::default(),
        };
        vec![egui::Event::PointerMoved(pos), press(true), press(false)]
    }

    /// The texts of the overlay in a window of `size`.
    fn shown(size: (f32, f32), ui: &OverlayState) -> Vec<Text> {
        commands_after(size, ui, Vec::new()).0
    }

    /// The texts of the overlay, and its commands after `events`.
    fn commands_after(
        size: (f32, f32),
        ui: &OverlayState,
        events: Vec<egui::Event>,
    ) -> (Vec<Text>, Vec<Command>) {
        let events = vec![events];
        let (laid_out, commands) = laid_out(size, ui, &Parameters::default(), events);
        (texts(&laid_out.output), commands)
    }

    /// The overlay of a scene with these parameters, and its commands after `events`.
    fn laid_out(
        size: (f32, f32),
        ui: &OverlayState,
        parameters: &Parameters,
        events: Vec<Vec<egui::Event>>,
    ) -> (LaidOut, Vec<Command>) {
        let mut ui = ui.clone();
        ui.status.lines =
            ["title", "60 fps 8.2 ms 384×216 of 640×360 60 %", "H: help"].map(str::to_owned).into();
        let scenes: Vec<String> = SCENES.iter().map(|(name, ..)| (*name).to_owned()).collect();
        let mut session = Session::new("creature".to_owned(), Values::default());
        session.parameters = parameters.clone();
        let view = View {
            ui: &ui,
            engine: &Engine::new(session, Pacing::new(None, None), FrameTiming::Timer),
            scenes: &scenes,
            previews: &BTreeMap::new(),
            tiles: &[],
            probed: &[],
            now: 0.0,
        };
        let (mut pictures, mut commands) = (Pictures::default(), Vec::new());
        let laid_out = lay_out_with(size, events, |ui| {
            show(ui.ctx(), &view, &mut pictures, &mut Vec2::default(), &mut commands);
        });
        (laid_out, commands)
    }

    /// The parameters of a scene with long labels and colours.
    fn parameters() -> Parameters {
        let scene = Scene::find("creature", &tarsus::library()).expect("a scene");
        compose(&scene, &tarsus::library(), &[]).expect("a program").parameters
    }

    #[test]
    fn small_windows_fit_status_beside_parameters() {
        let parameters = parameters();
        let mut ui = OverlayState::new();
        ui.are_parameters_open = true;
        for size in [(480.0, 270.0), (640.0, 360.0), (800.0, 450.0)] {
            let (laid_out, _) = laid_out(size, &ui, &parameters, Vec::new());
            let area = |name| laid_out.context.memory(|memory| memory.area_rect(Id::unique(name)));
            let panel = area("parameters").expect("the parameters");
            let status = area("status").expect("the status");
            assert!(status.right() < panel.left(), "{size:?}: {status} {panel}");
            assert!(panel.width() < 0.4 * size.0, "{size:?}: {panel} hides the animal");
            assert!(panel.bottom() < size.1, "{size:?}: {panel}");
        }
    }

    #[test]
    fn tiny_windows_do_not_panic() {
        let parameters = parameters();
        let mut ui = OverlayState::new();
        ui.set_notes(vec!["compiling creature … 1.4 s".to_owned()]);
        (ui.are_parameters_open, ui.panel, ui.is_probing) = (true, true, true);
        ui.show_error("error: none".to_owned());
        for size in [(1.0, 1.0), (59.0, 300.0), (300.0, 39.0), MIN_SIZE.into()] {
            for (mode, picker) in
                [(Mode::Status, None), (Mode::Help, None), (Mode::Hidden, Some(3))]
            {
                (ui.mode, ui.picker) = (mode, picker);
                laid_out(size, &ui, &parameters, Vec::new());
            }
        }
    }

    #[test]
    fn help_replaces_status_and_parameters() {
        let parameters = parameters();
        let mut ui = OverlayState::new();
        ui.are_parameters_open = true;
        ui.mode = Mode::Help;
        ui.set_notes(vec!["film: compiling …".to_owned()]);
        let (laid_out, _) = laid_out((480.0, 270.0), &ui, &parameters, Vec::new());
        let texts = texts(&laid_out.output);
        let has = |wanted: &str| texts.iter().any(|(text, _)| text == wanted);
        assert!(has("quit") && has("film: compiling …"), "{texts:?}");
        assert!(!has("title") && !has("16 parameters"), "{texts:?}");
        assert!(ui.reveal() && ui.mode == Mode::Status, "a key of the parameters shows them");
    }

    #[test]
    fn colour_sliders_fit_small_window() {
        let scene = Scene::from_text(
            "struct Params {\n/// Skin = #ff8000\nskin: vec3f }\n\
             @group(1) @binding(0) var<uniform> params: Params;\n\
             fn main_image(p: vec2f) -> vec4f { return vec4f(params.skin, 1.0); }\n",
            "scene.wgsl",
        );
        let program = compose(&scene, &tarsus::library(), &[]).expect("a program");
        let mut ui = OverlayState::new();
        ui.are_parameters_open = true;
        let size = (480.0, 270.0);
        let open = |events| laid_out(size, &ui, &program.parameters, events);
        let texts_of = |laid_out: &LaidOut| texts(&laid_out.output);
        let (closed, _) = open(Vec::new());
        let label = texts_of(&closed).into_iter().find(|(text, _)| text == "Skin");
        let (_, label) = label.expect("the label");
        let pos = label.left_bottom() + vec2(10.0, 12.0);
        let (open, commands) = open(vec![click(pos), Vec::new()]);
        assert_eq!(commands, [], "only an edit changes the value");
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
        let texts = texts_of(&open);
        for name in ["red", "1.000", "green", "0.502", "blue", "0.000"] {
            let found = texts.iter().find(|(text, _)| text == name);
            let (_, rect) = found.unwrap_or_else(|| panic!("no {name}: {texts:?}"));
            assert!(screen.contains_rect(*rect), "{name}: {rect}");
        }
    }

    #[test]
    fn progress_notes_are_on_screen() {
        let mut ui = OverlayState::new();
        let notes = ["compiling creature … 1.4 s".to_owned(), "3 screenshots waiting".to_owned()];
        ui.set_notes(notes.to_vec());
        let texts = shown((320.0, 180.0), &ui);
        for note in &notes {
            let (_, rect) = texts.iter().find(|(text, _)| text == note).expect("the note");
            assert!(rect.right() < 320.0 && rect.bottom() < 180.0, "{note}: {rect}");
        }
        ui.set_notes(Vec::new());
        assert!(!shown((320.0, 180.0), &ui).iter().any(|(text, _)| text == &notes[0]));
    }

    #[test]
    fn hidden_overlay_shows_results_only() {
        let mut ui = OverlayState::new();
        ui.show_message(0.0, "debug view: depth");
        let result = format!("saved {}screenshot_001.png", "a long path/".repeat(8));
        ui.show_result(0.0, result.clone());
        let size = (320.0, 180.0);
        let texts = |ui: &OverlayState| -> Vec<String> {
            shown(size, ui).into_iter().map(|(text, _)| text).collect()
        };
        assert!(texts(&ui).contains(&"debug view: depth".to_owned()));
        ui.mode = Mode::Hidden;
        assert_eq!(texts(&ui), [result]);
        let [(_, rect)] = &shown(size, &ui)[..] else {
            panic!("one text");
        };
        let inside = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(320.0, 180.0));
        assert!(inside.contains_rect(*rect), "{rect}");
    }

    #[test]
    fn narrow_windows_show_short_status() {
        let lines = ["title", "60 fps", "GPU", "adapter", "H: help"].map(str::to_owned);
        let shown =
            |is_narrow| status_lines(&lines, is_narrow).map(String::as_str).collect::<Vec<_>>();
        assert_eq!(shown(false), lines);
        assert_eq!(shown(true), ["title", "60 fps", "H: help"]);
        assert_eq!(status_lines(&[], true).count(), 0);
    }

    #[test]
    fn default_window_grid_shows_all_scenes() {
        let mut ui = OverlayState::new();
        ui.picker = Some(5);
        let texts = shown((800.0, 450.0), &ui);
        let mut rows = std::collections::BTreeSet::new();
        for (name, ..) in SCENES {
            let (_, rect) =
                texts.iter().find(|(text, _)| text == name).unwrap_or_else(|| panic!("no {name}"));
            let inside = egui::Rect::from_min_max(egui::pos2(10.0, 10.0), egui::pos2(790.0, 440.0));
            assert!(inside.contains_rect(*rect), "{name}: {rect}");
            rows.insert(rect.top() as i32);
        }
        assert_eq!(rows.len(), SCENES.len().div_ceil(4), "rows of four");
    }

    #[test]
    fn grid_click_opens_the_scene() {
        let mut ui = OverlayState::new();
        ui.picker = Some(0);
        let size = (800.0, 450.0);
        for (index, (name, ..)) in SCENES.iter().enumerate() {
            let texts = shown(size, &ui);
            let found = texts.iter().find(|(text, _)| text == name);
            let (_, rect) = found.expect("the name below the picture");
            let pos = rect.center() - vec2(0.0, 60.0);
            let (_, commands) = commands_after(size, &ui, click(pos));
            assert_eq!(commands, [Command::Pick(index)], "{name}");
        }
    }
}
