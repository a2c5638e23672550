//! Everything there is while a window is open, and the order things happen in.
//!
//! [`Stage::event`] takes what the user does, [`Stage::wake`] what other threads
//! did, and [`Stage::pump`] moves on: it finishes work of the adapter, begins
//! the next and says when to come back. Nothing in it waits.

mod commands;
mod draw;
mod input;
mod pace;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use winit::dpi::{LogicalSize, PhysicalSize, Size};
use winit::event_loop::{ActiveEventLoop, EventLoopProxy, OwnedDisplayHandle};
use winit::window::Window;

use self::input::Devices;
use self::pace::{Pace, average};
use super::app::Wake;
use super::canvas::{Canvas, Done};
use super::graphics::Graphics;
use super::loader::{Loaded, Loader};
use super::overlay::{Mode, Overlay};
use super::scale::ScaleController;
use super::toasts::Toasts;
use super::watch::Watch;
use super::{Options, Start};
use crate::player::Session;
use crate::render::GpuOptions;
use crate::render::Renderer;
use crate::shader::BUILTINS;
use crate::shader::{Lens, Values};

/// Size of a new window, in points.
const SIZE: LogicalSize<u32> = LogicalSize::new(800, 450);
/// Seconds files have to be quiet before they are read again.
const QUIET: f64 = 0.04;
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
    /// What the scene is to be seen through.
    lens: Option<Lens>,
    /// What the picture is seen through.
    lens_shown: Option<Lens>,
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
        let loader = Loader::start(options.library.clone(), move |loaded| {
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
            session: Session::new(String::new(), Values::default()),
            devices: Devices::default(),
            scale: ScaleController::new(options.scale),
            pace: Pace::default(),
            loader,
            watch: watch.ok(),
            scenes: scenes(options.start.scene()),
            name: String::new(),
            hash: String::new(),
            lens: None,
            lens_shown: None,
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
            Start::Moment(scene, moment) => {
                self.lens = moment.lens;
                self.session = Session::at_moment(scene, &moment);
            }
            Start::Replay(scene, timeline) => {
                self.session = Session::replaying(scene, timeline, Values::default());
            }
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
            self.loader
                .request(&show.graphics.gpu, &self.session.scene, self.lens);
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
        // Another scene, lens or device may have come in between.
        let is_late = loaded.wanted != self.session.scene || loaded.lens != self.lens;
        if is_late || !Arc::ptr_eq(&loaded.gpu, &show.graphics.gpu) {
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
                self.lens_shown = ready.lens;
                self.session
                    .scene_loaded(ready.parameters, ready.period, ready.moves);
                self.scale.forget();
                self.error = None;
                if let (Some(lens), None) = (self.lens, ready.lens) {
                    self.say(format!(
                        "lens: {lens} shows nothing here: the scene traces no rays"
                    ));
                }
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
        // A device tells of finished work and of its loss only when asked. An error
        // here comes back as a lost device.
        let _ = show.graphics.gpu.device.poll(wgpu::PollType::Poll);
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

    fn sleep_until(&self, at: Option<f64>) -> Next {
        match at {
            Some(at) => Next::At(self.began + Duration::from_secs_f64(at.max(0.0))),
            None => Next::Sleep,
        }
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

fn earliest(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
