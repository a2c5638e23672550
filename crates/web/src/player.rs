//! A scene played on a canvas: the work of each frame of the page, and between frames.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlCanvasElement;

use super::browser;
use super::composed::{Composed, title_of};
use super::report;
use super::scene::{LoadedScene, Pictures};
use super::screen::{Backend, Screen};
use super::whole::{self, Whole};
use tarsus_player::clock::Clock;
use tarsus_player::live::scale::scaled;
use tarsus_player::live::{Canvas, Done, Pacing, SAMPLES};
use tarsus_player::timeline::Event;
use tarsus_player::{Session, Snapshot};
use tarsus_render::{Depth, Inputs, RenderError, RenderTarget};
use tarsus_shader::Values;

/// Interval for polling a busy GPU, in milliseconds.
const POLL_INTERVAL: i32 = 2;
/// Interval for trying to reopen a lost device, in milliseconds.
const RESTORE_INTERVAL: i32 = 100;
/// Maximum number of frames that buffers advance for a seek.
const MOST_STEPS: f64 = 36_000.0;

/// A canvas with its scene, shared with the tasks that wait for the GPU.
pub(super) struct Player {
    element: HtmlCanvasElement,
    backend: Backend,
    /// `None` while a new device is being opened.
    screen: Option<Screen>,
    canvas: Canvas<()>,
    pub(super) session: Session,
    pub(super) pacing: Pacing,
    pub(super) scene: Option<LoadedScene>,
    pub(super) pictures: Pictures,
    /// A buffer or channel shown instead of the picture.
    whole: Option<Whole>,
    /// Size of the canvas, in physical pixels.
    size: (u32, u32),
    /// Number of loads requested, so that only the newest is shown.
    loads: u32,
    /// Number of loads in progress.
    loading: u32,
    /// True until the scene's first picture, which also compiles its shaders.
    is_first: bool,
    /// True while a task polls the GPU.
    is_watched: bool,
    /// Initial scene time, in seconds.
    start: f64,
    /// The last error of the device or a channel, for [`Self::state`].
    error: Option<String>,
}

/// Initial settings chosen by the page.
pub(super) struct Start {
    pub(super) backend: Backend,
    pub(super) is_paused: bool,
    pub(super) time: f64,
    pub(super) scale: Option<f64>,
}

impl Player {
    /// Opens a device for a canvas.
    ///
    /// # Errors
    /// Returns a message for the user if there is no device.
    pub(super) async fn open(element: HtmlCanvasElement, start: &Start) -> Result<Self, String> {
        let screen = Screen::open(&element, start.backend).await?;
        let mut pacing = Pacing::new(start.scale, None);
        pacing.use_adapter(screen.is_software());
        let mut session = Session::new(String::new(), Values::default());
        session.clock.set_paused(start.is_paused);
        Ok(Self {
            backend: screen.backend(),
            size: (element.width().max(1), element.height().max(1)),
            screen: Some(screen),
            canvas: Canvas::default(),
            session,
            pacing,
            scene: None,
            pictures: Pictures::new(),
            whole: None,
            loads: 0,
            loading: 0,
            is_first: true,
            is_watched: false,
            start: start.time,
            error: None,
            element,
        })
    }

    /// Describes the device in one line.
    pub(super) fn backend(&self) -> String {
        self.screen.as_ref().map_or(String::new(), Screen::describe)
    }

    /// Returns true while there is no device.
    pub(super) fn is_lost(&self) -> bool {
        self.screen.as_ref().is_none_or(Screen::is_lost)
    }

    /// Adapts to the size of the canvas, in physical pixels.
    pub(super) fn resize(&mut self, (width, height): (u32, u32)) {
        let limit = self.screen.as_ref().map_or(8192, Screen::longest_side);
        let size = (width.clamp(1, limit), height.clamp(1, limit));
        if size != self.size {
            self.size = size;
            self.session.request_frame();
        }
    }

    /// Size of stills and screenshots, in pixels: the size of the buffers if there are
    /// any, otherwise that of the canvas.
    pub(super) fn still_size(&self) -> (u32, u32) {
        match &self.scene {
            Some(scene) if scene.renderer.has_state() => {
                scaled(self.size, self.pacing.scale.nominal())
            }
            _ => self.size,
        }
    }

    /// Number of samples of the still.
    pub(super) fn samples(&self) -> u32 {
        self.canvas.samples()
    }

    /// Lists the buffers and channels of the scene.
    pub(super) fn contents(&self) -> Value {
        self.scene.as_ref().map_or(json!([]), whole::listed)
    }

    /// Shows a buffer or channel by its number from 0, or the scene's picture for `None`.
    pub(super) fn show_whole(&mut self, index: Option<u32>) {
        if let Some(screen) = &self.screen {
            self.whole = index.map(|index| Whole::new(&screen.gpu, index as usize));
            self.session.request_frame();
        }
    }

    /// Presents the picture, or the buffer or channel selected instead. Returns false if
    /// the canvas cannot take a picture now.
    fn present(&mut self) -> bool {
        let (Some(screen), Some(scene)) = (&self.screen, &self.scene) else {
            return false;
        };
        let whole = self.whole.as_mut();
        let whole = whole.and_then(|whole| whole.draw(&screen.gpu, scene, self.size));
        screen.present(whole.or(self.canvas.picture()))
    }

    /// Returns true once a picture of the scene was drawn.
    pub(super) fn is_drawn(&self) -> bool {
        self.scene.is_some() && !self.is_first
    }

    /// Returns true while only samples of the still are pending.
    pub(super) fn is_settled(&self) -> bool {
        let is_behind = self.session.rewind().is_behind();
        self.is_drawn() && !self.session.needs_frame() && !is_behind && self.canvas.samples() > 0
    }

    /// Handles an input event.
    pub(super) fn event(&mut self, event: Event) {
        let now = browser::now();
        self.session.event(now, event);
        self.pacing.changed(now);
    }

    /// Seeks a scene time. With buffers, this goes to a remembered frame, or advances the
    /// buffers.
    pub(super) fn seek(&mut self, seconds: f64) {
        let now = browser::now();
        let seconds = seconds.clamp(0.0, 1e9);
        if !self.session.rewind().has_buffers() {
            let index = (seconds * 60.0).round() as u32;
            self.session.with_clock(now, |clock| {
                clock.go_to(&Clock::starting_at(seconds, index));
            });
            return;
        }
        let time = |session: &Session, frame| {
            let remembered = session.rewind().get(frame);
            remembered.map_or(f64::INFINITY, |remembered| remembered.state.time)
        };
        let frames = self.session.rewind().frames();
        let seconds = seconds + 1e-6;
        if frames.is_empty() || seconds < time(&self.session, frames.start) {
            self.session.restart(now);
        } else {
            let at = frames.rev().find(|&at| time(&self.session, at) <= seconds);
            if let Some(at) = at {
                let is_paused = self.session.clock.is_paused();
                self.session.seek(now, at);
                self.session.clock.set_paused(is_paused);
            }
        }
        let steps = ((seconds - self.session.clock.time()) * 60.0).clamp(0.0, MOST_STEPS);
        self.step(steps as i32);
    }

    /// Steps by a number of frames, forward or back, at 60 frames per second.
    pub(super) fn step(&mut self, frames: i32) {
        let now = browser::now();
        if self.session.rewind().is_empty() {
            // The first frame determines the size of the others.
            let size = self.still_size();
            self.session.paint(now, browser::date(), size);
        }
        let is_paused = self.session.clock.is_paused();
        self.session.clock.set_paused(true);
        for _ in 0..frames.unsigned_abs() {
            self.session.step(now, frames > 0);
        }
        self.session.clock.set_paused(is_paused);
    }

    /// Returns the status that a page displays next to the picture.
    pub(super) fn state(&self) -> Value {
        let rewind = self.session.rewind();
        let frames = rewind.frames();
        let time = |frame| rewind.get(frame).map(|remembered| remembered.state.time);
        let plan = rewind.plan().frames;
        json!({
            "time": self.session.painted().time,
            "frame": self.session.painted().index,
            "paused": self.session.clock.is_paused(),
            "speed": self.session.clock.speed(),
            "fps": self.pacing.fps(),
            "scale": self.pacing.scale.scale(),
            "adaptive": !self.pacing.scale.is_fixed(),
            "size": self.size,
            "samples": self.canvas.samples(),
            "first": time(frames.start),
            "last": time(frames.end.wrapping_sub(1)),
            "waiting": plan.end.saturating_sub(plan.start),
            "recorded": self.session.recorded(browser::now()),
            "replaying": self.session.is_replaying(),
            "loading": self.loading > 0,
            "lost": self.is_lost(),
            "error": self.error,
        })
    }

    /// Returns the snapshot of the current frame.
    pub(super) fn snapshot(&self) -> Snapshot {
        let mut snapshot = self.session.snapshot(self.still_size());
        if let Some(scene) = &self.scene {
            snapshot.lens = scene.composed.lens;
            snapshot.hash.clone_from(&scene.composed.program.hash);
        }
        snapshot
    }

    /// Replaces the session, keeping the scene.
    pub(super) fn begin(&mut self, session: Session) {
        self.session = session;
        if let Some(scene) = &mut self.scene {
            scene.begin(&mut self.session);
        }
        self.canvas.clear();
        self.pacing.changed(browser::now());
    }

    /// Updates the channels from the page's pictures.
    ///
    /// # Errors
    /// Returns a message naming a channel whose picture does not fit.
    pub(super) fn fill_channels(&mut self) -> Result<(), String> {
        self.session.request_frame();
        match (&mut self.scene, &self.screen) {
            (Some(scene), Some(screen)) => scene.fill_channels(&screen.gpu, &self.pictures),
            _ => Ok(()),
        }
    }
}

/// Scheduling of the GPU's work.
impl Player {
    /// Handles completed GPU work. Returns true while the GPU is busy.
    fn finish(&mut self) -> bool {
        let Some(screen) = &self.screen else {
            return false;
        };
        // A device reports completed work only when polled. Poll errors also show up as a
        // lost device.
        let _ = screen.gpu.device.poll(wgpu::PollType::Poll);
        if let Some(error) = screen.gpu.take_error() {
            self.error = Some(format!("the device failed: {error}"));
        }
        if self.whole.as_mut().is_some_and(Whole::take_values) {
            self.session.request_frame();
        }
        match self.canvas.finish(&screen.gpu, browser::now()) {
            Some(Done::Live(drawing)) => {
                let counts = !std::mem::take(&mut self.is_first);
                self.pacing.drawn(drawing.picture, counts);
                if counts {
                    self.pacing.advanced(drawing.buffers);
                }
            }
            Some(Done::Band) => {
                self.present();
            }
            Some(Done::Advance | Done::Screenshot(..)) | None => {}
        }
        self.canvas.is_busy()
    }

    /// Starts the next piece of work at real time `now`, in seconds. Returns false if
    /// there is nothing to do until the next input.
    fn begin_work(&mut self, now: f64) -> bool {
        let (Some(screen), Some(scene)) = (&mut self.screen, &mut self.scene) else {
            return self.loading > 0;
        };
        let rewind = self.session.rewind_mut();
        if rewind.is_behind() {
            self.canvas.advance(&screen.gpu, now, |encoder, frames| {
                scene.follow(&screen.gpu.queue, encoder, rewind, frames);
            });
            return true;
        }
        if self.session.needs_frame() {
            self.paint(now);
            return true;
        }
        if self.canvas.samples() >= SAMPLES {
            return self.whole.as_ref().is_some_and(Whole::is_measuring);
        }
        if now >= self.pacing.settled_at() {
            let size = self.still_size();
            if let (Some(screen), Some(scene)) = (&self.screen, &mut self.scene) {
                let inputs = scene.inputs(&self.session, size);
                self.canvas
                    .refine(&screen.gpu, &mut scene.renderer, &inputs, now);
            }
        }
        true
    }

    /// Draws the next frame of the session and presents it.
    fn paint(&mut self, now: f64) {
        let (Some(screen), Some(scene)) = (&mut self.screen, &mut self.scene) else {
            return;
        };
        let size = scaled(self.size, self.pacing.scale.scale());
        // The buffer state must not depend on the speed of the GPU.
        let nominal = match scene.renderer.has_state() {
            true => scaled(self.size, self.pacing.scale.nominal()),
            false => size,
        };
        self.session.paint(now, browser::date(), nominal);
        let rewind = self.session.rewind_mut();
        if rewind.is_behind() {
            self.canvas.advance_before(&screen.gpu, |encoder| {
                scene.follow(&screen.gpu.queue, encoder, rewind, 1);
            });
        }
        if rewind.is_behind() {
            // More advances are needed: the picture is drawn after them.
            return self.session.request_frame();
        }
        if self.is_first {
            self.pacing.scale.forget();
        }
        let inputs = scene.inputs(&self.session, nominal);
        let drawn = (&mut scene.renderer, &inputs);
        self.canvas.paint(&screen.gpu, drawn, size, None, now);
        // A resized canvas is empty until it is drawn to.
        screen.resize(self.size);
        if !self.present() {
            self.session.request_frame();
        }
        let runs = !self.session.clock.is_paused();
        if let Some(fps) = self.pacing.painted(now, runs) {
            self.session.set_frame_rate(fps);
        }
    }
}

/// Renders a frame of the page at real time `now`, in seconds. Returns false if there is
/// nothing to do until the next input.
pub(super) fn frame(shared: &Rc<RefCell<Player>>, now: f64) -> bool {
    let Ok(mut player) = shared.try_borrow_mut() else {
        return true;
    };
    if player.screen.is_none() {
        return true;
    }
    if player.is_lost() {
        player.screen = None;
        spawn_local(restore(Rc::clone(shared)));
        return true;
    }
    if player.finish() {
        return true;
    }
    let goes_on = player.begin_work(now);
    if player.canvas.is_busy() && !std::mem::replace(&mut player.is_watched, true) {
        spawn_local(watch(Rc::clone(shared)));
    }
    goes_on
}

/// Polls the GPU, which measures its time more precisely than the frames of the page.
async fn watch(shared: Rc<RefCell<Player>>) {
    loop {
        browser::sleep(POLL_INTERVAL).await;
        let mut player = shared.borrow_mut();
        if player.is_lost() || !player.finish() {
            player.is_watched = false;
            return;
        }
    }
}

/// Opens a new device after the old one was lost, and restores the scene.
async fn restore(shared: Rc<RefCell<Player>>) {
    let (element, backend, old) = {
        let mut player = shared.borrow_mut();
        player.canvas = Canvas::default();
        let old = player.scene.take().map(|scene| scene.composed);
        (player.element.clone(), player.backend, old)
    };
    let screen = loop {
        browser::sleep(RESTORE_INTERVAL).await;
        if Rc::strong_count(&shared) == 1 {
            return;
        }
        match Screen::open(&element, backend).await {
            Ok(screen) if !screen.is_lost() => break screen,
            Ok(_) | Err(_) => {}
        }
    };
    {
        let mut player = shared.borrow_mut();
        player.pacing.use_adapter(screen.is_software());
        let whole = player.whole.take();
        player.whole = whole.map(|whole| Whole::new(&screen.gpu, whole.index()));
        player.screen = Some(screen);
    }
    if let Some(composed) = old {
        load(&shared, composed).await;
    }
    frame(&shared, browser::now());
}

/// Creates the pipelines of a scene, then shows it. The previous scene stays until then,
/// and also if this one fails. Returns a report for the page.
pub(super) async fn load(shared: &Rc<RefCell<Player>>, composed: Composed) -> Value {
    let (number, device) = {
        let mut player = shared.borrow_mut();
        player.loads += 1;
        player.loading += 1;
        let gpu = player.screen.as_ref().map(|screen| &screen.gpu);
        let device = gpu.map(|gpu| (gpu.device.clone(), gpu.queue.clone()));
        (player.loads, device)
    };
    let made = match device {
        Some((device, queue)) => LoadedScene::new((&device, &queue), composed).await,
        None => Err(("cannot draw now: the device is lost".to_owned(), composed)),
    };
    let mut player = shared.borrow_mut();
    player.loading -= 1;
    match made {
        Err((message, composed)) => report::failed(&message, &composed.main),
        Ok(_) if number != player.loads => report::superseded(),
        Ok(scene) => player.show(scene),
    }
}

impl Player {
    /// Shows a loaded scene. A scene with the same title as the previous one continues
    /// its session.
    fn show(&mut self, mut scene: LoadedScene) -> Value {
        let Some(screen) = &self.screen else {
            return report::superseded();
        };
        let filled = scene.fill_channels(&screen.gpu, &self.pictures);
        let name = scene.composed.main.clone();
        if title_of(&name) == title_of(&self.session.scene) {
            scene.adopt(&screen.gpu, self.scene.as_ref(), &mut self.session);
            self.session.scene = name;
        } else {
            let is_paused = self.session.clock.is_paused();
            self.session = Session::new(name, Values::default());
            self.session.clock.set_paused(is_paused);
            scene.begin(&mut self.session);
            self.canvas.clear();
        }
        let told = report::loaded(&scene.composed);
        self.scene = Some(scene);
        self.is_first = true;
        self.error = filled.err();
        let start = std::mem::take(&mut self.start);
        if start > 0.0 {
            self.seek(start);
        }
        self.pacing.changed(browser::now());
        told
    }

    /// Draws a picture for readback, in the same way as a capture.
    ///
    /// # Errors
    /// Returns a message if there is no device or scene, or if the picture is too large.
    pub(super) fn draw_once(
        &mut self,
        size: (u32, u32),
        inputs: &Inputs,
    ) -> Result<RenderTarget<()>, String> {
        let (Some(screen), Some(scene)) = (&self.screen, &mut self.scene) else {
            return Err("there is no device".to_owned());
        };
        let (device, queue) = (&screen.gpu.device, &screen.gpu.queue);
        let said = |error: RenderError| error.to_string();
        let mut target = RenderTarget::new(device, size, Depth::Eight).map_err(said)?;
        let mut encoder = device.create_command_encoder(&Default::default());
        let renderer = &mut scene.renderer;
        let drawn = renderer.draw(queue, &mut encoder, inputs, target.view());
        drawn.map_err(|error| error.to_string())?;
        target.read_back(&mut encoder, ()).map_err(said)?;
        queue.submit([encoder.finish()]);
        Ok(target)
    }
}
