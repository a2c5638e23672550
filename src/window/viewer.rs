//! The open window: which part does what, and when.
//!
//! [`Viewer::window_event`] takes what the user does, [`Viewer::user_event`] what
//! tasks report, and [`Viewer::advance`] moves on: it finishes work of the adapter,
//! begins the next and says when to come back. Nothing in it waits.

use std::sync::Arc;

use anyhow::Result;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};

use super::canvas::Done;
use super::device::DeviceResources;
use super::editing::{self, Edited};
use super::event::{UserEvent, sender};
use super::film::{FilmMaker, FilmReport, FilmRequest, Studio};
use super::graphics::Presented;
use super::host::HostWindow;
use super::keys::{self, Command, Modifiers, PickerCommand};
use super::loader::LoadReport;
use super::opening::{DeviceOpener, DeviceState, Opened};
use super::options::Options;
use super::overlay::Request;
use super::pacing::Pacing;
use super::picker::{self, Picker};
use super::platform::{self, FileName, Instant, RealTime, Sender, Tasks};
use super::pointer::{PointerState, Surroundings};
use super::saves::{Saved, Saves};
use super::scenes::{SceneList, name_of};
use super::source::SceneSource;
use super::start::Start;
use super::ui::{Ui, earliest};
use crate::player::clock::Clock;
use crate::player::timeline::Event;
use crate::player::{Session, Simulation};
use crate::render::RenderError;
use crate::shader::{Lens, Library};

/// Seconds between two looks at a working adapter.
const POLL_INTERVAL: f64 = 0.001;
/// An overlay that wants to be drawn later than in so many seconds wants nothing.
const NEVER: f64 = 3600.0;

/// When the viewer wants to move on again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// When something happens.
    Event,
    /// At this time at the latest.
    At(Instant),
}

/// An open window and everything it shows.
pub(super) struct Viewer {
    // Device and surface are dropped before the window, and the tasks that may
    // still use either are waited for at the end.
    device: DeviceState,
    opener: DeviceOpener,
    window: HostWindow,
    time: RealTime,
    session: Session,
    source: SceneSource,
    scenes: SceneList,
    /// What the scene is to be seen through.
    lens: Option<Lens>,
    /// Hash of the scene's texts when the opened picture was taken, until they are
    /// compared with those of now.
    hash_of_picture: Option<String>,
    library: Library,
    pacing: Pacing,
    ui: Ui,
    pointer: PointerState,
    modifiers: Modifiers,
    saves: Saves,
    films: FilmMaker,
    edited: Sender<Edited>,
    quit: bool,
    tasks: Tasks,
}

/// Opening, suspending, ending.
impl Viewer {
    /// Opens a window without a device: [`Self::resume`] begins to make one.
    ///
    /// # Errors
    /// When the system opens no window.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        options: Options,
        events: &EventLoopProxy<UserEvent>,
    ) -> Result<Self> {
        let window = HostWindow::open(event_loop, options.size.or(options.start.size()))?;
        let studio = Studio {
            program: options.program,
            library: options.library.clone(),
            gpu: options.gpu.clone(),
        };
        let opener = DeviceOpener::new(
            Arc::clone(&window.handle),
            event_loop.owned_display_handle(),
            options.gpu,
            sender(events, |opened| UserEvent::DeviceOpened(Box::new(opened))),
        );
        let mut scenes = SceneList::builtin();
        scenes.add(&options.start.scene);
        Ok(Self {
            device: DeviceState::Suspended,
            opener,
            window,
            time: RealTime::start(),
            lens: options.start.lens(None),
            hash_of_picture: options.start.hash().map(str::to_owned),
            library: options.library.clone(),
            session: options.start.into_session(false),
            source: SceneSource::new(
                options.library,
                sender(events, |report| UserEvent::Loaded(Box::new(report))),
                sender(events, |()| UserEvent::FilesChanged),
            ),
            scenes,
            pacing: Pacing::new(options.scale, options.fps),
            ui: Ui::new(),
            pointer: PointerState::default(),
            modifiers: Modifiers::default(),
            saves: Saves::new(options.folder, sender(events, UserEvent::Saved)),
            films: FilmMaker::new(studio, sender(events, UserEvent::Film)),
            edited: sender(events, UserEvent::Edited),
            quit: false,
            tasks: Tasks::default(),
        })
    }

    /// The window may have a surface: begins to make a device, also in place of
    /// another.
    ///
    /// # Errors
    /// When no backend has a surface for the window.
    pub(super) fn resume(&mut self) -> Result<()> {
        self.open_device(false)
    }

    /// The system takes the surface away.
    pub(super) fn suspend(&mut self) {
        self.drop_device();
    }

    /// True when the program should end.
    pub(super) fn wants_to_quit(&self) -> bool {
        self.quit
    }

    fn open_device(&mut self, replaces_lost: bool) -> Result<()> {
        // The old surface has to go before the window can take a new one.
        self.drop_device();
        self.device = self.opener.begin(replaces_lost, &mut self.tasks)?;
        Ok(())
    }

    fn drop_device(&mut self) {
        let unfinished = self
            .device
            .ready_mut()
            .and_then(|device| device.canvas.take_screenshot());
        if let Some(screenshot) = unfinished {
            self.saves.repeat(&screenshot);
        }
        self.ui.compiling.failed();
        self.device = DeviceState::Suspended;
    }

    fn device_opened(&mut self, opened: Opened) -> Result<()> {
        let opening = match std::mem::replace(&mut self.device, DeviceState::Suspended) {
            DeviceState::Opening(opening) => opening,
            other => {
                self.device = other;
                return Ok(());
            }
        };
        let replaces_lost = opening.replaces_lost();
        self.device = self.opener.opened(opening, opened, &mut self.tasks)?;
        let Some(device) = self.device.ready_mut() else {
            return Ok(());
        };
        device.graphics.resize(self.window.size());
        self.pacing.use_adapter(device.graphics.gpu.is_software());
        if replaces_lost {
            self.say("the graphics device was lost and replaced");
        }
        self.load();
        self.changed();
        Ok(())
    }
}

/// The scene.
impl Viewer {
    /// Shows something else from now on.
    fn start(&mut self, start: Start) {
        self.lens = start.lens(self.lens);
        self.hash_of_picture = start.hash().map(str::to_owned);
        self.session = start.into_session(self.session.clock.is_paused());
        self.ui.error = None;
        if let Some(device) = self.device.ready_mut() {
            device.clear();
        }
        self.load();
        self.changed();
    }

    /// Has the scene's files read, again or for the first time.
    fn load(&mut self) {
        if let Some(device) = self.device.ready() {
            let request = device.request(&self.session.scene, self.lens);
            let name = name_of(&self.session.scene);
            self.ui.compiling.begin(self.time.now(), name);
            self.ui.redraw = true;
            self.source.load(request, &mut self.tasks);
        }
    }

    fn loaded(&mut self, report: LoadReport) {
        self.source.finished(&mut self.tasks);
        let Some(device) = self.device.ready_mut() else {
            return;
        };
        // Another scene, lens or device may have come in between.
        let gpu = &device.graphics.gpu;
        if !report.request.is_for(gpu, &self.session.scene, self.lens) {
            return;
        }
        let watched = self.source.watch(&report);
        match report.result {
            Ok(scene) => {
                let program = &scene.program;
                self.session.scene_loaded(
                    program.parameters.clone(),
                    program.period,
                    program.is_animated,
                    Simulation::None,
                );
                self.ui.error = None;
                self.ui.compiling.loaded(self.time.now());
                let shown = scene.lens;
                let taken = self.hash_of_picture.take();
                let has_changed = taken.is_some_and(|hash| hash != program.hash);
                let warnings = program.warnings.clone();
                device.scene = Some(scene);
                for warning in warnings {
                    self.say(format!("warning: {}", warning.message));
                }
                if has_changed {
                    self.say("the scene has changed since the picture was taken");
                }
                if let (Some(lens), None) = (self.lens, shown) {
                    self.say(format!(
                        "lens: {lens} shows nothing here: the scene traces no rays"
                    ));
                }
            }
            Err(error) => {
                self.ui.compiling.failed();
                self.ui.fail(error);
            }
        }
        if let Err(error) = watched {
            self.say(format!("cannot watch the scene's files: {error}"));
        }
        self.changed();
    }

    /// Size of the picture in physical pixels.
    fn size(&self) -> (u32, u32) {
        let size = match self.device.ready() {
            Some(device) => device.graphics.size(),
            None => self.window.size(),
        };
        (size.0.max(1), size.1.max(1))
    }
}

/// What tasks report.
impl Viewer {
    /// Takes what a task or the file watcher reports.
    ///
    /// # Errors
    /// When no device can be had.
    pub(super) fn user_event(&mut self, event: UserEvent) -> Result<()> {
        match event {
            UserEvent::DeviceOpened(opened) => return self.device_opened(*opened),
            UserEvent::Loaded(report) => self.loaded(*report),
            UserEvent::FilesChanged => self.source.files_changed(self.time.now()),
            UserEvent::Saved(Saved {
                name,
                message,
                is_screenshot,
            }) => {
                match is_screenshot {
                    true => self.saves.screenshot_finished(&name),
                    false => self.saves.finished(&name),
                }
                self.say(message);
            }
            UserEvent::Edited(Edited { copy, message }) => {
                if let Some(copy) = copy {
                    self.open_file(Start::scene(copy.display().to_string()));
                }
                self.say(message);
            }
            UserEvent::Film(FilmReport::Progress(progress)) => {
                self.films.went_on(progress);
                self.ui.redraw = true;
            }
            UserEvent::Film(FilmReport::Ended(message, names)) => {
                names.iter().for_each(|name| self.saves.finished(name));
                self.films.ended();
                self.say(message);
            }
        }
        Ok(())
    }

    fn say(&mut self, text: impl Into<String>) {
        self.ui.say(self.time.now(), text);
    }

    /// The picture has to be painted again; a still begins anew.
    fn changed(&mut self) {
        self.pacing.changed(self.time.now());
        self.ui.redraw = true;
    }
}

/// What the user does.
impl Viewer {
    /// Takes what the user or the system does.
    ///
    /// # Errors
    /// When the surface is lost for good.
    pub(super) fn window_event(&mut self, event: &WindowEvent) -> Result<()> {
        let consumed = self.tell_overlay(event);
        match event {
            WindowEvent::CloseRequested => self.quit(),
            WindowEvent::Destroyed => self.quit = true,
            WindowEvent::RedrawRequested => return self.present(),
            WindowEvent::Resized(size) => self.resized((*size).into()),
            WindowEvent::ScaleFactorChanged { .. } => self.changed(),
            WindowEvent::Occluded(occluded) => {
                self.window.set_occluded(*occluded);
                self.changed();
            }
            WindowEvent::Focused(false) => {
                self.pointer.let_go();
                self.session.let_go(self.time.now());
            }
            WindowEvent::DroppedFile(path) => match Start::from_file(path) {
                Ok(start) => self.open_file(start),
                Err(error) => self.say(format!("{error:#}")),
            },
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers.state().into(),
            WindowEvent::KeyboardInput {
                event,
                is_synthetic: false,
                ..
            } => self.key(event),
            _ => self.point(event, consumed),
        }
        Ok(())
    }

    /// True if the overlay keeps the event for itself.
    fn tell_overlay(&mut self, event: &WindowEvent) -> bool {
        let Some(device) = self.device.ready_mut() else {
            return false;
        };
        let response = device.overlay.window_event(&self.window.handle, event);
        // A redraw is the answer to a request, not a reason for another.
        if response.repaint && !matches!(event, WindowEvent::RedrawRequested) {
            self.ui.redraw = true;
        }
        response.consumed
    }

    fn tell_session(&mut self, event: Event) {
        self.session.event(self.time.now(), event);
        self.changed();
    }

    fn resized(&mut self, size: (u32, u32)) {
        self.window.resized(size);
        if let Some(device) = self.device.ready_mut() {
            device.graphics.resize(size);
        }
        self.session.touch();
        self.changed();
    }

    fn point(&mut self, event: &WindowEvent, consumed: bool) {
        let around = Surroundings {
            size: self.size(),
            is_held: self.session.is_held(),
            orbit: self.session.orbit(),
            consumed,
        };
        for event in self.pointer.event(event, around) {
            self.tell_session(event);
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        let pressed = event.state == ElementState::Pressed;
        let device = self.device.ready();
        let is_typing = device.is_some_and(|device| device.overlay.wants_keys());
        let for_scene = device.is_some_and(DeviceResources::scene_reads_keyboard);
        if pressed && !is_typing && self.picker_key(event) {
            return;
        }
        if pressed && !is_typing {
            let command = keys::command(&event.logical_key, self.modifiers, for_scene);
            if let Some(command) = command {
                // Only steps repeat while a key is held.
                if !event.repeat || matches!(command, Command::Step(_)) {
                    self.command(command);
                }
                return;
            }
        }
        if !for_scene || event.repeat || (pressed && is_typing) {
            return;
        }
        if let Some(code) = keys::javascript_code(&event.logical_key) {
            self.tell_session(if pressed {
                Event::KeyDown(code)
            } else {
                Event::KeyUp(code)
            });
        }
    }

    /// True if the grid of scenes is open and takes the key.
    fn picker_key(&mut self, event: &KeyEvent) -> bool {
        let Some(picker) = &mut self.ui.picker else {
            return false;
        };
        let Some(command) = keys::picker_command(&event.logical_key) else {
            return false;
        };
        match command {
            PickerCommand::Move(step) => {
                let scale = self.window.handle.scale_factor();
                let width = f64::from(self.window.size().0) / scale;
                let columns = picker::columns(width as f32);
                picker.step(step, self.scenes.all().len(), columns);
            }
            PickerCommand::Open => {
                let chosen = picker.chosen;
                self.pick(chosen);
            }
            PickerCommand::Close => self.ui.picker = None,
        }
        self.ui.redraw = true;
        true
    }

    /// Shows the scene of this index and closes the grid.
    fn pick(&mut self, index: usize) {
        self.ui.picker = None;
        if let Some(scene) = self.scenes.all().get(index) {
            let scene = scene.clone();
            self.show_scene(&scene);
        }
    }

    fn toggle_picker(&mut self) {
        self.ui.picker = match self.ui.picker {
            Some(_) => None,
            None => Some(Picker {
                chosen: self.scenes.position(&self.session.scene).unwrap_or(0),
            }),
        };
    }

    fn show_scene(&mut self, scene: &str) {
        if scene != self.session.scene {
            self.start(Start::scene(scene));
        }
    }

    /// Does what a key or a button of the overlay stands for.
    fn command(&mut self, command: Command) {
        match command {
            Command::Pause => self.with_clock(Clock::toggle_pause),
            Command::Restart => self.session.restart(self.time.now()),
            Command::Step(forward) => self.session.step(self.time.now(), forward),
            Command::Speed(faster) => self.with_clock(|clock| clock.change_speed(faster)),
            Command::Scene(next) => self.page(next),
            Command::Picker => self.toggle_picker(),
            Command::Edit => self.edit(),
            Command::Scale(part) => self.fix_scale(part),
            Command::Fullscreen => self.window.toggle_fullscreen(),
            Command::Overlays => self.ui.mode = self.ui.mode.next(),
            Command::Lens(next) => self.turn_lens(next),
            Command::Screenshot => self.saves.request_screenshot(),
            Command::Film => self.film(),
            Command::Record => self.toggle_recording(),
            Command::Reload => self.load(),
            Command::ResetGraphics => self.lose_device(),
            Command::ResetView => self.session.reset_view(self.time.now()),
            Command::Quit => self.quit(),
        }
        self.changed();
    }

    /// The window goes at once; tasks under way may take a little longer.
    fn quit(&mut self) {
        self.quit = true;
        self.window.handle.set_visible(false);
    }

    fn toggle_recording(&mut self) {
        let now = self.time.now();
        match self.session.stop_recording(now) {
            Some(timeline) => {
                let name = name_of(&self.session.scene);
                self.saves.save_timeline(name, timeline, &mut self.tasks);
            }
            None => {
                self.session.start_recording(now, self.size());
                self.say("recording the input: Alt+R ends it");
            }
        }
    }

    /// Opens the scene in the user's editor.
    fn edit(&mut self) {
        let (scene, library) = (self.session.scene.clone(), self.library.clone());
        editing::edit(scene, library, &self.edited, &mut self.tasks);
    }

    /// Begins a film of what was played in the last seconds.
    fn film(&mut self) {
        if self.films.progress().is_some() {
            return self.say("a film is being made: it comes first");
        }
        let Some(timeline) = self.session.played(self.size()) else {
            return self.say("cannot make a film: nothing was played yet");
        };
        let name = name_of(&self.session.scene).to_owned();
        let ending = if platform::has_ffmpeg() {
            "mp4"
        } else {
            "apng"
        };
        let device = self.device.ready();
        let scene = device.and_then(|device| device.scene.as_ref());
        let request = FilmRequest {
            scene: self.session.scene.clone(),
            lens: scene.and_then(|scene| scene.lens),
            timeline,
            is_software: device.is_some_and(|device| device.gpu().is_software()),
            recording: self.saves.reserve(&name, "recording", "json"),
            film: self.saves.reserve(&name, "film", ending),
        };
        self.films.begin(request, &mut self.tasks);
    }

    fn with_clock(&mut self, change: impl FnOnce(&mut Clock)) {
        self.session.with_clock(self.time.now(), change);
    }

    /// Opens the scene after or before this one.
    fn page(&mut self, next: bool) {
        let scene = self.scenes.neighbour(&self.session.scene, next).to_owned();
        self.show_scene(&scene);
    }

    /// Shows what a dropped file holds, at the size it was taken at.
    fn open_file(&mut self, start: Start) {
        self.scenes.add(&start.scene);
        if let Some(size) = start.size() {
            self.window.request_size(size);
        }
        self.start(start);
    }

    /// The picture stays until the scene is there through the other lens.
    fn turn_lens(&mut self, next: bool) {
        self.lens = Lens::turned(self.lens, next);
        let name = self.lens.map_or("none", Lens::name);
        self.say(format!("lens: {name}"));
        self.load();
    }

    /// One n-th per side, or whatever holds the frame rate.
    fn fix_scale(&mut self, part: u8) {
        let scale = (part > 0).then(|| 1.0 / f64::from(part));
        self.pacing.scale.fix(scale);
        self.session.touch();
    }

    /// The adapter reports the loss, and all is made anew as after a real one.
    fn lose_device(&mut self) {
        if let Some(device) = self.device.ready() {
            device.graphics.gpu.device.destroy();
        }
    }
}

/// What the adapter draws next.
impl Viewer {
    /// Moves on. Says when it wants to be called again.
    ///
    /// # Errors
    /// When the device is lost and the window has no surface for another.
    pub(super) fn advance(&mut self) -> Result<Next> {
        let now = self.time.now();
        if self.source.take_due(now) {
            self.load();
        }
        self.ui.advance(now);
        self.show_title(now);
        let Some(device) = self.device.ready_mut() else {
            return Ok(self.until(self.deadline()));
        };
        let gpu = &device.graphics.gpu;
        // A device reports finished work and its loss only when polled. An error
        // here comes back as a lost device.
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        if gpu.is_lost() {
            self.open_device(true)?;
            return Ok(self.until(self.deadline()));
        }
        if let Some(done) = device.canvas.finish(gpu, now) {
            self.done(done);
        }
        Ok(self.begin(now))
    }

    /// Says what takes so long also where nothing can be drawn: in the title.
    fn show_title(&mut self, now: f64) {
        let label = self.ui.compiling.title(now);
        let scene = name_of(&self.session.scene);
        self.window.set_title(label.as_deref().unwrap_or(scene));
    }

    fn done(&mut self, done: Done) {
        match done {
            Done::Live(ms) => {
                let is_first = self.ui.compiling.drawn();
                self.pacing.drawn(ms, !is_first);
                self.ui.redraw = true;
            }
            Done::Band => {
                let device = self.device.ready();
                let samples = device.map_or(0, |device| device.canvas.samples());
                self.ui.refined(samples);
            }
            Done::Screenshot(screenshot, Ok(picture)) => {
                self.saves
                    .save_picture(screenshot, picture, &mut self.tasks);
            }
            Done::Screenshot(screenshot, Err(error)) => {
                self.screenshot_failed(&screenshot.name, &error);
            }
        }
    }

    fn screenshot_failed(&mut self, name: &FileName, error: &RenderError) {
        self.saves.screenshot_finished(name);
        self.say(format!("cannot take a screenshot: {error}"));
    }

    /// Begins what comes next, and says when to look again.
    fn begin(&mut self, now: f64) -> Next {
        let Some(device) = self.device.ready() else {
            return self.until(self.deadline());
        };
        if device.canvas.is_busy() {
            return self.until(Some(now + POLL_INTERVAL));
        }
        if let Some(error) = device.gpu().take_error() {
            self.ui.fail(format!("error: the adapter failed: {error}"));
        }
        let has_scene = device.scene.is_some();
        let mut next = self.deadline();
        if self.window.is_visible() {
            if self.ui.redraw {
                // The next work begins when this picture is on the screen.
                self.window.handle.request_redraw();
            } else if has_scene {
                next = earliest(next, self.begin_work(now));
            }
        }
        self.until(next)
    }

    /// Gives the adapter something to do now, or says when there will be.
    fn begin_work(&mut self, now: f64) -> Option<f64> {
        if !self.session.is_stale() && self.begin_screenshot(now) {
            return Some(now);
        }
        if self.session.goes_on() {
            let next = self.pacing.next_frame(self.window.refresh_rate());
            if now < next {
                return Some(next);
            }
            self.paint(now);
            return Some(now);
        }
        let settled = self.pacing.settled_at();
        if now < settled {
            return Some(settled);
        }
        let device = self.device.ready_mut()?;
        device.refine(&self.session, now).then_some(now)
    }

    /// True if there was a screenshot to take.
    fn begin_screenshot(&mut self, now: f64) -> bool {
        let Some(device) = self.device.ready_mut() else {
            return false;
        };
        let scene = name_of(&self.session.scene);
        let Some(name) = self.saves.next_screenshot(scene) else {
            return false;
        };
        if let Err(error) = device.screenshot(&self.session, name.clone(), now) {
            self.screenshot_failed(&name, &error);
        }
        true
    }

    fn paint(&mut self, now: f64) {
        let Some(device) = self.device.ready_mut() else {
            return;
        };
        if self.ui.compiling.drawing() {
            self.pacing.scale.forget();
        }
        let was_replaying = self.session.is_replaying();
        device.paint(&mut self.session, self.pacing.scale.scale(), now);
        let runs = !self.session.clock.is_paused();
        if let Some(fps) = self.pacing.painted(now, runs) {
            self.session.set_frame_rate(fps);
        }
        if was_replaying && !self.session.is_replaying() {
            self.say("the recording has ended: you go on from here");
        }
    }

    /// Puts the newest picture and the overlay on the screen.
    fn present(&mut self) -> Result<()> {
        let Some(device) = self.device.ready_mut() else {
            return Ok(());
        };
        if !self.window.has_pixels() {
            return Ok(());
        }
        if device.canvas.is_busy() {
            self.ui.redraw = true;
            return Ok(());
        }
        let now = self.time.now();
        let compiling = self.ui.compiling.note(now);
        let film = self.films.progress().map(str::to_owned);
        let notes = [compiling, film, self.saves.waiting()];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        let presentation = device.present(
            &self.window,
            &self.session,
            &self.pacing,
            &self.ui,
            (&notes, self.scenes.all()),
            now,
        )?;
        self.ui.redraw = presentation.presented == Presented::Again;
        let again = presentation.again.as_secs_f64();
        let overlay_at = (again < NEVER).then_some(now + again);
        self.ui.presented(now, device.canvas.samples(), overlay_at);
        self.pacing.presented((self.time.now() - now) * 1e3);
        self.answer(&presentation.requests);
        Ok(())
    }

    fn answer(&mut self, requests: &[Request]) {
        for request in requests {
            match request {
                Request::Set(name, components) => {
                    self.session.set(self.time.now(), name, components);
                    self.changed();
                }
                Request::Pick(index) => {
                    self.pick(*index);
                    self.changed();
                }
                Request::Do(command) => self.command(*command),
            }
        }
    }

    /// When something happens by itself.
    fn deadline(&self) -> Option<f64> {
        earliest(self.source.deadline(), self.ui.deadline())
    }

    fn until(&self, at: Option<f64>) -> Next {
        at.map_or(Next::Event, |at| Next::At(self.time.instant(at)))
    }
}
