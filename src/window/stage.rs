//! Everything there is while a window is open, and the order things happen in.
//!
//! [`Stage::event`] takes what the user does, [`Stage::wake`] what other threads
//! did, and [`Stage::pump`] moves on: it finishes work of the adapter, begins
//! the next and says when to come back. Nothing in it waits.

mod commands;
mod input;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use chrono::{Datelike as _, Timelike as _};
use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event_loop::{ActiveEventLoop, EventLoopProxy, OwnedDisplayHandle};
use winit::window::Window;

use self::input::Devices;
use super::app::Wake;
use super::canvas::{Canvas, Done, SAMPLES};
use super::graphics::{Graphics, Presented};
use super::loader::{Loaded, Loader};
use super::overlay::{Mode, Overlay, Request, View};
use super::scale::{ScaleController, scaled};
use super::session::Session;
use super::toasts::Toasts;
use super::watch::Watch;
use super::{Options, Start};
use crate::capture::{CaptureError, Depth, Picture, Sample, Stamp, Texts, write_png};
use crate::files;
use crate::gpu::GpuOptions;
use crate::renderer::Renderer;
use crate::scene::BUILTINS;
use crate::shader::Library;

/// Size of a new window, in points.
const SIZE: LogicalSize<u32> = LogicalSize::new(800, 450);
/// Seconds without a change before the still is refined.
const SETTLE: f64 = 0.15;
/// Seconds files have to be quiet before they are read again.
const QUIET: f64 = 0.04;
/// Pictures without a surface after which there will be none.
const LOST_FRAMES: u32 = 100;
/// How often to ask a working adapter whether it is done.
const ASK: Duration = Duration::from_millis(1);

/// When the stage wants to be pumped again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// When something happens.
    Sleep,
    /// At this time at the latest.
    At(Instant),
}

/// What was measured, for the status line.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    /// Real time the last frame was begun.
    painted_at: f64,
    /// Seconds between frames, averaged.
    interval: f64,
    /// Milliseconds the scene took, averaged.
    scene_ms: f64,
    /// Milliseconds until it was on the screen, averaged.
    present_ms: f64,
}

/// What goes with the device.
struct Show {
    graphics: Graphics,
    overlay: Overlay,
    canvas: Canvas,
    renderer: Option<Renderer>,
}

/// An open window.
pub(super) struct Stage {
    window: Arc<Window>,
    /// Its size as last heard of, in physical pixels. Asking a window for it is
    /// no good idea once somebody else has destroyed the window.
    window_size: (u32, u32),
    display: OwnedDisplayHandle,
    gpu_options: GpuOptions,
    fps_cap: Option<f64>,
    wake: EventLoopProxy<Wake>,
    began: Instant,
    show: Option<Show>,
    session: Session,
    devices: Devices,
    scale: ScaleController,
    pace: Pace,
    loader: Loader,
    watch: Option<Watch>,
    /// Scenes to page through: the built-in ones, and the one opened at first.
    scenes: Vec<String>,
    name: String,
    /// Hash of the scene's texts.
    hash: String,
    scene_reads_keys: bool,
    error: Option<String>,
    mode: Mode,
    toasts: Toasts,
    occluded: bool,
    /// The window does not show the newest picture or overlay.
    redraw: bool,
    /// Samples of the still that is on the screen.
    samples_shown: u32,
    /// Pictures in a row for which there was no surface.
    lost_frames: u32,
    /// Real time at which the overlay wants to be drawn again.
    overlay_at: Option<f64>,
    /// Real time at which changed files are read again.
    reload_at: Option<f64>,
    changed_at: f64,
    shot_wanted: bool,
    quit: bool,
}

impl Stage {
    /// Opens the window and asks for the first scene.
    ///
    /// # Errors
    /// When no window or no device can be had.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        options: &Options,
        wake: &EventLoopProxy<Wake>,
    ) -> Result<Self> {
        let size = match options.size {
            Some((width, height)) => Size::from(PhysicalSize::new(width, height)),
            None => Size::from(SIZE),
        };
        let attributes = Window::default_attributes()
            .with_title("tarsus")
            .with_inner_size(size);
        let window = Arc::new(event_loop.create_window(attributes)?);
        let size = window.inner_size();
        let deliver = wake.clone();
        let loader = Loader::start(Library::for_working_directory(), move |loaded| {
            // Fails only when the window is gone.
            let _ = deliver.send_event(Wake::Loaded(Box::new(loaded)));
        });
        let changed = wake.clone();
        let watch = Watch::start(move || {
            let _ = changed.send_event(Wake::FilesChanged);
        });
        let mut stage = Self {
            window,
            window_size: size.into(),
            display: event_loop.owned_display_handle(),
            gpu_options: options.gpu.clone(),
            fps_cap: options.fps,
            wake: wake.clone(),
            began: Instant::now(),
            show: None,
            session: Session::new(String::new(), BTreeMap::new()),
            devices: Devices::default(),
            scale: ScaleController::new(options.scale),
            pace: Pace::default(),
            loader,
            watch: watch.ok(),
            scenes: scenes(options.start.scene()),
            name: String::new(),
            hash: String::new(),
            scene_reads_keys: false,
            error: None,
            mode: Mode::default(),
            toasts: Toasts::default(),
            occluded: false,
            redraw: true,
            samples_shown: 0,
            lost_frames: 0,
            overlay_at: None,
            reload_at: None,
            changed_at: 0.0,
            shot_wanted: false,
            quit: false,
        };
        stage.start(options.start.clone());
        stage.resume()?;
        Ok(stage)
    }

    /// Makes device and surface, also in place of lost ones.
    ///
    /// # Errors
    /// When no device can be had.
    pub(super) fn resume(&mut self) -> Result<()> {
        // The old surface has to go before the window can take a new one.
        self.show = None;
        let graphics = Graphics::open(&self.window, &self.display, &self.gpu_options)?;
        let limit = graphics.gpu.device.limits().max_texture_dimension_2d;
        self.show = Some(Show {
            overlay: Overlay::new(&self.window, limit),
            canvas: Canvas::default(),
            renderer: None,
            graphics,
        });
        self.load();
        Ok(())
    }

    /// The system takes the surface away.
    pub(super) fn suspend(&mut self) {
        self.show = None;
    }

    /// True when the program should end.
    pub(super) fn wants_to_quit(&self) -> bool {
        self.quit
    }

    /// Real time in seconds since the window opened.
    fn now(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Shows something else from now on.
    fn start(&mut self, start: Start) {
        match start {
            Start::Scene(scene, chosen) => {
                let paused = self.session.clock.is_paused();
                self.session = Session::new(scene, chosen);
                self.session.clock.set_paused(paused);
            }
            Start::Moment(scene, moment) => self.session = Session::at_moment(scene, &moment),
            Start::Replay(scene, timeline) => self.session = Session::replaying(scene, timeline),
        }
        self.error = None;
        if let Some(show) = &mut self.show {
            show.renderer = None;
            show.canvas.clear();
        }
        self.load();
    }

    /// Asks for the scene's files to be read, again or for the first time.
    fn load(&mut self) {
        self.reload_at = None;
        if let Some(show) = &self.show {
            self.loader.request(&show.graphics.gpu, &self.session.scene);
        }
    }

    /// Takes what other threads did.
    pub(super) fn wake(&mut self, wake: Wake) {
        match wake {
            Wake::Loaded(loaded) => self.loaded(*loaded),
            Wake::FilesChanged => self.reload_at = Some(self.now() + QUIET),
            Wake::Written(Ok(path)) => self.say(format!("saved {}", path.display())),
            Wake::Written(Err(error)) => self.say(error),
        }
    }

    fn loaded(&mut self, loaded: Loaded) {
        let Some(show) = &mut self.show else { return };
        if loaded.wanted != self.session.scene {
            return;
        }
        if let Some(watch) = &mut self.watch
            && let Err(error) = watch.set_files(&loaded.files, loaded.result.is_err())
        {
            self.toasts
                .say(self.began.elapsed().as_secs_f64(), error.to_string());
        }
        self.window.set_title(&format!("{} · tarsus", loaded.name));
        self.name = loaded.name;
        match loaded.result {
            Ok(ready) => {
                show.renderer = Some(ready.renderer);
                self.scene_reads_keys = ready.reads_keyboard;
                self.hash = ready.hash;
                self.session.scene_loaded(ready.parameters);
                self.scale.forget();
                self.error = None;
            }
            Err(error) => self.error = Some(error),
        }
        self.changed();
    }

    fn say(&mut self, text: impl Into<String>) {
        self.toasts.say(self.now(), text);
        self.redraw = true;
    }

    /// The picture has to be painted again; a still begins anew.
    fn changed(&mut self) {
        self.changed_at = self.now();
        self.redraw = true;
    }

    /// Moves on. Says when it wants to be called again.
    ///
    /// # Errors
    /// When the device is lost and no other can be had.
    pub(super) fn pump(&mut self) -> Result<Next> {
        let now = self.now();
        if self.reload_at.is_some_and(|at| at <= now) {
            self.load();
        }
        if self.overlay_at.is_some_and(|at| at <= now) {
            self.overlay_at = None;
            self.redraw = true;
        }
        let Some(show) = &mut self.show else {
            return Ok(Next::Sleep);
        };
        if show.graphics.gpu.is_lost() {
            self.resume()?;
            self.say("the graphics device was lost and made anew");
            return Ok(Next::At(Instant::now()));
        }
        if let Some(done) = show.canvas.finish(&show.graphics.gpu) {
            self.done(done);
        }
        Ok(self.begin(now))
    }

    fn done(&mut self, done: Done) {
        self.redraw = true;
        match done {
            Done::Live(ms) => {
                let budget = self.budget_ms();
                self.scale.observe(ms, budget);
                if self.session.clock.index() > 1 {
                    average(&mut self.pace.scene_ms, ms);
                }
            }
            // Nothing new to see before the sample is whole.
            Done::Band => self.redraw = self.samples() != self.samples_shown,
            Done::Shot(shot) => self.save(shot),
        }
    }

    fn samples(&self) -> u32 {
        self.show.as_ref().map_or(0, |show| show.canvas.samples())
    }

    /// Begins what comes next, and says when to look again.
    fn begin(&mut self, now: f64) -> Next {
        let mut wake_at = earliest(self.reload_at, self.overlay_at);
        let Some(show) = &self.show else {
            return Next::Sleep;
        };
        if show.canvas.is_busy() {
            return Next::At(Instant::now() + ASK);
        }
        if let Some(error) = show.graphics.gpu.take_error() {
            self.error = Some(format!("error: the adapter failed: {error}"));
            self.redraw = true;
        }
        let visible = !self.occluded && self.has_pixels();
        if visible && self.redraw {
            // The next work begins when this picture is on the screen.
            self.window.request_redraw();
            return self.sleep_until(wake_at);
        }
        if visible && self.has_renderer() {
            wake_at = earliest(wake_at, self.begin_work(now));
        }
        self.sleep_until(wake_at)
    }

    fn has_renderer(&self) -> bool {
        self.show
            .as_ref()
            .is_some_and(|show| show.renderer.is_some())
    }

    /// Gives the adapter something to do now, or says when there will be.
    fn begin_work(&mut self, now: f64) -> Option<f64> {
        if self.shot_wanted && !self.session.is_stale() {
            self.shot_wanted = false;
            self.shoot();
            return Some(now);
        }
        if self.session.goes_on() {
            let next = self.pace.painted_at + self.interval();
            if now < next {
                return Some(next);
            }
            self.paint(now);
            return Some(now);
        }
        let settled = self.changed_at.max(self.pace.painted_at) + SETTLE;
        if now < settled {
            return Some(settled);
        }
        self.refine().then_some(now)
    }

    fn paint(&mut self, now: f64) {
        let size = self.size();
        let Some(show) = &mut self.show else { return };
        let Some(renderer) = &show.renderer else {
            return;
        };
        let was_replaying = self.session.is_replaying();
        let scene_size = scaled(size, self.scale.scale());
        let frame = self.session.paint(now, date(), scene_size);
        let gpu = &show.graphics.gpu;
        let bytes = self.session.parameters.bytes(&self.session.values);
        renderer.set_parameters(gpu, &bytes);
        renderer.set_keyboard(gpu, self.session.keyboard());
        show.canvas.paint(gpu, renderer, &frame);
        let interval = now - self.pace.painted_at;
        self.pace.painted_at = now;
        if interval < 0.5 && !self.session.clock.is_paused() {
            average(&mut self.pace.interval, interval);
            self.session.frame_rate = (1.0 / self.pace.interval) as f32;
        }
        if was_replaying && !self.session.is_replaying() {
            self.say("the recording has ended: you go on from here");
        }
    }

    /// True if there was something left to refine.
    fn refine(&mut self) -> bool {
        let size = self.size();
        let Some(show) = &mut self.show else {
            return false;
        };
        let Some(renderer) = &show.renderer else {
            return false;
        };
        if show.canvas.samples() >= SAMPLES {
            return false;
        }
        let frame = self.session.frame(size);
        show.canvas.refine(&show.graphics.gpu, renderer, &frame);
        true
    }

    fn shoot(&mut self) {
        let size = self.size();
        let Some(show) = &mut self.show else { return };
        let Some(renderer) = &show.renderer else {
            return;
        };
        let gpu = &show.graphics.gpu;
        let sample = Sample {
            frame: self.session.frame(size),
            parameters: self.session.parameters.bytes(&self.session.values),
            keyboard: self.session.keyboard().clone(),
        };
        let samples = std::slice::from_ref(&sample);
        let moment = self.session.moment(size).to_json();
        let texts = Stamp::new(gpu, &self.hash, Depth::Eight).texts(samples, moment);
        if let Err(error) = show.canvas.shoot(gpu, renderer, &sample, texts) {
            self.say(error.to_string());
        }
    }

    /// Writes a picture on a thread of its own.
    fn save(&mut self, shot: Result<Option<(Texts, Picture)>, CaptureError>) {
        let (texts, picture) = match shot {
            Ok(Some(shot)) => shot,
            Ok(None) => return,
            Err(error) => return self.say(error.to_string()),
        };
        let folder = Path::new("captures").join(&self.name);
        let wake = self.wake.clone();
        std::thread::spawn(move || {
            let path = files::next_free(&folder, "screenshot", "png");
            let written = write_png(&path, &picture, &texts);
            let written = written.map(|()| path).map_err(|error| error.to_string());
            // Fails only when the window is gone; the picture is saved all the same.
            let _ = wake.send_event(Wake::Written(written));
        });
    }

    /// Puts the newest picture and the overlay on the screen.
    fn present(&mut self) -> Result<()> {
        if !self.has_pixels() {
            return Ok(());
        }
        let status = self.status();
        let now = self.now();
        let began = Instant::now();
        let Some(show) = &mut self.show else {
            return Ok(());
        };
        if show.canvas.is_busy() {
            self.redraw = true;
            return Ok(());
        }
        let view = View {
            mode: self.mode,
            status: &status,
            recorded: self.session.recorded(now),
            parameters: &self.session.parameters,
            values: &self.session.values,
            error: self.error.as_deref(),
            toasts: &self.toasts,
            scene_reads_keys: self.scene_reads_keys,
            now,
        };
        let (interface, again, requests) = show.overlay.run(&self.window, self.window_size, &view);
        let presented = show.graphics.present(show.canvas.picture(), interface);
        self.redraw = presented == Presented::Again;
        self.watch_surface(presented)?;
        let Some(show) = &self.show else {
            return Ok(());
        };
        self.samples_shown = show.canvas.samples();
        let again = (again < Duration::from_secs(3600)).then(|| now + again.as_secs_f64());
        self.overlay_at = earliest(again, self.toasts.next_change(now));
        average(
            &mut self.pace.present_ms,
            began.elapsed().as_secs_f64() * 1e3,
        );
        self.answer(&requests);
        Ok(())
    }

    /// A surface that stays away ends the program, one that comes back does not.
    fn watch_surface(&mut self, presented: Presented) -> Result<()> {
        match presented {
            Presented::Lost => self.lost_frames += 1,
            Presented::Shown => self.lost_frames = 0,
            Presented::Hidden | Presented::Again => {}
        }
        self.redraw |= presented == Presented::Lost;
        anyhow::ensure!(
            self.lost_frames < LOST_FRAMES,
            "the window's surface is lost"
        );
        Ok(())
    }

    fn answer(&mut self, requests: &[Request]) {
        for request in requests {
            match *request {
                Request::Set(index, value) => {
                    self.session.set(self.now(), index, value);
                    self.changed();
                }
                Request::Do(command) => self.command(command),
            }
        }
    }

    /// Size of the picture: the window's, in physical pixels.
    fn size(&self) -> (u32, u32) {
        match &self.show {
            Some(show) => show.graphics.size(),
            None => (1, 1),
        }
    }

    fn has_pixels(&self) -> bool {
        let (width, height) = self.window_size;
        width > 0 && height > 0
    }

    fn is_software(&self) -> bool {
        self.show
            .as_ref()
            .is_some_and(|show| show.graphics.gpu.is_software())
    }

    /// Milliseconds the scene may take: a 60th of a second, or a 30th where the
    /// adapter is software, without what the rest of a frame takes.
    fn budget_ms(&self) -> f64 {
        let fps = if self.is_software() { 30.0 } else { 60.0 };
        let fps = self.fps_cap.map_or(fps, |cap| cap.min(fps));
        (1000.0 / fps - self.pace.present_ms - 2.0).max(4.0)
    }

    /// Seconds between frames at least. Software shows pictures without waiting
    /// for the screen, and anything faster than the screen is wasted.
    fn interval(&self) -> f64 {
        let monitor = self.window.current_monitor();
        let millihertz = monitor.and_then(|monitor| monitor.refresh_rate_millihertz());
        let hertz = match millihertz {
            // A little faster than the screen, which holds the beat itself.
            Some(rate) if !self.is_software() => f64::from(rate) / 1000.0 * 1.1,
            _ => 60.0,
        };
        1.0 / self.fps_cap.unwrap_or(hertz)
    }

    fn sleep_until(&self, at: Option<f64>) -> Next {
        match at {
            Some(at) => Next::At(self.began + Duration::from_secs_f64(at.max(0.0))),
            None => Next::Sleep,
        }
    }

    fn status(&self) -> Vec<String> {
        let (width, height) = self.size();
        let clock = &self.session.clock;
        let mut title = self.name.clone();
        if self.session.is_replaying() {
            title.push_str(" · replay");
        }
        if clock.is_paused() {
            title.push_str(" · paused");
        }
        if clock.speed() != 1.0 {
            title.push_str(&format!(" · {}×", clock.speed()));
        }
        let Some(show) = &self.show else {
            return vec![title];
        };
        let samples = show.canvas.samples();
        let scale = match self.scale.scale() {
            _ if samples >= SAMPLES => format!("{samples} samples"),
            _ if samples > 0 => format!("{samples} of {SAMPLES} samples"),
            scale if self.scale.is_fixed() => format!("{:.0} % fixed", scale * 100.0),
            scale => format!("{:.0} %", scale * 100.0),
        };
        let size = match show.canvas.picture() {
            Some(picture) if (picture.width(), picture.height()) != (width, height) => {
                format!("{}×{} of ", picture.width(), picture.height())
            }
            _ => String::new(),
        };
        let rate = if clock.is_paused() {
            String::new()
        } else {
            let fps = 1.0 / self.pace.interval.max(1e-3);
            let ms = self.pace.scene_ms + self.pace.present_ms;
            format!("{fps:.0} fps  {ms:.1} ms  ")
        };
        vec![
            title,
            format!("{rate}{size}{width}×{height}  {scale}"),
            format!("{:.2} s  frame {}", clock.time(), clock.index()),
            show.graphics.gpu.describe(),
            "H: help".to_owned(),
        ]
    }
}

/// Scenes to page through.
fn scenes(first: &str) -> Vec<String> {
    let mut names: Vec<String> = BUILTINS.iter().map(|scene| scene.name.to_owned()).collect();
    if !names.iter().any(|name| name == first) {
        names.insert(0, first.to_owned());
    }
    names
}

fn average(value: &mut f64, newest: f64) {
    *value += if *value == 0.0 {
        newest
    } else {
        0.15 * (newest - *value)
    };
}

fn earliest(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Shadertoy's `iDate` in local time.
fn date() -> [f32; 4] {
    let now = chrono::Local::now();
    let seconds = f64::from(now.num_seconds_from_midnight()) + f64::from(now.nanosecond()) * 1e-9;
    [
        now.year() as f32,
        now.month0() as f32,
        now.day() as f32,
        seconds as f32,
    ]
}
